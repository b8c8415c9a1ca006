// The wrapper for C++: components, results, errors.
#include <cstdlib>
#include <iostream>
#include <memory_resource>
#include <type_traits>
#include <utility>

#include <simd_iri.hpp>

#define CHECK(condition) \
    if (!(condition)) { std::cerr << __LINE__ << ": " << #condition << '\n'; std::exit(1); }

// Which texts parse and find take: none that ends with the call.
template <typename Text, typename = void> struct takes : std::false_type {};
template <typename Text>
struct takes<Text, std::void_t<decltype(simd_iri::parse(std::declval<Text>())),
                               decltype(simd_iri::find(std::declval<Text>(), simd_iri::rule::uri))>> : std::true_type {};
static_assert(!takes<std::string>::value && !takes<const std::string>::value && !takes<std::pmr::string>::value);
// Nor one of a class that extends a string, or that has one; but one of a class that refers to a text.
struct extends : std::string { using std::string::string; };
struct has {
    std::string text;
    operator std::string_view() const { return text; }
};
struct refers {
    const char *text;
    operator std::string_view() const { return text; }
};
static_assert(!takes<extends>::value && !takes<const extends>::value && !takes<has>::value);
static_assert(takes<extends &>::value && takes<const has &>::value && takes<refers>::value);
static_assert(takes<std::string &>::value && takes<const std::string &>::value && takes<std::pmr::string &>::value);
static_assert(takes<const char *>::value && takes<const char (&)[2]>::value && takes<std::string_view>::value);

int main() {
    auto iri = simd_iri::parse("http://u@h:1/p?#f");
    CHECK(iri.scheme() == "http" && iri.authority() == "u@h:1" && iri.userinfo() == "u" && iri.host() == "h");
    CHECK(iri.port() == "1" && iri.path() == "/p" && iri.query() == "" && iri.fragment() == "f");
    const std::string text = "a://h";
    CHECK(simd_iri::parse(text).host() == "h" && simd_iri::find(text)->host() == "h");
    auto urn = simd_iri::parse("urn:a");
    CHECK(!urn.authority() && !urn.host() && !urn.port() && !urn.userinfo() && !urn.query() && !urn.fragment());
    CHECK(simd_iri::find("//h", simd_iri::rule::iri_reference)->host() == "h" && !simd_iri::find("//h"));
    CHECK(simd_iri::is_valid("a:b") && !simd_iri::is_valid("a:|") && !simd_iri::is_valid({}));
    // Shorter than the text, as long, and longer.
    CHECK(simd_iri::to_iri("a:%C3%A9") == "a:é" && simd_iri::to_uri("a:b") == "a:b");
    CHECK(simd_iri::to_uri("a:éé") == "a:%C3%A9%C3%A9");
    CHECK(simd_iri::normalize("HTTP://A:80", simd_iri::level::scheme) == "http://a/");
    CHECK(simd_iri::resolve("http://a/b/c", "../é") == "http://a/é");
    CHECK(simd_iri::is_equivalent("http://a/%7e", "http://A/~") && !simd_iri::is_equivalent("a", "b"));
    CHECK(simd_iri::relativize("http://a/b/c", "http://a/b/d") == "d");
    CHECK(simd_iri::origin("HTTP://A/b") == "http://a" && !simd_iri::origin("urn:a"));
    CHECK(simd_iri::query_value("?q=%41", "q") == "A" && !simd_iri::query_value("?q", "p"));
    CHECK(simd_iri::set_component("a?b", simd_iri::component::path, "c d") == "c%20d?b");
    CHECK(simd_iri::set_component("a?b", simd_iri::component::query, "") == "a?");
    CHECK(simd_iri::set_component("a?b", simd_iri::component::query, std::string_view()) == "a?");
    CHECK(simd_iri::set_component("a?b", simd_iri::component::query, std::nullopt) == "a");
    std::size_t left = 9;
    CHECK(simd_iri::field_to_uri("Refresh", "5; url=/é", 0, &left) == "5; url=/%C3%A9" && left == 0);
    CHECK(simd_iri::field_to_uri("Link", "</a b>, </éé>", 0, &left) == "</a b>, </%C3%A9%C3%A9>" && left == 1);
    CHECK(!simd_iri::field_to_uri("Age", "5"));
    CHECK(simd_iri::redact("//me:pw@h/?sig=x") == "//REDACTED:REDACTED@h/?sig=REDACTED");
    CHECK(simd_iri::redact("See /cb?code=x.", "oauth", simd_iri::part::text) == "See /cb?code=REDACTED.");
    CHECK(simd_iri::archive_key("https://www.a.example/B/?c&b") == "example,a)/b?b&c");
    CHECK(simd_iri::archive_key("http://a.example/", simd_iri::archive::ssurt) == "example,a,//http:/");
    const auto judged = simd_iri::judge("https://Example.com:443/a/../b#c");
    CHECK(judged.decision == simd_iri::decision::resolve && judged.reasons == 0 && judged.url == "https://example.com/b");
    const auto refused = simd_iri::judge("http://127.1/");
    CHECK(refused.decision == simd_iri::decision::refuse && !refused.url);
    CHECK(refused.reasons == (1u << SIMD_IRI_REASON_READINGS_DIFFER | 1u << SIMD_IRI_REASON_ADDRESS));
    CHECK(simd_iri::judge_address("10.0.0.1") == "10.0.0.0/8" && !simd_iri::judge_address("93.184.216.34"));
    const simd_iri::query_rules rules("$removeparam=a\n||b^", simd_iri::rule_format::adguard, SIMD_IRI_FLAG_KEEP_MARK);
    CHECK(rules.apply("/?a&é") == "/?é" && rules.apply("/?a") == "/?" && rules.skipped().size() == 1);
    CHECK(std::string_view(rules.skipped()[0].what()).find("line 2, column 1: ") == 0);
    const simd_iri::query_rules wrappers("[[wrapper]]\nhost = 'a'\nparameter = 'b'");
    CHECK(simd_iri::unwrap("https://l.instagram.com/?u=http://a/?b=http://c") == "http://a/?b=http://c");
    CHECK(simd_iri::unwrap("https://l.instagram.com/?u=http://a/?b=http://c", 2, &wrappers) == "http://c");
    // Rules that were moved away are no rules, and not the rules of nobody.
    simd_iri::query_rules moved("[[wrapper]]\nhost = 'a'\nparameter = 'b'");
    const simd_iri::query_rules owner = std::move(moved);
    CHECK(simd_iri::unwrap("http://a/?b=http://c", 1, &owner) == "http://c" && !moved.get());
    int thrown = 0;
    try { moved.apply("/"); } catch (const simd_iri::error &) { thrown++; }
    try { moved.skipped(); } catch (const simd_iri::error &) { thrown++; }
    try {
        simd_iri::unwrap("http://a/?b=http://c", 1, &moved);
    } catch (const simd_iri::error &error) {
        CHECK(error.value().kind == SIMD_IRI_ERROR_ARGUMENT);
        thrown++;
    }
    CHECK(thrown == 3);
    try {
        simd_iri::query_rules("[[drop]]\nnmes = []");
        CHECK(false);
    } catch (const simd_iri::error &error) {
        CHECK(error.value().kind == SIMD_IRI_ERROR_RULES && error.value().start == 2 && error.value().end == 1);
    }
    CHECK(simd_iri::template_expand("/{a}{/b*}{?c,d*}", {{"a", "é"}, {"b", "1"}, {"b", "2"}, {"c", ""}, {"d", "v", "k"}})
          == "/%C3%A9/1/2?c=&k=v");
    const auto found = simd_iri::template_match("/{a}{/b*}", "/caf%C3%A9/1/2");
    CHECK(found && found->size() == 3 && (*found)[0].name == "a" && (*found)[0].value == "café" && !(*found)[0].is_item);
    CHECK((*found)[2].name == "b" && (*found)[2].value == "2" && (*found)[2].is_item);
    CHECK(!simd_iri::template_match("/{a}", "/1/2"));
    CHECK(simd_iri::template_match("{a*}", "1,2,3,4,5,6,7,8,9,10")->size() == 10);
    try {
        simd_iri::template_match("/{a", "/1");
        CHECK(false);
    } catch (const simd_iri::error &error) {
        CHECK(error.value().kind == SIMD_IRI_ERROR_TEMPLATE && error.value().start == 1);
        CHECK(std::string_view(error.what()).find("the expression at byte 1 has no end") == 0);
    }
    try {
        simd_iri::parse("http://a/b|c");
        CHECK(false);
    } catch (const simd_iri::error &error) {
        CHECK(error.value().start == 10 && std::string_view(error.what()).find("'|' at byte 10") == 0);
    }
    std::cout << "the wrapper for C++ is right\n";
}

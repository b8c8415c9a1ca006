/*
 * simd_iri.hpp - the functions of simd_iri.h for C++17, with std::string_view.
 *
 *     simd_iri::reference iri = simd_iri::parse("http://例え.jp/a?b");
 *     std::optional<std::string_view> host = iri.host();
 *     std::string uri = simd_iri::to_uri(iri.text());
 *
 * A function that fails throws simd_iri::error. `find` and `is_valid` do not throw.
 */
#ifndef SIMD_IRI_HPP
#define SIMD_IRI_HPP

#if __cplusplus < 201703L && !(defined(_MSVC_LANG) && _MSVC_LANG >= 201703L)
#error "simd_iri.hpp needs C++17 or newer: compile with -std=c++17"
#endif

#if !defined(__cpp_exceptions) && !defined(__EXCEPTIONS) && !defined(_CPPUNWIND)
#error "simd_iri.hpp throws exceptions: compile without -fno-exceptions, or include simd_iri.h"
#endif

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "simd_iri.h"

namespace simd_iri {

enum class rule : std::uint32_t {
    iri = SIMD_IRI_RULE_IRI,
    iri_reference = SIMD_IRI_RULE_IRI_REFERENCE,
    absolute_iri = SIMD_IRI_RULE_ABSOLUTE_IRI,
    irelative_ref = SIMD_IRI_RULE_IRELATIVE_REF,
    uri = SIMD_IRI_RULE_URI,
    uri_reference = SIMD_IRI_RULE_URI_REFERENCE,
    absolute_uri = SIMD_IRI_RULE_ABSOLUTE_URI,
    relative_ref = SIMD_IRI_RULE_RELATIVE_REF,
};

enum class level : std::uint32_t {
    simple = SIMD_IRI_LEVEL_SIMPLE,
    syntax = SIMD_IRI_LEVEL_SYNTAX,
    scheme = SIMD_IRI_LEVEL_SCHEME,
    scheme_idna = SIMD_IRI_LEVEL_SCHEME_IDNA,
};

/* Why a text is refused. what() is the message. */
class error : public std::runtime_error {
public:
    explicit error(const simd_iri_error &value) : std::runtime_error(message(value)), value_(value) {}
    const simd_iri_error &value() const noexcept { return value_; }

private:
    static std::string message(const simd_iri_error &value) {
        std::string text(simd_iri_error_message(&value, nullptr, 0), '\0');
        simd_iri_error_message(&value, text.data(), text.size() + 1);
        return text;
    }

    simd_iri_error value_;
};

/* A text of the caller, and where its components are. It is valid as long as the text is. */
class reference {
public:
    reference(std::string_view text, const simd_iri_parts &parts) : text_(text), parts_(parts) {}

    std::string_view text() const noexcept { return text_; }
    const simd_iri_parts &parts() const noexcept { return parts_; }

    /* Absent components are std::nullopt; empty ones are empty. */
    std::optional<std::string_view> scheme() const { return part(parts_.scheme_end > 0, 0, parts_.scheme_end); }
    std::optional<std::string_view> authority() const { return part(has_authority(), parts_.authority, parts_.path); }
    std::optional<std::string_view> userinfo() const {
        return part(parts_.authority < parts_.host, parts_.authority, parts_.host - 1);
    }
    std::optional<std::string_view> host() const { return part(has_authority(), parts_.host, parts_.host_end); }
    std::optional<std::string_view> port() const {
        return part(parts_.host_end < parts_.path, parts_.host_end + 1, parts_.path);
    }
    std::string_view path() const { return text_.substr(parts_.path, parts_.path_end - parts_.path); }
    std::optional<std::string_view> query() const {
        return part(parts_.path_end < parts_.query_end, parts_.path_end + 1, parts_.query_end);
    }
    std::optional<std::string_view> fragment() const {
        return part(parts_.query_end < parts_.end, parts_.query_end + 1, parts_.end);
    }

private:
    bool has_authority() const noexcept {
        return parts_.authority > (parts_.scheme_end > 0 ? parts_.scheme_end + 1 : 0);
    }
    std::optional<std::string_view> part(bool is_there, std::uint32_t start, std::uint32_t end) const {
        if (!is_there) return std::nullopt;
        return text_.substr(start, end - start);
    }

    std::string_view text_;
    simd_iri_parts parts_;
};

namespace detail {

/* Calls a function that makes a text: with the room that most results need, and again if one needs more. */
template <typename Call> std::string make(std::size_t guess, Call call) {
    simd_iri_error why{};
    std::string out(guess, '\0');
    for (;;) {
        /* data() has room for size() characters and a NUL. */
        const std::ptrdiff_t length = call(out.data(), out.size() + 1, &why);
        if (length < 0) throw error(why);
        const bool is_whole = static_cast<std::size_t>(length) <= out.size();
        out.resize(static_cast<std::size_t>(length));
        if (is_whole) return out;
    }
}

/* `make` for a function that may find nothing. */
template <typename Call> std::optional<std::string> find(std::size_t guess, Call call) {
    bool is_there = true;
    std::string out = make(guess, [&](char *buffer, std::size_t capacity, simd_iri_error *why) {
        const std::ptrdiff_t length = call(buffer, capacity, why);
        is_there = length != SIMD_IRI_NONE;
        return is_there ? length : 0;
    });
    if (!is_there) return std::nullopt;
    return out;
}

/* For an argument Text && that owns its text, as a string and a class that extends one do, and that ends with the call. What
 * only refers to a text, as a string_view does, has nothing to do at its end. */
template <typename Text>
using if_temporary = std::enable_if_t<!std::is_reference<Text>::value && !std::is_trivially_destructible<Text>::value>;

} // namespace detail

inline bool is_valid(std::string_view text, rule by = rule::iri) {
    return simd_iri_is_valid(static_cast<std::uint32_t>(by), text.data(), text.size());
}

/* The reference, or std::nullopt if the text does not match the rule. */
inline std::optional<reference> find(std::string_view text, rule by = rule::iri) {
    simd_iri_parts parts;
    if (!simd_iri_parse(static_cast<std::uint32_t>(by), text.data(), text.size(), &parts, nullptr)) return std::nullopt;
    return reference(text, parts);
}

inline reference parse(std::string_view text, rule by = rule::iri) {
    simd_iri_parts parts;
    simd_iri_error why{};
    if (!simd_iri_parse(static_cast<std::uint32_t>(by), text.data(), text.size(), &parts, &why)) throw error(why);
    return reference(text, parts);
}

/* A reference refers to its text, and that of a temporary string is gone: give the string a name first. */
template <typename Text, typename = detail::if_temporary<Text>>
std::optional<reference> find(Text &&, rule = rule::iri) = delete;
template <typename Text, typename = detail::if_temporary<Text>> reference parse(Text &&, rule = rule::iri) = delete;

inline std::string to_uri(std::string_view text, std::uint32_t flags = 0) {
    return detail::make(text.size(), [&](char *buffer, std::size_t capacity, simd_iri_error *why) {
        return simd_iri_to_uri(flags, text.data(), text.size(), buffer, capacity, why);
    });
}

inline std::string to_iri(std::string_view text, std::uint32_t flags = 0) {
    return detail::make(text.size(), [&](char *buffer, std::size_t capacity, simd_iri_error *why) {
        return simd_iri_to_iri(flags, text.data(), text.size(), buffer, capacity, why);
    });
}

inline std::string normalize(std::string_view text, level to = level::scheme, rule by = rule::iri_reference) {
    return detail::make(text.size(), [&](char *buffer, std::size_t capacity, simd_iri_error *why) {
        return simd_iri_normalize(static_cast<std::uint32_t>(by), static_cast<std::uint32_t>(to), text.data(),
                                  text.size(), buffer, capacity, why);
    });
}

inline std::string resolve(std::string_view base, std::string_view text, std::uint32_t flags = 0) {
    return detail::make(base.size() + text.size(), [&](char *buffer, std::size_t capacity, simd_iri_error *why) {
        return simd_iri_resolve(flags, base.data(), base.size(), text.data(), text.size(), buffer, capacity, why);
    });
}

/* The shortest reference that resolves to the text. Throws if the base or the text is not an IRI. */
inline std::string relativize(std::string_view base, std::string_view text) {
    return detail::make(text.size(), [&](char *buffer, std::size_t capacity, simd_iri_error *why) {
        return simd_iri_relativize(base.data(), base.size(), text.data(), text.size(), buffer, capacity, why);
    });
}

/* The origin, or std::nullopt for an opaque origin. */
inline std::optional<std::string> origin(std::string_view text) {
    return detail::find(text.size(), [&](char *buffer, std::size_t capacity, simd_iri_error *why) {
        return simd_iri_origin(text.data(), text.size(), buffer, capacity, why);
    });
}

/* The decoded value of the first pair of the query with this name, or std::nullopt. */
inline std::optional<std::string> query_value(std::string_view text, std::string_view name) {
    return detail::find(text.size(), [&](char *buffer, std::size_t capacity, simd_iri_error *why) {
        return simd_iri_query_value(name.data(), name.size(), text.data(), text.size(), buffer, capacity, why);
    });
}

enum class component : std::uint32_t {
    scheme = SIMD_IRI_COMPONENT_SCHEME,
    authority = SIMD_IRI_COMPONENT_AUTHORITY,
    userinfo = SIMD_IRI_COMPONENT_USERINFO,
    host = SIMD_IRI_COMPONENT_HOST,
    port = SIMD_IRI_COMPONENT_PORT,
    path = SIMD_IRI_COMPONENT_PATH,
    query = SIMD_IRI_COMPONENT_QUERY,
    fragment = SIMD_IRI_COMPONENT_FRAGMENT,
};

/* The reference with another component, or without it for std::nullopt. What the component cannot hold, and every percent
 * sign, is percent-encoded. */
inline std::string set_component(std::string_view text, component which, std::optional<std::string_view> value) {
    const std::size_t size = value ? value->size() : 0;
    /* Not null, also for the empty text: a null pointer removes the component. */
    const char *start = !value ? nullptr : size > 0 ? value->data() : "";
    return detail::make(text.size() + size, [&](char *buffer, std::size_t capacity, simd_iri_error *why) {
        return simd_iri_set_component(static_cast<std::uint32_t>(which), start, size, text.data(), text.size(), buffer,
                                      capacity, why);
    });
}

/* The value of a field of HTTP with URIs in place of its references, or std::nullopt if fields with this name have none.
 * *left becomes the number of references that stay as they are. */
inline std::optional<std::string> field_to_uri(std::string_view name, std::string_view value, std::uint32_t flags = 0,
                                               std::size_t *left = nullptr) {
    return detail::find(value.size(), [&](char *buffer, std::size_t capacity, simd_iri_error *why) {
        return simd_iri_field_to_uri(flags, name.data(), name.size(), value.data(), value.size(), buffer, capacity,
                                     left, why);
    });
}

enum class rule_format : std::uint32_t {
    toml = SIMD_IRI_RULES_TOML,
    clearurls = SIMD_IRI_RULES_CLEARURLS,
    adguard = SIMD_IRI_RULES_ADGUARD,
};

/* Rules that remove pairs of queries. Throws for a text that does not follow its format. A use of rules that were moved away
 * throws, too. */
class query_rules {
public:
    explicit query_rules(std::string_view text, rule_format format = rule_format::toml, std::uint32_t flags = 0)
        : rules_(read(text, format, flags)) {}

    /* The reference without the pairs of the query that the rules name. */
    std::string apply(std::string_view text) const {
        return detail::make(text.size(), [&](char *buffer, std::size_t capacity, simd_iri_error *why) {
            return simd_iri_query_rules_apply(get(), text.data(), text.size(), buffer, capacity, why);
        });
    }

    /* Why lines of a filter list are not applied. */
    std::vector<error> skipped() const {
        simd_iri_error why{};
        const std::ptrdiff_t count = simd_iri_query_rules_skipped(get(), nullptr, 0, &why);
        if (count < 0) throw error(why);
        std::vector<simd_iri_error> found(static_cast<std::size_t>(count));
        simd_iri_query_rules_skipped(get(), found.data(), found.size(), nullptr);
        return std::vector<error>(found.begin(), found.end());
    }

    /* A null pointer after a move. */
    const simd_iri_query_rules *get() const noexcept { return rules_.get(); }

private:
    struct ended {
        void operator()(simd_iri_query_rules *rules) const noexcept { simd_iri_query_rules_free(rules); }
    };
    using owner = std::unique_ptr<simd_iri_query_rules, ended>;

    static owner read(std::string_view text, rule_format format, std::uint32_t flags) {
        simd_iri_error why{};
        owner rules(simd_iri_query_rules_new(static_cast<std::uint32_t>(format), flags, text.data(), text.size(), &why));
        if (!rules) throw error(why);
        return rules;
    }

    owner rules_;
};

/* The link without the wrappers that mail filters and sites, and the rules, have put around it. */
inline std::string unwrap(std::string_view text, std::uint32_t levels = 1, const query_rules *rules = nullptr) {
    if (rules && !rules->get()) {
        /* simd_iri_unwrap reads a null pointer as no rules. */
        simd_iri_error moved{};
        moved.kind = SIMD_IRI_ERROR_ARGUMENT;
        moved.hint = 2;
        throw error(moved);
    }
    return detail::make(text.size(), [&](char *buffer, std::size_t capacity, simd_iri_error *why) {
        return simd_iri_unwrap(levels, rules ? rules->get() : nullptr, text.data(), text.size(), buffer, capacity, why);
    });
}

enum class part : std::uint32_t {
    reference = SIMD_IRI_PART_REFERENCE,
    target = SIMD_IRI_PART_TARGET,
    query = SIMD_IRI_PART_QUERY,
    text = SIMD_IRI_PART_TEXT,
};

/* Any text without its secrets, for a log. sets has names of sets of keys, separated by commas; the empty text is
 * otel,oauth,common. */
inline std::string redact(std::string_view text, std::string_view sets = {}, part of = part::reference,
                          std::uint32_t flags = 0) {
    return detail::make(text.size() + 32, [&](char *buffer, std::size_t capacity, simd_iri_error *why) {
        return simd_iri_redact(static_cast<std::uint32_t>(of), flags, sets.data(), sets.size(), text.data(),
                               text.size(), buffer, capacity, why);
    });
}

enum class archive : std::uint32_t {
    wayback = SIMD_IRI_ARCHIVE_WAYBACK,
    pywb = SIMD_IRI_ARCHIVE_PYWB,
    heritrix = SIMD_IRI_ARCHIVE_HERITRIX,
    urlcanon = SIMD_IRI_ARCHIVE_URLCANON,
    ssurt = SIMD_IRI_ARCHIVE_SSURT,
};

/* The key by which web archives find an address. */
inline std::string archive_key(std::string_view text, archive tool = archive::pywb) {
    return detail::make(text.size(), [&](char *buffer, std::size_t capacity, simd_iri_error *why) {
        return simd_iri_archive_key(static_cast<std::uint32_t>(tool), text.data(), text.size(), buffer, capacity, why);
    });
}

enum class decision : std::uint32_t {
    refuse = SIMD_IRI_DECISION_REFUSE,
    allow = SIMD_IRI_DECISION_ALLOW,
    resolve = SIMD_IRI_DECISION_RESOLVE,
};

/* What the policy for pages of the public web says about a URL. */
struct verdict {
    simd_iri::decision decision;
    /* The bit 1 << SIMD_IRI_REASON_... of each reason. */
    std::uint64_t reasons;
    /* The URL to send in place of the text, or std::nullopt if the text is refused. */
    std::optional<std::string> url;
};

/* Judges a URL before it is fetched. */
inline verdict judge(std::string_view text, std::uint32_t flags = 0) {
    simd_iri_verdict judged{};
    std::optional<std::string> url =
        detail::find(text.size() + 32, [&](char *buffer, std::size_t capacity, simd_iri_error *why) {
            return simd_iri_judge(flags, text.data(), text.size(), buffer, capacity, &judged, why);
        });
    return {static_cast<decision>(judged.decision), judged.reasons, std::move(url)};
}

/* The range because of which an address is refused, or std::nullopt if it is not refused. Throws for another text. */
inline std::optional<std::string> judge_address(std::string_view address) {
    return detail::find(64, [&](char *buffer, std::size_t capacity, simd_iri_error *why) {
        return simd_iri_judge_address(address.data(), address.size(), buffer, capacity, why);
    });
}

/* A value for a template. A name that comes again makes a list, or with keys a map. */
struct variable {
    std::string_view name;
    std::string_view value;
    std::optional<std::string_view> key = std::nullopt;
};

/* The template (RFC 6570) with values in the place of its expressions. */
inline std::string template_expand(std::string_view text, const std::vector<variable> &variables,
                                   std::uint32_t flags = 0) {
    /* Not null, also for the empty text: a null pointer is no text. */
    const auto given = [](std::string_view of) { return simd_iri_text{of.empty() ? "" : of.data(), of.size()}; };
    std::vector<simd_iri_variable> all;
    for (const variable &one : variables) {
        const simd_iri_text none = {nullptr, 0};
        all.push_back({given(one.name), given(one.value), one.key ? given(*one.key) : none});
    }
    return detail::make(text.size(), [&](char *buffer, std::size_t capacity, simd_iri_error *why) {
        return simd_iri_template_expand(flags, text.data(), text.size(), all.data(), all.size(), buffer, capacity, why);
    });
}

/* A value that a template finds, decoded. is_item: it is an item of a list. */
struct capture {
    std::string name;
    std::string value;
    bool is_item;
};

/* The values that a template finds in a text, in the order of the template, or std::nullopt if it does not match. */
inline std::optional<std::vector<capture>> template_match(std::string_view by, std::string_view text,
                                                          std::uint32_t flags = 0) {
    simd_iri_error why{};
    std::vector<simd_iri_capture> found(8);
    std::ptrdiff_t count = 0;
    for (;;) {
        count = simd_iri_template_match(flags, by.data(), by.size(), text.data(), text.size(), found.data(),
                                        found.size(), &why);
        if (count == SIMD_IRI_NONE) return std::nullopt;
        if (count < 0) throw error(why);
        const bool is_whole = static_cast<std::size_t>(count) <= found.size();
        found.resize(static_cast<std::size_t>(count));
        if (is_whole) break;
    }
    std::vector<capture> values;
    for (const simd_iri_capture &one : found) {
        const std::string_view raw = text.substr(one.start, one.end - one.start);
        std::string value(raw);
        if (one.is_encoded) {
            value = detail::make(raw.size(), [&](char *buffer, std::size_t capacity, simd_iri_error *of) {
                return simd_iri_percent_decode(raw.data(), raw.size(), buffer, capacity, of);
            });
        }
        values.push_back({std::string(by.substr(one.name, one.name_end - one.name)), std::move(value), one.is_item != 0});
    }
    return values;
}

/* Whether two references have the same key. Throws if one of them is not a reference. */
inline bool is_equivalent(std::string_view first, std::string_view second, level by = level::scheme) {
    simd_iri_error why{};
    const std::int32_t order = simd_iri_compare(static_cast<std::uint32_t>(by), first.data(), first.size(),
                                                second.data(), second.size(), &why);
    if (order == SIMD_IRI_FIRST_REFUSED || order == SIMD_IRI_SECOND_REFUSED) throw error(why);
    return order == SIMD_IRI_EQUAL;
}

} // namespace simd_iri

#endif

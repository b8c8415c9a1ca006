/* Every function with null pointers, empty texts, buffers of every length that is too short, and addresses that are not
 * aligned. Each text and buffer is a block of its own, so that the address sanitizer sees a byte too far. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simd_iri.h>

static unsigned checks;

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        ++checks;                                                                                                      \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                            \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

/* A copy of a text in a block of just its length. */
static char *block(const char *text, size_t length) {
    char *copy = malloc(length ? length : 1);
    memcpy(copy, text, length);
    return copy;
}

/* The functions that make a text of one text, in one form. */
typedef ptrdiff_t maker(const char *, size_t, char *, size_t, simd_iri_error *);

static ptrdiff_t to_uri(const char *t, size_t n, char *b, size_t c, simd_iri_error *e) {
    return simd_iri_to_uri(SIMD_IRI_FLAG_IDNA, t, n, b, c, e);
}
static ptrdiff_t to_iri(const char *t, size_t n, char *b, size_t c, simd_iri_error *e) {
    return simd_iri_to_iri(SIMD_IRI_FLAG_IDNA, t, n, b, c, e);
}
static ptrdiff_t normalize(const char *t, size_t n, char *b, size_t c, simd_iri_error *e) {
    return simd_iri_normalize(SIMD_IRI_RULE_IRI_REFERENCE, SIMD_IRI_LEVEL_SCHEME, t, n, b, c, e);
}
static ptrdiff_t resolve(const char *t, size_t n, char *b, size_t c, simd_iri_error *e) {
    return simd_iri_resolve(0, "http://a/b/c", 12, t, n, b, c, e);
}
static ptrdiff_t prepare(const char *t, size_t n, char *b, size_t c, simd_iri_error *e) {
    return simd_iri_prepare(SIMD_IRI_PROFILE_RDF, SIMD_IRI_FLAG_BYTES | SIMD_IRI_FLAG_URI, t, n, b, c, e);
}
static ptrdiff_t key(const char *t, size_t n, char *b, size_t c, simd_iri_error *e) {
    return simd_iri_key(SIMD_IRI_LEVEL_SCHEME, t, n, b, c, e);
}
static ptrdiff_t transform(const char *t, size_t n, char *b, size_t c, simd_iri_error *e) {
    return simd_iri_target_transform(SIMD_IRI_FLAG_REPAIR | SIMD_IRI_FLAG_NORMALIZE, t, n, b, c, e);
}

static ptrdiff_t query_value(const char *t, size_t n, char *b, size_t c, simd_iri_error *e) {
    return simd_iri_query_value("q", 1, t, n, b, c, e);
}
static ptrdiff_t relativize(const char *t, size_t n, char *b, size_t c, simd_iri_error *e) {
    return simd_iri_relativize("http://a/b/c", 12, t, n, b, c, e);
}
static ptrdiff_t to_uri_in_charset(const char *t, size_t n, char *b, size_t c, simd_iri_error *e) {
    return simd_iri_to_uri_in_charset("windows-1252", 12, t, n, b, c, e);
}
static ptrdiff_t interpret(const char *t, size_t n, char *b, size_t c, simd_iri_error *e) {
    return simd_iri_interpret("windows-1252", 12, t, n, b, c, e);
}
static ptrdiff_t set_path(const char *t, size_t n, char *b, size_t c, simd_iri_error *e) {
    return simd_iri_set_component(SIMD_IRI_COMPONENT_PATH, "/50% \xC3\xA9", 7, t, n, b, c, e);
}
static ptrdiff_t drop(const char *t, size_t n, char *b, size_t c, simd_iri_error *e) {
    return simd_iri_drop_query_pairs("q", 1, t, n, b, c, e);
}
static ptrdiff_t encode(const char *t, size_t n, char *b, size_t c, simd_iri_error *e) {
    return simd_iri_percent_encode(SIMD_IRI_PLACE_SEGMENT, t, n, b, c, e);
}
static ptrdiff_t escape(const char *t, size_t n, char *b, size_t c, simd_iri_error *e) {
    return simd_iri_escape(SIMD_IRI_FORMAT_HTML, SIMD_IRI_FLAG_ASCII, t, n, b, c, e);
}
static ptrdiff_t unescape(const char *t, size_t n, char *b, size_t c, simd_iri_error *e) {
    return simd_iri_unescape(SIMD_IRI_FORMAT_JSON, t, n, b, c, e);
}
static ptrdiff_t redact(const char *t, size_t n, char *b, size_t c, simd_iri_error *e) {
    return simd_iri_redact(SIMD_IRI_PART_REFERENCE, 0, "oauth,common", 12, t, n, b, c, e);
}
static ptrdiff_t archive_key(const char *t, size_t n, char *b, size_t c, simd_iri_error *e) {
    return simd_iri_archive_key(SIMD_IRI_ARCHIVE_PYWB, t, n, b, c, e);
}
static ptrdiff_t judge(const char *t, size_t n, char *b, size_t c, simd_iri_error *e) {
    return simd_iri_judge(0, t, n, b, c, NULL, e);
}
static ptrdiff_t unwrap(const char *t, size_t n, char *b, size_t c, simd_iri_error *e) {
    return simd_iri_unwrap(2, NULL, t, n, b, c, e);
}
/* The text is a reference, and the rules are read and ended for it alone. */
static ptrdiff_t apply(const char *t, size_t n, char *b, size_t c, simd_iri_error *e) {
    simd_iri_query_rules *rules = simd_iri_query_rules_new(SIMD_IRI_RULES_ADGUARD, 0, "$removeparam=a", 14, e);
    ptrdiff_t length = simd_iri_query_rules_apply(rules, t, n, b, c, e);
    simd_iri_query_rules_free(rules);
    return length;
}
/* The text is the template. */
static ptrdiff_t expand(const char *t, size_t n, char *b, size_t c, simd_iri_error *e) {
    const simd_iri_variable variables[] = {
        {{"a", 1}, {"\xC3\xA9", 2}, {NULL, 0}}, {{"b", 1}, {"1", 1}, {NULL, 0}}, {{"b", 1}, {"", 0}, {NULL, 0}},
        {{"m", 1}, {"v", 1}, {"k", 1}},        {{"a", 1}, {NULL, 0}, {NULL, 0}},
    };
    return simd_iri_template_expand(0, t, n, variables, 5, b, c, e);
}
/* The text is the path of a reference that is built. */
static ptrdiff_t build(const char *t, size_t n, char *b, size_t c, simd_iri_error *e) {
    simd_iri_components components = {{"http", 4}, {NULL, 0}, {"a", 1}, {"", 0}, {NULL, 0}, {NULL, 0}, {"f", 1}};
    components.path.start = t;
    components.path.length = n;
    return simd_iri_build(SIMD_IRI_FLAG_URI, &components, b, c, e);
}

static const struct {
    maker *make;
    const char *text, *result;
} makers[] = {
    {to_uri, "http://b\xC3\xBC" "cher.example/\xC3\xA9", "http://xn--bcher-kva.example/%C3%A9"},
    {to_uri, "http://a/\xC3\xA9", "http://a/%C3%A9"},
    {to_iri, "http://xn--bcher-kva.example/%C3%A9", "http://b\xC3\xBC" "cher.example/\xC3\xA9"},
    {normalize, "HTTP://A:80", "http://a/"},
    {normalize, "http://a/%7E%c3%a9", "http://a/~\xC3\xA9"},
    {resolve, "../\xC3\xA9?d", "http://a/\xC3\xA9?d"},
    {prepare, "http://a/b c\xE9|%", "http://a/b%20c%E9%7C%25"},
    {key, "HTTP://A/\xC3\xA9/../%62", "http://a/b"},
    {simd_iri_host_to_unicode, "xn--bcher-kva.example", "b\xC3\xBC" "cher.example"},
    {transform, "//a/./b%2f%7e|\xE9?x={y}", "//a/b%2F~%7C%E9?x=%7By%7D"},
    {simd_iri_target_names, "/caf\xE9", NULL},
    {simd_iri_host_to_ascii, "b\xC3\xBC" "cher.example", "xn--bcher-kva.example"},
    {simd_iri_origin, "HTTPS://u@A:443/b", "https://a"},
    {simd_iri_masked, "ftp://u:secret@a/", "ftp://u:***@a/"},
    {simd_iri_percent_decode, "%41%C3%A9", "A\xC3\xA9"},
    {simd_iri_from_posix_path, "/a b\xE9", "file:///a%20b%E9"},
    {simd_iri_from_windows_path, "C:\\a b", "file:///C:/a%20b"},
    {simd_iri_to_posix_path, "file:///a%20b%E9", "/a b\xE9"},
    {simd_iri_to_windows_path, "file:///C:/a%20b", "C:\\a b"},
    {query_value, "http://a/?p&q=%C3%A9", "\xC3\xA9"},
    {relativize, "http://a/b/d", "d"},
    {to_uri_in_charset, "http://a/\xC3\xA9?\xC3\xA9", "http://a/%C3%A9?%E9"},
    {interpret, "/caf%E9", "/caf\xC3\xA9"},
    {set_path, "http://a/b?c", "http://a/50%25%20\xC3\xA9?c"},
    {drop, "http://a/?q=1&r#f", "http://a/?r#f"},
    {encode, "50% \xC3\xA9/b", "50%25%20%C3%A9%2Fb"},
    {escape, "http://a/\xC3\xA9?b&c", "http://a/&#xE9;?b&amp;c"},
    {unescape, "a:\\/\\u00e9", "a:/\xC3\xA9"},
    {build, "/\xC3\xA9 b", "http://a:/%C3%A9%20b#f"},
    {redact, "//u:p@h/\xFF?a=1&code=x#sid=y", "//REDACTED:REDACTED@h/\xFF?a=1&code=REDACTED#sid=REDACTED"},
    {archive_key, "http://www.a.example/\xE9?c&b", "example,a)/%e9?b&c"},
    {judge, "HTTP://B\xC3\xBC" "cher.example:080/a/./b#c", "http://xn--bcher-kva.example/a/b"},
    {simd_iri_judge_address, "::ffff:10.0.0.1", "::ffff:0:0/96 of 10.0.0.0/8"},
    {unwrap, "https://www.google.com/url?q=https://l.instagram.com/?u=http://a/b", "http://a/b"},
    {apply, "http://\xC3\xA9/?a=1&b=%61#c", "http://\xC3\xA9/?b=%61#c"},
    {expand, "/{a}{/b*}{?m*,x}", "/%C3%A9/1/?k=v"},
};

static void making(void) {
    for (size_t i = 0; i < sizeof makers / sizeof *makers; ++i) {
        maker *make = makers[i].make;
        size_t length = strlen(makers[i].text);
        char *text = block(makers[i].text, length);
        simd_iri_error error = {0};
        ptrdiff_t needed = make(text, length, NULL, 0, &error);
        CHECK(needed > 0 && error.kind == 0);
        if (makers[i].result) CHECK((size_t)needed == strlen(makers[i].result));
        for (size_t capacity = 0; capacity <= (size_t)needed + 2; ++capacity) {
            char *buffer = malloc(capacity ? capacity : 1);
            CHECK(make(text, length, buffer, capacity, NULL) == needed);
            if (capacity > (size_t)needed) {
                CHECK(strlen(buffer) == (size_t)needed);
                if (makers[i].result) CHECK(strcmp(buffer, makers[i].result) == 0);
            } else if (capacity > 0) {
                CHECK(buffer[0] == 0);
            }
            free(buffer);
        }
        /* From an address that is not aligned, into one that is not. */
        char *odd = malloc(length + 1), *room = malloc((size_t)needed + 2);
        memcpy(odd + 1, text, length);
        CHECK(make(odd + 1, length, room + 1, (size_t)needed + 1, NULL) == needed);
        /* Null pointers. */
        CHECK(make(NULL, 1, room, 1, &error) == -1 && error.kind == SIMD_IRI_ERROR_ARGUMENT && error.hint > 0);
        CHECK(make(text, length, NULL, 1, &error) == -1 && error.kind == SIMD_IRI_ERROR_ARGUMENT);
        CHECK(make(text, SIZE_MAX, room, 1, NULL) == -1);
        CHECK(make(text, length, room, SIZE_MAX, NULL) == -1);
        /* The empty text, which only some functions take, has the same answer behind a null pointer. */
        room[0] = '?';
        CHECK(make(NULL, 0, room, 2, NULL) == make(text, 0, NULL, 0, NULL) && room[0] != '?');
        /* What is refused leaves the empty string. */
        room[0] = '?';
        if (make(":", 1, room, 2, &error) == -1) CHECK(room[0] == 0 && error.kind > 0);
        free(odd);
        free(room);
        free(text);
    }
    simd_iri_error error;
    CHECK(simd_iri_to_uri(1u << 31, "a", 1, NULL, 0, &error) == -1 && error.hint == 1);
    CHECK(simd_iri_normalize(1, 9, "a", 1, NULL, 0, &error) == -1 && error.hint == 2);
    CHECK(simd_iri_resolve(0, "relative", 8, "a", 1, NULL, 0, &error) == -1);
    CHECK(error.kind == SIMD_IRI_ERROR_MISSING_SCHEME);
    CHECK(simd_iri_resolve(0, NULL, 1, "a", 1, NULL, 0, &error) == -1 && error.hint == 2);
}

/* What the functions say besides texts: numbers, absent values, and errors that are not about a reference. */
static void reading(void) {
    simd_iri_error error = {0}, all[3];
    CHECK(simd_iri_violations(SIMD_IRI_RULE_IRI, "http://a/b|c?d|e", 16, NULL, 0, &error) == 2 && error.kind == 0);
    memset(all, 0xAA, sizeof all);
    CHECK(simd_iri_violations(SIMD_IRI_RULE_IRI, "http://a/b|c?d|e", 16, all, 1, NULL) == 2);
    CHECK(all[0].start == 10 && all[1].start == 0xAAAAAAAA);
    CHECK(simd_iri_violations(SIMD_IRI_RULE_IRI, "http://a/b|c?d|e", 16, all, 3, NULL) == 2);
    CHECK(all[1].start == 14 && all[1].component == SIMD_IRI_COMPONENT_QUERY && all[2].start == 0xAAAAAAAA);
    char *odd = malloc(2 * sizeof error + 1);
    CHECK(simd_iri_violations(SIMD_IRI_RULE_IRI, "http://a/b|c?d|e", 16, (void *)(odd + 1), 2, NULL) == 2);
    free(odd);
    CHECK(simd_iri_violations(8, "a", 1, all, 3, &error) == -1 && error.hint == 1);
    CHECK(simd_iri_violations(0, NULL, 1, all, 3, &error) == -1 && error.hint == 2);
    CHECK(simd_iri_violations(0, "a", 1, NULL, 3, &error) == -1 && error.hint == 4);
    CHECK(simd_iri_violations(0, "a", 1, all, SIZE_MAX, &error) == -1 && error.hint == 4);

    CHECK(simd_iri_host_kind("//[::1]", 7, NULL) == SIMD_IRI_HOST_IPV6);
    CHECK(simd_iri_host_kind("//", 2, NULL) == SIMD_IRI_HOST_REG_NAME);
    CHECK(simd_iri_host_kind(NULL, 0, NULL) == SIMD_IRI_NONE);
    CHECK(simd_iri_host_kind("|", 1, &error) == -1 && error.kind == SIMD_IRI_ERROR_CHARACTER_NOT_ALLOWED);
    CHECK(simd_iri_port("https://a", 9, NULL) == 443 && simd_iri_port("https://a:1", 11, NULL) == 1);
    CHECK(simd_iri_port("a://a", 5, NULL) == SIMD_IRI_NONE && simd_iri_port(NULL, 1, &error) == -1 && error.hint == 1);
    CHECK(simd_iri_is_hostname(0, "a.b", 3) && !simd_iri_is_hostname(0, "\xC3\xA9", 2));
    CHECK(simd_iri_is_hostname(SIMD_IRI_FLAG_IDNA, "\xC3\xA9", 2) && !simd_iri_is_hostname(2, "a", 1));
    CHECK(!simd_iri_is_hostname(0, NULL, 1) && !simd_iri_is_hostname(1, "\xFF", 1));

    /* A text that is refused is masked too. */
    char shown[32];
    CHECK(simd_iri_masked("http://u:s3cret@h|", 18, shown, sizeof shown, NULL) == 15);
    CHECK(strcmp(shown, "http://u:***@h|") == 0);
    CHECK(simd_iri_masked("u:s3\xFF@h ", 8, shown, sizeof shown, NULL) == 8 && strcmp(shown, "u:***@h ") == 0);
    /* The error of a value has its place in the value. */
    CHECK(simd_iri_set_component(SIMD_IRI_COMPONENT_PORT, "8x", 2, "http://a/", 9, NULL, 0, &error) == -1);
    CHECK(error.kind == SIMD_IRI_ERROR_BAD_PORT && error.start == 1);

    /* No value is not an error, and leaves the empty string. */
    char room[8] = "?";
    memset(&error, 0, sizeof error);
    CHECK(simd_iri_origin("urn:a", 5, room, sizeof room, &error) == SIMD_IRI_NONE && error.kind == 0 && room[0] == 0);
    room[0] = '?';
    CHECK(simd_iri_query_value("q", 1, "a?p", 3, room, sizeof room, &error) == SIMD_IRI_NONE && room[0] == 0);
    CHECK(error.kind == 0 && simd_iri_query_value("\xFF", 1, "a?p", 3, room, sizeof room, &error) == -1);
    CHECK(error.kind == SIMD_IRI_ERROR_ARGUMENT && error.hint == 1);

    /* A null pointer as a value removes; the empty text does not. */
    CHECK(simd_iri_set_component(SIMD_IRI_COMPONENT_QUERY, NULL, 0, "a?b", 3, room, sizeof room, NULL) == 1);
    CHECK(simd_iri_set_component(SIMD_IRI_COMPONENT_QUERY, "", 0, "a?b", 3, room, sizeof room, NULL) == 2);
    CHECK(simd_iri_set_component(SIMD_IRI_COMPONENT_QUERY, NULL, 1, "a?b", 3, room, 8, &error) == -1 && error.hint == 2);
    CHECK(simd_iri_set_component(SIMD_IRI_COMPONENT_REFERENCE, "", 0, "a", 1, room, 8, &error) == -1 && error.hint == 1);
    CHECK(simd_iri_set_component(9, "", 0, "a", 1, room, 8, &error) == -1 && error.hint == 1);
    CHECK(simd_iri_build(0, NULL, room, sizeof room, &error) == -1 && error.hint == 2);
    simd_iri_components components;
    memset(&components, 0, sizeof components);
    CHECK(simd_iri_build(0, &components, room, sizeof room, NULL) == 0);
    CHECK(simd_iri_build(1, &components, room, sizeof room, &error) == -1 && error.hint == 1);
    components.port.start = "x";
    components.port.length = 1;
    CHECK(simd_iri_build(0, &components, room, sizeof room, &error) == -1 && error.kind == SIMD_IRI_ERROR_BAD_PORT);
    components.port.start = NULL;
    CHECK(simd_iri_build(0, &components, room, sizeof room, &error) == -1 && error.hint == 2);

    /* The errors that are not about a reference have a name and a message. */
    char message[128];
    CHECK(simd_iri_relativize("a:/b", 4, "a:/c/../d", 9, room, sizeof room, &error) == -1);
    CHECK(error.kind == SIMD_IRI_ERROR_DOT_SEGMENT && error.start == 5);
    CHECK(simd_iri_unescape(SIMD_IRI_FORMAT_JSON, "ab\\x", 4, room, sizeof room, &error) == -1);
    CHECK(error.kind == SIMD_IRI_ERROR_ESCAPE && error.start == 2);
    CHECK(simd_iri_error_message(&error, message, sizeof message) > 0 && strstr(message, "at byte 2 "));
    CHECK(simd_iri_error_name(&error, message, sizeof message) > 0 && strcmp(message, "escape") == 0);
    CHECK(simd_iri_to_posix_path("http://a/", 9, room, sizeof room, &error) == -1);
    CHECK(error.kind == SIMD_IRI_ERROR_FILE_NAME);
    CHECK(simd_iri_error_message(&error, message, sizeof message) > 0 && strstr(message, "the scheme is not"));
    CHECK(simd_iri_percent_decode("a%4", 3, room, sizeof room, &error) == -1 && error.start == 1);
    CHECK(error.kind == SIMD_IRI_ERROR_BAD_PERCENT_ENCODING);
    CHECK(simd_iri_error_message(&error, message, sizeof message) > 0 && strstr(message, "'%' at byte 1"));
    CHECK(simd_iri_percent_decode("%00b", 4, room, sizeof room, NULL) == 2 && room[0] == 0 && room[1] == 'b');
    CHECK(simd_iri_to_uri_in_charset("x", 1, "a", 1, room, sizeof room, &error) == -1 && error.hint == 1);
    CHECK(simd_iri_escape(6, 0, "a", 1, room, sizeof room, &error) == -1 && error.hint == 1);
    CHECK(simd_iri_escape(0, 1, "a", 1, room, sizeof room, &error) == -1 && error.hint == 2);
    CHECK(simd_iri_percent_encode(9, "a", 1, room, sizeof room, &error) == -1 && error.hint == 1);
}

/* Verdicts, sets of keys and templates. */
static void serving(void) {
    simd_iri_error error = {0};
    char room[64], message[160];
    simd_iri_verdict verdict;
    memset(&verdict, 0xAA, sizeof verdict);
    CHECK(simd_iri_judge(0, "http://u@127.1:22/", 18, room, sizeof room, &verdict, &error) == SIMD_IRI_NONE);
    CHECK(verdict.decision == SIMD_IRI_DECISION_REFUSE && verdict.reserved == 0 && error.kind == 0 && room[0] == 0);
    CHECK(verdict.reasons == (1u << SIMD_IRI_REASON_USERINFO | 1u << SIMD_IRI_REASON_READINGS_DIFFER
                              | 1u << SIMD_IRI_REASON_ADDRESS | 1u << SIMD_IRI_REASON_PORT));
    CHECK(simd_iri_judge(0, "http://93.184.216.34/", 21, NULL, 0, &verdict, NULL) == 21);
    CHECK(verdict.decision == SIMD_IRI_DECISION_ALLOW && verdict.reasons == 0);
    CHECK(simd_iri_judge(SIMD_IRI_FLAG_NO_LITERALS, "http://93.184.216.34/", 21, NULL, 0, &verdict, NULL)
          == SIMD_IRI_NONE);
    CHECK(verdict.reasons == 1u << SIMD_IRI_REASON_LITERAL);
    CHECK(simd_iri_judge(SIMD_IRI_FLAG_STRIP_USERINFO, "http://u@a.example/", 19, room, sizeof room, &verdict, NULL) == 17);
    CHECK(verdict.decision == SIMD_IRI_DECISION_RESOLVE && strcmp(room, "http://a.example/") == 0);
    CHECK(simd_iri_judge(0, "http://a\xFF/", 10, NULL, 0, &verdict, NULL) == SIMD_IRI_NONE);
    CHECK(verdict.reasons == 1u << SIMD_IRI_REASON_NOT_UTF8);
    /* After an error, the verdict refuses. At an address that is not aligned, too. */
    memset(&verdict, 0xAA, sizeof verdict);
    CHECK(simd_iri_judge(1, "http://a.example/", 17, NULL, 0, &verdict, &error) == -1 && error.hint == 1);
    CHECK(verdict.decision == SIMD_IRI_DECISION_REFUSE && verdict.reasons == 0);
    char *odd = malloc(3 * sizeof(simd_iri_capture) + 1);
    CHECK(simd_iri_judge(0, "http://a.example/", 17, NULL, 0, (void *)(odd + 1), NULL) == 17);
    memcpy(&verdict, odd + 1, sizeof verdict);
    CHECK(verdict.decision == SIMD_IRI_DECISION_RESOLVE);
    room[0] = '?';
    CHECK(simd_iri_judge_address("93.184.216.34", 13, room, sizeof room, &error) == SIMD_IRI_NONE && room[0] == 0);
    CHECK(simd_iri_judge_address("127.1", 5, room, sizeof room, &error) == -1);
    CHECK(error.kind == SIMD_IRI_ERROR_ARGUMENT && error.hint == 1);
    CHECK(simd_iri_judge_address("\xFF", 1, room, sizeof room, NULL) == -1);

    /* Without sets, with none, and with a name that no set has. */
    CHECK(simd_iri_redact(SIMD_IRI_PART_QUERY, 0, NULL, 0, "sig=a&code=b", 12, room, sizeof room, NULL) == 26);
    CHECK(strcmp(room, "sig=REDACTED&code=REDACTED") == 0);
    CHECK(simd_iri_redact(SIMD_IRI_PART_QUERY, 0, "otel", 4, "sig=a&code=b", 12, room, sizeof room, NULL) == 19);
    CHECK(simd_iri_redact(SIMD_IRI_PART_QUERY, 0, "none", 4, "sig=a&code=b", 12, room, sizeof room, NULL) == 12);
    CHECK(simd_iri_redact(SIMD_IRI_PART_TEXT, 0, "oauth", 5, "a ?code=b, c", 12, room, sizeof room, NULL) == 19);
    CHECK(strcmp(room, "a ?code=REDACTED, c") == 0);
    CHECK(simd_iri_redact(0, 0, "otel,", 5, "a", 1, room, sizeof room, &error) == -1 && error.hint == 3 && room[0] == 0);
    CHECK(simd_iri_redact(0, 0, "none,otel", 9, "a", 1, room, sizeof room, &error) == -1 && error.hint == 3);
    CHECK(simd_iri_redact(4, 0, NULL, 0, "a", 1, room, sizeof room, &error) == -1 && error.hint == 1);
    CHECK(simd_iri_redact(0, 0, NULL, 1, "a", 1, room, sizeof room, &error) == -1 && error.hint == 3);
    CHECK(simd_iri_redact(0, 1, NULL, 0, "a", 1, room, sizeof room, &error) == -1 && error.hint == 2);
    /* Both readings of a semicolon, a key in other letters, and a value with a reference. */
    CHECK(simd_iri_redact(0, SIMD_IRI_FLAG_SEMICOLONS, NULL, 0, "?sig=a;b&c=d;sig=e", 18, room, sizeof room, NULL) == 30);
    CHECK(strcmp(room, "?sig=REDACTED&c=d;sig=REDACTED") == 0);
    CHECK(simd_iri_redact(0, SIMD_IRI_FLAG_ANY_CASE, NULL, 0, "?SIG=a", 6, room, sizeof room, NULL) == 13);
    CHECK(simd_iri_redact(0, SIMD_IRI_FLAG_NESTED, NULL, 0, "?a=%3Fsig%3Db", 13, room, sizeof room, NULL) == 11);
    CHECK(simd_iri_archive_key(5, "a", 1, room, sizeof room, &error) == -1 && error.hint == 1);
    CHECK(simd_iri_archive_key(SIMD_IRI_ARCHIVE_WAYBACK, "data:,\xFF", 7, room, sizeof room, NULL) == 7);
    CHECK(memcmp(room, "data:,\xFF", 8) == 0);

    /* A match: the number alone, fewer places than values, and places that are not aligned. */
    char *template = block("/{a}{/b*}", 9), *text = block("/%41/1/2,3", 10);
    simd_iri_capture found[5];
    memset(found, 0xAA, sizeof found);
    CHECK(simd_iri_template_match(0, template, 9, text, 8, NULL, 0, &error) == 3);
    CHECK(simd_iri_template_match(0, template, 9, text, 8, found, 1, NULL) == 3 && found[1].name == 0xAAAAAAAA);
    CHECK(found[0].name == 2 && found[0].name_end == 3 && found[0].start == 1 && found[0].end == 4);
    CHECK(found[0].is_item == 0 && found[0].is_encoded == 1);
    CHECK(simd_iri_template_match(0, template, 9, text, 8, (void *)(odd + 1), 3, NULL) == 3);
    memcpy(found, odd + 1, 3 * sizeof *found);
    CHECK(found[2].name == 6 && found[2].start == 7 && found[2].end == 8 && found[2].is_item && !found[2].is_encoded);
    CHECK(simd_iri_template_match(0, template, 9, "", 0, found, 5, &error) == SIMD_IRI_NONE);
    CHECK(simd_iri_template_match(0, template, 9, "/\xFF", 2, found, 5, &error) == SIMD_IRI_NONE);
    CHECK(simd_iri_template_match(0, "{?a,b}", 6, "?b=1&x", 6, found, 5, NULL) == SIMD_IRI_NONE);
    CHECK(simd_iri_template_match(SIMD_IRI_FLAG_QUERY_AS_SET, "{?a,b}", 6, "?b=1&x", 6, found, 5, NULL) == 1);
    CHECK(simd_iri_template_match(SIMD_IRI_FLAG_QUERY_AS_SET | SIMD_IRI_FLAG_KNOWN_PAIRS, "{?a,b}", 6, "?b=1&x", 6, found,
                                  5, NULL)
          == SIMD_IRI_NONE);
    CHECK(simd_iri_template_match(SIMD_IRI_FLAG_QUERY_AS_SET | SIMD_IRI_FLAG_SINGLE_PAIRS, "{?b}", 4, "?b=1&b=2", 8, found,
                                  5, NULL)
          == SIMD_IRI_NONE);
    CHECK(simd_iri_template_match(1, template, 9, text, 10, found, 5, &error) == -1 && error.hint == 1);
    CHECK(simd_iri_template_match(0, NULL, 1, text, 10, found, 5, &error) == -1 && error.hint == 2);
    CHECK(simd_iri_template_match(0, template, 9, NULL, 1, found, 5, &error) == -1 && error.hint == 4);
    CHECK(simd_iri_template_match(0, template, 9, text, 10, NULL, 1, &error) == -1 && error.hint == 6);
    CHECK(simd_iri_template_match(0, template, 9, text, 10, found, SIZE_MAX, &error) == -1 && error.hint == 6);
    CHECK(simd_iri_template_match(0, NULL, 0, NULL, 0, NULL, 0, &error) == 0);
    free(template);
    free(text);
    free(odd);

    /* The errors of templates have a place, a name and a message. */
    CHECK(simd_iri_template_match(0, "\xC3\xA9/{a \xC3\xA9}", 9, "", 0, NULL, 0, &error) == -1);
    CHECK(error.kind == SIMD_IRI_ERROR_TEMPLATE && error.start == 5 && error.end == 6 && error.character == ' ');
    CHECK(simd_iri_error_name(&error, message, sizeof message) == 8 && strcmp(message, "template") == 0);
    CHECK(simd_iri_error_message(&error, message, sizeof message) > 0 && strstr(message, "at byte 5 is not allowed"));
    const simd_iri_variable list[] = {{{"a", 1}, {"x", 1}, {NULL, 0}}, {{"a", 1}, {"y", 1}, {NULL, 0}}};
    CHECK(simd_iri_template_expand(0, "/{a:1}", 6, list, 2, room, sizeof room, &error) == -1);
    CHECK(error.kind == SIMD_IRI_ERROR_PREFIX_OF_LIST && error.start == 2 && error.end == 3);
    CHECK(simd_iri_error_message(&error, message, sizeof message) > 0 && strstr(message, "at byte 2 has a prefix"));
    CHECK(simd_iri_template_expand(SIMD_IRI_FLAG_IRI, "{a}", 3, list, 2, room, sizeof room, NULL) == 3);
    CHECK(simd_iri_template_expand(1, "{a}", 3, list, 2, room, sizeof room, &error) == -1 && error.hint == 1);
    CHECK(simd_iri_template_expand(0, "{a}", 3, NULL, 1, room, sizeof room, &error) == -1 && error.hint == 4);
    CHECK(simd_iri_template_expand(0, "{a}", 3, list, SIZE_MAX, room, sizeof room, &error) == -1 && error.hint == 4);
    CHECK(simd_iri_template_expand(0, "{a}", 3, NULL, 0, room, sizeof room, NULL) == 0);
    /* A name with and without a key, a text that is not UTF-8, and a null pointer with a length. */
    simd_iri_variable mixed[] = {{{"a", 1}, {"x", 1}, {"k", 1}}, {{"a", 1}, {"y", 1}, {NULL, 0}}};
    CHECK(simd_iri_template_expand(0, "{a}", 3, mixed, 2, room, sizeof room, &error) == -1 && error.hint == 4);
    mixed[1].value.start = "\xFF";
    CHECK(simd_iri_template_expand(0, "{a}", 3, mixed, 2, room, sizeof room, &error) == -1 && error.hint == 4);
    mixed[1].value.start = NULL;
    CHECK(simd_iri_template_expand(0, "{a}", 3, mixed, 2, room, sizeof room, &error) == -1 && error.hint == 4);
}

/* Rules: their errors, the lines that are skipped, and null pointers. */
static void queries(void) {
    simd_iri_error error = {0}, skipped[2];
    char room[64], message[160];
    const char *list = "$removeparam=a\n||b^\n$removeparam=c,domain=d";
    char *text = block(list, strlen(list));
    simd_iri_query_rules *rules = simd_iri_query_rules_new(SIMD_IRI_RULES_ADGUARD, 0, text, strlen(list), &error);
    free(text);
    CHECK(rules && error.kind == 0);
    memset(skipped, 0xAA, sizeof skipped);
    CHECK(simd_iri_query_rules_skipped(rules, NULL, 0, &error) == 2);
    CHECK(simd_iri_query_rules_skipped(rules, skipped, 1, NULL) == 2 && skipped[1].kind == 0xAA);
    CHECK(simd_iri_query_rules_skipped(rules, skipped, 2, NULL) == 2);
    CHECK(skipped[0].kind == SIMD_IRI_ERROR_RULES && skipped[0].start == 2 && skipped[0].end == 1);
    CHECK(skipped[1].start == 3 && skipped[1].end == 16);
    CHECK(simd_iri_error_name(&skipped[1], message, sizeof message) == 8 && strcmp(message, "modifier") == 0);
    CHECK(simd_iri_query_rules_skipped(rules, NULL, 1, &error) == -1 && error.hint == 2);
    CHECK(simd_iri_query_rules_skipped(rules, skipped, SIZE_MAX, &error) == -1 && error.hint == 2);
    CHECK(simd_iri_query_rules_skipped(NULL, skipped, 2, &error) == -1 && error.hint == 1);
    CHECK(simd_iri_query_rules_apply(rules, "/?a&b", 5, room, sizeof room, NULL) == 3 && strcmp(room, "/?b") == 0);
    CHECK(simd_iri_query_rules_apply(rules, "/?a", 3, room, sizeof room, NULL) == 1 && strcmp(room, "/") == 0);
    CHECK(simd_iri_query_rules_apply(NULL, "/?a", 3, room, sizeof room, &error) == -1 && error.hint == 1);
    CHECK(simd_iri_query_rules_apply(rules, NULL, 1, room, sizeof room, &error) == -1 && error.hint == 2);
    CHECK(simd_iri_query_rules_apply(rules, "|", 1, room, sizeof room, &error) == -1 && error.kind == 1);
    simd_iri_query_rules_free(rules);
    simd_iri_query_rules_free(NULL);

    rules = simd_iri_query_rules_new(SIMD_IRI_RULES_ADGUARD, SIMD_IRI_FLAG_KEEP_MARK, "$removeparam=a", 14, NULL);
    CHECK(simd_iri_query_rules_apply(rules, "/?a", 3, room, sizeof room, NULL) == 2 && strcmp(room, "/?") == 0);
    simd_iri_query_rules_free(rules);
    const char *wrapper = "[[wrapper]]\nhost = 'a'\nparameter = 'b'";
    rules = simd_iri_query_rules_new(SIMD_IRI_RULES_TOML, 0, wrapper, strlen(wrapper), NULL);
    CHECK(simd_iri_unwrap(1, rules, "http://a/?b=http://c", 20, room, sizeof room, NULL) == 8 && strcmp(room, "http://c") == 0);
    CHECK(simd_iri_unwrap(0, rules, "http://a/?b=http://c", 20, room, sizeof room, NULL) == 20);
    CHECK(simd_iri_unwrap(UINT32_MAX, NULL, "http://a/?b=http://c", 20, room, sizeof room, NULL) == 20);
    CHECK(simd_iri_unwrap(1, NULL, "|", 1, room, sizeof room, &error) == -1 && error.kind == 1);
    CHECK(simd_iri_unwrap(1, NULL, NULL, 1, room, sizeof room, &error) == -1 && error.hint == 3);
    simd_iri_query_rules_free(rules);

    CHECK(!simd_iri_query_rules_new(SIMD_IRI_RULES_TOML, 0, "[[drop]]\nnmes = []", 18, &error));
    CHECK(error.kind == SIMD_IRI_ERROR_RULES && error.start == 2 && error.end == 1);
    CHECK(simd_iri_error_name(&error, message, sizeof message) == 11 && strcmp(message, "unknown-key") == 0);
    CHECK(simd_iri_error_message(&error, message, sizeof message) > 0 && strstr(message, "line 2, column 1: the name"));
    CHECK(!simd_iri_query_rules_new(3, 0, "", 0, &error) && error.hint == 1);
    CHECK(!simd_iri_query_rules_new(0, 1, "", 0, &error) && error.hint == 2);
    CHECK(!simd_iri_query_rules_new(0, 0, "\xFF", 1, &error) && error.hint == 3);
    CHECK(!simd_iri_query_rules_new(0, 0, NULL, 1, &error) && error.hint == 3);
    CHECK(!simd_iri_query_rules_new(SIMD_IRI_RULES_CLEARURLS, 0, "", 0, NULL));
    rules = simd_iri_query_rules_new(0, 0, NULL, 0, NULL);
    CHECK(rules);
    simd_iri_query_rules_free(rules);
}

static void fields(void) {
    const uint32_t flags = SIMD_IRI_FLAG_IDNA | SIMD_IRI_FLAG_REPAIR;
    const char *given = "<http://b\xC3\xBC" "cher.example/>; title=\"\xE9 <b>\", <http://[\xC3\xA9]/>, <a b\xE9>";
    const char *result = "<http://xn--bcher-kva.example/>; title=\"\xE9 <b>\", <http://[\xC3\xA9]/>, <a%20b%E9>";
    size_t length = strlen(given), left = 9;
    char *value = block(given, length), *name = block("lINK", 4);
    simd_iri_error error = {0};
    ptrdiff_t needed = simd_iri_field_to_uri(flags, name, 4, value, length, NULL, 0, &left, &error);
    CHECK(needed == (ptrdiff_t)strlen(result) && left == 1 && error.kind == 0);
    for (size_t capacity = 0; capacity <= (size_t)needed + 2; ++capacity) {
        char *buffer = malloc(capacity ? capacity : 1);
        CHECK(simd_iri_field_to_uri(flags, name, 4, value, length, buffer, capacity, NULL, NULL) == needed);
        if (capacity > (size_t)needed) CHECK(strcmp(buffer, result) == 0);
        else if (capacity > 0) CHECK(buffer[0] == 0);
        free(buffer);
    }
    /* Without REPAIR, what is no IRI reference stays. */
    CHECK(simd_iri_field_to_uri(0, name, 4, value, length, NULL, 0, &left, NULL) > 0 && left == 2);
    /* A value without references, and one in which none changes. */
    char room[16] = "?";
    CHECK(simd_iri_field_to_uri(0, "Refresh", 7, "5", 1, room, sizeof room, &left, NULL) == 1);
    CHECK(strcmp(room, "5") == 0 && left == 0);
    CHECK(simd_iri_field_to_uri(0, "Location", 8, NULL, 0, room, sizeof room, &left, NULL) == 0 && room[0] == 0);
    /* Names without references. */
    room[0] = '?';
    left = 9;
    CHECK(simd_iri_field_to_uri(0, "Age", 3, "5", 1, room, 2, &left, &error) == SIMD_IRI_NONE);
    CHECK(room[0] == 0 && left == 0 && error.kind == 0);
    CHECK(simd_iri_field_to_uri(0, NULL, 0, "5", 1, NULL, 0, NULL, NULL) == SIMD_IRI_NONE);
    CHECK(simd_iri_field_to_uri(0, "\xFF", 1, "5", 1, NULL, 0, NULL, NULL) == SIMD_IRI_NONE);
    /* Wrong arguments, which leave the number as it is. */
    left = 9;
    CHECK(simd_iri_field_to_uri(SIMD_IRI_FLAG_URI, name, 4, value, length, NULL, 0, &left, &error) == -1);
    CHECK(error.kind == SIMD_IRI_ERROR_ARGUMENT && error.hint == 1 && left == 9);
    CHECK(simd_iri_field_to_uri(0, NULL, 4, value, length, NULL, 0, NULL, &error) == -1 && error.hint == 2);
    CHECK(simd_iri_field_to_uri(0, name, 4, NULL, length, NULL, 0, NULL, &error) == -1 && error.hint == 4);
    CHECK(simd_iri_field_to_uri(0, name, 4, value, length, NULL, 1, NULL, &error) == -1 && error.hint == 6);
    /* A number at an address that is not aligned. */
    char *odd = malloc(sizeof left + 1);
    CHECK(simd_iri_field_to_uri(flags, name, 4, value, length, NULL, 0, (void *)(odd + 1), NULL) == needed);
    memcpy(&left, odd + 1, sizeof left);
    CHECK(left == 1);
    free(odd);
    free(name);
    free(value);
}

static void parsing(void) {
    const char *given = "http://u@h:1/p?q#f";
    char *text = block(given, strlen(given));
    simd_iri_parts parts, of_is = {4, 7, 9, 10, 12, 14, 16, 18};
    simd_iri_error error = {0};
    CHECK(simd_iri_parse(SIMD_IRI_RULE_IRI, text, 18, &parts, &error) && error.kind == 0);
    CHECK(memcmp(&parts, &of_is, sizeof parts) == 0);
    CHECK(simd_iri_parse(SIMD_IRI_RULE_IRI, text, 18, NULL, NULL));
    CHECK(!simd_iri_parse(SIMD_IRI_RULE_ABSOLUTE_IRI, text, 18, NULL, NULL));
    CHECK(!simd_iri_parse(8, text, 18, &parts, &error) && error.kind == SIMD_IRI_ERROR_ARGUMENT && error.hint == 1);
    CHECK(!simd_iri_parse(0, NULL, 18, &parts, &error) && error.kind == SIMD_IRI_ERROR_ARGUMENT && error.hint == 2);
    CHECK(!simd_iri_is_valid(0, NULL, 18) && !simd_iri_is_valid(99, text, 18) && simd_iri_is_valid(0, text, 18));
    CHECK(simd_iri_is_valid(SIMD_IRI_RULE_IRI_REFERENCE, NULL, 0) && !simd_iri_is_valid(SIMD_IRI_RULE_IRI, NULL, 0));
    /* Structures at addresses that are not aligned. */
    char *odd = malloc(sizeof parts + sizeof error + 1);
    CHECK(simd_iri_parse(0, text, 18, (void *)(odd + 1), (void *)(odd + 1 + sizeof parts)));
    CHECK(memcmp(odd + 1, &of_is, sizeof parts) == 0);
    CHECK(!simd_iri_parse(0, "a|", 2, NULL, (void *)(odd + 1 + sizeof parts)));
    CHECK(simd_iri_error_name((void *)(odd + 1 + sizeof parts), NULL, 0) > 0);
    free(odd);

    CHECK(simd_iri_target_parse("//a/b?c", 7, &parts, &error) && parts.path == 0 && parts.path_end == 5);
    CHECK(simd_iri_target_parse("/a?c", 4, &parts, NULL) && parts.path_end == 2 && parts.end == 4);
    CHECK(!simd_iri_target_parse("/a#c", 4, &parts, &error) && error.start == 2);
    CHECK(error.kind == SIMD_IRI_ERROR_FRAGMENT_NOT_ALLOWED);
    CHECK(!simd_iri_target_parse("//a|", 4, &parts, &error) && error.start == 3 && error.end == 4);
    CHECK(!simd_iri_target_parse("a:443", 5, &parts, &error) && error.component == SIMD_IRI_COMPONENT_PATH);
    CHECK(!simd_iri_target_parse("*", 1, &parts, NULL) && !simd_iri_target_parse(NULL, 0, &parts, &error));
    CHECK(error.kind == SIMD_IRI_ERROR_UNEXPECTED_END);
    CHECK(!simd_iri_target_parse(NULL, 4, &parts, &error) && error.hint == 1);
    free(text);
}

static void comparing(void) {
    simd_iri_error error = {0};
    CHECK(simd_iri_compare(SIMD_IRI_LEVEL_SCHEME, "http://a", 8, "HTTP://A:80/", 12, &error) == SIMD_IRI_EQUAL);
    CHECK(simd_iri_compare(SIMD_IRI_LEVEL_SIMPLE, "a", 1, "b", 1, NULL) == SIMD_IRI_LESS);
    CHECK(simd_iri_compare(SIMD_IRI_LEVEL_SIMPLE, "b", 1, NULL, 0, NULL) == SIMD_IRI_GREATER);
    CHECK(simd_iri_compare(0, "|", 1, "b", 1, &error) == SIMD_IRI_FIRST_REFUSED && error.kind == 1);
    CHECK(simd_iri_compare(0, "b", 1, "bb|", 3, &error) == SIMD_IRI_SECOND_REFUSED && error.start == 2);
    CHECK(simd_iri_compare(0, "b", 1, NULL, 3, &error) == SIMD_IRI_SECOND_REFUSED && error.hint == 4);
    CHECK(simd_iri_compare(7, "b", 1, "b", 1, &error) == SIMD_IRI_FIRST_REFUSED && error.hint == 1);
    uint64_t a[2], b[2];
    char odd[sizeof a + 1];
    CHECK(simd_iri_fingerprint(SIMD_IRI_LEVEL_SCHEME, "http://a", 8, a, &error));
    CHECK(simd_iri_fingerprint(SIMD_IRI_LEVEL_SCHEME, "http://a:80/", 12, b, &error));
    CHECK(a[0] == b[0] && a[1] == b[1] && (a[0] != 0 || a[1] != 0));
    CHECK(simd_iri_fingerprint(0, NULL, 0, (void *)(odd + 1), NULL) && simd_iri_fingerprint(0, NULL, 0, NULL, NULL));
    CHECK(!simd_iri_fingerprint(0, "|", 1, a, &error) && !simd_iri_fingerprint(0, NULL, 1, a, NULL));
}

static void batches(void) {
    /* 300 lines, of which each third one is valid: more than a chunk of the parser. */
    char text[300 * 4];
    for (size_t i = 0; i < 300; ++i) memcpy(text + 4 * i, i % 3 == 0 ? "a:b\n" : "a|b\n", 4);
    char *lines = block(text, sizeof text);
    simd_iri_count count;
    simd_iri_error error = {0};
    CHECK(simd_iri_validate_lines(0, lines, sizeof text, NULL, 0, &count, &error));
    CHECK(count.items == 300 && count.valid == 100);
    for (size_t capacity = 0; capacity <= 40; ++capacity) {
        uint8_t *valid = malloc(capacity + 1);
        memset(valid, 0xAA, capacity + 1);
        CHECK(simd_iri_validate_lines(0, lines, sizeof text, valid, capacity, &count, NULL) && count.valid == 100);
        for (size_t i = 0; i < 300 && i / 8 < capacity; ++i) CHECK((valid[i / 8] >> i % 8 & 1) == (i % 3 == 0));
        for (size_t i = 38; i <= capacity; ++i) CHECK(valid[i] == 0xAA);
        CHECK(valid[capacity] == 0xAA);
        free(valid);
    }
    CHECK(simd_iri_validate_lines(0, NULL, 0, NULL, 0, &count, NULL) && count.items == 0);
    CHECK(simd_iri_validate_lines(0, lines, 3, NULL, 0, NULL, NULL));
    CHECK(!simd_iri_validate_lines(0, NULL, 1, NULL, 0, &count, &error) && error.hint == 2);
    CHECK(!simd_iri_validate_lines(0, lines, 1, NULL, 1, &count, &error) && error.hint == 4);
    CHECK(!simd_iri_validate_lines(8, lines, 1, NULL, 0, &count, &error) && error.hint == 1);

    int32_t *narrow = malloc(4 * sizeof *narrow);
    int64_t *wide = malloc(4 * sizeof *wide);
    for (int i = 0; i < 4; ++i) wide[i] = narrow[i] = 4 * i;
    uint8_t valid = 0;
    CHECK(simd_iri_validate_offsets32(1, narrow, 3, lines, 12, &valid, 1, &count, &error) && count.items == 3);
    CHECK(simd_iri_validate_offsets64(1, wide, 3, lines, 12, &valid, 1, &count, &error) && valid == 0);
    CHECK(simd_iri_validate_offsets32(1, narrow, 0, NULL, 0, NULL, 0, &count, NULL) && count.items == 0);
    narrow[1] = 3;
    wide[1] = 3;
    CHECK(simd_iri_validate_offsets32(0, narrow, 1, lines, 12, &valid, 1, &count, NULL) && valid == 1);
    CHECK(simd_iri_validate_offsets64(0, wide, 1, lines, 12, &valid, 1, &count, NULL) && valid == 1);
    CHECK(!simd_iri_validate_offsets32(0, narrow, 3, lines, 11, &valid, 1, &count, &error) && error.hint == 2);
    /* Null with 0 items is the empty column, and null with items is an error, as for a text. */
    count.items = 9;
    CHECK(simd_iri_validate_offsets32(0, NULL, 0, lines, 12, &valid, 1, &count, &error) && count.items == 0);
    CHECK(simd_iri_validate_offsets64(0, NULL, 0, NULL, 0, NULL, 0, &count, &error) && count.items == 0);
    CHECK(!simd_iri_validate_offsets32(9, NULL, 0, NULL, 0, NULL, 0, &count, &error) && error.hint == 1);
    CHECK(!simd_iri_validate_offsets32(0, NULL, 0, NULL, 1, NULL, 0, &count, &error) && error.hint == 4);
    CHECK(!simd_iri_validate_offsets64(0, NULL, 1, lines, 12, &valid, 1, &count, &error) && error.hint == 2);
    CHECK(!simd_iri_validate_offsets32(0, narrow, SIZE_MAX, lines, 12, &valid, 1, &count, &error) && error.hint == 3);
    CHECK(!simd_iri_validate_offsets64(0, wide, SIZE_MAX / 4, lines, 12, &valid, 1, &count, &error));
    /* The compiler must not know that the address is not aligned: it is the library that has to see it. */
    uintptr_t address = (uintptr_t)narrow + 1;
    CHECK(!simd_iri_validate_offsets32(0, (int32_t *)address, 1, lines, 12, &valid, 1, &count, &error));
    CHECK(error.kind == SIMD_IRI_ERROR_ARGUMENT && error.hint == 2);
    narrow[1] = -1;
    CHECK(!simd_iri_validate_offsets32(0, narrow, 1, lines, 12, &valid, 1, &count, &error));
    free(narrow);
    free(wide);
    free(lines);
}

static void messages(void) {
    simd_iri_error error;
    CHECK(!simd_iri_parse(0, "http://a/\xE2\x80\xA8|", 13, NULL, &error));
    CHECK(!simd_iri_parse(4, "http://a/\xC3\xA9", 11, NULL, &error));
    char whole[256];
    size_t length = simd_iri_error_message(&error, whole, sizeof whole);
    CHECK(length == strlen(whole) && strstr(whole, "'\xC3\xA9' (U+00E9) at byte 9"));
    for (size_t capacity = 0; capacity <= length + 1; ++capacity) {
        char *buffer = malloc(capacity + 1);
        buffer[capacity] = '?';
        CHECK(simd_iri_error_message(&error, buffer, capacity) == length && buffer[capacity] == '?');
        if (capacity > 0) {
            size_t kept = strlen(buffer);
            CHECK(memcmp(buffer, whole, kept) == 0);
            /* Only before the second byte of the character is a byte left free. */
            CHECK(kept == capacity - 1 || (kept == capacity - 2 && (whole[kept] & 0xC0) == 0xC0));
        }
        free(buffer);
    }
    CHECK(simd_iri_error_name(&error, whole, sizeof whole) == 9 && strcmp(whole, "non-ascii") == 0);
    CHECK(simd_iri_error_component(&error, whole, sizeof whole) == 4 && strcmp(whole, "path") == 0);
    CHECK(simd_iri_error_message(NULL, whole, sizeof whole) > 0 && strcmp(whole, "no error") == 0);
    CHECK(simd_iri_error_message(&error, NULL, 8) == 0 && simd_iri_error_name(NULL, NULL, 0) == 4);
    /* Structures that no function made. */
    memset(&error, 0xFF, sizeof error);
    CHECK(simd_iri_error_message(&error, whole, sizeof whole) > 0);
    for (unsigned kind = 0; kind < 256; ++kind) {
        for (unsigned hint = 0; hint < 8; ++hint) {
            simd_iri_error made = {1, 2, 0x110000 + hint, (uint8_t)kind, (uint8_t)(kind % 10), (uint8_t)hint, 0};
            CHECK(simd_iri_error_message(&made, whole, sizeof whole) > 0);
            CHECK(simd_iri_error_component(&made, whole, 3) > 0);
        }
    }
    CHECK(simd_iri_cpu_level(whole, sizeof whole) == strlen(whole) && simd_iri_cpu_level(NULL, 0) > 0);
    CHECK(strchr(simd_iri_version(), '.'));
}

int main(void) {
    parsing();
    making();
    reading();
    serving();
    queries();
    fields();
    comparing();
    batches();
    messages();
    printf("%u checks\n", checks);
    return 0;
}

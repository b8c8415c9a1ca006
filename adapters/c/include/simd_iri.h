/*
 * simd_iri.h - Internationalized Resource Identifiers (RFC 3987) and URIs (RFC 3986).
 *
 *     simd_iri_parts parts;
 *     simd_iri_error error;
 *     if (simd_iri_parse(SIMD_IRI_RULE_IRI, text, length, &parts, &error)) {
 *         printf("%.*s\n", (int)(parts.host_end - parts.host), text + parts.host);
 *     } else {
 *         char message[256];
 *         simd_iri_error_message(&error, message, sizeof message);
 *         puts(message);
 *     }
 *
 * Texts. A text is a pointer and a length in bytes; it needs no NUL. A null pointer with the length 0 is the empty text.
 * Offsets are in bytes of UTF-8.
 *
 * Results. A function that makes a text takes a buffer and its capacity, and returns the length of the result without
 * the NUL, or -1, or where the function says so SIMD_IRI_NONE. If the result and a NUL fit, the buffer holds them.
 * Otherwise it holds the empty string, never a part of the result: a part of a reference is another reference. So a
 * result is whole if 0 <= length < capacity. A null buffer with the capacity 0 asks for the length alone. A buffer must
 * not overlap a text.
 *
 * Errors. A function that fails stores the reason in *error, unless error is null; a function that succeeds leaves it
 * as it is. No function sets errno. A wrong argument, such as a null pointer with a length, a rule with an unknown
 * number, an unknown charset, or a value that is not UTF-8, is an error too (SIMD_IRI_ERROR_ARGUMENT). No input makes a function print or
 * stop the program. Only an allocation that fails does: it writes a line to standard error, and aborts.
 * Where memory is limited, call only functions that allocate nothing, or bound the lengths of the texts.
 *
 * Memory. Nothing that a caller gets must be freed, except rules by simd_iri_query_rules_free. Parsing, validating,
 * comparing up to SIMD_IRI_LEVEL_SCHEME, batches and messages allocate nothing, except for comparing a path with dot
 * segments. The functions that make a text work in memory that each thread keeps, at most 64 KiB twice; they allocate
 * when a result is longer. What allocates in every call says so.
 *
 * Threads. Every function may be called from every thread at any time; but rules are freed once, when no function uses
 * them. The functions for rules and for batches need at most 128 KiB of stack, whatever the input is; all others need at
 * most 32 KiB. A thread with less memory is ended by the system.
 */
#ifndef SIMD_IRI_H
#define SIMD_IRI_H

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
typedef bool simd_iri_bool;
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L
#include <stdbool.h>
typedef bool simd_iri_bool;
#else
/* C89 has no bool. A function returns this type as it returns a bool: one byte, 0 or 1. */
typedef unsigned char simd_iri_bool;
#endif

/* The version of this header. simd_iri_version returns the version of the library. */
#define SIMD_IRI_VERSION "0.1.0"
#define SIMD_IRI_VERSION_MAJOR 0
#define SIMD_IRI_VERSION_MINOR 1
#define SIMD_IRI_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/* Start rules: what a text must be (RFC 3987, section 2.2; RFC 3986, appendix A). */
enum {
    SIMD_IRI_RULE_IRI = 0,           /* has a scheme */
    SIMD_IRI_RULE_IRI_REFERENCE = 1, /* an IRI, or relative to one */
    SIMD_IRI_RULE_ABSOLUTE_IRI = 2,  /* has a scheme and no fragment */
    SIMD_IRI_RULE_IRELATIVE_REF = 3, /* has no scheme */
    SIMD_IRI_RULE_URI = 4,           /* the same in ASCII */
    SIMD_IRI_RULE_URI_REFERENCE = 5,
    SIMD_IRI_RULE_ABSOLUTE_URI = 6,
    SIMD_IRI_RULE_RELATIVE_REF = 7
};

/* Levels: which differences a normal form or a comparison ignores (RFC 3987, section 5.3). Each level also ignores
 * what the level before it ignores. */
enum {
    SIMD_IRI_LEVEL_SIMPLE = 0,     /* none */
    SIMD_IRI_LEVEL_SYNTAX = 1,     /* case, triplets, dot segments */
    SIMD_IRI_LEVEL_SCHEME = 2,     /* ports and paths that the scheme implies */
    SIMD_IRI_LEVEL_SCHEME_IDNA = 3 /* forms of a domain name (UTS #46); allocates */
};

/* Profiles: what simd_iri_prepare repairs. */
enum {
    SIMD_IRI_PROFILE_STRICT = 0,       /* removes white space at the ends; no character changes */
    SIMD_IRI_PROFILE_LEIRI = 1,        /* legacy extended IRIs, as in XML */
    SIMD_IRI_PROFILE_BROWSER_LIKE = 2, /* the repairs of browsers */
    SIMD_IRI_PROFILE_CRAWLER = 3,      /* also the wrappers of careless authors */
    SIMD_IRI_PROFILE_RDF = 4           /* percent-encodes; removes and replaces nothing */
};

/* Flags. Each function says which flags it knows; it refuses other flags. */
enum {
    SIMD_IRI_FLAG_IDNA = 1,       /* hosts of http, https, ws, wss and ftp are domain names (UTS #46); allocates */
    SIMD_IRI_FLAG_LENIENT = 2,    /* a reference with the scheme of the base is relative (RFC 3986, 5.2.2) */
    SIMD_IRI_FLAG_BYTES = 4,      /* bytes that are not UTF-8 are percent-encoded */
    SIMD_IRI_FLAG_URI = 8,        /* the result is a URI reference */
    SIMD_IRI_FLAG_REPAIR = 16,    /* what is not allowed is percent-encoded first; allocates */
    SIMD_IRI_FLAG_NORMALIZE = 32, /* the result is in normal form */
    SIMD_IRI_FLAG_IRI = 64,       /* the result is an IRI; allocates */
    SIMD_IRI_FLAG_ASCII = 128,    /* the document holds only ASCII */
    SIMD_IRI_FLAG_QUERY_AS_SET = 256,    /* the pairs of a query are in any order; other pairs are ignored */
    SIMD_IRI_FLAG_KNOWN_PAIRS = 512,     /* with QUERY_AS_SET: another pair is no match */
    SIMD_IRI_FLAG_SINGLE_PAIRS = 1024,   /* with QUERY_AS_SET: a repeated pair is no match */
    SIMD_IRI_FLAG_STRIP_USERINFO = 2048, /* user information is left out, and is no reason to refuse the text */
    SIMD_IRI_FLAG_NO_LITERALS = 4096,    /* every host that is an address is refused */
    SIMD_IRI_FLAG_SEMICOLONS = 8192,     /* a pair of a query is read with and without an end at a semicolon */
    SIMD_IRI_FLAG_ANY_CASE = 16384,      /* keys of otel are compared as words, too */
    SIMD_IRI_FLAG_NESTED = 32768,        /* values are decoded once, and one that holds a secret is replaced as a whole */
    SIMD_IRI_FLAG_ALLOW_REFERRAL = 65536, /* referralMarketing of ClearURLs is ignored */
    SIMD_IRI_FLAG_KEEP_MARK = 131072      /* the question mark of a query stays if all its pairs go */
};

/* The components that an error names, and that simd_iri_set_component sets. */
enum {
    SIMD_IRI_COMPONENT_REFERENCE = 0, /* the text as a whole */
    SIMD_IRI_COMPONENT_SCHEME = 1,
    SIMD_IRI_COMPONENT_AUTHORITY = 2,
    SIMD_IRI_COMPONENT_USERINFO = 3,
    SIMD_IRI_COMPONENT_HOST = 4,
    SIMD_IRI_COMPONENT_PORT = 5,
    SIMD_IRI_COMPONENT_PATH = 6,
    SIMD_IRI_COMPONENT_QUERY = 7,
    SIMD_IRI_COMPONENT_FRAGMENT = 8
};

/* Kinds of errors. 0 is no error. */
enum {
    SIMD_IRI_ERROR_CHARACTER_NOT_ALLOWED = 1,
    SIMD_IRI_ERROR_BAD_PERCENT_ENCODING = 2,
    SIMD_IRI_ERROR_ILL_FORMED_UTF8 = 3,
    SIMD_IRI_ERROR_PRIVATE_USE_CHARACTER = 4,
    SIMD_IRI_ERROR_BAD_SCHEME = 5,
    SIMD_IRI_ERROR_BAD_IP_LITERAL = 6,
    SIMD_IRI_ERROR_BAD_PORT = 7,
    SIMD_IRI_ERROR_SECOND_AT = 8,
    SIMD_IRI_ERROR_COLON_IN_FIRST_SEGMENT = 9,
    SIMD_IRI_ERROR_MISSING_SCHEME = 10,
    SIMD_IRI_ERROR_FRAGMENT_NOT_ALLOWED = 11,
    SIMD_IRI_ERROR_NON_ASCII = 12,
    SIMD_IRI_ERROR_UNEXPECTED_END = 13,
    SIMD_IRI_ERROR_BAD_DOMAIN = 14,
    SIMD_IRI_ERROR_UNMAPPABLE_CHARACTER = 15,
    SIMD_IRI_ERROR_BAD_CHARACTER_REFERENCE = 16,
    SIMD_IRI_ERROR_TOO_LONG = 17, /* a text or a result of 4 GiB or more */
    SIMD_IRI_ERROR_RULES = 248,       /* of the functions for rules: a wrong place of a file, or a rule that is not applied */
    SIMD_IRI_ERROR_PREFIX_OF_LIST = 249, /* of simd_iri_template_expand: a list or a map for a variable with a prefix */
    SIMD_IRI_ERROR_TEMPLATE = 250,    /* of the functions for templates: the template is not valid */
    SIMD_IRI_ERROR_DOT_SEGMENT = 251, /* of simd_iri_relativize: no reference resolves to the target */
    SIMD_IRI_ERROR_ESCAPE = 252,      /* of simd_iri_unescape: the escape does not stand for a character */
    SIMD_IRI_ERROR_FILE_NAME = 253,   /* of the functions for file names: hint selects the reason of the message */
    SIMD_IRI_ERROR_ARGUMENT = 254,
    SIMD_IRI_ERROR_INTERNAL = 255 /* a defect of the library: please report it */
};

/* Results of simd_iri_compare. */
enum {
    SIMD_IRI_LESS = -1,
    SIMD_IRI_EQUAL = 0,
    SIMD_IRI_GREATER = 1,
    SIMD_IRI_FIRST_REFUSED = 2,
    SIMD_IRI_SECOND_REFUSED = 3
};

/* Result of a function that finds a value: there is none, which is not an error. */
enum { SIMD_IRI_NONE = -2 };

/* Results of simd_iri_host_kind (RFC 3986, section 3.2.2). */
enum {
    SIMD_IRI_HOST_REG_NAME = 0, /* a name, which may be empty */
    SIMD_IRI_HOST_IPV4 = 1,
    SIMD_IRI_HOST_IPV6 = 2,     /* in brackets */
    SIMD_IRI_HOST_IPVFUTURE = 3 /* in brackets */
};

/* Places for a value: which characters simd_iri_percent_encode keeps. */
enum {
    SIMD_IRI_PLACE_USERINFO = 0,     /* also colons */
    SIMD_IRI_PLACE_REG_NAME = 1,     /* a host that is a name */
    SIMD_IRI_PLACE_PATH = 2,         /* also slashes */
    SIMD_IRI_PLACE_SEGMENT = 3,      /* of a path */
    SIMD_IRI_PLACE_SEGMENT_NC = 4,   /* a first segment of a relative path: no colons */
    SIMD_IRI_PLACE_QUERY = 5,        /* also & and = */
    SIMD_IRI_PLACE_QUERY_PART = 6,   /* a name or a value of a pair in a query */
    SIMD_IRI_PLACE_FRAGMENT = 7,
    SIMD_IRI_PLACE_UNRESERVED = 8    /* any component: letters, digits and - . _ ~ */
};

/* Formats of documents: which escapes there are. */
enum {
    SIMD_IRI_FORMAT_HTML = 0,
    SIMD_IRI_FORMAT_XML = 1,
    SIMD_IRI_FORMAT_JSON = 2,
    SIMD_IRI_FORMAT_CSS = 3,
    SIMD_IRI_FORMAT_N_TRIPLES = 4, /* also N-Quads, Turtle, TriG and SPARQL */
    SIMD_IRI_FORMAT_PLAIN = 5      /* no escapes: triplets */
};

/* Parts: what the text of simd_iri_redact is. */
enum {
    SIMD_IRI_PART_REFERENCE = 0, /* a reference, or what should be one */
    SIMD_IRI_PART_TARGET = 1,    /* the target of a request: a text that begins with a slash has no authority */
    SIMD_IRI_PART_QUERY = 2,     /* a query, with or without its question mark */
    SIMD_IRI_PART_TEXT = 3       /* running text, such as a line of a log */
};

/* Tools whose keys simd_iri_archive_key makes. */
enum {
    SIMD_IRI_ARCHIVE_WAYBACK = 0,  /* Wayback Machine, OpenWayback */
    SIMD_IRI_ARCHIVE_PYWB = 1,     /* pywb, the Python package surt, Common Crawl */
    SIMD_IRI_ARCHIVE_HERITRIX = 2, /* scopes of Heritrix */
    SIMD_IRI_ARCHIVE_URLCANON = 3, /* urlcanon, brozzler, warcprox */
    SIMD_IRI_ARCHIVE_SSURT = 4     /* urlcanon; the address can be read back */
};

/* Formats of the rules of simd_iri_query_rules_new. */
enum {
    SIMD_IRI_RULES_TOML = 0,      /* tables drop and wrapper, as docs/query-rules.md describes them */
    SIMD_IRI_RULES_CLEARURLS = 1, /* a catalog of ClearURLs, such as data.min.json */
    SIMD_IRI_RULES_ADGUARD = 2    /* a filter list of AdGuard or uBlock Origin */
};

/* What simd_iri_judge decides. */
enum {
    SIMD_IRI_DECISION_REFUSE = 0, /* do not fetch the text */
    SIMD_IRI_DECISION_ALLOW = 1,  /* the host is an address that is permitted */
    SIMD_IRI_DECISION_RESOLVE = 2 /* the host is a name: judge each address to which it resolves */
};

/* Why simd_iri_judge refuses a text: the numbers of the bits of simd_iri_verdict.reasons. */
enum {
    SIMD_IRI_REASON_CONTROL_OR_SPACE = 0,
    SIMD_IRI_REASON_BACKSLASH = 1,
    SIMD_IRI_REASON_NOT_UTF8 = 2,
    SIMD_IRI_REASON_NO_SCHEME = 3,
    SIMD_IRI_REASON_SCHEME = 4, /* not http or https */
    SIMD_IRI_REASON_NO_HOST = 5,
    SIMD_IRI_REASON_INVALID_RFC3987 = 6,
    SIMD_IRI_REASON_INVALID_WHATWG = 7, /* the URL Standard refuses the text */
    SIMD_IRI_REASON_USERINFO = 8,
    SIMD_IRI_REASON_READINGS_DIFFER = 9, /* RFC 3987 and the URL Standard read different hosts or ports */
    SIMD_IRI_REASON_EMPTY_LABEL = 10,
    SIMD_IRI_REASON_HOST_TOO_LONG = 11,
    SIMD_IRI_REASON_METADATA_NAME = 12, /* the name of a metadata service of a cloud */
    SIMD_IRI_REASON_SPECIAL_NAME = 13,  /* a name of a private network */
    SIMD_IRI_REASON_REFUSED_NAME = 14,
    SIMD_IRI_REASON_NOT_LISTED = 15,
    SIMD_IRI_REASON_LITERAL = 16, /* an address, with the flag NO_LITERALS */
    SIMD_IRI_REASON_ADDRESS = 17, /* an address that is not of the public internet */
    SIMD_IRI_REASON_PORT = 18,    /* not 80 or 443 */
    SIMD_IRI_REASON_BASE = 19,
    SIMD_IRI_REASON_DOWNGRADE = 20,
    SIMD_IRI_REASON_TOO_MANY_REDIRECTS = 21
};

/*
 * The byte offsets of the components.
 *
 *     https://user:pw@example.org:8042/over/there?name=ferret#nose
 *     |    |  |       |          |    |          |           |    |
 *     0    |  |       |          |    |          |           |    end
 *          |  |       |          |    |          |           query_end
 *          |  |       |          |    |          path_end
 *          |  |       |          |    path (the authority ends here)
 *          |  |       |          host_end
 *          |  |       host (the user information ends before the @)
 *          |  authority
 *          scheme_end
 *
 * A component that is present and empty keeps its delimiter; an absent one has none. There is
 *     a scheme            if scheme_end > 0,
 *     an authority        if authority > (scheme_end > 0 ? scheme_end + 1 : 0),
 *     user information    if authority < host,          from authority to host - 1,
 *     a port              if host_end < path,           from host_end + 1 to path,
 *     a query             if path_end < query_end,      from path_end + 1 to query_end,
 *     a fragment          if query_end < end,           from query_end + 1 to end.
 */
typedef struct simd_iri_parts {
    uint32_t scheme_end;
    uint32_t authority;
    uint32_t host;
    uint32_t host_end;
    uint32_t path;
    uint32_t path_end;
    uint32_t query_end;
    uint32_t end;
} simd_iri_parts;

/* Why a text is refused: its place in the text, from start up to end, and codes. Of SIMD_IRI_ERROR_RULES, start is the
 * number of the line and end is the number of the character in the line, from 1. Pass it unchanged to the functions that
 * write its message and names. */
typedef struct simd_iri_error {
    uint32_t start;
    uint32_t end;
    uint32_t character; /* the character that is not allowed, or the first byte of ill-formed UTF-8; or 0 */
    uint8_t kind;       /* SIMD_IRI_ERROR_... */
    uint8_t component;  /* SIMD_IRI_COMPONENT_... */
    uint8_t hint;       /* selects the advice of the message; of SIMD_IRI_ERROR_ARGUMENT the number of the argument */
    uint8_t reserved;   /* 0 */
} simd_iri_error;

/* A text of the caller. A null pointer is no text, which is not the empty text. */
typedef struct simd_iri_text {
    const char *start;
    size_t length;
} simd_iri_text;

/* The components of which simd_iri_build builds a reference, without their delimiters. */
typedef struct simd_iri_components {
    simd_iri_text scheme;
    simd_iri_text userinfo;
    simd_iri_text host; /* a name or an address; IPv6 in brackets */
    simd_iri_text port;
    simd_iri_text path; /* no text is the empty path */
    simd_iri_text query;
    simd_iri_text fragment;
} simd_iri_components;

/* A value for a template. A name that comes again makes a list of its values, or a map if each has a key. */
typedef struct simd_iri_variable {
    simd_iri_text name;  /* as it is written in the template */
    simd_iri_text value; /* no text: undefined */
    simd_iri_text key;   /* no text: the value is not of a map */
} simd_iri_variable;

/* A value that a template finds in a text: byte offsets of its name in the template, and of the value in the text. */
typedef struct simd_iri_capture {
    uint32_t name;
    uint32_t name_end;
    uint32_t start;
    uint32_t end;
    uint32_t is_item;    /* 1: an item of a list, whose items follow one another; 0: a text */
    uint32_t is_encoded; /* 1: simd_iri_percent_decode gives the value, which is UTF-8; 0: it is as it is written */
} simd_iri_capture;

/* What simd_iri_judge says about a text. */
typedef struct simd_iri_verdict {
    uint64_t reasons;  /* the bit 1 << SIMD_IRI_REASON_... of each reason */
    uint32_t decision; /* SIMD_IRI_DECISION_... */
    uint32_t reserved; /* 0 */
} simd_iri_verdict;

/* Rules that remove pairs of queries. */
typedef struct simd_iri_query_rules simd_iri_query_rules;

/* The numbers of items of a batch. */
typedef struct simd_iri_count {
    uint64_t items;
    uint64_t valid;
} simd_iri_count;

/* ---- Parsing ---- */

/* Checks that the whole text matches a start rule, and stores where its components are. */
simd_iri_bool simd_iri_parse(uint32_t rule, const char *text, size_t length, simd_iri_parts *parts,
                             simd_iri_error *error);

/* Tells whether the whole text matches a start rule; false also for a wrong argument. */
simd_iri_bool simd_iri_is_valid(uint32_t rule, const char *text, size_t length);

/* Stores the first violations of the rule, in the order of the text, and returns the number of all, or -1. violations
 * has room for capacity errors. A null pointer with the capacity 0 asks for the number alone. */
ptrdiff_t simd_iri_violations(uint32_t rule, const char *text, size_t length, simd_iri_error *violations,
                              size_t capacity, simd_iri_error *error);

/* ---- Reading references ----
 * From here on, a text is a reference that matches IRI-reference, which includes IRIs, URIs and URI references, unless
 * the function says otherwise. */

/* Returns SIMD_IRI_HOST_...; SIMD_IRI_NONE without a host; or -1. */
int32_t simd_iri_host_kind(const char *text, size_t length, simd_iri_error *error);

/* Returns the port as a number; if it is absent or empty, the default port of the scheme, such as 443 for https. Returns
 * SIMD_IRI_NONE if there is neither, if there is no authority, or if the port is greater than 65535; or -1. */
int32_t simd_iri_port(const char *text, size_t length, simd_iri_error *error);

/* Writes the origin (RFC 6454) in ASCII, with A-labels, such as https://example.org, or returns SIMD_IRI_NONE for an
 * opaque origin. Allocates. */
ptrdiff_t simd_iri_origin(const char *text, size_t length, char *buffer, size_t capacity, simd_iri_error *error);

/* Writes the decoded value of the first pair of the query with this decoded name, or returns SIMD_IRI_NONE. The name is
 * UTF-8. Octets of the value that are not UTF-8 become U+FFFD. Allocates. */
ptrdiff_t simd_iri_query_value(const char *name, size_t name_length, const char *text, size_t length, char *buffer,
                               size_t capacity, simd_iri_error *error);

/* Writes any text with three asterisks in place of what may be a password, for a log: also a text that is refused. Bytes
 * that are not UTF-8 become U+FFFD. Allocates. */
ptrdiff_t simd_iri_masked(const char *text, size_t length, char *buffer, size_t capacity, simd_iri_error *error);

/* Tells whether a text is the name of a host (RFC 1123). With the flag IDNA, the name may have letters of all scripts, by
 * IDNA2008. False also for a wrong argument. Allocates. */
simd_iri_bool simd_iri_is_hostname(uint32_t flags, const char *text, size_t length);

/* ---- Making references ---- */

/* Maps to a URI reference (RFC 3987, section 3.1): characters outside ASCII become triplets. Flag: IDNA. */
ptrdiff_t simd_iri_to_uri(uint32_t flags, const char *text, size_t length, char *buffer, size_t capacity,
                          simd_iri_error *error);

/* Maps to an IRI reference (RFC 3987, section 3.2): triplets become characters where the meaning stays. Flag: IDNA. */
ptrdiff_t simd_iri_to_iri(uint32_t flags, const char *text, size_t length, char *buffer, size_t capacity,
                          simd_iri_error *error);

/* Normalizes (RFC 3986, section 6.2) a text that matches the rule. By a rule of URIs, triplets of characters outside
 * ASCII stay; by a rule of IRIs, they become characters. */
ptrdiff_t simd_iri_normalize(uint32_t rule, uint32_t level, const char *text, size_t length, char *buffer,
                             size_t capacity, simd_iri_error *error);

/* Resolves a reference relative to a base, which is an IRI (RFC 3986, section 5.2). Flag: LENIENT. The error is the error
 * of the base if the base is not an IRI, and otherwise the error of the reference. */
ptrdiff_t simd_iri_resolve(uint32_t flags, const char *base, size_t base_length, const char *text, size_t length,
                           char *buffer, size_t capacity, simd_iri_error *error);

/* Makes an IRI relative to a base, which is an IRI: the shortest reference that resolves to it. The error is the error of
 * the base if the base is not an IRI, and otherwise the error of the text. Allocates. */
ptrdiff_t simd_iri_relativize(const char *base, size_t base_length, const char *text, size_t length, char *buffer,
                              size_t capacity, simd_iri_error *error);

/* Maps to a URI reference whose query is in the charset with a label, such as windows-1252 (WHATWG Encoding Standard).
 * A character that the charset does not have is an error. Allocates. */
ptrdiff_t simd_iri_to_uri_in_charset(const char *charset, size_t charset_length, const char *text, size_t length,
                                     char *buffer, size_t capacity, simd_iri_error *error);

/* Writes the reference that a text stands for if its triplets are in the charset with a label (RFC 3987, section 7.7), or
 * returns SIMD_IRI_NONE. The text may have %uHHHH. Allocates. */
ptrdiff_t simd_iri_interpret(const char *charset, size_t charset_length, const char *text, size_t length, char *buffer,
                             size_t capacity, simd_iri_error *error);

/* Replaces a component. The value is text in UTF-8: what the component cannot hold, and every %, is percent-encoded. A
 * scheme, an authority and a port are checked instead. A null pointer with the length 0 removes the component.
 * SIMD_IRI_COMPONENT_REFERENCE is a wrong argument. The error of a value has its place in the value. Allocates. */
ptrdiff_t simd_iri_set_component(uint32_t component, const char *value, size_t value_length, const char *text,
                                 size_t length, char *buffer, size_t capacity, simd_iri_error *error);

/* Builds a reference of components, each as simd_iri_set_component takes it. Flag: URI. Allocates. */
ptrdiff_t simd_iri_build(uint32_t flags, const simd_iri_components *components, char *buffer, size_t capacity,
                         simd_iri_error *error);

/* Removes the pairs of the query whose decoded name is this name, in UTF-8; the other pairs stay as they are. Allocates. */
ptrdiff_t simd_iri_drop_query_pairs(const char *name, size_t name_length, const char *text, size_t length,
                                    char *buffer, size_t capacity, simd_iri_error *error);

/* Makes a reference of an arbitrary text, with the repairs of a profile. A text that is a reference stays as it
 * is. Flags: BYTES, URI, and with URI also IDNA. Allocates if something is repaired. */
ptrdiff_t simd_iri_prepare(uint32_t profile, uint32_t flags, const char *text, size_t length, char *buffer,
                           size_t capacity, simd_iri_error *error);

/* ---- Values and file names ---- */

/* Percent-encodes any bytes for a place in a URI: what the place cannot hold, and every %. The result has at most
 * 3 * length bytes. */
ptrdiff_t simd_iri_percent_encode(uint32_t place, const char *text, size_t length, char *buffer, size_t capacity,
                                  simd_iri_error *error);

/* Percent-decodes a text in UTF-8. The result may hold any bytes, NUL too. Decode components, not whole references. */
ptrdiff_t simd_iri_percent_decode(const char *text, size_t length, char *buffer, size_t capacity,
                                  simd_iri_error *error);

/* Makes the IRI of the absolute name of a file (RFC 8089): any bytes on a POSIX system, UTF-8 on Windows. No file is
 * opened. Allocates. */
ptrdiff_t simd_iri_from_posix_path(const char *name, size_t name_length, char *buffer, size_t capacity,
                                   simd_iri_error *error);
ptrdiff_t simd_iri_from_windows_path(const char *name, size_t name_length, char *buffer, size_t capacity,
                                     simd_iri_error *error);

/* Writes the name of the file that an IRI identifies. On a POSIX system, it may be any bytes but NUL. Allocates. */
ptrdiff_t simd_iri_to_posix_path(const char *text, size_t length, char *buffer, size_t capacity,
                                 simd_iri_error *error);
ptrdiff_t simd_iri_to_windows_path(const char *text, size_t length, char *buffer, size_t capacity,
                                   simd_iri_error *error);

/* Writes a reference as it is written in a document of a format: between quotes, or in N-Triples between < and >. Flag:
 * ASCII. */
ptrdiff_t simd_iri_escape(uint32_t format, uint32_t flags, const char *text, size_t length, char *buffer,
                          size_t capacity, simd_iri_error *error);

/* Decodes the escapes of a text of a document, which is UTF-8 and need not be a reference. */
ptrdiff_t simd_iri_unescape(uint32_t format, const char *text, size_t length, char *buffer, size_t capacity,
                            simd_iri_error *error);

/* ---- Comparing ---- */

/* Writes the key by which references are compared: at SIMD_IRI_LEVEL_SIMPLE the reference itself, otherwise the normal
 * form of the URI that it maps to. Allocates. */
ptrdiff_t simd_iri_key(uint32_t level, const char *text, size_t length, char *buffer, size_t capacity,
                       simd_iri_error *error);

/* Stores the fingerprint of the key in fingerprint[0] (the lower half) and fingerprint[1]. It is the same in every
 * version of the library; it does not protect against an attacker. */
simd_iri_bool simd_iri_fingerprint(uint32_t level, const char *text, size_t length, uint64_t *fingerprint,
                                   simd_iri_error *error);

/* Compares the keys of two references byte by byte. Returns SIMD_IRI_LESS, EQUAL or GREATER; or SIMD_IRI_FIRST_REFUSED
 * or SIMD_IRI_SECOND_REFUSED, and stores why that text is refused. */
int32_t simd_iri_compare(uint32_t level, const char *first, size_t first_length, const char *second,
                         size_t second_length, simd_iri_error *error);

/* ---- Wrapped links, and rules for queries ----
 * docs/query-rules.md lists the wrappers and the formats of rules. Nothing is fetched. */

/* Writes the link that mail filters and sites have put into a link of theirs; the text itself if it is not wrapped, or if
 * its wrapper holds no link. Up to levels wrappers around one another are unwrapped; more than 5 are 5. The wrappers of
 * rules, unless rules is null, are unwrapped, too. Allocates. */
ptrdiff_t simd_iri_unwrap(uint32_t levels, const simd_iri_query_rules *rules, const char *text, size_t length,
                          char *buffer, size_t capacity, simd_iri_error *error);

/* Reads rules, a text in UTF-8 in a format of SIMD_IRI_RULES_..., once for all references. Returns null for a text that
 * does not follow its format: the error has the line and the column, and its message says what would be right. The caller
 * ends the rules by simd_iri_query_rules_free. Flags: ALLOW_REFERRAL, KEEP_MARK. Allocates. */
simd_iri_query_rules *simd_iri_query_rules_new(uint32_t format, uint32_t flags, const char *text, size_t length,
                                               simd_iri_error *error);

/* Ends rules. A null pointer is ignored. */
void simd_iri_query_rules_free(simd_iri_query_rules *rules);

/* Stores why the first lines of a filter list are not applied, in their order, and returns the number of all, or -1.
 * skipped has room for capacity errors. A null pointer with the capacity 0 asks for the number alone. */
ptrdiff_t simd_iri_query_rules_skipped(const simd_iri_query_rules *rules, simd_iri_error *skipped, size_t capacity,
                                       simd_iri_error *error);

/* Writes a reference without the pairs of the query that the rules name; the other pairs stay as they are. Allocates. */
ptrdiff_t simd_iri_query_rules_apply(const simd_iri_query_rules *rules, const char *text, size_t length, char *buffer,
                                     size_t capacity, simd_iri_error *error);

/* ---- Logs, fetches, archives and templates ---- */

/* Writes any bytes without their secrets, for a log: with REDACTED in place of user information and of the values of
 * secret keys. sets has names of sets of keys, separated by commas, such as oauth,common; the empty text is the default,
 * which is otel,oauth,common, and none is user information alone. Bytes that are not UTF-8 stay. The result has at most 5 * length + 18 bytes. Flags:
 * SEMICOLONS, ANY_CASE, NESTED, which running text has without being asked. */
ptrdiff_t simd_iri_redact(uint32_t part, uint32_t flags, const char *sets, size_t sets_length, const char *text,
                          size_t length, char *buffer, size_t capacity, simd_iri_error *error);

/* Judges a URL before it is fetched, by the policy for pages of the public web, and writes the URL to send in place of the
 * text; SIMD_IRI_NONE if the text is refused. *verdict, unless verdict is null, has the decision and all reasons; after
 * an error, it refuses the text. If the decision is RESOLVE, look up the host of the URL once, judge each address, and
 * connect to an address that is not refused. Judge the target of each redirect, too. Flags: STRIP_USERINFO, NO_LITERALS.
 * Allocates. */
ptrdiff_t simd_iri_judge(uint32_t flags, const char *text, size_t length, char *buffer, size_t capacity,
                         simd_iri_verdict *verdict, simd_iri_error *error);

/* Judges an IP address, such as 192.0.2.1 or 2001:db8::1, by the same policy. Writes the range because of which the address
 * is refused, such as 10.0.0.0/8; SIMD_IRI_NONE, and no other result, means that the address is not refused. Another text
 * than an address is a wrong argument. */
ptrdiff_t simd_iri_judge_address(const char *address, size_t length, char *buffer, size_t capacity,
                                 simd_iri_error *error);

/* Writes the key by which web archives find an address, as the tool with this number makes it. Bytes that the tool
 * rejects are their own key. Allocates. */
ptrdiff_t simd_iri_archive_key(uint32_t profile, const char *text, size_t length, char *buffer, size_t capacity,
                               simd_iri_error *error);

/* Puts values into the place of the expressions of a template (RFC 6570). Values are texts in UTF-8 and are
 * percent-encoded. Flag: IRI, for an IRI reference in place of a URI reference. Allocates. */
ptrdiff_t simd_iri_template_expand(uint32_t flags, const char *template_text, size_t template_length,
                                   const simd_iri_variable *variables, size_t count, char *buffer, size_t capacity,
                                   simd_iri_error *error);

/* Stores the first values that a template finds in a text, in the order of the template, and returns the number of all;
 * SIMD_IRI_NONE if the template does not match; or -1. captures has room for capacity values. A null pointer with the
 * capacity 0 asks for the number alone. The time is linear in the length of the text. Flags: QUERY_AS_SET, and with it
 * KNOWN_PAIRS and SINGLE_PAIRS. Allocates. */
ptrdiff_t simd_iri_template_match(uint32_t flags, const char *template_text, size_t template_length, const char *text,
                                  size_t length, simd_iri_capture *captures, size_t capacity, simd_iri_error *error);

/* ---- HTTP ---- */

/* Writes a host (no port) in ASCII, as the DNS needs it: the domain name by UTS #46, or an address as it is.
 * Allocates. */
ptrdiff_t simd_iri_host_to_ascii(const char *host, size_t length, char *buffer, size_t capacity,
                                 simd_iri_error *error);

/* Writes a host (no port) in Unicode: triplets decoded, labels xn--... as their letters where UTS #46 gives the same
 * host back. A character that changes the direction of a text is triplets, as everywhere in the results for people. The
 * result has at most 4 * length bytes. Allocates. */
ptrdiff_t simd_iri_host_to_unicode(const char *host, size_t length, char *buffer, size_t capacity,
                                   simd_iri_error *error);

/* Parses the target of a request in origin-form (RFC 9112, section 3.2.1): a path that begins with a slash, and perhaps
 * a query. //a/b is a path here. Characters outside ASCII are allowed, as in an IRI; a fragment is not. */
simd_iri_bool simd_iri_target_parse(const char *target, size_t length, simd_iri_parts *parts, simd_iri_error *error);

/* Maps a target in origin-form to a URI, whose characters are ASCII. Flags: REPAIR; NORMALIZE, by
 * SIMD_IRI_LEVEL_SYNTAX; IRI, for a result as people read it. No flag decodes a delimiter or a slash, or joins two
 * slashes, and no result begins with two slashes if the target does not: NORMALIZE makes /.//b of /a/..//b. The result
 * has at most 3 * length + 2 bytes. */
ptrdiff_t simd_iri_target_transform(uint32_t flags, const char *target, size_t length, char *buffer, size_t capacity,
                                    simd_iri_error *error);

/* Writes the names that a target may stand for if its triplets or bytes are in another charset than UTF-8 (RFC 3987,
 * section 7.7), in Unicode, with a space between them: one for each charset in which they are letters. The result has at
 * most 17 * (3 * length + 1) bytes. This takes up to 100 times as long as a parse: bound the length of what strangers
 * send. Allocates. */
ptrdiff_t simd_iri_target_names(const char *target, size_t length, char *buffer, size_t capacity,
                                simd_iri_error *error);

/* Maps the references in the value of a field of HTTP to URI references; all else in the value stays. The fields are
 * Location, Content-Location, Link and Refresh; their names are read in any case. With IDNA, the host after // is a
 * domain name, because the scheme is that of the request. For another name, the function returns
 * SIMD_IRI_NONE, and the buffer holds the empty string. A reference that cannot become a URI stays as it is,
 * and *left, unless left is null, is the number of these. Flags: IDNA; REPAIR. */
ptrdiff_t simd_iri_field_to_uri(uint32_t flags, const char *name, size_t name_length, const char *value, size_t length,
                                char *buffer, size_t capacity, size_t *left, simd_iri_error *error);

/* ---- Batches ----
 * Each validates many items by one rule, and stores their numbers in *count. Bit i of valid (bit i % 8 of byte i / 8) is
 * 1 if item i matches. valid has room for capacity bytes; items past them are counted, and have no bit. A null pointer
 * with the capacity 0 asks for the numbers alone. */

/* Validates the lines of a text. A line ends at LF, or at the end of the text. */
simd_iri_bool simd_iri_validate_lines(uint32_t rule, const char *text, size_t length, uint8_t *valid, size_t capacity,
                                      simd_iri_count *count, simd_iri_error *error);

/* Validates the items of a column, as in Apache Arrow: item i is text[offsets[i]] up to text[offsets[i + 1]]. There are
 * items + 1 offsets. They must be aligned, ascend, and lie within the text. A null pointer with 0 items is the empty
 * column. */
simd_iri_bool simd_iri_validate_offsets32(uint32_t rule, const int32_t *offsets, size_t items, const char *text,
                                          size_t length, uint8_t *valid, size_t capacity, simd_iri_count *count,
                                          simd_iri_error *error);
simd_iri_bool simd_iri_validate_offsets64(uint32_t rule, const int64_t *offsets, size_t items, const char *text,
                                          size_t length, uint8_t *valid, size_t capacity, simd_iri_count *count,
                                          simd_iri_error *error);

/* ---- Messages and names ----
 * Each returns the length of the text. A buffer that is too short holds its beginning, in whole characters, and a NUL
 * if capacity > 0. */

/* Writes what is wrong, where, and what would be right: '|' at byte 29 is not allowed in a query; write %7C */
size_t simd_iri_error_message(const simd_iri_error *error, char *buffer, size_t capacity);

/* Writes the name of the kind, which does not change between versions, such as character-not-allowed. Of
 * SIMD_IRI_ERROR_RULES, it is the name of the reason, such as unknown-key. */
size_t simd_iri_error_name(const simd_iri_error *error, char *buffer, size_t capacity);

/* Writes the name of the component, such as query. */
size_t simd_iri_error_component(const simd_iri_error *error, char *buffer, size_t capacity);

/* Writes the name of the instruction sets in use, such as avx2. */
size_t simd_iri_cpu_level(char *buffer, size_t capacity);

/* Returns the version of the library, such as 0.1.0. The text is never freed. */
const char *simd_iri_version(void);

#ifdef __cplusplus
}
#endif

#endif

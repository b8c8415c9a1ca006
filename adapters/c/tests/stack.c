/* Every function on the stack that simd_iri.h promises to be enough: all calls of abi.c, and the inputs that need the most.
 * Prints how much of it was used. In C99, with POSIX threads. */
#define _GNU_SOURCE
#define main every_function
#include "abi.c"
#undef main

#include <pthread.h>
#include <sys/mman.h>

/* What simd_iri.h says: of the functions for rules and for batches, and of the others. */
#define MOST (128 * 1024)
#define SMALL (32 * 1024)
/* A larger stack, so that the test can say how much is used. */
#define SIZE (1024 * 1024)
#define UNUSED 0xA5

/* What a thread runs. */
typedef struct {
    const char *name;
    void (*run)(void);
    size_t promised;
} job;

/* `count` times a text, with a text before and after. */
static char *repeated(const char *before, const char *text, size_t count, const char *after) {
    char *made = malloc(strlen(before) + count * strlen(text) + strlen(after) + 1), *end = made;
    end += sprintf(end, "%s", before);
    while (count-- > 0) end += sprintf(end, "%s", text);
    sprintf(end, "%s", after);
    return made;
}

static void rules(uint32_t format, char *text) {
    simd_iri_error error;
    char room[64];
    simd_iri_query_rules *made = simd_iri_query_rules_new(format, 0, text, strlen(text), &error);
    if (made) {
        simd_iri_query_rules_apply(made, "http://a/?a=b&c#d", 17, room, sizeof room, &error);
        simd_iri_unwrap(255, made, "http://a/?b=http://c/", 21, room, sizeof room, &error);
        simd_iri_query_rules_free(made);
    }
    simd_iri_error_message(&error, room, sizeof room);
    free(text);
}

/* Patterns with groups in groups, up to the most and above it. */
static void patterns(void) {
    char *open, *text;
    int deep;
    for (deep = 1; deep < 60; deep += 6) {
        open = repeated("$removeparam=/", "(?:a|b*", (size_t)deep, "");
        text = repeated(open, "){0,2}", (size_t)deep, "/");
        rules(SIMD_IRI_RULES_ADGUARD, text);
        text = repeated(open, "|[^a-z\\p{Greek}]+)?", (size_t)deep, "/");
        rules(SIMD_IRI_RULES_ADGUARD, text);
        free(open);
    }
    rules(SIMD_IRI_RULES_ADGUARD, repeated("$removeparam=/", "\\p{L}\\w", 40, "/"));
    rules(SIMD_IRI_RULES_CLEARURLS,
          repeated("{\"providers\":{\"a\":{\"urlPattern\":\"^https?://a\",\"rules\":[\"", "(?:x|", 20, "\"]}}}"));
    rules(SIMD_IRI_RULES_CLEARURLS,
          repeated("{\"providers\":{\"a\":{\"urlPattern\":\"^http://a/.*(?:b|c)\",\"rules\":[\"", "a?", 60, "\"]}}}"));
}

/* Documents in one another. */
static void documents(void) {
    rules(SIMD_IRI_RULES_CLEARURLS, repeated("{\"providers\":", "[", 100000, ""));
    rules(SIMD_IRI_RULES_CLEARURLS, repeated("", "{\"providers\":", 100000, ""));
    rules(SIMD_IRI_RULES_TOML, repeated("[[drop]]\nnames = ", "[", 100000, ""));
    rules(SIMD_IRI_RULES_TOML, repeated("[[drop]]\nnames = ['", "a*", 1000, "']"));
}

/* Long and hostile texts for the functions of one text. */
static void texts(void) {
    static const char *const starts[] = {"http://", "http://a/", "http://a/?", "a:", ""};
    static const char *const pieces[] = {"../", "%41", "\xC3\xA9.", "xn--a-.", "a=http%3A%2F%2Fb%2F%3F&", "{a}", "@:", "\\u00E9", "[", "%25"};
    static char room[65536];
    size_t start, piece, at;
    simd_iri_error error;
    simd_iri_verdict verdict;
    for (start = 0; start < sizeof starts / sizeof *starts; start++) {
        for (piece = 0; piece < sizeof pieces / sizeof *pieces; piece++) {
            char *text = repeated(starts[start], pieces[piece], 500, "");
            size_t length = strlen(text);
            for (at = 0; at < sizeof makers / sizeof *makers; at++) makers[at].make(text, length, room, sizeof room, &error);
            simd_iri_judge(0, text, length, room, sizeof room, &verdict, &error);
            simd_iri_redact(SIMD_IRI_PART_TEXT, SIMD_IRI_FLAG_NESTED | SIMD_IRI_FLAG_SEMICOLONS, "otel,oauth,common", 17, text, length, room,
                            sizeof room, &error);
            simd_iri_compare(SIMD_IRI_LEVEL_SCHEME_IDNA, text, length, text, length, &error);
            simd_iri_target_names(text, length, room, sizeof room, &error);
            simd_iri_template_match(SIMD_IRI_FLAG_QUERY_AS_SET, "{a}{/b*}{?c,d*}", 15, text, length, NULL, 0, &error);
            simd_iri_field_to_uri(SIMD_IRI_FLAG_IDNA, "Link", 4, text, length, room, sizeof room, NULL, &error);
            simd_iri_host_to_ascii(text, length, room, sizeof room, &error);
            simd_iri_host_to_unicode(text, length, room, sizeof room, &error);
            simd_iri_violations(SIMD_IRI_RULE_URI, text, length, NULL, 0, &error);
            free(text);
        }
    }
}

static void all_of_abi(void) { every_function(); }

static void *work(void *argument) {
    ((const job *)argument)->run();
    return NULL;
}

int main(void) {
    static const job jobs[] = {
        {"every function", all_of_abi, MOST}, {"patterns", patterns, MOST}, {"documents", documents, MOST},
        {"parsing", parsing, SMALL},          {"making", making, SMALL},    {"reading", reading, SMALL},
        {"serving", serving, SMALL},          {"fields", fields, SMALL},    {"comparing", comparing, SMALL},
        {"messages", messages, SMALL},        {"texts", texts, SMALL},
    };
    size_t at;
    int is_kept = 1;
    for (at = 0; at < sizeof jobs / sizeof *jobs; at++) {
        unsigned char *stack = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        size_t unused = 0;
        pthread_attr_t attributes;
        pthread_t thread;
        if (stack == MAP_FAILED) return 2;
        memset(stack, UNUSED, SIZE);
        if (pthread_attr_init(&attributes) != 0 || pthread_attr_setstack(&attributes, stack, SIZE) != 0
            || pthread_create(&thread, &attributes, work, (void *)&jobs[at]) != 0 || pthread_join(thread, NULL) != 0) {
            return 2;
        }
        while (unused < SIZE && stack[unused] == UNUSED) unused++;
        printf("%s: %lu bytes of stack\n", jobs[at].name, (unsigned long)(SIZE - unused));
        if (SIZE - unused > jobs[at].promised) is_kept = 0;
        munmap(stack, SIZE);
    }
    return is_kept ? 0 : 1;
}

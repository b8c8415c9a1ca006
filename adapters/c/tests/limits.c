/* With a limit of the memory that is just above what the program has: `limits parse` calls functions that allocate nothing, and
 * `limits map` one that must allocate. In C89. */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include <simd_iri.h>

#define LENGTH (64 * 1024 * 1024)

static char text[LENGTH];

int main(int count, char **arguments) {
    struct rlimit limit;
    simd_iri_parts parts;
    simd_iri_error error;
    const char *start = "a:";
    int is_parse = count == 2 && strcmp(arguments[1], "parse") == 0;
    /* The letter U+00E9, so that a URI is longer than the text. */
    size_t i;
    for (i = 0; i < LENGTH; i += 2) memcpy(text + i, "\303\251", 2);
    memcpy(text, start, 2);
    limit.rlim_cur = limit.rlim_max = LENGTH + 16 * 1024 * 1024;
    if (setrlimit(RLIMIT_AS, &limit) != 0) return 2;
    if (is_parse) {
        simd_iri_count lines;
        return simd_iri_parse(SIMD_IRI_RULE_IRI, text, LENGTH, &parts, &error) && parts.end == LENGTH
                       && !simd_iri_is_valid(SIMD_IRI_RULE_URI, text, LENGTH)
                       && simd_iri_compare(SIMD_IRI_LEVEL_SCHEME, text, LENGTH, text, LENGTH, &error) == SIMD_IRI_EQUAL
                       && simd_iri_validate_lines(SIMD_IRI_RULE_IRI, text, LENGTH, NULL, 0, &lines, &error)
                   ? 0
                   : 1;
    }
    printf("%ld\n", (long)simd_iri_to_uri(0, text, LENGTH, NULL, 0, &error));
    return 0;
}

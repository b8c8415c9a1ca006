/* Checks each line of standard input: prints the host of an IRI, and why another text is none.
 *
 *     cc check.c $(pkg-config --cflags --libs simd-iri) -o check && printf 'http://例え.jp/a\na|b\n' | ./check
 */
#include <stdio.h>
#include <string.h>

#include <simd_iri.h>

int main(void) {
    char line[65536];
    int invalid = 0;
    while (fgets(line, sizeof line, stdin)) {
        size_t length = strcspn(line, "\n");
        simd_iri_parts parts;
        simd_iri_error error;
        if (simd_iri_parse(SIMD_IRI_RULE_IRI, line, length, &parts, &error)) {
            printf("host: %.*s\n", (int)(parts.host_end - parts.host), line + parts.host);
        } else {
            char message[256];
            simd_iri_error_message(&error, message, sizeof message);
            printf("error: %s\n", message);
            invalid = 1;
        }
    }
    return invalid;
}

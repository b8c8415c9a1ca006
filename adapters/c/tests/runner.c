/* Reads lines of examples/expected.rs from standard input, and compares what C answers with what Rust has answered. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simd_iri.h>

int main(void) {
    size_t capacity = 1 << 24;
    char *line = malloc(capacity);
    unsigned count = 0;
    while (fgets(line, (int)capacity, stdin)) {
        char *next;
        uint32_t rule = (uint32_t)strtoul(line, &next, 10);
        char *digits = next + 1;
        size_t length = strcspn(digits, " ") / 2;
        /* A block of just this length, so that the address sanitizer sees a byte too far. */
        char *text = malloc(length);
        for (size_t i = 0; i < length; ++i) {
            char pair[3] = {digits[2 * i], digits[2 * i + 1], 0};
            text[i] = (char)strtoul(pair, NULL, 16);
        }
        uint32_t want[8] = {0}, have[8] = {0};
        size_t wanted = 0;
        next = digits + 2 * length;
        while (*next == ' ' && wanted < 8) want[wanted++] = (uint32_t)strtoul(next, &next, 10);
        simd_iri_parts parts;
        simd_iri_error error;
        size_t numbers = 4;
        if (simd_iri_parse(rule, text, length, &parts, &error)) {
            memcpy(have, &parts, sizeof parts);
            numbers = 8;
        } else {
            have[0] = error.start;
            have[1] = error.end;
            have[2] = error.character;
            have[3] = error.kind | (uint32_t)error.component << 8 | (uint32_t)error.hint << 16;
        }
        if (numbers != wanted || memcmp(have, want, sizeof have) != 0) {
            fprintf(stderr, "another answer than that of Rust: %s", line);
            return 1;
        }
        free(text);
        ++count;
    }
    free(line);
    printf("%u answers of C are those of Rust\n", count);
    return count < 1000;
}

/* A program with two static libraries in Rust. */
#include <stdio.h>
#include <string.h>

#include <simd_iri.h>

size_t other_digits(size_t count);

int main(void) {
    char uri[64];
    simd_iri_error error;
    const char *iri = "http://\303\251/";
    if (simd_iri_to_uri(SIMD_IRI_FLAG_IDNA, iri, strlen(iri), uri, sizeof uri, &error) < 0) return 1;
    printf("%s %lu %lu\n", uri, (unsigned long)other_digits(12), (unsigned long)other_digits(2000));
    return 0;
}

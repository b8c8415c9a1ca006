// Resolves references relative to a base: resolve BASE REFERENCE...
//
//     c++ -std=c++17 resolve.cpp $(pkg-config --cflags --libs simd-iri) -o resolve && ./resolve http://a/b/c ../é
#include <iostream>

#include <simd_iri.hpp>

int main(int count, char **arguments) {
    if (count < 2) {
        std::cerr << "usage: resolve BASE REFERENCE...\n";
        return 2;
    }
    try {
        for (int i = 2; i < count; ++i) {
            std::cout << simd_iri::resolve(arguments[1], arguments[i]) << '\n';
        }
    } catch (const simd_iri::error &refused) {
        std::cerr << refused.what() << '\n';
        return 1;
    }
}

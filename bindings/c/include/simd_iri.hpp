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

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

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

/* Tells whether an argument Text && is a string that ends with the call. */
template <typename Text> struct is_temporary : std::false_type {};
template <typename Traits, typename Memory>
struct is_temporary<std::basic_string<char, Traits, Memory>> : std::true_type {};
template <typename Text> struct is_temporary<const Text> : is_temporary<Text> {};

template <typename Text> using if_temporary = std::enable_if_t<is_temporary<Text>::value>;

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

inline std::string normalize(std::string_view text, level to = level::syntax, rule by = rule::iri_reference) {
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

/* Whether two references have the same key. Throws if one of them is not a reference. */
inline bool is_equivalent(std::string_view first, std::string_view second, level by = level::syntax) {
    simd_iri_error why{};
    const std::int32_t order = simd_iri_compare(static_cast<std::uint32_t>(by), first.data(), first.size(),
                                                second.data(), second.size(), &why);
    if (order == SIMD_IRI_FIRST_REFUSED || order == SIMD_IRI_SECOND_REFUSED) throw error(why);
    return order == SIMD_IRI_EQUAL;
}

} // namespace simd_iri

#endif

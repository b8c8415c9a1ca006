-- IRIs (RFC 3987) and URIs (RFC 3986) for LuaJIT, and so for OpenResty and the Lua module of nginx.
--
--     local iri = require "simd_iri"
--     local uri, why = iri.to_uri("http://例え.jp/é")
--
-- The functions call libsimd_iri.so, which scripts/install-c installs. One that fails returns nil and a message.
local ffi = require "ffi"

-- As in simd_iri.h.
ffi.cdef [[
typedef struct simd_iri_parts {
    uint32_t scheme_end, authority, host, host_end, path, path_end, query_end, end;
} simd_iri_parts;
typedef struct simd_iri_error {
    uint32_t start, end, character;
    uint8_t kind, component, hint, reserved;
} simd_iri_error;
bool simd_iri_parse(uint32_t rule, const char *text, size_t length, simd_iri_parts *parts, simd_iri_error *error);
bool simd_iri_is_valid(uint32_t rule, const char *text, size_t length);
ptrdiff_t simd_iri_to_uri(uint32_t flags, const char *text, size_t length, char *buffer, size_t capacity,
                          simd_iri_error *error);
ptrdiff_t simd_iri_to_iri(uint32_t flags, const char *text, size_t length, char *buffer, size_t capacity,
                          simd_iri_error *error);
ptrdiff_t simd_iri_normalize(uint32_t rule, uint32_t level, const char *text, size_t length, char *buffer,
                             size_t capacity, simd_iri_error *error);
ptrdiff_t simd_iri_resolve(uint32_t flags, const char *base, size_t base_length, const char *text, size_t length,
                           char *buffer, size_t capacity, simd_iri_error *error);
ptrdiff_t simd_iri_prepare(uint32_t profile, uint32_t flags, const char *text, size_t length, char *buffer,
                           size_t capacity, simd_iri_error *error);
ptrdiff_t simd_iri_key(uint32_t level, const char *text, size_t length, char *buffer, size_t capacity,
                       simd_iri_error *error);
ptrdiff_t simd_iri_host_to_unicode(const char *host, size_t length, char *buffer, size_t capacity,
                                   simd_iri_error *error);
bool simd_iri_target_parse(const char *target, size_t length, simd_iri_parts *parts, simd_iri_error *error);
ptrdiff_t simd_iri_target_transform(uint32_t flags, const char *target, size_t length, char *buffer, size_t capacity,
                                    simd_iri_error *error);
ptrdiff_t simd_iri_target_names(const char *target, size_t length, char *buffer, size_t capacity,
                                simd_iri_error *error);
size_t simd_iri_error_message(const simd_iri_error *error, char *buffer, size_t capacity);
const char *simd_iri_version(void);
]]

local C = ffi.load("simd_iri")
local iri = {}

-- The numbers of simd_iri.h.
iri.rule = {
    iri = 0, iri_reference = 1, absolute_iri = 2, irelative_ref = 3,
    uri = 4, uri_reference = 5, absolute_uri = 6, relative_ref = 7,
}
iri.level = { simple = 0, syntax = 1, scheme = 2, scheme_idna = 3 }
iri.profile = { strict = 0, leiri = 1, browser_like = 2, crawler = 3, rdf = 4 }
iri.flag = { idna = 1, lenient = 2, bytes = 4, uri = 8, repair = 16, normalize = 32, iri = 64 }

iri.version = ffi.string(C.simd_iri_version())

local parts = ffi.new("simd_iri_parts")
local problem = ffi.new("simd_iri_error")
-- Used by one call at a time: no call yields.
local capacity = 4096
local buffer = ffi.new("char[?]", capacity)

local function message()
    local text = ffi.new("char[256]")
    C.simd_iri_error_message(problem, text, 256)
    return ffi.string(text)
end

-- Returns what a function has written, or calls it again with the room that it needs.
local function made(length, call, ...)
    length = tonumber(length)
    if length < 0 then
        return nil, message()
    end
    if length >= capacity then
        capacity = length + 1
        buffer = ffi.new("char[?]", capacity)
        return made(call(...), call, ...)
    end
    return ffi.string(buffer, length)
end

local function to_uri(text, flags)
    return C.simd_iri_to_uri(flags, text, #text, buffer, capacity, problem)
end
local function to_iri(text, flags)
    return C.simd_iri_to_iri(flags, text, #text, buffer, capacity, problem)
end
local function normalize(text, level, rule)
    return C.simd_iri_normalize(rule, level, text, #text, buffer, capacity, problem)
end
local function resolve(base, text, flags)
    return C.simd_iri_resolve(flags, base, #base, text, #text, buffer, capacity, problem)
end
local function prepare(text, profile, flags)
    return C.simd_iri_prepare(profile, flags, text, #text, buffer, capacity, problem)
end
local function key(text, level)
    return C.simd_iri_key(level, text, #text, buffer, capacity, problem)
end
local function host(text)
    return C.simd_iri_host_to_unicode(text, #text, buffer, capacity, problem)
end
local function target(text, flags)
    return C.simd_iri_target_transform(flags, text, #text, buffer, capacity, problem)
end
local function names(text)
    return C.simd_iri_target_names(text, #text, buffer, capacity, problem)
end

-- Tells whether a text matches a rule, by default IRI.
function iri.is_valid(text, rule)
    return C.simd_iri_is_valid(rule or 0, text, #text)
end

-- Returns a table of the components that are there, as they are written.
function iri.parse(text, rule)
    if not C.simd_iri_parse(rule or 0, text, #text, parts, problem) then
        return nil, message()
    end
    local p = parts
    local found = { path = text:sub(p.path + 1, p.path_end) }
    local after_scheme = 0
    if p.scheme_end > 0 then
        found.scheme = text:sub(1, p.scheme_end)
        after_scheme = p.scheme_end + 1
    end
    if p.authority > after_scheme then
        found.authority = text:sub(p.authority + 1, p.path)
        found.host = text:sub(p.host + 1, p.host_end)
    end
    if p.authority < p.host then found.userinfo = text:sub(p.authority + 1, p.host - 1) end
    if p.host_end < p.path then found.port = text:sub(p.host_end + 2, p.path) end
    if p.path_end < p.query_end then found.query = text:sub(p.path_end + 2, p.query_end) end
    if p.query_end < p["end"] then found.fragment = text:sub(p.query_end + 2, p["end"]) end
    return found
end

-- Maps an IRI reference to a URI reference. Flag: idna.
function iri.to_uri(text, flags)
    return made(to_uri(text, flags or 0), to_uri, text, flags or 0)
end

-- Maps a URI reference to an IRI reference. Flag: idna.
function iri.to_iri(text, flags)
    return made(to_iri(text, flags or 0), to_iri, text, flags or 0)
end

-- Normalizes a text that matches a rule, by default IRI-reference, at a level, by default syntax.
function iri.normalize(text, level, rule)
    level, rule = level or 1, rule or 1
    return made(normalize(text, level, rule), normalize, text, level, rule)
end

-- Resolves a reference relative to a base. Flag: lenient.
function iri.resolve(base, text, flags)
    return made(resolve(base, text, flags or 0), resolve, base, text, flags or 0)
end

-- Makes a reference of a text that may be none, by a profile, by default rdf. Flags: bytes, uri, idna.
function iri.prepare(text, profile, flags)
    profile, flags = profile or 4, flags or 0
    return made(prepare(text, profile, flags), prepare, text, profile, flags)
end

-- Returns the key by which a reference is compared, at a level, by default scheme.
function iri.key(text, level)
    return made(key(text, level or 2), key, text, level or 2)
end

-- Returns a host in Unicode.
function iri.host_to_unicode(text)
    return made(host(text), host, text)
end

-- Tells whether the target of a request, in origin-form, is a valid path and query.
function iri.check_target(text)
    if C.simd_iri_target_parse(text, #text, nil, problem) then
        return true
    end
    return nil, message()
end

-- Maps a target in origin-form to a URI. Flags: repair, normalize, iri.
function iri.target(text, flags)
    return made(target(text, flags or 0), target, text, flags or 0)
end

-- Returns the names that a legacy target may stand for (RFC 3987, section 7.7), with a space between them.
function iri.names(text)
    return made(names(text), names, text)
end

return iri

-- IRIs (RFC 3987) and URIs (RFC 3986) for LuaJIT, and so for OpenResty and the Lua module of nginx.
--
--     local iri = require "simd_iri"
--     local uri, why = iri.to_uri("http://例え.jp/é")
--
-- The functions call libsimd_iri.so, which scripts/install-c installs. A function that fails returns nil, a message, and, if
-- the text is refused, a table that says where. An argument of a wrong type raises no error.
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
int32_t simd_iri_compare(uint32_t level, const char *first, size_t first_length, const char *second,
                         size_t second_length, simd_iri_error *error);
ptrdiff_t simd_iri_field_to_uri(uint32_t flags, const char *name, size_t name_length, const char *value, size_t length,
                                char *buffer, size_t capacity, size_t *left, simd_iri_error *error);
ptrdiff_t simd_iri_host_to_unicode(const char *host, size_t length, char *buffer, size_t capacity,
                                   simd_iri_error *error);
bool simd_iri_target_parse(const char *target, size_t length, simd_iri_parts *parts, simd_iri_error *error);
ptrdiff_t simd_iri_target_transform(uint32_t flags, const char *target, size_t length, char *buffer, size_t capacity,
                                    simd_iri_error *error);
ptrdiff_t simd_iri_target_names(const char *target, size_t length, char *buffer, size_t capacity,
                                simd_iri_error *error);
size_t simd_iri_error_message(const simd_iri_error *error, char *buffer, size_t capacity);
size_t simd_iri_error_name(const simd_iri_error *error, char *buffer, size_t capacity);
size_t simd_iri_error_component(const simd_iri_error *error, char *buffer, size_t capacity);
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
local left = ffi.new("size_t[1]")
-- Only one call at a time uses this memory, because no call yields. A longer result has memory of its own, which is not kept.
local capacity = 4096
local buffer = ffi.new("char[?]", capacity)

-- The numbers of simd_iri.h.
local ARGUMENT, NO_REFERENCES, FIRST_REFUSED = 254, -2, 2

local function written(write)
    local text = ffi.new("char[256]")
    write(problem, text, 256)
    return ffi.string(text)
end

-- Returns nil, the message of an error, and a table of the error: text:sub(first, last) is its place in the text.
local function failed()
    local message = written(C.simd_iri_error_message)
    if problem.kind == ARGUMENT then
        return nil, message
    end
    return nil, message, {
        kind = written(C.simd_iri_error_name),
        component = written(C.simd_iri_error_component),
        first = problem.start + 1,
        last = problem["end"],
    }
end

local function is_number(value)
    return type(value) == "number" and value >= 0 and value < 2 ^ 32 and value % 1 == 0
end

-- Returns a message about an argument of a wrong type. The first arguments are texts, the others numbers, or nil for the
-- default.
local function wrong(texts, a, b, c)
    local at, value, want
    if type(a) ~= "string" then
        at, value, want = 1, a, "string"
    elseif texts == 2 and type(b) ~= "string" then
        at, value, want = 2, b, "string"
    elseif texts == 1 and b ~= nil and not is_number(b) then
        at, value, want = 2, b, "number of this module"
    elseif c ~= nil and not is_number(c) then
        at, value, want = 3, c, "number of this module"
    else
        return nil
    end
    return ("argument %d must be a %s, and is %s"):format(at, want, type(value) == "number" and value or type(value))
end

-- Tells whether the arguments are right, without work that takes long.
local function right(texts, a, b, c)
    return type(a) == "string" and (texts == 2 and type(b) == "string" or texts == 1 and b == nil) and c == nil
end

-- Makes a function of the module. `texts` says how many of its first arguments are texts; the other arguments are numbers
-- with these defaults. `call` calls C with the arguments and a buffer.
local function making(texts, call, second, third)
    return function(a, b, c)
        if not right(texts, a, b, c) then
            local message = wrong(texts, a, b, c)
            if message then
                return nil, message
            end
        end
        if b == nil then b = second end
        if c == nil then c = third end
        local room, size = buffer, capacity
        local length = tonumber(call(room, size, a, b, c))
        if length >= size then
            room, size = ffi.new("char[?]", length + 1), length + 1
            length = tonumber(call(room, size, a, b, c))
        end
        if length < 0 then
            return failed()
        end
        return ffi.string(room, length)
    end
end

-- Tells whether a text matches a rule, by default IRI.
function iri.is_valid(text, rule)
    if not right(1, text, rule) then
        local message = wrong(1, text, rule)
        if message then
            return nil, message
        end
    end
    return C.simd_iri_is_valid(rule or 0, text, #text)
end

-- Returns a table of the components that the text has, as they are written.
function iri.parse(text, rule)
    local message = wrong(1, text, rule)
    if message then
        return nil, message
    end
    if not C.simd_iri_parse(rule or 0, text, #text, parts, problem) then
        return failed()
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

-- Compares the keys of two references at a level, by default scheme: -1, 0 or 1.
function iri.compare(first, second, level)
    local message = wrong(2, first, second, level)
    if message then
        return nil, message
    end
    local order = C.simd_iri_compare(level or 2, first, #first, second, #second, problem)
    if order >= FIRST_REFUSED then
        return failed()
    end
    return order
end

-- Maps an IRI reference to a URI reference: (text, flags). Flag: idna.
iri.to_uri = making(1, function(room, size, text, flags)
    return C.simd_iri_to_uri(flags, text, #text, room, size, problem)
end, 0)

-- Maps a URI reference to an IRI reference: (text, flags). Flag: idna.
iri.to_iri = making(1, function(room, size, text, flags)
    return C.simd_iri_to_iri(flags, text, #text, room, size, problem)
end, 0)

-- Normalizes a text that matches a rule: (text, level, rule), by default at the level syntax, and IRI-reference.
iri.normalize = making(1, function(room, size, text, level, rule)
    return C.simd_iri_normalize(rule, level, text, #text, room, size, problem)
end, 1, 1)

-- Resolves a reference relative to a base: (base, text, flags). Flag: lenient.
iri.resolve = making(2, function(room, size, base, text, flags)
    return C.simd_iri_resolve(flags, base, #base, text, #text, room, size, problem)
end, nil, 0)

-- Makes a reference of an arbitrary text: (text, profile, flags), by default by the profile rdf. Flags: bytes, uri,
-- idna.
iri.prepare = making(1, function(room, size, text, profile, flags)
    return C.simd_iri_prepare(profile, flags, text, #text, room, size, problem)
end, 4, 0)

-- Returns the key by which a reference is compared: (text, level), by default at the level scheme.
iri.key = making(1, function(room, size, text, level)
    return C.simd_iri_key(level, text, #text, room, size, problem)
end, 2)

-- Returns a host in Unicode: (host).
iri.host_to_unicode = making(1, function(room, size, host)
    return C.simd_iri_host_to_unicode(host, #host, room, size, problem)
end)

-- Maps a target in origin-form to a URI: (target, flags). Flags: repair, normalize, iri.
iri.target = making(1, function(room, size, target, flags)
    return C.simd_iri_target_transform(flags, target, #target, room, size, problem)
end, 0)

-- Returns the names that a legacy target may stand for (RFC 3987, section 7.7), with a space between them: (target).
iri.names = making(1, function(room, size, target)
    return C.simd_iri_target_names(target, #target, room, size, problem)
end)

-- Tells whether the target of a request, in origin-form, is a valid path and query.
function iri.check_target(target)
    local message = wrong(1, target)
    if message then
        return nil, message
    end
    if C.simd_iri_target_parse(target, #target, nil, problem) then
        return true
    end
    return failed()
end

local map_field = making(2, function(room, size, name, value, flags)
    local length = C.simd_iri_field_to_uri(flags, name, #name, value, #value, room, size, left, problem)
    if length == NO_REFERENCES then
        left[0] = 0
        length = #value
        if length < size then ffi.copy(room, value) end
    end
    return length
end, nil, 0)

-- Maps the references in the value of a field of HTTP: (name, value, flags). Returns the value, which is the same if fields
-- with this name have no references, and the number of references that stay. Flags: idna, repair.
function iri.field_to_uri(name, value, flags)
    local mapped, message, why = map_field(name, value, flags)
    if not mapped then
        return nil, message, why
    end
    return mapped, tonumber(left[0])
end

return iri

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
typedef struct simd_iri_text {
    const char *start;
    size_t length;
} simd_iri_text;
typedef struct simd_iri_components {
    simd_iri_text scheme, userinfo, host, port, path, query, fragment;
} simd_iri_components;
typedef struct simd_iri_variable {
    simd_iri_text name, value, key;
} simd_iri_variable;
typedef struct simd_iri_capture {
    uint32_t name, name_end, start, end, is_item, is_encoded;
} simd_iri_capture;
typedef struct simd_iri_verdict {
    uint64_t reasons;
    uint32_t decision, reserved;
} simd_iri_verdict;
typedef struct simd_iri_query_rules simd_iri_query_rules;
bool simd_iri_parse(uint32_t rule, const char *text, size_t length, simd_iri_parts *parts, simd_iri_error *error);
bool simd_iri_is_valid(uint32_t rule, const char *text, size_t length);
ptrdiff_t simd_iri_violations(uint32_t rule, const char *text, size_t length, simd_iri_error *violations,
                              size_t capacity, simd_iri_error *error);
int32_t simd_iri_host_kind(const char *text, size_t length, simd_iri_error *error);
int32_t simd_iri_port(const char *text, size_t length, simd_iri_error *error);
ptrdiff_t simd_iri_origin(const char *text, size_t length, char *buffer, size_t capacity, simd_iri_error *error);
ptrdiff_t simd_iri_query_value(const char *name, size_t name_length, const char *text, size_t length, char *buffer,
                               size_t capacity, simd_iri_error *error);
ptrdiff_t simd_iri_masked(const char *text, size_t length, char *buffer, size_t capacity, simd_iri_error *error);
ptrdiff_t simd_iri_redact(uint32_t part, uint32_t flags, const char *sets, size_t sets_length, const char *text,
                          size_t length, char *buffer, size_t capacity, simd_iri_error *error);
ptrdiff_t simd_iri_judge(uint32_t flags, const char *text, size_t length, char *buffer, size_t capacity,
                         simd_iri_verdict *verdict, simd_iri_error *error);
ptrdiff_t simd_iri_judge_address(const char *address, size_t length, char *buffer, size_t capacity,
                                 simd_iri_error *error);
ptrdiff_t simd_iri_archive_key(uint32_t profile, const char *text, size_t length, char *buffer, size_t capacity,
                               simd_iri_error *error);
ptrdiff_t simd_iri_unwrap(uint32_t levels, const simd_iri_query_rules *rules, const char *text, size_t length,
                          char *buffer, size_t capacity, simd_iri_error *error);
simd_iri_query_rules *simd_iri_query_rules_new(uint32_t format, uint32_t flags, const char *text, size_t length,
                                               simd_iri_error *error);
void simd_iri_query_rules_free(simd_iri_query_rules *rules);
ptrdiff_t simd_iri_query_rules_skipped(const simd_iri_query_rules *rules, simd_iri_error *skipped, size_t capacity,
                                       simd_iri_error *error);
ptrdiff_t simd_iri_query_rules_apply(const simd_iri_query_rules *rules, const char *text, size_t length, char *buffer,
                                     size_t capacity, simd_iri_error *error);
ptrdiff_t simd_iri_template_expand(uint32_t flags, const char *template_text, size_t template_length,
                                   const simd_iri_variable *variables, size_t count, char *buffer, size_t capacity,
                                   simd_iri_error *error);
ptrdiff_t simd_iri_template_match(uint32_t flags, const char *template_text, size_t template_length, const char *text,
                                  size_t length, simd_iri_capture *captures, size_t capacity, simd_iri_error *error);
bool simd_iri_is_hostname(uint32_t flags, const char *text, size_t length);
ptrdiff_t simd_iri_relativize(const char *base, size_t base_length, const char *text, size_t length, char *buffer,
                              size_t capacity, simd_iri_error *error);
ptrdiff_t simd_iri_to_uri_in_charset(const char *charset, size_t charset_length, const char *text, size_t length,
                                     char *buffer, size_t capacity, simd_iri_error *error);
ptrdiff_t simd_iri_interpret(const char *charset, size_t charset_length, const char *text, size_t length, char *buffer,
                             size_t capacity, simd_iri_error *error);
ptrdiff_t simd_iri_set_component(uint32_t component, const char *value, size_t value_length, const char *text,
                                 size_t length, char *buffer, size_t capacity, simd_iri_error *error);
ptrdiff_t simd_iri_build(uint32_t flags, const simd_iri_components *components, char *buffer, size_t capacity,
                         simd_iri_error *error);
ptrdiff_t simd_iri_drop_query_pairs(const char *name, size_t name_length, const char *text, size_t length,
                                    char *buffer, size_t capacity, simd_iri_error *error);
ptrdiff_t simd_iri_percent_encode(uint32_t place, const char *text, size_t length, char *buffer, size_t capacity,
                                  simd_iri_error *error);
ptrdiff_t simd_iri_percent_decode(const char *text, size_t length, char *buffer, size_t capacity,
                                  simd_iri_error *error);
ptrdiff_t simd_iri_from_posix_path(const char *name, size_t name_length, char *buffer, size_t capacity,
                                   simd_iri_error *error);
ptrdiff_t simd_iri_from_windows_path(const char *name, size_t name_length, char *buffer, size_t capacity,
                                     simd_iri_error *error);
ptrdiff_t simd_iri_to_posix_path(const char *text, size_t length, char *buffer, size_t capacity,
                                 simd_iri_error *error);
ptrdiff_t simd_iri_to_windows_path(const char *text, size_t length, char *buffer, size_t capacity,
                                   simd_iri_error *error);
ptrdiff_t simd_iri_escape(uint32_t format, uint32_t flags, const char *text, size_t length, char *buffer,
                          size_t capacity, simd_iri_error *error);
ptrdiff_t simd_iri_unescape(uint32_t format, const char *text, size_t length, char *buffer, size_t capacity,
                            simd_iri_error *error);
bool simd_iri_fingerprint(uint32_t level, const char *text, size_t length, uint64_t *fingerprint,
                          simd_iri_error *error);
ptrdiff_t simd_iri_host_to_ascii(const char *host, size_t length, char *buffer, size_t capacity,
                                 simd_iri_error *error);
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
iri.flag = {
    idna = 1, lenient = 2, bytes = 4, uri = 8, repair = 16, normalize = 32, iri = 64, ascii = 128,
    query_as_set = 256, known_pairs = 512, single_pairs = 1024, strip_userinfo = 2048, no_literals = 4096,
    semicolons = 8192, any_case = 16384, nested = 32768, allow_referral = 65536, keep_mark = 131072,
}
iri.part = { reference = 0, target = 1, query = 2, text = 3 }
iri.rules = { toml = 0, clearurls = 1, adguard = 2 }
iri.archive = { wayback = 0, pywb = 1, heritrix = 2, urlcanon = 3, ssurt = 4 }
iri.component = {
    scheme = 1, authority = 2, userinfo = 3, host = 4, port = 5, path = 6, query = 7, fragment = 8,
}
iri.place = {
    userinfo = 0, reg_name = 1, path = 2, segment = 3, segment_nc = 4, query = 5, query_part = 6, fragment = 7,
    unreserved = 8,
}
iri.format = { html = 0, xml = 1, json = 2, css = 3, n_triples = 4, plain = 5 }

iri.version = ffi.string(C.simd_iri_version())

local parts = ffi.new("simd_iri_parts")
local problem = ffi.new("simd_iri_error")
local left = ffi.new("size_t[1]")
local halves = ffi.new("uint64_t[2]")
local components = ffi.new("simd_iri_components")
-- The strings to which a structure points. A local table would be garbage while the last call of its function runs.
local texts
local verdict = ffi.new("simd_iri_verdict")
-- Only one call at a time uses this memory, because no call yields. A longer result has memory of its own, which is not kept.
local capacity = 4096
local buffer = ffi.new("char[?]", capacity)

-- The numbers of simd_iri.h.
local RULES, DOT_SEGMENT, ARGUMENT, NONE, FIRST_REFUSED = 248, 251, 254, -2, 2

-- No value of a list has this number.
local UNKNOWN = 2 ^ 32 - 1

local function written(write, error)
    local text = ffi.new("char[256]")
    write(error, text, 256)
    return ffi.string(text)
end

-- Returns the table of an error: text:sub(first, last) is its place in the text.
local function described(error)
    return {
        kind = written(C.simd_iri_error_name, error),
        component = written(C.simd_iri_error_component, error),
        first = error.start + 1,
        last = error["end"],
    }
end

-- Returns nil, the message of the last error, and the table of the error. An error about something else than a reference
-- has no table.
local function failed()
    local message = written(C.simd_iri_error_message, problem)
    if problem.kind >= DOT_SEGMENT then
        return nil, message
    end
    return nil, message, described(problem)
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
        if length == NONE then
            return nil
        elseif length < 0 then
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

-- Returns all violations of a rule, by default IRI: a list of tables like those of errors, in the order of the text.
function iri.violations(text, rule)
    local message = wrong(1, text, rule)
    if message then
        return nil, message
    end
    local count = tonumber(C.simd_iri_violations(rule or 0, text, #text, nil, 0, problem))
    if count < 0 then
        return failed()
    end
    local errors = ffi.new("simd_iri_error[?]", count)
    C.simd_iri_violations(rule or 0, text, #text, errors, count, problem)
    local found = {}
    for i = 1, count do
        found[i] = described(errors[i - 1])
    end
    return found
end

-- Makes a function of one text whose result is a number of C. `name` makes the result of this number.
local function numbering(call, name)
    return function(text)
        local message = wrong(1, text)
        if message then
            return nil, message
        end
        local number = call(text, #text, problem)
        if number == NONE then
            return nil
        elseif number < 0 then
            return failed()
        end
        return name(number)
    end
end

local host_kinds = { [0] = "reg-name", "ipv4", "ipv6", "ipvfuture" }

-- Returns the kind of the host of a reference: reg-name, ipv4, ipv6 or ipvfuture; nil without a host.
iri.host_kind = numbering(C.simd_iri_host_kind, function(number) return host_kinds[number] end)

-- Returns the port of a reference as a number, or the port that its scheme implies; nil without one.
iri.port = numbering(C.simd_iri_port, function(number) return number end)

-- Tells whether a text is the name of a host: (text, flags). Flag: idna, for names with letters of all scripts.
function iri.is_hostname(text, flags)
    local message = wrong(1, text, flags)
    if message then
        return nil, message
    end
    return C.simd_iri_is_hostname(flags or 0, text, #text)
end

-- Returns the lower 64 bits of the fingerprint of a key at a level, by default scheme, as a decimal number in a string.
function iri.fingerprint(text, level)
    local message = wrong(1, text, level)
    if message then
        return nil, message
    end
    if not C.simd_iri_fingerprint(level or 2, text, #text, halves, problem) then
        return failed()
    end
    return (tostring(halves[0]):gsub("ULL$", ""))
end

-- Returns the origin of a reference: (text). nil for an opaque origin.
iri.origin = making(1, function(room, size, text)
    return C.simd_iri_origin(text, #text, room, size, problem)
end)

-- Returns the decoded value of the first pair of the query with a name: (text, name). nil without such a pair.
iri.query_value = making(2, function(room, size, text, name)
    return C.simd_iri_query_value(name, #name, text, #text, room, size, problem)
end)

-- Returns any text with three asterisks in place of what may be a password: (text).
iri.masked = making(1, function(room, size, text)
    return C.simd_iri_masked(text, #text, room, size, problem)
end)

-- The part of a redaction.
local what

local redact = making(2, function(room, size, text, sets, flags)
    return C.simd_iri_redact(what, flags, sets, #sets, text, #text, room, size, problem)
end, nil, 0)

-- Returns any text without its secrets: (text, sets, part, flags). The sets are names separated by commas, by default otel;
-- none is user information alone. Flags: semicolons, any_case, nested.
function iri.redact(text, sets, part, flags)
    if sets == nil then sets = "" end
    local message = wrong(2, text, sets, part)
    if message then
        return nil, message
    elseif flags ~= nil and not is_number(flags) then
        return nil, "argument 4 must be a number of this module, and is " .. type(flags)
    end
    what = part or iri.part.reference
    return redact(text, sets, flags)
end

-- Returns the key by which web archives find an address: (text, tool), by default archive.pywb.
iri.archive_key = making(1, function(room, size, text, tool)
    return C.simd_iri_archive_key(tool, text, #text, room, size, problem)
end, iri.archive.pywb)

local decisions = { [0] = "refuse", "allow", "resolve" }

-- In the order of the numbers of simd_iri.h.
local reasons = {
    "control-or-space", "backslash", "not-utf8", "no-scheme", "scheme", "no-host", "invalid-rfc3987", "invalid-whatwg",
    "userinfo", "readings-differ", "empty-label", "host-too-long", "metadata-name", "special-name", "refused-name",
    "not-listed", "literal", "address", "port", "base", "downgrade", "too-many-redirects",
}

local judge = making(1, function(room, size, text, flags)
    local length = C.simd_iri_judge(flags, text, #text, room, size, verdict, problem)
    if length ~= NONE then
        return length
    end
    -- No URL to send is empty.
    room[0] = 0
    return 0
end, 0)

-- Judges a URL before it is fetched: (text, flags). Returns a table with the decision (refuse, allow or resolve), the list of
-- all reasons, and, unless the text is refused, the url to send. Flags: strip_userinfo, no_literals.
function iri.judge(text, flags)
    local url, message, why = judge(text, flags)
    if not url then
        return nil, message, why
    end
    local found, bits = {}, tonumber(verdict.reasons)
    for number, name in ipairs(reasons) do
        if math.floor(bits / 2 ^ (number - 1)) % 2 == 1 then found[#found + 1] = name end
    end
    return { decision = decisions[verdict.decision], reasons = found, url = url ~= "" and url or nil }
end

local judge_address = making(1, function(room, size, address)
    local length = C.simd_iri_judge_address(address, #address, room, size, problem)
    if length ~= NONE then
        return length
    end
    room[0] = 0
    return 0
end)

-- Judges an address to which a name resolves: (address). Returns true if it is not refused; or false and the range because of
-- which it is refused.
function iri.judge_address(address)
    local range, message = judge_address(address)
    if not range then
        return nil, message
    elseif range == "" then
        return true
    end
    return false, range
end

-- The pointers to rules by the tables that stand for them. LuaJIT ends the rules when nothing refers to their table.
local pointers = setmetatable({}, { __mode = "k" })
-- The rules of the call that runs.
local used

local unwrap = making(1, function(room, size, text, levels)
    return C.simd_iri_unwrap(levels, used, text, #text, room, size, problem)
end, 1)

-- Returns a link without the wrappers that mail filters and sites have put around it: (text, levels, rules), by default one
-- level. The wrappers of the rules, which are of query_rules, are unwrapped, too.
function iri.unwrap(text, levels, rules)
    local message = wrong(1, text, levels)
    used = rules ~= nil and pointers[rules] or nil
    if not message and rules ~= nil and not used then
        message = "argument 3 must be rules of query_rules, and is " .. type(rules)
    end
    if message then
        return nil, message
    end
    return unwrap(text, levels)
end

-- Returns the table of an error of rules.
local function described_rule(error)
    return {
        kind = written(C.simd_iri_error_name, error),
        message = written(C.simd_iri_error_message, error),
        line = error.start,
        column = error["end"],
    }
end

local apply = making(1, function(room, size, text)
    return C.simd_iri_query_rules_apply(used, text, #text, room, size, problem)
end)

local Rules = {}
Rules.__index = Rules

-- Returns a reference without the pairs of the query that the rules name: rules:apply(text).
function Rules:apply(text)
    used = self ~= nil and pointers[self] or nil
    if not used then
        return nil, "rules must be of query_rules, and are " .. type(self)
    end
    return apply(text)
end

-- Reads rules that remove pairs of queries, once for all references: (text, format, flags), by default in the format
-- rules.toml. Returns a table with the method apply, and with the list skipped: why lines of a filter list are not applied.
-- Flags: allow_referral, keep_mark. The table of an error has the line and the column.
function iri.query_rules(text, format, flags)
    local message = wrong(1, text, format, flags)
    if message then
        return nil, message
    end
    local pointer = C.simd_iri_query_rules_new(format or 0, flags or 0, text, #text, problem)
    if pointer == nil then
        message = written(C.simd_iri_error_message, problem)
        if problem.kind ~= RULES then
            return nil, message
        end
        return nil, message, described_rule(problem)
    end
    pointer = ffi.gc(pointer, C.simd_iri_query_rules_free)
    local count = tonumber(C.simd_iri_query_rules_skipped(pointer, nil, 0, problem))
    local errors = ffi.new("simd_iri_error[?]", count)
    C.simd_iri_query_rules_skipped(pointer, errors, count, problem)
    local skipped = {}
    for i = 1, count do
        skipped[i] = described_rule(errors[i - 1])
    end
    local rules = setmetatable({ skipped = skipped }, Rules)
    pointers[rules] = pointer
    return rules
end

-- The variables of an expansion, and their number.
local variables, count

local expand = making(1, function(room, size, template, flags)
    return C.simd_iri_template_expand(flags, template, #template, variables, count, room, size, problem)
end, 0)

-- Returns the text of a value in a template, or nil for a value that is not a text.
local function text_of(value)
    local kind = type(value)
    if kind == "string" then
        return value
    elseif kind == "number" or kind == "boolean" then
        return tostring(value)
    end
end

-- Returns the names and the values of a map. The names are sorted, because a table has no order.
local function pairs_of(map)
    local names = {}
    for name in pairs(map) do names[#names + 1] = name end
    table.sort(names, function(one, other) return tostring(one) < tostring(other) end)
    return names
end

-- Puts values into the place of the expressions of a template (RFC 6570): (template, values, flags). The values are a table of
-- texts, lists and maps by their names. Flag: iri.
function iri.template_expand(template, values, flags)
    if type(values) ~= "table" then
        return nil, "argument 2 must be a table, and is " .. type(values)
    elseif flags ~= nil and not is_number(flags) then
        return nil, "argument 3 must be a number of this module, and is " .. type(flags)
    end
    -- Name, value and key of each variable. false is no key.
    texts = {}
    local function add(name, value, key)
        local text = text_of(value)
        if type(name) ~= "string" or key ~= false and type(key) ~= "string" or text == nil then
            return false
        end
        local last = #texts
        texts[last + 1], texts[last + 2], texts[last + 3] = name, text, key
        return true
    end
    for name, value in pairs(values) do
        local is_right = true
        if type(value) ~= "table" then
            is_right = add(name, value, false)
        elseif #value > 0 then
            for _, item in ipairs(value) do is_right = add(name, item, false) and is_right end
        else
            for _, key in ipairs(pairs_of(value)) do is_right = add(name, value[key], key) and is_right end
        end
        if not is_right then
            return nil, "a value of a template must be a string, or a table of strings"
        end
    end
    count = #texts / 3
    variables = ffi.new("simd_iri_variable[?]", count)
    for i = 0, count - 1 do
        local name, value, key = texts[3 * i + 1], texts[3 * i + 2], texts[3 * i + 3]
        local one = variables[i]
        one.name.start, one.name.length = name, #name
        one.value.start, one.value.length = value, #value
        if key then
            one.key.start, one.key.length = key, #key
        end
    end
    return expand(template, flags)
end

-- Most matches find fewer values.
local MOST = 16
local captures = ffi.new("simd_iri_capture[?]", MOST)

-- Reads the values of a template from a text: (template, text, flags). Returns a table of texts and lists by their names, or
-- nil if the template does not match. Flags: query_as_set, known_pairs, single_pairs.
function iri.template_match(template, text, flags)
    local message = wrong(2, template, text, flags)
    if message then
        return nil, message
    end
    local function match(places, most)
        return tonumber(
            C.simd_iri_template_match(flags or 0, template, #template, text, #text, places, most, problem)
        )
    end
    local places, number = captures, match(captures, MOST)
    if number > MOST then
        places = ffi.new("simd_iri_capture[?]", number)
        number = match(places, number)
    end
    if number == NONE then
        return nil
    elseif number < 0 then
        return failed()
    end
    local found = {}
    for i = 0, number - 1 do
        local one = places[i]
        local name, value = template:sub(one.name + 1, one.name_end), text:sub(one.start + 1, one["end"])
        if one.is_encoded == 1 then value = iri.percent_decode(value) end
        if one.is_item == 0 then
            found[name] = value
        else
            local list = found[name] or {}
            list[#list + 1] = value
            found[name] = list
        end
    end
    return found
end

-- Makes an IRI relative to a base: (base, text).
iri.relativize = making(2, function(room, size, base, text)
    return C.simd_iri_relativize(base, #base, text, #text, room, size, problem)
end)

-- Maps an IRI reference to a URI reference whose query is in a charset: (text, charset).
iri.to_uri_in_charset = making(2, function(room, size, text, charset)
    return C.simd_iri_to_uri_in_charset(charset, #charset, text, #text, room, size, problem)
end)

-- Returns what a reference means if its triplets are in a charset: (text, charset). nil without a meaning.
iri.interpret = making(2, function(room, size, text, charset)
    return C.simd_iri_interpret(charset, #charset, text, #text, room, size, problem)
end)

-- Removes the pairs of the query that have a name: (text, name).
iri.drop_query_pairs = making(2, function(room, size, text, name)
    return C.simd_iri_drop_query_pairs(name, #name, text, #text, room, size, problem)
end)

local set = making(2, function(room, size, text, value, component)
    return C.simd_iri_set_component(component, value, #value, text, #text, room, size, problem)
end)
local remove = making(1, function(room, size, text, component)
    return C.simd_iri_set_component(component, nil, 0, text, #text, room, size, problem)
end)

-- Replaces a component of a reference by a value, or removes it if the value is nil: (text, component, value). What the
-- component cannot hold, and every percent sign, is percent-encoded.
function iri.set_component(text, component, value)
    if not is_number(component) then
        return nil, "argument 2 must be a number of this module, and is " .. type(component)
    elseif value == nil then
        return remove(text, component)
    end
    return set(text, value, component)
end

local build = making(1, function(room, size, _, flags)
    return C.simd_iri_build(flags, components, room, size, problem)
end, 0)

-- Builds a reference of a table with texts: scheme, userinfo, host, port, path, query, fragment. Flag: uri.
function iri.build(of, flags)
    if type(of) ~= "table" then
        return nil, "argument 1 must be a table, and is " .. type(of)
    elseif flags ~= nil and not is_number(flags) then
        return nil, "argument 2 must be a number of this module, and is " .. type(flags)
    end
    texts = {}
    for _, name in ipairs { "scheme", "userinfo", "host", "port", "path", "query", "fragment" } do
        local text = of[name]
        if type(text) == "number" then
            text = ("%d"):format(text)
        elseif text ~= nil and type(text) ~= "string" then
            return nil, ("the %s must be a string, and is %s"):format(name, type(text))
        end
        texts[name] = text
        components[name].start, components[name].length = text, text and #text or 0
    end
    return build("", flags)
end

-- Percent-encodes a value for a place in a URI: (text, place), by default a segment of a path.
iri.percent_encode = making(1, function(room, size, text, place)
    return C.simd_iri_percent_encode(place, text, #text, room, size, problem)
end, iri.place.segment)

-- Percent-decodes a value: (text). The result may hold any bytes.
iri.percent_decode = making(1, function(room, size, text)
    return C.simd_iri_percent_decode(text, #text, room, size, problem)
end)

-- Makes the IRI of the absolute name of a file on a POSIX system, or on Windows: (name).
iri.from_posix_path = making(1, function(room, size, name)
    return C.simd_iri_from_posix_path(name, #name, room, size, problem)
end)
iri.from_windows_path = making(1, function(room, size, name)
    return C.simd_iri_from_windows_path(name, #name, room, size, problem)
end)

-- Returns the name of the file that an IRI identifies on a POSIX system, or on Windows: (text).
iri.to_posix_path = making(1, function(room, size, text)
    return C.simd_iri_to_posix_path(text, #text, room, size, problem)
end)
iri.to_windows_path = making(1, function(room, size, text)
    return C.simd_iri_to_windows_path(text, #text, room, size, problem)
end)

-- Returns a reference as it is written in a document: (text, format, flags). Flag: ascii.
iri.escape = making(1, function(room, size, text, format, flags)
    return C.simd_iri_escape(format, flags, text, #text, room, size, problem)
end, UNKNOWN, 0)

-- Decodes the escapes of a text of a document: (text, format).
iri.unescape = making(1, function(room, size, text, format)
    return C.simd_iri_unescape(format, text, #text, room, size, problem)
end, UNKNOWN)

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

-- Returns a host in ASCII, as the DNS needs it: (host).
iri.host_to_ascii = making(1, function(room, size, host)
    return C.simd_iri_host_to_ascii(host, #host, room, size, problem)
end)

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
    if length == NONE then
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

-- IRIs (RFC 3987) and URIs (RFC 3986) for LuaJIT, and so for OpenResty and the Lua module of nginx.
--
--     local iri = require "simd_iri"
--     local uri, why = iri.to_uri("http://例え.jp/é")
--
-- The functions call libsimd_iri.so, which scripts/install-c installs. A function that fails returns nil, a message, and, if
-- the text is refused, a table that says where. An argument of a wrong type raises no error. A name that a table of numbers
-- does not have, such as iri.rule.iri_ref, raises one: as nil, it would be the default.
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

-- Makes a table of numbers, which raises an error about a name that it does not have.
local function numbers(of, values)
    local names = {}
    for name in pairs(values) do names[#names + 1] = name end
    table.sort(names)
    local has = table.concat(names, ", ")
    return setmetatable(values, {
        __index = function(_, name) error(("iri.%s has no %s; it has %s"):format(of, tostring(name), has), 2) end,
    })
end

-- The numbers of simd_iri.h.
iri.rule = numbers("rule", {
    iri = 0, iri_reference = 1, absolute_iri = 2, irelative_ref = 3,
    uri = 4, uri_reference = 5, absolute_uri = 6, relative_ref = 7,
})
iri.level = numbers("level", { simple = 0, syntax = 1, scheme = 2, scheme_idna = 3 })
iri.profile = numbers("profile", { strict = 0, leiri = 1, browser_like = 2, crawler = 3, rdf = 4 })
iri.flag = numbers("flag", {
    idna = 1, lenient = 2, bytes = 4, uri = 8, repair = 16, normalize = 32, iri = 64, ascii = 128,
    query_as_set = 256, known_pairs = 512, single_pairs = 1024, strip_userinfo = 2048, no_literals = 4096,
    semicolons = 8192, any_case = 16384, nested = 32768, allow_referral = 65536, keep_mark = 131072,
})
iri.part = numbers("part", { reference = 0, target = 1, query = 2, text = 3 })
iri.rules = numbers("rules", { toml = 0, clearurls = 1, adguard = 2 })
iri.archive = numbers("archive", { wayback = 0, pywb = 1, heritrix = 2, urlcanon = 3, ssurt = 4 })
iri.component = numbers("component", {
    scheme = 1, authority = 2, userinfo = 3, host = 4, port = 5, path = 6, query = 7, fragment = 8,
})
iri.place = numbers("place", {
    userinfo = 0, reg_name = 1, path = 2, segment = 3, segment_nc = 4, query = 5, query_part = 6, fragment = 7,
    unreserved = 8,
})
iri.format = numbers("format", { html = 0, xml = 1, json = 2, css = 3, n_triples = 4, plain = 5 })

iri.version = ffi.string(C.simd_iri_version())

-- Most results are shorter, and most matches find fewer values. A longer result has memory of its own, which is not kept.
local CAPACITY, MOST = 4096, 16

-- The memory of calls that is free: each has the next one. A call takes memory and gives it back at its end, so that the
-- memory of two calls is never the same. A call may run inside another one: a finalizer, a hook and a metamethod may call the
-- module, and a metamethod may yield to a coroutine that does.
local free

-- Takes the memory of a call. A hook may call the module between two steps here; its call then takes and gives back the same
-- memory before this call uses it.
local function take()
    local call = free
    if call then
        free = call.next
        return call
    end
    return {
        buffer = ffi.new("char[?]", CAPACITY),
        problem = ffi.new("simd_iri_error"),
        parts = ffi.new("simd_iri_parts"),
        captures = ffi.new("simd_iri_capture[?]", MOST),
    }
end

-- Gives the memory of a call back and returns the results. A call that raises an error, in a metamethod, gives nothing back.
local function done(call, ...)
    call.held = nil
    call.next = free
    free = call
    return ...
end

-- The numbers of simd_iri.h.
local RULES, DOT_SEGMENT, ARGUMENT, NONE, FIRST_REFUSED = 248, 251, 254, -2, 2

-- What an argument must be: its type, and what C refuses of this type.
local kinds = {
    text = { "string", "a string in UTF-8" },
    charset = { "string", 'a string with the label of a charset, such as "shift_jis"' },
    sets = { "string", 'a string with names of sets, such as "oauth,common", or "none"' },
    address = { "string", 'a string with an address, such as "10.0.0.1"' },
    values = { "table", "a table of strings in UTF-8" },
    levels = { "number", "a number from 0" },
    flags = { "number", "a number of iri.flag that this function knows" },
}
for name, value in pairs(iri) do
    if type(value) == "table" then kinds[name] = { "number", "a number of iri." .. name } end
end

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

-- Returns the message about an argument.
local function about(at, kind, value)
    local want, is = kinds[kind], type(value)
    if is == want[1] and is ~= "number" then
        return ("argument %d must be %s"):format(at, want[2])
    elseif is == "number" then
        is = ("%.14g"):format(value)
    end
    return ("argument %d must be %s, and is %s"):format(at, want[1] == "number" and want[2] or "a " .. want[1], is)
end

-- Returns nil, the message of an error, and the table of the error. An error about something else than a reference has no
-- table. `arguments` are those of the function, which are a, b, c and d.
local function failed(problem, arguments, a, b, c, d)
    if problem.kind == ARGUMENT then
        for at, argument in ipairs(arguments) do
            if argument[2] == problem.hint then
                return nil, about(at, argument[1], (select(at, a, b, c, d)))
            end
        end
    end
    local message = written(C.simd_iri_error_message, problem)
    if problem.kind >= DOT_SEGMENT then
        return nil, message
    end
    return nil, message, described(problem)
end

local function is_number(value)
    return type(value) == "number" and value >= 0 and value < 2 ^ 32 and value % 1 == 0
end

-- Returns a message about the first argument of a wrong type. Only a number, and what is optional, may be nil.
local function wrong(arguments, a, b, c, d)
    for at, argument in ipairs(arguments) do
        local value, want = (select(at, a, b, c, d)), kinds[argument[1]][1]
        local is_right
        if value == nil then
            is_right = argument.is_optional or want == "number" and not argument.is_needed
        elseif want == "number" then
            is_right = is_number(value)
        else
            is_right = type(value) == want
        end
        if not is_right then
            return about(at, argument[1], value)
        end
    end
end

-- Makes a function of the module. `arguments` has the kind of each argument, and its number in C, by which C names it in an
-- error. First are texts, then numbers with these defaults. `run` calls C: with the memory of the call, a buffer, the
-- arguments, and one more value, which lives until the end of the call.
local function making(arguments, run, second, third, fourth)
    local has_two = arguments[2] ~= nil and kinds[arguments[2][1]][1] == "string"
    local needs_second = arguments[2] ~= nil and arguments[2].is_needed
    return function(a, b, c, d, held)
        -- Without work that takes long, for the most frequent arguments.
        local is_right = type(a) == "string" and c == nil and d == nil
        if has_two then
            is_right = is_right and type(b) == "string"
        else
            is_right = is_right and b == nil and not needs_second
        end
        if not is_right then
            local message = wrong(arguments, a, b, c, d)
            if message then
                return nil, message
            end
        end
        if b == nil then b = second end
        if c == nil then c = third end
        if d == nil then d = fourth end
        local call = take()
        call.held = held
        local room, size = call.buffer, CAPACITY
        local length = tonumber(run(call.problem, room, size, a, b, c, d, held))
        if length >= size then
            room, size = ffi.new("char[?]", length + 1), length + 1
            length = tonumber(run(call.problem, room, size, a, b, c, d, held))
        end
        if length == NONE then
            return done(call, nil)
        elseif length < 0 then
            return done(call, failed(call.problem, arguments, a, b, c, d))
        end
        return done(call, ffi.string(room, length))
    end
end

-- The arguments of functions.
local TEXT = { { "text", 1 } }
local TEXT_RULE = { { "text", 2 }, { "rule", 1 } }
local TEXT_LEVEL = { { "text", 2 }, { "level", 1 } }
local TEXT_FLAGS = { { "text", 2 }, { "flags", 1 } }

local is_rule = {}
for _, number in pairs(iri.rule) do is_rule[number] = true end

-- Tells whether a text matches a rule, by default IRI.
function iri.is_valid(text, rule)
    if type(text) ~= "string" or rule ~= nil and not is_rule[rule] then
        return nil, wrong(TEXT_RULE, text, rule) or about(2, "rule", rule)
    end
    return C.simd_iri_is_valid(rule or 0, text, #text)
end

-- Returns the components of a text, whose offsets are `parts`.
local function components_of(text, parts)
    local found = { path = text:sub(parts.path + 1, parts.path_end) }
    local after_scheme = 0
    if parts.scheme_end > 0 then
        found.scheme = text:sub(1, parts.scheme_end)
        after_scheme = parts.scheme_end + 1
    end
    if parts.authority > after_scheme then
        found.authority = text:sub(parts.authority + 1, parts.path)
        found.host = text:sub(parts.host + 1, parts.host_end)
    end
    if parts.authority < parts.host then found.userinfo = text:sub(parts.authority + 1, parts.host - 1) end
    if parts.host_end < parts.path then found.port = text:sub(parts.host_end + 2, parts.path) end
    if parts.path_end < parts.query_end then found.query = text:sub(parts.path_end + 2, parts.query_end) end
    if parts.query_end < parts["end"] then found.fragment = text:sub(parts.query_end + 2, parts["end"]) end
    return found
end

-- Returns a table of the components that the text has, as they are written.
function iri.parse(text, rule)
    local message = wrong(TEXT_RULE, text, rule)
    if message then
        return nil, message
    end
    local call = take()
    if not C.simd_iri_parse(rule or 0, text, #text, call.parts, call.problem) then
        return done(call, failed(call.problem, TEXT_RULE, text, rule))
    end
    return done(call, components_of(text, call.parts))
end

local COMPARE = { { "text", 2 }, { "text", 4 }, { "level", 1 } }

-- Compares the keys of two references at a level, by default scheme: -1, 0 or 1.
function iri.compare(first, second, level)
    local message = wrong(COMPARE, first, second, level)
    if message then
        return nil, message
    end
    local call = take()
    local order = C.simd_iri_compare(level or 2, first, #first, second, #second, call.problem)
    if order >= FIRST_REFUSED then
        return done(call, failed(call.problem, COMPARE, first, second, level))
    end
    return done(call, order)
end

-- Returns all violations of a rule, by default IRI: a list of tables like those of errors, in the order of the text.
function iri.violations(text, rule)
    local message = wrong(TEXT_RULE, text, rule)
    if message then
        return nil, message
    end
    local call = take()
    local count = tonumber(C.simd_iri_violations(rule or 0, text, #text, nil, 0, call.problem))
    if count < 0 then
        return done(call, failed(call.problem, TEXT_RULE, text, rule))
    end
    local errors = ffi.new("simd_iri_error[?]", count)
    C.simd_iri_violations(rule or 0, text, #text, errors, count, call.problem)
    local found = {}
    for i = 1, count do
        found[i] = described(errors[i - 1])
    end
    return done(call, found)
end

-- Makes a function of one text whose result is a number of C. `name` makes the result of this number.
local function numbering(run, name)
    return function(text)
        local message = wrong(TEXT, text)
        if message then
            return nil, message
        end
        local call = take()
        local number = run(text, #text, call.problem)
        if number == NONE then
            return done(call, nil)
        elseif number < 0 then
            return done(call, failed(call.problem, TEXT, text))
        end
        return done(call, name(number))
    end
end

local host_kinds = { [0] = "reg-name", "ipv4", "ipv6", "ipvfuture" }

-- Returns the kind of the host of a reference: reg-name, ipv4, ipv6 or ipvfuture; nil without a host.
iri.host_kind = numbering(C.simd_iri_host_kind, function(number) return host_kinds[number] end)

-- Returns the port of a reference as a number, or the port that its scheme implies; nil without one, and nil and a message for
-- a port above 65535.
local port = numbering(C.simd_iri_port, function(number) return number end)

function iri.port(text)
    local number, message, why = port(text)
    if number == nil and message == nil then
        local written = iri.parse(text, iri.rule.iri_reference).port
        if written and written ~= "" then message = "the port is no number from 0 to 65535" end
    end
    return number, message, why
end

-- Tells whether a text is the name of a host: (text, flags). Flag: idna, for names with letters of all scripts.
function iri.is_hostname(text, flags)
    local message = wrong(TEXT_FLAGS, text, flags)
    if message or flags ~= nil and flags > iri.flag.idna then
        return nil, message or about(2, "flags", flags)
    end
    return C.simd_iri_is_hostname(flags or 0, text, #text)
end

-- Returns the lower 64 bits of the fingerprint of a key at a level, by default scheme, as a decimal number in a string.
function iri.fingerprint(text, level)
    local message = wrong(TEXT_LEVEL, text, level)
    if message then
        return nil, message
    end
    local call, halves = take(), ffi.new("uint64_t[2]")
    if not C.simd_iri_fingerprint(level or 2, text, #text, halves, call.problem) then
        return done(call, failed(call.problem, TEXT_LEVEL, text, level))
    end
    return done(call, (tostring(halves[0]):gsub("ULL$", "")))
end

-- Returns the origin of a reference: (text). nil for an opaque origin.
iri.origin = making(TEXT, function(problem, room, size, text)
    return C.simd_iri_origin(text, #text, room, size, problem)
end)

-- Returns the decoded value of the first pair of the query with a name: (text, name). nil without such a pair.
iri.query_value = making({ { "text", 3 }, { "text", 1 } }, function(problem, room, size, text, name)
    return C.simd_iri_query_value(name, #name, text, #text, room, size, problem)
end)

-- Returns any text with three asterisks in place of what may be a password: (text).
iri.masked = making(TEXT, function(problem, room, size, text)
    return C.simd_iri_masked(text, #text, room, size, problem)
end)

-- Returns any text without its secrets: (text, sets, part, flags). The sets are names separated by commas, by default
-- otel,oauth,common; none is user information alone. Flags: semicolons, any_case, nested, which running text has without
-- being asked.
iri.redact = making(
    { { "text", 5 }, { "sets", 3, is_optional = true }, { "part", 1 }, { "flags", 2 } },
    function(problem, room, size, text, sets, part, flags)
        return C.simd_iri_redact(part, flags, sets, #sets, text, #text, room, size, problem)
    end, "", iri.part.reference, 0
)

-- Returns the key by which web archives find an address: (text, tool), by default archive.pywb.
iri.archive_key = making({ { "text", 2 }, { "archive", 1 } }, function(problem, room, size, text, tool)
    return C.simd_iri_archive_key(tool, text, #text, room, size, problem)
end, iri.archive.pywb)

local decisions = { [0] = "refuse", "allow", "resolve" }

-- In the order of the numbers of simd_iri.h.
local reasons = {
    "control-or-space", "backslash", "not-utf8", "no-scheme", "scheme", "no-host", "invalid-rfc3987", "invalid-whatwg",
    "userinfo", "readings-differ", "empty-label", "host-too-long", "metadata-name", "special-name", "refused-name",
    "not-listed", "literal", "address", "port", "base", "downgrade", "too-many-redirects",
}

local judge = making(TEXT_FLAGS, function(problem, room, size, text, flags, _, _, verdict)
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
    local verdict = ffi.new("simd_iri_verdict")
    local url, message, why = judge(text, flags, nil, nil, verdict)
    if not url then
        return nil, message, why
    end
    local found, bits = {}, tonumber(verdict.reasons)
    for number, name in ipairs(reasons) do
        if math.floor(bits / 2 ^ (number - 1)) % 2 == 1 then found[#found + 1] = name end
    end
    return { decision = decisions[verdict.decision], reasons = found, url = url ~= "" and url or nil }
end

local judge_address = making({ { "address", 1 } }, function(problem, room, size, address)
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

-- Returns the pointer to rules, or nil for another value.
local function pointer_to(rules)
    return rules ~= nil and pointers[rules] or nil
end

local UNWRAP = { { "text", 3 }, { "levels", 1 } }

local unwrap = making(UNWRAP, function(problem, room, size, text, levels, _, _, rules)
    return C.simd_iri_unwrap(levels, rules, text, #text, room, size, problem)
end, 1)

-- Returns a link without the wrappers that mail filters and sites have put around it: (text, levels, rules), by default one
-- level. The wrappers of the rules, which are of query_rules, are unwrapped, too.
function iri.unwrap(text, levels, rules)
    local pointer = pointer_to(rules)
    local message = wrong(UNWRAP, text, levels)
    if not message and rules ~= nil and not pointer then
        message = "argument 3 must be rules of query_rules, and is " .. type(rules)
    end
    if message then
        return nil, message
    end
    return unwrap(text, levels, nil, nil, pointer)
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

local apply = making({ { "text", 2 } }, function(problem, room, size, text, _, _, _, rules)
    return C.simd_iri_query_rules_apply(rules, text, #text, room, size, problem)
end)

local Rules = {}
Rules.__index = Rules

-- Returns a reference without the pairs of the query that the rules name: rules:apply(text).
function Rules:apply(text)
    local pointer = pointer_to(self)
    if not pointer then
        return nil, "rules must be of query_rules, and are " .. type(self)
    end
    return apply(text, nil, nil, nil, pointer)
end

local RULES_OF = { { "text", 3 }, { "rules", 1 }, { "flags", 2 } }

-- Reads rules that remove pairs of queries, once for all references: (text, format, flags), by default in the format
-- rules.toml. Returns a table with the method apply, and with the list skipped: why lines of a filter list are not applied.
-- Flags: allow_referral, keep_mark. The table of an error has the line and the column.
function iri.query_rules(text, format, flags)
    local message = wrong(RULES_OF, text, format, flags)
    if message then
        return nil, message
    end
    local call = take()
    local problem = call.problem
    local pointer = C.simd_iri_query_rules_new(format or 0, flags or 0, text, #text, problem)
    if pointer == nil then
        if problem.kind ~= RULES then
            return done(call, failed(problem, RULES_OF, text, format, flags))
        end
        return done(call, nil, written(C.simd_iri_error_message, problem), described_rule(problem))
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
    return done(call, rules)
end

-- Returns the digits of a whole number that is exact, or nil: a reference with 1e+14 would be another one.
local function digits(number)
    if number % 1 ~= 0 or number > 2 ^ 53 or number < -2 ^ 53 then
        return nil
    end
    -- 0 may be -0.
    return number == 0 and "0" or ("%.0f"):format(number)
end

-- Returns the text of a value in a template, or nil for a value that is not a text.
local function text_of(value)
    local kind = type(value)
    if kind == "string" then
        return value
    elseif kind == "number" then
        return digits(value)
    elseif kind == "boolean" then
        return tostring(value)
    end
end

-- Returns the names of a map. They are sorted, because a table has no order.
local function names_of(map)
    local names = {}
    for name in pairs(map) do names[#names + 1] = name end
    table.sort(names, function(one, other) return tostring(one) < tostring(other) end)
    return names
end

local TEMPLATE = { { "text", 2 }, { "values", 4 }, { "flags", 1 } }

-- The texts to which the variables point live in the table `texts`.
local expand = making(TEMPLATE, function(problem, room, size, template, _, flags, _, texts)
    return C.simd_iri_template_expand(
        flags, template, #template, texts.variables, texts.count, room, size, problem
    )
end, nil, 0)

-- Puts values into the place of the expressions of a template (RFC 6570): (template, values, flags). The values are a table of
-- texts, lists and maps by their names. A whole number up to 2^53 is the text of its digits. Flag: iri.
function iri.template_expand(template, values, flags)
    local message = wrong(TEMPLATE, template, values, flags)
    if message then
        return nil, message
    end
    -- Name, value and key of each variable. false is no key.
    local texts = {}
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
            -- A list without other fields.
            is_right = is_right and #names_of(value) == #value
        else
            for _, key in ipairs(names_of(value)) do is_right = add(name, value[key], key) and is_right end
        end
        if not is_right then
            return nil, ("the variable %s must be a string, a whole number up to 2^53, or a list or a map of these"):format(
                tostring(name)
            )
        end
    end
    local count = #texts / 3
    local variables = ffi.new("simd_iri_variable[?]", count)
    for i = 0, count - 1 do
        local of, value, key = texts[3 * i + 1], texts[3 * i + 2], texts[3 * i + 3]
        local one = variables[i]
        one.name.start, one.name.length = of, #of
        one.value.start, one.value.length = value, #value
        if key then
            one.key.start, one.key.length = key, #key
        end
    end
    texts.variables, texts.count = variables, count
    return expand(template, values, flags, nil, texts)
end

local MATCH = { { "text", 2 }, { "text", 4 }, { "flags", 1 } }

-- Returns the captures of a template in a text, and their number; or what a call that fails returns.
local function matched(call, template, text, flags)
    local places, size = call.captures, MOST
    while true do
        local number = tonumber(
            C.simd_iri_template_match(flags, template, #template, text, #text, places, size, call.problem)
        )
        if number == NONE then
            return nil
        elseif number < 0 then
            return failed(call.problem, MATCH, template, text, flags)
        elseif number <= size then
            return places, number
        end
        places, size = ffi.new("simd_iri_capture[?]", number), number
    end
end

-- Reads the values of a template from a text: (template, text, flags). Returns a table of texts and lists by their names, or
-- nil if the template does not match. Flags: query_as_set, known_pairs, single_pairs.
function iri.template_match(template, text, flags)
    local message = wrong(MATCH, template, text, flags)
    if message then
        return nil, message
    end
    local call = take()
    local places, number, why = matched(call, template, text, flags or 0)
    if not places then
        if number == nil then
            return done(call, nil)
        end
        return done(call, nil, number, why)
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
    return done(call, found)
end

-- Makes an IRI relative to a base: (base, text).
iri.relativize = making({ { "text", 1 }, { "text", 3 } }, function(problem, room, size, base, text)
    return C.simd_iri_relativize(base, #base, text, #text, room, size, problem)
end)

-- Maps an IRI reference to a URI reference whose query is in a charset: (text, charset).
iri.to_uri_in_charset = making({ { "text", 3 }, { "charset", 1 } }, function(problem, room, size, text, charset)
    return C.simd_iri_to_uri_in_charset(charset, #charset, text, #text, room, size, problem)
end)

-- Returns what a reference means if its triplets are in a charset: (text, charset). nil without a meaning.
iri.interpret = making({ { "text", 3 }, { "charset", 1 } }, function(problem, room, size, text, charset)
    return C.simd_iri_interpret(charset, #charset, text, #text, room, size, problem)
end)

-- Removes the pairs of the query that have a name: (text, name).
iri.drop_query_pairs = making({ { "text", 3 }, { "text", 1 } }, function(problem, room, size, text, name)
    return C.simd_iri_drop_query_pairs(name, #name, text, #text, room, size, problem)
end)

-- Replaces a component of a reference by a value, or removes it if the value is nil: (text, component, value). What the
-- component cannot hold, and every percent sign, is percent-encoded.
iri.set_component = making(
    { { "text", 4 }, { "component", 1, is_needed = true }, { "text", 2, is_optional = true } },
    function(problem, room, size, text, component, value)
        return C.simd_iri_set_component(component, value, value and #value or 0, text, #text, room, size, problem)
    end
)

local BUILD = { { "values", 2 }, { "flags", 1 } }
local names = { "scheme", "userinfo", "host", "port", "path", "query", "fragment" }
local is_name = {}
for _, name in ipairs(names) do is_name[name] = true end

-- The texts to which the components point live in the table `texts`.
local build = making(BUILD, function(problem, room, size, _, flags, _, _, texts)
    return C.simd_iri_build(flags, texts.components, room, size, problem)
end, 0)

-- Builds a reference of a table with texts: scheme, userinfo, host, port, path, query, fragment. A table of `parse` is one: its
-- authority is made of three others. A whole number up to 2^53 is the text of its digits. Flag: uri.
function iri.build(of, flags)
    local message = wrong(BUILD, of, flags)
    if message then
        return nil, message
    end
    for name in pairs(of) do
        if not is_name[name] and not (name == "authority" and of.host ~= nil) then
            return nil, ("a reference has no %s; its components are %s"):format(tostring(name), table.concat(names, ", "))
        end
    end
    local texts, components = {}, ffi.new("simd_iri_components")
    for _, name in ipairs(names) do
        local value = of[name]
        local text = type(value) ~= "boolean" and text_of(value) or nil
        if value ~= nil and text == nil then
            local is = type(value) == "number" and ("%.14g"):format(value) or type(value)
            return nil, ("the %s must be a string or a whole number up to 2^53, and is %s"):format(name, is)
        end
        texts[name] = text
        components[name].start, components[name].length = text, text and #text or 0
    end
    texts.components = components
    return build(of, flags, nil, nil, texts)
end

-- Percent-encodes a value for a place in a URI: (text, place), by default a segment of a path.
iri.percent_encode = making({ { "text", 2 }, { "place", 1 } }, function(problem, room, size, text, place)
    return C.simd_iri_percent_encode(place, text, #text, room, size, problem)
end, iri.place.segment)

-- Percent-decodes a value: (text). The result may hold any bytes.
iri.percent_decode = making(TEXT, function(problem, room, size, text)
    return C.simd_iri_percent_decode(text, #text, room, size, problem)
end)

-- Makes the IRI of the absolute name of a file on a POSIX system, or on Windows: (name).
iri.from_posix_path = making(TEXT, function(problem, room, size, name)
    return C.simd_iri_from_posix_path(name, #name, room, size, problem)
end)
iri.from_windows_path = making(TEXT, function(problem, room, size, name)
    return C.simd_iri_from_windows_path(name, #name, room, size, problem)
end)

-- Returns the name of the file that an IRI identifies on a POSIX system, or on Windows: (text).
iri.to_posix_path = making(TEXT, function(problem, room, size, text)
    return C.simd_iri_to_posix_path(text, #text, room, size, problem)
end)
iri.to_windows_path = making(TEXT, function(problem, room, size, text)
    return C.simd_iri_to_windows_path(text, #text, room, size, problem)
end)

-- Returns a reference as it is written in a document: (text, format, flags). Flag: ascii.
iri.escape = making({ { "text", 3 }, { "format", 1, is_needed = true }, { "flags", 2 } }, function(problem, room, size, text, format, flags)
    return C.simd_iri_escape(format, flags, text, #text, room, size, problem)
end, nil, 0)

-- Decodes the escapes of a text of a document: (text, format).
iri.unescape = making({ { "text", 2 }, { "format", 1, is_needed = true } }, function(problem, room, size, text, format)
    return C.simd_iri_unescape(format, text, #text, room, size, problem)
end)

-- Maps an IRI reference to a URI reference: (text, flags). Flag: idna.
iri.to_uri = making(TEXT_FLAGS, function(problem, room, size, text, flags)
    return C.simd_iri_to_uri(flags, text, #text, room, size, problem)
end, 0)

-- Maps a URI reference to an IRI reference: (text, flags). Flag: idna.
iri.to_iri = making(TEXT_FLAGS, function(problem, room, size, text, flags)
    return C.simd_iri_to_iri(flags, text, #text, room, size, problem)
end, 0)

-- Normalizes a text that matches a rule: (text, level, rule), by default at the level scheme, and IRI-reference.
iri.normalize = making({ { "text", 3 }, { "level", 2 }, { "rule", 1 } }, function(problem, room, size, text, level, rule)
    return C.simd_iri_normalize(rule, level, text, #text, room, size, problem)
end, 2, 1)

-- Resolves a reference relative to a base: (base, text, flags). Flag: lenient.
iri.resolve = making({ { "text", 2 }, { "text", 4 }, { "flags", 1 } }, function(problem, room, size, base, text, flags)
    return C.simd_iri_resolve(flags, base, #base, text, #text, room, size, problem)
end, nil, 0)

-- Makes a reference of an arbitrary text: (text, profile, flags), by default by the profile browser_like. Flags: bytes, uri,
-- idna.
iri.prepare = making({ { "text", 3 }, { "profile", 1 }, { "flags", 2 } }, function(problem, room, size, text, profile, flags)
    return C.simd_iri_prepare(profile, flags, text, #text, room, size, problem)
end, 2, 0)

-- Returns the key by which a reference is compared: (text, level), by default at the level scheme.
iri.key = making(TEXT_LEVEL, function(problem, room, size, text, level)
    return C.simd_iri_key(level, text, #text, room, size, problem)
end, 2)

-- Returns a host in ASCII, as the DNS needs it: (host).
iri.host_to_ascii = making(TEXT, function(problem, room, size, host)
    return C.simd_iri_host_to_ascii(host, #host, room, size, problem)
end)

-- Returns a host in Unicode: (host).
iri.host_to_unicode = making(TEXT, function(problem, room, size, host)
    return C.simd_iri_host_to_unicode(host, #host, room, size, problem)
end)

-- Maps a target in origin-form to a URI: (target, flags). Flags: repair, normalize, iri.
iri.target = making(TEXT_FLAGS, function(problem, room, size, target, flags)
    return C.simd_iri_target_transform(flags, target, #target, room, size, problem)
end, 0)

-- Returns the names that a legacy target may stand for (RFC 3987, section 7.7), with a space between them: (target).
iri.names = making(TEXT, function(problem, room, size, target)
    return C.simd_iri_target_names(target, #target, room, size, problem)
end)

-- Tells whether the target of a request, in origin-form, is a valid path and query.
function iri.check_target(target)
    local message = wrong(TEXT, target)
    if message then
        return nil, message
    end
    local call = take()
    if not C.simd_iri_target_parse(target, #target, nil, call.problem) then
        return done(call, failed(call.problem, TEXT, target))
    end
    return done(call, true)
end

local FIELD = { { "text", 2 }, { "text", 4 }, { "flags", 1 } }

local map_field = making(FIELD, function(problem, room, size, name, value, flags, _, left)
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
    local left = ffi.new("size_t[1]")
    local mapped, message, why = map_field(name, value, flags, nil, left)
    if not mapped then
        return nil, message, why
    end
    return mapped, tonumber(left[0])
end

return iri

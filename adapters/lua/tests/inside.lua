-- A law of the module: what a call answers does not depend on calls that run inside it. LuaJIT runs them there in finalizers,
-- hooks and metamethods. Returns a line of text, or raises an error.
--
--     luajit -e 'package.path = "adapters/lua/?.lua"' adapters/lua/tests/inside.lua
local iri = require "simd_iri"

local rules = iri.query_rules("$removeparam=a", iri.rules.adguard)
local wrappers = iri.query_rules("[[wrapper]]\nhost = 'a'\nparameter = 'b'")

-- Calls of every function: each has an answer for a number, which another number does not have.
local calls = {
    is_valid = function(n) return iri.is_valid(n % 2 == 0 and "a:" .. n or "a|" .. n) end,
    parse = function(n) return iri.parse("http://h" .. n .. "/p" .. n .. "?q" .. n) end,
    violations = function(n) return iri.violations(("x"):rep(n % 50) .. "|") end,
    host_kind = function(n) return iri.host_kind(n % 2 == 0 and "//[::1]" or "//a") end,
    port = function(n) return iri.port("//h:" .. n % 65536) end,
    origin = function(n) return iri.origin("http://h" .. n .. "/") end,
    query_value = function(n) return iri.query_value("?a=" .. n, "a") end,
    masked = function(n) return iri.masked("//u:p@h/" .. n) end,
    redact = function(n) return iri.redact("/" .. n .. "?sig=x", "otel") end,
    judge = function(n) return iri.judge(n % 2 == 0 and "http://127.0.0.1/" or "http://a.example/" .. n) end,
    judge_address = function(n) return select(2, iri.judge_address(n % 2 == 0 and "10.0.0.1" or "127.0.0.1")) end,
    archive_key = function(n) return iri.archive_key("http://a.example/" .. n) end,
    template_expand = function(n) return iri.template_expand("/{a}{?b*}", { a = n, b = { n, "x" .. n } }) end,
    template_match = function(n) return iri.template_match("/{a}{?b}", "/%41" .. n .. "?b=%42" .. n) end,
    unwrap = function(n) return iri.unwrap("http://a/?b=http://c/" .. n, 1, n % 2 == 0 and wrappers or nil) end,
    apply = function(n) return rules:apply("/" .. n .. "?a=" .. n .. "&c") end,
    query_rules = function(n) return iri.query_rules(("\n"):rep(n % 9) .. "||", iri.rules.adguard).skipped end,
    wrong_rules = function(n) return { iri.query_rules(("\n"):rep(n % 9) .. "nmes = []") } end,
    is_hostname = function(n) return iri.is_hostname(n % 2 == 0 and "a" or "a_") end,
    to_uri = function(n) return iri.to_uri("http://é/" .. n) end,
    long = function(n) return iri.to_uri(("é"):rep(700 + n % 50)) end,
    to_iri = function(n) return iri.to_iri("/%C3%A9" .. n) end,
    normalize = function(n) return iri.normalize("HTTP://A/" .. n) end,
    resolve = function(n) return iri.resolve("http://a/" .. n .. "/", n) end,
    relativize = function(n) return iri.relativize("http://a/", "http://a/" .. n) end,
    to_uri_in_charset = function(n) return iri.to_uri_in_charset("?é" .. n, "latin1") end,
    interpret = function(n) return iri.interpret("/%E9" .. n, "latin1") end,
    set_component = function(n) return iri.set_component("/a", iri.component.query, "q" .. n) end,
    build = function(n) return iri.build { scheme = "http", host = "h" .. n, path = "/" .. n } end,
    drop_query_pairs = function(n) return iri.drop_query_pairs("?a=" .. n .. "&b=" .. n, "a") end,
    percent_encode = function(n) return iri.percent_encode("é" .. n) end,
    percent_decode = function(n) return iri.percent_decode("%41" .. n) end,
    from_posix_path = function(n) return iri.from_posix_path("/" .. n) end,
    from_windows_path = function(n) return iri.from_windows_path("C:\\" .. n) end,
    to_posix_path = function(n) return iri.to_posix_path("file:///" .. n) end,
    to_windows_path = function(n) return iri.to_windows_path("file:///C:/" .. n) end,
    escape = function(n) return iri.escape("/?a&" .. n, iri.format.html) end,
    unescape = function(n) return iri.unescape("&amp;" .. n, iri.format.html) end,
    prepare = function(n) return iri.prepare("a b" .. n) end,
    compare = function(n) return iri.compare("/" .. n % 10, "/5") end,
    key = function(n) return iri.key("HTTP://A/" .. n) end,
    fingerprint = function(n) return iri.fingerprint("/" .. n) end,
    host_to_ascii = function(n) return iri.host_to_ascii("é" .. n) end,
    host_to_unicode = function(n) return iri.host_to_unicode("xn--bcher-kva.a" .. n) end,
    check_target = function(n) return { iri.check_target("/" .. ("x"):rep(n % 50) .. "|") } end,
    target = function(n) return iri.target("/./" .. n, iri.flag.normalize) end,
    field_to_uri = function(n) return { iri.field_to_uri("Link", "</é" .. n .. ">") } end,
    names = function(n) return iri.names("/caf%E9" .. n) end,
    refused = function(n) return { iri.to_uri(("x"):rep(n % 50) .. "|") } end,
}

local function text_of(value)
    if type(value) ~= "table" then
        return tostring(value)
    end
    local parts = {}
    for name, field in pairs(value) do parts[#parts + 1] = tostring(name) .. "=" .. text_of(field) end
    table.sort(parts)
    return "{" .. table.concat(parts, ",") .. "}"
end

local names = {}
for name in pairs(calls) do names[#names + 1] = name end
table.sort(names)
for name, value in pairs(iri) do
    assert(type(value) ~= "function" or calls[name], name)
end

-- The answers without calls inside.
local NUMBERS = 40
local answers = {}
for _, name in ipairs(names) do
    answers[name] = {}
    for number = 1, NUMBERS do answers[name][number] = text_of(calls[name](number)) end
end

local inside, at = 0, 0

-- A call of the next function, in the place where this one is called.
local function other()
    at = at + 1
    inside = inside + 1
    calls[names[at % #names + 1]](1000 + at)
end

local function compare(way)
    for _, name in ipairs(names) do
        for number = 1, NUMBERS do
            local found = text_of(calls[name](number))
            if found ~= answers[name][number] then
                error(("%s: %s(%d): %s instead of %s"):format(way, name, number, found, answers[name][number]))
            end
        end
    end
end

-- Finalizers run where memory is taken. The collector does as much as it can at each step.
local function finalizer()
    getmetatable(newproxy(true)).__gc = function() other() end
end
local is_on = true
collectgarbage("setstepmul", 1000)
local making = {}
for _, name in ipairs(names) do
    making[name] = calls[name]
    calls[name] = function(number)
        if is_on and number < 1000 then
            finalizer()
            finalizer()
        end
        return making[name](number)
    end
end
for _ = 1, 5 do compare("finalizer") end
is_on = false
collectgarbage()
local finalized = inside

-- A hook after each instruction. A hook does not run inside a hook.
jit.off()
debug.sethook(other, "", 7)
compare("hook")
debug.sethook()
jit.on()

-- A metamethod of an argument; one that yields, so that the call ends after others; and one that raises an error.
local function lazy(run)
    return setmetatable({ scheme = "http" }, { __index = function(_, name) run() return name == "host" and "h" or nil end })
end
for _ = 1, 200 do
    local coroutines = {}
    for number = 1, 5 do
        coroutines[number] = coroutine.wrap(function() return iri.build(lazy(function() coroutine.yield() end)) end)
    end
    local ended = 0
    repeat
        other()
        for number, resume in pairs(coroutines) do
            local found = resume()
            if found then
                assert(found == "http://h", found)
                coroutines[number] = nil
                ended = ended + 1
            end
        end
    until ended == 5
    assert(iri.build(lazy(other)) == "http://h")
    assert(not pcall(iri.build, lazy(error)))
    assert(iri.to_uri("http://é/") == "http://%C3%A9/")
end

return ("%d calls inside %d functions answer alone, %d of them in finalizers"):format(inside, #names, finalized)

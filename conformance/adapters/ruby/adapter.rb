# An adapter for libraries in Ruby: adapter.rb NAME answers for one of them. protocol.md says what it reads and writes.
# What a library does not offer is unsupported.
require "json"

UNSUPPORTED = { unsupported: true }.freeze

def made
  { result: yield.to_s }
rescue StandardError => e
  { error: "#{e.class}: #{e.message}"[0, 200] }
end

def of_kind?(kind, scheme)
  kind.end_with?("reference") || !scheme.nil?
end

def addressable(ask)
  uri = Addressable::URI
  case ask["op"]
  when "parse"
    # The function takes IRIs.
    return UNSUPPORTED unless %w[iri iri-reference].include?(ask["kind"])

    found = uri.parse(ask["input"])
    return { valid: false } unless of_kind?(ask["kind"], found.scheme)

    components = { scheme: found.scheme, authority: found.authority, userinfo: found.userinfo, host: found.host,
                   path: found.path, query: found.query, fragment: found.fragment }
    { valid: true, components: components }
  when "resolve"
    ask["strict"] ? made { uri.join(ask["base"], ask["reference"]) } : UNSUPPORTED
  when "normalize"
    ask["ladder"] == "scheme" ? made { uri.parse(ask["input"]).normalize } : UNSUPPORTED
  else
    UNSUPPORTED
  end
rescue Addressable::URI::InvalidURIError
  { valid: false }
end

def ruby_uri(ask)
  return UNSUPPORTED unless ask["kind"].to_s.start_with?("uri")

  case ask["op"]
  when "parse"
    found = URI.parse(ask["input"])
    return { valid: false } unless of_kind?(ask["kind"], found.scheme)

    { valid: true }
  when "resolve"
    ask["strict"] ? made { URI.join(ask["base"], ask["reference"]) } : UNSUPPORTED
  else
    UNSUPPORTED
  end
rescue URI::Error
  { valid: false }
end

name = ARGV.fetch(0)
if name == "addressable"
  require "addressable/uri"
  version = Addressable::VERSION::STRING
  standards = ["RFC 3986", "RFC 3987"]
else
  require "uri"
  version = URI::VERSION
  standards = ["RFC 3986"]
end
answer = name == "addressable" ? method(:addressable) : method(:ruby_uri)
$stdout.sync = true
hello = { name: name == "addressable" ? "Addressable" : "URI of Ruby", version: version, language: "Ruby", standards: standards }
puts JSON.generate({ hello: hello })
$stdin.each_line do |line|
  ask = JSON.parse(line)
  found = ask.key?("input_hex") ? UNSUPPORTED : answer.call(ask)
  puts JSON.generate({ seq: ask["seq"] }.merge(found))
end

//! The structures and the constants of the interface.
//!
//! `tests/header.rs` compares them with the header and with the names that the library has.

use core::ffi::c_char;

/// The byte offsets of the components of a reference.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Parts {
    /// The colon after the scheme; 0 without a scheme.
    pub scheme_end: u32,
    /// The first byte after `//`; without an authority the same as `path`.
    pub authority: u32,
    /// The first byte of the host.
    pub host: u32,
    /// The colon before the port; without a port the same as `path`.
    pub host_end: u32,
    /// The first byte of the path.
    pub path: u32,
    /// The question mark, or the end of the path without one.
    pub path_end: u32,
    /// The number sign, or the end of the text.
    pub query_end: u32,
    /// The end of the text.
    pub end: u32,
}

/// The reason why a text is refused.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Error {
    /// The first byte of the position.
    pub start: u32,
    /// The end of the position.
    pub end: u32,
    /// The character that is not allowed, or the first byte of ill-formed UTF-8.
    pub character: u32,
    /// One of the constants `SIMD_IRI_ERROR_…`; 0 for no error.
    pub kind: u8,
    /// One of the constants `SIMD_IRI_COMPONENT_…`.
    pub component: u8,
    /// Selects the hint of the message. For `SIMD_IRI_ERROR_ARGUMENT`, the number of the argument, counted from 1.
    pub hint: u8,
    /// Always 0.
    pub reserved: u8,
}

/// A text of the caller. A null pointer is no text.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Text {
    /// The first byte.
    pub start: *const c_char,
    /// The number of bytes.
    pub length: usize,
}

/// The components of which a reference is built.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Components {
    /// Without the colon.
    pub scheme: Text,
    /// Without the `@`.
    pub userinfo: Text,
    /// A name or an address.
    pub host: Text,
    /// Without the colon.
    pub port: Text,
    /// No text is the empty path.
    pub path: Text,
    /// Without the question mark.
    pub query: Text,
    /// Without the number sign.
    pub fragment: Text,
}

/// The numbers of items of a batch.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count {
    /// The number of items.
    pub items: u64,
    /// The number of items that match the rule.
    pub valid: u64,
}

/// A value of a variable in a template.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// The name, as it is written in the template.
    pub name: Text,
    /// The value. No text: the variable is undefined.
    pub value: Text,
    /// The key of a pair of a map. No text: the value is not of a map.
    pub key: Text,
}

/// A value that a match has found.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Capture {
    /// The first byte of the name in the template.
    pub name: u32,
    /// The end of the name.
    pub name_end: u32,
    /// The first byte of the value in the text.
    pub start: u32,
    /// The end of the value.
    pub end: u32,
    /// Whether the value is an item of a list: 0 or 1.
    pub is_item: u32,
    /// Whether the value is percent-encoded: 0 or 1.
    pub is_encoded: u32,
}

/// What a policy says about a URL.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Verdict {
    /// A bit for each reason, by the constants `SIMD_IRI_REASON_…`.
    pub reasons: u64,
    /// One of the constants `SIMD_IRI_DECISION_…`.
    pub decision: u32,
    /// Always 0.
    pub reserved: u32,
}

/// Rules for queries. C has only pointers to it.
pub struct QueryRules(pub(crate) simd_iri_rules::QueryRules);

/// `IRI`
pub const SIMD_IRI_RULE_IRI: u32 = 0;
/// `IRI-reference`
pub const SIMD_IRI_RULE_IRI_REFERENCE: u32 = 1;
/// `absolute-IRI`
pub const SIMD_IRI_RULE_ABSOLUTE_IRI: u32 = 2;
/// `irelative-ref`
pub const SIMD_IRI_RULE_IRELATIVE_REF: u32 = 3;
/// `URI`
pub const SIMD_IRI_RULE_URI: u32 = 4;
/// `URI-reference`
pub const SIMD_IRI_RULE_URI_REFERENCE: u32 = 5;
/// `absolute-URI`
pub const SIMD_IRI_RULE_ABSOLUTE_URI: u32 = 6;
/// `relative-ref`
pub const SIMD_IRI_RULE_RELATIVE_REF: u32 = 7;

/// Compares characters; normalizes nothing (RFC 3987, section 5.3.1).
pub const SIMD_IRI_LEVEL_SIMPLE: u32 = 0;
/// Case, triplets, dot segments (section 5.3.2).
pub const SIMD_IRI_LEVEL_SYNTAX: u32 = 1;
/// Also the ports and paths that a scheme implies (section 5.3.3).
pub const SIMD_IRI_LEVEL_SCHEME: u32 = 2;
/// Also hosts as domain names (UTS #46).
pub const SIMD_IRI_LEVEL_SCHEME_IDNA: u32 = 3;

/// Removes white space at the ends, and repairs no character.
pub const SIMD_IRI_PROFILE_STRICT: u32 = 0;
/// Legacy extended IRIs, as in XML.
pub const SIMD_IRI_PROFILE_LEIRI: u32 = 1;
/// The repairs of browsers.
pub const SIMD_IRI_PROFILE_BROWSER_LIKE: u32 = 2;
/// The repairs of browsers, and the wrappers of careless authors.
pub const SIMD_IRI_PROFILE_CRAWLER: u32 = 3;
/// Percent-encodes characters that are not allowed; removes and replaces nothing.
pub const SIMD_IRI_PROFILE_RDF: u32 = 4;

/// Hosts of http, https, ws, wss and ftp are domain names (UTS #46).
pub const SIMD_IRI_FLAG_IDNA: u32 = 1;
/// A reference with the scheme of the base is relative to it (RFC 3986, section 5.2.2).
pub const SIMD_IRI_FLAG_LENIENT: u32 = 2;
/// Bytes that are not UTF-8 are percent-encoded.
pub const SIMD_IRI_FLAG_BYTES: u32 = 4;
/// The result is a URI.
pub const SIMD_IRI_FLAG_URI: u32 = 8;
/// Characters that are not allowed are percent-encoded first.
pub const SIMD_IRI_FLAG_REPAIR: u32 = 16;
/// The result is in normal form.
pub const SIMD_IRI_FLAG_NORMALIZE: u32 = 32;
/// The result is an IRI.
pub const SIMD_IRI_FLAG_IRI: u32 = 64;
/// Characters outside ASCII are escaped.
pub const SIMD_IRI_FLAG_ASCII: u32 = 128;
/// The pairs of a query are in any order.
pub const SIMD_IRI_FLAG_QUERY_AS_SET: u32 = 256;
/// A pair that the template does not have is no match.
pub const SIMD_IRI_FLAG_KNOWN_PAIRS: u32 = 512;
/// A repeated pair is no match.
pub const SIMD_IRI_FLAG_SINGLE_PAIRS: u32 = 1024;
/// User information is left out of the URL to send.
pub const SIMD_IRI_FLAG_STRIP_USERINFO: u32 = 2048;
/// Every host that is an address is refused.
pub const SIMD_IRI_FLAG_NO_LITERALS: u32 = 4096;
/// Pairs of a query are read with semicolons between them, too.
pub const SIMD_IRI_FLAG_SEMICOLONS: u32 = 8192;
/// The case of letters does not matter.
pub const SIMD_IRI_FLAG_ANY_CASE: u32 = 16_384;
/// Values are decoded to find references in them.
pub const SIMD_IRI_FLAG_NESTED: u32 = 32_768;
/// Pairs that say who referred a buyer stay.
pub const SIMD_IRI_FLAG_ALLOW_REFERRAL: u32 = 65_536;
/// The question mark of a query stays if all its pairs go.
pub const SIMD_IRI_FLAG_KEEP_MARK: u32 = 131_072;

/// The first key is less than the second.
pub const SIMD_IRI_LESS: i32 = -1;
/// The keys are equal.
pub const SIMD_IRI_EQUAL: i32 = 0;
/// The first key is greater than the second.
pub const SIMD_IRI_GREATER: i32 = 1;
/// The first text is refused.
pub const SIMD_IRI_FIRST_REFUSED: i32 = 2;
/// The second text is refused.
pub const SIMD_IRI_SECOND_REFUSED: i32 = 3;

/// There is no such value: an absent component, or a field without references.
pub const SIMD_IRI_NONE: i32 = -2;

/// An `ireg-name`: a name.
pub const SIMD_IRI_HOST_REG_NAME: i32 = 0;
/// An `IPv4address`.
pub const SIMD_IRI_HOST_IPV4: i32 = 1;
/// An `IPv6address`, in brackets.
pub const SIMD_IRI_HOST_IPV6: i32 = 2;
/// An `IPvFuture`, in brackets.
pub const SIMD_IRI_HOST_IPVFUTURE: i32 = 3;

/// User information; colons stay.
pub const SIMD_IRI_PLACE_USERINFO: u32 = 0;
/// A host that is a name.
pub const SIMD_IRI_PLACE_REG_NAME: u32 = 1;
/// A path; slashes stay.
pub const SIMD_IRI_PLACE_PATH: u32 = 2;
/// A segment of a path.
pub const SIMD_IRI_PLACE_SEGMENT: u32 = 3;
/// A first segment of a relative path; colons do not stay.
pub const SIMD_IRI_PLACE_SEGMENT_NC: u32 = 4;
/// A query; `&` and `=` stay.
pub const SIMD_IRI_PLACE_QUERY: u32 = 5;
/// A name or a value of a pair in a query.
pub const SIMD_IRI_PLACE_QUERY_PART: u32 = 6;
/// A fragment.
pub const SIMD_IRI_PLACE_FRAGMENT: u32 = 7;
/// Any component: only unreserved characters stay.
pub const SIMD_IRI_PLACE_UNRESERVED: u32 = 8;

/// HTML.
pub const SIMD_IRI_FORMAT_HTML: u32 = 0;
/// XML.
pub const SIMD_IRI_FORMAT_XML: u32 = 1;
/// JSON.
pub const SIMD_IRI_FORMAT_JSON: u32 = 2;
/// CSS.
pub const SIMD_IRI_FORMAT_CSS: u32 = 3;
/// N-Triples, N-Quads, Turtle, TriG and SPARQL.
pub const SIMD_IRI_FORMAT_N_TRIPLES: u32 = 4;
/// A format without escapes.
pub const SIMD_IRI_FORMAT_PLAIN: u32 = 5;

/// A reference.
pub const SIMD_IRI_PART_REFERENCE: u32 = 0;
/// The target of an HTTP request.
pub const SIMD_IRI_PART_TARGET: u32 = 1;
/// A query.
pub const SIMD_IRI_PART_QUERY: u32 = 2;
/// Running text.
pub const SIMD_IRI_PART_TEXT: u32 = 3;

/// Wayback Machine, OpenWayback.
pub const SIMD_IRI_ARCHIVE_WAYBACK: u32 = 0;
/// pywb, Common Crawl.
pub const SIMD_IRI_ARCHIVE_PYWB: u32 = 1;
/// Heritrix.
pub const SIMD_IRI_ARCHIVE_HERITRIX: u32 = 2;
/// urlcanon.
pub const SIMD_IRI_ARCHIVE_URLCANON: u32 = 3;
/// The SSURT of urlcanon.
pub const SIMD_IRI_ARCHIVE_SSURT: u32 = 4;

/// TOML.
pub const SIMD_IRI_RULES_TOML: u32 = 0;
/// A catalog of ClearURLs.
pub const SIMD_IRI_RULES_CLEARURLS: u32 = 1;
/// A filter list of AdGuard or uBlock Origin.
pub const SIMD_IRI_RULES_ADGUARD: u32 = 2;

/// The text is refused.
pub const SIMD_IRI_DECISION_REFUSE: u32 = 0;
/// The host is an address that the policy permits.
pub const SIMD_IRI_DECISION_ALLOW: u32 = 1;
/// The host is a name that nothing speaks against.
pub const SIMD_IRI_DECISION_RESOLVE: u32 = 2;

/// A control character or a space.
pub const SIMD_IRI_REASON_CONTROL_OR_SPACE: u32 = 0;
/// A backslash.
pub const SIMD_IRI_REASON_BACKSLASH: u32 = 1;
/// Bytes that are not UTF-8.
pub const SIMD_IRI_REASON_NOT_UTF8: u32 = 2;
/// No scheme.
pub const SIMD_IRI_REASON_NO_SCHEME: u32 = 3;
/// A scheme that the policy does not allow.
pub const SIMD_IRI_REASON_SCHEME: u32 = 4;
/// No host.
pub const SIMD_IRI_REASON_NO_HOST: u32 = 5;
/// The text is not an IRI.
pub const SIMD_IRI_REASON_INVALID_RFC3987: u32 = 6;
/// The URL Standard refuses the text.
pub const SIMD_IRI_REASON_INVALID_WHATWG: u32 = 7;
/// User information.
pub const SIMD_IRI_REASON_USERINFO: u32 = 8;
/// RFC 3987 and the URL Standard read different hosts or ports.
pub const SIMD_IRI_REASON_READINGS_DIFFER: u32 = 9;
/// An empty label.
pub const SIMD_IRI_REASON_EMPTY_LABEL: u32 = 10;
/// A host that is too long for the DNS.
pub const SIMD_IRI_REASON_HOST_TOO_LONG: u32 = 11;
/// The name of a metadata service.
pub const SIMD_IRI_REASON_METADATA_NAME: u32 = 12;
/// A name of a private network.
pub const SIMD_IRI_REASON_SPECIAL_NAME: u32 = 13;
/// A name that the policy refuses.
pub const SIMD_IRI_REASON_REFUSED_NAME: u32 = 14;
/// A host that is not in the allow-list.
pub const SIMD_IRI_REASON_NOT_LISTED: u32 = 15;
/// An address, if the policy refuses every address.
pub const SIMD_IRI_REASON_LITERAL: u32 = 16;
/// An address of a range that is refused.
pub const SIMD_IRI_REASON_ADDRESS: u32 = 17;
/// A port that the policy does not allow.
pub const SIMD_IRI_REASON_PORT: u32 = 18;
/// A redirect begins at a URL that is refused.
pub const SIMD_IRI_REASON_BASE: u32 = 19;
/// A redirect leaves `https`.
pub const SIMD_IRI_REASON_DOWNGRADE: u32 = 20;
/// Too many redirects.
pub const SIMD_IRI_REASON_TOO_MANY_REDIRECTS: u32 = 21;

/// The component `reference`.
pub const SIMD_IRI_COMPONENT_REFERENCE: u32 = 0;
/// The component `scheme`.
pub const SIMD_IRI_COMPONENT_SCHEME: u32 = 1;
/// The component `authority`.
pub const SIMD_IRI_COMPONENT_AUTHORITY: u32 = 2;
/// The component `userinfo`.
pub const SIMD_IRI_COMPONENT_USERINFO: u32 = 3;
/// The component `host`.
pub const SIMD_IRI_COMPONENT_HOST: u32 = 4;
/// The component `port`.
pub const SIMD_IRI_COMPONENT_PORT: u32 = 5;
/// The component `path`.
pub const SIMD_IRI_COMPONENT_PATH: u32 = 6;
/// The component `query`.
pub const SIMD_IRI_COMPONENT_QUERY: u32 = 7;
/// The component `fragment`.
pub const SIMD_IRI_COMPONENT_FRAGMENT: u32 = 8;

/// A character that the component does not allow.
pub const SIMD_IRI_ERROR_CHARACTER_NOT_ALLOWED: u32 = 1;
/// A percent sign without two hexadecimal digits.
pub const SIMD_IRI_ERROR_BAD_PERCENT_ENCODING: u32 = 2;
/// Bytes that are not UTF-8.
pub const SIMD_IRI_ERROR_ILL_FORMED_UTF8: u32 = 3;
/// A private-use character outside a query.
pub const SIMD_IRI_ERROR_PRIVATE_USE_CHARACTER: u32 = 4;
/// The text before the first colon is not a scheme.
pub const SIMD_IRI_ERROR_BAD_SCHEME: u32 = 5;
/// An IP literal that is not an address.
pub const SIMD_IRI_ERROR_BAD_IP_LITERAL: u32 = 6;
/// A port that is not digits.
pub const SIMD_IRI_ERROR_BAD_PORT: u32 = 7;
/// A second at sign in an authority.
pub const SIMD_IRI_ERROR_SECOND_AT: u32 = 8;
/// A colon in the first segment of a relative path.
pub const SIMD_IRI_ERROR_COLON_IN_FIRST_SEGMENT: u32 = 9;
/// No scheme where the rule requires one.
pub const SIMD_IRI_ERROR_MISSING_SCHEME: u32 = 10;
/// A fragment where the rule allows none.
pub const SIMD_IRI_ERROR_FRAGMENT_NOT_ALLOWED: u32 = 11;
/// A character outside ASCII in a URI.
pub const SIMD_IRI_ERROR_NON_ASCII: u32 = 12;
/// The end of the text where a character is required.
pub const SIMD_IRI_ERROR_UNEXPECTED_END: u32 = 13;
/// A host that is not a domain name by UTS #46.
pub const SIMD_IRI_ERROR_BAD_DOMAIN: u32 = 14;
/// A character that a charset does not have.
pub const SIMD_IRI_ERROR_UNMAPPABLE_CHARACTER: u32 = 15;
/// A character reference that does not stand for a character.
pub const SIMD_IRI_ERROR_BAD_CHARACTER_REFERENCE: u32 = 16;
/// A text or a result of 4 GiB or more.
pub const SIMD_IRI_ERROR_TOO_LONG: u32 = 17;
/// A file of rules that cannot be read, or a rule that is not applied.
pub const SIMD_IRI_ERROR_RULES: u32 = 248;
/// A list or a map as the value of a variable with a prefix.
pub const SIMD_IRI_ERROR_PREFIX_OF_LIST: u32 = 249;
/// A text that is not a template.
pub const SIMD_IRI_ERROR_TEMPLATE: u32 = 250;
/// A dot segment in a target that shall become relative.
pub const SIMD_IRI_ERROR_DOT_SEGMENT: u32 = 251;
/// An escape of a document that does not stand for a character.
pub const SIMD_IRI_ERROR_ESCAPE: u32 = 252;
/// A name of a file without a `file` IRI, or an IRI without a name of a file.
pub const SIMD_IRI_ERROR_FILE_NAME: u32 = 253;
/// An argument is not valid for the function; `hint` is its number.
pub const SIMD_IRI_ERROR_ARGUMENT: u32 = 254;
/// The library failed. This is a defect: please report it.
pub const SIMD_IRI_ERROR_INTERNAL: u32 = 255;

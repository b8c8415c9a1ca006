//! The authority of a text by RFC 3986 and RFC 3987, also of a text that the grammar refuses.
//!
//! Of a valid text, the parts are those of the parser. Not here: the grammar (the engine), and the reading of the URL
//! Standard (`standard`).

use alloc::string::String;
use core::ops::Range;

use simd_iri::Rule;
use simd_iri::low::{is_scheme, slice};

/// The byte offsets of the parts that a verdict needs. The delimiters do not belong to them.
pub(super) struct Split {
    pub(super) scheme: Option<Range<usize>>,
    pub(super) authority: Option<AuthorityParts>,
}

/// The byte offsets of the parts of an authority.
pub(super) struct AuthorityParts {
    pub(super) userinfo: Option<Range<usize>>,
    pub(super) host: Range<usize>,
    pub(super) port: Option<Range<usize>>,
}

impl Split {
    /// Splits a text as the regular expression of RFC 3986, appendix B, does: the scheme ends at the first colon, and
    /// the authority at the first `/`, `?` or `#` after its two slashes. The last `@` ends the user information. One
    /// pass.
    pub(super) fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let is_end = |byte: &u8| matches!(byte, b':' | b'/' | b'?' | b'#');
        let end = bytes.iter().position(is_end).filter(|at| bytes.get(*at) == Some(&b':'));
        let scheme = end.filter(|end| is_scheme(slice::bytes(bytes, ..*end)));
        let rest = scheme.map_or(0, |end| end + 1);
        let authority = slice::bytes(bytes, rest..).starts_with(b"//").then(|| {
            let start = rest + 2;
            let after = slice::bytes(bytes, start..);
            let length = after.iter().position(|byte| matches!(byte, b'/' | b'?' | b'#'));
            AuthorityParts::of(text, start..start + length.unwrap_or(after.len()))
        });
        Self { scheme: scheme.map(|end| 0..end), authority }
    }
}

impl AuthorityParts {
    /// Splits an authority. A literal in brackets is the host if a colon or the end follows; otherwise, the host ends
    /// at the first colon.
    fn of(text: &str, Range { start, end }: Range<usize>) -> Self {
        let bytes = text.as_bytes();
        let at = memchr::memrchr(b'@', slice::bytes(bytes, start..end));
        let userinfo = at.map(|at| start..start + at);
        let host = at.map_or(start, |at| start + at + 1);
        let rest = slice::bytes(bytes, host..end);
        let literal = memchr::memchr(b']', rest).filter(|_| rest.starts_with(b"["));
        let literal = literal.filter(|at| matches!(rest.get(at + 1), None | Some(b':')));
        let length = match literal {
            Some(at) => at + 1,
            None => memchr::memchr(b':', rest).unwrap_or(rest.len()),
        };
        let port = (length < rest.len()).then_some(host + length + 1..end);
        Self { userinfo, host: host..host + length, port }
    }
}

/// Returns the place where a text is not an IRI, or `None` if the text is an IRI. If user information is
/// refused, it has its own reason, and the rest of the text must be an IRI.
pub(super) fn violation(
    text: &str,
    authority: &AuthorityParts,
    strips_userinfo: bool,
) -> Option<Range<usize>> {
    let error = Rule::Iri.validate(text).err()?;
    let userinfo = authority.userinfo.as_ref().filter(|_| !strips_userinfo);
    let Some(Range { start, .. }) = userinfo.cloned() else { return Some(error.span()) };
    let mut rest = String::from(slice::text(text, ..start));
    let left_out = authority.host.start - start;
    rest.push_str(slice::text(text, authority.host.start..));
    let Range { start, end } = Rule::Iri.validate(&rest).err()?.span();
    Some(start + left_out..end + left_out)
}

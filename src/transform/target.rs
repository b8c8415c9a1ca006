//! Targets of HTTP requests (RFC 9112, section 3.2).
//!
//! A target is not a reference: `//a/b` is a path, and `a:80` is a host and a port. Each target has a reference that
//! means the same. A target is parsed as it is, without a copy; its reference is repaired, mapped and normalized:
//!
//! ```text
//! origin-form      /a?b       /a?b         the text itself
//!                  //a/b      /.//a/b      with the guard of a path
//! absolute-form    http://a   http://a     the text itself
//! authority-form   a:80       //a:80       with two slashes
//! asterisk-form    *          *            the text itself
//! ```

use alloc::borrow::Cow;
use core::str::from_utf8;

use super::normalize::rules::Normalize;
use crate::error::{Component, Error, ErrorKind, named};
use crate::parse::{ComponentRule, GUARD, Rule, guard, parse_bytes};
use crate::reference::{Iri, IriRef};
use crate::scan::{CpuLevel, slice};

/// The form of a request target (RFC 9112, section 3.2).
///
/// A target in `&[u8]` or `&str` may have the characters of an IRI, unless a function says otherwise. No function reads
/// the method of the request: only `CONNECT` has a target in [`TargetForm::Authority`], and only `OPTIONS` has
/// [`TargetForm::Asterisk`].
///
/// ```
/// use simd_iri::http_message::{Target, TargetForm};
///
/// let target = TargetForm::Authority.parse("example.com:443")?;
/// assert_eq!(target, Target::Authority { host: "example.com", port: "443" });
/// # Ok::<(), simd_iri::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TargetForm {
    /// A path that begins with a slash, and perhaps a query: `/a?b`. The path may begin with two slashes.
    Origin,
    /// An absolute IRI: `http://a/b`. HTTP/2 and HTTP/3 send its components by themselves.
    Absolute,
    /// A host and a port, for `CONNECT`: `example.com:443`.
    Authority,
    /// `*`, for `OPTIONS`.
    Asterisk,
}

/// A target of a request, parsed.
///
/// ```
/// use simd_iri::http_message::Target;
///
/// let target = Target::parse("/a?b")?;
/// assert!(matches!(target, Target::Origin { path: "/a", query: Some("b") }));
/// # Ok::<(), simd_iri::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target<'a> {
    /// origin-form
    Origin {
        /// The path, which begins with a slash.
        path: &'a str,
        /// The query without its question mark.
        query: Option<&'a str>,
    },
    /// absolute-form
    Absolute(Iri<'a>),
    /// authority-form
    Authority {
        /// The host, with the brackets of an IP literal.
        host: &'a str,
        /// The digits of the port, of which there may be none.
        port: &'a str,
    },
    /// asterisk-form
    Asterisk,
}

named! {
    /// Returns the name of the form in RFC 9112.
    "simd_iri::http_message::TargetForm" TargetForm {
        Origin = "origin-form",
        Absolute = "absolute-form",
        Authority = "authority-form",
        Asterisk = "asterisk-form",
    }
}

impl TargetForm {
    /// Returns the form of the target of a request whose method is not `CONNECT`.
    ///
    /// ```
    /// use simd_iri::http_message::TargetForm;
    ///
    /// assert_eq!(TargetForm::of("//a/b"), TargetForm::Origin);
    /// assert_eq!(TargetForm::of("http://a/b"), TargetForm::Absolute);
    /// ```
    #[must_use]
    pub fn of(target: impl AsRef<[u8]>) -> Self {
        match target.as_ref() {
            [b'/', ..] => Self::Origin,
            b"*" => Self::Asterisk,
            _ => Self::Absolute,
        }
    }

    /// Parses a target of this form. Allocates nothing.
    ///
    /// # Errors
    /// Returns the first violation, with byte offsets into `target`.
    ///
    /// ```
    /// use simd_iri::http_message::{Target, TargetForm};
    ///
    /// let target = TargetForm::Origin.parse("//a/b?c")?;
    /// assert_eq!(target, Target::Origin { path: "//a/b", query: Some("c") });
    /// assert_eq!(TargetForm::Origin.parse("//a|b").unwrap_err().span(), 3..4);
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn parse(self, target: &str) -> Result<Target<'_>, Error> {
        self.parse_bytes(target.as_bytes())
    }

    /// [`TargetForm::parse`] for bytes, which must be UTF-8.
    ///
    /// # Errors
    /// Returns the first violation, with byte offsets into `target`.
    ///
    /// ```
    /// assert!(simd_iri::http_message::TargetForm::Origin.parse_bytes(b"/caf\xE9").is_err());
    /// ```
    pub fn parse_bytes(self, target: &[u8]) -> Result<Target<'_>, Error> {
        self.parse_by(target, false)
    }

    /// Parses a target of this form that has only the characters of a URI, as HTTP requires.
    ///
    /// # Errors
    /// Returns the first violation, with byte offsets into `target`.
    ///
    /// ```
    /// use simd_iri::http_message::TargetForm;
    ///
    /// assert!(TargetForm::Origin.parse("/é").is_ok());
    /// assert!(TargetForm::Origin.parse_uri("/é").is_err());
    /// ```
    pub fn parse_uri(self, target: &str) -> Result<Target<'_>, Error> {
        self.parse_by(target.as_bytes(), true)
    }

    fn parse_by(self, target: &[u8], ascii: bool) -> Result<Target<'_>, Error> {
        // Offsets have 32 bits.
        if u32::try_from(target.len()).is_err() {
            return Err(Error::too_long(u32::MAX));
        }
        match self {
            Self::Origin => parse_origin(target, ascii),
            Self::Absolute => {
                let rule = if ascii { Rule::AbsoluteUri } else { Rule::AbsoluteIri };
                let (text, parts) = parse_bytes(CpuLevel::best(), rule, target)?;
                Ok(Target::Absolute(Iri::new(text, parts)))
            }
            Self::Authority => parse_authority(target, ascii),
            Self::Asterisk => {
                let after = target.strip_prefix(b"*");
                let rest = after.unwrap_or(target);
                ComponentRule::IpathEmpty
                    .validate_bytes(rest)
                    .map_err(|error| error.moved_by(target.len() - rest.len()))?;
                let missing = Error::new(ErrorKind::UnexpectedEnd, Component::Path, 0..0, 0);
                after.map(|_| Target::Asterisk).ok_or(missing)
            }
        }
    }

    /// Returns the normal form of a target, whose characters are ASCII: [`ToUri`](crate::ToUri), then
    /// [`Normalize::request_target`]. The result is borrowed if it is the given text.
    ///
    /// A target that does not begin with two slashes does not get them, because some servers read the text after two
    /// slashes as a host. Two targets of one form with the same normal form mean the same.
    ///
    /// # Errors
    /// The text does not match the grammar of this form, with byte offsets into `target`; or the result has 4 GiB or
    /// more.
    ///
    /// ```
    /// use simd_iri::http_message::TargetForm;
    ///
    /// let normal = |target| TargetForm::Origin.normalize(target);
    /// assert_eq!(normal("/a/../%7Eb%2fé")?, "/~b%2F%C3%A9");
    /// assert_eq!(normal("//a/./b")?, "//a/b");
    /// assert_eq!(normal("/a/..//b")?, "/.//b");
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn normalize(self, target: &str) -> Result<Cow<'_, str>, Error> {
        self.parse(target)?;
        let reference = self.to_reference(target.as_bytes());
        let uri = IriRef::parse_bytes(&reference)?.to_uri()?;
        let normal = uri.view().normalize(Normalize::request_target())?;
        let normal = self.target_of(target.as_bytes(), normal.as_str());
        Ok(if normal == target { Cow::Borrowed(target) } else { Cow::Owned(normal.into()) })
    }

    /// Returns the text of a reference that means the same as a target. The target need not be valid: use this before
    /// you repair or map it, and [`TargetForm::target_of`] after that. An error about the reference is an error about
    /// the target, [moved back](Error::moved_back_by) by the bytes that the reference has more.
    ///
    /// Repair the reference by `RepairSet::Rdf`, which removes and replaces no character. After another repair, the
    /// reference may begin with two slashes, and the text after them is then a host.
    ///
    /// ```
    /// use simd_iri::http_message::TargetForm;
    ///
    /// assert_eq!(*TargetForm::Origin.to_reference(b"/a?b"), *b"/a?b");
    /// assert_eq!(*TargetForm::Origin.to_reference(b"//a/b"), *b"/.//a/b");
    /// assert_eq!(*TargetForm::Authority.to_reference(b"a:80"), *b"//a:80");
    /// ```
    #[must_use]
    pub fn to_reference(self, target: &[u8]) -> Cow<'_, [u8]> {
        match self.before(target) {
            "" => Cow::Borrowed(target),
            before => Cow::Owned([before.as_bytes(), target].concat()),
        }
    }

    /// Returns the part of a reference that is the target again: the reverse of [`TargetForm::to_reference`], after a
    /// change of the reference. `given` is the target from which the reference was made.
    ///
    /// ```
    /// use simd_iri::http_message::TargetForm;
    ///
    /// assert_eq!(TargetForm::Origin.target_of(b"//a/b", "/.//a/B"), "//a/B");
    /// assert_eq!(TargetForm::Origin.target_of(b"//../b", "/b"), "/b");
    /// assert_eq!(TargetForm::Origin.target_of(b"/.//b", "/.//b"), "/.//b");
    /// ```
    #[must_use]
    pub fn target_of<'t>(self, given: &[u8], reference: &'t str) -> &'t str {
        let before = self.before(given);
        match reference.strip_prefix(before) {
            // The removal of dot segments may have removed the guard, and then other dots begin the path.
            Some(rest) if before != GUARD || rest.starts_with("//") => rest,
            _ => reference,
        }
    }

    /// Returns what [`TargetForm::to_reference`] puts before a target.
    fn before(self, target: &[u8]) -> &'static str {
        match self {
            Self::Origin => guard(target.iter().copied(), false),
            Self::Authority => "//",
            Self::Absolute | Self::Asterisk => "",
        }
    }
}

fn parse_origin(target: &[u8], ascii: bool) -> Result<Target<'_>, Error> {
    // All slashes at the start but the last are empty segments. The last slash begins a relative reference.
    let slashes = target.iter().take_while(|byte| **byte == b'/').count();
    if slashes == 0 {
        ComponentRule::IpathAbsolute.validate_bytes(target)?;
    }
    let empty = slashes.saturating_sub(1);
    let rule = if ascii { Rule::RelativeRef } else { Rule::IrelativeRef };
    let end = memchr::memchr(b'#', target).unwrap_or(target.len());
    let (rest, parts) = parse_bytes(CpuLevel::best(), rule, slice::bytes(target, empty..end))
        .map_err(|error| error.moved_by(empty))?;
    if end < target.len() {
        let (kind, fragment) = (ErrorKind::FragmentNotAllowed, end..target.len());
        return Err(Error::new(kind, Component::Fragment, fragment, 0));
    }
    // Only a target with empty segments is checked for UTF-8 again.
    let text = if empty == 0 { rest } else { from_utf8(target).unwrap_or_default() };
    let path = slice::text(text, ..empty + parts.path().end);
    let query = parts.query().map(|query| slice::text(rest, query));
    Ok(Target::Origin { path, query })
}

fn parse_authority(target: &[u8], ascii: bool) -> Result<Target<'_>, Error> {
    let check = |rule: ComponentRule, text| {
        if ascii { rule.validate_uri_bytes(text) } else { rule.validate_bytes(text) }
    };
    // The colons of an IP literal are before its bracket.
    let last = target.iter().rposition(|byte| matches!(byte, b':' | b']'));
    let colon = last.filter(|at| target.get(*at) == Some(&b':'));
    let host_end = colon.unwrap_or(target.len());
    check(ComponentRule::Ihost, slice::bytes(target, ..host_end))?;
    let Some(colon) = colon else {
        return Err(Error::new(ErrorKind::UnexpectedEnd, Component::Port, host_end..host_end, 0));
    };
    check(ComponentRule::Port, slice::bytes(target, colon + 1..))
        .map_err(|error| error.moved_by(colon + 1))?;
    let text = from_utf8(target).unwrap_or_default();
    Ok(Target::Authority { host: slice::text(text, ..colon), port: slice::text(text, colon + 1..) })
}

impl<'a> Target<'a> {
    /// Parses the target of a request whose method is not `CONNECT`: [`TargetForm::parse`] of [`TargetForm::of`].
    ///
    /// # Errors
    /// Returns the first violation, with byte offsets into `target`.
    ///
    /// ```
    /// use simd_iri::http_message::{Target, TargetForm};
    ///
    /// assert_eq!(Target::parse("//a/b")?, Target::Origin { path: "//a/b", query: None });
    /// assert_eq!(Target::parse("http://a/b")?.form(), TargetForm::Absolute);
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    pub fn parse(target: &'a str) -> Result<Self, Error> {
        TargetForm::of(target).parse(target)
    }

    /// Returns the form of the target.
    ///
    /// ```
    /// # use simd_iri::http_message::{Target, TargetForm};
    /// assert_eq!(Target::parse("*")?.form(), TargetForm::Asterisk);
    /// # Ok::<(), simd_iri::Error>(())
    /// ```
    #[must_use]
    pub const fn form(self) -> TargetForm {
        match self {
            Self::Origin { .. } => TargetForm::Origin,
            Self::Absolute(_) => TargetForm::Absolute,
            Self::Authority { .. } => TargetForm::Authority,
            Self::Asterisk => TargetForm::Asterisk,
        }
    }
}

/// The form of the target that a request of the crate `http` has.
///
/// ```
/// use http::Uri;
/// use simd_iri::http_message::TargetForm;
///
/// assert_eq!(TargetForm::from(&Uri::from_static("//a/b")), TargetForm::Origin);
/// assert_eq!(TargetForm::from(&Uri::from_static("http://a/b")), TargetForm::Absolute);
/// assert_eq!(TargetForm::from(&Uri::from_static("example.com:443")), TargetForm::Authority);
/// assert_eq!(TargetForm::from(&Uri::from_static("*")), TargetForm::Asterisk);
/// ```
#[cfg(feature = "http")]
impl From<&http::Uri> for TargetForm {
    fn from(uri: &http::Uri) -> Self {
        if uri.scheme().is_none() && uri.authority().is_some() {
            Self::Authority
        } else if uri.path() == "*" {
            // HTTP/2 sends it with a scheme and an authority.
            Self::Asterisk
        } else if uri.scheme().is_some() {
            Self::Absolute
        } else {
            Self::Origin
        }
    }
}

//! The four forms of a request target, and the errors of a target.
//!
//! Not here: what a layer does with an error (`check`), and normal forms (`normalize`).

use std::fmt;

use http::uri::Scheme;
use http::{Method, Uri, Version};
use simd_iri::{ComponentRule, Error, Rule};

/// The form of a request target (RFC 9112, section 3.2).
///
/// ```
/// use http::Uri;
/// use simd_iri_tower::Form;
///
/// assert_eq!(Form::of(&Uri::from_static("//a/b")), Form::Origin);
/// assert_eq!(Form::of(&Uri::from_static("http://a/b")), Form::Absolute);
/// assert_eq!(Form::of(&Uri::from_static("example.com:443")), Form::Authority);
/// assert_eq!(Form::of(&Uri::from_static("*")), Form::Asterisk);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// A path that begins with a slash, and perhaps a query: `/a?b`. A path may begin with two slashes.
    Origin,
    /// An absolute URI: `http://a/b`. HTTP/2 and HTTP/3 send its components by themselves.
    Absolute,
    /// A host and a port, for `CONNECT`: `example.com:443`.
    Authority,
    /// `*`, for `OPTIONS`.
    Asterisk,
}

impl Form {
    /// Returns the form of the target that a request has in `uri`.
    #[must_use]
    pub fn of(uri: &Uri) -> Self {
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

    /// Returns the name of the form in RFC 9112.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Origin => "origin-form",
            Self::Absolute => "absolute-form",
            Self::Authority => "authority-form",
            Self::Asterisk => "asterisk-form",
        }
    }

    /// Tells whether requests with this method may have a target of this form.
    fn is_of(self, method: &Method, version: Version) -> bool {
        let is_connect = *method == Method::CONNECT;
        match self {
            Self::Origin => !is_connect,
            // The extended CONNECT of HTTP/2 and HTTP/3 has a scheme and a path (RFC 8441, section 4).
            Self::Absolute => !is_connect || version >= Version::HTTP_2,
            Self::Authority => is_connect,
            Self::Asterisk => *method == Method::OPTIONS,
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The reason why a request target is not valid.
///
/// `Display` writes the message, with a hint at the correction.
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TargetError {
    /// The text does not match the grammar. Offsets are offsets in the text of the target. For HTTP/2 and HTTP/3, this
    /// text is the absolute URI.
    Syntax(Error),
    /// Requests with this method have targets of another form.
    Form(Form),
    /// The target of `CONNECT`, or a target with the scheme `http` or `https`, has user information (RFC 9110, section
    /// 4.2.4).
    Userinfo,
    /// The target of `CONNECT` has no port; or the port of `CONNECT`, or of a target with the scheme `http` or `https`,
    /// is not a 16-bit number.
    Port,
}

impl TargetError {
    /// Returns the name of the kind of error, which does not change between versions.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Syntax(error) => error.kind().name(),
            Self::Form(_) => "target-form",
            Self::Userinfo => "target-userinfo",
            Self::Port => "target-port",
        }
    }
}

impl fmt::Display for TargetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(error) => error.fmt(f),
            Self::Form(form) => {
                let right = match form {
                    Form::Authority => "only CONNECT takes it; write a path that begins with '/'",
                    Form::Asterisk => "only OPTIONS takes it; write a path that begins with '/'",
                    Form::Origin | Form::Absolute => {
                        "CONNECT takes a host and a port; write host:port"
                    }
                };
                write!(f, "the target is in {form}; {right}")
            }
            Self::Userinfo => {
                f.write_str("the target has user information; write only the host and the port")
            }
            Self::Port => f.write_str("the target has no port from 0 to 65535; write host:port"),
        }
    }
}

impl std::error::Error for TargetError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Syntax(error) => Some(error),
            _ => None,
        }
    }
}

/// Checks the target of a request. With `is_iri`, path and query may have the characters of an IRI.
pub(crate) fn check(
    method: &Method,
    version: Version,
    uri: &Uri,
    is_iri: bool,
) -> Result<(), TargetError> {
    let form = Form::of(uri);
    if !form.is_of(method, version) {
        return Err(TargetError::Form(form));
    }
    let before = check_authority(uri)?;
    match uri.path_and_query() {
        Some(text) if form != Form::Asterisk => {
            let (slashes, text) = without_slashes(text.as_str());
            let rule = if is_iri { Rule::IrelativeRef } else { Rule::RelativeRef };
            let moved = |error: Error| TargetError::Syntax(error.moved_by(before + slashes));
            rule.parse(text).map_err(moved)?;
        }
        _ => {}
    }
    let is_http =
        uri.scheme().is_some_and(|scheme| *scheme == Scheme::HTTP || *scheme == Scheme::HTTPS);
    match uri.authority() {
        Some(authority) if form == Form::Authority || is_http => {
            check_host_and_port(authority.as_str(), form == Form::Authority)
        }
        _ => Ok(()),
    }
}

/// Splits a path and query before the last slash at its start. Returns the number of slashes before that slash, and the
/// rest. The slashes are empty segments, and the rest is a relative reference without an authority: `//a/b` gives 1 and
/// `/a/b`.
fn without_slashes(text: &str) -> (usize, &str) {
    let slashes = text.bytes().take_while(|byte| *byte == b'/').count().saturating_sub(1);
    text.split_at_checked(slashes).map_or((0, text), |(_, rest)| (slashes, rest))
}

/// Checks scheme and authority. Returns the number of bytes before the path.
fn check_authority(uri: &Uri) -> Result<usize, TargetError> {
    let mut before = 0;
    if let Some(scheme) = uri.scheme() {
        // PERF: `http` has values of its own for these two schemes, so they need no check.
        if *scheme != Scheme::HTTP && *scheme != Scheme::HTTPS {
            ComponentRule::Scheme.validate_uri(scheme.as_str()).map_err(TargetError::Syntax)?;
        }
        before = scheme.as_str().len() + "://".len();
    }
    if let Some(authority) = uri.authority() {
        let moved = |error: Error| TargetError::Syntax(error.moved_by(before));
        ComponentRule::Iauthority.validate_uri(authority.as_str()).map_err(moved)?;
        before += authority.as_str().len();
    }
    Ok(before)
}

/// Checks that a valid authority has no user information, and that its port is a number of 16 bits.
fn check_host_and_port(authority: &str, needs_port: bool) -> Result<(), TargetError> {
    if authority.contains('@') {
        return Err(TargetError::Userinfo);
    }
    // The colons of an IP literal are before its bracket.
    let after = authority.rsplit(']').next().unwrap_or_default();
    let is_right = match after.rsplit_once(':') {
        None | Some((_, "")) => !needs_port,
        Some((_, port)) => port.parse::<u16>().is_ok(),
    };
    if is_right { Ok(()) } else { Err(TargetError::Port) }
}

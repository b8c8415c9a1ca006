//! What is wrong with the target of a request.
//!
//! Not here: the forms of a target (`TargetForm` of the library), and what a layer does with an error (`check`).

use std::borrow::Cow;
use std::fmt;

use http::uri::{PathAndQuery, Scheme};
use http::{Method, Uri, Version};
use simd_iri::{Error, component::ComponentRule, http_message::TargetForm};

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
    Form(TargetForm),
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
                    TargetForm::Authority => {
                        "only CONNECT takes it; write a path that begins with '/'"
                    }
                    TargetForm::Asterisk => {
                        "only OPTIONS takes it; write a path that begins with '/'"
                    }
                    TargetForm::Origin | TargetForm::Absolute => {
                        "CONNECT takes a host and a port; write host:port"
                    }
                };
                write!(f, "the target is in {form}; {right}")
            }
            Self::Userinfo => {
                f.write_str("the target has user information; write only the host and the port")
            }
            Self::Port => f.write_str(
                "the port of the target is missing, or is no number from 0 to 65535; correct the port",
            ),
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

/// Tells whether requests with this method may have a target of a form.
fn is_form_of(form: TargetForm, method: &Method, version: Version) -> bool {
    let is_connect = *method == Method::CONNECT;
    match form {
        TargetForm::Origin => !is_connect,
        // The extended CONNECT of HTTP/2 and HTTP/3 has a scheme and a path (RFC 8441, section 4).
        TargetForm::Absolute => !is_connect || version >= Version::HTTP_2,
        TargetForm::Authority => is_connect,
        TargetForm::Asterisk => *method == Method::OPTIONS,
    }
}

/// Checks the target of a request. With `is_iri`, path and query may have the characters of an IRI.
pub(crate) fn check(
    method: &Method,
    version: Version,
    uri: &Uri,
    is_iri: bool,
) -> Result<(), TargetError> {
    let form = TargetForm::from(uri);
    if !is_form_of(form, method, version) {
        return Err(TargetError::Form(form));
    }
    let before = check_authority(uri)?;
    match uri.path_and_query() {
        Some(given) if form != TargetForm::Asterisk => {
            let (target, form) = (origin_form(given), TargetForm::Origin);
            let parsed = if is_iri { form.parse(&target) } else { form.parse_uri(&target) };
            let slash = target.len() - given.as_str().len();
            let moved = |error: Error| error.moved_by(before).moved_back_by(slash);
            parsed.map_err(|error| TargetError::Syntax(moved(error)))?;
        }
        _ => {}
    }
    let is_http =
        uri.scheme().is_some_and(|scheme| *scheme == Scheme::HTTP || *scheme == Scheme::HTTPS);
    match uri.authority() {
        Some(authority) if form == TargetForm::Authority || is_http => {
            check_host_and_port(authority.as_str(), form == TargetForm::Authority)
        }
        _ => Ok(()),
    }
}

/// Returns a path and query as a target in origin-form. After an authority, the path may be empty: the slash that it
/// stands for is put before the query.
pub(crate) fn origin_form(given: &PathAndQuery) -> Cow<'_, str> {
    let text = given.as_str();
    if text.starts_with('?') { Cow::Owned(format!("/{text}")) } else { Cow::Borrowed(text) }
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

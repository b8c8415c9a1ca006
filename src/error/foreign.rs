//! Errors of conversions from and to the types of other crates.

use core::fmt;

/// The reason why a type of another crate cannot hold a reference.
///
/// ```
/// use simd_iri::{errors::ConvertError, iri};
///
/// let error = http::Uri::try_from(iri!("http://a/#b")).unwrap_err();
/// assert_eq!(error, ConvertError::Fragment);
/// assert_eq!(error.to_string(), "the type does not hold a fragment; remove it");
/// ```
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConvertError {
    /// The reference has a fragment, and the type cannot hold a fragment.
    Fragment,
    /// The text is not ASCII, and the type holds URIs.
    NonAscii,
    /// The reference is relative, and the type cannot hold a relative reference of this form.
    Form,
    /// The reference has a scheme and no authority, such as `urn:a`, and the type cannot hold it.
    NoAuthority,
    /// The other crate refuses the text.
    Refused(ForeignError),
    /// The other crate reads the text with other components.
    Misread,
}

impl ConvertError {
    /// The error of another crate.
    pub(crate) fn refused(cause: impl core::error::Error + Send + Sync + 'static) -> Self {
        Self::Refused(ForeignError(alloc::sync::Arc::new(cause)))
    }
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fragment => "the type does not hold a fragment; remove it",
            Self::NonAscii => "the type holds only ASCII; map the IRI to a URI first",
            Self::Form => "the type does not hold a relative reference of this form; resolve it first",
            Self::NoAuthority => {
                "the type does not hold a reference with a scheme and without an authority; write \"//\" and a host after the scheme"
            }
            Self::Refused(refusal) => {
                return write!(f, "the type refuses the reference: {refusal}; correct it");
            }
            Self::Misread => "the type would read the reference as another one; correct it",
        })
    }
}

impl core::error::Error for ConvertError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Refused(refusal) => Some(&*refusal.0),
            _ => None,
        }
    }
}

/// The error of another crate, which refuses a text: its message, and by [`source`](core::error::Error::source) of
/// [`ConvertError`] the error itself. Two errors are equal if their messages are.
///
/// ```
/// use simd_iri::{errors::ConvertError, iri};
/// use std::error::Error;
///
/// let error = url::Url::try_from(iri!("http://a:99999/")).unwrap_err();
/// assert!(matches!(&error, ConvertError::Refused(cause) if cause.to_string() == "invalid port number"));
/// let source = error.source().unwrap();
/// assert_eq!(source.downcast_ref(), Some(&url::ParseError::InvalidPort));
/// ```
#[derive(Clone, Debug)]
pub struct ForeignError(alloc::sync::Arc<dyn core::error::Error + Send + Sync>);

impl PartialEq for ForeignError {
    fn eq(&self, other: &Self) -> bool {
        use alloc::string::ToString;
        self.to_string() == other.to_string()
    }
}

impl Eq for ForeignError {}

impl fmt::Display for ForeignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

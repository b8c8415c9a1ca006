//! What an object of `IriRef` or of a subclass holds.
//!
//! Not here: its methods, and the subclasses (`reference`).

use pyo3::prelude::*;
use simd_iri::{Buf, IriBuf, IriRef, IriRefBuf, UriBuf, UriRefBuf, kind};

/// A reference. In Python, it is an object of the class of its kind.
pub(crate) enum Held {
    IriRef(IriRefBuf),
    Iri(IriBuf),
    UriRef(UriRefBuf),
    Uri(UriBuf),
}

/// Evaluates an expression with the owner that is held, whose type differs from kind to kind.
macro_rules! with_buf {
    ($held:expr, $buf:ident => $made:expr) => {
        match $held {
            Held::IriRef($buf) => $made,
            Held::Iri($buf) => $made,
            Held::UriRef($buf) => $made,
            Held::Uri($buf) => $made,
        }
    };
}

pub(crate) use with_buf;

/// An IRI reference (RFC 3987, section 2.2): a text that matches the grammar. It is immutable, and equal to a reference
/// with the same text, also of another class. ``Iri``, ``UriRef`` and ``Uri`` are subclasses.
///
/// >>> reference = IriRef("../é?q#top")
/// >>> reference.scheme, reference.path, reference.query, reference.fragment
/// (None, '../é', 'q', 'top')
/// >>> reference.to_uri()
/// UriRef('../%C3%A9?q#top')
/// >>> IriRef("a:b") == Iri("a:b"), isinstance(Iri("a:b"), IriRef)
/// (True, True)
///
/// The constructor takes a ``str`` or a reference of any class. It raises ``IriError`` if the text does not match the
/// rule of the class. It takes linear time.
#[pyclass(frozen, subclass, weakref, name = "IriRef", module = "simd_iri")]
pub(crate) struct Reference(pub(crate) Held);

impl Reference {
    /// The text.
    pub(crate) fn text(&self) -> &str {
        with_buf!(&self.0, buf => buf.as_str())
    }

    #[expect(clippy::useless_conversion, reason = "one arm converts an `IriRef` into itself")]
    pub(crate) fn view(&self) -> IriRef<'_> {
        with_buf!(&self.0, buf => buf.view().into())
    }
}

macro_rules! impl_from {
    ($($kind:ident => $variant:ident),+) => {$(
        impl From<Buf<kind::$kind>> for Held {
            fn from(buf: Buf<kind::$kind>) -> Self { Self::$variant(buf) }
        }
    )+};
}

impl_from!(IriReference => IriRef, Iri => Iri, UriReference => UriRef, Uri => Uri);

//! The checks of a view for every type that holds a reference. Not here: the checks themselves (`lint`, `rules`,
//! `bidi`).

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::code::Profile;
use super::report::Report;
use crate::reference::delegate;
use crate::reference::kind::Kind;

delegate! { [K: Kind] K; { #[must_use] lint(profile: Profile) -> Report; } }

#[cfg(feature = "spoof")]
delegate! { [K: Kind] K; { #[must_use] skeleton() -> String; } }

#[cfg(feature = "bidi")]
delegate! {
    [K: Kind] K;
    {
        #[must_use] visual() -> Cow<'_, str>;
        #[must_use] visual_offsets() -> Vec<usize>;
    }
}

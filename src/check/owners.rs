//! The checks of a view for every type that holds a reference. Not here: the checks themselves (`lint`, `rules`,
//! `bidi`).

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::code::Profile;
use super::report::Report;
use crate::reference::delegate;
use crate::reference::kind::Kind;

delegate! {
    [K: Kind] K;
    {
        /// Returns the findings of a profile in this reference.
        #[must_use] lint(profile: Profile) -> Report;
    }
}

delegate! {
    [K: Kind] K;
    {
        /// Returns the skeleton of the reference (UTS #39, section 4): references with the same skeleton look alike.
        #[must_use] skeleton() -> String;
    }
}

delegate! {
    [K: Kind] K;
    {
        /// Returns the characters in the order in which they are displayed, from left to right: the order of the
        /// Unicode Bidirectional Algorithm in a left-to-right embedding, as RFC 3987, section 4.1 requires.
        #[must_use] visual() -> Cow<'_, str>;
        /// Returns the byte offset in the reference of each character of [`visual`](Self::visual).
        #[must_use] visual_offsets() -> Vec<usize>;
    }
}

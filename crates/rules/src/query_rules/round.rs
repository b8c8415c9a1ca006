//! What the formats share: the options of a round, and its result.

use simd_iri::IriRefBuf;

#[derive(Clone, Copy, Default)]
pub(super) struct RuleOptions {
    pub(super) allows_referral: bool,
    pub(super) keeps_mark: bool,
    /// Whether `&amp;` is one delimiter of pairs, as in HTML.
    pub(super) reads_html: bool,
}

/// What one round of rules makes of a reference.
#[derive(Default)]
pub(super) struct Round {
    /// `None` if nothing changes.
    pub(super) made: Option<IriRefBuf>,
    pub(super) dropped: usize,
    pub(super) is_blocked: bool,
    pub(super) is_redirected: bool,
}

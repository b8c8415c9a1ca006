//! The display policies: their names and dates, and their judgement about a host.
//!
//! A label is judged as UTS #46 maps it, so that the judgement does not depend on its spelling. Scripts are never compared
//! across labels. Not here: the rules (`chromium`, `firefox`).

use alloc::string::String;
use alloc::vec::Vec;

use super::rule::DisplayRule;
use super::{chromium, firefox};
use crate::rules::meant;
use simd_iri::low::{LABEL_DOTS, named};
use simd_iri::percent::decode;

/// The policy of a browser: which labels of a host the browser shows in Unicode. It shows the A-labels (`xn--`) of all
/// other labels, because their letters may mislead.
///
/// A policy has the rules of one revision of the browser, and the tables of Unicode that the library has
/// ([`DataTable`](simd_iri::versions::DataTable)). The browsers also warn of hosts that look like hosts that the user visits, and
/// Chromium compares each host with a list of the most visited domains. These two judgements need data that the library
/// does not have, and are not part of a policy.
///
/// ```
/// use simd_iri_lint::{DisplayPolicy, DisplayRule};
///
/// assert!(DisplayPolicy::Chromium.judge("bücher.example").is_unicode());
/// let shown = DisplayPolicy::Firefox.judge("www.日本ー野球.jp");
/// assert_eq!((shown.rule(), shown.label()), (Some(DisplayRule::ProlongedSound), Some(1)));
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DisplayPolicy {
    /// Chromium of 2026, on a system other than macOS, iOS and Linux.
    Chromium,
    /// Firefox of 2025, on a system other than macOS, iOS and Linux, with its default preferences.
    Firefox,
}

named! {
    /// Returns the name in lower case.
    "simd_iri_lint::DisplayPolicy" DisplayPolicy {
        Chromium = "chromium",
        Firefox = "firefox",
    }
}

/// The judgement of a policy about a host.
///
/// ```
/// use simd_iri_lint::{DisplayPolicy, Shown};
///
/// let shown: Shown = DisplayPolicy::Chromium.judge("example.com");
/// assert!(shown.is_unicode());
/// assert_eq!((shown.rule(), shown.label()), (None, None));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shown {
    /// The first label whose A-label is shown, and the rule that decides.
    hidden: Option<(usize, DisplayRule)>,
}

impl Shown {
    /// Tells whether the browser shows every label of the host in Unicode. A label in ASCII is its own form in Unicode,
    /// unless it is an A-label.
    ///
    /// ```
    /// # use simd_iri_lint::DisplayPolicy;
    /// assert!(!DisplayPolicy::Chromium.judge("xn--80ak6aa92e.com").is_unicode());
    /// ```
    #[must_use]
    pub const fn is_unicode(self) -> bool {
        self.hidden.is_none()
    }

    /// Returns the rule by which the browser shows an A-label; `None` if it shows every label in Unicode. If several labels
    /// are not shown in Unicode, the rule is the rule of the first of them.
    ///
    /// ```
    /// # use simd_iri_lint::{DisplayPolicy, DisplayRule};
    /// let shown = DisplayPolicy::Chromium.judge("xn--80ak6aa92e.com");
    /// assert_eq!(shown.rule(), Some(DisplayRule::WholeScript));
    /// ```
    #[must_use]
    pub const fn rule(self) -> Option<DisplayRule> {
        match self.hidden {
            Some((_, rule)) => Some(rule),
            None => None,
        }
    }

    /// Returns the number of the label to which the rule applies, from 0 at the left; `None` without a rule.
    ///
    /// ```
    /// # use simd_iri_lint::DisplayPolicy;
    /// assert_eq!(DisplayPolicy::Chromium.judge("www.xn--80ak6aa92e.com").label(), Some(1));
    /// ```
    #[must_use]
    pub const fn label(self) -> Option<usize> {
        match self.hidden {
            Some((label, _)) => Some(label),
            None => None,
        }
    }
}

impl DisplayPolicy {
    /// Returns the year of the revision whose rules the policy has.
    ///
    /// ```
    /// # use simd_iri_lint::DisplayPolicy;
    /// assert_eq!(DisplayPolicy::Chromium.date(), 2026);
    /// assert_eq!(DisplayPolicy::Firefox.date(), 2025);
    /// ```
    #[must_use]
    pub const fn date(self) -> u16 {
        match self {
            Self::Chromium => 2026,
            Self::Firefox => 2025,
        }
    }

    /// Judges a host: a domain name in Unicode or in ASCII, with triplets or without. The labels are mapped by UTS #46. A
    /// host that is an address, or is in ASCII and has no A-label, is shown as it is. A host that is too long for the DNS
    /// has the rule [`DisplayRule::NotIdna`].
    ///
    /// Takes linear time, and a few allocations if the host has an A-label, a triplet or a character outside ASCII.
    ///
    /// ```
    /// # use simd_iri_lint::{DisplayPolicy, DisplayRule};
    /// let policy = DisplayPolicy::Chromium;
    /// assert!(policy.judge("аст.ru").is_unicode());
    /// assert_eq!(policy.judge("аст.com").rule(), Some(DisplayRule::WholeScript));
    /// assert_eq!(policy.judge("%D0%B0%D1%81%D1%82.com"), policy.judge("xn--80a8ad.com"));
    /// ```
    #[must_use]
    pub fn judge(self, host: &str) -> Shown {
        if !meant::may_differ(host) || host.starts_with('[') {
            return Shown { hidden: None };
        }
        if meant::is_too_long(host) {
            return Shown { hidden: Some((0, DisplayRule::NotIdna)) };
        }
        let mut labels: Vec<String> = Vec::new();
        for label in decode(host).lossy().split(LABEL_DOTS) {
            // UTS #46 may map a character to several, with a dot among them.
            labels.extend(meant::mapped(label).split('.').map(String::from));
        }
        let top = labels.last().map_or("", String::as_str);
        let mut hidden = labels.iter().map(|label| self.rule_of_mapped(label, top)).enumerate();
        Shown { hidden: hidden.find_map(|(label, rule)| Some((label, rule?))) }
    }

    /// Returns the rule for a label without triplets; `None` if the browser shows the Unicode form. `top` is the last label
    /// of the host, mapped by UTS #46.
    pub(crate) fn rule_of(self, label: &str, top: &str) -> Option<DisplayRule> {
        meant::mapped(label).split('.').find_map(|label| self.rule_of_mapped(label, top))
    }

    /// Returns the rule for a label that UTS #46 has mapped, as far as it is valid. `top` is the last label of the host,
    /// mapped, too.
    pub(crate) fn rule_of_mapped(self, label: &str, top: &str) -> Option<DisplayRule> {
        if label.is_ascii() {
            // An A-label that stays is not valid.
            return meant::is_ace(label).then_some(DisplayRule::NotIdna);
        }
        if label.contains(char::REPLACEMENT_CHARACTER) || meant::is_too_long(label) {
            return Some(DisplayRule::NotIdna);
        }
        match self {
            Self::Chromium => chromium::rule(label, top),
            Self::Firefox => firefox::rule(label, top),
        }
    }
}

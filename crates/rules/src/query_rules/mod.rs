//! Rules for queries that are read at run time: which pairs are removed, and which links are wrapped.
//!
//! Here: the formats, the options and the results. Not here: the rules of each format (`clearurls`, `filters`, `own`),
//! and lists of rules: no list is a part of the library.

mod clearurls;
mod error;
mod fields;
mod filters;
mod own;
mod pattern;
mod round;

use core::fmt;

use crate::wrapped::found::FoundLink;
use clearurls::Catalog;
pub use error::{RuleError, RuleErrorKind};
use filters::Filters;
use own::Own;
use round::{Round, RuleOptions};
use simd_iri::low::{debug_without_text, named};
use simd_iri::{IriRef, Mapped, kind};

/// The most rounds of [`QueryRules::apply`].
const MOST_ROUNDS: usize = 16;

/// The format of a file of rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum RuleFormat {
    /// TOML with the tables `[[drop]]` and `[[wrapper]]`. docs/query-rules.md of the project lists their keys.
    Toml,
    /// JSON of ClearURLs, as `data.min.json` has it.
    ClearUrls,
    /// A filter list of AdGuard or uBlock Origin, of which the rules with `removeparam` are read.
    AdGuard,
}

named! {
    /// Returns the name in lower case.
    "simd_iri_rules::RuleFormat" RuleFormat {
        Toml = "toml",
        ClearUrls = "clearurls",
        AdGuard = "adguard",
    }
}

/// Rules that remove pairs of queries, from a text that is read at run time.
///
/// ```
/// use simd_iri::iri_ref;
/// use simd_iri_rules::{QueryRules, RuleFormat};
///
/// let list = "$removeparam=utm_source\n||shop.example^$removeparam=/^ref_/\n@@||a.example^$removeparam";
/// let rules = QueryRules::parse(list, RuleFormat::AdGuard)?;
/// let applied = rules.apply(iri_ref!("https://shop.example/?ref_a=1&q=%71&utm_source=x#b"));
/// assert_eq!(applied.reference(), "https://shop.example/?q=%71#b");
/// assert_eq!(applied.dropped(), 2);
/// assert_eq!(rules.apply(iri_ref!("https://a.example/?utm_source=x")).dropped(), 0);
/// # Ok::<(), simd_iri_rules::RuleError>(())
/// ```
///
/// # What stays
/// A pair that no rule names stays as it is written, in its order. If all pairs go, their `?` goes too, unless
/// [`keep_mark`](Self::keep_mark) is set. The result is a reference: what would not be a reference is not done.
///
/// # Rounds
/// A rule may be about what another rule leaves. So the rules are applied again until nothing changes, as a browser
/// does, which sends a changed request through the rules again. Applying the rules to a result without a
/// [redirection](Applied::is_redirected) changes nothing. If a reference changes in each of 16 rounds, the rules do not
/// come to rest, and the reference stays as it is.
///
/// # Cost
/// Linear in the reference. Patterns are compared by automata, which never go back in the text. The automata of a file
/// take at most 16 MiB, and several times as much while they are used.
pub struct QueryRules {
    rules: Rules,
    options: RuleOptions,
}

enum Rules {
    Own(Own),
    ClearUrls(Catalog),
    AdGuard(Filters),
}

impl fmt::Debug for QueryRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QueryRules")
            .field("format", &self.format())
            .field("count", &self.count())
            .field("skipped", &self.skipped().len())
            .finish_non_exhaustive()
    }
}

/// A reference to which rules were applied: the result of [`QueryRules::apply`].
#[must_use]
pub struct Applied<'a> {
    reference: Mapped<'a, kind::IriReference>,
    dropped: usize,
    is_blocked: bool,
    is_redirected: bool,
    is_at_rest: bool,
}

debug_without_text!(
    [] Applied<'_>, "Applied", dropped, is_blocked, is_redirected, is_at_rest
);

impl<'a> Applied<'a> {
    /// Returns the reference by the rules: the reference itself if nothing changed.
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// # use simd_iri_rules::{QueryRules, RuleFormat};
    /// let rules = QueryRules::parse("$removeparam=a", RuleFormat::AdGuard)?;
    /// assert_eq!(rules.apply(iri_ref!("/?a&b")).reference(), "/?b");
    /// # Ok::<(), simd_iri_rules::RuleError>(())
    /// ```
    #[must_use]
    pub fn reference(&self) -> IriRef<'_> {
        self.reference.view()
    }

    /// Returns the reference by the rules, which is borrowed if nothing changed.
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// # use simd_iri_rules::{QueryRules, RuleFormat};
    /// let rules = QueryRules::parse("$removeparam=a", RuleFormat::AdGuard)?;
    /// assert!(rules.apply(iri_ref!("/?b")).into_reference().is_borrowed());
    /// # Ok::<(), simd_iri_rules::RuleError>(())
    /// ```
    #[must_use]
    pub fn into_reference(self) -> Mapped<'a, kind::IriReference> {
        self.reference
    }

    /// Returns how many pairs were removed, and how many patterns of texts removed something.
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// # use simd_iri_rules::{QueryRules, RuleFormat};
    /// let rules = QueryRules::parse("$removeparam=a", RuleFormat::AdGuard)?;
    /// assert_eq!(rules.apply(iri_ref!("/?a=1&b&a=2")).dropped(), 2);
    /// # Ok::<(), simd_iri_rules::RuleError>(())
    /// ```
    #[must_use]
    pub const fn dropped(&self) -> usize {
        self.dropped
    }

    /// Tells whether a provider of ClearURLs says that a browser must not load the address. The reference is not
    /// changed by that.
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// # use simd_iri_rules::{QueryRules, RuleFormat};
    /// let catalog = r#"{"providers": {"a": {"urlPattern": "//ads\\.example", "completeProvider": true}}}"#;
    /// let rules = QueryRules::parse(catalog, RuleFormat::ClearUrls)?;
    /// assert!(rules.apply(iri_ref!("https://ads.example/")).is_blocked());
    /// # Ok::<(), simd_iri_rules::RuleError>(())
    /// ```
    #[must_use]
    pub const fn is_blocked(&self) -> bool {
        self.is_blocked
    }

    /// Tells whether the reference is the target of a redirection of ClearURLs. No rule is applied to a target. To
    /// follow several redirections, use [`Unwrap::rules`](crate::Unwrap::rules).
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// # use simd_iri_rules::{QueryRules, RuleFormat};
    /// let catalog = r#"{"providers": {"a": {"urlPattern": "//a\\.example", "redirections": ["/out\\?u=([^&]*)"]}}}"#;
    /// let rules = QueryRules::parse(catalog, RuleFormat::ClearUrls)?;
    /// let applied = rules.apply(iri_ref!("https://a.example/out?u=https%253A%252F%252Fb.example"));
    /// assert!(applied.is_redirected());
    /// assert_eq!(applied.reference(), "https://b.example");
    /// # Ok::<(), simd_iri_rules::RuleError>(())
    /// ```
    #[must_use]
    pub const fn is_redirected(&self) -> bool {
        self.is_redirected
    }

    /// Tells whether the rules came to rest. If not, the reference is the given reference.
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// # use simd_iri_rules::{QueryRules, RuleFormat};
    /// let catalog = r#"{"providers": {"a": {"urlPattern": "^", "rawRules": ["^a"]}}}"#;
    /// let rules = QueryRules::parse(catalog, RuleFormat::ClearUrls)?;
    /// assert_eq!(rules.apply(iri_ref!("aaab")).reference(), "b");
    /// assert!(!rules.apply(iri_ref!("aaaaaaaaaaaaaaaaaaaaab")).is_at_rest());
    /// # Ok::<(), simd_iri_rules::RuleError>(())
    /// ```
    #[must_use]
    pub const fn is_at_rest(&self) -> bool {
        self.is_at_rest
    }
}

impl QueryRules {
    /// Reads rules. A byte order mark at the start is skipped.
    ///
    /// # Errors
    /// The first place where the text does not follow its format, or where a pattern is not a regular expression, takes
    /// more than linear time, or takes too much memory. A line of a filter list is not an error: see
    /// [`skipped`](Self::skipped).
    ///
    /// ```
    /// # use simd_iri_rules::{QueryRules, RuleFormat};
    /// assert_eq!(QueryRules::parse("[[drop]]\nnames = ['utm_*', 'ref']", RuleFormat::Toml)?.count(), 2);
    /// assert!(QueryRules::parse("[[drop]]\nnmes = []", RuleFormat::Toml).is_err());
    /// # Ok::<(), simd_iri_rules::RuleError>(())
    /// ```
    pub fn parse(text: &str, format: RuleFormat) -> Result<Self, RuleError> {
        let rules = match format {
            RuleFormat::Toml => Rules::Own(Own::parse(text)?),
            RuleFormat::ClearUrls => Rules::ClearUrls(Catalog::parse(text)?),
            RuleFormat::AdGuard => Rules::AdGuard(Filters::parse(text)?),
        };
        Ok(Self { rules, options: RuleOptions::default() })
    }

    /// Returns the format from which the rules were read.
    ///
    /// ```
    /// # use simd_iri_rules::{QueryRules, RuleFormat};
    /// assert_eq!(QueryRules::parse("", RuleFormat::Toml)?.format(), RuleFormat::Toml);
    /// # Ok::<(), simd_iri_rules::RuleError>(())
    /// ```
    #[must_use]
    pub const fn format(&self) -> RuleFormat {
        match self.rules {
            Rules::Own(_) => RuleFormat::Toml,
            Rules::ClearUrls(_) => RuleFormat::ClearUrls,
            Rules::AdGuard(_) => RuleFormat::AdGuard,
        }
    }

    /// Returns how many rules there are: names, patterns, wrappers, or lines of a filter list.
    ///
    /// ```
    /// # use simd_iri_rules::{QueryRules, RuleFormat};
    /// let rules = QueryRules::parse("! a comment\n$removeparam=a\n||b^", RuleFormat::AdGuard)?;
    /// assert_eq!(rules.count(), 1);
    /// # Ok::<(), simd_iri_rules::RuleError>(())
    /// ```
    #[must_use]
    pub fn count(&self) -> usize {
        match &self.rules {
            Rules::Own(own) => own.count,
            Rules::ClearUrls(catalog) => catalog.count,
            Rules::AdGuard(filters) => filters.count(),
        }
    }

    /// Returns why lines of a filter list are not applied, in their order.
    ///
    /// ```
    /// # use simd_iri_rules::{QueryRules, RuleErrorKind, RuleFormat};
    /// let rules = QueryRules::parse("$removeparam=a,domain=b.example\n$removeparam=/(?!a)/", RuleFormat::AdGuard)?;
    /// let skipped = rules.skipped().iter().map(|error| (error.line(), error.kind()));
    /// assert!(skipped.eq([(1, RuleErrorKind::Modifier), (2, RuleErrorKind::LookAround)]));
    /// # Ok::<(), simd_iri_rules::RuleError>(())
    /// ```
    #[must_use]
    pub fn skipped(&self) -> &[RuleError] {
        match &self.rules {
            Rules::AdGuard(filters) => &filters.skipped,
            Rules::Own(_) | Rules::ClearUrls(_) => &[],
        }
    }

    /// Sets whether pairs that say who referred a buyer stay: `referralMarketing` of ClearURLs. The default is `false`.
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// # use simd_iri_rules::{QueryRules, RuleFormat};
    /// let catalog = r#"{"providers": {"a": {"urlPattern": "^", "referralMarketing": ["tag"]}}}"#;
    /// let rules = QueryRules::parse(catalog, RuleFormat::ClearUrls)?.allow_referral(true);
    /// assert_eq!(rules.apply(iri_ref!("/?tag=a")).reference(), "/?tag=a");
    /// assert_eq!(rules.allow_referral(false).apply(iri_ref!("/?tag=a")).reference(), "/");
    /// # Ok::<(), simd_iri_rules::RuleError>(())
    /// ```
    #[must_use]
    pub const fn allow_referral(mut self, allow: bool) -> Self {
        self.options.allows_referral = allow;
        self
    }

    /// Sets whether the `?` of a query stays if all its pairs go. The default is `false`.
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// # use simd_iri_rules::{QueryRules, RuleFormat};
    /// let rules = QueryRules::parse("$removeparam=a", RuleFormat::AdGuard)?.keep_mark(true);
    /// assert_eq!(rules.apply(iri_ref!("/?a#b")).reference(), "/?#b");
    /// # Ok::<(), simd_iri_rules::RuleError>(())
    /// ```
    #[must_use]
    pub const fn keep_mark(mut self, keep: bool) -> Self {
        self.options.keeps_mark = keep;
        self
    }

    /// Applies the rules to a reference.
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// # use simd_iri_rules::{QueryRules, RuleFormat};
    /// let text = "[[drop]]\nhost = '*.shop.example'\nnames = ['ref_*']\npatterns = ['[a-z]{2}_id']";
    /// let rules = QueryRules::parse(text, RuleFormat::Toml)?;
    /// let applied = rules.apply(iri_ref!("https://www.shop.example/?ref_1=a&b=c&gc_id=d"));
    /// assert_eq!(applied.reference(), "https://www.shop.example/?b=c");
    /// # Ok::<(), simd_iri_rules::RuleError>(())
    /// ```
    pub fn apply<'a>(&self, reference: IriRef<'a>) -> Applied<'a> {
        let mut applied = Applied {
            reference: Mapped::Borrowed(reference),
            dropped: 0,
            is_blocked: false,
            is_redirected: false,
            is_at_rest: true,
        };
        for _ in 0..=MOST_ROUNDS {
            let round = self.round(applied.reference.view());
            applied.is_blocked |= round.is_blocked;
            let Some(made) = round.made else { return applied };
            applied.dropped += round.dropped;
            applied.reference = Mapped::Owned(made);
            if round.is_redirected {
                applied.is_redirected = true;
                return applied;
            }
        }
        applied.reference = Mapped::Borrowed(reference);
        Applied { dropped: 0, is_at_rest: false, ..applied }
    }

    fn round(&self, reference: IriRef<'_>) -> Round {
        match &self.rules {
            Rules::Own(own) => own.round(reference, self.options),
            Rules::ClearUrls(catalog) => catalog.round(reference, self.options),
            Rules::AdGuard(filters) => filters.round(reference, self.options),
        }
    }

    /// Returns the target of a link that the rules say is wrapped.
    pub(super) fn wrapped(&self, reference: IriRef<'_>) -> Option<FoundLink> {
        match &self.rules {
            Rules::Own(own) => own.wrapped(reference),
            Rules::ClearUrls(catalog) => catalog.wrapped(reference),
            Rules::AdGuard(_) => None,
        }
    }
}

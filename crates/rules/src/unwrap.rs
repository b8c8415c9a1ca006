//! Unwraps links: finds the link that a mail filter or a site has put inside a link of its own.
//!
//! Here: the options, the levels and the results. Not here: which links are wrapped, and how a target is written in a
//! wrapper (`wrapped`).

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::wrapped::found::{FoundLink, StillWrapped, Wrapper, check};
use super::wrapped::wrappers;
use crate::query_rules::QueryRules as Rules;
use simd_iri::low::debug_without_text;
use simd_iri::{IriRef, IriRefBuf, Mapped, kind};

/// The most levels that are unwrapped.
const MOST_LEVELS: u8 = 5;

/// How wrapped links are unwrapped.
///
/// Filters of mail and some sites replace a link by a link to themselves, which holds the first link. Nothing is
/// fetched: a short link, whose target only its server knows, is not a wrapped link. [`Wrapper`] lists what is known.
///
/// ```
/// use simd_iri::iri_ref;
/// use simd_iri_rules::{StillWrapped, Unwrap, Wrapper};
///
/// let link = iri_ref!("https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example%2F%3Fb&data=05");
/// let unwrapped = Unwrap::new().apply(link);
/// assert_eq!(unwrapped.reference(), "https://a.example/?b");
/// assert_eq!(unwrapped.wrappers(), [Wrapper::SafeLinks]);
///
/// let refused = iri_ref!("https://l.facebook.com/l.php?u=javascript%3Aalert(1)");
/// let unwrapped = Unwrap::new().apply(refused);
/// assert_eq!(unwrapped.reference(), refused);
/// assert_eq!(unwrapped.still_wrapped(), Some(StillWrapped::Scheme));
/// ```
///
/// # What a target is
/// - The wrapper decodes the target once. The triplets of the target itself stay.
/// - A target is an IRI with the scheme `http`, `https` or `mailto`; with `http` and `https`, it has a host. Nothing is
///   repaired.
/// - The scheme of a wrapped link is `http` or `https`, and its port is the default port. Its host is compared without
///   the case of letters, with its triplets decoded, and without a dot at the end.
///
/// # Cost
/// One pass over the link for each level. Nothing is allocated if a link is not wrapped, unless its host has triplets
/// or capital letters.
#[derive(Clone, Copy)]
#[must_use]
pub struct Unwrap<'r> {
    levels: u8,
    rules: &'r [&'r Rules],
}

debug_without_text!([] Unwrap<'_>, "Unwrap", levels);

/// A link without its wrappers: the result of [`Unwrap::apply`].
#[must_use]
pub struct Unwrapped<'a> {
    reference: Mapped<'a, kind::IriReference>,
    wrappers: Vec<Wrapper>,
    still_wrapped: Option<StillWrapped>,
    refused: Option<String>,
}

debug_without_text!([] Unwrapped<'_>, "Unwrapped", wrappers, still_wrapped);

impl<'a> Unwrapped<'a> {
    /// Returns the link without its wrappers: the reference itself if it was not wrapped.
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// # use simd_iri_rules::Unwrap;
    /// assert_eq!(Unwrap::new().apply(iri_ref!("/a")).reference(), "/a");
    /// ```
    #[must_use]
    pub fn reference(&self) -> IriRef<'_> {
        self.reference.view()
    }

    /// Returns the link without its wrappers, which is borrowed if nothing was unwrapped.
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// # use simd_iri_rules::Unwrap;
    /// assert!(Unwrap::new().apply(iri_ref!("/a")).into_reference().is_borrowed());
    /// ```
    #[must_use]
    pub fn into_reference(self) -> Mapped<'a, kind::IriReference> {
        self.reference
    }

    /// Returns what was unwrapped, the outermost wrapper first.
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// # use simd_iri_rules::{Unwrap, Wrapper};
    /// let link = iri_ref!("https://www.google.com/url?q=https://l.instagram.com/?u=https://a.example");
    /// assert_eq!(Unwrap::new().levels(2).apply(link).wrappers(), [Wrapper::Google, Wrapper::Instagram]);
    /// ```
    #[must_use]
    pub fn wrappers(&self) -> &[Wrapper] {
        &self.wrappers
    }

    /// Returns why the result is still a wrapped link; `None` if it is not.
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// # use simd_iri_rules::{StillWrapped, Unwrap};
    /// let link = iri_ref!("https://l.instagram.com/?u=a.example");
    /// assert_eq!(Unwrap::new().apply(link).still_wrapped(), Some(StillWrapped::NotALink));
    /// ```
    #[must_use]
    pub const fn still_wrapped(&self) -> Option<StillWrapped> {
        self.still_wrapped
    }

    /// Returns the decoded text in the innermost wrapper if it is refused because it is not a link, or has another
    /// scheme. It may be anything, such as a script. `Prepare` of `simd-iri-text` may make a link of it.
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// # use simd_iri_rules::Unwrap;
    /// let link = iri_ref!("https://l.instagram.com/?u=https%3A%2F%2Fa.example%2Fb%20c");
    /// assert_eq!(Unwrap::new().apply(link).refused(), Some("https://a.example/b c"));
    /// ```
    #[must_use]
    pub fn refused(&self) -> Option<&str> {
        self.refused.as_deref()
    }
}

/// [`Unwrap::new`].
impl Default for Unwrap<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'r> Unwrap<'r> {
    /// Returns the unwrapping of one level.
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// # use simd_iri_rules::Unwrap;
    /// let link = iri_ref!("https://urldefense.com/v3/__https://a.example/*b__;Iw!!A!B$");
    /// assert_eq!(Unwrap::new().apply(link).reference(), "https://a.example/#b");
    /// ```
    pub const fn new() -> Self {
        Self { levels: 1, rules: &[] }
    }

    /// Sets how many wrappers around one another are unwrapped. The default is 1; more than 5 is 5.
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// # use simd_iri_rules::{StillWrapped, Unwrap};
    /// let link = iri_ref!("https://www.google.com/url?q=https://l.instagram.com/?u=https://a.example");
    /// assert_eq!(Unwrap::new().levels(2).apply(link).reference(), "https://a.example");
    /// let once = Unwrap::new().apply(link);
    /// assert_eq!(once.reference(), "https://l.instagram.com/?u=https://a.example");
    /// assert_eq!(once.still_wrapped(), Some(StillWrapped::Levels));
    /// ```
    pub const fn levels(self, levels: u8) -> Self {
        Self { levels: if levels < MOST_LEVELS { levels } else { MOST_LEVELS }, ..self }
    }

    /// Sets the rules whose wrappers and redirections are unwrapped, too. The wrappers that the library has come first.
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// # use simd_iri_rules::{QueryRules, RuleFormat, Unwrap};
    /// let text = "[[wrapper]]\nhost = \"out.example\"\nparameter = \"to\"";
    /// let rules = QueryRules::parse(text, RuleFormat::Toml)?;
    /// let link = iri_ref!("https://out.example/?to=https%3A%2F%2Fa.example");
    /// assert_eq!(Unwrap::new().rules(&[&rules]).apply(link).reference(), "https://a.example");
    /// # Ok::<(), simd_iri_rules::RuleError>(())
    /// ```
    pub const fn rules(self, rules: &'r [&'r Rules]) -> Self {
        Self { rules, ..self }
    }

    /// Unwraps a link, up to the number of [levels](Self::levels).
    ///
    /// ```
    /// # use simd_iri::iri_ref;
    /// # use simd_iri_rules::Unwrap;
    /// let link = iri_ref!("https://urldefense.com/v2/url?u=https-3A__a.example_b-5Fc&d=x");
    /// assert_eq!(Unwrap::new().apply(link).reference(), "https://a.example/b_c");
    /// ```
    pub fn apply<'a>(&self, reference: IriRef<'a>) -> Unwrapped<'a> {
        let mut links = Vec::<IriRefBuf>::new();
        let mut wrappers = Vec::new();
        let (mut still_wrapped, mut refused) = (None, None);
        loop {
            let outer = links.last().map_or(reference, IriRefBuf::view);
            let Some(found) = self.find(outer) else { break };
            let target = match found.target.map(|text| check(text, found.wrapper)) {
                Ok(Ok(target)) => Ok(target),
                Ok(Err((reason, text))) => {
                    refused = Some(text).filter(|text| !text.is_empty());
                    Err(reason)
                }
                Err(reason) => Err(reason),
            };
            let is_known = |target: &IriRefBuf| {
                *target == *reference.as_str() || links.iter().any(|link| link == target)
            };
            match target {
                Err(reason) => still_wrapped = Some(reason),
                Ok(target) if is_known(&target) => still_wrapped = Some(StillWrapped::Loop),
                Ok(_) if wrappers.len() >= self.levels.into() => {
                    still_wrapped = Some(StillWrapped::Levels);
                }
                Ok(target) => {
                    links.push(target);
                    wrappers.push(found.wrapper);
                    continue;
                }
            }
            break;
        }
        let reference = links.pop().map_or(Mapped::Borrowed(reference), Mapped::Owned);
        Unwrapped { reference, wrappers, still_wrapped, refused }
    }

    /// Finds the target of one wrapper.
    fn find(&self, reference: IriRef<'_>) -> Option<FoundLink> {
        wrappers::find(reference)
            .or_else(|| self.rules.iter().find_map(|rules| rules.wrapped(reference)))
    }
}

impl fmt::Display for Unwrapped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reference.as_str())
    }
}

//! Verdicts about redirects.
//!
//! Not here: the verdict about a text (`steps`), and the removal of dot segments (`send`).

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::policy::Policy;
use super::rfc::Split;
use super::steps::{not_utf8, push_characters};
use super::verdict::{Decision, Reason, ReasonKind, Verdict};
use simd_iri::Rule;
use simd_iri::low::slice;

/// The verdict about a redirect, and whether credentials may go with the next request.
///
/// ```
/// use simd_iri_judge::{Decision, Policy};
///
/// let redirect = Policy::public_web().judge_redirect("../b", "https://example.com/a/", 1);
/// assert_eq!(redirect.verdict().url_to_send(), Some("https://example.com/b"));
/// assert!(redirect.keeps_credentials());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Redirect {
    verdict: Verdict,
    keeps_credentials: bool,
}

impl Redirect {
    /// Returns the verdict about the target. The place of a reason is a place in the location; a reason about a host
    /// that is not written in the location has no place.
    ///
    /// ```
    /// # use simd_iri_judge::Policy;
    /// let redirect = Policy::public_web().judge_redirect("//10.0.0.1/", "http://example.com/", 1);
    /// assert_eq!(redirect.verdict().reasons()[0].span(), Some(2..10));
    /// ```
    #[must_use]
    pub const fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    /// Returns the verdict itself.
    ///
    /// ```
    /// # use simd_iri_judge::{Decision, Policy};
    /// let redirect = Policy::public_web().judge_redirect("/a", "http://example.com/", 1);
    /// assert_eq!(redirect.into_verdict().decision(), Decision::Resolve);
    /// ```
    #[must_use]
    pub fn into_verdict(self) -> Verdict {
        self.verdict
    }

    /// Tells whether the headers `Authorization` and `Cookie` may go with the next request: scheme, host and port stay
    /// the same, and the redirect is not refused.
    ///
    /// ```
    /// # use simd_iri_judge::Policy;
    /// let redirect = Policy::public_web().judge_redirect("http://example.org/", "http://example.com/", 1);
    /// assert!(!redirect.keeps_credentials());
    /// ```
    #[must_use]
    pub const fn keeps_credentials(&self) -> bool {
        self.keeps_credentials
    }
}

impl Policy {
    /// Judges the `Location` of a response: resolves it against the URL of the request, and judges the target from the
    /// start. `base` is the [`url_to_send`](Verdict::url_to_send) of the request, and is judged, too. `number` is 1 for
    /// the first redirect, 2 for the next.
    ///
    /// A redirect from `https` or `wss` to another scheme than these is refused. So is a redirect whose number is above
    /// the limit of the policy. Linear time.
    ///
    /// ```
    /// use simd_iri_judge::{Decision, Policy};
    ///
    /// let policy = Policy::public_web();
    /// let reasons = |location| {
    ///     let redirect = policy.judge_redirect(location, "https://example.com/a", 1);
    ///     redirect.verdict().reasons().iter().map(ToString::to_string).collect::<Vec<_>>()
    /// };
    /// assert!(reasons("b?c").is_empty());
    /// assert_eq!(reasons("http://example.com/"), ["downgrade"]);
    /// assert_eq!(reasons("//[::1]/"), ["address ::1/128"]);
    /// assert_eq!(reasons(r"/\127.0.0.1/"), ["backslash", "invalid-rfc3987"]);
    /// ```
    #[must_use]
    pub fn judge_redirect(&self, location: &str, base: &str, number: u32) -> Redirect {
        let from = self.judge(base);
        let verdict = self.judge_target(location, &from);
        let is_secret = |verdict: &Verdict| matches!(verdict.scheme(), Some("https" | "wss"));
        let mut reasons = Vec::new();
        let mut push =
            |is_true: bool, kind| reasons.extend(is_true.then(|| Reason::new(kind, None)));
        push(from.decision() == Decision::Refuse, ReasonKind::Base);
        let leaves = is_secret(&from) && verdict.scheme().is_some() && !is_secret(&verdict);
        push(leaves, ReasonKind::Downgrade);
        push(!self.allows_redirect(number), ReasonKind::TooManyRedirects);
        let verdict = verdict.refused_for(reasons);
        let parts = |verdict: &Verdict| {
            let host = verdict.host_by_whatwg().map(String::from);
            (verdict.scheme().map(String::from), host, verdict.port())
        };
        let keeps_credentials =
            verdict.decision() != Decision::Refuse && parts(&verdict) == parts(&from);
        Redirect { verdict, keeps_credentials }
    }

    /// Judges the bytes of a `Location`, as [`judge_redirect`](Self::judge_redirect) does. Bytes that are not UTF-8 are
    /// refused.
    ///
    /// ```
    /// # use simd_iri_judge::{Policy, ReasonKind};
    /// let redirect = Policy::public_web().judge_redirect_bytes(b"/\xE9", "http://example.com/", 1);
    /// assert_eq!(redirect.verdict().reasons()[0].kind(), ReasonKind::NotUtf8);
    /// ```
    #[must_use]
    pub fn judge_redirect_bytes(&self, location: &[u8], base: &str, number: u32) -> Redirect {
        match core::str::from_utf8(location) {
            Ok(location) => self.judge_redirect(location, base, number),
            Err(error) => {
                let verdict = Verdict::refused([not_utf8(location, error)].into());
                Redirect { verdict, keeps_credentials: false }
            }
        }
    }

    /// Judges the target of a location. `from` is the verdict about the base.
    ///
    /// ```text
    /// the location has   judged
    /// a scheme           the location
    /// two slashes first  the scheme of the base, and the location
    /// anything else      the location, if it is a reference, in the place of the end of the base
    /// ```
    ///
    /// The URL Standard resolves a location without a scheme to the same host, unless it has a backslash, a tab or a
    /// line end, which are refused.
    fn judge_target(&self, location: &str, from: &Verdict) -> Verdict {
        if Split::of(location).scheme.is_some() {
            return self.judge(location);
        }
        if location.starts_with("//") {
            let scheme = from.scheme().unwrap_or_default();
            let mut verdict = self.judge(&format!("{scheme}:{location}"));
            for reason in &mut verdict.reasons {
                *reason = reason.moved_back(scheme.len() + 1);
            }
            return verdict;
        }
        let mut reasons = Vec::new();
        push_characters(location, &mut reasons);
        if let Err(error) = Rule::IriReference.validate(location) {
            reasons.push(Reason::new(ReasonKind::InvalidRfc3987, Some(error.span())));
        }
        let base = from.url_to_send().filter(|_| reasons.is_empty());
        let Some(base) = base else { return Verdict::refused(reasons) };
        let mut verdict = self.judge(&merged(base, location));
        for reason in &mut verdict.reasons {
            *reason = reason.without_place();
        }
        verdict
    }
}

/// Puts a relative reference without an authority in the place of the end of a base. Dot segments stay: the verdict
/// removes them as the URL Standard does, which takes `%2e` for a dot. RFC 3986, section 5.2, does not.
///
/// For example, `%2e/../d` and `http://a/b/c?q` are `http://a/b/%2e/../d`.
fn merged(base: &str, reference: &str) -> String {
    let Ok(parts) = Rule::Iri.parse(base) else { return String::from(base) };
    let path = parts.path();
    let kept = match reference.as_bytes().first() {
        None | Some(b'#') => base.len(),
        Some(b'?') => path.end,
        Some(b'/') => path.start,
        Some(_) => {
            let last = memchr::memrchr(b'/', slice::text(base, path.clone()).as_bytes());
            last.map_or(path.start, |last| path.start + last + 1)
        }
    };
    let mut target = String::from(slice::text(base, ..kept));
    // A path after an authority begins with a slash.
    if kept == path.start && !reference.starts_with(['/', '?', '#']) && !reference.is_empty() {
        target.push('/');
    }
    target.push_str(reference);
    target
}

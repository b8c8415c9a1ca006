//! What wraps a link, what is found in it, and which texts are links.

use alloc::string::String;

use simd_iri::low::named;
use simd_iri::{IriBuf, IriRefBuf};

/// What wraps a link.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Wrapper {
    /// Safe Links of Microsoft: `*.safelinks.protection.outlook.com/?url=`, and the clouds `.de` and `.us`. For
    /// documents that are shared, the path is `/ap/`, a letter, a hyphen and hexadecimal digits: `/ap/w-59584e83/?url=`.
    SafeLinks,
    /// URL Defense of Proofpoint, version 1: `urldefense.proofpoint.com/v1/url?u=`, also `urldefense.com` and `.us`.
    Proofpoint1,
    /// Version 2, with `-` for `%` and `_` for `/`: `/v2/url?u=`.
    Proofpoint2,
    /// Version 3, with the characters that it replaced after the target: `/v3/__TARGET__;CHARACTERS!!…$`.
    Proofpoint3,
    /// `www.google.TLD/url?q=` or `?url=`.
    Google,
    /// `l.facebook.com/l.php?u=`, `lm.facebook.com/l.php?u=`.
    Facebook,
    /// `l.instagram.com/?u=`.
    Instagram,
    /// `youtube.com/redirect?q=`, also below it.
    YouTube,
    /// `linkedin.com/redir/redirect?url=` and `/safety/go?url=`, also below it.
    LinkedIn,
    /// `duckduckgo.com/l/?uddg=`, also below it.
    DuckDuckGo,
    /// A wrapper of a file of rules.
    Rule,
    /// A redirection of a catalog of ClearURLs.
    Redirection,
}

named! {
    /// Returns the name in kebab-case.
    "simd_iri_rules::Wrapper" Wrapper {
        SafeLinks = "safe-links",
        Proofpoint1 = "proofpoint1",
        Proofpoint2 = "proofpoint2",
        Proofpoint3 = "proofpoint3",
        Google = "google",
        Facebook = "facebook",
        Instagram = "instagram",
        YouTube = "youtube",
        LinkedIn = "linkedin",
        DuckDuckGo = "duckduckgo",
        Rule = "rule",
        Redirection = "redirection",
    }
}

/// Why a result is still a wrapped link.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum StillWrapped {
    /// The place of the target is empty, or is not there.
    NoTarget,
    /// The target cannot be decoded: it has a wrong escape, too few characters, or bytes that are not UTF-8.
    Malformed,
    /// The target is not an IRI, or it has no host and should have one.
    NotALink,
    /// The scheme of the target is not `http`, `https` or `mailto`.
    Scheme,
    /// The target is a link that was unwrapped before.
    Loop,
    /// There are more levels than the limit.
    Levels,
}

named! {
    /// Returns the name in kebab-case.
    "simd_iri_rules::StillWrapped" StillWrapped {
        NoTarget = "no-target",
        Malformed = "malformed",
        NotALink = "not-a-link",
        Scheme = "scheme",
        Loop = "loop",
        Levels = "levels",
    }
}

/// A wrapped link.
pub(crate) struct FoundLink {
    pub(crate) wrapper: Wrapper,
    /// The decoded text in the place of the target.
    pub(crate) target: Result<String, StillWrapped>,
}

/// Returns the target as a reference.
///
/// # Errors
/// The text is not a link to which a wrapper leads. The text comes back.
pub(crate) fn check(text: String, wrapper: Wrapper) -> Result<IriRefBuf, (StillWrapped, String)> {
    if text.is_empty() {
        return Err((StillWrapped::NoTarget, text));
    }
    let link = match IriBuf::try_from(text) {
        Ok(link) => link,
        Err(invalid) => return Err((StillWrapped::NotALink, invalid.into_text())),
    };
    let view = link.view();
    let reason = if view.is_scheme("http") || view.is_scheme("https") {
        let has_host = view.host_str().is_some_and(|host| !host.is_empty());
        if has_host { None } else { Some(StillWrapped::NotALink) }
    } else {
        let is_mail = view.is_scheme("mailto") && wrapper != Wrapper::Google;
        if is_mail { None } else { Some(StillWrapped::Scheme) }
    };
    match reason {
        None => Ok(link.into()),
        Some(reason) => Err((reason, link.into_string())),
    }
}

//! Which links are wrapped: a table of hosts, paths and parameters. Rules of a file use the same comparison.
//!
//! Not here: how a target is written (`decode`).

use alloc::borrow::Cow;
use alloc::string::String;

use super::decode::Notation;
use super::found::{FoundLink, StillWrapped, Wrapper};
use simd_iri::low::{Known, slice};
use simd_iri::{IriRef, percent};

/// A row of the table. A host that begins with `*.` stands for every host below it. A path that ends in `*` stands for
/// every path that begins with the text before the star.
struct Row {
    wrapper: Wrapper,
    hosts: &'static [&'static str],
    path: &'static str,
    parameters: &'static [&'static str],
    decode: Notation,
}

const SAFE_LINKS: &[&str] = &[
    "*.safelinks.protection.outlook.com",
    "*.safelinks.protection.outlook.de",
    "*.safelinks.protection.outlook.us",
];
const PROOFPOINT: &[&str] = &["urldefense.proofpoint.com", "urldefense.com", "urldefense.us"];
const YOUTUBE: &[&str] = &["youtube.com", "*.youtube.com"];
const LINKEDIN: &[&str] = &["linkedin.com", "*.linkedin.com"];
const DUCKDUCKGO: &[&str] = &["duckduckgo.com", "*.duckduckgo.com"];
/// The hosts of Google have a rule of their own.
const GOOGLE: &[&str] = &[];

#[rustfmt::skip]
const ROWS: [Row; 12] = [
    row(Wrapper::SafeLinks, SAFE_LINKS, "/", &["url"], Notation::Percent),
    row(Wrapper::Proofpoint1, PROOFPOINT, "/v1/url", &["u"], Notation::Percent),
    row(Wrapper::Proofpoint2, PROOFPOINT, "/v2/url", &["u"], Notation::Proofpoint2),
    row(Wrapper::Proofpoint3, PROOFPOINT, "/v3/*", &[], Notation::Proofpoint3),
    row(Wrapper::Google, GOOGLE, "/url", &["q", "url"], Notation::Percent),
    row(Wrapper::Facebook, &["l.facebook.com", "lm.facebook.com"], "/l.php", &["u"], Notation::Percent),
    row(Wrapper::Instagram, &["l.instagram.com"], "/", &["u"], Notation::Percent),
    row(Wrapper::YouTube, YOUTUBE, "/redirect", &["q"], Notation::Percent),
    row(Wrapper::LinkedIn, LINKEDIN, "/redir/redirect", &["url"], Notation::Percent),
    row(Wrapper::LinkedIn, LINKEDIN, "/safety/go", &["url"], Notation::Percent),
    row(Wrapper::DuckDuckGo, DUCKDUCKGO, "/l/", &["uddg"], Notation::Percent),
    row(Wrapper::DuckDuckGo, DUCKDUCKGO, "/l", &["uddg"], Notation::Percent),
];

const fn row(
    wrapper: Wrapper,
    hosts: &'static [&'static str],
    path: &'static str,
    parameters: &'static [&'static str],
    decode: Notation,
) -> Row {
    Row { wrapper, hosts, path, parameters, decode }
}

/// The host of a reference whose scheme is `http` or `https` and whose port is the default port. In lower case, without
/// triplets, and without a dot at its end.
pub(crate) struct HttpHost<'a>(Cow<'a, str>);

impl<'a> HttpHost<'a> {
    /// Returns the host of a reference; `None` for another scheme or port, and without a host.
    pub(crate) fn of(reference: IriRef<'a>) -> Option<Self> {
        let scheme = Known::of(reference.scheme()?)?;
        if !matches!(scheme, Known::Http | Known::Https) {
            return None;
        }
        let has_default_port = match reference.port() {
            None | Some("") => true,
            Some(_) => reference.port_u16() == scheme.port(),
        };
        let host = reference.host_str().filter(|host| has_default_port && !host.is_empty())?;
        let mut host =
            if host.contains('%') { percent::decode(host).utf8().ok()? } else { host.into() };
        if host.ends_with('.') {
            let mut shorter = host.into_owned();
            shorter.pop();
            host = Cow::Owned(shorter);
        }
        if host.bytes().any(|byte| byte.is_ascii_uppercase()) {
            host.to_mut().make_ascii_lowercase();
        }
        Some(Self(host))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Tells whether a host is meant by a pattern: the host itself, or `*.` and a host for every host below it.
pub(crate) fn is_host(pattern: &str, host: &str) -> bool {
    match pattern.strip_prefix("*.") {
        None => pattern == host,
        Some(suffix) => {
            let before = host.strip_suffix(suffix).and_then(|before| before.strip_suffix('.'));
            before.is_some_and(|label| !label.is_empty())
        }
    }
}

/// Tells whether a host is `www.google.` and a top-level domain of Google: `com`, a country, or `co` or `com` and a
/// country.
fn is_google(host: &str) -> bool {
    let Some(domain) = host.strip_prefix("www.google.") else { return false };
    let is_country =
        |label: &str| label.len() == 2 && label.bytes().all(|byte| byte.is_ascii_lowercase());
    match domain.split_once('.') {
        None => matches!(domain, "com" | "cat") || is_country(domain),
        Some(("co" | "com", country)) => is_country(country),
        Some(_) => false,
    }
}

/// Tells whether a path is that of Safe Links for documents that are shared: `/ap/`, a letter for the program, a hyphen,
/// and hexadecimal digits, as in `/ap/w-59584e83/`.
fn is_of_document(path: &str) -> bool {
    let path = percent::decode(path).lossy();
    let document = path.strip_prefix("/ap/").map(|rest| rest.strip_suffix('/').unwrap_or(rest));
    let Some((program, number)) = document.and_then(|document| document.split_once('-')) else {
        return false;
    };
    program.len() == 1
        && program.bytes().all(|byte| byte.is_ascii_alphabetic())
        && !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The place of a target in a wrapped link, apart from the host.
#[derive(Clone, Copy)]
pub(crate) struct Site<'p> {
    pub(crate) path: &'p str,
    pub(crate) parameter: &'p str,
    pub(crate) decode: Notation,
}

impl Site<'_> {
    /// Returns the decoded target of a link; `None` if its path is another path.
    pub(crate) fn target(&self, reference: IriRef<'_>) -> Option<Result<String, StillWrapped>> {
        let from = self.path_end(reference)?;
        Some(self.target_after(reference, from))
    }

    /// Returns the byte offset after the path that the site has; `None` if the path is another path.
    fn path_end(&self, reference: IriRef<'_>) -> Option<usize> {
        let parts = reference.parts();
        let path = match reference.path() {
            "" => "/",
            path => path,
        };
        if let Some(start) = self.path.strip_suffix('*') {
            // The target may begin in the path, so the path is compared as it is written.
            return path.starts_with(start).then(|| parts.path().start + start.len());
        }
        (percent::decode(path).lossy() == self.path).then(|| parts.path().end)
    }

    fn target_after(&self, reference: IriRef<'_>, from: usize) -> Result<String, StillWrapped> {
        let text = match self.decode {
            Notation::Proofpoint3 => {
                let text = reference.as_str();
                slice::text(text, from.min(text.len())..)
            }
            Notation::Percent | Notation::Proofpoint2 => {
                value(reference, self.parameter).ok_or(StillWrapped::NoTarget)?
            }
        };
        self.decode.read(text).ok_or(StillWrapped::Malformed)
    }
}

/// Returns the first value of a parameter as it is written.
fn value<'a>(reference: IriRef<'a>, parameter: &str) -> Option<&'a str> {
    reference.query()?.split('&').find_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        (percent::decode(after_ampersand(name)).lossy() == parameter).then_some(value)
    })
}

/// Returns a written name without the rest of `&amp;`, which is `&` in HTML: its pair begins after the semicolon. An
/// ampersand that was escaped twice is `&amp;amp;`.
pub(crate) fn after_ampersand(mut name: &str) -> &str {
    while let Some(rest) = name.strip_prefix("amp;") {
        name = rest;
    }
    name
}

/// Finds the target of a link that the table has.
pub(crate) fn find(reference: IriRef<'_>) -> Option<FoundLink> {
    let host = HttpHost::of(reference)?;
    let host = host.as_str();
    ROWS.iter().find_map(|row| {
        let is_meant = match row.wrapper {
            Wrapper::Google => is_google(host),
            _ => row.hosts.iter().any(|pattern| is_host(pattern, host)),
        };
        if !is_meant {
            return None;
        }
        // A row without parameters has its target in the path.
        let in_path = Site { path: row.path, parameter: "", decode: row.decode };
        let is_shared = row.wrapper == Wrapper::SafeLinks && is_of_document(reference.path());
        let from = match is_shared {
            true => reference.parts().path().end,
            false => in_path.path_end(reference)?,
        };
        let target = match row.parameters {
            [] => in_path.target_after(reference, from),
            parameters => one_of(
                parameters
                    .iter()
                    .map(|parameter| Site { parameter, ..in_path }.target_after(reference, from)),
            ),
        };
        Some(FoundLink { wrapper: row.wrapper, target })
    })
}

/// Returns the first target of several parameters that begins as an address on the web does. If none does, returns the
/// first target. A result page of Google has search words in the same place as an address.
fn one_of(
    mut targets: impl Iterator<Item = Result<String, StillWrapped>>,
) -> Result<String, StillWrapped> {
    let is_web = |text: &String| {
        let scheme = text.split(':').next().unwrap_or_default();
        scheme.len() < text.len()
            && (scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https"))
    };
    let mut first = targets.next().unwrap_or(Err(StillWrapped::NoTarget));
    for next in targets {
        if !first.as_ref().is_ok_and(is_web)
            && (next.as_ref().is_ok_and(is_web) || first == Err(StillWrapped::NoTarget))
        {
            first = next;
        }
    }
    first
}

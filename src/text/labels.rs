//! The host of a reference as it is shown: a label of a domain name in its form for people, or, if that
//! misleads or cannot be seen, in its form for the DNS (UTS #39; UTS #46).
//!
//! Not here: what misleads (`check`), and the mapping of labels (`transform`).

use alloc::string::String;

use crate::check::{DOTS, is_misleading};
use crate::reference::IriRef;
use crate::transform::{Known, to_ascii, to_unicode};

/// The host of a reference, where characters are seen or are not. `None` if it is no domain name, or
/// has no label that could be shown in two forms. A few passes.
pub(super) fn shown(iri: IriRef<'_>, is_seen: impl Fn(char) -> bool) -> Option<String> {
    let has_domains = iri.scheme().and_then(Known::of).is_some_and(Known::has_domains);
    let host = iri.host_str().filter(|_| has_domains)?;
    if host.is_ascii() && !host.contains("--") {
        return None;
    }
    let ascii = to_ascii(host)?;
    // A character may stand for more than one dot.
    let is_aligned = host.split(DOTS).count() == ascii.split('.').count();
    let labels = if is_aligned { host } else { &ascii }.split(DOTS);
    let mut text = String::with_capacity(host.len());
    for (number, (label, ascii)) in labels.zip(ascii.split('.')).enumerate() {
        text.push_str(if number > 0 { "." } else { "" });
        let decoded = if label.is_ascii() { to_unicode(label) } else { None };
        let label = decoded.as_deref().unwrap_or(label);
        let is_shown = label.is_ascii() || label.chars().all(&is_seen) && !is_misleading(label);
        text.push_str(if is_shown { label } else { ascii });
    }
    let comes_back = to_ascii(&text).is_some_and(|back| back == ascii);
    Some(if comes_back { text } else { ascii.into_owned() })
}

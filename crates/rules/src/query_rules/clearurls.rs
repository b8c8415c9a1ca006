//! Catalogs of ClearURLs, as `data.min.json` has them: providers with patterns of addresses, names of fields, texts
//! that are removed, and redirections.
//!
//! Not here: the catalogs themselves, which are data of their project and read at run time.

/*
# A round

A round takes the providers whose `urlPattern` is found in the address and whose `exceptions` are not, in the order of
the file, and does for each:

1. The first of `redirections` that matches gives the new address, and the round ends.
2. `completeProvider` says that the address is blocked. The caller reports that.
3. Each match of `rawRules` in the whole address is removed.

Then each field of the query whose decoded name is matched by a pattern of `rules`, or of `referralMarketing`, of one of
these providers is removed. The fragment is read as fields if it has an `=`.

All patterns of one kind are one set, which is searched in one pass. `owners` has the provider of each pattern.
*/

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::error::{RuleError, RuleErrorKind};
use super::fields;
use super::pattern::{CheckedPattern, Compiler, Extent, Pattern, Patterns};
use super::reader::Reader;
use super::round::{Round, RuleOptions};
use crate::wrapped::found::{FoundLink, StillWrapped, Wrapper, check};
use simd_iri::low::{octet, slice};
use simd_iri::{Cow, IriRef, IriRefBuf, percent};

/// A catalog.
pub(super) struct Catalog {
    addresses: Set,
    exceptions: Set,
    names: Set,
    referral: Set,
    providers: Vec<Provider>,
    /// The number of patterns of all providers, apart from their addresses and exceptions.
    pub(super) count: usize,
}

/// Patterns, with the numbers of their providers.
#[derive(Default)]
struct Set {
    patterns: Patterns,
    owners: Vec<usize>,
}

/// Patterns of a set that is not built yet.
#[derive(Default)]
struct Pending {
    checked: Vec<CheckedPattern>,
    owners: Vec<usize>,
}

#[derive(Default)]
struct Provider {
    is_complete: bool,
    raw: Vec<Pattern>,
    redirections: Vec<Pattern>,
}

impl Pending {
    fn build(self) -> Result<Set, RuleErrorKind> {
        Ok(Set { patterns: Patterns::new(&self.checked)?, owners: self.owners })
    }
}

impl Set {
    /// Calls `each` with the provider of each pattern that matches.
    fn each_owner(&self, text: &str, mut each: impl FnMut(usize)) {
        self.patterns.each_match(text, |number| {
            if let Some(owner) = self.owners.get(number) {
                each(*owner);
            }
        });
    }
}

impl Catalog {
    /// Reads a catalog.
    ///
    /// # Errors
    /// The text is not JSON, is of another format, or has a wrong pattern.
    pub(super) fn parse(text: &str) -> Result<Self, RuleError> {
        let mut reader = Reader::new(text);
        reader.space(false);
        if reader.rest().starts_with("version") || reader.peek() == Some(b'[') {
            return Err(reader.error(RuleErrorKind::NewFormat));
        }
        let (mut sets, mut providers, mut count) = (CatalogSets::default(), None, 0);
        let mut compiler = Compiler::new();
        reader.expect("{")?;
        let mut is_first = true;
        while reader.next("}", &mut is_first)? {
            let at = reader.at;
            match &*reader.name()? {
                "providers" if reader.peek() == Some(b'[') => {
                    return Err(reader.error(RuleErrorKind::NewFormat));
                }
                "providers" if providers.is_some() => {
                    return Err(RuleError::at(RuleErrorKind::Twice, text, at));
                }
                "providers" => {
                    let read = read_providers(&mut reader, &mut compiler, &mut sets)?;
                    count = read.1;
                    providers = Some(read.0);
                }
                _ => reader.skip_value()?,
            }
        }
        reader.space(false);
        if !reader.rest().is_empty() {
            return Err(reader.error(RuleErrorKind::Syntax));
        }
        let providers = providers.ok_or_else(|| reader.error(RuleErrorKind::MissingKey))?;
        let too_large = |kind| reader.error(kind);
        Ok(Self {
            addresses: sets.addresses.build().map_err(too_large)?,
            exceptions: sets.exceptions.build().map_err(too_large)?,
            names: sets.names.build().map_err(too_large)?,
            referral: sets.referral.build().map_err(too_large)?,
            providers,
            count,
        })
    }

    /// Returns the providers that are about an address.
    fn active(&self, address: &str) -> Vec<bool> {
        let mut active = Vec::new();
        self.addresses.each_owner(address, |owner| {
            active.resize(self.providers.len(), false);
            set(&mut active, owner, true);
        });
        if !active.is_empty() {
            self.exceptions.each_owner(address, |owner| set(&mut active, owner, false));
        }
        active
    }

    /// Does one round.
    pub(super) fn round(&self, reference: IriRef<'_>, options: RuleOptions) -> Round {
        let mut round = Round::default();
        let active = self.active(reference.as_str());
        if active.is_empty() {
            return round;
        }
        let mut made = Cow::Borrowed(reference);
        for (provider, _) in self.providers.iter().zip(&active).filter(|(_, is_active)| **is_active)
        {
            if let Some(Ok(target)) = provider.target(made.as_str()) {
                round.made = Some(target);
                round.is_redirected = true;
                return round;
            }
            round.is_blocked |= provider.is_complete;
            for pattern in &provider.raw {
                if let Some(shorter) = without(pattern, made.as_str()) {
                    made = Cow::Owned(shorter);
                    round.dropped += 1;
                }
            }
        }
        let drops = |name: &str| {
            let mut is_dropped = false;
            let mut note = |owner: usize| is_dropped |= active.get(owner).is_some_and(|is| *is);
            self.names.each_owner(name, &mut note);
            if !options.allows_referral {
                self.referral.each_owner(name, &mut note);
            }
            is_dropped
        };
        let drops_field = |field: &str| drops(&decoded_name(field));
        let kept = fields::without(made.view(), options, true, drops_field);
        if let Some((shorter, dropped)) = kept {
            made = Cow::Owned(shorter);
            round.dropped += dropped;
        }
        round.made = match made {
            Cow::Borrowed(_) => None,
            Cow::Owned(made) => Some(made),
        };
        round
    }

    /// Returns the target of a redirection.
    pub(super) fn wrapped(&self, reference: IriRef<'_>) -> Option<FoundLink> {
        let address = reference.as_str();
        let active = self.active(address);
        let providers = self.providers.iter().zip(&active).filter(|(_, is_active)| **is_active);
        let target = providers.filter_map(|(provider, _)| provider.target(address)).next()?;
        Some(FoundLink {
            wrapper: Wrapper::Redirection,
            target: target.map(|target: IriRefBuf| target.into_string()),
        })
    }
}

impl Provider {
    /// Returns the target of the first redirection that matches an address.
    fn target(&self, address: &str) -> Option<Result<IriRefBuf, StillWrapped>> {
        let group = self.redirections.iter().find_map(|pattern| pattern.group(address))?;
        let Some(mut target) = decoded_to_the_end(group) else {
            return Some(Err(StillWrapped::Malformed));
        };
        if !target.starts_with("http") && !target.is_empty() {
            target.insert_str(0, "http://");
        }
        Some(check(target, Wrapper::Redirection).map_err(|(reason, _)| reason))
    }
}

/// Decodes triplets until there are none. Returns `None` if the result is not UTF-8.
///
/// A triplet that a decoded byte completes ends at this byte, or begins there. So one pass with a second look at the
/// last three bytes decodes all: of `%2541`, it makes `%`, then `%4`, then `%41`, then `A`. Triplets do not overlap, so
/// the order in which they are decoded does not matter.
fn decoded_to_the_end(text: &str) -> Option<String> {
    let mut bytes: Vec<u8> = Vec::with_capacity(text.len());
    for byte in text.bytes() {
        bytes.push(byte);
        while let Some(at) = bytes.len().checked_sub(3) {
            let Some(decoded) = octet(&bytes, at) else { break };
            bytes.truncate(at);
            bytes.push(decoded);
        }
    }
    String::from_utf8(bytes).ok()
}

/// Returns an address without the matches of a pattern; `None` if there are none, or if the rest is not a reference.
fn without(pattern: &Pattern, address: &str) -> Option<IriRefBuf> {
    let mut kept = String::new();
    let mut from = 0;
    for range in pattern.matches(address) {
        kept.push_str(slice::text(address, from..range.start));
        from = range.end;
    }
    kept.push_str(slice::text(address, from..));
    (kept.len() < address.len()).then(|| IriRefBuf::parse(kept).ok()).flatten()
}

/// Returns the decoded name of a field. A plus sign is a space.
fn decoded_name(field: &str) -> String {
    let name = field.split('=').next().unwrap_or_default();
    percent::decode(&name.replace('+', " ")).lossy().to_string()
}

fn set(active: &mut [bool], owner: usize, to: bool) {
    if let Some(is_active) = active.get_mut(owner) {
        *is_active = to;
    }
}

/// The sets of a catalog, before they are built.
#[derive(Default)]
struct CatalogSets {
    addresses: Pending,
    exceptions: Pending,
    names: Pending,
    referral: Pending,
}

/// Reads the object of the providers. Returns the providers and the number of their patterns.
fn read_providers(
    reader: &mut Reader<'_>,
    compiler: &mut Compiler,
    sets: &mut CatalogSets,
) -> Result<(Vec<Provider>, usize), RuleError> {
    if reader.peek() != Some(b'{') {
        return Err(reader.error(RuleErrorKind::WrongType));
    }
    reader.at += 1;
    let (mut providers, mut count, mut is_first) = (Vec::new(), 0, true);
    while reader.next("}", &mut is_first)? {
        let start = reader.at;
        reader.name()?;
        let (provider, patterns) = read_provider(reader, compiler, sets, providers.len(), start)?;
        providers.push(provider);
        count += patterns;
    }
    Ok((providers, count))
}

/// Reads the object of the provider `owner`, whose name is at `start`. Returns the provider and the number of its
/// patterns.
fn read_provider(
    reader: &mut Reader<'_>,
    compiler: &mut Compiler,
    sets: &mut CatalogSets,
    owner: usize,
    start: usize,
) -> Result<(Provider, usize), RuleError> {
    let (mut provider, mut count, mut has_address) = (Provider::default(), 0, false);
    if reader.peek() != Some(b'{') {
        return Err(reader.error(RuleErrorKind::WrongType));
    }
    reader.at += 1;
    let mut is_first = true;
    while reader.next("}", &mut is_first)? {
        let at = reader.at;
        match &*reader.name()? {
            "urlPattern" => {
                if core::mem::replace(&mut has_address, true) {
                    return Err(RuleError::at(RuleErrorKind::Twice, reader.text, at));
                }
                let at = reader.at;
                if reader.peek() != Some(b'"') {
                    return Err(reader.error(RuleErrorKind::WrongType));
                }
                let source = reader.string()?;
                push(compiler, &mut sets.addresses, reader, (at, &source), Extent::Part, owner)?;
            }
            "completeProvider" => {
                provider.is_complete = reader.eat("true");
                if !provider.is_complete && !reader.eat("false") {
                    return Err(reader.error(RuleErrorKind::WrongType));
                }
            }
            key @ ("rules" | "referralMarketing" | "exceptions") => {
                let (set, extent) = match key {
                    "rules" => (&mut sets.names, Extent::Whole),
                    "exceptions" => (&mut sets.exceptions, Extent::Part),
                    _ => (&mut sets.referral, Extent::Whole),
                };
                for (at, source) in reader.strings()? {
                    push(compiler, set, reader, (at, &source), extent, owner)?;
                    count += usize::from(key != "exceptions");
                }
            }
            key @ ("rawRules" | "redirections") => {
                let patterns = match key {
                    "rawRules" => &mut provider.raw,
                    _ => &mut provider.redirections,
                };
                for (at, source) in reader.strings()? {
                    let wrong = |kind| RuleError::at(kind, reader.text, at);
                    let checked = compiler.check(&source, Extent::Part, true);
                    patterns.push(checked.and_then(|one| Pattern::new(&one)).map_err(wrong)?);
                    count += 1;
                }
            }
            // Such as `forceRedirection` and `methods`, which are about requests.
            _ => reader.skip_value()?,
        }
    }
    if !has_address {
        return Err(RuleError::at(RuleErrorKind::MissingKey, reader.text, start));
    }
    Ok((provider, count))
}

/// Checks a pattern, and adds it to a set.
fn push(
    compiler: &mut Compiler,
    set: &mut Pending,
    reader: &Reader<'_>,
    (at, source): (usize, &str),
    extent: Extent,
    owner: usize,
) -> Result<(), RuleError> {
    let wrong = |kind| RuleError::at(kind, reader.text, at);
    set.checked.push(compiler.check(source, extent, true).map_err(wrong)?);
    set.owners.push(owner);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triplets_are_decoded_until_there_are_none() {
        for (text, decoded) in [
            ("", Some("")),
            ("%2541", Some("A")),
            ("%252525252541", Some("A")),
            ("%4%31", Some("A")),
            ("%%34%31", Some("A")),
            ("%%", Some("%%")),
            ("%C3%A9", Some("é")),
            ("%25C3%25A9", Some("é")),
            ("%FF", None),
        ] {
            assert_eq!(decoded_to_the_end(text).as_deref(), decoded, "{text}");
        }
    }
}

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

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::error::{RuleError, RuleErrorKind};
use super::fields;
use super::pattern::{CheckedPattern, Compiler, Extent, Pattern, Patterns};
use super::round::{Round, RuleOptions};
use crate::wrapped::found::{FoundLink, StillWrapped, Wrapper, check};
use simd_iri::low::{octet, slice};
use simd_iri::{IriRef, IriRefBuf, Mapped, percent};

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
    fn push(&mut self, pattern: CheckedPattern, owner: usize) {
        self.checked.push(pattern);
        self.owners.push(owner);
    }

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
        let json = text.strip_prefix('\u{FEFF}').unwrap_or(text).trim_ascii_start();
        let file = JsonPart { text, json };
        if json.starts_with("version") || json.starts_with('[') {
            return Err(file.error(RuleErrorKind::NewFormat));
        }
        let mut providers = Vec::new();
        let mut reading = CatalogReading::default();
        let mut catalog = file.object()?;
        let Some(value) = catalog.remove("providers") else {
            return Err(file.error(RuleErrorKind::MissingKey));
        };
        if value.json.starts_with('[') {
            return Err(value.error(RuleErrorKind::NewFormat));
        }
        let mut values: Vec<_> = value.object()?.into_values().collect();
        values.sort_by_key(JsonPart::at);
        for value in values {
            providers.push(reading.provider(value, providers.len())?);
        }
        let too_large = |kind| RuleError::at(kind, text, text.len());
        Ok(Self {
            addresses: reading.addresses.build().map_err(too_large)?,
            exceptions: reading.exceptions.build().map_err(too_large)?,
            names: reading.names.build().map_err(too_large)?,
            referral: reading.referral.build().map_err(too_large)?,
            providers,
            count: reading.count,
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
        let mut made = Mapped::Borrowed(reference);
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
                    made = Mapped::Owned(shorter);
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
            made = Mapped::Owned(shorter);
            round.dropped += dropped;
        }
        round.made = match made {
            Mapped::Borrowed(_) => None,
            Mapped::Owned(made) => Some(made),
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
struct CatalogReading {
    compiler: Compiler,
    addresses: Pending,
    exceptions: Pending,
    names: Pending,
    referral: Pending,
    count: usize,
}

impl CatalogReading {
    /// Reads a provider. Keys about requests, such as `forceRedirection` and `methods`, are not read.
    fn provider(&mut self, value: JsonPart<'_>, owner: usize) -> Result<Provider, RuleError> {
        let fields = value.object()?;
        let Some(address) = fields.get("urlPattern") else {
            return Err(value.error(RuleErrorKind::MissingKey));
        };
        let is_complete = fields.get("completeProvider").map(|value| value.read());
        self.addresses.push(self.compiler.checked(*address, Extent::Part)?, owner);
        for (key, set, extent) in [
            ("exceptions", &mut self.exceptions, Extent::Part),
            ("rules", &mut self.names, Extent::Whole),
            ("referralMarketing", &mut self.referral, Extent::Whole),
        ] {
            for pattern in JsonPart::array(fields.get(key))? {
                set.push(self.compiler.checked(pattern, extent)?, owner);
                self.count += usize::from(key != "exceptions");
            }
        }
        let mut patterns = |key| -> Result<Vec<Pattern>, RuleError> {
            let patterns = JsonPart::array(fields.get(key))?;
            self.count += patterns.len();
            let made = patterns.into_iter().map(|pattern| {
                let checked = self.compiler.checked(pattern, Extent::Part)?;
                Pattern::new(&checked).map_err(|kind| pattern.error(kind))
            });
            made.collect()
        };
        Ok(Provider {
            is_complete: is_complete.transpose()?.unwrap_or(false),
            raw: patterns("rawRules")?,
            redirections: patterns("redirections")?,
        })
    }
}

impl Compiler {
    fn checked(
        &mut self,
        value: JsonPart<'_>,
        extent: Extent,
    ) -> Result<CheckedPattern, RuleError> {
        let source: String = value.read()?;
        self.check(&source, extent, true).map_err(|kind| value.error(kind))
    }
}

/// A value of JSON. It is a part of `text`, which is for errors.
#[derive(Clone, Copy)]
struct JsonPart<'t> {
    text: &'t str,
    json: &'t str,
}

impl<'t> JsonPart<'t> {
    /// Returns the byte offset of the value.
    fn at(&self) -> usize {
        self.json.as_ptr().addr() - self.text.as_ptr().addr()
    }

    /// Returns an error at the start of the value.
    fn error(&self, kind: RuleErrorKind) -> RuleError {
        RuleError::at(kind, self.text, self.at())
    }

    /// # Errors
    /// The value has another type, or is not JSON.
    fn read<T: Deserialize<'t>>(&self) -> Result<T, RuleError> {
        serde_json::from_str(self.json).map_err(|error| {
            if error.is_data() {
                return self.error(RuleErrorKind::WrongType);
            }
            let lines = self.json.split_inclusive('\n').take(error.line().saturating_sub(1));
            let at = lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
            RuleError::at(RuleErrorKind::Syntax, self.text, self.at() + at)
        })
    }

    /// Returns the members of an object. Of two members with one name, the second counts, as in JavaScript.
    fn object(self) -> Result<BTreeMap<String, Self>, RuleError> {
        let members: BTreeMap<String, &RawValue> = self.read()?;
        Ok(members.into_iter().map(|(name, raw)| (name, self.part(raw))).collect())
    }

    /// Returns the elements of an array: none if there is no array.
    fn array(value: Option<&Self>) -> Result<Vec<Self>, RuleError> {
        let Some(value) = value else { return Ok(Vec::new()) };
        let elements: Vec<&RawValue> = value.read()?;
        Ok(elements.into_iter().map(|raw| value.part(raw)).collect())
    }

    fn part(self, raw: &'t RawValue) -> Self {
        Self { json: raw.get(), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_members_with_one_name_the_second_counts() {
        let text =
            r#"{"providers": {"a": {"urlPattern": "b"}, "a": {"urlPattern": "", "rules": ["c"]}}}"#;
        let catalog = Catalog::parse(text).unwrap();
        assert_eq!((catalog.providers.len(), catalog.count), (1, 1));
    }

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

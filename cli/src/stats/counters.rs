//! Takes addresses apart, and counts their parts.
//!
//! Each thread counts into small tables of its own. When a table is full, and at the end, the thread adds its tables to
//! the totals. So a frequent key costs a look-up in a small table, the memory for rare keys does not grow with the
//! number of threads, and the facts about a host are computed once for each table and not once for each address.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::iter;
use std::sync::{Mutex, PoisonError};

use foldhash::HashMap;
use memchr::memchr;
use simd_iri::query::FormPair;
use simd_iri::{IriRef, Normalize, Rule, parser::CpuLevel};
use simd_iri_lint::DisplayIri;
use unicode_script::{Script, UnicodeScript};

use crate::format::Record;
use crate::io::text;
use crate::item_error::ItemError;
use crate::pipe::block::Block;
use crate::recipe::Recipe;
use crate::spans::Records;
use crate::stats::bins::{Bins, Scale};
use crate::stats::distinct::Distinct;
use crate::stats::top::{Top, beginning};

/// The number of keys, and of bytes of keys, at which a small table is full.
///
/// PERF: the facts about a host cost as much as counting several addresses. For 140 MB with 22,000 alternating hosts,
/// tables of 4,096 keys with the hashes of the standard library took 3.1 s of a core; tables of this size with the
/// hashes of `foldhash` take 0.7 s.
const FULL: (usize, usize) = (1 << 15, 1 << 22);

/// The longest key of a small table in bytes. Of a longer key, the beginning is counted. No domain name is longer.
const LONGEST: usize = 1 << 12;

/// The largest buffer that is kept for the next address.
const KEPT: usize = 1 << 20;

/// The greatest path depth with a bin of its own.
const DEEPEST: u32 = 15;

/// The counts that do not depend on the keys of an address.
pub(crate) struct Counts {
    pub(crate) items: Distinct,
    /// Lengths in bytes.
    pub(crate) lengths: Bins,
    /// Numbers of segments that are not empty.
    pub(crate) depths: Bins,
    pub(crate) valid: u64,
    /// The number of invalid addresses for each kind of error.
    pub(crate) errors: BTreeMap<&'static str, u64>,
}

impl Default for Counts {
    fn default() -> Self {
        let (lengths, depths) = (Bins::new(Scale::PowersOfTwo), Bins::new(Scale::Each(DEEPEST)));
        Self { items: Distinct::default(), lengths, depths, valid: 0, errors: BTreeMap::new() }
    }
}

/// The counts of all addresses.
#[derive(Default)]
pub(crate) struct Totals {
    pub(crate) counts: Counts,
    pub(crate) hosts: Distinct,
    pub(crate) domains: Distinct,
    pub(crate) schemes: Top,
    pub(crate) host_names: Top,
    pub(crate) domain_names: Top,
    pub(crate) top_levels: Top,
    pub(crate) ports: Top,
    pub(crate) query_names: Top,
    pub(crate) scripts: Top,
}

/// A small table.
// For example, a thread counts the hosts `A.example` twice and `a.example` three times. `pour` normalizes both, and
// adds 2 and 3 to the total of `a.example`. So the work for a name is done once for each spelling in a table, and not
// for each address.
#[derive(Default)]
struct Small {
    counts: HashMap<Box<str>, u64>,
    bytes: usize,
}

impl Small {
    fn add(&mut self, key: &str) {
        let key = beginning(key, LONGEST);
        if let Some(count) = self.counts.get_mut(key) {
            *count += 1;
        } else {
            self.bytes += key.len();
            self.counts.insert(key.into(), 1);
        }
    }

    fn is_full(&self) -> bool {
        self.counts.len() >= FULL.0 || self.bytes >= FULL.1
    }

    /// Empties the table.
    fn drain(&mut self) -> impl Iterator<Item = (Box<str>, u64)> {
        self.bytes = 0;
        self.counts.drain()
    }

    fn pour(&mut self, top: &mut Top) {
        self.drain().for_each(|(key, count)| top.add(&key, count));
    }
}

/// The small tables of a thread.
#[derive(Default)]
struct Tables {
    schemes: Small,
    /// Hosts as they are written.
    hosts: Small,
    ports: Small,
    query_names: Small,
    scripts: Small,
}

/// The counters of a thread. When they are dropped, the totals have all counts.
//     small tables    poured into the totals when a table is full, and at the end
//     other fields    merged into the totals at the end only, because their size is bounded
//
// Invariants:
// - The lock on the totals is held only in `pour` and in `drop`, and never while an address is parsed.
// - A sum, such as `valid` or a bin, does not depend on the number of threads. A `Top` that was full may depend on it.
pub(crate) struct Counters<'t> {
    rule: Rule,
    /// The treatment of an address before it is counted.
    recipe: Option<&'t Recipe>,
    totals: &'t Mutex<Totals>,
    record: Record,
    found: Records,
    counts: Counts,
    tables: Tables,
    /// The number of addresses that have no character outside ASCII when they are displayed.
    ascii: u64,
    /// An address as it is displayed.
    shown: String,
}

impl<'t> Counters<'t> {
    /// Returns counters of a thread, for addresses that must match a rule.
    pub(crate) fn new(rule: Rule, recipe: Option<&'t Recipe>, totals: &'t Mutex<Totals>) -> Self {
        Self {
            rule,
            recipe,
            totals,
            record: Record::default(),
            found: Records::default(),
            counts: Counts::default(),
            tables: Tables::default(),
            ascii: 0,
            shown: String::new(),
        }
    }

    /// Counts the addresses of a block. Returns how many are invalid.
    pub(crate) fn add(&mut self, block: &Block) -> u64 {
        let (layout, bytes) = (&block.file.layout, block.bytes());
        let mut record = std::mem::take(&mut self.record);
        let mut found = std::mem::take(&mut self.found);
        let mut invalid = 0;
        // An address that is not text has an error of its format.
        let is_text = block.file.charset.is_none() && std::str::from_utf8(bytes).is_ok();
        let text = (bytes, block.range.start);
        if is_text && layout.find(CpuLevel::best(), text, &block.known, &mut found) {
            // Sums do not depend on the order, so the regular records come first.
            for item in found.texts(bytes) {
                let counted = self.item(block, item);
                invalid += self.count_error(counted.err());
            }
            let Ok(_) = found.each(bytes, iter::empty(), |at| {
                layout.next(bytes, at, &mut record);
                invalid += self.record(block, &record);
                Ok::<_, Infallible>(true)
            });
        } else {
            block.each(&mut record, |record| invalid += self.record(block, record));
        }
        invalid += self.count_error(block.long().map(|(_, long)| long.error()));
        (self.record, self.found) = (record, found);
        invalid
    }

    /// Counts the addresses of a record, and returns how many are invalid.
    fn record(&mut self, block: &Block, record: &Record) -> u64 {
        let mut invalid = self.count_error(record.error.clone().filter(|_| !record.is_filler));
        for field in &record.fields {
            let item = block.file.layout.item(block.bytes(), record, field);
            let counted = item.and_then(|item| self.item(block, &item));
            invalid += self.count_error(counted.err());
        }
        invalid
    }

    /// Counts an error, and returns 1 if there is one.
    fn count_error(&mut self, error: Option<ItemError>) -> u64 {
        error.map_or(0, |error| {
            *self.counts.errors.entry(error.kind).or_default() += 1;
            1
        })
    }

    /// Counts an address.
    ///
    /// # Errors
    /// The address is invalid.
    fn item(&mut self, block: &Block, item: &[u8]) -> Result<(), ItemError> {
        if let Some(error) = text::ill_formed(block.file.charset, item) {
            return Err(error);
        }
        if let Some(recipe) = self.recipe {
            let made = recipe.apply(item)?;
            return self.text(made.view().as_str());
        }
        let Ok(text) = std::str::from_utf8(item) else {
            return self.rule.parse_bytes(item).map(drop).map_err(ItemError::from);
        };
        self.text(text)
    }

    /// Counts an address that is text.
    ///
    /// # Errors
    /// The address is invalid.
    fn text(&mut self, text: &str) -> Result<(), ItemError> {
        let iri = IriRef::parse_as(self.rule, text)?;
        self.counts.valid += 1;
        self.counts.items.add(text);
        self.counts.lengths.add(text.len() as u64);
        self.counts.depths.add(depth(iri));
        if let Some(scheme) = iri.scheme() {
            match scheme.bytes().any(|byte| byte.is_ascii_uppercase()) {
                true => self.tables.schemes.add(&scheme.to_ascii_lowercase()),
                false => self.tables.schemes.add(scheme),
            }
        }
        if let Some(host) = iri.host_str().filter(|host| !host.is_empty()) {
            self.tables.hosts.add(host);
        }
        if let Some(port) = iri.port().filter(|port| !port.is_empty()) {
            match iri.port_u16() {
                Some(number) => self.tables.ports.add(&number.to_string()),
                None => self.tables.ports.add(port),
            }
        }
        if iri.query().is_some() {
            // A query may have more names than a table takes, so the table is tested after each name.
            for FormPair(name, _) in iri.query_form() {
                self.tables.query_names.add(&name);
                if self.tables.query_names.is_full() {
                    self.pour();
                }
            }
        }
        self.scripts(iri);
        let Tables { schemes, hosts, ports, scripts, .. } = &self.tables;
        if [schemes, hosts, ports, scripts].iter().any(|table| table.is_full()) {
            self.pour();
        }
        Ok(())
    }

    /// Counts the scripts of the characters outside ASCII that an address has when it is displayed.
    fn scripts(&mut self, iri: IriRef<'_>) {
        let text = iri.as_str();
        // The displayed form costs much more than the two searches, and most addresses are displayed as they are
        // written.
        let may_differ = memchr(b'%', text.as_bytes()).is_some() || has_a_label(iri);
        let shown = match may_differ {
            true => DisplayIri::new()
                .map_into(iri, &mut self.shown)
                .map_or(text, simd_iri::IriRef::as_str),
            false => text,
        };
        if shown.is_ascii() {
            self.ascii += 1;
        } else {
            count_scripts(shown, &mut self.tables.scripts);
        }
        if self.shown.capacity() > KEPT {
            self.shown = String::new();
        }
    }

    /// Empties the small tables into the totals.
    //     without the lock   each host: its normal form, its displayed form and its domain
    //     with the lock      each host, domain and top-level domain; then the other tables
    //
    // All small tables are emptied, also the tables that are not full: one lock serves all of them.
    fn pour(&mut self) {
        // This is done before the totals are locked, because it takes the most time.
        let hosts: Vec<_> =
            self.tables.hosts.drain().map(|(host, count)| (Named::of(&host), count)).collect();
        let mut totals = self.totals.lock().unwrap_or_else(PoisonError::into_inner);
        for (Named { host, domain }, count) in hosts {
            totals.hosts.add(&host);
            totals.host_names.add(&host, count);
            if let Some(domain) = domain {
                totals.domains.add(&domain);
                totals.domain_names.add(&domain, count);
                let top_level = domain.rsplit('.').next().unwrap_or(&domain);
                totals.top_levels.add(top_level, count);
            }
        }
        self.tables.schemes.pour(&mut totals.schemes);
        self.tables.ports.pour(&mut totals.ports);
        self.tables.query_names.pour(&mut totals.query_names);
        self.tables.scripts.pour(&mut totals.scripts);
        if self.ascii > 0 {
            totals.scripts.add("ASCII", std::mem::take(&mut self.ascii));
        }
    }
}

// The counts of a thread are in the totals only after this. So the totals are read after all threads have ended.
impl Drop for Counters<'_> {
    fn drop(&mut self) {
        self.pour();
        let mut totals = self.totals.lock().unwrap_or_else(PoisonError::into_inner);
        totals.counts.items.merge(&self.counts.items);
        totals.counts.lengths.merge(&self.counts.lengths);
        totals.counts.depths.merge(&self.counts.depths);
        totals.counts.valid += self.counts.valid;
        for (kind, count) in &self.counts.errors {
            *totals.counts.errors.entry(kind).or_default() += count;
        }
    }
}

/// Returns the number of segments of the path that are not empty.
///
/// PERF: this counts the beginnings of segments: the bytes that are not a slash and come after a slash or at the start.
/// A search for each slash, as in `segments`, took 11 % of the time of the command.
fn depth(iri: IriRef<'_>) -> u64 {
    let path = iri.path().as_bytes();
    let begins = |(before, byte): (&u8, &u8)| usize::from((*before == b'/') & (*byte != b'/'));
    let at_start = usize::from(path.first().is_some_and(|byte| *byte != b'/'));
    let after_slash: usize = path.iter().zip(path.iter().skip(1)).map(begins).sum();
    let depth = at_start + after_slash;
    debug_assert_eq!(depth, iri.segments().filter(|segment| !segment.is_empty()).count());
    depth as u64
}

/// Counts the scripts of a text, each once. Characters that many scripts share, such as ideographic
/// punctuation, count only if the text has no other character outside ASCII.
fn count_scripts(text: &str, counts: &mut Small) {
    let mut seen: Vec<Script> = Vec::new();
    for script in text.chars().filter(|c| !c.is_ascii()).map(|c| c.script()) {
        let is_general = matches!(script, Script::Common | Script::Inherited);
        if !is_general && !seen.contains(&script) {
            seen.push(script);
        }
    }
    if seen.is_empty() {
        seen.push(Script::Common);
    }
    seen.iter().for_each(|script| counts.add(script.full_name()));
}

/// Tells whether the host may have a label that stands for a name in Unicode.
fn has_a_label(iri: IriRef<'_>) -> bool {
    let host = iri.host_str().unwrap_or_default().as_bytes();
    memchr(b'-', host).is_some() && host.windows(4).any(|label| label.eq_ignore_ascii_case(b"xn--"))
}

/// A host in the form in which it is counted.
struct Named {
    /// Normalized, then as it is displayed.
    host: String,
    /// The registrable domain, if it has one.
    domain: Option<String>,
}

impl Named {
    /// Returns the form of a host of a valid address. The form is the same for all schemes: as if the host belonged to
    /// a scheme whose hosts are domain names.
    fn of(host: &str) -> Self {
        let text = format!("https://{host}");
        let (mut normal, mut shown) = (String::new(), String::new());
        let form = IriRef::parse(&text)
            .and_then(|iri| Normalize::syntax().map_into(iri, &mut normal))
            .and_then(|iri| DisplayIri::new().map_into(iri, &mut shown));
        // A host whose end was cut off may not be valid.
        let Ok(iri) = form else { return Self { host: host.to_owned(), domain: None } };
        Self {
            host: iri.host_str().unwrap_or(host).to_owned(),
            domain: iri.registrable_domain().map(Cow::into_owned),
        }
    }
}

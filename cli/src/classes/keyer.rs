//! The keys of addresses: by options or by a recipe, and by pairs that are known to be equivalent.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use simd_iri::{IriBuf, Rule};
use simd_iri_archive as archive;
use simd_iri_archive::Profile;

use crate::args::archive::by;
use crate::args::base::base;
use crate::args::limit::LimitArgs;
use crate::args::records::memory;
use crate::args::rules::NormalRule;
use crate::io::text::utf8;
use crate::item_error::ItemError;
use crate::output::columns;
use crate::output::secrets::quote;
use crate::recipe::{Key, KeyLevel, Recipe, RecipeArgs};

/// The arguments that say which records are equivalent.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct KeyArgs {
    /// Which differences to ignore
    #[arg(long, value_enum, default_value_t = KeyLevel::Scheme, conflicts_with = "recipe")]
    level: KeyLevel,

    /// A rule in addition to the level; may be repeated
    ///
    /// With a rule, even the level simple compares the URIs to which the references map.
    #[arg(long = "rule", value_name = "RULE", value_enum, value_delimiter = ',')]
    #[arg(conflicts_with = "recipe")]
    rules: Vec<NormalRule>,

    /// Ignore fragments
    #[arg(long, conflicts_with = "recipe")]
    without_fragment: bool,

    /// Resolve every reference relative to this base first
    #[arg(long, value_name = "IRI", value_parser = base, conflicts_with = "recipe")]
    base: Option<IriBuf>,

    /// Compare by the keys of web archives, instead of references
    ///
    /// An item is any text then; one that the profile rejects is its own key. iri archive-key prints the keys.
    #[arg(long, value_name = "KEY", value_parser = by())]
    #[arg(conflicts_with_all = ["level", "rules", "without_fragment", "base", "recipe"])]
    by: Option<Profile>,

    #[command(flatten)]
    pub(crate) recipe: RecipeArgs,

    /// Pairs of references that are known to be equivalent, a line each, with a tab between them
    ///
    /// They are compared as the items are. If a and b are a pair, and b and c, then a and c are equivalent
    /// too (RFC 3987, section 5.3.4). All pairs are kept in memory.
    #[arg(long, value_name = "FILE")]
    pub(crate) redirects: Option<PathBuf>,

    /// Write records that fail to this file, instead of a report to standard error
    ///
    /// Each is a JSON object with the record, its place and its error. They are left out of the output, unless --keep
    /// says otherwise.
    #[arg(help_heading = "Output", long, value_name = "FILE")]
    pub(crate) errors: Option<PathBuf>,

    /// What happens to records that fail; by default, they are left out
    #[arg(help_heading = "Output", long, value_name = "WHAT", value_enum)]
    pub(crate) keep: Option<Kept>,

    #[command(flatten)]
    pub(crate) limit: LimitArgs,

    /// How much memory the keys and the records that wait may take
    ///
    /// The rest is written to temporary files, which have no name and disappear at the end. They are in the folder
    /// that TMPDIR names. The result is the same. Less than 16K counts as 16K.
    #[arg(long, value_name = "SIZE", value_parser = memory, default_value = "128M")]
    pub(crate) memory: usize,
}

/// What happens to records that fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Kept {
    /// They are printed, each in its place
    Input,
}

/// Finds the keys of addresses.
pub(crate) struct Keyer {
    keys: Keys,
    redirects: Redirects,
    /// Hashes keys. Its seed is new in each run.
    hasher: RandomState,
}

impl Keyer {
    /// Returns the keyer that the arguments name.
    ///
    /// # Errors
    /// A message: what is wrong in the file of pairs.
    pub(crate) fn new(args: &KeyArgs) -> Result<Self, String> {
        let recipe = args.recipe.recipe.clone().unwrap_or_else(|| Recipe {
            base: args.base.clone(),
            key: Key {
                level: args.level,
                rules: args.rules.clone(),
                fragment: !args.without_fragment,
            },
            ..Recipe::default()
        });
        let keys =
            args.by.map_or(Keys::Of(recipe), |profile| Keys::Archive(archive::Keys::new(profile)));
        let redirects = match &args.redirects {
            Some(file) => Redirects::read(file, &keys)?,
            None => Redirects::default(),
        };
        Ok(Self { keys, redirects, hasher: RandomState::new() })
    }

    /// Appends the key of an address. The memory of `text` is used.
    ///
    /// # Errors
    /// The address is not a reference.
    pub(crate) fn key(
        &self,
        item: &[u8],
        text: &mut String,
        out: &mut Vec<u8>,
    ) -> Result<(), ItemError> {
        self.keys.key(item, text)?;
        out.extend_from_slice(self.redirects.target(text).as_bytes());
        Ok(())
    }

    /// Returns the rule of the items that are their own keys if they are in normal form, if there is one.
    pub(crate) fn rule(&self) -> Option<Rule> {
        match &self.keys {
            Keys::Of(recipe) if self.redirects.texts.is_empty() => recipe.rule_of_keys(),
            _ => None,
        }
    }

    /// Returns the hash of a key.
    pub(crate) fn hash(&self, key: &[u8]) -> u64 {
        self.hasher.hash_one(key)
    }
}

/// How the key of an address is made.
#[expect(clippy::large_enum_variant, reason = "a run has one value of it")]
enum Keys {
    Of(Recipe),
    Archive(archive::Keys),
}

impl Keys {
    /// Replaces the content of `out` with the key of an item.
    ///
    /// # Errors
    /// The item is not a reference; for the key of an archive, it is not UTF-8.
    fn key(&self, item: &[u8], out: &mut String) -> Result<(), ItemError> {
        match self {
            Self::Of(recipe) => recipe.key(item, out),
            // A text that the profile rejects is its own key.
            Self::Archive(keys) => {
                keys.key_into(utf8(item)?, out);
                Ok(())
            }
        }
    }
}

/// Keys that are known to be equivalent (union-find). The keys of a class are a tree, and its root stands for the
/// class.
///
/// A pair makes the root with the greater number a child of the other root. For example, after the pairs a b, c d and b
/// c:
///
/// ```text
/// key      a   b   c   d
/// number   0   1   2   3
/// parent   0   0   0   2     after the pairs: the roots of a b and of c d are 0 and 2
/// parent   0   0   0   0     after `flatten`
/// ```
#[derive(Default)]
struct Redirects {
    /// The number of each key.
    numbers: HashMap<String, usize>,
    /// The text of each key of a pair.
    texts: Vec<String>,
    /// The number of the parent of each key. A root is its own parent. The number of a parent is less than the numbers
    /// of its children.
    parents: Vec<usize>,
}

impl Redirects {
    /// Reads pairs.
    ///
    /// # Errors
    /// A message: the line that is not a pair, or why the file cannot be read.
    fn read(file: &Path, keys: &Keys) -> Result<Self, String> {
        let name = quote(&file.to_string_lossy());
        let text = fs::read(file).map_err(|error| format!("{name}: {error}"))?;
        let mut redirects = Self::default();
        for (number, line) in (1_u64..).zip(text.split(|byte| *byte == b'\n')) {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if line.is_empty() {
                continue;
            }
            let pair = columns::split(&["a", "b"], line).and_then(|[a, b]| {
                let key = |name, item| {
                    let mut key = String::new();
                    let made = keys.key(item, &mut key).map_err(|error| error.of(name));
                    made.map(|()| key)
                };
                Ok((key("a", a)?, key("b", b)?))
            });
            let (a, b) = pair.map_err(|error| {
                let of = error.of.map(|of| format!("{of}: ")).unwrap_or_default();
                format!("{name}:{number}: {of}{}", error.message)
            })?;
            redirects.join(a, b);
        }
        redirects.flatten();
        Ok(redirects)
    }

    /// Returns the number of a key.
    fn number(&mut self, key: String) -> usize {
        let next = self.texts.len();
        let number = *self.numbers.entry(key.clone()).or_insert(next);
        if number == next {
            self.texts.push(key);
            self.parents.push(next);
        }
        number
    }

    /// Returns the root of the tree of a key. On the way, each parent is replaced by its own parent, so that the next
    /// way is shorter.
    // This is path halving. For example, the parents of d, c and b are c, b and a. The way from d is d, b, a. After it,
    // the parent of d is b.
    //
    // Invariant: a parent has a smaller number than its child. So the loop ends, also for pairs in a circle.
    fn root(&mut self, mut number: usize) -> usize {
        loop {
            let parent = self.parent(number);
            if parent == number {
                return number;
            }
            let next = self.parent(parent);
            if let Some(place) = self.parents.get_mut(number) {
                *place = next;
            }
            number = next;
        }
    }

    fn parent(&self, number: usize) -> usize {
        self.parents.get(number).copied().unwrap_or(number)
    }

    /// Makes two keys equivalent.
    fn join(&mut self, a: String, b: String) {
        let (a, b) = (self.number(a), self.number(b));
        let (a, b) = (self.root(a), self.root(b));
        // The smaller number stays a root. If both keys have one root already, this root stays its own parent.
        if let Some(parent) = self.parents.get_mut(a.max(b)) {
            *parent = a.min(b);
        }
    }

    /// Makes each root the parent of all keys of its tree. The order is right: a parent has its root before its
    /// children ask for it.
    fn flatten(&mut self) {
        for number in 0..self.parents.len() {
            let root = self.parent(self.parent(number));
            if let Some(place) = self.parents.get_mut(number) {
                *place = root;
            }
        }
    }

    /// Returns the key that stands for a key and for all keys that are equivalent to it.
    fn target<'a>(&'a self, key: &'a str) -> &'a str {
        // PERF: without pairs, the key is not hashed.
        if self.texts.is_empty() {
            return key;
        }
        let root = self.numbers.get(key).and_then(|number| self.texts.get(self.parent(*number)));
        root.map_or(key, String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use simd_iri::Normalize;
    use simd_iri::batch::{Batch, Separated};

    use super::*;

    /// Law: an item that a batch does not return is its own key.
    #[test]
    fn the_items_that_a_batch_leaves_out_are_their_own_keys() {
        let parts = [
            "http:",
            "HTTP:",
            "urn:",
            "mailto:",
            "file:",
            "//",
            "a.test",
            "A.test",
            "u@",
            "[::1]",
            "[0:0::1]",
            ":80",
            ":",
            "/",
            "/.",
            "/..",
            "/./",
            "b",
            "B",
            "é",
            "%7e",
            "%C3%A9",
            "%c3%a9",
            "~",
            "?q",
            "#f",
            " ",
            "|",
            "\u{200E}",
            "a.test:443",
            "localhost",
            "xn--bcher-kva.test",
            "bücher.test",
            ".",
            "..",
            "127.0.0.1",
        ];
        let mut state = 1_u64;
        let mut next = |most: usize| {
            // Knuth's linear congruence.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 40) as usize % most
        };
        let lines: Vec<String> = (0..20_000)
            .map(|number| {
                let start = if number % 2 == 0 { "http://a.test/" } else { "" };
                let parts = (0..next(5)).map(|_| parts[next(parts.len())]);
                parts.fold(start.to_owned(), |line, part| line + part)
            })
            .collect();
        let text = lines.join("\n") + "\n";
        for level in KeyLevel::value_variants() {
            let key = Key { level: *level, ..Key::default() };
            let recipe = Recipe { key, ..Recipe::default() };
            let keys = Keys::Of(recipe);
            let keyer = Keyer { keys, redirects: Redirects::default(), hasher: RandomState::new() };
            let Some(rule) = keyer.rule() else { continue };
            let items = Separated::lines(text.as_bytes());
            let others = Batch::new(rule).not_normal(items, Normalize::scheme());
            let mut others = others.peekable();
            let (mut key, mut own) = (String::new(), 0);
            for line in text.split_terminator('\n').map(str::as_bytes) {
                if others.next_if(|other| std::ptr::eq(*other, line)).is_none() {
                    let made = keyer.keys.key(line, &mut key);
                    assert!(
                        made.is_ok() && key.as_bytes() == line,
                        "{level:?} {}",
                        line.escape_ascii()
                    );
                    own += 1;
                }
            }
            assert!(others.next().is_none() && own > 2_000 && own < 18_000, "{level:?} {own}");
        }
        let key = Key { fragment: false, ..Key::default() };
        assert_eq!(Recipe { key, ..Recipe::default() }.rule_of_keys(), None);
        let key = Key { rules: vec![NormalRule::Ipv6], ..Key::default() };
        assert_eq!(Recipe { key, ..Recipe::default() }.rule_of_keys(), None);
        assert_eq!(Recipe { unwrap: 1, ..Recipe::default() }.rule_of_keys(), None);
    }

    #[test]
    fn pairs_make_trees_of_one_level() {
        let mut redirects = Redirects::default();
        // A chain from its end, two chains that meet, and a circle.
        for pair in ["yz", "xy", "wx", "ab", "cd", "bd", "ad", "mn", "no", "om", "kk"] {
            let (a, b) = pair.split_at(1);
            redirects.join(a.to_owned(), b.to_owned());
        }
        redirects.flatten();
        let targets = |keys: &str| {
            let mut targets: Vec<_> =
                keys.split("").map(|key| redirects.target(key).to_owned()).collect();
            targets.retain(|target| !target.is_empty());
            targets.concat()
        };
        assert_eq!(targets("wxyz"), "yyyy");
        assert_eq!(targets("abcd"), "aaaa");
        assert_eq!(targets("mnok?"), "mmmk?");
    }
}

//! Recipes: TOML files that say how addresses are treated. A recipe has the repairs, the base, the levels of wrappers
//! that are unwrapped, the rules of normalization, the query pairs that are dropped, and the differences that a key ignores.
//!
//! A recipe does not have a rule of its own: each step is a function of the library. Not here: how keys are compared,
//! and the arguments of a single command.

mod edits;
mod parameters;
mod rule_files;
pub(crate) mod setting;

pub(crate) use edits::Edits;
pub(crate) use rule_files::RuleArgs;

use std::fs;
use std::io;
use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use simd_iri::{
    Base, Compare, DecodePolicy, IriBuf, IriRef, Level, Mapped, Normalize, Rule,
    component::ComponentRule, errors::UnknownName, kind,
};
use simd_iri_text::{Context, Prepare, RepairKind, RepairSet};

use crate::args;
use crate::args::repairs::Spaces;
use crate::args::rules::{self, NormalLevel, NormalRule};
use crate::item_error::ItemError;
use crate::output::secrets::quote;

/// The recipes that the program has, with their names.
const BUILT_IN: [(&str, &str); 3] = [
    ("crawler", include_str!("crawler.toml")),
    ("rdf", include_str!("rdf.toml")),
    ("log", include_str!("log.toml")),
];

/// The argument that names a recipe.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct RecipeArgs {
    /// How addresses are treated: the name of a TOML file, or crawler, rdf or log
    ///
    /// iri recipe show crawler prints one.
    #[arg(long, value_name = "RECIPE", value_parser = read)]
    pub(crate) recipe: Option<Recipe>,
}

/// The treatment of an address. A recipe without any part leaves every reference as it is.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Recipe {
    /// The base of every reference.
    #[serde(default, deserialize_with = "base")]
    pub(crate) base: Option<IriBuf>,
    /// How many wrappers around one another are unwrapped.
    #[serde(default, deserialize_with = "levels")]
    pub(crate) unwrap: u8,
    /// The repairs; without them, nothing is repaired.
    pub(crate) prepare: Option<Repairs>,
    #[serde(default)]
    pub(crate) query: Edits,
    /// The rules of the normal form; without it, addresses stay as they are.
    pub(crate) normalize: Option<Rules>,
    #[serde(default)]
    pub(crate) key: Key,
    /// The file of the recipe, if it has one.
    #[serde(skip)]
    pub(crate) file: Option<PathBuf>,
}

/// The repairs, as in the options of `prepare`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Repairs {
    #[serde(deserialize_with = "named")]
    pub(crate) profile: RepairSet,
    #[serde(default, deserialize_with = "some_named")]
    pub(crate) context: Option<Context>,
    pub(crate) spaces: Option<Spaces>,
    /// The scheme of a host that was typed without one.
    #[serde(default, deserialize_with = "scheme")]
    pub(crate) scheme: Option<String>,
}

/// Rules of normalization, as in the options of `normalize`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Rules {
    level: NormalLevel,
    #[serde(default)]
    rules: Vec<NormalRule>,
    #[serde(default, deserialize_with = "some_named")]
    policy: Option<DecodePolicy>,
}

/// The differences that a key ignores, as in the options of `compare`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Key {
    pub(crate) level: KeyLevel,
    #[serde(default)]
    pub(crate) rules: Vec<NormalRule>,
    /// Whether fragments are compared.
    #[serde(default = "yes")]
    pub(crate) fragment: bool,
}

impl Default for Key {
    fn default() -> Self {
        Self { level: KeyLevel::Scheme, rules: Vec::new(), fragment: true }
    }
}

const fn yes() -> bool {
    true
}

/// The differences between two references that their keys ignore.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum KeyLevel {
    /// None
    Simple,
    /// Case, triplets, dot segments
    Syntax,
    /// Also what a scheme implies
    Scheme,
    /// Also hosts that are the same domain name
    SchemeIdna,
    /// Those between look-alikes (UTS #39), and no others
    Skeleton,
}

/// Reads a value of the library by its name, for `deserialize_with`.
fn named<'de, D: Deserializer<'de>, T: FromStr<Err = UnknownName>>(from: D) -> Result<T, D::Error> {
    let name = String::deserialize(from)?;
    name.parse().map_err(|error: UnknownName| {
        let names = error.names().join(", ");
        D::Error::custom(format!("{name:?} is unknown; the names are {names}"))
    })
}

/// Reads a value as [`named`] does, where it may be absent.
fn some_named<'de, D: Deserializer<'de>, T: FromStr<Err = UnknownName>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    named(from).map(Some)
}

/// Reads a base, for `deserialize_with`.
fn base<'de, D: Deserializer<'de>>(from: D) -> Result<Option<IriBuf>, D::Error> {
    args::base::base(&String::deserialize(from)?).map(Some).map_err(D::Error::custom)
}

/// Reads a number of levels, for `deserialize_with`.
fn levels<'de, D: Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
    match u8::deserialize(from)? {
        levels @ 0..=5 => Ok(levels),
        _ => Err(D::Error::custom("unwrap is a number from 0 to 5")),
    }
}

/// Reads the name of a scheme, for `deserialize_with`.
fn scheme<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let name = String::deserialize(from)?;
    ComponentRule::Scheme.validate(&name).map_err(D::Error::custom)?;
    Ok(Some(name))
}

/// Returns the text of a recipe.
///
/// # Errors
/// A message: why the file cannot be read.
fn text(name: &str) -> Result<String, String> {
    if let Some((_, text)) = BUILT_IN.iter().find(|(built_in, _)| *built_in == name) {
        return Ok((*text).to_owned());
    }
    fs::read_to_string(name).map_err(|error| {
        let hint = match error.kind() {
            io::ErrorKind::NotFound => "; write the name of a file, or crawler, rdf or log",
            _ => "",
        };
        format!("{}: {error}{hint}", quote(name))
    })
}

/// Returns the text of a recipe, or of the list of names that are used for tracking.
///
/// # Errors
/// The errors of [`read`].
pub(crate) fn shown(name: &str) -> Result<String, String> {
    if name == "tracking" {
        return Ok(parameters::TEXT.to_owned());
    }
    read(name)?;
    text(name)
}

/// Reads a recipe.
///
/// # Errors
/// A message: why the file cannot be read, or the line that is wrong and what is wrong in it.
pub(crate) fn read(name: &str) -> Result<Recipe, String> {
    let text = text(name)?;
    let recipe = parse(&text)
        .map_err(|(line, message)| format!("{}:{line}: {}", quote(name), quote(&message)))?;
    let is_built_in = BUILT_IN.iter().any(|(built_in, _)| *built_in == name);
    Ok(Recipe { file: (!is_built_in).then(|| name.into()), ..recipe })
}

/// Reads the text of a recipe.
///
/// # Errors
/// The line that is wrong, and what is wrong in it.
fn parse(text: &str) -> Result<Recipe, (usize, String)> {
    toml::from_str(text).map_err(|error: toml::de::Error| {
        // An error without a span is about the whole file.
        let start = error.span().map_or(0, |span| span.start);
        let before = text.as_bytes().iter().take(start);
        (1 + before.filter(|byte| **byte == b'\n').count(), error.message().to_owned())
    })
}

impl Repairs {
    /// Returns the preparation by this part of a recipe.
    pub(crate) fn prepare<'s>(&'s self, base: Option<&'s IriBuf>) -> Prepare<'s> {
        let mut prepare = Prepare::new(self.profile);
        if let Some(context) = self.context {
            prepare = prepare.context(context);
        }
        if let Some(scheme) = &self.scheme {
            // The text is a scheme: it was checked when the recipe was read.
            prepare = prepare.scheme(scheme).unwrap_or(prepare);
        }
        if let Some(base) = base {
            prepare = prepare.base(base.view());
        }
        let (encode, remove) = (RepairKind::Space, RepairKind::SpaceRemoved);
        match self.spaces {
            None => prepare,
            Some(Spaces::Keep) => prepare.forbid(encode).forbid(remove),
            Some(Spaces::Encode) => prepare.allow(encode).forbid(remove),
            Some(Spaces::Remove) => prepare.allow(remove),
        }
    }
}

impl Rules {
    fn normalize(&self) -> Normalize {
        let rules = rules::with(self.level.into(), &self.rules);
        self.policy.map_or(rules, |policy| rules.policy(policy))
    }
}

impl Key {
    /// Returns the comparison by this key; `None` for a comparison by skeletons.
    fn compare(&self) -> Option<Compare> {
        let level = match self.level {
            KeyLevel::Simple => Level::Simple,
            KeyLevel::Syntax => Level::Syntax,
            KeyLevel::Scheme => Level::Scheme,
            KeyLevel::SchemeIdna => Level::SchemeIdna,
            KeyLevel::Skeleton => return None,
        };
        let compare = match self.rules.as_slice() {
            [] => Compare::new(level),
            rules => Compare::by(rules::with(level.rules(), rules)),
        };
        Some(compare.fragment(self.fragment))
    }

    /// Replaces the content of `out` with the key of a reference.
    fn of(&self, view: IriRef<'_>, out: &mut String) -> Result<(), ItemError> {
        match self.compare() {
            Some(compare) => compare.key_into(view, out)?,
            // A skeleton is made of a whole text. So the rules are applied, and the fragment is dropped, before that.
            None => {
                let rules = rules::with(Normalize::none(), &self.rules);
                let mut text = view.normalize(rules)?.into_owned();
                if !self.fragment {
                    text.set_fragment(None)?;
                }
                *out = simd_iri_lint::skeleton(text.view());
            }
        }
        Ok(())
    }
}

impl Recipe {
    /// Returns the files that the recipe names.
    pub(crate) fn rule_files(&self) -> impl Iterator<Item = PathBuf> + '_ {
        self.query.rule_files()
    }

    /// Returns the rules of the files that the recipe names.
    pub(crate) fn rules(&self) -> &RuleArgs {
        &self.query.rules
    }

    /// Returns the address that this recipe makes of an item: prepared, without wrappers, without the dropped pairs of
    /// the query, and in normal form.
    ///
    /// # Errors
    /// The item is not a reference, and cannot be repaired.
    pub(crate) fn apply<'a>(
        &self,
        item: &'a [u8],
    ) -> Result<Mapped<'a, kind::IriReference>, ItemError> {
        let mut made = match (&self.prepare, &self.base) {
            (Some(repairs), base) => {
                repairs.prepare(base.as_ref()).prepare_bytes(item)?.into_reference()
            }
            (None, Some(base)) => {
                let reference = IriRef::parse_bytes(item)?;
                Mapped::Owned(Base::new(base.view()).resolve(reference)?.into())
            }
            (None, None) => Mapped::Borrowed(IriRef::parse_bytes(item)?),
        };
        if self.unwrap > 0 {
            (made, _, _) = self.query.rules.unwrap(self.unwrap, made);
        }
        made = self.query.apply(made)?;
        let Some(rules) = &self.normalize else { return Ok(made) };
        let normal = match made.view().normalize(rules.normalize())? {
            Mapped::Borrowed(_) => None,
            Mapped::Owned(normal) => Some(normal),
        };
        Ok(normal.map_or(made, Mapped::Owned))
    }

    /// Returns the rule of the items that are their own keys if they are in normal form by [`Normalize::scheme`], if the recipe
    /// has no other step than the key.
    pub(crate) fn rule_of_keys(&self) -> Option<Rule> {
        let Self { base: None, unwrap: 0, prepare: None, normalize: None, query, key, .. } = self
        else {
            return None;
        };
        let is_plain = query.is_empty() && key.rules.is_empty() && key.fragment;
        match key.level {
            KeyLevel::Simple => is_plain.then_some(Rule::IriReference),
            // A key is a URI.
            KeyLevel::Syntax | KeyLevel::Scheme => is_plain.then_some(Rule::UriReference),
            KeyLevel::SchemeIdna | KeyLevel::Skeleton => None,
        }
    }

    /// Replaces the content of `out` with the key of an item. Equivalent items have the same key.
    ///
    /// # Errors
    /// The errors of [`Recipe::apply`].
    pub(crate) fn key(&self, item: &[u8], out: &mut String) -> Result<(), ItemError> {
        self.key.of(self.apply(item)?.view(), out)
    }
}

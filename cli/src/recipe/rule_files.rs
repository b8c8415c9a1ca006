//! Files of rules: the pairs of queries that are dropped, and the wrappers of links. Commands have them as
//! `--query-rules`, and recipes as `rules`.
//!
//! Not here: what a rule means, which the library knows.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use simd_iri::{Mapped, kind};
use simd_iri_rules::{QueryRules, RuleFormat, StillWrapped, Unwrap, Wrapper};

use crate::output::secrets::quote;

/// A file of rules that was read.
#[derive(Clone, Debug)]
pub(crate) struct RuleFile {
    pub(crate) path: PathBuf,
    rules: Arc<QueryRules>,
}

/// The argument that names files of rules.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct RuleArgs {
    /// Apply the rules of a file to queries: .toml, .json of ClearURLs, or a filter list; may be repeated
    ///
    /// The files are applied one after another. A file whose name ends in .toml has tables [[drop]] and [[wrapper]],
    /// in .json a catalog of ClearURLs, and any other a list of AdGuard or uBlock Origin, whose rules with removeparam
    /// are read. The other pairs stay as they are.
    #[arg(help_heading = "Edits", long, value_name = "FILE")]
    query_rules: Vec<RuleFile>,
}

/// In a recipe, the rules are an array of names of files.
impl<'de> Deserialize<'de> for RuleArgs {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let names = Vec::<String>::deserialize(from)?;
        let files = names.iter().map(|name| name.parse().map_err(D::Error::custom));
        Ok(Self { query_rules: files.collect::<Result<_, _>>()? })
    }
}

/// Reads a file by its name.
impl FromStr for RuleFile {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let shown = quote(name);
        let text = fs::read_to_string(name).map_err(|error| format!("{shown}: {error}"))?;
        let ending = Path::new(name).extension().unwrap_or_default();
        let format = match ending.to_ascii_lowercase().to_str() {
            Some("toml") => RuleFormat::Toml,
            Some("json") => RuleFormat::ClearUrls,
            _ => RuleFormat::AdGuard,
        };
        let rules =
            QueryRules::parse(&text, format).map_err(|error| format!("{shown}: {error}"))?;
        if rules.count() == 0 {
            let reason = match rules.skipped().first() {
                Some(error) => format!("no rule can be applied; the first is on {error}"),
                None => "no rule is in the file".to_owned(),
            };
            return Err(format!("{shown}: {reason}"));
        }
        Ok(Self { path: name.into(), rules: Arc::new(rules) })
    }
}

impl RuleArgs {
    pub(crate) fn is_empty(&self) -> bool {
        self.query_rules.is_empty()
    }

    /// Returns the files, which a run must not write.
    pub(crate) fn paths(&self) -> impl Iterator<Item = PathBuf> + '_ {
        self.query_rules.iter().map(|file| file.path.clone())
    }

    fn all(&self) -> Vec<&QueryRules> {
        self.query_rules.iter().map(|file| &*file.rules).collect()
    }

    /// Returns a reference by the rules.
    pub(crate) fn apply<'a>(
        &self,
        reference: Mapped<'a, kind::IriReference>,
    ) -> Mapped<'a, kind::IriReference> {
        self.query_rules.iter().fold(reference, |reference, file| match reference {
            Mapped::Borrowed(view) => file.rules.apply(view).into_reference(),
            Mapped::Owned(owned) => match file.rules.apply(owned.view()).into_reference() {
                Mapped::Borrowed(_) => Mapped::Owned(owned),
                Mapped::Owned(made) => Mapped::Owned(made),
            },
        })
    }

    /// Returns a link without its wrappers, with what was unwrapped and why it is still wrapped.
    pub(crate) fn unwrap<'a>(
        &self,
        levels: u8,
        reference: Mapped<'a, kind::IriReference>,
    ) -> (Mapped<'a, kind::IriReference>, Vec<Wrapper>, Option<StillWrapped>) {
        let rules = self.all();
        let unwrap = Unwrap::new().levels(levels).rules(&rules);
        match reference {
            Mapped::Borrowed(view) => {
                let unwrapped = unwrap.apply(view);
                let (wrappers, still) = (unwrapped.wrappers().to_vec(), unwrapped.still_wrapped());
                (unwrapped.into_reference(), wrappers, still)
            }
            Mapped::Owned(owned) => {
                let unwrapped = unwrap.apply(owned.view());
                let (wrappers, still) = (unwrapped.wrappers().to_vec(), unwrapped.still_wrapped());
                let made = match unwrapped.into_reference() {
                    Mapped::Borrowed(_) => None,
                    Mapped::Owned(made) => Some(made),
                };
                (Mapped::Owned(made.unwrap_or(owned)), wrappers, still)
            }
        }
    }
}

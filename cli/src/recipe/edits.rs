//! Edits: components that are set, dropped pairs of the query, and dropped fragments. Commands have them as options.
//! Recipes have all but `--set`, as the table `query`.

use std::path::PathBuf;

use serde::Deserialize;
use simd_iri::{Builder, IriRef, IriRefBuf, Mapped, component::Encoded, kind};

use crate::item_error::{ItemError, Message};
use crate::recipe::parameters;
use crate::recipe::rule_files::RuleArgs;
use crate::recipe::setting::Setting;

/// The parts of a reference that are set or dropped.
#[derive(Clone, Debug, Default, clap::Args, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Edits {
    /// Set a component before the other edits, such as --set 'path=/a b'; may be repeated
    ///
    /// The components are scheme, userinfo, host, port, path, query and fragment. What the component cannot hold is
    /// percent-encoded, percent signs too. With := in place of =, the text is percent-encoded already.
    #[arg(help_heading = "Edits", long, value_name = "COMPONENT=TEXT")]
    #[serde(skip)]
    set: Vec<Setting>,

    #[command(flatten)]
    #[serde(default)]
    pub(super) rules: RuleArgs,

    /// Drop the pairs of the query that have one of these names, separated by commas
    ///
    /// A star at the end stands for any text: --drop-query 'utm_*,sid'. Names are compared as they are
    /// decoded, and may begin after &amp; of HTML. The other pairs stay as they are.
    #[arg(help_heading = "Edits", long, value_name = "NAMES", value_delimiter = ',')]
    #[serde(rename = "drop", default)]
    drop_query: Vec<String>,

    /// Keep only the pairs of the query that have one of these names
    #[arg(help_heading = "Edits", long, value_name = "NAMES", value_delimiter = ',')]
    #[arg(conflicts_with = "drop_query")]
    #[serde(rename = "keep", default)]
    keep_query: Vec<String>,

    /// Drop the pairs with which links are tracked: the names that iri recipe show tracking lists
    #[arg(help_heading = "Edits", long)]
    #[serde(default)]
    drop_tracking: bool,

    /// Drop the fragment
    #[arg(help_heading = "Edits", long)]
    #[serde(default)]
    drop_fragment: bool,
}

/// What is left of `&amp;`, as HTML writes `&`, before a name.
const AMPERSAND: &str = "amp;";

/// Returns a name without what is left of `&amp;` before it. An ampersand that was escaped twice is `&amp;amp;`.
fn after_ampersand(mut name: &str) -> &str {
    while let Some(rest) = name.strip_prefix(AMPERSAND) {
        name = rest;
    }
    name
}

impl Edits {
    /// Tells whether the pair with this name is dropped. A name may begin after `&amp;` of HTML.
    fn drops(&self, name: &str) -> bool {
        let inner = after_ampersand(name);
        let is_meant = |pattern: &String| match pattern.strip_suffix('*') {
            Some(start) => name.starts_with(start) || inner.starts_with(start),
            None => name == pattern || inner == pattern,
        };
        (self.drop_tracking && parameters::is_tracking(inner))
            || self.drop_query.iter().any(is_meant)
            || (!self.keep_query.is_empty() && !self.keep_query.iter().any(is_meant))
    }

    /// Drops pairs of the query of a reference.
    ///
    /// # Errors
    /// Those of a new query.
    fn drop_pairs(&self, reference: &mut IriRefBuf) -> Result<(), ItemError> {
        let begins = |reference: &IriRefBuf| {
            reference.view().query().is_some_and(|query| query.starts_with(AMPERSAND))
        };
        let is_first = begins(reference);
        reference.drop_query_pairs(|name| self.drops(name));
        if begins(reference) && !is_first {
            // The delimiter before the first pair that is left goes as a whole.
            let query =
                reference.view().query().map(after_ampersand).unwrap_or_default().to_owned();
            reference.set_query(Encoded(&query))?;
        }
        Ok(())
    }

    /// Tells whether nothing is set or dropped.
    pub(crate) fn is_empty(&self) -> bool {
        let Self { set, rules, drop_query, keep_query, drop_tracking, drop_fragment } = self;
        let drops_pairs = *drop_tracking || !(drop_query.is_empty() && keep_query.is_empty());
        set.is_empty() && rules.is_empty() && !drops_pairs && !drop_fragment
    }

    /// Returns the files of rules.
    pub(crate) fn rule_files(&self) -> impl Iterator<Item = PathBuf> + '_ {
        self.rules.paths()
    }

    /// Returns a reference with the edits.
    ///
    /// # Errors
    /// A component cannot be set to its text, or the result would be longer than a reference may be.
    pub(crate) fn apply<'a>(
        &self,
        reference: Mapped<'a, kind::IriReference>,
    ) -> Result<Mapped<'a, kind::IriReference>, ItemError> {
        if self.is_empty() {
            return Ok(reference);
        }
        let reference = self.rules.apply(self.set(reference)?);
        let view = reference.view();
        let drops_fragment = self.drop_fragment && view.fragment().is_some();
        let has_pairs = view.query().is_some()
            && !(self.drop_query.is_empty() && self.keep_query.is_empty() && !self.drop_tracking);
        if !drops_fragment && !has_pairs {
            return Ok(reference);
        }
        let mut owned = reference.into_owned();
        if has_pairs {
            self.drop_pairs(&mut owned)?;
        }
        if drops_fragment {
            owned.set_fragment(None)?;
        }
        Ok(Mapped::Owned(owned))
    }

    /// Returns a reference whose components are set.
    fn set<'a>(
        &self,
        reference: Mapped<'a, kind::IriReference>,
    ) -> Result<Mapped<'a, kind::IriReference>, ItemError> {
        if self.set.is_empty() {
            return Ok(reference);
        }
        let view = reference.view();
        let built =
            self.set.iter().fold(Builder::from(view), |builder, it| it.set(builder)).build();
        // The error is in the text of a setting, and not in the item.
        built.map(Mapped::Owned).map_err(|error| {
            let message = Message::made(move |f| write!(f, "--set: {error}"));
            ItemError::whole(error.kind().name(), message, view.as_str().as_bytes())
        })
    }

    /// Edits the reference that `text` holds.
    ///
    /// # Errors
    /// The text is not a reference, or those of [`apply`](Self::apply).
    pub(crate) fn apply_to(&self, text: &mut String) -> Result<(), ItemError> {
        if self.is_empty() {
            return Ok(());
        }
        if let Mapped::Owned(made) = self.apply(Mapped::Borrowed(IriRef::parse(text)?))? {
            *text = made.into_string();
        }
        Ok(())
    }
}

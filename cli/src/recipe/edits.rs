//! Edits: dropped pairs of the query, and dropped fragments. Commands have them as options, and recipes as the table
//! `query`.

use serde::Deserialize;
use simd_iri::{Cow, IriRef, kind};

use crate::item_error::ItemError;
use crate::recipe::parameters;

/// The parts that are dropped from a reference.
#[derive(Clone, Debug, Default, clap::Args, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Edits {
    /// Drop the pairs of the query that have one of these names, separated by commas
    ///
    /// A star at the end stands for any text: --drop-query 'utm_*,sid'. Names are compared as they are
    /// decoded. The other pairs stay as they are.
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

impl Edits {
    /// Tells whether the pair with this name is dropped.
    fn drops(&self, name: &str) -> bool {
        let is_meant = |pattern: &String| match pattern.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == pattern,
        };
        (self.drop_tracking && parameters::is_tracking(name))
            || self.drop_query.iter().any(is_meant)
            || (!self.keep_query.is_empty() && !self.keep_query.iter().any(is_meant))
    }

    /// Tells whether nothing is dropped.
    pub(crate) fn is_empty(&self) -> bool {
        let Self { drop_query, keep_query, drop_tracking, drop_fragment } = self;
        drop_query.is_empty() && keep_query.is_empty() && !drop_tracking && !drop_fragment
    }

    /// Returns a reference without the dropped parts.
    ///
    /// # Errors
    /// The result would be longer than a reference may be.
    pub(crate) fn apply<'a>(
        &self,
        reference: Cow<'a, kind::IriReference>,
    ) -> Result<Cow<'a, kind::IriReference>, ItemError> {
        if self.is_empty() {
            return Ok(reference);
        }
        let view = reference.view();
        let drops_fragment = self.drop_fragment && view.fragment().is_some();
        let has_pairs = view.query().is_some()
            && !(self.drop_query.is_empty() && self.keep_query.is_empty() && !self.drop_tracking);
        if !drops_fragment && !has_pairs {
            return Ok(reference);
        }
        let mut owned = reference.into_buf();
        if has_pairs {
            owned.drop_query_pairs(|name| self.drops(name));
        }
        if drops_fragment {
            owned.set_fragment(None)?;
        }
        Ok(Cow::Owned(owned))
    }

    /// Drops the parts of the reference that `text` holds.
    ///
    /// # Errors
    /// The text is not a reference.
    pub(crate) fn apply_to(&self, text: &mut String) -> Result<(), ItemError> {
        if self.is_empty() {
            return Ok(());
        }
        if let Cow::Owned(made) = self.apply(Cow::Borrowed(IriRef::parse(text)?))? {
            *text = made.into_string();
        }
        Ok(())
    }
}

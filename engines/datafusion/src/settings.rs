//! Optional parameters of the functions: names of values.

use datafusion_common::{Result, ScalarValue, exec_err};
use datafusion_expr::ColumnarValue;
use simd_iri::check::Profile;
use simd_iri::text::RepairSet;
use simd_iri::{Level, Rule};

/// A parameter. Required parameters come first.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Setting {
    Rule,
    Level,
    /// The form of hosts.
    Host,
    /// The profile of a lint.
    Profile,
    /// The profile of a repair.
    Repairs,
    /// The name of a pair of a query.
    Name,
}

impl Setting {
    /// Tells whether the parameter cannot be left out.
    pub(crate) fn is_needed(self) -> bool {
        matches!(self, Self::Name)
    }
}

/// The values of all parameters.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) rule: Rule,
    pub(crate) level: Level,
    pub(crate) is_idna: bool,
    pub(crate) profile: Profile,
    pub(crate) repairs: RepairSet,
    pub(crate) name: String,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            rule: Rule::Iri,
            level: Level::Syntax,
            is_idna: false,
            profile: Profile::Rfc,
            repairs: RepairSet::BrowserLike,
            name: String::new(),
        }
    }
}

impl Settings {
    /// Reads the arguments of a function; `None` if one is null.
    ///
    /// # Errors
    /// An argument is no constant, or no value has its name.
    pub(crate) fn new(
        function: &str,
        known: &[Setting],
        given: &[ColumnarValue],
    ) -> Result<Option<Self>> {
        let mut settings = Self::default();
        for (setting, argument) in known.iter().zip(given) {
            let ColumnarValue::Scalar(scalar) = argument else {
                return exec_err!("{function}: the {setting:?} is a column; write a constant");
            };
            let (ScalarValue::Utf8(name) | ScalarValue::Utf8View(name)) = scalar else {
                return exec_err!("{function}: the {setting:?} is no text");
            };
            let Some(name) = name else { return Ok(None) };
            settings.set(*setting, name)?;
        }
        Ok(Some(settings))
    }

    fn set(&mut self, setting: Setting, name: &str) -> Result<()> {
        match setting {
            Setting::Name => name.clone_into(&mut self.name),
            Setting::Rule => {
                self.rule = one(setting, name, Rule::ALL.iter().map(|rule| (rule.name(), *rule)))?;
            }
            Setting::Level => {
                let known = Level::ALL.iter().map(|level| (level.name(), *level));
                self.level = one(setting, name, known)?;
            }
            Setting::Host => {
                self.is_idna = one(setting, name, [("percent", false), ("idna", true)])?;
            }
            Setting::Profile => {
                let known = Profile::ALL.iter().map(|profile| (profile.name(), *profile));
                self.profile = one(setting, name, known)?;
            }
            Setting::Repairs => {
                let known = RepairSet::ALL.iter().map(|set| (set.name(), *set));
                self.repairs = one(setting, name, known)?;
            }
        }
        Ok(())
    }
}

/// Returns the value with a name.
fn one<'n, T>(
    setting: Setting,
    name: &str,
    known: impl IntoIterator<Item = (&'n str, T)>,
) -> Result<T> {
    let mut names = Vec::new();
    for (of, value) in known {
        if of == name {
            return Ok(value);
        }
        names.push(of);
    }
    exec_err!("there is no {setting:?} {name:?}; known are {}", names.join(", "))
}

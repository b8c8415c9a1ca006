//! Optional parameters of the functions: names of values.

use datafusion_common::{Result, ScalarValue, exec_err};
use datafusion_expr::ColumnarValue;
use simd_iri::check::Profile;
use simd_iri::percent::Place;
use simd_iri::text::{Markup, RepairSet};
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
    /// The format of running text.
    Markup,
    /// The place of a value.
    Place,
    /// The name of a pair of a query.
    Name,
}

impl Setting {
    /// Returns the word for the parameter in messages.
    const fn word(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Level => "level",
            Self::Host => "form of hosts",
            Self::Profile | Self::Repairs => "profile",
            Self::Markup => "markup",
            Self::Place => "place",
            Self::Name => "name",
        }
    }

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
    pub(crate) markup: Markup,
    pub(crate) place: Place,
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
            markup: Markup::Plain,
            place: Place::Segment,
            name: String::new(),
        }
    }
}

impl Settings {
    /// Reads the arguments of a function after its columns, for the wanted parameters; `None` if an argument is
    /// null.
    ///
    /// # Errors
    /// An argument is not a constant, or no value has its name. The message names the function and the argument.
    pub(crate) fn new(
        function: &str,
        columns: usize,
        asked: &[Setting],
        given: &[ColumnarValue],
    ) -> Result<Option<Self>> {
        let mut settings = Self::default();
        for (number, (setting, argument)) in asked.iter().zip(given).enumerate() {
            let at = columns + number + 1;
            let place = format!("{function}: argument {at}, the {}", setting.word());
            let ColumnarValue::Scalar(scalar) = argument else {
                return exec_err!("{place}, is a column; write a constant");
            };
            let (ScalarValue::Utf8(name) | ScalarValue::Utf8View(name)) = scalar else {
                return exec_err!("{place}, is not a text");
            };
            let Some(name) = name else { return Ok(None) };
            if let Err(known) = settings.set(*setting, name) {
                let shown = shown(setting.word(), name);
                return exec_err!("{place}: there is no {shown}; known are {}", known.join(", "));
            }
        }
        Ok(Some(settings))
    }

    /// Sets a parameter. The error lists the known names.
    fn set(&mut self, setting: Setting, name: &str) -> Result<(), Vec<&'static str>> {
        match setting {
            Setting::Name => name.clone_into(&mut self.name),
            // In upper or lower case, as for the names of rules of the ABNF.
            Setting::Rule => {
                let known = || Rule::ALL.iter().map(|rule| rule.name()).collect::<Vec<_>>();
                self.rule = name.parse().map_err(|_| known())?;
            }
            Setting::Level => {
                self.level = one(name, Level::ALL.iter().map(|level| (level.name(), *level)))?;
            }
            Setting::Host => self.is_idna = one(name, [("percent", false), ("idna", true)])?,
            Setting::Profile => {
                let known = Profile::ALL.iter().map(|profile| (profile.name(), *profile));
                self.profile = one(name, known)?;
            }
            Setting::Markup => {
                self.markup = one(name, Markup::ALL.iter().map(|markup| (markup.name(), *markup)))?;
            }
            Setting::Place => {
                self.place = one(name, Place::ALL.iter().map(|place| (place.name(), *place)))?;
            }
            Setting::Repairs => {
                self.repairs = one(name, RepairSet::ALL.iter().map(|set| (set.name(), *set)))?;
            }
        }
        Ok(())
    }
}

/// Returns the value with a name, or all names.
fn one<T>(
    name: &str,
    known: impl IntoIterator<Item = (&'static str, T)>,
) -> Result<T, Vec<&'static str>> {
    let mut names = Vec::new();
    for (of, value) in known {
        if of == name {
            return Ok(value);
        }
        names.push(of);
    }
    Err(names)
}

/// Returns a name with its kind, if it looks like a name. An address in the place of a name may have a password, and a
/// message must not repeat it.
fn shown(kind: &str, name: &str) -> String {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    match name {
        name if name.len() <= 32 && name.bytes().all(is_word) => format!("{kind} {name:?}"),
        _ => format!("such {kind}"),
    }
}

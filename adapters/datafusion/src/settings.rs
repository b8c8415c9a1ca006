//! Optional parameters of the functions: names of values.

use std::sync::{Arc, Mutex, PoisonError};

use datafusion_common::{Result, ScalarValue, exec_err};
use datafusion_expr::ColumnarValue;
use simd_iri::percent::Place;
use simd_iri::{Level, Rule};
use simd_iri_archive as archive;
use simd_iri_lint::{DisplayPolicy, Profile};
use simd_iri_redact::{Redact, RedactPart, SecretSet};
use simd_iri_rules::{QueryRules, RuleError, RuleFormat};
use simd_iri_template::Template;
use simd_iri_text::{Ends, Markup, RepairSet};

/// A parameter. Required parameters come first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
    /// The way in which links end.
    Ends,
    /// The policy of display.
    Policy,
    /// The policy of display, which a call cannot leave out.
    NeededPolicy,
    /// The set of secret keys.
    Set,
    /// What a text to redact is.
    Part,
    /// The profile of keys of web archives.
    Archive,
    /// A template of references.
    Template,
    /// Whether the pairs of a query may be in any order.
    Query,
    /// How many wrappers around one another are unwrapped.
    Levels,
    /// The text of rules for queries.
    Rules,
    /// The format of the rules.
    Format,
}

impl Setting {
    /// Returns the word for the parameter in messages.
    const fn word(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Level => "level",
            Self::Host => "form of hosts",
            Self::Profile | Self::Repairs | Self::Archive => "profile",
            Self::Markup => "markup",
            Self::Place => "place",
            Self::Name => "name",
            Self::Ends => "way in which links end",
            Self::Policy | Self::NeededPolicy => "policy",
            Self::Set => "set of keys",
            Self::Part => "part",
            Self::Template => "template",
            Self::Query => "query",
            Self::Levels => "number of levels",
            Self::Rules => "rules",
            Self::Format => "format",
        }
    }

    /// Tells whether the parameter cannot be left out.
    pub(crate) fn is_needed(self) -> bool {
        matches!(self, Self::Name | Self::NeededPolicy | Self::Template | Self::Rules)
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
    pub(crate) ends: Ends,
    pub(crate) policy: Option<DisplayPolicy>,
    pub(crate) redact: Redact<'static>,
    pub(crate) part: RedactPart,
    pub(crate) archive: archive::Profile,
    /// `None` in a call without rows, which asks for the type of the result.
    pub(crate) template: Option<Template>,
    pub(crate) query_is_set: bool,
    pub(crate) levels: u8,
    /// `None` in a call without rows, which asks for the type of the result.
    pub(crate) rules: Option<Arc<QueryRules>>,
    pub(crate) format: RuleFormat,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            rule: Rule::Iri,
            level: Level::default(),
            is_idna: false,
            profile: Profile::Rfc,
            repairs: RepairSet::BrowserLike,
            markup: Markup::Plain,
            place: Place::Segment,
            name: String::new(),
            ends: Ends::Strict,
            policy: None,
            redact: Redact::default(),
            part: RedactPart::Reference,
            archive: archive::Profile::Pywb,
            template: None,
            query_is_set: false,
            levels: 1,
            rules: None,
            format: RuleFormat::Toml,
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
        // The format of rules comes after them.
        let mut rules = None;
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
            if *setting == Setting::Template {
                match Template::parse(name) {
                    Ok(template) => settings.template = Some(template),
                    Err(error) => return exec_err!("{place}: {error}"),
                }
                continue;
            }
            if *setting == Setting::Rules {
                rules = Some((place, name));
                continue;
            }
            if let Err(known) = settings.set(*setting, name) {
                let shown = shown(setting.word(), name);
                return exec_err!("{place}: there is no {shown}; known are {}", known.join(", "));
            }
            let template = settings.template.as_ref().filter(|_| settings.query_is_set);
            if template.is_some_and(|template| !template.ends_in_query()) {
                return exec_err!(
                    "{place}: the template does not end in expressions with ? or &, or has another ?; write ordered"
                );
            }
        }
        if let Some((place, text)) = rules {
            match parsed(text, settings.format) {
                Ok(rules) => settings.rules = Some(rules),
                Err(error) => return exec_err!("{place}: {error}"),
            }
        }
        Ok(Some(settings))
    }

    /// Sets a parameter. The error lists the known names.
    fn set(&mut self, setting: Setting, name: &str) -> Result<(), Vec<&'static str>> {
        match setting {
            // Every text is a name. A template and rules are parsed where their errors are written.
            Setting::Name | Setting::Template | Setting::Rules => name.clone_into(&mut self.name),
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
            Setting::Ends => {
                self.ends = one(name, Ends::ALL.iter().map(|ends| (ends.name(), *ends)))?;
            }
            Setting::Policy | Setting::NeededPolicy => {
                let known = DisplayPolicy::ALL.iter().map(|policy| (policy.name(), *policy));
                self.policy = Some(one(name, known)?);
            }
            Setting::Set => {
                let known = || SecretSet::ALL.iter().map(|set| set.name()).collect::<Vec<_>>();
                self.redact = Redact::by_names(name).map_err(|_| known())?;
            }
            Setting::Part => {
                self.part = one(name, RedactPart::ALL.iter().map(|part| (part.name(), *part)))?;
            }
            Setting::Archive => {
                let known = archive::Profile::ALL.iter().map(|profile| (profile.name(), *profile));
                self.archive = one(name, known)?;
            }
            Setting::Query => self.query_is_set = one(name, [("ordered", false), ("set", true)])?,
            Setting::Levels => {
                self.levels = one(name, [("1", 1), ("2", 2), ("3", 3), ("4", 4), ("5", 5)])?;
            }
            Setting::Format => {
                let known = RuleFormat::ALL.iter().map(|format| (format.name(), *format));
                self.format = one(name, known)?;
            }
            Setting::Repairs => {
                self.repairs = one(name, RepairSet::ALL.iter().map(|set| (set.name(), *set)))?;
            }
        }
        Ok(())
    }
}

/// The rules that were parsed last, with their text. Each batch of a query has the same rules, and a list may take longer to
/// parse than a batch to compute.
static LAST: Mutex<Option<(String, Arc<QueryRules>)>> = Mutex::new(None);

/// Parses rules, unless they are those that were parsed last.
fn parsed(text: &str, format: RuleFormat) -> Result<Arc<QueryRules>, RuleError> {
    // A panic leaves the rules as they were.
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((of, rules)) = &*last
        && of == text
        && rules.format() == format
    {
        return Ok(Arc::clone(rules));
    }
    let rules = Arc::new(QueryRules::parse(text, format)?);
    *last = Some((text.to_owned(), Arc::clone(&rules)));
    Ok(rules)
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

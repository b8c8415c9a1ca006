//! Regular expressions of rules: from the notation of JavaScript, in which all files of rules are written, to automata
//! that take linear time.
//!
//! Not here: what a pattern is compared with (`clearurls`, `filters`, `own`).

/*
# The notation

The patterns of JavaScript and of the crate `regex-automata` differ in details. `translate` rewrites these:

    \d \w \s . \b        JavaScript knows ASCII alone in \d and \w, and has its own white space and line ends
    [ ] [^] [ && -- ~~   a class of JavaScript has no classes and no operations in it
    { }                  a brace that is not a quantifier is a character
    \/ \- \_ \h \<       an escape before any other character stands for the character
    (?= (?! (?<= (?<! \1 what takes more than linear time is refused

For example, `\/ref=[^\/?&[]*` becomes `/ref=[^/?\&\[]*`.

Without the case of letters, two characters outside ASCII match a letter of ASCII here and not in JavaScript: U+017F an
`s` and U+212A a `k`.

# The bounds

A pattern is built alone first. The sum of the sizes of all patterns of a file has a limit, so a short file such as
`(?:a{1000}){1000}` takes no more memory than a long file.
*/

use alloc::format;
use alloc::string::String;
use core::ops::Range;

use regex_automata::meta::{self, Regex};
use regex_automata::nfa::thompson::{NFA, WhichCaptures};
use regex_automata::util::syntax;
use regex_automata::{Input, MatchKind, PatternSet};

use super::error::RuleErrorKind;
use simd_iri::low::slice;

/// The most bytes of the automata of all patterns of a file.
const LARGEST: usize = 16 << 20;
/// The most matches of a pattern that are removed in one round. Each search takes linear time, and may read the rest of
/// the text before it finds a short match: `.*!|a` does so in `aaaa`. So all matches together would take quadratic time.
const MOST_MATCHES: usize = 4;
/// How deep groups may lie in one another.
const DEEPEST: u32 = 50;

/// One pattern.
pub(super) struct Pattern(Regex);

/// Many patterns, which are found in one pass over a text.
#[derive(Default)]
pub(super) struct Patterns {
    regex: Option<Regex>,
    count: usize,
}

/// Whether a pattern must match the whole text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extent {
    Part,
    Whole,
}

/// A pattern that was checked, in the notation of the crate.
pub(super) struct CheckedPattern(String);

/// Checks the patterns of a file, up to a limit of their sizes.
pub(super) struct Compiler {
    left: usize,
}

impl Default for Compiler {
    fn default() -> Self {
        Self { left: LARGEST }
    }
}

impl Compiler {
    /// Translates and checks a pattern of JavaScript.
    ///
    /// # Errors
    /// The pattern is not a regular expression, takes more than linear time, or takes too much memory.
    pub(super) fn check(
        &mut self,
        source: &str,
        extent: Extent,
        any_case: bool,
    ) -> Result<CheckedPattern, RuleErrorKind> {
        let translated = translate(source)?;
        // The flags are in the pattern, because one set may have patterns with other flags.
        let flags = if any_case { "(?i:" } else { "(?:" };
        // What a group cannot hold, such as `a)|(b`, fails alone.
        self.build(&translated)?;
        Ok(CheckedPattern(match extent {
            Extent::Part => format!("{flags}{translated})"),
            Extent::Whole => format!("\\A{flags}{translated})\\z"),
        }))
    }

    /// Builds a pattern, and takes its size from the rest.
    fn build(&mut self, translated: &str) -> Result<(), RuleErrorKind> {
        let config =
            NFA::config().nfa_size_limit(Some(self.left)).which_captures(WhichCaptures::None);
        let built = NFA::compiler().syntax(notation()).configure(config).build(translated);
        let size = match built {
            Ok(nfa) => nfa.memory_usage(),
            Err(error) if error.size_limit().is_some() => return Err(RuleErrorKind::TooLarge),
            Err(_) => return Err(RuleErrorKind::Pattern),
        };
        // A set has the pattern a second time.
        self.left = self.left.checked_sub(size).ok_or(RuleErrorKind::TooLarge)?;
        Ok(())
    }
}

fn notation() -> syntax::Config {
    syntax::Config::new().nest_limit(DEEPEST)
}

impl Pattern {
    /// # Errors
    /// The pattern takes too much memory.
    pub(super) fn new(checked: &CheckedPattern) -> Result<Self, RuleErrorKind> {
        let config = meta::Config::new().nfa_size_limit(Some(8 * LARGEST));
        let regex = Regex::builder().syntax(notation()).configure(config).build(&checked.0);
        regex.map(Self).map_err(|_| RuleErrorKind::TooLarge)
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }

    /// Returns the ranges of the first matches, which do not overlap, at most [`MOST_MATCHES`].
    pub(super) fn matches<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
        self.0.find_iter(text).map(|found| found.range()).take(MOST_MATCHES)
    }

    /// Returns the first group of the first match.
    pub(super) fn group<'t>(&self, text: &'t str) -> Option<&'t str> {
        let mut captures = self.0.create_captures();
        self.0.captures(text, &mut captures);
        captures.get_group(1).map(|span| slice::text(text, span.range()))
    }
}

impl Patterns {
    /// # Errors
    /// The patterns take too much memory.
    pub(super) fn new(all: &[CheckedPattern]) -> Result<Self, RuleErrorKind> {
        if all.is_empty() {
            return Ok(Self::default());
        }
        let sources: alloc::vec::Vec<&str> = all.iter().map(|one| one.0.as_str()).collect();
        let config =
            meta::Config::new().match_kind(MatchKind::All).nfa_size_limit(Some(8 * LARGEST));
        let regex = Regex::builder().syntax(notation()).configure(config).build_many(&sources);
        let regex = regex.map_err(|_| RuleErrorKind::TooLarge)?;
        Ok(Self { regex: Some(regex), count: all.len() })
    }

    /// Calls `each` with the number of each pattern that matches, in ascending order.
    pub(super) fn each_match(&self, text: &str, mut each: impl FnMut(usize)) {
        let Some(regex) = &self.regex else { return };
        if !regex.is_match(text) {
            return;
        }
        let mut found = PatternSet::new(self.count);
        regex.which_overlapping_matches(&Input::new(text), &mut found);
        found.iter().for_each(|pattern| each(pattern.as_usize()));
    }
}

/// What JavaScript calls white space.
const SPACE: &str = r"\t\n\x0B\x0C\r \u{A0}\u{1680}\u{2000}-\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}\u{FEFF}";
const WORD: &str = "0-9A-Za-z_";

/// Translates a pattern of JavaScript.
///
/// # Errors
/// The pattern has what takes more than linear time, or ends in an escape.
fn translate(source: &str) -> Result<String, RuleErrorKind> {
    let mut to = String::with_capacity(source.len() + 8);
    let mut rest = source;
    let mut in_class = false;
    while let Some(c) = rest.chars().next() {
        let after = slice::text(rest, c.len_utf8()..);
        let mut taken = c.len_utf8();
        match c {
            '\\' => taken += escape(after, in_class, &mut to)?,
            '[' if !in_class => {
                let nothing = [("[^]", "[\\x00-\\u{10FFFF}]"), ("[]", "[^\\x00-\\u{10FFFF}]")];
                if let Some((class, written)) =
                    nothing.into_iter().find(|(class, _)| rest.starts_with(class))
                {
                    to.push_str(written);
                    taken = class.len();
                } else {
                    in_class = true;
                    to.push('[');
                    let start = after.strip_prefix('^').unwrap_or(after);
                    taken += after.len() - start.len();
                    to.push_str(slice::text(after, ..after.len() - start.len()));
                    // A hyphen at the start of a class is a character.
                    if start.starts_with('-') {
                        to.push_str("\\-");
                        taken += 1;
                    }
                }
            }
            ']' if in_class => {
                in_class = false;
                to.push(']');
            }
            '-' if in_class && after.starts_with('-') => {
                to.push_str("-\\-");
                taken += 1;
            }
            '[' | '&' | '~' if in_class => to.extend(['\\', c]),
            '(' if !in_class => {
                if ["?=", "?!", "?<=", "?<!"].iter().any(|look| after.starts_with(look)) {
                    return Err(RuleErrorKind::LookAround);
                }
                to.push('(');
            }
            '.' if !in_class => to.push_str("[^\\n\\r\\u{2028}\\u{2029}]"),
            '{' if !in_class => match quantifier(rest) {
                Some(length) => {
                    to.push_str(slice::text(rest, ..length));
                    taken = length;
                }
                None => to.push_str("\\{"),
            },
            '}' if !in_class => to.push_str("\\}"),
            other => to.push(other),
        }
        rest = slice::text(rest, taken..);
    }
    Ok(to)
}

/// Returns the length of the quantifier at the start of a text: `{1}`, `{1,}` or `{1,2}`.
fn quantifier(text: &str) -> Option<usize> {
    let inner = slice::text(text, ..text.find('}')?).strip_prefix('{')?;
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (least, most) = inner.split_once(',').unwrap_or((inner, ""));
    (!least.is_empty() && is_number(least) && is_number(most)).then_some(inner.len() + 2)
}

/// Writes what stands after a backslash. Returns its length in bytes.
fn escape(after: &str, in_class: bool, to: &mut String) -> Result<usize, RuleErrorKind> {
    let c = after.chars().next().ok_or(RuleErrorKind::Pattern)?;
    let rest = slice::text(after, c.len_utf8()..);
    let mut set = |members: &str, is_negated: bool| match (in_class, is_negated) {
        (true, false) => to.push_str(members),
        (_, false) => to.push_str(&format!("[{members}]")),
        (_, true) => to.push_str(&format!("[^{members}]")),
    };
    match c {
        'd' | 'D' => set("0-9", c == 'D'),
        'w' | 'W' => set(WORD, c == 'W'),
        's' | 'S' => set(SPACE, c == 'S'),
        'b' if in_class => to.push_str("\\x08"),
        'b' if !in_class => to.push_str("(?-u:\\b)"),
        'B' if !in_class => to.push_str("(?-u:\\B)"),
        't' | 'n' | 'r' | 'v' | 'f' => to.extend(['\\', c]),
        '0' if !rest.starts_with(|next: char| next.is_ascii_digit()) => to.push_str("\\x00"),
        '0'..='9' => return Err(RuleErrorKind::LookAround),
        'k' if rest.starts_with('<') => return Err(RuleErrorKind::LookAround),
        'c' => {
            let letter = rest.chars().next().filter(char::is_ascii_alphabetic);
            let letter = letter.ok_or(RuleErrorKind::Pattern)?;
            to.push_str(&format!("\\x{{{:X}}}", u32::from(letter) % 32));
            return Ok(2);
        }
        'x' | 'u' => {
            let length = if c == 'x' { 2 } else { 4 };
            let number = rest
                .get(..length)
                .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
            if let Some(number) = number {
                to.push_str(&format!("\\x{{{number}}}"));
                return Ok(1 + length);
            }
            to.push(c);
        }
        '<' | '>' => to.push(c),
        other if other.is_ascii_punctuation() => to.extend(['\\', other]),
        other => to.push(other),
    }
    Ok(c.len_utf8())
}

/// Appends a text in which every character stands for itself to a pattern of JavaScript.
pub(super) fn push_literal(text: &str, to: &mut String) {
    for c in text.chars() {
        if c.is_ascii_punctuation() {
            to.push('\\');
        }
        to.push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_match(pattern: &str, text: &str) -> Result<bool, RuleErrorKind> {
        let checked = Compiler::default().check(pattern, Extent::Part, false)?;
        Ok(Pattern::new(&checked)?.is_match(text))
    }

    #[test]
    fn patterns_mean_what_they_mean_in_javascript() {
        for (pattern, yes, no) in [
            (r"^\/ref=[^\/?&[]*$", "/ref=a", "/ref=a["),
            (r"^a{$", "a{", "a"),
            (r"^a{,5}$", "a{,5}", "a"),
            (r"^a{2}$", "aa", "a"),
            (r"^}\}$", "}}", "}"),
            (r"^[[]$", "[", "]"),
            (r"^[a&&b]+$", "a&b", "a~"),
            (r"^[+--]$", ",", "a"),
            (r"^[--a]$", "A", "b"),
            (r"^[^-a]$", "b", "-"),
            (r"^\w\d\s$", "a1 ", "é1 "),
            (r"^[\w-]+$", "a-1", "é"),
            (r"^[^\W_]$", "a", "_"),
            (r"^.$", "é", "\u{2028}"),
            (r"^[^]$", "\n", ""),
            (r"a[]|b", "b", "a"),
            (r"^\x41\u0042\cA$", "AB\u{1}", "AB"),
            (r"^\h\-\<\z$", "h-<z", "h"),
            (r"^\p{2}$", "pp", "p"),
            (r"\bé", "aé", "é"),
            (r"^(?:a|(?<n>b))$", "b", "c"),
            (r"^[\b\x2d\]]$", "]", "b"),
        ] {
            assert_eq!(is_match(pattern, yes), Ok(true), "{pattern} {yes}");
            assert_eq!(is_match(pattern, no), Ok(false), "{pattern} {no}");
        }
    }

    #[test]
    fn what_is_not_linear_is_refused() {
        for pattern in [r"a(?=b)", r"a(?!b)", r"(?<=a)b", r"(?<!a)b", r"(a)\1", r"(?<n>a)\k<n>"] {
            assert_eq!(is_match(pattern, ""), Err(RuleErrorKind::LookAround), "{pattern}");
        }
        for pattern in ["(", "a)|(b", "[", "*", "a\\", "[z-a]", r"\uD83D"] {
            assert_eq!(is_match(pattern, ""), Err(RuleErrorKind::Pattern), "{pattern}");
        }
        let large = "(?:(?:a{1000}){1000}){1000}";
        assert_eq!(is_match(large, ""), Err(RuleErrorKind::TooLarge));
        let deep = "(".repeat(100_000) + &")".repeat(100_000);
        assert_eq!(is_match(&deep, ""), Err(RuleErrorKind::Pattern));
    }

    #[test]
    fn a_set_finds_each_pattern_by_its_flags() {
        let mut compiler = Compiler::default();
        let all: alloc::vec::Vec<_> =
            [("a", Extent::Part, true), ("a", Extent::Whole, false), ("b", Extent::Whole, true)]
                .into_iter()
                .map(|(source, extent, any_case)| compiler.check(source, extent, any_case).unwrap())
                .collect();
        let patterns = Patterns::new(&all).unwrap();
        let found = |text: &str| {
            let mut found = alloc::vec::Vec::new();
            patterns.each_match(text, |number| found.push(number));
            found
        };
        assert_eq!(found("a"), [0, 1]);
        assert_eq!(found("xA"), [0]);
        assert_eq!(found("B"), [2]);
        assert!(found("x").is_empty() && found("bb").is_empty());
    }
}

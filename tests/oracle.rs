//! The oracle: reads the ABNF text by itself and matches by sets of end positions over characters.
//!
//! It shares no code with `codegen`, knows no automaton, no byte and no priority among
//! alternatives: an ABNF element that begins at one character may end at several, and a rule
//! matches a text if its ends hold the end of the text. Slow, literal and hard to get wrong.
//! Recursion follows the nesting of the grammar, never the input.
//!
//! The notation is that of RFC 5234, as far as RFC 3986 and RFC 3987 use it; anything else in the
//! grammar is refused when it is read.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::rc::Rc;

/// The three files of the grammar, in this order, are one grammar.
const GRAMMAR: [&str; 3] = ["rfc5234-core.abnf", "rfc3986.abnf", "rfc3987.abnf"];

/// The rules of the grammar.
pub(crate) struct Oracle {
    rules: Vec<Element>,
    names: HashMap<String, usize>,
}

/// What may stand in a rule; characters are code points.
#[derive(PartialEq, Debug)]
enum Element {
    Alternation(Vec<Element>),
    Concatenation(Vec<Element>),
    Repetition {
        least: usize,
        most: usize,
        of: Box<Element>,
    },
    Rule(usize),
    Range(u32, u32),
    /// Quoted text: ASCII letters match in either case.
    Text(String),
}

impl Oracle {
    /// Reads the grammar of this checkout.
    pub(crate) fn new() -> Self {
        let folder = Path::new(crate::ROOT).join("codegen/grammar");
        let mut names = HashMap::new();
        let mut rules: Vec<Option<Element>> = Vec::new();
        for file in GRAMMAR {
            let text = std::fs::read_to_string(folder.join(file)).unwrap();
            for definition in definitions(&text) {
                let (name, body) = definition.split_once('=').expect("a rule has a name");
                let mut reader = Reader { rest: body.trim(), names: &mut names };
                let element = reader.alternation();
                assert_eq!(reader.rest, "", "not read of {name}");
                let rule = reader.rule(name.trim());
                rules.resize_with(names.len(), || None);
                match &rules[rule] {
                    Some(earlier) => assert_eq!(*earlier, element, "two rules {name}"),
                    None => rules[rule] = Some(element),
                }
            }
        }
        let rules = rules.into_iter().map(|rule| rule.expect("every rule is defined")).collect();
        Self { rules, names }
    }

    /// Tells whether the whole of `text` is a `rule` of the ABNF.
    pub(crate) fn matches(&self, rule: &str, text: &str) -> bool {
        self.reading(text).is(rule)
    }

    /// A text that is checked by several rules. Answers are remembered.
    pub(crate) fn reading(&self, text: &str) -> Reading<'_> {
        Reading { oracle: self, text: text.chars().collect(), ends: BTreeMap::new() }
    }

    /// The first and last characters of every range in `rule`, and their neighbours.
    pub(crate) fn edges(&self, rule: &str) -> Vec<char> {
        fn ranges(element: &Element, found: &mut Vec<u32>) {
            match element {
                Element::Alternation(of) => of.iter().for_each(|element| ranges(element, found)),
                Element::Range(low, high) => found.extend([low - 1, *low, *high, high + 1]),
                other => panic!("{other:?} in a set of characters"),
            }
        }
        let mut found = Vec::new();
        ranges(&self.rules[self.rule(rule)], &mut found);
        found.into_iter().filter_map(char::from_u32).collect()
    }

    fn rule(&self, name: &str) -> usize {
        *self.names.get(&name.to_ascii_lowercase()).unwrap_or_else(|| panic!("no rule {name}"))
    }
}

/// One text under examination.
pub(crate) struct Reading<'o> {
    oracle: &'o Oracle,
    text: Vec<char>,
    /// By rule and start: the places where the rule may end, sorted, without duplicates.
    ends: BTreeMap<(usize, usize), Rc<[usize]>>,
}

impl<'o> Reading<'o> {
    /// Tells whether the whole text is a `rule`.
    pub(crate) fn is(&mut self, rule: &str) -> bool {
        let rule = self.oracle.rule(rule);
        self.ends_of_rule(rule, 0).binary_search(&self.text.len()).is_ok()
    }

    fn ends_of_rule(&mut self, rule: usize, start: usize) -> Rc<[usize]> {
        if let Some(ends) = self.ends.get(&(rule, start)) {
            return Rc::clone(ends);
        }
        let oracle: &'o Oracle = self.oracle;
        let mut ends = Vec::new();
        self.extend(&mut ends, &oracle.rules[rule], start);
        let ends: Rc<[usize]> = set(ends).into();
        self.ends.insert((rule, start), Rc::clone(&ends));
        ends
    }

    /// Adds to `ends` where `element` may end if it begins at `start`.
    fn extend(&mut self, ends: &mut Vec<usize>, element: &'o Element, start: usize) {
        match element {
            Element::Alternation(of) => of.iter().for_each(|one| self.extend(ends, one, start)),
            Element::Concatenation(of) => {
                let mut starts = vec![start];
                for element in of {
                    starts = self.after(element, &starts);
                }
                ends.extend(starts);
            }
            Element::Repetition { least, most, of } => {
                let mut reached = BTreeSet::new();
                let mut starts = vec![start];
                for count in 0..=*most {
                    if count >= *least {
                        // From an end that fewer repetitions reached, there is nothing new to find.
                        starts.retain(|&start| reached.insert(start));
                        ends.extend(&starts);
                    }
                    if starts.is_empty() {
                        break;
                    }
                    starts = self.after(of, &starts);
                }
            }
            Element::Rule(rule) => ends.extend(self.ends_of_rule(*rule, start).iter()),
            Element::Range(low, high) => {
                if self.text.get(start).is_some_and(|&c| (*low..=*high).contains(&u32::from(c))) {
                    ends.push(start + 1);
                }
            }
            Element::Text(expected) => {
                let pairs = expected.chars().zip(&self.text[start..]);
                if pairs.filter(|(a, b)| a.eq_ignore_ascii_case(b)).count() == expected.len() {
                    ends.push(start + expected.len());
                }
            }
        }
    }

    fn after(&mut self, element: &'o Element, starts: &[usize]) -> Vec<usize> {
        let mut ends = Vec::new();
        for &start in starts {
            self.extend(&mut ends, element, start);
        }
        set(ends)
    }
}

fn set(mut positions: Vec<usize>) -> Vec<usize> {
    positions.sort_unstable();
    positions.dedup();
    positions
}

/// The definitions of a grammar text, each on one line and without comments: a line that begins
/// with a space goes on with the definition before it.
fn definitions(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in text.lines() {
        let mut quoted = false;
        let comment = line.find(|c| {
            quoted ^= c == '"';
            c == ';' && !quoted
        });
        let line = &line[..comment.unwrap_or(line.len())];
        match (line.trim().is_empty(), line.starts_with(' '), found.last_mut()) {
            (true, _, _) => {}
            (_, true, Some(definition)) => definition.push_str(line),
            _ => found.push(line.to_owned()),
        }
    }
    found
}

/// The rest of a definition.
struct Reader<'a> {
    rest: &'a str,
    names: &'a mut HashMap<String, usize>,
}

impl<'a> Reader<'a> {
    fn rule(&mut self, name: &str) -> usize {
        let next = self.names.len();
        *self.names.entry(name.to_ascii_lowercase()).or_insert(next)
    }

    fn alternation(&mut self) -> Element {
        let mut of = vec![self.concatenation()];
        while self.eat("/") {
            of.push(self.concatenation());
        }
        if of.len() == 1 { of.remove(0) } else { Element::Alternation(of) }
    }

    fn concatenation(&mut self) -> Element {
        let mut of = vec![self.repetition()];
        while !self.rest.is_empty() && !self.rest.starts_with(['/', ')', ']']) {
            of.push(self.repetition());
        }
        if of.len() == 1 { of.remove(0) } else { Element::Concatenation(of) }
    }

    /// `3x`, `*x`, `1*x`, `*2x`, `1*4x`, or x itself.
    fn repetition(&mut self) -> Element {
        let low = self.take(|c| c.is_ascii_digit());
        let ranged = self.eat("*");
        let high = if ranged { self.take(|c| c.is_ascii_digit()) } else { low };
        let of = self.element();
        if low.is_empty() && !ranged {
            return of;
        }
        let least = low.parse().unwrap_or(0);
        let most = high.parse().unwrap_or(usize::MAX);
        Element::Repetition { least, most, of: Box::new(of) }
    }

    fn element(&mut self) -> Element {
        if self.eat("(") {
            return self.until(")", Self::alternation);
        }
        if self.eat("[") {
            let of = Box::new(self.until("]", Self::alternation));
            return Element::Repetition { least: 0, most: 1, of };
        }
        if self.eat("<") {
            return self.until(">", Self::name);
        }
        if self.eat("\"") {
            let text = self.take(|c| c != '"').to_owned();
            assert!(text.is_ascii());
            return self.until("\"", |_| Element::Text(text));
        }
        if self.eat("%x") {
            let low = self.code_point();
            let high = if self.eat("-") { self.code_point() } else { low };
            assert!(!self.rest.starts_with('.'), "character sequences are not used");
            self.rest = self.rest.trim_start();
            return Element::Range(low, high);
        }
        self.name()
    }

    fn until(&mut self, close: &str, read: impl FnOnce(&mut Self) -> Element) -> Element {
        let element = read(self);
        assert!(self.eat(close), "expected {close} before {:?}", self.rest);
        self.rest = self.rest.trim_start();
        element
    }

    fn name(&mut self) -> Element {
        let name = self.take(|c| c.is_ascii_alphanumeric() || c == '-');
        assert!(!name.is_empty(), "expected a rule before {:?}", self.rest);
        self.rest = self.rest.trim_start();
        Element::Rule(self.rule(name))
    }

    fn code_point(&mut self) -> u32 {
        u32::from_str_radix(self.take(|c| c.is_ascii_hexdigit()), 16).unwrap()
    }

    fn take(&mut self, member: impl Fn(char) -> bool) -> &'a str {
        let (taken, rest) =
            self.rest.split_at(self.rest.find(|c| !member(c)).unwrap_or(self.rest.len()));
        self.rest = rest;
        taken
    }

    /// Takes `token`, and the spaces after it where spaces mean nothing.
    fn eat(&mut self, token: &str) -> bool {
        let Some(rest) = self.rest.strip_prefix(token) else { return false };
        let spaced = ["/", "(", "["].contains(&token);
        self.rest = if spaced { rest.trim_start() } else { rest };
        true
    }
}

/// Compares the oracle itself with what the RFCs say in words and examples.
#[test]
fn the_oracle_reads_the_grammar_as_the_rfcs_mean_it() {
    let oracle = Oracle::new();
    for (rule, yes, no) in [
        (
            "dec-octet",
            &["0", "9", "10", "99", "100", "199", "249", "255"][..],
            &["", "00", "01", "256", "300", "1000"][..],
        ),
        (
            "IPv6address",
            &["::", "::1", "1::", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4", "1:2:3:4:5:6:7::"],
            &[":", ":::", "1", "1::2::3", "1:2:3:4:5:6:7:8:9", "12345::", "::1.2.3"],
        ),
        (
            "IP-literal",
            &["[::1]", "[v1.x]", "[V1F.:]"],
            &["[]", "[v.x]", "[v1.]", "[::1", "[fe80::1%25en0]"],
        ),
        ("ipath-empty", &[""], &["a", "/"]),
        ("ipath-abempty", &["", "/", "//", "/a/b"], &["a", "a/b"]),
        ("ipath-absolute", &["/", "/a", "/a//"], &["", "//", "//a"]),
        ("ipath-noscheme", &["a", "a/b:c", "@"], &["", ":", "a:b", "/a"]),
        ("isegment-nz-nc", &["a", "%41", "é"], &["", "a:", "%4", "%4G", "/"]),
        ("scheme", &["a", "A1+-."], &["", "1", "a_", "é"]),
        ("iquery", &["", "?/:@", "\u{E000}"], &["#", "[", " "]),
        ("ifragment", &["", "?/"], &["#", "\u{E000}"]),
        ("port", &["", "0", "99999999999999999999"], &["-1", "a"]),
        ("IRI", &["a:", "a://", "http://é/é?é#é", "a:b@c"], &["", ":", "//a", "a#b"]),
        ("URI", &["a:", "http://a/%C3%A9"], &["http://é/", "a"]),
        ("absolute-IRI", &["a:?b"], &["a:#"]),
        ("irelative-ref", &["", "//", "//a", "a", "?", "#", "./a:b"], &["a:b", ":"]),
        ("IRI-reference", &["", "a:b", "a/b"], &["1:b", "a b"]),
    ] {
        for text in yes {
            assert!(oracle.matches(rule, text), "{rule} {text:?}");
        }
        for text in no {
            assert!(!oracle.matches(rule, text), "{rule} {text:?}");
        }
    }
    let edges = oracle.edges("iprivate");
    assert_eq!(edges[..2], ['\u{E000}', '\u{F8FF}'], "the neighbour below U+E000 is no character");
}

//! The structure of HTML: tags with their attributes, the text that a page shows, and all the rest (HTML standard,
//! section 13.2.5, tokenization, with the names of elements that change the tokenization).
//!
//! A tag that the end of the page cuts is not a tag. Scripts do not run, so `noscript` has tags. Not here: which
//! attributes hold references (`attributes`), where they are in a value (`values`), and character references
//! (`reading`).

/*
# The algorithm

`PageState::place` is the construct that holds the next byte. A call of `next` reads a part of this construct:

    Text        up to the next markup: a region of text. At the markup, `opens` tells what begins:
                  a start tag     find its end (`whole_tag`), and enter `Tag` after its name
                  an end tag      pass over it
                  another         enter its place
    Tag         one attribute: a region if it holds references. At the `>`, the element decides the next place:
                `Within`, `Script`, `Plaintext` or `Text`
    all others  pass over the bytes up to the end of the construct. They have no region

For example:

    see <a href=b>c</a><!-- d --><style>e</style>
    see                                             Text: a region of text
        <a                                          Text: the tag has an end, so enter Tag
           href=b                                   Tag: a region with the reference `b`
                 >                                  Tag: enter Text
                  c                                 Text: a region of text
                   </a>                             Text: pass over the end tag
                       <!-- d -->                   Comment: pass, then Text
                                 <style             Text: enter Tag
                                       >            Tag: enter Within("style")
                                        e</style>   Within: pass up to the end tag and over it, then Text

If the text is not whole, its end may cut a construct. A word or a tag that is cut waits for more text: `next` returns
what is before it, and then `None`. Other constructs are passed except for their last bytes, which may be the start of
what ends them.

# Invariants

- Each call returns a place after `at`, or `None`. So a page is read in a finite number of calls.
- `Tag` is entered only if the tag has an end. If it has no end, the rest of the page is passed, and no other tag is
  searched for there. So each byte of a tag is read twice: by `whole_tag` and by `attribute`.
*/

use core::ops::Range;

use memchr::{memchr, memchr_iter, memchr2, memmem};

use super::attributes::Seen;
use super::foreign::{Foreign, Start};
use super::reading::Reading;
use super::region::{Next, Reference, Region, words_end};
use simd_iri::low::slice;

/// The place in a page where the next region begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageState {
    place: Construct,
    foreign: Foreign,
    /// The number of open elements `template`, whose content the page does not show.
    templates: u32,
}

/// The construct that holds the next byte.
#[derive(Clone, Copy, Debug)]
enum Construct {
    /// Text between tags.
    Text,
    /// A comment. `is_start` tells whether the next byte is the first byte after `<!--`.
    Comment {
        is_start: bool,
    },
    /// A document type, an instruction, or another construct that ends at the next `>`, as a bogus comment does.
    Bogus,
    /// A CDATA section in SVG or MathML.
    Characters,
    /// An element whose text has no tags: it ends at its end tag.
    Within(&'static str),
    Script(Script),
    /// The rest of the page.
    Plaintext,
    /// The inside of a start tag whose end was seen.
    Tag(Tag),
}

/// Whether `</script` ends a script (HTML standard, section 13.2.5.20 and the states after it). After `<!--`, an inner
/// `<script>` has an end tag of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Script {
    Plain,
    Escaped,
    Inner,
}

/// A start tag. The text has its end.
#[derive(Clone, Copy, Debug)]
struct Tag {
    /// Where its name is.
    name: (usize, usize),
    is_html: bool,
    is_refresh: bool,
    seen: Seen,
    is_base: bool,
}

/// What begins at a `<`.
enum Opens {
    Text,
    Comment,
    Bogus,
    Characters,
    StartTag,
    EndTag,
    /// `</>`, which is nothing.
    Nothing,
}

/// Elements whose text has no tags. Two of them have character references, which do not change where the text ends.
const RAW: [&str; 7] = ["iframe", "noembed", "noframes", "style", "textarea", "title", "xmp"];

/// Tells whether a byte is white space in HTML.
pub(crate) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t' | b'\x0C')
}

const fn ends_name(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'/' | b'>')
}

/// Returns a region without text and the place after it, if the place is after `at`.
fn pass(at: usize, to: usize) -> Next {
    (to > at).then(|| (Region::nothing(to), to))
}

impl PageState {
    pub(crate) const fn new() -> Self {
        Self { place: Construct::Text, foreign: Foreign::new(), templates: 0 }
    }

    /// Returns the next region: see [`super::regions::RegionState::next`].
    pub(crate) fn next(&mut self, text: &str, at: usize, is_whole: bool) -> Next {
        let rest = text.get(at..)?.as_bytes();
        match self.place {
            Construct::Text => self.text(text, at, is_whole),
            Construct::Comment { is_start } => self.comment(text, at, is_start, is_whole),
            Construct::Bogus => {
                let end = memchr(b'>', rest).map(|end| at + end + 1);
                self.until(end, text, at, 0)
            }
            Construct::Characters => {
                let end = memmem::find(rest, b"]]>").map(|end| at + end + 3);
                self.until(end, text, at, if is_whole { 0 } else { 2 })
            }
            Construct::Within(name) => self.within(text, at, name, is_whole),
            Construct::Script(script) => self.script(text, at, script, is_whole),
            Construct::Plaintext => pass(at, text.len()),
            Construct::Tag(tag) => self.attribute(text, at, tag),
        }
    }

    /// Ends a construct at `end`, after which text follows. Without an `end`, passes over the text except for its last
    /// `kept` bytes, which may be the start of what ends the construct.
    fn until(&mut self, end: Option<usize>, text: &str, at: usize, kept: usize) -> Next {
        if end.is_some() {
            self.place = Construct::Text;
        }
        let passed = end.unwrap_or_else(|| boundary(text, text.len().saturating_sub(kept)));
        pass(at, passed)
    }

    /// Passes over a comment. It ends at `-->` and `--!>`, and at a `>` or `->` at its start.
    fn comment(&mut self, text: &str, at: usize, is_start: bool, is_whole: bool) -> Next {
        let rest = slice::bytes(text.as_bytes(), at..);
        let at_start = [&b">"[..], b"->"].into_iter().find(|end| is_start && rest.starts_with(end));
        let later = || {
            memchr_iter(b'>', rest).find(|end| {
                let comment = slice::bytes(rest, ..*end);
                comment.ends_with(b"--") || comment.ends_with(b"--!")
            })
        };
        let end = at_start.map(<[u8]>::len).or_else(|| later().map(|end| end + 1));
        let found = self.until(end.map(|end| at + end), text, at, if is_whole { 0 } else { 3 })?;
        if end.is_none() {
            self.place = Construct::Comment { is_start: false };
        }
        Some(found)
    }

    /// Passes over the text of an element, up to its end tag.
    fn within(&mut self, text: &str, at: usize, name: &str, is_whole: bool) -> Next {
        let rest = slice::bytes(text.as_bytes(), at..);
        for tag in memchr_iter(b'<', rest) {
            match is_tag(slice::bytes(rest, tag..), "</", name, is_whole) {
                Some(false) => {}
                Some(true) => {
                    self.place = Construct::Text;
                    return self.next(text, at + tag, is_whole).or_else(|| pass(at, at + tag));
                }
                None => return pass(at, at + tag),
            }
        }
        pass(at, text.len())
    }

    /// Passes over a script. Pseudo code, for each `<` and each run of hyphens:
    ///
    /// ```text
    /// plain:    </script ends the script;    <!-- makes it escaped, and its hyphens count for -->
    /// escaped:  </script ends the script;    <script makes it inner;     --> makes it plain
    /// inner:    </script makes it escaped;                               --> makes it plain
    /// ```
    fn script(&mut self, text: &str, at: usize, mut script: Script, is_whole: bool) -> Next {
        let bytes = text.as_bytes();
        let mut here = at;
        loop {
            self.place = Construct::Script(script);
            let rest = slice::bytes(bytes, here..);
            let found = match script {
                Script::Plain => memchr(b'<', rest),
                _ => memchr2(b'<', b'-', rest),
            };
            let Some(found) = found else { return pass(at, text.len()) };
            here += found;
            let rest = slice::bytes(bytes, here..);
            if rest.first() == Some(&b'-') {
                let run = rest.iter().take_while(|byte| **byte == b'-').count();
                match rest.get(run) {
                    None if !is_whole => return pass(at, here),
                    Some(b'>') if run >= 2 => script = Script::Plain,
                    _ => {}
                }
                here += run;
                continue;
            }
            // The end of the text may cut a tag or a comment that begins here.
            let is_cut =
                |whole: &[u8]| !is_whole && rest.len() < whole.len() && whole.starts_with(rest);
            let Some(is_end) = is_tag(rest, "</", "script", is_whole) else {
                return pass(at, here);
            };
            let Some(is_start) = is_tag(rest, "<", "script", is_whole) else {
                return pass(at, here);
            };
            here += 1;
            match script {
                Script::Plain | Script::Escaped if is_end => {
                    self.place = Construct::Text;
                    return self.next(text, here - 1, is_whole).or_else(|| pass(at, here - 1));
                }
                Script::Plain if is_cut(b"<!--") => return pass(at, here - 1),
                Script::Plain if rest.starts_with(b"<!--") => {
                    script = Script::Escaped;
                    here += 1;
                }
                Script::Escaped if is_start => script = Script::Inner,
                Script::Inner if is_end => script = Script::Escaped,
                _ => {}
            }
        }
    }

    /// Returns the text before the next markup, or enters that markup.
    fn text(&mut self, text: &str, at: usize, is_whole: bool) -> Next {
        let rest = text.get(at..)?.as_bytes();
        let opened = memchr_iter(b'<', rest)
            .map(|tag| (tag, self.opens(slice::bytes(rest, tag + 1..), is_whole)))
            .find(|(_, opens)| !matches!(opens, Some(Opens::Text)));
        let Some((tag, opens)) = opened else {
            let end = words_end(text, at, is_whole)?;
            return Some((self.shown(at..end), end));
        };
        let Some(opens) = opens else {
            let end = words_end(text.get(..at + tag)?, at, false)?;
            return Some((self.shown(at..end), end));
        };
        if tag > 0 {
            return Some((self.shown(at..at + tag), at + tag));
        }
        let (place, length) = match opens {
            Opens::StartTag => return self.start_tag(text, at, is_whole),
            Opens::EndTag => return self.end_tag(text, at, is_whole),
            Opens::Comment => (Construct::Comment { is_start: true }, "<!--".len()),
            Opens::Characters => (Construct::Characters, "<![CDATA[".len()),
            Opens::Nothing => (Construct::Text, "</>".len()),
            Opens::Bogus => (Construct::Bogus, "<!".len()),
            Opens::Text => (Construct::Text, 1),
        };
        self.place = place;
        pass(at, at + length)
    }

    /// Returns the region of a text that the page shows.
    fn shown(&self, span: Range<usize>) -> Region {
        match self.templates {
            0 => Region::text(span, Reading::HtmlText),
            _ => Region::nothing(span.end),
        }
    }

    /// Returns the construct that a `<` begins, by the text after it; `None` if more text is needed.
    fn opens(&self, after: &[u8], is_whole: bool) -> Option<Opens> {
        let is_cut =
            |whole: &[u8]| !is_whole && after.len() < whole.len() && whole.starts_with(after);
        let is_foreign = self.foreign.is_foreign();
        Some(match after {
            [letter, ..] if letter.is_ascii_alphabetic() => Opens::StartTag,
            [b'/', letter, ..] if letter.is_ascii_alphabetic() => Opens::EndTag,
            [b'/', b'>', ..] => Opens::Nothing,
            [b'!', b'-', b'-', ..] => Opens::Comment,
            _ if is_cut(b"/>") || is_cut(b"!--") || is_foreign && is_cut(b"![CDATA[") => {
                return None;
            }
            _ if is_foreign && after.starts_with(b"![CDATA[") => Opens::Characters,
            [b'/', _, ..] | [b'!' | b'?', ..] => Opens::Bogus,
            _ => Opens::Text,
        })
    }

    /// Enters a start tag, or passes over the rest of the page if the tag does not end.
    fn start_tag(&mut self, text: &str, at: usize, is_whole: bool) -> Next {
        let Some((name, read)) = tag_name(text, at + 1).and_then(|name| {
            let read = whole_tag(text, name.end)?;
            Some((name, read))
        }) else {
            return is_whole.then(|| pass(at, text.len())).flatten();
        };
        let element = slice::text(text, name.clone());
        let is = |known: &str| element.eq_ignore_ascii_case(known);
        let is_html = self.foreign.start(element, read.start);
        self.templates += u32::from(is_html && is("template"));
        let tag = Tag {
            name: (name.start, name.end),
            is_html,
            is_refresh: read.is_refresh,
            seen: Seen::default(),
            is_base: is_html && is("base") && self.templates == 0,
        };
        self.place = Construct::Tag(tag);
        pass(at, name.end)
    }

    /// Passes over an end tag, whose attributes mean nothing.
    fn end_tag(&mut self, text: &str, at: usize, is_whole: bool) -> Next {
        let Some((name, read)) = tag_name(text, at + 2).and_then(|name| {
            let read = whole_tag(text, name.end)?;
            Some((name, read))
        }) else {
            return is_whole.then(|| pass(at, text.len())).flatten();
        };
        let element = slice::text(text, name);
        if self.foreign.end(element) && element.eq_ignore_ascii_case("template") {
            self.templates = self.templates.saturating_sub(1);
        }
        self.place = Construct::Text;
        pass(at, read.end)
    }

    /// Returns the region of the next attribute of a tag, or leaves the tag.
    fn attribute(&mut self, text: &str, at: usize, mut tag: Tag) -> Next {
        let element = slice::text(text, tag.name.0..tag.name.1);
        match attribute(text, at)? {
            Attribute::End { end, .. } => {
                let is = |known: &&str| element.eq_ignore_ascii_case(known);
                self.place = match RAW.iter().find(|known| is(known)) {
                    _ if !tag.is_html => Construct::Text,
                    Some(name) => Construct::Within(name),
                    None if is(&"script") => Construct::Script(Script::Plain),
                    None if is(&"plaintext") => Construct::Plaintext,
                    None => Construct::Text,
                };
                pass(at, end)
            }
            Attribute::Value { name, inside, end, quote } => {
                let name = slice::text(text, name);
                let form = tag.seen.form(name, element, tag.is_html, tag.is_refresh);
                let is_base = tag.is_base && name.eq_ignore_ascii_case("href");
                self.place = Construct::Tag(tag);
                let region = form.map(|form| {
                    let reference = Reference::in_html(form, inside.clone(), quote, is_base);
                    Region {
                        span: inside,
                        reading: reference.escapes.reading(),
                        reference: Some(reference),
                    }
                });
                Some((region.unwrap_or(Region::nothing(end)), end))
            }
        }
    }
}

/// Returns the last boundary of characters at or before an offset.
fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Tells whether a text begins with `opens`, which is `<` or `</`, and the name of an element; `None` if more text is
/// needed.
fn is_tag(text: &[u8], opens: &str, name: &str, is_whole: bool) -> Option<bool> {
    let rest = match text.strip_prefix(opens.as_bytes()) {
        Some(rest) => rest,
        None => {
            return if is_whole || !opens.as_bytes().starts_with(text) {
                Some(false)
            } else {
                None
            };
        }
    };
    let known = slice::bytes(name.as_bytes(), ..name.len().min(rest.len()));
    let found = slice::bytes(rest, ..known.len());
    if !found.eq_ignore_ascii_case(known) {
        return Some(false);
    }
    match rest.get(name.len()) {
        Some(byte) => Some(ends_name(*byte)),
        None => is_whole.then_some(false),
    }
}

/// Returns the range of the name of a tag, if the name has an end.
fn tag_name(text: &str, at: usize) -> Option<Range<usize>> {
    let length = text.get(at..)?.bytes().position(ends_name)?;
    Some(at..at + length)
}

/// The properties of a tag that are known when it is read to its end.
struct WholeTag {
    end: usize,
    start: Start,
    is_refresh: bool,
}

/// Reads a tag from the end of its name to its end; `None` if the tag does not end.
fn whole_tag(text: &str, at: usize) -> Option<WholeTag> {
    let (mut start, mut is_refresh, mut at) = (Start::default(), None, at);
    loop {
        match attribute(text, at)? {
            Attribute::End { end, closes } => {
                start.closes = closes;
                return Some(WholeTag { end, start, is_refresh: is_refresh == Some(true) });
            }
            Attribute::Value { name, inside, end, .. } => {
                at = end;
                let name = slice::text(text, name);
                let is = |known: &str| name.eq_ignore_ascii_case(known);
                let value = || Reading::HtmlAttribute.meaning(slice::text(text, inside.clone()));
                let is_value = |known: &str| value().eq_ignore_ascii_case(known);
                start.has_font |= is("color") || is("face") || is("size");
                if is("http-equiv") && is_refresh.is_none() {
                    is_refresh = Some(is_value("refresh"));
                } else if is("encoding") {
                    start.is_html_annotation |=
                        is_value("text/html") || is_value("application/xhtml+xml");
                }
            }
        }
    }
}

/// The next thing in a tag.
pub(crate) enum Attribute {
    /// The end of the tag. `closes` tells whether it is `/>`.
    End { end: usize, closes: bool },
    /// An attribute: the range of its name, the range of its value without quotes, its quote, if there is a quote, and
    /// the offset at which it ends.
    Value { name: Range<usize>, inside: Range<usize>, quote: Option<u8>, end: usize },
}

/// Returns the next thing in a tag, or `None` if the text ends before the end of that thing.
pub(crate) fn attribute(text: &str, at: usize) -> Option<Attribute> {
    let bytes = text.as_bytes();
    let skip = |from: usize, is_skipped: &dyn Fn(u8) -> bool| {
        let rest = bytes.get(from..)?;
        rest.iter().position(|byte| !is_skipped(*byte)).map(|length| from + length)
    };
    let start = skip(at, &|byte| is_space(byte) || byte == b'/')?;
    if bytes.get(start) == Some(&b'>') {
        let closes = start > at && bytes.get(start - 1) == Some(&b'/');
        return Some(Attribute::End { end: start + 1, closes });
    }
    // An equals sign at the start of a name belongs to the name.
    let name_end = skip(start + 1, &|byte| !ends_name(byte) && byte != b'=')?;
    let name = start..name_end;
    let equals = skip(name_end, &is_space)?;
    if bytes.get(equals) != Some(&b'=') {
        return Some(Attribute::Value { name, inside: equals..equals, quote: None, end: name_end });
    }
    let value = skip(equals + 1, &is_space)?;
    match bytes.get(value)? {
        quote @ (b'"' | b'\'') => {
            let start = value + 1;
            let end = start + memchr(*quote, bytes.get(start..)?)?;
            Some(Attribute::Value { name, inside: start..end, quote: Some(*quote), end: end + 1 })
        }
        _ => {
            let end = skip(value, &|byte| !is_space(byte) && byte != b'>')?;
            Some(Attribute::Value { name, inside: value..end, quote: None, end })
        }
    }
}

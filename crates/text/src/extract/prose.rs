//! The marks and letters of Chinese, Japanese and Korean prose. [`Ends::Tight`] and [`Ends::Ascii`] begin and end
//! links by them.
//!
//! Here: the rules of each way for a character, and for the host. Not here: the ends of path, query and fragment
//! (`ends`), and where a link begins (`detect`).

/*
# Why another way

Prose in these scripts has no spaces. By UTS #58, `、` and `。` belong to a link if more of the link follows, and more
always follows. So the ways after `Strict` let such a mark end the link. They never let a link go on where `Strict`
ends it: each rule here stops the same walk sooner.

    text                              strict                          tight
    参照：http://a.example/b。次        http://a.example/b。次           http://a.example/b
    請看http://a.example！            nothing                         http://a.example
    http://a.example/b（説明）          http://a.example/b（説明）         http://a.example/b
    http://a.example/苹果（公司）       the same                        http://a.example/苹果（公司）
    http://a.com説明                  http://a.com説明                http://a.com
*/

use super::hosts::{LabelRun, is_in_name, is_tld};
use super::reader::{char_at, char_before};
use crate::link_tables::is_visible_letter;
use crate::{Ends, Markup};

use simd_iri::low::LABEL_DOTS;
use simd_iri::low::slice;

/// The length in bytes that a top-level domain does not exceed.
const LONGEST_TLD: usize = 40;

impl Ends {
    /// Returns the way for a link that begins at `start`. After `<`, the writer marks the end, and UTS #58 decides.
    pub(crate) fn of_link(self, text: &str, start: usize) -> Self {
        match self {
            Self::Strict => self,
            _ if char_before(text, start) == Some('<') => Self::Strict,
            Self::Tight | Self::Ascii => self,
        }
    }

    /// Tells whether the way departs from UTS #58.
    pub(crate) const fn is_tight(self) -> bool {
        !matches!(self, Self::Strict)
    }

    /// Tells whether a character after the host ends a link, whatever follows.
    pub(crate) fn is_end(self, c: char) -> bool {
        match self {
            Self::Strict => false,
            Self::Tight => is_ender(c),
            Self::Ascii => !c.is_ascii(),
        }
    }

    /// Tells whether a character outside ASCII after the host belongs to every link.
    #[inline]
    pub(crate) fn passes(self, c: char) -> bool {
        match self {
            Self::Strict => is_visible_letter(c),
            Self::Tight => is_visible_letter(c) && !is_ender(c),
            Self::Ascii => false,
        }
    }

    /// Tells whether a character may be in a label.
    pub(crate) fn is_in_name(self, c: char) -> bool {
        is_in_name(c) && !(self.is_tight() && is_ender(c))
    }
}

/// Tells whether a mark of prose ends a link. Marks in the titles of pages are not members: `・`, `～`, `—`, `·`.
#[rustfmt::skip]
pub(crate) const fn is_ender(c: char) -> bool {
    matches!(
        c,
        '\u{3000}' | '。' | '．' | '｡' | '、' | '､' | '，' | '：' | '；' | '！' | '？' | '\u{201C}' | '\u{201D}'
            | '\u{2018}' | '\u{2019}' | '\u{2026}' | '\u{22EF}' | '\u{301D}'..='\u{301F}' | '｜' | '＜' | '＞'
            | '\u{FE10}'..='\u{FE19}' | '\u{FE50}'..='\u{FE57}'
    )
}

/// Tells whether a character is an opening bracket of CJK prose.
#[rustfmt::skip]
pub(crate) const fn is_opener(c: char) -> bool {
    matches!(
        c,
        '（' | '「' | '『' | '【' | '《' | '〈' | '〔' | '〖' | '〘' | '〚' | '［' | '｛' | '｟' | '｢'
    )
}

/// Tells whether a character is a closing bracket of CJK prose.
#[rustfmt::skip]
const fn is_closer(c: char) -> bool {
    matches!(
        c,
        '）' | '」' | '』' | '】' | '》' | '〉' | '〕' | '〗' | '〙' | '〛' | '］' | '｝' | '｠' | '｣'
    )
}

/// Tells whether a character is a mark or a bracket at which one clause of prose ends and another begins.
pub(crate) const fn is_boundary(c: char) -> bool {
    is_ender(c) || is_opener(c) || is_closer(c)
}

/// Tells whether a character is a letter of Han, kana, Bopomofo or Hangul.
pub(crate) const fn is_cjk(c: char) -> bool {
    matches!(
        c,
        '\u{1100}'..='\u{11FF}'
            | '\u{3005}'..='\u{3007}'
            | '\u{3041}'..='\u{3096}'
            | '\u{309D}'..='\u{309F}'
            | '\u{30A1}'..='\u{30FA}'
            | '\u{30FC}'..='\u{30FF}'
            | '\u{3105}'..='\u{312F}'
            | '\u{3131}'..='\u{318E}'
            | '\u{31A0}'..='\u{31BF}'
            | '\u{31F0}'..='\u{31FF}'
            | '\u{3400}'..='\u{4DBF}'
            | '\u{4E00}'..='\u{9FFF}'
            | '\u{A960}'..='\u{A97C}'
            | '\u{AC00}'..='\u{D7A3}'
            | '\u{D7B0}'..='\u{D7FB}'
            | '\u{F900}'..='\u{FAFF}'
            | '\u{FF66}'..='\u{FF9D}'
            | '\u{FFA1}'..='\u{FFDC}'
            | '\u{1AFF0}'..='\u{1B16F}'
            | '\u{20000}'..='\u{3FFFD}'
    )
}

/// Returns the part of a name after its last CJK letter, if this part is in ASCII and may begin a name. Prose stands
/// before it: `見example.com` means `example.com`.
pub(crate) fn without_prose(name: &str) -> &str {
    let after = match name.char_indices().rev().find(|(_, c)| is_cjk(*c)) {
        Some((at, c)) => slice::text(name, at + c.len_utf8()..),
        None => return name,
    };
    let begins = after.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
    if begins && after.is_ascii() { after } else { name }
}

/// Returns the run of labels and dots that begins at `start`, by the rules of a way.
///
/// ```text
/// for each character of the run of UTS #58:
///     a mark that ends links          the run ends
///     `。` and the like, once, if no dot came before and a top-level domain follows up to a delimiter
///                                     a dot of the name; otherwise the run ends
/// if the last label is no top-level domain, but a part of it before a CJK letter is, the run ends after that part
/// ```
///
/// For example, `例え。jp/` is whole, `a.com。jp` ends after `com`, and so does `a.com説明`. `localhost説明` is whole.
pub(crate) fn run(text: &str, start: usize, markup: Markup, ends: Ends) -> LabelRun {
    // A run of UTS #58 may have many marks, and each mark begins a new run here. If the whole run were read each time, a row
    // of marks would take quadratic time.
    let run = LabelRun::from(
        if ends.is_tight() { before_mark(text, start) } else { text },
        start,
        markup,
    );
    if !ends.is_tight() || slice::text(text, start..run.end).is_ascii() {
        return run;
    }
    let (mut end, mut has_dot) = (start, false);
    while let Some(c) = char_at(text, end).filter(|_| end < run.end) {
        let next = end + c.len_utf8();
        match c {
            '.' => has_dot = true,
            _ if LABEL_DOTS.contains(&c) && !has_dot && is_tld_at(text, next) => has_dot = true,
            _ if is_ender(c) => break,
            _ => {}
        }
        end = next;
    }
    let name = slice::text(text, start..end).trim_end_matches('.');
    let label = name.rsplit(LABEL_DOTS).next().unwrap_or_default();
    if let Some(length) = tld_before_cjk(label).filter(|_| !is_tld(label)) {
        end = start + name.len() - label.len() + length;
    }
    if end == run.end { run } else { LabelRun::from(slice::text(text, ..end), start, markup) }
}

/// Returns the text up to the second mark after `start`, or the whole text. No run goes beyond the second mark: only the
/// first mark may be a dot of the name. The search ends at a character that seldom stands in a name.
fn before_mark(text: &str, start: usize) -> &str {
    let rest = slice::text(text, start..);
    let goes_on = |c: char| !c.is_ascii() || c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
    let marks = rest.char_indices().take_while(|(_, c)| goes_on(*c)).filter(|(_, c)| is_ender(*c));
    let second = marks.map(|(at, _)| at).nth(1);
    second.map_or(text, |second| slice::text(text, ..start + second))
}

/// Tells whether a top-level domain is at `start`, and no label after it.
fn is_tld_at(text: &str, start: usize) -> bool {
    let mut end = start;
    while let Some(c) = char_at(text, end).filter(|c| is_in_name(*c) && !is_ender(*c)) {
        end += c.len_utf8();
        if end - start > LONGEST_TLD {
            return false;
        }
    }
    let goes_on = text.as_bytes().get(end) == Some(&b'.')
        && char_at(text, end + 1).is_some_and(|c| is_in_name(c) && !is_ender(c));
    !goes_on && is_tld(slice::text(text, start..end))
}

/// Returns the length of the longest top-level domain with which a label begins, before a CJK letter.
pub(crate) fn tld_before_cjk(label: &str) -> Option<usize> {
    let places = label.char_indices().take_while(|(at, _)| *at <= LONGEST_TLD);
    let places = places.filter(|(at, c)| *at > 0 && is_cjk(*c));
    places.map(|(at, _)| at).filter(|at| is_tld(slice::text(label, ..*at))).last()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link_tables::{Term, is_letter, opening, term};

    /// No character that ends links is a letter or part of a bracket, and the brackets pair.
    #[test]
    fn marks_are_apart() {
        let (mut enders, mut openers, mut letters) = (0, 0, 0);
        for c in '\0'..=char::MAX {
            assert!(u8::from(is_ender(c)) + u8::from(is_opener(c)) + u8::from(is_cjk(c)) <= 1);
            assert!(!is_ender(c) || !c.is_alphanumeric() && !c.is_ascii(), "{c:?}");
            assert!(!is_opener(c) || term(c) == Term::Open, "{c:?}");
            assert_eq!(is_closer(c), opening(c).is_some_and(is_opener), "{c:?}");
            assert!(!is_cjk(c) || is_letter(c) || term(c) == Term::Hard, "{c:?}");
            enders += u32::from(is_ender(c));
            openers += u32::from(is_opener(c));
            letters += u32::from(is_cjk(c));
        }
        assert_eq!((enders, openers), (41, 14));
        assert!(letters > 100_000, "{letters}");
        assert!("々〇ー・～〜—–·＆＿－＋＝％＃＠／＊ａ１".chars().all(|c| !is_ender(c)));
        assert!("々〇ー中あアｱㄅ한".chars().all(is_cjk) && !"・éжא".chars().any(is_cjk));
    }
}

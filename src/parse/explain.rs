//! The cold path: why an input does not match a rule, and where.
//!
//! Here: [`Violations`], every reason in the order of the text, and the first one alone
//! ([`explain`], [`explain_component`]). Not here: deciding whether an input matches, which is done
//! without this file, and the words of the messages (`error`).
//!
//! The input is cut at the delimiters alone into at most ten pieces, each of them either text that
//! is to be made of the characters of one component, or a violation already found. One cursor then
//! walks the pieces. Nothing is walked twice: linear time, no allocation, no recursion.
//! (RFC 3987 section 2.2; RFC 3986 section 3 for the cuts.)
#![forbid(unsafe_code)]

use core::array;
use core::iter::{Flatten, FusedIterator};
use core::ops::Range;

use super::{ComponentRule, Rule, SchemeRule};
use crate::error::{Component, Error, ErrorKind, Note};
use crate::scan;
use crate::scan::dfa::{NonAscii, matches_ip_literal, non_ascii};
use crate::tables::{self, AsciiSet};

/// The first reason why `bytes` do not match `rule`.
#[cold]
pub(crate) fn explain(rule: Rule, bytes: &[u8]) -> Error {
    first(Violations::new(rule, bytes), bytes.len())
}

/// The first reason why `bytes` alone do not match a rule for a component: that of RFC 3987, or,
/// if `uri`, its twin of RFC 3986.
#[cold]
pub(crate) fn explain_component(rule: ComponentRule, uri: bool, bytes: &[u8]) -> Error {
    first(Violations::of_component(rule, uri, bytes), bytes.len())
}

/// The first violation. Whoever asks has found that there is one; if not, the end is to blame.
fn first(mut violations: Violations<'_>, end: usize) -> Error {
    let nothing = Error::new(ErrorKind::UnexpectedEnd, Component::Reference, end..end, 0);
    violations.next().unwrap_or(nothing)
}

/// Every reason why an input does not match a rule, in the order of the text.
///
/// Made by [`Rule::violations`]. There is none exactly if the input matches, and the first is the
/// error of [`Rule::parse_bytes`]. Offsets are in bytes of the input. The whole iteration takes time
/// linear in the input and allocates nothing.
///
/// ```
/// use simd_iri::{ErrorKind::*, Rule};
///
/// let all = Rule::Iri.violations(b"http://a b:80x/%zz?|#");
/// assert!(all.map(|error| error.kind()).eq([NotAllowed, BadPort, BadPercentEncoding, NotAllowed]));
/// assert_eq!(Rule::Iri.violations(b"http://a/").count(), 0);
/// ```
#[derive(Clone, Debug)]
pub struct Violations<'a> {
    /// What is left of the piece that is being walked.
    rest: Span<'a>,
    /// What that piece is.
    part: Part,
    /// The pieces after it.
    pieces: Flatten<array::IntoIter<Option<Piece<'a>>, PIECES>>,
    /// Whether characters outside ASCII are wrong wherever they are.
    ascii_only: bool,
    /// Whether an `@` in a host or a port is a second one, because there is userinfo before it.
    second_at: bool,
}

/// Scheme, userinfo, IP literal, registered name, port, path (up to a colon, the colon, the rest),
/// query and fragment.
const PIECES: usize = 10;

/// A piece of the input, or what was found in its place.
#[derive(Clone, Copy, Debug)]
enum Piece<'a> {
    /// Text that is to be made of the characters of a part.
    Text(Part, Span<'a>),
    /// A violation that the cut has found.
    Found(Error),
}

impl<'a> Violations<'a> {
    /// The violations of `rule` in `bytes`.
    pub(crate) fn new(rule: Rule, bytes: &'a [u8]) -> Self {
        Self::walk(bytes, rule.ascii_only(), true, cut_reference(rule, Span { at: 0, bytes }))
    }

    /// The violations of a rule for a component in `bytes`, which are nothing but the component.
    fn of_component(rule: ComponentRule, uri: bool, bytes: &'a [u8]) -> Self {
        let [a, b, c, d] = cut_component(rule, Span { at: 0, bytes });
        let pieces = [a, b, c, d, None, None, None, None, None, None];
        Self::walk(bytes, uri, matches!(rule, ComponentRule::Iauthority), pieces)
    }

    /// A walk that has yet to enter the first piece.
    fn walk(
        bytes: &'a [u8],
        ascii_only: bool,
        second_at: bool,
        mut pieces: [Option<Piece<'a>>; PIECES],
    ) -> Self {
        // INVARIANT: whatever makes an `Error` below does so of offsets that fit.
        if u32::try_from(bytes.len()).is_err() {
            pieces = [None; PIECES];
            pieces[0] = Some(Piece::Found(Error::too_long()));
        }
        Self {
            rest: Span { at: 0, bytes: &[] },
            part: Part::Path,
            pieces: pieces.into_iter().flatten(),
            ascii_only,
            second_at,
        }
    }

    /// The next violation in the piece that is being walked.
    fn next_in_piece(&mut self) -> Option<Error> {
        loop {
            self.skip_plain();
            let from = self.rest;
            let byte = from.first()?;
            if !self.part.set(from.at).contains(byte) {
                if let Some(error) = self.not_allowed(from, byte) {
                    return Some(error);
                }
            } else if byte == b'%' {
                let after = from.skip(1).bytes.iter().take(2);
                let digits = after.take_while(|byte| tables::HEXDIG.contains(**byte)).count();
                self.rest = from.skip(1 + digits);
                if digits < 2 {
                    return Some(self.error(ErrorKind::BadPercentEncoding, from, '%'.into()));
                }
            } else {
                self.rest = from.skip(1);
            }
        }
    }

    /// Goes past the characters of which most of an input consists.
    fn skip_plain(&mut self) {
        let set = self.part.set(self.rest.at);
        let plain = |byte: &&u8| set.contains(**byte) && **byte != b'%';
        self.rest = self.rest.skip(self.rest.bytes.iter().take_while(plain).count());
    }

    /// Goes past the character at `from`, which is not among the ASCII characters of its part:
    /// a violation, unless it is a character outside ASCII that the part allows.
    fn not_allowed(&mut self, from: Span<'a>, byte: u8) -> Option<Error> {
        let ch = match from.character() {
            Ok(ch) => ch,
            Err(len) => {
                self.rest = from.skip(len);
                return Some(self.error(ErrorKind::IllFormedUtf8, from, byte.into()));
            }
        };
        self.rest = from.skip(ch.len_utf8());
        let kind = match self.part {
            Part::Scheme | Part::SchemeOrSegment => ErrorKind::BadScheme,
            _ if ch == '@' && self.second_at => ErrorKind::SecondAt,
            Part::Port => ErrorKind::BadPort,
            Part::AfterIpLiteral => ErrorKind::NotAllowed,
            _ if ch.is_ascii() => ErrorKind::NotAllowed,
            _ if self.ascii_only => ErrorKind::NonAscii,
            part => match non_ascii(from.bytes) {
                NonAscii::Ucschar => return None,
                NonAscii::Private if part == Part::Query => return None,
                NonAscii::Private => ErrorKind::PrivateUse,
                NonAscii::Other => ErrorKind::NotAllowed,
            },
        };
        // The two kinds of which a whole run is one violation.
        let second_at = self.second_at;
        match kind {
            ErrorKind::NonAscii => self.skip_run(|ch| !ch.is_ascii()),
            ErrorKind::BadPort => self.skip_run(|ch| {
                let digit = u8::try_from(ch).is_ok_and(|byte| tables::DIGIT.contains(byte));
                !(digit || second_at && ch == '@')
            }),
            _ => {}
        }
        Some(self.error(kind, from, ch.into()))
    }

    /// Goes past every further character that belongs to a run.
    fn skip_run(&mut self, belongs: impl Fn(char) -> bool) {
        while let Ok(ch) = self.rest.character()
            && belongs(ch)
        {
            self.rest = self.rest.skip(ch.len_utf8());
        }
    }

    /// The violation that reaches from `from` to where the walk is now.
    fn error(&self, kind: ErrorKind, from: Span<'a>, ch: u32) -> Error {
        let component = match kind {
            ErrorKind::SecondAt => Component::Authority,
            _ => self.part.component(),
        };
        let note = match (kind, self.part) {
            (ErrorKind::BadScheme, Part::SchemeOrSegment) => Note::RelativePath,
            (ErrorKind::NotAllowed, Part::AfterIpLiteral) => Note::AfterIpLiteral,
            _ => Note::None,
        };
        Error::new(kind, component, from.at..self.rest.at, ch).with_note(note)
    }
}

impl Iterator for Violations<'_> {
    type Item = Error;

    fn next(&mut self) -> Option<Error> {
        loop {
            if let Some(error) = self.next_in_piece() {
                return Some(error);
            }
            match self.pieces.next()? {
                Piece::Text(part, text) => (self.part, self.rest) = (part, text),
                Piece::Found(error) => return Some(error),
            }
        }
    }
}

impl FusedIterator for Violations<'_> {}

/// What a text is to be made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Scheme,
    /// What stands before the first colon of a reference that need not have a scheme.
    SchemeOrSegment,
    Userinfo,
    RegName,
    /// What stands between the `]` of an IP literal and the port: should be nothing.
    AfterIpLiteral,
    Port,
    Path,
    Segment,
    SegmentNc,
    Query,
    Fragment,
}

impl Part {
    /// The ASCII bytes that may be in the part, at this offset of the input.
    fn set(self, at: usize) -> &'static AsciiSet {
        match self {
            Self::Scheme | Self::SchemeOrSegment if at == 0 => &tables::SCHEME_FIRST,
            Self::Scheme | Self::SchemeOrSegment => &tables::SCHEME,
            Self::Userinfo => &tables::USERINFO,
            Self::RegName => &tables::REG_NAME,
            Self::AfterIpLiteral => &AsciiSet::EMPTY,
            Self::Port => &tables::DIGIT,
            Self::Path => &tables::PATH,
            Self::Segment => &tables::SEGMENT,
            Self::SegmentNc => &tables::SEGMENT_NC,
            Self::Query => &tables::QUERY,
            Self::Fragment => &tables::FRAGMENT,
        }
    }

    /// The component that an error names.
    fn component(self) -> Component {
        match self {
            Self::Scheme | Self::SchemeOrSegment => Component::Scheme,
            Self::Userinfo => Component::Userinfo,
            Self::RegName | Self::AfterIpLiteral => Component::Host,
            Self::Port => Component::Port,
            Self::Path | Self::Segment | Self::SegmentNc => Component::Path,
            Self::Query => Component::Query,
            Self::Fragment => Component::Fragment,
        }
    }
}

// The delimiters at which an input is cut, where the grammar's own sets are others.
const COLON_OR_END: AsciiSet = AsciiSet::of(b":/?#");
const COLON_OR_SLASH: AsciiSet = AsciiSet::of(b":/");
const MARK: AsciiSet = AsciiSet::of(b"?#");
const HASH: AsciiSet = AsciiSet::of(b"#");
const CLOSE: AsciiSet = AsciiSet::of(b"]");

/// Cuts a reference into its pieces, in the order of the text.
fn cut_reference(rule: Rule, input: Span<'_>) -> [Option<Piece<'_>>; PIECES] {
    let (head, tail) = input.until(&COLON_OR_END);
    let (scheme, rest) = match (rule.scheme(), tail.first()) {
        (SchemeRule::Absent, _) => (None, input),
        (_, Some(b':')) if head.is_empty() => {
            let error = Error::new(ErrorKind::BadScheme, Component::Scheme, 0..0, 0);
            let note = match rule.scheme() {
                SchemeRule::Optional => Note::RelativePath,
                _ => Note::None,
            };
            (Some(Piece::Found(error.with_note(note))), tail.skip(1))
        }
        (SchemeRule::Required, Some(b':')) => (Some(Piece::Text(Part::Scheme, head)), tail.skip(1)),
        (_, Some(b':')) => (Some(Piece::Text(Part::SchemeOrSegment, head)), tail.skip(1)),
        (SchemeRule::Required, _) => {
            (found(ErrorKind::MissingScheme, Component::Scheme, 0..0), input)
        }
        (SchemeRule::Optional, _) => (None, input),
    };
    let ([userinfo, literal, name, port], rest) = if rest.bytes.starts_with(b"//") {
        let (authority, rest) = rest.skip(2).until(&tables::END);
        (cut_authority(authority), rest)
    } else {
        ([None; 4], rest)
    };
    let (path, rest) = rest.until(&MARK);
    let [before, colon, path] = match rule.scheme() {
        SchemeRule::Absent => cut_first_segment(path),
        _ => [None, None, Some(Piece::Text(Part::Path, path))],
    };
    // Both with their delimiter, or empty.
    let (query, fragment) = rest.until(&HASH);
    let query = Some(Piece::Text(Part::Query, query.skip(1)));
    let fragment = if fragment.is_empty() || rule.allows_fragment() {
        Some(Piece::Text(Part::Fragment, fragment.skip(1)))
    } else {
        found(ErrorKind::FragmentNotAllowed, Component::Fragment, fragment.range())
    };
    [scheme, userinfo, literal, name, port, before, colon, path, query, fragment]
}

/// Cuts an authority into userinfo, IP literal, registered name and port.
fn cut_authority(authority: Span<'_>) -> [Option<Piece<'_>>; 4] {
    let (head, tail) = authority.until(&tables::AT);
    let (userinfo, host) = if tail.is_empty() {
        (None, authority)
    } else {
        (Some(Piece::Text(Part::Userinfo, head)), tail.skip(1))
    };
    let (literal, part, rest) = cut_ip_literal(host);
    let (name, port) = rest.until(&tables::COLON);
    let port = Piece::Text(Part::Port, port.skip(1));
    [userinfo, literal, Some(Piece::Text(part, name)), Some(port)]
}

/// Cuts an IP literal off the start of a host: what is wrong with it, what comes next, and the rest.
fn cut_ip_literal(host: Span<'_>) -> (Option<Piece<'_>>, Part, Span<'_>) {
    if host.first() != Some(b'[') {
        return (None, Part::RegName, host);
    }
    let (open, close) = host.until(&CLOSE);
    if close.is_empty() {
        let end = close.at..close.at;
        let piece = found(ErrorKind::UnexpectedEnd, Component::Host, end);
        return (piece, Part::AfterIpLiteral, close);
    }
    let (literal, rest) = host.split(open.bytes.len() + 1);
    let valid = matches_ip_literal(literal.bytes);
    (if valid { None } else { bad_ip_address(literal) }, Part::AfterIpLiteral, rest)
}

/// Cuts a relative path at the first colon of its first segment, where none may be.
fn cut_first_segment(path: Span<'_>) -> [Option<Piece<'_>>; 3] {
    let (before, rest) = path.until(&COLON_OR_SLASH);
    if rest.first() != Some(b':') {
        return [None, None, Some(Piece::Text(Part::Path, path))];
    }
    let (colon, after) = rest.split(1);
    [
        Some(Piece::Text(Part::Path, before)),
        found(ErrorKind::ColonInFirstSegment, Component::Path, colon.range()),
        Some(Piece::Text(Part::Path, after)),
    ]
}

/// Cuts a component that stands alone, and does not match its rule, into its pieces.
fn cut_component(rule: ComponentRule, text: Span<'_>) -> [Option<Piece<'_>>; 4] {
    use ComponentRule as R;
    let part = match rule {
        R::Scheme => Part::Scheme,
        R::Iuserinfo => Part::Userinfo,
        R::Iauthority | R::Ihost | R::IregName => Part::RegName,
        R::IpLiteral | R::Ipv6Address | R::IpvFuture | R::Ipv4Address => Part::RegName,
        R::Port => Part::Port,
        R::Ipath | R::IpathAbempty | R::IpathAbsolute => Part::Path,
        R::IpathNoscheme | R::IpathRootless | R::IpathEmpty => Part::Path,
        R::Isegment | R::IsegmentNz => Part::Segment,
        R::IsegmentNzNc => Part::SegmentNc,
        R::Iquery => Part::Query,
        R::Ifragment => Part::Fragment,
    };
    let whole = Some(Piece::Text(part, text));
    let (slash, bracket) = (text.first() == Some(b'/'), text.first() == Some(b'['));
    match rule {
        // Nothing does not match, so something is required.
        _ if text.is_empty() => {
            [found(ErrorKind::UnexpectedEnd, part.component(), text.range()), None, None, None]
        }
        R::Iauthority => cut_authority(text),
        R::Ihost | R::IpLiteral if bracket => {
            let (literal, part, rest) = cut_ip_literal(text);
            [literal, Some(Piece::Text(part, rest)), None, None]
        }
        R::IpLiteral | R::Ipv6Address | R::IpvFuture | R::Ipv4Address => {
            [bad_ip_address(text), None, None, None]
        }
        R::IpathAbempty | R::IpathAbsolute if !slash => {
            [misplaced(text, Note::SlashFirst), whole, None, None]
        }
        R::IpathAbsolute if text.bytes.starts_with(b"//") => {
            [misplaced(text.skip(1), Note::DoubleSlash), whole, None, None]
        }
        R::IpathNoscheme | R::IpathRootless if slash => {
            [misplaced(text, Note::Remove), whole, None, None]
        }
        R::IpathEmpty => [misplaced(text, Note::Remove), whole, None, None],
        R::IpathNoscheme => {
            let [before, colon, after] = cut_first_segment(text);
            [before, colon, after, None]
        }
        _ => [whole, None, None, None],
    }
}

/// A violation about which there is nothing to say but where it is.
fn found<'a>(kind: ErrorKind, component: Component, span: Range<usize>) -> Option<Piece<'a>> {
    Some(Piece::Found(Error::new(kind, component, span, 0)))
}

/// What is not the IP literal or the bare address that it should be. The hint depends on whether it
/// holds a `%`, as a zone identifier would, or else on how it begins.
fn bad_ip_address(text: Span<'_>) -> Option<Piece<'_>> {
    let first = text.first().unwrap_or_default();
    let ch = if text.bytes.contains(&b'%') { b'%' } else { first };
    let error = Error::new(ErrorKind::BadIpLiteral, Component::Host, text.range(), ch.into());
    Some(Piece::Found(error))
}

/// The first character of `text`, in a form of path that has nothing like it there. If it is
/// ill-formed, the walk finds it.
fn misplaced(text: Span<'_>, note: Note) -> Option<Piece<'_>> {
    let ch = text.character().ok()?;
    let (first, _) = text.split(ch.len_utf8());
    let error = Error::new(ErrorKind::NotAllowed, Component::Path, first.range(), ch.into());
    Some(Piece::Found(error.with_note(note)))
}

/// A stretch of the input that knows where it begins.
#[derive(Clone, Copy, Debug)]
struct Span<'a> {
    at: usize,
    bytes: &'a [u8],
}

impl<'a> Span<'a> {
    fn is_empty(self) -> bool {
        self.bytes.is_empty()
    }

    fn first(self) -> Option<u8> {
        self.bytes.first().copied()
    }

    fn range(self) -> Range<usize> {
        self.at..self.at + self.bytes.len()
    }

    /// The first `len` bytes, and the rest; no more than there are.
    fn split(self, len: usize) -> (Self, Self) {
        let (head, tail) = self.bytes.split_at_checked(len).unwrap_or((self.bytes, &[]));
        (Self { at: self.at, bytes: head }, Self { at: self.at + head.len(), bytes: tail })
    }

    /// What comes after the first `len` bytes.
    fn skip(self, len: usize) -> Self {
        self.split(len).1
    }

    /// What comes before the first of the delimiters, and the rest, which begins with it: empty if
    /// there is none.
    fn until(self, delimiters: &AsciiSet) -> (Self, Self) {
        self.split(scan::position(self.bytes, delimiters))
    }

    /// The character at the start; if there is none, the length of the maximal ill-formed part.
    fn character(self) -> Result<char, usize> {
        // No character is longer, and a short look keeps the walk linear.
        let window = self.bytes.get(..4).unwrap_or(self.bytes);
        let Some(chunk) = window.utf8_chunks().next() else { return Err(0) };
        chunk.valid().chars().next().ok_or(chunk.invalid().len())
    }
}

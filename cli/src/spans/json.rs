//! The member of the address in lines of JSON.

/*
# The algorithm

1. `Tokens` makes a mask for each block of 64 bytes: the tokens, which a walk must see.
2. `Walk` goes from token to token. It checks the grammar of each line, and keeps the span of the address.

Outside strings, a token is one of the marks `{}[],:`, or the first byte of anything else: of a string, a number or a
literal. Inside a string, backslashes and control characters are tokens. So the token after a plain string is the mark
after it:

    bytes     {  "  a  "  :  "  b  \  "  "  ,  "  n  "  :  1  2  }  \n
    quotes    .  1  .  1  .  1  .  .  .  1  .  1  .  1  .  .  .  .  .     those that no backslash escapes
    inside    .  1  1  .  .  1  1  1  1  .  .  1  1  .  .  .  .  .  .     the parity of the quotes
    tokens    1  1  .  .  1  1  .  1  .  .  1  1  .  .  1  1  .  1  1

A newline is always a token. A newline inside also ends the string, as a quote does. So a string that nothing closes is
an error of its own line, and the next line begins outside.

A line is regular if it is an object in JSON, and the pointer names a string in it without escapes. Names are compared as
they are written, and a name with an escape has a token in it. So these lines are left to the reader, too: those with an
escape in a name, with a name on the path of the pointer twice, with an array on this path, with more than 64 open arrays
and objects, and those that do not end within whole blocks.

# Invariants

- Every place is below the length of the text, which is below 4 GiB.
- The tokens of a line are right up to its first wrong byte, where the walk ends at the latest.
- Before a line, `Walk` has passed the tokens before the line, and no other.
*/

use std::slice;

use memchr::memchr;
use simd_iri::low::{AsciiSet, BLOCK, Block, Cpu, Job, as_chunks, below};
use simd_iri::parser::CpuLevel;

use super::{Records, lowest, prefix_xor};

/// What is searched in each line, and how the reader reads what is rare.
pub(crate) struct Search {
    /// The names on the path of the address, with quotes.
    pub(crate) names: Vec<Vec<u8>>,
    /// Whether a line has other text before its object, as in CDXJ.
    pub(crate) has_key: bool,
    /// Tells whether a text is a literal or a number, and perhaps white space after it.
    pub(crate) is_scalar: fn(&[u8]) -> bool,
    /// Returns the end of the string that begins at a place; `None` if it is not one.
    pub(crate) end_of_string: fn(&[u8], usize) -> Option<usize>,
}

/// Finds the lines from `from` on, where a line begins. Returns `false` if the lines cannot be found by masks: the CPU level
/// has none, or the text is too long.
pub(crate) fn find(
    level: CpuLevel,
    (text, from): (&[u8], usize),
    search: &Search,
    records: &mut Records,
) -> bool {
    records.clear();
    let Records { spans, starts, ends, others, masks } = records;
    let lines = text.get(from..).unwrap_or_default();
    if u32::try_from(text.len()).is_err() || !level.run_on(Tokens { masks }, lines) {
        return false;
    }
    // A newline is not a part of a longer character. So if the whole is UTF-8, each line is.
    let is_utf8 = simdutf8::basic::from_utf8(lines).is_ok();
    let mut walk = Walk { text, search, masks, from, mask: 0, block: from, next: [].iter() };
    walk.seek(from);
    let mut start = from;
    while start < text.len() {
        let line = walk.line(start).filter(|(_, end)| {
            is_utf8 || text.get(start..*end).is_some_and(|line| std::str::from_utf8(line).is_ok())
        });
        match line {
            Some((span, end)) => {
                spans.push(span);
                starts.push(start as u32);
                ends.push(end as u32);
                start = end;
            }
            None => {
                others.push(start as u32);
                let length = memchr(b'\n', text.get(start..).unwrap_or_default());
                start = length.map_or(text.len(), |length| start + length + 1);
                walk.seek(start);
            }
        }
    }
    true
}

/// The control characters, and the backslash: no plain string has them.
const STRANGE: AsciiSet = AsciiSet::of(
    b"\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0A\x0B\x0C\x0D\x0E\x0F\
    \x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1A\x1B\x1C\x1D\x1E\x1F\\",
);
const MARKS: AsciiSet = AsciiSet::of(b"{}[],:");
/// The marks and white space.
const GAPS: AsciiSet = AsciiSet::of(b"{}[],: \t\r\n");

/// The search for the tokens of a text, as a job. Returns `false` if there are no masks.
struct Tokens<'m> {
    masks: &'m mut Vec<u64>,
}

impl Job for Tokens<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Cpu>(self, simd: S, text: &[u8]) -> bool {
        if !S::MASKS {
            return false;
        }
        let Self { masks } = self;
        let mut state = State { inside: 0, escaped: 0, scalar: 0 };
        masks.clear();
        for block in as_chunks::<u8, BLOCK>(text).0 {
            masks.push(state.next(simd.load(block, 0)));
        }
        true
    }
}

/// What comes before a block, as masks.
struct State {
    /// All bits are set inside a string.
    inside: u64,
    /// The lowest bit is set after a backslash that escapes the next byte.
    escaped: u64,
    /// The lowest bit is set after a byte that is neither a mark nor white space nor a quote.
    scalar: u64,
}

impl State {
    /// Finds the tokens of a block, and goes on after it.
    #[inline(always)]
    fn next<B: Block>(&mut self, block: B) -> u64 {
        let newlines = block.ascii(&AsciiSet::just(b'\n'));
        let strange = block.ascii(&STRANGE);
        let gaps = block.ascii(&GAPS);
        let mut escaped = self.escaped;
        self.escaped = 0;
        // Most blocks have no backslashes.
        if strange != newlines {
            let mut backslashes = block.ascii(&AsciiSet::just(b'\\')) & !escaped;
            while backslashes != 0 {
                let backslash = lowest(backslashes);
                escaped |= backslash << 1;
                backslashes &= !(backslash | backslash << 1);
                self.escaped = backslash >> (BLOCK - 1);
            }
        }
        let mut quotes = block.ascii(&AsciiSet::just(b'"')) & !escaped;
        let mut inside = prefix_xor(quotes) ^ self.inside;
        while newlines & inside != 0 {
            quotes |= lowest(newlines & inside);
            inside = prefix_xor(quotes) ^ self.inside;
        }
        let scalars = !(gaps | quotes);
        let firsts = !gaps & !(scalars << 1 | self.scalar);
        self.inside = (inside >> (BLOCK - 1)).wrapping_neg();
        self.scalar = scalars >> (BLOCK - 1);
        // The quote that ends a string is not a token, and the quote that begins it is.
        let outside = !(inside ^ quotes);
        (block.ascii(&MARKS) | firsts) & outside | strange & inside | newlines
    }
}

/// A place in a text, up to which the tokens were passed.
struct Walk<'t> {
    text: &'t [u8],
    search: &'t Search,
    /// The tokens of the blocks from the place `from` on.
    masks: &'t [u64],
    from: usize,
    /// The tokens of a block that were not passed, and where it begins.
    mask: u64,
    block: usize,
    /// The tokens of the blocks after it.
    next: slice::Iter<'t, u64>,
}

/// The open arrays and objects.
struct Open {
    /// A bit for each, the lowest for the innermost: whether it is an object. If there are more than 64, the bit of the
    /// outermost, which is an object, is lost. Then its end is wrong, and the line is not regular.
    objects: u64,
    depth: usize,
    /// How many of them, from the outermost, are on the path of the pointer.
    path: usize,
}

impl Open {
    /// The byte that ends the innermost array or object.
    #[inline(always)]
    const fn end(&self) -> u8 {
        if self.is_object() { b'}' } else { b']' }
    }

    #[inline(always)]
    const fn is_object(&self) -> bool {
        self.objects & 1 == 1
    }
}

impl Walk<'_> {
    /// Passes all tokens before a place.
    #[inline(always)]
    fn seek(&mut self, place: usize) {
        let offset = (place - self.from) % BLOCK;
        self.block = place - offset;
        let rest = self.masks.get((self.block - self.from) / BLOCK..);
        self.next = rest.unwrap_or_default().iter();
        self.mask = self.next.next().map_or(0, |mask| mask & !below(offset));
    }

    /// Returns the place of the next token, and its byte.
    #[inline(always)]
    fn next(&mut self) -> Option<(usize, u8)> {
        while self.mask == 0 {
            self.mask = *self.next.next()?;
            self.block += BLOCK;
        }
        let place = self.block + self.mask.trailing_zeros() as usize;
        self.mask &= self.mask - 1;
        Some((place, *self.text.get(place)?))
    }

    /// Reads the line that begins at `start`. Returns the span of the text of its address and the start of the next line;
    /// `None` if the line is not regular.
    #[inline(always)]
    fn line(&mut self, start: usize) -> Option<((u32, u32), usize)> {
        let (text, search) = (self.text, self.search);
        if search.has_key {
            self.key(start)?;
        } else if self.next()?.1 != b'{' {
            return None;
        }
        let mut open = Open { objects: 1, depth: 1, path: 1 };
        // How many names of the path were met, and the address.
        let (mut met, mut found) = (0, None);
        let mut token = self.next()?;
        loop {
            let mut is_named = false;
            if open.is_object() {
                let (name, b'"') = token else { return None };
                let (colon, b':') = self.next()? else { return None };
                let wanted = search.names.get(open.depth - 1).filter(|_| open.depth == open.path);
                if wanted.is_some_and(|wanted| is_name(text.get(name..colon), wanted)) {
                    // The name is there twice.
                    if met >= open.depth {
                        return None;
                    }
                    (met, is_named) = (open.depth, true);
                }
                token = self.next()?;
            }
            let (value, first) = token;
            token = self.next()?;
            match first {
                // Only white space is between the string and the next token, unless it has an escape.
                b'"' if is_named && met == search.names.len() => {
                    let inside = text.get(value + 1..token.0)?;
                    let length = inside.iter().rposition(|byte| *byte == b'"')?;
                    found = Some((value as u32 + 1, (value + 1 + length) as u32));
                }
                b'"' if token.1 == b'\\' => {
                    self.seek((search.end_of_string)(text, value)?);
                    token = self.next()?;
                }
                b'"' => {}
                // The end of an array or object is two after its start in ASCII.
                b'{' | b'[' if token.1 != first + 2 => {
                    open.objects = open.objects << 1 | u64::from(first == b'{');
                    open.depth += 1;
                    if is_named {
                        open.path = open.depth;
                    }
                    continue;
                }
                b'{' | b'[' => token = self.next()?,
                _ if has_digits(text.get(value..token.0)?) => {}
                _ if (search.is_scalar)(text.get(value..token.0)?) => {}
                _ => return None,
            }
            while token.1 != b',' {
                if token.1 != open.end() {
                    return None;
                }
                token = self.next()?;
                open.objects >>= 1;
                open.depth -= 1;
                open.path = open.path.min(open.depth);
                if open.depth == 0 {
                    let (newline, b'\n') = token else { return None };
                    return Some((found?, newline + 1));
                }
            }
            token = self.next()?;
        }
    }

    /// Passes the key and the time of a line of CDXJ, and the start of its object. They must have no quotes, which hide
    /// tokens.
    #[inline(always)]
    fn key(&mut self, start: usize) -> Option<()> {
        let line = self.text.get(start..)?;
        let is_alone = line.starts_with(b"{\"");
        loop {
            let (token, byte) = self.next()?;
            let before = line.get(..token - start)?;
            match byte {
                b'\n' => return None,
                b'{' if is_alone => return Some(()),
                b'{' if before.ends_with(b" ") || before.ends_with(b"\t") => {
                    let is_plain = !line.starts_with(b"!") && memchr(b'"', before).is_none();
                    return is_plain.then_some(());
                }
                _ => {}
            }
        }
    }
}

/// Tells whether a text is a number that has digits alone, as most numbers have.
#[inline(always)]
fn has_digits(text: &[u8]) -> bool {
    matches!(text, [b'1'..=b'9', digits @ ..] if digits.iter().all(u8::is_ascii_digit))
}

/// Tells whether a string, and perhaps white space after it, is a name with quotes.
#[inline(always)]
fn is_name(string: Option<&[u8]>, name: &[u8]) -> bool {
    let Some(string) = string else { return false };
    // PERF: the lengths of most names differ.
    match string.last() {
        Some(b'"') => string == name,
        _ => string.trim_ascii_end() == name,
    }
}

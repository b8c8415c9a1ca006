//! The tables that the build script compiles from the ABNF of RFC 3987 and RFC 3986, and the types for them.
//!
//! Here: the form of each generated table, and the functions that read it. Not here: tables that a person typed, and
//! which character is allowed where (`codegen`).
#![forbid(unsafe_code)]
/*
# The forms of a set

A set of bytes has several forms, because each kernel asks in its own way. The set of `/` (0x2F) and `?` (0x3F) is:

    bits       bits 47 and 63                              a bit for each byte
    nibbles    entry 15 is 0b1100, all others are 0        the low half of a byte selects the entry, the high half the
                                                           bit: a byte shuffle looks up 16 bytes at once
    class      a bit of `CLASSES`, if the build script     one look-up answers for several sets
               has given one to the set
    only       `None`, because there are two members       a comparison answers

A set of bytes from 0x80 up (`HighSet`) may also be *alike*: exactly the bytes with certain bits. Then two operations
answer, `byte & mask == value`:

    members 0xE2, 0xE3    mask 0xFE, value 0xE2    alike: no other byte has these bits
    members 0xE2, 0xE4    mask 0xF9, value 0xE0    not alike: 0xE0 and 0xE6 have these bits, too. `hull` adds them
*/

include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// A set of ASCII bytes, in each form that some kernel uses.
///
/// It never holds a byte from 0x80 up.
#[derive(Clone, Copy)]
pub struct AsciiSet {
    /// Bit `b` is set if byte `b` is a member.
    pub bits: u128,
    /// Bit `hi` of entry `lo` is set if byte `hi << 4 | lo` is a member: for a byte shuffle. Meaningless if there is only
    /// one member.
    #[cfg_attr(
        not(any(avx2, neon, simd128)),
        expect(dead_code, reason = "no kernel of the target shuffles bytes")
    )]
    pub(crate) nibbles: [u8; 16],
    /// The bit of [`CLASSES`] for the members of this set; 0 if the set does not have a bit.
    pub(crate) class: u8,
    /// The only member, if there is exactly one.
    pub(crate) only: Option<u8>,
}

impl AsciiSet {
    /// Tells whether `byte` is a member.
    #[inline(always)]
    pub const fn contains(&self, byte: u8) -> bool {
        match self.only {
            Some(only) => byte == only,
            None if self.class != 0 => class(byte) & self.class != 0,
            None => self.has_bit(byte),
        }
    }

    /// Tells whether `byte` is an ASCII byte outside the set.
    #[inline(always)]
    pub(crate) const fn is_foreign(&self, byte: u8) -> bool {
        if self.class != 0 {
            class(byte) & (self.class | NON_ASCII_CLASS) == 0
        } else {
            byte.is_ascii() && !self.has_bit(byte)
        }
    }

    /// Tells whether all of `bytes` are members of this set, which must have a class.
    #[inline(always)]
    pub(crate) fn contains_all(&self, bytes: &[u8; 8]) -> bool {
        bytes.iter().fold(self.class, |all, byte| all & class(*byte)) != 0
    }

    /// [`contains`](Self::contains) without the table of classes. Bit 6 of the byte selects half of the set, and the
    /// other bits select a bit of this half: a shift of 128 bits by any number is several instructions.
    #[inline(always)]
    const fn has_bit(&self, byte: u8) -> bool {
        byte.is_ascii() && (self.bits >> (byte & 64)) as u64 >> (byte & 63) & 1 == 1
    }

    /// Returns the set of one ASCII byte.
    // Without the nibbles, which nobody reads if there is only one member.
    // Measured: `docs/performance/notes.md`, "WebAssembly".
    #[inline(always)]
    pub const fn just(byte: u8) -> Self {
        Self { bits: 1 << (byte & 127), nibbles: [0; 16], class: 0, only: Some(byte & 127) }
    }

    /// Returns the members that are not members of `other`.
    pub const fn without(&self, other: &Self) -> Self {
        Self::with_bits(self.bits & !other.bits)
    }

    /// Returns the members of both sets.
    pub const fn with(&self, other: &Self) -> Self {
        Self::with_bits(self.bits | other.bits)
    }

    /// Returns the ASCII bytes that are not members.
    pub const fn others(&self) -> Self {
        Self::with_bits(!self.bits)
    }

    /// The empty set.
    pub(crate) const EMPTY: Self = Self::of(b"");

    /// Tab, line feed and carriage return, which browsers remove (URL Standard, section 4.4).
    pub const BREAKS: Self = Self::of(b"\t\n\r");

    /// Returns the set of the ASCII bytes among `bytes`: for delimiters, and for sets that a user chooses.
    pub const fn of(bytes: &[u8]) -> Self {
        let mut bits = 0_u128;
        let mut rest = bytes;
        while let [byte, tail @ ..] = rest {
            if byte.is_ascii() {
                bits |= 1 << *byte;
            }
            rest = tail;
        }
        Self::with_bits(bits)
    }

    /// Returns the set with these bits.
    const fn with_bits(bits: u128) -> Self {
        let only = if bits.is_power_of_two() { Some(bits.trailing_zeros() as u8) } else { None };
        Self { bits, nibbles: nibbles(bits), class: 0, only }
    }
}

/// The dot: dot segments consist of it, and it separates the labels of a name.
pub(crate) const DOT: AsciiSet = AsciiSet::just(b'.');

/// Eight sets of ASCII bytes whose masks a kernel computes together.
pub(crate) struct Eight {
    pub(crate) sets: [AsciiSet; 8],
    /// For each byte, bit *i* if it is a member of set *i*.
    #[cfg_attr(not(avx512), expect(dead_code, reason = "only the kernel for AVX-512 reads it"))]
    pub(crate) classes: [u8; 128],
}

impl Eight {
    /// The class of the separator: a member of set 1 alone. No byte of the table has this class, because set 1 is a
    /// part of set 0.
    #[cfg_attr(not(avx512), expect(dead_code, reason = "only the kernel for AVX-512 reads it"))]
    pub(crate) const SEPARATOR: u8 = 0b0010;

    /// The class of the bytes from 0x80 up: members of sets 2 and 3. No byte of the table has this class, because these
    /// two sets do not have a byte in common.
    #[cfg_attr(not(avx512), expect(dead_code, reason = "only the kernel for AVX-512 reads it"))]
    pub(crate) const NON_ASCII: u8 = 0b1100;

    /// Creates the table of these sets. Set 1 must be a part of set 0, and sets 2 and 3 must have no byte in common.
    #[expect(clippy::indexing_slicing, reason = "indices below the lengths")]
    pub(crate) const fn of(sets: [AsciiSet; 8]) -> Self {
        let [whole, part, one, other, ..] = &sets;
        assert!(part.bits & !whole.bits == 0 && one.bits & other.bits == 0);
        let mut classes = [0; 128];
        let mut byte = 0;
        while byte < classes.len() {
            let mut set = 0;
            while set < sets.len() {
                classes[byte] |= ((sets[set].bits >> byte & 1) as u8) << set;
                set += 1;
            }
            byte += 1;
        }
        Self { sets, classes }
    }
}

/// Returns the classes of eight bytes; the class of the first byte is the lowest byte of the result.
#[inline(always)]
pub(crate) fn classes(bytes: &[u8; 8]) -> u64 {
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(class(*byte)))
}

/// Returns the class of `byte`.
#[inline(always)]
const fn class(byte: u8) -> u8 {
    #[expect(clippy::indexing_slicing, reason = "a table of 256 entries, indexed by a byte")]
    CLASSES[byte as usize]
}

/// A set of bytes from 0x80 up.
#[derive(Clone, Copy)]
#[cfg_attr(
    not(any(avx2, neon, simd128)),
    expect(dead_code, reason = "no kernel of the target reads these forms")
)]
pub struct HighSet {
    /// Bit `b - 0x80` is set if byte `b` is a member.
    pub(crate) bits: u128,
    /// Bit `hi - 8` of entry `lo` is set if byte `hi << 4 | lo` is a member.
    pub(crate) nibbles: [u8; 16],
    /// A mask of the bits that are equal in all members, and the value of these bits. `None` if a byte outside the set
    /// has the same bits.
    pub(crate) alike: Option<(u8, u8)>,
}

impl HighSet {
    /// Returns the set of the bytes from 0x80 up among `bytes`.
    pub const fn of(bytes: &[u8]) -> Self {
        let mut bits = 0_u128;
        let mut rest = bytes;
        while let [byte, tail @ ..] = rest {
            if !byte.is_ascii() {
                bits |= 1 << (*byte & 127);
            }
            rest = tail;
        }
        Self::with_bits(bits)
    }

    /// Returns the set of the members of this set and of another set.
    pub const fn with(&self, other: &Self) -> Self {
        Self::with_bits(self.bits | other.bits)
    }

    /// Returns the set with these bits.
    const fn with_bits(bits: u128) -> Self {
        let (mask, value) = common(bits);
        let is_all = bits.count_ones() == 1 << mask.count_zeros();
        let alike = if is_all { Some((mask, value)) } else { None };
        Self { bits, nibbles: nibbles(bits), alike }
    }

    /// Returns the smallest set with an `alike` that contains this set. A kernel finds its members with one mask and one comparison.
    pub(crate) const fn hull(&self) -> Self {
        let (mask, value) = common(self.bits);
        let (mut bits, mut byte) = (0, 0);
        while byte < 128 {
            if (byte | 128) & mask == value {
                bits |= 1 << byte;
            }
            byte += 1;
        }
        Self::with_bits(bits)
    }

    /// Tells whether `byte` is a member.
    #[inline(always)]
    pub const fn contains(&self, byte: u8) -> bool {
        byte >= 128 && self.bits >> (byte & 127) & 1 == 1
    }
}

/// Returns a mask of the bits that are equal in all members of a set of bytes from 0x80 up, and the value of these
/// bits.
const fn common(bits: u128) -> (u8, u8) {
    let (mut ones, mut zeros) = (u8::MAX, u8::MAX);
    let mut byte = 0;
    while byte < 128 {
        if bits >> byte & 1 == 1 {
            (ones, zeros) = (ones & (byte | 128), zeros & !(byte | 128));
        }
        byte += 1;
    }
    (ones | zeros, ones)
}

/// Returns the form of a set for a byte shuffle: bit `hi` of entry `lo` is bit `hi << 4 | lo` of the set.
const fn nibbles(bits: u128) -> [u8; 16] {
    let mut table = [0; 16];
    let mut rest: &mut [u8] = &mut table;
    let mut lo = 0;
    while let [entry, tail @ ..] = rest {
        let mut hi = 0;
        while hi < 8 {
            *entry |= ((bits >> (hi * 16 + lo) & 1) as u8) << hi;
            hi += 1;
        }
        rest = tail;
        lo += 1;
    }
    table
}

/// An automaton whose table has at most 256 entries.
///
/// A state is its number times the number of classes, so that `next[state + class]` is the next state. State 0 is
/// dead, and the accepting states are the last.
pub(crate) struct SmallDfa {
    /// The class of each byte.
    pub(crate) classes: [u8; 256],
    /// The next state, by state + class. It is padded, so that every index is in bounds.
    pub(crate) next: [u8; 256],
    /// The start state.
    pub(crate) start: u8,
    /// The first of the accepting states.
    pub(crate) first_accept: u8,
}

impl SmallDfa {
    /// Returns the state after `byte`.
    #[inline(always)]
    pub(crate) const fn next(&self, state: u8, byte: u8) -> u8 {
        #[expect(clippy::indexing_slicing, reason = "tables of 256 entries, indexed by bytes")]
        self.next[state.wrapping_add(self.classes[byte as usize]) as usize]
    }

    /// Tells whether the automaton accepts the whole of `bytes`.
    pub(crate) fn accepts(&self, bytes: &[u8]) -> bool {
        bytes.iter().fold(self.start, |state, byte| self.next(state, *byte)) >= self.first_accept
    }
}

/// Writes the functions of an automaton whose table has `N` entries, in an `impl`. States are of the type `$state`.
macro_rules! over_bytes {
    ($state:ty) => {
        /// Returns the state after `byte`.
        #[inline(always)]
        pub(crate) const fn next(&self, state: $state, byte: u8) -> $state {
            #[expect(
                clippy::indexing_slicing,
                reason = "a table of 256 entries, indexed by a byte"
            )]
            let class = self.classes[byte as usize];
            let at = state as usize + class as usize;
            #[expect(clippy::indexing_slicing, reason = "compared with the length just before")]
            if at < N { self.next[at] } else { 0 }
        }

        /// Returns the state after all of `bytes`.
        pub(crate) const fn walk(&self, from: $state, bytes: &[u8]) -> $state {
            let mut state = from;
            let mut rest = bytes;
            while let [byte, tail @ ..] = rest {
                state = self.next(state, *byte);
                if state == 0 {
                    break;
                }
                rest = tail;
            }
            state
        }

        /// Tells whether the automaton accepts the whole of `bytes`.
        pub(crate) const fn accepts(&self, bytes: &[u8]) -> bool {
            self.walk(self.start, bytes) >= self.first_accept
        }
    };
}

/// An automaton with at most 256 states and a table of `N` entries.
///
/// Unlike in [`SmallDfa`], a class is its number times the number of states, so that an entry is one byte. The next
/// state is still `next[state + class]`.
pub(crate) struct NarrowDfa<const N: usize> {
    /// The class of each byte.
    pub(crate) classes: [u16; 256],
    /// The next state, by state + class.
    pub(crate) next: [u8; N],
    /// The start state.
    pub(crate) start: u8,
    /// The first of the accepting states.
    pub(crate) first_accept: u8,
}

impl<const N: usize> NarrowDfa<N> {
    over_bytes!(u8);
}

/// An automaton like [`SmallDfa`] whose table has `N` entries, fewer than 65,536.
pub(crate) struct WideDfa<const N: usize> {
    /// The class of each byte.
    pub(crate) classes: [u8; 256],
    /// The next state, by state + class.
    pub(crate) next: [u16; N],
    /// The start state.
    pub(crate) start: u16,
    /// The first of the accepting states.
    pub(crate) first_accept: u16,
}

impl<const N: usize> WideDfa<N> {
    over_bytes!(u16);
}

/// Tells whether a text is a scheme.
pub fn is_scheme(text: &[u8]) -> bool {
    let is_inner = |byte: &u8| SCHEME.contains(*byte);
    text.first().is_some_and(|byte| SCHEME_FIRST.contains(*byte)) && text.iter().all(is_inner)
}

//! Remembers the answers of the tables of Unicode about characters.
//!
//! Not here: the questions (`characters`, `simd-iri-lint`).

use core::sync::atomic::{AtomicU32, Ordering};

/// The number of slots. Characters share a slot if their code points differ by a multiple of this number. So
/// two characters of one script do not share a slot.
const SLOTS: u32 = 1 << 14;

/// The answers of a function about characters. Each slot holds the answer that was given last.
///
/// A slot holds an answer of [`BITS`](Self::BITS) bits, and above it the page of its character plus one. So an empty slot
/// belongs to no character:
///
/// ```text
/// U+0634: slot 0x634, page 0    U+1634: slot 0x634, page 1
/// ```
///
/// A slot is read and written as a whole. So every thread reads an answer together with its page.
pub struct Remembered {
    answer: fn(char) -> u32,
    slots: [AtomicU32; SLOTS as usize],
}

impl Remembered {
    /// The number of bits of an answer.
    pub const BITS: u32 = 25;

    /// Creates empty slots. The answers have at most [`BITS`](Self::BITS) bits and depend only on the character.
    pub const fn new(answer: fn(char) -> u32) -> Self {
        Self { answer, slots: [const { AtomicU32::new(0) }; SLOTS as usize] }
    }

    /// Returns the answer about a character.
    #[inline]
    pub fn get(&self, c: char) -> u32 {
        let (slot, page) = (u32::from(c) % SLOTS, u32::from(c) / SLOTS + 1);
        let Some(slot) = self.slots.get(slot as usize) else { return (self.answer)(c) };
        let kept = slot.load(Ordering::Relaxed);
        if kept >> Self::BITS == page {
            return kept & ((1 << Self::BITS) - 1);
        }
        self.ask(c, slot, page)
    }

    /// Asks the function, and remembers its answer.
    #[cold]
    fn ask(&self, c: char, slot: &AtomicU32, page: u32) -> u32 {
        let answer = (self.answer)(c);
        debug_assert!(answer >> Self::BITS == 0, "an answer fits its bits");
        slot.store(page << Self::BITS | answer, Ordering::Relaxed);
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_answer_is_that_of_the_function() {
        static OWN: Remembered = Remembered::new(|c| u32::from(c) ^ 0x5A5A);
        // Upwards, downwards, and characters of one slot after each other; each is asked twice.
        let all = || '\0'..=char::MAX;
        let of_slot = || (0..=0x10F).filter_map(|page| char::from_u32(page * SLOTS + 7));
        for c in all().chain(all().rev()).chain(of_slot()).chain(of_slot()) {
            assert_eq!(OWN.get(c), u32::from(c) ^ 0x5A5A, "{c:?}");
            assert_eq!(OWN.get(c), u32::from(c) ^ 0x5A5A, "{c:?}");
        }
    }
}

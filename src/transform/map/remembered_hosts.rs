//! Remembers what UTS #46 makes of hosts, because the crate `idna` is slow, and the checks and the displays of one
//! reference ask the same questions several times.
//!
//! Not here: the questions (`idna`), and answers about characters (`remembered`).

/*
# The algorithm

Each thread has 256 slots. A question about a text has one slot, by a hash of both:

    the slot has this question and this text    return a copy of its answer
    otherwise                                   ask, and write question, text and answer over the slot

For example, a lint of `http://BÜCHER.example/` asks `ToAscii` twice (is it a domain name; what is its preferred form)
and `Mapped` twice. The next reference of that host asks nothing.

# Invariants

- An answer depends on question and text alone, so a slot is never out of date.
- The memory is bounded: a text has at most `LONGEST` bytes, and an answer at most about four times as many. Longer
  texts are asked anew.
- Texts that share a slot evict each other, and that costs time alone.
- Without the feature `std` there are no threads to own a memory. Every question is asked anew.
*/

#[cfg(not(feature = "std"))]
use alloc::string::String;

/// A question about a host or a label. `None` as the answer means that the host is refused (`ToAscii`), or that it stays
/// as it is (`Mapped`, `ToUnicode`).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    /// The form for the DNS.
    ToAscii,
    /// The text that UTS #46 maps it to, as far as possible.
    #[cfg(feature = "check")]
    Mapped,
    /// The host with U-labels in place of its A-labels.
    ToUnicode,
}

#[cfg(not(feature = "std"))]
pub(super) fn remembered(
    _: Question,
    text: &str,
    answer: impl FnOnce(&str) -> Option<String>,
) -> Option<String> {
    answer(text)
}

#[cfg(feature = "std")]
pub(super) use with_threads::remembered;

#[cfg(feature = "std")]
mod with_threads {
    use alloc::string::String;
    use alloc::vec::Vec;
    use core::cell::RefCell;

    use super::Question;

    /// The number of slots, a power of two.
    const SLOTS: usize = 256;

    /// The length in bytes of the longest text that is remembered: that of a name in ASCII with a dot at its end.
    const LONGEST: usize = 254;

    /// A question, a text, and the answer. An empty slot has the empty text, which nobody asks about.
    struct Slot {
        question: Question,
        text: String,
        answer: Option<String>,
    }

    std::thread_local! {
        static SEEN: RefCell<Vec<Slot>> = const { RefCell::new(Vec::new()) };
    }

    /// Returns the answer to a question about a text. Asks `answer` only if this thread does not remember it.
    pub(in super::super) fn remembered(
        question: Question,
        text: &str,
        answer: impl FnOnce(&str) -> Option<String>,
    ) -> Option<String> {
        if text.is_empty() || text.len() > LONGEST {
            return answer(text);
        }
        let place = place(question, text);
        // In the destructor of another local of the thread, the memory may be gone.
        let known = SEEN.try_with(|seen| {
            let seen = seen.try_borrow().ok()?;
            let slot = seen.get(place)?;
            (slot.question == question && slot.text == text).then(|| slot.answer.clone())
        });
        if let Ok(Some(known)) = known {
            return known;
        }
        let answer = answer(text);
        let _ = SEEN.try_with(|seen| {
            let Ok(mut seen) = seen.try_borrow_mut() else { return };
            if seen.is_empty() {
                let empty = || Slot { question, text: String::new(), answer: None };
                seen.resize_with(SLOTS, empty);
            }
            if let Some(slot) = seen.get_mut(place) {
                slot.question = question;
                slot.text.clear();
                slot.text.push_str(text);
                slot.answer.clone_from(&answer);
            }
        });
        answer
    }

    /// Returns the slot of a question about a text.
    fn place(question: Question, text: &str) -> usize {
        const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
        let mut hash = question as u64 + 1;
        let mut add = |part: u64| hash = (hash ^ part).wrapping_mul(FACTOR).rotate_left(29);
        let mut rest = text.as_bytes();
        while let Some((eight, after)) = rest.split_first_chunk() {
            add(u64::from_le_bytes(*eight));
            rest = after;
        }
        rest.iter().for_each(|byte| add(u64::from(*byte)));
        (hash.wrapping_mul(FACTOR) >> 56) as usize % SLOTS
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn every_answer_is_that_of_the_question() {
            let fresh = |question: Question, text: &str| match question {
                Question::ToAscii => (text.len() % 3 != 0).then(|| format!("a{text}")),
                _ => (text.len() % 5 != 0).then(|| format!("u{text}")),
            };
            // More texts than slots, so that they evict each other; short, long and empty texts; each is asked often.
            let mut asked = 0;
            for number in (0..3_000).chain((0..3_000).rev()).chain(0..3_000) {
                let text = format!("{number}").repeat(number % 41);
                for question in [Question::ToAscii, Question::ToUnicode] {
                    for _ in 0..2 {
                        let answer = remembered(question, &text, |text| {
                            asked += 1;
                            fresh(question, text)
                        });
                        assert_eq!(answer, fresh(question, &text), "{text}");
                    }
                }
            }
            assert!((9_000..30_000).contains(&asked), "{asked} of 36,000");
        }
    }
}

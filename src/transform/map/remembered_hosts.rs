//! Remembers what is known of hosts: what UTS #46 makes of them, and whether they mislead. The crate `idna` and the policies of
//! browsers take long, and the checks and the displays of one reference ask the same questions several times.
//!
//! Not here: who answers the questions (`idna`, `simd-iri-lint`), and answers about characters (`remembered`).

/*
# The algorithm

Each thread has 512 pairs of slots. A question about a text has one pair, by a hash of both:

    the first slot has this question and this text     return a copy of its answer
    the second slot has them                           exchange the two slots, and return a copy of the answer
    otherwise                                          ask; the first slot becomes the second; write question, text and
                                                       answer over the first

So two questions that share a pair do not evict each other. With 97 hosts in turn and one slot for each question, a third
of the hosts evicted each other in 256 slots.

For example, a lint of `http://BÜCHER.example/` asks `ToAscii` twice (is it a domain name; what is its preferred form),
`Mapped`, and `Honest` of what it is mapped to. The next reference of that host computes nothing.

# Invariants

- An answer depends on question and text alone, so a slot is never out of date.
- The memory is bounded: a text has at most `LONGEST` bytes, and an answer at most about four times as many. Longer
  texts are asked anew.
- Three texts that share a pair evict each other, and that costs time alone.
- Without the feature `std` there are no threads to own a memory. Every question is asked anew.
*/

use alloc::string::String;

/// A question about a host or a label. `None` as the answer means that the host is refused (`ToAscii`, `Domain`), that it
/// stays as it is (`Mapped`, `ToUnicode`, `Shown`), or that it is not so (`Honest`).
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// The form for the DNS.
    ToAscii,
    /// The text that UTS #46 maps it to, as far as possible.
    Mapped,
    /// The host with U-labels in place of its A-labels.
    ToUnicode,
    /// Whether it is a name of the DNS. The answer is the empty text.
    Domain,
    /// Whether no label of a mapped host misleads. The answer is the empty text.
    Honest,
    /// The host for display, if every visible character can be drawn.
    Shown,
}

impl Question {
    /// Returns the answer to the question about a text. Asks `answer` only if this thread does not remember it.
    pub fn remembered(
        self,
        text: &str,
        answer: impl FnOnce(&str) -> Option<String>,
    ) -> Option<String> {
        #[cfg(feature = "std")]
        return with_threads::remembered(self, text, answer);
        #[cfg(not(feature = "std"))]
        answer(text)
    }
}

#[cfg(feature = "std")]
mod with_threads {
    use alloc::string::String;
    use alloc::vec::Vec;
    use core::cell::RefCell;

    use super::Question;

    /// The number of pairs of slots, a power of two.
    const PAIRS: usize = 512;

    /// The length in bytes of the longest text that is remembered: that of a name in ASCII with a dot at its end.
    const LONGEST: usize = 254;

    /// A question, a text, and the answer. An empty slot has the empty text, which nobody asks about.
    struct Slot {
        question: Question,
        text: String,
        answer: Option<String>,
    }

    impl Slot {
        const EMPTY: Self = Self { question: Question::ToAscii, text: String::new(), answer: None };

        fn holds(&self, question: Question, text: &str) -> bool {
            self.question == question && self.text == text
        }
    }

    std::thread_local! {
        static SEEN: RefCell<Vec<[Slot; 2]>> = const { RefCell::new(Vec::new()) };
    }

    /// Returns the answer to a question about a text. Asks `answer` only if this thread does not remember it.
    pub(super) fn remembered(
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
            let mut seen = seen.try_borrow_mut().ok()?;
            let [first, second] = seen.get_mut(place)?;
            if !first.holds(question, text) {
                if !second.holds(question, text) {
                    return None;
                }
                core::mem::swap(first, second);
            }
            Some(first.answer.clone())
        });
        if let Ok(Some(known)) = known {
            return known;
        }
        let answer = answer(text);
        let _ = SEEN.try_with(|seen| {
            let Ok(mut seen) = seen.try_borrow_mut() else { return };
            if seen.is_empty() {
                seen.resize_with(PAIRS, || [Slot::EMPTY; 2]);
            }
            if let Some([first, second]) = seen.get_mut(place) {
                core::mem::swap(first, second);
                first.question = question;
                first.text.clear();
                first.text.push_str(text);
                first.answer.clone_from(&answer);
            }
        });
        answer
    }

    /// Returns the pair of slots of a question about a text.
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
        (hash.wrapping_mul(FACTOR) >> 48) as usize % PAIRS
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
                        let answer = question.remembered(&text, |text| {
                            asked += 1;
                            fresh(question, text)
                        });
                        assert_eq!(answer, fresh(question, &text), "{text}");
                    }
                }
            }
            assert!((9_000..30_000).contains(&asked), "{asked} of 36,000");
        }

        #[test]
        fn hosts_that_come_in_turn_are_remembered() {
            let mut asked = 0;
            for number in 0..9_700 {
                let host = format!("www.host{}.example", number % 97);
                let answer = Question::ToAscii.remembered(&host, |host| {
                    asked += 1;
                    Some(host.into())
                });
                assert_eq!(answer, Some(host));
            }
            assert!(asked < 500, "{asked} of 9,700");
        }
    }
}

//! A function of a library for one kind of work, and its answers.

use crate::corpora::Corpus;

/// An offset in a line, as `simd_iri::Parts` defines it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Column {
    SchemeEnd,
    Authority,
    Host,
    HostEnd,
    Path,
    PathEnd,
    QueryEnd,
    End,
}

impl Column {
    pub const ALL: [Self; 8] = [
        Self::SchemeEnd,
        Self::Authority,
        Self::Host,
        Self::HostEnd,
        Self::Path,
        Self::PathEnd,
        Self::QueryEnd,
        Self::End,
    ];
}

/// For each column the offset, if the library returns it.
pub type Offsets = [Option<u32>; Column::ALL.len()];

/// The answer of a library for an item: nothing if it does not accept the item, otherwise the offsets that it
/// returns.
pub type Answer = Option<Offsets>;

/// The function of one library for one kind of work by one rule.
pub struct Job {
    count: Box<OfCorpus<usize>>,
    answers: Box<OfCorpus<Vec<Answer>>>,
}

type OfCorpus<T> = dyn Fn(&Corpus) -> T;

impl Job {
    pub fn new(
        count: impl Fn(&Corpus) -> usize + 'static,
        answers: impl Fn(&Corpus) -> Vec<Answer> + 'static,
    ) -> Self {
        Self { count: Box::new(count), answers: Box::new(answers) }
    }

    /// Work on one text after the other. It is compiled twice, so that the loop over a corpus contains the code of
    /// the library and no call through a pointer.
    pub fn texts(accepts: impl Fn(&str) -> bool + Copy + 'static) -> Self {
        Self::new(
            move |corpus| corpus.items.iter().filter(|text| accepts(text)).count(),
            move |corpus| {
                corpus.items.iter().map(|text| accepts(text).then(Offsets::default)).collect()
            },
        )
    }

    /// Returns the number of accepted items. This function is measured.
    pub fn count(&self, corpus: &Corpus) -> usize {
        (self.count)(corpus)
    }

    /// Returns the answer for each item.
    pub fn answers(&self, corpus: &Corpus) -> Vec<Answer> {
        (self.answers)(corpus)
    }
}

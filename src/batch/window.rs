//! Texts that lie anywhere in memory: a window of the texts that come next.
//!
//! Not here: the search of these texts (`found`), and how they are copied (`gather`).
#![forbid(unsafe_code)]

use super::bitset::MOST;

/// The texts of a chunk, and the texts after them. A chunk takes as many of the first texts as fit into a search.
/// `gather` fetches the memory of the texts after them.
///
/// ```text
/// all texts    t t t t t t t t t t t t t t t t t t t t t t t t
/// window               |first                 |len
///                      [chunk      ] [next texts]
/// ```
///
/// Invariants: `first <= len <= texts.len()`, and the entries from `first` to `len` are texts. After [`Window::advance`],
/// at least `MOST` texts are in the window, or all texts that are left. A chunk has at most `MOST` texts, so the length
/// of a chunk does not depend on the window.
// The texts are last in the memory of a chunk. So the memory before them can be filled at once, without them.
#[derive(Clone)]
#[repr(C)]
pub(super) struct Window<'a> {
    /// The place of the first text of the chunk.
    first: usize,
    len: usize,
    /// `None` before the first text: a batch that does not need a window does not fill this memory.
    texts: Option<[Option<&'a [u8]>; 2 * MOST]>,
}

impl<'a> Window<'a> {
    /// No text.
    // Not inlined, because the compiler then fills the memory of the texts, too.
    #[inline(never)]
    pub(super) const fn none() -> Self {
        Self { first: 0, len: 0, texts: None }
    }

    /// Drops the first `done` texts, and takes the next texts from `texts`.
    #[inline]
    pub(super) fn advance(&mut self, done: usize, texts: &mut impl Iterator<Item = &'a [u8]>) {
        let all = self.texts.get_or_insert([None; 2 * MOST]);
        let (mut first, mut len) = (self.len.min(self.first + done), self.len);
        if first >= MOST {
            let (front, back) = all.split_at_mut(MOST);
            let kept = back.get(first - MOST..len - MOST).unwrap_or_default();
            front.iter_mut().zip(kept).for_each(|(place, text)| *place = *text);
            (first, len) = (0, len - first);
        }
        let free = all.iter_mut().skip(len).take((first + MOST).saturating_sub(len));
        // The place comes first in the pair, so that no text is lost if there is no place.
        for (place, text) in free.zip(texts) {
            *place = Some(text);
            len += 1;
        }
        (self.first, self.len) = (first, len);
    }

    /// The texts from the first text of the chunk on.
    pub(super) fn texts(&self) -> &[Option<&'a [u8]>] {
        self.texts.as_ref().and_then(|all| all.get(self.first..self.len)).unwrap_or_default()
    }

    /// Text `number` of the chunk, or `None` if there is no such text.
    #[inline(always)]
    pub(super) fn get(&self, number: u8) -> Option<&'a [u8]> {
        self.texts().get(usize::from(number)).copied().flatten()
    }
}

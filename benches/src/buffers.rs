//! Work on a whole buffer of bytes with one reference a line, whose UTF-8 is not checked yet: counting the valid
//! lines, and writing the offsets of the components of every line into columns of the caller.
//!
//! Our functions take the buffer. For a peer, `simdutf8` checks the buffer once, `memchr` finds the lines, and the
//! fastest function of the library reads each line. A peer writes the offsets that its API returns; some return more
//! than others.

use std::{cell::RefCell, hint::black_box, rc::Rc, time::Instant};

use simd_iri::{
    Parts, Rule,
    batch::{Batch, Columns, Separated},
    parser::CpuLevel,
};

use crate::{
    job::{Answer, Column, Job, Offsets},
    median::ratio,
};

/// Every offset of a text, from the slices of its components. Without a host, the host fills the authority. The slice
/// of an empty component may point anywhere, so that its length counts and not its place.
#[inline(always)]
pub fn within(
    text: &str,
    scheme: Option<&str>,
    authority: Option<&str>,
    host: Option<&str>,
    path: &str,
    query: Option<&str>,
) -> [u32; 8] {
    let scheme_end = scheme.map_or(0, str::len);
    let after_scheme = scheme.map_or(0, |scheme| scheme.len() + 1);
    let (authority_start, path_start) = match authority {
        Some(authority) => (after_scheme + 2, after_scheme + 2 + authority.len()),
        None => (after_scheme, after_scheme),
    };
    let (host, host_end) = match host {
        Some(host) => {
            let start = host.as_ptr() as usize - text.as_ptr() as usize;
            (start, start + host.len())
        }
        None => (authority_start, path_start),
    };
    let path_end = path_start + path.len();
    let query_end = query.map_or(path_end, |query| path_end + 1 + query.len());
    [scheme_end, authority_start, host, host_end, path_start, path_end, query_end, text.len()]
        .map(|offset| offset as u32)
}

/// A peer counts the valid lines.
pub fn count(accepts: impl Fn(&str) -> bool + Copy + 'static) -> Job {
    counts(move |buffer| lines(buffer).filter(|line| accepts(line)).count())
}

/// A peer writes columns.
pub fn columns<const N: usize>(
    columns: [Column; N],
    locate: impl Fn(&str) -> Option<[u32; N]> + Copy + 'static,
) -> Job {
    writes(
        Written::default(),
        move |buffer, written: &mut Written<N>| written.fill(buffer, locate),
        move |written| written.answers(columns),
    )
}

/// Ours counts the valid lines.
pub fn count_by_batch(rule: Rule, level: CpuLevel) -> Job {
    counts(move |buffer| level.batch(rule).count(Separated::lines(buffer)).valid as usize)
}

/// Ours writes columns.
pub fn columns_by_batch(rule: Rule, level: CpuLevel) -> Job {
    writes(
        Columns::new(),
        move |buffer, columns: &mut Columns| {
            columns.clear();
            level.batch(rule).columns(Separated::lines(buffer), columns);
            columns.starts().len() - columns.errors().len()
        },
        batch_answers,
    )
}

/// The content of our columns.
fn batch_answers(columns: &Columns) -> Vec<Answer> {
    let offsets = [
        columns.scheme_end(),
        columns.authority(),
        columns.host(),
        columns.host_end(),
        columns.path(),
        columns.path_end(),
        columns.query_end(),
        columns.end(),
    ];
    let errors = columns.errors().iter().map(|(index, _)| *index);
    told(columns.starts().len(), Column::ALL.into_iter().zip(offsets), errors)
}

/// No parser: reads every byte of the buffer, which is the least that any work can do.
pub fn newlines() -> Job {
    counts(|buffer| memchr::memchr_iter(b'\n', buffer).count())
}

fn counts(count: impl Fn(&[u8]) -> usize + Copy + 'static) -> Job {
    Job::new(
        move |corpus| count(&corpus.lines),
        // The answer for a line is the count of a buffer with this line alone.
        move |corpus| {
            let counted = |item: &&str| count(format!("{item}\n").as_bytes()) == 1;
            corpus.items.iter().map(|item| counted(item).then(Default::default)).collect()
        },
    )
}

/// The columns live longer than the work, as those of a caller who reads buffer after buffer.
fn writes<C: 'static>(
    columns: C,
    fill: impl Fn(&[u8], &mut C) -> usize + Copy + 'static,
    answers: impl Fn(&C) -> Vec<Answer> + 'static,
) -> Job {
    let kept = Rc::new(RefCell::new(columns));
    let same = Rc::clone(&kept);
    Job::new(
        move |corpus| fill(&corpus.lines, &mut kept.borrow_mut()),
        move |corpus| {
            let mut columns = same.borrow_mut();
            fill(&corpus.lines, &mut columns);
            answers(&columns)
        },
    )
}

/// The content of the columns for so many lines.
fn told<'a>(
    lines: usize,
    columns: impl IntoIterator<Item = (Column, &'a [u32])>,
    errors: impl IntoIterator<Item = u64>,
) -> Vec<Answer> {
    let mut answers = vec![Some(Offsets::default()); lines];
    for (name, column) in columns {
        assert_eq!(column.len(), lines, "{name:?}: a row for each line");
        for (answer, offset) in answers.iter_mut().flatten().zip(column) {
            answer[name as usize] = Some(*offset);
        }
    }
    for index in errors {
        answers[index as usize] = None;
    }
    answers
}

/// The lines of a buffer, each with its end.
#[inline(always)]
fn lines(buffer: &[u8]) -> impl Iterator<Item = &str> {
    let text = simdutf8::basic::from_utf8(buffer).expect("every corpus is UTF-8");
    let mut start = 0;
    memchr::memchr_iter(b'\n', buffer).map(move |end| {
        let line = &text[start..end];
        start = end + 1;
        line
    })
}

/// The columns of a peer. A line that is not accepted has zeros.
struct Written<const N: usize> {
    starts: Vec<u64>,
    columns: [Vec<u32>; N],
    errors: Vec<u64>,
}

impl<const N: usize> Default for Written<N> {
    fn default() -> Self {
        Self { starts: Vec::new(), columns: [const { Vec::new() }; N], errors: Vec::new() }
    }
}

impl<const N: usize> Written<N> {
    /// Returns the number of accepted lines.
    #[inline(always)]
    fn fill(&mut self, buffer: &[u8], locate: impl Fn(&str) -> Option<[u32; N]>) -> usize {
        self.fill_from(buffer, lines(buffer), locate)
    }

    /// [`Self::fill`] with texts that lie in the buffer.
    #[inline(always)]
    fn fill_from<'a>(
        &mut self,
        buffer: &[u8],
        texts: impl Iterator<Item = &'a str>,
        locate: impl Fn(&str) -> Option<[u32; N]>,
    ) -> usize {
        self.starts.clear();
        self.errors.clear();
        self.columns.iter_mut().for_each(Vec::clear);
        for line in texts {
            let offsets = locate(line).unwrap_or_else(|| {
                self.errors.push(self.starts.len() as u64);
                [0; N]
            });
            self.starts.push((line.as_ptr() as usize - buffer.as_ptr() as usize) as u64);
            for (column, offset) in self.columns.iter_mut().zip(offsets) {
                column.push(offset);
            }
        }
        self.starts.len() - self.errors.len()
    }

    fn answers(&self, names: [Column; N]) -> Vec<Answer> {
        let columns = names.into_iter().zip(self.columns.iter().map(Vec::as_slice));
        told(self.starts.len(), columns, self.errors.iter().copied())
    }
}

/// Returns the time of a plain loop over the items of an Arrow array divided by that of a batch: to count the valid
/// items (`is_valid` of each) and to write columns (`parse` of each, and a push to each column): medians of the
/// ratios of so many rounds. Both know that the values are UTF-8.
///
/// # Panics
/// The loop and the batch do not find the same.
pub fn arrow_against_loop(rule: Rule, items: &[&str], rounds: usize) -> [f64; 2] {
    let values = items.concat();
    let ends = items.iter().scan(0, |end, item| {
        *end += item.len() as i32;
        Some(*end)
    });
    let offsets: Vec<i32> = std::iter::once(0).chain(ends).collect();
    let texts = || offsets.windows(2).map(|pair| &values[pair[0] as usize..pair[1] as usize]);
    let column =
        || simd_iri::batch::TextColumn::utf8(&offsets, &values).expect("offsets that ascend");

    let batch = Batch::new(rule);
    let (mut written, mut columns) = (Written::<8>::default(), Columns::new());
    let mut ratios = [Vec::new(), Vec::new()];
    for _ in 0..rounds {
        let ([plain, batched], counts) = alternate(
            || texts().filter(|text| black_box(rule.is_valid(text))).count(),
            || batch.count(column()).valid as usize,
        );
        assert_eq!(counts[0], counts[1], "the same count");
        ratios[0].push([plain, batched]);

        let ([plain, batched], counts) = alternate(
            || {
                let locate = |text: &str| rule.parse(text).ok().map(|parts| located(&parts));
                written.fill_from(values.as_bytes(), texts(), locate)
            },
            || {
                columns.clear();
                batch.columns(column(), &mut columns);
                columns.len() - columns.errors().len()
            },
        );
        assert_eq!(counts[0], counts[1], "the same count");
        ratios[1].push([plain, batched]);
    }
    assert_eq!(written.answers(Column::ALL), batch_answers(&columns), "the same columns");
    ratios.map(|ratios| ratio(&ratios))
}

/// Returns the time of a plain loop over owned texts divided by that of a batch over a slice of them, to count the valid
/// texts: with the texts in their order in memory, and in any order. Medians of the ratios of so many rounds.
///
/// # Panics
/// The loop and the batch do not find the same.
pub fn slice_against_loop(rule: Rule, items: &[&str], rounds: usize) -> [f64; 2] {
    let owned: Vec<Box<str>> = items.iter().map(|item| Box::from(*item)).collect();
    let mut texts: Vec<&str> = owned.iter().map(|text| &**text).collect();
    let mut measured = || {
        let ratios = (0..rounds).map(|_| {
            let ([plain, batched], counts) = alternate(
                || texts.iter().filter(|text| rule.is_valid(text)).count(),
                || Batch::new(rule).count(&texts).valid as usize,
            );
            assert_eq!(counts[0], counts[1], "the same count");
            [plain, batched]
        });
        let ratio = ratio(&ratios.collect::<Vec<_>>());
        // The order of the next call.
        let mut number = 1_u64;
        for end in (1..texts.len()).rev() {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            texts.swap(end, (number >> 33) as usize % (end + 1));
        }
        ratio
    };
    [measured(), measured()]
}

/// Does both, and returns the time and the result of each.
fn alternate(
    first: impl FnOnce() -> usize,
    second: impl FnOnce() -> usize,
) -> ([f64; 2], [usize; 2]) {
    let start = Instant::now();
    let one = first();
    let between = Instant::now();
    let other = second();
    ([(between - start).as_secs_f64(), between.elapsed().as_secs_f64()], [one, other])
}

/// The offsets as [`Columns`] has them.
#[inline(always)]
fn located(parts: &Parts) -> [u32; 8] {
    let path = parts.path();
    let authority = parts.authority().unwrap_or(path.start..path.start);
    let host = parts.host().unwrap_or(path.start..path.start);
    let query_end = parts.query().map_or(path.end, |query| query.end);
    let scheme_end = parts.scheme().map_or(0, |scheme| scheme.end);
    [
        scheme_end,
        authority.start,
        host.start,
        host.end,
        path.start,
        path.end,
        query_end,
        parts.len(),
    ]
    .map(|offset| offset as u32)
}

//! Measures the kernels beside the batch of the library and loops over another parser, on the lines of files that are
//! repeated up to a million rows. The answers are compared first.
//!
//! `parse` makes nine columns. One loop reads the components that the other parser knows, and makes nothing; another
//! loop makes the same nine columns. An array of a million rows needs new memory, for which the system gives pages. For
//! arrays of 8,192 rows, as engines have them, the allocator gives memory that was used before. Whether a large array
//! gets new memory depends on the allocator. The allocator of glibc gives new memory always with
//! `MALLOC_MMAP_THRESHOLD_=1048576 MALLOC_TRIM_THRESHOLD_=1073741824`, and never with
//! `MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=17179869184`.
//!
//! A line has the median and the least time. The time is processor time where Linux tells it, and otherwise elapsed
//! time.
//!
//! `cargo run --release --example rates -- FILE…`

use std::cell::RefCell;
use std::error::Error;
use std::hint::black_box;
use std::net::Ipv4Addr;
use std::sync::LazyLock;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use arrow_array::builder::{BooleanBufferBuilder, make_view};
use arrow_array::{Array, StringArray};
use simd_iri::batch::{Batch, Bitmap, ColumnError, Columns, TextColumn};
use simd_iri_arrow::{Component, Rule, component, is_valid, parse};

/// The number of rows.
const ROWS: usize = 1_000_000;
/// The number of rows of a small array.
const SMALL: usize = 8192;
/// The number of times that each work is done.
const ROUNDS: usize = 15;

/// Work that returns the number of rows that match.
type Work<'a> = (&'static str, Box<dyn Fn() -> usize + 'a>);

fn main() -> Result<(), Box<dyn Error>> {
    let mut lines = Vec::new();
    for path in env::args().skip(1) {
        lines.extend(fs::read_to_string(path)?.lines().map(String::from));
    }
    if lines.is_empty() {
        return Err("usage: rates FILE…".into());
    }
    let rows: StringArray = lines.iter().cycle().take(ROWS).map(Some).collect();
    let columns = |rows: &StringArray, columns: &mut Columns| {
        columns.clear();
        let rows = column(rows).map(|rows| Batch::new(Rule::Iri).columns(rows, columns));
        rows.map_or(0, |()| columns.len() - columns.errors().len())
    };
    let parsed =
        |rows: &StringArray| parse(rows, Rule::Iri).map_or(0, |p| p.len() - p.null_count());
    let slice = |first: usize| rows.slice(first, SMALL.min(ROWS - first));
    let small: Vec<StringArray> = (0..ROWS).step_by(SMALL).map(slice).collect();
    let reused = RefCell::new(Columns::with_capacity(ROWS));
    let works: Vec<Work<'_>> = vec![
        (
            "batch, validity",
            Box::new(|| {
                let mut valid = Bitmap::with_capacity(ROWS);
                if let Ok(column) = column(&rows) {
                    Batch::new(Rule::Iri).validity(column, &mut valid);
                }
                valid.count()
            }),
        ),
        ("is_valid", Box::new(|| is_valid(&rows, Rule::Iri).map_or(0, |v| v.true_count()))),
        ("batch, new memory", Box::new(|| columns(&rows, &mut Columns::with_capacity(ROWS)))),
        ("batch, memory again", Box::new(|| columns(&rows, &mut reused.borrow_mut()))),
        ("parse", Box::new(|| parsed(&rows))),
        (
            "batch, arrays of 8,192",
            Box::new(|| small.iter().map(|rows| columns(rows, &mut reused.borrow_mut())).sum()),
        ),
        ("parse, arrays of 8,192", Box::new(|| small.iter().map(parsed).sum())),
        (
            "path",
            Box::new(|| {
                let paths = component(&rows, Rule::Iri, Component::Path);
                paths.map_or(0, |paths| paths.len() - paths.null_count())
            }),
        ),
        (
            "loop, oxiri, no columns",
            Box::new(|| {
                let parts = |iri: oxiri::Iri<&str>| {
                    black_box((
                        iri.scheme().len(),
                        iri.authority().map(str::len),
                        iri.path().len(),
                        iri.query().map(str::len),
                        iri.fragment().map(str::len),
                    ));
                };
                let rows = rows.iter().flatten();
                rows.filter_map(|row| oxiri::Iri::parse(row).ok()).map(parts).count()
            }),
        ),
        ("loop, oxiri, 9 columns", Box::new(|| nine_columns(&rows))),
        ("the same, of 8,192", Box::new(|| small.iter().map(nine_columns).sum())),
    ];
    let expected = works.iter().map(|(_, work)| work()).collect::<Vec<_>>();
    if expected.iter().any(|valid| Some(valid) != expected.first()) {
        return Err(format!("the answers differ: {expected:?}").into());
    }
    let mut times = vec![Vec::new(); works.len()];
    for _ in 0..ROUNDS {
        for ((_, work), times) in works.iter().zip(&mut times) {
            let start = time();
            black_box(work());
            times.push(time().saturating_sub(start));
        }
    }
    println!("{ROWS} rows, {} match", expected.first().copied().unwrap_or_default());
    for ((name, _), times) in works.iter().zip(&mut times) {
        times.sort_unstable();
        let median = times.get(ROUNDS / 2).copied().unwrap_or_default();
        let least = times.first().copied().unwrap_or_default();
        let [median, least] = [median, least].map(|time| time.as_nanos() as f64 / ROWS as f64);
        println!("{name:<24} {median:6.1} ns a row, at least {least:5.1}");
    }
    Ok(())
}

/// The time for which this thread had a processor or, where the system does not tell, the time since the first call.
fn time() -> Duration {
    static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);
    let elapsed = FIRST.elapsed();
    // When a thread yields, the system counts its time up to this moment.
    thread::yield_now();
    let counted = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let counted = counted.and_then(|counted| counted.split(' ').next()?.parse().ok());
    counted.map_or(elapsed, Duration::from_nanos)
}

/// The rows for a batch.
fn column(rows: &StringArray) -> Result<TextColumn<'_, i32>, ColumnError> {
    TextColumn::new(rows.value_offsets(), rows.value_data())
}

/// Makes the columns of `parse` with the other parser, as views of the values: the least that a loop must do for them.
fn nine_columns(rows: &StringArray) -> usize {
    let mut columns: [_; 9] = std::array::from_fn(|_| {
        (Vec::with_capacity(rows.len()), BooleanBufferBuilder::new(rows.len()))
    });
    let base = rows.value_data().as_ptr() as usize;
    for row in rows {
        let iri = row.and_then(|row| oxiri::Iri::parse(row).ok());
        let authority = iri.as_ref().and_then(|iri| iri.authority());
        // The text before an `@`; the host; the text after a colon that is not in an IP literal.
        let (userinfo, rest) = match authority.map(|authority| authority.split_once('@')) {
            Some(Some((userinfo, rest))) => (Some(userinfo), Some(rest)),
            _ => (None, authority),
        };
        let (host, port) = match rest.map(|rest| rest.rsplit_once(':')) {
            Some(Some((host, port))) if !port.ends_with(']') => (Some(host), Some(port)),
            _ => (rest, None),
        };
        let parts = [
            iri.as_ref().map(|iri| iri.scheme()),
            authority,
            userinfo,
            host,
            host.map(|host| match host.as_bytes() {
                [b'[', b'v' | b'V', ..] => "ipvfuture",
                [b'[', ..] => "ipv6",
                [b'0'..=b'9', ..] if host.parse::<Ipv4Addr>().is_ok() => "ipv4",
                _ => "reg-name",
            }),
            port,
            iri.as_ref().map(|iri| iri.path()),
            iri.as_ref().and_then(|iri| iri.query()),
            iri.as_ref().and_then(|iri| iri.fragment()),
        ];
        for ((views, valid), part) in columns.iter_mut().zip(parts) {
            let offset = |part: &str| (part.as_ptr() as usize).wrapping_sub(base) as u32;
            views.push(part.map_or(0, |part| make_view(part.as_bytes(), 0, offset(part))));
            valid.append(part.is_some());
        }
    }
    let columns = black_box(columns.map(|(views, mut valid)| (views, valid.finish())));
    let [_, _, _, _, _, _, (_, path), ..] = columns;
    path.count_set_bits()
}

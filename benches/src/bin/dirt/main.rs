//! Searches for the dearest item of each operation: an item that costs many times what a plain item of its length costs.
//! The cost is the number of instructions, which callgrind counts, so that a search finds the same again.
//!
//! `dirt [--rounds N] [--shapes N] [--lengths N,N…] [--operation PART] [--record FILE] [--items FOLDER]`; `PART` is a part of
//! the name of an operation.
//!
//! Prints for each operation and length the instructions a byte of a plain item and of the dearest item, and writes the
//! dearest items into a folder. Fails if the dearest item costs more than [`operations::ALL`] promises. Not here: the
//! commands of the program (`scripts/test-cost`).

mod count;
mod items;
mod operations;

use std::{env, error::Error, fmt::Write, fs, path::Path};

use crate::items::Items;
use crate::operations::Operation;
use simd_iri_benches::random::Random;

/// What the command line says.
struct Options {
    /// How often the dearest items are changed.
    rounds: usize,
    /// The number of shapes with which the search for an operation begins.
    shapes: usize,
    lengths: Vec<usize>,
    /// A part of the names of the operations.
    operation: String,
    record: Option<String>,
    items: Option<String>,
}

/// The items of one length for one operation, the dearest first.
struct Search {
    operation: usize,
    length: usize,
    /// The instructions of the plain item in ASCII, and of the plain item outside ASCII.
    plain: [u64; 2],
    found: Vec<(f64, u64, Vec<u8>)>,
    /// A source of its own, so that a search for one operation finds what a search for all operations finds.
    random: Random,
}

/// The number of the dearest items that each round changes, and the number of changes of each of them.
const KEPT: usize = 3;
const CHANGES: usize = 4;

/// The length of the longest items for which all shapes are tried. A longer item takes seconds, so that its search begins
/// with the dearest items of the lengths before it, made longer, and changes them in few rounds.
const ALL_SHAPES: usize = 64 << 10;
const LONG_ROUNDS: usize = 2;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [command, file] = arguments.as_slice()
        && command == "count"
    {
        return count::each_of(file);
    }
    let options = options(&arguments)?;
    let searches = search(&options)?;
    let (table, broken) = table(&searches);
    print!("{table}");
    if let Some(file) = options.record {
        fs::write(file, table)?;
    }
    if let Some(folder) = options.items {
        fs::create_dir_all(&folder)?;
        for search in &searches {
            let Some((.., item)) = search.found.first() else { continue };
            let name = format!("{} {}", search.operation().name, search.length);
            fs::write(Path::new(&folder).join(name), item)?;
        }
    }
    if broken.is_empty() { Ok(()) } else { Err(broken.into()) }
}

fn options(arguments: &[String]) -> Result<Options, Box<dyn Error>> {
    let lengths = vec![65, 1 << 10, 64 << 10, 1 << 20];
    let mut options = Options {
        rounds: 12,
        shapes: usize::MAX,
        lengths,
        operation: String::new(),
        record: None,
        items: None,
    };
    for pair in arguments.chunks(2) {
        let [option, value] = pair else { return Err(format!("{pair:?} has no value").into()) };
        match option.as_str() {
            "--rounds" => options.rounds = value.parse()?,
            "--shapes" => options.shapes = value.parse()?,
            "--lengths" => {
                options.lengths = value.split(',').map(str::parse).collect::<Result<_, _>>()?;
            }
            "--operation" => options.operation.clone_from(value),
            "--record" => options.record = Some(value.clone()),
            "--items" => options.items = Some(value.clone()),
            _ => return Err(format!("there is no option {option}").into()),
        }
    }
    Ok(options)
}

fn search(options: &Options) -> Result<Vec<Search>, Box<dyn Error>> {
    let asked = |number: &usize| operations::ALL[*number].name.contains(&options.operation);
    let operations: Vec<_> = (0..operations::ALL.len()).filter(asked).collect();
    let (long, short): (Vec<_>, Vec<_>) =
        options.lengths.iter().copied().partition(|length| *length > ALL_SHAPES);
    let mut found = searches(&operations, &short, options.rounds, |search| {
        items::shapes(search.length, options.shapes, &mut search.random)
    })?;
    let rounds = options.rounds.min(LONG_ROUNDS);
    let longer = searches(&operations, &long, rounds, |search| {
        let length = search.length;
        let known: Items = found
            .iter()
            .filter(|shorter| shorter.operation == search.operation)
            .flat_map(|shorter| shorter.found.iter().map(|(.., item)| items::longer(item, length)))
            .collect();
        // A search of these lengths alone has no items before it.
        if known.is_empty() {
            items::shapes(length, options.shapes, &mut search.random)
        } else {
            known
        }
    })?;
    found.extend(longer);
    Ok(found)
}

/// Counts the first items of each search, which `first` returns; and then, in each round, changes of the dearest items.
fn searches(
    operations: &[usize],
    lengths: &[usize],
    rounds: usize,
    first: impl Fn(&mut Search) -> Items,
) -> Result<Vec<Search>, Box<dyn Error>> {
    let pairs =
        lengths.iter().flat_map(|length| operations.iter().map(|operation| (*operation, *length)));
    let pairs: Vec<_> = pairs.collect();
    let plain: Vec<_> = pairs
        .iter()
        .flat_map(|(operation, length)| {
            [(*operation, items::plain(*length)), (*operation, items::plain_foreign(*length))]
        })
        .collect();
    let counts = count::all(&plain)?;
    let mut searches: Vec<Search> = pairs
        .iter()
        .zip(counts.chunks_exact(2))
        .map(|((operation, length), counts)| {
            let times = operations::ALL[*operation].times(*length) as u64;
            let plain = [counts[0] / times, counts[1] / times];
            let name = operations::ALL[*operation].name.bytes();
            let seed =
                name.fold(*length as u64, |seed, byte| seed.wrapping_mul(257) + u64::from(byte));
            let (found, random) = (Vec::new(), Random(seed));
            Search { operation: *operation, length: *length, plain, found, random }
        })
        .collect();
    for round in 0..=rounds {
        let mut asked = Vec::new();
        let mut owners = Vec::new();
        for (number, search) in searches.iter_mut().enumerate() {
            let items = if round == 0 { first(search) } else { search.changed() };
            // An operation on a reference does not take a text that is not a reference.
            for item in items.into_iter().filter(|item| search.operation().takes(item)) {
                owners.push(number);
                asked.push((search.operation, item));
            }
        }
        let counts = count::all(&asked)?;
        for ((owner, (_, item)), count) in owners.into_iter().zip(asked).zip(counts) {
            searches[owner].add(count, item);
        }
    }
    Ok(searches)
}

impl Search {
    fn operation(&self) -> &'static Operation {
        &operations::ALL[self.operation]
    }

    /// Adds an item, and forgets the items that are not among the dearest.
    fn add(&mut self, count: u64, item: Vec<u8>) {
        let count = count / self.operation().times(item.len()) as u64;
        let plain = self.plain[usize::from(self.operation().by_alphabet && !item.is_ascii())];
        // Items of one length have somewhat different lengths: a character is not cut.
        let ratio = (count as f64 / item.len() as f64) / (plain as f64 / self.length as f64);
        self.found.push((ratio, count, item));
        self.found.sort_by(|one, other| other.0.total_cmp(&one.0));
        self.found.dedup_by(|one, other| one.2 == other.2);
        self.found.truncate(KEPT);
    }

    fn changed(&mut self) -> Items {
        let Self { found, length, random, .. } = self;
        let mut changes = Items::new();
        for (.., item) in found {
            changes.extend((0..CHANGES).map(|_| items::changed(item, *length, random)));
        }
        changes
    }
}

/// Returns the table, and the rows that break a promise.
fn table(searches: &[Search]) -> (String, String) {
    let mut table = String::from("operation\tbytes\tplain\tdearest\tratio\tmost\titem\n");
    let mut broken = String::new();
    for search in searches {
        let Some((ratio, count, item)) = search.found.first() else { continue };
        let operation = search.operation();
        let a_byte = |count: u64, length: usize| count as f64 / length as f64;
        let most = if search.length < 4096 { operation.most.0 } else { operation.most.1 };
        let start = shown(&item[..item.len().min(60)]);
        let mut row = format!("{}\t{}\t", operation.name, search.length);
        let _ = writeln!(
            row,
            "{:.2}\t{:.2}\t{ratio:.1}\t{most}\t{start}",
            a_byte(search.plain[0], search.length),
            a_byte(*count, item.len()),
        );
        if *ratio > most {
            broken.push_str(&row);
        }
        table.push_str(&row);
    }
    if !broken.is_empty() {
        broken.insert_str(0, "dearer than promised:\n");
    }
    (table, broken)
}

/// A text as it is seen, with escapes for what is not seen and for bytes that are not UTF-8.
fn shown(bytes: &[u8]) -> String {
    let chunks = bytes.utf8_chunks();
    chunks
        .map(|chunk| format!("{}{}", chunk.valid().escape_debug(), chunk.invalid().escape_ascii()))
        .collect()
}

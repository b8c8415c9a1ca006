//! Counts the instructions of operations on items. The program runs itself under callgrind, which counts within
//! [`counted`] alone and writes the count of each call to a file.

use std::hint::black_box;
use std::process::Command;
use std::{env, error::Error, fs};

use crate::operations::{self, Operation};

/// Returns the number of instructions of each operation (its number in `operations::ALL`) on its item.
pub fn all(asked: &[(usize, Vec<u8>)]) -> Result<Vec<u64>, Box<dyn Error>> {
    let folder = env::temp_dir().join(format!("dirt-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let counts = in_folder(asked, &folder);
    fs::remove_dir_all(&folder)?;
    counts
}

fn in_folder(
    asked: &[(usize, Vec<u8>)],
    folder: &std::path::Path,
) -> Result<Vec<u64>, Box<dyn Error>> {
    // A record: the number of the operation and the length of the item, 4 bytes each, and the item.
    let mut records = Vec::new();
    for (operation, item) in asked {
        records.extend((*operation as u32).to_le_bytes());
        records.extend((item.len() as u32).to_le_bytes());
        records.extend(item);
    }
    let (file, dump) = (folder.join("records"), folder.join("dump"));
    fs::write(&file, records)?;
    let status = Command::new("valgrind")
        .args(["-q", "--tool=callgrind"])
        // One pattern for both would be taken for the first only.
        .args(["--toggle-collect=dirt::count::counted*", "--dump-after=*dirt::count::counted*"])
        .arg(format!("--callgrind-out-file={}", dump.display()))
        .arg(env::current_exe()?)
        .arg("count")
        .arg(&file)
        .status()?;
    if !status.success() {
        return Err(format!("valgrind: {status}").into());
    }
    (1..=asked.len())
        .map(|call| {
            let text = fs::read_to_string(folder.join(format!("dump.{call}")))?;
            let total = text.lines().find_map(|line| line.strip_prefix("totals: "));
            Ok(total.ok_or("a dump without a total")?.trim().parse()?)
        })
        .collect()
}

/// Runs the operation of each record of a file.
pub fn each_of(file: &str) -> Result<(), Box<dyn Error>> {
    let records = fs::read(file)?;
    // What an operation makes once is not counted.
    for operation in operations::ALL {
        operation.takes(b"a:b");
    }
    let mut rest = records.as_slice();
    while let Some((operation, after)) = number(rest) {
        let (length, after) = number(after).ok_or("a record is cut")?;
        let (item, after) = after.split_at_checked(length).ok_or("a record is cut")?;
        counted(&operations::ALL[operation], black_box(item));
        rest = after;
    }
    Ok(())
}

fn number(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (number, rest) = bytes.split_first_chunk()?;
    Some((u32::from_le_bytes(*number) as usize, rest))
}

#[inline(never)]
fn counted(operation: &Operation, item: &[u8]) {
    black_box(operation.takes(item));
}

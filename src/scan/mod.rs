//! Bytes to masks: which bytes of a block of 64 belong to a set, one bit for each byte.
//!
//! | here | what it does |
//! | --- | --- |
//! | `ops` | the operations that each kernel has, and their definitions |
//! | `arch` | the kernels: the operations with the instructions of each CPU family |
//! | `level` | chooses the kernel ([`CpuLevel`]) and runs a [`Job`] with it |
//! | `search`, `words` | find a byte in a text, with masks and without |
//! | `row` | stores eight offsets at once |
//! | `fetch` | brings a text into the caches |
//! | `utf8`, `slice` | check UTF-8, and slice a text |
//! | `encode` | percent-encodes |
//! | `rewrite` | decodes triplets, and removes dot segments, in one pass |
//!
//! Not here: the grammar of IRIs.
//!
//! ```text
//! bytes   h  t  t  p  :  /  /  a  .  b  /  c
//! SLASH   .  .  .  .  .  1  1  .  .  .  1  .     bit i of a mask is byte i of the block
//! ```
//!
//! `scalar` defines what a mask is; `agreement` tests that every other kernel gives the same masks.
// The kernels and the dispatch to them are the only place of the library with `unsafe`.
#![expect(unsafe_code, reason = "CPU intrinsics, and loads through pointers")]

#[cfg(test)]
mod agreement;
mod arch;
mod encode;
mod fetch;
mod level;
mod ops;
mod rewrite;
mod row;
mod search;
pub mod slice;
mod splice;
mod utf8;
mod words;

pub(crate) use encode::{PushBoth, encode_blocks, encode_with_places, push_ascii, push_both};
pub use encode::{encode, push_triplets};
pub(crate) use fetch::fetch;
pub use level::CpuLevel;
pub use level::{Cpu, Job};
pub(crate) use ops::Simd;
pub use ops::below;
pub use ops::encode::triplet_text;
pub(crate) use ops::encode::{AT_ONCE, LOWER_DIGITS, copy};
pub(crate) use ops::long::{GROUP, Long, Members, Words};
pub(crate) use ops::mask::Mask;
pub use ops::rewrite::octet;
pub(crate) use ops::within;
pub use ops::{BLOCK, Block, Query, as_chunks};
pub use rewrite::UPPER;
pub(crate) use rewrite::{Changes, rewrite};
pub(crate) use rewrite::{Decodable, Rewrite};
pub(crate) use row::row;
pub use search::find;
pub(crate) use search::is_ascii;
pub use search::prefix;
pub(crate) use search::{find_apart, position};
pub(crate) use slice::part;
pub(crate) use splice::splice;
pub use utf8::Characters;
pub use utf8::utf8;
pub(crate) use utf8::utf8_whole;

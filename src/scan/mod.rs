//! Bytes to masks: which bytes of a block of 64 belong to a set, one bit for each byte.
//!
//! | here | what it does |
//! | --- | --- |
//! | `kernel` | loads blocks and answers questions with masks, for each CPU family |
//! | `level` | chooses the kernel ([`CpuLevel`]) and runs a [`Job`] with it |
//! | `search`, `words` | find a byte in a text, with masks and without |
//! | `row` | stores eight offsets at once |
//! | `utf8`, `slice` | check UTF-8, and slice a text |
//! | `rewrite` | percent-encodes, decodes, and removes dot segments in one pass |
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
mod kernel;
mod level;
#[cfg(feature = "alloc")]
mod rewrite;
mod row;
mod search;
pub(crate) mod slice;
mod utf8;
mod words;

pub(crate) use kernel::long::{GROUP, Long, Members, Words};
pub(crate) use kernel::{BLOCK, Block, Query, Simd, as_chunks};
#[cfg(feature = "alloc")]
pub(crate) use kernel::{below, within};
pub use level::CpuLevel;
pub(crate) use level::{Cpu, Job};
#[cfg(feature = "alloc")]
pub(crate) use rewrite::percent_encode::{
    AT_ONCE, LOWER_DIGITS, encode, encode_blocks, encode_with_places, push_ascii, push_both,
    push_dotless, triplet_text,
};
#[cfg(feature = "alloc")]
pub(crate) use rewrite::{Changes, Decodable, Rewrite, UPPER, octet, rewrite};
pub(crate) use row::row;
#[cfg(feature = "alloc")]
pub(crate) use search::prefix;
#[cfg(feature = "alloc")]
pub(crate) use search::{Slashes, dot_after_slash, slashes};
pub(crate) use search::{find, find_apart, is_ascii, position};
pub(crate) use slice::part;
pub(crate) use utf8::{utf8, utf8_whole};

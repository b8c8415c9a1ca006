//! The programs of the guides, run as tests: those that need more than the engine.

/// docs/cookbook.md
#[doc = include_str!("../docs/cookbook.md")]
pub struct Cookbook;

/// docs/judge.md
#[doc = include_str!("../docs/judge.md")]
pub struct Judge;

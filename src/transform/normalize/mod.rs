//! TODO

pub(crate) mod address;
pub(crate) mod compare;
pub(crate) mod key;
pub(crate) mod prescan;
pub(crate) mod rules;

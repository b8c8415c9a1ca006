//! The tables of data about characters and names that the engine uses, and their versions.
//!
//! Most tables come from other crates. The program that uses the library decides which release of a crate it takes, so
//! that the versions are asked of the crates, and are not written here. Not here: which operation uses which table, and
//! why tables of different versions may meet in one (docs/unicode.md).
#![forbid(unsafe_code)]

use core::fmt;

#[cfg(any(feature = "charset", feature = "idna"))]
use icu_properties::{CodePointMapData, props::GeneralCategory};

/// A table of data about characters or names. A build of the library has the tables of its features; a crate beside the
/// engine that has tables has a constant of them, too.
///
/// ```
/// use simd_iri::versions::DataTable;
///
/// for table in DataTable::ALL {
///     println!("{}: {}", table.name(), table.version());
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DataTable {
    name: &'static str,
    version: fn() -> DataVersion,
}

impl DataTable {
    /// The tables that this build of the engine has.
    ///
    /// ```
    /// # use simd_iri::versions::DataTable;
    /// # #[cfg(feature = "psl")]
    /// assert!(DataTable::ALL.iter().any(|table| table.name() == "public-suffixes"));
    /// ```
    pub const ALL: &'static [Self] = &[
        // What UTS #46 maps, and refuses, in a domain name.
        #[cfg(feature = "idna")]
        Self::new("idna", || {
            latest(|c| idna::domain_to_unicode(c.encode_utf8(&mut [0; 4])).1.is_ok())
        }),
        // General_Category and other properties of characters.
        #[cfg(any(feature = "charset", feature = "idna"))]
        Self::new("properties", latest_assigned),
        // Normalization forms (UAX #15).
        #[cfg(feature = "charset")]
        Self::new("normalization", || unicode_normalization::UNICODE_VERSION.into()),
        // The letters, digits and letters in upper case of the type `char`: the compiler has this table.
        #[cfg(feature = "psl")]
        Self::new("compiler", || char::UNICODE_VERSION.into()),
        // The list of public suffixes: the day on which the release of `psl` came out that Cargo.toml names as the oldest.
        #[cfg(feature = "psl")]
        Self::new("public-suffixes", || DataVersion::Date(2026, 11, 5)),
    ];

    /// Returns a table with this name, and the function that finds its version.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(name: &'static str, version: fn() -> DataVersion) -> Self {
        Self { name, version }
    }

    /// Returns the name of the table, which stays the same.
    ///
    /// ```
    /// # #[cfg(feature = "idna")]
    /// assert_eq!(simd_iri::versions::DataTable::ALL[0].name(), "idna");
    /// ```
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the version of the table in this build.
    ///
    /// Three crates do not say their version. The tables of `icu_properties` and `idna` are of the latest version, up to
    /// 18.0, of which they have a character, and of 15.0 if there is none; they can be of a later version than this says.
    /// The list of public suffixes has the date of the oldest release of `psl` that the library takes.
    ///
    /// ```
    /// # #[cfg(feature = "idna")]
    /// # use simd_iri::versions::{DataTable, DataVersion};
    /// # #[cfg(feature = "idna")]
    /// assert!(matches!(DataTable::ALL[0].version(), DataVersion::Unicode(15.., _, _)));
    /// ```
    #[must_use]
    pub fn version(&self) -> DataVersion {
        (self.version)()
    }
}

/// The version of a table.
///
/// ```
/// use simd_iri::versions::DataVersion;
///
/// assert_eq!(DataVersion::Unicode(18, 0, 0).to_string(), "18.0.0");
/// assert_eq!(DataVersion::Date(2026, 11, 5).to_string(), "2026-11-05");
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DataVersion {
    /// A version of Unicode.
    Unicode(u8, u8, u8),
    /// A year, a month and a day.
    Date(u16, u8, u8),
}

/// Returns the latest version of which a table has a character.
#[cfg(any(feature = "charset", feature = "idna"))]
fn latest(has: impl Fn(char) -> bool) -> DataVersion {
    /// A small letter that each version of Unicode has added, and which UTS #46 does not map; the latest version first.
    const ADDED: [((u8, u8, u8), char); 3] =
        [((18, 0, 0), '\u{1DF1F}'), ((17, 0, 0), '\u{A7CF}'), ((16, 0, 0), '\u{1C8A}')];

    let found = ADDED.into_iter().find(|(_, c)| has(*c));
    found.map_or((15, 0, 0), |(version, _)| version).into()
}

/// Returns the version of the tables of `icu_properties`, which are all of one version.
#[cfg(any(feature = "charset", feature = "idna"))]
#[must_use]
pub fn latest_assigned() -> DataVersion {
    let categories = CodePointMapData::<GeneralCategory>::new();
    latest(|c| categories.get(c) != GeneralCategory::Unassigned)
}

/// A version of Unicode. The crates have its numbers as `u8` or as `u64`.
impl<N: TryInto<u8>> From<(N, N, N)> for DataVersion {
    fn from((major, minor, update): (N, N, N)) -> Self {
        let number = |n: N| n.try_into().unwrap_or(u8::MAX);
        Self::Unicode(number(major), number(minor), number(update))
    }
}

impl fmt::Display for DataVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unicode(major, minor, update) => write!(f, "{major}.{minor}.{update}"),
            Self::Date(year, month, day) => write!(f, "{year:04}-{month:02}-{day:02}"),
        }
    }
}

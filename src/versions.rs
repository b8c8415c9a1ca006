//! The tables of data about characters and names that the library uses, and their versions.
//!
//! Most tables come from other crates. The program that uses the library decides which release of a crate it takes, so
//! that the versions are asked of the crates, and are not written here. Not here: which operation uses which table, and
//! why tables of different versions may meet in one (docs/unicode.md).
#![forbid(unsafe_code)]

use core::fmt;

#[cfg(any(feature = "lint", feature = "idna"))]
use icu_properties::{CodePointMapData, props::GeneralCategory};

#[cfg(feature = "lint")]
use crate::check::IDENTIFIER_VERSION;
use crate::error::named;
#[cfg(any(feature = "lint", feature = "text"))]
use crate::text::LINK_VERSION;

/// Makes the type of the tables: a line for each table, with the features that bring it, its name and its version.
macro_rules! tables {
    ($($(#[$doc:meta])+ [$has:meta] $table:ident: $name:literal = $version:expr,)+) => {
        /// A table of data about characters or names that the library uses. A build of the library has the tables of its
        /// features.
        ///
        /// ```
        /// use simd_iri::{DataTable, DataVersion};
        ///
        /// for table in DataTable::ALL {
        ///     println!("{table}: {}", table.version());
        /// }
        /// # #[cfg(feature = "text")]
        /// assert_eq!(DataTable::Link.version(), DataVersion::Unicode(18, 0, 0));
        /// ```
        #[non_exhaustive]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum DataTable {
            $($(#[$doc])+ #[cfg($has)] $table,)+
        }

        impl DataTable {
            /// The tables that this build of the library has.
            ///
            /// ```
            /// # use simd_iri::DataTable;
            /// # #[cfg(feature = "psl")]
            /// assert!(DataTable::ALL.contains(&DataTable::PublicSuffixes));
            /// ```
            pub const ALL: &'static [Self] = &[$(#[cfg($has)] Self::$table,)+];

            /// Returns the name of the table, which stays the same.
            ///
            /// ```
            /// # #[cfg(feature = "idna")]
            /// assert_eq!(simd_iri::DataTable::Idna.name(), "idna");
            /// ```
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(#[cfg($has)] Self::$table => $name,)+ }
            }

            /// Returns the version of the table in this build.
            ///
            /// Three crates do not say their version. The tables of `icu_properties` and `idna` are of the latest version, up to
            /// 18.0, of which they have a character, and of 15.0 if there is none; they can be of a later version than this says.
            /// The list of public suffixes has the date of the oldest release of `psl` that the library takes.
            ///
            /// ```
            /// # use simd_iri::{DataTable, DataVersion};
            /// # #[cfg(feature = "lint")]
            /// assert!(matches!(DataTable::Bidi.version(), DataVersion::Unicode(15.., _, _)));
            /// ```
            #[must_use]
            pub fn version(self) -> DataVersion {
                match self { $(#[cfg($has)] Self::$table => $version,)+ }
            }
        }

        named!(@text DataTable, [$(#[cfg($has)] $name),+]);
    };
}

tables! {
    /// The properties of UTS #58, which say where a link in text ends.
    [any(feature = "lint", feature = "text")] Link: "link" = unicode(LINK_VERSION),
    /// The directions of characters, and pairs of brackets (UAX #9).
    [feature = "lint"] Bidi: "bidi" = latest(is_assigned),
    /// What UTS #46 maps, and refuses, in a domain name.
    [feature = "idna"] Idna: "idna" =
        latest(|c| idna::domain_to_unicode(c.encode_utf8(&mut [0; 4])).1.is_ok()),
    /// General_Category and other properties of characters.
    [feature = "idna"] Properties: "properties" = latest(is_assigned),
    /// Normalization forms (UAX #15).
    [any(feature = "charset", feature = "lint")] Normalization: "normalization" =
        unicode(unicode_normalization::UNICODE_VERSION),
    /// The scripts of characters (UAX #24).
    [feature = "lint"] Scripts: "scripts" = unicode(unicode_script::UNICODE_VERSION),
    /// Look-alikes (UTS #39).
    [feature = "lint"] Confusables: "confusables" = unicode(unicode_security::UNICODE_VERSION),
    /// The characters that Unicode allows in identifiers (UTS #39), as the display policies of browsers have them.
    [feature = "lint"] Identifiers: "identifiers" = unicode(IDENTIFIER_VERSION),
    /// The letters, digits and letters in upper case of the type `char`: the compiler has this table.
    [any(feature = "lint", feature = "psl")] Compiler: "compiler" = unicode(char::UNICODE_VERSION),
    /// The list of public suffixes, which has a date.
    [feature = "psl"] PublicSuffixes: "public-suffixes" = PUBLIC_SUFFIXES,
}

/// The version of a table.
///
/// ```
/// use simd_iri::DataVersion;
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

/// The day on which the release of `psl` came out that Cargo.toml names as the oldest.
#[cfg(feature = "psl")]
const PUBLIC_SUFFIXES: DataVersion = DataVersion::Date(2026, 11, 5);

/// A small letter that each version of Unicode has added, and which UTS #46 does not map; the latest version first.
#[cfg(any(feature = "lint", feature = "idna"))]
const ADDED: [((u8, u8, u8), char); 3] =
    [((18, 0, 0), '\u{1DF1F}'), ((17, 0, 0), '\u{A7CF}'), ((16, 0, 0), '\u{1C8A}')];

/// Returns the latest version of which a table has a character.
#[cfg(any(feature = "lint", feature = "idna"))]
fn latest(has: impl Fn(char) -> bool) -> DataVersion {
    let found = ADDED.into_iter().find(|(_, c)| has(*c));
    unicode(found.map_or((15, 0, 0), |(version, _)| version))
}

/// Tells whether the tables of `icu_properties`, which are of one version, have a character.
#[cfg(any(feature = "lint", feature = "idna"))]
fn is_assigned(c: char) -> bool {
    CodePointMapData::<GeneralCategory>::new().get(c) != GeneralCategory::Unassigned
}

/// The crates have the numbers of a version as `u8` or as `u64`.
fn unicode<N: TryInto<u8>>((major, minor, update): (N, N, N)) -> DataVersion {
    let number = |n: N| n.try_into().unwrap_or(u8::MAX);
    DataVersion::Unicode(number(major), number(minor), number(update))
}

impl fmt::Display for DataVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unicode(major, minor, update) => write!(f, "{major}.{minor}.{update}"),
            Self::Date(year, month, day) => write!(f, "{year:04}-{month:02}-{day:02}"),
        }
    }
}

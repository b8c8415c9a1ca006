//! The names of values: `named!` gives an enum `ALL`, `name`, `Display`, `FromStr` and serde, and [`UnknownName`] is the
//! error for another name.
//!
//! Not here: the names themselves, which stand beside each enum.
#![forbid(unsafe_code)]

use core::fmt;

/// The error for a text that is not the name of a value of a type.
///
/// ```
/// use simd_iri::Rule;
///
/// assert_eq!("uri-reference".parse(), Ok(Rule::UriReference), "the case of letters does not matter");
/// let error = "url".parse::<Rule>().unwrap_err();
/// assert_eq!(error.to_string(), "not a name of `Rule`; the names are IRI, IRI-reference, absolute-IRI, \
/// irelative-ref, URI, URI-reference, absolute-URI, relative-ref");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UnknownName {
    type_name: &'static str,
    names: &'static [&'static str],
}

impl UnknownName {
    /// Returns the error for a text that is not one of these names.
    #[doc(hidden)]
    pub const fn new(type_name: &'static str, names: &'static [&'static str]) -> Self {
        Self { type_name, names }
    }

    /// Returns the place of a name in `ALL`, or the number of names if there is no such name.
    #[doc(hidden)]
    // One function for all types.
    pub fn place_of(self, name: &str) -> usize {
        let place = self.names.iter().position(|known| known.eq_ignore_ascii_case(name));
        place.unwrap_or(self.names.len())
    }

    /// Returns the names that the type has, in the order of its `ALL`.
    ///
    /// ```
    /// # use simd_iri::Rule;
    /// assert_eq!("url".parse::<Rule>().unwrap_err().names()[0], "IRI");
    /// ```
    #[must_use]
    pub const fn names(self) -> &'static [&'static str] {
        self.names
    }
}

/// The largest number of names that a message lists.
const LISTED: usize = 30;

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { type_name, names } = self;
        write!(f, "not a name of `{type_name}`; ")?;
        if names.len() > LISTED {
            return write!(f, "`{type_name}::ALL` has the values with their names");
        }
        f.write_str("the names are ")?;
        names.iter().enumerate().try_for_each(|(number, name)| {
            write!(f, "{}{name}", if number == 0 { "" } else { ", " })
        })
    }
}

impl core::error::Error for UnknownName {}

/// Gives an enum its names. The first lines document the names, and the string is the path of the enum, with its crate:
///
/// ```text
/// named! {
///     /// Returns the name in lower case.
///     "simd_iri_lint::Severity" Severity { Note = "note", Warning = "warning", Error = "error" }
/// }
/// ```
///
/// It writes `ALL` and `name`, and calls `named!(@text …)` for `Display`, `FromStr` and serde. An enum that another macro
/// writes has its own `ALL` and `name`, and calls `named!(@text …)` itself. An enum whose `Display` is a sentence begins
/// with `@sentence`, which leaves out `Display`. A type whose names are not read calls `named!(@serialize …)`.
#[doc(hidden)]
#[macro_export]
macro_rules! __named {
    (
        $(#[$doc:meta])+
        $path:literal $type:ident {
            $first:ident = $first_name:literal
            $(, $(#[$has:meta])? $variant:ident = $name:literal)* $(,)?
        }
    ) => {
        $crate::__named!(@values $(#[$doc])+ $path $type {
            $first = $first_name $(, $(#[$has])? $variant = $name)*
        });
        $crate::__named!(@text $type, [$first_name $(, $(#[$has])? $name)*]);
    };
    (
        @sentence
        $(#[$doc:meta])+
        $path:literal $type:ident {
            $first:ident = $first_name:literal $(, $variant:ident = $name:literal)* $(,)?
        }
    ) => {
        $crate::__named!(@values $(#[$doc])+ $path $type {
            $first = $first_name $(, $variant = $name)*
        });
        $crate::__named!(@parse $type, [$first_name $(, $name)*]);
    };
    (
        @values
        $(#[$doc:meta])+
        $path:literal $type:ident {
            $first:ident = $first_name:literal $(, $(#[$has:meta])? $variant:ident = $name:literal)*
        }
    ) => {
        impl $type {
            /// All values.
            ///
            /// ```
            #[doc = concat!(" # use ", $path, ";")]
            #[doc = concat!(" assert!(", stringify!($type), "::ALL.iter().all(|value| value.name().parse() == Ok(*value)));")]
            /// ```
            pub const ALL: &'static [Self] = &[Self::$first $(, $(#[$has])? Self::$variant)*];

            $(#[$doc])+
            ///
            /// ```
            #[doc = concat!(" # use ", $path, ";")]
            #[doc = concat!(
                " assert_eq!(", stringify!($type), "::", stringify!($first), ".name(), \"", $first_name, "\");"
            )]
            /// ```
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    Self::$first => $first_name,
                    $($(#[$has])? Self::$variant => $name,)*
                }
            }
        }
    };
    (@text $type:ident, $names:tt) => {
        /// Writes the name.
        impl core::fmt::Display for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.name())
            }
        }
        $crate::__named!(@parse $type, $names);
    };
    (@parse $type:ident, $names:tt) => {
        impl core::str::FromStr for $type {
            type Err = $crate::errors::UnknownName;

            /// Reads the name of a value. The case of ASCII letters does not matter.
            ///
            /// # Errors
            /// No value has this name.
            fn from_str(name: &str) -> Result<Self, Self::Err> {
                let unknown = $crate::errors::UnknownName::new(stringify!($type), &$names);
                Self::ALL.get(unknown.place_of(name)).copied().ok_or(unknown)
            }
        }

        $crate::__named!(@serialize $type);

        /// Reads the name.
        #[cfg(feature = "serde")]
        impl<'de> $crate::low::with_serde::serde::Deserialize<'de> for $type {
            fn deserialize<D: $crate::low::with_serde::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str($crate::low::with_serde::ByName(core::marker::PhantomData))
            }
        }
    };
    (@serialize $type:ident) => {
        /// The name.
        #[cfg(feature = "serde")]
        impl $crate::low::with_serde::serde::Serialize for $type {
            fn serialize<S: $crate::low::with_serde::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }
    };
}
pub use __named as named;

/// Reads a value by its name.
#[cfg(feature = "serde")]
pub struct ByName<T>(pub core::marker::PhantomData<T>);

#[cfg(feature = "serde")]
impl<T: core::str::FromStr<Err = UnknownName>> serde::de::Visitor<'_> for ByName<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a value")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<T, E> {
        name.parse().map_err(E::custom)
    }
}

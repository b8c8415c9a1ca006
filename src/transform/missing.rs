//! The methods of features that this build does not have. A call of such a method is an error of the compiler, and the error
//! names the feature. Without the methods here, the error would say that there is no such method.
//!
//! Each method has a bound that no type meets. The bound is on a type parameter: a bound on a known type would be an error
//! here, and not where the method is called.
#![forbid(unsafe_code)]

/// Makes the methods of one feature. The methods before the semicolon are those of references.
macro_rules! missing {
    (
        $feature:literal $message:literal $note:literal
        $($name:ident($($arg:ident: $any:ident),*)),* ;
        $([$builder:ty] $method:ident($($value:ident: $some:ident),+)),*
    ) => {
        #[cfg(not(feature = $feature))]
        const _: () = {
            #[diagnostic::on_unimplemented(message = $message, label = "needs a feature", note = $note)]
            pub trait Feature {}

            missing!(@ [K: $crate::reference::kind::Kind] $crate::reference::View<'_, K>, K,
                $($name($($arg: $any),*)),*);
            missing!(@ [K: $crate::reference::kind::Kind] $crate::reference::Buf<K>, K,
                $($name($($arg: $any),*)),*);
            missing!(@ [K: $crate::reference::kind::Kind] $crate::reference::Cow<'_, K>, K,
                $($name($($arg: $any),*)),*);
            $(
                impl $builder {
                    #[doc(hidden)]
                    #[must_use]
                    pub fn $method<$($some: Feature),+>(self, $($value: $some),+) -> Self {
                        $(let _ = $value;)+
                        self
                    }
                }
            )*
        };
    };
    (@ [$($generics:tt)*] $owner:ty, $kind:ident, $($name:ident($($arg:ident: $any:ident),*)),*) => {
        impl<$($generics)*> $owner {$(
            #[doc(hidden)]
            pub fn $name<$($any),*>(&self, $($arg: $any),*)
            where
                $kind: Feature,
            {
                $(let _ = $arg;)*
            }
        )*}
    };
}

missing! {
    "check" "this method needs the feature `check` of `simd-iri`" "in Cargo.toml: `features = [\"check\"]`"
    lint(profile: A);
}
missing! {
    "bidi" "this method needs the feature `bidi` of `simd-iri`" "in Cargo.toml: `features = [\"bidi\"]`"
    visual(), visual_offsets();
}
missing! {
    "spoof" "this method needs the feature `spoof` of `simd-iri`" "in Cargo.toml: `features = [\"spoof\"]`"
    skeleton();
}
missing! {
    "psl" "this method needs the feature `psl` of `simd-iri`" "in Cargo.toml: `features = [\"psl\"]`"
    registrable_domain();
}
missing! {
    "idna" "this method needs the feature `idna` of `simd-iri`" "in Cargo.toml: `features = [\"idna\"]`"
    ;
    [crate::transform::ToUri<'_>] idna(on: A), [crate::transform::ToUri<'_>] idna_for(schemes: A),
    [crate::transform::ToIri] idna(on: A), [crate::transform::Normalize] idna(on: A)
}
missing! {
    "charset" "this method needs the feature `charset` of `simd-iri`"
    "in Cargo.toml: `features = [\"charset\"]`. The charsets are those of `simd_iri::encoding_rs`"
    query_pairs_in(charset: A), query_form_in(charset: A), to_posix_path_in(charset: A);
    [crate::transform::ToUri<'_>] query_charset(charset: A, unmappable: B)
}

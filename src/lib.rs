//! Internationalized Resource Identifiers (RFC 3987) and URIs (RFC 3986): parse, validate, resolve, map, normalize,
//! compare and build them. The crates beside it lint, repair, redact and display them, and find them in text.
//!
//! ```
//! use simd_iri::{Host, Iri};
//!
//! let iri = Iri::parse("https://ines@例え.jp:8042/도움말?q=क#top")?;
//! assert_eq!(iri.scheme(), "https");
//! assert_eq!(iri.host(), Some(Host::RegName("例え.jp")));
//! assert_eq!(iri.port_u16(), Some(8042));
//! assert_eq!(iri.path(), "/도움말");
//! assert_eq!(iri.parts().query(), Some(38..43)); // bytes of UTF-8
//!
//! let error = Iri::parse("http://example.org/search?q=a|b").unwrap_err();
//! assert_eq!(error.span(), 29..30);
//! assert_eq!(error.to_string(), "'|' at byte 29 is not allowed in a query; write %7C");
//! # Ok::<(), simd_iri::Error>(())
//! ```
//!
//! What makes a new reference returns a [`Result`], because the new reference may have 4 GiB or more. A mapping to an
//! IRI does not, because it only shortens.
//!
//! ```
//! use simd_iri::{Base, Iri, IriBuf, Level, Normalize, iri};
//!
//! let iri = Iri::parse("HTTP://a.example/b/../%7Ec?é")?;
//! assert_eq!(iri.to_uri()?, "HTTP://a.example/b/../%7Ec?%C3%A9");
//! assert_eq!(iri.to_iri(), "HTTP://a.example/b/../~c?é");
//! assert_eq!(iri.normalize(Normalize::syntax())?, "http://a.example/~c?é");
//! assert!(iri.is_equivalent(iri!("http://a.example/~c?é"), Level::Syntax));
//! assert_eq!(Base::new(iri).resolve("../d")?, "HTTP://a.example/d");
//! assert_eq!(iri.with_path("/50%")?, "HTTP://a.example/50%25?é");
//! assert_eq!(IriBuf::builder().scheme("https").host("é").path("/").build()?, "https://é/");
//!
//! let error = Iri::parse("http://a/b|c").unwrap_err();
//! assert_eq!(error.suggestion().unwrap().apply("http://a/b|c").as_deref(), Some("http://a/b%7Cc"));
//! # Ok::<(), simd_iri::Error>(())
//! ```
//!
//! # Terms
//! | term | meaning | example |
//! | --- | --- | --- |
//! | IRI | has a scheme; may hold characters outside ASCII | `http://例え.jp/é` |
//! | IRI reference | an IRI, or a text that is relative to an IRI | `../é` |
//! | URI | an IRI in ASCII | `http://a/%C3%A9` |
//! | URI reference | an IRI reference in ASCII | `../%C3%A9` |
//! | absolute IRI | an IRI without a fragment | `http://a/b` |
//! | component | scheme, authority (user information, host, port), path, query, fragment | |
//! | triplet | a percent sign and two hexadecimal digits, which stand for one byte | `%C3` |
//! | base | the IRI relative to which a reference is resolved, such as the IRI of its document | `http://a/b` |
//!
//! Every offset in this crate is a byte offset in UTF-8. A reference has at most 4 GiB.
//!
//! # Types
//! | | IRI | IRI reference | URI | URI reference |
//! | --- | --- | --- | --- | --- |
//! | a view: borrowed text and the offsets of its components | [`Iri`] | [`IriRef`] | [`Uri`] | [`UriRef`] |
//! | the owner of such a text | [`IriBuf`] | [`IriRefBuf`] | [`UriBuf`] | [`UriRefBuf`] |
//! | borrowed text alone, 16 bytes | [`thin::IriStr`] | [`thin::IriRefStr`] | [`thin::UriStr`] | [`thin::UriRefStr`] |
//! | owned text alone, 16 bytes | [`thin::IriBox`] | [`thin::IriRefBox`] | [`thin::UriBox`] | [`thin::UriRefBox`] |
//! | shared text alone, 16 bytes | [`thin::IriArc`] | [`thin::IriRefArc`] | [`thin::UriArc`] | [`thin::UriRefArc`] |
//!
//! A mapping returns a [`Mapped`], which borrows the reference if nothing changes: it has `view`, `as_str` and
//! `into_owned`. A view becomes an owner by [`View::to_buf`], or by `into`.
//!
//! All views are one generic type, [`View`]; all owners are [`Buf`]; all texts alone are [`thin::Checked`].
//! A view is `Copy` and has every accessor; an owner has them, too. A type that holds the text alone finds the components
//! again when you ask for a view; it does not validate again. No function, safe or unsafe, makes one of these types from
//! an invalid text.
//!
//! [`Iri`] and [`Uri`] always have a scheme, and [`kind::HasScheme`] is the bound for their two kinds. Other forms have
//! no type: an *absolute IRI* is an IRI without a fragment ([`View::is_absolute`], [`View::without_fragment`],
//! [`Rule::AbsoluteIri`]); a *relative reference* is an [`IriRef`] without a scheme ([`View::has_scheme`],
//! [`Rule::IrelativeRef`]). `Iri::try_from(reference)` succeeds if there is a scheme. An authority alone is the
//! reference `//authority` ([`View::authority_ref`]).
//!
//! # I want to…
//! | task | use |
//! | --- | --- |
//! | parse a text | [`View::parse`], as in `Iri::parse`; [`View::parse_bytes`]; `str::parse` for an owner |
//! | read a component | [`View::scheme`], [`View::authority`], [`View::userinfo`], [`View::host`], [`View::port_u16`], [`View::path`], [`View::segments`], [`View::query`], [`View::fragment`]; [`View::component`]; [`Parts::iter`] with their offsets |
//! | read a host or a port as it is written | [`View::host_str`], [`View::port`] |
//! | ask whether a host is a name or an address | [`Host::kind`] |
//! | read the port, or the default port of the scheme | [`View::port_or_default`] |
//! | connect to the host | [`View::host_and_port`] |
//! | compare or pass on an authority | [`View::authority_ref`] |
//! | decode the segments of a path | [`View::decoded_segments`], where bytes that are not UTF-8 become U+FFFD; [`View::segments`] with [`percent::decode`], where they are an error |
//! | ask about a scheme | [`View::is_scheme`], [`View::has_scheme`], [`View::is_absolute`] |
//! | leave out the fragment | [`View::without_fragment`] |
//! | validate only | [`Rule::is_valid`], [`Rule::validate`]; [`is_iri`], [`is_iri_reference`], [`is_uri`], [`is_uri_reference`] |
//! | write a host in ASCII, or in Unicode | `host_to_ascii`, `host_to_unicode` (feature `idna`) |
//! | ask whether a text is the name of a host | `is_hostname`, `is_idn_hostname` (feature `idna`) |
//! | validate one component | [`component::ComponentRule::is_valid`], [`component::ComponentRule::validate`] |
//! | list every violation of a text | [`Rule::violations`], [`component::ComponentRule::violations`] |
//! | correct a text as an error says | [`Error::suggestion`] |
//! | move an error into a longer text | [`Error::moved_by`] |
//! | read a rule, a level or a profile by its name | `str::parse`, as in `"IRI".parse::<Rule>()` |
//! | write a literal that the compiler checks | [`iri!`], [`iri_ref!`], [`uri!`], [`uri_ref!`] |
//! | parse up to a `>` or another terminator | [`View::parse_until`] |
//! | parse many texts with the same `scheme://authority` | [`parser::Memo`] |
//! | parse a buffer of lines or an Arrow column | [`batch::Batch`]: `count`, `valid`, `parse` with `Item::view`, `columns` |
//! | resolve a relative reference | [`Base::resolve`], [`Base::resolve_into`] |
//! | make an IRI relative to a base | [`Base::relativize`], [`View::relativize`], [`Relativize`] |
//! | map an IRI to a URI | [`View::to_uri`], [`ToUri`]; `ToUri::idna` with domain names (feature `idna`); `ToUri::query_charset` with a legacy charset (feature `charset`) |
//! | map a URI to an IRI | [`View::to_iri`], [`ToIri`]; `ToIri::idna` with domain names (feature `idna`) |
//! | normalize | [`View::normalize`] with [`Normalize`] |
//! | compare, sort, hash, deduplicate | [`View::is_equivalent`], [`Compare::order`], [`Compare::key`], [`Compare::fingerprint`], [`Compare::fingerprint64`] |
//! | build a reference from components | `IriBuf::builder`, [`Builder::build`]; [`Builder::host`] also takes an address; [`Builder::component`], if the component is known at run time |
//! | change one component | [`View::with_path`] and the other `with_` methods; [`Buf::set_path`] and the other `set_` methods |
//! | copy a component of another reference | [`View::encoded_path`], [`View::encoded_query`], [`View::encoded_fragment`]; [`View::encoded`] |
//! | compare, split and decode percent-encoded text | [`component::Encoded`] |
//! | add and remove segments of a path | [`Buf::push_segment`], [`Buf::push_segments`], [`Buf::pop_segment`] |
//! | read and write the pairs of a query | [`View::query_pairs`], [`View::query_value`], [`View::query_values`], [`View::with_query_pairs`], [`Buf::set_query_pairs`]; [`View::query_form`] with [`query::FormPair`], if a plus sign is a space; [`Builder::query_pairs`] of `Builder::from(view)` |
//! | read a query into a struct, and write it from a struct | `query::Pairs::deserialize`, `query::FormPairs::deserialize`, `query::pairs_of` (feature `serde`) |
//! | set, add, remove and sort pairs of a query | [`Buf::set_query_pair`], [`Buf::append_query_pair`], [`Buf::retain_query_pairs`], [`Buf::drop_query_pairs`], [`Buf::sort_query_pairs`]; [`View::without_query_pairs`], which borrows if no pair is removed |
//! | percent-encode or decode a value | [`percent::encode`], as in `percent::encode::<Segment>(text)`; [`percent::Place`], as in `Place::Segment.encode(text)`; [`percent::decode`], as in `percent::decode(text).utf8()` |
//! | turn a file name into an IRI, and back | `IriBuf::from_file_path` and `View::to_file_path` (feature `std`); [`Buf::from_posix_path`], [`Buf::from_windows_path`], [`View::to_posix_path`], [`View::to_windows_path`] |
//! | compare origins | [`View::origin`], [`View::is_same_origin`] |
//! | find the registrable domain of a host | `View::registrable_domain` (feature `psl`) |
//! | write a reference, or a text that is refused, to a log without its password | [`View::masked`], [`masked`] |
//! | write any text to a log without its passwords, signatures and tokens | `simd_iri_redact::Redact::redact`, `simd_iri_redact::Redact::redactions`, `simd_iri_redact::Redact::wrap` |
//! | take a link out of the wrapper of a mail filter or a site | `simd_iri_rules::Unwrap::apply` |
//! | remove the pairs of a query that a list of rules names | `simd_iri_rules::QueryRules::apply` |
//! | make the value of a `Location` of HTTP | `http::HeaderValue::try_from(iri.to_uri()?)` (feature `http`) |
//! | map the references in a `Location` or `Link` of HTTP | [`ToUri::map_field`], [`http_message::Field::references`] |
//! | parse or normalize the target of an HTTP request | [`http_message::TargetForm::parse`], [`http_message::TargetForm::normalize`]; [`http_message::TargetForm::to_reference`] to repair it |
//! | write a reference into HTML, XML, JSON, CSS or N-Triples, and read it | [`document::Document::write`], [`document::Document::read`] |
//! | repair a dirty string | `simd_iri_text::Prepare::prepare`, and `into_iri` or `into_owned` of its result; `simd_iri_text::Prepare::replacements` for an editor |
//! | find links in text | `simd_iri_text::Extract::links`, `simd_iri_text::Extract::ends` |
//! | show a reference to a person | `simd_iri_lint::DisplayIri::map`, `simd_iri_lint::DisplayUts58::map` |
//! | compare what two references look like | `simd_iri_lint::skeleton` |
//! | find out whether a browser shows a host in Unicode | `simd_iri_lint::DisplayPolicy::judge`, `simd_iri_lint::DisplayIri::policy` |
//! | expand a template, or read values back from a reference | `simd_iri_template::Template::expand`, `simd_iri_template::Template::match_uri` |
//! | find the order in which a reference is displayed | `simd_iri_lint::visual`, `simd_iri_lint::Embed::map`, `simd_iri_lint::unembed` |
//! | judge a URL before it is fetched | `simd_iri_judge::Policy::judge`, `simd_iri_judge::Policy::judge_address`, `simd_iri_judge::Policy::judge_redirect` |
//! | report what is risky or not preferred, and fix it | `simd_iri_lint::lint`, `simd_iri_lint::Lint::fix` |
//! | find an address in the index of a web archive | `simd_iri_archive::key`, `simd_iri_archive::Keys::range` |
//! | list what a URI in an unknown charset may mean | `simd_iri_lint::interpret` |
//! | ask which version of Unicode a table has | `DataTable` (features that have tables) |
//!
//! The cookbook ([`guide::cookbook`]) has a program or a command for each of 47 tasks. The folder `examples` of the
//! package has eight small programs.
//!
//! # Names
//! The same idea has the same name everywhere.
//!
//! | name | meaning |
//! | --- | --- |
//! | `parse`, `validate`, `prepare` | takes a `&str`; the same name with `_bytes` takes bytes, which must be UTF-8 |
//! | `to_uri`, `to_iri` and other methods of a view | works with the usual options; the type of the same name ([`ToUri`], [`ToIri`]) has all options. `normalize` takes its rules ([`Normalize`]), `is_equivalent` its [`Level`], and `lint` its profile |
//! | [`ToUri::map`], [`Normalize::map`] and other `map` | returns a new reference, or the given reference if nothing changes. It is a `Result` if the new reference may be longer than a reference may be, or if a host or a character may not be mapped |
//! | `map_into`, `resolve_into` | replaces the content of a buffer, and returns a view of it |
//! | `push_to` | appends to a buffer |
//! | `ToUri::idna`, `ToIri::idna`, `Normalize::idna` | a switch: `idna(true)` treats hosts as domain names |
//! | `ALL`, `name` | the values of an enum, and the name of a value. The name does not change between versions. `Display` writes it, `FromStr` reads it, and so does serde. `simd_iri_text::Broken` displays a sentence; the names of [`parser::CpuLevel`] and `simd_iri_text::LinkKind` are not read |
//! | `Default` | the usual options: [`Normalize::scheme`], [`Level::Scheme`], `simd_iri_lint::Profile::Rfc` |
//! | `as_`, `to_`, `into_` | a borrowed view, a new value, the value itself |
//!
//! # Errors
//! An [`Error`] is a `Copy` value of 16 bytes. [`Error::span`] is the position, [`Error::component`] the component, and
//! [`Error::kind`] the reason. Only its `Display` writes a message. [`Error::suggestion`] is the correction as a value.
//!
//! Some functions have an error of their own. `IriBuf::try_from(text)` fails with [`errors::InvalidText`], which gives the
//! text back; [`View::parse_until`] with [`parser::UntilError`]. Both convert into [`Error`]: `.map_err(Error::from)?`.
//! [`Base::relativize`] fails with [`errors::DotSegment`], [`percent::decode`] with [`percent::DecodeError`], file names
//! with [`errors::FileNameError`]. A function with several of these errors returns `Box<dyn core::error::Error>`.
//!
//! # Cost
//! Parsing, validating and finding the reason of an error take linear time and allocate nothing. If a transformation
//! changes nothing, it borrows its input, and [`Mapped::is_borrowed`] is true. The best CPU level is chosen once at run
//! time ([`parser::CpuLevel`]); every level gives the same answers.
//!
//! # Features
//! | feature | what it adds |
//! | --- | --- |
//! | `std` (default) | detection of the CPU level at run time; names of files of the system |
//! | `serde` | `Serialize` and `Deserialize` of every typed reference, as its text; `Serialize` of errors, parts, counts and columns; both for values with a name, as the name; a query as a struct |
//! | `http` | conversions from and to `http::Uri` and `http::HeaderValue` |
//! | `url` | conversions from and to `url::Url` |
//! | `idna` | hosts as domain names by UTS #46 |
//! | `charset` | references and queries in legacy charsets; `DecodePolicy::Conservative` |
//! | `psl` | registrable domains, by the list of public suffixes in the crate `psl` |
//!
//! Without any feature, the crate is `no_std`, with an allocator. A feature adds items, and never changes an answer.
//! The crate needs Rust 1.85. Its AVX-512 kernel needs Rust 1.89; an older compiler leaves it out.
//!
//! # The crates beside it
//! | crate | what it adds |
//! | --- | --- |
//! | `simd-iri-text` | repairs of strings that are not references; links in running text, by UTS #58 |
//! | `simd-iri-lint` | findings about valid references, their explanations and fixes; look-alikes, the order of display, what browsers show, and references for display |
//! | `simd-iri-redact` | texts without their passwords, signatures and tokens, for logs |
//! | `simd-iri-judge` | verdicts about URLs before they are fetched |
//! | `simd-iri-archive` | keys of web archives: CDX keys and SURTs |
//! | `simd-iri-template` | templates of references (RFC 6570), to expand and to match |
//! | `simd-iri-rules` | links out of the links that mail filters and sites put around them; pairs of queries removed by rules that are read at run time |
//!
//! Each is on its own page. The table of tasks names their items with the name of the crate.
//!
//! # How the crate is built
//! A build script compiles the ABNF of the RFCs into tables. A module imports only modules before it:
//! `tables, error → scan → network → parse → reference → transform → versions → batch`.
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
// Products name `low::Cpu`, and not what a CPU family computes with.
#![expect(
    private_bounds,
    private_interfaces,
    reason = "the crates of products pass on these types, and do not name them"
)]

extern crate alloc;

// The modules stand in the order in which data flows. The blank lines keep the formatter from sorting them.
mod tables;

mod error;

mod scan;

mod network;

mod parse;

mod reference;

mod transform;

pub mod versions;

pub mod batch;

#[doc(hidden)]
pub mod low;

pub use error::{Component, Error, ErrorKind};
// The macros of literals call it.
#[doc(hidden)]
pub use parse::Refusal;
pub use parse::{Parts, Rule};
pub use reference::{
    Buf, Host, Iri, IriBuf, IriRef, IriRefBuf, Mapped, Uri, UriBuf, UriRef, UriRefBuf, View,
    is_iri, is_iri_reference, is_uri, is_uri_reference, kind,
};
pub use transform::{
    Base, BaseBuf, Builder, Compare, DecodePolicy, Level, Masked, Normalize, Origin, Relativize,
    ToIri, ToUri, masked, percent, query,
};

/// Texts in legacy charsets: what is not a text in its charset, and characters that a charset has not.
#[cfg(feature = "charset")]
pub mod charset {
    pub use crate::transform::{LegacyError, Unmappable};
}

/// What a component holds: its rule, the form and the segments of a path, and values for a
/// [`Builder`] or a `with_` method.
pub mod component {
    pub use crate::parse::ComponentRule;
    pub use crate::reference::{PathForm, Segments};
    pub use crate::transform::{Encoded, Value};
}

/// The bounds of functions that take any type with a reference, and what an owner is made of.
pub mod convert {
    pub use crate::reference::{AsView, IntoText, IntoView};
}

/// References in HTML, XML, JSON, CSS and N-Triples, with the escapes of each format.
pub mod document {
    pub use crate::transform::{Document, EscapeError, Format};
}

/// Hosts as domain names, by UTS #46 and IDNA2008.
#[cfg(feature = "idna")]
pub mod domain {
    pub use crate::transform::{host_to_ascii, host_to_unicode, is_hostname, is_idn_hostname};
}

/// The errors of functions that do not fail with an [`Error`], and the correction that an [`Error`] suggests.
pub mod errors {
    #[cfg(any(feature = "http", feature = "url"))]
    pub use crate::error::{ConvertError, ForeignError};
    pub use crate::error::{Edit, InvalidText, UnknownName};
    pub use crate::transform::{DotSegment, FileNameError};
}

/// References in messages of HTTP: the target of a request, and the fields that hold references.
pub mod http_message {
    pub use crate::transform::{Field, FieldReferences, MappedField, Target, TargetForm};
}

/// More ways to parse: texts with the same start, up to a terminator, every violation, at a CPU level.
pub mod parser {
    pub use crate::error::UntilError;
    pub use crate::parse::{Memo, Terminators, Violations};
    pub use crate::scan::CpuLevel;
}

/// References as texts of 16 bytes, without the offsets of their components, to store many. `view()` finds the offsets.
pub mod thin {
    pub use crate::reference::{
        Checked, IriArc, IriBox, IriRefArc, IriRefBox, IriRefStr, IriStr, Text, UriArc, UriBox,
        UriRefArc, UriRefBox, UriRefStr, UriStr,
    };
}

// The crates whose types are in the API, so that users need not depend on the same versions.
#[cfg(feature = "charset")]
pub use encoding_rs;
#[cfg(feature = "http")]
pub use http;
#[cfg(feature = "url")]
pub use url;

/// An [`Iri`] from a literal, checked when it is compiled.
///
/// ```
/// use simd_iri::{Iri, iri};
///
/// const RDF: Iri<'_> = iri!("http://www.w3.org/1999/02/22-rdf-syntax-ns#");
/// assert_eq!(RDF.fragment(), Some(""));
/// ```
///
/// If the text is not an IRI, the compiler prints the reason and its place, here `not an IRI: ' ' at byte 3 is not allowed
/// there`:
///
/// ```compile_fail,E0080
/// simd_iri::iri!("not an IRI");
/// ```
#[macro_export]
macro_rules! iri {
    ($text:expr $(,)?) => {
        $crate::__literal!($crate::Iri, $text)
    };
}

/// An [`IriRef`] from a literal, checked when it is compiled.
///
/// ```
/// assert_eq!(simd_iri::iri_ref!("../a").path(), "../a");
/// ```
///
/// ```compile_fail
/// simd_iri::iri_ref!("1:a");
/// ```
#[macro_export]
macro_rules! iri_ref {
    ($text:expr $(,)?) => {
        $crate::__literal!($crate::IriRef, $text)
    };
}

/// A [`Uri`] from a literal, checked when it is compiled.
///
/// ```
/// assert_eq!(simd_iri::uri!("urn:a").scheme(), "urn");
/// ```
///
/// ```compile_fail
/// simd_iri::uri!("http://a/é");
/// ```
#[macro_export]
macro_rules! uri {
    ($text:expr $(,)?) => {
        $crate::__literal!($crate::Uri, $text)
    };
}

/// A [`UriRef`] from a literal, checked when it is compiled.
///
/// ```
/// assert_eq!(simd_iri::uri_ref!("?a").query(), Some("a"));
/// ```
///
/// ```compile_fail
/// simd_iri::uri_ref!("é");
/// ```
#[macro_export]
macro_rules! uri_ref {
    ($text:expr $(,)?) => {
        $crate::__literal!($crate::UriRef, $text)
    };
}

/// The Rust of the README, run as a test. `tests/api.rs` compares it with that of the repository.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct Readme;

/// The guides of the project, one module for each page. Only the documentation has these modules.
///
/// - [`cookbook`](guide::cookbook): 47 tasks, each with a program or a command.
/// - [`operations`](guide::operations): the name of each operation in Rust, the program, Python, SQL, C and others.
/// - [`upgrading`](guide::upgrading): how a program that handles URIs learns to handle IRIs.
/// - [`prepare`](guide::prepare): where repaired strings differ from what browsers make of them.
/// - [`extract`](guide::extract): which links are found in running text.
/// - [`templates`](guide::templates): templates of references, and how they match.
/// - [`judge`](guide::judge): what speaks against a URL before it is fetched, and what the client must do.
/// - [`redact`](guide::redact): what is redacted before a reference is logged, and what is not.
/// - [`query_rules`](guide::query_rules): which links are unwrapped, and rules for queries that are read at run time.
/// - [`archive`](guide::archive): the keys of web archives, and where tools differ.
/// - [`conformance`](guide::conformance): each requirement of the RFCs, and the test that shows that it is met.
/// - [`threats`](guide::threats): what an attacker cannot do, and the test that shows it.
/// - [`unicode`](guide::unicode): the version of Unicode of each table.
/// - [`glossary`](guide::glossary): the terms of the project that the RFCs do not have.
#[cfg(all(doc, not(doctest)))]
pub mod guide {
    // In Markdown, the first definition of a link counts. So a link between pages leads to a module here, and to a file
    // in the repository, where only the definition at the end of the page exists.
    macro_rules! pages {
        (@file $name:ident) => { concat!("../docs/", stringify!($name), ".md") };
        (@file $name:ident $file:literal) => { concat!("../docs/", $file, ".md") };
        ($($name:ident $(= $file:literal)?)+) => {$(
            #[doc = concat!(
                "[archive.md]: crate::guide::archive\n",
                "[conformance.md]: crate::guide::conformance\n",
                "[glossary.md]: crate::guide::glossary\n",
                "[judge.md]: crate::guide::judge\n",
                "[query-rules.md]: crate::guide::query_rules\n",
                "[redact.md]: crate::guide::redact\n",
                "[links]: crate::guide::conformance#links-in-running-text\n",
                "[threats.md]: crate::guide::threats\n",
                "[unicode.md]: crate::guide::unicode\n",
                "[upgrading.md]: crate::guide::upgrading\n\n",
                include_str!(pages!(@file $name $($file)?)),
            )]
            pub mod $name {}
        )+};
    }
    pages! { cookbook operations upgrading prepare extract templates redact query_rules = "query-rules" judge archive conformance threats unicode glossary }
}

/// What the four macros for literals share.
#[doc(hidden)]
#[macro_export]
macro_rules! __literal {
    ($type:ty, $text:expr) => {
        const {
            match <$type>::parse_const($text) {
                Some(view) => view,
                // The compiler prints the reason.
                None => panic!("{}", <$type>::__refusal($text).as_str()),
            }
        }
    };
}

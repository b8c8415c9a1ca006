//! Edits: a fragment, a path and a host are set, and a pair is appended to the query. Each edit is measured with the
//! parse and the copy before it, and alone. If `fluent-uri` has no method for an edit, it builds the components again.
//! `url` has another language and normalizes, so its texts may be others.

use std::hint::black_box;

use fluent_uri::{
    Iri,
    build::Builder,
    pct_enc::{
        EStr, EString,
        encoder::{IData, IPath, IQuery, IRegName},
    },
};
use simd_iri::IriBuf;
use url::Url;

use crate::compare::{Library, owned, whole};

type FluentBuf = Iri<String>;

/// Returns the libraries of each edit with its heading.
pub fn all(lines: &'static [String]) -> Vec<(String, Vec<Library>)> {
    let mut all = Vec::new();
    add(
        &mut all,
        "set a fragment",
        lines,
        |iri| iri.set_fragment(black_box("section-2")).is_ok(),
        |iri| {
            iri.set_fragment(EStr::new(black_box("section-2")));
            true
        },
        |url| {
            url.set_fragment(Some(black_box("section-2")));
            true
        },
    );
    add(
        &mut all,
        "set a path",
        lines,
        |iri| iri.set_path(black_box("/new/path.html")).is_ok(),
        |iri| rebuilt(iri, None, EStr::new(black_box("/new/path.html")), None),
        |url| {
            url.set_path(black_box("/new/path.html"));
            true
        },
    );
    add(
        &mut all,
        "set a host",
        lines,
        |iri| iri.set_host(black_box("www.example.org")).is_ok(),
        |iri| rebuilt(iri, EStr::new(black_box("www.example.org")), None, None),
        |url| url.set_host(Some(black_box("www.example.org"))).is_ok(),
    );
    add(
        &mut all,
        "append a pair",
        lines,
        |iri| iri.append_query_pair(black_box("page"), black_box("12")).is_ok(),
        |iri| {
            let mut query = EString::<IQuery>::new();
            if let Some(before) = iri.query() {
                query.push_estr(before);
                query.push('&');
            }
            query.encode_str::<IData>(black_box("page"));
            query.push('=');
            query.encode_str::<IData>(black_box("12"));
            rebuilt(iri, None, None, Some(&query))
        },
        |url| {
            url.query_pairs_mut().append_pair(black_box("page"), black_box("12"));
            true
        },
    );
    all
}

/// Adds an edit twice: with the parse and the copy, and alone.
fn add(
    all: &mut Vec<(String, Vec<Library>)>,
    edit: &str,
    lines: &'static [String],
    ours: impl Fn(&mut IriBuf) -> bool + Copy + 'static,
    fluent: impl Fn(&mut FluentBuf) -> bool + Copy + 'static,
    standard: impl Fn(&mut Url) -> bool + Copy + 'static,
) {
    let own_fluent = |line| Iri::parse(line).ok().map(|iri| iri.to_owned());
    all.push((
        format!("{edit}, with parse and copy"),
        vec![
            whole("simd-iri", lines, move |line, buffer| {
                IriBuf::parse(line).is_ok_and(|mut iri| {
                    let is_edited = ours(&mut iri);
                    *buffer = iri.into_string();
                    is_edited
                })
            }),
            whole("fluent-uri", lines, move |line, buffer| {
                own_fluent(line).is_some_and(|mut iri| {
                    let is_edited = fluent(&mut iri);
                    *buffer = iri.into_string();
                    is_edited
                })
            }),
            whole("url", lines, move |line, buffer| {
                Url::parse(line).is_ok_and(|mut url| {
                    let is_edited = standard(&mut url);
                    *buffer = url.into();
                    is_edited
                })
            }),
        ],
    ));
    all.push((
        format!("{edit}, alone"),
        vec![
            owned("simd-iri", lines, |line| IriBuf::parse(line).ok(), ours, IriBuf::as_str),
            owned("fluent-uri", lines, own_fluent, fluent, |iri| iri.as_str()),
            owned("url", lines, |line| Url::parse(line).ok(), standard, Url::as_str),
        ],
    ));
}

/// Builds the components again, with another host, path or query, and replaces the owner.
fn rebuilt(
    iri: &mut FluentBuf,
    host: Option<&EStr<IRegName>>,
    path: Option<&EStr<IPath>>,
    query: Option<&EStr<IQuery>>,
) -> bool {
    let path = path.unwrap_or(iri.path());
    let query = query.or(iri.query());
    let start = Iri::builder().scheme(iri.scheme());
    let built = match (iri.authority(), host) {
        (Some(authority), None) => start
            .authority(authority)
            .path(path)
            .optional(Builder::query, query)
            .optional(Builder::fragment, iri.fragment())
            .build(),
        (Some(authority), Some(host)) => start
            .authority_with(|builder| {
                builder
                    .optional(Builder::userinfo, authority.userinfo())
                    .host(host)
                    .optional(Builder::port, authority.port())
            })
            .path(path)
            .optional(Builder::query, query)
            .optional(Builder::fragment, iri.fragment())
            .build(),
        (None, None) => start
            .path(path)
            .optional(Builder::query, query)
            .optional(Builder::fragment, iri.fragment())
            .build(),
        (None, Some(host)) => start
            .authority_with(|builder| builder.host(host))
            .path(path)
            .optional(Builder::query, query)
            .optional(Builder::fragment, iri.fragment())
            .build(),
    };
    built.is_ok_and(|built| {
        *iri = built;
        true
    })
}

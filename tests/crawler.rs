//! The normal form that a crawler needs, made by the existing options: the cases of crawler-commons.
//!
//! It is not a normal form of the RFCs, because it drops differences that may matter. Each case that does not follow
//! from the options is listed here with the reason.

use simd_iri::{Error, Normalize, ToUri, UriRefBuf};
use simd_iri_text::{Context, Prepare, RepairSet};

use crate::cases;

/// The text that a crawler writes.
fn crawled(text: &str) -> Result<UriRefBuf, Error> {
    let prepare = Prepare::new(RepairSet::Crawler).context(Context::Typed).scheme("http")?;
    let prepared = prepare.prepare(text)?;
    let uri = ToUri::new().idna(true).map(prepared.view())?;
    let mut uri = uri.view().normalize(Normalize::scheme().ipv6(true))?.into_owned();
    uri.set_fragment(None)?;
    if uri.view().userinfo().is_some() {
        uri.set_userinfo(None)?;
    }
    uri.drop_query_pairs(|name| name.is_empty() || name == "phpsessid");
    uri.sort_query_pairs();
    if uri.view().query() == Some("") {
        uri.set_query(None)?;
    }
    Ok(uri)
}

/// The cases that do not follow from the options, by reason.
const OTHERS: [(&str, &[&str]); 5] = [
    (
        "two slashes in a path become one: there is a segment without a character between them, and \
         removing it names something else",
        &[
            "a097aa51a9",
            "8135c8158b",
            "36e4ec32d5",
            "274e755b15",
            "4edc4ad59b",
            "d95da8ff08",
            "feed24e61c",
        ],
    ),
    (
        "no host where the scheme requires one: it is given two slashes, as browsers do, and not \
         fewer",
        &["035b382d1e", "d46c7acb27", "19ab5a5101"],
    ),
    (
        "the dot at the end of a name goes: with it, the name is looked up in another way",
        &["002b6143e4"],
    ),
    ("`b=` becomes `b`: a name with an empty value is another pair", &["740992dce2", "77b451312e"]),
    (
        "the host is shown to people: that is `ToIri::idna`",
        &["152c567e80", "381490c891", "f74b06202d"],
    ),
];

#[derive(serde::Deserialize)]
struct Case {
    id: String,
    input: String,
    expected: Option<String>,
}

#[test]
#[ignore = "reads the cases of another project, which are not in this one"]
fn what_follows_from_options() {
    let (mut same, mut others) = (0, Vec::new());
    for (_, rows) in cases::rows::<Case>(&["convention", "input"]) {
        for case in rows {
            let made = crawled(&case.input).ok().map(UriRefBuf::into_string);
            if made == case.expected {
                same += 1;
            } else {
                println!(
                    "{:?} {:?} {:?} {:?}",
                    case.id,
                    case.input,
                    case.expected,
                    crawled(&case.input)
                );
                others.push(case.id);
            }
        }
    }
    println!("{same} cases follow from options, {} do not", others.len());
    let named = OTHERS.iter().flat_map(|(_, ids)| *ids);
    let mut named: Vec<_> = named.map(|id| format!("crawler-norm-{id}")).collect();
    named.sort();
    others.sort();
    assert_eq!(others, named);
}

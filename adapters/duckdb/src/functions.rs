//! The functions of SQL, each of which calls the library for every row. Not here: DuckDB's interface (`duckdb`).
//!
//! A null argument gives null. A text that does not match its rule gives null, too. The last optional parameter of most
//! functions names that rule as the ABNF does; without it, the rule is `IRI`.

use std::fmt::{Display, Write};
use std::sync::{Arc, Mutex, PoisonError};

use simd_iri::percent::{Place, decode};
use simd_iri::{Base, Compare, Error, Host, Iri, IriRef, Level, Rule, ToIri, ToUri, kind};
use simd_iri_archive as archive;
use simd_iri_archive::Keys;
use simd_iri_judge::Policy;
use simd_iri_lint::{DisplayIri, DisplayUts58};
use simd_iri_lint::{DisplayPolicy, DisplayRule, Lint, Profile};
use simd_iri_redact::{Redact, RedactPart, SecretSet};
use simd_iri_rules::{QueryRules, RuleFormat, Unwrap};
use simd_iri_template as template;
use simd_iri_template::{Match, Template};
use simd_iri_text::{Ends, Extract, Markup, Prepare, RepairSet};

use crate::duckdb::{
    Done, Field, Fields, Function, RecordLists, Records, Rows, Texts, Value, Values, Work,
};

/// All functions, by name.
pub(crate) static FUNCTIONS: &[Function] = &[
    Function {
        name: c"iri_apply_query_rules",
        required: 2,
        optional: 2,
        work: Work::Texts(apply_query_rules),
    },
    Function {
        name: c"iri_archive_key",
        required: 1,
        optional: 1,
        work: Work::Texts(|rows, out| {
            let mut profile = Setting::new(rows, 1, archive::Profile::Pywb, archive_profile);
            let mut key = String::new();
            for row in 0..rows.len() {
                let keys = profile.get(row)?.map(Keys::new).zip(text(rows, row));
                let is_key = keys.is_some_and(|(keys, text)| keys.key_into(text, &mut key));
                out.push(is_key.then_some(key.as_str()))?;
            }
            Ok(())
        }),
    },
    component(c"iri_authority", |rows, out| {
        each(rows, 1, |iri| out.push(iri.and_then(|iri| iri.authority())))
    }),
    Function {
        name: c"iri_display",
        required: 1,
        optional: 2,
        work: Work::Texts(|rows, out| {
            let mut policy = Setting::new(rows, 2, None, |name| policy(name).map(Some));
            each_row(rows, 1, |row, iri| {
                let shape = policy.get(row)?.map(|policy| {
                    let shape = DisplayIri::new();
                    policy.map_or(shape, |policy| shape.policy(policy))
                });
                let shown = shape.zip(iri).and_then(|(shape, iri)| shape.map(iri).ok());
                out.push(shown.as_ref().map(|shown| shown.as_str()))
            })
        }),
    },
    component(c"iri_display_in_text", |rows, out| {
        let shape = DisplayUts58::new();
        each(rows, 1, |iri| out.push(iri.map(|iri| shape.map(iri)).as_deref()))
    }),
    Function {
        name: c"iri_display_rule",
        required: 2,
        optional: 1,
        work: Work::Texts(|rows, out| {
            let mut policy = Setting::new(rows, 1, DisplayPolicy::Chromium, policy);
            each_row(rows, 2, |row, iri| {
                let host = iri.and_then(|iri| iri.host_str());
                let judged = policy.get(row)?.zip(host).map(|(policy, host)| policy.judge(host));
                out.push(judged.and_then(|shown| shown.rule()).map(DisplayRule::name))
            })
        }),
    },
    Function {
        name: c"iri_drop_query_pairs",
        required: 2,
        optional: 1,
        work: Work::Texts(|rows, out| {
            each_row(rows, 2, |row, iri| {
                let made = iri.zip(name(rows, row));
                let made = made.map(|(iri, name)| iri.without_query_pairs(|of| of == name));
                out.push(made.as_ref().map(|made| made.as_str()))
            })
        }),
    },
    Function { name: c"iri_error", required: 1, optional: 1, work: Work::Records(ERROR, error) },
    Function {
        name: c"iri_extract",
        required: 1,
        optional: 2,
        work: Work::RecordLists(LINK, extract),
    },
    Function {
        name: c"iri_fingerprint",
        required: 1,
        optional: 2,
        work: Work::Numbers(|rows, out| {
            let mut level = Setting::new(rows, 1, Level::default(), level);
            each_row(rows, 2, |row, iri| {
                let by = level.get(row)?.map(Compare::new);
                out.push(by.zip(iri).map(|(by, iri)| by.fingerprint64(iri)));
                Ok(())
            })
        }),
    },
    Function {
        name: c"iri_fix",
        required: 1,
        optional: 2,
        work: Work::Texts(|rows, out| {
            let mut profile = Setting::new(rows, 1, Profile::Rfc, profile);
            each_row(rows, 2, |row, iri| {
                let lint = profile.get(row)?.map(Lint::new);
                let fixed = lint.zip(iri).and_then(|(lint, iri)| lint.fix(iri).ok());
                out.push(fixed.as_ref().map(|fixed| fixed.as_str()))
            })
        }),
    },
    component(c"iri_fragment", |rows, out| {
        each(rows, 1, |iri| out.push(iri.and_then(|iri| iri.fragment())))
    }),
    component(c"iri_host", |rows, out| {
        each(rows, 1, |iri| out.push(iri.and_then(|iri| iri.host_str())))
    }),
    test(c"iri_is_hostname", |rows, out| each_test(rows, out, simd_iri::domain::is_hostname)),
    test(c"iri_is_idn_hostname", |rows, out| {
        each_test(rows, out, simd_iri::domain::is_idn_hostname)
    }),
    Function { name: c"iri_judge", required: 1, optional: 0, work: Work::Records(VERDICT, judge) },
    Function {
        name: c"iri_key",
        required: 1,
        optional: 2,
        work: Work::Texts(|rows, out| {
            let mut level = Setting::new(rows, 1, Level::default(), level);
            each_row(rows, 2, |row, iri| {
                let by = level.get(row)?.map(Compare::new);
                out.push(by.zip(iri).and_then(|(by, iri)| by.key(iri).ok()).as_deref())
            })
        }),
    },
    Function {
        name: c"iri_lint",
        required: 1,
        optional: 2,
        work: Work::Lists(|rows, out| {
            let mut profile = Setting::new(rows, 1, Profile::Rfc, profile);
            each_row(rows, 2, |row, iri| {
                let lint = profile.get(row)?.map(Lint::new);
                out.push(|codes| {
                    let found = lint.zip(iri);
                    if let Some((lint, iri)) = &found {
                        lint.each(*iri, |finding| {
                            codes.push(finding.code().name().into());
                        });
                    }
                    found.is_some()
                });
                Ok(())
            })
        }),
    },
    component(c"iri_masked", |rows, out| {
        let mut text = String::new();
        each(rows, 1, |iri| out.push(written(iri.map(|iri| iri.masked()), &mut text)))
    }),
    Function {
        name: c"iri_normalize",
        required: 1,
        optional: 2,
        work: Work::Texts(|rows, out| {
            let mut level = Setting::new(rows, 1, Level::default(), level);
            each_row(rows, 2, |row, iri| {
                let rules = level.get(row)?.map(Level::rules);
                let normal = rules.zip(iri).and_then(|(rules, iri)| rules.map(iri).ok());
                out.push(normal.as_ref().map(|normal| normal.as_str()))
            })
        }),
    },
    component(c"iri_origin", |rows, out| {
        let mut text = String::new();
        each(rows, 1, |iri| out.push(written(iri.and_then(|iri| iri.origin()), &mut text)))
    }),
    Function { name: c"iri_parse", required: 1, optional: 1, work: Work::Records(PARTS, parse) },
    component(c"iri_path", |rows, out| each(rows, 1, |iri| out.push(iri.map(|iri| iri.path())))),
    Function {
        name: c"iri_percent_decode",
        required: 1,
        optional: 0,
        work: Work::Texts(|rows, out| {
            for row in 0..rows.len() {
                let text = text(rows, row);
                out.push(text.and_then(|text| decode(text).utf8().ok()).as_deref())?;
            }
            Ok(())
        }),
    },
    Function {
        name: c"iri_percent_encode",
        required: 1,
        optional: 1,
        work: Work::Texts(|rows, out| {
            let mut place = Setting::new(rows, 1, Place::Segment, place);
            for row in 0..rows.len() {
                let value = place.get(row)?.zip(rows.get(0, row));
                out.push(value.map(|(place, value)| place.encode(value)).as_deref())?;
            }
            Ok(())
        }),
    },
    component(c"iri_port", |rows, out| {
        each(rows, 1, |iri| out.push(iri.and_then(|iri| iri.port())))
    }),
    Function {
        name: c"iri_prepare",
        required: 1,
        optional: 1,
        work: Work::Texts(|rows, out| {
            let mut repairs = Setting::new(rows, 1, RepairSet::BrowserLike, repairs);
            for row in 0..rows.len() {
                let prepare = repairs.get(row)?.map(Prepare::new).zip(rows.get(0, row));
                let prepared = prepare.and_then(|(with, text)| with.prepare_bytes(text).ok());
                let reference = prepared.map(|prepared| prepared.into_reference());
                out.push(reference.as_ref().map(|reference| reference.as_str()))?;
            }
            Ok(())
        }),
    },
    component(c"iri_query", |rows, out| {
        each(rows, 1, |iri| out.push(iri.and_then(|iri| iri.query())))
    }),
    Function {
        name: c"iri_query_value",
        required: 2,
        optional: 1,
        work: Work::Texts(|rows, out| {
            each_row(rows, 2, |row, iri| {
                let value = iri.zip(name(rows, row)).and_then(|(iri, name)| iri.query_value(name));
                out.push(value.as_deref())
            })
        }),
    },
    Function {
        name: c"iri_redact",
        required: 1,
        optional: 2,
        work: Work::Texts(|rows, out| {
            let mut sets = Setting::new(rows, 1, Redact::default(), secret_sets);
            let mut part = Setting::new(rows, 2, RedactPart::Reference, part);
            for row in 0..rows.len() {
                let options = sets.get(row)?.zip(part.get(row)?);
                let redact = options.map(|(redact, part)| redact.part(part));
                let redacted = redact.zip(text(rows, row)).map(|(with, text)| with.redact(text));
                out.push(redacted.as_deref())?;
            }
            Ok(())
        }),
    },
    component(c"iri_registrable_domain", |rows, out| {
        each(rows, 1, |iri| out.push(iri.and_then(|iri| iri.registrable_domain()).as_deref()))
    }),
    Function {
        name: c"iri_relativize",
        required: 2,
        optional: 0,
        work: Work::Texts(|rows, out| {
            with_base(rows, |base, target| {
                let target = target.and_then(|target| Iri::parse_bytes(target).ok());
                let reference = base.zip(target).and_then(|(b, target)| b.relativize(target).ok());
                out.push(reference.as_ref().map(|reference| reference.as_str()))
            })
        }),
    },
    Function {
        name: c"iri_resolve",
        required: 2,
        optional: 0,
        work: Work::Texts(|rows, out| {
            let mut text = String::new();
            with_base(rows, |base, reference| {
                let reference = reference.and_then(|reference| IriRef::parse_bytes(reference).ok());
                let is_made = base
                    .zip(reference)
                    .is_some_and(|(base, of)| base.resolve_into(of, &mut text).is_ok());
                out.push(is_made.then_some(text.as_str()))
            })
        }),
    },
    component(c"iri_scheme", |rows, out| {
        each(rows, 1, |iri| out.push(iri.and_then(|iri| iri.scheme())))
    }),
    component(c"iri_skeleton", |rows, out| {
        each(rows, 1, |iri| out.push(iri.map(simd_iri_lint::skeleton).as_deref()))
    }),
    Function {
        name: c"iri_template_match",
        required: 2,
        optional: 1,
        work: Work::Maps(template_match),
    },
    Function {
        name: c"iri_to_iri",
        required: 1,
        optional: 2,
        work: Work::Texts(|rows, out| {
            let mut host = Setting::new(rows, 1, false, is_idna);
            each_row(rows, 2, |row, iri| {
                let mapping = host.get(row)?.map(|idna| ToIri::new().idna(idna));
                let mapped = mapping.zip(iri).map(|(mapping, iri)| mapping.map(iri));
                out.push(mapped.as_ref().map(|mapped| mapped.as_str()))
            })
        }),
    },
    Function {
        name: c"iri_to_uri",
        required: 1,
        optional: 2,
        work: Work::Texts(|rows, out| {
            let mut host = Setting::new(rows, 1, false, is_idna);
            each_row(rows, 2, |row, iri| {
                let mapping = host.get(row)?.map(|idna| ToUri::new().idna(idna));
                let uri = mapping.zip(iri).and_then(|(mapping, iri)| mapping.map(iri).ok());
                out.push(uri.as_ref().map(|uri| uri.as_str()))
            })
        }),
    },
    Function {
        name: c"iri_unwrap",
        required: 1,
        optional: 2,
        work: Work::Texts(|rows, out| {
            let mut levels = Setting::new(rows, 1, 1, levels);
            each_row(rows, 2, |row, iri| {
                let unwrap = levels.get(row)?.map(|levels| Unwrap::new().levels(levels));
                let link = unwrap.zip(iri).map(|(unwrap, iri)| unwrap.apply(iri));
                out.push(link.as_ref().map(|link| link.reference().as_str()))
            })
        }),
    },
    component(c"iri_userinfo", |rows, out| {
        each(rows, 1, |iri| out.push(iri.and_then(|iri| iri.userinfo())))
    }),
    Function {
        name: c"iri_valid",
        required: 1,
        optional: 1,
        work: Work::Booleans(|rows, out| {
            let mut rule = Setting::new(rows, 1, Rule::Iri, rule);
            for row in 0..rows.len() {
                let text = rule.get(row)?.zip(rows.get(0, row));
                out.push(text.map(|(rule, text)| rule.is_valid_bytes(text)));
            }
            Ok(())
        }),
    },
    Function {
        name: c"iri_violations",
        required: 1,
        optional: 1,
        work: Work::RecordLists(ERROR, violations),
    },
];

/// A function that makes a text of a text and an optional rule.
const fn component(
    name: &'static std::ffi::CStr,
    work: fn(&Rows<'_>, &mut Texts<'_>) -> Done,
) -> Function {
    Function { name, required: 1, optional: 1, work: Work::Texts(work) }
}

/// A function that tests a text, which need not match a rule.
const fn test(
    name: &'static std::ffi::CStr,
    work: fn(&Rows<'_>, &mut Values<'_, bool>) -> Done,
) -> Function {
    Function { name, required: 1, optional: 0, work: Work::Booleans(work) }
}

/// Pushes whether each text passes a test.
fn each_test(rows: &Rows<'_>, out: &mut Values<'_, bool>, test: fn(&str) -> bool) -> Done {
    for row in 0..rows.len() {
        out.push(rows.get(0, row).map(|text| std::str::from_utf8(text).is_ok_and(test)));
    }
    Ok(())
}

/// The fields of `iri_parse`.
const PARTS: Fields = &[
    (c"scheme", Field::Text),
    (c"authority", Field::Text),
    (c"userinfo", Field::Text),
    (c"host", Field::Text),
    (c"host_kind", Field::Text),
    (c"port", Field::Text),
    (c"path", Field::Text),
    (c"query", Field::Text),
    (c"fragment", Field::Text),
];

fn parse(rows: &Rows<'_>, out: &mut Records<'_>) -> Done {
    each(rows, 1, |iri| {
        let parts = iri.map(|iri| {
            let parts = [
                iri.scheme(),
                iri.authority(),
                iri.userinfo(),
                iri.host_str(),
                iri.host().map(Host::kind),
                iri.port(),
                Some(iri.path()),
                iri.query(),
                iri.fragment(),
            ];
            parts.map(|part| part.map(Value::Text))
        });
        out.push(parts.as_ref().map(|parts| parts.as_slice()))
    })
}

/// The fields of `iri_error`, and of each error of `iri_violations`. The offsets are in bytes.
const ERROR: Fields = &[
    (c"kind", Field::Text),
    (c"start", Field::Number),
    (c"end", Field::Number),
    (c"component", Field::Text),
    (c"message", Field::Text),
];

fn error(rows: &Rows<'_>, out: &mut Records<'_>) -> Done {
    let mut rule = Setting::new(rows, 1, Rule::Iri, rule);
    let mut message = String::new();
    for row in 0..rows.len() {
        let text = rule.get(row)?.zip(rows.get(0, row));
        let error = text.and_then(|(rule, text)| rule.parse_bytes(text).err());
        let fields = error.map(|error| described(error, &mut message));
        out.push(fields.as_ref().map(|fields| fields.as_slice()))?;
    }
    Ok(())
}

fn violations(rows: &Rows<'_>, out: &mut RecordLists<'_>) -> Done {
    let mut rule = Setting::new(rows, 1, Rule::Iri, rule);
    let mut message = String::new();
    for row in 0..rows.len() {
        let text = rule.get(row)?.zip(rows.get(0, row));
        out.push(|errors| {
            let found = text.map(|(rule, text)| rule.violations_bytes(text));
            let is_there = found.is_some();
            for error in found.into_iter().flatten() {
                errors.push(&described(error, &mut message));
            }
            is_there
        });
    }
    Ok(())
}

/// The fields of an error. Writes its message over `message`.
fn described(error: Error, message: &mut String) -> [Option<Value<'_>>; 5] {
    let span = error.span();
    [
        Some(Value::Text(error.kind().name())),
        place_of(span.start),
        place_of(span.end),
        Some(Value::Text(error.component().name())),
        written(Some(error), message).map(Value::Text),
    ]
}

/// An offset in bytes. A text of DuckDB has fewer than 4 GiB.
fn place_of<'a>(offset: usize) -> Option<Value<'a>> {
    u32::try_from(offset).ok().map(Value::Number)
}

/// The fields of the links of `iri_extract`. The offsets are in bytes.
const LINK: Fields = &[
    (c"text", Field::Text),
    (c"kind", Field::Text),
    (c"start", Field::Number),
    (c"end", Field::Number),
    (c"reference", Field::Text),
];

fn extract(rows: &Rows<'_>, out: &mut RecordLists<'_>) -> Done {
    let mut markup = Setting::new(rows, 1, Markup::Plain, markup);
    let mut ends = Setting::new(rows, 2, Ends::Strict, ends);
    for row in 0..rows.len() {
        let options = markup.get(row)?.zip(ends.get(row)?);
        let search = options.map(|(markup, ends)| Extract::new().markup(markup).ends(ends));
        let text = text(rows, row);
        out.push(|links| {
            let found = search.zip(text);
            for link in found.into_iter().flat_map(|(search, text)| search.links(text)) {
                let (span, made) = (link.span(), link.prepare().ok());
                links.push(&[
                    Some(Value::Text(link.as_str())),
                    Some(Value::Text(link.kind().name())),
                    place_of(span.start),
                    place_of(span.end),
                    made.as_ref().map(|made| Value::Text(made.view().as_str())),
                ]);
            }
            found.is_some()
        });
    }
    Ok(())
}

/// The fields of `iri_judge`.
const VERDICT: Fields = &[
    (c"decision", Field::Text),
    (c"reasons", Field::Texts),
    (c"scheme", Field::Text),
    (c"host_by_rfc", Field::Text),
    (c"host_by_whatwg", Field::Text),
    (c"port", Field::Number),
    (c"address", Field::Text),
    (c"url_to_send", Field::Text),
];

fn judge(rows: &Rows<'_>, out: &mut Records<'_>) -> Done {
    let policy = Policy::public_web();
    for row in 0..rows.len() {
        let Some(text) = rows.get(0, row) else {
            out.push(None)?;
            continue;
        };
        let verdict = policy.judge_bytes(text);
        let reasons = verdict.reasons().iter().map(|reason| reason.to_string().into());
        let reasons: Vec<_> = reasons.collect();
        let address = verdict.address().map(|address| address.to_string());
        out.push(Some(&[
            Some(Value::Text(verdict.decision().name())),
            Some(Value::Texts(&reasons)),
            verdict.scheme().map(Value::Text),
            verdict.host_by_rfc().map(Value::Text),
            verdict.host_by_whatwg().map(Value::Text),
            verdict.port().map(|port| Value::Number(port.into())),
            address.as_deref().map(Value::Text),
            verdict.url_to_send().map(Value::Text),
        ]))?;
    }
    Ok(())
}

fn template_match(rows: &Rows<'_>, out: &mut RecordLists<'_>) -> Done {
    let mut query = Setting::new(rows, 2, false, is_set);
    // A template is nearly always the same in all rows, and then parsed once.
    let mut last: Option<(&[u8], Template)> = None;
    for row in 0..rows.len() {
        let is_set = query.get(row)?;
        if let Some(text) = rows.get(1, row)
            && last.as_ref().is_none_or(|(of, _)| *of != text)
        {
            last = Some((text, template(text)?));
        }
        let template = rows.get(1, row).and(last.as_ref()).map(|(_, template)| template);
        if is_set == Some(true) && template.is_some_and(|template| !template.ends_in_query()) {
            return Err("the query is a set, and the template does not end in expressions with ? or &, or has another \
                        ?; write ordered"
                .to_owned());
        }
        let with = template.zip(is_set).zip(text(rows, row));
        let captures = with.and_then(|((template, is_set), text)| {
            Match::new().query_as_set(is_set).match_uri(template, text)
        });
        out.push(|entries| {
            for capture in captures.iter().flat_map(|captures| captures.iter()) {
                let texts = match capture.value() {
                    template::Value::Text(text) => std::slice::from_ref(text),
                    template::Value::List(items) => items,
                    template::Value::Map(_) => &[],
                };
                entries.push(&[Some(Value::Text(capture.name())), Some(Value::Texts(texts))]);
            }
            captures.is_some()
        });
    }
    Ok(())
}

fn apply_query_rules(rows: &Rows<'_>, out: &mut Texts<'_>) -> Done {
    let mut format = Setting::new(rows, 2, RuleFormat::Toml, rule_format);
    // The rules are nearly always the same in all rows, and then parsed once.
    let mut last: Option<(&[u8], Arc<QueryRules>)> = None;
    each_row(rows, 3, |row, iri| {
        let given = rows.get(1, row).zip(format.get(row)?);
        if let Some((text, format)) = given
            && last.as_ref().is_none_or(|(of, rules)| {
                // The texts of a constant are at one place.
                rules.format() != format || !(std::ptr::eq(*of, text) || *of == text)
            })
        {
            last = Some((text, query_rules(text, format)?));
        }
        let with = given.and(last.as_ref()).zip(iri);
        let applied = with.map(|((_, rules), iri)| rules.apply(iri));
        out.push(applied.as_ref().map(|applied| applied.reference().as_str()))
    })
}

/// The rules that were parsed last, with their text. Each chunk of a query has the same rules, and a list may take longer to
/// parse than a chunk to compute.
static LAST: Mutex<Option<(Vec<u8>, Arc<QueryRules>)>> = Mutex::new(None);

/// Parses rules, unless they are those that were parsed last.
fn query_rules(text: &[u8], format: RuleFormat) -> Result<Arc<QueryRules>, String> {
    // A panic leaves the rules as they were.
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((of, rules)) = &*last
        && of == text
        && rules.format() == format
    {
        return Ok(Arc::clone(rules));
    }
    let read = std::str::from_utf8(text).map_err(|_| "the rules are not UTF-8".to_owned())?;
    let rules = QueryRules::parse(read, format).map_err(|error| format!("the rules: {error}"))?;
    let rules = Arc::new(rules);
    *last = Some((text.to_owned(), Arc::clone(&rules)));
    Ok(rules)
}

/// Parses a template.
fn template(text: &[u8]) -> Result<Template, String> {
    let text = std::str::from_utf8(text).map_err(|_| "the template is not UTF-8".to_owned())?;
    Template::parse(text).map_err(|error| format!("the template: {error}"))
}

/// Calls `push` for each row: with the text if it matches the rule that argument `rule_at` names, and otherwise with
/// `None`.
#[inline]
fn each<'a>(
    rows: &Rows<'a>,
    rule_at: usize,
    mut push: impl FnMut(Option<IriRef<'a>>) -> Done,
) -> Done {
    each_row(rows, rule_at, |_, iri| push(iri))
}

/// Calls `push` with the number of each row, and with its text if the text matches the rule that argument `rule_at`
/// names.
#[inline]
fn each_row<'a>(
    rows: &Rows<'a>,
    rule_at: usize,
    mut push: impl FnMut(usize, Option<IriRef<'a>>) -> Done,
) -> Done {
    let mut rule = Setting::new(rows, rule_at, Rule::Iri, self::rule);
    for row in 0..rows.len() {
        let text = rule.get(row)?.zip(rows.get(0, row));
        push(row, text.and_then(|(rule, text)| view(rule, text)))?;
    }
    Ok(())
}

/// The bytes as a reference, by a rule.
#[inline]
fn view(rule: Rule, text: &[u8]) -> Option<IriRef<'_>> {
    IriRef::parse_as_bytes(rule, text).ok()
}

/// Writes a value over `text`, and returns the text, if there is a value.
fn written(value: Option<impl Display>, text: &mut String) -> Option<&str> {
    text.clear();
    // A `String` takes every text.
    value.and_then(|value| write!(text, "{value}").ok()).map(|()| text.as_str())
}

/// The text in a row, which need not match a rule. `None` if it is null or not UTF-8.
fn text<'a>(rows: &Rows<'a>, row: usize) -> Option<&'a str> {
    std::str::from_utf8(rows.get(0, row)?).ok()
}

/// The name of a pair of a query in a row, which is argument 1.
fn name<'a>(rows: &Rows<'a>, row: usize) -> Option<&'a str> {
    std::str::from_utf8(rows.get(1, row)?).ok()
}

/// Calls `push` with the base and the bytes of the other argument of each row. If a base equals the base of the row
/// before, it is not parsed again.
fn with_base<'a>(
    rows: &Rows<'a>,
    mut push: impl FnMut(Option<Base<'a, kind::Iri>>, Option<&'a [u8]>) -> Done,
) -> Done {
    let read = |base: &'a [u8]| Iri::parse_bytes(base).ok().map(Base::from);
    let mut last: Option<(&[u8], Option<Base<'_, kind::Iri>>)> = None;
    for row in 0..rows.len() {
        let base = rows.get(0, row).and_then(|text| match last {
            Some((of, base)) if of == text => base,
            _ => {
                let base = read(text);
                last = Some((text, base));
                base
            }
        });
        push(base, rows.get(1, row))?;
    }
    Ok(())
}

/// An optional argument that names a value. If a name equals the name of the row before, it is not read again.
struct Setting<'r, 'a, T> {
    rows: &'r Rows<'a>,
    at: usize,
    is_there: bool,
    last: (&'a [u8], T),
    read: fn(&str) -> Result<T, String>,
}

impl<'r, 'a, T: Copy> Setting<'r, 'a, T> {
    /// Argument `at`, or `default` if the calls do not have it.
    fn new(rows: &'r Rows<'a>, at: usize, default: T, read: fn(&str) -> Result<T, String>) -> Self {
        // No value has an empty name. So the first name is read, and an empty name is an error in every row.
        Self { rows, at, is_there: rows.has(at), last: (&[], default), read }
    }

    /// The value in a row, or `None` if it is null.
    ///
    /// # Errors
    /// No value has this name.
    #[inline(always)]
    fn get(&mut self, row: usize) -> Result<Option<T>, String> {
        if self.is_there { self.named(row) } else { Ok(Some(self.last.1)) }
    }

    #[inline(never)]
    fn named(&mut self, row: usize) -> Result<Option<T>, String> {
        let Some(name) = self.rows.get(self.at, row) else { return Ok(None) };
        if name.is_empty() || name != self.last.0 {
            let value = (self.read)(&String::from_utf8_lossy(name))?;
            self.last = (name, value);
        }
        Ok(Some(self.last.1))
    }
}

fn rule(name: &str) -> Result<Rule, String> {
    name.parse().map_err(|_| unknown("rule", name, Rule::ALL.iter().map(|rule| rule.name())))
}

fn level(name: &str) -> Result<Level, String> {
    let found = Level::ALL.iter().copied().find(|level| level.name() == name);
    found.ok_or_else(|| unknown("level", name, Level::ALL.iter().map(|level| level.name())))
}

fn profile(name: &str) -> Result<Profile, String> {
    let found = Profile::ALL.iter().copied().find(|profile| profile.name() == name);
    found.ok_or_else(|| unknown("profile", name, Profile::ALL.iter().map(|known| known.name())))
}

fn markup(name: &str) -> Result<Markup, String> {
    let found = Markup::ALL.iter().copied().find(|markup| markup.name() == name);
    found.ok_or_else(|| unknown("markup", name, Markup::ALL.iter().map(|markup| markup.name())))
}

fn ends(name: &str) -> Result<Ends, String> {
    let found = Ends::ALL.iter().copied().find(|ends| ends.name() == name);
    let known = || Ends::ALL.iter().map(|ends| ends.name());
    found.ok_or_else(|| unknown("way in which links end", name, known()))
}

fn policy(name: &str) -> Result<DisplayPolicy, String> {
    let found = DisplayPolicy::ALL.iter().copied().find(|policy| policy.name() == name);
    found.ok_or_else(|| unknown("policy", name, DisplayPolicy::ALL.iter().map(|it| it.name())))
}

fn secret_sets(names: &str) -> Result<Redact<'static>, String> {
    let known = || SecretSet::ALL.iter().map(|set| set.name());
    Redact::by_names(names).map_err(|_| unknown("set of keys", names, known()))
}

fn part(name: &str) -> Result<RedactPart, String> {
    let found = RedactPart::ALL.iter().copied().find(|part| part.name() == name);
    found.ok_or_else(|| unknown("part", name, RedactPart::ALL.iter().map(|part| part.name())))
}

fn archive_profile(name: &str) -> Result<archive::Profile, String> {
    let all = archive::Profile::ALL.iter().copied();
    let found = all.clone().find(|profile| profile.name() == name);
    found.ok_or_else(|| unknown("profile", name, all.map(archive::Profile::name)))
}

fn rule_format(name: &str) -> Result<RuleFormat, String> {
    let found = RuleFormat::ALL.iter().copied().find(|format| format.name() == name);
    found.ok_or_else(|| unknown("format", name, RuleFormat::ALL.iter().map(|it| it.name())))
}

/// How many wrappers around one another are unwrapped.
fn levels(name: &str) -> Result<u8, String> {
    let all = ["1", "2", "3", "4", "5"];
    let found = (1..).zip(all).find(|(_, known)| *known == name);
    found
        .map(|(levels, _)| levels)
        .ok_or_else(|| unknown("number of levels", name, all.into_iter()))
}

/// Whether the pairs of a query may be in any order.
fn is_set(name: &str) -> Result<bool, String> {
    match name {
        "ordered" => Ok(false),
        "set" => Ok(true),
        _ => Err(unknown("query", name, ["ordered", "set"].into_iter())),
    }
}

fn place(name: &str) -> Result<Place, String> {
    let found = Place::ALL.iter().copied().find(|place| place.name() == name);
    found.ok_or_else(|| unknown("place", name, Place::ALL.iter().map(|place| place.name())))
}

fn repairs(name: &str) -> Result<RepairSet, String> {
    let found = RepairSet::ALL.iter().copied().find(|set| set.name() == name);
    found.ok_or_else(|| unknown("profile", name, RepairSet::ALL.iter().map(|set| set.name())))
}

/// Whether hosts are mapped by UTS #46, and not percent-encoded.
fn is_idna(name: &str) -> Result<bool, String> {
    match name {
        "percent" => Ok(false),
        "idna" => Ok(true),
        _ => Err(unknown("form of hosts", name, ["percent", "idna"].into_iter())),
    }
}

/// The error about an unknown name. The error repeats the name only if it looks like a name, because an address in its
/// place may have a password.
fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<_> = known.collect();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let shown = match name {
        name if name.len() <= 32 && name.bytes().all(is_word) => format!("{what} {name:?}"),
        _ => format!("such {what}"),
    };
    format!("there is no {shown}; known are {}", known.join(", "))
}

"""A function of one text gives what the function of a column gives for that row: the same values, and an error where the row is
null. On generated texts, and on the texts of the cases.
"""

import re
import urllib.parse

import pyarrow
import pytest
from conftest import texts
from hypothesis import given, settings
from hypothesis import strategies as st
from sql import VALUES, template_map
from test_references import REFERENCES

import simd_iri
from simd_iri import Iri, IriError, IriRef, Policy, QueryRules, Template, Uri, UriRef, arrow


def links(text, markup, ends="strict"):
    return [
        {**link._asdict(), "start": in_bytes(text, link.start), "end": in_bytes(text, link.end)}
        for link in simd_iri.extract(text, markup, ends=ends)
    ]


def replaced(text, options):
    """The text with the replacement of the options in each range of `redactions`."""
    kept, end = "", 0
    for found in simd_iri.redactions(text, **options):
        kept += text[end : found.start]
        end = found.end
        kept += simd_iri.redact(text[found.start : found.end], **options) if found.reason == "data" else options["replacement"]
    return kept + text[end:]


def verdict(text, policy):
    """The verdict about a text as a column has it: the names of the reasons."""
    found = simd_iri.judge(text, policy)
    return {**found._asdict(), "reasons": [reason.name for reason in found.reasons]}


def values(text, template, query_as_set):
    """The values of a template as a column has them: a list for each variable."""
    template = Template(template)
    found = template.match(text, query_as_set=query_as_set)
    if found is None:
        return None
    lists = {name: [value] if isinstance(value, str) else value for name, value in found.items()}
    return {name: lists.get(name) for name in template.variables}


def there(values):
    """The values that are not `None`."""
    return values and {name: value for name, value in values.items() if value is not None}


# User information has one replacement, so that a test knows what stands in a range.
REDACTIONS = [
    {"sets": [sets], "part": part, "userinfo": "password", "replacement": "*", "nested": nested}
    for sets, part, nested in [
        ("otel", "reference", 0),
        ("oauth", "target", 1),
        ("common", "text", 2),
        ("common", "query", 0),
    ]
]
POLICY = Policy(
    schemes=["http", "ftp"],
    ports=[80, 8080],
    strip_userinfo=True,
    permit_ranges=["127.0.0.0/8"],
    refuse_domains=["example"],
)
TEMPLATES = [
    (template, query_as_set)
    for template in [*VALUES["template"], "{?q}", "{scheme}:{+rest}{?q*}"]
    for query_as_set in (False, True)
]


def errors(text, rule):
    """The violations of a text without their messages, which name offsets in characters."""
    return [
        {
            "kind": error.kind,
            "start": in_bytes(text, error.start),
            "end": in_bytes(text, error.end),
            "component": error.component,
        }
        for error in simd_iri.violations(text, rule)
    ]


def without_messages(rows, rule):
    """A column of violations without their messages, which name offsets in bytes."""
    made = arrow.violations(rows, rule).to_pylist()
    assert all(error.pop("message") for row in made for error in row)
    return pyarrow.array(made, ERRORS)


ERRORS = pyarrow.list_(
    pyarrow.struct(
        [
            ("kind", pyarrow.string()),
            ("start", pyarrow.uint32()),
            ("end", pyarrow.uint32()),
            ("component", pyarrow.string()),
        ]
    )
)


def in_bytes(text, character):
    return len(text[:character].encode())


CLASSES = {"iri": Iri, "iri-reference": IriRef, "uri": Uri, "uri-reference": UriRef}


# What stays in each place, beside letters, digits and `-._~`.
DELIMITERS = "!$&'()*+,;="
SAFE = {
    "unreserved": "",
    "userinfo": DELIMITERS + ":",
    "reg-name": DELIMITERS,
    "path": DELIMITERS + ":@/",
    "segment": DELIMITERS + ":@",
    "segment-nc": DELIMITERS + "@",
    "query": DELIMITERS + ":@/?",
    "query-part": "!$'()*,:@/?",
    "fragment": DELIMITERS + ":@/?",
}


def decoded(text, _):
    """The text with decoded triplets; `None` if a percent sign begins none, or if the bytes are not UTF-8."""
    if re.search("%(?![0-9A-Fa-f]{2})", text):
        return None
    try:
        return urllib.parse.unquote(text, errors="strict")
    except UnicodeDecodeError:
        return None


def without_settings(one, column):
    """A pair for functions without a setting."""
    return lambda text, _: one(text), lambda rows, _: column(rows), [None]


RULES = [
    QueryRules("[[drop]]\nnames = ['q', 'a*']\n[[wrapper]]\nhost = '*.example'\nparameter = 'q'"),
    QueryRules("$removeparam=q\n@@||example.org^$removeparam\n$removeparam=/^[ab]/", "adguard", keep_mark=True),
    QueryRules('{"providers": {"a": {"urlPattern": "^", "rules": ["q|b"], "referralMarketing": ["a"]}}}', "clearurls"),
]

# For each function: of one text, of a column, and the values of the settings.
PAIRS = {
    "is_valid": (simd_iri.is_valid, arrow.is_valid, VALUES["rule"]),
    "normalize": (
        simd_iri.normalize,
        lambda rows, level: arrow.normalize(rows, level, "iri-reference"),
        VALUES["level"],
    ),
    "to_uri": (
        lambda text, idna: simd_iri.to_uri(text, idna=idna),
        lambda rows, idna: arrow.to_uri(rows, idna=idna, rule="iri-reference"),
        [False, True],
    ),
    "to_iri": (
        lambda text, idna: simd_iri.to_iri(text, idna=idna),
        lambda rows, idna: arrow.to_iri(rows, idna=idna, rule="iri-reference"),
        [False, True],
    ),
    "registrable_domain": (simd_iri.registrable_domain, arrow.registrable_domain, VALUES["rule"]),
    "host_kind": (simd_iri.host_kind, arrow.host_kind, VALUES["rule"]),
    "display": (simd_iri.display, arrow.display, VALUES["rule"]),
    "origin": (simd_iri.origin, arrow.origin, VALUES["rule"]),
    "query_value": (simd_iri.query_value, arrow.query_value, ["q", "a", "b", "é", ""]),
    "query_value by rule": (
        lambda text, rule: simd_iri.query_value(text, "a", rule),
        lambda rows, rule: arrow.query_value(rows, "a", rule),
        VALUES["rule"],
    ),
    "drop_query_pairs": (
        simd_iri.drop_query_pairs,
        lambda rows, names: arrow.drop_query_pairs(rows, names, "iri-reference"),
        [[], ["q"], ["a", "é", ""]],
    ),
    "unwrap": (
        lambda text, with_rules: simd_iri.unwrap(text, with_rules[0], rules=with_rules[1]),
        lambda rows, with_rules: arrow.unwrap(rows, with_rules[0], "iri-reference", rules=with_rules[1]),
        [(0, None), (1, None), (5, RULES[0])],
    ),
    "apply_query_rules of QueryRules": (
        lambda text, rules: rules.apply(text),
        lambda rows, rules: arrow.apply_query_rules(rows, rules, "iri-reference"),
        RULES,
    ),
    # Of one text, `masked` takes every text.
    "masked": (
        lambda text, rule: simd_iri.masked(CLASSES[rule](text)),
        arrow.masked,
        ["iri", "iri-reference", "uri", "uri-reference"],
    ),
    "skeleton": (simd_iri.skeleton, arrow.skeleton, VALUES["rule"]),
    "fix": (
        lambda text, profile: simd_iri.fix(text, profile, "iri"),
        arrow.fix,
        VALUES["profile"],
    ),
    "fix by rule": (
        lambda text, rule: simd_iri.fix(text, "crawler", rule),
        lambda rows, rule: arrow.fix(rows, "crawler", rule),
        VALUES["rule"],
    ),
    "is_hostname": without_settings(simd_iri.is_hostname, arrow.is_hostname),
    "is_idn_hostname": without_settings(simd_iri.is_idn_hostname, arrow.is_idn_hostname),
    # Python has these itself.
    "percent_encode of Python": (
        lambda text, place: urllib.parse.quote(text, safe=SAFE[place]),
        arrow.percent_encode,
        [*SAFE],
    ),
    "percent_decode of Python": (decoded, lambda rows, _: arrow.percent_decode(rows), [None]),
    "key": (simd_iri.key, arrow.key, VALUES["level"]),
    "key by rule": (
        lambda text, rule: simd_iri.key(text, rule=rule),
        lambda rows, rule: arrow.key(rows, rule=rule),
        VALUES["rule"],
    ),
    "display_in_text": (simd_iri.display_in_text, arrow.display_in_text, VALUES["rule"]),
    "fingerprint": (simd_iri.fingerprint, arrow.fingerprint, VALUES["level"]),
    "fingerprint by rule": (
        lambda text, rule: simd_iri.fingerprint(text, rule=rule),
        lambda rows, rule: arrow.fingerprint(rows, rule=rule),
        VALUES["rule"],
    ),
    "resolve": (
        lambda text, base: simd_iri.resolve(base, text),
        lambda rows, base: arrow.resolve(base, rows),
        ["http://a/b/c", "http://例え.jp", "a:b"],
    ),
    "resolve base": (
        lambda text, reference: simd_iri.resolve(text, reference),
        lambda rows, reference: arrow.resolve(rows, [reference] * len(rows)),
        ["../d", "", "?é"],
    ),
    "relativize": (
        lambda text, base: simd_iri.relativize(base, text),
        lambda rows, base: arrow.relativize(base, rows),
        ["http://a/b/c", "http://例え.jp", "a:b"],
    ),
    "display by policy": (
        lambda text, policy: simd_iri.display(text, policy=policy),
        lambda rows, policy: arrow.display(rows, policy=policy),
        VALUES["policy"],
    ),
    "display_rule": (simd_iri.display_rule, arrow.display_rule, VALUES["policy"]),
    "display_rule by rule": (
        lambda text, rule: simd_iri.display_rule(text, "chromium", rule),
        lambda rows, rule: arrow.display_rule(rows, "chromium", rule),
        VALUES["rule"],
    ),
    "redact": (
        lambda text, options: simd_iri.redact(text, **options),
        lambda rows, options: arrow.redact(rows, **options),
        REDACTIONS,
    ),
    # What is left, with a replacement in each of the ranges.
    "redact by ranges": (replaced, lambda rows, options: arrow.redact(rows, **options), REDACTIONS),
    "archive_key": (simd_iri.archive_key, arrow.archive_key, VALUES["archive"]),
    "judge": (verdict, arrow.judge, [None, POLICY]),
    "template_match of Template": (
        lambda text, options: values(text, *options),
        lambda rows, options: arrow.template_match(rows, options[0], query_as_set=options[1]),
        TEMPLATES,
    ),
    "template_match as a map": (
        lambda text, options: there(values(text, *options)),
        lambda rows, options: template_map(rows, *options),
        TEMPLATES,
    ),
    "extract by ends": (
        lambda text, ends: links(text, "markdown", ends),
        lambda rows, ends: arrow.extract(rows, "markdown", ends=ends),
        VALUES["ends"],
    ),
    "violations": (errors, without_messages, VALUES["rule"]),
    "extract": (links, arrow.extract, ["plain", "log", "markdown", "html"]),
    "prepare": (
        lambda text, profile: simd_iri.prepare(text, profile).text,
        arrow.prepare,
        VALUES["repairs"],
    ),
    "lint": (
        lambda text, profile: [finding.code for finding in simd_iri.lint(text, profile, "iri")],
        arrow.lint,
        VALUES["profile"],
    ),
}
COMPONENTS = ("scheme", "authority", "userinfo", "host", "path", "query", "fragment")


def assert_agree(name, rows, setting):
    one, column, _ = PAIRS[name]

    def answer(text):
        try:
            return one(text, setting)
        except IriError:
            return None

    assert column(rows, setting).to_pylist() == [answer(row) for row in rows]


def test_all_functions_with_a_column_are_compared():
    both = set(arrow.__all__) & set(simd_iri.__all__)
    assert both == {name for name in PAIRS if " " not in name}


@pytest.mark.parametrize("name, setting", [(name, setting) for name in PAIRS for setting in PAIRS[name][2]])
def test_cases(name, setting):
    assert_agree(name, texts(), setting)


@pytest.mark.parametrize("name", PAIRS)
@given(rows=st.lists(st.one_of(REFERENCES, st.text(max_size=30)), max_size=6), data=st.data())
@settings(max_examples=40)
def test_generated_texts(name, rows, data):
    assert_agree(name, rows, data.draw(st.sampled_from(PAIRS[name][2])))


def assert_components_and_errors_agree(rows):
    errors = arrow.error(rows, "iri-reference").to_pylist()
    parts = [getattr(arrow, name)(rows, "iri-reference").to_pylist() for name in COMPONENTS]
    kinds = arrow.host_kind(rows, "iri-reference").to_pylist()
    ports = arrow.port(rows, "iri-reference").to_pylist()
    for row, error, kind, port, *of_row in zip(rows, errors, kinds, ports, *parts):
        try:
            one = simd_iri.IriRef(row)
        except IriError as found:
            assert (found.kind, found.component) == (error["kind"], error["component"])
            assert in_bytes(row, found.start) == error["start"]
            assert of_row == [None] * len(COMPONENTS) and (kind, port) == (None, None)
            continue
        assert error is None
        assert of_row == [getattr(one, name) for name in COMPONENTS]
        assert (kind is None) == (one.host is None)
        assert one.port == (int(port) if port else None)


def test_components_and_errors_of_cases():
    assert_components_and_errors_agree(texts())


@given(st.lists(REFERENCES, max_size=6))
def test_components_and_errors_of_generated_texts(rows):
    assert_components_and_errors_agree(rows)


@given(st.lists(REFERENCES, max_size=6), st.sampled_from(VALUES["rule"]))
def test_a_component_has_a_function(rows, rule):
    parsed = arrow.parse(rows, rule).to_pylist()
    for name in (*COMPONENTS, "port", "host_kind"):
        column = getattr(arrow, name)(rows, rule).to_pylist()
        assert column == arrow.component(rows, name, rule).to_pylist()
        assert column == [parts and parts[name] for parts in parsed]

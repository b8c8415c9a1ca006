"""Calls of the functions of SQL, and what each must return, for the tests of all engines.

The table of parameters is that of adapters/duckdb/README.md. A result is that of a kernel for one row; no call here has two
rows, so that it does not depend on how an engine forms columns. Not here: an engine.
"""

import random

from simd_iri import QueryRules, _native, arrow

template_map = _native.arrow.template_map

# The parameters; those with a question mark may be left out.
PARAMETERS = {
    "iri_valid": "text rule?",
    "iri_parse": "text rule?",
    "iri_error": "text rule?",
    "iri_violations": "text rule?",
    **{
        f"iri_{part}": "text rule?"
        for part in ("scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment")
    },
    "iri_normalize": "text level? rule?",
    "iri_key": "text level? rule?",
    "iri_fingerprint": "text level? rule?",
    "iri_to_uri": "text form? rule?",
    "iri_to_iri": "text form? rule?",
    "iri_resolve": "base text",
    "iri_relativize": "base text",
    "iri_registrable_domain": "text rule?",
    "iri_origin": "text rule?",
    "iri_query_value": "text name rule?",
    "iri_drop_query_pairs": "text name rule?",
    "iri_unwrap": "text levels? rule?",
    "iri_apply_query_rules": "text rules format? rule?",
    "iri_masked": "text rule?",
    "iri_prepare": "text repairs?",
    "iri_extract": "text markup? ends?",
    "iri_redact": "text set? part?",
    "iri_archive_key": "text archive?",
    "iri_template_match": "text template query?",
    "iri_judge": "text",
    "iri_lint": "text profile? rule?",
    "iri_fix": "text profile? rule?",
    "iri_skeleton": "text rule?",
    "iri_percent_encode": "text place?",
    "iri_percent_decode": "text",
    "iri_is_hostname": "text",
    "iri_is_idn_hostname": "text",
    "iri_display": "text rule? policy?",
    "iri_display_rule": "text policy rule?",
    "iri_display_in_text": "text rule?",
}

TEXTS = [
    "http://u:p@www.example.co.uk:80/a/../%7eb?q=%C3%A9&r#f",
    "HTTP://BÜCHER.example:8080/é?q=1+2&q=3",
    "https://xn--bcher-kva.example/%C3%A9",
    "urn:isbn:0451450523",
    "../a/./b?q",
    "//a/",
    "",
    "http://a/b|c",
    "http://a/b c",
    "http:\\\\a\\b",
    "http://a:b/",
    "http://[::1]/",
    "See example.com/a(b)! [a](http://a.example/\\(b), <a href='é?a&amp;b'>x</a> and ann@example.org.",
    "http://a/%FF?%",
    "www.example.com",
    "例え.jp",
    "http://例え.jp/" + "é" * 200,
    "请看http://a.example/苹果（公司）！还有http://b.com、http://c.example/d了解",
    "http://аст.com:99999/?sig=x&code=1,2",
    "http://127.1/x,y?r=1&q=2&q=%C3%A9",
    "/a/b/c?q=1&code=2",
    "https://www.google.com/url?q=https%3A%2F%2Fl.instagram.com%2F%3Fu%3Dhttps://a.example/%3Fq&r=2",
    "https://l.facebook.com/l.php?u=javascript%3Aalert(1)&q",
]
VALUES = {
    "text": TEXTS,
    "base": ["http://a/b/c", "http://www.example.co.uk/a/x", "b/c", "http://例え.jp"],
    "rule": ["IRI", "IRI-reference", "absolute-IRI", "irelative-ref", "URI", "uri-reference", "Absolute-Uri", "relative-ref"],
    "level": ["simple", "syntax", "scheme", "scheme-idna"],
    "form": ["percent", "idna"],
    "markup": ["plain", "log", "markdown", "html"],
    "place": ["userinfo", "reg-name", "path", "segment", "segment-nc", "query", "query-part", "fragment", "unreserved"],
    "name": ["q", "r", "é", ""],
    "profile": ["rfc", "rdf", "json-schema", "crawler", "strict"],
    "repairs": ["strict", "leiri", "browser-like", "crawler", "rdf"],
    "archive": ["wayback", "pywb", "heritrix", "urlcanon", "ssurt"],
    "policy": ["chromium", "firefox"],
    # The empty text is the default.
    "set": ["", "none", "otel", "otel,aws-sigv4", "oauth", "common"],
    "part": ["reference", "target", "query", "text"],
    "ends": ["strict", "tight", "ascii"],
    # Each ends in a query, so that the query may be a set.
    "template": ["{+a}{?q}", "{/b*}{?q,r*}", "http://{host}/{+path}{?q}{&code}"],
    "query": ["ordered", "set"],
    "levels": ["1", "2", "5"],
    # A list of filters is read as each text is, and has the rules with `removeparam`.
    "rules": ["[[drop]]\nnames = ['q']", "[[drop]]\npatterns = ['[a-r]']\n#$removeparam=r", "#||example^$removeparam"],
    "format": ["toml", "adguard"],
}

# The lists of names that such a text is.
SETS = {names: names.split(",") for names in VALUES["set"]} | {"": None, "none": []}

ONE = {
    "iri_valid": arrow.is_valid,
    "iri_parse": arrow.parse,
    "iri_error": arrow.error,
    "iri_violations": arrow.violations,
    "iri_normalize": arrow.normalize,
    "iri_key": arrow.key,
    "iri_fingerprint": arrow.fingerprint,
    "iri_to_uri": lambda rows, form="percent", rule="iri": arrow.to_uri(rows, idna=form == "idna", rule=rule),
    "iri_to_iri": lambda rows, form="percent", rule="iri": arrow.to_iri(rows, idna=form == "idna", rule=rule),
    "iri_resolve": lambda rows, base: arrow.resolve(rows, [base]),
    "iri_relativize": lambda rows, base: arrow.relativize(rows, [base]),
    "iri_registrable_domain": arrow.registrable_domain,
    "iri_origin": arrow.origin,
    "iri_query_value": arrow.query_value,
    "iri_drop_query_pairs": lambda rows, name, rule="iri": arrow.drop_query_pairs(rows, [name], rule),
    "iri_unwrap": lambda rows, levels="1", rule="iri": arrow.unwrap(rows, int(levels), rule),
    "iri_apply_query_rules": lambda rows, rules, format="toml", rule="iri": arrow.apply_query_rules(
        rows, QueryRules(rules, format), rule
    ),
    "iri_masked": arrow.masked,
    "iri_prepare": arrow.prepare,
    "iri_extract": lambda rows, markup="plain", ends="strict": arrow.extract(rows, markup, ends=ends),
    "iri_redact": lambda rows, set="", part="reference": arrow.redact(rows, SETS[set], part=part),
    "iri_archive_key": arrow.archive_key,
    "iri_template_match": lambda rows, template, query="ordered": template_map(rows, template, query == "set"),
    "iri_judge": arrow.judge,
    "iri_lint": arrow.lint,
    "iri_fix": arrow.fix,
    "iri_skeleton": arrow.skeleton,
    "iri_percent_encode": arrow.percent_encode,
    "iri_percent_decode": arrow.percent_decode,
    "iri_is_hostname": arrow.is_hostname,
    "iri_is_idn_hostname": arrow.is_idn_hostname,
    "iri_display": lambda rows, rule="iri", policy=None: arrow.display(rows, rule, policy=policy),
    "iri_display_rule": arrow.display_rule,
    "iri_display_in_text": arrow.display_in_text,
}


def expected(name, arguments):
    """The result of a call. A null argument gives null."""
    if None in arguments:
        return None
    text, *settings = arguments
    if name in ONE:
        return ONE[name]([text], *settings).to_pylist()[0]
    return arrow.component([text], name.removeprefix("iri_"), *settings).to_pylist()[0]


def calls(rows=60):
    """Each function with each number of arguments that it may have, and rows of arguments for it."""
    rng = random.Random(29)
    for name, parameters in PARAMETERS.items():
        parameters = parameters.split()
        needed = sum(not parameter.endswith("?") for parameter in parameters)
        for count in range(needed, len(parameters) + 1):
            kinds = [parameter.rstrip("?") for parameter in parameters[:count]]
            made = [[rng.choice([*VALUES[kind]] * 3 + [None]) for kind in kinds] for _ in range(rows)]
            yield name, made + [[None] * count]


# Calls with wrong arguments, and the words of the first error. A text in the place of a name may have a password.
WRONG_ARITY = ["iri_host('a:b', 'IRI', 'IRI')", "iri_query_value('a:b')", "iri_resolve('a:b')", "iri_is_hostname('a', 'IRI')", "iri_prepare('a:b', 'rdf', 'IRI')", "iri_template_match('a')", "iri_display_rule('a:b')", "iri_apply_query_rules('a:b')", "iri_judge('a:b', 'IRI')"]
WRONG_NAMES = [
    ("iri_valid('a:b', 'url')", ["iri_valid", "argument 2", "rule", '"url"', "irelative-ref"]),
    ("iri_valid('a:b', '')", ["iri_valid", "argument 2", "rule", "irelative-ref"]),
    ("iri_normalize('a:b', 'most')", ["iri_normalize", "argument 2", "level", "scheme-idna"]),
    ("iri_normalize('a:b', 'scheme', 'most')", ["iri_normalize", "argument 3", "rule", "irelative-ref"]),
    ("iri_normalize(NULL, 'most')", ["iri_normalize", "argument 2", "level"]),
    ("iri_lint('a:b', 'mild')", ["iri_lint", "argument 2", "profile", "crawler"]),
    ("iri_prepare('a:b', 'much')", ["iri_prepare", "argument 2", "profile", "browser-like"]),
    ("iri_to_uri('a:b', 'ascii')", ["iri_to_uri", "argument 2", "host", "percent"]),
    ("iri_to_iri('a:b', 'IRI')", ["iri_to_iri", "argument 2", "host", "percent"]),
    ("iri_percent_encode('a', 'IRI')", ["iri_percent_encode", "argument 2", "place", "fragment"]),
    ("iri_extract('a', 'xml')", ["iri_extract", "argument 2", "markup", "markdown"]),
    ("iri_extract('a', 'plain', 'loose')", ["iri_extract", "argument 3", "ends", "tight"]),
    ("iri_redact('a', 'oidc')", ["iri_redact", "argument 2", "set", "oauth"]),
    ("iri_redact('a', 'otel', 'line')", ["iri_redact", "argument 3", "part", "target"]),
    ("iri_archive_key('a', 'surt')", ["iri_archive_key", "argument 2", "profile", "ssurt"]),
    ("iri_display('a:b', 'IRI', 'safari')", ["iri_display", "argument 3", "policy", "firefox"]),
    ("iri_display_rule('a:b', 'safari')", ["iri_display_rule", "argument 2", "policy", "firefox"]),
    ("iri_template_match('a', '{a')", ["iri_template_match", "template", "has no end"]),
    ("iri_template_match('a', '{?a}', 'any')", ["iri_template_match", "argument 3", "query", "ordered"]),
    ("iri_template_match('a', '/{a}', 'set')", ["iri_template_match", "query", "ordered"]),
    ("iri_unwrap('a:b', '6')", ["iri_unwrap", "argument 2", "levels", "1, 2, 3, 4, 5"]),
    ("iri_apply_query_rules('a:b', '[[drop]]' || chr(10) || 'nmes = []')", ["iri_apply_query_rules", "argument 2", "rules", "line 2, column 1: the name is unknown"]),
    ("iri_apply_query_rules('a:b', '{}', 'clearurls')", ["iri_apply_query_rules", "argument 2", "rules", "line 1, column 1: a key is missing"]),
    ("iri_apply_query_rules('a:b', '', 'json')", ["iri_apply_query_rules", "argument 3", "format", "adguard"]),
    ("iri_fix('a:b', 'mild')", ["iri_fix", "argument 2", "profile", "crawler"]),
    ("iri_host('IRI', 'http://u:geheim@a/')", ["iri_host", "argument 2", "rule"]),
]
SECRET = "geheim"

"""Loads the extension into DuckDB and compares every function with the cases of conformance/cases and tests/data, and with tables below.

Usage: functions.py EXTENSION [FOLDER...]. The folders have more cases.
"""

import json
import sys
import tempfile
import unittest
from pathlib import Path

import duckdb

HERE = Path(__file__).resolve().parent.parent
ROOT = HERE.parent.parent
OWN = [ROOT / "conformance/cases", ROOT / "tests/data"]
EXTENSION, *FOLDERS = sys.argv[1:]
COMPONENTS = ["scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment"]


def rows(*fields):
    """The cases that have all of these fields, with the name of their file."""
    found = []
    for folder in [*OWN, *map(Path, FOLDERS)]:
        for path in sorted(folder.rglob("*.jsonl")):
            for line in path.read_text(encoding="utf-8").splitlines():
                case = json.loads(line)
                if all(field in case for field in fields):
                    found.append((path.name, case))
    assert found, fields
    return found


def text(case):
    """The input of a case."""
    given = case["input"]
    return given if isinstance(given, str) else "".join(part * times for part, times in given["repeat"])


def ladder(case):
    """The level of a normalization or a comparison, which the cases of others have in another field."""
    return case.get("ladder", case.get("level"))


def reported():
    """The cases of syntax for which all errors are known: each case with its errors."""
    errors = {row["case"]: row["violations"] for _, row in rows("case", "violations")}
    cases = [(case, [] if case["valid"] else errors.get(case["id"])) for _, case in rows("input", "kind", "valid")]
    return [(case, found) for case, found in cases if found is not None]


def connect():
    con = duckdb.connect(config={"allow_unsigned_extensions": "true", "threads": 4})
    con.execute(f"LOAD '{EXTENSION}'")
    return con


class Test(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        self.con = connect()
        self.addCleanup(self.con.close)

    def ask(self, function, *columns):
        """The results of a function for columns of arguments."""
        names = [f"a{at}" for at in range(len(columns))]
        source = ", ".join(f"unnest(${name}::VARCHAR[]) AS {name}" for name in names)
        end = ")" * (1 + function.count("("))
        query = f"SELECT {function}({', '.join(names)}{end} FROM (SELECT {source})"
        found = self.con.execute(query, dict(zip(names, map(list, columns)))).fetchall()
        self.assertEqual(len(found), len(columns[0]))
        return [result for (result,) in found]

    def compare(self, function, expected, *columns, what=None):
        """Compares the results of a function with what is expected of each row."""
        found = self.ask(function, *columns)
        for at, (result, wanted) in enumerate(zip(found, expected, strict=True)):
            if result != wanted:
                given = [column[at] for column in columns]
                self.fail(f"{function}{given}: {result!r}, not {wanted!r} {what[at] if what else ''}")
        print(f"{function}: {len(found)} rows")

    def test_syntax(self):
        cases = [case for _, case in rows("input", "kind", "valid")]
        ids = [case["id"] for case in cases]
        inputs, kinds = [text(case) for case in cases], [case["kind"] for case in cases]
        valid = [case["valid"] for case in cases]
        self.compare("iri_valid", valid, inputs, kinds, what=ids)
        known = [case for case in cases if not case["valid"] or "components" in case]
        inputs, kinds = [text(case) for case in known], [case["kind"] for case in known]
        parts = [case["components"] if case["valid"] else None for case in known]
        for name in COMPONENTS:
            expected = [part and part[name] for part in parts]
            self.compare(f"iri_{name}", expected, inputs, kinds)
        records = [
            part and {name: part[name] for name in COMPONENTS[:4]}
            | {"host_kind": case.get("host_kind")}
            | {name: part[name] for name in COMPONENTS[4:]}
            for part, case in zip(parts, known)
        ]
        self.compare("iri_parse", records, inputs, kinds)

    def test_errors(self):
        cases = reported()
        inputs, kinds = [text(case) for case, _ in cases], [case["kind"] for case, _ in cases]
        found = self.ask("iri_error", inputs, kinds)
        count = 0
        for (case, expected), error in zip(cases, found, strict=True):
            if case["valid"]:
                self.assertIsNone(error, case["id"])
                continue
            count += 1
            self.assertTrue(error["message"], case["id"])
            first = expected[0]
            for field in ["kind", "start", "end", "component"]:
                self.assertEqual(error[field], first[field], case["id"])
        self.assertGreater(count, 100)
        print(f"iri_error: {count} of {len(cases)} rows have one")

    def test_all_errors(self):
        cases = reported()
        inputs, kinds = [text(case) for case, _ in cases], [case["kind"] for case, _ in cases]
        found = self.ask("iri_violations", inputs, kinds)
        count = 0
        for (case, expected), errors in zip(cases, found, strict=True):
            self.assertEqual(len(errors), len(expected), case["id"])
            for error, other in zip(errors, expected):
                self.assertTrue(error["message"], case["id"])
                for field in ["kind", "start", "end", "component"]:
                    self.assertEqual(error[field], other[field], case["id"])
            count += len(errors)
        self.assertGreater(count, 100)
        print(f"iri_violations: {count} in {len(cases)} rows")

    def test_resolve(self):
        cases = [case for _, case in rows("base", "reference", "expected", "mode")]
        cases = [case for case in cases if case["mode"] == "strict"]
        columns = ([case[name] for case in cases] for name in ["expected", "base", "reference"])
        self.compare("iri_resolve", *columns)

    def test_to_uri(self):
        cases = [case for _, case in rows("input", "expected", "options")]
        cases = [case for case in cases if case["options"].get("host") == "percent"]
        rules = ["IRI-reference"] * len(cases)
        expected = [case["expected"] for case in cases]
        inputs = [text(case) for case in cases]
        self.compare("iri_to_uri", expected, inputs, ["percent"] * len(cases), rules)
        self.compare("iri_to_uri", ["http://xn--bcher-kva.example/%C3%A9"], ["http://bücher.example/é"], ["idna"])

    def test_to_iri(self):
        cases = [case for name, case in rows("input", "expected") if name == "from-uri.jsonl" or "to_iri" in name]
        rules = ["IRI-reference"] * len(cases)
        expected, inputs = [case["expected"] for case in cases], [text(case) for case in cases]
        self.compare("iri_to_iri", expected, inputs, ["percent"] * len(cases), rules)
        self.compare("iri_to_iri", ["http://bücher.example/é"], ["http://xn--bcher-kva.example/%C3%A9"], ["idna"])

    def test_normalize(self):
        cases = [case for _, case in rows("input", "expected", "pct")]
        cases = [case for case in cases if case["pct"] != "unreserved"]
        # This shared case was made before it was decided that `a://h:00/` is `a://h:0/`, whatever the scheme.
        cases = [case for case in cases if case.get("id") != "generated-norm-815be644f1"]
        rules = ["IRI-reference"] * len(cases)
        expected, levels = [case["expected"] for case in cases], [ladder(case) for case in cases]
        self.compare("iri_normalize", expected, [text(case) for case in cases], levels, rules)

    def test_fingerprint(self):
        cases = [case for _, case in rows("a", "b", "equal") if "may" not in case and case["level"] != "may"]
        levels, rules = [ladder(case) for case in cases], ["IRI-reference"] * len(cases)
        a = self.ask("iri_fingerprint", [case["a"] for case in cases], levels, rules)
        b = self.ask("iri_fingerprint", [case["b"] for case in cases], levels, rules)
        for case, x, y in zip(cases, a, b, strict=True):
            self.assertIsInstance(x, int)
            self.assertEqual(x == y, case["equal"], case["id"])
        print(f"iri_fingerprint: {len(cases)} pairs")

    def test_display(self):
        cases = [case for _, case in rows("shown", "uts58")]
        rules = ["IRI-reference"] * len(cases)
        self.compare("iri_display", [case["shown"] for case in cases], [text(case) for case in cases], rules)

    def test_lint(self):
        cases = [case for _, case in rows("input", "profile", "findings")]
        # SQL lints by a profile and nothing more.
        cases = [case for case in cases if not case.get("divided") and not case.get("also")]
        inputs = [text(case) for case in cases]
        valid = self.ask("iri_valid", inputs, ["IRI-reference"] * len(cases))
        cases = [case for case, is_valid in zip(cases, valid) if is_valid]
        inputs, profiles = [text(case) for case in cases], [case["profile"] for case in cases]
        expected = [sorted(finding["code"] for finding in case["findings"]) for case in cases]
        # The order of findings at one place is not that of the cases.
        self.compare("list_sort(iri_lint", expected, inputs, profiles, ["IRI-reference"] * len(cases))

    def test_tables(self):
        for function, table in TABLES.items():
            *columns, expected = zip(*table)
            self.compare(function, expected, *columns)

    def test_every_function_has_a_null_for_a_null(self):
        names = functions(self.con)
        for name, counts in names.items():
            for count in counts:
                for at in range(count):
                    # Names of other values than texts.
                    options = [OPTIONS.get(name, "IRI"), LAST_OPTIONS.get(name, "IRI"), "IRI"]
                    given = [["http://a/"], *([option] for option in options)][:count]
                    self.assertEqual(len(self.ask(name, *given)), 1, name)
                    given[at] = [None]
                    self.assertEqual(self.ask(name, *given), [None], (name, at))

    def test_an_invalid_row_is_null(self):
        for name, counts in functions(self.con).items():
            if name in ANY_TEXT:
                continue
            given = [["http://a/b|"], [OPTIONS.get(name, "http://a/")]][: min(counts)]
            self.assertEqual(self.ask(name, *given), [None], name)

    def test_unknown_names_are_errors(self):
        for call, word in [
            ("iri_valid('a:b', 'url')", "irelative-ref"),
            ("iri_valid('a:b', '')", "irelative-ref"),
            ("iri_normalize('a:b', 'most')", "scheme-idna"),
            ("iri_lint('a:b', 'mild')", "crawler"),
            ("iri_prepare('a:b', 'much')", "browser-like"),
            ("iri_to_uri('a:b', 'ascii')", "percent"),
            ("iri_to_iri('a:b', 'IRI')", "percent"),
            ("iri_fix('a:b', 'mild')", "crawler"),
            ("iri_extract('a', 'xml')", "markdown"),
            ("iri_extract('a', 'html', 'loose')", "tight"),
            ("iri_redact('a', 'oidc')", "oauth"),
            ("iri_redact('a', 'otel', 'line')", "target"),
            ("iri_archive_key('a', 'surt')", "ssurt"),
            ("iri_display('a:b', 'IRI', 'safari')", "firefox"),
            ("iri_display_rule('a:b', 'safari')", "firefox"),
            ("iri_template_match('a', '{a')", "has no end"),
            ("iri_template_match('a', '{?a}', 'any')", "ordered"),
            ("iri_template_match('a', '/{a}', 'set')", "ordered"),
            ("iri_unwrap('a:b', '6')", "known are 1, 2, 3, 4, 5"),
            ("iri_unwrap('a:b', '')", "known are 1, 2, 3, 4, 5"),
            ("iri_apply_query_rules('a:b', '', 'json')", "adguard"),
            ("iri_apply_query_rules('a:b', '[[drop]]' || chr(10) || 'nmes = []')", "line 2, column 1: the name is unknown"),
            ("iri_apply_query_rules('a:b', '{}', 'clearurls')", "line 1, column 1: a key is missing"),
            ("iri_percent_encode('a', 'IRI')", "fragment"),
        ]:
            with self.assertRaisesRegex(duckdb.InvalidInputException, f"{call.split('(')[0]}.*{word}"):
                self.con.sql(f"SELECT {call}").fetchall()

    def test_an_error_shows_no_password(self):
        for call in ["iri_valid('IRI', 'http://u:geheim@a/')", "iri_lint('a:b', 'http://u:geheim@a/')"]:
            with self.assertRaisesRegex(duckdb.InvalidInputException, call.split("(")[0]) as raised:
                self.con.sql(f"SELECT {call}").fetchall()
            self.assertNotIn("geheim", str(raised.exception))

    def test_the_readme_lists_every_function(self):
        readme = (HERE / "README.md").read_text(encoding="utf-8")
        for name in functions(self.con):
            self.assertIn(f"`{name}(", readme)

    def test_every_form_of_a_vector(self):
        """The same rows as one text after the other, in many vectors and threads, selected, joined, and from the
        dictionary of a Parquet file."""
        con = self.con
        # The lengths at which a text leaves its element, and those around the size of a block, which are rare.
        lengths = [1, 4, 5, 6, 11, 12, 13, 14, 200]
        texts = [f"http://{'h' * length}/{'p' * length}?q={'v' * length}" for length in lengths]
        texts += [text(case) for _, case in rows("input", "kind", "valid")][:300]
        texts += [text(case) for _, case in rows("input", "profile", "findings")]
        short = [*dict.fromkeys(texts), None]
        long = [f"http://{'h' * length}/{'|' * (length % 2)}" for length in [65535, 65536, 65538, 200_000]]
        texts = short + long
        con.execute("CREATE TABLE one AS SELECT unnest($a::VARCHAR[]) AS u", {"a": texts})
        con.execute("CREATE TABLE distinct_texts AS SELECT row_number() OVER () - 1 AS k, u FROM one")
        con.execute(
            "CREATE TABLE many AS SELECT i, (hash(i) % if(i % 10 = 0, $a, $b)::UBIGINT)::BIGINT AS k FROM range(100000) r(i)",
            {"a": len(texts), "b": len(short)},
        )
        con.execute("CREATE TABLE long AS SELECT i, k, u FROM many JOIN distinct_texts USING (k)")
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        con.execute(f"COPY long TO '{folder}/long.parquet' (DICTIONARY_SIZE_LIMIT 1000000)")
        calls = {name: CALLS.get(name, f"{name}(u)") for name in functions(con)}
        for name, call in calls.items():
            # One call for each text, with a constant: none of the loops over several rows takes part.
            alone = []
            for given in texts:
                query = f"SELECT {call} FROM (SELECT $a::VARCHAR AS u)"
                [(result,)] = con.execute(query, {"a": given}).fetchall()
                alone.append(result)
            for source in [
                "long",
                "(SELECT * FROM long WHERE i % 3 = 0)",
                "(SELECT i, k, u FROM many JOIN distinct_texts USING (k))",
                f"'{folder}/long.parquet'",
            ]:
                query = f"SELECT DISTINCT k, {call} FROM {source} ORDER BY k"
                self.assertEqual(con.execute(query).fetchall(), list(enumerate(alone)), (name, source))
        print(f"{len(calls)} functions, {len(texts)} texts in 100,000 rows, 4 forms")

    def test_the_example(self):
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        path = folder / "addresses.parquet"
        urls = ["http://www.example.org/a", "HTTP://www.example.org:80/a", "http://例え.jp/", "urn:a:b", "http://a/b|c", None]
        self.con.execute(f"COPY (SELECT unnest($a::VARCHAR[]) AS url) TO '{path}'", {"a": urls})
        self.con.execute(f"SET VARIABLE file = '{path}'")
        results = []
        for statement in self.con.extract_statements((HERE / "examples/addresses.sql").read_text(encoding="utf-8")):
            if statement.type != duckdb.StatementType.LOAD:
                results.append(self.con.execute(statement).fetchall())
        _, counts, errors, domains, codes = results
        self.assertEqual(counts, [(4, 3, 1, 1)])
        self.assertEqual(errors, [("character-not-allowed", "path", 1, "http://a/b|c", "http://a/b%7Cc")])
        self.assertEqual(domains, [("example.org", 2), ("例え.jp", 1), (None, 1)])
        self.assertTrue(all(code and count and url for code, count, url in codes))


def functions(con):
    """The functions of the extension, each with the numbers of its parameters."""
    query = "SELECT function_name, list(len(parameters)) FROM duckdb_functions() WHERE function_name LIKE 'iri\\_%' ESCAPE '\\' GROUP BY 1"
    found = dict(con.sql(query).fetchall())
    assert len(found) == 42, sorted(found)
    return found


# The functions that give more than nulls for texts that do not match a rule.
ANY_TEXT = {
    "iri_archive_key",
    "iri_error",
    "iri_extract",
    "iri_is_hostname",
    "iri_is_idn_hostname",
    "iri_judge",
    "iri_percent_decode",
    "iri_percent_encode",
    "iri_prepare",
    "iri_redact",
    "iri_valid",
    "iri_violations",
}

# What the second argument of a function is, if not the name of a rule.
OPTIONS = {
    # A list of filters, too, which has no rule then.
    "iri_apply_query_rules": "[[drop]]\nnames = ['q']",
    "iri_archive_key": "wayback",
    "iri_display_rule": "chromium",
    "iri_extract": "html",
    "iri_redact": "oauth",
    "iri_template_match": "{+a}{?q}",
    "iri_drop_query_pairs": "q",
    "iri_fingerprint": "scheme",
    "iri_fix": "rfc",
    "iri_key": "scheme",
    "iri_lint": "rfc",
    "iri_normalize": "scheme",
    "iri_percent_encode": "query-part",
    "iri_prepare": "strict",
    "iri_query_value": "q",
    "iri_relativize": "http://a/",
    "iri_resolve": "b",
    "iri_to_iri": "idna",
    "iri_to_uri": "idna",
    "iri_unwrap": "2",
}

# What the third argument of a function is, if not the name of a rule.
LAST_OPTIONS = {
    "iri_apply_query_rules": "adguard",
    "iri_display": "chromium",
    "iri_extract": "tight",
    "iri_redact": "text",
    "iri_template_match": "set",
}

# How a function is called with one column, if not with it alone.
CALLS = {
    "iri_apply_query_rules": "iri_apply_query_rules(u, '$removeparam=/^[qv]$/', 'adguard')",
    "iri_display_rule": "iri_display_rule(u, 'firefox')",
    "iri_redact": "iri_redact(u, 'common', 'text')",
    "iri_template_match": "iri_template_match(u, 'http:{+a}{?q,v}')",
    "iri_drop_query_pairs": "iri_drop_query_pairs(u, 'q')",
    "iri_query_value": "iri_query_value(u, 'q')",
    "iri_relativize": "iri_relativize('http://a/b', u)",
    "iri_resolve": "iri_resolve('http://a/b', u)",
    "iri_normalize": "iri_normalize(u, 'scheme')",
    "iri_fix": "iri_fix(u, 'crawler')",
    "iri_key": "iri_key(u, 'scheme')",
    "iri_lint": "iri_lint(u, 'crawler')",
}

# For functions without cases in tests/data: arguments and results.
TABLES = {
    "iri_origin": [
        ("HTTP://A:080/b", "http://a"),
        ("https://bücher.example:8443/", "https://xn--bcher-kva.example:8443"),
        ("urn:a", None),
        ("//a/", None),
    ],
    "iri_registrable_domain": [
        ("http://www.example.co.uk/", "example.co.uk"),
        ("http://a.b.example.org:80/", "example.org"),
        ("http://127.0.0.1/", None),
        ("urn:a", None),
        ("http://co.uk/", None),
    ],
    "iri_relativize": [
        ("http://a/b/c", "http://a/b/d", "d"),
        ("http://a/b/c", "urn:e", "urn:e"),
        ("http://a/b/c", "http://a/b/c?q", "?q"),
        ("http://a/b/c", "//a", None),
        ("b/c", "http://a/", None),
    ],
    "iri_query_value": [
        ("http://a/?q=%C3%A9&r", "q", "é"),
        ("http://a/?q=%C3%A9&r", "r", ""),
        ("http://a/?q=%C3%A9&r", "s", None),
        ("http://a/?q=1+2&q=3", "q", "1+2"),
        ("http://a/", "q", None),
    ],
    "iri_drop_query_pairs": [
        ("http://a/?q=%C3%A9&r#f", "q", "http://a/?r#f"),
        ("http://a/?%71&&r", "q", "http://a/?&r"),
        ("http://a/?q", "q", "http://a/"),
        ("http://a/?q&r", "s", "http://a/?q&r"),
        ("http://a/?q|", "q", None),
    ],
    "iri_unwrap": [
        ("https://www.google.com/url?q=https://l.instagram.com/?u=http://a/", "1", "https://l.instagram.com/?u=http://a/"),
        ("https://www.google.com/url?q=https://l.instagram.com/?u=http://a/", "2", "http://a/"),
        ("https://l.facebook.com/l.php?u=javascript%3Aa", "5", "https://l.facebook.com/l.php?u=javascript%3Aa"),
        ("/a", "1", None),
    ],
    "iri_apply_query_rules": [
        ("http://a/?q=%71&b", "[[drop]]\nnames = ['b']", "toml", "http://a/?q=%71"),
        ("http://a/?q=%71&b", "$removeparam=q", "adguard", "http://a/?b"),
        ("http://a/?q", '{"providers": {"a": {"urlPattern": "^", "rules": ["q"]}}}', "clearurls", "http://a/"),
        ("?q", "$removeparam=q", "adguard", None),
    ],
    "iri_masked": [
        ("ftp://me:s3cret@a/b?c", "ftp://me:***@a/b?c"),
        ("ftp://me:@a/", "ftp://me:@a/"),
        ("ftp://me@a/", "ftp://me@a/"),
        ("//me:s3cret@a/", None),
    ],
    "iri_fix": [
        ("HTTP://a/%7e", "crawler", "http://a/~"),
        ("http://a/", "crawler", "http://a/"),
        ("a|b", "crawler", None),
    ],
    "iri_skeleton": [
        ("http://ѕсоре.example/", "http://scope.exarnple/"),
        ("//a/", None),
    ],
    "iri_is_hostname": [
        ("www.example.com", True),
        ("-a", False),
        ("例え.jp", False),
        ("", False),
    ],
    "iri_is_idn_hostname": [
        ("例え.jp", True),
        ("☃.example", False),
    ],
    "iri_percent_encode": [
        ("50% é/b&c", "segment", "50%25%20%C3%A9%2Fb&c"),
        ("50% é/b&c", "query-part", "50%25%20%C3%A9/b%26c"),
        ("", "unreserved", ""),
    ],
    "iri_percent_decode": [
        ("50%25%20%C3%A9%2Fb", "50% é/b"),
        ("a+b", "a+b"),
        ("50%", None),
        ("%FF", None),
    ],
    "iri_key": [
        ("HTTP://A/é/%7e", "syntax", "http://a/%C3%A9/~"),
        ("http://a:80", "scheme", "http://a/"),
        ("HTTP://A", "simple", "HTTP://A"),
        ("a|b", "syntax", None),
    ],
    "iri_display_in_text": [
        ("http://a/b.", "http://a/b%2E"),
        ("//a/", None),
    ],
    "iri_extract": [
        (
            "See example.com/a(b)!",
            "plain",
            [{"text": "example.com/a(b)", "kind": "domain", "start": 4, "end": 20, "reference": "https://example.com/a(b)"}],
        ),
        ("[a](http://b/é)", "markdown", [{"text": "http://b/é", "kind": "iri", "start": 4, "end": 15, "reference": "http://b/é"}]),
        ("No link.", "plain", []),
    ],
    "iri_redact": [
        ("https://me:pw@a/x y?sig=b", "otel", "https://REDACTED:REDACTED@a/x y?sig=REDACTED"),
        ("/?code=x&sig=y", "oauth", "/?code=REDACTED&sig=y"),
        ("/?code=x&sig=y&q=z", "", "/?code=REDACTED&sig=REDACTED&q=z"),
        ("/?code=x&sig=y&q=z", "oauth,azure-sas", "/?code=REDACTED&sig=REDACTED&q=z"),
        ("a b", "common", "a b"),
    ],
    "iri_archive_key": [
        ("http://www.Example.com/A/?b&a#f", "pywb", "com,example)/a?a&b"),
        ("http://www.a.example/", "heritrix", "http://(example,a,www,)/"),
        ("http://a.com:99999/", "pywb", None),
    ],
    "iri_template_match": [
        ("/users/7?q=a%20b", "/users/{id}{?q}", {"id": ["7"], "q": ["a b"]}),
        ("/users/7,8", "/users/{id}{?q}", {"id": ["7", "8"]}),
        ("/users/7/8", "/users/{id}{?q}", None),
        ("/a", "/a", {}),
        ("/a/" + "x" * 40, "{/b*}", {"b": ["a", "x" * 40]}),
    ],
    "iri_judge": [
        (
            "http://Example.com/a#b",
            {
                "decision": "resolve",
                "reasons": [],
                "scheme": "http",
                "host_by_rfc": "Example.com",
                "host_by_whatwg": "example.com",
                "port": 80,
                "address": None,
                "url_to_send": "http://example.com/a",
            },
        ),
        (
            "http://①②⑦.1:8080/",
            {
                "decision": "refuse",
                "reasons": ["readings-differ", "address 127.0.0.0/8", "port"],
                "scheme": "http",
                "host_by_rfc": "①②⑦.1",
                "host_by_whatwg": "127.0.0.1",
                "port": 8080,
                "address": "127.0.0.1",
                "url_to_send": None,
            },
        ),
    ],
    "iri_display_rule": [
        ("http://аст.com/", "chromium", "whole-script"),
        ("http://аст.ru/", "chromium", None),
        ("urn:a", "firefox", None),
    ],
    "iri_prepare": [
        (" http://a/b c", "http://a/b%20c"),
        ("http:\\\\a\\b", "http://a/b"),
        ("http://a/%zz", "http://a/%25zz"),
        ("http://a:b/", None),
        ("http://a/", "http://a/"),
    ],
}

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)

"""Laws and refusals of the functions for logs, fetches, archives, templates, wrapped links and rules, of one text."""

import copy
import ipaddress
import pathlib
import pickle
import socket
import sys
import types
import urllib.parse

import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sql import SETS, VALUES
from test_references import REFERENCES

import simd_iri
from simd_iri import IriError, Policy, QueryRules, RuleError, Template, TemplateError, arrow

TEXTS = st.one_of(REFERENCES, st.text(max_size=30), st.text(alphabet="é/@:?&=#sig\udc80 ", max_size=20))
NAMES = st.from_regex("[a-z]{1,3}", fullmatch=True)


@given(TEXTS, st.sampled_from(list(SETS.values())), st.sampled_from(VALUES["part"]))
def test_redaction_is_done_once_and_keeps_the_rest(text, sets, part):
    redacted = simd_iri.redact(text, sets, part=part)
    assert simd_iri.redact(redacted, sets, part=part) == redacted
    found = simd_iri.redactions(text, sets, part=part)
    assert (not found) <= (redacted == text)
    kept, end = "", 0
    for place in found:
        assert end <= place.start <= place.end <= len(text)
        assert place.key is None or place.key in text[: place.start] or "\ufffd" in place.key
        kept, end = kept + text[end : place.start], place.end
    kept += text[end:]
    # Each piece that stays is in the result, in its order.
    assert len(redacted) >= len(kept) - len(found)


@given(st.binary(max_size=30), st.sampled_from(VALUES["part"]))
def test_bytes_are_redacted_as_bytes(data, part):
    data = b"http://u:p@h/?sig=" + data
    redacted = simd_iri.redact(data, part=part)
    assert isinstance(redacted, bytes)
    try:
        assert redacted == simd_iri.redact(data.decode(), part=part).encode()
    except UnicodeDecodeError:
        pass


def test_lone_surrogates_stay():
    assert simd_iri.redact("//u:\udcff@h/\udcff?sig=\udcff") == "//REDACTED:REDACTED@h/\udcff?sig=REDACTED"
    assert [place[:2] for place in simd_iri.redactions("//é\udcff@h")] == [(2, 4)]
    assert arrow.redact(["//u@h/\udcff"]).to_pylist() == [None]
    assert simd_iri.archive_key("http://a/\udcff") is None
    assert simd_iri.judge("http://a.example/\udcff").reasons[0].kind == "not-utf8"
    assert Template("{+a}").match("\udcff") is None


def test_options_of_redaction():
    assert simd_iri.redact("//u:p@h/?sig=x", []) == "//REDACTED:REDACTED@h/?sig=x"
    assert simd_iri.redact("?a=1;b=2", keys=["b"], part="query", semicolons=True) == "?a=1;b=REDACTED"
    assert simd_iri.redact("//u:p@h", userinfo="drop", replacement="*") == "//h"
    assert simd_iri.redact("?KEY=1", keys=["key"], any_case=True) == "?KEY=REDACTED"
    assert simd_iri.redact("?u=%2F%2Fu@h", nested=1) == "?u=REDACTED"
    assert simd_iri.redact("/#access_token=x", ["oauth"], fragment=False) == "/#access_token=x"
    for wrong in ({"sets": ["oidc"]}, {"part": "line"}, {"userinfo": "none"}):
        with pytest.raises(ValueError, match="write one of"):
            simd_iri.redact("", **wrong)
    # A text is a sequence of texts in Python, but not a list of sets.
    with pytest.raises(TypeError):
        simd_iri.redact("", "otel")
    with pytest.raises(IriError):
        simd_iri.redact("", replacement="a/b")


@given(st.dictionaries(NAMES, st.one_of(st.text(), st.lists(st.text(), max_size=3)), max_size=3))
def test_what_a_template_finds_expands_to_the_text(variables):
    template = Template("/" + "/".join("{%s}" % name for name in variables) + "{?x*}")
    text = template.expand(variables)
    found = template.match(text)
    assert found is not None and template.expand(found) == text
    assert [*found] == [name for name in template.variables if name in found]


def test_values_of_templates():
    template = Template("/{a}{?b*}")
    assert template.expand({"a": 7, "b": (1, "é")}) == "/7?b=1&b=%C3%A9"
    assert template.expand({"a": simd_iri.Iri("x:y"), "b": {"k": 1}}) == "/x%3Ay?k=1"
    assert template.expand({"a": None, "b": []}) == "/"
    for wrong in (True, 1.5, b"a", [["a"]], [None], {"k": None}):
        with pytest.raises(TypeError, match='variable "a"'):
            template.expand({"a": wrong})
    with pytest.raises(TypeError):
        template.expand([("a", "b")])
    with pytest.raises(ValueError):
        template.expand({"a": "\udcff"})


def test_errors_of_templates():
    with pytest.raises(TemplateError, match="character 4") as raised:
        Template("/é/{=id}")
    assert (raised.value.start, raised.value.end) == (4, 5)
    again = pickle.loads(pickle.dumps(raised.value))
    assert (str(again), again.start, again.end) == (str(raised.value), 4, 5)
    with pytest.raises(TemplateError) as raised:
        Template("é{a:3}").expand({"a": ["x"]})
    assert (raised.value.start, raised.value.end) == (2, 3)
    with pytest.raises(ValueError, match="query_as_set"):
        Template("/{a}").match("/b", query_as_set=True)
    with pytest.raises(ValueError, match="query_as_set"):
        arrow.template_match(["/b"], "/{a}", query_as_set=True)
    with pytest.raises(TemplateError):
        arrow.template_match(["/b"], "{")
    without_variables = arrow.template_match(["/a", "/b", None], "/a")
    assert without_variables.to_pylist() == pyarrow.array(without_variables).to_pylist() == [{}, None, None]


def test_templates_are_values():
    template = Template("http://u:geheim@h/{a}")
    assert "geheim" not in repr(template) and str(template) == "http://u:geheim@h/{a}"
    assert pickle.loads(pickle.dumps(template)) == template == copy.copy(template)
    assert len({template, Template(str(template)), Template("/")}) == 2
    assert template != str(template)


@given(REFERENCES, st.sampled_from(["https://www.google.com/url?q=", "https://l.instagram.com/?u="]))
def test_what_is_put_into_a_wrapper_comes_out(text, wrapper):
    wrapped = wrapper + urllib.parse.quote(text, safe="")
    found = simd_iri.unwrap(wrapped)
    is_link = simd_iri.is_valid(text) and text.lower().startswith(("http:", "https:", "mailto:"))
    assert found == wrapped or found == text and is_link
    # Nothing is unwrapped without levels, and no more than all.
    assert simd_iri.unwrap(wrapped, 0) == wrapped
    assert simd_iri.unwrap(wrapped, 255) == simd_iri.unwrap(wrapped, 5)


def test_levels_and_wrappers_of_rules():
    rules = QueryRules("[[wrapper]]\nhost = 'out.example'\nparameter = 'to'")
    link = "https://out.example/?to=https%3A%2F%2Fwww.google.com%2Furl%3Fq%3Dhttp%3A%2F%2Fa%2F"
    assert [simd_iri.unwrap(link, levels, rules=rules) for levels in range(3)] == [
        link,
        "https://www.google.com/url?q=http://a/",
        "http://a/",
    ]
    assert simd_iri.unwrap(link, 5) == link == rules.apply(link)
    assert arrow.unwrap([link, None], 2, rules=rules).to_pylist() == ["http://a/", None]
    with pytest.raises(IriError):
        simd_iri.unwrap("//[")
    for wrong in ({"levels": "1"}, {"rules": "[[wrapper]]"}):
        with pytest.raises(TypeError):
            simd_iri.unwrap(link, **wrong)
    with pytest.raises(OverflowError):
        simd_iri.unwrap(link, -1)


@given(REFERENCES)
def test_rules_are_applied_until_nothing_changes(text):
    for rules in (QueryRules("[[drop]]\npatterns = ['[ab]*']"), QueryRules("$removeparam=a", "adguard")):
        try:
            applied = rules.apply(text)
        except IriError:
            assert not simd_iri.is_valid(text, "iri-reference")
            continue
        assert rules.apply(applied) == applied and simd_iri.is_valid(applied, "iri-reference")


def test_formats_and_options_of_rules():
    catalog = '{"providers": {"a": {"urlPattern": "^", "rules": ["b"], "referralMarketing": ["tag"]}}}'
    assert QueryRules(catalog, "clearurls").apply("/?tag=a&b") == "/"
    assert QueryRules(catalog, "clearurls", allow_referral=True).apply("/?tag=a&b") == "/?tag=a"
    assert QueryRules(catalog, "clearurls", keep_mark=True).apply("/?b#c") == "/?#c"
    rules = QueryRules("! a comment\n$removeparam=a\n||b^\n$removeparam=c,domain=d", "adguard")
    assert (rules.format, rules.count) == ("adguard", 1)
    assert [(type(error), error.line, error.column, error.kind) for error in rules.skipped] == [
        (RuleError, 3, 1, "other-rule"),
        (RuleError, 4, 16, "modifier"),
    ]
    assert copy.copy(rules).apply("/?a&b") == "/?b"
    marked = pickle.loads(pickle.dumps(QueryRules(catalog, "clearurls", keep_mark=True, allow_referral=True)))
    assert marked.apply("/?b#c") == "/?#c" and marked.apply("/?tag") == "/?tag"
    assert repr(rules) == "<QueryRules: 1 rules in the format adguard>"


def test_errors_of_rules():
    with pytest.raises(RuleError, match="line 2, column 1: the name is unknown") as raised:
        QueryRules("[[drop]]\nnmes = ['geheim']")
    assert (raised.value.kind, raised.value.line, raised.value.column) == ("unknown-key", 2, 1)
    assert "geheim" not in str(raised.value)
    again = pickle.loads(pickle.dumps(raised.value))
    assert (str(again), *vars(again).values()) == (str(raised.value), "unknown-key", 2, 1)
    with pytest.raises(ValueError, match="write one of toml, clearurls, adguard"):
        QueryRules("", "json")
    with pytest.raises(RuleError, match="line 2, column 3: a lone surrogate at character 3 stands") as raised:
        QueryRules("\n# \udcff")
    assert (raised.value.kind, raised.value.line, raised.value.column) == ("ill-formed-utf8", 2, 3)
    with pytest.raises(TemplateError, match="a lone surrogate at character 1 stands") as raised:
        Template("é\udcff")
    assert (raised.value.start, raised.value.end) == (1, 2)
    with pytest.raises(IriError, match="a lone surrogate at character 0 stands"):
        Template("{a}").expand({"a": "\udcff"})
    with pytest.raises(TypeError):
        QueryRules(b"")
    with pytest.raises(TypeError):
        arrow.apply_query_rules(["/?a"], "[[drop]]\nnames = ['a']")


def test_a_verdict_has_no_truth_value():
    refused = simd_iri.judge("http://127.0.0.1/")
    redirect = simd_iri.judge_redirect("http://[::1]/", "https://a.example/")
    values = [refused, simd_iri.judge("https://a.example/"), redirect, simd_iri.judge_address("10.0.0.1"), refused.reasons[0].range]
    for value in values:
        for ask in (bool, lambda value: value and 1, lambda value: not value, lambda value: [1 for _ in "a" if value]):
            with pytest.raises(TypeError, match=f"an? {type(value).__name__} has no truth value; write "):
                ask(value)
    assert simd_iri.judge_address("93.184.216.34") is None
    # What is right works as before.
    assert refused == simd_iri.judge("http://127.0.0.1/") and refused in [refused] and refused.url_to_send is None
    assert pickle.loads(pickle.dumps(redirect)) == redirect


def test_the_fetches_of_the_page_about_verdicts(monkeypatch):
    """Its program with clients that note what they are asked."""
    page = (pathlib.Path(__file__).parents[3] / "docs" / "judge.md").read_text(encoding="utf-8")
    program, hosts, sent, answers = {}, {"a.example": ["127.0.0.1", "2606:2800::1", "93.184.216.34"], "b.example": ["10.0.0.1"]}, [], []
    exec(page.split("```python\n")[1].split("```")[0], program)

    class Client:
        def __init__(self, **options):
            assert options in ({}, {"follow_redirects": False, "trust_env": False})

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def mount(self, *_):
            pass

        def request(self, method, url, **options):
            sent.append((url, options))
            return answers.pop(0)

        def get(self, url, **options):
            assert options.pop("allow_redirects") is False and self.trust_env is False
            return self.request("GET", url, **options)

    class URL(str):
        netloc = property(lambda url: url.split("/")[2].encode())

        def copy_with(self, host):
            return self.replace(self.split("/")[2], host)

    def answer(**headers):
        return types.SimpleNamespace(has_redirect_location=bool(headers), headers=headers)

    module = types.SimpleNamespace
    adapter = module(HostHeaderSSLAdapter=object)
    modules = {
        "httpx": module(Client=Client, URL=URL), "requests": module(Session=Client), "requests_toolbelt": module(),
        "requests_toolbelt.adapters": module(), "requests_toolbelt.adapters.host_header_ssl": adapter,
    }
    for name, made in modules.items():
        monkeypatch.setitem(sys.modules, name, made)
    found = lambda host, port, type: [(0, type, 0, "", (address, port)) for address in hosts[host]]
    monkeypatch.setattr(socket, "getaddrinfo", found)
    for fetch in (program["fetch_with_httpx"], program["fetch_with_requests"]):
        for refused in ("http://127.1/", "http://a.example:22/", "file:///etc/passwd", "https://b.example/", "http://[::1]/"):
            with pytest.raises(ValueError, match="refused: "):
                fetch(refused)
            assert sent == []
        answers.append(answer())
        fetch("HTTPS://a.example:443/b#c")
        url, options = sent.pop()
        assert "2606:2800::1" in url and options["headers"] == {"Host": "a.example"} and not sent
    answers += [answer(location="/c"), answer(location="http://169.254.169.254/")]
    with pytest.raises(ValueError, match="refused: "):
        program["fetch_with_httpx"]("https://a.example/")
    assert len(sent) == 2 and sent[1][1]["extensions"] == {"sni_hostname": "a.example"}
    answers += [answer(location="/c")] * 20
    with pytest.raises(ValueError, match="refused: too"):
        program["fetch_with_httpx"]("https://a.example/")


def test_policies():
    policy = Policy(schemes=["ftp"], ports=[21], strip_userinfo=True, permit_ranges=["10.0.0.0/8"])
    assert simd_iri.judge("ftp://u@10.0.0.1/", policy).url_to_send == "ftp://10.0.0.1/"
    assert simd_iri.judge_address("10.0.0.1", policy) is None
    assert simd_iri.judge_address(ipaddress.ip_address("::1")).meaning == "loopback"
    assert simd_iri.judge_address("169.254.169.254", Policy(permit_ranges=["169.254.0.0/16"])).is_metadata
    assert simd_iri.judge("http://a.example/", Policy(only_domains=["b.example"])).reasons[0].kind == "not-listed"
    assert simd_iri.judge("http://[2001:db8::7f00:1]/", Policy(nat64_prefixes=["2001:db8::/96"])).decision == "refuse"
    redirect = simd_iri.judge_redirect("/b", "https://a.example/", 3, Policy(max_redirects=2))
    assert [reason.kind for reason in redirect.verdict.reasons] == ["too-many-redirects"]
    assert not simd_iri.judge_redirect("https://b.example/", "https://a.example/").keeps_credentials
    for wrong, word in [
        ({"only_hosts": ["http://u:geheim@a/"]}, "only_hosts"),
        ({"permit_ranges": ["10/8/8"]}, "permit_ranges"),
        ({"nat64_prefixes": ["10.0.0.0/8"]}, "nat64_prefixes"),
    ]:
        with pytest.raises(ValueError, match=word) as raised:
            Policy(**wrong)
        assert "geheim" not in str(raised.value)
    with pytest.raises(ValueError):
        simd_iri.judge_address("a.example")


@given(TEXTS)
def test_reasons_have_places_in_characters(text):
    text = "http://é.example/" + text
    verdict = simd_iri.judge(text)
    assert (verdict.url_to_send is None) == (verdict.decision == "refuse") == bool(verdict.reasons)
    for reason in verdict.reasons:
        assert reason.start is None or 0 <= reason.start <= reason.end <= len(text)
    if verdict.url_to_send:
        assert verdict.url_to_send.isascii() and simd_iri.judge(verdict.url_to_send).url_to_send == verdict.url_to_send

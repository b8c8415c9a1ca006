"""Measures the Python module and its peers: calls with one text, and columns. It compares the answers first.

    pip install adapters/python can_ada rfc3987 pyarrow jsonschema polars     # in a virtual environment
    python benches/engines/python.py [ROWS]

For calls with one text, each round times every function, and the order changes from round to round. A figure is the
median of CPU times over the rounds, in nanoseconds a call, a reference or a row; a ratio is the median of the ratios within each round. The loop is a part
of each figure. Columns have ROWS rows (a million unless given); their figures are nanoseconds a row.
"""

import statistics
import sys
import time

import can_ada
import jsonschema
import polars as pl
import pyarrow as pa
import rfc3987

import simd_iri
import simd_iri.polars  # the namespace .iri
from simd_iri import Iri, arrow
from simd_iri.jsonschema import format_checker

ROUNDS = 15
ASCII = [f"https://www.example{i % 97}.org/a/path/of/{i}/page.html?id={i}#top" for i in range(2000)]
BEYOND = [f"https://例え{i % 97}.jp/도움말/{i}/é?q=क{i}" for i in range(2000)]
INVALID = [f"https://example.org/{i}|b" for i in range(2000)]


# References of a JSON document.
REFERENCES = [ref for i in range(600) for ref in (ASCII[i], f"../{i}/é?q#f", BEYOND[i])]
# RFC 3986, appendix B, with the authority taken apart: user information, and an IP literal or a name.
HOST = r"^[^:/?#]+://(?:[^@/?#]*@)?(\[[^\]]*\]|[^:/?#]*)"


def same(what, ours, theirs):
    if ours != theirs:
        sys.exit(f"{what}: the answers differ")


def two_of_ours(text):
    iri = Iri(text)
    return iri.host, iri.path


def two_of_can_ada(text):
    url = can_ada.parse(text)
    return url.hostname, url.pathname


def is_valid_by_rfc3987(text):
    return rfc3987.match(text, rule="IRI") is not None


def measure(title, texts, functions, parts=1):
    """Prints a line for each function; the first is ours. A text may have several parts."""
    times = {name: [] for name in functions}
    names = list(functions)
    for number in range(ROUNDS):
        for name in names[number % len(names) :] + names[: number % len(names)]:
            call = functions[name]
            start = time.process_time_ns()
            for text in texts:
                call(text)
            times[name].append((time.process_time_ns() - start) / len(texts) / parts)
    ours = times[names[0]]
    for name in names:
        ratio = statistics.median(theirs / our for theirs, our in zip(times[name], ours))
        print(f"{title}\t{name}\t{statistics.median(times[name]):.0f} ns\t{ratio:.2f}")


def measure_column(title, array, kernel):
    times = []
    for _ in range(ROUNDS):
        start = time.process_time_ns()
        kernel(array)
        times.append((time.process_time_ns() - start) / len(array))
    print(f"{title}\tsimd_iri.arrow\t{statistics.median(times):.1f} ns a row")


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    for title, texts in (("ASCII", ASCII), ("IRI", BEYOND)):
        same(title, [simd_iri.is_valid(t) for t in texts], [True] * len(texts))
        same(title, [is_valid_by_rfc3987(t) for t in texts], [True] * len(texts))
        same(title, [can_ada.can_parse(t) for t in texts], [True] * len(texts))
    same("invalid", *([f(t) for t in INVALID] for f in (simd_iri.is_valid, is_valid_by_rfc3987)))
    # can_ada maps what is not ASCII, as browsers do; only ASCII has the same components.
    same("components", list(map(two_of_ours, ASCII)), list(map(two_of_can_ada, ASCII)))
    for title, texts in (("ASCII", ASCII), ("IRI", BEYOND)):
        functions = {
            "simd_iri.is_valid": simd_iri.is_valid,
            "can_ada.can_parse": can_ada.can_parse,
            "rfc3987.match": is_valid_by_rfc3987,
        }
        measure(f"valid, {title}", texts, functions)
        measure(
            f"two properties, {title}",
            texts,
            {"simd_iri.Iri": two_of_ours, "can_ada.parse": two_of_can_ada},
        )
    def errors(checker):
        schema = {"items": {"format": "iri-reference"}}
        validator = jsonschema.Draft202012Validator(schema, format_checker=checker)
        return lambda document: [error.message for error in validator.iter_errors(document)]

    # Without rfc3987, jsonschema has no checker for the format.
    checkers = {"simd_iri": format_checker(), "rfc3987": jsonschema.FormatChecker(["iri-reference"])}
    documents = {name: errors(checker) for name, checker in checkers.items()}
    same("jsonschema", *(errors(REFERENCES + INVALID) for errors in documents.values()))
    formats = {name: (lambda text, of=of: of.conforms(text, "iri-reference")) for name, of in checkers.items()}
    measure("jsonschema, a format", REFERENCES, formats)
    # What jsonschema takes for itself is in every time: a checker that does nothing shows it.
    nothing = jsonschema.FormatChecker([])
    nothing.checkers = {"iri-reference": (lambda _: True, ())}
    documents["no check"] = errors(nothing)
    measure(f"jsonschema, a document of {len(REFERENCES)}", [REFERENCES], documents, len(REFERENCES))

    column = pl.Series("u", (ASCII + BEYOND) * (rows // 4000 + 1))[:rows].to_frame()
    hosts = {"simd_iri": pl.col("u").iri.host(), "str.extract": pl.col("u").str.extract(HOST)}
    same("Polars", *(column.select(host)["u"].to_list() for host in hosts.values()))
    calls = {name: (lambda frame, host=host: frame.select(host)) for name, host in hosts.items()}
    measure(f"Polars, host, {rows} rows", [column], calls, rows)

    texts = (ASCII + BEYOND + INVALID) * (rows // 6000 + 1)
    array = pa.array(texts[:rows])
    valid = arrow.is_valid(array.slice(0, 6000)).to_pylist()
    same("column, is_valid", valid, list(map(simd_iri.is_valid, texts[: len(valid)])))
    parsed = [(p["host"], p["path"]) for p in arrow.parse(array.slice(0, 4000)).to_pylist()]
    same("column, parse", parsed, list(map(two_of_ours, texts[: len(parsed)])))
    measure_column("column, is_valid", array, arrow.is_valid)
    measure_column("column, parse", array, arrow.parse)
    measure_column("column, host", array, lambda rows: arrow.component(rows, "host"))


if __name__ == "__main__":
    main()

"""Inputs for canonicalize.py with everything that tables have, and a model of what the job must write for each.

`check(job, spark, folder, seed)` makes the input of a seed, runs the job, and compares the files with the model. `refusals` has
calls that must be refused without a file being touched. Not here: a cluster (`cluster.py`), Sail (`adapters/python/tests-spark`).
"""

import collections
import random
from pathlib import Path
from urllib.parse import unquote

import pyarrow
import pyarrow.parquet

import simd_iri
from simd_iri import arrow

# Names of columns: with dots, of several scripts, and such as engines give to their own things.
NAMES = ["id", "x.y", "x.y.z", "a b", "Größe", "value", "record", "c0", "c1", "part", "_1", "`q`", "n;m", "Url", "URL", "uRl"]


def spellings(rng):
    """Equivalent addresses, with a domain or without one."""
    number = rng.randrange(6)
    host = rng.choice(["www.a.example.com", "b.example.co.uk", "例え.jp", "127.0.0.1", "localhost", "[::1]"])
    if rng.random() < 0.2:
        return [f"urn:x:{number}~", f"URN:x:{number}%7E"]
    return [f"http://{host}/~{number}/é", f"HTTP://{host}/%7E{number}/é", f"http://{host}/a/../%7e{number}/é"]


INVALID = ["", "a|b", "http://a/b c", "relative", "http://a/%zz", "http://u:p|w@a/", " "]


def addresses(rng):
    """A column: of all kinds, or of one kind alone; perhaps one domain has nearly all rows; perhaps there is no row."""
    kinds = rng.choice([["valid", "invalid", "null"], ["valid"], ["invalid"], ["null"], ["invalid", "null"], ["giant", "null"]])
    rows = rng.choice([0, 1, 7, 60])
    make = {
        "valid": lambda: rng.choice(spellings(rng)),
        "invalid": lambda: rng.choice(INVALID),
        "null": lambda: None,
        "giant": lambda: f"http://giant.example/{rng.randrange(rows)}",
    }
    return [make[rng.choice(kinds)]() for _ in range(rows)]


def normal(address):
    """The normal form, or `None`, by the calls for one text."""
    try:
        return None if address is None else str(simd_iri.Iri(address).normalize())
    except simd_iri.IriError:
        return None


class Case:
    """The input of a seed, and the arguments of the job."""

    def __init__(self, folder: Path, seed: int):
        rng = random.Random(seed)
        urls = addresses(rng)
        self.prefix = rng.choice(["", "", "made_", "x."])
        self.folders = rng.choice([None, None, 1, 2, 5])
        self.out, self.errors = str(folder / "out"), str(folder / "errors")
        if rng.random() < 0.15:
            # Text has no nulls. An empty line is an address.
            urls = ["" if url is None else url for url in urls]
            self.field, self.names = None, ["value"]
            self.source = folder / "links.txt"
            self.source.write_text("".join(url + "\n" for url in urls), encoding="utf-8")
            self.rows = [(url,) for url in urls]
        else:
            self.names = rng.sample(NAMES, rng.randrange(1, 6))
            self.field = rng.choice(self.names)
            if self.prefix == "made_" and rng.random() < 0.5:
                self.names += ["Domain", "IRI", "records"]
            at = self.names.index(self.field)
            self.rows = [
                tuple(url if place == at else f"{place}-{row}" for place in range(len(self.names)))
                for row, url in enumerate(urls)
            ]
            columns = list(zip(*self.rows)) or [[] for _ in self.names]
            arrays = [pyarrow.array(column, pyarrow.string()) for column in columns]
            self.source = folder / "links.parquet"
            pyarrow.parquet.write_table(pyarrow.Table.from_arrays(arrays, self.names), self.source)
        self.at = self.names.index(self.field) if self.field else 0

    def arguments(self):
        return [str(self.source)], self.field, self.out, self.errors, self.folders, self.prefix


# The folder of a null in Spark, and in Sail.
NO_DOMAIN = ("__HIVE_DEFAULT_PARTITION__", "")


def files(folder):
    return sorted(path for path in Path(folder).rglob("*.parquet") if path.is_file())


def rows_of(folder):
    """The rows of an output as pairs of a name and a value, and the folder of each."""
    for path in files(folder):
        table = pyarrow.parquet.ParquetFile(path).read()
        for row in zip(*(column.to_pylist() for column in table.columns)) if table.num_columns else ():
            yield list(zip(table.column_names, row)), path.parent.name


def check(job, spark, folder: Path, seed: int):
    """Runs the job on the input of a seed, and compares what is on disk with the model. Returns the counts."""
    case = Case(folder, seed)
    counts = job.canonicalize(spark, *case.arguments())
    classes, failed = collections.defaultdict(list), collections.Counter()
    for row in case.rows:
        key = normal(row[case.at])
        if key is None:
            failed[row] += 1
        else:
            classes[key].append(row)
    valid = sum(map(len, classes.values()))
    expected = {"in": len(case.rows), "errors": len(case.rows) - valid, "out": len(classes), "duplicates": valid - len(classes)}
    assert counts == expected, (seed, counts, expected)

    found = collections.Counter()
    for row, _ in rows_of(case.errors):
        assert [name for name, _ in row] == [*case.names, case.prefix + "error"], (seed, row)
        found[tuple(value for _, value in row[:-1])] += 1
        address, error = row[case.at][1], row[-1][1]
        assert (error is None) == (address is None), (seed, row)
    assert found == failed, seed

    seen, folders_of = {}, {}
    added = ["iri", "records"] if case.folders is None else ["iri", "records", "domain"]
    for row, place in rows_of(case.out):
        assert [name for name, _ in row] == [*case.names, *(case.prefix + name for name in added)], (seed, row)
        values = [value for _, value in row]
        record, (iri, records) = tuple(values[: len(case.names)]), values[len(case.names) :][:2]
        assert iri not in seen and record in classes[iri], (seed, row)
        assert records == len(classes[iri]), (seed, row)
        seen[iri] = record
        [domain] = arrow.registrable_domain([iri]).to_pylist()
        name, _, value = place.partition("=")
        if case.folders is None:
            assert name == case.prefix + "domain", (seed, place)
            assert (None if value in NO_DOMAIN else unquote(value)) == domain, (seed, place, iri)
        else:
            assert name == case.prefix + "folder" and 0 <= int(value) < case.folders, (seed, place)
            assert values[-1] == domain, (seed, row)
            # All addresses of a domain are in one folder.
            assert domain is None or folders_of.setdefault(domain, value) == value, (seed, row)
    assert seen.keys() == classes.keys(), seed
    return counts


def check_skew(job, spark, folder: Path, divides: bool):
    """Half of the addresses have no domain, and most others have one domain. No folder by hash gets the half, and an engine that
    `divides` large partitions gives the one domain several files."""
    rows = 20_000
    urls = [f"urn:x:{row}" if row % 2 else f"http://a{row % 7}.giant.example/{row}/{hash(str(row))}" for row in range(rows)]
    urls += [f"http://small{row}.example/" for row in range(50)]
    source = folder / "links.parquet"
    # Several row groups, so that there are several readers.
    pyarrow.parquet.write_table(pyarrow.table({"url": urls}), source, row_group_size=2_000)
    for folders in (None, 8):
        out = folder / f"out-{folders}"
        counts = job.canonicalize(spark, [str(source)], None, str(out), str(folder / f"errors-{folders}"), folders)
        assert counts == {"in": rows + 50, "errors": 0, "out": rows + 50, "duplicates": 0}
        sizes, count_of_files, largest = collections.Counter(), collections.Counter(), 0
        without, giant = collections.Counter(), collections.Counter()
        for path in files(out):
            table = pyarrow.parquet.ParquetFile(path).read()
            place = path.parent.name
            sizes[place] += table.num_rows
            count_of_files[place] += 1
            largest = max(largest, table.num_rows)
            for iri in table["iri"].to_pylist():
                without[place] += iri.startswith("urn:")
                giant[place] += "giant" in iri
        if folders is None:
            [none] = [place for place in sizes if place.partition("=")[2] in NO_DOMAIN]
            assert sizes[none] == rows // 2 and (count_of_files[none] > 1 or not divides), count_of_files
            divided = "domain=giant.example"
        else:
            assert max(without.values()) < rows / 2 / folders * 1.5, without
            divided = max(giant, key=giant.get)
        if divides:
            assert count_of_files[divided] > 1 and largest < rows * 0.3, (count_of_files, largest)


def on_disk(folder: Path):
    return {path: path.read_bytes() if path.is_file() else None for path in sorted(folder.rglob("*"))}


def check_refusals(job, spark, folder: Path):
    """Each call is refused with a message that names the cause, and nothing on disk changes."""
    table = pyarrow.table({"id": [1, 2], "url": ["http://a.example/", "a|b"]})
    links = folder / "links.parquet"
    pyarrow.parquet.write_table(table, links)
    (folder / "empty").mkdir()
    (folder / "full").mkdir()
    (folder / "full/file").write_text("x")
    (folder / "data").mkdir()
    pyarrow.parquet.write_table(table, folder / "data/links.parquet")
    (folder / "lines").write_text("a:b\n")
    sources = {name: folder / f"with-{name}.parquet" for name in ["Domain", "IRI", "domain", "folder", "Error"]}
    for name, source in sources.items():
        pyarrow.parquet.write_table(table.append_column(name, [["x", "y"]]), source)
    new, other = str(folder / "new"), str(folder / "other")

    def call(source=links, field=None, out=new, errors=other, folders=None, prefix=""):
        return [str(source)], field, str(out), str(errors), folders, prefix

    calls = [
        (call(out=folder / "empty"), "exists"),
        (call(out=folder / "full"), "exists"),
        (call(errors=folder / "empty"), "exists"),
        (call(errors=folder / "full"), "exists"),
        (call(out=f"file://{folder}/full"), "exists"),
        (call(out=folder / "full/"), "exists"),
        (call(out=new, errors=new), "one folder"),
        (call(out=new, errors=new + "/"), "one folder"),
        (call(out=new, errors=f"{folder}/x/../new"), "one folder"),
        (call(out=new, errors=f"file:{new}"), "one folder"),
        (call(out=new, errors=new + "/errors"), "in the other"),
        (call(out=other + "/out"), "in the other"),
        (call(source=folder / "data", field="url", out=folder / "data/out"), "in the other"),
        (call(out=links), "one folder"),
        (call(folders=0), "0 folders"),
        (call(folders=-1), "-1 folders"),
        (call(field="URL"), "no column URL"),
        (call(field="id"), "not text"),
        *((call(source=source), name) for name, source in sources.items()),
    ]
    before = on_disk(folder)
    for arguments, word in calls:
        try:
            job.canonicalize(spark, *arguments)
        except job.Refused as refused:
            assert word in str(refused), (arguments, str(refused))
        else:
            raise AssertionError(f"not refused: {arguments}")
        assert on_disk(folder) == before, arguments
    try:
        job.canonicalize(spark, [str(links), str(folder / "lines")], None, new, other)
    except job.Refused as refused:
        assert "--field" in str(refused)
    else:
        raise AssertionError("Parquet was read as text")
    assert on_disk(folder) == before
    return len(calls)

#!/usr/bin/env python3
"""Canonicalizes addresses on a cluster: normalizes them, sets errors aside, and keeps one record of each normal form.

    spark-submit --master spark://host:7077 adapters/spark/canonicalize.py links.parquet --field url --out canonical --errors errors

The input is Parquet, or text with an address a line if its name does not end in ``.parquet`` and there is no --field. The
output is Parquet with the columns of the input, whatever their names are, and three more:

    iri      the normal form (RFC 3987, section 5.3.2), which is the key: it is there once
    records  how many records of the input have it
    domain   its registrable domain, which is the name of a folder; --folders N makes N folders by its hash instead, because
             no file system likes a folder for each of a million domains. An address without a domain is in a folder by its
             own hash. A large folder has several files.

Which of several equivalent records stays is not determined. A record without an address, or with an invalid one, goes to the
errors, with the struct ``error``. Nothing is read before it is known that the names of columns and folders can be written. At
the end the counts are read from what was written, and the job fails unless in = out + errors + duplicates.

The workers need the packages simd-iri and pyarrow. With --remote, it also runs on servers with Spark's protocol, such as Sail.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import uuid

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.types import BinaryType, StringType

from simd_iri.spark import register

# The columns that the job adds to the output, and to the errors.
IRI, RECORDS, DOMAIN, FOLDER, ERROR = ADDED = ("iri", "records", "domain", "folder", "error")

# The number of tasks over which the addresses without a domain are spread.
SPREAD = 64


class Refused(Exception):
    """Nothing was written. The message says why, and what to do."""


def canonicalize(
    spark: SparkSession,
    paths: list[str],
    field: str | None,
    out: str,
    errors: str,
    folders: int | None = None,
    prefix: str = "",
) -> dict[str, int]:
    """Writes the records and the errors, and returns how many there are."""
    if folders is not None and folders < 1:
        raise Refused(f"there cannot be {folders} folders; write a number from 1 on, or leave --folders out")
    check_places(paths, out, errors)
    for option, path in (("--out", out), ("--errors", errors)):
        if exists(spark, path):
            raise Refused(f"{option} {path} exists; remove it, or name another folder")
    register(spark)
    # Parquet may have columns whose names differ only by case.
    was = spark.conf.get("spark.sql.caseSensitive")
    spark.conf.set("spark.sql.caseSensitive", "true")
    try:
        return write(spark, *read(spark, paths, field, prefix), out, errors, folders, prefix)
    finally:
        spark.conf.set("spark.sql.caseSensitive", was)


def check_places(paths: list[str], out: str, errors: str) -> None:
    """The folders must lie apart: what is written into one must not be read as a part of another."""
    places = [("--out", out), ("--errors", errors), *(("the input", path) for path in paths)]
    for at, (name, path) in enumerate(places[:2]):
        for other_name, other in places[at + 1 :]:
            one, two = place_of(path), place_of(other)
            if one.startswith(two) or two.startswith(one):
                raise Refused(f"{name} {path} and {other_name} {other} are one folder, or one is in the other")


def place_of(path: str) -> str:
    """One spelling of a path, with a slash at its end."""
    path = path.removeprefix("file://").removeprefix("file:")
    return (path if "://" in path else os.path.abspath(path)).rstrip("/") + "/"


def exists(spark: SparkSession, path: str) -> bool:
    """Asks the engine, because only it knows the file system of the cluster."""
    if says_what_is_missing(spark, path):
        return is_found(spark, path)
    # Sail reads a missing path as an empty table. It refuses to write to an existing path, and makes no folder without rows.
    try:
        spark.range(0).write.parquet(path)
    except AnalysisException:
        return True
    return False


def says_what_is_missing(spark: SparkSession, path: str) -> bool:
    return not is_found(spark, f"{path.rstrip('/')}-{uuid.uuid4()}")


def is_found(spark: SparkSession, path: str) -> bool:
    try:
        spark.read.text(path).schema
    except AnalysisException as error:
        if "PATH_NOT_FOUND" in str(error):
            return False
        raise
    return True


def read(spark: SparkSession, paths: list[str], field: str | None, prefix: str) -> tuple[DataFrame, int]:
    """The records, and the number of the column of addresses."""
    are_parquet = {path.rstrip("/").endswith(".parquet") for path in paths}
    if field is None and are_parquet == {True, False}:
        raise Refused("some of the inputs are Parquet by their name and some are not; name the column with --field if all are")
    if field is None and are_parquet == {False}:
        return spark.read.text(paths), 0
    records, field = spark.read.parquet(*paths), field or "url"
    if field not in records.columns:
        raise Refused(f"there is no column {field}; the columns are: {', '.join(records.columns)}")
    at = records.columns.index(field)
    if not isinstance(records.schema[at].dataType, (StringType, BinaryType)):
        raise Refused(f"the column {field} is {records.schema[at].dataType.simpleString()}, not text")
    added = {(prefix + name).lower() for name in ADDED}
    taken = [name for name in records.columns if name.lower() in added]
    if taken:
        raise Refused(
            f"the input has names of columns that this job adds, in any case of letters: {', '.join(taken)}; "
            "give those that it adds a prefix with --prefix"
        )
    return records, at


def write(
    spark: SparkSession, records: DataFrame, at: int, out: str, errors: str, folders: int | None, prefix: str
) -> dict[str, int]:
    """Writes both outputs. Inside, columns have numbers as names, which mean the same in every engine: a name of the input may
    have dots, or differ from another one only by case."""
    names = records.columns
    numbered = [f"c{number}" for number in range(len(names))]
    records = records.toDF(*numbered)
    address = f.col(numbered[at])
    normal = f.call_function("iri_normalize", address)

    failed = records.where(normal.isNull()).select(*numbered, f.call_function("iri_error", address).alias(ERROR))
    failed.toDF(*names, prefix + ERROR).write.parquet(errors)

    # One shuffle finds the duplicates.
    valid = records.select(f.struct(*numbered).alias("record"), normal.alias(IRI)).where(f"{IRI} IS NOT NULL")
    classes = valid.groupBy(IRI).agg(f.first("record").alias("record"), f.count(f.lit(1)).alias(RECORDS))
    domain = f.call_function("iri_registrable_domain", f.col(IRI))
    table = classes.select("record.*", IRI, RECORDS, domain.alias(DOMAIN))

    # A second shuffle brings each folder to one worker, so that the folder has one file. No worker gets most of the rows: rows
    # without a domain are spread by their own hash, and Spark divides a partition that is too large when it sees its size.
    folder, columns = DOMAIN, [*names, prefix + IRI, prefix + RECORDS, prefix + DOMAIN]
    if folders is not None:
        folder, columns = FOLDER, [*columns, prefix + FOLDER]
        table = table.withColumn(FOLDER, f.pmod(f.hash(f.coalesce(DOMAIN, IRI)), f.lit(folders)))
    part = f.when(f.col(DOMAIN).isNull(), f.pmod(f.hash(IRI), f.lit(SPREAD))).otherwise(f.lit(0))
    table = table.withColumn("part", part)
    # Spark makes one shuffle of the repartition and the hint; Sail does not know the hint.
    table = table.repartition(folder, "part").hint("rebalance", f.col(folder), f.col("part")).drop("part")
    table.toDF(*columns).write.partitionBy(prefix + folder).parquet(out)

    counts = {"in": records.count(), "errors": written(spark, errors, prefix + ERROR, "struct<kind: string>").count()}
    rows, sums = f.count(f.lit(1)).alias("out"), f.sum(f.col(f"`{prefix}{RECORDS}`")).alias("records")
    kept = written(spark, out, prefix + RECORDS, "bigint").agg(rows, sums).first()
    counts["out"] = kept["out"]
    counts["duplicates"] = (kept["records"] or 0) - kept["out"]
    return counts


def written(spark: SparkSession, path: str, column: str, kind: str) -> DataFrame:
    """One column of an output. Without a row, the output has no file that tells its columns."""
    return spark.read.schema(f"`{column}` {kind}").parquet(path)


def main() -> None:
    about, _, details = __doc__.partition("\n\n")
    parser = argparse.ArgumentParser(description=about, epilog=details, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("input", nargs="+", help="files or folders that every worker can read")
    parser.add_argument("--field", help="the column of addresses in Parquet; by default url")
    parser.add_argument("--out", required=True, help="the folder of the output, which must not exist")
    parser.add_argument("--errors", required=True, help="the folder of the errors, which must not exist")
    parser.add_argument("--folders", type=int, help="how many folders the output has; by default one for each domain")
    parser.add_argument("--prefix", default="", help="what the names of the added columns begin with; by default nothing")
    parser.add_argument("--remote", help="the address of a server that speaks Spark's protocol, such as sc://localhost:50051")
    args = parser.parse_args()
    builder = SparkSession.builder.appName("canonicalize")
    spark = (builder.remote(args.remote) if args.remote else builder).getOrCreate()
    try:
        counts = canonicalize(spark, args.input, args.field, args.out, args.errors, args.folders, args.prefix)
    except Refused as refused:
        print(f"canonicalize.py: {refused}", file=sys.stderr)
        sys.exit(2)
    finally:
        spark.stop()
    print(json.dumps(counts))
    if counts["in"] != counts["out"] + counts["errors"] + counts["duplicates"]:
        sys.exit("records were lost: in is not out + errors + duplicates")


if __name__ == "__main__":
    main()

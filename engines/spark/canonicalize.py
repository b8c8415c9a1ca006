#!/usr/bin/env python3
"""Canonicalizes addresses on a cluster: normalizes them, sets errors aside, and keeps one record of each normal form.

    spark-submit --master spark://host:7077 engines/spark/canonicalize.py links.parquet --field url --out canonical --errors errors

The input is Parquet, or text with an address a line if its name does not end in ``.parquet`` and there is no --field. The
output is Parquet with the columns of the input and three more:

    iri      the normal form (RFC 3987, section 5.3.2), which is the key: it is there once
    records  how many records of the input have it
    domain   its registrable domain, which is the name of a folder; --folders N makes N folders by its hash instead, because
             no file system likes a folder for each of a million domains

Which of several equivalent records stays is not determined. A record without an address, or with an invalid one, goes to the
errors, with the struct ``error``. At the end the counts are read from what was written, and the job fails unless
in = out + errors + duplicates.

The workers need the packages simd-iri and pyarrow. With --remote, it also runs on servers with Spark's protocol, such as Sail.
"""

from __future__ import annotations

import argparse
import json
import sys

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from simd_iri.spark import register

# The columns that the job adds.
ADDED = ("iri", "records", "domain", "folder", "error")


def read(spark: SparkSession, paths: list[str], field: str | None) -> tuple[DataFrame, str]:
    """The records, and the name of the column of addresses."""
    if field is None and not all(path.endswith(".parquet") for path in paths):
        return spark.read.text(paths), "value"
    records, field = spark.read.parquet(*paths), field or "url"
    if field not in records.columns:
        sys.exit(f"there is no column {field}; the columns are: {', '.join(records.columns)}")
    taken = sorted(set(ADDED) & set(records.columns))
    if taken:
        sys.exit(f"the input has columns that this job adds: {', '.join(taken)}; rename them")
    return records, field


def canonicalize(
    spark: SparkSession, paths: list[str], field: str | None, out: str, errors: str, folders: int | None = None
) -> dict[str, int]:
    """Writes the records and the errors, and returns how many there are."""
    register(spark)
    records, field = read(spark, paths, field)
    address = f.col(field)
    normal = f.call_function("iri_normalize", address)

    failed = records.where(normal.isNull()).withColumn("error", f.call_function("iri_error", address))
    failed.write.parquet(errors)

    # One shuffle finds the duplicates, a second one brings each domain to one worker, so that a folder has one file.
    valid = records.select(f.struct(*records.columns).alias("record"), normal.alias("iri")).where("iri IS NOT NULL")
    classes = valid.groupBy("iri").agg(f.first("record").alias("record"), f.count(f.lit(1)).alias("records"))
    domain = f.call_function("iri_registrable_domain", f.col("iri"))
    table = classes.select("record.*", "iri", "records", domain.alias("domain"))
    folder = "domain"
    if folders is not None:
        folder = "folder"
        table = table.withColumn(folder, f.pmod(f.hash("domain"), f.lit(folders)))
    table.repartition(folder).write.partitionBy(folder).parquet(out)

    counts = {"in": records.count(), "errors": spark.read.parquet(errors).count()}
    kept = spark.read.parquet(out).agg(f.count(f.lit(1)).alias("out"), f.sum("records").alias("records")).first()
    counts["out"] = kept["out"]
    counts["duplicates"] = (kept["records"] or 0) - kept["out"]
    return counts


def main() -> None:
    about, _, details = __doc__.partition("\n\n")
    parser = argparse.ArgumentParser(description=about, epilog=details, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("input", nargs="+", help="files or folders that every worker can read")
    parser.add_argument("--field", help="the column of addresses in Parquet; by default url")
    parser.add_argument("--out", required=True, help="the folder of the output, which must not exist")
    parser.add_argument("--errors", required=True, help="the folder of the errors, which must not exist")
    parser.add_argument("--folders", type=int, help="how many folders the output has; by default one for each domain")
    parser.add_argument("--remote", help="the address of a server that speaks Spark's protocol, such as sc://localhost:50051")
    args = parser.parse_args()
    builder = SparkSession.builder.appName("canonicalize")
    spark = (builder.remote(args.remote) if args.remote else builder).getOrCreate()
    counts = canonicalize(spark, args.input, args.field, args.out, args.errors, args.folders)
    spark.stop()
    print(json.dumps(counts))
    if counts["in"] != counts["out"] + counts["errors"] + counts["duplicates"]:
        sys.exit("records were lost: in is not out + errors + duplicates")


if __name__ == "__main__":
    main()

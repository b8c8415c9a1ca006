#!/usr/bin/env python3
"""The job on an object store with the protocol of S3, through pyarrow: Spark itself needs the packages hadoop-aws and the AWS SDK
of Java for that, which PySpark does not have.

    spark-submit objects.py BUCKET --store HOST:PORT --into BUCKET --out FOLDER --errors FOLDER
    python objects.py --store HOST:PORT --put FOLDER BUCKET
    python objects.py --store HOST:PORT --get BUCKET FOLDER

The workers read each object of the bucket, write the folders, which all workers must have, and put each file of --out into
the other bucket. It prints the counts of `canonicalize.py`, which counts what it wrote.
"""

import argparse
import json
import sys
from pathlib import Path

import pyarrow
import pyarrow.fs
import pyarrow.parquet
from pyspark.sql import SparkSession

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import canonicalize

from simd_iri.spark import register


def connect(store):
    # moto takes every key.
    return pyarrow.fs.S3FileSystem(
        access_key="key",
        secret_key="secret",
        region="us-east-1",
        scheme="http",
        endpoint_override=store,
        allow_bucket_creation=True,
        connect_timeout=10,
        request_timeout=30,
    )


def read(spark, store, bucket):
    """The records of all objects of a bucket. A task reads one object."""
    files = connect(store).get_file_info(pyarrow.fs.FileSelector(bucket, recursive=True))
    keys = sorted(file.path for file in files if file.is_file)

    def records(batches):
        there = connect(store)
        for batch in batches:
            for key in batch["key"].to_pylist():
                with there.open_input_file(key) as file:
                    yield from pyarrow.parquet.ParquetFile(file).iter_batches()

    return one_a_task(spark, keys).mapInArrow(records, "id bigint, url string")


def put(spark, store, folder, bucket):
    """Puts each file of a folder into a bucket, and returns how many there are."""
    names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.parquet"))

    def put_files(batches):
        there = connect(store)
        for batch in batches:
            for name in batch["key"].to_pylist():
                with there.open_output_stream(f"{bucket}/{name}") as file:
                    file.write((folder / name).read_bytes())
            yield batch

    connect(store).create_dir(bucket)
    return one_a_task(spark, names).mapInArrow(put_files, "key string").count()


def one_a_task(spark, keys):
    return spark.createDataFrame(spark.sparkContext.parallelize([(key,) for key in keys], len(keys)), "key string")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("input", nargs="?")
    parser.add_argument("--store", required=True)
    parser.add_argument("--into")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--errors")
    parser.add_argument("--put", nargs=2)
    parser.add_argument("--get", nargs=2)
    args = parser.parse_args()
    if args.put or args.get:
        ends = {"destination_filesystem" if args.put else "source_filesystem": connect(args.store)}
        if args.put:
            ends["destination_filesystem"].create_dir(args.put[1])
        pyarrow.fs.copy_files(*(args.put or args.get), **ends)
        return
    spark = SparkSession.builder.appName("objects").getOrCreate()
    register(spark)
    counts = canonicalize.write(spark, read(spark, args.store, args.input), 1, str(args.out), args.errors, None, "")
    files = put(spark, args.store, args.out, args.into)
    assert files == len(list(args.out.rglob("*.parquet"))), files
    spark.stop()
    print(json.dumps(counts))


if __name__ == "__main__":
    main()

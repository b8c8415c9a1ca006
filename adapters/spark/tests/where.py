"""Prints, for each executor, its interpreter and the file of the compiled module of simd-iri that it loads. `archives.py` submits
this."""

import json
import sys

from pyspark.sql import SparkSession


def where(_):
    from simd_iri import _native

    return [(sys.executable, _native.__file__)]


spark = SparkSession.builder.appName("where").getOrCreate()
# Many tasks, so that each executor has some.
places = spark.sparkContext.parallelize(range(32), 32).mapPartitions(where).distinct().collect()
spark.stop()
print(json.dumps(places))

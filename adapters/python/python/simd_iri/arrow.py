"""Kernels over columns of text.

>>> from simd_iri import arrow
>>> arrow.host(["http://例え.jp/a", "a|b", None]).to_pylist()
['例え.jp', None, None]

Each takes a list of ``str``, ``bytes``, ``IriRef`` and ``None``, or whatever has ``__arrow_c_array__`` or
``__arrow_c_stream__``, such as a pyarrow array or a Polars series. The type is string, large string, string view, binary,
or a dictionary of these. The result is an ``Array``, which ``pyarrow.array``, ``polars.Series`` and others take. A text in it
refers to the input, unless it changed.

A null row gives null. A row that does not match the rule, which is ``"iri"`` unless another is given, gives null, and
``error`` says why. Offsets are in bytes of UTF-8, as everywhere in Arrow. The interpreter runs other threads meanwhile.
"""

from __future__ import annotations

from ._native import arrow as _kernels

Array = _kernels.Array
apply_query_rules = _kernels.apply_query_rules
archive_key = _kernels.archive_key
authority = _kernels.authority
component = _kernels.component
display = _kernels.display
display_in_text = _kernels.display_in_text
display_rule = _kernels.display_rule
drop_query_pairs = _kernels.drop_query_pairs
error = _kernels.error
extract = _kernels.extract
fingerprint = _kernels.fingerprint
fix = _kernels.fix
fragment = _kernels.fragment
host = _kernels.host
host_kind = _kernels.host_kind
is_hostname = _kernels.is_hostname
is_idn_hostname = _kernels.is_idn_hostname
is_valid = _kernels.is_valid
judge = _kernels.judge
key = _kernels.key
lint = _kernels.lint
masked = _kernels.masked
normalize = _kernels.normalize
origin = _kernels.origin
parse = _kernels.parse
path = _kernels.path
percent_decode = _kernels.percent_decode
percent_encode = _kernels.percent_encode
port = _kernels.port
prepare = _kernels.prepare
query = _kernels.query
query_value = _kernels.query_value
redact = _kernels.redact
registrable_domain = _kernels.registrable_domain
relativize = _kernels.relativize
resolve = _kernels.resolve
scheme = _kernels.scheme
skeleton = _kernels.skeleton
template_match = _kernels.template_match
to_iri = _kernels.to_iri
to_uri = _kernels.to_uri
unwrap = _kernels.unwrap
userinfo = _kernels.userinfo
violations = _kernels.violations

__all__ = [
    "Array",
    "apply_query_rules",
    "archive_key",
    "authority",
    "component",
    "display",
    "display_in_text",
    "display_rule",
    "drop_query_pairs",
    "error",
    "extract",
    "fingerprint",
    "fix",
    "fragment",
    "host",
    "host_kind",
    "is_hostname",
    "is_idn_hostname",
    "is_valid",
    "judge",
    "key",
    "lint",
    "masked",
    "normalize",
    "origin",
    "parse",
    "path",
    "percent_decode",
    "percent_encode",
    "port",
    "prepare",
    "query",
    "query_value",
    "redact",
    "registrable_domain",
    "relativize",
    "resolve",
    "scheme",
    "skeleton",
    "template_match",
    "to_iri",
    "to_uri",
    "unwrap",
    "userinfo",
    "violations",
]

# By these names they are pickled, for example to be sent to a worker of Spark.
for _name in __all__:
    globals()[_name].__module__ = __name__

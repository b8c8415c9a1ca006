-- Reads addresses from a Parquet file with a text column `url`: how many are valid, why others are not, and which domains
-- they name. From the folder adapters/duckdb, after ./build:
--
--     duckdb -unsigned -cmd "SET VARIABLE file = 'addresses.parquet'" -f examples/addresses.sql

LOAD 'target/simd_iri.duckdb_extension';

CREATE TEMP TABLE addresses AS
SELECT url, iri_normalize(url, 'scheme') AS iri, iri_error(url) AS error
FROM read_parquet(getvariable('file'));

-- How many there are. Each row is valid, invalid or null.
SELECT
    count(iri) AS valid,
    count(DISTINCT iri_fingerprint(iri)) AS distinct_valid,
    count(error) AS invalid,
    count(*) - count(url) AS nulls
FROM addresses;

-- Why addresses are invalid, with the repair of one of each kind.
SELECT
    error.kind,
    error.component,
    count(*) AS rows,
    min(url) AS example,
    iri_prepare(min(url)) AS repaired
FROM addresses
WHERE error IS NOT NULL
GROUP BY ALL
ORDER BY ALL;

-- Which registrable domains there are most often. An address without one counts by its host.
SELECT coalesce(iri_registrable_domain(iri), iri_host(iri)) AS domain, count(*) AS rows
FROM addresses
WHERE iri IS NOT NULL
GROUP BY domain
ORDER BY rows DESC, domain
LIMIT 10;

-- What misleads readers or programs.
SELECT code, count(*) AS rows, min(url) AS example
FROM (SELECT url, unnest(iri_lint(url, 'crawler')) AS code FROM addresses)
GROUP BY code
ORDER BY code;

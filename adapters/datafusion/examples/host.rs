//! Compares the speed of `iri_host` with that of a regular expression for the same work.
//!
//! ```sh
//! CORPUS=path/to/references cargo run --profile measure --example host
//! ```
//!
//! CORPUS is a file with an IRI a line. ROWS is the number of rows (960000), ROUNDS the number of runs of each query
//! (9). Answers are compared first: where a valid line has a host, both must find the same host. In each round the
//! queries run one after another, on one thread. A time is a median, in nanoseconds a row, with the scan of the column
//! in memory; a ratio is the median of the ratios of the rounds.
#![expect(clippy::indexing_slicing, reason = "a failure is the end of the measurement")]

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use datafusion::arrow::array::{AsArray, RecordBatch, StringViewArray};
use datafusion::arrow::datatypes::Int64Type;
use datafusion::datasource::MemTable;
use datafusion::prelude::{SessionConfig, SessionContext};

/// RFC 3986, appendix B, with the authority taken apart: user information, and an IP literal or a name.
const HOST: &str = r"^[^:/?#]+://(?:[^@/?#]*@)?(\[[^\]]*\]|[^:/?#]*)";

fn number(name: &str, default: usize) -> Result<usize, Box<dyn Error>> {
    Ok(std::env::var(name).map_or(Ok(default), |text| text.parse())?)
}

/// The number that a query returns.
async fn count(context: &SessionContext, query: &str) -> Result<i64, Box<dyn Error>> {
    let batches = context.sql(query).await?.collect().await?;
    Ok(batches[0].column(0).as_primitive::<Int64Type>().value(0))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let corpus = std::env::var("CORPUS").map_err(|_| "CORPUS names a file with an IRI a line")?;
    let text = std::fs::read_to_string(corpus)?;
    let lines: Vec<&str> = text.lines().collect();
    let (rows, rounds) = (number("ROWS", 960_000)?, number("ROUNDS", 9)?);
    let all: Vec<&str> = lines.iter().copied().cycle().take(rows).collect();
    let batches = all.chunks(8192).map(|chunk| {
        RecordBatch::try_from_iter([(
            "url",
            Arc::new(StringViewArray::from_iter_values(chunk)) as Arc<_>,
        )])
    });
    let batches = batches.collect::<Result<Vec<_>, _>>()?;
    let schema = batches[0].schema();

    let mut context =
        SessionContext::new_with_config(SessionConfig::new().with_target_partitions(1));
    simd_iri_datafusion::register(&mut context)?;
    context.register_table("rows", Arc::new(MemTable::try_new(schema, vec![batches])?))?;

    // DataFusion has no function for a group alone: `regexp_match` makes a list of the groups. Lists have no elements
    // in SQL without the functions of a feature that takes minutes to compile, so another function compares.
    let replaced = format!("regexp_replace(url, '{HOST}.*$', '\\1')");
    let differ = format!(
        "SELECT count(*) FROM rows WHERE iri_valid(url) AND iri_host(url) IS NOT NULL \
         AND iri_host(url) <> {replaced}"
    );
    let differ = count(&context, &differ).await?;
    if differ != 0 {
        return Err(format!("the hosts of {differ} rows differ").into());
    }
    let regex = format!("regexp_match(url, '{HOST}')");
    let works = [
        ("the column alone", "length(url)".to_owned()),
        ("iri_host", "iri_host(url)".to_owned()),
        ("regexp_match", regex),
        ("iri_valid", "iri_valid(url)".to_owned()),
        ("iri_normalize", "iri_normalize(url)".to_owned()),
    ];
    let mut times = vec![Vec::new(); works.len()];
    for _ in 0..rounds {
        for ((_, call), times) in works.iter().zip(&mut times) {
            let start = Instant::now();
            count(&context, &format!("SELECT count({call}) FROM rows")).await?;
            times.push(start.elapsed().as_nanos() as f64 / rows as f64);
        }
    }
    println!("{rows} rows, {rounds} rounds, the hosts of all valid rows are the same");
    println!("{:20}{:>10}{:>36}", "work", "ns a row", "iri_host is so many times as fast");
    for ((name, _), each) in works.iter().zip(&times) {
        let ratios = each.iter().zip(&times[1]).map(|(other, ours)| other / ours).collect();
        println!("{name:20}{:10.1}{:36.1}", median(each.clone()), median(ratios));
    }
    Ok(())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

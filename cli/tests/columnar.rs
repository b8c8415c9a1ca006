//! Files of columns: the right column is read, all other columns stay as they are, and no row is lost. Without the
//! feature `columnar`, the program names the feature.

use crate::{TempFile, run};

#[cfg(not(feature = "columnar"))]
#[test]
fn a_program_without_the_feature_names_it() {
    let file = TempFile::new("absent.parquet", "PAR1");
    for args in [
        &["check", "--field", "url", file.name()][..],
        &["check", "--from", "arrow", "--field", "url", file.name()],
        &["normalize", "--to", "parquet", "-i", "http://a/"],
    ] {
        let run = run(args, "");
        assert!(run.err.contains("without the feature columnar"), "{args:?}: {}", run.err);
        assert_eq!((run.text(), run.code), ("", 2), "{args:?}");
    }
}

#[cfg(feature = "columnar")]
mod present {
    use std::fs::{self, File};
    use std::sync::Arc;

    use arrow_array::builder::{Int32Builder, ListBuilder};
    use arrow_array::cast::AsArray;
    use arrow_array::types::Int32Type;
    use arrow_array::{
        Array, ArrayRef, BinaryArray, DictionaryArray, Int64Array, LargeStringArray, RecordBatch,
        StringArray, StringViewArray,
    };
    use arrow_ipc::reader::FileReader;
    use arrow_ipc::writer::{FileWriter, StreamWriter};
    use arrow_schema::DataType;
    use parquet::arrow::ArrowWriter;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use parquet::file::properties::WriterProperties;
    use serde_json::json;

    use super::{TempFile, run};

    /// More rows than a block has.
    const ROWS: usize = 20_000;

    /// An address, whether there is one, and whether it is valid.
    fn address(row: usize) -> Option<String> {
        match row % 7 {
            0 => None,
            1 => Some(format!("http://a/{row}|b")),
            _ => Some(format!("HTTP://A.example/%7e{row}/é")),
        }
    }

    fn normal(row: usize) -> String {
        format!("http://a.example/~{row}/é")
    }

    fn addresses() -> Vec<Option<String>> {
        (0..ROWS).map(address).collect()
    }

    /// A table with the addresses, and with columns of a number, a list and a dictionary.
    fn table(urls: ArrayRef) -> RecordBatch {
        let mut lists = ListBuilder::new(Int32Builder::new());
        for row in 0..urls.len() as i32 {
            lists.append_option((row % 3 > 0).then_some([Some(row), None]));
        }
        let kinds: DictionaryArray<Int32Type> =
            (0..urls.len()).map(|row| ["x", "y", "z"].get(row % 4).copied()).collect();
        RecordBatch::try_from_iter_with_nullable([
            ("id", Arc::new(Int64Array::from_iter_values(0..urls.len() as i64)) as ArrayRef, false),
            ("list", Arc::new(lists.finish()), true),
            ("url", urls, true),
            ("kind", Arc::new(kinds), true),
        ])
        .unwrap()
    }

    fn parquet(name: &str, table: &RecordBatch) -> TempFile {
        let file = TempFile::new(name, "");
        let properties =
            WriterProperties::builder().set_max_row_group_row_count(Some(6000)).build();
        let out = File::create(file.name()).unwrap();
        let mut writer = ArrowWriter::try_new(out, table.schema(), Some(properties)).unwrap();
        writer.write(table).unwrap();
        writer.close().unwrap();
        file
    }

    fn read_parquet(name: &str) -> RecordBatch {
        let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(name).unwrap()).unwrap();
        let schema = builder.schema().clone();
        let batches: Vec<_> = builder.build().unwrap().map(Result::unwrap).collect();
        arrow_select::concat::concat_batches(&schema, &batches).unwrap()
    }

    fn texts(table: &RecordBatch, name: &str) -> Vec<Option<String>> {
        let column = table.column_by_name(name).unwrap();
        let mut texts = Vec::new();
        simd_iri_arrow::each_text(column, |text| {
            texts.push(text.map(|text| String::from_utf8(text.to_vec()).unwrap()));
        })
        .unwrap();
        texts
    }

    /// The rows of a table that have no invalid address.
    fn good(table: &RecordBatch) -> RecordBatch {
        let good: Vec<bool> = (0..table.num_rows()).map(|row| row % 7 != 1).collect();
        arrow_select::filter::filter_record_batch(table, &good.into()).unwrap()
    }

    #[test]
    fn a_column_is_replaced_and_the_others_stay() {
        let before = table(Arc::new(StringArray::from(addresses())));
        let file = parquet("replaced.parquet", &before);
        let (out, errors) = (TempFile::new("out.parquet", ""), TempFile::new("errors", ""));
        let run = run(
            &[
                "normalize",
                "--field",
                "url",
                file.name(),
                "-o",
                out.name(),
                "--errors",
                errors.name(),
            ],
            "",
        );
        let failed = (0..ROWS).filter(|row| row % 7 == 1).count();
        // A null is not an item.
        let items = ROWS - (0..ROWS).filter(|row| row % 7 == 0).count();
        let done = items - failed;
        assert_eq!(run.err, format!("iri: {items} items, {done} done, {failed} failed\n"));
        assert_eq!((run.text(), run.code), ("", 1));

        let (after, kept) = (read_parquet(out.name()), good(&before));
        let expected: Vec<_> = (0..ROWS)
            .filter(|row| row % 7 != 1)
            .map(|row| address(row).map(|_| normal(row)))
            .collect();
        assert_eq!(texts(&after, "url"), expected);
        assert_eq!(after.schema().fields(), before.schema().fields());
        for name in ["id", "list", "kind"] {
            let of = |table: &RecordBatch| table.column_by_name(name).unwrap().to_data();
            assert_eq!(of(&after), of(&kept), "{name}");
        }

        let aside = fs::read_to_string(errors.name()).unwrap();
        assert_eq!(aside.lines().count(), failed);
        let first: serde_json::Value = serde_json::from_str(aside.lines().next().unwrap()).unwrap();
        assert_eq!((&first["line"], &first["record"]), (&json!(2), &json!("http://a/1|b")));
        let last: serde_json::Value = serde_json::from_str(aside.lines().last().unwrap()).unwrap();
        assert_eq!(
            last["record"],
            json!(format!("http://a/{}|b", last["line"].as_u64().unwrap() - 1))
        );
    }

    #[test]
    fn every_type_of_text_is_read_and_written() {
        let bytes = |urls: &[Option<String>]| -> BinaryArray {
            urls.iter().map(|url| url.as_ref().map(String::as_bytes)).collect()
        };
        let urls = addresses();
        let strings = urls.iter().map(Option::as_deref);
        let columns: [ArrayRef; 5] = [
            Arc::new(StringArray::from(urls.clone())),
            Arc::new(LargeStringArray::from(urls.clone())),
            Arc::new(strings.clone().collect::<StringViewArray>()),
            Arc::new(bytes(&urls)),
            Arc::new(strings.collect::<DictionaryArray<Int32Type>>()),
        ];
        for column in columns {
            let before = table(column);
            let name = format!("{:?}.parquet", before.column(2).data_type())
                .replace(['(', ')', ',', ' '], "");
            let file = parquet(&name, &before);
            let out = TempFile::new(&format!("out-{name}"), "");
            let args = [
                "normalize",
                "-q",
                "--keep",
                "empty",
                "--field",
                "url",
                file.name(),
                "-o",
                out.name(),
            ];
            let run = run(&args, "");
            assert_eq!((run.err.as_str(), run.code), ("", 1), "{name}");
            let after = read_parquet(out.name());
            let expected: Vec<_> =
                (0..ROWS).map(|row| (row % 7 > 1).then(|| normal(row))).collect();
            assert_eq!(texts(&after, "url"), expected, "{name}");
            let expected = match before.column(2).data_type() {
                DataType::Dictionary(_, values) => (**values).clone(),
                other => other.clone(),
            };
            assert_eq!(*after.column(2).data_type(), expected);
        }
    }

    #[test]
    fn a_column_is_added() {
        let before = table(Arc::new(StringArray::from(addresses())));
        let file = parquet("added.parquet", &before);
        let out = TempFile::new("out-added.parquet", "");
        let args = ["to-uri", "--field", "url", "--add", "uri", file.name(), "-o", out.name()];
        assert_eq!(run(&args, "").code, 1);
        let after = read_parquet(out.name());
        let (kept, last) = (good(&before), after.num_columns() - 1);
        assert_eq!(after.project(&[0, 1, 2, 3]).unwrap(), kept);
        assert_eq!(after.schema().field(last).name(), "uri");
        assert_eq!(texts(&after, "uri")[1].as_deref(), Some("HTTP://A.example/%7e2/%C3%A9"));
        assert_eq!(texts(&after, "uri")[0], None);
    }

    #[test]
    fn arrow_is_read_as_a_file_and_as_a_stream() {
        let before = table(Arc::new(StringArray::from(addresses())));
        let (file, stream) = (TempFile::new("a.arrow", ""), TempFile::new("b.feather", ""));
        let mut writer =
            FileWriter::try_new(File::create(file.name()).unwrap(), &before.schema()).unwrap();
        writer.write(&before).unwrap();
        writer.finish().unwrap();
        let mut writer =
            StreamWriter::try_new(File::create(stream.name()).unwrap(), &before.schema()).unwrap();
        writer.write(&before).unwrap();
        writer.finish().unwrap();
        for input in [&file, &stream] {
            let out = TempFile::new("out.arrow", "");
            let args = ["normalize", "-q", "--field", "url", input.name(), "-o", out.name()];
            let run = run(&args, "");
            assert_eq!((run.err.as_str(), run.code), ("", 1));
            let reader = FileReader::try_new(File::open(out.name()).unwrap(), None).unwrap();
            let rows: Vec<Option<String>> =
                reader.flat_map(|batch| texts(&batch.unwrap(), "url")).collect();
            let expected: Vec<_> = (0..ROWS)
                .filter(|row| row % 7 != 1)
                .map(|row| address(row).map(|_| normal(row)))
                .collect();
            assert_eq!(rows, expected);
        }
    }

    #[test]
    fn other_commands_read_the_column() {
        let file = parquet("read.parquet", &table(Arc::new(StringArray::from(addresses()))));
        let field = ["--field", "url", file.name()];
        let with = |args: &[&'static str]| run(&[args, &field[..]].concat(), "");

        let checked = with(&["check"]);
        let row = (0..ROWS).find(|row| row % 7 == 1).unwrap() + 1;
        let first = checked.lines()[0].to_owned();
        assert!(first.contains(&format!(".parquet:{row}:11: error: '|'")), "{first}");
        let failed = (0..ROWS).filter(|row| row % 7 == 1).count();
        assert_eq!(checked.lines().len(), failed);

        let parsed = with(&["parse", "-q", "-g", "{line} {host}"]);
        assert_eq!(parsed.lines()[..2], ["3 A.example", "4 A.example"]);

        let nulls = (0..ROWS).filter(|row| row % 7 == 0).count();
        let stats = with(&["stats", "--json"]).json();
        assert_eq!(stats[0]["items"], json!(ROWS - nulls), "{stats:?}");

        let lines = with(&["normalize", "-q", "--to", "lines"]);
        assert_eq!(lines.lines().len(), ROWS - nulls - failed);
        assert_eq!(lines.lines()[0], normal(2));

        let objects = with(&["normalize", "-q", "--json"]).json();
        assert_eq!(objects.len(), ROWS - nulls);
        assert_eq!(objects[1]["output"], json!(normal(2)));
    }

    #[test]
    fn records_of_text_become_columns() {
        let out = TempFile::new("of-csv.parquet", "");
        let csv = "id,url,note\n1,HTTP://a/,\"x,y\"\n2,a|b,z\n3,http://b/,\n";
        let args =
            ["normalize", "--from", "csv", "--field", "url", "--to", "parquet", "-o", out.name()];
        let csv = run(&args, csv);
        assert_eq!(csv.code, 1, "{}", csv.err);
        let table = read_parquet(out.name());
        let some = |texts: [&str; 2]| texts.map(|text| Some(text.to_owned())).to_vec();
        assert_eq!(texts(&table, "id"), some(["1", "3"]));
        assert_eq!(texts(&table, "url"), some(["http://a/", "http://b/"]));
        assert_eq!(texts(&table, "note"), some(["x,y", ""]));

        let lines = "{\"url\":\"HTTP://a/\",\"n\":1}\n{\"url\":\"http://b/\",\"n\":null}\n";
        let args = [
            "normalize",
            "--from",
            "jsonl",
            "--field",
            "/url",
            "--to",
            "parquet",
            "-o",
            out.name(),
        ];
        assert_eq!(run(&args, lines).code, 0);
        let table = read_parquet(out.name());
        assert_eq!(texts(&table, "n"), [Some("1".to_owned()), None]);
    }

    #[test]
    fn a_file_is_replaced_in_place_and_keeps_rows_that_fail() {
        let file = parquet("place.parquet", &table(Arc::new(StringArray::from(addresses()))));
        assert_eq!(
            run(&["normalize", "-q", "--field", "url", "--in-place", file.name()], "").code,
            1
        );
        let expected: Vec<_> = (0..ROWS)
            .map(|row| if row % 7 > 1 { Some(normal(row)) } else { address(row) })
            .collect();
        assert_eq!(texts(&read_parquet(file.name()), "url"), expected);
    }

    #[test]
    fn a_file_without_rows_keeps_its_columns() {
        let before = table(Arc::new(StringArray::from(Vec::<&str>::new())));
        let (file, out) =
            (parquet("empty.parquet", &before), TempFile::new("still-empty.parquet", ""));
        assert_eq!(
            run(&["normalize", "--field", "url", file.name(), "-o", out.name()], "").code,
            0
        );
        let after = read_parquet(out.name());
        assert_eq!((after.num_rows(), after.schema().fields()), (0, before.schema().fields()));
    }

    #[test]
    fn errors_say_what_would_be_right() {
        let rows = table(Arc::new(StringArray::from(vec!["http://a/"])));
        let file = parquet("errors.parquet", &rows);
        let other = parquet("other.parquet", &rows.project(&[2]).unwrap());
        let broken = TempFile::new("broken.parquet", "PAR1 and no more");
        let out = TempFile::new("errors-out.parquet", "");
        for (args, expected) in [
            (&["check", file.name()][..], "needs --field with the name of a column"),
            (
                &["check", "--field", "u", file.name()],
                "no column u; its columns are: id, list, url, kind",
            ),
            (&["check", "--field", "id", file.name()], "column id: "),
            (&["check", "--field", "url", broken.name()], "broken.parquet: "),
            (&["check", "--from", "parquet", "--field", "url"], "not read from standard input"),
            (&["check", "--valid", "--field", "url", file.name()], "not written as text"),
            (&["dedup", "--field", "url", file.name()], "not written as text"),
            (&["normalize", "--field", "url", "--to", "csv", file.name()], "not written as text"),
            (
                &["check", "--charset", "utf-8", "--field", "url", file.name()],
                "leave out --charset",
            ),
            (
                &["normalize", "--field", "url", file.name(), other.name(), "-o", out.name()],
                "other columns than the first",
            ),
        ] {
            let run = run(args, "");
            assert!(run.err.contains(expected), "{args:?}: {}", run.err);
            assert_eq!(run.code, 2, "{args:?}");
        }
    }

    #[test]
    fn a_redacted_column_has_no_secret_beside_it() {
        let addresses = (0..ROWS).map(|row| match row % 3 {
            0 => None,
            // A result of two lines is not a line.
            1 => Some("http://u:secret@h/\na".to_owned()),
            _ => Some(format!("http://u:secret@h/{row}?sig=secret")),
        });
        let addresses: Vec<_> = addresses.collect();
        let strings = addresses.iter().map(Option::as_deref);
        let columns: [ArrayRef; 2] = [
            Arc::new(StringArray::from(addresses.clone())),
            Arc::new(strings.collect::<DictionaryArray<Int32Type>>()),
        ];
        for column in columns {
            let file = parquet("redacted.parquet", &table(column));
            let out = TempFile::new("redacted-out.parquet", "");
            let args = ["redact", "--field", "url", file.name()];
            let lines = run(&[&args[..], &["--to", "lines", "--keep", "input"]].concat(), "");
            assert!(!lines.text().contains("secret") && lines.text().contains("REDACTED"));
            assert_eq!(lines.code, 1, "{}", lines.err);
            let found = run(&[&args[..], &["--add", "new", "-o", out.name()]].concat(), "");
            assert_eq!(found.code, 0, "{}", found.err);
            let table = read_parquet(out.name());
            assert_eq!(texts(&table, "url"), texts(&table, "new"));
            let is_clean = |text: &Option<String>| {
                text.as_ref().is_none_or(|text| {
                    text.contains("//REDACTED:REDACTED@h/") && !text.contains("secret")
                })
            };
            assert_eq!(table.num_rows(), ROWS);
            assert!(texts(&table, "url").iter().all(is_clean));
        }
    }

    #[test]
    fn a_table_has_the_same_rows_whatever_the_number_of_threads() {
        let file = parquet("jobs.parquet", &table(Arc::new(StringArray::from(addresses()))));
        let of = |jobs: &str| {
            let out = TempFile::new(&format!("jobs-{jobs}.parquet"), "");
            let args =
                ["normalize", "-q", "--field", "url", "-j", jobs, file.name(), "-o", out.name()];
            assert_eq!(run(&args, "").code, 1);
            let table = read_parquet(out.name());
            let ids = table.column(0).as_primitive::<arrow_array::types::Int64Type>();
            (ids.values().to_vec(), texts(&table, "url"))
        };
        assert_eq!(of("1"), of("4"));
    }
}

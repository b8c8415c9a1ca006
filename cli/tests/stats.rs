//! `iri stats`: the numbers are those of a plain count, for every number of threads; sketches keep to the
//! error that they state; the page and the tables are safe and fit.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;
use std::fs;

use serde_json::{Value, json};

use super::records::NORMAL;
use super::{TempFile, run};

/// A sequence of numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % bound
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        let choice = self.below(choices.len() as u64);
        *choices.get(usize::try_from(choice).unwrap()).unwrap()
    }
}

/// A host, and what it counts as: the host, the registrable domain, the script.
type Host = (&'static str, &'static str, Option<&'static str>, Option<&'static str>);
const HOSTS: [Host; 9] = [
    ("www.example.com", "www.example.com", Some("example.com"), None),
    ("Example.COM", "example.com", Some("example.com"), None),
    ("a.b.example.co.uk", "a.b.example.co.uk", Some("example.co.uk"), None),
    ("bücher.example", "bücher.example", Some("bücher.example"), Some("Latin")),
    ("xn--bcher-kva.example", "bücher.example", Some("bücher.example"), Some("Latin")),
    ("例.jp", "例.jp", Some("例.jp"), Some("Han")),
    ("127.0.0.1", "127.0.0.1", None, None),
    ("[2001:DB8::1]", "[2001:db8::1]", None, None),
    ("localhost", "localhost", None, None),
];

/// The result of a plain count of addresses: the count of each key, by list.
#[derive(Default)]
struct Plain(BTreeMap<&'static str, HashMap<String, u64>>);

impl Plain {
    fn add(&mut self, list: &'static str, key: &str) {
        *self.0.entry(list).or_default().entry(key.to_owned()).or_default() += 1;
    }

    /// Returns a list as the program prints it.
    fn list(&self, list: &str, most: usize) -> Value {
        let counts = self.0.get(list).cloned().unwrap_or_default();
        let counted: u64 = counts.values().sum();
        let mut rows: Vec<_> = counts.into_iter().collect();
        rows.sort_by(|(key, count), (other, least)| (least, key).cmp(&(count, other)));
        let other_keys = rows.len().saturating_sub(most);
        rows.truncate(most);
        let others = counted - rows.iter().map(|(_, count)| count).sum::<u64>();
        let top: Vec<_> =
            rows.iter().map(|(key, count)| json!({"key": key, "count": count})).collect();
        json!({
            "counted": counted, "error": 0, "top": top, "others": others, "other_keys": other_keys,
        })
    }

    /// Returns a histogram whose bins have these limits.
    fn bins(&self, list: &str, limits: &[(u64, u64)]) -> Vec<Value> {
        let counts = self.0.get(list).unwrap();
        let of = |from, to| {
            let inside = |key: &str| (from..=to).contains(&key.parse::<u64>().unwrap());
            counts.iter().filter(|(key, _)| inside(key)).map(|(_, count)| count).sum::<u64>()
        };
        let bin =
            |(from, to): &(u64, u64)| json!({"from": from, "to": to, "count": of(*from, *to)});
        limits.iter().map(bin).collect()
    }
}

#[test]
fn the_numbers_are_those_of_a_plain_count() {
    let mut numbers = Numbers(7);
    let mut plain = Plain::default();
    let mut input = String::new();
    let mut distinct = HashMap::new();
    let count = 60_000_u64;
    for _ in 0..count {
        if numbers.below(20) == 0 {
            let bad = [
                ("http://a/|", "character-not-allowed"),
                ("http://a/%zz", "bad-percent-encoding"),
                ("http://[::/", "unexpected-end"),
            ];
            let (text, kind) = numbers.of(&bad);
            plain.add("errors", kind);
            writeln!(input, "{text}").unwrap();
            continue;
        }
        let mut text = String::new();
        let scheme = numbers.of(&["http", "https", "HTTPS", ""]);
        if !scheme.is_empty() {
            write!(text, "{scheme}:").unwrap();
            plain.add("schemes", &scheme.to_lowercase());
        }
        let (host, shown, domain, script) = numbers.of(&HOSTS);
        write!(text, "//{host}").unwrap();
        // Without a scheme, a host is not known to be a domain name.
        let is_shown = !(scheme.is_empty() && host.starts_with("xn--"));
        let mut scripts: BTreeSet<_> = script.filter(|_| is_shown).into_iter().collect();
        plain.add("hosts", shown);
        if let Some(domain) = domain {
            plain.add("domains", domain);
            plain.add("top_level_domains", domain.rsplit('.').next().unwrap());
        }
        let (port, number) =
            numbers.of(&[("", ""), (":", ""), (":80", "80"), (":0080", "80"), (":99999", "99999")]);
        text += port;
        if !number.is_empty() {
            plain.add("ports", number);
        }
        let depth = numbers.below(19);
        let segment = numbers.of(&["/a", "/b%20c", "//d"]);
        text += &segment.repeat(usize::try_from(depth).unwrap());
        text += numbers.of(&["", "/"]);
        plain.add("path_depths", &depth.to_string());
        for pair in 0..numbers.below(4) {
            let (name, decoded) =
                numbers.of(&[("q", "q"), ("utm%5Fid", "utm_id"), ("a+b", "a b"), ("%C3%A9", "é")]);
            write!(text, "{}{name}={}", if pair == 0 { '?' } else { '&' }, numbers.below(50))
                .unwrap();
            plain.add("query_names", decoded);
            if decoded == "é" {
                scripts.insert("Latin");
            }
        }
        if scripts.is_empty() {
            scripts.insert("ASCII");
        }
        scripts.iter().for_each(|script| plain.add("scripts", script));
        plain.add("lengths", &text.len().to_string());
        writeln!(input, "{text}").unwrap();
        *distinct.entry(text).or_insert(0) += 1;
    }
    let invalid: u64 = plain.0["errors"].values().sum();
    assert!(distinct.len() > 10_000);
    for (jobs, most) in [("1", "10"), ("2", "3"), ("3", "10"), ("4", "1000")] {
        let run = run(&["stats", "--json", "-j", jobs, "--top", most], &input);
        assert_eq!((run.err.as_str(), run.code), ("", 0));
        let [object] = &run.json()[..] else { panic!("one object") };
        assert_eq!(object["items"], count);
        assert_eq!(
            (&object["valid"], &object["invalid"]),
            (&json!(count - invalid), &json!(invalid))
        );
        let most = most.parse().unwrap();
        for list in
            ["schemes", "hosts", "domains", "top_level_domains", "ports", "query_names", "scripts"]
        {
            assert_eq!(object[list], plain.list(list, most), "{list}, -j {jobs}");
        }
        assert_eq!(object["errors"], plain.list("errors", usize::MAX), "-j {jobs}");
        let powers: Vec<_> = (4..8).map(|power| (1_u64 << power, (2_u64 << power) - 1)).collect();
        let shown = object["lengths"]["bins"].as_array().unwrap();
        let expected = plain.bins("lengths", &powers);
        assert!(expected.iter().all(|bin| shown.contains(bin)), "{shown:?} {expected:?}");
        let total: u64 = shown.iter().map(|bin| bin["count"].as_u64().unwrap()).sum();
        assert_eq!(total, count - invalid);
        let depths: Vec<_> = (0..16).map(|depth| (depth, depth)).chain([(16, 18)]).collect();
        assert_eq!(object["path_depths"]["bins"], json!(plain.bins("path_depths", &depths)));
        let hosts = object["distinct"]["hosts"].clone();
        assert_eq!(hosts, json!({"count": 8, "low": 8, "high": 8, "exact": true}));
        assert_eq!(object["distinct"]["domains"]["count"], 4);
        within(&object["distinct"]["items"], distinct.len());
    }
}

/// Asserts that a number of distinct values is estimated as it should be.
fn within(estimate: &Value, count: usize) {
    let [low, high] = ["low", "high"].map(|name| estimate[name].as_u64().unwrap());
    let count = count as u64;
    assert!(low <= count && count <= high, "{count}: {estimate}");
    assert!((high - low) * 10 < count && estimate["exact"] == false, "{count}: {estimate}");
}

#[test]
fn sketches_keep_to_the_error_that_they_state() {
    let mut numbers = Numbers(11);
    let mut truth = HashMap::<String, u64>::new();
    let mut input = String::new();
    for _ in 0..200_000 {
        // The first hosts are frequent, and half of all hosts occur once.
        let host = match numbers.below(2) {
            0 => format!("h{}.test", numbers.below(6) * numbers.below(6)),
            _ => format!("r{}x{}.test", numbers.below(1 << 30), numbers.below(1 << 30)),
        };
        writeln!(input, "http://{host}/").unwrap();
        *truth.entry(host).or_default() += 1;
    }
    assert!(truth.len() > 3 << 15);
    let mut estimates = Vec::new();
    for jobs in ["1", "2", "3"] {
        let run = run(&["stats", "--json", "-j", jobs], &input);
        assert_eq!(run.code, 0);
        let object = &run.json()[0];
        let hosts = &object["hosts"];
        let error = hosts["error"].as_u64().unwrap();
        // The documented bound: the sum of all counts times 2 / 32768.
        assert!(error > 0 && error <= 200_000 * 2 / 32_768, "{error}");
        assert_eq!((&hosts["counted"], &hosts["other_keys"]), (&json!(200_000), &Value::Null));
        for row in hosts["top"].as_array().unwrap() {
            let count = row["count"].as_u64().unwrap();
            let true_count = truth[row["key"].as_str().unwrap()];
            assert!(count <= true_count && true_count <= count + error, "{row}: {true_count}");
        }
        let shown: u64 =
            hosts["top"].as_array().unwrap().iter().map(|row| row["count"].as_u64().unwrap()).sum();
        assert_eq!(hosts["others"], 200_000 - shown);
        assert_eq!(hosts["top"][0]["key"], "h0.test");
        for name in ["items", "hosts", "domains"] {
            within(&object["distinct"][name], truth.len());
        }
        estimates.push(object["distinct"].clone());
    }
    assert!(estimates.windows(2).all(|pair| pair[0] == pair[1]), "{estimates:?}");
}

#[test]
fn a_list_of_rare_keys_names_none_as_frequent() {
    let mut numbers = Numbers(3);
    let mut input = String::new();
    for host in 0..150_000 {
        writeln!(input, "http://h{host}x{}.test/", numbers.below(1 << 30)).unwrap();
    }
    let run = run(&["stats", "--json"], &input);
    let hosts = &run.json()[0]["hosts"];
    assert!(hosts["error"].as_u64().unwrap() > 0);
    assert_eq!((&hosts["top"], &hosts["others"]), (&json!([]), &json!(150_000)));
}

#[test]
fn every_format_is_counted() {
    for (name, args, text) in NORMAL {
        let file = TempFile::new(&format!("stats-{name}"), text);
        let parsed = run(&[&["parse", "--json", file.name()], args].concat(), "").json();
        let mut hosts: Vec<_> = parsed.iter().filter_map(|item| item["host"].as_str()).collect();
        hosts.sort_unstable();
        for jobs in ["1", "2"] {
            let run = run(&[&["stats", "--json", "-j", jobs, file.name()], args].concat(), "");
            let object = &run.json()[0];
            assert_eq!((&object["items"], run.code), (&json!(parsed.len()), 0), "{name}");
            assert_eq!(object["hosts"]["counted"], hosts.len(), "{name}");
            let top = object["hosts"]["top"].as_array().unwrap().iter().map(|row| &row["key"]);
            assert!(top.clone().all(|key| hosts.contains(&key.as_str().unwrap())), "{name}");
        }
    }
}

#[test]
fn records_that_fail_are_counted_by_kind() {
    let run = run(
        &["stats", "--json", "--from", "jsonl", "--field", "/u", "--max-record", "100K"],
        "{\"u\":\"http://a/\"}\n{\"v\":1}\n{\"u\":\"|\"}\n[\n".to_owned()
            + &"x".repeat(1 << 20)
            + "\n",
    );
    let object = &run.json()[0];
    assert_eq!(run.code, 0);
    assert_eq!(
        (&object["items"], &object["valid"], &object["invalid"]),
        (&json!(5), &json!(1), &json!(4))
    );
    let kinds: Vec<_> = object["errors"]["top"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["key"].as_str().unwrap())
        .collect();
    assert!(kinds.contains(&"too-long") && kinds.contains(&"character-not-allowed"), "{kinds:?}");
    assert_eq!(object["errors"]["counted"], 4);
}

#[test]
fn the_outcome_says_what_happened() {
    let good = TempFile::new("stats-good", "http://a/\n");
    let table = run(&["stats", good.name()], "");
    assert_eq!(table.code, 0);
    assert!(
        table.text().starts_with("1 item: 1 valid, 0 invalid as IRI reference\n"),
        "{}",
        table.text()
    );
    assert_eq!(run(&["stats", "--as", "uri"], "é").code, 0);
    let missing = run(&["stats", "--json", good.name(), "/missing"], "");
    assert_eq!((missing.code, &missing.json()[0]["complete"]), (2, &json!(false)));
    assert_eq!(missing.json()[0]["items"], 1);
    let empty = run(&["stats"], "");
    assert_eq!((empty.text(), empty.code), ("0 items: 0 valid, 0 invalid as IRI reference\n", 0));
    // The page cannot be written, which is found before the input is read.
    let nowhere = run(&["stats", "--html", "/missing/page.html", good.name()], "");
    assert_eq!((nowhere.text(), nowhere.code), ("", 2));
    assert!(nowhere.err.starts_with("iri: /missing/page.html: "), "{}", nowhere.err);
    let same = run(&["stats", "--html", good.name(), good.name()], "");
    assert_eq!((same.text(), same.code), ("", 2));
    assert_eq!(fs::read_to_string(good.name()).unwrap(), "http://a/\n");
}

#[test]
fn nothing_in_the_input_becomes_markup() {
    let input = "http://a.test/?%3Cscript%3Ealert(1)%3C/script%3E=1&%22%20onfocus=%22x&%0A=%E2%80%AE&&amp;=2\n\
                 http://a'onmouseover='x.test/\nhttp://%3Cimg%20src=x%3E/\nx-<b>\n";
    let page = TempFile::new(
        "stats-page.html",
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"generator\" content=\"iri stats\">\n{}",
            "x".repeat(100_000)
        ),
    );
    let source = TempFile::new("<i>&\u{202E}'\".txt", input);
    let run = run(&["stats", "--html", page.name(), source.name(), "--top", "99"], "");
    assert_eq!(run.code, 0);
    let hidden = |c: char| (c.is_control() && c != '\n') || c == '\u{202E}';
    assert!(!run.text().contains(hidden), "{}", run.text());
    assert!(run.text().contains("<script>alert(1)</script>"), "{}", run.text());
    let html = fs::read_to_string(page.name()).unwrap();
    assert!(
        html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n"),
        "no old text stays"
    );
    assert!(!html.contains(hidden));
    assert!(
        html.contains("&lt;script&gt;alert(1)&lt;/script&gt;")
            && html.contains("&lt;i&gt;&amp;\\u{202e}")
    );
    // Every tag is one that the page has, without an attribute that runs or loads something.
    let tags = html.split('<').skip(1).map(|tag| tag.split('>').next().unwrap());
    for tag in tags {
        let name = tag.trim_start_matches('/').split([' ', '\n']).next().unwrap();
        let known = [
            "!DOCTYPE", "html", "head", "meta", "title", "style", "body", "header", "h1", "h2",
            "p", "main", "dl", "div", "dt", "dd", "data", "section", "svg", "rect", "line", "g",
            "text", "span", "table", "caption", "thead", "tbody", "tr", "th", "td", "bdi",
            "details", "summary", "footer", "code",
        ];
        assert!(known.contains(&name), "{tag}");
        let outside = tag.split('"').step_by(2).collect::<String>();
        for word in [" on", "src=", "href=", "url(", "'"] {
            assert!(name == "meta" || !outside.contains(word), "{tag}");
        }
    }
    assert!(!html.contains("@import") && !html.contains("url("));
    let json = super::run(&["stats", "--json", source.name()], "");
    assert!(!json.text().contains(hidden));
}

#[test]
#[cfg(target_os = "linux")]
fn the_tables_fit_the_terminal() {
    let long = "例え.".repeat(60);
    let text = format!(
        "http://{long}jp/?{}=1\nhttp://xn--mgbh0fb.example/\nhttp://a.test:8080/\n{}|\n",
        "é".repeat(300),
        "http://a.test/?q\n".repeat(2_000),
    );
    let file = TempFile::new("stats-wide", text);
    for width in 40..=100 {
        let text = super::program::on_terminal(width, &format!("iri stats {}", file.name()));
        assert!(text.contains("█") && text.contains('…') && text.contains("2,003"), "{text}");
        for line in text.lines() {
            let cells = unicode_width::UnicodeWidthStr::width(line);
            assert!(cells <= width, "{width}: {cells}: {line}");
        }
        // The counts of a table end in the same cell.
        let ends = text
            .lines()
            .filter(|line| line.contains(" %"))
            .map(|line| unicode_width::UnicodeWidthStr::width(line.split(" %").next().unwrap()));
        let ends: Vec<_> = ends.collect();
        assert!(ends.windows(2).all(|pair| pair[0] == pair[1]), "{width}: {text}");
    }
}

#[test]
fn a_recipe_or_a_base_comes_before_the_counts() {
    let lines = "/a?utm_source=1&b\n//B.example:443/c\n|\n";
    let base = run(&["stats", "--json", "--base", "https://A.example/"], lines).json();
    assert_eq!((&base[0]["valid"], &base[0]["invalid"]), (&json!(2), &json!(1)));
    let hosts = base[0]["hosts"]["top"].as_array().unwrap();
    assert_eq!(hosts.len(), 2, "{hosts:?}");
    let text = "base = \"https://A.example/\"\n[query]\ndrop-tracking = true\n[normalize]\nlevel = \"scheme\"";
    let recipe = TempFile::new("stats.toml", text);
    let found = run(&["stats", "--json", "--recipe", recipe.name()], lines).json();
    assert_eq!(found[0]["query_names"]["top"].as_array().unwrap().len(), 1, "{}", found[0]);
    assert!(found[0]["ports"]["top"].as_array().unwrap().is_empty(), "{}", found[0]);
}

/// The error of an address that is not text is that of its format, with a treatment and without.
#[test]
fn an_address_that_is_not_text_is_invalid() {
    let many = "<a:b> <a:c> <a:d> .\n".repeat(9);
    let text = [many.as_bytes(), b"<a:\xFF> <a:c> <a:d> .\n", many.as_bytes()].concat();
    for args in [&["stats", "--from", "nt"][..], &["stats", "--from", "nt", "--recipe", "log"]] {
        let found = run(args, &text);
        assert!(found.text().starts_with("57 items: 56 valid, 1 invalid"), "{}", found.text());
    }
}

//! `iri bidi` and `iri skeleton`. The tests of the library check the order of display.

use serde_json::json;

use crate::{run, sample};

#[test]
fn characters_are_printed_in_the_order_of_display() {
    let found = run(&["bidi"], "http://ab.אבג/\na:b\n");
    assert_eq!((found.text(), found.code), ("http://ab.גבא/\na:b\n", 0), "{}", found.err);
    let found = run(&["bidi", "-i", "a b"], "");
    assert_eq!((found.text(), found.code), ("", 1));
    assert!(found.err.starts_with("<item>:1:2: error: ' ' at byte 1"), "{}", found.err);
}

#[test]
fn positions_go_both_ways() {
    let text = "a:אב/c";
    assert_eq!(
        run(&["bidi", "--positions", "-i", text], "").lines(),
        ["1 1 0 a", "2 2 1 :", "3 4 4 ב", "4 3 2 א", "5 5 6 /", "6 6 7 c"]
    );
    let object = &run(&["bidi", "--json", "-i", text], "").json()[0];
    assert_eq!((&object["input"], &object["output"]), (&json!(text), &json!("a:בא/c")));
    assert_eq!(object["visual_to_logical"], json!([0, 1, 3, 2, 4, 5]));
    assert_eq!(object["logical_to_visual"], json!([0, 1, 3, 2, 4, 5]));
    assert_eq!(object["offsets"], json!([0, 1, 4, 2, 6, 7]));
    for object in run(&["bidi", "--json"], "http://אב.גד1.ef/12/הו\na:א1b/גד\n").json() {
        let input: Vec<_> = object["input"].as_str().unwrap().chars().collect();
        let output: Vec<_> = object["output"].as_str().unwrap().chars().collect();
        let at = |field: &str, i: usize| object[field][i].as_u64().unwrap() as usize;
        for i in 0..input.len() {
            assert_eq!(output[i], input[at("visual_to_logical", i)], "{object}");
            assert_eq!(input[i], output[at("logical_to_visual", i)], "{object}");
            assert_eq!(at("visual_to_logical", at("logical_to_visual", i)), i, "{object}");
        }
    }
}

#[test]
fn unembed_undoes_embed() {
    let references = run(&["check", "--valid"], sample()).out;
    let lines = std::str::from_utf8(&references).unwrap();
    assert!(lines.lines().count() > 10);
    for direction in ["ltr", "rtl"] {
        for marks in ["embedding", "isolate", "each-part"] {
            let args = ["bidi", "--embed", direction, "--marks", marks, "--after", " ו"];
            let embedded = run(&args, lines);
            assert_eq!((embedded.err.as_str(), embedded.code), ("", 0));
            assert_eq!(run(&["bidi", "--unembed"], &embedded.out).text(), lines);
        }
    }
    let embed = |args: &[&str]| run(&[&["bidi", "-i", "a:א"], args].concat(), "").out;
    assert_eq!(embed(&["--embed", "ltr"]), "a:א\n".as_bytes(), "no mark that is not needed");
    assert_eq!(embed(&["--embed", "rtl"]), "\u{202A}a:א\u{202C}\n".as_bytes());
    assert_eq!(
        embed(&["--embed", "ltr", "--after", " ב", "--marks", "isolate"]),
        "\u{2066}a:א\u{2069}\n".as_bytes()
    );
    for wrong in [&["--marks", "isolate"][..], &["--after", "b"], &["--embed", "up"]] {
        assert_eq!(run(&[&["bidi", "-i", "a"], wrong].concat(), "").code, 2, "{wrong:?}");
    }
}

#[test]
fn look_alikes_have_the_same_skeleton() {
    let items = ["http://ѕсоре.example/", "http://scope.example/", "|"];
    let found = run(&["skeleton"], items.join("\n"));
    let lines = found.lines();
    assert_eq!((lines.len(), found.code), (2, 1));
    assert_eq!(lines[0], lines[1]);
    assert!(found.err.starts_with("<stdin>:3:1: error: '|'"), "{}", found.err);
    let objects = run(&["skeleton", "--json"], items.join("\n")).json();
    assert_eq!(objects[0]["output"], objects[1]["output"]);
    assert_eq!(objects[2]["error"]["kind"], "character-not-allowed");
}

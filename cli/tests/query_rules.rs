//! `iri prepare --unwrap`, and files of rules in commands and recipes. The tests of the library check the rules.

use super::{TempFile, run};

const WRAPPED: &str = "https://www.google.com/url?q=https%3A%2F%2Fl.instagram.com%2F%3Fu%3Dhttps%253A%252F%252Fa.example%252F%253Fx%253D1%2526b";
const INNER: &str = "https://l.instagram.com/?u=https%3A%2F%2Fa.example%2F%3Fx%3D1%26b";

#[test]
fn links_are_unwrapped_up_to_the_levels() {
    let lines =
        format!("{WRAPPED}\nhttps://b.example/ c\nhttps://l.instagram.com/?u=javascript%3Aa\n");
    for (levels, first) in [
        ("0", WRAPPED),
        ("1", INNER),
        ("2", "https://a.example/?x=1&b"),
        ("5", "https://a.example/?x=1&b"),
    ] {
        let found = run(&["prepare", "--unwrap", levels], &lines);
        assert_eq!(found.code, 0, "{}", found.err);
        let expected =
            format!("{first}\nhttps://b.example/%20c\nhttps://l.instagram.com/?u=javascript%3Aa\n");
        assert_eq!(found.text(), expected);
    }
    assert_eq!(run(&["prepare", "--unwrap", "6"], "").code, 2);
    let objects = run(&["prepare", "--json", "--unwrap", "1"], &lines).json();
    assert_eq!(objects[0]["unwrapped"], serde_json::json!(["google"]));
    assert_eq!(objects[0]["still_wrapped"], "levels");
    assert!(objects[1].get("unwrapped").is_none());
    assert_eq!(objects[2]["still_wrapped"], "scheme");
    let found = run(&["prepare", "--explain", "--unwrap", "1"], &lines);
    assert!(found.err.contains("the link was in a wrapper: google"), "{}", found.err);
    assert!(found.err.contains("the link is still in a wrapper: scheme"), "{}", found.err);
    let parts = run(&["prepare", "--split", "--unwrap", "2", "-i", &format!("a {WRAPPED}")], "");
    assert_eq!(parts.text(), "a\nhttps://a.example/?x=1&b\n");
}

#[test]
fn rules_are_read_by_the_name_of_the_file() {
    let toml = TempFile::new(
        "rules.toml",
        "[[drop]]\nnames = ['x']\n[[wrapper]]\nhost = 'o.example'\nparameter = 'u'\n",
    );
    let list = TempFile::new(
        "rules.txt",
        "! a list\n||a.example^$removeparam=x\n||b.example^$third-party\n",
    );
    let catalog = r#"{"providers": {"a": {"urlPattern": "a\\.example", "rules": ["x"]}}}"#;
    let json = TempFile::new("rules.json", catalog);
    for file in [&toml, &list, &json] {
        let args = ["--query-rules", file.name()];
        for command in ["normalize", "to-uri", "to-iri", "prepare"] {
            let found =
                run(&[&[command][..], &args].concat(), "https://a.example/?x=1&b=%C3%A9#x\n");
            assert!(found.text().starts_with("https://a.example/?b="), "{command}: {}", found.err);
        }
        let found =
            run(&[&["resolve", "--base", "https://a.example/"][..], &args].concat(), "?x&b\n");
        assert_eq!(found.text(), "https://a.example/?b\n", "{}", found.err);
    }
    let link = "https://o.example/?u=https%3A%2F%2Fa.example%2F%3Fx%26b";
    let args = [
        "prepare",
        "--unwrap",
        "1",
        "--query-rules",
        list.name(),
        "--query-rules",
        toml.name(),
        "-i",
        link,
    ];
    assert_eq!(run(&args, "").text(), "https://a.example/?b\n");
    let recipe = format!(
        "unwrap = 2\n[query]\nrules = [{:?}, {:?}]\n[normalize]\nlevel = \"syntax\"\n",
        toml.name(),
        list.name()
    );
    let recipe = TempFile::new("rules-recipe.toml", &recipe);
    let args = ["normalize", "--recipe", recipe.name(), "-i", link, "-i", WRAPPED];
    assert_eq!(run(&args, "").text(), "https://a.example/?b\nhttps://a.example/?b\n");
}

#[test]
fn a_file_of_rules_that_is_wrong_is_refused_with_its_place() {
    for (name, text, message) in [
        ("wrong.toml", "[[drop]]\nnames = 1\n", "line 2, column 9: "),
        ("wrong.json", "{\"providers\": []}", "line 1, column 15: "),
        ("wrong.txt", "||a^\n", "the first is on line 1, column 1: "),
        ("empty.txt", "! nothing\n", "no rule is in the file"),
    ] {
        let file = TempFile::new(name, text);
        let found = run(&["normalize", "--query-rules", file.name()], "");
        assert_eq!(found.code, 2, "{name}");
        assert!(found.err.contains(message), "{name}: {}", found.err);
    }
    assert_eq!(run(&["normalize", "--query-rules", "no-such-file.txt"], "").code, 2);
    let recipe = TempFile::new("wrong-recipe.toml", "[query]\nrules = [\"no-such-file.txt\"]\n");
    let found = run(&["normalize", "--recipe", recipe.name()], "");
    assert!(found.code == 2 && found.err.contains("no-such-file.txt"), "{}", found.err);
    let recipe = TempFile::new("deep-recipe.toml", "unwrap = 6\n");
    assert_eq!(run(&["normalize", "--recipe", recipe.name()], "").code, 2);
    // A file of rules is not overwritten.
    let list = TempFile::new("kept.txt", "$removeparam=x\n");
    let found = run(&["normalize", "--query-rules", list.name(), "-o", list.name(), "-i", "a"], "");
    assert_eq!(found.code, 2, "{}", found.err);
}

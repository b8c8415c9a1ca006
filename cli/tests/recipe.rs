//! Recipes: the steps that they name, the commands that take them, and the errors in them.

use super::{TempFile, run};

const OURS: &str = "\
base = \"http://base.test/a/\"
[prepare]
profile = \"browser-like\"
[query]
drop-tracking = true
drop = [\"sid\", \"ref_*\"]
[normalize]
level = \"scheme\"
rules = [\"ipv6\"]
[key]
level = \"scheme\"
fragment = false
";

#[test]
fn each_command_takes_a_recipe() {
    let file = TempFile::new("ours.toml", OURS);
    let input = "../x y?sid=1&q=%7e&utm_source=z#f\n\
                 http://base.test:80/x%20y?q=~&ref_a=1\n\
                 http://[0::1]/\n\
                 HTTP://[::1]\n\
                 http://[\n";
    let on = |command: &[&str]| run(&[command, &["--recipe", file.name()]].concat(), input);
    let found = on(&["prepare"]);
    assert_eq!(
        found.lines(),
        [
            "http://base.test/x%20y?sid=1&q=%7e&utm_source=z#f",
            "http://base.test:80/x%20y?q=~&ref_a=1",
            "http://[0::1]/",
            "HTTP://[::1]",
        ]
    );
    let found = on(&["normalize"]);
    let normal = "http://base.test/x%20y?q=~";
    let expected = [&format!("{normal}#f"), normal, "http://[::1]/", "http://[::1]/"];
    assert_eq!((found.lines(), found.code), (expected.to_vec(), 1));
    let found = on(&["dedup"]);
    let lines: Vec<_> = input.lines().collect();
    // The key has the rules of the normal form of the recipe, because it is computed from that form.
    assert_eq!(found.lines(), [lines[0], lines[2]]);
    assert!(found.err.ends_with("5 items, 2 kept, 2 duplicates, 1 failed\n"), "{}", found.err);
    let b = TempFile::new("recipe-b", "http://base.test/x%20y?q=~\n");
    let found = on(&["join", "-", b.name()]);
    assert_eq!(found.lines(), lines[..2]);
}

#[test]
fn the_built_in_recipes_do_what_their_comments_say() {
    for (name, item, expected) in [
        ("crawler", "<HTTP://b\u{FC}cher.test:80?a&gclid=1#f>", "http://bücher.test/?a#f"),
        ("crawler", "HTTP://XN--BCHER-KVA.test/b c", "http://bücher.test/b%20c"),
        ("crawler", "http://[2001:DB8:0::1]/", "http://[2001:db8::1]/"),
        ("rdf", "HTTP://a.test:80/<b>?utm_source=1", "HTTP://a.test:80/%3Cb%3E?utm_source=1"),
        ("log", "/a|b/../c?fbclid=1", "/a|b/../c"),
    ] {
        let found = run(&["normalize", "--recipe", name, "-i", item], "");
        let expected =
            if name == "log" { expected.replace('|', "%7C") } else { expected.to_owned() };
        assert_eq!((found.text().trim_end(), found.code), (expected.as_str(), 0), "{name} {item}");
    }
    let input = "http://a.test/\nhttp://a.test/#f\nHTTP://a.test\n";
    for (name, kept) in [("crawler", 1), ("rdf", 3), ("log", 1)] {
        assert_eq!(run(&["dedup", "--recipe", name], input).lines().len(), kept, "{name}");
    }
}

#[test]
fn show_prints_a_recipe() {
    for name in ["crawler", "rdf", "log"] {
        let shown = run(&["recipe", "show", name], "");
        assert_eq!(shown.code, 0);
        // A printed recipe can be read.
        let file = TempFile::new(&format!("{name}.toml"), &shown.out);
        assert_eq!(run(&["recipe", "show", file.name()], "").out, shown.out);
        let item = "<http://b.test?a&utm_id=1>";
        let by = |recipe| run(&["normalize", "--recipe", recipe, "-i", item], "").out;
        assert_eq!(by(name), by(file.name()));
    }
    let tracking = run(&["recipe", "show", "tracking"], "");
    assert!(tracking.text().contains("\"utm_source\"") && tracking.text().contains("document"));
}

#[test]
fn an_error_in_a_recipe_has_its_line() {
    for (text, place, part) in [
        ("[prepare]\nprofile = \"crawler\"\nprofil = 1\n", ":3: ", "profil"),
        ("[normalise]\nlevel = \"scheme\"\n", ":1: ", "normalise"),
        ("[key]\nlevel = \"sceme\"\n", ":2: ", "sceme"),
        ("\n[query]\n\ndrop = \"a\"\n", ":4: ", "string"),
        ("base = \"http://a|b/\"\n", ":1: ", "'|'"),
        ("[key\n", ":1: ", ""),
        ("[key]\nlevel = \"syntax\"\nlevle = 1\n", ":3: ", "levle"),
        ("[prepare]\nprofile = \"lax\"", ":2: ", "lax"),
        ("[prepare]\nprofile = \"rdf\"\nscheme = \"a b\"", ":3: ", "scheme"),
        ("[key]\n\nlevel = 5", ":3: ", "string"),
    ] {
        let file = TempFile::new("wrong.toml", text);
        for args in [&["recipe", "show", file.name()][..], &["dedup", "--recipe", file.name()]] {
            let found = run(args, "a:b\n");
            assert_eq!((found.code, found.text()), (2, ""), "{text}");
            let message = found.err.lines().next().unwrap();
            assert!(message.contains(&format!("{}{place}", file.name())), "{message}");
            assert!(message.contains(part), "{text}: {message}");
        }
    }
    let found = run(&["recipe", "show", "crawlr"], "");
    assert_eq!(found.code, 2);
    assert!(
        found.err.contains("write the name of a file, or crawler, rdf or log"),
        "{}",
        found.err
    );
}

#[test]
fn the_steps_are_done_in_order() {
    let recipe = TempFile::new(
        "steps.toml",
        "base = \"http://a.test/b/\"\n[prepare]\nprofile = \"browser-like\"\n\
         [query]\ndrop-tracking = true\ndrop = [\"s*\", \"x\"]\n[normalize]\nlevel = \"scheme\"\n\
         [key]\nlevel = \"scheme\"\nfragment = false",
    );
    let items = " ../%7ec d?a&utm_source=1&sid=2&x&xy#f\nHTTP://B.test:80?sx\nhttp://[x\n";
    let found = run(&["normalize", "--recipe", recipe.name()], items);
    assert_eq!(found.text(), "http://a.test/~c%20d?a&xy#f\nhttp://b.test/\n");
    assert_eq!(found.code, 1);
    let found = run(&["dedup", "--recipe", recipe.name()], "//b.test#f\nHTTP://B.test:80?sx\n");
    assert_eq!((found.text(), found.code), ("//b.test#f\n", 0));
}

#[test]
fn a_skeleton_has_no_fragment_if_none_is_compared() {
    let items = "http://ѕсоре.test/#a\nhttp://scope.test/#b\n";
    for (args, kept) in [(&["--without-fragment"][..], 1), (&[], 2)] {
        let found = run(&[&["dedup", "--level", "skeleton"], args].concat(), items);
        assert_eq!(found.text().lines().count(), kept, "{args:?}");
    }
}

#[test]
fn options_that_a_recipe_decides_are_refused_beside_it() {
    for args in [
        &["normalize", "--level", "scheme"][..],
        &["normalize", "--as", "uri"],
        &["normalize", "--rule", "ipv6"],
        &["normalize", "--policy", "default"],
        &["prepare", "--profile", "rdf"],
        &["prepare", "--context", "html"],
        &["prepare", "--spaces", "keep"],
        &["prepare", "--scheme", "http"],
        &["prepare", "--base", "a:b"],
        &["dedup", "--level", "scheme"],
        &["dedup", "--rule", "ipv6"],
        &["dedup", "--without-fragment"],
        &["join", "a", "b", "--base", "a:b"],
    ] {
        let found = run(&[args, &["--recipe", "log"]].concat(), "");
        assert!(found.code == 2 && found.err.contains("cannot be used with"), "{args:?}");
    }
    let file = TempFile::new("bare.toml", "[key]\nlevel = \"simple\"\n");
    let found = run(&["prepare", "--recipe", file.name()], "a:b\n");
    assert_eq!((found.err.as_str(), found.code), ("iri: the recipe has no table prepare\n", 2));
}

#[test]
fn edits_drop_pairs_and_fragments() {
    let link = "HTTP://a.example/?utm_source=1&id=%7e&utm_id=2&Id=3&x#f";
    for (command, args, expected) in [
        ("normalize", &["--drop-query", "utm_*"][..], "http://a.example/?id=~&Id=3&x#f"),
        (
            "normalize",
            &["--drop-query", "id,x", "--drop-query", "Id"],
            "http://a.example/?utm_source=1&utm_id=2#f",
        ),
        ("normalize", &["--keep-query", "i*", "--drop-fragment"], "http://a.example/?id=~"),
        ("normalize", &["--keep-query", "none"], "http://a.example/#f"),
        ("normalize", &["--drop-tracking", "--drop-fragment"], "http://a.example/?id=~&Id=3&x"),
        ("normalize", &["--recipe", "rdf", "--drop-query", "*"], "HTTP://a.example/#f"),
        ("to-uri", &["--drop-fragment"], "HTTP://a.example/?utm_source=1&id=%7e&utm_id=2&Id=3&x"),
        ("to-uri", &["--lenient", "--keep-query", "x"], "HTTP://a.example/?x#f"),
        ("to-iri", &["--keep-query", "id"], "HTTP://a.example/?id=~#f"),
        ("resolve", &["--base", "x:", "--drop-query", "utm_*,Id,x"], "HTTP://a.example/?id=%7e#f"),
    ] {
        let found = run(&[&[command], args, &["-i", link]].concat(), "");
        assert_eq!((found.lines(), found.code), (vec![expected], 0), "{command} {args:?}");
    }
    // The target has the query of the base, and what no reference is fails as without edits.
    let found = run(&["resolve", "--base", "http://a/?b&c", "--drop-query", "b", "-i", "#d"], "");
    assert_eq!(found.lines(), ["http://a/?c#d"]);
    for command in ["normalize", "to-uri", "to-iri"] {
        let lines = "http://a/?b#c\nhttp://a/|\nhttp://a/\n";
        let plain = run(&[command], lines);
        let edited = run(&[command, "--drop-query", "b", "--drop-fragment"], lines);
        assert_eq!(edited.lines(), ["http://a/", "http://a/"]);
        assert_eq!((edited.err, edited.code), (plain.err, plain.code));
    }
    assert_eq!(
        run(&["normalize", "--drop-query", "a", "--keep-query", "b", "-i", "c"], "").code,
        2
    );
}

#[test]
fn pairs_are_dropped_after_an_ampersand_of_html() {
    let recipe = TempFile::new("html.toml", "[query]\ndrop-tracking = true\n");
    let ways: [&[&str]; 4] = [
        &["normalize", "--drop-tracking"],
        &["normalize", "--drop-query", "utm_*"],
        &["normalize", "--keep-query", "x,y"],
        &["normalize", "--recipe", recipe.name()],
    ];
    let delimiters = ["&", "&amp;", "&amp;amp;"];
    let (mut links, mut expected) = (String::new(), Vec::new());
    for first in delimiters {
        for second in delimiters {
            for (query, left) in [
                (format!("x=1{first}utm_source=2"), "x=1".to_owned()),
                (format!("x=1{first}utm_source=2{second}y=3"), format!("x=1{second}y=3")),
                (format!("utm_source=2{first}x=1{second}utm%5Fid=3"), "x=1".to_owned()),
                (format!("utm_id=2{first}utm_source=2{second}y=3"), "y=3".to_owned()),
                (format!("x{first}y{second}x"), format!("x{first}y{second}x")),
            ] {
                links += &format!("https://e.com/?{query}#f\n");
                expected.push(format!("https://e.com/?{left}#f"));
            }
        }
    }
    for args in ways {
        let found = run(args, &links);
        assert_eq!((found.lines(), found.code), (expected.iter().map(String::as_str).collect(), 0));
    }
    // What the first name begins with, no delimiter begins.
    let found = run(&["normalize", "--drop-tracking", "-i", "/?amp;x=1&amp;utm_id=2"], "");
    assert_eq!(found.text(), "/?amp;x=1\n");
    let found = run(&["normalize", "--drop-query", "amp;x", "-i", "/?a=1&amp;x=1&x=2"], "");
    assert_eq!(found.text(), "/?a=1&x=2\n");
}

#[test]
fn recipes_have_the_edits_of_options() {
    let recipe = TempFile::new("edits.toml", "[query]\nkeep = [\"id\"]\ndrop-fragment = true\n");
    let found = run(&["normalize", "--recipe", recipe.name(), "-i", "http://a/?b&id=1#c"], "");
    assert_eq!((found.lines(), found.code), (vec!["http://a/?id=1"], 0));
}

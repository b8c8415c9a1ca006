//! Generates references from seeds, so that the benchmarks need no files. `plain` is like web pages and RDF data. In
//! `hard`, each reference has one feature that a fast path does not handle, and every tenth is invalid. In `hostile`,
//! most references have nearly all of these features, so that no branch can be predicted. `log` has the same
//! authority many times. The other corpora are inputs for which a fast path may become slow: all invalid, hardly any
//! ASCII, emoji, very long. The generator knows which references are valid; no parser is asked.

use std::collections::HashSet;

use crate::random::Random;

/// References without repetitions, and whether each is valid.
pub struct Generated {
    pub texts: Vec<String>,
    pub valid: Vec<bool>,
}

/// IRIs, all valid.
pub fn plain(count: usize) -> Generated {
    collect(count, 0x706c_6169_6e00, |random| (plain_iri(random), true))
}

/// IRI references with one hard feature, one in ten invalid.
pub fn hard(count: usize) -> Generated {
    collect(count, 0x6861_7264_0000, |random| one_in_ten_invalid(random, hard_reference))
}

/// IRI references with hard features in every possible place, one in ten invalid.
pub fn hostile(count: usize) -> Generated {
    collect(count, 0x6861_7264_0000, |random| one_in_ten_invalid(random, hostile_reference))
}

/// Plain IRIs with an error each: at the beginning, at the end or anywhere between.
pub fn malformed(count: usize) -> Generated {
    collect(count, 0x6661_756c_7400, |random| {
        let text = plain_iri(random);
        (spoiled(random, text), false)
    })
}

/// IRIs whose only ASCII is the scheme and the delimiters, all valid.
pub fn non_ascii(count: usize) -> Generated {
    collect(count, 0x6e6f_6e5f_6100, |random| (non_ascii_iri(random), true))
}

/// IRIs with emoji in path, query and fragment, all valid.
pub fn emoji(count: usize) -> Generated {
    collect(count, 0x656d_6f6a_6900, |random| (emoji_iri(random), true))
}

/// Like a log: many IRIs with the same authority, which is more than a name, then many with another authority. All
/// valid.
pub fn log(count: usize) -> Generated {
    let mut start = String::new();
    collect(count, 0x006c_6f67_0000, |random| {
        if start.is_empty() || random.chance(2) {
            let host = if random.chance(50) { ip_literal(random) } else { domain(random) };
            start = format!("https://{host}:{}", 1024 + random.below(60_000));
        }
        let more = random.below(2);
        (format!("{start}{}{}", path(random), query(random, more)), true)
    })
}

/// IRIs of 1 to 64 KiB, one in ten with one wrong character somewhere.
pub fn long(count: usize) -> Generated {
    collect(count, 0x6c6f_6e67_0000, |random| {
        let text = long_iri(random);
        if random.chance(10) { (interrupted(random, text), false) } else { (text, true) }
    })
}

/// IRIs of 1 to 64 KiB with a short host and a long path in ASCII, all valid.
pub fn long_path(count: usize) -> Generated {
    collect(count, 0x7061_7468_0000, |random| {
        let length = long_length(random);
        let start = format!("https://{}", domain(random));
        (prolonged(random, start, length, "/", word), true)
    })
}

fn one_in_ten_invalid(
    random: &mut Random,
    reference: impl Fn(&mut Random) -> String,
) -> (String, bool) {
    let text = reference(random);
    if random.chance(10) { (spoiled(random, text), false) } else { (text, true) }
}

fn collect(
    count: usize,
    seed: u64,
    mut make: impl FnMut(&mut Random) -> (String, bool),
) -> Generated {
    let mut random = Random(seed);
    let mut seen = HashSet::new();
    let mut generated = Generated { texts: Vec::new(), valid: Vec::new() };
    while generated.texts.len() < count {
        let (text, valid) = make(&mut random);
        if seen.insert(text.clone()) {
            generated.texts.push(text);
            generated.valid.push(valid);
        }
    }
    generated
}

const SYLLABLES: [&str; 24] = [
    "ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu", "va",
    "we", "xi", "yo", "zu", "st", "an", "er", "in",
];
const FOREIGN: [&str; 12] = [
    "красивая",
    "страница",
    "日本語",
    "東京都",
    "العربية",
    "हिन्दी",
    "ελληνικά",
    "한국어",
    "עברית",
    "größe",
    "café",
    "ไทย",
];
const EMOJI: [&str; 6] = ["🦀", "👩\u{200d}🚀", "🏳\u{fe0f}\u{200d}🌈", "𝒳", "𠮷", "🇫🇷"];
/// Emoji as people type them: single ones, two joined by a joiner, with a skin tone, a selector or a keycap; flags;
/// and the signs and letters with the same first bytes.
const TYPED: [&str; 24] = [
    "😀",
    "🎉",
    "🔥",
    "🚀",
    "🍕",
    "🐱",
    "💯",
    "🌍",
    "🎂",
    "🙏",
    "👍🏽",
    "🤷\u{200d}♀\u{fe0f}",
    "❤\u{fe0f}",
    "☀\u{fe0f}",
    "👨\u{200d}👩\u{200d}👧",
    "🏳\u{fe0f}\u{200d}🌈",
    "🇫🇷",
    "🇯🇵",
    "1\u{fe0f}\u{20e3}",
    "©",
    "®\u{fe0f}",
    "𝒳",
    "Ａ",
    "𠮷",
];
const TOP_LEVEL: [&str; 6] = ["com", "org", "net", "example", "co.uk", "info"];

fn word(random: &mut Random) -> String {
    (0..2 + random.below(3)).map(|_| random.one_of(&SYLLABLES)).collect()
}

fn name(random: &mut Random) -> String {
    match random.below(30) {
        0 => random.one_of(&FOREIGN).into(),
        1 => percent_encoded(random.one_of(&FOREIGN)),
        2..=5 => format!("{}{}", word(random), random.below(10_000)),
        6..=10 => format!("{}-{}_{}", word(random), word(random), word(random)),
        _ => word(random),
    }
}

fn percent_encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

fn domain(random: &mut Random) -> String {
    let prefix = random.one_of(&["www.", "", "", "data."]);
    format!("{prefix}{}.{}", word(random), random.one_of(&TOP_LEVEL))
}

/// `n` parts made by `part`, each with `before` in front.
fn repeat(
    random: &mut Random,
    n: usize,
    before: &str,
    part: impl Fn(&mut Random) -> String,
) -> String {
    (0..n).map(|_| format!("{before}{}", part(random))).collect()
}

fn path(random: &mut Random) -> String {
    let depth = 1 + random.below(5);
    repeat(random, depth, "/", name) + random.one_of(&["", "", "/", ".html"])
}

fn query(random: &mut Random, pairs: usize) -> String {
    let first = format!("?{}={}", word(random), name(random));
    first + &repeat(random, pairs, "&", |random| format!("{}={}", word(random), name(random)))
}

fn plain_iri(random: &mut Random) -> String {
    let scheme = random.one_of(&["http", "https", "https"]);
    match random.below(20) {
        0 => format!("file://{}", path(random)),
        1 => format!("urn:{}:{}", word(random), random.number()),
        2..=4 => format!("{scheme}://{}/{}#{}", domain(random), word(random), name(random)),
        5..=9 => {
            let more = random.below(4);
            format!("{scheme}://{}{}{}", domain(random), path(random), query(random, more))
        }
        _ => format!("{scheme}://{}{}", domain(random), path(random)),
    }
}

fn emoji_iri(random: &mut Random) -> String {
    let text = |random: &mut Random| {
        let typed = 1 + random.below(5);
        let emoji = repeat(random, typed, "", |random| random.one_of(&TYPED).into());
        if random.chance(50) { format!("{}-{emoji}", word(random)) } else { emoji }
    };
    let depth = 1 + random.below(3);
    let mut iri = format!("https://{}{}", domain(random), repeat(random, depth, "/", text));
    if random.chance(30) {
        iri += &format!("?{}={}", word(random), text(random));
    }
    if random.chance(10) {
        iri += &format!("#{}", text(random));
    }
    iri
}

fn ip_literal(random: &mut Random) -> String {
    let group = |random: &mut Random| format!("{:x}", random.below(0x1_0000));
    match random.below(6) {
        0 => format!("[{}{}]", group(random), repeat(random, 7, ":", group)),
        1 => format!("[2001:DB8::{}]", group(random)),
        2 => format!("[::ffff:192.0.2.{}]", random.below(256)),
        3 => format!("[{}:{}::]", group(random), group(random)),
        4 => format!("[v{:X}.{}:{}]", random.below(256), word(random), word(random)),
        _ => format!("[fe80::{}:{}:{}]", group(random), group(random), group(random)),
    }
}

/// A plain reference with one hard feature.
fn hard_reference(random: &mut Random) -> String {
    let depth = 1 + random.below(4);
    let path = repeat(random, depth, "/", word);
    let mut host = domain(random);
    let mut rest = path.clone();
    match random.below(9) {
        0 => host += &format!(":{}", random.below(65_536)),
        1 => host = format!("{}:{}@{host}", word(random), random.below(1000)),
        2 => host = ip_literal(random),
        3 => rest += &format!("/{}@{}", word(random), domain(random)),
        4 => rest += &format!("/{}:{}", word(random), random.below(100)),
        5 => rest += &format!("#{}", word(random)),
        6 => {
            let pairs = 10 + random.below(10);
            rest += &query(random, pairs);
        }
        7 => rest += random.one_of(&EMOJI),
        _ => {
            return match random.below(4) {
                0 => format!("//{host}{path}"),
                1 => path,
                2 => format!("..{path}"),
                _ => format!("{}{path}", word(random)),
            };
        }
    }
    format!("https://{host}{rest}")
}

fn hostile_host(random: &mut Random) -> String {
    match random.below(8) {
        0 | 1 => ip_literal(random),
        2 => format!("{}.{}", random.one_of(&FOREIGN), word(random)),
        3 => format!("{}.example", random.one_of(&EMOJI)),
        4 => format!("192.0.2.{}", random.below(256)),
        5 => percent_encoded(random.one_of(&FOREIGN)),
        _ => domain(random),
    }
}

fn hostile_authority(random: &mut Random) -> String {
    let userinfo = match random.below(6) {
        0 => format!("{}@", word(random)),
        1 => format!("{}:{}%40{}@", word(random), word(random), random.below(1000)),
        _ => String::new(),
    };
    let port = match random.below(4) {
        0 => format!(":{}", random.below(65_536)),
        1 => random.one_of(&["", ":"]).into(),
        _ => String::new(),
    };
    format!("//{userinfo}{}{port}", hostile_host(random))
}

fn hostile_segment(random: &mut Random) -> String {
    match random.below(8) {
        0 => format!("{}@{}", word(random), domain(random)),
        1 => format!("{}:{}", word(random), random.below(100)),
        2 => format!("{}{}", word(random), random.one_of(&EMOJI)),
        3 => format!("{};v=1,2!$&'()*+~", word(random)),
        4 => random.one_of(&[".", "..", "", "%2e", "%2F"]).into(),
        5 => random.one_of(&FOREIGN).into(),
        _ => name(random),
    }
}

fn hostile_reference(random: &mut Random) -> String {
    let scheme = random.one_of(&["http:", "https:", "FTP:", "a+b-c.1:", "coap+tcp:"]);
    let depth = random.below(5);
    let path = |random: &mut Random| repeat(random, depth, "/", hostile_segment);
    let start = match random.below(10) {
        0..=3 => format!("{scheme}{}{}", hostile_authority(random), path(random)),
        4 => format!("{}{}", hostile_authority(random), path(random)),
        5 => format!("{scheme}{}{}", name(random), path(random)),
        6 => format!("urn:{}:{}:{}", word(random), name(random), random.below(1_000_000)),
        // A first segment that is not empty and holds no colon.
        7 => format!("{}{}", name(random), path(random)),
        8 => format!("{}{}", random.one_of(&[".", "..", "../..", "./a:b"]), path(random)),
        _ => format!("/{}{}", name(random), path(random)),
    };
    let query = match random.below(8) {
        0 => {
            let pairs = 10 + random.below(30);
            query(random, pairs)
        }
        1 => format!("?{}/?:@{}", name(random), random.one_of(&EMOJI)),
        2 => format!("?{}\u{e000}\u{100000}", word(random)),
        3 => query(random, 2),
        _ => String::new(),
    };
    let fragment = match random.below(6) {
        0 => format!("#{}", name(random)),
        1 => format!("#/{}?{}:@{}", word(random), name(random), random.one_of(&EMOJI)),
        _ => String::new(),
    };
    // Also the references that have no path: only a query, only a fragment.
    if random.chance(5) { query + &fragment } else { start + &query + &fragment }
}

/// The first letter of a script and the number of letters after it: scripts of two bytes, of three and of four.
const SCRIPTS: [(char, usize); 12] = [
    ('α', 25),
    ('а', 32),
    ('ա', 38),
    ('א', 27),
    ('ب', 18),
    ('अ', 46),
    ('ก', 46),
    ('ა', 33),
    ('ぁ', 86),
    ('一', 20_000),
    ('가', 11_000),
    ('𠀀', 40_000),
];

/// A word in one script.
fn letters(random: &mut Random) -> String {
    let (first, count) = random.one_of(&SCRIPTS);
    let length = 2 + random.below(7);
    (0..length)
        .filter_map(|_| char::from_u32(u32::from(first) + random.below(count) as u32))
        .collect()
}

fn non_ascii_iri(random: &mut Random) -> String {
    let scheme = random.one_of(&["http", "https"]);
    let depth = 1 + random.below(4);
    let host = format!("{}.{}", letters(random), letters(random));
    let path = repeat(random, depth, "/", letters);
    let rest = match random.below(6) {
        0 => format!("?{}={}", letters(random), letters(random)),
        1 => format!("#{}", letters(random)),
        _ => String::new(),
    };
    format!("{scheme}://{host}{path}{rest}")
}

/// 1 to 64 KiB: any power of two is as likely as any other.
fn long_length(random: &mut Random) -> usize {
    1024 << random.below(7)
}

/// A long reference, most of which is one component.
fn long_iri(random: &mut Random) -> String {
    let length = long_length(random);
    let start = format!("https://{}", domain(random));
    match random.below(6) {
        0 => prolonged(random, start, length, ".", word),
        1 => prolonged(random, start, length, "/", name),
        2 => prolonged(random, start, length, "/", letters),
        3 => prolonged(random, start + "/#", length, "/", name),
        4 => prolonged(random, start + "/?", length, "&", |random| {
            format!("{}={}", word(random), name(random))
        }),
        _ => {
            prolonged(random, start, length, "/", |random| percent_encoded(random.one_of(&FOREIGN)))
        }
    }
}

/// Repeats parts made by `part`, each with `before` in front, until the text is long enough.
fn prolonged(
    random: &mut Random,
    mut text: String,
    length: usize,
    before: &str,
    part: impl Fn(&mut Random) -> String,
) -> String {
    while text.len() < length {
        text += before;
        text += &part(random);
    }
    text
}

/// Characters that no component allows, in the order of their code points.
const NOWHERE: [char; 16] = [
    '\u{1}',
    ' ',
    '"',
    '<',
    '>',
    '\\',
    '^',
    '`',
    '{',
    '|',
    '}',
    '\u{7f}',
    '\u{85}',
    '\u{fdd0}',
    '\u{fffe}',
    '\u{e0001}',
];

/// The text with one of these characters inserted.
fn interrupted(random: &mut Random, mut text: String) -> String {
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let at = if places.is_empty() { 0 } else { random.one_of(&places) };
    text.insert(at, random.one_of(&NOWHERE));
    text
}

/// An invalid reference, most often with one error in `text`.
fn spoiled(random: &mut Random, text: String) -> String {
    match random.below(8) {
        0..=2 => interrupted(random, text),
        3 => text + random.one_of(&["%", "%4", "%zz", "%G0", "%é"]),
        4 => text + random.one_of(&["[", "]", "##", "#a#b"]),
        5 => format!("http://{}/{}\u{e000}", domain(random), word(random)),
        6 => {
            let host = random.one_of(&[
                "[::1::2]",
                "[fe80::1%25en0]",
                "[192.0.2.1]",
                "[::01.2.3.4]",
                "[::1",
                "::1]",
                "[v.x]",
                "[1:2:3:4:5:6:7:8:9]",
                "[::12345]",
                "a@b@c",
                "h:8a",
                "h:-1",
                "h:80:80",
                "[::1]x",
            ]);
            format!("http://{host}/{}", word(random))
        }
        _ => {
            let scheme = random.one_of(&["", "1a", "a_b", "é", "%61", "-a"]);
            format!("{scheme}:{}", word(random))
        }
    }
}

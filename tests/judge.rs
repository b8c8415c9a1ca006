//! Verdicts before a fetch: the cases of `data/judge.jsonl`, and the laws.
//!
//! The generator makes disguises of hosts that are internal: as some reader reads the text, it goes to such a host.
//! Each disguise is refused. The crate `url` is a second reader, and the ranges are written here again.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::Path;

use proptest::prelude::*;
use serde::Deserialize;
use simd_iri_judge::{Decision, IpRange, Policy, ReasonKind, Verdict, judge_address};
use url::Url;

use crate::support::random;

fn reasons(verdict: &Verdict) -> Vec<String> {
    verdict.reasons().iter().map(ToString::to_string).collect()
}

#[derive(Deserialize)]
struct Case {
    judged: String,
    verdict: String,
    reasons: Vec<String>,
    host_by_rfc: Option<String>,
    host_by_whatwg: Option<String>,
    why: String,
}

#[test]
fn every_case_has_its_verdict() {
    let path = Path::new(crate::ROOT).join("tests/data/judge.jsonl");
    let (policy, mut count) = (Policy::public_web(), 0);
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        let verdict = policy.judge(&case.judged);
        assert_eq!(reasons(&verdict), case.reasons, "{}: {:?}", case.why, case.judged);
        assert_eq!(verdict.decision().name(), case.verdict, "{:?}", case.judged);
        assert_eq!(verdict.host_by_rfc(), case.host_by_rfc.as_deref(), "{:?}", case.judged);
        assert_eq!(verdict.host_by_whatwg(), case.host_by_whatwg.as_deref(), "{:?}", case.judged);
        for reason in verdict.reasons() {
            let place = reason.span().map(|span| case.judged.get(span));
            assert_ne!(place, Some(None), "{:?}: {reason}", case.judged);
        }
        count += 1;
    }
    assert!(count >= 129, "{count}");
}

/// A stream of random numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ bits >> 31
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// The ranges that are refused, by the RFCs. The last range stands for the space that is not allocated.
const RANGES: [&str; 40] = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "168.63.129.16/32",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.31.196.0/24",
    "192.52.193.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "192.175.48.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
    "::/128",
    "::1/128",
    "::/96",
    "::ffff:0:0:0/96",
    "64:ff9b:1::/48",
    "100::/64",
    "100:0:0:1::/64",
    "2001::/23",
    "2001:db8::/32",
    "2002::/16",
    "2620:4f:8000::/48",
    "3fff::/20",
    "5f00::/16",
    "fc00::/7",
    "fe80::/10",
    "fec0::/10",
    "ff00::/8",
    "4000::/2",
    "8000::/2",
    "c000::/3",
    "e000::/4",
];

const METADATA: [&str; 14] = [
    "169.254.169.254",
    "169.254.170.2",
    "169.254.170.23",
    "168.63.129.16",
    "100.100.100.200",
    "192.0.0.192",
    "169.254.42.42",
    "169.254.0.23",
    "fd00:ec2::254",
    "fd00:ec2::23",
    "fd20:ce::254",
    "fe80::a9fe:a9fe",
    "fd00:a9fe:a9fe::1",
    "fd00:42::42",
];

const NAMES: [&str; 24] = [
    "localhost",
    "foo.localhost",
    "localhost.localdomain",
    "printer.local",
    "db.internal",
    "x.home.arpa",
    "wiki.intranet",
    "nas.lan",
    "tv.home",
    "git.corp",
    "a.private",
    "kubernetes.default.svc",
    "api.default.svc.cluster.local",
    "abc.onion",
    "a.test",
    "a.invalid",
    "a.alt",
    "intranet",
    "metadata",
    "metadata.google.internal",
    "metadata.goog",
    "instance-data.ec2.internal",
    "metadata.tencentyun.com",
    "metadata.packet.net",
];

/// The first and the last address of a range, as bits from the highest bit of an IPv6 address.
fn borders(range: IpRange) -> (u128, u128) {
    match range.first() {
        IpAddr::V4(first) => {
            let first = first.to_bits();
            let rest = u32::MAX.checked_shr(range.length().into()).unwrap_or(0);
            (first.into(), (first | rest).into())
        }
        IpAddr::V6(first) => {
            let rest = u128::MAX.checked_shr(range.length().into()).unwrap_or(0);
            (first.to_bits(), first.to_bits() | rest)
        }
    }
}

fn address(is_v4: bool, bits: u128) -> IpAddr {
    match is_v4 {
        true => Ipv4Addr::from_bits(bits as u32).into(),
        false => Ipv6Addr::from_bits(bits).into(),
    }
}

/// An address that is refused.
fn internal(random: &mut Random, wants_v4: bool) -> IpAddr {
    loop {
        let found = if random.one_in(4) {
            random.of(&METADATA).parse().unwrap()
        } else {
            let range: IpRange = random.of(&RANGES).parse().unwrap();
            let (first, last) = borders(range);
            let bits = u128::from(random.next()) << 64 | u128::from(random.next());
            let offset = match (random.below(3), last - first) {
                (0, _) => 0,
                (1, size) => size,
                (_, u128::MAX) => bits,
                (_, size) => bits % (size + 1),
            };
            address(range.first().is_ipv4(), first + offset)
        };
        if found.is_ipv4() == wants_v4 {
            return found;
        }
    }
}

/// A number as the notation of C writes it.
fn number(random: &mut Random, value: u64) -> String {
    let zeros = "0".repeat(if random.one_in(3) { random.below(4) } else { 0 });
    match random.below(4) {
        0 => format!("0{zeros}{value:o}"),
        1 => format!("0x{zeros}{value:x}"),
        2 => format!("0X{zeros}{value:X}"),
        _ => value.to_string(),
    }
}

/// An IPv4 address in a form of `inet_aton`.
fn numbers(random: &mut Random, address: Ipv4Addr) -> String {
    if random.one_in(3) {
        return address.to_string();
    }
    let parts = 1 + random.below(4);
    let octets = address.octets();
    let mut text = String::new();
    for octet in &octets[..parts - 1] {
        text += &number(random, u64::from(*octet));
        text.push('.');
    }
    let last = octets[parts - 1..].iter().fold(0, |last, octet| last << 8 | u64::from(*octet));
    text + &number(random, last)
}

/// An IPv6 address that stands for an IPv4 address, or holds it.
fn embedding(random: &mut Random, held: Ipv4Addr) -> Ipv6Addr {
    let bits = u128::from(held.to_bits());
    let prefix = |groups: [u16; 6]| {
        let [a, b, c, d, e, f] = groups;
        Ipv6Addr::new(a, b, c, d, e, f, 0, 0).to_bits()
    };
    Ipv6Addr::from_bits(match random.below(9) {
        0 => bits | prefix([0, 0, 0, 0, 0, 0xFFFF]),
        1 => bits,
        2 => bits | prefix([0, 0, 0, 0, 0xFFFF, 0]),
        3 => bits | prefix([0x64, 0xFF9B, 0, 0, 0, 0]),
        4 => bits | prefix([0x64, 0xFF9B, 1, 0, 0, 0]),
        5 => 0x2002 << 112 | bits << 80 | u128::from(random.next()),
        // Teredo, with the client inverted.
        6 => 0x2001 << 112 | u128::from(random.next()) << 32 | (bits ^ 0xFFFF_FFFF),
        7 => bits | prefix([0x2600, 1, 2, 3, 0, 0x5EFE]),
        _ => bits | prefix([0x2A00, 1, 2, 3, 0x200, 0x5EFE]),
    })
}

/// An IPv6 address in one of its forms.
fn groups(random: &mut Random, address: Ipv6Addr) -> String {
    let groups = address.segments();
    let text = match random.below(4) {
        0 => address.to_string(),
        1 => groups.map(|group| format!("{group:04x}")).join(":"),
        2 => groups.map(|group| format!("{group:x}")).join(":"),
        _ => {
            let first = groups[..6].iter().map(|group| format!("{group:x}:")).collect::<String>();
            first + &Ipv4Addr::from_bits(address.to_bits() as u32).to_string()
        }
    };
    let text = if random.one_in(3) { text.to_uppercase() } else { text };
    format!("[{text}]")
}

/// A character that UTS #46 maps to an ASCII character, or the character.
fn letter(random: &mut Random, c: char) -> char {
    let shifted = |start: u32, from: char| char::from_u32(start + c as u32 - from as u32);
    let found = match (c, random.below(4)) {
        ('1'..='9', 0) => shifted(0x2460, '1'),
        ('0', 0) => Some('⓪'),
        ('0'..='9', 1) => shifted(0x1D7CE, '0'),
        ('0'..='9', _) => shifted(0xFF10, '0'),
        ('a'..='z', 0) => shifted(0x24D0, 'a'),
        ('a'..='z', 1) => shifted(0x1D41A, 'a'),
        ('a'..='z', 2) => Some(c.to_ascii_uppercase()),
        ('a'..='z', _) => shifted(0xFF41, 'a'),
        ('.', 0) => Some('\u{3002}'),
        ('.', 1) => Some('\u{FF0E}'),
        ('.', _) => Some('\u{FF61}'),
        _ => None,
    };
    found.unwrap_or(c)
}

/// A name or a number with other characters and triplets in place of some characters.
fn disguised(random: &mut Random, name: &str) -> String {
    let mut text = String::new();
    let (letters, triplets, ignored) = (random.below(3), random.below(3), random.one_in(4));
    for c in name.chars() {
        let c = if letters > 0 && random.one_in(letters) { letter(random, c) } else { c };
        if triplets == 1 && random.one_in(3) || triplets == 2 && random.one_in(10) {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                text +=
                    &if random.one_in(2) { format!("%{byte:02x}") } else { format!("%{byte:02X}") };
            }
        } else {
            text.push(c);
        }
        if ignored && random.one_in(6) {
            text.push(random.of(&['\u{AD}', '\u{200B}', '\u{2060}', '\u{FE0F}']));
        }
    }
    if random.one_in(6) {
        text.push(random.of(&['.', '\u{3002}']));
    }
    text
}

/// A host that some reader takes for an internal host.
fn host(random: &mut Random) -> String {
    match random.below(5) {
        0 => {
            let name = random.of(&NAMES);
            disguised(random, name)
        }
        1 => match internal(random, false) {
            IpAddr::V6(address) => groups(random, address),
            IpAddr::V4(_) => unreachable!("an IPv6 address was asked for"),
        },
        number => match internal(random, true) {
            IpAddr::V4(address) if number == 2 => {
                let address = embedding(random, address);
                groups(random, address)
            }
            IpAddr::V4(address) => {
                let text = numbers(random, address);
                disguised(random, &text)
            }
            IpAddr::V6(_) => unreachable!("an IPv4 address was asked for"),
        },
    }
}

const TAILS: [&str; 9] = [
    "",
    "/",
    "/a?b#c",
    "?@example.com",
    "#@example.com",
    "/@example.com",
    "\\",
    "\\@example.com/",
    "/\u{E9}",
];

/// A text that some reader takes for a request to an internal host.
fn disguise(random: &mut Random) -> String {
    let host = host(random);
    let userinfo = match random.below(16) {
        0 => "a@",
        1 => "example.com@",
        2 => "example.com:80@",
        3 => "example.com\\@",
        4 => "example.com%2f@",
        5 => "a@b@",
        6 => "@",
        _ => "",
    };
    let slashes = match random.below(16) {
        0 => "/",
        1 => "",
        2 => "///",
        3 => "\\\\",
        4 => "/\\",
        _ => "//",
    };
    let scheme = random.of(&["http", "https", "HTTP", "hTTps"]);
    let port = random.of(&["", "", "", ":", ":80", ":443", ":0080", ":22"]);
    let tail = random.of(&TAILS);
    let mut text = format!("{scheme}:{slashes}{userinfo}{host}{port}{tail}");
    if random.one_in(10) {
        let at = random.below(text.len() + 1);
        let at = (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap();
        let control = random.of(&["\t", "\n", "\r", " ", "\0", "\u{7F}"]);
        text.insert_str(at, control);
    }
    text
}

#[test]
fn no_disguise_of_an_internal_host_is_let_through() {
    let policy = Policy::public_web();
    // A policy that leaves user information out, and allows more, lets no disguise through either.
    let others = Policy::public_web().strip_userinfo(true).ports(&[22, 80, 443, 8080]);
    random(100_000, any::<u64>(), |seed| {
        let mut random = Random(seed);
        let text = disguise(&mut random);
        for verdict in [policy.judge(&text), others.judge(&text)] {
            prop_assert_eq!(verdict.decision(), Decision::Refuse, "{:?}", text);
            prop_assert!(!verdict.reasons().is_empty() && verdict.url_to_send().is_none());
        }
        let base = random.of(&["http://example.com/a", "https://example.com/"]);
        let redirect = policy.judge_redirect(&text, base, 1);
        prop_assert_eq!(redirect.verdict().decision(), Decision::Refuse, "{:?}", text);
        prop_assert!(!redirect.keeps_credentials());
        // Without the scheme, the location has the scheme of the base.
        let (_, relative) = text.split_once(':').unwrap();
        if relative.starts_with("//") || relative.contains('\\') {
            let redirect = policy.judge_redirect(relative, base, 1);
            prop_assert_eq!(redirect.verdict().decision(), Decision::Refuse, "{:?}", relative);
        }
        Ok(())
    });
}

/// A text of any kind: a disguise, or a text with a public host in the place of the internal host.
fn any_text(random: &mut Random) -> String {
    const PUBLIC: [&str; 12] = [
        "example.com",
        "EXAMPLE.com.",
        "b\u{FC}cher.example",
        "xn--bcher-kva.example",
        "93.184.216.34",
        "[2606:2800::1]",
        "[::FFFF:93.184.216.34]",
        "fa\u{DF}.de",
        "-a_b.example",
        "a.\u{4F8B}\u{3002}jp",
        "a;b,c!'.example",
        "\u{5D0}.example",
    ];
    const PATHS: [&str; 14] = [
        "",
        "/",
        "/a/../b",
        "/%2e%2E/a",
        "/a/./",
        "//a//..",
        "/'\u{E9}%e9",
        "/;=@:",
        "?a='b",
        "?\u{E9}\u{E000}",
        "/..?/../x",
        "/a/..",
        "#f",
        "/%2E?q#f",
    ];
    if random.one_in(2) {
        return disguise(random);
    }
    let name = random.of(&PUBLIC);
    let name = if random.one_in(4) { disguised(random, name) } else { name.to_owned() };
    let scheme = random.of(&["http", "https", "HTTP", "ftp", "ws", "file", "dict"]);
    let port = random.of(&["", ":", ":80", ":443", ":0080", ":8080"]);
    let userinfo = random.of(&["", "", "", "a@", "a:b@", "@"]);
    let (path, more) = (random.of(&PATHS), random.of(&PATHS));
    format!("{scheme}://{userinfo}{name}{port}{path}{more}")
}

/// Tells whether a host of the crate `url` is internal, by the methods of the standard library.
fn is_internal(host: url::Host<&str>) -> bool {
    let of_v4 = |address: Ipv4Addr| {
        address.is_private()
            || address.is_loopback()
            || address.is_link_local()
            || address.is_unspecified()
            || address.is_broadcast()
            || address.is_multicast()
            || address.is_documentation()
            || METADATA.contains(&&*address.to_string())
    };
    match host {
        url::Host::Ipv4(address) => of_v4(address),
        url::Host::Ipv6(address) => {
            address.is_loopback()
                || address.is_unspecified()
                || address.is_unique_local()
                || address.is_unicast_link_local()
                || address.is_multicast()
                || address.to_ipv4_mapped().is_some_and(of_v4)
                || METADATA.contains(&&*address.to_string())
        }
        url::Host::Domain(name) => {
            let name = name.strip_suffix('.').unwrap_or(name);
            let is_name = |known: &&str| name == *known || name.ends_with(&format!(".{known}"));
            NAMES.iter().any(is_name) || ["local", "internal"].iter().any(is_name)
        }
    }
}

#[test]
fn a_stranger_agrees_on_the_host_and_finds_none_that_is_internal() {
    let policy = Policy::public_web().schemes(&["http", "https", "ftp", "ws", "wss"]);
    random(100_000, any::<u64>(), |seed| {
        let text = any_text(&mut Random(seed));
        let verdict = policy.judge(&text);
        let is_long = verdict.reasons().iter().any(|it| it.kind() == ReasonKind::HostTooLong);
        let Ok(url) = Url::parse(&text) else {
            prop_assert!(verdict.host_by_whatwg().is_none() || is_long, "{:?}", text);
            return Ok(());
        };
        if !is_long {
            let host = url.host_str().unwrap_or_default();
            prop_assert_eq!(verdict.host_by_whatwg(), Some(host), "{:?}", text);
        }
        prop_assert_eq!(
            verdict.port().or(url.port()),
            url.port_or_known_default().or(verdict.port())
        );
        if url.host().is_some_and(is_internal) {
            prop_assert_eq!(verdict.decision(), Decision::Refuse, "{:?}", text);
        }
        Ok(())
    });
}

#[test]
fn the_url_to_send_is_what_is_judged() {
    let policy = Policy::public_web()
        .schemes(&["http", "https", "ftp", "ws", "dict"])
        .ports(&[21, 80, 443, 2628, 8080])
        .strip_userinfo(true);
    let sent = std::sync::atomic::AtomicUsize::new(0);
    random(100_000, any::<u64>(), |seed| {
        let text = any_text(&mut Random(seed));
        let verdict = policy.judge(&text);
        let Some(sent_url) = verdict.url_to_send() else { return Ok(()) };
        sent.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let again = policy.judge(sent_url);
        prop_assert_eq!(again.decision(), verdict.decision(), "{:?}: {:?}", text, sent_url);
        prop_assert_eq!(again.url_to_send(), Some(sent_url), "{:?}", text);
        prop_assert_eq!(again.host_by_whatwg(), verdict.host_by_whatwg(), "{:?}", text);
        prop_assert_eq!(again.host_by_rfc(), again.host_by_whatwg(), "{:?}", text);
        prop_assert_eq!((again.port(), again.address()), (verdict.port(), verdict.address()));
        // It is a URI, and the URL Standard leaves it as it is.
        let uri = simd_iri::Uri::parse(sent_url).unwrap();
        prop_assert!(uri.userinfo().is_none() && uri.fragment().is_none());
        let stranger = Url::parse(sent_url).unwrap();
        prop_assert_eq!(stranger.as_str(), sent_url, "{:?}", text);
        if verdict.scheme() != Some("dict") {
            let mut url = Url::parse(&text).unwrap();
            url.set_fragment(None);
            url.set_username("").unwrap();
            url.set_password(None).unwrap();
            prop_assert_eq!(url.as_str(), sent_url, "{:?}", text);
        }
        Ok(())
    });
    assert!(sent.into_inner() > 0);
}

#[test]
fn a_range_ends_where_it_ends() {
    let ranges: Vec<IpRange> = RANGES.iter().map(|range| range.parse().unwrap()).collect();
    let is_in = |address: IpAddr| ranges.iter().any(|range| range.contains(address));
    for range in &ranges {
        let (first, last) = borders(*range);
        let is_v4 = range.first().is_ipv4();
        let top = if is_v4 { u128::from(u32::MAX) } else { u128::MAX };
        for bits in [first, first + (last - first) / 2, first + (last - first) / 3, last] {
            let found = judge_address(address(is_v4, bits)).unwrap();
            // The most specific range is named.
            let inner = ranges.iter().filter(|range| range.contains(address(is_v4, bits)));
            let inner = inner.max_by_key(|range| range.length()).unwrap();
            let expected = match inner.to_string() {
                name if ["4000::/2", "8000::/2", "c000::/3", "e000::/4"].contains(&&*name) => {
                    "outside 2000::/3".to_owned()
                }
                name => name,
            };
            assert_eq!(found.to_string(), expected, "{range}");
        }
        let outside = [first.checked_sub(1), last.checked_add(1).filter(|bits| *bits <= top)];
        for bits in outside.into_iter().flatten() {
            let address = address(is_v4, bits);
            // 0::/3 is not allocated either.
            let is_low = !is_v4 && bits >> 125 != 1;
            if !is_in(address) && !is_low {
                assert_eq!(judge_address(address), None, "{address} beside {range}");
            }
        }
    }
    for address in METADATA {
        assert!(judge_address(address.parse().unwrap()).unwrap().is_metadata(), "{address}");
    }
    // The addresses between the ranges.
    for address in ["1.1.1.1", "9.255.255.255", "172.32.0.0", "2000::", "2001:200::", "3ffe:ffff::"]
    {
        assert_eq!(judge_address(address.parse().unwrap()), None, "{address}");
    }
    assert_eq!(judge_address("0:1::".parse().unwrap()).unwrap().to_string(), "outside 2000::/3");
}

#[test]
fn an_ipv4_address_in_an_ipv6_address_decides() {
    let name = |policy: &Policy, address: &str| {
        policy.judge_address(address.parse().unwrap()).map(|range| range.to_string())
    };
    let policy = Policy::public_web();
    for (address, expected) in [
        ("::ffff:169.254.169.254", Some("::ffff:0:0/96 of 169.254.0.0/16")),
        ("64:ff9b::a9fe:a9fe", Some("64:ff9b::/96 of 169.254.0.0/16")),
        ("64:ff9b::101:101", None),
        ("2600::200:5efe:192.168.0.1", Some("ISATAP of 192.168.0.0/16")),
        ("2600::5efe:1.1.1.1", None),
        ("2600::1:5efe:10.0.0.1", None),
    ] {
        assert_eq!(name(&policy, address).as_deref(), expected, "{address}");
    }
    // A permitted range does not permit the IPv4 addresses in it.
    let policy = Policy::public_web().permit_range("::/0".parse().unwrap());
    for (address, expected) in [
        ("2002:a00:1::", Some("2002::/16 of 10.0.0.0/8")),
        ("2002:101:101::", None),
        ("::10.0.0.1", Some("::/96 of 10.0.0.0/8")),
        ("::ffff:0:10.0.0.1", Some("::ffff:0:0:0/96 of 10.0.0.0/8")),
        ("2001:0:101:101::f5ff:fffe", Some("2001::/23 of 10.0.0.0/8")),
        ("2001:0:a00:1::fefe:fefe", Some("2001::/23 of 10.0.0.0/8")),
        ("2001:0:101:101::fefe:fefe", None),
        ("fd00::10.0.0.1", None),
        ("64:ff9b:1::10.0.0.1", None),
        ("64:ff9b::10.0.0.1", Some("64:ff9b::/96 of 10.0.0.0/8")),
    ] {
        assert_eq!(name(&policy, address).as_deref(), expected, "{address}");
    }
    // RFC 6052, section 2.4.
    for (prefix, address) in [
        ("2001:db8::/32", "2001:db8:c000:221::"),
        ("2001:db8:100::/40", "2001:db8:1c0:2:21::"),
        ("2001:db8:122::/48", "2001:db8:122:c000:2:2100::"),
        ("2001:db8:122:300::/56", "2001:db8:122:3c0:0:221::"),
        ("2001:db8:122:344::/64", "2001:db8:122:344:c0:2:2100::"),
        ("2001:db8:122:344::/96", "2001:db8:122:344::192.0.2.33"),
    ] {
        let prefix: IpRange = prefix.parse().unwrap();
        let policy = Policy::public_web().nat64_prefix(prefix).unwrap();
        assert_eq!(name(&policy, address), Some(format!("{prefix} of 192.0.2.0/24")), "{address}");
    }
    for prefix in ["2600::/95", "2600::/128", "10.0.0.0/8"] {
        assert!(Policy::public_web().nat64_prefix(prefix.parse().unwrap()).is_err(), "{prefix}");
    }
}

#[test]
fn metadata_stays_refused_whatever_is_permitted() {
    let mut policy = Policy::public_web();
    for range in ["0.0.0.0/0", "::/0", "169.254.169.254/32", "fd00:ec2::254"] {
        policy = policy.permit_range(range.parse().unwrap());
    }
    for domain in ["internal", "metadata", "goog", "com"] {
        policy = policy.permit_domain(domain).unwrap();
    }
    for address in METADATA {
        let address: IpAddr = address.parse().unwrap();
        assert!(policy.judge_address(address).unwrap().is_metadata(), "{address}");
        if let IpAddr::V4(address) = address {
            let [a, b, c, d] = address.octets();
            let (high, low) = (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]));
            for holder in [
                Ipv6Addr::new(0, 0, 0, 0, 0, 0xFFFF, high, low),
                Ipv6Addr::new(0, 0, 0, 0, 0, 0, high, low),
                Ipv6Addr::new(0, 0, 0, 0, 0xFFFF, 0, high, low),
                Ipv6Addr::new(0x64, 0xFF9B, 0, 0, 0, 0, high, low),
                Ipv6Addr::new(0x64, 0xFF9B, 1, 0, 0, 0, high, low),
                Ipv6Addr::new(0x64, 0xFF9B, 1, high, low >> 8, low << 8, 0, 0),
                Ipv6Addr::new(0x2002, high, low, 0, 0, 0, 0, 1),
                Ipv6Addr::new(0x2001, 0, 1, 1, 0, 0, !high, !low),
                Ipv6Addr::new(0x2001, 0, high, low, 0, 0, 1, 1),
                Ipv6Addr::new(0xFD00, 0, 0, 0, 0, 0x5EFE, high, low),
            ] {
                assert!(policy.judge_address(holder.into()).unwrap().is_metadata(), "{holder}");
            }
        }
    }
    for name in NAMES.iter().filter(|name| name.contains("metadata") || name.contains("instance")) {
        let verdict = policy.judge(&format!("http://{name}/"));
        assert_eq!(reasons(&verdict), ["metadata-name"], "{name}");
    }
    assert_eq!(policy.judge("http://10.0.0.1/").decision(), Decision::Allow);
    assert_eq!(policy.judge("http://[fd00::1]/").decision(), Decision::Allow);
    assert_eq!(policy.judge("http://db.internal/").decision(), Decision::Resolve);
    assert_eq!(reasons(&policy.judge("http://db.local/")), ["special-name"]);
}

#[test]
fn the_most_specific_range_of_the_caller_decides() {
    let policy = Policy::public_web()
        .permit_range("10.0.0.0/8".parse().unwrap())
        .refuse_range("10.1.0.0/16".parse().unwrap())
        .permit_range("10.1.2.0/24".parse().unwrap())
        .refuse_range("10.1.2.3/32".parse().unwrap())
        .permit_range("10.1.2.3/32".parse().unwrap())
        .refuse_range("2600:1::/32".parse().unwrap());
    for (address, expected) in [
        ("10.0.0.1", None),
        ("10.1.0.1", Some("10.1.0.0/16")),
        ("10.1.2.4", None),
        ("10.1.2.3", Some("10.1.2.3/32")),
        ("::ffff:10.1.0.1", Some("::ffff:0:0/96 of 10.1.0.0/16")),
        ("::ffff:10.0.0.1", None),
        ("2600:1::1", Some("2600:1::/32")),
        ("11.0.0.1", None),
    ] {
        let found = policy.judge_address(address.parse().unwrap()).map(|range| range.to_string());
        assert_eq!(found.as_deref(), expected, "{address}");
    }
}

#[test]
fn the_options_of_a_policy() {
    let listed = Policy::public_web()
        .only_host("b\u{FC}cher.example")
        .and_then(|policy| policy.only_host("93.184.216.34"))
        .and_then(|policy| policy.only_host("[2606:2800:0::1]"))
        .and_then(|policy| policy.only_domain(".Example.com."))
        .unwrap();
    let own = Policy::public_web()
        .refuse_domain("prod.example.com")
        .unwrap()
        .refuse_literals(true)
        .schemes(&["HTTPS", "dict"])
        .ports(&[0, 443, 2628]);
    for name in ["*.corp.example", "*", "**", "a.example,b.example", "a!", ""] {
        assert!(Policy::public_web().refuse_domain(name).is_err(), "{name}");
        assert!(Policy::public_web().only_host(name).is_err(), "{name}");
    }
    let stripped = Policy::public_web().strip_userinfo(true);
    for (policy, text, expected) in [
        (&listed, "http://B\u{FC}cher.example./", &[][..]),
        (&listed, "http://93.184.216.34/", &[]),
        (&listed, "http://[2606:2800::1]/", &[]),
        (&listed, "http://a.b.example.com/", &[]),
        (&listed, "http://example.com/", &[]),
        (&listed, "http://badexample.com/", &["not-listed"]),
        (&listed, "http://1.1.1.1/", &["not-listed"]),
        (&listed, "http://localhost/", &["special-name", "not-listed"]),
        (&own, "https://db.PROD.example.com/", &["refused-name"]),
        (&own, "https://prod.example.com./", &["refused-name"]),
        (&own, "https://example.com/", &[]),
        (&own, "https://1.1.1.1/", &["literal"]),
        (&own, "https://127.0.0.1/", &["literal", "address 127.0.0.0/8"]),
        (&own, "https://example.com:0/", &["port"]),
        (&own, "http://example.com/", &["scheme"]),
        // A scheme that the URL Standard does not know has a host that a client looks up.
        (&own, "dict://example.com/", &[]),
        (&own, "dict://127.1/", &["readings-differ", "literal", "address 127.0.0.0/8"]),
        (&own, "dict://localhost/", &["special-name"]),
        (&own, "dict:///", &["no-host"]),
        (&own, "dict:a", &["no-host"]),
        (&stripped, "http://a:b@example.com/", &[]),
        (&stripped, "http://a@b@example.com/", &["invalid-rfc3987"]),
        (&stripped, "http://a@127.0.0.1/", &["address 127.0.0.0/8"]),
        (
            &stripped,
            "http://127.0.0.1\\@example.com/",
            &["backslash", "invalid-rfc3987", "address 127.0.0.0/8"],
        ),
    ] {
        assert_eq!(reasons(&policy.judge(text)), expected, "{text}");
    }
    for wrong in ["", "a/b", "a b", "[::1", "a..b", ".", "1.2.3.4.5", "%"] {
        assert!(Policy::public_web().only_host(wrong).is_err(), "{wrong}");
        assert!(Policy::public_web().only_domain(wrong).is_err(), "{wrong}");
    }
    assert!(Policy::public_web().permit_domain("127.0.0.1").is_err());
}

#[test]
fn what_is_wrong_anywhere_is_a_reason() {
    let label = "a".repeat(64);
    for (text, expected) in [
        ("", &["no-scheme"][..]),
        ("http://example.com/a b", &["control-or-space", "invalid-rfc3987"]),
        ("http://example.com/%zz", &["invalid-rfc3987"]),
        ("http://example.com/ ", &["control-or-space", "invalid-rfc3987"]),
        ("http://example.com/a\\b", &["backslash", "invalid-rfc3987"]),
        ("http://example.com/#a#b", &["invalid-rfc3987"]),
        ("http://@example.com/", &["userinfo"]),
        ("http://./", &["empty-label"]),
        ("http://../", &["empty-label"]),
        ("http://example.com../", &["empty-label"]),
        ("http://example.com./", &[]),
        ("http://localhost./", &["special-name"]),
        ("http://\u{FF4C}ocalhost/", &["special-name"]),
        ("http://a\u{3002}example/", &[]),
        ("http://b%C3%BCcher.example/", &["readings-differ"]),
        ("http://e%78ample.com/", &["readings-differ"]),
        ("http://\u{AD}/", &["invalid-whatwg"]),
        ("http://example.com:00080/", &[]),
        ("http://example.com:443/", &[]),
        ("http://[::1", &["invalid-rfc3987", "invalid-whatwg"]),
        (&format!("http://{label}.example/"), &["host-too-long"]),
        (&format!("http://{}/", "a.".repeat(127) + "example"), &["host-too-long"]),
        (&format!("http://{}.example/", "\u{E9}".repeat(64)), &["host-too-long"]),
        // The zeros do not hide the address.
        (
            &format!("http://0{}177.0.0.1/", "0".repeat(300)),
            &["readings-differ", "address 127.0.0.0/8"],
        ),
    ] {
        assert_eq!(reasons(&Policy::public_web().judge(text)), expected, "{text}");
    }
}

#[test]
fn bytes_are_judged_as_text() {
    let policy = Policy::public_web();
    random(10_000, any::<u64>(), |seed| {
        let text = any_text(&mut Random(seed));
        prop_assert_eq!(policy.judge_bytes(text.as_bytes()), policy.judge(&text));
        let base = "http://example.com/a/b";
        let (bytes, of_text) = (
            policy.judge_redirect_bytes(text.as_bytes(), base, 1),
            policy.judge_redirect(&text, base, 1),
        );
        prop_assert_eq!(bytes, of_text);
        Ok(())
    });
    for (bytes, span) in [(&b"http://\xFF/"[..], 7..8), (b"http://a/\xE2\x82", 9..11)] {
        let verdict = policy.judge_bytes(bytes);
        assert_eq!(reasons(&verdict), ["not-utf8"]);
        assert_eq!(verdict.reasons()[0].span(), Some(span));
    }
}

#[test]
fn redirects_are_judged_from_the_start() {
    let policy = Policy::public_web().max_redirects(2);
    let base = "https://example.com/a/b?c";
    for (location, base, number, sent, expected, keeps) in [
        ("", base, 1, Some(base), &[][..], true),
        ("d", base, 1, Some("https://example.com/a/d"), &[], true),
        ("?d#e", base, 2, Some("https://example.com/a/b?d"), &[], true),
        ("/d", base, 3, None, &["too-many-redirects"], false),
        ("//example.com:443/d", base, 1, Some("https://example.com/d"), &[], true),
        ("//example.org/", base, 1, Some("https://example.org/"), &[], false),
        ("https://example.com./", base, 1, Some("https://example.com./"), &[], false),
        ("http://example.com/", base, 1, None, &["downgrade"], false),
        (
            "https://example.com/",
            "http://example.com/",
            1,
            Some("https://example.com/"),
            &[],
            false,
        ),
        ("https:d", base, 1, None, &["no-host", "special-name"], false),
        ("///127.0.0.1/", base, 1, None, &["readings-differ", "address 127.0.0.0/8"], false),
        ("file:///etc/passwd", base, 1, None, &["downgrade", "scheme"], false),
        ("//127.1/", base, 1, None, &["readings-differ", "address 127.0.0.0/8"], false),
        ("/a b", base, 1, None, &["control-or-space", "invalid-rfc3987"], false),
        ("\\\\127.0.0.1", base, 1, None, &["backslash", "invalid-rfc3987"], false),
        ("/d", "http://10.0.0.1/", 1, None, &["base"], false),
        ("//example.com/", "a", 1, None, &["base", "no-scheme"], false),
        ("http://u@example.com/", "http://example.com/", 1, None, &["userinfo"], false),
    ] {
        let redirect = policy.judge_redirect(location, base, number);
        assert_eq!(reasons(redirect.verdict()), expected, "{location:?}");
        assert_eq!(redirect.verdict().url_to_send(), sent, "{location:?}");
        assert_eq!(redirect.keeps_credentials(), keeps, "{location:?}");
    }
}

/// For a location without a scheme, the URL Standard goes where the verdict says.
#[test]
fn a_stranger_agrees_on_redirects() {
    let policy = Policy::public_web();
    let base = "https://example.com/a/b?c";
    random(50_000, any::<u64>(), |seed| {
        let mut random = Random(seed);
        const PIECES: [&str; 20] = [
            "/",
            "//",
            "\\",
            "..",
            ".",
            "a",
            "?",
            "#",
            ":",
            "@",
            "127.0.0.1",
            "example.org",
            "http:",
            "https:",
            "[::1]",
            "\t",
            "%2e",
            "\u{E9}",
            "'",
            " ",
        ];
        let location: String = (0..random.below(6)).map(|_| random.of(&PIECES)).collect();
        let redirect = policy.judge_redirect(&location, base, 1);
        let Some(sent) = redirect.verdict().url_to_send() else { return Ok(()) };
        let mut url = Url::parse(base).unwrap().join(&location).unwrap();
        url.set_fragment(None);
        prop_assert_eq!(url.as_str(), sent, "{:?}", location);
        Ok(())
    });
}

#[test]
fn ranges_are_read_as_they_are_written() {
    for text in ["0.0.0.0/0", "10.0.0.0/8", "::/0", "::ffff:0:0/96", "fe80::/10", "1.2.3.4/32"] {
        assert_eq!(text.parse::<IpRange>().unwrap().to_string(), text);
    }
    for text in [
        "",
        "/",
        "10.0.0.0/",
        "10.0.0.0/33",
        "10.0.0.0/+8",
        "10.0.0.0/8/8",
        "10.0.0.1/8",
        "::1/64",
        "::/129",
        "::/300",
        "a/8",
        "[::]/0",
        "10.0.0/8",
        "10.0.0.0 /8",
    ] {
        assert!(text.parse::<IpRange>().is_err(), "{text}");
    }
}

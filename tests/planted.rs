//! References with secrets, for the tests of the library and of the program.
//!
//! The generator plants secrets by what it knows of users, browsers, servers and formats, not by the rules of the
//! library. Each secret is a text that stands nowhere else.

/// Random numbers (SplitMix64).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ mixed >> 31) % limit as u64) as usize
    }

    pub(crate) fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// A reference with secrets, as a user, a browser, a server or a format may write it.
pub(crate) struct Planted {
    pub(crate) text: Vec<u8>,
    pub(crate) secrets: Vec<Vec<u8>>,
}

/// A text that is written as a program may write it: as it is, with triplets, with the other case of letters.
fn spelled(numbers: &mut Numbers, text: &str, any_case: bool) -> String {
    let mut spelled = String::new();
    for byte in text.bytes() {
        match numbers.below(24) {
            0 => spelled += &format!("%{byte:02X}"),
            1 => spelled += &format!("%{byte:02x}"),
            2 if any_case => {
                spelled.push((byte ^ (0x20 * u8::from(byte.is_ascii_alphabetic()))).into())
            }
            3 if spelled.len() > 40 => spelled.push('\t'),
            _ => spelled.push(byte.into()),
        }
    }
    spelled
}

/// A new secret, with bytes before and after it that may be there: delimiters of other places, and what is not UTF-8.
fn secret(planted: &mut Planted, numbers: &mut Numbers, junk: &[&[u8]]) -> Vec<u8> {
    let secret =
        format!("S{}s{:x}Z", planted.secrets.len(), numbers.below(usize::MAX)).into_bytes();
    let mut written = Vec::new();
    for _ in 0..numbers.below(3) {
        written.extend_from_slice(numbers.one(junk));
    }
    written.extend_from_slice(&secret);
    for _ in 0..numbers.below(3) {
        written.extend_from_slice(numbers.one(junk));
    }
    planted.secrets.push(secret);
    written
}

/// Percent-encodes every byte that is not a letter or a digit.
fn encoded(bytes: &[u8]) -> Vec<u8> {
    let encode = |byte: &u8| match byte.is_ascii_alphanumeric() {
        true => vec![*byte],
        false => format!("%{byte:02X}").into_bytes(),
    };
    bytes.iter().flat_map(encode).collect()
}

const KEYS: [&str; 12] = [
    "code",
    "access_token",
    "password",
    "user[password]",
    "Api-Key",
    "auth[]",
    "client_secret",
    "SAMLResponse",
    "x-amz-credential",
    "Key-Pair-Id",
    "GoogleAccessId",
    "jwt",
];
const HARMLESS: [&str; 8] =
    ["a=1", "page=2", "flag", "=", "q=%C3%A9+b", "utm_source=x", "x[y]=z", "b=c=d"];

/// Returns a reference with secrets. `depth` is how many references may be in its values.
pub(crate) fn planted(number: usize, depth: u8) -> Planted {
    let mut numbers = Numbers(number as u64);
    let n = &mut numbers;
    let mut planted = Planted { text: Vec::new(), secrets: Vec::new() };
    let schemes = [
        "https://",
        "http://",
        "HTTPS://",
        "//",
        "ftp://",
        "postgres://",
        "jdbc:mysql://",
        "git+ssh://",
        "wss://",
        "https:\\\\",
        "http:/\\",
        "https:/",
        "http:///",
        "https:\\/\\/",
        "redis:\\/\\/",
        " https://",
        "ht\ntp://",
        "http:",
        "(see https://",
        "Location: https://",
    ];
    planted.text.extend_from_slice(n.one(&schemes).as_bytes());
    if n.below(2) == 0 {
        const JUNK: [&[u8]; 10] =
            [b"@", b":", b"%40", b" ", b"|", b"\xFF", "é".as_bytes(), b"\0", b"[", b"!"];
        if n.below(2) == 0 {
            let user = secret(&mut planted, n, &JUNK);
            planted.text.extend_from_slice(&user);
        }
        if n.below(3) > 0 {
            planted.text.push(b':');
            // What is before the first delimiter is not a port. An `@` in a password with a delimiter would be read as
            // its end.
            let junk = if n.below(3) == 0 {
                [&JUNK[1..], &[b"x/", b"x?", b"x#"]].concat()
            } else {
                JUNK.to_vec()
            };
            let start = if junk.contains(&&b"x/"[..]) { "y" } else { "" };
            planted.text.extend_from_slice(start.as_bytes());
            let password = secret(&mut planted, n, &junk);
            planted.text.extend_from_slice(&password);
        }
        planted.text.push(b'@');
    }
    planted.text.extend_from_slice(
        n.one(&["h", "www.example.com", "[::1]", "h:80", "例え.jp", ""]).as_bytes(),
    );
    for _ in 0..n.below(4) {
        planted
            .text
            .extend_from_slice(n.one(&["/a", "/b.html", "/", "/;v=1", "/é", "/%zz"]).as_bytes());
        if n.below(6) == 0 {
            let name = spelled(n, ";JSESSIONID=", true).replace("%3B", ";").replace("%3b", ";");
            let name = name
                .replace("%3D", "=")
                .replace("%3d", "=")
                .replace('\u{1B}', ";")
                .replace('\u{1D}', "=");
            planted.text.extend_from_slice(name.as_bytes());
            let value = secret(&mut planted, n, &[b"!", b"\xC3", b" ", b"="]);
            planted.text.extend_from_slice(&value);
        }
        if depth > 0 && n.below(8) == 0 {
            let inner = self::planted(n.below(usize::MAX), depth - 1);
            planted.text.push(b'/');
            planted.text.extend(encoded(&inner.text));
            planted.secrets.extend(inner.secrets);
        }
    }
    for start in ["?", "#"] {
        if n.below(3) == 0 {
            continue;
        }
        planted.text.extend_from_slice(start.as_bytes());
        if start == "#" {
            planted.text.extend_from_slice(n.one(&["", "/a?", "/", "!", "!/a?"]).as_bytes());
        }
        let pairs = 1 + n.below(4);
        for pair in 0..pairs {
            if pair > 0 {
                const BETWEEN: [&str; 10] =
                    ["&", "&", "&", "&", "&amp;", "&&", "&#38;", "&#x26;", "\\u0026", "\\x26"];
                planted.text.extend_from_slice(n.one(&BETWEEN).as_bytes());
            }
            match n.below(5) {
                0 | 1 => planted.text.extend_from_slice(n.one(&HARMLESS).as_bytes()),
                2 if depth > 0 => {
                    let inner = self::planted(n.below(usize::MAX), depth - 1);
                    planted.text.extend_from_slice(b"next=");
                    planted.text.extend(encoded(&inner.text));
                    planted.secrets.extend(inner.secrets);
                }
                _ => {
                    let key = n.one(&KEYS);
                    planted.text.extend_from_slice(spelled(n, key, true).as_bytes());
                    const EQUALS: [&str; 6] = ["=", "=", "=", "=", "\\u003d", "\\x3D"];
                    planted.text.extend_from_slice(n.one(&EQUALS).as_bytes());
                    let junk: &[&[u8]] = match start {
                        "?" => &[
                            b"=",
                            b"?",
                            b"/",
                            b"@",
                            b":",
                            b";",
                            b"%",
                            b"\\u0026",
                            b"\xE2\x82",
                            b" ",
                            b"\0",
                            b"\"",
                        ],
                        _ => &[b"=", b"?", b"/", b"@", b"#", b";", b"%", b"\xFF"],
                    };
                    let value = secret(&mut planted, n, junk);
                    planted.text.extend_from_slice(&value);
                }
            }
        }
    }
    planted
}

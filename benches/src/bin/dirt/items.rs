//! The items: plain items, shapes that are repetitions of a piece or hold a piece once, and changes of an item.

use simd_iri_benches::random::Random;

pub type Items = Vec<Vec<u8>>;

/// What an item may hold once or many times.
const PIECES: &[&[u8]] = &[
    b"A",
    b"/",
    b"//",
    b"/..",
    b"/../a",
    b"a/../",
    b"/%2E%2e",
    b"/./",
    b":",
    b"@",
    b"a@",
    b"?",
    b"&",
    b"a=b&",
    b"=",
    b"#",
    b"%41",
    b"%2f",
    b"%c3%a9",
    b"%",
    b"%C3%A9",
    b"%E2%82%AC",
    b"%FF",
    b"%C3%83%C2%A9",
    b"%25C3%25A9",
    "Ã©".as_bytes(),
    "é".as_bytes(),
    "e\u{301}".as_bytes(),
    "\u{301}".as_bytes(),
    "א".as_bytes(),
    "a1א".as_bytes(),
    "\u{202E}".as_bytes(),
    "\u{200B}".as_bytes(),
    "\u{200D}".as_bytes(),
    "例".as_bytes(),
    "例。".as_bytes(),
    b".",
    b"a.",
    b"com.",
    b"xn--",
    b"xn--a.",
    b"xn--bcher-kva.",
    "bücher.".as_bytes(),
    "ａ".as_bytes(),
    "／".as_bytes(),
    "аb".as_bytes(),
    "пример.".as_bytes(),
    "한".as_bytes(),
    "😀".as_bytes(),
    "\u{E000}".as_bytes(),
    b"%EE%80%80",
    b"\\",
    b"|",
    b"<",
    b"\"",
    b"'",
    b"`",
    b"(",
    b")",
    b"[",
    b"]",
    b"[::1]",
    b"[::g]",
    b"[v1.a]",
    b" ",
    b"\t",
    b"\n",
    b"\0",
    b"&amp;",
    b"&#1;",
    b";",
    b",",
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    "\u{FEFF}".as_bytes(),
    b"http://",
    b"url:",
    b"javascript:",
    b":80",
    b":99999",
    b":8a",
    b"u:p@",
    b"127.1",
    b"0x7f.1",
    "ß".as_bytes(),
    "İ".as_bytes(),
    "\u{3000}".as_bytes(),
    "\u{AD}".as_bytes(),
    "ﬁ".as_bytes(),
    b"token=a&",
    b"Authorization: Bearer a ",
    b"https%3A%2F%2Fu%3Ap%40a%2F",
    b"https://l.instagram.com/?u=",
    b"https%3A%2F%2Fl.instagram.com%2F%3Fu%3D",
    b"https://urldefense.com/v3/__",
];

/// What is before the pieces.
const HEADS: [&str; 6] = [
    "http://www.example.com/",
    "http://www.example.com/?",
    "http://",
    "http://www.example.com/#",
    "mailto:",
    "",
];

/// The address of a page.
pub fn plain(length: usize) -> Vec<u8> {
    filled(b"http://www.example.com/", b"articles/archive-of-2026/", length)
}

/// The address of a page whose path is not ASCII.
pub fn plain_foreign(length: usize) -> Vec<u8> {
    filled(b"http://www.example.com/", "статьи/архив-2026/".as_bytes(), length)
}

/// At most `count` of the first items of a search. For each piece and each head: the piece again and again, and a plain
/// text with the piece in its middle.
pub fn shapes(length: usize, count: usize, random: &mut Random) -> Items {
    let mut shapes: Vec<_> = HEADS
        .iter()
        .flat_map(|head| {
            PIECES.iter().flat_map(move |piece| [(*head, *piece, true), (*head, *piece, false)])
        })
        .collect();
    while shapes.len() > count {
        shapes.swap_remove(random.below(shapes.len()));
    }
    let made = shapes.into_iter().map(|(head, piece, is_repeated)| {
        if is_repeated {
            return filled(head.as_bytes(), piece, length);
        }
        let half = filled(head.as_bytes(), b"name", length / 2);
        filled(&[&half, piece].concat(), b"name", length)
    });
    made.collect()
}

/// Returns an item after one change: a piece again and again in place of a part, a piece more, a part twice, or a part
/// less.
pub fn changed(item: &[u8], length: usize, random: &mut Random) -> Vec<u8> {
    let mut ends = [random.below(item.len() + 1), random.below(item.len() + 1)];
    ends.sort_unstable();
    let [start, end] = ends;
    let piece = PIECES[random.below(PIECES.len())];
    let (before, part, after) = (&item[..start], &item[start..end], &item[end..]);
    let made = match random.below(6) {
        0 => [before, &piece.repeat(part.len() / piece.len() + 1), after].concat(),
        1 => [before, piece, part, after].concat(),
        2 => [before, part, part, after].concat(),
        3 => [before, after].concat(),
        // Another piece after each copy of a short part.
        4 => [
            &item[..start],
            &[&part[..part.len().min(8)], piece].concat().repeat(1 + part.len() / 8),
        ]
        .concat(),
        _ => {
            let head = HEADS[random.below(HEADS.len())].as_bytes();
            [head, after].concat()
        }
    };
    filled(&made, b"name", length)
}

/// Returns an item with this length that has the shape of a shorter item: what repeats in its middle is there more often. If
/// nothing repeats there, the first half of the item is what repeats.
pub fn longer(item: &[u8], length: usize) -> Vec<u8> {
    let is_inside = |at: &usize| item.get(*at).is_some_and(|byte| byte & 0xC0 == 0x80);
    let half = item.len() / 2;
    let (start, end) = item.split_at((half..).find(|at| !is_inside(at)).unwrap_or(half));
    let same = |period: &usize| {
        let shown = end.get(..256.min(end.len()));
        end.len() > *period
            && end.get(*period..).zip(shown).is_some_and(|(after, shown)| after.starts_with(shown))
    };
    let period = (1..=64).find(same);
    let piece = period.and_then(|period| end.get(..period)).unwrap_or(start);
    let more = length.saturating_sub(item.len()) / piece.len().max(1);
    filled(&[start, &piece.repeat(more), end].concat(), b"name", length)
}

/// `start`, and then `piece` until the length is reached. A character that is cut at the end goes.
fn filled(start: &[u8], piece: &[u8], length: usize) -> Vec<u8> {
    let mut item = start.to_vec();
    while item.len() < length {
        item.extend_from_slice(piece);
    }
    item.truncate(length);
    if let Err(error) = std::str::from_utf8(&item)
        && error.error_len().is_none()
    {
        item.truncate(error.valid_up_to());
    }
    item
}

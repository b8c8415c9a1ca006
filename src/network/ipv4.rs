//! IPv4 addresses in the forms of `inet_aton`, such as `0x7f.1`. Many programs read them, but a URI should
//! not have them (RFC 3986, section 7.4).

/// Returns the address for which a name stands, or `None` if the name is not an address.
///
/// An address is one to four numbers, which are decimal, octal or hexadecimal. Each number except the last number is
/// one byte. The last number fills the remaining bytes. In `0x7f.1`, the number 0x7f is the first byte, and 1 fills the
/// other three bytes: 127.0.0.1. One pass.
pub fn address(host: &str) -> Option<u32> {
    let name = host.strip_suffix('.').unwrap_or(host);
    let last = name.rsplit('.').next().unwrap_or_default();
    if !last.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (mut address, mut count) = (0_u64, 0);
    let mut numbers = name.split('.').peekable();
    while let Some(text) = numbers.next() {
        let value = number(text)?;
        count += 1;
        let limit = match (numbers.peek(), count) {
            (Some(_), ..=3) => 1 << 8,
            (None, ..=4) => 1_u64 << (8 * (5 - count)),
            _ => return None,
        };
        if value >= limit {
            return None;
        }
        let shift = if numbers.peek().is_some() { 8 * (4 - count) } else { 0 };
        address |= value << shift;
    }
    u32::try_from(address).ok()
}

/// Tells whether a label is a number in the notation of C. No top-level domain is a number, and many programs read a
/// name that ends with a number as an IPv4 address (RFC 3986, section 7.4; URL Standard, section 3.5).
pub fn is_number(label: &str) -> bool {
    match label.as_bytes() {
        [b'0', b'x' | b'X', digits @ ..] => digits.iter().all(u8::is_ascii_hexdigit),
        digits => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
    }
}

/// Returns the value of a number in the notation of C. `0x` alone is 0.
fn number(text: &str) -> Option<u64> {
    let (digits, radix) = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => (text.get(2..)?, 16),
        [b'0', _, ..] => (text.get(1..)?, 8),
        _ => (text, 10),
    };
    if digits.is_empty() && radix == 16 {
        return Some(0);
    }
    let is_number = digits.bytes().all(|b| b.is_ascii_alphanumeric());
    u64::from_str_radix(digits, radix).ok().filter(|_| is_number)
}

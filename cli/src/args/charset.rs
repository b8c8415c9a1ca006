//! Arguments that are labels of charsets.

use encoding_rs::Encoding;

/// Returns the charset of a label of the Encoding Standard.
pub(crate) fn charset(label: &str) -> Result<&'static Encoding, String> {
    Encoding::for_label_no_replacement(label.as_bytes()).ok_or_else(|| {
        "no charset has this label; write one of the Encoding Standard, such as utf-8, windows-1252, \
         iso-8859-2, koi8-r, shift_jis, euc-kr, gb18030 or big5"
            .to_owned()
    })
}

/// Returns the charset of a label, if text can be written in it as lines of bytes. This excludes UTF-16.
pub(crate) fn byte_charset(label: &str) -> Result<&'static Encoding, String> {
    let charset = charset(label)?;
    if charset.output_encoding() == charset {
        Ok(charset)
    } else {
        Err(format!(
            "{} cannot encode lines of bytes; name another charset, such as utf-8",
            charset.name()
        ))
    }
}

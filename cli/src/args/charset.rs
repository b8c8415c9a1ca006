//! Labels of charsets.

use encoding_rs::Encoding;

/// The charset of a label, as the web names them.
pub(crate) fn charset(label: &str) -> Result<&'static Encoding, String> {
    Encoding::for_label_no_replacement(label.as_bytes()).ok_or_else(|| {
        "no charset has this label; write one of the Encoding Standard, such as utf-8, windows-1252, \
         iso-8859-2, koi8-r, shift_jis, euc-kr, gb18030 or big5"
            .to_owned()
    })
}

/// A charset that lines of bytes can be written in, which those of 16-bit units are not.
pub(crate) fn byte_charset(label: &str) -> Result<&'static Encoding, String> {
    let charset = charset(label)?;
    if charset.output_encoding() == charset {
        Ok(charset)
    } else {
        Err(format!("{} is no charset of bytes; write another one, such as utf-8", charset.name()))
    }
}

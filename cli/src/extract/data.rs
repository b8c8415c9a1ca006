//! The delimiters of formats of data, which are no part of a link. In a text that is searched, a space stands for each of
//! them, so that all offsets stay. Not here: what ends a link in the strings of these formats, which the library knows.

/// What is known about a text up to some place.
#[derive(Debug)]
pub(crate) enum Delimiters {
    Csv(Csv),
    Yaml(Yaml),
}

impl Delimiters {
    pub(crate) fn csv() -> Self {
        Self::Csv(Csv { delimiter: None, place: Place::Start })
    }

    pub(crate) fn yaml() -> Self {
        Self::Yaml(Yaml { depth: 0, quote: None, is_start: true, is_blank: true, last: b'\n' })
    }

    /// Returns the next bytes of the text with a space for each delimiter.
    pub(crate) fn hidden(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut is_delimiter: Box<dyn FnMut(u8) -> bool> = match self {
            Self::Csv(csv) => {
                csv.delimiter.get_or_insert_with(|| delimiter(bytes));
                Box::new(|byte| csv.is_delimiter(byte))
            }
            Self::Yaml(yaml) => Box::new(|byte| yaml.is_delimiter(byte)),
        };
        bytes.iter().map(|byte| if is_delimiter(*byte) { b' ' } else { *byte }).collect()
    }
}

/// CSV (RFC 4180). A field is quoted if its first byte is a quote, and a comma in it is no delimiter.
#[derive(Debug)]
pub(crate) struct Csv {
    /// The delimiter; `None` before the first line.
    delimiter: Option<u8>,
    place: Place,
}

/// Where the next byte of a row is.
#[derive(Debug)]
enum Place {
    /// At the start of a field.
    Start,
    Plain,
    Quoted,
    /// After a quote in a quoted field: it ends the quoted part, or another quote follows.
    AfterQuote,
}

impl Csv {
    fn is_delimiter(&mut self, byte: u8) -> bool {
        let is_delimiter = self.delimiter == Some(byte);
        self.place = match (&self.place, byte) {
            (Place::Quoted, b'"') => Place::AfterQuote,
            (Place::Quoted, _) => Place::Quoted,
            (Place::AfterQuote | Place::Start, b'"') => Place::Quoted,
            (_, b'\n' | b'\r') => Place::Start,
            _ if is_delimiter => {
                self.place = Place::Start;
                return true;
            }
            _ => Place::Plain,
        };
        false
    }
}

/// Returns the delimiter of a table: a semicolon, if the first line has one and no comma outside its quotes.
fn delimiter(text: &[u8]) -> u8 {
    let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    // Every second part is between quotes.
    let outside = || line.split(|byte| *byte == b'"').step_by(2).flatten();
    let has = |delimiter: &u8| outside().any(|byte| byte == delimiter);
    [b',', b';'].into_iter().find(has).unwrap_or(b',')
}

/// YAML 1.2. Inside `[…]` and `{…}`, a comma ends a scalar without quotes (section 7.3.3).
#[derive(Debug)]
pub(crate) struct Yaml {
    /// How many brackets are open.
    depth: usize,
    /// The quote around the next byte.
    quote: Option<u8>,
    /// Whether a scalar may begin at the next byte.
    is_start: bool,
    /// Whether the line has had only blanks.
    is_blank: bool,
    last: u8,
}

impl Yaml {
    fn is_delimiter(&mut self, byte: u8) -> bool {
        let last = std::mem::replace(&mut self.last, byte);
        if let Some(quote) = self.quote {
            let is_escaped = quote == b'"' && last == b'\\';
            if byte == quote && !is_escaped {
                self.quote = None;
            }
            // Two backslashes are one.
            if is_escaped && byte == b'\\' {
                self.last = 0;
            }
            return false;
        }
        match byte {
            b'\n' => {
                // Text may have a bracket that is never closed. It does not reach beyond a line without text.
                if self.is_blank {
                    self.depth = 0;
                }
                (self.is_blank, self.is_start) = (true, true);
                return false;
            }
            b' ' | b'\t' | b'\r' => {
                self.is_start |= matches!(last, b':' | b'-' | b'?' | b',');
                return false;
            }
            _ => {}
        }
        self.is_blank = false;
        let was_start = std::mem::replace(&mut self.is_start, false);
        match byte {
            b'"' | b'\'' if was_start => self.quote = Some(byte),
            b'[' | b'{' if was_start => (self.depth, self.is_start) = (self.depth + 1, true),
            b']' | b'}' if self.depth > 0 => self.depth -= 1,
            b',' if self.depth > 0 => {
                self.is_start = true;
                return true;
            }
            // What is between an indicator and its blank may be the start of a scalar.
            b'-' | b'?' if was_start => self.is_start = true,
            _ => {}
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delimiters_are_hidden_wherever_the_text_is_cut() {
        let csv = Delimiters::csv as fn() -> Delimiters;
        let yaml = Delimiters::yaml as fn() -> Delimiters;
        for (new, text, expected) in [
            (csv, "1,a,b\n\"c,d\",e\"f,g\n", "1 a b\n\"c,d\" e\"f g\n"),
            (csv, "\"a\"\"b,c\",d\n\"e\n,f\",g", "\"a\"\"b,c\" d\n\"e\n,f\" g"),
            (csv, "a;b\n\"c;d\";e,f", "a b\n\"c;d\" e,f"),
            (csv, "\"a,b\";c\nd;e", "\"a,b\" c\nd e"),
            (yaml, "a: b,c\n- [d,e, 'f,g',\"h\\\",i\"]\n", "a: b,c\n- [d e  'f,g' \"h\\\",i\"]\n"),
            (
                yaml,
                "x: {a: b,c: [d,e]}\ny: see [f](g,h), i\n",
                "x: {a: b c: [d e]}\ny: see [f](g,h), i\n",
            ),
            (yaml, "- [a\n\n- b,c\n", "- [a\n\n- b,c\n"),
        ] {
            assert_eq!(new().hidden(text.as_bytes()), expected.as_bytes(), "{text}");
            // The delimiter of a table is that of its first line, so the first part has this line.
            let line = text.find('\n').unwrap();
            for cut in line..text.len() {
                let (one, two) = text.as_bytes().split_at(cut);
                let mut delimiters = new();
                let parts = [delimiters.hidden(one), delimiters.hidden(two)].concat();
                assert_eq!(parts, expected.as_bytes(), "{text} at {cut}");
            }
        }
    }
}

//! The messages of findings: the problem, its byte, its component, and the correction.

use core::fmt;
use core::net::Ipv4Addr;

use super::browsers::DisplayRule;
use super::code::Code;
use super::finding::Finding;
use super::rules::internal::Internal;
use super::rules::lookalikes::delimiter;
use simd_iri::low::ShownChar;
use simd_iri_redact::SecretSet;

/// Returns what a rule says about a label, by its number in `DisplayRule::ALL`.
fn description(rule: u32) -> &'static str {
    DisplayRule::ALL.get(rule as usize).map_or("", |rule| rule.description())
}

/// Returns the name of a set of secret keys, by its number in `SecretSet::ALL`.
fn set_name(set: u32) -> &'static str {
    SecretSet::ALL.get(set as usize).map_or("", |set| set.name())
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.span().start;
        let component = self.component();
        let (article, name) = (component.article(), component.name());
        // The code decides what the number `about` is: a character, an IPv4 address, a port, the kind of an internal
        // host, a rule of a browser, a set of keys, or nothing. Only the codes that are about a character write `character`.
        let character =
            ShownChar(char::from_u32(self.about).unwrap_or(char::REPLACEMENT_CHARACTER));
        match self.code() {
            Code::BidiFormatting => {
                write!(
                    f,
                    "{character} at byte {at} in {article} {name} directs the order of display"
                )
            }
            Code::BidiMixed => {
                write!(f, "the part of {article} {name} at byte {at} runs in both directions")
            }
            Code::BidiEdge => write!(
                f,
                "the right-to-left part of {article} {name} at byte {at} does not begin and end with \
                 a right-to-left character"
            ),
            Code::BidiDigit => write!(
                f,
                "the right-to-left part of {article} {name} at byte {at} begins or ends with a digit"
            ),
            Code::BidiNumber => self.in_component(
                f,
                "the number",
                "is beside a right-to-left part, and may be shown on its other side",
            ),
            Code::BidiOther => write!(
                f,
                "the right-to-left part of {article} {name} at byte {at} holds {character}, which \
                 is not a letter"
            ),
            Code::RepertoireNfc => write!(
                f,
                "the part of {article} {name} at byte {at} is not in normalization form C"
            ),
            Code::RepertoireCompatibility => write!(
                f,
                "{character} at byte {at} in {article} {name} is a variant of other characters"
            ),
            Code::RepertoireSpace => {
                write!(f, "{character} at byte {at} in {article} {name} looks like a space")
            }
            Code::RepertoireInvisible => {
                write!(f, "{character} at byte {at} in {article} {name} is invisible")
            }
            Code::RepertoireUnassigned => {
                write!(f, "{character} at byte {at} in {article} {name} is not assigned yet")
            }
            Code::RepertoirePrivate => write!(
                f,
                "private-use character {character} at byte {at} in {article} {name} means nothing to \
                 others"
            ),
            Code::RepertoireDeprecated => {
                write!(f, "{character} at byte {at} in {article} {name} is deprecated")
            }
            Code::SpoofLabel => {
                write!(f, "the label at byte {at} mixes scripts: ")?;
                self.look_alike(f)
            }
            Code::SpoofScript => {
                write!(f, "the part of {article} {name} at byte {at} mixes scripts: ")?;
                self.look_alike(f)
            }
            Code::SpoofWholeScript => {
                write!(f, "the label at byte {at} looks like one in ASCII: ")?;
                self.look_alike(f)
            }
            Code::SpoofShown => {
                let description = description(self.about);
                write!(
                    f,
                    "browsers show the A-label of the label at byte {at}, which {description}"
                )
            }
            Code::SpoofLookAlike => {
                let delimiter = char::from_u32(self.about).and_then(delimiter).unwrap_or_default();
                write!(
                    f,
                    "{character} at byte {at} in {article} {name} looks like '{delimiter}', which \
                     is another character; write '{delimiter}' if that is meant"
                )
            }
            Code::SpoofMojibake => write!(
                f,
                "the text at byte {at} in {article} {name} is UTF-8 read as windows-1252, and begins \
                 with {character}"
            ),
            Code::SpoofDigit => {
                let letter = if character.0 == '0' { 'o' } else { 'l' };
                write!(
                    f,
                    "the word at byte {at} in {article} {name} has the digit {character}, which looks \
                     like the letter '{letter}'; avoid it in names"
                )
            }
            Code::SpoofUserinfo => write!(
                f,
                "the user information at byte {at} looks like a host; the host is after the '@'"
            ),
            Code::SpoofPassword => {
                write!(f, "a password at byte {at}, which everybody sees; remove it")
            }
            Code::SpoofSecret => {
                let set = set_name(self.about);
                write!(
                    f,
                    "a value at byte {at} in {article} {name} is secret by its key, of the set {set}"
                )
            }
            Code::SpoofIpv4 => write!(
                f,
                "the host at byte {at} is a name by the grammar, and {} to many programs",
                Ipv4Addr::from_bits(self.about)
            ),
            Code::SpoofInternalHost => {
                let kind = Internal::numbered(self.about).map_or("", Internal::description);
                write!(f, "the host at byte {at} {kind}; do not ask it on behalf of others")
            }
            Code::SpoofActiveScheme => write!(
                f,
                "references of the scheme at byte {at} hold what is run or shown where they are \
                 followed; do not follow them from others"
            ),
            Code::SpoofPort => {
                write!(f, "port {} at byte {at} is reserved for another protocol", self.about)
            }
            Code::SpoofBrowserHost => {
                write!(f, "no host before byte {at}, so that browsers take one from the path")
            }
            Code::SpoofOverlong => self.in_component(
                f,
                "the triplets",
                "are UTF-8 that is longer than allowed, which some programs decode",
            ),
            Code::SpoofDelimiter => {
                self.in_component(f, "the triplet", "is a delimiter once decoded")
            }
            Code::SpoofDoubleEncoding => self.in_component(
                f,
                "the triplet",
                "is '%' before two hexadecimal digits, so that the text is another one if it \
                 is decoded twice; percent-encode once",
            ),
            Code::SpoofNul => self.in_component(f, "the triplet", "is zero, where many texts end"),
            Code::SpoofLineBreak => {
                self.in_component(f, "the triplet", "breaks the line once decoded")
            }
            Code::SpoofDots => {
                write!(f, "the segment at byte {at} is a dot segment once it is decoded")
            }
            Code::SpoofLegacy => self.in_component(
                f,
                "the triplets",
                "are not UTF-8, but another charset or binary data",
            ),
            Code::SpoofBackslash => write!(f, "browsers read a slash at byte {at}"),
            Code::SpoofWhitespace => write!(f, "browsers leave out what is at byte {at}"),
            Code::SpoofSecondAt => {
                write!(f, "browsers look for the host after the last '@', not that at byte {at}")
            }
            Code::SpoofPercentU => {
                write!(
                    f,
                    "some programs read one character at byte {at}; write its UTF-8 as triplets"
                )
            }
            Code::SchemeTwice => {
                write!(
                    f,
                    "the scheme is there twice: another one is at byte {at}; remove one of them"
                )
            }
            Code::SchemeNoHost => {
                write!(f, "no host at byte {at}, where this scheme requires one; write //host")
            }
            Code::SchemeAuthority => {
                write!(f, "the authority at byte {at} is not allowed by this scheme; remove it")
            }
            Code::SchemeUserinfo => {
                write!(
                    f,
                    "user information at byte {at}, which this scheme should not have; remove it"
                )
            }
            Code::SchemePort => write!(
                f,
                "the port at byte {at} is not allowed by this scheme; write 1 to 65535, or remove it"
            ),
            Code::SchemeDomain => {
                write!(
                    f,
                    "the host at byte {at} is not a domain name, so that nothing can be found there"
                )
            }
            Code::SchemeFragment => {
                write!(f, "the fragment at byte {at} means nothing in this scheme; remove it")
            }
            Code::SchemeQuery => {
                write!(f, "the query at byte {at} is not allowed by this scheme; write %3F for '?'")
            }
            Code::SchemeFilePath => write!(
                f,
                "the path at byte {at} of a file does not begin with one slash and a name; write an \
                 absolute path"
            ),
            Code::SchemeFtpType => {
                write!(f, "the type at byte {at} is not a type of FTP; write a, i or d")
            }
            Code::SchemeMailtoAddress => {
                write!(f, "the text at byte {at} is not a mail address; write local@domain")
            }
            Code::SchemeMailtoField => write!(
                f,
                "the text at byte {at} is no header field; write name=value, and %HH for other \
                 characters"
            ),
            Code::SchemeDataComma => {
                write!(f, "no comma before byte {at}, where the data begin; write data:,text")
            }
            Code::SchemeDataMediaType => {
                write!(
                    f,
                    "the text at byte {at} is not a media type; write type/subtype;name=value"
                )
            }
            Code::SchemeDataBase64 => write!(f, "the data at byte {at} are not in base64"),
            Code::SchemeUrnNamespace => write!(
                f,
                "the text at byte {at} is no namespace identifier; write 2 to 32 letters, digits and \
                 inner hyphens, and a colon"
            ),
            Code::SchemeUrnName => {
                write!(f, "no name at byte {at} in the namespace; write urn:namespace:name")
            }
            Code::SchemeUrnComponent => write!(
                f,
                "the query at byte {at} of a URN is none; begin it with '+' for the resolver or '=' for \
                 the resource"
            ),
            Code::SchemeTagEntity => write!(
                f,
                "the text at byte {at} names no tagging entity; write domain,2024:name or \
                 address@domain,2024-01-31:name"
            ),
            Code::PreferredSchemeCase => write!(f, "the scheme has upper-case letters"),
            Code::PreferredEncoding => {
                self.in_component(f, "what is", "need not be percent-encoded")
            }
            Code::PreferredHexCase => {
                self.in_component(f, "the triplets", "have lower-case digits")
            }
            Code::PreferredHost => {
                write!(f, "the host at byte {at} is not in its normal form")
            }
            Code::PreferredDots => write!(f, "the path at byte {at} has dot segments"),
            Code::PreferredPort => {
                write!(f, "the port at byte {at} is the one that is meant without it")
            }
            Code::PreferredEmptyPath => write!(f, "the path at byte {at} is empty"),
        }?;
        match self.suggestion() {
            Some(suggestion) => {
                f.write_str("; ")?;
                fmt::Display::fmt(&suggestion, f)
            }
            None => Ok(()),
        }
    }
}

impl Finding {
    /// Writes `there`, then the place and the component of the finding, and then `what`: "the triplet at byte 9 in a
    /// path is zero".
    ///
    /// PERF: it takes a third of the instructions of `write!`. A file may have many findings of these codes.
    fn in_component(self, f: &mut fmt::Formatter<'_>, there: &str, what: &str) -> fmt::Result {
        f.write_str(there)?;
        f.write_str(" at byte ")?;
        write!(f, "{}", self.span().start)?;
        let component = self.component();
        for part in [" in ", component.article(), " ", component.name(), " ", what] {
            f.write_str(part)?;
        }
        Ok(())
    }

    /// Writes the character that the finding is about, and the ASCII character that it looks like.
    fn look_alike(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let c = char::from_u32(self.about).unwrap_or(char::REPLACEMENT_CHARACTER);
        write!(f, "{}", ShownChar(c))?;
        if let Some(ascii) = super::rules::skeleton::prototype(c) {
            write!(f, " looks like {}", ShownChar(ascii))?;
        }
        f.write_str("; write it in one script, or use another name")
    }
}

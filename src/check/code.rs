//! The codes of findings: a table with the name, the source and the severity in each profile for every
//! code.
//!
//! Not here: when it is said (the checks), and in which words (`message`).

use core::fmt;
use core::str::FromStr;

/// The severity of a finding.
///
/// ```
/// use simd_iri::check::Severity;
///
/// assert!(Severity::Note < Severity::Warning && Severity::Warning < Severity::Error);
/// assert_eq!(Severity::Warning.name(), "warning");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Something to know.
    Note,
    /// Something that should not be so.
    Warning,
    /// Something that must not be so.
    Error,
}

impl Severity {
    /// The name in lower case.
    ///
    /// ```
    /// # use simd_iri::check::Severity;
    /// assert_eq!(Severity::Note.name(), "note");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// For whom a reference is checked, which says what is reported and how grave it is.
///
/// ```
/// use simd_iri::check::{Code, Profile, Severity};
///
/// assert_eq!(Code::BidiMixed.severity(Profile::Rfc), Some(Severity::Warning));
/// assert_eq!(Code::BidiMixed.severity(Profile::Strict), Some(Severity::Error));
/// assert_eq!(Code::BidiOther.severity(Profile::Rfc), None);
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Profile {
    /// As grave as the RFCs say: what MUST be so is an error, what SHOULD be so a warning, what they
    /// advise a note.
    Rfc,
    /// For names in RDF, which are compared character by character, so that there should be one
    /// spelling of each.
    Rdf,
    /// For the formats `iri` and `iri-reference` of JSON Schema, which are the grammar: little more
    /// than what the RFCs forbid.
    JsonSchema,
    /// For links that somebody else has written: what is dangerous, or read in more than one way.
    Crawler,
    /// Everything, also the rules for directions of draft-duerst-iri-01, and hardly a note.
    Strict,
}

impl Profile {
    /// All of them.
    ///
    /// ```
    /// # use simd_iri::check::Profile;
    /// assert!(Profile::ALL.iter().any(|profile| profile.name() == "json-schema"));
    /// ```
    pub const ALL: &[Self] = &[Self::Rfc, Self::Rdf, Self::JsonSchema, Self::Crawler, Self::Strict];

    /// The name in kebab-case.
    ///
    /// ```
    /// # use simd_iri::check::Profile;
    /// assert_eq!(Profile::Rfc.name(), "rfc");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rfc => "rfc",
            Self::Rdf => "rdf",
            Self::JsonSchema => "json-schema",
            Self::Crawler => "crawler",
            Self::Strict => "strict",
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The severity in a profile that a letter stands for, one for each of [`Profile::ALL`].
const fn level(letters: [u8; 5], profile: Profile) -> Option<Severity> {
    let [rfc, rdf, json_schema, crawler, strict] = letters;
    let letter = match profile {
        Profile::Rfc => rfc,
        Profile::Rdf => rdf,
        Profile::JsonSchema => json_schema,
        Profile::Crawler => crawler,
        Profile::Strict => strict,
    };
    match letter {
        b'E' => Some(Severity::Error),
        b'W' => Some(Severity::Warning),
        b'N' => Some(Severity::Note),
        _ => None,
    }
}

/// A row for each code: its name, the text that it follows from, and its severity in each profile.
macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $code:ident $name:literal $section:literal $levels:literal;)+) => {
        /// What is found, for a program to tell apart: a name that stays.
        ///
        /// The first word of the name is the check, and most need no feature: `bidi` (of its codes
        /// all but the first need the feature `bidi`), `repertoire` (all need the feature
        /// `repertoire`), `spoof` (those about scripts and mojibake need the feature `spoof`), `scheme` and
        /// `preferred`.
        ///
        /// ```
        /// use simd_iri::check::Code;
        ///
        /// assert_eq!(Code::BidiMixed.name(), "bidi.mixed-direction");
        /// assert_eq!("bidi.mixed-direction".parse(), Ok(Code::BidiMixed));
        /// ```
        #[non_exhaustive]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Code {
            $($(#[doc = $doc])+ $code,)+
        }

        impl Code {
            /// All of them, check by check.
            ///
            /// ```
            /// # use simd_iri::check::Code;
            /// assert!(Code::ALL.iter().all(|code| code.name().parse() == Ok(*code)));
            /// ```
            pub const ALL: &'static [Self] = &[$(Self::$code),+];

            /// The name: the check, a dot, and what was found, in kebab-case.
            ///
            /// ```
            /// # use simd_iri::check::Code;
            /// assert_eq!(Code::BidiFormatting.name(), "bidi.formatting-character");
            /// ```
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$code => $name,)+
                }
            }

            /// The text that it follows from.
            ///
            /// ```
            /// # use simd_iri::check::Code;
            /// assert_eq!(Code::BidiFormatting.section(), "RFC 3987, section 4.1");
            /// ```
            #[must_use]
            pub const fn section(self) -> &'static str {
                match self {
                    $(Self::$code => $section,)+
                }
            }
        }

        /// How many codes there are.
        pub(super) const COUNT: usize = Code::ALL.len();

        /// The severity of each code in a profile.
        pub(super) const fn levels(profile: Profile) -> [Option<Severity>; COUNT] {
            [$(level(*$levels, profile)),+]
        }
    };
}

codes! {
    /// A character that directs the order of display: those of RFC 3987, and the ones that Unicode
    /// has added since.
    BidiFormatting "bidi.formatting-character" "RFC 3987, section 4.1" b"EEEEE";
    /// A component with characters of both directions.
    BidiMixed "bidi.mixed-direction" "RFC 3987, section 4.2" b"WWNWE";
    /// A component with right-to-left characters that does not begin and end with one.
    BidiEdge "bidi.edge" "RFC 3987, section 4.2" b"WWNWE";
    /// A component with right-to-left characters that begins or ends with a digit.
    BidiDigit "bidi.digit-at-edge" "RFC 3987, section 4.2" b"WWNWE";
    /// A component of digits alone, beside one with right-to-left characters.
    BidiNumber "bidi.number-component" "RFC 3987, section 4.4" b"N---W";
    /// A component with right-to-left characters that holds neutral ones or digits.
    BidiOther "bidi.other-class" "draft-duerst-iri-01, section 4.1" b"----E";

    /// A component that is not in normalization form C.
    RepertoireNfc "repertoire.not-nfc" "RFC 3987, section 5.3.2.2" b"WW-WE";
    /// Characters that normalization form KC replaces: full-width letters, half-width katakana,
    /// ligatures and other look-alikes.
    RepertoireCompatibility "repertoire.compatibility" "RFC 3987, section 6.1" b"WN-NW";
    /// Spaces other than that of ASCII.
    RepertoireSpace "repertoire.space" "RFC 3987, section 6.1" b"WWNWE";
    /// Characters that are not seen.
    RepertoireInvisible "repertoire.invisible" "RFC 3987, section 6.1" b"WWNWE";
    /// Code points without a character.
    RepertoireUnassigned "repertoire.unassigned" "RFC 3987, section 6.1" b"WWNNE";
    /// Private-use characters, of a query.
    RepertoirePrivate "repertoire.private-use" "RFC 3987, section 6.1" b"NW-NW";
    /// Characters that Unicode deprecates.
    RepertoireDeprecated "repertoire.deprecated" "RFC 3987, section 6.1" b"WW-NE";

    /// A label of a domain name that mixes scripts.
    SpoofLabel "spoof.mixed-script-label" "UTS #39, section 5.2" b"WWNWE";
    /// Another component that mixes scripts.
    SpoofScript "spoof.mixed-script" "UTS #39, section 5.2" b"NN--W";
    /// A label of a domain name that looks like one in ASCII, in another script.
    SpoofWholeScript "spoof.whole-script" "UTS #39, section 4.1" b"WWNWE";
    /// A character that looks like `/`, `:`, `?`, `#`, `@` or `.` and is none of them, from a closed list;
    /// of a host also what UTS #46 maps to one of them and, with the feature `spoof`, letters between
    /// characters of another script.
    SpoofLookAlike "spoof.delimiter-look-alike" "RFC 3987, section 8" b"WWNWE";
    /// UTF-8 that was read as windows-1252 and encoded again: `cafÃ©` for `café`.
    SpoofMojibake "spoof.mojibake" "draft-duerst-iri-01, section 7" b"WWNWE";
    /// A digit zero or one inside a word, where a letter could stand. No profile reports it.
    SpoofDigit "spoof.digit-in-word" "draft-duerst-iri-01, section 6.4" b"-----";
    /// User information that looks like the name of a host.
    SpoofUserinfo "spoof.userinfo-host" "RFC 3986, section 7.6" b"WWNWE";
    /// A password, which everybody sees.
    SpoofPassword "spoof.password" "RFC 3986, section 7.5" b"WWNWE";
    /// An IPv4 address that is not four decimal numbers, and a name to some programs.
    SpoofIpv4 "spoof.rare-ipv4" "RFC 3986, section 7.4" b"WWNWE";
    /// A host that is the machine itself, or in its network, or a metadata service of a cloud, in whichever
    /// spelling.
    SpoofInternalHost "spoof.internal-host" "RFC 6890, section 2.2" b"NN-WW";
    /// A scheme whose references are run or shown where they are followed: javascript, vbscript, data.
    SpoofActiveScheme "spoof.active-scheme" "RFC 3986, section 7" b"---WW";
    /// A port that is reserved for another protocol.
    SpoofPort "spoof.odd-port" "RFC 3986, section 7.2" b"WN-WE";
    /// No host where browsers take one from the path: http, https, ws, wss, ftp.
    SpoofBrowserHost "spoof.browser-host" "RFC 3986, section 7.6" b"WWNWE";
    /// UTF-8 in triplets with more octets than it needs.
    SpoofOverlong "spoof.overlong" "RFC 3629, section 10" b"WWNEE";
    /// A delimiter in triplets, of user information, host or path.
    SpoofDelimiter "spoof.encoded-delimiter" "RFC 3986, section 7.3" b"NN-WW";
    /// A percent sign in a triplet before two hexadecimal digits, which is a triplet again once it is
    /// decoded.
    SpoofDoubleEncoding "spoof.double-encoding" "RFC 3986, section 2.4" b"NN-WW";
    /// The octet zero in a triplet.
    SpoofNul "spoof.encoded-nul" "RFC 3986, section 7.3" b"WWNWE";
    /// A carriage return or line feed in a triplet.
    SpoofLineBreak "spoof.encoded-line-break" "RFC 3986, section 7.2" b"WWNWE";
    /// A segment that is a dot segment once it is decoded.
    SpoofDots "spoof.encoded-dot-segment" "RFC 3986, section 7.3" b"WWNWE";
    /// Octets in triplets that are not UTF-8: a legacy charset, or binary data.
    SpoofLegacy "spoof.legacy-octets" "RFC 3987, section 7.7" b"NN-NW";
    /// A backslash that browsers take for a slash, in a text that is no reference.
    SpoofBackslash "spoof.backslash" "URL Standard, section 4.4" b"WWNWE";
    /// A tab or line break that browsers remove, in a text that is no reference.
    SpoofWhitespace "spoof.whitespace" "URL Standard, section 4.4" b"WWNWE";
    /// A second `@` in an authority, of which browsers take the last, in a text that is no reference.
    SpoofSecondAt "spoof.second-at" "URL Standard, section 4.4" b"WWNWE";
    /// `%uHHHH`, which only some programs decode, in a text that is no reference.
    SpoofPercentU "spoof.percent-u" "RFC 3986, section 2.1" b"WWNWE";

    /// No host where the scheme requires one: http, https, ws, wss, ftp.
    SchemeNoHost "scheme.no-host" "RFC 9110, section 4.2" b"EEWEE";
    /// An authority where the scheme has none: mailto, data, urn, tag.
    SchemeAuthority "scheme.authority" "RFC 3986, section 3.2" b"EEWEE";
    /// User information that the scheme does not have, or deprecates: http, https, ws, wss, file.
    SchemeUserinfo "scheme.userinfo" "RFC 9110, section 4.2.4" b"WWNWE";
    /// A port that is no port of TCP, or a port where the scheme has none.
    SchemePort "scheme.port" "RFC 9110, section 4.2" b"EEWEE";
    /// A host that is no domain name, of a scheme whose hosts are domain names: neither as it is
    /// percent-encoded nor, with the feature `idna`, by UTS #46.
    SchemeDomain "scheme.domain" "RFC 3987, section 5.3.3" b"WWNWE";
    /// A fragment that means nothing: ws, wss.
    SchemeFragment "scheme.fragment" "RFC 6455, section 3" b"EEWEE";
    /// A query that the scheme does not have: file.
    SchemeQuery "scheme.query" "RFC 8089, section 2" b"EEWWE";
    /// A path that does not begin with a slash and a name: file.
    SchemeFilePath "scheme.file-path" "RFC 8089, section 2" b"EEWEE";
    /// A type of transfer other than `a`, `i` and `d`: ftp.
    SchemeFtpType "scheme.ftp-type" "RFC 1738, section 3.2.2" b"EEWWE";
    /// An address without its two sides: mailto.
    SchemeMailtoAddress "scheme.mailto-address" "RFC 6068, section 2" b"EEWWE";
    /// A header field without `=`, or with a character that stands for none: mailto.
    SchemeMailtoField "scheme.mailto-field" "RFC 6068, section 2" b"EEWWE";
    /// No comma before the data: data.
    SchemeDataComma "scheme.data-comma" "RFC 2397, section 3" b"EEWEE";
    /// A media type that is none: data.
    SchemeDataMediaType "scheme.data-media-type" "RFC 2397, section 3" b"EEWWE";
    /// Data that are not in the base64 that is announced: data.
    SchemeDataBase64 "scheme.data-base64" "RFC 2397, section 2" b"EEWWE";
    /// A namespace identifier that is none: urn.
    SchemeUrnNamespace "scheme.urn-namespace" "RFC 8141, section 2" b"EEWWE";
    /// No name in the namespace, or one that begins with a slash: urn.
    SchemeUrnName "scheme.urn-name" "RFC 8141, section 2" b"EEWWE";
    /// A query that is neither an r-component nor a q-component: urn.
    SchemeUrnComponent "scheme.urn-component" "RFC 8141, section 2" b"EEWWE";
    /// No authority name with a date and a colon: tag.
    SchemeTagEntity "scheme.tag-entity" "RFC 4151, section 2.1" b"EEWWE";

    /// A scheme with upper-case letters.
    PreferredSchemeCase "preferred.scheme-case" "draft-duerst-iri-10, section 5.4" b"NW-NW";
    /// A character in triplets that can stand for itself, where decoding it makes no component or host that
    /// another check reports. Outside ASCII, and in components that have characters outside ASCII, only
    /// with the features `bidi`, `repertoire` and `spoof`.
    PreferredEncoding "preferred.needless-encoding" "draft-duerst-iri-10, section 5.4" b"NW-NW";
    /// Lower-case digits in triplets.
    PreferredHexCase "preferred.hex-case" "draft-duerst-iri-10, section 5.4" b"NW-NW";
    /// A host in upper case; or, with the feature `idna`, a domain name that UTS #46 writes otherwise.
    PreferredHost "preferred.host-form" "draft-duerst-iri-10, section 5.4" b"NW-NW";
    /// A dot segment, after a scheme.
    PreferredDots "preferred.dot-segments" "draft-duerst-iri-10, section 5.4" b"NW-NW";
    /// A port that is empty, or the default one of the scheme.
    PreferredPort "preferred.default-port" "RFC 3986, section 3.2.3" b"NW-NW";
    /// An empty path where the scheme takes it for `/`.
    PreferredEmptyPath "preferred.empty-path" "draft-duerst-iri-10, section 5.4" b"NW-NW";
}

impl Code {
    /// How grave it is in a profile; `None` if it is not reported there.
    ///
    /// ```
    /// use simd_iri::check::{Code, Profile, Severity};
    ///
    /// assert_eq!(Code::BidiFormatting.severity(Profile::Rfc), Some(Severity::Error));
    /// ```
    #[must_use]
    pub fn severity(self, profile: Profile) -> Option<Severity> {
        levels(profile).get(self as usize).copied().flatten()
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// There is no code of that name.
///
/// ```
/// use simd_iri::check::Code;
///
/// let error = "bidi.nonsense".parse::<Code>().unwrap_err();
/// assert_eq!(error.to_string(), "no finding has this code");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UnknownCode(());

impl fmt::Display for UnknownCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no finding has this code")
    }
}

impl core::error::Error for UnknownCode {}

impl FromStr for Code {
    type Err = UnknownCode;

    fn from_str(name: &str) -> Result<Self, UnknownCode> {
        Self::ALL.iter().copied().find(|code| code.name() == name).ok_or(UnknownCode(()))
    }
}

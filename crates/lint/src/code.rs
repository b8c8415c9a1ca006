//! The codes of findings: a table with the name, the source and the severities of each code.
//!
//! Not here: when a code is reported (`rules`, `bidi`), and the message of a finding (`message`).

use simd_iri::low::named;

/// The severity of a finding.
///
/// ```
/// use simd_iri_lint::Severity;
///
/// assert!(Severity::Note < Severity::Warning && Severity::Warning < Severity::Error);
/// assert_eq!(Severity::Warning.name(), "warning");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Good to know; no change is needed.
    Note,
    /// Should be changed.
    Warning,
    /// Must be changed.
    Error,
}

named! {
    /// Returns the name in lower case.
    "simd_iri_lint::Severity" Severity {
        Note = "note",
        Warning = "warning",
        Error = "error",
    }
}

/// The purpose of a lint: decides which codes are reported, and with which severity.
///
/// ```
/// use simd_iri_lint::{Code, Profile, Severity};
///
/// assert_eq!(Code::BidiMixed.severity(Profile::Rfc), Some(Severity::Warning));
/// assert_eq!(Code::BidiMixed.severity(Profile::Strict), Some(Severity::Error));
/// assert_eq!(Code::BidiOther.severity(Profile::Rfc), None);
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Profile {
    /// The severity that the RFCs give: a violation of MUST is an error, a violation of SHOULD is a warning, and a
    /// violation of advice is a note.
    #[default]
    Rfc,
    /// For names in RDF, which are compared character by character: each name should have one spelling.
    Rdf,
    /// For the formats `iri` and `iri-reference` of JSON Schema, which the grammar defines: reports little more
    /// than violations of the RFCs.
    JsonSchema,
    /// For links that others have written: reports what is dangerous, and what programs read in different
    /// ways.
    Crawler,
    /// Reports nearly every code, including the code of draft-duerst-iri-01 about directions. Most codes are errors or
    /// warnings.
    Strict,
}

named! {
    /// Returns the name in kebab-case.
    "simd_iri_lint::Profile" Profile {
        Rfc = "rfc",
        Rdf = "rdf",
        JsonSchema = "json-schema",
        Crawler = "crawler",
        Strict = "strict",
    }
}

/// Returns the severity in a profile. `letters` has one letter for each profile, in the order of [`Profile::ALL`]: `E`,
/// `W` or `N` for error, warning or note. Any other letter means that the profile does not report the code.
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

/// Makes [`Code`] from rows: a name, the section that the code follows from, and the severity in each
/// profile.
macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $code:ident $name:literal $section:literal $levels:literal;)+) => {
        /// A stable name for a kind of finding.
        ///
        /// The first word of the name is the check: `bidi`, `repertoire`, `spoof`, `scheme` or `preferred`.
        ///
        /// ```
        /// use simd_iri_lint::Code;
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
            /// All codes, check by check.
            ///
            /// ```
            /// # use simd_iri_lint::Code;
            /// assert!(Code::ALL.iter().all(|code| code.name().parse() == Ok(*code)));
            /// ```
            pub const ALL: &'static [Self] = &[$(Self::$code),+];

            /// Returns the name: the check, a dot, and the kind of finding, in kebab-case.
            ///
            /// ```
            /// # use simd_iri_lint::Code;
            /// assert_eq!(Code::BidiFormatting.name(), "bidi.formatting-character");
            /// ```
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$code => $name,)+
                }
            }

            /// Returns the section of the specification that the code follows from.
            ///
            /// ```
            /// # use simd_iri_lint::Code;
            /// assert_eq!(Code::BidiFormatting.section(), "RFC 3987, section 4.1");
            /// ```
            #[must_use]
            pub const fn section(self) -> &'static str {
                match self {
                    $(Self::$code => $section,)+
                }
            }
        }

        /// The number of codes.
        pub(super) const COUNT: usize = Code::ALL.len();

        /// Returns the severity of each code in a profile.
        pub(super) const fn levels(profile: Profile) -> [Option<Severity>; COUNT] {
            [$(level(*$levels, profile)),+]
        }

        named!(@text Code, [$($name),+]);
    };
}

codes! {
    /// A bidi formatting character: RFC 3987 lists some of them, and Unicode has added others since.
    BidiFormatting "bidi.formatting-character" "RFC 3987, section 4.1" b"EEEEE";
    /// A component with characters of both directions.
    BidiMixed "bidi.mixed-direction" "RFC 3987, section 4.2" b"WWNWE";
    /// A component with right-to-left characters that does not begin and end with a right-to-left character.
    BidiEdge "bidi.edge" "RFC 3987, section 4.2" b"WWNWE";
    /// A component with right-to-left characters that begins or ends with a digit.
    BidiDigit "bidi.digit-at-edge" "RFC 3987, section 4.2" b"WWNWE";
    /// A component of digits alone, next to a component with right-to-left characters.
    BidiNumber "bidi.number-component" "RFC 3987, section 4.4" b"N---W";
    /// A component with right-to-left characters that also holds neutral characters or digits.
    BidiOther "bidi.other-class" "draft-duerst-iri-01, section 4.1" b"----E";

    /// A component that is not in normalization form C.
    RepertoireNfc "repertoire.not-nfc" "RFC 3987, section 5.3.2.2" b"WW-WE";
    /// A character that normalization form KC replaces: a full-width letter, half-width katakana, a
    /// ligature, or another variant.
    RepertoireCompatibility "repertoire.compatibility" "RFC 3987, section 6.1" b"WN-NW";
    /// A space other than the space of ASCII.
    RepertoireSpace "repertoire.space" "RFC 3987, section 6.1" b"WWNWE";
    /// An invisible character.
    RepertoireInvisible "repertoire.invisible" "RFC 3987, section 6.1" b"WWNWE";
    /// A code point to which Unicode has assigned no character.
    RepertoireUnassigned "repertoire.unassigned" "RFC 3987, section 6.1" b"WWNNE";
    /// A private-use character in a query.
    RepertoirePrivate "repertoire.private-use" "RFC 3987, section 6.1" b"NW-NW";
    /// A character that Unicode deprecates.
    RepertoireDeprecated "repertoire.deprecated" "RFC 3987, section 6.1" b"WW-NE";

    /// A label of a domain name that mixes scripts.
    SpoofLabel "spoof.mixed-script-label" "UTS #39, section 5.2" b"WWNWE";
    /// A component other than a domain name that mixes scripts.
    SpoofScript "spoof.mixed-script" "UTS #39, section 5.2" b"NN--W";
    /// A label of a domain name that is in another script and looks like a label in ASCII.
    SpoofWholeScript "spoof.whole-script" "UTS #39, section 4.1" b"WWNWE";
    /// A label of a domain name that Chromium and Firefox show as its A-label (`DisplayPolicy`), because its
    /// letters may pass for other letters, and that does not have one of the two codes above.
    SpoofShown "spoof.shown-as-a-label" "URL Standard, section 4.8.3" b"WWNWE";
    /// A character of a closed list, which looks like `/`, `:`, `?`, `#`, `@` or `.` and is another character. In a
    /// host, also a character that UTS #46 maps to a delimiter. Also a letter of a host that looks like a
    /// delimiter and stands between characters of another script.
    SpoofLookAlike "spoof.delimiter-look-alike" "RFC 3987, section 8" b"WWNWE";
    /// UTF-8 that was read as windows-1252 and encoded again: `cafÃ©` for `café`.
    SpoofMojibake "spoof.mojibake" "draft-duerst-iri-01, section 7" b"WWNWE";
    /// The digit 0 or 1 inside a word, where it may stand for a letter. No profile reports it.
    SpoofDigit "spoof.digit-in-word" "draft-duerst-iri-01, section 6.4" b"-----";
    /// User information that looks like the name of a host.
    SpoofUserinfo "spoof.userinfo-host" "RFC 3986, section 7.6" b"WWNWE";
    /// A password. Everyone who sees the reference can read it.
    SpoofPassword "spoof.password" "RFC 3986, section 7.5" b"WWNWE";
    /// An IPv4 address that is not written as four decimal numbers: some programs read it as a name.
    SpoofIpv4 "spoof.rare-ipv4" "RFC 3986, section 7.4" b"WWNWE";
    /// A value that is secret by its key, such as an access token, in the query, the fragment or a session parameter of
    /// the path. The keys are those of the sets of `simd_iri_redact::SecretSet`. [`SpoofPassword`](Self::SpoofPassword) is the code
    /// of a password before the host.
    SpoofSecret "spoof.secret-value" "RFC 6750, section 5.3" b"----W";
    /// A host that is this machine, a machine of its network, or a metadata service of a cloud, in any
    /// spelling.
    SpoofInternalHost "spoof.internal-host" "RFC 6890, section 2.2" b"NN-WW";
    /// A scheme whose references hold content, which a program runs or shows when it follows them: javascript,
    /// vbscript, data.
    SpoofActiveScheme "spoof.active-scheme" "RFC 3986, section 7" b"---WW";
    /// A port that is reserved for another protocol.
    SpoofPort "spoof.odd-port" "RFC 3986, section 7.2" b"WN-WE";
    /// No host, where browsers take a host from the path: http, https, ws, wss, ftp.
    SpoofBrowserHost "spoof.browser-host" "RFC 3986, section 7.6" b"WWNWE";
    /// Triplets that stand for UTF-8 with more octets than the character needs.
    SpoofOverlong "spoof.overlong" "RFC 3629, section 10" b"WWNEE";
    /// A triplet that stands for a delimiter, in user information, host or path.
    SpoofDelimiter "spoof.encoded-delimiter" "RFC 3986, section 7.3" b"NN-WW";
    /// `%25` before two hexadecimal digits: decoding it makes another triplet.
    SpoofDoubleEncoding "spoof.double-encoding" "RFC 3986, section 2.4" b"NN-WW";
    /// A triplet that stands for the octet zero.
    SpoofNul "spoof.encoded-nul" "RFC 3986, section 7.3" b"WWNWE";
    /// A triplet that stands for a carriage return or a line feed.
    SpoofLineBreak "spoof.encoded-line-break" "RFC 3986, section 7.2" b"WWNWE";
    /// A segment that becomes a dot segment when its triplets are decoded.
    SpoofDots "spoof.encoded-dot-segment" "RFC 3986, section 7.3" b"WWNWE";
    /// Triplets that stand for octets that are not UTF-8: text in a legacy charset, or binary data.
    SpoofLegacy "spoof.legacy-octets" "RFC 3987, section 7.7" b"NN-NW";
    /// A backslash, which browsers read as a slash, in a text that is not a reference.
    SpoofBackslash "spoof.backslash" "URL Standard, section 4.4" b"WWNWE";
    /// A tab or line break, which browsers remove, in a text that is not a reference.
    SpoofWhitespace "spoof.whitespace" "URL Standard, section 4.4" b"WWNWE";
    /// A second `@` in an authority, in a text that is not a reference. Browsers look for the host after
    /// the last `@`.
    SpoofSecondAt "spoof.second-at" "URL Standard, section 4.4" b"WWNWE";
    /// `%uHHHH`, which only some programs decode, in a text that is not a reference.
    SpoofPercentU "spoof.percent-u" "RFC 3986, section 2.1" b"WWNWE";

    /// No host, though the scheme requires one: http, https, ws, wss, ftp.
    SchemeNoHost "scheme.no-host" "RFC 9110, section 4.2" b"EEWEE";
    /// An authority, though the scheme has none: mailto, data, urn, tag.
    SchemeAuthority "scheme.authority" "RFC 3986, section 3.2" b"EEWEE";
    /// User information, which the scheme does not have or deprecates: http, https, ws, wss, file.
    SchemeUserinfo "scheme.userinfo" "RFC 9110, section 4.2.4" b"WWNWE";
    /// A port that is not a TCP port, or any port if the scheme has none.
    SchemePort "scheme.port" "RFC 9110, section 4.2" b"EEWEE";
    /// A host that is not a domain name, where the hosts of the scheme are domain names. Neither the percent-encoded
    /// host nor its form by UTS #46 is a domain name.
    SchemeDomain "scheme.domain" "RFC 3987, section 5.3.3" b"WWNWE";
    /// A fragment, which means nothing in the scheme: ws, wss.
    SchemeFragment "scheme.fragment" "RFC 6455, section 3" b"EEWEE";
    /// A query, which the scheme does not have: file.
    SchemeQuery "scheme.query" "RFC 8089, section 2" b"EEWWE";
    /// A path that does not begin with a slash and a name: file.
    SchemeFilePath "scheme.file-path" "RFC 8089, section 2" b"EEWEE";
    /// A type of transfer other than `a`, `i` and `d`: ftp.
    SchemeFtpType "scheme.ftp-type" "RFC 1738, section 3.2.2" b"EEWWE";
    /// An address without a local part or without a domain: mailto.
    SchemeMailtoAddress "scheme.mailto-address" "RFC 6068, section 2" b"EEWWE";
    /// A header field without `=`, or with a character that must be encoded there: mailto.
    SchemeMailtoField "scheme.mailto-field" "RFC 6068, section 2" b"EEWWE";
    /// No comma before the data: data.
    SchemeDataComma "scheme.data-comma" "RFC 2397, section 3" b"EEWEE";
    /// A media type that does not match its syntax: data.
    SchemeDataMediaType "scheme.data-media-type" "RFC 2397, section 3" b"EEWWE";
    /// Data that are not base64, though `;base64` announces it: data.
    SchemeDataBase64 "scheme.data-base64" "RFC 2397, section 2" b"EEWWE";
    /// A namespace identifier that does not match its syntax: urn.
    SchemeUrnNamespace "scheme.urn-namespace" "RFC 8141, section 2" b"EEWWE";
    /// No name after the namespace identifier, or a name that begins with a slash: urn.
    SchemeUrnName "scheme.urn-name" "RFC 8141, section 2" b"EEWWE";
    /// A query that is neither an r-component nor a q-component: urn.
    SchemeUrnComponent "scheme.urn-component" "RFC 8141, section 2" b"EEWWE";
    /// A tag that does not begin with an authority name, a date and a colon: tag.
    SchemeTagEntity "scheme.tag-entity" "RFC 4151, section 2.1" b"EEWWE";
    /// A scheme after the scheme: `http://http://`, `https://https//`, `mailto:mailto:`. The first scheme takes the second
    /// one for a host or a path.
    SchemeTwice "scheme.twice" "RFC 3986, section 3.1" b"WWNWE";

    /// A scheme with upper-case letters.
    PreferredSchemeCase "preferred.scheme-case" "draft-duerst-iri-10, section 5.4" b"NW-NW";
    /// Triplets for a character that can be written as itself, if no other check reports the decoded component.
    PreferredEncoding "preferred.needless-encoding" "draft-duerst-iri-10, section 5.4" b"NW-NW";
    /// Triplets with lower-case digits.
    PreferredHexCase "preferred.hex-case" "draft-duerst-iri-10, section 5.4" b"NW-NW";
    /// A host with upper-case letters, or a domain name that UTS #46 maps to another form.
    PreferredHost "preferred.host-form" "draft-duerst-iri-10, section 5.4" b"NW-NW";
    /// A dot segment in a reference with a scheme.
    PreferredDots "preferred.dot-segments" "draft-duerst-iri-10, section 5.4" b"NW-NW";
    /// A port that is empty, or the default port of the scheme.
    PreferredPort "preferred.default-port" "RFC 3986, section 3.2.3" b"NW-NW";
    /// An empty path, where the scheme reads it as `/`.
    PreferredEmptyPath "preferred.empty-path" "draft-duerst-iri-10, section 5.4" b"NW-NW";
}

impl Code {
    /// Returns the severity in a profile, or `None` if the profile does not report the code.
    ///
    /// ```
    /// use simd_iri_lint::{Code, Profile, Severity};
    ///
    /// assert_eq!(Code::BidiFormatting.severity(Profile::Rfc), Some(Severity::Error));
    /// ```
    #[must_use]
    pub fn severity(self, profile: Profile) -> Option<Severity> {
        levels(profile).get(self as usize).copied().flatten()
    }
}

//! The codes of findings: a table with the name, the source, the severities and the texts of each code.
//!
//! Not here: when a code is reported (`rules`, `bidi`), and the values in the message of a finding (`message`).

use simd_iri::low::named;

use super::explanation::Explanation;
use super::severity::{Profile, Severity, level};

/// Makes [`Code`] from rows: a name, the section that the code follows from, the severity in each profile (`level`), and
/// the texts. `message` has the names of values in braces (`message`); the other texts are those of an [`Explanation`].
macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $code:ident $name:literal $section:literal $levels:literal {
        message: $message:literal,
        meaning: $meaning:literal,
        fix: $fix:literal,
        example: $example:literal,
        fixed: $fixed:literal,
    })+) => {
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

            /// Returns the message of a finding, with the names of values in braces.
            pub(super) const fn message(self) -> &'static str {
                match self {
                    $(Self::$code => $message,)+
                }
            }

            /// Returns what the code means, with an example that has a finding of the code, and the same example
            /// after a fix. [`severity`](Self::severity) returns the severity in each profile.
            ///
            /// Constant; nothing is computed.
            ///
            /// ```
            /// # use simd_iri_lint::Code;
            /// assert_eq!(Code::SpoofPassword.explanation().fixed, "http://example.org/");
            /// ```
            #[must_use]
            pub const fn explanation(self) -> Explanation {
                let (meaning, fix, example, fixed) = match self {
                    $(Self::$code => ($meaning, $fix, $example, $fixed),)+
                };
                Explanation { meaning, section: self.section(), fix, example, fixed }
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
    BidiFormatting "bidi.formatting-character" "RFC 3987, section 4.1" b"EEEEE" {
        message: "{character} at byte {at} in {component} directs the order of display",
        meaning: "The reference holds a character that has no shape and changes the direction of the text around it. A \
            reader sees the characters in another order than programs do, so that \"gnp.exe\" can look like \
            \"exe.png\".",
        fix: "Percent-encode the character, or remove it.",
        example: "http://example.org/\u{202E}gnp.exe",
        fixed: "http://example.org/%E2%80%AEgnp.exe",
    }
    /// A component with characters of both directions.
    BidiMixed "bidi.mixed-direction" "RFC 3987, section 4.2" b"WWNWE" {
        message: "the part of {component} at byte {at} runs in both directions",
        meaning: "A component holds letters that are written from left to right and letters that are written from \
            right to left. Readers cannot tell in which order they are to be read.",
        fix: "Use one direction in each component, or percent-encode the right-to-left letters.",
        example: "http://example.org/abcשלום",
        fixed: "http://example.org/abc/שלום",
    }
    /// A component with right-to-left characters that does not begin and end with a right-to-left character.
    BidiEdge "bidi.edge" "RFC 3987, section 4.2" b"WWNWE" {
        message: "the right-to-left part of {component} at byte {at} does not begin and end with a right-to-left \
            character",
        meaning: "A component with right-to-left letters begins or ends with another character, such as a hyphen. That \
            character is displayed beside the neighbouring component, where it seems to belong.",
        fix: "Begin and end the component with a right-to-left letter.",
        example: "http://example.org/שלום-",
        fixed: "http://example.org/שלום",
    }
    /// A component with right-to-left characters that begins or ends with a digit.
    BidiDigit "bidi.digit-at-edge" "RFC 3987, section 4.2" b"WWNWE" {
        message: "the right-to-left part of {component} at byte {at} begins or ends with a digit",
        meaning: "A component with right-to-left letters begins or ends with a digit. Digits run from left to right \
            even there, so that they can be displayed on the other side of their neighbours.",
        fix: "Begin and end the component with a right-to-left letter, or percent-encode its letters.",
        example: "http://example.org/שלום1",
        fixed: "http://example.org/%D7%A9%D7%9C%D7%95%D7%9D1",
    }
    /// A component of digits alone, next to a component with right-to-left characters.
    BidiNumber "bidi.number-component" "RFC 3987, section 4.4" b"N---W" {
        message: "the number at byte {at} in {component} is beside a right-to-left part, and may be shown on its other \
            side",
        meaning: "A component is a number, and the component beside it has right-to-left letters. The number can be \
            displayed on the other side of that component.",
        fix: "Write a letter into the component of the number, or percent-encode its neighbour.",
        example: "http://example.org/שלום/123",
        fixed: "http://example.org/שלום/no123",
    }
    /// A component with right-to-left characters that also holds neutral characters or digits.
    BidiOther "bidi.other-class" "draft-duerst-iri-01, section 4.1" b"----E" {
        message: "the right-to-left part of {component} at byte {at} holds {character}, which is not a letter",
        meaning: "A component with right-to-left letters also holds a character that is no such letter, such as a \
            hyphen or a digit. A later draft allows letters and combining marks alone, so that there is one order of \
            display.",
        fix: "Remove the character, or percent-encode the component.",
        example: "http://example.org/של-ום",
        fixed: "http://example.org/שלום",
    }

    /// A component that is not in normalization form C.
    RepertoireNfc "repertoire.not-nfc" "RFC 3987, section 5.3.2.2" b"WW-WE" {
        message: "the part of {component} at byte {at} is not in normalization form C",
        meaning: "A component is not in Unicode normalization form C. The same word in form C looks the same and is \
            another reference, so that comparisons fail.",
        fix: "Write the component in normalization form C.",
        example: "http://example.org/cafe\u{301}",
        fixed: "http://example.org/café",
    }
    /// A character that normalization form KC replaces: a full-width letter, half-width katakana, a
    /// ligature, or another variant.
    RepertoireCompatibility "repertoire.compatibility" "RFC 3987, section 6.1" b"WN-NW" {
        message: "{character} at byte {at} in {component} is a variant of other characters",
        meaning: "The reference holds a variant of another character: a full-width letter, a ligature, half-width \
            katakana. People type the ordinary character and get another reference.",
        fix: "Write the ordinary character, which normalization form KC has, or percent-encode the variant.",
        example: "http://example.org/ﬁle",
        fixed: "http://example.org/file",
    }
    /// A space other than the space of ASCII.
    RepertoireSpace "repertoire.space" "RFC 3987, section 6.1" b"WWNWE" {
        message: "{character} at byte {at} in {component} looks like a space",
        meaning: "The reference holds a space that is not the space of ASCII. Readers do not see which one it is, and \
            programs end a reference there.",
        fix: "Percent-encode the space, or remove it.",
        example: "http://example.org/a\u{2003}b",
        fixed: "http://example.org/a%E2%80%83b",
    }
    /// An invisible character.
    RepertoireInvisible "repertoire.invisible" "RFC 3987, section 6.1" b"WWNWE" {
        message: "{character} at byte {at} in {component} is invisible",
        meaning: "The reference holds a character that is not seen. It looks like the reference without that \
            character, and is another one.",
        fix: "Remove the character, or percent-encode it.",
        example: "http://example.org/a\u{200B}b",
        fixed: "http://example.org/ab",
    }
    /// A code point to which Unicode has assigned no character.
    RepertoireUnassigned "repertoire.unassigned" "RFC 3987, section 6.1" b"WWNNE" {
        message: "{character} at byte {at} in {component} is not assigned yet",
        meaning: "The reference holds a code point to which Unicode has not assigned a character. Nobody can read it, \
            and its properties may change.",
        fix: "Percent-encode the code point, or remove it.",
        example: "http://example.org/\u{378}",
        fixed: "http://example.org/%CD%B8",
    }
    /// A private-use character in a query.
    RepertoirePrivate "repertoire.private-use" "RFC 3987, section 6.1" b"NW-NW" {
        message: "private-use character {character} at byte {at} in {component} means nothing to others",
        meaning: "The query holds a private-use character. It means something only where sender and receiver have \
            agreed on it.",
        fix: "Percent-encode the character, or write one that Unicode has.",
        example: "http://example.org/?\u{E000}",
        fixed: "http://example.org/?%EE%80%80",
    }
    /// A character that Unicode deprecates.
    RepertoireDeprecated "repertoire.deprecated" "RFC 3987, section 6.1" b"WW-NE" {
        message: "{character} at byte {at} in {component} is deprecated",
        meaning: "The reference holds a character that Unicode advises not to use, because there is a better way to \
            write the same.",
        fix: "Write what Unicode recommends instead, or percent-encode the character.",
        example: "http://example.org/\u{149}",
        fixed: "http://example.org/%C5%89",
    }

    /// A label of a domain name that mixes scripts.
    SpoofLabel "spoof.mixed-script-label" "UTS #39, section 5.2" b"WWNWE" {
        message: "the label at byte {at} mixes scripts: {look-alike}; write it in one script, or use another name",
        meaning: "A label of a domain name mixes letters of different scripts. A Cyrillic letter among Latin ones \
            looks like a Latin letter, so that the name passes for another one.",
        fix: "Write the label in one script.",
        example: "http://p\u{430}ypal.example/",
        fixed: "http://paypal.example/",
    }
    /// A component other than a domain name that mixes scripts.
    SpoofScript "spoof.mixed-script" "UTS #39, section 5.2" b"NN--W" {
        message: "the part of {component} at byte {at} mixes scripts: {look-alike}; write it in one script, or use \
            another name",
        meaning: "A component other than a domain name mixes letters of different scripts, so that it can pass for \
            another text.",
        fix: "Write the component in one script.",
        example: "http://example.org/p\u{430}ge",
        fixed: "http://example.org/page",
    }
    /// A label of a domain name that is in another script and looks like a label in ASCII.
    SpoofWholeScript "spoof.whole-script" "UTS #39, section 4.1" b"WWNWE" {
        message: "the label at byte {at} looks like one in ASCII: {look-alike}; write it in one script, or use another \
            name",
        meaning: "All letters of a label are of another script, and together they look like a label in ASCII, so that \
            the name passes for that one.",
        fix: "Write the label in Latin letters if that is what is meant; otherwise do not trust it.",
        example: "http://\u{455}\u{441}\u{43E}\u{440}\u{435}.example/",
        fixed: "http://scope.example/",
    }
    /// A label of a domain name that Chromium and Firefox show as its A-label (`DisplayPolicy`), because its
    /// letters may pass for other letters, and that does not have one of the two codes above.
    SpoofShown "spoof.shown-as-a-label" "URL Standard, section 4.8.3" b"WWNWE" {
        message: "browsers show the A-label of the label at byte {at}, which {rule}",
        meaning: "Chromium and Firefox show the A-label of a label, because its letters may pass for other letters. \
            Readers see xn-- and not the name.",
        fix: "Write the letters that are meant; otherwise do not trust the name.",
        example: "http://t\u{1D21}itter.example/",
        fixed: "http://twitter.example/",
    }
    /// A character of a closed list, which looks like `/`, `:`, `?`, `#`, `@` or `.` and is another character. In a
    /// host, also a character that UTS #46 maps to a delimiter. Also a letter of a host that looks like a
    /// delimiter and stands between characters of another script.
    SpoofLookAlike "spoof.delimiter-look-alike" "RFC 3987, section 8" b"WWNWE" {
        message: "{character} at byte {at} in {component} looks like '{delimiter}', which is another character; write \
            '{delimiter}' if that is meant",
        meaning: "A character looks like a delimiter, such as '/' or '.', and is a letter to programs. Readers see \
            another host or path than the one that is meant.",
        fix: "Use the delimiter itself if it is meant; otherwise percent-encode the character.",
        example: "http://example.org/a\u{2215}b",
        fixed: "http://example.org/a%E2%88%95b",
    }
    /// UTF-8 that was read as windows-1252 and encoded again: `cafÃ©` for `café`.
    SpoofMojibake "spoof.mojibake" "draft-duerst-iri-01, section 7" b"WWNWE" {
        message: "the text at byte {at} in {component} is UTF-8 read as windows-1252, and begins with {character}",
        meaning: "The characters are UTF-8 that was read as windows-1252 and encoded again.",
        fix: "Write the characters of that UTF-8. The reference names something else then.",
        example: "http://example.org/caf%C3%83%C2%A9",
        fixed: "http://example.org/café",
    }
    /// The digit 0 or 1 inside a word, where it may stand for a letter. No profile reports it.
    SpoofDigit "spoof.digit-in-word" "draft-duerst-iri-01, section 6.4" b"-----" {
        message: "the word at byte {at} in {component} has the digit {character}, which looks like the letter \
            '{letter}'; avoid it in names",
        meaning: "A digit zero or one stands inside a word, where a letter could stand that looks like it. No profile \
            reports it, for many names have such digits.",
        fix: "Compare the name with the one that you expect.",
        example: "http://paypa1.example/",
        fixed: "http://paypal.example/",
    }
    /// User information that looks like the name of a host.
    SpoofUserinfo "spoof.userinfo-host" "RFC 3986, section 7.6" b"WWNWE" {
        message: "the user information at byte {at} looks like a host; the host is after the '@'",
        meaning: "The user information before the '@' looks like the name of a host. Readers take it for the host, \
            which is after the '@'.",
        fix: "Remove the user information.",
        example: "http://www.example.com@example.net/",
        fixed: "http://example.net/",
    }
    /// A password. Everyone who sees the reference can read it.
    SpoofPassword "spoof.password" "RFC 3986, section 7.5" b"WWNWE" {
        message: "a password at byte {at}, which everybody sees; remove it",
        meaning: "The user information holds a password. References are stored, logged and shown, so that others read \
            it.",
        fix: "Remove the password, and use the scheme's own way to authenticate.",
        example: "http://ann:secret@example.org/",
        fixed: "http://example.org/",
    }
    /// An IPv4 address that is not written as four decimal numbers alone: some programs read it as a name.
    SpoofIpv4 "spoof.rare-ipv4" "RFC 3986, section 7.4" b"WWNWE" {
        message: "the host at byte {at} is a name by the grammar, and {address} to many programs",
        meaning: "The host is a name by the grammar, and an IPv4 address to many programs: with fewer than four \
            numbers, in octal or hexadecimal, or with a dot at its end. A filter that knows only the usual form lets it pass.",
        fix: "Write the address as four decimal numbers.",
        example: "http://0xC0.0.0x2.1/",
        fixed: "http://192.0.2.1/",
    }
    /// A value that is secret by its key, such as an access token, in the query, the fragment or a session parameter of
    /// the path. The keys are those of the sets of `simd_iri_redact::SecretSet`. [`SpoofPassword`](Self::SpoofPassword) is
    /// the code of a password before the host.
    SpoofSecret "spoof.secret-value" "RFC 6750, section 5.3" b"----W" {
        message: "a value at byte {at} in {component} is secret by its key, of the set {set}",
        meaning: "The key says that its value is a token, a signature or another secret. References are stored, logged \
            and shown, so that others read it.",
        fix: "Send the value in a header field or in the content of the request, and redact it in logs.",
        example: "http://example.org/list?access_token=mF_9",
        fixed: "http://example.org/list",
    }
    /// A host that is this machine, a machine of its network, or a metadata service of a cloud, in any
    /// spelling.
    SpoofInternalHost "spoof.internal-host" "RFC 6890, section 2.2" b"NN-WW" {
        message: "the host at byte {at} {host}; do not ask it on behalf of others",
        meaning: "The host is the machine itself, or in its network, or a metadata service of a cloud. A program that \
            fetches references of strangers gives them a way in.",
        fix: "Do not fetch it unless you mean to.",
        example: "http://127.0.0.1/",
        fixed: "http://example.org/",
    }
    /// A scheme whose references hold content, which a program runs or shows when it follows them: javascript,
    /// vbscript, data.
    SpoofActiveScheme "spoof.active-scheme" "RFC 3986, section 7" b"---WW" {
        message: "references of the scheme at byte {at} hold what is run or shown where they are followed; do not \
            follow them from others",
        meaning: "Programs run or show the content of such a reference where the reference is followed.",
        fix: "Refuse it in links that strangers write.",
        example: "javascript:alert(1)",
        fixed: "http://example.org/",
    }
    /// A port that is reserved for another protocol.
    SpoofPort "spoof.odd-port" "RFC 3986, section 7.2" b"WN-WE" {
        message: "port {port} at byte {at} is reserved for another protocol",
        meaning: "The port is reserved for another protocol, such as 25 for mail. Whoever follows the reference sends \
            a request of one protocol to a server of another.",
        fix: "Remove the port, or write the one of the service that is meant.",
        example: "http://example.org:25/",
        fixed: "http://example.org/",
    }
    /// No host, where browsers take a host from the path: http, https, ws, wss, ftp.
    SpoofBrowserHost "spoof.browser-host" "RFC 3986, section 7.6" b"WWNWE" {
        message: "no host before byte {at}, so that browsers take one from the path",
        meaning: "The reference has no host, and browsers take the first segment of the path for one. Programs that \
            follow RFC 3986 and browsers go to different places.",
        fix: "Write two slashes and the host.",
        example: "http:///example.org/",
        fixed: "http://example.org/",
    }
    /// Triplets that stand for UTF-8 with more octets than the character needs.
    SpoofOverlong "spoof.overlong" "RFC 3629, section 10" b"WWNEE" {
        message: "the triplets at byte {at} in {component} are UTF-8 that is longer than allowed, which some programs \
            decode",
        meaning: "Triplets stand for UTF-8 with more octets than the character needs, which is forbidden. A program \
            that decodes it all the same finds a character that a filter has not seen.",
        fix: "Write the character itself, or its UTF-8 in as few octets as it takes.",
        example: "http://example.org/%C1%A1",
        fixed: "http://example.org/a",
    }
    /// A triplet that stands for a delimiter, in user information, host or path.
    SpoofDelimiter "spoof.encoded-delimiter" "RFC 3986, section 7.3" b"NN-WW" {
        message: "the triplet at byte {at} in {component} is a delimiter once decoded",
        meaning: "A triplet stands for a character that delimits components, such as a slash. A program that decodes \
            before it splits sees another structure.",
        fix: "Write the delimiter itself if it is to delimit; otherwise choose a name without it.",
        example: "http://example.org/a%2Fb",
        fixed: "http://example.org/a/b",
    }
    /// `%25` before two hexadecimal digits: decoding it makes another triplet.
    SpoofDoubleEncoding "spoof.double-encoding" "RFC 3986, section 2.4" b"NN-WW" {
        message: "the triplet at byte {at} in {component} is '%' before two hexadecimal digits, so that the text is \
            another one if it is decoded twice; percent-encode once",
        meaning: "A triplet stands for a percent sign, and two hexadecimal digits follow it. Once it is decoded, there \
            is a triplet again, and a program that decodes twice reads another text.",
        fix: "Encode once.",
        example: "http://example.org/%2541",
        fixed: "http://example.org/A",
    }
    /// A triplet that stands for the octet zero.
    SpoofNul "spoof.encoded-nul" "RFC 3986, section 7.3" b"WWNWE" {
        message: "the triplet at byte {at} in {component} is zero, where many texts end",
        meaning: "A triplet stands for the octet zero. Many programs end a text there, so that what one program checks \
            is not what another opens.",
        fix: "Remove the triplet.",
        example: "http://example.org/a%00.png",
        fixed: "http://example.org/a.png",
    }
    /// A triplet that stands for a carriage return or a line feed.
    SpoofLineBreak "spoof.encoded-line-break" "RFC 3986, section 7.2" b"WWNWE" {
        message: "the triplet at byte {at} in {component} breaks the line once decoded",
        meaning: "A triplet stands for a carriage return or a line feed. Decoded into a header or a command, it begins \
            a new line, which an attacker can fill.",
        fix: "Remove the triplet.",
        example: "http://example.org/?q=a%0D%0Ab",
        fixed: "http://example.org/?q=ab",
    }
    /// A segment that becomes a dot segment when its triplets are decoded.
    SpoofDots "spoof.encoded-dot-segment" "RFC 3986, section 7.3" b"WWNWE" {
        message: "the segment at byte {at} is a dot segment once it is decoded",
        meaning: "A segment of the path becomes . or .. once it is decoded. A program that decodes after it has \
            removed dot segments leaves the directory that it was to stay in.",
        fix: "Resolve the segment, and write the path without it.",
        example: "http://example.org/a/%2E%2E/b",
        fixed: "http://example.org/b",
    }
    /// Triplets that stand for octets that are not UTF-8: text in a legacy charset, or binary data.
    SpoofLegacy "spoof.legacy-octets" "RFC 3987, section 7.7" b"NN-NW" {
        message: "the triplets at byte {at} in {component} are not UTF-8, but another charset or binary data",
        meaning: "Triplets stand for octets that are not UTF-8: text in a legacy charset, or binary data. Nothing says \
            which charset it is, so that the reference cannot be shown as an IRI.",
        fix: "Write the text itself, or its UTF-8 as triplets. `iri interpret` shows what it may be.",
        example: "http://example.org/caf%E9",
        fixed: "http://example.org/café",
    }
    /// A backslash, which browsers read as a slash, in a text that is not a reference.
    SpoofBackslash "spoof.backslash" "URL Standard, section 4.4" b"WWNWE" {
        message: "browsers read a slash at byte {at}",
        meaning: "The text holds a backslash, which no reference does and which browsers read as a slash. Programs \
            that percent-encode it instead find another host or path.",
        fix: "Write a slash, or %5C for the character itself.",
        example: r"http:\\example.org\a",
        fixed: "http://example.org/a",
    }
    /// A tab or line break, which browsers remove, in a text that is not a reference.
    SpoofWhitespace "spoof.whitespace" "URL Standard, section 4.4" b"WWNWE" {
        message: "browsers leave out what is at byte {at}",
        meaning: "The text holds a tab or a line break, which no reference does and which browsers remove. A filter \
            that looks for a word does not find the one that is split.",
        fix: "Remove the character.",
        example: "http://exam\tple.org/",
        fixed: "http://example.org/",
    }
    /// A second `@` in an authority, in a text that is not a reference. Browsers look for the host after
    /// the last `@`.
    SpoofSecondAt "spoof.second-at" "URL Standard, section 4.4" b"WWNWE" {
        message: "browsers look for the host after the last '@', not that at byte {at}",
        meaning: "The authority holds two '@', which no reference does. Browsers take what follows the last one for \
            the host, other programs what follows the first.",
        fix: "Write %40 for an '@' of the user information, or remove the user information.",
        example: "http://example.com@a@example.net/",
        fixed: "http://example.net/",
    }
    /// `%uHHHH`, which only some programs decode, in a text that is not a reference.
    SpoofPercentU "spoof.percent-u" "RFC 3986, section 2.1" b"WWNWE" {
        message: "some programs read one character at byte {at}; write its UTF-8 as triplets",
        meaning: "The text holds %uHHHH, which is no percent-encoding. Some programs decode it to the character with \
            that number, others fail or keep it.",
        fix: "Write the character itself, or its UTF-8 as triplets.",
        example: "http://example.org/%u00E9",
        fixed: "http://example.org/é",
    }

    /// No host, though the scheme requires one: http, https, ws, wss, ftp.
    SchemeNoHost "scheme.no-host" "RFC 9110, section 4.2" b"EEWEE" {
        message: "no host at byte {at}, where this scheme requires one; write //host",
        meaning: "The scheme requires a host, and the reference has none, so that nothing can be found there.",
        fix: "Write two slashes and the host after the scheme.",
        example: "https:example.org",
        fixed: "https://example.org/",
    }
    /// An authority, though the scheme has none: mailto, data, urn, tag.
    SchemeAuthority "scheme.authority" "RFC 3986, section 3.2" b"EEWEE" {
        message: "the authority at byte {at} is not allowed by this scheme; remove it",
        meaning: "The reference has an authority, and its scheme has none. What is meant to be the path begins after \
            that.",
        fix: "Remove the two slashes.",
        example: "mailto://ann@example.org",
        fixed: "mailto:ann@example.org",
    }
    /// User information, which the scheme does not have or deprecates: http, https, ws, wss, file.
    SchemeUserinfo "scheme.userinfo" "RFC 9110, section 4.2.4" b"WWNWE" {
        message: "user information at byte {at}, which this scheme should not have; remove it",
        meaning: "The scheme has no user information, or deprecates it. Browsers remove it or warn, and it misleads \
            readers.",
        fix: "Remove what is before the '@', and the '@'.",
        example: "http://ann@example.org/",
        fixed: "http://example.org/",
    }
    /// A port that is not a TCP port, or any port if the scheme has none.
    SchemePort "scheme.port" "RFC 9110, section 4.2" b"EEWEE" {
        message: "the port at byte {at} is not allowed by this scheme; write 1 to 65535, or remove it",
        meaning: "The port is greater than 65535 or zero, or the scheme has no port. No connection can be made to it.",
        fix: "Write a port from 1 to 65535, or none.",
        example: "http://example.org:70000/",
        fixed: "http://example.org:7000/",
    }
    /// A host that is not a domain name, where the hosts of the scheme are domain names. Neither the percent-encoded
    /// host nor its form by UTS #46 is a domain name.
    SchemeDomain "scheme.domain" "RFC 3987, section 5.3.3" b"WWNWE" {
        message: "the host at byte {at} is not a domain name, so that nothing can be found there",
        meaning: "The hosts of the scheme are domain names, and this one is not: it holds a character that no domain \
            name does, or a label is empty or too long. It cannot be looked up.",
        fix: "Write the domain name as it is registered.",
        example: "http://exa%20mple.org/",
        fixed: "http://example.org/",
    }
    /// A fragment, which means nothing in the scheme: ws, wss.
    SchemeFragment "scheme.fragment" "RFC 6455, section 3" b"EEWEE" {
        message: "the fragment at byte {at} means nothing in this scheme; remove it",
        meaning: "The scheme does not allow a fragment.",
        fix: "Remove the fragment, and write %23 for a '#' of the path.",
        example: "ws://example.org/chat#room",
        fixed: "ws://example.org/chat",
    }
    /// A query, which the scheme does not have: file.
    SchemeQuery "scheme.query" "RFC 8089, section 2" b"EEWWE" {
        message: "the query at byte {at} is not allowed by this scheme; write %3F for '?'",
        meaning: "The scheme has no query. A '?' in the name of a file begins one all the same, so that another file \
            is named.",
        fix: "Write %3F for a '?' of the name, or remove the query.",
        example: "file:///etc/hosts?a",
        fixed: "file:///etc/hosts",
    }
    /// A path that does not begin with a slash and a name: file.
    SchemeFilePath "scheme.file-path" "RFC 8089, section 2" b"EEWEE" {
        message: "the path at byte {at} of a file does not begin with one slash and a name; write an absolute path",
        meaning: "The path of a file does not begin with one slash and a name. Systems do not agree on what it is \
            relative to.",
        fix: "Write an absolute path.",
        example: "file:etc/hosts",
        fixed: "file:///etc/hosts",
    }
    /// A type of transfer other than `a`, `i` and `d`: ftp.
    SchemeFtpType "scheme.ftp-type" "RFC 1738, section 3.2.2" b"EEWWE" {
        message: "the type at byte {at} is not a type of FTP; write a, i or d",
        meaning: "The type at the end of an ftp reference is none of a, i and d, which say how to transfer the file.",
        fix: "Write ;type=a, ;type=i or ;type=d, or nothing.",
        example: "ftp://example.org/a;type=x",
        fixed: "ftp://example.org/a;type=i",
    }
    /// An address without a local part or without a domain: mailto.
    SchemeMailtoAddress "scheme.mailto-address" "RFC 6068, section 2" b"EEWWE" {
        message: "the text at byte {at} is not a mail address; write local@domain",
        meaning: "What stands for a mail address has no local part, no '@' or no domain, so that no mail can be sent \
            to it.",
        fix: "Write local@domain, and a comma between addresses.",
        example: "mailto:ann",
        fixed: "mailto:ann@example.org",
    }
    /// A header field without `=`, or with a character that must be encoded there: mailto.
    SchemeMailtoField "scheme.mailto-field" "RFC 6068, section 2" b"EEWWE" {
        message: "the text at byte {at} is no header field; write name=value, and %HH for other characters",
        meaning: "What stands for a header field has no '=', or a triplet that does not stand for a character.",
        fix: "Write name=value, and '&' between fields.",
        example: "mailto:ann@example.org?subject",
        fixed: "mailto:ann@example.org?subject=hello",
    }
    /// No comma before the data: data.
    SchemeDataComma "scheme.data-comma" "RFC 2397, section 3" b"EEWEE" {
        message: "no comma before byte {at}, where the data begin; write data:,text",
        meaning: "There is no comma, after which the data begin, so that there are no data.",
        fix: "Write a comma before the data.",
        example: "data:text/plain;hello",
        fixed: "data:text/plain,hello",
    }
    /// A media type that does not match its syntax: data.
    SchemeDataMediaType "scheme.data-media-type" "RFC 2397, section 3" b"EEWWE" {
        message: "the text at byte {at} is not a media type; write type/subtype;name=value",
        meaning: "What is before the comma is no media type, so that programs do not know what the data are.",
        fix: "Write type/subtype with its parameters, or nothing for text/plain.",
        example: "data:text,hello",
        fixed: "data:text/plain,hello",
    }
    /// Data that are not base64, though `;base64` announces it: data.
    SchemeDataBase64 "scheme.data-base64" "RFC 2397, section 2" b"EEWWE" {
        message: "the data at byte {at} are not in base64",
        meaning: "The data are said to be in base64 and are not: a character is none of base64, or the length is \
            wrong.",
        fix: "Encode the data again, or remove ;base64.",
        example: "data:;base64,a",
        fixed: "data:;base64,YQ==",
    }
    /// A namespace identifier that does not match its syntax: urn.
    SchemeUrnNamespace "scheme.urn-namespace" "RFC 8141, section 2" b"EEWWE" {
        message: "the text at byte {at} is no namespace identifier; write 2 to 32 letters, digits and inner hyphens, \
            and a colon",
        meaning: "What is between the first two colons is not a namespace identifier.",
        fix: "Write 2 to 32 ASCII letters, digits and inner hyphens.",
        example: "urn:x_y:1",
        fixed: "urn:example:1",
    }
    /// No name after the namespace identifier, or a name that begins with a slash: urn.
    SchemeUrnName "scheme.urn-name" "RFC 8141, section 2" b"EEWWE" {
        message: "no name at byte {at} in the namespace; write urn:namespace:name",
        meaning: "After the namespace there is no name, or one that begins with a slash, so that nothing is named.",
        fix: "Write the name in the namespace.",
        example: "urn:example:",
        fixed: "urn:example:1",
    }
    /// A query that is neither an r-component nor a q-component: urn.
    SchemeUrnComponent "scheme.urn-component" "RFC 8141, section 2" b"EEWWE" {
        message: "the query at byte {at} of a URN is none; begin it with '+' for the resolver or '=' for the resource",
        meaning: "The query of a URN is neither for the resolver nor for the resource.",
        fix: "Begin it with ?+ for the resolver or with ?= for the resource.",
        example: "urn:example:1?a",
        fixed: "urn:example:1?=a",
    }
    /// A tag that does not begin with an authority name, a date and a colon: tag.
    SchemeTagEntity "scheme.tag-entity" "RFC 4151, section 2.1" b"EEWWE" {
        message: "the text at byte {at} names no tagging entity; write domain,2024:name or \
            address@domain,2024-01-31:name",
        meaning: "The tag does not say who made it: a domain name or a mail address, a comma, and a date on which it \
            was theirs. Without that it is not unique.",
        fix: "Write domain,date:name.",
        example: "tag:example:1",
        fixed: "tag:example.org,2024:1",
    }
    /// A scheme after the scheme: `http://http://`, `https://https//`, `mailto:mailto:`. The first scheme takes the
    /// second one for a host or a path.
    SchemeTwice "scheme.twice" "RFC 3986, section 3.1" b"WWNWE" {
        message: "the scheme is there twice: another one is at byte {at}; remove one of them",
        meaning: "The scheme is there twice, as when an address is pasted behind \"http://\". Programs take the second \
            scheme for the host or for the path, so that the address that was meant is not found.",
        fix: "Remove one of the two schemes, and the slashes after it.",
        example: "http://https://example.org/",
        fixed: "https://example.org/",
    }

    /// A scheme with upper-case letters.
    PreferredSchemeCase "preferred.scheme-case" "draft-duerst-iri-10, section 5.4" b"NW-NW" {
        message: "the scheme has upper-case letters",
        meaning: "The scheme has upper-case letters. It means the same in lower case, and programs that compare texts \
            take the two for different references.",
        fix: "Write the scheme in lower case.",
        example: "HTTP://example.org/",
        fixed: "http://example.org/",
    }
    /// Triplets for a character that can be written as itself, if no other check reports the decoded component.
    PreferredEncoding "preferred.needless-encoding" "draft-duerst-iri-10, section 5.4" b"NW-NW" {
        message: "what is at byte {at} in {component} need not be percent-encoded",
        meaning: "A triplet stands for a character that can be written itself. It means the same, and is harder to \
            read and to compare.",
        fix: "Write the character itself.",
        example: "http://example.org/%7Eann",
        fixed: "http://example.org/~ann",
    }
    /// Triplets with lower-case digits.
    PreferredHexCase "preferred.hex-case" "draft-duerst-iri-10, section 5.4" b"NW-NW" {
        message: "the triplets at byte {at} in {component} have lower-case digits",
        meaning: "A triplet has lower-case digits. It means the same in upper case, and programs that compare texts \
            take the two for different references.",
        fix: "Write the digits in upper case.",
        example: "http://example.org/?q=a%2fb",
        fixed: "http://example.org/?q=a%2Fb",
    }
    /// A host with upper-case letters, or a domain name that UTS #46 maps to another form.
    PreferredHost "preferred.host-form" "draft-duerst-iri-10, section 5.4" b"NW-NW" {
        message: "the host at byte {at} is not in its normal form",
        meaning: "The host is not in its normal form: it has upper-case letters, or is a domain name that UTS #46 \
            writes otherwise. It means the same, and texts that differ are compared as different.",
        fix: "Write the host in its normal form.",
        example: "http://EXAMPLE.org/",
        fixed: "http://example.org/",
    }
    /// A dot segment in a reference with a scheme.
    PreferredDots "preferred.dot-segments" "draft-duerst-iri-10, section 5.4" b"NW-NW" {
        message: "the path at byte {at} has dot segments",
        meaning: "The path has segments . or .. after a scheme. Programs remove them before they use the reference, so \
            that it means the same without them.",
        fix: "Remove the dot segments as RFC 3986, section 5.2.4 does.",
        example: "http://example.org/a/../b",
        fixed: "http://example.org/b",
    }
    /// A port that is empty, or the default port of the scheme.
    PreferredPort "preferred.default-port" "RFC 3986, section 3.2.3" b"NW-NW" {
        message: "the port at byte {at} is the one that is meant without it",
        meaning: "The port is empty, or the one that the scheme has without it.",
        fix: "Leave out the port and its colon.",
        example: "http://example.org:80/",
        fixed: "http://example.org/",
    }
    /// An empty path, where the scheme reads it as `/`.
    PreferredEmptyPath "preferred.empty-path" "draft-duerst-iri-10, section 5.4" b"NW-NW" {
        message: "the path at byte {at} is empty",
        meaning: "The path is empty, and the scheme takes that for '/'. Programs that compare texts take the two for \
            different references.",
        fix: "Write '/'.",
        example: "http://example.org",
        fixed: "http://example.org/",
    }
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

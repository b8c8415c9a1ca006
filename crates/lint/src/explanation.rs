//! A longer text about each code: what it means, why it matters, how to fix it, and an example.
//!
//! Here: a text and an example for each code, and for each kind of error. The compiler refuses a code without a text.
//! Not here: the severities and the section of a code (`code`), and the message of a finding (`message`).

use super::code::Code;
use simd_iri::ErrorKind;

/// What a code means, with an example that has a finding of the code, and the same example after a fix.
///
/// ```
/// use simd_iri_lint::{Code, Profile};
/// use simd_iri::IriRef;
///
/// let explanation = Code::PreferredDots.explanation();
/// assert_eq!(explanation.example, "http://example.org/a/../b");
/// assert_eq!(explanation.fixed, "http://example.org/b");
/// let report = simd_iri_lint::lint(IriRef::parse(explanation.example)?, Profile::Strict);
/// assert_eq!(report.findings()[0].code(), Code::PreferredDots);
/// # Ok::<(), simd_iri::Error>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Explanation {
    /// The finding, and why it matters: one or more sentences.
    pub meaning: &'static str,
    /// The section of the specification that the code follows from.
    pub section: &'static str,
    /// The remedy: a sentence.
    pub fix: &'static str,
    /// A text for which the code is reported; empty if no short text has the problem.
    pub example: &'static str,
    /// The same text without the problem: a reference for which the code is not reported.
    pub fixed: &'static str,
}

impl Code {
    /// Returns what the code means, with an example that has a finding of the code, and the same example after a fix.
    /// [`severity`](Self::severity) returns the severity in each profile.
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
            Self::BidiFormatting => (
                "The reference holds a character that has no shape and changes the direction of the \
                 text around it. A reader sees the characters in another order than programs do, so \
                 that \"gnp.exe\" can look like \"exe.png\".",
                "Percent-encode the character, or remove it.",
                "http://example.org/\u{202E}gnp.exe",
                "http://example.org/%E2%80%AEgnp.exe",
            ),
            Self::BidiMixed => (
                "A component holds letters that are written from left to right and letters that are \
                 written from right to left. Readers cannot tell in which order they are to be read.",
                "Use one direction in each component, or percent-encode the right-to-left letters.",
                "http://example.org/abcשלום",
                "http://example.org/abc/שלום",
            ),
            Self::BidiEdge => (
                "A component with right-to-left letters begins or ends with another character, such \
                 as a hyphen. That character is displayed beside the neighbouring component, where \
                 it seems to belong.",
                "Begin and end the component with a right-to-left letter.",
                "http://example.org/שלום-",
                "http://example.org/שלום",
            ),
            Self::BidiDigit => (
                "A component with right-to-left letters begins or ends with a digit. Digits run from \
                 left to right even there, so that they can be displayed on the other side of their \
                 neighbours.",
                "Begin and end the component with a right-to-left letter, or percent-encode its \
                 letters.",
                "http://example.org/שלום1",
                "http://example.org/%D7%A9%D7%9C%D7%95%D7%9D1",
            ),
            Self::BidiNumber => (
                "A component is a number, and the component beside it has right-to-left letters. The \
                 number can be displayed on the other side of that component.",
                "Write a letter into the component of the number, or percent-encode its neighbour.",
                "http://example.org/שלום/123",
                "http://example.org/שלום/no123",
            ),
            Self::BidiOther => (
                "A component with right-to-left letters also holds a character that is no such letter, \
                 such as a hyphen or a digit. A later draft allows letters and combining marks alone, so that there is \
                 one order of display.",
                "Remove the character, or percent-encode the component.",
                "http://example.org/של-ום",
                "http://example.org/שלום",
            ),
            Self::RepertoireNfc => (
                "A component is not in Unicode normalization form C. The same word in form C looks the \
                 same and is another reference, so that comparisons fail.",
                "Write the component in normalization form C.",
                "http://example.org/cafe\u{301}",
                "http://example.org/café",
            ),
            Self::RepertoireCompatibility => (
                "The reference holds a variant of another character: a full-width letter, a ligature, \
                 half-width katakana. People type the ordinary character and get another reference.",
                "Write the ordinary character, which normalization form KC has, or percent-encode the \
                 variant.",
                "http://example.org/ﬁle",
                "http://example.org/file",
            ),
            Self::RepertoireSpace => (
                "The reference holds a space that is not the space of ASCII. Readers do not see which \
                 one it is, and programs end a reference there.",
                "Percent-encode the space, or remove it.",
                "http://example.org/a\u{2003}b",
                "http://example.org/a%E2%80%83b",
            ),
            Self::RepertoireInvisible => (
                "The reference holds a character that is not seen. It looks like the reference without \
                 that character, and is another one.",
                "Remove the character, or percent-encode it.",
                "http://example.org/a\u{200B}b",
                "http://example.org/ab",
            ),
            Self::RepertoireUnassigned => (
                "The reference holds a code point to which Unicode has not assigned a character. Nobody \
                 can read it, and its properties may change.",
                "Percent-encode the code point, or remove it.",
                "http://example.org/\u{378}",
                "http://example.org/%CD%B8",
            ),
            Self::RepertoirePrivate => (
                "The query holds a private-use character. It means something only where sender and \
                 receiver have agreed on it.",
                "Percent-encode the character, or write one that Unicode has.",
                "http://example.org/?\u{E000}",
                "http://example.org/?%EE%80%80",
            ),
            Self::RepertoireDeprecated => (
                "The reference holds a character that Unicode advises not to use, because there is a \
                 better way to write the same.",
                "Write what Unicode recommends instead, or percent-encode the character.",
                "http://example.org/\u{149}",
                "http://example.org/%C5%89",
            ),
            Self::SpoofLabel => (
                "A label of a domain name mixes letters of different scripts. A Cyrillic letter among \
                 Latin ones looks like a Latin letter, so that the name passes for another one.",
                "Write the label in one script.",
                "http://p\u{430}ypal.example/",
                "http://paypal.example/",
            ),
            Self::SpoofScript => (
                "A component other than a domain name mixes letters of different scripts, so that it \
                 can pass for another text.",
                "Write the component in one script.",
                "http://example.org/p\u{430}ge",
                "http://example.org/page",
            ),
            Self::SpoofWholeScript => (
                "All letters of a label are of another script, and together they look like a label in \
                 ASCII, so that the name passes for that one.",
                "Write the label in Latin letters if that is what is meant; otherwise do not trust it.",
                "http://\u{455}\u{441}\u{43E}\u{440}\u{435}.example/",
                "http://scope.example/",
            ),
            Self::SpoofShown => (
                "Chromium and Firefox show the A-label of a label, because its letters may pass for other \
                 letters. Readers see xn-- and not the name.",
                "Write the letters that are meant; otherwise do not trust the name.",
                "http://t\u{1D21}itter.example/",
                "http://twitter.example/",
            ),
            Self::SpoofLookAlike => (
                "A character looks like a delimiter, such as '/' or '.', and is a letter to programs. Readers \
                 see another host or path than the one that is meant.",
                "Use the delimiter itself if it is meant; otherwise percent-encode the character.",
                "http://example.org/a\u{2215}b",
                "http://example.org/a%E2%88%95b",
            ),
            Self::SpoofMojibake => (
                "The characters are UTF-8 that was read as windows-1252 and encoded again.",
                "Write the characters of that UTF-8. The reference names something else then.",
                "http://example.org/caf%C3%83%C2%A9",
                "http://example.org/café",
            ),
            Self::SpoofDigit => (
                "A digit zero or one stands inside a word, where a letter could stand that looks like it. No \
                 profile reports it, for many names have such digits.",
                "Compare the name with the one that you expect.",
                "http://paypa1.example/",
                "http://paypal.example/",
            ),
            Self::SpoofInternalHost => (
                "The host is the machine itself, or in its network, or a metadata service of a cloud. A \
                 program that fetches references of strangers gives them a way in.",
                "Do not fetch it unless you mean to.",
                "http://127.0.0.1/",
                "http://example.org/",
            ),
            Self::SpoofActiveScheme => (
                "Programs run or show the content of such a reference where the reference is followed.",
                "Refuse it in links that strangers write.",
                "javascript:alert(1)",
                "http://example.org/",
            ),
            Self::SpoofDoubleEncoding => (
                "A triplet stands for a percent sign, and two hexadecimal digits follow it. Once it is decoded, \
                 there is a triplet again, and a program that decodes twice reads another text.",
                "Encode once.",
                "http://example.org/%2541",
                "http://example.org/A",
            ),
            Self::PreferredPort => (
                "The port is empty, or the one that the scheme has without it.",
                "Leave out the port and its colon.",
                "http://example.org:80/",
                "http://example.org/",
            ),
            Self::SpoofUserinfo => (
                "The user information before the '@' looks like the name of a host. Readers take it for \
                 the host, which is after the '@'.",
                "Remove the user information.",
                "http://www.example.com@example.net/",
                "http://example.net/",
            ),
            Self::SpoofPassword => (
                "The user information holds a password. References are stored, logged and shown, so \
                 that others read it.",
                "Remove the password, and use the scheme's own way to authenticate.",
                "http://ann:secret@example.org/",
                "http://example.org/",
            ),
            Self::SpoofSecret => (
                "The key says that its value is a token, a signature or another secret. References are stored, \
                 logged and shown, so that others read it.",
                "Send the value in a header field or in the content of the request, and redact it in logs.",
                "http://example.org/list?access_token=mF_9",
                "http://example.org/list",
            ),
            Self::SpoofIpv4 => (
                "The host is a name by the grammar, and an IPv4 address to many programs: with fewer \
                 than four numbers, or in octal or hexadecimal. A filter that knows only the usual form \
                 lets it pass.",
                "Write the address as four decimal numbers.",
                "http://0xC0.0.0x2.1/",
                "http://192.0.2.1/",
            ),
            Self::SpoofPort => (
                "The port is reserved for another protocol, such as 25 for mail. Whoever follows the \
                 reference sends a request of one protocol to a server of another.",
                "Remove the port, or write the one of the service that is meant.",
                "http://example.org:25/",
                "http://example.org/",
            ),
            Self::SpoofBrowserHost => (
                "The reference has no host, and browsers take the first segment of the path for one. \
                 Programs that follow RFC 3986 and browsers go to different places.",
                "Write two slashes and the host.",
                "http:///example.org/",
                "http://example.org/",
            ),
            Self::SpoofOverlong => (
                "Triplets stand for UTF-8 with more octets than the character needs, which is forbidden. \
                 A program that decodes it all the same finds a character that a filter has not seen.",
                "Write the character itself, or its UTF-8 in as few octets as it takes.",
                "http://example.org/%C1%A1",
                "http://example.org/a",
            ),
            Self::SpoofDelimiter => (
                "A triplet stands for a character that delimits components, such as a slash. A program \
                 that decodes before it splits sees another structure.",
                "Write the delimiter itself if it is to delimit; otherwise choose a name without it.",
                "http://example.org/a%2Fb",
                "http://example.org/a/b",
            ),
            Self::SpoofNul => (
                "A triplet stands for the octet zero. Many programs end a text there, so that what one \
                 program checks is not what another opens.",
                "Remove the triplet.",
                "http://example.org/a%00.png",
                "http://example.org/a.png",
            ),
            Self::SpoofLineBreak => (
                "A triplet stands for a carriage return or a line feed. Decoded into a header or a \
                 command, it begins a new line, which an attacker can fill.",
                "Remove the triplet.",
                "http://example.org/?q=a%0D%0Ab",
                "http://example.org/?q=ab",
            ),
            Self::SpoofDots => (
                "A segment of the path becomes . or .. once it is decoded. A program that decodes after \
                 it has removed dot segments leaves the directory that it was to stay in.",
                "Resolve the segment, and write the path without it.",
                "http://example.org/a/%2E%2E/b",
                "http://example.org/b",
            ),
            Self::SpoofLegacy => (
                "Triplets stand for octets that are not UTF-8: text in a legacy charset, or binary data. \
                 Nothing says which charset it is, so that the reference cannot be shown as an IRI.",
                "Write the text itself, or its UTF-8 as triplets. `iri interpret` shows what it may be.",
                "http://example.org/caf%E9",
                "http://example.org/café",
            ),
            Self::SpoofBackslash => (
                "The text holds a backslash, which no reference does and which browsers read as a slash. \
                 Programs that percent-encode it instead find another host or path.",
                "Write a slash, or %5C for the character itself.",
                r"http:\\example.org\a",
                "http://example.org/a",
            ),
            Self::SpoofWhitespace => (
                "The text holds a tab or a line break, which no reference does and which browsers remove. \
                 A filter that looks for a word does not find the one that is split.",
                "Remove the character.",
                "http://exam\tple.org/",
                "http://example.org/",
            ),
            Self::SpoofSecondAt => (
                "The authority holds two '@', which no reference does. Browsers take what follows the \
                 last one for the host, other programs what follows the first.",
                "Write %40 for an '@' of the user information, or remove the user information.",
                "http://example.com@a@example.net/",
                "http://example.net/",
            ),
            Self::SpoofPercentU => (
                "The text holds %uHHHH, which is no percent-encoding. Some programs decode it to the \
                 character with that number, others fail or keep it.",
                "Write the character itself, or its UTF-8 as triplets.",
                "http://example.org/%u00E9",
                "http://example.org/é",
            ),
            Self::SchemeNoHost => (
                "The scheme requires a host, and the reference has none, so that nothing can be found \
                 there.",
                "Write two slashes and the host after the scheme.",
                "https:example.org",
                "https://example.org/",
            ),
            Self::SchemeAuthority => (
                "The reference has an authority, and its scheme has none. What is meant to be the path \
                 begins after that.",
                "Remove the two slashes.",
                "mailto://ann@example.org",
                "mailto:ann@example.org",
            ),
            Self::SchemeUserinfo => (
                "The scheme has no user information, or deprecates it. Browsers remove it or warn, and it misleads \
                 readers.",
                "Remove what is before the '@', and the '@'.",
                "http://ann@example.org/",
                "http://example.org/",
            ),
            Self::SchemePort => (
                "The port is greater than 65535 or zero, or the scheme has no port. No connection can be \
                 made to it.",
                "Write a port from 1 to 65535, or none.",
                "http://example.org:70000/",
                "http://example.org:7000/",
            ),
            Self::SchemeDomain => (
                "The hosts of the scheme are domain names, and this one is not: it holds a character that \
                 no domain name does, or a label is empty or too long. It cannot be looked up.",
                "Write the domain name as it is registered.",
                "http://exa%20mple.org/",
                "http://example.org/",
            ),
            Self::SchemeFragment => (
                "The scheme does not allow a fragment.",
                "Remove the fragment, and write %23 for a '#' of the path.",
                "ws://example.org/chat#room",
                "ws://example.org/chat",
            ),
            Self::SchemeQuery => (
                "The scheme has no query. A '?' in the name of a file begins one all the same, so that \
                 another file is named.",
                "Write %3F for a '?' of the name, or remove the query.",
                "file:///etc/hosts?a",
                "file:///etc/hosts",
            ),
            Self::SchemeFilePath => (
                "The path of a file does not begin with one slash and a name. Systems do not agree on \
                 what it is relative to.",
                "Write an absolute path.",
                "file:etc/hosts",
                "file:///etc/hosts",
            ),
            Self::SchemeFtpType => (
                "The type at the end of an ftp reference is none of a, i and d, which say how to \
                 transfer the file.",
                "Write ;type=a, ;type=i or ;type=d, or nothing.",
                "ftp://example.org/a;type=x",
                "ftp://example.org/a;type=i",
            ),
            Self::SchemeMailtoAddress => (
                "What stands for a mail address has no local part, no '@' or no domain, so that no mail \
                 can be sent to it.",
                "Write local@domain, and a comma between addresses.",
                "mailto:ann",
                "mailto:ann@example.org",
            ),
            Self::SchemeMailtoField => (
                "What stands for a header field has no '=', or a triplet that does not stand for a character.",
                "Write name=value, and '&' between fields.",
                "mailto:ann@example.org?subject",
                "mailto:ann@example.org?subject=hello",
            ),
            Self::SchemeDataComma => (
                "There is no comma, after which the data begin, so that there are no data.",
                "Write a comma before the data.",
                "data:text/plain;hello",
                "data:text/plain,hello",
            ),
            Self::SchemeDataMediaType => (
                "What is before the comma is no media type, so that programs do not know what the data \
                 are.",
                "Write type/subtype with its parameters, or nothing for text/plain.",
                "data:text,hello",
                "data:text/plain,hello",
            ),
            Self::SchemeDataBase64 => (
                "The data are said to be in base64 and are not: a character is none of base64, or the \
                 length is wrong.",
                "Encode the data again, or remove ;base64.",
                "data:;base64,a",
                "data:;base64,YQ==",
            ),
            Self::SchemeUrnNamespace => (
                "What is between the first two colons is not a namespace identifier.",
                "Write 2 to 32 ASCII letters, digits and inner hyphens.",
                "urn:x_y:1",
                "urn:example:1",
            ),
            Self::SchemeUrnName => (
                "After the namespace there is no name, or one that begins with a slash, so that nothing is named.",
                "Write the name in the namespace.",
                "urn:example:",
                "urn:example:1",
            ),
            Self::SchemeUrnComponent => (
                "The query of a URN is neither for the resolver nor for the resource.",
                "Begin it with ?+ for the resolver or with ?= for the resource.",
                "urn:example:1?a",
                "urn:example:1?=a",
            ),
            Self::SchemeTagEntity => (
                "The tag does not say who made it: a domain name or a mail address, a comma, and a date on \
                 which it was theirs. Without that it is not unique.",
                "Write domain,date:name.",
                "tag:example:1",
                "tag:example.org,2024:1",
            ),
            Self::SchemeTwice => (
                "The scheme is there twice, as when an address is pasted behind \"http://\". Programs take the \
                 second scheme for the host or for the path, so that the address that was meant is not found.",
                "Remove one of the two schemes, and the slashes after it.",
                "http://https://example.org/",
                "https://example.org/",
            ),
            Self::PreferredSchemeCase => (
                "The scheme has upper-case letters. It means the same in lower case, and programs that \
                 compare texts take the two for different references.",
                "Write the scheme in lower case.",
                "HTTP://example.org/",
                "http://example.org/",
            ),
            Self::PreferredEncoding => (
                "A triplet stands for a character that can be written itself. It means the same, and is harder to \
                 read and to compare.",
                "Write the character itself.",
                "http://example.org/%7Eann",
                "http://example.org/~ann",
            ),
            Self::PreferredHexCase => (
                "A triplet has lower-case digits. It means the same in upper case, and programs that \
                 compare texts take the two for different references.",
                "Write the digits in upper case.",
                "http://example.org/?q=a%2fb",
                "http://example.org/?q=a%2Fb",
            ),
            Self::PreferredHost => (
                "The host is not in its normal form: it has upper-case letters, or is a domain name that \
                 UTS #46 writes otherwise. It means the same, and texts that differ are compared as different.",
                "Write the host in its normal form.",
                "http://EXAMPLE.org/",
                "http://example.org/",
            ),
            Self::PreferredDots => (
                "The path has segments . or .. after a scheme. Programs remove them before they use the \
                 reference, so that it means the same without them.",
                "Remove the dot segments as RFC 3986, section 5.2.4 does.",
                "http://example.org/a/../b",
                "http://example.org/b",
            ),
            Self::PreferredEmptyPath => (
                "The path is empty, and the scheme takes that for '/'. Programs that compare texts take the two for \
                 different references.",
                "Write '/'.",
                "http://example.org",
                "http://example.org/",
            ),
        };
        Explanation { meaning, section: self.section(), fix, example, fixed }
    }
}

impl Explanation {
    /// Returns what a kind of error means, with an example that has such an error, and the same example after a fix.
    ///
    /// Most examples do not match `IRI-reference`. The other examples match it, and only a further requirement makes
    /// them wrong: a scheme, no fragment, ASCII, a domain name, a charset. Constant; nothing is computed.
    ///
    /// ```
    /// # use simd_iri::{ErrorKind, Rule};
    /// # use simd_iri_lint::Explanation;
    /// let explanation = Explanation::of_error(ErrorKind::BadPort);
    /// let error = Rule::IriReference.parse(explanation.example).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::BadPort);
    /// assert!(Rule::IriReference.parse(explanation.fixed).is_ok());
    /// ```
    #[must_use]
    pub const fn of_error(kind: ErrorKind) -> Self {
        let (section, meaning, fix, example, fixed) = match kind {
            ErrorKind::NotAllowed => (
                "RFC 3987, section 2.2",
                "A character is not allowed where it stands. Spaces, quotes, angle brackets, braces, the vertical \
                 bar, the backslash, the caret and the grave accent are allowed nowhere.",
                "Percent-encode the character.",
                "http://example.org/a b",
                "http://example.org/a%20b",
            ),
            ErrorKind::BadPercentEncoding => (
                "RFC 3986, section 2.1",
                "A percent sign begins a triplet, and two hexadecimal digits must follow it.",
                "Write %25 for the percent sign itself.",
                "http://example.org/100%",
                "http://example.org/100%25",
            ),
            ErrorKind::IllFormedUtf8 => (
                "RFC 3629, section 4",
                "The bytes are not UTF-8, so that they stand for no character. They may be in another \
                 charset.",
                "Convert the text to UTF-8, or name its charset.",
                "",
                "",
            ),
            ErrorKind::PrivateUse => (
                "RFC 3987, section 2.2",
                "A private-use character stands outside a query, which is the only component that allows one.",
                "Percent-encode the character.",
                "http://example.org/\u{E000}",
                "http://example.org/%EE%80%80",
            ),
            ErrorKind::BadScheme => (
                "RFC 3986, section 3.1",
                "What is before the first colon is not a scheme: a letter, and then letters, digits, '+', '-' and '.'.",
                "Write the scheme, or ./ before the path of a relative reference.",
                "1http://example.org/",
                "http://example.org/",
            ),
            ErrorKind::BadIpLiteral => (
                "RFC 3986, section 3.2.2",
                "What is in brackets is neither an IPv6 address nor an address of a later version.",
                "Write the IPv6 address without a zone identifier, or remove the brackets.",
                "http://[2001:db8::1::2]/",
                "http://[2001:db8::1:2]/",
            ),
            ErrorKind::BadPort => (
                "RFC 3986, section 3.2.3",
                "The port is not a number.",
                "Write digits alone after the colon.",
                "http://example.org:http/",
                "http://example.org:80/",
            ),
            ErrorKind::SecondAt => (
                "RFC 3986, section 3.2",
                "The authority has two '@'. The first one ends the user information, and no host holds \
                 another.",
                "Write %40 for an '@' of the user information.",
                "ftp://ann@home@example.org/",
                "ftp://ann%40home@example.org/",
            ),
            ErrorKind::ColonInFirstSegment => (
                "RFC 3986, section 4.2",
                "A relative reference is asked for, and its first segment holds a colon, so that what \
                 is before the colon reads like a scheme.",
                "Write ./ before the path.",
                "a:b",
                "./a:b",
            ),
            ErrorKind::MissingScheme => (
                "RFC 3987, section 2.2",
                "The reference is relative, and an IRI with a scheme is asked for.",
                "Begin with a scheme, or resolve the reference relative to its base.",
                "//example.org/",
                "https://example.org/",
            ),
            ErrorKind::FragmentNotAllowed => (
                "RFC 3986, section 4.3",
                "The reference has a fragment, and an absolute IRI, which has none, is asked for.",
                "Remove the fragment.",
                "http://example.org/#top",
                "http://example.org/",
            ),
            ErrorKind::NonAscii => (
                "RFC 3986, section 2",
                "The reference holds characters outside ASCII, and a URI, which has none, is asked for.",
                "Map the IRI to a URI, which percent-encodes them.",
                "http://example.org/é",
                "http://example.org/%C3%A9",
            ),
            ErrorKind::UnexpectedEnd => (
                "RFC 3986, section 3.2.2",
                "Something is missing at the end: the closing bracket of an IP literal, or a text that must not \
                 be empty.",
                "Write what is missing.",
                "http://[::1",
                "http://[::1]",
            ),
            ErrorKind::BadDomain => (
                "RFC 3987, section 3.1",
                "A domain name is asked for, and UTS #46 refuses the host.",
                "Write the domain name as it is registered.",
                "http://é_.example/",
                "http://é.example/",
            ),
            ErrorKind::Unmappable => (
                "RFC 3987, section 6.4",
                "The query holds a character that the charset of the document does not have.",
                "Use UTF-8, or let the character become a numeric character reference.",
                "http://example.org/?α",
                "http://example.org/?a",
            ),
            ErrorKind::BadCharacterReference => (
                "XML 1.0, section 4.1",
                "In XML, a character reference has a number that is not that of a character.",
                "Write the number of a character.",
                "",
                "",
            ),
            ErrorKind::TooLong => (
                "a limit of this library",
                "The input has 4 GiB or more, or more than the limit of a stream. Offsets have 32 bits.",
                "Cut the input into references.",
                "",
                "",
            ),
            // A kind of another version of the engine, which Cargo.toml does not allow.
            _ => ("", "", "", "", ""),
        };
        Self { meaning, section, fix, example, fixed }
    }
}

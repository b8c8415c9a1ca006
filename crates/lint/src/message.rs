//! The messages of findings: the problem, its byte, its component, and the correction.
//!
//! Here: the values in a message. Not here: its words (`code`).

use core::fmt;
use core::net::Ipv4Addr;

use super::browsers::DisplayRule;
use super::finding::Finding;
use super::rules::internal::Internal;
use super::rules::lookalikes::delimiter;
use super::rules::skeleton::prototype;
use simd_iri::low::ShownChar;
use simd_iri_redact::SecretSet;

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // "{character} at byte {at}" is cut into "", "character", " at byte ", "at" and "".
        let mut rest = self.code().message().split(['{', '}']);
        while let Some(text) = rest.next() {
            f.write_str(text)?;
            if let Some(name) = rest.next() {
                self.write_value(name, f)?;
            }
        }
        match self.suggestion() {
            Some(suggestion) => write!(f, "; {suggestion}"),
            None => Ok(()),
        }
    }
}

impl Finding {
    /// Writes the value that has this name in a message. The code decides what the number `about` is: a character, an
    /// IPv4 address, a port, the kind of an internal host, a rule of a browser, a set of keys, or nothing.
    fn write_value(self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let about = self.about;
        let c = char::from_u32(about).unwrap_or(char::REPLACEMENT_CHARACTER);
        match name {
            "at" => write!(f, "{}", self.span().start),
            "component" => {
                let component = self.component();
                write!(f, "{} {}", component.article(), component.name())
            }
            "character" => write!(f, "{}", ShownChar(c)),
            "look-alike" => match prototype(c) {
                Some(ascii) => write!(f, "{} looks like {}", ShownChar(c), ShownChar(ascii)),
                None => write!(f, "{}", ShownChar(c)),
            },
            "delimiter" => write!(f, "{}", delimiter(c).unwrap_or_default()),
            "letter" => f.write_str(if c == '0' { "o" } else { "l" }),
            "address" => write!(f, "{}", Ipv4Addr::from_bits(about)),
            "port" => write!(f, "{about}"),
            "host" => f.write_str(Internal::numbered(about).map_or("", Internal::description)),
            "rule" => {
                let rule = DisplayRule::ALL.get(about as usize);
                f.write_str(rule.map_or("", |rule| rule.description()))
            }
            "set" => f.write_str(SecretSet::ALL.get(about as usize).map_or("", |set| set.name())),
            _ => write!(f, "{{{name}}}"),
        }
    }
}

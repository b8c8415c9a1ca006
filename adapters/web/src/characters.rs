//! The characters of a text, with what the Unicode Standard says of each, for the playground.
//!
//! Not here: what a reference may hold (`people`).

use icu_properties::props::{BidiClass, GeneralCategory, Script};
use icu_properties::{CodePointMapData, PropertyNamesLong, PropertyNamesShort};
use serde::Serialize;

use crate::documents::json;
use crate::functions::{Answer, Arguments, Function, made};
use crate::utf16::Offsets;

pub(crate) const ALL: &[Function] =
    &[("characters", characters), ("visualOffsets", visual_offsets)];

#[derive(Serialize)]
struct Character {
    start: u32,
    end: u32,
    /// The code point, such as `U+05D0`.
    code: String,
    name: String,
    script: &'static str,
    /// The short name of the class of direction (UAX #9), such as `AL`.
    direction: &'static str,
    /// The direction of the text around the character if the character is strong: `ltr` or `rtl`.
    strong: Option<&'static str>,
}

fn characters(of: &Arguments<'_>) -> Answer {
    let script = CodePointMapData::<Script>::new();
    let class = CodePointMapData::<BidiClass>::new();
    let script_names = PropertyNamesLong::<Script>::new();
    let class_names = PropertyNamesShort::<BidiClass>::new();
    let mut at = 0;
    let rows = of.text(0)?.chars().map(|c| {
        let start = at;
        at += c.len_utf16() as u32;
        let direction = class.get(c);
        Character {
            start,
            end: at,
            code: format!("U+{:04X}", u32::from(c)),
            name: name(c),
            script: script_names.get(script.get(c)).unwrap_or_default(),
            direction: class_names.get(direction).unwrap_or_default(),
            strong: match direction {
                BidiClass::LeftToRight => Some("ltr"),
                BidiClass::RightToLeft | BidiClass::ArabicLetter => Some("rtl"),
                _ => None,
            },
        }
    });
    made(json(&rows.collect::<Vec<_>>()))
}

/// Returns the name of a character, or the label of a code point without a name (The Unicode Standard, section 4.8).
fn name(c: char) -> String {
    if let Some(name) = unicode_names2::name(c) {
        return name.to_string();
    }
    let code = u32::from(c);
    let kind = match CodePointMapData::<GeneralCategory>::new().get(c) {
        GeneralCategory::Control => "control",
        GeneralCategory::PrivateUse => "private-use",
        // The last two code points of each plane, and 32 in the first.
        _ if code & 0xFFFE == 0xFFFE || (0xFDD0..=0xFDEF).contains(&code) => "noncharacter",
        _ => "reserved",
    };
    format!("<{kind}-{code:04X}>")
}

/// The offset of each character of a reference in UTF-16, in the order in which the characters are displayed.
fn visual_offsets(of: &Arguments<'_>) -> Answer {
    let view = of.reference_of_any_rule()?;
    let offsets = Offsets::of(of.bytes(0));
    let starts = simd_iri_lint::visual_offsets(view).into_iter().map(|at| {
        let [start, _] = offsets.range(at..at);
        start
    });
    made(json(&starts.collect::<Vec<_>>()))
}

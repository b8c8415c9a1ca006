//! Texts without their secrets, for logs.

use simd_iri_redact::{Redact, SecretSet};

use crate::answer;
use crate::functions::{Answer, Arguments, Function, made};
use crate::given;

pub(crate) const ALL: &[Function] = &[("redact", redact)];

/// The second text has the options.
fn redact(of: &Arguments<'_>) -> Answer {
    let options = given::records(of.text(1)?);
    let keys = options.iter().filter(|option| option.name == "keys");
    let keys: Vec<&str> = keys.flat_map(|option| option.slices()).collect();
    let has_sets = options.iter().any(|option| option.name == "sets");
    let mut redact = if has_sets { Redact::none() } else { Redact::default() }.keys(&keys);
    for option in &options {
        redact = match &*option.name {
            "sets" => {
                let mut sets = option.texts.iter().map(|name| name.parse::<SecretSet>());
                sets.try_fold(redact, |redact, set| Ok(redact.set(set?)))
                    .map_err(answer::of_unknown_name)?
            }
            "keys" => redact,
            "anyCase" => redact.any_case(option.flag()?),
            "raw" => redact.raw(option.flag()?),
            "userinfo" => redact.userinfo(option.named()?),
            "part" => redact.part(option.named()?),
            "replacement" => {
                let replacement = option.text()?;
                // The place of the error is in the replacement.
                let error = |error| answer::of_error(error, replacement.as_bytes());
                redact.replacement(replacement).map_err(error)?
            }
            "semicolons" => redact.semicolons(option.flag()?),
            "whatwg" => redact.whatwg(option.flag()?),
            "nested" => redact.nested(option.number()?),
            "fragment" => redact.fragment(option.flag()?),
            "sessionIds" => redact.session_ids(option.flag()?),
            "data" => redact.data(option.flag()?),
            _ => return Err(given::unknown_option()),
        };
    }
    made(redact.redact(of.text(0)?))
}

//! The keys of web archives.

use simd_iri_archive::{Keys, Profile};

use crate::functions::{Answer, Arguments, Function, made};
use crate::given;

pub(crate) const ALL: &[Function] = &[("archiveKey", archive_key)];

/// The second text has the profile, and the third the options.
fn archive_key(of: &Arguments<'_>) -> Answer {
    let mut keys = Keys::new(of.name::<Profile>(1)?);
    for option in given::records(of.text(2)?) {
        keys = match &*option.name {
            "www" => keys.www(option.named()?),
            "slash" => keys.slash(option.flag()?),
            "sessionIds" => keys.session_ids(option.flag()?),
            "sort" => keys.sort(option.flag()?),
            "case" => keys.case(option.flag()?),
            "scheme" => keys.scheme(option.flag()?),
            "comma" => keys.comma(option.flag()?),
            "reverseIp" => keys.reverse_ip(option.flag()?),
            "aggressive" => keys.aggressive(option.flag()?),
            _ => return Err(given::unknown_option()),
        };
    }
    made(keys.key(of.text(0)?))
}

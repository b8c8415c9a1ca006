//! `iri display`: references as people read them best (RFC 3987, section 7.6; UTS #58).

use std::io::{self, Write};

use simd_iri::IriRef;
use simd_iri::text::{DisplayIri, DisplayUts58};

use crate::args::{DisplayArgs, Form};
use crate::output::report::{self, Outcome};
use crate::transform::{self, Text};

pub(crate) fn run(args: &DisplayArgs, out: &mut impl Write) -> io::Result<Outcome> {
    if args.medial && args.form == Form::Iri {
        report::complain(format_args!("display: --medial is for --form uts58"));
        return Ok(Outcome::Trouble);
    }
    let (iri, text) = (DisplayIri::new(), DisplayUts58::new().medial(args.medial));
    transform::run(&args.transform, ["input"], out, |[item], made: &mut Text| {
        let reference = IriRef::parse_bytes(item)?;
        match args.form {
            Form::Iri => _ = iri.map_into(reference, &mut made.output)?,
            Form::Uts58 => text.map_into(reference, &mut made.output),
        }
        Ok(())
    })
}

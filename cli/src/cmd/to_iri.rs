//! `iri to-iri`: maps references to IRIs (RFC 3987, section 3.2).

use simd_iri::{DecodePolicy, IriRef, Mapped, Rule, ToIri};

use crate::args::host::HostForm;
use crate::args::policy::policy;
use crate::args::transform::TransformArgs;
use crate::io::files::Outputs;
use crate::output::report::{Failure, Outcome};
use crate::recipe::Edits;
use crate::transform::{self, Before, Text, Unchanged};

const EXAMPLES: &str = "\
Examples:
  iri to-iri -i https://a.example/c%C3%A9u           print https://a.example/céu
  iri to-iri --host idna links.txt                   decode xn-- hosts too
  iri to-iri --policy non-ascii-only links.txt       decode no ASCII";

/// Map URIs to IRIs
///
/// Decodes triplets (such as %C3%A9) if that is safe (RFC 3987, section 3.2). Items may be relative.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ToIriArgs {
    #[command(flatten)]
    pub(super) transform: TransformArgs,

    #[command(flatten)]
    pub(super) edits: Edits,

    /// Which triplets to decode
    #[arg(long, value_parser = policy(), default_value_t = DecodePolicy::Default)]
    policy: DecodePolicy,

    /// Decode private-use characters in queries
    #[arg(long)]
    private: bool,

    /// How a host is mapped
    #[arg(long, value_enum, default_value_t = HostForm::Percent)]
    host: HostForm,
}

pub(crate) fn run(args: &ToIriArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    let map =
        ToIri::new().policy(args.policy).private(args.private).idna(args.host == HostForm::Idna);
    // A reference without a triplet has nothing to decode, unless its host is mapped.
    let holds = |lines: &[u8]| memchr::memchr(b'%', lines).is_none();
    let unchanged = Unchanged::Matches { rule: Rule::IriReference, holds };
    let is_unchanged = args.host == HostForm::Percent && args.edits.is_empty();
    let before = Before { unchanged: is_unchanged.then_some(unchanged), hide: None };
    transform::run_after(&args.transform, before, out, |item, made: &mut Text| {
        let edited = args.edits.apply(Mapped::Borrowed(IriRef::parse_bytes(item)?))?;
        map.map_into(edited.view(), &mut made.output);
        Ok(())
    })
}

//! `iri host`: hosts in ASCII and in Unicode, and names of hosts (RFC 1123, RFC 5890). Not here: the hosts of references,
//! which `iri to-uri --host idna` and `iri parse -g '{host}'` take.

use clap::ValueEnum;
use simd_iri::{
    component::ComponentRule,
    domain::{host_to_ascii, host_to_unicode, is_hostname, is_idn_hostname},
};

use crate::args::transform::TransformArgs;
use crate::io::files::Outputs;
use crate::item_error::ItemError;
use crate::output::report::{Failure, Outcome};
use crate::transform::{self, Text};

const EXAMPLES: &str = "\
Examples:
  iri host -i bücher.example                         print xn--bcher-kva.example
  iri host --form unicode hosts.txt                  hosts as people read them
  iri host --names hostname hosts.txt                hosts that are not names are errors
  iri parse -g '{host}' links.txt | iri host         the hosts of references, in ASCII";

/// Write hosts in ASCII, or in Unicode
///
/// Every item is a host without a port: a name or an address. In ASCII, a name is the domain name that UTS #46 gives; an
/// address stays as it is.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct HostArgs {
    #[command(flatten)]
    pub(super) transform: TransformArgs,

    /// The form of the hosts
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Ascii)]
    form: Form,

    /// Refuse items that are not names of hosts
    #[arg(long, value_name = "NAMES", value_enum)]
    names: Option<Names>,
}

/// The form of a host.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Form {
    /// As the DNS and HTTP need it
    Ascii,
    /// As people read it
    Unicode,
}

/// Which items are names of hosts.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Names {
    /// Letters, digits and hyphens of ASCII (RFC 1123)
    Hostname,
    /// Letters of all scripts (IDNA2008)
    IdnHostname,
}

pub(crate) fn run(args: &HostArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    transform::run(&args.transform, out, |item, made: &mut Text| {
        let host = ComponentRule::Ihost.parse_bytes(item)?;
        let is_name = match args.names {
            None => true,
            Some(Names::Hostname) => is_hostname(host),
            Some(Names::IdnHostname) => is_idn_hostname(host),
        };
        if !is_name {
            let message = "this is not the name of a host; correct it, or leave out --names";
            return Err(ItemError::whole("not-a-hostname", message, item));
        }
        made.output = match args.form {
            Form::Ascii => host_to_ascii(host)?,
            Form::Unicode => host_to_unicode(host)?,
        };
        Ok(())
    })
}

//! The commands. Each has a file with its arguments, its examples and its `run`. Not here: what several
//! commands share.

pub(crate) mod archive_key;
pub(crate) mod bidi;
pub(crate) mod build;
pub(crate) mod cdxj;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod dedup;
pub(crate) mod display;
pub(crate) mod escape;
pub(crate) mod explain;
pub(crate) mod extract;
pub(crate) mod file;
mod files;
pub(crate) mod host;
pub(crate) mod interpret;
pub(crate) mod join;
pub(crate) mod judge;
pub(crate) mod lint;
pub(crate) mod man;
pub(crate) mod normalize;
pub(crate) mod parse;
pub(crate) mod percent;
pub(crate) mod prepare;
pub(crate) mod recipe;
pub(crate) mod redact;
pub(crate) mod relativize;
pub(crate) mod resolve;
pub(crate) mod skeleton;
pub(crate) mod stats;
pub(crate) mod template;
pub(crate) mod to_iri;
pub(crate) mod to_uri;
pub(crate) mod unescape;

use clap::Subcommand;

use crate::io::files::Outputs;
use crate::output::report::{Failure, Outcome};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(check::CheckArgs),
    Parse(parse::ParseArgs),
    Lint(lint::LintArgs),
    Stats(stats::StatsArgs),
    Extract(extract::ExtractArgs),
    ToUri(to_uri::ToUriArgs),
    ToIri(to_iri::ToIriArgs),
    Normalize(normalize::NormalizeArgs),
    Compare(compare::CompareArgs),
    Dedup(dedup::DedupArgs),
    Join(join::JoinArgs),
    Recipe(recipe::RecipeCommandArgs),
    Resolve(resolve::ResolveArgs),
    Relativize(relativize::RelativizeArgs),
    Build(build::BuildArgs),
    Prepare(prepare::PrepareArgs),
    Display(display::DisplayArgs),
    Redact(redact::RedactArgs),
    Bidi(bidi::BidiArgs),
    ArchiveKey(archive_key::ArchiveKeyArgs),
    Cdxj(cdxj::CdxjArgs),
    Encode(percent::EncodeArgs),
    Decode(percent::DecodeArgs),
    Escape(escape::EscapeArgs),
    Explain(explain::ExplainArgs),
    File(file::FileArgs),
    Host(host::HostArgs),
    Interpret(interpret::InterpretArgs),
    Judge(judge::JudgeArgs),
    Skeleton(skeleton::SkeletonArgs),
    Template(template::TemplateArgs),
    Unescape(unescape::UnescapeArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

pub(crate) use files::plan;

impl Command {
    /// Tells whether the command prints a summary. Other commands print their counts as output, or print no counts.
    pub(crate) const fn has_summary(&self) -> bool {
        !matches!(
            self,
            Self::Stats(_)
                | Self::Build(_)
                | Self::Recipe(_)
                | Self::Explain(_)
                | Self::Completions(_)
                | Self::Man(_)
        )
    }
}

/// Runs a command. `program` describes the whole command line, for its documentation.
///
/// # Errors
/// The output cannot be written.
pub(crate) fn run(
    command: &Command,
    program: clap::Command,
    out: &mut Outputs,
) -> Result<Outcome, Failure> {
    match command {
        Command::Check(args) => check::run(args, out),
        Command::Parse(args) => parse::run(args, out),
        Command::Lint(args) => lint::run(args, out),
        Command::Stats(args) => stats::run(args, out),
        Command::Extract(args) => extract::run(args, out),
        Command::ToUri(args) => to_uri::run(args, out),
        Command::ToIri(args) => to_iri::run(args, out),
        Command::Normalize(args) => normalize::run(args, out),
        Command::Compare(args) => compare::run(args, out),
        Command::Dedup(args) => dedup::run(args, out),
        Command::Join(args) => join::run(args, out),
        Command::Recipe(args) => recipe::run(args, out),
        Command::Resolve(args) => resolve::run(args, out),
        Command::Relativize(args) => relativize::run(args, out),
        Command::Build(args) => build::run(args, out),
        Command::Prepare(args) => prepare::run(args, out),
        Command::Display(args) => display::run(args, out),
        Command::Redact(args) => redact::run(args, out),
        Command::Bidi(args) => bidi::run(args, out),
        Command::ArchiveKey(args) => archive_key::run(args, out),
        Command::Cdxj(args) => cdxj::run(args, out),
        Command::Encode(args) => percent::encode(args, out),
        Command::Decode(args) => percent::decode(args, out),
        Command::Escape(args) => escape::run(args, out),
        Command::Explain(args) => explain::run(args, out),
        Command::File(args) => file::run(args, out),
        Command::Host(args) => host::run(args, out),
        Command::Interpret(args) => interpret::run(args, out),
        Command::Judge(args) => judge::run(args, out),
        Command::Skeleton(args) => skeleton::run(args, out),
        Command::Template(args) => template::run(args, out),
        Command::Unescape(args) => unescape::run(args, out),
        Command::Completions(args) => completions::run(args, program, out),
        Command::Man(args) => man::run(args, program, out),
    }
}

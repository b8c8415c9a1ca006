//! The files that each command reads and writes, by its arguments. Not here: whether it may, which the plan decides.

use std::path::PathBuf;

use crate::args::input::InputArgs;
use crate::args::output::OutputArgs;
use crate::args::transform::TransformArgs;
use crate::classes::keyer::KeyArgs;
use crate::cmd::Command;
use crate::io::files::{Named, OUTPUT, Plan, backup_name};
use crate::io::input::all_files;
use crate::output::report::{self, Verbosity};
use crate::recipe::{Recipe, RecipeArgs};
use crate::stats::page;

/// Finds the files that a command reads, also the files in folders, and returns the plan of its files. `output` is the
/// file of its main output.
///
/// # Errors
/// A message: a folder cannot be read, or an option has no meaning for the command.
pub(crate) fn plan(command: &mut Command, output: Option<PathBuf>) -> Result<Plan, String> {
    let mut plan = Plan::default();
    if let Some(path) = output {
        plan.outputs.push(Named { option: OUTPUT, path, has_partial: true, replaces: None });
    }
    match command {
        Command::Check(args) => {
            plan.input(&mut args.input)?;
            plan.output("--errors", args.errors.as_ref());
        }
        Command::Parse(args) => plan.transform(&mut args.transform)?,
        Command::Lint(args) => plan.transform(&mut args.transform)?,
        Command::Stats(args) => {
            plan.input(&mut args.input)?;
            plan.recipe(&args.recipe);
            plan.outputs.extend(args.html.clone().map(|path| Named {
                option: "--html",
                path,
                has_partial: true,
                replaces: Some(page::HEAD),
            }));
        }
        Command::Extract(args) => {
            let mut input = args.input();
            plan.input(&mut input)?;
            let all = plan.inputs.len();
            plan.inputs.retain(|file| args.reads(file));
            let others = all - plan.inputs.len();
            if others > 0 && report::says(Verbosity::Usual) {
                report::print_message(format_args!(
                    "files of columns and archives that are left out: {others}; iri normalize reads them"
                ));
            }
            args.found = Some(plan.inputs.clone());
        }
        Command::ToUri(args) => {
            plan.transform(&mut args.transform)?;
            plan.others.extend(args.edits.rule_files());
        }
        Command::ToIri(args) => {
            plan.transform(&mut args.transform)?;
            plan.others.extend(args.edits.rule_files());
        }
        Command::Normalize(args) => {
            plan.transform(&mut args.transform)?;
            plan.others.extend(args.edits.rule_files());
            plan.recipe(&args.recipe);
        }
        Command::Compare(args) if args.pairs => plan.transform(&mut args.transform)?,
        Command::Dedup(args) => {
            plan.in_place = args.in_place;
            plan.input(&mut args.input)?;
            plan.keys(&args.keys);
            plan.backups(args.backup.as_deref());
        }
        Command::Join(args) => {
            plan.inputs.clone_from(&args.input.files);
            plan.keys(&args.keys);
        }
        Command::Resolve(args) => {
            plan.transform(&mut args.base.transform)?;
            plan.others.extend(args.edits.rule_files());
        }
        Command::Relativize(args) => plan.transform(&mut args.base.transform)?,
        Command::Prepare(args) => {
            plan.transform(&mut args.transform)?;
            plan.others.extend(args.rules.paths());
            plan.recipe(&args.recipe);
        }
        Command::Display(args) => plan.transform(&mut args.transform)?,
        Command::Redact(args) => plan.transform(&mut args.transform)?,
        Command::ArchiveKey(args) => plan.transform(&mut args.transform)?,
        Command::Cdxj(args) => plan.inputs.clone_from(&args.files),
        Command::Bidi(args) => plan.transform(&mut args.transform)?,
        Command::Encode(args) => plan.transform(&mut args.transform)?,
        Command::Decode(args) => plan.transform(&mut args.transform)?,
        Command::Escape(args) => plan.transform(&mut args.document.transform)?,
        Command::File(args) => plan.transform(&mut args.transform)?,
        Command::Host(args) => plan.transform(&mut args.transform)?,
        Command::Interpret(args) => {
            plan.transform(&mut args.transform)?;
            plan.others.extend(args.names.clone());
        }
        Command::Judge(args) => plan.transform(&mut args.transform)?,
        Command::Skeleton(args) => plan.transform(&mut args.transform)?,
        Command::Template(args) => plan.transform(args.transform())?,
        Command::Unescape(args) => plan.transform(&mut args.document.transform)?,
        Command::Man(_) if !plan.outputs.is_empty() => {
            return Err("man writes a file for each page to a folder; leave out -o".to_owned());
        }
        Command::Man(_) => plan.is_silent = true,
        Command::Build(_)
        | Command::Compare(_)
        | Command::Recipe(_)
        | Command::Explain(_)
        | Command::Completions(_) => {}
    }
    if plan.in_place && plan.outputs.iter().any(|named| named.option == OUTPUT) {
        return Err("--in-place writes the result to each file; leave out -o".to_owned());
    }
    Ok(plan)
}

impl Plan {
    fn input(&mut self, input: &mut InputArgs) -> Result<(), String> {
        let files = all_files(input).map_err(|error| error.to_string())?;
        self.inputs.clone_from(&files);
        input.found = Some(files);
        Ok(())
    }

    fn transform(&mut self, args: &mut TransformArgs) -> Result<(), String> {
        let OutputArgs { in_place, dry_run, errors, backup, .. } = &args.output;
        self.in_place = *in_place && !dry_run;
        self.output("--errors", errors.as_ref());
        self.input(&mut args.input)?;
        self.backups(backup.as_deref());
        Ok(())
    }

    fn keys(&mut self, args: &KeyArgs) {
        self.recipe(&args.recipe);
        self.others.extend(args.redirects.clone());
        self.output("--errors", args.errors.as_ref());
    }

    /// Adds the names under which the old files stay.
    fn backups(&mut self, ending: Option<&str>) {
        let Some(ending) = ending else { return };
        let names = self.inputs.iter().map(|file| backup_name(file, ending));
        let outputs = names.map(|path| Named {
            option: "--backup",
            path,
            has_partial: false,
            replaces: None,
        });
        self.outputs.extend(outputs);
    }

    fn recipe(&mut self, args: &RecipeArgs) {
        self.others.extend(args.recipe.iter().filter_map(|recipe| recipe.file.clone()));
        self.others.extend(args.recipe.iter().flat_map(Recipe::rule_files));
    }

    fn output(&mut self, option: &'static str, path: Option<&PathBuf>) {
        let named = |path: &PathBuf| Named {
            option,
            path: path.clone(),
            has_partial: true,
            replaces: None,
        };
        self.outputs.extend(path.map(named));
    }
}

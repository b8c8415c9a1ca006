//! `iri parse`: splits items into components, and prints them as a picture, as JSON or by a template.

use std::borrow::Cow;
use std::io::{self, Write};
use std::str;

use serde::Serialize;
use simd_iri::batch::Batch;
use simd_iri::{IriRef, Rule};

use crate::args::kind;
use crate::args::output::To;
use crate::args::transform::TransformArgs;
use crate::format::Record;
use crate::io::files::Outputs;
use crate::io::text;
use crate::item_error::ItemError;
use crate::output::report::{self, Failure, Outcome, Place, Style};
use crate::output::template::Template;
use crate::output::{json, picture, screen, summary};
use crate::pipe::sink::Sink;
use crate::pipe::{self, Beside, Item, Options, Worker};
use crate::transform::{self, ItemOutput, Line};

const EXAMPLES: &str = "\
Examples:
  echo 'http://例え.jp:80/a?b#c' | iri parse       draw where the components lie
  iri parse --json links.txt                      a JSON object for every line
  iri parse -g '{host} {path}' links.txt          a table of hosts and paths
  iri parse -g '{host}' --add host --field url list.csv
                                                  the host of each row, in a new column
  find . -type f -print0 | iri parse -0 --json    names that may hold a newline";

/// Take items apart into scheme, authority, path, query and fragment
///
/// Draws each item with the byte offsets of its components. With --json or --get, prints JSON or
/// chosen components instead.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ParseArgs {
    #[command(flatten)]
    pub(super) transform: TransformArgs,

    /// The kind that every item must be
    #[arg(long = "as", value_name = "KIND", value_parser = kind::kind(), default_value = "iri-reference")]
    kind: Rule,

    /// Print chosen components of valid items, such as '{scheme} {host}'
    ///
    /// The names are input, masked (the input with *** in place of a password), origin, scheme, authority, userinfo,
    /// host, host_kind, registrable_domain, port, port_or_default (of the scheme, without a port), path, query,
    /// query:NAME (the value of the first pair with that name), fragment, key and key:LEVEL (the same for references
    /// that iri compare --level LEVEL finds equal), fingerprint and fingerprint:LEVEL (64 bits of a hash of the key),
    /// file and line; an absent component is empty. Without a level, the level is scheme. Write {{ and }} for braces,
    /// \t for a tab, \n for a newline and \\ for a backslash. Invalid items are reported on standard error. With --add,
    /// --to, --in-place and --errors, this text is the result for the item.
    #[arg(short, long, value_name = "TEMPLATE", conflicts_with = "json")]
    get: Option<Template>,
}

pub(crate) fn run(args: &ParseArgs, out: &mut Outputs) -> Result<Outcome, Failure> {
    let terminal = out.is_terminal();
    let TransformArgs { input, json, keep, .. } = &args.transform;
    let option = args.transform.of_results();
    match (&args.get, option.or(keep.map(|_| "--keep"))) {
        (Some(template), _) if option.is_some() => return get(args, template, out),
        (None, Some(option)) => {
            return Err(format!(
                "parse: {option} needs the text that --get makes of an item; add -g '{{host}}'"
            )
            .into());
        }
        _ => {}
    }
    let width = terminal.then(screen::stdout_width);
    let separator = input.separator();
    let print = |place: Place<'_>, item: &Item<'_>, sink: &mut Sink<'_>| {
        let (item, parsed) = match item {
            Ok(item) => (
                &**item,
                match text::ill_formed(place.charset, item) {
                    Some(error) => Err(error),
                    None => IriRef::parse_as_bytes(args.kind, item).map_err(ItemError::from),
                },
            ),
            Err((raw, error)) => (*raw, Err(error.clone())),
        };
        let parsed = parsed.and_then(|iri| {
            args.get.iter().try_for_each(|template| template.check(iri, separator))?;
            Ok(iri)
        });
        sink.tally.count(parsed.is_err());
        if let Err(error) = &parsed {
            sink.tally.kinds.note(error.kind);
        }
        if *json {
            return sink.append(|out| json::append_parsed(out, place, item, parsed));
        }
        match (parsed, &args.get) {
            (Ok(iri), Some(template)) => {
                template.write(sink, (place.name, place.line), iri, terminal)?;
                sink.write_all(&[separator])
            }
            (Ok(iri), None) => sink.append(|out| {
                picture::append(out, iri, width);
                Ok(())
            }),
            (Err(error), Some(_)) => {
                if let Some(keep) = keep {
                    place.write_item(sink, keep.text(item), terminal)?;
                    sink.write_all(&[separator])?;
                }
                sink.remark(place, item, [error])
            }
            (Err(error), None) => {
                // As the pictures of valid items, an error has an excerpt even if the output is a file.
                let style = Style { excerpt: width.or(Some(screen::USUAL)), ..Style::new(width) };
                sink.append(|out| report::append_remarks(out, place, item, [error], style))?;
                writeln!(sink)
            }
        }
    };
    let options = Options { limit: args.transform.limit, ..Options::default() };
    let worker = || -> Worker<'_> {
        let (mut record, print) = (Record::default(), &print);
        Box::new(move |block, sink| {
            let (template, lines) = match (args.get.as_ref(), block.lines()) {
                (Some(template), Some((lines, _)))
                    if block.file.charset.is_none() && !template.has_places() =>
                {
                    (template, lines)
                }
                _ => return pipe::each_item(&mut record, block, sink, print),
            };
            let mut position = block.start();
            for item in Batch::new(args.kind).parse(lines) {
                match item.view().filter(|iri| template.check(*iri, separator).is_ok()) {
                    Some(iri) => {
                        sink.tally.made += 1;
                        sink.append(|out| {
                            template.write(out, ("", 0), iri, terminal)?;
                            out.push(separator);
                            Ok(())
                        })?;
                    }
                    // Only a line that fails needs its place.
                    None => {
                        let place = block.place(&mut position, block.offset_of(item.bytes()));
                        print(place, &Ok(Cow::Borrowed(item.bytes())), sink)?;
                    }
                }
                if sink.is_full() {
                    break;
                }
            }
            Ok(())
        })
    };
    let ended = pipe::run(input, &options, out, Beside::default(), &worker)?;
    if summary::is_asked() {
        out.flush()?;
        let (items, done, failed) = (ended.tally.records(), ended.tally.made, ended.tally.failed);
        let text = format!("{}, {done} done, {failed} failed", report::counted(items, "item"));
        let counts = [("items", items), ("done", done), ("failed", failed)];
        ended.summary(&text, &counts).print();
    }
    Ok(ended.outcome())
}

/// Prints the components of valid items as the results of a command that makes one of each item.
fn get(args: &ParseArgs, template: &Template, out: &mut Outputs) -> Result<Outcome, Failure> {
    let mut transform = args.transform.clone();
    let TransformArgs { input, output, .. } = &mut transform;
    // Without these options, the output is the text alone, a line for each item.
    if !input.null && !output.in_place && output.add.is_none() {
        output.to = output.to.or(Some(To::Lines));
    }
    transform::run(&transform, out, |item, made: &mut Got| {
        let iri = IriRef::parse_as_bytes(args.kind, item)?;
        made.text.clear();
        let Got { text, file, line } = made;
        // A write to memory does not fail. Hidden characters are escaped later, if the text is printed to a terminal.
        let _ = template.write(text, (file, *line), iri, false);
        Ok(())
    })
}

/// The text that a template makes of an item.
#[derive(Default, Serialize)]
struct Got {
    text: Vec<u8>,
    file: String,
    line: u64,
}

impl ItemOutput for Got {
    fn each_line(&self, write: &mut Line<'_>) -> io::Result<()> {
        write(&self.text)
    }

    fn needs_place(&self) -> bool {
        true
    }

    fn at(&mut self, place: Place<'_>) {
        self.file.clear();
        self.file.push_str(place.name);
        self.line = place.line;
    }
}

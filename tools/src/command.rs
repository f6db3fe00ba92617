//! The command line of `cppc`.
//!
//! Input: arguments.
//! Output: a report on standard output, messages on standard error.
//! Postcondition: the exit status is one of those that the help describes.

use crate::display::{self, error_text, is_unseen, styled, BAD};
use crate::exit_status::{self, ExitStatus};
use crate::rehearse::{self, RehearseArguments};
use crate::report::{self, ReportArguments};
use crate::request::{self, CheckpointArguments};
use crate::run::{self, RunArguments};
use crate::select::{self, Ranks, Selection};
use crate::table::{fitted, output_width};
use crate::{convert, diff, list, picture, prune, shape, show, verify};
use anyhow::{Context, Result};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use cppc_runtime::settings::{table, Compression, Writer};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Inspects the state files of programs that use CPPC, and supervises their runs
#[derive(Debug, Parser)]
#[command(name = "cppc", version, after_help = AFTER_HELP)]
pub struct Arguments {
    #[command(subcommand)]
    pub verb: Verb,
}

const AFTER_HELP: &str =
    "PATH is a state directory (the setting `dir`), the directory of an application in it, \
the directory of a process, or one state file. PATH@7 is recovery line 7 in a directory.";

const LIST_HELP: &str =
    "Headers, manifests and indexes are verified. The content is not: `cppc verify` does this.";

const SHOW_HELP: &str = "For a directory, the newest recovery line of rank 0 is shown. A `*` before a name means that the name is that \
of a pointer; its size is the size of the memory that it points to. Statistics include only finite values. For complex numbers, the \
modulus is used.\n\n\
In a picture, the index that varies fastest in memory increases to the right, and the other one downwards. If a pixel stands for \
several elements, it shows the one that differs most from their mean. NaN is red, an infinity is pink. \
With several ranks, each has a tile, and all tiles have the same scale. Only another picture is overwritten.\n\n\
Examples:\n  cppc show                             the newest line of rank 0\n  cppc show cppc-state@7 --rank all     line 7 of all processes\n  \
cppc show -n 'u*' --stats --json      statistics of some registers, as JSON\n  cppc show -n u --plot u.png           a picture of `u`\n  \
cppc show -n u --rank all --plot u.png   the parts of all processes\n  \
cppc show -n v --shape 64x64x64 --slice 32,:,: --plot v.png";

const DIFF_HELP: &str = "Registers are matched by name, procedure and section. Without a tolerance, reals of the same format are equal if \
their bits are equal, and reals of different formats are equal if their values are equal. Pointers are equal if they point to the same \
position. The restart plans are compared too, unless names are given.\n\n\
Examples:\n  cppc diff run1/cppc-state run2/cppc-state\n  cppc diff cppc-state@6 cppc-state@7 -n 'u*'\n  \
cppc diff a.cppc b.cppc --relative 1e-12";

const CONVERT_HELP: &str = "A file becomes a file. A directory becomes a state directory from which a run can be resumed (the setting `dir`). \
Incremental files become full files. The content stays that of the machine that wrote it. Each file is read back and compared before it \
gets its name. Do not replace the files of a running program.\n\n\
Examples:\n  cppc convert cppc-state@7 --to hdf5 -o for-h5py\n  cppc convert line-000007.cppc --to binary --compress lz4 -o small.cppc";

const PRUNE_HELP: &str = "A line is complete if every process has its file, all of one run and one attempt, and all bytes are intact. Base files \
of kept lines stay. Files that are newer than the newest complete line stay too. A program may run at the same time.";

const VERIFY_HELP: &str = "For incremental files, the content in their base files is read too.";

#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Lists applications and their recovery lines
    #[command(after_help = LIST_HELP)]
    List {
        /// State directories, directories in them, or files
        #[arg(default_value = "cppc-state")]
        path: Vec<PathBuf>,
        /// Print the result as JSON
        #[arg(long)]
        json: bool,
    },
    /// Shows the content of state files: registers, their first values and statistics, the restart plan
    #[command(after_help = SHOW_HELP)]
    Show(ShowArguments),
    /// Shows which variables differ between two states, where first, and by how much
    #[command(after_help = DIFF_HELP)]
    Diff(DiffArguments),
    /// Writes states in another format, for example for the tools of HDF5
    #[command(after_help = CONVERT_HELP)]
    Convert(ConvertArguments),
    /// Removes old recovery lines, and keeps the newest complete ones
    #[command(after_help = PRUNE_HELP)]
    Prune {
        /// State directories, directories in them, or files
        #[arg(default_value = "cppc-state")]
        path: Vec<PathBuf>,
        /// How many complete lines to keep
        #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
        keep: u64,
        /// The application, if the directory has several; default: all
        #[arg(long)]
        app: Option<String>,
        /// Also remove files that a resumed run has set aside
        #[arg(long)]
        aside: bool,
        /// Show what would be removed, and remove nothing
        #[arg(long)]
        dry_run: bool,
        /// Do not read the content of the lines that are kept
        #[arg(long)]
        quick: bool,
        /// Print the result as JSON
        #[arg(long)]
        json: bool,
    },
    /// Checks every byte against its checksum
    #[command(after_help = VERIFY_HELP)]
    Verify {
        /// State directories, directories in them, or files
        #[arg(default_value = "cppc-state")]
        path: Vec<PathBuf>,
        /// Print the result as JSON
        #[arg(long)]
        json: bool,
    },
    /// Writes a page about recovery lines and variables, with pictures
    #[command(after_help = report::HELP)]
    Report(ReportArguments),
    /// Runs a program, and starts it again after a failure
    #[command(after_help = run::HELP)]
    Run(RunArguments),
    /// Requests a checkpoint of a running program
    #[command(after_help = request::HELP)]
    Checkpoint(CheckpointArguments),
    /// Tests the restarts of a program: kills it at its checkpoints, and compares the results
    #[command(after_help = rehearse::HELP)]
    Rehearse(RehearseArguments),
}

#[derive(Debug, Args)]
pub struct ConvertArguments {
    /// Files, directories, or lines in them, such as cppc-state@7
    #[arg(required = true)]
    path: Vec<PathBuf>,
    /// The writer: binary, hdf5, or the path of another
    #[arg(long, value_name = "WRITER")]
    to: String,
    /// The file, or the state directory, to write
    #[arg(short, long, value_name = "PATH")]
    output: PathBuf,
    /// How content is compressed: none, lz4, deflate or deflate:1 to deflate:9
    #[arg(long, default_value = "none", value_parser = compression)]
    compress: Compression,
    /// Replace existing files
    #[arg(long)]
    force: bool,
    /// The application, if the directory has several
    #[arg(long)]
    app: Option<String>,
    /// The ranks of the processes, such as 0-3,7, or all
    #[arg(long, value_parser = Ranks::parse, default_value = "all")]
    rank: Ranks,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

fn compression(text: &str) -> Result<Compression, String> {
    table::compression(text)
        .ok_or_else(|| format!("`{text}` is none of none, lz4, deflate and deflate:1 to deflate:9"))
}

#[derive(Debug, Args)]
pub struct DiffArguments {
    /// A file, a directory, or a line in one, such as cppc-state@7
    a: PathBuf,
    /// The state to compare with; for two directories, the newest line that both have is compared
    b: PathBuf,
    /// The application, if the directories have several
    #[arg(long)]
    app: Option<String>,
    /// The ranks of the processes, such as 0-3,7, or all
    #[arg(long, value_parser = Ranks::parse, default_value = "all")]
    rank: Ranks,
    /// Only registers whose name matches one of these, with * and ?
    #[arg(short, long, value_name = "PATTERN")]
    name: Vec<String>,
    /// Maximum absolute difference of numbers that count as equal
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = display::not_negative)]
    tolerance: f64,
    /// Maximum difference of numbers that count as equal, relative to the larger one
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = display::not_negative)]
    relative: f64,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub struct ShowArguments {
    /// State directories, directories in them, or files
    #[arg(default_value = "cppc-state")]
    path: Vec<PathBuf>,
    /// The application, if the directory has several
    #[arg(long)]
    app: Option<String>,
    /// The recovery line; default: the newest one
    #[arg(long)]
    line: Option<u64>,
    /// The ranks of the processes, such as 0-3,7, or all
    #[arg(long, value_parser = Ranks::parse, default_value = "0")]
    rank: Ranks,
    /// Only registers whose name matches one of these, with * and ?
    #[arg(short, long, value_name = "PATTERN")]
    name: Vec<String>,
    /// How many values of each register to show
    #[arg(long, default_value_t = 4)]
    values: usize,
    /// Whether to read all values for minimum, mean and maximum
    #[arg(long, value_name = "WHEN", num_args = 0..=1, require_equals = true, default_value = "auto", default_missing_value = "yes")]
    stats: show::Statistics,
    /// The shape of registers with the same number of elements, such as 100x200, in the order of the program's declaration
    #[arg(long, value_parser = shape::Extents::parse)]
    shape: Option<shape::Extents>,
    /// Draw the named array, or the largest one, as a PNG picture (`-`: to standard output), and show nothing else
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    plot: Option<PathBuf>,
    /// The field of a structure to draw
    #[arg(long, requires = "plot")]
    field: Option<String>,
    /// The plane to draw of an array with three or more dimensions, such as 5,:,: with the program's own subscripts; default: the middle
    #[arg(long, requires = "plot", allow_hyphen_values = true, value_parser = picture::Slice::parse)]
    slice: Option<picture::Slice>,
    /// Use a logarithmic scale for the colours
    #[arg(long, requires = "plot")]
    log: bool,
    /// The values at the ends of the scale; default: the minimum and the maximum
    #[arg(long, requires = "plot", value_name = "LOW:HIGH", allow_hyphen_values = true, value_parser = range)]
    range: Option<(f64, f64)>,
    /// Draw the first row at the bottom
    #[arg(long, requires = "plot")]
    upwards: bool,
    /// With several processes: the number of tiles in a row of the picture; default: the picture is nearly square
    #[arg(long, requires = "plot", value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    columns: Option<u16>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

fn range(text: &str) -> Result<(f64, f64), String> {
    let parts = text.split_once(':').and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    let is_range = |&(low, high): &(f64, f64)| low.is_finite() && high.is_finite() && low < high;
    parts.filter(is_range).ok_or_else(|| format!("`{text}` is not a range: write for example 0:1"))
}

/// The definition of the command line, for parsing and for the manual pages.
pub fn command() -> clap::Command {
    exit_status::with_help(Arguments::command()).mut_subcommands(exit_status::with_help)
}

pub fn main() -> ExitCode {
    let matches = command().get_matches();
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    match execute(&arguments.verb, output_width()) {
        Ok(Done::Report(report, good)) => match write(&report) {
            Ok(()) if good => ExitStatus::Success.into(),
            Ok(()) => ExitStatus::Fault.into(),
            Err(error) => fail(&anyhow::Error::from(error).context("cannot write the report")),
        },
        Ok(Done::Program(status)) => ExitCode::from(status),
        Err(error) => fail(&error),
    }
}

/// The result of a command.
#[derive(Debug)]
pub enum Done {
    /// A report, and whether all is well.
    Report(String, bool),
    /// The exit status of a program.
    Program(u8),
}

/// The width of reports that repeat lines of the program.
const UNBROKEN: usize = u16::MAX as usize;

/// Executes a command. Lines of reports for people are not wider than `width`.
pub fn execute(verb: &Verb, width: usize) -> Result<Done> {
    let (report, good) = match verb {
        Verb::Run(arguments) => return run::run(arguments).map(Done::Program),
        Verb::Checkpoint(arguments) => request::request(arguments)?,
        Verb::Rehearse(arguments) => {
            let report = rehearse::rehearse(arguments)?;
            if let Some(path) = &arguments.junit {
                std::fs::write(path, report.junit())
                    .with_context(|| format!("cannot write `{}`", path.display()))?;
            }
            (render(&report, arguments.json, UNBROKEN)?, report.is_good())
        }
        Verb::List { path, json } => {
            let report = list::list(path)?;
            (render(&report, *json, width)?, true)
        }
        Verb::Show(arguments) => {
            let selection =
                Selection { app: arguments.app.clone(), line: arguments.line, ranks: arguments.rank.clone() };
            if let Some(output) = &arguments.plot {
                return Ok(Done::Report(plot(arguments, &selection, output)?, true));
            }
            let wanted = show::ShowOptions {
                selection,
                names: arguments.name.clone(),
                values: arguments.values,
                statistics: arguments.stats,
                shape: arguments.shape.clone().map(|extents| extents.0),
            };
            let report = show::show(&arguments.path, &wanted)?;
            (render(&report, arguments.json, width)?, report.is_good())
        }
        Verb::Report(arguments) => report::report(arguments)?,
        Verb::Diff(arguments) => {
            let wanted = diff::DiffOptions {
                app: arguments.app.clone(),
                ranks: arguments.rank.clone(),
                names: arguments.name.clone(),
                tolerance: diff::Tolerance { absolute: arguments.tolerance, relative: arguments.relative },
            };
            let report = diff::diff(&arguments.a, &arguments.b, &wanted)?;
            (render(&report, arguments.json, width)?, report.equal)
        }
        Verb::Convert(arguments) => {
            let wanted = convert::ConvertOptions {
                writer: if arguments.to == "binary" {
                    Writer::Binary
                } else {
                    Writer::Plugin(arguments.to.clone())
                },
                compress: arguments.compress,
                output: arguments.output.clone(),
                force: arguments.force,
                app: arguments.app.clone(),
                ranks: arguments.rank.clone(),
            };
            let report = convert::convert(&arguments.path, &wanted)?;
            (render(&report, arguments.json, width)?, report.problems.is_empty())
        }
        Verb::Prune { path, keep, app, aside, dry_run, quick, json } => {
            let wanted = prune::PruneOptions {
                keep: *keep,
                app: app.clone(),
                aside: *aside,
                dry_run: *dry_run,
                quick: *quick,
            };
            let report = prune::prune(path, &wanted)?;
            (render(&report, *json, width)?, report.is_good())
        }
        Verb::Verify { path, json } => {
            let report = verify::verify(path)?;
            (render(&report, *json, width)?, report.good)
        }
    };
    Ok(Done::Report(report, good))
}

fn plot(arguments: &ShowArguments, selection: &Selection, output: &Path) -> Result<String> {
    let mut files = Vec::new();
    for path in &arguments.path {
        files.extend(select::files(path, selection)?);
    }
    let described = files.iter().map(|file| show::open(file).map_err(anyhow::Error::msg));
    let described = described.collect::<Result<Vec<_>>>()?;
    let wanted = picture::PlotOptions {
        names: arguments.name.clone(),
        field: arguments.field.clone(),
        shape: arguments.shape.clone().map(|extents| extents.0),
        slice: arguments.slice.clone(),
        log: arguments.log,
        range: arguments.range,
        upwards: arguments.upwards,
        columns: arguments.columns.map(usize::from),
    };
    let said = picture::plot(&described, &wanted, output)?;
    Ok(if said.is_empty() { said } else { said + "\n" })
}

fn render<T: serde::Serialize + std::fmt::Display>(report: &T, json: bool, width: usize) -> Result<String> {
    if !json {
        return Ok(fitted(&format!("{report:width$}"), width));
    }
    let text = serde_json::to_string_pretty(report)?;
    // Invisible characters occur only in names, which are JSON strings.
    let mut shown = String::with_capacity(text.len() + 1);
    for letter in text.chars() {
        if letter != '\n' && is_unseen(letter) {
            let mut units = [0; 2];
            for unit in letter.encode_utf16(&mut units) {
                write!(shown, "\\u{unit:04x}")?;
            }
        } else {
            shown.push(letter);
        }
    }
    Ok(shown + "\n")
}

/// A reader that has seen enough closes the pipe; that is not an error. Colours are omitted if standard output
/// is not a terminal.
fn write(report: &str) -> io::Result<()> {
    let mut output = anstream::stdout().lock();
    match output.write_all(report.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

fn fail(error: &anyhow::Error) -> ExitCode {
    anstream::eprintln!("{}: {}", styled("cppc", BAD), error_text(error));
    ExitStatus::NotExecuted.into()
}

//! The command line of `cppc-pp`.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use cppc_abi::exit_statuses::help;
use cppc_grammar::directive::Added;

use crate::driver::{Automatic, Check, Request, Unknown, Warnings};
use crate::front::Source;
use crate::spell::c::Dispatch;

/// Rewrites the cppc directives of C and Fortran sources into calls, labels and conditional jumps.
///
/// Give all files of a program at once, so that calls from one file to another are found.
#[derive(Debug, Parser)]
#[command(name = "cppc-pp", version, about, max_term_width = 100, after_help = help("cppc-pp"))]
pub struct Arguments {
    /// The sources of the program.
    #[arg(required_unless_present = "explain", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The file for the rewritten source (only for one source; `-` or no option: standard output).
    #[arg(short, long, value_name = "OUT", conflicts_with = "out_dir")]
    pub output: Option<PathBuf>,
    /// The directory for the rewritten sources, which keep their names.
    #[arg(long, value_name = "DIR")]
    pub out_dir: Option<PathBuf>,
    /// Adds a directory to search for headers.
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<OsString>,
    /// Defines a macro.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<OsString>,
    /// Undefines a macro.
    #[arg(short = 'U', value_name = "NAME")]
    pub undefine: Vec<OsString>,
    /// Passes an option to the compiler when it is asked for its macros (`-std=c99`, `-ffixed-line-length-132`).
    #[arg(long = "cc-option", value_name = "OPTION", allow_hyphen_values = true)]
    pub options: Vec<OsString>,
    /// The C compiler that will compile the result, and that has the headers.
    #[arg(long, value_name = "CC", default_value = "cc", env = "CPPC_CC")]
    pub cc: OsString,
    /// The Fortran compiler that will compile the result.
    #[arg(long, value_name = "FC", default_value = "gfortran", env = "CPPC_FC")]
    pub fc: OsString,
    /// The form of jumps in a restart: a `switch` of gotos, or the computed goto of GNU C.
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    pub dispatch: DispatchForm,
    /// How diagnostics are written.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub message_format: MessageFormat,
    /// Writes `#line` directives, so that the compiler's messages refer to the original.
    #[arg(long)]
    pub line_markers: bool,
    /// Prints what a diagnostic means and what to do about it (`C0413`), and does nothing else.
    #[arg(long, value_name = "CODE")]
    pub explain: Option<String>,
    /// Adds the directives that the program needs. By default, this is done if a source has the directive `auto(…)`, with
    /// one of these words.
    #[arg(long, value_enum, value_name = "WHAT", env = "CPPC_AUTO")]
    pub auto: Option<AutoName>,
    /// Writes a patch that adds these directives to the sources, and no translation (`-`: standard output).
    #[arg(long, value_name = "PATCH", env = "CPPC_ANNOTATE")]
    pub annotate: Option<PathBuf>,
    /// Whether to warn if a restart does not restore what the program needs after a checkpoint [default: live, if the
    /// sources contain the main program].
    #[arg(long, value_enum, value_name = "ANALYSIS", env = "CPPC_CHECK", value_delimiter = ',')]
    pub check: Vec<CheckName>,
    /// Reads the effects of procedures without source from a file, see docs/catalogue.md (can be repeated).
    #[arg(long, value_name = "FILE", env = "CPPC_CATALOGUE", value_delimiter = ':')]
    pub catalogue: Vec<PathBuf>,
    /// What the analyses do if they do not know what a call or a construct does.
    #[arg(long, value_enum, default_value_t, value_name = "ACTION", env = "CPPC_UNKNOWN")]
    pub unknown: UnknownName,
    /// Which warnings of the analyses are reported.
    #[arg(long, value_enum, default_value_t, value_name = "WHICH", env = "CPPC_WARN")]
    pub warn: WarnName,
    /// Follows communications with these numbers of processes, separated by commas, see docs/safe-points.md.
    #[arg(long, value_name = "NUMBERS", env = "CPPC_RANKS", value_delimiter = ',',
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub ranks: Vec<u16>,
    /// Prints the result of a stage, and writes nothing else.
    #[arg(long, value_enum, value_name = "STAGE")]
    pub dump: Option<Stage>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum DispatchForm {
    #[default]
    Switch,
    Computed,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    #[default]
    Text,
    /// One object per line.
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Stage {
    Tokens,
    Tree,
    Model,
    Facts,
    Plan,
    /// The flow graphs that analyses read.
    Flow,
    /// What is live, lost and registered at each checkpoint.
    Live,
    /// Whether messages are in transit at each checkpoint.
    SafePoints,
    /// The work of each loop, and the loops that get automatic checkpoints.
    Loops,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AutoName {
    /// No directive, even if a source has `auto(register)`.
    None,
    /// Everything but `checkpoint`.
    Register,
    /// `checkpoint` in the loops with most work, if the program has none.
    Checkpoint,
    /// Everything.
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CheckName {
    /// The directives are not checked.
    None,
    /// Warn if a value is read after a checkpoint and nothing restores it.
    Live,
    /// For `cppc-cc`, which links the check of messages. It needs no translation.
    Messages,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum UnknownName {
    /// Assume the worst.
    #[default]
    Live,
    /// Report an error, and translate nothing.
    Stop,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum WarnName {
    /// Those that are probably right.
    #[default]
    Usual,
    /// Also those that may be wrong, and each procedure without entry in the catalogue.
    All,
}

impl Arguments {
    /// The translation request. `words` are those of the command line: they give the order of options of
    /// different kinds, which matters to the compiler.
    pub fn request(&self, words: &[OsString]) -> Request {
        let mut flags = in_order(words);
        flags.extend(self.options.iter().cloned());
        let source = |path: &PathBuf| Source { path: path.clone(), flags: flags.clone() };
        Request {
            compiler: self.cc.clone(),
            fortran_compiler: self.fc.clone(),
            sources: self.files.iter().map(source).collect(),
            dispatch: match self.dispatch {
                DispatchForm::Switch => Dispatch::Switch,
                DispatchForm::Computed => Dispatch::Computed,
            },
            line_markers: self.line_markers,
            whole: true,
            is_library: false,
            check: Check::of_options(
                self.check.contains(&CheckName::Live),
                self.check.contains(&CheckName::None),
            ),
            automatic: match (self.auto, &self.annotate) {
                (Some(AutoName::All), _) => Automatic::Add(Added::All),
                (Some(AutoName::Checkpoint), _) => Automatic::Add(Added::Checkpoints),
                (Some(AutoName::Register), _) | (_, Some(_)) => Automatic::Add(Added::Others),
                (Some(AutoName::None), None) => Automatic::Never,
                (None, None) => Automatic::AsWritten,
            },
            unknown: match self.unknown {
                UnknownName::Live => Unknown::Live,
                UnknownName::Stop => Unknown::Stop,
            },
            warnings: match self.warn {
                WarnName::Usual => Warnings::Usual,
                WarnName::All => Warnings::All,
            },
            ranks: self.ranks.iter().map(|&ranks| usize::from(ranks)).collect(),
            catalogues: self.catalogue.clone(),
        }
    }
}

/// Separates options that are only for the compiler: `-fopenmp`, `-std=c99`, `-isystem DIR`.
pub(super) fn split(words: Vec<OsString>) -> (Vec<OsString>, Vec<OsString>) {
    const WITH_VALUE: [&str; 8] =
        ["-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-x", "-J", "-module-dir"];
    const ALONE: [&str; 6] = ["-ansi", "-pthread", "-pedantic", "-nostdinc", "-cpp", "-nocpp"];
    const BEGINNINGS: [&str; 8] = ["-f", "-m", "-std=", "-O", "-W", "-g", "-x", "-J"];
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let mut words = words.into_iter();
    ours.extend(words.next());
    while let Some(word) = words.next() {
        let text = word.to_string_lossy().into_owned();
        if text == "--" {
            ours.push(word);
            ours.extend(words.by_ref());
        } else if WITH_VALUE.contains(&text.as_str()) {
            theirs.push(word);
            theirs.extend(words.next());
        } else if matches!(text.as_str(), "-o" | "-I" | "-D" | "-U")
            || (text.starts_with("--") && !text.contains('='))
        {
            ours.push(word);
            let flag = text == "--line-markers" || text == "--help" || text == "--version";
            ours.extend(if flag { None } else { words.next() });
        } else if ALONE.contains(&text.as_str()) || BEGINNINGS.iter().any(|b| text.starts_with(b)) {
            theirs.push(word);
        } else {
            ours.push(word);
        }
    }
    (ours, theirs)
}

/// The `-I`, `-D` and `-U` options, each as one word.
fn in_order(words: &[OsString]) -> Vec<OsString> {
    let mut flags = Vec::new();
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        let bytes = word.as_encoded_bytes();
        if bytes == b"--" {
            break;
        }
        let Some(letter @ (b'I' | b'D' | b'U')) = bytes.strip_prefix(b"-").and_then(|b| b.first()) else {
            continue;
        };
        if bytes.len() > 2 {
            flags.push(word.clone());
        } else if let Some(value) = words.next() {
            let mut flag = OsString::from(format!("-{}", *letter as char));
            flag.push::<&OsStr>(value);
            flags.push(flag);
        }
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_checked_unless_that_is_switched_off() {
        let check = |options: &[&str]| {
            let words: Vec<OsString> = ["cppc-pp", "a.c"].iter().chain(options).map(OsString::from).collect();
            Arguments::try_parse_from(&words).expect("valid options").request(&words).check
        };
        assert_eq!(check(&["--check=live"]), Check::Live);
        assert_eq!(check(&["--check=none"]), Check::None);
        if std::env::var_os("CPPC_CHECK").is_none() {
            assert_eq!(check(&[]), Check::Live);
        }
    }
}

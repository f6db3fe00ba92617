//! What `cppc-cc` is told for itself: options that begin with `--cppc-`, and the environment.
//!
//! In: a command line. Out: our own options, and the command line without them. Holds afterwards:
//! nothing that begins with `--cppc-` reaches the compiler; one table feeds the parser, the help
//! and the manual page.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, Command};

use super::seam::Dispatch;
use super::Failure;

/// What our options and the environment say.
#[derive(Debug)]
pub struct Own {
    /// Said by the user; at a link otherwise that of the objects.
    pub dispatch: Option<Dispatch>,
    pub verbose: bool,
    pub shared: bool,
    /// Said by the user; otherwise found out.
    pub mpi: Option<bool>,
    /// Where translated files are kept.
    pub keep: Option<PathBuf>,
    pub asks: Option<Asks>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asks {
    Help,
    Version,
}

const ABOUT: &str = "Compile, with the directives of CPPC translated";
const LONG_ABOUT: &str = "\
Stands in for a C compiler: takes its command line, translates the sources that carry `#pragma cppc` \
directives or call procedures that do, compiles, and links with the runtime of CPPC. Everything that \
does not begin with `--cppc-` is the compiler's: `CC=cppc-cc` works for Makefiles, autotools and CMake.

With `-c` each object keeps a record of how it was made. When objects are linked, the program is \
looked at as a whole, and those that turn out to call instrumented procedures of other files are \
compiled again, into temporary files.";
const AFTER: &str = "\
Environment:
  CPPC_CC      the compiler behind it, with options if need be [default: cc];
               with an MPI compiler such as `mpicc` programs are linked with `libcppc_mpi`
  CPPC_PREFIX  where CPPC is installed [default: found from the place of this program]

Exit codes: the compiler's own; 1 when a directive has a mistake; 2 when something could not run";

/// The definition of our own options.
pub fn command() -> Command {
    let flag = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
    };
    let value = |name: &'static str, shown: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(shown).help(help).require_equals(true)
    };
    Command::new("cppc-cc")
        .about(ABOUT)
        .long_about(LONG_ABOUT)
        .after_help(AFTER)
        .version(env!("CARGO_PKG_VERSION"))
        .override_usage("cppc-cc [COMPILER OPTION | FILE | --cppc-OPTION]...")
        .disable_help_flag(true)
        .disable_version_flag(true)
        .arg(
            value("cppc-dispatch", "FORM", "How generated code jumps [default: switch; at a link, that of the objects]")
                .value_parser(PossibleValuesParser::new(["switch", "computed"])),
        )
        .arg(value("cppc-keep", "DIR", "Keep the translated files in DIR"))
        .arg(
            value("cppc-mpi", "ANSWER", "Whether to link with libcppc_mpi [default: found out from the compiler]")
                .value_parser(PossibleValuesParser::new(["yes", "no"])),
        )
        .arg(flag("cppc-shared", "Link with the shared runtime, not the static one"))
        .arg(flag("cppc-verbose", "Say what is translated and which commands are run"))
        .arg(flag("cppc-help", "Print this help"))
        .arg(flag("cppc-version", "Print the version of CPPC"))
}

impl Own {
    /// Takes our options out of a command line.
    pub fn take(arguments: Vec<OsString>) -> Result<(Own, Vec<OsString>), Failure> {
        let (ours, theirs): (Vec<_>, Vec<_>) = arguments
            .into_iter()
            .partition(|argument| argument.as_encoded_bytes().starts_with(b"--cppc-"));
        let name = OsString::from("cppc-cc");
        let matches = command()
            .try_get_matches_from(std::iter::once(name).chain(ours))
            .map_err(|error| Failure::CannotRun(error.to_string().trim_end().trim_start_matches("error: ").to_owned()))?;
        let text = |name: &str| matches.get_one::<String>(name).map(String::as_str);
        let own = Own {
            dispatch: text("cppc-dispatch").map(|form| match form {
                "computed" => Dispatch::Computed,
                _ => Dispatch::Switch,
            }),
            verbose: matches.get_flag("cppc-verbose"),
            shared: matches.get_flag("cppc-shared"),
            mpi: text("cppc-mpi").map(|answer| answer == "yes"),
            keep: text("cppc-keep").map(PathBuf::from),
            asks: match () {
                () if matches.get_flag("cppc-help") => Some(Asks::Help),
                () if matches.get_flag("cppc-version") => Some(Asks::Version),
                () => None,
            },
        };
        Ok((own, theirs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(line: &[&str]) -> Result<(Own, Vec<OsString>), Failure> {
        Own::take(line.iter().map(OsString::from).collect())
    }

    #[test]
    fn our_options_are_taken_out_wherever_they_stand() {
        let (own, rest) = take(&["-O2", "--cppc-dispatch=computed", "a.c", "--cppc-verbose"]).unwrap();
        assert_eq!(own.dispatch, Some(Dispatch::Computed));
        assert!(own.verbose && !own.shared);
        assert_eq!(rest, ["-O2", "a.c"]);
    }

    #[test]
    fn an_unknown_option_of_ours_is_an_error_with_a_suggestion() {
        let Err(Failure::CannotRun(message)) = take(&["--cppc-dispach=switch"]) else { panic!() };
        assert!(message.contains("--cppc-dispatch"), "{message}");
    }
}

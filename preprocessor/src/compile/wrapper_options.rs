//! The options of the wrapper itself, which begin with `--cppc-`.
//!
//! Input: a command line.
//! Output: the options of the wrapper, and the command line without them.
//! Postcondition: nothing that begins with `--cppc-` reaches the compiler. One table defines the parser, the
//! help and the manual page.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, Command};

use super::request::{Analyses, Dispatch};
use super::wrapper::Wrapper;
use super::Failure;
use cppc_grammar::directive::Added;

use crate::driver::{Automatic, Check, Unknown, Warnings};

/// The values of the wrapper's own options.
#[derive(Debug)]
pub struct WrapperOptions {
    /// The command of the compiler, set by the user.
    pub compiler: Option<OsString>,
    /// Set by the user. If it is `None`, a link uses the value of the objects.
    pub dispatch: Option<Dispatch>,
    pub verbose: bool,
    pub shared: bool,
    /// Record the allocations of the program, even if no register needs them.
    pub allocations: bool,
    /// Link the layer that counts messages.
    pub messages: bool,
    /// Set by the user. If it is `None`, it is detected.
    pub mpi: Option<bool>,
    /// The directory in which translated files are kept.
    pub keep: Option<PathBuf>,
    pub analyses: Analyses,
    pub information: Option<Information>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Information {
    Help,
    Version,
    /// The page of a diagnostic.
    Page(String),
}

/// The definition of the wrapper's own options.
pub fn command(wrapper: &Wrapper) -> Command {
    let flag = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
    };
    let value = |name: &'static str, shown: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(shown).help(help).require_equals(true)
    };
    Command::new(wrapper.name)
        .about(wrapper.about)
        .long_about(wrapper.long_about)
        .after_help(format!("{}\n\n{}", wrapper.after, cppc_abi::exit_statuses::help(wrapper.name)))
        .version(env!("CARGO_PKG_VERSION"))
        .override_usage(format!("{} [COMPILER OPTION | FILE | --cppc-OPTION]...", wrapper.name))
        .disable_help_flag(true)
        .disable_version_flag(true)
        .arg(flag("cppc-allocations", "Record allocations, so that checkpoints report registered memory that was freed"))
        .arg(
            value("cppc-dispatch", "FORM", "The form of jumps in generated code [default: switch; when linking, the form of the objects]")
                .value_parser(PossibleValuesParser::new(["switch", "computed"])),
        )
        .arg(
            value("cppc-annotate", "PATCH", "When linking, also write a patch that adds the missing directives to the sources")
                .env("CPPC_ANNOTATE"),
        )
        .arg(
            value("cppc-auto", "WHAT", "When linking, add the directives that the program needs: all but `checkpoint` (register), `checkpoint` in the loops with most work, or all [default: the word of `auto(…)` in a source]")
                .value_parser(PossibleValuesParser::new(["none", "register", "checkpoint", "all"]))
                .env("CPPC_AUTO"),
        )
        .arg(
            value("cppc-catalogue", "FILE", "Read the effects of procedures without source from FILE, see docs/catalogue.md (can be repeated)")
                .action(ArgAction::Append)
                .value_delimiter(':')
                .env("CPPC_CATALOGUE"),
        )
        .arg(
            value("cppc-cc", "COMPILER", "The compiler, with options if needed")
                .value_parser(clap::value_parser!(OsString)),
        )
        .arg(
            value("cppc-check", "WHAT", "When linking, check that a restart restores what the program needs after a checkpoint (live), or do not check it (none); add the check of messages to an MPI program (messages) [default: live]")
                .value_parser(PossibleValuesParser::new(["none", "live", "messages"]))
                .action(ArgAction::Append)
                .value_delimiter(',')
                .env("CPPC_CHECK"),
        )
        .arg(value("cppc-explain", "CODE", "Print what a diagnostic means and what to do about it"))
        .arg(value("cppc-keep", "DIR", "Keep the translated files in DIR"))
        .arg(
            value("cppc-mpi", "ANSWER", "Whether to link with libcppc_mpi [default: depends on the compiler]")
                .value_parser(PossibleValuesParser::new(["yes", "no"])),
        )
        .arg(
            value("cppc-ranks", "NUMBERS", "Follow communications with these numbers of processes, separated by commas")
                .value_parser(clap::value_parser!(u16).range(1..=1024))
                .value_delimiter(',')
                .env("CPPC_RANKS"),
        )
        .arg(flag("cppc-shared", "Link with the shared runtime instead of the static one"))
        .arg(
            value("cppc-unknown", "ACTION", "What the analyses do if they do not know what a call does: assume the worst (live), or report an error (stop)")
                .value_parser(PossibleValuesParser::new(["live", "stop"]))
                .env("CPPC_UNKNOWN"),
        )
        .arg(
            value("cppc-warn", "WHICH", "With `all`: report also warnings that may be wrong, and each procedure without entry in the catalogue")
                .value_parser(PossibleValuesParser::new(["usual", "all"]))
                .env("CPPC_WARN"),
        )
        .arg(flag("cppc-launcher", "The first word that is not an option of the wrapper is the compiler, as build systems write launchers"))
        .arg(flag("cppc-verbose", "Print what is translated and which commands are run"))
        .arg(flag("cppc-help", "Print this help"))
        .arg(flag("cppc-version", "Print the version of CPPC"))
}

impl WrapperOptions {
    /// Separates the options of the wrapper from a command line.
    pub fn take(
        wrapper: &Wrapper,
        arguments: Vec<OsString>,
    ) -> Result<(WrapperOptions, Vec<OsString>), Failure> {
        let (ours, mut theirs): (Vec<_>, Vec<_>) =
            arguments.into_iter().partition(|argument| argument.as_encoded_bytes().starts_with(b"--cppc-"));
        if let Some(option) = theirs.iter().find_map(|argument| of_precompiler(argument)) {
            let message = format!("`--{option}` is an option of cppc-pp: write `--cppc-{option}`");
            return Err(Failure::CannotRun(message));
        }
        let name = OsString::from(wrapper.name);
        let matches =
            command(wrapper).try_get_matches_from(std::iter::once(name).chain(ours)).map_err(|error| {
                Failure::CannotRun(error.to_string().trim_end().trim_start_matches("error: ").to_owned())
            })?;
        let text = |name: &str| matches.get_one::<String>(name).map(String::as_str);
        let chosen = matches.get_one::<OsString>("cppc-cc").filter(|name| !name.is_empty()).cloned();
        let compiler = match matches.get_flag("cppc-launcher") {
            false => chosen,
            true if theirs.is_empty() => {
                return Err(Failure::CannotRun(
                    "`--cppc-launcher` needs a compiler as the next word".to_owned(),
                ));
            }
            true => Some(theirs.remove(0)),
        };
        let checks: Vec<&str> = matches
            .get_many::<String>("cppc-check")
            .map_or(Vec::new(), |checks| checks.map(String::as_str).collect());
        let own = WrapperOptions {
            compiler,
            dispatch: text("cppc-dispatch").map(|form| match form {
                "computed" => Dispatch::Computed,
                _ => Dispatch::Switch,
            }),
            verbose: matches.get_flag("cppc-verbose"),
            shared: matches.get_flag("cppc-shared"),
            allocations: matches.get_flag("cppc-allocations"),
            messages: checks.contains(&"messages"),
            mpi: text("cppc-mpi").map(|answer| answer == "yes"),
            keep: text("cppc-keep").map(PathBuf::from),
            analyses: Analyses {
                check: Check::of_options(checks.contains(&"live"), checks.contains(&"none")),
                automatic: match (text("cppc-auto"), text("cppc-annotate")) {
                    (Some("all"), _) => Automatic::Add(Added::All),
                    (Some("checkpoint"), _) => Automatic::Add(Added::Checkpoints),
                    (Some("register"), _) | (_, Some(_)) => Automatic::Add(Added::Others),
                    (Some(_), None) => Automatic::Never,
                    (None, None) => Automatic::AsWritten,
                },
                unknown: match text("cppc-unknown") {
                    Some("stop") => Unknown::Stop,
                    _ => Unknown::Live,
                },
                warnings: match text("cppc-warn") {
                    Some("all") => Warnings::All,
                    _ => Warnings::Usual,
                },
                ranks: matches
                    .get_many::<u16>("cppc-ranks")
                    .map_or(Vec::new(), |ranks| ranks.map(|&ranks| usize::from(ranks)).collect()),
                catalogues: matches
                    .get_many::<String>("cppc-catalogue")
                    .map_or(Vec::new(), |files| files.map(PathBuf::from).collect()),
                patch: text("cppc-annotate").map(PathBuf::from),
            },
            information: match () {
                () if matches.get_flag("cppc-help") => Some(Information::Help),
                () if matches.get_flag("cppc-version") => Some(Information::Version),
                () => text("cppc-explain").map(|code| Information::Page(code.to_owned())),
            },
        };
        Ok((own, theirs))
    }
}

/// The option without dashes, if the argument is an option of cppc-pp that no compiler has.
fn of_precompiler(argument: &OsString) -> Option<&'static str> {
    const OPTIONS: [&str; 7] = ["annotate", "auto", "catalogue", "check", "dispatch", "explain", "ranks"];
    let word = argument.to_str()?.strip_prefix("--")?.split('=').next()?;
    OPTIONS.into_iter().find(|option| *option == word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::wrapper::CPPC_CC;

    fn take(line: &[&str]) -> Result<(WrapperOptions, Vec<OsString>), Failure> {
        WrapperOptions::take(&CPPC_CC, line.iter().map(OsString::from).collect())
    }

    #[test]
    fn our_options_are_taken_out_wherever_they_stand() {
        let (own, rest) = take(&["-O2", "--cppc-dispatch=computed", "a.c", "--cppc-verbose"]).unwrap();
        assert_eq!(own.dispatch, Some(Dispatch::Computed));
        assert!(own.verbose && !own.shared);
        assert_eq!(rest, ["-O2", "a.c"]);
    }

    #[test]
    fn directives_are_checked_unless_that_is_switched_off() {
        let check = |line: &[&str]| take(line).map(|(own, _)| own.analyses.check).unwrap();
        assert_eq!(check(&["--cppc-check=live"]), Check::Live);
        assert_eq!(check(&["--cppc-check=none"]), Check::None);
        assert_eq!(check(&["--cppc-check=messages"]), Check::Live);
        assert_eq!(check(&["--cppc-check=none,messages"]), Check::None);
        assert!(take(&["--cppc-check=none,messages"]).unwrap().0.messages);
        if std::env::var_os("CPPC_CHECK").is_none() {
            assert_eq!(check(&[]), Check::Live);
        }
    }

    #[test]
    fn the_compiler_may_have_options() {
        let (own, rest) = take(&["--cppc-cc=ccache mpicc", "-c", "a.c"]).unwrap();
        assert_eq!(own.compiler, Some("ccache mpicc".into()));
        assert_eq!(rest, ["-c", "a.c"]);
    }

    #[test]
    fn a_launcher_takes_the_compiler_from_the_line() {
        let (own, rest) = take(&["--cppc-launcher", "--cppc-verbose", "/opt/bin/gcc", "-c", "a.c"]).unwrap();
        assert_eq!(own.compiler, Some("/opt/bin/gcc".into()));
        assert_eq!(rest, ["-c", "a.c"]);
        assert!(take(&["--cppc-launcher"]).is_err());
    }

    #[test]
    fn an_unknown_option_of_ours_is_an_error_with_a_suggestion() {
        let Err(Failure::CannotRun(message)) = take(&["--cppc-dispach=switch"]) else { panic!() };
        assert!(message.contains("--cppc-dispatch"), "{message}");
    }

    #[test]
    fn an_option_of_the_precompiler_is_an_error_with_the_name_that_it_has_here() {
        let Err(Failure::CannotRun(message)) = take(&["--auto=register", "a.c"]) else { panic!() };
        assert!(message.contains("write `--cppc-auto`"), "{message}");
        assert!(take(&["--version", "-Wl,--check-sections", "a.c"]).is_ok());
    }
}

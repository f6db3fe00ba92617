//! Tasks of the house: what `make` calls and what needs more than a line of shell.
//!
//! In: a task's name and its options. Out: the task done, narrated on standard output. Holds
//! afterwards: nothing outside the target directory and the given prefix has changed, but for
//! `headers` and `pages`, which rewrite the committed files that are made from tables.

mod workspace;

mod archive;

mod demo;
mod headers;
mod install;
mod pages;
mod stage;
mod portable;
mod tidy;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use workspace::Workspace;

/// Tasks of the house
#[derive(Parser)]
#[command(name = "cargo xtask")]
enum Task {
    /// Check what the compiler does not: order of modules, headers, sizes, words
    Tidy,
    /// Make `cppc.h` from the table of calls
    Headers {
        /// Only say whether the committed file is up to date
        #[arg(long)]
        check: bool,
    },
    /// Make the manual pages from the command line definitions
    Pages {
        /// Only say whether the committed files are up to date
        #[arg(long)]
        check: bool,
    },
    /// Build everything and lay it out under a prefix
    Install {
        /// Where to: `DIR/bin`, `DIR/lib`, `DIR/include`, `DIR/share`
        #[arg(long, value_name = "DIR")]
        prefix: PathBuf,
        /// The cargo profile to build with
        #[arg(long, value_name = "NAME", default_value = "release")]
        profile: String,
    },
    /// Install into `target/stage`, for the demo and the tests
    Stage {
        /// With MPICH beside another MPI: its libraries too, into `target/stage-mpich`
        #[arg(long)]
        every_mpi: bool,
    },
    /// Every test of the workspace, with `cargo nextest` when it is there
    Test,
    /// Stop programs on one kind of machine and let them go on on another
    CheckPortable {
        /// Instead, leave the state files that the tests keep for ever here
        #[arg(long, value_name = "DIR")]
        golden: Option<PathBuf>,
        /// Only these programs
        #[arg(value_name = "PROGRAM")]
        programs: Vec<String>,
    },
    /// Generate random programs, translate them, kill them, resume them and compare
    #[command(disable_help_flag = true)]
    Random {
        /// `--help` lists them
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Translate, run, kill and resume the heat example
    Demo,
}

fn main() -> ExitCode {
    let outcome = Workspace::find().and_then(|workspace| match Task::parse() {
        Task::Tidy => tidy::run(&workspace),
        Task::Headers { check } => headers::run(&workspace, check),
        Task::Pages { check } => pages::run(&workspace, check),
        Task::Install { prefix, profile } => install::run(&workspace, &prefix, &profile),
        Task::Stage { every_mpi } => stage::run(&workspace, every_mpi),
        Task::Test => stage::test(&workspace),
        Task::CheckPortable { golden, programs } => portable::run(&workspace, golden.as_deref(), &programs),
        Task::Random { options } => stage::random(&workspace, &options),
        Task::Demo => demo::run(&workspace),
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

//! Tasks of the project that need more than a line of shell. `make` calls them.
//!
//! Input: the name of a task and its options.
//! Output: the result of the task, with a report on standard output.
//! Postcondition: nothing outside the target directory and the given prefix has changed, except by `headers`
//! and `pages`, which rewrite the committed files that are generated from tables.

mod workspace;

mod archive;
mod page_links;

mod demo;
mod headers;
mod messages;
mod install;
mod deb;
mod pages;
mod book;
mod stage;
mod portable;
mod memory;
mod tidy;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use workspace::Workspace;

/// Tasks of the project
#[derive(Parser)]
#[command(name = "cargo xtask")]
enum Task {
    /// Check what the compiler does not: order of modules, headers, sizes, words
    Tidy,
    /// Generate `cppc.h` and the other headers from the tables
    Headers {
        /// Only check whether the committed files are up to date
        #[arg(long)]
        check: bool,
    },
    /// Generate the manual pages from the command line definitions
    Pages {
        /// Only check whether the committed files are up to date
        #[arg(long)]
        check: bool,
    },
    /// Make the manual as a book of HTML pages, in `target/book`, and check its links
    Book {
        /// Also copy it into this directory
        #[arg(long, value_name = "DIR")]
        into: Option<PathBuf>,
    },
    /// Build everything and install it under a prefix
    Install {
        /// Destination: `DIR/bin`, `DIR/lib`, `DIR/include`, `DIR/share`
        #[arg(long, value_name = "DIR")]
        prefix: PathBuf,
        /// The cargo profile to build with
        #[arg(long, value_name = "NAME", default_value = "release")]
        profile: String,
    },
    /// Remove the files that `install` has put under a prefix
    Uninstall {
        /// The prefix of the installation
        #[arg(long, value_name = "DIR")]
        prefix: PathBuf,
    },
    /// Make a Debian package of an installation
    Deb {
        /// The prefix of the installation
        #[arg(long, value_name = "DIR")]
        from: PathBuf,
        /// The directory for the package
        #[arg(long, value_name = "DIR")]
        into: PathBuf,
    },
    /// Install into `target/stage`, for the demo and the tests
    Stage {
        /// If MPICH is installed next to another MPI: also install its libraries into `target/stage-mpich`
        #[arg(long)]
        every_mpi: bool,
        /// The cargo profile of the programs. `dev` is that of the tests, so it compiles the front ends once
        #[arg(long, value_name = "NAME", default_value = "release")]
        programs: String,
    },
    /// Run every test of the workspace, with `cargo nextest` if it is installed
    Test,
    /// Stop programs on one architecture and resume them on another
    CheckPortable {
        /// Instead, write the state files that the tests keep permanently into this directory
        #[arg(long, value_name = "DIR")]
        golden: Option<PathBuf>,
        /// Only these programs
        #[arg(value_name = "PROGRAM")]
        programs: Vec<String>,
    },
    /// Run Miri, AddressSanitizer and ThreadSanitizer; needs nightly Rust
    CheckMemory {
        /// Only these
        #[arg(value_enum, value_name = "TOOL")]
        tools: Vec<memory::Tool>,
    },
    /// Generate random programs, translate them, kill them, resume them and compare
    #[command(disable_help_flag = true)]
    Random {
        /// Options of the generator. `--help` lists them
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
        Task::Book { into } => book::run(&workspace, into.as_deref()),
        Task::Install { prefix, profile } => {
            install::run(&workspace, &prefix, install::Profiles { programs: &profile, libraries: &profile })
        }
        Task::Uninstall { prefix } => install::uninstall(&prefix),
        Task::Deb { from, into } => deb::run(&from, &into),
        Task::Stage { every_mpi, programs } => stage::run(&workspace, every_mpi, &programs),
        Task::Test => stage::test(&workspace),
        Task::CheckPortable { golden, programs } => portable::run(&workspace, golden.as_deref(), &programs),
        Task::CheckMemory { tools } => memory::run(&workspace, &tools),
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

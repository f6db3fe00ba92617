//! `cppc rehearse`: tests the restarts of a program before they are needed.
//!
//! Input: a command.
//! Output: a report that names each restart whose results differ from those of the unbroken run.
//! Postcondition: the state of the rehearsal is removed, and all processes of the command have ended.

mod trial;
mod compare;
mod states;
mod report;
mod rehearsal;

pub use rehearsal::rehearse;
pub use report::Report;

use clap::Args;
use cppc_runtime::settings::duration;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

pub const HELP: &str = "The program runs to its end twice. Then, for each chosen recovery line, it is killed when that line is complete, \
and started again. The results of the restart must equal those of the first run. Standard output is compared line by line, in any order: \
the restarted program may print only lines of the first run, and no line may be missing. State files are written to a temporary \
directory.\n\n\
Examples:\n  cppc rehearse -- ./heat 200\n  cppc rehearse --times 3 --compare result.dat -- mpirun -n 4 ./heat 200\n  \
cppc rehearse --state --poison --junit report.xml -- ./heat 200";

#[derive(Debug, Clone, Args)]
pub struct RehearseArguments {
    /// The recovery lines after which the program is killed, such as 1,5,9; default: see --times
    #[arg(long, value_name = "LINES", value_delimiter = ',', value_parser = clap::value_parser!(u64).range(1..))]
    pub at: Vec<u64>,
    /// How often the program is killed: at the first line, the last one, and others at equal distances
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..))]
    pub times: u64,
    /// A file that the program writes, to be compared too; its earlier content is restored before each run
    #[arg(long, value_name = "FILE")]
    pub compare: Vec<PathBuf>,
    /// Maximum absolute difference of numbers that count as equal
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = crate::display::not_negative)]
    pub tolerance: f64,
    /// Maximum difference of numbers that count as equal, relative to the larger one
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = crate::display::not_negative)]
    pub relative: f64,
    /// Do not compare lines of the output that match this pattern as a whole, with * and ? (`*Time*`)
    #[arg(long, value_name = "PATTERN")]
    pub ignore: Vec<String>,
    /// Compare the saved variables of all later recovery lines, and name the one that differs first
    #[arg(long)]
    pub state: bool,
    /// Fill memory that the program allocates with a pattern, so that values that are not restored show
    #[arg(long)]
    pub poison: bool,
    /// The time after which a run is ended; default: 30 s more than ten times that of the first run
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    pub limit: Option<Duration>,
    /// The directory for the temporary state directory
    #[arg(long, value_name = "DIR")]
    pub work: Option<PathBuf>,
    /// Write the results for a CI system, in the format of JUnit
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    /// The program or its launcher, and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

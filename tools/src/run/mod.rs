//! `cppc run`: starts a program, and starts it again after a failure.
//!
//! Input: a command, and when to give up.
//! Output: the exit status of the program. Messages are on standard error, events in a file.
//! Postcondition: after a failure, no process of the command is left on this machine.

pub mod ending;
pub mod restart_on;
pub mod policy;
pub mod processes;
mod watch;
mod events;
mod status_line;
pub mod signals;
mod time_left;
mod slurm;
mod host_check;
mod hosts;
mod time_limit;
mod supervisor;

pub use supervisor::run;

use clap::Args;
use cppc_runtime::settings::duration;
use restart_on::RestartOn;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

pub const HELP: &str = "After a failure, the program is started again with the same command. It continues from its newest complete \
recovery line. A failure is an end by a signal or with an exit status other than 0, or a stall. SIGINT, SIGTERM, SIGHUP and SIGQUIT are \
passed on to the program, which is then not started again. SIGUSR1 and SIGUSR2 are passed on, too. Exit status 75 means that \
the program was asked to end after a checkpoint. Then it is started again only if `--restart-on` names 75.\n\n\
Examples:\n  cppc run -- ./heat 2000\n  cppc run --stall 10m --log events.json -- mpirun -n 64 ./heat 2000\n  \
cppc run --requeue -- srun ./heat 2000\n  \
cppc run --restart-on signals,70 -- srun ./heat 2000";

#[derive(Debug, Clone, Args)]
pub struct RunArguments {
    /// The maximum number of restarts in sequence without a newer complete recovery line
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub max_restarts: u32,
    /// Treat it as a failure if there is no newer state file and no output in a file for this time, for example 90s, 10m or 2h
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    pub stall: Option<Duration>,
    /// What counts as a failure: exit statuses such as 1-125, signals such as SIGKILL, and the words signals, stall and all
    #[arg(long, value_name = "LIST", default_value = "all", value_parser = RestartOn::parse)]
    pub restart_on: RestartOn,
    /// The time before the first restart; it doubles with each restart without progress, up to 5 minutes
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration::parse)]
    pub pause: Duration,
    /// The state directory, if it is not in CPPC_DIR, in cppc.toml, or on the command line of the program
    #[arg(long)]
    pub dir: Option<PathBuf>,
    /// Append events to a file, one JSON object on each line
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// End the program after a checkpoint before the end of the job: a shell command that prints how much time is left. In a Slurm
    /// job, this is done without the option
    #[arg(long, value_name = "COMMAND")]
    pub time_left: Option<String>,
    /// How long before the end of the job the program is asked to end; default: a tenth of the time at the start, at most 5m
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    pub margin: Option<Duration>,
    /// After such an end, let Slurm queue the job again
    #[arg(long)]
    pub requeue: bool,
    /// A shell command that fails if the host in `$1` cannot be used; default: a login by ssh, or the states of Slurm. After a
    /// failure, hosts that fail twice are excluded from the next attempt
    #[arg(long, value_name = "COMMAND")]
    pub host_check: Option<String>,
    /// The program or its launcher, and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

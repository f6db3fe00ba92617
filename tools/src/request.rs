//! `cppc checkpoint`: requests a checkpoint of a running program.
//!
//! Input: the state directory that the program uses.
//! Output: the answer of the program: the recovery line is complete, or why not.
//! Postcondition: no request is left that nobody has asked for, unless the caller does not wait.

use crate::display::plain;
use crate::scan::{self, Application};
use anyhow::{bail, Context, Result};
use clap::Args;
use cppc_runtime::controller::requests::{ANSWER, CHECKPOINT, COMPLETE, END, FAILED, REQUEST};
use cppc_runtime::lock::{Linux, Owner, ProcessStatus, System};
use cppc_runtime::settings::duration;
use cppc_runtime::storage::directory::rank_name;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub const HELP: &str = "The program writes state at one of its next checkpoints. The command waits until the recovery line is complete, or \
reports why it is not. With `--end`, the program then ends with exit status 75, and `cppc run` does not start it again. The command works on \
another machine too, if that machine sees the same state directory.\n\n\
Examples:\n  cppc checkpoint                       the only run in cppc-state\n  cppc checkpoint --end runs/sweep-0.5  write state and end";

#[derive(Debug, Clone, Args)]
pub struct CheckpointArguments {
    /// The state directory, or the directory of an application in it
    #[arg(default_value = "cppc-state")]
    pub path: PathBuf,
    /// The application, if the directory has several
    #[arg(long)]
    pub app: Option<String>,
    /// End the program after the checkpoint
    #[arg(long)]
    pub end: bool,
    /// How long to wait, for example 90s, 10m or 2h
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = duration::parse)]
    pub timeout: Duration,
    /// Do not wait for the checkpoint
    #[arg(long)]
    pub no_wait: bool,
}

const NAP: Duration = Duration::from_millis(50);

/// Requests a checkpoint. Returns the answer, and whether the line is complete.
///
/// # Errors
/// No program runs in the directory, or it does not answer.
pub fn request(arguments: &CheckpointArguments) -> Result<(String, bool)> {
    let directory = find(&arguments.path, arguments.app.as_deref())?;
    let kind = if arguments.end { END } else { CHECKPOINT };
    if arguments.no_wait {
        write_request(&directory, kind, Instant::now() + arguments.timeout)?;
        return Ok(("a checkpoint is requested\n".to_owned(), true));
    }
    ask(&directory, kind, arguments.timeout)
}

/// Writes a request, as soon as the program has taken the one before it. Returns its number.
fn write_request(directory: &Path, kind: &str, deadline: Instant) -> Result<u64> {
    let number = u64::from(std::process::id()) << 32 | u64::from(clock());
    // Another request is taken within about a second.
    while !write_new(&directory.join(REQUEST), &format!("{number} {kind}\n"))? {
        check(directory, deadline)?;
        std::thread::sleep(NAP);
    }
    Ok(number)
}

/// Requests a checkpoint of the program whose rank 0 uses this directory, and waits for the answer.
///
/// # Errors
/// No program runs in the directory, or it does not answer.
pub fn ask(directory: &Path, kind: &str, timeout: Duration) -> Result<(String, bool)> {
    let deadline = Instant::now() + timeout;
    let number = write_request(directory, kind, deadline)?;
    let path = directory.join(REQUEST);
    let answer = directory.join(format!("{ANSWER}{number}"));
    loop {
        // The program answers before it ends.
        let end = check(directory, deadline);
        if let Ok(text) = fs::read_to_string(&answer) {
            let _ = fs::remove_file(&answer);
            remove_if_empty(directory);
            return match text.trim_end().split_once(' ') {
                Some((COMPLETE, message)) => Ok((format!("{}\n", plain(message)), true)),
                Some((FAILED, message)) => Ok((format!("{}\n", plain(message)), false)),
                _ => bail!("`{}` has an answer of another version of CPPC", directory.display()),
            };
        }
        if let Err(error) = end {
            let _ = fs::remove_file(&path);
            remove_if_empty(directory);
            return Err(error);
        }
        std::thread::sleep(NAP);
    }
}

/// The directory of rank 0 of the application.
fn find(path: &Path, app: Option<&str>) -> Result<PathBuf> {
    let mut found = scan::applications(path)?;
    found.retain(|application| app.is_none_or(|app| application.name == app));
    let names: Vec<&str> = found.iter().map(|application| application.name.as_str()).collect();
    match found.as_slice() {
        [] => bail!("there is no state of `{}` in `{}`", app.unwrap_or_default(), path.display()),
        [application] => Ok(first_rank(application)),
        _ => bail!(
            "there are several applications in `{}`: choose one of {} with --app",
            path.display(),
            names.join(", ")
        ),
    }
}

/// The directory of rank 0.
pub fn first_rank(application: &Application) -> PathBuf {
    let inside = application.path.join(rank_name(0));
    // The user may have named the directory of a process.
    if inside.exists() {
        inside
    } else {
        application.path.clone()
    }
}

/// Creates the file. False if it exists.
fn write_new(path: &Path, text: &str) -> Result<bool> {
    // The name appears with the whole text.
    let unfinished = path.with_extension(format!("new-{}", std::process::id()));
    let context = || format!("cannot write a request to `{}`", path.display());
    fs::File::create(&unfinished)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .with_context(context)?;
    let linked = fs::hard_link(&unfinished, path);
    let _ = fs::remove_file(&unfinished);
    match linked {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error).with_context(context),
    }
}

/// Fails if no program can answer.
fn check(directory: &Path, deadline: Instant) -> Result<()> {
    let shown = directory.display();
    let Ok(lock) = fs::read_to_string(directory.join("lock")) else {
        bail!("no program runs in `{shown}`, or it does not use locks");
    };
    let is_dead = Owner::parse(&lock).is_some_and(|owner| {
        let here = Owner::this_process(0, 0);
        owner.is_on_same_system(&here) && Linux::new(&here).status(&owner) == ProcessStatus::Dead
    });
    if is_dead {
        bail!("no program runs in `{shown}`: the last one has ended");
    }
    if Instant::now() > deadline {
        bail!("the program in `{shown}` has not answered: it may have no checkpoint in this time");
    }
    Ok(())
}

/// A finished run could not remove its directory because of a request or an answer. A live one has a lock in
/// it.
fn remove_if_empty(directory: &Path) {
    for path in directory.ancestors().take(3) {
        let _ = fs::remove_dir(path);
    }
}

fn clock() -> u32 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    now.subsec_nanos() ^ now.as_secs() as u32
}

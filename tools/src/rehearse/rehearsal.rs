//! The runs of a rehearsal.
//!
//! Input: the arguments of `cppc rehearse`.
//! Output: what was found.
//! Postcondition: each killed run began with the same files as the unbroken one.

use super::report::{Case, Report};
use super::states::States;
use super::trial::{Outcome, Trial};
use super::{compare, states, RehearseArguments};
use crate::diff::Tolerance;
use crate::display::plain;
use crate::run::ending::Ending;
use crate::run::{processes, signals};
use anyhow::{bail, Context, Result};
use cppc_runtime::settings::{Restart, Settings};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{channel, Receiver};
use std::time::Duration;
use tempfile::TempDir;

/// More lines than any program writes.
const ALL_LINES: &str = "1000000000";
/// glibc fills the memory of `malloc` with the complement of this byte: 0xfe, no valid pointer and an unusual number.
const POISON: &str = "1";
/// glibc does not fill memory that it takes from the cache of a thread, which small blocks come from.
const NO_CACHE: &str = "glibc.malloc.tcache_count=0";
/// The clock must have changed, so that a program that prints the time shows it.
const BETWEEN_RUNS: Duration = Duration::from_millis(1100);
const LONGEST: Duration = Duration::from_secs(365 * 86_400);

/// The state directory of the second run.
const SECOND: &str = "second";

struct Rehearsal<'a> {
    arguments: &'a RehearseArguments,
    signals: Receiver<i32>,
    directory: TempDir,
    /// The compared files before the first run; none if they did not exist.
    originals: Vec<(&'a Path, Option<Vec<u8>>)>,
    limit: Duration,
    /// Whether the settings select no checkpoint by number. Then each one writes state.
    selects_none: bool,
}

/// The run that was not killed.
struct Unbroken {
    outcome: Outcome,
    files: Vec<Option<Vec<u8>>>,
    state: PathBuf,
}

/// With more recovery lines, most of the time of a rehearsal is that of writing.
const MANY_LINES: u64 = 100;

/// The start of a run in a rehearsal.
enum Start {
    Fresh,
    KilledAfter(u64),
    Restart,
}

/// Runs the rehearsal.
///
/// # Errors
/// The program could not be started, fails by itself, or writes no state.
pub fn rehearse(arguments: &RehearseArguments) -> Result<Report> {
    let settings = check_settings(&arguments.command)?;
    processes::adopt_orphans().context("this system cannot keep track of the processes of a command")?;
    let (sender, signals) = channel();
    signals::receive(sender, |signal| signal)?;
    let mut builder = tempfile::Builder::new();
    let builder = builder.prefix("cppc-rehearse-");
    let directory = match &arguments.work {
        Some(above) => builder.tempdir_in(above),
        None => builder.tempdir(),
    };
    let read = |path: &'_ PathBuf| anyhow::Ok(content(path)?);
    let originals = arguments.compare.iter().map(|path| Ok((path.as_path(), read(path)?)));
    let mut rehearsal = Rehearsal {
        arguments,
        signals,
        directory: directory.context("there is no room for the state of the rehearsal")?,
        originals: originals.collect::<Result<_>>()?,
        limit: arguments.limit.unwrap_or(LONGEST),
        selects_none: settings.every == 0 && !settings.first_touch,
    };
    let report = rehearsal.perform();
    rehearsal.reset_files()?;
    report
}

/// The settings of a rehearsal are in the environment. If the command line overrides them, the program would use the state
/// of a real run.
fn check_settings(command: &[OsString]) -> Result<Settings> {
    const PROBE: &str = "/cppc-rehearse";
    let directory = std::env::current_dir().context("the working directory cannot be found")?;
    let mut words: Vec<OsString> = command.iter().filter(|word| *word != "--").cloned().collect();
    let own =
        [("CPPC_DIR", PROBE), ("CPPC_DELETE", "false"), ("CPPC_RESTART", "never"), ("CPPC_KILL_AFTER", "1")];
    let is_own = |name: &OsString| own.iter().any(|(own, _)| name == own);
    let others = std::env::vars_os().filter(|(name, _)| !is_own(name));
    let environment = others.chain(own.map(|(name, value)| (name.into(), value.into())));
    let found = Settings::gather(&mut words, environment, &directory)
        .context("the settings of the program cannot be used")?;
    if found.is_task_of_array {
        bail!(
            "a rehearsal cannot run in a task of a job array, because its state directories are chosen by the \
             task: use a job of its own"
        );
    }
    let is_overridden = found.dir != Path::new(PROBE)
        || found.delete
        || found.restart != Restart::Never
        || found.kill_after != 1
        // A launcher sets variables for the program.
        || own.iter().any(|(name, _)| command.iter().any(|word| word.to_string_lossy().contains(name)));
    if is_overridden {
        bail!(
            "the command sets the state directory or `delete`, `restart` or `kill-after`: remove these settings, \
             because a rehearsal needs its own"
        );
    }
    Ok(found)
}

impl Rehearsal<'_> {
    fn perform(&mut self) -> Result<Report> {
        let unbroken = self.unbroken()?;
        for pattern in
            self.arguments.ignore.iter().filter(|one| !compare::is_in(one, &unbroken.outcome.output))
        {
            let help = match pattern.contains('*') {
                true => String::new(),
                false => format!(
                    ": a pattern describes whole lines, and `*{pattern}*` matches lines that contain it"
                ),
            };
            anstream::eprintln!("cppc: no line of the output matches `{pattern}`{help}");
        }
        if self.arguments.limit.is_none() {
            self.limit = Duration::from_secs(30) + unbroken.outcome.time * 10;
        }
        let lines = states::complete_lines(&unbroken.state).last().copied().unwrap_or(0);
        if lines == 0 {
            match unbroken.outcome.skipped() {
                Some(reason) => bail!("the program has written no recovery line: {reason}"),
                None => {
                    bail!("the program has written no recovery line: set `CPPC_EVERY` to a smaller number")
                }
            }
        }
        if self.selects_none && lines > MANY_LINES {
            let every = lines / MANY_LINES + 1;
            anstream::eprintln!(
                "cppc: every run writes {lines} recovery lines; `CPPC_EVERY={every}` makes the rehearsal faster"
            );
        }
        if let Some(line) = self.arguments.at.iter().find(|line| **line > lines) {
            bail!("there is no recovery line {line}: the program has written {lines}");
        }
        let mut cases = vec![self.second(&unbroken)?];
        for line in self.chosen(lines) {
            cases.push(self.restart(&unbroken, line)?);
        }
        Ok(Report { lines, cases })
    }

    fn unbroken(&self) -> Result<Unbroken> {
        let state = self.directory.path().join("unbroken");
        let outcome = self.start(&state, &Start::Fresh)?;
        if !outcome.ending.is_success() {
            // An error is one line.
            let messages = last_lines(&outcome.messages).replace('\n', "; ");
            let what = format!("in the unbroken run, {}", self.failure(outcome.ending));
            bail!("{what}{}{messages}", if messages.is_empty() { "" } else { ": " });
        }
        Ok(Unbroken { outcome, files: self.files()?, state })
    }

    /// A program whose results change by themselves cannot be tested.
    fn second(&self, unbroken: &Unbroken) -> Result<Case> {
        std::thread::sleep(BETWEEN_RUNS);
        let state = self.directory.path().join(SECOND);
        let outcome = self.start(&state, &Start::Fresh)?;
        let mut findings = self.differences(unbroken, &[], &outcome)?;
        if !self.arguments.state {
            forget(&state)?;
        }
        if !findings.is_empty() {
            findings.push(
                "two runs that were not killed differ: the results depend on the time, on random numbers or on the \
                 order of messages, or a file of an earlier run is read (`--compare` sets it back). `--ignore` \
                 omits lines of the output"
                    .to_owned(),
            );
        }
        Ok(Case { name: "second run".to_owned(), line: None, seconds: outcome.time.as_secs_f64(), findings })
    }

    /// Kills the program after a recovery line, starts it again, and compares the results.
    fn restart(&self, unbroken: &Unbroken, line: u64) -> Result<Case> {
        let state = self.directory.path().join("killed");
        let killed = self.start(&state, &Start::KilledAfter(line))?;
        let mut findings = Vec::new();
        let mut time = killed.time;
        if !states::complete_lines(&state).contains(&line) {
            let reason = killed.skipped().unwrap_or_else(|| format!("the program {}", killed.ending));
            findings.push(format!("recovery line {line} was not written: {reason}"));
        } else {
            let restarted = self.start(&state, &Start::Restart)?;
            time += restarted.time;
            findings = self.differences(unbroken, &killed.output, &restarted)?;
            if self.arguments.state {
                let is_good = restarted.ending.is_success();
                let second = self.directory.path().join(SECOND);
                let states = States { unbroken: &unbroken.state, second: &second, restarted: &state };
                findings.extend(states.first_difference(line, is_good, self.tolerance())?);
            }
        }
        forget(&state)?;
        Ok(Case {
            name: format!("restart from recovery line {line}"),
            line: Some(line),
            seconds: time.as_secs_f64(),
            findings,
        })
    }

    fn failure(&self, ending: Ending) -> String {
        match ending {
            Ending::Stalled => {
                format!("the program does not end within {} s (`--limit`)", self.limit.as_secs())
            }
            Ending::Exited(_) | Ending::Signalled(_) | Ending::OutOfTime | Ending::Unfinished => {
                format!("the program {ending}")
            }
        }
    }

    /// What differs between a run and the unbroken one.
    fn differences(&self, unbroken: &Unbroken, killed: &[u8], run: &Outcome) -> Result<Vec<String>> {
        if !run.ending.is_success() {
            let what = self.failure(run.ending);
            return Ok(vec![format!("{what}\n{}", last_lines(&run.messages)).trim_end().to_owned()]);
        }
        let (ignored, tolerance) = (&self.arguments.ignore, self.tolerance());
        let mut findings: Vec<String> =
            compare::output(&unbroken.outcome.output, killed, &run.output, ignored, tolerance)
                .into_iter()
                .collect();
        let files = self.files()?;
        for ((path, file), expected) in self.arguments.compare.iter().zip(&files).zip(&unbroken.files) {
            let difference = compare::file(expected.as_deref(), file.as_deref(), tolerance);
            findings
                .extend(difference.map(|what| format!("`{}`: {what}", plain(&path.display().to_string()))));
        }
        Ok(findings)
    }

    fn start(&self, state: &Path, start: &Start) -> Result<Outcome> {
        let mut variables: Vec<(&'static str, OsString)> = vec![
            ("CPPC_DIR", state.into()),
            ("CPPC_DELETE", "false".into()),
            // Lines that depend on the time are not the same in each run.
            ("CPPC_INTERVAL", "none".into()),
            // Output of Fortran must not be lost in a buffer when the program is killed.
            ("GFORTRAN_UNBUFFERED_PRECONNECTED", "y".into()),
        ];
        if self.selects_none {
            variables.push(("CPPC_EVERY", "1".into()));
        }
        if self.arguments.state {
            variables.push(("CPPC_KEEP", ALL_LINES.into()));
        }
        // In all runs, because memory that the program never sets must have the same content.
        if self.arguments.poison {
            variables.push(("MALLOC_PERTURB_", POISON.into()));
            variables.push(("GLIBC_TUNABLES", without_cache(std::env::var_os("GLIBC_TUNABLES"))));
        }
        let restart = match start {
            Start::Fresh | Start::KilledAfter(_) => {
                self.reset_files()?;
                "never"
            }
            Start::Restart => "always",
        };
        variables.push(("CPPC_RESTART", restart.into()));
        match start {
            Start::KilledAfter(line) => variables.push(("CPPC_KILL_AFTER", line.to_string().into())),
            Start::Fresh | Start::Restart => {}
        }
        let command = &self.arguments.command;
        let directory = self.directory.path();
        Trial { command, variables, limit: self.limit, directory }.run(&self.signals)
    }

    fn chosen(&self, lines: u64) -> BTreeSet<u64> {
        match self.arguments.at.is_empty() {
            true => spread(lines, self.arguments.times),
            false => self.arguments.at.iter().copied().collect(),
        }
    }

    fn tolerance(&self) -> Tolerance {
        Tolerance { absolute: self.arguments.tolerance, relative: self.arguments.relative }
    }

    fn files(&self) -> Result<Vec<Option<Vec<u8>>>> {
        self.arguments.compare.iter().map(|path| content(path)).collect()
    }

    /// Gives the compared files the content that they had before the rehearsal.
    fn reset_files(&self) -> Result<()> {
        for (path, original) in &self.originals {
            let reset = match original {
                Some(content) => fs::write(path, content),
                None => match fs::remove_file(path) {
                    Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
                    other => other,
                },
            };
            reset.with_context(|| format!("cannot set back `{}`", path.display()))?;
        }
        Ok(())
    }
}

/// The first number, the last one, and others at equal distances.
fn spread(last: u64, wanted: u64) -> BTreeSet<u64> {
    match wanted.min(last) {
        0 | 1 => BTreeSet::from([last]),
        wanted => (0..wanted).map(|index| 1 + index * (last - 1) / (wanted - 1)).collect(),
    }
}

/// None if there is no such file.
fn content(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(content) => Ok(Some(content)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read `{}`", path.display())),
    }
}

/// The tunables of glibc with those that the user set. The last of two equal ones counts.
fn without_cache(own: Option<OsString>) -> OsString {
    match own {
        Some(own) if !own.is_empty() => [own, ":".into(), NO_CACHE.into()].into_iter().collect(),
        _ => NO_CACHE.into(),
    }
}

fn forget(state: &Path) -> Result<()> {
    match fs::remove_dir_all(state) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove `{}`", state.display()))
        }
        _ => Ok(()),
    }
}

/// The end of the messages of a run.
fn last_lines(messages: &str) -> String {
    const LINES: usize = 5;
    let lines: Vec<&str> = messages.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tunables_of_the_user_are_kept() {
        assert_eq!(without_cache(None), NO_CACHE);
        assert_eq!(without_cache(Some("a=1".into())), *format!("a=1:{NO_CACHE}"));
    }

    #[test]
    fn the_first_and_the_last_line_are_chosen() {
        assert_eq!(spread(10, 3), BTreeSet::from([1, 5, 10]));
        assert_eq!(spread(2, 8), BTreeSet::from([1, 2]));
        assert_eq!(spread(7, 1), BTreeSet::from([7]));
        assert_eq!(spread(100, 4), BTreeSet::from([1, 34, 67, 100]));
    }
}

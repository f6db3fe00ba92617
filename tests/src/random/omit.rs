//! Generated programs without one part of a directive: a registered name, a captured name, or an execute block.
//!
//! Input: a seed.
//! Output: for each omission, whether the precompiler reported it, and what became of the runs.
//! Postcondition: the whole program had no report, and all of its resumed runs were right.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;

use super::build::{self, compilers, Built, Manner, Route};
use super::numbers::Random;
use super::process::execute;
use super::run::{self, Kill, Outcome, Places, Settings};
use super::sample::Sample;
use crate::matrix::{in_memory, spread};
use crate::program::Language;
use crate::removal::{removals, Removal};

/// What became of the runs of a program, the worst last.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// Each resumed run was right.
    Right,
    /// The same, but the runtime skipped checkpoints and gave the reason.
    Skipped(String),
    /// A restart stopped with a message of the runtime.
    Refused(String),
    Failed(String),
    Wrong(String),
}

/// One omission.
#[derive(Debug)]
pub struct Omission {
    pub file: String,
    pub removal: Removal,
    /// The messages that the whole program does not have. `None` if the translation has no output.
    pub reports: Option<Vec<String>>,
    pub effect: Effect,
}

/// The class of an omission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// The translation is refused.
    Refused,
    /// Reported by the precompiler, and runs are wrong or fail.
    Reported,
    /// Reported by the precompiler, but each run is right.
    FalseReport,
    /// Only the runtime reports it.
    ReportedByRuntime,
    Harmless,
    Missed,
}

impl Omission {
    pub fn fate(&self) -> Fate {
        let is_reported = match &self.reports {
            None => return Fate::Refused,
            Some(reports) => !reports.is_empty(),
        };
        match (&self.effect, is_reported) {
            (Effect::Right, true) => Fate::FalseReport,
            (Effect::Right, false) => Fate::Harmless,
            (Effect::Skipped(_) | Effect::Refused(_), false) => Fate::ReportedByRuntime,
            (Effect::Failed(_) | Effect::Wrong(_), false) => Fate::Missed,
            (Effect::Skipped(_) | Effect::Refused(_) | Effect::Failed(_) | Effect::Wrong(_), true) => {
                Fate::Reported
            }
        }
    }
}

impl fmt::Display for Omission {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Removal { kind, name, line, .. } = &self.removal;
        write!(f, "{:?}: {kind} {name} in line {line} of {}: {:?}", self.fate(), self.file, self.effect)?;
        for report in self.reports.iter().flatten() {
            write!(f, "\n    {report}")?;
        }
        Ok(())
    }
}

/// Tries omissions of the program of a sample, at most `most`. `None` if the whole program is not right.
pub fn try_omissions(
    sample: &Sample,
    seed: u64,
    most: usize,
    directory: &Path,
) -> Result<Option<Vec<Omission>>> {
    let mut random = Random::new(seed ^ 0x6f6d_6974);
    let whole = directory.join("whole");
    sample.write(&whole)?;
    let Some(before) = reports(sample, &whole)? else { return Ok(None) };
    let manner = manner(sample);
    let sources = sample.write(&whole)?;
    let Built::Executable(plain) = build::plain(sample, &sources, manner.compiler, &["-O0"], &whole)? else {
        return Ok(None);
    };
    let reference = with_places(&whole, |places| run::must_end(sample, &plain, places))?;
    if effect(sample, &manner, &reference, &whole, &mut random)? != Some(Effect::Right) {
        return Ok(None);
    }
    let mut all = Vec::new();
    for file in &sample.files {
        let text = file.text(sample.language);
        all.extend(removals(&text).into_iter().map(|removal| (file.name.clone(), removal)));
    }
    let mut omissions = Vec::new();
    while !all.is_empty() && omissions.len() < most {
        let (file, removal) = all.swap_remove(random.below(all.len()));
        let own = directory.join(format!("omission-{}", omissions.len()));
        sample.write(&own)?;
        std::fs::write(own.join(&file), &removal.text)?;
        let after = reports(sample, &own)?;
        let new = after.map(|after| new(&before, &after));
        let found = match new {
            None => Some(Effect::Right),
            Some(_) => effect(sample, &manner, &reference, &own, &mut random)?,
        };
        let effect = found.unwrap_or(Effect::Failed("the translation does not compile".to_owned()));
        let omission = Omission { file, removal, reports: new, effect };
        if omission.fate() != Fate::Missed {
            std::fs::remove_dir_all(&own)?;
        }
        omissions.push(omission);
    }
    Ok(Some(omissions))
}

/// Local variables are in memory, as far as the compiler allows.
fn manner(sample: &Sample) -> Manner {
    let compiler = sample.only_compiler.unwrap_or_else(|| compilers(sample.language)[0]);
    Manner { compiler, options: &["-O0"], route: Route::Precompiler("switch"), ticks_of_runtime: false }
}

/// The messages that `after` has more often than `before`.
fn new(before: &[String], after: &[String]) -> Vec<String> {
    let mut left = before.to_vec();
    let mut new = Vec::new();
    for one in after {
        match left.iter().position(|other| other == one) {
            Some(at) => drop(left.swap_remove(at)),
            None => new.push(one.clone()),
        }
    }
    new
}

/// The messages of the precompiler. `None` if there are errors.
fn reports(sample: &Sample, directory: &Path) -> Result<Option<Vec<String>>> {
    let mut precompiler = crate::product::Product::get()?.command("cppc-pp");
    let compiled = sample.files.iter().filter(|file| file.is_compiled);
    precompiler.args(compiled.map(|file| directory.join(&file.name)));
    precompiler.arg("--out-dir").arg(directory.join("checked"));
    let by = match (sample.processes, sample.language) {
        (Some(_), Language::C) => "mpicc",
        (Some(_), Language::Fortran) => "mpifort",
        (None, _) => manner(sample).compiler,
    };
    precompiler.args([if sample.language == Language::C { "--cc" } else { "--fc" }, by]).args(&sample.flags);
    let ended = execute(precompiler.current_dir(directory), directory, Duration::from_secs(240))?;
    let is_message = |line: &&str| line.starts_with("warning[") || line.starts_with("error[");
    let all = ended.said.lines().filter(is_message).map(str::to_owned).collect();
    Ok(ended.is_well().then_some(all))
}

fn with_places<T>(directory: &Path, then: impl FnOnce(&Places) -> Result<T>) -> Result<T> {
    let memory = in_memory(directory)?;
    let (work, state) = (memory.path().join("work"), memory.path().join("state"));
    then(&Places { scratch: directory, work: &work, state: &state })
}

/// Kills and resumes the program. Stack and heap of each start are full of a pattern. `None` if it cannot be built.
fn effect(
    sample: &Sample,
    manner: &Manner,
    reference: &Outcome,
    directory: &Path,
    random: &mut Random,
) -> Result<Option<Effect>> {
    let compiled = sample.files.iter().filter(|file| file.is_compiled);
    let sources: Vec<PathBuf> = compiled.map(|file| directory.join(&file.name)).collect();
    let Built::Executable(executable) = build::translated(sample, &sources, manner, directory)? else {
        return Ok(None);
    };
    let settings = vec![("CPPC_ASYNC", "false".to_owned())];
    with_places(directory, |places| {
        let unbroken = run::run(sample, &executable, places, &settings, Kill::Never)?;
        let mut worst = judged(&unbroken, reference);
        let rank = random.below(unbroken.ticks.len());
        let kills = if sample.processes.is_some() { 3 } else { 8 };
        for tick in spread(1, unbroken.ticks[rank], kills) {
            let again = if random.chance(40) { Some(1 + random.below(tick as usize) as u64) } else { None };
            let story = Story { first: Kill::AtTick(tick, rank as u32), again, settings: &settings };
            worst = worst.max(story.go(sample, &executable, places, reference)?);
            if matches!(worst, Effect::Failed(_) | Effect::Wrong(_)) {
                break;
            }
        }
        Ok(Some(worst))
    })
}

/// A fresh start that is killed once or twice, and then ends.
struct Story<'a> {
    first: Kill,
    again: Option<u64>,
    settings: &'a Settings,
}

impl Story<'_> {
    fn go(&self, sample: &Sample, executable: &Path, places: &Places, reference: &Outcome) -> Result<Effect> {
        run::clear(places)?;
        let run = |kill| run::run(sample, executable, places, self.settings, kill);
        let again = self.again.map_or(Kill::Never, |tick| Kill::AtTick(tick, 0));
        let mut worst = Effect::Right;
        for kill in [self.first, again, Kill::Never] {
            let outcome = run(kill)?;
            if kill != Kill::Never && outcome.was_killed() {
                worst = worst.max(skipped(&outcome));
                continue;
            }
            worst = worst.max(judged(&outcome, reference));
            break;
        }
        Ok(match worst {
            Effect::Failed(what) => Effect::Failed(format!("{:?} {:?}: {what}", self.first, self.again)),
            Effect::Wrong(what) => Effect::Wrong(format!("{:?} {:?}: {what}", self.first, self.again)),
            Effect::Right | Effect::Skipped(_) | Effect::Refused(_) => worst,
        })
    }
}

fn skipped(outcome: &Outcome) -> Effect {
    let line = outcome.ended.said.lines().find(|line| line.contains("nothing is written at checkpoint"));
    line.map_or(Effect::Right, |line| Effect::Skipped(line.to_owned()))
}

fn judged(outcome: &Outcome, reference: &Outcome) -> Effect {
    let said = &outcome.ended.said;
    if outcome.ended.status.is_some() && outcome.ended.signal().is_none() && !outcome.ended.is_well() {
        let mut of_runtime =
            said.lines().filter(|line| line.starts_with("cppc: ") && !line.contains("resuming"));
        let last = of_runtime.next_back();
        return match last {
            Some(line) => Effect::Refused(line.to_owned()),
            None => Effect::Failed(outcome.ended.account()),
        };
    }
    if !outcome.ended.is_well() {
        return Effect::Failed(outcome.ended.account());
    }
    match run::difference(outcome, reference) {
        Some(what) => Effect::Wrong(what),
        None => skipped(outcome),
    }
}

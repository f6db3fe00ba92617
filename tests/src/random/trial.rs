//! Tries one generated program.
//!
//! Input: a sample, and a seed for the kills.
//! Output: a verdict.
//! Postcondition: a program that is `Right` printed exactly the output of its plain build, both in a run that
//! was not killed and after each sequence of kills and resumes.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{bail, Result};

use super::build::{self, Built, Manner};
use super::numbers::Random;
use super::process::Ended;
use super::run::{self, Kill, Outcome, Places, Settings};
use super::sample::Sample;
use crate::matrix::in_memory;
use crate::program::Language;

/// The possible verdicts about a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    Right,
    /// The translation refused it with a diagnostic that the generator expected.
    RefusedAsExpected,
    TranslationRefused,
    TranslationCrashed,
    DoesNotCompile,
    UnbrokenDiffers,
    UnbrokenFails,
    /// The unbroken run reported a problem, for example that no state is written.
    Complains,
    RestartRefused,
    RestartCrashed,
    Hangs,
    WrongResult,
    /// The plain program does not compile, fails, or has more than one result.
    GeneratorFault,
}

/// The class, and a description.
#[derive(Debug, Clone)]
pub struct Verdict {
    pub class: Class,
    pub what: String,
    pub counts: Counts,
}

/// Numbers of runs.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counts {
    /// The number of runs that were killed.
    pub killed: usize,
    /// The number of runs that were resumed.
    pub resumed: usize,
}

impl Class {
    pub fn is_good(self) -> bool {
        matches!(self, Class::Right | Class::RefusedAsExpected)
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Class::Right => "right",
            Class::RefusedAsExpected => "refused as documented",
            Class::TranslationRefused => "translation refused",
            Class::TranslationCrashed => "translation crashed",
            Class::DoesNotCompile => "translation does not compile",
            Class::UnbrokenDiffers => "unbroken run differs",
            Class::UnbrokenFails => "unbroken run fails",
            Class::Complains => "unbroken run complains",
            Class::RestartRefused => "restart refused",
            Class::RestartCrashed => "restart crashed",
            Class::Hangs => "hangs",
            Class::WrongResult => "wrong result",
            Class::GeneratorFault => "fault of the generator",
        })
    }
}

/// The number of attempts with a program.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// The number of fresh starts. Each is killed once or more, and resumed until it ends.
    pub stories: usize,
    /// Whether the translated program is built with AddressSanitizer and UndefinedBehaviorSanitizer.
    pub is_sanitized: bool,
}

/// Builds and runs a program in an empty directory.
pub fn try_sample(sample: &Sample, seed: u64, effort: Effort, directory: &Path) -> Result<Verdict> {
    let mut counts = Counts::default();
    let (class, what) = match judge(sample, seed, effort, directory, &mut counts)? {
        Ok(class) => (class, String::new()),
        Err((class, what)) => (class, what),
    };
    Ok(Verdict { class, what, counts })
}

type Judgement<T> = std::result::Result<T, (Class, String)>;

fn judge(
    sample: &Sample,
    seed: u64,
    effort: Effort,
    directory: &Path,
    counts: &mut Counts,
) -> Result<Judgement<Class>> {
    let mut random = Random::new(seed ^ 0x7472_6961_6c00);
    let sources = sample.write(directory)?;
    let manner = match effort.is_sanitized {
        true => Manner::random(sample, &mut random).sanitized(sample),
        false => Manner::random(sample, &mut random),
    };
    let plain = match build::plain(sample, &sources, manner.compiler, &["-O0"], directory)? {
        Built::Executable(path) => path,
        Built::Failed(ended) => return Ok(Err((Class::GeneratorFault, ended.account()))),
    };
    let memory = in_memory(directory)?;
    let (work, state) = (memory.path().join("work"), memory.path().join("state"));
    let places = Places { scratch: directory, work: &work, state: &state };
    let reference = match run::must_end(sample, &plain, &places) {
        Ok(outcome) => outcome,
        Err(error) => return Ok(Err((Class::GeneratorFault, format!("plain run: {error:#}")))),
    };
    let executable = match translate(sample, &sources, &manner, directory)? {
        Ok(Some(path)) => path,
        Ok(None) => return Ok(Ok(Class::RefusedAsExpected)),
        Err(found) => return Ok(Err(found)),
    };
    let trial = Trial { sample, executable, places, reference };
    let judgement = trial.all(effort, &mut random, counts)?;
    Ok(judgement.map(|()| Class::Right).map_err(|(class, what)| (class, format!("{manner:?}\n{what}"))))
}

/// The executable. `None` if the program was refused as expected.
fn translate(
    sample: &Sample,
    sources: &[PathBuf],
    manner: &Manner,
    directory: &Path,
) -> Result<Judgement<Option<PathBuf>>> {
    let ended = match build::translated(sample, sources, manner, directory)? {
        Built::Executable(path) => return Ok(Ok(Some(path))),
        Built::Failed(ended) => ended,
    };
    let codes: Vec<&str> = diagnostics(&ended).collect();
    let is_expected = |code: &&str| sample.refusals.contains(code);
    let class = match &codes[..] {
        [] if ended.status.is_none() => Class::Hangs,
        [] if ended.signal().is_some() || ended.said.contains("panicked at") => Class::TranslationCrashed,
        [] => Class::DoesNotCompile,
        codes if codes.iter().all(is_expected) => return Ok(Ok(None)),
        _ => Class::TranslationRefused,
    };
    Ok(Err((class, format!("{manner:?}\n{}", ended.account()))))
}

/// The codes of errors of the translation.
fn diagnostics(ended: &Ended) -> impl Iterator<Item = &str> {
    ended.said.lines().filter_map(|line| line.strip_prefix("error[")?.split(']').next())
}

/// A translated program, and its expected output.
struct Trial<'a> {
    sample: &'a Sample,
    executable: PathBuf,
    places: Places<'a>,
    reference: Outcome,
}

impl Trial<'_> {
    fn all(&self, effort: Effort, random: &mut Random, counts: &mut Counts) -> Result<Judgement<()>> {
        let ticks = match self.unbroken()? {
            Ok(ticks) => ticks,
            Err(found) => return Ok(Err(found)),
        };
        for story in 0..effort.stories {
            if let Err(found) = self.story(story, &ticks, random, counts)? {
                return Ok(Err(found));
            }
        }
        Ok(Ok(()))
    }

    fn run(&self, settings: &Settings, kill: Kill) -> Result<Outcome> {
        run::run(self.sample, &self.executable, &self.places, settings, kill)
    }

    /// The ticks of each rank.
    fn unbroken(&self) -> Result<Judgement<Vec<u64>>> {
        run::clear(&self.places)?;
        let outcome = self.run(&vec![("CPPC_ASYNC", "false".to_owned())], Kill::Never)?;
        if !outcome.ended.is_well() {
            let class = if outcome.ended.status.is_none() { Class::Hangs } else { Class::UnbrokenFails };
            return Ok(Err((class, format!("unbroken: {}", outcome.ended.account()))));
        }
        if let Some(what) = run::difference(&outcome, &self.reference) {
            return Ok(Err((Class::UnbrokenDiffers, what)));
        }
        if outcome.ended.said.contains("cppc: ") {
            return Ok(Err((Class::Complains, outcome.ended.said)));
        }
        if outcome.ticks.contains(&0) {
            bail!("a program that never ticks cannot be killed");
        }
        Ok(Ok(outcome.ticks))
    }

    /// A fresh start that is killed once or more, and resumed until it ends.
    fn story(
        &self,
        number: usize,
        ticks: &[u64],
        random: &mut Random,
        counts: &mut Counts,
    ) -> Result<Judgement<()>> {
        const MOST_KILLS: usize = 4;
        let settings = run::random_settings(random);
        run::clear(&self.places)?;
        let mut kills = Vec::new();
        loop {
            let is_last = kills.len() == MOST_KILLS || (!kills.is_empty() && random.chance(55));
            let kill = if is_last { Kill::Never } else { random_kill(ticks, !kills.is_empty(), random) };
            let outcome = self.run(&settings, kill)?;
            counts.resumed += usize::from(outcome.has_resumed());
            if kill != Kill::Never && outcome.was_killed() {
                counts.killed += 1;
                kills.push(kill);
                continue;
            }
            // A run that ended before the kill must have the right output too.
            let told = |what: String| format!("story {number} {settings:?}, killed {kills:?}: {what}");
            if let Some(class) = failed(&outcome.ended) {
                return Ok(Err((class, told(outcome.ended.account()))));
            }
            if let Some(what) = run::difference(&outcome, &self.reference) {
                let said = outcome.ended.said.trim_end();
                return Ok(Err((Class::WrongResult, told(format!("{what}\n{said}")))));
            }
            return Ok(Ok(()));
        }
    }
}

/// The class of a run that did not reach its end.
fn failed(ended: &Ended) -> Option<Class> {
    match (ended.status, ended.signal()) {
        (None, _) => Some(Class::Hangs),
        (Some(status), _) if status.success() => None,
        (_, Some(_)) => Some(Class::RestartCrashed),
        (_, None) => Some(Class::RestartRefused),
    }
}

/// A first run is killed at any tick. A resumed run has fewer ticks, and may also be killed after a time,
/// during the restart.
fn random_kill(ticks: &[u64], is_resumed: bool, random: &mut Random) -> Kill {
    if is_resumed && random.chance(25) {
        return Kill::AfterMicroseconds(300 + random.below(6000) as u64);
    }
    let rank = random.below(ticks.len());
    let share = if is_resumed { 1 + random.below(3) as u64 } else { 1 };
    let limit = (ticks[rank] / share).max(1);
    Kill::AtTick(1 + random.below(limit as usize) as u64, rank as u32)
}

/// A fault of the generator: sanitizers find a fault in the plain program, or its results depend on
/// optimisation. `None` if no fault was found.
pub fn generator_fault(sample: &Sample, directory: &Path) -> Result<Option<String>> {
    let sources = sample.write(directory)?;
    let (work, state) = (directory.join("work"), directory.join("state"));
    let places = Places { scratch: directory, work: &work, state: &state };
    let usual = sample.only_compiler.unwrap_or_else(|| build::compilers(sample.language)[0]);
    let mut reference: Option<Outcome> = None;
    for options in checks(sample.language) {
        let executable = match build::plain(sample, &sources, usual, options, directory)? {
            Built::Executable(path) => path,
            Built::Failed(ended) => return Ok(Some(format!("{options:?}: {}", ended.account()))),
        };
        let outcome = match run::must_end(sample, &executable, &places) {
            Ok(outcome) => outcome,
            Err(error) => return Ok(Some(format!("{options:?}: {error:#}"))),
        };
        if let Some(what) = reference.as_ref().and_then(|reference| run::difference(&outcome, reference)) {
            return Ok(Some(format!("{options:?}: {what}")));
        }
        reference = Some(outcome);
    }
    Ok(None)
}

fn checks(language: Language) -> &'static [&'static [&'static str]] {
    match language {
        Language::C => &[
            &["-O0"],
            &["-O3"],
            build::SANITIZED,
            &["-O1", "-ftrivial-auto-var-init=pattern"],
            &["-O1", "-ftrivial-auto-var-init=zero"],
        ],
        Language::Fortran => &[
            &["-O0"],
            &["-O3"],
            &["-O1", "-g", "-fcheck=all", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
            &["-O1", "-finit-local-zero", "-finit-derived"],
        ],
    }
}

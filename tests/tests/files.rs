//! Programs in C and Fortran that use files at random. They are killed at random operations and calls of
//! the runtime, also during restarts, and resumed to the end. Then all files equal, byte for byte, those of
//! a run that was not killed.
//!
//! The programs are `programs/alone/io_random.c` and `io_random_units.f90`. A seed determines their
//! operations. `CPPC_FILES_SEED` sets the first seed, and `CPPC_FILES_SEEDS` the number of seeds for each
//! language.

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};

use anyhow::{bail, ensure, Context, Result};
use cppc_tests::build;
use cppc_tests::cases::{case, run};
use cppc_tests::form::Form;
use cppc_tests::matrix::in_memory;
use cppc_tests::product::here;
use cppc_tests::program::Program;
use cppc_tests::random::numbers::Random;
use cppc_tests::state;

const SEEDS: u64 = 40;
const SEEDS_PER_TEST: u64 = 10;
const STORIES: usize = 5;
/// Each step has about two operations and three calls of the runtime.
const STEPS: usize = 60;

type Files = BTreeMap<String, Vec<u8>>;

fn main() -> ExitCode {
    run(cases())
}

fn cases() -> Result<Vec<libtest_mimic::Trial>> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("files");
    let (first, seeds) = (number("CPPC_FILES_SEED", 1)?, number("CPPC_FILES_SEEDS", SEEDS)?);
    let mut cases = Vec::new();
    for (title, file) in [("c", "io_random.c"), ("fortran", "io_random_units.f90")] {
        for begin in (0..seeds).step_by(SEEDS_PER_TEST as usize) {
            let own = first + begin..first + (begin + SEEDS_PER_TEST).min(seeds);
            let name = format!("{title}/{:03}", begin / SEEDS_PER_TEST);
            cases.push(case(&scratch, name, move |directory| try_seeds(title, file, own.clone(), directory)));
        }
    }
    Ok(cases)
}

fn number(variable: &str, otherwise: u64) -> Result<u64> {
    match std::env::var(variable) {
        Ok(value) => value.parse().with_context(|| format!("`{variable}={value}` is not a number")),
        Err(_) => Ok(otherwise),
    }
}

fn try_seeds(title: &str, file: &str, seeds: std::ops::Range<u64>, directory: &Path) -> Result<()> {
    let program = Program::read(title, &here("programs/alone").join(file))?;
    let forms = Form::all(&program);
    let form = forms[usize::try_from(seeds.start).unwrap_or(0) / SEEDS_PER_TEST as usize % forms.len()];
    let executable = build::translated(&program, form, directory)?;
    let memory = in_memory(directory)?;
    let scene = Scene { executable, work: memory.path().join("work"), state: memory.path().join("state") };
    let mut resumed = 0;
    for seed in seeds {
        let tried = scene.try_seed(seed);
        resumed +=
            tried.with_context(|| format!("CPPC_FILES_SEED={seed} CPPC_FILES_SEEDS=1, {title}, {form}"))?;
    }
    ensure!(resumed > 0, "nothing was resumed");
    Ok(())
}

/// The program, and where it runs.
struct Scene {
    executable: PathBuf,
    work: PathBuf,
    state: PathBuf,
}

impl Scene {
    /// Returns how many runs were resumed.
    fn try_seed(&self, seed: u64) -> Result<usize> {
        let mut random = Random::new(seed ^ 0x6669_6c65);
        self.clear()?;
        let unbroken = self.run(seed, &[])?;
        let said = String::from_utf8_lossy(&unbroken.stderr).into_owned();
        ensure!(unbroken.status.success() && !said.contains("cppc: "), "unbroken: {unbroken:?}");
        let wanted = self.files()?;
        let mut resumed = 0;
        for story in 0..STORIES {
            resumed += self.story(seed, &wanted, &mut random).with_context(|| format!("story {story}"))?;
        }
        Ok(resumed)
    }

    fn story(&self, seed: u64, wanted: &Files, random: &mut Random) -> Result<usize> {
        const MOST_KILLS: usize = 6;
        self.clear()?;
        let settings = [
            ("CPPC_ASYNC", random.chance(50).to_string()),
            ("CPPC_EVERY", random.pick(&["1", "1", "2", "5"]).to_owned()),
            ("CPPC_KEEP", random.pick(&["1", "2"]).to_owned()),
        ];
        let (mut told, mut resumed) = (format!("{settings:?}"), 0);
        for kills in 0..=MOST_KILLS {
            if state::lines_of(&self.state, 0)?.is_empty() {
                // The run starts from the beginning. Its files were not saved, so they are removed.
                self.clear()?;
            }
            let mut variables = settings.to_vec();
            let limit = 2 * STEPS / (1 + kills);
            match random.below(3) {
                _ if kills == MOST_KILLS || (kills > 0 && random.chance(35)) => {}
                0 => variables.push(("KILLER_ORDER", format!("event:{}:0", 2 + random.below(2 * limit)))),
                _ => variables.push(("DIE", (1 + random.below(limit)).to_string())),
            }
            let outcome = self.run(seed, &variables)?;
            let said = String::from_utf8_lossy(&outcome.stderr).into_owned();
            resumed += usize::from(said.contains("resuming from"));
            told = format!("{told}\n{:?}\n{said}", variables.get(settings.len()));
            if outcome.status.signal() == Some(libc::SIGKILL) {
                continue;
            }
            ensure!(outcome.status.success(), "{}\n{told}", outcome.status);
            let found = self.files()?;
            if found != *wanted {
                let same = |name: &&String| found.get(*name) == wanted.get(*name);
                let names = found.keys().chain(wanted.keys()).filter(|name| !same(name));
                bail!("these files differ: {:?}\n{told}", names.collect::<Vec<_>>());
            }
            return Ok(resumed);
        }
        bail!("the last run was killed: {told}")
    }

    fn run(&self, seed: u64, variables: &[(&str, String)]) -> Result<Output> {
        let mut command = Command::new(&self.executable);
        cppc_tests::run::without_settings(&mut command);
        command.current_dir(&self.work).env("CPPC_DIR", &self.state).env("CPPC_EVERY", "1");
        command.env("SEED", seed.to_string()).env("STEPS", STEPS.to_string()).envs(variables.iter().cloned());
        command.output().with_context(|| format!("cannot run {command:?}"))
    }

    fn files(&self) -> Result<Files> {
        let mut files = Files::new();
        for entry in std::fs::read_dir(&self.work)? {
            let entry = entry?;
            files.insert(entry.file_name().to_string_lossy().into_owned(), std::fs::read(entry.path())?);
        }
        Ok(files)
    }

    fn clear(&self) -> Result<()> {
        for directory in [&self.work, &self.state] {
            if directory.exists() {
                std::fs::remove_dir_all(directory)?;
            }
        }
        Ok(std::fs::create_dir_all(&self.work)?)
    }
}

//! Random programs, killed at random and resumed: 150 in each language, from fixed seeds.
//!
//! `CPPC_RANDOM_SEED` sets the first seed, `CPPC_RANDOM_PROGRAMS` the number of programs of each language.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{ensure, Context, Result};
use cppc_tests::cases::{case, run};
use cppc_tests::program::Language;
use cppc_tests::random::campaign::{account, try_seed, Table};
use cppc_tests::random::sample::Size;
use cppc_tests::random::trial::Effort;
use libtest_mimic::Trial;

/// Small enough that the test runner can distribute the tests over processors.
const PROGRAMS_PER_TEST: u64 = 10;
const PROGRAMS: u64 = 150;
const EFFORT: Effort = Effort { stories: 2, is_sanitized: false };

fn main() -> ExitCode {
    run(cases())
}

fn cases() -> Result<Vec<Trial>> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("random");
    let first = number("CPPC_RANDOM_SEED", 1)?;
    let mut cases = Vec::new();
    let programs = number("CPPC_RANDOM_PROGRAMS", PROGRAMS)?;
    for (name, language) in [("c", Language::C), ("fortran", Language::Fortran)] {
        let mut begin = 0;
        while begin < programs {
            let seeds = first + begin..first + (begin + PROGRAMS_PER_TEST).min(programs);
            let title = format!("{name}/{:03}", begin / PROGRAMS_PER_TEST);
            cases.push(case(&scratch, title, move |directory| try_seeds(language, seeds.clone(), directory)));
            begin += PROGRAMS_PER_TEST;
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

fn try_seeds(language: Language, seeds: std::ops::Range<u64>, directory: &Path) -> Result<()> {
    let (mut table, mut failures) = (Table::default(), Vec::new());
    for seed in seeds {
        let own = directory.join(seed.to_string());
        std::fs::create_dir_all(&own)?;
        let verdict = try_seed(language, seed, Size::Small, EFFORT, &own)?;
        table.add(&verdict);
        match verdict.class.is_good() {
            true => std::fs::remove_dir_all(&own)?,
            false => failures.push(account(language, seed, Size::Small, &verdict)),
        }
    }
    ensure!(failures.is_empty(), "{table}\n\n{}", failures.join("\n\n"));
    ensure!(table.counts.resumed > 0, "nothing was resumed: {table}");
    Ok(())
}

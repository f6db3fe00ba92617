//! Tries many random programs.
//!
//! Input: a range of seeds.
//! Output: a table of verdicts, and the failures.
//! Postcondition: a failure counts as one of the product only if sanitizers and other options found no
//! mistake in the program.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use anyhow::Result;

use super::generator;
use super::sample::Size;
use super::trial::{generator_fault, try_sample, Class, Counts, Effort, Verdict};
use crate::program::Language;

/// The results of a campaign so far.
#[derive(Debug, Default)]
pub struct Table {
    pub programs: usize,
    pub counts: Counts,
    pub classes: BTreeMap<Class, usize>,
}

impl Table {
    pub fn add(&mut self, verdict: &Verdict) {
        self.programs += 1;
        self.counts.killed += verdict.counts.killed;
        self.counts.resumed += verdict.counts.resumed;
        *self.classes.entry(verdict.class).or_default() += 1;
    }

    /// The number of failures.
    pub fn bad(&self) -> usize {
        self.classes.iter().filter(|(class, _)| !class.is_good()).map(|(_, count)| count).sum()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Counts { killed, resumed } = self.counts;
        write!(f, "{} programs, {killed} killed runs, {resumed} resumed", self.programs)?;
        for (class, count) in &self.classes {
            write!(f, "; {count} {class}")?;
        }
        Ok(())
    }
}

/// Tries the program of one seed in an empty directory. The directory is not cleaned up.
pub fn try_seed(
    language: Language,
    seed: u64,
    size: Size,
    effort: Effort,
    directory: &Path,
) -> Result<Verdict> {
    let sample = generator(language).generate(seed, size);
    let mut verdict = try_sample(&sample, seed, effort, directory)?;
    if !verdict.class.is_good() && verdict.class != Class::GeneratorFault {
        let check = tempfile::TempDir::with_prefix_in("check-", directory)?;
        if let Some(fault) = generator_fault(&sample, check.path())? {
            verdict.what = format!("{fault}\n(seen as: {}, {})", verdict.class, verdict.what);
            verdict.class = Class::GeneratorFault;
        }
    }
    Ok(verdict)
}

/// The information that is needed to reproduce the failure.
pub fn account(language: Language, seed: u64, size: Size, verdict: &Verdict) -> String {
    let name = match language {
        Language::C => "c",
        Language::Fortran => "fortran",
    };
    let large = if size == Size::Large { " --large" } else { "" };
    format!(
        "{}: cargo xtask random --language {name} --seed {seed}{large} --minimise\n{}",
        verdict.class, verdict.what
    )
}

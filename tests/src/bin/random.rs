//! Runs random programs from the command line: one seed, or new seeds up to a limit or without end.
//!
//! Input: seeds.
//! Output: a line for each failure with the command that reproduces it, and a table.
//! Postcondition: nothing outside of the scratch directory has changed.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime};

use anyhow::Result;
use clap::{Parser, ValueEnum};
use cppc_tests::program::Language;
use cppc_tests::random::campaign::{account, try_seed, Table};
use cppc_tests::random::generator;
use cppc_tests::random::omit::{try_omissions, Fate, Omission};
use cppc_tests::random::reduce::reduce;
use cppc_tests::random::sample::{Sample, Size};
use cppc_tests::random::trial::{generator_fault, Effort};

/// Generates random programs, translates them, kills them, resumes them and compares
#[derive(Parser)]
#[command(name = "cargo xtask random")]
struct Options {
    /// Of both languages in turn when none is given
    #[arg(long)]
    language: Option<Choice>,
    /// The first seed; by default one from the clock
    #[arg(long, env = "CPPC_RANDOM_SEED")]
    seed: Option<u64>,
    /// How many programs; by default 1 for a seed, else no end
    #[arg(long, env = "CPPC_RANDOM_PROGRAMS")]
    programs: Option<u64>,
    /// Stop after so many minutes
    #[arg(long)]
    minutes: Option<u64>,
    /// Larger programs than those of `make check`
    #[arg(long)]
    large: bool,
    /// How often each program is started afresh, killed and resumed
    #[arg(long, default_value_t = 3)]
    stories: usize,
    /// Build the translated programs with AddressSanitizer and UndefinedBehaviorSanitizer
    #[arg(long)]
    sanitize: bool,
    /// Reduce each failing program, and print it
    #[arg(long)]
    minimise: bool,
    /// Print the program, and do not try it
    #[arg(long)]
    print: bool,
    /// Only look for faults of the generator, by sanitizers and by other options of the compiler
    #[arg(long)]
    check: bool,
    /// Instead, remove so many parts of directives, one at a time: what is then wrong must be reported
    #[arg(long, value_name = "N")]
    omit: Option<usize>,
    /// Print each part that is removed, not only those that are not reported
    #[arg(long)]
    list: bool,
    /// Where programs and results go; failing ones stay there
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Choice {
    C,
    Fortran,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("random: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the number of failures.
fn run(options: &Options) -> Result<usize> {
    let first = options.seed.unwrap_or_else(from_clock);
    let programs = options.programs.unwrap_or(if options.seed.is_some() { 1 } else { u64::MAX });
    let languages: &[Language] = match options.language {
        Some(Choice::C) => &[Language::C],
        Some(Choice::Fortran) => &[Language::Fortran],
        None => &[Language::C, Language::Fortran],
    };
    let size = if options.large { Size::Large } else { Size::Small };
    let effort = Effort { stories: options.stories, is_sanitized: options.sanitize };
    let scratch =
        options.scratch.clone().unwrap_or_else(|| std::env::temp_dir().join(format!("cppc-random-{first}")));
    let limit = options.minutes.map(|minutes| Duration::from_secs(60 * minutes));
    let (start, mut table) = (Instant::now(), Table::default());
    let (mut omissions, mut misses) = (Omissions::new(), 0);
    for seed in (0..programs).map(|number| first.wrapping_add(number)) {
        if limit.is_some_and(|limit| start.elapsed() > limit) {
            break;
        }
        for &language in languages {
            let sample = generator(language).generate(seed, size);
            if options.print {
                print!("{}", sample.listing());
                continue;
            }
            let directory = scratch.join(format!("{language:?}-{seed}").to_lowercase());
            let _ = std::fs::remove_dir_all(&directory);
            std::fs::create_dir_all(&directory)?;
            if options.check {
                if let Some(fault) = generator_fault(&sample, &directory)? {
                    println!("seed {seed}: {fault}\nin {}\n", directory.display());
                }
                continue;
            }
            if let Some(most) = options.omit {
                let found = try_omissions(&sample, seed, most, &directory)?;
                misses += omitted(language, seed, found, options.list, &mut omissions);
                continue;
            }
            let verdict = try_seed(language, seed, size, effort, &directory)?;
            table.add(&verdict);
            if verdict.class.is_good() {
                std::fs::remove_dir_all(&directory)?;
            } else {
                println!("{}\nin {}\n", account(language, seed, size, &verdict), directory.display());
                if options.minimise {
                    println!("{}", minimal(&sample, &verdict.class, seed, effort, &directory)?);
                }
            }
            if table.programs % 25 == 0 {
                println!("{table}");
            }
        }
    }
    for ((language, kind, fate), count) in &omissions {
        println!("{language:8} {kind:9} {fate:17} {count:6}");
    }
    if !options.print && options.omit.is_none() {
        println!("{table}");
    }
    Ok(table.bad() + misses)
}

/// Numbers of omissions by language, kind and fate.
type Omissions = BTreeMap<(String, &'static str, String), usize>;

/// Counts the omissions of a program, and prints those that the product did not handle well. Returns the misses.
fn omitted(
    language: Language,
    seed: u64,
    found: Option<Vec<Omission>>,
    is_listed: bool,
    table: &mut Omissions,
) -> usize {
    let mut count =
        |kind, fate: String| *table.entry((format!("{language:?}"), kind, fate)).or_default() += 1;
    let Some(found) = found else {
        count("program", "left out".to_owned());
        return 0;
    };
    count("program", "tried".to_owned());
    for omission in &found {
        let fate = omission.fate();
        count(omission.removal.kind, format!("{fate:?}"));
        if is_listed || fate == Fate::Missed {
            println!("{language:?} seed {seed}: {omission}");
        }
    }
    found.iter().filter(|omission| omission.fate() == Fate::Missed).count()
}

/// The text of the smallest program that fails in the same way.
fn minimal(
    sample: &Sample,
    class: &cppc_tests::random::trial::Class,
    seed: u64,
    effort: Effort,
    directory: &std::path::Path,
) -> Result<String> {
    let mut lines = sample.listing().lines().count();
    let mut report = |sample: &Sample| {
        let now = sample.listing().lines().count();
        if now < lines * 3 / 4 {
            eprintln!("{now} lines");
            lines = now;
        }
    };
    let reduced = reduce(sample, *class, seed, effort, directory, &mut report)?;
    Ok(reduced.listing())
}

fn from_clock() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(1, |time| time.as_secs())
}

//! From each program, one part of a directive is removed at a time: a registered name, a captured name, an
//! execute block. Where the resumed run is then wrong, the check of live data must have reported it.
//!
//! The misses in `known_misses.txt` are faults of the check that are not fixed yet. Another miss fails the test, and with
//! `CPPC_REMOVALS=all` so does an entry that is not a miss.
//!
//! By default, some removals of some programs are tried. With `CPPC_REMOVALS=all`, all are tried, and a table is
//! printed. With `CPPC_REMOVALS=none`, the programs are tried as they are. One program: `cargo test -p cppc-tests --test removals -- heap_swap`.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;

use anyhow::{ensure, Result};
use cppc_tests::cases::{case, run};
use cppc_tests::deletion::{fates, Effort, Fate};
use cppc_tests::program::{programs, Language};
use libtest_mimic::Trial;

/// For each language and kind: removed, reported, skipped, needless, missed.
type Table = BTreeMap<(&'static str, &'static str), [usize; 5]>;
static TABLE: Mutex<Table> = Mutex::new(Table::new());

fn main() -> ExitCode {
    let code = run(cases());
    let table = TABLE.lock().expect("no test fails while it holds the table");
    if !table.is_empty() {
        println!("language  part      removed  reported  skipped  needless  missed");
    }
    for ((language, kind), [removed, reported, skipped, needless, missed]) in table.iter() {
        println!("{language:8}  {kind:8}  {removed:7}  {reported:8}  {skipped:7}  {needless:8}  {missed:6}");
    }
    code
}

fn cases() -> Result<Vec<Trial>> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("removals");
    let all = std::env::var("CPPC_REMOVALS").ok();
    let effort = match all.as_deref() {
        Some("all") => Effort { one_of: 1, kills: 6 },
        Some("none") => Effort { one_of: usize::MAX, kills: 8 },
        Some(_) | None => Effort { one_of: 8, kills: 2 },
    };
    let mut cases = Vec::new();
    for program in programs()? {
        let name = program.name.clone();
        if all.is_none() && !is_in_sample(&name) {
            continue;
        }
        let is_all = effort.one_of == 1;
        cases.push(case(&scratch, name, move |directory| {
            let language = if program.language == Language::C { "C" } else { "Fortran" };
            let known = known_misses(&program.name);
            let mut misses = Vec::new();
            let mut left = known.clone();
            for (removal, fate) in fates(&program, effort, directory)? {
                let short = format!("{} {}", removal.kind, removal.name).trim_end().to_owned();
                let place = format!("{short} in line {}", removal.line);
                let mut table = TABLE.lock().expect("no test fails while it holds the table");
                let counts = table.entry((language, removal.kind)).or_default();
                counts[0] += 1;
                match fate {
                    Fate::Reported => counts[1] += 1,
                    Fate::Skipped => counts[2] += 1,
                    Fate::Needless => counts[3] += 1,
                    Fate::Missed(why) => {
                        counts[4] += 1;
                        left.retain(|one| *one != short);
                        if !known.contains(&short) {
                            misses.push(format!("{place}: {why}"));
                        }
                    }
                }
            }
            ensure!(misses.is_empty(), "not reported:\n{}", misses.join("\n"));
            ensure!(!is_all || left.is_empty(), "no longer misses: {}", left.join(", "));
            Ok(())
        }));
    }
    Ok(cases)
}

/// Sequential programs of both languages.
fn is_in_sample(name: &str) -> bool {
    !name.contains("mpi") && name.bytes().map(usize::from).sum::<usize>() % 16 == 0
}

fn known_misses(program: &str) -> Vec<String> {
    let of_program = |line: &str| {
        let (name, miss) = line.split_once(": ")?;
        (name == program).then(|| miss.to_owned())
    };
    include_str!("../known_misses.txt").lines().filter_map(of_program).collect()
}

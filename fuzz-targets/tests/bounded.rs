//! Every target, a bounded number of times, from a fixed seed: what `make check` has of fuzzing without nightly Rust.
//!
//! `CPPC_FUZZ_SEED` chooses another sequence, `CPPC_FUZZ_RUNS` multiplies the number of runs by so many. Each input is
//! written to a file before it is tried, so that one that ends the process is there afterwards.

use std::fs;
use std::path::{Path, PathBuf};

use cppc_fuzz_targets::mutate::mutated;
use cppc_fuzz_targets::{target, Target, TARGETS};
use cppc_prng::{from_environment, Random};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Inputs that once did harm. Adding a file to `tests/found/TARGET` adds a case.
fn found(target: &Target) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/found").join(target.name);
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

fn bounded(name: &str) {
    let target = target(name);
    let current = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.input"));
    let mut seeds = (target.seeds)(&root());
    assert!(!seeds.is_empty(), "{name}: no input to start from");
    seeds.extend(found(target));
    let attempt = |bytes: &[u8], which: &str| {
        fs::write(&current, bytes).unwrap();
        let outcome = std::panic::catch_unwind(|| (target.run)(bytes));
        assert!(outcome.is_ok(), "{name}: {which}; the input is in {}", current.display());
    };
    for (index, seed) in seeds.iter().enumerate() {
        attempt(seed, &format!("unchanged input {index}"));
    }
    let seed = from_environment("CPPC_FUZZ_SEED", 1);
    let runs = u64::from(target.runs) * from_environment("CPPC_FUZZ_RUNS", 1);
    let mut random = Random::new(seed);
    for run in 0..runs {
        attempt(&mutated(&seeds, target.words, &mut random), &format!("seed {seed}, run {run}"));
    }
    println!("fuzz {name}: {} inputs from the repository, {runs} mutations, seed {seed}", seeds.len());
}

macro_rules! bounded {
    ($($name:ident),*) => {
        $(#[test] fn $name() { bounded(stringify!($name)); })*

        #[test]
        fn every_target_is_tried() {
            let tried = [$(stringify!($name)),*];
            assert_eq!(TARGETS.iter().map(|target| target.name).collect::<Vec<_>>(), tried);
        }
    };
}

bounded!(
    c_source,
    fortran_free,
    fortran_fixed,
    directive_c,
    directive_fortran,
    settings,
    state_file,
    state_base,
    state_hdf5,
    interface
);

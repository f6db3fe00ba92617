//! The fuzzed functions: one for each reader of bytes that come from outside.
//!
//! Input: any bytes.
//! Output: nothing. A target panics if the product panics, or if a property is violated.
//!
//! `cargo fuzz` (folder `fuzz/`) and the bounded run of `make check` (`tests/bounded.rs`) call the same
//! functions.

pub mod interface;
pub mod mutate;

mod plugin;

pub mod corpus;

mod settings;
mod source;
mod state;

use std::path::Path;

/// A reader, and where input that it accepts is found.
pub struct Target {
    pub name: &'static str,
    pub run: fn(&[u8]),
    /// Valid inputs, to start from. `root` is the folder of the repository.
    pub seeds: fn(root: &Path) -> Vec<Vec<u8>>,
    /// Words that such input is made of.
    pub words: &'static [&'static str],
    /// How often the bounded run calls it, more or less by its price.
    pub runs: u32,
}

pub const TARGETS: &[Target] = &[
    Target { name: "c_source", run: source::c, seeds: corpus::c, words: corpus::C_WORDS, runs: 1_000 },
    Target {
        name: "fortran_free",
        run: source::fortran_free,
        seeds: corpus::fortran_free,
        words: corpus::FORTRAN_WORDS,
        runs: 1_000,
    },
    Target {
        name: "fortran_fixed",
        run: source::fortran_fixed,
        seeds: corpus::fortran_fixed,
        words: corpus::FORTRAN_WORDS,
        runs: 1_000,
    },
    Target {
        name: "directive_c",
        run: source::directive_c,
        seeds: corpus::directives,
        words: corpus::DIRECTIVE_WORDS,
        runs: 1_500,
    },
    Target {
        name: "directive_fortran",
        run: source::directive_fortran,
        seeds: corpus::directives,
        words: corpus::DIRECTIVE_WORDS,
        runs: 1_500,
    },
    Target {
        name: "settings",
        run: settings::gathered,
        seeds: corpus::settings,
        words: corpus::SETTING_WORDS,
        runs: 1_500,
    },
    Target { name: "state_file", run: state::file, seeds: corpus::state_files, words: &[], runs: 10_000 },
    Target { name: "state_base", run: state::base, seeds: corpus::state_bases, words: &[], runs: 10_000 },
    Target { name: "state_hdf5", run: state::hdf5, seeds: corpus::state_hdf5, words: &[], runs: 500 },
    Target { name: "interface", run: interface::calls, seeds: corpus::calls, words: &[], runs: 200 },
];

/// Adds the valid inputs of a target to the corpus of `cargo fuzz`.
///
/// # Panics
/// When a file cannot be written.
pub fn add_seeds(name: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let corpus = root.join("fuzz/corpus").join(name);
    std::fs::create_dir_all(&corpus).expect("a directory for the corpus");
    for (number, seed) in (target(name).seeds)(&root).iter().enumerate() {
        std::fs::write(corpus.join(format!("seed-{number}")), seed).expect("a file of the corpus");
    }
}

/// The target of this name.
///
/// # Panics
/// When there is none.
pub fn target(name: &str) -> &'static Target {
    TARGETS.iter().find(|target| target.name == name).unwrap_or_else(|| panic!("there is no target `{name}`"))
}

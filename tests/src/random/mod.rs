//! Random programs: generated, translated, killed at random, and resumed until they end.
//!
//! Input: a seed.
//! Output: a verdict for each program, and a small program for each failure.
//!
//! The modules are listed in the order of the flow. `make check` tries fixed seeds (tests/tests/random.rs).
//! `make soak` tries new seeds without end (src/bin/random.rs).

pub mod sample;
pub mod c;
pub mod fortran;
pub mod process;
pub mod build;
pub mod run;
pub mod trial;
pub mod reduce;
pub mod campaign;
pub mod omit;

pub use cppc_prng as numbers;

use crate::program::Language;
use sample::Generator;

/// The generator of a language.
pub fn generator(language: Language) -> &'static dyn Generator {
    match language {
        Language::C => &c::Programs,
        Language::Fortran => &fortran::Programs,
    }
}

//! Random programs in Fortran.
//!
//! Input: a seed.
//! Output: a program.
//! Postcondition: the program conforms to the standard and has exactly one result. It registers what a
//! restart needs according to docs/directives.md.

mod world;
mod expr;
mod declare;
mod memory;
mod files;
mod calls;
mod statements;
mod constructs;
mod interfaces;
mod procedures;
mod layout;
mod tree;
mod program;

use super::numbers::Random;
use super::sample::{Generator, Sample, Size};
use crate::program::Language;
use world::{Scope, World};

pub struct Programs;

impl Generator for Programs {
    fn language(&self) -> Language {
        Language::Fortran
    }

    fn generate(&self, seed: u64, size: Size) -> Sample {
        program(seed, size)
    }
}

fn program(seed: u64, size: Size) -> Sample {
    let size = match size {
        Size::Small => 4,
        Size::Large => 8,
    };
    Writer::new(seed).program(size)
}

/// A program while it is written.
struct Writer {
    random: Random,
    world: World,
    scope: Scope,
    /// The depth of nested subscripts and arguments.
    level: u32,
    /// The number of the statements that are written together.
    atom: u32,
    atoms: u32,
    /// Whether a separate procedure contains `init`.
    starts_below: bool,
    /// Whether a statement includes a file.
    includes: bool,
    /// The files that the program writes.
    files: Vec<String>,
    /// Whether a name of a BLOCK hides an array that may move.
    hides_array: bool,
}

impl Writer {
    fn new(seed: u64) -> Writer {
        Writer {
            random: Random::new(seed),
            world: World { names: 10, ..World::default() },
            scope: Scope::default(),
            level: 0,
            atom: 0,
            atoms: 0,
            includes: false,
            starts_below: false,
            files: Vec::new(),
            hides_array: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_program() {
        let text = |seed| program(seed, Size::Small).listing();
        assert_eq!(text(5), text(5));
        assert_ne!(text(5), text(6));
    }

    /// For each defect that was found by hand, the generator makes its form.
    #[test]
    fn every_form_of_a_known_defect_is_made() {
        let mut missing: Vec<&str> = FORMS.iter().map(|(name, _)| *name).collect();
        for seed in 1..2000 {
            let sample = program(seed, Size::Small);
            let text = sample.listing();
            missing.retain(|name| !FORMS.iter().any(|(known, made)| known == name && made(&text)));
            if missing.is_empty() {
                return;
            }
        }
        panic!("in no program: {missing:?}");
    }

    /// The name of a form, and whether a program has it.
    type Form = (&'static str, fn(&str) -> bool);

    const FORMS: [Form; 21] = [
        ("an argument with LBOUND in a subscript of an expression", |text| {
            text.lines().any(|line| line.trim_start().starts_with("call sub") && line.contains("(lbound("))
        }),
        ("a checkpoint in a procedure that sees no variables of modules", |text| {
            text.split("\nend ")
                .any(|unit| unit.contains("use store_0, only:") && unit.contains("$cppc checkpoint"))
        }),
        ("a large module", |text| {
            let module = text.split("end module store_").next().unwrap_or_default();
            module.lines().filter(|line| line.contains(" :: v")).count() > 20
        }),
        ("a literal for a dummy argument that is captured", |text| text.contains("capture(d")),
        ("a statement that is continued right before a call", |text| {
            text.split("&\n").skip(1).any(|next| next.trim_start_matches([' ', '&']).starts_with("fun"))
        }),
        ("a name of a BLOCK that hides another", |text| {
            text.split("block\n").skip(1).any(|inner| {
                let first = inner.lines().next().unwrap_or_default();
                first.split(":: ").nth(1).is_some_and(|name| name.starts_with('v'))
            })
        }),
        ("a pointer that is registered before its target", |text| {
            let targets = text.lines().filter_map(|line| line.trim().split_once(" => "));
            targets.into_iter().any(|(pointer, target)| {
                let first = |name: &str| text.find(&format!("register({name})"));
                first(pointer).zip(first(target)).is_some_and(|(pointer, target)| pointer < target)
            })
        }),
        ("a pointer that is set before `init`", |text| {
            text.split("$cppc init")
                .next()
                .unwrap_or_default()
                .lines()
                .any(|line| line.trim_start().starts_with('p') && line.contains(" => v"))
        }),
        ("a log that is opened with NEWUNIT, closed, and an internal write", |text| {
            text.contains("position='append'") && text.contains("newunit=u") && text.contains("write (v")
        }),
        ("pointer components that were never set", |text| {
            text.contains(" :: v") && text.contains("type(linked) ::")
        }),
        ("an included statement", |text| text.contains("include 'part.inc'")),
        ("the service started below the main program", |text| text.contains("call begin_service()")),
        ("a name of a file in a variable", |text| text.contains("file=trim(v") || text.contains("file=v")),
        ("a generic name", |text| text.contains("  module procedure sub")),
        ("a procedure that is bound to a type", |text| text.contains("%call(") && text.contains("%any(")),
        ("a procedure pointer", |text| text.contains("), pointer :: sub")),
        ("an ENTRY", |text| text.lines().any(|line| line.trim_start().starts_with("entry sub"))),
        ("SELECT RANK", |text| text.contains("select rank (")),
        ("a passed object", |text| text.contains("procedure, pass(self) ::") && text.contains("%call(")),
        ("SELECT TYPE", |text| text.contains("type is (")),
        ("two processes", |text| text.contains("MPI_Sendrecv")),
    ];
}

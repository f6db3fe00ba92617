//! Random programs in Fortran.
//!
//! In: a seed. Out: a program. Postcondition: it conforms to the standard, registers what a restart needs by
//! docs/directives.md, and has one result.

use super::numbers::Random;
use super::sample::{Generator, Node, Sample, Size, SourceFile};
use crate::program::Language;

pub struct Programs;

impl Generator for Programs {
    fn language(&self) -> Language {
        Language::Fortran
    }

    fn generate(&self, seed: u64, _size: Size) -> Sample {
        let mut random = Random::new(seed);
        let mut sample = Sample::new(Language::Fortran);
        let turns = random.within(2, 6);
        let body = vec![
            Node::line("!$cppc checkpoint"),
            Node::line("  call tick"),
            Node::line(format!("  s = s * {} + i", random.within(2, 5))),
        ];
        let text = vec![
            Node::lines(["program main", "implicit none", "integer :: i, s", "s = 1", "!$cppc init"]).fixed(),
            Node::line("!$cppc register(s)").fixed(),
            Node::block(format!("do i = 1, {turns}"), body, "end do"),
            Node::lines(["!$cppc shutdown", "print '(i0)', s", "end program main"]).fixed(),
        ];
        sample.files.push(SourceFile::new("main.f90", text));
        sample
    }
}

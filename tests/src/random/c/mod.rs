//! Random programs in C.
//!
//! In: a seed. Out: a program. Postcondition: it has no undefined behaviour, registers what a restart needs by
//! docs/directives.md, and has one result.

use super::numbers::Random;
use super::sample::{Generator, Node, Sample, Size, SourceFile};
use crate::program::Language;

pub struct Programs;

impl Generator for Programs {
    fn language(&self) -> Language {
        Language::C
    }

    fn generate(&self, seed: u64, _size: Size) -> Sample {
        let mut random = Random::new(seed);
        let mut sample = Sample::new(Language::C);
        let turns = random.within(2, 6);
        let body = vec![
            Node::line("#pragma cppc checkpoint"),
            Node::line("tick();"),
            Node::line(format!("s = s * {} + i;", random.within(2, 5))),
        ];
        let main = vec![
            Node::line("int i; unsigned s = 1;").fixed(),
            Node::lines(["#pragma cppc init", "#pragma cppc register(i, s)"]).fixed(),
            Node::block(format!("for (i = 0; i < {turns}; i++) {{"), body, "}"),
            Node::lines(["#pragma cppc shutdown", "printf(\"%u\\n\", s);", "return 0;"]).fixed(),
        ];
        let text = vec![
            Node::lines(["#include <stdio.h>", "void tick(void);"]).fixed(),
            Node::block("int main(void) {", main, "}").fixed(),
        ];
        sample.files.push(SourceFile::new("main.c", text));
        sample
    }
}

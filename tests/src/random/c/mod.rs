//! Random programs in C.
//!
//! Input: a seed.
//! Output: a program.
//! Postcondition: the program has no undefined behaviour and exactly one result. It registers what a restart
//! needs according to docs/directives.md.

mod types;
mod scope;
mod draft;
mod body;
mod expressions;
mod statements;
mod templates;
mod procedures;
mod report;
mod main_program;

use super::numbers::Random;
use super::sample::{Generator, Node, Sample, Size, SourceFile};
use crate::program::Language;
use draft::{Draft, File};
use scope::Variable;
use types::{declare, initialiser, random_structure, random_type, Type};

pub struct Programs;

impl Generator for Programs {
    fn language(&self) -> Language {
        Language::C
    }

    fn generate(&self, seed: u64, size: Size) -> Sample {
        let mut random = Random::new(seed ^ 0x63_0000_0000);
        let mut draft = Draft::new(size);
        draft.is_parallel = random.chance(4);
        let files = 1 + random.below(3);
        draft.files.resize_with(files, File::default);
        for number in 0..random.below(4) {
            let name =
                if number % 2 == 0 { format!("struct part_{number}") } else { format!("Part_{number}") };
            let structure = random_structure(&mut random, &draft.structures, name);
            draft.structures.push(structure);
        }
        add_variables(&mut draft, &mut random);
        if draft.is_parallel {
            main_program::add_exchange(&mut draft);
        } else if random.chance(30) {
            main_program::add_streams(&mut draft, &mut random);
        }
        let procedures = match size {
            Size::Small => 3 + random.below(5),
            Size::Large => 6 + random.below(10),
        };
        for _ in 0..procedures {
            let file = random.below(files);
            procedures::add(&mut draft, &mut random, file);
        }
        let main = main_program::make(&mut draft, &mut random);
        assemble(draft, main)
    }
}

/// Variables of the program and of its files, with the directives that register them.
fn add_variables(draft: &mut Draft, random: &mut Random) {
    for _ in 0..1 + random.below(4) {
        let name = format!("all_{}", draft.number());
        add_variable(draft, random, 0, name, false);
    }
    for file in 0..draft.files.len() {
        for name in ["count", "total", "field", "state", "grid"] {
            if random.chance(45) {
                add_variable(draft, random, file, name.to_owned(), true);
            }
        }
        if random.chance(35) {
            add_heap(draft, random, file);
        }
        let key = draft.key();
        let counter = format!("turn_{file}");
        draft.files[file].head.push(Node::line(format!("static unsigned {counter};")).key(key));
        draft.files[file].registers.push(Node::line(format!("#pragma cppc register({counter})")).key(key));
    }
}

fn add_variable(draft: &mut Draft, random: &mut Random, file: usize, name: String, is_static: bool) {
    let ty = random_type(random, &draft.structures);
    let value = initialiser(&ty, &draft.structures, random);
    let declarator = declare(&ty, &name, &draft.structures);
    let key = draft.key();
    let mut variable = Variable::new(&name, ty);
    (variable.is_private, variable.is_global, variable.key, variable.level) = (false, true, key, 1);
    variable.is_constant = is_static && random.chance(15);
    variable.is_qualified = variable.is_constant;
    variable.is_target = !variable.is_constant && random.chance(70);
    let word = match (is_static, variable.is_constant) {
        (true, true) => "static const ",
        (true, false) => "static ",
        (false, _) => "",
    };
    draft.files[file].head.push(Node::line(format!("{word}{declarator} = {value};")).key(key));
    if !variable.is_constant {
        let mut body = procedures::new_body(draft, random.fork(), file, true);
        let mut lines = Vec::new();
        body.register(&variable, &mut lines);
        draft.files[file].registers.push(Node::lines(lines).key(key));
    }
    if is_static {
        draft.files[file].variables.push(variable);
    } else {
        draft.shared.push(Node::line(format!("extern {declarator};")).key(key));
        draft.globals.push(variable);
    }
}

/// Heap memory to which a variable of a file points for the whole run.
fn add_heap(draft: &mut Draft, random: &mut Random, file: usize) {
    let element = types::random_element(random, &draft.structures);
    let length = 2 + random.below(6);
    let ty = Type::Pointer(Box::new(element), length);
    let key = draft.key();
    for name in ["store", "spare"] {
        add_heap_variable(draft, file, name, ty.clone(), key);
        if random.chance(50) {
            return;
        }
    }
}

fn add_heap_variable(draft: &mut Draft, file: usize, name: &str, ty: Type, key: u32) {
    let Type::Pointer(_, length) = ty else { unreachable!("a pointer leads to heap memory") };
    let declarator = declare(&ty, name, &draft.structures);
    draft.files[file].head.push(Node::line(format!("static {declarator};")).key(key));
    let lines = [
        format!("{name} = calloc({length}, sizeof *{name});"),
        format!("#pragma cppc register({name}[{length}])"),
    ];
    draft.files[file].registers.push(Node::lines(lines).key(key));
    let mut variable = Variable::new(name, ty);
    (variable.is_private, variable.is_global, variable.key, variable.level) = (false, true, key, 1);
    variable.is_target = true;
    draft.files[file].variables.push(variable);
}

/// The files of the finished program.
fn assemble(draft: Draft, main: Vec<Node>) -> Sample {
    let mut sample = Sample::new(Language::C);
    if draft.is_parallel {
        sample.processes = Some(2);
    }
    sample.writes =
        draft.streams.iter().map(|(file, _)| file.clone()).chain(draft.written.iter().cloned()).collect();
    let mut header = vec![Node::lines(HEADER.lines()).fixed()];
    if draft.is_parallel {
        header.insert(0, Node::line("#include <mpi.h>").fixed());
    }
    for (number, structure) in draft.structures.iter().enumerate() {
        let has_typedef = number % 2 == 1;
        header.push(Node::lines(types::define(structure, &draft.structures, has_typedef)));
    }
    header.extend(draft.shared.iter().cloned());
    let last = draft.files.len() - 1;
    for number in 0..draft.files.len() {
        header.push(Node::line(format!("void keep_{number}(void); void report_{number}(void);")).fixed());
    }
    header.push(Node::line("#endif").fixed());
    sample.files.push(SourceFile { name: "program.h".to_owned(), is_compiled: false, text: header });
    for (number, file) in draft.files.iter().enumerate() {
        let mut text = vec![Node::line("#include \"program.h\"").fixed()];
        text.extend(file.head.iter().cloned());
        text.extend(file.prototypes.iter().cloned());
        text.extend(file.tables.iter().cloned());
        text.extend(file.procedures.iter().cloned());
        text.push(Node::block(format!("void keep_{number}(void) {{"), file.registers.clone(), "}").fixed());
        text.push(report::procedure(&draft, number));
        if number == last {
            text.extend(main.iter().cloned());
        }
        sample.files.push(SourceFile::new(format!("part{number}.c"), text));
    }
    sample
}

/// The header of every program. It contains no directives.
const HEADER: &str = "#ifndef PROGRAM_H
#define PROGRAM_H
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef unsigned long long u64;
typedef double real_t;
typedef unsigned short count_t;
enum colour { RED, GREEN, BLUE };
struct linked { double value; struct linked *next; double *at; };
#define TWICE(x) ((x) * 2)
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define SET(place, value) do { place = (value); } while (0)
void tick(void);
static inline double nrm(double x) { return x > -1e15 && x < 1e15 ? fmod(x, 4096.0) : 1.5; }
static inline long long d2i(double x) { return x > -1e9 && x < 1e9 ? (long long)x : 7; }
static inline u64 mix(u64 h, u64 v) { return (h ^ (v + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2))) * 1099511628211u; }
static inline void show_w(const char *name, u64 value) { printf(\"%s %llx\\n\", name, value); }
static inline void show_r(const char *name, long double value) { printf(\"%s %La\\n\", name, value); }";

#[cfg(test)]
mod tests {
    use super::*;

    fn listings(seeds: std::ops::Range<u64>) -> Vec<String> {
        seeds.map(|seed| Programs.generate(seed, Size::Small).listing()).collect()
    }

    #[test]
    fn one_seed_gives_one_program() {
        assert_eq!(listings(0..20), listings(0..20));
    }

    /// Forms in which defects were found are still generated.
    #[test]
    fn the_grammar_has_every_pattern_that_once_failed() {
        let listings = listings(0..300);
        let has = |fits: &dyn Fn(&str) -> bool| {
            listings.iter().any(|text| text.lines().any(|line| fits(line.trim_start())))
        };
        let is_call = |text: &str| text.contains("step_") || text.contains("f1");
        assert!(has(&|line| line.starts_with("const double ") && line.contains("] = {")), "a constant array");
        assert!(
            has(&|line| line.starts_with("for (int ") && line.rsplit(';').next().is_some_and(is_call)),
            "a call in an increment"
        );
        assert!(
            has(&|line| line.contains("table_") && line.contains("++ %")),
            "an effect in the choice of a procedure"
        );
        assert!(has(&|line| line.contains("step_0(*")), "a structure behind a pointer as an argument");
        assert!(has(&|line| line.starts_with("register ")), "the storage class register");
        assert!(
            has(&|line| line.starts_with("#pragma cppc register(all_") && line.contains(".a, all_")),
            "fields one by one"
        );
        assert!(
            has(&|line| line.starts_with("#pragma cppc register(") && line.contains("].a, ")),
            "a field of each element"
        );
        assert!(
            has(&|line| line.starts_with("#pragma cppc register(") && line.contains(":])")),
            "a section of an array"
        );
        assert!(has(&|line| line.starts_with("#pragma cppc execute capture(")), "an execute block");
        assert!(has(&|line| line.starts_with("switch (") && is_call(line)), "a call in a selector");
        assert!(has(&|line| line.starts_with("return ") && is_call(line)), "a returned call");
        assert!(has(&|line| line.starts_with("goto *")), "a label as a value");
    }
}

//! Other names by which a procedure is called: generic names, names that are bound to a type, procedure pointers, and ENTRY.
//!
//! Input: the procedures of a module, or a procedure that is being written.
//! Output: declarations, and statements for the beginning of the main program.
//! Postcondition: a call by another name has the same arguments. A name of a function begins like that of every function.

use super::world::{DefinitionSite, Line, Passed, Procedure};
use super::Writer;

impl Writer {
    /// Declarations for the specification part of a module, with names for its procedures from number `first` on; and
    /// procedures that the module has to contain.
    pub fn other_names(&mut self, first: usize) -> (Vec<String>, Vec<Line>) {
        let mut texts = Vec::new();
        let mut procedures = Vec::new();
        for number in first..self.world.procedures.len() {
            let procedure = &self.world.procedures[number];
            let (name, kind) =
                (procedure.name.clone(), if procedure.result.is_some() { "fun" } else { "sub" });
            // A generic name needs arguments of the same rank, so no arrays with explicit bounds.
            let has_explicit =
                |passed: &Passed| matches!(passed, Passed::Fixed(..) | Passed::Counted(_) | Passed::Star(_));
            let is_generic = !procedure.dummies.iter().any(|dummy| has_explicit(&dummy.passed));
            let other = self.name(kind);
            let (declarations, called) = match self.random.below(6) {
                0 | 2 if !is_generic => continue,
                0 => (
                    vec![
                        format!("interface {other}"),
                        format!("  module procedure {name}"),
                        format!("end interface {other}"),
                    ],
                    other,
                ),
                1 if self.random.chance(50) => {
                    let (declarations, wrapper) = self.passed_object(number, &other);
                    procedures.extend(wrapper);
                    (declarations, format!("{other}%call"))
                }
                1 => (bound(&name, &other, "call"), format!("{other}%call")),
                2 => {
                    let mut declarations = bound(&name, &other, "one");
                    declarations.insert(4, "  generic :: any => one".to_owned());
                    (declarations, format!("{other}%any"))
                }
                3 => {
                    self.world.pointers_set.push(format!("{other} => {name}"));
                    (vec![format!("procedure({name}), pointer :: {other}")], other)
                }
                _ => continue,
            };
            texts.extend(declarations);
            self.world.procedures[number].other_names.push(called);
        }
        (texts, procedures)
    }

    /// A type-bound procedure. It gets the object of the call as one of its first arguments, and calls
    /// another procedure with the other arguments.
    fn passed_object(&mut self, number: usize, object: &str) -> (Vec<String>, Vec<Line>) {
        let procedure = self.world.procedures[number].clone();
        let passed: Vec<&str> = procedure.dummies.iter().map(|dummy| dummy.name.as_str()).collect();
        let mut dummies = passed.clone();
        let may_be_second = procedure.dummies.first().is_some_and(|dummy| !dummy.optional);
        let at = usize::from(may_be_second && self.random.chance(50));
        dummies.insert(at, "self");
        let (all, passed) = (dummies.join(", "), passed.join(", "));
        let (name, kind) =
            (&procedure.name, if procedure.result.is_some() { "function" } else { "subroutine" });
        let recursive =
            if procedure.dummies.iter().any(|d| d.passed == Passed::Depth) { "recursive " } else { "" };
        let mut texts = vec![(1, format!("{recursive}{kind} by_{object}({all})"))];
        if procedure.result.is_some() {
            texts[0].1.push_str(" result(value)");
        }
        texts.push((2, format!("class(of_{object}), intent(inout) :: self")));
        texts.extend(procedure.dummy_declarations.iter().map(|text| (2, text.clone())));
        texts.extend(procedure.result.map(|base| (2, format!("{} :: value", self.spelled(base)))));
        texts.push((2, "self%calls = self%calls + 1".to_owned()));
        texts.push((
            2,
            match procedure.result {
                Some(_) => format!("value = {name}({passed})"),
                None => format!("call {name}({passed})"),
            },
        ));
        texts.push((1, format!("end {kind} by_{object}")));
        let declarations = vec![
            format!("type of_{object}"),
            "  integer :: calls = 0".to_owned(),
            "contains".to_owned(),
            format!("  procedure, pass(self) :: call => by_{object}"),
            format!("end type of_{object}"),
            format!("type(of_{object}) :: {object}"),
        ];
        (declarations, texts.into_iter().map(|(depth, text)| Line::new(depth, text)).collect())
    }

    /// The name for the next call of the procedure.
    pub fn name_for_call(&mut self, procedure: &Procedure) -> String {
        match procedure.other_names.is_empty() || self.random.chance(40) {
            true => procedure.name.clone(),
            false => self.random.pick(&procedure.other_names),
        }
    }

    /// An ENTRY at the beginning of a subroutine, and its name. A procedure with an ENTRY must not lead to a checkpoint.
    pub fn entry(&mut self, procedure: &Procedure) -> Option<(Line, String)> {
        let fits =
            procedure.result.is_none() && !procedure.leads && procedure.place != DefinitionSite::Contained;
        if !fits || !self.random.chance(50) {
            return None;
        }
        let name = self.name("sub");
        let arguments: Vec<&str> = procedure.dummies.iter().map(|dummy| dummy.name.as_str()).collect();
        Some((Line::new(1, format!("entry {name}({})", arguments.join(", "))), name))
    }
}

/// A type to which the procedure is bound, and an object of it.
fn bound(procedure: &str, object: &str, name: &str) -> Vec<String> {
    vec![
        format!("type of_{object}"),
        "  integer :: unused = 0".to_owned(),
        "contains".to_owned(),
        format!("  procedure, nopass :: {name} => {procedure}"),
        format!("end type of_{object}"),
        format!("type(of_{object}) :: {object}"),
    ]
}

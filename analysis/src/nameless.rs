//! Objects without a name that a directive could use: compound literals of C, the text of the arguments of the
//! command, and memory of the stack.
//!
//! Input: the program and its summaries. Output: whether a memory is such an object, and whether the program changes it.

use crate::points_to::{MemoryKind, Target};
use crate::program::{OperationKind, Program, Site};
use crate::sets::{Memory, Range, END};
use crate::summary::Summaries;

/// What an object without a name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nameless {
    Literal,
    Arguments,
    /// Memory of `alloca`.
    Stack,
}

impl Summaries<'_> {
    /// What the memory is, if it has no name.
    pub fn nameless(&self, memory: Memory) -> Option<Nameless> {
        match self.places.points.kind(memory) {
            MemoryKind::Object => {}
            MemoryKind::Heap(site) => return self.is_stack(*site).then_some(Nameless::Stack),
            MemoryKind::Code(..) | MemoryKind::Target { .. } | MemoryKind::Library | MemoryKind::Unknown => {
                return None;
            }
        }
        if self.places.is_text_of_arguments(memory) {
            return Some(Nameless::Arguments);
        }
        let literals = &self.places.program.literals;
        literals.iter().any(|&object| Memory::from(object) == memory).then_some(Nameless::Literal)
    }

    /// Whether an operation allocates memory of the stack. Fortran allocates from the heap.
    fn is_stack(&self, site: Site) -> bool {
        let kind = &self.places.program.operation(site).kind;
        !self.procedure(site.procedure).keeps_loops && matches!(kind, OperationKind::Allocate { .. })
    }

    /// The same, if the program changes the memory after it has got its first value.
    pub(crate) fn changed_nameless(&self, memory: Memory) -> Option<Nameless> {
        self.nameless(memory).filter(|found| *found != Nameless::Stack && is_changed(self, memory))
    }

    /// The name of the parameter for the arguments of the command.
    pub(crate) fn name_of_arguments(&self) -> Option<String> {
        let program: &Program = self.places.program;
        Some(program.variables[program.arguments?.parameter.0 as usize].name.clone())
    }
}

/// Whether an operation changes the memory through a pointer. Libraries that look through all arguments of the command, such
/// as `MPI_Init`, do not change their text.
fn is_changed(summaries: &Summaries, memory: Memory) -> bool {
    let program = summaries.places.program;
    let all = Range { memory, start: 0, end: END };
    let mut operations = program.operations();
    operations.any(|(site, operation)| {
        let effect = summaries.effect_at(site);
        let writes = || summaries.places.concretize(&effect.writes).overlaps(all);
        match &operation.kind {
            OperationKind::Write { to, .. } => {
                Memory::from(program.variables[to.root.0 as usize].object) != memory && writes()
            }
            OperationKind::Call(call) => summaries.places.calls.targets(site).iter().any(|target| {
                let Target::Outside(name) = target else { return false };
                summaries.effects.effects(name).is_some_and(|effects| {
                    call.arguments.iter().enumerate().any(|(number, argument)| {
                        let known = effects.parameter(number);
                        let (places, _) = summaries.extent(call, argument, &known.writes);
                        !known.follows_pointers && places.iter().any(|place| place.range.memory == memory)
                    })
                })
            }),
            OperationKind::Read(_)
            | OperationKind::Begin(_)
            | OperationKind::Allocate { .. }
            | OperationKind::Free(_)
            | OperationKind::Directive(_)
            | OperationKind::Opaque { .. } => false,
        }
    })
}

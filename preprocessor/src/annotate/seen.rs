//! How a procedure names the memory that it or a procedure below it allocates.
//!
//! Input: an allocation, and a frame at the checkpoint.
//! Output: an item for a register in that frame.
//! Postcondition: the name is visible in the frame.

use std::collections::BTreeMap;

use cppc_analysis::check::Analysis;
use cppc_analysis::program::{
    Access, Argument, Content, OperationKind, ProcedureId, Program, Step, VariableId,
};

/// How many calls may be between the frame and the allocation.
const CALLS_LIMIT: u32 = 8;

/// The names of the program.
pub(super) struct NamesOfMemory<'a> {
    pub analysis: &'a Analysis<'a>,
    pub program: &'a Program,
    /// The variables that each procedure can name.
    pub visible: &'a BTreeMap<ProcedureId, Vec<VariableId>>,
}

/// How a procedure names what is allocated.
pub(super) enum Seen {
    Item(VariableId, String),
    /// A component of an element, which the register of a whole variable saves.
    Component,
}

impl NamesOfMemory<'_> {
    /// How a procedure names an allocatable that it or a procedure below it allocates.
    pub(super) fn seen_from(
        &self,
        frame: ProcedureId,
        allocator: ProcedureId,
        to: &Access,
        depth: u32,
    ) -> Option<Seen> {
        let is_fortran = self.program.procedures[allocator.0 as usize].keeps_loops;
        if is_fortran && self.is_component_of_element(to, false) {
            return Some(Seen::Component);
        }
        if to.path.iter().any(|step| matches!(step, Step::Elements(_))) || depth > CALLS_LIMIT {
            return None;
        }
        let is_visible = self.visible.get(&frame).is_some_and(|names| names.contains(&to.root));
        if is_visible {
            return Some(Seen::Item(to.root, to.text.clone()));
        }
        let parameters = &self.program.procedures[allocator.0 as usize].parameters;
        let number = parameters.iter().position(|&parameter| parameter == to.root)?;
        let rest = to.text.strip_prefix(&self.program.variables[to.root.0 as usize].name)?;
        self.analysis.summaries.places.calls.callers[allocator.0 as usize].iter().find_map(|&site| {
            let OperationKind::Call(call) = &self.program.operation(site).kind else { return None };
            let Some(Argument::Reference(access)) = call.arguments.get(number) else { return None };
            if is_fortran && self.is_component_of_element(access, rest.contains('%')) {
                return Some(Seen::Component);
            }
            match self.seen_from(frame, site.procedure, access, depth + 1)? {
                Seen::Item(root, name) => Some(Seen::Item(root, format!("{name}{rest}"))),
                Seen::Component => Some(Seen::Component),
            }
        })
    }

    /// Whether it is a component of an element, or of what a pointer or an allocatable of Fortran has. `has_component`: a
    /// component of it is meant.
    fn is_component_of_element(&self, access: &Access, has_component: bool) -> bool {
        let is_reference =
            matches!(self.program.variables[access.root.0 as usize].content, Content::Reference { .. });
        let own = access.path.iter().skip(usize::from(is_reference));
        let mut rest = own.skip_while(|step| matches!(step, Step::Field { .. })).peekable();
        let is_element = rest.peek().is_some();
        is_element && (has_component || rest.any(|step| matches!(step, Step::Field { .. })))
    }
}

//! Constants of C that a register may name.
//!
//! Input: a program.
//! Output: the program in which constant pointers count as variables.
//! Postcondition: the translation can remove `const` from the declaration of each of them.

use std::collections::BTreeSet;

use cppc_analysis::program::{Content, Lifetime, ObjectId, Program, VariableId};

/// A register of what a local constant pointer points to is needed as that of another pointer. Parameters stay constant.
pub fn with_assignable_pointers(mut program: Program) -> Program {
    let parameters: BTreeSet<VariableId> =
        program.procedures.iter().flat_map(|procedure| &procedure.parameters).copied().collect();
    let is_pointer = |id: &VariableId| {
        let variable = &program.variables[id.0 as usize];
        let object = &program.objects[variable.object.0 as usize];
        object.constant
            && matches!(object.lifetime, Lifetime::Local(_))
            && variable.content == Content::Pointer
            && variable.declared.is_some()
            && !variable.is_array
            && !parameters.contains(id)
    };
    let ids = (0..program.variables.len() as u32).map(VariableId);
    let objects: Vec<ObjectId> =
        ids.filter(is_pointer).map(|id| program.variables[id.0 as usize].object).collect();
    for object in objects {
        program.objects[object.0 as usize].constant = false;
    }
    program
}

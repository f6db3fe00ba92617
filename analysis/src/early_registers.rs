//! Static variables that their procedure registers before it uses them.
//!
//! Input: a program.
//! Output: the objects.
//! Postcondition: a checkpoint saves such an object, or the object has the value that it has when the program starts. Only
//! its procedure can change it, and each call of the procedure registers it first.

use std::collections::BTreeSet;

use crate::program::{
    Content, Dimension, Directive, Index, Item, Lifetime, ObjectId, Operation, OperationKind, Procedure,
    Program, Step,
};

pub fn early_registers(program: &Program) -> BTreeSet<ObjectId> {
    let mut objects = BTreeSet::new();
    for procedure in program.procedures.iter().filter(|procedure| procedure.entries.is_empty()) {
        let first = &procedure.blocks[procedure.entry.0 as usize].operations;
        for directive in
            first.iter().take_while(|operation| !is_call(operation)).filter_map(Operation::directive)
        {
            if let Directive::Register(items) = directive {
                objects.extend(items.iter().filter_map(|item| own_static(program, procedure, item)));
            }
        }
    }
    objects
}

fn is_call(operation: &Operation) -> bool {
    match operation.kind {
        OperationKind::Call(_) | OperationKind::Opaque { .. } => true,
        OperationKind::Read(_)
        | OperationKind::Write { .. }
        | OperationKind::Begin(_)
        | OperationKind::Allocate { .. }
        | OperationKind::Free(_)
        | OperationKind::Directive(_) => false,
    }
}

/// The object of a whole static variable of the procedure, without pointers.
fn own_static(program: &Program, procedure: &Procedure, item: &Item) -> Option<ObjectId> {
    let variable = &program.variables[item.memory.root.0 as usize];
    let object = &program.objects[variable.object.0 as usize];
    let is_all = |dimension: &Dimension| matches!(dimension.index, Index::All);
    let is_whole_array = match item.memory.path.as_slice() {
        [] => true,
        [Step::Elements(dimensions)] => dimensions.iter().all(is_all),
        _ => false,
    };
    let is_whole = is_whole_array && variable.offset == 0 && variable.size == object.size;
    let is_plain = matches!(variable.content, Content::Integer { .. } | Content::Data);
    let local = object.name.strip_prefix(&procedure.name).is_some_and(|rest| rest.starts_with('.'));
    let is_own = local && object.lifetime == Lifetime::Static && !procedure.main;
    (is_whole && is_plain && is_own).then_some(variable.object)
}

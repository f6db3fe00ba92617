//! Registers that need no block: those of static variables in procedures that lead to no checkpoint.
//!
//! Input: the procedures of a program.
//! Output: marks at the items of such registers, and names that are unique in the program.
//! Postcondition: a marked register is made before anything in the procedure uses the variable. The procedure, and its
//! callers, are not instrumented because of it.

use super::Reach;
use crate::model::{
    Declaration, Directive, DirectiveKind, Item, ItemKind, Procedure, ProcedureId, Program, Statement,
    StatementKind, TypeCode,
};

/// Marks the items, and returns the procedures that are instrumented.
pub(super) fn settle(program: &mut Program) -> Reach {
    let mut marked = Vec::new();
    let variants = program.variants.clone();
    for (index, procedure) in program.procedures.iter_mut().enumerate() {
        if is_candidate(procedure) {
            marked.push(ProcedureId(index));
            let variant = variants.get(procedure.unit.0).map_or("", String::as_str);
            mark(procedure, variant, true);
        }
    }
    let reach = Reach::of(program);
    if !marked.iter().any(|&id| reach.is_instrumented(id)) {
        return reach;
    }
    for id in marked.into_iter().filter(|&id| reach.is_instrumented(id)) {
        mark(&mut program.procedures[id.0], "", false);
    }
    Reach::of(program)
}

/// Whether each directive of the procedure may be marked.
fn is_candidate(procedure: &Procedure) -> bool {
    let has_entries = procedure.layout.as_ref().is_some_and(|layout| !layout.entries.is_empty());
    let is_pure = procedure.layout.as_ref().is_some_and(|layout| layout.pure.is_some());
    if procedure.main || has_entries || is_pure || procedure.place.is_none() {
        return false;
    }
    let directives = procedure.directives();
    let early = early_registers(&procedure.body.items);
    !directives.is_empty()
        && directives.len() == early.len()
        && early.iter().all(|(items, before)| items.iter().all(|item| may_wait(procedure, item, before)))
}

/// The `register` directives before the first statement, each with the declarations before it.
fn early_registers(body: &[Statement]) -> Vec<(&[Item], Vec<&Declaration>)> {
    let (mut found, mut declarations) = (Vec::new(), Vec::new());
    for statement in body.iter().take_while(|statement| statement.label.is_none()) {
        match &statement.kind {
            StatementKind::Declaration(declaration) => declarations.push(declaration),
            StatementKind::Directive(Directive { kind: DirectiveKind::Register(items), .. }) => {
                found.push((items.as_slice(), declarations.clone()));
            }
            _ => break,
        }
    }
    found
}

/// Whether the variable is static, and nothing uses it before the register.
fn may_wait(procedure: &Procedure, item: &Item, before: &[&Declaration]) -> bool {
    let Some(id) = item.variable else { return false };
    let is_own = !procedure.variable(id).parameter && !item.name.starts_with('/');
    let is_plain = matches!(item.kind, ItemKind::Memory | ItemKind::Array)
        && matches!(item.code, TypeCode::Named(_))
        && !item.code.has_pointers()
        && item.indexed.is_none()
        && item.fields.is_none()
        && item.graph.is_none()
        && item.tree.is_none()
        && item.reached.is_none()
        && !item.through_pointer
        && !item.traits.optional
        && !item.traits.gaps
        && !item.traits.shares_memory
        // The thread that runs the procedure first may not be the thread that calls the runtime.
        && !item.traits.thread_local;
    let scope = procedure.variable(id).scope;
    // The initialiser of a later variable may use it.
    let is_used = |declaration: &&&Declaration| {
        let is_after = declaration.place.is_none_or(|place| scope.start <= place.start);
        let mut values = declaration.declarators.iter().flat_map(|declarator| &declarator.expressions);
        is_after && values.any(|value| !value.nature.constant)
    };
    is_own && is_plain && !item.automatic && !before.iter().any(|declaration| is_used(&declaration))
}

fn mark(procedure: &mut Procedure, variant: &str, is_deferred: bool) {
    let names: Vec<String> =
        procedure.variables.iter().map(|one| one.static_name(&procedure.entry_name, variant)).collect();
    for statement in &mut procedure.body.items {
        if let StatementKind::Directive(Directive { kind: DirectiveKind::Register(items), .. }) =
            &mut statement.kind
        {
            for item in items {
                let name = item.variable.and_then(|id| names.get(id.0).cloned());
                item.traits.deferred = name.filter(|_| is_deferred);
            }
        }
    }
}

//! What pointers point to before any statement runs.
//!
//! Input: declarations with `=> target`, of variables and of components.
//! Output: writes of these pointers: for variables in a procedure that the main program calls first, for components
//! where the life of an object begins.
//! Postcondition: points-to sets contain every first target.

use cppc_analysis::builder::ProgramBuilder;
use cppc_analysis::program::INITIAL;
use cppc_analysis::program::{Access, Argument, Call, Callee, OperationKind, Value};
use cppc_grammar::fortran::tree::{Name, StatementKind};
use cppc_source::{Files, Span};
use rustc_hash::FxHashSet;

use super::body::Body;
use super::facts::Facts;
use super::storage::Storage;
use super::{new_body, Task};
use crate::bind::fortran::types::FirstTarget;
use crate::bind::fortran::{statements_of, Bound, ScopeId, SymbolId, SymbolKind, Type};

/// Defines the procedure. False if no variable has a first target.
pub(super) fn define<'a>(
    bound: &Bound<'a>,
    files: &Files,
    program: &mut ProgramBuilder,
    storage: &mut Storage<'a>,
    tasks: &[Task<'a>],
) -> bool {
    let Some(task) = tasks.first() else { return false };
    let found = declared(bound);
    let objects = with_components(bound, storage);
    if found.is_empty() && objects.is_empty() {
        return false;
    }
    let source = bound.procedure(task.id).source;
    let span = Span::new(bound.sources[source].file, 0, 0);
    let defined = program.define(INITIAL, "the first targets of pointers", span);
    let facts = Facts::default();
    let mut body = new_body(bound, files, program, storage, &facts, task.id, defined);
    body.flow.procedure().local = true;
    for (scope, id, target) in found {
        let variable = body.variable(id);
        let pointer = body.flow.program.whole(variable);
        body.set_first_target(scope, pointer, target);
    }
    for id in objects {
        if let Some(place) = body.place_of_symbol(id) {
            body.initial_components(&place, 0);
        }
    }
    let exit = body.exit;
    body.flow.fall_into(exit);
    body.finish();
    true
}

/// Variables that are declared with a first target. Such variables are static.
fn declared<'a>(bound: &Bound<'a>) -> Vec<(ScopeId, SymbolId, FirstTarget<'a>)> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    for scope in (0..bound.scopes.len() as u32).map(ScopeId) {
        let Some(unit) = bound.scope(scope).unit.filter(|_| seen.insert(bound.outer_scope(scope))) else {
            continue;
        };
        let own = |name: &Name| bound.lookup(scope, &name.text);
        for statement in statements_of(unit) {
            match &statement.kind {
                StatementKind::TypeDeclaration { entities, .. } => {
                    let pointers = entities.iter().filter_map(|entity| {
                        let id = own(&entity.name).filter(|&id| bound.symbol(id).is.pointer)?;
                        Some((scope, id, FirstTarget::Designator(entity.initial.as_ref()?)))
                    });
                    found.extend(pointers);
                }
                StatementKind::ProcedureDeclaration { names, targets, .. } if !targets.is_empty() => {
                    let pointers = names.iter().filter_map(own);
                    found.extend(pointers.map(|id| (scope, id, FirstTarget::Procedures(targets))));
                }
                _ => {}
            }
        }
    }
    found
}

/// Static variables of types with such components.
fn with_components<'a>(bound: &Bound<'a>, storage: &mut Storage<'a>) -> Vec<SymbolId> {
    let all = (0..bound.symbols.len() as u32).map(SymbolId);
    let mut holds = |id: SymbolId| {
        let symbol = bound.symbol(id);
        let Type::Derived(ty) = symbol.ty else { return false };
        let is_object =
            symbol.is_variable() && !symbol.is.dummy && !symbol.is.pointer && !symbol.is.allocatable;
        is_object && bound.is_static(id) && storage.layouts.holds_first_targets(bound, ty)
    };
    all.filter(|&id| holds(id)).collect()
}

impl<'a> Body<'_, 'a> {
    pub fn call_initial(&mut self) {
        let callee = Callee::Named(INITIAL.to_owned());
        let arguments: Vec<Argument> = Vec::new();
        self.emit(OperationKind::Call(Box::new(Call {
            callee,
            arguments,
            result: None,
            never_returns: false,
        })));
    }

    /// The tree does not say which of several pointers has which of several procedures.
    pub fn set_first_target(&mut self, scope: ScopeId, pointer: Access, target: FirstTarget<'a>) {
        match target {
            FirstTarget::Designator(target) => {
                let value = self.address(scope, target);
                self.write(pointer, value);
            }
            FirstTarget::Procedures([target]) => {
                let value = self.named_procedure(scope, target);
                self.write(pointer, value);
            }
            FirstTarget::Procedures(targets) => {
                for target in targets {
                    let value = self.named_procedure(scope, target);
                    let pointer = pointer.clone();
                    self.perhaps(|body| body.write(pointer, value));
                }
            }
        }
    }

    fn named_procedure(&mut self, scope: ScopeId, name: &Name) -> Value {
        let id = self.bound.lookup(scope, &name.text);
        match id.map(|id| (id, &self.bound.symbol(id).kind)) {
            Some((id, &SymbolKind::Procedure(target))) => self.procedure_value(id, target),
            _ => Value::Unknown,
        }
    }
}

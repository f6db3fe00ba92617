//! Procedures that a statement calls because of the types of its operands: defined input and output, and the assignments of
//! components.
//!
//! Input: an item of a statement of input or output, or both sides of an assignment.
//! Output: calls of the procedures that the types have for it.

use cppc_analysis::program::{Access, Argument, Call, Content, OperationKind};
use cppc_grammar::fortran::tree::Expr;

use super::body::Body;
use super::calls::one_of;
use crate::bind::fortran::{ProcedureId, ScopeId, Type, TypeId};

/// The generic names of defined input and output.
const INPUT: [&str; 2] = ["read(formatted)", "read(unformatted)"];
const OUTPUT: [&str; 2] = ["write(formatted)", "write(unformatted)"];

/// The maximum depth of nested types.
const DEPTH_LIMIT: usize = 8;

impl Body<'_, '_> {
    /// Calls the procedures that transfer an item of this type. Returns whether there is one for the whole item.
    pub fn defined_transfer(&mut self, scope: ScopeId, item: &Expr, input: bool) -> bool {
        let (Type::Derived(id) | Type::Class(Some(id))) = self.bound.type_of(scope, item).ty else {
            return false;
        };
        let names = if input { INPUT } else { OUTPUT };
        if !self.has_transfer(scope, id, names, 0) {
            return false;
        }
        let memory = match self.place(scope, item) {
            Some(place) => place.whole(),
            None => self.temporary(None, Content::Record),
        };
        self.transfer(scope, memory, id, names)
    }

    fn has_transfer(&mut self, scope: ScopeId, id: TypeId, names: [&str; 2], depth: usize) -> bool {
        let own = names.iter().any(|name| !self.bound.defined_for(scope, id, name).is_empty());
        own || depth < DEPTH_LIMIT
            && self.fields(id).into_iter().any(|field| match field.ty {
                Type::Derived(inner) | Type::Class(Some(inner)) if !field.pointer => {
                    self.has_transfer(scope, inner, names, depth + 1)
                }
                _ => false,
            })
    }

    fn transfer(&mut self, scope: ScopeId, memory: Access, id: TypeId, names: [&str; 2]) -> bool {
        let mut found: Vec<ProcedureId> = Vec::new();
        for name in names {
            found.extend(self.bound.defined_for(scope, id, name));
        }
        if !found.is_empty() {
            // The format may have no descriptor for the procedure.
            self.perhaps(|body| body.call_defined(&found, vec![memory]));
            return true;
        }
        for field in self.fields(id) {
            if let Type::Derived(inner) | Type::Class(Some(inner)) = field.ty {
                if !field.pointer && !field.procedure && self.has_transfer(scope, inner, names, 1) {
                    let part = self.field(memory.clone(), &field).whole();
                    self.transfer(scope, part, inner, names);
                }
            }
        }
        false
    }

    /// Calls the assignments that the types of components have. `outer`: the types that contain them.
    pub fn assign_components(&mut self, to: &Access, from: &Access, id: TypeId, outer: &mut Vec<TypeId>) {
        if outer.len() > DEPTH_LIMIT || outer.contains(&id) {
            return;
        }
        outer.push(id);
        for field in self.fields(id) {
            let (Type::Derived(inner) | Type::Class(Some(inner))) = field.ty else { continue };
            if field.pointer || field.procedure {
                continue;
            }
            let found = self.bound.assignments_of(inner);
            let target = self.field(to.clone(), &field).whole();
            let source = self.field(from.clone(), &field).whole();
            if found.is_empty() {
                self.assign_components(&target, &source, inner, outer);
            } else {
                self.call_defined(&found, vec![target, source]);
            }
        }
        outer.pop();
    }

    /// `first`: the first arguments. The others are temporaries.
    fn call_defined(&mut self, found: &[ProcedureId], first: Vec<Access>) {
        let count = found.iter().map(|&id| self.bound.procedure(id).dummies.len()).max().unwrap_or(0);
        let mut arguments: Vec<Argument> = first.into_iter().map(Argument::Reference).collect();
        while arguments.len() < count {
            arguments.push(Argument::Reference(self.temporary(None, Content::Unknown)));
        }
        let callee = one_of(found.iter().map(|&id| self.link_name(id)).collect());
        let call = Call { callee, arguments, result: None, never_returns: false };
        self.emit(OperationKind::Call(Box::new(call)));
    }
}

//! Assignments of values, of structures with the content of their components, and of pointers.
//!
//! Input: both sides. Output: reads of the right one, then writes.
//! Postcondition: after the assignment of a structure, its allocatable components have their own memory.

use cppc_analysis::program::{Access, Content, Index, OperationKind, Step, Value};
use cppc_grammar::fortran::tree::{Expr, ExprKind};

use super::body::Body;
use super::designated_memory::{dereferenced, unknown_elements, DesignatedMemory};
use super::layout::content;
use crate::bind::fortran::{Length, Meaning, ScopeId, SymbolKind, Type, TypeId};

/// The maximum depth of nested types.
const DEPTH_LIMIT: u32 = 8;

impl<'a> Body<'_, 'a> {
    /// `target = value`. `masked`: the assignment is in a WHERE, so some elements may keep their values.
    pub fn assign(&mut self, scope: ScopeId, target: &Expr, value: &Expr, masked: bool) {
        let defined = self.bound.assignment_calls(scope, target, value);
        if !defined.is_empty() {
            self.call_operator(scope, &defined, &[target, value], false);
            return;
        }
        let from = self.value(scope, value);
        let Some(mut place) = self.place(scope, target) else {
            return self.assign_to_unknown(scope, target);
        };
        let from = match (&place.access.content, from) {
            (Content::Data, Value::Affine(_)) => Value::Data,
            (Content::Data, Value::Copy(from)) if matches!(from.content, Content::Integer { .. }) => {
                Value::Data
            }
            (Content::Record, Value::Data) => Value::Unknown,
            (_, from) => from,
        };
        if masked {
            unknown_indices(&mut place);
            let mut to = place.whole();
            for step in &mut to.path {
                if let Step::Elements(dimensions) = step {
                    dimensions.iter_mut().for_each(|dimension| dimension.index = Index::Unknown);
                }
            }
            return self.write(to, from);
        }
        if let (Type::Derived(id) | Type::Class(Some(id)), Value::Copy(source)) = (place.ty, &from) {
            // They read the old values of the components.
            self.assign_components(&place.whole(), source, id, &mut Vec::new());
        }
        self.note_assigned(scope, &from, value, place.ty);
        let moves =
            place.allocatable && place.holder.is_some() && self.may_allocate(scope, target, value, &place);
        // Whether the array keeps its memory makes no difference then: nothing else refers to it.
        let replaces = moves && self.replaces(scope, target, value);
        if replaces {
            self.allocate_again(&place);
        }
        self.store(place, from, moves && !replaces);
    }

    fn allocate_again(&mut self, place: &DesignatedMemory) {
        if let Some(to) = place.holder.clone() {
            let content = content(self.bound, place.ty);
            self.emit(OperationKind::Allocate { to, bytes: None, slices: None, content, zeroed: false });
        }
    }

    /// Whether an assignment of a function's result replaces all of an array to which no pointer can point.
    fn replaces(&self, scope: ScopeId, target: &Expr, value: &Expr) -> bool {
        let ExprKind::Name(name) = &target.kind else { return false };
        let symbol = self.bound.lookup(scope, &name.text).map(|id| self.bound.symbol(id));
        symbol.is_some_and(|symbol| !symbol.is.target)
            && self.bound.is_result_of_function(scope, target, value)
    }

    fn may_allocate(&self, scope: ScopeId, target: &Expr, value: &Expr, place: &DesignatedMemory) -> bool {
        let deferred = matches!(place.ty, Type::Character { length: Length::Deferred, .. } | Type::Class(_));
        deferred
            || match &target.kind {
                ExprKind::Name(_) if !place.dimensions.is_empty() => {
                    self.bound.is_other_array(scope, target, value)
                }
                _ if place.dimensions.is_empty() => true,
                _ => self.bound.type_of(scope, value).rank != Some(0),
            }
    }

    /// Stores a value. `moves`: the assignment may allocate the place again.
    pub fn store(&mut self, place: DesignatedMemory<'a>, from: Value, moves: bool) {
        if moves && place.holder.is_some() {
            self.perhaps(|body| body.allocate_again(&place));
        }
        let to = place.whole();
        self.write(to.clone(), from.clone());
        if let (Type::Derived(id) | Type::Class(Some(id)), Value::Copy(source)) = (place.ty, from) {
            self.copy_components(&to, &source, id, &mut Vec::new());
        }
    }

    /// The memory of allocatable components is copied too. `outer`: the types that contain them. Below the first level of a
    /// recursive type, the copy has the memory of the original, as far as is known.
    fn copy_components(&mut self, to: &Access, from: &Access, id: TypeId, outer: &mut Vec<TypeId>) {
        let is_left_out = outer.len() > DEPTH_LIMIT as usize || outer.contains(&id);
        if is_left_out || !self.storage.layouts.holds_allocatables(self.bound, id) {
            return;
        }
        outer.push(id);
        for field in self.fields(id) {
            if field.pointer || field.procedure {
                continue;
            }
            let (target, source) = (self.field(to.clone(), &field), self.field(from.clone(), &field));
            let inner = match field.ty {
                Type::Derived(inner) | Type::Class(Some(inner)) => Some(inner),
                _ => None,
            };
            let (target_data, source_data) = (target.whole(), source.whole());
            if let (Some(holder), Some(read)) = (target.holder.filter(|_| field.allocatable), source.holder) {
                self.read(read);
                self.perhaps(|body| {
                    body.read(source_data.clone());
                    let content = source_data.content.clone();
                    body.emit(OperationKind::Allocate {
                        to: holder,
                        bytes: None,
                        slices: None,
                        content,
                        zeroed: false,
                    });
                    let value = match source_data.content {
                        Content::Integer { .. } | Content::Data => Value::Data,
                        _ => Value::Copy(source_data.clone()),
                    };
                    body.write(target_data.clone(), value);
                    if let Some(inner) = inner {
                        body.copy_components(&target_data, &source_data, inner, outer);
                    }
                });
            } else if let Some(inner) = inner {
                self.copy_components(&target_data, &source_data, inner, outer);
            }
        }
        outer.pop();
    }

    fn assign_to_unknown(&mut self, scope: ScopeId, target: &Expr) {
        // A function that returns a pointer: `f(x) = y`.
        if let ExprKind::Reference { base, arguments } = &target.kind {
            if let Meaning::Call(called) = self.bound.meaning(scope, base, arguments) {
                if let Some(result) = self.call(scope, base, &called, arguments, true) {
                    let mut to = dereferenced(result, None, Content::Unknown);
                    to.path.push(unknown_elements());
                    return self.write(to, Value::Unknown);
                }
            }
        }
        self.not_understood(scope, target);
    }

    /// `target => value`
    pub fn point(&mut self, scope: ScopeId, target: DesignatedMemory<'a>, value: &Expr) {
        let holder = target.holder.unwrap_or(target.access);
        let address = self.address(scope, value);
        self.write(holder, address);
    }

    pub fn pointer_assignment(&mut self, scope: ScopeId, target: &Expr, value: &Expr) {
        let address = self.address(scope, value);
        match self.pointer_place(scope, target) {
            Some(holder) => self.write(holder, address),
            None => drop(self.not_understood(scope, target)),
        }
    }

    /// What a pointer gets: the address of a target, or the value of another pointer.
    pub fn address(&mut self, scope: ScopeId, value: &Expr) -> Value {
        if let Some(place) = self.place(scope, value) {
            let pointer = place.holder.as_ref().filter(|_| !place.allocatable);
            return match pointer {
                Some(holder) => {
                    self.read(holder.clone());
                    Value::Copy(holder.clone())
                }
                None => Value::Address(place.whole()),
            };
        }
        if let ExprKind::Component { base, name } = &value.kind {
            // A procedure that is bound to a type.
            if self.place(scope, base).is_some() {
                let target = self.bound_procedure(scope, base, &name.text);
                return target.map_or(Value::Unknown, Value::Procedure);
            }
        }
        if let ExprKind::Name(name) = &value.kind {
            let id = self.bound.lookup(scope, &name.text);
            if let Some((id, SymbolKind::Procedure(target))) = id.map(|id| (id, &self.bound.symbol(id).kind))
            {
                let target = *target;
                return self.procedure_value(id, target);
            }
        }
        if let ExprKind::Reference { base, arguments } = &value.kind {
            if let Meaning::Call(called) = self.bound.meaning(scope, base, arguments) {
                let result = self.call(scope, base, &called, arguments, true);
                return result.map_or(Value::Unknown, Value::Copy);
            }
        }
        match self.value(scope, value) {
            Value::Data | Value::Affine(_) => Value::Unknown,
            address => address,
        }
    }

    fn bound_procedure(&mut self, scope: ScopeId, base: &Expr, name: &str) -> Option<String> {
        let id = crate::bind::fortran::types::derived_of(self.bound.type_of(scope, base).ty)?;
        let (binding, home) = self.bound.binding_of(id, name)?;
        let target = self.bound.procedure_named(self.bound.derived(home).scope, binding.targets.first()?)?;
        let name = self.link_name(target);
        self.flow.program.take_address(&name);
        Some(name)
    }
}

fn unknown_indices(place: &mut DesignatedMemory) {
    for step in &mut place.access.path {
        if let Step::Elements(dimensions) = step {
            dimensions.iter_mut().for_each(|dimension| dimension.index = Index::Unknown);
        }
    }
}

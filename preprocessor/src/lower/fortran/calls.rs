//! Calls: the procedures that they may call, and their arguments.
//!
//! Input: a reference or a `CALL` with its meaning. Output: the call.
//! Postcondition: arguments are in the order of the dummy arguments where those are known. Alternate returns
//! are not included.

use cppc_analysis::program::{
    Access, Affine, Argument as Passed, Call, Callee, Content, Dimension, Expression, Index, OperationKind,
    Step, Value,
};
use cppc_grammar::fortran::tree::{Argument, ArgumentKind, Bound as Extent, Expr, ExprKind, StatementKind};

use super::body::Body;
use super::designated_memory::unknown_elements;
use super::keywords;
use super::link_names::{entry_key, is_library};
use crate::bind::fortran::symbols::ProcedureTarget;
use crate::bind::fortran::types::derived_of;
use crate::bind::fortran::{Called, ProcedureId, ScopeId, SymbolId, SymbolKind, Type, TypeId};

impl<'a> Body<'_, 'a> {
    /// Lowers a call. `function`: its result is used, and is in the temporary that is returned.
    pub fn call(
        &mut self,
        scope: ScopeId,
        designator: &Expr,
        called: &Called,
        arguments: &[Argument],
        function: bool,
    ) -> Option<Access> {
        if let Some(result) = self.binding_module(scope, designator, arguments) {
            return result;
        }
        let interface = self.interface_of(scope, designator, called);
        let around = std::mem::take(&mut self.first_elements);
        let passed = self.arguments(scope, designator, interface, arguments);
        let values: Vec<&Expr> = arguments.iter().flat_map(Argument::expressions).collect();
        self.read_beside_calls(scope, &values);
        let callee = self.callee(scope, designator, called);
        let passed = match (&callee, interface) {
            (Callee::Named(name), None) => in_order(name, arguments, passed),
            _ => passed,
        };
        let result = function.then(|| self.result_of(interface, called));
        let elements = std::mem::replace(&mut self.first_elements, around);
        let computed = first_elements(&passed, &elements);
        let again = evaluated_again(&callee, &passed);
        let kind = OperationKind::Call(Box::new(Call {
            callee,
            arguments: passed,
            result: result.clone(),
            never_returns: false,
        }));
        self.flow.set_computed(computed);
        self.emit(kind);
        for access in again {
            // A temporary is computed again.
            if self.flow.program.get_variable(access.root).declared.is_some() {
                self.read(access);
            }
        }
        result
    }

    /// The procedure whose dummy arguments are known.
    fn interface_of(&self, scope: ScopeId, designator: &Expr, called: &Called) -> Option<ProcedureId> {
        if self.module_entry(scope, designator, called).is_some() {
            return None;
        }
        match called {
            Called::Known(ids) => ids.first().copied(),
            Called::External(symbol) => {
                let name = &self.bound.symbol(*symbol).name;
                self.bound.external(name).filter(|&id| self.bound.procedure(id).name == *name)
            }
            Called::Indirect { interface, .. } => interface.or_else(|| {
                let ExprKind::Component { base, name } = &designator.kind else { return None };
                let id = derived_of(self.bound.type_of(scope, base).ty)?;
                let (binding, home) = self.bound.binding_of(id, &name.text)?;
                let own =
                    self.bound.procedure_named(self.bound.derived(home).scope, binding.targets.first()?);
                own.or_else(|| self.overrides(scope, designator)?.first().copied())
            }),
            Called::Foreign(_) => None,
        }
    }

    fn callee(&mut self, scope: ScopeId, designator: &Expr, called: &Called) -> Callee {
        if let Some(entry) = self.module_entry(scope, designator, called) {
            return Callee::Named(entry);
        }
        match called {
            Called::Known(ids) => one_of(ids.iter().map(|&id| self.link_name(id)).collect()),
            Called::External(symbol) => Callee::Named(self.external_name(*symbol)),
            Called::Foreign(_) => Callee::Named(self.foreign_name(scope, designator)),
            Called::Indirect { symbol: Some(symbol), .. } => {
                let variable = self.variable(*symbol);
                Callee::Indirect(self.flow.program.whole(variable))
            }
            Called::Indirect { symbol: None, .. } => {
                if let Some(found) = self.overrides(scope, designator) {
                    return one_of(found.into_iter().map(|id| self.link_name(id)).collect());
                }
                match self.place(scope, designator).and_then(|place| place.holder) {
                    Some(holder) => Callee::Indirect(holder),
                    None => Callee::Indirect(self.temporary(None, Content::Unknown)),
                }
            }
        }
    }

    /// All procedures that a binding may call, if all types that have it are known.
    fn overrides(&self, scope: ScopeId, designator: &Expr) -> Option<Vec<ProcedureId>> {
        let ExprKind::Component { base, name } = &designator.kind else { return None };
        let id = derived_of(self.bound.type_of(scope, base).ty)?;
        let (whole, _) = self.bound.binding_of(id, &name.text)?;
        let bindings: Vec<String> = match whole.generic {
            true => whole.targets.clone(),
            false => vec![name.text.clone()],
        };
        let mut names = Vec::new();
        for ty in (0..self.bound.types.len() as u32).map(TypeId).filter(|&ty| self.bound.extends(ty, id)) {
            if self.bound.is_opaque(ty) {
                return None;
            }
            for binding in &bindings {
                let Some((found, home)) = self.bound.binding_of(ty, binding) else { continue };
                if found.deferred {
                    continue;
                }
                let target =
                    self.bound.procedure_named(self.bound.derived(home).scope, found.targets.first()?)?;
                names.push(target);
            }
        }
        names.sort_unstable();
        names.dedup();
        (!names.is_empty()).then_some(names)
    }

    /// The link name of a procedure.
    pub fn link_name(&self, id: ProcedureId) -> String {
        self.bound.procedure(id).key.clone()
    }

    /// The link name of an `ENTRY` of a module procedure, whose name means the procedure itself.
    fn module_entry(&self, scope: ScopeId, designator: &Expr, called: &Called) -> Option<String> {
        let (Called::Known(ids), ExprKind::Name(name)) = (called, &designator.kind) else { return None };
        let procedure = self.bound.procedure(*ids.first()?);
        let symbol = self.bound.symbol(self.bound.lookup(scope, &name.text)?);
        if !matches!(symbol.kind, SymbolKind::Procedure(_)) || symbol.name == procedure.name {
            return None;
        }
        let entries = crate::bind::fortran::statements_of(procedure.unit);
        let is_entry = entries.iter().any(|statement| {
            matches!(&statement.kind, StatementKind::Entry { name, .. } if name.text == symbol.name)
        });
        is_entry.then(|| entry_key(procedure, &symbol.name))
    }

    fn external_name(&self, symbol: SymbolId) -> String {
        let name = &self.bound.symbol(symbol).name;
        match self.bound.external(name).map(|id| self.bound.procedure(id)) {
            Some(found) if found.name == *name => found.key.clone(),
            _ => format!("{name}_"),
        }
    }

    fn foreign_name(&self, scope: ScopeId, designator: &Expr) -> String {
        let name = match &designator.kind {
            ExprKind::Name(name) | ExprKind::Component { name, .. } => name.text.as_str(),
            _ => "",
        };
        match self.bound.opaque_module(scope, name) {
            Some(module) if module.starts_with("ieee_") => format!("fortran%{name}"),
            Some(module) if !is_library(module) => format!("{module}%{name}"),
            _ => format!("{name}_"),
        }
    }

    /// The address of a procedure, or the value of a pointer to one.
    pub fn procedure_value(&mut self, id: SymbolId, target: ProcedureTarget) -> Value {
        let name = match target {
            ProcedureTarget::Known(procedure) => self.link_name(procedure),
            ProcedureTarget::External => self.external_name(id),
            ProcedureTarget::Indirect(_) => {
                let variable = self.variable(id);
                let access = self.flow.program.whole(variable);
                self.read(access.clone());
                return Value::Copy(access);
            }
            ProcedureTarget::Intrinsic => format!("fortran%{}", self.bound.symbol(id).name),
        };
        self.flow.program.take_address(&name);
        Value::Procedure(name)
    }

    fn result_of(&mut self, interface: Option<ProcedureId>, called: &Called) -> Access {
        let bound = self.bound;
        if let Some(result) = interface.and_then(|id| bound.procedure(id).result) {
            let symbol = bound.symbol(result);
            if symbol.is.pointer || symbol.is.allocatable {
                // Also for a scalar, so that the caller knows that the value is the target.
                let size = self.storage.holder(symbol.ty, symbol.shape.len()).1;
                return self.temporary(Some(size), Content::Descriptor);
            }
            let element = self.storage.layouts.of_type(bound, symbol.ty).0;
            let size = super::layout::array_bytes(element, &bound.extents(symbol.scope, symbol.shape));
            return self.temporary(size, super::layout::content(bound, symbol.ty));
        }
        let ty = match called {
            Called::External(symbol) => bound.symbol(*symbol).ty,
            Called::Foreign(ty) => *ty,
            Called::Indirect { symbol: Some(symbol), .. } => bound.symbol(*symbol).ty,
            _ => Type::Unknown,
        };
        let size = self.storage.layouts.of_type(bound, ty).0;
        self.temporary(size, super::layout::content(bound, ty))
    }

    /// A user-defined operator, or a defined assignment.
    pub fn call_operator(
        &mut self,
        scope: ScopeId,
        found: &[ProcedureId],
        operands: &[&Expr],
        function: bool,
    ) -> Option<Access> {
        let mut passed = Vec::new();
        for (position, operand) in operands.iter().enumerate() {
            let dummy = self.bound.procedure(found[0]).dummies.get(position).copied().flatten();
            passed.push(self.argument(scope, operand, dummy, true));
        }
        let callee = one_of(found.iter().map(|&id| self.link_name(id)).collect());
        let result = function.then(|| self.result_of(Some(found[0]), &Called::Known(found.to_vec())));
        let call = Call { callee, arguments: passed, result: result.clone(), never_returns: false };
        self.emit(OperationKind::Call(Box::new(call)));
        result
    }

    fn arguments(
        &mut self,
        scope: ScopeId,
        designator: &Expr,
        interface: Option<ProcedureId>,
        arguments: &[Argument],
    ) -> Vec<Passed> {
        let bound = self.bound;
        let Some(id) = interface else {
            let values = arguments.iter().flat_map(Argument::expressions);
            return values.map(|value| self.argument(scope, value, None, false)).collect();
        };
        let dummies = bound.procedure(id).dummies.clone();
        let mut passed: Vec<Option<Passed>> = dummies.iter().map(|_| None).collect();
        if let ExprKind::Component { base, name } = &designator.kind {
            let ty = derived_of(bound.type_of(scope, base).ty);
            let position = bound.passed_object(ty, &name.text, id);
            if let Some(slot) = position.and_then(|position| Some((position, *dummies.get(position)?))) {
                passed[slot.0] = Some(self.argument(scope, base, slot.1, true));
            }
        }
        let mut more = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let ArgumentKind::Value(value) = &argument.kind else { continue };
            let position = bound.position_of(scope, designator, id, argument, index);
            let dummy = position.and_then(|position| dummies.get(position).copied().flatten());
            let made = self.argument(scope, value, dummy, true);
            match position.and_then(|position| passed.get_mut(position)) {
                Some(slot) => *slot = Some(made),
                None => more.push(made),
            }
        }
        let given = passed.into_iter().zip(dummies).filter(|(_, dummy)| dummy.is_some());
        given.map(|(passed, _)| passed.unwrap_or(Passed::Absent)).chain(more).collect()
    }

    /// One argument. `known`: the procedure's dummy arguments are known, and this is for `dummy`.
    fn argument(&mut self, scope: ScopeId, value: &Expr, dummy: Option<SymbolId>, known: bool) -> Passed {
        let bound = self.bound;
        let dummy = dummy.map(|dummy| bound.symbol(dummy));
        if dummy.is_some_and(|dummy| dummy.is.value || !dummy.is_variable()) {
            return Passed::Value(self.value(scope, value));
        }
        let Some(mut place) = self.place(scope, value) else {
            return self.temporary_argument(scope, value);
        };
        if bound.type_of(scope, value).rank.is_none() && self.is_procedure(scope, value) {
            return Passed::Value(Value::Unknown);
        }
        let moves = dummy.is_some_and(|dummy| dummy.is.allocatable || dummy.is.pointer);
        if let (true, Some(holder)) = (moves, place.holder.take()) {
            return Passed::Reference(holder);
        }
        let array = match dummy {
            Some(dummy) => {
                !dummy.shape.is_empty()
                    && !dummy.shape.iter().any(|bound| matches!(bound, Extent::AssumedShape { .. }))
            }
            None => !known,
        };
        let mut access = place.whole();
        if array && bound.type_of(scope, value).rank == Some(0) {
            let element = access.clone();
            rest_of_array(&mut access);
            self.first_elements.push((access.clone(), element));
        }
        Passed::Reference(access)
    }

    fn is_procedure(&self, scope: ScopeId, value: &Expr) -> bool {
        let ExprKind::Name(name) = &value.kind else { return false };
        self.bound.lookup(scope, &name.text).is_some_and(|id| {
            matches!(self.bound.symbol(id).kind, SymbolKind::Procedure(_) | SymbolKind::Generic(_))
        })
    }

    /// A value, in a temporary; a procedure by its address.
    fn temporary_argument(&mut self, scope: ScopeId, expr: &Expr) -> Passed {
        let bound = self.bound;
        let typed = bound.type_of(scope, expr);
        let content = super::layout::content(bound, typed.ty);
        match self.value(scope, expr) {
            Value::Procedure(name) => Passed::Value(Value::Procedure(name)),
            value if self.is_procedure(scope, expr) => Passed::Value(value),
            Value::Copy(access) if !matches!(access.content, Content::Record) => Passed::Reference(access),
            value => {
                let size = self.storage.layouts.of_type(bound, typed.ty).0.filter(|_| typed.rank == Some(0));
                let to = self.temporary(size, content);
                self.note_value(scope, &value, expr);
                self.write(to.clone(), value);
                Passed::Reference(to)
            }
        }
    }

    /// The arguments of an intrinsic procedure.
    pub fn intrinsic_arguments(&mut self, scope: ScopeId, name: &str, arguments: &[Argument]) -> Vec<Passed> {
        let values = arguments.iter().flat_map(Argument::expressions);
        let passed = values.map(|value| self.argument(scope, value, None, true)).collect();
        in_order(&format!("fortran%{name}"), arguments, passed)
    }

    /// `C_F_POINTER` and the other procedures of `ISO_C_BINDING`. `None` for other procedures.
    fn binding_module(
        &mut self,
        scope: ScopeId,
        designator: &Expr,
        arguments: &[Argument],
    ) -> Option<Option<Access>> {
        let ExprKind::Name(name) = &designator.kind else { return None };
        let id = self.bound.lookup(scope, &name.text)?;
        if !matches!(self.bound.symbol(id).kind, SymbolKind::Procedure(ProcedureTarget::Intrinsic)) {
            return None;
        }
        let value = |position: usize| {
            arguments.get(position).and_then(|argument| argument.expressions().first().copied())
        };
        match self.bound.symbol(id).name.as_str() {
            "c_f_pointer" | "c_f_procpointer" => {
                let from = value(0).map_or(Value::Unknown, |from| self.value(scope, from));
                arguments
                    .iter()
                    .skip(2)
                    .flat_map(Argument::expressions)
                    .for_each(|expr| self.reads(scope, expr));
                let place = value(1).and_then(|to| self.pointer_place(scope, to));
                if let Some(holder) = place {
                    self.write(holder, from);
                }
                Some(None)
            }
            found @ ("c_loc" | "c_funloc") => {
                let first = value(0)?;
                let address = match self.place(scope, first) {
                    Some(place) if found == "c_loc" => Value::Address(place.whole()),
                    _ => self.value(scope, first),
                };
                let to = self.temporary(Some(self.storage.layouts.pointer_bytes), Content::Pointer);
                self.write(to.clone(), address);
                Some(Some(to))
            }
            _ => {
                arguments.iter().flat_map(Argument::expressions).for_each(|expr| self.reads(scope, expr));
                Some(Some(self.temporary(None, Content::Data)))
            }
        }
    }

    /// A pointer as a whole: a variable, a component, a procedure pointer.
    pub fn pointer_place(&mut self, scope: ScopeId, expr: &Expr) -> Option<Access> {
        let base = match &expr.kind {
            // `p(1:n) => …` and `p(0:) => …` set the bounds.
            ExprKind::Reference { base, arguments } => {
                arguments.iter().flat_map(Argument::expressions).for_each(|expr| self.reads(scope, expr));
                base
            }
            _ => expr,
        };
        if let Some(place) = self.place(scope, base) {
            return Some(place.holder.unwrap_or(place.access));
        }
        let ExprKind::Name(name) = &base.kind else { return None };
        let id = self.bound.lookup(scope, &name.text)?;
        let variable = self.variable(id);
        Some(self.flow.program.whole(variable))
    }
}

/// What a restart evaluates again if it enters the call: the pointer to the procedure, and copies of pointers and structures. A
/// read after the call means that a checkpoint in the called procedure has to save these.
fn evaluated_again(callee: &Callee, passed: &[Passed]) -> Vec<Access> {
    let designator = match callee {
        Callee::Indirect(access) => Some(access),
        Callee::Named(_) | Callee::OneOf(_) => None,
    };
    let mut copies: Vec<&Access> = Vec::new();
    for argument in passed {
        if let Passed::Value(Value::Copy(access)) = argument {
            copies.push(access);
        }
    }
    designator.into_iter().chain(copies).cloned().collect()
}

/// The first elements of the arguments that are the rest of an array. `elements`: such a rest, and its first element.
fn first_elements(passed: &[Passed], elements: &[(Access, Access)]) -> Vec<Expression> {
    let of = |argument: &Passed| {
        let Passed::Reference(access) = argument else { return Expression::Unknown };
        let mut found = elements.iter().filter(|(rest, _)| rest == access).map(|(_, element)| element);
        match found.next() {
            // The rest does not show which of several elements it begins with.
            Some(first) if found.all(|other| other == first) => Expression::FirstElement(first.clone()),
            _ => Expression::Unknown,
        }
    };
    if elements.is_empty() {
        return Vec::new();
    }
    passed.iter().map(of).collect()
}

pub(super) fn one_of(mut names: Vec<String>) -> Callee {
    match names.len() {
        1 => Callee::Named(names.remove(0)),
        _ => Callee::OneOf(names),
    }
}

/// Extends an access from one element to the end of the array, in the order of storage. If only the slowest
/// subscript is above its lower bound, the result is exact. Otherwise it may contain more.
fn rest_of_array(access: &mut Access) {
    let Some(Step::Elements(dimensions)) = access.path.last_mut() else { return };
    if !dimensions.iter().all(|dimension| matches!(dimension.index, Index::At(_) | Index::Unknown)) {
        return;
    }
    // The slowest dimension is the first one.
    let begins = |dimension: &Dimension| matches!((&dimension.index, &dimension.lower), (Index::At(at), Some(lower)) if at == lower);
    let leading = dimensions.iter().rev().take_while(|dimension| begins(dimension)).count();
    let count = dimensions.len();
    for (position, dimension) in dimensions.iter_mut().enumerate() {
        let from_fastest = count - 1 - position;
        let upper = dimension.lower.as_ref().zip(dimension.extent.as_ref());
        let upper = upper.and_then(|(lower, extent)| lower.add(extent)?.sub(&Affine::constant(1)));
        dimension.index = match (&dimension.index, upper) {
            _ if from_fastest < leading => Index::All,
            (Index::At(first), Some(last)) if position == 0 => {
                Index::Range { first: first.clone(), last, step: 1 }
            }
            _ => Index::Unknown,
        };
    }
    if dimensions.is_empty() {
        *access.path.last_mut().expect("it is there") = unknown_elements();
    }
}

/// Arguments of a procedure without source, in the order of its parameters.
fn in_order(procedure: &str, arguments: &[Argument], passed: Vec<Passed>) -> Vec<Passed> {
    let given: Vec<&Argument> =
        arguments.iter().filter(|argument| matches!(argument.kind, ArgumentKind::Value(_))).collect();
    if given.len() != passed.len() {
        return passed;
    }
    let order = keywords::order(procedure, &given).into_iter();
    order.map(|index| index.map_or(Passed::Absent, |index| passed[index].clone())).collect()
}

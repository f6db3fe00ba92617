//! Registers of memory that the program allocates before `init`.
//!
//! Input: a call that allocates memory, and can only run before `init`.
//! Output: a register after `init`.
//! Postcondition: the name of the memory is visible there, the pointer has a value on all paths to `init`, and the name means the
//! same memory as at the allocation.

use std::collections::BTreeSet;

use cppc_analysis::program::{
    Access, Argument, Lifetime, Operation, OperationKind, ProcedureId, Site, Step, Value, VariableId,
};

use super::pointers::whole;
use super::{Search, Wanted};

/// How many calls may be between `init` and an allocation.
const CALLS_LIMIT: u32 = 8;

impl Search<'_> {
    /// The register of memory that a call allocates. A restart allocates it again there.
    pub(super) fn registered_after_init(&self, site: Site) -> Option<Wanted> {
        let call = self.program.operation(site).call()?;
        let receiver = self.handles.pointer(site, call)?;
        let init = self.starts.init?;
        let item = whole(&self.named_at(init, site, receiver)?)?;
        Some(Wanted::RegisterAfterInit { init: self.operation(init).span, item })
    }

    /// The name at `init` of a pointer that `site` sets: the same name, or what the calls between them pass.
    fn named_at(&self, init: Site, mut site: Site, mut pointer: Access) -> Option<Access> {
        let visible = self.visible.get(&init.procedure)?;
        let (mut is_set, mut below) = (true, BTreeSet::new());
        for _ in 0..CALLS_LIMIT {
            // The subscripts may have other values there.
            if pointer.path.iter().any(|step| matches!(step, Step::Elements(_))) {
                return None;
            }
            let object = self.variable(pointer.root).object;
            let is_static = self.program.objects[object.0 as usize].lifetime == Lifetime::Static;
            let is_visible = visible.contains(&pointer.root);
            // Static memory is null at first.
            if is_visible && is_static && !has_dereference(&pointer) {
                return Some(pointer);
            }
            let end = (site.procedure == init.procedure).then_some(init);
            if !self.is_fixed(&pointer, site, end, &below) {
                return None;
            }
            is_set = is_set
                && self.starts.all_paths_run(site.procedure, end, &|other, operation| {
                    other == site || sets(operation, &pointer)
                });
            if end.is_some() {
                return (is_visible && is_set).then_some(pointer);
            }
            let [caller] = self.analysis.summaries.places.calls.callers[site.procedure.0 as usize][..] else {
                return None;
            };
            if !is_static {
                pointer = self.passed_by(caller, site.procedure, &pointer)?;
            }
            below.insert(site.procedure);
            site = caller;
        }
        None
    }

    /// The name that the caller has for a pointer that a procedure reaches through a parameter.
    fn passed_by(&self, caller: Site, callee: ProcedureId, pointer: &Access) -> Option<Access> {
        let number = self.procedure(callee).parameters.iter().position(|&one| one == pointer.root)?;
        let Argument::Value(value) = self.operation(caller).call()?.arguments.get(number)? else {
            return None;
        };
        let name = &self.variable(pointer.root).name;
        let field = pointer.text.strip_prefix(name).and_then(|rest| rest.strip_prefix("->"));
        let (Step::Dereference, after) = pointer.path.split_first()? else { return None };
        let (known, text, path) = match (value, field) {
            (Value::Address(known), Some(field)) => (known, format!("{}.{field}", known.text), after),
            (Value::Address(known), None) if pointer.text == format!("*{name}") => {
                (known, known.text.clone(), after)
            }
            (Value::Copy(known), Some(field)) => {
                (known, format!("{}->{field}", known.text), &pointer.path[..])
            }
            _ => return None,
        };
        let path = known.path.iter().chain(path).cloned().collect();
        Some(Access { root: known.root, path, text, ..pointer.clone() })
    }

    /// Whether the name of a pointer means the same memory until `end`, or until the procedure returns. A name without pointers
    /// always does. Otherwise, its first part is a pointer that nothing changes after `site`. `below`: the procedures that `site`
    /// calls and that are checked already.
    fn is_fixed(
        &self,
        pointer: &Access,
        site: Site,
        end: Option<Site>,
        below: &BTreeSet<ProcedureId>,
    ) -> bool {
        let Some((first, others)) = pointer.path.split_first() else { return true };
        if !has_dereference(pointer) {
            return true;
        }
        if first != &Step::Dereference || others.contains(&Step::Dereference) {
            return false;
        }
        let changes = |(other, operation): (Site, &Operation)| {
            may_change_elsewhere(operation, pointer.root)
                || results(operation).is_some_and(|to| to.root == pointer.root && to.path.is_empty())
                    && !below.contains(&other.procedure)
                    && (other.procedure != site.procedure || self.starts.is_between(site, other, end))
        };
        !self.program.operations().any(changes)
    }
}

fn has_dereference(access: &Access) -> bool {
    access.path.contains(&Step::Dereference)
}

/// What an operation sets.
fn results(operation: &Operation) -> Option<&Access> {
    match &operation.kind {
        OperationKind::Write { to, .. } | OperationKind::Allocate { to, .. } => Some(to),
        OperationKind::Call(call) => call.result.as_ref(),
        _ => None,
    }
}

/// Whether an operation sets a pointer, or the structure that contains it.
fn sets(operation: &Operation, pointer: &Access) -> bool {
    results(operation).is_some_and(|to| to.root == pointer.root && pointer.path.starts_with(&to.path))
}

/// Whether an operation takes the address of a variable, or may change it in unknown ways.
fn may_change_elsewhere(operation: &Operation, id: VariableId) -> bool {
    let is_address = |value: &Value| match value {
        Value::Address(of) => of.root == id && !has_dereference(of),
        _ => false,
    };
    match &operation.kind {
        OperationKind::Write { value, .. } => is_address(value),
        OperationKind::Call(call) => call.arguments.iter().any(|argument| match argument {
            Argument::Value(value) => is_address(value),
            Argument::Reference(access) => access.root == id && !has_dereference(access),
            Argument::Absent => false,
        }),
        OperationKind::Opaque { touched, .. } => touched.contains(&id),
        _ => false,
    }
}

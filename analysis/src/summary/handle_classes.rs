//! Which variables may have the same handle of a library.
//!
//! Input: a program and the memory that accesses denote. Output: for the handle of a call, the number of its class.
//! Postcondition: if two calls use the same handle, their classes are the same, or one of them is not known.

use rustc_hash::FxHashMap;

use crate::access_ranges::AccessRanges;
use crate::effects::{CallEffects, Effects, LibraryState};
use crate::points_to::Target;
use crate::program::{Access, Argument, Call, Callee, Content, OperationKind, Site, Value};
use crate::sets::{Bytes, Memory};

/// Where a handle is: a memory and the offset in it.
type HandleAt = (Memory, u64);

#[derive(Debug, Default)]
pub(super) struct HandleClasses {
    /// For each place, another one of the same class, or the place itself.
    same: FxHashMap<HandleAt, HandleAt>,
    numbers: FxHashMap<HandleAt, u64>,
}

impl HandleClasses {
    pub(super) fn new(places: &AccessRanges, effects: &dyn Effects) -> HandleClasses {
        let mut classes = HandleClasses::default();
        let of_call = |call: &Call| match &call.callee {
            Callee::Named(name) => effects.effects(name),
            Callee::Indirect(_) | Callee::OneOf(_) => None,
        };
        let has_state = |call: &Call| {
            of_call(call)
                .is_some_and(|effects| effects.states.iter().any(|one| one.state.handle_kind().is_some()))
        };
        if !places.program.calls().any(|(_, _, call)| has_state(call)) {
            return classes;
        }
        for (site, operation) in places.program.operations() {
            match &operation.kind {
                OperationKind::Write { to, value: Value::Copy(from) } => classes.copy(places, from, to),
                OperationKind::Call(call) => {
                    classes.pass(places, site, call);
                    if let Some(effects) = of_call(call).filter(|_| has_state(call)) {
                        for state in effects.states.iter().map(|one| one.state) {
                            classes.add_call(places, state, effects, call);
                        }
                    }
                }
                OperationKind::Write { .. }
                | OperationKind::Read(_)
                | OperationKind::Begin(_)
                | OperationKind::Allocate { .. }
                | OperationKind::Free(_)
                | OperationKind::Directive(_)
                | OperationKind::Opaque { .. } => {}
            }
        }
        let mut all: Vec<HandleAt> = classes.same.keys().copied().collect();
        all.sort_unstable();
        for place in all {
            let first = classes.first(place);
            let next = classes.numbers.len() as u64 + 1;
            classes.numbers.entry(first).or_insert(next);
        }
        classes
    }

    fn copy(&mut self, places: &AccessRanges, from: &Access, to: &Access) {
        if is_handle(from) || is_handle(to) {
            let (from, to) = (places_of(places, from), places_of(places, to));
            self.join(from.into_iter().chain(to));
        }
    }

    /// The parameters and the result of the called procedure. A parameter by reference is the same place.
    fn pass(&mut self, places: &AccessRanges, site: Site, call: &Call) {
        for target in places.calls.targets(site) {
            let Target::Procedure(id) = target else { continue };
            let procedure = &places.program.procedures[id.0 as usize];
            for (parameter, argument) in procedure.parameters.iter().zip(&call.arguments) {
                let Argument::Value(Value::Copy(from)) = argument else { continue };
                if is_handle(from) {
                    let to = places.range_of(*parameter);
                    self.join(places_of(places, from).into_iter().chain([(to.memory, to.start)]));
                }
            }
            if let (Some(from), Some(to)) = (procedure.result, &call.result) {
                if is_handle(to) {
                    let from = places.range_of(from);
                    self.join(places_of(places, to).into_iter().chain([(from.memory, from.start)]));
                }
            }
        }
    }

    fn add_call(&mut self, places: &AccessRanges, state: LibraryState, effects: &CallEffects, call: &Call) {
        let Some(kind) = state.handle_kind() else { return };
        match handle_of(kind, effects, call) {
            Some(Handle::Argument(argument)) => self.join(places_of_argument(places, argument)),
            Some(Handle::Result(access)) => self.join(places_of(places, access)),
            None => {}
        }
    }

    fn join(&mut self, places: impl IntoIterator<Item = HandleAt>) {
        let mut first = None;
        for place in places {
            self.same.entry(place).or_insert(place);
            let root = self.first(place);
            let first = *first.get_or_insert(root);
            self.same.insert(root, first);
        }
    }

    fn first(&self, mut place: HandleAt) -> HandleAt {
        while let Some(next) = self.same.get(&place).filter(|next| **next != place) {
            place = *next;
        }
        place
    }

    /// The class of the handle that a call uses or creates. The second value: no other handle is in it.
    pub(super) fn of_call(
        &self,
        places: &AccessRanges,
        kind: &str,
        effects: &CallEffects,
        call: &Call,
    ) -> Option<(u64, bool)> {
        match handle_of(kind, effects, call)? {
            Handle::Argument(argument) => self.of_argument(places, argument),
            Handle::Result(access) => self.of_places(places, places_of(places, access)),
        }
    }

    pub(super) fn of_argument(&self, places: &AccessRanges, argument: &Argument) -> Option<(u64, bool)> {
        self.of_places(places, places_of_argument(places, argument))
    }

    fn of_places(&self, places: &AccessRanges, found: Vec<HandleAt>) -> Option<(u64, bool)> {
        let mut numbers = found.iter().map(|place| self.numbers.get(&self.first(*place)).copied());
        let number = numbers.next()??;
        let is_only = found.len() == 1 && places.unique(found[0].0);
        numbers.all(|other| other == Some(number)).then_some((number, is_only))
    }
}

enum Handle<'c> {
    Argument(&'c Argument),
    Result(&'c Access),
}

fn handle_of<'c>(kind: &str, effects: &CallEffects, call: &'c Call) -> Option<Handle<'c>> {
    let is_kind = |name: &Option<String>| name.as_deref() == Some(kind);
    let of_kind = effects.parameters.iter().position(|one| is_kind(&one.uses) || is_kind(&one.creates));
    match of_kind {
        Some(number) => call.arguments.get(number).map(Handle::Argument),
        None => call.result.as_ref().map(Handle::Result),
    }
}

fn is_handle(access: &Access) -> bool {
    matches!(access.content, Content::Handle(_))
}

fn places_of(places: &AccessRanges, access: &Access) -> Vec<HandleAt> {
    let mut bytes = Bytes::default();
    places.resolve(access, &mut Vec::new()).iter().for_each(|place| bytes.insert(place.range));
    places.concretize(&bytes).iter().map(|range| (range.memory, range.start)).collect()
}

fn places_of_argument(places: &AccessRanges, argument: &Argument) -> Vec<HandleAt> {
    match argument {
        Argument::Reference(access) | Argument::Value(Value::Copy(access) | Value::Address(access)) => {
            places_of(places, access)
        }
        Argument::Value(_) | Argument::Absent => Vec::new(),
    }
}

//! State that no variable contains: units of Fortran, and state of libraries.
//!
//! Input: the effects of a call. Output: reads and writes of artificial memory that represents the state.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::Summaries;
use crate::effects::{CallEffects, LibraryState, ParameterEffect};
use crate::problems::Effect;
use crate::program::{Argument, Call, Callee, Item, Lifetime, Operation, Program, Site, Value};
use crate::sets::{Bytes, Memory, Range, END};
use crate::units::{chooses_unit, is_open, Units, STANDARD, UNIT};

/// The number of bytes that represent one state. The first one represents the state if no handle has it.
const WIDTH: u64 = 1 << 34;

impl Summaries<'_> {
    /// The bytes that represent a state of a library, for all handles that have it.
    pub fn state(&self, state: LibraryState) -> Range {
        let start = state as u64 * WIDTH;
        Range { memory: self.states, start, end: start + WIDTH - 1 }
    }

    /// The bytes that represent what calls have added to a state. Each run of such a call matters.
    pub fn added(&self, state: LibraryState) -> Range {
        let start = (LibraryState::ALL.len() + state as usize) as u64 * WIDTH;
        Range { memory: self.states, start, end: start + 1 }
    }

    /// The states of which a call changes only one of several settings.
    pub(super) fn states_with_parts(&self) -> Bytes {
        let mut all = Bytes::default();
        for state in LibraryState::ALL.into_iter().filter(|state| state.has_parts()) {
            all.insert(self.state(state));
            all.insert(self.added(state));
        }
        all
    }

    /// Whether the result of the call decides about a branch that ends the state at once.
    pub fn ends_in_branch(&self, site: Site, state: LibraryState) -> bool {
        let procedure = self.procedure(site.procedure);
        let ends = |operation: &Operation| {
            let Some(Call { callee: Callee::Named(name), .. }) = operation.call() else { return false };
            let effects = self.effects.effects(name);
            effects.is_some_and(|effects| effects.states.iter().any(|one| one.begins && one.state == state))
        };
        let block = &procedure.blocks[site.block.0 as usize];
        let sides = block.terminator.successors(procedure.blocks.len());
        let is_branch = sides.len() == 2;
        is_branch && sides.iter().any(|side| procedure.blocks[side.0 as usize].operations.iter().any(ends))
    }

    /// What operations of an execute block add to states, if a restart may run the block less often than the program did.
    pub(super) fn added_in_block(&self, lost: &Bytes, site: Site, captures: &[Item]) -> Bytes {
        if !captures.is_empty() || !self.repeats.may_repeat(site) {
            return Bytes::default();
        }
        let (first, last) = (LibraryState::ALL[0], LibraryState::ALL[LibraryState::ALL.len() - 1]);
        let all = Range { end: self.added(last).end, ..self.added(first) };
        lost.intersect(&Bytes::from_range(all))
    }

    /// The bytes for this state of the handle of a call. The second value: no other handle has these bytes.
    fn state_of_call(&self, state: LibraryState, effects: &CallEffects, call: &Call) -> (Range, bool) {
        let all = self.state(state);
        let number = match state.handle_kind() {
            None => Some((0, true)),
            Some(kind) => self.handles.of_call(&self.places, kind, effects, call),
        };
        let Some((number, is_only)) = number else { return (all, false) };
        let start = all.start + 2 * number;
        (Range { memory: self.states, start, end: start + 1 }, is_only)
    }

    pub(super) fn library_states(
        &self,
        effects: &CallEffects,
        call: &Call,
        effect: &mut Effect,
        certain: &mut Bytes,
    ) {
        for one in &effects.states {
            let is_used = if one.state == LibraryState::Input {
                self.input.is_used(&self.places, one, call)
            } else {
                one.may_apply(call, self.places.program)
            };
            if !is_used {
                continue;
            }
            let (range, is_only) = self.state_of_call(one.state, effects, call);
            if one.reads {
                effect.reads.insert(range);
            }
            if one.writes || one.begins {
                effect.writes.insert(range);
            }
            // A state with several settings keeps the others.
            let is_whole = one.begins || (one.writes && !one.state.has_parts());
            if is_whole && is_only && one.only_if.is_none() {
                certain.insert(range);
            }
            if one.writes {
                effect.lost.insert(range);
            }
            if one.adds {
                effect.writes.insert(self.added(one.state));
                effect.lost.insert(self.added(one.state));
            }
            if one.reads {
                for kept in self.kept.of_state(one.state) {
                    effect.reads.add(kept);
                }
            }
        }
        for one in &effects.variables {
            for &range in self.external_variables.get(&one.name).into_iter().flatten() {
                if one.reads {
                    effect.reads.insert(range);
                } else {
                    certain.insert(range);
                }
                effect.writes.insert(range);
                effect.lost.insert(range);
            }
        }
        self.settings_of_handles(effects, call, effect);
    }

    /// A call with a handle uses what other calls have set for it, unless it is a constant such as `MPI_INFO_NULL`.
    fn settings_of_handles(&self, effects: &CallEffects, call: &Call, effect: &mut Effect) {
        for (parameter, argument) in effects.parameters.iter().zip(&call.arguments) {
            let Some(kind) = parameter.uses.as_deref().filter(|_| !parameter.ends) else { continue };
            let (Argument::Reference(access) | Argument::Value(Value::Copy(access))) = argument else {
                continue;
            };
            let program = self.places.program;
            let variable = &program.variables[access.root.0 as usize];
            let is_constant = program.objects[variable.object.0 as usize].constant
                || variable.name.to_lowercase().ends_with("_null");
            // A call that sets the state, and does not read it, begins it anew.
            let is_set = |state: &LibraryState| effects.states.iter().any(|one| one.state == *state);
            let settings = LibraryState::settings_of_handles(kind).iter();
            for state in settings.filter(|state| !is_constant && !is_set(state)) {
                let class = self.handles.of_argument(&self.places, argument);
                let all = self.state(*state);
                effect.reads.insert(class.map_or(all, |(number, _)| {
                    let start = all.start + 2 * number;
                    Range { start, end: start + 1, ..all }
                }));
            }
        }
    }

    /// Opens, uses or closes a unit of Fortran.
    pub(super) fn unit(
        &self,
        known: &ParameterEffect,
        argument: &Argument,
        effect: &mut Effect,
        certain: &mut Bytes,
    ) {
        let is_unit = |kind: &Option<String>| kind.as_deref() == Some(UNIT);
        let unit = self.unit_names.of(self.units, argument);
        if is_unit(&known.creates) {
            let opened = unit.unwrap_or(self.units.others());
            effect.writes.insert(opened);
            effect.lost.insert(opened);
            certain.insert(opened);
        } else if is_unit(&known.uses) && known.ends {
            // After a close, no file is open under the unit in any case.
            unit.into_iter().for_each(|unit| certain.insert(unit));
        } else if is_unit(&known.uses) {
            effect.reads.insert(unit.unwrap_or(self.units.all()));
            // The first statement that uses the unit opens a file.
            if let Some(unit) = unit.filter(|unit| self.is_unopened(*unit)) {
                effect.writes.insert(unit);
                effect.lost.insert(unit);
            }
        }
    }

    /// Whether no OPEN statement of the program connects the unit, and its first use opens a file: `fort.20`.
    pub fn is_unopened(&self, unit: Range) -> bool {
        let is_connected = |number| STANDARD.contains(&number);
        match (&self.opened, self.units.number(unit)) {
            (Some(opened), Some(number)) => !is_connected(number) && !opened.contains(&number),
            (None, _) | (_, None) => false,
        }
    }
}

/// The numbers of the units that OPEN statements connect, if all are known.
pub(super) fn opened_units(program: &Program, units: Units) -> Option<BTreeSet<u64>> {
    let opens = program.calls().filter(|(_, _, call)| is_open(call));
    opens
        .filter(|(_, _, call)| !chooses_unit(call))
        .map(|(_, _, call)| units.number(units.of(call.arguments.first()?)?))
        .collect()
}

/// The variables that the program does not define alone, by their names. A library may set them: `optind`, `signgam`.
pub(super) fn external_variables(program: &Program) -> FxHashMap<String, Vec<Range>> {
    let mut found: FxHashMap<String, Vec<Range>> = FxHashMap::default();
    for (number, object) in (0..).zip(&program.objects) {
        if object.external && object.lifetime == Lifetime::Static {
            let range = Range { memory: Memory(number), start: 0, end: object.size.unwrap_or(END) };
            found.entry(object.name.clone()).or_default().push(range);
        }
    }
    found
}

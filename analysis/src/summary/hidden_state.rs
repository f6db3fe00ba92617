//! State that no variable contains: units of Fortran, and state of libraries.
//!
//! Input: the effects of a call. Output: reads and writes of artificial memory that represents the state.

use std::collections::BTreeSet;

use super::Summaries;
use crate::effects::{CallEffects, LibraryState, ParameterEffect, StateEffect};
use crate::problems::Effect;
use crate::program::{Argument, Program};
use crate::sets::{Bytes, Range};
use crate::units::{chooses_unit, is_open, Units, STANDARD, UNIT};

impl Summaries<'_> {
    /// The bytes that represent a state of a library.
    pub fn state(&self, state: LibraryState) -> Range {
        let start = state as u64 * 2;
        Range { memory: self.states, start, end: start + 1 }
    }

    pub(super) fn library_states(&self, effects: &CallEffects, effect: &mut Effect, certain: &mut Bytes) {
        for StateEffect { state, reads, writes } in &effects.states {
            let range = self.state(*state);
            if *reads {
                effect.reads.insert(range);
            }
            if *writes {
                effect.writes.insert(range);
                effect.lost.insert(range);
                certain.insert(range);
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
        let unit = self.units.of(argument);
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

//! State that no variable contains: units of Fortran, and state of libraries.
//!
//! Input: the effects of a call. Output: reads and writes of artificial memory that represents the state.

use super::Summaries;
use crate::effects::{CallEffects, LibraryState, ParameterEffect, StateEffect};
use crate::problems::Effect;
use crate::program::Argument;
use crate::sets::{Bytes, Range};
use crate::units::UNIT;

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
        }
    }
}

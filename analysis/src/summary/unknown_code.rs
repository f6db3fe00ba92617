//! What a call of unknown code may do.
//!
//! Input: the summaries of the procedures that it may call, and the escaped memory.
//! Output: one effect for all such calls.
//! Postcondition: the effect contains those of all procedures that unknown code may call.

use std::cell::RefCell;

use super::Summaries;
use crate::effects::{CallEffects, Extent, ParameterEffect, ResultEffect};
use crate::problems::Effect;
use crate::program::ProcedureId;

/// A procedure that uses the memory of its arguments, and no other.
pub static UNKNOWN: CallEffects = CallEffects {
    parameters: Vec::new(),
    rest: ParameterEffect {
        reads: Extent::Any,
        writes: Extent::Any,
        fills: Extent::Nothing,
        receives: Extent::Nothing,
        writes_pointers: true,
        follows_pointers: false,
        in_place: None,
        keeps: false,
        kept_for: None,
        frees: false,
        allocates: false,
        creates: None,
        uses: None,
        ends: false,
        calls: false,
    },
    result: ResultEffect::Unknown,
    never_returns: false,
    communicates: false,
    calls_back: false,
    starts_thread: false,
    starts: None,
    states: Vec::new(),
    opens: None,
};

/// The effect, until the summary of a procedure changes that unknown code may call.
#[derive(Debug, Default)]
pub struct UnknownCode {
    effect: RefCell<Option<Effect>>,
}

impl UnknownCode {
    /// Adds what the call reads, writes and loses.
    pub fn run(&self, summaries: &Summaries, effect: &mut Effect) {
        let mut known = self.effect.borrow_mut();
        let own = known.get_or_insert_with(|| effect_of_all(summaries));
        effect.reads.add(&own.reads);
        effect.writes.add(&own.writes);
        effect.lost.add(&own.lost);
    }

    /// Forgets the effect if it contains that of this procedure, whose summary changes.
    pub fn forget(&self, summaries: &Summaries, id: ProcedureId) {
        if may_call(summaries, id) {
            self.effect.take();
        }
    }
}

fn effect_of_all(summaries: &Summaries) -> Effect {
    let places = &summaries.places;
    let escaped = || places.escaped.clone();
    let mut effect = Effect { reads: escaped(), writes: escaped(), lost: escaped(), ..Effect::default() };
    for id in (0..summaries.of.len() as u32).map(ProcedureId).filter(|&id| may_call(summaries, id)) {
        let summary = &summaries.of[id.0 as usize];
        effect.reads.add(&places.concretize(&summary.exposed));
        effect.writes.add(&places.concretize(&summary.writes));
        effect.lost.add(&places.concretize(&summary.lost));
    }
    effect
}

fn may_call(summaries: &Summaries, id: ProcedureId) -> bool {
    let procedure = summaries.procedure(id);
    procedure.address_taken || (!summaries.places.program.whole && !procedure.local)
}

//! What a call of unknown code may do.
//!
//! Input: the summaries of the procedures that it may call, and the escaped memory.
//! Output: one effect for all such calls.
//! Postcondition: the effect contains those of all procedures that unknown code may call.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

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
        stores: Vec::new(),
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
    variables: Vec::new(),
    states: Vec::new(),
    opens: None,
    files: Vec::new(),
};

/// The effects, until the summary of a procedure changes that unknown code may call.
#[derive(Debug, Default)]
pub struct UnknownCode {
    all: RefCell<Option<Effect>>,
    of: RefCell<FxHashMap<ProcedureId, Effect>>,
}

impl UnknownCode {
    /// Adds what the call reads, writes and loses.
    pub fn run(&self, summaries: &Summaries, effect: &mut Effect) {
        let mut known = self.all.borrow_mut();
        add(effect, known.get_or_insert_with(|| self.of_all(summaries)));
    }

    /// Forgets the effects of this procedure, whose summary changes.
    pub fn forget(&self, summaries: &Summaries, id: ProcedureId) {
        if may_call(summaries, id) {
            self.all.take();
            self.of.borrow_mut().remove(&id);
        }
    }

    fn of_all(&self, summaries: &Summaries) -> Effect {
        let escaped = || summaries.places.escaped.clone();
        let mut all = Effect { reads: escaped(), writes: escaped(), lost: escaped(), ..Effect::default() };
        let mut known = self.of.borrow_mut();
        let procedures = (0..summaries.of.len() as u32).map(ProcedureId);
        for id in procedures.filter(|&id| may_call(summaries, id)) {
            add(&mut all, known.entry(id).or_insert_with(|| of_one(summaries, id)));
        }
        all
    }
}

fn of_one(summaries: &Summaries, id: ProcedureId) -> Effect {
    let summary = &summaries.of[id.0 as usize];
    Effect {
        reads: summaries.places.concretize(&summary.exposed),
        writes: summaries.places.concretize(&summary.writes),
        lost: summaries.places.concretize(&summary.lost),
        ..Effect::default()
    }
}

fn add(effect: &mut Effect, other: &Effect) {
    effect.reads.add(&other.reads);
    effect.writes.add(&other.writes);
    effect.lost.add(&other.lost);
}

fn may_call(summaries: &Summaries, id: ProcedureId) -> bool {
    let procedure = summaries.procedure(id);
    procedure.address_taken || (!summaries.places.program.whole && !procedure.local)
}

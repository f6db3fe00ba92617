//! Finds the slots whose values a call must capture: those that are assigned before it and used after it.
//!
//! Input: the steps of one statement, the text of the value in each of its slots, and the slots that the rest
//! of the statement uses.
//! Output: the complete captures of each call.

use std::collections::{BTreeMap, BTreeSet};

use cppc_source::Span;

use super::{CapturedMember, Fragment, Pointers, SavedMemberId, Step};

type Live = BTreeSet<SavedMemberId>;

/// Completes the captures of all calls in `steps`, given what is used afterwards.
pub(super) fn carry(
    steps: &mut [Step],
    texts: &BTreeMap<SavedMemberId, Option<Span>>,
    after: impl IntoIterator<Item = SavedMemberId>,
) {
    backwards(steps, texts, after.into_iter().collect());
}

fn backwards(steps: &mut [Step], texts: &BTreeMap<SavedMemberId, Option<Span>>, mut live: Live) -> Live {
    for step in steps.iter_mut().rev() {
        match step {
            Step::Call(call) => {
                if let Some(result) = call.result {
                    live.remove(&result);
                }
                for &slot in &live {
                    if !call.captures.iter().any(|capture| capture.slot == slot) {
                        // The text of the value, and not that of the call that captures it.
                        let source = texts.get(&slot).copied().flatten().unwrap_or(call.call.span);
                        call.captures.push(CapturedMember { slot, source, pointers: Pointers::Known });
                    }
                }
                live.extend(slots_of(&call.call));
                for capture in &call.captures {
                    if let Pointers::Again { value, .. } = &capture.pointers {
                        live.remove(&capture.slot);
                        live.extend(slots_of(value));
                    }
                }
                for (slot, value) in call.arguments.iter().rev() {
                    live.remove(slot);
                    live.extend(slots_of(value));
                }
            }
            Step::Assign { slot, value, .. } => {
                live.remove(slot);
                live.extend(slots_of(value));
            }
            Step::Evaluate(fragment) => live.extend(slots_of(fragment)),
            Step::Choose { on, then, otherwise, .. } => {
                let mut before = backwards(then, texts, live.clone());
                before.extend(backwards(otherwise, texts, live));
                live = before;
                live.extend(slots_of(on));
            }
        }
    }
    live
}

/// The slots that fill the holes of a fragment.
fn slots_of(fragment: &Fragment) -> impl Iterator<Item = SavedMemberId> + '_ {
    fragment.holes.iter().map(|hole| hole.slot)
}

//! Memory that libraries keep for handles and settings: buffers of persistent requests, memory of windows, texts of `putenv`.
//!
//! Input: the calls that keep memory. Output: the effects of calls that start handles, and the memory of settings.
//! Postcondition: a call that starts a handle may read and write all memory that is kept for handles of its kind. A call that
//! reads a setting reads all memory that is kept for it.

use super::{add, Summaries};
use crate::effects::{Assumptions, CallEffects, Extent, LibraryState, StateEffect};
use crate::points_to::{MemoryKind, Target};
use crate::problems::Effect;
use crate::program::{Argument, Call, Site};
use crate::sets::{Bytes, Range, END};

/// The kind of handle whose memory other processes use.
const WINDOW: &str = "window";

#[derive(Debug, Default)]
pub struct Kept {
    memory: Vec<KeptMemory>,
    /// The memory that settings of the process refer to.
    of_states: Vec<(LibraryState, Bytes)>,
    /// Whether a call changes the windows of other processes.
    updates_windows: bool,
}

/// What one call keeps.
#[derive(Debug)]
struct KeptMemory {
    kind: String,
    reads: Bytes,
    writes: Bytes,
    /// In usual runs, the memory that is filled when the handle is started.
    fills: Option<Range>,
    /// The variables that get the handle.
    handles: Bytes,
}

impl Kept {
    pub fn new(summaries: &Summaries) -> Kept {
        let mut kept = Kept::default();
        for (site, _, call) in summaries.places.program.calls() {
            for target in summaries.places.calls.targets(site) {
                let Target::Outside(name) = target else { continue };
                if let Some(effects) = summaries.effects.effects(name) {
                    kept.add(summaries, site, effects, call);
                }
            }
        }
        kept
    }

    fn add(&mut self, summaries: &Summaries, site: Site, effects: &CallEffects, call: &Call) {
        let uses_window =
            (0..call.arguments.len()).any(|number| effects.parameter(number).uses.as_deref() == Some(WINDOW));
        for (number, argument) in call.arguments.iter().enumerate() {
            let known = effects.parameter(number);
            // `MPI_Put` and `MPI_Accumulate` only read the memory that they keep.
            let is_sent = known.keeps && known.reads != Extent::Nothing && known.writes == Extent::Nothing;
            self.updates_windows |= uses_window && is_sent;
            self.add_settings(summaries, effects, call, number);
            let Some(kind) = &known.kept_for else { continue };
            let bytes = |extent: &Extent| {
                let mut bytes = Bytes::default();
                add(&mut bytes, &summaries.extent(call, argument, extent).0);
                if known.allocates {
                    let new = summaries.places.points.heap(site);
                    bytes =
                        new.map_or(bytes, |memory| Bytes::from_range(Range { memory, start: 0, end: END }));
                }
                summaries.places.concretize(&bytes)
            };
            self.memory.push(KeptMemory {
                kind: kind.clone(),
                reads: bytes(if known.allocates { &known.writes } else { &known.reads }),
                writes: bytes(&known.writes),
                fills: fills(summaries, effects, call, number, argument),
                handles: handles(summaries, effects, call, kind),
            });
        }
    }
}

impl Kept {
    /// The call may set something for which the library keeps the memory of an argument.
    fn add_settings(&mut self, summaries: &Summaries, effects: &CallEffects, call: &Call, number: usize) {
        let (known, argument) = (effects.parameter(number), &call.arguments[number]);
        let is_set = |one: &&StateEffect| known.keeps && one.writes && one.state.is_setting();
        for one in effects.states.iter().filter(is_set) {
            let mut bytes = Bytes::default();
            add(&mut bytes, &summaries.extent(call, argument, &known.reads).0);
            self.of_states.push((one.state, summaries.places.concretize(&bytes)));
        }
    }

    pub fn of_state(&self, state: LibraryState) -> impl Iterator<Item = &Bytes> {
        self.of_states.iter().filter(move |(of, _)| *of == state).map(|(_, bytes)| bytes)
    }
}

/// The variables that get the new handle of this kind.
fn handles(summaries: &Summaries, effects: &CallEffects, call: &Call, kind: &str) -> Bytes {
    let mut handles = Bytes::default();
    for (number, argument) in call.arguments.iter().enumerate() {
        let known = effects.parameter(number);
        if known.creates.as_deref() == Some(kind) {
            add(&mut handles, &summaries.extent(call, argument, &known.writes).0);
        }
    }
    summaries.places.concretize(&handles)
}

/// The memory that messages fill in usual runs, if it is certain and nothing else sets it.
fn fills(
    summaries: &Summaries,
    effects: &CallEffects,
    call: &Call,
    number: usize,
    argument: &Argument,
) -> Option<Range> {
    let known = effects.parameter(number);
    let by_message = summaries.filled(call, argument, &known.receives);
    let range = by_message.or_else(|| summaries.filled(call, argument, &known.fills))?;
    if summaries.assigned.is_data(&summaries.places, range) {
        return None;
    }
    let certain = summaries.places.concretize_certain(&Bytes::from_range(range));
    let is_target =
        |range: &Range| matches!(summaries.places.points.kind(range.memory), MemoryKind::Target { .. });
    let found = certain.iter().find(|range| !is_target(range));
    found
}

impl Summaries<'_> {
    /// Adds what a call does with the memory that is kept for the handles that it starts.
    pub(super) fn start(&self, effects: &CallEffects, call: &Call, effect: &mut Effect, certain: &mut Bytes) {
        let Some(number) = effects.starts else { return };
        let Some(kind) = effects.started_kind() else { return };
        let mut started = Bytes::default();
        if let Some(argument) = call.arguments.get(number) {
            started = self.places.concretize(&self.handle_memory(argument));
        }
        for kept in self.kept.memory.iter().filter(|kept| kept.kind == kind) {
            effect.reads.add(&kept.reads);
            if kind == WINDOW && !self.kept.updates_windows {
                continue;
            }
            effect.writes.add(&kept.writes);
            effect.lost.add(&kept.writes);
            let is_started = || kept.handles.iter().any(|range| started.overlaps(range));
            let is_usual = self.assumptions == Assumptions::Usual;
            if let Some(range) = kept.fills.filter(|_| is_usual && is_started()) {
                certain.insert(range);
            }
        }
    }

    /// The memory of the handles that an argument refers to.
    fn handle_memory(&self, argument: &Argument) -> Bytes {
        let mut bytes = Bytes::default();
        add(&mut bytes, &self.places.behind_argument(argument, 0, END));
        bytes
    }
}

//! Units of Fortran that have several names.
//!
//! Input: summaries, and the memory that is live and lost at each checkpoint.
//! Output: units that are opened with one name, and used after a checkpoint with another: two variables, or a variable and a
//! number.
//! Postcondition: if a statement copies the number of one variable to the other, directly or through other variables and
//! arguments, or sets a variable to the number, the two names may mean one unit. Names without such a connection do not.

use std::cell::{OnceCell, RefCell};

use rustc_hash::FxHashMap;

use crate::handles::copies;
use crate::live::Liveness;
use crate::points_to::Target;
use crate::program::{Argument, OperationKind, Site, Value};
use crate::restored::Restored;
use crate::sets::{Bytes, Range};
use crate::summary::Summaries;

/// A unit that is used after a checkpoint under another name than that with which it was opened.
pub struct LostSharedUnit {
    pub checkpoint: Site,
    pub used: Range,
    pub opened: Range,
}

/// Units that are opened outside of execute blocks with one name, and used after a checkpoint with another.
pub fn lost_shared_units(
    summaries: &Summaries,
    liveness: &Liveness,
    restored: &Restored,
) -> Vec<LostSharedUnit> {
    let shared = SharedUnits::new(summaries);
    let units = Bytes::from_range(summaries.units.all());
    let mut found = Vec::new();
    for (checkpoint, live) in &liveness.checkpoints {
        let Some(point) = restored.points.get(checkpoint) else { continue };
        let live = live.intersect(&units);
        for opened in point.lost.intersect(&units).iter() {
            let used = live.iter().find(|used| shared.may_be_same(opened, *used));
            found.extend(used.map(|used| LostSharedUnit { checkpoint: *checkpoint, used, opened }));
        }
    }
    found
}

struct SharedUnits<'a> {
    summaries: &'a Summaries<'a>,
    /// For each name, the memory that may have its number.
    holding: RefCell<FxHashMap<Range, Bytes>>,
    /// Memory that a statement sets to a constant, or a parameter that gets one.
    constants: OnceCell<Vec<(u64, Range)>>,
}

impl<'a> SharedUnits<'a> {
    fn new(summaries: &'a Summaries<'a>) -> SharedUnits<'a> {
        SharedUnits { summaries, holding: RefCell::default(), constants: OnceCell::new() }
    }

    fn may_be_same(&self, one: Range, other: Range) -> bool {
        let units = self.summaries.units;
        let are_single = units.is_single(one) && units.is_single(other);
        are_single && one != other && (self.may_have(one, other) || self.may_have(other, one))
    }

    /// Whether the variable of the second unit may have the number of the first.
    fn may_have(&self, unit: Range, other: Range) -> bool {
        let Some(variable) = self.summaries.units.variable(other) else { return false };
        let own = self.summaries.places.range_of(variable);
        let mut holding = self.holding.borrow_mut();
        holding.entry(unit).or_insert_with(|| self.holding(unit)).overlaps(own)
    }

    fn holding(&self, unit: Range) -> Bytes {
        let units = self.summaries.units;
        let first: Bytes = match (units.variable(unit), units.number(unit)) {
            (Some(variable), _) => Bytes::from_range(self.summaries.places.range_of(variable)),
            (None, Some(number)) => {
                let set = self.constants().iter().filter(|(constant, _)| *constant == number);
                set.map(|(_, range)| *range).collect()
            }
            (None, None) => Bytes::default(),
        };
        copies(self.summaries, first)
    }

    fn constants(&self) -> &[(u64, Range)] {
        self.constants.get_or_init(|| {
            let places = &self.summaries.places;
            let mut found = Vec::new();
            for (site, operation) in places.program.operations() {
                if let OperationKind::Write { to, value } = &operation.kind {
                    let Some(number) = constant(value) else { continue };
                    let written = places.resolve(to, &mut Vec::new()).into_iter().map(|place| place.range);
                    let concrete = written.map(|range| places.concretize(&Bytes::from_range(range)));
                    found.extend(
                        concrete
                            .flat_map(|bytes| bytes.iter().collect::<Vec<_>>())
                            .map(|range| (number, range)),
                    );
                }
                let Some(call) = operation.call() else { continue };
                for target in places.calls.targets(site) {
                    let Target::Procedure(id) = target else { continue };
                    let parameters = &self.summaries.procedure(*id).parameters;
                    for (argument, parameter) in call.arguments.iter().zip(parameters) {
                        let Argument::Value(value) = argument else { continue };
                        found.extend(constant(value).map(|number| (number, places.range_of(*parameter))));
                    }
                }
            }
            found
        })
    }
}

fn constant(value: &Value) -> Option<u64> {
    let Value::Affine(number) = value else { return None };
    number.as_constant().and_then(|number| u64::try_from(number).ok())
}

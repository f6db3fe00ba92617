//! Memory that depends on hash values of addresses.
//!
//! A restart gives other addresses to memory. Then a hash value that is saved does not fit the address any longer, and another
//! element of a saved table is chosen.
//!
//! Input: `Program::address_hashes`, and the memory that is live and lost at each checkpoint.
//! Output: memory that a restart restores or lacks, and in which a hash value is stored, or chooses an element.
//! Postcondition: a hash value that is only compared or printed is not in the result, nor one in memory that is set again before
//! it is read.

use std::collections::BTreeMap;

use crate::accesses::accesses;
use crate::live::Liveness;
use crate::points_to::{MemoryKind, Target};
use crate::program::{
    Access, Argument, Expression, Index, Operation, OperationKind, Operator, Site, Step, Value, VariableId,
};
use crate::restored::Restored;
use crate::sets::{Bytes, Range};
use crate::summary::Summaries;

/// Memory that depends on a hash value.
#[derive(Debug, Clone)]
pub struct HashedMemory {
    pub checkpoint: Site,
    /// Where the hash value is computed first.
    pub hashed: Site,
    /// Where it is stored, or chooses an element.
    pub used: Site,
    pub is_index: bool,
    pub range: Range,
}

pub fn hashed_memory(summaries: &Summaries, liveness: &Liveness, restored: &Restored) -> Vec<HashedMemory> {
    let hashes = Hashes::new(summaries);
    let mut found: BTreeMap<Site, HashedMemory> = BTreeMap::new();
    if hashes.origins.is_empty() {
        return Vec::new();
    }
    for (used, operation) in summaries.places.program.operations() {
        let mut add = |hashed: Site, range: Range, is_index: bool| {
            if found.contains_key(&hashed) {
                return;
            }
            if let Some(checkpoint) = kept_at(summaries, liveness, restored, range) {
                found.insert(hashed, HashedMemory { checkpoint, hashed, used, is_index, range });
            }
        };
        accesses(&operation.kind, &mut |access| {
            if let Some(origin) = hashes.of_indices(access) {
                let places = summaries.places.resolve(access, &mut Vec::new());
                places.iter().for_each(|place| add(origin, place.range, true));
            }
        });
        if let Some((to, origin)) = hashes.stored(used, operation) {
            let places = summaries.places.resolve(to, &mut Vec::new());
            places.iter().for_each(|place| add(origin, place.range, false));
        }
    }
    found.into_values().collect()
}

/// A checkpoint at which the memory is needed, and has not the value that it has in a new run.
fn kept_at(summaries: &Summaries, liveness: &Liveness, restored: &Restored, range: Range) -> Option<Site> {
    let is_memory =
        matches!(summaries.places.points.kind(range.memory), MemoryKind::Object | MemoryKind::Heap(_));
    let is_kept = |(checkpoint, live): &&(Site, Bytes)| {
        let lost = restored
            .points
            .get(checkpoint)
            .is_some_and(|point| summaries.places.concretize(&point.lost).overlaps(range));
        lost && summaries.places.concretize(live).overlaps(range)
    };
    liveness.checkpoints.iter().filter(|_| is_memory).find(is_kept).map(|(checkpoint, _)| *checkpoint)
}

/// The variables with hash values, and where each value is computed.
struct Hashes<'a> {
    summaries: &'a Summaries<'a>,
    origins: BTreeMap<VariableId, Site>,
}

impl<'a> Hashes<'a> {
    fn new(summaries: &'a Summaries<'a>) -> Hashes<'a> {
        let mut hashes = Hashes { summaries, origins: BTreeMap::new() };
        let program = summaries.places.program;
        if program.address_hashes.is_empty() {
            return hashes;
        }
        for (site, operation) in program.operations() {
            if let OperationKind::Write { to, .. } = &operation.kind {
                if to.path.is_empty() && program.address_hashes.contains(&to.root) {
                    hashes.origins.entry(to.root).or_insert(site);
                }
            }
        }
        while hashes.spread() {}
        hashes
    }

    /// Follows the values by one step. Returns whether there is a new variable.
    fn spread(&mut self) -> bool {
        let count = self.origins.len();
        for (site, operation) in self.summaries.places.program.operations() {
            if let Some((to, origin)) = self.stored(site, operation) {
                if to.path.is_empty() {
                    let root = to.root;
                    self.origins.entry(root).or_insert(origin);
                }
            }
            let Some(call) = operation.call() else { continue };
            for (number, argument) in call.arguments.iter().enumerate() {
                let Argument::Value(value) = argument else { continue };
                let Some(origin) = self.of_value(value, operation.computed.get(number)) else { continue };
                for target in self.summaries.places.calls.targets(site) {
                    let Target::Procedure(id) = target else { continue };
                    if let Some(&parameter) = self.summaries.procedure(*id).parameters.get(number) {
                        self.origins.entry(parameter).or_insert(origin);
                    }
                }
            }
        }
        self.origins.len() > count
    }

    /// The memory to which the operation writes a hash value, and where that is computed.
    fn stored<'o>(&self, site: Site, operation: &'o Operation) -> Option<(&'o Access, Site)> {
        match &operation.kind {
            OperationKind::Write { to, value } => {
                Some((to, self.of_value(value, operation.computed.first())?))
            }
            OperationKind::Call(call) => {
                let result = call.result.as_ref()?;
                let origin =
                    self.summaries.places.calls.targets(site).iter().find_map(|target| match target {
                        Target::Procedure(id) => self.of(self.summaries.procedure(*id).result?),
                        Target::Outside(_) | Target::Unknown => None,
                    })?;
                Some((result, origin))
            }
            _ => None,
        }
    }

    fn of(&self, variable: VariableId) -> Option<Site> {
        self.origins.get(&variable).copied()
    }

    fn of_value(&self, value: &Value, computed: Option<&Expression>) -> Option<Site> {
        match value {
            Value::Affine(sum) => sum.terms.iter().find_map(|term| self.of(term.0)),
            Value::Copy(access) if access.path.is_empty() => self.of(access.root),
            Value::Data | Value::Unknown => self.of_expression(computed?),
            Value::Copy(_) | Value::Address(_) | Value::Procedure(_) | Value::Null => None,
        }
    }

    fn of_expression(&self, expression: &Expression) -> Option<Site> {
        let any = |all: &[Expression]| all.iter().find_map(|one| self.of_expression(one));
        match expression {
            Expression::Affine(sum) => sum.terms.iter().find_map(|term| self.of(term.0)),
            Expression::Load(access) if access.path.is_empty() => self.of(access.root),
            Expression::Negate(one) | Expression::NonNegative(one) => self.of_expression(one),
            Expression::Binary(operator, left, right) if !matches!(operator, Operator::Compare(_)) => {
                self.of_expression(left).or_else(|| self.of_expression(right))
            }
            Expression::Choice(all) => any(&all[1..]),
            Expression::Of(all) => any(all),
            Expression::Load(_)
            | Expression::Not(_)
            | Expression::Binary(..)
            | Expression::Real(_)
            | Expression::RealFunction(..)
            | Expression::InputFile(_)
            | Expression::Text(_)
            | Expression::FirstElement(_)
            | Expression::Parts { .. }
            | Expression::Unknown => None,
        }
    }

    /// Whether a hash value chooses an element.
    fn of_indices(&self, access: &Access) -> Option<Site> {
        access.path.iter().find_map(|step| match step {
            Step::Elements(dimensions) => dimensions.iter().find_map(|dimension| match &dimension.index {
                Index::At(sum) => sum.terms.iter().find_map(|term| self.of(term.0)),
                Index::Range { .. } | Index::All | Index::Unknown => None,
            }),
            Step::Field { .. } | Step::Dereference => None,
        })
    }
}

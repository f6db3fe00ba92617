//! Registers whose number of elements is a variable that grows after the register.
//!
//! Input: the paths through the program, and the memory that is live and lost at each checkpoint.
//! Output: the registers, each with the first checkpoint at which it saves fewer elements than its variable says.
//! Postcondition: the variable grows on a path from the register to the checkpoint, on which the memory is not registered again.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use crate::live::Liveness;
use crate::paths::Paths;
use crate::program::{
    Affine, Call, Callee, Content, Directive, Index, Item, Operation, OperationKind, Site, Step, Value,
    VariableId,
};
use crate::register_sizes::named;
use crate::registered::Parts;
use crate::restored::Restored;
use crate::sets::{Memory, Range, END};

/// A register that saves too few elements.
#[derive(Debug, Clone)]
pub struct GrownRegister {
    pub checkpoint: Site,
    pub register: Site,
    /// As written: `p[n]`.
    pub text: String,
    pub variable: VariableId,
    /// The operation that makes the variable larger.
    pub grown: Site,
    pub range: Range,
}

pub fn grown_registers(paths: &Paths, liveness: &Liveness, restored: &Restored) -> Vec<GrownRegister> {
    let program = paths.summaries.places.program;
    let registers: Vec<(Site, &Item, BTreeSet<Memory>)> = program
        .directives()
        .flat_map(|(site, directive)| {
            let items: &[Item] = match directive {
                Directive::Register(items) | Directive::Unregister(items) => items,
                _ => &[],
            };
            items.iter().map(move |item| (site, item))
        })
        .map(|(site, item)| (site, item, named(paths.summaries, std::slice::from_ref(item))))
        .collect();
    let writes = OnceCell::new();
    let mut found = Vec::new();
    for (site, item, memories) in &registers {
        let is_register = matches!(program.operation(*site).directive(), Some(Directive::Register(_)));
        let variables = if is_register { count_variables(paths, item) } else { Vec::new() };
        let names_it = |other: &&(Site, &Item, BTreeSet<Memory>)| !other.2.is_disjoint(memories);
        // Another register may save the rest.
        let is_alone = || registers.iter().filter(names_it).all(|other| other.1.text == item.text);
        if variables.is_empty() || !is_alone() {
            continue;
        }
        // `unregister(p)` names the pointer.
        let pointers: BTreeSet<Memory> =
            Parts::new(&paths.summaries.places, item).slot.iter().map(|slot| slot.range.memory).collect();
        let ends_it =
            |other: &&(Site, &Item, BTreeSet<Memory>)| names_it(other) || !other.2.is_disjoint(&pointers);
        let mut again: BTreeSet<Site> = registers.iter().filter(ends_it).map(|other| other.0).collect();
        again.extend(freed(paths, memories));
        let first = variables.into_iter().find_map(|variable| {
            let writes = writes.get_or_init(|| integer_writes(paths));
            let (grown, checkpoint) = grows(paths, writes, *site, variable, &again, &|checkpoint| {
                lost_in(liveness, restored, checkpoint, memories).is_some()
            })?;
            let range = lost_in(liveness, restored, checkpoint, memories)?;
            let text = item.text.clone();
            Some(GrownRegister { checkpoint, register: *site, text, variable, grown, range })
        });
        found.extend(first);
    }
    found
}

/// An assignment of an integer, with its value and the memory that it may change.
type IntegerWrite<'p> = (Site, &'p Value, Vec<Range>);

fn integer_writes<'p>(paths: &Paths<'p>) -> Vec<IntegerWrite<'p>> {
    let places = &paths.summaries.places;
    let write = |(site, operation): (Site, &'p Operation)| match &operation.kind {
        OperationKind::Write { to, value } if to.size.is_none_or(|size| size <= LARGEST_INTEGER) => {
            let ranges = places.resolve(to, &mut Vec::new()).into_iter().map(|place| place.range);
            Some((site, value, ranges.collect()))
        }
        _ => None,
    };
    places.program.operations().filter_map(write).collect()
}

const LARGEST_INTEGER: u64 = 8;

/// The calls that free memory of these.
fn freed(paths: &Paths, memories: &BTreeSet<Memory>) -> Vec<Site> {
    let summaries = paths.summaries;
    let frees = |call: &Call| {
        let Callee::Named(name) = &call.callee else { return false };
        let Some(effects) = summaries.effects.effects(name) else { return false };
        call.arguments.iter().enumerate().filter(|(number, _)| effects.parameter(*number).frees).any(
            |(_, argument)| {
                let places = summaries.places.behind_argument(argument, 0, END);
                places.iter().any(|place| memories.contains(&place.range.memory))
            },
        )
    };
    let calls = summaries.places.program.calls();
    calls.filter(|(_, _, call)| frees(call)).map(|(site, ..)| site).collect()
}

/// The variables of the number of elements.
fn count_variables(paths: &Paths, item: &Item) -> Vec<VariableId> {
    let variables = &paths.summaries.places.program.variables;
    let Some(Step::Elements(dimensions)) = item.memory.path.last() else { return Vec::new() };
    let is_counted = !item.deep && !item.allocation;
    let sizes = dimensions.iter().filter_map(|dimension| match &dimension.index {
        Index::Range { last, step: 1, .. } if is_counted => Some(last),
        Index::Range { .. } | Index::At(_) | Index::All | Index::Unknown => None,
    });
    let terms = sizes.flat_map(|size| &size.terms).filter(|term| term.1 > 0).map(|term| term.0);
    terms.filter(|id| matches!(variables[id.0 as usize].content, Content::Integer { .. })).collect()
}

/// An operation that makes the variable larger after the register, and a checkpoint after it.
fn grows(
    paths: &Paths,
    writes: &[IntegerWrite],
    register: Site,
    variable: VariableId,
    again: &BTreeSet<Site>,
    counts: &dyn Fn(Site) -> bool,
) -> Option<(Site, Site)> {
    let places = &paths.summaries.places;
    let own = places.range_of(variable);
    let (mut increases, mut others) = (Vec::new(), BTreeSet::new());
    for (site, value, ranges) in
        writes.iter().filter(|write| write.2.iter().any(|range| range.overlaps(&own)))
    {
        match value {
            Value::Affine(sum) if is_larger(sum, variable) && ranges[..] == [own] => increases.push(*site),
            _ => _ = others.insert(*site),
        }
    }
    if increases.is_empty() {
        return None;
    }
    // After another value, it is not known to be larger than before.
    let stops = |site: Site| again.contains(&site) || others.contains(&site);
    let after = paths.after_until(&[register], &stops);
    let grown = increases.into_iter().find(|site| after.contain(*site))?;
    let later = paths.after_until(&[grown], &stops);
    let mut checkpoints = places.program.checkpoints();
    let checkpoint = checkpoints.find(|site| later.contain(*site) && counts(*site))?;
    Some((grown, checkpoint))
}

/// Whether a sum is larger than the variable, if the other variables of the sum are not negative.
fn is_larger(sum: &Affine, variable: VariableId) -> bool {
    let own = sum.terms.iter().find(|term| term.0 == variable).map_or(0, |term| term.1);
    let is_positive = sum.constant >= 0 && sum.terms.iter().all(|term| term.1 > 0);
    own >= 1 && is_positive && (sum.constant > 0 || own > 1 || sum.terms.len() > 1)
}

/// Memory that is read after the checkpoint, and that a restart would not have without the register.
fn lost_in(
    liveness: &Liveness,
    restored: &Restored,
    checkpoint: Site,
    memories: &BTreeSet<Memory>,
) -> Option<Range> {
    let (_, live) = liveness.checkpoints.iter().find(|(site, _)| *site == checkpoint)?;
    let lost = &restored.points.get(&checkpoint)?.lost;
    let whole = |memory: &Memory| Range { memory: *memory, start: 0, end: END };
    memories.iter().map(whole).find(|range| live.overlaps(*range) && lost.overlaps(*range))
}

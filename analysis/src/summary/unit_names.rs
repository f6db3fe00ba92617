//! The units of Fortran that procedures get as arguments: `open (unit, …)` in a procedure that opens files.
//!
//! Input: a program.
//! Output: the bytes of the unit that an argument names; for a call, the units of the caller.
//! Postcondition: a procedure that leads to a checkpoint has no such units, so they are in no set at a checkpoint. There, and
//! for an argument without a name, a parameter may be any unit.

use rustc_hash::FxHashMap;

use super::Summaries;
use crate::access_ranges::AccessRanges;
use crate::program::{
    Argument, Call, Directive, OperationKind, ProcedureId, Program, Step, Value, VariableId,
};
use crate::sets::{Bytes, Range};
use crate::units::Units;

/// What the arguments of calls mean.
#[derive(Debug, Default)]
pub struct UnitNames {
    /// The procedure of each parameter, and its number.
    parameters: FxHashMap<VariableId, (ProcedureId, usize)>,
    /// The numbers in temporaries. None: it is computed.
    temporaries: FxHashMap<VariableId, Option<u64>>,
}

impl UnitNames {
    pub fn new(places: &AccessRanges) -> UnitNames {
        let program = places.program;
        let leads = leading_to_checkpoints(places);
        let mut names = UnitNames { temporaries: temporaries(program), ..UnitNames::default() };
        for (id, procedure) in program.procedures.iter().enumerate() {
            if leads[id] {
                continue;
            }
            let parameters = procedure.parameters.iter().enumerate();
            names.parameters.extend(parameters.map(|(at, &one)| (one, (ProcedureId(id as u32), at))));
        }
        names
    }

    /// The unit that an argument of a statement for input and output, or of a call, names. None: any.
    pub fn of(&self, units: Units, argument: &Argument) -> Option<Range> {
        let Argument::Reference(access) = argument else { return units.of(argument) };
        match access.path[..] {
            [] => match self.temporaries.get(&access.root) {
                None => units.of(argument),
                Some(number) => units.numbered((*number)?),
            },
            [Step::Dereference] => {
                self.parameters.contains_key(&access.root).then(|| units.of_parameter(access.root))
            }
            _ => None,
        }
    }
}

impl Summaries<'_> {
    /// The unit of the caller that a unit of the callee is.
    pub(super) fn unit_at_call(&self, id: ProcedureId, call: &Call, unit: Range) -> UnitAtCall {
        let Some(number) = self.unit_parameter(id, unit) else { return UnitAtCall::Same };
        let argument = call.arguments.get(number);
        match argument.and_then(|argument| self.unit_names.of(self.units, argument)) {
            Some(unit) => UnitAtCall::Unit(unit),
            None => UnitAtCall::Unknown,
        }
    }

    /// The number of the parameter of the procedure that names the unit.
    pub(super) fn unit_parameter(&self, id: ProcedureId, unit: Range) -> Option<usize> {
        let (procedure, number) = *self.unit_names.parameters.get(&self.units.parameter(unit)?)?;
        (procedure == id).then_some(number)
    }

    /// The units of the caller that the units of a set may be.
    pub(super) fn units_at_call(
        &self,
        id: ProcedureId,
        call: &Call,
        units: &[Range],
        unknown: Range,
    ) -> Bytes {
        let at_call = |unit: &Range| match self.unit_at_call(id, call, *unit) {
            UnitAtCall::Same => *unit,
            UnitAtCall::Unit(unit) => unit,
            UnitAtCall::Unknown => unknown,
        };
        units.iter().map(at_call).collect()
    }
}

pub enum UnitAtCall {
    /// It is no parameter of the callee.
    Same,
    Unit(Range),
    Unknown,
}

/// Whether each procedure contains a checkpoint, or calls a procedure that leads to one.
fn leading_to_checkpoints(places: &AccessRanges) -> Vec<bool> {
    let is_checkpoint = |directive: &Directive| matches!(directive, Directive::Checkpoint);
    let mut leads = vec![false; places.program.procedures.len()];
    let mut waiting: Vec<ProcedureId> = places
        .program
        .directives()
        .filter(|(_, directive)| is_checkpoint(directive))
        .map(|(site, _)| site.procedure)
        .collect();
    while let Some(id) = waiting.pop() {
        if !std::mem::replace(&mut leads[id.0 as usize], true) {
            waiting.extend(places.calls.callers[id.0 as usize].iter().map(|site| site.procedure));
        }
    }
    leads
}

/// Temporaries for arguments: `call open_file(21)`.
fn temporaries(program: &Program) -> FxHashMap<VariableId, Option<u64>> {
    let mut found = FxHashMap::default();
    for (_, operation) in program.operations() {
        let OperationKind::Write { to, value } = &operation.kind else { continue };
        if program.variables[to.root.0 as usize].declared.is_some() {
            continue;
        }
        let number = match value {
            Value::Affine(number) if to.path.is_empty() => number.as_constant(),
            _ => None,
        };
        let number = number.and_then(|number| u64::try_from(number).ok());
        found.entry(to.root).and_modify(|known| *known = None).or_insert(number);
    }
    found
}

//! The units of Fortran: open files that no variable contains.
//!
//! Input: the first argument of a statement for input and output. Output: bytes that represent the unit.

use crate::program::{Argument, Call, Callee, Program, Value, VariableId};
use crate::sets::{Memory, Range};

/// The kind of handle in the catalogue.
pub const UNIT: &str = "unit";

/// The units of Fortran, represented by bytes of an artificial memory.
#[derive(Debug, Clone, Copy)]
pub struct Units {
    pub memory: Memory,
}

/// Units with a number come first, then those that a variable names, then the others. Ranges of two units do not
/// touch, so sets of bytes keep them apart.
const VARIABLES: u64 = 1 << 40;
/// Those that a parameter of a procedure names.
const PARAMETERS: u64 = 1 << 45;
const OTHERS: u64 = 1 << 50;

impl Units {
    pub fn all(self) -> Range {
        Range { memory: self.memory, start: 0, end: OTHERS + 1 }
    }

    pub fn others(self) -> Range {
        Range { memory: self.memory, start: OTHERS, end: OTHERS + 1 }
    }

    /// The unit that an argument names. None: any.
    pub fn of(self, argument: &Argument) -> Option<Range> {
        match argument {
            Argument::Value(Value::Affine(number)) => {
                self.numbered(u64::try_from(number.as_constant()?).ok()?)
            }
            Argument::Reference(access) if access.path.is_empty() => {
                Some(self.at(VARIABLES + 2 * u64::from(access.root.0)))
            }
            Argument::Value(_) | Argument::Reference(_) | Argument::Absent => None,
        }
    }

    pub fn numbered(self, number: u64) -> Option<Range> {
        (number < VARIABLES / 2).then(|| self.at(2 * number))
    }

    /// The unit that a parameter of a procedure names in it.
    pub fn of_parameter(self, parameter: VariableId) -> Range {
        self.at(PARAMETERS + 2 * u64::from(parameter.0))
    }

    fn at(self, start: u64) -> Range {
        Range { memory: self.memory, start, end: start + 1 }
    }

    /// The number of a unit, unless a variable contains it.
    pub fn number(self, unit: Range) -> Option<u64> {
        (unit.memory == self.memory && unit.start < VARIABLES).then_some(unit.start / 2)
    }

    /// The variable that contains the number of a unit.
    pub fn variable(self, unit: Range) -> Option<VariableId> {
        let is_variable = unit.memory == self.memory && (VARIABLES..PARAMETERS).contains(&unit.start);
        is_variable.then(|| VariableId(((unit.start - VARIABLES) / 2) as u32))
    }

    /// The parameter of a procedure that names the unit.
    pub fn parameter(self, unit: Range) -> Option<VariableId> {
        let is_parameter = self.is_single(unit) && unit.start >= PARAMETERS;
        is_parameter.then(|| VariableId(((unit.start - PARAMETERS) / 2) as u32))
    }

    /// Whether the range is one unit with a name.
    pub fn is_single(self, unit: Range) -> bool {
        unit.memory == self.memory && unit.end == unit.start + 1 && unit.start < OTHERS
    }

    /// The text of the unit for messages.
    pub fn name(self, program: &Program, range: Range) -> String {
        match range.start {
            PARAMETERS.. => "a unit".to_owned(),
            VARIABLES.. => {
                let id = ((range.start - VARIABLES) / 2) as usize;
                program.variables[id].name.clone()
            }
            number => format!("unit {}", number / 2),
        }
    }
}

/// The numbers that `*` may mean. These units are always connected.
pub const STANDARD: [u64; 3] = [0, 5, 6];

/// Whether a call is an OPEN statement.
pub fn is_open(call: &Call) -> bool {
    is_one_of(call, &["fortran%open", "fortran%open_new"])
        || is_input(call)
        || is_append(call)
        || is_create(call)
        || empties_file(call)
}

/// Whether NEWUNIT chooses the number.
pub fn chooses_unit(call: &Call) -> bool {
    matches!(&call.callee, Callee::Named(name) if name.starts_with("fortran%open_new"))
}

/// OPEN with `STATUS='OLD'` or `ACTION='READ'`. It does not change the file.
pub fn is_input(call: &Call) -> bool {
    is_one_of(call, &["fortran%open_input", "fortran%open_new_input"]) || asks_for_file(call)
}

/// The same with `IOSTAT` or `ERR`: the program continues if the file does not exist.
pub fn asks_for_file(call: &Call) -> bool {
    is_one_of(call, &["fortran%open_optional", "fortran%open_new_optional"])
}

/// OPEN with `POSITION='APPEND'` or `ACCESS='APPEND'`, or with a position that is not known.
pub fn is_append(call: &Call) -> bool {
    is_one_of(call, &["fortran%open_append", "fortran%open_new_append"])
}

/// READ, WRITE, or another statement that changes the position in the file.
pub fn moves_unit(call: &Call) -> bool {
    is_one_of(call, &["fortran%read", "fortran%write", "fortran%backspace", "fortran%endfile"])
}

pub fn rewinds_unit(call: &Call) -> bool {
    is_one_of(call, &["fortran%rewind"])
}

/// CLOSE, or an OPEN statement, which closes a file that the unit has.
pub fn ends_unit(call: &Call) -> bool {
    is_one_of(call, &["fortran%close", "fortran%close_delete"]) || is_open(call)
}

/// OPEN with `STATUS='NEW'`. It fails if the file exists.
pub fn is_create(call: &Call) -> bool {
    is_one_of(call, &["fortran%open_create", "fortran%open_new_create"])
}

/// OPEN with `STATUS='REPLACE'`.
pub fn is_replace(call: &Call) -> bool {
    is_one_of(call, &["fortran%open_replace", "fortran%open_new_replace"])
}

/// The same, or with `STATUS='SCRATCH'`. The file is empty after it.
pub fn empties_file(call: &Call) -> bool {
    is_replace(call) || is_one_of(call, &["fortran%open_scratch", "fortran%open_new_scratch"])
}

/// READ of a record that the statement chooses.
pub fn reads_record(call: &Call) -> bool {
    is_one_of(call, &["fortran%read_record"])
}

/// WRITE of a record that the statement chooses.
pub fn writes_record(call: &Call) -> bool {
    is_one_of(call, &["fortran%write_record"])
}

pub fn is_one_of(call: &Call, names: &[&str]) -> bool {
    matches!(&call.callee, Callee::Named(name) if names.contains(&name.as_str()))
}

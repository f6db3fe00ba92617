//! The sections that a procedure of the catalogue reads and writes.
//!
//! Input: the effects of a procedure, and a call of it. Output: the bytes that it reads and certainly writes.
//! Postcondition: if an extent does not follow from the arguments, a read has all memory, and a write has
//! none.

use crate::catalogue::datatype;
use crate::effects::{self, CallEffects, ResultEffect};
use crate::program::{Affine, Argument, Call, Value};

use super::effects::{Extent, External};

/// The effects of a call of a procedure with these effects.
pub fn external(effects: &CallEffects, call: &Call) -> External {
    // A setting may refer to memory that it has got from an earlier call.
    let reads_setting = effects.states.iter().any(|one| one.reads && one.state.is_setting());
    let reads_variable = effects.variables.iter().any(|one| one.reads);
    let reads_more = effects.calls_back || reads_setting || reads_variable;
    let mut external = External { reads_more, ..External::default() };
    for argument in 0..call.arguments.len() {
        let parameter = effects.parameter(argument);
        let copies = matches!(effects.result, ResultEffect::Reallocates(_));
        external.reads_more |= parameter.follows_pointers || parameter.frees && copies;
        let bytes = |extent: &effects::Extent| match extent {
            effects::Extent::Nothing | effects::Extent::Any | effects::Extent::All => None,
            effects::Extent::Datatypes { arguments, datatype } => {
                let factor = datatype::bytes(call.arguments.get(*datatype)?)?;
                product(call, arguments, factor)
            }
            effects::Extent::Bytes(bytes) => i64::try_from(*bytes).ok().map(Affine::constant),
            effects::Extent::Product { arguments, factor } => product(call, arguments, *factor),
        };
        let in_place = parameter
            .in_place
            .is_some_and(|other| !call.arguments.get(other).is_some_and(datatype::is_memory));
        if in_place {
            external.reads.push(Extent { argument, bytes: None });
        } else if parameter.reads != effects::Extent::Nothing {
            external.reads.push(Extent { argument, bytes: bytes(&parameter.reads) });
        }
        // Memory whose pointer is kept may be written later.
        if let Some(bytes) = bytes(&parameter.writes).filter(|_| !parameter.keeps) {
            external.writes.push(Extent { argument, bytes: Some(bytes) });
        }
    }
    external
}

fn product(call: &Call, arguments: &[usize], factor: u64) -> Option<Affine> {
    let mut bytes = Affine::constant(i64::try_from(factor).ok()?);
    for &argument in arguments {
        let Argument::Value(Value::Affine(value)) = call.arguments.get(argument)? else { return None };
        bytes = bytes.multiply(value)?;
    }
    Some(bytes)
}

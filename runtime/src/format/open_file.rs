//! A file of an execute block as bytes.
//!
//! Input: an open file, or the bytes of one.
//! Output: the other of the two.
//! Postcondition: an unknown number is refused.

use super::layout::{Decoder, Encoder, Malformed};
use crate::manifest::{Access, Before, Condition, Handle, OpenFile};

/// The size of the shortest: an empty name, five bytes, two numbers.
pub const LEAST_BYTES: usize = 8 + 5 + 16;

pub fn write(out: &mut Encoder, file: &OpenFile) {
    out.string(&file.name);
    out.u8(match file.handle {
        Handle::Stream => 1,
        Handle::Descriptor => 2,
        Handle::Unit => 3,
    });
    out.u8(match file.condition {
        Condition::LeftAlone => 1,
        Condition::Open => 2,
        Condition::Closed => 3,
        Condition::Gone => 4,
    });
    out.u8(match file.access {
        Access::Reading => 1,
        Access::Writing => 2,
    });
    out.u8(match file.before {
        Before::Missing => 1,
        Before::Emptied => 2,
        Before::Kept => 3,
    });
    // A file that is read can be at its end. A file that is written can be rewritten in place.
    out.u8(u8::from(file.is_at_end) | (u8::from(file.is_rewritten) << 1));
    out.u64(file.length_bytes);
    out.u64(file.position_bytes);
}

pub fn read(from: &mut Decoder) -> Result<OpenFile, Malformed> {
    let mut file = OpenFile {
        name: from.string()?,
        handle: match from.u8()? {
            1 => Handle::Stream,
            2 => Handle::Descriptor,
            3 => Handle::Unit,
            _ => return Err(from.malformed("the handle of a file")),
        },
        condition: match from.u8()? {
            1 => Condition::LeftAlone,
            2 => Condition::Open,
            3 => Condition::Closed,
            4 => Condition::Gone,
            _ => return Err(from.malformed("the condition of a file")),
        },
        access: match from.u8()? {
            1 => Access::Reading,
            2 => Access::Writing,
            _ => return Err(from.malformed("the access to a file")),
        },
        before: match from.u8()? {
            1 => Before::Missing,
            2 => Before::Emptied,
            3 => Before::Kept,
            _ => return Err(from.malformed("what a file was before")),
        },
        is_at_end: false,
        is_rewritten: false,
        length_bytes: 0,
        position_bytes: 0,
    };
    (file.is_at_end, file.is_rewritten) = match from.u8()? {
        0 => (false, false),
        1 => (true, false),
        2 => (false, true),
        3 => (true, true),
        _ => return Err(from.malformed("the end of a file")),
    };
    (file.length_bytes, file.position_bytes) = (from.u64()?, from.u64()?);
    Ok(file)
}

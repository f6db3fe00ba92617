//! The memory that an entry of the catalogue describes with an extent.
//!
//! Input: a call, an argument, and an extent. Output: places.
//! Postcondition: the places contain all memory of the extent.

use super::Summaries;
use crate::effects::Extent;
use crate::program::{Argument, Call, Value};
use crate::sets::{Range, END};
use crate::spot::AccessRange;

impl Summaries<'_> {
    /// The places of an extent, and whether all of it is certain.
    pub fn extent(&self, call: &Call, argument: &Argument, extent: &Extent) -> (Vec<AccessRange>, bool) {
        let behind = |end| self.places.behind_argument(argument, 0, end);
        match extent {
            Extent::Nothing => (Vec::new(), true),
            Extent::Any => (behind(END), false),
            Extent::All => match argument {
                Argument::Reference(access) => (self.places.resolve(access, &mut Vec::new()), true),
                Argument::Value(Value::Address(access)) if access.size.is_some() => {
                    (behind(access.size.unwrap_or(END)), true)
                }
                Argument::Value(_) | Argument::Absent => (behind(END), false),
            },
            Extent::Bytes(bytes) => (behind(*bytes), true),
            Extent::Product { .. } | Extent::Datatypes { .. } => {
                match crate::points_to::constant_extent(call, extent) {
                    Some(bytes) => (behind(bytes), true),
                    None => (behind(END), false),
                }
            }
        }
    }

    /// The memory that a call fills if it succeeds. If the number of bytes is not known, it is all of an object, and
    /// nothing of a part of one.
    pub(super) fn filled(&self, call: &Call, argument: &Argument, extent: &Extent) -> Option<Range> {
        let (places, is_known) = self.extent(call, argument, extent);
        let [place] = places[..] else { return None };
        let is_whole = place.range.start == 0 || place.exact;
        let certain = if is_known { place.exact } else { is_whole };
        (certain && self.places.unique(place.range.memory)).then_some(place.range)
    }
}

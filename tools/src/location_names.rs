//! Names for locations in memory.
//!
//! Input: a memory block and an offset.
//! Output: the variable and the element there, in the notation of the program.
//! Postcondition: two files of one program give one location the same name, whatever machines wrote them.

use crate::display::plain;
use crate::shape::{Shape, Shapes};
use crate::value::{Part, Reader};
use cppc_runtime::manifest::{Location, Scope};
use cppc_runtime::verify::{Description, Verified};

/// The registers of one file, ordered by location.
pub struct LocationNames<'a> {
    reader: Reader<'a>,
    shapes: Shapes<'a>,
    /// Memory block, first byte, byte after the last, register; sorted.
    extents: Vec<(u32, u64, u64, usize)>,
    /// The longest of them, which limits how far back a search must go.
    longest: u64,
}

/// The number of registers to check for one location. More overlap only in a forged file.
const MOST_CANDIDATES: usize = 64;

impl<'a> LocationNames<'a> {
    pub fn new(description: &'a Verified<Description>) -> LocationNames<'a> {
        let reader = Reader { manifest: description.manifest(), machine: description.machine() };
        let mut extents: Vec<(u32, u64, u64, usize)> = Vec::new();
        for (index, register) in reader.manifest.registers.iter().enumerate() {
            let Some(Location { block, offset_bytes }) = register.target else { continue };
            let size_bytes = register.count.saturating_mul(register.element_bytes.into());
            extents.push((block, offset_bytes, offset_bytes.saturating_add(size_bytes), index));
        }
        extents.sort_unstable();
        let longest = extents.iter().map(|extent| extent.2 - extent.1).max().unwrap_or(0);
        LocationNames { reader, shapes: Shapes::new(description), extents, longest }
    }

    /// The name of a location. A pointer may also point behind the last element.
    pub fn name(&self, place: Location) -> String {
        let Location { block, offset_bytes } = place;
        let least = offset_bytes.saturating_sub(self.longest);
        let from = self.extents.partition_point(|extent| (extent.0, extent.1) < (block, least));
        let to = self.extents.partition_point(|extent| (extent.0, extent.1) <= (block, offset_bytes));
        let around = self.extents[from..to.max(from)].iter().rev().take(MOST_CANDIDATES);
        // A register that contains the location is preferred to one that ends there; of several, the first by
        // name.
        let candidates = around.filter(|extent| extent.2 >= offset_bytes).map(|extent| {
            let name = self.register_name(extent.3);
            (extent.2 == offset_bytes && extent.1 < extent.2, name, extent)
        });
        match candidates.min_by(|one, other| (one.0, &one.1).cmp(&(other.0, &other.1))) {
            Some((_, name, extent)) => format!("{name}{}", self.within(extent.3, offset_bytes - extent.1)),
            None => format!("memory block {block}, byte {offset_bytes}"),
        }
    }

    pub fn shape(&self, index: usize) -> Shape {
        self.shapes.of(index, &self.reader)
    }

    fn register_name(&self, index: usize) -> String {
        let register = &self.reader.manifest.registers[index];
        match &register.scope {
            Scope::Program => plain(&register.name),
            Scope::Frame { depth, procedure } => {
                format!("{} of {} ({depth})", plain(&register.name), plain(procedure))
            }
        }
    }

    fn within(&self, index: usize, offset_bytes: u64) -> String {
        let register = &self.reader.manifest.registers[index];
        let element_bytes = u64::from(register.element_bytes).max(1);
        let (number, rest) = (offset_bytes / element_bytes, offset_bytes % element_bytes);
        let shape = self.shape(index);
        let at = if number == register.count { " (its end)".to_owned() } else { shape.at(number) };
        if rest == 0 {
            return at;
        }
        let (parts, _) =
            self.reader.parts(self.reader.element(register.type_code, register.element_bytes as usize));
        match parts.iter().find_map(|part| occurrence(part, rest as usize)) {
            Some(path) => format!("{at}{path}"),
            None => format!("{at} + {rest} bytes"),
        }
    }
}

/// The occurrence of a part that begins at an offset of the element.
fn occurrence(part: &Part, offset_bytes: usize) -> Option<String> {
    let mut rest = offset_bytes.checked_sub(part.offset_bytes)?;
    let mut number = 0usize;
    for &(count, stride_bytes) in &part.repeats {
        let index = rest / stride_bytes.max(1);
        if index >= count {
            return None;
        }
        number = number.checked_mul(count)?.checked_add(index)?;
        rest -= index * stride_bytes;
    }
    (rest == 0).then(|| part.at(number))
}

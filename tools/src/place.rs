//! What a place in memory is called.
//!
//! In: a block and an offset. Out: the variable and the element there, as a programmer would write
//! it. Holds afterwards: two files of one program name one place alike, whatever machines they are from.

use crate::shape::{Shape, Shapes};
use crate::value::{Part, Reader};
use crate::words::plain;
use cppc_runtime::manifest::{Location, Scope};
use cppc_runtime::verify::{Description, Verified};

/// The registers of one file, by where they are.
pub struct Places<'a> {
    reader: Reader<'a>,
    shapes: Shapes<'a>,
    /// Block, first byte, the byte behind the last, register; in order.
    extents: Vec<(u32, u64, u64, usize)>,
    /// The longest of them, so that a search knows how far back to look.
    longest: u64,
}

/// Registers looked at for one place: more only overlap where somebody wants to keep us busy.
const MOST_CANDIDATES: usize = 64;

impl<'a> Places<'a> {
    pub fn new(description: &'a Verified<Description>) -> Places<'a> {
        let reader = Reader { manifest: description.manifest(), machine: description.machine() };
        let mut extents: Vec<(u32, u64, u64, usize)> = Vec::new();
        for (index, register) in reader.manifest.registers.iter().enumerate() {
            let Some(Location { block, offset_bytes }) = register.target else { continue };
            let size_bytes = register.count.saturating_mul(register.element_bytes.into());
            extents.push((block, offset_bytes, offset_bytes.saturating_add(size_bytes), index));
        }
        extents.sort_unstable();
        let longest = extents.iter().map(|extent| extent.2 - extent.1).max().unwrap_or(0);
        Places { reader, shapes: Shapes::new(description), extents, longest }
    }

    /// A pointer may also lead to the place behind the last element.
    pub fn name(&self, place: Location) -> String {
        let Location { block, offset_bytes } = place;
        let least = offset_bytes.saturating_sub(self.longest);
        let from = self.extents.partition_point(|extent| (extent.0, extent.1) < (block, least));
        let to = self.extents.partition_point(|extent| (extent.0, extent.1) <= (block, offset_bytes));
        let around = self.extents[from..to.max(from)].iter().rev().take(MOST_CANDIDATES);
        // What holds the place before what ends there; of several the first by name.
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
            Scope::Frame { depth, procedure } => format!("{} of {} ({depth})", plain(&register.name), plain(procedure)),
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
        let (parts, _) = self.reader.parts(self.reader.element(register.type_code, register.element_bytes as usize));
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

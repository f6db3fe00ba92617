//! Pointers that are registered without elements, and point to memory that no other register contains.
//!
//! Input: the registers, and the allocations of the program.
//! Output: the same registers. A pointer to an allocation has the elements of that allocation.
//! Postcondition: each parameter that is left without elements is null, or a restart finds its target without this register.

use super::allocated::Owned;
use super::symbols::Constants;
use super::{extent, Refusal, SnapshotInput};
use crate::allocations::{self, Fault, Found};
use crate::manifest::Kind;
use crate::register::memory::Range;
use crate::register::segments::Segment;
use crate::register::Register;

impl SnapshotInput<'_> {
    /// Gives these pointers the elements of their allocations. `roots` is the memory of the roots of the graph.
    pub(super) fn take_bare_pointers(
        &self,
        registers: &mut [Register],
        roots: &[(usize, Range)],
        constants: &Constants,
    ) -> Result<(), Refusal> {
        let is_bare = |register: &Register| {
            let may_be = register.kind == Kind::Pointer
                && register.count == 0
                && register.storage.is_constant()
                && !register.storage.is_deep();
            let value = if may_be { extent(register).address } else { 0 };
            value != 0 && !constants.contain(value)
        };
        let mut bare: Vec<usize> = (0..registers.len()).filter(|index| is_bare(&registers[*index])).collect();
        if bare.is_empty() {
            return Ok(());
        }
        let owned = |registers: &[Register]| {
            Owned::new(registers.iter().map(extent).chain(roots.iter().map(|(_, range)| *range)))
        };
        let known = owned(registers);
        bare.retain(|index| !known.contain_target(extent(&registers[*index]).address));
        for &index in &bare {
            if let Ok(count) = self.elements_of_allocation(&registers[index]) {
                registers[index].count = count;
            }
        }
        // Other pointers may point into these allocations.
        let known = owned(registers);
        bare.retain(|index| !known.contain_target(extent(&registers[*index]).address));
        bare.retain(|index| registers[*index].storage.is_parameter() && registers[*index].count == 0);
        let mut faults =
            bare.iter().filter_map(|&index| self.fault_of_bare_pointer(&registers[index], constants));
        faults.next().map_or(Ok(()), Err)
    }

    /// Why a restart could not set this parameter, and its memory is not saved.
    fn fault_of_bare_pointer(&self, register: &Register, constants: &Constants) -> Option<Refusal> {
        let name = || self.names.text(register.name).to_owned();
        let address = extent(register).address;
        // What a library has there, such as a stream, is its own. The program passes the address again.
        if constants.is_of_library(address) {
            return None;
        }
        let fault = |fault: Fault| Refusal::Allocation { name: name(), fault };
        Some(match (allocations::find(address), self.segments.of(address)) {
            (_, Segment::Stack | Segment::Object) => Refusal::BareVariable(name()),
            // It is saved as it is.
            (Found::Allocation { size_bytes: 0, .. }, Segment::Heap) => return None,
            (Found::Allocation { start, .. }, Segment::Heap) if start != address => {
                fault(Fault::Interior { offset_bytes: address - start })
            }
            (Found::Freed, Segment::Heap) => fault(Fault::Freed),
            (Found::Allocation { .. } | Found::Unknown, Segment::Heap) => Refusal::NoElements(name()),
        })
    }
}

//! The members of plain unions that variables select.
//!
//! Input: the registers of unions, and the integers.
//! Output: the types for the manifest. Each of these registers has a type with only the member that is selected now.
//! Postcondition: a union without a selected member has a type without members.

use super::{Refusal, SnapshotInput};
use crate::manifest::condition::Integer;
use crate::manifest::{Register as Saved, StructType};
use crate::register::memory::Range;
use crate::register::{Register, Selector};
use cppc_abi::types::FIRST_STRUCTURE;

impl SnapshotInput<'_> {
    pub(super) fn select_members(
        &self,
        saved: &mut [Saved],
        registers: &[Register],
        selectors: &[(usize, Selector)],
    ) -> Result<Vec<StructType>, Refusal> {
        let mut types = self.layouts.structures().to_vec();
        for (index, (saved, register)) in saved.iter_mut().zip(registers).enumerate() {
            let union =
                self.layouts.structure(register.type_code).filter(|found| found.is_selected_outside());
            let Some(union) = union else { continue };
            let selector = selectors.iter().find(|(of, _)| *of == index).map(|(_, selector)| *selector);
            let missing = || Refusal::NoSelector(saved.name.clone());
            let Selector { address, type_code } = selector.ok_or_else(missing)?;
            let integer = Integer::variable(type_code).ok_or_else(missing)?;
            let range = Range { address, size_bytes: integer.size_bytes() };
            if !self.segments.is_readable(range) {
                let Range { address, size_bytes } = range;
                return Err(Refusal::Unreadable { name: saved.name.clone(), address, size_bytes });
            }
            // SAFETY: the program keeps the integer as long as the register, and waits meanwhile.
            let value = integer.value(unsafe { range.bytes() }).unwrap_or_default();
            let member = union.selected(|wanted| integer.is(value, wanted));
            let known = types.iter().position(|known| *known == member);
            saved.type_code = FIRST_STRUCTURE + known.unwrap_or(types.len()) as i32;
            if known.is_none() {
                types.push(member);
            }
        }
        Ok(types)
    }
}

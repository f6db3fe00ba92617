//! Registers of one field of consecutive structures.
//!
//! Input: the position of the field, before the call that registers it.
//! Output: that register has the field of each structure.
//! Postcondition: the layout applies to one register.

use super::registers::Registration;
use super::{Controller, Mode, Stop};
use crate::manifest::Kind;
use crate::register::memory::pointer_at;
use crate::register::FieldLayout;
use crate::restore::{Delivered, Request};
use cppc_abi::statuses::Status;
use cppc_abi::storage::Storage;

/// Fields for the next register of this name.
#[derive(Debug, Clone)]
pub(super) struct AnnouncedFields {
    name: String,
    fields: FieldPositions,
}

/// The positions of a field.
#[derive(Debug, Clone, Copy)]
pub enum FieldPositions {
    /// The call that registers the field has the number of structures, and the address that the layout refers to.
    Layout(FieldLayout),
    /// That call has the field of the first structure. Here are the addresses of a part of it in the first and in the second
    /// structure.
    Structures { first: usize, second: usize, structures: usize },
}

impl Controller {
    /// The next register of this name has a field of each structure.
    pub fn announce_fields(&mut self, name: &str, fields: FieldPositions) -> Status {
        match self.mode {
            Mode::Dormant => Status::NotInitialised,
            Mode::Finished => Status::Finished,
            Mode::Normal | Mode::Restarting => {
                self.directive.fields = Some(AnnouncedFields { name: name.to_owned(), fields });
                Status::Success
            }
        }
    }

    /// The layout that was announced for a register of this name, and the number of its elements. `count` is that of the call.
    pub(super) fn announced_fields(&mut self, name: &str, count: usize) -> Option<(FieldLayout, usize)> {
        let announced = self.directive.fields.take().filter(|announced| announced.name == name)?;
        Some(match announced.fields {
            FieldPositions::Layout(layout) => (layout, count.saturating_mul(layout.elements)),
            FieldPositions::Structures { first, second, structures } => {
                // A difference below zero becomes a very large stride, which is refused later.
                let stride_bytes = second.wrapping_sub(first);
                let layout = FieldLayout { offset_bytes: 0, stride_bytes, elements: count };
                (layout, count.saturating_mul(structures))
            }
        })
    }

    /// In a restart, copies the saved content to the fields.
    pub(super) fn deliver_fields(
        &mut self,
        made: &Registration,
        storage: Storage,
        layout: FieldLayout,
    ) -> Result<Delivered, Stop> {
        if storage.is_automatic() && self.is_in_unrecorded_frame() {
            return Ok(Delivered::Skipped);
        }
        let Some(resumption) = &mut self.resumption else { return Ok(Delivered::Skipped) };
        let replay = &resumption.replay;
        let anything = replay.is_unnumbered() || self.frames.is_unrecorded();
        let candidates = if anything { None } else { Some(replay.registers().unwrap_or_default()) };
        let address = match made.kind {
            Kind::Memory => made.address,
            // SAFETY: the program states that this is the address of a pointer variable.
            Kind::Pointer => unsafe { pointer_at(made.address) },
        };
        let is_count_known = made.kind == Kind::Memory || storage.is_constant();
        let request = Request {
            name: made.name,
            section: made.section,
            kind: Kind::Memory,
            address,
            count: if is_count_known { made.count } else { 0 },
            type_code: made.type_code,
            storage,
        };
        let delivered =
            resumption.delivery.deliver_fields(&self.registers.layouts, request, layout, candidates);
        let delivered = delivered.map_err(Stop::restart)?;
        Ok(match delivered {
            Delivered::Skipped => Delivered::Skipped,
            // The register keeps the slot of its pointer.
            Delivered::Done { index, count, .. } => Delivered::Done { index, address: made.address, count },
        })
    }
}

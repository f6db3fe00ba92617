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

/// A layout for the next register of this name.
#[derive(Debug, Clone)]
pub(super) struct AnnouncedFields {
    name: String,
    layout: FieldLayout,
}

impl Controller {
    /// The next register of this name has a field of each structure: `elements` of them, `offset_bytes` after the address
    /// that it is registered with. The structures are `stride_bytes` apart.
    pub fn announce_fields(&mut self, name: &str, layout: FieldLayout) -> Status {
        match self.mode {
            Mode::Dormant => Status::NotInitialised,
            Mode::Finished => Status::Finished,
            Mode::Normal | Mode::Restarting => {
                self.directive.fields = Some(AnnouncedFields { name: name.to_owned(), layout });
                Status::Success
            }
        }
    }

    /// The layout that was announced for a register of this name.
    pub(super) fn announced_fields(&mut self, name: &str) -> Option<FieldLayout> {
        Some(self.directive.fields.take().filter(|announced| announced.name == name)?.layout)
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

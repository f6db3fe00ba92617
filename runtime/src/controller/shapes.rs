//! The shapes of arrays of more than one dimension.
//!
//! Input: extents, right after the call that registered the array.
//! Output: the shape that the state file describes.
//! Postcondition: the product of the extents is the number of elements of the register. Shapes do not affect
//! a restart, except that an array that is declared with its size must have the same shape.

use super::{Controller, Mode, Stop};
use crate::register::shape::shape;
use crate::restore::DeliveryError;
use cppc_abi::statuses::Status;

impl Controller {
    /// Sets the shape of the register that was just made under this name, with the slowest extent first.
    pub fn set_shape(&mut self, name: &str, extents: &[u64]) -> Result<Status, Stop> {
        match self.mode {
            Mode::Dormant => return Ok(Status::NotInitialised),
            Mode::Finished => return Ok(Status::Finished),
            Mode::Normal | Mode::Restarting => {}
        }
        let element = self.element_name(name);
        let name = element.as_deref().unwrap_or(name);
        let symbol = self.registers.names.symbol(name);
        let latest = self.directive.latest.and_then(|id| Some((id, *self.registers.table.get(id)?)));
        let Some((id, register)) = latest.filter(|(_, register)| register.name == symbol) else {
            // A restart makes only the registers of its plan.
            let is_restarting = self.mode == Mode::Restarting;
            return Ok(if is_restarting { Status::Success } else { Status::NotRegistered });
        };
        let found = shape(extents, register.count, register.type_code);
        if let (Mode::Restarting, Some(saved)) = (self.mode, self.registers.table.shape(id)) {
            // Otherwise the variables from which the extents are computed may not be restored yet. The state file contains
            // the shape.
            if self.directive.latest_keeps_size && found != Ok(Some(saved.clone())) {
                let (name, found) = (name.to_owned(), times(extents));
                return Err(Stop::restart(DeliveryError::OtherShape { name, saved: times(&saved), found }));
            }
            return Ok(Status::Success);
        }
        match found {
            Ok(found) => self.registers.table.set_shape(id, found),
            Err(_) if self.mode == Mode::Restarting => {}
            Err(_) => {
                let (shape, count) = (times(extents), register.count);
                self.complain(&format!("`{name}` has {count} elements, which do not make an array of {shape}: state files will not contain its shape"));
                return Ok(Status::BadShape);
            }
        }
        Ok(Status::Success)
    }

    /// The shape of a register of the state file.
    pub(super) fn shape_in_file(&self, index: usize) -> Option<Box<[u64]>> {
        let manifest = self.resumption.as_ref()?.delivery.manifest();
        manifest.shape(index).map(Box::from)
    }
}

/// `3 x 4`
fn times(extents: &[u64]) -> String {
    extents.iter().map(u64::to_string).collect::<Vec<_>>().join(" x ")
}

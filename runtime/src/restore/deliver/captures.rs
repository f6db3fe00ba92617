//! The captured values of a state file.
//!
//! Input: a capture as the program makes it again.
//! Output: its bytes on this machine.
//! Postcondition: the pointers in them have their present values.

use super::super::conversion::ConvertedCapture;
use super::{same, Delivery, DeliveryError};
use crate::manifest::Capture;
use crate::register::Layouts;

impl Delivery {
    /// The recorded bytes of a capture, whose elements have this type in the program, with the present values
    /// of its pointers. A pointer without a recorded target has its value in `here`, or is null.
    pub fn captured(
        &mut self,
        layouts: &Layouts,
        capture: &Capture,
        code: i32,
        here: Option<&[u8]>,
    ) -> Result<Vec<u8>, DeliveryError> {
        let manifest = self.file.manifest();
        let ConvertedCapture { mut bytes, pointers } = match &mut self.conversion {
            Some(conversion) => conversion.captured(manifest, layouts, capture, code)?,
            None if same::is_same(&manifest.types, capture.type_code, layouts, code) => {
                let pointers = capture
                    .relocations
                    .iter()
                    .map(|relocation| (relocation.at.offset_bytes as usize, relocation.target));
                ConvertedCapture { bytes: capture.bytes.clone(), pointers: pointers.collect() }
            }
            None => {
                let (found, saved) = (layouts.name(code), same::name(&manifest.types, capture.type_code));
                return Err(DeliveryError::Type { name: capture.name.clone(), found, saved });
            }
        };
        let element_bytes = layouts.element_bytes(code).unwrap_or(0).max(1);
        let inside = layouts.pointers_in(code);
        for element in (0..if inside.is_empty() { 0 } else { bytes.len() }).step_by(element_bytes) {
            for inside in inside {
                let place = element + inside..element + inside + size_of::<usize>();
                let here = here.and_then(|here| here.get(place.clone()));
                if let Some(place) = bytes.get_mut(place) {
                    place.copy_from_slice(here.unwrap_or(&[0; size_of::<usize>()]));
                }
            }
        }
        for (at, target) in pointers {
            if let Some(target) = target {
                self.allocate_block(target, &capture.name, true)?;
            }
            let value = match target.map(|target| self.address(target)) {
                None => 0,
                Some(Some(address)) => address,
                Some(None) if here.is_some() => continue,
                Some(None) => return Err(DeliveryError::TooEarly { name: capture.name.clone() }),
            };
            if let Some(place) = bytes.get_mut(at..at + size_of::<usize>()) {
                place.copy_from_slice(&value.to_ne_bytes());
            }
        }
        Ok(bytes)
    }
}

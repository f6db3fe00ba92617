//! The captured values of a state file.
//!
//! Input: a capture as the program makes it again.
//! Output: its bytes on this machine.
//! Postcondition: the pointers in them have their present values.

use super::super::conversion::ConvertedCapture;
use super::{same, Delivery, DeliveryError};
use crate::graph::objects::Objects;
use crate::manifest::Capture;
use crate::register::Layouts;
use cppc_abi::types::POINTER;
use std::collections::HashSet;

impl Delivery {
    /// The recorded bytes of a capture, whose elements have this type in the program, with the present values
    /// of its pointers. A pointer without a recorded target has its value in `here`, or is null.
    pub fn captured(
        &mut self,
        layouts: &Layouts,
        capture: &Capture,
        code: i32,
        here: Option<&[u8]>,
        in_program: Option<&str>,
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
                let types = &manifest.types;
                let difference = same::difference(types, capture.type_code, layouts, code);
                let (found, saved) = (layouts.shown(code), same::name(types, capture.type_code));
                return Err(DeliveryError::Type { name: capture.name.clone(), found, saved, difference });
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
        let in_program = pointers_in_program(layouts, code, in_program.unwrap_or_default());
        let mut set = HashSet::new();
        for (at, target) in pointers {
            if let Some(target) = target {
                self.allocate_block(target, &capture.name, true)?;
            }
            let value = match target.map(|target| self.address(target)) {
                None => 0,
                Some(Some(address)) => address,
                Some(None) if here.is_some() || in_program.iter().any(|(place, _)| *place == Some(at)) => {
                    continue
                }
                Some(None) => return Err(DeliveryError::TooEarly { name: capture.name.clone() }),
            };
            if let Some(place) = bytes.get_mut(at..at + size_of::<usize>()) {
                place.copy_from_slice(&value.to_ne_bytes());
                set.insert(at);
            }
        }
        for (at, line) in in_program.into_iter().filter(|(at, _)| at.is_none_or(|at| !set.contains(&at))) {
            let lost = |what: String| DeliveryError::InProgram { name: capture.name.clone(), what };
            let address = self.address_of_line(line, &Objects::now()).map_err(lost)?;
            let place = at.and_then(|at| bytes.get_mut(at..at + size_of::<usize>()));
            place.ok_or_else(|| lost(UNKNOWN_PLACE.to_owned()))?.copy_from_slice(&address.to_ne_bytes());
        }
        Ok(bytes)
    }
}

impl Delivery {
    /// Whether a pointer that was captured alone has its value from the state file, whatever the program would evaluate.
    /// `is_in_program` is true if the file has a text about it.
    pub fn knows_captured(&mut self, capture: &Capture, is_in_program: bool) -> Result<bool, DeliveryError> {
        if capture.type_code != POINTER || capture.count != 1 {
            return Ok(false);
        }
        let Some(relocation) = capture.relocations.first() else { return Ok(is_in_program) };
        let Some(target) = relocation.target else { return Ok(true) };
        self.allocate_block(target, &capture.name, true)?;
        Ok(is_in_program || self.address(target).is_some())
    }
}

const UNKNOWN_PLACE: &str = "memory without a description";

/// The pointers of a capture into the executable and the libraries: where they are in it, and the lines about them.
fn pointers_in_program<'t>(layouts: &Layouts, code: i32, text: &'t str) -> Vec<(Option<usize>, &'t str)> {
    let inside = layouts.pointers_in(code);
    let element_bytes = layouts.element_bytes(code).unwrap_or(0).max(1);
    let place = |number: &str| {
        let number: usize = number.parse().ok()?;
        let at = inside.get(number.checked_rem(inside.len())?)?;
        Some(number / inside.len() * element_bytes + at)
    };
    let lines = text.lines().map(|line| line.split_once('\t').unwrap_or(("", line)));
    lines.map(|(number, line)| (place(number), line)).collect()
}

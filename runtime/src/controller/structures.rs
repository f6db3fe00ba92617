//! Structures that are described by the addresses of their fields.
//!
//! Input: the name and size of a structure, then the address of each field of one element.
//! Output: its type code, and the address of that element.
//! Postcondition: the first field has the address of the element, unless another address was passed. An invalid description gets no type code.

use super::registers::Registration;
use super::{Controller, Mode, Stop};
use crate::manifest::{Field, Kind, StructType};
use std::ffi::c_int;

/// The description of a structure so far.
#[derive(Debug, Clone)]
pub(super) struct Described {
    structure: StructType,
    /// The address of the first field.
    address: Option<usize>,
}

impl Controller {
    /// Begins the description of a structure of this size.
    pub fn begin_structure(&mut self, name: &str, size_bytes: usize) {
        let structure =
            StructType { name: name.to_owned(), size_bytes: size_bytes as u64, fields: Vec::new() };
        self.directive.described = Some(Described { structure, address: None });
    }

    /// Sets the address of the element that is described. Without it, the first field has this address.
    pub fn set_element_address(&mut self, address: usize) {
        if let Some(described) = &mut self.directive.described {
            described.address = Some(address);
        }
    }

    /// Adds a field, by its address.
    pub fn add_field(&mut self, name: &str, address: usize, count: usize, type_code: c_int) {
        let Some(described) = &mut self.directive.described else {
            self.complain(&format!("the field `{name}` belongs to no structure: begin with `CPPC_TYPE`"));
            return;
        };
        let start = *described.address.get_or_insert(address);
        // A field before the first one gets a very large offset, which is refused later.
        let offset_bytes = address.wrapping_sub(start) as u64;
        described.structure.fields.push(Field {
            name: name.to_owned(),
            offset_bytes,
            type_code,
            count: count as u64,
        });
    }

    /// Ends the description. Returns the type code, and the address of the element.
    pub fn end_structure(&mut self) -> Result<(c_int, usize), String> {
        let described = self.directive.described.take().ok_or("its type was not described")?;
        let address = described.address.ok_or("its type has no components")?;
        let code = self.registers.layouts.define(described.structure).map_err(|error| error.to_string())?;
        Ok((code, address))
    }

    /// Registers elements of the described structure, at the address of the element that described it.
    pub fn register_structures(
        &mut self,
        section: c_int,
        count: usize,
        name: &str,
        storage: c_int,
        here: usize,
    ) -> Result<(), Stop> {
        if !matches!(self.mode, Mode::Normal | Mode::Restarting) {
            self.directive.described = None;
        }
        let (type_code, address) = match self.end_structure() {
            Ok(found) => found,
            Err(_) if !matches!(self.mode, Mode::Normal | Mode::Restarting) => return Ok(()),
            Err(reason) => return self.refuse(name, &reason),
        };
        let kind = Kind::Memory;
        let made =
            Registration { section, address, count, type_code, name, storage, kind, here, keeps_size: true };
        self.register(made).map(|_| ())
    }
}

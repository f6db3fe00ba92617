//! Variables of Fortran whose derived types contain pointers. They are saved with everything that the pointers reach.
//!
//! Input: the types of a register directive, then what will be registered, then the address of the variable.
//! Output: a root of the graph.
//! Postcondition: the variable is registered by the call that passes its address, so that the compiler knows that this call
//! may change it.

use super::registers::Registration;
use super::{Controller, Stop};
use crate::graph::derived_types::{DerivedTypeError, DerivedTypes, PartKind, Pointed};
use crate::graph::type_tables::Passed;
use crate::manifest::Kind;
use cppc_abi::storage::DEEP;
use std::ffi::c_int;

/// What the next address means.
#[derive(Debug, Clone)]
pub(super) struct AnnouncedRoot {
    section: c_int,
    /// The number of its type.
    number: usize,
    form: RootForm,
    name: String,
    storage: c_int,
}

/// How a root is represented.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RootForm {
    /// So many elements in place.
    Elements(usize),
    /// A pointer or an allocatable with so many dimensions.
    Descriptor { rank: usize },
    /// A polymorphic pointer or allocatable. The number of the type is 0 for any type.
    Polymorphic,
    /// A polymorphic dummy argument that is neither. Its value is elsewhere.
    Passed,
}

impl Controller {
    /// Begins the description of derived types. `compiler` is the result of COMPILER_VERSION.
    pub fn begin_derived_types(&mut self, compiler: &str) {
        self.directive.derived_types = DerivedTypes::of_compiler(compiler);
        self.directive.root = None;
    }

    /// Begins the description of the next type, with its size in bytes or 0.
    pub fn begin_derived_type(&mut self, name: &str, size_bytes: usize) {
        self.directive.derived_types.begin(name, size_bytes);
    }

    /// Adds a component to the type that was begun last.
    pub fn add_component(&mut self, name: &str, kind: PartKind) {
        self.directive.derived_types.add(name, kind);
    }

    /// Adds the address of a table of a type.
    pub fn add_type_table(&mut self, pointed: Pointed, address: usize) {
        self.directive.derived_types.add_table(pointed, address);
    }

    /// Defines the types that were described.
    pub fn define_types(&mut self) {
        let (layouts, types) = (&mut self.registers.layouts, &mut self.registers.graph_types);
        // What is wrong is reported when a variable needs the type.
        let described = &self.directive.derived_types;
        if let Ok(defined) = described.define(layouts, types) {
            types.tables_mut().add_initial(&described.with_tables(&defined));
        }
    }

    /// Announces that the next address is that of a root.
    pub fn announce_root(
        &mut self,
        section: c_int,
        number: usize,
        form: RootForm,
        name: &str,
        storage: c_int,
    ) {
        let name = name.to_owned();
        self.directive.root = Some(AnnouncedRoot { section, number, form, name, storage });
    }

    /// Whether no root was announced.
    pub fn expects_no_root(&self) -> bool {
        self.directive.root.is_none()
    }

    /// Registers the root that was announced, if there is one, at this address.
    pub fn pass_root(&mut self, address: usize, here: usize) -> Result<(), Stop> {
        let Some(root) = self.directive.root.take() else { return Ok(()) };
        let AnnouncedRoot { section, form, storage, .. } = root;
        let (type_code, kind, count, tables) = match self.type_of_root(&root, address) {
            Ok(found) => found,
            Err(error) => return self.refuse(&root.name, &error.to_string()),
        };
        let address = match form {
            RootForm::Passed => Passed::at(address).value,
            RootForm::Elements(_) | RootForm::Descriptor { .. } | RootForm::Polymorphic => address,
        };
        let made = Registration {
            section,
            address,
            count,
            type_code,
            name: &root.name,
            storage: storage | DEEP,
            kind,
            here,
            keeps_size: matches!(form, RootForm::Elements(_) | RootForm::Passed),
        };
        self.register(made)?;
        let table = &self.registers.table;
        let made = self.directive.latest.and_then(|id| table.get(id));
        if let Some(serial) = made.map(|register| register.serial) {
            let live = || table.live().map(|(_, register)| register.serial).collect();
            self.registers.graph_types.tables_mut().add_described(serial, tables, live);
        }
        Ok(())
    }

    fn type_of_root(
        &mut self,
        root: &AnnouncedRoot,
        address: usize,
    ) -> Result<(i32, Kind, usize, Vec<i32>), DerivedTypeError> {
        let (layouts, types) = (&mut self.registers.layouts, &mut self.registers.graph_types);
        let described = &self.directive.derived_types;
        let mut defined = described.define(layouts, types)?;
        let tables = described.with_tables(&defined);
        let (code, kind, count) = match root.form {
            RootForm::Elements(count) => (defined.code(root.number)?, Kind::Memory, count),
            RootForm::Descriptor { rank: 0 } => (defined.code(root.number)?, Kind::Pointer, 1),
            RootForm::Descriptor { rank } => {
                let pointed = Pointed::Derived(root.number);
                (described.variable_of(pointed, rank, &mut defined, (layouts, types))?, Kind::Memory, 1)
            }
            RootForm::Polymorphic => {
                let pointed = Pointed::Class(root.number);
                (described.variable_of(pointed, 0, &mut defined, (layouts, types))?, Kind::Memory, 1)
            }
            RootForm::Passed => (DerivedTypes::dynamic_type(Passed::at(address), types)?, Kind::Memory, 1),
        };
        Ok((code, kind, count, tables))
    }
}

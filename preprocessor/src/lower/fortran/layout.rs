//! Sizes and offsets of Fortran's types, by kinds and alignment, as gfortran lays them out.
//!
//! Input: types of the binder. Output: sizes and contents.
//! Postcondition: components of one type never overlap. If the size of a component is not known, the type has
//! no size. The component gets a separate range of offsets that is larger than any component. These offsets
//! differ from those of the compiler. They are compared only with accesses through the same type.

use cppc_analysis::program::Content;
use cppc_grammar::fortran::tree::Bound as Extent;
use rustc_hash::FxHashMap;

use crate::bind::fortran::types::{Component, FirstTarget};
use crate::bind::fortran::{Bound, Length, Type, TypeId};

/// The range of offsets of a component of unknown size.
const UNKNOWN_BYTES: u64 = 1 << 32;
/// The maximum depth of nested types.
const DEPTH_LIMIT: u32 = 40;

/// A component with its position.
#[derive(Debug, Clone)]
pub(super) struct Field<'a> {
    pub name: String,
    pub offset: u64,
    pub ty: Type,
    pub shape: &'a [Extent],
    pub home: TypeId,
    pub allocatable: bool,
    pub pointer: bool,
    pub procedure: bool,
    pub first_target: Option<FirstTarget<'a>>,
    pub size: Option<u64>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Layout<'a> {
    pub fields: Vec<Field<'a>>,
    pub size: Option<u64>,
    align: u64,
}

/// Layouts that were computed, and the size of a pointer.
#[derive(Debug)]
pub(super) struct Layouts<'a> {
    pub pointer_bytes: u64,
    known: FxHashMap<TypeId, Layout<'a>>,
    depth: u32,
}

impl<'a> Layouts<'a> {
    pub fn new(pointer_bytes: u64) -> Layouts<'a> {
        Layouts { pointer_bytes, known: FxHashMap::default(), depth: 0 }
    }

    pub fn of(&mut self, bound: &Bound<'a>, id: TypeId) -> Layout<'a> {
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        if self.depth > DEPTH_LIMIT {
            return Layout { align: 1, ..Layout::default() };
        }
        self.depth += 1;
        let layout = self.compute(bound, id);
        self.depth -= 1;
        self.known.insert(id, layout.clone());
        layout
    }

    fn compute(&mut self, bound: &Bound<'a>, id: TypeId) -> Layout<'a> {
        let (mut at, mut align, mut known) = (0_u64, 1_u64, !bound.is_opaque(id));
        let mut fields = Vec::new();
        if let Some(parent) = bound.derived(id).parent.filter(|&parent| parent != id) {
            let above = self.of(bound, parent);
            known &= above.size.is_some();
            at = above
                .fields
                .iter()
                .map(|field| field.offset + field.size.unwrap_or(UNKNOWN_BYTES))
                .max()
                .unwrap_or(0);
            (fields, align, at) = (above.fields, above.align, above.size.unwrap_or(at));
        }
        for component in &bound.derived(id).components {
            let (size, own) = self.of_component(bound, id, component);
            align = align.max(own);
            at = at.next_multiple_of(own);
            known &= size.is_some();
            fields.push(Field {
                name: component.name.clone(),
                offset: at,
                ty: component.ty,
                shape: component.shape,
                home: id,
                allocatable: component.allocatable,
                pointer: component.pointer,
                procedure: component.procedure,
                first_target: component.first_target,
                size,
            });
            at = at.saturating_add(size.unwrap_or(UNKNOWN_BYTES));
        }
        Layout { fields, size: known.then(|| at.next_multiple_of(align)), align }
    }

    fn of_component(
        &mut self,
        bound: &Bound<'a>,
        home: TypeId,
        component: &Component<'a>,
    ) -> (Option<u64>, u64) {
        let pointer = self.pointer_bytes;
        if component.procedure {
            return (Some(pointer), pointer);
        }
        if component.allocatable || component.pointer {
            return (Some(self.descriptor(component.ty, component.shape.len())), pointer);
        }
        let (element, align) = self.of_type(bound, component.ty);
        let extents = bound.extents(bound.derived(home).scope, component.shape);
        (array_bytes(element, &extents), align)
    }

    /// A pointer, or a descriptor with bounds.
    pub fn descriptor(&self, ty: Type, rank: usize) -> u64 {
        match (ty, rank) {
            (Type::Class(_), 0) => 2 * self.pointer_bytes,
            (_, 0) => self.pointer_bytes,
            (_, rank) => self.pointer_bytes * (5 + 3 * rank as u64),
        }
    }

    /// Size and alignment of a scalar.
    pub fn of_type(&mut self, bound: &Bound<'a>, ty: Type) -> (Option<u64>, u64) {
        let real = |kind: u8| if kind == 10 { 16 } else { u64::from(kind) };
        match ty {
            Type::Integer(kind) | Type::Logical(kind) => (Some(u64::from(kind)), u64::from(kind).max(1)),
            Type::Real(kind) => (Some(real(kind)), real(kind).max(1)),
            Type::Complex(kind) => (Some(2 * real(kind)), real(kind).max(1)),
            Type::Character { kind, length: Length::Known(length) } => {
                (length.checked_mul(u64::from(kind)), u64::from(kind).max(1))
            }
            Type::Character { kind, .. } => (None, u64::from(kind).max(1)),
            Type::Derived(id) if is_address(bound, id) => (Some(self.pointer_bytes), self.pointer_bytes),
            Type::Derived(id) if bound.derived(id).handle => (Some(4), 4),
            Type::Derived(id) => {
                let layout = self.of(bound, id);
                (layout.size, layout.align.max(1))
            }
            Type::Class(_) | Type::Anything | Type::Unknown => (None, self.pointer_bytes),
        }
    }

    /// Whether a pointer in an object of the type points to something from the start.
    pub fn holds_first_targets(&mut self, bound: &Bound<'a>, id: TypeId) -> bool {
        self.of(bound, id).fields.iter().any(|field| {
            field.first_target.is_some()
                || matches!(field.ty, Type::Derived(inner) if !field.pointer && inner != id && self.holds_first_targets(bound, inner))
        })
    }

    /// Whether anything below a component of the type is a pointer or an allocatable.
    pub fn holds_descriptors(&mut self, bound: &Bound<'a>, id: TypeId) -> bool {
        self.of(bound, id).fields.iter().any(|field| {
            field.allocatable
                || field.pointer
                || matches!(field.ty, Type::Derived(inner) if inner != id && self.holds_descriptors(bound, inner))
        })
    }

    /// Whether anything below a component of the type has memory of its own.
    pub fn holds_allocatables(&mut self, bound: &Bound<'a>, id: TypeId) -> bool {
        self.of(bound, id).fields.iter().any(|field| {
            field.allocatable
                || matches!(field.ty, Type::Derived(inner) if !field.pointer && inner != id && self.holds_allocatables(bound, inner))
        })
    }
}

/// The content of a scalar.
pub(super) fn content(bound: &Bound, ty: Type) -> Content {
    match ty {
        Type::Integer(bytes) => Content::Integer { bytes },
        Type::Real(_) | Type::Complex(_) | Type::Logical(_) | Type::Character { .. } => Content::Data,
        Type::Derived(id) if is_address(bound, id) => Content::Pointer,
        Type::Derived(id) => match handle(&bound.derived(id).name).filter(|_| bound.derived(id).handle) {
            Some(kind) => Content::Handle(kind.to_owned()),
            None if bound.is_opaque(id) => Content::Unknown,
            None => Content::Record,
        },
        Type::Class(Some(_)) => Content::Record,
        Type::Class(None) | Type::Anything | Type::Unknown => Content::Unknown,
    }
}

/// `C_PTR` and `C_FUNPTR`.
pub(super) fn is_address(bound: &Bound, id: TypeId) -> bool {
    let derived = bound.derived(id);
    derived.origin.at.is_none() && matches!(derived.name.as_str(), "c_ptr" | "c_funptr")
}

fn handle(name: &str) -> Option<&'static str> {
    Some(match name {
        "mpi_comm" => "communicator",
        "mpi_datatype" => "datatype",
        "mpi_errhandler" => "errhandler",
        "mpi_file" => "file",
        "mpi_group" => "group",
        "mpi_info" => "info",
        "mpi_message" => "message",
        "mpi_op" => "operation",
        "mpi_request" => "request",
        "mpi_session" => "session",
        "mpi_win" => "window",
        _ => return None,
    })
}

pub(super) fn array_bytes(element: Option<u64>, extents: &[Option<i128>]) -> Option<u64> {
    extents.iter().try_fold(element?, |bytes, extent| bytes.checked_mul(u64::try_from((*extent)?).ok()?))
}

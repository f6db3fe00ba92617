//! Memory and addresses, as lowering builds them.
//!
//! Postcondition: if the position of a step is not certain, the step covers the whole object
//! (`Index::Unknown` without stride).

use cppc_analysis::program::{Dimension, Index, Step, Value, VariableId};

use crate::bind::c::{SymbolId, Type};

/// Memory, while its path is built.
#[derive(Debug, Clone)]
pub(super) struct Lvalue {
    pub root: VariableId,
    pub path: Vec<Step>,
    pub ty: Type,
    /// Whether this is an element or a row of an array whose indices are in the last step. Then the next
    /// index is in this step too.
    pub in_array: bool,
    /// Whether only some bits of its bytes belong to it.
    pub is_bit_field: bool,
    /// The variable whose declarator contains the bounds, and how many of its derivations were already used.
    pub shape: Option<(SymbolId, usize)>,
}

impl Lvalue {
    pub fn of(root: VariableId, ty: Type) -> Lvalue {
        Lvalue { root, path: Vec::new(), ty, in_array: false, is_bit_field: false, shape: None }
    }

    /// The memory that the pointer in this place points to.
    pub fn dereferenced(mut self) -> Lvalue {
        self.ty = self.ty.target().cloned().unwrap_or(Type::UNKNOWN);
        self.path.push(Step::Dereference);
        self.in_array = false;
        self.is_bit_field = false;
        self.shape = self.shape.map(|(symbol, depth)| (symbol, depth + 1));
        self
    }

    /// The whole object that contains this place, as memory of another type.
    pub fn blurred(mut self, ty: Type) -> Lvalue {
        self.path.push(Step::Elements(vec![Dimension {
            index: Index::Unknown,
            lower: None,
            extent: None,
            stride: None,
        }]));
        self.ty = ty;
        self.in_array = false;
        self.is_bit_field = false;
        self.shape = None;
        self
    }

    /// The place of the pointer that is followed last.
    pub fn pointer(&self) -> Option<Lvalue> {
        let at = self.path.iter().rposition(|step| *step == Step::Dereference)?;
        let place = Lvalue::of(self.root, Type::pointer_to(Type::VOID));
        Some(Lvalue { path: self.path[..at].to_vec(), ..place })
    }
}

/// The value of a pointer.
#[derive(Debug, Clone)]
pub(super) enum Address {
    /// The pointer is in this place and has not been read yet.
    Loaded(Lvalue),
    /// The address of this place. `decayed`: of the first element of an array, or of another element by arithmetic.
    Of { place: Lvalue, decayed: bool },
    /// Null, a procedure, unknown.
    Value(Value),
}

//! Memory that an expression designates.
//!
//! Input: none, because this file contains only types.
//! Postcondition: `whole` and `with` give all dimensions an index.

use cppc_analysis::program::{Access, Affine, Content, Dimension, Index, Step};
use cppc_grammar::fortran::tree::Bound as Extent;

use crate::bind::fortran::Type;

/// Memory that an expression designates.
#[derive(Debug, Clone)]
pub(super) struct DesignatedMemory<'a> {
    /// The access path up to the data, without the dimensions in `dimensions`.
    pub access: Access,
    /// The allocatable or the pointer, if this is one as a whole.
    pub holder: Option<Access>,
    pub ty: Type,
    /// The dimensions of an array without subscripts, in the order of Fortran.
    pub dimensions: Vec<Declared>,
    pub shape: &'a [Extent],
    pub allocatable: bool,
}

/// One declared dimension.
#[derive(Debug, Clone, Default)]
pub(super) struct Declared {
    pub lower: Option<Affine>,
    pub extent: Option<Affine>,
}

impl Declared {
    pub fn upper(&self) -> Option<Affine> {
        self.lower.as_ref()?.add(self.extent.as_ref()?)?.sub(&Affine::constant(1))
    }
}

impl<'a> DesignatedMemory<'a> {
    pub fn scalar(access: Access, ty: Type) -> DesignatedMemory<'a> {
        DesignatedMemory { access, holder: None, ty, dimensions: Vec::new(), shape: &[], allocatable: false }
    }

    /// All of it.
    pub fn whole(&self) -> Access {
        let indices = self.dimensions.iter().map(|_| Index::All).collect();
        self.with(indices)
    }

    /// With an index for each dimension, in the order of Fortran.
    pub fn with(&self, indices: Vec<Index>) -> Access {
        let mut access = self.access.clone();
        if self.dimensions.is_empty() {
            return access;
        }
        let mut stride = access.size;
        let mut steps = Vec::new();
        for (declared, index) in self.dimensions.iter().zip(indices) {
            steps.push(Dimension {
                index,
                lower: declared.lower.clone(),
                extent: declared.extent.clone(),
                stride,
            });
            let extent = declared.extent.as_ref().and_then(Affine::as_constant);
            stride = stride
                .zip(extent.and_then(|extent| u64::try_from(extent).ok()))
                .and_then(|(a, b)| a.checked_mul(b));
        }
        // The distance of the elements is not fixed, for example for assumed shape and for pointers.
        if self.shape.iter().any(|bound| matches!(bound, Extent::AssumedShape { .. })) && !self.allocatable {
            steps.iter_mut().for_each(|step| step.stride = None);
        }
        steps.reverse();
        access.path.push(Step::Elements(steps));
        access
    }
}

pub(super) fn field(
    mut base: Access,
    name: &str,
    offset: u64,
    size: Option<u64>,
    content: Content,
) -> Access {
    base.path.push(Step::Field { name: name.to_owned(), offset });
    base.text = format!("{}%{name}", base.text);
    (base.size, base.content) = (size, content);
    base
}

pub(super) fn unknown_elements() -> Step {
    Step::Elements(vec![Dimension { index: Index::Unknown, lower: None, extent: None, stride: None }])
}

/// The memory that a pointer or a reference points to.
pub(super) fn dereferenced(mut access: Access, size: Option<u64>, content: Content) -> Access {
    access.path.push(Step::Dereference);
    (access.size, access.content) = (size, content);
    access
}

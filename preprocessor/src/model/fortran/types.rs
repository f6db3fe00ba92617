//! The types of Fortran as the model knows them: a class, a code for the runtime, a way to declare.

use super::{Builder, Inside};
use crate::bind::fortran::{Type, Typed};
use crate::model::{Class, Pattern, TypeCode, ValueType};

pub(super) const VOID: ValueType = ValueType { class: Class::Void, code: None, pattern: None };

impl Builder<'_, '_> {
    pub(super) fn value(&self, typed: Typed, inside: &Inside) -> ValueType {
        let scalar = typed.rank == Some(0);
        let class = match typed.ty {
            Type::Derived(_) | Type::Class(_) if scalar => Class::Record,
            ty if scalar && ty.can_be_declared() => Class::Arithmetic,
            _ => Class::Other,
        };
        let pattern = match class {
            Class::Arithmetic if inside.patterns.get() => self.pattern(typed.ty, inside.capitals),
            _ => None,
        };
        let code = typed.ty.code().filter(|_| scalar).map(TypeCode::Named);
        ValueType { class, code, pattern }
    }

    /// `integer(4) :: `
    pub(super) fn pattern(&self, ty: Type, capitals: bool) -> Option<Pattern> {
        let spelling = ty.spelling()?;
        let spelling = if capitals { spelling.to_ascii_uppercase() } else { spelling };
        Some(Pattern { before: format!("{spelling} :: "), after: String::new() })
    }

    pub(super) fn type_of_result(&self, result: crate::bind::fortran::SymbolId, inside: &Inside) -> ValueType {
        self.value(self.bound.type_of_symbol(result), inside)
    }
}

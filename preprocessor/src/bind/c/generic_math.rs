//! `__builtin_tgmath`: the call that `<tgmath.h>` makes.
//!
//! Input: the functions to choose from, then the arguments.
//! Output: the type of the chosen function's result.
//! Postcondition: integer arguments count as `double`, the widest argument decides, and one complex argument
//! makes the call complex.

use cppc_grammar::c::tree::{Basic, Expr};

use super::binder::Binder;
use super::operators::{arithmetic, is_complex, of_rank, real_rank};
use super::types::{integer_rank, FunctionType, Kind, Type};

impl Binder<'_> {
    pub(super) fn type_generic(&mut self, parts: &[Expr]) -> Type {
        let types: Vec<Type> = parts.iter().map(|part| self.value(part)).collect();
        let functions: Vec<&FunctionType> = types.iter().map_while(pointed_function).collect();
        let arguments = &types[functions.len()..];
        let Some(wanted) = self.widest(&functions, arguments) else { return Type::UNKNOWN };
        let complex_only = functions.iter().all(|function| takes(function, is_complex));
        let wanted = match (complex_only, real_rank(wanted)) {
            (true, Some(rank)) => of_rank(rank, true),
            _ => wanted,
        };
        let chosen = functions.iter().find(|function| takes(function, |basic| basic == wanted));
        chosen.map_or(Type::UNKNOWN, |function| function.result.unqualified())
    }

    /// The type that the arguments at generic places have in common: those where the functions differ.
    fn widest(&self, functions: &[&FunctionType], arguments: &[Type]) -> Option<Basic> {
        let (first, others) = functions.split_first()?;
        let (mut rank, mut complex) = (1, false);
        for (index, argument) in arguments.iter().enumerate() {
            let here = first.parameters.get(index)?;
            if others.iter().all(|function| function.parameters.get(index) == Some(here)) {
                continue;
            }
            let basic = arithmetic(argument, &self.tables)?;
            let double = integer_rank(basic).is_some() || basic == Basic::ComplexOther;
            rank = rank.max(if double { 2 } else { real_rank(basic)? });
            complex |= is_complex(basic);
        }
        Some(of_rank(rank, complex))
    }
}

fn pointed_function(ty: &Type) -> Option<&FunctionType> {
    match &ty.target()?.kind {
        Kind::Function(function) => Some(function),
        _ => None,
    }
}

/// Whether one of a function's parameters is of such a type.
fn takes(function: &FunctionType, wanted: impl Fn(Basic) -> bool) -> bool {
    let basic = |ty: &Type| matches!(ty.kind, Kind::Basic(basic) if wanted(basic));
    function.parameters.iter().any(basic)
}

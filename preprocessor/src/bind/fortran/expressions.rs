//! The types and ranks of expressions, computed when somebody asks.
//!
//! Input: an expression and its scope.
//! Output: its type.
//! Postcondition: what depends on something unknown is unknown; nothing is changed.

use cppc_grammar::fortran::tree::{
    Argument, ArgumentKind, Bound as Extent, Expr, ExprKind, Literal, Operator,
};

use super::bound::Bound;
use super::built_in;
use super::constant::argument;
use super::ids::{ScopeId, SymbolId};
use super::intrinsics;
use super::resolve::{Called, Meaning};
use super::symbols::SymbolKind;
use super::types::{derived_of, Length, Type, Typed};

/// Types that refer to one another might go round; sums may be long.
const DEEPEST: u32 = 100_000;

impl Bound<'_> {
    pub fn type_of(&self, scope: ScopeId, expr: &Expr) -> Typed {
        let simple = matches!(expr.kind, ExprKind::Literal(_) | ExprKind::Name(_));
        let key = (std::ptr::from_ref(expr) as usize, scope);
        let remembered = self.remembers && !simple;
        if let Some(&known) = self.known_types.borrow().get(&key).filter(|_| remembered) {
            return known;
        }
        if self.depth.get() >= DEEPEST {
            return Typed::UNKNOWN;
        }
        self.depth.set(self.depth.get() + 1);
        let typed = self.typed(scope, expr);
        self.depth.set(self.depth.get() - 1);
        if remembered {
            self.known_types.borrow_mut().insert(key, typed);
        }
        typed
    }

    fn typed(&self, scope: ScopeId, expr: &Expr) -> Typed {
        match &expr.kind {
            ExprKind::Literal(literal) => Typed::scalar(self.type_of_literal(scope, expr, literal)),
            ExprKind::Name(name) => match self.lookup(scope, &name.text) {
                Some(id) => self.type_of_symbol(id),
                None => self.type_of_undeclared(scope, &name.text),
            },
            ExprKind::Reference { base, arguments } => match self.meaning(scope, base, arguments) {
                Meaning::Part(typed) => typed,
                Meaning::Call(called) => self.type_of_call(&called),
                Meaning::StatementFunction(id) => Typed::scalar(self.symbol(id).ty),
                Meaning::Constructor(id) => Typed::scalar(Type::Derived(id)),
                Meaning::Intrinsic(name) => self.type_of_intrinsic(scope, name, arguments),
                Meaning::Unknown => Typed::UNKNOWN,
            },
            ExprKind::Component { base, name } => self.type_of_component(scope, base, &name.text),
            ExprKind::Unary { operator, operand } => match operator {
                Operator::Defined(_) => Typed::UNKNOWN,
                _ => self.type_of(scope, operand),
            },
            ExprKind::Binary { operator, left, right } => self.type_of_binary(scope, operator, left, right),
            ExprKind::Parenthesized(inner) => self.type_of(scope, inner),
            ExprKind::ArrayConstructor { spec: Some(spec), .. } => {
                Typed { ty: self.type_of_spec(scope, spec, None), rank: Some(1) }
            }
            ExprKind::ArrayConstructor { items, .. } => {
                let first = items.first().map_or(Type::Unknown, |item| self.type_of(scope, item).ty);
                Typed { ty: first, rank: Some(1) }
            }
            ExprKind::ImpliedDo { items, .. } => Typed {
                ty: items.first().map_or(Type::Unknown, |item| self.type_of(scope, item).ty),
                rank: None,
            },
            ExprKind::Other(_) => Typed::UNKNOWN,
        }
    }

    /// The declared type and rank of a name.
    pub fn type_of_symbol(&self, id: SymbolId) -> Typed {
        let symbol = self.symbol(id);
        match symbol.kind {
            SymbolKind::Variable | SymbolKind::Constant(_) => Typed { ty: symbol.ty, rank: symbol.rank() },
            SymbolKind::Unknown if symbol.ty != Type::Unknown => Typed::scalar(symbol.ty),
            _ => Typed::UNKNOWN,
        }
    }

    fn type_of_undeclared(&self, scope: ScopeId, name: &str) -> Typed {
        if self.opaque_module(scope, name).is_some() {
            let ty = match built_in::type_of_foreign(name) {
                // The constants of the older interfaces of MPI are integers, but for a few arrays.
                Type::Unknown if name.starts_with("mpi_") && !name.contains("status") => Type::Integer(4),
                ty => ty,
            };
            return Typed { ty, rank: None };
        }
        Typed::UNKNOWN
    }

    fn type_of_intrinsic(&self, scope: ScopeId, name: &str, arguments: &[Argument]) -> Typed {
        let position = match name {
            "cmplx" => Some(2),
            "int" | "real" | "nint" | "logical" | "aint" | "anint" | "ceiling" | "floor" | "shape" => Some(1),
            "lbound" | "ubound" | "lcobound" | "ucobound" | "size" => Some(2),
            _ => None,
        };
        let kind = argument(arguments, "kind", position.unwrap_or(usize::MAX));
        let kind = kind.and_then(|kind| self.integer(scope, kind)).and_then(|kind| u8::try_from(kind).ok());
        let typed = |one: &Argument| match &one.kind {
            ArgumentKind::Value(value) => self.type_of(scope, value),
            _ => Typed::UNKNOWN,
        };
        let kinds = &self.sources[self.scope(scope).source].kinds;
        let given = |word: &str, position: usize| {
            argument(arguments, word, position).map(|value| self.type_of(scope, value))
        };
        if let Some(reduced) = intrinsics::reduction(name, kind, kinds, &given) {
            return reduced;
        }
        if name == "reshape" {
            let shape = argument(arguments, "shape", 1).and_then(|shape| self.elements(scope, shape));
            return Typed { ty: given("source", 0).unwrap_or(Typed::UNKNOWN).ty, rank: shape };
        }
        let is_value = |one: &&Argument| {
            let word = one.keyword.as_ref().map(|word| word.text.as_str());
            !matches!(word, Some("kind" | "mask" | "dim"))
        };
        let mut types: Vec<Typed> = arguments.iter().filter(is_value).map(typed).collect();
        if let (Some(position), true) = (position, kind.is_some()) {
            types.truncate(position);
        }
        intrinsics::result(name, &types, kind, kinds)
    }

    /// How many elements an array constructor or a constant array has.
    fn elements(&self, scope: ScopeId, expr: &Expr) -> Option<u32> {
        match &expr.kind {
            ExprKind::ArrayConstructor { items, .. } => {
                let scalars = items.iter().all(|item| self.type_of(scope, item).rank == Some(0));
                scalars.then_some(items.len() as u32)
            }
            ExprKind::Name(name) => {
                let symbol = self.symbol(self.lookup(scope, &name.text)?);
                match self.extents(symbol.scope, symbol.shape)[..] {
                    [Some(extent)] => u32::try_from(extent).ok(),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn type_of_literal(&self, scope: ScopeId, expr: &Expr, literal: &Literal) -> Type {
        let kinds = &self.sources[self.scope(scope).source].kinds;
        let kind = |written: &Option<String>| -> Option<Option<u8>> {
            let Some(written) = written else { return Some(None) };
            if let Ok(number) = written.parse() {
                return Some(Some(number));
            }
            let id = self.lookup(scope, &written.to_ascii_lowercase())?;
            match self.named_constant(id)? {
                super::symbols::Constant::Integer(kind) => u8::try_from(kind).ok().map(Some),
                _ => None,
            }
        };
        match literal {
            Literal::Integer { kind: written } => {
                kind(written).map_or(Type::Unknown, |kind| kinds.integer_type(kind))
            }
            Literal::Real { double: true, .. } => match self.text(self.scope(scope).source, expr.at) {
                text if text.contains(['q', 'Q']) => Type::Real(16),
                _ => Type::Real(kinds.double_kind()),
            },
            Literal::Real { kind: written, .. } => {
                kind(written).map_or(Type::Unknown, |kind| Type::Real(kinds.real_kind(kind)))
            }
            Literal::Complex => self.type_of_complex(scope, expr),
            Literal::Logical { kind: written, .. } => {
                kind(written).map_or(Type::Unknown, |kind| kinds.logical_type(kind))
            }
            Literal::Character { length } | Literal::Hollerith { length } => {
                Type::Character { kind: 1, length: Length::Known(u64::from(*length)) }
            }
            Literal::Boz => Type::Unknown,
        }
    }

    /// `(1.0, 2.0d0)`: double when one of its parts is.
    fn type_of_complex(&self, scope: ScopeId, expr: &Expr) -> Type {
        let source = self.scope(scope).source;
        let kinds = &self.sources[source].kinds;
        let text = self.text(source, expr.at).to_ascii_lowercase();
        let mut best = kinds.real_kind(None);
        for part in text.trim_matches(['(', ')']).split(',') {
            let part: String = part.chars().filter(|letter| !letter.is_whitespace()).collect();
            let (digits, kind) = part.split_once('_').unwrap_or((part.as_str(), ""));
            let number = kind.parse::<u8>().ok().map(i128::from).or_else(|| {
                match self.named_constant(self.lookup(scope, kind)?)? {
                    super::symbols::Constant::Integer(kind) => Some(kind),
                    _ => None,
                }
            });
            let number = number.and_then(|number| u8::try_from(number).ok());
            best = match number {
                Some(kind) => best.max(kinds.real_kind(Some(kind))),
                None if !kind.is_empty() => return Type::Unknown,
                None if digits.contains('d') => best.max(kinds.double_kind()),
                None => best,
            };
        }
        Type::Complex(best)
    }

    fn type_of_binary(&self, scope: ScopeId, operator: &Operator, left: &Expr, right: &Expr) -> Typed {
        let (left, right) = (self.type_of(scope, left), self.type_of(scope, right));
        let rank = match (left.rank, right.rank) {
            (Some(left), Some(right)) => Some(left.max(right)),
            _ => None,
        };
        let intrinsic = left.ty.is_intrinsic() && right.ty.is_intrinsic();
        let logical = self.sources[self.scope(scope).source].kinds.logical_type(None);
        let ty = match operator {
            Operator::Defined(_) => return self.type_of_defined(scope, operator, &[left, right]),
            _ if !intrinsic => return self.type_of_defined(scope, operator, &[left, right]),
            Operator::Add | Operator::Subtract | Operator::Multiply | Operator::Divide => {
                intrinsics::combine(left.ty, right.ty)
            }
            // An integer power keeps the type of what is raised.
            Operator::Power => match (left.ty, right.ty) {
                (base, Type::Integer(_)) if !matches!(base, Type::Integer(_)) => base,
                (base, power) => intrinsics::combine(base, power),
            },
            Operator::Concatenate => concatenated(left.ty, right.ty),
            Operator::And | Operator::Or | Operator::Equivalent | Operator::NotEquivalent | Operator::Not => {
                intrinsics::combine(left.ty, right.ty)
            }
            _ => logical,
        };
        Typed { ty, rank }
    }

    /// What an operator that the program defines gives.
    fn type_of_defined(&self, scope: ScopeId, operator: &Operator, operands: &[Typed]) -> Typed {
        let found = self.operator_on(scope, operator, operands);
        let elemental = found.iter().any(|&id| self.is_elemental(id));
        let whole = self.type_of_call(&Called::Known(found));
        match elemental {
            true => Typed { rank: operands.iter().map(|typed| typed.rank).max().flatten(), ..whole },
            false => whole,
        }
    }

    fn type_of_component(&self, scope: ScopeId, base: &Expr, name: &str) -> Typed {
        let whole = self.type_of(scope, base);
        match (whole.ty, name) {
            (Type::Complex(kind), "re" | "im") => return Typed { ty: Type::Real(kind), rank: whole.rank },
            (_, "kind") => return Typed::scalar(Type::Integer(4)),
            (Type::Character { .. }, "len") => return Typed::scalar(Type::Integer(4)),
            _ => {}
        }
        let Some(id) = derived_of(whole.ty) else { return Typed::UNKNOWN };
        if let Some((component, _)) = self.component_of(id, name) {
            let rank = whole.rank.map(|rank| rank + component.shape.len() as u32);
            return Typed { ty: component.ty, rank };
        }
        match self.ancestor_named(id, name) {
            Some(ancestor) => Typed { ty: Type::Derived(ancestor), rank: whole.rank },
            None => Typed::UNKNOWN,
        }
    }

    /// The type of what a call gives.
    pub(super) fn type_of_call(&self, called: &Called) -> Typed {
        match called {
            Called::Known(ids) => {
                let mut types = ids.iter().map(|&id| {
                    self.procedure(id).result.map_or(Typed::UNKNOWN, |result| {
                        let symbol = self.symbol(result);
                        Typed { ty: symbol.ty, rank: symbol.rank() }
                    })
                });
                let first = types.next().unwrap_or(Typed::UNKNOWN);
                if types.all(|other| other == first) {
                    first
                } else {
                    Typed::UNKNOWN
                }
            }
            Called::External(id) => Typed::scalar(self.symbol(*id).ty),
            Called::Indirect { interface: Some(id), .. } => self.type_of_call(&Called::Known(vec![*id])),
            Called::Indirect { interface: None, symbol: Some(symbol) } => {
                Typed::scalar(self.symbol(*symbol).ty)
            }
            Called::Foreign(ty) => Typed { ty: *ty, rank: (*ty != Type::Unknown).then_some(0) },
            Called::Indirect { .. } => Typed::UNKNOWN,
        }
    }

    /// The extents of a declared shape, as far as they are constant.
    pub fn extents(&self, scope: ScopeId, shape: &[Extent]) -> Vec<Option<i128>> {
        let extent = |bound: &Extent| match bound {
            Extent::Explicit { lower, upper } => {
                let lower = lower.as_ref().map_or(Some(1), |lower| self.integer(scope, lower))?;
                let extent = self.integer(scope, upper)?.checked_sub(lower)?.checked_add(1)?;
                Some(extent.max(0))
            }
            _ => None,
        };
        shape.iter().map(extent).collect()
    }
}

fn concatenated(left: Type, right: Type) -> Type {
    match (left, right) {
        (Type::Character { kind, length: one }, Type::Character { length: other, .. }) => {
            let length = match (one, other) {
                (Length::Known(one), Length::Known(other)) => {
                    one.checked_add(other).map_or(Length::Varying, Length::Known)
                }
                _ => Length::Varying,
            };
            Type::Character { kind, length }
        }
        _ => Type::Unknown,
    }
}

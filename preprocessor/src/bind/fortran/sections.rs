//! How the elements of an argument are arranged, and which assignments a compiler allocates for.
//!
//! Input: an argument.
//! Output: the layout of its elements. In: the two sides of an assignment. Out: whether it may allocate memory.
//! Postcondition: a section that is bounded by expressions counts as all of a dimension only where they are
//! spelt as in its declaration.

use cppc_grammar::fortran::tree::{Argument, ArgumentKind, Bound as Extent, Expr, ExprKind, Operator};

use super::bound::Bound;
use super::ids::{ScopeId, SymbolId};
use super::resolve::{Called, Meaning};
use super::types::{derived_of, Length, Type};

/// A shape beside that of a certain array; where several meet, the greatest speaks for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    Scalar,
    /// An array, of what shape ever.
    Other,
    /// An array that a function makes, perhaps of the array itself.
    Result,
    Own,
}

/// How the elements of an array are arranged in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Layout {
    Contiguous,
    /// Other elements of the array are between them.
    Gaps,
    /// They are components or substrings of the elements of another array, or picked by an array of subscripts. Compilers
    /// copy these also for arrays of assumed shape.
    Parts,
}

/// The intrinsic functions whose result may have another shape than their arguments.
const OTHER_SHAPE: [&str; 24] = [
    "all",
    "any",
    "count",
    "findloc",
    "iall",
    "iany",
    "iparity",
    "lbound",
    "matmul",
    "maxloc",
    "maxval",
    "minloc",
    "minval",
    "norm2",
    "pack",
    "product",
    "reshape",
    "shape",
    "spread",
    "sum",
    "transfer",
    "transpose",
    "ubound",
    "unpack",
];

impl Bound<'_> {
    /// How the elements of a variable, or of a part of one, are arranged in the array that it is taken from; none for the
    /// value of an expression. One element is contiguous.
    pub(super) fn layout(&self, scope: ScopeId, expr: &Expr) -> Option<Layout> {
        match &expr.kind {
            ExprKind::Name(name) => {
                let is_variable =
                    self.lookup(scope, &name.text).is_some_and(|id| self.symbol(id).is_variable());
                is_variable.then_some(Layout::Contiguous)
            }
            ExprKind::Component { base, .. } => match self.denotes_many(scope, base) {
                true => Some(Layout::Parts),
                false => self.layout(scope, base).map(|_| Layout::Contiguous),
            },
            ExprKind::Reference { base, arguments } => {
                let outer = self.layout(scope, base)?;
                let shape = self.declared_shape(scope, base);
                if shape.is_empty() {
                    let Meaning::Part(_) = self.meaning(scope, base, arguments) else { return None };
                    // A substring of each element.
                    let is_many = self.denotes_many(scope, base);
                    return Some(if is_many { Layout::Parts } else { Layout::Contiguous });
                }
                let picks = |subscript: &Argument| {
                    matches!(subscript.kind, ArgumentKind::Value(_)) && self.is_many(scope, subscript)
                };
                let own = match self.leaves_out(scope, shape, arguments) {
                    _ if arguments.iter().any(picks) => Layout::Parts,
                    true => Layout::Gaps,
                    false => Layout::Contiguous,
                };
                Some(outer.max(own))
            }
            ExprKind::Literal(_)
            | ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::Parenthesized(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo { .. }
            | ExprKind::Other(_) => None,
        }
    }

    /// Whether a designator has several elements.
    pub(super) fn denotes_many(&self, scope: ScopeId, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(_) => !self.declared_shape(scope, expr).is_empty(),
            ExprKind::Component { base, .. } => {
                !self.declared_shape(scope, expr).is_empty() || self.denotes_many(scope, base)
            }
            ExprKind::Reference { base, arguments } => match self.declared_shape(scope, base) {
                [] => self.denotes_many(scope, base),
                _ => {
                    let of_each = matches!(&base.kind, ExprKind::Component { base, .. } if self.denotes_many(scope, base));
                    of_each || arguments.iter().any(|subscript| self.is_many(scope, subscript))
                }
            },
            ExprKind::Literal(_)
            | ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::Parenthesized(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo { .. }
            | ExprKind::Other(_) => false,
        }
    }

    /// A substring of a scalar, or `z%re`. Arrays are always saved in place. A scalar must be if a part of it is passed.
    pub(super) fn is_part_of_scalar(&self, scope: ScopeId, expr: &Expr, root: SymbolId) -> bool {
        let is_designator = match &expr.kind {
            ExprKind::Component { .. } => true,
            ExprKind::Reference { base, arguments } => {
                matches!(self.meaning(scope, base, arguments), Meaning::Part(_))
            }
            ExprKind::Literal(_)
            | ExprKind::Name(_)
            | ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::Parenthesized(_)
            | ExprKind::ArrayConstructor { .. }
            | ExprKind::ImpliedDo { .. }
            | ExprKind::Other(_) => false,
        };
        let symbol = self.symbol(root);
        is_designator && symbol.is_variable() && symbol.shape.is_empty() && derived_of(symbol.ty).is_none()
    }

    /// Whether an assignment may give an allocatable new memory: if shapes, lengths or dynamic types differ, or if a
    /// scalar has no memory yet.
    pub fn may_allocate(&self, scope: ScopeId, target: &Expr, value: &Expr) -> bool {
        let (is_allocatable, ty) = match &target.kind {
            ExprKind::Name(name) => {
                let symbol = self.lookup(scope, &name.text).map(|id| self.symbol(id));
                symbol.map_or((false, Type::Unknown), |symbol| (symbol.is.allocatable, symbol.ty))
            }
            ExprKind::Component { base, name } => {
                let home = derived_of(self.type_of(scope, base).ty);
                let component = home.and_then(|home| self.component_of(home, &name.text));
                component.map_or((false, Type::Unknown), |(found, _)| (found.allocatable, found.ty))
            }
            _ => (false, Type::Unknown),
        };
        if !is_allocatable {
            return false;
        }
        let has_dynamic_type =
            matches!(ty, Type::Character { length: Length::Deferred, .. } | Type::Class(_));
        has_dynamic_type
            || self.declared_shape(scope, target).is_empty()
            || self.is_other_array(scope, target, value)
    }

    /// Whether the value is an array that may have another shape.
    pub fn is_other_array(&self, scope: ScopeId, target: &Expr, value: &Expr) -> bool {
        matches!(self.likeness(scope, target, value), Likeness::Other | Likeness::Result)
    }

    /// Whether the value is an array that a function makes, perhaps of the array itself.
    pub fn is_result_of_function(&self, scope: ScopeId, target: &Expr, value: &Expr) -> bool {
        self.likeness(scope, target, value) == Likeness::Result
    }

    /// How the shape of a value compares with that of an array.
    fn likeness(&self, scope: ScopeId, target: &Expr, value: &Expr) -> Likeness {
        match self.likeness_of_parts(scope, target, value) {
            // A part of a component of an array of structures, such as `p%name(1:2)`.
            Likeness::Scalar if self.type_of(scope, value).rank.is_some_and(|rank| rank > 0) => {
                Likeness::Result
            }
            found => found,
        }
    }

    fn likeness_of_parts(&self, scope: ScopeId, target: &Expr, value: &Expr) -> Likeness {
        let other_if = |is_array: bool| if is_array { Likeness::Other } else { Likeness::Scalar };
        match &value.kind {
            ExprKind::Name(_) | ExprKind::Component { .. } if self.is_same(scope, target, value) => {
                Likeness::Own
            }
            // An array of structures makes one of a component without a shape, a constant may be an array, and a defined
            // operator is a function.
            ExprKind::Name(_)
            | ExprKind::Component { .. }
            | ExprKind::Unary { operator: Operator::Defined(_), .. }
            | ExprKind::Binary { operator: Operator::Defined(_), .. } => {
                other_if(self.type_of(scope, value).rank != Some(0))
            }
            ExprKind::Parenthesized(inner) | ExprKind::Unary { operand: inner, .. } => {
                self.likeness(scope, target, inner)
            }
            // Operands have one shape.
            ExprKind::Binary { left, right, .. } => {
                self.likeness(scope, target, left).max(self.likeness(scope, target, right))
            }
            ExprKind::Reference { base, arguments } if !self.declared_shape(scope, base).is_empty() => {
                other_if(self.type_of(scope, value).rank != Some(0))
            }
            // What a function makes of arrays may be one.
            ExprKind::Reference { base, arguments } => {
                let values = arguments.iter().filter_map(|argument| match &argument.kind {
                    ArgumentKind::Value(expr) => Some(self.likeness(scope, target, expr)),
                    _ => None,
                });
                let of_arguments = values.max().unwrap_or(Likeness::Scalar);
                let is_array = || self.type_of(scope, value).rank != Some(0);
                match of_arguments {
                    Likeness::Other => Likeness::Other,
                    _ if !self.keeps_shape(scope, base, arguments) && is_array() => Likeness::Result,
                    _ => of_arguments,
                }
            }
            ExprKind::ArrayConstructor { .. } => Likeness::Other,
            ExprKind::Literal(_) | ExprKind::ImpliedDo { .. } | ExprKind::Other(_) => Likeness::Scalar,
        }
    }

    /// Whether the result of a function has the shape of its arguments.
    fn keeps_shape(&self, scope: ScopeId, function: &Expr, arguments: &[Argument]) -> bool {
        match self.meaning(scope, function, arguments) {
            Meaning::Call(Called::Known(ids)) => ids.iter().all(|&id| self.is_elemental(id)),
            Meaning::Intrinsic(name) => !OTHER_SHAPE.contains(&name),
            Meaning::Part(_) | Meaning::StatementFunction(_) | Meaning::Constructor(_) => true,
            Meaning::Call(_) | Meaning::Unknown => false,
        }
    }

    /// Whether two designators have the same text.
    fn is_same(&self, scope: ScopeId, one: &Expr, other: &Expr) -> bool {
        let source = self.scope(scope).source;
        let letters = |expr: &Expr| {
            let text = self.text(source, expr.at).chars();
            text.filter(|letter| !letter.is_whitespace()).map(|letter| letter.to_ascii_lowercase()).collect()
        };
        let (one, other): (String, String) = (letters(one), letters(other));
        one == other
    }

    /// Whether a section leaves elements out between its first and its last: behind a dimension that is
    /// not there in full, further ones must have one element each.
    fn leaves_out(&self, scope: ScopeId, shape: &[Extent], subscripts: &[Argument]) -> bool {
        let mut full = true;
        for (index, subscript) in subscripts.iter().enumerate() {
            if !self.is_many(scope, subscript) {
                full = false;
                continue;
            }
            let ArgumentKind::Range { lower, upper, stride } = &subscript.kind else { return true };
            let is_dense = stride.as_deref().is_none_or(|stride| self.integer(scope, stride) == Some(1));
            if !full || !is_dense {
                return true;
            }
            full = self.is_whole(scope, shape.get(index), lower.as_deref(), upper.as_deref());
        }
        false
    }

    /// Whether the bounds are those of the declaration.
    fn is_whole(
        &self,
        scope: ScopeId,
        declared: Option<&Extent>,
        lower: Option<&Expr>,
        upper: Option<&Expr>,
    ) -> bool {
        let (first, last) = match declared {
            Some(Extent::Explicit { lower, upper }) => (lower.as_ref(), Some(upper)),
            Some(Extent::AssumedShape { lower } | Extent::AssumedSize { lower }) => (lower.as_ref(), None),
            _ => (None, None),
        };
        let begins = lower.is_none_or(|lower| match first {
            Some(first) => self.is_alike(scope, lower, first),
            None => self.integer(scope, lower) == Some(1),
        });
        begins && upper.is_none_or(|upper| last.is_some_and(|last| self.is_alike(scope, upper, last)))
    }

    fn is_alike(&self, scope: ScopeId, one: &Expr, other: &Expr) -> bool {
        match (&one.kind, &other.kind) {
            (ExprKind::Name(one), ExprKind::Name(other)) => one.text == other.text,
            _ => self.integer(scope, one).is_some_and(|value| self.integer(scope, other) == Some(value)),
        }
    }

    /// Several elements along one dimension.
    fn is_many(&self, scope: ScopeId, subscript: &Argument) -> bool {
        match &subscript.kind {
            ArgumentKind::Range { .. } => true,
            ArgumentKind::Value(expr) => !self.declared_shape(scope, expr).is_empty(),
            _ => false,
        }
    }

    /// As a variable or component is declared; empty for anything else.
    fn declared_shape(&self, scope: ScopeId, expr: &Expr) -> &[Extent] {
        match &expr.kind {
            ExprKind::Name(name) => {
                let symbol = self.lookup(scope, &name.text).map(|id| self.symbol(id));
                symbol.filter(|symbol| symbol.is_variable()).map_or(&[], |symbol| symbol.shape)
            }
            ExprKind::Component { base, name } => {
                let ty = derived_of(self.type_of(scope, base).ty);
                let found = ty.and_then(|ty| self.component_of(ty, &name.text));
                found.map_or(&[], |(component, _)| component.shape)
            }
            _ => &[],
        }
    }
}

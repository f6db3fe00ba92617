//! How many elements an allocation of C has.
//!
//! Input: a call that allocates memory.
//! Output: the item of a `register` directive for its memory.
//! Postcondition: the number of elements may be computed again after the call.

use cppc_grammar::c::tree::{BinaryOperator, BlockItem, Expr, ExprKind, Initializer, UnaryOperator};
use cppc_source::Span;

use super::c::{is_repeatable, of_item, unwrapped, CSource};
use super::expressions::each;
use crate::bind::c::{DirectiveKind, Kind, Type};

impl CSource<'_> {
    /// The item for the memory that a call at `at` allocates for a pointer.
    pub(super) fn item_of_call(&self, at: Span, whole: bool) -> Option<String> {
        let (call, item) = self.call(at)?;
        if whole {
            return Some(format!("{}[]", self.receiver(call, item)?.0));
        }
        let ExprKind::Call { callee, arguments } = &call.kind else { return None };
        let ExprKind::Ident(name) = &unwrapped(callee).kind else { return None };
        let factors: Vec<&Expr> = match (self.unit.preprocessed.names.text(name.name), arguments.as_slice()) {
            ("malloc" | "valloc", [size]) => factors(size),
            ("calloc", [count, size]) => factors(count).into_iter().chain(factors(size)).collect(),
            ("realloc" | "aligned_alloc" | "memalign", [_, size]) => factors(size),
            ("reallocarray", [_, count, size]) => factors(count).into_iter().chain(factors(size)).collect(),
            // The runtime knows the size of each allocation.
            _ => return Some(format!("{}[]", self.receiver(call, item)?.0)),
        };
        let (pointer, element) = self.receiver(call, item)?;
        // The number may be in memory that `deep` saves, and that no other register may save.
        if self.has_graphs() && factors.iter().any(|factor| follows_pointer(factor)) {
            return Some(format!("{pointer}[]"));
        }
        let element_bytes = self.unit.bound.size_of(&element)?;
        self.item(&pointer, &factors, element_bytes, matches!(element.kind, Kind::Record(_)))
    }

    /// `p[n]`, where the product of the factors is a number of bytes.
    fn item(&self, pointer: &str, factors: &[&Expr], element_bytes: u64, is_record: bool) -> Option<String> {
        let is_size = |expr: &&Expr| self.size_of(expr) == Some(element_bytes);
        let size = factors.iter().position(is_size);
        let counts: Vec<&&Expr> = factors
            .iter()
            .enumerate()
            .filter(|(index, _)| Some(*index) != size)
            .map(|(_, expr)| expr)
            .collect();
        let mut texts = Vec::new();
        for count in counts {
            if !is_repeatable(count) {
                return None;
            }
            texts.push(self.operand(count)?);
        }
        if let ([alone], true) = (texts.as_slice(), size.is_some() || element_bytes == 1) {
            let inner = alone.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
            let is_one = inner.is_some_and(|inner| !inner.contains(['(', ')']));
            return Some(format!("{pointer}[{}]", inner.filter(|_| is_one).unwrap_or(alone)));
        }
        let product = texts.join(" * ");
        let count = match (size, texts.len()) {
            (Some(_), 0) => return Some(format!("*{pointer}")),
            (Some(_), _) => product,
            (None, _) if element_bytes == 1 => product,
            // The rest of the division of a number without `sizeof` may be a part of the memory.
            (None, _) if is_record => return None,
            (None, _) => format!("{product} / sizeof *{pointer}"),
        };
        Some(format!("{pointer}[{count}]"))
    }

    fn has_graphs(&self) -> bool {
        self.unit.bound.directives.iter().any(|directive| match &directive.kind {
            DirectiveKind::Register(items) => items.iter().any(|item| item.graph.is_some()),
            _ => false,
        })
    }

    /// The pointer that gets the result of a call, and the type of what it points to.
    fn receiver(&self, call: &Expr, item: &BlockItem) -> Option<(String, Type)> {
        let bound = &self.unit.bound;
        let target = |kind: &Kind| match kind {
            Kind::Pointer(target) if !matches!(target.kind, Kind::Void) => Some((**target).clone()),
            _ => None,
        };
        let mut found = None;
        if let BlockItem::Declaration(declaration) = item {
            for declarator in &declaration.declarators {
                if let Some(Initializer::Expr(value)) = &declarator.initializer {
                    if unwrapped(value).id == call.id {
                        let name = declarator.declarator.name?;
                        let symbol = bound.symbols.iter().find(|symbol| symbol.declared == name.token)?;
                        let text = self.unit.preprocessed.names.text(name.name).to_owned();
                        found = target(&symbol.ty.kind).map(|element| (text, element));
                    }
                }
            }
        }
        of_item(item, &mut |expr| {
            if let ExprKind::Assign { operator: None, left, right } = &expr.kind {
                if unwrapped(right).id == call.id && is_repeatable(left) {
                    found = target(&bound.value_type(left.id).kind)
                        .and_then(|element| Some((self.before_brackets(left)?, element)));
                }
            }
        });
        found
    }

    /// The value of `sizeof`.
    fn size_of(&self, expr: &Expr) -> Option<u64> {
        let bound = &self.unit.bound;
        match &unwrapped(expr).kind {
            ExprKind::SizeofType(_) => bound.size_of(bound.operand_type(unwrapped(expr).id)?),
            ExprKind::SizeofExpr(operand) => bound.size_of(bound.type_of(operand.id)),
            _ => None,
        }
    }
}

/// Whether the value is read through a pointer.
fn follows_pointer(expr: &Expr) -> bool {
    let mut follows = false;
    each(expr, &mut |expr| {
        follows |= matches!(
            expr.kind,
            ExprKind::Member { arrow: true, .. }
                | ExprKind::Index { .. }
                | ExprKind::Unary { operator: UnaryOperator::Dereference, .. }
        );
    });
    follows
}

/// The factors of a product.
fn factors(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Paren(inner) => factors(inner),
        ExprKind::Binary { operator: BinaryOperator::Multiply, left, right } => {
            factors(left).into_iter().chain(factors(right)).collect()
        }
        _ => vec![expr],
    }
}

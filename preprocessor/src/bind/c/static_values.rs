//! Values that are known before the program runs.
//!
//! Input: initialisers and expressions of a bound unit.
//! Output: whether they have such a value, and which variables keep it for ever.
//! Postcondition: a restart can give such a variable its value again, because nothing changes it.

use cppc_grammar::c::token::{Preprocessed, TokenKind};
use cppc_grammar::c::tree::{BinaryOperator, Declaration, Expr, ExprKind, Initializer, Range, UnaryOperator};

use super::bound::{Bound, DirectiveKind};
use super::ids::SymbolId;
use super::symbols::{StorageKind, SymbolKind};

impl Bound {
    /// Whether a number or a pointer has the value of its initialiser for ever, which is known before the program runs, and
    /// no directive names it.
    pub fn is_never_set(&self, source: &Preprocessed, id: SymbolId, initializer: &Initializer) -> bool {
        let symbol = self.symbol(id);
        let Some(procedure) = symbol.procedure else { return false };
        let facts = &self.procedure(procedure).facts;
        let is_set = |&(set, token): &(SymbolId, u32)| set == id && token != symbol.declared;
        symbol.ty.is_scalar()
            && !symbol.ty.qualifiers.volatile
            && !symbol.ty.qualifiers.atomic
            && !facts.address_taken.contains(&id)
            && !facts.set.iter().any(is_set)
            && self.is_static(source, initializer)
            && !self.is_in_directive(id)
    }

    /// Whether all variables of a declaration have constant values. Then the translation can make them static.
    pub fn has_only_constants(&self, source: &Preprocessed, declaration: &Declaration) -> bool {
        declaration.declarators.iter().all(|declarator| {
            let name = declarator.declarator.name.and_then(|name| self.declared_at(name.token));
            let (Some(id), Some(initializer)) = (name, &declarator.initializer) else { return false };
            let is_constant = self.symbol(id).ty.leaf_element().qualifiers.constant;
            match is_constant {
                true => self.is_static(source, initializer),
                false => self.is_never_set(source, id, initializer),
            }
        })
    }

    fn is_in_directive(&self, id: SymbolId) -> bool {
        self.directives.iter().any(|directive| match &directive.kind {
            DirectiveKind::Register(items) => items
                .iter()
                .any(|item| item.root == id || item.size_variables.iter().any(|size| size.root == id)),
            DirectiveKind::Unregister(items) => items.iter().any(|item| item.root == id),
            DirectiveKind::Execute { captures, .. } => captures.iter().any(|item| item.root == id),
            DirectiveKind::Init
            | DirectiveKind::Shutdown
            | DirectiveKind::EndExecute { .. }
            | DirectiveKind::Checkpoint(_) => false,
        })
    }

    /// True if a static variable could have the initialiser.
    pub fn is_static(&self, source: &Preprocessed, initializer: &Initializer) -> bool {
        match initializer {
            Initializer::Expr(value) => self.is_static_value(source, value),
            Initializer::List(list) => list.items.iter().all(|item| self.is_static(source, &item.value)),
        }
    }

    fn is_static_value(&self, source: &Preprocessed, expr: &Expr) -> bool {
        match &expr.kind {
            _ if self.is_constant(expr) => !self.names_variables(source, expr.range),
            ExprKind::Paren(inner) => self.is_static_value(source, inner),
            ExprKind::Cast { operand, .. } => {
                self.type_of(expr.id).is_pointer() && self.is_static_value(source, operand)
            }
            ExprKind::Unary { operator: UnaryOperator::Address, operand } => {
                self.is_static_object(source, operand)
            }
            ExprKind::Binary { operator: BinaryOperator::Add | BinaryOperator::Subtract, left, right } => {
                let is_address = self.type_of(left.id).decayed().is_pointer();
                is_address
                    && self.is_static_value(source, left)
                    && self.is_constant(right)
                    && !self.names_variables(source, right.range)
            }
            _ => {
                let ty = self.type_of(expr.id);
                (ty.is_array() || ty.is_function()) && self.is_static_object(source, expr)
            }
        }
    }

    /// True if the address of the object is known before the program runs.
    fn is_static_object(&self, source: &Preprocessed, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Paren(inner) => self.is_static_object(source, inner),
            ExprKind::Ident(_) => self.symbol_of(expr.id).is_some_and(|id| {
                let symbol = self.symbol(id);
                let is_static = matches!(
                    symbol.storage,
                    StorageKind::StaticLocal | StorageKind::StaticFile | StorageKind::Global
                );
                is_static && !symbol.thread_local
            }),
            ExprKind::Member { base, arrow: false, .. } => self.is_static_object(source, base),
            ExprKind::Index { base, index } => {
                self.type_of(base.id).is_array()
                    && self.is_static_object(source, base)
                    && self.is_constant(index)
                    && !self.names_variables(source, index.range)
            }
            _ => false,
        }
    }

    /// True if an expression that looks constant contains variables: the size of an array of variable length
    /// is not constant.
    fn names_variables(&self, source: &Preprocessed, range: Range) -> bool {
        (range.start..range.end).any(|at| {
            let token = &source.tokens[at as usize];
            let symbol = self.lookup(token.text, at).map(|id| self.symbol(id));
            let is_automatic = |storage| matches!(storage, StorageKind::Automatic | StorageKind::Register);
            token.kind == TokenKind::Identifier && symbol.is_some_and(|symbol| is_automatic(symbol.storage))
        })
    }

    /// Literals and expressions of them, enumeration constants, sizes.
    pub fn is_constant(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::Character(_)
            | ExprKind::Bool(_)
            | ExprKind::Null
            | ExprKind::String(_)
            | ExprKind::SizeofExpr(_)
            | ExprKind::SizeofType(_)
            | ExprKind::AlignofExpr(_)
            | ExprKind::AlignofType(_)
            | ExprKind::Offsetof(_)
            | ExprKind::TypesCompatible(..) => true,
            ExprKind::Ident(_) => {
                self.symbol_of(expr.id).is_some_and(|id| self.symbol(id).kind == SymbolKind::EnumConstant)
            }
            ExprKind::Paren(inner) | ExprKind::Cast { operand: inner, .. } => self.is_constant(inner),
            ExprKind::Unary { operator, operand } => {
                !matches!(operator, UnaryOperator::Address | UnaryOperator::Dereference)
                    && self.is_constant(operand)
            }
            ExprKind::Binary { left, right, .. } => self.is_constant(left) && self.is_constant(right),
            ExprKind::Conditional { condition, then, otherwise } => {
                let then = then.as_ref().is_none_or(|then| self.is_constant(then));
                then && self.is_constant(condition) && self.is_constant(otherwise)
            }
            _ => false,
        }
    }
}

//! Where variables with an initialiser are named, and how they are used there.
//!
//! Input: the expressions of a procedure, one by one; then its tokens.
//! Output: the mentions of these variables, in text order.
//! Postcondition: a use that may set a variable, or that is not understood, does not count as a read.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use cppc_grammar::c::token::TokenKind;
use cppc_grammar::c::tree::{Expr, ExprKind, InitDeclarator, Range, UnaryOperator};

use super::{Builder, ProcedureContext};
use crate::bind::c::{Kind, StorageKind, SymbolId, SymbolKind, Type};
use crate::model::{Initialised, Mention, Usage, VariableId};

/// The variables of a procedure that have an initialiser, and the uses of the tokens that name them.
#[derive(Default)]
pub(super) struct Usages {
    initialised: RefCell<HashMap<SymbolId, VariableId>>,
    /// For each token, its use, and the token at which the use takes effect. `None` if it is no use of the
    /// value.
    known: RefCell<HashMap<u32, Option<(Usage, u32)>>>,
}

impl Usages {
    fn note(&self, token: u32, usage: Option<(Usage, u32)>) {
        self.known.borrow_mut().entry(token).or_insert(usage);
    }
}

impl Builder<'_> {
    /// The variable of a declarator, if it is automatic, is not constant, and has an initialiser.
    pub(super) fn initialised(
        &self,
        declarator: &InitDeclarator,
        context: &ProcedureContext,
    ) -> Option<Initialised> {
        let name = declarator.declarator.name?;
        declarator.initializer.as_ref()?;
        let id = self.bound.declared_at(name.token)?;
        let symbol = self.bound.symbol(id);
        let is_automatic = matches!(symbol.storage, StorageKind::Automatic | StorageKind::Register);
        if symbol.kind != SymbolKind::Variable
            || !is_automatic
            || symbol.procedure != Some(context.id)
            || symbol.ty.leaf_element().qualifiers.constant
        {
            return None;
        }
        let variable = VariableId(context.symbols.iter().position(|&own| own == id)?);
        context.usages.initialised.borrow_mut().insert(id, variable);
        let name_span = self.spans.anchor(Range { start: name.token, end: name.token + 1 });
        Some(Initialised { variable, name_span })
    }

    /// Records how an expression uses the variables that are its operands.
    pub(super) fn note_usages(&self, expr: &Expr, context: &ProcedureContext) {
        let usages = &context.usages;
        if usages.initialised.borrow().is_empty() {
            return;
        }
        let after = expr.range.end;
        match &expr.kind {
            ExprKind::Assign { operator, left, right } => {
                self.note_alias(right, context);
                if let Some(token) = self.variable_of(left) {
                    // An assignment to an element or a field may be one of several that together set the
                    // whole variable.
                    let usage = if operator.is_some() { Usage::Read } else { Usage::Set };
                    usages.note(token, Some((usage, after)));
                }
            }
            ExprKind::Unary { operator, operand } => {
                let usage = match operator {
                    UnaryOperator::Address => Usage::Set,
                    UnaryOperator::PreIncrement
                    | UnaryOperator::PreDecrement
                    | UnaryOperator::PostIncrement
                    | UnaryOperator::PostDecrement => Usage::Read,
                    _ => return,
                };
                if let Some(token) = self.variable_of(operand) {
                    usages.note(token, Some((usage, after)));
                }
            }
            ExprKind::Call { callee, arguments } => {
                for (index, argument) in arguments.iter().enumerate() {
                    let Some(token) = self.passed_address(argument) else { continue };
                    let is_read = self.parameter(callee, index).is_some_and(is_pointer_to_constant);
                    let usage = if is_read { Usage::Read } else { Usage::Set };
                    usages.note(token, Some((usage, after)));
                }
            }
            ExprKind::Cast { operand, .. } if self.bound.type_of(expr.id).is_void() => {
                if let ExprKind::Ident(name) = &operand.kind {
                    usages.note(name.token, None);
                }
            }
            ExprKind::SizeofExpr(inner) | ExprKind::AlignofExpr(inner) => {
                (inner.range.start..inner.range.end).for_each(|token| usages.note(token, None));
            }
            _ => {}
        }
    }

    /// Records that a pointer gets the address of a variable. From then on, the variable may be set through
    /// the pointer.
    pub(super) fn note_alias(&self, value: &Expr, context: &ProcedureContext) {
        if let Some(token) = self.passed_address(value) {
            context.usages.note(token, Some((Usage::Set, value.range.end)));
        }
    }

    /// The token of the variable that contains an lvalue.
    fn variable_of(&self, expr: &Expr) -> Option<u32> {
        match &expr.kind {
            ExprKind::Paren(inner)
            | ExprKind::Unary {
                operator: UnaryOperator::Extension | UnaryOperator::Real | UnaryOperator::Imaginary,
                operand: inner,
            } => self.variable_of(inner),
            ExprKind::Member { base, arrow: false, .. } => self.variable_of(base),
            ExprKind::Index { base, .. } if self.bound.type_of(base.id).is_array() => self.variable_of(base),
            ExprKind::Ident(name) => Some(name.token),
            _ => None,
        }
    }

    /// The token of the variable whose address an argument is: `&x`, `&x[i]`, an array.
    fn passed_address(&self, argument: &Expr) -> Option<u32> {
        match &argument.kind {
            ExprKind::Paren(inner) | ExprKind::Cast { operand: inner, .. } => self.passed_address(inner),
            ExprKind::Unary { operator: UnaryOperator::Address, operand } => self.variable_of(operand),
            _ if self.bound.type_of(argument.id).is_array() => self.variable_of(argument),
            _ => None,
        }
    }

    fn parameter(&self, callee: &Expr, index: usize) -> Option<&Type> {
        let ty = self.bound.type_of(callee.id);
        let ty = if ty.is_pointer() { ty.target()? } else { ty };
        match &ty.kind {
            Kind::Function(function) => function.parameters.get(index),
            _ => None,
        }
    }

    /// Records the names in the condition of an `if`.
    pub(super) fn note_condition(&self, condition: &Expr, context: &ProcedureContext) {
        let tokens = &self.preprocessed.tokens[condition.range.start as usize..condition.range.end as usize];
        let names =
            tokens.iter().filter(|token| token.kind == TokenKind::Identifier).map(|token| token.text.0);
        context.conditions.borrow_mut().push((self.spans.anchor(condition.range), names.collect()));
    }

    /// All mentions of the variables with an initialiser, after the expressions were recorded.
    pub(super) fn mentions(&self, body: Range, context: &ProcedureContext) -> Vec<Mention> {
        let initialised = context.usages.initialised.borrow();
        if initialised.is_empty() {
            return Vec::new();
        }
        let known = context.usages.known.borrow();
        let names: HashSet<_> = initialised.keys().map(|&id| self.bound.symbol(id).name).collect();
        let set: HashSet<u32> = context.procedure.facts.set.iter().map(|&(_, token)| token).collect();
        let mention = |token: u32| {
            let found = &self.preprocessed.tokens[token as usize];
            if found.kind != TokenKind::Identifier
                || !names.contains(&found.text)
                || self.is_other_name(token)
            {
                return None;
            }
            let id = self.bound.lookup(found.text, token)?;
            let variable = *initialised.get(&id).filter(|_| self.bound.symbol(id).declared != token)?;
            let (usage, after) = match known.get(&token) {
                Some(known) => (*known)?,
                // This token is in text that was not analysed: an operand of `asm`, or a statement in an
                // expression.
                None if set.contains(&token) => (Usage::Set, token + 1),
                None => (Usage::Read, token),
            };
            let byte = match usage {
                Usage::Read => self.spans.start(token)?,
                Usage::Set => self.spans.end(after.saturating_sub(1))?,
            };
            let span = self.spans.anchor(Range { start: token, end: token + 1 });
            Some(Mention { variable, span, usage, order: (byte, after) })
        };
        (body.start..body.end).filter_map(mention).collect()
    }

    /// A field, a tag or a label can have the name of a variable.
    fn is_other_name(&self, token: u32) -> bool {
        let before = token.checked_sub(1).map(|before| self.preprocessed.tokens[before as usize].text);
        let before = before.map(|text| self.preprocessed.names.text(text));
        matches!(before, Some("." | "->" | "struct" | "union" | "enum" | "goto"))
    }
}

fn is_pointer_to_constant(ty: &Type) -> bool {
    ty.is_pointer() && ty.target().is_some_and(|target| target.leaf_element().qualifiers.constant)
}

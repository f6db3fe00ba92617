//! Counted loops: `for (i = first; i < bound; i += step)` and its variants.
//!
//! Input: a `for` statement.
//! Output: the variable, its first and last value and the step, if they are certain.
//! Postcondition: only the step changes the variable in the loop. The variables of the bound do not change.
//! `regular` is false if the body may leave the loop in another way.

use cppc_analysis::program::{Affine, Comparison, VariableId};
use cppc_grammar::c::tree::{
    BinaryOperator, BlockItem, Compound, Expr, ExprKind, ForInit, Initializer, Range, Statement,
    StatementKind, UnaryOperator,
};

use super::body::Body;
use super::choice::comparison;
use crate::bind::c::{parts, StorageKind, SymbolId};

pub(super) struct Counted {
    pub variable: VariableId,
    pub first: Affine,
    pub last: Affine,
    pub step: i64,
    pub regular: bool,
}

/// The parts of a `for` statement.
pub(super) struct ForParts<'t> {
    pub init: &'t ForInit,
    pub condition: &'t Expr,
    pub step: &'t Expr,
    pub body: &'t Statement,
}

impl Body<'_, '_, '_> {
    pub fn counted(&mut self, parts: &ForParts) -> Option<Counted> {
        // Labels in the body are other entries of the loop. After `setjmp`, each call is one too.
        if !self.returns.is_empty() || self.holds_labels(parts.body.range) {
            return None;
        }
        let (symbol, by) = self.stepped(parts.step)?;
        if !self.is_private(symbol) {
            return None;
        }
        let step_range = parts.step.range;
        let body = parts.body.range;
        let in_range = |range: Range| self.sets_in(symbol, range);
        if in_range(body) > 0 || in_range(step_range) != 1 || in_range(parts.condition.range) > 0 {
            return None;
        }
        let first_expr = self.first_value(parts.init, symbol)?;
        let variable = self.variable(symbol);
        let first = self.sum_of(first_expr)?;
        let to = self.bound().symbol(symbol).ty.clone();
        let first = self.converted(first, &self.bound().value_type(first_expr.id), &to)?;
        if first.uses(variable) || !self.keeps(first_expr, parts) {
            return None;
        }
        let (condition, is_alone) = self.limiting(parts.condition, symbol)?;
        let last = self.limit(condition, variable, &first, by)?;
        if !self.keeps(condition, parts) {
            return None;
        }
        Some(Counted { variable, first, last, step: by, regular: is_alone && !leaves(parts.body) })
    }

    fn holds_labels(&self, range: Range) -> bool {
        let Some(own) = self.procedure else { return false };
        let facts = &self.bound().procedure(own).facts;
        let inside = |token: u32| range.start <= token && token < range.end;
        facts.labels.iter().any(|label| inside(label.token))
            || facts.computed_jumps.iter().any(|jump| inside(jump.start))
    }

    /// The variable that the step changes, and by how much.
    fn stepped(&self, step: &Expr) -> Option<(SymbolId, i64)> {
        match &step.kind {
            ExprKind::Paren(inner) => self.stepped(inner),
            ExprKind::Cast { operand, .. } if self.bound().type_of(step.id).is_void() => {
                self.stepped(operand)
            }
            ExprKind::Comma(first, second) => self.stepped(first).or_else(|| self.stepped(second)),
            ExprKind::Unary { operator, operand } => {
                let by = match operator {
                    UnaryOperator::PreIncrement | UnaryOperator::PostIncrement => 1,
                    UnaryOperator::PreDecrement | UnaryOperator::PostDecrement => -1,
                    _ => return None,
                };
                Some((self.name_of(operand)?, by))
            }
            ExprKind::Assign { operator, left, right } => {
                let symbol = self.name_of(left)?;
                let by = match operator {
                    Some(BinaryOperator::Add) => self.constant(right)?,
                    Some(BinaryOperator::Subtract) => self.constant(right)?.checked_neg()?,
                    Some(_) => return None,
                    None => self.difference(right, symbol)?,
                };
                (by != 0).then_some((symbol, by))
            }
            _ => None,
        }
    }

    /// The constant in `i + constant`.
    fn difference(&self, right: &Expr, symbol: SymbolId) -> Option<i64> {
        match &right.kind {
            ExprKind::Paren(inner) => self.difference(inner, symbol),
            ExprKind::Binary { operator: BinaryOperator::Add, left, right } => match self.name_of(left) {
                Some(found) if found == symbol => self.constant(right),
                _ => self.constant(left).filter(|_| self.name_of(right) == Some(symbol)),
            },
            ExprKind::Binary { operator: BinaryOperator::Subtract, left, right } => {
                self.constant(right).filter(|_| self.name_of(left) == Some(symbol))?.checked_neg()
            }
            _ => None,
        }
    }

    /// The integer variable that an expression is.
    fn name_of(&self, expr: &Expr) -> Option<SymbolId> {
        match &expr.kind {
            ExprKind::Paren(inner) => self.name_of(inner),
            ExprKind::Ident(_) => {
                let id = self.bound().symbol_of(expr.id)?;
                let ty = &self.bound().symbol(id).ty;
                (self.integer(ty).is_some() && !ty.qualifiers.volatile && !ty.qualifiers.atomic).then_some(id)
            }
            _ => None,
        }
    }

    /// The value of the variable before the loop.
    fn first_value<'t>(&self, init: &'t ForInit, symbol: SymbolId) -> Option<&'t Expr> {
        match init {
            ForInit::None => None,
            ForInit::Expr(init) => self.assigned_value(init, symbol),
            ForInit::Declaration(declaration) => declaration.declarators.iter().find_map(|init| {
                let declared = init.declarator.name.and_then(|name| self.bound().declared_at(name.token));
                match &init.initializer {
                    Some(Initializer::Expr(value)) if declared == Some(symbol) => Some(&**value),
                    _ => None,
                }
            }),
        }
    }

    fn assigned_value<'t>(&self, init: &'t Expr, symbol: SymbolId) -> Option<&'t Expr> {
        match &init.kind {
            ExprKind::Paren(inner) => self.assigned_value(inner, symbol),
            ExprKind::Comma(first, second) => {
                self.assigned_value(second, symbol).or_else(|| self.assigned_value(first, symbol))
            }
            ExprKind::Assign { operator: None, left, right } => {
                if self.name_of(left) == Some(symbol) {
                    // `i = j = 0`
                    return Some(self.innermost_value(right));
                }
                self.assigned_value(right, symbol)
            }
            _ => None,
        }
    }

    fn innermost_value<'t>(&self, right: &'t Expr) -> &'t Expr {
        match &right.kind {
            ExprKind::Assign { operator: None, right, left } if self.name_of(left).is_some() => {
                self.innermost_value(right)
            }
            _ => right,
        }
    }

    /// The comparison that ends the loop, and whether it is the only condition.
    fn limiting<'t>(&self, condition: &'t Expr, symbol: SymbolId) -> Option<(&'t Expr, bool)> {
        match &condition.kind {
            ExprKind::Paren(inner) => self.limiting(inner, symbol),
            ExprKind::Binary { operator: BinaryOperator::And, left, right } => {
                let found = self.limiting(left, symbol).or_else(|| self.limiting(right, symbol));
                found.map(|(condition, _)| (condition, false))
            }
            ExprKind::Binary { operator, left, right } if comparison(*operator).is_some() => {
                let names = |expr: &Expr| mentions(expr, &|part| self.name_of(part) == Some(symbol));
                (names(left) || names(right)).then_some((condition, true))
            }
            _ => None,
        }
    }

    /// The last value of the variable for which a comparison can hold.
    fn limit(&mut self, condition: &Expr, variable: VariableId, first: &Affine, by: i64) -> Option<Affine> {
        let ExprKind::Binary { operator, left, right } = &condition.kind else { return None };
        // A variable that begins at 0 or above and increases has the same values as an unsigned one.
        let is_natural = first.as_constant().is_some_and(|first| first >= 0) && by > 0;
        if !self.compares_as_integers(left, right) && !is_natural {
            return None;
        }
        let sign = comparison(*operator)?;
        let (left, right) = (self.sum_of(left)?, self.sum_of(right)?);
        // `variable sign limit`, with the variable alone on the left.
        let difference = left.sub(&right)?;
        let (limit, sign) = match difference.factor(variable) {
            1 => (difference.sub(&Affine::variable(variable))?.scale(-1)?, sign),
            -1 => (difference.add(&Affine::variable(variable))?, turned(sign)),
            _ => return None,
        };
        let offset = match (sign, by) {
            (Comparison::Less, 1..) | (Comparison::NotEqual, 1) => -1,
            (Comparison::Greater, ..=-1) | (Comparison::NotEqual, -1) => 1,
            (Comparison::LessOrEqual, 1..) | (Comparison::GreaterOrEqual, ..=-1) => 0,
            _ => return None,
        };
        limit.add(&Affine::constant(offset))
    }

    /// Whether the variables of an expression do not change in the loop, except the loop variable.
    fn keeps(&self, expr: &Expr, parts: &ForParts) -> bool {
        let step = self.stepped(parts.step).map(|found| found.0);
        !mentions(expr, &|part| match (&part.kind, self.bound().symbol_of(part.id)) {
            (ExprKind::Ident(_), Some(id)) if Some(id) != step => !self.is_kept(id, parts),
            _ => false,
        })
    }

    fn is_kept(&self, id: SymbolId, parts: &ForParts) -> bool {
        use crate::bind::c::SymbolKind;
        let is_own = match self.bound().symbol(id).kind {
            SymbolKind::EnumConstant => return true,
            SymbolKind::Variable | SymbolKind::Parameter => self.is_private(id),
            SymbolKind::Function | SymbolKind::Typedef => return false,
        };
        let mut changed = [parts.condition.range, parts.step.range, parts.body.range].into_iter();
        changed.all(|range| self.sets_in(id, range) == 0 && (is_own || self.keeps_global(id, range)))
    }

    /// How often a variable is set in a range.
    fn sets_in(&self, id: SymbolId, range: Range) -> usize {
        let sets = self.sets.get(&id).map_or(&[][..], Vec::as_slice);
        sets.partition_point(|&at| at < range.end) - sets.partition_point(|&at| at < range.start)
    }

    /// Whether no code in the range can change a variable of the file or of the program: its address is not
    /// taken, and there are no calls.
    fn keeps_global(&self, id: SymbolId, range: Range) -> bool {
        let symbol = self.bound().symbol(id);
        let is_known = match symbol.storage {
            StorageKind::Global => self.unit.is_whole,
            StorageKind::StaticFile => true,
            _ => false,
        };
        let link = self.unit.link(id);
        let is_hidden = self.unit.addressed.contains(&link) || self.unit.has_alias(&link);
        if !is_known || self.unit.has_unparsed || symbol.ty.qualifiers.volatile || is_hidden {
            return false;
        }
        let next = self.calls.get(self.calls.partition_point(|&call| call < range.start));
        next.is_none_or(|&call| call >= range.end)
    }
}

/// `b > a` for `a < b`.
fn turned(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::Greater,
        Comparison::LessOrEqual => Comparison::GreaterOrEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterOrEqual => Comparison::LessOrEqual,
        Comparison::Equal => Comparison::Equal,
        Comparison::NotEqual => Comparison::NotEqual,
    }
}

pub(super) fn mentions(expr: &Expr, wanted: &impl Fn(&Expr) -> bool) -> bool {
    wanted(expr) || parts(expr).into_iter().any(|part| mentions(part, wanted))
}

/// Whether the body of a loop may leave it other than through the header.
fn leaves(body: &Statement) -> bool {
    statement_leaves(body, true)
}

fn statement_leaves(statement: &Statement, breaks: bool) -> bool {
    match &statement.kind {
        StatementKind::Break => breaks,
        StatementKind::Return(_) | StatementKind::Goto(_) | StatementKind::ComputedGoto(_) => true,
        StatementKind::Asm { goto } => *goto,
        StatementKind::Expr(value) => value.as_deref().is_some_and(expression_leaves),
        StatementKind::Continue => false,
        StatementKind::Compound(compound) => compound_leaves(compound, breaks),
        StatementKind::If { condition, then, otherwise } => {
            expression_leaves(condition)
                || statement_leaves(then, breaks)
                || otherwise.as_deref().is_some_and(|otherwise| statement_leaves(otherwise, breaks))
        }
        StatementKind::Switch { condition, body }
        | StatementKind::While { condition, body }
        | StatementKind::DoWhile { condition, body } => {
            expression_leaves(condition) || statement_leaves(body, false)
        }
        StatementKind::For { body, condition, step, .. } => {
            [condition, step].into_iter().flatten().any(|part| expression_leaves(part))
                || statement_leaves(body, false)
        }
        StatementKind::Label { body, .. }
        | StatementKind::Case { body, .. }
        | StatementKind::Default { body } => statement_leaves(body, breaks),
    }
}

fn compound_leaves(compound: &Compound, breaks: bool) -> bool {
    compound.items.iter().any(|item| match item {
        BlockItem::Statement(statement) => statement_leaves(statement, breaks),
        BlockItem::Declaration(declaration) => {
            declaration.declarators.iter().any(|init| match &init.initializer {
                Some(Initializer::Expr(value)) => expression_leaves(value),
                Some(Initializer::List(_)) | None => false,
            })
        }
        BlockItem::Function(_) | BlockItem::StaticAssert(_) | BlockItem::LocalLabels(_) => false,
    })
}

/// A statement expression may leave the loop.
fn expression_leaves(expr: &Expr) -> bool {
    mentions(expr, &|part| match &part.kind {
        ExprKind::Statement(body) => compound_leaves(body, true),
        _ => false,
    })
}

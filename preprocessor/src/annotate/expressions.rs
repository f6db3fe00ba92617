//! Walks over the expressions of C.
//!
//! Input: a statement, a declaration or an expression.
//! Output: every expression in it, outer ones first.

use cppc_grammar::c::tree::{
    BlockItem, Compound, Declaration, Expr, ExprKind, ForInit, InitList, Initializer, Statement,
    StatementKind,
};

pub fn of_declaration<'e>(declaration: &'e Declaration, visit: &mut dyn FnMut(&'e Expr)) {
    for declarator in &declaration.declarators {
        of_initializer(declarator.initializer.as_ref(), visit);
    }
}

pub fn of_statement<'e>(statement: &'e Statement, visit: &mut dyn FnMut(&'e Expr)) {
    match &statement.kind {
        StatementKind::Expr(value) | StatementKind::Return(value) => {
            value.iter().for_each(|value| each(value, visit));
        }
        StatementKind::Compound(block) => of_block(block, visit),
        StatementKind::If { condition, then, otherwise } => {
            each(condition, visit);
            of_statement(then, visit);
            otherwise.iter().for_each(|otherwise| of_statement(otherwise, visit));
        }
        StatementKind::Switch { condition, body }
        | StatementKind::While { condition, body }
        | StatementKind::DoWhile { body, condition } => {
            each(condition, visit);
            of_statement(body, visit);
        }
        StatementKind::For { init, condition, step, body } => {
            match init {
                ForInit::None => {}
                ForInit::Expr(value) => each(value, visit),
                ForInit::Declaration(declaration) => of_declaration(declaration, visit),
            }
            [condition, step].into_iter().flatten().for_each(|value| each(value, visit));
            of_statement(body, visit);
        }
        StatementKind::ComputedGoto(value) => each(value, visit),
        StatementKind::Label { body, .. }
        | StatementKind::Case { body, .. }
        | StatementKind::Default { body } => {
            of_statement(body, visit);
        }
        StatementKind::Goto(_)
        | StatementKind::Continue
        | StatementKind::Break
        | StatementKind::Asm { .. } => {}
    }
}

fn of_block<'e>(block: &'e Compound, visit: &mut dyn FnMut(&'e Expr)) {
    for item in &block.items {
        match item {
            BlockItem::Declaration(declaration) => of_declaration(declaration, visit),
            BlockItem::Statement(statement) => of_statement(statement, visit),
            BlockItem::Function(_) | BlockItem::StaticAssert(_) | BlockItem::LocalLabels(_) => {}
        }
    }
}

fn of_initializer<'e>(initializer: Option<&'e Initializer>, visit: &mut dyn FnMut(&'e Expr)) {
    match initializer {
        None => {}
        Some(Initializer::Expr(value)) => each(value, visit),
        Some(Initializer::List(list)) => of_list(list, visit),
    }
}

fn of_list<'e>(list: &'e InitList, visit: &mut dyn FnMut(&'e Expr)) {
    list.items.iter().for_each(|item| of_initializer(Some(&item.value), visit));
}

/// An expression and all that are in it.
pub fn each<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    visit(expr);
    match &expr.kind {
        ExprKind::Ident(_)
        | ExprKind::Integer(_)
        | ExprKind::Float(_)
        | ExprKind::Character(_)
        | ExprKind::String(_)
        | ExprKind::Bool(_)
        | ExprKind::Null
        | ExprKind::SizeofType(_)
        | ExprKind::AlignofType(_)
        | ExprKind::LabelAddress(_)
        | ExprKind::Offsetof(_)
        | ExprKind::TypesCompatible(..) => {}
        ExprKind::Paren(inner) | ExprKind::SizeofExpr(inner) | ExprKind::AlignofExpr(inner) => {
            each(inner, visit)
        }
        ExprKind::Statement(block) => of_block(block, visit),
        ExprKind::Generic { control, associations } => {
            each(control, visit);
            associations.iter().for_each(|(_, value)| each(value, visit));
        }
        ExprKind::Call { callee, arguments } => {
            each(callee, visit);
            arguments.iter().for_each(|argument| each(argument, visit));
        }
        ExprKind::Index { base: left, index: right }
        | ExprKind::Binary { left, right, .. }
        | ExprKind::Assign { left, right, .. }
        | ExprKind::Comma(left, right) => {
            each(left, visit);
            each(right, visit);
        }
        ExprKind::Member { base: inner, .. }
        | ExprKind::Unary { operand: inner, .. }
        | ExprKind::Cast { operand: inner, .. }
        | ExprKind::VaArg { list: inner, .. }
        | ExprKind::Convert { operand: inner, .. } => each(inner, visit),
        ExprKind::Conditional { condition, then, otherwise } => {
            each(condition, visit);
            then.iter().for_each(|then| each(then, visit));
            each(otherwise, visit);
        }
        ExprKind::Compound { list, .. } => of_list(list, visit),
        ExprKind::Choose(first, second, third) => {
            [first, second, third].into_iter().for_each(|part| each(part, visit));
        }
        ExprKind::TypeGeneric(values) => values.iter().for_each(|value| each(value, visit)),
    }
}

/// The call whose result a statement uses for nothing else than an assignment.
pub(super) fn outermost_call(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        ExprKind::Call { .. } => Some(expr),
        ExprKind::Assign { operator: None, right, .. } => outermost_call(right),
        ExprKind::Cast { operand, .. } => outermost_call(operand),
        ExprKind::Paren(inner) => outermost_call(inner),
        _ => None,
    }
}

/// Whether the expression calls or assigns.
pub(super) fn acts(expr: &Expr) -> bool {
    let mut acts = false;
    each(expr, &mut |expr| acts |= matches!(expr.kind, ExprKind::Call { .. } | ExprKind::Assign { .. }));
    acts
}

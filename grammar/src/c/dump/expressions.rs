//! Expressions as nodes.

use super::{group, node, Node, Writer};
use crate::c::tree::{BinaryOperator, Expr, ExprKind, UnaryOperator};

impl Writer<'_> {
    pub(super) fn expression(&self, expression: &Expr) -> Node {
        let label = self.label(&expression.kind);
        node(label, expression.range, self.operands(&expression.kind))
    }

    fn label(&self, kind: &ExprKind) -> String {
        let label = match kind {
            ExprKind::Ident(name) => self.name(*name),
            ExprKind::Integer(text) | ExprKind::Float(text) | ExprKind::Character(text) => self.text(*text),
            ExprKind::String(texts) => {
                let texts: Vec<&str> = texts.iter().map(|text| self.text(*text)).collect();
                return texts.join(" ");
            }
            ExprKind::Bool(true) => "true",
            ExprKind::Bool(false) => "false",
            ExprKind::Null => "nullptr",
            ExprKind::Paren(_) => "( )",
            ExprKind::Statement(_) => "({ })",
            ExprKind::Generic { .. } => "_Generic",
            ExprKind::Call { .. } => "call",
            ExprKind::Index { .. } => "[ ]",
            ExprKind::Member { arrow, field, .. } => {
                let sign = if *arrow { "->" } else { "." };
                return format!("{sign}{}", self.name(*field));
            }
            ExprKind::Unary { operator, .. } => unary(*operator),
            ExprKind::Binary { operator, .. } => binary(*operator),
            ExprKind::Assign { operator, .. } => {
                return format!("{}=", operator.map_or("", binary));
            }
            ExprKind::Conditional { then: Some(_), .. } => "? :",
            ExprKind::Conditional { then: None, .. } => "?:",
            ExprKind::Comma(..) => ",",
            ExprKind::Cast { .. } => "cast",
            ExprKind::Compound { .. } => "compound literal",
            ExprKind::SizeofExpr(_) | ExprKind::SizeofType(_) => "sizeof",
            ExprKind::AlignofExpr(_) | ExprKind::AlignofType(_) => "_Alignof",
            ExprKind::LabelAddress(label) => return format!("&&{}", self.name(*label)),
            ExprKind::Offsetof(_) => "offsetof",
            ExprKind::TypesCompatible(..) => "types compatible",
            ExprKind::VaArg { .. } => "va_arg",
            ExprKind::Choose(..) => "choose",
            ExprKind::TypeGeneric(_) => "type-generic call",
            ExprKind::Convert { .. } => "convert vector",
        };
        label.to_owned()
    }

    fn operands(&self, kind: &ExprKind) -> Vec<Node> {
        match kind {
            ExprKind::Paren(one)
            | ExprKind::Unary { operand: one, .. }
            | ExprKind::Member { base: one, .. }
            | ExprKind::SizeofExpr(one)
            | ExprKind::AlignofExpr(one) => vec![self.expression(one)],
            ExprKind::Binary { left, right, .. }
            | ExprKind::Assign { left, right, .. }
            | ExprKind::Index { base: left, index: right }
            | ExprKind::Comma(left, right) => vec![self.expression(left), self.expression(right)],
            ExprKind::Conditional { condition, then, otherwise } => {
                let parts = [Some(condition), then.as_ref(), Some(otherwise)];
                parts.into_iter().flatten().map(|part| self.expression(part)).collect()
            }
            ExprKind::Choose(condition, left, right) => {
                [condition, left, right].into_iter().map(|part| self.expression(part)).collect()
            }
            ExprKind::Call { callee, arguments } => {
                let rest = arguments.iter().map(|argument| self.expression(argument));
                std::iter::once(self.expression(callee)).chain(rest).collect()
            }
            ExprKind::TypeGeneric(parts) => parts.iter().map(|p| self.expression(p)).collect(),
            ExprKind::Statement(block) => vec![self.compound(block)],
            ExprKind::SizeofType(of) | ExprKind::AlignofType(of) | ExprKind::Offsetof(of) => {
                vec![self.type_name(of)]
            }
            ExprKind::TypesCompatible(left, right) => {
                vec![self.type_name(left), self.type_name(right)]
            }
            ExprKind::Cast { to, operand } => vec![self.type_name(to), self.expression(operand)],
            ExprKind::Compound { to, list } => vec![self.type_name(to), self.list(list)],
            ExprKind::VaArg { list: operand, to } | ExprKind::Convert { operand, to } => {
                vec![self.expression(operand), self.type_name(to)]
            }
            ExprKind::Generic { control, associations } => {
                let mut parts = vec![self.expression(control)];
                for (to, value) in associations {
                    let label = if to.is_some() { "association" } else { "default" };
                    let to = to.iter().map(|to| self.type_name(to));
                    parts.push(group(label, to.chain([self.expression(value)]).collect()));
                }
                parts
            }
            ExprKind::Ident(_)
            | ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::Character(_)
            | ExprKind::String(_)
            | ExprKind::Bool(_)
            | ExprKind::Null
            | ExprKind::LabelAddress(_) => Vec::new(),
        }
    }
}

fn unary(operator: UnaryOperator) -> &'static str {
    match operator {
        UnaryOperator::Address => "&",
        UnaryOperator::Dereference => "*",
        UnaryOperator::Plus => "+",
        UnaryOperator::Minus => "-",
        UnaryOperator::Complement => "~",
        UnaryOperator::Not => "!",
        UnaryOperator::PreIncrement => "++ _",
        UnaryOperator::PreDecrement => "-- _",
        UnaryOperator::PostIncrement => "_ ++",
        UnaryOperator::PostDecrement => "_ --",
        UnaryOperator::Real => "__real__",
        UnaryOperator::Imaginary => "__imag__",
        UnaryOperator::Extension => "__extension__",
    }
}

fn binary(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Multiply => "*",
        BinaryOperator::Divide => "/",
        BinaryOperator::Remainder => "%",
        BinaryOperator::Add => "+",
        BinaryOperator::Subtract => "-",
        BinaryOperator::ShiftLeft => "<<",
        BinaryOperator::ShiftRight => ">>",
        BinaryOperator::Less => "<",
        BinaryOperator::Greater => ">",
        BinaryOperator::LessEqual => "<=",
        BinaryOperator::GreaterEqual => ">=",
        BinaryOperator::Equal => "==",
        BinaryOperator::NotEqual => "!=",
        BinaryOperator::BitAnd => "&",
        BinaryOperator::BitXor => "^",
        BinaryOperator::BitOr => "|",
        BinaryOperator::And => "&&",
        BinaryOperator::Or => "||",
    }
}

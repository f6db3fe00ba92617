//! Expressions on one line.

use super::Writer;
use crate::fortran::logical::At;
use crate::fortran::tree::{Argument, ArgumentKind, Expr, ExprKind, LabelUse, Literal, Operator};

impl Writer<'_> {
    pub(super) fn expression(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Literal(literal) => self.literal(literal, expr.at),
            ExprKind::Name(name) => name.text.clone(),
            ExprKind::Reference { base, arguments } => {
                format!("{}({})", self.expression(base), self.arguments(arguments))
            }
            ExprKind::Component { base, name } => format!("{}%{}", self.expression(base), name.text),
            ExprKind::Unary { operator, operand } => {
                format!("{{{} {}}}", symbol(operator), self.expression(operand))
            }
            ExprKind::Binary { operator, left, right } => {
                format!("{{{} {} {}}}", self.expression(left), symbol(operator), self.expression(right))
            }
            ExprKind::Parenthesized(inner) => format!("({})", self.expression(inner)),
            ExprKind::ArrayConstructor { spec, items } => {
                let spec = spec.as_ref().map_or(String::new(), |spec| self.type_spec(spec) + " :: ");
                format!("[{spec}{}]", self.list(items))
            }
            ExprKind::ImpliedDo { items, variable, bounds } => {
                format!("({}, {} = {})", self.list(items), variable.text, self.list(bounds))
            }
            ExprKind::Other(inner) => format!("other({})", self.list(inner)),
        }
    }

    pub(super) fn list(&self, list: &[Expr]) -> String {
        let list: Vec<String> = list.iter().map(|expr| self.expression(expr)).collect();
        list.join(", ")
    }

    pub(super) fn arguments(&self, arguments: &[Argument]) -> String {
        let list: Vec<String> = arguments.iter().map(|argument| self.argument(argument)).collect();
        list.join(", ")
    }

    fn argument(&self, argument: &Argument) -> String {
        let keyword = argument.keyword.as_ref().map_or(String::new(), |name| format!("{}=", name.text));
        let value = match &argument.kind {
            ArgumentKind::Value(value) => self.expression(value),
            ArgumentKind::Range { lower, upper, stride } => {
                let bound = |bound: &Option<Box<Expr>>| {
                    bound.as_ref().map_or(String::new(), |bound| self.expression(bound))
                };
                let stride = stride.as_ref().map_or(String::new(), |by| format!(":{}", self.expression(by)));
                format!("{}:{}{stride}", bound(lower), bound(upper))
            }
            ArgumentKind::AlternateReturn(label) => format!("*{}", label.value),
            ArgumentKind::Star => "*".to_owned(),
        };
        keyword + &value
    }

    fn literal(&self, literal: &Literal, at: At) -> String {
        let text = self.text(at);
        let kind = match literal {
            Literal::Integer { .. } | Literal::Logical { .. } => return text,
            Literal::Real { double: false, .. } => return text,
            Literal::Real { double: true, .. } => "double",
            Literal::Complex => "complex",
            Literal::Character { length } => return format!("character*{length} {text}"),
            Literal::Hollerith { length } => return format!("hollerith*{length} {text}"),
            Literal::Boz => "boz",
        };
        format!("{kind} {text}")
    }

    /// The text of a range, with its blanks.
    pub(super) fn text(&self, at: At) -> String {
        let line = self.lines.lines.get(at.line.0 as usize);
        let bytes = line.and_then(|line| line.text.get(at.start as usize..at.end as usize));
        String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned()
    }
}

pub(super) fn labels(labels: &[LabelUse]) -> String {
    let list: Vec<String> = labels.iter().map(|label| label.value.to_string()).collect();
    list.join(", ")
}

fn symbol(operator: &Operator) -> String {
    let symbol = match operator {
        Operator::Add => "+",
        Operator::Subtract => "-",
        Operator::Multiply => "*",
        Operator::Divide => "/",
        Operator::Power => "**",
        Operator::Concatenate => "//",
        Operator::Equal => "==",
        Operator::NotEqual => "/=",
        Operator::Less => "<",
        Operator::LessEqual => "<=",
        Operator::Greater => ">",
        Operator::GreaterEqual => ">=",
        Operator::Not => ".not.",
        Operator::And => ".and.",
        Operator::Or => ".or.",
        Operator::Equivalent => ".eqv.",
        Operator::NotEquivalent => ".neqv.",
        Operator::Defined(name) => return format!(".{name}."),
    };
    symbol.to_owned()
}

//! Calls of C that get a statement of their own, so that an `execute` block can contain them.
//!
//! Input: a call that creates a handle, and the statement around it.
//! Output: the block with the call, and the text that replaces it.
//! Postcondition: the program does the same in the same order.
//!
//! | before | after |
//! |---|---|
//! | `if ((f = fopen(a, b)) == NULL) return 1;` | a block with `f = fopen(a, b);`, then `if ((f) == NULL) return 1;` |
//! | `FILE *f = fopen(a, b);` | `FILE *f;`, then a block with `f = fopen(a, b);` |

use cppc_grammar::c::tree::{
    BinaryOperator, BlockItem, Declaration, Expr, ExprKind, Initializer, Specifiers, Statement,
    StatementKind, Storage, TypeSpecifier,
};
use cppc_source::Span;

use super::c::{is_repeatable, unlabelled, unwrapped, CSource};
use super::spot::{after_line, line_start, Gap, Separated, Spot};

impl CSource<'_> {
    pub(super) fn separate(&self, at: Span) -> Option<Separated> {
        let (call, item) = self.call(at)?;
        match item {
            BlockItem::Declaration(declaration) => self.separate_declaration(declaration, call),
            BlockItem::Statement(statement) => {
                let innermost = self.unbraced(statement, at.start).unwrap_or(statement);
                self.separate_condition(unlabelled(innermost), call, at)
            }
            BlockItem::Function(_) | BlockItem::StaticAssert(_) | BlockItem::LocalLabels(_) => None,
        }
    }

    fn separate_declaration(&self, declaration: &Declaration, call: &Expr) -> Option<Separated> {
        let [declarator] = &declaration.declarators[..] else { return None };
        let Some(Initializer::Expr(value)) = &declarator.initializer else { return None };
        let name = declarator.declarator.name?;
        let bound = &self.unit.bound;
        let symbol = bound.symbols.iter().find(|symbol| symbol.declared == name.token)?;
        let is_plain = unwrapped(value).id == call.id
            && !symbol.ty.qualifiers.constant
            && declarator.declarator.attributes.is_empty()
            && !is_static(&declaration.specifiers)
            && !matches!(declaration.specifiers.kind, TypeSpecifier::Inferred);
        let (_, start) = self.bytes(declarator.declarator.range)?;
        let (_, end) = self.bytes(declaration.range)?;
        let (_, value_end) = self.bytes(value.range)?;
        if !is_plain || end < value_end {
            return None;
        }
        let name = self.unit.preprocessed.names.text(name.name);
        let after = after_line(self.text, end, b"//", b"/*");
        Some(Separated {
            before: after,
            after,
            is_after: true,
            statement: format!("{}{name} = {};", self.indent(start), self.one_line(value)?),
            at: Spot { offset: start, gap: Gap::Replaced },
            end: value_end,
            text: String::new(),
        })
    }

    fn separate_condition(&self, statement: &Statement, call: &Expr, at: Span) -> Option<Separated> {
        let condition = match &statement.kind {
            StatementKind::If { condition, .. } if jumps(statement) => condition,
            StatementKind::Switch { condition, .. } if jumps(statement) => condition,
            StatementKind::Return(Some(value)) => value,
            _ => return None,
        };
        let assignment = first_assignment(condition, call)?;
        let ExprKind::Assign { left, .. } = &assignment.kind else { return None };
        let (start, end) = self.bytes(assignment.range)?;
        let (before, after) = super::Positions::around(self, at)?;
        Some(Separated {
            before,
            after,
            is_after: false,
            statement: format!("{}{};", self.indent(before.offset), self.one_line(assignment)?),
            at: Spot { offset: start, gap: Gap::Replaced },
            end,
            text: self.one_line(left)?,
        })
    }

    /// The white space at the beginning of the line.
    fn indent(&self, offset: u32) -> String {
        let rest = &self.text[line_start(self.text, offset) as usize..];
        let end = rest.iter().position(|byte| !matches!(byte, b' ' | b'\t')).unwrap_or(rest.len());
        String::from_utf8_lossy(&rest[..end]).into_owned()
    }

    /// The text of an expression in one line. None if that would change its meaning.
    fn one_line(&self, expr: &Expr) -> Option<String> {
        let (start, end) = self.bytes(expr.range)?;
        let text = String::from_utf8_lossy(&self.text[start as usize..end as usize]);
        let mut lines = text.lines().map(str::trim_start);
        let mut joined = lines.next()?.to_owned();
        for line in lines {
            // A comment would take what follows it.
            if joined.contains("//") || joined.ends_with('\\') || line.starts_with('#') {
                return None;
            }
            joined = format!("{} {line}", joined.trim_end());
        }
        Some(joined)
    }
}

fn is_static(specifiers: &Specifiers) -> bool {
    specifiers.storage != Storage::default()
}

/// Whether control may leave the statement.
fn jumps(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Goto(_)
        | StatementKind::ComputedGoto(_)
        | StatementKind::Continue
        | StatementKind::Break
        | StatementKind::Return(_) => true,
        StatementKind::Compound(block) => block.items.iter().any(|item| match item {
            BlockItem::Statement(inner) => jumps(inner),
            _ => false,
        }),
        _ => statement.bodies().into_iter().any(jumps),
    }
}

/// The assignment of the result of the call, if nothing else with an effect is evaluated before it.
fn first_assignment<'e>(expr: &'e Expr, call: &Expr) -> Option<&'e Expr> {
    match &expr.kind {
        ExprKind::Assign { operator: None, left, right } => {
            (unwrapped(right).id == call.id && is_repeatable(left)).then_some(expr)
        }
        ExprKind::Paren(inner) | ExprKind::Cast { operand: inner, .. } => first_assignment(inner, call),
        ExprKind::Unary { operand, .. } => first_assignment(operand, call),
        ExprKind::Binary { operator: BinaryOperator::And | BinaryOperator::Or, left, .. } => {
            first_assignment(left, call)
        }
        ExprKind::Binary { left, right, .. } => {
            let of_left = first_assignment(left, call).filter(|_| is_repeatable(right));
            of_left.or_else(|| first_assignment(right, call).filter(|_| is_repeatable(left)))
        }
        ExprKind::Comma(left, _) => first_assignment(left, call),
        _ => None,
    }
}

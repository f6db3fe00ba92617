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
//! | `FILE *f = NULL, *g;` | `FILE *f, *g;`, then a block with `f = NULL;` |
//! | `if (MPI_Comm_dup(a, &b) != 0) return 1;`, and the same in a macro | `{`, a block with `cppc_result = MPI_Comm_dup(a, &b);`, then `if (cppc_result != 0) return 1;}` |

use cppc_grammar::c::tree::{
    Basic, BinaryOperator, BlockItem, Compound, Declaration, Expr, ExprKind, InitDeclarator, Initializer,
    Specifiers, Statement, StatementKind, Storage, TypeSpecifier,
};
use cppc_source::Span;

use super::c::{is_repeatable, unlabelled, unwrapped, CSource};
use super::expressions::of_statement;
use super::spot::{after_line, braces, line_start, Gap, Separated, Spot};
use crate::bind::c::Kind;

impl CSource<'_> {
    pub(super) fn separate(&self, at: Span) -> Option<Separated> {
        let (call, item) = self.call(at)?;
        match item {
            BlockItem::Declaration(declaration) => {
                let [declarator] = &declaration.declarators[..] else { return None };
                let is_call = |value: &Expr| unwrapped(value).id == call.id;
                self.separate_declaration(declaration, declarator, &is_call)
            }
            BlockItem::Statement(statement) => {
                let innermost = unlabelled(self.unbraced(statement, at.start).unwrap_or(statement));
                let assigned = self.separate_assignment(innermost, call, at);
                assigned.or_else(|| self.separate_result(innermost, call))
            }
            BlockItem::Function(_) | BlockItem::StaticAssert(_) | BlockItem::LocalLabels(_) => None,
        }
    }

    /// The initial value of a variable, which is a constant. It may be set after the other variables of the declaration, if they do
    /// not use it.
    pub(super) fn separate_constant(&self, at: Span) -> Option<Separated> {
        let BlockItem::Declaration(declaration) = self.item_at(at)? else { return None };
        let is_here = |value: &Expr| self.spans.anchor(value.range) == at;
        let has_value = |declarator: &&InitDeclarator| match &declarator.initializer {
            Some(Initializer::Expr(value)) => is_here(value),
            Some(Initializer::List(_)) | None => false,
        };
        let declarator = declaration.declarators.iter().find(has_value)?;
        if self.is_used_after(declaration, declarator) {
            return None;
        }
        self.separate_declaration(declaration, declarator, &is_here)
    }

    /// Whether the rest of a declaration names a variable of it: in an initial value, a size or a type.
    fn is_used_after(&self, declaration: &Declaration, declarator: &InitDeclarator) -> bool {
        let rest = declarator.range.end as usize..declaration.range.end as usize;
        let tokens = self.unit.preprocessed.tokens.get(rest).unwrap_or_default();
        declarator.declarator.name.is_some_and(|name| tokens.iter().any(|token| token.text == name.name))
    }

    fn separate_declaration(
        &self,
        declaration: &Declaration,
        declarator: &InitDeclarator,
        is_meant: &dyn Fn(&Expr) -> bool,
    ) -> Option<Separated> {
        let Some(Initializer::Expr(value)) = &declarator.initializer else { return None };
        let name = declarator.declarator.name?;
        let bound = &self.unit.bound;
        let symbol = bound.symbols.iter().find(|symbol| symbol.declared == name.token)?;
        let is_plain = is_meant(value)
            && self.spans.of(declaration.range).is_some()
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
            declaration: None,
            statement: format!("{}{name} = {};", self.indent(start), self.one_line(value)?),
            at: Spot { offset: start, gap: Gap::Replaced },
            end: value_end,
            text: String::new(),
        })
    }

    /// The call assigns the handle in a condition.
    fn separate_assignment(&self, statement: &Statement, call: &Expr, at: Span) -> Option<Separated> {
        let condition = match &statement.kind {
            StatementKind::If { condition, .. } if jumps(statement) => condition,
            StatementKind::Switch { condition, .. } if jumps(statement) => condition,
            StatementKind::Return(Some(value)) => value,
            _ => return None,
        };
        let assignment = first_assignment(condition, call)?;
        let ExprKind::Assign { left, .. } = &assignment.kind else { return None };
        let span = self.spans.of(assignment.range)?;
        let (before, after) = super::Positions::around(self, at)?;
        Some(Separated {
            before,
            after,
            is_after: false,
            declaration: None,
            statement: format!("{}{};", self.indent(before.offset), self.one_line(assignment)?),
            at: Spot { offset: span.start, gap: Gap::Replaced },
            end: span.end,
            text: self.one_line(left)?,
        })
    }

    /// The call returns a status, which decides whether the statement jumps.
    fn separate_result(&self, statement: &Statement, call: &Expr) -> Option<Separated> {
        let is_number = self.unit.bound.value_type(call.id).kind == Kind::Basic(Basic::Int);
        if !is_number || !jumps(statement) || !self.is_first(statement, call) {
            return None;
        }
        let span = self.spans.spelled(call.range, self.text)?;
        // A macro may use its argument again.
        let mut uses = 0;
        of_statement(statement, &mut |expr| {
            uses += usize::from(self.spans.spelled(expr.range, self.text) == Some(span));
        });
        let (start, end) = self.bytes(statement.range)?;
        let (before, after) = braces((start, end));
        (uses == 1).then_some(Separated {
            before,
            after,
            is_after: false,
            declaration: Some(format!("{}int {RESULT};", self.indent(start))),
            statement: format!("{}{RESULT} = {};", self.indent(start), self.one_line(call)?),
            at: Spot { offset: span.start, gap: Gap::Replaced },
            end: span.end,
            text: RESULT.to_owned(),
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
        let span = self.spans.spelled(expr.range, self.text)?;
        let text = String::from_utf8_lossy(&self.text[span.start as usize..span.end as usize]);
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

/// Gets the result of a call that is moved out of a statement.
const RESULT: &str = "cppc_result";

/// A function of GCC that returns its first argument.
const EXPECT: &str = "__builtin_expect";

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

impl CSource<'_> {
    /// Whether a statement always evaluates the call, once, and nothing with an effect before it.
    fn is_first(&self, statement: &Statement, call: &Expr) -> bool {
        match &statement.kind {
            StatementKind::If { condition, .. } | StatementKind::Switch { condition, .. } => {
                self.evaluates_first(condition, call)
            }
            StatementKind::Return(Some(value)) | StatementKind::Expr(Some(value)) => {
                self.evaluates_first(value, call)
            }
            StatementKind::Compound(block) => self.is_first_in(block, call),
            StatementKind::DoWhile { body, condition } => {
                self.is_zero(condition) && self.is_first(body, call)
            }
            _ => false,
        }
    }

    fn is_first_in(&self, block: &Compound, call: &Expr) -> bool {
        for item in &block.items {
            match item {
                BlockItem::Statement(statement) => return self.is_first(statement, call),
                BlockItem::Declaration(declaration) => {
                    let mut values = declaration.declarators.iter().map(|one| one.initializer.as_ref());
                    match values.find_map(|value| value) {
                        None => {}
                        Some(Initializer::Expr(value)) => return self.evaluates_first(value, call),
                        Some(Initializer::List(_)) => return false,
                    }
                }
                BlockItem::Function(_) | BlockItem::StaticAssert(_) | BlockItem::LocalLabels(_) => {}
            }
        }
        false
    }

    fn evaluates_first(&self, expr: &Expr, call: &Expr) -> bool {
        let first = |expr| self.evaluates_first(expr, call);
        match &expr.kind {
            _ if expr.id == call.id => true,
            ExprKind::Paren(inner)
            | ExprKind::Cast { operand: inner, .. }
            | ExprKind::Convert { operand: inner, .. }
            | ExprKind::Unary { operand: inner, .. }
            | ExprKind::Comma(inner, _)
            | ExprKind::Conditional { condition: inner, .. }
            | ExprKind::Binary { operator: BinaryOperator::And | BinaryOperator::Or, left: inner, .. } => {
                first(inner)
            }
            ExprKind::Binary { left, right, .. } | ExprKind::Assign { left, right, .. } => {
                first(left) && is_repeatable(right) || first(right) && is_repeatable(left)
            }
            ExprKind::Call { callee, arguments } => match (&callee.kind, &arguments[..]) {
                (ExprKind::Ident(name), [inner, _]) => {
                    self.unit.preprocessed.names.text(name.name) == EXPECT && first(inner)
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn is_zero(&self, expr: &Expr) -> bool {
        match &unwrapped(expr).kind {
            ExprKind::Integer(text) => self.unit.preprocessed.names.text(*text) == "0",
            ExprKind::Bool(value) => !value,
            _ => false,
        }
    }
}

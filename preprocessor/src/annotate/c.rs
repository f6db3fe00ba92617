//! Where directives go in a C source, and how many elements an allocation has.
//!
//! Input: a parsed unit.
//! Output: offsets between statements, and texts of expressions.
//! Postcondition: a line at such an offset is between two statements, or between a condition and its statement
//! with braces around both.

use cppc_grammar::c::tree::{
    BlockItem, Compound, Expr, ExprKind, External, ForInit, Function, Range, Statement, StatementKind,
    UnaryOperator,
};
use cppc_grammar::directive_words::is_c_sentinel;
use cppc_source::{Files, Span};

use super::expressions::{acts, each, of_declaration, of_statement, outermost_call};
use super::pragmas::above_pragmas;
use super::registrar_place::RegistrarPlace;
use super::spot::{
    after_line, before_line, braces, end_of_text, ExecuteClauses, Gap, Separated, Spot, Style,
};
use super::{FieldBytes, Part, Parts, Positions};
use crate::front::c::Unit;
use crate::model::token_spans::TokenSpans;

pub struct CSource<'a> {
    pub(super) unit: &'a Unit,
    pub(super) spans: TokenSpans<'a>,
    pub(super) text: &'a [u8],
}

/// A block on the way to a statement, and which of its items comes at or after it.
pub(super) struct Step<'a> {
    pub block: &'a Compound,
    /// None at the end of the block.
    item: Option<&'a BlockItem>,
    contains: bool,
}

impl<'a> CSource<'a> {
    pub fn new(unit: &'a Unit, files: &'a Files) -> CSource<'a> {
        let spans = TokenSpans { preprocessed: &unit.preprocessed, main: unit.file };
        CSource { unit, spans, text: &files.get(unit.file).bytes }
    }

    /// Whether an expression has no other effect than the assignment at `at`.
    fn is_one_assignment(&self, expr: &Expr, at: Span) -> bool {
        let ExprKind::Assign { operator: None, left, right } = &expr.kind else { return false };
        let is_here =
            [expr.range, left.range, right.range].map(|range| self.spans.anchor(range)).contains(&at);
        is_here && is_repeatable(left) && is_repeatable(right)
    }

    /// The item of a block at `at`, or after it.
    pub(super) fn item_at(&self, at: Span) -> Option<&'a BlockItem> {
        self.steps(at.start)?.pop()?.item
    }

    /// The call at `at`, and the item of a block that contains it.
    pub(super) fn call(&self, at: Span) -> Option<(&'a Expr, &'a BlockItem)> {
        let item = self.item_at(at)?;
        let mut found = None;
        of_item(item, &mut |expr| {
            let is_call = matches!(expr.kind, ExprKind::Call { .. });
            // All calls of a macro have the same place. The first one is the one that the others check.
            if is_call && found.is_none() && self.spans.anchor(expr.range) == at {
                found = Some(expr);
            }
        });
        Some((found?, item))
    }

    /// The text of an expression as an operand of `*`.
    pub(super) fn operand(&self, expr: &Expr) -> Option<String> {
        let Some(span) = self.spans.spelled(expr.range, self.text) else {
            // A macro adds parentheses around its argument.
            let ExprKind::Paren(inner) = &expr.kind else { return None };
            return Some(format!("({})", self.operand(inner)?));
        };
        let text = String::from_utf8_lossy(&self.text[span.start as usize..span.end as usize]).into_owned();
        // White space in a string literal is a part of it.
        let one_line = match text.contains('\n') {
            true => text.split_whitespace().collect::<Vec<_>>().join(" "),
            false => text,
        };
        Some(match expr.kind {
            ExprKind::Binary { .. } | ExprKind::Conditional { .. } | ExprKind::Cast { .. } => {
                format!("({one_line})")
            }
            _ => one_line,
        })
    }

    /// The text of an expression before `[n]`. `*p[n]` would be one element of `p`.
    pub(super) fn before_brackets(&self, expr: &Expr) -> Option<String> {
        let text = self.operand(expr)?;
        let is_prefixed = matches!(expr.kind, ExprKind::Unary { .. });
        Some(if is_prefixed { format!("({text})") } else { text })
    }

    /// The blocks from the body of a procedure to the innermost one around an offset.
    pub(super) fn steps(&self, at: u32) -> Option<Vec<Step<'a>>> {
        let function = self.function(at)?;
        let mut steps = Vec::new();
        let mut block = Some(&function.body);
        while let Some(here) = block {
            let bounds = |item: &BlockItem| self.bytes(item.range());
            let item = here.items.iter().find(|item| bounds(item).is_some_and(|(_, end)| at < end));
            let contains = item.and_then(bounds).is_some_and(|(start, _)| start <= at);
            steps.push(Step { block: here, item, contains });
            block = match item {
                Some(BlockItem::Statement(statement)) if contains => self.block_in(statement, at),
                _ => None,
            };
        }
        Some(steps)
    }

    fn block_in(&self, statement: &'a Statement, at: u32) -> Option<&'a Compound> {
        match &statement.kind {
            // A macro is one statement here: nothing can be written into it.
            StatementKind::Compound(block) => {
                (self.holds(block.range, at) && !self.spans.is_of_one_macro(block.range)).then_some(block)
            }
            _ => statement.bodies().into_iter().find_map(|part| self.block_in(part, at)),
        }
    }

    /// The statement without braces in an `if` or a loop that contains the offset, if it is not in a block of its own.
    pub(super) fn unbraced(&self, statement: &'a Statement, at: u32) -> Option<&'a Statement> {
        // The parts of a macro begin where the macro is used.
        let start = |statement: &Statement| self.bytes(statement.range).map(|(start, _)| start);
        let is_part = |part: &&Statement| self.holds(part.range, at) && start(part) != start(statement);
        let part = statement.bodies().into_iter().find(is_part)?;
        match &statement.kind {
            StatementKind::Label { .. } | StatementKind::Case { .. } | StatementKind::Default { .. } => {
                self.unbraced(part, at)
            }
            _ if matches!(part.kind, StatementKind::Compound(_)) => None,
            _ => Some(self.unbraced(part, at).unwrap_or(part)),
        }
    }

    /// Before the first statement of a block.
    fn begin_of(&self, block: &Compound) -> Option<Spot> {
        let first = block.items.iter().find(|item| !matches!(item, BlockItem::Declaration(_)));
        let offset = match first {
            Some(item) => self.first_unlabelled(item)?,
            None => self.closing_brace(block.range)?,
        };
        Some(before_line(self.text, offset))
    }

    /// The scope that declares a variable.
    fn declaring(&self, steps: &[Step<'a>], declared: Span) -> Option<Scope<'a>> {
        let contains = |range: Range| declared.file == self.unit.file && self.holds(range, declared.start);
        for (level, step) in steps.iter().enumerate().rev() {
            if step.block.items.iter().any(|item| match item {
                BlockItem::Declaration(declaration) => contains(declaration.range),
                _ => false,
            }) {
                return Some(Scope::Block(level));
            }
            if let (Some(BlockItem::Statement(statement)), true) = (step.item, step.contains) {
                if let Some(body) = in_header(statement, &contains) {
                    return Some(match (&body.kind, level + 1 < steps.len()) {
                        (_, true) => Scope::Block(level + 1),
                        (StatementKind::Compound(block), false) => Scope::Body(block),
                        _ => Scope::Statement(body),
                    });
                }
            }
        }
        None
    }

    /// `return 1;`
    fn fails(&self, statement: &Statement) -> bool {
        let StatementKind::Return(Some(value)) = &statement.kind else { return false };
        match &unwrapped(value).kind {
            ExprKind::Integer(text) => self.unit.preprocessed.names.text(*text) != "0",
            ExprKind::Unary { operator: UnaryOperator::Minus, .. } => true,
            _ => false,
        }
    }

    fn function(&self, at: u32) -> Option<&'a Function> {
        self.unit.parsed.unit.items.iter().find_map(|item| match item {
            External::Function(function) if self.holds(function.range, at) => Some(&**function),
            _ => None,
        })
    }

    fn holds(&self, range: Range, at: u32) -> bool {
        self.bytes(range).is_some_and(|(start, end)| start <= at && at < end)
    }

    /// The brace may be written as a digraph or a trigraph.
    fn closing_brace(&self, block: Range) -> Option<u32> {
        self.spans.start(block.end.checked_sub(1)?)
    }

    pub(super) fn bytes(&self, range: Range) -> Option<(u32, u32)> {
        Some((self.spans.start(range.start)?, self.spans.end(range.end.checked_sub(1)?)?))
    }

    /// Where an item begins. Labels stay before the directive.
    fn first_unlabelled(&self, item: &BlockItem) -> Option<u32> {
        let BlockItem::Statement(statement) = item else { return Some(self.bytes(item.range())?.0) };
        Some(self.bytes(unlabelled(statement).range)?.0)
    }
}

impl Positions for CSource<'_> {
    fn before(&self, at: Span, declared: Option<Span>, nearest: bool) -> Option<Spot> {
        let steps = self.steps(at.start)?;
        if declared.is_some_and(|declared| declared.file == at.file && declared.start > at.start) {
            return None;
        }
        let level = match declared.and_then(|declared| self.declaring(&steps, declared)) {
            _ if nearest => steps.len() - 1,
            Some(Scope::Block(level)) => level,
            Some(Scope::Body(body)) => return self.begin_of(body),
            Some(Scope::Statement(_)) => return None,
            None => 0,
        };
        let step = &steps[level];
        let offset = match step.item.filter(|_| step.contains) {
            Some(item) => self.first_unlabelled(item)?,
            None => at.start,
        };
        Some(before_line(self.text, offset))
    }

    fn around_body(&self, at: Span, declared: Span) -> Option<(Spot, Spot)> {
        let steps = self.steps(at.start)?;
        let Some(Scope::Statement(body)) = self.declaring(&steps, declared) else { return None };
        Some(braces(self.bytes(body.range)?))
    }

    fn around(&self, at: Span) -> Option<(Spot, Spot)> {
        let steps = self.steps(at.start)?;
        let step = steps.last().filter(|step| step.contains)?;
        let range = step.item?.range();
        let (start, end) = self.bytes(range)?;
        if let BlockItem::Statement(statement) = step.item? {
            if let Some(inner) = self.unbraced(statement, at.start) {
                return Some(braces(self.bytes(inner.range)?));
            }
        }
        let start = match step.item? {
            BlockItem::Statement(_) => self.first_unlabelled(step.item?)?,
            _ => start,
        };
        Some((before_line(self.text, start), after_line(self.text, end, b"//", b"/*")))
    }

    fn body_start(&self, procedure: Span) -> Option<Spot> {
        let function = self.function(procedure.start)?;
        let works = |item: &&BlockItem| match item {
            BlockItem::Declaration(declaration) => {
                let mut calls = false;
                of_declaration(declaration, &mut |expr| calls |= matches!(expr.kind, ExprKind::Call { .. }));
                calls
            }
            _ => true,
        };
        let first = function.body.items.iter().find(works);
        let offset = match first {
            // What follows a label may run again.
            Some(item) => self.bytes(item.range())?.0,
            None => self.closing_brace(function.body.range)?,
        };
        // A directive belongs to the statement after it.
        let directives = self.unit.bound.directives.iter().map(|directive| directive.span.start);
        let inside = directives.filter(|&start| self.holds(function.body.range, start));
        Some(before_line(self.text, inside.fold(offset, u32::min)))
    }

    fn body_ends(&self, procedure: Span) -> Vec<(Spot, Spot)> {
        let Some(function) = self.function(procedure.start) else { return Vec::new() };
        let mut returns = Vec::new();
        let items = function.body.items.iter();
        items.clone().for_each(|item| {
            if let BlockItem::Statement(statement) = item {
                returns_of(statement, &mut returns);
            }
        });
        let last = items.last().and_then(|item| match item {
            BlockItem::Statement(last) if matches!(last.kind, StatementKind::Return(_)) => Some(last),
            _ => None,
        });
        let is_end = |statement: &&&Statement| {
            let is_last = last.is_some_and(|last| last.range == statement.range);
            is_last || !self.fails(statement)
        };
        let mut ends: Vec<(Spot, Spot)> = Vec::new();
        for statement in returns.iter().filter(is_end) {
            let start = self.bytes(statement.range).map(|(start, _)| start);
            ends.extend(start.and_then(|start| self.around(Span::new(procedure.file, start, start))));
        }
        if let (None, Some(brace)) = (last, self.closing_brace(function.body.range)) {
            let spot = before_line(self.text, brace);
            ends.push((spot, spot));
        }
        ends
    }

    fn alone(&self, at: Span) -> Option<(Spot, Spot)> {
        self.around(at)
    }

    fn simple(&self, at: Span) -> Option<(Spot, Spot)> {
        let steps = self.steps(at.start)?;
        let BlockItem::Statement(statement) = steps.last().filter(|step| step.contains)?.item? else {
            return None;
        };
        let innermost = unlabelled(self.unbraced(statement, at.start).unwrap_or(statement));
        let StatementKind::Expr(Some(expr)) = &innermost.kind else { return None };
        // Other effects of the statement would be repeated too.
        let is_alone = match self.call(at) {
            Some((call, _)) => outermost_call(expr).is_some_and(|outermost| outermost.id == call.id),
            None => self.is_one_assignment(unwrapped(expr), at),
        };
        is_alone.then(|| self.around(at))?
    }

    fn initial(&self, at: Span, block: &ExecuteClauses) -> Parts {
        self.separate_constant(at).map(|separated| block_apart(separated, block))
    }

    fn allocated(&self, at: Span, whole: bool) -> Option<String> {
        self.item_of_call(at, whole)
    }

    fn fields(&self, declared: Span, name: &str, bytes: &FieldBytes) -> Vec<String> {
        self.fields_of_variable(declared, name, bytes)
    }

    fn opened(&self, _at: Span) -> Option<(String, String)> {
        None
    }

    fn argument(&self, at: Span, number: usize) -> Option<String> {
        let ExprKind::Call { arguments, .. } = &self.call(at)?.0.kind else { return None };
        let argument = arguments.get(number)?;
        // The clause would evaluate it a second time.
        if acts(argument) {
            return None;
        }
        self.operand(argument)
    }

    fn loop_after(&self, at: Span) -> Option<Span> {
        let steps = self.steps(at.end)?;
        let step = steps.last().filter(|step| !step.contains)?;
        let BlockItem::Statement(statement) = step.item? else { return None };
        let statement = unlabelled(statement);
        match &statement.kind {
            _ if self.spans.macro_name(statement.range).is_some() => None,
            StatementKind::For { .. } | StatementKind::While { .. } | StatementKind::DoWhile { .. } => {
                self.spans.of(statement.range)
            }
            _ => None,
        }
    }

    fn above_pragmas(&self, spot: Spot) -> Spot {
        above_pragmas(self.text, spot, &|line| pragma(line).is_some_and(is_foreign))
    }

    fn before_use(&self, procedure: Span, declared: Span) -> Option<Spot> {
        let function = self.function(procedure.start)?;
        let declares = |item: &&BlockItem| {
            matches!(item, BlockItem::Declaration(_)) && self.holds(item.range(), declared.start)
        };
        let declaration = function.body.items.iter().find(declares)?;
        Some(after_line(self.text, self.bytes(declaration.range())?.1, b"//", b"/*"))
    }

    fn after_directive(&self, at: Span) -> Option<Spot> {
        Some(after_line(self.text, at.end, b"//", b"/*"))
    }

    fn registrar(&self, place: &RegistrarPlace, name: &str, _: &[String]) -> Option<(Spot, Vec<String>)> {
        let is_here = matches!(place, RegistrarPlace::Source { seen_in } if seen_in.file == self.unit.file);
        let lines = ["", &format!("extern void {name}_(void);"), &format!("void {name}_(void)"), "{", "}"];
        is_here.then(|| (end_of_text(self.text), lines.map(str::to_owned).to_vec()))
    }

    fn separated(&self, at: Span, block: &ExecuteClauses) -> Parts {
        self.separate(at).map(|separated| block_apart(separated, block))
    }

    fn call(&self, name: &str) -> String {
        format!("{{ extern void {name}_(void); {name}_(); }}")
    }

    fn refuses(&self, spot: Spot) -> bool {
        self.is_in_cleanup_scope(spot.offset)
    }

    fn style(&self) -> Style {
        Style { sentinel: super::C_SENTINEL, indent: "", columns: 100, keeps_columns: false }
    }
}

/// A block for a part of a statement, and what is left of the statement.
fn block_apart(separated: Separated, block: &ExecuteClauses) -> Vec<(Spot, Part)> {
    let Separated { before, after, is_after, declaration, statement, at, end, text } = separated;
    let replaced = Part::Replaced { end, text };
    let block = Part::Block { clauses: block.clone(), statement };
    let close = matches!(after.gap, Gap::Close(_)).then_some((after, Part::Nothing));
    let spot = if is_after { after } else { before };
    let declaration = declaration.map(|declaration| (spot, Part::Statement(declaration)));
    declaration.into_iter().chain([(spot, block), (at, replaced)]).chain(close).collect()
}

/// The words of a pragma.
fn pragma(line: &[u8]) -> Option<&[u8]> {
    line.strip_prefix(b"#")?.trim_ascii_start().strip_prefix(b"pragma")
}

fn is_foreign(words: &[u8]) -> bool {
    let words = words.trim_ascii_start();
    let end = words.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(words.len());
    !is_c_sentinel(&String::from_utf8_lossy(&words[..end]))
}

pub(super) fn of_item<'e>(item: &'e BlockItem, visit: &mut dyn FnMut(&'e Expr)) {
    match item {
        BlockItem::Declaration(declaration) => of_declaration(declaration, visit),
        BlockItem::Statement(statement) => of_statement(statement, visit),
        BlockItem::Function(_) | BlockItem::StaticAssert(_) | BlockItem::LocalLabels(_) => {}
    }
}

/// The `return` statements in a statement.
fn returns_of<'s>(statement: &'s Statement, found: &mut Vec<&'s Statement>) {
    match &statement.kind {
        StatementKind::Return(_) => found.push(statement),
        StatementKind::Compound(block) => block.items.iter().for_each(|item| {
            if let BlockItem::Statement(statement) = item {
                returns_of(statement, found);
            }
        }),
        _ => statement.bodies().into_iter().for_each(|body| returns_of(body, found)),
    }
}

/// The body of the `for` statement that declares something in the range.
fn in_header<'s>(statement: &'s Statement, contains: &dyn Fn(Range) -> bool) -> Option<&'s Statement> {
    match &statement.kind {
        StatementKind::For { init: ForInit::Declaration(declaration), body, .. }
            if contains(declaration.range) =>
        {
            Some(body)
        }
        _ => statement.bodies().into_iter().find_map(|part| in_header(part, contains)),
    }
}

/// Where a variable is visible.
enum Scope<'a> {
    /// The block with this number on the way to the statement.
    Block(usize),
    /// The body of a `for` statement that declares it.
    Body(&'a Compound),
    /// Such a body without braces.
    Statement(&'a Statement),
}

/// Without labels.
pub(super) fn unlabelled(mut statement: &Statement) -> &Statement {
    while let StatementKind::Label { body, .. }
    | StatementKind::Case { body, .. }
    | StatementKind::Default { body } = &statement.kind
    {
        statement = body;
    }
    statement
}

/// Without parentheses and casts.
pub(super) fn unwrapped(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Paren(inner) | ExprKind::Cast { operand: inner, .. } => unwrapped(inner),
        _ => expr,
    }
}

/// The value is the same if it is computed again at once.
pub(super) fn is_repeatable(expr: &Expr) -> bool {
    let mut repeatable = true;
    each(expr, &mut |expr| {
        repeatable &= !matches!(
            expr.kind,
            ExprKind::Call { .. }
                | ExprKind::Assign { .. }
                | ExprKind::Statement(_)
                | ExprKind::TypeGeneric(_)
                | ExprKind::VaArg { .. }
                | ExprKind::Unary {
                    operator: UnaryOperator::PreIncrement
                        | UnaryOperator::PreDecrement
                        | UnaryOperator::PostIncrement
                        | UnaryOperator::PostDecrement,
                    ..
                }
        );
    });
    repeatable
}

//! Loops: DO in all forms, implied loops, FORALL.
//!
//! Input: a loop. Output: its blocks, and a `Loop` entry if it counts.
//! Postcondition: the bounds of an entry do not change in the loop. The variable has its last value after it.

use cppc_analysis::program::{Access, Affine, BlockId, Comparison, Condition, Content, Terminator, Value};
use cppc_grammar::fortran::logical::LineId;
use cppc_grammar::fortran::tree::{
    Construct, ConstructEnd, DoControl, DoKind, Expr, ExprKind, Name, Statement, StatementKind,
};
use cppc_source::Span;

use super::body::{Body, Frame};
use super::designated_memory::DesignatedMemory;
use super::facts::last_line;
use super::storage::{is_reference, is_shared};
use crate::bind::fortran::{ScopeId, Type};

/// A loop that counts with a constant step.
pub(super) struct Counted {
    pub variable: Access,
    pub first: Affine,
    pub last: Affine,
    pub step: i64,
    pub regular: bool,
}

/// `i = first:last:step` of DO CONCURRENT and FORALL.
struct Range<'t> {
    name: &'t str,
    first: &'t Expr,
    last: &'t Expr,
    step: Option<&'t Expr>,
}

/// The body of a loop, called with the blocks of the next iteration and of the end.
type Work<'w, 'l, 'a> = &'w mut dyn FnMut(&mut Body<'l, 'a>, BlockId, BlockId);

impl<'l, 'a> Body<'l, 'a> {
    pub fn do_construct(
        &mut self,
        scope: ScopeId,
        statement: &Statement,
        construct: &Construct,
        control: &DoControl,
    ) {
        let name = construct.name.as_ref().map(|name| name.text.clone());
        let regular = !self.facts.irregular.contains(&statement.line);
        let end = last_line(construct, statement.line);
        let begin = self.anchor(statement.at);
        let whole =
            self.bound.line(self.source, end).map_or(begin, |line| match line.span.file == begin.file {
                true => Span::new(begin.file, begin.start, line.span.end.max(begin.end)),
                false => begin,
            });
        // Iterations of DO CONCURRENT have no order.
        let is_ordered = !matches!(control.kind, DoKind::Concurrent { .. });
        let before = self.flow.current();
        let mut work = |body: &mut Self, next: BlockId, exit: BlockId| {
            let number = is_ordered.then(|| body.flow.open_body(whole, before, next));
            body.frames.push(Frame { name: name.clone(), cycle: Some(next), exit });
            for part in &construct.parts {
                let inner = body.bound.inner_scope(body.source, part.header).unwrap_or(scope);
                for statement in &part.statements {
                    let at = body.anchor(statement.at);
                    number.into_iter().for_each(|number| body.flow.body_statement(number, at));
                    body.statement(inner, statement);
                }
            }
            if let ConstructEnd::Statement { label: Some(label), .. } = &construct.end {
                body.begin_label(label.value);
            }
            body.frames.pop();
        };
        match &control.kind {
            DoKind::Counted { variable, start, end: last, step } => {
                let lines = (statement.line, end);
                self.counted_do(scope, variable, (start, last, step.as_ref()), lines, regular, &mut work);
            }
            DoKind::While(condition) => self
                .repeated(&mut |body, inside, exit| body.branch(scope, condition, inside, exit), &mut work),
            DoKind::Forever => self.repeated(&mut |body, inside, _| body.jump(inside), &mut work),
            DoKind::Concurrent { expressions } => self.concurrent(scope, expressions, regular, &mut work),
        }
    }

    fn counted_do(
        &mut self,
        scope: ScopeId,
        variable: &Name,
        (start, last, step): (&Expr, &Expr, Option<&Expr>),
        lines: (LineId, LineId),
        regular: bool,
        work: Work<'_, 'l, 'a>,
    ) {
        for expr in [Some(start), Some(last), step].into_iter().flatten() {
            self.reads(scope, expr);
        }
        let Some(id) = self.bound.lookup(scope, &variable.text) else {
            self.opaque("a loop whose variable is not known", Vec::new());
            return self.repeated(&mut |body, inside, exit| body.fork(inside, exit), work);
        };
        let Some(place) = self.place_of_symbol(id) else { return };
        let step = step.map_or(Some(1), |step| {
            self.bound.integer(scope, step).and_then(|step| i64::try_from(step).ok())
        });
        let Some(step) = step.filter(|&step| step != 0 && matches!(place.ty, Type::Integer(_))) else {
            return self.uncounted(place.access, work);
        };
        let first = self.affine_value(scope, start);
        let first = self.steady(first, lines);
        let end = self.affine_value(scope, last);
        let end = self.steady(end, lines);
        let symbol = self.bound.symbol(id);
        let direct = !is_reference(symbol) && place.access.path.is_empty();
        if direct {
            let counted = Counted { variable: place.access, first, last: end, step, regular };
            return self.counted(counted, work);
        }
        // The variable is an argument. A temporary of the same type counts, because calls may get it instead of the argument.
        // Its value is copied to the argument.
        let count = self.temporary(place.access.size, place.access.content.clone());
        let own = DesignatedMemory::scalar(count.clone(), place.ty);
        let name = variable.text.clone();
        let value = Value::Affine(Affine::variable(count.root));
        let target = place.access;
        self.write(target.clone(), Value::Affine(first.clone()));
        let counted = Counted { variable: count, first, last: end, step, regular };
        self.counted(counted, &mut |body, next, exit| {
            body.write(target.clone(), value.clone());
            body.names.push((name.clone(), own.clone()));
            work(body, next, exit);
            body.names.pop();
        });
        self.write(target, value);
    }

    /// A bound that may change in the loop is put into a temporary.
    fn steady(&mut self, bound: Affine, (first, last): (LineId, LineId)) -> Affine {
        let changes = bound.terms.iter().any(|(variable, _)| {
            let Some(&id) = self.storage.symbols.get(variable) else { return false };
            let shared = is_shared(self.bound, id);
            let symbol = self.bound.symbol(id);
            // These may be changed under another name.
            symbol.is.equivalenced
                || symbol.is.target
                || self.facts.is_modified_between(id, first, last)
                || shared && self.facts.calls_between(first, last)
        });
        match changes {
            true => self.integer_temporary(Value::Affine(bound)),
            false => bound,
        }
    }

    pub fn counted(&mut self, over: Counted, work: Work<'_, 'l, 'a>) {
        let span = self.span;
        let Counted { variable, first, last, step, regular } = over;
        let count = Affine::variable(variable.root);
        let (exit, header, inside) = (self.flow.new_block(), self.flow.new_block(), self.flow.new_block());
        self.write(variable.clone(), Value::Affine(first.clone()));
        let id = self.flow.open_loop(header, inside, exit, variable.root, first, last.clone(), step);
        let next = self.flow.new_block();
        self.flow.fall_into(header);
        let comparison = if step > 0 { Comparison::LessOrEqual } else { Comparison::GreaterOrEqual };
        let condition = Some(Condition { left: count.clone(), comparison, right: last });
        self.flow.terminate(Terminator::Branch { condition, then: inside, otherwise: exit });
        self.flow.switch_to(inside);
        work(self, next, exit);
        self.flow.fall_into(next);
        self.span = span;
        self.read(variable.clone());
        let after = count.add(&Affine::constant(step)).map_or(Value::Data, Value::Affine);
        self.write(variable, after);
        self.jump(header);
        self.flow.close_loop(id, regular);
        self.flow.switch_to(exit);
    }

    /// A loop with a variable step, or with a variable that is not an integer. If the program can name the
    /// variable, the loop has an entry, because the translation saves the variable.
    fn uncounted(&mut self, variable: Access, work: Work<'_, 'l, 'a>) {
        self.write(variable.clone(), Value::Data);
        let (exit, header, inside) = (self.flow.new_block(), self.flow.new_block(), self.flow.new_block());
        let span = self.span;
        let direct = variable.path.is_empty() && matches!(variable.content, Content::Integer { .. });
        let entry = direct.then(|| {
            self.flow.open_loop(header, inside, exit, variable.root, Affine::default(), Affine::default(), 0)
        });
        let next = self.flow.new_block();
        self.flow.fall_into(header);
        self.fork(inside, exit);
        self.flow.switch_to(inside);
        work(self, next, exit);
        self.flow.fall_into(next);
        self.span = span;
        self.read(variable.clone());
        self.write(variable, Value::Data);
        self.jump(header);
        if let Some(entry) = entry {
            self.flow.close_loop(entry, false);
        }
        self.flow.switch_to(exit);
    }

    /// A loop that does not count. `test` ends the header.
    fn repeated(&mut self, test: Work<'_, 'l, 'a>, work: Work<'_, 'l, 'a>) {
        let span = self.span;
        let (header, inside, exit) = (self.flow.new_block(), self.flow.new_block(), self.flow.new_block());
        self.flow.fall_into(header);
        test(self, inside, exit);
        self.flow.switch_to(inside);
        work(self, header, exit);
        self.span = span;
        if !self.flow.terminated() {
            self.jump(header);
        }
        self.flow.switch_to(exit);
    }

    /// `(items, i = first, last, step)`. `real`: the variable is one of the program, as in input and output.
    pub fn implied_loop(
        &mut self,
        scope: ScopeId,
        variable: &Name,
        bounds: &[Expr],
        real: bool,
        mut work: impl FnMut(&mut Self),
    ) {
        let (Some(first), Some(last)) = (bounds.first(), bounds.get(1)) else { return work(self) };
        let range = Range { name: &variable.text, first, last, step: bounds.get(2) };
        let place = match real {
            true => self.bound.lookup(scope, &variable.text).and_then(|id| self.place_of_symbol(id)),
            false => None,
        };
        if let Some(place) = place {
            if !place.access.path.is_empty() {
                // The variable is an argument. Its value after the loop is not known.
                self.write(place.access, Value::Data);
                return self.over(scope, &range, None, true, &mut |body, _, _| work(body));
            }
            return self.over(scope, &range, Some(place.access), true, &mut |body, _, _| work(body));
        }
        self.over(scope, &range, None, true, &mut |body, _, _| work(body));
    }

    /// One loop over a range. Without a variable, the name means a temporary in it.
    fn over(
        &mut self,
        scope: ScopeId,
        range: &Range,
        variable: Option<Access>,
        regular: bool,
        work: Work<'_, 'l, 'a>,
    ) {
        for expr in [Some(range.first), Some(range.last), range.step].into_iter().flatten() {
            self.reads(scope, expr);
        }
        let own = variable.is_none();
        let variable = variable.unwrap_or_else(|| self.temporary(Some(8), Content::Integer { bytes: 8 }));
        let place = DesignatedMemory::scalar(variable.clone(), Type::Integer(8));
        let name = range.name.to_owned();
        let mut work = |body: &mut Self, next: BlockId, exit: BlockId| {
            if own {
                body.names.push((name.clone(), place.clone()));
            }
            work(body, next, exit);
            if own {
                body.names.pop();
            }
        };
        let step = range.step.map_or(Some(1), |step| {
            self.bound.integer(scope, step).and_then(|step| i64::try_from(step).ok())
        });
        match step.filter(|&step| step != 0) {
            Some(step) => {
                let first = self.affine_value(scope, range.first);
                let last = self.affine_value(scope, range.last);
                self.counted(Counted { variable, first, last, step, regular }, &mut work);
            }
            None => self.uncounted(variable, &mut work),
        }
    }

    /// The ranges and the mask of `(i = 1:n, j = 1:m, mask)`, whose parts are in one list.
    fn ranges<'t>(&self, expressions: &'t [Expr]) -> (Vec<Range<'t>>, Vec<&'t Expr>) {
        let mut ranges = Vec::new();
        let mut masks = Vec::new();
        let mut index = 0;
        while index < expressions.len() {
            let expr = &expressions[index];
            let name = match &expr.kind {
                ExprKind::Name(name) if self.follows(expr, "=") => Some(name),
                _ => None,
            };
            match (name, expressions.get(index + 1), expressions.get(index + 2)) {
                (Some(name), Some(first), Some(last)) => {
                    let step = expressions.get(index + 3).filter(|_| self.follows(last, ":"));
                    ranges.push(Range { name: &name.text, first, last, step });
                    index += if step.is_some() { 4 } else { 3 };
                }
                _ => {
                    masks.push(expr);
                    index += 1;
                }
            }
        }
        (ranges, masks)
    }

    /// Whether this sign is the next one after an expression.
    fn follows(&self, expr: &Expr, sign: &str) -> bool {
        let Some(line) = self.bound.line(self.source, expr.at.line) else { return false };
        let rest = line.text.get(expr.at.end as usize..).unwrap_or_default();
        let rest = String::from_utf8_lossy(rest);
        let rest = rest.trim_start();
        rest.starts_with(sign) && !rest.starts_with("==")
    }

    fn concurrent(&mut self, scope: ScopeId, expressions: &[Expr], regular: bool, work: Work<'_, 'l, 'a>) {
        let (ranges, masks) = self.ranges(expressions);
        let outer = self.flow.new_block();
        let mut inner = |body: &mut Self, next: BlockId, _: BlockId| {
            // What follows the mask may be the localities, which are not evaluated.
            if let Some(mask) = masks.first() {
                let inside = body.flow.new_block();
                body.branch(scope, mask, inside, next);
                body.flow.switch_to(inside);
            }
            work(body, next, outer);
        };
        self.nest(scope, &ranges, regular, &mut inner);
        self.flow.fall_into(outer);
    }

    fn nest(&mut self, scope: ScopeId, ranges: &[Range], regular: bool, work: Work<'_, 'l, 'a>) {
        match ranges {
            [] => self.repeated(&mut |body, inside, exit| body.fork(inside, exit), work),
            [last] => self.over(scope, last, None, regular, work),
            [first, rest @ ..] => {
                self.over(scope, first, None, regular, &mut |body, _, _| {
                    body.nest(scope, rest, regular, work)
                });
            }
        }
    }

    /// Each assignment computes all values before it stores the first one.
    pub fn forall(&mut self, scope: ScopeId, expressions: &[Expr], statements: &[&Statement]) {
        let (ranges, masks) = self.ranges(expressions);
        for statement in statements {
            self.span = self.anchor(statement.at);
            let StatementKind::Assignment { target, value } = &statement.kind else {
                self.nest(scope, &ranges, true, &mut |body, _, _| {
                    masks.iter().for_each(|mask| body.reads(scope, mask));
                    body.perhaps(|body| body.under_mask(scope, statement));
                });
                continue;
            };
            if !self.bound.assignment_calls(scope, target, value).is_empty() {
                self.nest(scope, &ranges, true, &mut |body, _, _| body.assign(scope, target, value, true));
                continue;
            }
            self.nest(scope, &ranges, true, &mut |body, next, _| {
                if let Some(mask) = masks.first() {
                    let inside = body.flow.new_block();
                    body.branch(scope, mask, inside, next);
                    body.flow.switch_to(inside);
                }
                body.reads(scope, value);
            });
            let masked = !masks.is_empty();
            self.nest(scope, &ranges, true, &mut |body, next, _| {
                if masked {
                    let inside = body.flow.new_block();
                    body.fork(inside, next);
                    body.flow.switch_to(inside);
                }
                match body.place(scope, target) {
                    Some(place) => {
                        let to = place.whole();
                        let value = match to.content {
                            Content::Integer { .. } | Content::Data => Value::Data,
                            _ => Value::Unknown,
                        };
                        body.write(to, value);
                    }
                    None => drop(body.not_understood(scope, target)),
                }
            });
        }
    }
}

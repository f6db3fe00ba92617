//! Expressions: their reads, their calls, and their values.
//!
//! Input: an expression. Output: its operations, and its value, if the analyses use it.
//! Postcondition: operands are read from left to right. Code that may be skipped is in separate blocks.

use cppc_analysis::program::{Access, Comparison, Condition, Content, Terminator, Value};
use cppc_grammar::fortran::tree::{Argument, ArgumentKind, Expr, ExprKind, Name, Operator};

use super::body::Body;
use super::designated_memory::{dereferenced, DesignatedMemory};
use super::layout::content;
use crate::bind::fortran::visit::parts;
use crate::bind::fortran::{Meaning, ScopeId, SymbolId, SymbolKind, Type, TypeId, Typed};

/// Intrinsic functions that do not read the data of their first argument.
const INQUIRIES: &str =
    "allocated associated present size shape lbound ubound lcobound ucobound kind len rank digits \
    maxexponent minexponent precision radix range bit_size storage_size epsilon huge tiny is_contiguous \
    same_type_as extends_type_of loc sizeof c_sizeof null c_loc c_funloc";

/// Intrinsic functions that do more than compute a value from their arguments.
const ACTIVE: &str = "system rand irand ran time time8 mclock mclock8 second secnds etime dtime malloc fseek ftell \
    fget fput fgetc fputc chdir chmod unlink rename link symlnk kill signal umask stat lstat fstat access hostnm getcwd \
    command_argument_count iargc this_image num_images image_index ierrno getpid getuid getgid isatty ttynam fnum";

/// The maximum number of definitions of statement functions that are lowered in one procedure. Without a
/// limit, chains of them would grow exponentially.
const STATEMENT_FUNCTIONS_LIMIT: u32 = 10_000;

impl<'a> Body<'_, 'a> {
    /// Emits the reads and the calls of an expression.
    pub fn reads(&mut self, scope: ScopeId, expr: &Expr) {
        self.evaluate(scope, expr);
    }

    /// Emits the reads and calls of an expression. The value of an arithmetic expression is `Data` unless it is
    /// an affine integer.
    pub fn value(&mut self, scope: ScopeId, expr: &Expr) -> Value {
        let value = self.evaluate(scope, expr);
        match value {
            Value::Data => match self.bound.type_of(scope, expr).ty {
                Type::Integer(_) => self.affine(scope, expr).map_or(Value::Data, Value::Affine),
                _ => Value::Data,
            },
            value => value,
        }
    }

    fn evaluate(&mut self, scope: ScopeId, expr: &Expr) -> Value {
        match &expr.kind {
            ExprKind::Literal(_) => Value::Data,
            ExprKind::Name(name) => self.name_value(scope, expr, name),
            ExprKind::Component { .. } => match self.place(scope, expr) {
                Some(place) => self.read_place(&place),
                None => self.not_understood(scope, expr),
            },
            ExprKind::Reference { base, arguments } => self.reference(scope, expr, base, arguments),
            ExprKind::Parenthesized(inner) => self.evaluate(scope, inner),
            ExprKind::Unary { operator, operand } => self.operation(scope, operator, &[operand]),
            ExprKind::Binary { operator, left, right } => {
                let skips = matches!(operator, Operator::And | Operator::Or) && self.calls(scope, right);
                if skips {
                    self.reads(scope, left);
                    self.perhaps(|body| body.reads(scope, right));
                    return Value::Data;
                }
                self.operation(scope, operator, &[left, right])
            }
            ExprKind::ArrayConstructor { items, .. } => {
                let mut all = Value::Data;
                for item in items {
                    match self.evaluate(scope, item) {
                        Value::Data | Value::Affine(_) => {}
                        Value::Copy(access) if matches!(access.content, Content::Integer { .. }) => {}
                        _ => all = Value::Unknown,
                    }
                }
                self.read_beside_calls(scope, &items.iter().collect::<Vec<_>>());
                all
            }
            ExprKind::ImpliedDo { items, variable, bounds } => {
                self.implied_loop(scope, variable, bounds, false, |body| {
                    items.iter().for_each(|item| body.reads(scope, item));
                });
                Value::Data
            }
            ExprKind::Other(inner) => {
                inner.iter().for_each(|expr| self.reads(scope, expr));
                Value::Unknown
            }
        }
    }

    fn name_value(&mut self, scope: ScopeId, expr: &Expr, name: &Name) -> Value {
        if let Some(place) = self.place(scope, expr) {
            return self.read_place(&place);
        }
        match self.bound.lookup(scope, &name.text).map(|id| (id, &self.bound.symbol(id).kind)) {
            Some((id, SymbolKind::Procedure(target))) => {
                let target = *target;
                self.procedure_value(id, target)
            }
            _ => Value::Data,
        }
    }

    /// Reads all of a place.
    pub fn read_place(&mut self, place: &DesignatedMemory<'a>) -> Value {
        let access = place.whole();
        self.read(access.clone());
        match access.content {
            Content::Integer { .. } | Content::Data => Value::Data,
            _ => Value::Copy(access),
        }
    }

    fn operation(&mut self, scope: ScopeId, operator: &Operator, operands: &[&Expr]) -> Value {
        let found = self.bound.operator_calls(scope, operator, operands);
        if !found.is_empty() {
            let result = self.call_operator(scope, &found, operands, true);
            return self.result_value(result, Typed::UNKNOWN);
        }
        for operand in operands {
            self.reads(scope, operand);
        }
        self.read_beside_calls(scope, operands);
        Value::Data
    }

    /// The translation takes calls out of expressions. So operands next to a call are read again after the
    /// call.
    pub fn read_beside_calls(&mut self, scope: ScopeId, all: &[&Expr]) {
        if self.facts.has_calls() && all.len() > 1 && all.iter().any(|expr| self.calls(scope, expr)) {
            all.iter().for_each(|expr| self.read_outside_calls(scope, expr));
        }
    }

    fn read_outside_calls(&mut self, scope: ScopeId, expr: &Expr) {
        if !self.calls(scope, expr) {
            return self.reads(scope, expr);
        }
        let is_call = match &expr.kind {
            ExprKind::Reference { base, arguments } => {
                matches!(self.bound.meaning(scope, base, arguments), Meaning::Call(_) | Meaning::Unknown)
            }
            _ => false,
        };
        if !is_call {
            parts(expr).into_iter().for_each(|part| self.read_outside_calls(scope, part));
        }
    }

    /// The value of a function. If that is a pointer or an allocatable, its data is read.
    fn result_value(&mut self, result: Option<Access>, typed: Typed) -> Value {
        let Some(access) = result else { return Value::Unknown };
        let access = match access.content {
            Content::Data => return Value::Data,
            Content::Descriptor => {
                let size = self.storage.layouts.of_type(self.bound, typed.ty).0;
                let mut place = DesignatedMemory::scalar(
                    dereferenced(access, size, content(self.bound, typed.ty)),
                    typed.ty,
                );
                place.dimensions = vec![Default::default(); typed.rank.unwrap_or(1) as usize];
                return self.read_place(&place);
            }
            _ => access,
        };
        Value::Copy(access)
    }

    fn reference(&mut self, scope: ScopeId, expr: &Expr, base: &Expr, arguments: &[Argument]) -> Value {
        if let Some(place) = self.place(scope, expr) {
            return self.read_place(&place);
        }
        match self.bound.meaning(scope, base, arguments) {
            Meaning::Call(called) => {
                let result = self.call(scope, base, &called, arguments, true);
                let typed = self.bound.type_of(scope, expr);
                self.result_value(result, typed)
            }
            Meaning::StatementFunction(id) => self.statement_function(scope, id, arguments),
            Meaning::Intrinsic(name) => self.intrinsic(scope, name, arguments),
            Meaning::Constructor(id) => self.constructor(scope, id, arguments),
            Meaning::Part(_) => {
                // A part of a value: of a literal, of the result of a function.
                self.reads(scope, base);
                arguments.iter().flat_map(Argument::expressions).for_each(|expr| self.reads(scope, expr));
                Value::Data
            }
            Meaning::Unknown => match &base.kind {
                ExprKind::Name(name) if matches!(name.text.as_str(), "%val" | "%loc" | "%ref") => {
                    arguments.iter().flat_map(Argument::expressions).for_each(|expr| self.reads(scope, expr));
                    Value::Unknown
                }
                _ => self.not_understood(scope, expr),
            },
        }
    }

    /// A construct of the language that lowering does not know.
    pub fn not_understood(&mut self, scope: ScopeId, expr: &Expr) -> Value {
        let mut touched = Vec::new();
        self.variables_in(scope, expr, &mut touched);
        self.opaque("an expression that is not understood", touched);
        Value::Unknown
    }

    pub fn opaque(&mut self, reason: &'static str, mut touched: Vec<cppc_analysis::program::VariableId>) {
        touched.sort_unstable();
        touched.dedup();
        self.emit(cppc_analysis::program::OperationKind::Opaque { reason, touched });
    }

    pub fn variables_in(
        &mut self,
        scope: ScopeId,
        expr: &Expr,
        list: &mut Vec<cppc_analysis::program::VariableId>,
    ) {
        if let ExprKind::Name(_) = &expr.kind {
            list.extend(self.place(scope, expr).map(|place| place.access.root));
        }
        for part in parts(expr) {
            self.variables_in(scope, part, list);
        }
    }

    /// The definition of a statement function in place of its call.
    fn statement_function(&mut self, scope: ScopeId, id: SymbolId, arguments: &[Argument]) -> Value {
        let bound = self.bound;
        let SymbolKind::StatementFunction { dummies, value } = &bound.symbol(id).kind else {
            return Value::Unknown;
        };
        let home = bound.symbol(id).scope;
        let mut own = Vec::new();
        for (dummy, argument) in dummies.iter().zip(arguments) {
            let ArgumentKind::Value(actual) = &argument.kind else { continue };
            let value = self.value(scope, actual);
            let ty = bound
                .lookup(home, dummy)
                .map_or_else(|| bound.scope(home).implicit.of(dummy), |id| bound.symbol(id).ty);
            let size = self.storage.layouts.of_type(bound, ty).0;
            let to = self.temporary(size, content(bound, ty));
            self.write(to.clone(), value);
            own.push((dummy.clone(), DesignatedMemory::scalar(to, ty)));
        }
        let expanded = self.expanded_functions;
        if self.open_functions.contains(&id) || expanded >= STATEMENT_FUNCTIONS_LIMIT {
            self.opaque("a statement function that contains itself or too many others", Vec::new());
            return Value::Unknown;
        }
        // The definition sees its own arguments, not those of a function that calls it.
        let outer = std::mem::replace(&mut self.names, own);
        self.expanded_functions += 1;
        self.open_functions.push(id);
        self.evaluate(home, value);
        self.open_functions.pop();
        self.names = outer;
        Value::Data
    }

    fn intrinsic(&mut self, scope: ScopeId, name: &'static str, arguments: &[Argument]) -> Value {
        let is_in = |list: &str| list.split_whitespace().any(|known| known == name);
        if is_in(INQUIRIES) {
            for (position, argument) in arguments.iter().enumerate() {
                for expr in argument.expressions() {
                    self.inquire(scope, expr, position > 0 && name != "associated" && name != "same_type_as");
                }
            }
            let first = arguments.first().and_then(|argument| argument.expressions().first().copied());
            return match name {
                "null" => Value::Null,
                "c_loc" | "loc" => first
                    .and_then(|expr| self.place(scope, expr))
                    .map_or(Value::Unknown, |place| Value::Address(place.whole())),
                "c_funloc" => first.map_or(Value::Unknown, |expr| self.evaluate(scope, expr)),
                _ => Value::Data,
            };
        }
        if is_in(ACTIVE) {
            let arguments = self.intrinsic_arguments(scope, name, arguments);
            let result = self.temporary(None, Content::Data);
            self.library(name, arguments, Some(result));
            return Value::Data;
        }
        let mut all = Value::Data;
        let mut values: Vec<&Expr> = Vec::new();
        for (position, argument) in arguments.iter().enumerate() {
            // Only the type of the mold matters.
            let is_mold = name == "transfer" && is_argument(argument, position, 1, "mold");
            for expr in argument.expressions() {
                match is_mold {
                    true => self.inquire(scope, expr, false),
                    false => values.push(expr),
                }
            }
        }
        for expr in &values {
            match self.evaluate(scope, expr) {
                Value::Data | Value::Affine(_) => {}
                // `merge(p, q, mask)`, `transfer(c, p)`
                _ => all = Value::Unknown,
            }
        }
        self.read_beside_calls(scope, &values);
        if name == "transfer" {
            Value::Unknown
        } else {
            all
        }
    }

    /// Emits the reads of an inquiry: the descriptor of an allocatable or a pointer, and subscripts.
    pub fn inquire(&mut self, scope: ScopeId, expr: &Expr, reads: bool) {
        if reads {
            return self.reads(scope, expr);
        }
        match self.place(scope, expr) {
            Some(place) => {
                if let Some(holder) = place.holder {
                    self.read(holder);
                }
                self.needs_shape(scope, expr);
            }
            None => {
                if !matches!(expr.kind, ExprKind::Name(_)) {
                    self.reads(scope, expr);
                }
            }
        }
    }

    /// `t(1, p)`: a structure, in a temporary.
    fn constructor(&mut self, scope: ScopeId, id: TypeId, arguments: &[Argument]) -> Value {
        let bound = self.bound;
        let size = self.storage.layouts.of(bound, id).size;
        let whole = self.temporary(size, Content::Record);
        self.initial_components(&DesignatedMemory::scalar(whole.clone(), Type::Derived(id)), 0);
        let fields = self.fields(id);
        for (position, argument) in arguments.iter().enumerate() {
            let ArgumentKind::Value(value) = &argument.kind else { continue };
            let found = match &argument.keyword {
                Some(word) => fields.iter().find(|field| field.name == word.text),
                None => fields.get(position),
            };
            match found {
                Some(found) => {
                    let to = self.field(whole.clone(), found);
                    if found.pointer {
                        self.point(scope, to, value);
                    } else {
                        let value = self.value(scope, value);
                        self.store(to, value, found.allocatable);
                    }
                }
                None => self.reads(scope, value),
            }
        }
        Value::Copy(whole)
    }

    /// Whether evaluating it calls a procedure of the program.
    pub fn calls(&self, scope: ScopeId, expr: &Expr) -> bool {
        let own = match &expr.kind {
            ExprKind::Reference { base, arguments } => {
                let local = matches!(&base.kind, ExprKind::Name(name) if self.names.iter().any(|(known, _)| *known == name.text));
                !local
                    && matches!(
                        self.bound.meaning(scope, base, arguments),
                        Meaning::Call(_) | Meaning::StatementFunction(_) | Meaning::Unknown
                    )
            }
            ExprKind::Unary { operator, operand } => {
                !self.bound.operator_calls(scope, operator, &[operand]).is_empty()
            }
            ExprKind::Binary { operator, left, right } => {
                !self.bound.operator_calls(scope, operator, &[left, right]).is_empty()
            }
            _ => false,
        };
        own || parts(expr).into_iter().any(|part| self.calls(scope, part))
    }

    /// Evaluates a condition and branches.
    pub fn branch(
        &mut self,
        scope: ScopeId,
        expr: &Expr,
        then: cppc_analysis::program::BlockId,
        otherwise: cppc_analysis::program::BlockId,
    ) {
        if let ExprKind::Parenthesized(inner) = &expr.kind {
            return self.branch(scope, inner, then, otherwise);
        }
        self.reads(scope, expr);
        let condition = match &expr.kind {
            ExprKind::Binary { operator, left, right } => self.comparison(scope, operator, left, right),
            _ => None,
        };
        if condition.is_none() {
            let computed = self.computed(scope, expr);
            self.flow.set_condition(computed);
        }
        self.flow.terminate(Terminator::Branch { condition, then, otherwise });
    }

    fn comparison(
        &mut self,
        scope: ScopeId,
        operator: &Operator,
        left: &Expr,
        right: &Expr,
    ) -> Option<Condition> {
        let comparison = match operator {
            Operator::Equal => Comparison::Equal,
            Operator::NotEqual => Comparison::NotEqual,
            Operator::Less => Comparison::Less,
            Operator::LessEqual => Comparison::LessOrEqual,
            Operator::Greater => Comparison::Greater,
            Operator::GreaterEqual => Comparison::GreaterOrEqual,
            _ => return None,
        };
        let (left, right) = (self.affine(scope, left)?, self.affine(scope, right)?);
        Some(Condition { left, comparison, right })
    }
}

/// Whether an argument is the one at a position, or has its keyword.
fn is_argument(argument: &Argument, position: usize, wanted: usize, keyword: &str) -> bool {
    match &argument.keyword {
        Some(word) => word.text.eq_ignore_ascii_case(keyword),
        None => position == wanted,
    }
}

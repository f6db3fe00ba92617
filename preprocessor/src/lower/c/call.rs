//! Calls.
//!
//! Input: a call, and the place for its result.
//! Output: the arguments in the order of the text, then the call.
//! Postcondition: after a procedure that does not return, the block has ended. If `setjmp` occurs in the procedure, every
//! call may continue after it.

use cppc_analysis::program::{Access, Argument, Call, Callee, Content, OperationKind, Terminator, Value};
use cppc_grammar::c::tree::{Expr, ExprKind, UnaryOperator};

use super::body::Body;
use super::lvalue::{Address, Lvalue};
use crate::bind::c::{parts, FunctionType, Kind, SymbolId, SymbolKind};

/// The callee of a call.
pub(super) enum Named {
    Function(SymbolId),
    /// A name without a declaration. Usually it is a name of the compiler.
    Undeclared(String),
}

/// The procedures that return twice.
const RETURN_TWICE: [&str; 5] = ["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "__builtin_setjmp"];

/// The procedures that return to such a call.
const JUMP: [&str; 4] = ["longjmp", "_longjmp", "siglongjmp", "__builtin_longjmp"];

pub(super) fn returns_twice(name: &str) -> bool {
    RETURN_TWICE.contains(&name)
}

impl Body<'_, '_, '_> {
    /// Lowers a call. The result is written to a place, or is not used.
    pub fn call(&mut self, expr: &Expr, callee: &Expr, arguments: &[Expr], result: Option<&Lvalue>) {
        let read_before = self.evaluated.len();
        let named = self.named_callee(callee);
        if let Some(Named::Undeclared(name)) = &named {
            if let Some(value) = self.compiler_call(name, expr, arguments) {
                if let Some(place) = result {
                    let to = self.access(place, None);
                    self.write(to, value, expr.range);
                }
                return;
            }
        }
        let noreturn = matches!(&named, Some(Named::Function(id)) if self.bound().symbol(*id).noreturn);
        let callee_found = match named {
            Some(Named::Function(id)) => Callee::Named(self.unit.link(id)),
            Some(Named::Undeclared(name)) => Callee::Named(library_name(&name).to_owned()),
            None => self.pointed_callee(callee),
        };
        let function = self.function_type(callee);
        let values = self.arguments(arguments, function.as_deref());
        let result = result.map(|place| self.access(place, None));
        self.note_arguments(arguments);
        self.emit_call(expr, callee_found, values, result, noreturn, read_before);
    }

    /// The value of a call.
    pub fn call_value(&mut self, expr: &Expr, callee: &Expr, arguments: &[Expr]) -> Value {
        if let Some(Named::Undeclared(name)) = self.named_callee(callee) {
            if let Some(value) = self.compiler_call(&name, expr, arguments) {
                return value;
            }
        }
        let ty = self.bound().value_type(expr.id);
        if self.unit.content(&ty) == Content::Data || ty.is_void() {
            self.call(expr, callee, arguments, None);
            return Value::Data;
        }
        let place = self.temporary(&ty);
        self.call(expr, callee, arguments, Some(&place));
        if let Content::Integer { .. } = self.unit.content(&ty) {
            // It may be a descriptor.
            return self.load(&place, expr.range);
        }
        let access = self.access(&place, Some(expr.range));
        Value::Copy(access)
    }

    /// The function that a callee names: `f`, `(f)`, `(*f)`, `(&f)`.
    pub fn named_callee(&self, callee: &Expr) -> Option<Named> {
        match &callee.kind {
            ExprKind::Paren(inner) => self.named_callee(inner),
            ExprKind::Unary {
                operator: UnaryOperator::Address | UnaryOperator::Dereference | UnaryOperator::Extension,
                operand,
            } => self.named_callee(operand),
            ExprKind::Ident(ident) => match self.bound().symbol_of(callee.id) {
                Some(id) => {
                    (self.bound().symbol(id).kind == SymbolKind::Function).then_some(Named::Function(id))
                }
                None => Some(Named::Undeclared(self.unit.text(ident.name).to_owned())),
            },
            _ => None,
        }
    }

    fn pointed_callee(&mut self, callee: &Expr) -> Callee {
        let place = match self.address(callee) {
            Address::Value(Value::Procedure(name)) => return Callee::Named(name),
            Address::Loaded(place) => place,
            Address::Of { place, .. } => match place.pointer() {
                Some(pointer) => pointer,
                None => place,
            },
            Address::Value(value) => {
                let place = self.temporary(&self.bound().value_type(callee.id));
                let to = self.access(&place, None);
                self.write(to, value, callee.range);
                place
            }
        };
        let access = self.access(&place, Some(callee.range));
        self.read(access.clone(), callee.range);
        Callee::Indirect(access)
    }

    fn function_type(&self, callee: &Expr) -> Option<std::sync::Arc<FunctionType>> {
        let ty = self.bound().type_of(callee.id);
        let ty = ty.target().filter(|_| ty.is_pointer()).unwrap_or(ty);
        match &ty.kind {
            Kind::Function(function) => Some(function.clone()),
            _ => None,
        }
    }

    /// The values of the arguments. C does not define their order, so a value that another argument may
    /// change is kept in a temporary.
    fn arguments(&mut self, arguments: &[Expr], function: Option<&FunctionType>) -> Vec<Argument> {
        let acting: Vec<bool> = arguments.iter().map(acts).collect();
        let mut values = Vec::with_capacity(arguments.len());
        for (number, argument) in arguments.iter().enumerate() {
            let value = self.value(argument);
            let from = self.bound().value_type(argument.id);
            let value = match function.and_then(|function| function.parameters.get(number)) {
                Some(to) => self.converted_value(value, &from, to),
                None => value,
            };
            let changes_later = acting[number + 1..].contains(&true);
            values.push(match value {
                Value::Affine(value) if changes_later && !value.terms.is_empty() => {
                    Argument::Value(self.kept(Value::Affine(value), argument))
                }
                Value::Copy(access) if changes_later => {
                    Argument::Value(self.kept(Value::Copy(access), argument))
                }
                value => Argument::Value(value),
            });
        }
        values
    }

    fn kept(&mut self, value: Value, expr: &Expr) -> Value {
        let place = self.temporary(&self.bound().value_type(expr.id));
        let to = self.access(&place, None);
        self.write(to, value, expr.range);
        match self.summand(&place) {
            Some(value) => Value::Affine(value),
            None => Value::Copy(self.access(&place, Some(expr.range))),
        }
    }

    fn emit_call(
        &mut self,
        expr: &Expr,
        callee: Callee,
        arguments: Vec<Argument>,
        result: Option<Access>,
        noreturn: bool,
        read_before: usize,
    ) {
        let name = match &callee {
            Callee::Named(name) => name.clone(),
            Callee::Indirect(_) | Callee::OneOf(_) => String::new(),
        };
        let twice = returns_twice(&name).then(|| self.setjmps.get(&expr.id).copied()).flatten();
        let never_returns = noreturn || JUMP.contains(&name.as_str());
        let now = if twice.is_some() { None } else { result.clone() };
        let call = Call { callee, arguments, result: now, never_returns };
        self.emit(OperationKind::Call(Box::new(call)), expr.range);
        self.read_again(read_before);
        if let Some(after) = twice {
            // The result differs when control returns for the second time.
            self.end_block(Terminator::Jump(after));
            self.builder.switch_to(after);
            if let Some(result) = result {
                self.write(result, Value::Data, expr.range);
            }
            return;
        }
        if never_returns {
            let terminator = match (JUMP.contains(&name.as_str()), self.returns.is_empty()) {
                (true, false) => Terminator::Switch(self.returns.clone()),
                _ => Terminator::Stop,
            };
            return self.end_block(terminator);
        }
        if !self.returns.is_empty() {
            let next = self.builder.new_block();
            let all = std::iter::once(next).chain(self.returns.iter().copied()).collect();
            self.end_block(Terminator::Switch(all));
            self.builder.switch_to(next);
        }
    }
}

/// `memcpy` for `__builtin_memcpy` and `__builtin___memcpy_chk`.
pub(super) fn library_name(name: &str) -> &str {
    let Some(base) = name.strip_prefix("__builtin_") else { return name };
    base.strip_prefix("__").and_then(|checked| checked.strip_suffix("_chk")).unwrap_or(base)
}

/// Whether evaluating an expression may change something.
pub(super) fn acts(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Call { .. } | ExprKind::Assign { .. } | ExprKind::Statement(_) | ExprKind::VaArg { .. } => {
            true
        }
        ExprKind::Unary {
            operator:
                UnaryOperator::PreIncrement
                | UnaryOperator::PreDecrement
                | UnaryOperator::PostIncrement
                | UnaryOperator::PostDecrement,
            ..
        } => true,
        _ => parts(expr).into_iter().any(acts),
    }
}

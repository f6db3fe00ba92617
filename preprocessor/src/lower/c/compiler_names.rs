//! Calls of names that belong to the compiler: `__builtin_…`, `__atomic_…`, `__sync_…`.
//!
//! Input: a call of a name without a declaration.
//! Output: its operations and its value. `None` if it is an ordinary call.

use cppc_analysis::program::{Access, Content, OperationKind, Terminator, Value};
use cppc_grammar::c::tree::{Expr, ExprKind, Range};

use super::body::Body;
use super::call::library_name;
use super::lvalue::Lvalue;

impl Body<'_, '_, '_> {
    pub fn is_expectation(&self, callee: &Expr) -> bool {
        match &callee.kind {
            ExprKind::Ident(ident) => {
                matches!(self.unit.text(ident.name), "__builtin_expect" | "__builtin_expect_with_probability")
            }
            ExprKind::Paren(inner) => self.is_expectation(inner),
            _ => false,
        }
    }

    pub fn compiler_call(&mut self, name: &str, expr: &Expr, arguments: &[Expr]) -> Option<Value> {
        if let Some(operation) = name.strip_prefix("__atomic_").or_else(|| name.strip_prefix("__sync_")) {
            return self.atomic(operation, expr, arguments);
        }
        let base = name.strip_prefix("__builtin_")?;
        match (base, arguments) {
            (
                "expect" | "expect_with_probability" | "assume_aligned" | "speculation_safe_value",
                [first, rest @ ..],
            ) => {
                let value = self.value(first);
                rest.iter().for_each(|argument| self.discard(argument));
                Some(value)
            }
            ("constant_p" | "classify_type" | "object_size" | "dynamic_object_size", _) => Some(Value::Data),
            ("prefetch", _) => {
                arguments.iter().for_each(|argument| self.discard(argument));
                Some(Value::Data)
            }
            ("unreachable" | "trap", _) => {
                self.end_block(Terminator::Stop);
                Some(Value::Data)
            }
            ("alloca" | "alloca_with_align", [bytes, ..]) => Some(self.stack_memory(bytes, expr)),
            ("va_start", [list, ..]) => {
                let place = self.list_place(list);
                let to = self.access(&place, Some(list.range));
                self.write(to, Value::Unknown, expr.range);
                Some(Value::Data)
            }
            ("va_end", _) => Some(Value::Data),
            ("va_copy", [to, from]) => {
                let (to_place, from_place) = (self.list_place(to), self.list_place(from));
                let from = self.access(&from_place, Some(from.range));
                self.read(from.clone(), expr.range);
                let to = self.access(&to_place, Some(to.range));
                self.write(to, Value::Copy(from), expr.range);
                Some(Value::Data)
            }
            ("return_address" | "frame_address" | "extract_return_addr", _) => {
                arguments.iter().for_each(|argument| self.discard(argument));
                Some(Value::Unknown)
            }
            (_, [left, right, sum]) if base.ends_with("_overflow") => {
                self.discard(left);
                self.discard(right);
                self.write_through(sum, Value::Data, expr.range);
                Some(Value::Data)
            }
            _ => self.computation(base, arguments),
        }
    }

    /// Names that compute a number from numbers.
    fn computation(&mut self, base: &str, arguments: &[Expr]) -> Option<Value> {
        let is_number = |argument: &Expr| {
            let ty = self.bound().value_type(argument.id);
            !ty.is_pointer() && !ty.is_record() && !ty.is_unknown()
        };
        let is_checked = base.ends_with("_chk");
        let is_procedure = matches!(
            library_name(base),
            "malloc"
                | "calloc"
                | "exit"
                | "_exit"
                | "_Exit"
                | "abort"
                | "putchar"
                | "putchar_unlocked"
                | "longjmp"
                | "setjmp"
        );
        if is_checked || is_procedure || !arguments.iter().all(is_number) {
            return None;
        }
        arguments.iter().for_each(|argument| self.discard(argument));
        Some(Value::Data)
    }

    fn stack_memory(&mut self, bytes: &Expr, expr: &Expr) -> Value {
        let size = match self.number(bytes) {
            Value::Affine(size) => Some(size),
            _ => None,
        };
        let place = self.temporary(&self.bound().value_type(expr.id));
        let to = self.access(&place, Some(expr.range));
        let content = Content::Unknown;
        self.emit(
            OperationKind::Allocate { to: to.clone(), bytes: size, slices: None, content, zeroed: false },
            expr.range,
        );
        Value::Copy(to)
    }

    /// A `va_list`: an array, or a pointer to one if it is a parameter.
    fn list_place(&mut self, list: &Expr) -> Lvalue {
        self.place(list)
    }

    /// `va_arg`: the value comes from the caller.
    pub fn next_argument(&mut self, list: &Expr, range: Range) {
        let place = self.list_place(list);
        let access = self.access(&place, Some(list.range));
        self.read(access.clone(), range);
        self.write(access, Value::Unknown, range);
    }

    /// The memory that a pointer argument points to.
    fn through(&mut self, pointer: &Expr) -> Access {
        let address = self.address(pointer);
        let place = self.pointed(address, pointer);
        let ty =
            self.bound().value_type(pointer.id).target().cloned().unwrap_or(crate::bind::c::Type::UNKNOWN);
        self.access(&Lvalue { ty, ..place }, None)
    }

    fn write_through(&mut self, pointer: &Expr, value: Value, range: Range) {
        let to = self.through(pointer);
        self.write(to, value, range);
    }

    fn atomic(&mut self, operation: &str, expr: &Expr, arguments: &[Expr]) -> Option<Value> {
        if matches!(operation, "synchronize" | "thread_fence" | "signal_fence") {
            arguments.iter().for_each(|argument| self.discard(argument));
            return Some(Value::Data);
        }
        if matches!(operation, "always_lock_free" | "is_lock_free") {
            return Some(Value::Data);
        }
        let (pointer, rest) = arguments.split_first()?;
        let memory = self.through(pointer);
        let range = expr.range;
        let is_number =
            self.bound().value_type(pointer.id).target().is_some_and(crate::bind::c::Type::is_arithmetic);
        let computed = if is_number { Value::Data } else { Value::Unknown };
        match (operation, rest) {
            ("load_n", _) => {
                self.read(memory.clone(), range);
                Some(if is_number { Value::Data } else { Value::Copy(memory) })
            }
            ("load", [to, ..]) => {
                self.read(memory.clone(), range);
                self.write_through(to, if is_number { Value::Data } else { Value::Copy(memory) }, range);
                Some(Value::Data)
            }
            ("store_n", [value, ..]) => {
                let value = self.value(value);
                self.write(memory, value, range);
                Some(Value::Data)
            }
            ("store", [from, ..]) => {
                let from = self.through(from);
                self.read(from.clone(), range);
                self.write(memory, if is_number { Value::Data } else { Value::Copy(from) }, range);
                Some(Value::Data)
            }
            ("clear" | "lock_release", _) => {
                self.write(memory, Value::Data, range);
                Some(Value::Data)
            }
            ("exchange", [from, to, ..]) => {
                let from = self.through(from);
                self.read(from.clone(), range);
                self.read(memory.clone(), range);
                self.write_through(to, computed.clone(), range);
                self.write(memory, if is_number { Value::Data } else { Value::Copy(from) }, range);
                Some(Value::Data)
            }
            ("compare_exchange" | "compare_exchange_n", [expected, desired, ..]) => {
                let expected = self.through(expected);
                self.read(memory.clone(), range);
                self.read(expected.clone(), range);
                let by_pointer = operation == "compare_exchange";
                let value = if by_pointer { self.loaded_through(desired) } else { self.value(desired) };
                self.one_of(
                    |body| body.write(memory, value, range),
                    |body| body.write(expected, computed, range),
                );
                Some(Value::Data)
            }
            ("bool_compare_and_swap" | "val_compare_and_swap", [old, new, ..]) => {
                self.discard(old);
                let value = self.value(new);
                self.read(memory.clone(), range);
                self.one_of(|body| body.write(memory, value, range), |_| ());
                Some(if operation.starts_with("bool") { Value::Data } else { computed })
            }
            _ => {
                // `fetch_add`, `add_fetch`, `exchange_n`, `test_and_set`, …
                for value in rest {
                    self.discard(value);
                }
                self.read(memory.clone(), range);
                self.write(memory, computed.clone(), range);
                Some(computed)
            }
        }
    }

    fn loaded_through(&mut self, pointer: &Expr) -> Value {
        let access = self.through(pointer);
        self.read(access.clone(), pointer.range);
        Value::Copy(access)
    }

    /// One of two alternatives is executed.
    pub fn one_of(&mut self, first: impl FnOnce(&mut Self), second: impl FnOnce(&mut Self)) {
        let (yes, no, after) = (self.builder.new_block(), self.builder.new_block(), self.builder.new_block());
        self.end_block(Terminator::Branch { condition: None, then: yes, otherwise: no });
        self.builder.switch_to(yes);
        first(self);
        self.jump(after);
        self.builder.switch_to(no);
        second(self);
        self.jump(after);
        self.builder.switch_to(after);
    }
}

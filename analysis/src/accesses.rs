//! The accesses of an operation.
//!
//! Input: an operation. Output: each access in it, and those whose address it takes.

use crate::program::{Access, Argument, Callee, Directive, OperationKind, Value};

/// The accesses whose address is a value of the operation.
pub fn addresses(kind: &OperationKind, found: &mut dyn FnMut(&Access)) {
    match kind {
        OperationKind::Write { value: Value::Address(access), .. } => found(access),
        OperationKind::Call(call) => {
            for argument in &call.arguments {
                match argument {
                    Argument::Reference(access) | Argument::Value(Value::Address(access)) => found(access),
                    Argument::Value(_) | Argument::Absent => {}
                }
            }
        }
        OperationKind::Read(_)
        | OperationKind::Write { .. }
        | OperationKind::Begin(_)
        | OperationKind::Allocate { .. }
        | OperationKind::Free(_)
        | OperationKind::Directive(_)
        | OperationKind::Opaque { .. } => {}
    }
}

/// All accesses of an operation.
pub fn accesses(kind: &OperationKind, found: &mut dyn FnMut(&Access)) {
    addresses(kind, found);
    match kind {
        OperationKind::Read(access) | OperationKind::Free(access) => found(access),
        OperationKind::Allocate { to, .. } => found(to),
        OperationKind::Write { to, value } => {
            found(to);
            if let Value::Copy(access) = value {
                found(access);
            }
        }
        OperationKind::Call(call) => {
            for argument in &call.arguments {
                if let Argument::Value(Value::Copy(access)) = argument {
                    found(access);
                }
            }
            call.result.iter().for_each(&mut *found);
            if let Callee::Indirect(access) = &call.callee {
                found(access);
            }
        }
        OperationKind::Directive(directive) => match &**directive {
            Directive::Register(items) | Directive::Unregister(items) => {
                items.iter().for_each(|item| found(&item.memory));
            }
            Directive::BeginExecute { captures, files, .. } => {
                captures.iter().chain(files).for_each(|item| found(&item.memory));
            }
            Directive::Init | Directive::Shutdown | Directive::Checkpoint | Directive::EndExecute => {}
        },
        OperationKind::Begin(_) | OperationKind::Opaque { .. } => {}
    }
}

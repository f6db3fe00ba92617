//! Parts of small programs, for tests of the analyses.

use cppc_analysis::builder::{ProcedureBuilder, ProgramBuilder};
use cppc_analysis::program::{
    Argument, Call, Callee, Content, Lifetime, Object, OperationKind, ProcedureId, Value, Variable,
    VariableId,
};
use cppc_source::{FileId, Span};

pub fn span() -> Span {
    Span { file: FileId(0), start: 0, end: 0 }
}

pub fn variable(
    program: &mut ProgramBuilder,
    object: &str,
    name: &str,
    lifetime: Lifetime,
    content: Content,
) -> VariableId {
    let object = program.object(Object {
        name: object.to_string(),
        lifetime,
        size: Some(8),
        initialized: lifetime == Lifetime::Static,
        constant: false,
        external: false,
    });
    let (name, declared) = (name.to_string(), Some(span()));
    program.variable(Variable { name, object, offset: 0, size: Some(8), declared, content, is_array: false })
}

pub fn write(body: &mut ProcedureBuilder, variable: VariableId, value: Value) {
    let to = body.program.whole(variable);
    body.emit(OperationKind::Write { to, value }, span());
}

pub fn call(body: &mut ProcedureBuilder, name: &str, arguments: Vec<Argument>, result: Option<VariableId>) {
    let result = result.map(|variable| body.program.whole(variable));
    let callee = Callee::Named(name.to_string());
    let call = Call { callee, arguments, result, never_returns: false };
    body.emit(OperationKind::Call(Box::new(call)), span());
}

pub fn main_of(program: &mut ProgramBuilder) -> ProcedureId {
    program.define("main", "main", span())
}

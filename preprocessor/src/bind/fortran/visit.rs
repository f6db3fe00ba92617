//! Walks over statements and expressions.
//!
//! Input: a statement or an expression.
//! Output: what is directly inside, in the order of the text.

use cppc_grammar::fortran::tree::{
    Argument, ArgumentKind, CharacterLength, Construct, ConstructKind, DoKind, Expr, ExprKind, Prefix,
    Statement, StatementKind,
};

/// The expressions directly inside of one.
pub fn parts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Name(_) => Vec::new(),
        ExprKind::Reference { base, arguments } => {
            std::iter::once(&**base).chain(of_arguments(arguments)).collect()
        }
        ExprKind::Component { base, .. } => vec![base],
        ExprKind::Unary { operand, .. } => vec![operand],
        ExprKind::Binary { left, right, .. } => vec![left, right],
        ExprKind::Parenthesized(inner) => vec![inner],
        ExprKind::ArrayConstructor { items, .. } => items.iter().collect(),
        ExprKind::ImpliedDo { items, bounds, .. } => items.iter().chain(bounds).collect(),
        ExprKind::Other(inner) => inner.iter().collect(),
    }
}

/// The expressions of a list in parentheses.
pub fn of_arguments(arguments: &[Argument]) -> Vec<&Expr> {
    arguments.iter().flat_map(of_argument).collect()
}

pub fn of_argument(argument: &Argument) -> Vec<&Expr> {
    match &argument.kind {
        ArgumentKind::Value(value) => vec![value],
        ArgumentKind::Range { lower, upper, stride } => {
            [lower, upper, stride].into_iter().flatten().map(|expr| &**expr).collect()
        }
        ArgumentKind::AlternateReturn(_) | ArgumentKind::Star => Vec::new(),
    }
}

/// The expressions that a statement evaluates by itself; those of a construct's headers among them.
pub fn of_statement(statement: &Statement) -> Vec<&Expr> {
    match &statement.kind {
        StatementKind::Assignment { target, value } | StatementKind::PointerAssignment { target, value } => {
            vec![target, value]
        }
        StatementKind::Call { procedure, arguments } => {
            std::iter::once(procedure).chain(of_arguments(arguments)).collect()
        }
        StatementKind::ComputedGoto { selector, .. } => vec![selector],
        StatementKind::ArithmeticIf { value, .. } => vec![value],
        StatementKind::LogicalIf { condition, .. } => vec![condition],
        StatementKind::Return(value) | StatementKind::Stop(value) => value.iter().collect(),
        StatementKind::Io { controls, items, .. } => {
            of_arguments(controls).into_iter().chain(items).collect()
        }
        StatementKind::Allocate { objects, options } | StatementKind::Deallocate { objects, options } => {
            objects.iter().chain(of_arguments(options)).collect()
        }
        StatementKind::Nullify(objects) => objects.iter().collect(),
        StatementKind::Masked { expressions, .. } | StatementKind::OtherExecutable { expressions } => {
            expressions.iter().collect()
        }
        StatementKind::Construct(construct) => of_headers(construct),
        _ => Vec::new(),
    }
}

/// The expressions of a construct's headers.
pub fn of_headers(construct: &Construct) -> Vec<&Expr> {
    let mut list: Vec<&Expr> = match &construct.kind {
        ConstructKind::SelectCase { selector }
        | ConstructKind::SelectType { selector, .. }
        | ConstructKind::SelectRank { selector, .. } => vec![selector],
        ConstructKind::Do(control) => match &control.kind {
            DoKind::Counted { start, end, step, .. } => [start, end].into_iter().chain(step).collect(),
            DoKind::While(condition) => vec![condition],
            DoKind::Forever => Vec::new(),
            DoKind::Concurrent { expressions } => expressions.iter().collect(),
        },
        ConstructKind::Associate { associations } => associations.iter().map(|(_, value)| value).collect(),
        ConstructKind::Masked { expressions, .. } | ConstructKind::ChangeTeam { expressions } => {
            expressions.iter().collect()
        }
        ConstructKind::If | ConstructKind::Block | ConstructKind::Critical => Vec::new(),
    };
    for part in &construct.parts {
        list.extend(&part.condition);
        list.extend(part.cases.iter().flat_map(|cases| of_arguments(cases)));
    }
    list
}

/// The statements directly inside of one.
pub fn inside(statement: &Statement) -> Vec<&Statement> {
    match &statement.kind {
        StatementKind::LogicalIf { action, .. } => vec![action],
        StatementKind::Masked { action, .. } => action.iter().map(|action| &**action).collect(),
        StatementKind::Construct(construct) => {
            construct.parts.iter().flat_map(|part| &part.statements).collect()
        }
        _ => Vec::new(),
    }
}

/// The name that a designator begins with: `a` of `a%b(i)%c`.
pub fn root(expr: &Expr) -> Option<&cppc_grammar::fortran::tree::Name> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Reference { base, .. } | ExprKind::Component { base, .. } => root(base),
        _ => None,
    }
}

/// Whether it is no executable statement, wherever it stands.
pub fn is_passive(statement: &Statement) -> bool {
    statement.kind.declares()
        || matches!(
            statement.kind,
            StatementKind::Data(_) | StatementKind::Format | StatementKind::Entry { .. }
        )
}

/// The lengths in a declaration of texts.
pub fn lengths(statement: &Statement) -> Vec<&Expr> {
    let StatementKind::TypeDeclaration { spec, entities, .. } = &statement.kind else { return Vec::new() };
    let of_entities = entities.iter().map(|entity| entity.length.as_ref());
    let lengths = std::iter::once(spec.character_length.as_ref()).chain(of_entities);
    lengths.filter_map(length).collect()
}

/// The length in `character(len=n) function f()`.
pub fn result_length(prefixes: &[Prefix]) -> Option<&Expr> {
    prefixes.iter().find_map(|prefix| match prefix {
        Prefix::Type(spec) => length(spec.character_length.as_ref()),
        _ => None,
    })
}

fn length(length: Option<&CharacterLength>) -> Option<&Expr> {
    match length {
        Some(CharacterLength::Expression(expr)) => Some(expr),
        Some(CharacterLength::Assumed | CharacterLength::Deferred) | None => None,
    }
}

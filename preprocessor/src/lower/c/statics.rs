//! Initial values of static variables, if they contain addresses.
//!
//! Input: a unit.
//! Output: the name of a procedure that writes these values. `main` calls it first.
//! Postcondition: a pointer in a static table points to the object that its initializer names.

use cppc_analysis::builder::ProgramBuilder;
use cppc_analysis::program::{InitialInteger, InitialText, Terminator, INITIAL};
use cppc_grammar::c::tree::{
    BlockItem, Compound, Declaration, Expr, ExprKind, External, InitDeclarator, InitList, Initializer, Range,
    Statement, StatementKind, UnaryOperator,
};
use rustc_hash::FxHashSet;

use super::definition::new_body;
use super::lvalue::Lvalue;
use super::unit::UnitContext;
use crate::bind::c::{parts, Kind, StorageKind, SymbolId, SymbolKind, Type};

type Wanted = fn(&UnitContext, &Type, &Initializer) -> bool;

/// `None` if no initializer contains an address.
pub(super) fn initial_values(context: &mut UnitContext, program: &mut ProgramBuilder) -> Option<String> {
    let found = initialized(context, may_name_address);
    if found.is_empty() {
        return None;
    }
    let name = format!("{}:{INITIAL}", context.file);
    let span = context.span(Range { start: 0, end: 1 });
    let id = program.define(&name, &format!("the initial values of {}", context.file), span);
    let mut body = new_body(context, id, None, program);
    body.builder.procedure().local = true;
    for (symbol, initializer) in found {
        let root = body.variable(symbol);
        let ty = body.bound().symbol(symbol).ty.clone();
        let place = Lvalue::of(root, ty);
        match initializer {
            Initializer::Expr(_) => body.initialize(&place, initializer),
            Initializer::List(list) => body.parts_of_list(&place, list),
        }
    }
    body.end_block(Terminator::Return);
    body.builder.finish();
    Some(name)
}

/// The integers that the statics and externals in use have before the program starts.
pub(super) fn initial_integers(context: &UnitContext, program: &mut ProgramBuilder) {
    /// The maximum number of elements of an array.
    const LIMIT: usize = 64;
    for (symbol, initializer) in initialized(context, |_, ty, _| ty.leaf_element().is_integer()) {
        let Some(variable) = context.known_variable(symbol) else { continue };
        let ty = &context.bound.symbol(symbol).ty;
        let object = program.get_variable(variable).object;
        let Some(size) = context.bound.size_of(ty.leaf_element()) else { continue };
        let mut start = |at: usize, value: &Expr| {
            if let Some(value) = integer(context, value) {
                program.start_with(InitialInteger { object, offset: at as u64 * size, size, value });
            }
        };
        match (initializer, ty.target().filter(|_| ty.is_array())) {
            (Initializer::Expr(value), None) => start(0, value),
            (Initializer::List(list), Some(element)) if !element.is_array() && list.items.len() <= LIMIT => {
                for (at, item) in list.items.iter().enumerate() {
                    match &item.value {
                        Initializer::Expr(value) if item.designators.is_empty() => start(at, value),
                        Initializer::Expr(_) | Initializer::List(_) => break,
                    }
                }
            }
            _ => {}
        }
    }
}

/// The texts that statics and externals contain or point to before the program starts. Arrays of them are left out.
pub(super) fn initial_texts(context: &UnitContext, program: &mut ProgramBuilder) {
    for (symbol, initializer) in initialized(context, |_, _, _| true) {
        let (Some(variable), Initializer::Expr(value)) = (context.known_variable(symbol), initializer) else {
            continue;
        };
        if let Some(text) = literal(context, value) {
            let object = program.get_variable(variable).object;
            program.start_with_text(InitialText { object, text });
        }
    }
}

/// The text of a literal.
fn literal(context: &UnitContext, expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::String(parts) => {
            Some(parts.iter().map(|part| context.text(*part).trim_matches('"')).collect())
        }
        ExprKind::Paren(inner) => literal(context, inner),
        _ => None,
    }
}

/// A literal with a sign.
fn integer(context: &UnitContext, expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Integer(text) => {
            crate::bind::c::integer_value(context.text(*text)).and_then(|value| i64::try_from(value).ok())
        }
        ExprKind::Paren(inner) => integer(context, inner),
        ExprKind::Unary { operator: UnaryOperator::Minus, operand } => {
            integer(context, operand)?.checked_neg()
        }
        _ => None,
    }
}

/// The names of statics and externals of a unit whose address is taken.
pub(super) fn addressed(context: &UnitContext, found: &mut FxHashSet<String>) {
    let bound = context.bound;
    let in_procedures = bound.procedures.iter().flat_map(|procedure| &procedure.facts.address_taken).copied();
    for id in in_procedures.chain(named_in_initializers(context)) {
        match bound.symbol(id).storage {
            StorageKind::StaticFile | StorageKind::Global => found.insert(context.link(id)),
            StorageKind::Automatic | StorageKind::Register | StorageKind::StaticLocal | StorageKind::None => {
                false
            }
        };
    }
}

/// The variables that initializers of statics and externals name. C allows only their addresses there.
fn named_in_initializers(context: &UnitContext) -> Vec<SymbolId> {
    let mut found = Vec::new();
    for (_, initializer) in initialized(context, may_name_address) {
        symbols_in(context, initializer, &mut found);
    }
    found
}

fn symbols_in(context: &UnitContext, initializer: &Initializer, found: &mut Vec<SymbolId>) {
    match initializer {
        Initializer::Expr(value) => {
            expression_names(context, value, found);
        }
        Initializer::List(InitList { items, .. }) => {
            items.iter().for_each(|item| symbols_in(context, &item.value, found));
        }
    }
}

/// Whether an initializer may contain addresses.
fn may_name_address(context: &UnitContext, ty: &Type, initializer: &Initializer) -> bool {
    may_hold_address(ty) && names_address(context, initializer)
}

/// The statics and externals with such initializers.
fn initialized<'t>(context: &UnitContext<'t>, wanted: Wanted) -> Vec<(SymbolId, &'t Initializer)> {
    let mut found: Vec<(SymbolId, &Initializer)> = Vec::new();
    for item in &context.unit.parsed.unit.items {
        match item {
            External::Declaration(declaration) => declared(context, declaration, wanted, &mut found),
            External::Function(function) => in_compound(context, &function.body, wanted, &mut found),
            External::StaticAssert(_) | External::Asm(_) | External::Empty(_) => {}
        }
    }
    found
}

fn declared<'t>(
    context: &UnitContext,
    declaration: &'t Declaration,
    wanted: Wanted,
    found: &mut Vec<(SymbolId, &'t Initializer)>,
) {
    for InitDeclarator { declarator, initializer, .. } in &declaration.declarators {
        let (Some(name), Some(initializer)) = (declarator.name, initializer) else { continue };
        let Some(id) = context.bound.declared_at(name.token) else { continue };
        let symbol = context.bound.symbol(id);
        let is_static = matches!(
            symbol.storage,
            StorageKind::StaticLocal | StorageKind::StaticFile | StorageKind::Global
        );
        if symbol.kind == SymbolKind::Variable && is_static && wanted(context, &symbol.ty, initializer) {
            found.push((id, initializer));
        }
    }
}

fn may_hold_address(ty: &Type) -> bool {
    match &ty.leaf_element().kind {
        Kind::Pointer(_) | Kind::Record(_) | Kind::Unknown | Kind::VaList | Kind::Null => true,
        // A number that was an address.
        Kind::Basic(_) => ty.leaf_element().is_integer(),
        Kind::Void | Kind::Enum(_) | Kind::Array { .. } | Kind::Function(_) | Kind::Vector { .. } => false,
    }
}

/// Whether an initializer contains the address of a procedure, or of an object that can change.
fn names_address(context: &UnitContext, initializer: &Initializer) -> bool {
    match initializer {
        Initializer::Expr(value) => expression_names(context, value, &mut Vec::new()),
        Initializer::List(InitList { items, .. }) => {
            items.iter().any(|item| names_address(context, &item.value))
        }
    }
}

fn expression_names(context: &UnitContext, expr: &Expr, found: &mut Vec<SymbolId>) -> bool {
    match &expr.kind {
        ExprKind::Ident(_) => context.bound.symbol_of(expr.id).is_some_and(|id| {
            let kind = context.bound.symbol(id).kind;
            found.push(id);
            matches!(kind, SymbolKind::Variable | SymbolKind::Parameter | SymbolKind::Function)
        }),
        ExprKind::Compound { list, .. } => {
            symbols_in_list(context, list, found);
            true
        }
        ExprKind::Statement(_) => true,
        ExprKind::SizeofExpr(_) | ExprKind::AlignofExpr(_) => false,
        _ => {
            // All parts are visited, because each may add names.
            let acting = parts(expr).into_iter().filter(|part| expression_names(context, part, found));
            acting.count() > 0
        }
    }
}

fn symbols_in_list(context: &UnitContext, list: &InitList, found: &mut Vec<SymbolId>) {
    list.items.iter().for_each(|item| symbols_in(context, &item.value, found));
}

fn in_compound<'t>(
    context: &UnitContext,
    compound: &'t Compound,
    wanted: Wanted,
    found: &mut Vec<(SymbolId, &'t Initializer)>,
) {
    for item in &compound.items {
        match item {
            BlockItem::Declaration(declaration) => declared(context, declaration, wanted, found),
            BlockItem::Function(function) => in_compound(context, &function.body, wanted, found),
            BlockItem::Statement(statement) => in_statement(context, statement, wanted, found),
            BlockItem::StaticAssert(_) | BlockItem::LocalLabels(_) => {}
        }
    }
}

fn in_statement<'t>(
    context: &UnitContext,
    statement: &'t Statement,
    wanted: Wanted,
    found: &mut Vec<(SymbolId, &'t Initializer)>,
) {
    if let StatementKind::Compound(compound) = &statement.kind {
        in_compound(context, compound, wanted, found);
    }
    for body in statement.bodies() {
        in_statement(context, body, wanted, found);
    }
}

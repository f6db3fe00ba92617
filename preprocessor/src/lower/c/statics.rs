//! Initial values of static variables, if they contain addresses.
//!
//! Input: a unit.
//! Output: the name of a procedure that writes these values. `main` calls it first.
//! Postcondition: a pointer in a static table points to the object that its initializer names.

use cppc_analysis::builder::ProgramBuilder;
use cppc_analysis::program::Terminator;
use cppc_grammar::c::tree::{
    BlockItem, Compound, Declaration, Expr, ExprKind, External, InitDeclarator, InitList, Initializer, Range,
    Statement, StatementKind,
};
use rustc_hash::FxHashSet;

use super::definition::new_body;
use super::lvalue::Lvalue;
use super::unit::UnitContext;
use crate::bind::c::{parts, Kind, StorageKind, SymbolId, SymbolKind, Type};

/// `None` if no initializer contains an address.
pub(super) fn initial_values(context: &mut UnitContext, program: &mut ProgramBuilder) -> Option<String> {
    let found = initialized(context);
    if found.is_empty() {
        return None;
    }
    let name = format!("{}:%initial", context.file);
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

/// The names of statics and externals of a unit whose address is taken.
pub(super) fn addressed(context: &UnitContext, found: &mut FxHashSet<String>) {
    let bound = context.bound;
    let in_procedures = bound.procedures.iter().flat_map(|procedure| &procedure.facts.address_taken).copied();
    for id in in_procedures.chain(named_in_initializers(context)) {
        let symbol = bound.symbol(id);
        let name = context.text(symbol.name);
        match symbol.storage {
            StorageKind::StaticFile => found.insert(format!("{}:{name}", context.file)),
            StorageKind::Global => found.insert(name.to_owned()),
            StorageKind::Automatic | StorageKind::Register | StorageKind::StaticLocal | StorageKind::None => {
                false
            }
        };
    }
}

/// The variables that initializers of statics and externals name. C allows only their addresses there.
fn named_in_initializers(context: &UnitContext) -> Vec<SymbolId> {
    let mut found = Vec::new();
    for (_, initializer) in initialized(context) {
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

/// The statics and externals with initializers that contain addresses.
fn initialized<'t>(context: &UnitContext<'t>) -> Vec<(SymbolId, &'t Initializer)> {
    let mut found: Vec<(SymbolId, &Initializer)> = Vec::new();
    for item in &context.unit.parsed.unit.items {
        match item {
            External::Declaration(declaration) => declared(context, declaration, &mut found),
            External::Function(function) => in_compound(context, &function.body, &mut found),
            External::StaticAssert(_) | External::Asm(_) | External::Empty(_) => {}
        }
    }
    found
}

fn declared<'t>(
    context: &UnitContext,
    declaration: &'t Declaration,
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
        if symbol.kind == SymbolKind::Variable
            && is_static
            && may_hold_address(&symbol.ty)
            && names_address(context, initializer)
        {
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
    found: &mut Vec<(SymbolId, &'t Initializer)>,
) {
    for item in &compound.items {
        match item {
            BlockItem::Declaration(declaration) => declared(context, declaration, found),
            BlockItem::Function(function) => in_compound(context, &function.body, found),
            BlockItem::Statement(statement) => in_statement(context, statement, found),
            BlockItem::StaticAssert(_) | BlockItem::LocalLabels(_) => {}
        }
    }
}

fn in_statement<'t>(
    context: &UnitContext,
    statement: &'t Statement,
    found: &mut Vec<(SymbolId, &'t Initializer)>,
) {
    if let StatementKind::Compound(compound) = &statement.kind {
        in_compound(context, compound, found);
    }
    for body in statement.bodies() {
        in_statement(context, body, found);
    }
}

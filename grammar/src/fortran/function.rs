//! Statement functions, which have the form of assignments to array elements.
//!
//! Input: an assignment among the declarations of a unit, and those declarations.
//! Output: whether it is a statement function. An array may also come from a host or a module. In that case
//! the name is treated as an array.

use super::open_item::{OpenItem, OpenUnit, Stage};
use super::tree::{ArgumentKind, Attribute, Entity, Expr, ExprKind, Statement, StatementKind, UnitKind};

/// True if an assignment to `target` in the innermost open unit defines a function.
pub fn is_statement_function(open: &[OpenItem], target: &Expr) -> bool {
    let Some(name) = function_name(target) else { return false };
    let units: Vec<&OpenUnit> = open.iter().filter_map(unit).collect();
    let Some((own, hosts)) = units.split_last() else { return false };
    if own.stage != Stage::Specification {
        return false;
    }
    let is_subprogram = !matches!(own.unit.kind, UnitKind::Module | UnitKind::Submodule { .. });
    match declared(&own.unit.specification, name) {
        Declared::Shaped => false,
        Declared::Plain => is_subprogram,
        Declared::Not => {
            let elsewhere =
                |unit: &&OpenUnit| declared(&unit.unit.specification, name) != Declared::Not || uses(unit);
            is_subprogram && !uses(own) && !hosts.iter().any(elsewhere)
        }
    }
}

fn unit(item: &OpenItem) -> Option<&OpenUnit> {
    match item {
        OpenItem::Unit(unit) => Some(unit),
        _ => None,
    }
}

/// `f` for `f(a, b)`, if the arguments are names.
fn function_name(target: &Expr) -> Option<&str> {
    let ExprKind::Reference { base, arguments } = &target.kind else { return None };
    let ExprKind::Name(name) = &base.kind else { return None };
    let names = arguments.iter().all(|argument| {
        let ArgumentKind::Value(value) = &argument.kind else { return false };
        argument.keyword.is_none() && matches!(value.kind, ExprKind::Name(_))
    });
    names.then_some(name.text.as_str())
}

fn uses(open: &OpenUnit) -> bool {
    let brings = |statement: &Statement| {
        matches!(statement.kind, StatementKind::Use(_) | StatementKind::Import | StatementKind::Unknown)
    };
    open.unit.specification.iter().any(brings)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Declared {
    Not,
    Plain,
    /// Declared as an array, or in another form that gives it a shape.
    Shaped,
}

fn declared(specification: &[Statement], name: &str) -> Declared {
    let mut found = Declared::Not;
    for statement in specification {
        match declared_by(&statement.kind, name) {
            Declared::Not => {}
            Declared::Shaped => return Declared::Shaped,
            Declared::Plain => found = Declared::Plain,
        }
    }
    found
}

fn declared_by(kind: &StatementKind, name: &str) -> Declared {
    let by_entities = |entities: &[Entity], shaped: bool| {
        let entity = entities.iter().find(|entity| entity.name.text == name && !entity.is_block);
        match entity {
            Some(entity) if shaped || entity.shape.is_some() => Declared::Shaped,
            Some(_) => Declared::Plain,
            None => Declared::Not,
        }
    };
    let shapes = |attribute: &Attribute| {
        matches!(attribute, Attribute::Dimension(_) | Attribute::Pointer | Attribute::Allocatable)
    };
    match kind {
        StatementKind::TypeDeclaration { attributes, entities, .. } => {
            by_entities(entities, attributes.iter().any(shapes))
        }
        StatementKind::Attributes { attribute, entities } => by_entities(entities, shapes(attribute)),
        StatementKind::Common(blocks) => {
            let members = blocks.iter().map(|block| by_entities(&block.members, false));
            members.max_by_key(|found| *found as u8).unwrap_or(Declared::Not)
        }
        _ => Declared::Not,
    }
}

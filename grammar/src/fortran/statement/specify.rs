//! Statements of the specification part other than type declarations.

use super::keyword::Keyword;
use super::role::Role;
use super::{declare, LineResult, Reader};
use crate::fortran::body::{self, Body};
use crate::fortran::cursor::Cursor;
use crate::fortran::declaration;
use crate::fortran::explain::LineError;
use crate::fortran::terminal::Start;
use crate::fortran::token::Shape;
use crate::fortran::tree::{Attribute, Entity, Expr, ExprKind, Interface, Name, Rename, StatementKind, Use};

impl Reader {
    /// `None` if the keyword does not begin such a statement.
    pub(super) fn specification(&mut self, keyword: Keyword, rest: Cursor<'_>) -> Option<LineResult<Role>> {
        if keyword == Keyword::Type && prints(rest) {
            return None;
        }
        if let Some(role) = self.declaration(keyword, rest) {
            return Some(role);
        }
        if let Some(attribute) = attribute_of(keyword) {
            return Some(attribute_statement(keyword, attribute, rest).map(Role::Plain));
        }
        let kind = match keyword {
            Keyword::Contains => {
                self.done(rest);
                return Some(Ok(Role::Contains));
            }
            Keyword::Interface => return Some(Ok(Role::Interface(interface(rest, false)))),
            Keyword::AbstractInterface => return Some(Ok(Role::Interface(interface(rest, true)))),
            Keyword::Enum => return Some(Ok(Role::Enumeration)),
            Keyword::Enumerator => return Some(enumerators(rest).map(Role::Enumerators)),
            Keyword::ModuleProcedure => return Some(names(rest).map(Role::Procedures)),
            Keyword::Procedure if self.line_context.interface => {
                return Some(names(rest).map(Role::Procedures));
            }
            Keyword::Procedure if self.line_context.bindings => Ok(StatementKind::OtherSpecification),
            Keyword::Procedure => procedure(rest),
            Keyword::Implicit => declare::implicit(rest),
            Keyword::Parameter => parameter(rest),
            Keyword::Common => common(rest),
            Keyword::Equivalence => equivalence(rest),
            Keyword::Namelist => namelist(rest),
            Keyword::Data => data(rest).map(StatementKind::Data),
            Keyword::Use => self.used(rest),
            Keyword::Import => Ok(StatementKind::Import),
            Keyword::Public | Keyword::Private => access(keyword == Keyword::Private, rest),
            Keyword::Entry => self.entry(rest),
            Keyword::Format => Ok(StatementKind::Format),
            Keyword::Sequence => return Some(Ok(Role::Sequence)),
            Keyword::Include
            | Keyword::Options
            | Keyword::Final
            | Keyword::Generic
            | Keyword::Map
            | Keyword::Union => Ok(StatementKind::OtherSpecification),
            _ => return None,
        };
        Some(kind.map(Role::Plain))
    }

    fn entry(&mut self, mut rest: Cursor<'_>) -> LineResult<StatementKind> {
        let Some(name) = rest.take_name() else {
            return Err(LineError::here(rest, "expected the name of the entry"));
        };
        let inside = rest.take_brackets();
        let arguments = inside.map_or(Vec::new(), |inside| self.dummies(inside));
        let (result, _) = self.suffixes(&mut rest);
        self.done(rest);
        Ok(StatementKind::Entry { name, arguments, result })
    }

    /// `USE, INTRINSIC :: module, ONLY: a, b => c`
    fn used(&mut self, mut rest: Cursor<'_>) -> LineResult<StatementKind> {
        let mut intrinsic = false;
        if rest.eat(Shape::Comma) {
            intrinsic = rest.word() == Some("intrinsic");
            rest.advance();
        }
        rest.eat(Shape::DoubleColon);
        let Some(module) = rest.take_name() else {
            return Err(LineError::here(rest, "expected the name of a module"));
        };
        let mut used = Use { module, intrinsic, only: None, renames: Vec::new() };
        if rest.is_done() {
            return Ok(StatementKind::Use(used));
        }
        if !rest.eat(Shape::Comma) {
            return Err(LineError::here(rest, "expected `,`"));
        }
        let mut only = rest;
        if only.take_whole("only") && only.eat(Shape::Colon) {
            used.only = Some(renames(only)?);
        } else {
            used.renames = renames(rest)?;
        }
        Ok(StatementKind::Use(used))
    }
}

/// `TYPE *, x`, `TYPE 10, x` and `TYPE format, x` are output statements.
fn prints(rest: Cursor<'_>) -> bool {
    let mut named = rest;
    if named.take_name().is_some() && named.shape() == Some(Shape::Comma) {
        return true;
    }
    matches!(rest.shape(), Some(Shape::Star | Shape::Number(_) | Shape::Characters(_)))
}

fn attribute_of(keyword: Keyword) -> Option<Attribute> {
    Some(match keyword {
        Keyword::Dimension | Keyword::Virtual => Attribute::Dimension(Vec::new()),
        Keyword::Codimension => Attribute::Codimension,
        Keyword::Allocatable => Attribute::Allocatable,
        Keyword::Pointer => Attribute::Pointer,
        Keyword::Target => Attribute::Target,
        Keyword::Save | Keyword::Static => Attribute::Save,
        Keyword::External => Attribute::External,
        Keyword::Intrinsic => Attribute::Intrinsic,
        Keyword::Optional => Attribute::Optional,
        Keyword::Value => Attribute::Value,
        Keyword::Volatile => Attribute::Volatile,
        Keyword::Asynchronous => Attribute::Asynchronous,
        Keyword::Contiguous => Attribute::Contiguous,
        Keyword::Protected => Attribute::Protected,
        Keyword::Bind => Attribute::Bind,
        Keyword::Automatic => Attribute::Other,
        Keyword::Intent => Attribute::Intent { reads: true, writes: true },
        _ => return None,
    })
}

fn attribute_statement(
    keyword: Keyword,
    attribute: Attribute,
    mut rest: Cursor<'_>,
) -> LineResult<StatementKind> {
    match keyword {
        Keyword::Pointer if rest.shape() == Some(Shape::Open) => cray_pointers(rest),
        Keyword::Intent | Keyword::Bind => {
            let from = rest;
            if rest.take_brackets().is_none() {
                return Err(LineError::here(rest, "expected `(`"));
            }
            let arguments = body::arguments(from.until(rest))?;
            let word = if keyword == Keyword::Bind { "bind" } else { "intent" };
            declare::attributes(declaration::attribute(word, &arguments), rest)
        }
        _ => declare::attributes(attribute, rest),
    }
}

/// `POINTER (p, a(10)), (q, b)`. It declares the pointer and the pointee.
fn cray_pointers(mut rest: Cursor<'_>) -> LineResult<StatementKind> {
    let mut entities: Vec<Entity> = Vec::new();
    loop {
        let Some(inside) = rest.take_brackets() else {
            return Err(LineError::here(rest, "expected `(`"));
        };
        entities.extend(body::entities(inside)?);
        if !rest.eat(Shape::Comma) {
            break;
        }
    }
    Ok(StatementKind::Attributes { attribute: Attribute::CrayPointer, entities })
}

/// `INTERFACE`, `INTERFACE name`, `INTERFACE OPERATOR (+)`
fn interface(mut rest: Cursor<'_>, is_abstract: bool) -> Interface {
    let generic = if rest.is_done() { None } else { generic_name(&mut rest) };
    Interface { generic, is_abstract, bodies: Vec::new(), procedures: Vec::new() }
}

/// A name, or `operator(…)`, `assignment(=)` in this spelling.
fn generic_name(rest: &mut Cursor<'_>) -> Option<Name> {
    let from = *rest;
    let name = rest.take_name()?;
    if rest.is_done() || !is_operator(&name.text) {
        return Some(name);
    }
    let whole = from.at();
    let spelled: String = {
        let mut text = String::new();
        let mut next = from;
        while let Some(token) = next.peek() {
            text.push_str(next.text_of(token));
            next.advance();
        }
        text
    };
    Some(Name { text: spelled, at: whole })
}

fn is_operator(word: &str) -> bool {
    matches!(word, "operator" | "assignment" | "read" | "write")
}

fn enumerators(mut rest: Cursor<'_>) -> LineResult<Vec<(Name, Option<Expr>)>> {
    rest.eat(Shape::DoubleColon);
    let entities = body::entities(rest)?;
    Ok(entities.into_iter().map(|entity| (entity.name, entity.initial)).collect())
}

fn names(mut rest: Cursor<'_>) -> LineResult<Vec<Name>> {
    rest.eat(Shape::DoubleColon);
    let mut names = Vec::new();
    loop {
        let Some(name) = rest.take_name() else {
            return Err(LineError::here(rest, "expected a name"));
        };
        names.push(name);
        if rest.is_done() {
            return Ok(names);
        }
        if !rest.eat(Shape::Comma) {
            return Err(LineError::here(rest, "expected `,`"));
        }
    }
}

/// `PROCEDURE (interface), attributes :: names`
fn procedure(mut rest: Cursor<'_>) -> LineResult<StatementKind> {
    let inside = rest.take_brackets();
    let interface = inside.and_then(|mut inside| inside.take_name());
    let start = if { rest }.skip_to(Shape::DoubleColon) { Start::Declaration } else { Start::OldDeclaration };
    match body::read(rest, start)? {
        Body::Declared(declared) => {
            let target = |entity: &Entity| match &entity.initial.as_ref()?.kind {
                ExprKind::Name(name) => Some(name.clone()),
                _ => None,
            };
            let targets = declared.entities.iter().filter_map(target).collect();
            let names = declared.entities.into_iter().map(|entity| entity.name).collect();
            let attributes = declared.attributes;
            Ok(StatementKind::ProcedureDeclaration { interface, attributes, names, targets })
        }
        _ => Err(LineError::here(rest, "expected a name")),
    }
}

fn parameter(rest: Cursor<'_>) -> LineResult<StatementKind> {
    let start = if rest.shape() == Some(Shape::Open) { Start::Parameter } else { Start::Constants };
    match body::read(rest, start)? {
        Body::Constants(constants) => Ok(StatementKind::Parameter(constants)),
        _ => Err(LineError::here(rest, "expected `(`")),
    }
}

fn common(rest: Cursor<'_>) -> LineResult<StatementKind> {
    match body::read(rest, Start::Common)? {
        Body::Common(blocks) => Ok(StatementKind::Common(blocks)),
        _ => Err(LineError::here(rest, "expected a name")),
    }
}

fn equivalence(rest: Cursor<'_>) -> LineResult<StatementKind> {
    match body::read(rest, Start::Equivalence)? {
        Body::Lists(lists) => Ok(StatementKind::Equivalence(lists)),
        _ => Err(LineError::here(rest, "expected `(`")),
    }
}

/// `NAMELIST /a/ x, y, /b/ z`
fn namelist(mut rest: Cursor<'_>) -> LineResult<StatementKind> {
    let mut groups: Vec<(Name, Vec<Name>)> = Vec::new();
    while !rest.is_done() {
        if rest.eat(Shape::Slash) {
            let name = rest.take_name();
            let Some(name) = name.filter(|_| rest.eat(Shape::Slash)) else {
                return Err(LineError::here(rest, "expected `/name/`"));
            };
            groups.push((name, Vec::new()));
        }
        let member = rest.take_name();
        match (member, groups.last_mut()) {
            (Some(name), Some((_, members))) => members.push(name),
            _ => return Err(LineError::here(rest, "expected a name")),
        }
        if !rest.eat(Shape::Comma) && !rest.is_done() && rest.shape() != Some(Shape::Slash) {
            return Err(LineError::here(rest, "expected `,`"));
        }
    }
    Ok(StatementKind::Namelist(groups))
}

/// `DATA a, (b(i), i=1,3) / 1, 2, 3 /, c / 4 /`: the variables. The values are constants and are skipped.
fn data(mut rest: Cursor<'_>) -> LineResult<Vec<Name>> {
    let mut names = Vec::new();
    while !rest.is_done() {
        let variables = rest;
        if !rest.skip_to(Shape::Slash) {
            return Err(LineError::here(rest, "expected `/`"));
        }
        initialized(variables.until(rest), &mut names)?;
        rest.advance();
        if !rest.skip_to(Shape::Slash) {
            return Err(LineError::here(rest, "expected `/`"));
        }
        rest.advance();
        rest.eat(Shape::Comma);
    }
    Ok(names)
}

/// The variables of a list, including those in implied loops.
fn initialized(list: Cursor<'_>, names: &mut Vec<Name>) -> LineResult<()> {
    let mut waiting = vec![list];
    while let Some(mut list) = waiting.pop() {
        while !list.is_done() {
            if let Some(name) = list.take_name() {
                // `i=1,3` ends an implied loop.
                if list.shape() == Some(Shape::Equals) {
                    break;
                }
                names.push(name);
            } else if let Some(inside) = list.take_brackets() {
                waiting.push(inside);
            } else {
                return Err(LineError::here(list, "expected a variable"));
            }
            if list.skip_to(Shape::Comma) {
                list.advance();
            }
        }
    }
    Ok(())
}

fn renames(mut rest: Cursor<'_>) -> LineResult<Vec<Rename>> {
    let mut list = Vec::new();
    while !rest.is_done() {
        let Some(local) = rest.take_name() else {
            return Err(LineError::here(rest, "expected a name"));
        };
        if is_operator(&local.text) && rest.shape().is_some_and(opens) {
            // `OPERATOR (/)`: the brackets are not paired here.
            while !rest.is_done() && rest.shape() != Some(Shape::Comma) {
                rest.advance();
            }
        } else {
            let theirs = if rest.eat(Shape::Arrow) { rest.take_name() } else { Some(local.clone()) };
            let Some(theirs) = theirs else {
                return Err(LineError::here(rest, "expected a name"));
            };
            list.push(Rename { local, theirs });
        }
        if !rest.is_done() && !rest.eat(Shape::Comma) {
            return Err(LineError::here(rest, "expected `,`"));
        }
    }
    Ok(list)
}

fn opens(shape: Shape) -> bool {
    matches!(shape, Shape::Open | Shape::OpenConstructor)
}

/// `PUBLIC :: a, b`
fn access(private: bool, mut rest: Cursor<'_>) -> LineResult<StatementKind> {
    rest.eat(Shape::DoubleColon);
    let names = renames(rest)?.into_iter().map(|rename| rename.local).collect();
    Ok(StatementKind::Access { private, names })
}

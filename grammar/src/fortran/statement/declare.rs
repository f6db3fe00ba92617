//! Declarations of types and of entities that have a type.

use super::keyword::Keyword;
use super::role::Role;
use super::{LineResult, Reader};
use crate::fortran::body::{self, Body};
use crate::fortran::cursor::Cursor;
use crate::fortran::declaration::{self, Declared};
use crate::fortran::explain::LineError;
use crate::fortran::logical::At;
use crate::fortran::terminal::Start;
use crate::fortran::token::Shape;
use crate::fortran::tree::{Attribute, BaseType, DerivedType, ImplicitRule, Name, StatementKind, TypeSpec};

/// The intrinsic type that a keyword names.
pub(super) fn base_of(keyword: Keyword) -> Option<BaseType> {
    Some(match keyword {
        Keyword::Integer => BaseType::Integer,
        Keyword::Real => BaseType::Real,
        Keyword::DoublePrecision => BaseType::DoublePrecision,
        Keyword::Complex => BaseType::Complex,
        Keyword::DoubleComplex => BaseType::DoubleComplex,
        Keyword::Logical => BaseType::Logical,
        Keyword::Character => BaseType::Character,
        Keyword::Byte => BaseType::Byte,
        _ => return None,
    })
}

impl Reader {
    /// `INTEGER …`, `TYPE …`, `CLASS …`, `RECORD …`. `None` for other keywords.
    pub(super) fn declaration(&mut self, keyword: Keyword, rest: Cursor<'_>) -> Option<LineResult<Role>> {
        Some(match keyword {
            Keyword::Type if rest.shape() == Some(Shape::Open) => of_type(rest).map(Role::Plain),
            Keyword::Type => self.derived_type(rest),
            Keyword::Class => of_class(rest).map(Role::Plain),
            Keyword::Record => record(rest).map(Role::Plain),
            Keyword::Structure => structure(rest),
            _ => declaration(base_of(keyword)?, rest).map(Role::Plain),
        })
    }

    /// `TYPE name`, `TYPE, EXTENDS(parent) :: name(k)`
    fn derived_type(&mut self, mut rest: Cursor<'_>) -> LineResult<Role> {
        let mut extends = None;
        let (mut bind, mut is_abstract) = (false, false);
        while rest.eat(Shape::Comma) {
            let Some(word) = rest.take_name() else {
                return Err(LineError::here(rest, "expected an attribute"));
            };
            let inside = rest.take_brackets();
            match word.text.as_str() {
                "extends" => extends = inside.and_then(|mut inside| inside.take_name()),
                "bind" => bind = true,
                "abstract" => is_abstract = true,
                _ => {}
            }
        }
        rest.eat(Shape::DoubleColon);
        let Some(name) = rest.take_name() else {
            return Err(LineError::here(rest, "expected the name of a type"));
        };
        let is_parameterized = rest.take_brackets().is_some();
        self.done(rest);
        let derived = DerivedType { extends, bind, is_abstract, is_parameterized, ..named(name) };
        Ok(Role::DerivedType { derived, structure: false })
    }
}

fn named(name: Name) -> DerivedType {
    DerivedType {
        name,
        extends: None,
        is_abstract: false,
        is_parameterized: false,
        is_sequence: false,
        bind: false,
        components: Vec::new(),
        end: None,
    }
}

/// The declaration after the name of an intrinsic type.
fn declaration(base: BaseType, rest: Cursor<'_>) -> LineResult<StatementKind> {
    let at = At { end: rest.place(), ..rest.at() };
    let declared = declared(rest)?;
    Ok(statement(base, declared, at))
}

fn statement(base: BaseType, declared: Declared, at: At) -> StatementKind {
    let Declared { selector, attributes, entities } = declared;
    let spec = declaration::type_spec(base, selector, at);
    StatementKind::TypeDeclaration { spec, attributes, entities }
}

fn declared(rest: Cursor<'_>) -> LineResult<Declared> {
    let start = if { rest }.skip_to(Shape::DoubleColon) { Start::Declaration } else { Start::OldDeclaration };
    match body::read(rest, start)? {
        Body::Declared(declared) => Ok(declared),
        _ => Err(LineError::here(rest, "expected a name")),
    }
}

/// `TYPE (name) …`, `TYPE (*) …`, `TYPE (REAL(8)) …`
fn of_type(mut rest: Cursor<'_>) -> LineResult<StatementKind> {
    let at = rest.at();
    let Some(inside) = rest.take_brackets() else {
        return Err(LineError::here(rest, "expected `(`"));
    };
    if inside.shape() == Some(Shape::Star) {
        return Ok(statement(BaseType::Assumed, declared(rest)?, at));
    }
    let spec = intrinsic_or_named(inside)?;
    let Declared { attributes, entities, .. } = declared(rest)?;
    Ok(StatementKind::TypeDeclaration { spec, attributes, entities })
}

fn intrinsic_or_named(inside: Cursor<'_>) -> LineResult<TypeSpec> {
    let spec = declaration::type_of_expression(body::expression(inside)?);
    spec.map_err(|_| LineError::here(inside, "expected the name of a type"))
}

/// `CLASS (name) …`, `CLASS (*) …`
fn of_class(mut rest: Cursor<'_>) -> LineResult<StatementKind> {
    let at = rest.at();
    let Some(mut inside) = rest.take_brackets() else {
        return Err(LineError::here(rest, "expected `(`"));
    };
    let name = inside.take_name();
    Ok(statement(BaseType::Class(name), declared(rest)?, at))
}

/// `RECORD /name/ a, b(10)`
fn record(mut rest: Cursor<'_>) -> LineResult<StatementKind> {
    let at = rest.at();
    let name = slashed_name(&mut rest)?;
    let entities = body::entities(rest)?;
    if let Some(second) = entities.iter().find(|entity| entity.is_block) {
        let error =
            LineError::new("C0216", second.at.start, second.at.end, "two structures in one declaration");
        return Err(error.help("give each structure a `record` statement of its own"));
    }
    let spec = declaration::type_spec(BaseType::Type(name), None, at);
    Ok(StatementKind::TypeDeclaration { spec, attributes: Vec::new(), entities })
}

/// `STRUCTURE /name/ fields`
fn structure(mut rest: Cursor<'_>) -> LineResult<Role> {
    let name = slashed_name(&mut rest).or_else(|error| rest.take_name().ok_or(error))?;
    let derived = DerivedType { is_sequence: true, ..named(name) };
    Ok(Role::DerivedType { derived, structure: true })
}

fn slashed_name(rest: &mut Cursor<'_>) -> LineResult<Name> {
    let error = LineError::here(*rest, "expected `/name/`");
    if !rest.eat(Shape::Slash) {
        return Err(error);
    }
    let name = rest.take_name();
    match name.filter(|_| rest.eat(Shape::Slash)) {
        Some(name) => Ok(name),
        None => Err(error),
    }
}

/// `IMPLICIT NONE`, `IMPLICIT REAL*8 (A-H, O-Z), …`
pub(super) fn implicit(mut rest: Cursor<'_>) -> LineResult<StatementKind> {
    let mut none = rest;
    if none.take(&["none"]) || none.take(&["undefined"]) {
        none.take_brackets();
        if none.is_done() {
            return Ok(StatementKind::Implicit(None));
        }
    }
    let mut rules = Vec::new();
    loop {
        let from = rest;
        let base = implicit_type(&mut rest)?;
        let selector = rest;
        if rest.eat(Shape::Star) && rest.take_brackets().is_none() {
            rest.advance();
        }
        // If there are two pairs of brackets, the second one contains the letters.
        let mut next = rest;
        if next.take_brackets().is_some() && next.shape() == Some(Shape::Open) {
            rest = next;
        }
        let selector = selector.until(rest);
        let selector = match selector.is_done() {
            true => None,
            false => match body::read(selector, Start::Selector)? {
                Body::Selector(selector) => Some(selector),
                _ => None,
            },
        };
        let spec = declaration::type_spec(base, selector, from.at_until(rest));
        let Some(inside) = rest.take_brackets() else {
            return Err(LineError::here(rest, "expected letters in brackets"));
        };
        rules.push(ImplicitRule { spec, letters: letters(inside)? });
        if rest.is_done() {
            return Ok(StatementKind::Implicit(Some(rules)));
        }
        if !rest.eat(Shape::Comma) {
            return Err(LineError::here(rest, "expected `,`"));
        }
    }
}

fn implicit_type(rest: &mut Cursor<'_>) -> LineResult<BaseType> {
    let from = *rest;
    let keyword = super::keyword::take(rest, |_| true);
    let error = LineError::here(from, "expected a type");
    match keyword {
        Some(keyword @ (Keyword::Type | Keyword::Class)) => {
            let name = rest.take_brackets().and_then(|mut inside| inside.take_name());
            match (keyword, name) {
                (Keyword::Class, name) => Ok(BaseType::Class(name)),
                (_, name) => name.map(BaseType::Type).ok_or(error),
            }
        }
        Some(keyword) => base_of(keyword).ok_or(error),
        None => Err(error),
    }
}

fn letters(mut inside: Cursor<'_>) -> LineResult<Vec<(u8, u8)>> {
    let mut letters = Vec::new();
    while !inside.is_done() {
        let error = LineError::here(inside, "expected a letter");
        let Some(first) = letter(&mut inside) else { return Err(error) };
        let last = if inside.eat(Shape::Minus) { letter(&mut inside) } else { Some(first) };
        let Some(last) = last else { return Err(error) };
        letters.push((first, last));
        if !inside.is_done() && !inside.eat(Shape::Comma) {
            return Err(LineError::here(inside, "expected `,`"));
        }
    }
    Ok(letters)
}

fn letter(inside: &mut Cursor<'_>) -> Option<u8> {
    let name = inside.take_name()?;
    match name.text.as_bytes() {
        [letter] => Some(*letter),
        _ => None,
    }
}

/// A statement that gives names an attribute: `DIMENSION a(10)`, `SAVE`, `INTENT(IN) :: x`.
pub(super) fn attributes(attribute: Attribute, mut rest: Cursor<'_>) -> LineResult<StatementKind> {
    rest.eat(Shape::DoubleColon);
    let entities = if rest.is_done() { Vec::new() } else { body::entities(rest)? };
    Ok(StatementKind::Attributes { attribute, entities })
}

//! The headers of program units and subprograms.
//!
//! Input: a cursor at the first token.
//! Output: a unit without content. `REAL FUNCTION X(A)` is a header where a unit may begin. Elsewhere in
//! fixed form it is the declaration of an array, unless the words are separated by blanks.

use super::keyword::{self, Keyword};
use super::role::Role;
use super::Reader;
use crate::fortran::body::{self, Body};
use crate::fortran::cursor::Cursor;
use crate::fortran::declaration::{type_spec, Selector};
use crate::fortran::explain::LineError;
use crate::fortran::logical::LineId;
use crate::fortran::terminal::Start;
use crate::fortran::token::Shape;
use crate::fortran::tree::{BaseType, DummyArgument, Name, Prefix, TypeSpec, Unit, UnitKind};

impl Unit {
    pub fn new(kind: UnitKind, name: Option<Name>, header: Option<LineId>) -> Unit {
        Unit {
            kind,
            name,
            header,
            arguments: Vec::new(),
            prefixes: Vec::new(),
            bind: None,
            specification: Vec::new(),
            execution: Vec::new(),
            contains: None,
            contained: Vec::new(),
            end: None,
            end_label: None,
        }
    }
}

impl Reader {
    pub(super) fn header(&mut self, cursor: Cursor<'_>) -> Option<Role> {
        let mut rest = cursor;
        let unit = match keyword::take(&mut rest, |_| true)? {
            Keyword::Program => {
                let name = rest.take_name();
                // `PROGRAM P (INPUT, OUTPUT)`
                rest.take_brackets();
                self.done(rest);
                Unit::new(UnitKind::Program, name, Some(cursor.line))
            }
            Keyword::BlockData => {
                let name = rest.take_name();
                self.done(rest);
                Unit::new(UnitKind::BlockData, name, Some(cursor.line))
            }
            Keyword::Submodule => self.submodule(rest)?,
            Keyword::ModuleProcedure if !self.line_context.interface => {
                let name = rest.take_name();
                self.done(rest);
                Unit::new(UnitKind::ModuleProcedure, name, Some(cursor.line))
            }
            Keyword::Module if is_module(rest) => {
                let name = rest.take_name();
                Unit::new(UnitKind::Module, name, Some(cursor.line))
            }
            _ => return self.subprogram(cursor),
        };
        Some(Role::Unit(Box::new(unit)))
    }

    /// `SUBMODULE (ancestor:parent) name`
    fn submodule(&mut self, mut rest: Cursor<'_>) -> Option<Unit> {
        let line = rest.line;
        let mut inside = rest.take_brackets()?;
        let ancestor = inside.take_name()?;
        let parent = inside.eat(Shape::Colon).then(|| inside.take_name()).flatten();
        let name = rest.take_name();
        self.done(rest);
        Some(Unit::new(UnitKind::Submodule { ancestor, parent }, name, Some(line)))
    }

    fn subprogram(&mut self, mut cursor: Cursor<'_>) -> Option<Role> {
        let line = cursor.line;
        let mut prefixes = Vec::new();
        loop {
            let mut rest = cursor;
            let prefix = match keyword::take(&mut rest, |_| true)? {
                Keyword::Subroutine => return self.subroutine(rest, prefixes),
                Keyword::Function => {
                    let plain = self.is_function(cursor, rest);
                    return plain.then(|| self.function(rest, prefixes)).flatten();
                }
                Keyword::Recursive => Prefix::Recursive,
                Keyword::NonRecursive => Prefix::NonRecursive,
                Keyword::Pure => Prefix::Pure,
                Keyword::Impure => Prefix::Impure,
                Keyword::Elemental => Prefix::Elemental,
                Keyword::Module => Prefix::Module,
                keyword => {
                    let (spec, behind) = function_type(keyword, cursor, rest)?;
                    rest = behind;
                    Prefix::Type(spec)
                }
            };
            prefixes.push(prefix);
            cursor = rest;
            debug_assert_eq!(cursor.line, line);
        }
    }

    fn subroutine(&mut self, mut rest: Cursor<'_>, prefixes: Vec<Prefix>) -> Option<Role> {
        let name = rest.take_name()?;
        let mut unit = Unit::new(UnitKind::Subroutine, Some(name), Some(rest.line));
        unit.prefixes = prefixes;
        if let Some(inside) = rest.take_brackets() {
            unit.arguments = self.dummies(inside);
        }
        unit.bind = self.suffixes(&mut rest).1;
        self.done(rest);
        Some(Role::Unit(Box::new(unit)))
    }

    /// True if `FUNCTION name (names)` is the header of a function.
    fn is_function(&self, from: Cursor<'_>, mut rest: Cursor<'_>) -> bool {
        let whole = from.peek().map_or(0, |token| token.to - token.from);
        let letters = from.peek().map_or(0, |token| token.end - token.start);
        if rest.take_name().is_none() {
            return false;
        }
        // Words that are separated by blanks are not the name of an array.
        let apart = !from.fixed || whole > letters;
        let Some(mut inside) = rest.take_brackets() else {
            return self.line_context.unit_may_begin && rest.is_done() && apart;
        };
        while let Some(shape) = inside.shape() {
            if !matches!(shape, Shape::Word | Shape::Comma | Shape::Star) {
                return false;
            }
            inside.advance();
        }
        self.line_context.unit_may_begin || apart
    }

    fn function(&mut self, mut rest: Cursor<'_>, prefixes: Vec<Prefix>) -> Option<Role> {
        let line = rest.line;
        let name = rest.take_name()?;
        let arguments = rest.take_brackets();
        let arguments = arguments.map_or(Vec::new(), |inside| self.dummies(inside));
        let (result, bind) = self.suffixes(&mut rest);
        self.done(rest);
        let mut unit = Unit::new(UnitKind::Function { result }, Some(name), Some(line));
        unit.prefixes = prefixes;
        unit.arguments = arguments;
        unit.bind = bind;
        Some(Role::Unit(Box::new(unit)))
    }

    /// `RESULT (name)` and `BIND (C, NAME='…')`, in any order.
    pub(super) fn suffixes(&mut self, rest: &mut Cursor<'_>) -> (Option<Name>, Option<String>) {
        let (mut result, mut bind) = (None, None);
        loop {
            let mut next = *rest;
            if next.take_whole("result") {
                let Some(mut inside) = next.take_brackets() else { break };
                result = inside.take_name();
            } else if next.take_whole("bind") {
                let Some(inside) = next.take_brackets() else { break };
                bind = bound_name(inside);
            } else {
                break;
            }
            *rest = next;
        }
        (result, bind)
    }

    pub(super) fn dummies(&mut self, mut inside: Cursor<'_>) -> Vec<DummyArgument> {
        let mut list = Vec::new();
        while !inside.is_done() {
            let token = inside.peek();
            // `/A/` is `A` by reference in old compilers.
            let slashed = inside.eat(Shape::Slash);
            if let Some(name) = inside.take_name() {
                list.push(DummyArgument::Name(name));
            } else if let Some(star) =
                token.filter(|_| inside.eat(Shape::Star) || inside.eat(Shape::Ampersand))
            {
                list.push(DummyArgument::Star(inside.at_of(star)));
            } else {
                self.errors.push(LineError::here(inside, "expected a dummy argument"));
                return list;
            }
            if slashed {
                inside.eat(Shape::Slash);
            }
            if !inside.is_done() && !inside.eat(Shape::Comma) {
                self.errors.push(LineError::here(inside, "expected `,`"));
                return list;
            }
        }
        list
    }
}

/// `MODULE name`, not `MODULE SUBROUTINE name`.
fn is_module(mut rest: Cursor<'_>) -> bool {
    rest.take_name().is_some() && rest.is_done()
}

/// The type before `FUNCTION` or another prefix, and the text after it.
fn function_type<'l>(
    keyword: Keyword,
    from: Cursor<'l>,
    mut rest: Cursor<'l>,
) -> Option<(TypeSpec, Cursor<'l>)> {
    let base = match keyword {
        Keyword::Type | Keyword::Class => {
            let mut inside = { rest }.take_brackets()?;
            let name = inside.take_name();
            rest.take_brackets()?;
            match (keyword, name) {
                (Keyword::Type, Some(name)) => BaseType::Type(name),
                (Keyword::Class, name) => BaseType::Class(name),
                _ => return None,
            }
        }
        _ => super::declare::base_of(keyword)?,
    };
    let selector = rest;
    if rest.eat(Shape::Star) {
        if rest.take_brackets().is_none() {
            rest.take_label()?;
        }
    } else {
        rest.take_brackets();
    }
    // Only the header of a function continues with another header word.
    let mut next = rest;
    let goes_on = matches!(
        keyword::take(&mut next, |_| true),
        Some(
            Keyword::Function
                | Keyword::Recursive
                | Keyword::NonRecursive
                | Keyword::Pure
                | Keyword::Impure
                | Keyword::Elemental
                | Keyword::Module
        )
    );
    if !goes_on {
        return None;
    }
    let selector = selector.until(rest);
    let selector = if selector.is_done() {
        None
    } else {
        match body::read(selector, Start::Selector) {
            Ok(Body::Selector(selector)) => Some(selector),
            _ => None::<Selector>,
        }
    };
    let at = from.at_until(rest);
    Some((type_spec(base, selector, at), rest))
}

/// The name in `BIND(C, NAME='…')`. An empty text: the name of the procedure. None: no name, as after `NAME=''`.
fn bound_name(mut inside: Cursor<'_>) -> Option<String> {
    if !inside.skip_to(Shape::Equals) {
        return Some(String::new());
    }
    inside.advance();
    let Some(name) = inside.literal() else { return Some(String::new()) };
    let name = name.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

//! Declarators, and the declarations that are being parsed.
//!
//! Input: names, derivations, specifiers.
//! Output: declarations.
//! Postcondition: the name of a declarator is in scope as soon as the declarator has ended, before its
//! initialiser, as C requires.

use super::context::{fault, Built, Context, FaultKind};
use super::scope::{Class, Mark};
use super::specifiers::Draft;
use crate::c::tree::{
    Attribute, Compound, Declaration, Declarator, Derivation, Enumeration, Function, Ident, InitDeclarator,
    Initializer, Parameter, Parameters, Qualifiers, Range, Specifiers, Storage, TypeName, TypeSpecifier,
};

/// The stars before a declarator, in text order.
#[derive(Debug, Default)]
pub struct Pointers {
    pub qualifiers: Vec<Qualifiers>,
    pub attributes: Vec<Attribute>,
}

pub fn named(name: Option<Ident>, start: u32, end: u32) -> Declarator {
    Declarator { range: Range { start, end }, name, derivations: Vec::new(), attributes: Vec::new() }
}

impl Declarator {
    /// Adds the `*` before it.
    pub fn pointed(mut self, start: u32, pointers: Pointers) -> Declarator {
        self.range.start = start;
        self.derivations.reserve_exact(pointers.qualifiers.len());
        self.derivations.extend(pointers.qualifiers.into_iter().rev().map(Derivation::Pointer));
        self.attributes.extend(pointers.attributes);
        self
    }

    /// Adds the `[…]` or `(…)` after it.
    pub fn derived(mut self, derivation: Derivation, end: u32) -> Declarator {
        self.range.end = end;
        // Headers contain many declarators, and most have only one or two of these.
        if self.derivations.is_empty() {
            self.derivations.reserve_exact(1);
        }
        self.derivations.push(derivation);
        self
    }

    /// Adds parentheses around it.
    pub fn grouped(mut self, start: u32, end: u32) -> Declarator {
        self.range = Range { start, end };
        self
    }

    pub fn with(mut self, attribute: Attribute) -> Declarator {
        self.range.end = self.range.end.max(attribute.range.end);
        self.attributes.push(attribute);
        self
    }

    pub fn with_all(mut self, attributes: Vec<Attribute>) -> Declarator {
        self.attributes.extend(attributes);
        self
    }
}

/// A declaration whose last declarator may still get an initialiser or a body.
#[derive(Debug)]
pub struct Opening {
    start: u32,
    specifiers: Specifiers,
    declarators: Vec<InitDeclarator>,
}

/// A function definition before its body.
#[derive(Debug)]
pub struct FunctionHead {
    opening: Box<Opening>,
    mark: Mark,
}

impl Opening {
    pub fn new(
        context: &Context<'_>,
        start: u32,
        draft: Draft,
        declarator: Declarator,
    ) -> Built<Box<Opening>> {
        let from = declarator.range.start;
        let specifiers = draft.finish(from)?;
        // Most declarations have one declarator.
        let opening = Box::new(Opening { start, specifiers, declarators: Vec::with_capacity(1) });
        Ok(opening.and(context, from, declarator))
    }

    /// Adds a declarator, including the attributes before it.
    pub fn and(
        mut self: Box<Self>,
        context: &Context<'_>,
        start: u32,
        declarator: Declarator,
    ) -> Box<Opening> {
        if let Some(name) = declarator.name {
            let typedef = self.specifiers.storage == Storage::Typedef;
            context.declare(name.name, if typedef { Class::Type } else { Class::Variable });
        }
        let range = Range { start, end: declarator.range.end };
        self.declarators.push(InitDeclarator { range, declarator, initializer: None });
        self
    }

    /// Adds an asm label or an attribute after one.
    pub fn followed(mut self: Box<Self>, end: u32, attribute: Option<Attribute>) -> Box<Opening> {
        if let Some(last) = self.declarators.last_mut() {
            last.range.end = end;
            last.declarator.attributes.extend(attribute);
        }
        self
    }

    pub fn initialized(mut self: Box<Self>, initializer: Initializer, end: u32) -> Box<Opening> {
        if let Some(last) = self.declarators.last_mut() {
            last.range.end = end;
            last.initializer = Some(initializer);
        }
        self
    }

    pub fn finish(self, context: &Context<'_>, end: u32) -> Built<Box<Declaration>> {
        let Opening { start, specifiers, declarators } = self;
        context.enclose(start, end)?;
        Ok(Box::new(Declaration { range: Range { start, end }, specifiers, declarators }))
    }

    /// Prepares for the body or the K&R parameters: the parameters come into scope again. `end` is the token
    /// after the declarator.
    pub fn enter(self: Box<Self>, context: &Context<'_>, end: u32) -> Built<FunctionHead> {
        let declarator = self.declarators.last().map(|last| &last.declarator);
        let Some(Derivation::Function(parameters)) = declarator.and_then(|d| d.derivations.first()) else {
            return Err(fault(end, FaultKind::NotAFunction));
        };
        let mark = context.mark();
        declare_parameters(context, parameters);
        Ok(FunctionHead { opening: self, mark })
    }
}

impl FunctionHead {
    pub fn finish(
        self,
        context: &Context<'_>,
        old_parameters: Vec<Declaration>,
        body: Compound,
    ) -> Built<Box<Function>> {
        context.restore(self.mark);
        let Opening { start, specifiers, declarators } = *self.opening;
        let range = Range { start, end: body.range.end };
        let Some(first) = declarators.into_iter().next() else {
            return Err(fault(start, FaultKind::NotAFunction));
        };
        let declarator = first.declarator;
        context.enclose(range.start, range.end)?;
        Ok(Box::new(Function { range, specifiers, declarator, old_parameters, body }))
    }
}

/// A declaration without declarators: `struct s { … };`.
pub fn bare(context: &Context<'_>, draft: Draft, start: u32, end: u32) -> Built<Box<Declaration>> {
    let specifiers = draft.finish(end - 1)?;
    context.enclose(start, end)?;
    Ok(Box::new(Declaration { range: Range { start, end }, specifiers, declarators: Vec::new() }))
}

pub fn parameter(
    context: &Context<'_>,
    start: u32,
    draft: Draft,
    declarator: Declarator,
) -> Built<Box<Parameter>> {
    let specifiers = draft.finish(declarator.range.start)?;
    if let Some(name) = declarator.name {
        context.declare(name.name, Class::Variable);
    }
    let end = declarator.range.end;
    Ok(Box::new(Parameter { range: Range { start, end }, specifiers, declarator }))
}

pub fn type_name(start: u32, draft: Draft, declarator: Declarator) -> Built<Box<TypeName>> {
    let specifiers = draft.finish(declarator.range.start)?;
    let end = declarator.range.end;
    Ok(Box::new(TypeName { range: Range { start, end }, specifiers, declarator }))
}

fn declare_parameters(context: &Context<'_>, parameters: &Parameters) {
    for parameter in &parameters.list {
        if let TypeSpecifier::Enum(list) = &parameter.specifiers.kind {
            declare_enumerators(context, list);
        }
        if let Some(name) = parameter.declarator.name {
            context.declare(name.name, Class::Variable);
        }
    }
    for name in &parameters.identifiers {
        context.declare(name.name, Class::Variable);
    }
}

fn declare_enumerators(context: &Context<'_>, list: &Enumeration) {
    for enumerator in list.enumerators.iter().flatten() {
        context.declare(enumerator.name.name, Class::Variable);
    }
}

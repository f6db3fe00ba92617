//! The current macros and their bodies.
//!
//! Input: definitions, in text order.
//! Output: the definition of a name.
//! Postcondition: a definition never changes. A name refers to its newest definition, or to none.

use std::ops::Range;

use cppc_source::Span;

use super::lexeme::{Kind, Lexeme};
use crate::c::token::Name;

/// The number of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MacroId(u32);

#[derive(Debug, Clone)]
pub struct Macro {
    pub kind: MacroKind,
    /// The range of the body among all bodies.
    body: (u32, u32),
    /// The range of the parameters among all parameters. `__VA_ARGS__` is the last of them.
    parameters: (u32, u32),
    pub variadic: bool,
    /// Something in the body is a parameter, `##` or `__VA_OPT__`.
    pub plain: bool,
    /// It is being expanded. Its name is not expanded again inside its expansion.
    pub disabled: bool,
    /// The span of the name in its definition.
    pub definition: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MacroKind {
    Object,
    Function,
    Builtin(Builtin),
}

/// A macro whose value depends on the context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Builtin {
    File,
    FileName,
    BaseFile,
    Line,
    IncludeLevel,
    Counter,
    Date,
    Time,
    Timestamp,
    HasInclude,
    HasIncludeNext,
    HasEmbed,
    /// The compiler is asked: `__has_attribute(x)`.
    Question,
}

impl Macro {
    pub fn parameter_count(&self) -> usize {
        (self.parameters.1 - self.parameters.0) as usize
    }

    /// The range of the body among all bodies.
    pub fn body(&self) -> Range<usize> {
        self.body.0 as usize..self.body.1 as usize
    }
}

#[derive(Debug, Clone, Default)]
pub struct Macros {
    list: Vec<Macro>,
    /// All bodies, concatenated.
    pub bodies: Vec<Lexeme>,
    parameters: Vec<Name>,
    /// By name: the number of its definition plus one, or 0 for none.
    current: Vec<u32>,
    /// The definitions that `#pragma push_macro` saved.
    pushed: Vec<(Name, Option<MacroId>)>,
}

impl Macros {
    pub fn find(&self, name: Name) -> Option<MacroId> {
        self.current.get(name.0 as usize)?.checked_sub(1).map(MacroId)
    }

    pub fn get(&self, id: MacroId) -> &Macro {
        &self.list[id.0 as usize]
    }

    pub fn get_mut(&mut self, id: MacroId) -> &mut Macro {
        &mut self.list[id.0 as usize]
    }

    pub fn body(&self, id: MacroId) -> &[Lexeme] {
        &self.bodies[self.get(id).body()]
    }

    fn parameters(&self, id: MacroId) -> &[Name] {
        let (start, end) = self.get(id).parameters;
        &self.parameters[start as usize..end as usize]
    }

    pub fn define(&mut self, definition: Definition) -> MacroId {
        let body = (self.bodies.len() as u32, (self.bodies.len() + definition.body.len()) as u32);
        self.bodies.extend_from_slice(definition.body);
        let first = self.parameters.len();
        self.parameters.extend_from_slice(definition.parameters);
        let special = |lexeme: &Lexeme| {
            matches!(lexeme.kind, Kind::Parameter | Kind::OptionalStart) || lexeme.has(Lexeme::PASTED)
        };
        self.list.push(Macro {
            kind: definition.kind,
            body,
            parameters: (first as u32, self.parameters.len() as u32),
            variadic: definition.variadic,
            plain: !definition.body.iter().any(special),
            disabled: false,
            definition: definition.place,
        });
        let id = MacroId(self.list.len() as u32 - 1);
        self.set(definition.name, Some(id));
        id
    }

    pub fn undefine(&mut self, name: Name) {
        self.set(name, None);
    }

    fn set(&mut self, name: Name, id: Option<MacroId>) {
        let at = name.0 as usize;
        if self.current.len() <= at {
            self.current.resize((at + 1).next_power_of_two(), 0);
        }
        self.current[at] = id.map_or(0, |id| id.0 + 1);
    }

    pub fn push(&mut self, name: Name) {
        self.pushed.push((name, self.find(name)));
    }

    pub fn pop(&mut self, name: Name) {
        if let Some(at) = self.pushed.iter().rposition(|&(pushed, _)| pushed == name) {
            let (_, id) = self.pushed.remove(at);
            self.set(name, id);
        }
    }

    /// True if two definitions are the same, with blanks compared as the standard requires.
    pub fn same(&self, left: MacroId, right: MacroId) -> bool {
        let kinds = self.get(left).kind == self.get(right).kind;
        let heads = self.parameters(left) == self.parameters(right);
        let (left, right) = (self.body(left), self.body(right));
        let alike = |(index, (l, r)): (usize, (&Lexeme, &Lexeme))| {
            // Blanks before the body do not count.
            let spaced = if index == 0 { 0 } else { (l.flags ^ r.flags) & Lexeme::SPACED };
            let flags = (l.flags ^ r.flags) & (Lexeme::PASTED | Lexeme::QUOTED);
            l.kind == r.kind && l.name == r.name && spaced == 0 && flags == 0
        };
        kinds && heads && left.len() == right.len() && left.iter().zip(right).enumerate().all(alike)
    }
}

/// The content of a definition.
#[derive(Debug)]
pub struct Definition<'a> {
    pub name: Name,
    pub kind: MacroKind,
    pub parameters: &'a [Name],
    pub variadic: bool,
    pub body: &'a [Lexeme],
    pub place: Span,
}

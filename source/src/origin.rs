//! Where a token comes from: this byte range of this file, written there or brought by a macro.
//!
//! Holds afterwards: a token without an expansion stands in its file exactly as it was lexed, so an
//! edit at its place changes what the compiler sees there and nowhere else.

use crate::Span;

/// The place of a token's spelling, and the macro expansion that brought it, if any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// The bytes that spell it: in the file for plain tokens and macro arguments, in the macro's
    /// definition for the tokens of its body.
    pub span: Span,
    /// The outermost expansion it went through; none for a token that stands in its file.
    pub expansion: Option<ExpansionId>,
}

/// An expansion's number in its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExpansionId(pub u32);

/// One outermost use of a macro.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expansion {
    pub name: String,
    /// The whole use, from the macro's name to the closing parenthesis of its arguments.
    pub invocation: Span,
}

/// All outermost macro uses of a translation unit, in the order of the text.
#[derive(Debug, Clone, Default)]
pub struct Expansions {
    list: Vec<Expansion>,
}

impl Expansions {
    pub fn add(&mut self, expansion: Expansion) -> ExpansionId {
        self.list.push(expansion);
        ExpansionId(self.list.len() as u32 - 1)
    }

    pub fn get(&self, id: ExpansionId) -> &Expansion {
        &self.list[id.0 as usize]
    }

    pub fn get_mut(&mut self, id: ExpansionId) -> &mut Expansion {
        &mut self.list[id.0 as usize]
    }
}

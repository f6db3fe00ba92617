//! The origin of a token: a byte range of a file, and the macro expansion that produced the token, if any.
//!
//! Postcondition: a token without an expansion is in its file exactly as it was lexed. An edit of its bytes
//! changes what the compiler reads there and nowhere else.

use std::sync::Arc;

use crate::Span;

/// The bytes that spell a token, and the macro expansion that produced the token, if any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// The bytes that spell it: in the file for plain tokens and macro arguments, in the definition of the
    /// macro for tokens of its body.
    pub span: Span,
    /// The outermost expansion that produced it. None for a token that is in its file.
    pub expansion: Option<ExpansionId>,
}

/// An expansion's number in its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExpansionId(pub u32);

/// One use of a macro that is not inside the expansion of another macro.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expansion {
    pub name: Arc<str>,
    /// The whole use, from the name of the macro to the closing parenthesis of its arguments.
    pub invocation: Span,
}

/// All outermost macro uses of a translation unit, in text order.
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

//! From token ranges to bytes that can be edited.
//!
//! In: tokens with origins. Out: the bytes of the main file that make a range of tokens, if there
//! are such bytes. Holds afterwards: replacing those bytes replaces these tokens and no others; a
//! macro use counts when it lies wholly inside the range.

use cppc_grammar::c::token::{Preprocessed, Token};
use cppc_grammar::c::tree::Range;
use cppc_source::{ExpansionId, FileId, Span};

/// Answers for one unit.
#[derive(Clone, Copy)]
pub struct Places<'a> {
    pub preprocessed: &'a Preprocessed,
    pub main: FileId,
}

impl Places<'_> {
    /// The bytes of a range of tokens; none when they are not the main file's own.
    pub fn of(&self, range: Range) -> Option<Span> {
        let tokens = &self.preprocessed.tokens;
        if range.start >= range.end || range.end as usize > tokens.len() {
            return None;
        }
        let (first, last) = (range.start as usize, range.end as usize - 1);
        let start = match tokens[first].origin.expansion {
            None => tokens[first].origin.span,
            Some(expansion) => self.whole_use(expansion, first.checked_sub(1))?,
        };
        let end = match tokens[last].origin.expansion {
            None => tokens[last].origin.span,
            Some(expansion) => self.whole_use(expansion, Some(last + 1))?,
        };
        let in_main = start.file == self.main && end.file == self.main;
        (in_main && start.start <= end.end).then(|| Span::new(self.main, start.start, end.end))
    }

    /// The bytes of a macro use, unless the neighbouring token is made by it too.
    fn whole_use(&self, expansion: ExpansionId, neighbour: Option<usize>) -> Option<Span> {
        let token = neighbour.and_then(|index| self.preprocessed.tokens.get(index));
        let shared = token.is_some_and(|token| token.origin.expansion == Some(expansion));
        (!shared).then(|| self.preprocessed.expansions.get(expansion).invocation)
    }

    /// Where a diagnostic about these tokens points: their bytes, else the macro use or the line of
    /// the include that brought the first of them.
    pub fn anchor(&self, range: Range) -> Span {
        self.of(range).unwrap_or_else(|| match self.token(range.start) {
            Some(token) => self.visible(token),
            None => Span::new(self.main, 0, 0),
        })
    }

    /// The macro that brought the first token of a range.
    pub fn macro_name(&self, range: Range) -> Option<String> {
        let expansion = self.token(range.start)?.origin.expansion?;
        Some(self.preprocessed.expansions.get(expansion).name.clone())
    }

    /// The byte of the main file at which a token starts, or its macro use does.
    pub fn start(&self, token: u32) -> Option<u32> {
        let span = self.visible(self.token(token)?);
        (span.file == self.main).then_some(span.start)
    }

    /// The byte after a token, or after its macro use.
    pub fn end(&self, token: u32) -> Option<u32> {
        let span = self.visible(self.token(token)?);
        (span.file == self.main).then_some(span.end)
    }

    fn token(&self, index: u32) -> Option<&Token> {
        self.preprocessed.tokens.get(index as usize)
    }

    fn visible(&self, token: &Token) -> Span {
        match token.origin.expansion {
            Some(expansion) => self.preprocessed.expansions.get(expansion).invocation,
            None => token.origin.span,
        }
    }
}

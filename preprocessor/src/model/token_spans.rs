//! Maps ranges of tokens to bytes that can be edited.
//!
//! Input: tokens with origins.
//! Output: the bytes of the main file that produce a range of tokens, if they exist.
//! Postcondition: replacing these bytes replaces these tokens and no others. A macro use is included only if
//! it is completely inside the range.

use cppc_grammar::c::token::{Preprocessed, Token};
use cppc_grammar::c::tree::Range;
use cppc_source::{ExpansionId, FileId, Span};

/// The mapping of one unit.
#[derive(Clone, Copy)]
pub struct TokenSpans<'a> {
    pub preprocessed: &'a Preprocessed,
    pub main: FileId,
}

impl TokenSpans<'_> {
    /// The bytes of a range of tokens. `None` if they are not only bytes of the main file.
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

    /// The bytes of a macro use, unless it also produces the neighbouring token.
    fn whole_use(&self, expansion: ExpansionId, neighbour: Option<usize>) -> Option<Span> {
        let token = neighbour.and_then(|index| self.preprocessed.tokens.get(index));
        let shared = token.is_some_and(|token| token.origin.expansion == Some(expansion));
        (!shared).then(|| self.preprocessed.expansions.get(expansion).invocation)
    }

    /// The span for a diagnostic about these tokens: their bytes, otherwise the macro use or the line of the
    /// include that produced the first of them.
    pub fn anchor(&self, range: Range) -> Span {
        self.of(range).unwrap_or_else(|| match self.token(range.start) {
            Some(token) => self.visible(token),
            None => Span::new(self.main, 0, 0),
        })
    }

    /// The macro that produced the first token of a range.
    pub fn macro_name(&self, range: Range) -> Option<String> {
        let expansion = self.token(range.start)?.origin.expansion?;
        Some(self.preprocessed.expansions.get(expansion).name.clone())
    }

    /// The offset in the main file at which a token, or its macro use, starts.
    pub fn start(&self, token: u32) -> Option<u32> {
        let span = self.visible(self.token(token)?);
        (span.file == self.main).then_some(span.start)
    }

    /// The offset after a token, or after its macro use.
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

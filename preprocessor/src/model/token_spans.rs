//! Maps ranges of tokens to bytes that can be edited.
//!
//! Input: tokens with origins.
//! Output: the bytes of the main file that produce a range of tokens, if they exist.
//! Postcondition: replacing these bytes replaces these tokens and no others. A macro use is included only if
//! it is completely inside the range.

use cppc_grammar::c::token::{Preprocessed, Token};
use cppc_grammar::c::tree::Range;
use cppc_source::{ExpansionId, FileId, Origin, Span};

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

    /// The bytes that spell a range of tokens. They may also be a part of an argument of a macro: then they can be read, but
    /// an edit of them may change other tokens too.
    pub fn spelled(&self, range: Range, text: &[u8]) -> Option<Span> {
        self.of(range).or_else(|| self.in_argument(range, text))
    }

    /// Tokens of an argument of a macro, in which other macros may be used.
    fn in_argument(&self, range: Range, text: &[u8]) -> Option<Span> {
        let (first, last) = (range.start, range.end.checked_sub(1)?);
        let expansion = self.token(first)?.origin.expansion?;
        let is_written = |index: u32| self.argument(index, expansion).is_some();
        // A macro is between the tokens around it.
        let from = if is_written(first) { first } else { first.checked_sub(1)? };
        let to = if is_written(last) { last } else { last + 1 };
        let written = (from..=to).filter_map(|index| Some((index, self.argument(index, expansion)?)));
        let written: Vec<(u32, Span)> = written.collect();
        let (&(before, start), &(after, end)) = (written.first()?, written.last()?);
        if before != from || after != to {
            return None;
        }
        for pair in written.windows(2) {
            let [(left, left_span), (right, right_span)] = pair else { continue };
            let between = text.get(left_span.end as usize..right_span.start as usize)?.trim_ascii();
            let is_right = if left + 1 == *right { between.is_empty() } else { is_macro_use(between) };
            if !is_right {
                return None;
            }
        }
        let start = match from == first {
            true => start.start,
            false => start.end + white_space(text[start.end as usize..].iter()),
        };
        let end = match to == last {
            true => end.end,
            false => end.start - white_space(text[..end.start as usize].iter().rev()),
        };
        Some(Span::new(self.main, start, end))
    }

    /// The bytes of a token that is in an argument of a macro.
    fn argument(&self, index: u32, expansion: ExpansionId) -> Option<Span> {
        let Origin { span, expansion: own } = self.token(index)?.origin;
        let invocation = self.preprocessed.expansions.get(expansion).invocation;
        (own == Some(expansion) && invocation.contains(span) && span.file == self.main).then_some(span)
    }

    /// Whether one macro use produced the first and the last token.
    pub fn is_of_one_macro(&self, range: Range) -> bool {
        let expansion = |index: u32| self.token(index).and_then(|token| token.origin.expansion);
        let last = range.end.checked_sub(1);
        expansion(range.start).is_some_and(|first| last.and_then(expansion) == Some(first))
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
        Some(self.preprocessed.expansions.get(expansion).name.to_string())
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

fn white_space<'t>(bytes: impl Iterator<Item = &'t u8>) -> u32 {
    bytes.take_while(|byte| byte.is_ascii_whitespace()).count() as u32
}

/// `NAME` or `NAME(…)`.
fn is_macro_use(text: &[u8]) -> bool {
    let length = text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let mut depth = 0;
    let rest = text[length..].trim_ascii();
    let is_inside = |byte: &u8| {
        depth += i32::from(*byte == b'(') - i32::from(*byte == b')');
        depth > 0
    };
    length > 0 && (rest.is_empty() || rest.ends_with(b")") && rest[..rest.len() - 1].iter().all(is_inside))
}

//! Substitutes arguments into the body of a macro and executes `#` and `##`.
//!
//! Input: the body and the arguments, as written and as expanded.
//! Output: lexemes at the end of `pending`.
//! Postcondition: the result contains no parameter, no operator of the body and no placemarker.

use std::ops::Range;

use cppc_source::{Diagnostic, Span};

use super::lexeme::{Kind, Lexeme};
use super::macros::MacroId;
use super::state::Preprocessor;
use super::{codes, words};
use crate::c::lexer::{self, PieceKind};

/// A use of a macro: the index of its first argument, their number, and whether the last is variadic.
#[derive(Clone, Copy)]
struct Use {
    first_argument: usize,
    arguments: usize,
    variadic: bool,
    /// The span of the macro's name in its use.
    place: Span,
}

/// An item of a body and its context.
#[derive(Clone, Copy)]
struct Operand {
    item: Lexeme,
    /// `##` precedes it.
    joins: bool,
    /// `##` follows it.
    pasted: bool,
    /// It is the first of the body.
    first: bool,
}

impl Preprocessor<'_> {
    /// Appends the expansion of a macro. `place` is the span of its name in its use.
    pub fn substitute(&mut self, id: MacroId, first_argument: usize, place: Span) {
        let found = self.macros.get(id);
        let (body, variadic) = (found.body(), found.variadic);
        let start = self.pending.len();
        if found.plain {
            let lexemes = self.macros.bodies[body].iter();
            self.pending.extend(lexemes.map(|lexeme| lexeme.with(Lexeme::EXPANDED)));
            return;
        }
        let arguments = self.arguments.len() - first_argument;
        self.substitute_range(body, Use { first_argument, arguments, variadic, place });
        for lexeme in &mut self.pending[start..] {
            if lexeme.kind == Kind::Placemarker {
                *lexeme = Lexeme::padding(lexeme.span);
            }
        }
    }

    fn substitute_range(&mut self, range: Range<usize>, usage: Use) {
        let mut joins = false;
        let mut at = range.start;
        while at < range.end {
            let item = self.macros.bodies[at];
            let first = at == range.start;
            let mut content = at..at;
            if item.kind == Kind::OptionalStart {
                content = at + 1..at + 1 + item.name.0 as usize;
                at = content.end;
            }
            let pasted = self.macros.bodies[at].has(Lexeme::PASTED);
            let operand = Operand { item, joins, pasted, first };
            match item.kind {
                Kind::Parameter => self.parameter(operand, usage),
                Kind::OptionalStart => self.optional(operand, content, usage),
                _ => {
                    let from = self.pending.len();
                    self.pending.push(item.with(Lexeme::EXPANDED).without(Lexeme::PASTED));
                    if joins {
                        self.join(from, usage);
                    }
                }
            }
            joins = pasted;
            at += 1;
        }
    }

    fn parameter(&mut self, operand: Operand, usage: Use) {
        let Operand { item, joins, pasted, first } = operand;
        let index = item.name.0 as usize;
        let argument = self.arguments[usage.first_argument + index];
        let variadic = usage.variadic && index + 1 == usage.arguments;
        if !first && !joins {
            self.pending.push(Lexeme::padding_for(item));
        }
        let from = self.pending.len();
        let written = argument.start as usize..argument.end as usize;
        let mut joins = joins;
        if item.has(Lexeme::QUOTED) {
            let mut text = std::mem::take(&mut self.scratch);
            self.stringify(&self.argument_lexemes[written], &mut text);
            self.push_string(item, text);
        } else if joins || pasted {
            let comma = self.pending.last().is_some_and(|left| left.is(words::COMMA));
            if joins && variadic && comma {
                // GNU: `, ## args` removes the comma if the argument is missing. Otherwise it does not paste.
                joins = false;
                if !argument.given {
                    self.pending.pop();
                }
            }
            if written.is_empty() {
                self.pending.push(Lexeme::placemarker(item.span));
            }
            self.pending.extend_from_slice(&self.argument_lexemes[written]);
        } else {
            let expanded = argument.expanded_start as usize..argument.expanded_end as usize;
            self.pending.extend_from_slice(&self.argument_lexemes[expanded]);
        }
        if joins {
            self.join(from, usage);
        }
        if !pasted {
            self.pending.push(Lexeme::padding(item.span));
        }
    }

    /// `__VA_OPT__(content)`: the content if the variadic argument has tokens.
    fn optional(&mut self, operand: Operand, content: Range<usize>, usage: Use) {
        let Operand { item, joins, pasted, first } = operand;
        let last = self.arguments.last();
        let expanded = last.map_or(0..0, |last| last.expanded_start..last.expanded_end);
        let lexemes = &self.argument_lexemes[expanded.start as usize..expanded.end as usize];
        let present = lexemes.iter().any(|lexeme| lexeme.kind != Kind::Padding);
        if !first && !joins {
            self.pending.push(Lexeme::padding_for(item));
        }
        let from = self.pending.len();
        if present {
            self.substitute_range(content, usage);
        }
        if item.has(Lexeme::QUOTED) {
            let mut text = std::mem::take(&mut self.scratch);
            self.stringify(&self.pending[from..], &mut text);
            self.pending.truncate(from);
            self.push_string(item, text);
        } else if joins || pasted {
            let padding = |lexeme: &Lexeme| lexeme.kind == Kind::Padding;
            while self.pending[from..].last().is_some_and(padding) {
                self.pending.pop();
            }
            let leading = self.pending[from..].iter().take_while(|lexeme| padding(lexeme)).count();
            self.pending.drain(from..from + leading);
            if self.pending.len() == from {
                self.pending.push(Lexeme::placemarker(item.span));
            }
        }
        if joins {
            self.join(from, usage);
        }
        if !pasted {
            self.pending.push(Lexeme::padding(item.span));
        }
    }

    /// `left ## right`: joins the lexeme before `from` with the one at `from`.
    fn join(&mut self, from: usize, usage: Use) {
        let Some(before) = from.checked_sub(1) else { return };
        let (left, right) = (self.pending[before], self.pending[from]);
        if left.kind == Kind::Padding {
            return;
        }
        if right.kind == Kind::Placemarker {
            self.pending.remove(from);
        } else if left.kind == Kind::Placemarker {
            self.pending.remove(before);
        } else if let Some(pasted) = self.paste(left, right) {
            self.pending[before] = pasted;
            self.pending.remove(from);
        } else {
            let text = format!(
                "`##` does not make one token of `{}` and `{}`",
                self.text(left.name),
                self.text(right.name),
            );
            let place = self.place_of_use(usage.place);
            let diagnostic = Diagnostic::error(codes::BAD_PASTE, place, text);
            self.report(diagnostic.label(left.span, "this").label(right.span, "and this"));
        }
    }

    /// The span of the outermost expansion, or of the name.
    fn place_of_use(&self, name: Span) -> Span {
        match self.expansion {
            Some(id) if !self.in_condition => self.out.expansions.get(id).invocation,
            _ => name,
        }
    }

    fn paste(&mut self, left: Lexeme, right: Lexeme) -> Option<Lexeme> {
        let mut text = std::mem::take(&mut self.scratch);
        text.clear();
        self.spell(left.without(Lexeme::ODD), &mut text);
        self.spell(right.without(Lexeme::ODD), &mut text);
        self.may_work(text.len(), left.span);
        let pasted = lexer::single(&text, self.language).map(|piece| {
            let name = match piece.kind {
                PieceKind::Punctuator(index) => lexer::punctuator(index),
                _ => self.out.names.intern_bytes(&text),
            };
            let lexeme = Lexeme::new(piece, name, left.span.file);
            let flags = left.flags & Lexeme::SPACED | Lexeme::EXPANDED;
            Lexeme { flags, span: left.span, ..lexeme }
        });
        self.scratch = text;
        pasted
    }

    fn push_string(&mut self, item: Lexeme, text: Vec<u8>) {
        self.may_work(text.len(), item.span);
        let name = self.out.names.intern_bytes(&text);
        self.scratch = text;
        let flags = Lexeme::EXPANDED;
        self.pending.push(Lexeme { kind: Kind::String, flags, name, span: item.span });
    }

    /// The string literal that `#` creates from the spellings. A sequence of blanks becomes one blank.
    fn stringify(&self, lexemes: &[Lexeme], text: &mut Vec<u8>) {
        text.clear();
        text.push(b'"');
        // The token whose position the next one takes. Its blanks count.
        let mut source: Option<Lexeme> = None;
        for &lexeme in lexemes {
            if matches!(lexeme.kind, Kind::Padding | Kind::Placemarker) {
                let sourced = lexeme.has(Lexeme::SOURCED);
                if source.is_none_or(|source| !source.has(Lexeme::SPACED) && !sourced) {
                    source = sourced.then_some(lexeme);
                }
                continue;
            }
            let spaced = source.take().unwrap_or(lexeme).has(Lexeme::SPACED);
            if spaced && text.len() > 1 {
                text.push(b' ');
            }
            let start = text.len();
            self.spell(lexeme, text);
            if matches!(lexeme.kind, Kind::String | Kind::Character) {
                escape(text, start);
            }
        }
        // A backslash at the end would escape the closing quote.
        let slashes = text.iter().rev().take_while(|&&byte| byte == b'\\').count();
        if slashes % 2 == 1 {
            text.pop();
        }
        text.push(b'"');
    }
}

/// Inserts a backslash before each quote and backslash from `start` on.
fn escape(text: &mut Vec<u8>, start: usize) {
    let literal = text.split_off(start);
    for byte in literal {
        match byte {
            b'"' | b'\\' => text.extend([b'\\', byte]),
            b'\n' => text.extend(b"\\n"),
            _ => text.push(byte),
        }
    }
}

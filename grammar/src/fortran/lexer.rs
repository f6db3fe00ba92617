//! Lexes a logical line.
//!
//! Input: a logical line.
//! Output: tokens with brackets linked to each other, and the first fault.
//! Postcondition: if there is no fault, brackets match and are nested no deeper than `NESTING_LIMIT`, and no
//! tree of the tokens is higher than `HEIGHT_LIMIT`, so that walking or dropping a tree never exhausts the
//! stack.

use logos::Logos;

use super::condensed::{is_length_of_type, Condensed};
use super::logical::LogicalLine;
use super::token::{Reading, Shape, Token};

pub const NESTING_LIMIT: usize = 256;
pub const HEIGHT_LIMIT: u32 = 2000;

/// The tokens of one line. The buffers are reused for each line.
#[derive(Debug, Default)]
pub struct Lexed {
    pub condensed: Condensed,
    pub tokens: Vec<Token>,
    /// The first token that is invalid in every statement except `FORMAT`.
    pub fault: Option<Fault>,
    /// The source contains structures of old Fortran: in `a.b.c` the dots are not operators.
    pub structures: bool,
    open: Vec<Open>,
}

/// A fault of the tokens, and the index of the token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    pub token: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    Unclosed,
    Foreign,
    /// A bracket without its partner.
    Brackets,
    Nesting,
    Height,
}

/// A bracket that is not closed yet, and the maximum height of the tree of its content.
#[derive(Debug, Default)]
struct Open {
    token: u32,
    /// In the part since the last comma: the number of operators, and the highest tree in brackets.
    operators: u32,
    inner: u32,
    /// The maximum over the previous parts.
    highest: u32,
}

impl Open {
    fn end_part(&mut self) {
        self.highest = self.highest.max(self.operators + self.inner);
        self.operators = 0;
        self.inner = 0;
    }
}

impl Lexed {
    pub fn fill(&mut self, line: &LogicalLine) {
        self.condensed.fill(&line.text, line.form);
        self.tokens.clear();
        self.open.clear();
        self.open.push(Open::default());
        self.fault = None;
        let condensed = std::mem::take(&mut self.condensed);
        self.read(&condensed);
        self.condensed = condensed;
        if let [_, .., last] = self.open.as_slice() {
            self.fault.get_or_insert(Fault { kind: FaultKind::Brackets, token: last.token });
        }
        self.close_part();
    }

    fn read(&mut self, condensed: &Condensed) {
        let mut lexer = Shape::lexer_with_extras(condensed.text(), Reading::default());
        let mut constants = condensed.constants.iter();
        while let Some(shape) = lexer.next() {
            let span = lexer.span();
            let (start, end) = (span.start as u32, span.end as u32);
            let from = condensed.origin(start);
            let mut token =
                Token { shape: shape.unwrap_or(Shape::Foreign), start, end, from, to: 0, link: 0 };
            let constant = is_constant(token.shape).then(|| constants.next()).flatten();
            token.to = match constant {
                // A letter may follow it.
                Some(constant) => constant.end.max(condensed.origin(end - 1) + 1),
                None => condensed.origin(end - 1) + 1,
            };
            token.link = constant.map_or(0, |constant| constant.length);
            if self.structures && token.shape == Shape::Defined {
                self.push_component(token, condensed);
            } else {
                self.push(token);
            }
            if token.shape == Shape::Star && self.tokens.len() < 8 {
                let before = &condensed.text().as_bytes()[..span.end];
                lexer.extras.digits_only = is_length_of_type(before);
            }
        }
    }

    /// The three tokens of `.b.` in `a.b.c`.
    fn push_component(&mut self, token: Token, condensed: &Condensed) {
        let (name, last) = (token.start + 1, token.end - 1);
        let dot = Token { shape: Shape::Dot, end: name, to: token.from + 1, ..token };
        let (from, to) = (condensed.origin(name), condensed.origin(last - 1) + 1);
        self.push(dot);
        self.push(Token { shape: Shape::Word, start: name, end: last, from, to, ..token });
        self.push(Token { start: last, end: token.end, from: token.to - 1, to: token.to, ..dot });
    }

    fn push(&mut self, mut token: Token) {
        let at = self.tokens.len() as u32;
        match token.shape {
            Shape::Open | Shape::OpenConstructor | Shape::OpenBracket => {
                token.link = at;
                if self.open.len() > NESTING_LIMIT {
                    self.fault(FaultKind::Nesting, at);
                }
                self.open.push(Open { token: at, ..Open::default() });
            }
            Shape::Close | Shape::CloseConstructor | Shape::CloseBracket => {
                token.link = self.close(token.shape, at);
            }
            Shape::Comma => self.close_part(),
            Shape::Unclosed => self.fault(FaultKind::Unclosed, at),
            Shape::Foreign => self.fault(FaultKind::Foreign, at),
            Shape::Word | Shape::Number(_) | Shape::Characters(_) => {}
            _ => {
                if let Some(open) = self.open.last_mut() {
                    open.operators += 1;
                }
            }
        }
        self.tokens.push(token);
    }

    /// Links a closing bracket. Returns the index of its partner, or its own if there is none.
    fn close(&mut self, shape: Shape, at: u32) -> u32 {
        self.close_part();
        let [_, .., last] = self.open.as_mut_slice() else {
            self.fault(FaultKind::Brackets, at);
            return at;
        };
        let (partner, height) = (last.token, last.highest + 1);
        self.open.pop();
        if let Some(around) = self.open.last_mut() {
            // Each pair of brackets in a sequence such as `f(1)(2)` makes the tree higher.
            around.operators += 1;
            around.inner = around.inner.max(height);
        }
        let opening = &mut self.tokens[partner as usize];
        opening.link = at;
        let matches = matches!(
            (opening.shape, shape),
            (Shape::Open, Shape::Close)
                | (Shape::OpenConstructor, Shape::CloseConstructor)
                | (Shape::OpenBracket, Shape::CloseBracket)
        );
        if !matches {
            self.fault(FaultKind::Brackets, at);
        }
        partner
    }

    fn close_part(&mut self) {
        let Some(open) = self.open.last_mut() else { return };
        open.end_part();
        if open.highest > HEIGHT_LIMIT {
            let at = self.tokens.len().saturating_sub(1) as u32;
            self.fault(FaultKind::Height, at);
        }
    }

    fn fault(&mut self, kind: FaultKind, token: u32) {
        self.fault.get_or_insert(Fault { kind, token });
    }

    pub fn text(&self, token: Token) -> &str {
        &self.condensed.text()[token.start as usize..token.end as usize]
    }
}

fn is_constant(shape: Shape) -> bool {
    matches!(
        shape,
        Shape::Characters(_)
            | Shape::Hollerith
            | Shape::Boz
            | Shape::Unclosed
            | Shape::Number(super::token::Number::Characters)
    )
}

//! `#define` and `#undef`.
//!
//! Input: the tokens after the name of the directive.
//! Output: the changed table of macros.
//! Postcondition: in a body each operator `#` and `##` is a flag of its operand, and each parameter is a
//! number.

use cppc_source::{Diagnostic, Span};

use super::lexeme::{Kind, Lexeme};
use super::macros::{Definition, MacroKind};
use super::state::Preprocessor;
use super::{codes, words};
use crate::c::lexer::{self, Piece};
use crate::c::token::Name;

/// An invalid definition, and the position of the error.
struct Fault {
    span: Span,
    message: String,
    help: Option<&'static str>,
}

type Checked<T> = Result<T, Fault>;

fn fault<T>(span: Span, message: impl Into<String>) -> Checked<T> {
    Err(Fault { span, message: message.into(), help: None })
}

/// The parameters of a function-like macro.
#[derive(Default)]
struct Parameters {
    names: Vec<Name>,
    variadic: bool,
    /// The last is `__VA_ARGS__`, not a GNU name.
    standard: bool,
}

impl Preprocessor<'_> {
    /// `line` contains the tokens after `define`.
    pub fn define(&mut self, line: &[Piece], directive: Span) {
        if let Err(fault) = self.try_define(line, directive) {
            let diagnostic = Diagnostic::error(codes::BAD_DEFINITION, fault.span, fault.message);
            self.report(match fault.help {
                Some(help) => diagnostic.help(help),
                None => diagnostic,
            });
        }
    }

    fn try_define(&mut self, line: &[Piece], directive: Span) -> Checked<()> {
        let name = self.macro_name(line.first(), directive)?;
        let mut body = &line[1..];
        let mut kind = MacroKind::Object;
        let mut parameters = Parameters::default();
        if let [open, rest @ ..] = body {
            if open.kind == lexer::LEFT_PAREN && !open.has(Piece::SPACED) {
                kind = MacroKind::Function;
                let open = self.lexeme(*open);
                let (list, length) = self.parameters(rest, open.span)?;
                parameters = list;
                body = &rest[length..];
            }
        }
        let body = self.body(body, kind, &parameters)?;
        let before = self.macros.find(name.name);
        let definition = Definition {
            name: name.name,
            kind,
            parameters: &parameters.names,
            variadic: parameters.variadic,
            body: &body,
            place: name.span,
        };
        let id = self.macros.define(definition);
        if let Some(before) = before.filter(|&before| !self.macros.same(before, id)) {
            // In a header the user cannot change it, so it is not reported.
            if name.span.file == self.main {
                let old = self.macros.get(before).definition;
                let text = format!("`{}` is defined again with another body", self.text(name.name));
                let mut diagnostic = Diagnostic::warning(codes::REDEFINITION, name.span, text);
                if !old.is_empty() {
                    diagnostic = diagnostic.label(old, "defined here before");
                }
                self.report(diagnostic);
            }
        }
        Ok(())
    }

    /// `#undef`
    pub fn undefine(&mut self, line: &[Piece], directive: Span) {
        match self.macro_name(line.first(), directive) {
            Ok(name) => self.macros.undefine(name.name),
            Err(fault) => self.error(codes::BAD_DEFINITION, fault.span, fault.message),
        }
    }

    fn macro_name(&mut self, piece: Option<&Piece>, directive: Span) -> Checked<Lexeme> {
        let Some(&piece) = piece else {
            return fault(directive, "the name of a macro is missing");
        };
        let name = self.lexeme(piece);
        if name.kind != Kind::Identifier {
            return fault(name.span, "the name of a macro must be an identifier");
        }
        if name.name == words::DEFINED {
            return fault(name.span, "`defined` cannot be a macro");
        }
        Ok(name)
    }

    /// The parameters and the number of their tokens, including the closing parenthesis.
    fn parameters(&mut self, line: &[Piece], open: Span) -> Checked<(Parameters, usize)> {
        let mut list = Parameters::default();
        let mut at = 0;
        let mut last = open;
        let mut next = |state: &mut Self, at: &mut usize| {
            let lexeme = line.get(*at).map(|&piece| state.lexeme(piece));
            *at += 1;
            last = lexeme.map_or(last, |lexeme| lexeme.span);
            lexeme.unwrap_or(Lexeme::end(last.at_end()))
        };
        let mut token = next(self, &mut at);
        if token.is(words::RIGHT_PAREN) {
            return Ok((list, at));
        }
        loop {
            if token.is(words::ELLIPSIS) {
                list.names.push(words::VA_ARGS);
                (list.variadic, list.standard) = (true, true);
            } else if token.kind == Kind::Identifier {
                if list.names.contains(&token.name) {
                    let text = format!("the parameter `{}` is declared twice", self.text(token.name));
                    return fault(token.span, text);
                }
                list.names.push(token.name);
            } else {
                return fault(token.span, "a parameter must be an identifier or `...`");
            }
            token = next(self, &mut at);
            if token.is(words::ELLIPSIS) && !list.variadic {
                list.variadic = true;
                token = next(self, &mut at);
            }
            if token.is(words::RIGHT_PAREN) {
                return Ok((list, at));
            }
            if list.variadic || !token.is(words::COMMA) {
                return fault(token.span, "the parameters must end with `)`");
            }
            token = next(self, &mut at);
        }
    }

    fn body(&mut self, line: &[Piece], kind: MacroKind, parameters: &Parameters) -> Checked<Vec<Lexeme>> {
        let mut body = Body::default();
        for &piece in line {
            let token = self.lexeme(piece);
            if token.is(words::HASH_HASH) {
                body.paste(token)?;
            } else if kind != MacroKind::Function {
                body.push(token)?;
            } else if token.is_hash() && body.quote.is_none() {
                body.quote = Some(token);
            } else {
                body.push(self.operand(token, parameters))?;
            }
        }
        body.finish()
    }

    /// A token of the body of a function-like macro. A parameter is replaced by its number.
    fn operand(&self, token: Lexeme, parameters: &Parameters) -> Lexeme {
        if token.kind != Kind::Identifier {
            return token;
        }
        if token.name == words::VA_OPT && parameters.variadic {
            return Lexeme { kind: Kind::OptionalStart, ..token };
        }
        match parameters.names.iter().position(|&name| name == token.name) {
            Some(index) => Lexeme { kind: Kind::Parameter, name: Name(index as u32), ..token },
            None => token,
        }
    }
}

/// An incomplete body.
#[derive(Default)]
struct Body {
    items: Vec<Lexeme>,
    /// The `#` whose operand has not been read yet.
    quote: Option<Lexeme>,
    optional: Option<Optional>,
}

/// A `__VA_OPT__` that is not closed yet.
struct Optional {
    /// Its index among the items.
    start: usize,
    /// The number of open parentheses, including its own.
    depth: u32,
}

impl Body {
    fn push(&mut self, mut token: Lexeme) -> Checked<()> {
        if let Some(hash) = self.quote.take() {
            if !matches!(token.kind, Kind::Parameter | Kind::OptionalStart) {
                return Err(Fault {
                    span: hash.span,
                    message: "no parameter follows `#`".into(),
                    help: Some("write the name of a parameter after `#`"),
                });
            }
            // Blanks before the operator count, those after it do not.
            let spaced = hash.flags & Lexeme::SPACED;
            token = token.without(Lexeme::SPACED).with(Lexeme::QUOTED | spaced);
        }
        if self.items.is_empty() {
            token = token.without(Lexeme::SPACED);
        }
        if token.kind == Kind::OptionalStart {
            if self.optional.is_some() {
                return fault(token.span, "`__VA_OPT__` is inside another `__VA_OPT__`");
            }
            self.optional = Some(Optional { start: self.items.len(), depth: 0 });
        } else if self.in_optional(&mut token)? {
            return Ok(());
        }
        self.items.push(token);
        Ok(())
    }

    /// Counts the parentheses of `__VA_OPT__`. Returns true for the one that opens it, which is not an item.
    fn in_optional(&mut self, token: &mut Lexeme) -> Checked<bool> {
        let Some(Optional { start, depth }) = &mut self.optional else { return Ok(false) };
        let opens = token.is(words::LEFT_PAREN);
        if *depth == 0 && !opens {
            return fault(self.items[*start].span, "`__VA_OPT__` needs parentheses");
        }
        if opens {
            *depth += 1;
            return Ok(*depth == 1);
        }
        if token.is(words::RIGHT_PAREN) {
            *depth -= 1;
            if *depth == 0 {
                let start = *start;
                self.may_end(token.span)?;
                token.kind = Kind::OptionalEnd;
                self.items[start].name = Name((self.items.len() - start - 1) as u32);
                self.optional = None;
            }
        }
        Ok(false)
    }

    /// Records that `##` follows the last item.
    fn paste(&mut self, token: Lexeme) -> Checked<()> {
        let first_within = self.optional.as_ref().map(|optional| optional.start + 1);
        let at_start = first_within == Some(self.items.len());
        match self.items.last_mut() {
            Some(last) if !at_start && self.quote.is_none() => {
                *last = last.with(Lexeme::PASTED);
                Ok(())
            }
            _ => fault(token.span, "there is no token before `##`"),
        }
    }

    /// Reports an error if `##` is the last item.
    fn may_end(&self, span: Span) -> Checked<()> {
        match self.items.last() {
            Some(last) if last.has(Lexeme::PASTED) => fault(span, "there is no token after `##`"),
            _ => Ok(()),
        }
    }

    fn finish(self) -> Checked<Vec<Lexeme>> {
        if let Some(hash) = self.quote {
            return fault(hash.span, "no parameter follows `#`");
        }
        if let Some(Optional { start, depth }) = self.optional {
            let wants = if depth == 0 { "needs parentheses" } else { "does not end" };
            return fault(self.items[start].span, format!("`__VA_OPT__` {wants}"));
        }
        if let Some(last) = self.items.last() {
            self.may_end(last.span)?;
        }
        Ok(self.items)
    }
}

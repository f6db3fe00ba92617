//! Evaluates the expression in `#if`.
//!
//! Input: the tokens of the line.
//! Output: whether the value is not zero.
//! Postcondition: values have the types `intmax_t` and `uintmax_t`. Operands that are not evaluated (after `0
//! &&`) may be invalid.

use cppc_source::{Diagnostic, Span};

use super::lexeme::{Kind, Lexeme};
use super::number::{self, Value};
use super::state::Preprocessor;
use super::{codes, words};
use crate::c::lexer::Piece;
use crate::c::token::Name;

/// The maximum nesting depth of an expression.
const DEPTH_LIMIT: u32 = 256;

/// The reason why an expression has no value.
struct Fault {
    span: Span,
    message: String,
}

type Evaluated = Result<Value, Fault>;

impl Preprocessor<'_> {
    pub fn evaluate(&mut self, line: &[Piece], directive: Span) -> bool {
        let depth = self.push_line(line);
        let was_in_condition = std::mem::replace(&mut self.in_condition, true);
        self.unevaluated = false;
        let mut evaluator = Evaluator::new(self, directive);
        let value = evaluator.whole();
        self.in_condition = was_in_condition;
        self.unevaluated = false;
        self.close_contexts(depth);
        match value {
            Ok(value) => value.truth(),
            Err(fault) => {
                let diagnostic = Diagnostic::error(codes::BAD_CONDITION, fault.span, fault.message);
                self.report(diagnostic.help("`#if` takes an integer constant expression"));
                false
            }
        }
    }

    /// Makes the tokens of a directive's line the next to be read, followed by nothing. Returns the depth of
    /// contexts to close afterwards.
    pub fn push_line(&mut self, line: &[Piece]) -> usize {
        let depth = self.contexts.len();
        let start = self.pending.len();
        for &piece in line {
            let lexeme = self.lexeme(piece);
            self.pending.push(lexeme);
        }
        self.push_barrier(start, self.buffer.last_read());
        depth
    }
}

struct Evaluator<'p, 'a> {
    source: &'p mut Preprocessor<'a>,
    token: Lexeme,
    directive: Span,
    depth: u32,
}

impl<'p, 'a> Evaluator<'p, 'a> {
    fn new(source: &'p mut Preprocessor<'a>, directive: Span) -> Evaluator<'p, 'a> {
        let token = Lexeme::end(directive);
        Evaluator { source, token, directive, depth: 0 }
    }

    fn whole(&mut self) -> Evaluated {
        self.advance();
        if self.token.kind == Kind::End {
            return self.fault("`#if` without an expression");
        }
        let value = self.comma()?;
        match self.token.kind {
            Kind::End => Ok(value),
            _ => {
                let text = self.source.text(self.token.name).to_owned();
                let before = if text == "(" { ": is the macro before it not defined?" } else { "" };
                self.fault(format!("no operator before `{text}`{before}"))
            }
        }
    }

    fn advance(&mut self) {
        self.token = self.source.next_solid();
    }

    fn fault<T>(&self, message: impl Into<String>) -> Result<T, Fault> {
        let span = if self.token.kind == Kind::End { self.directive } else { self.token.span };
        Err(Fault { span, message: message.into() })
    }

    fn accept(&mut self, punctuator: Name) -> bool {
        let found = self.token.is(punctuator);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, punctuator: Name) -> Result<(), Fault> {
        if self.accept(punctuator) {
            return Ok(());
        }
        let text = self.source.text(punctuator).to_owned();
        self.fault(format!("`{text}` is missing"))
    }

    fn comma(&mut self) -> Evaluated {
        let mut value = self.conditional()?;
        while self.accept(words::COMMA) {
            value = self.conditional()?;
        }
        Ok(value)
    }

    fn conditional(&mut self) -> Evaluated {
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            return self.fault("the expression is nested too deeply");
        }
        let condition = self.binary(1)?;
        if !self.token.is(words::QUESTION) {
            self.depth -= 1;
            return Ok(condition);
        }
        let outer = self.source.unevaluated;
        self.source.unevaluated = outer || !condition.truth();
        self.advance();
        let then = self.comma()?;
        self.source.unevaluated = outer || condition.truth();
        self.expect(words::COLON)?;
        let otherwise = self.conditional()?;
        self.source.unevaluated = outer;
        self.depth -= 1;
        let unsigned = then.unsigned || otherwise.unsigned;
        let chosen = if condition.truth() { then } else { otherwise };
        Ok(Value { unsigned, ..chosen })
    }

    /// Operators of this precedence level and higher ones.
    fn binary(&mut self, level: u8) -> Evaluated {
        let mut left = self.unary()?;
        loop {
            let operator = self.token;
            let Some(binding) = binding(operator).filter(|&binding| binding >= level) else {
                return Ok(left);
            };
            let outer = self.source.unevaluated;
            // Set before the first token of the operand is read and its macros are expanded.
            self.source.unevaluated |= match operator.name {
                words::AND_AND => !left.truth(),
                words::OR_OR => left.truth(),
                _ => false,
            };
            self.advance();
            let right = self.binary(binding + 1)?;
            self.source.unevaluated = outer;
            left = match apply(operator.name, left, right) {
                Some(value) => value,
                None if self.source.unevaluated => Value::ZERO,
                None => {
                    return Err(Fault { span: operator.span, message: "division by zero in `#if`".into() });
                }
            };
        }
    }

    fn unary(&mut self) -> Evaluated {
        // A loop instead of recursion, because a line may have any number of them.
        let mut operators = Vec::new();
        while self.token.kind == Kind::Punctuator
            && matches!(self.token.name, words::NOT | words::TILDE | words::PLUS | words::MINUS)
        {
            operators.push(self.token.name);
            self.advance();
        }
        let mut value = self.primary()?;
        while let Some(operator) = operators.pop() {
            value = match operator {
                words::NOT => Value::signed(i64::from(!value.truth())),
                words::TILDE => Value { bits: !value.bits, ..value },
                words::MINUS => Value { bits: value.bits.wrapping_neg(), ..value },
                _ => value,
            };
        }
        Ok(value)
    }

    fn primary(&mut self) -> Evaluated {
        let token = self.token;
        let value = match token.kind {
            Kind::Number => match number::integer(self.source.text(token.name)) {
                Ok(value) => value,
                Err(message) => return self.fault(message),
            },
            Kind::Character => match number::character(self.source.text(token.name)) {
                Some(value) => value,
                None => return self.fault("the character has no value"),
            },
            Kind::Identifier => self.identifier()?,
            Kind::Punctuator if token.is(words::LEFT_PAREN) => {
                self.advance();
                let value = self.comma()?;
                if !self.token.is(words::RIGHT_PAREN) {
                    return self.fault("`)` is missing");
                }
                value
            }
            Kind::Punctuator if token.is_hash() => self.assertion()?,
            Kind::End => return self.fault("the expression is incomplete"),
            Kind::String => return self.fault("a string has no value in `#if`"),
            _ => {
                let text = self.source.text(token.name).to_owned();
                return self.fault(format!("`{text}` is not allowed in `#if`"));
            }
        };
        self.advance();
        Ok(value)
    }

    /// On return the last token of the operand is current.
    fn identifier(&mut self) -> Evaluated {
        match self.token.name {
            words::DEFINED => self.defined(),
            words::TRUE if self.source.language.c23() => Ok(Value::signed(1)),
            // Every name that is not a macro is 0, including keywords.
            _ => Ok(Value::ZERO),
        }
    }

    fn solid_unexpanded(&mut self) {
        loop {
            self.token = self.source.next_unexpanded();
            if self.token.kind != Kind::Padding {
                return;
            }
        }
    }

    /// `defined NAME` or `defined(NAME)`
    fn defined(&mut self) -> Evaluated {
        self.solid_unexpanded();
        let parenthesis = self.token.is(words::LEFT_PAREN);
        if parenthesis {
            self.solid_unexpanded();
        }
        if self.token.kind != Kind::Identifier {
            return self.fault("`defined` needs the name of a macro");
        }
        let defined = self.source.macros.find(self.token.name).is_some();
        if parenthesis {
            self.solid_unexpanded();
            if !self.token.is(words::RIGHT_PAREN) {
                return self.fault("`)` is missing after `defined`");
            }
        }
        Ok(Value::signed(i64::from(defined)))
    }

    /// `#machine(x86_64)`
    fn assertion(&mut self) -> Evaluated {
        self.solid_unexpanded();
        let predicate = self.token;
        if predicate.kind != Kind::Identifier {
            return self.fault("`#` in `#if` needs a predicate");
        }
        if !self.source.parenthesis_follows() {
            return Ok(Value::signed(i64::from(self.source.is_asserted(predicate.name, None))));
        }
        self.solid_unexpanded();
        let mut answer = Vec::new();
        loop {
            self.solid_unexpanded();
            if self.token.kind == Kind::End {
                return self.fault("`)` is missing after the predicate");
            }
            if self.token.is(words::RIGHT_PAREN) {
                break;
            }
            self.source.spell(self.token, &mut answer);
        }
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let holds = self.source.is_asserted(predicate.name, Some(&answer));
        Ok(Value::signed(i64::from(holds)))
    }
}

fn binding(operator: Lexeme) -> Option<u8> {
    if operator.kind != Kind::Punctuator {
        return None;
    }
    Some(match operator.name {
        words::OR_OR => 1,
        words::AND_AND => 2,
        words::OR => 3,
        words::CARET => 4,
        words::AND => 5,
        words::EQUAL | words::NOT_EQUAL => 6,
        words::LESS | words::GREATER | words::LESS_EQUAL | words::GREATER_EQUAL => 7,
        words::LEFT_SHIFT | words::RIGHT_SHIFT => 8,
        words::PLUS | words::MINUS => 9,
        words::STAR | words::SLASH | words::PERCENT => 10,
        _ => return None,
    })
}

/// `None` for a division by zero.
fn apply(operator: Name, left: Value, right: Value) -> Option<Value> {
    let unsigned = left.unsigned || right.unsigned;
    let (l, r) = (left.bits, right.bits);
    let truth = |truth: bool| Some(Value::signed(i64::from(truth)));
    let less = |l: u64, r: u64| if unsigned { l < r } else { (l as i64) < r as i64 };
    let bits = match operator {
        words::OR_OR => return truth(left.truth() || right.truth()),
        words::AND_AND => return truth(left.truth() && right.truth()),
        words::EQUAL => return truth(l == r),
        words::NOT_EQUAL => return truth(l != r),
        words::LESS => return truth(less(l, r)),
        words::GREATER => return truth(less(r, l)),
        words::LESS_EQUAL => return truth(!less(r, l)),
        words::GREATER_EQUAL => return truth(!less(l, r)),
        words::LEFT_SHIFT => return Some(shift(left, right, true)),
        words::RIGHT_SHIFT => return Some(shift(left, right, false)),
        words::OR => l | r,
        words::CARET => l ^ r,
        words::AND => l & r,
        words::PLUS => l.wrapping_add(r),
        words::MINUS => l.wrapping_sub(r),
        words::STAR => l.wrapping_mul(r),
        words::SLASH if unsigned => l.checked_div(r)?,
        words::PERCENT if unsigned => l.checked_rem(r)?,
        _ if r == 0 => return None,
        words::SLASH => (l as i64).wrapping_div(r as i64) as u64,
        _ => (l as i64).wrapping_rem(r as i64) as u64,
    };
    Some(Value { bits, unsigned })
}

/// A shift by a negative amount shifts in the other direction. The result has the type of the left operand.
fn shift(left: Value, right: Value, leftward: bool) -> Value {
    let negative = !right.unsigned && (right.bits as i64) < 0;
    let amount = if negative { right.bits.wrapping_neg() } else { right.bits };
    let amount = u32::try_from(amount).unwrap_or(u32::MAX);
    let bits = if leftward != negative {
        left.bits.checked_shl(amount).unwrap_or(0)
    } else if left.unsigned {
        left.bits.checked_shr(amount).unwrap_or(0)
    } else {
        (left.bits as i64 >> amount.min(63)) as u64
    };
    Value { bits, ..left }
}

//! The text of one statement: names, declarations, expressions.
//!
//! Input: the parts of a statement.
//! Output: its text, with the positions where a line may end.
//! Postcondition: expressions have the parentheses that the precedence of operators requires, and no others.

use cppc_grammar::fortran::logical::Form;
use cppc_source::Span;

use super::expression::{Expr, Name, Operator, Source, Type};
use super::line::Line;
use super::text::Text;
use crate::model::FortranType;

/// How keywords and generated names are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Letters {
    Capitals,
    Small,
}

/// A statement while it is written.
pub(super) struct Words<'a> {
    text: &'a Text<'a>,
    prefix: &'a str,
    letters: Letters,
    line: Line,
}

/// The precedence of an expression. Larger numbers bind more tightly.
const LOOSE: u8 = 0;
const NOT: u8 = 3;
const TIGHT: u8 = 7;

impl<'a> Words<'a> {
    pub fn new(text: &'a Text<'a>, prefix: &'a str, letters: Letters) -> Words<'a> {
        Words { text, prefix, letters, line: Line::default() }
    }

    pub fn line(self) -> Line {
        self.line
    }

    /// Adds a generated keyword or punctuation.
    pub fn word(mut self, word: &str) -> Self {
        self.line.push_words(&self.cased(word));
        self
    }

    pub fn number(mut self, number: u32) -> Self {
        self.line.push_unbroken(&number.to_string());
        self
    }

    pub fn name(mut self, name: &Name) -> Self {
        let text = match name {
            Name::Known(word) => self.cased(word),
            Name::Hidden(word) => self.cased(&format!("{}_{word}", self.prefix)),
        };
        self.line.push_unbroken(&text);
        self
    }

    /// `name: `, of a construct of the program.
    pub fn construct_name(mut self, name: Option<&String>) -> Self {
        if let Some(name) = name {
            self.line.push_unbroken(name);
            return self.word(": ");
        }
        self
    }

    /// Adds the name of a construct of the program after its `CASE`.
    pub fn belongs_to(mut self, name: Option<&String>) -> Self {
        if let Some(name) = name {
            self = self.word(" ");
            self.line.push_unbroken(name);
        }
        self
    }

    /// Adds several parts with commas between them.
    pub fn list<T>(self, things: impl IntoIterator<Item = T>, write: impl Fn(Self, T) -> Self) -> Self {
        things.into_iter().enumerate().fold(self, |words, (index, thing)| {
            write(if index == 0 { words } else { words.word(", ") }, thing)
        })
    }

    pub fn exprs(self, expressions: &[Expr]) -> Self {
        self.list(expressions, Words::expr)
    }

    pub fn source_text(mut self, span: Span) -> Self {
        self.line.push_source(&self.text.written(span));
        self
    }

    /// Adds text of the program, with replacements of some parts.
    pub fn source(mut self, source: &Source) -> Self {
        let (span, mut at) = (source.span, source.span.start);
        if source.holes.is_empty() {
            return self.source_text(span);
        }
        for (index, (hole, filling)) in source.holes.iter().enumerate() {
            let piece = self.text.piece(Span::new(span.file, at, hole.start.max(at)));
            self.line.push_source(if index == 0 { piece.trim_start() } else { &piece });
            self = self.operand(filling, LOOSE);
            at = hole.end;
        }
        let piece = self.text.piece(Span::new(span.file, at, span.end.max(at)));
        self.line.push_source(piece.trim_end());
        self
    }

    pub fn ty(self, ty: &Type) -> Self {
        match ty {
            Type::Integer => self.word("INTEGER"),
            Type::Count => self.word("INTEGER(KIND=8)"),
            Type::Character(length) => self.word("CHARACTER(LEN=").expr(length).word(")"),
            Type::AnyLength => self.word("CHARACTER(LEN=*)"),
            Type::Known { word, kind: None } => self.word(word),
            Type::Known { word, kind: Some(kind) } => self.word(word).word("(").word(kind).word(")"),
            Type::Derived(name) => self.word("TYPE(").name(name).word(")"),
            Type::Class(Some(name)) => self.word("CLASS(").name(name).word(")"),
            Type::Class(None) => self.word("CLASS(*)"),
            Type::Hidden(ty) => self.hidden_type(*ty),
        }
    }

    fn hidden_type(self, ty: FortranType) -> Self {
        let kinded =
            |words: Self, word: &str, kind: u8| words.word(word).word("(").number(kind.into()).word(")");
        match ty {
            FortranType::DefaultInteger => self.word("INTEGER"),
            FortranType::DefaultLogical => self.word("LOGICAL"),
            FortranType::Count => self.word("INTEGER(8)"),
            FortranType::Integer(kind) => kinded(self, "INTEGER", kind),
            FortranType::Real(kind) => kinded(self, "REAL", kind),
            FortranType::Complex(kind) => kinded(self, "COMPLEX", kind),
            FortranType::Logical(kind) => kinded(self, "LOGICAL", kind),
            FortranType::Character(Some(length)) => self.word(&format!("CHARACTER(LEN={length})")),
            FortranType::Character(None) => self.word("CHARACTER(LEN=:)"),
        }
    }

    pub fn expr(self, expression: &Expr) -> Self {
        self.operand(expression, LOOSE)
    }

    /// Adds an operand. It gets parentheses if its precedence is lower than `least`.
    fn operand(self, expression: &Expr, least: u8) -> Self {
        match tightness(expression) < least {
            true => self.word("(").bare(expression).word(")"),
            false => self.bare(expression),
        }
    }

    fn bare(mut self, expression: &Expr) -> Self {
        match expression {
            Expr::Source(source) => self.source(source),
            Expr::Bound(text) => self.bound(text),
            Expr::Name(name) => self.name(name),
            Expr::Integer { value, kind } => {
                let kind = kind.map_or(String::new(), |kind| format!("_{kind}"));
                self.line.push_unbroken(&format!("{value}{kind}"));
                self
            }
            Expr::Logical(value) => self.word(if *value { ".TRUE." } else { ".FALSE." }),
            Expr::Character(text) => {
                self.line.push_unbroken(&constant(text));
                self
            }
            Expr::Reference { base, arguments } => self.bare(base).word("(").exprs(arguments).word(")"),
            Expr::Component { base, path } => self.bare(base).word("%").bound(path),
            Expr::Keyword { word, value } => self.word(word).word("=").expr(value),
            Expr::Range { lower, upper: None } => self.expr(lower).word(":"),
            Expr::Range { lower, upper: Some(upper) } => self.expr(lower).word(":").expr(upper),
            Expr::Array(values) => self.word("(/").exprs(values).word("/)"),
            Expr::Typed { ty, object } => self.ty(ty).word(" :: ").expr(object),
            Expr::Not(operand) => self.word(".NOT. ").operand(operand, NOT + 1),
            Expr::Binary { left, operator, right } => {
                let level = precedence(*operator);
                let text = operator_text(*operator, self.text.form());
                self.operand(left, level).word(text).operand(right, level + 1)
            }
            Expr::Label(label) => self.word("*").number(*label),
        }
    }

    /// Adds text from a directive or a type, in the letters of the file. Character constants are not changed.
    fn bound(mut self, text: &str) -> Self {
        let prefix = format!("{}_", self.prefix);
        let mut quote = None;
        let mut written = String::new();
        for character in text.chars() {
            match quote {
                Some(open) => {
                    quote = (open != character).then_some(open);
                    written.push(character);
                }
                None if character == '#' => written.push_str(&self.cased(&prefix)),
                None => {
                    quote = matches!(character, '\'' | '"').then_some(character);
                    written.push(self.cased_letter(character));
                }
            }
        }
        self.line.push_source(&written);
        self
    }

    fn cased(&self, text: &str) -> String {
        text.chars().map(|letter| self.cased_letter(letter)).collect()
    }

    fn cased_letter(&self, letter: char) -> char {
        match self.letters {
            Letters::Capitals => letter.to_ascii_uppercase(),
            Letters::Small => letter.to_ascii_lowercase(),
        }
    }
}

/// A character constant; control characters would end its line.
fn constant(text: &str) -> String {
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("'{}'", clean.replace('\'', "''"))
}

fn tightness(expression: &Expr) -> u8 {
    match expression {
        // It may be any expression of the program.
        Expr::Source(_) => LOOSE,
        Expr::Not(_) => NOT,
        Expr::Binary { operator, .. } => precedence(*operator),
        // Its operators are within parentheses.
        Expr::Bound(_)
        | Expr::Name(_)
        | Expr::Integer { .. }
        | Expr::Logical(_)
        | Expr::Character(_)
        | Expr::Reference { .. }
        | Expr::Component { .. }
        | Expr::Keyword { .. }
        | Expr::Range { .. }
        | Expr::Array(_)
        | Expr::Typed { .. }
        | Expr::Label(_) => TIGHT,
    }
}

fn precedence(operator: Operator) -> u8 {
    match operator {
        Operator::Or => 1,
        Operator::And => 2,
        Operator::Equal | Operator::NotEqual | Operator::AtMost | Operator::AtLeast => 4,
        Operator::Add | Operator::Subtract => 5,
        Operator::Divide => 6,
    }
}

fn operator_text(operator: Operator, form: Form) -> &'static str {
    let is_free = form == Form::Free;
    match operator {
        Operator::Or => " .OR. ",
        Operator::And => " .AND. ",
        Operator::Equal if is_free => " == ",
        Operator::Equal => " .EQ. ",
        Operator::NotEqual if is_free => " /= ",
        Operator::NotEqual => " .NE. ",
        Operator::AtMost if is_free => " <= ",
        Operator::AtMost => " .LE. ",
        Operator::AtLeast if is_free => " >= ",
        Operator::AtLeast => " .GE. ",
        Operator::Add => " + ",
        Operator::Subtract => " - ",
        Operator::Divide => " / ",
    }
}

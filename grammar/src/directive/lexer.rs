//! The tokens of a directive.
//!
//! Input: the text after the sentinel.
//! Output: tokens with byte ranges.
//! Postcondition: every byte that is not a blank belongs to a token. A byte that is invalid in both languages
//! is a token of its own.

use std::ops::Range;

use logos::Logos;

use super::tree::Language;
use crate::directive_words as words;

/// The kind of a token. The words of directives may also be names within an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token {
    Init,
    Shutdown,
    Register,
    Unregister,
    Execute,
    End,
    Checkpoint,
    Safe,
    Ranks,
    Loop,
    On,
    Restart,
    Capture,
    File,
    Auto,
    Allow,
    All,
    Open,
    Close,
    OpenBracket,
    CloseBracket,
    OpenBrace,
    CloseBrace,
    Comma,
    /// A name that is none of these words.
    Word,
    /// A literal or an operator.
    Other,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lexeme {
    pub token: Token,
    pub span: Range<usize>,
}

#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f\v]+")]
enum Shape {
    #[regex(r"[A-Za-z_$][A-Za-z0-9_$]*")]
    Word,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token(",")]
    Comma,
    #[regex(r#""([^"\\]|\\.)*""#)]
    #[regex(r"'([^'\\]|\\.)*'")]
    #[regex(r"\.?[0-9]([0-9A-Za-z_.]|[eEpP][+-])*")]
    Literal,
    #[token("->")]
    Operator,
}

/// Words and their tokens. `endexecute` and `onrestart` occur only in Fortran, where blanks can be omitted.
const WORDS: [(&str, Token); 17] = [
    (words::INIT, Token::Init),
    (words::SHUTDOWN, Token::Shutdown),
    (words::REGISTER, Token::Register),
    (words::UNREGISTER, Token::Unregister),
    (words::EXECUTE, Token::Execute),
    (words::END, Token::End),
    (words::CHECKPOINT, Token::Checkpoint),
    (words::SAFE, Token::Safe),
    (words::RANKS, Token::Ranks),
    (words::LOOP, Token::Loop),
    (words::ON, Token::On),
    (words::RESTART, Token::Restart),
    (words::CAPTURE, Token::Capture),
    (words::FILE, Token::File),
    (words::AUTO, Token::Auto),
    (words::ALLOW, Token::Allow),
    (words::ALL, Token::All),
];

pub fn lex(text: &str, language: Language) -> Vec<Lexeme> {
    let mut lexemes = Vec::new();
    for (shape, span) in Shape::lexer(text).spanned() {
        let token = match shape {
            Ok(Shape::Word) => {
                push_word(&mut lexemes, &text[span.clone()], span, language);
                continue;
            }
            Ok(Shape::Open) => Token::Open,
            Ok(Shape::Close) => Token::Close,
            Ok(Shape::OpenBracket) => Token::OpenBracket,
            Ok(Shape::CloseBracket) => Token::CloseBracket,
            Ok(Shape::OpenBrace) => Token::OpenBrace,
            Ok(Shape::CloseBrace) => Token::CloseBrace,
            Ok(Shape::Comma) => Token::Comma,
            Ok(Shape::Literal | Shape::Operator) | Err(()) => Token::Other,
        };
        lexemes.push(Lexeme { token, span });
    }
    lexemes
}

fn push_word(lexemes: &mut Vec<Lexeme>, word: &str, span: Range<usize>, language: Language) {
    let joined = [("endexecute", 3, Token::End, Token::Execute), ("onrestart", 2, Token::On, Token::Restart)];
    for (spelling, split, first, second) in joined {
        if language == Language::Fortran && word.eq_ignore_ascii_case(spelling) {
            let middle = span.start + split;
            lexemes.push(Lexeme { token: first, span: span.start..middle });
            lexemes.push(Lexeme { token: second, span: middle..span.end });
            return;
        }
    }
    let same = |known: &str| match language {
        Language::C => word == known,
        Language::Fortran => word.eq_ignore_ascii_case(known),
    };
    let token = WORDS.iter().find(|(known, _)| same(known)).map_or(Token::Word, |&(_, token)| token);
    lexemes.push(Lexeme { token, span });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_counts_in_c_only() {
        let first = |text, language| lex(text, language)[0].token;
        assert_eq!(first("INIT", Language::C), Token::Word);
        assert_eq!(first("INIT", Language::Fortran), Token::Init);
        assert_eq!(lex("ENDEXECUTE", Language::Fortran).len(), 2);
    }

    #[test]
    fn strange_bytes_are_tokens() {
        assert_eq!(lex("register(é§)", Language::C).len(), 5);
    }
}

//! Parses the text of a directive into its tree.
//!
//! Input: the text after the sentinel.
//! Output: the directive, or the one error that the user should correct first.

use lalrpop_util::lalrpop_mod;

use super::explain::{explain, Fault};
use super::lexer::lex;
use super::tree::{Directive, Item, Kind, Language, Opened};

lalrpop_mod!(
    #[allow(clippy::all, clippy::pedantic, unused_imports, unused_parens, dead_code)]
    generated,
    "/directive/grammar.rs"
);

/// A clause of `execute` while it is being parsed.
#[derive(Debug, Clone)]
pub enum Clause {
    OnRestart,
    Capture(Vec<Item>),
    File(Vec<Item>),
}

/// Parses one directive.
///
/// # Errors
/// The first error, with the correction.
pub fn parse(text: &str, language: Language) -> Result<Directive, Fault> {
    let lexemes = lex(text, language);
    let tokens =
        lexemes.iter().map(|lexeme| Ok::<_, usize>((lexeme.span.start, lexeme.token, lexeme.span.end)));
    match generated::DirectiveParser::new().parse(tokens) {
        Ok(kind) => {
            let start = lexemes.first().map_or(0, |first| first.span.start);
            let end = lexemes.last().map_or(0, |last| last.span.end);
            Ok(Directive { span: start..end, kind })
        }
        Err(_) => Err(explain(text, &lexemes, language)),
    }
}

/// Combines the clauses of `execute`. Each is allowed once, except `file`, which has two items. The error is
/// the position of a clause that violates this.
pub(super) fn execute(
    clauses: Vec<(usize, Clause)>,
) -> Result<Kind<Item>, lalrpop_util::ParseError<usize, super::lexer::Token, usize>> {
    let (mut on_restart, mut captures, mut files) = (false, None, Vec::new());
    for (start, clause) in clauses {
        let is_wrong = match clause {
            Clause::OnRestart => std::mem::replace(&mut on_restart, true),
            Clause::Capture(items) => captures.replace(items).is_some(),
            Clause::File(items) => match <[Item; 2]>::try_from(items) {
                Ok([handle, name]) => {
                    files.push(Opened { handle, name });
                    false
                }
                Err(_) => true,
            },
        };
        if is_wrong {
            return Err(lalrpop_util::ParseError::User { error: start });
        }
    }
    Ok(Kind::Execute { on_restart, captures: captures.unwrap_or_default(), files })
}

//! The diagnostic for an invalid directive: the message, the position and a correction.
//!
//! Input: the tokens of a directive that the grammar has rejected.
//! Output: one error. Only the grammar decides whether a directive is valid; this module only describes the
//! error.

use std::ops::Range;

use super::lexer::{Lexeme, Token};
use super::tree::Language;
use crate::directive_words::{CLAUSES, DIRECTIVES};

/// An error in a directive, with its position in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub code: &'static str,
    pub message: String,
    pub span: Range<usize>,
    /// The label at the position.
    pub because: String,
    pub help: Option<String>,
}

/// A word that is at least this similar to a known word was probably meant to be that word.
const SIMILAR: f64 = 0.7;

pub(super) fn explain(text: &str, lexemes: &[Lexeme], language: Language) -> Fault {
    let all = Reader { text, lexemes, language };
    let Some(first) = lexemes.first() else {
        return Fault {
            code: "C0302",
            message: "the directive is missing".to_owned(),
            span: 0..text.len(),
            because: "nothing follows".to_owned(),
            help: Some(format!("write one of {}", listed(&DIRECTIVES))),
        };
    };
    match first.token {
        Token::Register | Token::Unregister | Token::Allow => all.list_then_nothing(0),
        Token::Execute => all.clauses(),
        Token::End => all.end(),
        Token::Auto => all.auto(),
        Token::Init | Token::Shutdown => all.trailing(1),
        Token::Checkpoint if all.token(1) == Some(Token::Ranks) => all.list_then_nothing(1),
        Token::Checkpoint => {
            let is_loop = all.token(1) == Some(Token::Loop);
            let is_asserted = all.token(1 + usize::from(is_loop)) == Some(Token::Safe);
            all.trailing(1 + usize::from(is_loop) + usize::from(is_asserted))
        }
        Token::Capture | Token::File | Token::On | Token::Restart => all.misplaced_clause(),
        _ => all.unknown(0, "C0301", "directive", &DIRECTIVES),
    }
}

struct Reader<'a> {
    text: &'a str,
    lexemes: &'a [Lexeme],
    language: Language,
}

impl Reader<'_> {
    fn word(&self, index: usize) -> &str {
        self.lexemes.get(index).map_or("", |lexeme| &self.text[lexeme.span.clone()])
    }

    fn token(&self, index: usize) -> Option<Token> {
        self.lexemes.get(index).map(|lexeme| lexeme.token)
    }

    /// The bytes of a token, or the last byte of the text if something is missing at the end.
    fn span(&self, index: usize) -> Range<usize> {
        match self.lexemes.get(index) {
            Some(lexeme) => lexeme.span.clone(),
            None => self.lexemes.last().map_or(0..0, |last| last.span.clone()),
        }
    }

    fn from(&self, index: usize) -> Range<usize> {
        self.span(index).start..self.lexemes.last().map_or(0, |last| last.span.end)
    }

    /// The words of the directive: the first, or both of `end execute`.
    fn directive(&self) -> String {
        match (self.token(0), self.token(1)) {
            (Some(Token::End), Some(Token::Execute)) => format!("{} {}", self.word(0), self.word(1)),
            _ => self.word(0).to_owned(),
        }
    }

    fn unknown(&self, index: usize, code: &'static str, what: &str, known: &[&str]) -> Fault {
        let word = self.word(index);
        let help = match similar(word, known) {
            Some(best) => format!("write `{best}`"),
            None => format!("write one of {}", listed(known)),
        };
        Fault {
            code,
            message: format!("unknown {what} `{word}`"),
            span: self.span(index),
            because: format!("no such {what}"),
            help: Some(help),
        }
    }

    fn trailing(&self, index: usize) -> Fault {
        Fault {
            code: "C0305",
            message: format!("`{}` is followed by something more", self.directive()),
            span: self.from(index),
            because: "not expected here".to_owned(),
            help: Some("remove it, or write each directive on a separate line".to_owned()),
        }
    }

    fn end(&self) -> Fault {
        match self.token(1) {
            Some(Token::Execute) => self.trailing(2),
            _ => Fault {
                code: "C0307",
                message: "`end` without `execute`".to_owned(),
                span: self.span(1),
                because: "`execute` was expected here".to_owned(),
                help: Some("write `end execute`".to_owned()),
            },
        }
    }

    fn auto(&self) -> Fault {
        let found = [1, 2, 3].map(|index| self.token(index));
        if let [Some(Token::Open), Some(Token::Register | Token::Checkpoint | Token::All), Some(Token::Close)] =
            found
        {
            return self.trailing(4);
        }
        Fault {
            code: "C0311",
            message: format!("`{}` needs `(register)`, `(checkpoint)` or `(all)`", self.word(0)),
            span: self.from(0),
            because: "the directives to add were expected here".to_owned(),
            help: Some("write `auto(register)`, or `auto(all)` to add checkpoints too".to_owned()),
        }
    }

    fn misplaced_clause(&self) -> Fault {
        Fault {
            code: "C0307",
            message: format!("`{}` is not a directive", self.word(0)),
            span: self.span(0),
            because: "a clause of `execute`".to_owned(),
            help: Some(match self.token(0) {
                Some(Token::Capture | Token::File) => format!("write `execute {}`", self.text.trim()),
                _ => "write `execute on restart`".to_owned(),
            }),
        }
    }

    fn clauses(&self) -> Fault {
        let (mut index, mut seen) = (1, Vec::new());
        while let Some(token) = self.token(index) {
            if token != Token::File && seen.contains(&token) {
                return self.repeated(index);
            }
            match token {
                Token::On if self.token(index + 1) == Some(Token::Restart) => index += 2,
                Token::On | Token::Restart => return self.half_on_restart(index),
                Token::Capture => match self.list(index) {
                    Ok(end) => index = end,
                    Err(fault) => return fault,
                },
                Token::File => match self.list(index) {
                    Ok(end) if self.items(index, end) != 2 => return self.not_a_pair(index, end),
                    Ok(end) => index = end,
                    Err(fault) => return fault,
                },
                Token::Word => return self.unknown(index, "C0306", "clause", &CLAUSES),
                _ => return self.trailing(index),
            }
            seen.push(token);
        }
        self.trailing(index)
    }

    /// The number of items of the list that ends before `end`.
    fn items(&self, word: usize, end: usize) -> usize {
        let mut depth = 0usize;
        let commas = (word + 1..end).filter(|&index| {
            match self.token(index) {
                Some(Token::Open | Token::OpenBracket | Token::OpenBrace) => depth += 1,
                Some(Token::Close | Token::CloseBracket | Token::CloseBrace) => depth -= 1,
                _ => {}
            }
            depth == 1 && self.token(index) == Some(Token::Comma)
        });
        commas.count() + 1
    }

    fn not_a_pair(&self, word: usize, end: usize) -> Fault {
        let example = match self.language {
            Language::C => "file(fp, \"name\")",
            Language::Fortran => "file(unit, 'name')",
        };
        Fault {
            code: "C0310",
            message: format!("`{}` needs two items", self.word(word)),
            span: self.span(word + 1).start..self.span(end - 1).end,
            because: "the program's handle of the file, and the name of the file".to_owned(),
            help: Some(format!("write `{example}`, once for each file")),
        }
    }

    fn repeated(&self, index: usize) -> Fault {
        Fault {
            code: "C0309",
            message: format!("the clause `{}` is given twice", self.word(index)),
            span: self.span(index),
            because: "the second one".to_owned(),
            help: Some("combine both into one clause".to_owned()),
        }
    }

    fn half_on_restart(&self, index: usize) -> Fault {
        Fault {
            code: "C0306",
            message: format!("unknown clause `{}`", self.word(index)),
            span: self.span(index),
            because: "half of `on restart`".to_owned(),
            help: Some("write `execute on restart`".to_owned()),
        }
    }

    fn list_then_nothing(&self, word: usize) -> Fault {
        match self.list(word) {
            Ok(end) => self.trailing(end),
            Err(fault) => fault,
        }
    }

    /// Reads the list after the word at `index`. Returns the index after the list.
    fn list(&self, word: usize) -> Result<usize, Fault> {
        if self.token(word + 1) != Some(Token::Open) {
            return Err(self.missing_open(word));
        }
        let (mut open, mut item, mut index) = (vec![word + 1], word + 2, word + 2);
        while let Some(token) = self.token(index) {
            let ends_item = open.len() == 1 && matches!(token, Token::Comma | Token::Close);
            if ends_item && index == item {
                return Err(self.empty(word, index));
            }
            match token {
                Token::Open | Token::OpenBracket | Token::OpenBrace => open.push(index),
                Token::Close | Token::CloseBracket | Token::CloseBrace => {
                    let opened = open.pop().unwrap_or(word + 1);
                    if closing(self.token(opened)) != Some(token) {
                        return Err(self.mismatched(opened, index));
                    }
                }
                _ => {}
            }
            index += 1;
            if ends_item {
                item = index;
            }
            if open.is_empty() {
                return Ok(index);
            }
        }
        let opened = open.last().copied().unwrap_or(word + 1);
        Err(self.unclosed(opened))
    }

    fn missing_open(&self, word: usize) -> Fault {
        let rest = self.text[self.span(word).end..].trim();
        let example = self.example(word);
        let named =
            if rest.is_empty() || self.token(word + 1) == Some(Token::Close) { example } else { rest };
        Fault {
            code: "C0303",
            message: format!("`{}` needs a list in parentheses", self.word(word)),
            span: self.span(word + 1),
            because: "`(` was expected here".to_owned(),
            help: Some(format!("write `{}({})`", self.word(word), named.trim_end_matches(')'))),
        }
    }

    /// The items of a list, as an example.
    fn example(&self, word: usize) -> &'static str {
        match self.token(word) {
            Some(Token::Ranks) => "4, 8:16",
            _ => "name, …",
        }
    }

    fn empty(&self, word: usize, index: usize) -> Fault {
        let whole = self.token(index) == Some(Token::Close) && index == word + 2;
        let (expected, items) = match self.token(word) {
            Some(Token::Ranks) => ("a number of processes", "the numbers of processes"),
            _ => ("a name", "the names of its items"),
        };
        let message = match whole {
            true => format!("the list of `{}` is empty", self.word(word)),
            false => format!("an item of `{}` is empty", self.word(word)),
        };
        Fault {
            code: "C0304",
            message,
            span: if whole { self.span(word + 1).start..self.span(index).end } else { self.span(index) },
            because: format!("{expected} was expected here"),
            help: whole.then(|| format!("write {items}: `{}({})`", self.word(word), self.example(word))),
        }
    }

    fn mismatched(&self, opened: usize, index: usize) -> Fault {
        Fault {
            code: "C0308",
            message: format!("`{}` is closed by `{}`", self.word(opened), self.word(index)),
            span: self.span(index),
            because: "does not match".to_owned(),
            help: None,
        }
    }

    fn unclosed(&self, opened: usize) -> Fault {
        let close = if self.token(opened) == Some(Token::OpenBracket) { "]" } else { ")" };
        Fault {
            code: "C0303",
            message: format!("`{}` is never closed", self.word(opened)),
            span: self.span(opened),
            because: "opened here".to_owned(),
            help: Some(match self.language {
                Language::C => {
                    format!("write `{close}`; a directive ends with its line unless that ends in `\\`")
                }
                Language::Fortran => {
                    format!("write `{close}`; a directive continues on a line that begins with `!$cppc&`")
                }
            }),
        }
    }
}

fn closing(open: Option<Token>) -> Option<Token> {
    match open? {
        Token::Open => Some(Token::Close),
        Token::OpenBracket => Some(Token::CloseBracket),
        Token::OpenBrace => Some(Token::CloseBrace),
        _ => None,
    }
}

/// In C the correction for `INIT` is `init` too.
fn similar<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let word = word.to_ascii_lowercase();
    let scored = known.iter().map(|&candidate| (strsim::jaro_winkler(&word, candidate), candidate));
    let best = scored.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 >= SIMILAR).then_some(best.1)
}

fn listed(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    quoted.join(", ")
}

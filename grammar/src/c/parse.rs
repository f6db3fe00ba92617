//! Parses the tokens of a unit into its tree.
//!
//! Input: preprocessed tokens.
//! Output: always both a tree and diagnostics.
//! Postcondition: every token is in one of the tree's external declarations or in one of its `unparsed`
//! ranges. An external declaration that could not be parsed does not affect the others.

pub mod symbol;
pub mod scope;
pub mod context;
pub mod attribute;
pub mod specifiers;
pub mod declarator;
pub mod expression;
pub mod statement;
mod stream;
mod recover;
mod explain;

use cppc_source::{Diagnostic, Expansions, FileId, Severity};

use self::context::Context;
use self::explain::ParseFailure;
use self::scope::Class;
use self::stream::Stream;
use self::symbol::{Symbol, Symbols};
use super::token::{Name, Names, Preprocessed, Token};
use super::tree::{Expr, ExprId, Range, Unit};

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, clippy::pedantic, unused)]
    grammar,
    "/c/grammar.rs"
);

/// Errors after this number are skipped without a diagnostic.
pub const DIAGNOSTICS_LIMIT: usize = 50;

/// The result of parsing a unit.
#[derive(Debug)]
pub struct Parsed {
    pub unit: Unit,
    /// One diagnostic for each range in `unit.unparsed`, in the same order, up to `DIAGNOSTICS_LIMIT`: an
    /// error if part of the range is in the main file, a warning if all of it is included.
    pub diagnostics: Vec<Diagnostic>,
}

pub fn parse(preprocessed: &Preprocessed, main: FileId) -> Parsed {
    let Preprocessed { tokens, names, expansions, .. } = preprocessed;
    let symbols = Symbols::new(names);
    let context = Context::new(tokens, names, ExprId(0));
    let parser = grammar::StartParser::new();
    let end = tokens.len() as u32;
    let run = |from: u32, end: u32| {
        let stream = Stream::new(&context, &symbols, Symbol::StartUnit, from, end);
        parser.parse(&context, stream)
    };
    let mut unparsed: Vec<Range> = Vec::new();
    let mut diagnostics = Vec::new();
    let mut from = 0;
    while let Err(error) = run(from, end) {
        let mut begin = context.finished().max(from);
        let failure = explain::failure(&context, &symbols, &error, Some(begin));
        context.abandon();
        // A declaration that ends directly before the error may be complete. Then only the text after it is
        // wrong.
        if ends_declaration(&symbols, tokens, begin, failure.token) {
            match run(begin, failure.token) {
                Ok(_) => begin = failure.token,
                Err(_) => context.abandon(),
            }
        }
        from = recover::skip(&context, &symbols, begin, failure.token).max(begin + 1).min(end);
        recover::keep_typedef(&context, &symbols, begin, from);
        if diagnostics.len() < DIAGNOSTICS_LIMIT {
            let range = Range { start: begin, end: from };
            diagnostics.push(report(&context, expansions, &failure, range, main));
        }
        unparsed.push(Range { start: begin, end: from });
    }
    let (items, expressions) = context.into_accepted();
    Parsed { unit: Unit { items, expressions, unparsed }, diagnostics }
}

/// Parses single expressions, as directives contain them.
pub struct ExpressionParser<'p> {
    names: &'p Names,
    symbols: Symbols,
}

impl<'p> ExpressionParser<'p> {
    /// Creates a parser for tokens of the unit to which the names belong.
    pub fn new(names: &'p Names) -> ExpressionParser<'p> {
        ExpressionParser { names, symbols: Symbols::new(names) }
    }

    /// Parses an expression. Ranges in it count from the start of the slice.
    ///
    /// # Errors
    /// The diagnostic, which names the expected tokens.
    pub fn parse(
        &self,
        tokens: &[Token],
        typedefs: &dyn Fn(Name) -> bool,
        first_id: ExprId,
    ) -> Result<Expr, Diagnostic> {
        let symbols = &self.symbols;
        let context = Context::new(tokens, self.names, first_id);
        for token in tokens {
            if let Symbol::Name(name) = symbols.of(*token) {
                let class = if typedefs(name) { Class::Type } else { Class::Variable };
                context.declare(name, class);
            }
        }
        let end = tokens.len() as u32;
        let stream = Stream::new(&context, symbols, Symbol::StartExpression, 0, end);
        let failure = match grammar::StartParser::new().parse(&context, stream) {
            Ok(Some(expression)) => return Ok(expression),
            Ok(None) => return Err(Diagnostic::placeless("C0201", "expected an expression")),
            Err(error) => explain::failure(&context, symbols, &error, None),
        };
        // The label is at the directive, where the user wrote the expression.
        Err(failure.diagnostic(&context, None))
    }
}

fn ends_declaration(symbols: &Symbols, tokens: &[Token], begin: u32, at: u32) -> bool {
    let last = at.checked_sub(1).filter(|&last| last > begin);
    let last = last.and_then(|last| tokens.get(last as usize));
    last.is_some_and(|&token| matches!(symbols.of(token), Symbol::Semicolon | Symbol::CloseBrace))
}

/// An error in an included file affects only code that uses it, and often the user is not its author.
fn report(
    context: &Context<'_>,
    expansions: &Expansions,
    failure: &ParseFailure,
    range: Range,
    main: FileId,
) -> Diagnostic {
    let mut diagnostic = failure.diagnostic(context, Some(expansions));
    let tokens = &context.tokens[range.start as usize..range.end as usize];
    let in_main = |token: &Token| {
        token.origin.span.file == main
            || token.origin.expansion.is_some_and(|id| expansions.get(id).invocation.file == main)
    };
    if !tokens.is_empty() && !tokens.iter().any(in_main) {
        diagnostic.severity = Severity::Warning;
        diagnostic = diagnostic.note("this declaration of an included file is ignored");
    }
    diagnostic
}

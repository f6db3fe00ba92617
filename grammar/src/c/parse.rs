//! From the tokens of a unit to its tree.
//!
//! In: preprocessed tokens. Out: a tree and diagnostics, never one or the other. Holds afterwards:
//! every token lies in one of the tree's external declarations or in one of its `unparsed` ranges;
//! an external declaration that the grammar does not know costs no other.

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
use self::explain::Finding;
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

/// Faults after this one are passed over without a word of their own.
pub const DIAGNOSTICS_LIMIT: usize = 50;

/// What is known of a unit after parsing.
#[derive(Debug)]
pub struct Parsed {
    pub unit: Unit,
    /// One for each range in `unit.unparsed`, in the same order, as far as `DIAGNOSTICS_LIMIT`:
    /// errors in the main file, warnings where all of what was not understood is included.
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
        let finding = explain::finding(&context, &symbols, &error, Some(begin));
        context.abandon();
        // A declaration just before the fault may be whole: only what follows it is wrong.
        if ends_declaration(&symbols, tokens, begin, finding.token) {
            match run(begin, finding.token) {
                Ok(_) => begin = finding.token,
                Err(_) => context.abandon(),
            }
        }
        from = recover::skip(&context, &symbols, begin, finding.token).max(begin + 1).min(end);
        recover::keep_typedef(&context, &symbols, begin, from);
        if diagnostics.len() < DIAGNOSTICS_LIMIT {
            let range = Range { start: begin, end: from };
            diagnostics.push(report(&context, expansions, &finding, range, main));
        }
        unparsed.push(Range { start: begin, end: from });
    }
    let (items, expressions) = context.into_accepted();
    Parsed { unit: Unit { items, expressions, unparsed }, diagnostics }
}

/// Reads expressions on their own, as directives have them.
pub struct ExpressionParser<'p> {
    names: &'p Names,
    symbols: Symbols,
}

impl<'p> ExpressionParser<'p> {
    /// For tokens of the unit that the names are of.
    pub fn new(names: &'p Names) -> ExpressionParser<'p> {
        ExpressionParser { names, symbols: Symbols::new(names) }
    }

    /// Ranges in the expression count from the slice's start.
    ///
    /// # Errors
    /// The diagnostic that says what was expected.
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
        let finding = match grammar::StartParser::new().parse(&context, stream) {
            Ok(Some(expression)) => return Ok(expression),
            Ok(None) => return Err(Diagnostic::placeless("C0201", "expected an expression")),
            Err(error) => explain::finding(&context, symbols, &error, None),
        };
        // A directive is pointed at where it is written.
        Err(finding.diagnostic(&context, None))
    }
}

fn ends_declaration(symbols: &Symbols, tokens: &[Token], begin: u32, at: u32) -> bool {
    let last = at.checked_sub(1).filter(|&last| last > begin);
    let last = last.and_then(|last| tokens.get(last as usize));
    last.is_some_and(|&token| matches!(symbols.of(token), Symbol::Semicolon | Symbol::CloseBrace))
}

/// A fault in an included file costs only what uses it, and its author is somebody else.
fn report(
    context: &Context<'_>,
    expansions: &Expansions,
    finding: &Finding,
    range: Range,
    main: FileId,
) -> Diagnostic {
    let mut diagnostic = finding.diagnostic(context, Some(expansions));
    let tokens = &context.tokens[range.start as usize..range.end as usize];
    let in_main = |token: &Token| {
        token.origin.span.file == main
            || token.origin.expansion.is_some_and(|id| expansions.get(id).invocation.file == main)
    };
    if !tokens.is_empty() && !tokens.iter().any(in_main) {
        diagnostic.severity = Severity::Warning;
        diagnostic = diagnostic.note("this declaration of an included file is left out of account");
    }
    diagnostic
}

//! Single expressions, as in directives.

use cppc_grammar::c::parse::ExpressionParser;
use cppc_grammar::c::tree::{Expr, ExprId, ExprKind, Range};

use crate::tokens::tokenize;

fn parse(text: &str) -> Result<Expr, String> {
    let tokenized = tokenize("directive", text);
    let (unit, names) = (&tokenized.unit, &tokenized.unit.names);
    let typedefs = |name| names.text(name) == "T";
    ExpressionParser::new(names).parse(&unit.tokens, &typedefs, ExprId(7)).map_err(|diagnostic| {
        let label = diagnostic.labels.first();
        let span = label.map_or((0, 0), |label| (label.span.start, label.span.end));
        format!("{} {span:?} {}", diagnostic.code, diagnostic.message)
    })
}

#[test]
fn items_of_directives_parse() {
    let item = parse("s->data[count]").expect("an item");
    assert_eq!(item.range, Range { start: 0, end: 6 });
    // Expressions are numbered from the given number on.
    assert_eq!(item.id, ExprId(10));
    let ExprKind::Index { base, index } = item.kind else { panic!("{:?}", item.kind) };
    assert_eq!((base.range, index.range), (Range { start: 0, end: 3 }, Range { start: 4, end: 5 }));
    for text in ["i", "*n", "world.nx", "matrix[rows*cols]", "(T) x", "sizeof(T) * n", "true"] {
        assert!(parse(text).is_ok(), "{text}");
    }
}

#[test]
fn what_is_no_expression_gets_a_diagnostic() {
    let check = |text: &str, wanted: &str| assert_eq!(parse(text).unwrap_err(), wanted);
    check("", "C0201 (0, 0) expected an expression before the end of the directive");
    check("a b", "C0201 (2, 3) expected an operator before `b`");
    check("a[", "C0201 (2, 2) expected an expression before the end of the directive");
    check("T", "C0201 (0, 1) found the type `T`, expected a variable or function");
    check("a]", "C0201 (1, 2) expected an operator before `]`");
    check("a;", "C0201 (1, 2) expected an operator before `;`");
    check("int x", "C0201 (0, 3) expected an expression before `int`");
}

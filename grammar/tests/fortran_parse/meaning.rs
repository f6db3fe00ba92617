//! Results that depend on several lines: directives and the parts that they belong to, statement functions,
//! expressions of directives.

use std::path::Path;

use cppc_grammar::fortran::dump;
use cppc_grammar::fortran::logical::{Form, LineId, LogicalLine};
use cppc_grammar::fortran::parse::parse_expression;
use cppc_source::FileId;

use crate::source::source;

fn tree(name: &str, text: &str) -> String {
    let source = source(Path::new(name), text.as_bytes(), &[]);
    assert!(source.parsed.diagnostics.is_empty(), "{}", source.shown());
    dump::tree(&source.parsed.tree, &source.lines)
}

/// Compares the tree with its lines joined, so that a case is one line.
fn check(name: &str, text: &str, expect: &str) {
    let found: Vec<String> = tree(name, text).lines().map(|line| line.trim().to_owned()).collect();
    assert_eq!(found.join(" | "), expect);
}

#[test]
fn a_directive_begins_the_execution_unless_declarations_follow() {
    check(
        "a.f90",
        "program p\n!$cppc init\ninteger :: i\n!$cppc register(i)\n10 format(i3)\ni = 1\nend\n",
        "[0] program p | specification | [1] directive | [2] declare integer :: i | execution \
         | [3] directive | [4] 10 format | [5] i = 1 | [6] end",
    );
    check(
        "a.f90",
        "subroutine s\ninteger :: i\n!$cppc checkpoint\nend\n",
        "[0] subroutine s() | specification | [1] declare integer :: i | execution | [2] directive | [3] end",
    );
    check(
        "a.f90",
        "module m\ninteger :: i\n!$cppc register(i)\nend\n",
        "[0] module m | specification | [1] declare integer :: i | [2] directive | [3] end",
    );
}

#[test]
fn directives_outside_of_units_are_kept() {
    check(
        "a.f90",
        "!$cppc init\nprogram p\nend\n!$cppc shutdown\n",
        "[1] program p | [2] end | outside of units | [0] directive | [3] directive",
    );
    check(
        "a.f90",
        "module m\ncontains\n!$cppc init\nsubroutine s\nend\nend\n",
        "[0] module m | [1] contains | [3] subroutine s() | [4] end | [5] end | outside of units | [2] directive",
    );
    // A main program needs no `PROGRAM` statement.
    check(
        "a.f90",
        "!$cppc init\ni = 1\nend\n",
        "program without a name | execution | [0] directive | [1] i = 1 | [2] end",
    );
}

#[test]
fn a_directive_in_a_construct_stays_there() {
    check(
        "a.f",
        "      do 10 i = 1, 3\nc$cppc checkpoint\n   10 continue\n      end\n",
        "program without a name | execution | [0] do 10 i = 1, 3 | [1] directive | [2] 10 continue \
         | end at 10 | [3] end",
    );
}

#[test]
fn statement_functions_are_told_from_arrays() {
    let in_specification = |text: &str| {
        let text = format!("subroutine s\n{text}\nf(x) = 1\ny = 2\nend\n");
        let tree = tree("a.f90", &text);
        let (specification, _) = tree.split_once("execution").unwrap_or_default();
        specification.contains("f(x) = 1")
    };
    assert!(in_specification("real x"));
    assert!(in_specification("real f, x"));
    assert!(!in_specification("real f(10)"));
    assert!(!in_specification("real, dimension(3) :: f"));
    assert!(!in_specification("real, pointer :: f(:)"));
    assert!(!in_specification("dimension f(3)"));
    assert!(!in_specification("common /c/ f(3)"));
    assert!(!in_specification("allocatable f(:)"));
    assert!(!in_specification("pointer (p, f(10))"));
    // The name may come from the module.
    assert!(!in_specification("use m"));
    assert!(in_specification("use m\nreal f"));
}

fn expression(form: Form, text: &str, from: u32) -> String {
    let line = LogicalLine::plain(FileId(0), form, text);
    match parse_expression(&line, LineId(0), from..text.len() as u32) {
        Ok(expr) => {
            assert!(expr.at.start >= from && expr.at.end as usize <= text.len());
            text[expr.at.start as usize..expr.at.end as usize].to_owned()
        }
        Err(diagnostic) => {
            let span = diagnostic.labels[0].span;
            format!("{} {}..{}", diagnostic.code, span.start, span.end)
        }
    }
}

#[test]
fn items_of_directives_have_their_places() {
    let fixed = Form::Fixed { columns: 72 };
    assert_eq!(expression(Form::Free, "register( a(n, m) ", 10), "a(n, m)");
    assert_eq!(expression(fixed, "REGISTER(A B % C )", 9), "C0213 17..18");
    assert_eq!(expression(fixed, "REGISTER(A B % C  ", 9), "A B % C");
    assert_eq!(expression(Form::Free, "register(a b", 9), "C0210 11..12");
    assert_eq!(expression(Form::Free, "register(", 9), "C0210 8..9");
    assert_eq!(expression(Form::Free, "register((a", 9), "C0213 9..10");
}

//! Text that is nested, long or invalid without limit. It is parsed or gets a diagnostic, with the usual
//! stack of a thread, and in time proportional to its length.

use cppc_grammar::c::{dump, parse};

use crate::{properties, tokens};

/// The codes of the diagnostics of a text.
fn codes(text: &str) -> Vec<&'static str> {
    let tokenized = tokens::tokenize("deep.c", text);
    let parsed = parse::parse(&tokenized.unit, tokenized.file);
    properties::check(&tokenized, &parsed.unit);
    parsed.diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

fn body(statement: &str) -> String {
    format!("int before;\nint f(int x, int *p) {{ {statement} }}\nint after;\n")
}

fn nested(open: &str, inner: &str, close: &str, times: usize) -> String {
    format!("{}{inner}{}", open.repeat(times), close.repeat(times))
}

#[test]
fn brackets_nest_to_a_limit() {
    let deep = 10_000;
    for (open, inner, close) in [("(", "x", ")"), ("p[", "0", "]"), ("f(", "x", ")"), ("({", "x;", ";})")] {
        assert_eq!(codes(&body(&format!("x = {};", nested(open, inner, close, deep)))), ["C0203"]);
        assert_eq!(codes(&body(&format!("x = {};", nested(open, inner, close, 100)))), [""; 0]);
    }
    assert_eq!(codes(&body(&nested("{", ";", "}", deep))), ["C0203"]);
    assert_eq!(codes(&format!("int {};", nested("(", "x", ")", deep))), ["C0203"]);
    assert_eq!(codes(&format!("int x = {};", nested("{", "0", "}", deep))), ["C0203"]);
    assert_eq!(codes(&nested("struct {", "int x;", "} y;", deep)), ["C0203"]);
    assert_eq!(codes(&nested("typeof(", "int", ")", deep))[0], "C0203");
    assert_eq!(codes(&format!("int f({});", nested("int (*)(", "int", ")", deep))), ["C0203"]);
}

#[test]
fn chains_of_a_usual_length_parse() {
    let long = 2_000;
    let chains = [
        format!("{} else x = 0;", vec!["if (x) x++;"; long].join(" else ")),
        format!("x = {};", vec!["x"; long].join(" + ")),
        format!("x = {};", vec!["x * 2"; long].join(" - x || ")),
        format!("{};", vec!["x++"; long].join(", ")),
        format!("x = {} 0;", "x ? 1 : ".repeat(long)),
        format!("switch (x) {{ {} ; }}", (0..long).map(|n| format!("case {n}: ")).collect::<String>()),
    ];
    for chain in chains {
        let text = body(&chain);
        assert_eq!(codes(&text), [""; 0], "{}", &chain[..60]);
        let tokenized = tokens::tokenize("long.c", &text);
        let parsed = parse::parse(&tokenized.unit, tokenized.file);
        let shown = dump::tree(&parsed.unit, &tokenized.unit.names);
        assert!(shown.lines().count() > long);
    }
}

#[test]
fn flat_lists_have_no_limit() {
    let long = 50_000;
    let lists = [
        format!("const char *s = {};", "\"a\" ".repeat(long)),
        format!("int a[] = {{ {} }};", "1 + x, ".repeat(long)),
        format!("f({});", vec!["x"; long].join(", ")),
        "x = f(x, p) + 1; ".repeat(long),
        format!("int {} b;", (0..long).map(|n| format!("a{n} = {n}, ")).collect::<String>()),
        format!("int {}d;", "*".repeat(long)),
        format!("int d{};", "[1]".repeat(long)),
    ];
    for list in lists {
        assert_eq!(codes(&body(&list)), [""; 0], "{}", &list[..30]);
    }
    assert_eq!(codes(&format!("struct {{ {} }};", "int x : 3, y; ".repeat(long))), [""; 0]);
    assert_eq!(codes(&format!("void f({});", vec!["int"; long].join(", "))), [""; 0]);
}

#[test]
fn chains_without_end_get_a_diagnostic() {
    let long = 50_000;
    let chains = [
        format!("{} else x = 0;", vec!["if (x) x++;"; long].join(" else ")),
        format!("x = {};", vec!["x"; long].join(" + ")),
        format!("{};", vec!["x++"; long].join(", ")),
        format!("x = {} 0;", "x ? 1 : ".repeat(long)),
        format!("{} x++;", "if (x) ".repeat(long)),
        format!("{} x++;", "for (;;) ".repeat(long)),
        format!("{} x++;", "do ".repeat(long)),
        format!("x = {} x;", "- ".repeat(long)),
        format!("x = {} x;", "(int) ".repeat(long)),
        format!("x = {} x;", "sizeof ".repeat(long)),
        format!("{} 1;", "x = ".repeat(long)),
        format!("x = p{};", "[0]".repeat(long)),
        format!("x = p{};", "->x".repeat(long)),
        format!("x = f{};", "()".repeat(long)),
        format!("x = x {};", "++ ".repeat(long)),
        format!("switch (x) {{ {} ; }}", "case 1: ".repeat(long)),
        format!("{} ;", "l: ".repeat(long)),
    ];
    for chain in chains {
        // A `do` without its `while` is reported before the depth.
        let wanted = if chain.starts_with("do ") { "C0201" } else { "C0204" };
        assert_eq!(codes(&body(&chain)), [wanted], "{}", &chain[..60]);
    }
}

#[test]
fn endless_mistakes_are_told_of_fifty_times() {
    assert_eq!(codes(&"int ) x;".repeat(20_000)).len(), 50);
    assert_eq!(codes(&"} ".repeat(20_000)).len(), 50);
    assert_eq!(codes(&"( ".repeat(20_000)).len(), 1);
    assert_eq!(codes(&"a b c ".repeat(20_000)).len(), 1);
    assert_eq!(codes(&"struct ".repeat(20_000)).len(), 1);
    assert_eq!(codes(&"@ # $ ` ".repeat(20_000)).len(), 1);
    assert_eq!(codes(&"__attribute__ ".repeat(20_000)).len(), 1);
    assert_eq!(codes(&"__attribute__((x ".repeat(5_000)).len(), 1);
    assert_eq!(codes(&"asm volatile ".repeat(20_000)).len(), 1);
    assert_eq!(codes(&"[[ ".repeat(20_000)).len(), 1);
}

//! Malicious input: reading it ends, with a diagnostic if a limit is exceeded.

use std::time::{Duration, Instant};

use cppc_grammar::c::language::Language;
use cppc_grammar::c::lexer;
use cppc_grammar::c::preprocess::{preprocess, Compiler};
use cppc_source::{FileId, Files};

fn codes(text: &str) -> Vec<&'static str> {
    let start = Instant::now();
    let mut files = Files::new();
    let main = files.add("main.c", text.as_bytes());
    let unit = preprocess(&mut files, main, &Compiler::fixed("", vec![]));
    assert!(start.elapsed() < Duration::from_secs(60), "{} took too long", &text[..40]);
    unit.diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

#[test]
fn macros_that_double_are_stopped() {
    let mut objects = String::from("#define A0 x x\n");
    let mut functions = String::from("#define F0(x) x x\n");
    for level in 1..100 {
        objects += &format!("#define A{level} A{0} A{0}\n", level - 1);
        functions += &format!("#define F{level}(x) F{0}(x x) F{0}(x)\n", level - 1);
    }
    assert_eq!(codes(&(objects + "A99\nint after;\n")), ["C0116"]);
    assert_eq!(codes(&(functions + "F99(y)\nint after;\n")), ["C0116"]);
}

#[test]
fn spellings_that_double_are_stopped() {
    let define = "#define S(x) #x\n#define X(x) S(x)\n#define C(a) a ## a\n#define D(a) C(a)\n";
    let nest =
        |name: &str| format!("{define}{}\"\\\"\"{}\n", format!("{name}(").repeat(100), ")".repeat(100));
    assert_eq!(codes(&nest("X")), ["C0116"]);
    let paste = format!("{define}{}a{}\n", "D(".repeat(100), ")".repeat(100));
    assert_eq!(codes(&paste), ["C0116"]);
}

#[test]
fn nesting_is_bounded() {
    let nested = |count: usize| format!("#define F(x) x\n{}1{}\n", "F(".repeat(count), ")".repeat(count));
    assert!(codes(&nested(300)).is_empty());
    assert_eq!(codes(&nested(100_000)), ["C0116"]);
    let parentheses = format!("#if {}1{}\n#endif\n", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(codes(&parentheses), ["C0107"]);
    let unary = format!("#if {}1\n#endif\n", "!-~".repeat(100_000));
    assert!(codes(&unary).is_empty());
    let ternary = format!("#if {}1\n#endif\n", "0 ? 0 : ".repeat(100_000));
    assert_eq!(codes(&ternary), ["C0107"]);
    let conditionals = "#if 1\n".repeat(100_000);
    assert_eq!(codes(&conditionals).len(), 100_000);
    assert!(codes(&"#if 0\n".repeat(100_000)) == ["C0102"]);
    assert!(codes(&format!("#define F(x) x\nF({}", "(".repeat(100_000))) == ["C0110"]);
    let chain: String = (0..50_000).map(|n| format!("#define A{n} A{}\n", n + 1)).collect();
    assert!(codes(&(chain + "A0\n")).is_empty());
    let tail = format!("#define f(x) x f\nf{}\n", "(1)".repeat(100_000));
    assert!(codes(&tail).is_empty());
}

#[test]
fn files_that_include_themselves_are_stopped() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text, code) in [
        ("deep.h", "#include \"deep.h\"\n", "C0115"),
        (
            "wide.h",
            "#if __INCLUDE_LEVEL__ < 100\n#include \"wide.h\"\n#include \"wide.h\"\n#endif\n",
            "C0116",
        ),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let mut files = Files::new();
        let main = files.add(&path, text.as_bytes());
        let unit = preprocess(&mut files, main, &Compiler::fixed("", vec![]));
        let codes: Vec<&str> = unit.diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
        assert_eq!(codes, [code]);
    }
}

/// A small generator that gives the same numbers on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }
}

const SCRAPS: [&str; 92] = [
    "#",
    "##",
    "define",
    "undef",
    "if",
    "ifdef",
    "ifndef",
    "elif",
    "else",
    "endif",
    "include",
    "include_next",
    "pragma",
    "line",
    "error",
    "A",
    "B",
    "F",
    "G",
    "x",
    "y",
    "__VA_ARGS__",
    "__VA_OPT__",
    "(",
    ")",
    ",",
    "...",
    "\n",
    "\n",
    "\n",
    "\\\n",
    "\\",
    " ",
    " ",
    "\t",
    "\r\n",
    "\"",
    "'",
    "\"s\"",
    "'c'",
    "<",
    ">",
    "<a.h>",
    "/*",
    "*/",
    "//",
    "1",
    "0",
    "2.5e+3",
    "0x1p",
    "defined",
    "__LINE__",
    "__FILE__",
    "__COUNTER__",
    "_Pragma",
    "(\"once\")",
    "push_macro(\"A\")",
    "pop_macro(\"A\")",
    "+",
    "-",
    "*",
    "/",
    "%",
    "&&",
    "||",
    "?",
    ":",
    "==",
    "<<",
    "??=",
    "??/",
    "<:",
    "%:%:",
    "\u{e9}",
    "\\u00e9",
    "\\U0001f600",
    "\u{201c}",
    "R\"(",
    ")\"",
    "L'",
    "u8\"x\"",
    "#define A(x, ...) x ## B #x F(__VA_ARGS__)\n",
    "#define F(x) A(x, x) x G\n",
    "#define G F\n",
    "#define B A(\n",
    "#if A(1\n",
    "#define A\n",
    "__has_include",
    "__has_include(<a.h>)",
    "\0",
    "_Pragma(\"a\")",
    "#elif defined(\n",
];

#[test]
fn any_soup_is_digested() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let gnu = Language::default();
    let strict = Language { trigraphs: true, strict: true, version: 202_311, ..gnu };
    for _ in 0..20_000 {
        let mut text = Vec::new();
        for _ in 0..random.below(60) {
            match random.below(40) {
                0 => text.push(random.below(256) as u8),
                _ => text.extend_from_slice(SCRAPS[random.below(SCRAPS.len())].as_bytes()),
            }
        }
        assert_lossless(&text, gnu);
        assert_lossless(&text, strict);
        for macros in ["", "#define __STRICT_ANSI__ 1\n#define __STDC_VERSION__ 199901L\n"] {
            let mut files = Files::new();
            let main = files.add("main.c", text.as_slice());
            let unit = preprocess(&mut files, main, &Compiler::fixed(macros, vec![]));
            for diagnostic in &unit.diagnostics {
                diagnostic.labels.iter().for_each(|label| assert_within(&files, label.span));
            }
            unit.tokens.iter().for_each(|token| assert_within(&files, token.origin.span));
            unit.pragmas.iter().for_each(|pragma| assert_within(&files, pragma.span));
        }
    }
}

fn assert_within(files: &Files, span: cppc_source::Span) {
    assert!(span.start <= span.end);
    assert!(span.end as usize <= files.get(span.file).bytes.len());
    assert_ne!(span.file, FileId(u32::MAX));
}

/// Pieces are adjacent and cover the text.
fn assert_lossless(text: &[u8], language: Language) {
    let mut at = 0;
    for piece in lexer::pieces(text, language) {
        assert_eq!(piece.start, at, "{:?}", String::from_utf8_lossy(text));
        assert!(piece.end > piece.start);
        at = piece.end;
    }
    assert_eq!(at as usize, text.len(), "{:?}", String::from_utf8_lossy(text));
}

//! Tests the results of preprocessing: diagnostics, origins, pragmas, and that no byte is lost.
//!
//! Input: short texts, and a folder of invalid files with marks (crate `fixtures`). Each file in that folder
//! is a case.

use std::path::{Path, PathBuf};

use cppc_fixtures::marks;
use cppc_grammar::c::language::Language;
use cppc_grammar::c::lexer;
use cppc_grammar::c::preprocess::{preprocess, preprocess_with, Compiler, UnitCache};
use cppc_grammar::c::token::{Preprocessed, Token, TokenKind};
use cppc_source::{ExpansionId, Files, Span};

fn run(text: &[u8]) -> (Files, Preprocessed) {
    let mut files = Files::new();
    let main = files.add("main.c", text);
    let unit = preprocess(&mut files, main, &Compiler::fixed("#define __STDC_VERSION__ 201710L\n", vec![]));
    (files, unit)
}

fn spellings(unit: &Preprocessed, tokens: &[Token]) -> String {
    let texts: Vec<&str> = tokens.iter().map(|token| unit.names.text(token.text)).collect();
    texts.join(" ")
}

#[test]
fn invalid_files_have_their_diagnostics() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/preprocess/errors");
    let mut count = 0;
    for path in cppc_fixtures::below(&folder, &["c"]) {
        let (files, unit) = run(&std::fs::read(&path).unwrap());
        let main = files.ids().next().unwrap();
        count += unit.diagnostics.len();
        marks::check(&path, marks::all_in(&unit.diagnostics, &files, main));
    }
    assert!(count > 40);
}

#[test]
fn an_error_in_a_header_shows_the_way_to_it() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.h"), "#include \"b.h\"\n").unwrap();
    std::fs::write(folder.path().join("b.h"), "#error here\n").unwrap();
    let mut files = Files::new();
    let main = files.add(folder.path().join("m.c"), &b"\n#include \"a.h\"\n"[..]);
    let unit = preprocess(&mut files, main, &Compiler::fixed("", vec![]));
    let labels = &unit.diagnostics[0].labels;
    assert!(files.get(labels[0].span.file).path.ends_with("b.h"));
    assert_eq!(labels[1].span, Span::new(main, 1, 9));
    assert_eq!(labels[1].text, "included from here");
}

#[test]
fn a_missing_header_tells_where_it_was_looked_for() {
    let mut files = Files::new();
    let main = files.add("src/m.c", &b"#include \"none.h\"\n"[..]);
    let directories = vec![PathBuf::from("/usr/include"), PathBuf::from("inc")];
    let unit = preprocess(&mut files, main, &Compiler::fixed("", directories));
    let diagnostic = &unit.diagnostics[0];
    assert_eq!(diagnostic.notes, ["searched in src, /usr/include, inc"]);
    assert!(diagnostic.help.as_ref().unwrap().contains("-I DIR"));
}

#[test]
fn a_token_knows_where_it_comes_from() {
    let text = "#define F(x) x + y\n#define G F\na F(b) c\nG (d) e G\n";
    let (files, unit) = run(text.as_bytes());
    let shown: Vec<String> = unit
        .tokens
        .iter()
        .map(|token| {
            let span = token.origin.span;
            let place = format!("{}@{}", files.text_lossy(span), span.start);
            match token.origin.expansion {
                None => place,
                Some(id) => {
                    let expansion = unit.expansions.get(id);
                    format!("{place} by {} in `{}`", expansion.name, files.text_lossy(expansion.invocation))
                }
            }
        })
        .collect();
    assert_eq!(
        shown,
        [
            "a@31",
            "b@35 by F in `F(b)`",
            "+@15 by F in `F(b)`",
            "y@17 by F in `F(b)`",
            "c@38",
            "d@43 by G in `G (d)`",
            "+@15 by G in `G (d)`",
            "y@17 by G in `G (d)`",
            "e@46",
            "F@29 by G in `G`",
        ]
    );
}

#[test]
fn a_plain_token_stands_in_its_file_as_it_is() {
    let text = "#define E\n#define I(x) x\nint a\\\nb = 1 E + \"s\" ; I(int c;) <: :> d\n";
    let (files, unit) = run(text.as_bytes());
    for token in unit.tokens.iter().filter(|token| token.origin.expansion.is_none()) {
        let bytes = files.text(token.origin.span);
        let pieces = lexer::pieces(bytes, Language::default());
        assert_eq!(pieces.len(), 1, "{}", String::from_utf8_lossy(bytes));
    }
}

#[test]
fn pragmas_keep_their_place_and_both_readings() {
    let text = "#define N 4\na\n#pragma cppc x(N) \\\n  y // why\nb _Pragma(\"cppc z\") c\n";
    let (files, unit) = run(text.as_bytes());
    let [line, operator] = unit.pragmas.as_slice() else { panic!("{:?}", unit.pragmas) };
    assert_eq!(files.text_lossy(line.span), "#pragma cppc x(N) \\\n  y // why");
    assert_eq!(spellings(&unit, &line.tokens), "cppc x ( N ) y");
    assert_eq!(spellings(&unit, &line.expanded), "cppc x ( 4 ) y");
    assert_eq!(line.before, 1);
    assert!(!line.operator && line.origin.expansion.is_none());
    assert_eq!(files.text_lossy(operator.span), "_Pragma(\"cppc z\")");
    assert_eq!(files.text_lossy(operator.tokens[1].origin.span), "z");
    assert!(operator.operator && operator.origin.expansion.is_none());
    assert_eq!(operator.before, 2);
    assert_eq!(spellings(&unit, &unit.tokens), "a b c");
}

#[test]
fn a_pragma_in_a_macro_says_so() {
    let text = "#define P(x) _Pragma(#x) f();\nP(cppc checkpoint)\n#if 0\n#pragma skipped\n#endif\n";
    let (files, unit) = run(text.as_bytes());
    let [pragma] = unit.pragmas.as_slice() else { panic!("{:?}", unit.pragmas) };
    let expansion = unit.expansions.get(pragma.origin.expansion.unwrap());
    assert_eq!(files.text_lossy(expansion.invocation), "P(cppc checkpoint)");
    assert_eq!(spellings(&unit, &pragma.tokens), "cppc checkpoint");
    assert_eq!(spellings(&unit, &unit.tokens), "f ( ) ;");
}

#[test]
fn kinds_are_those_of_the_grammar() {
    let (_, unit) = run(b"int x 1 1.5 0x1p3 'c' L\"s\" -> __int128 restrict bool <:");
    let kinds: Vec<TokenKind> = unit.tokens.iter().map(|token| token.kind).collect();
    use TokenKind::*;
    assert_eq!(
        kinds,
        [
            Keyword, Identifier, Integer, Float, Float, Character, String, Punctuator, Identifier, Keyword,
            Identifier, Punctuator
        ]
    );
    assert_eq!(spellings(&unit, &unit.tokens[11..]), "[");
}

#[test]
fn foreign_bytes_survive() {
    let text = b"char *s = \"\xe9\xff\"; /* \xfe */ // \x80\n#define S(x) #x\nS(\"\xe9\")";
    let (_, unit) = run(text);
    let literal = |at: usize| cppc_grammar::c::token::spell_bytes(unit.names.text(unit.tokens[at].text));
    assert_eq!(literal(4), b"\"\xe9\xff\"");
    assert_eq!(literal(6), b"\"\\\"\xe9\\\"\"");
    assert!(unit.diagnostics.is_empty());
}

#[test]
fn a_header_is_read_once_for_all_units() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.h"), "int a;\n").unwrap();
    let mut files = Files::new();
    let compiler = Compiler::fixed("#define X 1\n", vec![]);
    let text = &b"#include \"a.h\"\nX\n"[..];
    let units = ["one.c", "two.c"].map(|name| files.add(folder.path().join(name), text));
    for unit in units {
        let unit = preprocess(&mut files, unit, &compiler);
        assert_eq!(spellings(&unit, &unit.tokens), "int a ; 1");
    }
    assert_eq!(files.ids().count(), 4);
}

/// Everything that a unit contains, with its positions.
fn content(unit: &Preprocessed) -> Vec<String> {
    let expansion = |id: Option<ExpansionId>| id.map(|id| unit.expansions.get(id).clone());
    let tokens = unit.tokens.iter().map(|token| {
        let (kind, text) = (token.kind, unit.names.text(token.text));
        format!("{kind:?} {text} {:?} {:?}", token.origin.span, expansion(token.origin.expansion))
    });
    let pragmas = unit.pragmas.iter().map(|pragma| format!("{pragma:?}"));
    let diagnostics = unit.diagnostics.iter().map(|diagnostic| format!("{diagnostic:?}"));
    tokens.chain(pragmas).chain(diagnostics).collect()
}

#[test]
fn units_that_share_a_cache_are_the_same_as_others() {
    let headers = [
        ("plain.h", "#ifndef PLAIN_H\n#define PLAIN_H\n#define TWICE(x) x x\nint plain;\n#endif\n"),
        ("once.h", "#pragma once\n#include \"plain.h\"\n#pragma cppc one\nint once TWICE(3);\n"),
        ("count.h", "int count = __COUNTER__ TWICE(__INCLUDE_LEVEL__);\n#undef TWICE\n#define TWICE(x) 2\n"),
        ("base.h", "char *base = __BASE_FILE__;\n"),
        ("open.h", "int open = TWICE\n"),
        ("wrong.h", "#error wrong\nint wrong;\n"),
        ("unclosed.h", "#if 1\nint unclosed;\n"),
        ("asserts.h", "#assert deep(thought)\n#pragma push_macro(\"TWICE\")\n"),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in headers {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    // All pairs of headers, most of them in several units.
    let mut texts = Vec::new();
    for (first, second) in headers.iter().flat_map(|first| headers.iter().map(move |second| (first, second)))
    {
        let includes = format!("/* one */\n#include \"{}\"\n\n#include \"{}\"\n", first.0, second.0);
        for rest in [
            "(4) TWICE(a) __COUNTER__ __FILE__\n#if #deep(thought)\nb\n#endif\n",
            "#define TWICE(x) x\nTWICE(c)\n",
        ] {
            texts.push(format!("{includes}{rest}"));
            texts.push(format!("{includes}#include <none.h>\n#include \"plain.h\"\n{rest}"));
        }
    }
    texts.push("#include \"plain.h\"".to_owned());
    texts.push("x\n#include \"plain.h\"\n".to_owned());
    let compiler = Compiler::fixed("#define X 1\n", vec![]);
    let mut files = Files::new();
    let mut cache = UnitCache::default();
    for _ in 0..2 {
        for (number, text) in texts.iter().enumerate() {
            let main = files.add(folder.path().join(format!("unit{number}.c")), text.as_bytes());
            let shared = preprocess_with(&mut files, main, &compiler, &mut cache);
            let alone = preprocess(&mut files, main, &compiler);
            assert_eq!(content(&shared), content(&alone), "{text}");
        }
    }
    assert!(cache.preambles() > headers.len());
}

//! Pieces of C, one line per piece: kind, flags and text.

use cppc_grammar::c::language::Language;
use cppc_grammar::c::lexer::{self, Piece, PieceKind};

fn shown(text: &str, language: Language) -> Vec<String> {
    let pieces = lexer::pieces(text.as_bytes(), language).into_iter();
    let tokens = pieces.filter(|piece| piece.kind != PieceKind::Space);
    let show = |piece: Piece| {
        let kind = match piece.kind {
            PieceKind::Space => "space",
            PieceKind::Newline => "newline",
            PieceKind::Identifier => "identifier",
            PieceKind::Number => "number",
            PieceKind::Character => "character",
            PieceKind::String => "string",
            PieceKind::Header => "header",
            PieceKind::Punctuator(index) => lexer::PUNCTUATORS[usize::from(index)],
            PieceKind::Stray => "stray",
        };
        format!("{kind} {}", text[piece.range()].escape_debug())
    };
    tokens.map(show).collect()
}

fn check(text: &str, expected: &[&str]) {
    assert_eq!(shown(text, Language::default()), expected);
}

#[test]
fn the_longest_token_wins() {
    check("a+++b", &["identifier a", "++ ++", "+ +", "identifier b"]);
    check("x<<=1>>2", &["identifier x", "<<= <<=", "number 1", ">> >>", "number 2"]);
    check("1...2", &["number 1...2"]);
    check("a...b..c", &["identifier a", "... ...", "identifier b", ". .", ". .", "identifier c"]);
    check("<::>%:%:%:%", &["[ <:", "] :>", "## %:%:", "# %:", "% %"]);
    check("0x1p-3+1e+x", &["number 0x1p-3", "+ +", "number 1e+x"]);
}

#[test]
fn literals_have_their_prefixes() {
    check("L'a'u8\"b\"U\"c\"", &["character L\\'a\\'", "string u8\\\"b\\\"", "string U\\\"c\\\""]);
    check("x\"b\"", &["identifier x", "string \\\"b\\\""]);
    check("'\\'' \"\\\\\"", &["character \\'\\\\\\'\\'", "string \\\"\\\\\\\\\\\""]);
    check("u8'a'", &["identifier u8", "character \\'a\\'"]);
}

#[test]
fn digits_are_separated_in_c23_only() {
    let c23 = Language { version: 202_311, ..Language::default() };
    assert_eq!(shown("1'000'0", c23), ["number 1\\'000\\'0"]);
    assert_eq!(shown("u8'a'", c23), ["character u8\\'a\\'"]);
    check("1'0'1", &["number 1", "character \\'0\\'", "number 1"]);
}

#[test]
fn a_quote_without_partner_takes_the_line() {
    check("don't // x\ny", &["identifier don", "stray \\'t // x", "newline \\n", "identifier y"]);
    check("\"a\\\"\nb", &["stray \\\"a\\\\\\\"", "newline \\n", "identifier b"]);
}

#[test]
fn headers_have_names_only_where_they_are_wanted() {
    check("#include <a//b.h>", &["# #", "identifier include", "header <a//b.h>"]);
    check("# include \"a\\b\"", &["# #", "identifier include", "header \\\"a\\\\b\\\""]);
    check(
        "#if __has_include(<a.h>)",
        &["# #", "identifier if", "identifier __has_include", "( (", "header <a.h>", ") )"],
    );
    check("a < b >", &["identifier a", "< <", "identifier b", "> >"]);
    check("#define X <a>", &["# #", "identifier define", "identifier X", "< <", "identifier a", "> >"]);
    check("#include <a\n>", &["# #", "identifier include", "< <", "identifier a", "newline \\n", "> >"]);
}

#[test]
fn splices_do_not_part_tokens() {
    check("ab\\\nc d", &["identifier ab\\\\\\nc", "identifier d"]);
    check("+\\ \n+", &["++ +\\\\ \\n+"]);
    check("/\\\n/ x\\\ny\nz", &["newline \\n", "identifier z"]);
}

#[test]
fn characters_beyond_ascii_stand_in_identifiers_if_they_may() {
    check("été \\u00e9x", &["identifier été", "identifier \\\\u00e9x"]);
    check("a“b", &["identifier a", "stray “", "identifier b"]);
    check("\u{301}a", &["stray \\u{301}", "identifier a"]);
    check("a\u{301}", &["identifier á".replace('á', "a\u{301}").as_str()]);
}

#[test]
fn trigraphs_are_replaced_when_asked_for() {
    let with = Language { trigraphs: true, ..Language::default() };
    assert_eq!(shown("??=??(??'", with), ["# ??=", "[ ??(", "^ ??\\'"]);
    assert_eq!(shown("??/\n", with), Vec::<String>::new());
}

#[test]
fn a_comment_without_end_is_a_piece_all_the_same() {
    let pieces = lexer::pieces(b"a /* b", Language::default());
    assert!(pieces[2].has(Piece::OPEN));
    assert_eq!(pieces[2].range(), 2..6);
}

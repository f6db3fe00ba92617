//! Planning writes no text of a language.
//!
//! Input: the text of every Rust file of `preprocessor/src/plan`.
//! Output: a finding for each string literal that looks like code.
//!
//! Planning needs literals for messages and for names of procedures. A message is in lower case, and code in
//! it is between backticks. So a literal that begins with two capitals, or that has operators outside of
//! backticks, is treated as code.

use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};

use super::Finding;

const FOLDER: &str = "preprocessor/src/plan/";
const OPERATORS: [char; 8] = ['#', '%', '&', '*', ';', '<', '=', '>'];

pub fn check(path: &Path, text: &str) -> Vec<Finding> {
    if !path.starts_with(FOLDER) {
        return Vec::new();
    }
    let mut literals = Vec::new();
    if let Ok(tokens) = text.parse() {
        gather(tokens, &mut literals);
    }
    let code = literals.into_iter().filter(|(_, literal)| is_code(literal));
    code.map(|(line, literal)| {
        Finding::new(path, line, format!("`{literal}` looks like code: let `spell` write it"))
    })
    .collect()
}

/// The string literals with their lines, without those of comments.
fn gather(tokens: TokenStream, literals: &mut Vec<(usize, String)>) {
    let mut is_attribute = false;
    for tree in tokens {
        match tree {
            TokenTree::Group(group) if !is_attribute => gather(group.stream(), literals),
            TokenTree::Literal(literal) => {
                if let Ok(text) = syn::parse_str::<syn::LitStr>(&literal.to_string()) {
                    literals.push((literal.span().start().line, text.value()));
                }
            }
            TokenTree::Punct(punct) if matches!(punct.as_char(), '#' | '!') => {
                is_attribute |= punct.as_char() == '#';
                continue;
            }
            TokenTree::Group(_) | TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
        is_attribute = false;
    }
}

fn is_code(literal: &str) -> bool {
    let mut letters = literal.chars();
    let begins_with_capitals = letters.by_ref().take(2).filter(char::is_ascii_uppercase).count() == 2;
    let outside = literal.split('`').step_by(2);
    begins_with_capitals || outside.into_iter().any(|piece| piece.contains(OPERATORS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<usize> {
        check(Path::new("preprocessor/src/plan/walker.rs"), text).iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn code_is_found() {
        assert_eq!(lines("fn f() {\n    g(\"INTEGER \");\n    format!(\"#outer_{}\", 1);\n}"), [2, 3]);
        assert_eq!(lines("const A: &str = \"cppc.x = 1;\";"), [1]);
    }

    #[test]
    fn messages_comments_and_other_folders_are_accepted() {
        assert_eq!(
            lines("/// `a = b;`\nfn f() { g(\"assign it: `a = b`, or register `{name}`\") }"),
            Vec::<usize>::new()
        );
        assert_eq!(lines("const A: &str = \"C forbids a jump\";"), Vec::<usize>::new());
        assert!(
            check(Path::new("preprocessor/src/spell/c/mod.rs"), "const A: &str = \"INTEGER \";").is_empty()
        );
    }
}

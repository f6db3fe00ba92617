//! Rules for every Rust file: a header, and a limited size.
//!
//! Input: path and text of a file.
//! Output: findings.
//! Postcondition: the file begins with `//!` and has at most 600 lines, and no function has more than 100
//! lines.

use std::path::Path;

use proc_macro2::Span;
use syn::visit::{self, Visit};

use super::Finding;

const FILE_LINES: usize = 600;
const FUNCTION_LINES: usize = 100;

pub fn check(path: &Path, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    if !text.starts_with("//!") {
        findings.push(Finding::new(path, 1, "the file does not begin with `//!`"));
    }
    let lines = text.lines().count();
    if lines > FILE_LINES {
        let what = format!("{lines} lines, {FILE_LINES} are allowed: split the file");
        findings.push(Finding::new(path, FILE_LINES, what));
    }
    match syn::parse_file(text) {
        Ok(file) => {
            let mut functions = Functions { path, findings };
            functions.visit_file(&file);
            functions.findings
        }
        Err(error) => {
            findings.push(Finding::new(path, error.span().start().line, error.to_string()));
            findings
        }
    }
}

struct Functions<'a> {
    path: &'a Path,
    findings: Vec<Finding>,
}

impl Functions<'_> {
    fn measure(&mut self, name: &syn::Ident, body: &syn::Block) {
        let first = line(name.span());
        let lines = line(body.brace_token.span.close()) + 1 - first;
        if lines > FUNCTION_LINES {
            let what =
                format!("`{name}` has {lines} lines, {FUNCTION_LINES} are allowed: split it into steps");
            self.findings.push(Finding::new(self.path, first, what));
        }
    }
}

impl<'ast> Visit<'ast> for Functions<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.measure(&item.sig.ident, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.measure(&item.sig.ident, &item.block);
        visit::visit_impl_item_fn(self, item);
    }
}

fn line(span: Span) -> usize {
    span.start().line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_header_and_a_long_function_are_found() {
        let text = format!("fn long() {{\n{}}}\n", "    step();\n".repeat(100));
        let findings = check(Path::new("a.rs"), &text);
        let what: Vec<&str> = findings.iter().map(|finding| finding.what.as_str()).collect();
        assert_eq!(
            what,
            [
                "the file does not begin with `//!`",
                "`long` has 102 lines, 100 are allowed: split it into steps",
            ]
        );
    }
}

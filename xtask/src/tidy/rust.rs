//! Rules for every Rust file: a header, a limited size, how diagnostics are returned, and names of types.
//!
//! Input: path and text of a file.
//! Output: findings.
//! Postcondition: the file begins with `//!` and has at most 600 lines, no function has more than 100 lines, no
//! public function gets a list to which it adds diagnostics, and no type has a name without one meaning.

use std::path::Path;

use proc_macro2::Span;
use syn::visit::{self, Visit};

use super::Finding;

const FILE_LINES: usize = 600;
const FUNCTION_LINES: usize = 100;

/// Several types had these names, and a reader could not tell which one was meant.
const UNCLEAR_NAMES: [&str; 12] = [
    "Place",
    "Slot",
    "Way",
    "Standing",
    "Apart",
    "Here",
    "Said",
    "Speech",
    "Desk",
    "Papers",
    "Sheet",
    "Sentences",
];

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

    fn check_parameters(&mut self, visibility: &syn::Visibility, signature: &syn::Signature) {
        let is_public = matches!(visibility, syn::Visibility::Public(_));
        let mut types = signature.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(parameter) => Some(&*parameter.ty),
            syn::FnArg::Receiver(_) => None,
        });
        if is_public && types.any(|ty| is_mutable_list_of(ty, "Diagnostic")) {
            let what = format!("`{}` adds to a list of diagnostics: return them", signature.ident);
            self.findings.push(Finding::new(self.path, line(signature.ident.span()), what));
        }
    }

    fn check_name(&mut self, name: &syn::Ident) {
        if UNCLEAR_NAMES.iter().any(|unclear| name == unclear) {
            let what = format!("`{name}` has several meanings: name the type by its content");
            self.findings.push(Finding::new(self.path, line(name.span()), what));
        }
    }
}

/// Whether the type is `&mut Vec<ELEMENT>`.
fn is_mutable_list_of(ty: &syn::Type, element: &str) -> bool {
    let syn::Type::Reference(reference) = ty else { return false };
    let syn::Type::Path(list) = &*reference.elem else { return false };
    let Some(segment) = list.path.segments.last().filter(|last| last.ident == "Vec") else { return false };
    let syn::PathArguments::AngleBracketed(arguments) = &segment.arguments else { return false };
    reference.mutability.is_some()
        && arguments.args.iter().any(|argument| match argument {
            syn::GenericArgument::Type(syn::Type::Path(path)) => path.path.is_ident(element),
            _ => false,
        })
}

impl<'ast> Visit<'ast> for Functions<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.measure(&item.sig.ident, &item.block);
        self.check_parameters(&item.vis, &item.sig);
        visit::visit_item_fn(self, item);
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.check_name(&item.ident);
        visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.check_name(&item.ident);
        visit::visit_item_enum(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.check_name(&item.ident);
        visit::visit_item_type(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.measure(&item.sig.ident, &item.block);
        self.check_parameters(&item.vis, &item.sig);
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

    #[test]
    fn a_public_function_that_adds_diagnostics_to_a_list_is_found() {
        let text = "//! A.\npub fn a(d: &mut Vec<Diagnostic>) {}\nfn b(d: &mut Vec<Diagnostic>) {}\npub fn c(d: &[Diagnostic]) {}";
        let findings = check(Path::new("a.rs"), text);
        assert_eq!(findings.len(), 1, "{}", findings.len());
        assert_eq!(findings[0].line, 2);
    }

    #[test]
    fn a_type_with_an_unclear_name_is_found() {
        let text = "//! A.\nstruct Place;\nenum Slot {}\ntype Way = u8;\nstruct PlaceOfWork;";
        let findings = check(Path::new("a.rs"), text);
        assert_eq!(findings.iter().map(|finding| finding.line).collect::<Vec<_>>(), [2, 3, 4]);
    }
}

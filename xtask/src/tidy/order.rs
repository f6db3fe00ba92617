//! A module imports only modules that are above it in the list of its crate or folder.
//!
//! Input: a crate's `lib.rs` and its source files.
//! Output: a finding for each path to a module further down the list.
//! Postcondition: the list in `lib.rs`, and in each `mod.rs`, is the order of the data flow. Tests may import any
//! module. A folder's own file may import the modules inside it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Item, UseTree};

use super::Finding;

pub fn check(workspace: &Path, root: &Path, files: &[PathBuf]) -> Result<Vec<Finding>> {
    let source = root.parent().unwrap_or(Path::new(""));
    let mut parsed = Vec::new();
    let mut orders = HashMap::new();
    for path in files {
        let modules = if path == root { Some(Vec::new()) } else { module_of(source, path) };
        let Some(modules) = modules else { continue };
        let file = syn::parse_file(&read(workspace, path)?)
            .with_context(|| format!("cannot parse `{}`", path.display()))?;
        orders.insert(modules.clone(), Order::of(&file));
        parsed.push((path, modules, file));
    }
    let mut findings = Vec::new();
    let is_test = |modules: &[String]| {
        let mut parents = (0..modules.len()).map(|depth| (orders.get(&modules[..depth]), &modules[depth]));
        parents.any(|(order, name)| order.is_some_and(|order| order.tests.contains(name)))
    };
    for (path, modules, file) in parsed {
        if is_test(&modules) {
            continue;
        }
        let mut imports = Imports { orders: &orders, modules, path, findings: Vec::new() };
        imports.visit_file(&file);
        findings.extend(imports.findings);
    }
    Ok(findings)
}

fn read(workspace: &Path, path: &Path) -> Result<String> {
    std::fs::read_to_string(workspace.join(path)).with_context(|| format!("cannot read `{}`", path.display()))
}

/// The module names of a file: `src/write/queue.rs` is `[write, queue]`.
fn module_of(source: &Path, path: &Path) -> Option<Vec<String>> {
    let inside = path.strip_prefix(source).ok()?;
    if inside.extension()? != "rs" || inside.starts_with("bin") {
        return None;
    }
    let mut modules: Vec<String> = inside
        .with_extension("")
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    if modules.last().is_some_and(|last| last == "mod") {
        modules.pop();
    }
    let is_root = modules.len() == 1 && (modules[0] == "lib" || modules[0] == "main");
    (!modules.is_empty() && !is_root).then_some(modules)
}

/// The modules of a crate or folder in the order of their list, and the names that it re-exports from them.
struct Order {
    modules: Vec<String>,
    /// Modules that only tests contain.
    tests: Vec<String>,
    exports: HashMap<String, String>,
}

impl Order {
    fn of(file: &syn::File) -> Order {
        let mut order = Order { modules: Vec::new(), tests: Vec::new(), exports: HashMap::new() };
        for item in &file.items {
            match item {
                Item::Mod(module) if is_for_tests(&module.attrs) => {
                    order.tests.push(module.ident.to_string())
                }
                Item::Mod(module) => order.modules.push(module.ident.to_string()),
                Item::Use(item) => {
                    let mut paths = Vec::new();
                    flatten(&item.tree, &mut Vec::new(), &mut paths);
                    for path in paths {
                        let start = usize::from(matches!(path[0].as_str(), "crate" | "self"));
                        if let [module, .., name] = &path[start..] {
                            order.exports.insert(name.clone(), module.clone());
                        }
                    }
                }
                _ => {}
            }
        }
        order
    }

    /// The index in the list of the module that `name`, found in the crate's root or in the folder, belongs to.
    fn position(&self, name: &str) -> Option<usize> {
        let module = self.exports.get(name).map_or(name, String::as_str);
        self.modules.iter().position(|found| found == module)
    }
}

/// Checks all paths of one file.
struct Imports<'a> {
    /// The list of each module that has others inside it.
    orders: &'a HashMap<Vec<String>, Order>,
    modules: Vec<String>,
    path: &'a Path,
    findings: Vec<Finding>,
}

impl Imports<'_> {
    /// Reports `path` if it refers to a module that is further down a list than the module of this file.
    fn path(&mut self, path: &[String], line: usize) {
        let supers = path.iter().take_while(|part| *part == "super").count();
        let mut absolute = match path.first().map(String::as_str) {
            Some("crate") => Vec::new(),
            Some("super") if supers <= self.modules.len() => {
                self.modules[..self.modules.len() - supers].to_vec()
            }
            _ => return,
        };
        absolute.extend_from_slice(&path[supers.max(1)..]);
        for (depth, (own, name)) in self.modules.iter().zip(&absolute).enumerate() {
            let Some(order) = self.orders.get(&self.modules[..depth]) else { return };
            if let (Some(own_position), Some(position)) = (order.position(own), order.position(name)) {
                if position > own_position {
                    let list =
                        if depth == 0 { "lib.rs".to_owned() } else { self.modules[..depth].join("::") };
                    let what = format!("`{own}` imports `{name}`, which is below it in `{list}`");
                    self.findings.push(Finding::new(self.path, line, what));
                }
            }
            if own != name {
                return;
            }
        }
    }

    /// Macros are not parsed. A path in one begins with `crate ::`.
    fn tokens(&mut self, tokens: TokenStream) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        for (index, tree) in trees.iter().enumerate() {
            match tree {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Ident(ident) if ident == "crate" => {
                    if let Some(TokenTree::Ident(name)) = trees.get(index + 3) {
                        let path = ["crate".to_owned(), name.to_string()];
                        self.path(&path, ident.span().start().line);
                    }
                }
                _ => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Imports<'_> {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !is_for_tests(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let mut paths = Vec::new();
        flatten(&item.tree, &mut Vec::new(), &mut paths);
        for path in paths {
            self.path(&path, item.use_token.span.start().line);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let parts: Vec<String> = path.segments.iter().map(|part| part.ident.to_string()).collect();
        if let Some(first) = path.segments.first() {
            self.path(&parts, first.ident.span().start().line);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, invocation: &'ast syn::Macro) {
        self.tokens(invocation.tokens.clone());
    }
}

fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string().contains("test"),
        _ => false,
    })
}

/// Every path of a `use`, as a list of names.
fn flatten(tree: &UseTree, before: &mut Vec<String>, paths: &mut Vec<Vec<String>>) {
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            flatten(&path.tree, before, paths);
            before.pop();
        }
        UseTree::Group(group) => {
            for item in &group.items {
                flatten(item, before, paths);
            }
        }
        UseTree::Name(name) => paths.push(with(before, name.ident.to_string())),
        UseTree::Rename(name) => paths.push(with(before, name.ident.to_string())),
        UseTree::Glob(_) => paths.push(with(before, "*".to_owned())),
    }
}

fn with(before: &[String], name: String) -> Vec<String> {
    let mut path = before.to_vec();
    path.push(name);
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The findings for a crate whose `lib.rs` lists `read`, `plan` and `write`, which contains `queue` and `line`.
    fn findings(file: &str, text: &str) -> Vec<String> {
        let directory = tempfile::tempdir().unwrap();
        let lib = "mod read;\nmod plan;\nmod write;\npub use write::Text;\n";
        let folder = "mod queue;\nmod line;\n#[cfg(test)]\nmod tests;\npub use line::Line;\n";
        let files = [("src/lib.rs", lib), ("src/write/mod.rs", folder), (file, text)];
        for (path, text) in files {
            let path = directory.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let files: Vec<PathBuf> = files.iter().map(|(path, _)| PathBuf::from(path)).collect();
        check(directory.path(), &files[0], &files)
            .unwrap()
            .into_iter()
            .map(|finding| format!("{}: {}", finding.line, finding.what))
            .collect()
    }

    #[test]
    fn what_stands_above_may_be_imported() {
        let none: Vec<String> = Vec::new();
        assert_eq!(findings("src/plan.rs", "use crate::read::Tree;"), none);
        assert_eq!(findings("src/plan/calls.rs", "use super::super::read::Tree;"), none);
        assert_eq!(findings("src/plan/calls.rs", "use super::write;"), none);
        assert_eq!(findings("src/write/line.rs", "use super::queue::Queue;"), none);
    }

    #[test]
    fn what_stands_below_may_not() {
        let expected = ["1: `plan` imports `write`, which is below it in `lib.rs`"];
        assert_eq!(findings("src/plan.rs", "use crate::{read::Tree, write::text};"), expected);
        assert_eq!(findings("src/plan/calls.rs", "fn f() { crate::write::text() }"), expected);
        assert_eq!(findings("src/plan.rs", "use super::write::text;"), expected);
        let expected = ["1: `plan` imports `Text`, which is below it in `lib.rs`"];
        assert_eq!(findings("src/plan/mod.rs", "fn f() { vec![crate::Text] }"), expected);
    }

    #[test]
    fn the_list_of_a_folder_is_an_order_too() {
        let expected = ["1: `queue` imports `line`, which is below it in `write`"];
        assert_eq!(findings("src/write/queue.rs", "use super::line::Line;"), expected);
        assert_eq!(findings("src/write/queue.rs", "fn f() { crate::write::line::start() }"), expected);
        let expected = ["1: `queue` imports `Line`, which is below it in `write`"];
        assert_eq!(findings("src/write/queue.rs", "use super::Line;"), expected);
        assert_eq!(findings("src/write/tests.rs", "use super::Line;"), Vec::<String>::new());
    }

    #[test]
    fn tests_may_look_anywhere() {
        let text = "#[cfg(test)]\nmod tests { use crate::write::text; }";
        assert_eq!(findings("src/plan.rs", text), Vec::<String>::new());
    }
}

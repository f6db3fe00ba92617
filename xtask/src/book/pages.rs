//! The pages of the book, as mdBook reads them.
//!
//! Input: `docs/*.md`, and the pages at the root that are for readers.
//! Output: a flat directory with these pages, `SUMMARY.md`, and the files that they link to.
//! Postcondition: each page of `docs` is in the summary. A link to a page or to a file of the repository is valid in the
//! book. A link to a directory or to the summary has become text, because the book has no page for it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{bail, Context, Result};

use crate::tidy::target_of_link;
use crate::workspace::Workspace;

/// The pages outside of `docs`, and their names in the book.
const AT_ROOT: [(&str, &str); 4] = [
    ("README.md", "index.md"),
    ("ARCHITECTURE.md", "architecture.md"),
    ("CONTRIBUTING.md", "contributing.md"),
    ("CHANGELOG.md", "changelog.md"),
];
const SUMMARY: &str = "SUMMARY.md";

/// Writes the pages into a directory.
pub fn write(workspace: &Workspace, into: &Path) -> Result<()> {
    std::fs::create_dir_all(into)?;
    let root = &workspace.root;
    let mut pages: Vec<PathBuf> = AT_ROOT.iter().map(|(page, _)| PathBuf::from(page)).collect();
    for entry in std::fs::read_dir(root.join("docs"))? {
        let name = entry?.file_name();
        if Path::new(&name).extension().is_some_and(|extension| extension == "md") {
            pages.push(Path::new("docs").join(name));
        }
    }
    let mut files = BTreeSet::new();
    let mut listed = String::new();
    for page in &pages {
        let text = std::fs::read_to_string(root.join(page))
            .with_context(|| format!("cannot read `{}`", page.display()))?;
        let text = with_links_of_the_book(root, page, &text, &mut files);
        std::fs::write(into.join(in_book(page)), &text)?;
        if page.ends_with(SUMMARY) {
            listed = text;
        }
    }
    for page in pages.iter().filter(|page| !page.ends_with(SUMMARY)) {
        let name = in_book(page);
        if !listed.contains(&format!("({})", name.display())) {
            bail!("`{}` is not in `docs/{SUMMARY}`", page.display());
        }
    }
    for file in files {
        let to = into.join(&file);
        std::fs::create_dir_all(to.parent().unwrap_or(into))?;
        std::fs::copy(root.join(&file), to)?;
    }
    Ok(())
}

/// The name of a page or file of the repository in the book.
fn in_book(path: &Path) -> PathBuf {
    let at_root = AT_ROOT.iter().find(|(page, _)| Path::new(page) == path);
    match (at_root, path.strip_prefix("docs")) {
        (Some((_, name)), _) => PathBuf::from(name),
        (None, Ok(page)) => page.to_owned(),
        (None, Err(_)) => path.to_owned(),
    }
}

/// The text of a page with links as they are in the book. Adds the linked files that are no pages to `files`.
fn with_links_of_the_book(root: &Path, page: &Path, text: &str, files: &mut BTreeSet<PathBuf>) -> String {
    let mut result = String::new();
    let mut is_code = false;
    for line in text.split_inclusive('\n') {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        if is_fence || is_code {
            result.push_str(line);
        } else {
            result.push_str(&line_with_links(root, page, line, files));
        }
    }
    result
}

fn line_with_links(root: &Path, page: &Path, line: &str, files: &mut BTreeSet<PathBuf>) -> String {
    let mut result = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("](") {
        let Some((target, behind)) = after.split_once(')') else { break };
        // In code, this is no link.
        let is_code = (result.matches('`').count() + before.matches('`').count()) % 2 == 1;
        let (file, anchor) = target.split_at(target.find('#').unwrap_or(target.len()));
        if is_code || file.is_empty() || file.contains("://") {
            result.push_str(&format!("{before}]({target})"));
        } else {
            let path = target_of_link(page.parent().unwrap_or(Path::new("")), file);
            if root.join(&path).is_dir() || path.ends_with(SUMMARY) {
                let start = before.rfind('[').unwrap_or(0);
                result.push_str(&before[..start]);
                result.push_str(before[start..].trim_start_matches('['));
            } else {
                if path.extension().is_none_or(|extension| extension != "md") {
                    files.insert(path.clone());
                }
                result.push_str(&format!("{before}]({}{anchor})", in_book(&path).display()));
            }
        }
        rest = behind;
    }
    result + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_become_those_of_the_book() {
        let root = Workspace::find().unwrap().root;
        let mut files = BTreeSet::new();
        let text = "[a](runs.md#b) [c](../README.md#d) [e](../Makefile) [f](../examples) `x](y` [g](#h) [i](http://j/) [l](SUMMARY.md)\n\
                    ```\n[k](../README.md)\n```\n";
        let found = with_links_of_the_book(&root, Path::new("docs/x.md"), text, &mut files);
        let wanted = "[a](runs.md#b) [c](index.md#d) [e](Makefile) f `x](y` [g](#h) [i](http://j/) l\n\
                      ```\n[k](../README.md)\n```\n";
        assert_eq!(found, wanted);
        assert_eq!(files, BTreeSet::from([PathBuf::from("Makefile")]));
        let found = with_links_of_the_book(&root, Path::new("README.md"), "[a](docs/runs.md)\n", &mut files);
        assert_eq!(found, "[a](runs.md)\n");
    }
}

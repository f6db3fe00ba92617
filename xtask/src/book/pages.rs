//! The pages of the book, as mdBook reads them.
//!
//! Input: `docs/*.md`, and the pages at the root that are for readers.
//! Output: a flat directory with these pages, `SUMMARY.md`, and the files that they link to.
//! Postcondition: each page of `docs` is in the summary. A link to a page or to a file of the repository is valid in the
//! book. A link to a directory or to the summary has become text, because the book has no page for it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{bail, Context, Result};

use crate::page_links;
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
    page_links::rewrite(page, text, |path| {
        if root.join(path).is_dir() || path.ends_with(SUMMARY) {
            return None;
        }
        if path.extension().is_none_or(|extension| extension != "md") {
            files.insert(path.to_owned());
        }
        Some(in_book(path))
    })
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

//! `book`: the manual as a book of HTML pages with a search field.
//!
//! Input: `docs/SUMMARY.md`, and the pages that it lists.
//! Output: a directory with HTML pages, by default `target/book`.
//! Postcondition: every page in `docs` is in the book, and each link within the book has a target. The text of the pages
//! is that of `docs` and of the root. Only links are rewritten. mdBook is linked only with the feature `book`, so that the
//! other tasks do not have to build it. Without the feature the task runs itself again with it.

#[cfg(feature = "book")]
mod pages;
#[cfg(feature = "book")]
mod links;

use std::path::Path;

use anyhow::Result;

use crate::workspace::Workspace;

#[cfg(not(feature = "book"))]
pub fn run(workspace: &Workspace, into: Option<&Path>) -> Result<()> {
    let mut again = workspace.cargo(&["run", "--quiet", "--package", "xtask"]);
    again.args(["--features", "book", "--", "book"]);
    if let Some(into) = into {
        again.arg("--into").arg(std::path::absolute(into)?);
    }
    crate::workspace::run(&mut again)
}

#[cfg(feature = "book")]
pub fn run(workspace: &Workspace, into: Option<&Path>) -> Result<()> {
    let made = workspace.target().join("book");
    let count = make(workspace, &workspace.target().join("book-source"), &made)?;
    let mut place = made.as_path();
    // A copy onto itself would empty the files.
    let is_elsewhere = |into: &&Path| into.canonicalize().ok() != made.canonicalize().ok();
    if let Some(into) = into.filter(is_elsewhere) {
        copy(&made, into)?;
        place = into;
    }
    println!("{count} pages, see {}", place.join("index.html").display());
    Ok(())
}

/// Makes the book and checks it. Returns the number of its pages.
#[cfg(feature = "book")]
fn make(workspace: &Workspace, source: &Path, into: &Path) -> Result<usize> {
    use mdbook::config::{BookConfig, BuildConfig, Config, HtmlConfig, Print};

    let remove = |directory: &Path| match std::fs::remove_dir_all(directory) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    };
    remove(source)?;
    remove(into)?;
    pages::write(workspace, &source.join("src"))?;
    let mut book = BookConfig { title: Some("The CPPC manual".to_owned()), ..BookConfig::default() };
    book.language = Some("en".to_owned());
    let build = BuildConfig {
        build_dir: into.to_owned(),
        // A page that is missing is an error.
        create_missing: false,
        // They would change text with two braces.
        use_default_preprocessors: false,
        extra_watch_dirs: Vec::new(),
    };
    let mut config = Config::default();
    (config.book, config.build) = (book, build);
    let html = HtmlConfig {
        no_section_label: true,
        print: Print { enable: false, ..Print::default() },
        ..HtmlConfig::default()
    };
    config.set("output.html", html)?;
    mdbook::MDBook::load_with_config(source, config)?.build()?;
    links::check(into)
}

/// Copies a directory with its content.
#[cfg(feature = "book")]
fn copy(from: &Path, to: &Path) -> Result<()> {
    use anyhow::Context as _;

    std::fs::create_dir_all(to).with_context(|| format!("cannot create `{}`", to.display()))?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), &target)
                .with_context(|| format!("cannot write `{}`", target.display()))?;
        }
    }
    Ok(())
}

#[cfg(all(test, feature = "book"))]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_in_the_book_and_every_link_has_a_target() {
        let workspace = Workspace::find().unwrap();
        let scratch = tempfile::tempdir().unwrap();
        let into = scratch.path().join("book");
        let count = make(&workspace, &scratch.path().join("source"), &into).unwrap();
        assert!(count > 20, "{count}");
        let tutorial = std::fs::read_to_string(into.join("tutorial.html")).unwrap();
        assert!(tutorial.contains("<h2 id=\"kill-it-and-start-it-again\">"), "{tutorial}");
        let has_index = std::fs::read_dir(&into)
            .unwrap()
            .any(|entry| entry.unwrap().file_name().to_string_lossy().starts_with("searchindex"));
        assert!(has_index, "there is no search index");
    }
}

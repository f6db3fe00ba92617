//! Links within the book have a target.
//!
//! Input: a directory of HTML pages.
//! Output: an error that names the links without a target, or the number of pages.
//!
//! The pages are parsed as a browser does it. Addresses on other hosts are not checked.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{bail, Context, Result};
use scraper::{Html, Selector};

/// What one page offers and needs.
struct Page {
    ids: BTreeSet<String>,
    links: Vec<String>,
}

/// The page for addresses that do not exist. Its links depend on the web server.
const NOT_FOUND: &str = "404.html";

pub fn check(book: &Path) -> Result<usize> {
    let mut pages = BTreeMap::new();
    for entry in std::fs::read_dir(book)? {
        let path = entry?.path();
        let is_page =
            path.extension().is_some_and(|extension| extension == "html") && !path.ends_with(NOT_FOUND);
        if is_page {
            let text = std::fs::read_to_string(&path)
                .with_context(|| format!("cannot read `{}`", path.display()))?;
            pages.insert(path, parsed(&text)?);
        }
    }
    let wrong: Vec<String> = pages
        .iter()
        .flat_map(|(path, page)| page.links.iter().map(move |link| (path, link)))
        .filter(|(path, link)| !has_target(&pages, path, link))
        .map(|(path, link)| format!("{}: `{link}`", path.file_name().unwrap_or_default().to_string_lossy()))
        .collect();
    if !wrong.is_empty() {
        bail!("links of the book have no target:\n{}", wrong.join("\n"));
    }
    Ok(pages.len())
}

fn parsed(text: &str) -> Result<Page> {
    let html = Html::parse_document(text);
    let values = |selector: &str, attribute: &str| -> Result<Vec<String>> {
        let selector = Selector::parse(selector).map_err(|error| anyhow::anyhow!("{error}"))?;
        let found = html.select(&selector).filter_map(|element| element.value().attr(attribute));
        Ok(found.map(str::to_owned).collect())
    };
    let mut links = values("a[href], link[href]", "href")?;
    links.extend(values("img[src], script[src], source[src]", "src")?);
    Ok(Page { ids: values("[id]", "id")?.into_iter().collect(), links })
}

fn has_target(pages: &BTreeMap<PathBuf, Page>, page: &Path, link: &str) -> bool {
    if link.contains("://") || link.starts_with("mailto:") {
        return true;
    }
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = match file {
        "" => page.to_owned(),
        _ => page.parent().unwrap_or(Path::new("")).join(file),
    };
    if anchor.is_empty() {
        return target.is_file();
    }
    pages.get(&target).is_some_and(|page| page.ids.contains(anchor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_page_anchor_or_picture_is_reported() {
        let book = tempfile::tempdir().unwrap();
        let page = |text: &str| std::fs::write(book.path().join("a.html"), text).unwrap();
        std::fs::write(book.path().join("b.html"), "<h1 id=\"x\">b</h1>").unwrap();
        page("<h1 id='y'>a</h1><a href='b.html#x'>1</a><a href='#y'>2</a><a href='b.html'>3</a><a href='http://c/d'>4</a>");
        assert_eq!(check(book.path()).unwrap(), 2);
        for wrong in ["<a href='b.html#y'>", "<a href='#x'>", "<a href='c.html'>", "<img src='c.svg'>"] {
            page(wrong);
            assert!(check(book.path()).is_err(), "{wrong}");
        }
    }
}

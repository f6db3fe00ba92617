//! Links between the documents have a target.
//!
//! Input: the pages of the project in Markdown.
//! Output: a finding for each link to a file or a heading that does not exist.
//!
//! Addresses on other hosts are not checked.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::Finding;
use crate::page_links::target_of_link;

/// The pages, with the anchors of their headings.
#[derive(Default)]
pub struct Links {
    anchors: BTreeMap<PathBuf, BTreeSet<String>>,
    links: Vec<Link>,
}

struct Link {
    page: PathBuf,
    line: usize,
    target: String,
}

impl Links {
    pub fn add(&mut self, page: &Path, text: &str) {
        let mut anchors = BTreeSet::new();
        for (number, line) in lines_outside_code(text) {
            if let Some(heading) = line.strip_prefix('#') {
                let anchor = anchor(heading.trim_start_matches('#'));
                let numbered = (1..).map(|number| format!("{anchor}-{number}"));
                let free =
                    std::iter::once(anchor.clone()).chain(numbered).find(|name| !anchors.contains(name));
                anchors.extend(free);
            }
            let line = without_code(line);
            let found = targets(&line);
            self.links.extend(found.map(|target| Link { page: page.to_owned(), line: number, target }));
        }
        self.anchors.insert(page.to_owned(), anchors);
    }

    pub fn finish(&self, root: &Path) -> Vec<Finding> {
        let wrong = self.links.iter().filter_map(|link| {
            let what = self.mistake(root, link)?;
            Some(Finding::new(&link.page, link.line, what))
        });
        wrong.collect()
    }

    fn mistake(&self, root: &Path, link: &Link) -> Option<String> {
        let (file, heading) = link.target.split_once('#').unwrap_or((&link.target, ""));
        let page = match file {
            "" => link.page.clone(),
            _ => target_of_link(link.page.parent().unwrap_or(Path::new("")), file),
        };
        if !root.join(&page).exists() {
            return Some(format!("the link `{}` has no file", link.target));
        }
        let has_heading =
            heading.is_empty() || self.anchors.get(&page).is_some_and(|all| all.contains(heading));
        (!has_heading).then(|| format!("the link `{}` has no heading", link.target))
    }
}

/// The lines of a page without blocks of code, with their numbers.
fn lines_outside_code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        (!is_fence && !is_code).then_some((index + 1, line))
    })
}

/// A line with empty code spans.
fn without_code(line: &str) -> String {
    line.split('`').enumerate().map(|(index, part)| if index % 2 == 0 { part } else { "" }).collect()
}

/// The targets of the links in a line: `[text](target)`.
fn targets(line: &str) -> impl Iterator<Item = String> + '_ {
    let parts = line.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    parts
        .map(|(target, _)| target.to_owned())
        .filter(|target| !target.contains("://") && !target.contains(' '))
}

/// The anchor of a heading, as GitHub and mdBook make it: lowercase letters, digits, `-` and `_`; a blank becomes `-`.
fn anchor(heading: &str) -> String {
    let kept = |letter: char| match letter {
        ' ' => Some('-'),
        '-' | '_' => Some(letter),
        _ => letter.is_alphanumeric().then(|| letter.to_ascii_lowercase()),
    };
    heading.trim().chars().filter_map(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_and_files_are_found() {
        let mut links = Links::default();
        // The page only has to exist.
        let page = Path::new("src/main.rs");
        let text = "# `a`: one, two\n## Same\n## Same\n[x](#a-one-two) [x](#same-1) [x](../Cargo.toml) [x](http://y)\n";
        links.add(page, text);
        assert_eq!(links.finish(Path::new(env!("CARGO_MANIFEST_DIR"))), []);
    }

    #[test]
    fn a_wrong_heading_and_a_wrong_file_are_reported() {
        let mut links = Links::default();
        // The page only has to exist.
        let text = "# A\n[x](#b)\n[x](no.md)\n```\n[x](code.md)\n```\n`a[i](x)`\n";
        links.add(Path::new("src/main.rs"), text);
        let found: Vec<String> =
            links.finish(Path::new(env!("CARGO_MANIFEST_DIR"))).iter().map(ToString::to_string).collect();
        let wanted = ["2: the link `#b` has no heading", "3: the link `no.md` has no file"];
        assert_eq!(found, wanted.map(|what| format!("src/main.rs:{what}")));
    }
}

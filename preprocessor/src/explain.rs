//! A page for each code of a diagnostic: `--explain C0413`.
//!
//! Input: a code.
//! Output: its page: what the diagnostic means, an example, and what to do.
//! Postcondition: tests prove that each code has a page, and that each example gives its diagnostic.

use std::fmt::Write as _;

/// The pages in the order of their codes. Each begins with `## CODE title`.
const FILES: [&str; 8] = [
    include_str!("../pages/1-preprocessing.md"),
    include_str!("../pages/2-syntax.md"),
    include_str!("../pages/3-directives.md"),
    include_str!("../pages/4-meaning.md"),
    include_str!("../pages/5-program.md"),
    include_str!("../pages/6-fortran-lines.md"),
    include_str!("../pages/7-live-data.md"),
    include_str!("../pages/8-communications.md"),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    pub code: &'static str,
    pub title: &'static str,
    /// What follows the title.
    pub text: &'static str,
}

/// A source that gives the diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// The extension of the file: `c`, `f90`, `f`, `F`.
    pub extension: &'static str,
    pub source: &'static str,
}

impl Page {
    pub fn example(&self) -> Option<Example> {
        let (_, rest) = self.text.split_once("\n```")?;
        let (extension, rest) = rest.split_once('\n')?;
        let (source, _) = rest.split_once("```")?;
        Some(Example { extension, source })
    }
}

/// All pages.
pub fn pages() -> impl Iterator<Item = Page> {
    let sections = FILES.into_iter().flat_map(|file| file.trim_start_matches("## ").split("\n## "));
    sections.filter_map(|section| {
        let (heading, text) = section.split_once('\n')?;
        let (code, title) = heading.split_once(' ')?;
        Some(Page { code, title, text: text.trim() })
    })
}

pub fn page(code: &str) -> Option<Page> {
    pages().find(|page| page.code.eq_ignore_ascii_case(code))
}

/// The text for `--explain`.
///
/// # Errors
/// The message for a code that does not exist.
pub fn explain(code: &str) -> Result<String, String> {
    match page(code) {
        Some(page) => Ok(format!("{}: {}\n\n{}\n", page.code, page.title, page.text)),
        None => Err(format!(
            "no diagnostic has the code `{code}`; a code is in the brackets of a message: `error[C0413]`"
        )),
    }
}

/// The anchor of a heading, as GitHub and mdBook make it.
fn anchor(heading: &str) -> String {
    let kept = |letter: char| match letter {
        ' ' => Some('-'),
        '-' | '_' => Some(letter),
        _ => letter.is_alphanumeric().then(|| letter.to_ascii_lowercase()),
    };
    heading.chars().filter_map(kept).collect()
}

/// `docs/diagnostics.md`: an index, and all pages.
pub fn document() -> String {
    let mut text = "# Diagnostics\n\nEach error and each warning has a code. `cppc-pp --explain C0413` prints the page of a code, and so do\n\
        `cppc-cc --cppc-explain=C0413` and `cppc-fc --cppc-explain=C0413`. This document contains all pages. `cargo xtask\n\
        pages` generates it.\n\n"
        .to_owned();
    for page in pages() {
        let Page { code, title, .. } = page;
        let _ = writeln!(text, "- [{code}](#{}) {title}", anchor(&format!("{code} {title}")));
    }
    for file in FILES {
        text.push('\n');
        text.push_str(file.trim_end());
        text.push('\n');
    }
    text
}

//! Links in pages of Markdown.
//!
//! Input: a page, and where a linked file is in the result.
//! Output: the page with links that have a target there.
//! Postcondition: code is unchanged. A link without a target has become text.

use std::path::{Component, Path, PathBuf};

/// Rewrites the links to files. `place` returns the new path for a path from the root of the project, or `None` if the link
/// becomes text.
pub fn rewrite(page: &Path, text: &str, mut place: impl FnMut(&Path) -> Option<PathBuf>) -> String {
    let mut result = String::new();
    let mut is_code = false;
    for line in text.split_inclusive('\n') {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        if is_fence || is_code {
            result.push_str(line);
        } else {
            result.push_str(&rewrite_line(page, line, &mut place));
        }
    }
    result
}

fn rewrite_line(page: &Path, line: &str, place: &mut impl FnMut(&Path) -> Option<PathBuf>) -> String {
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
            match place(&target_of_link(page.parent().unwrap_or(Path::new("")), file)) {
                Some(path) => result.push_str(&format!("{before}]({}{anchor})", path.display())),
                None => {
                    let start = before.rfind('[').unwrap_or(0);
                    result.push_str(&before[..start]);
                    result.push_str(before[start..].trim_start_matches('['));
                }
            }
        }
        rest = behind;
    }
    result + rest
}

/// A path in a link, from the root of the project.
pub fn target_of_link(folder: &Path, link: &str) -> PathBuf {
    let mut path = folder.to_owned();
    for part in Path::new(link).components() {
        match part {
            Component::ParentDir => {
                path.pop();
            }
            Component::Normal(name) => path.push(name),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    path
}

/// A path from the root of the project, as a link of this page.
pub fn link_from(page: &Path, path: &Path) -> PathBuf {
    let folder = page.parent().unwrap_or(Path::new(""));
    let up = folder.components().count();
    let common = folder.components().zip(path.components()).take_while(|(one, other)| one == other).count();
    let mut link: PathBuf = std::iter::repeat_n("..", up - common).collect();
    link.extend(path.components().skip(common));
    link
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_without_a_target_becomes_text() {
        let text = "- [a](runs.md#b), [c](../gone.md) `x](gone.md)` [d](#e) [f](http://g/)\n```\n[h](gone.md)\n```\n";
        let page = Path::new("docs/x.md");
        let place = |path: &Path| (path != Path::new("gone.md")).then(|| link_from(page, path));
        let wanted = text.replace("[c](../gone.md)", "c");
        assert_eq!(rewrite(page, text, place), wanted);
    }

    #[test]
    fn a_path_becomes_a_link() {
        let link = |page: &str, path: &str| link_from(Path::new(page), Path::new(path));
        assert_eq!(link("README.md", "docs/a.md"), Path::new("docs/a.md"));
        assert_eq!(link("docs/a.md", "docs/b.md"), Path::new("b.md"));
        assert_eq!(link("docs/a.md", "README.md"), Path::new("../README.md"));
    }
}

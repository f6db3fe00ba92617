//! A patch that adds the directives to the sources.
//!
//! Input: the texts before and after.
//! Output: a unified diff.
//! Postcondition: `patch -p1` in the directory of the sources turns one text into the other.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use cppc_source::SourceFile;
use similar::TextDiff;

use crate::driver::Outcome;

/// Writes the directives that were added to the sources. `-` is standard output. `shown` gives the name of a file in
/// the patch.
///
/// # Errors
/// If a source cannot be read again, if two sources need different directives in a source that both include, or if the patch
/// cannot be written.
pub fn write(outcome: &Outcome, path: &Path, shown: &dyn Fn(&Path) -> PathBuf) -> std::io::Result<()> {
    let mut changed: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    for unit in &outcome.stages.front.units {
        let file = outcome.files.get(unit.file());
        if !file.shown().is_some_and(|shown| shown.has_new_lines) {
            continue;
        }
        for (path, text) in texts_on_disk(file)? {
            match changed.iter().find(|(known, _)| *known == path) {
                None => changed.push((path, text)),
                Some((_, known)) if *known == text => {}
                Some(_) => {
                    let text = format!(
                        "`{}` is included several times and needs different directives: write the patch in a build that compiles it once",
                        path.display()
                    );
                    return Err(std::io::Error::other(text));
                }
            }
        }
    }
    let mut patch = Vec::new();
    for (path, text) in changed {
        patch.extend(difference(&shown(&path), &std::fs::read(&path)?, &text));
    }
    match path == Path::new("-") {
        true => std::io::stdout().lock().write_all(&patch),
        false => std::fs::write(path, patch),
    }
}

/// The files on the disk that a text consists of, with their new texts: the source, and the C sources that it includes.
fn texts_on_disk(file: &SourceFile) -> std::io::Result<Vec<(PathBuf, Vec<u8>)>> {
    let mut files = vec![(file.path.clone(), unexpanded(file).to_vec())];
    if file.parts().is_empty() {
        return Ok(files);
    }
    files.clear();
    let paths = std::iter::once(&file.path).chain(file.parts());
    for (path, part) in paths.zip(0..) {
        let old = std::fs::read(path)?;
        files.push((path.clone(), text_of_part(file, part, &old)));
    }
    Ok(files)
}

/// The text with the macros that the translation has replaced by their expansions.
fn unexpanded(file: &SourceFile) -> &[u8] {
    file.shown().and_then(|shown| shown.unexpanded.as_deref()).unwrap_or(&file.bytes)
}

/// The lines of one part, and the `#include` lines that were replaced by other parts.
fn text_of_part(file: &SourceFile, part: u32, old: &[u8]) -> Vec<u8> {
    let old_lines: Vec<&[u8]> = old.split_inclusive(|&byte| byte == b'\n').collect();
    let is_include = |line: &[u8]| line.trim_ascii_start().starts_with(b"#");
    let included = |from: usize, to: usize| {
        let between = old_lines.get(from..to.min(old_lines.len())).unwrap_or_default();
        between.iter().filter(|line| is_include(line)).copied().collect::<Vec<_>>().concat()
    };
    let new_lines: Vec<&[u8]> = unexpanded(file).split_inclusive(|&byte| byte == b'\n').collect();
    let mut text = Vec::new();
    // The number of old lines before the place.
    let mut done = 0;
    for (line, number) in new_lines.iter().zip(1..) {
        let shown = file.shown_line(number);
        if shown.part != part {
            continue;
        }
        let at = shown.number as usize - 1;
        text.extend(included(done, at));
        done = done.max(at);
        // New lines have the number of the line after them.
        let is_new = (number as usize) < new_lines.len() && file.shown_line(number + 1) == shown;
        match old_lines.get(at).filter(|old| !is_new && is_include(old) && is_include(line)) {
            Some(old) => text.extend_from_slice(old),
            None => text.extend_from_slice(line),
        }
        done = done.max(if is_new { at } else { at + 1 });
    }
    text.extend(included(done, old_lines.len()));
    // In the text, each part ends with a new line.
    if !old.ends_with(b"\n")
        && old_lines.last().is_some_and(|last| text.ends_with(&[last, &b"\n"[..]].concat()))
    {
        text.pop();
    }
    text
}

/// The difference between two texts of one file. Empty if there is none.
fn difference(path: &Path, old: &[u8], new: &[u8]) -> Vec<u8> {
    let name = path.to_string_lossy();
    let name = name.trim_start_matches("./").trim_start_matches('/');
    let mut patch = Vec::new();
    let diff = TextDiff::from_lines(old, new);
    // Writing to a vector does not fail.
    let _ = diff
        .unified_diff()
        .context_radius(3)
        .header(&format!("a/{name}"), &format!("b/{name}"))
        .to_writer(&mut patch);
    patch
}

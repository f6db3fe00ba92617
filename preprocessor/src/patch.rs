//! A patch that adds the directives to the sources.
//!
//! Input: the texts before and after.
//! Output: a unified diff.
//! Postcondition: `patch -p1` in the directory of the sources turns one text into the other.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use similar::TextDiff;

use crate::driver::Outcome;

/// Writes the directives that were added to the sources. `-` is standard output. `shown` gives the name of a file in
/// the patch.
///
/// # Errors
/// If a source cannot be read again, or the patch cannot be written.
pub fn write(outcome: &Outcome, path: &Path, shown: &dyn Fn(&Path) -> PathBuf) -> std::io::Result<()> {
    let mut patch = Vec::new();
    for unit in &outcome.stages.front.units {
        let file = outcome.files.get(unit.file());
        if !file.shown().is_some_and(|shown| shown.has_new_lines) {
            continue;
        }
        if !file.parts().is_empty() {
            let text = format!(
                "`{}` includes other C sources: write the patch for these sources, in a build that compiles each of them",
                file.path.display()
            );
            return Err(std::io::Error::other(text));
        }
        patch.extend(difference(&shown(&file.path), &std::fs::read(&file.path)?, &file.bytes));
    }
    match path == Path::new("-") {
        true => std::io::stdout().lock().write_all(&patch),
        false => std::fs::write(path, patch),
    }
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

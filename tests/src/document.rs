//! Documents with commands and their output.
//!
//! Input: a page in Markdown. A block ```` ```console ```` has commands after `$ `, each followed by its output. In the
//! output, `...` stands for any text, and on a line of its own for any lines. The comment `<!-- file: NAME -->` before a
//! block says that the block is a file.
//! Output: the steps of the page, in its order.
//! Postcondition: a page without steps has no commands that are not run.

use anyhow::{bail, ensure, Context, Result};

#[derive(Debug, PartialEq, Eq)]
pub enum Step {
    File { name: String, content: String },
    Command { text: String, output: Vec<String> },
}

/// Finds the steps of a page.
///
/// # Errors
/// If a block has no end, or a block of commands does not begin with a command.
pub fn steps(page: &str) -> Result<Vec<Step>> {
    let mut steps = Vec::new();
    let mut file: Option<String> = None;
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("<!-- file: ").and_then(|rest| rest.strip_suffix(" -->")) {
            file = Some(name.to_owned());
        }
        let Some(language) = line.strip_prefix("```") else { continue };
        let mut block = Vec::new();
        loop {
            match lines.next() {
                Some("```") => break,
                Some(inner) => block.push(inner),
                None => bail!("the last block has no end"),
            }
        }
        match (file.take(), language) {
            (Some(name), _) => steps.push(Step::File { name, content: block.join("\n") + "\n" }),
            (None, "console") => add_commands(&block, &mut steps)?,
            (None, _) => (),
        }
    }
    Ok(steps)
}

fn add_commands(block: &[&str], steps: &mut Vec<Step>) -> Result<()> {
    for line in block {
        if let Some(text) = line.strip_prefix("$ ") {
            steps.push(Step::Command { text: text.to_owned(), output: Vec::new() });
            continue;
        }
        match steps.last_mut() {
            Some(Step::Command { output, .. }) => output.push((*line).to_owned()),
            _ => bail!("a block of commands begins with `{line}`"),
        }
    }
    Ok(())
}

/// Compares the output of a command with the page.
///
/// # Errors
/// Names the first line of the page that the output does not have.
pub fn compare(wanted: &[String], output: &str) -> Result<()> {
    let found: Vec<&str> = output.lines().collect();
    ensure!(matches(wanted, &found), "{}", missing(wanted, &found));
    Ok(())
}

fn matches(wanted: &[String], found: &[&str]) -> bool {
    match (wanted.split_first(), found) {
        (None, []) => true,
        (None, _) => false,
        (Some((first, rest)), _) if first == "..." => {
            (0..=found.len()).any(|skipped| matches(rest, &found[skipped..]))
        }
        (Some((first, rest)), [line, others @ ..]) => line_matches(first, line) && matches(rest, others),
        (Some(_), []) => false,
    }
}

/// Whether a line has the parts between `...` in their order. The other characters are equal, apart from the number of
/// blanks.
fn line_matches(wanted: &str, line: &str) -> bool {
    let line = with_single_blanks(line);
    let parts: Vec<String> = wanted.split("...").map(with_single_blanks).collect();
    let [first, middle @ .., last] = parts.as_slice() else { return line == parts[0] };
    let Some(mut rest) = line.strip_prefix(first.as_str()) else { return false };
    for part in middle {
        let Some((_, after)) = rest.split_once(part.as_str()) else { return false };
        rest = after;
    }
    rest.ends_with(last.as_str())
}

fn with_single_blanks(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn missing(wanted: &[String], found: &[&str]) -> String {
    let line =
        wanted.iter().find(|line| *line != "..." && !found.iter().any(|found| line_matches(line, found)));
    match line {
        Some(line) => format!("the output has no line `{line}`"),
        None => "the output has more lines, or another order".to_owned(),
    }
}

/// The page with this name.
///
/// # Errors
/// If it cannot be read.
pub fn read(path: &std::path::Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "text\n<!-- file: a.c -->\n\n```c\nint a;\n```\n\n```console\n$ one\n1\n$ two\n```\n\n```sh\nthree\n```\n";

    #[test]
    fn files_and_commands_are_steps() -> Result<()> {
        let command = |text: &str, output: &[&str]| Step::Command {
            text: text.to_owned(),
            output: output.iter().map(|line| (*line).to_owned()).collect(),
        };
        let file = Step::File { name: "a.c".to_owned(), content: "int a;\n".to_owned() };
        assert_eq!(steps(PAGE)?, [file, command("one", &["1"]), command("two", &[])]);
        Ok(())
    }

    #[test]
    fn only_the_dots_stand_for_other_text() {
        let check = |wanted: &str, output: &str| {
            compare(&wanted.lines().map(str::to_owned).collect::<Vec<_>>(), output).is_ok()
        };
        assert!(check("a\n...\nz", "a\nb\nc\nz\n"));
        assert!(check("a\n...\nz", "a\nz\n"));
        assert!(check("line 5 ... complete", "line   5  2  complete\n"));
        assert!(check("...b", "a b\n"));
        assert!(!check("a", "a\nb\n"));
        assert!(!check("a\nb", "a\n"));
        assert!(!check("line 5 ... complete", "line 6  2  complete\n"));
    }
}

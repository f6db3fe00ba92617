//! The minimiser: finds a smaller program that fails in the same way.
//!
//! Input: a sample and its class of failure.
//! Output: the smallest sample that was found.
//! Postcondition: it fails with this class. Sanitizers and other compiler options find no mistake in the
//! plain program.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;

use super::sample::{Node, Reduction, Sample};
use super::trial::{generator_fault, try_sample, Class, Effort};

/// One change of a program, by the numbers of nodes in the order of their heads.
#[derive(Debug, Clone)]
enum Change {
    /// Removes this node.
    Remove(usize),
    /// Replaces this node by its body.
    Unwrap(usize),
    /// Removes all nodes with this key.
    RemoveKey(u32),
}

/// Tries changes until none makes the program smaller. Larger changes are tried first. `report` is called for
/// each successful change.
pub fn reduce(
    sample: &Sample,
    class: Class,
    seed: u64,
    effort: Effort,
    directory: &Path,
    report: &mut dyn FnMut(&Sample),
) -> Result<Sample> {
    let mut smallest = sample.clone();
    let still_fails = |sample: &Sample| -> Result<bool> {
        let attempt = tempfile::TempDir::with_prefix_in("reduce-", directory)?;
        // If it cannot be built or run, it does not fail in this way.
        let Ok(verdict) = try_sample(sample, seed, effort, attempt.path()) else { return Ok(false) };
        if verdict.class != class {
            return Ok(false);
        }
        let check = tempfile::TempDir::with_prefix_in("check-", directory)?;
        Ok(generator_fault(sample, check.path())?.is_none())
    };
    loop {
        let before = smallest.listing().len();
        let mut next = 0;
        while let Some(change) = changes(&smallest).into_iter().nth(next) {
            let changed = apply(&smallest, &change);
            match changed.listing() != smallest.listing() && still_fails(&changed)? {
                true => {
                    smallest = changed;
                    report(&smallest);
                }
                false => next += 1,
            }
        }
        if smallest.listing().len() == before {
            return Ok(smallest);
        }
    }
}

/// Every node with its number.
fn visit(sample: &Sample, with: &mut dyn FnMut(usize, &Node)) {
    fn walk(nodes: &[Node], next: &mut usize, with: &mut dyn FnMut(usize, &Node)) {
        for node in nodes {
            with(*next, node);
            *next += 1;
            walk(&node.body, next, with);
        }
    }
    let mut next = 0;
    for file in &sample.files {
        walk(&file.text, &mut next, with);
    }
}

/// The possible changes, larger ones first.
fn changes(sample: &Sample) -> Vec<Change> {
    let mut found: Vec<(usize, Change)> = Vec::new();
    let mut keys: BTreeMap<u32, usize> = BTreeMap::new();
    visit(sample, &mut |number, node| {
        let lines = node.count_lines();
        if node.key != 0 {
            *keys.entry(node.key).or_default() += lines;
        }
        match node.reduction {
            Reduction::Fixed => {}
            Reduction::Remove => found.push((lines, Change::Remove(number))),
            Reduction::Unwrap => {
                found.push((lines, Change::Remove(number)));
                found.push((2, Change::Unwrap(number)));
            }
        }
    });
    found.extend(keys.into_iter().map(|(key, lines)| (lines, Change::RemoveKey(key))));
    // Among equal ones, the last one is the first, because a declaration is before its uses.
    found.reverse();
    found.sort_by_key(|(lines, _)| std::cmp::Reverse(*lines));
    found.into_iter().map(|(_, change)| change).collect()
}

fn apply(sample: &Sample, change: &Change) -> Sample {
    fn walk(nodes: &[Node], next: &mut usize, change: &Change) -> Vec<Node> {
        let mut kept = Vec::new();
        for node in nodes {
            let number = *next;
            *next += 1;
            let body = walk(&node.body, next, change);
            match change {
                Change::Remove(removed) if *removed == number => {}
                Change::RemoveKey(key) if node.key == *key => {}
                Change::Unwrap(unwrapped) if *unwrapped == number => kept.extend(body),
                _ => kept.push(Node { body, ..node.clone() }),
            }
        }
        kept
    }
    let mut changed = sample.clone();
    let mut next = 0;
    for file in &mut changed.files {
        file.text = walk(&file.text, &mut next, change);
    }
    changed.files.retain(|file| !file.text.is_empty());
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Language;
    use crate::random::sample::SourceFile;

    fn sample() -> Sample {
        let mut sample = Sample::new(Language::C);
        let inner = vec![Node::line("b;"), Node::line("c;").key(7)];
        let text = vec![
            Node::line("a;").fixed(),
            Node::block("while (x) {", inner, "}").unwrap(),
            Node::line("d;").key(7),
        ];
        sample.files.push(SourceFile::new("a.c", text));
        sample
    }

    #[test]
    fn a_body_takes_the_place_of_its_construct_and_keys_go_together() {
        let sample = sample();
        let text = |change| apply(&sample, &change).files[0].text(Language::C);
        assert_eq!(text(Change::Unwrap(1)), "a;\nb;\nc;\nd;\n");
        assert_eq!(text(Change::RemoveKey(7)), "a;\nwhile (x) {\n    b;\n}\n");
        assert_eq!(text(Change::Remove(1)), "a;\nd;\n");
    }

    #[test]
    fn what_is_fixed_is_never_removed_by_itself() {
        let removes_fixed = |change: &Change| matches!(change, Change::Remove(0 | 3));
        assert!(!changes(&sample()).iter().any(removes_fixed));
    }
}

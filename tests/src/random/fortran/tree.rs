//! The tree that the minimiser reduces, built from lines with their depths.
//!
//! Input: lines and their rows.
//! Output: nodes.
//! Postcondition: a declaration, its first value, and the directives that register the variable have one key.

use std::collections::BTreeMap;

use super::super::sample::{Node, Reduction};
use super::world::Line;

pub fn nodes(lines: &[Line], rows: Vec<Vec<String>>) -> Vec<Node> {
    let keys = Keys::of(lines);
    Tree { lines, rows, keys }.part(0, lines.len())
}

struct Tree<'a> {
    lines: &'a [Line],
    rows: Vec<Vec<String>>,
    keys: Keys,
}

impl Tree<'_> {
    fn part(&self, start: usize, end: usize) -> Vec<Node> {
        let mut nodes = Vec::new();
        let mut at = start;
        while at < end {
            let line = &self.lines[at];
            let next = match line.atom {
                0 if at + 1 < end && self.lines[at + 1].depth > line.depth => {
                    self.construct(at, end, &mut nodes)
                }
                0 => {
                    nodes.push(self.leaf(at, at + 1));
                    at + 1
                }
                atom => {
                    let length = self.lines[at..end].iter().take_while(|line| line.atom == atom).count();
                    nodes.push(self.leaf(at, at + length));
                    at + length
                }
            };
            at = next;
        }
        nodes.retain(|node| !node.head.is_empty());
        nodes
    }

    /// A line, the deeper lines after it, and the line that ends it. Returns the index of the next line.
    fn construct(&self, at: usize, end: usize, nodes: &mut Vec<Node>) -> usize {
        let depth = self.lines[at].depth;
        let mut body = Vec::new();
        let mut next = at + 1;
        let mut tail = Vec::new();
        loop {
            let length = self.lines[next..end].iter().take_while(|line| line.depth > depth).count();
            body.extend(self.part(next, next + length));
            next += length;
            if next >= end {
                break;
            }
            if is_middle(&self.lines[next].text) {
                body.push(self.leaf(next, next + 1));
                next += 1;
                continue;
            }
            tail = self.rows[next].clone();
            next += 1;
            break;
        }
        let reduction = reduction(&self.lines[at].text);
        nodes.push(Node { head: self.rows[at].clone(), body, tail, reduction, key: 0 });
        next
    }

    fn leaf(&self, start: usize, end: usize) -> Node {
        let head: Vec<String> = self.rows[start..end].iter().flatten().cloned().collect();
        let node = Node::lines(head);
        let line = &self.lines[start];
        match self.keys.of_line(line) {
            Some(key) => node.key(key),
            None if stays(&line.text) => node.fixed(),
            None => node,
        }
    }
}

fn reduction(head: &str) -> Reduction {
    let first = head.split([' ', '(']).next().unwrap_or_default();
    match first {
        "program" | "module" | "type" => Reduction::Fixed,
        "select" | "selectcase" | "where" => Reduction::Remove,
        _ if head.contains("subroutine ") || head.contains("function ") => Reduction::Remove,
        _ => Reduction::Unwrap,
    }
}

fn is_middle(text: &str) -> bool {
    ["else", "case", "contains"].iter().any(|word| text.starts_with(word))
}

/// Whether no reduction tries to remove the line.
fn stays(text: &str) -> bool {
    const WORDS: [&str; 6] =
        ["use ", "implicit ", "contains", "!$cppc init", "!$cppc shutdown", "!$cppc register"];
    WORDS.iter().any(|word| text.starts_with(word))
}

/// The names of variables, in classes that are removed together.
struct Keys {
    class: BTreeMap<String, u32>,
}

impl Keys {
    fn of(lines: &[Line]) -> Keys {
        let mut keys = Keys { class: BTreeMap::new() };
        let mut next = 1;
        for line in lines {
            for name in declared(&line.text) {
                keys.class.entry(name).or_insert_with(|| {
                    next += 1;
                    next
                });
            }
        }
        let mut start = 0;
        while start < lines.len() {
            let line = &lines[start];
            let length = match line.atom {
                0 => 1,
                atom => lines[start..].iter().take_while(|line| line.atom == atom).count(),
            };
            if keys.concerns(line) {
                let names: Vec<String> =
                    lines[start..start + length].iter().flat_map(|line| words(&line.text)).collect();
                keys.join(&names);
            }
            start += length;
        }
        keys
    }

    /// Whether the line is removed only with variables.
    fn concerns(&self, line: &Line) -> bool {
        line.is_first_value
            || line.text.starts_with("!$cppc register")
            || line.text.starts_with("!$cppc unregister")
            || !declared(&line.text).is_empty()
    }

    fn join(&mut self, names: &[String]) {
        let classes: Vec<u32> = names.iter().filter_map(|name| self.class.get(name).copied()).collect();
        let Some(&first) = classes.first() else { return };
        for class in self.class.values_mut() {
            if classes.contains(class) {
                *class = first;
            }
        }
    }

    fn of_line(&self, line: &Line) -> Option<u32> {
        if !self.concerns(line) {
            return None;
        }
        words(&line.text).find_map(|name| self.class.get(&name).copied())
    }
}

/// The names that a declaration declares.
fn declared(text: &str) -> Vec<String> {
    let Some((_, entities)) = text.split_once(" :: ") else { return Vec::new() };
    let mut depth = 0;
    let outside: String = entities
        .chars()
        .filter(|c| {
            depth += i32::from(*c == '(') - i32::from(*c == ')');
            depth == 0 && *c != ')'
        })
        .collect();
    outside.split(',').map(|entity| entity.split('=').next().unwrap_or_default().trim().to_owned()).collect()
}

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
}

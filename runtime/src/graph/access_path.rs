//! The access path of a pointer in a graph, such as `head->next->data`, or `head%next%data` in Fortran.
//!
//! Input: how each allocation was reached.
//! Output: the path as a text.

use super::derived_types::{BASE, DATA};
use super::types::TARGET;
use std::collections::BTreeMap;

/// A part of memory that the walk has reached.
#[derive(Debug, Clone)]
struct Reached {
    size_bytes: usize,
    type_index: usize,
    /// The address of the pointer to it. None for a root.
    from: Option<usize>,
    root: Option<(String, bool)>,
}

#[derive(Debug, Default)]
pub struct AccessPath {
    reached: BTreeMap<usize, Reached>,
}

/// The first and the last parts of a path that are shown.
const SHOWN: usize = 4;

impl AccessPath {
    /// `is_slot`: the root is a pointer, and not the memory that contains pointers.
    pub fn add_root(&mut self, address: usize, type_index: usize, name: &str, is_slot: bool) {
        let root = Some((name.to_owned(), is_slot));
        self.reached.insert(address, Reached { size_bytes: usize::MAX, type_index, from: None, root });
    }

    pub fn add(&mut self, start: usize, size_bytes: usize, type_index: usize, from: usize) {
        self.reached.insert(start, Reached { size_bytes, type_index, from: Some(from), root: None });
    }

    /// The path in Fortran. Elements are numbered from 1, in the order of memory.
    pub fn text_in_fortran(
        &self,
        at: usize,
        element_bytes: impl Fn(usize) -> usize,
        field: impl Fn(usize, usize) -> Option<String>,
    ) -> String {
        let text = self.text(at, element_bytes, field);
        let mut written = String::new();
        for part in text.replace("->", "%").replace('.', "%").split('%') {
            let (name, elements) = part.split_once('[').unwrap_or((part, ""));
            // Fields of descriptors and of polymorphic variables.
            if name != BASE && name != DATA {
                written.push_str(if written.is_empty() { "" } else { "%" });
                written.push_str(name);
            }
            for number in elements.split(|letter: char| !letter.is_ascii_digit()) {
                if let Ok(number) = number.parse::<usize>() {
                    written.push_str(&format!("({})", number.saturating_add(1)));
                }
            }
        }
        written
    }

    pub fn text(
        &self,
        at: usize,
        element_bytes: impl Fn(usize) -> usize,
        field: impl Fn(usize, usize) -> Option<String>,
    ) -> String {
        let (mut steps, mut at) = (Vec::new(), Some(at));
        while let Some(address) = at {
            let Some((start, reached)) = self.reached.range(..=address).next_back() else { break };
            if address - start >= reached.size_bytes.max(1) {
                break;
            }
            let bytes = element_bytes(reached.type_index).max(1);
            let (element, inside) = ((address - start) / bytes, (address - start) % bytes);
            let name = field(reached.type_index, inside).filter(|name| name != TARGET);
            match &reached.root {
                Some((name, true)) => steps.push(name.clone()),
                Some((root, false)) => {
                    let element =
                        if element > 0 || name.is_none() { format!("[{element}]") } else { String::new() };
                    steps.push(format!(
                        "{root}{element}{}",
                        name.map_or(String::new(), |name| format!(".{name}"))
                    ));
                }
                None => steps.push(match (element, name) {
                    (0, Some(name)) => format!("->{name}"),
                    (_, Some(name)) => format!("[{element}].{name}"),
                    (_, None) => format!("[{element}]"),
                }),
            }
            at = reached.from;
        }
        steps.reverse();
        if steps.len() > 2 * SHOWN {
            steps.splice(SHOWN..steps.len() - SHOWN, ["…".to_owned()]);
        }
        steps.concat()
    }
}

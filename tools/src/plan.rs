//! The restart plan as text.
//!
//! In: the entries of the outermost frame. Out: one line for each entry, indented by depth. Holds
//! afterwards: a plan of any depth is shown, and no deeper than is readable.

use crate::values::Reader;
use crate::words::plain;
use cppc_runtime::manifest::{Capture, PlanEntry};

const INDENT: usize = 4;
/// Deeper calls are counted, not shown.
const MOST_DEPTH: usize = 40;

/// One line for each entry.
pub fn lines(entries: &[PlanEntry], reader: &Reader) -> Vec<String> {
    let mut lines = Vec::new();
    let mut open = vec![entries.iter()];
    let mut hidden = 0usize;
    while let Some(entries) = open.last_mut() {
        let Some(entry) = entries.next() else {
            open.pop();
            continue;
        };
        let depth = open.len() - 1;
        let inner = match entry {
            PlanEntry::Call { entries, .. } | PlanEntry::Open { entries, .. } => Some(entries),
            _ => None,
        };
        if depth < MOST_DEPTH {
            lines.push(format!("{}{}", " ".repeat(INDENT * depth), line(entry, reader)));
        } else {
            hidden += 1;
        }
        open.extend(inner.map(|entries| entries.iter()));
    }
    if hidden > 0 {
        lines.push(format!("({hidden} entries below are not shown)"));
    }
    lines
}

fn line(entry: &PlanEntry, reader: &Reader) -> String {
    match entry {
        PlanEntry::Init { block } => format!("block {block}: init"),
        PlanEntry::Register { block, registers } => {
            let names: Vec<String> = registers
                .iter()
                .filter_map(|&index| reader.manifest.registers.get(index as usize))
                .map(|register| plain(&register.name))
                .collect();
            format!("block {block}: register {}", names.join(", "))
        }
        PlanEntry::Execute { block, captures } => {
            format!("block {block}: execute{}", captured(captures, reader))
        }
        PlanEntry::Call { block, callee, captures, .. } => {
            format!("block {block}: call {}{}, has returned", plain(callee), captured(captures, reader))
        }
        PlanEntry::Open { block, callee, captures, .. } => {
            format!("block {block}: in {}{}", plain(callee), captured(captures, reader))
        }
        PlanEntry::Checkpoint { block } => format!("block {block}: the checkpoint"),
    }
}

const MOST_VALUE_BYTES: usize = 64;

fn captured(captures: &[Capture], reader: &Reader) -> String {
    if captures.is_empty() {
        return String::new();
    }
    let parts: Vec<String> = captures
        .iter()
        .map(|capture| {
            let element_bytes = capture.element_bytes as usize;
            let shown = capture.bytes.len().min(MOST_VALUE_BYTES.max(element_bytes));
            let value = reader.elements(capture.type_code, element_bytes, &capture.bytes[..shown]);
            format!("{} = {value}", plain(&capture.name))
        })
        .collect();
    format!(" with {}", parts.join(", "))
}

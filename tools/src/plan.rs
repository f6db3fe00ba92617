//! The restart plan as text.
//!
//! Input: the entries of the outermost frame.
//! Output: one line for each entry, indented by depth.
//! Postcondition: a plan of any depth is handled, and shown to a readable depth.

use crate::display::plain;
use crate::value::Reader;
use cppc_runtime::manifest::{Capture, Cell, PlanEntry};

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
        PlanEntry::Cells { cells } => format!("cells: {}", kept(cells, reader)),
        PlanEntry::Register { block, registers } => {
            let names: Vec<String> = registers
                .iter()
                .filter_map(|&index| reader.manifest.registers.get(index as usize))
                .map(|register| plain(&register.name))
                .collect();
            format!("block {block}: register {}", names.join(", "))
        }
        PlanEntry::Execute { block, captures, files } => {
            let opened: String =
                files.iter().map(|file| format!(", opens {}", plain(&file.to_string()))).collect();
            format!("block {block}: execute{}{opened}", captured(captures, reader))
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
const MOST_CELLS: usize = 40;

fn captured(captures: &[Capture], reader: &Reader) -> String {
    if captures.is_empty() {
        return String::new();
    }
    let parts: Vec<String> = captures
        .iter()
        .map(|capture| {
            let value = value(capture.type_code, capture.element_bytes, &capture.bytes, reader);
            format!("{} = {value}", plain(&capture.name))
        })
        .collect();
    format!(" with {}", parts.join(", "))
}

/// The cells of a frame, such as the bounds of its loops.
fn kept(cells: &[Cell], reader: &Reader) -> String {
    let said = |cell: &Cell| {
        format!("{} = {}", cell.number, value(cell.type_code, cell.element_bytes, &cell.bytes, reader))
    };
    let mut parts: Vec<String> = cells.iter().take(MOST_CELLS).map(said).collect();
    if cells.len() > MOST_CELLS {
        parts.push("…".to_owned());
    }
    parts.join(", ")
}

fn value(type_code: i32, element_bytes: u32, bytes: &[u8], reader: &Reader) -> String {
    let element_bytes = element_bytes as usize;
    let shown = bytes.len().min(MOST_VALUE_BYTES.max(element_bytes));
    let more = if shown < bytes.len() { " …" } else { "" };
    reader.text(reader.element(type_code, element_bytes), &bytes[..shown]) + more
}

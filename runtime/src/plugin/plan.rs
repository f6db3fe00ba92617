//! The restart plan as lines of text.
//!
//! Input: a plan.
//! Output: one line for each entry. The entries of a call are indented below it.
//! Postcondition: the plan was walked without recursion, because it is as deep as the program's calls.

use crate::manifest::{Capture, PlanEntry, Register};

pub fn lines(plan: &[PlanEntry], registers: &[Register]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut open = vec![plan.iter()];
    while let Some(entries) = open.last_mut() {
        let Some(entry) = entries.next() else {
            open.pop();
            continue;
        };
        // Deeper levels have the same indentation.
        let margin = "  ".repeat((open.len() - 1).min(20));
        lines.push(margin + &line(entry, registers));
        if let PlanEntry::Call { entries, .. } | PlanEntry::Open { entries, .. } = entry {
            open.push(entries.iter());
        }
    }
    lines
}

fn line(entry: &PlanEntry, registers: &[Register]) -> String {
    match entry {
        PlanEntry::Init { block } => format!("{block}: init"),
        PlanEntry::Cells { cells } => format!("-: {} cells", cells.len()),
        PlanEntry::Register { block, registers: indices } => {
            let known = indices.iter().filter_map(|&index| registers.get(index as usize));
            let names: Vec<&str> = known.map(|register| register.name.as_str()).collect();
            format!("{block}: register {}", names.join(", "))
        }
        PlanEntry::Execute { block, captures, files } => {
            let opened: String = files.iter().map(|file| format!(", opens {file}")).collect();
            format!("{block}: execute{}{opened}", captured_names(captures))
        }
        PlanEntry::Call { block, callee, captures, .. } => {
            format!("{block}: returned call of {callee}{}", captured_names(captures))
        }
        PlanEntry::Open { block, callee, captures, .. } => {
            format!("{block}: call of {callee}{}", captured_names(captures))
        }
        PlanEntry::Checkpoint { block } => format!("{block}: checkpoint"),
    }
}

fn captured_names(captures: &[Capture]) -> String {
    if captures.is_empty() {
        return String::new();
    }
    let names: Vec<&str> = captures.iter().map(|capture| capture.name.as_str()).collect();
    format!(" with {}", names.join(", "))
}

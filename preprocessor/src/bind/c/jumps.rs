//! Jumps that lead out of a run of statements, or into it.
//!
//! Input: the statements between two directives, and the labels and gotos of their procedure.
//! Output: the jumps that cross.
//! Postcondition: jumps that cannot be followed (`goto *p`) are not among them.

use cppc_grammar::c::tree::{BlockItem, Compound, Statement, StatementKind};

use super::facts::Facts;

/// Tokens `start..end`: from an `execute` to its end.
pub(super) struct ExecuteRange {
    pub start: u32,
    pub end: u32,
}

pub(super) struct Jump {
    /// The jump's first token.
    pub token: u32,
    pub inwards: bool,
}

/// The loops and switches around a statement that are themselves in the block.
#[derive(Clone, Copy)]
struct Around {
    breaks: bool,
    continues: bool,
    cases: bool,
}

pub(super) fn crossing(compound: &Compound, block: &ExecuteRange, facts: &Facts) -> Vec<Jump> {
    let mut jumps = Vec::new();
    let outside = Around { breaks: false, continues: false, cases: false };
    for item in &compound.items {
        if let BlockItem::Statement(statement) = item {
            let range = item.range();
            if range.end > block.start && range.start < block.end {
                statement_jumps(statement, block, outside, &mut jumps);
            }
        }
    }
    let inside = |token: u32| block.start <= token && token < block.end;
    for goto in &facts.gotos {
        let target = facts.labels.iter().find(|label| label.name == goto.name);
        let Some(target) = target else { continue };
        match (inside(goto.token), inside(target.token)) {
            (true, false) => jumps.push(Jump { token: goto.range.start, inwards: false }),
            (false, true) => jumps.push(Jump { token: goto.range.start, inwards: true }),
            _ => {}
        }
    }
    jumps.sort_by_key(|jump| jump.token);
    jumps
}

fn statement_jumps(statement: &Statement, block: &ExecuteRange, around: Around, jumps: &mut Vec<Jump>) {
    let inner = match &statement.kind {
        StatementKind::Switch { .. } => Around { breaks: true, cases: true, ..around },
        StatementKind::While { .. } | StatementKind::DoWhile { .. } | StatementKind::For { .. } => {
            Around { breaks: true, continues: true, ..around }
        }
        _ => around,
    };
    let token = statement.range.start;
    // A labelled statement may begin before the block: its body is what lies in it.
    let leaves = match &statement.kind {
        StatementKind::Return(_) => true,
        StatementKind::Break => !around.breaks,
        StatementKind::Continue => !around.continues,
        _ => false,
    };
    if leaves && token >= block.start {
        jumps.push(Jump { token, inwards: false });
    }
    let case = matches!(statement.kind, StatementKind::Case { .. } | StatementKind::Default { .. });
    if case && !around.cases && token >= block.start {
        jumps.push(Jump { token, inwards: true });
    }
    if let StatementKind::Compound(body) = &statement.kind {
        for item in &body.items {
            if let BlockItem::Statement(statement) = item {
                statement_jumps(statement, block, inner, jumps);
            }
        }
    }
    for body in statement.bodies() {
        statement_jumps(body, block, inner, jumps);
    }
}

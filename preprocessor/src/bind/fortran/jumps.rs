//! Jumps that lead out of a run of statements, or into it.
//!
//! Input: the statements between two directives, and all of their procedure's.
//! Output: the jumps that cross.

use cppc_grammar::fortran::logical::At;
use cppc_grammar::fortran::tree::{
    Argument, ArgumentKind, ConstructEnd, ConstructKind, LabelUse, Statement, StatementKind,
};
use rustc_hash::FxHashSet;

use super::visit::inside;

pub(super) struct Jump {
    pub at: At,
    pub inwards: bool,
}

pub(super) fn crossing(block: &[&Statement], procedure: &[&Statement]) -> Vec<Jump> {
    let mut within = Found::default();
    for statement in block {
        within.statement(statement, &[]);
    }
    let mut everywhere = Found::default();
    for statement in procedure {
        everywhere.statement(statement, &[]);
    }
    let ours: FxHashSet<At> = within.gotos.iter().map(|(_, at)| *at).collect();
    let mut jumps: Vec<Jump> = within.leaves.iter().map(|&at| Jump { at, inwards: false }).collect();
    for (label, at) in &within.gotos {
        if !within.labels.contains(label) {
            jumps.push(Jump { at: *at, inwards: false });
        }
    }
    for (label, at) in &everywhere.gotos {
        if within.labels.contains(label) && !ours.contains(at) {
            jumps.push(Jump { at: *at, inwards: true });
        }
    }
    jumps.sort_by_key(|jump| jump.at);
    jumps
}

/// The labels and jumps of some statements.
#[derive(Default)]
struct Found {
    labels: FxHashSet<u32>,
    gotos: Vec<(u32, At)>,
    /// Returns, and cycles and exits of constructs further out.
    leaves: Vec<At>,
}

/// A construct around a statement: its name, and whether it is a loop.
type Around = (Option<String>, bool);

impl Found {
    fn statement(&mut self, statement: &Statement, around: &[Around]) {
        self.labels.extend(statement.label.map(|label| label.value));
        match &statement.kind {
            StatementKind::Goto(label) => self.goto(label),
            StatementKind::ComputedGoto { labels, .. }
            | StatementKind::AssignedGoto { labels, .. }
            | StatementKind::ArithmeticIf { labels, .. } => labels.iter().for_each(|label| self.goto(label)),
            StatementKind::Call { arguments, .. } => self.returns(arguments),
            StatementKind::Return(_) => self.leaves.push(statement.at),
            StatementKind::Cycle(name) | StatementKind::Exit(name) => {
                let stays = match name {
                    Some(name) => around.iter().any(|(other, _)| other.as_ref() == Some(&name.text)),
                    None => around.iter().any(|(_, is_loop)| *is_loop),
                };
                if !stays {
                    self.leaves.push(statement.at);
                }
            }
            _ => {}
        }
        let mut inner = around.to_vec();
        if let StatementKind::Construct(construct) = &statement.kind {
            let is_loop = matches!(construct.kind, ConstructKind::Do(_));
            inner.push((construct.name.as_ref().map(|name| name.text.clone()), is_loop));
            for part in &construct.parts {
                self.labels.extend(part.header_label.map(|label| label.value));
            }
            if let ConstructEnd::Statement { label: Some(label), .. } = &construct.end {
                self.labels.insert(label.value);
            }
        }
        for part in inside(statement) {
            self.statement(part, &inner);
        }
    }

    fn goto(&mut self, label: &LabelUse) {
        self.gotos.push((label.value, label.at));
    }

    fn returns(&mut self, arguments: &[Argument]) {
        for argument in arguments {
            if let ArgumentKind::AlternateReturn(label) = &argument.kind {
                self.goto(label);
            }
        }
    }
}

//! The plan of one procedure whose constructs are entered through their headers.
//!
//! Input: a procedure of the model with its layout.
//! Output: its plan.
//! Postcondition: the labels are not used by the program. They start at 90000, in the order of the text.

use std::collections::BTreeSet;

use cppc_source::{Diagnostic, Span};

use super::direct_entries::leave_out_jumps;
use super::walker::Walker;
use super::{BodyPlan, Clause, Mark, Position};
use crate::model::structured::Layout;
use crate::model::{DirectiveKind, Item, ItemKind, Procedure, ProcedureId, Program, VariableId};
use crate::plan::builder::not_editable;
use crate::plan::{Form, Fragment, Plan, ProcedurePlan, Reach};

pub(in crate::plan) fn plan_procedure(program: &Program, id: ProcedureId, reach: &Reach, plan: &mut Plan) {
    let procedure = &program.procedures[id.0];
    let Some((_, layout)) = procedure.place.zip(procedure.layout.as_deref()) else {
        plan.diagnostics.push(not_editable(procedure));
        return;
    };
    if refuse_procedure(procedure, layout, reach.leads_to_checkpoint(id), plan) {
        return;
    }
    let mut in_place = optional(procedure);
    let mut walker = loop {
        let mut walker = Walker::new(program, reach, procedure, layout, &in_place);
        walker.items(&procedure.body.items);
        let known = in_place.len();
        in_place.extend(walker.builder.hidden_variables.iter().copied());
        if in_place.len() == known {
            break walker;
        }
    };
    walker.builder.warn_of_lost_registers(id);
    if let Some(first) = layout.included_first {
        walker.refuse_text(first);
    }
    let exit = walker.finish();
    leave_out_jumps(&mut walker.changes, &walker.hops, &walker.bodies);
    let labels = free_labels(layout, walker.marks());
    if labels.len() < walker.marks() {
        walker.builder.diagnostics.push(
            Diagnostic::error(
                "C0501",
                procedure.name_span,
                "this procedure leads to a checkpoint, but its text cannot be rewritten",
            )
            .because("the procedure has too few unused statement labels between 10000 and 99999")
            .help("divide the procedure into several procedures"),
        );
    }
    plan.diagnostics.append(&mut walker.builder.diagnostics);
    let frame = BodyPlan {
        layout: layout.clone(),
        changes: walker.changes,
        labels,
        hops: walker.hops,
        terminals: walker.terminals,
        dispatch: Mark(0),
        exit,
        alternate: walker.alternate,
        followed_rank: followed_rank(procedure),
        unset: walker.builder.unset.into_iter().collect(),
    };
    plan.procedures.push(ProcedurePlan {
        unit: procedure.unit,
        name: procedure.entry_name.clone(),
        main: procedure.main,
        blocks: walker.builder.blocks,
        slots: walker.builder.slots,
        size_variables: procedure.size_variables.clone(),
        form: Form::Fortran(Box::new(frame)),
    });
}

/// Refuses procedures in which no frame can be opened.
fn refuse_procedure(
    procedure: &Procedure,
    layout: &Layout,
    leads_to_checkpoint: bool,
    plan: &mut Plan,
) -> bool {
    let name = &procedure.entry_name;
    let leads = match leads_to_checkpoint {
        true => "leads to a checkpoint",
        false => "leads to a directive that a restart repeats",
    };
    if let Some(&entry) = layout.entries.first() {
        let message = format!("`{name}` {leads}, and has a second entry");
        plan.diagnostics.push(
            Diagnostic::error("C0515", entry, message)
                .label(procedure.name_span, "entered here too")
                .note("a restart enters each procedure at its top")
                .help("make the part after `ENTRY` a separate procedure"),
        );
    }
    if let Some(pure) = layout.pure {
        let message = format!("`{name}` {leads}, and cannot be pure");
        plan.diagnostics.push(
            Diagnostic::error("C0516", pure, message)
                .because("a pure procedure cannot call the runtime")
                .help("remove this word, or remove the directive or call from the procedure"),
        );
    }
    !layout.entries.is_empty() || layout.pure.is_some()
}

/// Labels that the procedure does not use, in ascending order as long as possible.
fn free_labels(layout: &Layout, count: usize) -> Vec<u32> {
    let candidates = (90000..=99999).chain((10000..90000).rev());
    candidates.filter(|label| !layout.labels.contains(label)).take(count).collect()
}

/// Arguments that may be absent are registered in place, because an absent argument cannot be copied.
fn optional(procedure: &Procedure) -> BTreeSet<VariableId> {
    let items = registered_items(procedure);
    items.filter(|item| item.traits.optional).filter_map(|item| item.variable).collect()
}

fn registered_items(procedure: &Procedure) -> impl Iterator<Item = &Item> {
    let lists = procedure.directives().into_iter().filter_map(|directive| match &directive.kind {
        DirectiveKind::Register(items) => Some(items),
        _ => None,
    });
    lists.flatten()
}

/// The largest rank of the followed arrays. Trees have variables of their own.
fn followed_rank(procedure: &Procedure) -> Option<u32> {
    let ranks =
        registered_items(procedure).filter(|item| item.tree.is_none()).filter_map(|item| match item.kind {
            ItemKind::Followed { rank } => Some(rank),
            _ => None,
        });
    ranks.max()
}

impl Walker<'_> {
    /// The exit, before the statement that ends the procedure.
    fn finish(&mut self) -> Mark {
        let exit = self.new_mark();
        self.close(exit);
        let end: Span = self.layout.end;
        match self.layout.end_label {
            None => self.change(end, Position::AtEnd, vec![Clause::Mark(exit), Clause::Leave]),
            Some(label) => {
                let own = Fragment { span: end, holes: Vec::new() };
                let clauses =
                    vec![Clause::Label(label.value), Clause::Mark(exit), Clause::Leave, Clause::Own(own)];
                self.change(end, Position::Instead, clauses);
            }
        }
        exit
    }
}

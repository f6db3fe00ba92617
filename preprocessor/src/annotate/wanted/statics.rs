//! Registers of static data that no procedure on the way to a checkpoint can name.
//!
//! Input: the data.
//! Output: directives in procedures that run before, or in the procedure that declares the data; procedures for
//! registers.
//! Postcondition: a directive names only what is visible where it goes.

use std::collections::BTreeSet;

use cppc_analysis::program::{Content, Directive, Lifetime, ProcedureId, Site, Variable, VariableId};
use cppc_analysis::sets::{Bytes, Range, END};
use cppc_source::Span;

use super::super::registrar_place::{RegistrarPlace, PREFIX};
use super::{range_of, Search, Wanted};

impl Search<'_> {
    /// Static data that no procedure on the way to the checkpoint can name: COMMON blocks, modules, other files. A procedure
    /// that runs before registers it. The one with the fewest calls has the least cost; the next one is tried if the
    /// translation or the check does not accept that.
    pub(super) fn elsewhere(
        &self,
        range: Range,
        handles: &Bytes,
        path: &[Site],
        round: u32,
        wanted: &mut BTreeSet<Wanted>,
    ) -> Option<RegistrarPlace> {
        let calls = &self.analysis.summaries.places.calls;
        let mut found: Vec<ProcedureId> = self.starts.run_before(path).into_iter().collect();
        found.retain(|&id| self.names_without(id, range, handles).next().is_some());
        let is_added = |id: ProcedureId| self.procedure(id).name.starts_with(PREFIX);
        found.sort_by_key(|&id| (is_added(id), calls.callers[id.0 as usize].len(), id));
        let Some(&id) = found.get(round as usize) else {
            if round == 0 {
                wanted.extend(self.local_statics(range, handles));
            }
            return self.registrar_place(range, handles);
        };
        let procedure = self.procedure(id).span;
        let start = self.starts.of(id).map(|site| self.operation(site).span);
        for variable in self.names_without(id, range, handles).map(|id| self.variable(id)) {
            // A pointer of C may point to a constant. Then no state could be written.
            if is_added(id) && variable.content == Content::Pointer && (self.is_c)(procedure) {
                continue;
            }
            let Some(item) = self.item(variable, procedure) else { continue };
            let declared = variable.declared;
            let is_inside = |declared: &Span| {
                (self.is_c)(procedure) && declared.file == procedure.file && procedure.start < declared.start
            };
            let local = declared.filter(is_inside);
            let Some(after) = local.into_iter().chain(start).max_by_key(|span| span.start) else {
                wanted.insert(Wanted::RegisterFirst { procedure, item });
                continue;
            };
            if let Some(at) = self.first_after(id, after) {
                wanted.insert(Wanted::Register { at, declared, nearest: false, item });
            }
        }
        None
    }

    /// The first operation of the procedure behind this place.
    fn first_after(&self, id: ProcedureId, after: Span) -> Option<Span> {
        let mut spans = self.procedure(id).operations(id).map(|(_, operation)| operation.span);
        spans.find(|at| at.file == after.file && after.end <= at.start)
    }

    /// The procedures for the places, and their calls after `init`.
    pub(super) fn registrars(&self, places: BTreeSet<RegistrarPlace>, wanted: &mut BTreeSet<Wanted>) {
        let program = self.program;
        let is_init = |directive: &Directive| matches!(directive, Directive::Init);
        let Some((init, _)) = program.directives().find(|(_, directive)| is_init(directive)) else { return };
        let after = program.operation(init).span;
        let is_free = |name: &String| program.procedures.iter().all(|known| known.name != format!("{name}_"));
        let names = (1..).map(|number: u32| format!("{PREFIX}{number}")).filter(is_free);
        for (place, name) in places.into_iter().zip(names) {
            wanted.insert(Wanted::RegistrarCall { after, name: name.clone() });
            wanted.insert(Wanted::Registrar { place, name, declarations: Vec::new() });
        }
    }

    /// The registers of static variables of procedures that lead to no checkpoint. A procedure makes them when it begins.
    fn local_statics(&self, range: Range, handles: &Bytes) -> Vec<Wanted> {
        let program = self.program;
        let Some(object) = program.objects.get(range.memory.0 as usize) else { return Vec::new() };
        let is_own = |id: &ProcedureId| {
            let rest = object.name.strip_prefix(&self.procedure(*id).name);
            rest.is_some_and(|rest| rest.starts_with('.')) && object.lifetime == Lifetime::Static
        };
        let Some(&id) = self.visible.keys().find(|id| is_own(id)) else { return Vec::new() };
        if !self.procedure(id).entries.is_empty() {
            return Vec::new();
        }
        let procedure = self.procedure(id).span;
        let names = self.names_without(id, range, handles).map(|id| self.variable(id));
        // A pointer of C may point to a constant. Then no state could be written.
        let has_pointers = || {
            let whole = Range { memory: range.memory, start: 0, end: object.size.unwrap_or(END) };
            !self.analysis.summaries.places.pointer_offsets(whole).is_empty()
        };
        let is_saved = |name: &&Variable| match name.content {
            Content::Integer { .. } | Content::Data => true,
            Content::Record => !(self.is_c)(procedure) || !has_pointers(),
            Content::Descriptor => !(self.is_c)(procedure),
            Content::Pointer | Content::Reference { .. } | Content::Handle(_) | Content::Unknown => false,
        };
        let start = self.starts.of(id).map(|site| self.operation(site).span);
        let wanted = names.filter(is_saved).filter_map(|name| {
            let (declared, item) = (name.declared?, name.name.clone());
            match start {
                // A register before `init` would have no effect.
                Some(start) => {
                    let at = self.first_after(id, start)?;
                    Some(Wanted::Register { at, declared: Some(declared), nearest: false, item })
                }
                None => Some(Wanted::RegisterStatic { procedure, declared, item }),
            }
        });
        wanted.collect()
    }

    /// Where a procedure can name static data of the range that belongs to no procedure.
    fn registrar_place(&self, range: Range, handles: &Bytes) -> Option<RegistrarPlace> {
        let mut ids = self.visible.keys();
        let seen = ids.find_map(|&id| Some((id, self.names_without(id, range, handles).next()?)));
        // The procedures of a module of Fortran may use other names, or there are none.
        let other = || (0..self.program.variables.len() as u32).map(VariableId);
        let variable = match seen {
            Some((_, variable)) => variable,
            None => other()
                .find(|&id| self.is_name_of(id, range) && !handles.overlaps(range_of(self.variable(id))))?,
        };
        let variable = self.variable(variable);
        let declared = variable.declared?;
        let seen_in = seen.map_or(declared, |(id, _)| self.procedure(id).span);
        let object = &self.program.objects[variable.object.0 as usize];
        let is_pointer = variable.content == Content::Pointer && (self.is_c)(seen_in);
        if object.lifetime != Lifetime::Static || is_pointer {
            return None;
        }
        let block = object.name.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
        match (block, (self.is_c)(seen_in)) {
            (Some(block), false) => Some(RegistrarPlace::Common { seen_in, block: block.to_owned() }),
            (_, true) if declared.file != seen_in.file || declared.start < seen_in.start => {
                Some(RegistrarPlace::Source { seen_in })
            }
            // No procedure of the source can name it.
            (_, true) if seen.is_none() && !object.name.contains('.') => {
                Some(RegistrarPlace::Source { seen_in })
            }
            (_, true) => None,
            // A variable of a procedure.
            (None, false) if object.name.contains('.') => None,
            (None, false) => Some(RegistrarPlace::Module { declared }),
        }
    }
}

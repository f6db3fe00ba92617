//! Pointers of Fortran that get their first value in a loop.
//!
//! Input: a variable, and a place that is on the way to a checkpoint.
//! Output: whether the variable is undefined before the loops around the place.
//! Postcondition: none if a statement before these loops may set it.

use cppc_analysis::program::{Content, OperationKind, Site, Variable};

use super::Search;

impl Search<'_> {
    /// A register before the loop would use a pointer without a value.
    pub(super) fn is_set_in_loop(&self, site: Site, variable: &Variable) -> bool {
        let object = &self.program.objects[variable.object.0 as usize];
        let is_pointer = matches!(variable.content, Content::Descriptor | Content::Pointer);
        let (at, procedure) = (self.operation(site).span, self.procedure(site.procedure));
        if !is_pointer || object.initialized || (self.is_c)(at) {
            return false;
        }
        let starts_of = |chosen: &dyn Fn(Site, &OperationKind) -> bool| -> Vec<u32> {
            let operations = procedure.operations(site.procedure);
            let chosen = operations
                .filter(|(site, operation)| operation.span.file == at.file && chosen(*site, &operation.kind));
            chosen.map(|(_, operation)| operation.span.start).collect()
        };
        let mut around = procedure.blocks[site.block.0 as usize].within;
        let mut loops = Vec::new();
        while let Some(id) = around {
            loops.push(id);
            around = procedure.loops[id.0 as usize].within;
        }
        let is_inside =
            |site: Site| procedure.blocks[site.block.0 as usize].within.is_some_and(|id| loops.contains(&id));
        let first = starts_of(&|site, _| is_inside(site)).into_iter().min();
        let set = starts_of(&|_, kind| match kind {
            OperationKind::Write { to, .. } | OperationKind::Allocate { to, .. } => {
                to.path.is_empty() && self.variable(to.root).object == variable.object
            }
            _ => false,
        });
        first.zip(set.into_iter().min()).is_some_and(|(first, set)| first <= set)
    }
}

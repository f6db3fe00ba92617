//! The calls that lead to a checkpoint.
//!
//! Input: a frame or a host, and a checkpoint.
//! Output: a call there, a call in each procedure on the way, and the checkpoint.
//! Postcondition: if no calls lead from a frame to the checkpoint, the path consists of these two. For a host, there is no
//! path then.

use std::collections::{BTreeMap, VecDeque};

use cppc_analysis::needs::Missing;
use cppc_analysis::points_to::Target;
use cppc_analysis::program::{Lifetime, ObjectId, ProcedureId, Site};

use super::Search;

impl Search<'_> {
    /// The calls to the checkpoint from the host that declares a variable. Below it, a dummy argument may be the same variable,
    /// and a restart that allocates the variable again would not change the argument. If several calls in the host lead there,
    /// each round returns the next one.
    pub(super) fn path_from_host(
        &self,
        object: ObjectId,
        missing: &Missing,
        round: u32,
    ) -> Option<Vec<Site>> {
        let object = &self.program.objects[object.0 as usize];
        let host = match object.lifetime {
            Lifetime::Local(host) => host,
            // Variables of a main program in Fortran are static.
            Lifetime::Static => {
                let main = self.program.procedures.iter().position(|procedure| procedure.main)?;
                let rest = object.name.strip_prefix(&self.program.procedures[main].name)?;
                rest.starts_with('.').then_some(ProcedureId(main as u32))?
            }
        };
        let has_memory = host == missing.frame.procedure || host == missing.checkpoint.procedure;
        if has_memory || (self.is_c)(self.procedure(host).span) {
            return None;
        }
        let calls = self.procedure(host).operations(host).filter(|(_, operation)| operation.call().is_some());
        let paths = calls.filter_map(|(site, _)| self.path_from(site, missing.checkpoint));
        paths.take(round as usize + 1).last()
    }

    /// The calls from the frame that has the memory to the checkpoint.
    pub(super) fn path(&self, frame: Site, checkpoint: Site) -> Vec<Site> {
        self.path_from(frame, checkpoint).unwrap_or_else(|| vec![frame, checkpoint])
    }

    pub(super) fn path_from(&self, frame: Site, checkpoint: Site) -> Option<Vec<Site>> {
        let mut from: BTreeMap<ProcedureId, (Site, Option<ProcedureId>)> = BTreeMap::new();
        let mut waiting = VecDeque::new();
        let enter = |site: Site| -> Vec<ProcedureId> {
            let targets = self.analysis.summaries.places.calls.targets(site).iter();
            targets
                .filter_map(|target| match target {
                    Target::Procedure(id) => self.analysis.instrumented.contains_key(id).then_some(*id),
                    _ => None,
                })
                .collect()
        };
        if frame.procedure == checkpoint.procedure {
            return Some(vec![frame]);
        }
        for callee in enter(frame) {
            from.entry(callee).or_insert((frame, None));
            waiting.push_back(callee);
        }
        while let Some(procedure) = waiting.pop_front() {
            if procedure == checkpoint.procedure {
                let mut sites = vec![checkpoint];
                let mut at = Some(procedure);
                while let Some((site, before)) = at.and_then(|at| from.get(&at)) {
                    sites.push(*site);
                    at = *before;
                }
                sites.reverse();
                return Some(sites);
            }
            for (site, operation) in self.procedure(procedure).operations(procedure) {
                if operation.call().is_none() {
                    continue;
                }
                for callee in enter(site) {
                    from.entry(callee).or_insert_with(|| {
                        waiting.push_back(callee);
                        (site, Some(procedure))
                    });
                }
            }
        }
        None
    }
}

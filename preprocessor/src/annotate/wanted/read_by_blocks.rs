//! Memory that must exist in a restart before an execute block runs again.
//!
//! Input: what blocks read, and the memory that calls in blocks keep for a handle.
//! Output: registers before these blocks.
//! Postcondition: what cannot be registered there stays as it is. The check reports what a block reads.

use std::collections::BTreeSet;

use cppc_analysis::needs::Missing;
use cppc_analysis::points_to::MemoryKind;
use cppc_analysis::program::{Argument, Callee, Content, Site};
use cppc_source::Span;

use super::super::handles::FileName;
use super::{Search, Tried, Wanted};

impl Search<'_> {
    /// Registers of the heap memory that blocks read, where it is allocated.
    pub(super) fn read_by_blocks(&self, tried: &mut Tried, wanted: &mut BTreeSet<Wanted>) {
        for finding in self.analysis.block_reads_that_differ() {
            let Some(range) = finding.memory else { continue };
            let (checkpoint, frame) = (finding.at, finding.at);
            let missing = Missing { checkpoint, frame, range, pointer: None, gap: None, evaluation: None };
            let round = tried.rounds.entry(format!("block {}", self.key(&missing))).or_default();
            if std::mem::replace(round, 1) > 0 {
                continue;
            }
            let mut sites: BTreeSet<Site> = self.pointed(range);
            if let MemoryKind::Heap(site) = self.points(range.memory) {
                sites.insert(*site);
            }
            for site in sites {
                self.heap(site, &missing, 0, wanted);
            }
        }
    }

    /// An allocatable whose memory a call keeps for a handle, such as a window, gets its register before this call. A later
    /// register could give it other memory in a restart.
    pub(super) fn before_windows(&self, wanted: &mut BTreeSet<Wanted>) {
        for creation in self.handles.creations() {
            if creation.file != FileName::NotNeeded || (self.is_c)(creation.at) {
                continue;
            }
            let Some(call) = self.program.operation(creation.site).call() else { continue };
            let Callee::Named(name) = &call.callee else { continue };
            let Some(effects) = self.analysis.summaries.effects.effects(name) else { continue };
            for (number, argument) in call.arguments.iter().enumerate() {
                let Argument::Reference(access) = argument else { continue };
                let variable = self.variable(access.root);
                if effects.parameter(number).kept_for.is_none() || variable.content != Content::Descriptor {
                    continue;
                }
                let later: Vec<Wanted> = wanted
                    .iter()
                    .filter(|one| self.is_register_of(one, &variable.name, creation.site))
                    .cloned()
                    .collect();
                for one in later {
                    wanted.remove(&one);
                    let (at, declared, nearest) = (creation.at, variable.declared, true);
                    let item = variable.name.clone();
                    wanted.insert(Wanted::Register { at, declared, nearest, item });
                }
            }
        }
    }

    /// Whether the directive registers the variable, in the procedure of the site.
    fn is_register_of(&self, wanted: &Wanted, name: &str, site: Site) -> bool {
        let Wanted::Register { at, item, .. } = wanted else { return false };
        let is_here = |at: Span| {
            let mut operations = self.procedure(site.procedure).operations(site.procedure);
            operations.any(|(_, operation)| operation.span == at)
        };
        item.eq_ignore_ascii_case(name) && is_here(*at)
    }
}

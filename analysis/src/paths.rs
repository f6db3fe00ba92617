//! The points that the program may reach from others, outside of execute blocks.
//!
//! Input: summaries. Output: for each block, from which to which operation.
//! Postcondition: a path enters and leaves procedures. A procedure may return to any of its callers.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::points_to::Target;
use crate::problems::{execute_after, execute_blocks};
use crate::program::{BlockId, ProcedureId, Site, Terminator};
use crate::summary::Summaries;

/// The paths through the program, outside of execute blocks.
pub struct Paths<'a> {
    pub summaries: &'a Summaries<'a>,
    /// The calls in execute blocks, and whether the block leaves files as they are in a restart.
    pub in_blocks: FxHashMap<Site, bool>,
}

/// Points of the program: for each block, from which to which operation.
#[derive(Default)]
pub struct Points(FxHashMap<(ProcedureId, BlockId), Vec<(u32, u32)>>);

impl Points {
    pub fn contain(&self, site: Site) -> bool {
        let ranges = self.0.get(&(site.procedure, site.block)).into_iter().flatten();
        ranges.into_iter().any(|(start, end)| (*start..*end).contains(&site.operation))
    }
}

/// Where a path continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Start {
    procedure: ProcedureId,
    block: BlockId,
    operation: u32,
    /// The procedure returns to its callers. A call that was followed continues in any case.
    returns: bool,
}

impl<'a> Paths<'a> {
    pub fn new(summaries: &'a Summaries<'a>) -> Paths<'a> {
        let mut in_blocks = FxHashMap::default();
        for (id, procedure) in (0..).map(ProcedureId).zip(&summaries.places.program.procedures) {
            let inside = execute_blocks(procedure);
            for (block, content) in (0..).map(BlockId).zip(&procedure.blocks) {
                let mut execute = inside[block.0 as usize];
                for (operation, content) in (0..).zip(&content.operations) {
                    execute = execute_after(execute, &content.kind);
                    if let (Some(execute), Some(_)) = (execute, content.call()) {
                        in_blocks.insert(Site { procedure: id, block, operation }, execute.leaves_files);
                    }
                }
            }
        }
        Paths { summaries, in_blocks }
    }

    /// The points that the program may reach after an operation.
    pub fn after(&self, site: Site) -> Points {
        self.after_until(&[site], &|_| false)
    }

    /// The points that the program may reach after some operations, on paths that end before operations for which `stops` is
    /// true.
    pub fn after_until(&self, sites: &[Site], stops: &dyn Fn(Site) -> bool) -> Points {
        let start = |site: &Site| Start {
            procedure: site.procedure,
            block: site.block,
            operation: site.operation + 1,
            returns: true,
        };
        self.points(sites.iter().map(start).collect(), stops)
    }

    /// The points from the beginning of the program to operations for which `stops` is true.
    pub fn up_to(&self, stops: &dyn Fn(Site) -> bool) -> Points {
        let procedures = (0..).map(ProcedureId).zip(&self.summaries.places.program.procedures);
        let mains = procedures.filter(|(_, procedure)| procedure.main);
        let starts =
            mains.map(|(id, main)| Start { procedure: id, block: main.entry, operation: 0, returns: false });
        self.points(starts.collect(), stops)
    }

    /// The points in the procedures that a call enters.
    pub fn inside(&self, site: Site) -> Points {
        self.points(self.entered(site).collect(), &|_| false)
    }

    fn points(&self, mut waiting: Vec<Start>, stops: &dyn Fn(Site) -> bool) -> Points {
        let mut points = Points::default();
        let mut seen = FxHashSet::default();
        while let Some(point) = waiting.pop() {
            if !seen.insert(point) {
                continue;
            }
            let Start { procedure: id, block, operation: start, returns } = point;
            let procedure = self.summaries.procedure(id);
            let content = &procedure.blocks[block.0 as usize];
            let effects = &self.summaries.effects_of(id)[block.0 as usize];
            let mut end = start;
            let mut ends = false;
            while (end as usize) < content.operations.len() && !ends {
                let here = Site { procedure: id, block, operation: end };
                if stops(here) {
                    ends = true;
                    break;
                }
                ends = effects[end as usize].ends;
                end += 1;
                if !self.in_blocks.contains_key(&here) {
                    waiting.extend(self.entered(here));
                }
            }
            points.0.entry((id, block)).or_default().push((start, end));
            if ends {
                continue;
            }
            let next = content.terminator.successors(procedure.blocks.len()).into_iter();
            waiting.extend(next.map(|block| Start { procedure: id, block, operation: 0, returns }));
            if matches!(content.terminator, Terminator::Return) && returns {
                let callers = self.summaries.places.calls.callers[id.0 as usize].iter();
                waiting.extend(callers.map(|caller| Start {
                    procedure: caller.procedure,
                    block: caller.block,
                    operation: caller.operation + 1,
                    returns: true,
                }));
            }
        }
        points
    }

    /// The entries of the procedures that the operation calls.
    fn entered(&self, site: Site) -> impl Iterator<Item = Start> + '_ {
        let is_call = self.summaries.places.program.operation(site).call().is_some();
        let targets = self.summaries.places.calls.targets(site).iter().filter(move |_| is_call);
        targets.filter_map(|target| match target {
            Target::Procedure(id) => Some(Start {
                procedure: *id,
                block: self.summaries.procedure(*id).entry,
                operation: 0,
                returns: false,
            }),
            Target::Outside(_) | Target::Unknown => None,
        })
    }
}

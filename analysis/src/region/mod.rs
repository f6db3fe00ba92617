//! Array regions: which reads of memory are not covered by earlier writes.
//!
//! Input: a program, and the effects that other analyses know (`Effects`).
//! Output: the exposed reads of a procedure, or of the code after a checkpoint: those that may read a byte
//! which no earlier write of the same code has defined on the path to the read.
//! Postcondition: an operation that may read memory has an exposed read, unless there is a proof that each
//! byte was overwritten before. A read that is not understood is exposed.
//!
//! How to use it: a location is live after a checkpoint only if an operation that reads the location is in
//! `Exposure::reads` of the frame. `Exposure::may_read` is that test. So liveness intersects its own result
//! with this one; both are safe.
//!
//! How it works: the bounds of sections are affine in value numbers (`value`), so equal numbers are equal
//! values. The analysis goes forward and collects what was certainly written (`flow`). A counted loop is one
//! step: the reads of its iterations, without what earlier iterations wrote, and the writes of all of them. A read
//! is covered if linear inequalities prove it (`cover`, `prover`). A call is replaced by the summary of the callee
//! (`call`).

mod graph;
mod loops;
mod prover;
mod section;
mod cover;
mod effects;
mod catalogued;
mod cell;
mod escape;
mod memory;
mod value;
mod flow;
mod call;

use rustc_hash::FxHashMap;

use crate::program::{Callee, Lifetime, ObjectId, OperationKind, ProcedureId, Program, Site};

pub use effects::{Effects, Extent, External};
pub use escape::Escapes;

use call::{Callees, Summary};
use cell::Cells;
use flow::{Flow, Procedural};
use section::{Base, Section, Symbol};
use value::Numbered;

/// The maximum number of reads of one memory in a summary. If there are more, all of the memory counts as
/// read.
const READS: usize = 48;
/// The maximum number of operations of a summary that read memory whose place is not known. If there are more, the call
/// counts as the operation.
const UNKNOWN_READS: usize = 8;
/// The maximum number of writes in a summary.
const WRITES: usize = 256;
/// The maximum number of reads of the same cells by one operation in a summary, under different conditions. Each loop around a
/// call reads the cells in its first pass and in the others, so without a limit the number would double with each loop.
const CONDITIONS: usize = 4;

/// The reads of one frame.
#[derive(Debug, Clone, Default)]
pub struct Exposure {
    /// Whether nothing was proved. Then every read is exposed, and the list is empty.
    pub everything: bool,
    /// In order of the sites. Reads of objects of at most 16 bytes under their own names are not there.
    pub reads: Vec<Exposed>,
}

/// A read that may see a value from before.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Exposed {
    /// The operation of this frame: the read, or a call during which it happens.
    pub site: Site,
    pub memory: Memory,
    /// The read itself: the same as `site`, or in a procedure that the call runs.
    pub origin: Site,
}

/// The memory that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Memory {
    Object(ObjectId),
    /// Any memory that the operation at `site` may reach through a pointer, reference or descriptor.
    Target,
}

impl Exposure {
    /// Whether the operation may read a byte of the object that no earlier write has defined. `reaches`: whether a read
    /// through a pointer, by its origin, may mean the object.
    pub fn may_read(
        &self,
        program: &Program,
        site: Site,
        object: ObjectId,
        reaches: &dyn Fn(Site) -> bool,
    ) -> bool {
        let small = program.objects[object.0 as usize].size.is_some_and(|size| size <= value::SMALL);
        if self.everything || small {
            return true;
        }
        let from = self.reads.partition_point(|read| read.site < site);
        self.reads[from..].iter().take_while(|read| read.site == site).any(|read| match read.memory {
            Memory::Object(known) => known == object,
            Memory::Target => reaches(read.origin),
        })
    }

    /// Whether the operation may read, through a pointer, a byte that no earlier write has defined. `reaches`: whether a read,
    /// by its origin, may mean the memory.
    pub fn may_read_target(&self, site: Site, reaches: &dyn Fn(Site) -> bool) -> bool {
        let from = self.reads.partition_point(|read| read.site < site);
        let mut here = self.reads[from..].iter().take_while(|read| read.site == site);
        self.everything || here.any(|read| read.memory == Memory::Target && reaches(read.origin))
    }
}

/// The array regions of a program.
pub struct Regions<'p> {
    program: &'p Program,
    effects: &'p dyn Effects,
    names: FxHashMap<&'p str, ProcedureId>,
    summaries: Vec<Option<Summary>>,
    exposures: Vec<Exposure>,
}

impl<'p> Regions<'p> {
    pub fn new(program: &'p Program, effects: &'p dyn Effects) -> Regions<'p> {
        let mut names = program.procedures_by_name();
        // A summary is that of the first entry.
        names.retain(|name, id| program.procedures[id.0 as usize].name == *name);
        let count = program.procedures.len();
        let mut regions = Regions {
            program,
            effects,
            names,
            summaries: vec![None; count],
            exposures: vec![Exposure::default(); count],
        };
        for id in regions.bottom_up() {
            let cells = regions.cells(id, None);
            let numbered = regions.numbered(id, &cells, None);
            let procedure = &program.procedures[id.0 as usize];
            let mut analysis = Procedural::new(procedure, &numbered);
            let flow = analysis.run_all();
            let failed = analysis.failed;
            regions.exposures[id.0 as usize] = exposure(&flow, failed);
            if !failed {
                regions.summaries[id.0 as usize] = Some(summarize(program, id, &cells, &numbered, &flow));
            }
        }
        regions
    }

    /// The exposed reads of a call of the procedure, from its entry (or any of its entries) to its end.
    pub fn of_procedure(&self, procedure: ProcedureId) -> &Exposure {
        &self.exposures[procedure.0 as usize]
    }

    /// The exposed reads after a checkpoint, frame by frame. `chain` is the checkpoint, then the call in the
    /// caller that led to it, and so on up to the main procedure.
    pub fn after(&self, chain: &[Site]) -> Vec<Exposure> {
        let mut below: Option<(ProcedureId, Summary)> = None;
        let mut frames = Vec::with_capacity(chain.len());
        for &site in chain {
            let resumed = below.as_ref().map(|(id, summary)| (site, *id, summary));
            let cells = self.cells(site.procedure, resumed);
            let numbered = self.numbered(site.procedure, &cells, resumed);
            let procedure = &self.program.procedures[site.procedure.0 as usize];
            let mut analysis = Procedural::new(procedure, &numbered);
            let flow = analysis.run_after(site.block, site.operation);
            frames.push(exposure(&flow, analysis.failed));
            let flow =
                if analysis.failed { Flow::default() } else { Flow { reads: Vec::new(), end: flow.end } };
            below = Some((site.procedure, summarize(self.program, site.procedure, &cells, &numbered, &flow)));
        }
        frames
    }

    /// Callees before their callers, as far as they do not call each other.
    fn bottom_up(&self) -> Vec<ProcedureId> {
        let callees: Vec<Vec<ProcedureId>> = self
            .program
            .procedures
            .iter()
            .map(|procedure| {
                let operations = procedure.blocks.iter().flat_map(|block| &block.operations);
                let mut found: Vec<ProcedureId> = operations
                    .filter_map(|operation| match &operation.kind {
                        OperationKind::Call(call) => match &call.callee {
                            Callee::Named(name) => self.names.get(name.as_str()).copied(),
                            Callee::Indirect(_) | Callee::OneOf(_) => None,
                        },
                        _ => None,
                    })
                    .collect();
                found.sort_unstable();
                found.dedup();
                found
            })
            .collect();
        let mut seen = vec![false; callees.len()];
        let mut order = Vec::with_capacity(callees.len());
        for start in 0..callees.len() {
            let mut stack = vec![(start, 0)];
            if std::mem::replace(&mut seen[start], true) {
                continue;
            }
            while let Some((at, next)) = stack.last_mut() {
                match callees[*at].get(*next) {
                    Some(callee) => {
                        *next += 1;
                        if !std::mem::replace(&mut seen[callee.0 as usize], true) {
                            stack.push((callee.0 as usize, 0));
                        }
                    }
                    None => {
                        order.push(ProcedureId(*at as u32));
                        stack.pop();
                    }
                }
            }
        }
        order
    }

    fn callees<'s>(&'s self, resumed: Option<(Site, ProcedureId, &'s Summary)>) -> Callees<'s> {
        Callees { effects: self.effects, names: &self.names, summaries: &self.summaries, resumed }
    }

    fn cells(&self, id: ProcedureId, resumed: Option<(Site, ProcedureId, &Summary)>) -> Cells {
        let procedure = &self.program.procedures[id.0 as usize];
        let mut cells = Cells::of(self.program, procedure);
        let callees = self.callees(resumed);
        for operation in procedure.blocks.iter().flat_map(|block| &block.operations) {
            callees.add_cells(self.program, operation, &mut cells);
        }
        cells
    }

    fn numbered(
        &self,
        id: ProcedureId,
        cells: &Cells,
        resumed: Option<(Site, ProcedureId, &Summary)>,
    ) -> Numbered {
        value::number(self.program, id, cells, self.effects, &self.callees(resumed))
    }
}

fn exposure(flow: &Flow, failed: bool) -> Exposure {
    if failed {
        return Exposure { everything: true, reads: Vec::new() };
    }
    let mut reads: Vec<Exposed> = flow
        .reads
        .iter()
        .map(|read| {
            let memory = match read.section.as_ref().map(|section| section.base) {
                Some(Base::Object(object)) => Memory::Object(object),
                Some(Base::Referent(_) | Base::Target(_)) | None => Memory::Target,
            };
            Exposed { site: read.site, memory, origin: read.origin }
        })
        .collect();
    reads.sort_unstable();
    reads.dedup();
    Exposure { everything: false, reads }
}

/// The reads of a summary while they are collected.
#[derive(Default)]
struct Reads {
    list: Vec<(Site, Option<Section>)>,
    counts: FxHashMap<Base, usize>,
    /// The operations that read memory whose place is not known, up to one more than the maximum.
    unknown: Vec<Site>,
    /// The reads of fixed cells by each operation, by their indices.
    fixed: FxHashMap<(Site, Base), Vec<usize>>,
}

impl Reads {
    fn add(&mut self, origin: Site, section: Option<&Section>) {
        let base = section.map(|section| section.base);
        let fixed = section.filter(|section| section.has_fixed_cells()).map(|one| one.clone().simplify());
        if fixed.as_ref().is_some_and(|section| self.has(origin, section)) {
            return;
        }
        let Some(base) = base else { return self.add_unknown(origin) };
        let count = self.counts.entry(base).or_default();
        *count += 1;
        match *count {
            count if count < READS => {
                if let Some(section) = &fixed {
                    self.fixed.entry((origin, section.base)).or_default().push(self.list.len());
                }
                self.list.push((origin, fixed.or_else(|| section.cloned())));
            }
            READS => self.list.push((origin, Some(Section::whole(base)))),
            _ => {}
        }
    }

    /// Each operation may read other memory, so each of them counts.
    fn add_unknown(&mut self, origin: Site) {
        if self.unknown.len() <= UNKNOWN_READS && !self.unknown.contains(&origin) {
            self.unknown.push(origin);
        }
    }

    /// Whether the operation reads the same cells already, under the same conditions or in enough other cases.
    fn has(&mut self, origin: Site, section: &Section) -> bool {
        let alike: Vec<usize> =
            self.fixed.get(&(origin, section.base)).into_iter().flatten().copied().collect();
        let known = |at: usize| self.list[at].1.as_ref().filter(|one| one.has_cells_of(section));
        let alike: Vec<usize> = alike.into_iter().filter(|&at| known(at).is_some()).collect();
        let is_equal =
            |at: usize| known(at).is_some_and(|one| one.given == section.given || one.given.is_empty());
        if alike.iter().any(|&at| is_equal(at)) {
            return true;
        }
        if alike.len() < CONDITIONS {
            return false;
        }
        self.list[alike[0]].1 = Some(section.clone().without_conditions());
        true
    }
}

fn summarize(program: &Program, id: ProcedureId, cells: &Cells, numbered: &Numbered, flow: &Flow) -> Summary {
    let own = |section: &Section| match section.base {
        Base::Object(object) => program.objects[object.0 as usize].lifetime == Lifetime::Local(id),
        Base::Referent(_) | Base::Target(_) => false,
    };
    let mut summary = Summary::default();
    let mut reads = Reads::default();
    for read in &flow.reads {
        if !read.section.as_ref().is_some_and(own) {
            reads.add(read.origin, read.section.as_ref());
        }
    }
    summary.reads = reads.list;
    summary.reads_unknown = reads.unknown.len() > UNKNOWN_READS;
    if !summary.reads_unknown {
        summary.reads.extend(reads.unknown.into_iter().map(|origin| (origin, None)));
    }
    let lasting = flow.end.iter().filter(|section| !own(section)).take(WRITES);
    summary.writes = lasting.map(|section| (**section).clone()).collect();
    let sections = summary.reads.iter().filter_map(|read| read.1.as_ref()).chain(&summary.writes);
    let mut symbols: Vec<Symbol> = sections.flat_map(Section::symbols).collect();
    symbols.sort_unstable();
    symbols.dedup();
    for symbol in symbols {
        let access = match numbered.at_entry.get(&symbol) {
            Some(key) => cells.number(key).map(|number| cells.accesses[number].clone()),
            None if symbol.0 < numbered.first_symbol => Some(Cells::variable(program, symbol)),
            None => None,
        };
        if let Some(access) = access {
            summary.entry.insert(symbol, access);
        }
    }
    summary
}

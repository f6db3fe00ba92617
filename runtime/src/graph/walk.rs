//! The walk at a checkpoint.
//!
//! Input: the roots, the types, the table of allocations.
//! Output: the pools, in which each pointer is a reference.
//! Postcondition: an allocation is in one pool, once. The memory of the program is unchanged. The walk uses a list of
//! what is left to do, not the stack.

mod copies;
mod elsewhere;
mod order;

use copies::Copied;

use super::access_path::AccessPath;
use super::hidden::{Pointed, ProgramTargets, Search};
use super::objects::Objects;
use super::reasons::{GraphError, Reason};
use super::references::Chunks;
use super::symbols::Symbols;
use super::types::GraphTypes;
use super::visited::Visited;
use crate::allocations::{self, Found};
use crate::register::memory::{is_padded, Range};
use crate::register::segments::Segments;
use crate::register::Layouts;
use std::collections::{HashMap, HashSet, VecDeque};

/// A registered variable from which the graph is reached.
#[derive(Debug, Clone)]
pub struct GraphRoot {
    pub name: String,
    /// The index of its register.
    pub register: u32,
    pub type_index: usize,
    pub address: usize,
    pub count: usize,
    /// Whether the register names what its pointer points to.
    pub is_slot: bool,
    /// Registers with smaller numbers were made before.
    pub serial: u64,
}

/// Memory of a register that is not in the graph, and that a restart puts in place by itself.
#[derive(Debug, Clone, Copy)]
pub struct OutsideMemory {
    /// The index of its register.
    pub register: u32,
    pub address: usize,
    pub count: usize,
    pub element_bytes: usize,
    /// The index of the nearest memory before it in the list that does not end before it.
    pub longer: Option<usize>,
}

impl OutsideMemory {
    fn end(&self) -> usize {
        self.address + self.count * self.element_bytes
    }

    /// Sorts a list by address. A register may contain the memory of others, such as a section that a dummy argument is.
    pub fn sort(list: &mut [OutsideMemory]) {
        list.sort_unstable_by_key(|memory| {
            (memory.address, std::cmp::Reverse(memory.end()), memory.register)
        });
        let mut longer: Vec<usize> = Vec::new();
        for index in 0..list.len() {
            while longer.last().is_some_and(|&before| list[before].end() < list[index].end()) {
                longer.pop();
            }
            list[index].longer = longer.last().copied();
            longer.push(index);
        }
    }
}

pub struct GraphInput<'a> {
    pub types: &'a GraphTypes,
    pub layouts: &'a Layouts,
    pub segments: &'a Segments,
    pub objects: &'a Objects,
    pub roots: &'a [GraphRoot],
    /// In the order of `OutsideMemory::sort`.
    pub outside: &'a [OutsideMemory],
    /// Whether to find the access path of a pointer to memory that was freed.
    pub names_stale: bool,
    /// The registered variables, sorted by address. None contains another.
    pub variables: &'a [Range],
}

/// The elements of one type, or one root.
#[derive(Debug)]
pub struct Pool {
    pub kind: PoolKind,
    pub bytes: Vec<u8>,
    /// The numbers of elements of the allocations, each with the number of allocations in a row that have it.
    pub runs: Vec<(u64, u64)>,
    positions: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PoolKind {
    /// By its index.
    Root(usize),
    Symbols,
    /// By the index of the type.
    Type(usize),
    /// By its index.
    Outside(usize),
}

/// What a checkpoint saves of the graph.
#[derive(Debug)]
pub struct Graph {
    pub pools: Vec<Pool>,
    pub symbols: String,
    pub chunks: Chunks,
    visited: Visited,
    /// Whether a pointer of Fortran points to memory that was freed.
    has_stale: bool,
    /// The access path of the first of them, if it was requested.
    pub stale: Option<String>,
}

/// An entry of `visited` is the number of a pool, above these bits, and a position.
const POOL_SHIFT: u32 = 40;

/// The largest number of walks. Each of them has found memory with a larger type than the walk before knew.
const WALKS: usize = 8;

/// This bit of an entry: the user has stated the type of a pointer to the start of the allocation, or into it.
const STATED: u64 = 1 << 63;

impl Graph {
    pub fn collect(input: &GraphInput) -> Result<Graph, GraphError> {
        let mut larger = HashMap::new();
        for _ in 0..WALKS {
            let known = larger.len();
            let mut walk = Walk::new(input, &mut larger, None);
            let outcome = walk.run();
            // Memory with a wrong type has pointers that are none.
            if walk.larger.len() == known {
                let mut graph = walk.graph;
                if outcome.is_ok() && graph.has_stale && input.names_stale {
                    let found = explain(input, &mut larger, Reason::Freed, true);
                    graph.stale = Some(found.path);
                }
                return outcome.map(|()| graph).map_err(|reason| explain(input, &mut larger, reason, false));
            }
        }
        Err(explain(input, &mut larger, Reason::Unstable, false))
    }

    /// The pool of the allocation at this address, and its first position there.
    pub fn place(&self, start: usize) -> Option<(usize, u64)> {
        let entry = if start % 16 == 0 { self.visited.get(start) } else { 0 };
        (entry != 0).then(|| place_of(entry))
    }

    /// Whether the allocation at this address is in the graph.
    pub fn has(&self, start: usize) -> bool {
        start % 16 == 0 && self.visited.get(start) != 0
    }
}

/// The pool and the position of an entry that is not 0.
fn place_of(entry: u64) -> (usize, u64) {
    ((((entry & !STATED) >> POOL_SHIFT) - 1) as usize, entry & ((1 << POOL_SHIFT) - 1))
}

/// Walks again, with the access paths, to the first fault or stale pointer.
fn explain(
    input: &GraphInput,
    larger: &mut HashMap<usize, usize>,
    reason: Reason,
    stops_at_stale: bool,
) -> GraphError {
    let mut walk = Walk::new(input, larger, Some(AccessPath::default()));
    walk.stops_at_stale = stops_at_stale;
    match walk.run() {
        Err(reason) => GraphError { path: walk.path(), reason },
        Ok(()) => GraphError {
            path: input.roots.first().map_or_else(String::new, |root| root.name.clone()),
            reason,
        },
    }
}

/// Where a pointer is.
#[derive(Debug, Clone, Copy)]
struct PointerPosition {
    pool: u32,
    offset: usize,
}

/// A pointer into the middle of an allocation.
#[derive(Debug, Clone, Copy)]
struct Interior {
    slot: PointerPosition,
    value: usize,
    target: Target,
    at: usize,
}

/// What a pointer points to, and whether the user has stated that.
#[derive(Debug, Clone, Copy)]
struct Target {
    type_index: usize,
    is_stated: bool,
    is_of_array: bool,
    is_of_fortran: bool,
}

/// An address where no pointer is declared: the allocation it is in, the pool of that allocation, and its own place.
#[derive(Debug, Clone, Copy)]
struct Hidden {
    start: usize,
    pool: u32,
    at: usize,
    pointed: Pointed,
}

struct Walk<'a> {
    input: &'a GraphInput<'a>,
    graph: Graph,
    symbols: Symbols,
    symbol_pool: u32,
    pool_of_type: Vec<Option<u32>>,
    pool_of_outside: HashMap<usize, u32>,
    /// Memory that is in a pool, and whose pointers have not been replaced yet.
    left: VecDeque<Copied>,
    /// Pointers into the middle of allocations whose start has not been found yet.
    interior: Vec<Interior>,
    search: Search<ProgramTargets<'a>>,
    /// Addresses where no pointer is declared.
    hidden: Vec<Hidden>,
    /// The types of allocations that begin with an element of another type.
    larger: &'a mut HashMap<usize, usize>,
    readable: std::ops::Range<usize>,
    /// Set in a walk that ends at the first fault.
    paths: Option<AccessPath>,
    /// The first fault, in other walks.
    fault: Option<Reason>,
    /// The types of the tables that were found, by their addresses.
    tables: HashMap<usize, Option<usize>>,
    /// The dynamic types that a restart has described when it delivers the root that is being followed.
    described: HashSet<usize>,
    /// The roots in place that are allocations which no earlier root has reached. Pointers to them mean the root.
    heap_roots: Vec<usize>,
    /// The address of the pointer that is being followed.
    at: usize,
    /// Whether a pointer to memory that was freed is a fault.
    stops_at_stale: bool,
}

impl<'a> Walk<'a> {
    fn new(
        input: &'a GraphInput<'a>,
        larger: &'a mut HashMap<usize, usize>,
        paths: Option<AccessPath>,
    ) -> Walk<'a> {
        let graph = Graph {
            pools: Vec::new(),
            symbols: String::new(),
            chunks: Chunks::default(),
            visited: Visited::new(),
            has_stale: false,
            stale: None,
        };
        let mut walk = Walk {
            input,
            graph,
            symbols: Symbols::default(),
            symbol_pool: 0,
            pool_of_type: vec![None; input.types.all().len()],
            pool_of_outside: HashMap::new(),
            left: VecDeque::new(),
            interior: Vec::new(),
            search: Search::new(ProgramTargets(input.objects)),
            hidden: Vec::new(),
            larger,
            readable: 0..0,
            paths,
            fault: None,
            tables: HashMap::new(),
            described: HashSet::new(),
            heap_roots: Vec::new(),
            at: 0,
            stops_at_stale: false,
        };
        for (index, root) in input.roots.iter().enumerate() {
            let pool = walk.pool(PoolKind::Root(index));
            walk.allocate(pool, root.type_index, root.count);
        }
        walk.symbol_pool = walk.pool(PoolKind::Symbols);
        walk
    }

    fn run(&mut self) -> Result<(), Reason> {
        if let Some(paths) = &mut self.paths {
            for root in self.input.roots {
                paths.add_root(root.address, root.type_index, &root.name, root.is_slot);
            }
        }
        if self.input.types.are_of_fortran() {
            self.follow_one_by_one()?;
        } else {
            for (pool, root) in (0..).zip(self.input.roots) {
                self.copy(root.address, self.bytes_of(root), pool);
            }
            self.follow()?;
        }
        let outcome = self.check_hidden();
        self.or_fault(outcome.map(|()| None))?;
        self.graph.symbols = std::mem::take(&mut self.symbols).text();
        self.fault.take().map_or(Ok(()), Err)
    }

    /// Keeps the first fault and continues, because the next walk may know a type that has no fault.
    fn or_fault(&mut self, outcome: Result<Option<u64>, Reason>) -> Result<Option<u64>, Reason> {
        match outcome {
            Err(reason) if self.paths.is_none() => {
                self.fault.get_or_insert(reason);
                Ok(Some(0))
            }
            outcome => outcome,
        }
    }

    fn pool(&mut self, kind: PoolKind) -> u32 {
        self.graph.pools.push(Pool { kind, bytes: Vec::new(), runs: Vec::new(), positions: 0 });
        self.graph.chunks.add_pool()
    }

    /// Adds an allocation to a pool. Returns its first position.
    fn allocate(&mut self, pool: u32, type_index: usize, count: usize) -> u64 {
        let found = self.input.types.get(type_index);
        let pool = &mut self.graph.pools[pool as usize];
        let first = pool.positions;
        pool.positions += found.positions(count as u64);
        match pool.runs.last_mut() {
            Some((known, repeated)) if *known == count as u64 => *repeated += 1,
            Some(_) | None => pool.runs.push((count as u64, 1)),
        }
        first
    }

    /// Checks that there is no address where no pointer is declared, except where the user has stated the type. If
    /// the memory has another type than its pointers say, a restart would not set this pointer.
    fn check_hidden(&mut self) -> Result<(), Reason> {
        let is_wrong =
            |hidden: &&Hidden| hidden.start % 16 != 0 || self.graph.visited.get(hidden.start) & STATED == 0;
        let Some(&Hidden { pool, at, pointed, .. }) = self.hidden.iter().find(is_wrong) else {
            return Ok(());
        };
        self.at = at;
        Err(match self.input.types.are_of_fortran() {
            true => Reason::Integer(pointed),
            false => Reason::Hidden { pointed, name: self.name(self.type_of(pool)) },
        })
    }

    fn type_of(&self, pool: u32) -> usize {
        match self.graph.pools[pool as usize].kind {
            PoolKind::Root(index) => self.input.roots[index].type_index,
            PoolKind::Type(index) => index,
            PoolKind::Symbols | PoolKind::Outside(_) => 0,
        }
    }

    /// The reference that replaces a pointer. None if it points into the middle of an allocation that is not in a
    /// pool yet, unless this is the `last` attempt.
    fn reference(&mut self, value: usize, target: Target, last: bool) -> Result<Option<u64>, Reason> {
        if let Some(index) = self.outside_at(value) {
            return self.outside(index, value).map(Some);
        }
        if let Some(outcome) = self.in_heap_root(value, target.type_index) {
            return outcome.map(Some);
        }
        let found = match allocations::find(value) {
            found @ Found::Allocation { .. } => found,
            other => match allocations::find(value - 1) {
                // One past the end.
                Found::Allocation { start, size_bytes } if start + size_bytes == value => {
                    Found::Allocation { start, size_bytes }
                }
                Found::Allocation { .. } | Found::Freed | Found::Unknown => other,
            },
        };
        let outcome = match found {
            Found::Allocation { start, size_bytes } => {
                return self.in_allocation(start, size_bytes, value, target, last);
            }
            Found::Freed => self.elsewhere(value, target.type_index, Reason::Freed),
            Found::Unknown => self.elsewhere(value, target.type_index, Reason::Unknown),
        };
        match outcome {
            Err(reason) if target.is_of_fortran && self.is_undefined(value, &reason) => {
                let number = self.symbols.value(value);
                Ok(Some(self.graph.chunks.reference(self.symbol_pool, number as u64)))
            }
            outcome => outcome.map(Some),
        }
    }

    fn in_allocation(
        &mut self,
        start: usize,
        size_bytes: usize,
        value: usize,
        Target { type_index: target, is_stated, is_of_array, .. }: Target,
        last: bool,
    ) -> Result<Option<u64>, Reason> {
        let mut entry = self.graph.visited.get(start);
        if entry == 0 {
            if value != start && !last {
                return Ok(None);
            }
            let type_index = self.larger.get(&start).copied().unwrap_or(target);
            let element_bytes = self.input.types.get(type_index).element_bytes;
            // Compilers allocate one byte for an array without elements.
            let is_empty_array = is_of_array && size_bytes <= 1 && element_bytes > 1;
            if size_bytes % element_bytes != 0 && !is_empty_array {
                let name = self.name(type_index);
                return Err(Reason::Partial { size_bytes, element_bytes, name });
            }
            self.check_live(start, size_bytes)?;
            let pool = match self.pool_of_type[type_index] {
                Some(pool) => pool,
                None => {
                    let pool = self.pool(PoolKind::Type(type_index));
                    self.pool_of_type[type_index] = Some(pool);
                    pool
                }
            };
            let first = self.allocate(pool, type_index, size_bytes / element_bytes);
            entry = (u64::from(pool) + 1) << POOL_SHIFT | first;
            self.graph.visited.set(start, entry);
            self.copy(start, size_bytes / element_bytes * element_bytes, pool);
            if let Some(paths) = &mut self.paths {
                paths.add(start, size_bytes, type_index, self.at);
            }
        }
        if is_stated && entry & STATED == 0 {
            self.graph.visited.set(start, entry | STATED);
        }
        let (pool, first) = place_of(entry);
        let pool = pool as u32;
        let type_index = self.type_of(pool);
        let position = if value == start && type_index == target {
            first
        } else {
            match self.position(type_index, value - start, size_bytes, target) {
                Ok(position) => first + position,
                Err(reason) => {
                    self.enlarge(start, size_bytes, value - start, (type_index, target), reason)?;
                    first
                }
            }
        };
        Ok(Some(self.graph.chunks.reference(pool, position)))
    }

    /// The position in an allocation at this offset, where elements of `target` must be.
    fn position(
        &self,
        type_index: usize,
        offset: usize,
        size_bytes: usize,
        target: usize,
    ) -> Result<u64, Reason> {
        let found = self.input.types.get(type_index);
        let (element, inside) = (offset / found.element_bytes, offset % found.element_bytes);
        let first = (element * found.components.len()) as u64;
        if offset == size_bytes {
            return Ok(first);
        }
        let component = found.component(inside).ok_or_else(|| Reason::Inside(self.name(type_index)))?;
        if !self.input.types.contains(type_index, inside, target) {
            return Err(Reason::TwoTypes { found: self.name(type_index), wanted: self.name(target) });
        }
        Ok(first + component as u64)
    }

    /// Records that the allocation consists of larger elements than the first pointer to it said, for the next walk.
    fn enlarge(
        &mut self,
        start: usize,
        size_bytes: usize,
        offset: usize,
        (found, wanted): (usize, usize),
        reason: Reason,
    ) -> Result<(), Reason> {
        let bytes = |index: usize| self.input.types.get(index).element_bytes;
        let is_larger = bytes(wanted) > bytes(found);
        if !is_larger || offset % bytes(wanted) != 0 || size_bytes % bytes(wanted) != 0 {
            return Err(reason);
        }
        self.larger.insert(start, wanted);
        Ok(())
    }

    /// Checks that the allocation is the one that was recorded, and readable.
    fn check_live(&mut self, start: usize, size_bytes: usize) -> Result<(), Reason> {
        let first = start.saturating_sub(allocations::header_bytes(start));
        let end = start + size_bytes.max(1);
        if first < self.readable.start || end > self.readable.end {
            let part = self
                .input
                .segments
                .readable_part(start)
                .filter(|part| part.start <= first && end <= part.end);
            self.readable = part.ok_or(Reason::Freed)?;
        }
        allocations::check_size(start, size_bytes, !is_padded()).map_err(Reason::Allocation)
    }

    fn name(&self, type_index: usize) -> String {
        format!("`{}`", self.input.layouts.name(self.input.types.get(type_index).code))
    }

    fn path(&self) -> String {
        let element_bytes = |index: usize| self.input.types.get(index).element_bytes;
        let code = |index: usize| self.input.types.get(index).code;
        let field = |index: usize, inside: usize| self.input.layouts.field_at(code(index), inside);
        let Some(paths) = &self.paths else { return String::new() };
        match self.input.types.are_of_fortran() {
            true => paths.text_in_fortran(self.at, element_bytes, field),
            false => paths.text(self.at, element_bytes, field),
        }
    }
}

//! The graph of a checkpoint as registers.
//!
//! Input: the registers with the flag for graphs.
//! Output: registers without pointers, whose memory is a copy of the graph.
//! Postcondition: each other register has memory that is not in the graph.

use super::{extent, Refusal, SnapshotInput};
use crate::allocations::{self, Found};
use crate::graph::objects::Objects;
use crate::graph::walk::{Pool, PoolKind};
use crate::graph::{Graph, GraphInput, GraphRoot, OutsideMemory, SavedPoolKind, POOL, SHAPE, SYMBOLS};
use crate::manifest::{Kind, Location, Register as Saved};
use crate::register::memory::Range;
use crate::register::overlap::MemoryBlocks;
use crate::register::segments::Segment;
use crate::register::{Register, RegisterScope};
use cppc_abi::storage::{Storage, DEEP, STATIC};
use cppc_abi::types::{CHAR, UNSIGNED_LONG_LONG};

/// A graph and the registers that it becomes.
#[derive(Debug)]
pub struct SavedGraph {
    graph: Graph,
    shape: Vec<u64>,
    /// The index of the first register that was added. The first is that of the shape, the second that of the symbols.
    first_added: usize,
    /// For each pool its register.
    registers: Vec<usize>,
    /// For each pool the number of components of its elements.
    components: Vec<u64>,
    /// For each pool the size of its elements.
    element_bytes: Vec<usize>,
}

impl SnapshotInput<'_> {
    /// Collects the graph, if there are registers with it. Replaces these registers, and adds others.
    pub(super) fn take_graph(&self, registers: &mut Vec<Register>) -> Result<Option<SavedGraph>, Refusal> {
        let roots = self.roots_of_graph(registers)?;
        if roots.is_empty() {
            return Ok(None);
        }
        let variables = self.variables(registers);
        let outside = self.outside(registers);
        let input = GraphInput {
            types: self.graph_types,
            layouts: self.layouts,
            segments: self.segments,
            objects: &Objects::now(),
            roots: &roots,
            outside: &outside,
            names_stale: self.names_stale,
            variables: &variables,
        };
        let graph = Graph::collect(&input).map_err(Refusal::Graph)?;
        let graph = self.replace(registers, graph, &roots, &outside);
        self.move_into(registers, &graph)?;
        Ok(Some(graph))
    }

    /// The memory of the roots, each with the index of its register.
    pub(super) fn roots_in_memory(&self, registers: &[Register]) -> Vec<(usize, Range)> {
        let deep = registers.iter().enumerate().filter(|(_, register)| register.storage.is_deep());
        let range = |register: &Register| match register.kind {
            Kind::Pointer => Range { address: register.address, size_bytes: size_of::<usize>() },
            Kind::Memory => extent(register),
        };
        deep.map(|(index, register)| (index, range(register))).collect()
    }

    fn roots_of_graph(&self, registers: &[Register]) -> Result<Vec<GraphRoot>, Refusal> {
        let deep = (0..).zip(registers).filter(|(_, register)| register.storage.is_deep());
        deep.map(|(index, register)| {
            let name = self.names.text(register.name).to_owned();
            let is_slot = register.kind == Kind::Pointer;
            let type_index = match is_slot {
                true => self.graph_types.slot_index(register.type_code),
                false => self.graph_types.index(register.type_code),
            };
            let type_index = type_index.ok_or_else(|| Refusal::Unreachable(name.clone()))?;
            let count = if is_slot { 1 } else { register.count };
            let size_bytes = count * self.graph_types.get(type_index).element_bytes;
            let address = register.address;
            if !self.segments.is_readable(Range { address, size_bytes }) {
                return Err(Refusal::Unreadable { name, address, size_bytes });
            }
            let serial = register.serial;
            Ok(GraphRoot { name, register: index, type_index, address, count, is_slot, serial })
        })
        .collect()
    }

    /// The memory of registered variables, sorted by address.
    fn variables(&self, registers: &[Register]) -> Vec<Range> {
        let is_meant = |register: &&Register| {
            register.is_in_place()
                && register.fields.is_none()
                && !register.storage.is_deep()
                && !register.storage.is_deferred()
        };
        let own = registers.iter().filter(is_meant);
        let mut variables: Vec<Range> = own
            .map(|register| Range { address: register.address, size_bytes: register.size_bytes() })
            .filter(|range| self.segments.of(range.address) == Segment::Object)
            .collect();
        variables.sort_unstable_by_key(|range| (range.address, std::cmp::Reverse(range.end())));
        // A dummy argument may be a part of a variable.
        let mut end = 0;
        variables.retain(|range| {
            let is_longer = end < range.end();
            end = end.max(range.end());
            is_longer
        });
        variables
    }

    /// The memory of other registers to which pointers of the graph may point: local variables, and what the program
    /// allocates itself in a restart.
    fn outside(&self, registers: &[Register]) -> Vec<OutsideMemory> {
        let is_meant = |register: &Register| {
            let is_own = match register.storage.is_followed() {
                true => !register.storage.is_associated(),
                false => register.is_in_place() && self.segments.of(register.address) != Segment::Object,
            };
            // A component of a node is in memory of the graph.
            let is_whole = match allocations::find(register.address) {
                Found::Allocation { start, size_bytes } => {
                    start == register.address && size_bytes == register.size_bytes()
                }
                Found::Freed | Found::Unknown => true,
            };
            is_own
                && is_whole
                && register.fields.is_none()
                && !register.storage.is_deep()
                && !register.storage.is_deferred()
                && register.size_bytes() > 0
        };
        let found = (0..).zip(registers).filter(|(_, register)| is_meant(register));
        let mut outside: Vec<OutsideMemory> = found
            .map(|(index, register)| OutsideMemory {
                register: index,
                address: register.address,
                count: register.count,
                element_bytes: register.element_bytes,
                longer: None,
            })
            .collect();
        OutsideMemory::sort(&mut outside);
        outside
    }

    /// Moves the pointers of Fortran that point into the graph to the copy of the graph, where their targets are saved. No
    /// other memory may be saved twice, because a restart would allocate it twice.
    fn move_into(&self, registers: &mut [Register], graph: &SavedGraph) -> Result<(), Refusal> {
        let others = registers.iter_mut().filter(|register| !register.storage.is_deep());
        for register in others {
            let address = extent(register).address;
            let found = allocations::find(address);
            let Found::Allocation { start, .. } = found else { continue };
            if address == 0 || !graph.graph.has(start) {
                continue;
            }
            let is_pointer = register.storage.is_followed() && register.storage.is_associated();
            let copy = graph.copy_of(start).filter(|_| is_pointer);
            let copy = copy.ok_or_else(|| Refusal::InGraph(self.names.text(register.name).to_owned()))?;
            register.address = copy + (address - start);
            register.storage = register.storage.deep();
        }
        Ok(())
    }

    fn replace(
        &self,
        registers: &mut Vec<Register>,
        graph: Graph,
        roots: &[GraphRoot],
        outside: &[OutsideMemory],
    ) -> SavedGraph {
        let first_added = registers.len();
        let mut saved = SavedGraph {
            shape: Vec::new(),
            first_added,
            registers: Vec::new(),
            components: Vec::new(),
            element_bytes: Vec::new(),
            graph,
        };
        let mut next = first_added + 2;
        for pool in &saved.graph.pools {
            let type_index = match pool.kind {
                PoolKind::Root(index) => Some(roots[index].type_index),
                PoolKind::Type(index) => Some(index),
                PoolKind::Symbols | PoolKind::Outside(_) => None,
            };
            let found = type_index.map(|index| self.graph_types.get(index));
            saved.components.push(found.map_or(1, |found| found.components.len() as u64));
            saved.element_bytes.push(found.map_or(1, |found| found.element_bytes));
            saved.registers.push(match pool.kind {
                PoolKind::Root(index) => roots[index].register as usize,
                PoolKind::Symbols => first_added + 1,
                PoolKind::Outside(index) => outside[index].register as usize,
                PoolKind::Type(_) => {
                    next += 1;
                    next - 1
                }
            });
        }
        saved.shape = saved.shape();
        let added = |memory: &[u8], type_code, element_bytes: usize| {
            let count = memory.len() / element_bytes.max(1);
            let address = if count == 0 { 0 } else { memory.as_ptr() as usize };
            added(registers[0], address, count, type_code, element_bytes)
        };
        let shape = Range { address: saved.shape.as_ptr() as usize, size_bytes: saved.shape.len() * 8 };
        let mut more = vec![
            added_range(registers[0], shape, UNSIGNED_LONG_LONG, 8),
            added(saved.graph.symbols.as_bytes(), CHAR, 1),
        ];
        for (pool, element_bytes) in saved.graph.pools.iter().zip(&saved.element_bytes) {
            if let PoolKind::Type(index) = pool.kind {
                let saved_code = self.graph_types.get(index).saved_code;
                more.push(added(&pool.bytes, saved_code, *element_bytes));
            }
        }
        for (pool, root) in saved.graph.pools.iter().zip(roots) {
            let register = &mut registers[root.register as usize];
            let found = self.graph_types.get(root.type_index);
            register.kind = Kind::Memory;
            register.address = if pool.bytes.is_empty() { 0 } else { pool.bytes.as_ptr() as usize };
            register.count = root.count;
            register.type_code = found.saved_code;
            register.element_bytes = found.element_bytes;
        }
        registers.extend(more);
        saved
    }
}

impl SavedGraph {
    /// What a restart needs to know: the pools, and the chunks of references.
    fn shape(&self) -> Vec<u64> {
        let mut shape = vec![self.graph.pools.len() as u64];
        for (pool, (register, components)) in
            self.graph.pools.iter().zip(self.registers.iter().zip(&self.components))
        {
            let kind = match pool.kind {
                PoolKind::Root(_) => SavedPoolKind::Root,
                PoolKind::Symbols => SavedPoolKind::Symbols,
                PoolKind::Type(_) => SavedPoolKind::Type,
                PoolKind::Outside(_) => SavedPoolKind::Outside,
            };
            shape.extend([kind as u64, *register as u64, *components, pool.runs.len() as u64]);
            shape.extend(pool.runs.iter().flat_map(|(count, repeated)| [*count, *repeated]));
        }
        shape.extend(self.graph.chunks.owners().iter().map(|owner| u64::from(*owner)));
        shape
    }

    /// The address of the copy of the allocation that begins at this address.
    fn copy_of(&self, start: usize) -> Option<usize> {
        let (pool, first) = self.graph.place(start)?;
        let found = &self.graph.pools[pool];
        let elements = element_before(found, first, self.components[pool]) as usize;
        Some(found.bytes.as_ptr() as usize + elements * self.element_bytes[pool])
    }

    /// The access path of a pointer to memory that was freed.
    pub fn stale(&self) -> Option<&str> {
        self.graph.stale.as_deref()
    }

    /// Whether the memory of a register is a copy: that of a root, or a register that was added.
    pub fn has_copy_of(&self, register: usize) -> bool {
        let mut copied = self.registers.iter().zip(&self.graph.pools);
        register >= self.first_added
            || copied
                .any(|(of_pool, pool)| *of_pool == register && !matches!(pool.kind, PoolKind::Outside(_)))
    }

    /// Sets the names of the registers that were added.
    pub(super) fn name(&self, saved: &mut [Saved], input: &SnapshotInput) {
        saved[self.first_added].name = SHAPE.to_owned();
        saved[self.first_added + 1].name = SYMBOLS.to_owned();
        for register in &mut saved[self.first_added + 2..] {
            register.name = format!("{POOL}{}", input.layouts.name(register.type_code));
        }
    }

    /// The location of an address in the graph.
    pub(super) fn locate(&self, address: usize, memory: &MemoryBlocks) -> Option<Location> {
        let Found::Allocation { start, .. } = allocations::find(address) else { return None };
        let (pool, first) = self.graph.place(start)?;
        let element_bytes = self.element_bytes[pool];
        let offset =
            element_before(&self.graph.pools[pool], first, self.components[pool]) * element_bytes as u64;
        let place = memory.locations[self.registers[pool]]?;
        Some(Location {
            block: place.block,
            offset_bytes: place.offset_bytes + offset + (address - start) as u64,
        })
    }
}

/// The elements of the pool before the allocation with this first position.
fn element_before(pool: &Pool, position: u64, components: u64) -> u64 {
    let (mut at, mut elements) = (0, 0);
    for (count, repeated) in &pool.runs {
        let each = count * components + 1;
        let before = ((position - at) / each).min(*repeated);
        elements += before * count;
        at += before * each;
        if before < *repeated {
            break;
        }
    }
    elements
}

fn added_range(like: Register, range: Range, type_code: i32, element_bytes: usize) -> Register {
    added(like, range.address, range.size_bytes / element_bytes, type_code, element_bytes)
}

fn added(like: Register, address: usize, count: usize, type_code: i32, element_bytes: usize) -> Register {
    Register {
        section: 0,
        scope: RegisterScope::Program,
        kind: Kind::Memory,
        address,
        count,
        type_code,
        element_bytes,
        fields: None,
        storage: Storage::new(STATIC | DEEP).unwrap_or(like.storage),
        entry: None,
        is_unrecorded: true,
        ..like
    }
}

//! Restores a graph.
//!
//! Input: the pools of a state file, the roots and the types as the program makes them again.
//! Output: an allocation of the program for each one that was saved, with its content and its pointers.
//! Postcondition: nothing was written outside these allocations and the roots. A pointer is null until its target is known.

use super::{same, Delivered, Delivery, DeliveryError, Request, NULL_BYTES};
use crate::graph::objects::Objects;
use crate::graph::references::SavedChunks;
use crate::graph::symbols::{saved_symbols, SavedSymbol};
use crate::graph::types::{GraphType, GraphTypes};
use crate::graph::{SavedPoolKind, SHAPE, SYMBOLS};
use crate::manifest::{Kind, Location, Manifest, Register as Saved};
use crate::memory::MallocBytes;
use crate::register::memory::{allocate, pointer_at, set_pointer_at, Range};
use crate::register::Layouts;
use cppc_abi::types::POINTER;
use std::sync::Arc;

/// Allocations in a row that have the same number of elements.
#[derive(Debug, Clone, Copy)]
struct Run {
    count: u64,
    repeated: u64,
    /// The first of their positions, allocations and elements in the pool.
    position: u64,
    allocation: u64,
    element: u64,
}

/// What is known of the elements of a pool on this machine.
#[derive(Debug, Clone)]
struct ElementShape {
    element_bytes: usize,
    /// The offset of each component.
    components: Vec<usize>,
    pointers: Vec<usize>,
}

#[derive(Debug)]
struct Pool {
    kind: SavedPoolKind,
    register: usize,
    components: u64,
    runs: Vec<Run>,
    /// The addresses of the allocations; empty until they are allocated.
    addresses: Vec<usize>,
    element_bytes: usize,
    shape: Option<Arc<ElementShape>>,
    /// The activity when the content was set.
    filled: Option<u64>,
}

/// A pointer whose target is not known yet.
#[derive(Debug, Clone, Copy)]
struct Pending {
    slot: usize,
    reference: u64,
}

#[derive(Debug, Default)]
pub struct SavedGraph {
    pools: Vec<Pool>,
    chunks: SavedChunks,
    symbols: Vec<SavedSymbol>,
    pending: Vec<Pending>,
    /// The pointers to memory outside of the graph, each with its pool.
    outward: Vec<(u32, Pending)>,
}

impl Delivery {
    /// Delivers a root of the graph. `request` is that of a variable in place, with the type of saved elements.
    pub fn deliver_root(
        &mut self,
        (layouts, types): (&Layouts, &GraphTypes),
        request: Request,
        root: &GraphType,
        candidates: Option<&[u32]>,
    ) -> Result<Delivered, DeliveryError> {
        let is_it = |saved: &Saved| {
            saved.section == request.section && saved.is_automatic() == request.storage.is_automatic()
        };
        let Some(index) = self.find(candidates, request.name, is_it) else { return Ok(Delivered::Skipped) };
        let saved = self.manifest().registers[index].clone();
        if self.conversion.is_some() && types.are_of_fortran() {
            // The descriptors contain sizes of elements, which differ between machines.
            return Err(DeliveryError::Architecture { name: saved.name });
        }
        self.check_kind(layouts, &request, &saved)?;
        if saved.count != request.count as u64 {
            let (name, found) = (request.name.to_owned(), request.count);
            return Err(DeliveryError::TooSmall { name, saved: saved.count, found });
        }
        if request.address < NULL_BYTES {
            return Err(DeliveryError::NullPath { name: saved.name });
        }
        self.learn(layouts, index, request.type_code)?;
        self.open_graph()?;
        let Some(pool) = self.graph.pools.iter().position(|pool| pool.register == index) else {
            return Err(DeliveryError::Storage { name: request.name.to_owned() });
        };
        let shape = ElementShape::new(root);
        self.graph.pools[pool].element_bytes = shape.element_bytes;
        self.graph.pools[pool].shape = Some(Arc::new(shape));
        self.graph.pools[pool].addresses = vec![request.address];
        self.graph.learn_tables(types);
        self.learn_pools(layouts, types)?;
        for index in 0..self.graph.pools.len() {
            let is_ready =
                self.graph.pools[index].shape.is_some() && self.graph.pools[index].filled.is_none();
            if is_ready && self.graph.pools[index].kind == SavedPoolKind::Type {
                self.allocate_pool(index)?;
            }
        }
        for index in 0..self.graph.pools.len() {
            let is_ready =
                self.graph.pools[index].shape.is_some() && self.graph.pools[index].filled.is_none();
            if index == pool || is_ready {
                self.fill_pool(index)?;
            }
        }
        self.set_pending();
        self.mark_recovered(index, request.address);
        Ok(Delivered::Done { index, address: request.address, count: saved.count as usize })
    }

    /// Reads the description of the graph, once.
    fn open_graph(&mut self) -> Result<(), DeliveryError> {
        if !self.graph.pools.is_empty() {
            return Ok(());
        }
        let find = |name: &str| self.manifest().registers.iter().position(|saved| saved.name == name);
        let (Some(shape), Some(symbols)) = (find(SHAPE), find(SYMBOLS)) else {
            return Err(DeliveryError::Graph { what: "its description is missing".to_owned() });
        };
        let numbers = self.native_numbers(shape)?;
        let mut graph = parse(&numbers, self.manifest())
            .ok_or_else(|| DeliveryError::Graph { what: "its description is not consistent".to_owned() })?;
        let saved = self.manifest().registers[symbols].clone();
        if let Some(target) = saved.target.filter(|_| saved.count > 0) {
            let bytes = self.file.block(target.block as usize).unwrap_or_default();
            let start = target.offset_bytes as usize;
            let text = bytes.get(start..start + saved.count as usize).unwrap_or_default();
            let text = String::from_utf8_lossy(text).into_owned();
            graph.symbols = saved_symbols(&text, &Objects::now(), self.is_same_build).map_err(|name| {
                DeliveryError::Graph {
                    what: format!("a pointer pointed to {name}, which this program does not have"),
                }
            })?;
        }
        for index in [shape, symbols] {
            self.mark_recovered(index, 0);
        }
        self.graph = graph;
        for index in 0..self.graph.pools.len() {
            let Pool { kind, register, .. } = self.graph.pools[index];
            let known = match self.followed.get(&register) {
                Some(now) => Some(now.address),
                None => self.recovered[register].map(|(address, _)| address),
            };
            if let (SavedPoolKind::Outside, Some(address)) = (kind, known.filter(|address| *address != 0)) {
                self.graph.pools[index].addresses = vec![address];
            }
        }
        Ok(())
    }

    /// The memory of a register outside of the graph is at this address now. Sets the pointers to it.
    pub(in crate::restore) fn set_outside(&mut self, register: usize, address: usize) {
        let mut pools = self.graph.pools.iter_mut().zip(0..);
        let found = pools.find(|(pool, _)| pool.kind == SavedPoolKind::Outside && pool.register == register);
        let Some((pool, index)) = found else { return };
        pool.addresses = vec![address];
        for (_, Pending { slot, reference }) in self.graph.outward.iter().filter(|(pool, _)| *pool == index) {
            if let Some(value) = self.graph.address(*reference, NONE) {
                // SAFETY: the pointer is in memory that was filled before.
                unsafe { set_pointer_at(*slot, value) };
            }
        }
    }

    /// The numbers of a register of 64 bits.
    fn native_numbers(&self, index: usize) -> Result<Vec<u64>, DeliveryError> {
        let saved = &self.manifest().registers[index];
        let content = saved.target.and_then(|target| {
            let start = target.offset_bytes as usize;
            self.file.block(target.block as usize)?.get(start..start.checked_add(saved.count as usize * 8)?)
        });
        let content = content.ok_or_else(|| DeliveryError::NoContent { name: saved.name.clone() })?;
        let is_big = self.file.machine().big_endian;
        let number = |bytes: &[u8]| {
            let mut word = [0; 8];
            word.copy_from_slice(bytes);
            if is_big {
                u64::from_be_bytes(word)
            } else {
                u64::from_le_bytes(word)
            }
        };
        Ok(content.chunks_exact(8).map(number).collect())
    }

    /// Finds the types of pools among those that the program has described so far.
    fn learn_pools(&mut self, layouts: &Layouts, types: &GraphTypes) -> Result<(), DeliveryError> {
        for index in 0..self.graph.pools.len() {
            let pool = &self.graph.pools[index];
            if pool.kind != SavedPoolKind::Type || pool.shape.is_some() {
                continue;
            }
            let register = pool.register;
            let saved = &self.manifest().registers[register];
            let is_converted = self.conversion.is_some();
            let is_it = |found: &&GraphType| {
                found.code != POINTER
                    && match is_converted {
                        false => {
                            same::is_same(&self.manifest().types, saved.type_code, layouts, found.saved_code)
                        }
                        true => is_alike(self.manifest(), saved.type_code, layouts, found.saved_code),
                    }
            };
            let Some(found) = types.all().iter().find(is_it) else { continue };
            let shape = ElementShape::new(found);
            let is_possible = shape.components.len() as u64 == pool.components
                && (is_converted || shape.element_bytes == pool.element_bytes);
            if !is_possible {
                let (name, error) = (saved.name.clone(), "its elements have other components");
                return Err(DeliveryError::Graph { what: format!("{name}: {error}") });
            }
            let saved_code = found.saved_code;
            self.learn(layouts, register, saved_code)?;
            let pool = &mut self.graph.pools[index];
            pool.element_bytes = shape.element_bytes;
            pool.shape = Some(Arc::new(shape));
        }
        Ok(())
    }

    /// Allocates the allocations of a pool, if their size is known.
    fn allocate_pool(&mut self, index: usize) -> Result<(), DeliveryError> {
        let is_converted = self.conversion.is_some();
        let pool = &mut self.graph.pools[index];
        let is_known = !is_converted || pool.shape.is_some();
        if pool.kind != SavedPoolKind::Type || !pool.addresses.is_empty() || !is_known {
            return Ok(());
        }
        let total: u64 = pool.runs.iter().map(|run| run.repeated).sum();
        let mut addresses = Vec::with_capacity(total as usize);
        for run in &pool.runs {
            let size_bytes = (run.count as usize).checked_mul(pool.element_bytes);
            for _ in 0..run.repeated {
                let address = size_bytes.and_then(allocate);
                addresses.push(address.ok_or_else(|| DeliveryError::Graph {
                    what: "there is not enough memory for it".to_owned(),
                })?);
            }
        }
        pool.addresses = addresses;
        self.block_of(index).into_iter().for_each(|block| self.set_waiting(block));
        Ok(())
    }

    /// Whether the memory block is a pool of the graph.
    pub(in crate::restore) fn is_in_graph(&self, block: u32) -> bool {
        let is_it = |index: usize| {
            self.graph.pools[index].kind == SavedPoolKind::Type && self.block_of(index) == Some(block)
        };
        (0..self.graph.pools.len()).any(is_it)
    }

    /// Allocates the pool in this memory block, if the block is one.
    pub(in crate::restore) fn allocate_graph_block(&mut self, block: u32) -> Result<(), DeliveryError> {
        if !self.manifest().registers.iter().any(|saved| saved.name == SHAPE) {
            return Ok(());
        }
        self.open_graph()?;
        let found = (0..self.graph.pools.len()).find(|index| self.block_of(*index) == Some(block));
        found.map_or(Ok(()), |index| self.allocate_pool(index))
    }

    fn block_of(&self, pool: usize) -> Option<u32> {
        Some(self.manifest().registers.get(self.graph.pools[pool].register)?.target?.block)
    }

    /// The address of a location in a pool.
    pub(super) fn graph_address(&self, target: Location) -> Option<usize> {
        let index = (0..self.graph.pools.len()).find(|index| {
            self.graph.pools[*index].kind == SavedPoolKind::Type
                && self.block_of(*index) == Some(target.block)
        })?;
        let pool = &self.graph.pools[index];
        let offset = self.offset(target)?;
        let (element, inside) = ((offset / pool.element_bytes) as u64, offset % pool.element_bytes);
        let after = pool.runs.partition_point(|run| run.element <= element);
        // Runs of allocations without elements have no element of their own.
        let run = pool.runs[..after].iter().rev().find(|run| run.count > 0)?;
        let (allocation, within) = ((element - run.element) / run.count, (element - run.element) % run.count);
        let start = pool.addresses.get((run.allocation + allocation) as usize)?;
        Some(start + within as usize * pool.element_bytes + inside)
    }

    /// Sets the content of a pool or a root.
    fn fill_pool(&mut self, index: usize) -> Result<(), DeliveryError> {
        let pool = &self.graph.pools[index];
        let (register, runs) = (pool.register, pool.runs.clone());
        let Some(shape) = pool.shape.clone() else { return Ok(()) };
        let content = self.pool_content(register)?;
        let bytes = content.as_ref().map_or(&[][..], MallocBytes::as_slice);
        let (mut pending, mut outward) = (Vec::new(), Vec::new());
        let mut at = 0;
        let addresses = std::mem::take(&mut self.graph.pools[index].addresses);
        let mut next = addresses.iter();
        for run in &runs {
            let size_bytes = run.count as usize * shape.element_bytes;
            for start in next.by_ref().take(run.repeated as usize) {
                let from = bytes.get(at..at + size_bytes).ok_or_else(|| self.no_content(register))?;
                // SAFETY: the allocation was made with this size, or the program has declared the root with it.
                unsafe { Range { address: *start, size_bytes }.fill(from) };
                at += size_bytes;
                if shape.pointers.is_empty() {
                    continue;
                }
                for element in (0..size_bytes).step_by(shape.element_bytes) {
                    for pointer in &shape.pointers {
                        let slot = start + element + pointer;
                        // SAFETY: the pointer is in the memory that was just filled.
                        let reference = unsafe { pointer_at(slot) } as u64;
                        if reference == 0 {
                            continue;
                        }
                        let own = (index, &addresses[..]);
                        let value = self.graph.address(reference, own);
                        match (self.graph.outside_of(reference), value) {
                            (Some(pool), _) => outward.push((pool, Pending { slot, reference })),
                            (None, None) => pending.push(Pending { slot, reference }),
                            (None, Some(_)) => {}
                        }
                        let value = value.unwrap_or(0);
                        // SAFETY: as above.
                        unsafe { set_pointer_at(slot, value) };
                    }
                }
            }
        }
        self.graph.pools[index].addresses = addresses;
        self.graph.pools[index].filled = Some(self.activity);
        self.graph.pending.extend(pending);
        self.graph.outward.extend(outward);
        let address = self.graph.pools[index].addresses.first().copied().unwrap_or(0);
        self.mark_recovered(register, address);
        Ok(())
    }

    fn mark_recovered(&mut self, index: usize, address: usize) {
        self.recovered[index] = Some((address, self.activity));
    }

    fn no_content(&self, register: usize) -> DeliveryError {
        DeliveryError::NoContent { name: self.manifest().registers[register].name.clone() }
    }

    /// The content of a pool on this machine.
    fn pool_content(&mut self, register: usize) -> Result<Option<MallocBytes>, DeliveryError> {
        let saved = &self.manifest().registers[register];
        let Some(target) = saved.target.filter(|_| saved.count > 0) else { return Ok(None) };
        let block = target.block as usize;
        let memory = match self.file.take_block(block) {
            Some(memory) => memory,
            None => self.file.read_block(block)?,
        };
        Ok(Some(match &self.conversion {
            Some(conversion) => conversion.block(self.manifest(), target.block, memory)?,
            None => memory,
        }))
    }

    /// Sets the pointers whose targets are known now.
    fn set_pending(&mut self) {
        let pending = std::mem::take(&mut self.graph.pending);
        let left = pending.into_iter().filter(|pending| match self.graph.address(pending.reference, NONE) {
            Some(value) => {
                // SAFETY: the pointer is in memory that was filled before.
                unsafe { set_pointer_at(pending.slot, value) };
                false
            }
            None => true,
        });
        self.graph.pending = left.collect();
    }

    /// Restores what later blocks have changed, and checks that every pointer has its value.
    pub(super) fn finish_graph(&mut self) -> Result<(), DeliveryError> {
        for index in 0..self.graph.pools.len() {
            if self.graph.pools[index].filled.is_some_and(|at| at < self.activity) {
                self.fill_pool(index)?;
            }
        }
        self.set_pending();
        let unknown = self.graph.symbols.iter().find_map(|symbol| match symbol {
            SavedSymbol::Table(name) => Some(name),
            SavedSymbol::Address(_) => None,
        });
        if let (false, Some(name)) = (self.graph.pending.is_empty(), unknown) {
            let what = format!("a variable had the dynamic type `{name}`, which this program does not have");
            return Err(DeliveryError::Graph { what });
        }
        let is_known = |(pool, _): &(u32, Pending)| !self.graph.pools[*pool as usize].addresses.is_empty();
        match self.graph.pending.is_empty() && self.graph.outward.iter().all(is_known) {
            true => Ok(()),
            false => Err(DeliveryError::Graph {
                what: "it contains pointers to elements or components that this program does not have"
                    .to_owned(),
            }),
        }
    }
}

/// No pool.
const NONE: (usize, &[usize]) = (usize::MAX, &[]);

impl SavedGraph {
    /// Finds the addresses of type tables among those that the program has passed so far.
    fn learn_tables(&mut self, types: &GraphTypes) {
        for symbol in &mut self.symbols {
            let SavedSymbol::Table(name) = symbol else { continue };
            if let Some(address) = types.tables().address(name) {
                *symbol = SavedSymbol::Address(address);
            }
        }
    }

    /// Whether the register is a root or other memory of the graph.
    pub(super) fn has_register(&self, register: usize) -> bool {
        self.pools.iter().any(|pool| pool.kind != SavedPoolKind::Outside && pool.register == register)
    }

    /// The pool of a reference to memory outside of the graph.
    #[inline]
    fn outside_of(&self, reference: u64) -> Option<u32> {
        let (index, _) = self.chunks.find(reference)?;
        (self.pools[index as usize].kind == SavedPoolKind::Outside).then_some(index)
    }

    /// The address that a reference means, if it is known. `own` are the addresses of the pool that is being filled.
    #[inline]
    fn address(&self, reference: u64, own: (usize, &[usize])) -> Option<usize> {
        let (index, position) = self.chunks.find(reference)?;
        let pool = &self.pools[index as usize];
        if pool.kind == SavedPoolKind::Symbols {
            return match self.symbols.get(usize::try_from(position).ok()?)? {
                SavedSymbol::Address(address) => Some(*address),
                SavedSymbol::Table(_) => None,
            };
        }
        let addresses = if own.0 == index as usize { own.1 } else { &pool.addresses[..] };
        let after = match pool.runs.len() {
            1 => 1,
            _ => pool.runs.partition_point(|run| run.position <= position),
        };
        let run = pool.runs.get(after.checked_sub(1)?)?;
        let each = run.count * pool.components + 1;
        let (allocation, within) = match run.repeated {
            1 => (0, position - run.position),
            _ => ((position - run.position) / each, (position - run.position) % each),
        };
        if allocation >= run.repeated || within >= each {
            return None;
        }
        let start = *addresses.get(usize::try_from(run.allocation + allocation).ok()?)?;
        if within == 0 {
            return Some(start);
        }
        let (element, component) = (within / pool.components, within % pool.components);
        let inside = match component {
            0 => 0,
            component => *pool.shape.as_ref()?.components.get(component as usize)?,
        };
        Some(start + element as usize * pool.element_bytes + inside)
    }
}

impl ElementShape {
    fn new(found: &GraphType) -> ElementShape {
        ElementShape {
            element_bytes: found.element_bytes,
            components: found.components.iter().map(|(offset, _)| *offset as usize).collect(),
            pointers: found.pointers.iter().map(|pointer| pointer.offset).collect(),
        }
    }
}

/// Whether a type of a file of a different architecture may be this type.
fn is_alike(manifest: &Manifest, saved_code: i32, layouts: &Layouts, code: i32) -> bool {
    match (same::structure(&manifest.types, saved_code), layouts.structure(code)) {
        (Some(was), Some(is)) => {
            was.name == is.name
                && was.fields.len() == is.fields.len()
                && was.fields.iter().zip(&is.fields).all(|(was, is)| {
                    (&was.name, was.count) == (&is.name, is.count)
                        && is_alike(manifest, was.type_code, layouts, is.type_code)
                })
        }
        (None, None) => same::is_alike(saved_code, code),
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// The graph that the numbers of the register `SHAPE` describe. None if they are not consistent.
fn parse(numbers: &[u64], manifest: &Manifest) -> Option<SavedGraph> {
    let mut numbers = numbers.iter().copied();
    let count = usize::try_from(numbers.next()?).ok().filter(|count| *count <= numbers.len())?;
    let mut pools = Vec::new();
    for _ in 0..count {
        let kind = SavedPoolKind::of(numbers.next()?)?;
        let register = usize::try_from(numbers.next()?).ok()?;
        let saved = manifest.registers.get(register)?;
        let components = numbers.next()?;
        let mut pool = Pool {
            kind,
            register,
            components: components.max(1),
            runs: Vec::new(),
            addresses: Vec::new(),
            element_bytes: saved.element_bytes as usize,
            shape: None,
            filled: None,
        };
        let (mut position, mut allocation, mut element) = (0u64, 0u64, 0u64);
        for _ in 0..numbers.next()? {
            let (count, repeated) = (numbers.next()?, numbers.next().filter(|repeated| *repeated > 0)?);
            pool.runs.push(Run { count, repeated, position, allocation, element });
            let each = count.checked_mul(pool.components)?.checked_add(1)?;
            position = position.checked_add(each.checked_mul(repeated)?)?;
            allocation = allocation.checked_add(repeated)?;
            element = element.checked_add(count.checked_mul(repeated)?)?;
        }
        let is_possible = match kind {
            SavedPoolKind::Symbols => true,
            SavedPoolKind::Root | SavedPoolKind::Outside => element == saved.count && allocation == 1,
            SavedPoolKind::Type => element == saved.count && saved.element_bytes > 0,
        };
        // Allocations are not written one by one, but each of them has been the target of a pointer.
        let all_bytes =
            manifest.blocks.iter().fold(0, |sum: u64, block| sum.saturating_add(block.size_bytes));
        let is_few = allocation <= all_bytes;
        if !is_possible || !is_few || saved.kind != Kind::Memory {
            return None;
        }
        pools.push(pool);
    }
    let chunks = SavedChunks::new(numbers, pools.len())?;
    Some(SavedGraph { pools, chunks, symbols: Vec::new(), pending: Vec::new(), outward: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::{BlockPlace, MemoryBlock, Scope};
    use cppc_abi::storage::STATIC;

    /// A pool of five elements of 8 bytes.
    fn manifest() -> Manifest {
        let register = Saved {
            name: "pool".to_owned(),
            section: 0,
            scope: Scope::Program,
            type_code: 0,
            element_bytes: 8,
            count: 5,
            storage: STATIC,
            kind: Kind::Memory,
            target: None,
        };
        let block = MemoryBlock { size_bytes: 40, place: BlockPlace::Program };
        Manifest { registers: vec![register], blocks: vec![block], ..Manifest::default() }
    }

    #[test]
    fn a_description_that_is_not_consistent_is_refused() {
        let is_accepted = |numbers: &[u64]| parse(numbers, &manifest()).is_some();
        // One pool of a type, with one allocation of 3 elements and two of 1. One chunk belongs to it.
        assert!(is_accepted(&[1, 2, 0, 1, 2, 3, 1, 1, 2, 0]));
        for wrong in [
            &[][..],
            &[u64::MAX],
            &[1, 4, 0, 1, 1, 5, 1],
            &[1, 2, 9, 1, 1, 5, 1],
            &[1, 2, 0, 1, 2, 5, 1],
            &[1, 2, 0, 1, 1, 4, 1],
            &[1, 2, 0, 1, 2, 5, 1, u64::MAX, 0],
            &[1, 2, 0, u64::MAX, 1, 5, 1],
            &[1, 2, 0, 1, 1, u64::MAX, 2],
            &[1, 2, 0, 1, 2, 5, 1, 0, u64::MAX - 1],
            &[1, 0, 0, 1, 1, 1, 5],
            &[1, 2, 0, 1, 1, 5, 1, 7],
        ] {
            assert!(!is_accepted(wrong), "{wrong:?}");
        }
    }
}

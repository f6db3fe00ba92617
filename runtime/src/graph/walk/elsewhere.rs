//! Pointers to memory that is not an allocation of the program, and pointers without a value.
//!
//! Input: the value of a pointer that is not in the table of allocations.
//! Output: a reference to a root, to another register, to a symbol, or to a value that stays as it is.
//! Postcondition: a restart can set the pointer.

use super::{GraphRoot, OutsideMemory, PoolKind, Reason, Walk};
use crate::allocations::{self, Found};
use crate::graph::objects::AddressKind;
use crate::graph::start_texts::StartTexts;
use crate::graph::symbols::Pointee;
use crate::register::segments::Segment;

impl Walk<'_> {
    /// The memory of another register that contains the address. If there are several, the longest of them in which an element
    /// begins there: a dummy argument may be a section of a variable, and a restart may need the pointer to register the dummy
    /// argument. At the end of a register, something else may begin.
    pub(super) fn outside_at(&self, value: usize) -> Option<usize> {
        let outside = self.input.outside;
        let after = outside.partition_point(|memory| memory.address <= value);
        let around = || {
            let all = std::iter::successors(after.checked_sub(1), |&index| outside[index].longer);
            all.filter(|&index| value < outside[index].end())
        };
        let is_element =
            |index: &usize| (value - outside[*index].address) % outside[*index].element_bytes == 0;
        around().filter(is_element).last().or_else(|| around().next())
    }

    pub(super) fn outside(&mut self, index: usize, value: usize) -> Result<u64, Reason> {
        let OutsideMemory { address, count, element_bytes, .. } = self.input.outside[index];
        let offset = value - address;
        if offset % element_bytes != 0 {
            return Err(Reason::InsideRegister);
        }
        let pool = match self.pool_of_outside.get(&index) {
            Some(pool) => *pool,
            None => {
                let pool = self.pool(PoolKind::Outside(index));
                self.graph.pools[pool as usize].runs.push((count as u64, 1));
                self.pool_of_outside.insert(index, pool);
                pool
            }
        };
        Ok(self.graph.chunks.reference(pool, (offset / element_bytes) as u64))
    }

    /// The reference to what is not in the table of allocations.
    pub(super) fn elsewhere(&mut self, value: usize, target: usize, reason: Reason) -> Result<u64, Reason> {
        let root = self
            .input
            .roots
            .iter()
            .position(|root| (root.address..=root.address + self.bytes_of(root)).contains(&value));
        if let Some(index) = root {
            return self.in_root(index, value, target);
        }
        match self.input.objects.kind(value) {
            AddressKind::Constant => match self.input.types.get(target).element_bytes {
                1 => self.symbol(value, Pointee::Text),
                bytes => self.symbol(value, Pointee::Elements(bytes)),
            },
            AddressKind::Writable => {
                let after = self.input.variables.partition_point(|variable| variable.address <= value);
                let is_registered = after > 0 && value < self.input.variables[after - 1].end();
                match is_registered {
                    true => self.symbol(value, Pointee::Unknown),
                    false => Err(Reason::Variable),
                }
            }
            AddressKind::Nowhere if StartTexts::get().contain(value) => self.symbol(value, Pointee::Text),
            AddressKind::Nowhere => match self.input.segments.of(value) {
                Segment::Stack => Err(Reason::Stack),
                Segment::Object | Segment::Heap if !allocations::is_active() => Err(Reason::Inactive),
                Segment::Object | Segment::Heap => Err(reason),
            },
        }
    }

    pub(super) fn bytes_of(&self, root: &GraphRoot) -> usize {
        root.count * self.input.types.get(root.type_index).element_bytes
    }

    fn in_root(&mut self, index: usize, value: usize, target: usize) -> Result<u64, Reason> {
        let root = &self.input.roots[index];
        let position = self.position(root.type_index, value - root.address, self.bytes_of(root), target)?;
        Ok(self.graph.chunks.reference(index as u32, position))
    }

    /// The root in place that is an allocation which no pointer has reached before, if the address is in it.
    pub(super) fn in_heap_root(&mut self, value: usize, target: usize) -> Option<Result<u64, Reason>> {
        let index = self.heap_roots.iter().copied().find(|&index| {
            let root = &self.input.roots[index];
            (root.address..root.address + self.bytes_of(root)).contains(&value)
        })?;
        Some(self.in_root(index, value, target))
    }

    /// Whether the root is in an allocation of the program that is not in a pool yet.
    pub(super) fn is_unreached_allocation(&self, root: &GraphRoot) -> bool {
        match allocations::find(root.address) {
            Found::Allocation { start, .. } => !root.is_slot && self.graph.visited.get(start) == 0,
            Found::Freed | Found::Unknown => false,
        }
    }

    pub(super) fn symbol(&mut self, value: usize, pointee: Pointee) -> Result<u64, Reason> {
        let number = self.symbols.number(self.input.objects, value, pointee).ok_or(Reason::Nameless)?;
        Ok(self.graph.chunks.reference(self.symbol_pool, number as u64))
    }

    /// The type that has this table, by its index.
    pub(super) fn dynamic_type(&mut self, table: usize) -> Option<usize> {
        if let Some(known) = self.tables.get(&table) {
            return *known;
        }
        let found = self.input.types.tables().find(table, self.input.segments);
        let found = found.and_then(|(code, _)| self.input.types.index(code));
        self.tables.insert(table, found);
        found
    }

    /// The same, if a restart has described the type before it needs this pointer.
    pub(super) fn described_type(&mut self, table: usize) -> Option<usize> {
        self.dynamic_type(table).filter(|found| self.described.contains(found))
    }

    /// The reference to a type table. If it is none, the variable has no value yet.
    pub(super) fn table(&mut self, value: usize) -> u64 {
        let find = || self.input.types.tables().find(value, self.input.segments);
        let number = match self.symbols.known(value) {
            // Each polymorphic variable has a pointer to one of a few tables.
            Some(known) => known,
            None => match find() {
                Some((_, name)) => self.symbols.table(value, name),
                None => {
                    let named = self.symbols.number(self.input.objects, value, Pointee::Unknown);
                    named.unwrap_or_else(|| self.symbols.value(value))
                }
            },
        };
        self.graph.chunks.reference(self.symbol_pool, number as u64)
    }

    /// The reference for a polymorphic pointer whose dynamic type was not described.
    pub(super) fn without_type(&mut self, value: usize, table: usize) -> Result<u64, Reason> {
        // Type tables are static variables. So a pointer with another table was never set, whatever its value is.
        let has_no_table = self.input.objects.kind(table) == AddressKind::Nowhere
            || self.input.objects.is_in_c_library(table);
        let is_undefined = has_no_table
            || self.outside_at(value).is_none()
                && match allocations::find(value) {
                    Found::Allocation { .. } => false,
                    Found::Freed => self.is_undefined(value, &Reason::Freed),
                    Found::Unknown => self.is_undefined(value, &Reason::Unknown),
                };
        if !is_undefined {
            let name = self.input.objects.symbol(table).map(|(name, _)| name);
            return Err(Reason::Dynamic(name.map_or(String::new(), |name| type_of_table(&name))));
        }
        let number = self.symbols.value(value);
        Ok(self.graph.chunks.reference(self.symbol_pool, number as u64))
    }

    /// Whether a pointer of Fortran certainly has no target that the program may use: its memory was freed, or its value was
    /// never set. A restart gives it the same value.
    pub(super) fn is_undefined(&mut self, value: usize, reason: &Reason) -> bool {
        if *reason == Reason::Freed {
            self.graph.has_stale = true;
            return !self.stops_at_stale;
        }
        self.input.segments.readable_part(value).is_none() || self.input.objects.is_in_c_library(value)
    }
}

/// What the symbol of a type table says about its type: `__shapes_MOD___vtab_shapes_Circle`.
fn type_of_table(symbol: &str) -> String {
    let name = symbol.rsplit("vtab_").next().unwrap_or(symbol);
    // A local type has a number.
    let name = name.split('.').next().unwrap_or(name);
    format!(", `{}`,", name.to_lowercase())
}

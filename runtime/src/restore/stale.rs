//! Pointers of the program that still point to the earlier memory of registers.
//!
//! Input: the targets of pointers before their registers were made again, and the memory that the program had
//! when it called `CPPC_Init`.
//! Output: how many pointers into the earlier memory exist, and where.
//! Postcondition: nothing was written, and no unmapped address was read.
//!
//! Code before `CPPC_Init` may allocate memory and set any number of pointers to it. A register of that
//! memory is restored at another address, and its own pointer is set. The other pointers are not.

use crate::register::memory::{read_mapped, Range};
use crate::register::segments::{Mapping, Segment};
use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// The memory of a register before a restart delivered it at another address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlierMemory {
    pub name: String,
    /// The complement of the address, so that this field is not mistaken for a pointer of the program.
    hidden: usize,
    size_bytes: usize,
    /// The distances of the addresses to which a pointer of the program may point.
    step_bytes: usize,
    /// The address where the restart has put it.
    to: usize,
}

/// The pointers that the program had in memory that a restart delivers in place. An array of pointers may be delivered
/// before the memory that they point to.
#[derive(Debug, Default)]
pub struct Overwritten {
    /// For each slot the complement of the pointer, so that it is not mistaken for a pointer of the program.
    hidden: HashMap<usize, usize>,
}

impl Overwritten {
    /// Records the pointers into the heap at these addresses, which are sorted.
    pub fn record(&mut self, slots: &[usize], mapped: &[Mapping]) {
        const WORD: usize = size_of::<usize>();
        let Some(last) = slots.last() else { return };
        let is_heap = |value: usize| {
            let holds = |mapping: &&Mapping| mapping.range.address <= value && value < mapping.range.end();
            mapped.iter().find(holds).is_some_and(|mapping| mapping.segment == Segment::Heap)
        };
        let (mut buffer, mut start, mut read) = (vec![0u8; BUFFER_BYTES], 0, 0);
        for &slot in slots {
            if slot < start || slot + WORD > start + read {
                start = slot;
                let size_bytes = (last + WORD - start).min(BUFFER_BYTES);
                read = read_mapped(Range { address: start, size_bytes }, &mut buffer);
            }
            let word = buffer[..read].get(slot - start..slot - start + WORD);
            let value = word.and_then(|word| word.try_into().ok()).map_or(0, usize::from_ne_bytes);
            if is_heap(value) {
                self.hidden.entry(slot).or_insert(!value);
            }
        }
        // Otherwise `find` would find the pointers in memory that is free by then.
        buffer.fill(0);
        std::hint::black_box(&buffer);
    }

    pub fn pointer(&self, slot: usize) -> Option<usize> {
        self.hidden.get(&slot).map(|hidden| !hidden)
    }
}

/// The earlier memory of all registers that were delivered at another address.
#[derive(Debug, Default)]
pub struct EarlierMemories {
    all: Vec<EarlierMemory>,
    /// The index of each, by its present address. What is inside other memory is left out.
    by_address: BTreeMap<usize, usize>,
}

impl EarlierMemories {
    pub fn all(&self) -> &[EarlierMemory] {
        &self.all
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The earlier value of a pointer in memory that was delivered at another address.
    pub fn pointer_before(&self, slot: usize) -> Option<usize> {
        self.around(slot)?.pointer_before(slot)
    }

    fn around(&self, address: usize) -> Option<&EarlierMemory> {
        let (_, index) = self.by_address.range(..=address).next_back()?;
        self.all.get(*index).filter(|found| address - found.to < found.size_bytes)
    }
}

impl Extend<EarlierMemory> for EarlierMemories {
    fn extend<T: IntoIterator<Item = EarlierMemory>>(&mut self, more: T) {
        for earlier in more {
            let (start, end) = (earlier.to, earlier.to.saturating_add(earlier.size_bytes));
            if self.around(start).is_none_or(|around| around.to + around.size_bytes < end) {
                let inside: Vec<usize> = self.by_address.range(start..end).map(|(start, _)| *start).collect();
                inside.iter().for_each(|start| {
                    self.by_address.remove(start);
                });
                self.by_address.insert(start, self.all.len());
            }
            self.all.push(earlier);
        }
    }
}

/// The number of pointers into one such range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stale {
    pub name: String,
    pub in_heap: usize,
    pub in_variables: usize,
    pub on_stack: usize,
}

impl EarlierMemory {
    /// The earlier memory of `name`, which is now at `to`. Returns none if it cannot have been an allocation
    /// of this size: a pointer that was not set yet may have any value.
    /// Its elements begin, or have parts, every `step_bytes`.
    pub fn new(
        name: &str,
        was: Range,
        step_bytes: usize,
        to: usize,
        mapped: &[Mapping],
    ) -> Option<EarlierMemory> {
        is_allocation(was, mapped).then(|| EarlierMemory {
            name: name.to_owned(),
            hidden: !was.address,
            size_bytes: was.size_bytes,
            step_bytes: step_bytes.max(1),
            to,
        })
    }

    /// The earlier value of a pointer in memory that was delivered at another address.
    pub fn pointer_before(&self, slot: usize) -> Option<usize> {
        let offset = slot.checked_sub(self.to).filter(|offset| *offset < self.size_bytes)?;
        let mut word = [0; size_of::<usize>()];
        let there = Range { address: self.range().address + offset, size_bytes: word.len() };
        (read_mapped(there, &mut word) == word.len()).then(|| usize::from_ne_bytes(word))
    }

    fn range(&self) -> Range {
        Range { address: !self.hidden, size_bytes: self.size_bytes }
    }
}

/// Finds the stale pointers. `mapped` is the memory that was mapped when `CPPC_Init` was called, `now` the
/// present one, `known` the memory that the restart has delivered, `stack` the stack of the open calls.
pub fn find(
    left: &[EarlierMemory],
    mapped: &[Mapping],
    now: &[Mapping],
    known: &[Range],
    stack: Range,
) -> Vec<Stale> {
    // These vectors contain the addresses themselves. Each is allocated once, and is excluded from the
    // search.
    let mut ranges: Vec<(Range, usize)> = Vec::with_capacity(left.len());
    ranges.extend(left.iter().enumerate().map(|(index, left)| (left.range(), index)));
    ranges.sort_unstable_by_key(|(range, index)| (range.address, *index));
    let (Some(first), Some(end)) =
        (ranges.first().map(|(range, _)| range.address), ranges.iter().map(|(range, _)| range.end()).max())
    else {
        return Vec::new();
    };
    let mut found: Vec<Stale> = left
        .iter()
        .map(|left| Stale { name: left.name.clone(), in_heap: 0, in_variables: 0, on_stack: 0 })
        .collect();
    let mut buffer = vec![0u8; BUFFER_BYTES];
    let mut excluded: Vec<Range> = Vec::with_capacity(known.len() + ranges.len() + 4);
    excluded.extend(known.iter().copied().chain(ranges.iter().map(|(range, _)| *range)));
    excluded.push(memory_of(&buffer, buffer.len()));
    excluded.push(memory_of(&ranges, ranges.capacity()));
    // For each range, the largest end of it and those before it.
    let mut ends: Vec<usize> = Vec::with_capacity(ranges.len());
    for (range, _) in &ranges {
        ends.push(ends.last().copied().unwrap_or(0).max(range.end()));
    }
    excluded.push(memory_of(&ends, ends.capacity()));
    excluded.push(memory_of(&excluded, excluded.capacity()));
    excluded.sort_unstable_by_key(|range| range.address);
    for (part, segment) in parts(mapped, now, &excluded, stack) {
        each_word(part, &mut buffer, |value| {
            if value < first || value >= end {
                return;
            }
            let after = ranges.partition_point(|(range, _)| range.address <= value);
            let before = ranges[..after].iter().zip(&ends).rev();
            let mut around = before.take_while(|(_, end)| value < **end).map(|(found, _)| found);
            let inside = around.find(|(range, _)| value < range.end());
            let Some((range, index)) = inside else { return };
            // Text next to the rest of an old pointer is no pointer.
            if (value - range.address) % left[*index].step_bytes != 0 {
                return;
            }
            match segment {
                Segment::Heap => found[*index].in_heap += 1,
                Segment::Object => found[*index].in_variables += 1,
                // Compilers leave copies of the registered pointer itself on the stack.
                Segment::Stack if value == range.address => {}
                Segment::Stack => found[*index].on_stack += 1,
            }
        });
    }
    found.retain(|stale| stale.in_heap + stale.in_variables + stale.on_stack > 0);
    found
}

fn memory_of<T>(vector: &[T], capacity: usize) -> Range {
    Range { address: vector.as_ptr() as usize, size_bytes: capacity * size_of::<T>() }
}

const BUFFER_BYTES: usize = 1 << 20;

/// The memory to search: what was mapped and still is, without the excluded ranges, which are sorted.
fn parts(mapped: &[Mapping], now: &[Mapping], excluded: &[Range], stack: Range) -> Vec<(Range, Segment)> {
    let mut found = Vec::new();
    let still = mapped.iter().flat_map(|was| {
        now.iter().filter_map(move |is| {
            let (from, to) = (was.range.address.max(is.range.address), was.range.end().min(is.range.end()));
            (from < to && !was.is_stack)
                .then(|| (Range { address: from, size_bytes: to - from }, was.segment))
        })
    });
    // The mapping that contains the stack. The memory below the open calls has no meaning.
    let around = now
        .iter()
        .map(|is| is.range)
        .find(|range| range.address <= stack.address && stack.address < range.end());
    let open = around
        .map(|around| Range { size_bytes: stack.size_bytes.min(around.end() - stack.address), ..stack });
    let still = still.filter(|(range, _)| {
        around.is_none_or(|around| range.address < around.address || range.address >= around.end())
    });
    for (range, segment) in still.chain(open.map(|open| (open, Segment::Stack))) {
        let mut from = range.address;
        let first = excluded.partition_point(|excluded| excluded.end() <= range.address);
        for gap in excluded[first..].iter().take_while(|excluded| excluded.address < range.end()) {
            if from < gap.address {
                found.push((Range { address: from, size_bytes: gap.address - from }, segment));
            }
            from = from.max(gap.end());
        }
        if from < range.end() {
            found.push((Range { address: from, size_bytes: range.end() - from }, segment));
        }
    }
    found
}

/// Calls `visit` with each aligned word of the range that can be read.
fn each_word(range: Range, buffer: &mut [u8], mut visit: impl FnMut(usize)) {
    const WORD: usize = size_of::<usize>();
    let mut address = range.address.next_multiple_of(WORD);
    while address < range.end() {
        let size_bytes = (range.end() - address).min(buffer.len());
        let read = read_mapped(Range { address, size_bytes }, buffer);
        for word in buffer[..read].chunks_exact(WORD) {
            visit(usize::from_ne_bytes(word.try_into().unwrap_or_default()));
        }
        // Memory that cannot be read contains no pointers of the program.
        address += if read < size_bytes { size_bytes } else { read }.next_multiple_of(WORD);
    }
}

/// Whether an allocation of at least this size may begin there. The allocator of the C library stores the
/// size in front of the allocation. With another allocator, nothing is found.
fn is_allocation(was: Range, mapped: &[Mapping]) -> bool {
    const HEADER: usize = 2 * size_of::<usize>();
    const IS_MAPPED: usize = 2;
    if was.size_bytes == 0 || was.address % HEADER != 0 || was.address < HEADER {
        return false;
    }
    let start = was.address - HEADER;
    let Some(end) = was.address.checked_add(was.size_bytes) else { return false };
    let holds = |mapping: &&Mapping| {
        mapping.segment == Segment::Heap && mapping.range.address <= start && end <= mapping.range.end()
    };
    let Some(mapping) = mapped.iter().find(holds) else { return false };
    let mut word = [0; size_of::<usize>()];
    if read_mapped(Range { address: was.address - word.len(), size_bytes: word.len() }, &mut word)
        < word.len()
    {
        return false;
    }
    let header = usize::from_ne_bytes(word);
    let (size_bytes, flags) = (header & !7, header & 7);
    // The allocation also includes the first word of the next one, unless it has a mapping of its own.
    let behind = if flags & IS_MAPPED == 0 { size_of::<usize>() } else { 0 };
    let is_within = start.checked_add(size_bytes).is_some_and(|end| end <= mapping.range.end());
    size_bytes % HEADER == 0 && is_within && size_bytes + behind >= was.size_bytes + HEADER
}

impl fmt::Display for Stale {
    fn fmt(&self, text: &mut fmt::Formatter) -> fmt::Result {
        let places = [
            (self.in_heap, "in allocated memory"),
            (self.in_variables, "in variables"),
            (self.on_stack, "in procedures that are running"),
        ];
        let places: Vec<String> = places
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, place)| format!("{count} {place}"))
            .collect();
        let name = &self.name;
        write!(
            text,
            "warning: there are pointers ({}) to the memory that `{name}` had before this restart gave it new memory: they point to \
             memory that was not saved; register them too, or set them in an `execute` block after the register of `{name}`",
            places.join(", ")
        )
    }
}

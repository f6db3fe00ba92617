//! The content of a state file: the manifest, and the memory.
//!
//! Input: the table, the open frames, the layouts, the segments of the process.
//! Output: a snapshot, or why none is possible.
//! Postcondition: nothing was copied. The ranges are the program's own memory, one for each memory block of
//! the manifest.

mod refusal;
mod graph;
mod fields;
mod symbols;
mod allocated;
mod bare_pointers;
mod captures;
mod selected;

use super::late_registers::{self, LateRegister};
use super::order::{arrange, Disorder, Role};
use super::placement::{self, nature};
use crate::allocations;
use crate::graph::GraphTypes;
use crate::manifest::{BlockPlace, Kind, Location, Manifest, MemoryBlock, Provenance, Relocation};
use crate::manifest::{Register as Saved, Scope, Shape};
use crate::plan::capture::Captured;
use crate::plan::record::{Captor, Recording};
use crate::plan::{FrameKind, Frames};
use crate::register::memory::{pointer_at, Range};
use crate::register::name::BOUNDS;
use crate::register::overlap::{MemoryBlocks, RangeKind};
use crate::register::segments::{Segment, Segments};
use crate::register::{Bounds, Layouts, Names, Register, RegisterId, RegisterScope, Selector, Table};
use cppc_abi::elsewhere::Elsewhere;
use cppc_abi::types;
use fields::SavedFields;
use graph::SavedGraph;
use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use symbols::{Constants, SavedSymbols};

pub use refusal::Refusal;

#[derive(Debug)]
pub struct Snapshot {
    pub manifest: Manifest,
    pub memory: Vec<Range>,
    /// Some ranges are in it, so it must live as long as they are read.
    pub graph: Option<SavedGraph>,
    /// The same.
    pub fields: SavedFields,
    /// The same.
    pub symbols: SavedSymbols,
    /// The arguments of open calls that are null pointers in a restart.
    pub null_arguments: Vec<String>,
}

/// The input of a snapshot.
pub struct SnapshotInput<'a> {
    pub table: &'a Table,
    pub frames: &'a Frames,
    pub names: &'a Names,
    pub layouts: &'a Layouts,
    pub graph_types: &'a GraphTypes,
    pub segments: &'a Segments,
    /// The positions of members of trees: the serial of the root, and a number.
    pub positions: HashMap<RegisterId, (u64, u32)>,
    /// Whether to find the access path of a pointer to memory that was freed.
    pub names_stale: bool,
}

impl SnapshotInput<'_> {
    /// The snapshot at checkpoint `id` of the innermost frame. Entries must have been pruned.
    pub fn snapshot(&self, provenance: Provenance, id: i32) -> Result<Snapshot, Refusal> {
        self.check_frames()?;
        self.check_access_paths()?;
        let (mut registers, shapes, selectors) = self.live();
        let objects = OnceCell::new();
        let constants = Constants::new(&objects);
        self.count_allocations(&mut registers, &constants)?;
        // The plan refers to the registers that the program has made.
        let made = registers.clone();
        let roots = self.roots_in_memory(&registers);
        let graph = self.take_graph(&mut registers)?;
        let fields = self.take_fields(&mut registers)?;
        self.take_bare_pointers(&mut registers, &roots, &constants)?;
        let mut ranges = self.extents(&registers)?;
        let symbols = self.take_symbols(&mut registers, &mut ranges, &constants);
        let natures = registers
            .iter()
            .zip(&ranges)
            .map(|(register, range)| (*range, nature(register, *range, self.segments)));
        let memory = self.blocks(&registers, &natures.collect::<Vec<_>>());
        self.check_fields(&registers, &ranges, (&memory, &fields), &roots)?;
        let blocks = self.places(&registers, &memory)?;
        self.check_shared(&registers, &ranges, &memory, &blocks)?;
        let mut deferred = deferred_blocks(&registers, &memory);
        deferred.extend(placement::unowned_blocks(&registers, &memory));
        let others = Places {
            memory: &memory,
            graph: graph.as_ref(),
            fields: &fields,
            deferred: &deferred,
            symbols: None,
        };
        let places = Places { symbols: Some(&symbols), ..others };
        let relocations = self.relocations(&registers, &ranges, places)?;
        let mut saved = self.all_saved(&registers, &ranges, &memory);
        if let Some(graph) = &graph {
            graph.name(&mut saved, self);
        }
        symbols.name(&mut saved);
        self.check_empty(&registers, &ranges, &memory, &saved)?;
        let types = self.select_members(&mut saved, &registers, &selectors)?;
        // A null pointer has no elements, whatever its shape is.
        let has_elements =
            |shape: &Shape| saved[shape.register as usize].count == shape.extents.iter().product::<u64>();
        // The names of captures whose pointers a restart has in any case.
        let again = RefCell::new(HashSet::new());
        let null_arguments = RefCell::new(Vec::new());
        let relocate = |captured: &Captured, captor| {
            let targets = self.relocate(captured, captor, others, (&objects, &symbols.addresses))?;
            if captured.elsewhere == Elsewhere::Again || !targets.needs_blocks {
                again.borrow_mut().insert(self.names.text(captured.name));
            }
            if targets.has_lost && captor == Captor::Open && captured.elsewhere != Elsewhere::Again {
                null_arguments.borrow_mut().push(self.names.text(captured.name).to_owned());
            }
            Ok(targets)
        };
        let mut manifest = Manifest {
            provenance,
            types,
            blocks,
            shapes: shapes.into_iter().filter(has_elements).collect(),
            registers: saved,
            relocations,
            plan: self.recording(&made)?.plan(self.frames.open(), id, &relocate)?,
        };
        let roles = self.roles(&registers, &ranges, &manifest);
        self.check_targets(&registers, &ranges, &roles, &manifest)?;
        let slots = self.slots_on_heap(&registers, &memory, &manifest);
        arrange(&mut manifest, &roles, &slots).map_err(|disorder| disordered(disorder, &manifest))?;
        let early = late_registers::settle(&mut manifest, &roles, &|name| again.borrow().contains(name));
        if let Some(LateRegister { pointer, target }) = early {
            return Err(Refusal::LateRegister { pointer, target });
        }
        let null_arguments = null_arguments.into_inner();
        Ok(Snapshot { manifest, memory: memory.blocks, graph, fields, symbols, null_arguments })
    }

    fn check_frames(&self) -> Result<(), Refusal> {
        if let Some(procedure) = self.frames.unreplayable() {
            return Err(Refusal::Unreplayable(self.names.text(procedure).to_owned()));
        }
        for frame in self.frames.open() {
            let name = || self.names.text(frame.procedure).to_owned();
            if let Some(place) = frame.jump_point {
                return Err(Refusal::JumpPoint {
                    procedure: name(),
                    place: self.names.text(place).to_owned(),
                });
            }
            if let Some(variable) = frame.size_variables.changed() {
                let variable = self.names.text(variable).to_owned();
                return Err(Refusal::SizeVariable { procedure: name(), variable });
            }
            match frame.kind {
                FrameKind::Foreign => return Err(Refusal::Foreign(name())),
                FrameKind::Unrecorded => return Err(Refusal::Executing(name())),
                FrameKind::Root | FrameKind::Outermost | FrameKind::Called if frame.is_executing => {
                    return Err(Refusal::Executing(name()));
                }
                FrameKind::Root | FrameKind::Outermost | FrameKind::Called => {}
            }
        }
        Ok(())
    }

    /// Checks the access paths. A restart makes a register where its access path points then, which is where
    /// it pointed at the checkpoint.
    fn check_access_paths(&self) -> Result<(), Refusal> {
        // SAFETY: slots of open frames and of static variables are readable. Each pointer of the access path
        // of a live register is readable as long as those before it have not changed.
        let elsewhere =
            self.table.live().find(|(_, register)| unsafe { self.table.is_access_path_changed(register) });
        elsewhere.map_or(Ok(()), |(_, register)| {
            Err(Refusal::Elsewhere(self.names.text(register.name).to_owned()))
        })
    }

    /// The live registers in the order in which they were made, their shapes, and the integers that select their members.
    /// The members of a tree follow its root. The bounds of an array come before it.
    fn live(&self) -> (Vec<Register>, Vec<Shape>, Vec<(usize, Selector)>) {
        let mut found: Vec<_> = self.table.live().collect();
        let position = |id: &RegisterId, register: &Register| {
            self.positions.get(id).copied().unwrap_or((register.serial, 0))
        };
        found.sort_unstable_by_key(|(id, register)| position(id, register));
        let (mut registers, mut shapes) = (Vec::with_capacity(found.len()), Vec::new());
        let mut selectors = Vec::new();
        for (id, register) in found {
            registers.extend(self.table.bounds(id).map(|bounds| bounds_of(register, bounds)));
            let index = registers.len() as u32;
            shapes.extend(
                self.table.shape(id).map(|extents| Shape { register: index, extents: extents.into_vec() }),
            );
            selectors.extend(self.table.selector(id).map(|selector| (registers.len(), selector)));
            registers.push(*register);
        }
        (registers, shapes, selectors)
    }

    fn refusal(&self, register: &Register, fault: allocations::Fault) -> Refusal {
        Refusal::Allocation { name: self.names.text(register.name).to_owned(), fault }
    }

    /// The present memory of each register, which must be readable, and allocated as far as is known.
    fn extents(&self, registers: &[Register]) -> Result<Vec<Range>, Refusal> {
        let readable = |register: &Register, range: Range| match self.segments.is_readable(range) {
            true => Ok(range),
            false => {
                let Range { address, size_bytes } = range;
                Err(Refusal::Unreadable {
                    name: self.names.text(register.name).to_owned(),
                    address,
                    size_bytes,
                })
            }
        };
        let allocated = |register: &Register, range: Range| {
            let is_on_heap = self.segments.of(range.address) == Segment::Heap;
            let found = allocations::check(range.address, if is_on_heap { range.size_bytes } else { 0 });
            found.map(|()| range).map_err(|fault| self.refusal(register, fault))
        };
        let extent_of = |register: &Register| {
            // The copy of a graph or of fields.
            if register.storage.is_deep() || register.fields.is_some() {
                return Ok(extent(register));
            }
            if register.kind == Kind::Pointer {
                readable(register, Range { address: register.address, size_bytes: size_of::<usize>() })?;
            }
            allocated(register, readable(register, extent(register))?)
        };
        registers.iter().map(extent_of).collect()
    }

    /// Checks that no memory that a restart allocates is shared with other processes. In a restart it would
    /// silently become private.
    fn check_shared(
        &self,
        registers: &[Register],
        ranges: &[Range],
        memory: &MemoryBlocks,
        blocks: &[MemoryBlock],
    ) -> Result<(), Refusal> {
        let is_on_heap = |place: &Option<Location>| {
            place.is_some_and(|place| blocks[place.block as usize].place == BlockPlace::Heap)
        };
        let mut all = registers.iter().zip(ranges).zip(&memory.locations);
        let shared = all.find(|((register, range), place)| {
            let is_allocated = register.storage.is_followed() && !register.storage.is_parameter();
            (is_allocated || is_on_heap(place))
                && range.size_bytes > 0
                && self.segments.is_shared(range.address)
        });
        let name = |register: &Register| self.names.text(register.name).to_owned();
        if let Some(((register, _), _)) = shared {
            return Err(Refusal::Shared(name(register)));
        }
        let mut all = registers.iter().zip(ranges).zip(&memory.locations);
        let window = all.find(|((_, range), place)| {
            is_on_heap(place) && range.size_bytes > 0 && allocations::windows::contain(range.address)
        });
        window.map_or(Ok(()), |((register, _), _)| Err(Refusal::Window(name(register))))
    }

    /// The role of each register in a restart.
    fn roles(&self, registers: &[Register], ranges: &[Range], manifest: &Manifest) -> Vec<Role> {
        let all = registers.iter().zip(ranges).zip(&manifest.registers);
        all.map(|((register, range), saved)| match register.kind {
            _ if register.is_unrecorded || saved.target.is_none() => Role::Dependent,
            _ if register.storage.is_parameter() && !register.storage.is_followed() => Role::Dependent,
            // It points into the graph, which a restart allocates when it is needed first.
            _ if register.storage.is_followed() && register.storage.is_deep() => Role::Dependent,
            Kind::Pointer => Role::Pointer,
            Kind::Memory if register.storage.is_dynamic() => Role::Returned,
            // Bounds have memory of their own, and move with their array.
            Kind::Memory if register.storage.is_followed() && saved.name.ends_with(BOUNDS) => Role::Dependent,
            Kind::Memory if register.storage.is_followed() && register.storage.is_associated() => {
                Role::Associated
            }
            Kind::Memory if register.storage.is_followed() => Role::Array,
            Kind::Memory if self.segments.of(range.address) == Segment::Heap => Role::Dependent,
            Kind::Memory => Role::Variable,
        })
        .collect()
    }

    /// Checks that the targets of associated pointers are registered. A restart would allocate separate
    /// memory for a pointer to a variable that is not registered.
    fn check_targets(
        &self,
        registers: &[Register],
        ranges: &[Range],
        roles: &[Role],
        manifest: &Manifest,
    ) -> Result<(), Refusal> {
        let block_of = |index: usize| manifest.registers[index].target.map(|target| target.block);
        let with = |role: Role| {
            roles.iter().enumerate().filter(move |(_, found)| **found == role).map(|(index, _)| index)
        };
        let registered: HashSet<u32> = with(Role::Variable).filter_map(block_of).collect();
        let is_lost = |&index: &usize| {
            ranges[index].size_bytes > 0
                && self.segments.of(ranges[index].address) != Segment::Heap
                && block_of(index).is_some_and(|block| !registered.contains(&block))
        };
        let lost = with(Role::Associated).find(is_lost);
        lost.map_or(Ok(()), |index| {
            Err(Refusal::Unreachable(self.names.text(registers[index].name).to_owned()))
        })
    }

    /// The pointers in memory that a restart allocates.
    fn slots_on_heap(
        &self,
        registers: &[Register],
        memory: &MemoryBlocks,
        manifest: &Manifest,
    ) -> Vec<(usize, u32)> {
        let pointers = registers.iter().enumerate().filter(|(_, register)| register.kind == Kind::Pointer);
        let block_of = |address: usize| memory.locate(address).map(|found| found.block);
        pointers
            .filter_map(|(index, register)| Some((index, block_of(register.address)?)))
            .filter(|(_, block)| manifest.blocks[*block as usize].place == BlockPlace::Heap)
            .collect()
    }

    fn places(&self, registers: &[Register], memory: &MemoryBlocks) -> Result<Vec<MemoryBlock>, Refusal> {
        placement::place_blocks(registers, memory, self.layouts, self.segments).map_err(|culprit| {
            let name = registers.get(culprit).map_or("", |register| self.names.text(register.name));
            Refusal::Unreachable(name.to_owned())
        })
    }

    fn all_saved(&self, registers: &[Register], ranges: &[Range], memory: &MemoryBlocks) -> Vec<Saved> {
        let extents = ranges.iter().zip(&memory.locations);
        registers
            .iter()
            .zip(extents)
            .map(|(register, (range, place))| self.saved(register, *range, *place, memory))
            .collect()
    }

    /// Checks that a pointer without elements points to something else that is saved, or to an empty memory
    /// block.
    fn check_empty(
        &self,
        registers: &[Register],
        ranges: &[Range],
        memory: &MemoryBlocks,
        saved: &[Saved],
    ) -> Result<(), Refusal> {
        let deferred = deferred_blocks(registers, memory);
        for ((register, range), saved) in registers.iter().zip(ranges).zip(saved) {
            let is_shared = saved.target.is_some_and(|target| deferred.contains(&target.block));
            if is_shared && !register.storage.is_deferred() {
                return Err(Refusal::Deferred(self.names.text(register.name).to_owned()));
            }
            if register.kind != Kind::Pointer || range.address == 0 || range.size_bytes > 0 {
                continue;
            }
            let is_alone = |target: Location| memory.blocks[target.block as usize].size_bytes == 0;
            let name = || self.names.text(register.name).to_owned();
            match saved.target {
                None => return Err(Refusal::Unreachable(name())),
                Some(target)
                    if is_alone(target)
                        && register.storage.is_constant()
                        && !register.storage.is_parameter() =>
                {
                    return Err(Refusal::NoElements(name()));
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    fn saved(
        &self,
        register: &Register,
        range: Range,
        place: Option<Location>,
        memory: &MemoryBlocks,
    ) -> Saved {
        let scope = match register.scope {
            RegisterScope::Program => Scope::Program,
            RegisterScope::Frame(depth) => Scope::Frame {
                depth,
                procedure: self.names.text(self.frames.open()[depth as usize].procedure).to_owned(),
            },
        };
        // An empty register may still point somewhere.
        let target = place.or_else(|| memory.locate_inside(range.address));
        Saved {
            name: self.names.text(register.name).to_owned(),
            section: register.section,
            scope,
            type_code: register.type_code,
            element_bytes: register.element_bytes as u32,
            count: if range.address == 0 { 0 } else { register.count as u64 },
            storage: register.storage.flags(),
            kind: register.kind,
            target,
        }
    }

    /// The pointers in the registers.
    fn relocations(
        &self,
        registers: &[Register],
        ranges: &[Range],
        places: Places,
    ) -> Result<Vec<Relocation>, Refusal> {
        let memory = places.memory;
        let mut relocations = Vec::new();
        for ((register, range), place) in registers.iter().zip(ranges).zip(&memory.locations) {
            let Some(place) = place else { continue };
            for inside in self.pointers(register.type_code, register.element_bytes, register.count) {
                // SAFETY: `inside` is an offset in a register, which the program keeps readable.
                let value = unsafe { pointer_at(range.address + inside) };
                let target = portable(value, places).ok_or_else(|| self.dangling(register, inside, value))?;
                let at = Location { block: place.block, offset_bytes: place.offset_bytes + inside as u64 };
                relocations.push(Relocation { at, target });
            }
        }
        relocations.sort_unstable_by_key(|relocation| (relocation.at.block, relocation.at.offset_bytes));
        relocations.dedup();
        Ok(relocations)
    }

    fn dangling(&self, register: &Register, inside: usize, value: usize) -> Refusal {
        let (element, within) = (inside / register.element_bytes, inside % register.element_bytes);
        let place = match self.layouts.field_at(register.type_code, within) {
            Some(field) => format!("`{field}` of element {element}"),
            None => format!("element {element}"),
        };
        let what = match self.segments.of(value) {
            Segment::Heap => "register what was allocated there, and keep what is allocated one by one, such as the nodes of a list, in an array",
            Segment::Stack | Segment::Object => "register the variable there",
        };
        Refusal::Dangling { name: self.names.text(register.name).to_owned(), place, what }
    }

    /// The memory blocks. If a pointer that is registered without elements points to the end of one variable
    /// and the beginning of another, both are in one memory block.
    fn blocks(&self, registers: &[Register], ranges: &[(Range, RangeKind)]) -> MemoryBlocks {
        let memory = MemoryBlocks::new(ranges);
        let all = registers.iter().zip(ranges);
        let behind = all.filter(|(register, (range, _))| {
            register.kind == Kind::Pointer && range.size_bytes == 0 && register.storage.is_constant()
        });
        let mut behind: Vec<usize> = behind.map(|(_, (range, _))| range.address).collect();
        if behind.is_empty() {
            return memory;
        }
        behind.sort_unstable();
        let mut joints = memory.joints(ranges);
        joints.retain(|joint| behind.binary_search(joint).is_ok());
        if joints.is_empty() {
            memory
        } else {
            MemoryBlocks::joined_at(ranges, &joints)
        }
    }

    /// The offsets of the pointers in this many elements of the type.
    fn pointers(
        &self,
        type_code: i32,
        element_bytes: usize,
        count: usize,
    ) -> impl Iterator<Item = usize> + '_ {
        let offsets = self.layouts.pointers_in(type_code);
        let elements = if offsets.is_empty() { 0 } else { count };
        (0..elements)
            .flat_map(move |element| offsets.iter().map(move |offset| element * element_bytes + offset))
    }

    fn recording(&self, registers: &[Register]) -> Result<Recording<'_>, Refusal> {
        let is_numbered = self.frames.is_numbered();
        let mut by_entry: HashMap<_, Vec<u32>> = HashMap::new();
        for (index, register) in registers.iter().enumerate() {
            match register.entry {
                Some(entry) => by_entry.entry(entry).or_default().push(index as u32),
                None if register.is_unrecorded || register.storage.is_deferred() || !is_numbered => {}
                None => return Err(Refusal::Unplanned(self.names.text(register.name).to_owned())),
            }
        }
        let bound = registers
            .iter()
            .filter(|register| register.scope != RegisterScope::Program)
            .map(|register| register.address);
        Ok(Recording { names: self.names, registers: by_entry, bound: bound.collect() })
    }
}

fn disordered(disorder: Disorder, manifest: &Manifest) -> Refusal {
    let name =
        |index: usize| manifest.registers.get(index).map_or_else(String::new, |saved| saved.name.clone());
    match disorder {
        Disorder::TooEarly { pointer, target } => {
            Refusal::TooEarly { pointer: name(pointer), target: name(target) }
        }
        Disorder::NoOwner { pointer } => Refusal::NoOwner(name(pointer)),
    }
}

/// The portable form of a pointer: a location, or none for a null pointer. The outer option is none if the
/// pointer points to no memory block.
fn portable(value: usize, places: Places) -> Option<Option<Location>> {
    let Places { memory, graph, fields, deferred, symbols } = places;
    if value == 0 {
        return Some(None);
    }
    let is_fixed = |found: &Location| !deferred.contains(&found.block);
    // A variable may end where a structure begins. The address is then that of the structure.
    if let Some(found) = fields.locate(value, memory) {
        return found.or_else(|| memory.locate_inside(value)).filter(is_fixed).map(Some);
    }
    let found = memory.locate(value).filter(is_fixed).or_else(|| graph?.locate(value, memory));
    found.or_else(|| symbols?.locate(value, memory)).map(Some)
}

/// The memory to which saved pointers may point.
#[derive(Clone, Copy)]
struct Places<'a> {
    memory: &'a MemoryBlocks,
    graph: Option<&'a SavedGraph>,
    fields: &'a SavedFields,
    /// Its address in a restart is not known before the restart has ended, or nothing saves what is there.
    deferred: &'a HashSet<u32>,
    symbols: Option<&'a SavedSymbols>,
}

/// The memory blocks with variables that a procedure may register after the end of a restart.
fn deferred_blocks(registers: &[Register], memory: &MemoryBlocks) -> HashSet<u32> {
    let all = registers.iter().zip(&memory.locations);
    let deferred = all.filter(|(register, _)| register.storage.is_deferred());
    deferred.filter_map(|(_, place)| Some((*place)?.block)).collect()
}

/// The bounds of a followed array, as a register of their own.
fn bounds_of(register: &Register, bounds: &Bounds) -> Register {
    let range = bounds.range();
    let element_bytes = size_of::<i64>();
    let (address, count) = (range.address, range.size_bytes / element_bytes);
    Register { name: bounds.name, address, count, type_code: types::INTEGER_8, element_bytes, ..*register }
}

/// The present memory of a register, at address 0 for a null pointer.
fn extent(register: &Register) -> Range {
    let address = match register.kind {
        Kind::Memory => register.address,
        // SAFETY: the slot of a live register is readable.
        Kind::Pointer => unsafe { pointer_at(register.address) },
    };
    Range { address, size_bytes: if address == 0 { 0 } else { register.size_bytes() } }
}

fn pointer_in(bytes: &[u8], offset: usize) -> Option<usize> {
    let size_bytes = types::by_code(types::POINTER)?.size_bytes;
    let found = bytes.get(offset..offset + size_bytes)?;
    Some(usize::from_ne_bytes(found.try_into().ok()?))
}

//! Captured pointers to variables that a restart registers only later.
//!
//! Input: a manifest whose plan has its final order.
//! Output: a plan in which such variables are registered earlier, if their procedure can do that; otherwise the
//! pointer and the variable.
//! Postcondition: if there is no such pointer, each captured pointer has its value in a restart.

use super::order::Role;
use crate::manifest::{BlockPlace, Capture, Manifest, PlanEntry};
use std::collections::{HashMap, HashSet};

/// A captured pointer, and the first register of the memory that it points to, which a restart makes later.
#[derive(Debug, PartialEq, Eq)]
pub struct LateRegister {
    pub pointer: String,
    pub target: String,
}

/// `is_exempt` selects the captured values whose pointers a restart has without their registers.
pub fn settle(
    manifest: &mut Manifest,
    roles: &[Role],
    is_exempt: &dyn Fn(&str) -> bool,
) -> Option<LateRegister> {
    find(manifest, is_exempt)?;
    let mut plan = std::mem::take(&mut manifest.plan);
    let mut made = HashMap::new();
    note_makers("", &plan, &mut made);
    Hoist { manifest, roles, made, placed: HashSet::new() }.list("", &mut plan);
    keep_first(&mut plan, &mut HashSet::new());
    manifest.plan = plan;
    find(manifest, is_exempt)
}

fn find(manifest: &Manifest, is_exempt: &dyn Fn(&str) -> bool) -> Option<LateRegister> {
    let mut planned = HashSet::new();
    gather(manifest, &manifest.plan, &mut planned);
    Walk { manifest, is_exempt, planned, placed: HashSet::new() }.entries(&manifest.plan)
}

/// Registers variables before the entry that needs their addresses. A name that is registered again, in a loop or by
/// another call of the procedure, is in the last of its entries.
struct Hoist<'a> {
    manifest: &'a Manifest,
    roles: &'a [Role],
    /// For each register, the procedure and the block that make it.
    made: HashMap<u32, (String, i32)>,
    placed: HashSet<u32>,
}

impl Hoist<'_> {
    fn list(&mut self, procedure: &str, entries: &mut Vec<PlanEntry>) {
        let mut index = 0;
        while index < entries.len() {
            let mut wanted = Vec::new();
            targets(&entries[index], &mut wanted);
            for block in wanted {
                if self.placed.contains(&block)
                    || self.manifest.blocks[block as usize].place != BlockPlace::Program
                {
                    continue;
                }
                if let Some(earlier) = self.maker(block, procedure, &entries[index + 1..]) {
                    entries.insert(index, earlier);
                    self.placed.insert(block);
                    index += 1;
                }
            }
            match &mut entries[index] {
                PlanEntry::Register { registers, .. } => self.placed.extend(blocks(self.manifest, registers)),
                PlanEntry::Call { entries, callee, .. } | PlanEntry::Open { entries, callee, .. } => {
                    self.list(callee, entries)
                }
                PlanEntry::Init { .. }
                | PlanEntry::Cells { .. }
                | PlanEntry::Execute { .. }
                | PlanEntry::Checkpoint { .. } => {}
            }
            index += 1;
        }
    }

    /// An entry of this procedure that registers a variable of the block. One that ends with its frame must be in the
    /// same frame.
    fn maker(&self, block: u32, procedure: &str, later: &[PlanEntry]) -> Option<PlanEntry> {
        let of_block = |register: &u32| {
            let found = &self.manifest.registers[*register as usize];
            found.target.is_some_and(|target| target.block == block)
                && self.roles[*register as usize] == Role::Variable
                && is_named(&found.name)
        };
        let is_in_frame = |register: u32| {
            let holds = |entry: &PlanEntry| matches!(entry, PlanEntry::Register { registers, .. } if registers.contains(&register));
            later.iter().any(holds)
        };
        let mut registers = (0..self.manifest.registers.len() as u32).filter(of_block);
        registers.find_map(|register| {
            let (maker, at) = self.made.get(&register)?;
            let lasts = !self.manifest.registers[register as usize].is_automatic();
            (maker == procedure && (lasts || is_in_frame(register)))
                .then(|| PlanEntry::Register { block: *at, registers: vec![register] })
        })
    }
}

/// Whether the place of a register follows from nothing but names.
fn is_named(name: &str) -> bool {
    !name.contains(['*', '[', '>'])
}

fn note_makers(procedure: &str, entries: &[PlanEntry], made: &mut HashMap<u32, (String, i32)>) {
    for entry in entries {
        match entry {
            PlanEntry::Register { block, registers } => {
                made.extend(registers.iter().map(|register| (*register, (procedure.to_owned(), *block))));
            }
            PlanEntry::Call { entries, callee, .. } | PlanEntry::Open { entries, callee, .. } => {
                note_makers(callee, entries, made)
            }
            PlanEntry::Init { .. }
            | PlanEntry::Cells { .. }
            | PlanEntry::Execute { .. }
            | PlanEntry::Checkpoint { .. } => {}
        }
    }
}

/// Each register is made once: where the plan comes to it first.
fn keep_first(entries: &mut Vec<PlanEntry>, seen: &mut HashSet<u32>) {
    entries.retain_mut(|entry| match entry {
        PlanEntry::Register { registers, .. } => {
            registers.retain(|register| seen.insert(*register));
            !registers.is_empty()
        }
        PlanEntry::Call { entries, .. } => {
            keep_first(entries, seen);
            !entries.is_empty()
        }
        PlanEntry::Open { entries, .. } => {
            keep_first(entries, seen);
            true
        }
        PlanEntry::Init { .. }
        | PlanEntry::Cells { .. }
        | PlanEntry::Execute { .. }
        | PlanEntry::Checkpoint { .. } => true,
    });
}

/// The blocks that captured pointers of the entry, and of what it contains, point to.
fn targets(entry: &PlanEntry, found: &mut Vec<u32>) {
    let (captures, inner): (&[Capture], &[PlanEntry]) = match entry {
        PlanEntry::Execute { captures, .. } => (captures, &[]),
        PlanEntry::Call { captures, entries, .. } | PlanEntry::Open { captures, entries, .. } => {
            (captures, entries)
        }
        PlanEntry::Init { .. }
        | PlanEntry::Cells { .. }
        | PlanEntry::Register { .. }
        | PlanEntry::Checkpoint { .. } => (&[], &[]),
    };
    let relocations = captures.iter().flat_map(|capture| &capture.relocations);
    found.extend(relocations.filter_map(|relocation| relocation.target).map(|target| target.block));
    inner.iter().for_each(|entry| targets(entry, found));
}

struct Walk<'a> {
    manifest: &'a Manifest,
    is_exempt: &'a dyn Fn(&str) -> bool,
    /// The blocks of variables that register blocks of the plan put in place, and those that are in place by now.
    planned: HashSet<u32>,
    placed: HashSet<u32>,
}

impl Walk<'_> {
    fn entries(&mut self, entries: &[PlanEntry]) -> Option<LateRegister> {
        entries.iter().find_map(|entry| self.entry(entry))
    }

    fn entry(&mut self, entry: &PlanEntry) -> Option<LateRegister> {
        match entry {
            PlanEntry::Init { .. } | PlanEntry::Cells { .. } | PlanEntry::Checkpoint { .. } => None,
            PlanEntry::Register { registers, .. } => {
                self.placed.extend(blocks(self.manifest, registers));
                None
            }
            PlanEntry::Execute { captures, .. } => self.captures(captures),
            PlanEntry::Call { captures, entries, .. } | PlanEntry::Open { captures, entries, .. } => {
                self.captures(captures).or_else(|| self.entries(entries))
            }
        }
    }

    fn captures(&self, captures: &[Capture]) -> Option<LateRegister> {
        let is_early = |block: u32| self.planned.contains(&block) && !self.placed.contains(&block);
        captures.iter().filter(|capture| !(self.is_exempt)(&capture.name)).find_map(|capture| {
            let targets = capture.relocations.iter().filter_map(|relocation| relocation.target);
            let block = targets.map(|target| target.block).find(|&block| is_early(block))?;
            let register = self
                .manifest
                .registers
                .iter()
                .find(|register| register.target.is_some_and(|target| target.block == block))?;
            Some(LateRegister { pointer: capture.name.clone(), target: register.name.clone() })
        })
    }
}

fn gather(manifest: &Manifest, entries: &[PlanEntry], planned: &mut HashSet<u32>) {
    for entry in entries {
        match entry {
            PlanEntry::Register { registers, .. } => planned.extend(blocks(manifest, registers)),
            PlanEntry::Call { entries, .. } | PlanEntry::Open { entries, .. } => {
                gather(manifest, entries, planned)
            }
            PlanEntry::Init { .. }
            | PlanEntry::Cells { .. }
            | PlanEntry::Execute { .. }
            | PlanEntry::Checkpoint { .. } => {}
        }
    }
}

/// The blocks that have their place in the program, and that these registers put in place.
fn blocks<'a>(manifest: &'a Manifest, registers: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
    let placed = registers
        .iter()
        .filter_map(|&index| manifest.registers.get(index as usize))
        .filter(|register| register.is_placed());
    let blocks = placed.filter_map(|register| register.target.map(|target| target.block));
    blocks.filter(|&block| manifest.blocks[block as usize].place == BlockPlace::Program)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::{Kind, Location, MemoryBlock, Register, Relocation, Scope};

    fn entries(is_registered_first: bool) -> Vec<PlanEntry> {
        let at = Location { block: 0, offset_bytes: 0 };
        let target = Some(Location { block: 0, offset_bytes: 8 });
        let capture = Capture {
            name: "q".to_owned(),
            type_code: cppc_abi::types::POINTER,
            element_bytes: 8,
            count: 1,
            bytes: vec![0; 8],
            relocations: vec![Relocation { at, target }],
        };
        let call = PlanEntry::Call {
            block: 2,
            callee: "set".to_owned(),
            captures: vec![capture],
            entries: vec![PlanEntry::Execute { block: 1, captures: Vec::new(), files: Vec::new() }],
        };
        let register = PlanEntry::Register { block: 1, registers: vec![0] };
        if is_registered_first {
            vec![register, call]
        } else {
            vec![call, register]
        }
    }

    fn manifest(place: BlockPlace, plan: Vec<PlanEntry>) -> Manifest {
        let register = Register {
            name: "a".to_owned(),
            section: 0,
            scope: Scope::Program,
            type_code: cppc_abi::types::DOUBLE,
            element_bytes: 8,
            count: 2,
            storage: cppc_abi::storage::STATIC,
            kind: Kind::Memory,
            target: Some(Location { block: 0, offset_bytes: 0 }),
        };
        Manifest {
            blocks: vec![MemoryBlock { size_bytes: 16, place }],
            registers: vec![register],
            plan,
            ..Manifest::default()
        }
    }

    fn settled(
        place: BlockPlace,
        plan: Vec<PlanEntry>,
        role: Role,
        is_exempt: bool,
    ) -> (Option<LateRegister>, Vec<PlanEntry>) {
        let mut manifest = manifest(place, plan);
        let early = settle(&mut manifest, &[role], &|_| is_exempt);
        (early, manifest.plan)
    }

    #[test]
    fn a_captured_pointer_to_what_is_registered_later_is_found() {
        let early = Some(LateRegister { pointer: "q".to_owned(), target: "a".to_owned() });
        assert_eq!(
            settled(BlockPlace::Program, entries(false), Role::Dependent, false),
            (early, entries(false))
        );
        assert_eq!(
            settled(BlockPlace::Program, entries(false), Role::Dependent, true),
            (None, entries(false))
        );
        assert_eq!(
            settled(BlockPlace::Program, entries(true), Role::Dependent, false),
            (None, entries(true))
        );
        // Heap memory is allocated as soon as a pointer to it is set.
        assert_eq!(settled(BlockPlace::Heap, entries(false), Role::Dependent, false), (None, entries(false)));
    }

    #[test]
    fn a_variable_that_a_later_call_of_the_procedure_registers_is_registered_in_the_earlier_one() {
        let called =
            |entries| PlanEntry::Call { block: 3, callee: "work".to_owned(), captures: Vec::new(), entries };
        let [first, second]: [PlanEntry; 2] = entries(false).try_into().unwrap();
        let again = PlanEntry::Execute { block: 5, captures: Vec::new(), files: Vec::new() };
        let plan = vec![called(vec![first]), called(vec![second, again.clone()])];
        let wanted = vec![called(entries(true)), called(vec![again])];
        assert_eq!(settled(BlockPlace::Program, plan, Role::Variable, false), (None, wanted));
    }

    #[test]
    fn a_variable_that_the_same_procedure_registers_later_is_registered_before_the_call() {
        assert_eq!(
            settled(BlockPlace::Program, entries(false), Role::Variable, false),
            (None, entries(true))
        );
    }
}

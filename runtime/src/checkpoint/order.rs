//! The order in which a restart makes registers that share memory.
//!
//! Input: a manifest, and the role of each of its registers.
//! Output: the same manifest with a reordered plan, or the register for which no such order exists. In the
//! new order, the memory of each pointer is in place before the pointer is made.
//! Postcondition: the plan makes the same registers, and runs the same execute blocks and calls in the same
//! order.

use crate::manifest::{Manifest, PlanEntry};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Bound;

/// The role of a register in a restart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A variable, which has its memory before it is registered.
    Variable,
    /// An array that the program allocates again: memory of its own.
    Array,
    /// A pointer that the program allocates again, or associates with memory that is in place.
    Associated,
    /// Memory whose address the register call returns.
    Returned,
    /// A pointer that the runtime sets, at the end of the restart if necessary.
    Pointer,
    /// Its address depends on something else.
    Dependent,
}

/// Why no such order exists. Registers are indices of the manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disorder {
    /// The pointer is made before the register of its target, which only a deeper procedure makes.
    TooEarly { pointer: usize, target: usize },
    /// The pointer shares memory with others, and none of them contains all of it.
    NoOwner { pointer: usize },
}

/// The pointer that must come later, and the register that must come before it.
#[derive(Debug, Clone, Copy)]
struct Constraint {
    pointer: usize,
    target: usize,
    /// Whether a restart would be refused otherwise.
    is_hard: bool,
}

/// `slots` contains the registers of pointers in heap blocks, each with that memory block.
pub fn arrange(manifest: &mut Manifest, roles: &[Role], slots: &[(usize, u32)]) -> Result<(), Disorder> {
    let mut constraints = constraints(manifest, roles)?;
    constraints.extend(holders(manifest, roles, slots));
    if constraints.is_empty() {
        return Ok(());
    }
    let order = order(manifest);
    let broken: Vec<Constraint> =
        constraints.iter().copied().filter(|constraint| is_broken(constraint, &order)).collect();
    if broken.is_empty() {
        return Ok(());
    }
    let moved = moved(manifest, &broken, &order);
    let moves = Moves::new(&manifest.plan, &moved);
    manifest.plan = moves.rebuilt(&manifest.plan, &mut Vec::new());
    let order = self::order(manifest);
    match constraints.iter().find(|constraint| constraint.is_hard && is_broken(constraint, &order)) {
        None => Ok(()),
        Some(Constraint { pointer, target, .. }) => {
            Err(Disorder::TooEarly { pointer: *pointer, target: *target })
        }
    }
}

/// The constraints on the order, for each memory block.
fn constraints(manifest: &Manifest, roles: &[Role]) -> Result<Vec<Constraint>, Disorder> {
    let is_of_interest =
        |role: &Role| matches!(role, Role::Associated | Role::Returned | Role::Pointer | Role::Array);
    if !roles.iter().any(is_of_interest) {
        return Ok(Vec::new());
    }
    let mut members: HashMap<u32, Vec<usize>> = HashMap::new();
    for (index, (saved, role)) in manifest.registers.iter().zip(roles).enumerate() {
        if let (Some(target), true, true) = (saved.target, saved.count > 0, *role != Role::Dependent) {
            members.entry(target.block).or_default().push(index);
        }
    }
    let order = order(manifest);
    let mut found = Vec::new();
    for (block, members) in members {
        let Some(target) = owner(manifest, roles, &order, block, &members)? else { continue };
        let is_own = roles[target] == Role::Variable;
        found.extend(members.into_iter().filter(|&pointer| pointer != target).filter_map(|pointer| {
            let is_hard = match roles[pointer] {
                Role::Associated => true,
                Role::Returned if is_own => true,
                Role::Pointer if is_own => false,
                Role::Variable | Role::Array | Role::Returned | Role::Pointer | Role::Dependent => {
                    return None
                }
            };
            Some(Constraint { pointer, target, is_hard })
        }));
    }
    found.sort_unstable_by_key(|constraint| constraint.pointer);
    Ok(found)
}

/// A pointer in a heap block can only be set after that memory block is in place.
fn holders(manifest: &Manifest, roles: &[Role], slots: &[(usize, u32)]) -> Vec<Constraint> {
    let wanted: HashSet<u32> = slots.iter().map(|(_, block)| *block).collect();
    let mut first: HashMap<u32, usize> = HashMap::new();
    for (index, (saved, role)) in manifest.registers.iter().zip(roles).enumerate() {
        let block = saved.target.map(|target| target.block).filter(|block| wanted.contains(block));
        if let (Some(block), Role::Pointer | Role::Returned) = (block, role) {
            first.entry(block).or_insert(index);
        }
    }
    let constraint = |(pointer, block): &(usize, u32)| {
        let target = *first.get(block)?;
        (target != *pointer).then_some(Constraint { pointer: *pointer, target, is_hard: false })
    };
    slots.iter().filter_map(constraint).collect()
}

/// The register that provides the memory of the memory block in a restart; none if any of them can.
fn owner(
    manifest: &Manifest,
    roles: &[Role],
    order: &[Option<usize>],
    block: u32,
    members: &[usize],
) -> Result<Option<usize>, Disorder> {
    let size_bytes = manifest.blocks[block as usize].size_bytes;
    let is_whole = |index: usize| {
        let saved = &manifest.registers[index];
        saved.count * u64::from(saved.element_bytes) == size_bytes
    };
    let earliest = |fits: &dyn Fn(usize) -> bool| {
        members
            .iter()
            .copied()
            .filter(|&index| order[index].is_some() && fits(index))
            .min_by_key(|&index| order[index])
    };
    let variable = earliest(&|index| roles[index] == Role::Variable);
    let followed = || earliest(&|index| matches!(roles[index], Role::Array | Role::Associated));
    if variable.is_some() || followed().is_none() {
        return Ok(variable);
    }
    let whole = |role| earliest(&|index| roles[index] == role && is_whole(index));
    // For registers that the runtime sets itself, it allocates the whole memory block.
    let any = || earliest(&|index| matches!(roles[index], Role::Pointer | Role::Returned));
    match whole(Role::Array).or_else(|| whole(Role::Associated)).or_else(any) {
        Some(found) => Ok(Some(found)),
        None => followed().map_or(Ok(None), |pointer| Err(Disorder::NoOwner { pointer })),
    }
}

fn is_broken(constraint: &Constraint, order: &[Option<usize>]) -> bool {
    matches!((order[constraint.pointer], order[constraint.target]), (Some(pointer), Some(target)) if pointer < target)
}

/// For each register of the manifest, its position in the plan; none for a register that an execute block
/// makes.
fn order(manifest: &Manifest) -> Vec<Option<usize>> {
    fn visit(entries: &[PlanEntry], next: &mut usize, order: &mut [Option<usize>]) {
        for entry in entries {
            for &register in registers_of(entry) {
                if let Some(place) = order.get_mut(register as usize) {
                    *place = Some(*next);
                }
                *next += 1;
            }
            visit(inner(entry), next, order);
        }
    }
    let mut order = vec![None; manifest.registers.len()];
    visit(&manifest.plan, &mut 0, &mut order);
    order
}

/// The pointers that must move, with their bounds and with the items reached through them, and the register
/// that each must follow.
fn moved(manifest: &Manifest, broken: &[Constraint], order: &[Option<usize>]) -> BTreeMap<usize, usize> {
    let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, saved) in manifest.registers.iter().enumerate() {
        by_name.entry(&saved.name).or_default().push(index);
    }
    let mut moved = BTreeMap::new();
    for &Constraint { pointer, target, .. } in broken {
        moved.insert(pointer, target);
        let name = &*manifest.registers[pointer].name;
        let through = ["->", ".", "[", "(", "%"].map(|mark| format!("{name}{mark}"));
        let same_prefix = through.iter().flat_map(|prefix| {
            let named = by_name.range::<str, _>((Bound::Included(prefix.as_str()), Bound::Unbounded));
            named
                .take_while(move |(name, _)| name.starts_with(prefix.as_str()))
                .flat_map(|(_, indices)| indices)
        });
        let star = format!("*{name}");
        for &index in same_prefix.chain(by_name.get(star.as_str()).into_iter().flatten()) {
            if index != target
                && order[pointer] <= order[index].map(|place| place + 1)
                && order[index] < order[target]
            {
                moved.entry(index).or_insert(target);
            }
        }
    }
    moved
}

/// Registers that leave their entry of the plan, and their new positions.
#[derive(Debug, Default)]
struct Moves {
    /// For each of these registers, the path to its entry.
    paths: HashMap<u32, Vec<usize>>,
    /// By the path to an entry: the registers that are inserted behind it.
    behind: HashMap<Vec<usize>, BTreeSet<u32>>,
}

impl Moves {
    fn new(plan: &[PlanEntry], moved: &BTreeMap<usize, usize>) -> Moves {
        let wanted: HashSet<u32> =
            moved.iter().flat_map(|(pointer, target)| [*pointer as u32, *target as u32]).collect();
        let mut paths = HashMap::new();
        find(plan, &mut Vec::new(), &wanted, &mut paths);
        let mut moves = Moves::default();
        for (&pointer, &target) in moved {
            let (Some(from), Some(to)) = (paths.get(&(pointer as u32)), paths.get(&(target as u32))) else {
                continue;
            };
            // Insert where the two paths separate. If both are in one entry, insert behind that.
            let parting = from.iter().zip(to).take_while(|(from, to)| from == to).count().min(to.len() - 1);
            let behind = to[..=parting].to_vec();
            if is_open(plan, &behind) {
                continue;
            }
            moves.paths.insert(pointer as u32, from.clone());
            moves.behind.entry(behind).or_default().insert(pointer as u32);
        }
        moves
    }

    /// The entries of a frame after the moves. `path` is the path to the frame.
    fn rebuilt(&self, entries: &[PlanEntry], path: &mut Vec<usize>) -> Vec<PlanEntry> {
        let mut rebuilt = Vec::with_capacity(entries.len() + 1);
        for (index, entry) in entries.iter().enumerate() {
            path.push(index);
            rebuilt.extend(self.without(entry, path));
            if let Some(coming) = self.behind.get(path.as_slice()) {
                let sources: BTreeSet<usize> =
                    coming.iter().map(|register| self.paths[register][path.len() - 1]).collect();
                rebuilt.extend(sources.into_iter().filter_map(|source| only(&entries[source], coming)));
            }
            path.pop();
        }
        rebuilt
    }

    /// The entry without the registers that leave it; none if nothing is left.
    fn without(&self, entry: &PlanEntry, path: &mut Vec<usize>) -> Option<PlanEntry> {
        let mut entry = entry.clone();
        match &mut entry {
            PlanEntry::Register { registers, .. } => {
                registers.retain(|register| !self.paths.contains_key(register));
                (!registers.is_empty()).then_some(entry)
            }
            PlanEntry::Call { entries, .. } => {
                *entries = self.rebuilt(entries, path);
                (!entries.is_empty()).then_some(entry)
            }
            PlanEntry::Open { entries, .. } => {
                *entries = self.rebuilt(entries, path);
                Some(entry)
            }
            PlanEntry::Init { .. }
            | PlanEntry::Cells { .. }
            | PlanEntry::Execute { .. }
            | PlanEntry::Checkpoint { .. } => Some(entry),
        }
    }
}

/// The part of the entry that makes these registers.
fn only(entry: &PlanEntry, wanted: &BTreeSet<u32>) -> Option<PlanEntry> {
    let mut entry = entry.clone();
    match &mut entry {
        PlanEntry::Register { registers, .. } => {
            registers.retain(|register| wanted.contains(register));
            (!registers.is_empty()).then_some(entry)
        }
        PlanEntry::Call { entries, .. } => {
            *entries = entries.iter().filter_map(|entry| only(entry, wanted)).collect();
            (!entries.is_empty()).then_some(entry)
        }
        PlanEntry::Init { .. }
        | PlanEntry::Cells { .. }
        | PlanEntry::Execute { .. }
        | PlanEntry::Open { .. }
        | PlanEntry::Checkpoint { .. } => None,
    }
}

fn find(
    entries: &[PlanEntry],
    path: &mut Vec<usize>,
    wanted: &HashSet<u32>,
    paths: &mut HashMap<u32, Vec<usize>>,
) {
    for (index, entry) in entries.iter().enumerate() {
        path.push(index);
        for register in registers_of(entry).iter().filter(|register| wanted.contains(register)) {
            paths.insert(*register, path.clone());
        }
        find(inner(entry), path, wanted, paths);
        path.pop();
    }
}

fn is_open(plan: &[PlanEntry], path: &[usize]) -> bool {
    let Some((&first, rest)) = path.split_first() else { return false };
    match plan.get(first) {
        Some(PlanEntry::Open { .. }) if rest.is_empty() => true,
        Some(entry) => is_open(inner(entry), rest),
        None => false,
    }
}

fn registers_of(entry: &PlanEntry) -> &[u32] {
    match entry {
        PlanEntry::Register { registers, .. } => registers,
        PlanEntry::Init { .. }
        | PlanEntry::Cells { .. }
        | PlanEntry::Execute { .. }
        | PlanEntry::Call { .. }
        | PlanEntry::Open { .. }
        | PlanEntry::Checkpoint { .. } => &[],
    }
}

fn inner(entry: &PlanEntry) -> &[PlanEntry] {
    match entry {
        PlanEntry::Call { entries, .. } | PlanEntry::Open { entries, .. } => entries,
        PlanEntry::Init { .. }
        | PlanEntry::Cells { .. }
        | PlanEntry::Execute { .. }
        | PlanEntry::Register { .. }
        | PlanEntry::Checkpoint { .. } => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::{BlockPlace, Kind, Location, MemoryBlock, Register, Scope};

    fn manifest(registers: &[(&str, u32, u64, u64)], plan: Vec<PlanEntry>) -> Manifest {
        let register = |&(name, block, offset_bytes, count): &(&str, u32, u64, u64)| Register {
            name: name.to_owned(),
            section: 0,
            scope: Scope::Program,
            type_code: 1,
            element_bytes: 1,
            count,
            storage: 1,
            kind: Kind::Memory,
            target: Some(Location { block, offset_bytes }),
        };
        let blocks = vec![MemoryBlock { size_bytes: 8, place: BlockPlace::Program }; 3];
        Manifest { blocks, registers: registers.iter().map(register).collect(), plan, ..Manifest::default() }
    }

    fn block(block: i32, registers: &[u32]) -> PlanEntry {
        PlanEntry::Register { block, registers: registers.to_vec() }
    }

    fn call(block: i32, entries: Vec<PlanEntry>) -> PlanEntry {
        PlanEntry::Call { block, callee: String::new(), captures: Vec::new(), entries }
    }

    fn open(block: i32, entries: Vec<PlanEntry>) -> PlanEntry {
        PlanEntry::Open { block, callee: String::new(), captures: Vec::new(), entries }
    }

    #[test]
    fn a_pointer_moves_behind_what_it_points_to_with_what_is_reached_through_it() {
        let registers = [("p", 0, 2, 4), ("p%x", 1, 0, 1), ("q", 2, 0, 8), ("a", 0, 0, 8)];
        let plan =
            vec![block(1, &[0, 2]), block(2, &[1]), block(3, &[3]), PlanEntry::Checkpoint { block: 4 }];
        let mut found = manifest(&registers, plan);
        let roles = [Role::Associated, Role::Dependent, Role::Array, Role::Variable];
        assert_eq!(arrange(&mut found, &roles, &[]), Ok(()));
        assert_eq!(
            found.plan,
            [
                block(1, &[2]),
                block(3, &[3]),
                block(1, &[0]),
                block(2, &[1]),
                PlanEntry::Checkpoint { block: 4 }
            ]
        );
    }

    #[test]
    fn a_call_that_has_returned_is_repeated_for_its_pointer() {
        let registers = [("p", 0, 0, 8), ("n", 1, 0, 1), ("a", 0, 0, 8)];
        let plan = vec![
            call(1, vec![block(1, &[0]), block(2, &[1])]),
            call(2, vec![block(7, &[2])]),
            open(3, Vec::new()),
        ];
        let mut found = manifest(&registers, plan);
        let roles = [Role::Associated, Role::Variable, Role::Variable];
        assert_eq!(arrange(&mut found, &roles, &[]), Ok(()));
        let wanted = [
            call(1, vec![block(2, &[1])]),
            call(2, vec![block(7, &[2])]),
            call(1, vec![block(1, &[0])]),
            open(3, Vec::new()),
        ];
        assert_eq!(found.plan, wanted);
    }

    #[test]
    fn what_a_deeper_procedure_registers_is_too_late() {
        let registers = [("p", 0, 0, 8), ("a", 0, 0, 8)];
        let plan = vec![block(1, &[0]), open(2, vec![block(1, &[1])])];
        let mut found = manifest(&registers, plan.clone());
        assert_eq!(
            arrange(&mut found, &[Role::Associated, Role::Variable], &[]),
            Err(Disorder::TooEarly { pointer: 0, target: 1 })
        );
        let mut found = manifest(&registers, plan.clone());
        assert_eq!(
            arrange(&mut found, &[Role::Pointer, Role::Variable], &[]),
            Ok(()),
            "the runtime sets it at the end"
        );
        assert_eq!(found.plan, plan);
    }

    #[test]
    fn a_pointer_in_allocated_memory_moves_behind_what_points_to_that() {
        let registers = [("rows[0]", 0, 0, 8), ("rows", 1, 0, 8)];
        let mut found = manifest(&registers, vec![block(1, &[0, 1]), open(2, Vec::new())]);
        assert_eq!(arrange(&mut found, &[Role::Pointer; 2], &[(0, 1)]), Ok(()));
        assert_eq!(found.plan, [block(1, &[1]), block(1, &[0]), open(2, Vec::new())]);
    }

    #[test]
    fn memory_that_is_allocated_again_needs_one_that_has_all_of_it() {
        let parts = [("p", 0, 0, 6), ("q", 0, 2, 6)];
        let mut found = manifest(&parts, vec![block(1, &[0, 1])]);
        assert_eq!(arrange(&mut found, &[Role::Associated; 2], &[]), Err(Disorder::NoOwner { pointer: 0 }));
        let whole = [("p", 0, 0, 6), ("q", 0, 2, 6), ("all", 0, 0, 8)];
        let mut found = manifest(&whole, vec![block(1, &[0, 1]), block(2, &[2])]);
        assert_eq!(arrange(&mut found, &[Role::Associated, Role::Associated, Role::Array], &[]), Ok(()));
        assert_eq!(found.plan, [block(2, &[2]), block(1, &[0, 1])]);
    }
}

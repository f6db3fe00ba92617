//! Trees: variables of derived types with allocatable components, which are registered with everything that they contain.
//!
//! The registers of a tree are its *root* and its *members*: the allocatable components of all elements, on all levels.
//! The program passes through the tree in a *walk*, before each checkpoint and call.
//!
//! Input: the walks of the program.
//! Output: a register for each component that exists at the time of the walk.
//! Postcondition: no state is written if an allocatable component has been allocated, freed or moved since the last walk.

use super::nodes::{Node, Nodes};
use super::registers::Registration;
use super::{Controller, Mode, Stop};
use crate::machine::Machine;
use crate::manifest::padding::data_of;
use crate::manifest::Kind;
use crate::register::memory::Range;
use crate::register::segments::Segments;
use crate::register::{Layouts, Pairs, Register, RegisterId, RegisterScope};
use crate::restore::Request;
use cppc_abi::storage::{FOLLOWED, PARTIAL};
use cppc_abi::types::INTEGER_1;
use std::collections::{HashMap, HashSet};
use std::ffi::c_int;

/// A register, with its serial number, because a later register may have the same id.
pub(super) type Known = (RegisterId, u64);

/// The registers of a tree.
#[derive(Debug)]
struct Tree {
    root: Known,
    members: Vec<Known>,
    /// The root and the members of derived types, outer ones first, with a checksum of the descriptors in their memory.
    outlines: Vec<(Known, u32)>,
}

/// A walk in progress.
#[derive(Debug)]
struct Walk {
    /// None in the first walk until the root is registered.
    root: Option<Known>,
    is_first: bool,
    visited: Vec<Known>,
    nodes: Nodes,
    /// Found when it is needed first.
    outer: Option<Outer>,
}

/// The followed registers of callers and of the program when a walk began. A walk through a dummy argument looks for each
/// member among them.
#[derive(Debug, Default)]
struct Outer {
    by_address: HashMap<usize, Vec<RegisterId>>,
    /// All but the members of trees. If these have been allocated, the outlines of their trees show it.
    without_members: Vec<RegisterId>,
}

impl Walk {
    fn first() -> Walk {
        Walk { root: None, is_first: true, visited: Vec::new(), nodes: Nodes::default(), outer: None }
    }

    fn again(root: Known) -> Walk {
        Walk { root: Some(root), is_first: false, visited: vec![root], ..Walk::first() }
    }
}

#[derive(Debug, Default)]
pub(super) struct Trees {
    list: Vec<Tree>,
    walk: Option<Walk>,
}

impl Controller {
    /// Begins the first walk of a tree, which registers it.
    pub fn begin_tree(&mut self) {
        self.registers.trees.walk = Some(Walk::first());
    }

    /// Begins another walk. Returns false if the tree is not registered.
    pub fn walk_tree(&mut self, name: &str) -> bool {
        self.registers.trees.walk = None;
        if !matches!(self.mode, Mode::Normal | Mode::Restarting) {
            return false;
        }
        let symbol = self.registers.names.symbol(name);
        let Some(root) = self.visible_register(symbol).and_then(|id| self.known(id)) else { return false };
        let is_tree = self.registers.trees.list.iter().any(|tree| tree.root == root);
        if is_tree {
            self.registers.trees.walk = Some(Walk::again(root));
        }
        is_tree
    }

    /// Ends a walk. Members that it has not visited exist no longer.
    pub fn end_walk(&mut self) {
        let Some(walk) = self.registers.trees.walk.take() else { return };
        let Some(root) = walk.root else { return };
        let trees = &mut self.registers.trees.list;
        let earlier = trees.iter().position(|tree| tree.root == root).map(|index| trees.swap_remove(index));
        let mut members = walk.visited;
        if let Some(earlier) = earlier {
            let visited: HashSet<u64> = members.iter().map(|(_, serial)| *serial).collect();
            let left = earlier.members.into_iter().filter(|(_, serial)| !visited.contains(serial));
            // A restart makes no more and no fewer registers than there were.
            match self.mode {
                Mode::Restarting => members.extend(left),
                Mode::Dormant | Mode::Normal | Mode::Finished => {
                    // The table removes the latest registers fastest.
                    let left: Vec<Known> = left.collect();
                    left.into_iter().rev().for_each(|known| self.end_known(known));
                }
            }
        }
        let outlines = self.outlines(&members);
        self.registers.trees.list.push(Tree { root, members, outlines });
        self.prune_trees();
    }

    /// Ends the members of trees whose root has ended.
    pub(super) fn prune_trees(&mut self) {
        let trees = std::mem::take(&mut self.registers.trees.list);
        for tree in trees {
            if self.is_live(tree.root) {
                self.registers.trees.list.push(tree);
            } else {
                // In a restart they may be those of a tree that is not complete yet.
                tree.members.into_iter().rev().for_each(|known| self.end_known(known));
            }
        }
    }

    /// The name of a register whose components have changed since the last walk.
    pub(super) fn changed_tree(&self, segments: &Segments) -> Option<String> {
        let mut holes = Holes::default();
        let outlines = self.registers.trees.list.iter().flat_map(|tree| &tree.outlines);
        let mut changed = outlines.filter(|(known, checksum)| {
            let register = self.registers.table.get(known.0).filter(|_| self.is_live(*known));
            register.is_some_and(|register| {
                holes.checksum(&self.registers.layouts, register, Some(segments)) != Some(*checksum)
            })
        });
        let ((id, _), _) = changed.next()?;
        let register = self.registers.table.get(*id)?;
        Some(self.registers.names.text(register.name).to_owned())
    }

    /// The name of a component that is also the name of a register outside of trees. A restart could take one for the other.
    pub(super) fn ambiguous_member(&self) -> Option<String> {
        let trees = &self.registers.trees.list;
        let members = trees.iter().flat_map(|tree| tree.members.iter().filter(|known| **known != tree.root));
        let in_trees: HashSet<RegisterId> = members.map(|(id, _)| *id).collect();
        if in_trees.is_empty() {
            return None;
        }
        let name = |id: &RegisterId| self.registers.table.get(*id).map(|register| register.name);
        let names: HashSet<_> = in_trees.iter().filter_map(name).collect();
        let mut others = self.registers.table.live().filter(|(id, _)| !in_trees.contains(id));
        let (_, found) = others.find(|(_, register)| names.contains(&register.name))?;
        Some(self.registers.names.text(found.name).to_owned())
    }

    /// For each member of a tree, the serial of the root, and its position in the walk.
    pub(super) fn positions_in_trees(&self) -> HashMap<RegisterId, (u64, u32)> {
        let trees = self.registers.trees.list.iter();
        let members =
            trees.flat_map(|tree| (0..).zip(&tree.members).map(|(at, member)| (tree.root.1, at, *member)));
        let live = members.filter(|(_, _, member)| self.is_live(*member));
        live.map(|(root, at, (id, _))| (id, (root, at))).collect()
    }

    /// The registers of callers and of the program that may be at an address, apart from those of the present walk.
    pub(super) fn outer_at(&mut self, address: usize) -> Vec<RegisterId> {
        match self.outer() {
            Some(outer) => outer.by_address.get(&address).cloned().unwrap_or_default(),
            None => self.registers.table.live().map(|(id, _)| id).collect(),
        }
    }

    /// The same for arrays without an address. In a walk, they are not members of other trees.
    pub(super) fn outer_without_members(&mut self) -> Vec<RegisterId> {
        match self.outer() {
            Some(outer) => outer.without_members.clone(),
            None => self.registers.table.live().map(|(id, _)| id).collect(),
        }
    }

    /// None if nothing is being walked through.
    fn outer(&mut self) -> Option<&Outer> {
        if self.registers.trees.walk.as_ref()?.outer.is_none() {
            let found = self.found_outer();
            self.registers.trees.walk.as_mut()?.outer = Some(found);
        }
        self.registers.trees.walk.as_ref()?.outer.as_ref()
    }

    fn found_outer(&self) -> Outer {
        let own = RegisterScope::Frame(self.frames.depth());
        let trees = self.registers.trees.list.iter();
        let members: HashSet<Known> = trees
            .flat_map(|tree| tree.members.iter().filter(|known| **known != tree.root))
            .copied()
            .collect();
        let mut outer = Outer::default();
        let live = self.registers.table.live().filter(|(_, register)| register.scope != own);
        for (id, register) in live.filter(|(_, register)| register.storage.is_followed()) {
            outer.by_address.entry(register.address).or_default().push(id);
            if !members.contains(&(id, register.serial)) {
                outer.without_members.push(id);
            }
        }
        outer
    }

    fn outlines(&self, members: &[Known]) -> Vec<(Known, u32)> {
        let mut holes = Holes::default();
        // The program has passed this memory just now, so it is not checked.
        let list = members.iter().filter_map(|known| {
            let register = self.registers.table.get(known.0)?;
            Some((*known, holes.checksum(&self.registers.layouts, register, None)?))
        });
        list.collect()
    }

    pub(super) fn known(&self, id: RegisterId) -> Option<Known> {
        Some((id, self.registers.table.get(id)?.serial))
    }

    pub(super) fn is_live(&self, (id, serial): Known) -> bool {
        self.registers.table.get(id).is_some_and(|register| register.serial == serial)
    }

    fn end_known(&mut self, known: Known) {
        if self.is_live(known) {
            self.registers.table.end(known.0);
        }
    }

    /// A register was made. If it belongs to the tree that is being walked, it is visited.
    pub(super) fn visit(&mut self, id: RegisterId) {
        let known = self.known(id);
        let Some(walk) = &mut self.registers.trees.walk else { return };
        if walk.root.is_none() {
            walk.root = known;
        }
        walk.visited.extend(known);
    }

    /// The register from which the registers of the present walk get their scope and their place in the plan.
    pub(super) fn root_of_walk(&self) -> Option<&Register> {
        let walk = self.registers.trees.walk.as_ref().filter(|walk| !walk.is_first)?;
        self.registers.table.get(walk.root?.0)
    }

    /// Registers a member, if it is not registered yet. The type code is 0 for a derived type.
    pub fn visit_member(&mut self, type_code: c_int, name: &str) -> Result<(), Stop> {
        let name = self.element_name(name).unwrap_or_else(|| name.to_owned());
        let Some(root) = self.root_of_walk().copied() else { return Ok(()) };
        let symbol = self.registers.names.symbol(&name);
        if let Some(id) = self.registers.table.of(root.scope, symbol) {
            self.visit(id);
            return Ok(());
        }
        // A restart makes no more registers than there were.
        if self.mode != Mode::Normal {
            return Ok(());
        }
        let is_record = type_code == 0;
        let storage = root.storage.flags() & !(FOLLOWED | PARTIAL) | if is_record { PARTIAL } else { 0 };
        let type_code = if is_record { INTEGER_1 } else { type_code };
        let made = Registration {
            section: root.section,
            address: 0,
            count: 0,
            type_code,
            name: &name,
            storage,
            kind: Kind::Memory,
            here: 0,
            keeps_size: false,
        };
        self.register_followed(made).map(|_| ())
    }

    /// Updates the memory, the bounds and the type of an array of a derived type. The type was described just before, if the
    /// array has elements.
    pub fn follow_structures(&mut self, name: &str, pairs: Pairs) -> Result<(), Stop> {
        if let Some(walk) = &mut self.registers.trees.walk {
            walk.nodes.forget_passed();
        }
        let described = match pairs.elements() {
            Some(0) => None,
            Some(_) | None => Some(self.end_structure()),
        };
        if !matches!(self.mode, Mode::Normal | Mode::Restarting) {
            return Ok(());
        }
        let Some(id) = self.find_followed(name) else { return Ok(()) };
        let mut address = 0;
        if let Some(described) = described {
            let (type_code, first) = match described {
                Ok(found) => found,
                Err(reason) => return self.refuse(name, &reason),
            };
            address = first;
            let element_bytes = self.registers.layouts.element_bytes(type_code).unwrap_or(0);
            self.registers.table.set_type(id, type_code, element_bytes);
            self.check_structures(id, type_code)?;
        } else {
            self.registers.table.set_type(id, INTEGER_1, 1);
        }
        if let Some(walk) = &mut self.registers.trees.walk {
            walk.nodes.passed(address, pairs);
        }
        self.follow_known(id, address, pairs)
    }

    /// The array that was passed last is visited later, as a node of this kind.
    pub fn visit_later(&mut self, kind: c_int) {
        if let Some(walk) = &mut self.registers.trees.walk {
            walk.nodes.push(kind);
        }
    }

    /// The next node of the present walk, with its number.
    pub fn next_node(&mut self) -> Option<(i64, Node)> {
        self.registers.trees.walk.as_mut()?.nodes.next()
    }

    /// In a restart: compares the type with that of the state file.
    fn check_structures(&mut self, id: RegisterId, type_code: i32) -> Result<(), Stop> {
        let (Some(index), Some(register)) = (self.number_in_file(id), self.registers.table.get(id)) else {
            return Ok(());
        };
        let (name, storage) = (self.registers.names.text(register.name), register.storage);
        let request = Request {
            name,
            section: register.section,
            kind: register.kind,
            address: 0,
            count: 0,
            type_code,
            storage,
        };
        let Some(resumption) = &mut self.resumption else { return Ok(()) };
        let delivery = &mut resumption.delivery;
        delivery.check_elements(&self.registers.layouts, request, index).map_err(Stop::restart)
    }
}

/// The bytes of elements that are not saved, for each type: descriptors of components, and padding.
#[derive(Default)]
struct Holes {
    of_types: HashMap<i32, Vec<(usize, usize)>>,
}

impl Holes {
    /// A checksum of these bytes in the memory of a register. None if it has none.
    fn checksum(
        &mut self,
        layouts: &Layouts,
        register: &Register,
        segments: Option<&Segments>,
    ) -> Option<u32> {
        if !register.storage.is_partial() {
            return None;
        }
        let range = Range { address: register.address, size_bytes: register.size_bytes() };
        if register.address == 0 || range.size_bytes == 0 {
            return Some(0);
        }
        if segments.is_some_and(|segments| !segments.is_readable(range)) {
            return None;
        }
        let holes = self
            .of_types
            .entry(register.type_code)
            .or_insert_with(|| holes(layouts, register.type_code, register.element_bytes));
        let mut checksum = crc32fast::Hasher::new();
        // SAFETY: the memory is that of a live register, and was found to be readable.
        let bytes = unsafe { range.bytes() };
        for element in bytes.chunks_exact(register.element_bytes) {
            holes.iter().for_each(|&(from, to)| checksum.update(&element[from..to]));
        }
        Some(checksum.finalize())
    }
}

fn holes(layouts: &Layouts, type_code: i32, element_bytes: usize) -> Vec<(usize, usize)> {
    let data =
        data_of(layouts.structures(), type_code, element_bytes as u64, &Machine::THIS).unwrap_or_default();
    let mut list = Vec::new();
    let mut at = 0;
    for (from, to) in
        data.into_iter().map(|(from, to)| (from as usize, to as usize)).chain([(element_bytes, 0)])
    {
        if from > at {
            list.push((at, from.min(element_bytes)));
        }
        at = at.max(to);
    }
    list
}

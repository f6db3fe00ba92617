//! Followed arrays, whose memory may move: allocatables and pointers of Fortran.
//!
//! Input: the address and the bounds of such an array, before each checkpoint and call.
//! Output: in a restart, the bounds with which the array is allocated again.
//! Postcondition: a checkpoint reads only memory whose address the program has passed since the memory could
//! move last.

use super::registers::Registration;
use super::{Controller, Mode, Stop};
use crate::register::{Pairs, RegisterId, RegisterScope, Symbol};
use crate::restore::{Reallocation, Request};
use cppc_abi::storage::Storage;
use cppc_abi::types::{CHARACTER, FIRST_STRUCTURE, INTEGER_1};

/// The present address and bounds of an array.
#[derive(Debug, Clone, Copy)]
pub struct PassedArray<'a> {
    pub name: &'a str,
    pub address: usize,
    pub pairs: Pairs,
    /// None if the call does not pass the type.
    pub type_code: Option<i32>,
}

impl Controller {
    /// Registers an array without its address. Returns none in a normal run, and none if the state file does
    /// not contain the array here.
    pub fn register_followed(&mut self, made: Registration) -> Result<Option<Reallocation>, Stop> {
        let element = self.element_name(made.name);
        let made = Registration { name: element.as_deref().unwrap_or(made.name), ..made };
        self.directive.latest = None;
        match self.mode {
            Mode::Normal | Mode::Restarting => {}
            Mode::Dormant => {
                self.note_early_register(&made, Storage::followed(made.storage));
                return Ok(None);
            }
            Mode::Finished => return Ok(None),
        }
        self.end_early_register(Some(made.name), made.address);
        let storage = Storage::followed(made.storage)
            .ok_or_else(|| "its storage is neither static nor automatic".to_owned());
        let (mut register, storage) = match self.checked(&made).and_then(|register| Ok((register, storage?)))
        {
            Ok(checked) => checked,
            Err(reason) => return self.refuse(made.name, &reason).map(|()| None),
        };
        register.storage = storage;
        if storage.is_automatic() {
            self.registers.own_followed.insert((register.procedure, register.name));
        }
        let mut again = None;
        if self.mode == Mode::Restarting && !(storage.is_automatic() && self.is_in_unrecorded_frame()) {
            again = self.reallocation(&made, storage)?;
            if again.is_none() && !self.frames.is_unrecorded() {
                return Ok(None);
            }
        }
        let bounds_name = self.registers.names.bounds(register.name);
        let id = self.registers.table.add_followed(register, bounds_name);
        self.visit(id);
        let Some((index, again)) = again else { return Ok(None) };
        let serial = self.registers.table.get(id).map(|register| register.serial);
        if let (Some(resumption), Some(serial)) = (&mut self.resumption, serial) {
            resumption.followed.insert(serial, index);
        }
        Ok(Some(again))
    }

    fn reallocation(
        &mut self,
        made: &Registration,
        storage: Storage,
    ) -> Result<Option<(usize, Reallocation)>, Stop> {
        let Some(resumption) = &mut self.resumption else { return Ok(None) };
        let anything = resumption.replay.is_unnumbered() || self.frames.is_unrecorded();
        let candidates =
            if anything { None } else { Some(resumption.replay.registers().unwrap_or_default()) };
        let Registration { name, section, address, count, type_code, kind, .. } = *made;
        let request = Request { name, section, kind, address, count, type_code, storage };
        resumption.delivery.reallocation(&self.registers.layouts, request, candidates).map_err(Stop::restart)
    }

    /// In a restart: the array was allocated as described in the state file, and its content is copied into
    /// it.
    pub fn fill_followed(&mut self, name: &str, address: usize) -> Result<(), Stop> {
        let Some(index) = self.find_followed(name).and_then(|id| self.number_in_file(id)) else {
            return Ok(());
        };
        let Some(resumption) = &mut self.resumption else { return Ok(()) };
        resumption.delivery.fill(index, address).map_err(Stop::restart)
    }

    /// In a restart: the address of the array if its memory is already in place.
    pub fn address_of_followed(&mut self, name: &str) -> Option<usize> {
        let index = self.find_followed(name).and_then(|id| self.number_in_file(id))?;
        self.resumption.as_ref()?.delivery.address_of(index)
    }

    /// In a restart: the length of each character element.
    pub fn length_of_followed(&mut self, name: &str) -> Option<i64> {
        let index = self.find_followed(name).and_then(|id| self.number_in_file(id))?;
        self.resumption.as_ref()?.delivery.length_of(index)
    }

    /// The program declares another rank than the state file.
    pub fn other_rank(&self, name: &str) -> Stop {
        Stop::restart(format!("`{name}` has another rank in the program than in the state file"))
    }

    pub(super) fn number_in_file(&self, id: RegisterId) -> Option<usize> {
        let serial = self.registers.table.get(id)?.serial;
        self.resumption.as_ref()?.followed.get(&serial).copied()
    }

    /// Whether an array of this name is registered now.
    pub fn follows(&mut self, name: &str) -> bool {
        matches!(self.mode, Mode::Normal | Mode::Restarting) && self.find_followed(name).is_some()
    }

    /// Updates the address and the bounds of an array.
    pub fn follow(&mut self, mut now: PassedArray) -> Result<(), Stop> {
        if !matches!(self.mode, Mode::Normal | Mode::Restarting) {
            return Ok(());
        }
        let Some(id) = self.find_followed(now.name) else { return Ok(()) };
        let Some(register) = self.registers.table.get(id).copied() else { return Ok(()) };
        if now.type_code == Some(CHARACTER) && register.type_code >= FIRST_STRUCTURE {
            // The type of the array has the characters as a component.
            now.pairs = now.pairs.of_elements();
        }
        let is_same = now
            .type_code
            .is_none_or(|code| code == register.type_code || register.type_code >= FIRST_STRUCTURE);
        let size_bytes =
            now.pairs.elements().and_then(|elements| elements.checked_mul(register.element_bytes));
        let reason = match size_bytes {
            _ if !is_same => Some("it is followed as another type than it is registered as"),
            None => Some("it has more elements than there can be"),
            Some(size_bytes) if size_bytes > 0 && now.address == 0 => Some("it has elements but no address"),
            Some(_) => None,
        };
        if let Some(reason) = reason {
            // The address that was known for it is no longer valid.
            self.registers.table.follow(id, 0, Pairs::NONE);
            let name = self.registers.names.text(register.name).to_owned();
            return self.refuse(&name, reason);
        }
        self.follow_known(id, now.address, now.pairs)
    }

    /// The same for a register that was found, whose type and size are known.
    pub(super) fn follow_known(&mut self, id: RegisterId, address: usize, pairs: Pairs) -> Result<(), Stop> {
        if self.registers.table.get(id).is_some_and(|register| register.storage.is_parameter()) {
            self.link(id, address, pairs);
        }
        self.pass_unlinked(id, address, pairs);
        let mut next = Some(id);
        while let Some(id) = next {
            let is_partial =
                self.registers.table.get(id).is_some_and(|register| register.storage.is_partial());
            if is_partial && !pairs.is_allocated() {
                // The type of an array that is not allocated depends on nothing that happened before.
                self.registers.table.set_type(id, INTEGER_1, 1);
            }
            self.registers.table.follow(id, address, pairs);
            if let (Some(index), Some(resumption)) = (self.number_in_file(id), &mut self.resumption) {
                resumption.delivery.follow(index, address, pairs).map_err(Stop::restart)?;
            }
            let actual = self.registers.table.bounds(id).and_then(|bounds| bounds.actual);
            next = actual.filter(|known| self.is_live(*known)).map(|(id, _)| id);
        }
        Ok(())
    }

    /// Links a dummy argument, when it is passed first, to the array of the caller that is at the same
    /// address. That array moves with it.
    fn link(&mut self, id: RegisterId, address: usize, pairs: Pairs) {
        let depth = self.frames.depth();
        let Some(register) = self.registers.table.get(id).copied() else { return };
        let Some(bounds) = self.registers.table.bounds_mut(id).filter(|bounds| !bounds.is_passed) else {
            return;
        };
        bounds.is_passed = true;
        if !pairs.is_allocated() {
            return self.note_unlinked((id, &register));
        }
        let candidates = self.outer_at(address);
        let is_actual = |found: RegisterId| {
            let is_same = self.registers.table.bounds(found).is_some_and(|bounds| bounds.pairs == pairs);
            let other = self.registers.table.get(found).filter(|_| is_same)?;
            let is_outer = other.scope != RegisterScope::Frame(depth) && other.serial < register.serial;
            (is_outer && other.address == address && other.type_code == register.type_code).then_some((
                found,
                other.serial,
                other.scope,
            ))
        };
        let found: Vec<_> = candidates.into_iter().filter_map(is_actual).collect();
        if found.is_empty() {
            let is_taken = self.take_over_unlinked(id, &register, address);
            // In a restart, it was allocated just now. It may not have been allocated when it was passed.
            if !is_taken && self.mode == Mode::Restarting {
                self.note_unlinked((id, &register));
            }
        }
        let nearest = found.iter().max_by_key(|(_, serial, _)| *serial).copied();
        // If two pointers of the caller point to the same array, it is unknown which of them is the argument.
        let is_sure = |owner| found.iter().filter(|(_, _, other)| *other == owner).count() == 1;
        if let Some(bounds) = self.registers.table.bounds_mut(id) {
            let sure = nearest.filter(|(_, _, owner)| is_sure(*owner));
            bounds.actual = sure.map(|(id, serial, _)| (id, serial));
        }
    }

    /// The followed register that the name refers to: of the procedure itself, of a procedure that contains
    /// it, or of the program.
    pub(super) fn find_followed(&mut self, name: &str) -> Option<RegisterId> {
        let element = self.element_name(name);
        let name = self.registers.names.symbol(element.as_deref().unwrap_or(name));
        let of_tree = self.root_of_walk().and_then(|root| self.registers.table.of(root.scope, name));
        let found = of_tree.or_else(|| self.visible_register(name))?;
        self.registers.table.bounds(found).map(|_| found)
    }

    /// The register that a name refers to in the innermost procedure.
    pub(super) fn visible_register(&self, name: Symbol) -> Option<RegisterId> {
        let depth = self.frames.depth();
        if let Some(own) = self.registers.table.of(RegisterScope::Frame(depth), name) {
            return Some(own);
        }
        let procedure = self.frames.top().procedure;
        if self.registers.own_followed.contains(&(procedure, name)) {
            // The procedure declares this array itself, and it is not registered now.
            return None;
        }
        let of_host = (0..depth).rev().find_map(|outer| {
            let host = self.frames.open().get(outer as usize)?.procedure;
            is_contained(self.registers.names.text(procedure), self.registers.names.text(host))
                .then_some(())?;
            self.registers.table.of(RegisterScope::Frame(outer), name)
        });
        of_host.or_else(|| self.registers.table.of(RegisterScope::Program, name))
    }
}

/// Whether `host%inner` or `host%inner%inmost` is contained in `host`. A name has its file as a prefix if the
/// name alone is ambiguous. The symbol of an external procedure ends in an underscore.
fn is_contained(inner: &str, host: &str) -> bool {
    let ((inner_file, inner), (host_file, host)) = (split_file(inner), split_file(host));
    if inner_file.is_some() && host_file.is_some() && inner_file != host_file {
        return false;
    }
    let host = host.trim_end_matches('_');
    !host.is_empty()
        && inner.strip_prefix(host).is_some_and(|rest| rest.trim_start_matches('_').starts_with('%'))
}

/// Splits `a.f90:solve` into file and procedure.
fn split_file(name: &str) -> (Option<&str>, &str) {
    name.rsplit_once(':').map_or((None, name), |(file, procedure)| (Some(file), procedure))
}

#[cfg(test)]
mod tests {
    use super::is_contained;

    #[test]
    fn procedures_are_contained_by_name() {
        assert!(is_contained("solve%step", "solve") && is_contained("solve%step", "solve_"));
        assert!(is_contained("a.f90:grid%solve%step", "a.f90:grid%solve"));
        assert!(
            is_contained("solve%step", "a.f90:solve") && !is_contained("b.f90:solve%step", "a.f90:solve")
        );
        assert!(
            !is_contained("solver%step", "solve")
                && !is_contained("solve", "solve")
                && !is_contained("x%y", "")
        );
    }
}

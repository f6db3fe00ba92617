//! Dummy arguments that were not allocated when they were passed.
//!
//! Such an argument has no address. So the runtime cannot know which array of a caller it is. If its procedure allocates it
//! and returns, a procedure between them may come to a checkpoint that does not see the array.
//!
//! Input: the registers of dummy arguments, and what the program passes for followed registers.
//! Output: the arrays of callers that may have been allocated since the program passed them last.
//! Postcondition: no state is written while there is such an array.

use super::trees::Known;
use super::Controller;
use crate::register::{Pairs, Register, RegisterId, RegisterScope, Symbol};

/// A dummy argument whose array is not known.
#[derive(Debug)]
pub(super) struct Unlinked {
    /// As long as this register is live, a checkpoint saves the array with it.
    register: Known,
    name: Symbol,
    procedure: Symbol,
    /// Where the program passed it last; none if it was not allocated then.
    address: Option<usize>,
    /// The registers of callers that may be this array: they were not allocated either.
    candidates: Vec<Known>,
}

impl Controller {
    /// Records that the array of a dummy argument is not known.
    pub(super) fn note_unlinked(&mut self, (id, argument): (RegisterId, &Register)) {
        let outer = self.outer_without_members();
        let depth = self.frames.depth();
        let is_candidate = |id: RegisterId, other: &Register| {
            let is_outer = other.scope != RegisterScope::Frame(depth) && other.serial < argument.serial;
            let is_same_type = other.type_code == argument.type_code || other.storage.is_partial();
            // A pointer may point to the array later, but it is not the array.
            let is_same_attribute = other.storage.is_associated() == argument.storage.is_associated();
            let bounds = self.registers.table.bounds(id);
            is_outer
                && is_same_type
                && is_same_attribute
                && bounds.is_some_and(|bounds| !bounds.pairs.is_allocated())
        };
        let known = outer.into_iter().filter_map(|id| Some((id, self.registers.table.get(id)?)));
        let live = known.filter(|(id, other)| is_candidate(*id, other));
        let candidates: Vec<Known> = live.map(|(id, other)| (id, other.serial)).collect();
        if candidates.is_empty() {
            return;
        }
        let mut list = std::mem::take(&mut self.registers.unlinked);
        // A procedure that is called again and again without allocating its argument must not make the list longer.
        list.retain(|earlier| self.is_live(earlier.register) || earlier.address.is_some());
        list.push(Unlinked {
            register: (id, argument.serial),
            name: argument.name,
            procedure: argument.procedure,
            address: None,
            candidates,
        });
        self.registers.unlinked = list;
    }

    /// A dummy argument without a known array may have the address of an earlier one. Then its register saves the array.
    /// Returns whether this is so.
    pub(super) fn take_over_unlinked(&mut self, id: RegisterId, argument: &Register, address: usize) -> bool {
        let mut list = self.registers.unlinked.iter_mut();
        let Some(earlier) = list.find(|earlier| earlier.address == Some(address)) else {
            return false;
        };
        earlier.register = (id, argument.serial);
        (earlier.name, earlier.procedure) = (argument.name, argument.procedure);
        true
    }

    /// The program passes the present memory of a register.
    pub(super) fn pass_unlinked(&mut self, id: RegisterId, address: usize, pairs: Pairs) {
        if self.registers.unlinked.is_empty() {
            return;
        }
        let Some(known) = self.known(id) else { return };
        let address = pairs.is_allocated().then_some(address);
        self.registers.unlinked.retain_mut(|unlinked| {
            if unlinked.register == known {
                unlinked.address = address;
            }
            let Some(index) = unlinked.candidates.iter().position(|&candidate| candidate == known) else {
                return true;
            };
            unlinked.candidates.swap_remove(index);
            // This register is the array, or the argument through which the array was passed.
            let is_found = address.is_some() && address == unlinked.address;
            !is_found && !unlinked.candidates.is_empty()
        });
    }

    /// Why a register may not have the memory of its array.
    pub(super) fn unlinked_array(&self) -> Option<String> {
        let returned = |unlinked: &&Unlinked| unlinked.address.is_some() && !self.is_live(unlinked.register);
        self.registers.unlinked.iter().filter(returned).find_map(|unlinked| {
            let (id, _) = unlinked.candidates.iter().find(|known| self.is_live(**known))?;
            let text = |symbol| self.registers.names.text(symbol);
            let (name, argument) = (text(self.registers.table.get(*id)?.name), text(unlinked.name));
            Some(format!(
                "`{name}` may have been allocated as the argument `{argument}` of `{}`, and was not allocated when it was \
                 passed: register this argument in each procedure between them, or allocate it before the calls",
                text(unlinked.procedure)
            ))
        })
    }
}

//! What is registered at a point of a procedure.
//!
//! Input: the registers that are made and ended on the way to the point. Output: the memory that is saved there.
//! Postcondition: a pointer whose register has ended, and that has a new value since, is not saved.

use crate::effects::Assumptions;
use crate::held::Held;
use crate::sets::{Bytes, Range};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Registered {
    /// Until it is unregistered.
    pub lasting: Held,
    /// Until the procedure returns.
    pub framed: Held,
    /// What an iteration of a loop has unregistered, and not registered again. Another path may have it registered.
    pub ended: Held,
    /// Pointers whose register some path has ended, and that this path has not set since.
    pub given_up: Bytes,
    /// Those that it has set since, outside of a register: to null, or to other memory.
    pub reset: Bytes,
}

impl Registered {
    pub fn all(&self) -> Held {
        let mut all = self.lasting.clone();
        all.add(&self.framed);
        self.subtract_ended_from(&mut all);
        all
    }

    /// Subtracts what may have ended, although another path has it registered.
    pub fn subtract_ended_from(&self, held: &mut Held) {
        held.subtract(&self.ended);
        held.bytes.subtract(&self.reset);
        held.slots.subtract(&self.reset);
    }

    pub fn both(&self, other: &Registered, assumptions: Assumptions) -> Registered {
        let (mut ended, mut given_up, mut reset) =
            (self.ended.clone(), self.given_up.clone(), self.reset.clone());
        ended.add(&other.ended);
        given_up.add(&other.given_up);
        reset.add(&other.reset);
        Registered {
            lasting: self.lasting.both(&other.lasting, assumptions),
            framed: self.framed.both(&other.framed, assumptions),
            ended,
            given_up,
            reset,
        }
    }

    pub fn subtract(&mut self, held: &Held) {
        self.lasting.subtract(held);
        self.framed.subtract(held);
    }

    pub fn give_up(&mut self, pointer: Range) {
        self.reset.remove(pointer);
        self.given_up.insert(pointer);
    }

    /// The program sets a variable outside of a register.
    pub fn set(&mut self, range: Range) {
        let set = self.given_up.intersect(&Bytes::from_range(range));
        self.given_up.subtract(&set);
        self.reset.add(&set);
    }

    pub fn save(&mut self, bytes: &Bytes) {
        self.given_up.subtract(bytes);
        self.reset.subtract(bytes);
    }
}

/// The registers that a call of a procedure makes and ends.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RegisterSummary {
    /// On every path that returns.
    pub made: Held,
    /// On some path.
    pub ended: Held,
    /// Pointers that the call sets after their register has ended, on some path.
    pub reset: Bytes,
}

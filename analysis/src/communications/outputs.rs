//! The memory that a call of MPI overwrites.
//!
//! Postcondition: what is not known exactly is forgotten.

use super::groups::WORLD;
use super::input::written_outside;
use super::machine::{Machine, State};
use super::mpi::Called;
use super::names::SHARING;
use super::value::{Val, Vals};
use super::Flavour;
use crate::program::{Access, Argument, Index, Step, Value};

impl Machine<'_, '_> {
    /// The values that a call writes and that were not set already.
    pub fn outputs(&mut self, called: &Called, is_world: bool, state: &mut State) {
        let Some(entry) = &called.outside.entry else { return };
        let shares = SHARING.contains(&called.name) && is_world;
        // All processes have the same arguments of the command line.
        let kept_parameters = ["request", "array_of_requests", "win", "argc", "argv"];
        let mut kept = called.call.clone();
        for (at, argument) in kept.arguments.iter_mut().enumerate() {
            let Some(parameter) = entry.parameter(at) else { continue };
            let is_kept = kept_parameters.contains(&&parameter.name[..]);
            let uses_only =
                matches!(parameter.handle, None | Some(crate::catalogue::entry::HandleUse::Uses(_)));
            if is_kept || parameter.writes.is_none() && uses_only {
                *argument = Argument::Absent;
            }
        }
        let name = match &called.call.callee {
            crate::program::Callee::Named(name) => name.as_str(),
            _ => return,
        };
        let buffer = self.buffer(called, state);
        if let Some(buffer) = &buffer {
            kept.arguments[buffer.at] = Argument::Absent;
        }
        let memories = written_outside(self.input, name, &kept);
        let values = buffer.map(|buffer| self.received(called, &buffer, shares, state));
        self.forget_or_share(&kept, entry, memories, shares || is_question(called.name), state);
        for (place, size, value) in values.into_iter().flatten() {
            state.store.write(&place, Some(size), &value, &state.mask.clone());
        }
    }

    /// The memory that the call fills, if it is known exactly.
    fn buffer(&self, called: &Called, state: &State) -> Option<Buffer> {
        let names = [
            ("mpi_bcast", "buffer", "count", "datatype"),
            ("mpi_allreduce", "recvbuf", "count", "datatype"),
            ("mpi_reduce", "recvbuf", "count", "datatype"),
            ("mpi_recv", "buf", "count", "datatype"),
        ];
        let (_, buffer, count, datatype) = names.into_iter().find(|names| names.0 == called.name)?;
        let at = called.position(buffer)?;
        let Vals::One(Val::Pointer(memory, first)) = self.memory(called, at, state) else { return None };
        let datatype_at = called.position(datatype)?;
        let bytes = crate::catalogue::datatype::bytes(called.call.arguments.get(datatype_at)?);
        let handle = || {
            let is_open_mpi = match self.flavour {
                Flavour::OpenMpi => true,
                Flavour::Mpich => false,
                Flavour::Unknown => return None,
            };
            let handle = self.number(called, datatype_at, state).known_integer(&state.mask)?;
            crate::catalogue::datatype::bytes_of_handle(handle, is_open_mpi)
        };
        let bytes = bytes.or_else(handle).filter(|bytes| *bytes <= 16)?;
        if let Argument::Reference(access) = called.call.arguments.get(at)? {
            if !is_contiguous(access) {
                return None;
            }
        }
        // An MPI for larger integers has other sizes.
        let element = match called.call.arguments.get(at)? {
            Argument::Reference(access) | Argument::Value(Value::Address(access)) => access.size,
            Argument::Value(_) | Argument::Absent => None,
        };
        if element.is_some_and(|size| size > bytes) {
            return None;
        }
        let count = self.number(called, called.position(count)?, state).known_integer(&state.mask)?;
        (0..=64).contains(&count).then_some(Buffer { at, memory, first, bytes, count })
    }

    /// What the call writes into the elements of the buffer. `MPI_Bcast`: the values that the root has.
    fn received(
        &self,
        called: &Called,
        buffer: &Buffer,
        shares: bool,
        state: &State,
    ) -> Vec<(Vals, u64, Vals)> {
        let root = called.position("root").map(|at| self.number(called, at, state));
        let root = root.and_then(|root| root.known_integer(&state.mask));
        let root = root.and_then(|root| usize::try_from(root).ok()).filter(|root| *root < self.count);
        // The numbers of the processes in another communicator of all of them may be others.
        let is_world = called.position("comm").is_some_and(|at| {
            let value = self.number(called, at, state);
            self.communicator(value.of_process(0), 0) == Some(WORLD)
        });
        let value = |place: &Vals| match (shares, called.name, root) {
            (false, ..) => Vals::different(self.count),
            (true, "mpi_bcast", Some(root)) if is_world => {
                Vals::One(state.store.read(place, Some(buffer.bytes)).of_process(root))
            }
            (true, ..) => Vals::SAME,
        };
        let places = (0..buffer.count).map(|number| {
            Vals::One(Val::Pointer(buffer.memory, buffer.first + number * buffer.bytes as i64))
        });
        places.map(|place| (place.clone(), buffer.bytes, value(&place))).collect()
    }
}

/// Whether the elements that the call gets stand one behind the other.
fn is_contiguous(access: &Access) -> bool {
    access.path.iter().all(|step| match step {
        Step::Elements(dimensions) => match &dimensions[..] {
            [one] => !matches!(one.index, Index::Range { step, .. } if step != 1),
            several => several.iter().all(|one| matches!(one.index, Index::All | Index::At(_))),
        },
        Step::Field { .. } | Step::Dereference => true,
    })
}

/// Memory that a call fills.
struct Buffer {
    /// The argument.
    at: usize,
    memory: crate::sets::Memory,
    first: i64,
    bytes: u64,
    count: i64,
}

/// What every process gets the same answer to.
fn is_question(name: &str) -> bool {
    matches!(name, "mpi_initialized" | "mpi_finalized" | "mpi_type_size" | "mpi_get_version")
}

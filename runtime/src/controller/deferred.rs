//! Registers of static variables of procedures that a restart may not run.
//!
//! Input: registers with `CPPC_DEFERRED`, and those in the state file.
//! Output: at the end of a restart, memory of the runtime with the content of each variable that is not registered yet. It
//! is a register like others, so the next checkpoint saves it again.
//! Postcondition: a procedure finds the saved content in its variables as soon as it registers them.

use super::registers::Registration;
use super::{Controller, Mode, Stop};
use crate::manifest::Kind;
use crate::register::memory::Range;
use crate::register::{Register, RegisterScope};
use crate::restore::{Delivered, Request};
use std::collections::BTreeMap;
use std::ffi::c_int;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What other threads need. They may be the first that run a procedure.
static SHARED: Mutex<Shared> =
    Mutex::new(Shared { is_active: false, contents: BTreeMap::new(), made: Vec::new() });

struct Shared {
    /// `CPPC_Init` has been called.
    is_active: bool,
    /// The content of variables whose procedures have not run since the restart, by name.
    contents: BTreeMap<String, Content>,
    /// The registers that other threads have made since the last checkpoint.
    made: Vec<Made>,
}

/// The content of a variable. It is aligned for every type.
struct Content {
    memory: Box<[u128]>,
    size_bytes: usize,
    count: usize,
    type_code: c_int,
}

/// A register that another thread has made.
struct Made {
    name: String,
    address: usize,
    count: usize,
    type_code: c_int,
    storage: c_int,
    /// The content that was delivered. A register refers to its memory.
    delivered: Option<Content>,
}

impl Content {
    fn address(&self) -> usize {
        self.memory.as_ptr() as usize
    }

    /// Copies the content to a variable. Returns whether the variable has the same type and number of elements.
    fn deliver(&self, made: &Registration) -> bool {
        let is_same = self.count == made.count && self.type_code == made.type_code;
        if is_same {
            let from = Range { address: self.address(), size_bytes: self.size_bytes };
            let to = Range { address: made.address, ..from };
            // SAFETY: `keep_deferred` has allocated this memory, and the program declares the variable with the call.
            unsafe { to.update(from.bytes()) };
        }
        is_same
    }
}

fn shared() -> MutexGuard<'static, Shared> {
    SHARED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether another thread may register static variables now.
pub fn accepts_from_other_thread() -> bool {
    shared().is_active
}

/// Registers a static variable for another thread than that of the other calls. The register exists from the next
/// checkpoint on.
///
/// # Errors
/// The variable has another type than in the state file.
pub fn register_in_other_thread(made: &Registration) -> Result<(), Stop> {
    let mut shared = shared();
    let delivered = shared.contents.remove(made.name);
    if delivered.as_ref().is_some_and(|content| !content.deliver(made)) {
        return Err(other_type(made.name));
    }
    let Registration { address, count, type_code, storage, .. } = *made;
    shared.made.push(Made { name: made.name.to_owned(), address, count, type_code, storage, delivered });
    Ok(())
}

/// From `CPPC_Init` on, registers have an effect.
pub(super) fn begin_deferred() {
    shared().is_active = true;
}

impl Controller {
    /// Whether registers with `CPPC_DEFERRED` have an effect now.
    pub fn accepts_deferred(&self) -> bool {
        self.mode != Mode::Dormant
    }

    /// Such a register belongs to no frame, and to no block that a restart replays.
    pub(super) fn without_frame(&mut self, register: Register) -> Register {
        Register {
            scope: RegisterScope::Program,
            made_at: 0,
            procedure: self.registers.names.symbol(""),
            activation: 0,
            entry: None,
            is_unrecorded: false,
            ..register
        }
    }

    /// Delivers the content that waits for a variable, which is registered now. The register that kept it ends.
    pub(super) fn deliver_waiting(&mut self, made: &Registration) -> Result<bool, Stop> {
        let mut shared = shared();
        let Some(content) = shared.contents.remove(made.name) else { return Ok(false) };
        if !content.deliver(made) {
            return Err(other_type(made.name));
        }
        drop(shared);
        self.end_register_at(content.address());
        Ok(true)
    }

    fn end_register_at(&mut self, address: usize) {
        let found = self.registers.table.live().find(|(_, register)| register.address == address);
        if let Some(id) = found.map(|(id, _)| id) {
            self.registers.table.end(id);
        }
    }

    /// Makes the registers of other threads.
    pub(super) fn take_from_other_threads(&mut self) -> Result<(), Stop> {
        let made = std::mem::take(&mut shared().made);
        for Made { name, address, count, type_code, storage, delivered } in made {
            if let Some(content) = delivered {
                self.end_register_at(content.address());
            }
            self.register(Registration {
                section: 0,
                address,
                count,
                type_code,
                name: &name,
                storage,
                kind: Kind::Memory,
                here: 0,
                keeps_size: false,
            })?;
        }
        Ok(())
    }

    /// At the end of a restart: delivers the content to the variables that are registered, and that of others to memory of
    /// the runtime.
    pub(super) fn keep_deferred(&mut self) -> Result<(), Stop> {
        self.take_from_other_threads()?;
        let Some(resumption) = &self.resumption else { return Ok(()) };
        for saved in resumption.delivery.missing_deferred() {
            let element_bytes =
                self.registers.layouts.element_bytes(saved.type_code).map_err(Stop::restart)?;
            let count = saved.count as usize;
            let size_bytes = count.saturating_mul(element_bytes);
            let made_already = self.registered_deferred(&saved.name);
            if made_already.is_some_and(|known| known.count != count || known.type_code != saved.type_code) {
                return Err(other_type(&saved.name));
            }
            let memory = vec![0; size_bytes.div_ceil(size_of::<u128>()).max(1)].into_boxed_slice();
            let content = Content { memory, size_bytes, count, type_code: saved.type_code };
            let made = Registration {
                section: saved.section,
                address: made_already.map_or(content.address(), |known| known.address),
                count,
                type_code: saved.type_code,
                name: &saved.name,
                storage: saved.storage,
                kind: saved.kind,
                here: 0,
                keeps_size: false,
            };
            let register = self.checked(&made).map_err(Stop::restart)?;
            let request = Request {
                name: made.name,
                section: made.section,
                kind: made.kind,
                address: made.address,
                count,
                type_code: made.type_code,
                storage: register.storage,
            };
            let Some(resumption) = &mut self.resumption else { return Ok(()) };
            let delivered = resumption.delivery.deliver(&self.registers.layouts, request, None, false);
            let is_delivered = matches!(delivered.map_err(Stop::restart)?, Delivered::Done { .. });
            if is_delivered && made_already.is_none() {
                self.registers.table.add(register, false);
                shared().contents.insert(saved.name.clone(), content);
            }
        }
        Ok(())
    }

    /// The register of this name that a procedure has made in the restart.
    fn registered_deferred(&self, name: &str) -> Option<Register> {
        let symbol = self.registers.names.known(name)?;
        let mut live = self.registers.table.live().map(|(_, register)| *register);
        live.find(|register| register.name == symbol && register.storage.is_deferred())
    }
}

fn other_type(name: &str) -> Stop {
    Stop::restart(format!("`{name}` has another type or number of elements than in the state file"))
}

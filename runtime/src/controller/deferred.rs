//! Registers of static variables of procedures that a restart may not run.
//!
//! Input: registers with `CPPC_DEFERRED`, and those in the state file.
//! Output: at the end of a restart, memory of the runtime with the content of each variable that is not registered yet. It
//! is a register like others, so the next checkpoint saves it again.
//! Postcondition: a procedure finds the saved content in its variables as soon as it registers them.

use super::registers::Registration;
use super::{Controller, Mode, Stop};
use crate::register::memory::Range;
use crate::register::{Register, RegisterId, RegisterScope};
use crate::restore::{Delivered, Request};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The number of variables that wait for their procedures.
static WAITING: AtomicUsize = AtomicUsize::new(0);
/// Another thread has run a procedure that has not registered its variables.
static IS_MISSED: AtomicBool = AtomicBool::new(false);

/// The content of variables whose procedures have not run since the restart. Its elements are aligned for every type.
pub(super) type Waiting = HashMap<RegisterId, Box<[u128]>>;

/// Another thread than that of the other calls runs a procedure that has not registered its variables. Returns whether the
/// process must end, because they may lack their saved content.
pub fn is_needed_by_other_thread() -> bool {
    IS_MISSED.store(true, Ordering::Relaxed);
    WAITING.load(Ordering::Relaxed) > 0
}

/// What other threads did before `CPPC_Init` does not matter: a restart does it again.
pub(super) fn forget_other_threads() {
    IS_MISSED.store(false, Ordering::Relaxed);
}

/// Why a checkpoint would lack variables.
pub(super) fn missed_in_other_thread() -> Option<String> {
    const REASON: &str =
        "another thread has run a procedure whose static variables are registered: call this procedure \
                          once after `init` in the thread that calls `init`, before other threads call it";
    IS_MISSED.load(Ordering::Relaxed).then(|| REASON.to_owned())
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
        if self.registers.waiting.is_empty() {
            return Ok(false);
        }
        let Ok(register) = self.checked(made) else { return Ok(false) };
        let Some(id) = self.registers.table.same(&register) else { return Ok(false) };
        let Some(content) = self.registers.waiting.remove(&id) else { return Ok(false) };
        WAITING.store(self.registers.waiting.len(), Ordering::Relaxed);
        let Some(kept) = self.registers.table.get(id).copied() else { return Ok(false) };
        self.registers.table.end(id);
        if kept.count != register.count || kept.type_code != register.type_code {
            return Err(Stop::restart(format!(
                "`{}` has another type or number of elements than in the state file",
                made.name
            )));
        }
        let from = Range { address: content.as_ptr() as usize, size_bytes: kept.size_bytes() };
        let to = Range { address: made.address, ..from };
        // SAFETY: `keep_deferred` has allocated this memory, and the program declares the variable with the call.
        unsafe { to.update(from.bytes()) };
        Ok(true)
    }

    /// Delivers what no procedure has registered in the restart to memory of the runtime.
    pub(super) fn keep_deferred(&mut self) -> Result<(), Stop> {
        let Some(resumption) = &self.resumption else { return Ok(()) };
        for saved in resumption.delivery.missing_deferred() {
            let element_bytes =
                self.registers.layouts.element_bytes(saved.type_code).map_err(Stop::restart)?;
            let count = saved.count as usize;
            let size_bytes = count.saturating_mul(element_bytes);
            let content = vec![0; size_bytes.div_ceil(size_of::<u128>()).max(1)].into_boxed_slice();
            let made = Registration {
                section: saved.section,
                address: content.as_ptr() as usize,
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
            if let Delivered::Done { .. } = delivered.map_err(Stop::restart)? {
                let id = self.registers.table.add(register, false);
                self.registers.waiting.insert(id, content);
            }
        }
        WAITING.store(self.registers.waiting.len(), Ordering::Relaxed);
        Ok(())
    }
}

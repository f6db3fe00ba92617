//! The calls of the program, as methods of `Controller`. It connects all other modules.
//!
//! Input: calls of the program, after the C interface has checked them.
//! Output: the result of each call, or the reason why the run must stop.
//! Postcondition: a failed call has changed nothing that a later checkpoint would save wrongly.

pub mod messages;
mod attempt;
mod blocks;
mod validity;
pub mod elements;
pub mod registers;
pub mod fields;
mod before_init;
pub mod cells;
mod exit;
mod files;
pub mod deferred;
mod file_numbers;
mod rehearsal;
pub mod requests;
mod message_check;
mod hidden_addresses;
mod checkpoint;
mod ranks;
mod rounds;
mod meetings;
mod reports;
mod init;
pub mod followed;
pub mod graph_roots;
mod shapes;
mod selectors;
mod shutdown;
mod structures;
pub mod nodes;
pub mod trees;
mod unlinked;
mod access_paths;

use crate::agree::Communicator;
use crate::arithmetic::Arithmetic;
use crate::checkpoint::Schedule;
use crate::graph::derived_types::DerivedTypes;
use crate::graph::GraphTypes;
use crate::lock::Lock;
use crate::manifest::RunIdentity;
use crate::plan::{Frames, Replay};
use crate::register::{Layouts, Names, RegisterId, Symbol, Table};
use crate::restore::{Delivery, Undo};
use crate::settings::Settings;
use crate::storage::Directory;
use crate::write::Dumper;
use cppc_abi::exit_statuses::ExitStatus;
use messages::Messages;
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fmt::Display;
use std::sync::Arc;

pub use exit::at_exit;
pub use init::{own_command_line, Connect};

/// The phase of the run. It determines the effect of every call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Before `CPPC_Init`.
    Dormant,
    Normal,
    Restarting,
    /// After `CPPC_Shutdown`, or after an internal failure.
    Finished,
}

/// Why the run must stop. To continue would give wrong results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stop {
    pub message: String,
    pub status: ExitStatus,
}

impl Stop {
    /// The state cannot be restored.
    pub(crate) fn restart(error: impl Display) -> Stop {
        Stop { message: format!("cannot resume: {error}"), status: ExitStatus::Fault }
    }
}

/// The runtime of one process.
pub struct Controller {
    mode: Mode,
    registers: Registers,
    /// What the calls of one `register` directive leave for the next of them.
    directive: OpenDirective,
    frames: Frames,
    /// The upper end of the stack of the calling thread.
    stack_base: usize,
    files: files::Files,
    schedule: Schedule,
    ranks: ranks::NextRanks,
    messages: Arc<Messages>,
    /// The errors that are already reported.
    reported: HashSet<String>,
    startup: Startup,
    service: Option<Service>,
    resumption: Option<Resumption>,
    messages_checked: message_check::MessageCheck,
    address_search: hidden_addresses::AddressSearch,
}

/// What the program has registered.
#[derive(Default)]
struct Registers {
    table: Table,
    names: Names,
    layouts: Layouts,
    graph_types: GraphTypes,
    trees: trees::Trees,
    unlinked: Vec<unlinked::Unlinked>,
    /// The registers before `CPPC_Init` whose variables are not registered again.
    early: Vec<before_init::EarlyRegister>,
    /// Why a register or a capture failed. The state would be incomplete without it.
    incomplete: Option<String>,
    /// The procedures that register followed arrays of their own, with the names of these arrays.
    own_followed: HashSet<(Symbol, Symbol)>,
}

/// A `register` directive becomes several calls: this is what the earlier ones leave for the later ones.
#[derive(Default)]
struct OpenDirective {
    /// A structure whose fields are being described.
    described: Option<structures::Described>,
    /// Derived types that contain pointers.
    derived_types: DerivedTypes,
    /// The root of the graph whose address is passed next.
    root: Option<graph_roots::AnnouncedRoot>,
    /// The element that is registered next.
    element: Option<elements::Element>,
    /// The layout of the field that is registered next.
    fields: Option<fields::AnnouncedFields>,
    remaining_elements: Option<elements::RemainingElements>,
    /// The register that the last registering call made.
    latest: Option<RegisterId>,
    /// Whether a restart needs the same shape for it.
    latest_keeps_size: bool,
}

/// What is known of the program before `CPPC_Init`.
#[derive(Default)]
struct Startup {
    fingerprint: String,
    /// The program name and the settings that `CPPC_Arguments` removed.
    set_aside: Vec<OsString>,
    /// The program name and the remaining arguments of the program, as `CPPC_Arguments` left them.
    command_line: Vec<OsString>,
}

/// What exists between `CPPC_Init` and `CPPC_Shutdown`.
struct Service {
    communicator: Box<dyn Communicator>,
    settings: Settings,
    dumper: Dumper,
    guard: attempt::Guard,
    /// The same for the mirror.
    mirror_guard: Option<attempt::Guard>,
    directory: Directory,
    /// The process that called `CPPC_Init`, or its child that continues for it.
    process: u32,
    /// When that process was started.
    started: u64,
    run: u64,
    attempt: u64,
    identity: RunIdentity,
    next_number: u64,
    /// None if no dump is ever due.
    rounds: Option<rounds::Rounds>,
}

impl Service {
    fn locks(&self) -> impl Iterator<Item = &Arc<Lock>> {
        self.guard.lock().into_iter().chain(self.mirror_lock())
    }

    fn mirror_lock(&self) -> Option<&Arc<Lock>> {
        self.mirror_guard.as_ref().and_then(attempt::Guard::lock)
    }

    fn release_locks(&self) {
        self.locks().for_each(|lock| lock.release());
    }
}

/// What exists during a restart.
struct Resumption {
    replay: Replay,
    delivery: Delivery,
    undo: Undo,
    /// For registers of followed arrays, by serial: their index in the state file.
    followed: HashMap<u64, usize>,
    /// For a program without numbered blocks: how much was recovered when the checkpoint of the state file
    /// was last passed, and how many checkpoints were passed since anything was recovered.
    passed: Option<usize>,
    fruitless: u32,
    arithmetic: Option<Arithmetic>,
}

impl Default for Controller {
    fn default() -> Controller {
        Controller {
            mode: Mode::Dormant,
            registers: Registers::default(),
            directive: OpenDirective::default(),
            frames: Frames::default(),
            stack_base: 0,
            files: files::Files::default(),
            schedule: Schedule::default(),
            ranks: ranks::NextRanks::default(),
            messages: Arc::default(),
            reported: HashSet::new(),
            startup: Startup::default(),
            service: None,
            resumption: None,
            messages_checked: message_check::MessageCheck::Off,
            address_search: hidden_addresses::AddressSearch::default(),
        }
    }
}

impl Controller {
    #[inline]
    pub fn mode(&self) -> Mode {
        self.mode
    }

    pub fn is_restarting(&self) -> bool {
        self.mode == Mode::Restarting
    }

    /// Sets the fingerprint of the program, before `CPPC_Init`.
    pub fn identify(&mut self, fingerprint: &str) {
        if self.mode == Mode::Dormant {
            fingerprint.clone_into(&mut self.startup.fingerprint);
        } else {
            self.complain("`CPPC_Identify` comes too late: call it before `CPPC_Init`");
        }
    }

    /// Reports an error. The same message is printed only once.
    pub fn complain(&mut self, message: &str) {
        if self.reported.insert(message.to_owned()) {
            self.messages.failure(message);
        }
    }

    /// Reports the reason, and stops all processes.
    pub fn stop(&mut self, stop: &Stop) -> ! {
        self.messages.failure(&stop.message);
        match &self.service {
            Some(service) => {
                // `MPI_Abort` does not run the functions that are registered for exit.
                service.release_locks();
                service.communicator.stop(stop.status as i32)
            }
            None => std::process::exit(stop.status as i32),
        }
    }

    /// Handles an internal failure. The data in memory is not reliable after it. A single process continues without
    /// checkpoints. Several processes stop: the others would wait for this one, in a round of the agreement or in
    /// `CPPC_Shutdown`.
    pub fn break_down(&mut self, what: &str) -> Option<Stop> {
        let was = std::mem::replace(&mut self.mode, Mode::Finished);
        let message = format!("internal failure in `{what}`: no more checkpoints are written");
        if was == Mode::Restarting {
            return Some(Stop {
                message: format!("internal failure in `{what}` during a restart"),
                status: ExitStatus::Fault,
            });
        }
        let has_others = self.service.as_ref().is_some_and(|service| service.communicator.processes() > 1);
        if has_others && was != Mode::Finished {
            return Some(Stop {
                message: format!(
                    "internal failure in `{what}`: all processes stop, and a restart resumes the newest recovery line"
                ),
                status: ExitStatus::Fault,
            });
        }
        self.complain(&message);
        None
    }

    fn procedure(&self) -> &str {
        self.registers.names.text(self.frames.top().procedure)
    }
}

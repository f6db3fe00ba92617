//! The calls, as methods: the one place where everything below comes together.
//!
//! In: calls of the program, checked by the boundary. Out: what each call returns, or why the run has to
//! stop. Holds afterwards: the mode says what every call means; a call that fails has changed nothing
//! that a later checkpoint would save wrongly.

mod attempt;
mod blocks;
pub mod cells;
pub mod elements;
mod exit;
mod files;
mod checkpoint;
mod init;
pub mod followed;
mod standing;
pub mod registers;
mod reports;
mod shapes;
mod shutdown;
pub mod speech;
mod structures;
mod ways;

use crate::checkpoint::Rhythm;
use crate::manifest::Origin;
use crate::negotiate::Communicator;
use crate::plan::{Frames, Replay};
use crate::register::{Layouts, Names, RegisterId, Symbol, Table};
use crate::restore::{Delivery, Undo};
use crate::settings::Settings;
use crate::storage::Directory;
use crate::write::Dumper;
use speech::Speech;
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fmt::Display;
use std::sync::Arc;

pub use exit::at_exit;
pub use init::{own_command_line, Connect};

/// What the calls mean now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Before `CPPC_Init`.
    Dormant,
    Normal,
    Restarting,
    /// After `CPPC_Shutdown`, or after a failure of our own.
    Finished,
}

/// Why the run has to stop: going on would be wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stop {
    pub message: String,
    pub code: i32,
}

impl Stop {
    /// The state cannot be put back.
    pub(crate) fn restart(error: impl Display) -> Stop {
        Stop { message: format!("cannot resume: {error}"), code: 1 }
    }
}

/// The service of one process.
pub struct Controller {
    mode: Mode,
    names: Names,
    layouts: Layouts,
    table: Table,
    frames: Frames,
    rhythm: Rhythm,
    speech: Arc<Speech>,
    said: HashSet<String>,
    fingerprint: String,
    /// The program's name and the settings that `CPPC_Arguments` took, for `CPPC_Init`.
    set_aside: Vec<OsString>,
    /// The program's name and its own arguments, as `CPPC_Arguments` left them.
    command_line: Vec<OsString>,
    /// The upper end of the stack of the thread that calls.
    stack_base: usize,
    /// A register that could not be made: what would be saved is not the whole state.
    incomplete: Option<String>,
    files: files::Files,
    /// A structure that is being described by the places of its fields.
    described: Option<structures::Described>,
    /// The element that is registered next.
    element: Option<elements::Element>,
    round: Option<elements::Round>,
    /// What the last call that registers something has made.
    latest: Option<RegisterId>,
    /// Names that a procedure registers for arrays of its own whose memory moves.
    own: HashSet<(Symbol, Symbol)>,
    service: Option<Service>,
    resumption: Option<Resumption>,
}

/// What there is between `CPPC_Init` and `CPPC_Shutdown`.
struct Service {
    communicator: Box<dyn Communicator>,
    settings: Settings,
    dumper: Dumper,
    guard: attempt::Guard,
    directory: Directory,
    /// The one that called `CPPC_Init`, or its child that has taken its place.
    process: u32,
    /// When that was started.
    started: u64,
    run: u64,
    attempt: u64,
    origin: Origin,
    next_number: u64,
}

/// What there is during a restart.
struct Resumption {
    replay: Replay,
    delivery: Delivery,
    undo: Undo,
    /// For registers of followed arrays, by serial: their number in the file.
    followed: HashMap<u64, usize>,
    /// In the papers' form: how much was recovered when the right checkpoint was last passed, and how
    /// many checkpoints were passed since something was.
    passed: Option<usize>,
    fruitless: u32,
}

impl Default for Controller {
    fn default() -> Controller {
        Controller {
            mode: Mode::Dormant,
            names: Names::default(),
            layouts: Layouts::default(),
            table: Table::default(),
            frames: Frames::default(),
            rhythm: Rhythm::default(),
            speech: Arc::default(),
            said: HashSet::new(),
            fingerprint: String::new(),
            set_aside: Vec::new(),
            command_line: Vec::new(),
            stack_base: 0,
            incomplete: None,
            files: files::Files::default(),
            described: None,
            element: None,
            round: None,
            latest: None,
            own: HashSet::new(),
            service: None,
            resumption: None,
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

    /// The fingerprint of the program, before `CPPC_Init`.
    pub fn identify(&mut self, fingerprint: &str) {
        if self.mode == Mode::Dormant {
            fingerprint.clone_into(&mut self.fingerprint);
        } else {
            self.complain("`CPPC_Identify` comes too late: call it before `CPPC_Init`");
        }
    }

    /// Says something that went wrong; the same only once.
    pub fn complain(&mut self, message: &str) {
        if self.said.insert(message.to_owned()) {
            self.speech.failure(message);
        }
    }

    /// Says why, and stops the run of all processes.
    pub fn stop(&mut self, stop: &Stop) -> ! {
        self.speech.failure(&stop.message);
        match &self.service {
            Some(service) => {
                // `MPI_Abort` runs nothing at exit.
                if let Some(lock) = service.guard.lock() {
                    lock.release();
                }
                service.communicator.stop(stop.code)
            }
            None => std::process::exit(stop.code),
        }
    }

    /// Something of ours failed: what is in memory cannot be trusted.
    pub fn break_down(&mut self, what: &str) -> Option<Stop> {
        let was = std::mem::replace(&mut self.mode, Mode::Finished);
        let message = format!("internal failure in `{what}`: no more checkpoints are written");
        if was == Mode::Restarting {
            return Some(Stop { message: format!("internal failure in `{what}` during a restart"), code: 1 });
        }
        self.complain(&message);
        None
    }

    fn procedure(&self) -> &str {
        self.names.text(self.frames.top().procedure)
    }
}

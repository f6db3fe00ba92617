//! What follows an internal failure of the runtime: no process waits for ever.

use cppc_runtime::agree::communicator::Words;
use cppc_runtime::agree::{Communicator, SingleProcess};
use cppc_runtime::controller::{Controller, Mode};
use std::ffi::OsString;

const HERE: usize = 1 << 40;

/// One of several processes. The others always agree with it.
struct One<const PROCESSES: u32> {
    alone: SingleProcess,
}

impl<const PROCESSES: u32> Communicator for One<PROCESSES> {
    fn rank(&self) -> u32 {
        0
    }
    fn processes(&self) -> u32 {
        PROCESSES
    }
    fn min_u64(&self, value: u64) -> u64 {
        value
    }
    fn max_u64(&self, value: u64) -> u64 {
        value
    }
    fn broadcast_u64(&self, _root: u32, value: u64) -> u64 {
        value
    }
    fn barrier(&self) {}
    fn start_min(&self, value: u64) {
        self.alone.start_min(value);
    }
    fn finished_min(&self) -> Option<u64> {
        self.alone.finished_min()
    }
    fn wait_mins(&self) {}
    fn start_round(&self, words: Words) {
        self.alone.start_round(words);
    }
    fn finished_round(&self) -> Option<Words> {
        self.alone.finished_round()
    }
    fn end(&self, _code: i32) -> ! {
        panic!("the run ends")
    }
    fn stop(&self, _code: i32) -> ! {
        panic!("the run is stopped")
    }
}

/// A program between two checkpoints.
fn running<const PROCESSES: u32>() -> Controller {
    let dir = std::env::temp_dir().join(format!("cppc-failures-{PROCESSES}-{}", std::process::id()));
    let dir = format!("--cppc-dir={}", dir.display());
    let mut arguments =
        ["failing", &dir, "--cppc-lock=false", "--cppc-log=quiet"].map(OsString::from).to_vec();
    let mut controller = Controller::default();
    controller.enter("main", 2, HERE).unwrap();
    let connect = || {
        let one: Box<dyn Communicator> = Box::new(One::<PROCESSES> { alone: SingleProcess::new() });
        Ok(one)
    };
    controller.init(&mut arguments, connect, HERE).unwrap();
    controller
}

#[test]
fn a_single_process_continues_without_checkpoints() {
    let mut controller = running::<1>();
    assert!(controller.break_down("CPPC_Register").is_none());
    assert!(controller.mode() == Mode::Finished);
}

/// Before, the others waited in the next round for ever.
#[test]
fn several_processes_stop() {
    let mut controller = running::<2>();
    let stop = controller.break_down("CPPC_Register").unwrap();
    assert!(stop.message.contains("all processes stop"), "{}", stop.message);
}

#[test]
fn a_failure_before_init_stops_nobody() {
    let mut controller = Controller::default();
    assert!(controller.break_down("CPPC_Enter").is_none());
}

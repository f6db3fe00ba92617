//! The calls in a loop allocate no memory.
//!
//! Input: a program's calls, repeated.
//! Output: the number of allocations.
//! Postcondition: there are none after the first iterations.

use cppc_runtime::agree::SingleProcess;
use cppc_runtime::controller::cells::{Loop, Value};
use cppc_runtime::controller::followed::PassedArray;
use cppc_runtime::controller::registers::Registration;
use cppc_runtime::controller::Controller;
use cppc_runtime::manifest::Kind;
use cppc_runtime::register::Pairs;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: everything is passed to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.with(|asked| asked.set(asked.get() + 1));
        // SAFETY: the caller guarantees it.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller guarantees it.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const HERE: usize = 1 << 40;

#[test]
fn calls_in_a_loop_ask_for_no_memory() {
    let mut controller = Controller::default();
    let scratch = std::env::temp_dir().join(format!("cppc-steady-{}", std::process::id()));
    let dir = format!("--cppc-dir={}", scratch.display());
    let mut arguments = vec!["steady".into(), dir.into(), "--cppc-every=0".into()];
    controller.enter("main", 3, HERE).unwrap();
    controller.init(&mut arguments, || Ok(Box::new(SingleProcess::new())), HERE).unwrap();
    controller.jump_next().unwrap();
    assert_eq!(arguments.len(), 1);
    for turn in 0..200 {
        round(&mut controller, turn);
    }
    let before = ASKED.with(Cell::get);
    for turn in 200..2000 {
        round(&mut controller, turn);
    }
    assert_eq!(ASKED.with(Cell::get), before);
    controller.leave(HERE).unwrap();
    let _ = std::fs::remove_dir_all(scratch);
}

/// An execute block with a capture, a call whose frame registers an automatic variable and a static one, a
/// register block in the loop, a checkpoint.
fn round(controller: &mut Controller, turn: u64) {
    static PLACE: [u64; 2] = [0; 2];
    let captured = turn % 5;
    let address = &raw const captured as usize;
    controller.execute(1, HERE).unwrap();
    controller.capture(address, 1, cppc_abi::types::UNSIGNED_LONG, "turn", true).unwrap();
    controller.jump_next().unwrap();

    assert!(controller.call(2, Some("inner"), HERE).unwrap());
    controller.capture(address, 1, cppc_abi::types::UNSIGNED_LONG, "turn", true).unwrap();
    assert_eq!(controller.enter("inner", 1, HERE - 1000).unwrap(), 0);
    controller.block(1, HERE - 1000).unwrap();
    register(controller, "local", address, cppc_abi::storage::AUTOMATIC);
    register(controller, "global", PLACE.as_ptr() as usize, cppc_abi::storage::STATIC);
    controller.jump_next().unwrap();
    controller.leave(HERE - 1000).unwrap();
    assert!(!controller.return_from(2, HERE).unwrap());
    controller.jump_next().unwrap();

    let value = |slot, type_code| Value { cell_number: slot, address, count: 1, type_code, here: HERE };
    save(controller, value(7, cppc_abi::types::UNSIGNED_LONG));
    save(controller, value(9, cppc_abi::types::INTEGER_8));
    let header = Loop {
        cell_number: 10,
        first: address,
        last: address,
        step: address,
        type_code: cppc_abi::types::INTEGER_8,
        here: HERE,
    };
    controller.enter_loop(header).unwrap();
    controller.take(value(9, cppc_abi::types::INTEGER_8)).unwrap();

    controller.block(3, HERE).unwrap();
    controller
        .register_cell(value(12, cppc_abi::types::INTEGER_8), 0, "counter", cppc_abi::storage::AUTOMATIC)
        .unwrap();
    let followed = Registration {
        section: 0,
        address: 0,
        count: 0,
        type_code: cppc_abi::types::INTEGER_8,
        name: "array",
        storage: cppc_abi::storage::AUTOMATIC,
        kind: Kind::Memory,
        here: HERE,
        keeps_size: false,
    };
    controller.register_followed(followed).unwrap();
    let pairs = Pairs::new(None, &[1], &[2]).unwrap();
    controller.follow(PassedArray { name: "array", address, pairs, type_code: None }).unwrap();
    register(controller, "other", PLACE.as_ptr() as usize + 8, cppc_abi::storage::STATIC);
    controller.jump_next().unwrap();
    assert!(!controller.checkpoint(4, HERE).unwrap());
    controller.jump_next().unwrap();
}

fn save(controller: &mut Controller, value: Value) {
    if !controller.save_at_once(value) {
        controller.save(value);
    }
}

fn register(controller: &mut Controller, name: &str, address: usize, storage: i32) {
    let (section, count, type_code, kind) = (0, 1, cppc_abi::types::UNSIGNED_LONG, Kind::Memory);
    let (here, keeps_size) = (HERE, false);
    let made = Registration { section, address, count, type_code, name, storage, kind, here, keeps_size };
    controller.register(made).unwrap();
}

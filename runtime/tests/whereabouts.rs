//! How a restart finds registered memory.
//!
//! Input: the calls of a program, and those of its resumed run, whose memory has other addresses.
//! Output: restored content, or the reason for a refusal.
//! Postcondition: nothing is copied to other registered memory, or beyond the known size.

mod running;

use cppc_abi::storage::{AUTOMATIC, CONSTANT, PARAMETER, STATIC};
use cppc_abi::types::POINTER;
use cppc_runtime::controller::registers::Registration;
use cppc_runtime::controller::Stop;
use cppc_runtime::manifest::Kind;
use running::{Program, TestDirectory, INTEGER_4};
use std::cell::Cell;

/// Memory that the runtime writes to.
type Numbers = [Cell<i32>];

fn numbers<const COUNT: usize>(values: [i32; COUNT]) -> [Cell<i32>; COUNT] {
    values.map(Cell::new)
}

fn values(numbers: &Numbers) -> Vec<i32> {
    numbers.iter().map(Cell::get).collect()
}

fn leading_to(number: &Cell<i32>) -> Cell<*mut i32> {
    Cell::new(number.as_ptr())
}

fn null() -> Cell<*mut i32> {
    Cell::new(std::ptr::null_mut())
}

fn register(program: &mut Program, name: &str, memory: &Numbers) -> Result<(), Stop> {
    let (address, count) = (memory.as_ptr() as usize, memory.len());
    let made = Registration { address, count, ..program.registration(name, INTEGER_4, STATIC) };
    program.controller.register(made).map(|_| ())
}

fn register_pointer(
    program: &mut Program,
    slot: &Cell<*mut i32>,
    count: usize,
    storage: i32,
) -> Result<(), Stop> {
    let address = slot.as_ptr() as usize;
    let made =
        Registration { address, count, kind: Kind::Pointer, ..program.registration("p", INTEGER_4, storage) };
    program.controller.register(made).map(|_| ())
}

/// Registers `a`, `b`, a structure with a pointer and optionally a pointer without elements; then comes the
/// checkpoint.
fn run(
    place: &TestDirectory,
    a: &Numbers,
    b: &Numbers,
    pointer: &Cell<*mut i32>,
    end: Option<&Cell<*mut i32>>,
) -> Result<bool, Stop> {
    let (mut program, _) = place.start(3);
    program.block(2);
    register(&mut program, "a", a)?;
    register(&mut program, "b", b)?;
    let made = program.registration("pointer", POINTER, STATIC);
    program.controller.register(Registration { address: pointer.as_ptr() as usize, count: 1, ..made })?;
    if let Some(end) = end {
        register_pointer(&mut program, end, 0, STATIC | CONSTANT)?;
    }
    program.jump_next();
    program.try_checkpoint(3)
}

#[test]
fn what_was_apart_does_not_meet() {
    let place = TestDirectory::new("meet");
    let (a, b) = (numbers([1, 2, 3, 4]), numbers([5, 6]));
    assert_eq!(run(&place, &a, &b, &null(), None), Ok(false));
    let memory = numbers([0; 8]);
    let stop = run(&place, &memory[..4], &memory[3..5], &null(), None).unwrap_err();
    assert!(
        stop.message.contains("`b` is now in the memory of `a`, with which it did not share memory"),
        "{}",
        stop.message
    );
    assert_eq!(run(&place, &memory[..4], &memory[4..6], &null(), None), Ok(true));
    assert_eq!(values(&memory), [1, 2, 3, 4, 5, 6, 0, 0]);
}

#[test]
fn where_two_variables_touch_a_pointer_leads_to_the_second() {
    let place = TestDirectory::new("touch");
    let memory = numbers([1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(run(&place, &memory[..4], &memory[4..6], &leading_to(&memory[4]), None), Ok(false));
    let (parted, other, slot) = (numbers([0; 4]), numbers([0; 4]), null());
    assert_eq!(run(&place, &parted, &other[1..3], &slot, None), Ok(true));
    assert_eq!((values(&other).as_slice(), slot.get()), (&[0, 5, 6, 0][..], other[1].as_ptr()));
}

#[test]
fn a_pointer_without_elements_keeps_variables_together_that_touch() {
    let place = TestDirectory::new("end");
    let memory = numbers([1, 2, 3, 4, 5, 6, 7, 8]);
    let end = leading_to(&memory[4]);
    assert_eq!(run(&place, &memory[..4], &memory[4..6], &null(), Some(&end)), Ok(false));
    let (parted, other) = (numbers([0; 4]), numbers([0; 4]));
    let stop = run(&place, &parted, &other[1..3], &null(), Some(&null())).unwrap_err();
    assert!(
        stop.message.contains("`b` does not directly follow the variable before it any more"),
        "{}",
        stop.message
    );
    let (again, slot) = (numbers([0; 6]), null());
    assert_eq!(run(&place, &again[..4], &again[4..], &null(), Some(&slot)), Ok(true));
    assert_eq!((values(&again).as_slice(), slot.get()), (&[1, 2, 3, 4, 5, 6][..], again[4].as_ptr()));
}

#[test]
fn a_parameter_gets_no_more_than_the_program_knows_it_has() {
    let place = TestDirectory::new("constant");
    let storage = AUTOMATIC | PARAMETER | CONSTANT;
    let memory = numbers([1, 2, 3]);
    let pointer = leading_to(&memory[0]);
    let (mut program, _) = place.start(3);
    program.block(2);
    register_pointer(&mut program, &pointer, 3, storage).unwrap();
    program.jump_next();
    program.checkpoint(3);
    for (count, outcome) in [(2, Err(())), (3, Ok(()))] {
        let again = numbers([0; 3]);
        let slot = leading_to(&again[0]);
        let (mut program, _) = place.start(3);
        program.block(2);
        let made = register_pointer(&mut program, &slot, count, storage);
        assert_eq!(made.as_ref().map_err(|_| ()).copied(), outcome, "{made:?}");
        assert_eq!(values(&again), if outcome.is_ok() { [1, 2, 3] } else { [0; 3] });
    }
}

//! Arrays whose memory moves, through a stop and a restart.
//!
//! Input: the calls of a translated Fortran program.
//! Output: the content of its arrays.
//! Postcondition: content is copied to the address that was passed last; an array that cannot be restored
//! ends the restart.

mod running;

use cppc_abi::storage::{AUTOMATIC, PARAMETER, STATIC};
use cppc_runtime::controller::followed::PassedArray;
use cppc_runtime::register::Pairs;
use cppc_runtime::restore::Reallocation;
use running::{Program, TestDirectory, INTEGER_4};

fn bounds(lower: i64, upper: i64) -> Pairs {
    Pairs::new(None, &[lower], &[upper]).unwrap()
}

fn whole(array: &[i32]) -> Pairs {
    bounds(1, array.len() as i64)
}

/// Registers the array and, in a normal run, passes its address.
fn register(program: &mut Program, name: &str, storage: i32) -> Option<Reallocation> {
    let made = program.registration(name, INTEGER_4, storage);
    program.controller.register_followed(made).unwrap()
}

fn follow(program: &mut Program, name: &str, array: &[i32], pairs: Pairs) {
    let address = array.as_ptr() as usize;
    program.controller.follow(PassedArray { name, address, pairs, type_code: Some(INTEGER_4) }).unwrap();
}

fn gone(program: &mut Program, name: &str) {
    program.controller.follow(PassedArray { name, address: 0, pairs: Pairs::NONE, type_code: None }).unwrap();
}

fn deliver(program: &mut Program, name: &str, array: &[i32]) {
    program.controller.fill_followed(name, array.as_ptr() as usize).unwrap();
}

/// A program that has reached its checkpoint, 3: `u` has the bounds 2 to 5, `gone` is not allocated.
fn stopped(place: &TestDirectory) {
    let (mut program, _) = place.start(3);
    let first = vec![1, 2, 3];
    program.block(2);
    assert_eq!(register(&mut program, "u", AUTOMATIC), None);
    follow(&mut program, "u", &first, whole(&first));
    assert_eq!(register(&mut program, "gone", AUTOMATIC), None);
    follow(&mut program, "gone", &first, whole(&first));
    program.jump_next();
    drop(first);
    let second = vec![10, 20, 30, 40];
    follow(&mut program, "u", &second, bounds(2, 5));
    gone(&mut program, "gone");
    assert!(!program.checkpoint(3));
}

/// The restart up to the checkpoint: the memory of `u`.
fn resumed(place: &TestDirectory) -> (Program, Vec<i32>) {
    let (mut program, next) = place.start(3);
    assert_eq!(next, 2);
    program.block(2);
    assert_eq!(register(&mut program, "u", AUTOMATIC), Some(Reallocation::Allocated(bounds(2, 5))));
    let u = vec![0; 4];
    deliver(&mut program, "u", &u);
    follow(&mut program, "u", &u, bounds(2, 5));
    assert_eq!(register(&mut program, "gone", AUTOMATIC), Some(Reallocation::NotAllocated));
    gone(&mut program, "gone");
    assert_eq!(program.jump_next(), 3);
    assert_eq!(u, [10, 20, 30, 40]);
    (program, u)
}

#[test]
fn bounds_and_content_come_back() {
    let place = TestDirectory::new("bounds");
    stopped(&place);
    let manifest = place.manifest(1);
    let names: Vec<(&str, u64)> =
        manifest.registers.iter().map(|register| (&*register.name, register.count)).collect();
    assert_eq!(names, [("u(:)", 2), ("u", 4), ("gone(:)", 0), ("gone", 0)]);
    let (mut program, u) = resumed(&place);
    follow(&mut program, "u", &u, bounds(2, 5));
    gone(&mut program, "gone");
    assert!(program.checkpoint(3));
    assert_eq!(u, [10, 20, 30, 40]);
}

#[test]
fn content_goes_to_where_the_array_was_named_last() {
    let place = TestDirectory::new("moved");
    stopped(&place);
    let (mut program, first) = resumed(&place);
    let u = vec![7; 4];
    follow(&mut program, "u", &u, bounds(2, 5));
    drop(first);
    assert!(program.checkpoint(3));
    assert_eq!(u, [10, 20, 30, 40]);
}

#[test]
fn what_is_not_as_it_was_ends_the_restart() {
    let place = TestDirectory::new("unlike");
    stopped(&place);
    let (mut program, u) = resumed(&place);
    follow(&mut program, "u", &u, bounds(1, 4));
    let message = program.try_checkpoint(3).unwrap_err().message;
    assert!(message.contains("`u` has other bounds after the replay"), "{message}");
    let (mut program, _u) = resumed(&place);
    gone(&mut program, "u");
    let message = program.try_checkpoint(3).unwrap_err().message;
    assert!(message.contains("`u` was allocated when the state file was written, but is not"), "{message}");
    let (mut program, u) = resumed(&place);
    follow(&mut program, "gone", &u, whole(&u));
    let message = program.try_checkpoint(3).unwrap_err().message;
    assert!(
        message.contains("`gone` was not allocated when the state file was written, but is"),
        "{message}"
    );
}

#[test]
fn an_array_that_is_not_filled_is_missing() {
    let place = TestDirectory::new("missing");
    stopped(&place);
    let (mut program, _) = place.start(3);
    program.block(2);
    assert!(register(&mut program, "u", AUTOMATIC).is_some());
    gone(&mut program, "u");
    assert!(register(&mut program, "gone", AUTOMATIC).is_some());
    program.jump_next();
    let message = program.try_checkpoint(3).unwrap_err().message;
    assert!(message.contains("the state file has `u`, which the program did not register"), "{message}");
}

#[test]
fn what_the_callee_makes_of_its_argument_counts_for_the_caller() {
    let place = TestDirectory::new("argument");
    let (mut program, _) = place.start(3);
    let u = vec![1, 2, 3];
    program.block(2);
    register(&mut program, "u", AUTOMATIC);
    follow(&mut program, "u", &u, whole(&u));
    program.jump_next();
    program.call(3, "inner");
    program.enter("inner", 2);
    program.block(1);
    register(&mut program, "w", AUTOMATIC | PARAMETER);
    follow(&mut program, "w", &u, whole(&u));
    program.jump_next();
    drop(u);
    let wider = vec![5, 6, 7, 8];
    follow(&mut program, "w", &wider, whole(&wider));
    program.checkpoint(2);
    drop(program);
    let manifest = place.manifest(1);
    assert!(manifest
        .registers
        .iter()
        .filter(|register| !register.name.ends_with(')'))
        .all(|register| register.count == 4));
    assert_eq!(manifest.blocks.len(), 3, "two pairs of bounds and one array");

    let (mut program, _) = place.start(3);
    program.block(2);
    assert_eq!(register(&mut program, "u", AUTOMATIC), Some(Reallocation::Allocated(whole(&wider))));
    let u = vec![0; 4];
    deliver(&mut program, "u", &u);
    follow(&mut program, "u", &u, whole(&u));
    assert_eq!(program.jump_next(), 3);
    program.call(3, "inner");
    program.enter("inner", 2);
    program.block(1);
    assert_eq!(
        register(&mut program, "w", AUTOMATIC | PARAMETER),
        Some(Reallocation::InPlace(whole(&wider)))
    );
    assert_eq!(program.controller.address_of_followed("w"), Some(u.as_ptr() as usize));
    follow(&mut program, "w", &u, whole(&u));
    program.jump_next();
    assert!(program.checkpoint(2));
    assert_eq!(u, wider);
}

#[test]
fn a_name_means_the_own_array_and_never_that_of_a_stranger() {
    let place = TestDirectory::new("names");
    let (mut program, _) = place.start(3);
    let (mine, yours, ours) = (vec![1], vec![2, 2], vec![3, 3, 3]);
    program.block(2);
    register(&mut program, "work", AUTOMATIC);
    follow(&mut program, "work", &mine, whole(&mine));
    register(&mut program, "grid%u", STATIC);
    follow(&mut program, "grid%u", &mine, whole(&mine));
    program.jump_next();
    program.call(3, "other");
    program.enter("other", 2);
    // Neither of these is registered here.
    follow(&mut program, "work", &yours, whole(&yours));
    gone(&mut program, "work");
    // This one belongs to the program.
    follow(&mut program, "grid%u", &ours, whole(&ours));
    program.call(2, "main%inner");
    program.enter("main%inner", 1);
    // This one is contained in `main`.
    follow(&mut program, "work", &ours[..2], bounds(1, 2));
    program.checkpoint(1);
    let counts: Vec<(String, u64)> =
        place.manifest(1).registers.iter().map(|register| (register.name.clone(), register.count)).collect();
    assert!(
        counts.contains(&("work".to_owned(), 2)) && counts.contains(&("grid%u".to_owned(), 3)),
        "{counts:?}"
    );
}

#[test]
fn of_two_pointers_to_one_place_none_moves_with_an_argument() {
    let place = TestDirectory::new("two");
    let (mut program, _) = place.start(3);
    let u = vec![1, 2, 3];
    program.block(2);
    for name in ["p", "t"] {
        register(&mut program, name, AUTOMATIC);
        follow(&mut program, name, &u, whole(&u));
    }
    program.jump_next();
    program.call(3, "inner");
    program.enter("inner", 2);
    program.block(1);
    register(&mut program, "w", AUTOMATIC | PARAMETER);
    follow(&mut program, "w", &u, whole(&u));
    program.jump_next();
    let other = vec![5, 6, 7, 8];
    follow(&mut program, "w", &other, whole(&other));
    program.checkpoint(2);
    let manifest = place.manifest(1);
    let count = |name: &str| {
        manifest.registers.iter().find(|register| register.name == name).map(|register| register.count)
    };
    assert_eq!([count("p"), count("t"), count("w")], [Some(3), Some(3), Some(4)]);
}

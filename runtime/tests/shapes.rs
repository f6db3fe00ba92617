//! Shapes of arrays, from the calls of a program to its state files and through a restart.
//!
//! Input: the calls of a program.
//! Output: the content of its state files.
//! Postcondition: a shape has the number of elements of its register, and a restart does not depend on it.

mod running;

use cppc_abi::statuses::Status;
use cppc_abi::storage::{AUTOMATIC, STATIC};
use cppc_abi::types::CHARACTER;
use cppc_runtime::controller::followed::PassedArray;
use cppc_runtime::controller::registers::Registration;
use cppc_runtime::manifest::{Kind, Manifest};
use cppc_runtime::register::Pairs;
use running::{Program, TestDirectory, INTEGER_4};

fn register(program: &mut Program, name: &str, memory: &mut [i32]) {
    let (address, count) = (memory.as_mut_ptr() as usize, memory.len());
    let made = Registration { address, count, ..program.registration(name, INTEGER_4, STATIC) };
    program.controller.register(made).unwrap();
}

fn shapes(manifest: &Manifest) -> Vec<(&str, Vec<u64>)> {
    let named = |shape: &cppc_runtime::manifest::Shape| {
        (manifest.registers[shape.register as usize].name.as_str(), shape.extents.clone())
    };
    manifest.shapes.iter().map(named).collect()
}

#[test]
fn a_file_says_the_shape_that_was_said_last() {
    let place = TestDirectory::new("shapes");
    let (mut program, _) = place.start(4);
    let (mut grid, mut other, mut gone, mut texts) = ([0; 12], [0; 12], [0; 4], [b' '; 24]);
    let mut null: *mut i32 = std::ptr::null_mut();
    program.block(2);
    assert_eq!(program.controller.set_shape("grid", &[3, 4]), Ok(Status::NotRegistered));
    register(&mut program, "grid", &mut grid);
    assert_eq!(program.controller.set_shape("another", &[3, 4]), Ok(Status::NotRegistered));
    assert_eq!(program.controller.set_shape("grid", &[3, 5]), Ok(Status::BadShape));
    assert_eq!(program.controller.set_shape("grid", &[3, 4]), Ok(Status::Success));
    register(&mut program, "other", &mut other);
    assert_eq!(program.controller.set_shape("other", &[12]), Ok(Status::Success));
    assert_eq!(program.controller.set_shape("grid", &[2, 6]), Ok(Status::NotRegistered), "not the latest");
    let slot = &raw mut null as usize;
    let made = Registration {
        address: slot,
        count: 6,
        kind: Kind::Pointer,
        ..program.registration("null", INTEGER_4, STATIC)
    };
    program.controller.register(made).unwrap();
    assert_eq!(program.controller.set_shape("null", &[2, 3]), Ok(Status::Success));
    let made = Registration {
        address: texts.as_mut_ptr() as usize,
        count: 24,
        ..program.registration("texts", CHARACTER, STATIC)
    };
    program.controller.register(made).unwrap();
    assert_eq!(program.controller.set_shape("texts", &[3]), Ok(Status::Success));
    register(&mut program, "gone", &mut gone);
    assert_eq!(program.controller.set_shape("gone", &[2, 2]), Ok(Status::Success));
    program.jump_next();
    program.checkpoint(3);
    assert_eq!(
        shapes(&place.manifest(1)),
        [("grid", vec![3, 4]), ("texts", vec![3, 8]), ("gone", vec![2, 2])]
    );

    program.controller.unregister(Some("gone"), gone.as_ptr() as usize);
    program.block(4);
    // It has the position of `gone`.
    register(&mut program, "new", &mut gone);
    register(&mut program, "grid", &mut other);
    program.jump_next();
    program.checkpoint(3);
    assert_eq!(shapes(&place.manifest(2)), [("texts", vec![3, 8])], "registered again without a shape");
}

#[test]
fn the_shape_of_what_moves_comes_from_its_bounds() {
    let place = TestDirectory::new("moving-shapes");
    let (mut program, _) = place.start(3);
    let memory = [7; 60];
    let follow = |program: &mut Program, lower: &[i64], upper: &[i64]| {
        let (address, pairs) = (memory.as_ptr() as usize, Pairs::new(None, lower, upper).unwrap());
        program
            .controller
            .follow(PassedArray { name: "u", address, pairs, type_code: Some(INTEGER_4) })
            .unwrap();
        program.checkpoint(3);
    };
    program.block(2);
    let made = program.registration("u", INTEGER_4, AUTOMATIC);
    program.controller.register_followed(made).unwrap();
    program.jump_next();
    follow(&mut program, &[1], &[60]);
    assert_eq!(shapes(&place.manifest(1)), [], "of one dimension");
    follow(&mut program, &[0, 2, 1], &[9, 3, 3]);
    follow(&mut program, &[1, 1], &[0, i64::MAX]);
    assert_eq!(shapes(&place.manifest(2)), [("u", vec![3, 2, 10])]);
    assert_eq!(shapes(&place.manifest(3)), [("u", vec![i64::MAX as u64, 0])]);
}

#[test]
fn another_shape_is_refused() {
    let place = TestDirectory::new("other-shape");
    let run = |said: &[u64]| {
        let (mut program, next) = place.start(3);
        let mut grid = [1; 12];
        program.block(2);
        let address = grid.as_mut_ptr() as usize;
        let made = program.registration("grid", INTEGER_4, AUTOMATIC);
        program.controller.register(Registration { address, count: 12, keeps_size: true, ..made }).unwrap();
        let outcome = program.controller.set_shape("grid", said);
        if next == 0 {
            program.jump_next();
            program.checkpoint(3);
        }
        outcome.map_err(|stop| stop.message)
    };
    assert_eq!(run(&[3, 4]), Ok(Status::Success));
    assert_eq!(run(&[3, 4]), Ok(Status::Success));
    let message = run(&[4, 3]).unwrap_err();
    assert!(message.contains("`grid` is an array of 4 x 3 here and of 3 x 4 in the state file"), "{message}");
}

#[test]
fn a_restart_has_the_shape_of_the_file_whatever_is_said() {
    let place = TestDirectory::new("kept-shapes");
    let stopped = |place: &TestDirectory, shape: &[u64]| {
        let (mut program, _) = place.start(3);
        let mut grid = [1; 12];
        program.block(2);
        register(&mut program, "grid", &mut grid);
        program.controller.set_shape("grid", shape).unwrap();
        program.jump_next();
        program.checkpoint(3);
    };
    let resumed = |said: &[u64]| {
        let (mut program, next) = place.start(3);
        assert_eq!(next, 2);
        let mut grid = [0; 12];
        program.block(2);
        register(&mut program, "grid", &mut grid);
        assert_eq!(program.controller.set_shape("grid", said), Ok(Status::Success));
        assert_eq!((program.jump_next(), grid), (3, [1; 12]));
        assert!(program.checkpoint(3));
        program.checkpoint(3);
    };
    stopped(&place, &[3, 4]);
    resumed(&[u64::MAX, 7]);
    assert_eq!(shapes(&place.manifest(2)), [("grid", vec![3, 4])]);
    resumed(&[6, 2]);
    assert_eq!(shapes(&place.manifest(3)), [("grid", vec![3, 4])]);

    let place = TestDirectory::new("no-shapes");
    stopped(&place, &[12]);
    let (mut program, _) = place.start(3);
    let mut grid = [0; 12];
    program.block(2);
    register(&mut program, "grid", &mut grid);
    assert_eq!(program.controller.set_shape("grid", &[1, 5]), Ok(Status::Success));
    assert_eq!(program.controller.set_shape("grid", &[6, 2]), Ok(Status::Success));
    program.jump_next();
    assert!(program.checkpoint(3));
    program.checkpoint(3);
    assert_eq!(shapes(&place.manifest(2)), [("grid", vec![6, 2])], "of a file that does not say");
}

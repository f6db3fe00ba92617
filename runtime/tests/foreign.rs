//! A restart from the state of a machine with the other byte order, through the controller.
//!
//! Input: state files of this machine, with the byte order reversed.
//! Output: the values of the program's variables.
//! Postcondition: cells, bounds, followed arrays and captures have their earlier values.

#[path = "fixture/forged.rs"]
#[allow(dead_code)] // others use more of it
mod forged;
#[allow(dead_code)]
mod running;

use cppc_abi::storage::AUTOMATIC;
use cppc_runtime::codec::CompressionOptions;
use cppc_runtime::controller::followed::PassedArray;
use cppc_runtime::format::binary::{self, DumpContent};
use cppc_runtime::machine::Machine;
use cppc_runtime::manifest::{Capture, PlanEntry};
use cppc_runtime::register::Pairs;
use cppc_runtime::restore::Reallocation;
use cppc_runtime::storage::{Posix, Storage};
use cppc_runtime::verify::{describe, load};
use running::{Program, TestDirectory, INTEGER_4};

/// The values of `u`, `x` and the captures in the first run.
const U: [i32; 5] = [1, -2, 3, 70000, -1];

fn turn(bytes: &mut [u8], element_bytes: u32) {
    bytes.chunks_exact_mut(element_bytes as usize).for_each(<[u8]>::reverse);
}

fn turn_plan(entries: &mut [PlanEntry]) {
    let captured = |captures: &mut Vec<Capture>| {
        captures.iter_mut().for_each(|capture| turn(&mut capture.bytes, capture.element_bytes))
    };
    for entry in entries {
        match entry {
            PlanEntry::Cells { cells } => {
                cells.iter_mut().for_each(|cell| turn(&mut cell.bytes, cell.element_bytes))
            }
            PlanEntry::Execute { captures, .. } => captured(captures),
            PlanEntry::Call { captures, entries, .. } | PlanEntry::Open { captures, entries, .. } => {
                captured(captures);
                turn_plan(entries);
            }
            _ => {}
        }
    }
}

/// The state file as a machine with the other byte order writes it. Its registers are scalars that share no
/// memory.
fn turn_round(place: &TestDirectory, line: u32) {
    let path = place.path(line);
    let file = load(describe(&Posix, &path).unwrap()).unwrap();
    let mut manifest = file.manifest().clone();
    let mut blocks: Vec<Vec<u8>> =
        (0..manifest.blocks.len()).map(|block| file.block(block).unwrap().to_vec()).collect();
    drop(file);
    for register in &manifest.registers {
        let Some(target) = register.target.filter(|_| register.count > 0) else { continue };
        turn(&mut blocks[target.block as usize], register.element_bytes);
    }
    turn_plan(&mut manifest.plan);
    let slices: Vec<&[u8]> = blocks.iter().map(Vec::as_slice).collect();
    std::fs::remove_file(&path).unwrap();
    let content = DumpContent { blocks: &slices, compression: CompressionOptions::default() };
    binary::write(&*Posix.open_for_writing(&path).unwrap(), &manifest, &content).unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    forged::by_machine(Machine { big_endian: !Machine::THIS.big_endian, ..Machine::THIS }, &mut bytes);
    std::fs::write(&path, bytes).unwrap();
}

fn follow(program: &mut Program, array: &[i32]) {
    let pairs = Pairs::new(None, &[2], &[1 + array.len() as i64]).unwrap();
    let address = array.as_ptr() as usize;
    program.controller.follow(PassedArray { name: "u", address, pairs, type_code: Some(INTEGER_4) }).unwrap();
}

fn capture(program: &mut Program, k: &mut i32) {
    program.controller.capture(&raw mut *k as usize, 1, INTEGER_4, "k", false).unwrap();
}

fn stopped(place: &TestDirectory) {
    let (mut program, _) = place.start(4);
    program.block(2);
    let made = program.registration("u", INTEGER_4, AUTOMATIC);
    assert_eq!(program.controller.register_followed(made).unwrap(), None);
    follow(&mut program, &U);
    program.register_value(1, &mut 6, "x");
    program.jump_next();
    assert!(program.execute(3));
    capture(&mut program, &mut -9);
    program.jump_next();
    program.save(1, &-7);
    program.save(9, &77);
    assert!(!program.checkpoint(4));
}

#[test]
fn all_that_a_program_has_comes_back_from_the_other_byte_order() {
    let place = TestDirectory::new("other-order");
    stopped(&place);
    turn_round(&place, 1);
    let (mut program, next) = place.start(4);
    assert_eq!(next, 2);
    program.block(2);
    let made = program.registration("u", INTEGER_4, AUTOMATIC);
    let pairs = Pairs::new(None, &[2], &[6]).unwrap();
    assert_eq!(program.controller.register_followed(made).unwrap(), Some(Reallocation::Allocated(pairs)));
    let u = vec![0; U.len()];
    program.controller.fill_followed("u", u.as_ptr() as usize).unwrap();
    follow(&mut program, &u);
    assert_eq!(u, U);
    let mut x = 0;
    assert!(program.register_value(1, &mut x, "x"));
    assert_eq!(x, -7);
    assert_eq!(program.jump_next(), 3);
    assert!(!program.execute(3));
    let mut k = 5;
    capture(&mut program, &mut k);
    assert_eq!(k, -9);
    assert_eq!(program.jump_next(), 4);
    let mut y = 0;
    program.take(9, &mut y);
    assert_eq!(y, 77);
    let moved = vec![0; U.len()];
    follow(&mut program, &moved);
    assert!(program.checkpoint(4));
    assert_eq!(moved, U);
}

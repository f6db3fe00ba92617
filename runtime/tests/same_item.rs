//! `*p` and `p[n]` are registers of the same item: the later one replaces the earlier one.

mod running;

use cppc_abi::statuses::Status;
use cppc_abi::storage::AUTOMATIC;
use cppc_runtime::controller::registers::Registration;
use cppc_runtime::manifest::Kind;
use running::{Program, TestDirectory, INTEGER_4};

fn register(program: &mut Program, name: &str, slot: &*mut i32, count: usize) {
    let (address, kind) = (std::ptr::from_ref(slot) as usize, Kind::Pointer);
    let made = Registration { address, count, kind, ..program.registration(name, INTEGER_4, AUTOMATIC) };
    program.controller.register(made).unwrap();
}

fn names(place: &TestDirectory, number: u32) -> Vec<String> {
    place.manifest(number).registers.into_iter().map(|register| register.name).collect()
}

#[test]
fn the_later_register_replaces_the_earlier_one() {
    let place = TestDirectory::new("same-item");
    let (mut program, _) = place.start(4);
    let (slot, other): (*mut i32, *mut i32) = (std::ptr::null_mut(), std::ptr::null_mut());
    program.block(2);
    register(&mut program, "*p", &slot, 1);
    register(&mut program, "q", &other, 4);
    program.jump_next();
    program.checkpoint(3);
    assert_eq!(names(&place, 1), ["*p", "q"]);
    program.block(4);
    register(&mut program, "p", &slot, 4);
    program.jump_next();
    program.checkpoint(3);
    assert_eq!(names(&place, 2), ["q", "p"]);
    let address = std::ptr::from_ref(&slot) as usize;
    assert_eq!(program.controller.unregister(Some("p"), address), Status::Success);
    program.checkpoint(3);
    assert_eq!(names(&place, 3), ["q"]);
}

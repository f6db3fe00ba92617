//! Registers of one field of consecutive structures.
//!
//! Input: the calls of a program, and those of its resumed run, whose memory has other addresses.
//! Output: its state files, restored fields, or the reason for a refusal.
//! Postcondition: bytes between the fields are neither saved nor changed.

mod running;

use cppc_abi::storage::{AUTOMATIC, PARAMETER, STATIC};
use cppc_abi::types::POINTER;
use cppc_runtime::controller::fields::FieldPositions;
use cppc_runtime::controller::registers::Registration;
use cppc_runtime::controller::Stop;
use cppc_runtime::manifest::Kind;
use cppc_runtime::register::FieldLayout;
use running::{Program, TestDirectory, INTEGER_4};
use std::cell::Cell;
use std::mem::offset_of;

#[derive(Default)]
#[repr(C)]
struct Site {
    id: Cell<i32>,
    link: Cell<[i32; 3]>,
    near: Cell<usize>,
}

const SITES: usize = 4;

fn sites(from: i32) -> [Site; SITES] {
    std::array::from_fn(|index| {
        let number = from + 10 * index as i32;
        let link = Cell::new([number, number + 1, number + 2]);
        Site { id: Cell::new(-number), link, near: Cell::new(0) }
    })
}

fn links(sites: &[Site]) -> Vec<[i32; 3]> {
    sites.iter().map(|site| site.link.get()).collect()
}

fn ids(sites: &[Site]) -> Vec<i32> {
    sites.iter().map(|site| site.id.get()).collect()
}

fn layout(offset_bytes: usize, elements: usize) -> FieldPositions {
    FieldPositions::Layout(FieldLayout { offset_bytes, stride_bytes: size_of::<Site>(), elements })
}

fn register(
    program: &mut Program,
    name: &str,
    fields: FieldPositions,
    made: Registration,
) -> Result<(), Stop> {
    program.controller.announce_fields(name, fields);
    program.controller.register(made).map(|_| ())
}

/// Registers the links of an array.
fn register_links(program: &mut Program, name: &str, sites: &[Site]) -> Result<(), Stop> {
    let (address, count) = (sites.as_ptr() as usize, sites.len());
    let made = Registration { address, count, ..program.registration(name, INTEGER_4, STATIC) };
    register(program, name, layout(offset_of!(Site, link), 3), made)
}

/// The same for pointers in the structures.
fn register_near(program: &mut Program, name: &str, sites: &[Site]) -> Result<(), Stop> {
    let (address, count) = (sites.as_ptr() as usize, sites.len());
    let made = Registration { address, count, ..program.registration(name, POINTER, STATIC) };
    register(program, name, layout(offset_of!(Site, near), 1), made)
}

#[test]
fn a_field_is_saved_without_its_neighbours() {
    let place = TestDirectory::new("fields");
    let run = |sites: &[Site], is_resumed: bool| {
        let (mut program, target) = place.start(3);
        assert_eq!(target != 0, is_resumed);
        program.block(2);
        register_links(&mut program, "sites[:].link", sites).unwrap();
        program.jump_next();
        program.checkpoint(3)
    };
    let before = sites(1);
    assert!(!run(&before, false));
    let manifest = place.manifest(1);
    let saved = &manifest.registers[0];
    assert_eq!((saved.name.as_str(), saved.count, saved.element_bytes), ("sites[:].link", 12, 4));
    assert_eq!(manifest.blocks[0].size_bytes, 48);
    let after = sites(500);
    assert!(run(&after, true));
    assert_eq!(links(&after), links(&before));
    assert_eq!(ids(&after), ids(&sites(500)));
}

#[test]
fn the_array_is_where_its_pointer_points_at_the_checkpoint() {
    let place = TestDirectory::new("fields-pointer");
    let run = |first: &[Site], second: &[Site]| {
        let (mut program, _) = place.start(3);
        let slot = Cell::new(first.as_ptr());
        program.block(2);
        let made = Registration {
            address: slot.as_ptr() as usize,
            count: SITES,
            kind: Kind::Pointer,
            ..program.registration("p[:].link", INTEGER_4, AUTOMATIC | PARAMETER)
        };
        register(&mut program, "p[:].link", layout(offset_of!(Site, link), 3), made)?;
        slot.set(second.as_ptr());
        program.jump_next();
        program.try_checkpoint(3)
    };
    let (first, second) = (sites(1), sites(200));
    assert_eq!(run(&first, &second), Ok(false));
    let (again, other) = (sites(700), sites(800));
    // The restart restores the array to which the pointer points when it is registered.
    assert_eq!(run(&again, &other), Ok(true));
    assert_eq!((links(&again), links(&other)), (links(&second), links(&sites(800))));
}

#[test]
fn pointers_to_fields_point_to_the_same_field_again() {
    let place = TestDirectory::new("fields-pointers");
    let run = |sites: &[Site], is_linked: bool| {
        let (mut program, _) = place.start(3);
        program.block(2);
        register_near(&mut program, "near", sites).unwrap();
        register_links(&mut program, "link", sites).unwrap();
        program.jump_next();
        if is_linked {
            for (index, site) in sites.iter().enumerate() {
                site.near.set(sites[SITES - 1 - index].link.as_ptr() as usize + 4 * (index % 3));
            }
            sites[1].near.set(0);
        }
        program.checkpoint(3)
    };
    assert!(!run(&sites(1), true));
    let after = sites(300);
    assert!(run(&after, false));
    let pointed = |index: usize| after[index].near.get() as *const i32;
    assert!(pointed(1).is_null());
    assert_eq!(pointed(0), after[3].link.as_ptr().cast());
    assert_eq!([0, 2, 3].map(|index| unsafe { *pointed(index) }), [31, 13, 1]);
}

#[test]
fn a_pointer_to_another_field_is_refused() {
    for behind in [false, true] {
        let place = TestDirectory::new("fields-other");
        let (mut program, _) = place.start(3);
        let (all, pointer) = (sites(1), Cell::new(0));
        program.block(2);
        let made = program.registration("pointer", POINTER, STATIC);
        let address = pointer.as_ptr() as usize;
        program.controller.register(Registration { address, count: 1, ..made }).unwrap();
        register_links(&mut program, "link", &all).unwrap();
        program.jump_next();
        // The end of `link` is the address of `near`.
        pointer.set(if behind { all[2].link.as_ptr() as usize + 12 } else { all[2].id.as_ptr() as usize });
        program.checkpoint(3);
        assert!(!place.path(1).exists());
    }
}

#[test]
fn fields_share_memory_with_nothing_else() {
    for (is_part, is_refused) in [(false, false), (true, true)] {
        let place = TestDirectory::new("fields-shared");
        let (mut program, _) = place.start(3);
        let all = sites(1);
        program.block(2);
        register_links(&mut program, "link", &all).unwrap();
        register_links(&mut program, "again", if is_part { &all[1..] } else { &all }).unwrap();
        program.jump_next();
        program.checkpoint(3);
        assert_eq!(place.path(1).exists(), !is_refused);
    }
    let place = TestDirectory::new("fields-whole");
    let (mut program, _) = place.start(3);
    let all = sites(1);
    program.block(2);
    register_links(&mut program, "link", &all).unwrap();
    let address = all[3].link.as_ptr() as usize;
    let made = Registration { address, count: 1, ..program.registration("one", INTEGER_4, STATIC) };
    program.controller.register(made).unwrap();
    program.jump_next();
    program.checkpoint(3);
    assert!(!place.path(1).exists());
}

#[test]
fn a_restart_needs_the_structures() {
    let place = TestDirectory::new("fields-null");
    let run = |sites: *const Site, elements: usize| {
        let (mut program, _) = place.start(3);
        let slot = Cell::new(sites);
        program.block(2);
        let made = Registration {
            address: slot.as_ptr() as usize,
            count: SITES,
            kind: Kind::Pointer,
            ..program.registration("p[:].link", INTEGER_4, AUTOMATIC)
        };
        register(&mut program, "p[:].link", layout(offset_of!(Site, link), elements), made)?;
        program.jump_next();
        program.try_checkpoint(3)
    };
    let all = sites(1);
    assert_eq!(run(all.as_ptr(), 3), Ok(false));
    let stop = run(std::ptr::null(), 3).unwrap_err();
    assert!(stop.message.contains("the array of `p[:].link` has no memory here"), "{}", stop.message);
    let stop = run(all.as_ptr(), 5).unwrap_err();
    assert!(stop.message.contains("has 5 elements in each structure here"), "{}", stop.message);
}

#[test]
fn an_array_with_gaps_has_its_own_stride() {
    let place = TestDirectory::new("fields-stride");
    let all = sites(1);
    let (mut program, _) = place.start(3);
    program.block(2);
    let part = |index: usize| all[index].link.as_ptr() as usize;
    let fields = FieldPositions::Structures { first: part(0), second: part(2), structures: 2 };
    let made = Registration { address: part(0), count: 3, ..program.registration("even", INTEGER_4, STATIC) };
    register(&mut program, "even", fields, made).unwrap();
    program.jump_next();
    program.checkpoint(3);
    assert_eq!(place.manifest(1).registers[0].count, 6);
    // The announcement applies to one register.
    let made = Registration { address: part(1), count: 3, ..program.registration("even", INTEGER_4, STATIC) };
    program.block(2);
    program.controller.register(made).unwrap();
    program.jump_next();
    program.checkpoint(3);
    assert_eq!(place.manifest(2).registers[0].count, 3);
}

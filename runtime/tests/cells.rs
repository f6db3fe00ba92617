//! Values in cells, through a stop and a restart.
//!
//! Input: the calls of a translated Fortran program.
//! Output: the values of its variables.
//! Postcondition: the rules for cells and loops in docs/restart-model-fortran.md hold.

mod running;

use cppc_runtime::manifest::{Cell, PlanEntry};
use running::{TestDirectory, INTEGER_4};

/// The contents of the cells of a frame that are not registered.
fn cells(entries: &[PlanEntry]) -> Vec<(u32, i32)> {
    let Some(PlanEntry::Cells { cells }) = entries.first() else { return Vec::new() };
    let number = |cell: &Cell| i32::from_ne_bytes(cell.bytes.clone().try_into().unwrap());
    cells.iter().map(|cell| (cell.number, number(cell))).collect()
}

#[test]
fn values_and_bounds_come_back_at_the_last_block() {
    let place = TestDirectory::new("values");
    let (mut program, next) = place.start(3);
    assert_eq!(next, 0);
    program.block(2);
    assert!(!program.register_value(1, &mut 5, "x"));
    program.jump_next();
    let mut bounds = [1, 10, 3];
    program.enter_loop(2, &mut bounds);
    assert_eq!(bounds, [1, 10, 3]);
    program.save(2, &4);
    program.save(1, &6);
    program.save(9, &77);
    assert!(!program.checkpoint(3));
    drop(program);
    assert_eq!(cells(&place.manifest(1).plan[..1]), []);
    let PlanEntry::Open { entries, .. } = &place.manifest(1).plan[0] else { panic!("main is open") };
    assert_eq!(cells(entries), [(2, 4), (3, 10), (4, 3), (9, 77)]);

    let (mut program, next) = place.start(3);
    assert_eq!(next, 2);
    program.block(2);
    // The last block is not reached yet, so no value is copied back. A loop continues as it was if it would
    // be entered in that state, since the last block may be in it. Other loops are entered once.
    let (mut bounds, mut descending, mut y) = ([7, 8, 0], [9, 2, -2], 1);
    program.enter_loop(2, &mut bounds);
    program.enter_loop(30, &mut descending);
    program.take(9, &mut y);
    assert_eq!((bounds, descending, y), ([4, 10, 3], [1, 1, -2], 1));
    let mut x = 0;
    assert!(program.register_value(1, &mut x, "x"));
    assert_eq!(x, 6);
    assert_eq!(program.jump_next(), 3);
    program.enter_loop(2, &mut bounds);
    assert_eq!(bounds, [4, 10, 3]);
    program.save(1, &123);
    program.save(9, &124);
    program.take(9, &mut y);
    assert_eq!(y, 77);
    assert!(program.checkpoint(3));
    program.take(1, &mut x);
    assert_eq!(x, 6);
    // From here on the run is normal.
    program.save(1, &8);
    program.take(1, &mut x);
    program.save(9, &9);
    program.take(9, &mut y);
    assert_eq!((x, y), (8, 9));
}

#[test]
fn a_cell_whose_register_has_ended_belongs_to_the_frame() {
    let place = TestDirectory::new("ended");
    let (mut program, _) = place.start(3);
    program.block(2);
    program.register_value(1, &mut 5, "x");
    program.register_value(2, &mut 6, "y");
    program.jump_next();
    program.controller.unregister(Some("x"), 0);
    program.save(1, &7);
    program.checkpoint(3);
    drop(program);
    let (mut program, _) = place.start(3);
    program.block(2);
    let (mut x, mut y) = (0, 0);
    assert!(!program.register_value(1, &mut x, "x"));
    assert!(program.register_value(2, &mut y, "y"));
    assert_eq!((x, y), (0, 6));
    program.jump_next();
    program.save(1, &x);
    assert!(program.checkpoint(3));
    program.take(1, &mut x);
    assert_eq!(x, 7);
}

#[test]
fn each_frame_on_the_way_has_its_own_and_one_that_returned_has_none() {
    let place = TestDirectory::new("frames");
    let down = |program: &mut running::Program, level: i32| {
        program.save(1, &(10 * level));
        assert!(program.call(2, "down"));
        assert_eq!(program.enter("down", 2), 0);
    };
    let (mut program, _) = place.start(3);
    // A call that adds an execute block to the restart plan.
    assert!(program.call(2, "down"));
    program.enter("down", 2);
    program.save(1, &99);
    program.execute(1);
    program.jump_next();
    program.leave();
    program.return_from(2);
    program.jump_next();
    down(&mut program, 1);
    down(&mut program, 2);
    program.save(1, &30);
    program.checkpoint(1);
    drop(program);

    let (mut program, next) = place.start(3);
    assert_eq!(next, 2);
    let mut x = 0;
    assert!(!program.call(2, "down"));
    assert_eq!(program.enter("down", 2), 1);
    program.take(1, &mut x);
    assert!(!program.execute(1));
    program.save(1, &98);
    program.take(1, &mut x);
    assert_eq!(x, 0);
    assert_eq!(program.jump_next(), 3);
    program.leave();
    program.return_from(2);
    assert_eq!(program.jump_next(), 2);
    for _ in 0..2 {
        program.save(1, &-1);
        assert!(!program.call(2, "down"));
        program.enter("down", 2);
    }
    assert!(program.checkpoint(1));
    for wanted in [30, 20, 10] {
        program.take(1, &mut x);
        assert_eq!(x, wanted);
        if wanted > 10 {
            program.leave();
            assert!(program.return_from(2));
            program.jump_next();
        }
    }
}

#[test]
fn what_a_cell_cannot_hold_keeps_anything_from_being_written() {
    let place = TestDirectory::new("refused");
    let (mut program, _) = place.start(3);
    program.block(2);
    program.register_value(1, &mut 5, "x");
    program.jump_next();
    // A registered cell keeps its type and size.
    let (wide, here) = (7i64, program.here());
    let address = &raw const wide as usize;
    let value = cppc_runtime::controller::cells::Value {
        cell_number: 1,
        address,
        count: 2,
        type_code: INTEGER_4,
        here,
    };
    assert!(!program.controller.save_at_once(value));
    program.controller.save(value);
    program.checkpoint(3);
    drop(program);
    let (mut program, next) = place.start(3);
    assert_eq!(next, 0, "nothing was written");
    // The number of cells is limited.
    program.save(65_536, &1);
    program.save(-1, &1);
    program.checkpoint(3);
    assert_eq!(place.start(3).1, 0);
}

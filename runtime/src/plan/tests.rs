//! The rules of the plan, each shown by a small run.
//!
//! Input: calls.
//! Output: the plan as one line of text.
//! Postcondition: the rules of docs/restart-model.md.

use super::capture::Captures;
use super::frames::{FrameKind, Frames};
use super::record::{Recording, Targets};
use super::replay::{BlockKind, Disagreement, Replay};
use crate::manifest::{Kind, PlanEntry};
use crate::register::{Names, Register, RegisterScope, Table};
use cppc_abi::storage::{Storage, AUTOMATIC, STATIC};
use cppc_abi::types::INT;
use std::collections::HashMap;

/// A program that makes calls. Stack addresses decrease with the depth.
#[derive(Default)]
struct Program {
    names: Names,
    table: Table,
    frames: Frames,
}

impl Program {
    fn here(&self) -> usize {
        1_000_000 - 10_000 * self.frames.depth() as usize
    }

    fn enter(&mut self, name: &str) -> &mut Self {
        let symbol = self.names.symbol(name);
        let here = self.here() - 10_000;
        self.frames.enter(&mut self.table, symbol, 9, here, false);
        self
    }

    fn leave(&mut self) -> &mut Self {
        let here = self.here();
        assert!(self.frames.leave(&mut self.table, here));
        self
    }

    fn capture(captures: Option<&mut Captures>, value: u8) {
        let captures = captures.expect("a block is under way");
        captures.push(crate::register::Symbol::EMPTY, INT, 1, 1, &[value]);
    }

    fn call(&mut self, block: i32, callee: &str, value: u8) -> &mut Self {
        let (symbol, here) = (self.names.symbol(callee), self.here());
        self.frames.call(&mut self.table, block, symbol, here);
        Self::capture(self.frames.captures(), value);
        self.enter(callee)
    }

    fn returns(&mut self, block: i32) -> &mut Self {
        self.leave();
        let here = self.here();
        assert_eq!(self.frames.return_from(&mut self.table, block, here), Some(false));
        self.frames.end_block();
        self
    }

    fn execute(&mut self, block: i32, value: u8) -> &mut Self {
        let here = self.here();
        self.frames.execute(&mut self.table, block, here);
        Self::capture(self.frames.captures(), value);
        self.frames.end_block();
        self
    }

    fn register(&mut self, block: i32, names: &[&str], flags: i32) -> &mut Self {
        let here = self.here();
        self.frames.block(&mut self.table, block, here);
        for name in names {
            let depth = self.frames.depth();
            let register = Register {
                name: self.names.symbol(name),
                section: 0,
                scope: if flags == AUTOMATIC { RegisterScope::Frame(depth) } else { RegisterScope::Program },
                made_at: depth,
                procedure: crate::register::Symbol::EMPTY,
                activation: 0,
                kind: Kind::Memory,
                address: 8,
                count: 1,
                type_code: INT,
                element_bytes: 4,
                fields: None,
                storage: Storage::new(flags).expect("a known storage"),
                entry: self.frames.register_block(),
                is_unrecorded: false,
                serial: 0,
            };
            self.table.add(register, false);
        }
        self.frames.end_block();
        self
    }

    fn plan(&mut self) -> Vec<PlanEntry> {
        self.frames.prune(&mut self.table);
        let mut registers: HashMap<_, Vec<u32>> = HashMap::new();
        for (_, register) in self.table.live() {
            registers
                .entry(register.entry.expect("made in a block"))
                .or_default()
                .push(register.name.index() as u32);
        }
        Recording { names: &self.names, registers, bound: std::collections::HashSet::new() }
            .plan(self.frames.open(), 8, &|_, _| Ok::<_, ()>(Targets::default()))
            .unwrap()
    }

    fn text(&mut self) -> String {
        let plan = self.plan();
        spell(&plan, &self.names)
    }
}

fn spell(entries: &[PlanEntry], names: &Names) -> String {
    let values = |captures: &[crate::manifest::Capture]| {
        captures.iter().map(|capture| format!("({})", capture.bytes[0])).collect::<String>()
    };
    let spelled = entries.iter().map(|entry| match entry {
        PlanEntry::Init { .. } => "init".to_owned(),
        PlanEntry::Cells { cells } => format!(
            "[{}]",
            cells
                .iter()
                .map(|cell| format!("{}={}", cell.number, cell.bytes[0]))
                .collect::<Vec<_>>()
                .join(" ")
        ),
        PlanEntry::Register { block, registers } => {
            let known = |index: &u32| {
                ["x", "y", "z"]
                    .into_iter()
                    .find(|name| names_index(names, name) == Some(*index))
                    .unwrap_or("?")
            };
            let mut found: Vec<&str> = registers.iter().map(known).collect();
            found.sort_unstable();
            format!("r{block}[{}]", found.join(" "))
        }
        PlanEntry::Execute { block, captures, .. } => format!("e{block}{}", values(captures)),
        PlanEntry::Call { block, callee, captures, entries } => {
            format!("c{block} {callee}{}{{{}}}", values(captures), spell(entries, names))
        }
        PlanEntry::Open { block, callee, captures, entries } => {
            format!("o{block} {callee}{}{{{}}}", values(captures), spell(entries, names))
        }
        PlanEntry::Checkpoint { block } => format!("k{block}"),
    });
    spelled.collect::<Vec<_>>().join(" ")
}

fn names_index(names: &Names, name: &str) -> Option<u32> {
    names.texts().iter().position(|text| text == name).map(|index| index as u32)
}

#[test]
fn an_execute_block_stands_once_for_each_captured_value_at_its_last_place() {
    let mut program = Program::default();
    program.execute(1, 0).execute(1, 1).execute(2, 0).execute(1, 0);
    assert_eq!(program.text(), "e1(1) e2(0) e1(0) k8");
}

/// Registers between the runs are removed again, so that later entries get their numbers.
#[test]
fn each_of_many_runs_is_found_after_entries_were_removed() {
    let (mut program, mut runs, mut state) = (Program::default(), Vec::new(), 1u32);
    for _ in 0..2000 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let (block, value) = (1 + (state >> 16 & 1) as i32, (state >> 20 & 0x7f) as u8);
        if state >> 28 == 0 {
            program.register(3, &["x"], STATIC);
            continue;
        }
        program.execute(block, value);
        runs.retain(|run| *run != (block, value));
        runs.push((block, value));
    }
    let text = program.text();
    let found: Vec<&str> = text.split(' ').filter(|entry| entry.starts_with('e')).collect();
    let expected: Vec<String> = runs.iter().map(|(block, value)| format!("e{block}({value})")).collect();
    assert_eq!(found, expected);
}

#[test]
fn registering_again_moves_the_register_and_empty_entries_leave() {
    let mut program = Program::default();
    program.register(1, &["x", "y"], STATIC).execute(2, 0).register(3, &["x"], STATIC);
    assert_eq!(program.text(), "r1[y] e2(0) r3[x] k8");
    program.register(1, &["y"], STATIC);
    assert_eq!(program.text(), "e2(0) r3[x] r1[y] k8");
}

#[test]
fn a_call_that_leaves_nothing_behind_leaves_the_plan() {
    let mut program = Program::default();
    program.call(1, "f", 0).register(1, &["x"], AUTOMATIC).returns(1);
    assert_eq!(program.text(), "k8");
    program.call(1, "f", 0).execute(2, 5).returns(1);
    assert_eq!(program.text(), "c1 f(0){e2(5)} k8");
}

#[test]
fn a_call_stands_once_for_each_captured_value_unless_a_register_made_in_it_is_live() {
    let mut program = Program::default();
    program
        .call(1, "f", 0)
        .execute(2, 5)
        .returns(1)
        .call(1, "f", 1)
        .execute(2, 6)
        .returns(1)
        .call(1, "f", 0)
        .execute(2, 7)
        .returns(1);
    assert_eq!(program.text(), "c1 f(0){e2(5)} c1 f(1){e2(6)} c1 f(0){e2(7)} k8");
    let mut program = Program::default();
    program
        .call(1, "f", 0)
        .register(2, &["x"], STATIC)
        .returns(1)
        .call(1, "f", 0)
        .register(2, &["y"], STATIC)
        .returns(1);
    assert_eq!(program.text(), "c1 f(0){r2[x]} c1 f(0){r2[y]} k8");
    program.call(1, "f", 0).register(2, &["x"], STATIC).returns(1);
    assert_eq!(program.text(), "c1 f(0){r2[y]} c1 f(0){r2[x]} k8");
}

#[test]
fn open_calls_lead_to_the_checkpoint() {
    let mut program = Program::default();
    program.frames.init();
    program.execute(1, 0).call(4, "f", 3).register(1, &["x"], AUTOMATIC).call(2, "g", 1);
    assert_eq!(program.text(), "init e1(0) o4 f(3){r1[x] o2 g(1){k8}}");
}

#[test]
fn a_frame_that_nobody_announced_is_foreign_and_one_under_an_execute_block_is_free() {
    let mut program = Program::default();
    program.enter("f");
    assert_eq!(program.frames.top().kind, FrameKind::Foreign);
    program.execute(1, 0).leave();
    assert_eq!(program.frames.unreplayable(), Some(program.names.symbol("f")));
    let mut program = Program::default();
    let here = program.here();
    program.frames.execute(&mut program.table, 1, here);
    program.enter("f").execute(1, 0);
    assert_eq!(program.frames.top().kind, FrameKind::Unrecorded);
    program.leave().frames.end_block();
    assert_eq!(program.text(), "e1 k8");
    assert_eq!(program.frames.unreplayable(), None);
}

#[test]
fn a_frame_that_was_left_by_a_jump_is_dropped_with_the_next_call() {
    let mut program = Program::default();
    program.call(1, "f", 0).register(1, &["x"], AUTOMATIC).call(2, "g", 0).register(1, &["y"], AUTOMATIC);
    // Back in the root, which makes another call.
    program.frames.execute(&mut program.table, 5, 1_000_000);
    program.frames.end_block();
    assert_eq!(program.frames.depth(), 0);
    assert_eq!(program.text(), "e5 k8");
    assert_eq!(program.frames.unreplayable(), None);
}

#[test]
fn a_replay_goes_through_the_plan_in_order_and_into_calls() {
    let mut program = Program::default();
    program.frames.init();
    program
        .register(1, &["x"], STATIC)
        .call(2, "f", 1)
        .execute(3, 7)
        .returns(2)
        .execute(4, 0)
        .call(5, "g", 0)
        .register(1, &["y"], AUTOMATIC);
    assert_eq!(program.text(), "init r1[x] c2 f(1){e3(7)} e4(0) o5 g(0){r1[y] k8}");
    let mut replay = Replay::new(&program.plan(), &[]).expect("init is in the root");
    assert_eq!(replay.advance(), Some(1));
    replay.begin("", BlockKind::Register, 1).expect("as planned");
    assert!(replay.may_be_changed());
    assert_eq!(replay.advance(), Some(2));
    replay.begin("", BlockKind::Call, 2).expect("as planned");
    assert!(matches!(replay.enter("g"), Err(Disagreement::Entered { .. })));
    assert_eq!(replay.enter("f"), Ok(Some(3)));
    replay.begin("f", BlockKind::Execute, 3).expect("as planned");
    assert_eq!(replay.capture("f", "").expect("one capture").bytes, [7]);
    assert!(replay.capture("f", "").is_err());
    assert_eq!(replay.advance(), None);
    replay.leave("f").expect("all is done");
    assert_eq!(replay.advance(), Some(4));
    assert!(matches!(replay.begin("", BlockKind::Register, 4), Err(Disagreement::Block { .. })));
    assert_eq!(replay.advance(), Some(5));
    assert_eq!(replay.enter("g"), Ok(Some(1)));
    assert!(!replay.may_be_changed());
    assert_eq!(replay.leave("g"), Err(Disagreement::Left("g".into())));
}

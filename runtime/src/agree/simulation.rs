//! The agreement of 2 to 10,000 processes, simulated without a thread for each.
//!
//! The actions of a process depend only on its files and on the results of its collectives. Each process is
//! therefore run from its beginning to the first collective without a result. When all processes have reached
//! it, the result is known, and they are run again. The simulation also checks that all processes call the
//! same collectives in the same order.

use super::common::{common_line, first_text, largest_in_common, Candidates, Line, Refused};
use super::communicator::Words;
use super::Communicator;
use std::cell::Cell;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Call {
    Min,
    Max,
    Broadcast(u32),
    Barrier,
}

/// A process has reached a collective without a result.
struct Waiting;

struct Process<'a> {
    rank: u32,
    processes: u32,
    answers: &'a [u64],
    at: Cell<usize>,
    asked: Cell<Option<(Call, u64)>>,
}

impl Process<'_> {
    fn call(&self, call: Call, value: u64) -> u64 {
        let at = self.at.replace(self.at.get() + 1);
        self.answers.get(at).copied().unwrap_or_else(|| {
            self.asked.set(Some((call, value)));
            resume_unwind(Box::new(Waiting))
        })
    }
}

impl Communicator for Process<'_> {
    fn rank(&self) -> u32 {
        self.rank
    }
    fn processes(&self) -> u32 {
        self.processes
    }
    fn min_u64(&self, value: u64) -> u64 {
        self.call(Call::Min, value)
    }
    fn max_u64(&self, value: u64) -> u64 {
        self.call(Call::Max, value)
    }
    fn broadcast_u64(&self, root: u32, value: u64) -> u64 {
        self.call(Call::Broadcast(root), value)
    }
    fn barrier(&self) {
        self.call(Call::Barrier, 0);
    }
    fn start_min(&self, _value: u64) {}
    fn finished_min(&self) -> Option<u64> {
        None
    }
    fn wait_mins(&self) {}
    fn start_round(&self, _words: Words) {}
    fn finished_round(&self) -> Option<Words> {
        None
    }
    fn end(&self, _code: i32) -> ! {
        resume_unwind(Box::new(Waiting))
    }
    fn stop(&self, _code: i32) -> ! {
        resume_unwind(Box::new(Waiting))
    }
}

/// Runs all processes. Returns the result of each, and the number of collectives.
fn simulate<T>(processes: u32, run: impl Fn(&dyn Communicator) -> T) -> (Vec<T>, usize) {
    let mut answers = Vec::new();
    loop {
        let mut done = Vec::new();
        let mut meeting: Option<(Call, u64)> = None;
        for rank in 0..processes {
            let process =
                Process { rank, processes, answers: &answers, at: Cell::new(0), asked: Cell::new(None) };
            match catch_unwind(AssertUnwindSafe(|| run(&process))) {
                Ok(result) => done.push(result),
                Err(panic) if !panic.is::<Waiting>() => resume_unwind(panic),
                Err(_) => {
                    let Some((call, value)) = process.asked.get() else { panic!("process {rank} stops") };
                    let so_far = meeting.get_or_insert((call, if call == Call::Min { u64::MAX } else { 0 }));
                    assert_eq!(so_far.0, call, "process {rank} makes another call than those before");
                    match call {
                        Call::Min => so_far.1 = so_far.1.min(value),
                        Call::Max => so_far.1 = so_far.1.max(value),
                        Call::Broadcast(root) if root == rank => so_far.1 = value,
                        Call::Broadcast(_) | Call::Barrier => {}
                    }
                }
            }
        }
        let Some((_, answer)) = meeting else { return (done, answers.len()) };
        assert!(
            done.is_empty(),
            "{} of {processes} processes are done, and the others wait for them",
            done.len()
        );
        answers.push(answer);
    }
}

/// The lines of one process, newest first, and whether their content is intact.
#[derive(Clone)]
struct Files {
    lines: Vec<(Line, bool)>,
    proposed: Option<usize>,
}

impl Candidates for Files {
    fn newest(&mut self, at_most: u64) -> Result<Option<Line>, Refused> {
        self.proposed = self.lines.iter().position(|(line, _)| line.number <= at_most);
        Ok(self.proposed.map(|index| self.lines[index].0))
    }

    fn load(&mut self) -> Result<bool, Refused> {
        Ok(self.proposed.is_some_and(|index| self.lines[index].1))
    }
}

struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % end
    }
}

/// Up to seven lines of two runs. A few processes have lost some, or have damaged ones or ones of the other
/// run.
fn files_of(processes: u32, chance: &mut Chance) -> Vec<Files> {
    let last = 1 + chance.below(7);
    let first_of_second = 1 + chance.below(last + 1);
    let line = |number: u64| Line { number, run: if number < first_of_second { 1 } else { 2 }, attempt: 7 };
    let whole =
        Files { lines: (1..=last).rev().map(|number| (line(number), true)).collect(), proposed: None };
    let mut all = vec![whole; processes as usize];
    for _ in 0..chance.below(6) {
        let lines = &mut all[chance.below(processes.into()) as usize].lines;
        match chance.below(4) {
            0 => lines.retain(|_| chance.below(3) > 0),
            1 => lines.iter_mut().for_each(|(_, is_whole)| *is_whole &= chance.below(3) > 0),
            2 => lines.iter_mut().for_each(|(line, _)| line.run += u64::from(chance.below(4) == 0)),
            _ => drop(lines.drain(..(chance.below(3) as usize).min(lines.len()))),
        }
    }
    all
}

/// The newest intact line of the same run that every process has.
fn wanted(all: &[Files]) -> Option<Line> {
    let first = &all[0].lines;
    let on_all = |wanted: &&(Line, bool)| wanted.1 && all.iter().all(|files| files.lines.contains(wanted));
    first.iter().find(on_all).map(|(line, _)| *line)
}

#[test]
fn from_2_to_10000_processes_agree_on_the_newest_line_that_all_have() {
    let mut chance = Chance(9);
    let (mut agreements, mut collectives, mut ranks) = (0, 0, 0);
    for (processes, times) in [(2, 400), (3, 400), (10, 100), (100, 30), (1000, 6), (10_000, 2)] {
        for _ in 0..times {
            let all = files_of(processes, &mut chance);
            let wanted = wanted(&all);
            let (agreed, calls) = simulate(processes, |communicator| {
                common_line(communicator, &mut all[communicator.rank() as usize].clone())
            });
            assert!(
                agreed.iter().all(|line| *line == Ok(wanted)),
                "{processes} processes: {:?}, and {wanted:?}",
                agreed[0]
            );
            agreements += 1;
            collectives += calls;
            ranks += u64::from(processes);
        }
    }
    println!("{agreements} agreements of 2 to 10000 processes, {ranks} processes in all, {collectives} collectives");
}

#[test]
fn texts_and_numbers_of_10000_processes_are_heard_by_all() {
    let (received, _) = simulate(10_000, |communicator| {
        let rank = communicator.rank();
        let marked = [u64::from(rank % 3), 7][..usize::from(rank % 1000 == 5) * 2].to_vec();
        (
            first_text(communicator, (rank >= 9_998).then_some("the text of rank 9998")),
            largest_in_common(communicator, &marked),
        )
    });
    assert!(
        received
            .iter()
            .all(|received| received.0 == (9_998, "the text of rank 9998".to_owned())
                && received.1 == [7, 2, 1])
    );
}

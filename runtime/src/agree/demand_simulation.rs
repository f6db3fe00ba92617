//! The agreement on demand of 2 to 10,000 processes, simulated with delays, dependencies and crashes.
//!
//! Each process makes calls at its own pace, receives messages of its left neighbour, and gets requests. A
//! reduction is a binomial tree of messages with random delays. State is due at some calls, and the processes meet
//! there. The simulation checks that all processes decide the same at the same call, that a process waits only at
//! the end of a round and at a meeting, that every request is decided, and that all processes reach their end.

use super::communicator::{Words, WORDS};
use super::demand::{Contribution, Decision, Demand, Meeting, Newest, Request};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % end
    }
}

/// What varies between simulations. Times are in nanoseconds.
#[derive(Clone, Copy)]
struct Scene {
    processes: usize,
    /// The calls of most processes.
    calls: u64,
    /// Some processes make fewer calls.
    has_short_processes: bool,
    /// A process receives a message of its left neighbour before each call with a multiple of this number.
    exchange_every: u64,
    /// State is due at each call with a multiple of this number.
    dump_every: u64,
    call_ns: u64,
    /// From this call on, calls take a thousand times longer.
    slow_from: u64,
    delay_ns: u64,
    /// This process dies after so many calls.
    crash: Option<(usize, u64)>,
    requests: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Computes, and makes the next call then.
    Computing,
    /// Waits for a message of the neighbour before its next call.
    Receiving,
    /// Waits for the result of its round, at the last call of it.
    AtDeadline,
    /// Waits for the others at a call at which state is due.
    Meeting,
    /// Waits for the result of its round after its last call.
    Leaving,
    Ended,
    Dead,
}

struct Process {
    demand: Demand,
    step: Step,
    pace: u64,
    calls: u64,
    own_calls: u64,
    /// The call that ends the round.
    deadline: u64,
    /// The number of rounds that have begun here.
    rounds: usize,
    request: Option<Request>,
    contributed: bool,
    last_begin: u64,
    waiting_since: u64,
    spent: u64,
}

/// One reduction.
struct Round {
    arrivals: Vec<Option<u64>>,
    missing: usize,
    smallest: Words,
    /// When each process has the result.
    known: Vec<u64>,
    /// What the first process decided.
    decided: Option<Decision>,
    /// The call at which the first process decided that is not leaving.
    decided_at: Option<u64>,
}

#[derive(Default, Debug)]
struct Report {
    rounds: usize,
    sent: u64,
    most_sent: u64,
    longest_wait: u64,
    requests_decided: u64,
    meetings: u64,
    ended: usize,
}

struct Simulation {
    scene: Scene,
    chance: Chance,
    processes: Vec<Process>,
    rounds: Vec<Round>,
    events: BinaryHeap<Reverse<(u64, usize)>>,
    report: Report,
}

impl Simulation {
    fn new(scene: Scene, seed: u64) -> Simulation {
        let mut chance = Chance(seed);
        let processes = (0..scene.processes)
            .map(|_| Process {
                demand: Demand::default(),
                step: Step::Computing,
                pace: 100 + chance.below(200),
                calls: 0,
                own_calls: match scene.has_short_processes && chance.below(4) == 0 {
                    true => scene.calls / 2 + chance.below(scene.calls / 2),
                    false => scene.calls,
                },
                deadline: 1,
                rounds: 0,
                request: None,
                contributed: false,
                last_begin: 0,
                waiting_since: 0,
                spent: 0,
            })
            .collect();
        let events = (0..scene.processes).map(|rank| Reverse((0, rank))).collect();
        Simulation { scene, chance, processes, rounds: Vec::new(), events, report: Report::default() }
    }

    fn run(mut self) -> Report {
        let mut requests = self.scene.requests;
        while let Some(Reverse((now, rank))) = self.events.pop() {
            if requests > 0 && self.chance.below(20) == 0 {
                requests -= 1;
                let asked = self.chance.below(self.scene.processes as u64) as usize;
                self.processes[asked].request = Some(Request::Checkpoint);
            }
            self.step(now, rank);
        }
        self.report.rounds = self.rounds.len();
        self.report.ended = self.processes.iter().filter(|process| process.step == Step::Ended).count();
        self.check_end();
        self.report
    }

    fn step(&mut self, now: u64, rank: usize) {
        match self.processes[rank].step {
            Step::Ended | Step::Dead => {}
            Step::Computing | Step::Receiving => self.call(now, rank),
            Step::AtDeadline => {
                self.end_round(now, rank);
                self.meet_or_begin(now, rank);
            }
            Step::Meeting => {
                let is_confirmed = self.processes[rank].demand.is_in_confirmation();
                self.end_meeting(rank);
                let process = &mut self.processes[rank];
                if !is_confirmed {
                    if let Some(words) = process.demand.confirm(false, process.calls) {
                        self.contribute(now, rank, words);
                        return self.wait(now, rank, Step::Meeting);
                    }
                }
                self.begin_round(now, rank, false);
                self.compute(now, rank);
            }
            Step::Leaving => {
                self.end_round(now, rank);
                self.leave(now, rank);
            }
        }
    }

    fn call(&mut self, now: u64, rank: usize) {
        let left = (rank + self.scene.processes - 1) % self.scene.processes;
        let neighbour = &self.processes[left];
        let (calls, is_over) =
            (neighbour.calls, neighbour.step == Step::Ended || neighbour.step == Step::Leaving);
        let process = &mut self.processes[rank];
        if process.calls == process.own_calls {
            return self.leave(now, rank);
        }
        let next = process.calls + 1;
        // The neighbour sends it between its calls `next - 1` and `next`.
        if next % self.scene.exchange_every == 0 && calls + 1 < next && !is_over {
            process.step = Step::Receiving;
            return;
        }
        process.calls = next;
        self.wake(now, (rank + 1) % self.scene.processes, Step::Receiving);
        if self.scene.crash == Some((rank, next)) {
            self.processes[rank].step = Step::Dead;
            return;
        }
        if next == self.processes[rank].deadline || self.is_due(next) {
            if self.processes[rank].demand.is_in_round() {
                return self.wait(now, rank, Step::AtDeadline);
            }
            return self.meet_or_begin(now, rank);
        }
        self.compute(now, rank);
    }

    fn is_due(&self, call: u64) -> bool {
        call % self.scene.dump_every == 0
    }

    fn meet_or_begin(&mut self, now: u64, rank: usize) {
        let process = &mut self.processes[rank];
        let call = process.calls;
        if call % self.scene.dump_every == 0 {
            if let Some(words) = process.demand.meet(false, call) {
                self.contribute(now, rank, words);
                return self.wait(now, rank, Step::Meeting);
            }
        } else {
            self.begin_round(now, rank, false);
        }
        self.compute(now, rank);
    }

    fn end_meeting(&mut self, rank: usize) {
        let process = &mut self.processes[rank];
        let round = &mut self.rounds[process.rounds - 1];
        assert_eq!(round.missing, 0);
        let decision = match process.demand.end_meeting(&round.smallest) {
            Meeting::Held { .. } => Decision::Due,
            Meeting::Closed(why) => Decision::Closed(why),
        };
        assert_eq!(
            *round.decided.get_or_insert(decision),
            decision,
            "process {rank} decides like the others"
        );
        assert_eq!(*round.decided_at.get_or_insert(process.calls), process.calls, "at the same call");
        self.report.meetings += 1;
        process.step = Step::Computing;
    }

    fn compute(&mut self, now: u64, rank: usize) {
        let process = &mut self.processes[rank];
        process.step = Step::Computing;
        let slow = if process.calls >= self.scene.slow_from { 1000 } else { 1 };
        let duration = self.scene.call_ns * slow * process.pace / 100 * (50 + self.chance.below(100)) / 100;
        self.events.push(Reverse((now + duration, rank)));
    }

    /// Waits for the result of the round.
    fn wait(&mut self, now: u64, rank: usize, step: Step) {
        let process = &mut self.processes[rank];
        assert!(
            step == Step::Leaving
                || process.calls == process.deadline
                || process.calls % self.scene.dump_every == 0,
            "waits only at the end of a round, and where state is due"
        );
        process.step = step;
        process.waiting_since = now;
        let round = &self.rounds[process.rounds - 1];
        if round.missing == 0 {
            self.events.push(Reverse((now.max(round.known[rank]), rank)));
        }
    }

    fn wake(&mut self, now: u64, rank: usize, step: Step) {
        if self.processes[rank].step == step {
            self.processes[rank].step = Step::Computing;
            self.events.push(Reverse((now, rank)));
        }
    }

    fn begin_round(&mut self, now: u64, rank: usize, is_leaving: bool) {
        let process = &mut self.processes[rank];
        let request = process.request.take();
        let contribution = Contribution {
            request,
            until_due: None,
            dump_cost: Duration::ZERO,
            newest: Newest::Ended(0),
            complete: 0,
            mirrored: 0,
            elapsed: Duration::from_nanos(now - process.last_begin),
            spent: Duration::from_nanos(process.spent),
        };
        let words = match is_leaving {
            true => process.demand.leave(&contribution),
            false => process.demand.begin(&contribution, process.calls).map(|(words, calls)| {
                process.deadline = process.calls + calls;
                words
            }),
        };
        let Some(words) = words else { return };
        process.contributed = request.is_some();
        (process.last_begin, process.spent) = (now, 3_000);
        self.contribute(now, rank, words);
    }

    fn contribute(&mut self, now: u64, rank: usize, words: Words) {
        let process = &mut self.processes[rank];
        let number = process.rounds;
        process.rounds += 1;
        if self.rounds.len() == number {
            let count = self.scene.processes;
            self.rounds.push(Round {
                arrivals: vec![None; count],
                missing: count,
                smallest: [u64::MAX; WORDS],
                known: Vec::new(),
                decided: None,
                decided_at: None,
            });
        }
        let round = &mut self.rounds[number];
        round.smallest.iter_mut().zip(words).for_each(|(smallest, word)| *smallest = word.min(*smallest));
        assert_eq!(round.arrivals[rank].replace(now), None);
        round.missing -= 1;
        if round.missing == 0 {
            self.reduce(now, number);
        }
    }

    /// All processes have arrived: the messages of a binomial tree, to its root and back.
    fn reduce(&mut self, now: u64, number: usize) {
        let count = self.scene.processes;
        let parent = |rank: usize| rank & (rank - 1);
        let arrivals = &self.rounds[number].arrivals;
        let mut up: Vec<u64> = arrivals.iter().map(|time| time.unwrap_or(now)).collect();
        let mut sent = vec![0; count];
        for rank in (1..count).rev() {
            let there = up[rank] + 1 + self.chance.below(self.scene.delay_ns);
            up[parent(rank)] = up[parent(rank)].max(there);
            sent[rank] += 1;
        }
        let mut known = vec![up[0].max(now); count];
        for rank in 1..count {
            known[rank] = known[parent(rank)] + 1 + self.chance.below(self.scene.delay_ns);
            sent[parent(rank)] += 1;
        }
        self.report.sent += sent.iter().sum::<u64>();
        self.report.most_sent = self.report.most_sent.max(sent.into_iter().max().unwrap_or(0));
        for (rank, (process, known)) in self.processes.iter().zip(&known).enumerate() {
            let waits = matches!(process.step, Step::AtDeadline | Step::Meeting | Step::Leaving);
            if waits && process.rounds == number + 1 {
                self.events.push(Reverse(((*known).max(now), rank)));
            }
        }
        self.rounds[number].known = known;
    }

    fn end_round(&mut self, now: u64, rank: usize) {
        let process = &mut self.processes[rank];
        let round = &mut self.rounds[process.rounds - 1];
        assert_eq!(round.missing, 0);
        let outcome = process.demand.end(&round.smallest);
        let is_at_deadline = process.step == Step::AtDeadline;
        let decision = *round.decided.get_or_insert(outcome.decision);
        assert_eq!(outcome.decision, decision, "process {rank} decides like the others");
        if is_at_deadline {
            assert_eq!(*round.decided_at.get_or_insert(process.calls), process.calls, "at the same call");
        }
        if std::mem::take(&mut process.contributed) {
            let is_decided = decision != Decision::Continue;
            assert!(is_decided, "the request of process {rank} is decided in its round");
            self.report.requests_decided += 1;
        }
        if is_at_deadline {
            let waited = now - process.waiting_since;
            process.spent += waited;
            self.report.longest_wait = self.report.longest_wait.max(waited);
        }
        process.step = Step::Computing;
    }

    fn leave(&mut self, now: u64, rank: usize) {
        if !self.processes[rank].demand.is_in_round() {
            self.begin_round(now, rank, true);
        }
        if self.processes[rank].demand.is_in_round() {
            self.wait(now, rank, Step::Leaving);
        } else {
            self.processes[rank].step = Step::Ended;
        }
        self.wake(now, (rank + 1) % self.scene.processes, Step::Receiving);
    }

    fn check_end(&self) {
        let count = self.scene.processes;
        let Some((dead, _)) =
            self.scene.crash.filter(|_| self.processes.iter().any(|one| one.step == Step::Dead))
        else {
            assert_eq!(self.report.ended, count, "every process ends");
            return;
        };
        // Nobody has passed the end of a round that the dead process has not begun.
        let begun = self.processes[dead].rounds;
        for process in &self.processes {
            assert!(process.rounds <= begun + 1);
            assert!(
                process.rounds <= begun || process.step == Step::Leaving || process.calls <= process.deadline
            );
        }
    }
}

fn scene(processes: usize, calls: u64, chance: &mut Chance) -> Scene {
    Scene {
        processes,
        calls,
        has_short_processes: chance.below(3) == 0,
        exchange_every: [1, 3, 50, u64::MAX][chance.below(4) as usize],
        dump_every: [1, 7, 100, u64::MAX][chance.below(4) as usize],
        call_ns: [20, 1_000, 100_000, 50_000_000][chance.below(4) as usize],
        slow_from: chance.below(3 * calls),
        delay_ns: [1_000, 20_000, 5_000_000][chance.below(3) as usize],
        crash: (chance.below(4) == 0)
            .then(|| (chance.below(processes as u64) as usize, 1 + chance.below(calls))),
        requests: chance.below(6),
    }
}

#[test]
fn from_2_to_10000_processes_choose_the_same_calls() {
    let mut chance = Chance(14);
    for (processes, calls, times) in
        [(2, 3000, 300), (3, 2000, 300), (10, 1000, 100), (100, 500, 30), (1000, 200, 8), (10_000, 60, 8)]
    {
        let mut all = Report::default();
        for _ in 0..times {
            let seed = chance.below(u64::MAX);
            let report = Simulation::new(scene(processes, calls, &mut chance), seed).run();
            all.rounds += report.rounds;
            all.sent += report.sent;
            all.most_sent = all.most_sent.max(report.most_sent);
            all.requests_decided += report.requests_decided;
            all.ended += report.ended;
        }
        assert!(all.requests_decided > 0);
        println!(
            "{processes} processes, {times} simulations: {} rounds, {:.2} messages per process and round, at \
             most {}; {} requests decided; {} processes ended",
            all.rounds,
            all.sent as f64 / (all.rounds * processes) as f64,
            all.most_sent,
            all.requests_decided,
            all.ended,
        );
    }
}

fn plain(processes: usize, calls: u64) -> Scene {
    Scene {
        processes,
        calls,
        has_short_processes: false,
        exchange_every: 1,
        dump_every: u64::MAX,
        call_ns: 1000,
        slow_from: u64::MAX,
        delay_ns: 1_000,
        crash: None,
        requests: 0,
    }
}

#[test]
fn rounds_become_long_while_calls_are_short_and_short_when_they_become_slow() {
    let quick = Simulation::new(plain(4, 100_000), 1).run();
    assert!(quick.rounds < 100_000 / 50, "{quick:?}");
    // After the slow-down, a call takes seconds: there is a round for each of them.
    let slow = Scene { call_ns: 10_000_000, slow_from: 1000, ..plain(4, 2000) };
    let slow = Simulation::new(slow, 2).run();
    assert!(slow.rounds > 900, "{slow:?}");
}

#[test]
fn a_process_that_ends_early_closes_the_agreement() {
    let scene = Scene { has_short_processes: true, requests: 5, ..plain(50, 500) };
    for seed in 0..50 {
        assert_eq!(Simulation::new(scene, seed).run().ended, 50);
    }
}

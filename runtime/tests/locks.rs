//! Starts that meet in one directory: on a simulated disk, with simulated processes, hosts and clocks. One
//! operation at a time runs, in an order that a seed determines.

use cppc_runtime::lock::{acquire, Lock, LockError, NotHeld, Owner, ProcessStatus, System};
use cppc_runtime::storage::{Directory, Entry, File, Simulated, Storage};
use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

const LEASE: u64 = 60;

/// The data that all processes share.
#[derive(Debug, Default)]
struct World {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    now: Duration,
    dead: BTreeSet<u32>,
    stopped: BTreeSet<u32>,
    /// The time until which a killed process still exists.
    ending: Option<(u32, Duration)>,
    /// Processes that take turns; `None` outside of a race.
    racing: BTreeSet<u32>,
    waiting: BTreeSet<u32>,
    turn: Option<u32>,
    random: u64,
    /// The factor by which time passes faster in a race, where each process waits for the steps of the
    /// others.
    pace: u32,
    /// Steps until a process is killed.
    left: Vec<(u32, u64)>,
    holders: BTreeSet<u32>,
}

impl State {
    fn next(&mut self, below: usize) -> usize {
        self.random = self.random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.random >> 33) as usize % below
    }

    /// Lets one process continue when all have reached a step.
    fn choose(&mut self) {
        if self.turn.is_none() && !self.racing.is_empty() && self.waiting.len() == self.racing.len() {
            let at = self.next(self.waiting.len());
            self.turn = self.waiting.iter().nth(at).copied();
        }
    }

    fn kill(&mut self, process: u32) {
        self.dead.insert(process);
        self.racing.remove(&process);
        self.holders.remove(&process);
    }
}

impl World {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Waits for the turn of this process. Returns an error if it is killed instead.
    fn step(&self, process: u32) -> io::Result<()> {
        let mut state = self.lock();
        if state.dead.contains(&process) {
            return Err(io::Error::other("killed"));
        }
        if state.racing.contains(&process) {
            state.waiting.insert(process);
            state.choose();
            self.changed.notify_all();
            while state.turn != Some(process) {
                state = self.changed.wait(state).unwrap();
            }
            state.turn = None;
            state.waiting.remove(&process);
        }
        let order = state.left.iter_mut().find(|(ordered, _)| *ordered == process);
        let is_killed = order.is_some_and(|(_, left)| {
            *left = left.saturating_sub(1);
            *left == 0
        });
        if is_killed {
            state.kill(process);
            state.choose();
            self.changed.notify_all();
            return Err(io::Error::other("killed"));
        }
        Ok(())
    }

    fn finish(&self, process: u32) {
        let mut state = self.lock();
        state.racing.remove(&process);
        state.choose();
        self.changed.notify_all();
    }
}

/// The disk as one process sees it.
#[derive(Debug, Clone)]
struct Stepped {
    disk: Simulated,
    world: Arc<World>,
    process: u32,
}

#[derive(Debug)]
struct SteppedFile(Box<dyn File>, Stepped);

impl Stepped {
    fn step(&self) -> io::Result<&Simulated> {
        self.world.step(self.process).map(|()| &self.disk)
    }

    fn file(&self, file: Box<dyn File>) -> Box<dyn File> {
        Box::new(SteppedFile(file, self.clone()))
    }
}

impl Storage for Stepped {
    fn share(&self) -> Arc<dyn Storage> {
        Arc::new(self.clone())
    }
    fn open_for_writing(&self, path: &Path) -> io::Result<Box<dyn File>> {
        Ok(self.file(self.step()?.open_for_writing(path)?))
    }
    fn open_for_reading(&self, path: &Path) -> io::Result<Box<dyn File>> {
        Ok(self.file(self.step()?.open_for_reading(path)?))
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?.rename(from, to)
    }
    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?.link(from, to)
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        self.step()?.remove(path)
    }
    fn create_dir(&self, path: &Path) -> io::Result<()> {
        self.step()?.create_dir(path)
    }
    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        self.step()?.remove_dir(path)
    }
    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        self.step()?.sync_dir(path)
    }
    fn list(&self, path: &Path) -> io::Result<Vec<Entry>> {
        self.step()?.list(path)
    }
    fn entry(&self, path: &Path) -> io::Result<Entry> {
        self.step()?.entry(path)
    }
}

impl File for SteppedFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.1.step()?;
        self.0.read_at(offset, buffer)
    }
    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.1.step()?;
        self.0.write_at(offset, bytes)
    }
    fn sync(&self) -> io::Result<()> {
        self.1.step()?;
        self.0.sync()
    }
    fn truncate(&self, size_bytes: u64) -> io::Result<()> {
        self.1.step()?;
        self.0.truncate(size_bytes)
    }
    fn size_bytes(&self) -> io::Result<u64> {
        self.1.step()?;
        self.0.size_bytes()
    }
}

/// A process on one of the hosts.
#[derive(Clone)]
struct Process {
    world: Arc<World>,
    me: Owner,
    directory: Directory,
}

impl System for Process {
    fn status(&self, owner: &Owner) -> ProcessStatus {
        if !owner.is_on_same_system(&self.me) {
            return ProcessStatus::Unknown;
        }
        let state = self.world.lock();
        // A recycled number has another start time.
        if state.dead.contains(&owner.process) || owner.started != started(owner.process) {
            ProcessStatus::Dead
        } else if let Some((_, until)) = state.ending.filter(|(process, _)| *process == owner.process) {
            if state.now < until {
                ProcessStatus::Ending
            } else {
                ProcessStatus::Dead
            }
        } else if state.stopped.contains(&owner.process) {
            ProcessStatus::Stopped
        } else {
            ProcessStatus::Alive
        }
    }
    fn now(&self) -> Duration {
        self.world.lock().now
    }
    fn wall_clock(&self) -> Duration {
        self.world.lock().now
    }
    fn wait(&self, time: Duration) {
        let _ = self.world.step(self.me.process);
        let mut state = self.world.lock();
        let pace = state.pace.max(1);
        state.now += time * pace;
    }
}

fn started(process: u32) -> u64 {
    1000 + u64::from(process)
}

impl Process {
    fn new(disk: &Simulated, world: &Arc<World>, host: &str, process: u32) -> Process {
        let storage = Stepped { disk: disk.clone(), world: world.clone(), process };
        let attempt = 7000 + u64::from(process);
        let directory = Directory::new(Arc::new(storage), Path::new("/state"), "heat", 0).of_attempt(attempt);
        let me = Owner {
            host: host.to_owned(),
            machine: String::new(),
            boot: format!("boot of {host}"),
            numbers: "pid:[1]".to_owned(),
            process,
            started: started(process),
            since: 0,
            run: 0,
            attempt,
            lease: LEASE,
            heartbeats: 0,
        };
        Process { world: world.clone(), me, directory }
    }

    fn acquire(&self) -> Result<Lock, LockError> {
        acquire(&self.directory, &self.me, self, &mut |_| {})?;
        Ok(Lock::new(self.directory.clone(), self.me.clone(), Arc::new(self.clone()), true))
    }

    fn pass(&self, seconds: u64) {
        self.world.lock().now += Duration::from_secs(seconds);
    }
}

/// Two hosts, and processes that are numbered from 1.
fn world() -> (Simulated, Arc<World>) {
    (Simulated::new(), Arc::default())
}

fn is_held(result: Result<Lock, LockError>) -> bool {
    matches!(result, Err(LockError::Held(_)))
}

fn is_lost(lock: &Lock) -> bool {
    matches!(lock.check(), Err(NotHeld::Lost(_)))
}

#[test]
fn a_live_and_a_stopped_process_keep_their_lock() {
    let (disk, world) = world();
    let [first, second] = [1, 2].map(|process| Process::new(&disk, &world, "a", process));
    let lock = first.acquire().unwrap();
    assert!(is_held(second.acquire()));
    world.lock().stopped.insert(1);
    first.pass(1_000_000);
    let before = world.lock().now;
    let refusal = second.acquire().map(|_| ()).unwrap_err().to_string();
    assert!(refusal.contains("process 1 on host `a`, which is stopped"), "{refusal}");
    assert_eq!(world.lock().now, before, "there is nothing to wait for");
    lock.check().unwrap();
    lock.release();
    second.acquire().unwrap().check().unwrap();
}

#[test]
fn what_dead_processes_have_left_is_in_nobodys_way() {
    let (disk, world) = world();
    for process in 1..20 {
        let before = world.lock().now;
        let next = Process::new(&disk, &world, "a", process);
        next.acquire().unwrap().check().unwrap();
        assert_eq!(world.lock().now, before, "nobody waits for the dead");
        world.lock().kill(process);
    }
    // Another process has the number of the last one by now.
    world.lock().dead.clear();
    let recycled = Process::new(&disk, &world, "a", 19);
    let mut other = recycled.me.clone();
    other.started = 5;
    disk.open_for_writing(&recycled.directory.lock())
        .unwrap()
        .write_at(0, other.to_text().as_bytes())
        .unwrap();
    Process::new(&disk, &world, "a", 30).acquire().unwrap().check().unwrap();
}

/// Releasing much memory takes long: the next start waits for that, and longer than for a process that was
/// not killed.
#[test]
fn a_killed_process_that_has_not_ended_yet_is_waited_for() {
    let (disk, world) = world();
    let [first, second] = [1, 2].map(|process| Process::new(&disk, &world, "a", process));
    first.acquire().unwrap();
    world.lock().ending = Some((1, Duration::from_secs(40)));
    second.acquire().unwrap().check().unwrap();
    let now = world.lock().now;
    assert!((40..42).contains(&now.as_secs()), "{now:?}");
}

#[test]
fn a_silent_process_elsewhere_loses_its_lock_and_notices() {
    let (disk, world) = world();
    let [here, there] =
        [(1, "a"), (2, "b")].map(|(process, host)| Process::new(&disk, &world, host, process));
    let old = there.acquire().unwrap();
    let before = world.lock().now;
    let new = here.acquire().unwrap();
    let waited = (world.lock().now - before).as_secs();
    assert!((LEASE..LEASE + 2).contains(&waited), "{waited}");
    new.check().unwrap();
    let Err(NotHeld::Lost(lost)) = old.check() else { panic!("it has not noticed") };
    assert!(lost.to_string().contains("process 1 on host `a`"), "{lost}");
    old.write_heartbeat();
    old.release();
    new.check().unwrap();
    assert!(is_lost(&old));
}

#[test]
fn a_process_elsewhere_that_beats_keeps_its_lock() {
    let (disk, world) = world();
    let [here, there] =
        [(1, "a"), (2, "b")].map(|(process, host)| Process::new(&disk, &world, host, process));
    let lock = Arc::new(there.acquire().unwrap());
    let beating = lock.clone();
    let mut told = 0;
    // It writes heartbeats while the other one waits.
    let refused = acquire(&here.directory, &here.me, &here, &mut |waiting| {
        assert_eq!(waiting.most, Duration::from_secs(LEASE));
        told += 1;
        beating.write_heartbeat();
    });
    assert!(matches!(refused, Err(LockError::Held(_))) && told == 1);
    lock.check().unwrap();
}

#[test]
fn a_directory_that_somebody_removed_is_locked_again_unless_another_start_may_have_been_there() {
    let (disk, world) = world();
    let first = Process::new(&disk, &world, "a", 1);
    let lock = first.acquire().unwrap();
    disk.remove(&first.directory.lock()).unwrap();
    lock.check().unwrap();
    assert!(is_held(Process::new(&disk, &world, "a", 2).acquire()));
    disk.remove(&first.directory.lock()).unwrap();
    first.pass(LEASE + 1);
    assert!(is_lost(&lock));
    // It stops permanently.
    disk.open_for_writing(&first.directory.lock())
        .unwrap()
        .write_at(0, first.me.to_text().as_bytes())
        .unwrap();
    assert!(is_lost(&lock));
}

#[test]
fn a_lock_that_cannot_be_made_is_made_later_or_lost() {
    let (disk, world) = world();
    let [first, second] = [1, 2].map(|process| Process::new(&disk, &world, "a", process));
    first.directory.make().unwrap();
    disk.fail_at(0, libc::ENOSPC, true);
    assert!(matches!(first.acquire(), Err(LockError::Storage(_))));
    let [lock, late] = [&first, &second].map(|process| {
        Lock::new(process.directory.clone(), process.me.clone(), Arc::new(process.clone()), false)
    });
    assert!(matches!(lock.check(), Err(NotHeld::Unknown { .. })));
    disk.heal();
    lock.check().unwrap();
    assert!(is_lost(&late));
}

#[test]
fn a_lock_without_an_owner_is_waited_for() {
    let (disk, world) = world();
    let first = Process::new(&disk, &world, "a", 1);
    first.directory.make().unwrap();
    disk.open_for_writing(&first.directory.lock()).unwrap().write_at(0, b"torn").unwrap();
    let before = world.lock().now;
    first.acquire().unwrap().check().unwrap();
    assert!((world.lock().now - before).as_secs() >= LEASE);
}

/// The lock at the beginning of a race.
#[derive(Debug, Clone, Copy)]
enum Left {
    Nothing,
    /// The lock of a dead process on the same host.
    Dead,
    /// The lock of a silent process on another host.
    Silent,
}

/// Some processes start at the same time, one of which may be killed at any operation. Returns how many got
/// the lock.
fn race(seed: u64, left: Left, killed: Option<u64>) -> usize {
    let (disk, world) = world();
    match left {
        Left::Nothing => {}
        Left::Dead => drop(Process::new(&disk, &world, "a", 100).acquire().unwrap()),
        Left::Silent => drop(Process::new(&disk, &world, "b", 100).acquire().unwrap()),
    }
    let starts = 2 + (seed % 3) as u32;
    {
        let mut state = world.lock();
        state.dead.insert(100);
        state.racing = (1..=starts).collect();
        state.random = seed;
        state.pace = if matches!(left, Left::Silent) { 200 } else { 10 };
        state.left = killed.map(|steps| (1, steps)).into_iter().collect();
    }
    let got: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (1..=starts)
            .map(|number| {
                let process = Process::new(&disk, &world, "a", number);
                scope.spawn(move || start(&process, seed))
            })
            .collect();
        threads.into_iter().map(|thread| usize::from(thread.join().unwrap())).sum()
    });
    // Whatever remains, the next process gets the lock.
    (1..=starts).for_each(|number| world.lock().kill(number));
    let last = Process::new(&disk, &world, "a", 50);
    last.acquire().unwrap().check().unwrap();
    assert!(last.directory.lock_remains().is_empty(), "seed {seed}, {left:?}");
    got
}

/// Whether it got the lock.
fn start(process: &Process, seed: u64) -> bool {
    let number = process.me.process;
    let got = process.acquire();
    if let Ok(lock) = &got {
        {
            let mut state = process.world.lock();
            // A process that is killed in its last step, which may fail, no longer has the lock.
            if !state.dead.contains(&number) {
                assert!(state.holders.is_empty(), "seed {seed}: {number} and {:?}", state.holders);
                state.holders.insert(number);
            }
        }
        for _ in 0..2 {
            lock.write_heartbeat();
            let alive = !process.world.lock().dead.contains(&number);
            assert!(
                lock.check().is_ok() || process.world.lock().dead.contains(&number) || !alive,
                "seed {seed}: {number} lost it"
            );
        }
        process.world.lock().holders.remove(&number);
        lock.release();
    }
    process.world.finish(number);
    got.is_ok()
}

#[test]
fn of_starts_at_the_same_time_one_at_a_time_has_the_lock() {
    for seed in 0..2500 {
        for left in [Left::Nothing, Left::Dead] {
            assert!(race(seed, left, None) >= 1, "seed {seed}, {left:?}: nobody got it");
        }
    }
    for seed in 0..300 {
        assert!(race(seed, Left::Silent, None) >= 1, "seed {seed}: nobody got it");
    }
}

#[test]
fn starts_that_are_killed_while_they_lock_leave_nothing_that_blocks() {
    for seed in 0..4000 {
        let left = if seed % 2 == 0 { Left::Dead } else { Left::Nothing };
        race(seed, left, Some(1 + seed % 37));
    }
    for seed in 0..300 {
        race(seed, Left::Silent, Some(1 + seed % 67));
    }
}

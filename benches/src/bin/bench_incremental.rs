//! Measures the gain of incremental state files.
//!
//! Input: `CPPC_BENCH_DIR` names a directory on the disk to measure (default: the working directory),
//! `CPPC_BENCH_MIB` a size other than 1024.
//! Output: two rows for each pattern in which 5 % of the memory change between dumps (bytes written, and
//! time, both relative to a full dump), and the cost of a GiB of zeros.
//! Postcondition: the directory is unchanged.
//!
//! The reference is the fastest full dump: that of a run which writes only full dumps. It overwrites a file
//! that is no longer needed. A base file of incremental files is not overwritten, so in a run with both kinds
//! the full dumps take longer than the reference.
//!
//! An incremental dump writes a new file, for which the system needs memory. On a virtual machine whose host
//! has reclaimed free memory this takes milliseconds per MiB, which is more than the rest of the dump, or no
//! time if memory was released shortly before. Therefore the benchmark releases memory before each dump of
//! either kind.

use anyhow::{ensure, Context, Result};
use cppc_abi::storage::DYNAMIC;
use cppc_benches::pairs::{ratio, row};
use cppc_runtime::agree::SingleProcess;
use cppc_runtime::codec::CompressionOptions;
use cppc_runtime::manifest::{
    BlockPlace, Kind, Location, Manifest, MemoryBlock, PlanEntry, Provenance, Register, Scope,
};
use cppc_runtime::memory::MallocBytes;
use cppc_runtime::settings::{Busy, Writer};
use cppc_runtime::storage::{Directory, Posix};
use cppc_runtime::verify::{self, Expectation};
use cppc_runtime::write::{Dumper, Event, Options};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

const PAIRS: usize = 7;
/// One part in this many changes between two dumps.
const SHARE: usize = 20;

fn main() -> Result<()> {
    let mib: usize = std::env::var("CPPC_BENCH_MIB").map_or(Ok(1024), |mib| mib.parse())?;
    let above = std::env::var_os("CPPC_BENCH_DIR").map_or(std::env::current_dir()?, PathBuf::from);
    let scratch = tempfile::Builder::new().prefix("cppc-bench-").tempdir_in(above)?;

    // In one contiguous range; in ranges of a MiB, such as the rows of a matrix; in smaller ranges.
    for (name, stretch_bytes) in [("contiguous", mib << 20), ("1M", 1 << 20), ("128K", 128 << 10)] {
        let memory = RefCell::new(Memory::new(mib << 20)?);
        let full = RefCell::new(Bench::new(&scratch.path().join(format!("{name}-full")), 1)?);
        let incremental = RefCell::new(Bench::new(&scratch.path().join(name), u64::MAX)?);
        let mut bytes = Vec::new();
        incremental.borrow_mut().dump(&memory.borrow())?;
        let measured = || {
            memory.borrow_mut().change(stretch_bytes);
            let (took, size_bytes) = incremental.borrow_mut().dump(&memory.borrow())?;
            bytes.push(size_bytes as f64 / (mib << 20) as f64);
            Ok(took)
        };
        let time = ratio(PAIRS, measured, || Ok(full.borrow_mut().dump(&memory.borrow())?.0))?;
        bytes.sort_by(f64::total_cmp);
        row(&format!("incremental-{name}-bytes"), bytes[bytes.len() / 2], 0.06);
        row(&format!("incremental-{name}-time"), time, 0.35);
        incremental.borrow().check(&memory.borrow())?;
    }

    let zeros = Memory { bytes: MallocBytes::zeroed(mib << 20).context("there is memory")?, state: 0 };
    let mut bench = Bench::new(&scratch.path().join("zeros"), 1)?;
    let (_, size_bytes) = bench.dump(&zeros)?;
    bench.check(&zeros)?;
    row("zero-mib-on-disk", size_bytes as f64 / f64::from(1 << 20), 1.0);
    Ok(())
}

/// The memory of a program, and the next change of it.
struct Memory {
    bytes: MallocBytes,
    state: u64,
}

impl Memory {
    fn new(length: usize) -> Result<Memory> {
        let mut memory = Memory { bytes: MallocBytes::zeroed(length).context("there is memory")?, state: 1 };
        memory.fill(0, length);
        Ok(memory)
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.state >> 11
    }

    fn fill(&mut self, start: usize, length: usize) {
        for at in (start..start + length).step_by(8) {
            let value = self.next() as f64;
            self.bytes.as_mut_slice()[at..at + 8].copy_from_slice(&value.to_ne_bytes());
        }
    }

    /// Changes the share in ranges of this size at random positions, or in one range if the size is larger
    /// than the share.
    fn change(&mut self, stretch_bytes: usize) {
        let (length, share) = (self.bytes.len(), self.bytes.len() / SHARE);
        let stretch = stretch_bytes.min(share) / 8 * 8;
        for _ in 0..share / stretch {
            let start = self.next() as usize % ((length - stretch) / 8) * 8;
            self.fill(start, stretch);
        }
    }
}

struct Bench {
    directory: Directory,
    dumper: Dumper,
    number: u64,
    size_bytes: Arc<Mutex<u64>>,
}

impl Bench {
    fn new(dir: &Path, full_every: u64) -> Result<Bench> {
        let directory = Directory::new(Arc::new(Posix), dir, "bench", 0);
        let options = Options {
            writer: Writer::Binary,
            keep: 1,
            full_every,
            compression: CompressionOptions::default(),
            asynchronous: true,
            busy: Busy::Wait,
        };
        let size_bytes = Arc::new(Mutex::new(0));
        let told = size_bytes.clone();
        let listener = Arc::new(move |event: Event| match event {
            Event::Published { size_bytes, .. } => *told.lock().unwrap() = size_bytes,
            Event::Failed { error, .. } => eprintln!("{error}"),
            _ => {}
        });
        let dumper = Dumper::start(directory.clone(), options, 1, None, listener);
        Ok(Bench { directory, dumper, number: 0, size_bytes })
    }

    /// The time until the file is published, and its size.
    fn dump(&mut self, memory: &Memory) -> Result<(f64, u64)> {
        self.number += 1;
        *self.size_bytes.lock().unwrap() = 0;
        let bytes = memory.bytes.as_slice();
        drop(MallocBytes::zeroed(bytes.len() / 16).context("there is memory")?);
        let began = Instant::now();
        // SAFETY: the memory outlives the call, and nothing else writes to it.
        unsafe {
            self.dumper.dump(
                &SingleProcess::new(),
                manifest(self.number, bytes.len()),
                &[(bytes.as_ptr(), bytes.len())],
            )
        };
        self.dumper.wait();
        let took = began.elapsed().as_secs_f64();
        let size_bytes = *self.size_bytes.lock().unwrap();
        ensure!(size_bytes > 0, "a file was published");
        Ok((took, size_bytes))
    }

    /// Checks that the newest file contains the memory.
    fn check(&self, memory: &Memory) -> Result<()> {
        let expectation = Expectation {
            application: "bench".to_owned(),
            fingerprint: String::new(),
            processes: 1,
            rank: 0,
        };
        let state = verify::open(&Posix, &self.directory.line(self.number), &expectation)?;
        ensure!(state.block(0) == Some(memory.bytes.as_slice()), "the file is the memory");
        Ok(())
    }
}

fn manifest(number: u64, bytes: usize) -> Manifest {
    Manifest {
        provenance: Provenance {
            application: "bench".to_owned(),
            run: 1,
            number,
            processes: 1,
            ..Provenance::default()
        },
        blocks: vec![MemoryBlock { size_bytes: bytes as u64, place: BlockPlace::Heap }],
        registers: vec![Register {
            name: "field".to_owned(),
            section: 0,
            scope: Scope::Program,
            type_code: 21,
            element_bytes: 8,
            count: bytes as u64 / 8,
            storage: DYNAMIC,
            kind: Kind::Memory,
            target: Some(Location { block: 0, offset_bytes: 0 }),
        }],
        plan: vec![PlanEntry::Checkpoint { block: 1 }],
        ..Manifest::default()
    }
}

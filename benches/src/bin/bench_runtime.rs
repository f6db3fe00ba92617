//! Measures the cost of checkpoints against the simplest way to move the same bytes.
//!
//! Input: `CPPC_BENCH_DIR` names a directory on the disk to measure (default: the working directory),
//! `CPPC_BENCH_MIB` a size other than 512.
//! Output: six rows.
//! Postcondition: the directory is unchanged.
//!
//! `crc-share` is the part of a dump's processor time that would not be needed without checksums of its
//! content: the copy, the writes and the sync of a dump are made with and without a checksum of each piece
//! before it is written. It can be negative. A checksum of all memory takes an eighth of the time of a dump
//! by itself, most of it waiting for that memory. But it leaves a piece in the cache for the system, which
//! then waits less.
//!
//! `binary-read` reads and verifies a file in the page cache, into memory that the program then owns. Its
//! reference is the minimum time to read that many bytes into their final place: `cat FILE >/dev/null`,
//! including the start of the process, and a copy of that many bytes into memory that has been used before.
//! So the reference gets no new pages from the system, and the row includes all of them.

use anyhow::{ensure, Context, Result};
use cppc_abi::storage::{DYNAMIC, STATIC};
use cppc_benches::pairs::{processor_seconds_of, ratio, row};
use cppc_runtime::agree::{agree, SingleProcess};
use cppc_runtime::codec::crc32::crc32;
use cppc_runtime::codec::CompressionOptions;
use cppc_runtime::manifest::{
    BlockPlace, Kind, Location, Manifest, MemoryBlock, PlanEntry, Provenance, Register, Scope,
};
use cppc_runtime::settings::{Busy, Restart, Writer};
use cppc_runtime::storage::{Directory, Posix, Storage};
use cppc_runtime::verify::{self, Expectation, MallocBytes};
use cppc_runtime::write::{Dumper, Event, Options};
use std::cell::RefCell;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Instant;

const PAIRS: usize = 9;

fn main() -> Result<()> {
    let mib = std::env::var("CPPC_BENCH_MIB").map_or(Ok(512), |mib| mib.parse())?;
    let above = std::env::var_os("CPPC_BENCH_DIR").map_or(std::env::current_dir()?, PathBuf::from);
    let scratch = tempfile::Builder::new().prefix("cppc-bench-").tempdir_in(above)?;
    let program = Program::new(mib << 20);

    let hold = {
        let bench = RefCell::new(Bench::new(&scratch.path().join("hold"), &program)?);
        let mut copy = program.blocks.clone();
        let memcpy = || {
            let began = Instant::now();
            for (into, from) in copy.iter_mut().zip(&program.blocks) {
                into.copy_from_slice(from);
            }
            std::hint::black_box(&copy);
            Ok(began.elapsed().as_secs_f64())
        };
        ratio(PAIRS, || bench.borrow_mut().held(), memcpy)?
    };
    row("checkpoint-held", hold, 1.2);

    let dumped = {
        let bench = RefCell::new(Bench::new(&scratch.path().join("dump"), &program)?);
        let plain = scratch.path().join("plain");
        ratio(PAIRS, || bench.borrow_mut().dumped(), || write_and_sync(&plain, &program))?
    };
    row("checkpoint-dumped", dumped, 0.9);

    let share = {
        let plain = RefCell::new(Plain::new(&scratch.path().join("share"), &program)?);
        let write = |is_checked| processor_seconds_of(|| plain.borrow_mut().write(is_checked));
        1.0 - 1.0 / ratio(PAIRS, || write(true), || write(false))?
    };
    row("crc-share", share, 0.1);

    row("binary-read", read_to_cat_and_copy(&scratch.path().join("read"), &program)?, 1.3);

    for (name, place) in [("resume-heap", BlockPlace::Heap), ("resume-static", BlockPlace::Program)] {
        let dir = scratch.path().join(name);
        let mut bench = Bench::new(&dir, &program)?;
        bench.place = place;
        bench.dumped()?;
        let file = bench.directory.line(bench.number);
        let directory = bench.directory.clone();
        drop(bench);
        let mut there = program.blocks.clone();
        let resumed = ratio(PAIRS, || resumed(&directory, &program, &mut there), || plainly_read(&file))?;
        row(name, resumed, 1.4);
    }
    Ok(())
}

/// The memory of a program: two arrays and some scalars.
struct Program {
    blocks: Vec<Vec<u8>>,
}

impl Program {
    fn new(bytes: usize) -> Program {
        let array = |seed: usize| -> Vec<u8> {
            (0..bytes / 16)
                .flat_map(|at| [(at * seed) as u64, (at ^ seed) as u64])
                .flat_map(u64::to_le_bytes)
                .collect()
        };
        let mut blocks = vec![array(3), array(40503)];
        blocks.iter_mut().for_each(|block| block.truncate(bytes / 2));
        blocks.extend((0..20).map(|scalar| vec![scalar; 8]));
        Program { blocks }
    }

    fn manifest(&self, number: u64, place: BlockPlace) -> Manifest {
        let block = |bytes: &Vec<u8>| MemoryBlock { size_bytes: bytes.len() as u64, place };
        let register = |(block, bytes): (usize, &Vec<u8>)| Register {
            name: format!("value{block}"),
            section: 0,
            scope: Scope::Program,
            type_code: 21,
            element_bytes: 8,
            count: bytes.len() as u64 / 8,
            storage: if place == BlockPlace::Heap { DYNAMIC } else { STATIC },
            kind: Kind::Memory,
            target: Some(Location { block: block as u32, offset_bytes: 0 }),
        };
        Manifest {
            provenance: Provenance {
                application: "bench".to_owned(),
                run: 1,
                number,
                processes: 1,
                ..Provenance::default()
            },
            blocks: self.blocks.iter().map(block).collect(),
            registers: self.blocks.iter().enumerate().map(register).collect(),
            plan: vec![PlanEntry::Checkpoint { block: 1 }],
            ..Manifest::default()
        }
    }
}

/// A dumper that has reached the state in which it recycles its files.
struct Bench<'a> {
    program: &'a Program,
    directory: Directory,
    dumper: Dumper,
    number: u64,
    place: BlockPlace,
    /// Whether the newest file took the place of an old one; none after a failure.
    recycled: Arc<Mutex<Option<bool>>>,
}

impl<'a> Bench<'a> {
    fn new(dir: &Path, program: &'a Program) -> Result<Bench<'a>> {
        let directory = Directory::new(Arc::new(Posix), dir, "bench", 0);
        let options = Options {
            writer: Writer::Binary,
            keep: 1,
            full_every: 1,
            compression: CompressionOptions::default(),
            asynchronous: true,
            busy: Busy::Wait,
        };
        let recycled = Arc::new(Mutex::new(None));
        let told = recycled.clone();
        let listener = Arc::new(move |event: Event| match event {
            Event::Published { recycled, .. } => *told.lock().unwrap() = Some(recycled),
            Event::Failed { error, .. } => eprintln!("{error}"),
            _ => {}
        });
        let dumper = Dumper::start(directory.clone(), options, 1, None, listener);
        let mut bench = Bench { program, directory, dumper, number: 0, place: BlockPlace::Heap, recycled };
        for _ in 0..3 {
            bench.dump();
            bench.dumper.wait();
        }
        ensure!(*bench.recycled.lock().unwrap() == Some(true), "the third dump recycles a file");
        Ok(bench)
    }

    fn dump(&mut self) {
        self.number += 1;
        let manifest = self.program.manifest(self.number, self.place);
        let ranges: Vec<_> = self.program.blocks.iter().map(|block| (block.as_ptr(), block.len())).collect();
        // SAFETY: the memory of the program outlives the call, and nothing else writes to it.
        unsafe { self.dumper.dump(&SingleProcess::new(), manifest, &ranges) };
    }

    /// The time for which the program is stopped.
    fn held(&mut self) -> Result<f64> {
        self.dumper.wait();
        let began = Instant::now();
        self.dump();
        let held = began.elapsed().as_secs_f64();
        self.dumper.wait();
        Ok(held)
    }

    /// The time until the file is published.
    fn dumped(&mut self) -> Result<f64> {
        *self.recycled.lock().unwrap() = None;
        let began = Instant::now();
        self.dump();
        self.dumper.wait();
        let took = began.elapsed().as_secs_f64();
        ensure!(*self.recycled.lock().unwrap() == Some(true), "a file is recycled");
        Ok(took)
    }
}

fn write_and_sync(path: &Path, program: &Program) -> Result<f64> {
    let began = Instant::now();
    let mut file = File::create(path)?;
    for block in &program.blocks {
        file.write_all(block)?;
    }
    file.sync_all()?;
    let took = began.elapsed().as_secs_f64();
    fs::remove_file(path)?;
    Ok(took)
}

/// The operations of a dump on the content, without the rest of the dump.
struct Plain<'a> {
    program: &'a Program,
    path: PathBuf,
    copy: Vec<MallocBytes>,
}

impl Plain<'_> {
    fn new<'a>(path: &Path, program: &'a Program) -> Result<Plain<'a>> {
        let copy = program.blocks.iter().map(|block| MallocBytes::zeroed(block.len()));
        Ok(Plain {
            program,
            path: path.to_owned(),
            copy: copy.collect::<Option<_>>().context("there is memory")?,
        })
    }

    fn write(&mut self, is_checked: bool) -> Result<()> {
        const PIECE_BYTES: usize = 1 << 20;
        const HASTEN_BYTES: u64 = 8 << 20;
        for (into, from) in self.copy.iter_mut().zip(&self.program.blocks) {
            into.as_mut_slice().copy_from_slice(from);
        }
        let file = Posix.open_for_writing(&self.path)?;
        let (mut written, mut hastened) = (0, 0);
        for piece in self.copy.iter().flat_map(|block| block.as_slice().chunks(PIECE_BYTES)) {
            if is_checked {
                std::hint::black_box(crc32(piece));
            }
            file.write_at(written, piece)?;
            written += piece.len() as u64;
            if written - hastened >= HASTEN_BYTES {
                file.start_writeback(hastened, written - hastened);
                hastened = written;
            }
        }
        file.sync()?;
        Ok(())
    }
}

fn expectation() -> Expectation {
    Expectation { application: "bench".to_owned(), fingerprint: String::new(), processes: 1, rank: 0 }
}

/// Agrees on a line, reads, verifies and delivers the state.
fn resumed(directory: &Directory, program: &Program, there: &mut [Vec<u8>]) -> Result<f64> {
    let expectation = expectation();
    let began = Instant::now();
    let agreed = agree(&SingleProcess::new(), directory, &expectation, Restart::Always, 2)?;
    let mut state = agreed.resume.context("there is state")?;
    let mut handed_over = Vec::new();
    for (index, into) in there.iter_mut().enumerate() {
        if state.manifest().blocks[index].place == BlockPlace::Heap {
            handed_over.extend(state.take_block(index));
        } else {
            into.copy_from_slice(state.block(index).context("the block is there")?);
        }
    }
    let took = began.elapsed().as_secs_f64();
    for (memory, wanted) in handed_over.iter().zip(&program.blocks) {
        ensure!(memory.as_slice() == &wanted[..], "the state is that of the program");
    }
    Ok(took)
}

fn read_to_cat_and_copy(dir: &Path, program: &Program) -> Result<f64> {
    let mut bench = Bench::new(dir, program)?;
    bench.dumped()?;
    let file = bench.directory.line(bench.number);
    drop(bench);
    let mut there = program.blocks.clone();
    let read = || {
        let began = Instant::now();
        let mut state = verify::open(&Posix, &file, &expectation())?;
        let blocks: Vec<_> = (0..program.blocks.len()).map(|block| state.take_block(block)).collect();
        let took = began.elapsed().as_secs_f64();
        let same = |(found, wanted): (&Option<MallocBytes>, &Vec<u8>)| {
            found.as_ref().is_some_and(|found| found.as_slice() == &wanted[..])
        };
        ensure!(blocks.iter().zip(&program.blocks).all(same), "the state is that of the program");
        Ok(took)
    };
    let cat_and_copy = || {
        let began = Instant::now();
        let status = Command::new("cat").arg(&file).stdout(Stdio::null()).status()?;
        ensure!(status.success(), "cat: {status}");
        for (into, from) in there.iter_mut().zip(&program.blocks) {
            into.copy_from_slice(from);
        }
        std::hint::black_box(&there);
        Ok(began.elapsed().as_secs_f64())
    };
    ratio(PAIRS, read, cat_and_copy)
}

fn plainly_read(path: &Path) -> Result<f64> {
    let began = Instant::now();
    let content = fs::read(path)?;
    let took = began.elapsed().as_secs_f64();
    std::hint::black_box(content);
    Ok(took)
}

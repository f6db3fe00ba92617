//! State directories for the tests.
//!
//! Input: what a run is to write.
//! Output: its files, made by the runtime's own writer.
//! Postcondition: a directory is removed when its value is dropped.

use clap::Parser;
use cppc_runtime::agree::{Communicator, SingleProcess, ThreadedProcess};
use cppc_runtime::codec::CompressionOptions;
use cppc_runtime::format::binary::DumpContent;
use cppc_runtime::manifest::*;
use cppc_runtime::settings::{Busy, Compression, Writer};
use cppc_runtime::storage::{Directory, Posix};
use cppc_runtime::verify::Machine;
use cppc_runtime::write::{Dumper, Ending, Options, StateWriter};
use cppc_tools::command::{execute, Arguments, Done};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("cppc-tool-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    pub fn line(&self, rank: u32, number: u64) -> PathBuf {
        Directory::new(Arc::new(Posix), &self.0, "heat", rank).line(number)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub fn memory(rank: u32, number: u64) -> Vec<Vec<u8>> {
    let field: Vec<u8> =
        (0..2000u32).flat_map(|at| (f64::from(at + rank) * 0.5 + number as f64).to_le_bytes()).collect();
    vec![3i32.to_le_bytes().to_vec(), field, b"unnamed\0".to_vec()]
}

pub fn manifest(rank: u32, processes: u32, number: u64) -> Manifest {
    let register = |name: &str, block, type_code, element_bytes, count, kind| Register {
        name: name.to_owned(),
        section: 0,
        scope: Scope::Frame { depth: 1, procedure: "solve".to_owned() },
        type_code,
        element_bytes,
        count,
        storage: 2,
        kind,
        target: Some(Location { block, offset_bytes: 0 }),
    };
    let mut null = register("nothing", 0, 21, 8, 5, Kind::Pointer);
    null.target = None;
    null.scope = Scope::Program;
    let capture = Capture {
        name: "i".to_owned(),
        type_code: 6,
        element_bytes: 4,
        count: 1,
        bytes: vec![2, 0, 0, 0],
        relocations: Vec::new(),
    };
    Manifest {
        provenance: Provenance {
            application: "heat".to_owned(),
            fingerprint: "f00d".to_owned(),
            run: 0xabc,
            number,
            rank,
            processes,
            calls: 70,
            touched: Vec::new(),
            arithmetic: None,
            ..Provenance::default()
        },
        types: Vec::new(),
        blocks: memory(rank, number)
            .iter()
            .map(|bytes| MemoryBlock { size_bytes: bytes.len() as u64, place: BlockPlace::Heap })
            .collect(),
        registers: vec![
            register("n", 0, 6, 4, 1, Kind::Memory),
            register("u", 1, 21, 8, 2000, Kind::Pointer),
            register("title\u{1b}[2J", 2, 1, 1, 8, Kind::Memory),
            null,
        ],
        relocations: Vec::new(),
        plan: vec![
            PlanEntry::Init { block: 1 },
            PlanEntry::Execute { block: 2, captures: vec![capture], files: Vec::new() },
            PlanEntry::Open {
                block: 3,
                callee: "solve".to_owned(),
                captures: Vec::new(),
                entries: vec![
                    PlanEntry::Cells {
                        cells: vec![cell(2, 62, &5i32.to_ne_bytes()), cell(3, 81, &0.5f64.to_ne_bytes())],
                    },
                    PlanEntry::Register { block: 1, registers: vec![0, 1] },
                    PlanEntry::Checkpoint { block: 2 },
                ],
            },
        ],
        ..Manifest::default()
    }
}

fn cell(slot: u32, type_code: i32, bytes: &[u8]) -> Cell {
    Cell { number: slot, type_code, element_bytes: bytes.len() as u32, count: 1, bytes: bytes.to_vec() }
}

/// A state directory after some dumps, and optionally the end of the run.
pub fn dumped(dir: &Path, processes: u32, dumps: u64, compress: Compression, ending: Option<Ending>) {
    ThreadedProcess::run(processes, |communicator| {
        let rank = communicator.rank();
        let directory = Directory::new(Arc::new(Posix), dir, "heat", rank);
        let mut dumper = Dumper::start(directory, options(compress), 0xabc, None, Arc::new(|_| {}));
        for number in 1..=dumps {
            let memory = memory(rank, number);
            let ranges: Vec<_> = memory.iter().map(|bytes| (bytes.as_ptr(), bytes.len())).collect();
            // SAFETY: the memory lives until the end of this turn.
            unsafe { dumper.dump(communicator, manifest(rank, processes, number), &ranges) };
        }
        if let Some(ending) = ending {
            dumper.shutdown(communicator, ending);
        }
    });
}

fn options(compress: Compression) -> Options {
    let compression = CompressionOptions { compress, from_elements: 10, threads: 1 };
    Options {
        keep: 5,
        full_every: 1,
        compression,
        asynchronous: false,
        busy: Busy::Wait,
        writer: Writer::Binary,
    }
}

/// The same with incremental files; in each only one value of the field is new.
pub fn dumped_upon(dir: &Path, processes: u32, dumps: u64, full_every: u64) {
    ThreadedProcess::run(processes, |communicator| {
        let rank = communicator.rank();
        let directory = Directory::new(Arc::new(Posix), dir, "heat", rank);
        let options = Options { full_every, ..options(Compression::None) };
        let mut dumper = Dumper::start(directory, options, 0xabc, None, Arc::new(|_| {}));
        for number in 1..=dumps {
            let count = 100_000u32;
            let mut field: Vec<u8> = (0..count).flat_map(|at| f64::from(at + rank).to_le_bytes()).collect();
            field[8 * number as usize] ^= 1;
            let memory = [3i32.to_le_bytes().to_vec(), field, b"unnamed\0".to_vec()];
            let mut manifest = manifest(rank, processes, number);
            manifest.registers[1].count = count.into();
            manifest.blocks[1].size_bytes = u64::from(count) * 8;
            let ranges: Vec<_> = memory.iter().map(|bytes| (bytes.as_ptr(), bytes.len())).collect();
            // SAFETY: the memory lives until the end of this turn.
            unsafe { dumper.dump(communicator, manifest, &ranges) };
        }
    });
}

/// A file as another machine writes it.
pub fn write_for(machine: Machine, path: &Path, manifest: &Manifest, memory: &[Vec<u8>]) {
    let blocks: Vec<&[u8]> = memory.iter().map(Vec::as_slice).collect();
    let content = DumpContent { blocks: &blocks, compression: CompressionOptions::default() };
    StateWriter::Binary.write(&Posix, path, manifest, machine, &content, None).unwrap();
}

/// One file of a sequential program.
pub fn dump(dir: &Path, manifest: Manifest, memory: &[Vec<u8>]) {
    let directory = Directory::new(Arc::new(Posix), dir, "heat", 0);
    let mut dumper = Dumper::start(directory, options(Compression::None), 1, None, Arc::new(|_| {}));
    let ranges: Vec<_> = memory.iter().map(|bytes| (bytes.as_ptr(), bytes.len())).collect();
    // SAFETY: the memory lives until the call returns.
    unsafe { dumper.dump(&SingleProcess::new(), manifest, &ranges) };
}

/// The output of `cppc`, without colours, and whether all is well. Lines are as long as they want to be.
pub fn cppc(words: &[&str]) -> anyhow::Result<(String, bool)> {
    cppc_within(60_000, words)
}

/// The same with lines of limited width.
pub fn cppc_within(width: usize, words: &[&str]) -> anyhow::Result<(String, bool)> {
    let arguments = Arguments::try_parse_from(std::iter::once(&"cppc").chain(words))
        .unwrap_or_else(|error| panic!("{error}"));
    match execute(&arguments.verb, width)? {
        Done::Report(text, good) => Ok((anstream::adapter::strip_str(&text).to_string(), good)),
        Done::Program(status) => panic!("a program has ended with {status}"),
    }
}

pub fn json(words: &[&str]) -> serde_json::Value {
    let words: Vec<&str> = words.iter().copied().chain(["--json"]).collect();
    serde_json::from_str(&cppc(&words).unwrap().0).unwrap()
}

pub fn path_text(path: &Path) -> &str {
    path.to_str().unwrap()
}

//! Measures a dump with the writer hdf5 against a plain C program that writes the same arrays.
//!
//! Input: as for `bench_runtime`, and a stage with the writer.
//! Output: a row for uncompressed dumps until the file is published.
//! Postcondition: the directory is unchanged.

use anyhow::{ensure, Context, Result};
use cppc_benches::pairs::{ratio, row};
use cppc_benches::product::{prefix, source, succeed};
use cppc_runtime::agree::SingleProcess;
use cppc_runtime::codec::CompressionOptions;
use cppc_runtime::manifest::{
    BlockPlace, Kind, Location, Manifest, MemoryBlock, PlanEntry, Provenance, Register, Scope,
};
use cppc_runtime::settings::{Busy, Writer};
use cppc_runtime::storage::{Directory, Posix};
use cppc_runtime::write::{Dumper, Event, Options};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Instant;

const PAIRS: usize = 9;
const SCALARS: usize = 20;
const GOAL: f64 = 1.1;

fn main() -> Result<()> {
    let mib: usize = std::env::var("CPPC_BENCH_MIB").map_or(Ok(512), |mib| mib.parse())?;
    let above = std::env::var_os("CPPC_BENCH_DIR").map_or(std::env::current_dir()?, PathBuf::from);
    let scratch = tempfile::Builder::new().prefix("cppc-bench-").tempdir_in(above)?;
    let writer = prefix().join("lib/cppc/writers/libcppc_writer_hdf5.so");
    if !writer.exists() {
        println!("bench hdf5-dumped: no writer hdf5 in the stage, skipped");
        return Ok(());
    }
    // Half of the size for each of the two arrays of doubles.
    let count = (mib << 20) / 16;
    let mut plain = Plain::start(scratch.path(), count)?;
    let mut dumps = Dumps::start(scratch.path(), &writer, count);
    let dumped = ratio(PAIRS, || dumps.dump(), || plain.write())?;
    row("hdf5-dumped", dumped, GOAL);
    Ok(())
}

/// The plain program, which waits for a request to write.
struct Plain {
    child: Child,
    answers: BufReader<std::process::ChildStdout>,
}

impl Plain {
    fn start(scratch: &Path, count: usize) -> Result<Plain> {
        let program = scratch.join("plain");
        let flags = succeed(Command::new("pkg-config").args(["--cflags", "--libs", "hdf5"]))?;
        let mut compiler = Command::new("cc");
        compiler
            .arg("-O2")
            .arg(source("plain_hdf5.c"))
            .arg("-o")
            .arg(&program)
            .args(flags.split_whitespace());
        succeed(&mut compiler)?;
        let mut run = Command::new(&program);
        run.arg(scratch.join("plain.h5")).arg(count.to_string());
        let mut child = run.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let answers = BufReader::new(child.stdout.take().context("the program has an output")?);
        Ok(Plain { child, answers })
    }

    fn write(&mut self) -> Result<f64> {
        self.child.stdin.as_mut().context("the program has an input")?.write_all(b"again\n")?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        answer.trim().parse().context("the plain program writes its file")
    }
}

impl Drop for Plain {
    fn drop(&mut self) {
        // The program ends at the end of its input.
        self.child.stdin = None;
        let _ = self.child.wait();
    }
}

/// The same arrays in a dumper.
struct Dumps {
    dumper: Dumper,
    blocks: Vec<Vec<u8>>,
    number: u64,
    published: Arc<Mutex<bool>>,
}

impl Dumps {
    fn start(scratch: &Path, writer: &Path, count: usize) -> Dumps {
        let array = |factor: f64| (0..count).flat_map(|at| (at as f64 * factor).to_ne_bytes()).collect();
        let mut blocks: Vec<Vec<u8>> = vec![array(3.0), array(40503.0)];
        blocks.extend((0..SCALARS).map(|at| (at as f64).to_ne_bytes().to_vec()));
        let options = Options {
            writer: Writer::Plugin(writer.display().to_string()),
            keep: 1,
            full_every: 1,
            compression: CompressionOptions::default(),
            asynchronous: true,
            busy: Busy::Wait,
        };
        let published = Arc::new(Mutex::new(false));
        let told = published.clone();
        let listener = Arc::new(move |event: Event| match event {
            Event::Published { .. } => *told.lock().unwrap() = true,
            Event::Failed { error, .. } => eprintln!("{error}"),
            _ => {}
        });
        let directory = Directory::new(Arc::new(Posix), &scratch.join("state"), "bench", 0);
        let dumper = Dumper::start(directory, options, 1, None, listener);
        Dumps { dumper, blocks, number: 0, published }
    }

    /// The time until the file is published.
    fn dump(&mut self) -> Result<f64> {
        self.number += 1;
        *self.published.lock().unwrap() = false;
        let manifest = self.manifest();
        let ranges: Vec<_> = self.blocks.iter().map(|block| (block.as_ptr(), block.len())).collect();
        let began = Instant::now();
        // SAFETY: the memory outlives the call, and nothing else writes to it.
        unsafe { self.dumper.dump(&SingleProcess::new(), manifest, &ranges) };
        self.dumper.wait();
        let took = began.elapsed().as_secs_f64();
        ensure!(*self.published.lock().unwrap(), "a file is published");
        Ok(took)
    }

    fn manifest(&self) -> Manifest {
        let register = |(block, bytes): (usize, &Vec<u8>)| Register {
            name: format!("value{block}"),
            section: 0,
            scope: Scope::Program,
            type_code: cppc_abi::types::DOUBLE,
            element_bytes: 8,
            count: bytes.len() as u64 / 8,
            storage: 1,
            kind: Kind::Memory,
            target: Some(Location { block: block as u32, offset_bytes: 0 }),
        };
        let block =
            |bytes: &Vec<u8>| MemoryBlock { size_bytes: bytes.len() as u64, place: BlockPlace::Program };
        Manifest {
            provenance: Provenance {
                application: "bench".to_owned(),
                run: 1,
                number: self.number,
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

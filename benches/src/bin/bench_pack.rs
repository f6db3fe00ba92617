//! Measures the cost of compression, and that it stops where it has no effect.
//!
//! Input: `CPPC_BENCH_DIR` names the directory to write to (default: the working directory), `CPPC_BENCH_MIB`
//! a size other than 32.
//! Output: three rows for the elapsed time of writing a state file into the page cache.
//! Postcondition: the directory is unchanged.
//!
//! `lz4-dump` is a field of doubles compressed with LZ4, against the same with deflate of level 1.
//! `deflate-threads` is the field compressed by two threads, against one. `deflate-noise` is incompressible
//! data with deflate requested, against compressing all of it.

use anyhow::{ensure, Result};
use cppc_abi::storage::STATIC;
use cppc_abi::types;
use cppc_benches::pairs::{ratio, row};
use cppc_runtime::codec::CompressionOptions;
use cppc_runtime::format::binary::{self, DumpContent};
use cppc_runtime::manifest::{
    BlockPlace, Kind, Location, Manifest, MemoryBlock, PlanEntry, Provenance, Register, Scope,
};
use cppc_runtime::settings::Compression;
use cppc_runtime::storage::{Posix, Storage};
use flate2::{Compress, FlushCompress};
use std::path::{Path, PathBuf};
use std::time::Instant;

const PAIRS: usize = 9;
const LEVEL: u32 = 6;

fn main() -> Result<()> {
    let mib: usize = std::env::var("CPPC_BENCH_MIB").map_or(Ok(32), |mib| mib.parse())?;
    let above = std::env::var_os("CPPC_BENCH_DIR").map_or(std::env::current_dir()?, PathBuf::from);
    let scratch = tempfile::Builder::new().prefix("cppc-bench-").tempdir_in(above)?;
    let path = scratch.path().join("file");
    let (field, noise) = (field(mib << 20), noise(mib << 20));
    let written = |bytes: &[u8], compress: Compression, threads: u64| {
        write(&path, bytes, CompressionOptions { compress, threads, ..CompressionOptions::default() })
    };
    let (fast, slow) = (Compression::Lz4, Compression::Deflate(LEVEL));

    let dump = ratio(PAIRS, || written(&field, fast, 1), || written(&field, Compression::Deflate(1), 1))?;
    row("lz4-dump", dump, 0.25);
    row("deflate-threads", ratio(PAIRS, || written(&field, slow, 2), || written(&field, slow, 1))?, 0.6);
    row("deflate-noise", ratio(PAIRS, || written(&noise, slow, 1), || Ok(deflate(&noise)))?, 0.15);
    Ok(())
}

/// A smooth function of two coordinates.
fn field(bytes: usize) -> Vec<u8> {
    const SIDE: usize = 2000;
    let value = |at: usize| ((at % SIDE) as f64 * 1.3e-3).sin() * ((at / SIDE) as f64 * 2.7e-3).cos();
    (0..bytes / 8).flat_map(|at| value(at).to_ne_bytes()).collect()
}

fn noise(bytes: usize) -> Vec<u8> {
    let mut state = 1u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..bytes / 8).flat_map(|_| next().to_ne_bytes()).collect()
}

/// Deflates as many bytes as a piece has at a time, and drops what comes of it.
fn deflate(bytes: &[u8]) -> f64 {
    let mut state = Compress::new(flate2::Compression::new(LEVEL), true);
    let mut into = vec![0; 1 << 20];
    let began = Instant::now();
    for piece in bytes.chunks(1 << 20) {
        state.reset();
        std::hint::black_box(state.compress(piece, &mut into, FlushCompress::Finish).is_ok());
    }
    began.elapsed().as_secs_f64()
}

fn manifest(bytes: &[u8]) -> Manifest {
    Manifest {
        provenance: Provenance {
            application: "bench".to_owned(),
            run: 1,
            number: 1,
            processes: 1,
            ..Provenance::default()
        },
        blocks: vec![MemoryBlock { size_bytes: bytes.len() as u64, place: BlockPlace::Program }],
        registers: vec![Register {
            name: "field".to_owned(),
            section: 0,
            scope: Scope::Program,
            type_code: types::DOUBLE,
            element_bytes: 8,
            count: bytes.len() as u64 / 8,
            storage: STATIC,
            kind: Kind::Memory,
            target: Some(Location { block: 0, offset_bytes: 0 }),
        }],
        plan: vec![PlanEntry::Checkpoint { block: 1 }],
        ..Manifest::default()
    }
}

/// Overwrites the existing file, like a dump that recycles its file.
fn write(path: &Path, bytes: &[u8], compression: CompressionOptions) -> Result<f64> {
    let manifest = manifest(bytes);
    let began = Instant::now();
    let file = Posix.open_for_writing(path)?;
    let size = binary::write(&*file, &manifest, &DumpContent { blocks: &[bytes], compression })?;
    let took = began.elapsed().as_secs_f64();
    ensure!(size > 1 << 20, "there is something in the file");
    Ok(took)
}

//! Measures reading the state of a machine with the other byte order.
//!
//! Input: `CPPC_BENCH_DIR` and `CPPC_BENCH_MIB` as for `bench_runtime`.
//! Output: two rows, for arrays on the heap and for arrays at a fixed address in the program.
//! Postcondition: the directory is unchanged.

#[path = "../../../runtime/tests/fixture/forged.rs"]
#[allow(dead_code)] // the tests use more of it
mod forged;

use anyhow::{ensure, Context, Result};
use cppc_abi::storage::{Storage as Class, DYNAMIC, STATIC};
use cppc_abi::types::{by_code, DOUBLE, INT};
use cppc_benches::pairs::{ratio, row};
use cppc_runtime::codec::CompressionOptions;
use cppc_runtime::format::binary::{self, DumpContent};
use cppc_runtime::machine::Machine;
use cppc_runtime::manifest::{
    BlockPlace, Kind, Location, Manifest, MemoryBlock, PlanEntry, Provenance, Register, Scope,
};
use cppc_runtime::register::Layouts;
use cppc_runtime::restore::{Delivered, Delivery, Request};
use cppc_runtime::storage::{Posix, Storage};
use cppc_runtime::verify::{self, Expectation};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::Instant;

const PAIRS: usize = 9;
/// The arrays: half of the bytes are doubles, half are integers.
const ARRAYS: [(&str, i32); 2] = [("field", DOUBLE), ("mesh", INT)];

fn main() -> Result<()> {
    let mib: usize = std::env::var("CPPC_BENCH_MIB").map_or(Ok(512), |mib| mib.parse())?;
    let above = std::env::var_os("CPPC_BENCH_DIR").map_or(std::env::current_dir()?, PathBuf::from);
    let scratch = tempfile::Builder::new().prefix("cppc-bench-").tempdir_in(above)?;
    let here: Vec<u8> = (0..(mib << 20) / 2).map(|at| (at / 3) as u8).collect();
    let other = Machine { big_endian: !Machine::THIS.big_endian, ..Machine::THIS };
    for (name, place) in [("foreign-read", BlockPlace::Heap), ("foreign-read-static", BlockPlace::Program)] {
        let native = scratch.path().join("native").join("line-000001.cppc");
        let foreign = scratch.path().join("foreign").join("line-000001.cppc");
        write(&native, Machine::THIS, place, &here)?;
        write(&foreign, other, place, &here)?;
        let there = RefCell::new(here.repeat(ARRAYS.len()));
        let read = |path: &Path| resumed(path, place, here.len(), &mut there.borrow_mut());
        let measured = ratio(PAIRS, || read(&foreign), || read(&native))?;
        row(name, measured, 1.5);
    }
    Ok(())
}

fn manifest(place: BlockPlace, bytes: usize) -> Manifest {
    let register = |(block, (name, type_code)): (usize, &(&str, i32))| {
        let element_bytes = by_code(*type_code).map_or(1, |found| found.size_bytes);
        Register {
            name: (*name).to_owned(),
            section: 0,
            scope: Scope::Program,
            type_code: *type_code,
            element_bytes: element_bytes as u32,
            count: (bytes / element_bytes) as u64,
            storage: storage(place),
            kind: Kind::Memory,
            target: Some(Location { block: block as u32, offset_bytes: 0 }),
        }
    };
    Manifest {
        provenance: Provenance {
            application: "bench".to_owned(),
            run: 1,
            number: 1,
            processes: 1,
            ..Provenance::default()
        },
        blocks: ARRAYS.iter().map(|_| MemoryBlock { size_bytes: bytes as u64, place }).collect(),
        registers: ARRAYS.iter().enumerate().map(register).collect(),
        plan: vec![PlanEntry::Checkpoint { block: 1 }],
        ..Manifest::default()
    }
}

fn storage(place: BlockPlace) -> i32 {
    if place == BlockPlace::Heap {
        DYNAMIC
    } else {
        STATIC
    }
}

/// A state file as `machine` writes it.
fn write(path: &Path, machine: Machine, place: BlockPlace, bytes: &[u8]) -> Result<()> {
    std::fs::create_dir_all(path.parent().context("the file is in a directory")?)?;
    let content = DumpContent { blocks: &ARRAYS.map(|_| bytes), compression: CompressionOptions::default() };
    let file = Posix.open_for_writing(path)?;
    binary::write(&*file, &manifest(place, bytes.len()), &content)?;
    drop(file);
    let mut written = std::fs::read(path)?;
    forged::by_machine(machine, &mut written);
    std::fs::write(path, written)?;
    Ok(())
}

/// Reads, verifies and delivers the state.
fn resumed(path: &Path, place: BlockPlace, bytes: usize, there: &mut [u8]) -> Result<f64> {
    let expectation =
        Expectation { application: "bench".to_owned(), fingerprint: String::new(), processes: 1, rank: 0 };
    let began = Instant::now();
    let mut delivery = Delivery::new(verify::open(&Posix, path, &expectation)?);
    let (storage, mut handed_over) = (storage(place), Vec::new());
    for ((name, type_code), place) in ARRAYS.into_iter().zip(there.chunks_exact_mut(bytes)) {
        let element_bytes = by_code(type_code).map_or(1, |found| found.size_bytes);
        let storage = Class::new(storage).context("the storage makes sense")?;
        let address = place.as_mut_ptr() as usize;
        let request = Request {
            name,
            section: 0,
            kind: Kind::Memory,
            address,
            count: bytes / element_bytes,
            type_code,
            storage,
        };
        let delivered = delivery.deliver(&Layouts::default(), request, None, false)?;
        let Delivered::Done { address, .. } = delivered else { anyhow::bail!("`{name}` is not in the file") };
        handed_over.push(address);
    }
    let took = began.elapsed().as_secs_f64();
    delivery.finish()?;
    let own = there.as_ptr_range();
    let is_own = |&address: &usize| own.contains(&(address as *const u8));
    ensure!(place == BlockPlace::Program || !handed_over.iter().any(is_own), "memory was handed over");
    if place == BlockPlace::Heap {
        // SAFETY: the delivery has handed this memory over, and `free` takes it.
        handed_over.iter().for_each(|&address| unsafe { libc::free(address as *mut libc::c_void) });
    }
    Ok(took)
}

//! States with elements of every kind, written by the plugin and read again.

#![allow(dead_code)] // each test program uses a part of it

use cppc_abi::types;
use cppc_runtime::agree::SingleProcess;
use cppc_runtime::codec::CompressionOptions;
use cppc_runtime::manifest::*;
use cppc_runtime::settings::{Busy, Compression, Writer};
use cppc_runtime::storage::{Directory, Posix};
use cppc_runtime::verify::{self, Expectation, StateFile, Verified, VerifyError};
use cppc_runtime::write::{Dumper, Event, Options};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

/// The plugin that was built for this test.
pub fn plugin() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let deps = test.parent().unwrap();
    let places = [deps.join("libcppc_writer_hdf5.so"), deps.join("../libcppc_writer_hdf5.so")];
    let age = |path: &PathBuf| path.metadata().and_then(|found| found.modified()).ok();
    places.into_iter().filter(|path| path.exists()).max_by_key(age).expect("the plugin was built")
}

/// The Python that has h5py: that of the system, if another one is first on the path.
pub fn python() -> &'static str {
    let has_it = |python: &&str| {
        Command::new(python).args(["-c", "import h5py"]).output().is_ok_and(|output| output.status.success())
    };
    ["python3", "/usr/bin/python3"].into_iter().find(has_it).expect("a Python with h5py")
}

pub fn expectation() -> Expectation {
    Expectation { application: "zoo".to_owned(), fingerprint: "f00d".to_owned(), processes: 2, rank: 1 }
}

pub fn options(compress: Compression) -> Options {
    Options {
        writer: Writer::Plugin(plugin().display().to_string()),
        keep: 1,
        full_every: 1,
        compression: CompressionOptions { compress, from_elements: 8, threads: 1 },
        asynchronous: true,
        busy: Busy::Wait,
    }
}

/// Writes one state and returns its path.
pub fn dump(
    scratch: &Path,
    compress: Compression,
    manifest: &Manifest,
    blocks: &[Vec<u8>],
) -> Result<PathBuf, String> {
    let directory = Directory::new(Arc::new(Posix), scratch, "zoo", 1);
    let failed = Arc::new(Mutex::new(None));
    let into = failed.clone();
    let listener = Arc::new(move |event: Event| {
        if let Event::Failed { error, .. } = event {
            *into.lock().unwrap() = Some(error.to_string());
        }
    });
    let mut dumper = Dumper::start(directory.clone(), options(compress), 9, None, listener);
    let ranges: Vec<_> = blocks.iter().map(|block| (block.as_ptr(), block.len())).collect();
    // SAFETY: the ranges outlive the call and the wait.
    unsafe { dumper.dump(&SingleProcess::new(), manifest.clone(), &ranges) };
    dumper.wait();
    let failed = failed.lock().unwrap().take();
    failed.map_or(Ok(directory.line(manifest.provenance.number)), Err)
}

pub fn open(path: &Path) -> Result<Verified<StateFile>, VerifyError> {
    verify::open(&Posix, path, &expectation())
}

pub fn assert_same(state: &StateFile, manifest: &Manifest, blocks: &[Vec<u8>]) {
    assert_eq!(state.manifest(), manifest);
    for (index, block) in blocks.iter().enumerate() {
        assert!(state.block(index) == Some(&block[..]), "block {index} differs");
    }
}

/// A manifest and its memory, built register by register.
pub struct Zoo {
    pub manifest: Manifest,
    pub blocks: Vec<Vec<u8>>,
}

impl Default for Zoo {
    fn default() -> Zoo {
        let provenance = Provenance {
            application: "zoo".to_owned(),
            fingerprint: "f00d".to_owned(),
            run: 9,
            number: 3,
            rank: 1,
            processes: 2,
            calls: 12,
            touched: vec![("main".to_owned(), 1)],
            arithmetic: None,
            ..Provenance::default()
        };
        let plan = vec![
            PlanEntry::Init { block: 1 },
            PlanEntry::Open {
                block: 2,
                callee: "solve".to_owned(),
                captures: Vec::new(),
                entries: vec![
                    PlanEntry::Register { block: 1, registers: Vec::new() },
                    PlanEntry::Checkpoint { block: 2 },
                ],
            },
        ];
        Zoo { manifest: Manifest { provenance, plan, ..Manifest::default() }, blocks: Vec::new() }
    }
}

impl Zoo {
    /// Adds a variable with its own memory; returns its memory block.
    pub fn add(&mut self, name: &str, type_code: i32, element_bytes: usize, bytes: Vec<u8>) -> u32 {
        let block = self.blocks.len() as u32;
        self.manifest.blocks.push(MemoryBlock { size_bytes: bytes.len() as u64, place: BlockPlace::Program });
        let count = bytes.len() / element_bytes.max(1);
        self.blocks.push(bytes);
        self.name(name, type_code, element_bytes, count, Some((block, 0)), Kind::Memory);
        block
    }

    /// Adds another name for existing memory, or a null pointer.
    pub fn name(
        &mut self,
        name: &str,
        type_code: i32,
        element_bytes: usize,
        count: usize,
        place: Option<(u32, u64)>,
        kind: Kind,
    ) {
        let scope = if name.starts_with("global") {
            Scope::Program
        } else {
            Scope::Frame { depth: 1, procedure: "solve".to_owned() }
        };
        self.manifest.registers.push(Register {
            name: name.to_owned(),
            section: 2,
            scope,
            type_code,
            element_bytes: element_bytes as u32,
            count: count as u64,
            storage: 1,
            kind,
            target: place.map(|(block, offset_bytes)| Location { block, offset_bytes }),
        });
    }

    /// Sets the shape of the register that was added last.
    pub fn shape(&mut self, extents: &[u64]) {
        let register = self.manifest.registers.len() as u32 - 1;
        self.manifest.shapes.push(Shape { register, extents: extents.to_vec() });
    }

    /// One register of each kind.
    pub fn full() -> Zoo {
        let mut zoo = Zoo::default();
        let doubles =
            |count: usize| (0..count).flat_map(|at| (at as f64 * 0.5).to_ne_bytes()).collect::<Vec<u8>>();
        zoo.manifest.types = vec![
            structure(
                "inner",
                16,
                &[("x", 0, types::DOUBLE, 1), ("tag", 8, types::CHAR, 4), ("k", 12, types::SHORT, 2)],
            ),
            structure(
                "particle",
                48,
                &[("id", 0, types::INT, 1), ("in", 8, 1000, 2), ("next", 40, types::POINTER, 1)],
            ),
            structure("choice", 8, &[("i", 0, types::INT, 1), ("d", 0, types::DOUBLE, 1)]),
            structure("blank", 4, &[]),
        ];
        zoo.add("i", types::INT, 4, (-7i32).to_ne_bytes().to_vec());
        zoo.add("global_ints", types::INT, 4, (0..6i32).flat_map(|at| (at * at).to_ne_bytes()).collect());
        let grid = zoo.add("grid", types::DOUBLE, 8, doubles(1000));
        zoo.add("bytes", types::UNSIGNED_CHAR, 1, vec![200, 3]);
        zoo.add(
            "wide",
            types::UNSIGNED_INT128,
            16,
            0x0f0e_0d0c_0b0a_0908_0706_0504_0302_0100u128.to_ne_bytes().to_vec(),
        );
        zoo.add("yes", types::BOOL, 1, vec![1, 0, 1]);
        zoo.add("flags", 72, 4, [1u32, 0].iter().flat_map(|flag| flag.to_ne_bytes()).collect());
        zoo.add("half", types::FLOAT16, 2, vec![0x00, 0x3e, 0x00, 0xc0]);
        zoo.add("single", types::FLOAT, 4, 1.25f32.to_ne_bytes().to_vec());
        let mut long_double = vec![0, 0, 0, 0, 0, 0, 0, 0xc0, 0x00, 0x40, 1, 2, 3, 4, 5, 6];
        long_double.truncate(16);
        zoo.add("extended", types::LONG_DOUBLE, 16, long_double);
        zoo.add("quad", types::FLOAT128, 16, [vec![0; 14], vec![0xff, 0x3f]].concat());
        zoo.add("wave", types::DOUBLE_COMPLEX, 16, doubles(8));
        zoo.add("title", types::CHAR, 1, b"a title\0\0\xff".to_vec());
        zoo.add("raw", types::BYTE, 1, vec![0xab, 0xcd]);
        let particles: Vec<u8> = (0..3 * 48).map(|at| (at * 5) as u8).collect();
        let particles = zoo.add("particles", 1001, 48, particles);
        zoo.add("union", 1002, 8, vec![7; 8]);
        zoo.add("empty structure", 1003, 4, vec![9; 8]);
        zoo.add("s->name/of 100%~", types::INT, 4, 5i32.to_ne_bytes().to_vec());
        zoo.add("i", types::INT, 4, 8i32.to_ne_bytes().to_vec());
        zoo.add("word", 100, 1, b"fortran name    ".to_vec());
        // A pointer to the middle, one to the whole, one that extends beyond it, and one of another type.
        zoo.name("middle", types::DOUBLE, 8, 10, Some((grid, 80)), Kind::Pointer);
        zoo.name("same", types::DOUBLE, 8, 1000, Some((grid, 0)), Kind::Pointer);
        zoo.name("as_bytes", types::UNSIGNED_CHAR, 1, 16, Some((grid, 8)), Kind::Memory);
        zoo.name("nothing", types::DOUBLE, 8, 0, None, Kind::Pointer);
        zoo.blocks[grid as usize].extend(doubles(50));
        zoo.manifest.blocks[grid as usize].size_bytes += 400;
        zoo.name("beyond", types::DOUBLE, 8, 60, Some((grid, 7920)), Kind::Pointer);
        let at = |element: u64| Location { block: particles, offset_bytes: element * 48 + 40 };
        zoo.manifest.relocations = vec![
            Relocation { at: at(0), target: Some(Location { block: particles, offset_bytes: 48 }) },
            Relocation { at: at(1), target: Some(Location { block: particles, offset_bytes: 96 }) },
            Relocation { at: at(2), target: None },
        ];
        zoo
    }
}

pub fn structure(name: &str, size_bytes: u64, fields: &[(&str, u64, i32, u64)]) -> StructType {
    let field = |&(name, offset_bytes, type_code, count): &(&str, u64, i32, u64)| Field {
        name: name.to_owned(),
        offset_bytes,
        type_code,
        count,
    };
    StructType { name: name.to_owned(), size_bytes, fields: fields.iter().map(field).collect() }
}

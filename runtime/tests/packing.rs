//! Compressed content is restored exactly, whatever compressed it and on however many threads; damaged
//! content is refused.

use cppc_runtime::codec::CompressionOptions;
use cppc_runtime::format::binary::{self, DumpContent};
use cppc_runtime::manifest::*;
use cppc_runtime::settings::Compression;
use cppc_runtime::storage::{File, Posix, Simulated, Storage};
use cppc_runtime::verify::{self, Expectation, StateFile, Verified, VerifyError};
use std::path::PathBuf;

const MIB: usize = 1 << 20;
const CODECS: [Compression; 4] =
    [Compression::None, Compression::Deflate(1), Compression::Deflate(6), Compression::Lz4];

struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// The size of an element and the bytes of each memory block.
fn blocks() -> Vec<(u32, Vec<u8>)> {
    let mut noise = Noise(1);
    let wave = |at: usize| (at as f64 * 1e-4).sin() * (at as f64 * 3e-6).exp();
    let mut mixed: Vec<u8> = (0..3 * MIB / 8).flat_map(|at| wave(at).to_ne_bytes()).collect();
    mixed[MIB..2 * MIB].fill_with(|| (noise.next() >> 30) as u8);
    let mut all = vec![
        (8, mixed),
        (4, (0..2 * MIB as u32 / 4 + 77).flat_map(|at| (at / 3).to_ne_bytes()).collect()),
        (1, (0..5 * MIB / 2).map(|_| (noise.next() >> 40) as u8).collect()),
        (8, vec![0; 3 * MIB]),
        (24, (0..150_000).flat_map(|at| [at as f64, wave(at), 1.0]).flat_map(f64::to_ne_bytes).collect()),
        (2, (0..70_000).flat_map(|at| (at as u16 % 500).to_ne_bytes()).collect()),
    ];
    all.extend((0..400usize).map(|at| (1, vec![at as u8; at % 90])));
    all.push((8, (0..MIB / 8).flat_map(|at| (at as u64).to_ne_bytes()).collect()));
    all
}

fn manifest(blocks: &[(u32, Vec<u8>)]) -> Manifest {
    let register = |(block, (width, bytes)): (usize, &(u32, Vec<u8>))| Register {
        name: format!("block{block}"),
        section: 0,
        scope: Scope::Program,
        type_code: match width {
            1 => 1,
            2 => 4,
            4 => 6,
            24 => 1000,
            _ => 21,
        },
        element_bytes: *width,
        count: bytes.len() as u64 / u64::from(*width),
        storage: 1,
        kind: Kind::Memory,
        target: Some(Location { block: block as u32, offset_bytes: 0 }),
    };
    let field =
        |name: &str, offset_bytes| Field { name: name.to_owned(), offset_bytes, type_code: 21, count: 1 };
    Manifest {
        provenance: Provenance {
            application: "packed".to_owned(),
            run: 1,
            number: 1,
            processes: 1,
            ..Provenance::default()
        },
        types: vec![StructType {
            name: "point".to_owned(),
            size_bytes: 24,
            fields: vec![field("x", 0), field("y", 8), field("z", 16)],
        }],
        blocks: blocks
            .iter()
            .map(|(_, bytes)| MemoryBlock { size_bytes: bytes.len() as u64, place: BlockPlace::Program })
            .collect(),
        registers: blocks.iter().enumerate().map(register).collect(),
        plan: vec![PlanEntry::Checkpoint { block: 1 }],
        ..Manifest::default()
    }
}

fn path() -> PathBuf {
    PathBuf::from("/line-000001.cppc")
}

fn written(blocks: &[(u32, Vec<u8>)], compression: CompressionOptions) -> Vec<u8> {
    let disk = Simulated::new();
    let file = disk.open_for_writing(&path()).unwrap();
    let slices: Vec<&[u8]> = blocks.iter().map(|(_, bytes)| &bytes[..]).collect();
    let size =
        binary::write(&*file, &manifest(blocks), &DumpContent { blocks: &slices, compression }).unwrap();
    let mut bytes = vec![0; size as usize];
    file.read_at(0, &mut bytes).unwrap();
    bytes
}

fn open(bytes: &[u8]) -> Result<Verified<StateFile>, VerifyError> {
    let disk = Simulated::new();
    disk.open_for_writing(&path()).unwrap().write_at(0, bytes).unwrap();
    let expectation =
        Expectation { application: "packed".to_owned(), fingerprint: String::new(), processes: 1, rank: 0 };
    verify::open(&disk, &path(), &expectation)
}

#[test]
fn any_number_of_threads_writes_the_same_file() {
    let blocks = blocks();
    let mut sizes = Vec::new();
    for compress in CODECS {
        let one = written(&blocks, CompressionOptions { compress, from_elements: 100, threads: 1 });
        for threads in [2, 3, 4, 0] {
            assert!(
                written(&blocks, CompressionOptions { compress, from_elements: 100, threads }) == one,
                "{compress:?} {threads}"
            );
        }
        let mut state = open(&one).unwrap();
        for (index, (_, wanted)) in blocks.iter().enumerate() {
            let mut again = vec![0xa5; wanted.len()];
            state.reread_block(index, &mut again).unwrap();
            assert!(
                again == *wanted && state.block(index) == Some(&wanted[..]),
                "{compress:?} block {index}"
            );
            assert!(state.read_block(index).unwrap().as_slice() == &wanted[..]);
            assert!(state.take_block(index).unwrap().as_slice() == &wanted[..]);
        }
        sizes.push(one.len());
    }
    let [plain, deflated, deflated_well, lz4] = sizes[..] else { unreachable!() };
    assert!(plain > 12 * MIB && plain < 13 * MIB, "the zeros are not stored: {plain}");
    // Random bytes are stored plain.
    assert!(lz4 > 7 * MIB / 2 && lz4 < plain / 2, "{sizes:?}");
    assert!(deflated < plain / 2 && deflated_well < deflated, "{sizes:?}");
}

#[test]
fn small_memory_is_left_as_it_is() {
    let blocks = vec![(8, vec![7; 8 * 99]), (8, vec![7; 8 * 100])];
    let sizes = [101, 100, 99].map(|from_elements| {
        written(&blocks, CompressionOptions { compress: Compression::Lz4, from_elements, threads: 1 }).len()
    });
    assert!(sizes[0] > sizes[1] + 700 && sizes[1] > sizes[2] + 700, "{sizes:?}");
}

/// A full disk ends the dump, not the process, and no thread remains.
#[test]
fn a_write_that_fails_ends_all_threads() {
    #[derive(Debug)]
    struct Full(Box<dyn File>);
    impl File for Full {
        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
            self.0.read_at(offset, buffer)
        }
        fn write_at(&self, offset: u64, bytes: &[u8]) -> std::io::Result<()> {
            if offset > 3 * MIB as u64 {
                return Err(std::io::ErrorKind::StorageFull.into());
            }
            self.0.write_at(offset, bytes)
        }
        fn sync(&self) -> std::io::Result<()> {
            self.0.sync()
        }
        fn truncate(&self, size_bytes: u64) -> std::io::Result<()> {
            self.0.truncate(size_bytes)
        }
        fn size_bytes(&self) -> std::io::Result<u64> {
            self.0.size_bytes()
        }
    }
    let blocks = blocks();
    let slices: Vec<&[u8]> = blocks.iter().map(|(_, bytes)| &bytes[..]).collect();
    for threads in [1, 4] {
        let file = Full(Simulated::new().open_for_writing(&path()).unwrap());
        let compression = CompressionOptions { compress: Compression::Lz4, from_elements: 0, threads };
        let error = binary::write(&file, &manifest(&blocks), &DumpContent { blocks: &slices, compression })
            .unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
    }
}

/// Flipped bits and forged bytes in compressed pieces: never a panic, and never other content.
#[test]
fn no_flipped_bit_of_a_packed_file_is_believed() {
    let field: Vec<u8> = (0..6000).flat_map(|at| (at as f64 * 0.25).to_ne_bytes()).collect();
    let mut noise = Noise(7);
    for compress in CODECS {
        let good =
            written(&[(8, field.clone())], CompressionOptions { compress, from_elements: 0, threads: 1 });
        assert!(compress == Compression::None || good.len() < field.len() / 2);
        for _ in 0..3000 {
            let mut bad = good.clone();
            let at = noise.next() as usize % bad.len();
            bad[at] ^= 1 << (noise.next() % 8);
            assert!(open(&bad).is_err(), "{compress:?} byte {at}");
        }
    }
}

/// From a real disk, on several threads, into memory that each of them is the first to write to.
#[test]
fn large_files_are_read_by_several_threads() {
    let directory = std::env::temp_dir().join(format!("cppc-compression-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let path = directory.join("line-000001.cppc");
    let blocks = blocks();
    for compress in CODECS {
        let bytes = written(&blocks, CompressionOptions { compress, from_elements: 100, threads: 2 });
        std::fs::write(&path, &bytes).unwrap();
        let description = verify::describe(&Posix, &path).unwrap();
        assert!(verify::check_content(&description).is_empty());
        let part = verify::read_part(&description, 0, MIB as u64 - 5, 20).unwrap();
        assert_eq!(part, blocks[0].1[MIB - 5..MIB + 15]);
        let state = verify::load(description).unwrap();
        let same = |(index, (_, wanted)): (usize, &(u32, Vec<u8>))| state.block(index) == Some(&wanted[..]);
        assert!(blocks.iter().enumerate().all(same));
    }
    std::fs::remove_dir_all(directory).unwrap();
}

//! A state file is read back exactly, and no file of any content does harm.

mod fixture;

use cppc_runtime::codec::CompressionOptions;
use cppc_runtime::format::binary::{self, DumpContent};
use cppc_runtime::format::layout::{Encoder, MAGIC, VERSION};
use cppc_runtime::machine::Machine;
use cppc_runtime::manifest::*;
use cppc_runtime::settings::Compression;
use cppc_runtime::storage::{Posix, Simulated, Storage};
use cppc_runtime::verify::{self, Reason, VerifyError};
use fixture::{assert_exact, assert_exact_in, blocks, expectation, manifest};
use std::path::{Path, PathBuf};

const NUMBER: u64 = 3;

fn path() -> PathBuf {
    PathBuf::from("/line-000003.cppc")
}

fn compression(deflate: Option<u32>, from_elements: u64) -> CompressionOptions {
    CompressionOptions {
        compress: deflate.map_or(Compression::None, Compression::Deflate),
        from_elements,
        threads: 1,
    }
}

/// The bytes of a state file.
fn written(manifest: &Manifest, blocks: &[Vec<u8>], deflate: Option<u32>) -> Vec<u8> {
    let disk = Simulated::new();
    let file = disk.open_for_writing(&path()).unwrap();
    let slices: Vec<&[u8]> = blocks.iter().map(|block| &block[..]).collect();
    let content = DumpContent { blocks: &slices, compression: compression(deflate, 8) };
    let size = binary::write(&*file, manifest, &content).unwrap();
    assert_eq!(size, file.size_bytes().unwrap());
    let mut bytes = vec![0; size as usize];
    file.read_at(0, &mut bytes).unwrap();
    bytes
}

fn sample(deflate: Option<u32>) -> Vec<u8> {
    let blocks = blocks(1, NUMBER);
    written(&manifest(77, NUMBER, 1, 4, &blocks), &blocks, deflate)
}

fn disk_with(bytes: &[u8]) -> Simulated {
    let disk = Simulated::new();
    disk.open_for_writing(&path()).unwrap().write_at(0, bytes).unwrap();
    disk
}

fn open(bytes: &[u8]) -> Result<verify::Verified<verify::StateFile>, VerifyError> {
    verify::open(&disk_with(bytes), &path(), &expectation(1, 4))
}

fn reason(bytes: &[u8]) -> Reason {
    open(bytes).expect_err("the file should have been refused").reason
}

#[test]
fn a_state_comes_back_as_it_was() {
    for deflate in [None, Some(1), Some(9)] {
        let mut state = open(&sample(deflate)).unwrap();
        assert_exact(&state, 1, 4);
        let wanted = blocks(1, NUMBER);
        for (index, block) in wanted.iter().enumerate() {
            let mut again = vec![0; block.len()];
            state.reread_block(index, &mut again).unwrap();
            assert_eq!(again, *block);
            assert_eq!(state.take_block(index).unwrap().as_slice(), &block[..]);
            assert!(state.take_block(index).is_none() && state.block(index).is_none());
        }
        assert!(state.reread_block(0, &mut [0; 3]).is_err());
        assert!(state.reread_block(99, &mut [0; 4]).is_err());
    }
}

#[test]
fn compression_makes_the_file_smaller_and_leaves_small_blocks_alone() {
    assert!(sample(Some(6)).len() < sample(None).len());
}

#[test]
fn large_blocks_go_through_two_threads_and_many_pieces() {
    let mut big: Vec<Vec<u8>> = [5 << 20, 3, (7 << 20) + 11, 100_000, 0, 300_000, 1 << 20]
        .iter()
        .map(|&size: &usize| (0..size).map(|at| (at * at / 1000) as u8).collect())
        .collect();
    big.extend((0..3000).map(|index| vec![index as u8; index % 50]));
    let directory = temporary("large");
    let path = directory.join("line-000003.cppc");
    let mut described = manifest(77, NUMBER, 1, 4, &big);
    described.relocations.clear();
    for deflate in [None, Some(1)] {
        let file = Posix.open_for_writing(&path).unwrap();
        let slices: Vec<&[u8]> = big.iter().map(|block| &block[..]).collect();
        let content = DumpContent { blocks: &slices, compression: compression(deflate, 1000) };
        let size = binary::write(&*file, &described, &content).unwrap();
        file.truncate(size).unwrap();
        let state = verify::open(&Posix, &path, &expectation(1, 4)).unwrap();
        for (index, block) in big.iter().enumerate() {
            assert!(state.block(index) == Some(&block[..]), "block {index}");
        }
        let description = verify::describe(&Posix, &path).unwrap();
        assert!(verify::check_content(&description).is_empty());
        let part = verify::read_part(&description, 2, (1 << 20) - 5, 20).unwrap();
        assert_eq!(part, big[2][(1 << 20) - 5..(1 << 20) + 15]);

        let middle = size / 2;
        let mut byte = [0];
        file.read_at(middle, &mut byte).unwrap();
        file.write_at(middle, &[byte[0] ^ 1]).unwrap();
        let error = verify::open(&Posix, &path, &expectation(1, 4)).unwrap_err();
        assert!(matches!(error.reason, Reason::DamagedBlock { .. }), "{error}");

        // Many small parts of one piece do not read it as many times.
        file.truncate(0).unwrap();
        assert_eq!(verify::read_part(&description, 2, 1 << 20, 15).unwrap(), big[2][1 << 20..(1 << 20) + 15]);
        assert!(verify::read_part(&description, 2, 0, 15).is_err());
    }
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn every_flipped_bit_is_found() {
    for deflate in [None, Some(1)] {
        let good = sample(deflate);
        for at in 0..good.len() {
            for bit in [0x01, 0x80] {
                let mut bad = good.clone();
                bad[at] ^= bit;
                assert!(open(&bad).is_err(), "byte {at} of {}", good.len());
            }
        }
    }
}

#[test]
fn every_cut_is_found() {
    let good = sample(None);
    for length in 0..good.len() {
        let found = reason(&good[..length]);
        assert!(matches!(found, Reason::Truncated { .. }), "{length} bytes: {found}");
    }
    let mut longer = good.clone();
    longer.push(0);
    assert!(open(&longer).is_err());
}

#[test]
fn a_damaged_block_is_named_with_its_registers() {
    let mut bad = sample(None);
    // After the memory block follow the list of bases, empty, a piece range for each block that is not empty,
    // and the tail.
    let at = bad.len() - 40 - (8 + 3 * 24) - 10;
    bad[at] ^= 1;
    let error = open(&bad).unwrap_err();
    assert!(error.to_string().contains("memory block 3"), "{error}");
    assert!(error.to_string().contains("register `name3`"), "{error}");
    let description = verify::describe(&disk_with(&bad), &path()).unwrap();
    assert_eq!(verify::check_content(&description).len(), 1);
}

#[test]
fn what_is_not_ours_is_refused_and_said() {
    let good = sample(None);
    let disk = disk_with(&good);
    let refused = |expectation: &verify::Expectation| {
        let error = verify::open(&disk, &path(), expectation).unwrap_err();
        assert!(error.reason.is_foreign() && error.reason.stops_the_run());
        error.to_string()
    };
    let ours = expectation(1, 4);
    let other = verify::Expectation { application: "cg".to_owned(), ..ours.clone() };
    assert!(refused(&other).contains("application `heat`, and this is `cg`"));
    let other = verify::Expectation { fingerprint: "beef".to_owned(), ..ours.clone() };
    assert!(refused(&other).contains("another build"));
    let other = verify::Expectation { processes: 8, ..ours.clone() };
    assert!(refused(&other).contains("of 4 processes, and this run has 8"));
    let other = verify::Expectation { rank: 2, ..ours };
    assert!(refused(&other).contains("rank 1, and this is rank 2"));

    // It may be the file of a writer that is not installed here, so no start discards it.
    let unknown = reason(b"hello, this is no state file, whatever its name may be. It is text, and long.");
    assert!(
        matches!(unknown, Reason::UnknownWriter { .. }) && unknown.is_foreign() && !unknown.stops_the_run()
    );
    assert!(matches!(
        reason(b"BCPPC\n\x1anot quite the signature, and too long to be taken for one that was cut off"),
        Reason::NotAStateFile
    ));
    let renamed = Path::new("/line-000004.cppc");
    disk.rename(&path(), renamed).unwrap();
    let error = verify::open(&disk, renamed, &expectation(1, 4)).unwrap_err();
    assert!(matches!(error.reason, Reason::OtherNumber { found: 3, wanted: 4 }));
}

#[test]
fn a_newer_version_is_told_from_damage() {
    let mut newer = sample(None);
    newer[8] = VERSION as u8 + 1;
    assert!(matches!(reason(&newer), Reason::Damaged { .. }));
    let crc = cppc_runtime::codec::crc32::crc32(&newer[..60]);
    newer[60..64].copy_from_slice(&crc.to_le_bytes());
    assert!(matches!(reason(&newer), Reason::OtherVersion { found } if found == VERSION + 1));
}

/// Files with right checksums and forged numbers.
#[test]
fn hostile_lengths_cost_nothing() {
    let blocks = blocks(1, NUMBER);
    let described = manifest(77, NUMBER, 1, 4, &blocks);
    let huge = |change: fn(&mut Manifest)| {
        let mut lying = described.clone();
        change(&mut lying);
        reason(&written(&lying, &blocks, None))
    };
    let lying = huge(|manifest| manifest.blocks[1].size_bytes = u64::MAX);
    assert!(matches!(lying, Reason::Unfit { .. }), "{lying}");
    let lying = huge(|manifest| manifest.blocks[1].size_bytes = 1 << 50);
    assert!(matches!(lying, Reason::Unfit { .. }), "{lying}");
    let lying = huge(|manifest| manifest.blocks[0].size_bytes = 5);
    assert!(matches!(lying, Reason::Unfit { .. }), "{lying}");
    let lying = huge(|manifest| manifest.registers[1].count = u64::MAX);
    assert!(matches!(lying, Reason::Contradictory(_)), "{lying}");
    let lying = huge(|manifest| manifest.registers[1].target = Some(Location { block: 9, offset_bytes: 0 }));
    assert!(matches!(lying, Reason::Contradictory(_)), "{lying}");
    let lying = huge(|manifest| manifest.types[0].fields[0].type_code = 1000);
    assert!(matches!(lying, Reason::Contradictory(_)), "{lying}");
    let lying = huge(|manifest| manifest.provenance.rank = 4);
    assert!(matches!(lying, Reason::Contradictory(_)), "{lying}");
    let lying = huge(|manifest| manifest.plan.insert(0, PlanEntry::Checkpoint { block: 1 }));
    assert!(matches!(lying, Reason::Contradictory(_)), "{lying}");
}

#[test]
fn counts_beyond_the_bytes_are_refused_before_memory_is_taken() {
    use cppc_runtime::format::manifest::decode;
    // The strings of the provenance, then each of the lists.
    for at in [0usize, 1, 6, 7, 8, 9, 10, 11] {
        let mut lying = Encoder::default();
        (0..at).for_each(|_| lying.count(0));
        lying.count(usize::MAX);
        lying.raw(&[0; 64]);
        assert!(decode(&lying.bytes, VERSION).is_err());
    }
    let whole = manifest(1, 1, 0, 1, &blocks(0, 1));
    let good = cppc_runtime::format::manifest::encode(&whole);
    assert_eq!(decode(&good, VERSION), Ok(whole));
    for at in 0..good.len() {
        assert!(decode(&good[..at], VERSION).is_err());
        for value in [0, 1, 0x7f, 0xff] {
            let mut other = good.clone();
            other[at] = value;
            // Some of these are manifests of other content; none may do harm.
            if let Ok(decoded) = decode(&other, VERSION) {
                let _ = decoded.check(&Machine::THIS);
            }
        }
    }
}

#[test]
fn noise_behind_the_magic_does_no_harm() {
    let mut state = 9u64;
    for length in 0..400usize {
        let mut bytes: Vec<u8> = MAGIC.to_vec();
        for _ in 0..length {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            bytes.push((state >> 33) as u8);
        }
        assert!(open(&bytes).is_err());
    }
}

#[test]
fn a_plan_as_deep_as_allowed_comes_back() {
    let deep = |depth: usize| {
        let mut entries = vec![PlanEntry::Checkpoint { block: 1 }];
        for _ in 0..depth {
            let callee = "down".to_owned();
            entries = vec![PlanEntry::Open { block: 1, callee, captures: Vec::new(), entries }];
        }
        let mut manifest = manifest(77, NUMBER, 1, 4, &blocks(1, NUMBER));
        manifest.plan = entries;
        manifest
    };
    let allowed = deep(MAX_PLAN_DEPTH);
    allowed.check(&Machine::THIS).unwrap();
    let state = open(&written(&allowed, &blocks(1, NUMBER), None)).unwrap();
    assert_eq!(*state.manifest(), allowed);
    assert!(deep(MAX_PLAN_DEPTH + 1).check(&Machine::THIS).is_err());
    let encoded = cppc_runtime::format::manifest::encode(&deep(MAX_PLAN_DEPTH + 1));
    assert!(cppc_runtime::format::manifest::decode(&encoded, VERSION).is_err());
}

#[test]
fn cells_come_back_and_made_up_ones_are_refused() {
    let cell = |slot, type_code, bytes: &[u8]| Cell {
        number: slot,
        type_code,
        element_bytes: 4,
        count: 1,
        bytes: bytes.to_vec(),
    };
    let good = || vec![cell(1, 62, &[1, 2, 3, 4]), cell(65_535, 80, &[0; 4])];
    let with = |cells: Vec<Cell>, at: usize| {
        let mut manifest = manifest(77, NUMBER, 1, 4, &blocks(1, NUMBER));
        manifest.plan.insert(at, PlanEntry::Cells { cells });
        manifest
    };
    let allowed = with(good(), 0);
    allowed.check(&Machine::THIS).unwrap();
    assert_eq!(*open(&written(&allowed, &blocks(1, NUMBER), None)).unwrap().manifest(), allowed);
    assert!(with(good(), 1).check(&Machine::THIS).is_err(), "not the first entry");
    let mut returned = with(good(), 0);
    let cells = returned.plan.remove(0);
    let PlanEntry::Call { entries, .. } = &mut returned.plan[3] else { panic!("a call") };
    entries.insert(0, cells);
    assert!(returned.check(&Machine::THIS).is_err(), "in a call that returned");
    for bad in [
        vec![cell(65_536, 62, &[0; 4])],
        vec![cell(2, 62, &[0; 4]), cell(2, 62, &[0; 4])],
        vec![cell(2, 62, &[0; 5])],
        vec![cell(2, 41, &[0; 4])],
        vec![cell(2, 1000, &[0; 4])],
        vec![Cell { count: u64::MAX, ..cell(2, 62, &[0; 4]) }],
    ] {
        assert!(with(bad.clone(), 0).check(&Machine::THIS).is_err(), "{bad:?}");
    }
    let encoded = cppc_runtime::format::manifest::encode(&allowed);
    for at in 0..encoded.len() {
        let mut other = encoded.clone();
        other[at] ^= 0x81;
        if let Ok(decoded) = cppc_runtime::format::manifest::decode(&other, VERSION) {
            let _ = decoded.check(&Machine::THIS);
        }
    }
}

/// The layout of version 1 must not change: this file was written by the first version.
#[test]
fn a_file_of_the_first_version_is_still_read() {
    let kept = include_bytes!("fixture/version-1.cppc");
    assert_exact_in(1, &open(kept).unwrap(), 1, 4);
}

#[test]
fn shapes_come_back_and_made_up_ones_are_refused() {
    let with = |shapes: &[(u32, &[u64])]| {
        let mut manifest = manifest(77, NUMBER, 1, 4, &blocks(1, NUMBER));
        manifest.shapes = shapes
            .iter()
            .map(|(register, extents)| Shape { register: *register, extents: extents.to_vec() })
            .collect();
        manifest
    };
    let counts: Vec<u64> = with(&[]).registers.iter().map(|register| register.count).collect();
    assert_eq!(counts, [4, 2000, 0, 1500]);
    let mut long = [1; MAX_RANK];
    long[3] = 2000;
    let allowed = with(&[(0, &[2, 2]), (1, &long), (2, &[7, 0, 3]), (3, &[5, 3, 100])]);
    allowed.check(&Machine::THIS).unwrap();
    let state = open(&written(&allowed, &blocks(1, NUMBER), None)).unwrap();
    assert_eq!(*state.manifest(), allowed);
    assert_eq!((state.manifest().shape(3), state.manifest().shape(4)), (Some(&[5, 3, 100][..]), None));
    let bad: [&[(u32, &[u64])]; 10] = [
        &[(0, &[4])],
        &[(0, &[])],
        &[(0, &[2, 3])],
        &[(2, &[7, 1])],
        &[(4, &[1, 1])],
        &[(u32::MAX, &[1, 1])],
        &[(1, &[20, 100]), (0, &[2, 2])],
        &[(0, &[2, 2]), (0, &[4, 1])],
        &[(0, &[1 << 32, 1 << 32, 4])],
        &[(0, &[[1; MAX_RANK].as_slice(), &[4]].concat())],
    ];
    for shapes in bad {
        let refused = with(shapes).check(&Machine::THIS);
        assert!(matches!(refused, Err(ManifestError::Shape { .. })), "{shapes:?}: {refused:?}");
    }
}

fn temporary(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("cppc-test-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&path).unwrap();
    path
}

//! Written state is read back, and damaged state is refused.

mod support;

use cppc_abi::types;
use cppc_runtime::agree::SingleProcess;
use cppc_runtime::manifest::{Field, Kind, StructType};
use cppc_runtime::settings::{Compression, Writer};
use cppc_runtime::storage::{Directory, Posix};
use cppc_runtime::verify;
use cppc_runtime::write::{Dumper, Event, Resumed};
use std::sync::{Arc, Mutex};
use support::{assert_same, dump, open, Zoo};

const BOTH: [Compression; 2] = [Compression::None, Compression::Deflate(1)];

#[test]
fn everything_comes_back() {
    for compress in BOTH {
        let scratch = tempfile::tempdir().unwrap();
        let zoo = Zoo::full();
        let path = dump(scratch.path(), compress, &zoo.manifest, &zoo.blocks).unwrap();
        assert_same(&open(&path).unwrap(), &zoo.manifest, &zoo.blocks);
        let description = verify::describe(&Posix, &path).unwrap();
        assert!(verify::check_content(&description).is_empty());
        assert_eq!(verify::read_part(&description, 2, 7001, 1000).unwrap(), zoo.blocks[2][7001..8001]);
    }
}

#[test]
fn large_blocks_come_back_and_shrink() {
    let mut zoo = Zoo::default();
    let smooth = (0..700_000u64).flat_map(|at| (at / 1000).to_ne_bytes()).collect();
    zoo.add("smooth", types::UNSIGNED_LONG, 8, smooth);
    let mut state = 1u64;
    let noise = (0..3_000_001).map(|_| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 56) as u8
    });
    let noise = zoo.add("noise", types::UNSIGNED_CHAR, 1, noise.collect());
    // Its first chunk does not get smaller, and its second one, padded with zeros, does.
    let waves = (0..200_000u32).flat_map(|at| (f64::from(at) * 1e-3).sin().to_ne_bytes());
    zoo.add("waves", types::DOUBLE, 8, waves.collect());
    // Elements whose size does not divide that of the pieces that are read.
    zoo.manifest.types.push(StructType { name: "odd".to_owned(), size_bytes: 40, fields: Vec::new() });
    zoo.add("odd", 1000, 40, (0..100_000 * 40u32).map(|at| (at / 77) as u8).collect());
    zoo.name("inside", types::UNSIGNED_CHAR, 1, 1_000_000, Some((noise, 1_000_001)), Kind::Pointer);
    let sizes = BOTH.map(|compress| {
        let scratch = tempfile::tempdir().unwrap();
        let path = dump(scratch.path(), compress, &zoo.manifest, &zoo.blocks).unwrap();
        assert_same(&open(&path).unwrap(), &zoo.manifest, &zoo.blocks);
        std::fs::metadata(path).unwrap().len()
    });
    let memory: usize = zoo.blocks.iter().map(Vec::len).sum();
    assert!(sizes[0] < memory as u64 + 100_000, "nothing is stored twice: {}", sizes[0]);
    assert!(sizes[1] < 6 << 20, "what can be compressed was: {}", sizes[1]);
}

#[test]
fn odd_states_are_written() {
    let many = |count: usize| {
        let mut zoo = Zoo::default();
        for index in 0..count {
            zoo.add(&format!("value {index}"), types::INT, 4, (index as i32).to_ne_bytes().to_vec());
        }
        zoo
    };
    let mut nameless = many(3);
    nameless.manifest.registers.clear();
    let mut long = many(2);
    long.manifest.registers[0].name = "very long ".repeat(3000);
    long.manifest.registers[1].name = "very long ".repeat(3000);
    let mut deep = many(1);
    // A structure with more fields than the library allows in one type.
    let field = |at: u64| Field {
        name: format!("a field with quite a long name {at}"),
        offset_bytes: 4 * at,
        type_code: types::INT,
        count: 1,
    };
    deep.manifest.types.push(StructType {
        name: "wide".to_owned(),
        size_bytes: 16_000,
        fields: (0..4000).map(field).collect(),
    });
    deep.add("wide", 1000, 16_000, vec![1; 32_000]);
    // Two types that only files describe: endlessly nested structures, and ones that double at each level.
    let (mut tower, mut doubled) = (many(1), many(1));
    let structure =
        |size_bytes: u64, fields: Vec<Field>| StructType { name: "part".to_owned(), size_bytes, fields };
    let inner = |name: &str, offset_bytes: u64, level: i32| {
        let type_code = if level == 0 { types::CHAR } else { 999 + level };
        Field { name: name.to_owned(), offset_bytes, type_code, count: 1 }
    };
    tower.manifest.types = (0..100_000).map(|level| structure(1, vec![inner("in", 0, level)])).collect();
    tower.add("tower", 1000 + 99_999, 1, vec![1; 20]);
    let double =
        |level: i32| structure(2 << level, vec![inner("a", 0, level), inner("b", 1 << level, level)]);
    doubled.manifest.types = (0..24).map(double).collect();
    doubled.add("doubled", 1023, 1 << 24, vec![1; 1 << 24]);
    let mut clash = many(0);
    for name in ["global", "solve.1", "a/b", "a", ".", "..", "", "gl\u{1b}"] {
        clash.add(name, types::INT, 4, vec![1, 2, 3, 4]);
    }
    let mut plan = many(1);
    let entry =
        cppc_runtime::manifest::PlanEntry::Execute { block: 3, captures: Vec::new(), files: Vec::new() };
    plan.manifest.plan.splice(1..1, std::iter::repeat_n(entry, 20_000));
    for (what, zoo) in [
        ("none", many(0)),
        ("nameless", nameless),
        ("many", many(3000)),
        ("long", long),
        ("deep", deep),
        ("tower", tower),
        ("doubled", doubled),
        ("clash", clash),
        ("plan", plan),
    ] {
        let scratch = tempfile::tempdir().unwrap();
        let path = dump(scratch.path(), Compression::None, &zoo.manifest, &zoo.blocks);
        let path = path.unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_same(&open(&path).unwrap(), &zoo.manifest, &zoo.blocks);
    }
}

/// Wherever a file is damaged, its state is read completely or refused, and nothing crashes.
#[test]
fn damage_is_found() {
    for compress in BOTH {
        let scratch = tempfile::tempdir().unwrap();
        let mut zoo = Zoo::default();
        zoo.add("grid", types::DOUBLE, 8, (0..200u64).flat_map(|at| (at / 9).to_ne_bytes()).collect());
        zoo.add("i", types::INT, 4, vec![1, 2, 3, 4]);
        let path = dump(scratch.path(), compress, &zoo.manifest, &zoo.blocks).unwrap();
        let good = std::fs::read(&path).unwrap();
        let (mut refused, mut tried) = (0, 0);
        let mut check = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            tried += 1;
            match open(&path) {
                Ok(state) => assert_same(&state, &zoo.manifest, &zoo.blocks),
                Err(error) => {
                    refused += 1;
                    assert!(error.to_string().contains("line-000003.cppc"), "{error}");
                }
            }
        };
        for at in (0..good.len()).step_by(7) {
            let mut bad = good.clone();
            bad[at] ^= 1 << (at % 8);
            check(&bad);
        }
        (0..good.len()).step_by(97).for_each(|length| check(&good[..length]));
        for at in (0..good.len()).step_by(64) {
            let mut bad = good.clone();
            let end = (at + 64).min(bad.len());
            bad[at..end].fill(0xff);
            check(&bad);
        }
        // A file without its table is read through the library, and may be complete.
        assert!(refused * 50 > tried * 49, "{refused} of {tried} refused");
    }
}

/// Old files are overwritten in place, whatever wrote them, and truncated if they were longer.
#[test]
fn old_files_are_overwritten() {
    let scratch = tempfile::tempdir().unwrap();
    let directory = Directory::new(Arc::new(Posix), scratch.path(), "zoo", 1);
    let told = Arc::new(Mutex::new(Vec::new()));
    let listen = told.clone();
    let listener = Arc::new(move |event: Event| {
        if let Event::Published { number, recycled, .. } = event {
            listen.lock().unwrap().push((number, recycled));
        }
    });
    let mut number = 0;
    for (round, writer) in
        [None, Some(Compression::None), Some(Compression::Deflate(1)), None, Some(Compression::None)]
            .into_iter()
            .enumerate()
    {
        let mut options = support::options(writer.unwrap_or(Compression::None));
        if writer.is_none() {
            options.writer = Writer::Binary;
        }
        let resumed = (number > 0).then_some(Resumed { number, bases: Vec::new() });
        let mut dumper = Dumper::start(directory.clone(), options, 9, resumed, listener.clone());
        for size in [300_000usize, 50, 100_000, 7] {
            number += 1;
            let mut zoo = Zoo::default();
            zoo.manifest.provenance.number = number;
            zoo.add(
                "grid",
                types::UNSIGNED_CHAR,
                1,
                (0..size).map(|at| (at * (round + 3) + number as usize) as u8).collect(),
            );
            let ranges: Vec<_> = zoo.blocks.iter().map(|block| (block.as_ptr(), block.len())).collect();
            // SAFETY: the ranges outlive the call and the wait.
            unsafe { dumper.dump(&SingleProcess::new(), zoo.manifest.clone(), &ranges) };
            dumper.wait();
            let path = directory.line(number);
            assert_same(&open(&path).unwrap(), &zoo.manifest, &zoo.blocks);
            let room = std::fs::metadata(&path).unwrap().len();
            assert!(room < size as u64 + 40_000, "{room} bytes for {size}");
        }
    }
    let told = told.lock().unwrap();
    assert!(told.iter().skip(3).all(|(_, recycled)| *recycled), "{told:?}");
}

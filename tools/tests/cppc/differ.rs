//! The report of `cppc diff` about states that are, or are not, equal.

use crate::fixture::{cppc, dump, dumped, json, manifest, memory, path_text, write_for, Scratch};
use cppc_runtime::manifest::{
    BlockPlace, Field, Kind, Location, Manifest, MemoryBlock, PlanEntry, Register, Relocation, Scope, Shape,
    StructType,
};
use cppc_runtime::settings::Compression;
use cppc_runtime::verify::Machine;
use std::path::Path;

fn diff(a: &Path, b: &Path, more: &[&str]) -> (String, bool) {
    let words: Vec<&str> = ["diff", path_text(a), path_text(b)].iter().chain(more).copied().collect();
    cppc(&words).unwrap()
}

fn changed(at: usize, value: f64) -> Vec<Vec<u8>> {
    let mut content = memory(0, 1);
    content[1][8 * at..8 * at + 8].copy_from_slice(&value.to_ne_bytes());
    content
}

#[test]
fn what_is_the_same_is_the_same() {
    let (a, b) = (Scratch::new("same-a"), Scratch::new("same-b"));
    dumped(&a.0, 3, 2, Compression::None, None);
    dumped(&b.0, 3, 2, Compression::Deflate(6), None);
    let (said, good) = diff(&a.0, &b.0, &[]);
    assert!(good && said == "3 of 3 processes the same\n", "{said}");
    let (said, good) = diff(&a.line(1, 2), &b.0, &[]);
    assert!(good && said == "the same: 4 registers\n", "{said}");
    // The newest line that both have.
    std::fs::remove_file(b.line(0, 2)).unwrap();
    assert!(diff(&a.0, &b.0, &["--rank", "0"]).1);
    let (said, good) = diff(&a.0, format!("{}@2", path_text(&b.0)).as_ref(), &[]);
    assert!(!good && said.contains("B no file") && said.contains("2 of 3 processes the same"), "{said}");
}

#[test]
fn differences_are_told_with_place_and_size() {
    let (a, b) = (Scratch::new("place-a"), Scratch::new("place-b"));
    let mut with = manifest(0, 1, 1);
    with.shapes = vec![Shape { register: 1, extents: vec![40, 50] }];
    dump(&a.0, with.clone(), &memory(0, 1));
    let mut content = changed(103, 52.5 + 1e-9);
    content[1][8 * 1999..].copy_from_slice(&1002.5f64.to_ne_bytes());
    dump(&b.0, with, &content);
    let (said, good) = diff(&a.0, &b.0, &[]);
    let row: Vec<&str> =
        said.lines().find(|line| line.contains("solve (1)")).unwrap().split_whitespace().collect();
    assert_eq!(
        row,
        [
            "u",
            "solve",
            "(1)",
            "double",
            "2",
            "of",
            "2000",
            "[2][3]",
            "52.5",
            "52.500000001",
            "2",
            "0.002",
            "1.76e13",
            "[39][49]"
        ]
    );
    assert!(!good && said.contains("3 registers the same"), "{said}");
    let found = &json(&["diff", path_text(&a.0), path_text(&b.0)])["pairs"][0]["differing"][0];
    assert_eq!(
        (&found["first"]["element"], &found["max_absolute"], &found["largest_at"]),
        (&103.into(), &2.0.into(), &"[39][49]".into())
    );
    let (said, good) = diff(&a.0, &b.0, &["--tolerance", "2"]);
    assert!(good && said.contains("2 values not the same, but within the tolerance"), "{said}");
    assert!(diff(&a.0, &b.0, &["--relative", "0.01"]).1);
    assert!(!diff(&a.0, &b.0, &["--relative", "1e-12"]).1);
    assert!(diff(&a.0, &b.0, &["-n", "n*"]).1);
}

#[test]
fn reals_that_are_no_numbers_are_the_same_by_their_bits() {
    let (a, b) = (Scratch::new("nan-a"), Scratch::new("nan-b"));
    let check = |one: f64, other: f64, more: &[&str]| {
        dump(&a.0, manifest(0, 1, 1), &changed(5, one));
        dump(&b.0, manifest(0, 1, 1), &changed(5, other));
        diff(&a.0, &b.0, more).1
    };
    assert!(check(f64::NAN, f64::NAN, &[]));
    assert!(!check(f64::NAN, 1.0, &["--tolerance", "inf"]));
    assert!(!check(f64::INFINITY, 1.0, &["--relative", "5"]));
    assert!(!check(f64::NAN, f64::from_bits(f64::NAN.to_bits() ^ 1), &[]));
    assert!(!check(0.0, -0.0, &[]));
    assert!(check(0.0, -0.0, &["--tolerance", "1e-300"]));
}

#[test]
fn other_names_types_and_plans_are_told() {
    let (a, b) = (Scratch::new("types-a"), Scratch::new("types-b"));
    dump(&a.0, manifest(0, 1, 1), &memory(0, 1));
    let check = |change: fn(&mut Manifest)| {
        let mut other = manifest(0, 1, 1);
        change(&mut other);
        dump(&b.0, other, &memory(0, 1));
        let (said, good) = diff(&a.0, &b.0, &[]);
        assert!(!good, "{said}");
        said
    };
    let said = check(|manifest| manifest.registers[1].name = "w\u{1b}".to_owned());
    assert!(
        said.contains("only in A: u of solve (1)") && said.contains("only in B: w\\u{1b} of solve (1)"),
        "{said}"
    );
    let said = check(|manifest| manifest.registers[1].type_code = 10);
    assert!(said.contains("u: types double and long long"), "{said}");
    let said = check(|manifest| manifest.registers[1].type_code = 81);
    assert!(said.contains("u: types double and REAL(KIND=8)"), "{said}");
    let said = check(|manifest| manifest.registers[1].count = 1999);
    assert!(said.contains("u: counts 2000 and 1999"), "{said}");
    let said = check(|manifest| manifest.registers[1].target = None);
    assert!(said.contains("u: pointers not null and null"), "{said}");
    let said = check(|manifest| _ = manifest.plan.remove(1));
    assert!(
        said.contains(
            "restart plans differ at entry 2:\n    A block 2: execute with i = 2\n    B block 3: in solve"
        ),
        "{said}"
    );
}

#[test]
fn pointers_are_the_places_they_lead_to() {
    let (a, b) = (Scratch::new("pointer-a"), Scratch::new("pointer-b"));
    let with = |element: u64, address: u8| {
        let mut manifest = manifest(0, 1, 1);
        (manifest.registers[2].type_code, manifest.registers[2].element_bytes, manifest.registers[2].count) =
            (41, 8, 1);
        manifest.registers[2].name = "link".to_owned();
        let target = Some(Location { block: 1, offset_bytes: 8 * element });
        manifest.relocations = vec![Relocation { at: Location { block: 2, offset_bytes: 0 }, target }];
        let mut content = memory(0, 1);
        content[2] = vec![address; 8];
        (manifest, content)
    };
    let (manifest, content) = with(3, 1);
    dump(&a.0, manifest, &content);
    let (manifest, content) = with(3, 2);
    dump(&b.0, manifest, &content);
    assert!(diff(&a.0, &b.0, &[]).1);
    let (manifest, content) = with(2000, 1);
    dump(&b.0, manifest, &content);
    let (said, good) = diff(&a.0, &b.0, &[]);
    assert!(!good && said.contains("&u of solve (1)[3]   &u of solve (1) (its end)"), "{said}");
}

#[test]
fn damage_is_a_difference() {
    let (a, b) = (Scratch::new("damage-a"), Scratch::new("damage-b"));
    dumped(&a.0, 1, 1, Compression::None, None);
    dumped(&b.0, 1, 1, Compression::None, None);
    let mut bytes = std::fs::read(b.line(0, 1)).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(b.line(0, 1), &bytes).unwrap();
    let (said, good) = diff(&a.0, &b.0, &[]);
    assert!(!good && said.contains("register `u`") && said.contains("3 registers the same"), "{said}");
    std::fs::write(b.line(0, 1), b"").unwrap();
    assert!(!diff(&a.0, &b.0, &[]).1);
    assert!(cppc(&["diff", path_text(&a.0), "no/such/file"]).is_err());
}

/// The state of a program on a machine: a `long`, a `long double`, structures with a pointer.
fn on(machine: Machine, path: &Path, change: impl FnOnce(&mut [i64])) {
    let order = |mut bytes: Vec<u8>| {
        if machine.big_endian {
            bytes.reverse();
        }
        bytes
    };
    let mut numbers = [-7i64, 1 << 30];
    change(&mut numbers);
    let long = |value: i64| order(value.to_le_bytes()[..machine.long_bytes.into()].to_vec());
    let extended = (0x3ffb_u128 << 64) | 0xcccc_cccc_cccc_cccd;
    let real = match machine.long_double_digits {
        64 => extended.to_le_bytes()[..machine.long_double_bytes.into()].to_vec(),
        // The same number with more digits, which are zeros.
        _ => order(((0x3ffb_u128 << 112) | ((extended << 49) & ((1 << 112) - 1))).to_le_bytes().to_vec()),
    };
    let pointer = u64::from(machine.pointer_bytes);
    let at = if machine.pointer_bytes == 4 { 4 } else { 8 };
    let field = |name: &str, offset_bytes, type_code| Field {
        name: name.to_owned(),
        offset_bytes,
        type_code,
        count: 1,
    };
    let fields = vec![field("kind", 0, 1), field("value", at, 21), field("next", at + 8, 41)];
    let size = at + 8 + pointer;
    let mut node = vec![0xee; size as usize];
    node[0] = b'k';
    node[at as usize..at as usize + 8].copy_from_slice(&order(0.5f64.to_le_bytes().to_vec()));
    let memory =
        [numbers.iter().flat_map(|&number| long(number)).collect(), real, [&node[..], &node].concat()];
    let register = |name: &str, block, type_code, element_bytes: u64, count| Register {
        name: name.to_owned(),
        section: 0,
        scope: Scope::Program,
        type_code,
        element_bytes: element_bytes as u32,
        count,
        storage: 1,
        kind: Kind::Memory,
        target: Some(Location { block, offset_bytes: 0 }),
    };
    let link = |from: u64, block, offset_bytes| Relocation {
        at: Location { block: 2, offset_bytes: from * size + at + 8 },
        target: Some(Location { block, offset_bytes }),
    };
    let manifest = Manifest {
        types: vec![StructType { name: "node".to_owned(), size_bytes: size, fields }],
        blocks: memory
            .iter()
            .map(|bytes: &Vec<u8>| MemoryBlock { size_bytes: bytes.len() as u64, place: BlockPlace::Program })
            .collect(),
        registers: vec![
            register("numbers", 0, 8, machine.long_bytes.into(), 2),
            register("real", 1, 22, machine.long_double_bytes.into(), 1),
            register("nodes", 2, 1000, size, 2),
        ],
        relocations: vec![link(0, 2, size + at), link(1, 0, machine.long_bytes.into())],
        plan: vec![PlanEntry::Checkpoint { block: 1 }],
        ..manifest(0, 1, 1)
    };
    write_for(machine, path, &manifest, &memory);
}

#[test]
fn machines_are_compared_by_value() {
    let scratch = Scratch::new("machines");
    let x86_64 = Machine {
        big_endian: false,
        long_bytes: 8,
        pointer_bytes: 8,
        long_double_bytes: 16,
        long_double_digits: 64,
    };
    let i386 = Machine { long_bytes: 4, pointer_bytes: 4, long_double_bytes: 12, ..x86_64 };
    let s390x = Machine { big_endian: true, long_double_digits: 113, ..x86_64 };
    let names = ["a.cppc", "b.cppc", "c.cppc", "d.cppc"].map(|name| scratch.0.join(name));
    for (machine, name) in [x86_64, i386, s390x].into_iter().zip(&names) {
        on(machine, name, |_| {});
        let (said, _) = cppc(&["show", path_text(name)]).unwrap();
        assert!(
            said.contains("-7 1073741824")
                && said.contains("0.1")
                && said.contains("kind=\"k\" value=0.5 next=pointer"),
            "{said}"
        );
    }
    for one in &names[..3] {
        for other in &names[..3] {
            let (said, good) = diff(one, other, &[]);
            assert!(good && said == "the same: 3 registers\n", "{said}");
        }
    }
    on(s390x, &names[3], |numbers| numbers[1] += 1);
    let (said, good) = diff(&names[1], &names[3], &[]);
    let row: Vec<&str> =
        said.lines().find(|line| line.contains("numbers")).unwrap().split_whitespace().collect();
    assert!(!good && row[3..10] == ["1", "of", "2", "[1]", "1073741824", "1073741825", "1"], "{said}");
}

/// The state of one program, written on each machine.
#[test]
fn kept_files_of_four_machines_are_the_same() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/tests/golden/version-1");
    let files = ["x86-64", "i386", "aarch64", "s390x"].map(|machine| kept.join(format!("{machine}.cppc")));
    for one in &files {
        let (said, good) = cppc(&["show", path_text(one), "-n", "wide", "-n", "third"]).unwrap();
        assert!(good && said.contains("-7.000244140625") && said.contains("3.0009765625"), "{said}");
        for other in &files {
            let (said, good) = diff(one, other, &[]);
            assert!(good && said == "the same: 20 registers\n", "{said}");
        }
    }
}

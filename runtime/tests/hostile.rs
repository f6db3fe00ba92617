//! Files with right checksums and forged content: they are refused, or their content is copied only to memory
//! that the program has registered.

#[path = "fixture/forged.rs"]
mod forged;

use cppc_abi::storage::{Storage as Class, AUTOMATIC, DYNAMIC, STATIC};
use cppc_abi::types;
use cppc_runtime::codec::CompressionOptions;
use cppc_runtime::format::binary::{self, DumpContent};
use cppc_runtime::machine::Machine;
use cppc_runtime::manifest::*;
use cppc_runtime::register::Layouts;
use cppc_runtime::restore::{native_plan, Delivery, Request};
use cppc_runtime::storage::{Simulated, Storage};
use cppc_runtime::verify::{self, Expectation, StateFile, Verified};
use std::path::PathBuf;

/// A small generator.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 33
    }

    fn below(&mut self, limit: usize) -> usize {
        self.next() as usize % limit.max(1)
    }

    /// Numbers that tend to cause errors.
    fn number(&mut self) -> u64 {
        let odd = [
            0,
            1,
            2,
            3,
            4,
            7,
            8,
            12,
            16,
            24,
            40,
            1 << 31,
            u32::MAX as u64,
            1 << 33,
            1 << 62,
            u64::MAX - 7,
            u64::MAX,
        ];
        odd[self.below(odd.len())]
    }
}

fn field(name: &str, offset_bytes: u64, type_code: i32, count: u64) -> Field {
    Field { name: name.to_owned(), offset_bytes, type_code, count }
}

/// `struct inner { char c; long l[2]; void *p; }` and `struct outer { short s; struct inner in[2]; double d; }` where
/// `long` and pointers have this size and everything is aligned to it.
fn structures(long: u64) -> Vec<StructType> {
    let inner = vec![
        field("c", 0, types::CHAR, 1),
        field("l", long, types::LONG, 2),
        field("p", 3 * long, types::POINTER, 1),
    ];
    let outer = vec![
        field("s", 0, types::SHORT, 1),
        field("in", long, 1000, 2),
        field("d", 9 * long, types::DOUBLE, 1),
    ];
    vec![
        StructType { name: "inner".into(), size_bytes: 4 * long, fields: inner },
        StructType { name: "outer".into(), size_bytes: 9 * long + 8, fields: outer },
    ]
}

/// Name, type, elements, storage, kind, memory block, and the offset in elements of the block's first
/// register.
type Made = (&'static str, i32, u64, i32, Kind, u32, u64);

const MADE: &[Made] = &[
    ("whole", types::LONG, 3, STATIC, Kind::Memory, 0, 0),
    ("outer", 1001, 2, STATIC, Kind::Memory, 1, 0),
    ("heap", types::LONG, 20, AUTOMATIC, Kind::Pointer, 2, 0),
    ("window", types::LONG, 5, AUTOMATIC, Kind::Pointer, 2, 3),
    ("list", 1000, 4, STATIC, Kind::Pointer, 3, 0),
    ("given", types::DOUBLE, 6, DYNAMIC, Kind::Memory, 4, 0),
    ("exact", types::LONG_DOUBLE, 2, STATIC, Kind::Memory, 5, 0),
    ("text", types::CHAR, 9, AUTOMATIC, Kind::Memory, 6, 0),
];

fn size_of_type(machine: &Machine, types_of: &[StructType], code: i32) -> u64 {
    match types::by_code(code) {
        Some(found) => machine.element_bytes(found) as u64,
        None => types_of[code as usize - 1000].size_bytes,
    }
}

fn base(machine: &Machine) -> Manifest {
    let long = u64::from(machine.long_bytes);
    let types = structures(long);
    let mut blocks: Vec<MemoryBlock> = Vec::new();
    let mut registers = Vec::new();
    for (name, type_code, count, storage, kind, block, at) in MADE {
        let element_bytes = size_of_type(machine, &types, *type_code);
        let place = if *kind == Kind::Pointer || storage & DYNAMIC != 0 {
            BlockPlace::Heap
        } else {
            BlockPlace::Program
        };
        if blocks.len() <= *block as usize {
            blocks.push(MemoryBlock { size_bytes: count * element_bytes, place });
        }
        let is_automatic = storage & AUTOMATIC != 0;
        registers.push(Register {
            name: (*name).to_owned(),
            section: 0,
            scope: if is_automatic {
                Scope::Frame { depth: 0, procedure: "main".into() }
            } else {
                Scope::Program
            },
            type_code: *type_code,
            element_bytes: element_bytes as u32,
            count: *count,
            storage: *storage,
            kind: *kind,
            target: Some(Location { block: *block, offset_bytes: at * element_bytes }),
        });
    }
    let at = |block, offset_bytes| Location { block, offset_bytes };
    let mut relocations: Vec<Relocation> = (0..4)
        .map(|node| Relocation {
            at: at(3, (4 * node + 3) * long),
            target: (node < 3).then(|| at(3, 4 * (node + 1) * long)),
        })
        .collect();
    relocations.insert(0, Relocation { at: at(1, 4 * long), target: Some(at(2, 20 * long)) });
    relocations.insert(1, Relocation { at: at(1, 8 * long), target: Some(at(6, 9)) });
    relocations.insert(2, Relocation { at: at(1, 9 * long + 8 + 4 * long), target: None });
    relocations.insert(3, Relocation { at: at(1, 9 * long + 8 + 8 * long), target: Some(at(0, long)) });
    let capture = Capture {
        name: "node".into(),
        type_code: 1000,
        element_bytes: 4 * long as u32,
        count: 1,
        bytes: vec![0; 4 * long as usize],
        relocations: vec![Relocation { at: at(0, 3 * long), target: Some(at(3, 0)) }],
    };
    let cell = Cell { number: 3, type_code: 62, element_bytes: 4, count: 1, bytes: vec![1, 0, 0, 0] };
    Manifest {
        provenance: Provenance {
            application: "a".into(),
            run: 1,
            number: 1,
            processes: 1,
            ..Provenance::default()
        },
        types,
        blocks,
        registers,
        relocations,
        plan: vec![
            PlanEntry::Cells { cells: vec![cell] },
            PlanEntry::Init { block: 1 },
            PlanEntry::Register { block: 2, registers: (0..MADE.len() as u32).collect() },
            PlanEntry::Execute { block: 3, captures: vec![capture], files: Vec::new() },
            PlanEntry::Checkpoint { block: 4 },
        ],
        shapes: vec![Shape { register: 2, extents: vec![4, 5] }, Shape { register: 5, extents: vec![3, 2] }],
    }
}

/// Changes one value.
fn mutate(manifest: &mut Manifest, chance: &mut Chance) {
    let register = chance.below(manifest.registers.len());
    let block = chance.below(manifest.blocks.len());
    let relocation = chance.below(manifest.relocations.len());
    let (structure, one) = (chance.below(manifest.types.len()), chance.below(3));
    let number = chance.number();
    let codes =
        [0, 1, 6, 8, 21, 22, 23, 31, 32, 40, 41, 82, 100, 127, 999, 1000, 1001, 1002, i32::MAX, i32::MIN];
    let code = codes[chance.below(codes.len())];
    let small = chance.below(100) as u64;
    match chance.below(20) {
        0 => manifest.registers[register].count = number,
        1 => manifest.registers[register].element_bytes = number as u32,
        2 => manifest.registers[register].type_code = code,
        3 => {
            manifest.registers[register].target = Some(Location { block: block as u32, offset_bytes: small })
        }
        4 => manifest.registers[register].target = None,
        5 => manifest.registers[register].kind = if one == 0 { Kind::Memory } else { Kind::Pointer },
        6 => manifest.registers[register].count = small,
        7 => manifest.blocks[block].size_bytes = small,
        8 => manifest.blocks[block].place = if one == 0 { BlockPlace::Heap } else { BlockPlace::Program },
        9 => manifest.relocations[relocation].at.offset_bytes = small,
        10 => manifest.relocations[relocation].at.block = block as u32,
        11 => {
            manifest.relocations[relocation].target =
                Some(Location { block: block as u32, offset_bytes: small })
        }
        12 => manifest.relocations.swap(relocation, 0),
        13 => manifest.types[structure].fields[one].offset_bytes = if small < 50 { small } else { number },
        14 => manifest.types[structure].fields[one].type_code = code,
        15 => manifest.types[structure].fields[one].count = if small < 50 { small } else { number },
        16 => manifest.shapes[one % 2].register = small as u32,
        17 => manifest.shapes[one % 2].extents = vec![number; one],
        18 => manifest.shapes[one % 2].extents.extend(vec![1; small as usize]),
        _ => manifest.types[structure].size_bytes = if small < 50 { small } else { number },
    }
}

/// The file as `machine` would have written it; `None` if there is no such file.
fn file(machine: Machine, manifest: &Manifest, chance: &mut Chance) -> Option<Vec<u8>> {
    let small = |block: &MemoryBlock| (block.size_bytes < 1 << 16).then_some(block.size_bytes as usize);
    let sizes = manifest.blocks.iter().map(small).collect::<Option<Vec<usize>>>()?;
    // Mostly small numbers, so that most of them are valid.
    let fill =
        |size: usize| (0..size).map(|_| if chance.below(9) == 0 { chance.next() as u8 } else { 0 }).collect();
    let blocks: Vec<Vec<u8>> = sizes.into_iter().map(fill).collect();
    let slices: Vec<&[u8]> = blocks.iter().map(Vec::as_slice).collect();
    let disk = Simulated::new();
    let file = disk.open_for_writing(&path()).unwrap();
    let content = DumpContent { blocks: &slices, compression: CompressionOptions::default() };
    let size = binary::write(&*file, manifest, &content).unwrap();
    let mut bytes = vec![0; size as usize];
    file.read_at(0, &mut bytes).unwrap();
    forged::by_machine(machine, &mut bytes);
    Some(bytes)
}

fn path() -> PathBuf {
    PathBuf::from("/line-000001.cppc")
}

fn open(bytes: &[u8]) -> Option<Verified<StateFile>> {
    let disk = Simulated::new();
    disk.open_for_writing(&path()).unwrap().write_at(0, bytes).unwrap();
    let expectation =
        Expectation { application: "a".into(), fingerprint: String::new(), processes: 1, rank: 0 };
    verify::open(&disk, &path(), &expectation).ok()
}

/// Memory of the program between bytes that must not change.
struct Guarded {
    bytes: Vec<u64>,
}

const GUARD: usize = 64;

impl Guarded {
    fn new(size_bytes: usize) -> Guarded {
        Guarded { bytes: vec![u64::MAX / 3; 2 * GUARD + size_bytes.div_ceil(8)] }
    }

    fn address(&self) -> usize {
        self.bytes[GUARD..].as_ptr() as usize
    }

    fn is_intact(&self, size_bytes: usize) -> bool {
        let after = GUARD + size_bytes.div_ceil(8);
        self.bytes[..GUARD].iter().chain(&self.bytes[after..]).all(|&guard| guard == u64::MAX / 3)
    }
}

/// A program that registers everything again. Returns whether the restart ended successfully.
fn resume(file: Verified<StateFile>) -> bool {
    let mut layouts = Layouts::default();
    for structure in structures(u64::from(Machine::THIS.long_bytes)) {
        layouts.define(structure).unwrap();
    }
    let captures: Vec<Capture> = file
        .manifest()
        .plan
        .iter()
        .flat_map(|entry| match entry {
            PlanEntry::Execute { captures, .. } => captures.clone(),
            _ => Vec::new(),
        })
        .collect();
    let plan_is_read = native_plan(&file).is_ok();
    let mut delivery = Delivery::new(file);
    let mut memory = Vec::new();
    let mut is_whole = plan_is_read;
    for (name, type_code, count, storage, kind, _, _) in MADE {
        let element_bytes = layouts.element_bytes(*type_code).unwrap();
        let size_bytes =
            if *kind == Kind::Pointer { size_of::<usize>() } else { *count as usize * element_bytes };
        let place = Guarded::new(size_bytes);
        let request = Request {
            name,
            section: 0,
            kind: *kind,
            address: place.address(),
            count: *count as usize,
            type_code: *type_code,
            storage: Class::new(*storage).unwrap(),
        };
        is_whole &= delivery.deliver(&layouts, request, None, true).is_ok();
        memory.push((place, size_bytes));
    }
    for capture in captures {
        if let Ok(bytes) = delivery.captured(&layouts, &capture, 1000, None, None) {
            assert_eq!(bytes.len(), capture.count as usize * layouts.element_bytes(1000).unwrap());
        }
    }
    delivery.mark_changed();
    is_whole &= delivery.finish().is_ok();
    let spoiled = memory.iter().zip(MADE).find(|((place, size_bytes), _)| !place.is_intact(*size_bytes));
    assert!(
        spoiled.is_none(),
        "what lies around `{}` was written to: {:#?}",
        spoiled.unwrap().1 .0,
        delivery.manifest()
    );
    is_whole
}

#[test]
fn what_is_whole_is_put_in_place_from_every_machine() {
    let mut chance = Chance(7);
    for (name, machine) in forged::MACHINES {
        let mut bytes = file(machine, &base(&machine), &mut Chance(1)).expect("it is small");
        // A `long double` of two doubles is the only type that cannot be converted.
        let is_strange = machine.long_double_digits == 106;
        let mut is_whole = false;
        for _ in 0..50 {
            let file = open(&bytes).expect(name);
            is_whole |= resume(file);
            bytes = self::file(machine, &base(&machine), &mut chance).expect("it is small");
        }
        assert_eq!(is_whole, !is_strange, "{name}");
    }
}

#[test]
fn what_is_made_up_does_no_harm() {
    let mut chance = Chance(42);
    let (mut opened, mut resumed) = (0, 0);
    for turn in 0..6000 {
        let (_, machine) = forged::MACHINES[turn % forged::MACHINES.len()];
        let mut manifest = base(&machine);
        for _ in 0..1 + chance.below(3) {
            mutate(&mut manifest, &mut chance);
        }
        let Some(bytes) = file(machine, &manifest, &mut chance) else { continue };
        let Some(file) = open(&bytes) else { continue };
        opened += 1;
        resumed += usize::from(resume(file));
    }
    assert!(opened > 500 && resumed > 10, "{opened} {resumed}: hardly anything was looked at");
}

/// Changes some bytes of one part of a file, mostly to numbers that tend to cause errors.
fn spoil(bytes: &mut [u8], whole: &[u8], chance: &mut Chance) {
    let number = |at: usize| u64::from_le_bytes(whole[at..at + 8].try_into().unwrap()) as usize;
    let (length, tail) = (bytes.len(), bytes.len() - 40);
    let (manifest, index) = (64..64 + number(16), number(tail + 8)..tail);
    let part = match chance.below(12) {
        0 => 8..60,
        1 => tail + 8..length - 8,
        2..5 => index,
        _ => manifest,
    };
    let at = part.start + chance.below(part.len().saturating_sub(8));
    let odd = chance.number();
    match chance.below(7) {
        0 => bytes[at] = chance.next() as u8,
        1 => bytes[at] = odd as u8,
        2 => bytes[at..at + 4].copy_from_slice(&(odd as u32).to_le_bytes()),
        3 => bytes[at..at + 8].copy_from_slice(&odd.to_le_bytes()),
        4 => bytes[at..at + 8].copy_from_slice(&(chance.below(200) as u64).to_le_bytes()),
        5 => bytes[at] ^= 1 << chance.below(8),
        _ => {
            let from = part.start + chance.below(part.len().saturating_sub(16));
            bytes.copy_within(from..from + chance.below(16), at.min(length - 16));
        }
    }
}

#[test]
fn bytes_that_are_made_up_do_no_harm() {
    let turns = std::env::var("HOSTILE_TURNS").ok().and_then(|turns| turns.parse().ok()).unwrap_or(20_000);
    let mut chance =
        Chance(std::env::var("HOSTILE_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(11));
    let wholes: Vec<(Machine, Vec<u8>)> = forged::MACHINES
        .iter()
        .filter_map(|(_, machine)| Some((*machine, file(*machine, &base(machine), &mut chance)?)))
        .collect();
    let (mut opened, mut resumed) = (0, 0);
    for turn in 0..turns {
        let (_, whole) = &wholes[turn % wholes.len()];
        let mut bytes = whole.clone();
        for _ in 0..1 + chance.below(3) {
            spoil(&mut bytes, whole, &mut chance);
        }
        forged::reseal(&mut bytes);
        let Some(file) = open(&bytes) else { continue };
        opened += 1;
        resumed += usize::from(resume(file));
    }
    assert!(opened > 500 && resumed > 10, "{opened} {resumed}: hardly anything was looked at");
}

#[test]
fn machines_that_cannot_be_are_refused() {
    let whole = file(Machine::THIS, &base(&Machine::THIS), &mut Chance(1)).expect("it is small");
    for odd in [
        Machine { long_bytes: 0, ..Machine::THIS },
        Machine { pointer_bytes: 255, ..Machine::THIS },
        Machine { long_double_bytes: 1, ..Machine::THIS },
        Machine { long_double_digits: 200, ..Machine::THIS },
    ] {
        let mut bytes = whole.clone();
        forged::by_machine(odd, &mut bytes);
        assert!(open(&bytes).is_none(), "{odd:?}");
    }
}

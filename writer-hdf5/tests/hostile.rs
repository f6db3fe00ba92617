//! Files that were changed on purpose, with all checksums corrected except those of the content. Each is
//! refused or read as it was written, in limited time and memory, and nothing crashes.
//!
//! Input: whole files, changed at random.
//! Output: processes that open and read them.
//! Postcondition: no process was ended by a signal or exceeded its limits of time and memory.

mod support;

use cppc_abi::types;
use cppc_runtime::settings::Compression;
use std::ops::Range;
use std::os::unix::process::CommandExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Output};
use support::{assert_same, dump, open, Zoo};

/// Files that one process tries, and the number of processes.
const BATCH: u64 = 60;
const BATCHES: u64 = 6;
const SECONDS: u64 = 60;
const MEMORY_BYTES: u64 = 2 << 30;
/// Passed to a process that tries files: the first of them and how many.
const FIRST: &str = "CPPC_HOSTILE_FIRST";
const COUNT: &str = "CPPC_HOSTILE_COUNT";

#[test]
fn changed_files_do_no_harm() {
    if let Ok(first) = std::env::var(FIRST) {
        let first: u64 = first.parse().unwrap();
        let count: u64 = std::env::var(COUNT).map_or(1, |count| count.parse().unwrap());
        return try_files(first..first + count);
    }
    // Another first number tries other files.
    let first: u64 = std::env::var("CPPC_HOSTILE_SEED").map_or(0, |seed| seed.parse().unwrap());
    let batches: u64 = std::env::var("CPPC_HOSTILE_BATCHES").map_or(BATCHES, |count| count.parse().unwrap());
    for batch in 0..batches {
        let first = first + batch * BATCH;
        let found = child(first, BATCH);
        if found.status.success() {
            continue;
        }
        let (culprit, alone) = (first..first + BATCH)
            .map(|number| (number, child(number, 1)))
            .find(|(_, alone)| !alone.status.success())
            .unwrap_or((first, found));
        let said =
            String::from_utf8_lossy(&alone.stdout).into_owned() + &String::from_utf8_lossy(&alone.stderr);
        panic!("file {culprit} (all from {first}): {}\n{said}", ending(alone.status));
    }
}

fn ending(status: ExitStatus) -> String {
    status.signal().map_or_else(|| status.to_string(), |signal| format!("signal {signal}"))
}

fn child(first: u64, count: u64) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "changed_files_do_no_harm", "--nocapture", "--test-threads=1"]);
    command.env(FIRST, first.to_string()).env(COUNT, count.to_string());
    // SAFETY: the calls are ones that a process may make between fork and exec.
    unsafe {
        command.pre_exec(|| {
            let limit = |bytes| libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
            libc::setrlimit(libc::RLIMIT_AS, &limit(MEMORY_BYTES));
            libc::setrlimit(libc::RLIMIT_CPU, &limit(SECONDS));
            libc::setrlimit(libc::RLIMIT_CORE, &limit(0));
            Ok(())
        });
    }
    command.output().unwrap()
}

/// Changes, opens and reads each file.
fn try_files(numbers: Range<u64>) {
    let scratch = tempfile::tempdir().unwrap();
    let zoo = zoo();
    let wholes =
        [Compression::None, Compression::Deflate(1)].map(|compress| whole(scratch.path(), compress, &zoo));
    let path = scratch.path().join("line-000003.cppc");
    for number in numbers {
        let mut chance = Chance(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 77);
        let (bytes, checked) = &wholes[chance.below(wholes.len() as u64) as usize];
        let mut bytes = bytes.clone();
        match chance.below(4) {
            0 => change_places(&mut bytes, &mut chance),
            _ => {
                // Without the table at the end, the library has to read the file.
                bytes.truncate(table_of(&bytes));
                change(&mut bytes, checked, &mut chance);
            }
        }
        std::fs::write(&path, &bytes).unwrap();
        if let Ok(state) = open(&path) {
            assert_same(&state, &zoo.manifest, &zoo.blocks);
        }
    }
}

/// A file, and the structures in it that have a checksum after them.
fn whole(scratch: &Path, compress: Compression, zoo: &Zoo) -> (Vec<u8>, Vec<Range<usize>>) {
    let path = dump(scratch, compress, &zoo.manifest, &zoo.blocks).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    let checked = checked(&bytes);
    assert!(checked.len() > 20, "{checked:?}");
    (bytes, checked)
}

fn zoo() -> Zoo {
    let mut zoo = Zoo::full();
    zoo.add("plane", types::INT, 4, (0..2400i32).flat_map(|at| (at % 7).to_ne_bytes()).collect());
    zoo.shape(&[40, 60]);
    zoo.add("wide", types::DOUBLE, 8, vec![0; 3 << 20]);
    zoo.shape(&[3, 1 << 17]);
    zoo
}

/// The offset of the table.
fn table_of(bytes: &[u8]) -> usize {
    let tail = &bytes[bytes.len() - TAIL_BYTES..];
    assert_eq!(tail[..8], *b"CPPCrows");
    u64::from_le_bytes(tail[8..16].try_into().unwrap()) as usize
}

const TAIL_BYTES: usize = 48;

fn change_places(bytes: &mut [u8], chance: &mut Chance) {
    let table = table_of(bytes);
    let numbers = (bytes.len() - table - 8) / 8;
    for _ in 0..1 + chance.below(3) {
        let at = table + 8 * chance.below(numbers as u64) as usize;
        let old = u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
        let odd = [
            0,
            1,
            old.wrapping_add(1),
            old.wrapping_sub(1),
            old.wrapping_mul(2),
            1 << 31,
            1 << 40,
            u64::MAX,
            bytes.len() as u64,
            chance.next(),
        ];
        let value = odd[chance.below(odd.len() as u64) as usize];
        bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
    }
    if chance.below(4) == 0 {
        // The decompressed size of a chunk differs from the recorded one.
        let at = chance.below(table as u64) as usize;
        let length = 300.min(table - at);
        bytes[at..at + length].fill(chance.next() as u8);
    }
    let end = bytes.len() - 4;
    let mut crc = flate2::Crc::new();
    crc.update(&bytes[table..end]);
    bytes[end..].copy_from_slice(&crc.sum().to_le_bytes());
}

fn change(bytes: &mut Vec<u8>, checked: &[Range<usize>], chance: &mut Chance) {
    if chance.below(12) == 0 {
        return spoil(bytes, chance);
    }
    for _ in 0..1 + chance.below(2) {
        let range = &checked[chance.below(checked.len() as u64) as usize];
        // Signature and version are not changed, because otherwise nothing else would be read.
        let inside = range.start + 5..range.end;
        for _ in 0..1 + chance.below(3) {
            let at = inside.start + chance.below(inside.len() as u64) as usize;
            let width = [1, 1, 2, 4, 8][chance.below(5) as usize].min(inside.end - at);
            let old = bytes[at];
            let odd = [
                0,
                1,
                0xff,
                0x7f,
                0x80,
                old ^ (1 << chance.below(8)),
                old.wrapping_add(1),
                old.wrapping_sub(1),
            ];
            let value = odd[chance.below(odd.len() as u64) as usize];
            bytes[at..at + width].fill(value);
        }
        let sum = lookup3(&bytes[range.clone()]);
        bytes[range.end..range.end + 4].copy_from_slice(&sum.to_le_bytes());
    }
}

/// Changes any bytes.
fn spoil(bytes: &mut Vec<u8>, chance: &mut Chance) {
    match chance.below(3) {
        0 => bytes.truncate(chance.below(bytes.len() as u64) as usize),
        1 => {
            let (from, to) =
                (chance.below(bytes.len() as u64) as usize, chance.below(bytes.len() as u64) as usize);
            let length = (chance.below(5000) as usize).min(bytes.len() - from.max(to));
            bytes.copy_within(from..from + length, to);
        }
        _ => {
            for _ in 0..1 + chance.below(20) {
                let at = chance.below(bytes.len() as u64) as usize;
                bytes[at] = chance.next() as u8;
            }
        }
    }
}

/// The structures of the library that are followed by their checksum.
fn checked(bytes: &[u8]) -> Vec<Range<usize>> {
    const SIGNATURES: [&[u8]; 12] = [
        b"\x89HDF", b"OHDR", b"OCHK", b"FRHP", b"FHDB", b"FHIB", b"BTHD", b"BTLF", b"BTIN", b"FAHD", b"FADB",
        b"EAHD",
    ];
    let begins = |at: &usize| SIGNATURES.iter().any(|signature| bytes[*at..].starts_with(signature));
    let whole = |at: usize| {
        let most = (bytes.len() - at).min(6000);
        (8..most.saturating_sub(4))
            .map(|length| at..at + length)
            .find(|range| bytes[range.end..range.end + 4] == lookup3(&bytes[range.clone()]).to_le_bytes())
    };
    (0..bytes.len()).filter(begins).filter_map(whole).collect()
}

/// The library's checksum: `lookup3` of Bob Jenkins.
fn lookup3(bytes: &[u8]) -> u32 {
    let start = 0xdead_beef_u32.wrapping_add(bytes.len() as u32);
    let (mut a, mut b, mut c) = (start, start, start);
    let word = |part: &[u8], at: usize| {
        (0..4).fold(0u32, |word, byte| {
            word | u32::from(part.get(at + byte).copied().unwrap_or(0)) << (8 * byte)
        })
    };
    let mut rest = bytes;
    while rest.len() > 12 {
        (a, b, c) =
            (a.wrapping_add(word(rest, 0)), b.wrapping_add(word(rest, 4)), c.wrapping_add(word(rest, 8)));
        for (x, y, z, turn) in
            [(0, 1, 2, 4), (1, 2, 0, 6), (2, 0, 1, 8), (0, 1, 2, 16), (1, 2, 0, 19), (2, 0, 1, 4)]
        {
            let mut of = [a, b, c];
            of[x] = of[x].wrapping_sub(of[z]) ^ of[z].rotate_left(turn);
            of[z] = of[z].wrapping_add(of[y]);
            [a, b, c] = of;
        }
        rest = &rest[12..];
    }
    if rest.is_empty() {
        return c;
    }
    (a, b, c) = (a.wrapping_add(word(rest, 0)), b.wrapping_add(word(rest, 4)), c.wrapping_add(word(rest, 8)));
    for (x, y, turn) in [(2, 1, 14), (0, 2, 11), (1, 0, 25), (2, 1, 16), (0, 2, 4), (1, 0, 14), (2, 1, 24)] {
        let mut of = [a, b, c];
        of[x] = (of[x] ^ of[y]).wrapping_sub(of[y].rotate_left(turn));
        [a, b, c] = of;
    }
    c
}

/// A small random number generator.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit.max(1)
    }
}

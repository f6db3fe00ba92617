//! State files that every later version reads: one of each version of the format and each kind of machine,
//! written there by `tests/portable/golden.c` (`cargo xtask check-portable --golden DIR`). Those of version 3
//! are those of version 2 with attempt, arguments, architecture and build added, by a program that was written
//! from docs/state-file.md without this code. Those of version 4 are again from `golden.c`.

#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use cppc_abi::storage::{Storage as Class, AUTOMATIC, STATIC};
use cppc_abi::types;
use cppc_runtime::arithmetic::Rounding;
use cppc_runtime::machine::Machine;
use cppc_runtime::manifest::{Field, Kind, PlanEntry, RunIdentity, StructType};
use cppc_runtime::register::Layouts;
use cppc_runtime::restore::{native_plan, Delivery, Request};
use cppc_runtime::storage::Posix;
use cppc_runtime::verify::{self, Expectation, StateFile, Verified};
use std::path::{Path, PathBuf};

/// The machines, with the values in their files.
const MACHINES: [(&str, Machine); 4] = [
    (
        "x86-64",
        Machine {
            big_endian: false,
            long_bytes: 8,
            pointer_bytes: 8,
            long_double_bytes: 16,
            long_double_digits: 64,
        },
    ),
    (
        "s390x",
        Machine {
            big_endian: true,
            long_bytes: 8,
            pointer_bytes: 8,
            long_double_bytes: 16,
            long_double_digits: 113,
        },
    ),
    (
        "i386",
        Machine {
            big_endian: false,
            long_bytes: 4,
            pointer_bytes: 4,
            long_double_bytes: 12,
            long_double_digits: 64,
        },
    ),
    (
        "aarch64",
        Machine {
            big_endian: false,
            long_bytes: 8,
            pointer_bytes: 8,
            long_double_bytes: 16,
            long_double_digits: 113,
        },
    ),
];
/// `long double` and `_Float128` have one more.
const SHEET_BYTES: usize = 80;

/// Memory with the alignment that C requires.
#[repr(align(64))]
struct Memory([u8; 4096]);

struct Program {
    layouts: Layouts,
    delivery: Delivery,
    memory: Memory,
    used: usize,
    captures: Vec<cppc_runtime::manifest::Capture>,
}

impl Program {
    fn new(file: Verified<StateFile>) -> Program {
        let field = |name: &str, offset_bytes, type_code, count| Field {
            name: name.to_owned(),
            offset_bytes,
            type_code,
            count,
        };
        let mark = vec![field("letter", 0, types::CHAR, 1), field("weight", 8, types::DOUBLE, 1)];
        let sheet = vec![
            field("number", 0, types::SHORT, 1),
            field("marks", 8, 1000, 2),
            field("sum", 40, types::LONG, 1),
            field("next", 48, types::POINTER, 1),
            field("best", 56, types::POINTER, 1),
            field("exact", 64, types::LONG_DOUBLE, 1),
        ];
        let mut layouts = Layouts::default();
        layouts.define(StructType { name: "struct mark".into(), size_bytes: 16, fields: mark }).unwrap();
        layouts
            .define(StructType { name: "struct sheet".into(), size_bytes: SHEET_BYTES as u64, fields: sheet })
            .unwrap();
        let captures = captures(&native_plan(&file).unwrap());
        Program { layouts, delivery: Delivery::new(file), memory: Memory([0; 4096]), used: 0, captures }
    }

    /// Registers a variable and returns its address.
    fn register(&mut self, name: &str, type_code: i32, count: usize, storage: i32, kind: Kind) -> usize {
        let element_bytes = self.layouts.element_bytes(type_code).unwrap();
        let size_bytes = if kind == Kind::Pointer { size_of::<usize>() } else { count * element_bytes };
        let start = self.used.next_multiple_of(16);
        self.used = start + size_bytes;
        let address = self.memory.0[start..self.used].as_ptr() as usize;
        let storage = Class::new(storage).unwrap();
        let request = Request { name, section: 0, kind, address, count, type_code, storage };
        let done = self.delivery.deliver(&self.layouts, request, None, false).unwrap();
        assert_ne!(done, cppc_runtime::restore::Delivered::Skipped, "`{name}` is not in the file");
        start
    }

    fn variable(&mut self, name: &str, type_code: i32, count: usize) -> usize {
        self.register(&format!("golden.c:{name}"), type_code, count, STATIC, Kind::Memory)
    }

    fn bytes<const BYTES: usize>(&self, at: usize) -> [u8; BYTES] {
        self.memory.0[at..at + BYTES].try_into().unwrap()
    }

    fn i64(&self, at: usize) -> i64 {
        i64::from_le_bytes(self.bytes(at))
    }

    fn f64(&self, at: usize) -> f64 {
        f64::from_le_bytes(self.bytes(at))
    }

    fn address(&self, at: usize) -> usize {
        self.memory.0[at..].as_ptr() as usize
    }
}

fn captures(plan: &[PlanEntry]) -> Vec<cppc_runtime::manifest::Capture> {
    plan.iter()
        .flat_map(|entry| match entry {
            PlanEntry::Execute { captures, .. } => captures.clone(),
            PlanEntry::Call { entries, .. } | PlanEntry::Open { entries, .. } => captures(entries),
            _ => Vec::new(),
        })
        .collect()
}

/// The x87 format of a number that a double represents too.
fn extended(bytes: [u8; 16]) -> f64 {
    let significand = u64::from_le_bytes(bytes[..8].try_into().unwrap());
    let exponent = i32::from(u16::from_le_bytes([bytes[8], bytes[9]]) & 0x7fff) - 16383 - 63;
    assert_eq!(bytes[10..], [0; 6], "padding is zero");
    let magnitude = significand as f64 * 2f64.powi(exponent);
    if bytes[9] & 0x80 == 0 {
        magnitude
    } else {
        -magnitude
    }
}

fn open(path: &Path) -> Verified<StateFile> {
    let description = verify::describe(&Posix, path).unwrap();
    let found = description.manifest().provenance.clone();
    let expectation =
        Expectation { application: found.application, fingerprint: found.fingerprint, processes: 1, rank: 0 };
    verify::open(&Posix, path, &expectation).unwrap()
}

const ARCHITECTURES: [&str; 4] = ["x86_64", "s390x", "x86", "aarch64"];

/// `turns` is the number of iterations that the program had done.
fn check(path: &Path, version: u16, turns: i32) {
    let said = open(path).manifest().provenance.clone();
    match version {
        1 | 2 => assert_eq!((said.attempt, said.identity), (0, RunIdentity::default())),
        3 => {
            assert_eq!((said.attempt, said.identity.build.len()), (0x0123_4567_89ab_cdef, 32));
            assert_eq!(said.identity.command_line(), "the arguments `-n 300`");
            assert!(ARCHITECTURES.contains(&said.identity.architecture.as_str()));
        }
        _ => {
            assert_eq!((said.attempt == 0, said.identity.build.len()), (false, 32));
            assert!(ARCHITECTURES.contains(&said.identity.architecture.as_str()));
            // The runtime does not know the modes of s390x.
            let rounding = said.arithmetic.map(|modes| modes.rounding);
            let is_known = said.identity.architecture != "s390x";
            assert_eq!(rounding, is_known.then_some(Rounding::Nearest));
        }
    }
    let mut program = Program::new(open(path));
    let scalars = check_scalars(&mut program);
    let row = program.variable("row", types::LONG, 5);
    let nothing = (version > 1).then(|| program.variable("nothing", types::LONG, 40));
    let scores = program.variable("scores", types::DOUBLE, 6);
    let heap = program.register("heap", types::DOUBLE, 300, AUTOMATIC, Kind::Pointer);
    let sheets = program.variable("sheets", 1001, 3);
    let capture =
        program.captures.iter().find(|capture| capture.name == "step").cloned().expect("it was captured");
    let captured = program.delivery.captured(&program.layouts, &capture, types::LONG, None, None).unwrap();
    assert_eq!(captured, 41i64.to_le_bytes());
    program.delivery.finish().unwrap();
    assert_eq!(program.i64(scalars), 42);
    assert_eq!([0, 1, 2, 3, 4].map(|at| program.i64(row + 8 * at)), [1, -2, 3, -4, 2_000_000_000]);
    assert!(nothing.is_none_or(|at| program.memory.0[at..at + 320].iter().all(|byte| *byte == 0)));
    assert_eq!([0, 5].map(|at| program.f64(scores + 8 * at)), [0.5, 5.5]);
    let heap = usize::from_le_bytes(program.bytes(heap));
    // SAFETY: the delivery has allocated this number of doubles there.
    let content = unsafe { std::slice::from_raw_parts(heap as *const f64, 300) };
    assert!(content.iter().enumerate().all(|(at, value)| *value == at as f64 * 0.5));
    for sheet in 0..3 {
        let at = sheets + SHEET_BYTES * sheet;
        assert_eq!(i16::from_le_bytes(program.bytes(at)), sheet as i16 - 1);
        assert_eq!(program.bytes(at + 8), [b'a' + sheet as u8]);
        assert_eq!((program.f64(at + 16), program.f64(at + 32)), (sheet as f64 + 0.25, -(sheet as f64)));
        let added = [0, 8, 2][sheet] * i64::from(turns);
        assert_eq!(program.i64(at + 40), -1_000_000 * sheet as i64 + added);
        let next = if sheet < 2 { program.address(at + SHEET_BYTES) } else { 0 };
        assert_eq!(usize::from_le_bytes(program.bytes(at + 48)), next);
        let best = if sheet == 1 { heap + 17 * 8 } else { program.address(scores + 8 * sheet) };
        assert_eq!(usize::from_le_bytes(program.bytes(at + 56)), best);
        assert_eq!(extended(program.bytes(at + 64)), sheet as f64 + 0.125);
    }
}

/// Returns the address of `step`.
fn check_scalars(program: &mut Program) -> usize {
    program.register("turn", types::INT, 1, AUTOMATIC, Kind::Memory);
    let step = program.register("step", types::LONG, 1, AUTOMATIC, Kind::Memory);
    let text = program.variable("text", types::CHAR, 16);
    assert_eq!(&program.bytes::<7>(text), b"golden\0");
    let mut whole = |name: &str, code: i32| {
        let at = program.variable(name, code, 1);
        let bytes = program.bytes::<8>(at);
        let size_bytes = types::by_code(code).unwrap().size_bytes;
        bytes[..size_bytes].to_vec()
    };
    assert_eq!(whole("tiny", types::SIGNED_CHAR), (-100i8).to_le_bytes());
    assert_eq!(whole("port", types::UNSIGNED_SHORT), 65000u16.to_le_bytes());
    assert_eq!(whole("number", types::INT), (-123456789i32).to_le_bytes());
    assert_eq!(whole("mask", types::UNSIGNED_INT), 0xfedcba98u32.to_le_bytes());
    assert_eq!(whole("whole", types::LONG), (-2000000001i64).to_le_bytes());
    assert_eq!(whole("unsigned_whole", types::UNSIGNED_LONG), 4123456789u64.to_le_bytes());
    assert_eq!(whole("big", types::LONG_LONG), (-9000000000000000001i64).to_le_bytes());
    assert_eq!(whole("flag", types::BOOL), [1]);
    assert_eq!(whole("quarter", types::FLOAT), 0.25f32.to_le_bytes());
    assert_eq!(whole("tenth", types::DOUBLE), 0.1f64.to_le_bytes());
    let third = program.variable("third", types::LONG_DOUBLE, 1);
    assert_eq!(extended(program.bytes(third)), 3.0 + 1.0 / 1024.0);
    let wide = program.variable("wide", types::FLOAT128, 1);
    // -7.000244140625 is -1.75006103515625 * 2^2.
    let wanted = (0xc001u128 << 112) | (0xc004u128 << 96);
    assert_eq!(u128::from_le_bytes(program.bytes(wide)) >> 96, wanted >> 96);
    let turned = program.variable("turned", types::DOUBLE_COMPLEX, 1);
    assert_eq!((program.f64(turned), program.f64(turned + 8)), (1.5, -2.5));
    step
}

#[test]
fn files_of_every_version_and_machine_are_read() {
    let golden = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut versions = 0;
    for number in 1.. {
        let version = golden.join(format!("version-{number}"));
        if !version.exists() {
            break;
        }
        for (name, machine) in MACHINES {
            let path = version.join(name).with_extension("cppc");
            assert_eq!(*open(&path).machine(), machine, "{}", path.display());
            check(&path, number, 0);
            if number > 1 {
                // The second file depends on the first.
                let lean = version.join("lean").join(name);
                check(&lean.join("line-000001.cppc"), number, 0);
                let second = lean.join("line-000002.cppc");
                assert_eq!(verify::bases(&Posix, &second).unwrap(), [1]);
                check(&second, number, 1);
            }
        }
        versions += 1;
    }
    assert!(versions > 0);
}

//! What `cppc` says of good, damaged and made-up state.

use cppc_runtime::manifest::*;
use cppc_runtime::negotiate::{Alone, Communicator, Together};
use cppc_runtime::codec::Packing;
use cppc_runtime::settings::{Busy, Compression, Writer};
use cppc_runtime::storage::{Directory, Posix};
use cppc_runtime::write::{Dumper, Ending, Options};
use cppc_tools::command::{run, Verb};
use std::path::{Path, PathBuf};
use std::sync::Arc;

struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("cppc-tool-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    fn line(&self, rank: u32, number: u64) -> PathBuf {
        Directory::new(Arc::new(Posix), &self.0, "heat", rank).line(number)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn memory(rank: u32, number: u64) -> Vec<Vec<u8>> {
    let field: Vec<u8> =
        (0..2000u32).flat_map(|at| (f64::from(at + rank) * 0.5 + number as f64).to_le_bytes()).collect();
    vec![3i32.to_le_bytes().to_vec(), field, b"unnamed\0".to_vec()]
}

fn manifest(rank: u32, processes: u32, number: u64) -> Manifest {
    let register = |name: &str, block, type_code, element_bytes, count, kind| Register {
        name: name.to_owned(),
        section: 0,
        scope: Scope::Frame { depth: 1, procedure: "solve".to_owned() },
        type_code,
        element_bytes,
        count,
        storage: 2,
        kind,
        target: Some(Location { block, offset_bytes: 0 }),
    };
    let mut null = register("nothing", 0, 21, 8, 5, Kind::Pointer);
    null.target = None;
    null.scope = Scope::Program;
    let capture = Capture {
        name: "i".to_owned(),
        type_code: 6,
        element_bytes: 4,
        count: 1,
        bytes: vec![2, 0, 0, 0],
        relocations: Vec::new(),
    };
    Manifest {
        provenance: Provenance {
            application: "heat".to_owned(),
            fingerprint: "f00d".to_owned(),
            run: 0xabc,
            number,
            rank,
            processes,
            calls: 70,
            touched: Vec::new(),
        },
        types: Vec::new(),
        blocks: memory(rank, number)
            .iter()
            .map(|bytes| MemoryBlock { size_bytes: bytes.len() as u64, place: Place::Heap })
            .collect(),
        registers: vec![
            register("n", 0, 6, 4, 1, Kind::Memory),
            register("u", 1, 21, 8, 2000, Kind::Pointer),
            register("title\u{1b}[2J", 2, 1, 1, 8, Kind::Memory),
            null,
        ],
        relocations: Vec::new(),
        plan: vec![
            PlanEntry::Init { block: 1 },
            PlanEntry::Execute { block: 2, captures: vec![capture], files: Vec::new() },
            PlanEntry::Open {
                block: 3,
                callee: "solve".to_owned(),
                captures: Vec::new(),
                entries: vec![
                    PlanEntry::Cells { cells: vec![cell(2, 62, &5i32.to_ne_bytes()), cell(3, 81, &0.5f64.to_ne_bytes())] },
                    PlanEntry::Register { block: 1, registers: vec![0, 1] },
                    PlanEntry::Checkpoint { block: 2 },
                ],
            },
        ],
    }
}

fn cell(slot: u32, type_code: i32, bytes: &[u8]) -> Cell {
    Cell { slot, type_code, element_bytes: bytes.len() as u32, count: 1, bytes: bytes.to_vec() }
}

/// A state directory after some dumps, and perhaps the end of the run.
fn dumped(dir: &Path, processes: u32, dumps: u64, compress: Compression, ending: Option<Ending>) {
    Together::run(processes, |communicator| {
        let rank = communicator.rank();
        let options =
            Options { keep: 5, packing: Packing { compress, from_elements: 10, threads: 1 }, asynchronous: false, busy: Busy::Wait, writer: Writer::Binary };
        let directory = Directory::new(Arc::new(Posix), dir, "heat", rank);
        let mut dumper = Dumper::start(directory, options, 0xabc, None, Arc::new(|_| {}));
        for number in 1..=dumps {
            let memory = memory(rank, number);
            let ranges: Vec<_> = memory.iter().map(|bytes| (bytes.as_ptr(), bytes.len())).collect();
            // SAFETY: the memory lives until the end of this turn.
            unsafe { dumper.dump(communicator, manifest(rank, processes, number), &ranges) };
        }
        if let Some(ending) = ending {
            dumper.shutdown(communicator, ending);
        }
    });
}

fn list(path: &Path, json: bool) -> (String, bool) {
    run(&Verb::List { path: path.to_owned(), json }).unwrap()
}

fn verify(path: &Path, json: bool) -> (String, bool) {
    run(&Verb::Verify { path: path.to_owned(), json }).unwrap()
}

fn show(path: &Path, line: Option<u64>, rank: u32, json: bool) -> anyhow::Result<(String, bool)> {
    run(&Verb::Show { path: path.to_owned(), app: None, line, rank, values: 3, json })
}

#[test]
fn lines_are_listed_with_what_they_lack() {
    let scratch = Scratch::new("list");
    dumped(&scratch.0, 3, 3, Compression::None, None);
    std::fs::remove_file(scratch.line(1, 3)).unwrap();
    let (text, good) = list(&scratch.0, false);
    assert!(good);
    assert!(text.starts_with("heat (3 processes, "), "{text}");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[2].trim_start().starts_with("3       2"), "{text}");
    assert!(lines[2].ends_with("0000000000000abc   incomplete: no good file of rank 1"), "{text}");
    assert!(lines[3].ends_with("complete") && lines[4].ends_with("complete"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&list(&scratch.0, true).0).unwrap();
    let first = &json["applications"][0];
    assert_eq!(first["name"], "heat");
    assert_eq!(first["lines"][0]["missing_ranks"], serde_json::json!([1]));
    assert_eq!(first["lines"][1]["complete"], true);
    // The same from the application's directory.
    assert_eq!(list(&scratch.0.join("heat"), false).0.lines().skip(1).collect::<Vec<_>>(), lines[1..]);
}

#[test]
fn a_finished_run_is_told() {
    let scratch = Scratch::new("finished");
    dumped(&scratch.0, 1, 2, Compression::None, Some(Ending::Keep));
    assert!(list(&scratch.0, false).0.contains("complete, of a finished run"));
}

#[test]
fn a_file_is_shown_with_registers_values_and_plan() {
    let scratch = Scratch::new("show");
    for compress in [Compression::None, Compression::Deflate(6)] {
        dumped(&scratch.0, 2, 2, compress, None);
        let (text, good) = show(&scratch.0, Some(2), 1, false).unwrap();
        assert!(good);
        assert!(text.contains("heat: recovery line 2 of run 0000000000000abc, rank 1 of 2, after 70 checkpoint calls"), "{text}");
        let row = text.lines().find(|line| line.contains("*u ")).unwrap();
        let cells: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(cells, ["*u", "solve", "(1)", "double", "2000", "15.6", "KiB", "99.9%", "2.5", "3", "3.5", "…"]);
        assert!(text.contains("title\\u{1b}[2J") && !text.contains('\u{1b}'), "{text}");
        assert!(text.lines().any(|line| line.contains("*nothing") && line.ends_with("null")), "{text}");
        let plan = "restart plan\n  block 1: init\n  block 2: execute with i = 2\n  block 3: in solve\n      \
                    cells: 2 = 5, 3 = 0.5\n      block 1: register n, u\n      block 2: the checkpoint\n";
        assert!(text.ends_with(plan), "{text}");
    }
    let json: serde_json::Value = serde_json::from_str(&show(&scratch.line(0, 1), None, 0, true).unwrap().0).unwrap();
    assert_eq!((&json["line"], &json["registers"][0]["values"]), (&1.into(), &"3".into()));
    assert!(show(&scratch.0, Some(9), 0, false).unwrap_err().to_string().contains("no file of recovery line 9"));
    assert!(show(&scratch.0, None, 7, false).unwrap_err().to_string().contains("no state of rank 7"));
}

#[test]
fn damage_is_found_and_named() {
    let scratch = Scratch::new("verify");
    dumped(&scratch.0, 2, 3, Compression::None, None);
    let (text, good) = verify(&scratch.0, false);
    assert!(good && text.contains("heat: complete recovery lines 3, 2, 1"), "{text}");
    assert!(text.ends_with("none of them damaged\n"), "{text}");

    let bad = scratch.line(1, 3);
    let mut bytes = std::fs::read(&bad).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&bad, &bytes).unwrap();
    let (text, good) = verify(&scratch.0, false);
    assert!(!good && text.contains("memory block 1 is wrong") && text.contains("register `u`"), "{text}");
    assert!(text.contains("complete recovery lines 2, 1") && text.contains("1 of them damaged"), "{text}");
    let (text, good) = verify(&bad, true);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(!good && json["damaged"][0]["problems"][0].as_str().unwrap().contains("register `u`"));
    assert!(verify(&scratch.line(0, 3), false).1);
}

#[test]
fn what_is_not_there_is_said() {
    let scratch = Scratch::new("empty");
    for path in [scratch.0.clone(), scratch.0.join("none")] {
        assert!(run(&Verb::List { path: path.clone(), json: false }).is_err());
        assert!(run(&Verb::Verify { path: path.clone(), json: false }).is_err());
        assert!(show(&path, None, 0, false).is_err());
    }
}

#[test]
fn no_file_of_any_content_does_harm() {
    let scratch = Scratch::new("hostile");
    dumped(&scratch.0, 1, 1, Compression::Deflate(1), None);
    let file = scratch.line(0, 1);
    let good = std::fs::read(&file).unwrap();
    for at in (0..good.len()).step_by(3) {
        let mut bad = good.clone();
        bad[at] ^= 0x41;
        std::fs::write(&file, &bad).unwrap();
        list(&scratch.0, false);
        let _ = show(&file, None, 0, false);
        assert!(!verify(&scratch.0, false).1, "byte {at}");
    }
    for length in (0..good.len()).step_by(7) {
        std::fs::write(&file, &good[..length]).unwrap();
        list(&scratch.0, true);
        let _ = show(&file, None, 0, true);
        assert!(!verify(&scratch.0, false).1, "{length} bytes");
    }
}

/// Whole files with made-up content.
#[test]
fn no_manifest_of_any_content_does_harm() {
    let scratch = Scratch::new("lying");
    let write = |manifest: Manifest| {
        let directory = Directory::new(Arc::new(Posix), &scratch.0, "heat", 0);
        let options = Options {
            keep: 9,
            packing: Packing::default(),
            asynchronous: false,
            busy: Busy::Wait,
            writer: Writer::Binary,
        };
        let mut dumper = Dumper::start(directory, options, 1, None, Arc::new(|_| {}));
        let memory = memory(0, 1);
        let ranges: Vec<_> = memory.iter().map(|bytes| (bytes.as_ptr(), bytes.len())).collect();
        // SAFETY: the memory lives until the call returns.
        unsafe { dumper.dump(&Alone::new(), manifest, &ranges) };
        list(&scratch.0, false);
        verify(&scratch.0, false);
        show(&scratch.0, None, 0, false).map_or(String::new(), |(text, _)| text)
    };
    let mut many = manifest(0, 1, 1);
    many.provenance.processes = u32::MAX;
    assert!(write(many).contains("rank 0 of 4294967295"));
    let mut odd = manifest(0, 1, 1);
    odd.registers[1].type_code = -7;
    let text = write(odd);
    assert!(text.contains("type -7"), "{text}");
    // Elements that are not of their type's size are refused when the file is read, if not before.
    let unlike: [fn(&mut Manifest); 2] = [
        |manifest| (manifest.registers[0].element_bytes, manifest.registers[0].count) = (0, u64::MAX),
        |manifest| (manifest.registers[2].type_code, manifest.registers[2].element_bytes, manifest.registers[2].count) = (22, 3, 2),
    ];
    for change in unlike {
        let mut odd = manifest(0, 1, 1);
        change(&mut odd);
        write(odd);
    }
}

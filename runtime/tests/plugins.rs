//! Writers that are shared objects: a correct one in C writes and reads, and none of the faulty ones does
//! harm. Needs a C compiler.

mod fixture;

use cppc_abi::writer::STRUCTURES;
use cppc_runtime::agree::SingleProcess;
use cppc_runtime::plugin;
use cppc_runtime::settings::Writer;
use cppc_runtime::storage::{Directory, Posix, Simulated, Storage};
use cppc_runtime::verify::{self, Reason, StateFile, Verified, VerifyError};
use cppc_runtime::write::{DumpOutcome, Dumper, Options};
use fixture::{assert_exact, blocks, expectation, manifest, options, ranges, recorder, APPLICATION};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

const RUN: u64 = 9;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// An empty directory of the test.
fn scratch(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("cppc-plugins-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn compile(source: &Path, output: &Path, options: &[&str]) {
    let mut compiler = Command::new("cc");
    compiler.arg("-I").arg(repository().join("runtime-ffi/include"));
    compiler.args(["-Wall", "-Wextra", "-Werror", "-Wno-unused", "-o"]).arg(output).args(options).arg(source);
    let status = compiler.status().expect("a C compiler");
    assert!(status.success(), "{compiler:?}");
}

/// A writer of `tests/writers`, compiled.
fn writer(source: &str, scratch: &Path, options: &[&str]) -> Writer {
    let output = scratch.join(format!("{}{}.so", source.replace(".c", ""), options.concat()));
    let options: Vec<&str> = ["-shared", "-fPIC"].iter().chain(options).copied().collect();
    compile(&repository().join("tests/writers").join(source), &output, &options);
    Writer::Plugin(output.display().to_string())
}

struct Dumps {
    directory: Directory,
    dumper: Dumper,
    told: Arc<Mutex<Vec<String>>>,
}

impl Dumps {
    fn new(storage: Arc<dyn Storage>, scratch: &Path, writer: Writer) -> Dumps {
        let directory = Directory::new(storage, &scratch.join("state"), APPLICATION, 0);
        let (listener, told) = recorder();
        let options = Options { writer, ..options() };
        let dumper = Dumper::start(directory.clone(), options, RUN, None, listener);
        Dumps { directory, dumper, told }
    }

    /// Dumps a line and returns the events.
    fn dump(&mut self, number: u64) -> (DumpOutcome, String) {
        let blocks = blocks(0, number);
        let manifest = manifest(RUN, number, 0, 1, &blocks);
        self.told.lock().unwrap().clear();
        // SAFETY: the ranges outlive the call.
        let outcome = unsafe { self.dumper.dump(&SingleProcess::new(), manifest, &ranges(&blocks)) };
        self.dumper.wait();
        (outcome, self.told.lock().unwrap().join("; "))
    }

    fn open(&self, number: u64) -> Result<Verified<StateFile>, VerifyError> {
        verify::open(&**self.directory.storage(), &self.directory.line(number), &expectation(0, 1))
    }
}

#[test]
fn c_sees_the_structures_as_they_are() {
    let scratch = scratch("layout");
    let mut text = String::from("#include <cppc_writer.h>\n#include <stddef.h>\n");
    for structure in STRUCTURES {
        let name = structure.name;
        text += &format!("_Static_assert(sizeof({name}) == {}, \"{name}\");\n", structure.size_bytes);
        for field in structure.fields {
            let (field, at) = (field.name, field.offset_bytes);
            text += &format!("_Static_assert(offsetof({name}, {field}) == {at}, \"{name}.{field}\");\n");
        }
    }
    let source = scratch.join("layout.c");
    std::fs::write(&source, text).unwrap();
    compile(&source, &scratch.join("layout.o"), &["-c"]);
    std::fs::remove_dir_all(scratch).unwrap();
}

#[test]
fn the_toy_writes_and_reads() {
    let scratch = scratch("toy");
    let mut dumps = Dumps::new(Arc::new(Posix), &scratch, writer("toy.c", &scratch, &[]));
    for number in 1..=4 {
        let (outcome, told) = dumps.dump(number);
        assert_eq!(outcome, DumpOutcome::Started);
        assert!(told.contains(&format!("published {number}")) && !told.contains("recycled"), "{told}");
        let mut state = dumps.open(number).unwrap();
        assert_exact(&state, 0, 1);
        let wanted = blocks(0, number);
        let mut again = vec![0; wanted[1].len()];
        state.reread_block(1, &mut again).unwrap();
        assert_eq!(again, wanted[1]);
        assert_eq!(state.take_block(1).unwrap().as_slice(), &wanted[1][..]);
    }
    assert_eq!(dumps.directory.lines().unwrap(), [4, 3]);
    let text = std::fs::read(dumps.directory.line(4)).unwrap();
    assert!(text.starts_with(b"a toy's state file\n"));
    let description = verify::describe(&Posix, &dumps.directory.line(4)).unwrap();
    assert!(verify::check_content(&description).is_empty());
    assert_eq!(verify::read_part(&description, 1, 3, 5).unwrap(), blocks(0, 4)[1][3..8]);
    std::fs::remove_dir_all(scratch).unwrap();
}

#[test]
fn large_blocks_go_through_a_plugin_in_pieces() {
    let scratch = scratch("large");
    let mut dumps = Dumps::new(Arc::new(Posix), &scratch, writer("toy.c", &scratch, &[]));
    let sizes = [5 << 20, 3, (7 << 20) + 11, 0, 300_000];
    let big: Vec<Vec<u8>> =
        sizes.iter().map(|&size: &usize| (0..size).map(|at| (at * at / 1000) as u8).collect()).collect();
    let mut described = manifest(RUN, 1, 0, 1, &big);
    described.relocations.clear();
    // SAFETY: the ranges outlive the call.
    unsafe { dumps.dumper.dump(&SingleProcess::new(), described, &ranges(&big)) };
    dumps.dumper.wait();
    let state = dumps.open(1).unwrap();
    for (index, block) in big.iter().enumerate() {
        assert_eq!(state.block(index), Some(&block[..]));
    }
    let mut bytes = std::fs::read(dumps.directory.line(1)).unwrap();
    // In the third block, which is after more than 5 MiB.
    bytes[9 << 20] ^= 1;
    std::fs::write(dumps.directory.line(1), bytes).unwrap();
    let error = dumps.open(1).unwrap_err().to_string();
    assert!(error.contains("memory block 2 is wrong at byte") && error.contains("`name2`"), "{error}");
    std::fs::remove_dir_all(scratch).unwrap();
}

#[test]
fn flipped_bits_and_cuts_are_found_in_what_a_plugin_gives_back() {
    let scratch = scratch("flips");
    let mut dumps = Dumps::new(Arc::new(Posix), &scratch, writer("toy.c", &scratch, &[]));
    dumps.dump(3);
    let path = dumps.directory.line(3);
    let good = std::fs::read(&path).unwrap();
    let is_exact = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        match dumps.open(3) {
            // This writer does not check its text for people, nor the ends of its lines.
            Ok(state) => assert_exact(&state, 0, 1),
            Err(error) => assert!(error.to_string().contains("line-000003.cppc"), "{error}"),
        }
    };
    for at in (0..good.len()).step_by(3) {
        let mut bad = good.clone();
        bad[at] ^= 1 << (at % 8);
        is_exact(&bad);
    }
    (0..good.len()).step_by(61).for_each(|length| is_exact(&good[..length]));
    std::fs::remove_dir_all(scratch).unwrap();
}

#[test]
fn a_run_that_changes_its_writer_reads_the_old_files() {
    let scratch = scratch("change");
    let toy = writer("toy.c", &scratch, &[]);
    Dumps::new(Arc::new(Posix), &scratch, toy).dump(1);
    let mut dumps = Dumps::new(Arc::new(Posix), &scratch, Writer::Binary);
    let (_, told) = dumps.dump(2);
    assert!(told.contains("published 2"), "{told}");
    for number in [1, 2] {
        assert_exact(&dumps.open(number).unwrap(), 0, 1);
    }
    std::fs::remove_dir_all(scratch).unwrap();
}

#[test]
fn a_link_in_the_place_of_the_file_is_not_followed() {
    let scratch = scratch("link");
    let mut dumps = Dumps::new(Arc::new(Posix), &scratch, writer("toy.c", &scratch, &[]));
    dumps.directory.make().unwrap();
    let victim = scratch.join("victim");
    std::fs::write(&victim, "precious").unwrap();
    std::os::unix::fs::symlink(&victim, dumps.directory.temporary()).unwrap();
    let (_, told) = dumps.dump(1);
    assert!(told.contains("published 1"), "{told}");
    assert_eq!(std::fs::read(&victim).unwrap(), b"precious");
    std::fs::remove_dir_all(scratch).unwrap();
}

#[test]
fn a_writer_that_fails_is_named_and_harms_nothing() {
    let scratch = scratch("faulty");
    let mut good = Dumps::new(Arc::new(Posix), &scratch, Writer::Binary);
    good.dump(1);
    let cases: [(&[&str], &[&str]); 3] = [
        (&[], &["failed 2: cannot write", "the writer `faulty` reports: the moon is full"]),
        (&["-DMUTE"], &["the writer `faulty` reports: No space left", "free space, or set `dir`"]),
        (&["-DLIES"], &["the writer `faulty` reported success", "does not begin with its signature"]),
    ];
    for (options, wanted) in cases {
        let mut bad = Dumps::new(Arc::new(Posix), &scratch, writer("faulty.c", &scratch, options));
        let (outcome, told) = bad.dump(2);
        assert_eq!(outcome, DumpOutcome::Failed);
        assert!(wanted.iter().all(|wanted| told.contains(wanted)), "{options:?}: {told}");
        assert!(!told.contains('\u{1b}'), "{told}");
        assert!(!bad.directory.temporary().exists());
    }
    assert_exact(&good.open(1).unwrap(), 0, 1);
    std::fs::remove_dir_all(scratch).unwrap();
}

#[test]
fn what_is_no_writer_is_refused_by_name() {
    let scratch = scratch("refused");
    let text = scratch.join("text.so");
    std::fs::write(&text, "not a shared object").unwrap();
    let named = |path: &Path| Writer::Plugin(path.display().to_string());
    let cases = [
        (named(&text), "text.so` cannot be loaded"),
        (named(&scratch), "cannot be loaded"),
        (named(&scratch.join("gone.so")), "gone.so` cannot be loaded"),
        (
            Writer::Plugin("nobody".to_owned()),
            "there is no writer `nobody`: no `libcppc_writer_nobody.so` in `",
        ),
        (writer("faulty.c", &scratch, &["-DNO_ENTRY"]), "exports no function `CPPC_Get_writer`"),
        (writer("faulty.c", &scratch, &["-DNO_TABLE"]), "does not know this version"),
        (writer("faulty.c", &scratch, &["-DOTHER_VERSION"]), "of another version"),
        (writer("faulty.c", &scratch, &["-DNO_WRITE"]), "lacks a function"),
        (writer("faulty.c", &scratch, &["-DLIKE_BINARY"]), "like that of the binary writer"),
    ];
    for (writer, wanted) in cases {
        let mut dumps = Dumps::new(Arc::new(Posix), &scratch, writer.clone());
        for number in [1, 2] {
            let (_, told) = dumps.dump(number);
            assert!(
                told.contains(&format!("failed {number}")) && told.contains(wanted),
                "{writer:?}: {told}"
            );
        }
    }
    std::fs::remove_dir_all(scratch).unwrap();
}

#[test]
fn files_of_a_writer_that_lies_or_is_missing_are_refused() {
    let scratch = scratch("reading");
    let path = scratch.join("line-000001.cppc");
    std::fs::write(&path, "selfish\nand more").unwrap();
    let open = || verify::open(&Posix, &path, &expectation(0, 1)).unwrap_err();
    let unknown = open();
    assert!(matches!(unknown.reason, Reason::UnknownWriter { .. }), "{unknown}");
    assert!(unknown.to_string().contains("73 65 6c 66 69 73 68 0a"), "{unknown}");
    let Writer::Plugin(file) = writer("faulty.c", &scratch, &["-DHUGE_SEAL"]) else { unreachable!() };
    plugin::find(&file).unwrap();
    let lie = open();
    assert!(
        matches!(lie.reason, Reason::Plugin(_)) && lie.to_string().contains("cannot be in the file"),
        "{lie}"
    );
    std::fs::write(&path, "selFish?and more").unwrap();
    assert!(matches!(open().reason, Reason::NotAStateFile));
    std::fs::remove_dir_all(scratch).unwrap();
}

#[test]
fn a_simulated_disk_is_no_place_for_a_plugin() {
    let scratch = scratch("simulated");
    let disk = Arc::new(Simulated::new());
    let mut dumps = Dumps::new(disk, Path::new("/"), writer("toy.c", &scratch, &[]));
    let (_, told) = dumps.dump(1);
    assert!(told.contains("failed 1: the writer `toy` needs a real file system"), "{told}");
    std::fs::remove_dir_all(scratch).unwrap();
}

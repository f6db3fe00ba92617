//! Conversion of states, and what `cppc convert` does not do.

use crate::fixture::{cppc, dumped, dumped_upon, json, manifest, memory, path_text, write_for, Scratch};
use cppc_runtime::settings::Compression;
use cppc_runtime::verify::Machine;
use cppc_runtime::write::Ending;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::time::Duration;

fn convert(from: &str, to: &std::path::Path, more: &[&str]) -> anyhow::Result<(String, bool)> {
    let words: Vec<&str> =
        ["convert", from, "--to", "binary", "-o", path_text(to)].iter().chain(more).copied().collect();
    cppc(&words)
}

#[test]
fn a_directory_is_converted_as_a_whole() {
    let (from, to) = (Scratch::new("convert-from"), Scratch::new("convert-to"));
    dumped(&from.0, 3, 2, Compression::Deflate(6), Some(Ending::Keep));
    let (said, good) = convert(path_text(&from.0), &to.0, &["--compress", "lz4"]).unwrap();
    assert!(good && said.ends_with("6 files converted\n"), "{said}");
    assert!(cppc(&["diff", path_text(&from.0), path_text(&to.0)]).unwrap().1);
    let (said, good) = cppc(&["verify", path_text(&to.0)]).unwrap();
    assert!(good && said.contains("complete recovery lines 2, 1"), "{said}");
    // A finished run is not resumed from there either.
    assert!(cppc(&["list", path_text(&to.0)]).unwrap().0.contains("complete, of a finished run"));
    let (_, good) =
        convert(&format!("{}@1", path_text(&from.0)), &to.0.join("one"), &["--rank", "1"]).unwrap();
    let found = json(&["list", path_text(&to.0.join("one"))]);
    assert!(good && found["applications"][0]["lines"][0]["files"] == 1, "{found}");
}

#[test]
fn nothing_is_replaced_unless_it_is_asked_for() {
    let scratch = Scratch::new("convert-over");
    dumped(&scratch.0, 1, 1, Compression::None, None);
    let (file, other) = (scratch.line(0, 1), scratch.0.join("other"));
    std::fs::write(&other, b"precious").unwrap();
    let error = convert(path_text(&file), &other, &[]).unwrap_err().to_string();
    assert!(error.contains("is there already") && std::fs::read(&other).unwrap() == b"precious", "{error}");
    assert!(convert(path_text(&scratch.0), &scratch.0, &[])
        .unwrap_err()
        .to_string()
        .contains("is there already"));
    assert!(convert(path_text(&file), &other, &["--force"]).unwrap().1);
    assert!(cppc(&["diff", path_text(&file), path_text(&other)]).unwrap().1);
    let before = std::fs::metadata(&file).unwrap().len();
    assert!(convert(path_text(&scratch.0), &scratch.0, &["--force", "--compress", "deflate:9"]).unwrap().1);
    assert!(std::fs::metadata(&file).unwrap().len() < before);
    assert!(cppc(&["diff", path_text(&file), path_text(&other)]).unwrap().1);
    let names: Vec<_> =
        std::fs::read_dir(file.parent().unwrap()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["line-000001.cppc"]);
}

#[test]
fn links_and_pipes_are_not_replaced() {
    let scratch = Scratch::new("convert-pipe");
    dumped(&scratch.0, 1, 1, Compression::None, None);
    let (file, pipe, link) = (scratch.line(0, 1), scratch.0.join("pipe"), scratch.0.join("link"));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::os::unix::fs::symlink(&file, &link).unwrap();
    for (output, what) in [(&pipe, "is a pipe, and only a file is replaced"), (&link, "is a symbolic link")] {
        let before = std::fs::symlink_metadata(output).unwrap().file_type();
        let error = convert(path_text(&file), output, &["--force"]).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
        assert_eq!(before, std::fs::symlink_metadata(output).unwrap().file_type());
    }
}

#[test]
fn an_interrupted_conversion_leaves_nothing() {
    let scratch = Scratch::new("convert-stopped");
    let mut state = 1u64;
    let noise = (0..1u64 << 23).flat_map(|_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 40).to_le_bytes()
    });
    let mut content = memory(0, 1);
    content[1] = noise.collect();
    let mut described = manifest(0, 1, 1);
    described.registers[1].count = 1 << 23;
    described.blocks[1].size_bytes = 1 << 26;
    let (file, output) = (scratch.0.join("large.cppc"), scratch.0.join("out"));
    write_for(Machine::THIS, &file, &described, &content);
    std::fs::create_dir(&output).unwrap();
    for (signal, number) in [("INT", 2), ("TERM", 15)] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cppc"));
        command
            .arg("convert")
            .arg(&file)
            .args(["--to", "binary", "--compress", "deflate:9", "-o"])
            .arg(output.join("whole"));
        let mut child = command.spawn().unwrap();
        let has_begun = || std::fs::read_dir(&output).unwrap().next().is_some();
        while !has_begun() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        // A builtin of the shell: a minimal machine has no other.
        assert!(Command::new("sh")
            .args(["-c", &format!("kill -s {signal} {}", child.id())])
            .status()
            .unwrap()
            .success());
        assert_eq!(child.wait().unwrap().signal(), Some(number));
        assert!(!has_begun(), "something was left");
    }
}

#[test]
fn damage_is_not_converted() {
    let (from, to) = (Scratch::new("convert-bad"), Scratch::new("convert-none"));
    dumped(&from.0, 2, 1, Compression::None, None);
    let bad = from.line(1, 1);
    let mut bytes = std::fs::read(&bad).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&bad, &bytes).unwrap();
    let (said, good) = convert(path_text(&from.0), &to.0, &[]).unwrap();
    assert!(!good && said.contains("register `u`") && said.ends_with("1 file converted\n"), "{said}");
    assert!(to.line(0, 1).exists() && !to.line(1, 1).exists());
    assert!(convert("no/such", &to.0, &[]).is_err());
    assert!(cppc(&["convert", path_text(&from.0), "--to", "no-such-writer", "-o", "x"]).is_err());
}

#[test]
fn incremental_files_become_whole_ones() {
    let (from, to) = (Scratch::new("convert-chain"), Scratch::new("convert-whole"));
    dumped_upon(&from.0, 2, 4, 4);
    let found = json(&["show", path_text(&from.0)]);
    assert!(!found["files"][0]["bases"].as_array().unwrap().is_empty(), "{found}");
    assert!(found["files"][0]["registers"][1]["stored"]["in_bases_bytes"].as_u64().unwrap() > 0);
    assert!(convert(&format!("{}@4", path_text(&from.0)), &to.0, &[]).unwrap().1);
    assert!(cppc(&["diff", path_text(&from.0), path_text(&to.0)]).unwrap().1);
    assert_eq!(json(&["show", path_text(&to.0)])["files"][0]["bases"], serde_json::json!([]));
    // Other files need the one that would be replaced.
    let error = convert(&format!("{}@1", path_text(&from.0)), &from.0, &["--force"]).unwrap_err().to_string();
    assert!(error.contains("which would be replaced"), "{error}");
    assert!(convert(path_text(&from.0), &from.0, &["--force"]).unwrap().1);
    let (said, good) = cppc(&["verify", path_text(&from.0)]).unwrap();
    assert!(good && said.contains("complete recovery lines 4, 3, 2, 1"), "{said}");
    assert!(cppc(&["diff", path_text(&from.0), path_text(&to.0)]).unwrap().1);
}

#[test]
fn a_file_stays_that_of_its_machine() {
    let (from, to) = (Scratch::new("convert-machine"), Scratch::new("convert-same"));
    let s390x = Machine { big_endian: true, long_double_digits: 113, ..Machine::THIS };
    let mut content = memory(0, 1);
    content[0].reverse();
    content[1].chunks_exact_mut(8).for_each(<[u8]>::reverse);
    // Captures and cells are not byte-swapped here; they have other values, which is sufficient.
    let file = from.0.join("there.cppc");
    write_for(s390x, &file, &manifest(0, 1, 1), &content);
    let other = to.0.join("here.cppc");
    assert!(convert(path_text(&file), &other, &["--compress", "deflate"]).unwrap().1);
    let found = json(&["show", path_text(&other)]);
    assert_eq!(found["files"][0]["machine"]["byte_order"], "big-endian");
    assert_eq!(found["files"][0]["registers"][1]["values"][1], 1.5);
    assert!(cppc(&["diff", path_text(&file), path_text(&other)]).unwrap().1);
    // By value, between machines.
    let native = to.0.join("native.cppc");
    write_for(Machine::THIS, &native, &manifest(0, 1, 1), &memory(0, 1));
    let (said, good) = cppc(&["diff", path_text(&file), path_text(&native)]).unwrap();
    assert!(
        !good && said.contains("4 registers the same") && said.contains("restart plans differ"),
        "{said}"
    );
    assert!(cppc(&["diff", path_text(&file), path_text(&native), "-n", "*"]).unwrap().1);
}

#[test]
fn nothing_is_replaced_under_a_program_that_writes() {
    let (from, to) = (Scratch::new("convert-live"), Scratch::new("convert-beside"));
    dumped(&from.0, 1, 2, Compression::None, None);
    let temporary = from.line(0, 1).with_file_name("dump.tmp");
    std::fs::write(&temporary, b"being written").unwrap();
    let error = convert(path_text(&from.0), &from.0, &["--force"]).unwrap_err().to_string();
    assert!(error.contains("seems to be writing"), "{error}");
    assert!(convert(path_text(&from.0), &to.0, &[]).unwrap().1);
    assert!(cppc(&["prune", path_text(&from.0), "--keep", "1"]).unwrap().1);
    assert!(temporary.exists() && !from.line(0, 1).exists() && to.line(0, 1).exists());
}

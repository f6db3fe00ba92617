//! The output of `cppc` for good, damaged and forged state.

use crate::fixture::{cppc, dump, dumped, json, manifest, memory, path_text, write_for, Scratch};
use cppc_runtime::machine::Machine;
use cppc_runtime::manifest::Manifest;
use cppc_runtime::settings::Compression;
use cppc_runtime::write::Ending;
use std::path::Path;

fn list(path: &Path) -> (String, bool) {
    cppc(&["list", path_text(path)]).unwrap()
}

fn verify(path: &Path) -> (String, bool) {
    cppc(&["verify", path_text(path)]).unwrap()
}

fn show(path: &Path, more: &[&str]) -> anyhow::Result<(String, bool)> {
    let words: Vec<&str> = ["show", path_text(path), "--values", "3"].iter().chain(more).copied().collect();
    cppc(&words)
}

#[test]
fn lines_are_listed_with_what_they_lack() {
    let scratch = Scratch::new("list");
    dumped(&scratch.0, 3, 3, Compression::None, None);
    std::fs::remove_file(scratch.line(1, 3)).unwrap();
    let (text, good) = list(&scratch.0);
    assert!(good);
    assert!(text.starts_with("heat (3 processes, "), "{text}");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[2].trim_start().starts_with("3       2"), "{text}");
    assert!(lines[2].ends_with("0000000000000abc   incomplete: no good file of rank 1"), "{text}");
    assert!(lines[3].ends_with("complete") && lines[4].ends_with("complete"), "{text}");
    let json = json(&["list", path_text(&scratch.0)]);
    let first = &json["applications"][0];
    assert_eq!(first["name"], "heat");
    assert_eq!(first["lines"][0]["missing_ranks"], serde_json::json!([1]));
    assert_eq!(first["lines"][1]["complete"], true);
    // The same from the application's directory.
    assert_eq!(list(&scratch.0.join("heat")).0.lines().skip(1).collect::<Vec<_>>(), lines[1..]);
}

/// Two starts that were alive at the same time have written the same number.
#[test]
fn a_line_of_two_starts_is_not_complete() {
    let scratch = Scratch::new("attempts");
    dumped(&scratch.0, 2, 2, Compression::None, None);
    let mut other = manifest(1, 2, 2);
    other.provenance.attempt = 9;
    write_for(Machine::THIS, &scratch.line(1, 2), &other, &memory(1, 2));
    let (text, _) = list(&scratch.0);
    assert!(text.contains("different starts of the run") && text.contains("not usable"), "{text}");
    assert!(cppc(&["prune", path_text(&scratch.0), "--keep", "1"]).unwrap().1);
    assert!(scratch.line(0, 1).exists() && scratch.line(1, 1).exists(), "the line that is one start's stays");
}

#[test]
fn incomplete_lines_only_are_explained() {
    let scratch = Scratch::new("incomplete");
    dumped(&scratch.0, 2, 1, Compression::None, None);
    assert!(!list(&scratch.0).0.contains("no line is complete"));
    std::fs::remove_file(scratch.line(1, 1)).unwrap();
    assert!(list(&scratch.0).0.contains("no line is complete, so a run cannot resume"));
}

#[test]
fn a_finished_run_is_told() {
    let scratch = Scratch::new("finished");
    dumped(&scratch.0, 1, 2, Compression::None, Some(Ending::Keep));
    assert!(list(&scratch.0).0.contains("complete, of a finished run"));
}

#[test]
fn a_file_is_shown_with_registers_values_and_plan() {
    let scratch = Scratch::new("show");
    for compress in [Compression::None, Compression::Deflate(6)] {
        dumped(&scratch.0, 2, 2, compress, None);
        let (text, good) = show(&scratch.0, &["--line", "2", "--rank", "1"]).unwrap();
        assert!(good);
        assert!(
            text.contains(
                "heat: recovery line 2 of run 0000000000000abc, rank 1 of 2, after 70 checkpoint calls"
            ),
            "{text}"
        );
        let row = text.lines().find(|line| line.contains("*u ")).unwrap();
        let cells: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(
            cells,
            [
                "*u", "solve", "(1)", "double", "[2000]", "15.6", "KiB", "99.9%", "2.5", "502.25", "1002",
                "2.5", "3", "3.5", "…"
            ]
        );
        assert!(text.contains("title\\u{1b}[2J") && !text.contains('\u{1b}'), "{text}");
        assert!(text.lines().any(|line| line.contains("*nothing") && line.ends_with("null")), "{text}");
        let plan =
            "restart plan\n  block 1: init\n  block 2: execute with i = 2\n  block 3: in solve\n      \
                    cells: 2 = 5, 3 = 0.5\n      block 1: register n, u\n      block 2: the checkpoint\n";
        assert!(text.ends_with(plan), "{text}");
    }
    let json = json(&["show", path_text(&scratch.line(0, 1)), "--values", "2"]);
    let (file, u) = (&json["files"][0], &json["files"][0]["registers"][1]);
    assert_eq!((&file["line"], &file["registers"][0]["values"][0]), (&1.into(), &3.into()));
    assert_eq!((&u["shape"], &u["values"]), (&serde_json::json!([2000]), &serde_json::json!([1.0, 1.5])));
    let found = &u["statistics"][0];
    assert_eq!(
        (&found["min"], &found["max"], &found["mean"], &found["zeros"]),
        (&1.0.into(), &1000.5.into(), &500.75.into(), &0.into())
    );
    assert_eq!(file["registers"][2]["name"], "title\u{1b}[2J");
    assert!(show(&scratch.0, &["--line", "9"])
        .unwrap_err()
        .to_string()
        .contains("no file of recovery line 9"));
    assert!(show(&scratch.0, &["--rank", "7"])
        .unwrap_err()
        .to_string()
        .contains("no state of the processes"));
}

#[test]
fn damage_is_found_and_named() {
    let scratch = Scratch::new("verify");
    dumped(&scratch.0, 2, 3, Compression::None, None);
    let (text, good) = verify(&scratch.0);
    assert!(good && text.contains("heat: complete recovery lines 3, 2, 1"), "{text}");
    assert!(text.ends_with("none of them damaged\n"), "{text}");

    let bad = scratch.line(1, 3);
    let mut bytes = std::fs::read(&bad).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&bad, &bytes).unwrap();
    let (text, good) = verify(&scratch.0);
    assert!(!good && text.contains("memory block 1 is wrong") && text.contains("register `u`"), "{text}");
    assert!(text.contains("complete recovery lines 2, 1") && text.contains("1 of them damaged"), "{text}");
    let json = json(&["verify", path_text(&bad)]);
    assert!(
        json["good"] == false && json["damaged"][0]["problems"][0].as_str().unwrap().contains("register `u`")
    );
    assert!(verify(&scratch.line(0, 3)).1);
}

#[test]
fn what_is_not_there_is_said() {
    let scratch = Scratch::new("empty");
    for path in [scratch.0.clone(), scratch.0.join("none")] {
        for verb in ["list", "verify", "show"] {
            assert!(cppc(&[verb, path_text(&path)]).is_err());
        }
    }
    let refused = |verb: &str, path: &Path| cppc(&[verb, path_text(path)]).unwrap_err().to_string();
    for verb in ["list", "show"] {
        let error = refused(verb, &scratch.0);
        assert!(error.contains("it is empty") && error.contains("setting `dir`"), "{error}");
        let error = refused(verb, Path::new("no/such"));
        assert!(error.contains("`no/such` in `/") && error.contains("run the program first"), "{error}");
    }
    let other = scratch.0.join("other");
    std::fs::create_dir_all(other.join("results")).unwrap();
    for verb in ["list", "show"] {
        let error = refused(verb, &other);
        assert!(error.contains("it contains `results`") && error.contains("`rank-0000`"), "{error}");
    }
    std::fs::remove_dir_all(&other).unwrap();
    // Advice for a run would not help here.
    let text = scratch.0.join("notes.txt");
    std::fs::write(&text, b"some other text").unwrap();
    for words in [
        &["verify", path_text(&text)][..],
        &["show", path_text(&text)],
        &["diff", path_text(&text), path_text(&text)],
    ] {
        let (said, good) = cppc(words).unwrap();
        assert!(!good && said.contains("`CPPC_WRITERS`") && !said.contains("afresh"), "{said}");
    }
}

#[test]
fn a_line_may_be_named() {
    let scratch = Scratch::new("named-line");
    dumped(&scratch.0, 2, 3, Compression::None, None);
    std::fs::write(scratch.line(1, 3), b"spoiled").unwrap();
    let at = |line: u32| format!("{}@{line}", path_text(&scratch.0));
    assert!(!verify(&scratch.0).1);
    let (said, good) = cppc(&["verify", &at(2)]).unwrap();
    assert!(good && said.starts_with("heat: complete recovery lines 2\n2 files"), "{said}");
    assert!(!cppc(&["verify", &at(3)]).unwrap().1);
    let found = json(&["list", &at(2)]);
    assert_eq!(found["applications"][0]["lines"].as_array().unwrap().len(), 1);
    for words in [&["verify", &at(7)][..], &["list", &at(7)]] {
        let error = cppc(words).unwrap_err().to_string();
        assert!(error.contains("no files of recovery line 7"), "{error}");
    }
    // A single line cannot be pruned.
    let error = cppc(&["prune", &at(2), "--keep", "1"]).unwrap_err().to_string();
    assert!(error.contains("is recovery line 2 alone") && scratch.line(0, 1).exists(), "{error}");
    let error = cppc(&["list", path_text(&scratch.line(0, 1))]).unwrap_err().to_string();
    assert!(error.contains("is a file, and a directory is wanted"), "{error}");
}

#[test]
fn names_that_fit_nothing_are_no_answer() {
    let scratch = Scratch::new("no-name");
    dumped(&scratch.0, 1, 2, Compression::None, None);
    let path = path_text(&scratch.0);
    for words in [&["show", path, "-n", "v"][..], &["diff", path, path, "-n", "v"]] {
        let error = cppc(words).unwrap_err().to_string();
        assert!(error.contains("no register is named `v`"), "{error}");
    }
    let error = cppc(&["diff", path, path, "--rank", "5"]).unwrap_err().to_string();
    assert!(error.contains("no files of the processes"), "{error}");
    // A user who names registers gets only those.
    let (said, good) = show(&scratch.0, &["-n", "u"]).unwrap();
    assert!(
        good && said.contains("*u") && !said.contains("restart plan") && !said.contains("memory block"),
        "{said}"
    );
}

#[test]
fn no_file_of_any_content_does_harm() {
    let scratch = Scratch::new("hostile");
    dumped(&scratch.0, 1, 1, Compression::Deflate(1), None);
    let file = scratch.line(0, 1);
    let good = std::fs::read(&file).unwrap();
    let whole = scratch.0.join("whole.cppc");
    std::fs::write(&whole, &good).unwrap();
    for at in (0..good.len()).step_by(7) {
        let mut bad = good.clone();
        bad[at] ^= 0x41;
        std::fs::write(&file, &bad).unwrap();
        list(&scratch.0);
        let _ = show(&file, &[]);
        if at % 3 == 0 {
            let (bad, good) = (path_text(&file), path_text(&whole));
            assert!(cppc(&["diff", bad, good]).is_ok_and(|(_, equal)| !equal), "byte {at}");
            let _ = cppc(&["show", bad, "--plot", path_text(&scratch.0.join("out.png"))]);
            assert!(cppc(&["convert", bad, "--to", "binary", "-o", path_text(&scratch.0.join("no.cppc"))])
                .is_ok_and(|(_, good)| !good));
            assert!(
                !cppc(&["prune", path_text(&scratch.0), "--keep", "1", "--aside"]).unwrap().1
                    && file.exists()
            );
        }
        assert!(!verify(&scratch.0).1, "byte {at}");
    }
    for length in (0..good.len()).step_by(11) {
        std::fs::write(&file, &good[..length]).unwrap();
        list(&scratch.0);
        let _ = show(&file, &["--json"]);
        assert!(!verify(&scratch.0).1, "{length} bytes");
    }
}

/// Complete files with forged content.
#[test]
fn no_manifest_of_any_content_does_harm() {
    let scratch = Scratch::new("lying");
    let write = |manifest: Manifest| {
        dump(&scratch.0, manifest, &memory(0, 1));
        list(&scratch.0);
        verify(&scratch.0);
        let _ = show(&scratch.0, &["--shape", "18446744073709551615x1"]);
        show(&scratch.0, &[]).map_or(String::new(), |(text, _)| text)
    };
    let mut many = manifest(0, 1, 1);
    many.provenance.processes = u32::MAX;
    assert!(write(many).contains("rank 0 of 4294967295"));
    let mut odd = manifest(0, 1, 1);
    odd.registers[1].type_code = -7;
    let text = write(odd);
    assert!(text.contains("type -7"), "{text}");
    // Elements that do not have the size of their type are refused when the file is read, if not before.
    let unlike: [fn(&mut Manifest); 2] = [
        |manifest| (manifest.registers[0].element_bytes, manifest.registers[0].count) = (0, u64::MAX),
        |manifest| {
            (
                manifest.registers[2].type_code,
                manifest.registers[2].element_bytes,
                manifest.registers[2].count,
            ) = (22, 3, 2)
        },
    ];
    for change in unlike {
        let mut odd = manifest(0, 1, 1);
        change(&mut odd);
        write(odd);
    }
}

#[test]
fn several_files_are_shown_and_the_broken_ones_named() {
    let scratch = Scratch::new("several");
    dumped(&scratch.0, 3, 2, Compression::None, None);
    std::fs::write(scratch.line(1, 2), b"rubbish").unwrap();
    let at = format!("{}@1", path_text(&scratch.0));
    let (said, good) =
        cppc(&["show", path_text(&scratch.0), &at, "--rank", "0,2", "-n", "u", "-n", "no*"]).unwrap();
    assert!(
        good && said.matches("2 registers (2 more)").count() == 4
            && said.matches("recovery line 1 of").count() == 2,
        "{said}"
    );
    let (said, good) = cppc(&["show", path_text(&scratch.0), "--rank", "all"]).unwrap();
    assert!(
        !good
            && said.contains("rank 0 of 3")
            && said.contains("rank 2 of 3")
            && said.contains("line-000002.cppc` has the signature of no known writer"),
        "{said}"
    );
}

#[test]
fn a_shape_may_be_given_and_the_manifest_may_have_one() {
    let scratch = Scratch::new("shape");
    let mut with = manifest(0, 1, 1);
    with.registers[1].type_code = 81;
    with.shapes = vec![cppc_runtime::manifest::Shape { register: 1, extents: vec![40, 50] }];
    dump(&scratch.0, with, &memory(0, 1));
    assert!(show(&scratch.0, &[]).unwrap().0.contains("REAL(KIND=8)   (50,40)"));
    let (said, _) = show(&scratch.0, &["--shape", "20x100"]).unwrap();
    assert!(said.contains("(20,100)"), "{said}");
}

#[test]
fn sick_values_are_told() {
    let scratch = Scratch::new("sick");
    let mut content = memory(0, 1);
    content[1][80..88].copy_from_slice(&f64::NAN.to_ne_bytes());
    content[1][88..96].copy_from_slice(&f64::INFINITY.to_ne_bytes());
    dump(&scratch.0, manifest(0, 1, 1), &content);
    let (said, good) = show(&scratch.0, &[]).unwrap();
    assert!(good && said.contains("u: 1 NaN and 1 infinite of 2000 values"), "{said}");
    assert!(!show(&scratch.0, &["--stats=no"]).unwrap().0.contains("NaN"));
}

#[test]
fn texts_are_taken_apart_where_their_length_is_known() {
    let scratch = Scratch::new("texts");
    let mut with = manifest(0, 1, 1);
    with.registers[2].type_code = 100;
    with.shapes = vec![cppc_runtime::manifest::Shape { register: 2, extents: vec![2, 4] }];
    let mut content = memory(0, 1);
    content[2] = b"one two ".to_vec();
    dump(&scratch.0, with, &content);
    assert!(show(&scratch.0, &[]).unwrap().0.contains("(4,2)"));
    assert!(show(&scratch.0, &[]).unwrap().0.contains("\"one \" \"two \""));
    assert_eq!(
        json(&["show", path_text(&scratch.0)])["files"][0]["registers"][2]["values"],
        serde_json::json!(["one ", "two "])
    );
}

#[test]
fn directories_of_any_name_are_told_to_programs() {
    use std::os::unix::ffi::OsStrExt;
    let scratch = Scratch::new("latin");
    dumped(&scratch.0, 1, 2, Compression::None, None);
    let odd = scratch.0.join(std::ffi::OsStr::from_bytes(b"h\xe9at\x1b"));
    std::fs::rename(scratch.0.join("heat"), &odd).unwrap();
    let found = json(&["list", path_text(&scratch.0)]);
    assert_eq!(found["applications"][0]["name"], "h\u{fffd}at\u{1b}");
    assert!(!list(&scratch.0).0.contains('\u{1b}') && verify(&scratch.0).1);
    for words in [&["show"][..], &["verify"], &["prune", "--keep", "1"]] {
        let words: Vec<&str> = words.iter().copied().chain([path_text(&scratch.0)]).collect();
        json(&words);
    }
}

//! No report has a line of more than 80 columns, whatever names, numbers and processes it has.

use crate::fixture::{cppc, cppc_within, dump, dumped, dumped_upon, manifest, memory, path_text, Scratch};
use cppc_runtime::manifest::{
    BlockPlace, Field, Kind, Location, MemoryBlock, Register, Scope, Shape, StructType,
};
use cppc_runtime::settings::Compression;
use std::path::{Path, PathBuf};

const WIDTH: usize = 80;

/// The report of a command within 80 columns.
fn fits(words: &[&str]) -> String {
    let Ok((text, _)) = cppc_within(WIDTH, words) else { panic!("{words:?} failed") };
    for line in text.lines() {
        assert!(line.chars().count() <= WIDTH, "{words:?}: {line}\nin\n{text}");
        assert!(line == line.trim_end(), "blanks at the end of `{line}`");
    }
    text
}

/// A program with long names, structures, deep frames and numbers of many digits.
fn long_names(dir: &Path, value: f64) {
    let mut with = manifest(0, 1, 7);
    let mut content = memory(0, 7);
    let procedure = "advance_the_solution_by_one_implicit_step_of_the_multigrid_solver".to_owned();
    let field =
        |name: &str, offset_bytes| Field { name: name.to_owned(), offset_bytes, type_code: 21, count: 1 };
    with.types.push(StructType {
        name: "cell_with_a_type_name_that_nobody_would_want_to_write_twice".into(),
        size_bytes: 16,
        fields: vec![field("the_density_of_the_first_material", 0), field("energy", 8)],
    });
    for depth in 1..=40u32 {
        let block = content.len() as u32;
        let is_structure = depth % 4 == 0;
        let numbers = [-1.234_567_890_123_456_8e-300, value, 9.876_543_210_987_654e300, 0.1];
        content.push(numbers.iter().flat_map(|number| number.to_le_bytes()).collect());
        with.blocks.push(MemoryBlock { size_bytes: 32, place: BlockPlace::Heap });
        with.registers.push(Register {
            name: format!("chunk%tiles(12)%field%density_of_the_previous_time_step_{}", depth / 2),
            section: 0,
            scope: Scope::Frame { depth, procedure: procedure.clone() },
            type_code: if is_structure { 1000 } else { 21 },
            element_bytes: if is_structure { 16 } else { 8 },
            count: if is_structure { 2 } else { 4 },
            storage: 2,
            kind: Kind::Memory,
            target: Some(Location { block, offset_bytes: 0 }),
        });
        if !is_structure {
            with.shapes.push(Shape { register: with.registers.len() as u32 - 1, extents: vec![2, 1, 1, 2] });
        }
    }
    with.provenance.identity.arguments = Some(vec!["--input".to_owned(), "a/".repeat(90)]);
    dump(dir, with, &content);
}

#[test]
fn every_report_about_long_names_fits() {
    let (a, b) = (Scratch::new("wide-a"), Scratch::new("wide-b"));
    let deep = |scratch: &Scratch| scratch.0.join("a_directory_with_a_long_name".repeat(4));
    long_names(&deep(&a), 1.0 / 3.0);
    long_names(&deep(&b), 2.0 / 3.0);
    let (a, b) = (deep(&a), deep(&b));
    for verb in ["list", "verify", "show"] {
        fits(&[verb, path_text(&a)]);
    }
    let shown = fits(&["show", path_text(&a)]);
    let differences = fits(&["diff", path_text(&a), path_text(&b)]);
    // Numbers are never broken or rounded.
    for number in ["-1.2345678901234568e-300", "9.876543210987654e300"] {
        assert!(shown.split_whitespace().any(|word| word == number), "{shown}");
    }
    for number in ["0.3333333333333333", "0.6666666666666666"] {
        assert!(differences.split_whitespace().any(|word| word == number), "{differences}");
    }
    // Nothing is left out.
    for word in cppc(&["show", path_text(&a)]).unwrap().0.split_whitespace().filter(|word| word.len() < 14) {
        assert!(shown.contains(word), "`{word}` is missing in\n{shown}");
    }
}

#[test]
fn every_report_about_many_processes_fits() {
    let scratch = Scratch::new("wide-ranks");
    dumped(&scratch.0, 40, 3, Compression::None, None);
    for rank in (1..40).step_by(2) {
        std::fs::remove_file(scratch.line(rank, 3)).unwrap();
    }
    std::fs::write(scratch.line(2, 2), b"spoiled").unwrap();
    let listed = fits(&["list", path_text(&scratch.0)]);
    let all = listed.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(listed.contains("incomplete: no good file") && all.contains("no known writer"), "{listed}");
    assert!((1..40).step_by(2).all(|rank| listed.contains(&rank.to_string())), "{listed}");
    fits(&["verify", path_text(&scratch.0)]);
    fits(&["show", path_text(&scratch.0), "--rank", "all"]);
    fits(&["diff", &format!("{}@1", path_text(&scratch.0)), &format!("{}@2", path_text(&scratch.0))]);
    let incremental = Scratch::new("wide-bases");
    dumped_upon(&incremental.0, 2, 12, 6);
    for verb in ["list", "verify", "show"] {
        fits(&[verb, path_text(&incremental.0)]);
    }
}

/// The states that programs have written on several machines.
#[test]
fn every_report_about_kept_files_fits() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/tests/golden");
    let mut files: Vec<PathBuf> = Vec::new();
    let mut directories = vec![golden];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "cppc") {
                files.push(path);
            }
        }
    }
    assert!(files.len() >= 4, "{files:?}");
    for file in &files {
        fits(&["show", path_text(file)]);
        fits(&["verify", path_text(file)]);
        fits(&["diff", path_text(file), path_text(&files[0])]);
    }
}

//! What `cppc prune` removes, and what it keeps.

use crate::fixture::{cppc, dumped, dumped_upon, path_text, Scratch};
use cppc_runtime::settings::Compression;
use std::path::Path;

fn prune(path: &Path, more: &[&str]) -> (String, bool) {
    let words: Vec<&str> = ["prune", path_text(path)].iter().chain(more).copied().collect();
    cppc(&words).unwrap()
}

fn lines(scratch: &Scratch) -> Vec<u64> {
    (1..=9).filter(|&number| scratch.line(0, number).exists()).collect()
}

#[test]
fn the_newest_complete_lines_stay() {
    let scratch = Scratch::new("prune");
    dumped(&scratch.0, 2, 5, Compression::None, None);
    std::fs::remove_file(scratch.line(1, 5)).unwrap();
    let foreign = scratch.line(0, 1).with_file_name("line-1.cppc");
    std::fs::write(&foreign, b"not ours").unwrap();
    let (said, good) = prune(&scratch.0, &["--keep", "2", "--dry-run"]);
    assert!(good && said.starts_with("heat: would remove 4 files of lines 1-2, "), "{said}");
    assert_eq!(lines(&scratch), [1, 2, 3, 4, 5]);
    let (said, good) = prune(&scratch.0, &["--keep", "2"]);
    assert!(
        good && said.contains("removed 4 files of lines 1-2") && said.contains("kept lines 3-4"),
        "{said}"
    );
    assert_eq!(lines(&scratch), [3, 4, 5]);
    assert!(foreign.exists() && !scratch.line(1, 2).exists() && scratch.line(1, 3).exists());
    let (said, good) = prune(&scratch.0, &["--keep", "2"]);
    assert!(good && said.contains("removed nothing"), "{said}");
}

#[test]
fn a_damaged_line_does_not_count() {
    let scratch = Scratch::new("prune-bad");
    dumped(&scratch.0, 2, 4, Compression::None, None);
    let bad = scratch.line(1, 4);
    let mut bytes = std::fs::read(&bad).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&bad, &bytes).unwrap();
    let (said, good) = prune(&scratch.0, &["--keep", "1"]);
    assert!(good && said.contains("kept lines 3"), "{said}");
    assert_eq!(lines(&scratch), [3, 4]);
    let (said, good) = prune(&scratch.0, &["--keep", "2"]);
    assert!(!good && said.contains("1 complete recovery line: nothing is removed"), "{said}");
    // Files of half of the processes are not a complete line.
    let (said, good) = prune(scratch.line(0, 3).parent().unwrap(), &["--keep", "1"]);
    assert!(!good && said.contains("no complete recovery line: nothing is removed"), "{said}");
    assert_eq!(lines(&scratch), [3, 4]);
}

#[test]
fn what_kept_files_lean_on_stays() {
    let scratch = Scratch::new("prune-chain");
    dumped_upon(&scratch.0, 2, 4, 9);
    let (said, good) = prune(&scratch.0, &["--keep", "1"]);
    assert!(good && said.contains("since others depend on them"), "{said}");
    assert!(
        scratch.line(0, 1).exists() && scratch.line(1, 4).exists() && !scratch.line(0, 3).exists(),
        "{said}"
    );
    let (said, good) = cppc(&["verify", path_text(&scratch.0)]).unwrap();
    assert!(good && said.contains("complete recovery lines 4"), "{said}");
}

#[test]
fn what_is_aside_goes_when_asked() {
    let scratch = Scratch::new("prune-aside");
    dumped(&scratch.0, 1, 3, Compression::None, None);
    let aside = scratch.line(0, 3).with_file_name("aside");
    std::fs::create_dir(&aside).unwrap();
    std::fs::rename(scratch.line(0, 3), aside.join("line-000003.cppc")).unwrap();
    assert!(prune(&scratch.0, &["--keep", "1"]).0.contains("removed 1 file of lines 1"));
    assert!(aside.join("line-000003.cppc").exists());
    assert!(prune(&scratch.0, &["--keep", "1", "--aside", "--quick"])
        .0
        .contains("removed 1 file of lines 3"));
    assert!(!aside.join("line-000003.cppc").exists() && scratch.line(0, 2).exists());
}

#[test]
fn nothing_outside_of_the_directory_is_touched() {
    let scratch = Scratch::new("prune-links");
    let outside = Scratch::new("prune-outside");
    dumped(&scratch.0, 2, 3, Compression::None, None);
    dumped(&outside.0, 1, 3, Compression::None, None);
    let rank = outside.line(0, 1).parent().unwrap().to_owned();
    let link = |path: std::path::PathBuf| std::os::unix::fs::symlink(&rank, path).unwrap();
    link(scratch.line(0, 1).with_file_name("aside"));
    link(scratch.0.join("heat/rank-0007"));
    link(scratch.0.join("other"));
    std::fs::write(scratch.line(1, 1).with_file_name("aside"), b"no directory").unwrap();
    for number in 1..=2 {
        std::fs::remove_file(scratch.line(0, number)).unwrap();
        std::os::unix::fs::symlink(outside.line(0, number), scratch.line(0, number)).unwrap();
    }
    let (said, good) = prune(&scratch.0, &["--keep", "1", "--aside"]);
    assert!(good && said.contains("removed 2 files of lines 1-2"), "{said}");
    assert!((1..=3).all(|number| outside.line(0, number).exists()));
    assert!(scratch.line(0, 3).exists() && scratch.line(1, 3).exists());
}

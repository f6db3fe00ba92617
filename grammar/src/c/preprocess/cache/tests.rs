//! The cache returns what was stored, and treats everything else as a miss.

use super::*;
use std::os::unix::fs::{symlink, PermissionsExt as _};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A script cannot run while the child of another test has it open for writing.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// A script that acts as a compiler and counts its runs. Its include directory is next to it.
struct Fake {
    root: tempfile::TempDir,
    _alone: MutexGuard<'static, ()>,
}

impl Fake {
    fn new() -> Fake {
        let alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let fake = Fake { root: tempfile::tempdir().unwrap(), _alone: alone };
        fake.tells("1");
        fake
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn tells(&self, value: &str) {
        let include = self.path("include");
        fs::create_dir_all(&include).unwrap();
        let script = format!(
            "#!/bin/sh\necho run >> {}\ncat > /dev/null\necho '#define VALUE {value}'\n\
             echo '#define __cppc_answer___has_builtin 1'\n\
             printf '#include \"...\" search starts here:\\n#include <...> search starts here:\\n {}\\n' >&2\n",
            self.path("runs").display(),
            include.display(),
        );
        let path = self.path("cc");
        fs::write(self.path("new"), script).unwrap();
        fs::set_permissions(self.path("new"), fs::Permissions::from_mode(0o755)).unwrap();
        fs::rename(self.path("new"), path).unwrap();
    }

    fn cache(&self) -> ProbeCache {
        ProbeCache::in_directory(self.path("cache"))
    }

    fn probe(&self, flags: &[&str]) -> String {
        let flags: Vec<OsString> = flags.iter().map(OsString::from).collect();
        let command = self.path("cc");
        let compiler = super::super::Compiler::probe_with(command.as_os_str(), &flags, Some(&self.cache()));
        String::from_utf8(compiler.unwrap().predefined.to_vec()).unwrap()
    }

    fn runs(&self) -> usize {
        fs::read_to_string(self.path("runs")).map_or(0, |text| text.lines().count())
    }

    fn entry(&self) -> PathBuf {
        let mut files = fs::read_dir(self.path("cache")).unwrap();
        files.next().unwrap().unwrap().path()
    }
}

#[test]
fn a_compiler_is_asked_once() {
    let fake = Fake::new();
    for _ in 0..3 {
        assert_eq!(fake.probe(&["-DX"]), "#define VALUE 1\n");
    }
    assert_eq!(fake.runs(), 1);
    fake.probe(&["-DY"]);
    assert_eq!(fake.runs(), 2);
}

#[test]
fn another_compiler_in_its_place_is_asked_again() {
    let fake = Fake::new();
    fake.probe(&[]);
    fake.tells("22");
    assert_eq!(fake.probe(&[]), "#define VALUE 22\n");
}

#[test]
fn a_directory_that_went_away_is_noticed() {
    let fake = Fake::new();
    fake.probe(&[]);
    fs::remove_dir(fake.path("include")).unwrap();
    fake.probe(&[]);
    assert_eq!(fake.runs(), 2);
}

#[test]
fn what_is_learnt_later_is_kept() {
    let fake = Fake::new();
    let ask = || {
        let command = fake.path("cc");
        let cache = fake.cache();
        let compiler = super::super::Compiler::probe_with(command.as_os_str(), &[], Some(&cache));
        compiler.unwrap().answer("__has_builtin", "unheard_of")
    };
    assert_eq!((ask(), ask(), ask()), (0, 0, 0));
    assert_eq!(fake.runs(), 2);
}

#[test]
fn a_damaged_entry_is_a_miss() {
    let fake = Fake::new();
    fake.probe(&[]);
    let entry = fake.entry();
    let whole = fs::read(&entry).unwrap();
    let damaged = (0..whole.len()).map(|at| {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        bytes
    });
    let cut = (0..whole.len()).map(|at| whole[..at].to_vec());
    for bytes in damaged.chain(cut) {
        assert_eq!(Entry::decode(&bytes), None);
    }
    for bytes in [&b""[..], b"cppc probe 1\n", &[0xff; 1000]] {
        fs::write(&entry, bytes).unwrap();
        assert_eq!(fake.probe(&[]), "#define VALUE 1\n");
        assert_eq!(fs::read(&entry).unwrap(), whole);
    }
}

#[test]
fn links_are_not_written_through_and_open_directories_not_used() {
    let fake = Fake::new();
    fake.probe(&[]);
    let entry = fake.entry();
    let victim = fake.path("victim");
    fs::write(&victim, "precious").unwrap();
    fs::remove_file(&entry).unwrap();
    symlink(&victim, &entry).unwrap();
    fake.probe(&[]);
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
    assert!(fs::symlink_metadata(&entry).unwrap().is_file());

    fs::set_permissions(fake.path("cache"), fs::Permissions::from_mode(0o777)).unwrap();
    let before = fake.runs();
    fake.probe(&[]);
    fake.probe(&[]);
    assert_eq!(fake.runs(), before + 2);
}

#[test]
fn a_place_that_cannot_be_is_passed_over() {
    let fake = Fake::new();
    fs::write(fake.path("cache"), "a file").unwrap();
    assert_eq!(fake.probe(&[]), "#define VALUE 1\n");
}

#[test]
fn the_oldest_entries_go() {
    let fake = Fake::new();
    for at in 0..ENTRIES_LIMIT + 1 {
        fake.probe(&[&format!("-DX={at}")]);
    }
    let left = fs::read_dir(fake.path("cache")).unwrap().count();
    assert_eq!(left, ENTRIES_LIMIT * 3 / 4);
    fake.probe(&[&format!("-DX={ENTRIES_LIMIT}")]);
    assert_eq!(fake.runs(), ENTRIES_LIMIT + 1);
}

#[test]
fn the_processor_at_hand_is_asked_each_time() {
    let fake = Fake::new();
    fake.probe(&["-march=native"]);
    fake.probe(&["-march=native"]);
    assert_eq!(fake.runs(), 2);
}

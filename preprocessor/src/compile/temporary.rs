//! A temporary directory and the translated files in it.
//!
//! Input: translated texts.
//! Output: commands that compile them as if they were the originals.
//! Postcondition: quote includes are searched first in the directory of the original. Diagnostics, debug
//! information, dependency files and `__FILE__` name the original. The directory is removed when the run
//! ends.

use std::cell::Cell;
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::Arc;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use tempfile::TempDir;

use super::compiler::Compiler;
use super::request::Translated;
use super::Failure;
use crate::language::Language;

pub struct TemporaryDirectory {
    directory: TempDir,
    directory_count: Cell<usize>,
    keep: Option<PathBuf>,
}

/// A translated file that is compiled instead of the original.
pub struct TranslatedFile {
    pub file: PathBuf,
    pub original: PathBuf,
    /// The included sources that the text contains.
    pub parts: Vec<PathBuf>,
    pub language: Language,
}

impl TemporaryDirectory {
    pub fn open(keep: Option<&Path>) -> Result<TemporaryDirectory, Failure> {
        let directory = tempfile::Builder::new().prefix("cppc-").tempdir();
        let failed = |error| Failure::CannotRun(format!("cannot create a temporary directory: {error}"));
        let directory = directory.map_err(failed)?;
        // A signal ends the compiler that is running. Then this program ends normally and removes its files.
        for signal in [SIGHUP, SIGINT, SIGTERM] {
            signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false))).map_err(failed)?;
        }
        Ok(TemporaryDirectory { directory, directory_count: Cell::new(0), keep: keep.map(Path::to_owned) })
    }

    /// A path for a new file of this name in a directory of its own.
    pub fn new_path(&self, name: &OsStr) -> Result<PathBuf, Failure> {
        let number = self.directory_count.get();
        self.directory_count.set(number + 1);
        let directory = self.directory.path().join(number.to_string());
        std::fs::create_dir(&directory).map_err(|error| cannot_write(&directory, &error))?;
        Ok(directory.join(name))
    }

    pub fn write_translated(
        &self,
        original: &Path,
        language: Language,
        translated: &Translated,
    ) -> Result<TranslatedFile, Failure> {
        let text = &translated.text;
        let name = original.file_name().unwrap_or(OsStr::new("source.c"));
        let file = self.new_path(name)?;
        std::fs::write(&file, text).map_err(|error| cannot_write(&file, &error))?;
        if let Some(keep) = &self.keep {
            let kept = keep.join(inside(original));
            let parent = kept.parent().unwrap_or(keep);
            std::fs::create_dir_all(parent)
                .and_then(|()| std::fs::write(&kept, text))
                .map_err(|error| cannot_write(&kept, &error))?;
        }
        Ok(TranslatedFile { file, original: original.to_owned(), parts: translated.parts.clone(), language })
    }
}

/// GCC warns about variables that have no value when the dispatch at a procedure's entry jumps to a block.
/// The runtime has restored their values, so the warning is wrong.
const WARNINGS_OFF: [&str; 2] = ["-Wno-maybe-uninitialized", "-Wno-uninitialized"];
/// The dispatch of C is a statement that precedes the declarations of the procedure, and jumps over them.
const C_WARNINGS_OFF: [&str; 2] = ["-Wno-declaration-after-statement", "-Wno-jump-misses-init"];
/// Clang has the first of them, and other names for those about variables without a value.
const CLANG_WARNINGS_OFF: [&str; 3] =
    [C_WARNINGS_OFF[0], "-Wno-sometimes-uninitialized", "-Wno-conditional-uninitialized"];
/// The option of GCC 8, Clang 10 and later versions that replaces file names in their output.
const MAPPED: &str = "-ffile-prefix-map=a=b";

impl TranslatedFile {
    /// The options that must precede, and those that must follow, the other options when this file is
    /// compiled.
    pub fn options(&self, compiler: &Compiler) -> (Vec<OsString>, Vec<OsString>) {
        let parent = self.original.parent().filter(|parent| !parent.as_os_str().is_empty());
        let directory = parent.unwrap_or(Path::new("."));
        // Fortran compilers search the directory of the source first for included files and modules.
        let beside = match self.language {
            Language::C => "-iquote",
            Language::Fortran => "-I",
        };
        let mut front = vec![beside.into(), directory.into()];
        let accepts = |options: &[&str]| compiler.accepts(self.language, options);
        let is_c = self.language == Language::C;
        let is_like_gcc = accepts(&[WARNINGS_OFF[0], WARNINGS_OFF[1], MAPPED]);
        let for_clang: Vec<&str> = CLANG_WARNINGS_OFF.into_iter().chain([MAPPED]).collect();
        let is_like_clang = !is_like_gcc && is_c && accepts(&for_clang);
        if is_like_gcc || is_like_clang || accepts(&[MAPPED]) {
            let mut map = OsString::from("-ffile-prefix-map=");
            map.push(&self.file);
            map.push("=");
            map.push(&self.original);
            front.push(map);
        }
        let mut back: Vec<OsString> = Vec::new();
        if is_like_gcc {
            back.extend(WARNINGS_OFF.map(Into::into));
        }
        if is_c && is_like_gcc {
            back.extend(C_WARNINGS_OFF.map(Into::into));
        } else if is_like_clang {
            back.extend(CLANG_WARNINGS_OFF.map(Into::into));
        }
        (front, back)
    }
}

/// A path that stays inside the directory to which it is joined.
fn inside(path: &Path) -> PathBuf {
    let is_inside = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    match path.file_name() {
        Some(name) if !is_inside => name.into(),
        _ => path.to_owned(),
    }
}

pub fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::CannotRun(format!("cannot write `{}`: {error}", path.display()))
}

//! A temporary directory, and the translated files in it.
//!
//! In: translated texts. Out: commands that compile them as if they were the originals. Holds
//! afterwards: quote includes are looked for beside the original first, and what names the source
//! (diagnostics, debug information, dependency files, `__FILE__`) names the original; the directory
//! is gone when the run ends.

use std::cell::Cell;
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::Arc;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use tempfile::TempDir;

use super::compiler::Compiler;
use super::Failure;
use crate::language::Language;

pub struct Workshop {
    directory: TempDir,
    rooms: Cell<usize>,
    keep: Option<PathBuf>,
}

/// A translated file that stands for an original.
pub struct StandIn {
    pub file: PathBuf,
    pub original: PathBuf,
    pub language: Language,
}

impl Workshop {
    pub fn open(keep: Option<&Path>) -> Result<Workshop, Failure> {
        let directory = tempfile::Builder::new().prefix("cppc-").tempdir();
        let failed = |error| Failure::CannotRun(format!("cannot make a temporary directory: {error}"));
        let directory = directory.map_err(failed)?;
        // A signal ends the compiler that is running; this program then ends by itself, and cleans up.
        for signal in [SIGHUP, SIGINT, SIGTERM] {
            signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false))).map_err(failed)?;
        }
        Ok(Workshop { directory, rooms: Cell::new(0), keep: keep.map(Path::to_owned) })
    }

    /// A path for a new file of this name, alone in its directory.
    pub fn room(&self, name: &OsStr) -> Result<PathBuf, Failure> {
        let number = self.rooms.get();
        self.rooms.set(number + 1);
        let directory = self.directory.path().join(number.to_string());
        std::fs::create_dir(&directory).map_err(|error| cannot_write(&directory, &error))?;
        Ok(directory.join(name))
    }

    pub fn stand_in(&self, original: &Path, language: Language, text: &[u8]) -> Result<StandIn, Failure> {
        let name = original.file_name().unwrap_or(OsStr::new("source.c"));
        let file = self.room(name)?;
        std::fs::write(&file, text).map_err(|error| cannot_write(&file, &error))?;
        if let Some(keep) = &self.keep {
            let kept = keep.join(inside(original));
            let parent = kept.parent().unwrap_or(keep);
            std::fs::create_dir_all(parent)
                .and_then(|()| std::fs::write(&kept, text))
                .map_err(|error| cannot_write(&kept, &error))?;
        }
        Ok(StandIn { file, original: original.to_owned(), language })
    }
}

/// GCC asks whether a variable has a value on the way from the jump at a procedure's entry. It does:
/// the runtime puts it there.
const QUIET: [&str; 2] = ["-Wno-maybe-uninitialized", "-Wno-uninitialized"];
/// GCC 8, Clang 10, and later ones map names in what they write.
const MAPPED: &str = "-ffile-prefix-map=a=b";

impl StandIn {
    /// What goes before and behind the other options when this file is compiled.
    pub fn options(&self, compiler: &Compiler) -> (Vec<OsString>, Vec<OsString>) {
        let parent = self.original.parent().filter(|parent| !parent.as_os_str().is_empty());
        let directory = parent.unwrap_or(Path::new("."));
        // Fortran compilers look for included files and modules beside the source before elsewhere.
        let beside = match self.language {
            Language::C => "-iquote",
            Language::Fortran => "-I",
        };
        let mut front = vec![beside.into(), directory.into()];
        let accepts = |options: &[&str]| compiler.accepts(self.language, options);
        let is_like_gcc = accepts(&[QUIET[0], QUIET[1], MAPPED]);
        if is_like_gcc || accepts(&[MAPPED]) {
            let mut map = OsString::from("-ffile-prefix-map=");
            map.push(&self.file);
            map.push("=");
            map.push(&self.original);
            front.push(map);
        }
        let back = if is_like_gcc { QUIET.map(Into::into).to_vec() } else { Vec::new() };
        (front, back)
    }
}

/// A path that leads nowhere outside the directory it is joined to.
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

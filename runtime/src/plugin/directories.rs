//! The directories that are searched for writers with a plain name.
//!
//! Input: the environment, the location of this code, the search path of the program.
//! Output: directories, in order.
//! Postcondition: none of them comes from a state file, and none is listed twice.
//!
//! This file contains `unsafe`, because only the loader knows these directories.

use std::ffi::{CStr, OsStr};
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The variable with the directories that are searched first, separated by colons.
pub const DIRECTORIES_VARIABLE: &str = "CPPC_WRITERS";
/// The directory of installed writers, relative to the directory of the runtime library.
const INSTALLED: &str = "cppc/writers";

pub fn directories() -> Vec<PathBuf> {
    let named = std::env::var_os(DIRECTORIES_VARIABLE).unwrap_or_default();
    let mut found: Vec<PathBuf> =
        std::env::split_paths(&named).filter(|path| !path.as_os_str().is_empty()).collect();
    if let Some(own) = own_directory() {
        // A library is in `lib`. A program that contains the runtime may be in `bin`.
        found.push(own.join(INSTALLED));
        found.extend(own.parent().map(|above| above.join("lib").join(INSTALLED)));
    }
    // `cppc-cc` adds the installed directory to the search path of the programs that it links.
    found.extend(search_path().into_iter().filter(|path| path.ends_with(INSTALLED)));
    let mut distinct: Vec<PathBuf> = Vec::new();
    for path in found {
        if !distinct.contains(&path) {
            distinct.push(path);
        }
    }
    distinct
}

/// The directory of the shared library or program that contains this code.
fn own_directory() -> Option<PathBuf> {
    let mut found = MaybeUninit::<libc::Dl_info>::zeroed();
    let here: fn() -> Option<PathBuf> = own_directory;
    // SAFETY: the address is one of this program, and zeros are a valid `Dl_info` if the call fails.
    let found = unsafe {
        libc::dladdr(here as *const libc::c_void, found.as_mut_ptr());
        found.assume_init()
    };
    let file = if found.dli_fname.is_null() {
        PathBuf::new()
    } else {
        // SAFETY: the loader keeps the name as long as the object is loaded.
        PathBuf::from(OsStr::from_bytes(unsafe { CStr::from_ptr(found.dli_fname) }.to_bytes()))
    };
    // The loader may return the name with which the program was called, which contains no directory.
    let file = if file.is_absolute() { file } else { std::env::current_exe().ok()? };
    let file = file.canonicalize().ok()?;
    file.parent().map(Path::to_owned)
}

/// The directories in which the loader searches for libraries of the program.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn search_path() -> Vec<PathBuf> {
    /// The requests to `dlinfo`, from `dlfcn.h`.
    const SEARCH_PATH: libc::c_int = 4;
    const SEARCH_PATH_SIZE: libc::c_int = 5;
    #[repr(C)]
    struct Directory {
        name: *const libc::c_char,
        flags: libc::c_uint,
    }
    #[repr(C)]
    struct Path {
        size: usize,
        count: libc::c_uint,
        first: [Directory; 0],
    }
    // SAFETY: the program itself is always loaded. The loader first returns the size of the path. The buffer
    // has that size, is aligned for pointers, and begins with the size. The names in it are copied before the
    // buffer is freed.
    unsafe {
        let program = libc::dlopen(std::ptr::null(), libc::RTLD_NOW);
        let mut needed = Path { size: 0, count: 0, first: [] };
        if program.is_null() || libc::dlinfo(program, SEARCH_PATH_SIZE, (&raw mut needed).cast()) != 0 {
            return Vec::new();
        }
        let mut room = vec![0u64; needed.size.max(size_of::<Path>()).div_ceil(8)];
        let path = room.as_mut_ptr().cast::<Path>();
        (*path).size = needed.size;
        (*path).count = needed.count;
        if libc::dlinfo(program, SEARCH_PATH, path.cast()) != 0 {
            return Vec::new();
        }
        let directories = std::slice::from_raw_parts(
            (&raw const (*path).first).cast::<Directory>(),
            (*path).count as usize,
        );
        let named = directories.iter().filter(|directory| !directory.name.is_null());
        named
            .map(|directory| PathBuf::from(OsStr::from_bytes(CStr::from_ptr(directory.name).to_bytes())))
            .collect()
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn search_path() -> Vec<PathBuf> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_this_code_is_known_and_named_once() {
        let found = directories();
        let program = std::env::current_exe().unwrap().canonicalize().unwrap();
        assert!(found.contains(&program.parent().unwrap().join(INSTALLED)), "{found:?}");
        assert!((1..found.len()).all(|at| !found[..at].contains(&found[at])));
    }

    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[test]
    fn the_loader_tells_its_search_path() {
        assert!(search_path().iter().any(|path| path.is_absolute()));
    }
}

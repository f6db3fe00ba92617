//! The shared libraries with directives that the program was linked with.
//!
//! Input: the executable, which lists them, and the loaded objects.
//! Output: the files of these libraries.
//! Postcondition: each listed library is loaded, with the directives that it had when the program was linked.

use crate::loaded_objects::loaded_objects;
use cppc_abi::sections::{self, SharedLibrary, LIBRARIES_SECTION, RECORDS_SECTION};
use object::{Object as _, ObjectSection as _, ReadCache};
use std::fs::File;
use std::path::{Path, PathBuf};

/// The files of the libraries, sorted. Empty if the program lists none. The error is a message for the user.
pub fn shared_libraries(executable: &Path) -> Result<Vec<PathBuf>, String> {
    let Some(list) = section(executable, LIBRARIES_SECTION) else { return Ok(Vec::new()) };
    let listed = sections::decode(&list).ok_or("the list of shared libraries in the program is damaged")?;
    let loaded = loaded_objects().into_iter().map(|object| object.path);
    let with_records = |path: PathBuf| {
        let records = section(&path, RECORDS_SECTION)?;
        Some((sections::digest(&records), path))
    };
    let loaded: Vec<(u64, PathBuf)> =
        loaded.filter(|path| !path.as_os_str().is_empty()).filter_map(with_records).collect();
    fit(&listed, &loaded)?;
    let mut paths: Vec<PathBuf> = loaded.into_iter().map(|(_, path)| path).collect();
    paths.sort();
    paths.dedup();
    Ok(paths)
}

fn fit(listed: &[SharedLibrary], loaded: &[(u64, PathBuf)]) -> Result<(), String> {
    let is_loaded = |library: &&SharedLibrary| loaded.iter().any(|(digest, _)| *digest == library.digest);
    match listed.iter().find(|library| !is_loaded(library)) {
        None => Ok(()),
        Some(library) => Err(format!(
            "the shared library `{}` was built again after the program was linked, or another file is loaded instead of it: link the program again",
            library.path
        )),
    }
}

/// None if the file cannot be read or has no such section.
fn section(path: &Path, name: &str) -> Option<Vec<u8>> {
    // Of a large file, only a few parts are read.
    let cache = ReadCache::new(File::open(path).ok()?);
    let file = object::File::parse(&cache).ok()?;
    let section = file.section_by_name(name)?;
    section.data().ok().map(<[u8]>::to_vec)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_listed_library_must_be_loaded_as_it_was() {
        let listed = |digest| SharedLibrary { digest, path: "libparts.so".to_owned() };
        let loaded = [(3, PathBuf::from("/opt/liba.so")), (5, PathBuf::from("/opt/libparts.so.1"))];
        assert_eq!(fit(&[listed(5)], &loaded), Ok(()));
        assert_eq!(fit(&[], &loaded), Ok(()));
        let refusal = fit(&[listed(3), listed(6)], &loaded).unwrap_err();
        assert!(refusal.starts_with("the shared library `libparts.so` was built again"), "{refusal}");
    }

    #[test]
    fn a_program_without_such_libraries_lists_none() {
        assert_eq!(shared_libraries(Path::new("/proc/self/exe")), Ok(Vec::new()));
        assert_eq!(shared_libraries(Path::new("/nowhere")), Ok(Vec::new()));
    }
}

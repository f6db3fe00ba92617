//! The writer of HDF5 files, which is built with this crate.

use std::path::PathBuf;

use cppc_runtime::plugin;

/// Its shared object, next to the program that runs. It is loaded, so that its files are known by their first bytes.
pub(crate) fn hdf5() -> PathBuf {
    let program = std::env::current_exe().expect("the program that runs");
    let folders = program.ancestors().skip(1).take(2);
    let places = folders.flat_map(|folder| {
        ["libcppc_writer_hdf5.so", "deps/libcppc_writer_hdf5.so"].map(|name| folder.join(name))
    });
    let age = |path: &PathBuf| path.metadata().and_then(|found| found.modified()).ok();
    let path = places.filter(|path| path.exists()).max_by_key(age).expect("the writer was built");
    plugin::find(&path.display().to_string()).expect("the writer");
    path
}

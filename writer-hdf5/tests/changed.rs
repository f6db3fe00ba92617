//! Files that were changed with HDF5's own tools, or maliciously.

mod support;

use cppc_abi::types;
use cppc_runtime::settings::Compression;
use std::path::Path;
use std::process::Command;
use support::{assert_same, dump, open, Zoo};

fn succeed(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Content that other tools have moved, compressed or divided into chunks is still read.
#[test]
fn repacked_files_are_read() {
    let scratch = tempfile::tempdir().unwrap();
    let mut zoo = Zoo::default();
    let noise = (0..400_000u64).flat_map(|at| (at.wrapping_mul(at) >> 7).to_ne_bytes()).collect();
    zoo.add("field", types::UNSIGNED_LONG, 8, noise);
    zoo.add("i", types::INT, 4, vec![1, 2, 3, 4]);
    for compress in [Compression::None, Compression::Deflate(1)] {
        let path = dump(scratch.path(), compress, &zoo.manifest, &zoo.blocks).unwrap();
        for options in [
            &["-f", "GZIP=6"][..],
            &["-f", "SHUF", "-f", "GZIP=1", "-l", "CHUNK=1000"],
            &["-l", "CONTI", "-f", "NONE"],
        ] {
            let changed = scratch.path().join("line-000003.cppc");
            succeed(Command::new("h5repack").args(options).arg(&path).arg(&changed));
            assert_same(&open(&changed).unwrap(), &zoo.manifest, &zoo.blocks);
            std::fs::remove_file(changed).unwrap();
        }
    }
}

/// A change of the dataset `grid`, in Python, and the expected message.
const CHANGES: [(&str, &str); 6] = [
    ("f[name] = h5py.ExternalLink(other, '/grid')", "cannot open the dataset"),
    ("f[name] = h5py.SoftLink('/nowhere')", "cannot open the dataset"),
    ("f.create_dataset(name, (4,), 'f8', external=[(other, 0, h5py.h5f.UNLIMITED)])", "stored outside of the dataset"),
    ("v = h5py.VirtualLayout((4,), 'f8'); v[:] = h5py.VirtualSource(other, 'grid', (4,)); f.create_virtual_dataset(name, v)", "stored outside of the dataset"),
    ("f.create_dataset(name, (1 << 40,), 'f8', chunks=(1 << 10,), compression=1)", "does not have the size"),
    ("f.create_dataset(name, data=[1.0, 2.0, 3.0, 5.0])", "the checksum of memory block 0 is wrong"),
];

#[test]
fn nothing_outside_of_the_file_is_read() {
    let scratch = tempfile::tempdir().unwrap();
    let mut zoo = Zoo::default();
    zoo.add(
        "grid",
        types::DOUBLE,
        8,
        [1.0f64, 2.0, 3.0, 4.0].iter().flat_map(|value| value.to_ne_bytes()).collect(),
    );
    let other = scratch.path().join("other.h5");
    for (change, wanted) in CHANGES {
        let path = dump(scratch.path(), Compression::None, &zoo.manifest, &zoo.blocks).unwrap();
        change_with_python(&path, &other, change);
        let error = open(&path).expect_err(change).to_string();
        assert!(error.contains(wanted), "{change}: {error}");
    }
}

/// `other` contains the same values as the removed dataset.
fn change_with_python(path: &Path, other: &Path, change: &str) {
    let script = format!(
        "import h5py, sys\npath, other = sys.argv[1:]\nname = 'section-2/solve.1/grid'\n\
         with h5py.File(other, 'w') as o: o['grid'] = [1.0, 2.0, 3.0, 4.0]\n\
         with h5py.File(path, 'r+', libver='latest') as f:\n    del f[name]\n    {change}\n"
    );
    succeed(Command::new(support::python()).args(["-c", &script]).arg(path).arg(other));
}

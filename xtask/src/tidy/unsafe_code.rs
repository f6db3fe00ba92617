//! `unsafe` is used only in the places of one list.
//!
//! Input: the text of every Rust file.
//! Output: a finding for each file with `unsafe` that is not in the list, and for each entry of the list without such
//! a file.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};

use super::Finding;

/// A file, or a folder whose name ends with `/`, and what it uses `unsafe` for.
const LIST: &[(&str, &str)] = &[
    // The boundary to C, Fortran, MPI, HDF5 and writers.
    ("abi/src/writer/structures.rs", "structures that writers receive by address"),
    ("runtime-ffi/src/", "arguments of calls from C"),
    ("fortran-bindings/src/argument.rs", "arguments of calls from Fortran"),
    ("fortran-bindings/src/arguments.rs", "arguments of calls from Fortran"),
    ("fortran-bindings/src/export.rs", "names of routines that Fortran calls"),
    ("runtime-mpi/src/", "calls of MPI"),
    ("message-check/src/lib.rs", "arguments of a call from C"),
    ("writer-hdf5/src/", "calls of HDF5, and the interface of writers"),
    ("runtime/src/plugin/directories.rs", "calls of the dynamic loader"),
    ("runtime/src/plugin/load.rs", "calls of the dynamic loader"),
    ("runtime/src/plugin/table.rs", "calls of a writer in a shared object"),
    ("runtime/src/arithmetic.rs", "control registers of the processor"),
    // Memory of the program.
    ("runtime/src/allocations/", "functions of the C library, and a table that threads share"),
    ("runtime/src/loaded_objects.rs", "the objects of the dynamic loader"),
    ("runtime/src/graph/objects.rs", "the constants of the executable"),
    ("runtime/src/graph/start_texts.rs", "the arguments of the command and the environment"),
    ("runtime/src/graph/symbols.rs", "the name of a table that a test finds"),
    ("runtime/src/checkpoint/snapshot/symbols.rs", "pointers in registered memory"),
    ("runtime/src/graph/type_tables.rs", "type tables and polymorphic arguments of the program"),
    ("runtime/src/graph/walk/copies.rs", "reading allocations of the program"),
    ("runtime/src/memory.rs", "reading and writing memory of the program"),
    ("runtime/src/memory/unwritten.rs", "memory for a copy, not yet written"),
    ("runtime/src/memory/zero.rs", "whether memory is all zero, by vector instructions"),
    ("runtime/src/plan/frames.rs", "reading variables of the program"),
    ("runtime/src/plan/size_variables.rs", "reading variables of the program"),
    ("runtime/src/controller/blocks.rs", "reading variables of the program"),
    ("runtime/src/register/memory.rs", "allocating and freeing memory of the program"),
    ("runtime/src/register/field_content.rs", "copying fields of the program"),
    ("runtime/src/register/access_path.rs", "reading pointers of the program"),
    ("runtime/src/register/table.rs", "reading pointers of the program"),
    ("runtime/src/register/segments.rs", "the stack of the calling thread"),
    ("runtime/src/checkpoint/snapshot.rs", "reading pointers of the program"),
    ("runtime/src/checkpoint/snapshot/fields.rs", "gathering fields of the program"),
    ("runtime/src/checkpoint/snapshot/selected.rs", "reading integers of the program"),
    ("runtime/src/checkpoint/addresses.rs", "reading the memory of registers"),
    ("runtime/src/controller/access_paths.rs", "reading pointers of the program"),
    ("runtime/src/controller/cells.rs", "saved values of variables"),
    ("runtime/src/controller/checkpoint.rs", "copying the memory blocks of a dump"),
    ("runtime/src/controller/registers.rs", "registered memory"),
    ("runtime/src/controller/trees.rs", "checksums of registered memory"),
    ("runtime/src/controller/validity.rs", "reading pointers of the program"),
    ("runtime/src/restore/deliver.rs", "restoring the content of memory blocks"),
    ("runtime/src/restore/deliver/fields.rs", "restoring the content of fields"),
    ("runtime/src/restore/deliver/finish.rs", "restoring the content of memory blocks"),
    ("runtime/src/restore/deliver/graph.rs", "restoring the content of allocations"),
    ("runtime/src/restore/deliver/pointers.rs", "restoring pointers"),
    ("runtime/src/restore/undo.rs", "restoring memory that a replay changed"),
    ("runtime/src/write/buffer.rs", "copying the memory blocks of a dump"),
    ("runtime/src/write/dumper.rs", "copying the memory blocks of a dump"),
    // Open files of the program.
    ("runtime/src/controller/fields.rs", "reading pointers of the program"),
    ("runtime/src/controller/files.rs", "handles that the program passes"),
    ("runtime/src/controller/deferred.rs", "static variables of the program"),
    ("runtime/src/controller/file_numbers.rs", "captured and registered variables of the program"),
    ("runtime/src/files/descriptor.rs", "descriptors of the program"),
    ("runtime/src/files/handle.rs", "handles that the program passes"),
    ("runtime/src/files/stdio.rs", "streams of the C library"),
    ("runtime/src/files/unit.rs", "units of a Fortran library"),
    // Calls of the operating system without a safe interface.
    ("runtime/src/controller/init.rs", "arguments of the process"),
    ("runtime/src/settings/trust.rs", "user of the process"),
    ("runtime/src/standard_error.rs", "writing to a descriptor"),
    ("runtime/src/storage/descriptor.rs", "calls of the file system"),
    ("runtime/src/storage/posix.rs", "calls of the file system"),
    ("runtime/src/threads/signals.rs", "signal masks"),
    ("runtime/src/threads/request_signals.rs", "signal handlers"),
    ("runtime/src/threads/own_table.rs", "the descriptor table of a thread"),
    // Tests and measurements.
    ("runtime/tests/", "dumps of memory of a test"),
    ("tools/tests/", "dumps of memory of a test"),
    ("writer-hdf5/tests/", "dumps of memory of a test"),
    ("tests/src/", "limits, locks and signals of test programs"),
    ("tests/tests/", "limits and signals of test programs"),
    ("fuzz-targets/src/corpus.rs", "dumps of memory of a test"),
    ("fuzz-targets/src/interface.rs", "calls of the C interface, in a process of their own"),
    ("fuzz/fuzz_targets/interface.rs", "coverage in memory that processes share"),
    ("benches/src/", "dumps of memory of a measurement"),
];

/// The files with `unsafe` are collected, and compared with the list at the end.
#[derive(Default)]
pub struct UnsafeCode {
    used: BTreeSet<&'static str>,
}

impl UnsafeCode {
    pub fn check(&mut self, path: &Path, text: &str) -> Option<Finding> {
        let line = text.parse().ok().and_then(line_of_unsafe)?;
        let name = path.to_string_lossy();
        let is_for = |place: &str| if place.ends_with('/') { name.starts_with(place) } else { name == place };
        match LIST.iter().find(|(place, _)| is_for(place)) {
            Some((place, _)) => {
                self.used.insert(place);
                None
            }
            None => {
                let what = "`unsafe` in a file that is not in the list of `xtask/src/tidy/unsafe_code.rs`";
                Some(Finding::new(path, line, what))
            }
        }
    }

    /// A finding for each entry of the list without `unsafe`.
    pub fn finish(self) -> Vec<Finding> {
        let unused = LIST.iter().filter(|(place, _)| !self.used.contains(place));
        unused
            .map(|(place, _)| {
                Finding::new(&PathBuf::from(place), 1, "no `unsafe` here: take it off the list")
            })
            .collect()
    }
}

/// The line of the first `unsafe`, including those in macros.
fn line_of_unsafe(tokens: TokenStream) -> Option<usize> {
    tokens.into_iter().find_map(|tree| match tree {
        TokenTree::Group(group) => line_of_unsafe(group.stream()),
        TokenTree::Ident(ident) if ident == "unsafe" => Some(ident.span().start().line),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(path: &str, text: &str) -> Option<usize> {
        UnsafeCode::default().check(Path::new(path), text).map(|finding| finding.line)
    }

    #[test]
    fn unsafe_outside_of_the_list_is_found() {
        let text = "fn f() {\n    unsafe { g() }\n}\n";
        assert_eq!(finding("runtime/src/agree/mod.rs", text), Some(2));
        assert_eq!(finding("runtime/src/memory.rs", text), None);
        assert_eq!(finding("runtime-ffi/src/verbs/file.rs", text), None);
        assert_eq!(finding("grammar/src/lib.rs", "macro_rules! m { () => { unsafe { f() } } }"), Some(1));
        assert_eq!(finding("grammar/src/lib.rs", "/// unsafe\nfn f() -> &'static str { \"unsafe\" }"), None);
    }

    #[test]
    fn an_entry_without_unsafe_is_found() {
        let mut code = UnsafeCode::default();
        code.check(Path::new("runtime/src/memory.rs"), "unsafe fn f() {}");
        assert_eq!(code.finish().len(), LIST.len() - 1);
    }
}

//! Tests that the catalogue agrees with the headers of this machine: every function has an entry, with as many
//! parameters as the header declares, and no entry writes memory that the header declares `const`.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use cppc_analysis::catalogue::entry::Parameter;
use cppc_analysis::catalogue::Catalogue;
use cppc_grammar::c::parse::parse;
use cppc_grammar::c::preprocess::{preprocess, Compiler};
use cppc_preprocessor::bind::c::{bind, FunctionType, Kind, SymbolKind, Type};
use cppc_source::Files;

/// A function that a header declares.
struct Declared {
    name: String,
    function: FunctionType,
}

fn declared(command: &str, flags: &[&str], headers: &[&str]) -> Vec<Declared> {
    let flags: Vec<OsString> = flags.iter().map(OsString::from).collect();
    let compiler = Compiler::probe(command.as_ref(), &flags).expect("a C compiler");
    let text: String = headers.iter().map(|header| format!("#include <{header}>\n")).collect();
    let mut files = Files::new();
    let main = files.add(Path::new("headers.c"), text.as_bytes());
    let preprocessed = preprocess(&mut files, main, &compiler);
    let parsed = parse(&preprocessed, main);
    if let Some(found) = preprocessed.diagnostics.iter().chain(&parsed.diagnostics).next() {
        panic!("{}", found.render(&files, false));
    }
    let bound = bind(&parsed.unit, &preprocessed, &files, main);
    let functions = bound.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Function);
    functions
        .filter_map(|symbol| match &symbol.ty.kind {
            Kind::Function(function) => {
                let name = preprocessed.names.text(symbol.name).to_owned();
                Some(Declared { name, function: FunctionType::clone(function) })
            }
            _ => None,
        })
        .collect()
}

/// What is wrong with the entry of a function.
fn disagreements(catalogue: &Catalogue, declared: &Declared) -> Vec<String> {
    let name = &declared.name;
    let Some(entry) = catalogue.entry(name) else { return vec![format!("`{name}` has no entry")] };
    let function = &declared.function;
    let mut wrong = Vec::new();
    if function.unspecified {
        return wrong;
    }
    let (have, want) = (entry.parameters.len(), function.parameters.len());
    if have != want || entry.rest.is_some() != function.variadic {
        return vec![format!("`{name}`: the header declares {want} parameters, the entry has {have}")];
    }
    for (parameter, ty) in entry.parameters.iter().zip(&function.parameters) {
        wrong.extend(
            of_parameter(parameter, ty)
                .map(|what| format!("`{name}`, parameter `{}`: {what}", parameter.name)),
        );
    }
    let pointer = matches!(function.result.kind, Kind::Pointer(_));
    let known = entry.result.is_empty() && entry.result_handle.is_none();
    if pointer && known {
        wrong.push(format!("`{name}`: the result is a pointer, and the entry does not say where it points"));
    }
    wrong
}

fn of_parameter(parameter: &Parameter, ty: &Type) -> Option<String> {
    let uses_memory = parameter.reads.is_some() || parameter.writes.is_some();
    match &ty.kind {
        Kind::Pointer(target)
            if target.qualifiers.constant && parameter.writes.is_some() && !parameter.deep =>
        {
            Some("it is `const`, and the entry writes it".to_owned())
        }
        Kind::Basic(_) | Kind::Enum(_) if uses_memory || parameter.frees => {
            Some("it is a number, and the entry uses memory through it".to_owned())
        }
        _ => None,
    }
}

fn check(declared: &[Declared], relevant: impl Fn(&str) -> bool, at_least: usize) {
    let catalogue = Catalogue::built_in();
    let relevant: Vec<&Declared> = declared.iter().filter(|one| relevant(&one.name)).collect();
    assert!(relevant.len() >= at_least, "only {} functions are found", relevant.len());
    let wrong: Vec<String> = relevant.into_iter().flat_map(|one| disagreements(&catalogue, one)).collect();
    assert!(wrong.is_empty(), "{} disagreements:\n{}", wrong.len(), wrong.join("\n"));
}

const C11: &[&str] = &[
    "assert.h",
    "complex.h",
    "ctype.h",
    "errno.h",
    "fenv.h",
    "float.h",
    "inttypes.h",
    "iso646.h",
    "limits.h",
    "locale.h",
    "math.h",
    "setjmp.h",
    "signal.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "threads.h",
    "time.h",
    "uchar.h",
    "wchar.h",
    "wctype.h",
];

const POSIX: &[&str] = &[
    "aio.h",
    "arpa/inet.h",
    "dirent.h",
    "dlfcn.h",
    "fcntl.h",
    "fnmatch.h",
    "ftw.h",
    "glob.h",
    "grp.h",
    "iconv.h",
    "langinfo.h",
    "libgen.h",
    "monetary.h",
    "mqueue.h",
    "net/if.h",
    "netdb.h",
    "nl_types.h",
    "poll.h",
    "pthread.h",
    "pwd.h",
    "regex.h",
    "sched.h",
    "search.h",
    "semaphore.h",
    "spawn.h",
    "strings.h",
    "sys/ipc.h",
    "sys/mman.h",
    "sys/msg.h",
    "sys/resource.h",
    "sys/select.h",
    "sys/sem.h",
    "sys/shm.h",
    "sys/socket.h",
    "sys/stat.h",
    "sys/statvfs.h",
    "sys/time.h",
    "sys/times.h",
    "sys/uio.h",
    "sys/utsname.h",
    "sys/wait.h",
    "syslog.h",
    "termios.h",
    "unistd.h",
    "utime.h",
    "utmpx.h",
    "wordexp.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "time.h",
    "signal.h",
    "wchar.h",
    "wctype.h",
    "math.h",
    "locale.h",
    "ctype.h",
    "inttypes.h",
    "fenv.h",
    "setjmp.h",
];

/// Names that only the implementation uses.
fn is_public(name: &str) -> bool {
    !name.starts_with('_')
}

#[test]
fn every_function_of_bsplib_has_an_entry() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/support/bsp");
    check(&declared("cc", &[&format!("-I{}", folder.display())], &["bsp.h"]), is_public, 20);
}

#[test]
fn every_function_of_the_c11_headers_has_an_entry() {
    check(&declared("cc", &["-std=c11"], C11), is_public, 450);
}

#[test]
fn every_function_of_the_posix_headers_has_an_entry() {
    check(&declared("cc", &["-std=c11", "-D_XOPEN_SOURCE=700"], POSIX), is_public, 1000);
}

#[test]
fn what_gnu_c_makes_of_library_calls_has_entries() {
    let catalogue = Catalogue::built_in();
    let names = [
        "__builtin_memcpy",
        "__builtin___memcpy_chk",
        "__memset_chk",
        "__isoc99_sscanf",
        "__isoc23_strtol",
        "__errno_location",
        "__builtin_sqrt",
        "fopen64",
        "lseek64",
        "fputs_unlocked",
        "__builtin_unreachable",
        "__printf_chk",
    ];
    let missing: Vec<&str> = names.into_iter().filter(|name| catalogue.entry(name).is_none()).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert_eq!(catalogue.entry("__builtin___memcpy_chk").map(|entry| entry.parameters.len()), Some(4));
}

fn check_mpi(command: &str) {
    let mpi = |name: &str| ["MPI_", "PMPI_", "MPIX_", "PMPIX_"].iter().any(|prefix| name.starts_with(prefix));
    let declared = declared(command, &[], &["mpi.h"]);
    check(&declared, mpi, 600);
    let catalogue = Catalogue::built_in();
    let without = ["_T_", "_f2c", "_c2f", "f08", "MPI_DUP_FN", "MPI_NULL_"];
    // What `mpif.h` and the modules do not have, or with other arguments.
    let other = [
        "MPI_Init",
        "MPI_Init_thread",
        "MPI_Pcontrol",
        "MPI_Wtime",
        "MPI_Wtick",
        "MPI_Aint_add",
        "MPI_Aint_diff",
    ];
    for one in declared.iter().filter(|one| one.name.starts_with("MPI_")) {
        if without.iter().any(|part| one.name.contains(part)) || other.contains(&one.name.as_str()) {
            continue;
        }
        let name = format!("{}_", one.name.to_lowercase());
        let entry = catalogue.entry(&name).unwrap_or_else(|| panic!("`{name}` has no entry"));
        let ierror = usize::from(!one.name.ends_with("_FN"));
        if ierror == 1 {
            assert_eq!(entry.parameters.len(), one.function.parameters.len() + 1, "{name}");
            assert_eq!(entry.parameters.last().map(|last| last.name.as_str()), Some("ierror"), "{name}");
        }
    }
}

fn installed(command: &str) -> bool {
    Command::new(command).arg("-v").output().is_ok()
}

#[test]
fn every_function_of_the_mpi_header_has_an_entry() {
    check_mpi("mpicc");
}

#[test]
fn every_function_of_the_header_of_mpich_has_an_entry() {
    let command = if installed("mpicc.mpich") { "mpicc.mpich" } else { "mpicc" };
    check_mpi(command);
}

#[test]
fn every_function_of_the_openmp_header_has_an_entry() {
    check(&declared("cc", &["-fopenmp"], &["omp.h"]), |name| name.starts_with("omp_"), 60);
}

/// Libraries that not every machine has: those that are here.
#[test]
fn every_function_of_the_headers_of_libraries_that_are_installed_has_an_entry() {
    let exists = |path: &str| Path::new(path).exists();
    if exists("/usr/include/zlib.h") {
        let zlib = |name: &str| name.starts_with("gz") || name.contains("flate") || name.contains("compress");
        check(&declared("cc", &[], &["zlib.h"]), zlib, 50);
    }
    for folder in ["/usr/include", "/usr/include/hdf5/serial"] {
        if exists(&format!("{folder}/hdf5.h")) {
            let include = format!("-I{folder}");
            check(&declared("cc", &[&include], &["hdf5.h", "hdf5_hl.h"]), |name| name.starts_with("H5"), 500);
        }
    }
}

#[test]
fn no_name_has_two_different_entries_in_one_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../analysis/catalogue");
    let files = std::fs::read_dir(folder).expect("the catalogue").flatten();
    for file in files {
        let text = std::fs::read_to_string(file.path()).expect("a file of the catalogue");
        let mut catalogue = Catalogue::default();
        catalogue.add(&file.path(), &text).unwrap_or_else(|error| panic!("{error}"));
        let mut seen = BTreeSet::new();
        for name in catalogue.names() {
            assert!(seen.insert(name), "{name}");
            assert!(catalogue.entry(name).is_some(), "{name}");
        }
    }
}

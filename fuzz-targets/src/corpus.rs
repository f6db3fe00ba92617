//! Valid inputs, from what the repository tests with, and the words that they are made of.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cppc_runtime::agree::SingleProcess;
use cppc_runtime::codec::CompressionOptions;
use cppc_runtime::settings::{Busy, Compression, Writer};
use cppc_runtime::storage::{Directory, Posix};
use cppc_runtime::verify;
use cppc_runtime::write::{Dumper, Options};

use crate::plugin;

pub const C_WORDS: &[&str] = &[
    "#pragma cppc checkpoint\n",
    "#pragma cppc register(",
    "#pragma cppc execute capture(",
    "#pragma cppc end execute\n",
    "#pragma cppc init\n",
    "#pragma cppc shutdown\n",
    "#pragma cppc unregister(",
    "#define ",
    "#if ",
    "#endif\n",
    "#include ",
    "struct ",
    "union ",
    "enum ",
    "typedef ",
    "const ",
    "static ",
    "register ",
    "volatile ",
    "_Atomic ",
    "_Generic(",
    "typeof(",
    "__attribute__((packed))",
    "sizeof ",
    "for (",
    "while (",
    "do ",
    "switch (",
    "case 1:",
    "default:",
    "goto ",
    "break;",
    "continue;",
    "return ",
    "if (",
    "else ",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "*",
    "&",
    "->",
    ".",
    ",",
    ";",
    "?",
    ":",
    "##",
    "...",
    "\\\n",
    "/*",
    "*/",
    "//",
    "\"",
    "'",
    "0x1p-3",
    "1e999",
    "L'\\x41'",
    "({",
    "})",
    "??=",
    "<:",
    "\u{feff}",
    "\0",
];

pub const FORTRAN_WORDS: &[&str] = &[
    "!$cppc checkpoint\n",
    "!$cppc register(",
    "!$cppc execute capture(",
    "!$cppc end execute\n",
    "!$cppc init\n",
    "!$cppc shutdown\n",
    "c$cppc& ",
    "program p\n",
    "end program p\n",
    "subroutine s(",
    "end subroutine\n",
    "function f(",
    "module m\n",
    "contains\n",
    "use m",
    "implicit none\n",
    "integer ",
    "real(8) ",
    "character(len=*) ",
    "type(t) ",
    "class(*) ",
    "allocatable ",
    "pointer ",
    "target ",
    "dimension(:) ",
    "intent(in) ",
    "common /c/ ",
    "equivalence (",
    "data ",
    "save\n",
    "do i = 1, n\n",
    "end do\n",
    "do 10 i = 1, n\n",
    "10 continue\n",
    "if (",
    ") then\n",
    "else\n",
    "end if\n",
    "select case (",
    "end select\n",
    "block\n",
    "end block\n",
    "associate (",
    "where (",
    "forall (",
    "call ",
    "allocate(",
    "=> ",
    "%",
    "(",
    ")",
    ",",
    "::",
    "&\n",
    "&\n &",
    "'",
    "\"",
    "!",
    ";",
    "1.0d0",
    ".true.",
    ".and.",
    "**",
    "//",
    "     & ",
    "\t",
    "\u{feff}",
    "\0",
];

pub const DIRECTIVE_WORDS: &[&str] = &[
    "init",
    "shutdown",
    "checkpoint",
    "register(",
    "unregister(",
    "execute",
    " on restart",
    " capture(",
    " file(",
    "end execute",
    ")",
    "(",
    ",",
    "[",
    "]",
    "*",
    "&",
    "i",
    "n",
    "a",
    "p",
    "q",
    "s",
    "p[n]",
    "a[2]",
    "s.n",
    "q->next",
    "q->values[n]",
    "*q",
    "q->rows[i][n]",
    "s.values[i*n]",
    "s(i)%values",
    "s(1)%n",
    "/c/",
    "a(:, 2)",
    "q(1:n)",
    "\"name\"",
    "'name'",
    "n++",
    "-1",
    "\\\n",
    " &\n!$cppc ",
];

pub const SETTING_WORDS: &[&str] = &[
    "--cppc-every=",
    "--cppc-dir=",
    "-CPPC,CPPC/Controller/Frequency=",
    "CPPC_EVERY=",
    "CPPC_WRITER=",
    "CPPC_COMPRESS=",
    "every = ",
    "dir = ",
    "writer = ",
    "compress = ",
    "restart = ",
    "full-every = ",
    "true",
    "false",
    "auto",
    "deflate:9",
    "lz4",
    "\"",
    "'''",
    "[",
    "]",
    "{",
    "}",
    "=",
    "\n",
    "-1",
    "99999999999999999999",
    "0x10",
    "1.5",
    "\0",
    "\u{ff}",
];

pub fn c(root: &Path) -> Vec<Vec<u8>> {
    sources(
        root,
        &["tests/programs/c", "tests/programs/include", "preprocessor/tests", "grammar/tests", "examples/c"],
        &["c"],
    )
}

pub fn fortran_free(root: &Path) -> Vec<Vec<u8>> {
    sources(
        root,
        &["tests/programs/fortran", "preprocessor/tests", "grammar/tests", "examples/fortran"],
        &["f90", "F90"],
    )
}

pub fn fortran_fixed(root: &Path) -> Vec<Vec<u8>> {
    sources(
        root,
        &["tests/programs/fortran", "preprocessor/tests", "grammar/tests", "examples/fortran"],
        &["f", "F"],
    )
}

pub fn directives(_: &Path) -> Vec<Vec<u8>> {
    let lines = [
        "register(i, n)",
        "register(a, p[n], *q, q->values[s.n])",
        "register(s(i)%values, /c/, a(:, 2))",
        "unregister(p, a)",
        "execute on restart capture(i, s.n) file(p, \"name\")",
        "execute capture(n) file(n, 'name')",
        "checkpoint",
        "init",
    ];
    lines.iter().map(|line| line.as_bytes().to_vec()).collect()
}

pub fn settings(_: &Path) -> Vec<Vec<u8>> {
    let texts = [
        "--cppc-every=500\n-CPPC,CPPC/Controller/Frequency=500\nCPPC_DIR=/tmp\nevery = 5\nrestart = \"auto\"\n",
        "keep = 3\ncompress = \"deflate:4\"\nbusy = \"skip\"\nasync = false\n",
        "--cppc-writer=hdf5\nCPPC_LOG=debug\n--verbose\nfull-every = 10\n",
    ];
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// State files of every version and machine.
pub fn state_files(root: &Path) -> Vec<Vec<u8>> {
    files(root, &["runtime/tests/golden", "runtime/tests/fixture"], &["cppc"])
}

/// Pairs of state files, each behind the length of its first.
pub fn state_bases(root: &Path) -> Vec<Vec<u8>> {
    let all = state_files(root);
    let pairs = all.iter().zip(all.iter().skip(1)).filter_map(|(first, second)| {
        let length = u16::try_from(first.len()).ok()?.to_le_bytes();
        Some([&length[..], first, second].concat())
    });
    pairs.collect()
}

/// HDF5 files with the content of a state file of this machine.
pub fn state_hdf5(root: &Path) -> Vec<Vec<u8>> {
    let golden = root.join("runtime/tests/golden/version-3/x86-64.cppc");
    let state = verify::describe(&Posix, &golden).and_then(verify::load).expect("a state file");
    let manifest = state.manifest();
    let blocks: Vec<Vec<u8>> =
        (0..manifest.blocks.len()).map(|index| state.block(index).unwrap_or_default().to_vec()).collect();
    let ranges: Vec<_> = blocks.iter().map(|block| (block.as_ptr(), block.len())).collect();
    let written = [Compression::None, Compression::Deflate(1)].map(|compress| {
        let folder = tempfile::tempdir().expect("a directory for temporary files");
        let rank = manifest.provenance.rank;
        let directory = Directory::new(Arc::new(Posix), folder.path(), "app", rank);
        let options = Options {
            writer: Writer::Plugin(plugin::hdf5().display().to_string()),
            keep: 1,
            full_every: 1,
            compression: CompressionOptions { compress, from_elements: 1, threads: 1 },
            asynchronous: false,
            busy: Busy::Wait,
        };
        let mut dumper =
            Dumper::start(directory.clone(), options, manifest.provenance.run, None, Arc::new(|_| ()));
        // SAFETY: the ranges outlive the call and the wait.
        unsafe { dumper.dump(&SingleProcess::new(), manifest.clone(), &ranges) };
        dumper.wait();
        fs::read(directory.line(manifest.provenance.number)).expect("a file of the writer")
    });
    written.into()
}

/// Calls of the C interface that write state: a procedure, a register, checkpoints.
pub fn calls(_: &Path) -> Vec<Vec<u8>> {
    // `x` is registered in a procedure, between its frame and checkpoints; then the same in a restart.
    let run = [3, 2, 1, 6, 1, 2, 6, 4, 0, 1, 0, 1, 4, 4, 0, 0, 4, 2, 2, 1, 0, 5, 2, 1, 0, 9, 2, 1, 0, 6];
    vec![run.repeat(2), (0..=255).collect(), run.repeat(8)]
}

/// Sources of up to 8 KiB: larger ones are slow to try and hold no more kinds of things.
fn sources(root: &Path, folders: &[&str], endings: &[&str]) -> Vec<Vec<u8>> {
    let mut found = files(root, folders, endings);
    found.retain(|text| text.len() <= 8 << 10);
    found
}

fn files(root: &Path, folders: &[&str], endings: &[&str]) -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for folder in folders {
        gather(&root.join(folder), endings, &mut paths);
    }
    paths.sort();
    paths.iter().filter_map(|path| fs::read(path).ok()).collect()
}

fn gather(folder: &Path, endings: &[&str], paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            gather(&path, endings, paths);
        } else if path.extension().is_some_and(|ending| endings.iter().any(|wanted| ending == *wanted)) {
            paths.push(path);
        }
    }
}

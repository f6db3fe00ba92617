//! Compares the preprocessor with that of the compiler, token by token.
//!
//! Input: headers of the system and of MPI, the C sources of this project, fixtures.
//! Postcondition: the spellings of the tokens are those of `cc -E -P`, lexed by this crate.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use cppc_grammar::c::language::Language;
use cppc_grammar::c::lexer::{self, PieceKind};
use cppc_grammar::c::preprocess::{preprocess, Compiler};
use cppc_grammar::c::token::{text_of_bytes, Preprocessed};
use cppc_source::Files;

const HEADERS: [&str; 12] = [
    "mpi.h",
    "stdio.h",
    "stdlib.h",
    "math.h",
    "complex.h",
    "tgmath.h",
    "pthread.h",
    "signal.h",
    "assert.h",
    "stdatomic.h",
    "sys/socket.h",
    "time.h",
];

const LEVELS: [&[&str]; 2] = [&["-O0"], &["-O2", "-D_FORTIFY_SOURCE=2"]];

fn arguments(list: &[&str]) -> Vec<OsString> {
    list.iter().map(OsString::from).collect()
}

/// The available compilers. `cc` is included only if it is neither of the others.
fn compilers() -> Vec<&'static str> {
    let mut seen = Vec::new();
    let mut different = |command: &&str| {
        let output = Command::new(command).args(["-E", "-dM", "-x", "c", "/dev/null"]).output();
        let Some(output) = output.ok().filter(|output| output.status.success()) else {
            return false;
        };
        let new = !seen.contains(&output.stdout);
        seen.push(output.stdout);
        new
    };
    ["gcc", "clang", "cc"].into_iter().filter(|command| different(command)).collect()
}

/// The include flags of the available MPI libraries.
fn mpi_flags() -> Vec<Vec<OsString>> {
    let wrappers = [
        ("mpicc.openmpi", "--showme:compile"),
        ("mpicc.mpich", "-compile_info"),
        ("mpicc", "--showme:compile"),
        ("mpicc", "-show"),
    ];
    let mut found: Vec<Vec<OsString>> = Vec::new();
    for (wrapper, question) in wrappers {
        let Ok(output) = Command::new(wrapper).arg(question).output() else { continue };
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let flags: Vec<OsString> =
            text.split_whitespace().filter(|word| word.starts_with("-I")).map(OsString::from).collect();
        if !flags.is_empty() && !found.contains(&flags) {
            found.push(flags);
        }
    }
    found
}

/// The spellings of the compiler's output, without pragmas.
fn expected(
    command: &str,
    flags: &[OsString],
    file: &Path,
    language: Language,
) -> Result<Vec<String>, String> {
    let output = Command::new(command)
        .args(flags)
        .args(["-E", "-P"])
        .arg(file)
        .env("SOURCE_DATE_EPOCH", "1000000000")
        .output()
        .unwrap();
    let messages = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("{command} failed on {}:\n{messages}", file.display()));
    }
    let lines = output.stdout.split_inclusive(|&byte| byte == b'\n');
    let text = lines.filter(|line| !line.trim_ascii_start().starts_with(b"#")).collect::<Vec<_>>();
    let text = text.concat();
    // The compiler's output contains no trigraphs, only text that looks like them.
    let language = Language { trigraphs: false, ..language };
    let pieces = lexer::pieces(&text, language).into_iter();
    let tokens = pieces.filter(|piece| !matches!(piece.kind, PieceKind::Space | PieceKind::Newline));
    Ok(tokens
        .map(|piece| match piece.kind {
            PieceKind::Punctuator(index) => lexer::PUNCTUATORS[usize::from(index)].to_owned(),
            PieceKind::Identifier => {
                text_of_bytes(&lexer::identifier::unescape(&text[piece.range()])).into_owned()
            }
            _ => text_of_bytes(&text[piece.range()]).into_owned(),
        })
        .collect())
}

fn spellings(unit: &Preprocessed) -> Vec<String> {
    unit.tokens.iter().map(|token| unit.names.text(token.text).to_owned()).collect()
}

/// Every file of a unit is covered by its pieces, which are adjacent.
fn check_lossless(files: &Files, language: Language) -> Result<(), String> {
    for id in files.ids() {
        let file = files.get(id);
        let mut covered = 0;
        for piece in lexer::pieces(&file.bytes, language) {
            if piece.start != covered || piece.end <= piece.start {
                return Err(format!("{}: {piece:?} follows {covered}", file.path.display()));
            }
            covered = piece.end;
        }
        if covered as usize != file.bytes.len() {
            return Err(format!("{}: nothing follows {covered}", file.path.display()));
        }
    }
    Ok(())
}

fn check(command: &str, flags: &[OsString], compiler: &Compiler, file: &Path) -> Result<(), String> {
    let mut files = Files::new();
    let main = files.add(file, std::fs::read(file).unwrap());
    let unit = preprocess(&mut files, main, compiler);
    if let Some(diagnostic) = unit.diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
        return Err(format!("{command}: {}", diagnostic.render(&files, false)));
    }
    check_lossless(&files, compiler.language)?;
    let ours = spellings(&unit);
    let theirs = expected(command, flags, file, compiler.language)?;
    let differs = ours.iter().zip(&theirs).position(|(our, their)| our != their);
    if let Some(at) = differs.or((ours.len() != theirs.len()).then_some(ours.len().min(theirs.len()))) {
        let near = |list: &[String]| list[at.saturating_sub(12)..(at + 8).min(list.len())].join(" ");
        let place = unit.tokens.get(at).map(|token| {
            let span = token.origin.span;
            let (line, column) = files.get(span.file).line_column(span.start);
            format!("{}:{line}:{column}", files.get(span.file).path.display())
        });
        return Err(format!(
            "{} with {command} {flags:?}: token {at} differs ({})\nours:   {}\ntheirs: {}",
            file.display(),
            place.unwrap_or_default(),
            near(&ours),
            near(&theirs),
        ));
    }
    Ok(())
}

#[test]
fn headers_agree() {
    let folder = tempfile::tempdir().unwrap();
    let include = |header: &str| format!("#include <{header}>\n");
    for (command, level) in compilers().into_iter().flat_map(|command| LEVELS.map(|l| (command, l))) {
        for (index, mpi) in mpi_flags().into_iter().enumerate() {
            let flags = [mpi, arguments(level)].concat();
            let compiler = Compiler::probe(command.as_ref(), &flags).unwrap();
            // All headers except the first are the same for each MPI.
            let alone = if index == 0 { &HEADERS[..] } else { &HEADERS[..1] };
            let all = HEADERS.map(include).concat();
            for text in alone.iter().map(|header| include(header)).chain([all]) {
                let file = folder.path().join("headers.c");
                std::fs::write(&file, text).unwrap();
                check(command, &flags, &compiler, &file).unwrap_or_else(|fault| panic!("{fault}"));
            }
        }
    }
}

/// The first lines of a fixture contain the settings with which it is compiled.
fn setting<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut comments = text
        .lines()
        .map_while(|line| line.strip_prefix("// ").or_else(|| line.strip_prefix("/* ")?.strip_suffix(" */")));
    comments.find_map(|comment| comment.strip_prefix(name)?.strip_prefix(": "))
}

#[test]
fn fixtures_agree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/preprocess");
    let mut fixtures: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    fixtures.sort();
    assert!(fixtures.len() > 20);
    // The include directories of the fixtures are next to them.
    std::env::set_current_dir(&folder).unwrap();
    let mut failures = Vec::new();
    for path in fixtures {
        let bytes = std::fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let flags: Vec<&str> = setting(&text, "flags").unwrap_or("").split_whitespace().collect();
        let flags = arguments(&flags);
        let wanted = setting(&text, "compilers");
        let file = Path::new(path.file_name().unwrap());
        for command in compilers() {
            if wanted.is_some_and(|wanted| !wanted.split(' ').any(|name| name == command)) {
                continue;
            }
            let compiler = Compiler::probe(command.as_ref(), &flags).unwrap();
            failures.extend(check(command, &flags, &compiler, file).err());
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The C files below a folder, without those that are invalid on purpose.
fn c_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            c_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "c") {
            found.push(path);
        }
    }
}

/// The directory of the HDF5 header, which is not available on every machine.
fn hdf5_flags() -> Option<Vec<OsString>> {
    let asked = Command::new("pkg-config").args(["--cflags", "hdf5"]).output().ok()?;
    let flags = String::from_utf8_lossy(&asked.stdout).into_owned();
    asked.status.success().then(|| flags.split_whitespace().map(OsString::from).collect())
}

#[test]
fn programs_of_the_project_agree() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut programs = Vec::new();
    for folder in ["examples", "tests/programs", "benches/programs"] {
        c_files(&root.join(folder), &mut programs);
    }
    assert!(!programs.is_empty());
    let includes = ["runtime-ffi/include", "tests/programs/include", "tests/support/bsp"];
    let mut includes = includes.map(|folder| format!("-I{}", root.join(folder).display()).into()).to_vec();
    match hdf5_flags() {
        Some(flags) => includes.extend(flags),
        None => programs.retain(|program| {
            !std::fs::read(program).is_ok_and(|text| String::from_utf8_lossy(&text).contains("<hdf5.h>"))
        }),
    }
    let mut failures = Vec::new();
    for command in compilers() {
        for (mpi, level) in mpi_flags().into_iter().zip(LEVELS) {
            let flags = [mpi, includes.clone(), arguments(level)].concat();
            let compiler = Compiler::probe(command.as_ref(), &flags).unwrap();
            for program in &programs {
                failures.extend(check(command, &flags, &compiler, program).err());
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

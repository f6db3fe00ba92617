//! Tests the binding of Fortran and the model, with small sources and with all test programs.

mod describe;
mod limits;

use std::path::{Path, PathBuf};

use cppc_fixtures::marks;
use cppc_grammar::fortran::lines::{read, Options};
use cppc_grammar::fortran::logical::Lines;
use cppc_grammar::fortran::parse::parse;
use cppc_grammar::fortran::tree::Tree;
use cppc_preprocessor::bind::fortran::{bind, DefaultKinds, Source};
use cppc_preprocessor::model::fortran::{model, Checkpoints};
use cppc_preprocessor::model::{Procedure, UnitId};
use cppc_source::{Diagnostic, FileId, Files};

struct Case {
    files: Files,
    main: FileId,
    procedures: Vec<Procedure>,
    diagnostics: Vec<Diagnostic>,
}

fn case(path: &Path) -> Case {
    let found = program(&[path.to_owned()]);
    found.unwrap_or_else(|faults| panic!("{faults}"))
}

/// The sources of one program, all translated, or the diagnostics before binding.
fn program(paths: &[PathBuf]) -> Result<Case, String> {
    let sources = paths.iter().map(|path| (path.clone(), std::fs::read(path).expect("a source")));
    program_of(sources.collect())
}

fn program_of_text(name: &str, text: &str) -> Result<Case, String> {
    program_of(vec![(PathBuf::from(name), text.as_bytes().to_vec())])
}

fn program_of(texts: Vec<(PathBuf, Vec<u8>)>) -> Result<Case, String> {
    let mut files = Files::new();
    let options = Options::of(Path::new("usual.f90"), &[]);
    let mut read_sources: Vec<(FileId, Lines, Tree)> = Vec::new();
    for (path, bytes) in &texts {
        let file = files.add(path, bytes.as_slice());
        let lines = read(&mut files, file, &Options::of(path, &[]));
        let parsed = parse(&lines);
        let errors = lines.diagnostics.iter().chain(&parsed.diagnostics).filter(|found| found.is_error());
        let shown: String = errors.map(|found| found.render(&files, false)).collect();
        if !shown.is_empty() {
            return Err(shown);
        }
        read_sources.push((file, lines, parsed.tree));
    }
    let sources: Vec<Source> = read_sources
        .iter()
        .map(|(file, lines, tree)| Source {
            file: *file,
            lines,
            tree,
            kinds: DefaultKinds::default(),
            module_directories: &[],
            options: &options,
            translated: true,
        })
        .collect();
    let mut bound = bind(&sources, &files);
    let units: Vec<Option<UnitId>> = (0..sources.len()).map(|index| Some(UnitId(index))).collect();
    let (procedures, _, _) = model(&bound, &sources, &units, &files, true, Checkpoints::Here);
    let diagnostics = std::mem::take(&mut bound.diagnostics);
    drop(bound);
    drop(sources);
    let main = read_sources[0].0;
    Ok(Case { files, main, procedures, diagnostics })
}

fn is_source(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    matches!(extension, "f" | "f90" | "F" | "F90")
}

fn folder(name: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let entries = std::fs::read_dir(folder).expect("a folder").flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

#[test]
fn models_are_as_expected() {
    let sources: Vec<PathBuf> =
        folder("tests/fortran_bind/model").into_iter().filter(|path| is_source(path)).collect();
    assert!(!sources.is_empty());
    for path in sources {
        let case = case(&path);
        let errors: String = case.diagnostics.iter().map(|found| found.render(&case.files, false)).collect();
        assert!(errors.is_empty(), "{errors}");
        cppc_fixtures::check(
            &path.with_extension("model"),
            &describe::procedures(&case.procedures, &case.files),
        );
    }
}

#[test]
fn diagnostics_are_at_their_positions() {
    let mut codes = std::collections::BTreeSet::new();
    for path in folder("tests/fortran_bind/diagnostics") {
        let case = case(&path);
        codes.extend(case.diagnostics.iter().map(|found| found.code));
        assert!(case.diagnostics.iter().all(|found| found.help.is_some()), "{}", path.display());
        marks::check(&path, marks::all_in(&case.diagnostics, &case.files, case.main));
    }
    assert!(codes.len() > 20, "{codes:?}");
}

#[test]
fn test_programs_have_no_faults() {
    let mut errors = String::new();
    for path in folder("../tests/programs/fortran") {
        let paths = match path.is_dir() {
            true => std::fs::read_dir(&path)
                .expect("a folder")
                .flatten()
                .map(|entry| entry.path())
                .filter(|path| is_source(path))
                .collect(),
            false if is_source(&path) => vec![path.clone()],
            false => continue,
        };
        if paths.is_empty() {
            continue;
        }
        // Some programs need options, or contain text that is rejected before binding.
        let Ok(case) = program(&paths) else { continue };
        errors.extend(case.diagnostics.iter().map(|found| found.render(&case.files, false)));
    }
    assert!(errors.is_empty(), "{errors}");
}

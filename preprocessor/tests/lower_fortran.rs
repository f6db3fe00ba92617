//! Lowering of Fortran: the flow graph of each source in `lower/fortran/`, and properties that hold for every program.

use std::path::{Path, PathBuf};

use cppc_analysis::builder::ProgramBuilder;
use cppc_analysis::program::{
    Access, Affine, Argument, Callee, Directive, Index, OperationKind, Program, Step, Terminator, Value,
};
use cppc_grammar::fortran::lines::{read, Options};
use cppc_grammar::fortran::logical::Lines;
use cppc_grammar::fortran::parse::parse;
use cppc_grammar::fortran::tree::Tree;
use cppc_preprocessor::bind::fortran::{bind, DefaultKinds, Source};
use cppc_preprocessor::lower::fortran::lower;
use cppc_source::{FileId, Files};

fn program(texts: &[(PathBuf, Vec<u8>)]) -> (Program, String) {
    let mut files = Files::new();
    let options = Options::of(Path::new("usual.f90"), &[]);
    let mut sources: Vec<(FileId, Lines, Tree)> = Vec::new();
    for (path, bytes) in texts {
        let file = files.add(path, bytes.as_slice());
        let lines = read(&mut files, file, &Options::of(path, &[]));
        let parsed = parse(&lines);
        sources.push((file, lines, parsed.tree));
    }
    let sources: Vec<Source> = sources
        .iter()
        .map(|(file, lines, tree)| Source {
            file: *file,
            lines,
            tree,
            kinds: DefaultKinds::default(),
            options: &options,
            module_directories: &[],
            translated: true,
        })
        .collect();
    let bound = bind(&sources, &files);
    let mut builder = ProgramBuilder::new(true);
    lower(&bound, &files, &mut builder, None);
    let wrong =
        bound.diagnostics.iter().filter(|found| found.is_error()).map(|found| found.render(&files, false));
    (builder.finish(), wrong.collect())
}

fn of_file(path: &Path) -> (Program, String) {
    program(&[(path.to_owned(), std::fs::read(path).expect("a source"))])
}

fn is_source(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    matches!(extension, "f" | "f90" | "F" | "F90")
}

/// The Fortran sources below a folder.
fn sources(folder: &Path, list: &mut Vec<PathBuf>) {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            sources(&path, list);
        } else if is_source(&path) {
            list.push(path);
        }
    }
}

#[test]
fn graphs_are_as_expected() {
    let mut found = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lower/fortran"), &mut found);
    assert!(found.len() > 15);
    for path in found {
        let (program, wrong) = of_file(&path);
        assert_eq!(wrong, "", "{}", path.display());
        assert_eq!(faults(&program), Vec::<String>::new(), "{}", path.display());
        cppc_fixtures::check(&path.with_extension("flow"), &program.dump());
    }
}

#[test]
fn every_program_of_the_tree_has_a_valid_graph() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned();
    let mut found = Vec::new();
    for folder in ["tests", "examples", "preprocessor/tests", "grammar/tests", "benches"] {
        sources(&root.join(folder), &mut found);
    }
    assert!(found.len() > 100, "{}", found.len());
    for path in found {
        let (program, _) = of_file(&path);
        assert_eq!(faults(&program), Vec::<String>::new(), "{}", path.display());
    }
}

/// What is wrong with the structure of a program.
fn faults(program: &Program) -> Vec<String> {
    let mut list = Vec::new();
    for variable in &program.variables {
        if variable.object.0 as usize >= program.objects.len() {
            list.push(format!("{} has no object", variable.name));
        }
    }
    for procedure in &program.procedures {
        let count = procedure.blocks.len() as u32;
        let mut complain = |what: String| list.push(format!("{}: {what}", procedure.name));
        for (number, block) in procedure.blocks.iter().enumerate() {
            let targets = match &block.terminator {
                Terminator::Jump(to) => vec![*to],
                Terminator::Branch { then, otherwise, .. } => vec![*then, *otherwise],
                Terminator::Switch(all) => all.clone(),
                Terminator::Succeeds { then, otherwise } => vec![*then, *otherwise],
                Terminator::Return | Terminator::Stop | Terminator::Anywhere => Vec::new(),
            };
            for target in targets {
                if target.0 >= count {
                    complain(format!("b{number} continues at b{}", target.0));
                }
                if target == procedure.entry {
                    complain(format!("b{number} continues at the entry"));
                }
            }
            if block.within.is_some_and(|within| within.0 as usize >= procedure.loops.len()) {
                complain(format!("b{number} is in no loop of the procedure"));
            }
            for operation in &block.operations {
                for access in accesses(&operation.kind) {
                    if let Err(what) = check(program, &access) {
                        complain(format!("b{number}: {what} in {access:?}"));
                    }
                }
            }
        }
        for entry in &procedure.loops {
            let within = |block: cppc_analysis::program::BlockId| procedure.blocks[block.0 as usize].within;
            let header = within(entry.header);
            let counts = entry.step != 0 || !entry.regular;
            if !counts || header.is_none() || within(entry.body) != header || within(entry.exit) == header {
                complain(format!("{entry:?}"));
            }
        }
    }
    list
}

fn check(program: &Program, access: &Access) -> Result<(), String> {
    if access.root.0 as usize >= program.variables.len() {
        return Err("unknown variable".to_owned());
    }
    for step in &access.path {
        let Step::Elements(dimensions) = step else { continue };
        if dimensions.is_empty() {
            return Err("elements of no dimension".to_owned());
        }
        for dimension in dimensions {
            let mut values: Vec<&Affine> = dimension.lower.iter().chain(&dimension.extent).collect();
            match &dimension.index {
                Index::At(at) => values.push(at),
                Index::Range { first, last, step } => {
                    values.extend([first, last]);
                    if *step == 0 {
                        return Err("a step of 0".to_owned());
                    }
                }
                Index::All | Index::Unknown => {}
            }
            for value in values {
                let sorted = value.terms.windows(2).all(|pair| pair[0].0 < pair[1].0);
                let known = value
                    .terms
                    .iter()
                    .all(|term| (term.0 .0 as usize) < program.variables.len() && term.1 != 0);
                if !sorted || !known {
                    return Err("a malformed value".to_owned());
                }
                let integers = value.terms.iter().all(|term| {
                    matches!(
                        program.variables[term.0 .0 as usize].content,
                        cppc_analysis::program::Content::Integer { .. }
                    )
                });
                if !integers {
                    return Err("a value of something that is no integer".to_owned());
                }
            }
        }
    }
    Ok(())
}

fn of_value(value: &Value) -> Vec<Access> {
    match value {
        Value::Copy(access) | Value::Address(access) => vec![access.clone()],
        _ => Vec::new(),
    }
}

fn accesses(kind: &OperationKind) -> Vec<Access> {
    match kind {
        OperationKind::Read(access) | OperationKind::Free(access) => vec![access.clone()],
        OperationKind::Write { to, value } => [vec![to.clone()], of_value(value)].concat(),
        OperationKind::Allocate { to, .. } => vec![to.clone()],
        OperationKind::Call(call) => {
            let mut list: Vec<Access> = call.result.iter().cloned().collect();
            if let Callee::Indirect(access) = &call.callee {
                list.push(access.clone());
            }
            for argument in &call.arguments {
                match argument {
                    Argument::Value(value) => list.extend(of_value(value)),
                    Argument::Reference(access) => list.push(access.clone()),
                    Argument::Absent => {}
                }
            }
            list
        }
        OperationKind::Directive(directive) => match &**directive {
            Directive::Register(items) | Directive::Unregister(items) => {
                items.iter().map(|item| item.memory.clone()).collect()
            }
            Directive::BeginExecute { captures, files, .. } => {
                captures.iter().chain(files).map(|item| item.memory.clone()).collect()
            }
            _ => Vec::new(),
        },
        OperationKind::Begin(_) | OperationKind::Opaque { .. } => Vec::new(),
    }
}

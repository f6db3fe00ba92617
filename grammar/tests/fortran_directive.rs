//! Tests Fortran directives with `fortran_directive/cases.f90`. The file next to it contains the result or
//! the diagnostics of each directive.

use std::path::{Path, PathBuf};

use cppc_grammar::directive::{parse_fortran, FortranItem, Kind};
use cppc_grammar::fortran::lines::{read, Options};
use cppc_grammar::fortran::logical::{LineId, LineKind};
use cppc_source::Files;

#[test]
fn directives_are_what_stands_beside_them() {
    for name in ["cases.f90", "faults.f90", "cases.F"] {
        let path = Path::new("tests/fortran_directive").join(name);
        let bytes = std::fs::read(root().join(&path)).expect("a fixture");
        let found = shown(&path, &bytes);
        cppc_fixtures::check(&cppc_fixtures::next_to(&root().join(&path), "read"), &found);
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn shown(path: &Path, bytes: &[u8]) -> String {
    let mut files = Files::new();
    let main = files.add(path, bytes);
    let lines = read(&mut files, main, &Options::of(path, &[]));
    let mut shown = String::new();
    for (index, line) in lines.lines.iter().enumerate() {
        if line.kind != LineKind::Directive {
            continue;
        }
        match parse_fortran(line, LineId(index as u32), &files) {
            Ok(directive) => {
                let word = directive.kind.word();
                let place = files.get(main).line_column(directive.span.start).0;
                let list = |items: Vec<FortranItem>| {
                    let texts = items.iter().map(|item| {
                        let read = &line.text[item.at.start as usize..item.at.end as usize];
                        let read = String::from_utf8_lossy(read).into_owned();
                        if read == item.text {
                            read
                        } else {
                            format!("{} = {read}", item.text)
                        }
                    });
                    texts.collect::<Vec<String>>().join(" | ")
                };
                let items = match directive.kind {
                    Kind::Register(items) | Kind::Unregister(items) => list(items),
                    Kind::Execute { on_restart, captures, files } => {
                        let files = files.into_iter().map(|file| list(vec![file.handle, file.name]));
                        let files: String = files.map(|file| format!(" [{file}]")).collect();
                        format!("{}{}{files}", if on_restart { "(restart) " } else { "" }, list(captures))
                    }
                    _ => String::new(),
                };
                shown.push_str(format!("{place}: {word} {items}").trim_end());
                shown.push('\n');
            }
            Err(diagnostic) => shown.push_str(&diagnostic.render(&files, false)),
        }
    }
    for diagnostic in &lines.diagnostics {
        shown.push_str(&diagnostic.render(&files, false));
    }
    shown
}

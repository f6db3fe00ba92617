//! Tests logical lines with the files in `fortran_lines/`. The file next to each source contains the expected
//! lines, one per statement. The first comment of a source may contain `flags: …`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use cppc_grammar::fortran::lines::{read, Options};
use cppc_grammar::fortran::logical::{LineKind, Lines};
use cppc_source::{Diagnostic, Files};

#[test]
fn sources_have_the_lines_that_stand_beside_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fortran_lines");
    let mut seen = 0;
    for path in sources(&folder) {
        let (files, lines, diagnostics) = read_file(&path);
        let found = shown(&files, &lines, &diagnostics);
        let mut beside = path.clone().into_os_string();
        beside.push(".lines");
        let expected = std::fs::read_to_string(&beside).unwrap_or_default();
        if found != expected {
            if std::env::var_os("CPPC_UPDATE").is_some() {
                std::fs::write(&beside, &found).expect("a file that can be written");
                continue;
            }
            panic!("{}:\n{found}\n(CPPC_UPDATE=1 takes it over)", path.display());
        }
        seen += 1;
    }
    assert!(seen > 0);
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder of fixtures")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            let extension = path.extension().and_then(|extension| extension.to_str());
            extension.is_some_and(|extension| ["f", "F", "f90", "F90"].contains(&extension))
        })
        .collect();
    found.sort();
    found
}

fn read_file(path: &Path) -> (Files, Lines, Vec<Diagnostic>) {
    let bytes = std::fs::read(path).expect("a fixture");
    let flags: Vec<OsString> = flags(&bytes).iter().map(OsString::from).collect();
    let mut files = Files::new();
    let name = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap_or(path);
    let main = files.add(name, bytes);
    let mut diagnostics = Vec::new();
    let lines = read(&mut files, main, &Options::of(path, &flags), &mut diagnostics);
    (files, lines, diagnostics)
}

fn flags(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let first = text.lines().next().unwrap_or_default().to_owned();
    let flags = first.split_once("flags:").map_or("", |(_, flags)| flags);
    flags.split_whitespace().map(str::to_owned).collect()
}

/// Line number, label and text of each logical line, with `;` if it shares its line with another statement.
fn shown(files: &Files, lines: &Lines, diagnostics: &[Diagnostic]) -> String {
    let mut shown = String::new();
    for line in &lines.lines {
        let first = files.get(line.span.file).line_column(line.span.start).0;
        let last = files.get(line.span.file).line_column(line.span.end).0;
        let mut place = if first == last { format!("{first}") } else { format!("{first}-{last}") };
        if line.span.file != lines.file {
            let path = &files.get(line.span.file).path;
            place = format!("{}:{place}", path.file_name().unwrap_or_default().to_string_lossy());
        }
        let label = line.label.map_or(String::new(), |label| label.value.to_string());
        let kind = if line.kind == LineKind::Directive { "$" } else { "" };
        let shares = if line.shares_line { ";" } else { "" };
        let text = line.text.escape_ascii().to_string().replace("\\'", "'").replace("\\\"", "\"");
        shown.push_str(&format!("{place:>7} {label:>5}|{kind}{text}|{shares}\n"));
    }
    for include in &lines.includes {
        let found = if include.file.is_some() { "found" } else { "missing" };
        shown.push_str(&format!("include {} {found}\n", include.name));
    }
    for diagnostic in diagnostics {
        shown.push('\n');
        shown.push_str(&diagnostic.render(files, false));
    }
    shown
}

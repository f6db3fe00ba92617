//! Tests logical lines with the files in `fortran_lines/`. The file next to each source contains the expected
//! lines, one per statement. The first comment of a source may contain `flags: …`.

use std::ffi::OsString;
use std::path::Path;

use cppc_grammar::fortran::lines::{read, Options};
use cppc_grammar::fortran::logical::{LineKind, Lines};
use cppc_source::Files;

#[test]
fn sources_have_the_lines_that_stand_beside_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fortran_lines");
    for path in cppc_fixtures::below(&folder, &["f", "F", "f90", "F90"]) {
        let (files, lines) = read_file(&path);
        let expected = cppc_fixtures::next_to(&path, "lines");
        cppc_fixtures::check(&expected, &shown(&files, &lines));
    }
}

fn read_file(path: &Path) -> (Files, Lines) {
    let bytes = std::fs::read(path).expect("a fixture");
    let flags: Vec<OsString> = flags(&bytes).iter().map(OsString::from).collect();
    let mut files = Files::new();
    let name = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap_or(path);
    let main = files.add(name, bytes);
    let lines = read(&mut files, main, &Options::of(path, &flags));
    (files, lines)
}

fn flags(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let first = text.lines().next().unwrap_or_default().to_owned();
    let flags = first.split_once("flags:").map_or("", |(_, flags)| flags);
    flags.split_whitespace().map(str::to_owned).collect()
}

/// Line number, label and text of each logical line, with `;` if it shares its line with another statement.
fn shown(files: &Files, lines: &Lines) -> String {
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
    for diagnostic in &lines.diagnostics {
        shown.push('\n');
        shown.push_str(&diagnostic.render(files, false));
    }
    shown
}

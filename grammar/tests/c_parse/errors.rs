//! Each file of `tests/c/errors` has marks (`~~~~`) at the positions of its diagnostics, and no other
//! diagnostics. The file next to it contains the text that the user reads.

use std::path::Path;

use cppc_grammar::c::parse::parse;
use cppc_grammar::c::preprocess::{preprocess, Compiler};
use cppc_source::{Files, Span};

#[test]
fn diagnostics_point_at_the_marks() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/errors");
    let mut faults = Vec::new();
    for path in &cppc_fixtures::below(&folder, &["c"]) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).expect("the fixture");
        let (shown, found, wanted) = diagnose(path, &text);
        if found != wanted {
            faults.push(format!("{name}: found {found:?}, marked {wanted:?}\n{shown}"));
        }
        insta::with_settings!({
            snapshot_path => "../c/errors",
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!(name, shown);
        });
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

type Places = Vec<(u32, u32, u32)>;

/// The diagnostics of a text, their positions, and the positions of the marks: line, first column, column
/// after the last.
fn diagnose(path: &Path, text: &str) -> (String, Places, Places) {
    // Marks are replaced by blanks, so that those without `//` are not tokens.
    let blanked: String = text
        .split_inclusive('\n')
        .map(|line| if mark(line).is_some() { line.replace(['~', '/'], " ") } else { line.to_owned() })
        .collect();
    let mut files = Files::new();
    let main = files.add(path, blanked.as_bytes());
    let compiler = Compiler::fixed("", Vec::new());
    let unit = preprocess(&mut files, main, &compiler);
    let parsed = parse(&unit, main);
    let folder = path.parent().unwrap_or(path).display().to_string();
    let mut shown = String::new();
    let mut found = Vec::new();
    for diagnostic in &parsed.diagnostics {
        shown.push_str(&diagnostic.render(&files, false).replace(&format!("{folder}/"), ""));
        shown.push('\n');
        found.extend(diagnostic.labels.first().and_then(|label| place(&files, label.span, main)));
    }
    (shown, found, marks(text))
}

fn place(files: &Files, span: Span, main: cppc_source::FileId) -> Option<(u32, u32, u32)> {
    let (line, column) = files.get(span.file).line_column(span.start);
    // An empty span is marked with one character.
    let width = (span.end - span.start).max(1);
    (span.file == main).then_some((line, column, column + width))
}

fn mark(line: &str) -> Option<(usize, usize)> {
    let rest = line.trim_start_matches("//").trim();
    let whole = !rest.is_empty() && rest.bytes().all(|byte| byte == b'~');
    whole.then(|| line.find('~').map(|start| (start, rest.len())))?
}

fn marks(text: &str) -> Places {
    let mut places = Vec::new();
    let mut code = 0;
    for (number, line) in (1..).zip(text.lines()) {
        match mark(line) {
            Some((start, width)) => {
                places.push((code, start as u32 + 1, (start + width) as u32 + 1));
            }
            None => code = number,
        }
    }
    places
}

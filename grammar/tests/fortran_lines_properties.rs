//! Properties of the logical lines of all sources: fixtures, fixtures with changed bytes, random bytes, and
//! the sources below the directory in `CPPC_FORTRAN_SOURCES`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use cppc_grammar::fortran::lines::{pieces, read, Options};
use cppc_grammar::fortran::logical::{Form, LineKind, Lines, LogicalLine, RunOrigin};
use cppc_source::{Diagnostic, Files};

#[test]
fn fixtures_hold() {
    for (path, bytes) in fixtures() {
        let (files, lines, diagnostics) = check(&path, &bytes, &[]);
        let is_regular = !diagnostics.iter().any(|diagnostic| ["C0610", "C0607"].contains(&diagnostic.code));
        if is_regular && !Options::of(&path, &[]).preprocess {
            only_trivia_between(&files, &lines, &path);
        }
    }
}

#[test]
fn changed_sources_hold() {
    let mut dice = Dice(42);
    let bits: [&[u8]; 22] = [
        b"'",
        b"\"",
        b"&",
        b"!",
        b";",
        b"\n",
        b"\r\n",
        b"\t",
        b"     &",
        b"!$cppc",
        b"!$cppc&",
        b"C$CPPC ",
        b"5H",
        b"\xff",
        b"\0",
        b"#define A(x) x\n",
        b"#if 1\n",
        b"#else\n",
        b"#endif\n",
        b"/*",
        b"*/",
        b"\\\n",
    ];
    for (path, bytes) in fixtures() {
        for _ in 0..60 {
            let mut changed = bytes.clone();
            for _ in 0..=dice.roll(4) {
                let at = dice.roll(changed.len() + 1);
                let end = (at + dice.roll(12)).min(changed.len());
                match dice.roll(3) {
                    0 => drop(changed.drain(at..end)),
                    1 => drop(changed.splice(at..at, bits[dice.roll(bits.len())].iter().copied())),
                    _ => changed.truncate(changed.len().max(40) - dice.roll(20)),
                }
            }
            check(&path, &changed, &["-fopenmp".into()]);
        }
    }
}

#[test]
fn noise_holds() {
    let mut dice = Dice(7);
    let letters = b" \t\n\n\r&!;'\"/*\\#$cCpPhH05dD,()=\xc3\xa9\0";
    for round in 0..3000 {
        let length = dice.roll(300);
        let noise: Vec<u8> = (0..length)
            .map(|_| match dice.roll(8) {
                0 => dice.roll(256) as u8,
                _ => letters[dice.roll(letters.len())],
            })
            .collect();
        let path = ["noise.f", "noise.f90", "noise.F", "noise.F90"][round % 4];
        check(Path::new(path), &noise, &["-fd-lines-as-code".into(), "-DA=b".into()]);
    }
}

#[test]
fn sources_of_a_directory_hold() {
    let Some(directory) = std::env::var_os("CPPC_FORTRAN_SOURCES") else {
        println!("CPPC_FORTRAN_SOURCES names no directory: nothing but fixtures was read");
        return;
    };
    let mut list = Vec::new();
    gather(Path::new(&directory), &mut list);
    for path in &list {
        let bytes = std::fs::read(path).expect("a file");
        let (files, lines, diagnostics) = check(path, &bytes, &[]);
        let is_regular =
            !diagnostics.iter().any(|diagnostic| ["C0610", "C0607", "C0609"].contains(&diagnostic.code));
        if is_regular && !Options::of(path, &[]).preprocess {
            only_trivia_between(&files, &lines, path);
        }
    }
    println!("{} sources were rebuilt byte for byte", list.len());
}

fn gather(directory: &Path, list: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).expect("a directory").flatten() {
        let path = entry.path();
        if path.is_dir() {
            gather(&path, list);
        } else if is_source(&path) {
            list.push(path);
        }
    }
}

fn is_source(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    ["f", "for", "f90", "f95", "f03", "f08"].contains(&extension.to_ascii_lowercase().as_str())
}

fn fixtures() -> Vec<(PathBuf, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut list = Vec::new();
    for folder in ["fortran_lines", "fortran_directive"] {
        gather(&root.join(folder), &mut list);
    }
    list.sort();
    assert!(list.len() > 10);
    let read = |path: PathBuf| {
        let bytes = std::fs::read(&path).expect("a fixture");
        (path, bytes)
    };
    list.into_iter().map(read).collect()
}

fn check(path: &Path, bytes: &[u8], flags: &[OsString]) -> (Files, Lines, Vec<Diagnostic>) {
    let mut files = Files::new();
    let main = files.add(path, bytes);
    let mut lines = read(&mut files, main, &Options::of(path, flags));
    let diagnostics = std::mem::take(&mut lines.diagnostics);
    let shown = || format!("{}:\n{}", path.display(), bytes.escape_ascii());
    let mut rebuilt = Vec::with_capacity(bytes.len());
    for piece in pieces(&lines, &files) {
        assert_eq!(piece.span.start as usize, rebuilt.len(), "{}", shown());
        rebuilt.extend_from_slice(files.text(piece.span));
    }
    assert!(rebuilt == bytes, "{}", shown());
    for line in &lines.lines {
        runs_hold(line, &files).unwrap_or_else(|what| panic!("{what}: {line:?}\n{}", shown()));
    }
    for diagnostic in &diagnostics {
        drop(diagnostic.render_json(&files));
    }
    (files, lines, diagnostics)
}

fn runs_hold(line: &LogicalLine, files: &Files) -> Result<(), &'static str> {
    let hold = |holds: bool, what: &'static str| if holds { Ok(()) } else { Err(what) };
    let size = files.get(line.span.file).bytes.len() as u32;
    hold(line.span.start <= line.span.end && line.span.end <= size, "the span")?;
    hold(line.runs.first().map_or(0, |run| run.start) == 0, "the first run")?;
    hold(line.runs.is_empty() == line.text.is_empty(), "no runs")?;
    let length = line.text.len() as u32;
    for (index, run) in line.runs.iter().enumerate() {
        let next = line.runs.get(index + 1).map_or(length, |next| next.start);
        hold(run.start < next, "an empty run")?;
        if let RunOrigin::Bytes { file, start } = run.origin {
            let end = (start + (next - run.start)) as usize;
            let written = files.get(file).bytes.get(start as usize..end);
            hold(written == Some(&line.text[run.start as usize..next as usize]), "other bytes")?;
        }
    }
    for at in [0, length / 2, length.saturating_sub(1)] {
        let anchor = line.anchor(at..length);
        hold(anchor.end as usize <= files.get(anchor.file).bytes.len(), "an anchor")?;
    }
    if line.runs.iter().all(|run| matches!(run.origin, RunOrigin::Bytes { .. })) {
        let written = line.written(0..length, files);
        hold(written == String::from_utf8_lossy(&line.text), "what is written")?;
    }
    Ok(())
}

/// In each line of the file, text outside statements looks like a comment, a mark or a blank.
fn only_trivia_between(files: &Files, lines: &Lines, path: &Path) {
    let file = files.get(lines.file);
    let mut covered = vec![false; file.bytes.len()];
    for piece in pieces(lines, files).iter().filter(|piece| piece.line.is_some()) {
        covered[piece.span.start as usize..piece.span.end as usize].fill(true);
    }
    let directives: Vec<_> =
        lines.lines.iter().filter(|line| line.kind == LineKind::Directive).map(|line| line.span).collect();
    for number in 1..=file.lines() {
        let range = file.line_range(number);
        let in_directive = directives
            .iter()
            .any(|span| (span.start as usize) <= range.start && range.end <= span.end as usize);
        let text = &file.bytes[range.clone()];
        let first = text.first().copied().unwrap_or(b' ');
        let fixed = matches!(lines.form, Form::Fixed { .. });
        let solid = text.trim_ascii_start();
        let comment = solid.starts_with(b"!") || (fixed && b"cC*dD".contains(&first)) || first == b'#';
        let letters: Vec<u8> = solid.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
        let include = letters.len() > 7 && letters[..7].eq_ignore_ascii_case(b"include");
        if comment || include || in_directive {
            continue;
        }
        let marked = text.starts_with(b"\xef\xbb\xbf");
        for (at, &byte) in text.iter().enumerate().skip(if marked { 3 } else { 0 }) {
            let is_mark = if fixed { at == 5 || (first == b'\t' && at == 1) } else { byte == b'&' };
            if covered[range.start + at] || byte.is_ascii_whitespace() || byte == 0 || is_mark || byte == b';'
            {
                continue;
            }
            // A comment, or text after the last column.
            assert!(byte == b'!' || (fixed && at >= 66), "{}:{number}: column {}", path.display(), at + 1);
            break;
        }
    }
}

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides.max(1)
    }
}

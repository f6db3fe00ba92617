//! Runs the driver for the sources of a wrapper, which may be in any directory.
//!
//! Input: a request.
//! Output: texts; diagnostics on standard error.
//! Postcondition: the text of a source does not depend on the directory of the request. A warning that was
//! reported when an object was compiled is not reported again when it is linked.

use std::ffi::{OsStr, OsString};
use std::io::{IsTerminal as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use cppc_source::Diagnostic;

use crate::driver::{self, Automatic, Check, Outcome};
use crate::front::Source;
use crate::patch;
use crate::remarks::RemarkKind;
use crate::write::Written;

use super::request::{Digest, Request, Translated, Translation, Unit};
use super::{working_directory, Failure};

/// Options whose value is a path relative to the working directory.
const PATHS: [&str; 13] = [
    "-module-dir=",
    "-module-dir",
    "-fintrinsic-modules-path",
    "-J",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-include",
    "-imacros",
    "-isysroot",
    "--sysroot=",
    "-I",
    "-B",
];

/// Translates with the driver.
pub fn translate(request: &Request) -> Result<Translation, Failure> {
    let here = working_directory()?;
    let seen = |unit: &Unit| if unit.directory == here { None } else { Some(unit.directory.clone()) };
    let sources: Vec<Source> = request
        .units
        .iter()
        .chain(&request.context)
        .map(|unit| match seen(unit) {
            None => Source { path: unit.source.clone(), flags: unit.flags.clone() },
            Some(directory) => {
                Source { path: directory.join(&unit.source), flags: from_anywhere(&unit.flags, &directory) }
            }
        })
        .collect();
    let names: Vec<PathBuf> = sources.iter().map(|source| source.path.clone()).collect();
    let outcome = driver::translate(&driver::Request {
        compiler: request.compiler.join(OsStr::new(" ")),
        fortran_compiler: request.fortran_compiler.join(OsStr::new(" ")),
        sources,
        dispatch: request.dispatch,
        line_markers: true,
        whole: request.whole,
        is_library: request.is_link && !request.whole,
        check: if request.is_link { request.analyses.check } else { Check::None },
        automatic: if request.is_link { request.analyses.automatic } else { Automatic::Never },
        unknown: request.analyses.unknown,
        warnings: request.analyses.warnings,
        ranks: request.analyses.ranks.clone(),
        catalogues: request.analyses.catalogues.clone(),
    });
    let mut outcome = outcome.map_err(|error| Failure::CannotRun(error.to_string()))?;
    let reported = report(&outcome, request);
    if outcome.has_errors() {
        return Err(Failure::Diagnosed);
    }
    if let Some(path) = &request.analyses.patch {
        let relative = |file: &Path| file.strip_prefix(&here).unwrap_or(file).to_owned();
        patch::write(&outcome, path, &relative)
            .map_err(|error| Failure::CannotRun(format!("cannot write `{}`: {error}", path.display())))?;
    }
    let outputs = std::mem::take(&mut outcome.outputs).into_iter().zip(&request.units).zip(names);
    let parts: Vec<Vec<PathBuf>> = outcome
        .stages
        .front
        .units
        .iter()
        .map(|unit| outcome.files.get(unit.file()).parts().to_vec())
        .collect();
    let texts = outputs.zip(parts).map(|(((written, unit), name), parts)| {
        let Written { mut text, changed, needs_allocations, .. } = written;
        if name != unit.source {
            text = renamed(&text, &name, &unit.source);
            // The paths of parts are relative to the directory like that of the source.
            for part in parts.iter().filter(|_| unit.source.is_relative()) {
                if let Ok(own) = part.strip_prefix(&unit.directory) {
                    text = renamed(&text, part, own);
                }
            }
        }
        Translated { text, changed, needs_allocations, parts }
    });
    Ok(Translation { texts: texts.collect(), reported })
}

/// Prints the diagnostics that were not reported before.
fn report(outcome: &Outcome, request: &Request) -> Vec<Digest> {
    let mut stream = std::io::stderr().lock();
    let colour = stream.is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let mut reported = Vec::new();
    // The link adds the missing directives. Until then, warnings about them are of no use.
    if !request.is_link && is_automatic(outcome, request) {
        let errors = outcome.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
        for error in errors {
            let _ = stream.write_all(error.render(&outcome.files, colour).as_bytes());
        }
        return reported;
    }
    for diagnostic in &outcome.diagnostics {
        let digest = digest(diagnostic);
        if diagnostic.is_error() || !request.reported.contains(&digest) {
            // Standard error may be closed. The exit code still reports the error.
            let _ = stream.write_all(diagnostic.render(&outcome.files, colour).as_bytes());
        }
        reported.push(digest);
    }
    reported
}

fn is_automatic(outcome: &Outcome, request: &Request) -> bool {
    let mut remarks = outcome.stages.program.remarks.iter().map(|remark| &remark.kind);
    let has_loops = remarks.clone().any(|kind| matches!(kind, RemarkKind::CheckpointLoop { .. }));
    match request.analyses.automatic {
        Automatic::Never => has_loops,
        Automatic::AsWritten => has_loops || remarks.any(|kind| matches!(kind, RemarkKind::Auto(_))),
        Automatic::Add(_) => true,
    }
}

/// Two diagnostics are the same if they have the same text and refer to the same bytes.
fn digest(diagnostic: &Diagnostic) -> Digest {
    let place = diagnostic.labels.first().map(|label| (label.span.start, label.span.end));
    Digest::of(format!("{} {place:?} {}", diagnostic.code, diagnostic.message).as_bytes())
}

/// The flags with their paths made absolute.
fn from_anywhere(flags: &[OsString], directory: &Path) -> Vec<OsString> {
    let mut result = Vec::new();
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        let option = PATHS.iter().find(|option| flag.as_bytes().starts_with(option.as_bytes()));
        let Some(option) = option else {
            result.push(flag.clone());
            continue;
        };
        let joined = OsStr::from_bytes(&flag.as_bytes()[option.len()..]);
        if joined.is_empty() {
            result.push(flag.clone());
            result.extend(flags.next().map(|value| absolute(option, value, directory)));
        } else {
            let mut word = OsString::from(option);
            word.push(absolute(option, joined, directory));
            result.push(word);
        }
    }
    result
}

/// The path seen from any directory. A file of `-include` that is not in `directory` is unchanged, because the
/// compiler finds it on the search path.
fn absolute(option: &str, value: &OsStr, directory: &Path) -> OsString {
    let path = directory.join(value);
    let is_searched = matches!(option, "-include" | "-imacros") && !path.exists();
    if is_searched || value.as_bytes().starts_with(b"=") {
        return value.to_owned();
    }
    path.into_os_string()
}

/// The text with line markers that contain the path of a source as on its own command line.
fn renamed(text: &[u8], name: &Path, source: &Path) -> Vec<u8> {
    let quoted = |path: &Path| {
        let text = path.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
        format!(" \"{text}\"\n").into_bytes()
    };
    let (from, to) = (quoted(name), quoted(source));
    let mut result = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_suffix(from.as_slice()) {
            Some(start) if start.starts_with(b"#line ") || start.starts_with(b"# ") => {
                result.extend(start);
                result.extend(&to);
            }
            _ => result.extend(line),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_seen_from_anywhere() {
        let flags = ["-O2", "-Iinc", "-I", "more", "-isystem/abs", "-include", "config.h", "-DI=-I"];
        let seen = from_anywhere(&flags.map(OsString::from), Path::new("/src"));
        let expected =
            ["-O2", "-I/src/inc", "-I", "/src/more", "-isystem/abs", "-include", "config.h", "-DI=-I"];
        assert_eq!(seen, expected.map(OsString::from));
    }

    #[test]
    fn line_markers_name_the_source_as_it_was_given() {
        let text = b"#line 1 \"/src/a.c\"\nputs(\"/src/a.c\");\n#line 7 \"/src/a.c\"\n";
        let expected = b"#line 1 \"a.c\"\nputs(\"/src/a.c\");\n#line 7 \"a.c\"\n";
        assert_eq!(renamed(text, Path::new("/src/a.c"), Path::new("a.c")), expected);
        let text = b"# 1 \"/src/a.f\"\n      end\n";
        assert_eq!(renamed(text, Path::new("/src/a.f"), Path::new("a.f")), b"# 1 \"a.f\"\n      end\n");
    }
}

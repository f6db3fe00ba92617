//! Dependency files name the original source, not the file that stood in for it.
//!
//! In: a command line with `-MD` or its like, a stand-in that was compiled. Out: the dependency file
//! mended. Holds afterwards: a rule of make for the object names what the original's would have, and
//! `cppc.h` besides.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use super::line::{Line, Role};
use super::workshop::{cannot_write, StandIn};
use super::Failure;

/// Mends the dependency files that compiling `stand_in` into `output` may have written.
pub fn mend(line: &Line, stand_in: &StandIn, output: Option<&Path>) -> Result<(), Failure> {
    if line.options_for(&[Role::Dependencies]).is_empty() {
        return Ok(());
    }
    let wanted = stand_in.file.as_os_str().as_bytes();
    let original = escaped(stand_in.original.as_os_str().as_bytes());
    // A file, and not a device that would be waited for.
    for path in candidates(line, stand_in, output).into_iter().filter(|path| path.is_file()) {
        let Ok(text) = std::fs::read(&path) else { continue };
        let mended = replaced(&text, wanted, &original);
        if mended != text {
            std::fs::write(&path, mended).map_err(|error| cannot_write(&path, &error))?;
        }
    }
    Ok(())
}

/// Every name that a compiler may have given to the file; others are left alone, since they do not
/// name the stand-in.
fn candidates(line: &Line, stand_in: &StandIn, output: Option<&Path>) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = line.values("-MF").into_iter().map(PathBuf::from).collect();
    for prefix in ["-Wp,-MD,", "-Wp,-MMD,", "-Wp,-MF,"] {
        for value in line.values(prefix) {
            let name = value.as_bytes().split(|byte| *byte == b',').next().unwrap_or_default();
            paths.push(OsString::from_vec(name.to_vec()).into());
        }
    }
    let stem = stand_in.original.file_stem().unwrap_or_default();
    paths.push(Path::new(stem).with_extension("d"));
    if let Some(output) = output {
        paths.push(output.with_extension("d"));
        let mut joined = output.as_os_str().to_owned();
        joined.push("-");
        joined.push(stem);
        joined.push(".d");
        paths.push(joined.into());
    } else {
        let mut joined = OsString::from("a-");
        joined.push(stem);
        joined.push(".d");
        paths.push(joined.into());
    }
    paths
}

/// As make wants a file's name.
fn escaped(name: &[u8]) -> Vec<u8> {
    let mut escaped = Vec::new();
    for byte in name {
        match byte {
            b' ' | b'#' | b'\\' => escaped.extend([b'\\', *byte]),
            b'$' => escaped.extend(b"$$"),
            _ => escaped.push(*byte),
        }
    }
    escaped
}

fn replaced(text: &[u8], wanted: &[u8], by: &[u8]) -> Vec<u8> {
    let mut result = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.windows(wanted.len()).position(|window| window == wanted) {
        result.extend(&rest[..at]);
        result.extend(by);
        rest = &rest[at + wanted.len()..];
    }
    result.extend(rest);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stand_in_becomes_the_original() {
        let text = b"a.o: /tmp/cppc-1/0/a.c \\\n /usr/include/stdio.h\n";
        let mended = replaced(text, b"/tmp/cppc-1/0/a.c", &escaped(b"my src/a.c"));
        assert_eq!(mended, b"a.o: my\\ src/a.c \\\n /usr/include/stdio.h\n");
    }
}

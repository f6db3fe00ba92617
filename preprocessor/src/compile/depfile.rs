//! Makes dependency files name the original source instead of the translated file.
//!
//! Input: a command line with `-MD` or a similar option, and a translated file that was compiled.
//! Output: the corrected dependency file.
//! Postcondition: the make rule of the object names the files that compiling the original would give, and
//! `cppc.h`.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use super::line::{Line, Role};
use super::temporary::{cannot_write, TranslatedFile};
use super::Failure;

/// Corrects the dependency files that compiling `translated_file` into `output` may have written.
pub fn correct(line: &Line, translated_file: &TranslatedFile, output: Option<&Path>) -> Result<(), Failure> {
    if line.options_for(&[Role::Dependencies]).is_empty() {
        return Ok(());
    }
    let wanted = translated_file.file.as_os_str().as_bytes();
    // The compiler does not see that the text contains other sources.
    let originals = std::iter::once(&translated_file.original).chain(&translated_file.parts);
    let originals: Vec<Vec<u8>> = originals.map(|path| escaped(path.as_os_str().as_bytes())).collect();
    let original = originals.join(&b' ');
    // Only regular files: reading a device could block.
    for path in candidates(line, translated_file, output).into_iter().filter(|path| path.is_file()) {
        let Ok(text) = std::fs::read(&path) else { continue };
        let mended = replaced(&text, wanted, &original);
        if mended != text {
            std::fs::write(&path, mended).map_err(|error| cannot_write(&path, &error))?;
        }
    }
    Ok(())
}

/// Every name that a compiler may have given to the dependency file. Files that do not name the translated
/// file are not changed.
fn candidates(line: &Line, translated_file: &TranslatedFile, output: Option<&Path>) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = line.values("-MF").into_iter().map(PathBuf::from).collect();
    for prefix in ["-Wp,-MD,", "-Wp,-MMD,", "-Wp,-MF,"] {
        for value in line.values(prefix) {
            let name = value.as_bytes().split(|byte| *byte == b',').next().unwrap_or_default();
            paths.push(OsString::from_vec(name.to_vec()).into());
        }
    }
    let stem = translated_file.original.file_stem().unwrap_or_default();
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

/// Escapes a file name for make.
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

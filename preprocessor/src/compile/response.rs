//! Response files: `@file` is replaced by the words in that file.
//!
//! Input: a command line.
//! Output: the command line with the content of every response file that can be read.
//! Postcondition: the words are split as the compiler splits them. The name of a file that cannot be read is
//! unchanged, as in the compiler.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// Maximum nesting depth of response files. It also stops at a file that names itself.
const DEPTH: usize = 32;

pub fn expand(arguments: &[OsString]) -> Vec<OsString> {
    let mut expanded = Vec::new();
    for argument in arguments {
        expand_one(argument, 0, &mut expanded);
    }
    expanded
}

fn expand_one(argument: &OsStr, depth: usize, expanded: &mut Vec<OsString>) {
    let content = match argument.as_bytes().strip_prefix(b"@") {
        Some(name) if !name.is_empty() && depth < DEPTH => {
            std::fs::read(Path::new(OsStr::from_bytes(name))).ok()
        }
        _ => None,
    };
    match content {
        Some(content) => {
            for word in words(&content) {
                expand_one(&word, depth + 1, expanded);
            }
        }
        None => expanded.push(argument.to_owned()),
    }
}

/// Splits at white space, except inside quotes of both kinds and after backslashes.
fn words(content: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = content.iter().copied();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => {
                let escaped = bytes.next().unwrap_or(b'\\');
                word.get_or_insert_with(Vec::new).push(escaped);
            }
            b'\'' | b'"' if quote.is_none() => {
                quote = Some(byte);
                word.get_or_insert_with(Vec::new);
            }
            _ if quote == Some(byte) => quote = None,
            _ if quote.is_none() && byte.is_ascii_whitespace() => {
                words.extend(word.take().map(OsString::from_vec));
            }
            _ => word.get_or_insert_with(Vec::new).push(byte),
        }
    }
    words.extend(word.map(OsString::from_vec));
    words
}

/// The content of a response file for these words.
pub fn content(arguments: &[OsString]) -> Vec<u8> {
    let mut content = Vec::new();
    for argument in arguments {
        content.push(b'"');
        for byte in argument.as_bytes() {
            if matches!(byte, b'"' | b'\\') {
                content.push(b'\\');
            }
            content.push(*byte);
        }
        content.extend(b"\"\n");
    }
    content
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(words: Vec<OsString>) -> Vec<String> {
        words.into_iter().map(|word| word.into_string().unwrap()).collect()
    }

    #[test]
    fn words_are_split_as_the_compiler_splits_them() {
        let text = b"-O2 \"two words\" 'a\"b'\n -DX=\\\"s\\\"\t''";
        assert_eq!(strings(words(text)), ["-O2", "two words", "a\"b", "-DX=\"s\"", ""]);
    }

    #[test]
    fn what_is_written_reads_back() {
        let line: Vec<OsString> = ["a b", "c\"d\\", "", "plain"].map(OsString::from).into();
        assert_eq!(words(&content(&line)), line);
    }

    #[test]
    fn files_nest_and_missing_ones_stay() {
        let directory = tempfile::tempdir().unwrap();
        let inner = directory.path().join("inner");
        let outer = directory.path().join("outer");
        std::fs::write(&inner, "-c b.c").unwrap();
        std::fs::write(&outer, format!("-O2 @{}", inner.display())).unwrap();
        let line = [format!("@{}", outer.display()), "@nowhere".to_owned()].map(OsString::from);
        assert_eq!(strings(expand(&line)), ["-O2", "-c", "b.c", "@nowhere"]);
    }
}

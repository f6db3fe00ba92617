//! One file of the cache.
//!
//! Input: the answers of a compiler and what they depend on, or the bytes of a file.
//! Output: the other of the two.
//! Postcondition: bytes that the cache did not write, or wrote incompletely, decode to `None`.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::PathBuf;

use twox_hash::XxHash3_128;

use super::super::compiler_answers::CompilerAnswers;
use super::watch::{Subject, Watched};

#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    pub key: String,
    pub watched: Vec<Watched>,
    pub compiler_answers: CompilerAnswers,
}

/// The first line. The second contains a checksum of all bytes after it.
const MAGIC: &[u8] = b"cppc probe 2\n";

const SUM_LENGTH: usize = 33;

pub fn encode(key: &str, watched: &[Watched], compiler_answers: &CompilerAnswers) -> Vec<u8> {
    let mut body = Vec::with_capacity(compiler_answers.predefined.len() + (16 << 10));
    field(&mut body, "key", key.as_bytes());
    for Watched { subject, stamp } in watched {
        match subject {
            Subject::Command(word) => field(&mut body, "command", word.as_bytes()),
            Subject::Path(path) => field(&mut body, "path", path.as_os_str().as_bytes()),
        }
        field(&mut body, "stamp", stamp.as_bytes());
    }
    for directory in &compiler_answers.quote_directories {
        field(&mut body, "quote", directory.as_os_str().as_bytes());
    }
    for directory in &compiler_answers.bracket_directories {
        field(&mut body, "bracket", directory.as_os_str().as_bytes());
    }
    field(&mut body, "predefined", &compiler_answers.predefined);
    let mut answers: Vec<_> = compiler_answers.answers.iter().collect();
    answers.sort();
    for (question, answer) in answers {
        field(&mut body, "answer", format!("{answer} {question}").as_bytes());
    }
    let mut file = MAGIC.to_vec();
    file.extend_from_slice(checksum_of(&body).as_bytes());
    file.extend_from_slice(&body);
    file
}

fn field(out: &mut Vec<u8>, name: &str, content: &[u8]) {
    out.extend_from_slice(format!("{name} {}\n", content.len()).as_bytes());
    out.extend_from_slice(content);
    out.push(b'\n');
}

fn checksum_of(body: &[u8]) -> String {
    format!("{:032x}\n", XxHash3_128::oneshot(body))
}

impl Entry {
    pub fn decode(file: &[u8]) -> Option<Entry> {
        let (checksum, mut body) = file.strip_prefix(MAGIC)?.split_at_checked(SUM_LENGTH)?;
        if checksum != checksum_of(body).as_bytes() {
            return None;
        }
        let mut entry =
            Entry { key: String::new(), watched: Vec::new(), compiler_answers: CompilerAnswers::default() };
        let mut subject = None;
        while !body.is_empty() {
            let (name, content) = next_field(&mut body)?;
            let path = || PathBuf::from(OsString::from_vec(content.to_vec()));
            match name {
                b"key" => entry.key = String::from_utf8(content.to_vec()).ok()?,
                b"command" => subject = Some(Subject::Command(path().into_os_string())),
                b"path" => subject = Some(Subject::Path(path())),
                b"stamp" => {
                    let stamp = String::from_utf8(content.to_vec()).ok()?;
                    entry.watched.push(Watched { subject: subject.take()?, stamp });
                }
                b"quote" => entry.compiler_answers.quote_directories.push(path()),
                b"bracket" => entry.compiler_answers.bracket_directories.push(path()),
                b"predefined" => entry.compiler_answers.predefined = content.to_vec(),
                b"answer" => {
                    let (answer, question) = std::str::from_utf8(content).ok()?.split_once(' ')?;
                    entry.compiler_answers.answers.insert(question.to_owned(), answer.parse().ok()?);
                }
                _ => return None,
            }
        }
        (!entry.compiler_answers.predefined.is_empty()).then_some(entry)
    }
}

fn next_field<'a>(body: &mut &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
    let end = memchr::memchr(b'\n', body)?;
    let (head, rest) = (&body[..end], &body[end + 1..]);
    let blank = memchr::memchr(b' ', head)?;
    let length: usize = std::str::from_utf8(&head[blank + 1..]).ok()?.parse().ok()?;
    let (content, rest) = rest.split_at_checked(length)?;
    *body = rest.strip_prefix(b"\n")?;
    Some((&head[..blank], content))
}

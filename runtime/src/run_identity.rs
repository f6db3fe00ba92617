//! How a process was started: its arguments, its executable and its input files.
//!
//! Input: the command line without the settings, the files of the running program, the setting `inputs`.
//! Output: what state files record of them, and the differences between two starts.
//! Postcondition: the path and the name of the program, and data of the linker that is not loaded, make no
//! difference.

mod libraries;

pub use libraries::shared_libraries;

use crate::loaded_objects::EXECUTABLE;
use crate::manifest::{InputFile, RunIdentity};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use twox_hash::XxHash3_128;

/// Longer command lines are recorded as a hash, because every state file contains them.
const MOST_BYTES: usize = 16 << 10;
/// The first part of a longer command line, which is recorded for users.
const FIRST_BYTES: usize = 1 << 10;

impl RunIdentity {
    /// `words` is the program's name and its arguments. `libraries` are the shared libraries that belong to the program.
    pub fn here(words: &[OsString], libraries: &[PathBuf]) -> RunIdentity {
        RunIdentity {
            arguments: Some(noted(words.get(1..).unwrap_or_default())),
            architecture: std::env::consts::ARCH.to_owned(),
            build: build(Path::new(EXECUTABLE), libraries).unwrap_or_default(),
            inputs: Vec::new(),
        }
    }

    /// Where the input files differ, if that is known.
    pub fn other_inputs(&self, there: &RunIdentity) -> Option<OtherInputs> {
        there.arguments.as_ref()?;
        let names = |inputs: &[InputFile]| inputs.iter().map(|input| input.name.clone()).collect::<Vec<_>>();
        let (here, there) = (&self.inputs, &there.inputs);
        if names(here) != names(there) {
            return Some(OtherInputs::Names { here: names(here), there: names(there) });
        }
        let changed = here.iter().zip(there).filter(|(here, there)| here.hash != there.hash);
        let changed: Vec<String> = changed.map(|(here, _)| here.name.clone()).collect();
        (!changed.is_empty()).then_some(OtherInputs::Content(changed))
    }

    /// Whether the arguments are known to differ.
    pub fn has_other_arguments(&self, other: &RunIdentity) -> bool {
        matches!((&self.arguments, &other.arguments), (Some(here), Some(there)) if here != there)
    }

    /// Whether the executable is known to be another one for the same architecture.
    pub fn has_other_build(&self, other: &RunIdentity) -> bool {
        let known = !self.build.is_empty() && !other.build.is_empty();
        known && self.architecture == other.architecture && self.build != other.build
    }

    /// Whether the executable is known to be the same.
    pub fn has_same_build(&self, other: &RunIdentity) -> bool {
        !self.build.is_empty() && self.architecture == other.architecture && self.build == other.build
    }

    /// The arguments as a user would type them.
    pub fn command_line(&self) -> String {
        match self.arguments.as_deref() {
            None => "unknown arguments".to_owned(),
            Some([]) => "no arguments".to_owned(),
            Some(arguments) => {
                let words: Vec<String> = arguments.iter().map(|argument| quoted(argument)).collect();
                format!("the arguments `{}`", shortened(&words.join(" ")))
            }
        }
    }
}

impl From<(String, u128)> for InputFile {
    fn from((name, hash): (String, u128)) -> InputFile {
        InputFile { name, hash }
    }
}

/// How the input files of two starts differ.
#[derive(Debug, PartialEq, Eq)]
pub enum OtherInputs {
    /// The setting names other files.
    Names { here: Vec<String>, there: Vec<String> },
    /// The content of these files differs.
    Content(Vec<String>),
}

/// The names of input files as a part of a message.
pub fn input_names(names: &[String]) -> String {
    match names {
        [] => "no input files".to_owned(),
        names => format!("the input files `{}`", shortened(&names.join("`, `"))),
    }
}

/// Hashes of the files that the setting `inputs` names.
pub fn hash_inputs(names: &[String]) -> Result<Vec<u128>, String> {
    let read = |name: &String| {
        let path = Path::new(name);
        let hash = match std::fs::metadata(path) {
            // A pipe would wait for a writer.
            Ok(metadata) if !metadata.is_file() => {
                return Err(format!("the input file `{name}` is not a regular file"))
            }
            Ok(_) => File::open(path)
                .and_then(|file| hash(&file, |size_bytes| std::iter::once(0..size_bytes).collect())),
            Err(error) => Err(error),
        };
        hash.map_err(|error| format!("cannot read the input file `{name}`: {error}"))
    };
    names.iter().map(read).collect()
}

fn noted(arguments: &[OsString]) -> Vec<String> {
    let texts: Vec<String> = arguments.iter().map(|argument| text(argument)).collect();
    let bytes: usize = texts.iter().map(|text| text.len() + 1).sum();
    if bytes <= MOST_BYTES {
        return texts;
    }
    let mut hasher = XxHash3_128::with_seed(0);
    for text in &texts {
        hasher.write(text.as_bytes());
        hasher.write(&[0]);
    }
    let hash = hasher.finish_128();
    let mut room = FIRST_BYTES;
    let mut first: Vec<String> = texts
        .iter()
        .map_while(|text| {
            room = room.checked_sub(text.len() + 1)?;
            Some(text.clone())
        })
        .collect();
    first.push(format!("... ({} arguments, {bytes} bytes, hash {hash:032x})", texts.len()));
    first
}

/// The argument as text. If it is not UTF-8, its bytes are escaped.
fn text(argument: &OsStr) -> String {
    argument.to_str().map_or_else(|| argument.as_bytes().escape_ascii().to_string(), str::to_owned)
}

fn quoted(argument: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./=+:,@%".contains(letter);
    if !argument.is_empty() && argument.chars().all(is_plain) {
        return argument.to_owned();
    }
    format!("'{}'", argument.replace('\'', "'\\''"))
}

const MOST_LETTERS: usize = 300;

fn shortened(text: &str) -> String {
    if text.chars().count() <= MOST_LETTERS {
        return text.to_owned();
    }
    let first: String = text.chars().take(MOST_LETTERS).collect();
    format!("{first} ...")
}

/// A hash of the executable and the libraries.
fn build(executable: &Path, libraries: &[PathBuf]) -> io::Result<String> {
    let of_executable = hash_loaded(executable)?;
    if libraries.is_empty() {
        return Ok(format!("{of_executable:032x}"));
    }
    let mut hashes = libraries.iter().map(|library| hash_loaded(library)).collect::<io::Result<Vec<_>>>()?;
    // A moved library makes no difference.
    hashes.sort_unstable();
    let mut hasher = XxHash3_128::with_seed(0);
    std::iter::once(of_executable).chain(hashes).for_each(|hash| hasher.write(&hash.to_le_bytes()));
    Ok(format!("{:032x}", hasher.finish_128()))
}

/// A hash of the loaded parts of a file, without the build ID of the linker, which also covers parts that are not
/// loaded. If the file is not ELF, the whole file is hashed.
fn hash_loaded(path: &Path) -> io::Result<u128> {
    let file = File::open(path)?;
    hash(&file, |size_bytes| loaded(&file).unwrap_or_else(|| std::iter::once(0..size_bytes).collect()))
}

/// A hash of the parts of a file, which depend on its size.
fn hash(file: &File, parts: impl FnOnce(u64) -> Vec<Range<u64>>) -> io::Result<u128> {
    let parts = parts(file.metadata()?.len());
    let mut hasher = XxHash3_128::with_seed(0);
    let mut buffer = vec![0; 1 << 20];
    for part in parts {
        let mut at = part.start;
        while at < part.end {
            let bytes = (part.end - at).min(buffer.len() as u64) as usize;
            file.read_exact_at(&mut buffer[..bytes], at)?;
            hasher.write(&buffer[..bytes]);
            at += bytes as u64;
        }
    }
    Ok(hasher.finish_128())
}

/// Reads the numbers of an ELF file of either word size and byte order.
struct Elf<'a> {
    file: &'a File,
    is_wide: bool,
    is_big: bool,
}

const LOAD: u64 = 1;
const NOTE: u64 = 4;

impl Elf<'_> {
    fn number(&self, at: u64, bytes: usize) -> Option<u64> {
        let mut found = [0; 8];
        self.file.read_exact_at(&mut found[..bytes], at).ok()?;
        let fold = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        Some(match self.is_big {
            true => found[..bytes].iter().fold(0, fold),
            false => found[..bytes].iter().rev().fold(0, fold),
        })
    }

    /// The type of each program header, and the range of its content in the file.
    fn segments(&self) -> Option<Vec<(u64, Range<u64>)>> {
        let word = if self.is_wide { 8 } else { 4 };
        let (table, sizes) = if self.is_wide { (0x20, 0x36) } else { (0x1c, 0x2a) };
        let start = self.number(table, word)?;
        let (entry, count) = (self.number(sizes, 2)?, self.number(sizes + 2, 2)?);
        let (offset, size) = if self.is_wide { (0x08, 0x20) } else { (0x04, 0x10) };
        let segment = |index: u64| {
            let at = start.checked_add(index * entry)?;
            let from = self.number(at.checked_add(offset)?, word)?;
            Some((self.number(at, 4)?, from..from.checked_add(self.number(at.checked_add(size)?, word)?)?))
        };
        (0..count).map(segment).collect()
    }

    /// The range of the build ID in a segment of notes.
    fn build_id(&self, notes: &Range<u64>) -> Option<Range<u64>> {
        let mut at = notes.start;
        while at + 12 <= notes.end {
            let (name, content, kind) =
                (self.number(at, 4)?, self.number(at + 4, 4)?, self.number(at + 8, 4)?);
            let start = at + 12 + name.next_multiple_of(4);
            if kind == 3 && name == 4 && self.number(at + 12, 4)? == self.gnu() {
                return Some(start..start + content);
            }
            at = start + content.next_multiple_of(4);
        }
        None
    }

    /// `GNU` as a number.
    fn gnu(&self) -> u64 {
        let name = *b"GNU\0";
        u64::from(if self.is_big { u32::from_be_bytes(name) } else { u32::from_le_bytes(name) })
    }
}

/// The loaded ranges, in the order of the program headers, without the build ID. None if the file is not ELF.
fn loaded(file: &File) -> Option<Vec<Range<u64>>> {
    let mut head = [0; 6];
    file.read_exact_at(&mut head, 0).ok()?;
    let [0x7f, b'E', b'L', b'F', class @ 1..=2, order @ 1..=2] = head else { return None };
    let elf = Elf { file, is_wide: class == 2, is_big: order == 2 };
    let segments = elf.segments()?;
    let hash = segments.iter().filter(|(kind, _)| *kind == NOTE).find_map(|(_, notes)| elf.build_id(notes));
    let hash = hash.unwrap_or(0..0);
    let mut parts = Vec::new();
    for (_, part) in segments.into_iter().filter(|(kind, _)| *kind == LOAD) {
        // The ELF header contains the offset of the section headers, which are not loaded.
        let start = if part.start == 0 { 64.min(part.end) } else { part.start };
        parts.push(start..hash.start.clamp(start, part.end));
        parts.push(hash.end.clamp(start, part.end)..part.end);
    }
    // If no bytes are left, the hash would be the same for all files.
    parts.iter().any(|part| !part.is_empty()).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStringExt;

    fn identity(words: &[&str]) -> RunIdentity {
        RunIdentity::here(&words.iter().map(OsString::from).collect::<Vec<_>>(), &[])
    }

    #[test]
    fn the_name_of_the_program_is_no_argument() {
        assert!(!identity(&["./sweep", "0.5"]).has_other_arguments(&identity(&["/opt/sweep", "0.5"])));
        assert!(identity(&["./sweep", "0.5"]).has_other_arguments(&identity(&["./sweep", "0.9"])));
        assert!(identity(&["./sweep", "a", "b"]).has_other_arguments(&identity(&["./sweep", "a b"])));
        assert!(identity(&["./sweep"]).has_other_arguments(&identity(&["./sweep", ""])));
        assert!(!identity(&["./sweep", "x"]).has_other_arguments(&RunIdentity::default()));
    }

    #[test]
    fn arguments_are_shown_as_one_would_type_them() {
        assert_eq!(
            identity(&["a", "-n", "300", "two words", "it's"]).command_line(),
            "the arguments `-n 300 'two words' 'it'\\''s'`"
        );
        assert_eq!(identity(&["a"]).command_line(), "no arguments");
        let odd = RunIdentity::here(&["a".into(), OsString::from_vec(vec![b'x', 0xff])], &[]);
        assert_eq!(odd.arguments, Some(vec!["x\\xff".to_owned()]));
    }

    #[test]
    fn long_command_lines_are_noted_by_a_hash() {
        let words: Vec<String> = (0..10_000).map(|number| format!("file-{number}")).collect();
        let with = |last: &str| identity(&words.iter().map(String::as_str).chain([last]).collect::<Vec<_>>());
        assert!(with("a").arguments.unwrap().iter().map(String::len).sum::<usize>() < 2 * FIRST_BYTES);
        assert!(with("a").has_other_arguments(&with("b")));
        assert!(!with("a").has_other_arguments(&with("a")));
    }

    #[test]
    fn a_copy_of_the_program_is_the_same_build_and_a_changed_one_is_not() {
        let scratch = std::env::temp_dir().join(format!("cppc-origin-{}", std::process::id()));
        let own = build(Path::new(EXECUTABLE), &[]).unwrap();
        std::fs::copy(EXECUTABLE, &scratch).unwrap();
        assert_eq!(build(&scratch, &[]).unwrap(), own);
        let file = File::options().read(true).write(true).open(&scratch).unwrap();
        // Data behind all loaded parts is not a part of the program.
        file.write_all_at(b"debugging", file.metadata().unwrap().len()).unwrap();
        assert_eq!(build(&scratch, &[]).unwrap(), own);
        let last = loaded(&file).unwrap().pop().unwrap();
        let mut byte = [0];
        file.read_exact_at(&mut byte, last.end - 1).unwrap();
        file.write_all_at(&[!byte[0]], last.end - 1).unwrap();
        assert_ne!(build(&scratch, &[]).unwrap(), own);
        // A library is a part of the program, wherever it is.
        let with_library = build(Path::new(EXECUTABLE), std::slice::from_ref(&scratch)).unwrap();
        assert_ne!(with_library, own);
        std::fs::copy(&scratch, scratch.with_extension("moved")).unwrap();
        assert_eq!(build(Path::new(EXECUTABLE), &[scratch.with_extension("moved")]).unwrap(), with_library);
        std::fs::remove_file(scratch.with_extension("moved")).unwrap();
        std::fs::remove_file(&scratch).unwrap();
    }

    #[test]
    fn input_files_are_compared_by_name_and_content() {
        let scratch = std::env::temp_dir().join(format!("cppc-inputs-{}", std::process::id()));
        std::fs::create_dir(&scratch).unwrap();
        let name = |name: &str| scratch.join(name).display().to_string();
        let of = |names: &[String]| RunIdentity {
            inputs: names.iter().cloned().zip(hash_inputs(names).unwrap()).map(InputFile::from).collect(),
            ..identity(&["./sweep"])
        };
        std::fs::write(name("a"), "1").unwrap();
        std::fs::write(name("b"), "2").unwrap();
        let first = of(&[name("a"), name("b")]);
        assert_eq!(first.other_inputs(&of(&[name("a"), name("b")])), None);
        std::fs::write(name("b"), "3").unwrap();
        let changed = OtherInputs::Content(vec![name("b")]);
        assert_eq!(of(&[name("a"), name("b")]).other_inputs(&first), Some(changed));
        let names = OtherInputs::Names { here: vec![name("a")], there: vec![name("a"), name("b")] };
        assert_eq!(of(&[name("a")]).other_inputs(&first), Some(names));
        // Nothing is known of a run of an earlier version.
        assert_eq!(first.other_inputs(&RunIdentity::default()), None);
        assert!(hash_inputs(&[name("c")]).unwrap_err().contains("No such file"));
        assert!(hash_inputs(&[name("")]).unwrap_err().contains("not a regular file"));
        std::fs::remove_dir_all(&scratch).unwrap();
    }

    #[test]
    fn what_is_no_program_is_taken_as_a_whole() {
        let scratch = std::env::temp_dir().join(format!("cppc-origin-text-{}", std::process::id()));
        let of = |text: &[u8]| {
            std::fs::write(&scratch, text).unwrap();
            build(&scratch, &[]).unwrap()
        };
        assert_ne!(of(b"one"), of(b"two"));
        // The ranges of these headers are outside the file.
        let mut lying = vec![0xff; 200];
        lying[..6].copy_from_slice(&[0x7f, b'E', b'L', b'F', 2, 1]);
        assert_eq!(of(&lying).len(), 32);
        std::fs::remove_file(&scratch).unwrap();
    }
}

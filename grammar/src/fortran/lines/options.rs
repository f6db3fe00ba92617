//! What the path and the compiler's flags say about how a source is to be read.
//!
//! In: a path, and flags as gfortran and flang spell them. Out: form, columns, preprocessing,
//! directories. Holds afterwards: a later flag counts more than an earlier one.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::{predefined, search};
use crate::fortran::logical::Form;

#[derive(Debug, Clone)]
pub struct Options {
    pub form: Form,
    /// Lines with `#` and macros are for the preprocessor.
    pub preprocess: bool,
    /// `-D` and `-U`, in their order.
    pub definitions: Vec<Definition>,
    /// `-I`, in their order.
    pub include_directories: Vec<PathBuf>,
    /// What lines with `D` in column 1 are.
    pub debug_lines: DebugLines,
    /// Lines that begin with `!$` are statements, as for `-fopenmp`.
    pub conditional_lines: bool,
    /// Fixed form: lines count as filled up with blanks when a constant goes on in the next one.
    pub pad_source: bool,
    /// Asked where its own include files are, when a file is not found otherwise.
    pub compiler: Option<OsString>,
    /// Those that bear on what the compiler defines.
    flags: Vec<OsString>,
    asked: OnceLock<Vec<PathBuf>>,
    predefined: OnceLock<Vec<u8>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Definition {
    /// A macro and its body.
    Define(Vec<u8>, Vec<u8>),
    Undefine(Vec<u8>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DebugLines {
    /// What stands in them is a statement.
    Code,
    /// flang's choice where nobody has said; gfortran refuses them then.
    Comments,
}

/// Columns that count in fixed form.
const COLUMNS: u32 = 72;

/// Flags whose value is the next argument, and no concern of ours.
const WITH_VALUE: [&str; 18] = [
    "-o", "-L", "-l", "-MF", "-MT", "-MQ", "-isystem", "-idirafter", "-iquote", "-imultilib", "-iprefix",
    "-Xlinker", "-Xassembler", "-T", "-u", "-z", "--param", "-mllvm",
];

impl Options {
    /// Of a source that is compiled under certain flags.
    pub fn of(path: &Path, flags: &[OsString]) -> Options {
        let mut seen = Seen::by_name(path);
        let mut rest = flags.iter();
        while let Some(flag) = rest.next() {
            let bytes = flag.as_bytes();
            if predefined::bears(flag) {
                seen.flags.push(flag.clone());
            }
            match bytes {
                b"-I" | b"-D" | b"-U" | b"-J" | b"-x" => {
                    if let Some(value) = rest.next() {
                        seen.valued(bytes[1], value.as_bytes());
                    }
                }
                [b'-', letter @ (b'I' | b'D' | b'U' | b'x'), value @ ..] => seen.valued(*letter, value),
                _ if WITH_VALUE.iter().any(|with| flag == with) => drop(rest.next()),
                _ => seen.plain(flag),
            }
        }
        seen.options()
    }

    /// The same, with a compiler to be asked where its files are.
    #[must_use]
    pub fn asking(self, compiler: &OsStr) -> Options {
        Options {
            compiler: Some(compiler.to_owned()),
            asked: OnceLock::new(),
            predefined: OnceLock::new(),
            ..self
        }
    }

    /// Where the compiler has files of its own. Runs it the first time.
    pub fn system_directories(&self) -> &[PathBuf] {
        self.asked.get_or_init(|| match &self.compiler {
            Some(compiler) => search::ask(compiler),
            None => Vec::new(),
        })
    }

    /// Whether the compiler looks beside an included file first for what that includes. gfortran looks
    /// beside the source that it compiles, and in the directories of `-I`.
    pub fn includer_first(&self) -> bool {
        let name = self.compiler.as_deref().and_then(|compiler| Path::new(compiler).file_name());
        name.is_some_and(|name| memchr::memmem::find(name.as_bytes(), b"flang").is_some())
    }

    /// `#define` lines of what the compiler defines by itself. Runs it the first time.
    pub fn predefined(&self) -> &[u8] {
        self.predefined.get_or_init(|| {
            let told = self.compiler.as_deref().and_then(|compiler| predefined::ask(compiler, &self.flags));
            told.unwrap_or_else(|| predefined::usual(self.conditional_lines))
        })
    }
}

/// What flags have said so far.
struct Seen {
    fixed: bool,
    preprocess: bool,
    columns: u32,
    definitions: Vec<Definition>,
    include_directories: Vec<PathBuf>,
    debug_lines: DebugLines,
    conditional_lines: bool,
    pad_source: bool,
    flags: Vec<OsString>,
}

impl Seen {
    fn by_name(path: &Path) -> Seen {
        let extension = path.extension().map(OsStrExt::as_bytes).unwrap_or_default();
        let (fixed, preprocess) = form_of(extension);
        Seen {
            fixed,
            preprocess,
            columns: COLUMNS,
            definitions: Vec::new(),
            include_directories: Vec::new(),
            debug_lines: DebugLines::Comments,
            conditional_lines: false,
            pad_source: true,
            flags: Vec::new(),
        }
    }

    fn valued(&mut self, letter: u8, value: &[u8]) {
        match letter {
            b'I' => self.include_directories.push(PathBuf::from(OsString::from_vec(value.to_vec()))),
            b'D' => {
                let equals = value.iter().position(|&byte| byte == b'=');
                let (name, body) = match equals {
                    Some(equals) => (&value[..equals], &value[equals + 1..]),
                    None => (value, &b"1"[..]),
                };
                self.definitions.push(Definition::Define(name.to_vec(), body.to_vec()));
            }
            b'U' => self.definitions.push(Definition::Undefine(value.to_vec())),
            b'x' => match value {
                b"f77" => (self.fixed, self.preprocess) = (true, false),
                b"f77-cpp-input" => (self.fixed, self.preprocess) = (true, true),
                b"f95" => (self.fixed, self.preprocess) = (false, false),
                b"f95-cpp-input" => (self.fixed, self.preprocess) = (false, true),
                _ => {}
            },
            // `-J`: modules only.
            _ => {}
        }
    }

    fn plain(&mut self, flag: &OsStr) {
        match flag.as_bytes() {
            b"-ffixed-form" | b"-Mfixed" | b"-fixed" => self.fixed = true,
            b"-ffree-form" | b"-Mfree" | b"-free" => self.fixed = false,
            b"-cpp" | b"-fpp" => self.preprocess = true,
            b"-nocpp" | b"-nofpp" => self.preprocess = false,
            b"-fd-lines-as-comments" | b"-fdec" => self.debug_lines = DebugLines::Comments,
            b"-fd-lines-as-code" => self.debug_lines = DebugLines::Code,
            b"-fopenmp" | b"-fopenmp-simd" => self.conditional_lines = flag == "-fopenmp",
            b"-fno-openmp" => self.conditional_lines = false,
            b"-fpad-source" => self.pad_source = true,
            b"-fno-pad-source" => self.pad_source = false,
            b"-ffixed-line-length-none" | b"-ffixed-line-length=none" => self.columns = u32::MAX,
            bytes => {
                let length = [&b"-ffixed-line-length-"[..], b"-ffixed-line-length="]
                    .iter()
                    .find_map(|prefix| bytes.strip_prefix(*prefix))
                    .and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
                if let Some(length) = length {
                    self.columns = if length == 0 { u32::MAX } else { length };
                }
            }
        }
    }

    fn options(self) -> Options {
        Options {
            form: if self.fixed { Form::Fixed { columns: self.columns } } else { Form::Free },
            preprocess: self.preprocess,
            definitions: self.definitions,
            include_directories: self.include_directories,
            debug_lines: self.debug_lines,
            conditional_lines: self.conditional_lines,
            pad_source: self.pad_source,
            compiler: None,
            flags: self.flags,
            asked: OnceLock::new(),
            predefined: OnceLock::new(),
        }
    }
}

/// Fixed or not, preprocessed or not, by what a path ends in.
fn form_of(extension: &[u8]) -> (bool, bool) {
    let upper = extension.first().is_some_and(u8::is_ascii_uppercase);
    match extension.to_ascii_lowercase().as_slice() {
        b"f" | b"for" | b"ftn" | b"f77" => (true, upper),
        b"fpp" => (true, true),
        _ => (false, upper),
    }
}

//! The options for reading a source, from its path and the flags of the compiler.
//!
//! Input: a path, and flags as gfortran and flang spell them.
//! Output: form, columns, preprocessing, directories.
//! Postcondition: a later flag overrides an earlier one.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::{predefined, search};
use crate::fortran::logical::Form;

#[derive(Debug, Clone)]
pub struct Options {
    pub form: Form,
    /// Process lines with `#` and expand macros.
    pub preprocess: bool,
    /// `-D` and `-U`, in order.
    pub definitions: Vec<Definition>,
    /// `-I`, in order.
    pub include_directories: Vec<PathBuf>,
    /// The meaning of lines with `D` in column 1.
    pub debug_lines: DebugLines,
    /// Lines that begin with `!$` are statements, as for `-fopenmp`.
    pub conditional_lines: bool,
    /// Fixed form: lines are padded with blanks if a constant continues on the next line.
    pub pad_source: bool,
    /// The compiler, which is asked for its own include directories if a file is not found elsewhere.
    pub compiler: Option<OsString>,
    /// The flags that affect the predefined macros of the compiler.
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
    /// Their text is a statement.
    Code,
    /// The default of flang. gfortran rejects such lines by default.
    Comments,
}

/// The number of columns that are read in fixed form.
const COLUMNS: u32 = 72;

/// Flags whose value is the next argument and that are ignored here.
const WITH_VALUE: [&str; 18] = [
    "-o",
    "-L",
    "-l",
    "-MF",
    "-MT",
    "-MQ",
    "-isystem",
    "-idirafter",
    "-iquote",
    "-imultilib",
    "-iprefix",
    "-Xlinker",
    "-Xassembler",
    "-T",
    "-u",
    "-z",
    "--param",
    "-mllvm",
];

impl Options {
    /// Whether a standard before Fortran 2018 was requested.
    pub fn is_before_fortran_2018(&self) -> bool {
        let old = ["-std=f95", "-std=f2003", "-std=f2008", "-std=f2008ts"];
        self.flags.iter().any(|flag| old.iter().any(|old| flag == old))
    }

    /// The options of a source that is compiled with these flags.
    pub fn of(path: &Path, flags: &[OsString]) -> Options {
        let mut seen = ParsedFlags::by_name(path);
        let mut rest = flags.iter();
        while let Some(flag) = rest.next() {
            let bytes = flag.as_bytes();
            if predefined::affects_macros(flag) {
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

    /// The same options with a compiler that can be asked for its directories.
    #[must_use]
    pub fn asking(self, compiler: &OsStr) -> Options {
        Options {
            compiler: Some(compiler.to_owned()),
            asked: OnceLock::new(),
            predefined: OnceLock::new(),
            ..self
        }
    }

    /// The compiler's own directories. Runs the compiler at the first call.
    pub fn system_directories(&self) -> &[PathBuf] {
        self.asked.get_or_init(|| match &self.compiler {
            Some(compiler) => search::ask(compiler),
            None => Vec::new(),
        })
    }

    /// True if the compiler searches the directory of an included file first for the includes of that file.
    /// gfortran searches the directory of the compiled source and those of `-I`.
    pub fn includer_first(&self) -> bool {
        let name = self.compiler.as_deref().and_then(|compiler| Path::new(compiler).file_name());
        name.is_some_and(|name| memchr::memmem::find(name.as_bytes(), b"flang").is_some())
    }

    /// The `#define` lines of the compiler's predefined macros. Runs the compiler at the first call.
    pub fn predefined(&self) -> &[u8] {
        self.predefined.get_or_init(|| {
            let told = self.compiler.as_deref().and_then(|compiler| predefined::ask(compiler, &self.flags));
            told.unwrap_or_else(|| predefined::usual(self.conditional_lines))
        })
    }
}

/// The effect of the flags so far.
struct ParsedFlags {
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

impl ParsedFlags {
    fn by_name(path: &Path) -> ParsedFlags {
        let extension = path.extension().map(OsStrExt::as_bytes).unwrap_or_default();
        let (fixed, preprocess) = form_of(extension);
        ParsedFlags {
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
            // `-J` affects only modules.
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

/// Whether an extension means fixed form, and whether it means preprocessing.
fn form_of(extension: &[u8]) -> (bool, bool) {
    let upper = extension.first().is_some_and(u8::is_ascii_uppercase);
    match extension.to_ascii_lowercase().as_slice() {
        b"f" | b"for" | b"ftn" | b"f77" => (true, upper),
        b"fpp" => (true, true),
        _ => (false, upper),
    }
}

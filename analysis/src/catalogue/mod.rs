//! The catalogue: the effects of procedures without source.
//!
//! Input: the built-in files of `analysis/catalogue`, files of the user, and names of procedures.
//! Output: the entry of a name, and its effects.
//! Postcondition: a name without an entry has no effects here; the analyses then assume the worst. Entries
//! of the user replace built-in ones.

pub mod datatype;
pub mod entry;
mod parse;
mod rules;
mod call_effects;

use std::fmt::Write as _;
use std::path::Path;

use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::effects::{CallEffects, Effects};
use crate::program::{Callee, OperationKind, Program, Value};

use entry::Entry;
use parse::Section;

/// The built-in files, each with its name.
const BUILT_IN: &[(&str, &str)] = &[
    ("c.txt", include_str!("../../catalogue/c.txt")),
    ("posix.txt", include_str!("../../catalogue/posix.txt")),
    ("gnu.txt", include_str!("../../catalogue/gnu.txt")),
    ("mpi.txt", include_str!("../../catalogue/mpi.txt")),
    ("fortran.txt", include_str!("../../catalogue/fortran.txt")),
    ("openmp.txt", include_str!("../../catalogue/openmp.txt")),
    ("blas.txt", include_str!("../../catalogue/blas.txt")),
    ("lapack.txt", include_str!("../../catalogue/lapack.txt")),
    ("scalapack.txt", include_str!("../../catalogue/scalapack.txt")),
    ("fftw.txt", include_str!("../../catalogue/fftw.txt")),
    ("bsp.txt", include_str!("../../catalogue/bsp.txt")),
    ("hdf5.txt", include_str!("../../catalogue/hdf5.txt")),
    ("netcdf.txt", include_str!("../../catalogue/netcdf.txt")),
    ("zlib.txt", include_str!("../../catalogue/zlib.txt")),
];

/// Entries by name. The text of an entry is parsed when it is requested.
#[derive(Debug, Default)]
pub struct Catalogue {
    texts: Vec<Text>,
    names: FxHashMap<String, Named>,
    /// Names of MPI in lower case, with the names of C.
    lower: FxHashMap<String, String>,
}

/// An entry that has not been read yet.
#[derive(Debug)]
struct Text {
    text: String,
    section: Section,
}

#[derive(Debug, Clone, Copy)]
struct Named {
    text: usize,
    /// The value of `@` in the text.
    value: i64,
}

#[derive(Debug, Error, PartialEq, Eq)]
#[error("{path}:{line}: {what}")]
pub struct CatalogueError {
    pub path: String,
    pub line: usize,
    pub what: String,
}

impl Catalogue {
    /// The built-in entries.
    pub fn built_in() -> Catalogue {
        let mut catalogue = Catalogue::default();
        for (path, text) in BUILT_IN {
            // A test parses each entry. If an entry were wrong, its procedures would be unknown.
            let _ = catalogue.index(path, text, false);
        }
        catalogue
    }

    /// Adds the entries of a file of the user.
    pub fn add(&mut self, path: &Path, text: &str) -> Result<(), CatalogueError> {
        self.index(&path.to_string_lossy(), text, true)
    }

    /// The entry of a procedure by the name that calls use, also if it follows from another one.
    pub fn entry(&self, name: &str) -> Option<Entry> {
        if let Some(entry) = self.written(name) {
            return Some(entry);
        }
        for (origin, rule) in rules::origins(name) {
            let origin = match rule {
                rules::Rule::FortranOfMpi | rules::Rule::LargeCountsInFortran => {
                    match self.lower.get(&origin) {
                        Some(name) => name,
                        None => continue,
                    }
                }
                rules::Rule::FortranOfC if !self.is_for_fortran(&origin) => continue,
                _ => &origin,
            };
            if let Some(entry) = self.written(origin) {
                return Some(rules::apply(rule, entry));
            }
            // `__builtin___isoc99_sscanf`: more than one rule.
            let again = || rules::origins(origin).into_iter().filter(|(_, rule)| *rule == rules::Rule::Same);
            if let Some(entry) = again().find_map(|(origin, _)| self.written(&origin)) {
                return Some(rules::apply(rule, entry));
            }
        }
        None
    }

    /// The names that have their own entry, sorted.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.names.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }

    /// The effects of all procedures of a program that it does not define.
    pub fn of_program(&self, program: &Program) -> Known {
        let mut names = Vec::new();
        let operations =
            program.procedures.iter().flat_map(|one| &one.blocks).flat_map(|block| &block.operations);
        for operation in operations {
            match &operation.kind {
                OperationKind::Call(call) => {
                    match &call.callee {
                        Callee::Named(name) => names.push(name),
                        Callee::OneOf(several) => names.extend(several),
                        Callee::Indirect(_) => {}
                    }
                    let values = call.arguments.iter().filter_map(|argument| match argument {
                        crate::program::Argument::Value(Value::Procedure(name)) => Some(name),
                        _ => None,
                    });
                    names.extend(values);
                }
                OperationKind::Write { value: Value::Procedure(name), .. } => names.push(name),
                _ => {}
            }
        }
        self.of_names(names.into_iter().map(String::as_str))
    }

    pub fn of_names<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Known {
        let mut known = Known::default();
        for name in names {
            if !known.effects.contains_key(name) {
                if let Some(effects) = self.entry(name).and_then(|entry| entry.call_effects()) {
                    known.effects.insert(name.to_owned(), effects);
                }
            }
        }
        known
    }

    fn written(&self, name: &str) -> Option<Entry> {
        let named = self.names.get(name)?;
        let text = &self.texts[named.text];
        let mut entry = parse::entry(&text.text, text.section, named.value).ok()?;
        if text.section == Section::Fortran {
            rules::by_reference(&mut entry);
        }
        Some(entry)
    }

    fn is_for_fortran(&self, name: &str) -> bool {
        let section = self.names.get(name).map(|named| self.texts[named.text].section);
        section == Some(Section::CAndFortran)
    }

    /// Finds the names of all entries. `read`: reads each entry too, so that a mistake is reported.
    fn index(&mut self, path: &str, text: &str, read: bool) -> Result<(), CatalogueError> {
        let mut section = Section::C;
        for (line, text) in logical_lines(text) {
            let wrong = |what: String| CatalogueError { path: path.to_owned(), line, what };
            if let Some(word) = text.strip_prefix('[') {
                let word = word.trim_end_matches(']');
                section =
                    Section::of_word(word).ok_or_else(|| wrong(format!("unknown section `[{word}]`")))?;
                continue;
            }
            let Some(open) = text.find('(') else {
                return Err(wrong("`(` is missing after the name".to_owned()));
            };
            let (names, body) = text.split_at(open);
            for pattern in parse::separated(names) {
                for (name, value) in expanded(pattern).map_err(wrong)? {
                    if read {
                        parse::entry(body, section, value).map_err(wrong)?;
                    }
                    self.insert(name, value, section);
                }
            }
            self.texts.push(Text { text: body.to_owned(), section });
        }
        Ok(())
    }

    fn insert(&mut self, name: String, value: i64, section: Section) {
        let name = match section {
            Section::C | Section::CAndFortran => name,
            Section::Mpi => {
                self.lower.insert(name.to_ascii_lowercase(), name.clone());
                name
            }
            Section::Fortran => format!("{name}_"),
            Section::Modules => format!("%{name}"),
            Section::Intrinsics => format!("fortran%{name}"),
        };
        self.names.insert(name, Named { text: self.texts.len(), value });
    }
}

/// The effects of a list of procedures.
#[derive(Debug, Default)]
pub struct Known {
    effects: FxHashMap<String, CallEffects>,
}

impl Effects for Known {
    fn effects(&self, name: &str) -> Option<&CallEffects> {
        self.effects.get(name)
    }
}

/// An entry to fill in, for a procedure with this number of arguments. It contains the assumptions of the
/// analyses.
pub fn to_fill_in(name: &str, arguments: usize) -> String {
    let (name, section) = match name.strip_suffix('_') {
        Some(name) => (name, "[fortran]\n"),
        None => (name, ""),
    };
    let mut text = format!("{section}{name}(");
    for number in 1..=arguments {
        let comma = if number > 1 { ", " } else { "" };
        let _ = write!(text, "{comma}a{number}: both deep keep");
    }
    text.push_str(if section.is_empty() { ") -> unknown" } else { ")" });
    text
}

/// Each entry as one line with the number of its first line, without comments. A line that begins with a blank
/// continues the line before.
fn logical_lines(text: &str) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        match lines.last_mut().filter(|_| line.starts_with([' ', '\t'])) {
            Some((_, before)) => {
                before.push(' ');
                before.push_str(trimmed);
            }
            None => lines.push((index + 1, trimmed.to_owned())),
        }
    }
    lines
}

/// `{s=4,d=8}copy` is `scopy` with the value 4 and `dcopy` with 8.
fn expanded(pattern: &str) -> Result<Vec<(String, i64)>, String> {
    let Some((before, rest)) = pattern.split_once('{') else { return Ok(vec![(pattern.to_owned(), 1)]) };
    let (inside, after) = rest.split_once('}').ok_or_else(|| "`}` is missing".to_owned())?;
    let mut names = Vec::new();
    for choice in inside.split(',') {
        let (text, value) = match choice.split_once('=') {
            Some((text, value)) => {
                (text, value.trim().parse().map_err(|_| format!("`{value}` is no number"))?)
            }
            None => (choice, 1),
        };
        for (rest, inner) in expanded(after)? {
            names.push((format!("{before}{}{rest}", text.trim()), value * inner));
        }
    }
    Ok(names)
}

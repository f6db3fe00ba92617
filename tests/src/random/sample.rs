//! A generated program as a tree of text that can be reduced.
//!
//! Input: the nodes of a generator.
//! Output: source files.
//! Postcondition: if nodes are removed according to their `Reduction` and `key`, every variable that is still
//! used is still registered. Only the compiler decides whether the rest still compiles.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::program::Language;

/// Makes random programs of one language. A program calls `tick` (C: `void tick(void)`, Fortran: `external tick`,
/// without arguments) where it may be killed, and prints its results at its end, after `shutdown`, floating point as
/// hexadecimal or exact digits. It may write files into its working directory. It must be legal by the standard
/// of its language and by docs/directives.md, and its result must not depend on compiler or optimisation.
pub trait Generator: Sync {
    fn language(&self) -> Language;

    /// The same seed and size give the same program.
    fn generate(&self, seed: u64, size: Size) -> Sample;
}

/// The size of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// For `make check`: some hundred lines, runs for milliseconds.
    Small,
    /// For `make soak`.
    Large,
}

/// One program.
#[derive(Debug, Clone)]
pub struct Sample {
    pub language: Language,
    /// In the order in which they are compiled.
    pub files: Vec<SourceFile>,
    /// `None` for a sequential program. Otherwise it is an MPI program.
    pub processes: Option<u32>,
    /// For the compiler, in every build.
    pub flags: Vec<String>,
    /// A program that only one compiler can compile (`gfortran`) names it.
    pub only_compiler: Option<&'static str>,
    /// Files that it writes, by name; `{rank}` stands for each rank. They are compared at the end.
    pub writes: Vec<String>,
    /// Codes of diagnostics with which the translation may refuse it (`C0505`), according to the documents.
    pub refusals: Vec<&'static str>,
}

#[derive(Debug, Clone)]
pub struct SourceFile {
    pub name: String,
    /// False for a header or an included file.
    pub is_compiled: bool,
    pub text: Vec<Node>,
}

/// A statement, a declaration or a group of them.
#[derive(Debug, Clone)]
pub struct Node {
    pub head: Vec<String>,
    pub body: Vec<Node>,
    pub tail: Vec<String>,
    pub reduction: Reduction,
    /// Nodes of a program with the same key other than 0 are removed together or not at all: a declaration and
    /// the directive that registers its variable.
    pub key: u32,
}

/// The changes that the minimiser may try with a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduction {
    /// It stays, but nodes in its body may be removed. It is removed only with all nodes of its key.
    Fixed,
    /// It can be removed with its body.
    Remove,
    /// It can be removed, or replaced by its body.
    Unwrap,
}

impl Node {
    /// Lines that can be removed together.
    pub fn lines<T: Into<String>>(lines: impl IntoIterator<Item = T>) -> Node {
        let head = lines.into_iter().map(Into::into).collect();
        Node { head, body: Vec::new(), tail: Vec::new(), reduction: Reduction::Remove, key: 0 }
    }

    pub fn line(line: impl Into<String>) -> Node {
        Node::lines([line.into()])
    }

    /// A construct: `while (…) {`, statements, `}`.
    pub fn block(head: impl Into<String>, body: Vec<Node>, tail: impl Into<String>) -> Node {
        Node { head: vec![head.into()], body, tail: vec![tail.into()], reduction: Reduction::Remove, key: 0 }
    }

    pub fn fixed(mut self) -> Node {
        self.reduction = Reduction::Fixed;
        self
    }

    pub fn unwrap(mut self) -> Node {
        self.reduction = Reduction::Unwrap;
        self
    }

    pub fn key(mut self, key: u32) -> Node {
        self.key = key;
        self.reduction = Reduction::Fixed;
        self
    }

    /// The number of its lines, including those of its body.
    pub fn count_lines(&self) -> usize {
        self.head.len() + self.tail.len() + self.body.iter().map(Node::count_lines).sum::<usize>()
    }

    fn write(&self, depth: usize, text: &mut String, language: Language) {
        let put = |lines: &[String], text: &mut String| {
            for line in lines {
                // Directives of C are not indented, and neither are lines of Fortran, because columns may
                // matter there.
                if language == Language::C && !line.starts_with('#') {
                    text.push_str(&"    ".repeat(depth));
                }
                text.push_str(line);
                text.push('\n');
            }
        };
        put(&self.head, text);
        let inner = depth + usize::from(!self.head.is_empty());
        for node in &self.body {
            node.write(inner, text, language);
        }
        put(&self.tail, text);
    }
}

impl SourceFile {
    pub fn new(name: impl Into<String>, text: Vec<Node>) -> SourceFile {
        SourceFile { name: name.into(), is_compiled: true, text }
    }

    pub fn text(&self, language: Language) -> String {
        let mut text = String::new();
        for node in &self.text {
            node.write(0, &mut text, language);
        }
        text
    }
}

impl Sample {
    pub fn new(language: Language) -> Sample {
        Sample {
            language,
            files: Vec::new(),
            processes: None,
            flags: Vec::new(),
            only_compiler: None,
            writes: Vec::new(),
            refusals: Vec::new(),
        }
    }

    /// All files, one below the other.
    pub fn listing(&self) -> String {
        let listed = self.files.iter().map(|file| {
            let comment = match self.language {
                Language::C => format!("/* ---- {} ---- */", file.name),
                Language::Fortran => format!("! ---- {} ----", file.name),
            };
            format!("{comment}\n{}", file.text(self.language))
        });
        listed.collect()
    }

    /// Writes the files into a directory. Returns the paths of those that are compiled.
    pub fn write(&self, directory: &Path) -> Result<Vec<PathBuf>> {
        std::fs::create_dir_all(directory)?;
        let mut sources = Vec::new();
        for file in &self.files {
            let path = directory.join(&file.name);
            let text = file.text(self.language);
            std::fs::write(&path, text).with_context(|| format!("cannot write `{}`", path.display()))?;
            if file.is_compiled {
                sources.push(path);
            }
        }
        Ok(sources)
    }

    pub fn ranks(&self) -> std::ops::Range<u32> {
        0..self.processes.unwrap_or(1)
    }
}

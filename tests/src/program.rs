//! The programs with which the product is tested.
//!
//! Input: the folders `tests/programs/c` and `tests/programs/fortran`, and `examples`. A file is a program,
//! and a directory is a program of several files.
//! Output: what is needed to build and run each program.
//! Postcondition: every program in a folder is tested.
//!
//! The first comment of a program may contain its special needs, as lines such as `processes: 4`, `arguments:
//! a b`, `flags: -fopenmp`, `warns: word`, `order: b.f90 a.f90`, `compilers: gfortran`, `writes: files`, `rehearse:
//! --compare a.txt`, `rehearse: without --state (REASON)`, `rehearse: never (REASON)`.

use std::path::{Path, PathBuf};

use anyhow::{bail, Context, Result};

use crate::product::{here, workspace, Product};

/// The MPI whose compiler and launcher a parallel program uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mpi {
    /// The MPI whose commands have the plain names (`mpicc`).
    Default,
    /// The commands have the names that they get if another MPI is installed too.
    Mpich,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    C,
    Fortran,
}

#[derive(Debug, Clone)]
pub struct Program {
    pub name: String,
    /// The language of its sources. Fortran if there are both.
    pub language: Language,
    /// The files to compile, sorted by name or in the order that its first comment gives.
    pub sources: Vec<PathBuf>,
    /// The directory of its headers and data files.
    pub directory: PathBuf,
    /// None for a sequential program.
    pub processes: Option<u32>,
    pub mpi: Mpi,
    pub arguments: Vec<String>,
    /// Flags of the compiler, for compiling and linking.
    pub flags: Vec<String>,
    /// A word of the warning that its translation must report. None if there must be no warning.
    pub warns: Option<String>,
    /// It writes files into its working directory.
    pub writes: bool,
    /// Other compilers cannot compile it.
    pub only_gfortran: bool,
    /// The options of `cppc rehearse` for it. None if a rehearsal cannot pass.
    pub rehearsal: Option<Vec<String>>,
}

/// The options of a rehearsal of which the first comment says nothing.
const REHEARSAL: &str = "--state";

/// The arguments of the examples. Their default sizes are too large for tests.
const EXAMPLES: [(&str, Option<u32>, &[&str]); 7] = [
    ("c/heat", Some(4), &["24", "20", "12"]),
    ("c/matrix", Some(4), &["24", "9", "matrix.txt"]),
    ("c/nested", Some(4), &["3"]),
    ("c/sequential", None, &["20", "10"]),
    ("fortran/matrix-f77", Some(4), &[]),
    ("fortran/matrix-f90", Some(4), &[]),
    ("mixed/waves", None, &["20"]),
];

/// All programs, sorted by name.
pub fn programs() -> Result<Vec<Program>> {
    let mut programs = in_folder(&here("programs/c"))?;
    programs.extend(in_fortran()?);
    for (name, processes, arguments) in EXAMPLES {
        let directory = workspace().join("examples").join(name);
        let short = name.rsplit('/').next().unwrap_or(name).replace('-', "_");
        let mut program = Program::read(&format!("example_{short}"), &directory)?;
        program.processes = processes;
        program.arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        programs.push(program);
    }
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(programs)
}

/// The programs that contain Fortran, by their names.
pub fn in_fortran() -> Result<Vec<Program>> {
    let mut programs = in_folder(&here("programs/fortran"))?;
    for program in &mut programs {
        program.name = format!("fortran_{}", program.name);
    }
    Ok(programs)
}

/// The programs of one folder.
pub fn in_folder(folder: &Path) -> Result<Vec<Program>> {
    let mut programs = Vec::new();
    for path in entries(folder)? {
        let stem = path.file_stem().context("an entry has a name")?.to_string_lossy().into_owned();
        if path.is_dir() || Language::of(&path).is_some() {
            programs.push(Program::read(&stem, &path)?);
        }
    }
    Ok(programs)
}

impl Program {
    /// A program of one file, or of all files in a directory.
    pub fn read(name: &str, path: &Path) -> Result<Program> {
        let (directory, sources) = if path.is_dir() {
            let is_source = |path: &PathBuf| Language::of(path).is_some();
            (path.to_owned(), entries(path)?.into_iter().filter(is_source).collect())
        } else {
            (path.parent().unwrap_or(Path::new(".")).to_owned(), vec![path.to_owned()])
        };
        let mut program = Program {
            name: name.to_owned(),
            language: Language::C,
            sources,
            directory,
            processes: None,
            mpi: Mpi::Default,
            arguments: Vec::new(),
            flags: Vec::new(),
            warns: None,
            writes: false,
            only_gfortran: false,
            rehearsal: Some(vec![REHEARSAL.to_owned()]),
        };
        for source in program.sources.clone() {
            let language = Language::of(&source).unwrap_or(Language::C);
            if language == Language::Fortran {
                program.language = language;
            }
            program.read_comment(&std::fs::read(&source)?, language)?;
        }
        Ok(program)
    }

    fn read_comment(&mut self, text: &[u8], language: Language) -> Result<()> {
        let text = String::from_utf8_lossy(text);
        let lines: Vec<&str> = match language {
            Language::C => text.split("*/").next().unwrap_or_default().lines().collect(),
            Language::Fortran => {
                let lines = text.lines().take_while(|line| line.starts_with(['!', 'c', 'C', '*']));
                lines.map(|line| &line[1..]).collect()
            }
        };
        for line in lines {
            let line = line.trim_start_matches([' ', '*']).trim_end();
            let Some((key, value)) = line.split_once(": ") else { continue };
            let words = || value.split_whitespace().map(str::to_owned).collect();
            match key {
                "processes" => {
                    let number = value.parse();
                    self.processes = Some(number.with_context(|| format!("`{line}`"))?);
                }
                "arguments" => self.arguments = words(),
                "flags" => self.flags = words(),
                "warns" => self.warns = Some(value.to_owned()),
                "order" => {
                    self.sources = value.split_whitespace().map(|name| self.directory.join(name)).collect()
                }
                "writes" => self.writes = true,
                "rehearse" => self.rehearsal = rehearsal(value)?,
                "compilers" => self.only_gfortran = value == "gfortran",
                _ => {}
            }
        }
        Ok(())
    }

    /// The launcher that starts several processes of it.
    pub fn launcher(&self) -> &'static str {
        match self.mpi {
            Mpi::Default => "mpirun",
            Mpi::Mpich => "mpirun.mpich",
        }
    }

    /// The command that starts an executable of it.
    pub fn launched(&self, executable: &str, arguments: &[&str]) -> Vec<String> {
        let count = self.processes.map(|count| count.to_string());
        let launcher = count.iter().flat_map(|count| [self.launcher(), "-n", count]);
        let words = launcher.chain([executable]).chain(arguments.iter().copied());
        words.map(str::to_owned).collect()
    }

    /// The C compiler for its MPI.
    pub fn c_compiler(&self) -> &'static str {
        match (self.processes, self.mpi) {
            (None, _) => "cc",
            (Some(_), Mpi::Default) => "mpicc",
            (Some(_), Mpi::Mpich) => "mpicc.mpich",
        }
    }

    /// The libraries for its MPI.
    pub fn product(&self) -> Result<&'static Product> {
        match self.mpi {
            Mpi::Default => Product::get(),
            Mpi::Mpich => Product::for_mpich().context("no libraries for MPICH are staged"),
        }
    }

    /// The library with which its translation is linked.
    pub fn library(&self) -> &'static str {
        if self.processes.is_some() {
            "cppc_mpi"
        } else {
            "cppc"
        }
    }

    /// The ranks, `0` alone for a sequential program.
    pub fn ranks(&self) -> std::ops::Range<u32> {
        0..self.processes.unwrap_or(1)
    }
}

/// The options of a mark. Its end, in parentheses, is the reason.
fn rehearsal(mark: &str) -> Result<Option<Vec<String>>> {
    let what = mark.split('(').next().unwrap_or_default().trim();
    let options = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    match what.strip_prefix("without --state") {
        _ if what == "never" => Ok(None),
        Some(rest) => Ok(Some(options(rest))),
        None if what.starts_with("--") => Ok(Some([vec![REHEARSAL.to_owned()], options(what)].concat())),
        None => bail!("`rehearse: {mark}` is not a mark"),
    }
}

impl Language {
    /// None for a file that is not a source.
    pub fn of(path: &Path) -> Option<Language> {
        match path.extension()?.to_str()? {
            "c" => Some(Language::C),
            "f" | "F" | "f90" | "F90" => Some(Language::Fortran),
            _ => None,
        }
    }
}

/// The entries of a folder, sorted.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    let read = std::fs::read_dir(folder);
    for entry in read.with_context(|| format!("cannot read `{}`", folder.display()))? {
        paths.push(entry?.path());
    }
    paths.sort();
    Ok(paths)
}

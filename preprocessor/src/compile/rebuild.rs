//! Compiles objects again whose translation for the whole program differs from the one with which they were compiled.
//!
//! Input: records, each with its new text.
//! Output: objects in temporary files.
//! Postcondition: several compilers run at a time. Their messages appear in the order of the objects.

use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Mutex;

use cppc_grammar::fortran::lines::Options;

use super::compiler::{code, Compiler};
use super::object_cache::{Key, ObjectCache, Recipe};
use super::record::Record;
use super::request::{Digest, Translated};
use super::temporary::TemporaryDirectory;
use super::{Failure, Task};
use crate::language::Language;
use crate::modules::MODULE_DIRECTORY;

/// The objects to compile.
pub struct Rebuilds {
    rebuilds: Vec<Rebuild>,
    cache: Option<ObjectCache>,
}

struct Rebuild {
    /// The object that is replaced, and its source.
    shown: String,
    source: PathBuf,
    compiler: Compiler,
    words: Vec<OsString>,
    directory: PathBuf,
    /// The file that is compiled.
    file: PathBuf,
    object: PathBuf,
    stored: Option<Stored>,
}

/// The entry of an object in the cache, and the dependency file that it needs.
struct Stored {
    key: Key,
    rule: PathBuf,
    /// The arguments of another command that writes this file. C compilers write it while they compile.
    rule_words: Option<Vec<OsString>>,
    /// Where the compiler writes the modules of the source.
    modules: Option<PathBuf>,
}

impl Rebuilds {
    pub fn new() -> Rebuilds {
        Rebuilds { rebuilds: Vec::new(), cache: ObjectCache::of_environment() }
    }

    /// Adds an object. Returns its path.
    pub fn prepare(
        &mut self,
        task: &Task,
        temporary: &TemporaryDirectory,
        record: &Record,
        text: &Translated,
        (shown, replaced): (&str, u128),
    ) -> Result<PathBuf, Failure> {
        let unit = &record.unit;
        let source_digest = Digest::of_file(&unit.path());
        if record.source != source_digest {
            let source = unit.source.display();
            let name = task.wrapper.name;
            eprintln!("{name}: warning: `{source}` has changed since `{shown}` was compiled from it");
        }
        let compiler = task.compiler.with_words(record.compiler.clone());
        let object = temporary.new_path("object.o".as_ref())?;
        let language = unit.language();
        let options = compile_options(task, record);
        let modules = match language {
            Language::C => None,
            Language::Fortran => module_directory(temporary, &compiler)?,
        };
        let (directory, source) = (&unit.directory, &unit.source);
        let key = self.cache.as_mut().and_then(|cache| {
            cache.key(&Recipe {
                compiler: &compiler,
                language,
                options: &options,
                directory,
                source,
                text: &text.text,
                replaced,
            })
        });
        let (mut words, back, file) = if text.changed {
            let translated_file = temporary.write_translated(&unit.source, language, text)?;
            let (front, back) = translated_file.options(&compiler);
            (front, back, translated_file.file)
        } else {
            (Vec::new(), Vec::new(), unit.source.clone())
        };
        words.extend(options);
        words.extend(modules.iter().flat_map(|directory| ["-J".into(), directory.into()]));
        words.extend(back);
        let stored = key.map(|key| {
            let rule = object.with_extension("d");
            let rule_words = match language {
                Language::C => None,
                Language::Fortran => Some(fortran_rule(&words, record, &file, &rule)),
            };
            Stored { key, rule, rule_words, modules }
        });
        if let Some(Stored { rule, rule_words: None, .. }) = &stored {
            words.extend(["-MD".into(), "-MF".into(), rule.into()]);
        }
        words.extend(["-c".into(), file.clone().into(), "-o".into(), object.clone().into()]);
        self.rebuilds.push(Rebuild {
            shown: shown.to_owned(),
            source: unit.source.clone(),
            compiler,
            words,
            directory: unit.directory.clone(),
            file,
            object: object.clone(),
            stored,
        });
        Ok(object)
    }

    /// Compiles all objects. Returns the code of the first compiler that failed.
    pub fn run(&self, task: &Task) -> Result<u8, Failure> {
        if self.rebuilds.is_empty() {
            return Ok(0);
        }
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(self.rebuilds.len());
        let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        let done: Vec<Mutex<Option<Done>>> = self.rebuilds.iter().map(|_| Mutex::new(None)).collect();
        let work = || loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let (Some(rebuild), false) = (self.rebuilds.get(index), stopped.load(Ordering::Relaxed)) else {
                return;
            };
            let result = rebuild.make(self.cache.as_ref());
            let failed = match &result {
                Done::FromCache => false,
                Done::Compiled(output) => output.as_ref().map_or(true, |output| !output.status.success()),
            };
            stopped.fetch_or(failed, Ordering::Relaxed);
            if let Ok(mut slot) = done[index].lock() {
                *slot = Some(result);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(work);
            }
            work();
        });
        let mut has_compiled = false;
        for (rebuild, done) in self.rebuilds.iter().zip(done) {
            // Those after a failure were not made.
            let Ok(Some(done)) = done.into_inner() else { continue };
            let Rebuild { shown, source, .. } = rebuild;
            let output = match done {
                Done::FromCache => {
                    task.report(|| {
                        format!("`{shown}` is replaced by an earlier compilation of `{}`", source.display())
                    });
                    continue;
                }
                Done::Compiled(output) => output.map_err(|error| rebuild.compiler.cannot_run(&error))?,
            };
            has_compiled = true;
            task.report(|| format!("`{shown}` is compiled again from `{}`", source.display()));
            // Standard error may be closed. The exit code still reports the error.
            let _ = std::io::stdout().write_all(&output.stdout);
            let _ = std::io::stderr().write_all(&output.stderr);
            if !output.status.success() {
                return Ok(code(output.status));
            }
        }
        if let Some(cache) = self.cache.as_ref().filter(|_| has_compiled) {
            cache.prune();
        }
        Ok(0)
    }
}

enum Done {
    FromCache,
    Compiled(std::io::Result<Output>),
}

impl Rebuild {
    fn make(&self, cache: Option<&ObjectCache>) -> Done {
        let stored = cache.zip(self.stored.as_ref());
        if stored.is_some_and(|(cache, Stored { key, .. })| cache.load(key, &self.directory, &self.object)) {
            return Done::FromCache;
        }
        let mut command: Command = self.compiler.command(&self.words);
        command.current_dir(&self.directory);
        let output = self.compiler.output(command);
        // Warnings are not stored: they already appeared when the object was compiled.
        let succeeded = output.as_ref().is_ok_and(|output| output.status.success());
        if let (Some((cache, stored)), true) = (stored, succeeded) {
            if self.writes_rule(stored) {
                let own: Vec<&Path> = [Some(&self.file), stored.modules.as_ref()]
                    .into_iter()
                    .flatten()
                    .map(PathBuf::as_path)
                    .collect();
                cache.store(&stored.key, &self.directory, &self.object, &stored.rule, &own);
            }
        }
        Done::Compiled(output)
    }

    /// Whether there is a dependency file.
    fn writes_rule(&self, stored: &Stored) -> bool {
        let Some(words) = &stored.rule_words else { return true };
        let mut command = self.compiler.command(words);
        command.current_dir(&self.directory);
        self.compiler.output(command).is_ok_and(|output| output.status.success())
    }
}

/// The arguments of the command that writes the dependency file of a Fortran source, with the module files. `words` are the
/// options of its compilation.
fn fortran_rule(words: &[OsString], record: &Record, file: &Path, rule: &Path) -> Vec<OsString> {
    let mut rule_words = words.to_vec();
    // `gfortran` writes this file only when it preprocesses. In a source that is not meant for that, nothing may disappear
    // as a comment of C or as a macro.
    rule_words.push("-cpp".into());
    if !Options::of(&record.unit.source, &record.unit.flags).preprocess {
        rule_words.extend(["-C".into(), "-undef".into()]);
    }
    rule_words.extend(["-fsyntax-only", "-w", "-MD", "-MF"].map(OsString::from));
    rule_words.extend([rule.into(), file.into()]);
    rule_words
}

/// The options of a record, without the directory of new module files.
fn compile_options(task: &Task, record: &Record) -> Vec<OsString> {
    let include = task.prefix.include().map(PathBuf::into_os_string);
    let is_fortran = record.unit.language() == Language::Fortran;
    let mut words = Vec::new();
    if let (Some(directory), false) = (&include, is_fortran) {
        words.extend(["-idirafter".into(), directory.clone()]);
    }
    if !is_fortran {
        words.extend(record.options.iter().cloned());
        return words;
    }
    let mut options = record.options.iter();
    while let Some(option) = options.next() {
        let value = MODULE_DIRECTORY.iter().find_map(|name| option.as_bytes().strip_prefix(name.as_bytes()));
        let directory = match value {
            None => {
                words.push(option.clone());
                continue;
            }
            Some(b"") => options.next().cloned().unwrap_or_default(),
            Some(joined) => OsStr::from_bytes(joined).to_owned(),
        };
        words.extend(["-I".into(), directory]);
    }
    words.extend(include.into_iter().flat_map(|directory| ["-I".into(), directory]));
    words
}

/// The directory of the module files of a repeated compilation. It is a temporary one, because other processes may be about
/// to read the existing files.
fn module_directory(temporary: &TemporaryDirectory, compiler: &Compiler) -> Result<Option<PathBuf>, Failure> {
    if !compiler.accepts(Language::Fortran, &["-J."]) {
        return Ok(None);
    }
    Ok(temporary.new_path("modules".as_ref())?.parent().map(Path::to_owned))
}

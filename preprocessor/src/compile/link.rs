//! The link: all files of the program and every call between them are known.
//!
//! Input: the task.
//! Output: a program that contains the runtime.
//! Postcondition: each source, and each object with a record, is in the program as translated for the whole
//! program. Objects without records, and programs without directives, are linked unchanged.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use cppc_abi::sections::{self, SharedLibrary, LIBRARIES_SECTION, RECORDS_SECTION};

use super::archive::{library, LinkedFile};
use super::compiler::code;
use super::line::{Composed, Input, Kind, Role, Word};
use super::objects::{self, compile_standard_input};
use super::rebuild::Rebuilds;
use super::record::Record;
use super::request::{Digest, Dispatch, Request, Translated};
use super::temporary::{cannot_write, TemporaryDirectory, TranslatedFile};
use super::{depfile, elf, mpi, response, scan, Failure, Task};
use crate::language::Language;

/// Command lines that are longer than this are passed in a response file.
const LONG_LINE_BYTES: usize = 100_000;

pub fn link(task: &Task) -> Result<u8, Failure> {
    let sources: Vec<&Input> = task.line.inputs().filter(|input| input.source().is_some()).collect();
    if sources.iter().any(|source| source.path == Path::new("-")) {
        return compile_standard_input(task, &runtime(task, false)?);
    }
    let is_partial = task.line.has("-r");
    let linked = if is_partial { Vec::new() } else { linked(task) };
    let has_directives = sources.iter().any(|source| task.may_carry_directives(source))
        || records(&linked).any(|record| record.instrumented)
        || task.options.analyses.automatic.has_checkpoints();
    if is_partial || !has_directives {
        let mut words = task.words_with_header();
        if may_call_runtime(task, &linked) {
            words.extend(runtime(task, false)?);
        }
        return Err(task.compiler.replace_process(&words));
    }
    Program { task, sources, linked }.build()
}

/// The objects and archives that are linked in addition to the sources.
fn linked(task: &Task) -> Vec<LinkedFile> {
    let directories = task.line.values("-L");
    let is_static = task.line.has("-static") || task.line.has("-static-pie");
    let mut paths: Vec<PathBuf> = Vec::new();
    for word in &task.line.words {
        match word {
            Word::Input(input) if input.kind == Kind::LinkerInput => paths.push(input.path.clone()),
            Word::Option { .. } => paths.extend(library_of(word, &directories, is_static)),
            Word::Input(_) => {}
        }
    }
    paths.sort();
    paths.dedup();
    paths.iter().filter_map(|path| LinkedFile::open(path)).collect()
}

/// The archive or the shared library that an option `-lNAME` refers to.
fn library_of(word: &Word, directories: &[OsString], is_static: bool) -> Option<PathBuf> {
    let Word::Option { texts, role: Role::Link } = word else { return None };
    let joined: String = texts.iter().map(|text| text.to_string_lossy()).collect();
    library(joined.strip_prefix("-l")?, directories, is_static)
}

fn records(linked: &[LinkedFile]) -> impl Iterator<Item = &Record> {
    linked.iter().flat_map(|file| &file.members).flat_map(|member| &member.records)
}

/// Whether a program without directives may call the runtime. A test program of a build system does not. It would find
/// functions in the libraries that the runtime needs.
fn may_call_runtime(task: &Task, linked: &[LinkedFile]) -> bool {
    task.line.inputs().any(|input| match input.kind {
        Kind::LinkerInput => linked.iter().all(|file| file.path != input.path),
        _ => scan::may_name_runtime(&input.path, &task.include_directories()),
    }) || linked.iter().flat_map(|file| &file.members).any(|member| member.may_call_runtime)
}

/// The words that link the runtime. With `-shared` the calls of the runtime stay unresolved, so that a
/// program and its libraries share one runtime.
fn runtime(task: &Task, required: bool) -> Result<Vec<OsString>, Failure> {
    let is_library = task.line.has("-shared") && !task.options.shared;
    if task.line.has("-r") || is_library {
        return Ok(Vec::new());
    }
    let is_for_mpi = task
        .options
        .mpi
        .unwrap_or_else(|| task.line.words.iter().any(is_of_mpi) || task.compiler.is_for_mpi());
    let name = if is_for_mpi { "cppc_mpi" } else { "cppc" };
    let extension = if task.options.shared { "so" } else { "a" };
    let directory = task.prefix.libraries();
    let file = directory.join(format!("lib{name}.{extension}"));
    if !file.exists() {
        let missing = task.prefix.missing(&format!("lib/lib{name}.{extension}"));
        return if required { Err(missing) } else { Ok(Vec::new()) };
    }
    if is_for_mpi && required {
        mpi::compare(task)?;
    }
    let mut words: Vec<OsString> = vec!["-x".into(), "none".into()];
    if is_for_mpi {
        words.push(redirected(cppc_abi::WRAPPED_FUNCTIONS_OF_MPI));
    }
    if is_for_mpi && task.options.messages {
        words.extend(task.prefix.message_check()?);
    }
    words.push(file.into());
    if task.options.shared {
        let mut search = OsString::from("-Wl,-rpath,");
        search.push(&directory);
        words.push(search);
    } else {
        words.extend(cppc_abi::STATIC_LIBRARY_NEEDS.iter().map(OsString::from));
        // The runtime searches for its writers in this directory. A static program cannot load writers, and
        // the C library stops a static PIE that has a search path before `main`.
        let is_static = task.line.has("-static") || task.line.has("-static-pie");
        let writers = directory.join("cppc/writers");
        if writers.exists() && !is_static {
            let mut search = OsString::from("-Wl,-rpath,");
            search.push(&writers);
            words.push(search);
        }
    }
    Ok(words)
}

/// Whether a word is a library of MPI. CMake passes libraries by path.
fn is_of_mpi(word: &Word) -> bool {
    match word {
        Word::Option { texts, role: Role::Link } => {
            let joined: String = texts.iter().map(|text| text.to_string_lossy()).collect();
            joined.starts_with("-lmpi")
        }
        Word::Option { .. } => false,
        Word::Input(input) => {
            let name = input.path.file_name().unwrap_or_default().to_string_lossy();
            input.kind == Kind::LinkerInput && name.starts_with("libmpi")
        }
    }
}

/// A program that contains directives.
struct Program<'a> {
    task: &'a Task<'a>,
    sources: Vec<&'a Input>,
    linked: Vec<LinkedFile>,
}

impl Program<'_> {
    fn build(mut self) -> Result<u8, Failure> {
        let task = self.task;
        self.drop_records_without_source();
        let translated = self.translate()?;
        // If nothing was added to a program without directives, it is linked as it is.
        let is_needed = translated.iter().any(|text| text.changed) || may_call_runtime(task, &self.linked);
        let mut runtime = if is_needed { runtime(task, true)? } else { Vec::new() };
        if task.options.allocations || translated.iter().any(|text| text.needs_allocations) {
            task.report(|| "the allocations of the program are recorded".to_owned());
            runtime.push(wrapped_functions());
        }
        let digests: Vec<Option<Digest>> = translated.iter().map(Translated::digest).collect();
        let mut translated = translated.into_iter();
        let texts: Vec<Translated> = translated.by_ref().take(self.sources.len()).collect();
        let temporary = TemporaryDirectory::open(task.options.keep.as_deref())?;
        let again = self.compile_objects_again(&temporary, translated.collect())?;
        if again != 0 {
            return Ok(again);
        }

        let changes = |language: Language| {
            let mut both = self.sources.iter().zip(&texts);
            both.any(|(source, text)| text.changed && source.source() == Some(language))
        };
        let any_fortran_changes = changes(Language::Fortran);
        let mut link_inputs = Vec::new();
        for (source, text) in self.sources.iter().zip(&texts) {
            let needs_order = any_fortran_changes && source.source() == Some(Language::Fortran);
            match self.link_input(&temporary, source, text, needs_order)? {
                // Sources after this one may need its module.
                LinkInput::Failed(code) if needs_order => return Ok(code),
                link_input => link_inputs.push(link_input),
            }
        }
        if let Some(LinkInput::Failed(code)) =
            link_inputs.iter().find(|link_input| matches!(link_input, LinkInput::Failed(_)))
        {
            return Ok(*code);
        }
        let words = self.words(&temporary, &link_inputs, runtime)?;
        let status = task.compiler.run(task.compiler.command(&words))?;
        for link_input in &link_inputs {
            if let LinkInput::Translated(translated_file) = link_input {
                depfile::correct(&task.line, translated_file, task.line.output().as_deref())?;
            }
        }
        if status.success() {
            match task.line.has("-shared") {
                true => self.keep_records(&digests)?,
                false => self.name_shared_libraries(),
            }
        }
        Ok(code(status))
    }

    /// Adds the records to the shared library that was linked. A program that is linked with it is translated as a whole.
    /// `translations` are those of the sources, then those of the records.
    fn keep_records(&self, translations: &[Option<Digest>]) -> Result<(), Failure> {
        let mut all: Vec<Record> = Vec::new();
        for source in &self.sources {
            all.push(objects::record(self.task, source)?);
        }
        all.extend(records(&self.linked).cloned());
        let library = self.output();
        let mut content = Vec::new();
        for (mut record, translation) in all.into_iter().zip(translations) {
            record.translation = *translation;
            record.instrumented = translation.is_some();
            record.dispatch = self.dispatch();
            content.extend(record.encode());
        }
        if let Err(why) = elf::add_section(&library, RECORDS_SECTION, &content) {
            let name = self.task.wrapper.name;
            eprintln!("{name}: warning: `{}` contains no records ({why}): programs cannot call its procedures that lead to checkpoints", library.display());
        }
        Ok(())
    }

    /// Lists the shared libraries with directives in the program. The runtime compares them when the program starts.
    fn name_shared_libraries(&self) {
        let shared: Vec<SharedLibrary> = self.linked.iter().filter_map(|file| file.shared.clone()).collect();
        if shared.is_empty() {
            return;
        }
        let program = self.output();
        if let Err(why) = elf::add_section(&program, LIBRARIES_SECTION, &sections::encode(&shared)) {
            let name = self.task.wrapper.name;
            eprintln!("{name}: warning: `{}` does not list its shared libraries ({why}): if one of them is built again, link the program again", program.display());
        }
    }

    fn output(&self) -> PathBuf {
        self.task.line.output().unwrap_or("a.out".into())
    }

    /// An object whose source no longer exists cannot be translated again. It is linked unchanged.
    fn drop_records_without_source(&mut self) {
        for member in self.linked.iter_mut().flat_map(|file| &mut file.members) {
            let gone = member.records.iter().find(|record| !record.unit.path().exists());
            if let Some(record) = gone {
                let message = format!(
                    "`{}`, from which `{}` was compiled, does not exist any more: the object is linked unchanged",
                    record.unit.path().display(),
                    member.shown
                );
                if member.records.iter().any(|record| record.instrumented) {
                    eprintln!("{}: warning: {message}", self.task.wrapper.name);
                } else {
                    self.task.report(|| message);
                }
                member.records.clear();
            }
        }
    }

    /// The texts of the sources, followed by the texts of the records.
    fn translate(&self) -> Result<Vec<Translated>, Failure> {
        let mut units = Vec::new();
        for source in &self.sources {
            units.push(self.task.unit(source)?);
        }
        units.extend(records(&self.linked).map(|record| record.unit.clone()));
        let count = units.len();
        let translation = (self.task.translator)(&Request {
            compiler: self.compiler(Language::C),
            fortran_compiler: self.compiler(Language::Fortran),
            units,
            context: Vec::new(),
            dispatch: self.dispatch(),
            whole: !self.task.line.has("-shared"),
            reported: records(&self.linked).flat_map(|record| record.reported.iter().copied()).collect(),
            is_link: true,
            analyses: self.task.options.analyses.clone(),
        })?;
        if translation.texts.len() != count {
            return Err(Failure::CannotRun("the translation returned the wrong number of files".to_owned()));
        }
        Ok(translation.texts)
    }

    /// The form of jumps that the user has chosen, or else that of the objects.
    fn dispatch(&self) -> Dispatch {
        let of_objects =
            records(&self.linked).find(|record| record.instrumented).map(|record| record.dispatch);
        self.task.options.dispatch.or(of_objects).unwrap_or_default()
    }

    /// The command words of the compiler for a language: those of this wrapper, or those that compiled the
    /// objects of the other language.
    fn compiler(&self, language: Language) -> Vec<OsString> {
        let ours = self.task.compiler.words().to_vec();
        let has_source = self.sources.iter().any(|source| source.source() == Some(language));
        if self.task.wrapper.language == language || has_source {
            return ours;
        }
        let made = records(&self.linked).find(|record| record.unit.language() == language);
        made.map_or(ours, |record| record.compiler.clone())
    }

    /// Compiles objects again whose translation for the whole program differs from the one with which they
    /// were compiled.
    fn compile_objects_again(
        &mut self,
        temporary: &TemporaryDirectory,
        texts: Vec<Translated>,
    ) -> Result<u8, Failure> {
        let mut texts = texts.into_iter();
        let mut rebuilds = Rebuilds::new();
        let members = self.linked.iter_mut().flat_map(|file| {
            let is_shared = file.shared.is_some();
            file.members.iter_mut().map(move |member| (is_shared, member))
        });
        for (is_shared, member) in members {
            let records = member.records.iter().zip(texts.by_ref());
            let other: Vec<(&Record, Translated)> =
                records.filter(|(record, text)| record.translation != text.digest()).collect();
            let Some((record, text)) = other.first() else { continue };
            if is_shared {
                return Err(Failure::CannotRun(format!(
                    "the shared library `{}` was made from another translation of `{}` than this program needs: make the library again; if that does not help, its procedures and those of the program call each other, so link the objects of the library instead",
                    member.shown,
                    record.unit.source.display()
                )));
            }
            if member.records.len() > 1 {
                return Err(Failure::CannotRun(format!(
                    "`{}` was combined from several objects, and `{}` in it has to be translated for this program: link the objects themselves",
                    member.shown,
                    record.unit.source.display()
                )));
            }
            let rebuild =
                rebuilds.prepare(self.task, temporary, record, text, (&member.shown, member.digest))?;
            member.replacement = Some(rebuild);
        }
        rebuilds.run(self.task)
    }

    /// Returns what the compiler's command line contains for a source. A single source is replaced by its
    /// translation. With several sources each becomes an object first, because they may need different
    /// include directories. Fortran sources are compiled in their order, even if they were not translated,
    /// because one may need the module of another.
    fn link_input(
        &self,
        temporary: &TemporaryDirectory,
        source: &Input,
        text: &Translated,
        needs_order: bool,
    ) -> Result<LinkInput, Failure> {
        let task = self.task;
        let language = source.source().unwrap_or_default();
        let compiled = task.line.inputs().filter(|input| input.kind != Kind::LinkerInput).count();
        if !text.changed && (!needs_order || compiled == 1) {
            return Ok(LinkInput::Original);
        }
        let translated_file = if text.changed {
            task.report(|| format!("`{}` is translated", source.path.display()));
            Some(temporary.write_translated(&source.path, language, text)?)
        } else {
            None
        };
        let translated_file = match translated_file {
            Some(only) if compiled == 1 => return Ok(LinkInput::Translated(only)),
            other => other,
        };
        let stem = source.path.file_stem().unwrap_or_default();
        let object = temporary.new_path(&Path::new(stem).with_extension("o").into_os_string())?;
        let mut composed = Composed::default();
        let (front, back) = match &translated_file {
            Some(translated_file) => translated_file.options(&task.compiler),
            None => (Vec::new(), Vec::new()),
        };
        let (headers, headers_last) = task.header_options();
        composed.option(&front);
        composed.option(&headers);
        composed.option(&task.line.options_for(&[Role::Compile, Role::Dependencies]));
        composed.option(&self.dependency_options(stem));
        composed.option(&headers_last);
        composed.option(&back);
        composed.option(&["-c".into()]);
        let file =
            translated_file.as_ref().map_or(source.path.as_path(), |translated_file| &translated_file.file);
        composed.input(file, source.language.as_deref());
        composed.option(&["-o".into(), object.clone().into()]);
        let status = task.compiler.run(task.compiler.command(&composed.words))?;
        if !status.success() {
            return Ok(LinkInput::Failed(code(status)));
        }
        if let Some(translated_file) = &translated_file {
            depfile::correct(&task.line, translated_file, task.line.output().as_deref())?;
        }
        Ok(LinkInput::Object(object))
    }

    /// Options that set path and target of the dependency file for a source that is compiled into a temporary
    /// object.
    fn dependency_options(&self, stem: &std::ffi::OsStr) -> Vec<OsString> {
        let line = &self.task.line;
        let mut options = Vec::new();
        let writes = line.has("-MD") || line.has("-MMD");
        if writes && line.values("-MF").is_empty() {
            options.extend(["-MF".into(), Path::new(stem).with_extension("d").into_os_string()]);
        }
        if writes && line.values("-MT").is_empty() && line.values("-MQ").is_empty() {
            options.extend(["-MT".into(), Path::new(stem).with_extension("o").into_os_string()]);
        }
        options
    }

    /// The command line that links the program.
    fn words(
        &self,
        temporary: &TemporaryDirectory,
        link_inputs: &[LinkInput],
        runtime: Vec<OsString>,
    ) -> Result<Vec<OsString>, Failure> {
        let line = &self.task.line;
        let directories = line.values("-L");
        let is_static = line.has("-static") || line.has("-static-pie");
        let mut composed = Composed::default();
        let mut last = Vec::new();
        for link_input in link_inputs {
            if let LinkInput::Translated(translated_file) = link_input {
                let (front, back) = translated_file.options(&self.task.compiler);
                composed.option(&front);
                last.extend(back);
            }
        }
        let (headers, headers_last) = self.task.header_options();
        composed.option(&headers);
        let mut link_inputs = link_inputs.iter();
        // The runtime calls MPI, so it precedes the libraries of MPI. Some linkers drop a library that nothing before it
        // needs.
        let before = line.words.iter().position(is_of_mpi);
        for (index, word) in line.words.iter().enumerate() {
            if before == Some(index) {
                composed.separate(&runtime);
            }
            match word {
                Word::Option { texts, .. } => match library_of(word, &directories, is_static) {
                    Some(path) if self.is_replaced(&path) => {
                        composed.input(&self.replaced(temporary, &path)?, None);
                    }
                    _ => composed.option(texts),
                },
                Word::Input(input) if input.source().is_some() => match link_inputs.next() {
                    Some(LinkInput::Object(object)) => composed.input(object, None),
                    Some(LinkInput::Translated(translated_file)) => {
                        composed.input(&translated_file.file, input.language.as_deref())
                    }
                    _ => composed.input(&input.path, input.language.as_deref()),
                },
                Word::Input(input) => {
                    let path = self.replaced(temporary, &input.path)?;
                    composed.input(&path, input.language.as_deref());
                }
            }
        }
        composed.option(&headers_last);
        composed.option(&last);
        if before.is_none() {
            composed.separate(&runtime);
        }
        shortened(temporary, composed.words)
    }

    fn is_replaced(&self, path: &Path) -> bool {
        self.linked
            .iter()
            .any(|file| file.path == path && file.members.iter().any(|member| member.replacement.is_some()))
    }

    fn replaced(&self, temporary: &TemporaryDirectory, path: &Path) -> Result<PathBuf, Failure> {
        match self.linked.iter().find(|file| file.path == path) {
            Some(file) => file.replaced(temporary),
            None => Ok(path.to_owned()),
        }
    }
}

/// The option that redirects calls of `malloc` and its relatives to the runtime. Only the objects and archives of
/// this link call other functions. Shared libraries do not.
fn wrapped_functions() -> OsString {
    redirected(cppc_abi::WRAPPED_FUNCTIONS)
}

fn redirected(functions: &[&str]) -> OsString {
    // The runtime refers weakly to the original functions. In a static program, nothing else refers to them.
    let options: Vec<String> =
        functions.iter().map(|name| format!("--wrap={name},--undefined={name}")).collect();
    format!("-Wl,{}", options.join(",")).into()
}

/// What the compiler's command line contains for a source.
enum LinkInput {
    Original,
    Translated(TranslatedFile),
    Object(PathBuf),
    /// Its compilation failed. The compiler has reported the reason.
    Failed(u8),
}

fn shortened(temporary: &TemporaryDirectory, words: Vec<OsString>) -> Result<Vec<OsString>, Failure> {
    let length: usize = words.iter().map(|word| word.len() + 1).sum();
    if length <= LONG_LINE_BYTES {
        return Ok(words);
    }
    let file = temporary.new_path("line".as_ref())?;
    std::fs::write(&file, response::content(&words)).map_err(|error| cannot_write(&file, &error))?;
    let mut at_file = OsString::from("@");
    at_file.push(file);
    Ok(vec![at_file])
}

//! `-c` and `-S`: each source becomes a separate file.
//!
//! Input: the task.
//! Output: objects, each with a record of how it was compiled.
//! Postcondition: an object has the name that the compiler would have given it. A source that was not
//! translated was compiled from its own path.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use cppc_abi::sections::RECORDS_SECTION;

use super::compiler::code;
use super::line::{Action, Composed, Input, Line, Role, Word};
use super::record::Record;
use super::request::{Digest, Translated};
use super::temporary::TemporaryDirectory;
use super::{depfile, elf, modules, scan, Failure, Task};
use crate::language::Language;

pub fn compile(task: &Task) -> Result<u8, Failure> {
    if task.line.inputs().any(|input| input.source().is_some() && input.path == Path::new("-")) {
        return compile_standard_input(task, &[]);
    }
    let sources: Vec<&Input> = task.line.inputs().filter(|input| input.source().is_some()).collect();
    let translated = translate(task, &sources)?;
    if translated.iter().all(|alone| alone.text.is_none()) {
        let status = task.compiler.run(task.compiler.command(&task.words_with_header()))?;
        if status.success() {
            for (source, alone) in sources.into_iter().zip(&translated) {
                keep_record(task, source, alone)?;
            }
        }
        return Ok(code(status));
    }
    let temporary = TemporaryDirectory::open(task.options.keep.as_deref())?;
    let mut translated = translated.into_iter();
    for input in task.line.inputs() {
        let alone = input.source().and_then(|_| translated.next());
        let result = compile_one(task, &temporary, input, alone.as_ref())?;
        if result != 0 {
            return Ok(result);
        }
    }
    Ok(0)
}

/// The result of translating one source alone.
struct SourceTranslation {
    /// `None` if the source is unchanged.
    text: Option<Translated>,
    /// The warnings that were reported.
    reported: Vec<Digest>,
}

/// Each source is translated alone. Changes that the other files of the program require are made at the link.
fn translate(task: &Task, sources: &[&Input]) -> Result<Vec<SourceTranslation>, Failure> {
    let mut translated = Vec::new();
    for source in sources {
        if !task.may_carry_directives(source) {
            translated.push(SourceTranslation { text: None, reported: Vec::new() });
            continue;
        }
        let mut translation = (task.translator)(&task.single_request(task.unit(source)?))?;
        let text = translation.texts.pop().filter(|text| text.changed);
        translated.push(SourceTranslation { text, reported: translation.reported });
    }
    Ok(translated)
}

/// Compiles one input with a separate command.
fn compile_one(
    task: &Task,
    temporary: &TemporaryDirectory,
    input: &Input,
    alone: Option<&SourceTranslation>,
) -> Result<u8, Failure> {
    let output = output(task, input);
    let text = alone.and_then(|alone| alone.text.as_ref());
    let language = input.source().unwrap_or_default();
    let translated_file =
        text.map(|text| temporary.write_translated(&input.path, language, text)).transpose()?;
    let mut composed = Composed::default();
    let mut back = Vec::new();
    if let Some(translated_file) = &translated_file {
        task.report(|| format!("`{}` is translated", input.path.display()));
        let (front, last) = translated_file.options(&task.compiler);
        composed.option(&front);
        back = last;
    }
    let (headers, headers_last) = task.header_options();
    composed.option(&headers);
    for word in &task.line.words {
        match word {
            Word::Option { role: Role::Output, .. } => {}
            Word::Option { texts, .. } => composed.option(texts),
            Word::Input(other) if other == input => {
                let path = translated_file
                    .as_ref()
                    .map_or(input.path.as_path(), |translated_file| &translated_file.file);
                composed.input(path, input.language.as_deref());
            }
            Word::Input(_) => {}
        }
    }
    composed.option(&headers_last);
    composed.option(&back);
    composed.option(&["-o".into(), output.clone().into()]);
    let status = task.compiler.run(task.compiler.command(&composed.words))?;
    if status.success() {
        if let Some(translated_file) = &translated_file {
            depfile::correct(&task.line, translated_file, Some(&output))?;
        }
        if let Some(alone) = alone {
            keep_record(task, input, alone)?;
        }
    }
    Ok(code(status))
}

/// The name that the compiler would give to the output for an input.
fn output(task: &Task, input: &Input) -> PathBuf {
    task.line.output().unwrap_or_else(|| {
        let extension = if task.line.action() == Action::Assembly { "s" } else { "o" };
        Path::new(input.path.file_name().unwrap_or_default()).with_extension(extension)
    })
}

fn keep_record(task: &Task, source: &Input, alone: &SourceTranslation) -> Result<(), Failure> {
    if task.line.action() != Action::Object {
        return Ok(());
    }
    let object = output(task, source);
    if !object.is_file() {
        // For example /dev/null.
        return Ok(());
    }
    let record = Record {
        translation: alone.text.as_ref().and_then(Translated::digest),
        instrumented: alone.text.is_some(),
        reported: alone.reported.clone(),
        ..record(task, source)?
    };
    if source.source() == Some(Language::Fortran) {
        modules::note(&record)?;
    }
    match elf::add_section(&object, RECORDS_SECTION, &record.encode()) {
        Ok(()) => {}
        Err(why) if record.instrumented => eprintln!(
            "{}: warning: `{}` contains no record ({why}): calls to its procedures from other files are not translated",
            task.wrapper.name,
            object.display()
        ),
        Err(why) => task.report(|| format!("`{}` contains no record: {why}", object.display())),
    }
    Ok(())
}

/// The record of a source that is compiled from its own text.
pub fn record(task: &Task, source: &Input) -> Result<Record, Failure> {
    Ok(Record {
        unit: task.unit(source)?,
        compiler: task.compiler.words().to_vec(),
        options: options_of_one(&task.line, source),
        source: Digest::of_file(&source.path),
        translation: None,
        instrumented: false,
        dispatch: task.options.dispatch.unwrap_or_default(),
        reported: Vec::new(),
    })
}

/// The options that compile one source again.
fn options_of_one(line: &Line, source: &Input) -> Vec<OsString> {
    let mut options = line.options_for(&[Role::Compile]);
    if let Some(language) = &source.language {
        options.extend(["-x".into(), language.clone()]);
    }
    options
}

/// A source on standard input has no name that a record or a diagnostic could contain, so it is passed on
/// without translation.
pub fn compile_standard_input(task: &Task, more: &[OsString]) -> Result<u8, Failure> {
    let mut text = Vec::new();
    std::io::Read::read_to_end(&mut std::io::stdin(), &mut text)
        .map_err(|error| Failure::CannotRun(format!("cannot read standard input: {error}")))?;
    if [Language::C, Language::Fortran]
        .iter()
        .any(|language| scan::text_may_carry_directives(&text, *language))
    {
        return Err(Failure::CannotRun(format!(
            "the source on standard input contains directives: pass it to `{}` as a file",
            task.wrapper.name
        )));
    }
    let temporary = TemporaryDirectory::open(None)?;
    let file = temporary.new_path("stdin".as_ref())?;
    let failed = |error: std::io::Error| super::temporary::cannot_write(&file, &error);
    std::fs::write(&file, text).map_err(failed)?;
    let mut words = task.words_with_header();
    words.extend(more.iter().cloned());
    let mut command = task.compiler.command(&words);
    command.stdin(Stdio::from(std::fs::File::open(&file).map_err(failed)?));
    task.compiler.run(command).map(code)
}

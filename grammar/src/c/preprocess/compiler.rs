//! Runs the compiler to get its predefined macros, its include directories, and the attributes and builtins
//! that it supports.
//!
//! Input: the compiler and its flags.
//! Output: a table, from one run of the compiler.
//! Postcondition: the macros are those for the flags of the build (`-O2`, `-std`, `-D`, `-m32`).

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::os::unix::ffi::OsStringExt as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::cache::{CacheEntry, ProbeCache};
use super::compiler_answers::CompilerAnswers;
use super::flags::{self, Forced};
use super::questions::{self, ANSWER};
use crate::c::language::Language;

/// A compiler with certain flags.
#[derive(Debug)]
pub struct Compiler {
    /// Its predefined macros and those of the command line, as `#define` lines.
    pub predefined: Arc<[u8]>,
    /// The directories that `#include "…"` searches first, after the directory of the including file.
    pub quote_directories: Vec<PathBuf>,
    /// The directories that all includes search.
    pub bracket_directories: Vec<PathBuf>,
    pub language: Language,
    /// Files of `-include` and `-imacros`.
    pub forced: Vec<Forced>,
    command: OsString,
    flags: Vec<OsString>,
    /// Answers to `__has_attribute(x)` and similar. There is none if the compiler does not have the operator.
    answers: Mutex<FxHashMap<String, u64>>,
    /// The cache entry in which later answers are stored too.
    cache_entry: Option<CacheEntry>,
}

#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    #[error("cannot run the compiler `{}`: {error}", command.to_string_lossy())]
    Run { command: OsString, error: std::io::Error },
    #[error("the compiler `{}` failed: {message}", command.to_string_lossy())]
    Failed { command: OsString, message: String },
    #[error("the compiler `{}` did not print {what} with the options `-E -dM -v`", command.to_string_lossy())]
    Silent { command: OsString, what: &'static str },
}

impl Compiler {
    /// Runs the compiler. `arguments` may be a complete command line: options that do not affect
    /// preprocessing are omitted.
    pub fn probe(command: &OsStr, arguments: &[OsString]) -> Result<Compiler, ProbeError> {
        Compiler::probe_with(command, arguments, None)
    }

    /// Returns the answers from the cache if possible, otherwise runs the compiler.
    pub fn probe_with(
        command: &OsStr,
        arguments: &[OsString],
        cache: Option<&ProbeCache>,
    ) -> Result<Compiler, ProbeError> {
        let (flags, forced) = flags::select_flags(arguments);
        let mut cache_entry = cache.and_then(|cache| cache.entry_for(command, &flags));
        let compiler_answers = match cache_entry.as_mut().and_then(CacheEntry::load) {
            Some(compiler_answers) => compiler_answers,
            None => {
                let (compiler_answers, verbose_output) = ask_all(command, &flags)?;
                if let Some(cache_entry) = &mut cache_entry {
                    cache_entry.watch(command, &verbose_output, &compiler_answers);
                    cache_entry.store(&compiler_answers);
                }
                compiler_answers
            }
        };
        let mut language = language(&compiler_answers.predefined);
        language.trigraphs |= flags.iter().any(|flag| flag == "-trigraphs");
        Ok(Compiler {
            language,
            predefined: compiler_answers.predefined.into(),
            quote_directories: compiler_answers.quote_directories,
            bracket_directories: compiler_answers.bracket_directories,
            forced,
            command: command.to_owned(),
            flags,
            answers: Mutex::new(compiler_answers.answers),
            cache_entry,
        })
    }

    /// A compiler that is never run, for tests and tools that supply their own macros.
    pub fn fixed(predefined: &str, directories: Vec<PathBuf>) -> Compiler {
        Compiler {
            predefined: predefined.as_bytes().into(),
            quote_directories: Vec::new(),
            bracket_directories: directories,
            language: language(predefined.as_bytes()),
            forced: Vec::new(),
            command: OsString::new(),
            flags: Vec::new(),
            answers: Mutex::new(
                ["__has_include", "__has_include_next", "__has_attribute"]
                    .map(|operator| (operator.to_owned(), 1))
                    .into_iter()
                    .collect(),
            ),
            cache_entry: None,
        }
    }

    /// True if the compiler has an operator such as `__has_builtin`.
    pub fn has_operator(&self, operator: &str) -> bool {
        self.lock().contains_key(operator)
    }

    /// The value of `operator(argument)`. Runs the compiler if the answer is not known yet.
    pub fn answer(&self, operator: &str, argument: &str) -> u64 {
        let question = format!("{operator}({argument})");
        if let Some(&answer) = self.lock().get(&question) {
            return answer;
        }
        let answer = self.ask(&question);
        let mut answers = self.lock();
        answers.insert(question, answer.unwrap_or(0));
        if let (Some(cache_entry), Some(_)) = (&self.cache_entry, answer) {
            cache_entry.store(&CompilerAnswers {
                predefined: self.predefined.to_vec(),
                quote_directories: self.quote_directories.clone(),
                bracket_directories: self.bracket_directories.clone(),
                answers: answers.clone(),
            });
        }
        answer.unwrap_or(0)
    }

    fn ask(&self, question: &str) -> Option<u64> {
        if self.command.is_empty() {
            return None;
        }
        let mut all = self.flags.clone();
        all.extend(["-E", "-P", "-x", "c", "-"].map(OsString::from));
        // The operators are only valid in conditions, so the value is determined bit by bit.
        let mut text = String::new();
        for bit in 0..24 {
            text += &format!("#if ({question}) & {}\n{ANSWER}{bit}\n#endif\n", 1u64 << bit);
        }
        let output = run(&self.command, &all, text.as_bytes()).ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let bits = text.lines().filter_map(|line| line.trim().strip_prefix(ANSWER)?.parse().ok());
        Some(bits.map(|bit: u32| 1u64.checked_shl(bit).unwrap_or(0)).sum())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, FxHashMap<String, u64>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs the compiler once. Returns its answers, and its output for `-v`.
fn ask_all(command: &OsStr, flags: &[OsString]) -> Result<(CompilerAnswers, Vec<u8>), ProbeError> {
    let mut all: Vec<OsString> = flags.to_vec();
    all.extend(["-E", "-dM", "-v", "-x", "c", "-"].map(OsString::from));
    let output = run(command, &all, questions::text().as_bytes())?;
    let silent = |what| ProbeError::Silent { command: command.to_owned(), what };
    let (predefined, answers) = parse_macros(&output.stdout);
    if predefined.is_empty() {
        return Err(silent("its predefined macros"));
    }
    let (quote_directories, bracket_directories) =
        parse_directories(&output.stderr).ok_or_else(|| silent("where its headers are"))?;
    Ok((CompilerAnswers { predefined, quote_directories, bracket_directories, answers }, output.stderr))
}

fn run(command: &OsStr, arguments: &[OsString], input: &[u8]) -> Result<Output, ProbeError> {
    let failed = |error| ProbeError::Run { command: command.to_owned(), error };
    let mut child = Command::new(command)
        .args(arguments)
        .env("LC_ALL", "C")
        // With these variables GCC would write a dependency file for each run.
        .env_remove("DEPENDENCIES_OUTPUT")
        .env_remove("SUNPRO_DEPENDENCIES")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    if let Some(mut stdin) = child.stdin.take() {
        // If the compiler does not read its input, it has failed. Its exit status explains this better.
        let _ = stdin.write_all(input);
    }
    let output = child.wait_with_output().map_err(failed)?;
    if output.status.success() {
        return Ok(output);
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let error_line = text.lines().find(|line| line.contains("error"));
    let message = error_line.or(text.lines().last()).unwrap_or("it printed nothing").to_owned();
    Err(ProbeError::Failed { command: command.to_owned(), message })
}

/// The `#define` lines of the compiler's output, separated from the answers to the questions. Wrappers may
/// print other lines between them.
fn parse_macros(output: &[u8]) -> (Vec<u8>, FxHashMap<String, u64>) {
    let mut predefined = Vec::with_capacity(output.len());
    let mut answers = HashSet::new();
    for line in output.split(|&byte| byte == b'\n') {
        let Some(definition) = line.strip_prefix(b"#define ") else { continue };
        let Some(answer) = definition.strip_prefix(ANSWER.as_bytes()) else {
            predefined.extend_from_slice(line);
            predefined.push(b'\n');
            continue;
        };
        let name = String::from_utf8_lossy(answer.strip_suffix(b" 1").unwrap_or(answer));
        answers.insert(name.into_owned());
    }
    (predefined, questions::known(|answer| answers.contains(answer)))
}

/// The two lists of directories in the output for `-v`.
fn parse_directories(output: &[u8]) -> Option<(Vec<PathBuf>, Vec<PathBuf>)> {
    let mut lines = output.split(|&byte| byte == b'\n');
    lines.find(|line| line.starts_with(b"#include \"...\""))?;
    let (mut quote, mut bracket) = (Vec::new(), Vec::new());
    let mut in_brackets = false;
    for line in lines {
        if line.starts_with(b"#include <...>") {
            in_brackets = true;
        } else if let Some(directory) = line.strip_prefix(b" ") {
            if directory.ends_with(b" (framework directory)") {
                continue;
            }
            let list = if in_brackets { &mut bracket } else { &mut quote };
            list.push(PathBuf::from(OsString::from_vec(directory.to_vec())));
        } else {
            break;
        }
    }
    Some((quote, bracket))
}

fn language(predefined: &[u8]) -> Language {
    let text = String::from_utf8_lossy(predefined);
    let definitions: FxHashMap<&str, &str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("#define "))
        .map(|definition| definition.split_once(' ').unwrap_or((definition, "")))
        .collect();
    Language::of_predefined(|name| definitions.get(name).copied())
}

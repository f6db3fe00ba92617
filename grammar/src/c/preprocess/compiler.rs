//! What the real compiler knows and we must ask it: predefined macros, where headers are, which
//! attributes and builtins it has.
//!
//! In: the compiler and its flags. Out: a table, from one run of the compiler. Holds afterwards:
//! the macros are those under the very flags (`-O2`, `-std`, `-D`, `-m32`) of the build.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::os::unix::ffi::OsStringExt as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use super::flags::{self, Forced};
use crate::c::language::Language;

/// A compiler under certain flags.
#[derive(Debug)]
pub struct Compiler {
    /// Its predefined macros and those of the command line, as `#define` lines.
    pub predefined: Arc<[u8]>,
    /// Where `#include "…"` looks first, after the directory of the including file.
    pub quote_directories: Vec<PathBuf>,
    /// Where all includes look.
    pub bracket_directories: Vec<PathBuf>,
    pub language: Language,
    /// Files of `-include` and `-imacros`.
    pub forced: Vec<Forced>,
    command: OsString,
    flags: Vec<OsString>,
    /// Answers to `__has_attribute(x)` and its like, none where the operator itself is unknown.
    answers: Mutex<HashMap<String, u64>>,
}

#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    #[error("cannot run the compiler `{}`: {error}", command.to_string_lossy())]
    Run { command: OsString, error: std::io::Error },
    #[error("the compiler `{}` failed: {message}", command.to_string_lossy())]
    Failed { command: OsString, message: String },
    #[error("the compiler `{}` did not tell {what} (`-E -dM -v` was asked)", command.to_string_lossy())]
    Silent { command: OsString, what: &'static str },
}

/// Operators that a compiler may have, and what headers in wide use ask them. Other questions
/// cost a run of the compiler each.
const QUESTIONS: &[(&str, &[&str])] = &[
    (
        "__has_attribute",
        &[
            "access", "alloc_size", "always_inline", "cold", "const", "copy", "deprecated",
            "diagnose_if", "enable_if", "fallthrough", "format", "format_arg", "gnu_inline",
            "hot", "malloc", "may_alias", "noinline", "nonnull", "nonstring", "noreturn",
            "overloadable", "pass_dynamic_object_size", "pass_object_size", "pure",
            "returns_nonnull", "sentinel", "type_tag_for_datatype", "unused", "visibility",
            "warn_unused_result", "weak", "weak_import",
            "__access__", "__alloc_size__", "__always_inline__", "__cold__", "__copy__",
            "__deprecated__", "__fallthrough__", "__format__", "__gnu_inline__", "__leaf__",
            "__malloc__", "__nonnull__", "__nonstring__", "__noreturn__", "__nothrow__",
            "__packed__", "__pure__", "__returns_nonnull__", "__unused__",
            "__warn_unused_result__", "__attribute_pure__", "pointer_with_type_tag",
            "argument_with_type_tag",
        ],
    ),
    (
        "__has_builtin",
        &[
            "__builtin_add_overflow", "__builtin_assume_aligned", "__builtin_bswap16",
            "__builtin_bswap32", "__builtin_bswap64", "__builtin_choose_expr",
            "__builtin_constant_p", "__builtin_dynamic_object_size", "__builtin_expect",
            "__builtin_issignaling", "__builtin_mul_overflow", "__builtin_object_size",
            "__builtin_sub_overflow", "__builtin_tgmath", "__builtin_trap",
            "__builtin_types_compatible_p", "__builtin_unreachable",
            "__builtin_va_arg_pack", "__builtin_va_arg_pack_len",
        ],
    ),
    ("__has_c_attribute", &["deprecated", "fallthrough", "maybe_unused", "nodiscard", "noreturn"]),
    ("__has_cpp_attribute", &[]),
    ("__has_include", &[]),
    ("__has_include_next", &[]),
    ("__has_embed", &[]),
    (
        "__has_feature",
        &[
            "address_sanitizer", "c_alignas", "c_alignof", "c_atomic", "c_generic_selections",
            "c_static_assert", "memory_sanitizer", "modules", "nullability", "thread_sanitizer",
        ],
    ),
    (
        "__has_extension",
        &["c_alignas", "c_alignof", "c_atomic", "c_generic_selections", "c_static_assert",
          "gnu_asm", "blocks", "attribute_deprecated_with_message"],
    ),
    ("__has_warning", &[]),
    ("__has_declspec_attribute", &[]),
    ("__is_identifier", &[]),
    ("__has_constexpr_builtin", &[]),
    ("__building_module", &["_Builtin_intrinsics"]),
    ("__is_target_arch", &[]),
    ("__is_target_vendor", &[]),
    ("__is_target_os", &[]),
    ("__is_target_environment", &[]),
    ("__is_target_variant_os", &[]),
    ("__FILE_NAME__", &[]),
    ("__TIMESTAMP__", &[]),
];

/// What the macros that carry the answers of a probe begin with.
const ANSWER: &str = "__cppc_answer_";

impl Compiler {
    /// Asks the compiler. `arguments` may be a whole compiler command line: what does not bear
    /// on preprocessing is left out.
    pub fn probe(command: &OsStr, arguments: &[OsString]) -> Result<Compiler, ProbeError> {
        let (flags, forced) = flags::sift(arguments);
        let mut all: Vec<OsString> = flags.clone();
        all.extend(["-E", "-dM", "-v", "-x", "c", "-"].map(OsString::from));
        let output = run(command, &all, questions().as_bytes())?;
        let silent = |what| ProbeError::Silent { command: command.to_owned(), what };
        let (predefined, answers) = parse_macros(&output.stdout);
        if predefined.is_empty() {
            return Err(silent("its predefined macros"));
        }
        let (quote_directories, bracket_directories) =
            parse_directories(&output.stderr).ok_or_else(|| silent("where its headers are"))?;
        let mut compiler = Compiler {
            language: language(&predefined),
            predefined: predefined.into(),
            quote_directories,
            bracket_directories,
            forced,
            command: command.to_owned(),
            flags,
            answers: Mutex::new(answers),
        };
        compiler.language.trigraphs |= compiler.flags.iter().any(|flag| flag == "-trigraphs");
        Ok(compiler)
    }

    /// A compiler that is not there: for tests and tools that bring their own macros.
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
                    .into(),
            ),
        }
    }

    /// Whether the compiler has an operator like `__has_builtin`.
    pub fn has_operator(&self, operator: &str) -> bool {
        self.lock().contains_key(operator)
    }

    /// The value of `operator(argument)`; asks the compiler again if the probe did not.
    pub fn answer(&self, operator: &str, argument: &str) -> u64 {
        let question = format!("{operator}({argument})");
        if let Some(&answer) = self.lock().get(&question) {
            return answer;
        }
        let answer = self.ask(&question).unwrap_or(0);
        self.lock().insert(question, answer);
        answer
    }

    fn ask(&self, question: &str) -> Option<u64> {
        if self.command.is_empty() {
            return None;
        }
        let mut all = self.flags.clone();
        all.extend(["-E", "-P", "-x", "c", "-"].map(OsString::from));
        // The operators are only known in conditions, so the value is found bit by bit.
        let mut text = String::new();
        for bit in 0..24 {
            text += &format!("#if ({question}) & {}\n{ANSWER}{bit}\n#endif\n", 1u64 << bit);
        }
        let output = run(&self.command, &all, text.as_bytes()).ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let bits = text.lines().filter_map(|line| line.trim().strip_prefix(ANSWER)?.parse().ok());
        Some(bits.map(|bit: u32| 1u64.checked_shl(bit).unwrap_or(0)).sum())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, u64>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The text whose macros tell which operators the compiler has and what it answers.
fn questions() -> String {
    let mut text = String::with_capacity(16 << 10);
    for (operator, arguments) in QUESTIONS {
        text += &format!("#ifdef {operator}\n#define {ANSWER}{operator} 1\n");
        for argument in *arguments {
            // A later standard gives an attribute a date: a number that is not only 0 or 1.
            text += &format!("#if {operator}({argument})\n");
            text += &format!("#define {ANSWER}{operator}_of_{argument} 1\n#endif\n");
        }
        text += "#endif\n";
    }
    text
}

fn run(command: &OsStr, arguments: &[OsString], input: &[u8]) -> Result<Output, ProbeError> {
    let failed = |error| ProbeError::Run { command: command.to_owned(), error };
    let mut child = Command::new(command)
        .args(arguments)
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    if let Some(mut stdin) = child.stdin.take() {
        // A compiler that does not read has failed, which its status tells better.
        let _ = stdin.write_all(input);
    }
    let output = child.wait_with_output().map_err(failed)?;
    if output.status.success() {
        return Ok(output);
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let telling = text.lines().filter(|line| line.contains("error")).next();
    let message = telling.or(text.lines().last()).unwrap_or("it said nothing").to_owned();
    Err(ProbeError::Failed { command: command.to_owned(), message })
}

/// The `#define` lines of the compiler's output, answers to our questions apart. Wrappers may
/// print lines of their own between them.
fn parse_macros(output: &[u8]) -> (Vec<u8>, HashMap<String, u64>) {
    let mut predefined = Vec::with_capacity(output.len());
    let mut answers = HashMap::new();
    for line in output.split(|&byte| byte == b'\n') {
        let Some(definition) = line.strip_prefix(b"#define ") else { continue };
        let Some(answer) = definition.strip_prefix(ANSWER.as_bytes()) else {
            predefined.extend_from_slice(line);
            predefined.push(b'\n');
            continue;
        };
        let name = String::from_utf8_lossy(answer.strip_suffix(b" 1").unwrap_or(answer));
        answers.insert(name.into_owned(), 1);
    }
    let mut known = HashMap::new();
    for (operator, arguments) in QUESTIONS {
        if !answers.contains_key(*operator) {
            continue;
        }
        known.insert((*operator).to_owned(), 1);
        // The value of an attribute of the standard is the date of its paper: ask when needed.
        let dated = operator.ends_with("_c_attribute");
        for argument in *arguments {
            let has = answers.contains_key(&format!("{operator}_of_{argument}"));
            if !(dated && has) {
                known.insert(format!("{operator}({argument})"), u64::from(has));
            }
        }
    }
    (predefined, known)
}

/// The two lists of directories that `-v` prints.
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
    let definitions: HashMap<&str, &str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("#define "))
        .map(|definition| definition.split_once(' ').unwrap_or((definition, "")))
        .collect();
    Language::of_predefined(|name| definitions.get(name).copied())
}


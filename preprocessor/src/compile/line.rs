//! Reads the command line of a compiler as far as the wrappers need it.
//!
//! Input: words.
//! Output: the same words, each with its role: an input, an option for preprocessing and compiling, an option
//! for the linker, or an option for the output.
//! Postcondition: the words in their order are the input.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::language::Language;

/// Options whose value may be the next word.
const OPTIONS_WITH_VALUE: [&str; 46] = [
    "-A",
    "-B",
    "-D",
    "-F",
    "-G",
    "-I",
    "-J",
    "-L",
    "-MF",
    "-MQ",
    "-MT",
    "-T",
    "-U",
    "-Xassembler",
    "-Xclang",
    "-Xlinker",
    "-Xpreprocessor",
    "-arch",
    "-aux-info",
    "-dumpbase",
    "-dumpbase-ext",
    "-dumpdir",
    "-e",
    "-h",
    "-idirafter",
    "-imacros",
    "-imultilib",
    "-include",
    "-iprefix",
    "-iquote",
    "-isysroot",
    "-isystem",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-l",
    "-mllvm",
    "-module",
    "-module-dir",
    "-o",
    "-fintrinsic-modules-path",
    "-target",
    "-u",
    "-x",
    "-z",
    "--param",
    "--sysroot",
];

/// Options that only the linker uses: by prefix, and as whole words.
const LINK_PREFIXES: [&str; 9] = ["-l", "-L", "-Wl,", "-T", "-u", "-z", "-Xlinker", "-R", "-fuse-ld"];
const LINK_WORDS: [&str; 14] = [
    "-shared",
    "-static",
    "-pie",
    "-no-pie",
    "-static-pie",
    "-rdynamic",
    "-s",
    "-r",
    "-nostdlib",
    "-nostartfiles",
    "-nodefaultlibs",
    "-nolibc",
    "-static-libgcc",
    "-shared-libgcc",
];

/// The action that the command line requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Print information, preprocess, or check only. Nothing needs to be translated.
    PassThrough,
    /// `-S`
    Assembly,
    /// `-c`
    Object,
    Link,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    pub words: Vec<Word>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Word {
    Option { texts: Vec<OsString>, role: Role },
    Input(Input),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Affects preprocessing and compiling.
    Compile,
    /// `-M…`: content and path of the dependency file.
    Dependencies,
    /// `-o`
    Output,
    /// `-c`, `-S`, `-E` and other options that stop before the link.
    Phase,
    Link,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    pub path: PathBuf,
    pub kind: Kind,
    /// The value of `-x` for it.
    pub language: Option<OsString>,
}

impl Input {
    /// The language of a source that the wrapper translates.
    pub fn source(&self) -> Option<Language> {
        match self.kind {
            Kind::Source(language) => Some(language),
            Kind::Preprocessed | Kind::LinkerInput | Kind::Other => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A source that the wrapper translates: C that has not been preprocessed, or Fortran.
    Source(Language),
    /// C that has been preprocessed.
    Preprocessed,
    /// An object, an archive, a library, a linker script.
    LinkerInput,
    /// A source in another language, or a header.
    Other,
}

impl Line {
    pub fn parse(arguments: &[OsString]) -> Line {
        let mut words = Vec::new();
        let mut language: Option<OsString> = None;
        let mut arguments = arguments.iter().cloned();
        while let Some(first) = arguments.next() {
            if first.as_bytes().first() != Some(&b'-') || first == "-" {
                let kind = kind(Path::new(&first), language.as_deref());
                words.push(Word::Input(Input { path: first.into(), kind, language: language.clone() }));
                continue;
            }
            let mut texts = vec![first];
            if OPTIONS_WITH_VALUE.iter().any(|option| texts[0] == **option) {
                texts.extend(arguments.next());
            }
            if let Some(value) = language_option(&texts) {
                language = (value != "none").then_some(value);
                continue;
            }
            let role = role(&texts[0]);
            words.push(Word::Option { texts, role });
        }
        Line { words }
    }

    pub fn inputs(&self) -> impl Iterator<Item = &Input> {
        self.words.iter().filter_map(|word| match word {
            Word::Input(input) => Some(input),
            Word::Option { .. } => None,
        })
    }

    fn options(&self) -> impl Iterator<Item = (&[OsString], Role)> {
        self.words.iter().filter_map(|word| match word {
            Word::Option { texts, role } => Some((texts.as_slice(), *role)),
            Word::Input(_) => None,
        })
    }

    /// True if the command line contains exactly this option.
    pub fn has(&self, option: &str) -> bool {
        self.options().any(|(texts, _)| texts[0] == option)
    }

    pub fn action(&self) -> Action {
        let asks = [
            "-E",
            "-M",
            "-MM",
            "-fsyntax-only",
            "-###",
            "--version",
            "--help",
            "-dumpversion",
            "-dumpmachine",
        ];
        if self.inputs().next().is_none()
            || asks.iter().any(|option| self.has(option))
            || self.options().any(|(texts, _)| texts[0].as_bytes().starts_with(b"-print-"))
        {
            Action::PassThrough
        } else if self.has("-S") {
            Action::Assembly
        } else if self.has("-c") {
            Action::Object
        } else {
            Action::Link
        }
    }

    /// The value of the last `-o`.
    pub fn output(&self) -> Option<PathBuf> {
        let outputs = self.options().filter(|(_, role)| *role == Role::Output);
        outputs.filter_map(|(texts, _)| value(texts, "-o")).last().map(PathBuf::from)
    }

    /// The values of an option, such as the directories of `-I`.
    pub fn values(&self, option: &str) -> Vec<OsString> {
        self.options().filter_map(|(texts, _)| value(texts, option)).collect()
    }

    /// Whether there is a source of this language.
    pub fn has_source_in(&self, language: Language) -> bool {
        self.inputs().any(|input| input.kind == Kind::Source(language))
    }

    /// The words with these roles, without the inputs.
    pub fn options_for(&self, roles: &[Role]) -> Vec<OsString> {
        self.options()
            .filter(|(_, role)| roles.contains(role))
            .flat_map(|(texts, _)| texts.iter().cloned())
            .collect()
    }
}

/// The value of an option such as `-o`, joined or in the next word.
fn value(texts: &[OsString], option: &str) -> Option<OsString> {
    let rest = texts[0].as_bytes().strip_prefix(option.as_bytes())?;
    match texts.get(1) {
        Some(value) if rest.is_empty() => Some(value.clone()),
        _ if rest.is_empty() => None,
        _ => Some(OsStr::from_bytes(rest).to_owned()),
    }
}

fn language_option(texts: &[OsString]) -> Option<OsString> {
    match (value(texts, "-x"), value(texts, "--language=")) {
        (Some(language), _) | (None, Some(language)) => Some(language),
        (None, None) => None,
    }
}

fn role(option: &OsStr) -> Role {
    let text = option.as_bytes();
    let begins = |prefix: &str| text.starts_with(prefix.as_bytes());
    match () {
        () if begins("-M") || begins("-Wp,-M") => Role::Dependencies,
        () if begins("-o") => Role::Output,
        () if text == b"-c" || text == b"-S" || text == b"-E" => Role::Phase,
        () if LINK_WORDS.iter().any(|word| option == *word) => Role::Link,
        () if LINK_PREFIXES.iter().any(|prefix| begins(prefix)) => Role::Link,
        () => Role::Compile,
    }
}

fn kind(path: &Path, language: Option<&OsStr>) -> Kind {
    if let Some(language) = language {
        return match language.as_bytes() {
            b"c" => Kind::Source(Language::C),
            b"cpp-output" => Kind::Preprocessed,
            word if word.starts_with(b"f77") || word.starts_with(b"f95") => Kind::Source(Language::Fortran),
            _ => Kind::Other,
        };
    }
    if Language::of(path, &[]) == Language::Fortran {
        return Kind::Source(Language::Fortran);
    }
    match path.extension().and_then(OsStr::to_str) {
        Some("c") => Kind::Source(Language::C),
        Some("i") => Kind::Preprocessed,
        Some(
            "s" | "S" | "sx" | "C" | "cc" | "cp" | "cpp" | "CPP" | "cxx" | "c++" | "ii" | "h" | "hh" | "hpp"
            | "H" | "m" | "mm" | "M" | "mi" | "mii" | "ads" | "adb" | "d" | "go" | "ll" | "bc",
        ) => Kind::Other,
        _ => Kind::LinkerInput,
    }
}

/// Builds a command line from options and inputs, with `-x` where the language changes.
#[derive(Default)]
pub struct Composed {
    pub words: Vec<OsString>,
    language: Option<OsString>,
}

impl Composed {
    pub fn option(&mut self, texts: &[OsString]) {
        self.words.extend(texts.iter().cloned());
    }

    /// Adds words that begin with `-x none`.
    pub fn separate(&mut self, texts: &[OsString]) {
        self.option(texts);
        self.language = None;
    }

    pub fn input(&mut self, path: &Path, language: Option<&OsStr>) {
        if self.language.as_deref() != language {
            self.words.push("-x".into());
            self.words.push(language.unwrap_or(OsStr::new("none")).to_owned());
            self.language = language.map(OsStr::to_owned);
        }
        self.words.push(path.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Line {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        Line::parse(&words)
    }

    fn inputs(line: &str) -> Vec<(String, Kind)> {
        parse(line).inputs().map(|input| (input.path.to_string_lossy().into_owned(), input.kind)).collect()
    }

    #[test]
    fn values_of_options_are_not_inputs() {
        let line = "-o a.c -I dir -include x.c -MF d.c -Xlinker y.c -D Z a/b.c -u c.c";
        assert_eq!(inputs(line), [("a/b.c".to_owned(), Kind::Source(Language::C))]);
    }

    #[test]
    fn the_language_of_an_input_comes_from_its_name_or_from_the_option() {
        let line = "a.c b.cc c.o d.s lib.a -x c e.txt -x c++ f.c -xnone g.c -";
        let kinds: Vec<Kind> = inputs(line).into_iter().map(|(_, kind)| kind).collect();
        use Kind::*;
        let c = Source(Language::C);
        assert_eq!(kinds, [c, Other, LinkerInput, Other, LinkerInput, c, Other, c, LinkerInput]);
        let line = "a.f B.F90 -x f95 c.txt -x none d.f08 e.mod -J mods -module-dir f.f90 g.ftn";
        let kinds: Vec<Kind> = inputs(line).into_iter().map(|(_, kind)| kind).collect();
        let fortran = Source(Language::Fortran);
        assert_eq!(kinds, [fortran, fortran, fortran, fortran, LinkerInput, fortran]);
    }

    #[test]
    fn the_action_is_the_earliest_end_that_is_asked_for() {
        assert_eq!(parse("-c a.c").action(), Action::Object);
        assert_eq!(parse("-c -S a.c").action(), Action::Assembly);
        assert_eq!(parse("-E -c a.c").action(), Action::PassThrough);
        assert_eq!(parse("-v").action(), Action::PassThrough);
        assert_eq!(parse("-MD a.c -o a").action(), Action::Link);
        assert_eq!(parse("-print-file-name=libc.a x").action(), Action::PassThrough);
    }

    #[test]
    fn options_are_told_apart_by_what_they_are_for() {
        let line = parse("-O2 -Idir -D X -MD -MF a.d -oapp -lm -Wl,-z,now -std=c99 a.c");
        let shown = |roles: &[Role]| {
            line.options_for(roles)
                .iter()
                .map(|word| word.to_string_lossy().into_owned())
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(shown(&[Role::Compile]), "-O2 -Idir -D X -std=c99");
        assert_eq!(shown(&[Role::Dependencies]), "-MD -MF a.d");
        assert_eq!(shown(&[Role::Link]), "-lm -Wl,-z,now");
        assert_eq!(line.output(), Some(PathBuf::from("app")));
        assert_eq!(line.values("-I"), ["dir"]);
    }

    #[test]
    fn the_language_option_comes_back_where_it_is_needed() {
        let mut composed = Composed::default();
        for input in parse("a.c -x c b.txt c.o -x none d.o").inputs() {
            composed.input(&input.path, input.language.as_deref());
        }
        assert_eq!(composed.words, ["a.c", "-x", "c", "b.txt", "c.o", "-x", "none", "d.o"]);
    }
}

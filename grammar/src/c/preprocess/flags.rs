//! Selects the flags of a compiler's command line that affect preprocessing.
//!
//! Input: a command line, including file names.
//! Output: the flags for the probe, in their order, and the files of `-include` and `-imacros`, which the
//! preprocessor reads itself.
//! Postcondition: a run with these flags writes no file.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

/// A file that is read before the main one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forced {
    pub path: PathBuf,
    /// Only its macros are used: `-imacros`.
    pub macros_only: bool,
}

/// Flags that are kept and whose value may be the next argument.
const WITH_VALUE: &[&str] = &[
    "-I",
    "-D",
    "-U",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "-imultilib",
    "--sysroot",
    "-B",
    "-target",
    "-arch",
    "-Xpreprocessor",
    "-Xclang",
    "--param",
    "-A",
    "-cxx-isystem",
    "-resource-dir",
    "-mllvm",
];

/// Flags that are omitted together with their value in the next argument.
const DROPPED_WITH_VALUE: &[&str] = &[
    "-o",
    "-x",
    "-l",
    "-L",
    "-u",
    "-T",
    "-z",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-Xlinker",
    "-Xassembler",
    "-aux-info",
    "-dumpbase",
    "-dumpdir",
    "-dumpbase-ext",
    "-framework",
    "-e",
];

/// Prefixes of the kept flags that have no value.
const KEPT: &[&str] = &[
    "-I",
    "-D",
    "-U",
    "-A",
    "-B",
    "-O",
    "-f",
    "-m",
    "-std",
    "-ansi",
    "-trigraphs",
    "-nostdinc",
    "-pthread",
    "-undef",
    "-specs",
    "--sysroot",
    "--target",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-isysroot",
    "-no-canonical-prefixes",
    "--gcc-toolchain",
    "-stdlib",
    "-Xpreprocessor",
    "-cc=",
    "-config=",
    "-compiler",
];

pub fn select_flags(arguments: &[OsString]) -> (Vec<OsString>, Vec<Forced>) {
    let mut flags = Vec::new();
    let mut forced = Vec::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let is = |list: &[&str]| list.iter().any(|flag| argument == flag);
        if argument == "-include" || argument == "-imacros" {
            let macros_only = argument == "-imacros";
            forced.extend(rest.next().map(|path| Forced { path: path.into(), macros_only }));
        } else if is(DROPPED_WITH_VALUE) {
            rest.next();
        } else if is(WITH_VALUE) {
            flags.push(argument.clone());
            flags.extend(rest.next().cloned());
        } else if let Some(options) = argument.as_bytes().strip_prefix(b"-Wp,") {
            flags.extend(preprocessor_options(options));
        } else if writes_nothing(argument) && begins_with_any(argument, KEPT) {
            flags.push(argument.clone());
        }
    }
    // All `-imacros` precede all `-include`, as in compilers.
    forced.sort_by_key(|forced: &Forced| !forced.macros_only);
    (flags, forced)
}

/// `-Wp,-D_FORTIFY_SOURCE=2`. Options that write dependency files are omitted.
fn preprocessor_options(options: &[u8]) -> Option<OsString> {
    let list: Vec<&[u8]> = options.split(|&byte| byte == b',').collect();
    let makes_dependencies = list.iter().any(|option| option.starts_with(b"-M"));
    let text = [b"-Wp,", options].concat();
    (!makes_dependencies).then(|| OsStr::from_bytes(&text).to_owned())
}

/// A probe must not write profiles, time traces or saved intermediate files.
fn writes_nothing(argument: &OsStr) -> bool {
    !begins_with_any(
        argument,
        &[
            "-ftime-trace",
            "-fdump",
            "-ftest-coverage",
            "-fprofile-arcs",
            "-fsave-optimization",
            "-fcallgraph",
            "-fstack-usage",
            "-fsyntax-only",
            "-fpreprocessed",
            "-fdirectives-only",
            "-fmodules",
            "-pg",
            "-gsplit-dwarf",
            "-pipe",
            "-print",
            "-pie",
            "-fdiagnostics",
        ],
    )
}

fn begins_with_any(argument: &OsStr, list: &[&str]) -> bool {
    list.iter().any(|flag| argument.as_bytes().starts_with(flag.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(line: &str) -> String {
        let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let flags: Vec<String> =
            select_flags(&arguments).0.iter().map(|flag| flag.to_string_lossy().into_owned()).collect();
        flags.join(" ")
    }

    #[test]
    fn only_what_bears_on_preprocessing_is_kept() {
        assert_eq!(
            kept("-c -O2 -Wall -I inc -Iother -D X=1 -o a.o a.c -MD -MF a.d -lm -Wl,-rpath,x"),
            "-O2 -I inc -Iother -D X=1"
        );
        assert_eq!(
            kept("-Wp,-D_FORTIFY_SOURCE=2 -Wp,-MD,x.d -std=c99 -m32"),
            "-Wp,-D_FORTIFY_SOURCE=2 -std=c99 -m32"
        );
    }

    #[test]
    fn forced_files_are_ours_to_read() {
        let arguments = ["-include", "a.h", "-imacros", "b.h"].map(OsString::from);
        let (flags, forced) = select_flags(&arguments);
        assert!(flags.is_empty());
        assert_eq!(forced.len(), 2);
        assert!(forced[0].macros_only && !forced[1].macros_only);
    }
}

//! Prepares the static library for programs.
//!
//! Input: the library that cargo built.
//! Output: an archive.
//! Postcondition: it contains no debug information, and it replaces no routine of the C library, the
//! mathematical library or the compiler's library. A program that is linked with it uses the same arithmetic
//! and mathematical functions as without it. A program may define `__wrap_malloc` itself.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::{ensure, Context, Result};

use crate::workspace::{output, run};

/// Prefix of the objects that contain the compiler's own routines.
const BUILTINS: &str = "compiler_builtins-";
/// Prefix of the new names of these routines.
const PREFIX: &str = "rust_in_cppc.";

/// `tool` returns the command for `nm` or `objcopy` of the architecture of the archive.
pub fn for_programs(built: &Path, archive: &Path, tool: impl Fn(&str) -> Command) -> Result<()> {
    let index =
        output(tool("nm").arg("--print-armap").arg(built)).context("`nm` is part of the package binutils")?;
    let taken = taken_from_programs(&index);
    // If the index had another format, no routine would be found, and programs would use Rust's routines for
    // their arithmetic.
    ensure!(!taken.is_empty(), "`nm` shows no routines of the compiler in `{}`", built.display());
    let renamed: String = taken.iter().map(|name| format!("{name} {PREFIX}{name}\n")).collect();
    let list = archive.with_extension("renamed");
    std::fs::write(&list, renamed)?;
    let mut copy = tool("objcopy");
    let mut redefine = std::ffi::OsString::from("--redefine-syms=");
    redefine.push(&list);
    // A program that redirects the same functions has its own definitions.
    copy.args(cppc_abi::WRAPPED_FUNCTIONS.iter().map(|name| format!("--weaken-symbol=__wrap_{name}")));
    run(copy.arg("--strip-debug").arg(redefine).arg(built).arg(archive))
        .context("`objcopy` is part of the package binutils")?;
    std::fs::remove_file(&list)?;
    Ok(())
}

/// Routines of Rust that have the names of routines of the C library, the mathematical library or the
/// compiler's library. On i386 those for `_Float128` have a different calling convention. `fma` and `cbrt`
/// round differently, and none of them respects the rounding mode.
fn taken_from_programs(index: &str) -> BTreeSet<&str> {
    let entries = index.lines().filter_map(|line| line.split_once(" in "));
    let builtins = entries.filter(|(_, member)| member.starts_with(BUILTINS)).map(|(name, _)| name);
    let is_of_rust =
        |name: &str| ["_ZN", "_R", "anon.", "DW.ref."].iter().any(|begin| name.starts_with(begin));
    builtins.filter(|name| !is_of_rust(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_libraries_are_taken_and_those_of_rust_are_not() {
        let index = "Archive index:\n__multf3 in compiler_builtins-1f.o\nfma in compiler_builtins-1f.o\n\
                     _ZN4core3fmt in compiler_builtins-1f.o\nDW.ref.rust_eh_personality in compiler_builtins-1f.o\n\
                     CPPC_Init in cppc-22.o\nsqrt_of in cppc-22.o\n";
        assert_eq!(taken_from_programs(index).into_iter().collect::<Vec<_>>(), ["__multf3", "fma"]);
    }
}

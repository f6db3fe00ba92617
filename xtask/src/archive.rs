//! The static library, as programs get it.
//!
//! In: what cargo built. Out: an archive. Holds afterwards: it has no debug information, and it answers for the calls
//! of the runtime alone: a program that is linked with it has the arithmetic and the mathematics that it has without.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::{ensure, Context, Result};

use crate::workspace::{output, run};

/// What the compiler's own routines lie in.
const BUILTINS: &str = "compiler_builtins-";
/// What they are called afterwards.
const PREFIX: &str = "rust_in_cppc.";

/// `tool` is `nm` or `objcopy`, for the machine that the archive is for.
pub fn for_programs(built: &Path, archive: &Path, tool: impl Fn(&str) -> Command) -> Result<()> {
    let index = output(tool("nm").arg("--print-armap").arg(built)).context("`nm` is part of the package binutils")?;
    let taken = taken_from_programs(&index);
    // Where the form of the index is another, nothing would be found, and programs would calculate with them.
    ensure!(!taken.is_empty(), "`nm` shows no routines of the compiler in `{}`", built.display());
    let renamed: String = taken.iter().map(|name| format!("{name} {PREFIX}{name}\n")).collect();
    let list = archive.with_extension("renamed");
    std::fs::write(&list, renamed)?;
    let mut copy = tool("objcopy");
    let mut redefine = std::ffi::OsString::from("--redefine-syms=");
    redefine.push(&list);
    run(copy.arg("--strip-debug").arg(redefine).arg(built).arg(archive)).context("`objcopy` is part of the package binutils")?;
    std::fs::remove_file(&list)?;
    Ok(())
}

/// Names of the C library, the mathematical library and the compiler's library that Rust brings routines for. On i386 those
/// for `_Float128` are called in another way; `fma` and `cbrt` round otherwise; none knows the rounding mode.
fn taken_from_programs(index: &str) -> BTreeSet<&str> {
    let entries = index.lines().filter_map(|line| line.split_once(" in "));
    let builtins = entries.filter(|(_, member)| member.starts_with(BUILTINS)).map(|(name, _)| name);
    let is_of_rust = |name: &str| ["_ZN", "_R", "anon.", "DW.ref."].iter().any(|begin| name.starts_with(begin));
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

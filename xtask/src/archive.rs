//! Prepares the static library for programs.
//!
//! Input: the library that cargo built.
//! Output: an archive of one object, which a linker reads faster than one of many.
//! Postcondition: it contains no debug information, and it replaces no routine of the C library, the
//! mathematical library or the compiler's library. A program that is linked with it uses the same arithmetic
//! and mathematical functions as without it. A program may define `__wrap_malloc` itself. Only the names that programs
//! call are visible, so that a program may also be linked with other libraries in Rust.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{ensure, Context, Result};

use crate::workspace::{output, run};

/// Prefix of the objects that contain the compiler's own routines.
const BUILTINS: &str = "compiler_builtins-";
/// Prefix of the new names of these routines.
const PREFIX: &str = "rust_in_cppc.";

/// The sections with the same use become one. All others stay as they are.
const SECTIONS: &str = "SECTIONS {
  .text : { *(.text .text.*) }
  .rodata : { *(.rodata .rodata.*) }
  .data.rel.ro : { *(.data.rel.ro .data.rel.ro.*) }
  .data : { *(.data .data.*) }
  .bss : { *(.bss .bss.*) }
  .tdata : { *(.tdata .tdata.*) }
  .tbss : { *(.tbss .tbss.*) }
  .gcc_except_table : { *(.gcc_except_table .gcc_except_table.*) }
}
";

/// `tool` returns the command for `nm`, `objcopy`, `ld` or `ar` of the architecture of the archive.
pub fn for_programs(built: &Path, archive: &Path, tool: impl Fn(&str) -> Command) -> Result<()> {
    let index =
        output(tool("nm").arg("--print-armap").arg(built)).context("`nm` is part of the package binutils")?;
    let taken = taken_from_programs(&index);
    // If the index had another format, no routine would be found, and programs would use Rust's routines for
    // their arithmetic.
    ensure!(!taken.is_empty(), "`nm` shows no routines of the compiler in `{}`", built.display());
    let called = called_by_programs(&index);
    let work = archive.with_extension("work");
    std::fs::create_dir_all(&work)?;
    let list = |name: &str, lines: Vec<String>| -> Result<PathBuf> {
        let path = work.join(name);
        std::fs::write(&path, lines.join("\n") + "\n")?;
        Ok(path)
    };
    let renamed = list("renamed", taken.iter().map(|name| format!("{name} {PREFIX}{name}")).collect())?;
    let roots = list("roots", called.iter().map(|name| format!("--undefined={name}")).collect())?;
    let visible = list("visible", called.iter().map(|&name| name.to_owned()).collect())?;
    let script = list("sections", vec![SECTIONS.to_owned()])?;
    let [stripped, reached, local, used, object] =
        ["stripped.a", "reached.o", "local.o", "used.o", "cppc.o"].map(|name| work.join(name));

    let mut copy = tool("objcopy");
    // A program that redirects the same functions has its own definitions.
    copy.args(cppc_abi::WRAPPED_FUNCTIONS.iter().map(|name| format!("--weaken-symbol=__wrap_{name}")));
    copy.arg("--strip-debug").arg(option("--redefine-syms", &renamed)).arg(built).arg(&stripped);
    run(&mut copy).context("`objcopy` is part of the package binutils")?;
    let mut link = tool("ld");
    link.args(["-r", "--gc-sections"]).arg(option("@", &roots)).arg("-o").arg(&reached).arg(&stripped);
    run(&mut link).context("`ld` is part of the package binutils")?;
    // Rust's own libraries also contain the code of their compiler, which `ld` would join to one piece without a
    // meaning.
    let code_of_llvm = ["--remove-section=.llvmbc", "--remove-section=.llvmcmd"];
    let mut copy = tool("objcopy");
    run(copy.args(code_of_llvm).arg(option("--keep-global-symbols", &visible)).arg(&reached).arg(&local))?;
    // `ld` keeps the names of functions that nothing calls any more, and forgets that they may be missing.
    let undefined = output(tool("nm").args(["--undefined-only", "--format=posix"]).arg(&local))?;
    let relocations = output(tool("readelf").args(["--relocs", "--wide"]).arg(&local))?;
    let needed: BTreeSet<&str> = named_in_relocations(&relocations).collect();
    let undefined = undefined.lines().filter_map(|line| line.split_whitespace().next());
    let forgotten = undefined.filter(|name| !needed.contains(name)).map(str::to_owned);
    let forgotten = list("forgotten", forgotten.collect())?;
    let mut copy = tool("objcopy");
    run(copy.arg(option("--strip-symbols", &forgotten)).arg(&local).arg(&used))?;
    let mut join = tool("ld");
    join.args(["-r", "--force-group-allocation", "-T"]).arg(&script).arg("-o").arg(&object).arg(&used);
    run(&mut join)?;
    let _ = std::fs::remove_file(archive);
    run(tool("ar").arg("rcs").arg(archive).arg(&object))?;
    std::fs::remove_dir_all(&work)?;
    Ok(())
}

/// An option with the name of a file.
fn option(name: &str, file: &Path) -> OsString {
    let mut option = OsString::from(name);
    if name.starts_with('-') {
        option.push("=");
    }
    option.push(file);
    option
}

/// The names of the runtime: translations, programs, and the writers of state files call them.
fn called_by_programs(index: &str) -> BTreeSet<&str> {
    let names = index.lines().filter_map(|line| line.split_once(" in ")).map(|(name, _)| name);
    let is_called = |name: &&str| ["CPPC_", "cppc_", "__wrap_"].iter().any(|begin| name.starts_with(begin));
    names.filter(is_called).collect()
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

/// The symbols in the relocations that `readelf` shows.
fn named_in_relocations(shown: &str) -> impl Iterator<Item = &str> {
    shown.lines().filter_map(|line| line.split_whitespace().nth(4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_relocations_are_found() {
        let shown = "Relocation section '.rela.text' at offset 0x1 contains 3 entries:\n\
                     \x20   Offset             Info             Type               Symbol's Value  Symbol's Name + Addend\n\
                     0000000000000ae9  00000d9c00000009 R_X86_64_GOTPCREL      0000000000000000 pidfd_spawnp - 5\n\
                     00000018  00000101 R_386_32               00000000   write\n\
                     0000000000000008  0000000000000008 R_X86_64_RELATIVE                         40\n";
        let names: BTreeSet<&str> = named_in_relocations(shown).collect();
        assert!(names.contains("pidfd_spawnp") && names.contains("write") && !names.contains("R_386_32"));
    }

    #[test]
    fn names_of_other_libraries_are_taken_and_those_of_rust_are_not() {
        let index = "Archive index:\n__multf3 in compiler_builtins-1f.o\nfma in compiler_builtins-1f.o\n\
                     _ZN4core3fmt in compiler_builtins-1f.o\nDW.ref.rust_eh_personality in compiler_builtins-1f.o\n\
                     CPPC_Init in cppc-22.o\nsqrt_of in cppc-22.o\n";
        assert_eq!(taken_from_programs(index).into_iter().collect::<Vec<_>>(), ["__multf3", "fma"]);
        assert_eq!(called_by_programs(index).into_iter().collect::<Vec<_>>(), ["CPPC_Init"]);
    }
}

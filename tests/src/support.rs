//! The objects and libraries of `support/`, each compiled once for all tests.
//!
//! Input: a compiler, its options, and a file of `support/`.
//! Output: the compiled file.
//! Postcondition: it is that of these options and these texts. Tests that run at the same time may share it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{ensure, Context, Result};

use crate::product::{here, workspace, Product};

/// Compiles a file with these options, unless it was compiled before. `-c` or `-shared` is one of them.
pub fn compiled(compiler: Command, options: &[&str], file: &str) -> Result<PathBuf> {
    let mut compile = compiler;
    compile.args(options).arg(here("support").join(file));
    let kept = workspace().join("target/support");
    let stem = Path::new(file).file_stem().context("a file has a name")?.to_string_lossy().into_owned();
    let ending = if options.contains(&"-shared") { "so" } else { "o" };
    let result = kept.join(format!("{stem}-{:016x}.{ending}", key(&compile)?));
    if !result.exists() {
        std::fs::create_dir_all(&kept)?;
        // Another test may be compiling the same file. The last one to end replaces an equal file.
        let own = tempfile::tempdir_in(&kept)?;
        let new = own.path().join(format!("{stem}.{ending}"));
        succeed(compile.arg("-o").arg(&new).args(options.contains(&"-shared").then_some("-ldl")))?;
        std::fs::rename(&new, &result)?;
    }
    Ok(result)
}

/// A value that differs if the command, a text in `support/` or a header of the product differs.
fn key(compile: &Command) -> Result<u64> {
    let mut hasher = DefaultHasher::new();
    format!("{compile:?}").hash(&mut hasher);
    let mut texts = vec![Product::get()?.include().join("cppc.h")];
    for entry in std::fs::read_dir(here("support"))? {
        texts.push(entry?.path());
    }
    texts.sort();
    for text in texts.iter().filter(|path| path.is_file()) {
        std::fs::read(text)?.hash(&mut hasher);
    }
    Ok(hasher.finish())
}

/// Runs a tool and returns its messages on standard error. If the tool fails, the error has the messages
/// and the command.
pub fn succeed(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot run {command:?}"))?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    ensure!(output.status.success(), "{}\n{command:?}\n{said}", output.status);
    Ok(said)
}

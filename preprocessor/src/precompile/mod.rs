//! The program `cppc-pp`.
//!
//! Input: its command line.
//! Output: rewritten files, diagnostics on standard error, an exit status.
//! Postcondition: the output files are complete, or none of them exists.

pub mod arguments;
mod dump;
mod publish;

use std::ffi::OsString;
use std::io::{IsTerminal as _, Write as _};
use std::mem::ManuallyDrop;

use anyhow::{bail, Context as _};
use clap::Parser as _;
use cppc_abi::exit_statuses::ExitStatus;

use crate::driver::{translate, Outcome};
use crate::explain::explain;
use crate::patch;
use arguments::{Arguments, MessageFormat};

/// Runs the program.
///
/// # Errors
/// Reasons why it cannot run: unreadable sources, a compiler that cannot be run, outputs that cannot be
/// written.
pub fn run(words: impl IntoIterator<Item = OsString>) -> anyhow::Result<ExitStatus> {
    let words: Vec<OsString> = words.into_iter().collect();
    let (words, options) = arguments::split(words);
    let mut arguments = match Arguments::try_parse_from(&words) {
        Ok(arguments) => arguments,
        Err(error) => {
            error.print()?;
            return Ok(if error.use_stderr() { ExitStatus::NotExecuted } else { ExitStatus::Success });
        }
    };
    if let Some(asked) = &arguments.explain {
        let page = explain(asked).map_err(anyhow::Error::msg)?;
        std::io::stdout().lock().write_all(page.as_bytes())?;
        return Ok(ExitStatus::Success);
    }
    arguments.options.splice(0..0, options);
    let targets = match &arguments.annotate {
        Some(_) => Vec::new(),
        None => publish::targets(&arguments)?,
    };
    // The process ends soon. Dropping the trees node by node would only take time.
    let request = arguments.request(&words);
    let outcome = ManuallyDrop::new(translate(&request)?);
    report(&outcome, arguments.message_format);
    if let Some(stage) = arguments.dump {
        std::io::stdout().lock().write_all(dump::dump(&outcome, &request, stage)?.as_bytes())?;
        return Ok(status(&outcome));
    }
    if outcome.has_errors() {
        return Ok(ExitStatus::Fault);
    }
    if let Some(path) = &arguments.annotate {
        let failed = || format!("cannot write `{}`", path.display());
        patch::write(&outcome, path, &|file| file.to_owned()).with_context(failed)?;
        return Ok(ExitStatus::Success);
    }
    if outcome.outputs.len() != targets.len() {
        bail!("internal error: {} sources gave {} texts", targets.len(), outcome.outputs.len());
    }
    let texts = targets.iter().zip(&outcome.outputs).map(|(to, written)| (to, &*written.text));
    if let Some(directory) = &arguments.out_dir {
        let failed = || format!("cannot create `{}`", directory.display());
        std::fs::create_dir_all(directory).with_context(failed)?;
    }
    publish::publish(texts).context("nothing was written")?;
    Ok(ExitStatus::Success)
}

fn status(outcome: &Outcome) -> ExitStatus {
    if outcome.has_errors() {
        ExitStatus::Fault
    } else {
        ExitStatus::Success
    }
}

/// Prints the diagnostics on standard error.
pub fn report(outcome: &Outcome, format: MessageFormat) {
    let mut stream = std::io::stderr().lock();
    let colour = stream.is_terminal() && std::env::var_os("NO_COLOR").is_none();
    for diagnostic in &outcome.diagnostics {
        let text = match format {
            MessageFormat::Text => diagnostic.render(&outcome.files, colour),
            MessageFormat::Json => diagnostic.render_json(&outcome.files) + "\n",
        };
        // Standard error may be closed. The exit status still reports the error.
        let _ = stream.write_all(text.as_bytes());
    }
}

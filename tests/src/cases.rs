//! Cases that are discovered, as tests with names.
//!
//! Input: a name, and a function that gets its own directory.
//! Output: a test.
//! Postcondition: the directory of a failed test still exists for inspection. The directory of a passed test
//! is removed.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use libtest_mimic::{Arguments, Failed, Trial};

use crate::run::LauncherFailed;

/// How often a test is repeated if only the launcher has failed.
const RETRIES: usize = 2;

/// A test that gets an empty directory. It is repeated if only the launcher has failed.
pub fn case<F>(scratch: &Path, name: String, body: F) -> Trial
where
    F: Fn(&Path) -> Result<()> + Send + 'static,
{
    let directory: PathBuf = scratch.join(name.replace('/', "-"));
    Trial::test(name, move || {
        let attempt = || fresh(&directory).and_then(|()| body(&directory));
        let failed_launcher =
            |outcome: &Result<()>| outcome.as_ref().is_err_and(|error| error.is::<LauncherFailed>());
        let mut outcome = attempt();
        for _ in 0..RETRIES {
            if failed_launcher(&outcome) {
                eprintln!("tried again: {:#}", outcome.unwrap_err());
                outcome = attempt();
            }
        }
        match outcome {
            Ok(()) => {
                let _ = std::fs::remove_dir_all(&directory);
                Ok(())
            }
            Err(error) => Err(Failed::from(format!("{error:#}\nin {}", directory.display()))),
        }
    })
}

fn fresh(directory: &Path) -> Result<()> {
    if directory.exists() {
        std::fs::remove_dir_all(directory)?;
    }
    std::fs::create_dir_all(directory)?;
    Ok(())
}

/// Runs the cases that the command line selects.
pub fn run(cases: Result<Vec<Trial>>) -> ExitCode {
    match cases {
        Ok(cases) => libtest_mimic::run(&Arguments::from_args(), cases).exit_code(),
        Err(error) => {
            eprintln!("the cases could not be found: {error:#}");
            ExitCode::FAILURE
        }
    }
}

//! The commands of the manual, run as a reader would type them.
//!
//! Each page in `docs/` with blocks of commands is a case. All commands of a page run in one directory. A page that submits
//! jobs gets a Slurm of its own. If Slurm is not installed, it is no case.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{ensure, Context, Result};
use cppc_tests::cases::{case, run};
use cppc_tests::document::{self, Step};
use cppc_tests::product::{workspace, Product};
use cppc_tests::program::Mpi;
use cppc_tests::run::{several_processes_on_few_cores, without_settings};
use cppc_tests::slurm::Slurm;
use libtest_mimic::Trial;

fn main() -> ExitCode {
    run(cases())
}

fn cases() -> Result<Vec<Trial>> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("manual");
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(workspace().join("docs"))? {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let steps = document::steps(&document::read(&path)?).with_context(|| path.display().to_string())?;
        let is_command = |step: &Step| matches!(step, Step::Command { .. });
        if steps.iter().any(is_command) && (!submits(&steps) || Slurm::is_installed()) {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            cases.push(case(&scratch, name, move |directory| follow(&steps, directory)));
        }
    }
    ensure!(!cases.is_empty(), "no page has commands");
    Ok(cases)
}

/// Whether a command submits a job.
fn submits(steps: &[Step]) -> bool {
    steps.iter().any(|step| matches!(step, Step::Command { text, .. } if text.contains("sbatch ")))
}

fn follow(steps: &[Step], directory: &Path) -> Result<()> {
    let slurm = submits(steps).then(|| Slurm::start(directory)).transpose()?;
    for step in steps {
        match step {
            Step::File { name, content } => std::fs::write(directory.join(name), content)?,
            Step::Command { text, output } => {
                let printed = printed(text, directory, slurm.as_ref())?;
                document::compare(output, &printed).with_context(|| format!("`{text}` prints\n{printed}"))?;
            }
        }
    }
    Ok(())
}

/// What a command prints, with its messages.
fn printed(text: &str, directory: &Path, slurm: Option<&Slurm>) -> Result<String> {
    let mut path = Product::get()?.prefix().join("bin").into_os_string();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut shell = slurm.map_or_else(|| Command::new("sh"), |slurm| slurm.command("sh"));
    shell.arg("-c").arg(format!("{{ {text}\n}} 2>&1")).current_dir(directory).env("PATH", path);
    without_settings(&mut shell);
    if slurm.is_some() {
        // Recipes keep state on the disk of a node. For the test, it is in the directory of the test.
        let disk = directory.join("disk");
        std::fs::create_dir_all(&disk)?;
        shell.env("TMPDIR", disk);
    }
    several_processes_on_few_cores(&mut shell, Mpi::Default)?;
    let output = shell.output()?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

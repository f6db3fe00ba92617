//! Resumes programs from every architecture on every other.
//!
//! Input: programs for every architecture.
//! Output: the number of resumed runs.
//! Postcondition: each of them ended like an uninterrupted run, or was refused with the expected message.

use std::path::Path;

use anyhow::{ensure, Context, Result};

use super::machines::MACHINES;
use super::portable_program::{error_output, Form, PortableProgram};
use super::programs::{Program, Programs};
use super::workers::in_parallel;

/// In the first form, runs are resumed from every checkpoint; in the other forms, from one. See [`targets`].
const FORMS: &[Form] = &[
    Form { name: "binary", settings: &[] },
    Form { name: "hdf5", settings: &[("CPPC_WRITER", "hdf5")] },
    // The second file contains the changes since the first.
    Form {
        name: "lean",
        settings: &[("CPPC_FULL_EVERY", "2"), ("CPPC_COMPRESS", "lz4"), ("CPPC_COMPRESS_MIN", "1")],
    },
    Form { name: "packed", settings: &[("CPPC_COMPRESS", "deflate"), ("CPPC_COMPRESS_MIN", "1")] },
];
/// The checkpoint that is used for the other forms, and in the first form from each machine to all others.
const CHECKPOINT: usize = 2;
/// If it is `all`, each stopped run is resumed on all other machines.
const EXTENT: &str = "CPPC_TRANSFERS";

/// Programs whose state cannot be resumed everywhere.
const REFUSED: &[Refused] = &[
    Refused {
        program: "narrow",
        checkpoint: 2,
        is_for_narrow_long: true,
        words: &["`narrow.c:records`", "`places[1]` of element 2", "5000000000", "4 bytes"],
    },
    Refused {
        program: "fortran_narrow",
        checkpoint: 2,
        is_for_narrow_long: true,
        words: &["`places`", "element 3", "21474836480", "4 bytes"],
    },
    Refused { program: "raw", checkpoint: 1, is_for_narrow_long: false, words: RAW },
    Refused { program: "raw", checkpoint: 2, is_for_narrow_long: false, words: RAW },
];
const RAW: &[&str] = &["`raw.c:number`", "raw bytes cannot be converted"];

/// A program that must be refused, and the words that the message must contain.
struct Refused {
    program: &'static str,
    checkpoint: usize,
    /// Only from a machine with a wide `long` to one with a narrow `long`.
    is_for_narrow_long: bool,
    words: &'static [&'static str],
}

/// The program of the golden files.
const GOLDEN: &str = "golden";
/// More checkpoints than any program has.
const MOST: usize = 20;

/// Compiles the programs for their machines.
pub fn portable_programs<'a>(
    programs: &'a Programs,
    list: &'a [Program],
    directory: &Path,
) -> Result<Vec<PortableProgram<'a>>> {
    let compiles: Vec<(&Program, usize)> = list
        .iter()
        .flat_map(|program| program.machines.iter().map(move |machine| (program, *machine)))
        .collect();
    let mut binaries = in_parallel(&compiles, |(program, machine)| {
        let machine = &MACHINES[*machine];
        programs.compile(machine, program).with_context(|| format!("`{}` for {}", program.name, machine.name))
    })?
    .into_iter();
    let compiled: Vec<_> = list
        .iter()
        .map(|program| (program, binaries.by_ref().take(program.machines.len()).collect::<Vec<_>>()))
        .collect();
    in_parallel(&compiled, |(program, binaries)| {
        PortableProgram::new(programs, program, binaries.clone(), directory)
    })
}

/// A unit of work for one worker.
enum Job<'a> {
    /// From one machine to all others.
    FromMachine { portable_program: &'a PortableProgram<'a>, machine: usize, form: &'static Form },
    /// From machine to machine at each checkpoint, each time in another form.
    AcrossMachines(&'a PortableProgram<'a>),
}

pub fn run(portable_programs: &[PortableProgram]) -> Result<usize> {
    let mut jobs = Vec::new();
    for portable_program in portable_programs {
        for form in FORMS {
            jobs.extend(portable_program.machines.iter().map(|machine| Job::FromMachine {
                portable_program,
                machine: *machine,
                form,
            }));
        }
        if !REFUSED.iter().any(|refused| refused.program == portable_program.name) {
            jobs.push(Job::AcrossMachines(portable_program));
        }
    }
    let counts = in_parallel(&jobs, |job| match job {
        Job::FromMachine { portable_program, machine, form } => {
            transfer_from(portable_program, *machine, form).with_context(|| {
                format!("`{}` from {}, {}", portable_program.name, MACHINES[*machine].name, form.name)
            })
        }
        Job::AcrossMachines(portable_program) => transfer_at_each_checkpoint(portable_program)
            .with_context(|| format!("`{}` from machine to machine", portable_program.name)),
    })?;
    Ok(counts.into_iter().sum())
}

fn transfer_from(portable_program: &PortableProgram, from: usize, form: &Form) -> Result<usize> {
    let mut count = 0;
    let checkpoints = if form.settings.is_empty() { 1..MOST } else { CHECKPOINT..CHECKPOINT + 1 };
    for checkpoint in checkpoints {
        let Some(state) = portable_program.stop(from, form, checkpoint)? else {
            ensure!(checkpoint > CHECKPOINT, "it has less than {CHECKPOINT} checkpoints");
            break;
        };
        for to in targets(portable_program, from, form, checkpoint) {
            transfer_to(portable_program, &state, from, to, form, checkpoint)
                .with_context(|| format!("to {} after checkpoint {checkpoint}", MACHINES[to].name))?;
            count += 1;
        }
    }
    Ok(count)
}

/// The machines on which a stopped run is resumed: all others in the first form and at one checkpoint. Otherwise it is one, which
/// depends on the name of the program, the form and the checkpoint.
fn targets(portable_program: &PortableProgram, from: usize, form: &Form, checkpoint: usize) -> Vec<usize> {
    let others: Vec<usize> =
        portable_program.machines.iter().copied().filter(|machine| *machine != from).collect();
    let is_everything = std::env::var_os(EXTENT).is_some_and(|extent| extent == "all");
    if is_everything || others.is_empty() || form.settings.is_empty() && checkpoint == CHECKPOINT {
        return others;
    }
    let letters = portable_program.name.bytes().chain(form.name.bytes()).map(usize::from).sum::<usize>();
    vec![others[(letters + checkpoint) % others.len()]]
}

fn transfer_to(
    portable_program: &PortableProgram,
    state: &Path,
    from: usize,
    to: usize,
    form: &Form,
    checkpoint: usize,
) -> Result<()> {
    let done = portable_program.resume(state, from, to, form)?;
    let narrows = MACHINES[from].long_bytes > MACHINES[to].long_bytes;
    let refused = REFUSED.iter().find(|refused| {
        refused.program == portable_program.name
            && refused.checkpoint == checkpoint
            && (narrows || !refused.is_for_narrow_long)
    });
    let Some(refused) = refused else { return portable_program.check(&done) };
    let messages = error_output(&done);
    ensure!(done.status.code() == Some(1), "it was not refused: {messages}");
    for word in refused.words {
        ensure!(messages.contains(word), "it was refused without the words {word:?}: {messages}");
    }
    Ok(())
}

fn transfer_at_each_checkpoint(portable_program: &PortableProgram) -> Result<usize> {
    let state = portable_program.fresh("along")?;
    let machines = portable_program.machines;
    for step in 0..=machines.len() {
        let form = &FORMS[step % FORMS.len()];
        let done =
            portable_program.start(machines[step % machines.len()], &state, form.settings, Some(step + 1))?;
        if done.status.success() {
            portable_program.check(&done)?;
            return Ok(step);
        }
        // A machine that has read the state writes the same values.
        portable_program.check_variables(&portable_program.line(&state, step + 1), step + 1)?;
    }
    let done = portable_program.start(machines[1], &state, &[], None)?;
    portable_program.check(&done)?;
    Ok(machines.len() + 1)
}

/// The state files of the golden program: from each machine a full one, and two of which the second is
/// incremental and depends on the first.
pub fn write_golden(programs: &Programs, list: &[Program], directory: &Path, into: &Path) -> Result<()> {
    let golden =
        list.iter().find(|program| program.name == GOLDEN).context("the golden program is missing")?;
    let binaries: Result<Vec<_>> = MACHINES.iter().map(|machine| programs.compile(machine, golden)).collect();
    let portable_program = PortableProgram::new(programs, golden, binaries?, directory)?;
    for (from, machine) in MACHINES.iter().enumerate() {
        for (form, lines, place) in
            [("binary", 1, into.to_owned()), ("lean", 2, into.join("lean").join(machine.name))]
        {
            std::fs::create_dir_all(&place)?;
            let form = FORMS.iter().find(|known| known.name == form).context("there is no such form")?;
            let state = portable_program
                .stop(from, form, lines)?
                .context("the golden program has too few checkpoints")?;
            for line in 1..=lines {
                let name = format!("line-{line:06}.cppc");
                let kept = if lines == 1 { format!("{}.cppc", machine.name) } else { name.clone() };
                std::fs::copy(state.join(GOLDEN).join("rank-0000").join(name), place.join(kept))?;
            }
        }
    }
    Ok(())
}

//! Journeys from every machine to every other.
//!
//! In: programs for every machine. Out: how many runs went on. Holds afterwards: each ended as an unbroken run does, or
//! was refused in the words that it had to be refused in.

use std::path::Path;

use anyhow::{ensure, Context, Result};

use super::machines::MACHINES;
use super::programs::{Program, Programs};
use super::traveller::{said, Form, Traveller};
use super::workers::in_parallel;

/// Journeys are made from every checkpoint in the first form, from one in the others.
const FORMS: &[Form] = &[
    Form { name: "binary", settings: &[] },
    Form { name: "hdf5", settings: &[("CPPC_WRITER", "hdf5")] },
    // The second file has what changed since the first.
    Form { name: "lean", settings: &[("CPPC_FULL_EVERY", "2"), ("CPPC_COMPRESS", "lz4"), ("CPPC_COMPRESS_MIN", "1")] },
    Form { name: "packed", settings: &[("CPPC_COMPRESS", "deflate"), ("CPPC_COMPRESS_MIN", "1")] },
];
/// From which one.
const CHECKPOINT: usize = 2;

/// Programs whose state cannot go everywhere.
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

/// What of which program is refused, and what has to be said.
struct Refused {
    program: &'static str,
    checkpoint: usize,
    /// Only on the way from a machine with a wide `long` to one with a narrow one.
    is_for_narrow_long: bool,
    words: &'static [&'static str],
}

/// Of this one the golden files are.
const GOLDEN: &str = "golden";
/// More checkpoints than any of the programs has.
const MOST: usize = 20;

/// The programs, compiled for their machines.
pub fn travellers<'a>(programs: &'a Programs, list: &'a [Program], directory: &Path) -> Result<Vec<Traveller<'a>>> {
    let compiles: Vec<(&Program, usize)> =
        list.iter().flat_map(|program| program.machines.iter().map(move |machine| (program, *machine))).collect();
    let mut binaries = in_parallel(&compiles, |(program, machine)| {
        let machine = &MACHINES[*machine];
        programs.compile(machine, program).with_context(|| format!("`{}` for {}", program.name, machine.name))
    })?
    .into_iter();
    let compiled: Vec<_> =
        list.iter().map(|program| (program, binaries.by_ref().take(program.machines.len()).collect::<Vec<_>>())).collect();
    in_parallel(&compiled, |(program, binaries)| Traveller::new(programs, program, binaries.clone(), directory))
}

/// What one worker does without another.
enum Way<'a> {
    /// To all other machines.
    From { traveller: &'a Traveller<'a>, machine: usize, form: &'static Form },
    /// One checkpoint here, the next there, in one form and in another.
    Along(&'a Traveller<'a>),
}

pub fn run(travellers: &[Traveller]) -> Result<usize> {
    let mut ways = Vec::new();
    for traveller in travellers {
        for form in FORMS {
            ways.extend(traveller.machines.iter().map(|machine| Way::From { traveller, machine: *machine, form }));
        }
        if !REFUSED.iter().any(|refused| refused.program == traveller.name) {
            ways.push(Way::Along(traveller));
        }
    }
    let counts = in_parallel(&ways, |way| match way {
        Way::From { traveller, machine, form } => depart(traveller, *machine, form)
            .with_context(|| format!("`{}` from {}, {}", traveller.name, MACHINES[*machine].name, form.name)),
        Way::Along(traveller) => along(traveller).with_context(|| format!("`{}` from machine to machine", traveller.name)),
    })?;
    Ok(counts.into_iter().sum())
}

fn depart(traveller: &Traveller, from: usize, form: &Form) -> Result<usize> {
    let mut count = 0;
    let checkpoints = if form.settings.is_empty() { 1..MOST } else { CHECKPOINT..CHECKPOINT + 1 };
    for checkpoint in checkpoints {
        let Some(state) = traveller.stop(from, form, checkpoint)? else {
            ensure!(checkpoint > CHECKPOINT, "it has less than {CHECKPOINT} checkpoints");
            break;
        };
        for to in traveller.machines.iter().filter(|to| **to != from) {
            arrive(traveller, &state, from, *to, form, checkpoint)
                .with_context(|| format!("to {} after checkpoint {checkpoint}", MACHINES[*to].name))?;
            count += 1;
        }
    }
    Ok(count)
}

fn arrive(traveller: &Traveller, state: &Path, from: usize, to: usize, form: &Form, checkpoint: usize) -> Result<()> {
    let done = traveller.go_on(state, from, to, form)?;
    let narrows = MACHINES[from].long_bytes > MACHINES[to].long_bytes;
    let refused = REFUSED.iter().find(|refused| {
        refused.program == traveller.name && refused.checkpoint == checkpoint && (narrows || !refused.is_for_narrow_long)
    });
    let Some(refused) = refused else { return traveller.check(&done) };
    let messages = said(&done);
    ensure!(done.status.code() == Some(1), "it was not refused: {messages}");
    for word in refused.words {
        ensure!(messages.contains(word), "it was refused without the words {word:?}: {messages}");
    }
    Ok(())
}

fn along(traveller: &Traveller) -> Result<usize> {
    let state = traveller.fresh("along")?;
    let machines = traveller.machines;
    for step in 0..=machines.len() {
        let form = &FORMS[step % FORMS.len()];
        let done = traveller.start(machines[step % machines.len()], &state, form.settings, Some(step + 1))?;
        if done.status.success() {
            traveller.check(&done)?;
            return Ok(step);
        }
        // What one machine has read shows the same when it writes it.
        traveller.look(&traveller.line(&state, step + 1), step + 1)?;
    }
    let done = traveller.start(machines[1], &state, &[], None)?;
    traveller.check(&done)?;
    Ok(machines.len() + 1)
}

/// The state files of the golden program, from each machine one that stands for itself and two of which the second leans
/// on the first.
pub fn write_golden(programs: &Programs, list: &[Program], directory: &Path, into: &Path) -> Result<()> {
    let golden = list.iter().find(|program| program.name == GOLDEN).context("the golden program is missing")?;
    let binaries: Result<Vec<_>> = MACHINES.iter().map(|machine| programs.compile(machine, golden)).collect();
    let traveller = Traveller::new(programs, golden, binaries?, directory)?;
    for (from, machine) in MACHINES.iter().enumerate() {
        for (form, lines, place) in [("binary", 1, into.to_owned()), ("lean", 2, into.join("lean").join(machine.name))] {
            std::fs::create_dir_all(&place)?;
            let form = FORMS.iter().find(|known| known.name == form).context("there is no such form")?;
            let state = traveller.stop(from, form, lines)?.context("the golden program has too few checkpoints")?;
            for line in 1..=lines {
                let name = format!("line-{line:06}.cppc");
                let kept = if lines == 1 { format!("{}.cppc", machine.name) } else { name.clone() };
                std::fs::copy(state.join(GOLDEN).join("rank-0000").join(name), place.join(kept))?;
            }
        }
    }
    Ok(())
}

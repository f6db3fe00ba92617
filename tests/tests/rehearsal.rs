//! `cppc rehearse` finds planted mistakes: registers, captures and execute blocks that are removed from programs, and
//! programs that use the time of day, an unlisted file, or an unsafe checkpoint. It passes programs without mistakes.
//!
//! Sequential programs of the tests pass with `--state` and `--poison`. CPPC_REHEARSAL_SEED chooses which of them are
//! tried. Their first comments contain what their rehearsals need.
//!
//! A removal counts as a mistake if the harness of the tests finds that a resumed run is wrong. With
//! `CPPC_REHEARSALS=all`, all removals of all programs in the list are tried, and all sequential programs.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Output, Stdio};

use anyhow::{ensure, Context, Result};
use cppc_tests::build;
use cppc_tests::cases::{case, run};
use cppc_tests::deletion::{changed_builds, Fate};
use cppc_tests::form::Form;
use cppc_tests::matrix::in_memory;
use cppc_tests::product::{here, Product};
use cppc_tests::program::{programs, Language, Mpi, Program};
use cppc_tests::run::{several_processes_on_few_cores, without_settings};
use libtest_mimic::Trial;
use serde_json::Value;

/// Programs whose parts are removed.
const CHANGED: [&str; 8] = [
    "heap_swap",
    "heap_rows",
    "register_structures",
    "register_scalars",
    "execute_file",
    "open_stream",
    "fortran_register_derived",
    "fortran_open_formatted",
];

/// Mistakes in one program, by macros, and a word of the report.
const PLANTED: [(&str, &str, &[&str], &str); 8] = [
    ("time_of_day", "-DTIME_OF_DAY", &[], "two runs that were not killed differ"),
    ("random_seed", "-DRANDOM_SEED", &[], "two runs that were not killed differ"),
    ("unlisted_file", "-DUNLISTED_FILE", &["--compare", "written"], "`written`:"),
    ("forgotten_variable", "-DFORGOTTEN", &[], "which the unbroken run does not print"),
    ("forgotten_memory", "-DFORGOTTEN_MEMORY", &["--poison", "--state"], "variable `sum` of `main`"),
    ("handle_outside_of_execute", "-DHANDLE", &[], "restart from recovery line"),
    ("restart_that_crashes", "-DCRASH", &[], "SIGSEGV"),
    ("restart_that_hangs", "-DHANG", &["--limit", "3s"], "does not end"),
];

/// Mistakes in another program. Its variables are forgotten one by one.
const FORGOTTEN: [&str; 15] = [
    "LOCAL_STATIC",
    "COUNTER",
    "FLAG",
    "LENGTH",
    "PREVIOUS",
    "MINIMUM",
    "TEXT",
    "HALF",
    "LIST",
    "POSITION",
    "STATIC",
    "FIELD",
    "ROW",
    "MEMBER",
    "GENERATOR",
];

/// Its other mistakes: the macro, options, and a part of the report. `IN_FLIGHT` is a message that a checkpoint separates
/// from its receiver.
const PARTS: [(&str, &[&str], &str); 11] = [
    ("HANDLE_TO_READ", &[], "restart from recovery line"),
    ("UNLISTED_TO_READ", &[], "restart from recovery line"),
    ("HANDLE_TO_APPEND", &["--compare", "written"], "`written`: line"),
    ("DESCRIPTOR", &["--compare", "written"], "`written`: it ends"),
    ("HANDLE_OF_TEMPORARY", &[], "it does not print `again"),
    ("HIDDEN_GENERATOR", &[], "restart from recovery line"),
    ("PROCESSOR_TIME", &[], "two runs that were not killed differ"),
    ("PROCESS_NUMBER", &[], "two runs that were not killed differ"),
    ("ADDRESS", &[], "two runs that were not killed differ"),
    ("TIME_IN_RESULTS", &[], "two runs that were not killed differ"),
    ("IN_FLIGHT", &["--limit", "5s"], "does not end"),
];

fn main() -> ExitCode {
    run(cases())
}

fn cases() -> Result<Vec<Trial>> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rehearsal");
    let mut cases = Vec::new();
    for (name, macro_option, options, expected) in PLANTED {
        cases.push(case(&scratch, format!("planted/{name}"), move |directory| {
            compile(Some(macro_option), directory)?;
            planted(options, expected, &["./planted"], directory)
        }));
    }
    let forgotten =
        FORGOTTEN.map(|name| (format!("FORGOTTEN_{name}"), &[][..], "restart from recovery line"));
    let parts = PARTS.map(|(name, options, expected)| (name.to_owned(), options, expected));
    for (name, options, expected) in forgotten.into_iter().chain(parts) {
        cases.push(case(&scratch, format!("planted/{}", name.to_lowercase()), move |directory| {
            part(&name, options, expected, directory)
        }));
    }
    cases.push(case(&scratch, "correct_parts".to_owned(), |directory| {
        compile_part("NO_MISTAKE", directory)?;
        let output = command(&["rehearse", "--times", "3", "--", "./planted"], directory)?.output()?;
        ensure!(output.status.success(), "{}", text(&output));
        Ok(())
    }));
    cases.push(case(&scratch, "correct_program".to_owned(), |directory| {
        let output = rehearsed(
            &["--state", "--poison", "--compare", "written", "--junit", "report.xml"],
            &[],
            directory,
        )?;
        ensure!(output.status.success(), "{}", text(&output));
        let junit = fs::read_to_string(directory.join("report.xml"))?;
        ensure!(junit.contains("tests=\"4\" failures=\"0\""), "{junit}");
        Ok(())
    }));
    cases.push(case(&scratch, "program_without_checkpoints".to_owned(), |directory| {
        let output = rehearsed(&[], &[("CPPC_EVERY", "1000")], directory)?;
        ensure!(output.status.code() == Some(2) && text(&output).contains("CPPC_EVERY"), "{}", text(&output));
        Ok(())
    }));
    cases.push(case(&scratch, "program_that_fails".to_owned(), |directory| {
        let output =
            command(&["rehearse", "--", "sh", "-c", "echo reason >&2; exit 3"], directory)?.output()?;
        let all = text(&output);
        ensure!(
            output.status.code() == Some(2) && all.contains("reason") && all.contains("status 3"),
            "{all}"
        );
        Ok(())
    }));
    cases.push(case(&scratch, "program_that_does_not_end".to_owned(), |directory| {
        let script = "echo first >&2; echo second >&2; exec sleep 60";
        let words = ["rehearse", "--limit", "1s", "--", "sh", "-c", script];
        let output = command(&words, directory)?.output()?;
        let all = text(&output);
        let expected = "the program does not end within 1 s (`--limit`): first; second";
        ensure!(output.status.code() == Some(2) && all.contains(expected), "{all}");
        Ok(())
    }));
    cases.push(case(&scratch, "state_of_a_real_run_is_not_used".to_owned(), own_state));
    cases.push(case(&scratch, "pointer_that_was_null_keeps_its_size".to_owned(), |directory| {
        let options = ["-O1", "-w", "-o", "planted"];
        let mut compile = Product::get()?.command("cppc-cc");
        compile.env("CPPC_CC", "cc").args(options).arg("-I").arg(here("programs/include"));
        build::succeed(compile.arg(here("programs/c/heap_empty.c")).arg("-lm").current_dir(directory))?;
        let words = ["rehearse", "--state", "--at", "1,7", "--", "./planted"];
        let output = command(&words, directory)?.output()?;
        ensure!(output.status.success(), "{}", text(&output));
        Ok(())
    }));
    let all = std::env::var("CPPC_REHEARSALS").is_ok_and(|value| value == "all");
    let programs = programs()?;
    let sample = sample(&programs, if all { usize::MAX } else { 24 })?;
    for program in programs {
        if CHANGED.contains(&program.name.as_str()) {
            let program = program.clone();
            cases.push(case(&scratch, format!("changed/{}", program.name), move |directory| {
                changed(&program, if all { usize::MAX } else { 1 }, directory)
            }));
        }
        let is_parallel = program.processes.is_some();
        if program.name.starts_with("example_")
            || (program.rehearsal.is_some() && sample.contains(&program.name))
        {
            cases.push(case(&scratch, format!("passes/{}", program.name), move |directory| {
                let is_short = !all && (is_parallel || !program.name.starts_with("example_"));
                passes(&program, if is_short { 1 } else { 3 }, directory)
            }));
        }
    }
    Ok(cases)
}

/// The names of some sequential programs, at equal distances from the seed on.
fn sample(programs: &[Program], most: usize) -> Result<BTreeSet<String>> {
    let seed: usize = match std::env::var("CPPC_REHEARSAL_SEED") {
        Ok(text) => text.parse().with_context(|| format!("CPPC_REHEARSAL_SEED={text}"))?,
        Err(_) => 1,
    };
    let fit = |program: &&Program| program.processes.is_none() && program.rehearsal.is_some();
    let names: Vec<&String> = programs.iter().filter(fit).map(|program| &program.name).collect();
    let step = names.len().div_ceil(most).max(1);
    Ok(names.into_iter().skip(seed % step).step_by(step).cloned().collect())
}

fn command(arguments: &[&str], directory: &Path) -> Result<Command> {
    let mut command = Product::get()?.command("cppc");
    without_settings(&mut command);
    several_processes_on_few_cores(&mut command, Mpi::Default)?;
    command.args(arguments).current_dir(directory).env("TMPDIR", directory).stdin(Stdio::null());
    Ok(command)
}

fn text(output: &Output) -> String {
    format!(
        "{}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

fn compile(macro_option: Option<&str>, directory: &Path) -> Result<()> {
    let mut compile = Product::get()?.command("cppc-cc");
    compile.env("CPPC_CC", "cc").args(["-O0", "-w", "-o", "planted"]).args(macro_option);
    build::succeed(compile.arg(here("programs/alone/planted.c")).current_dir(directory))?;
    Ok(())
}

/// The program without a planted mistake.
fn rehearsed(options: &[&str], variables: &[(&str, &str)], directory: &Path) -> Result<Output> {
    compile(None, directory)?;
    let mut words = vec!["rehearse", "--times", "3"];
    words.extend(options);
    words.extend(["--", "./planted"]);
    Ok(command(&words, directory)?.envs(variables.iter().copied()).output()?)
}

/// The program with the parts. It reads numbers from a file.
fn compile_part(name: &str, directory: &Path) -> Result<()> {
    let numbers: Vec<String> = (3..40).map(|number: i32| number.to_string()).collect();
    fs::write(directory.join("numbers"), numbers.join("\n"))?;
    let compiler = if name == "IN_FLIGHT" { "mpicc" } else { "cc" };
    let mut compile = Product::get()?.command("cppc-cc");
    compile.env("CPPC_CC", compiler).args(["-O0", "-w", "-o", "planted"]).arg(format!("-D{name}"));
    build::succeed(compile.arg(here("programs/alone/planted_parts.c")).current_dir(directory))?;
    Ok(())
}

fn part(name: &str, options: &[&str], expected: &str, directory: &Path) -> Result<()> {
    compile_part(name, directory)?;
    let launched: &[&str] =
        if name == "IN_FLIGHT" { &["mpirun", "-n", "2", "./planted"] } else { &["./planted"] };
    planted(options, expected, launched, directory)
}

fn planted(options: &[&str], expected: &str, launched: &[&str], directory: &Path) -> Result<()> {
    let mut words = vec!["rehearse", "--times", "2"];
    words.extend(options);
    words.push("--");
    words.extend(launched);
    let output = command(&words, directory)?.output()?;
    ensure!(output.status.code() == Some(1), "not found: {}", text(&output));
    ensure!(text(&output).contains(expected), "no `{expected}`: {}", text(&output));
    let left = fs::read_dir(directory)?.flatten().map(|entry| entry.file_name());
    let left: Vec<_> = left.filter(|name| name.to_string_lossy().starts_with("cppc-rehearse")).collect();
    ensure!(left.is_empty(), "state is left: {left:?}");
    Ok(())
}

fn own_state(directory: &Path) -> Result<()> {
    compile(None, directory)?;
    let commands: [&[&str]; 4] = [
        &["./planted", "--cppc-dir=real"],
        &["./planted", "-CPPC,CPPC/Controller/RootDir=real"],
        &["env", "CPPC_DIR=real", "./planted"],
        &["./planted", "--cppc-restart", "auto"],
    ];
    for words in commands {
        let output = command(&[&["rehearse", "--"], words].concat(), directory)?.output()?;
        ensure!(output.status.code() == Some(2), "{words:?}: {}", text(&output));
        ensure!(text(&output).contains("a rehearsal needs its own"), "{words:?}: {}", text(&output));
    }
    ensure!(!directory.join("real").exists(), "the directory of another run was used");
    Ok(())
}

/// What the rehearsal of an executable finds.
fn rehearse(
    program: &Program,
    executable: &Path,
    options: &[String],
    times: usize,
    directory: &Path,
) -> Result<Vec<String>> {
    let mut words: Vec<String> =
        ["rehearse", "--json", "--poison", "--limit", "60s", "--times"].map(str::to_owned).to_vec();
    words.splice(1..1, options.iter().cloned());
    words.extend([times.to_string(), "--".to_owned()]);
    if let Some(processes) = program.processes {
        words.extend([program.launcher().to_owned(), "-n".to_owned(), processes.to_string()]);
    }
    words.push(executable.display().to_string());
    words.extend(program.arguments.iter().cloned());
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let output = command(&words, directory)?.env("NO_STOP_MESSAGE", "1").output()?;
    // All checkpoints are skipped.
    if output.status.code() == Some(2) && text(&output).contains("nothing is written") {
        return Ok(vec![text(&output)]);
    }
    let report: Value = serde_json::from_slice(&output.stdout).with_context(|| text(&output))?;
    let cases = report["cases"].as_array().into_iter().flatten();
    let all = cases.flat_map(|case| case["findings"].as_array().into_iter().flatten());
    Ok(all.map(|finding| finding.as_str().unwrap_or_default().to_owned()).collect())
}

fn passes(program: &Program, times: usize, directory: &Path) -> Result<()> {
    let executable = build::translated(program, Form::first(program), directory)?;
    let files = directory.join("work");
    fs::create_dir(&files)?;
    // Examples may read files of their own directory.
    let is_data = |path: &Path| path.is_file() && Language::of(path).is_none();
    for entry in fs::read_dir(&program.directory)?.flatten().filter(|entry| is_data(&entry.path())) {
        fs::copy(entry.path(), files.join(entry.file_name()))?;
    }
    let options = program.rehearsal.clone().unwrap_or_default();
    let findings = rehearse(program, &executable, &options, times, &files)?;
    ensure!(findings.is_empty(), "{findings:#?}");
    Ok(())
}

/// The rehearsal of each changed program fails if and only if a resumed run is wrong.
fn changed(program: &Program, most: usize, directory: &Path) -> Result<()> {
    const KILLS: usize = 2;
    let (mut found, mut needless) = (0, 0);
    for (removal, executable, fate) in changed_builds(program, most, KILLS, directory)? {
        let place = format!("{} {} in line {}", removal.kind, removal.name, removal.line);
        let memory = in_memory(directory)?;
        let files = memory.path().join("work");
        fs::create_dir(&files)?;
        let findings = rehearse(program, &executable, &[], KILLS, &files).with_context(|| place.clone())?;
        match fate {
            Fate::Missed(why) => {
                ensure!(!findings.is_empty(), "{place}: not found, although {why}");
                found += 1;
            }
            Fate::Needless => needless += 1,
            Fate::Skipped => ensure!(!findings.is_empty(), "{place}: a skipped checkpoint is not reported"),
            Fate::Reported => {}
        }
    }
    println!("{}: {found} mistakes are found, {needless} removals are harmless", program.name);
    Ok(())
}

//! `cppc convert`: the same state in another format.
//!
//! Input: state files, and the writer for the new files.
//! Output: full files of that writer.
//! Postcondition: a file gets its name only after it was read back and found equal bit by bit. An existing
//! file that is to be replaced remains until then.

use crate::display::{error_text, many, plain, size, styled, wrong, BAD};
use crate::pending_file::{self, directory, PendingFile};
use crate::progress::Progress;
use crate::scan::Application;
use crate::select::{application, split, Ranks};
use crate::table::{heading, table, width, Column};
use anyhow::{anyhow, bail, Context, Result};
use cppc_runtime::codec::CompressionOptions;
use cppc_runtime::format::binary::DumpContent;
use cppc_runtime::settings::{Compression, Writer};
use cppc_runtime::storage::directory::{line_name, rank_name};
use cppc_runtime::storage::{Directory, Posix, Storage};
use cppc_runtime::verify::{self, describe, load, read_part, StateFile, Verified};
use cppc_runtime::write::StateWriter;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

#[derive(Debug, Clone)]
pub struct ConvertOptions {
    pub writer: Writer,
    pub compress: Compression,
    pub output: PathBuf,
    /// Existing files may be replaced.
    pub force: bool,
    pub app: Option<String>,
    pub ranks: Ranks,
}

#[derive(Debug, Serialize)]
pub struct Report {
    pub files: Vec<Converted>,
    pub problems: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct Converted {
    #[serde(serialize_with = "crate::display::lossy")]
    pub from: PathBuf,
    #[serde(serialize_with = "crate::display::lossy")]
    pub to: PathBuf,
    pub from_bytes: u64,
    pub to_bytes: u64,
}

struct Conversion {
    from: PathBuf,
    to: PathBuf,
    bytes: u64,
}

/// Converts everything at the paths. An error means that nothing was converted.
pub fn convert(paths: &[PathBuf], wanted: &ConvertOptions) -> Result<Report> {
    let form = StateWriter::of(&wanted.writer);
    match &form {
        StateWriter::Missing(error) => bail!("{error}"),
        StateWriter::Plugin(_) if wanted.compress == Compression::Lz4 => {
            bail!("only the writer `binary` compresses with lz4")
        }
        StateWriter::Plugin(_) | StateWriter::Binary => {}
    }
    let mut tasks = Vec::new();
    let mut applications = Vec::new();
    for path in paths {
        let (path, line) = split(path);
        let found =
            std::fs::metadata(&path).with_context(|| format!("cannot look at `{}`", path.display()))?;
        if !found.is_dir() {
            tasks.push(single(&path, found.len(), wanted));
            continue;
        }
        let application = application(&path, wanted.app.as_deref())?;
        tasks.extend(of_application(&application, line, wanted)?);
        applications.push(application);
    }
    check(&tasks, &applications, wanted)?;
    for application in &applications {
        prepare(application, wanted)?;
    }
    let progress = Progress::new(tasks.iter().map(|task| task.bytes).fold(0, u64::saturating_add));
    let mut report = Report { files: Vec::new(), problems: Vec::new() };
    for task in tasks {
        progress.at(&task.from.display().to_string());
        match converted(&task, &form, wanted) {
            Ok(converted) => report.files.push(converted),
            Err(error) => report.problems.push(error_text(&error)),
        }
        progress.advance(task.bytes);
    }
    Ok(report)
}

/// If the output is a directory, the file keeps its name.
fn single(path: &Path, bytes: u64, wanted: &ConvertOptions) -> Conversion {
    let to = match path.file_name() {
        Some(name) if wanted.output.is_dir() => wanted.output.join(name),
        _ => wanted.output.clone(),
    };
    Conversion { from: path.to_owned(), to, bytes }
}

/// Newest first: before a base file is replaced, the files that depend on it were converted to full ones.
fn of_application(
    application: &Application,
    line: Option<u64>,
    wanted: &ConvertOptions,
) -> Result<Vec<Conversion>> {
    let mut tasks = Vec::new();
    for number in application.numbers().into_iter().filter(|number| line.is_none_or(|line| line == *number)) {
        for (rank, file) in application.line(number).filter(|(rank, _)| wanted.ranks.holds(*rank)) {
            let to = wanted.output.join(&application.name).join(rank_name(rank)).join(line_name(number));
            tasks.push(Conversion { from: file.path.clone(), to, bytes: file.size_bytes });
        }
    }
    if tasks.is_empty() {
        let line = line.map_or(String::new(), |line| format!(" of recovery line {line}"));
        bail!("there are no state files{line} in `{}`", application.path.display());
    }
    Ok(tasks)
}

/// Checks everything that could prevent the conversion, before it begins.
fn check(tasks: &[Conversion], applications: &[Application], wanted: &ConvertOptions) -> Result<()> {
    let mut outputs = BTreeSet::new();
    let mut replaced = BTreeSet::new();
    for task in tasks {
        if !outputs.insert(&task.to) {
            bail!("two files would become `{}`", task.to.display());
        }
        if std::fs::symlink_metadata(&task.to).is_err() {
            continue;
        }
        if !wanted.force {
            bail!("`{}` is there already; write elsewhere, or replace it with `--force`", task.to.display());
        }
        pending_file::check(&task.to)?;
        replaced.extend(task.to.canonicalize());
    }
    let converted: BTreeSet<PathBuf> =
        tasks.iter().filter_map(|task| task.from.canonicalize().ok()).collect();
    for rank in applications.iter().flat_map(|application| &application.ranks) {
        // A running program may be about to write a file that depends on one that is replaced here.
        let is_here =
            rank.files.iter().any(|file| file.path.canonicalize().is_ok_and(|path| replaced.contains(&path)));
        if is_here && rank.being_written.is_some_and(is_recent) {
            bail!("a program seems to be writing to rank {}; convert to another directory, or wait until it has ended", rank.rank);
        }
        for file in rank.files.iter().chain(&rank.aside) {
            if file
                .path
                .canonicalize()
                .is_ok_and(|path| converted.contains(&path) && replaced.contains(&path))
            {
                continue;
            }
            for base in verify::bases(&Posix, &file.path).unwrap_or_default() {
                let base = rank
                    .files
                    .iter()
                    .find(|other| other.number == base)
                    .and_then(|base| base.path.canonicalize().ok());
                if let Some(base) = base.filter(|base| replaced.contains(base)) {
                    bail!(
                        "`{}` needs `{}`, which would be replaced; convert both",
                        file.path.display(),
                        base.display()
                    );
                }
            }
        }
    }
    Ok(())
}

const RECENT: Duration = Duration::from_secs(600);

fn is_recent(time: SystemTime) -> bool {
    time.elapsed().map_or(true, |passed| passed < RECENT)
}

/// Makes directories, and marker files of finished runs, so that those are not resumed from the new directory
/// either.
fn prepare(application: &Application, wanted: &ConvertOptions) -> Result<()> {
    for rank in application.ranks.iter().filter(|rank| wanted.ranks.holds(rank.rank)) {
        let directory = Directory::new(Arc::new(Posix), &wanted.output, &application.name, rank.rank);
        directory
            .make()
            .with_context(|| format!("cannot make the directory `{}`", directory.path().display()))?;
        for &run in &rank.finished_runs {
            let mark = directory.finished(run);
            let marked =
                Posix.open_for_writing(&mark).and_then(|file| file.sync()).and_then(|()| directory.sync());
            marked.with_context(|| format!("cannot write `{}`", mark.display()))?;
        }
    }
    Ok(())
}

fn converted(task: &Conversion, form: &StateWriter, wanted: &ConvertOptions) -> Result<Converted> {
    let state = describe(&Posix, &task.from).and_then(load).map_err(|error| anyhow!(wrong(&error)))?;
    let blocks: Vec<&[u8]> =
        (0..state.manifest().blocks.len()).map(|block| state.block(block).unwrap_or_default()).collect();
    let (workpiece, _) = PendingFile::new(&task.to)?;
    let path = workpiece.path();
    let content = DumpContent {
        blocks: &blocks,
        compression: CompressionOptions { compress: wanted.compress, from_elements: 0, threads: 0 },
    };
    let (to_bytes, _) = form.write(&Posix, path, state.manifest(), *state.machine(), &content, None)?;
    check_same(path, &state, &blocks)?;
    let directory = directory(&task.to);
    workpiece.keep(wanted.force)?;
    Posix.sync_dir(directory).with_context(|| format!("cannot sync `{}`", directory.display()))?;
    Ok(Converted { from: task.from.clone(), to: task.to.clone(), from_bytes: task.bytes, to_bytes })
}

const STEP_BYTES: usize = 1 << 20;

/// Reads back what was written, and compares it.
fn check_same(path: &Path, state: &Verified<StateFile>, blocks: &[&[u8]]) -> Result<()> {
    let written = describe(&Posix, path)?;
    let mut is_same = written.manifest() == state.manifest() && written.machine() == state.machine();
    for (block, bytes) in blocks.iter().enumerate() {
        for (step, bytes) in bytes.chunks(STEP_BYTES).enumerate() {
            is_same =
                is_same && read_part(&written, block, (step * STEP_BYTES) as u64, bytes.len())? == bytes;
        }
    }
    if !is_same {
        bail!("what was written differs from `{}`; nothing was kept", state.path().display());
    }
    Ok(())
}

impl fmt::Display for Report {
    fn fmt(&self, text: &mut fmt::Formatter) -> fmt::Result {
        let mut rows = vec![heading(["file", "before", "after"])];
        for file in &self.files {
            let path = plain(&file.to.display().to_string());
            rows.push(vec![path.into(), size(file.from_bytes).into(), size(file.to_bytes).into()]);
        }
        if rows.len() > 1 {
            write!(text, "{}", table(&rows, &[Column::Text, Column::Number, Column::Number], width(text)))?;
        }
        for problem in &self.problems {
            writeln!(text, "{}", styled(problem, BAD))?;
        }
        writeln!(text, "{} converted", many(self.files.len() as u64, "file"))
    }
}

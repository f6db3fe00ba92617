//! Streams and descriptors of C that the program reads, and then writes from another position.
//!
//! Input: the paths through the program, and the calls that open files.
//! Output: the checkpoints after which the program reads such a file before it writes it, and then overwrites it.
//! Postcondition: files that are open at the same time under one name are one file. Files that are opened for updating are
//! reported by themselves.

use rustc_hash::FxHashSet;

use crate::file_modes::{first_handles, Mode, OpenedFile};
use crate::file_names::{FileName, FileNames};
use crate::handles::{argument_is_in, copies, is_in};
use crate::paths::Paths;
use crate::points_to::Target;
use crate::program::Site;
use crate::units::is_open;
use crate::unrestored_files::{Change, UnrestoredFile};

/// Calls that read a stream or a descriptor, without the prefixes and endings of other forms.
const READS: [&str; 16] = [
    "fgetc", "fgets", "fgetwc", "fgetws", "fread", "fscanf", "fwscanf", "getc", "getdelim", "getline",
    "getw", "getwc", "read", "readv", "vfscanf", "vfwscanf",
];
const WRITES: [&str; 16] = [
    "dprintf",
    "fprintf",
    "fputc",
    "fputs",
    "fputwc",
    "fputws",
    "fwprintf",
    "fwrite",
    "putc",
    "putw",
    "putwc",
    "vdprintf",
    "vfprintf",
    "vfwprintf",
    "write",
    "writev",
];
/// Calls that read or write at a position of their own.
const READS_AT: [&str; 2] = ["pread", "preadv"];
const WRITES_AT: [&str; 2] = ["pwrite", "pwritev"];
/// Calls that set a position.
const SETS: [&str; 5] = ["fseek", "fseeko", "fsetpos", "lseek", "rewind"];

/// One report for each file.
pub fn rewritten_streams(paths: &Paths, opened: &[OpenedFile], names: &FileNames) -> Vec<UnrestoredFile> {
    let program = paths.summaries.places.program;
    let mut files: Vec<(Option<FileName>, Vec<OpenedFile>)> = Vec::new();
    for file in opened {
        let Some(call) = program.operation(file.open).call().filter(|call| !is_open(call)) else { continue };
        // `fopen` and `open` get the name first.
        let name = call.arguments.first().and_then(|name| names.only(file.open, name));
        match files.iter_mut().find(|(other, _)| name.is_some() && *other == name) {
            Some((_, files)) => files.push(*file),
            None => files.push((name, vec![*file])),
        }
    }
    let is_possible = |files: &Vec<OpenedFile>| {
        files.iter().any(|file| file.mode == Mode::Truncates)
            && files.iter().any(|file| file.is_read)
            && !files.iter().any(|file| file.mode == Mode::Updates)
    };
    files.retain(|(_, files)| is_possible(files));
    files.iter().filter_map(|(_, files)| Streams::new(paths, files).rewritten()).collect()
}

/// What the program does with the handles of one file.
struct Streams<'a> {
    paths: &'a Paths<'a>,
    /// The calls that remove the content.
    opens: FxHashSet<Site>,
    /// The calls that read, and those that opened the file for it.
    reads: Vec<(Site, Site)>,
    writes: FxHashSet<Site>,
    /// They set the position.
    sets: Vec<Site>,
    /// They write at a position of their own.
    writes_at: Vec<Site>,
}

impl<'a> Streams<'a> {
    fn new(paths: &'a Paths<'a>, files: &[OpenedFile]) -> Streams<'a> {
        let new = files.iter().filter(|file| file.mode == Mode::Truncates);
        let mut streams = Streams {
            paths,
            opens: new.flat_map(|file| [file.call, file.open]).collect(),
            reads: Vec::new(),
            writes: FxHashSet::default(),
            sets: Vec::new(),
            writes_at: Vec::new(),
        };
        files.iter().for_each(|file| streams.add_file(file));
        streams
    }

    fn add_file(&mut self, file: &OpenedFile) {
        let (paths, summaries) = (self.paths, self.paths.summaries);
        let first = first_handles(summaries, file);
        let handles = copies(summaries, first.clone());
        let (mut ends, mut uses) = (FxHashSet::default(), Vec::new());
        for (site, _, call) in summaries.places.program.calls() {
            let is_another = site != file.call && site != file.open;
            // Another file gets the variable.
            if is_another && call.result.as_ref().is_some_and(|to| is_in(summaries, to, &first)) {
                ends.insert(site);
            }
            for target in summaries.places.calls.targets(site) {
                let Target::Outside(name) = target else { continue };
                let Some(effects) = summaries.effects.effects(name) else { continue };
                let mut handle = call.arguments.iter().enumerate();
                let handle = handle.find(|(_, argument)| argument_is_in(summaries, argument, &handles));
                let Some((number, _)) = handle else { continue };
                if effects.parameter(number).ends {
                    ends.insert(site);
                } else {
                    uses.push((site, plain(name)));
                }
            }
        }
        let is_open = paths.after_until(&[file.call], &|site| ends.contains(&site));
        // A restart repeats the uses in a block.
        uses.retain(|(site, _)| is_open.contain(*site) && !paths.in_blocks.contains_key(site));
        for (site, name) in uses {
            let of = |names: &[&str]| names.contains(&name);
            if of(&SETS) {
                self.sets.push(site);
            } else if file.is_read && (of(&READS) || of(&READS_AT)) {
                self.reads.push((site, file.call));
            } else if file.mode != Mode::Other && (of(&WRITES) || of(&WRITES_AT)) {
                self.writes.insert(site);
                self.writes_at.extend(of(&WRITES_AT).then_some(site));
            }
        }
    }

    fn rewritten(&self) -> Option<UnrestoredFile> {
        if self.reads.is_empty() || self.writes.is_empty() {
            return None;
        }
        // A restart writes again what it reads after a write.
        let is_new = |site: Site| self.writes.contains(&site) || self.opens.contains(&site);
        self.paths.summaries.places.program.checkpoints().find_map(|checkpoint| {
            let next = self.paths.after_until(&[checkpoint], &is_new);
            let (read, call) = *self.reads.iter().find(|(site, _)| next.contain(*site))?;
            let later = self.paths.after(read);
            let sets: Vec<Site> = self.sets.iter().copied().filter(|site| later.contain(*site)).collect();
            let written = self.paths.after_until(&sets, &|site| self.opens.contains(&site));
            let writes = self.writes.iter().copied().filter(|site| written.contain(*site));
            let at = self.writes_at.iter().copied().filter(|site| later.contain(*site));
            let changed = Some(writes.chain(at).min()?);
            Some(UnrestoredFile { checkpoint, call, in_block: false, change: Change::Updates, changed })
        })
    }
}

/// The name of the procedure of the standard: `fread` of `fread_unlocked`, `fscanf` of `__isoc99_fscanf`.
fn plain(name: &str) -> &str {
    let name = ["__isoc99_", "__isoc23_", "__builtin_"]
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix))
        .unwrap_or(name);
    let name = name.strip_suffix("_unlocked").unwrap_or(name);
    name.strip_suffix("64").unwrap_or(name)
}

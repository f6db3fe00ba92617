//! Streams and descriptors of C that the program reads, and then writes from another position.
//!
//! Input: the paths through the program, and the calls that open files.
//! Output: the checkpoints after which the program reads such a file before it writes it, and then overwrites it.
//! Postcondition: files that are open at the same time under one name are one file. Files that are opened for updating are
//! reported by themselves.

use rustc_hash::FxHashSet;

use crate::file_modes::{Mode, OpenedFile};
use crate::file_names::{FileNames, ResolvedName};
use crate::handle_uses::{handle_uses, HandleUse};
use crate::paths::{Paths, Points};
use crate::program::{Argument, Site, Value};
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
const WRITES_AT: [&str; 3] = ["ftruncate", "pwrite", "pwritev"];
/// Calls that set a position.
const SETS: [&str; 5] = ["fseek", "fseeko", "fsetpos", "lseek", "rewind"];
/// The third argument of a call that sets a position from the end of the file.
const SEEK_END: i64 = 2;

/// One report for each file.
pub fn rewritten_streams(paths: &Paths, opened: &[OpenedFile], names: &FileNames) -> Vec<UnrestoredFile> {
    let program = paths.summaries.places.program;
    let mut files: Vec<(Option<ResolvedName>, Vec<OpenedFile>)> = Vec::new();
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

/// What the program does with one file.
struct Streams<'a> {
    paths: &'a Paths<'a>,
    /// The calls that remove the content.
    opens: FxHashSet<Site>,
    /// The calls that read, and those that opened the file for it.
    reads: Vec<(Site, Site)>,
    /// All calls that write.
    writes: FxHashSet<Site>,
    handles: Vec<Handle>,
}

/// The calls with the handle of one call that opens the file.
#[derive(Default)]
struct Handle {
    /// They set the position.
    sets: Vec<Site>,
    /// They set it to the end of the file.
    to_end: FxHashSet<Site>,
    writes: Vec<Site>,
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
            handles: Vec::new(),
        };
        files.iter().for_each(|file| streams.add_file(file));
        streams
    }

    fn add_file(&mut self, file: &OpenedFile) {
        let mut handle = Handle::default();
        for HandleUse { site, name } in handle_uses(self.paths, file) {
            // A restart repeats the uses in a block.
            let Some(name) = name.filter(|_| !self.paths.in_blocks.contains_key(&site)) else { continue };
            let of = |names: &[&str]| names.contains(&name);
            if of(&SETS) {
                match self.is_end(site) {
                    true => drop(handle.to_end.insert(site)),
                    false => handle.sets.push(site),
                }
            } else if file.is_read && (of(&READS) || of(&READS_AT)) {
                self.reads.push((site, file.call));
            } else if file.mode != Mode::Other && of(&WRITES) {
                handle.writes.push(site);
            } else if file.mode != Mode::Other && of(&WRITES_AT) {
                handle.writes_at.push(site);
            }
        }
        self.writes.extend(handle.writes.iter().chain(&handle.writes_at));
        self.handles.push(handle);
    }

    /// Whether `fseek` or `lseek` goes to the end of the file, or beyond it.
    fn is_end(&self, site: Site) -> bool {
        let call = self.paths.summaries.places.program.operation(site).call();
        let constant = |number: usize| match call?.arguments.get(number)? {
            Argument::Value(Value::Affine(number)) => number.as_constant(),
            Argument::Value(_) | Argument::Reference(_) | Argument::Absent => None,
        };
        constant(1).is_some_and(|offset| offset >= 0) && constant(2) == Some(SEEK_END)
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
            let changed = Some(self.handles.iter().filter_map(|one| self.overwrites(one, &later)).min()?);
            Some(UnrestoredFile { checkpoint, call, in_block: false, change: Change::Updates, changed })
        })
    }

    /// The first call that may overwrite what the program has read. `later`: the points after the read.
    fn overwrites(&self, handle: &Handle, later: &Points) -> Option<Site> {
        let is_later = |site: &Site| later.contain(*site);
        let sets: Vec<Site> = handle.sets.iter().copied().filter(is_later).collect();
        let is_end = |site: Site| self.opens.contains(&site) || handle.to_end.contains(&site);
        let written = self.paths.after_until(&sets, &is_end);
        let writes = handle.writes.iter().copied().filter(|site| written.contain(*site));
        writes.chain(handle.writes_at.iter().copied().filter(is_later)).min()
    }
}

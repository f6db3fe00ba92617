//! How calls open files.
//!
//! Input: summaries.
//! Output: the calls that open files, with the mode.
//! Postcondition: a mode that is not known counts as appending.

use rustc_hash::FxHashSet;

use crate::effects::Opens;
use crate::points_to::Target;
use crate::program::{Argument, Call, OperationKind, Site, Value};
use crate::sets::Bytes;
use crate::summary::Summaries;
use crate::units::{is_append, is_create, is_open, is_replace};

/// A file that the program opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct OpenedFile {
    /// The call that determines the mode: it opens the file, or its procedure does.
    pub call: Site,
    /// The call that opens the file.
    pub open: Site,
    pub mode: Mode,
    /// The program may read it.
    pub is_read: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    Appends,
    /// It reads what the file contains, and may overwrite it.
    Updates,
    Truncates,
    /// The file must not exist: `STATUS='NEW'` of Fortran, `x` of `fopen`, `O_EXCL`.
    Creates,
    /// It writes over what the file contains: `O_WRONLY` without `O_TRUNC`. `creates`: the file may be missing.
    Overwrites {
        creates: bool,
    },
    /// It only reads the file, or the first use determines what happens.
    Other,
}

/// The mode of one call, and whether the file can be read.
enum Known {
    Mode(Mode, bool),
    /// The mode is the parameter with this number of the procedure that contains the call.
    Parameter(usize),
}

/// How many procedures pass on a mode.
const DEPTH_LIMIT: u32 = 8;

/// Flags of `open`.
const ACCESS: i64 = 0o3;
const WRITES: i64 = 0o1;
const READS_AND_WRITES: i64 = 0o2;
const CREATES: i64 = 0o100;
const IS_NEW: i64 = 0o300;
const TRUNCATES: i64 = 0o1000;
const APPENDS: i64 = 0o2000;

/// The calls that open files, in order. There is one mode for each pair of calls.
pub fn opened_files(summaries: &Summaries) -> Vec<OpenedFile> {
    let mut search = Search { summaries, found: Vec::new(), followed: FxHashSet::default() };
    for (site, _, call) in summaries.places.program.calls() {
        if is_open(call) {
            let modes = [
                (is_append(call), Mode::Appends),
                (is_create(call), Mode::Creates),
                (is_replace(call), Mode::Truncates),
            ];
            let mode =
                modes.into_iter().find(|(has_mode, _)| *has_mode).map_or(Mode::Other, |(_, mode)| mode);
            search.found.push(OpenedFile { call: site, open: site, mode, is_read: true });
        }
        for target in summaries.places.calls.targets(site) {
            let Target::Outside(name) = target else { continue };
            match summaries.effects.effects(name).and_then(|effects| effects.opens) {
                Some(Opens { mode: Some(mode), .. }) => search.add((site, site), call, mode, 0),
                Some(Opens { mode: None, .. }) => {
                    let (mode, is_read) = (Mode::Truncates, false);
                    search.found.push(OpenedFile { call: site, open: site, mode, is_read });
                }
                None => {}
            }
        }
    }
    search.found.sort();
    search.found.dedup_by_key(|file| (file.call, file.open));
    search.found
}

struct Search<'a> {
    summaries: &'a Summaries<'a>,
    found: Vec<OpenedFile>,
    /// The parameters that were followed: the calls of the procedure, and the call that opens the file.
    followed: FxHashSet<(Site, Site)>,
}

impl Search<'_> {
    /// Adds a call whose argument `mode` is the mode, or the calls of its procedure that determine it. `(call, open)`: where the
    /// search is, and the call that opens the file.
    fn add(&mut self, (site, open): (Site, Site), call: &Call, mode: usize, depth: u32) {
        let (mode, is_read) = match self.mode(site, call.arguments.get(mode)) {
            Known::Parameter(number) if depth < DEPTH_LIMIT => {
                for &caller in &self.summaries.places.calls.callers[site.procedure.0 as usize] {
                    let call = self.summaries.places.program.operation(caller).call();
                    if let Some(call) = call.filter(|_| self.followed.insert((caller, open))) {
                        self.add((caller, open), call, number, depth + 1);
                    }
                }
                return;
            }
            Known::Parameter(_) => (Mode::Appends, true),
            Known::Mode(Mode::Updates, _) if self.is_device(call) => (Mode::Other, true),
            Known::Mode(mode, is_read) => (mode, is_read),
        };
        self.found.push(OpenedFile { call: site, open, mode, is_read });
    }

    /// Whether the call names a file such as `/dev/null`.
    fn is_device(&self, call: &Call) -> bool {
        let name = call.arguments.first().and_then(|name| self.summaries.places.program.text(name));
        name.is_some_and(|name| name.starts_with("/dev/") && !name.starts_with("/dev/shm/"))
    }

    fn mode(&self, site: Site, argument: Option<&Argument>) -> Known {
        let program = self.summaries.places.program;
        if let Some(text) = argument.and_then(|argument| program.text(argument)) {
            let mode = match text.as_bytes().first() {
                Some(b'a') => Mode::Appends,
                Some(b'r') if text.contains('+') => Mode::Updates,
                Some(b'w') if text.contains('x') => Mode::Creates,
                Some(b'w') => Mode::Truncates,
                _ => Mode::Other,
            };
            return Known::Mode(mode, text.contains('+') || text.starts_with('r'));
        }
        let (root, known) = match argument {
            Some(Argument::Value(Value::Affine(number))) => match (number.as_constant(), &number.terms[..]) {
                (Some(flags), _) => return Known::Mode(of_flags(flags), flags & ACCESS != WRITES),
                (None, [(root, 1)]) => (*root, number.constant == 0),
                (None, _) => return Known::Mode(Mode::Appends, true),
            },
            Some(Argument::Value(Value::Copy(access))) => (access.root, access.path.is_empty()),
            _ => return Known::Mode(Mode::Appends, true),
        };
        let procedure = self.summaries.procedure(site.procedure);
        let is_changed = procedure.operations(site.procedure).any(|(_, operation)| match &operation.kind {
            OperationKind::Write { to, .. } => to.root == root,
            _ => false,
        });
        let parameter = procedure.parameters.iter().position(|&parameter| parameter == root);
        match parameter.filter(|_| known && !is_changed) {
            Some(number) => Known::Parameter(number),
            None => Known::Mode(Mode::Appends, true),
        }
    }
}

/// The mode that the flags of `open` mean.
fn of_flags(flags: i64) -> Mode {
    match flags & ACCESS {
        0 => Mode::Other,
        _ if flags & TRUNCATES != 0 => Mode::Truncates,
        _ if flags & IS_NEW == IS_NEW => Mode::Creates,
        _ if flags & APPENDS != 0 => Mode::Appends,
        READS_AND_WRITES => Mode::Updates,
        _ => Mode::Overwrites { creates: flags & CREATES != 0 },
    }
}

/// The memory that gets the handle.
pub fn first_handles(summaries: &Summaries, file: &OpenedFile) -> Bytes {
    let program = summaries.places.program;
    let mut handles = Bytes::default();
    let (caller, call) = (program.operation(file.call).call(), program.operation(file.open).call());
    let (Some(caller), Some(call)) = (caller, call) else { return handles };
    if is_open(call) {
        let unit = call.arguments.first().and_then(|unit| summaries.units.of(unit));
        return unit.map_or(handles, Bytes::from_range);
    }
    if let Some(result) = caller.result.as_ref().or(call.result.as_ref()) {
        for place in summaries.places.resolve(result, &mut Vec::new()) {
            handles.add(&summaries.places.concretize(&Bytes::from_range(place.range)));
        }
    }
    handles
}

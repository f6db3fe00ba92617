//! The calls that use an open file of C.
//!
//! Input: the paths through the program, and a call that opens a file.
//! Output: the calls that get the handle while the file is open.
//! Postcondition: a handle is followed through copies, arguments and results. Code that is not known uses each handle that it
//! can reach.

use rustc_hash::FxHashSet;

use crate::effects::ResultEffect;
use crate::file_modes::{first_handles, OpenedFile};
use crate::handles::{argument_is_in, copies, is_in};
use crate::paths::{Paths, Points};
use crate::points_to::Target;
use crate::program::Site;
use crate::sets::Bytes;
use crate::summary::Summaries;

/// A call that uses an open file.
#[derive(Debug, Clone, Copy)]
pub struct HandleUse<'a> {
    pub site: Site,
    /// The procedure of the standard. None: the code is not known, or it runs in an execute block.
    pub name: Option<&'a str>,
}

/// Calls with a handle that neither read nor write the file.
const WITHOUT_CONTENT: [&str; 13] = [
    "clearerr",
    "feof",
    "ferror",
    "fflush",
    "flock",
    "flockfile",
    "ftrylockfile",
    "funlockfile",
    "lockf",
    "setbuf",
    "setbuffer",
    "setlinebuf",
    "setvbuf",
];

/// Whether the program may read what the file contains. If not, it only asks whether the file exists.
pub fn may_read(paths: &Paths, file: &OpenedFile) -> bool {
    let is_read = |one: &HandleUse| one.name.is_none_or(|name| !WITHOUT_CONTENT.contains(&name));
    paths.in_blocks.contains_key(&file.call) || handle_uses(paths, file).iter().any(is_read)
}

/// The calls that use the file, without those that close it.
pub fn handle_uses<'a>(paths: &Paths<'a>, file: &OpenedFile) -> Vec<HandleUse<'a>> {
    let summaries = paths.summaries;
    let (first, _) = first_handle(summaries, file);
    let handles = same_file(summaries, first.clone());
    let mut uses = Vec::new();
    for (site, _, call) in summaries.places.program.calls() {
        let handle = call.arguments.iter().position(|one| argument_is_in(summaries, one, &handles));
        for target in summaries.places.calls.targets(site) {
            let known = match target {
                Target::Outside(name) => summaries.effects.effects(name).map(|effects| (name, effects)),
                // Paths do not enter the procedures that a block calls.
                Target::Procedure(_) if !paths.in_blocks.contains_key(&site) => continue,
                Target::Procedure(_) | Target::Unknown => None,
            };
            match (known, handle) {
                (Some((_, effects)), Some(number)) if effects.parameter(number).ends => {}
                (Some((name, _)), Some(_)) => uses.push(HandleUse { site, name: Some(plain(name)) }),
                (Some(_), None) => {}
                (None, _) => {
                    if handle.is_some() || is_reached(summaries, site, &handles) {
                        uses.push(HandleUse { site, name: None });
                    }
                }
            }
        }
    }
    let is_open = open_points(paths, file);
    uses.retain(|one| is_open.contain(one.site));
    uses
}

/// The points where the file may be open.
pub fn open_points(paths: &Paths, file: &OpenedFile) -> Points {
    let summaries = paths.summaries;
    let (first, start) = first_handle(summaries, file);
    let handles = copies(summaries, first.clone());
    let mut ends = FxHashSet::default();
    for (site, _, call) in summaries.places.program.calls() {
        // Another file gets the variable.
        let is_another = site != file.call && site != file.open;
        let is_replaced = is_another && call.result.as_ref().is_some_and(|to| is_in(summaries, to, &first));
        let handle = call.arguments.iter().position(|one| argument_is_in(summaries, one, &handles));
        let is_closed = |target: &Target| {
            let (Target::Outside(name), Some(number)) = (target, handle) else { return false };
            summaries.effects.effects(name).is_some_and(|effects| effects.parameter(number).ends)
        };
        if is_replaced || summaries.places.calls.targets(site).iter().any(is_closed) {
            ends.insert(site);
        }
    }
    paths.after_until(&[start], &|site| ends.contains(&site))
}

/// The handles of the file: a handle that a call makes of one of them means the same file (`fileno`, `dup`).
fn same_file(summaries: &Summaries, first: Bytes) -> Bytes {
    let mut handles = copies(summaries, first);
    for (site, _, call) in summaries.places.program.calls() {
        let Some(result) = &call.result else { continue };
        let handle = call.arguments.iter().position(|one| argument_is_in(summaries, one, &handles));
        let is_handle = |target: &Target| {
            let (Target::Outside(name), Some(number)) = (target, handle) else { return false };
            summaries.effects.effects(name).is_some_and(|effects| {
                matches!(effects.result, ResultEffect::Handle(_)) && !effects.parameter(number).ends
            })
        };
        if summaries.places.calls.targets(site).iter().any(is_handle) {
            let made = summaries.places.resolve(result, &mut Vec::new());
            let made = copies(summaries, made.iter().map(|place| place.range).collect());
            handles.add(&made);
        }
    }
    handles
}

/// The memory that gets the handle, and the call after which it has it.
fn first_handle(summaries: &Summaries, file: &OpenedFile) -> (Bytes, Site) {
    let of_caller = first_handles(summaries, file);
    if file.call == file.open {
        return (of_caller, file.call);
    }
    let own = first_handles(summaries, &OpenedFile { call: file.open, ..*file });
    let returned = copies(summaries, own.clone());
    let is_returned = of_caller.iter().any(|range| returned.overlaps(range));
    // The procedure may use the file itself: `load(name, mode)`.
    if is_returned {
        (of_caller, file.call)
    } else {
        (own, file.open)
    }
}

/// Whether a call may read the memory of a handle.
fn is_reached(summaries: &Summaries, site: Site, handles: &Bytes) -> bool {
    let effects = summaries.effect_at(site);
    let is_read = handles.iter().any(|range| effects.reads.overlaps(range));
    is_read
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

//! Files that the program makes shorter while they are open.
//!
//! Input: the paths through the program, and the calls that open files. Output: the calls after a checkpoint that change the
//! length of a file that was open there.
//! Postcondition: a restart needs at least the content that the file had at its checkpoint. A file that the program opens after
//! the checkpoint is not reported.

use crate::effects::FileAction;
use crate::file_modes::OpenedFile;
use crate::handle_uses::{handle_uses, open_points};
use crate::paths::Paths;
use crate::points_to::Target;
use crate::program::Site;
use crate::unrestored_files::{Change, UnrestoredFile};

/// One report for each call.
pub fn shortened_files(paths: &Paths, opened: &[OpenedFile]) -> Vec<UnrestoredFile> {
    let mut found: Vec<UnrestoredFile> = Vec::new();
    // The runtime restores only the files of blocks with `file`.
    for file in opened.iter().filter(|file| paths.in_blocks.get(&file.call) == Some(&false)) {
        let uses = handle_uses(paths, file).into_iter().map(|one| one.site);
        let is_other = |site: &Site| !found.iter().any(|known| known.call == *site);
        let shortens: Vec<Site> =
            uses.filter(|site| !paths.in_blocks.contains_key(site) && shortens(paths, *site)).collect();
        for call in shortens.into_iter().filter(is_other).collect::<Vec<Site>>() {
            let open = open_points(paths, file);
            let mut checkpoints = paths.summaries.places.program.checkpoints();
            let is_before = |checkpoint: &Site| {
                let is_again = |site: Site| [file.call, file.open].contains(&site);
                open.contain(*checkpoint) && paths.after_until(&[*checkpoint], &is_again).contain(call)
            };
            let report = checkpoints.find(is_before).map(|checkpoint| UnrestoredFile {
                checkpoint,
                in_block: false,
                call,
                change: Change::Shortens,
                changed: None,
            });
            found.extend(report);
        }
    }
    found
}

fn shortens(paths: &Paths, site: Site) -> bool {
    let summaries = paths.summaries;
    let is_known = |target: &Target| {
        let Target::Outside(name) = target else { return false };
        let files = summaries.effects.effects(name).map_or(&[][..], |effects| &effects.files);
        files.iter().any(|file| file.action == FileAction::Shortens)
    };
    summaries.places.calls.targets(site).iter().any(is_known)
}

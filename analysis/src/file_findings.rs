//! What the check reports about files.
//!
//! Input: the analyses of a program.
//! Output: findings about files that a restart does not restore, and about positions that it loses.

use crate::check::{Analysis, Finding, FindingKind};
use crate::file_modes::opened_files;
use crate::file_names::FileNames;
use crate::file_positions::{lost_positions, LostPosition};
use crate::named_files::named_files;
use crate::paths::Paths;
use crate::program::Site;
use crate::rewritten_streams::rewritten_streams;
use crate::shortened_files::shortened_files;
use crate::units::is_open;
use crate::unrestored_files::{unrestored_files, Change, UnrestoredFile};
use crate::witness::Witness;

impl Analysis<'_> {
    pub(crate) fn files(&self) -> Vec<Finding> {
        let (paths, opened) = (Paths::new(&self.summaries), opened_files(&self.summaries));
        let names = FileNames::new(&paths);
        let mut unrestored = unrestored_files(&paths, &opened, &names);
        unrestored.extend(rewritten_streams(&paths, &opened, &names));
        unrestored.extend(named_files(&paths, &opened, &names));
        unrestored.extend(shortened_files(&paths, &opened));
        let unrestored = unrestored.into_iter().map(|file| self.unrestored_file(file));
        let lost = lost_positions(&paths, &opened).into_iter().map(|lost| self.lost_position(lost));
        unrestored.chain(lost).collect()
    }

    fn unrestored_file(&self, file: UnrestoredFile) -> Finding {
        Finding {
            kind: match (file.change, file.in_block) {
                (Change::Updates, _) => FindingKind::UpdatedFile,
                (Change::Records, _) => FindingKind::UpdatedRecords,
                (Change::Appends, true) => FindingKind::AppendInBlock,
                (Change::Appends, false) => FindingKind::RepeatedAppend,
                (Change::Creates, true) => FindingKind::CreationInBlock,
                (Change::Creates, false) => FindingKind::RepeatedCreation,
                (Change::Removes, _) => FindingKind::RemovedFile,
                (Change::Asks, _) => FindingKind::AskedFile,
                (Change::CreatesAgain, _) => FindingKind::RecreatedFile,
                (Change::Shortens, _) => FindingKind::ShortenedFile,
            },
            at: file.checkpoint,
            memory: None,
            text: match file.change {
                Change::Records => self.unit_of(file.call),
                Change::Appends
                | Change::Updates
                | Change::Creates
                | Change::Removes
                | Change::Asks
                | Change::CreatesAgain
                | Change::Shortens => self.called(file.call).unwrap_or_else(|| "a procedure".to_owned()),
            },
            variable: None,
            read: Some(Witness { calls: Vec::new(), site: file.call }),
            written: file.changed.map(|site| Witness { calls: Vec::new(), site }),
            register: None,
        }
    }

    fn lost_position(&self, lost: LostPosition) -> Finding {
        let is_truncated = lost.used.is_none();
        let witness = |site: Site| Witness { calls: Vec::new(), site };
        let call = self.operation(lost.open).call();
        let text = match call.filter(|call| is_open(call)) {
            Some(_) => self.unit_of(lost.open),
            None => self.called(lost.open).unwrap_or_else(|| "a procedure".to_owned()),
        };
        Finding {
            kind: FindingKind::LostPosition { is_early: lost.is_early, is_truncated },
            at: lost.checkpoint,
            memory: None,
            text,
            variable: None,
            read: lost.used.or(lost.moved).map(witness),
            written: Some(witness(lost.open)),
            register: None,
        }
    }

    /// The unit of a statement for input and output.
    fn unit_of(&self, site: Site) -> String {
        let units = self.summaries.units;
        let unit = self.operation(site).call().and_then(|call| units.of(call.arguments.first()?));
        units.name(self.summaries.places.program, unit.unwrap_or(units.others()))
    }
}

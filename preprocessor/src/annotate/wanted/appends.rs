//! Files of C that the program opens for appending or creates in each step, and closes again.
//!
//! Input: the calls that open such files between checkpoints.
//! Output: blocks around them, so that a restart removes what was appended or created after the checkpoint.
//! Postcondition: a file whose name is not known at the call has no block. The check reports it.

use std::collections::BTreeSet;

use cppc_analysis::file_modes::opened_files;
use cppc_analysis::file_names::FileNames;
use cppc_analysis::paths::Paths;
use cppc_analysis::unrestored_files::{unrestored_files, Change};

use super::{OpenedFile, Search, Wanted};
use crate::annotate::handles::FileName;

impl Search<'_> {
    pub(super) fn appends(&self, wanted: &mut BTreeSet<Wanted>) {
        let summaries = &self.analysis.summaries;
        let paths = Paths::new(summaries);
        let files = unrestored_files(&paths, &opened_files(summaries), &FileNames::new(&paths));
        let is_wanted = |change| matches!(change, Change::Appends | Change::Creates);
        for file in files.into_iter().filter(|file| is_wanted(file.change)) {
            for creation in self.handles.opening(file.call) {
                let FileName::Known(name) = &creation.file else { continue };
                let call = self.program.operation(creation.site).call();
                let captures = self.captures(creation.site, call, Some(&creation.receiver));
                let handle = creation.receiver.text.clone();
                let file = Some(OpenedFile::OfC { handle, name: name.clone() });
                wanted.insert(Wanted::Execute { at: creation.at, captures, file });
            }
        }
    }
}

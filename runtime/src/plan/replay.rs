//! The position in the plan during a restart.
//!
//! Input: the plan of the state file, and the calls that the program makes again.
//! Output: the next block to jump to, or where the program and the plan disagree.
//! Postcondition: each open frame has the position of the entry that it is replaying.

use super::capture::{IN_PROGRAM, OF_FILE};
use crate::manifest::{Capture, Cell, OpenFile, PlanEntry};
use thiserror::Error;

/// The program does not do what the plan requires.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Disagreement {
    #[error(
        "`{procedure}` reached {found} where the state file has {wanted}: the program differs from the one that wrote it"
    )]
    Block { procedure: String, found: String, wanted: String },
    #[error("`{found}` was entered where the state file has {wanted}: the program differs from the one that wrote it")]
    Entered { found: String, wanted: String },
    #[error("`{0}` returned before it had repeated all its entries of the restart plan: the program differs from the one that wrote the state file")]
    Left(String),
    #[error("`CPPC_Init` was called through {found}, but through {wanted} when the state file was written")]
    Init { found: String, wanted: String },
    #[error(
        "`{procedure}` captured `{found}` where the state file has {wanted}: the program differs from the one that wrote it"
    )]
    Captured { procedure: String, found: String, wanted: String },
    #[error("`{procedure}` is about to open `{found}`, but the state file has {wanted} there: add `capture(…)` for the variables that the name is made from to the directive of the execute block; nothing was changed")]
    Opened { procedure: String, found: String, wanted: String },
}

/// The kind of block that a call announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    Register,
    Execute,
    Call,
    Checkpoint,
}

/// The position of a frame: `index` in the list.
#[derive(Debug, Clone, Copy)]
struct Position {
    list: usize,
    index: usize,
}

#[derive(Debug)]
struct Step {
    entry: StepKind,
    block: i32,
    /// The index of the list of a call's entries.
    inner: Option<usize>,
}

#[derive(Debug)]
enum StepKind {
    Init,
    Register(Vec<u32>),
    Execute { captures: Vec<Capture>, files: Vec<OpenFile> },
    Call { callee: String, captures: Vec<Capture> },
    Checkpoint,
}

/// The position of a restart in the plan.
#[derive(Debug)]
pub struct Replay {
    lists: Vec<Vec<Step>>,
    /// For each list, the number of its steps up to the last that may change memory.
    changing: Vec<usize>,
    /// For each list, the cells of its frame.
    cells: Vec<Vec<Cell>>,
    /// For each open frame; none for a frame that is not in the plan.
    positions: Vec<Option<Position>>,
    /// The number of captures of the current block that have been restored.
    captured: usize,
}

impl Replay {
    /// `path` lists the frames that are open when `CPPC_Init` runs: for each but the last, the block of the
    /// call to the next frame, and its callee.
    pub fn new(plan: &[PlanEntry], path: &[(i32, &str)]) -> Result<Replay, Disagreement> {
        let mut replay = Replay {
            lists: Vec::new(),
            changing: Vec::new(),
            cells: Vec::new(),
            positions: Vec::new(),
            captured: 0,
        };
        replay.add_list(plan);
        replay.find_changing();
        let mut list = 0;
        for (block, callee) in path {
            let found = replay.lists[list].iter().position(|step| {
                let is_call = matches!(&step.entry, StepKind::Call { callee: found, .. } if found == callee);
                is_call && step.block == *block && step.inner.is_some_and(|inner| replay.holds_init(inner))
            });
            let Some(index) = found else { return Err(replay.init_elsewhere(path)) };
            replay.positions.push(Some(Position { list, index }));
            list = replay.lists[list][index].inner.unwrap_or(0);
        }
        match replay.lists[list].iter().position(|step| matches!(step.entry, StepKind::Init)) {
            Some(index) => replay.positions.push(Some(Position { list, index })),
            None => return Err(replay.init_elsewhere(path)),
        }
        Ok(replay)
    }

    fn add_list(&mut self, entries: &[PlanEntry]) -> usize {
        let list = self.lists.len();
        self.lists.push(Vec::new());
        self.cells.push(Vec::new());
        let steps = entries.iter().filter_map(|entry| self.step(entry, list)).collect();
        self.lists[list] = steps;
        list
    }

    /// None for an entry that is not a step.
    fn step(&mut self, entry: &PlanEntry, list: usize) -> Option<Step> {
        let (block, entry, inner) = match entry {
            PlanEntry::Cells { cells } => {
                self.cells[list].clone_from(cells);
                return None;
            }
            PlanEntry::Init { block } => (*block, StepKind::Init, None),
            PlanEntry::Register { block, registers } => (*block, StepKind::Register(registers.clone()), None),
            PlanEntry::Execute { block, captures, files } => {
                (*block, StepKind::Execute { captures: captures.clone(), files: files.clone() }, None)
            }
            PlanEntry::Checkpoint { block } => (*block, StepKind::Checkpoint, None),
            PlanEntry::Call { block, callee, captures, entries }
            | PlanEntry::Open { block, callee, captures, entries } => {
                let inner = self.add_list(entries);
                (*block, StepKind::Call { callee: callee.clone(), captures: captures.clone() }, Some(inner))
            }
        };
        Some(Step { entry, block, inner })
    }

    fn holds_init(&self, list: usize) -> bool {
        self.lists[list].iter().any(|step| {
            matches!(step.entry, StepKind::Init) || step.inner.is_some_and(|inner| self.holds_init(inner))
        })
    }

    fn init_elsewhere(&self, path: &[(i32, &str)]) -> Disagreement {
        let mut wanted: Vec<&str> = Vec::new();
        let mut list = 0;
        while let Some((callee, inner)) =
            self.lists[list].iter().find_map(|step| match (&step.entry, step.inner) {
                (StepKind::Call { callee, .. }, Some(inner)) if self.holds_init(inner) => {
                    Some((callee, inner))
                }
                _ => None,
            })
        {
            wanted.push(callee);
            list = inner;
        }
        let found: Vec<&str> = path.iter().map(|(_, callee)| *callee).collect();
        Disagreement::Init { found: through(&found), wanted: through(&wanted) }
    }

    fn current(&self) -> Option<&Step> {
        let position = self.positions.last().copied().flatten()?;
        self.lists[position.list].get(position.index)
    }

    /// Whether the innermost frame is in the plan.
    pub fn is_planned(&self) -> bool {
        self.positions.last().is_some_and(Option::is_some)
    }

    /// Whether the program has no numbered blocks: the plan contains only a checkpoint in the root. The
    /// restart then finds the checkpoint by trying each one.
    pub fn is_unnumbered(&self) -> bool {
        self.lists[0].iter().all(|step| matches!(step.entry, StepKind::Init | StepKind::Checkpoint))
    }

    /// Opens a frame under the current call. Returns the block to jump to, or none for the exit.
    pub fn enter(&mut self, procedure: &str) -> Result<Option<i32>, Disagreement> {
        let inner = match self.current() {
            Some(Step { entry: StepKind::Call { callee, .. }, inner: Some(inner), .. })
                if callee == procedure =>
            {
                *inner
            }
            found => {
                return Err(Disagreement::Entered { found: procedure.to_owned(), wanted: describe(found) })
            }
        };
        self.positions.push(Some(Position { list: inner, index: 0 }));
        self.captured = 0;
        Ok(self.current().map(|step| step.block))
    }

    /// Opens an unrecorded frame, under an execute block.
    pub fn enter_unrecorded(&mut self) {
        self.positions.push(None);
    }

    /// Closes the innermost frame.
    pub fn leave(&mut self, procedure: &str) -> Result<(), Disagreement> {
        let unfinished = self.current().is_some();
        self.positions.pop();
        if unfinished {
            return Err(Disagreement::Left(procedure.to_owned()));
        }
        Ok(())
    }

    /// Removes the frames beyond `depth`, which have ended.
    pub fn truncate(&mut self, depth: u32) {
        self.positions.truncate(depth as usize + 1);
    }

    /// Begins a block, which must be the next one of the plan.
    pub fn begin(&mut self, procedure: &str, kind: BlockKind, block: i32) -> Result<(), Disagreement> {
        self.captured = 0;
        let fits = self.current().is_some_and(|step| step.block == block && step.entry.kind() == Some(kind));
        if fits {
            return Ok(());
        }
        let found = format!("{} {block}", kind.noun());
        Err(Disagreement::Block { procedure: name_of(procedure), found, wanted: describe(self.current()) })
    }

    /// Ends the current block. Returns the block to jump to, or none for the exit.
    pub fn advance(&mut self) -> Option<i32> {
        if let Some(Some(position)) = self.positions.last_mut() {
            position.index += 1;
        }
        self.captured = 0;
        self.current().map(|step| step.block)
    }

    /// The registers that the current block makes; none outside a register block.
    pub fn registers(&self) -> Option<&[u32]> {
        match &self.current()?.entry {
            StepKind::Register(registers) => Some(registers),
            _ => None,
        }
    }

    /// The next recorded value of the current block, which must have this name.
    pub fn capture(&mut self, procedure: &str, name: &str) -> Result<Capture, Disagreement> {
        let captures = self.captures();
        match captures.get(self.captured) {
            Some(capture) if capture.name == name || is_of_file(&capture.name, name) => {
                let capture = capture.clone();
                self.captured += 1;
                Ok(capture)
            }
            other => Err(Disagreement::Captured {
                procedure: name_of(procedure),
                found: name.to_owned(),
                wanted: other.map_or("nothing more".to_owned(), |capture| format!("`{}`", capture.name)),
            }),
        }
    }

    fn captures(&self) -> &[Capture] {
        match self.current().map(|step| &step.entry) {
            Some(StepKind::Execute { captures, .. } | StepKind::Call { captures, .. }) => captures,
            _ => &[],
        }
    }

    /// The same without taking it, and whether a text about its pointers follows it. None: the next value has another name.
    pub fn next_capture(&self, name: &str) -> Option<(Capture, bool)> {
        let captures = self.captures();
        let next = captures.get(self.captured)?;
        let is_it = next.name == name || is_of_file(&next.name, name);
        let after = captures.get(self.captured + 1);
        let is_text = after.is_some_and(|after| is_text_about(after, next));
        is_it.then(|| (next.clone(), is_text))
    }

    /// The text about the pointers of the last capture into the executable and the libraries.
    pub fn captured_in_program(&mut self) -> Option<String> {
        let captures = self.captures();
        let last = captures.get(self.captured.checked_sub(1)?)?;
        let next = captures.get(self.captured)?;
        let is_of_last = is_text_about(next, last);
        let text = is_of_last.then(|| String::from_utf8_lossy(&next.bytes).into_owned());
        self.captured += usize::from(is_of_last);
        text
    }

    /// The number of files that the current block opens.
    pub fn count_files(&self) -> usize {
        match self.current().map(|step| &step.entry) {
            Some(StepKind::Execute { files, .. }) => files.len(),
            _ => 0,
        }
    }

    /// The saved state of a file that the current block opens. It must have this name. The first index is 0.
    pub fn file(&self, procedure: &str, index: usize, name: &str) -> Result<OpenFile, Disagreement> {
        let files: &[OpenFile] = match self.current().map(|step| &step.entry) {
            Some(StepKind::Execute { files, .. }) => files,
            _ => &[],
        };
        match files.get(index) {
            Some(file) if file.name == name => Ok(file.clone()),
            other => Err(Disagreement::Opened {
                procedure: name_of(procedure),
                found: name.to_owned(),
                wanted: other.map_or("nothing more".to_owned(), |file| format!("`{}`", file.name)),
            }),
        }
    }

    /// Whether an execute block or a call that has returned follows the current entry. Such a step may change
    /// memory that is restored now.
    pub fn may_be_changed(&self) -> bool {
        self.positions.iter().rev().enumerate().any(|(height, position)| {
            let Some(position) = position else { return true };
            let returns = height > 0 && !self.leads_to_checkpoint(*position);
            returns || position.index + 1 < self.changing[position.list]
        })
    }

    /// Computed once, because `may_be_changed` is called for each delivered register and must not search all
    /// steps.
    fn find_changing(&mut self) {
        self.changing = vec![0; self.lists.len()];
        // The list of a call comes after the list that contains the call.
        for list in (0..self.lists.len()).rev() {
            let last = self.lists[list].iter().rposition(|step| match (&step.entry, step.inner) {
                (StepKind::Execute { .. }, _) => true,
                (StepKind::Call { .. }, Some(inner)) => {
                    !self.ends_in_checkpoint(inner) || self.changing[inner] > 0
                }
                (
                    StepKind::Init | StepKind::Register(_) | StepKind::Checkpoint | StepKind::Call { .. },
                    _,
                ) => false,
            });
            self.changing[list] = last.map_or(0, |last| last + 1);
        }
    }

    fn leads_to_checkpoint(&self, position: Position) -> bool {
        let step = self.lists[position.list].get(position.index);
        step.and_then(|step| step.inner).is_some_and(|inner| self.ends_in_checkpoint(inner))
    }

    fn ends_in_checkpoint(&self, list: usize) -> bool {
        self.lists[list].last().is_some_and(|step| {
            matches!(step.entry, StepKind::Checkpoint)
                || step.inner.is_some_and(|inner| self.ends_in_checkpoint(inner))
        })
    }

    /// The saved cells of the open frame at `depth`.
    pub fn cells(&self, depth: usize) -> &[Cell] {
        self.positions.get(depth).copied().flatten().map_or(&[], |position| &self.cells[position.list])
    }

    /// Whether the innermost frame has reached its last entry: the checkpoint, or the call that contains it.
    pub fn is_at_last(&self) -> bool {
        self.positions.last().copied().flatten().is_some_and(|position| {
            position.index + 1 == self.lists[position.list].len() && self.ends_in_checkpoint(position.list)
        })
    }

    /// The checkpoint at which the plan ends.
    pub fn checkpoint(&self) -> Option<i32> {
        let mut list = 0;
        loop {
            let last = self.lists[list].last()?;
            match last.inner {
                Some(inner) => list = inner,
                None => return Some(last.block),
            }
        }
    }
}

impl StepKind {
    fn kind(&self) -> Option<BlockKind> {
        match self {
            StepKind::Init => None,
            StepKind::Register(_) => Some(BlockKind::Register),
            StepKind::Execute { .. } => Some(BlockKind::Execute),
            StepKind::Call { .. } => Some(BlockKind::Call),
            StepKind::Checkpoint => Some(BlockKind::Checkpoint),
        }
    }
}

impl BlockKind {
    fn noun(self) -> &'static str {
        match self {
            BlockKind::Register => "register block",
            BlockKind::Execute => "execute block",
            BlockKind::Call => "call",
            BlockKind::Checkpoint => "checkpoint",
        }
    }
}

fn describe(step: Option<&Step>) -> String {
    match step {
        None => "nothing more".to_owned(),
        Some(Step { entry: StepKind::Call { callee, .. }, block, .. }) => {
            format!("call {block} of `{callee}`")
        }
        Some(step) => format!("{} {}", step.entry.kind().map_or("init", BlockKind::noun), step.block),
    }
}

/// The root frame has no name.
fn name_of(procedure: &str) -> String {
    if procedure.is_empty() { "the program" } else { procedure }.to_owned()
}

fn through(procedures: &[&str]) -> String {
    if procedures.is_empty() {
        return "no procedure".to_owned();
    }
    procedures.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Whether a capture is the number of a file in the variable of this name.
fn is_of_file(captured: &str, name: &str) -> bool {
    captured.strip_prefix(name).is_some_and(|rest| rest.starts_with(OF_FILE))
}

/// Whether a capture is the text about the pointers of another one into the executable and the libraries.
fn is_text_about(capture: &Capture, other: &Capture) -> bool {
    capture.name.strip_suffix(IN_PROGRAM) == Some(other.name.as_str())
}

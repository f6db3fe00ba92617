//! The tree of a directive.

use std::ops::Range;

use crate::directive_words as words;

/// The language whose rules apply to the words: C is case-sensitive, Fortran is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    C,
    Fortran,
}

/// A directive. Ranges are bytes of the text from which it was parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directive {
    pub span: Range<usize>,
    pub kind: Kind<Item>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind<I> {
    Init,
    Shutdown,
    Register(Vec<I>),
    Unregister(Vec<I>),
    Execute {
        on_restart: bool,
        captures: Vec<I>,
        files: Vec<Opened<I>>,
    },
    EndExecute,
    Checkpoint(Safety<I>),
    /// `checkpoint loop`: a checkpoint at the first safe point of the body of the loop that follows. `is_asserted`: at its
    /// beginning, because the user asserts that it is safe.
    CheckpointLoop {
        is_asserted: bool,
    },
    /// `auto(…)`: the translation adds the directives that are missing.
    Auto(Added),
    /// A warning that is not reported at the next line: its code, and the names that it is restricted to.
    Allow(Vec<I>),
}

/// What a checkpoint says about the messages that may be in transit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Safety<I> {
    /// Nothing: CPPC checks it.
    Checked,
    /// `safe`: the user asserts that there are none.
    Asserted,
    /// `ranks(…)`: state is saved only in runs with these numbers of processes.
    Ranks(Vec<I>),
}

/// Which directives a translation adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// `register`: all but checkpoints.
    Others,
    /// `checkpoint`
    Checkpoints,
    /// `all`
    All,
}

impl Added {
    pub fn has_others(self) -> bool {
        matches!(self, Added::Others | Added::All)
    }

    pub fn has_checkpoints(self) -> bool {
        matches!(self, Added::Checkpoints | Added::All)
    }
}

/// The clause `file`: the program's handle of the file that it opens, and the name of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opened<I> {
    pub handle: I,
    pub name: I,
}

/// One entry of a list: text with matching brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    pub span: Range<usize>,
}

impl<I> Kind<I> {
    /// The word of the directive in a source.
    pub fn word(&self) -> &'static str {
        match self {
            Kind::Init => words::INIT,
            Kind::Shutdown => words::SHUTDOWN,
            Kind::Register(_) => words::REGISTER,
            Kind::Unregister(_) => words::UNREGISTER,
            Kind::Execute { .. } => words::EXECUTE,
            Kind::EndExecute => words::END_EXECUTE,
            Kind::Checkpoint(_) | Kind::CheckpointLoop { .. } => words::CHECKPOINT,
            Kind::Auto(_) => words::AUTO,
            Kind::Allow(_) => words::ALLOW,
        }
    }

    /// The same directive with its items converted.
    pub fn map<J>(self, mut item: impl FnMut(I) -> J) -> Kind<J> {
        match self {
            Kind::Init => Kind::Init,
            Kind::Shutdown => Kind::Shutdown,
            Kind::Register(items) => Kind::Register(items.into_iter().map(item).collect()),
            Kind::Unregister(items) => Kind::Unregister(items.into_iter().map(item).collect()),
            Kind::Execute { on_restart, captures, files } => Kind::Execute {
                on_restart,
                captures: captures.into_iter().map(&mut item).collect(),
                files: files
                    .into_iter()
                    .map(|file| Opened { handle: item(file.handle), name: item(file.name) })
                    .collect(),
            },
            Kind::EndExecute => Kind::EndExecute,
            Kind::Checkpoint(Safety::Checked) => Kind::Checkpoint(Safety::Checked),
            Kind::Checkpoint(Safety::Asserted) => Kind::Checkpoint(Safety::Asserted),
            Kind::Checkpoint(Safety::Ranks(numbers)) => {
                Kind::Checkpoint(Safety::Ranks(numbers.into_iter().map(item).collect()))
            }
            Kind::CheckpointLoop { is_asserted } => Kind::CheckpointLoop { is_asserted },
            Kind::Auto(added) => Kind::Auto(added),
            Kind::Allow(items) => Kind::Allow(items.into_iter().map(item).collect()),
        }
    }
}

//! Plans for a language whose constructs can only be entered through their headers: Fortran.
//!
//! Input: a procedure of the model.
//! Output: changes of statements, as data. Labels are marks, which get their numbers here. Jumps are lists of
//! marks.
//! Postcondition: the target of each jump of a restart is in the same construct or in an enclosing one. A
//! restart can pass each header on the path to a block.

mod arguments;
mod rules;
mod walker;
mod saving;
mod steps;
mod conditions;
mod loops;
mod statements;
mod directives;
mod direct_entries;
mod procedure;

use cppc_abi::ranks::Ranks;
use std::sync::Arc;

use cppc_source::Span;

use super::{Action, CallBlock, Captured, Fragment, SavedMemberId, SavedValue};
use crate::model::structured::{Layout, StatementLabel};
use crate::model::{Item, OpenedFile, TypeCode};

pub(super) use procedure::plan_procedure;

/// The plan of a procedure.
#[derive(Debug)]
pub struct BodyPlan {
    pub layout: Layout,
    pub changes: Vec<Change>,
    /// The label of each mark.
    pub labels: Vec<u32>,
    /// The first one is at the start of the procedure.
    pub hops: Vec<Hop>,
    pub terminals: Vec<Terminal>,
    pub dispatch: Mark,
    pub exit: Mark,
    /// Which of its alternate returns a procedure takes.
    pub alternate: Option<SavedMemberId>,
    /// The largest rank of a followed array in a register directive here.
    pub followed_rank: Option<u32>,
    /// Pointers that a restart nullifies when it enters.
    pub unset: Vec<String>,
}

/// A label that generated text introduces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Mark(pub usize);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HopId(pub usize);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TerminalId(pub usize);

/// The targets of a restart at one place: the label of block `first`, that of the next block, and so on.
#[derive(Debug, Clone, Default)]
pub struct Hop {
    pub first: u32,
    pub targets: Vec<Mark>,
}

impl Hop {
    /// The last block among its targets.
    pub fn last(&self) -> u32 {
        self.first + self.targets.len().saturating_sub(1) as u32
    }
}

/// The labelled statement that ends a loop.
#[derive(Debug, Clone, Copy)]
pub struct Terminal {
    pub label: u32,
    /// The end has moved to a statement of ours.
    pub moved: Option<Mark>,
}

/// The change of one statement.
#[derive(Debug)]
pub struct Change {
    /// The statement without its label, or the line of a directive.
    pub at: Span,
    pub position: Position,
    pub clauses: Vec<Clause>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    Before,
    /// The clauses replace the statement and its label.
    Instead,
    Behind,
    /// After a header, in its construct.
    Inside,
    /// Before the end of the procedure.
    AtEnd,
}

/// Generated statements.
#[derive(Debug)]
pub enum Clause {
    /// The program's own text as a comment.
    Note(Span),
    /// A label of the program, on a statement that does nothing.
    Label(u32),
    /// The next statement has this label of the program.
    At(u32),
    /// The next statement has this label.
    Mark(Mark),
    /// A statement that does nothing.
    Nothing,
    /// A statement of the program.
    Own(Fragment),
    Assign {
        slot: SavedMemberId,
        value: Fragment,
    },
    /// In a restart, jumps to the block, which is one of this hop.
    Hop(HopId),
    /// The same, where the block may be another.
    HopIfWithin(HopId),
    /// In a restart, stops: the construct at this place was left or entered by another part than before.
    OtherPart(Span),
    /// In a restart, jumps to this mark.
    Onward(Mark),
    /// Ends a block. In a restart, jumps to this mark.
    Jump(Mark),
    /// A truth value: that of a condition in a normal run.
    Truth {
        slot: SavedMemberId,
        entry: Entry,
        condition: Fragment,
        negate: bool,
    },
    /// Statements for a slot that is true, and statements for one that is false.
    Choose {
        slot: SavedMemberId,
        then: Vec<Clause>,
        otherwise: Vec<Clause>,
    },
    /// The header of an IF construct that the program ends.
    If {
        name: Option<String>,
        condition: Condition,
    },
    /// Of an IF construct of the program.
    ElseIf(Fragment),
    /// Of an IF construct of the program.
    Else,
    /// Ends an IF construct that an `ELSE IF` of the program has become.
    EndIf,
    /// `IF (condition) RETURN`, with what it returns by.
    ReturnIf {
        condition: Fragment,
        alternate: Option<Fragment>,
    },
    Return {
        alternate: Option<Fragment>,
    },
    /// The bounds of a loop.
    Bounds(Box<Bounds>),
    Do {
        name: Option<String>,
        terminal: Option<TerminalId>,
        control: Control,
    },
    /// The program's header of a loop, with another end.
    Header {
        span: Span,
        label: Span,
        mark: Mark,
    },
    /// Other names for variables that the next scope hides, by their numbers.
    Associate(Vec<(u32, String)>),
    EndAssociate,
    /// Leaves the loop if the condition is false.
    Unless(Fragment),
    /// The number of a case.
    Choice(Box<Choice>),
    Select {
        name: Option<String>,
        slot: SavedMemberId,
    },
    Case {
        number: u32,
        name: Option<String>,
    },
    Directive(Action),
    Checkpoint {
        block: u32,
        place: Span,
        ranks: Option<Ranks>,
        saving: Saving,
    },
    /// Ends an execute block.
    EndExecute {
        captures: Vec<Captured>,
        files: Vec<OpenedFile>,
        onward: Mark,
    },
    Call(Box<Call>),
    /// Jumps to one of the program's labels, or continues if the slot is 0.
    Branch {
        slot: SavedMemberId,
        labels: Vec<u32>,
    },
    /// Ends the frame.
    Leave,
}

impl Clause {
    /// The variables that have to be saved at this clause.
    pub fn saving(&self) -> Option<&Saving> {
        match self {
            Clause::Checkpoint { saving, .. } => Some(saving),
            Clause::Call(call) => Some(&call.saving),
            Clause::Note(_)
            | Clause::Label(_)
            | Clause::At(_)
            | Clause::Mark(_)
            | Clause::Nothing
            | Clause::Own(_)
            | Clause::Assign { .. }
            | Clause::Hop(_)
            | Clause::HopIfWithin(_)
            | Clause::OtherPart(_)
            | Clause::Onward(_)
            | Clause::Jump(_)
            | Clause::Truth { .. }
            | Clause::Choose { .. }
            | Clause::If { .. }
            | Clause::ElseIf(_)
            | Clause::Else
            | Clause::EndIf
            | Clause::ReturnIf { .. }
            | Clause::Return { .. }
            | Clause::Bounds(_)
            | Clause::Do { .. }
            | Clause::Header { .. }
            | Clause::Associate(_)
            | Clause::EndAssociate
            | Clause::Unless(_)
            | Clause::Choice(_)
            | Clause::Select { .. }
            | Clause::Case { .. }
            | Clause::Directive(_)
            | Clause::EndExecute { .. }
            | Clause::Branch { .. }
            | Clause::Leave => None,
        }
    }
}

/// When a condition counts as true in a restart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    Always,
    Never,
    /// If the restart continues at a block of this hop. The blocks of later hops have larger numbers.
    Within(HopId),
}

#[derive(Debug)]
pub enum Condition {
    Slot(SavedMemberId),
    Own(Fragment),
}

/// The control of a counted loop. The values in slots are computed only in a normal run.
#[derive(Debug)]
pub struct Bounds {
    pub first: (SavedMemberId, Fragment),
    pub last: (SavedMemberId, Fragment),
    pub step: By,
    /// The cell of the variable; those of the end and the step follow it.
    pub cell: u32,
    pub code: TypeCode,
}

#[derive(Debug)]
pub enum Control {
    Counted {
        variable: Span,
        first: SavedMemberId,
        last: SavedMemberId,
        step: By,
    },
    /// `DO WHILE (.TRUE.)`
    While,
    Forever,
}

/// A loop's step.
#[derive(Debug, Clone)]
pub enum By {
    One,
    Constant(Fragment),
    Slot(SavedMemberId, Fragment),
}

/// Which case a selector selects.
#[derive(Debug)]
pub struct Choice {
    pub slot: SavedMemberId,
    pub selector: Fragment,
    pub cases: Vec<Chosen>,
}

#[derive(Debug)]
pub struct Chosen {
    pub number: u32,
    /// In parentheses; none for the default.
    pub cases: Option<Span>,
    /// If it contains blocks.
    pub hop: Option<HopId>,
}

#[derive(Debug)]
pub struct Call {
    pub block: CallBlock,
    pub saving: Saving,
    pub returns: Option<Returns>,
}

/// The labels that a call may return to.
#[derive(Debug)]
pub struct Returns {
    /// The number of the label that the call returned to, 0 for none.
    pub slot: SavedMemberId,
    /// Each label with the generated label that replaces it.
    pub labels: Vec<(StatementLabel, Mark)>,
    pub end: Mark,
}

/// The variables that have to be saved or re-passed at a checkpoint or call.
#[derive(Debug, Clone, Default)]
pub struct Saving {
    pub saved: Vec<SavedValue>,
    /// Those of them that a restart restores.
    pub taken: Vec<SavedValue>,
    /// The variables of the enclosing loops.
    pub loops: Vec<LoopValue>,
    pub repassed: Vec<Repassed>,
    /// The registers of variables of BLOCK constructs that have ended.
    pub ended: Vec<String>,
}

/// An item that is re-passed.
#[derive(Debug, Clone)]
pub struct Repassed {
    pub item: Arc<Item>,
    /// The number of the other name for its variable, and the variable's name, if that name means another one here.
    pub outer: Option<(u32, String)>,
    /// The call that follows frees its memory, because it is an argument for INTENT(OUT).
    pub is_emptied: bool,
}

impl Repassed {
    pub fn is_same(&self, other: &Repassed) -> bool {
        self.item.lvalue == other.item.lvalue
            && self.item.kind == other.item.kind
            && self.outer == other.outer
    }
}

#[derive(Debug, Clone)]
pub struct LoopValue {
    pub variable: Span,
    pub cell: u32,
    pub code: TypeCode,
}

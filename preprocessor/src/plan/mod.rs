//! Decides, as data, what has to be inserted at which place: blocks, captures, temporaries, labels.
//!
//! Input: the model of a program.
//! Output: for each instrumented procedure, a plan that `spell` can write in its language. Diagnostics for
//! constructs that cannot be translated.
//! Postcondition: blocks are numbered from 1 in text order; every rewrite is at bytes that can be edited.
//! Planning does not read text.

mod blocks;
mod carry;
mod temporaries;
mod replayed_calls;
mod reach;
mod deferred;
mod restored;
mod scope;
mod builder;
mod outside;
mod call_extraction;
mod arguments;
pub mod c;
pub mod fortran;

use cppc_abi::ranks::Ranks;
use std::sync::Arc;

use cppc_source::{Diagnostic, Span};

use crate::model::{
    Class, Item, Language, LocalArray, OpenedFile, Pattern, Presence, ProcedureId, Program, SizeVariable,
    TypeCode, UnitId,
};

pub use blocks::BlockKind;
pub use reach::{directives_behind, Reach};
pub use scope::{add_record, add_records};

/// The plans of a program, in the order of its procedures.
#[derive(Debug, Default)]
pub struct Plan {
    pub procedures: Vec<ProcedurePlan>,
    pub outside: Vec<OutsideDirective>,
    pub diagnostics: Vec<Diagnostic>,
}

/// `unregister` or `shutdown` in a procedure without blocks.
#[derive(Debug)]
pub struct OutsideDirective {
    pub unit: UnitId,
    pub span: Span,
    pub action: Action,
}

/// Plans all procedures of a program. First it decides how constants are kept.
pub fn plan(program: &mut Program) -> Plan {
    let reach = deferred::settle(program);
    let diagnostics = c::constants::settle(program, &reach);
    let program = &*program;
    let mut plan = Plan { diagnostics, ..Plan::default() };
    for (index, found) in program.procedures.iter().enumerate() {
        let id = ProcedureId(index);
        if !reach.is_instrumented(id) {
            plan.outside.extend(outside::plan_outside(found));
            continue;
        }
        match found.language {
            Language::C => c::plan_procedure(program, id, &reach, &mut plan),
            Language::Fortran => fortran::plan_procedure(program, id, &reach, &mut plan),
        }
    }
    plan
}

#[derive(Debug)]
pub struct ProcedurePlan {
    pub unit: UnitId,
    pub name: String,
    /// Whether the program begins here.
    pub main: bool,
    /// Blocks are numbered from 1.
    pub blocks: Vec<BlockKind>,
    /// Saved copies and hidden variables. Saved copies come first.
    pub slots: Vec<SavedMember>,
    pub size_variables: Vec<SizeVariable>,
    pub form: Form,
}

impl ProcedurePlan {
    pub fn block_count(&self) -> u32 {
        self.blocks.len() as u32
    }
}

/// The part of a plan that depends on the language.
#[derive(Debug)]
pub enum Form {
    C(Box<c::BodyPlan>),
    Fortran(Box<fortran::BodyPlan>),
}

/// A saved copy, or a hidden variable.
#[derive(Debug, Clone)]
pub struct SavedMember {
    pub kind: SavedMemberKind,
    pub pattern: Pattern,
    pub code: Option<TypeCode>,
    pub class: Class,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SavedMemberKind {
    /// The saved value of a variable; the suffix tells variables of one name apart.
    Saved { name: String, suffix: Option<u32> },
    /// A pointer of the access path of a register. The pointer itself is not registered.
    PathPointer { name: String, suffix: Option<u32> },
    /// The result of a call.
    Value(u32),
    /// The value of an argument.
    Argument(u32),
    /// An operand that was evaluated before a call.
    Operand(u32),
    /// A truth value, or the value of a choice.
    Choice(u32),
    /// A captured value.
    Capture { name: String, number: u32 },
    /// Fortran: a variable without a counterpart in the program.
    Hidden { role: Role, number: u32 },
}

/// What a hidden variable is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// The condition of a construct.
    Condition,
    /// The number of a case.
    Case,
    /// The bounds of a counted loop.
    First,
    Last,
    Step,
    /// The label that a call returned to.
    Branch,
    /// The alternate return that the procedure takes.
    Alternate,
    /// The bounds of an argument that may get temporary memory, and whether it got some.
    Bounds,
    Lent,
    /// Whether the call that is replayed has returned.
    Repeated,
    /// The argument that such a call gets instead, and its extents.
    Substitute,
    Shape,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SavedMemberId(pub usize);

/// The generated code of a directive.
#[derive(Debug)]
pub enum Action {
    Init {
        block: u32,
    },
    Shutdown,
    Register {
        block: u32,
        section: u32,
        items: Vec<Registered>,
    },
    Unregister {
        items: Vec<Registered>,
    },
    /// Registers of static variables, without a block. In Fortran, those of a procedure are in its first directive.
    Defer {
        items: Vec<Registered>,
        /// Where Fortran declares what they need.
        declarations_at: Option<u32>,
        declares_externals: bool,
    },
    Execute {
        block: u32,
        captures: Vec<Captured>,
        files: Vec<OpenedFile>,
    },
    EndExecute {
        captures: Vec<Captured>,
        files: Vec<OpenedFile>,
    },
    /// `ended` are the registers of variables that are out of their scopes.
    Checkpoint {
        block: u32,
        ranks: Option<Ranks>,
        ended: Vec<String>,
        saved: Vec<SavedValue>,
    },
}

/// An item with its slot, if it has a member of the structure.
#[derive(Debug, Clone)]
pub struct Registered {
    pub item: Arc<Item>,
    pub slot: Option<SavedMemberId>,
    /// The pointer is a parameter.
    pub parameter: bool,
    /// The slots of the pointers of its access path that have members of the structure, in the order of
    /// `item.way`.
    pub way: Vec<Option<SavedMemberId>>,
}

/// A captured variable with its slot, if it is captured by a copy.
#[derive(Debug, Clone)]
pub struct Captured {
    pub item: Arc<Item>,
    pub slot: Option<SavedMemberId>,
}

/// A variable and the slot that its value is saved in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedValue {
    pub name: String,
    pub slot: SavedMemberId,
    /// Whether a restart copies it back into the variable.
    pub comes_back: bool,
}

/// A part of the text, with holes that slots fill.
#[derive(Debug, Clone)]
pub struct Fragment {
    pub span: Span,
    /// Sorted, disjoint, inside `span`.
    pub holes: Vec<Hole>,
}

#[derive(Debug, Clone)]
pub struct Hole {
    pub span: Span,
    pub slot: SavedMemberId,
}

/// Generated statements, in order.
#[derive(Debug)]
pub enum Step {
    Call(Box<CallBlock>),
    /// `slot = value`, or its truth value.
    Assign {
        slot: SavedMemberId,
        value: Fragment,
        truth: bool,
    },
    Evaluate(Fragment),
    Choose {
        on: Fragment,
        negate: bool,
        then: Vec<Step>,
        otherwise: Vec<Step>,
    },
}

/// A call to an instrumented procedure.
#[derive(Debug)]
pub struct CallBlock {
    pub block: u32,
    /// None for a call through a pointer.
    pub callee: Option<String>,
    pub call: Fragment,
    pub result: Option<SavedMemberId>,
    /// Arguments evaluated in a normal run, in the order of evaluation.
    pub arguments: Vec<(SavedMemberId, Fragment)>,
    /// Slots whose content a replay needs: arguments, and values that are used after the call.
    pub captures: Vec<CapturedMember>,
    /// Arguments that are captured in place, after the slots.
    pub in_place: Vec<InPlace>,
    /// Whether a restart may repeat the call although it has returned.
    pub may_be_repeated: bool,
    /// What a replay of a returned call passes instead of arguments that may not exist.
    pub substitutes: Vec<Substituted>,
    /// Whether the call is such a replay.
    pub is_repeated: Option<SavedMemberId>,
    /// Arrays that get temporary memory in a replay, if they are not allocated.
    pub lent: Vec<TemporaryArgument>,
    /// The arguments whose allocatable memory the call frees (`model::Expression::emptied`).
    pub emptied: Vec<String>,
    /// Whether a restart may make the call: it continues in the procedure, or repeats the call.
    pub is_made_again: bool,
    /// The registers of variables that are out of their scopes.
    pub ended: Vec<String>,
    pub saved: Vec<SavedValue>,
}

/// One element that is captured in its own place.
#[derive(Debug, Clone)]
pub struct InPlace {
    pub place: Fragment,
    pub code: TypeCode,
}

/// An argument with what is passed instead of it.
#[derive(Debug, Clone)]
pub struct Substituted {
    pub place: Fragment,
    /// A pointer that the procedure nullifies when a restart enters it.
    pub unset: Option<String>,
    pub slot: SavedMemberId,
    pub kind: SubstituteKind,
}

#[derive(Debug, Clone)]
pub enum SubstituteKind {
    /// The slot has the value. `goes_back`: the argument gets this value if the restart continues in the
    /// call.
    Value { goes_back: bool },
    /// The slot is an array, and another one has its extents.
    Array { extents: SavedMemberId, rank: u32, presence: Option<Presence> },
    /// An array of one dimension, with as many elements as `base` has.
    Elements { extents: SavedMemberId, base: Fragment },
}

/// An allocatable whose bounds are captured with a call that it is an argument of.
#[derive(Debug, Clone)]
pub struct TemporaryArgument {
    pub array: LocalArray,
    /// The lower bounds, then the upper ones.
    pub bounds: SavedMemberId,
    /// Whether it got memory.
    pub is_lent: SavedMemberId,
}

#[derive(Debug, Clone)]
pub struct CapturedMember {
    pub slot: SavedMemberId,
    /// The text of its value, for `--dump=plan`.
    pub source: Span,
    pub pointers: Pointers,
}

/// How pointers in a captured slot are treated if they point to memory that is not registered.
#[derive(Debug, Clone)]
pub enum Pointers {
    /// There must be none.
    Known,
    /// A replay gets them again from this expression. Unless it follows a pointer, it is always evaluated.
    Again { value: Fragment, follows_pointer: bool },
    /// A replay cannot evaluate them. If the call has returned and needs them, there must be none.
    Lost { needed: bool },
}

//! A language-neutral view of procedures, statements, expressions and directives, for analyses and planning.
//!
//! Input: a bound tree.
//! Output: statements and expressions with their spans.
//! Postcondition: a `place` is a range of bytes of the main file that can be edited. It is `None` for text
//! that is only in a macro expansion or in an included file.

mod shape;
mod value;
mod item_parts;
pub mod structured;
mod variable;
mod access_path;
mod rename;
mod declaration;
mod follower;
pub mod token_spans;
pub mod c;
pub mod fortran;

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

use cppc_source::{Diagnostic, Span};

use crate::remarks::Remark;
use crate::safety::Safety;

pub use crate::bind::Amount;
pub use crate::language::Language;
pub use access_path::PathPointer;
pub use declaration::{
    Cleanup, Constant, ConstantStorage, Declaration, Declarator, Initialised, VariableLength,
};
pub use follower::{Follower, FollowerName};
pub use item_parts::{Extents, FieldLayout, FieldStructures, Fields, Indexed};
pub use shape::Shape;
use structured::{Construct, Layout, ReachedTypes, StatementLabel, Tree, VariableProperties};
pub use value::{
    Class, FieldForm, FortranShape, FortranType, Graph, GraphPointer, Pattern, RecordField, RecordType,
    SharedDescription, TypeCode, ValueType, TARGET,
};
pub use variable::{Mention, SizeVariable, Usage, Variable, VariableId};

/// All procedures of the files that are translated together.
#[derive(Debug, Default)]
pub struct Program {
    pub procedures: Vec<Procedure>,
    /// Procedures that are added to modules (Fortran).
    pub followers: Vec<Follower>,
    /// Structures that sources of C describe for others.
    pub shared_types: Vec<SharedDescription>,
    /// For each source, what distinguishes objects of other macros.
    pub variants: Vec<String>,
    /// All sources are given: a procedure that is not here is not in the program.
    pub whole: bool,
    /// The compiler evaluates the arguments of a call from the last to the first, as gcc does.
    pub arguments_backwards: bool,
    /// `init` is in a procedure below the main program. The procedures above it have the arguments of the new run.
    pub starts_below_main: bool,
    /// Of binding names across files.
    pub diagnostics: Vec<Diagnostic>,
    /// Directives about the translation.
    pub remarks: Vec<Remark>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProcedureId(pub usize);

/// The index of a source of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnitId(pub usize);

#[derive(Debug)]
pub struct Procedure {
    pub language: Language,
    /// The name that calls use. In Fortran it is the symbol of an external procedure (`solve_`); otherwise
    /// the name is combined with that of its module or host (`grid%solve`).
    pub name: String,
    /// The name for the runtime. It contains the file if other files have a procedure of the same name.
    pub entry_name: String,
    pub unit: UnitId,
    /// Visible only in its own file.
    pub local: bool,
    pub main: bool,
    /// The parameters that contain the command line.
    pub command_line: Option<CommandLine>,
    /// Its address is taken in its file, so it may be called through a pointer.
    pub escapes: bool,
    /// `None` if it returns no value.
    pub result: Option<ValueType>,
    /// The shape of calls, which determines the calls through pointers that may call it.
    pub shape: Shape,
    /// The span from its first specifier. `None` if it is not in the main file.
    pub place: Option<Span>,
    pub name_span: Span,
    pub body: Body,
    pub variables: Vec<Variable>,
    /// Its parameters, in their order (C).
    pub parameters: Vec<VariableId>,
    /// Where variables with an initialiser are named, in text order (C).
    pub mentions: Vec<Mention>,
    /// The conditions of `if` statements, with the names in them (C).
    pub conditions: Vec<(Span, BTreeSet<u32>)>,
    /// Objects whose values determine sizes in its declarations, without its own parameters.
    pub size_variables: Vec<SizeVariable>,
    /// The variables of each name. Computed at the first use.
    pub by_name: OnceLock<HashMap<String, Vec<VariableId>>>,
    /// The statements have smaller numbers.
    pub next_statement: StatementId,
    /// Statements that several threads execute because of a pragma.
    pub regions: Vec<Region>,
    /// The procedure contains gotos and labels, so that text order is not the order of execution.
    pub jumps: bool,
    /// Only for a Fortran procedure.
    pub layout: Option<Box<Layout>>,
}

/// A statement that several threads execute.
#[derive(Debug, Clone)]
pub struct Region {
    pub statement: Span,
    pub pragma: Span,
    /// `omp parallel`
    pub name: String,
}

/// Pointers to the number and the values of the command line arguments, as expressions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine {
    pub count: String,
    pub values: String,
}

#[derive(Debug)]
pub struct Body {
    /// Including the braces.
    pub place: Option<Span>,
    pub items: Vec<Statement>,
}

/// The number of a statement in its procedure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StatementId(pub u32);

#[derive(Debug)]
pub struct Statement {
    pub id: StatementId,
    pub place: Option<Span>,
    /// The span that a diagnostic marks.
    pub anchor: Span,
    /// The label of a Fortran statement.
    pub label: Option<StatementLabel>,
    pub kind: StatementKind,
}

#[derive(Debug)]
pub enum StatementKind {
    Block {
        items: Vec<Statement>,
        /// Behind the opening brace, if it is in the main file.
        inner: Option<u32>,
        /// The block is not in the text: directives precede a statement without braces.
        implied: bool,
    },
    Expression(Expression),
    Return(Option<Expression>),
    If {
        condition: Expression,
        then: Box<Statement>,
        otherwise: Option<Box<Statement>>,
    },
    Switch {
        condition: Expression,
        body: Box<Statement>,
    },
    Loop(Box<Loop>),
    Declaration(Declaration),
    /// A label of the program, a case, or a default.
    Labelled {
        body: Box<Statement>,
        is_default: bool,
    },
    Continue,
    /// Statements that can be entered only through a header (Fortran).
    Construct(Box<Construct>),
    /// `IF (condition) action` on one line (Fortran).
    Guarded {
        condition: Expression,
        action: Box<Statement>,
    },
    /// A call that may return to labels (Fortran): `CALL s(a, *10, *20)`, with the span of each `*10`.
    CallWithReturns {
        call: Expression,
        returns: Vec<StatementLabel>,
    },
    /// Jumps to the end of the enclosing loop or switch (C).
    Break,
    /// Jumps to a label, or out of a construct.
    Jump,
    /// Jumps to the label with this address (C).
    JumpTo(Expression),
    Directive(Directive),
    /// It contains nothing that matters here: an empty statement, asm, a nested function.
    Opaque,
}

#[derive(Debug)]
pub struct Loop {
    pub form: LoopForm,
    pub init: LoopInit,
    pub condition: Option<Expression>,
    pub step: Option<Expression>,
    pub body: Statement,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoopForm {
    While,
    DoWhile,
    For,
}

#[derive(Debug)]
pub enum LoopInit {
    None,
    Expression(Expression),
    Declaration(Declaration),
}

/// An expression, with the information about order of evaluation and calls.
#[derive(Debug, Clone)]
pub struct Expression {
    pub place: Option<Span>,
    pub anchor: Span,
    /// The macro expansion that contains it, if `place` is `None`.
    pub macro_name: Option<String>,
    pub ty: ValueType,
    pub nature: ExpressionProperties,
    /// For an argument in Fortran: the array that it is, or is a part of, if that array may not exist in a replay.
    pub local: Option<LocalArray>,
    /// Of an argument that is reached through pointers or allocatables.
    pub through: Option<Box<Through>>,
    /// In lower case, the name of an argument for INTENT(OUT) whose allocatable memory the call frees.
    pub emptied: Option<String>,
    /// Of an argument in C.
    pub origin: Origin,
    pub kind: ExpressionKind,
}

/// How an argument is reached through pointers and allocatables (Fortran). In a restart, these may be null,
/// have another target, or not be set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Through {
    /// The pointer of the procedure with which the access path begins, if it is not registered.
    pub unset: Option<String>,
    /// The called procedure only reads one value, so a copy can be passed.
    pub is_read: bool,
    /// The called procedure does not read the argument.
    pub is_written: bool,
    pub substitute: Substitute,
}

/// What a replay of a returned call can pass instead of such an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Substitute {
    /// A variable with the value that it had.
    Value,
    /// An array of the same shape, or for rank 0 a scalar. `presence`: whether an optional argument exists.
    Array { rank: u32, pattern: Pattern, presence: Option<Presence> },
    /// The called procedure may read an array that begins with this element, with as many elements as `base`.
    Elements { base: Span, pattern: Pattern },
    /// No substitute can be declared, but the access path is not followed.
    Address,
    /// No substitute can be declared.
    None,
}

/// How a program determines whether a pointer or an allocatable has memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    Associated,
    Allocated,
}

/// The source of the pointers in an argument that is a pointer or a structure.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Origin {
    /// No pointer is read: the address of a variable, a constant, a number. Or the origin does not matter.
    #[default]
    Places,
    /// Pointers are read. These are the automatic variables from which they come, without calls.
    Values(Vec<VariableId>),
}

/// An allocatable that is not registered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalArray {
    pub name: String,
    pub rank: u32,
}

/// The effects of evaluating an expression, without those of its instrumented calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExpressionProperties {
    /// Its value is known before the program runs.
    pub constant: bool,
    /// It, or a part of it, has a side effect.
    pub effects: bool,
    /// It has a side effect itself: an assignment, an increment, a call.
    pub acts: bool,
    /// No call can change its value: constants, automatic scalars whose address is never taken.
    pub stable: bool,
    /// Its value is 0 or 1 (C): a comparison, a negation.
    pub truth: bool,
    /// It designates an object (the operand of `=`, `&`, `++`): its value is not read here.
    pub object: bool,
    /// A handle of a library (`MPI_Comm`): a number or pointer without meaning in another run.
    pub handle: bool,
    /// It may contain a handle, and some statements that set it are not repeated in a restart (Fortran).
    pub stale_handle: bool,
    /// It is a parameter that never gets another value, so a restart has this value from the caller (C).
    pub from_caller: bool,
    /// Its value depends only on the values of its parts: a structure constructor (Fortran).
    pub composed: bool,
    /// It is passed by address and is one element of a type that the runtime can describe. It is captured in place (Fortran).
    pub by_reference: bool,
    /// Its bytes contain an address that cannot be described to the runtime: that of a procedure, or one inside a union.
    pub address: bool,
    /// It is read through a pointer in a variable of the procedure, which a restart may not have restored.
    pub through_local: bool,
    /// Its evaluation follows a pointer (C).
    pub follows_pointer: bool,
}

#[derive(Debug, Clone)]
pub enum ExpressionKind {
    Leaf,
    Call {
        callee: Callee,
        /// The expression of the procedure, for a call through a pointer.
        through: Option<Box<Expression>>,
        arguments: Vec<Expression>,
    },
    Choice {
        condition: Box<Expression>,
        then: Option<Box<Expression>>,
        otherwise: Box<Expression>,
    },
    /// `left && right`, `left || right`
    ShortCircuit {
        and: bool,
        left: Box<Expression>,
        right: Box<Expression>,
    },
    Sequence(Box<Expression>, Box<Expression>),
    /// Any other expression, with its operands in the order of evaluation.
    Operands(Vec<Expression>),
    /// Statements inside an expression. Calls in it cannot be taken out.
    Statements(Vec<CallSite>),
}

/// A call that cannot be edited.
#[derive(Debug, Clone)]
pub struct CallSite {
    pub callee: Callee,
    pub anchor: Span,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Callee {
    /// A procedure with this name.
    Named(String),
    /// Through a pointer to procedures of this shape.
    Pointer(Shape),
}

/// A directive and its position.
#[derive(Debug)]
pub struct Directive {
    /// The whole line of the directive.
    pub span: Span,
    pub kind: DirectiveKind,
}

#[derive(Debug)]
pub enum DirectiveKind {
    Init,
    Shutdown,
    /// Derived items, from which sizes are computed, precede the items that need them.
    Register(Vec<Item>),
    Unregister(Vec<Item>),
    Execute {
        captures: Vec<Item>,
        files: Vec<OpenedFile>,
    },
    EndExecute,
    Checkpoint(Safety),
}

/// An operand of `register` or of a capture.
#[derive(Debug, Clone)]
pub struct Item {
    pub span: Span,
    /// The spelling of the lvalue: `s->data`.
    pub lvalue: String,
    /// The name of the register.
    pub name: String,
    /// The variable of this procedure, if the item is a variable.
    pub variable: Option<VariableId>,
    pub kind: ItemKind,
    /// The type code of an element.
    pub code: TypeCode,
    /// The number of elements, as an expression.
    pub count: String,
    pub amount: Amount,
    /// The extents of the array. `None` for one dimension.
    pub shape: Option<Extents>,
    /// The memory ends with the frame. For a target, the memory of the pointer.
    pub automatic: bool,
    /// The automatic variable that the lvalue begins with, if the item is a part of it or is reached through it (C).
    pub root: Option<VariableId>,
    /// The lvalue follows pointers, which are not valid if the register is not live.
    pub through_pointer: bool,
    /// The pointers of the access path, in order.
    pub access_path: Vec<PathPointer>,
    /// A derived item: it was added because a size is computed from it.
    pub derived: bool,
    /// The procedure that reports its memory to checkpoints that do not see the variable (Fortran).
    pub follower: Option<FollowerName>,
    /// Set for `deep(…)` (C).
    pub graph: Option<Arc<Graph>>,
    /// Set if subscripts of the lvalue are computed.
    pub indexed: Option<Indexed>,
    /// Set if the item is a field of some elements of an array.
    pub fields: Option<Fields>,
    /// Set for variables of derived types that are saved with their allocatable components (Fortran).
    pub tree: Option<Arc<Tree>>,
    /// The root of a graph (Fortran).
    pub reached: Option<Arc<ReachedTypes>>,
    pub traits: VariableProperties,
}

/// A file that an execute block opens.
#[derive(Debug, Clone)]
pub struct OpenedFile {
    /// The program's handle for the file: `fp`.
    pub handle: String,
    pub kind: HandleKind,
    /// The expression for the name of the file.
    pub name: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandleKind {
    /// A `FILE *`.
    Stream,
    Descriptor,
    /// A Fortran unit.
    Unit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemKind {
    /// The memory of the lvalue.
    Memory,
    /// The memory of the lvalue, which is an array: its name gives its address.
    Array,
    /// The memory that the pointer points to.
    Target,
    /// An allocatable or a pointer of Fortran, whose memory may move.
    Followed { rank: u32 },
}

impl Directive {
    /// Whether its registers need no block, because their procedure makes them whenever it begins.
    pub fn is_deferred(&self) -> bool {
        matches!(&self.kind, DirectiveKind::Register(items) if items.iter().all(|item| item.traits.deferred.is_some()))
    }
}

impl Item {
    /// The variable that its lvalue begins with, in lower case.
    pub fn first_name(&self) -> String {
        let is_word = |letter: &char| letter.is_ascii_alphanumeric() || *letter == '_';
        self.lvalue.chars().take_while(is_word).collect::<String>().to_ascii_lowercase()
    }
}

impl Expression {
    /// All expressions that are evaluated inside it, in no particular order.
    pub fn children(&self) -> Vec<&Expression> {
        self.kind.children()
    }
}

impl ExpressionKind {
    /// The expressions directly inside.
    pub fn children(&self) -> Vec<&Expression> {
        match self {
            ExpressionKind::Leaf | ExpressionKind::Statements(_) => Vec::new(),
            ExpressionKind::Call { through, arguments, .. } => {
                through.iter().map(|b| &**b).chain(arguments).collect()
            }
            ExpressionKind::Choice { condition, then, otherwise } => {
                let parts = [Some(condition), then.as_ref(), Some(otherwise)];
                parts.into_iter().flatten().map(|b| &**b).collect()
            }
            ExpressionKind::ShortCircuit { left, right, .. } => vec![left, right],
            ExpressionKind::Sequence(first, second) => vec![first, second],
            ExpressionKind::Operands(operands) => operands.iter().collect(),
        }
    }
}

impl Procedure {
    /// Its directives, in text order.
    pub fn directives(&self) -> Vec<&Directive> {
        fn gather<'a>(items: &[&'a Statement], list: &mut Vec<&'a Directive>) {
            for statement in items {
                if let StatementKind::Directive(directive) = &statement.kind {
                    list.push(directive);
                }
                gather(&statement.children(), list);
            }
        }
        let mut list = Vec::new();
        gather(&self.body.items.iter().collect::<Vec<_>>(), &mut list);
        list
    }

    /// The variable to which a name refers at an offset.
    pub fn visible(&self, name: &str, at: u32) -> Option<VariableId> {
        let by_name = self.by_name.get_or_init(|| {
            let mut by_name: HashMap<String, Vec<VariableId>> = HashMap::new();
            for (index, variable) in self.variables.iter().enumerate() {
                by_name.entry(variable.name.clone()).or_default().push(VariableId(index));
            }
            by_name
        });
        let candidates = by_name.get(name)?.iter().copied();
        let here = candidates.filter(|&id| {
            let scope = self.variable(id).scope;
            scope.start <= at && at < scope.end
        });
        here.max_by_key(|&id| self.variable(id).scope.start)
    }

    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.0]
    }
}

impl Statement {
    /// The statements directly inside it.
    pub fn children(&self) -> Vec<&Statement> {
        match &self.kind {
            StatementKind::Block { items, .. } => items.iter().collect(),
            StatementKind::If { then, otherwise, .. } => {
                std::iter::once(&**then).chain(otherwise.as_deref()).collect()
            }
            StatementKind::Switch { body, .. } | StatementKind::Labelled { body, .. } => vec![body],
            StatementKind::Loop(inner) => vec![&inner.body],
            StatementKind::Construct(construct) => {
                construct.parts.iter().flat_map(|part| &part.items).collect()
            }
            StatementKind::Guarded { action, .. } => vec![action],
            _ => Vec::new(),
        }
    }

    /// Its own expressions, without those of statements inside it.
    pub fn expressions(&self) -> Vec<&Expression> {
        match &self.kind {
            StatementKind::Expression(expression) | StatementKind::JumpTo(expression) => vec![expression],
            StatementKind::Return(value) => value.iter().collect(),
            StatementKind::If { condition, .. }
            | StatementKind::Switch { condition, .. }
            | StatementKind::Guarded { condition, .. } => vec![condition],
            StatementKind::CallWithReturns { call, .. } => vec![call],
            StatementKind::Construct(construct) => construct.expressions(),
            StatementKind::Declaration(declaration) => {
                declaration.declarators.iter().flat_map(|d| &d.expressions).collect()
            }
            StatementKind::Loop(inner) => {
                let mut list: Vec<&Expression> = match &inner.init {
                    LoopInit::None => Vec::new(),
                    LoopInit::Expression(expression) => vec![expression],
                    LoopInit::Declaration(declaration) => {
                        declaration.declarators.iter().flat_map(|d| &d.expressions).collect()
                    }
                };
                list.extend(&inner.condition);
                list.extend(&inner.step);
                list
            }
            _ => Vec::new(),
        }
    }
}

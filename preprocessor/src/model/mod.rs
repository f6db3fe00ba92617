//! A language-neutral view of procedures, statements, expressions and directives: what analyses and
//! planning work on.
//!
//! In: a bound tree. Out: statements and expressions with the bytes they stand at. Holds
//! afterwards: a `place` is a range of bytes of the main file that can be edited; what stands only
//! in a macro expansion or in an included file has none.

mod shape;
pub mod structured;
mod way;
mod rename;
mod declaration;
pub mod c;
pub mod fortran;
pub mod place;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use cppc_source::Span;

pub use crate::language::Language;

pub use declaration::{Constant, Declaration, Declarator, Kept, VariableLength};
pub use way::WayPoint;

pub use shape::Shape;
use structured::{Construct, Layout, StatementLabel, Traits};

/// All procedures of the files that are translated together.
#[derive(Debug, Default)]
pub struct Program {
    pub procedures: Vec<Procedure>,
    /// Nothing is missing: what is not here is nowhere in the program.
    pub whole: bool,
    /// The compiler evaluates the arguments of a call from the last to the first (gcc does).
    pub arguments_backwards: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProcedureId(pub usize);

/// Which file of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnitId(pub usize);

#[derive(Debug)]
pub struct Procedure {
    pub language: Language,
    /// What calls name: in Fortran that of its symbol for an external procedure (`solve_`), else with its
    /// module or host (`grid%solve`).
    pub name: String,
    /// What the runtime knows it by: its name, with its file when other files have one of the name.
    pub entry_name: String,
    pub unit: UnitId,
    /// Known to its own file only.
    pub local: bool,
    pub main: bool,
    /// Its parameters that hold the command line.
    pub command_line: Option<CommandLine>,
    /// Its address is taken somewhere in its file: it may be called through a pointer.
    pub escapes: bool,
    /// None for one that returns nothing.
    pub result: Option<ValueType>,
    /// The call shape, to tell which calls through a pointer may lead here.
    pub shape: Shape,
    /// From its first specifier; none when it does not stand in the main file.
    pub place: Option<Span>,
    pub name_span: Span,
    pub body: Body,
    pub variables: Vec<Variable>,
    /// The variables of each name, once somebody asks.
    pub by_name: OnceLock<HashMap<String, Vec<VariableId>>>,
    /// Statements that pragmas hand to several threads.
    pub regions: Vec<Region>,
    /// Gotos and labels of its own: text order says nothing about the order of execution.
    pub jumps: bool,
    /// Of a Fortran procedure.
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

/// Pointers to the count and the values of the command line, as expressions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine {
    pub count: String,
    pub values: String,
}

#[derive(Debug)]
pub struct Body {
    /// With the braces.
    pub place: Option<Span>,
    pub items: Vec<Statement>,
}

/// A name that a procedure declares: parameter, variable, and what else may hide one.
#[derive(Debug, Clone)]
pub struct Variable {
    pub name: String,
    /// Bytes where its name means it, but for inner variables of the same name.
    pub scope: Span,
    pub parameter: bool,
    /// Set when it can live in the record of saved values: an automatic scalar or pointer whose
    /// address nobody takes.
    pub saved_type: Option<ValueType>,
    /// The word `register` of its declaration.
    pub register_word: Option<Span>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub usize);

#[derive(Debug)]
pub struct Statement {
    pub place: Option<Span>,
    /// Where a diagnostic points.
    pub anchor: Span,
    /// Of a Fortran statement.
    pub label: Option<StatementLabel>,
    pub kind: StatementKind,
}

#[derive(Debug)]
pub enum StatementKind {
    Block {
        items: Vec<Statement>,
        /// Not in the text: directives stand before an unbraced statement.
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
    /// A label of the program's own, a case, a default.
    Labelled {
        body: Box<Statement>,
    },
    Continue,
    /// Statements that can only be entered through a header (Fortran).
    Construct(Box<Construct>),
    /// `IF (condition) action` on one line (Fortran).
    Guarded { condition: Expression, action: Box<Statement> },
    /// A call that may return to labels (Fortran): `CALL s(a, *10, *20)`; each `*10` with its place.
    CallWithReturns { call: Expression, returns: Vec<StatementLabel> },
    /// Goes to the end of the loop or switch around it, or to a label.
    Leave,
    Directive(Directive),
    /// Nothing in it concerns us: an empty statement, asm, a nested function.
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

/// An expression, as far as order of evaluation and calls are concerned.
#[derive(Debug, Clone)]
pub struct Expression {
    pub place: Option<Span>,
    pub anchor: Span,
    /// The expansion that hides it, when it has no place.
    pub macro_name: Option<String>,
    pub ty: ValueType,
    pub nature: Nature,
    /// Of an argument in Fortran: the array that it is, or is a part of, when that may not be there in a replay.
    pub local: Option<LocalArray>,
    pub kind: ExpressionKind,
}

/// An allocatable that nobody registers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalArray {
    pub name: String,
    pub rank: u32,
}

/// What evaluating an expression does, apart from its instrumented calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Nature {
    /// Its value is fixed before the program runs.
    pub constant: bool,
    /// It changes something, or something inside it does.
    pub effects: bool,
    /// It changes something by itself: an assignment, an increment, a call.
    pub acts: bool,
    /// No call can change its value: constants, automatic scalars whose address nobody takes.
    pub stable: bool,
    /// It designates an object (it is the target of `=`, `&`, `++`): its value is not read here.
    pub object: bool,
    /// A handle of a library (`MPI_Comm`): a number or pointer without meaning in another run.
    pub handle: bool,
    /// Its value follows from those of its parts alone: a structure constructor (Fortran).
    pub composed: bool,
    /// The argument is passed by its address, and what stands there is one element of a type that the
    /// runtime can be told of (Fortran): its value is captured in place.
    pub by_reference: bool,
    /// Its bytes hold an address that the runtime cannot be told of: that of a procedure, or one within a union.
    pub address: bool,
    /// It is read through a pointer that a variable of the procedure gives: a restart may not have set that.
    pub through_local: bool,
}

#[derive(Debug, Clone)]
pub enum ExpressionKind {
    Leaf,
    Call {
        callee: Callee,
        /// The expression that gives the procedure, for a call through a pointer.
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
    /// Anything else, its operands in the order of evaluation.
    Operands(Vec<Expression>),
    /// Statements inside an expression: calls in it cannot be taken out.
    Statements(Vec<CallSite>),
}

/// A call whose place is out of reach.
#[derive(Debug, Clone)]
pub struct CallSite {
    pub callee: Callee,
    pub anchor: Span,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Callee {
    /// By name.
    Named(String),
    /// Through a pointer to procedures of this shape.
    Pointer(Shape),
}

/// A type, as far as planning needs it; how it is written is the speller's affair.
#[derive(Debug, Clone)]
pub struct ValueType {
    pub class: Class,
    /// None for a type that the runtime cannot be told of.
    pub code: Option<TypeCode>,
    /// The declaration of a variable of this type, its name left out; none when it cannot be
    /// written at the procedure's top.
    pub pattern: Option<Pattern>,
}

/// A declaration with a gap where the name goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    pub before: String,
    pub after: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    Void,
    Arithmetic,
    Pointer,
    Record,
    /// Its size is only known when it is there (Fortran): an array, or a text. The pattern declares an
    /// allocatable, the code is that of an element.
    Dynamic { rank: u32, text: bool },
    Other,
}

/// How the runtime is told of a type.
#[derive(Debug, Clone)]
pub enum TypeCode {
    /// A name of the table of type codes: `CPPC_INT`.
    Named(&'static str),
    /// A structure, described by its fields.
    Record(Arc<RecordType>),
}

#[derive(Debug)]
pub struct RecordType {
    /// A word for the names made from it: the tag or typedef name.
    pub word: String,
    /// How the type is written: `struct world`.
    pub spelling: String,
    pub fields: Vec<RecordField>,
    /// Defined inside a procedure: its description goes there too.
    pub inner: bool,
}

#[derive(Debug)]
pub struct RecordField {
    /// As in `offsetof`: `position.x`.
    pub path: String,
    pub code: TypeCode,
    pub count: u64,
}

/// A directive at its place.
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
    /// Those that sizes are computed from, added by the precompiler, come before the sized ones.
    Register(Vec<Item>),
    Unregister(Vec<Item>),
    Execute { captures: Vec<Item>, files: Vec<OpenedFile> },
    EndExecute,
    Checkpoint,
}

/// One entry of a list of registers or captures.
#[derive(Debug, Clone)]
pub struct Item {
    pub span: Span,
    /// How the place is written: `s->data`.
    pub lvalue: String,
    /// The register's name.
    pub name: String,
    /// Set when it is a variable of this procedure by its name.
    pub variable: Option<VariableId>,
    pub kind: ItemKind,
    /// How the runtime is told of an element.
    pub code: TypeCode,
    /// The number of elements, as an expression.
    pub count: String,
    /// It is known to be the same in every run.
    pub is_count_constant: bool,
    /// How they are arranged; none for one dimension.
    pub shape: Option<Extents>,
    /// The memory (of the pointer, for a target) ends with the frame.
    pub automatic: bool,
    /// Evaluating the place follows pointers, which are not valid for a register that is not live.
    pub through_pointer: bool,
    /// The pointers that it follows, in their order.
    pub way: Vec<WayPoint>,
    /// Added by the precompiler, because a size is computed from it.
    pub implied: bool,
    /// Set when subscripts of the place are computed.
    pub indexed: Option<Indexed>,
    pub traits: Traits,
}

/// The extents of an array, in the order of the language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extents {
    pub rank: u32,
    /// An expression for each; in Fortran one for all of them.
    pub parts: Vec<String>,
}

/// A place with computed subscripts, such as `rows[k]`: each of their values makes another register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Indexed {
    /// How the place is written before, between and behind the subscripts. In Fortran none: an item's texts have
    /// `#at(1)` and so on in their place.
    pub pieces: Vec<String>,
    /// In C one less.
    pub subscripts: Vec<String>,
}

/// A file that an execute block opens.
#[derive(Debug, Clone)]
pub struct OpenedFile {
    /// How the program writes what it holds of it: `fp`.
    pub handle: String,
    pub kind: HandleKind,
    /// How the program writes its name.
    pub name: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandleKind {
    /// A `FILE *`.
    Stream,
    Descriptor,
    /// A unit of Fortran.
    Unit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemKind {
    /// The memory itself.
    Memory,
    /// The memory itself, an array: its name gives its address.
    Array,
    /// What the pointer points to.
    Target,
    /// An allocatable or a pointer of Fortran, whose memory moves.
    Followed { rank: u32 },
}

impl Expression {
    /// The expressions evaluated inside it, in no particular order.
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

    /// The variable that a name means at a byte.
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
            StatementKind::Switch { body, .. } | StatementKind::Labelled { body } => vec![body],
            StatementKind::Loop(inner) => vec![&inner.body],
            StatementKind::Construct(construct) => {
                construct.parts.iter().flat_map(|part| &part.items).collect()
            }
            StatementKind::Guarded { action, .. } => vec![action],
            _ => Vec::new(),
        }
    }

    /// The expressions that are its own, not those of statements inside it.
    pub fn expressions(&self) -> Vec<&Expression> {
        match &self.kind {
            StatementKind::Expression(expression) => vec![expression],
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

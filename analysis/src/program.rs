//! The program as the analyses see it: memory, procedures, basic blocks and operations.
//!
//! Input: none, because this file contains only types.
//! Postcondition: analyses have no other source of information. If a front end does not understand a
//! construct, it lowers it to `Unknown` or `Opaque`, and never omits it.

use cppc_source::Span;

pub use crate::operators::{Comparison, InputFile, Operator, RealConstant, RealFunction};

/// An index into `Program::objects`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

/// An index into `Program::variables`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub u32);

/// An index into `Program::procedures`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProcedureId(pub u32);

/// An index into `Procedure::blocks`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

/// An index into `Procedure::loops`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LoopId(pub u32);

/// An operation of a procedure: a position in `Program::procedures`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    pub procedure: ProcedureId,
    pub block: BlockId,
    /// The index into `Block::operations`.
    pub operation: u32,
}

/// The size of an address. Only 64-bit machines are supported.
pub const POINTER_BYTES: u64 = 8;

/// All sources of a program, C and Fortran together.
#[derive(Debug, Clone, Default)]
pub struct Program {
    pub objects: Vec<Object>,
    pub variables: Vec<Variable>,
    pub procedures: Vec<Procedure>,
    /// The integers that are in static memory and in named constants before the program starts.
    pub initial: Vec<InitialInteger>,
    /// Large local variables that a compiler may make static.
    pub kept: Vec<VariableId>,
    /// The texts that static variables of C contain, or point to, before the program starts.
    pub initial_texts: Vec<InitialText>,
    /// Integers of C that are computed from the bits of an address. Another address gives an unrelated number.
    pub address_hashes: Vec<VariableId>,
    /// The objects of compound literals of C. They have no name.
    pub literals: Vec<ObjectId>,
    /// Static objects of which each thread has a copy, if a parallel region uses the copies. A register saves only that of
    /// one thread.
    pub thread_copies: Vec<ObjectId>,
    /// The arguments of the command in C, if the main procedure has a parameter for them.
    pub arguments: Option<CommandArguments>,
    /// Whether all sources of the program are here. If not, unknown code may call procedures that are not
    /// `local`, and may use objects that are `external`.
    pub whole: bool,
}

/// The memory of the arguments of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommandArguments {
    /// The parameter of the main procedure that points to the array.
    pub parameter: VariableId,
    /// The pointers to the texts.
    pub array: ObjectId,
    /// All texts.
    pub text: ObjectId,
}

/// An integer in the memory of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InitialInteger {
    pub object: ObjectId,
    pub offset: u64,
    pub size: u64,
    pub value: i64,
}

/// A text in the memory of a variable, or the literal to which the variable points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InitialText {
    pub object: ObjectId,
    pub text: String,
}

/// A contiguous piece of memory whose parts may be read and written under several names: the storage of a
/// variable, a COMMON block, all variables of an EQUIVALENCE, a union.
#[derive(Debug, Clone)]
pub struct Object {
    /// Unique in the program: `x` for an external variable of C, `file.c:x` for a static one, `module%x`,
    /// `/block/` for COMMON, `procedure.x` or `procedure.x.2` for a local variable.
    pub name: String,
    pub lifetime: Lifetime,
    /// In bytes, if it is known. The largest of all its declarations.
    pub size: Option<u64>,
    /// It has a value before the program starts: an initializer, `DATA`, the zeros of static memory of C.
    pub initialized: bool,
    /// Its value never changes: a named constant, a string literal, a `const` object.
    pub constant: bool,
    /// Sources that are not in `Program` may use it.
    pub external: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lifetime {
    /// That of the program. Each process has one.
    Static,
    /// From the entry into the procedure (or a scope of it: `OperationKind::Begin`) to its return.
    Local(ProcedureId),
}

/// The end of the name of a procedure that gives static variables of a source their initial values.
pub const INITIAL: &str = "%initial";

/// The beginning of the name of a text literal of C. The text follows.
pub const TEXT: &str = "%text ";

/// A declared name, or a temporary that lowering made: a view of an object.
#[derive(Debug, Clone)]
pub struct Variable {
    /// The name for messages: `x`. Temporaries are called `%1`, `%2`, …
    pub name: String,
    pub object: ObjectId,
    /// Where the variable begins in its object, in bytes.
    pub offset: u64,
    /// In bytes, if it is known.
    pub size: Option<u64>,
    /// Set for variables that a directive can name, and not for temporaries and hidden arguments.
    pub declared: Option<Span>,
    pub content: Content,
    /// Whether it is an array of C. It may have one element.
    pub is_array: bool,
}

/// The content of a variable, or for an array, of each element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    Integer {
        bytes: u8,
    },
    /// Real, complex, logical, character: values without addresses.
    Data,
    /// A pointer of C, or of Fortran to a scalar or array without bounds.
    Pointer,
    /// A descriptor: an allocatable, a pointer or an assumed-shape array of Fortran. A `Dereference` of it is
    /// the data; the bounds are part of the variable.
    Descriptor,
    /// A dummy argument of Fortran, or a hidden reference: the variable is a pointer that no source can change.
    /// Access to the argument goes through `Dereference`. `no_alias`: no other name reaches the same
    /// memory while one of the two is written (Fortran's rule; `restrict` too).
    Reference {
        no_alias: bool,
    },
    /// A structure, a derived type, a union.
    Record,
    /// A handle of the catalogue: `MPI_Comm`, `FILE *`; the kind is a word of the catalogue (`communicator`).
    Handle(String),
    Unknown,
}

#[derive(Debug, Clone)]
pub struct Procedure {
    /// The unique name that calls use: `solve`, `file.c:solve`, `solve_`, `grid%solve`.
    pub name: String,
    /// The name for messages.
    pub label: String,
    /// Only sources of `Program` can call it.
    pub local: bool,
    /// It may be called through a pointer.
    pub address_taken: bool,
    /// Another definition of the name takes its place (`__attribute__((weak))`).
    pub weak: bool,
    /// The program starts here.
    pub main: bool,
    /// One variable for each parameter, in order. Parameters passed by reference have `Content::Reference`.
    pub parameters: Vec<VariableId>,
    /// The function result. It is written before `Terminator::Return`.
    pub result: Option<VariableId>,
    pub blocks: Vec<Block>,
    /// Control begins here.
    pub entry: BlockId,
    /// Other entries (`ENTRY`), with the names that calls use.
    pub entries: Vec<(String, BlockId)>,
    pub loops: Vec<Loop>,
    /// The loops of the source into whose bodies a checkpoint can be placed, in the order of the text.
    pub loop_statements: Vec<LoopStatement>,
    /// What a restart evaluates again when it enters the procedure or a construct on the way to a checkpoint.
    pub evaluations: Vec<Evaluation>,
    /// The parameters of which a repeated call gets the recorded value, although they are passed by reference.
    pub recorded: Vec<VariableId>,
    /// The translation makes a restart continue the loops of `loops` around a checkpoint or a call: it saves
    /// their variables and bounds. True for Fortran.
    pub keeps_loops: bool,
    /// The name at the definition.
    pub span: Span,
}

/// Operations in the order of execution, then one terminator.
#[derive(Debug, Clone)]
pub struct Block {
    pub operations: Vec<Operation>,
    pub terminator: Terminator,
    /// The value that the terminator depends on, if it is not a comparison of affine values.
    pub condition: Option<Expression>,
    /// The innermost loop that the block is part of.
    pub within: Option<LoopId>,
}

#[derive(Debug, Clone)]
pub enum Terminator {
    Jump(BlockId),
    /// `condition` is None if it is not a comparison of affine values.
    Branch {
        condition: Option<Condition>,
        then: BlockId,
        otherwise: BlockId,
    },
    /// Control continues in `then` if the statement of input or output before has succeeded.
    Succeeds {
        then: BlockId,
        otherwise: BlockId,
    },
    /// `switch`, `SELECT CASE`, computed `GO TO`. Control continues in one of these blocks.
    Switch(Vec<BlockId>),
    Return,
    /// The program ends, or control never returns: `STOP`, `exit`, `abort`.
    Stop,
    /// Control may go to any block of the procedure: `goto *p`, `longjmp` to here.
    Anywhere,
}

impl Terminator {
    /// The blocks that may be next, in a procedure with this number of blocks.
    pub fn successors(&self, count: usize) -> Vec<BlockId> {
        match self {
            Terminator::Jump(to) => vec![*to],
            Terminator::Branch { then, otherwise, .. } | Terminator::Succeeds { then, otherwise } => {
                vec![*then, *otherwise]
            }
            Terminator::Switch(blocks) => blocks.clone(),
            Terminator::Return | Terminator::Stop => Vec::new(),
            Terminator::Anywhere => (0..count as u32).map(BlockId).collect(),
        }
    }
}

/// `left comparison right`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    pub left: Affine,
    pub comparison: Comparison,
    pub right: Affine,
}

/// A counted loop: the `variable` has the values `first`, `first + step`, … up to and including `last`. Both bounds
/// are evaluated before the loop, or do not change in it. Other loops have no entry here.
#[derive(Debug, Clone)]
pub struct Loop {
    /// The block that decides whether there is another iteration.
    pub header: BlockId,
    /// The first block of the body.
    pub body: BlockId,
    /// Where control continues after the last iteration.
    pub exit: BlockId,
    pub variable: VariableId,
    pub first: Affine,
    pub last: Affine,
    /// 0 if it is not constant, or if the variable is not an integer. Then `first` and `last` have no meaning.
    pub step: i64,
    /// The loop around it, if that has an entry.
    pub within: Option<LoopId>,
    /// Nothing in the body writes the variable, leaves the loop other than through the header, or starts the
    /// next iteration early without the step.
    pub regular: bool,
}

/// Expressions that need what a repeated call gets.
#[derive(Debug, Clone)]
pub struct Evaluation {
    pub operations: Region,
    /// The parameters whose shapes or lengths the expressions need.
    pub shapes: Vec<VariableId>,
    pub place: EvaluationPlace,
}

#[derive(Debug, Clone)]
pub enum EvaluationPlace {
    /// Declarations of the procedure.
    Entry,
    /// Declarations of this construct.
    Construct(Region),
    /// A statement. A restart does not repeat it, but it needs the shapes that the repeated call has passed.
    Statement,
}

/// The operations from `first` up to `last`, and the `blocks` that were made between them.
#[derive(Debug, Clone)]
pub struct Region {
    pub first: (BlockId, u32),
    pub last: (BlockId, u32),
    pub blocks: std::ops::Range<u32>,
}

/// A loop of the source: `for`, `while`, `do`, DO.
#[derive(Debug, Clone)]
pub struct LoopStatement {
    /// The whole statement.
    pub span: Span,
    /// The block that is current before the loop. It is not part of the loop.
    pub before: BlockId,
    /// The block that ends each iteration.
    pub next: BlockId,
    /// The statements of the body.
    pub body: Vec<BodyStatement>,
}

/// A statement of the body of a loop, and the point before it.
#[derive(Debug, Clone, Copy)]
pub struct BodyStatement {
    pub span: Span,
    pub block: BlockId,
    /// The number of operations of the block that are before the statement.
    pub operation: u32,
}

/// `constant + Σ factor · variable`: integers, each variable with the value that it has at this operation.
/// A variable with `Content::Reference` counts with the integer that it refers to. Terms are sorted by
/// variable, without zero factors.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Affine {
    pub constant: i64,
    pub terms: Vec<(VariableId, i64)>,
}

#[derive(Debug, Clone)]
pub struct Operation {
    pub kind: OperationKind,
    pub span: Span,
    /// For a write whose value is `Value::Data` or `Value::Unknown`: how the value is computed. For a call: the same
    /// for each argument. Empty if nothing is known.
    pub computed: Vec<Expression>,
}

/// How a value is computed. The expression has no effects, and is evaluated just before the operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    Affine(Affine),
    Load(Access),
    Negate(Box<Expression>),
    Not(Box<Expression>),
    /// The same value, if it is not negative. A negative one becomes another number in an unsigned type.
    NonNegative(Box<Expression>),
    Binary(Operator, Box<Expression>, Box<Expression>),
    /// `condition ? then : otherwise`, `merge`
    Choice(Box<[Expression; 3]>),
    Real(RealConstant),
    /// A function of numbers. Its arguments or its result are real.
    RealFunction(RealFunction, Vec<Expression>),
    /// Whether a file exists that the program only reads.
    InputFile(InputFile),
    /// A constant text of Fortran.
    Text(String),
    /// For an argument that is the rest of an array: its first element.
    FirstElement(Access),
    /// Any value that depends on nothing but these values.
    Of(Vec<Expression>),
    /// The values of parts of the memory that is written. Other parts are zero if `zeroed`.
    Parts {
        parts: Vec<(Access, Expression)>,
        zeroed: bool,
    },
    Unknown,
}

#[derive(Debug, Clone)]
pub enum OperationKind {
    /// The program uses the value.
    Read(Access),
    /// The program stores a value. Operands of the value were read by `Read` operations before.
    Write {
        to: Access,
        value: Value,
    },
    /// The lifetime of a local variable begins here (again). Its content is undefined.
    Begin(VariableId),
    /// The pointer or descriptor `to` then points to new memory of this size. Its values are undefined unless
    /// `zeroed`. `content`: what each element contains. `slices`: the number of indices of the slowest dimension, if it is
    /// constant.
    Allocate {
        to: Access,
        bytes: Option<Affine>,
        slices: Option<u64>,
        content: Content,
        zeroed: bool,
    },
    /// The memory that the pointer or descriptor points to is no longer valid.
    Free(Access),
    Call(Box<Call>),
    Directive(Box<Directive>),
    /// It may read and write the listed variables, and any memory that is reachable from variables whose
    /// address escaped. Examples are assembly, and constructs that lowering does not know. The text names the
    /// reason.
    Opaque {
        reason: &'static str,
        touched: Vec<VariableId>,
    },
}

/// Memory that an operation reads or writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    pub root: VariableId,
    /// From the variable to the memory. A `Dereference` is a read of the pointer at that point; lowering makes no
    /// `Read` for it.
    pub path: Vec<Step>,
    /// The bytes at the end of the path; for sections, of one element.
    pub size: Option<u64>,
    /// The content at the end of the path.
    pub content: Content,
    /// As the source writes it: `p->x[i]`.
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A field that begins at this byte of the structure. If the layout is not certain (attributes that align),
    /// there is `Elements` with `Index::Unknown` without stride instead: somewhere in the whole object. The same step
    /// follows a bit-field, because its neighbours in the same bytes keep their values.
    Field { name: String, offset: u64 },
    /// Elements of an array, the slowest dimension first.
    Elements(Vec<Dimension>),
    /// The memory that the pointer, descriptor or reference at this point points to.
    Dereference,
}

/// One dimension of an access to an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dimension {
    pub index: Index,
    /// The first index of the dimension: 0 in C, as declared in Fortran. None if it is not known.
    pub lower: Option<Affine>,
    /// The number of indices of the dimension, if it is known: `10`, `n`. It is not known for pointers of C
    /// and for the last dimension of an assumed-size array.
    pub extent: Option<Affine>,
    /// The distance in bytes between neighbours, if it is constant.
    pub stride: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Index {
    /// One index.
    At(Affine),
    /// `first..=last` with a step. `First` and `last` as in Fortran sections.
    Range { first: Affine, last: Affine, step: i64 },
    /// Every index of the dimension.
    All,
    /// One or more indices that are not known.
    Unknown,
}

/// The part of a stored value that analyses use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A number, or another value that contains no address.
    Data,
    /// An integer value.
    Affine(Affine),
    /// The content of other memory, with the addresses in it: `p = q`, `s = *t`, `a = b`.
    Copy(Access),
    /// The address of memory: `&x[i]`, `p => x`, an array that decays. Pointer arithmetic inside one
    /// object is `Elements` with `Index::Unknown`, or with its index.
    Address(Access),
    /// The address of a procedure, by its name.
    Procedure(String),
    /// No address: null, `NULLIFY`.
    Null,
    /// It may be any address that escaped: from an integer, from an unknown procedure.
    Unknown,
}

#[derive(Debug, Clone)]
pub struct Call {
    pub callee: Callee,
    pub arguments: Vec<Argument>,
    /// The place of the result. `None` if it is not used.
    pub result: Option<Access>,
    /// The call never returns (`noreturn`).
    pub never_returns: bool,
}

#[derive(Debug, Clone)]
pub enum Callee {
    /// As in `Procedure::name` or in the catalogue: `solve_`, `MPI_Send`.
    Named(String),
    /// Through a pointer or a procedure argument.
    Indirect(Access),
    /// One of several: a type-bound procedure that extensions override.
    OneOf(Vec<String>),
}

#[derive(Debug, Clone)]
pub enum Argument {
    /// The parameter gets this value. Addresses in it are `Value::Address` or `Value::Copy`.
    Value(Value),
    /// The parameter refers to this memory: Fortran. For an element `a(k)` that is passed to an array, the access
    /// is the section from there to the end. For an expression, it is a temporary of lowering.
    Reference(Access),
    /// An optional argument that is absent.
    Absent,
}

/// A directive at its position in the flow.
#[derive(Debug, Clone)]
pub enum Directive {
    Init,
    Shutdown,
    Checkpoint,
    /// From here on, checkpoints save this memory.
    Register(Vec<Item>),
    Unregister(Vec<Item>),
    /// The operations up to `EndExecute` run again in a restart. In the restart, the captured memory has the
    /// values that it had here. `on_restart`: an `execute on restart` block, which runs in a restart only.
    /// `files`: the handles of open files that the block announces.
    BeginExecute {
        captures: Vec<Item>,
        files: Vec<Item>,
        /// It announces a file. For a number of a unit there is no handle in `files`.
        has_files: bool,
        on_restart: bool,
    },
    EndExecute,
}

/// Memory that a directive names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// As written: `p[n]`.
    pub text: String,
    /// All memory that is saved, as one access with sections.
    pub memory: Access,
    /// Everything that pointers reach from here is saved too: `deep(p)`.
    pub deep: bool,
    /// C: all of the memory that the pointer points to is saved, in the size that it has at the checkpoint: `p[]`.
    pub allocation: bool,
    /// A restart does not set the pointer through which the memory is reached: `p[2:n]`, `p[0:n].field`.
    pub keeps_pointer: bool,
    /// C: the memory is saved as bytes, because its pointer does not determine a type.
    pub is_untyped: bool,
    pub span: Span,
}

//! The parts of a random program: types, variables, procedures, and the scope that is being written.

use std::collections::BTreeSet;

/// The type of a variable, with its kind or length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    Integer(u8),
    Real(u8),
    Complex(u8),
    Logical(u8),
    Character(u32),
    /// A derived type, by its number in the world.
    Derived(usize),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    Scalar,
    /// Constant bounds.
    Fixed(Vec<(i64, i64)>),
    /// One dimension, from 1 to the value of the text.
    Counted(String),
    /// The bounds are read with inquiry functions: allocatables, pointers, assumed shapes.
    Dynamic(usize),
}

impl Shape {
    pub fn rank(&self) -> usize {
        match self {
            Shape::Scalar => 0,
            Shape::Fixed(bounds) => bounds.len(),
            Shape::Counted(_) => 1,
            Shape::Dynamic(rank) => *rank,
        }
    }
}

/// When the memory of a variable is allocated and freed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// It exists as long as its procedure or the program.
    Fixed,
    /// It has none: a PARAMETER.
    Constant,
    /// Allocated once, so that pointers to it stay valid.
    AllocatedOnce,
    /// Allocated again by any statement.
    Moves,
    /// A pointer to a part of a target.
    View,
    /// A pointer to its own memory.
    Owner,
    /// The name of an ASSOCIATE, or a dummy argument.
    Alias,
}

#[derive(Debug, Clone)]
pub struct Variable {
    /// The text of the variable. A `#` is replaced by the subscript of an array of structures.
    pub name: String,
    /// The number of elements for `#`.
    pub holder: i64,
    pub base: Base,
    pub shape: Shape,
    pub memory: Memory,
    /// Variables that may share memory have the same group.
    pub group: usize,
    pub writable: bool,
    pub target: bool,
}

impl Variable {
    pub fn scalar(name: &str, base: Base, group: usize) -> Variable {
        Variable {
            name: name.to_owned(),
            holder: 0,
            base,
            shape: Shape::Scalar,
            memory: Memory::Fixed,
            group,
            writable: true,
            target: false,
        }
    }

    /// The part of the name that is declared.
    pub fn root(&self) -> &str {
        let end = self.name.find(['%', '(']).unwrap_or(self.name.len());
        &self.name[..end]
    }
}

#[derive(Debug, Clone)]
pub struct Component {
    pub name: String,
    pub base: Base,
    pub shape: Shape,
    pub allocatable: bool,
}

#[derive(Debug, Clone)]
pub struct Derived {
    pub name: String,
    pub components: Vec<Component>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intent {
    In,
    Out,
    InOut,
    /// No INTENT is written, and the procedure only reads it. The actual argument may be an expression or a
    /// literal.
    Read,
    /// No INTENT is written, and the procedure changes it.
    Changed,
}

impl Intent {
    pub fn writes(self) -> bool {
        matches!(self, Intent::Out | Intent::InOut | Intent::Changed)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Passed {
    Scalar,
    /// A fixed number of elements, from 1 or from another bound.
    Fixed(i64, i64),
    /// The dummy argument with this number contains the number of elements.
    Counted(usize),
    /// Assumed size. The dummy argument with this number contains the number of elements.
    Star(usize),
    AssumedShape(usize),
    /// Scalars and arrays of any rank. The procedure uses it only in SELECT RANK.
    AssumedRank,
    Allocatable,
    /// How often a recursive procedure calls itself.
    Depth,
}

#[derive(Debug, Clone)]
pub struct Dummy {
    pub name: String,
    pub base: Base,
    pub passed: Passed,
    pub intent: Intent,
    pub optional: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefinitionSite {
    /// In the module of this number.
    Module(usize),
    External,
    /// Contained in the main program.
    Contained,
}

#[derive(Debug, Clone)]
pub struct Procedure {
    pub name: String,
    pub result: Option<Base>,
    pub dummies: Vec<Dummy>,
    pub place: DefinitionSite,
    pub leads: bool,
    /// Checkpoints passed in one call, and statements executed.
    pub checkpoints: u32,
    pub work: u32,
    /// The groups of variables of other units that it uses.
    pub touches: BTreeSet<usize>,
    /// Whether it changes only its arguments.
    pub quiet: bool,
    /// Other texts that call it.
    pub other_names: Vec<String>,
    /// The declarations of its dummy arguments.
    pub dummy_declarations: Vec<String>,
}

#[derive(Debug, Clone)]
pub struct Module {
    pub name: String,
    pub variables: Vec<Variable>,
    /// First values, which the main program sets.
    pub initial: Vec<Vec<String>>,
    pub registers: Vec<String>,
    /// A procedure of the module registers them.
    pub keeper: Option<String>,
}

/// A statement or directive before it is laid out.
#[derive(Debug, Clone)]
pub struct Line {
    pub depth: usize,
    pub label: Option<u32>,
    pub text: String,
    /// Neighbouring lines with the same number other than 0 are removed together.
    pub atom: u32,
    /// Whether it is removed only with the variables that it names.
    pub is_first_value: bool,
}

impl Line {
    pub fn new(depth: usize, text: impl Into<String>) -> Line {
        Line { depth, label: None, text: text.into(), atom: 0, is_first_value: false }
    }

    pub fn is_directive(&self) -> bool {
        self.text.starts_with("!$cppc")
    }
}

/// A loop that is being written.
#[derive(Debug, Clone)]
pub struct Loop {
    pub name: Option<String>,
    /// Whether CYCLE is allowed. A loop whose counter is changed at its end would not end.
    pub may_cycle: bool,
}

/// The procedure that is being written.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    pub variables: Vec<Variable>,
    pub declarations: Vec<String>,
    /// Groups of statements that set first values.
    pub initial: Vec<Vec<String>>,
    pub registers: Vec<String>,
    pub lines: Vec<Line>,
    pub depth: usize,
    pub loops: Vec<Loop>,
    /// Declared integers that no enclosing loop uses.
    pub counters: Vec<String>,
    /// How often the statement that is written is executed in one call.
    pub times: u32,
    pub checkpoints: u32,
    pub work: u32,
    pub checkpoints_limit: u32,
    pub work_limit: u32,
    /// Whether it may contain directives, and calls that lead to directives.
    pub leads: bool,
    /// Within a construct that no restart can enter.
    pub closed: bool,
    /// Functions that lead to a checkpoint may be in the expression that is written.
    pub calls: bool,
    pub quiet: bool,
    pub touches: BTreeSet<usize>,
    /// The number of the first procedure that may not be called.
    pub callable: Vec<usize>,
    pub next_label: u32,
    pub own_groups: BTreeSet<usize>,
    /// Tables that only execute blocks write.
    pub tables: Vec<Variable>,
    /// Units of files that blocks open: the text of the unit and the kind of the file.
    pub units: Vec<Unit>,
    pub mpi: bool,
    pub is_procedure: bool,
    /// It sees the procedures of modules, but not their variables.
    pub is_blind: bool,
    /// Statements before the end.
    pub last: Vec<String>,
    /// Groups of statements that are before `init`.
    pub before: Vec<Vec<String>>,
}

#[derive(Debug, Clone)]
pub struct Unit {
    pub handle: String,
    pub file: String,
    /// The name as the program writes it.
    pub name: String,
    pub newunit: bool,
    pub kind: FileKind,
    /// The counter of records of direct access.
    pub records: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    Formatted,
    Unformatted,
    Stream,
    Direct,
    /// Opened for each line and closed again.
    Appended,
}

#[derive(Debug, Clone, Default)]
pub struct World {
    pub types: Vec<Derived>,
    pub modules: Vec<Module>,
    pub procedures: Vec<Procedure>,
    /// Statements that set procedure pointers.
    pub pointers_set: Vec<String>,
    pub groups: usize,
    pub names: u32,
    pub wide: bool,
    /// Members of a COMMON block and what declares them.
    pub common: Vec<Variable>,
    pub common_declarations: Vec<String>,
}

impl World {
    pub fn new_group(&mut self) -> usize {
        self.groups += 1;
        self.groups
    }
}

impl Base {
    /// The largest absolute value that the program keeps in an integer of this kind.
    pub fn limit(self) -> i64 {
        match self {
            Base::Integer(1) => 90,
            Base::Integer(2) => 9_000,
            Base::Integer(8) => 999_983,
            _ => 9_973,
        }
    }
}

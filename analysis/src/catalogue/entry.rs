//! One entry of the catalogue: the effects of a procedure without source.
//!
//! Postcondition: an entry describes a call that succeeds. What an entry does not exclude may happen.

use crate::effects::{OnlyIf, Opens};

/// The effects of a procedure.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entry {
    pub parameters: Vec<Parameter>,
    /// Each further argument: `...`.
    pub rest: Option<Parameter>,
    /// The addresses that the result may be. Empty: the result holds no address.
    pub result: Vec<Address>,
    /// The result is a new handle of this kind (`stream`).
    pub result_handle: Option<HandleUse>,
    pub effects: Vec<Effect>,
}

/// The effects of a procedure on one argument. For a pointer (C) or a reference (Fortran), these are effects
/// on the memory that it points to. By default, the argument is a value, and no memory is used through it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    /// The memory that may be read.
    pub reads: Option<Extent>,
    /// The memory that is written.
    pub writes: Option<Written>,
    /// The same is done to all memory that is reachable through pointers in the argument.
    pub deep: bool,
    /// The procedure keeps the pointer: later calls may read and write the memory.
    pub keeps: Option<Until>,
    /// The memory is no longer valid after the call.
    pub frees: bool,
    /// The addresses that the procedure may store in the memory. Empty: none.
    pub stores: Vec<Address>,
    /// The bytes, addresses in them too, are copied to the memory of this parameter.
    pub copied_to: Option<usize>,
    pub handle: Option<HandleUse>,
    /// A procedure that is called during the call; with `keeps`, also later.
    pub calls: bool,
    /// If the argument at this position is not the address of memory of the program (`MPI_IN_PLACE`), this memory
    /// is read too.
    pub in_place: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    pub extent: Extent,
    pub certainty: Certainty,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certainty {
    /// All of the extent is written.
    Certain,
    /// Some of the extent may be written.
    Possible,
    /// A message of at most this length arrives. Nothing is written if it comes from `MPI_PROC_NULL`, and a
    /// part if it is shorter.
    Message,
}

/// The amount of memory, beginning at the address in the argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Extent {
    /// To the end of the object at most.
    Unknown,
    /// Up to and including the first zero character.
    Text,
    /// All of the argument: the array or section that is passed.
    All,
    /// This number of bytes.
    Bytes(Sum),
}

/// A sum of products, in bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sum(pub Vec<Product>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Product {
    pub constant: i64,
    pub factors: Vec<Factor>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Factor {
    /// The value of an integer argument (in Fortran: that it refers to).
    Argument(usize),
    /// The bytes of one element of this MPI datatype. If it is not a basic one, the extent is unknown.
    Datatype(usize),
    /// How many processes this communicator has.
    Members(usize),
    /// The bytes of one element of the argument itself: `*p` in C.
    Element,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Until {
    /// The program ends, or an unknown call.
    End,
    /// The handle that this parameter is, or that it receives, is completed or destroyed.
    Handle(usize),
    /// The same. The memory is used each time when a call starts the handle (`Effect::Starts`).
    Started(usize),
}

/// The target of a pointer that a procedure returns or stores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// Into the memory that this argument points to.
    Into(usize),
    /// Into the memory that the pointer in the memory of this argument points to.
    At(usize),
    /// To new memory. `copies`: its content is that of the memory that this argument pointed to (`realloc`).
    New { bytes: Option<Sum>, zeroed: bool, copies: Option<usize> },
    /// To memory of the library, which later calls may overwrite, or to memory whose address it kept. The program does not free it.
    Static,
    /// To any memory whose address escaped.
    Unknown,
}

/// The effect of a procedure on a handle. Kinds are words such as `communicator`, `request`, `stream`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HandleUse {
    Uses(String),
    /// The argument receives a new handle.
    Makes(String),
    /// The handle is invalid after the call.
    Ends(String),
}

/// The effects of a procedure that do not concern its arguments. Numbers are positions of parameters; `None`:
/// no such parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// It never returns.
    Stops,
    /// It continues elsewhere: `longjmp`.
    Jumps,
    /// It may return several times: `setjmp`, `fork`.
    ReturnsTwice,
    /// It starts a thread, which runs a procedure that is an argument.
    Threads,
    /// It may do anything, such as call procedures of the program.
    Opaque,
    Sends(Peer),
    Receives(Peer),
    Probes(Peer),
    /// Every process of the communicator (window, file) takes part.
    Collective(Option<usize>),
    /// It completes these requests.
    Waits(usize),
    /// It completes these requests, if that is possible at once.
    Tests(usize),
    /// It starts the communication of these handles. From here on, the memory that they keep is used.
    Starts(usize),
    /// It uses state of the library that the program cannot see, such as the state of `rand`.
    State {
        reads: bool,
        writes: bool,
        adds: bool,
        begins: bool,
        name: String,
        only_if: Option<OnlyIf>,
    },
    /// It sets the variable of the library with this name: `signgam`. If `reads`, it uses the old value too.
    Sets {
        variable: String,
        reads: bool,
    },
    /// It opens the file that an argument names.
    Opens(Opens),
    /// It removes the file.
    Removes(usize),
    /// The file with the first name gets the second one.
    Renames(usize, usize),
    /// It asks whether the file exists.
    Asks(usize),
    /// It creates a file, a directory or a link, and fails if the name exists.
    Creates(usize),
    /// It changes the length of the file.
    Truncates(usize),
    /// The same. The argument is the descriptor of an open file.
    Shortens(usize),
}

/// The other process of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer {
    pub process: Option<usize>,
    pub tag: Option<usize>,
    pub communicator: Option<usize>,
}

impl Extent {
    pub fn element() -> Extent {
        Extent::Bytes(Sum(vec![Product { constant: 1, factors: vec![Factor::Element] }]))
    }
}

impl Parameter {
    /// A parameter whose use is not known.
    pub fn unknown(name: String) -> Parameter {
        Parameter {
            name,
            reads: Some(Extent::Unknown),
            writes: Some(Written { extent: Extent::Unknown, certainty: Certainty::Possible }),
            deep: true,
            keeps: Some(Until::End),
            ..Parameter::default()
        }
    }

    /// The argument is a value: no memory is used through it.
    pub fn is_value(&self) -> bool {
        self.reads.is_none() && self.writes.is_none() && !self.frees && !self.calls && self.keeps.is_none()
    }
}

impl Entry {
    /// The effects on the argument at a position, counted from 0.
    pub fn parameter(&self, position: usize) -> Option<&Parameter> {
        self.parameters.get(position).or(self.rest.as_ref())
    }

    pub fn never_returns(&self) -> bool {
        self.effects.contains(&Effect::Stops)
    }
}

//! The effects of procedures without source, as the analyses request them from the catalogue.
//!
//! Input: the name that a call uses. Output: the effects, or `None`.
//! Postcondition: `None` means that the effects are not known. Then the call may read and write all memory
//! that it can reach, and keep every pointer.

use crate::program::{Argument, Call, Program, Value};

pub trait Effects {
    fn effects(&self, name: &str) -> Option<&CallEffects>;
}

/// What the analyses assume where they do not know what happens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Assumptions {
    /// What may happen happens.
    #[default]
    Worst,
    /// Input succeeds and fills its buffer. What one path registers was registered, if a later path needs it.
    Usual,
}

/// The effects of all procedures are unknown.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoEffects;

impl Effects for NoEffects {
    fn effects(&self, _name: &str) -> Option<&CallEffects> {
        None
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CallEffects {
    /// In order. An argument that has no entry has the effects `rest`.
    pub parameters: Vec<ParameterEffect>,
    pub rest: ParameterEffect,
    pub result: ResultEffect,
    pub never_returns: bool,
    /// It sends or receives messages, or waits for them.
    pub communicates: bool,
    /// It calls procedures whose address it gets in an argument: `qsort`, `atexit`.
    pub calls_back: bool,
    /// It starts a thread.
    pub starts_thread: bool,
    /// The argument with this number is a handle, or several, that it starts.
    pub starts: Option<usize>,
    /// Its use of state of the library that has no variable.
    pub states: Vec<StateEffect>,
    /// The variables of the library that it sets.
    pub variables: Vec<VariableEffect>,
    /// It opens the file that an argument names.
    pub opens: Option<Opens>,
    /// What it does to files that arguments name, without opening them.
    pub files: Vec<FileEffect>,
}

/// A file that a call does not open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileEffect {
    /// The argument with the name of the file, or for `Shortens`, with its descriptor.
    pub name: usize,
    pub action: FileAction,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileAction {
    Removes,
    /// The file gets another name.
    Renames,
    /// Another file gets the name.
    Replaces,
    /// It asks whether the file exists.
    Asks,
    /// It creates the file, the directory or the link, and fails if the name exists.
    Creates,
    /// It changes the length of the file.
    Truncates,
    /// The same, for an open file.
    Shortens,
}

/// A call that opens a file. The numbers are those of arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opens {
    /// The name of the file.
    pub file: usize,
    /// A text as for `fopen`, or the flags of `open`. None: it truncates the file.
    pub mode: Option<usize>,
}

/// A variable of the library that a call sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariableEffect {
    pub name: String,
    /// The call uses the old value.
    pub reads: bool,
}

/// The use of state of a library. The state is not saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateEffect {
    pub state: LibraryState,
    pub reads: bool,
    pub writes: bool,
    /// It changes the state that it finds, so two calls differ from one: `atexit`.
    pub adds: bool,
    /// The state is as for a new handle: `opendir`, `rewinddir`. A restart that creates the handle has the same.
    pub begins: bool,
    /// The other fields hold only for these values of an argument.
    pub only_if: Option<OnlyIf>,
}

/// A condition for the value of an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnlyIf {
    /// The number of the argument, from 0.
    pub argument: usize,
    /// One of these numbers. Empty: the stream `stdin`.
    pub numbers: Vec<i64>,
    /// Or one of these constants of Fortran, in lower case.
    pub names: Vec<String>,
    /// It is the name of a file, and begins in the working directory.
    pub is_relative: bool,
    /// It may be a null pointer: it is not the address of an object.
    pub is_null: bool,
}

impl StateEffect {
    /// Whether a call may use the state. A condition for a stream is not decided here.
    pub fn may_apply(&self, call: &Call, program: &Program) -> bool {
        let Some(condition) = &self.only_if else { return true };
        if condition.is_relative {
            let text = call.arguments.get(condition.argument).and_then(|argument| program.text(argument));
            return text.is_none_or(|text| !text.starts_with('/'));
        }
        if condition.is_null {
            let argument = call.arguments.get(condition.argument);
            return !matches!(argument, Some(Argument::Value(Value::Address(_))));
        }
        match call.arguments.get(condition.argument) {
            Some(Argument::Value(Value::Affine(number))) => match number.as_constant() {
                Some(number) => condition.numbers.contains(&number),
                None => true,
            },
            Some(Argument::Reference(access)) if !condition.names.is_empty() => {
                condition.names.contains(&program.variables[access.root.0 as usize].name.to_lowercase())
            }
            Some(Argument::Reference(_) | Argument::Value(_)) => true,
            Some(Argument::Absent) | None => false,
        }
    }
}

/// State of libraries and of the process on which results of the program depend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LibraryState {
    /// The position in a sequence of random numbers.
    Random,
    /// The rest of the text of `strtok`.
    Token,
    Locale,
    /// The environment variables.
    Environment,
    /// The working directory, the mask for new files, limits.
    Process,
    /// The handlers of signals, the mask of signals, timers.
    Signals,
    /// The procedures that run when the process ends.
    Exit,
    /// The files of the standard streams and of descriptors with a given number.
    Streams,
    /// The part of a character that `mbrtowc` and similar calls have read, if the program has no variable for it.
    Conversion,
    /// The table of `hsearch`.
    HashTable,
    /// The number of threads and other settings of OpenMP.
    OpenMp,
    /// The position of standard input.
    Input,
    /// The position of `getopt` in the arguments of the program.
    Options,
    /// The positions of directory streams.
    Directory,
    /// The positions of files of MPI.
    FilePosition,
    /// The positions in files of MPI that all processes share.
    SharedPosition,
    /// The views of files of MPI.
    FileView,
    /// Other settings of files of MPI.
    FileSettings,
    /// The handlers of errors of MPI.
    ErrorHandlers,
    /// The names of communicators, datatypes and windows.
    Names,
    /// The attributes of communicators, datatypes and windows.
    Attributes,
    /// The content of info objects of MPI.
    Info,
    /// The buffer of MPI for buffered messages.
    Buffer,
    /// Threads that the program has started, and not joined.
    Threads,
    /// Child processes for which the program has not waited.
    Children,
}

impl LibraryState {
    pub const ALL: [LibraryState; 25] = [
        LibraryState::Random,
        LibraryState::Token,
        LibraryState::Conversion,
        LibraryState::Locale,
        LibraryState::Environment,
        LibraryState::Process,
        LibraryState::Signals,
        LibraryState::Exit,
        LibraryState::Streams,
        LibraryState::HashTable,
        LibraryState::OpenMp,
        LibraryState::Input,
        LibraryState::Options,
        LibraryState::Directory,
        LibraryState::FilePosition,
        LibraryState::SharedPosition,
        LibraryState::FileView,
        LibraryState::FileSettings,
        LibraryState::ErrorHandlers,
        LibraryState::Names,
        LibraryState::Attributes,
        LibraryState::Info,
        LibraryState::Buffer,
        LibraryState::Threads,
        LibraryState::Children,
    ];

    /// Whether it is used without a call that is known to read it. Then it counts as used after each checkpoint.
    pub fn is_always_used(self) -> bool {
        match self {
            LibraryState::Locale
            | LibraryState::Environment
            | LibraryState::Process
            | LibraryState::Signals
            | LibraryState::Exit
            | LibraryState::Streams
            | LibraryState::OpenMp
            | LibraryState::ErrorHandlers
            | LibraryState::Buffer
            | LibraryState::Threads
            | LibraryState::Children => true,
            LibraryState::Random
            | LibraryState::Token
            | LibraryState::Conversion
            | LibraryState::HashTable
            | LibraryState::Input
            | LibraryState::Options
            | LibraryState::Directory
            | LibraryState::FilePosition
            | LibraryState::SharedPosition
            | LibraryState::FileView
            | LibraryState::FileSettings
            | LibraryState::Names
            | LibraryState::Attributes
            | LibraryState::Info => false,
        }
    }

    /// Whether a call sets it, so that the same call in an execute block sets it again in a restart.
    pub fn is_setting(self) -> bool {
        match self {
            LibraryState::Locale
            | LibraryState::Environment
            | LibraryState::Process
            | LibraryState::Signals
            | LibraryState::Exit
            | LibraryState::Streams
            | LibraryState::OpenMp
            | LibraryState::FileView
            | LibraryState::FileSettings
            | LibraryState::ErrorHandlers
            | LibraryState::Names
            | LibraryState::Attributes
            | LibraryState::Info
            | LibraryState::Buffer => true,
            LibraryState::Random
            | LibraryState::Token
            | LibraryState::Conversion
            | LibraryState::HashTable
            | LibraryState::Input
            | LibraryState::Options
            | LibraryState::Directory
            | LibraryState::FilePosition
            | LibraryState::SharedPosition
            | LibraryState::Threads
            | LibraryState::Children => false,
        }
    }

    /// Whether it consists of several settings, and a call changes one of them.
    pub fn has_parts(self) -> bool {
        self.is_setting() && !matches!(self, LibraryState::FileView | LibraryState::Buffer)
    }

    /// Whether it is a setting that a procedure of MPI changes.
    pub fn is_of_mpi(self) -> bool {
        match self {
            LibraryState::FilePosition
            | LibraryState::SharedPosition
            | LibraryState::FileView
            | LibraryState::FileSettings
            | LibraryState::ErrorHandlers
            | LibraryState::Names
            | LibraryState::Attributes
            | LibraryState::Info
            | LibraryState::Buffer => true,
            LibraryState::Random
            | LibraryState::Token
            | LibraryState::Conversion
            | LibraryState::HashTable
            | LibraryState::Input
            | LibraryState::Options
            | LibraryState::Directory
            | LibraryState::Locale
            | LibraryState::Environment
            | LibraryState::Process
            | LibraryState::Signals
            | LibraryState::Exit
            | LibraryState::Streams
            | LibraryState::OpenMp
            | LibraryState::Threads
            | LibraryState::Children => false,
        }
    }

    /// The kind of the handles that each have this state.
    pub fn handle_kind(self) -> Option<&'static str> {
        match self {
            LibraryState::Directory => Some("directory"),
            LibraryState::FilePosition
            | LibraryState::SharedPosition
            | LibraryState::FileView
            | LibraryState::FileSettings => Some("file"),
            LibraryState::Info => Some("info"),
            LibraryState::Random
            | LibraryState::Token
            | LibraryState::Conversion
            | LibraryState::HashTable
            | LibraryState::Input
            | LibraryState::Options
            | LibraryState::Locale
            | LibraryState::Environment
            | LibraryState::Process
            | LibraryState::Signals
            | LibraryState::Exit
            | LibraryState::Streams
            | LibraryState::OpenMp
            | LibraryState::ErrorHandlers
            | LibraryState::Names
            | LibraryState::Attributes
            | LibraryState::Buffer
            | LibraryState::Threads
            | LibraryState::Children => None,
        }
    }

    /// The settings of handles of this kind. Each call with such a handle uses them.
    pub fn settings_of_handles(kind: &str) -> &'static [LibraryState] {
        match kind {
            "file" => &[LibraryState::FileView, LibraryState::FileSettings],
            "info" => &[LibraryState::Info],
            _ => &[],
        }
    }

    /// The state with this name in the catalogue.
    pub fn named(name: &str) -> Option<LibraryState> {
        match name {
            "random" => Some(LibraryState::Random),
            "strtok" => Some(LibraryState::Token),
            "locale" => Some(LibraryState::Locale),
            "environment" => Some(LibraryState::Environment),
            "process" => Some(LibraryState::Process),
            "signals" => Some(LibraryState::Signals),
            "exit" => Some(LibraryState::Exit),
            "streams" => Some(LibraryState::Streams),
            "conversion" => Some(LibraryState::Conversion),
            "hash" => Some(LibraryState::HashTable),
            "openmp" => Some(LibraryState::OpenMp),
            "input" => Some(LibraryState::Input),
            "getopt" => Some(LibraryState::Options),
            "directory" => Some(LibraryState::Directory),
            "file_position" => Some(LibraryState::FilePosition),
            "shared_position" => Some(LibraryState::SharedPosition),
            "file_view" => Some(LibraryState::FileView),
            "file_settings" => Some(LibraryState::FileSettings),
            "error_handlers" => Some(LibraryState::ErrorHandlers),
            "names" => Some(LibraryState::Names),
            "attributes" => Some(LibraryState::Attributes),
            "info" => Some(LibraryState::Info),
            "buffer" => Some(LibraryState::Buffer),
            "threads" => Some(LibraryState::Threads),
            "children" => Some(LibraryState::Children),
            _ => None,
        }
    }
}

/// The effects on the memory that an argument points to (C) or refers to (Fortran). The value of the argument
/// itself was read before the call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ParameterEffect {
    pub reads: Extent,
    pub writes: Extent,
    /// The memory that the procedure fills if it succeeds, or in the process that gets the result.
    pub fills: Extent,
    /// The memory that a message fills, unless it is shorter, or comes from `MPI_PROC_NULL`.
    pub receives: Extent,
    /// The procedure may write addresses that are in the memory of the other arguments.
    pub writes_pointers: bool,
    /// The procedure may store one of these addresses in the memory.
    pub stores: Vec<KnownAddress>,
    /// Memory that is reached through pointers in this memory may be read and written too.
    pub follows_pointers: bool,
    /// If the argument with this number is `MPI_IN_PLACE`, the memory is read too, to the extent of `writes`. That is
    /// possible unless the argument is certainly the address of an object of the program.
    pub in_place: Option<usize>,
    /// The pointer is kept after the call has returned: the memory may be read and written later.
    pub keeps: bool,
    /// The memory is kept for a handle of this kind. Calls that start the handle read and write it.
    pub kept_for: Option<String>,
    /// The memory that the argument points to (C), or that the allocatable or pointer has (Fortran), is no longer
    /// valid.
    pub frees: bool,
    /// The pointer in the memory then points to new memory: `posix_memalign`.
    pub allocates: bool,
    /// A handle of this kind is created in the memory: `communicator`.
    pub creates: Option<String>,
    /// The argument is a handle of this kind, or points to one.
    pub uses: Option<String>,
    /// That handle is not valid any longer.
    pub ends: bool,
    /// The argument is a procedure that is called during the call, and not later.
    pub calls: bool,
}

impl CallEffects {
    /// The effects on the argument with this number.
    pub fn parameter(&self, number: usize) -> &ParameterEffect {
        self.parameters.get(number).unwrap_or(&self.rest)
    }

    /// The kind of the handles that the call starts.
    pub fn started_kind(&self) -> Option<&str> {
        self.parameter(self.starts?).uses.as_deref()
    }

    /// The arguments that are procedures, if the call runs no other procedures of the program, and passes to them only
    /// addresses in its arguments: no keys that it has kept (`tsearch`), and nothing behind pointers.
    pub fn callbacks<'c>(&self, call: &'c Call) -> Option<Vec<&'c str>> {
        let mut names = Vec::new();
        for (number, parameter) in self.parameters.iter().enumerate() {
            if parameter.keeps || parameter.follows_pointers {
                return None;
            }
            match call.arguments.get(number) {
                Some(Argument::Value(Value::Procedure(name))) if parameter.calls => names.push(name.as_str()),
                Some(_) | None if parameter.calls => return None,
                Some(_) | None => {}
            }
        }
        Some(names)
    }
}

/// The amount of memory, from its first byte.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Extent {
    #[default]
    Nothing,
    /// Any part of it, or nothing. For a write: no byte is certain.
    Any,
    /// All memory of the argument that the call names: a scalar, an array, a section.
    All,
    /// Always this number of bytes.
    Bytes(u64),
    /// `factor` bytes times the values of these arguments (numbers from 0).
    Product { arguments: Vec<usize>, factor: u64 },
    /// The product of these arguments times the bytes of the MPI datatype that the argument `datatype` is. `Any`
    /// unless that is a basic datatype.
    Datatypes { arguments: Vec<usize>, datatype: usize },
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ResultEffect {
    /// A number.
    #[default]
    Data,
    /// New memory. Its size is known if it is a product of arguments.
    Allocates { bytes: Extent, zeroed: bool },
    /// One of these addresses: `strchr`, `getenv`.
    Addresses(Vec<KnownAddress>),
    /// New memory, or the same as that of this argument with its content: `realloc`.
    Reallocates(usize),
    /// A new handle of this kind: `fopen`.
    Handle(String),
    /// Any address.
    Unknown,
}

/// An address that a procedure stores or returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnownAddress {
    /// The address in this argument, or a position in the same memory: `strchr`, `memcpy`.
    Argument(usize),
    /// The address in the memory that this argument points to, or a position in the same memory: `strsep`.
    Content(usize),
    /// Memory of the library that stays (`getenv`). If a parameter keeps its address: or that memory (`strtok`).
    Static,
    /// Any address.
    Unknown,
}

//! The C interface, called in any order with any arguments that the rules for callers allow: a pointer is null or points
//! to memory, a text ends.
//!
//! Input: bytes, which choose the calls and their arguments.
//! Output: a process of its own for each input, because `CPPC_Init` can succeed only once in a process.
//! Postcondition: that process ended by itself with exit status 0 or 1. No call panicked.

use std::ffi::{c_char, c_int, c_void, CStr};
use std::path::Path;
use std::ptr::{null, null_mut};

// The symbols are those of this library.
use cppc as _;
use cppc_abi::types;

#[repr(C)]
struct Field {
    name: *const c_char,
    offset: usize,
    type_code: c_int,
    count: usize,
}

unsafe extern "C" {
    /// Of the GNU C library.
    fn on_exit(function: extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;

    fn CPPC_Init(argc: *mut c_int, argv: *mut *mut *mut c_char) -> c_int;
    fn CPPC_Shutdown() -> c_int;
    fn CPPC_Identify(fingerprint: *const c_char);
    fn CPPC_Enter(procedure: *const c_char, blocks: c_int) -> c_int;
    fn CPPC_Leave();
    fn CPPC_Block(block: c_int) -> c_int;
    fn CPPC_Register(
        section: c_int,
        address: *mut c_void,
        count: usize,
        r#type: c_int,
        name: *const c_char,
        storage: c_int,
    ) -> *mut c_void;
    fn CPPC_Register_value(
        section: c_int,
        address: *mut c_void,
        r#type: c_int,
        name: *const c_char,
        storage: c_int,
    ) -> c_int;
    fn CPPC_Register_pointer(
        section: c_int,
        slot: *mut c_void,
        count: usize,
        r#type: c_int,
        name: *const c_char,
        storage: c_int,
    ) -> *mut c_void;
    fn CPPC_Shape(name: *const c_char, rank: c_int, extents: *const usize) -> c_int;
    fn CPPC_Fields(name: *const c_char, offset: usize, stride: usize, elements: usize) -> c_int;
    fn CPPC_Way(name: *const c_char, slot: *mut c_void, storage: c_int) -> c_int;
    fn CPPC_Unregister(address: *mut c_void) -> c_int;
    fn CPPC_Unregister_name(name: *const c_char, address: *mut c_void) -> c_int;
    fn CPPC_Out_of_scope(name: *const c_char);
    fn CPPC_Do_checkpoint(id: c_int) -> c_int;
    fn CPPC_Jump_next() -> c_int;
    fn CPPC_Restarting() -> c_int;
    fn CPPC_Bit_field(field: *mut Field, sample: *mut c_void, size: usize, negative: c_int) -> c_int;
    fn CPPC_Select(name: *const c_char, selector: *mut c_void, r#type: c_int) -> c_int;
    fn CPPC_Points(r#type: c_int, field: *const c_char, target: c_int) -> c_int;
    fn CPPC_Stated(r#type: c_int, field: *const c_char) -> c_int;
    fn CPPC_Define_type(name: *const c_char, size: usize, fields: c_int, field: *const Field) -> c_int;
    fn CPPC_Frame() -> c_int;
    fn CPPC_Land(frame: c_int);
    fn CPPC_Jump_point(place: *const c_char);
    fn CPPC_Size_variable(address: *mut c_void, size: usize, name: *const c_char);
    fn CPPC_Accepts_deferred() -> c_int;
    fn CPPC_Wants(name: *const c_char) -> c_int;
    fn CPPC_Replays() -> c_int;
    fn CPPC_Element(name: *const c_char, subscripts: *mut c_void) -> c_int;
    fn CPPC_Execute(block: c_int) -> c_int;
    fn CPPC_Call(block: c_int, callee: *const c_char) -> c_int;
    fn CPPC_Capture(address: *mut c_void, count: usize, r#type: c_int, name: *const c_char);
    fn CPPC_Capture_pointers(
        address: *mut c_void,
        count: usize,
        r#type: c_int,
        name: *const c_char,
        elsewhere: c_int,
    );
    fn CPPC_Evaluates(name: *const c_char) -> c_int;
    fn CPPC_Register_saved(
        section: c_int,
        slot: c_int,
        address: *mut c_void,
        count: usize,
        r#type: c_int,
        name: *const c_char,
        storage: c_int,
    ) -> c_int;
    fn CPPC_Save(slot: c_int, address: *mut c_void, count: usize, r#type: c_int);
    fn CPPC_Take(slot: c_int, address: *mut c_void, count: usize, r#type: c_int);
    fn CPPC_Loop(slot: c_int, first: *mut c_void, last: *mut c_void, step: *mut c_void, r#type: c_int);
    fn CPPC_Register_followed(
        section: c_int,
        r#type: c_int,
        rank: c_int,
        lower: *mut c_void,
        upper: *mut c_void,
        name: *const c_char,
        storage: c_int,
    ) -> c_int;
    fn CPPC_Follow(
        address: *mut c_void,
        length: usize,
        rank: c_int,
        lower: *mut c_void,
        upper: *mut c_void,
        name: *const c_char,
    );
    fn CPPC_Follow_nothing(name: *const c_char);
    fn CPPC_Place(name: *const c_char) -> *mut c_void;
    fn CPPC_Capture_value(address: *mut c_void, count: usize, r#type: c_int, name: *const c_char);
    fn CPPC_File(file: c_int, name: *const c_char, handle: *const c_char);
    fn CPPC_File_stream(file: c_int, stream: *mut c_void);
    fn CPPC_File_descriptor(file: c_int, descriptor: c_int);
    fn CPPC_Return(block: c_int) -> c_int;
}

/// What happens in the process that makes the calls, before and after them.
pub struct Around {
    pub before: fn(),
    /// Called also if the library ends the process.
    pub at_exit: extern "C" fn(c_int, *mut c_void),
}

extern "C" fn nothing(_: c_int, _: *mut c_void) {}

/// Two processes, one after the other: the second one finds the state that the first one left.
pub fn calls(bytes: &[u8]) {
    calls_with(bytes, &Around { before: || (), at_exit: nothing });
}

pub fn calls_with(bytes: &[u8], around: &Around) {
    let folder = tempfile::tempdir().expect("a directory for temporary files");
    let (first, second) = bytes.split_at(bytes.len() / 2);
    for part in [first, second] {
        in_a_process(folder.path(), part, around);
    }
}

/// A call that hangs is ended after so many seconds.
const LIMIT_SECONDS: u32 = 60;

fn in_a_process(folder: &Path, bytes: &[u8], around: &Around) {
    let (folder, silence) = (text(folder), c"/dev/null");
    // SAFETY: the child continues with the memory of this thread. It calls functions of this library and the C library, and
    // never returns from this block. The parent waits for it.
    let status = unsafe {
        let child = libc::fork();
        assert!(child >= 0, "there is no new process");
        if child == 0 {
            libc::alarm(LIMIT_SECONDS);
            on_exit(around.at_exit, null_mut());
            let silent = libc::open(silence.as_ptr(), libc::O_WRONLY);
            libc::dup2(silent, 2);
            // They are settings of the tests, and the library accepts only its own.
            libc::unsetenv(c"CPPC_FUZZ_SEED".as_ptr());
            libc::unsetenv(c"CPPC_FUZZ_RUNS".as_ptr());
            if libc::chdir(folder.as_ptr()) != 0 {
                libc::abort();
            }
            std::panic::set_hook(Box::new(|_| libc::abort()));
            (around.before)();
            let descriptor = libc::open(c"x".as_ptr(), libc::O_RDWR | libc::O_CREAT, 0o600);
            let memory = &raw mut MEMORY;
            Caller { bytes, memory: &mut *memory, descriptor }.call_all();
            libc::exit(0);
        }
        let mut status = 0;
        // The timer of libFuzzer interrupts the wait.
        while libc::waitpid(child, &raw mut status, 0) != child {
            let error = std::io::Error::last_os_error();
            assert_eq!(error.kind(), std::io::ErrorKind::Interrupted, "{error}");
        }
        status
    };
    assert!(!libc::WIFSIGNALED(status), "the process ended by signal {}", libc::WTERMSIG(status));
    assert!(libc::WEXITSTATUS(status) <= 1, "the process ended with status {}", libc::WEXITSTATUS(status));
}

fn text(path: &Path) -> std::ffi::CString {
    use std::os::unix::ffi::OsStrExt;
    std::ffi::CString::new(path.as_os_str().as_bytes()).expect("a path without zero bytes")
}

/// The memory of the program, at the same address in each process.
static mut MEMORY: Memory = Memory {
    values: [0.0; 256],
    small: [0; 256],
    slots: [null_mut(); 64],
    numbers: [0; 32],
    _room: [0; 1 << 16],
};

#[repr(C)]
struct Memory {
    values: [f64; 256],
    small: [c_int; 256],
    slots: [*mut c_void; 64],
    /// The bounds of a followed array are those of existing memory.
    numbers: [i64; 32],
    /// More than the largest plausible number of elements has of the largest type.
    _room: [u8; 1 << 16],
}

struct Caller<'a> {
    bytes: &'a [u8],
    memory: &'a mut Memory,
    /// Of a file.
    descriptor: c_int,
}

const NAMES: [&CStr; 12] =
    [c"x", c"y", c"rows[]", c"rows[3]", c"p->n", c"work", c"main", c"", c"\xff\xfe", c"a%b(?)", c"p", c"*p"];
const COUNTS: [usize; 10] = [0, 1, 2, 3, 16, 64, 5 << 30, usize::MAX, usize::MAX / 8, usize::MAX / 2 + 1];
const NUMBERS: [c_int; 12] = [0, 1, 2, 3, 4, 5, c_int::MIN, c_int::MAX, -1, 65_535, 65_536, 1_000_000];
const TYPES: [c_int; 10] = [
    types::INT,
    types::DOUBLE,
    types::CHAR,
    types::POINTER,
    types::LONG_DOUBLE,
    types::FLOAT_COMPLEX,
    1000,
    1001,
    55,
    -1,
];

impl Caller<'_> {
    /// The next choice, less than `below`. At the end of the input, the first one.
    fn pick(&mut self, below: usize) -> usize {
        let Some((&byte, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        usize::from(byte) % below
    }

    fn choice<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.pick(all.len())]
    }

    fn name(&mut self) -> *const c_char {
        let which = self.pick(NAMES.len() + 1);
        NAMES.get(which).map_or(null(), |name| name.as_ptr())
    }

    fn number(&mut self) -> c_int {
        self.choice(&NUMBERS)
    }

    fn count(&mut self) -> usize {
        self.choice(&COUNTS)
    }

    fn r#type(&mut self) -> c_int {
        self.choice(&TYPES)
    }

    /// The storage classes of `cppc.h` with and without their marks, and numbers that are none.
    fn storage(&mut self) -> c_int {
        match self.pick(4) {
            0 => self.number(),
            _ => self.pick(256) as c_int,
        }
    }

    fn place(&mut self) -> *mut c_void {
        match self.pick(6) {
            0 => null_mut(),
            1 => self.memory.small.as_mut_ptr().cast(),
            2 => self.memory.slots.as_mut_ptr().cast(),
            3 => self.memory.numbers.as_mut_ptr().cast(),
            index => self.memory.values[index..].as_mut_ptr().cast(),
        }
    }

    fn slot(&mut self) -> *mut c_void {
        match self.pick(9) {
            8 => null_mut(),
            index => (&raw mut self.memory.slots[index]).cast(),
        }
    }

    /// Numbers from this index on.
    fn numbers(&mut self, from: usize) -> *mut c_void {
        match self.pick(6) {
            0 => null_mut(),
            _ => self.memory.numbers[from..].as_mut_ptr().cast(),
        }
    }

    fn call_all(&mut self) {
        // Some calls come before it, and some after the end of the service.
        let early = self.pick(4);
        (0..early).for_each(|_| self.call());
        // SAFETY: null pointers are allowed.
        unsafe { CPPC_Init(null_mut(), null_mut()) };
        while !self.bytes.is_empty() {
            self.call();
        }
        if early != 1 {
            // SAFETY: it may be called at any time.
            unsafe { CPPC_Shutdown() };
            (0..early).for_each(|_| self.call());
        }
    }

    fn call(&mut self) {
        self.memory.numbers[..16].fill(1);
        self.memory.numbers[16..].fill(3);
        // SAFETY: pointers are null, or point to `memory`, which is larger than what any call with a plausible size uses. Texts
        // are constants that end.
        unsafe {
            match self.pick(4) {
                0 => self.register(),
                1 => self.capture(),
                _ => self.proceed(),
            }
        }
    }

    /// # Safety
    /// The arguments keep the rules of `cppc.h`.
    unsafe fn register(&mut self) {
        let (section, kind, name, storage) = (self.number(), self.r#type(), self.name(), self.storage());
        let (low, high) = (self.numbers(0), self.numbers(16));
        // SAFETY: as the function demands.
        unsafe {
            match self.pick(11) {
                0 => drop(CPPC_Register(section, self.place(), self.count(), kind, name, storage)),
                1 => drop(CPPC_Register_value(section, self.place(), kind, name, storage)),
                2 => drop(CPPC_Register_pointer(section, self.slot(), self.count(), kind, name, storage)),
                3 => {
                    let slot = self.number();
                    let _ = CPPC_Register_saved(section, slot, low, self.pick(4), kind, name, storage);
                }
                4 => drop(CPPC_Register_followed(section, kind, self.number(), low, high, name, storage)),
                5 => {
                    let extents = [self.count(), self.count(), 1, 2];
                    let extents = if self.pick(5) == 0 { null() } else { extents.as_ptr() };
                    CPPC_Shape(name, self.pick(6) as c_int - 1, extents);
                }
                6 => drop(CPPC_Way(name, self.slot(), storage)),
                7 => drop(CPPC_Unregister(self.place())),
                8 => drop(CPPC_Unregister_name(name, self.place())),
                9 => {
                    CPPC_Fields(name, self.pick(4), self.count(), self.pick(4));
                    CPPC_Register(section, self.place(), self.count(), kind, name, storage);
                }
                _ => CPPC_Out_of_scope(name),
            }
        }
    }

    /// # Safety
    /// The arguments keep the rules of `cppc.h`.
    unsafe fn capture(&mut self) {
        let (number, kind, name) = (self.number(), self.r#type(), self.name());
        let (count, low, high) = (self.pick(4), self.numbers(0), self.numbers(16));
        // SAFETY: as the function demands.
        unsafe {
            match self.pick(11) {
                0 => CPPC_Capture(self.place(), count, kind, name),
                1 => CPPC_Capture_pointers(self.slot(), count, kind, name, number),
                2 => CPPC_Capture_value(self.place(), count, kind, name),
                3 => CPPC_Save(number, low, count, kind),
                4 => CPPC_Take(number, low, count, kind),
                5 => CPPC_Loop(number, low, self.numbers(1), self.numbers(2), kind),
                6 => {
                    let values = self.memory.values.as_mut_ptr().cast();
                    CPPC_Follow(values, count, self.pick(3) as c_int, low, high, name);
                }
                7 => CPPC_Follow_nothing(name),
                8 => drop(CPPC_Place(name)),
                9 => drop(CPPC_Evaluates(name)),
                _ => {
                    let index = self.pick(8);
                    self.memory.slots[index] = self.place();
                }
            }
        }
    }

    /// # Safety
    /// The arguments keep the rules of `cppc.h`.
    unsafe fn proceed(&mut self) {
        let (number, name) = (self.number(), self.name());
        // SAFETY: as the function demands.
        unsafe {
            match self.pick(27) {
                0 => CPPC_Identify(name),
                1 | 2 => drop(CPPC_Enter(name, number)),
                3 => CPPC_Leave(),
                4 => drop(CPPC_Block(number)),
                5..=8 => drop(CPPC_Do_checkpoint(number)),
                9..=11 => drop(CPPC_Jump_next()),
                12 => drop(CPPC_Restarting()),
                13 => self.define_type(),
                14 => drop(CPPC_Frame()),
                15 => CPPC_Land(number),
                16 => CPPC_Jump_point(name),
                26 => CPPC_Size_variable(self.numbers(0), self.pick(64), name),
                17 => drop([CPPC_Accepts_deferred(), CPPC_Wants(name)]),
                18 => drop(CPPC_Replays()),
                19 => drop(CPPC_Element(name, self.numbers(0))),
                20 => drop(CPPC_Execute(number)),
                21 => drop(CPPC_Call(number, name)),
                22 => drop(CPPC_Return(number)),
                23 => CPPC_File(number, name, self.name()),
                24 => CPPC_File_stream(number, null_mut()),
                _ => CPPC_File_descriptor(number, [-1, self.descriptor][self.pick(2)]),
            }
        }
    }

    fn define_type(&mut self) {
        let field = |name: Option<&'static CStr>, offset, type_code, count| Field {
            name: name.map_or(null(), CStr::as_ptr),
            offset,
            type_code,
            count,
        };
        let mut bits = field(Some(c"bits"), 0, types::INT, 1);
        let mut sample = [self.pick(256) as u8, self.pick(256) as u8];
        // SAFETY: the sample has two bytes.
        unsafe { CPPC_Bit_field(&raw mut bits, sample.as_mut_ptr().cast(), 2, self.pick(2) as c_int) };
        let conditional = [c"b if a == 0", c"b if c == 0", c"b if a == x"][self.pick(3)];
        let fields = [
            bits,
            field(Some(conditional), 8, types::DOUBLE, 1),
            field(Some(c"a"), 0, types::INT, 1),
            field(Some(c"b"), 8, types::POINTER, 1),
            field(None, 0, types::INT, 1),
            field(Some(c"c"), usize::MAX, types::DOUBLE, usize::MAX),
        ];
        let fields = if self.pick(5) == 0 { null() } else { fields.as_ptr() };
        // SAFETY: there are six descriptions, and at most six are announced.
        let code = unsafe { CPPC_Define_type(self.name(), self.count(), self.pick(8) as c_int - 1, fields) };
        let target = if self.pick(2) == 0 { code } else { self.r#type() };
        // SAFETY: the name is a text.
        unsafe { CPPC_Points(code, c"b".as_ptr(), target) };
        // SAFETY: the numbers live as long as the process.
        unsafe { CPPC_Select(self.name(), self.numbers(0), self.r#type()) };
        if self.pick(3) == 0 {
            // SAFETY: as above.
            unsafe { CPPC_Stated(code, c"b".as_ptr()) };
        }
    }
}

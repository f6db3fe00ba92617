//! The descriptor table of the runtime.
//!
//! Input: work that opens files while the program runs.
//! Output: its result.
//! Postcondition: no file that the work opens ever gets a number in the program's descriptor table. No file of
//! the program is open in the table of the runtime, so a pipe that the program closes ends.
//!
//! The system gives a new descriptor the lowest free number of a table. A program may rely on that:
//! `close(1); open("log")`. It may also ask whether a number is still open. So a thread that runs next to the
//! program must not open files in the program's table, not even for a moment. Closing such a file would also
//! release the locks that the program has on it (`fcntl`, `F_SETLK`). These locks belong to a table.
//!
//! A keeper thread leaves the program's table when it starts. Threads that it starts share its new table.
//!
//! This file contains `unsafe`, because the system call has no safe interface.

use super::without_signals;
use std::any::Any;
use std::cell::Cell;
use std::fs::File;
use std::io;
use std::os::fd::IntoRawFd;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::mpsc::{channel, Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

/// One of the two descriptor tables of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table {
    Program,
    /// That of the runtime, in the process with this number. A child of `fork` does not have it.
    Runtime(u32),
}

thread_local! {
    static TABLE: Cell<Table> = const { Cell::new(Table::Program) };
}

impl Table {
    /// The table of the calling thread.
    pub fn current() -> Table {
        TABLE.get()
    }
}

/// Lets the threads that execute `work` know that they share the table of the calling thread.
pub fn inherit<T>(work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    let table = Table::current();
    move || {
        TABLE.set(table);
        work()
    }
}

type Request = Box<dyn FnOnce() + Send>;

/// The keeper of this process, or why there is none.
struct Keeper {
    process: u32,
    requests: Result<Sender<Request>, (io::ErrorKind, String)>,
}

static KEEPER: Mutex<Option<Keeper>> = Mutex::new(None);
const STACK_BYTES: usize = 256 << 10;

/// Starts a thread that uses the table of the runtime.
pub fn spawn<T: Send + 'static>(
    builder: Builder,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    call(move || builder.spawn(inherit(work)))?
}

/// Executes the work in the table of the runtime, and waits for it.
pub fn call<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<T> {
    let process = std::process::id();
    if Table::current() == Table::Runtime(process) {
        return Ok(work());
    }
    let (result, answer) = channel();
    let request = Box::new(move || drop(result.send(catch_unwind(AssertUnwindSafe(work)))));
    let is_sent = requests(process)?.send(request).is_ok();
    match is_sent.then(|| answer.recv()) {
        Some(Ok(result)) => result.map_err(|panic| raise(panic)),
        _ => Err(io::Error::other("the thread that keeps the descriptors of the runtime has ended")),
    }
}

/// Continues a panic of another thread on this one. That thread has no standard error, so its message has not
/// been printed.
pub fn raise(panic: Box<dyn Any + Send>) -> ! {
    let panic = match panic.downcast::<&'static str>() {
        Ok(text) => std::panic::panic_any(*text),
        Err(other) => other,
    };
    match panic.downcast::<String>() {
        Ok(text) => std::panic::panic_any(*text),
        Err(other) => std::panic::resume_unwind(other),
    }
}

/// The keeper's queue. The first call in a process starts the keeper.
fn requests(process: u32) -> io::Result<Sender<Request>> {
    let mut keeper = KEEPER.lock().unwrap_or_else(PoisonError::into_inner);
    let is_ours = keeper.as_ref().is_some_and(|keeper| keeper.process == process);
    if !is_ours {
        let requests = start(process).map_err(|error| (error.kind(), error.to_string()));
        // That of the parent process has threads that do not exist here.
        std::mem::forget(keeper.replace(Keeper { process, requests }));
    }
    match keeper.as_ref().map(|keeper| keeper.requests.clone()) {
        Some(Ok(requests)) => Ok(requests),
        Some(Err((kind, reason))) => Err(io::Error::new(kind, reason)),
        None => Err(io::ErrorKind::NotFound.into()),
    }
}

fn start(process: u32) -> io::Result<Sender<Request>> {
    let (requests, incoming) = channel();
    let (started, answer) = channel();
    let keep = move || {
        let left = leave_program();
        let has_left = left.is_ok();
        if started.send(left).is_ok() && has_left {
            TABLE.set(Table::Runtime(process));
            serve(&incoming);
        }
    };
    let builder = Builder::new().name("cppc-keeper".to_owned()).stack_size(STACK_BYTES);
    without_signals(|| builder.spawn(keep))?;
    answer.recv().map_err(io::Error::other)??;
    Ok(requests)
}

fn serve(incoming: &Receiver<Request>) {
    incoming.iter().for_each(|request| request());
}

/// Gives the calling thread an empty table.
#[cfg(all(target_os = "linux", not(miri)))]
fn leave_program() -> io::Result<()> {
    // SAFETY: the calls take no memory. With these flags, they change only the table of this thread, which
    // has opened nothing.
    let is_empty =
        unsafe { libc::syscall(libc::SYS_close_range, 0, libc::c_uint::MAX, libc::CLOSE_RANGE_UNSHARE) == 0 };
    if !is_empty {
        leave_with_copies()?;
    }
    // A library that prints must not print into a state file.
    for _ in 0..3 {
        let _ = File::options().read(true).write(true).open("/dev/null")?.into_raw_fd();
    }
    Ok(())
}

/// The same before Linux 5.9: the new table has copies of all descriptors, which are closed.
#[cfg(all(target_os = "linux", not(miri)))]
fn leave_with_copies() -> io::Result<()> {
    // SAFETY: as in `leave_program`.
    if unsafe { libc::unshare(libc::CLONE_FILES) } != 0 {
        return Err(io::Error::last_os_error());
    }
    let copies = std::fs::read_dir("/proc/thread-self/fd")?
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .collect::<Vec<libc::c_int>>();
    for number in copies {
        // SAFETY: the number is that of a copy in the table of this thread, or of the directory above, which
        // is closed already.
        if unsafe { libc::close(number) } != 0 {
            let error = io::Error::last_os_error();
            if error.raw_os_error() != Some(libc::EBADF) {
                // A network file system has lost content of this file, and reports it only here.
                return Err(error);
            }
        }
    }
    Ok(())
}

/// Miri has no such tables.
#[cfg(miri)]
fn leave_program() -> io::Result<()> {
    Ok(())
}

#[cfg(not(any(target_os = "linux", miri)))]
fn leave_program() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(all(test, target_os = "linux", not(miri)))]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::os::fd::AsRawFd;
    use std::os::unix::net::UnixStream;

    #[test]
    fn a_file_that_is_opened_there_has_no_number_here() {
        let (file, number) = call(|| {
            assert!(matches!(Table::current(), Table::Runtime(_)));
            let file = File::open("/proc/self/status").unwrap();
            let number = file.as_raw_fd();
            (std::mem::ManuallyDrop::new(file), number)
        })
        .unwrap();
        assert_eq!(Table::current(), Table::Program);
        let here = std::fs::read_link(format!("/proc/self/fd/{number}"));
        assert!(here.is_err() || !here.unwrap().ends_with("status"));
        call(move || drop(std::mem::ManuallyDrop::into_inner(file))).unwrap();
    }

    #[test]
    fn a_socket_that_is_closed_here_ends() {
        let (mut end, mut begin) = UnixStream::pair().unwrap();
        begin.write_all(b"x").unwrap();
        let thread = spawn(Builder::new(), || std::fs::read_dir("/proc/thread-self/fd").unwrap().count());
        assert!(thread.unwrap().join().unwrap() >= 3);
        drop(begin);
        let mut all = Vec::new();
        assert_eq!(end.read_to_end(&mut all).unwrap(), 1);
    }

    #[test]
    fn both_ways_out_of_the_table_leave_it_empty() {
        let kept = File::open("/proc/self/status").unwrap();
        let thread = std::thread::spawn(|| {
            leave_with_copies().unwrap();
            std::fs::read_dir("/proc/thread-self/fd").unwrap().count()
        });
        // The directory itself is open.
        assert_eq!(thread.join().unwrap(), 1);
        kept.metadata().expect("it is still open here");
    }

    #[test]
    fn a_panic_there_is_one_here_and_the_keeper_stays() {
        let result = catch_unwind(|| call(|| panic!("a request of the test that panics")));
        assert!(result.is_err());
        assert_eq!(call(|| 7).unwrap(), 7);
    }
}

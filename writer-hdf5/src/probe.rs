//! Tries in a separate process whether the library can read a changed file.
//!
//! Input: what is to be done with the file.
//! Output: whether that ended without an error.
//! Postcondition: if the library crashes, hangs or allocates without limit, it does so in a process that has
//! ended.
//!
//! One of the few files with `unsafe`: a process is forked.

use crate::fault::Fault;
use crate::session::lock_library;
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::time::{Duration, Instant};

/// In addition to the memory of the process and 16 times the length of the file.
const MEMORY_BYTES: u64 = 1 << 30;
/// In addition to one second for each 2 MB of the file.
const LEAST: Duration = Duration::from_secs(30);
/// What the process sends if it succeeds. Anything else is an error message.
const DONE: &[u8] = b"done";
const MOST_TEXT_BYTES: usize = 500;

/// Whether `work` can be done with a file of this length without harm.
pub fn attempt(length: u64, work: impl FnOnce() -> Result<(), Fault>) -> Result<(), Fault> {
    let system = |error: &std::io::Error| Fault::system("try the file in a process of its own", error);
    let (answer, mut tell) = UnixStream::pair().map_err(|error| system(&error))?;
    // A thread inside of the library would never leave it in the child.
    let guard = lock_library();
    // SAFETY: the child only calls `work`, sends the result, and ends at once.
    let child = unsafe { libc::fork() };
    drop(guard);
    if child < 0 {
        return Err(system(&std::io::Error::last_os_error()));
    }
    if child == 0 {
        limit(length);
        let outcome = catch_unwind(AssertUnwindSafe(work));
        let said = match &outcome {
            Ok(Ok(())) => DONE,
            Ok(Err(fault)) => fault.text.as_bytes(),
            Err(_) => b"internal failure",
        };
        let _ = tell.write_all(said);
        // SAFETY: nothing of the parent is cleaned up here.
        unsafe { libc::_exit(0) };
    }
    drop(tell);
    let said = listen(answer, LEAST + Duration::from_secs(length / 2_000_000));
    // SAFETY: the child was started here. If other code has waited for it, it no longer exists either.
    unsafe {
        libc::kill(child, libc::SIGKILL);
        libc::waitpid(child, std::ptr::null_mut(), 0);
    }
    match said.as_slice() {
        DONE => Ok(()),
        [] => Err(Fault::new("the HDF5 library cannot read this file")),
        text => Err(Fault::new(String::from_utf8_lossy(text))),
    }
}

/// What the child sends before it ends or the time is over.
fn listen(mut answer: UnixStream, time: Duration) -> Vec<u8> {
    let end = Instant::now() + time;
    let mut said = Vec::new();
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() || answer.set_read_timeout(Some(left)).is_err() || said.len() > MOST_TEXT_BYTES {
            return said;
        }
        let mut some = [0; MOST_TEXT_BYTES];
        match answer.read(&mut some) {
            Ok(count) if count > 0 => said.extend(&some[..count]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            _ => return said,
        }
    }
}

fn limit(length: u64) {
    let mut pages = String::new();
    let read = File::open("/proc/self/statm").and_then(|mut file| file.read_to_string(&mut pages));
    // SAFETY: no address is passed.
    let page_bytes = u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096);
    let used = read
        .ok()
        .and_then(|_| pages.split(' ').next()?.parse::<u64>().ok())
        .map(|pages| pages.saturating_mul(page_bytes));
    let set = |resource, most: u64| {
        // `rlim_t` has 32 bits where pointers have 32 bits.
        let most = most.min(u64::try_from(usize::MAX).unwrap_or(u64::MAX)) as libc::rlim_t;
        let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
        // SAFETY: the structure outlives the call.
        unsafe { libc::setrlimit(resource, &raw const limit) };
    };
    set(libc::RLIMIT_CORE, 0);
    if let Some(used) = used {
        set(libc::RLIMIT_AS, used.saturating_add(MEMORY_BYTES).saturating_add(length.saturating_mul(16)));
    }
}

//! Standard error, as it was when the program started.
//!
//! In: lines. Out: the lines on standard error; in a file, when standard error was closed or replaced. Holds
//! afterwards: nothing was written to a file that only has the number of standard error: a program that closes it, or
//! is started without it, gets that number for the next file that it opens.
//!
//! One of the few files with `unsafe`: what descriptor 2 is has to be seen before `main` runs, and the mask of signals of
//! this thread.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

const NUMBER: libc::c_int = 2;

/// What a descriptor leads to: device and inode, and which device a device is.
type Identity = (u64, u64, u64);

static AT_START: OnceLock<Option<Identity>> = OnceLock::new();
/// Where lines go when there is no standard error.
static FILE: Mutex<Option<PathBuf>> = Mutex::new(None);

/// The loader calls it before `main`.
#[used]
#[cfg_attr(target_os = "linux", link_section = ".init_array")]
static REMEMBER: extern "C" fn() = remember;

extern "C" fn remember() {
    AT_START.get_or_init(identity);
}

fn identity() -> Option<Identity> {
    // SAFETY: the number is not closed by us; one that is no descriptor gives an error.
    let file = ManuallyDrop::new(unsafe { File::from_raw_fd(NUMBER) });
    let found = file.metadata().ok()?;
    Some((found.dev(), found.ino(), found.rdev()))
}

/// Whether descriptor 2 is what it was at the start of the program.
fn is_there() -> bool {
    let at_start = AT_START.get_or_init(identity);
    at_start.is_some() && *at_start == identity()
}

/// From now on lines go into this file when there is no standard error; its directory need not be there.
pub fn otherwise_into(path: PathBuf) {
    *FILE.lock().unwrap_or_else(PoisonError::into_inner) = Some(path);
}

/// Writes the text at once, so that lines of several processes do not mix. A failure changes nothing.
pub fn write(text: &str) {
    if is_there() {
        without_pipe_signal(|| {
            let _ = std::io::stderr().write_all(text.as_bytes());
        });
        return;
    }
    if let Some(path) = &*FILE.lock().unwrap_or_else(PoisonError::into_inner) {
        let _ = append(path, text);
    }
}

/// A reader of standard error that is gone must not end the program because of a line of ours: the signal that says so is
/// held back in this thread, and taken away if the line has caused it.
fn without_pipe_signal(write: impl FnOnce()) {
    // SAFETY: all sets are initialised before they are read, by the calls that get them; no time means not to wait.
    unsafe {
        let mut pipe = std::mem::zeroed::<libc::sigset_t>();
        libc::sigemptyset(&mut pipe);
        libc::sigaddset(&mut pipe, libc::SIGPIPE);
        let (mut before, mut pending) = (pipe, pipe);
        libc::sigpending(&mut pending);
        if libc::pthread_sigmask(libc::SIG_BLOCK, &pipe, &mut before) != 0 {
            return write();
        }
        write();
        if libc::sigismember(&pending, libc::SIGPIPE) == 0 {
            let no_time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
            libc::sigtimedwait(&pipe, std::ptr::null_mut(), &no_time);
        }
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut());
    }
}

fn append(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY;
    OpenOptions::new().append(true).create(true).custom_flags(flags).open(path)?.write_all(text.as_bytes())
}

//! Standard error, as it was when the program started.
//!
//! Input: lines.
//! Output: the lines on standard error, or in a file if standard error was closed or replaced.
//! Postcondition: nothing was written to another file that now has the number of standard error. If a program
//! closes standard error, or is started without it, the next file that it opens gets that number.
//!
//! This file contains `unsafe`, because it must inspect descriptor 2 before `main` runs, and changes the
//! signal mask of this thread.

use crate::threads::own_table::call;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

const NUMBER: libc::c_int = 2;

/// The identity of an open file: device, inode, and device number if it is a device.
type Identity = (u64, u64, u64);

static AT_START: OnceLock<Option<Identity>> = OnceLock::new();
/// The file for the lines if there is no standard error.
static FILE: Mutex<Option<PathBuf>> = Mutex::new(None);

/// The loader calls this before `main`. Miri would call it too, but it cannot query descriptor 2.
#[used]
#[cfg_attr(all(target_os = "linux", not(miri)), link_section = ".init_array")]
static REMEMBER: extern "C" fn() = remember;

extern "C" fn remember() {
    AT_START.get_or_init(identity);
}

fn identity() -> Option<Identity> {
    // SAFETY: this does not close the descriptor. If the number is no open descriptor, the call returns an
    // error.
    let file = ManuallyDrop::new(unsafe { File::from_raw_fd(NUMBER) });
    let found = file.metadata().ok()?;
    Some((found.dev(), found.ino(), found.rdev()))
}

/// Whether descriptor 2 is still the file that it was when the program started.
fn is_there() -> bool {
    let at_start = AT_START.get_or_init(identity);
    at_start.is_some() && *at_start == identity()
}

/// Sets the file for the lines if there is no standard error. Its directory need not exist.
pub fn otherwise_into(path: PathBuf) {
    *FILE.lock().unwrap_or_else(PoisonError::into_inner) = Some(path);
}

/// Writes the text with one call, so that lines of several processes do not mix. A failure has no effect.
pub fn write(text: &str) {
    if is_there() {
        without_pipe_signal(|| {
            let _ = std::io::stderr().write_all(text.as_bytes());
        });
        return;
    }
    let place = FILE.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let Some(path) = place else { return };
    // The program may be running while the thread that reports dumps writes this.
    let (to, line) = (path.clone(), text.to_owned());
    let _ = call(move || append(&to, &line)).unwrap_or_else(|_| append(&path, text));
}

/// Writes the parts as one text. It allocates no memory and takes no lock, so it can be called in a signal
/// handler that has interrupted any code. The text is cut if it is too long, and lost if there is no standard
/// error.
pub fn write_in_handler(parts: &[&str]) {
    const MOST_BYTES: usize = 512;
    let mut text = [0; MOST_BYTES];
    let mut length = 0;
    for part in parts {
        let taken = part.len().min(MOST_BYTES - length);
        text[length..length + taken].copy_from_slice(&part.as_bytes()[..taken]);
        length += taken;
    }
    if is_there() {
        without_pipe_signal(|| {
            // SAFETY: the buffer has `length` bytes.
            let _ = unsafe { libc::write(NUMBER, text.as_ptr().cast(), length) };
        });
    }
}

/// A closed pipe at standard error must not end the program because of a message of ours. The signal is
/// blocked in this thread, and removed if the message has caused it.
fn without_pipe_signal(write: impl FnOnce()) {
    // SAFETY: the calls that fill the sets initialise them before they are read. A zero timeout means not to
    // wait.
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

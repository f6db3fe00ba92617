//! Requests of `cppc checkpoint`, as files in the directory of rank 0.
//!
//! Input: the file `request`: a number that the requester has chosen, and `checkpoint` or `end`.
//! Output: the file `answer-NUMBER`: `complete` or `failed`, and a message.
//! Postcondition: a request is removed before it is acted on. The program never waits for the file system
//! because of requests: a thread looks for them.

use crate::storage::Directory;
use crate::threads::{own_table, request_signals};
use std::fs;
use std::path::Path;
use std::sync::mpsc::{channel, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

/// The name of a request in the directory of rank 0.
pub const REQUEST: &str = "request";
/// The beginning of the name of an answer.
pub const ANSWER: &str = "answer-";
/// The words for the kind of a request.
pub const CHECKPOINT: &str = "checkpoint";
pub const END: &str = "end";
/// The first words of an answer.
pub const COMPLETE: &str = "complete";
pub const FAILED: &str = "failed";

/// Looks for requests as long as it exists.
pub struct RequestFiles {
    directory: Directory,
    /// The numbers of the requests that were not answered yet.
    asked: Arc<Mutex<Vec<u64>>>,
    _alive: Sender<()>,
}

const INTERVAL: Duration = Duration::from_secs(1);
const STACK_BYTES: usize = 256 << 10;
/// A request is a short line.
const MOST_BYTES: u64 = 100;

impl RequestFiles {
    /// None if no thread can be started. Then `cppc checkpoint` reports that nobody answers.
    pub fn start(directory: &Directory) -> Option<RequestFiles> {
        let (alive, ended) = channel::<()>();
        let asked = Arc::<Mutex<Vec<u64>>>::default();
        remove_answers(directory.path());
        let (path, noted) = (directory.path().join(REQUEST), asked.clone());
        let look = move || {
            while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                let Some((number, is_end)) = take(&path) else { continue };
                noted.lock().unwrap_or_else(PoisonError::into_inner).push(number);
                if is_end {
                    request_signals::request_end();
                } else {
                    request_signals::request_checkpoint();
                }
            }
        };
        let builder = Builder::new().name("cppc-requests".to_owned()).stack_size(STACK_BYTES);
        own_table::spawn(builder, look).ok()?;
        Some(RequestFiles { directory: directory.clone(), asked, _alive: alive })
    }

    /// Answers all requests so far.
    pub fn answer(&self, is_good: bool, answer: &str) {
        let word = if is_good { COMPLETE } else { FAILED };
        for number in self.asked.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            let path = self.directory.path().join(format!("{ANSWER}{number}"));
            let unfinished = self.directory.path().join("answer.new");
            let text = format!("{word} {answer}\n");
            let write = move || fs::write(&unfinished, text).and_then(|()| fs::rename(&unfinished, &path));
            // If this fails, the requester reports that there is no answer.
            let _ = own_table::call(write);
        }
    }
}

/// Removes the request, and returns its number and whether it is one to end.
fn take(path: &Path) -> Option<(u64, bool)> {
    let found = fs::symlink_metadata(path).ok()?;
    let text = (found.is_file() && found.len() <= MOST_BYTES).then(|| fs::read_to_string(path).ok());
    fs::remove_file(path).ok()?;
    let text = text??;
    let (number, kind) = text.trim_end().split_once(' ')?;
    let is_end = match kind {
        END => true,
        CHECKPOINT => false,
        _ => return None,
    };
    Some((number.parse().ok()?, is_end))
}

/// Removes answers that nobody has read.
fn remove_answers(directory: &Path) {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(ANSWER)) {
        let _ = fs::remove_file(entry.path());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_taken_once() {
        let path = std::env::temp_dir().join(format!("cppc-request-{}", std::process::id()));
        for (text, wanted) in [
            ("12 checkpoint\n", Some((12, false))),
            ("7 end\n", Some((7, true))),
            ("7 stop\n", None),
            ("end", None),
        ] {
            fs::write(&path, text).unwrap();
            assert_eq!(take(&path), wanted, "{text}");
            assert!(!path.exists());
            assert_eq!(take(&path), None);
        }
    }
}

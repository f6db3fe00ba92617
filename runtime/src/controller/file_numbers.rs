//! Numbers of descriptors and units in captured and registered variables.
//!
//! Input: the name and the value of a variable, and the files that execute blocks have opened.
//! Output: in a capture, the name of the file; in a restart, the number that the file has now.
//! Postcondition: after a restart, no variable with the name of a handle contains the number of another file.

use super::{Controller, Stop};
use crate::files::TrackedFile;
use crate::manifest::{Condition, Kind};
use crate::plan::capture::OF_FILE;
use crate::register::memory::Range;
use std::convert::Infallible;

impl Controller {
    /// The name under which a value is captured. If it is the number of a file that is open, that is in the name.
    pub(super) fn capture_name(&mut self, name: &str, range: Range) -> Option<String> {
        let is_handle = |handle: &String| handle.eq_ignore_ascii_case(name);
        if !self.files.numbered_handles.iter().any(is_handle) {
            return None;
        }
        let value = integer_at(range)?;
        let mut found = None;
        self.each_number(name, &mut |number, file| {
            if i64::from(number) == value {
                found = Some(format!("{name}{OF_FILE}{file}"));
            }
        });
        found
    }

    /// In a restart: the bytes of such a value, with the number that the file has now.
    pub(super) fn present_number(
        &mut self,
        captured: &str,
        size_bytes: usize,
    ) -> Result<Option<Vec<u8>>, Stop> {
        let Some((handle, wanted)) = captured.split_once(OF_FILE) else { return Ok(None) };
        let mut found = None;
        self.each_number(handle, &mut |number, file| {
            if file == wanted {
                found = Some(number);
            }
        });
        match (found, size_bytes) {
            (Some(number), 4) => Ok(Some(number.to_ne_bytes().to_vec())),
            (Some(number), 8) => Ok(Some(i64::from(number).to_ne_bytes().to_vec())),
            _ => Err(Stop::restart(format!(
                "`{handle}` is an argument of a call and contained the number of the file `{wanted}`, which no block has \
                 opened in the restart: open the file in an `execute` block that is before the call"
            ))),
        }
    }

    /// At the end of a restart: a registered variable with the name of a handle must not contain the number of another file.
    pub(super) fn check_numbers(&mut self) -> Result<(), Stop> {
        let (mut handles, mut all) = (Vec::new(), Vec::new());
        self.each_file_number(&mut |handle, number, file| {
            all.push(i64::from(number));
            if file.saved().condition == Condition::Open {
                handles.push((handle.to_ascii_lowercase(), number));
            }
        });
        for (_, register) in self.registers.table.live() {
            let name = self.registers.names.text(register.name).to_ascii_lowercase();
            let name = name.rsplit(['%', ':', '/']).next().unwrap_or_default();
            let range = Range { address: register.address, size_bytes: register.size_bytes() };
            let is_integer = register.kind == Kind::Memory && register.count == 1;
            let value = integer_at(range).filter(|value| is_integer && all.contains(value));
            let Some(value) = value else { continue };
            let mut numbers = handles.iter().filter(|(handle, _)| handle == name).peekable();
            let Some((_, now)) = numbers.peek().copied() else { continue };
            if numbers.all(|(_, number)| i64::from(*number) != value) {
                return Err(Stop::restart(format!(
                    "`{name}` is registered and contains {value}, but its file has the number {now} in this run: do not \
                     register `{name}`, because the `execute` block sets it"
                )));
            }
        }
        Ok(())
    }

    /// The files that are open with this handle.
    fn each_number(&mut self, handle: &str, visit: &mut dyn FnMut(i32, &str)) {
        self.each_file_number(&mut |known, number, file| {
            if known.eq_ignore_ascii_case(handle) {
                visit(number, file.name());
            }
        });
    }

    fn each_file_number(&mut self, visit: &mut dyn FnMut(&str, i32, &TrackedFile)) {
        let outcome = self.frames.each_file(&mut |file| {
            if let Some(number) = file.open_number() {
                visit(file.handle(), number, file);
            }
            Ok::<(), Infallible>(())
        });
        match outcome {
            Ok(()) => {}
            Err(never) => match never {},
        }
    }
}

/// The integer of 4 or 8 bytes in a range.
fn integer_at(range: Range) -> Option<i64> {
    let size_bytes = range.size_bytes;
    if range.address == 0 || !matches!(size_bytes, 4 | 8) {
        return None;
    }
    // SAFETY: it is memory that the program has declared with a call, or that of a live register.
    let bytes = unsafe { range.bytes() };
    match size_bytes {
        4 => Some(i64::from(i32::from_ne_bytes(bytes.try_into().ok()?))),
        _ => Some(i64::from_ne_bytes(bytes.try_into().ok()?)),
    }
}

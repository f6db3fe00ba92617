//! The texts that the process got at its start: the arguments of the command and the environment.
//!
//! Input: the range of these texts, which the kernel reports.
//! Output: for an address in a text the line of a state file, and the address that such a line means in a restart.
//! Postcondition: if the text of the restart differs, the line denotes a copy of the earlier text. Two lines about one text
//! denote one copy.

use crate::register::memory::{allocate, Range as Memory};
use std::ops::Range;
use std::sync::OnceLock;

const ARGUMENT: &str = "argument";
const ENVIRONMENT: &str = "environment";

#[derive(Debug, Default)]
pub struct StartTexts {
    /// Without the null character at the end.
    arguments: Vec<Range<usize>>,
    environment: Vec<Range<usize>>,
}

impl StartTexts {
    /// The texts as they were divided at the first call. The program may divide them further, for example by `strtok`.
    pub fn get() -> &'static StartTexts {
        static TEXTS: OnceLock<StartTexts> = OnceLock::new();
        TEXTS.get_or_init(StartTexts::read)
    }

    fn read() -> StartTexts {
        let status = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
        // The second field is a name that may contain spaces.
        let fields: Vec<&str> = status.rsplit_once(')').map_or("", |(_, rest)| rest).split(' ').collect();
        let address = |field: usize| fields.get(field - 2).and_then(|text| text.parse::<usize>().ok());
        let texts = |first: usize| {
            let range = address(first).zip(address(first + 1));
            range
                .filter(|(start, end)| *start > 0 && start < end)
                .map_or(Vec::new(), |(start, end)| divided(start..end))
        };
        // An emulator may report the texts of its own process.
        let is_own = address(50).zip(address(51)).is_some_and(|(start, end)| has_environment(start..end));
        match is_own {
            true => StartTexts { arguments: texts(48), environment: texts(50) },
            false => StartTexts::default(),
        }
    }

    pub fn contain(&self, address: usize) -> bool {
        self.find(address).is_some() || copies::line(address).is_some()
    }

    /// The line for an address in one of the texts.
    pub fn line(&self, address: usize) -> Option<String> {
        let Some((kind, index)) = self.find(address) else { return copies::line(address) };
        let text = self.of(kind).get(index)?;
        let offset = address - text.start;
        let content = bytes(text);
        // The order of the environment may differ in a restart.
        let place = match kind {
            ARGUMENT => index.to_string(),
            _ => hexadecimal(name(content)),
        };
        Some(format!("{kind}\t{place}+{offset}\t{}\n", hexadecimal(content)))
    }

    /// The address that the words of such a line mean in this process.
    pub fn address(&self, kind: &str, place: &str, content: &[u8]) -> Option<usize> {
        let (place, offset) = place.rsplit_once('+')?;
        let offset = offset.parse::<usize>().ok().filter(|offset| *offset <= content.len())?;
        let texts = self.of(kind);
        let found = match kind {
            ARGUMENT => texts.get(place.parse::<usize>().ok()?),
            ENVIRONMENT => texts.iter().find(|text| hexadecimal(name(bytes(text))) == place),
            _ => return None,
        };
        let start = match found.filter(|text| bytes(text) == content) {
            Some(text) => text.start,
            None => copies::of(&format!("{kind}\t{place}"), content)?,
        };
        Some(start + offset)
    }

    fn of(&self, kind: &str) -> &[Range<usize>] {
        if kind == ARGUMENT {
            &self.arguments
        } else {
            &self.environment
        }
    }

    fn find(&self, address: usize) -> Option<(&'static str, usize)> {
        [ARGUMENT, ENVIRONMENT].into_iter().find_map(|kind| {
            let texts = self.of(kind);
            if address < texts.first()?.start || texts.last()?.end < address {
                return None;
            }
            let index = texts.partition_point(|text| text.start <= address).checked_sub(1)?;
            (address <= texts[index].end).then_some((kind, index))
        })
    }
}

/// Whether a variable of the environment of this process is in the range.
fn has_environment(range: Range<usize>) -> bool {
    unsafe extern "C" {
        static environ: *const *const libc::c_char;
    }
    // SAFETY: the C library keeps this list, which ends with a null pointer. The program does not change it meanwhile.
    let mut next = unsafe { environ };
    while !next.is_null() {
        // SAFETY: as above.
        let variable = unsafe { *next };
        if variable.is_null() {
            return false;
        }
        if range.contains(&(variable as usize)) {
            return true;
        }
        // SAFETY: the end of the list was not reached.
        next = unsafe { next.add(1) };
    }
    false
}

/// The texts in a range, each of which ends with a null character.
fn divided(range: Range<usize>) -> Vec<Range<usize>> {
    let mut start = range.start;
    let mut texts = Vec::new();
    for part in bytes(&range).split_inclusive(|byte| *byte == 0) {
        let end = start + part.len();
        if part.ends_with(&[0]) {
            texts.push(start..end - 1);
        }
        start = end;
    }
    texts
}

fn bytes(text: &Range<usize>) -> &'static [u8] {
    // SAFETY: the kernel has mapped these texts at the start of the process, and they stay. The program does not change them
    // while it calls the runtime.
    unsafe { Memory { address: text.start, size_bytes: text.len() }.bytes() }
}

fn name(text: &[u8]) -> &[u8] {
    text.split(|byte| *byte == b'=').next().unwrap_or_default()
}

pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub fn from_hexadecimal(digits: &str) -> Option<Vec<u8>> {
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok()).collect()
}

/// Texts of an earlier process that this process does not have.
mod copies {
    use super::{allocate, hexadecimal, Memory};
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Mutex, PoisonError};

    struct Copy {
        address: usize,
        /// The beginning of its line.
        place: String,
        content: Vec<u8>,
    }

    static COPIES: Mutex<Vec<Copy>> = Mutex::new(Vec::new());
    /// Most processes have none, and very many pointers may be looked up.
    static EXIST: AtomicBool = AtomicBool::new(false);

    /// The address of the copy of a text.
    pub fn of(place: &str, content: &[u8]) -> Option<usize> {
        let mut copies = COPIES.lock().unwrap_or_else(PoisonError::into_inner);
        let known = copies.iter().find(|copy| copy.place == place && copy.content == content);
        if let Some(known) = known {
            return Some(known.address);
        }
        let address = allocate(content.len() + 1)?;
        // SAFETY: the allocation has room for the content, and a null character follows it.
        unsafe { Memory { address, size_bytes: content.len() }.fill(content) };
        copies.push(Copy { address, place: place.to_owned(), content: content.to_vec() });
        EXIST.store(true, Ordering::Release);
        Some(address)
    }

    /// The line for an address in a copy.
    pub fn line(address: usize) -> Option<String> {
        EXIST.load(Ordering::Acquire).then_some(())?;
        let copies = COPIES.lock().unwrap_or_else(PoisonError::into_inner);
        let found = copies
            .iter()
            .find(|copy| (copy.address..=copy.address + copy.content.len()).contains(&address))?;
        let (offset, content) = (address - found.address, hexadecimal(&found.content));
        Some(format!("{}+{offset}\t{content}\n", found.place))
    }
}

#[cfg(all(test, target_os = "linux", not(miri)))]
mod tests {
    use super::*;

    fn meant(texts: &StartTexts, line: &str) -> Option<usize> {
        let words: Vec<&str> = line.trim_end().split('\t').collect();
        texts.address(words[0], words[1], &from_hexadecimal(words[2])?)
    }

    #[test]
    fn a_line_about_a_text_means_its_address() {
        let texts = StartTexts::get();
        let argument = texts.arguments[0].clone();
        let variable = texts.environment.iter().find(|text| text.len() > 2).expect("an environment");
        for address in [argument.start, argument.end, variable.start + 1] {
            let line = texts.line(address).expect("a line");
            assert_eq!(meant(texts, &line), Some(address), "{line}");
        }
        let local = 0;
        assert!(!texts.contain(&raw const local as usize));
    }

    #[test]
    fn another_text_becomes_a_copy() {
        let texts = StartTexts::get();
        let content = hexadecimal(b"an earlier text");
        let at = |offset: usize| meant(texts, &format!("{ARGUMENT}\t7777+{offset}\t{content}"));
        let (start, inside) = (at(0).expect("a copy"), at(3).expect("a copy"));
        assert_eq!(inside, start + 3);
        assert_eq!(bytes(&(start..start + 16)), b"an earlier text\0");
        assert_eq!(at(16), None);
        // The next checkpoint saves a pointer into the copy as the first one did.
        assert_eq!(texts.line(inside), Some(format!("{ARGUMENT}\t7777+3\t{content}\n")));
    }
}

//! Captured values of execute blocks and calls.
//!
//! Input: names, types and bytes, one capture after the other.
//! Output: lists that can be compared.
//! Postcondition: a list that is filled again with values of the same shape allocates no memory.

use crate::register::Symbol;
use cppc_abi::elsewhere::Elsewhere;
use twox_hash::XxHash3_128;

/// Between the name of a handle and that of its file, in the name of a captured number.
pub const OF_FILE: &str = " = file ";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Captured {
    pub name: Symbol,
    pub type_code: i32,
    pub element_bytes: u32,
    pub count: u64,
    pub bytes: Vec<u8>,
    pub elsewhere: Elsewhere,
}

/// After the name of a capture, in the name of the text that describes its pointers into the executable and the libraries.
/// Each line has the number of the pointer, and a line of [`crate::graph::symbols`].
pub const IN_PROGRAM: &str = " (in the program)";

/// The captures of one run of a block.
#[derive(Debug, Default)]
pub struct Captures {
    all: Vec<Captured>,
    used: usize,
    /// The same for equal lists. It is compared first, because a block may have many runs.
    hash: u64,
}

impl Captures {
    pub fn clear(&mut self) {
        self.used = 0;
        self.hash = 0;
    }

    pub fn push(&mut self, name: Symbol, type_code: i32, element_bytes: u32, count: u64, bytes: &[u8]) {
        if self.used == self.all.len() {
            let elsewhere = Elsewhere::Refused;
            self.all.push(Captured {
                name,
                type_code,
                element_bytes,
                count,
                bytes: bytes.to_vec(),
                elsewhere,
            });
        } else {
            let reused = &mut self.all[self.used];
            (reused.name, reused.type_code, reused.element_bytes, reused.count) =
                (name, type_code, element_bytes, count);
            reused.elsewhere = Elsewhere::Refused;
            reused.bytes.clear();
            reused.bytes.extend_from_slice(bytes);
        }
        self.used += 1;
        self.hash = hash(self.hash, bytes);
    }

    /// What becomes of pointers in the last one that point to memory which is not registered.
    pub fn set_elsewhere(&mut self, elsewhere: Elsewhere) {
        if let Some(last) = self.all[..self.used].last_mut() {
            last.elsewhere = elsewhere;
        }
    }

    /// Makes this list equal to the other one.
    pub fn assign(&mut self, other: &Captures) {
        self.clear();
        for captured in other.as_slice() {
            let Captured { name, type_code, element_bytes, count, bytes, elsewhere } = captured;
            self.push(*name, *type_code, *element_bytes, *count, bytes);
            self.set_elsewhere(*elsewhere);
        }
    }

    pub fn as_slice(&self) -> &[Captured] {
        &self.all[..self.used]
    }

    pub fn hash(&self) -> u64 {
        self.hash
    }
}

/// Adds bytes to a hash.
pub fn hash(hash: u64, bytes: &[u8]) -> u64 {
    XxHash3_128::oneshot_with_seed(hash, bytes) as u64
}

impl Clone for Captures {
    fn clone(&self) -> Captures {
        Captures { all: self.as_slice().to_vec(), used: self.used, hash: self.hash }
    }
}

impl PartialEq for Captures {
    fn eq(&self, other: &Captures) -> bool {
        self.hash == other.hash && self.as_slice() == other.as_slice()
    }
}

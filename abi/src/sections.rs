//! Sections of objects, shared libraries and programs that the compiler wrappers add.
//!
//! Input: nothing.
//! Output: their names, and the list of shared libraries in a program.
//! Postcondition: the list that was written is the list that is read.

/// The section of an object or a shared library that holds its records. Linkers leave it out of programs.
pub const RECORDS_SECTION: &str = ".cppc";
/// The section of a program that lists the shared libraries with records that it was linked with.
pub const LIBRARIES_SECTION: &str = ".cppc.libraries";

/// A shared library with records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedLibrary {
    /// The digest of its section with the records.
    pub digest: u64,
    /// Its file when the program was linked. Only for messages.
    pub path: String,
}

/// FNV-1a. The result is the same on every machine and in every version.
pub fn digest(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// The content of the section: one line for each library.
pub fn encode(libraries: &[SharedLibrary]) -> Vec<u8> {
    let line =
        |library: &SharedLibrary| format!("{:016x} {}\n", library.digest, library.path.escape_default());
    libraries.iter().map(line).collect::<String>().into_bytes()
}

/// None if the section is damaged.
pub fn decode(section: &[u8]) -> Option<Vec<SharedLibrary>> {
    let library = |line: &str| {
        let (digest, path) = line.split_once(' ')?;
        Some(SharedLibrary { digest: u64::from_str_radix(digest, 16).ok()?, path: path.to_owned() })
    };
    std::str::from_utf8(section).ok()?.lines().map(library).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_reads_back() {
        let library = |digest, path: &str| SharedLibrary { digest, path: path.to_owned() };
        let libraries = [library(1, "/opt/a b/liba.so"), library(u64::MAX, "libb.so")];
        assert_eq!(decode(&encode(&libraries)).as_deref(), Some(&libraries[..]));
        assert_eq!(decode(b""), Some(Vec::new()));
        assert_eq!(decode(b"liba.so\n"), None);
        assert_eq!(decode(&[0xff]), None);
    }
}

//! The names of the global symbols of executables and libraries.
//!
//! Input: their files.
//! Output: the names that they define, and those that they refer to.
//! Postcondition: a file without readable symbols has no names.

use crate::loaded_objects::EXECUTABLE;
use object::{Object as _, ObjectSymbol as _};
use std::path::Path;

#[derive(Debug, Default, PartialEq, Eq)]
pub struct SymbolNames {
    pub defined: Vec<String>,
    pub undefined: Vec<String>,
}

impl SymbolNames {
    pub fn is_empty(&self) -> bool {
        self.defined.is_empty() && self.undefined.is_empty()
    }
}

pub fn symbols_of_executable() -> SymbolNames {
    symbols_of(Path::new(EXECUTABLE))
}

/// The names of the symbols that a library expects from others.
pub fn undefined_symbols(library: &Path) -> Vec<String> {
    symbols_of(library).undefined
}

fn symbols_of(file: &Path) -> SymbolNames {
    let mut found = SymbolNames::default();
    let content = std::fs::read(file).unwrap_or_default();
    let Ok(file) = object::File::parse(&content[..]) else { return found };
    for symbol in file.dynamic_symbols().chain(file.symbols()).filter(|symbol| symbol.is_global()) {
        let name = String::from_utf8_lossy(symbol.name_bytes().unwrap_or_default()).into_owned();
        match (name.is_empty(), symbol.is_undefined()) {
            (true, _) => {}
            (false, true) => found.undefined.push(name),
            (false, false) => found.defined.push(name),
        }
    }
    found
}

#[cfg(all(test, target_os = "linux", not(miri)))]
mod tests {
    use super::*;

    #[test]
    fn the_executable_refers_to_the_c_library() {
        let found = symbols_of_executable();
        assert!(found.undefined.iter().any(|name| name.split('@').next() == Some("free")));
        assert!(found.defined.iter().any(|name| name == "main"));
        assert_eq!(undefined_symbols(Path::new("/no/such/library")), Vec::<String>::new());
    }
}

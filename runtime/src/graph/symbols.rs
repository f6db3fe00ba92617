//! The targets of pointers that are in the executable, in a library, or in the texts of the start.
//!
//! Input: addresses of functions, of constants, of variables that are registered, of arguments of the command.
//! Output: texts that a restart turns into addresses again, also if the program was built again.
//! Postcondition: a text means one address, or none.

use super::objects::{AddressKind, Objects};
use super::start_texts::{from_hexadecimal, hexadecimal, StartTexts};
use std::collections::HashMap;

/// A line of a type table begins with this word. The name of the type follows.
const TABLE: &str = "table";
/// A line of a constant of a library: the library, the offset in it, and the first bytes of the constant.
const LIBRARY: &str = "library";

/// What a line of a state file means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SavedSymbol {
    Address(usize),
    /// The type table of the type with this name.
    Table(String),
}

/// The symbols of one checkpoint.
#[derive(Debug, Default)]
pub struct Symbols {
    known: HashMap<usize, usize>,
    text: String,
}

impl Symbols {
    /// The number of the symbol that means this address. None if a restart could not find the address.
    pub fn number(&mut self, objects: &Objects, address: usize, is_text: bool) -> Option<usize> {
        if let Some(known) = self.known.get(&address) {
            return Some(*known);
        }
        let line = match (StartTexts::get().line(address), objects.symbol(address)) {
            (Some(line), _) => line,
            (None, Some((name, offset))) => format!("symbol\t{name}\t{offset}\n"),
            (None, None) => {
                let content = match is_text {
                    true => hexadecimal(objects.text(address)?),
                    false => "-".to_owned(),
                };
                match objects.offset(address) {
                    Some(place) => format!("place\t{place}\t{content}\n"),
                    None => {
                        let (library, offset) = objects.library_place(address)?;
                        let first = hexadecimal(&objects.first_bytes(address));
                        format!("{LIBRARY}\t{library}+{offset}\t{first}\n")
                    }
                }
            }
        };
        self.text.push_str(&line);
        let number = self.known.len();
        self.known.insert(address, number);
        Some(number)
    }

    /// The number of the line for this address or value, if there is one.
    pub fn known(&self, address: usize) -> Option<usize> {
        self.known.get(&address).copied()
    }

    /// The number of a line that means this value in any run.
    pub fn value(&mut self, value: usize) -> usize {
        let number = self.known.len();
        let known = *self.known.entry(value).or_insert(number);
        if known == number {
            self.text.push_str(&format!("value\t{value}\t-\n"));
        }
        known
    }

    /// The number of the type table of the type with this name.
    pub fn table(&mut self, address: usize, name: &str) -> usize {
        let number = self.known.len();
        let known = *self.known.entry(address).or_insert(number);
        if known == number {
            self.text.push_str(&format!("{TABLE}\t{name}\t-\n"));
        }
        known
    }

    pub fn text(self) -> String {
        self.text
    }
}

/// The line for an address. None if it is not in the executable, in a library or in a text of the start, or if a restart
/// could not find it. `is_text`: the pointer is one to characters. So a restart may find a text with the same content in another build.
pub fn line(objects: &Objects, address: usize, is_text: bool) -> Option<String> {
    let mut symbols = Symbols::default();
    let is_known = objects.kind(address) != AddressKind::Nowhere || StartTexts::get().contain(address);
    is_known.then_some(())?;
    symbols.number(objects, address, is_text && objects.text(address).is_some())?;
    Some(symbols.text())
}

/// What each line of a state file means; an error is the line that means nothing. `is_same_build`: the
/// program that wrote the file is the one that runs.
pub fn saved_symbols(text: &str, objects: &Objects, is_same_build: bool) -> Result<Vec<SavedSymbol>, String> {
    let address = |line: &str| {
        let words: Vec<&str> = line.split('\t').collect();
        match words[..] {
            ["symbol", name, offset] => {
                Some(objects.address(name)?.wrapping_add(offset.parse::<usize>().ok()?))
            }
            ["value", value, _] => value.parse().ok(),
            ["place", place, _] if is_same_build => objects.at_offset(place.parse().ok()?),
            ["place", _, content] if content != "-" => objects.find_text(&from_hexadecimal(content)?),
            [LIBRARY, place, first] => {
                let (library, offset) = place.rsplit_once('+')?;
                let found = objects.at_library_place(library, offset.parse().ok()?)?;
                (objects.first_bytes(found) == from_hexadecimal(first)?).then_some(found)
            }
            [kind, place, content] => StartTexts::get().address(kind, place, &from_hexadecimal(content)?),
            _ => None,
        }
    };
    let shown = |line: &str| match line.split('\t').collect::<Vec<_>>()[..] {
        ["symbol", name, _] => format!("`{name}`"),
        ["place", _, content] if content != "-" => {
            format!(
                "the text \"{}\"",
                String::from_utf8_lossy(&from_hexadecimal(content).unwrap_or_default())
            )
        }
        [LIBRARY, place, _] => format!("a constant of the library `{place}`"),
        _ => "a constant without a name".to_owned(),
    };
    let symbol = |line: &str| match line.split('\t').collect::<Vec<_>>()[..] {
        [TABLE, name, _] => Some(SavedSymbol::Table(name.to_owned())),
        _ => address(line).map(SavedSymbol::Address),
    };
    text.lines().map(|line| symbol(line).ok_or_else(|| shown(line))).collect()
}

#[cfg(all(test, target_os = "linux", not(miri)))]
mod tests {
    use super::*;

    #[cfg(target_env = "gnu")]
    #[test]
    fn a_constant_of_a_library_is_found_by_its_place_and_its_bytes() {
        let objects = Objects::now();
        // No symbol begins at the second byte of the code of a function.
        let inside = libc::free as *const () as usize + 1;
        let line = line(&objects, inside, false).expect("a line");
        assert!(line.starts_with("library\tlibc."), "{line}");
        assert_eq!(saved_symbols(&line, &objects, false), Ok(vec![SavedSymbol::Address(inside)]));
        let (place, _) = line.rsplit_once('\t').expect("three words");
        assert!(saved_symbols(&format!("{place}\t00\n"), &objects, true).is_err());
    }

    #[test]
    fn a_symbol_means_its_address_again() {
        let objects = Objects::now();
        let mut symbols = Symbols::default();
        let (free, text) =
            (libc::free as *const () as usize, c"a constant text of this test".as_ptr() as usize);
        assert_eq!(symbols.number(&objects, free, false), Some(0));
        assert_eq!(symbols.number(&objects, text, true), Some(1));
        assert_eq!(symbols.number(&objects, free, false), Some(0));
        assert_eq!(symbols.number(&objects, &raw const symbols as usize, false), None);
        assert_eq!((symbols.table(4096, "m%circle"), symbols.table(4096, "m%circle")), (2, 2));
        let lines = symbols.text();
        let known = [SavedSymbol::Address(free), SavedSymbol::Address(text)];
        let known = [&known[..], &[SavedSymbol::Table("m%circle".to_owned())]].concat();
        assert_eq!(saved_symbols(&lines, &objects, true), Ok(known));
        let again = saved_symbols(&lines, &objects, false).unwrap();
        let SavedSymbol::Address(again) = again[1] else { unreachable!("a text has an address") };
        assert_eq!(objects.text(again), objects.text(text));
        assert_eq!(
            saved_symbols("symbol\tno_such_function\t0\n", &objects, true),
            Err("`no_such_function`".to_owned())
        );
        assert_eq!(
            saved_symbols("place\t16\t61fe62\n", &objects, false),
            Err("the text \"a\u{fffd}b\"".to_owned())
        );
    }
}

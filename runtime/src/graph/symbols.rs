//! The targets of pointers that are in the executable, in a library, or in the texts of the start.
//!
//! Input: addresses of functions, of constants, of variables that are registered, of arguments of the command.
//! Output: texts that a restart turns into addresses again, also if the program was built again.
//! Postcondition: a text means one address, or none.

use super::objects::{AddressKind, Objects};
use super::start_texts::{from_hexadecimal, hexadecimal, StartTexts};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

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

/// What a pointer points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pointee {
    /// Characters. A restart in another build may find a text with the same content.
    Text,
    /// Elements of so many bytes.
    Elements(usize),
    Unknown,
}

/// The symbols of one checkpoint.
#[derive(Debug, Default)]
pub struct Symbols {
    known: BTreeMap<usize, usize>,
    text: String,
}

impl Symbols {
    /// The number of the symbol that means this address. None if a restart could not find the address.
    pub fn number(&mut self, objects: &Objects, address: usize, pointee: Pointee) -> Option<usize> {
        if let Some(known) = self.known.get(&address) {
            return Some(*known);
        }
        let is_pointed_into = |range: Range<usize>| self.known.range(range).next().is_some();
        let place = || place(objects, address, pointee, &is_pointed_into);
        let line = match StartTexts::get().line(address).map_or_else(|| Err(place()), Ok) {
            Ok(line) => line,
            Err(Some((name, offset))) => format!("symbol\t{name}\t{offset}\n"),
            Err(None) => {
                let content = match pointee == Pointee::Text {
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

/// The symbol that an address means, and the offset in it. The end of a variable may be the start of the next one. Then the other
/// pointers determine which of both is meant.
fn place(
    objects: &Objects,
    address: usize,
    pointee: Pointee,
    is_pointed_into: &dyn Fn(Range<usize>) -> bool,
) -> Option<(String, usize)> {
    let here = objects.symbol(address);
    let ends_here = objects.variable_before(address).filter(|_| pointee != Pointee::Text);
    let Some(before) = ends_here else { return here };
    let is_end = match (&here, pointee) {
        (None, Pointee::Elements(bytes)) => before.range.len() % bytes.max(1) == 0,
        (None, Pointee::Text | Pointee::Unknown) => {
            is_pointed_into(before.range.clone()) && objects.text(address).is_none()
        }
        (Some(_), _) => {
            let next = objects.variable(address).filter(|next| next.range.start == address);
            let is_next = |next: Range<usize>| is_pointed_into(next.start + 1..next.end);
            // A pointer to the start of a table says nothing about its end.
            let is_before = is_pointed_into(before.range.start + 1..before.range.end);
            next.is_some_and(|next| is_before && !is_next(next.range))
        }
    };
    match is_end {
        true => Some((before.name.to_owned(), before.range.len())),
        false => here,
    }
}

/// The line for an address. None if it is not in the executable, in a library or in a text of the start, or if a restart
/// could not find it. `others`: the addresses in the executable to which other pointers point.
pub fn line(objects: &Objects, address: usize, pointee: Pointee, others: &BTreeSet<usize>) -> Option<String> {
    let is_known = objects.kind(address) != AddressKind::Nowhere || StartTexts::get().contain(address);
    is_known.then_some(())?;
    // Only these are asked for.
    let near = objects.variable_before(address).map_or(address, |before| before.range.start);
    let end = objects.variable(address).map_or(address, |next| next.range.end);
    let known = others.range(near..end).filter(|other| **other != address).map(|other| (*other, 0));
    let mut symbols = Symbols { known: known.collect(), text: String::new() };
    let pointee = match pointee {
        Pointee::Text if objects.text(address).is_none() => Pointee::Unknown,
        pointee => pointee,
    };
    symbols.number(objects, address, pointee)?;
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
        let line = line(&objects, inside, Pointee::Unknown, &BTreeSet::new()).expect("a line");
        assert!(line.starts_with("library\tlibc."), "{line}");
        assert_eq!(saved_symbols(&line, &objects, false), Ok(vec![SavedSymbol::Address(inside)]));
        let (place, _) = line.rsplit_once('\t').expect("three words");
        assert!(saved_symbols(&format!("{place}\t00\n"), &objects, true).is_err());
    }

    // Two tables without a gap, with a symbol each.
    #[cfg(target_os = "linux")]
    std::arch::global_asm!(
        ".pushsection .rodata.cppc_test_tables,\"a\",%progbits",
        ".balign 32",
        ".globl cppc_test_first_table",
        ".type cppc_test_first_table, %object",
        ".size cppc_test_first_table, 32",
        "cppc_test_first_table: .zero 32",
        ".globl cppc_test_second_table",
        ".type cppc_test_second_table, %object",
        ".size cppc_test_second_table, 32",
        "cppc_test_second_table: .zero 32",
        ".popsection",
    );

    #[cfg(target_os = "linux")]
    #[test]
    fn other_pointers_tell_the_end_of_a_table_from_the_start_of_the_next_one() {
        unsafe extern "C" {
            static cppc_test_first_table: [u64; 4];
            static cppc_test_second_table: [u64; 4];
        }
        let objects = Objects::now();
        let (first, second) =
            (&raw const cppc_test_first_table as usize, &raw const cppc_test_second_table as usize);
        assert_eq!(first + 32, second);
        let line = |pointee, others: &[usize]| {
            line(&objects, second, pointee, &others.iter().copied().collect()).expect("a line")
        };
        let (end, start) = ("symbol\tcppc_test_first_table\t32\n", "symbol\tcppc_test_second_table\t0\n");
        assert_eq!(line(Pointee::Elements(8), &[first + 8]), end);
        assert_eq!(line(Pointee::Text, &[first + 8]), start);
        assert_eq!(line(Pointee::Elements(8), &[]), start);
        // Pointers to the starts of both tables.
        assert_eq!(line(Pointee::Elements(8), &[first]), start);
        assert_eq!(line(Pointee::Elements(8), &[first + 8, second + 8]), start);
        assert_eq!(saved_symbols(end, &objects, false), Ok(vec![SavedSymbol::Address(second)]));
    }

    #[test]
    fn a_symbol_means_its_address_again() {
        let objects = Objects::now();
        let mut symbols = Symbols::default();
        let (free, text) =
            (libc::free as *const () as usize, c"a constant text of this test".as_ptr() as usize);
        assert_eq!(symbols.number(&objects, free, Pointee::Unknown), Some(0));
        assert_eq!(symbols.number(&objects, text, Pointee::Text), Some(1));
        assert_eq!(symbols.number(&objects, free, Pointee::Unknown), Some(0));
        assert_eq!(symbols.number(&objects, &raw const symbols as usize, Pointee::Unknown), None);
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

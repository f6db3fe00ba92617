//! The executable and the shared libraries of the process.
//!
//! Input: the dynamic loader, the symbol table of the executable.
//! Output: for an address the symbol and the offset in it, and the address of a symbol.
//! Postcondition: nothing was written.

use crate::loaded_objects::{address_of, loaded_objects, LoadedObject, Segment, EXECUTABLE};
use object::{Object as _, ObjectSymbol as _, SymbolFlags};
use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::sync::OnceLock;

/// What is at an address of the executable or a library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressKind {
    /// Variables that the program can change.
    Writable,
    /// Constants and code.
    Constant,
    Nowhere,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Symbol {
    /// With the name of the source file before it, if it is local to that file.
    name: String,
    start: usize,
    size_bytes: usize,
    is_function: bool,
}

/// A variable or a constant of the executable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable<'a> {
    pub name: &'a str,
    pub range: std::ops::Range<usize>,
}

impl Symbol {
    fn variable(&self) -> Option<Variable<'_>> {
        let range = self.start..self.start + self.size_bytes;
        (!self.is_function).then_some(Variable { name: &self.name, range })
    }
}

/// The symbols of the executable.
#[derive(Debug)]
struct SymbolTable {
    /// Sorted by address.
    symbols: Vec<Symbol>,
    /// None if several symbols have the name.
    by_name: HashMap<String, Option<usize>>,
}

#[derive(Debug)]
pub struct Objects {
    /// The executable is the first.
    objects: Vec<LoadedObject>,
}

impl SymbolTable {
    fn read(shift: usize) -> SymbolTable {
        let mut symbols = symbols_of(&std::fs::read(EXECUTABLE).unwrap_or_default());
        symbols.iter_mut().for_each(|symbol| symbol.start = symbol.start.wrapping_add(shift));
        symbols.sort_by(|a, b| (a.start, &a.name).cmp(&(b.start, &b.name)));
        let mut by_name: HashMap<String, Option<usize>> = HashMap::new();
        for symbol in &symbols {
            by_name
                .entry(symbol.name.clone())
                .and_modify(|known| *known = known.filter(|start| *start == symbol.start))
                .or_insert(Some(symbol.start));
        }
        SymbolTable { symbols, by_name }
    }

    /// The last symbol that does not begin after the address, that has a name of its own, and that `fits` accepts with the
    /// distance of the address from its start.
    fn last(&self, address: usize, fits: impl Fn(&Symbol, usize) -> bool) -> Option<&Symbol> {
        let after = self.symbols.partition_point(|symbol| symbol.start <= address);
        let mut before = self.symbols[..after].iter().rev().take(64);
        before.find(|symbol| {
            let is_unique = || self.by_name.get(&symbol.name) == Some(&Some(symbol.start));
            fits(symbol, address - symbol.start) && is_unique()
        })
    }
}

impl Objects {
    pub fn now() -> Objects {
        Objects { objects: loaded_objects() }
    }

    /// It is read when it is needed first, because the executable may be large.
    fn table(&self) -> &'static SymbolTable {
        // The executable stays the same and where it is. Libraries come and go.
        static TABLE: OnceLock<SymbolTable> = OnceLock::new();
        let shift = self.objects.first().map_or(0, |object| object.shift);
        TABLE.get_or_init(|| SymbolTable::read(shift))
    }

    pub fn kind(&self, address: usize) -> AddressKind {
        let found = self.objects.iter().find_map(|object| {
            let part = part(object, address)?;
            // This part is constant after the relocation.
            let is_constant = object.with(libc::PT_GNU_RELRO).any(|segment| segment.range.contains(&address));
            Some(part.is_writable && !is_constant)
        });
        match found {
            Some(true) => AddressKind::Writable,
            Some(false) => AddressKind::Constant,
            None => AddressKind::Nowhere,
        }
    }

    /// Whether the address belongs to the C library or to the dynamic loader. Their allocator leaves such addresses in memory.
    pub fn is_in_c_library(&self, address: usize) -> bool {
        let found = self.objects.iter().find(|object| part(object, address).is_some());
        let file = found.and_then(file_name);
        file.is_some_and(|file| ["libc.", "libc-", "ld-"].iter().any(|start| file.starts_with(start)))
    }

    /// The memory of constants and code, sorted by address.
    pub fn constants(&self) -> Vec<std::ops::Range<usize>> {
        let of = |object: &LoadedObject| -> Vec<std::ops::Range<usize>> {
            let fixed = object.with(libc::PT_LOAD).filter(|segment| !segment.is_writable);
            fixed.chain(object.with(libc::PT_GNU_RELRO)).map(|segment| segment.range.clone()).collect()
        };
        let mut ranges: Vec<_> = self.objects.iter().flat_map(of).filter(|range| !range.is_empty()).collect();
        ranges.sort_unstable_by_key(|range| range.start);
        ranges
    }

    /// A range with all executables and libraries.
    pub fn bounds(&self) -> std::ops::Range<usize> {
        let ranges =
            || self.objects.iter().flat_map(|object| object.with(libc::PT_LOAD)).map(|part| &part.range);
        let start = ranges().map(|range| range.start).min().unwrap_or(0);
        start..ranges().map(|range| range.end).max().unwrap_or(0)
    }

    /// Whether the value may be an address of the program: where a symbol begins or, if `may_be_inside`, anywhere in
    /// the executable or in the constants and the code of a library. Variables of libraries are not counted, because
    /// allocators leave their addresses in memory.
    pub fn is_pointed_to(&self, value: usize, may_be_inside: bool) -> bool {
        let kind = self.kind(value);
        let is_inside = kind == AddressKind::Constant || self.offset(value).is_some();
        match kind {
            AddressKind::Nowhere => false,
            AddressKind::Writable | AddressKind::Constant if may_be_inside && is_inside => true,
            AddressKind::Writable | AddressKind::Constant => {
                self.symbol(value).is_some_and(|(_, offset)| offset == 0)
            }
        }
    }

    /// The name of the symbol that contains the address, and the offset in it. Only names that mean one symbol.
    pub fn symbol(&self, address: usize) -> Option<(String, usize)> {
        match self
            .table()
            .last(address, |symbol, within| within < symbol.size_bytes || (within == 0 && symbol.is_function))
        {
            Some(symbol) => Some((symbol.name.clone(), address - symbol.start)),
            None => library_symbol(address).map(|name| (name, 0)),
        }
    }

    /// The variable or constant that contains the address.
    pub fn variable(&self, address: usize) -> Option<Variable<'static>> {
        self.table().last(address, |symbol, within| within < symbol.size_bytes)?.variable()
    }

    /// The variable or constant that ends at the address.
    pub fn variable_before(&self, address: usize) -> Option<Variable<'static>> {
        self.table().last(address, |symbol, within| within > 0 && within == symbol.size_bytes)?.variable()
    }

    /// The address of a symbol.
    pub fn address(&self, name: &str) -> Option<usize> {
        match self.table().by_name.get(name) {
            Some(found) => *found,
            None => library_address(name),
        }
    }

    /// The address in the executable, without what the loader has added to it.
    pub fn offset(&self, address: usize) -> Option<usize> {
        let executable = self.objects.first()?;
        part(executable, address).map(|_| address.wrapping_sub(executable.shift))
    }

    pub fn at_offset(&self, offset: usize) -> Option<usize> {
        let address = offset.wrapping_add(self.objects.first()?.shift);
        self.offset(address).map(|_| address)
    }

    /// The name of the library with this constant, and the offset in it. Constants that the loader has relocated have none.
    pub fn library_place(&self, address: usize) -> Option<(String, usize)> {
        let library = self.objects.iter().skip(1).find(|object| part(object, address).is_some())?;
        let is_relocated = library.with(libc::PT_GNU_RELRO).any(|segment| segment.range.contains(&address));
        let is_constant = !is_relocated && self.kind(address) == AddressKind::Constant;
        let name = file_name(library).filter(|name| is_constant && !name.contains(['\t', '\n']))?;
        Some((name.to_owned(), address.wrapping_sub(library.shift)))
    }

    /// The address of a constant of a library.
    pub fn at_library_place(&self, library: &str, offset: usize) -> Option<usize> {
        let library = self.objects.iter().skip(1).find(|object| file_name(object) == Some(library))?;
        let address = offset.wrapping_add(library.shift);
        (part(library, address).is_some() && self.kind(address) == AddressKind::Constant).then_some(address)
    }

    /// The first bytes of a constant, by which a restart recognises it.
    pub fn first_bytes(&self, address: usize) -> Vec<u8> {
        const COUNT: usize = 32;
        let Some(part) = self.objects.iter().find_map(|object| part(object, address)) else {
            return Vec::new();
        };
        let count = COUNT.min(part.range.end - address);
        // SAFETY: the loader has mapped this part.
        unsafe { std::slice::from_raw_parts(address as *const u8, count) }.to_vec()
    }

    /// The text up to its end, if it is a constant of the executable or a library.
    pub fn text(&self, address: usize) -> Option<&[u8]> {
        let part = self.objects.iter().find_map(|object| part(object, address));
        let part = part.filter(|_| self.kind(address) == AddressKind::Constant)?;
        // SAFETY: the loader has mapped this part, and constants do not change.
        let bytes = unsafe { std::slice::from_raw_parts(address as *const u8, part.range.end - address) };
        let end = bytes.iter().position(|byte| *byte == 0)?;
        Some(&bytes[..end])
    }

    /// The address of a constant text of the executable with this content.
    pub fn find_text(&self, text: &[u8]) -> Option<usize> {
        let wanted = [text, &[0]].concat();
        let mut constants = self.objects.first()?.with(libc::PT_LOAD).filter(|segment| !segment.is_writable);
        constants.find_map(|segment| {
            let start = segment.range.start;
            // SAFETY: as above.
            let bytes = unsafe { std::slice::from_raw_parts(start as *const u8, segment.range.len()) };
            Some(start + memmem(bytes, &wanted)?)
        })
    }
}

fn file_name(object: &LoadedObject) -> Option<&str> {
    object.path.file_name().and_then(|name| name.to_str())
}

/// The mapped segment that contains the address.
fn part(object: &LoadedObject, address: usize) -> Option<&Segment> {
    object.with(libc::PT_LOAD).find(|segment| segment.range.contains(&address))
}

fn memmem(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    // SAFETY: both ranges are readable.
    let found =
        unsafe { libc::memmem(bytes.as_ptr().cast(), bytes.len(), wanted.as_ptr().cast(), wanted.len()) };
    (!found.is_null()).then(|| found as usize - bytes.as_ptr() as usize)
}

/// The name of a symbol of a library that begins at the address.
fn library_symbol(address: usize) -> Option<String> {
    let mut found = std::mem::MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: the loader fills the structure if it returns a number other than 0.
    let name = unsafe {
        if libc::dladdr(address as *const libc::c_void, found.as_mut_ptr()) == 0 {
            return None;
        }
        let found = found.assume_init();
        if found.dli_sname.is_null() || found.dli_saddr as usize != address {
            return None;
        }
        CStr::from_ptr(found.dli_sname).to_str().ok()?.to_owned()
    };
    (library_address(&name) == Some(address)).then_some(name)
}

fn library_address(name: &str) -> Option<usize> {
    let found = address_of(&CString::new(name).ok()?);
    (found != 0).then_some(found)
}

/// The symbols of an executable for functions and variables. Empty if it cannot be read.
fn symbols_of(executable: &[u8]) -> Vec<Symbol> {
    const VARIABLE: u8 = 1;
    const FUNCTION: u8 = 2;
    const SOURCE: u8 = 4;
    let Ok(executable) = object::File::parse(executable) else { return Vec::new() };
    let (mut found, mut source) = (Vec::new(), String::new());
    for symbol in executable.symbols() {
        let SymbolFlags::Elf { st_info, .. } = symbol.flags() else { continue };
        let name = String::from_utf8_lossy(symbol.name_bytes().unwrap_or_default()).into_owned();
        match st_info & 15 {
            SOURCE => source = name,
            kind @ (VARIABLE | FUNCTION) if !symbol.is_undefined() && !name.is_empty() => {
                found.push(Symbol {
                    name: if symbol.is_local() { format!("{source}:{name}") } else { name },
                    start: symbol.address() as usize,
                    size_bytes: symbol.size() as usize,
                    is_function: kind == FUNCTION,
                })
            }
            _ => {}
        }
    }
    found
}

#[cfg(all(test, target_os = "linux", not(miri)))]
mod tests {
    use super::*;

    #[unsafe(no_mangle)]
    static CPPC_TEST_OBJECT: [u64; 4] = [1, 2, 3, 4];
    #[unsafe(no_mangle)]
    static mut CPPC_TEST_VARIABLE: [u64; 4] = [1, 2, 3, 4];

    #[test]
    fn variables_are_found_by_their_names() {
        let objects = Objects::now();
        let (constant, variable) =
            (&raw const CPPC_TEST_OBJECT as usize, &raw const CPPC_TEST_VARIABLE as usize);
        assert_eq!(objects.symbol(constant + 8), Some(("CPPC_TEST_OBJECT".to_owned(), 8)));
        let range = constant..constant + 32;
        let whole = Some(Variable { name: "CPPC_TEST_OBJECT", range });
        assert_eq!(
            (objects.variable(constant + 31), objects.variable_before(constant + 32)),
            (whole.clone(), whole)
        );
        assert_eq!(objects.variable_before(constant + 31), None);
        assert_eq!(objects.address("CPPC_TEST_OBJECT"), Some(constant));
        assert_eq!(
            (objects.kind(constant), objects.kind(variable)),
            (AddressKind::Constant, AddressKind::Writable)
        );
        let local = 0;
        assert_eq!(objects.kind(&raw const local as usize), AddressKind::Nowhere);
        assert_eq!(objects.at_offset(objects.offset(constant).unwrap()), Some(constant));
    }

    #[test]
    fn functions_of_libraries_and_constant_texts_are_found() {
        let objects = Objects::now();
        let free = libc::free as *const () as usize;
        let (name, offset) = objects.symbol(free).unwrap();
        assert_eq!((objects.address(&name), offset), (Some(free), 0));
        let text = c"a text that is in the executable once";
        let found = objects.find_text(text.to_bytes()).unwrap();
        assert_eq!(objects.text(found), Some(text.to_bytes()));
        // The executable does not contain these bytes: they are computed.
        let absent: Vec<u8> = (1..=24).map(|byte: u8| std::hint::black_box(byte) ^ 0xa5).collect();
        assert_eq!(objects.find_text(&absent), None);
    }
}

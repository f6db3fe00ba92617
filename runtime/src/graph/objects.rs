//! The executable and the shared libraries of the process.
//!
//! Input: the dynamic loader, the symbol table of the executable.
//! Output: for an address the symbol and the offset in it, and the address of a symbol.
//! Postcondition: nothing was written.

use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::ops::Range;

/// What is at an address of the executable or a library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Variables that the program can change.
    Writable,
    /// Constants and code.
    Constant,
    Nowhere,
}

#[derive(Debug)]
struct Object {
    /// What the loader has added to the addresses of the file.
    shift: usize,
    parts: Vec<(Range<usize>, bool)>,
    /// The part that is constant after the relocation.
    constant: Range<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Symbol {
    /// With the name of the source file before it, if it is local to that file.
    name: String,
    start: usize,
    size_bytes: usize,
    is_function: bool,
}

#[derive(Debug)]
pub struct Objects {
    /// The executable is the first.
    objects: Vec<Object>,
    /// The symbols of the executable, sorted by address.
    symbols: Vec<Symbol>,
    /// None if several symbols have the name.
    by_name: HashMap<String, Option<usize>>,
}

impl Objects {
    pub fn now() -> Objects {
        let objects = loaded();
        let shift = objects.first().map_or(0, |object| object.shift);
        let file = std::fs::read("/proc/self/exe").unwrap_or_default();
        let mut symbols = Elf { bytes: &file }.symbols().unwrap_or_default();
        symbols.iter_mut().for_each(|symbol| symbol.start = symbol.start.wrapping_add(shift));
        symbols.sort_by(|a, b| (a.start, &a.name).cmp(&(b.start, &b.name)));
        let mut by_name: HashMap<String, Option<usize>> = HashMap::new();
        for symbol in &symbols {
            by_name
                .entry(symbol.name.clone())
                .and_modify(|known| *known = known.filter(|start| *start == symbol.start))
                .or_insert(Some(symbol.start));
        }
        Objects { objects, symbols, by_name }
    }

    pub fn place(&self, address: usize) -> Place {
        let found = self.objects.iter().find_map(|object| {
            let (_, is_writable) = object.parts.iter().find(|(part, _)| part.contains(&address))?;
            Some(*is_writable && !object.constant.contains(&address))
        });
        match found {
            Some(true) => Place::Writable,
            Some(false) => Place::Constant,
            None => Place::Nowhere,
        }
    }

    /// The name of the symbol that contains the address, and the offset in it. Only names that mean one symbol.
    pub fn symbol(&self, address: usize) -> Option<(String, usize)> {
        let after = self.symbols.partition_point(|symbol| symbol.start <= address);
        let found = self.symbols[..after].iter().rev().take(64).find(|symbol| {
            let within = address - symbol.start;
            let is_inside = within < symbol.size_bytes || (within == 0 && symbol.is_function);
            is_inside && self.by_name.get(&symbol.name) == Some(&Some(symbol.start))
        });
        match found {
            Some(symbol) => Some((symbol.name.clone(), address - symbol.start)),
            None => library_symbol(address).map(|name| (name, 0)),
        }
    }

    /// The address of a symbol.
    pub fn address(&self, name: &str) -> Option<usize> {
        match self.by_name.get(name) {
            Some(found) => *found,
            None => library_address(name),
        }
    }

    /// The address in the executable, without what the loader has added to it.
    pub fn offset(&self, address: usize) -> Option<usize> {
        let executable = self.objects.first()?;
        let is_inside = executable.parts.iter().any(|(part, _)| part.contains(&address));
        is_inside.then(|| address.wrapping_sub(executable.shift))
    }

    pub fn at_offset(&self, offset: usize) -> Option<usize> {
        let address = offset.wrapping_add(self.objects.first()?.shift);
        self.offset(address).map(|_| address)
    }

    /// The text up to its end, if it is a constant of the executable or a library.
    pub fn text(&self, address: usize) -> Option<&[u8]> {
        let part =
            self.objects.iter().flat_map(|object| &object.parts).find(|(part, _)| part.contains(&address));
        let (part, _) = part.filter(|_| self.place(address) == Place::Constant)?;
        // SAFETY: the loader has mapped this part, and constants do not change.
        let bytes = unsafe { std::slice::from_raw_parts(address as *const u8, part.end - address) };
        let end = bytes.iter().position(|byte| *byte == 0)?;
        Some(&bytes[..end])
    }

    /// The address of a constant text of the executable with this content.
    pub fn find_text(&self, text: &[u8]) -> Option<usize> {
        let wanted = [text, &[0]].concat();
        let constants = self.objects.first()?.parts.iter().filter(|(_, is_writable)| !is_writable);
        constants.into_iter().find_map(|(part, _)| {
            // SAFETY: as above.
            let bytes = unsafe { std::slice::from_raw_parts(part.start as *const u8, part.end - part.start) };
            let at = memmem(bytes, &wanted)?;
            Some(part.start + at)
        })
    }
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
    let name = CString::new(name).ok()?;
    // SAFETY: the name is a text.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!found.is_null()).then_some(found as usize)
}

#[cfg(target_pointer_width = "64")]
type Header = libc::Elf64_Phdr;
#[cfg(target_pointer_width = "32")]
type Header = libc::Elf32_Phdr;

fn loaded() -> Vec<Object> {
    unsafe extern "C" fn visit(
        object: *mut libc::dl_phdr_info,
        _size: usize,
        found: *mut libc::c_void,
    ) -> libc::c_int {
        // SAFETY: the loader passes a valid description, and `found` is the vector below.
        let (object, found) = unsafe { (&*object, &mut *found.cast::<Vec<Object>>()) };
        let headers = match object.dlpi_phdr.is_null() {
            true => &[],
            // SAFETY: the loader provides the number of headers.
            false => unsafe { std::slice::from_raw_parts(object.dlpi_phdr, usize::from(object.dlpi_phnum)) },
        };
        let shift = object.dlpi_addr as usize;
        let range = |header: &Header| {
            let start = shift.wrapping_add(header.p_vaddr as usize);
            start..start.wrapping_add(header.p_memsz as usize)
        };
        let with = |kind: u32| headers.iter().filter(move |header| header.p_type == kind);
        let parts = with(libc::PT_LOAD).map(|header| (range(header), header.p_flags & libc::PF_W != 0));
        let constant = with(libc::PT_GNU_RELRO).map(range).next().unwrap_or(0..0);
        found.push(Object { shift, parts: parts.collect(), constant });
        0
    }
    let mut found: Vec<Object> = Vec::new();
    // SAFETY: `visit` has the required type and does not unwind, and `found` lives through the call.
    unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut found).cast()) };
    found
}

/// An executable in the format of this machine.
struct Elf<'a> {
    bytes: &'a [u8],
}

impl Elf<'_> {
    const WIDE: bool = usize::BITS == 64;

    fn number(&self, at: usize, bytes: usize) -> Option<usize> {
        let found = self.bytes.get(at..at.checked_add(bytes)?)?;
        let mut word = [0; 8];
        if cfg!(target_endian = "little") {
            word[..bytes].copy_from_slice(found);
        } else {
            word[8 - bytes..].copy_from_slice(found);
        }
        Some(u64::from_ne_bytes(word) as usize)
    }

    fn word(&self, at: usize) -> Option<usize> {
        self.number(at, if Elf::WIDE { 8 } else { 4 })
    }

    /// The offset, the size and the link of a section of this kind.
    fn section(&self, index: usize) -> Option<(usize, usize, usize, usize)> {
        let (table, entry) = if Elf::WIDE { (self.word(40)?, 64) } else { (self.word(32)?, 40) };
        let at = table.checked_add(index.checked_mul(entry)?)?;
        let kind = self.number(at + 4, 4)?;
        let (offset, size, link) = if Elf::WIDE {
            (self.word(at + 24)?, self.word(at + 32)?, self.number(at + 40, 4)?)
        } else {
            (self.word(at + 16)?, self.word(at + 20)?, self.number(at + 24, 4)?)
        };
        Some((kind, offset, size, link))
    }

    fn symbols(&self) -> Option<Vec<Symbol>> {
        const SYMBOL_TABLE: usize = 2;
        if self.bytes.get(..4)? != b"\x7fELF" {
            return None;
        }
        let count = self.number(if Elf::WIDE { 60 } else { 48 }, 2)?;
        let (_, offset, size, link) =
            (0..count).filter_map(|index| self.section(index)).find(|(kind, ..)| *kind == SYMBOL_TABLE)?;
        let (_, names, names_bytes, _) = self.section(link)?;
        let names = self.bytes.get(names..names.checked_add(names_bytes)?)?;
        let entry = if Elf::WIDE { 24 } else { 16 };
        let (mut found, mut file) = (Vec::new(), String::new());
        for at in (offset..offset.checked_add(size)?).step_by(entry) {
            let (info, section, start, size_bytes) = if Elf::WIDE {
                (self.number(at + 4, 1)?, self.number(at + 6, 2)?, self.word(at + 8)?, self.word(at + 16)?)
            } else {
                (self.number(at + 12, 1)?, self.number(at + 14, 2)?, self.word(at + 4)?, self.word(at + 8)?)
            };
            let name = names.get(self.number(at, 4)?..)?;
            let name =
                String::from_utf8_lossy(&name[..name.iter().position(|byte| *byte == 0)?]).into_owned();
            let (kind, is_local) = (info & 15, info >> 4 == 0);
            match kind {
                4 => file = name,
                1 | 2 if section != 0 && !name.is_empty() => {
                    let name = if is_local { format!("{file}:{name}") } else { name };
                    found.push(Symbol { name, start, size_bytes, is_function: kind == 2 });
                }
                _ => {}
            }
        }
        Some(found)
    }
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
        assert_eq!(objects.address("CPPC_TEST_OBJECT"), Some(constant));
        assert_eq!((objects.place(constant), objects.place(variable)), (Place::Constant, Place::Writable));
        let local = 0;
        assert_eq!(objects.place(&raw const local as usize), Place::Nowhere);
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
        assert_eq!(objects.find_text(b"one that \xfe is not"), None);
    }
}

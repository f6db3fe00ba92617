//! Adds a section to an object, a shared library or a program.
//!
//! Input: a file that a compiler wrote.
//! Output: the same file with one more section.
//! Postcondition: no existing content has moved. Only the section table is written again at the end of the
//! file, after the content of the new section and the new table of names.

use std::path::Path;

/// Linkers omit sections with this flag from programs, but keep them when they combine several objects into
/// one.
const SHF_EXCLUDE: u64 = 0x8000_0000;
const SHT_PROGBITS: u32 = 1;
/// Section counts from this value on are stored in another field.
const SHN_LORESERVE: u64 = 0xff00;

/// Adds a section. The error is the reason why the object was not changed.
pub fn add_section(object: &Path, section: &str, content: &[u8]) -> Result<(), String> {
    let bytes = std::fs::read(object).map_err(|error| error.to_string())?;
    let bytes = with_section(bytes, section, content)?;
    std::fs::write(object, bytes).map_err(|error| error.to_string())
}

/// Widths and offsets of fields, which depend on the class of the file (32 or 64 bits).
struct Layout {
    wide: bool,
    little: bool,
}

impl Layout {
    fn of(bytes: &[u8]) -> Result<Layout, String> {
        match bytes.get(..6) {
            Some([0x7f, b'E', b'L', b'F', class @ 1..=2, order @ 1..=2]) => {
                Ok(Layout { wide: *class == 2, little: *order == 1 })
            }
            _ => Err("it is not an ELF file".to_owned()),
        }
    }

    /// Width of addresses, offsets and sizes, in bytes.
    fn word(&self) -> usize {
        if self.wide {
            8
        } else {
            4
        }
    }

    fn get(&self, bytes: &[u8], at: usize, width: usize) -> Result<u64, String> {
        let field = bytes.get(at..at + width).ok_or("it is truncated")?;
        let digit = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        Ok(if self.little { field.iter().rev().fold(0, digit) } else { field.iter().fold(0, digit) })
    }

    fn put(&self, bytes: &mut [u8], at: usize, width: usize, value: u64) {
        let little = value.to_le_bytes();
        for (index, byte) in little[..width].iter().enumerate() {
            bytes[at + if self.little { index } else { width - 1 - index }] = *byte;
        }
    }

    /// The offset of `e_shoff` in the header, and that of `e_shentsize`, which is followed by two more
    /// fields.
    fn header_fields(&self) -> (usize, usize) {
        if self.wide {
            (40, 58)
        } else {
            (32, 46)
        }
    }

    /// The offset of `sh_offset` in a section header. `sh_size` follows it.
    fn section_offset(&self) -> usize {
        8 + 2 * self.word()
    }
}

fn with_section(mut bytes: Vec<u8>, section: &str, content: &[u8]) -> Result<Vec<u8>, String> {
    let layout = Layout::of(&bytes)?;
    let word = layout.word();
    let (table_field, counts) = layout.header_fields();
    let table = layout.get(&bytes, table_field, word)? as usize;
    let entry = layout.get(&bytes, counts, 2)? as usize;
    let count = layout.get(&bytes, counts + 2, 2)?;
    let names = layout.get(&bytes, counts + 4, 2)?;
    if count == 0 || count + 1 >= SHN_LORESERVE || names >= count || entry < 6 * word + 16 {
        return Err("its section table has an unknown form".to_owned());
    }
    let mut sections = bytes
        .get(table..)
        .and_then(|rest| rest.get(..entry * count as usize))
        .ok_or("it is truncated")?
        .to_vec();

    // The names of the sections, with the new name at the end.
    let names_header = entry * names as usize;
    let offset_field = names_header + layout.section_offset();
    let names_offset = layout.get(&sections, offset_field, word)? as usize;
    let names_size = layout.get(&sections, offset_field + word, word)? as usize;
    let mut names =
        bytes.get(names_offset..).and_then(|rest| rest.get(..names_size)).ok_or("it is truncated")?.to_vec();
    let name = names.len() as u64;
    names.extend(section.as_bytes());
    names.push(0);
    layout.put(&mut sections, offset_field, word, bytes.len() as u64);
    layout.put(&mut sections, offset_field + word, word, names.len() as u64);
    bytes.extend(&names);

    let mut header = vec![0; entry];
    layout.put(&mut header, 0, 4, name);
    layout.put(&mut header, 4, 4, u64::from(SHT_PROGBITS));
    layout.put(&mut header, 8, word, SHF_EXCLUDE);
    layout.put(&mut header, layout.section_offset(), word, bytes.len() as u64);
    layout.put(&mut header, layout.section_offset() + word, word, content.len() as u64);
    // After offset and size: link and info, then the alignment.
    layout.put(&mut header, layout.section_offset() + 2 * word + 8, word, 1);
    sections.extend(header);
    bytes.extend(content);

    bytes.resize(bytes.len().next_multiple_of(8), 0);
    let table = bytes.len() as u64;
    layout.put(&mut bytes, table_field, word, table);
    layout.put(&mut bytes, counts + 2, 2, count + 1);
    bytes.extend(sections);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use cppc_abi::sections::RECORDS_SECTION;
    use object::{Object, ObjectSection};

    use super::*;

    /// Compiles a source and returns the object.
    fn object(directory: &Path, options: &[&str]) -> Option<Vec<u8>> {
        let source = directory.join("a.c");
        std::fs::write(&source, "int twice(int a) { return 2 * a; }\n").unwrap();
        let output = directory.join("a.o");
        let mut command = Command::new("cc");
        command.args(options).arg("-c").arg(&source).arg("-o").arg(&output);
        command.output().unwrap().status.success().then(|| std::fs::read(&output).unwrap())
    }

    #[test]
    fn an_object_has_one_section_more_and_all_others_as_they_were() {
        let directory = tempfile::tempdir().unwrap();
        for options in [&["-O2"][..], &["-g", "-ffunction-sections"], &["-m32"], &["-flto"]] {
            let Some(before) = object(directory.path(), options) else { continue };
            let after = with_section(before.clone(), RECORDS_SECTION, b"what was added").unwrap();
            let before = object::File::parse(&*before).unwrap();
            let after = object::File::parse(&*after).unwrap();
            let added = after.section_by_name(RECORDS_SECTION).unwrap();
            assert_eq!(added.data().unwrap(), b"what was added");
            assert_eq!(after.sections().count(), before.sections().count() + 1);
            for (old, new) in before.sections().zip(after.sections()) {
                assert_eq!(old.name().unwrap(), new.name().unwrap());
                if old.name() != Ok(".shstrtab") {
                    assert_eq!(old.data().unwrap(), new.data().unwrap(), "{:?}", old.name());
                }
            }
        }
    }

    #[test]
    fn what_is_no_object_stays_as_it_is() {
        assert!(with_section(b"BC\xc0\xde".to_vec(), RECORDS_SECTION, b"x").is_err());
        assert!(with_section(b"\x7fELF\x02\x01\x01".to_vec(), RECORDS_SECTION, b"x").is_err());
    }
}

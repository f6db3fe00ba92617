//! How an object was compiled. A wrapper needs this to compile the object again when its program is linked.
//!
//! Input: a unit and its translation.
//! Output: bytes for the section `.cppc`, and the decoded records.
//! Postcondition: records can be concatenated, as a linker does when it combines sections, and each can still
//! be decoded.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use super::request::{Digest, Dispatch, Unit};

/// The first bytes of a record. The last of them is the version of the layout.
const MAGIC: [u8; 5] = *b"CPPC\x01";

#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    pub unit: Unit,
    pub compiler: Vec<OsString>,
    /// The options that compile the source again, without the directory of the header.
    pub options: Vec<OsString>,
    /// The source text when it was compiled. `None` if it could not be read.
    pub source: Option<Digest>,
    /// The translated text that was compiled. `None` if the source itself was compiled.
    pub translation: Option<Digest>,
    /// True if the source contains blocks.
    pub instrumented: bool,
    pub dispatch: Dispatch,
    /// The warnings that were reported.
    pub reported: Vec<Digest>,
}

impl Record {
    pub fn encode(&self) -> Vec<u8> {
        let mut body = Writer::default();
        body.text(self.unit.source.as_os_str().as_bytes());
        body.text(self.unit.directory.as_os_str().as_bytes());
        body.words(&self.unit.flags);
        body.words(&self.compiler);
        body.words(&self.options);
        body.digest(self.source);
        body.digest(self.translation);
        body.number(u32::from(self.instrumented));
        body.number(u32::from(self.dispatch == Dispatch::Computed));
        body.number(self.reported.len() as u32);
        for digest in &self.reported {
            body.digest(Some(*digest));
        }
        let mut record = MAGIC.to_vec();
        record.extend((body.0.len() as u32).to_le_bytes());
        record.extend(body.0);
        record
    }

    /// All records in a section. `None` if one of them is damaged.
    pub fn decode_all(section: &[u8]) -> Option<Vec<Record>> {
        let mut records = Vec::new();
        let mut rest = section;
        while !rest.is_empty() {
            rest = rest.strip_prefix(&MAGIC)?;
            let mut reader = Reader(rest);
            let mut body = Reader(reader.text()?);
            rest = reader.0;
            records.push(Record::decode(&mut body)?);
        }
        Some(records)
    }

    fn decode(body: &mut Reader) -> Option<Record> {
        Some(Record {
            unit: Unit { source: body.path()?, directory: body.path()?, flags: body.words()? },
            compiler: body.words()?,
            options: body.words()?,
            source: body.digest()?,
            translation: body.digest()?,
            instrumented: body.number()? != 0,
            dispatch: match body.number()? {
                0 => Dispatch::Switch,
                1 => Dispatch::Computed,
                _ => return None,
            },
            reported: {
                let count = body.number()?;
                (0..count).map(|_| body.digest()?).collect::<Option<Vec<_>>>()?
            },
        })
    }
}

#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, number: u32) {
        self.0.extend(number.to_le_bytes());
    }

    fn text(&mut self, text: &[u8]) {
        self.number(text.len() as u32);
        self.0.extend(text);
    }

    fn words(&mut self, words: &[OsString]) {
        self.number(words.len() as u32);
        for word in words {
            self.text(word.as_bytes());
        }
    }

    fn digest(&mut self, digest: Option<Digest>) {
        match digest {
            Some(digest) => self.text(&digest.0.to_le_bytes()),
            None => self.text(&[]),
        }
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn number(&mut self) -> Option<u32> {
        let (number, rest) = self.0.split_first_chunk::<4>()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*number))
    }

    fn text(&mut self) -> Option<&'a [u8]> {
        let length = self.number()? as usize;
        let text = self.0.get(..length)?;
        self.0 = &self.0[length..];
        Some(text)
    }

    fn path(&mut self) -> Option<PathBuf> {
        self.text().map(|text| OsString::from_vec(text.to_vec()).into())
    }

    fn words(&mut self) -> Option<Vec<OsString>> {
        let count = self.number()?;
        (0..count).map(|_| Some(OsString::from_vec(self.text()?.to_vec()))).collect()
    }

    fn digest(&mut self) -> Option<Option<Digest>> {
        match self.text()? {
            [] => Some(None),
            text => Some(Some(Digest(u64::from_le_bytes(text.try_into().ok()?)))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(source: &str) -> Record {
        Record {
            unit: Unit {
                source: source.into(),
                directory: "/somewhere".into(),
                flags: vec!["-DA=\"b c\"".into(), OsString::from_vec(vec![0xff, b'x'])],
            },
            compiler: vec!["gcc".into(), "-m32".into()],
            options: vec!["-O2".into()],
            source: Some(Digest::of(b"int a;")),
            translation: None,
            instrumented: true,
            dispatch: Dispatch::Computed,
            reported: vec![Digest::of(b"C0001 unused"), Digest::of(b"")],
        }
    }

    #[test]
    fn records_that_stand_together_read_back() {
        let records = vec![record("a.c"), record("dir/b.c")];
        let section: Vec<u8> = records.iter().flat_map(Record::encode).collect();
        assert_eq!(Record::decode_all(&section), Some(records));
    }

    #[test]
    fn a_damaged_section_has_no_records() {
        let section = record("a.c").encode();
        for end in 1..section.len() {
            assert_eq!(Record::decode_all(&section[..end]), None, "cut at {end}");
        }
        assert_eq!(Record::decode_all(b"something else"), None);
        assert_eq!(Record::decode_all(b""), Some(Vec::new()));
    }
}

//! The text of a file after the first two phases of translation: trigraphs and line splices.
//!
//! Input: the bytes of a file.
//! Output: the bytes that are lexed, and the file offset of each.
//! Postcondition: a file without splices and trigraphs is lexed without a copy.

use std::borrow::Cow;

/// Logical text and the file offsets of its bytes. Between two segments both offsets increase together.
#[derive(Debug)]
pub struct Logical<'a> {
    pub text: Cow<'a, [u8]>,
    segments: Vec<Segment>,
}

/// From the logical offset on, the text is at the physical offset. A trigraph has a segment of its own: its
/// single byte is three bytes wide in the file.
#[derive(Debug, Clone, Copy)]
struct Segment {
    logical: u32,
    physical: u32,
    width: u32,
}

impl<'a> Logical<'a> {
    pub fn new(bytes: &'a [u8], trigraphs: bool) -> Logical<'a> {
        let mut text = Vec::new();
        let mut segments = Vec::new();
        let mut copied = 0;
        for cut in (Cuts { bytes, trigraphs, at: 0 }) {
            if segments.is_empty() {
                text.reserve(bytes.len());
                segments.push(Segment { logical: 0, physical: 0, width: 1 });
            }
            text.extend_from_slice(&bytes[copied..cut.start]);
            if let Some(byte) = cut.byte {
                let (logical, physical) = (text.len() as u32, cut.start as u32);
                segments.push(Segment { logical, physical, width: 3 });
                text.push(byte);
            }
            copied = cut.end;
            let (logical, physical) = (text.len() as u32, copied as u32);
            segments.push(Segment { logical, physical, width: 1 });
        }
        if segments.is_empty() {
            return Logical { text: Cow::Borrowed(bytes), segments };
        }
        text.extend_from_slice(&bytes[copied..]);
        Logical { text: Cow::Owned(text), segments }
    }

    /// Text that is lexed unchanged.
    pub fn plain(bytes: &'a [u8]) -> Logical<'a> {
        Logical { text: Cow::Borrowed(bytes), segments: Vec::new() }
    }

    /// The distance from a logical offset to its file offset, and the logical offset up to which this
    /// distance is the same.
    pub fn run(&self, logical: usize) -> Run {
        let after = self.segments.partition_point(|segment| segment.logical as usize <= logical);
        let until = self.segments.get(after).map_or(usize::MAX, |next| next.logical as usize);
        match after.checked_sub(1).map(|at| self.segments[at]) {
            None => Run { shift: 0, until },
            Some(trigraph) if trigraph.width > 1 => Run { shift: 0, until: 0 },
            Some(segment) => Run { shift: (segment.physical - segment.logical) as usize, until },
        }
    }

    /// The file offset at which the byte at a logical offset starts. Fast for increasing offsets.
    pub fn start(&self, cursor: &mut Cursor, logical: usize) -> usize {
        match self.segment(cursor, logical) {
            Some(segment) => physical(segment, logical),
            None => logical,
        }
    }

    /// The file offset at which the byte before a logical offset ends.
    pub fn end(&self, cursor: &mut Cursor, logical: usize) -> usize {
        let Some(last) = logical.checked_sub(1) else { return 0 };
        match self.segment(cursor, last) {
            Some(segment) if segment.logical as usize == last => (segment.physical + segment.width) as usize,
            Some(segment) => physical(segment, last) + 1,
            None => logical,
        }
    }

    /// The first logical offset whose file offset is not before the given one.
    pub fn logical_of(&self, physical: usize) -> usize {
        let after = self.segments.partition_point(|segment| segment.physical as usize <= physical);
        let Some(segment) = after.checked_sub(1).map(|at| self.segments[at]) else {
            return physical;
        };
        let logical = segment.logical as usize + physical - segment.physical as usize;
        // A file offset inside removed text belongs to the text after it.
        self.segments.get(after).map_or(logical, |next| logical.min(next.logical as usize))
    }

    /// The last segment that starts at or before the offset. If several start there, it is the last of them,
    /// so that text removed before a byte is not part of the byte.
    fn segment(&self, cursor: &mut Cursor, logical: usize) -> Option<Segment> {
        if self.segments.is_empty() {
            return None;
        }
        let starts_by =
            |at: usize| self.segments.get(at).is_some_and(|segment| segment.logical as usize <= logical);
        if !starts_by(cursor.0) {
            cursor.0 = self.segments.partition_point(|s| s.logical as usize <= logical) - 1;
        }
        while starts_by(cursor.0 + 1) {
            cursor.0 += 1;
        }
        Some(self.segments[cursor.0])
    }
}

fn physical(segment: Segment, logical: usize) -> usize {
    segment.physical as usize + (logical - segment.logical as usize)
}

/// Logical offsets before `until` have a file offset that is larger by `shift`.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    pub shift: usize,
    pub until: usize,
}

/// Remembers the segment of the last lookup.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cursor(usize);

/// A range of the file that the lexer does not read, or reads as one byte.
struct Cut {
    start: usize,
    end: usize,
    byte: Option<u8>,
}

struct Cuts<'a> {
    bytes: &'a [u8],
    trigraphs: bool,
    at: usize,
}

impl Iterator for Cuts<'_> {
    type Item = Cut;

    fn next(&mut self) -> Option<Cut> {
        loop {
            let rest = &self.bytes[self.at..];
            let found = match self.trigraphs {
                true => memchr::memchr2(b'\\', b'?', rest)?,
                false => memchr::memchr(b'\\', rest)?,
            };
            let start = self.at + found;
            if let Some(cut) = self.cut_at(start) {
                self.at = cut.end;
                return Some(cut);
            }
            self.at = start + 1;
        }
    }
}

impl Cuts<'_> {
    fn cut_at(&self, start: usize) -> Option<Cut> {
        if self.bytes[start] == b'\\' {
            let end = start + 1 + line_end(&self.bytes[start + 1..])?;
            return Some(Cut { start, end, byte: None });
        }
        let byte = match self.bytes.get(start..start + 3)? {
            b"??=" => b'#',
            b"??/" => b'\\',
            b"??'" => b'^',
            b"??(" => b'[',
            b"??)" => b']',
            b"??!" => b'|',
            b"??<" => b'{',
            b"??>" => b'}',
            b"??-" => b'~',
            _ => return None,
        };
        let end = start + 3;
        if byte == b'\\' {
            if let Some(length) = line_end(&self.bytes[end..]) {
                return Some(Cut { start, end: end + length, byte: None });
            }
        }
        Some(Cut { start, end, byte: Some(byte) })
    }
}

/// The length of a line end, including blanks before it, which compilers accept.
fn line_end(rest: &[u8]) -> Option<usize> {
    let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | 0x0b | 0x0c)).count();
    match &rest[blanks..] {
        [b'\n', ..] => Some(blanks + 1),
        [b'\r', b'\n', ..] => Some(blanks + 2),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], trigraphs: bool, text: &[u8], places: &[(usize, usize)]) {
        let logical = Logical::new(bytes, trigraphs);
        assert_eq!(&*logical.text, text);
        let mut cursor = Cursor::default();
        let found: Vec<(usize, usize)> = (0..text.len())
            .map(|at| (logical.start(&mut cursor, at), logical.end(&mut cursor, at + 1)))
            .collect();
        assert_eq!(found, places);
        for (at, &(start, _)) in places.iter().enumerate() {
            assert_eq!(logical.logical_of(start), at);
        }
    }

    #[test]
    fn plain_text_is_not_copied() {
        assert!(matches!(Logical::new(b"a\\b ??= c\n", false).text, Cow::Borrowed(_)));
    }

    #[test]
    fn splices_join_lines() {
        check(b"a\\\nb", false, b"ab", &[(0, 1), (3, 4)]);
        check(b"\\\na\\ \t\r\n\\\nb", false, b"ab", &[(2, 3), (10, 11)]);
        check(b"a\\\n", false, b"a", &[(0, 1)]);
        check(b"a\\", false, b"a\\", &[(0, 1), (1, 2)]);
    }

    #[test]
    fn trigraphs_are_one_byte() {
        check(b"a??=b", true, b"a#b", &[(0, 1), (1, 4), (4, 5)]);
        check(b"??(??)", true, b"[]", &[(0, 3), (3, 6)]);
        check(b"a??/\nb", true, b"ab", &[(0, 1), (5, 6)]);
        check(b"????=", true, b"??#", &[(0, 1), (1, 2), (2, 5)]);
    }
}

//! Where each integer of a state file stands: the only file that knows.
//!
//! In: numbers and names. Out: bytes, little-endian and of fixed width, and back. Holds afterwards:
//! a read never passes the end of what is there, and a count never promises more than the bytes
//! that are left could hold.
//!
//! ```text
//! header | manifest | content of the blocks, in pieces | index: where each piece is | tail
//! ```

use crate::codec::crc32::{crc32, crc32_seeded};
use crate::codec::{Codec, Method};

pub use crate::machine::Machine;

/// The first byte names the writer, the others catch files that were changed on a transfer as text.
pub const MAGIC: [u8; 8] = *b"BCPPC\r\n\x1a";
/// What the last record begins with.
pub const TAIL_MAGIC: [u8; 8] = *b"CPPCdone";
/// What is written. What is read goes back to `OLDEST_VERSION`.
pub const VERSION: u16 = 3;
pub const OLDEST_VERSION: u16 = 1;

pub const HEADER_BYTES: usize = 64;
pub const TAIL_BYTES: usize = 40;
/// In version 1.
pub const ENTRY_BYTES: usize = 12;

/// Blocks are stored in pieces of as many bytes as the header says, the last one shorter. This many are
/// in those of version 1, in seals, and where no later file is to point to them.
pub const PIECE_BYTES: u32 = 1 << 20;
/// What changes here and there is found in small pieces.
pub const SMALL_PIECE_BYTES: u32 = 16 << 10;
/// The same when they are to be packed, which takes something to refer to.
pub const SMALL_PACKED_PIECE_BYTES: u32 = 64 << 10;
pub const LEAST_PIECE_BYTES: u32 = 4 << 10;
pub const MOST_PIECE_BYTES: u32 = 16 << 20;
/// A block of at least this many bytes begins at a multiple of `ALIGNMENT`, after zeros.
pub const ALIGNED_FROM_BYTES: u64 = 256 << 10;
pub const ALIGNMENT: u64 = 4096;

/// The first record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// Of the form; `VERSION` in what is written.
    pub version: u16,
    pub machine: Machine,
    pub manifest_bytes: u64,
    pub manifest_crc: u32,
    pub run: u64,
    pub number: u64,
    pub rank: u32,
    pub processes: u32,
    /// A power of two.
    pub piece_bytes: u32,
}

/// What is wrong with a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeaderFault {
    NotOurs,
    Damaged,
    OtherVersion(u16),
}

impl Header {
    /// The record, and the checksum in it, which ties index and tail to this header.
    pub fn encode(&self) -> ([u8; HEADER_BYTES], u32) {
        let mut encoder = Encoder::default();
        encoder.raw(&MAGIC);
        encoder.u16(self.version);
        encoder.u8(if self.machine.big_endian { 2 } else { 1 });
        encoder.u8(self.machine.long_bytes);
        encoder.u8(self.machine.pointer_bytes);
        encoder.u8(self.machine.long_double_bytes);
        encoder.u8(self.machine.long_double_digits);
        encoder.u8(0);
        encoder.u64(self.manifest_bytes);
        encoder.u32(self.manifest_crc);
        encoder.u32(self.piece_bytes);
        encoder.u64(self.run);
        encoder.u64(self.number);
        encoder.u32(self.rank);
        encoder.u32(self.processes);
        encoder.u32(0);
        let crc = crc32(&encoder.bytes);
        encoder.u32(crc);
        (fixed(&encoder.bytes), crc)
    }

    /// Reads the record; also says the checksum in it.
    pub fn decode(bytes: &[u8; HEADER_BYTES]) -> Result<(Header, u32), HeaderFault> {
        if bytes[..MAGIC.len()] != MAGIC {
            return Err(HeaderFault::NotOurs);
        }
        let (covered, sum) = bytes.split_at(HEADER_BYTES - 4);
        let crc = Decoder::new(sum).u32().map_err(|_| HeaderFault::Damaged)?;
        if crc32(covered) != crc {
            return Err(HeaderFault::Damaged);
        }
        let mut decoder = Decoder::new(&covered[MAGIC.len()..]);
        match Self::fields(&mut decoder) {
            Ok(Ok(header)) => Ok((header, crc)),
            Ok(Err(version)) => Err(HeaderFault::OtherVersion(version)),
            Err(_) => Err(HeaderFault::Damaged),
        }
    }

    fn fields(decoder: &mut Decoder) -> Result<Result<Header, u16>, Malformed> {
        let version = decoder.u16()?;
        if !(OLDEST_VERSION..=VERSION).contains(&version) {
            return Ok(Err(version));
        }
        let machine = Machine {
            big_endian: match decoder.u8()? {
                1 => false,
                2 => true,
                _ => return Err(decoder.malformed("byte order")),
            },
            long_bytes: decoder.u8()?,
            pointer_bytes: decoder.u8()?,
            long_double_bytes: decoder.u8()?,
            long_double_digits: decoder.u8()?,
        };
        decoder.zero(1)?;
        let manifest_bytes = decoder.u64()?;
        let manifest_crc = decoder.u32()?;
        let piece_bytes = decoder.u32()?;
        let sound = match version {
            1 => piece_bytes == PIECE_BYTES,
            _ => piece_bytes.is_power_of_two() && (LEAST_PIECE_BYTES..=MOST_PIECE_BYTES).contains(&piece_bytes),
        };
        if !sound {
            return Err(decoder.malformed("size of a piece"));
        }
        let run = decoder.u64()?;
        let number = decoder.u64()?;
        let rank = decoder.u32()?;
        let processes = decoder.u32()?;
        decoder.zero(4)?;
        Ok(Ok(Header { version, machine, manifest_bytes, manifest_crc, run, number, rank, processes, piece_bytes }))
    }
}

/// How a piece is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coding {
    Plain,
    Packed(Method),
    /// Not at all: it has only zeros. Since version 2.
    Zero,
}

impl Coding {
    fn encode(self) -> u32 {
        match self {
            Coding::Plain => 0,
            Coding::Packed(Method { codec: Codec::Deflate, width }) => 1 | u32::from(width) << 8,
            Coding::Zero => 2,
            Coding::Packed(Method { codec: Codec::Lz4, width }) => 3 | u32::from(width) << 8,
        }
    }

    fn decode(decoder: &mut Decoder, version: u16) -> Result<Coding, Malformed> {
        let [kind, width, 0, 0] = decoder.u32()?.to_le_bytes() else {
            return Err(decoder.malformed("coding of a piece"));
        };
        let coding = match (kind, width, version) {
            (0, 0, _) => Some(Coding::Plain),
            (1, 0, 1) | (1, _, 2..) => Method::of(Codec::Deflate, width).map(Coding::Packed),
            (2, 0, 2..) => Some(Coding::Zero),
            (3, _, 2..) => Method::of(Codec::Lz4, width).map(Coding::Packed),
            _ => None,
        };
        coding.ok_or(decoder.malformed("coding of a piece"))
    }
}

/// A piece as it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stored {
    pub bytes: u32,
    /// Of these bytes.
    pub crc: u32,
}

/// The index entry of one piece in version 1; such a piece stands behind the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    pub stored: Stored,
    pub coding: Coding,
}

impl Entry {
    pub fn decode(decoder: &mut Decoder) -> Result<Entry, Malformed> {
        let bytes = decoder.u32()?;
        let coding = Coding::decode(decoder, 1)?;
        Ok(Entry { stored: Stored { bytes, crc: decoder.u32()? }, coding })
    }
}

/// Another state file of this process that holds pieces, in the index of version 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BaseRecord {
    pub line: u64,
    /// The checksum in its header.
    pub header_crc: u32,
}

impl BaseRecord {
    pub const BYTES: usize = 12;

    pub fn encode(&self, encoder: &mut Encoder) {
        encoder.u64(self.line);
        encoder.u32(self.header_crc);
    }

    pub fn decode(decoder: &mut Decoder) -> Result<BaseRecord, Malformed> {
        Ok(BaseRecord { line: decoder.u64()?, header_crc: decoder.u32()? })
    }
}

/// Pieces of one block that follow one another both in memory and in a file, in the index of version 2.
/// The checksum of each stands behind it, after the stored size if they are packed; of zeros nothing does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunRecord {
    pub pieces: u32,
    pub coding: Coding,
    /// 0 for this file, else the place in the list of bases, from 1.
    pub base: u32,
    pub offset: u64,
}

impl RunRecord {
    pub fn encode(&self, encoder: &mut Encoder) {
        encoder.u32(self.pieces);
        encoder.u32(self.coding.encode());
        encoder.u32(self.base);
        encoder.u64(self.offset);
    }

    pub fn decode(decoder: &mut Decoder) -> Result<RunRecord, Malformed> {
        let pieces = decoder.u32()?;
        let coding = Coding::decode(decoder, VERSION)?;
        let run = RunRecord { pieces, coding, base: decoder.u32()?, offset: decoder.u64()? };
        let is_sound = pieces > 0 && (coding != Coding::Zero || (run.base, run.offset) == (0, 0));
        is_sound.then_some(run).ok_or(decoder.malformed("where pieces are"))
    }

    pub fn encode_piece(coding: Coding, stored: Stored, encoder: &mut Encoder) {
        match coding {
            Coding::Zero => {}
            Coding::Plain => encoder.u32(stored.crc),
            Coding::Packed(_) => {
                encoder.u32(stored.bytes);
                encoder.u32(stored.crc);
            }
        }
    }

    /// Reads one of the run's pieces, which has this size in memory.
    pub fn decode_piece(&self, piece_bytes: u32, decoder: &mut Decoder) -> Result<Stored, Malformed> {
        let bytes = match self.coding {
            Coding::Zero => return Ok(Stored { bytes: 0, crc: 0 }),
            Coding::Plain => piece_bytes,
            Coding::Packed(_) => decoder.u32()?,
        };
        Ok(Stored { bytes, crc: decoder.u32()? })
    }
}

/// The last record: a file without it was not written to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tail {
    pub index_offset: u64,
    pub pieces: u64,
    pub file_bytes: u64,
    pub index_crc: u32,
}

impl Tail {
    pub fn encode(&self, header_crc: u32) -> [u8; TAIL_BYTES] {
        let mut encoder = Encoder::default();
        encoder.raw(&TAIL_MAGIC);
        encoder.u64(self.index_offset);
        encoder.u64(self.pieces);
        encoder.u64(self.file_bytes);
        encoder.u32(self.index_crc);
        let crc = crc32_seeded(header_crc, &encoder.bytes);
        encoder.u32(crc);
        fixed(&encoder.bytes)
    }

    /// None when it is not the tail that belongs to this header.
    pub fn decode(bytes: &[u8; TAIL_BYTES], header_crc: u32) -> Option<Tail> {
        let (covered, sum) = bytes.split_at(TAIL_BYTES - 4);
        if crc32_seeded(header_crc, covered) != Decoder::new(sum).u32().ok()? {
            return None;
        }
        let mut decoder = Decoder::new(covered.strip_prefix(&TAIL_MAGIC)?);
        Some(Tail {
            index_offset: decoder.u64().ok()?,
            pieces: decoder.u64().ok()?,
            file_bytes: decoder.u64().ok()?,
            index_crc: decoder.u32().ok()?,
        })
    }
}

/// The pieces that a block of this size is stored in.
pub fn pieces_of(block_bytes: u64, piece_bytes: u32) -> u64 {
    block_bytes.div_ceil(piece_bytes.into())
}

/// The size of one piece of a block.
pub fn bytes_of_piece(block_bytes: u64, piece: u64, piece_bytes: u32) -> u32 {
    let whole = u64::from(piece_bytes);
    block_bytes.saturating_sub(piece.saturating_mul(whole)).min(whole) as u32
}

/// Where a block begins when the file has been filled up to `offset`.
pub fn block_start(offset: u64, block_bytes: u64) -> Option<u64> {
    if block_bytes >= ALIGNED_FROM_BYTES {
        offset.checked_next_multiple_of(ALIGNMENT)
    } else {
        Some(offset)
    }
}

fn fixed<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut record = [0; N];
    record.copy_from_slice(bytes);
    record
}

/// Bytes that do not say what they should.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{what} makes no sense at byte {at}")]
pub struct Malformed {
    pub at: usize,
    pub what: &'static str,
}

/// Appends integers and strings.
#[derive(Debug, Default)]
pub struct Encoder {
    pub bytes: Vec<u8>,
}

impl Encoder {
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    pub fn u16(&mut self, value: u16) {
        self.raw(&value.to_le_bytes());
    }

    pub fn u32(&mut self, value: u32) {
        self.raw(&value.to_le_bytes());
    }

    pub fn u64(&mut self, value: u64) {
        self.raw(&value.to_le_bytes());
    }

    pub fn i32(&mut self, value: i32) {
        self.raw(&value.to_le_bytes());
    }

    /// A count of what follows.
    pub fn count(&mut self, count: usize) {
        self.u64(count as u64);
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        self.raw(bytes);
    }

    pub fn string(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }
}

/// Takes integers and strings off the front.
#[derive(Debug)]
pub struct Decoder<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Decoder<'a> {
    pub fn new(bytes: &'a [u8]) -> Decoder<'a> {
        Decoder { bytes, at: 0 }
    }

    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub fn malformed(&self, what: &'static str) -> Malformed {
        Malformed { at: self.at, what }
    }

    pub fn raw(&mut self, length: usize) -> Result<&'a [u8], Malformed> {
        let end = self.at.checked_add(length).filter(|&end| end <= self.bytes.len());
        let end = end.ok_or(self.malformed("a length"))?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        Ok(fixed(self.raw(N)?))
    }

    pub fn u8(&mut self) -> Result<u8, Malformed> {
        Ok(self.array::<1>()?[0])
    }

    pub fn u16(&mut self) -> Result<u16, Malformed> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub fn u32(&mut self) -> Result<u32, Malformed> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub fn u64(&mut self) -> Result<u64, Malformed> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    pub fn i32(&mut self) -> Result<i32, Malformed> {
        Ok(i32::from_le_bytes(self.array()?))
    }

    pub fn zero(&mut self, length: usize) -> Result<(), Malformed> {
        if self.raw(length)?.iter().all(|&byte| byte == 0) {
            Ok(())
        } else {
            Err(self.malformed("a reserved field"))
        }
    }

    /// A count of items that take at least `least_bytes` each.
    pub fn count(&mut self, least_bytes: usize) -> Result<usize, Malformed> {
        let count = self.u64()?;
        let most = self.left() / least_bytes.max(1);
        usize::try_from(count).ok().filter(|&count| count <= most).ok_or(self.malformed("a count"))
    }

    pub fn bytes(&mut self) -> Result<&'a [u8], Malformed> {
        let length = self.count(1)?;
        self.raw(length)
    }

    pub fn string(&mut self) -> Result<String, Malformed> {
        let text = std::str::from_utf8(self.bytes()?).map_err(|_| self.malformed("a name"))?;
        Ok(text.to_owned())
    }
}

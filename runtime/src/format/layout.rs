//! The position of each integer in a state file. No other file depends on it.
//!
//! Input: numbers and names.
//! Output: bytes, little-endian and of fixed width, or the numbers and names again.
//! Postcondition: a read never passes the end of the bytes, and a count is never larger than the remaining
//! bytes allow.
//!
//! ```text
//! header | manifest | content of the blocks, in pieces | index: where each piece is | tail
//! ```

use crate::codec::crc32::{crc32, crc32_seeded};
use crate::codec::{Algorithm, Method};

pub use crate::machine::Machine;

/// The first byte names the writer. The others detect a transfer in text mode.
pub const MAGIC: [u8; 8] = *b"BCPPC\r\n\x1a";
/// The first bytes of the last record.
pub const TAIL_MAGIC: [u8; 8] = *b"CPPCdone";
/// The version that is written. Versions from `OLDEST_VERSION` on can be read.
pub const VERSION: u16 = 4;
pub const OLDEST_VERSION: u16 = 1;

pub const HEADER_BYTES: usize = 64;
pub const TAIL_BYTES: usize = 40;
/// The size of a piece's index record in version 1.
pub const ENTRY_BYTES: usize = 12;

/// The piece size of version 1, of seals, and of files that no later file refers to. A memory block is stored
/// in pieces of the size in the header; the last piece of a block is shorter.
pub const PIECE_BYTES: u32 = 1 << 20;
/// The piece size where later files may refer to a piece: small pieces limit what a scattered change affects.
pub const SMALL_PIECE_BYTES: u32 = 16 << 10;
/// The same with compression, which needs larger pieces to find repetitions.
pub const SMALL_COMPRESSED_PIECE_BYTES: u32 = 64 << 10;
pub const LEAST_PIECE_BYTES: u32 = 4 << 10;
pub const MOST_PIECE_BYTES: u32 = 16 << 20;
/// A memory block of at least this size begins at a multiple of `ALIGNMENT`, after zeros.
pub const ALIGNED_FROM_BYTES: u64 = 256 << 10;
pub const ALIGNMENT: u64 = 4096;

/// The first record of a state file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// The version of the format; `VERSION` in files that are written.
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

/// Why a header is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeaderError {
    NotOurs,
    Damaged,
    OtherVersion(u16),
}

impl Header {
    /// The bytes of the record, and its checksum, with which the checksums of index and tail start.
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

    /// Reads the record and the checksum in it.
    pub fn decode(bytes: &[u8; HEADER_BYTES]) -> Result<(Header, u32), HeaderError> {
        if bytes[..MAGIC.len()] != MAGIC {
            return Err(HeaderError::NotOurs);
        }
        let (covered, sum) = bytes.split_at(HEADER_BYTES - 4);
        let crc = Decoder::new(sum).u32().map_err(|_| HeaderError::Damaged)?;
        if crc32(covered) != crc {
            return Err(HeaderError::Damaged);
        }
        let mut decoder = Decoder::new(&covered[MAGIC.len()..]);
        match Self::fields(&mut decoder) {
            Ok(Ok(header)) => Ok((header, crc)),
            Ok(Err(version)) => Err(HeaderError::OtherVersion(version)),
            Err(_) => Err(HeaderError::Damaged),
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
            _ => {
                piece_bytes.is_power_of_two() && (LEAST_PIECE_BYTES..=MOST_PIECE_BYTES).contains(&piece_bytes)
            }
        };
        if !sound {
            return Err(decoder.malformed("size of a piece"));
        }
        let run = decoder.u64()?;
        let number = decoder.u64()?;
        let rank = decoder.u32()?;
        let processes = decoder.u32()?;
        decoder.zero(4)?;
        Ok(Ok(Header {
            version,
            machine,
            manifest_bytes,
            manifest_crc,
            run,
            number,
            rank,
            processes,
            piece_bytes,
        }))
    }
}

/// The method by which a piece is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Codec {
    Plain,
    Compressed(Method),
    /// The piece contains only zeros and is not stored. Since version 2.
    Zero,
}

impl Codec {
    fn encode(self) -> u32 {
        match self {
            Codec::Plain => 0,
            Codec::Compressed(Method { algorithm: Algorithm::Deflate, width }) => 1 | u32::from(width) << 8,
            Codec::Zero => 2,
            Codec::Compressed(Method { algorithm: Algorithm::Lz4, width }) => 3 | u32::from(width) << 8,
        }
    }

    fn decode(decoder: &mut Decoder, version: u16) -> Result<Codec, Malformed> {
        let [kind, width, 0, 0] = decoder.u32()?.to_le_bytes() else {
            return Err(decoder.malformed("codec of a piece"));
        };
        let codec = match (kind, width, version) {
            (0, 0, _) => Some(Codec::Plain),
            (1, 0, 1) | (1, _, 2..) => Method::of(Algorithm::Deflate, width).map(Codec::Compressed),
            (2, 0, 2..) => Some(Codec::Zero),
            (3, _, 2..) => Method::of(Algorithm::Lz4, width).map(Codec::Compressed),
            _ => None,
        };
        codec.ok_or(decoder.malformed("codec of a piece"))
    }
}

/// The stored bytes of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredBytes {
    pub bytes: u32,
    /// The checksum of these bytes.
    pub crc: u32,
}

/// The index record of one piece in version 1. Such a piece follows the previous one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PieceRecord {
    pub stored: StoredBytes,
    pub codec: Codec,
}

impl PieceRecord {
    pub fn decode(decoder: &mut Decoder) -> Result<PieceRecord, Malformed> {
        let bytes = decoder.u32()?;
        let codec = Codec::decode(decoder, 1)?;
        Ok(PieceRecord { stored: StoredBytes { bytes, crc: decoder.u32()? }, codec })
    }
}

/// A base file, in the index of version 2.
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

/// Pieces of one memory block that are adjacent both in memory and in a file, in the index of version 2. The
/// checksum of each piece follows the record; a compressed piece has its stored size before it. Pieces of
/// zeros have neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PieceRangeRecord {
    pub pieces: u32,
    pub codec: Codec,
    /// 0 for this file, else the position in the list of bases, from 1.
    pub base: u32,
    pub offset: u64,
}

impl PieceRangeRecord {
    pub fn encode(&self, encoder: &mut Encoder) {
        encoder.u32(self.pieces);
        encoder.u32(self.codec.encode());
        encoder.u32(self.base);
        encoder.u64(self.offset);
    }

    pub fn decode(decoder: &mut Decoder) -> Result<PieceRangeRecord, Malformed> {
        let pieces = decoder.u32()?;
        let codec = Codec::decode(decoder, VERSION)?;
        let range = PieceRangeRecord { pieces, codec, base: decoder.u32()?, offset: decoder.u64()? };
        let is_sound = pieces > 0 && (codec != Codec::Zero || (range.base, range.offset) == (0, 0));
        is_sound.then_some(range).ok_or(decoder.malformed("where pieces are"))
    }

    pub fn encode_piece(codec: Codec, stored: StoredBytes, encoder: &mut Encoder) {
        match codec {
            Codec::Zero => {}
            Codec::Plain => encoder.u32(stored.crc),
            Codec::Compressed(_) => {
                encoder.u32(stored.bytes);
                encoder.u32(stored.crc);
            }
        }
    }

    /// Reads one piece of the range. `piece_bytes` is its size in memory.
    pub fn decode_piece(&self, piece_bytes: u32, decoder: &mut Decoder) -> Result<StoredBytes, Malformed> {
        let bytes = match self.codec {
            Codec::Zero => return Ok(StoredBytes { bytes: 0, crc: 0 }),
            Codec::Plain => piece_bytes,
            Codec::Compressed(_) => decoder.u32()?,
        };
        Ok(StoredBytes { bytes, crc: decoder.u32()? })
    }
}

/// The last record. A file without it is incomplete.
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

    /// `None` if this is not the tail that belongs to the header.
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

/// The number of pieces of a memory block of this size.
pub fn pieces_of(block_bytes: u64, piece_bytes: u32) -> u64 {
    block_bytes.div_ceil(piece_bytes.into())
}

/// The size of one piece of a memory block.
pub fn bytes_of_piece(block_bytes: u64, piece: u64, piece_bytes: u32) -> u32 {
    let whole = u64::from(piece_bytes);
    block_bytes.saturating_sub(piece.saturating_mul(whole)).min(whole) as u32
}

/// The offset at which a memory block begins if the file is filled up to `offset`.
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

/// Bytes that are not what the format requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{what} is invalid at byte {at}")]
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

    /// A count of the items that follow.
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

/// Reads integers and strings from front to back.
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

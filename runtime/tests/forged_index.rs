//! Forged indexes with right checksums: nothing outside of the content of the file and of its base files is
//! ever read as content. Time and memory are limited by the length of the file.

mod fixture;

use cppc_runtime::agree::SingleProcess;
use cppc_runtime::codec::crc32::{crc32, crc32_seeded};
use cppc_runtime::format::layout::{
    BaseRecord, Codec, Encoder, Header, PieceRangeRecord, StoredBytes, Tail, HEADER_BYTES, TAIL_BYTES,
    VERSION,
};
use cppc_runtime::storage::{Directory, Simulated, Storage};
use cppc_runtime::verify::{self, VerifyError};
use cppc_runtime::write::{Dumper, Options};
use fixture::{expectation, manifest, options, ranges, recorder, APPLICATION};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

const PIECE: u64 = 16 << 10;
const BLOCK: u64 = 4 * PIECE + 300;

/// Two files; the second has one piece of its own and four in the first.
struct Pair {
    disk: Simulated,
    second: PathBuf,
    bytes: Vec<u8>,
    header: (Header, u32),
    tail: Tail,
    base: BaseRecord,
    /// The offset of the first piece in the first file.
    first_at: u64,
    stored: Vec<StoredBytes>,
}

impl Pair {
    fn new() -> Pair {
        let disk = Simulated::new();
        let directory = Directory::new(Arc::new(disk.clone()), Path::new("/state"), APPLICATION, 0);
        let options = Options { full_every: 9, keep: 9, ..options() };
        let mut dumper = Dumper::start(directory.clone(), options, 42, None, recorder().0);
        let mut block: Vec<u8> = (0..BLOCK).map(|at| (at * at / 77 + 1) as u8).collect();
        let pieces = |block: &[u8]| -> Vec<StoredBytes> {
            let stored = |piece: &[u8]| StoredBytes { bytes: piece.len() as u32, crc: crc32(piece) };
            block.chunks(PIECE as usize).map(stored).collect()
        };
        for number in 1..=2 {
            block[5] = number;
            let blocks = [block.clone(), Vec::new(), Vec::new(), Vec::new()];
            let mut described = manifest(42, number.into(), 0, 1, &blocks);
            described.relocations.clear();
            described.shapes.clear();
            // SAFETY: the blocks live until the call returns.
            unsafe { dumper.dump(&SingleProcess::new(), described, &ranges(&blocks)) };
            dumper.wait();
        }
        let (first, second) = (read(&disk, &directory.line(1)), read(&disk, &directory.line(2)));
        let header_of = |bytes: &[u8]| Header::decode(bytes[..HEADER_BYTES].try_into().unwrap()).unwrap();
        let (first_header, header_crc) = header_of(&first);
        let header = header_of(&second);
        let tail = Tail::decode(second[second.len() - TAIL_BYTES..].try_into().unwrap(), header.1).unwrap();
        let pair = Pair {
            disk,
            second: directory.line(2),
            header,
            tail,
            base: BaseRecord { line: 1, header_crc },
            first_at: HEADER_BYTES as u64 + first_header.manifest_bytes,
            stored: pieces(&block),
            bytes: second,
        };
        assert!(pair.open().is_ok());
        pair
    }

    fn open(&self) -> Result<(), VerifyError> {
        verify::open(&self.disk, &self.second, &expectation(0, 1)).map(drop)
    }

    /// The piece that the second file contains itself.
    fn own(&self) -> (PieceRangeRecord, Vec<StoredBytes>) {
        let start = self.tail.index_offset - PIECE;
        (
            PieceRangeRecord { pieces: 1, codec: Codec::Plain, base: 0, offset: start },
            self.stored[..1].to_vec(),
        )
    }

    /// The other pieces.
    fn rest(&self) -> (PieceRangeRecord, Vec<StoredBytes>) {
        let record =
            PieceRangeRecord { pieces: 4, codec: Codec::Plain, base: 1, offset: self.first_at + PIECE };
        (record, self.stored[1..].to_vec())
    }

    /// Gives the second file another index. Returns the error, if any.
    fn with(&self, bases: &[BaseRecord], runs: &[(PieceRangeRecord, Vec<StoredBytes>)]) -> Option<String> {
        let mut index = Encoder::default();
        index.count(bases.len());
        bases.iter().for_each(|base| base.encode(&mut index));
        for (run, stored) in runs {
            run.encode(&mut index);
            stored.iter().for_each(|piece| PieceRangeRecord::encode_piece(run.codec, *piece, &mut index));
        }
        self.with_index(&index.bytes, runs.iter().map(|(run, _)| u64::from(run.pieces)).sum())
    }

    fn with_index(&self, index: &[u8], pieces: u64) -> Option<String> {
        let mut bytes = self.bytes[..self.tail.index_offset as usize].to_vec();
        let tail = Tail {
            pieces,
            file_bytes: (bytes.len() + index.len() + TAIL_BYTES) as u64,
            index_crc: crc32_seeded(self.header.1, index),
            ..self.tail
        };
        bytes.extend(index);
        bytes.extend(tail.encode(self.header.1));
        let file = self.disk.open_for_writing(&self.second).unwrap();
        file.truncate(0).unwrap();
        file.write_at(0, &bytes).unwrap();
        let began = Instant::now();
        let description = verify::describe(&self.disk, &self.second);
        let checked = description.map(|description| verify::check_content(&description));
        let opened = self.open().err().map(|error| error.to_string());
        assert!(began.elapsed() < Duration::from_secs(60), "took {:?}", began.elapsed());
        assert_eq!(opened.is_none(), checked.is_ok_and(|wrong| wrong.is_empty()), "{opened:?}");
        opened
    }
}

fn read(disk: &Simulated, path: &Path) -> Vec<u8> {
    let file = disk.open_for_reading(path).unwrap();
    let mut bytes = vec![0; file.size_bytes().unwrap() as usize];
    file.read_at(0, &mut bytes).unwrap();
    bytes
}

#[test]
fn the_same_index_again_is_good_and_another_division_is_too() {
    let pair = Pair::new();
    assert_eq!(pair.with(&[pair.base], &[pair.own(), pair.rest()]), None);
    let (run, stored) = pair.rest();
    let one = |at: usize| {
        let record = PieceRangeRecord { pieces: 1, offset: run.offset + at as u64 * PIECE, ..run };
        (record, vec![stored[at]])
    };
    assert_eq!(pair.with(&[pair.base], &[pair.own(), one(0), one(1), one(2), one(3)]), None);
}

#[test]
fn bases_that_cannot_be_are_refused() {
    let pair = Pair::new();
    let (own, rest) = (pair.own(), pair.rest());
    let runs = [own, rest];
    for line in [0, 2, 3, u64::MAX] {
        let said = pair.with(&[BaseRecord { line, ..pair.base }], &runs).unwrap();
        assert!(said.contains("its index does not fit"), "{said}");
    }
    assert!(pair.with(&[pair.base, pair.base], &runs).unwrap().contains("its index does not fit"));
    assert!(pair.with(&[], &runs).unwrap().contains("its index does not fit"));
    let said = pair.with(&[BaseRecord { header_crc: 1, ..pair.base }], &runs).unwrap();
    assert!(said.contains("line-000001.cppc`, which is not the base file that it depends on"), "{said}");
    // A base file from which nothing is needed may be missing, but it is not accepted as a base file either.
    assert!(pair
        .with(&[pair.base], &[pair.own(), (PieceRangeRecord { base: 2, ..pair.rest().0 }, pair.rest().1)])
        .is_some());
    // Many names take little time.
    let mut many = Encoder::default();
    many.count(usize::MAX);
    assert!(pair.with_index(&many.bytes, 5).is_some());
}

#[test]
fn places_outside_of_content_are_refused() {
    let pair = Pair::new();
    let (run, stored) = pair.rest();
    let end = pair.first_at + BLOCK;
    for offset in
        [0, 63, pair.first_at - 1, end - (BLOCK - PIECE) + 1, end, 1 << 40, u64::MAX, u64::MAX - BLOCK]
    {
        let said = pair
            .with(&[pair.base], &[pair.own(), (PieceRangeRecord { offset, ..run }, stored.clone())])
            .unwrap();
        assert!(said.contains("does not fit"), "{offset}: {said}");
    }
    // Inside of the content, but not the right bytes: the checksums show it.
    let moved = PieceRangeRecord { offset: run.offset - 1, ..run };
    let said = pair.with(&[pair.base], &[pair.own(), (moved, stored.clone())]).unwrap();
    assert!(said.contains("which is damaged") && said.contains("memory block 0"), "{said}");
    let (own, piece) = pair.own();
    for offset in [0, 64, own.offset - 1, own.offset + 1, own.offset + 4096, pair.tail.index_offset, u64::MAX]
    {
        let other = (PieceRangeRecord { offset, ..own }, piece.clone());
        assert!(pair.with(&[pair.base], &[other, pair.rest()]).is_some(), "{offset}");
    }
    // All content of the file must be used.
    let all_zero = (PieceRangeRecord { pieces: 5, codec: Codec::Zero, base: 0, offset: 0 }, Vec::new());
    assert!(pair.with(&[pair.base], &[all_zero]).unwrap().contains("its index does not fit"));
}

#[test]
fn runs_that_promise_too_much_are_refused() {
    let pair = Pair::new();
    let (run, stored) = pair.rest();
    for pieces in [0, 1, 3, 5, u32::MAX] {
        let other = (PieceRangeRecord { pieces, ..run }, stored.clone());
        assert!(pair.with(&[pair.base], &[pair.own(), other]).is_some(), "{pieces}");
    }
    for (base, offset) in [(1, 0), (0, 1), (1, run.offset)] {
        let zero = (PieceRangeRecord { pieces: 4, codec: Codec::Zero, base, offset }, Vec::new());
        assert!(pair.with(&[pair.base], &[pair.own(), zero]).is_some());
    }
    // Zeros in place of other bytes are another state, not damage.
    let zero = (PieceRangeRecord { pieces: 4, codec: Codec::Zero, base: 0, offset: 0 }, Vec::new());
    assert_eq!(pair.with(&[], &[pair.own(), zero]), None);
    // The same piece repeated, as far as there is memory for it.
    let same = (PieceRangeRecord { pieces: 1, ..pair.own().0 }, pair.own().1);
    let last = (PieceRangeRecord { pieces: 1, offset: run.offset + 3 * PIECE, ..run }, stored[3..].to_vec());
    assert_eq!(pair.with(&[pair.base], &[same.clone(), same.clone(), same.clone(), same, last]), None);
    // Invalid codecs and lengths.
    let mut index = Encoder::default();
    index.count(0);
    for word in [5, 9, 0] {
        index.u32(word);
    }
    index.u64(0);
    assert!(pair.with_index(&index.bytes, 5).is_some());
}

/// A memory block of 2^60 zeros takes 20 bytes in a file: it is not allocated.
#[test]
fn zeros_without_end_are_refused_before_memory_is_taken() {
    let disk = Simulated::new();
    let path = Path::new("/line-000001.cppc");
    for (size_bytes, is_sound) in [(1u64 << 24, true), (1 << 45, false), (1 << 60, false)] {
        let blocks = [vec![1u8; 4], Vec::new(), Vec::new(), Vec::new()];
        let mut described = manifest(1, 1, 0, 1, &blocks);
        described.relocations.clear();
        described.shapes.clear();
        described.blocks[3].size_bytes = size_bytes;
        let encoded = cppc_runtime::format::manifest::encode(&described);
        let header = Header {
            version: VERSION,
            machine: cppc_runtime::machine::Machine::THIS,
            manifest_bytes: encoded.len() as u64,
            manifest_crc: crc32(&encoded),
            run: 1,
            number: 1,
            rank: 0,
            processes: 1,
            piece_bytes: 16 << 20,
        };
        let (record, crc) = header.encode();
        let mut bytes = [&record[..], &encoded, &[1; 4]].concat();
        let index_offset = bytes.len() as u64;
        let mut index = Encoder::default();
        index.count(0);
        let own = PieceRangeRecord { pieces: 1, codec: Codec::Plain, base: 0, offset: index_offset - 4 };
        own.encode(&mut index);
        PieceRangeRecord::encode_piece(
            Codec::Plain,
            StoredBytes { bytes: 4, crc: crc32(&[1; 4]) },
            &mut index,
        );
        let (mut left, mut pieces) = (size_bytes.div_ceil(16 << 20), 1);
        while left > 0 {
            let run = PieceRangeRecord {
                pieces: left.min(u32::MAX.into()) as u32,
                codec: Codec::Zero,
                base: 0,
                offset: 0,
            };
            run.encode(&mut index);
            left -= u64::from(run.pieces);
            pieces += u64::from(run.pieces);
        }
        bytes.extend(&index.bytes);
        let file_bytes = (bytes.len() + TAIL_BYTES) as u64;
        let tail = Tail { index_offset, pieces, file_bytes, index_crc: crc32_seeded(crc, &index.bytes) };
        bytes.extend(tail.encode(crc));
        let file = disk.open_for_writing(path).unwrap();
        file.truncate(0).unwrap();
        file.write_at(0, &bytes).unwrap();
        let description = verify::describe(&disk, path).unwrap();
        assert_eq!(verify::check_content(&description).is_empty(), is_sound);
        let part = verify::read_part(&description, 3, size_bytes - 100, 100).unwrap();
        assert_eq!(part, [0; 100]);
        assert_eq!(description.share(3, 0..size_bytes).zero, size_bytes);
        let opened = verify::open(&disk, path, &expectation(0, 1));
        assert_eq!(opened.is_ok(), is_sound);
        assert!(
            is_sound || opened.unwrap_err().to_string().contains("bytes of memory, which are not available")
        );
    }
}

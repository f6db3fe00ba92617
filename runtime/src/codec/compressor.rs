//! Compresses pieces that become smaller by it.
//!
//! Input: pieces of memory blocks.
//! Output: the compressed bytes of the pieces that compression makes small enough.
//! Postcondition: a compressed piece is smaller than the plain one by at least a sixteenth. The result for a
//! piece depends only on its bytes and the size of its elements, so any number of threads writes the same
//! file.
//!
//! # When compression pays
//!
//! Deflate is slow on bytes that it cannot compress, and a piece for which it fails takes as long as one for
//! which it succeeds. So a sample of a sixty-fourth (more of small pieces) is compressed first, as it is and
//! with the bytes of its elements grouped. If one of the two gets smaller, the whole piece is compressed in
//! the order that gave the better result. If neither does, the piece may still contain repetitions over a
//! distance, such as equal rows of an array, which a sample does not show. LZ4 finds these and skips quickly
//! over random bytes, so LZ4 tries the whole piece. With this rule, a piece of random bytes of 64 KiB or more
//! takes less than a tenth of the time that deflate would need for it.

use super::deflate::Deflater;
use super::lz4::Lz4;
use super::method::{Algorithm, Method, WIDEST};
use super::shuffle::shuffle;
use crate::settings::Compression;
use std::num::NonZeroUsize;

/// Which pieces are compressed, how, and by how many threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CompressionOptions {
    pub compress: Compression,
    /// Memory blocks whose registers have fewer elements than this stay plain.
    pub from_elements: u64,
    /// Number of threads: 1 uses only the thread that writes, 0 uses one thread per processor.
    pub threads: u64,
}

/// More threads do not help: the disk is slower than they are.
const MOST_THREADS: usize = 64;

impl CompressionOptions {
    /// The number of threads to use.
    pub fn threads(&self) -> usize {
        if self.compress == Compression::None {
            return 1;
        }
        let wanted = match self.threads {
            0 => std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
            some => usize::try_from(some).unwrap_or(MOST_THREADS),
        };
        wanted.min(MOST_THREADS)
    }
}

/// A compressed piece. Its buffer is reused for the next piece.
#[derive(Debug, Default)]
pub struct CompressedPiece {
    room: Vec<u8>,
    length: usize,
}

impl CompressedPiece {
    pub fn bytes(&self) -> &[u8] {
        &self.room[..self.length]
    }
}

/// Compresses pieces, one after the other.
pub struct Compressor {
    /// `None` leaves every piece plain.
    engine: Option<Engine>,
    /// The buffer for compressions of which only the length matters.
    trial: Vec<u8>,
    sample: Vec<u8>,
    grouped: Vec<u8>,
}

/// Compresses bytes, whether they get smaller or not.
enum Engine {
    Deflate { deflater: Deflater, scout: Lz4 },
    Lz4(Lz4),
}

/// A piece of at least this size is sampled before it is compressed.
const SAMPLED_FROM_BYTES: usize = 8 << 10;
/// A sample consists of this many evenly spaced ranges.
const STRETCHES: usize = 4;

impl Compressor {
    pub fn new(compress: Compression) -> Compressor {
        let engine = match compress {
            Compression::None => None,
            Compression::Deflate(level) => {
                Some(Engine::Deflate { deflater: Deflater::new(level), scout: Lz4::new() })
            }
            Compression::Lz4 => Some(Engine::Lz4(Lz4::new())),
        };
        Compressor { engine, trial: Vec::new(), sample: Vec::new(), grouped: Vec::new() }
    }

    /// Compresses `piece` into `compressed`, replacing its content, and returns the method. `None`: the piece is
    /// to be stored plain. `width` is the size of its elements in bytes, or 0 if they differ in size.
    pub fn compress(&mut self, piece: &[u8], width: u64, compressed: &mut CompressedPiece) -> Option<Method> {
        compressed.length = 0;
        let width = u8::try_from(width).ok().filter(|width| (2..=WIDEST).contains(width)).unwrap_or(0);
        let width = self.choose_width(piece, width)?;
        let engine = self.engine.as_mut()?;
        let bytes = if width == 0 { piece } else { grouped(piece, width, &mut self.grouped) };
        compressed.length = engine.compress(bytes, worth_bytes(piece.len())?, &mut compressed.room)?;
        Method::of(engine.codec(), width)
    }

    /// Returns 0 if the bytes are better left in their order, and `None` if the piece is not worth
    /// compressing.
    fn choose_width(&mut self, piece: &[u8], width: u8) -> Option<u8> {
        let engine = self.engine.as_mut()?;
        take_sample(piece, width.into(), &mut self.sample);
        let sample = &self.sample;
        // A sample compresses less well than the whole piece, which contains more repetitions. So half of
        // the usual gain is enough.
        let good = sample.len() - sample.len() / 32;
        let plain = engine.compress(sample, good, &mut self.trial);
        let by_group = match width {
            0 => None,
            _ => engine.compress(grouped(sample, width, &mut self.grouped), good, &mut self.trial),
        };
        match (plain, by_group) {
            (None, None) if piece.len() < SAMPLED_FROM_BYTES => None,
            (None, None) => engine.repeats(piece, &mut self.trial).then_some(0),
            (Some(plain), Some(by_group)) if plain <= by_group => Some(0),
            (_, Some(_)) => Some(width),
            (Some(_), None) => Some(0),
        }
    }
}

impl Engine {
    fn codec(&self) -> Algorithm {
        match self {
            Engine::Deflate { .. } => Algorithm::Deflate,
            Engine::Lz4(_) => Algorithm::Lz4,
        }
    }

    /// Compresses the bytes. Returns their length if it is at most `most`.
    fn compress(&mut self, bytes: &[u8], most: usize, room: &mut Vec<u8>) -> Option<usize> {
        let length = match self {
            Engine::Deflate { deflater, .. } => deflater.compress(bytes, first(room, most)),
            Engine::Lz4(lz4) => lz4.compress(bytes, first(room, Lz4::room_bytes(bytes.len()))),
        };
        length.filter(|&length| length <= most)
    }

    /// Whether the piece contains repetitions.
    fn repeats(&mut self, piece: &[u8], room: &mut Vec<u8>) -> bool {
        let Engine::Deflate { scout, .. } = self else {
            // LZ4 finds this out just as fast by compressing the piece.
            return true;
        };
        let length = scout.compress(piece, first(room, Lz4::room_bytes(piece.len())));
        length.zip(worth_bytes(piece.len())).is_some_and(|(length, worth)| length <= worth)
    }
}

/// The largest size at which a piece of this size is stored compressed. `None`: no compressed size is small
/// enough.
fn worth_bytes(piece_bytes: usize) -> Option<usize> {
    piece_bytes.checked_sub((piece_bytes / 16).max(1)).filter(|&worth| worth > 0)
}

/// Copies ranges of whole elements, or the whole of a small piece.
fn take_sample(piece: &[u8], width: usize, sample: &mut Vec<u8>) {
    sample.clear();
    if piece.len() < SAMPLED_FROM_BYTES {
        sample.extend_from_slice(piece);
        return;
    }
    let whole = |bytes: usize| bytes - bytes % width.max(1);
    // A sixty-fourth in total, but an eighth of small pieces, since a smaller sample would not be
    // representative.
    let stretch_bytes = whole((piece.len() / 64 / STRETCHES).max((piece.len() / 8 / STRETCHES).min(1 << 10)));
    let apart = whole(piece.len() / STRETCHES);
    for stretch in piece.chunks(apart).take(STRETCHES) {
        sample.extend_from_slice(&stretch[..stretch_bytes.min(stretch.len())]);
    }
}

fn grouped<'a>(bytes: &[u8], width: u8, room: &'a mut Vec<u8>) -> &'a [u8] {
    let into = first(room, bytes.len());
    shuffle(bytes, width.into(), into);
    into
}

/// The beginning of the buffer, which grows if it is too small. Its content is not cleared.
fn first(room: &mut Vec<u8>, bytes: usize) -> &mut [u8] {
    if room.len() < bytes {
        room.resize(bytes, 0);
    }
    &mut room[..bytes]
}

#[cfg(test)]
mod tests {
    use super::super::Malformed;
    use super::*;

    const ALL: [Compression; 4] =
        [Compression::Deflate(1), Compression::Deflate(6), Compression::Deflate(9), Compression::Lz4];
    const MIB: usize = 1 << 20;

    struct Noise(u64);

    impl Noise {
        fn next(&mut self) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0
        }

        fn bytes(&mut self, length: usize) -> Vec<u8> {
            (0..length).map(|_| (self.next() >> 32) as u8).collect()
        }
    }

    /// Typical contents of memory and some that do not compress, with the size of an element.
    fn pieces() -> Vec<(&'static str, u64, Vec<u8>)> {
        let mut noise = Noise(1);
        let row = noise.bytes(16 << 10);
        let field = |at: usize| ((at % 500) as f64 / 500.0 * 3.1).sin() * ((at / 500) as f64).cos();
        let mut half = noise.bytes(MIB / 2);
        half.resize(MIB, 7);
        vec![
            ("zeros", 8, vec![0; MIB]),
            ("noise", 8, noise.bytes(MIB)),
            ("equal rows", 8, row.iter().cycle().take(MIB).copied().collect()),
            ("a field", 8, (0..MIB / 8).flat_map(|at| field(at).to_le_bytes()).collect()),
            ("a field, rounded", 4, (0..MIB / 4).flat_map(|at| (field(at) as f32).to_le_bytes()).collect()),
            (
                "small numbers",
                4,
                (0..MIB / 4).flat_map(|_| (noise.next() as u32 % 1000).to_le_bytes()).collect(),
            ),
            ("indices", 4, (0..MIB as u32 / 4).flat_map(u32::to_le_bytes).collect()),
            ("half", 1, half),
            (
                "structures",
                24,
                (0..MIB / 8)
                    .flat_map(|at| if at % 3 == 0 { at as u64 } else { field(at).to_bits() }.to_le_bytes())
                    .take(MIB)
                    .collect(),
            ),
        ]
    }

    #[test]
    fn pieces_of_every_size_come_back() {
        let mut noise = Noise(2);
        let (mut compressed, mut scratch, mut count) = (CompressedPiece::default(), Vec::new(), 0);
        for compress in ALL {
            let mut compressor = Compressor::new(compress);
            for (name, width, piece) in pieces() {
                for _ in 0..12 {
                    let length = match noise.next() % 4 {
                        0 => noise.next() as usize % 40,
                        1 => noise.next() as usize % 3000,
                        2 => SAMPLED_FROM_BYTES - 20 + noise.next() as usize % 40,
                        _ => MIB - noise.next() as usize % 3,
                    };
                    let from = noise.next() as usize % (MIB - length + 1);
                    let piece = &piece[from..from + length];
                    let Some(method) = compressor.compress(piece, width, &mut compressed) else { continue };
                    count += 1;
                    assert!(compressed.bytes().len() + (length / 16).max(1) <= length, "{compress:?} {name}");
                    assert!(
                        length as u64 <= compressed.bytes().len() as u64 * method.algorithm.max_ratio(),
                        "{compress:?} {name}"
                    );
                    let mut back = vec![0xa5; length];
                    assert_eq!(method.decompress(compressed.bytes(), &mut back, &mut scratch), Ok(()));
                    assert!(back == piece, "{compress:?} {name} {length}");
                }
            }
        }
        assert!(count > 100, "{count} pieces were compressed");
    }

    #[test]
    fn what_shrinks_is_packed_and_what_does_not_is_left() {
        let packs = |compress: Compression| -> Vec<&str> {
            let mut compressor = Compressor::new(compress);
            let mut is_packed = |width, piece: &[u8]| {
                compressor.compress(piece, width, &mut CompressedPiece::default()).is_some()
            };
            pieces()
                .iter()
                .filter(|(_, width, piece)| is_packed(*width, piece))
                .map(|(name, ..)| *name)
                .collect()
        };
        assert_eq!(packs(Compression::None), Vec::<&str>::new());
        let all: Vec<&str> =
            pieces().iter().map(|(name, ..)| *name).filter(|&name| name != "noise").collect();
        for compress in ALL {
            assert_eq!(packs(compress), all, "{compress:?}");
        }
    }

    #[test]
    fn a_piece_is_packed_alike_whatever_came_before() {
        for compress in ALL {
            let mut used = Compressor::new(compress);
            let mut room = CompressedPiece::default();
            for (name, width, piece) in pieces().iter().chain(&pieces()) {
                let mut fresh = CompressedPiece::default();
                let method = Compressor::new(compress).compress(piece, *width, &mut fresh);
                assert_eq!(used.compress(piece, *width, &mut room), method, "{compress:?} {name}");
                assert!(method.is_none() || room.bytes() == fresh.bytes(), "{compress:?} {name}");
            }
        }
    }

    #[test]
    fn other_lengths_and_cut_or_longer_input_are_refused() {
        for compress in ALL {
            let piece: Vec<u8> = (0..250u32).flat_map(|at| (at * at).to_le_bytes()).collect();
            let mut compressed = CompressedPiece::default();
            let method = Compressor::new(compress).compress(&piece, 4, &mut compressed).unwrap();
            assert_eq!(method.width, 4);
            let compressed = compressed.bytes();
            let decompress = |compressed: &[u8], length| {
                method.decompress(compressed, &mut vec![0; length], &mut Vec::new())
            };
            assert_eq!(decompress(compressed, 999), Err(Malformed));
            assert_eq!(decompress(compressed, 1001), Err(Malformed));
            assert_eq!(decompress(compressed, 0), Err(Malformed));
            assert_eq!(decompress(&[compressed, &[0]].concat(), 1000), Err(Malformed));
            for cut in 0..compressed.len() {
                assert_eq!(decompress(&compressed[..cut], 1000), Err(Malformed));
            }
        }
    }

    /// Such bytes cause no panic, and no memory beyond the piece is written.
    #[test]
    fn hostile_bytes_are_refused_or_fill_the_piece() {
        let mut noise = Noise(3);
        for compress in ALL {
            let mut compressed = CompressedPiece::default();
            let method =
                Compressor::new(compress).compress(&pieces()[5].2[..5000], 4, &mut compressed).unwrap();
            let decompress = |compressed: &[u8], length| {
                method.decompress(compressed, &mut vec![0; length], &mut Vec::new())
            };
            let good = compressed.bytes();
            for _ in 0..4_000 {
                let mut bad = good.to_vec();
                for _ in 0..=noise.next() % 3 {
                    let at = noise.next() as usize % bad.len();
                    bad[at] = if noise.next() % 2 == 0 { 0xff } else { noise.next() as u8 };
                }
                bad.truncate(1 + noise.next() as usize % bad.len());
                let _ = decompress(&bad, 5000);
                let _ = decompress(&noise.bytes(64), 100);
            }
            // Lengths that continue for ever.
            for byte in [0x00, 0x0f, 0x1f, 0xf0, 0xff] {
                let _ = decompress(&vec![byte; MIB - 1], MIB);
            }
        }
    }
}

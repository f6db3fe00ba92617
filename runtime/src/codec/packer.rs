//! Makes pieces smaller where that pays.
//!
//! In: pieces of blocks. Out: the packed bytes of those that are worth it. Holds afterwards: a packed
//! piece is smaller than the plain one by a sixteenth at least; what becomes of a piece depends on its
//! bytes alone, so that any number of threads writes the same file.
//!
//! # Where it pays
//!
//! Deflate is slow on what does not shrink, and a piece that was not worth it has cost as much as one
//! that was. So it is asked first whether there is hope, in two ways that together take a twentieth
//! of the time: deflate itself on a sample of a sixty-fourth, which sees unevenly frequent bytes, and
//! LZ4 on the whole piece, which hurries over noise and sees what repeats at a distance (equal rows
//! of an array). Where neither shrinks the piece is stored plain.
//!
//! LZ4 needs no such question: it takes longer steps the longer it finds nothing.

use super::deflate::Deflater;
use super::lz4::Lz4;
use super::method::Method;
use crate::settings::Compression;
use std::num::NonZeroUsize;

/// Which pieces are packed, with what and by how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Packing {
    pub compress: Compression,
    /// Memory blocks whose registers have fewer elements than this are left plain.
    pub from_elements: u64,
    /// Threads that pack: 1 for the one that writes, 0 for as many as there are processors.
    pub threads: u64,
}

/// More have nothing to do: the disk does not keep up.
const MOST_THREADS: usize = 64;

impl Packing {
    /// The number of threads to use.
    pub fn threads(&self) -> usize {
        let wanted = match self.threads {
            0 => std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
            some => usize::try_from(some).unwrap_or(MOST_THREADS),
        };
        wanted.min(MOST_THREADS)
    }
}

/// A packed piece; the room is kept for the next one.
#[derive(Debug, Default)]
pub struct Packed {
    room: Vec<u8>,
    length: usize,
}

impl Packed {
    pub fn bytes(&self) -> &[u8] {
        &self.room[..self.length]
    }

    /// Room for this many bytes; what is in it is of no interest.
    fn room(&mut self, bytes: usize) -> &mut [u8] {
        if self.room.len() < bytes {
            self.room.resize(bytes, 0);
        }
        &mut self.room[..bytes]
    }
}

/// Packs pieces, one after the other.
pub enum Packer {
    /// Leaves every piece plain.
    None,
    Deflate { deflater: Deflater, scout: Lz4, sample: Vec<u8> },
    Lz4(Lz4),
}

/// From this size on it is asked whether there is hope.
const ASKED_FROM_BYTES: usize = 32 << 10;
/// A sample is this many stretches, evenly spread.
const STRETCHES: usize = 4;

/// A sixty-fourth all together, but no less than says something.
fn stretch_bytes(piece_bytes: usize) -> usize {
    (piece_bytes / 64 / STRETCHES).max(1 << 10)
}

impl Packer {
    pub fn new(compress: Compression) -> Packer {
        match compress {
            Compression::None => Packer::None,
            Compression::Deflate(level) => {
                Packer::Deflate { deflater: Deflater::new(level), scout: Lz4::new(), sample: Vec::new() }
            }
            Compression::Lz4 => Packer::Lz4(Lz4::new()),
        }
    }

    /// Packs `piece` into `packed`, in place of what was there, and says how; none when it is to be
    /// stored plain.
    pub fn pack(&mut self, piece: &[u8], packed: &mut Packed) -> Option<Method> {
        packed.length = 0;
        let worth = worth_bytes(piece.len())?;
        let (length, method) = match self {
            Packer::None => return None,
            Packer::Deflate { deflater, scout, sample } => {
                let asked = piece.len() >= ASKED_FROM_BYTES;
                if asked && !sample_shrinks(deflater, piece, sample, packed) && !repeats(scout, piece, packed) {
                    return None;
                }
                (deflater.pack(piece, packed.room(worth))?, Method::Deflate)
            }
            Packer::Lz4(lz4) => {
                let length = lz4.pack(piece, packed.room(Lz4::room_bytes(piece.len())))?;
                (length, Method::Lz4)
            }
        };
        if length > worth {
            return None;
        }
        packed.length = length;
        Some(method)
    }
}

/// What a piece of this size may take to be stored packed; none when it cannot be small enough.
fn worth_bytes(piece_bytes: usize) -> Option<usize> {
    piece_bytes.checked_sub((piece_bytes / 16).max(1)).filter(|&worth| worth > 0)
}

/// A sample shrinks less than the whole, which has more to refer to: half as much is a good sign.
fn sample_shrinks(deflater: &mut Deflater, piece: &[u8], sample: &mut Vec<u8>, packed: &mut Packed) -> bool {
    sample.clear();
    for stretch in piece.chunks(piece.len() / STRETCHES).take(STRETCHES) {
        sample.extend_from_slice(&stretch[..stretch_bytes(piece.len()).min(stretch.len())]);
    }
    let good = sample.len() - sample.len() / 32;
    deflater.pack(sample, packed.room(good)).is_some()
}

fn repeats(scout: &mut Lz4, piece: &[u8], packed: &mut Packed) -> bool {
    let length = scout.pack(piece, packed.room(Lz4::room_bytes(piece.len())));
    length.zip(worth_bytes(piece.len())).is_some_and(|(length, worth)| length <= worth)
}

#[cfg(test)]
mod tests {
    use super::super::method::Malformed;
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

    /// What programs have in their memory, and what they do not.
    fn pieces() -> Vec<(&'static str, Vec<u8>)> {
        let mut noise = Noise(1);
        let row = noise.bytes(16 << 10);
        let field = |at: usize| ((at % 500) as f64 / 500.0 * 3.1).sin() * ((at / 500) as f64).cos();
        let mut half = noise.bytes(MIB / 2);
        half.resize(MIB, 7);
        vec![
            ("zeros", vec![0; MIB]),
            ("noise", noise.bytes(MIB)),
            ("equal rows", row.iter().cycle().take(MIB).copied().collect()),
            ("a field", (0..MIB / 8).flat_map(|at| field(at).to_le_bytes()).collect()),
            ("a field, rounded", (0..MIB / 4).flat_map(|at| (field(at) as f32).to_le_bytes()).collect()),
            ("small numbers", (0..MIB / 4).flat_map(|_| (noise.next() as u32 % 1000).to_le_bytes()).collect()),
            ("indices", (0..MIB as u32 / 4).flat_map(u32::to_le_bytes).collect()),
            ("half", half),
        ]
    }

    #[test]
    fn pieces_of_every_size_come_back() {
        let mut noise = Noise(2);
        let (mut packed, mut count) = (Packed::default(), 0);
        for compress in ALL {
            let mut packer = Packer::new(compress);
            for (name, piece) in pieces() {
                for _ in 0..40 {
                    let length = match noise.next() % 4 {
                        0 => noise.next() as usize % 40,
                        1 => noise.next() as usize % 3000,
                        2 => ASKED_FROM_BYTES - 20 + noise.next() as usize % 40,
                        _ => MIB - noise.next() as usize % 3,
                    };
                    let from = noise.next() as usize % (MIB - length + 1);
                    let piece = &piece[from..from + length];
                    let Some(method) = packer.pack(piece, &mut packed) else { continue };
                    count += 1;
                    assert!(packed.bytes().len() + (length / 16).max(1) <= length, "{compress:?} {name}");
                    assert!(length as u64 <= packed.bytes().len() as u64 * method.max_ratio(), "{compress:?} {name}");
                    let mut back = vec![0xa5; length];
                    assert_eq!(method.unpack(packed.bytes(), &mut back), Ok(()));
                    assert!(back == piece, "{compress:?} {name} {length}");
                }
            }
        }
        assert!(count > 200, "{count} pieces were packed");
    }

    #[test]
    fn what_shrinks_is_packed_and_what_does_not_is_left() {
        let packs = |compress: Compression| -> Vec<&str> {
            let mut packer = Packer::new(compress);
            let mut is_packed = |piece: &[u8]| packer.pack(piece, &mut Packed::default()).is_some();
            pieces().iter().filter(|(_, piece)| is_packed(piece)).map(|(name, _)| *name).collect()
        };
        assert_eq!(packs(Compression::None), Vec::<&str>::new());
        let everywhere = ["zeros", "equal rows", "small numbers", "half"];
        for compress in ALL {
            let packed = packs(compress);
            assert!(everywhere.iter().all(|name| packed.contains(name)), "{compress:?} {packed:?}");
            assert!(!packed.contains(&"noise"), "{compress:?}");
        }
        assert!(packs(Compression::Deflate(6)).contains(&"a field, rounded"));
        assert!(packs(Compression::Deflate(6)).contains(&"indices"));
    }

    #[test]
    fn a_piece_is_packed_alike_whatever_came_before() {
        for compress in ALL {
            let mut used = Packer::new(compress);
            let mut room = Packed::default();
            for (name, piece) in pieces().iter().chain(&pieces()) {
                let mut fresh = Packed::default();
                let method = Packer::new(compress).pack(piece, &mut fresh);
                assert_eq!(used.pack(piece, &mut room), method, "{compress:?} {name}");
                assert!(method.is_none() || room.bytes() == fresh.bytes(), "{compress:?} {name}");
            }
        }
    }

    #[test]
    fn other_lengths_and_cut_or_longer_input_are_refused() {
        for compress in ALL {
            let piece: Vec<u8> = (0..1000u32).map(|at| (at / 50) as u8).collect();
            let mut packed = Packed::default();
            let method = Packer::new(compress).pack(&piece, &mut packed).unwrap();
            let packed = packed.bytes();
            assert_eq!(method.unpack(packed, &mut [0; 999]), Err(Malformed));
            assert_eq!(method.unpack(packed, &mut [0; 1001]), Err(Malformed));
            assert_eq!(method.unpack(packed, &mut []), Err(Malformed));
            assert_eq!(method.unpack(&[packed, &[0]].concat(), &mut [0; 1000]), Err(Malformed));
            for cut in 0..packed.len() {
                assert_eq!(method.unpack(&packed[..cut], &mut [0; 1000]), Err(Malformed));
            }
        }
    }

    /// No panic, and no more than the memory that is there.
    #[test]
    fn hostile_bytes_are_refused_or_fill_the_piece() {
        let mut noise = Noise(3);
        for compress in ALL {
            let mut packed = Packed::default();
            let method = Packer::new(compress).pack(&pieces()[5].1[..5000], &mut packed).unwrap();
            let good = packed.bytes();
            for _ in 0..20_000 {
                let mut bad = good.to_vec();
                for _ in 0..=noise.next() % 3 {
                    let at = noise.next() as usize % bad.len();
                    bad[at] = if noise.next() % 2 == 0 { 0xff } else { noise.next() as u8 };
                }
                bad.truncate(1 + noise.next() as usize % bad.len());
                let _ = method.unpack(&bad, &mut [0; 5000]);
                let _ = method.unpack(&noise.bytes(64), &mut [0; 100]);
            }
            // Lengths that go on and on.
            for byte in [0x00, 0x0f, 0x1f, 0xf0, 0xff] {
                let _ = method.unpack(&vec![byte; MIB - 1], &mut vec![0; MIB]);
            }
        }
    }
}

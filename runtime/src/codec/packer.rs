//! Makes pieces smaller where that pays.
//!
//! In: pieces of blocks. Out: the packed bytes of those that are worth it. Holds afterwards: a packed
//! piece is smaller than the plain one by a sixteenth at least; what becomes of a piece depends on its
//! bytes and the size of its elements alone, so that any number of threads writes the same file.
//!
//! # Where it pays
//!
//! Deflate is slow on what does not shrink, and a piece that was not worth it has cost as much as one
//! that was. So a sample of a sixty-fourth (more of small pieces) is packed first, as it is and with the
//! bytes of its elements grouped. Where one of the two shrinks, the whole is packed in the way that came out smaller. Where
//! none does there is one hope left: what repeats at a distance, as equal rows of an array do, which a
//! sample does not show. LZ4 sees that, and hurries over noise; it is asked about the whole piece. With all
//! that a piece of 64 KiB or more of noise takes less than a tenth of what deflate would take in vain.

use super::deflate::Deflater;
use super::group::group;
use super::lz4::Lz4;
use super::method::{Codec, Method, WIDEST};
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
}

/// Packs pieces, one after the other.
pub struct Packer {
    /// None leaves every piece plain.
    press: Option<Press>,
    /// What pieces are packed into when only the length is of interest.
    trial: Vec<u8>,
    sample: Vec<u8>,
    grouped: Vec<u8>,
}

/// Packs bytes, whatever comes of it.
enum Press {
    Deflate { deflater: Deflater, scout: Lz4 },
    Lz4(Lz4),
}

/// From this size on a sample says what there is to hope for.
const SAMPLED_FROM_BYTES: usize = 8 << 10;
/// A sample is this many stretches, evenly spread.
const STRETCHES: usize = 4;

impl Packer {
    pub fn new(compress: Compression) -> Packer {
        let press = match compress {
            Compression::None => None,
            Compression::Deflate(level) => {
                Some(Press::Deflate { deflater: Deflater::new(level), scout: Lz4::new() })
            }
            Compression::Lz4 => Some(Press::Lz4(Lz4::new())),
        };
        Packer { press, trial: Vec::new(), sample: Vec::new(), grouped: Vec::new() }
    }

    /// Packs `piece` into `packed`, in place of what was there, and says how; none when it is to be
    /// stored plain. `width` is the size of its elements in bytes, 0 when it has none of one size.
    pub fn pack(&mut self, piece: &[u8], width: u64, packed: &mut Packed) -> Option<Method> {
        packed.length = 0;
        let width = u8::try_from(width).ok().filter(|width| (2..=WIDEST).contains(width)).unwrap_or(0);
        let width = self.choose_width(piece, width)?;
        let press = self.press.as_mut()?;
        let bytes = if width == 0 { piece } else { grouped(piece, width, &mut self.grouped) };
        packed.length = press.pack(bytes, worth_bytes(piece.len())?, &mut packed.room)?;
        Method::of(press.codec(), width)
    }

    /// 0 when the piece is better left in its order; none when it is not to be packed at all.
    fn choose_width(&mut self, piece: &[u8], width: u8) -> Option<u8> {
        let press = self.press.as_mut()?;
        take_sample(piece, width.into(), &mut self.sample);
        let sample = &self.sample;
        // It shrinks less than the whole, which has more to refer to: half as much is a good sign.
        let good = sample.len() - sample.len() / 32;
        let plain = press.pack(sample, good, &mut self.trial);
        let by_group = match width {
            0 => None,
            _ => press.pack(grouped(sample, width, &mut self.grouped), good, &mut self.trial),
        };
        match (plain, by_group) {
            (None, None) if piece.len() < SAMPLED_FROM_BYTES => None,
            (None, None) => press.repeats(piece, &mut self.trial).then_some(0),
            (Some(plain), Some(by_group)) if plain <= by_group => Some(0),
            (_, Some(_)) => Some(width),
            (Some(_), None) => Some(0),
        }
    }
}

impl Press {
    fn codec(&self) -> Codec {
        match self {
            Press::Deflate { .. } => Codec::Deflate,
            Press::Lz4(_) => Codec::Lz4,
        }
    }

    /// Packs the bytes; says their length if they take no more than `most`.
    fn pack(&mut self, bytes: &[u8], most: usize, room: &mut Vec<u8>) -> Option<usize> {
        let length = match self {
            Press::Deflate { deflater, .. } => deflater.pack(bytes, first(room, most)),
            Press::Lz4(lz4) => lz4.pack(bytes, first(room, Lz4::room_bytes(bytes.len()))),
        };
        length.filter(|&length| length <= most)
    }

    /// Whether there is something in it that was there before.
    fn repeats(&mut self, piece: &[u8], room: &mut Vec<u8>) -> bool {
        let Press::Deflate { scout, .. } = self else {
            // LZ4 finds out as fast by packing it.
            return true;
        };
        let length = scout.pack(piece, first(room, Lz4::room_bytes(piece.len())));
        length.zip(worth_bytes(piece.len())).is_some_and(|(length, worth)| length <= worth)
    }
}

/// What a piece of this size may take to be stored packed; none when it cannot be small enough.
fn worth_bytes(piece_bytes: usize) -> Option<usize> {
    piece_bytes.checked_sub((piece_bytes / 16).max(1)).filter(|&worth| worth > 0)
}

/// Stretches of whole elements; of a small piece all.
fn take_sample(piece: &[u8], width: usize, sample: &mut Vec<u8>) {
    sample.clear();
    if piece.len() < SAMPLED_FROM_BYTES {
        sample.extend_from_slice(piece);
        return;
    }
    let whole = |bytes: usize| bytes - bytes % width.max(1);
    // A sixty-fourth all together; an eighth of small pieces, since less would say nothing.
    let stretch_bytes = whole((piece.len() / 64 / STRETCHES).max((piece.len() / 8 / STRETCHES).min(1 << 10)));
    let apart = whole(piece.len() / STRETCHES);
    for stretch in piece.chunks(apart).take(STRETCHES) {
        sample.extend_from_slice(&stretch[..stretch_bytes.min(stretch.len())]);
    }
}

fn grouped<'a>(bytes: &[u8], width: u8, room: &'a mut Vec<u8>) -> &'a [u8] {
    let into = first(room, bytes.len());
    group(bytes, width.into(), into);
    into
}

/// The beginning of the room, which grows when it is too small; what is in it is of no interest.
fn first(room: &mut Vec<u8>, bytes: usize) -> &mut [u8] {
    if room.len() < bytes {
        room.resize(bytes, 0);
    }
    &mut room[..bytes]
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

    /// What programs have in their memory, and what they do not, with the size of an element.
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
            ("small numbers", 4, (0..MIB / 4).flat_map(|_| (noise.next() as u32 % 1000).to_le_bytes()).collect()),
            ("indices", 4, (0..MIB as u32 / 4).flat_map(u32::to_le_bytes).collect()),
            ("half", 1, half),
            ("structures", 24, (0..MIB / 8).flat_map(|at| if at % 3 == 0 { at as u64 } else { field(at).to_bits() }.to_le_bytes()).take(MIB).collect()),
        ]
    }

    #[test]
    fn pieces_of_every_size_come_back() {
        let mut noise = Noise(2);
        let (mut packed, mut scratch, mut count) = (Packed::default(), Vec::new(), 0);
        for compress in ALL {
            let mut packer = Packer::new(compress);
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
                    let Some(method) = packer.pack(piece, width, &mut packed) else { continue };
                    count += 1;
                    assert!(packed.bytes().len() + (length / 16).max(1) <= length, "{compress:?} {name}");
                    assert!(length as u64 <= packed.bytes().len() as u64 * method.codec.max_ratio(), "{compress:?} {name}");
                    let mut back = vec![0xa5; length];
                    assert_eq!(method.unpack(packed.bytes(), &mut back, &mut scratch), Ok(()));
                    assert!(back == piece, "{compress:?} {name} {length}");
                }
            }
        }
        assert!(count > 100, "{count} pieces were packed");
    }

    #[test]
    fn what_shrinks_is_packed_and_what_does_not_is_left() {
        let packs = |compress: Compression| -> Vec<&str> {
            let mut packer = Packer::new(compress);
            let mut is_packed = |width, piece: &[u8]| packer.pack(piece, width, &mut Packed::default()).is_some();
            pieces().iter().filter(|(_, width, piece)| is_packed(*width, piece)).map(|(name, ..)| *name).collect()
        };
        assert_eq!(packs(Compression::None), Vec::<&str>::new());
        let all: Vec<&str> = pieces().iter().map(|(name, ..)| *name).filter(|&name| name != "noise").collect();
        for compress in ALL {
            assert_eq!(packs(compress), all, "{compress:?}");
        }
    }

    #[test]
    fn a_piece_is_packed_alike_whatever_came_before() {
        for compress in ALL {
            let mut used = Packer::new(compress);
            let mut room = Packed::default();
            for (name, width, piece) in pieces().iter().chain(&pieces()) {
                let mut fresh = Packed::default();
                let method = Packer::new(compress).pack(piece, *width, &mut fresh);
                assert_eq!(used.pack(piece, *width, &mut room), method, "{compress:?} {name}");
                assert!(method.is_none() || room.bytes() == fresh.bytes(), "{compress:?} {name}");
            }
        }
    }

    #[test]
    fn other_lengths_and_cut_or_longer_input_are_refused() {
        for compress in ALL {
            let piece: Vec<u8> = (0..250u32).flat_map(|at| (at * at).to_le_bytes()).collect();
            let mut packed = Packed::default();
            let method = Packer::new(compress).pack(&piece, 4, &mut packed).unwrap();
            assert_eq!(method.width, 4);
            let packed = packed.bytes();
            let unpack = |packed: &[u8], length| method.unpack(packed, &mut vec![0; length], &mut Vec::new());
            assert_eq!(unpack(packed, 999), Err(Malformed));
            assert_eq!(unpack(packed, 1001), Err(Malformed));
            assert_eq!(unpack(packed, 0), Err(Malformed));
            assert_eq!(unpack(&[packed, &[0]].concat(), 1000), Err(Malformed));
            for cut in 0..packed.len() {
                assert_eq!(unpack(&packed[..cut], 1000), Err(Malformed));
            }
        }
    }

    /// No panic, and no more than the memory that is there.
    #[test]
    fn hostile_bytes_are_refused_or_fill_the_piece() {
        let mut noise = Noise(3);
        for compress in ALL {
            let mut packed = Packed::default();
            let method = Packer::new(compress).pack(&pieces()[5].2[..5000], 4, &mut packed).unwrap();
            let unpack = |packed: &[u8], length| method.unpack(packed, &mut vec![0; length], &mut Vec::new());
            let good = packed.bytes();
            for _ in 0..4_000 {
                let mut bad = good.to_vec();
                for _ in 0..=noise.next() % 3 {
                    let at = noise.next() as usize % bad.len();
                    bad[at] = if noise.next() % 2 == 0 { 0xff } else { noise.next() as u8 };
                }
                bad.truncate(1 + noise.next() as usize % bad.len());
                let _ = unpack(&bad, 5000);
                let _ = unpack(&noise.bytes(64), 100);
            }
            // Lengths that go on and on.
            for byte in [0x00, 0x0f, 0x1f, 0xf0, 0xff] {
                let _ = unpack(&vec![byte; MIB - 1], MIB);
            }
        }
    }
}

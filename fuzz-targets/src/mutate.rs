//! Mutations that tend to break readers: bytes are flipped, and parts are removed, repeated, moved, or taken
//! from another input.
//!
//! Input: inputs and words.
//! Output: another input of at most `LIMIT_BYTES`.

use cppc_prng::Random;

const LIMIT_BYTES: usize = 1 << 16;

/// An input made of one of `seeds` by up to 8 changes.
pub fn mutated(seeds: &[Vec<u8>], words: &[&str], random: &mut Random) -> Vec<u8> {
    let mut bytes = random.choose(seeds).cloned().unwrap_or_default();
    for _ in 0..1 + random.below(8) {
        change(&mut bytes, seeds, words, random);
    }
    bytes.truncate(LIMIT_BYTES);
    bytes
}

fn change(bytes: &mut Vec<u8>, seeds: &[Vec<u8>], words: &[&str], random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    let longest = if random.below(4) == 0 { 400 } else { 12 };
    let length = 1 + random.below(longest);
    let end = (at + length).min(bytes.len());
    match random.below(10) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
        3 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = random.next() as u8;
            }
        }
        4 => {
            let again = bytes[at..end].repeat(1 + random.below(40));
            drop(bytes.splice(at..at, again));
        }
        5 => {
            let part = bytes[at..end].to_vec();
            let to = random.below(bytes.len() + 1);
            drop(bytes.splice(to..to, part));
        }
        6 => {
            let other = random.choose(seeds).cloned().unwrap_or_default();
            let from = random.below(other.len() + 1);
            let to = (from + length * 10).min(other.len());
            drop(bytes.splice(at..end, other[from..to].iter().copied()));
        }
        7 => {
            let word = 8.min(bytes.len() - at);
            let odd = [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, u64::MAX, i64::MAX as u64, 1 << 62];
            let number = random.choose(&odd).copied().unwrap_or_default().to_le_bytes();
            bytes[at..at + word].copy_from_slice(&number[..word]);
        }
        8 => drop(swap_lines(bytes, random)),
        _ => {
            let word = random.choose(words).copied().unwrap_or("\0");
            let end = if random.below(2) == 0 { at } else { end };
            drop(bytes.splice(at..end, word.bytes()));
        }
    }
}

/// Two lines change places.
fn swap_lines(bytes: &mut Vec<u8>, random: &mut Random) -> Option<()> {
    let mut lines: Vec<Vec<u8>> = bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    if lines.len() < 2 {
        return None;
    }
    let (one, other) = (random.below(lines.len()), random.below(lines.len()));
    lines.swap(one, other);
    *bytes = lines.concat();
    Some(())
}

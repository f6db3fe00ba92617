//! Groups the bytes of numbers: the first bytes of all elements, then the second bytes of all, and so on.
//!
//! Input: a piece of an array and the size of its elements.
//! Output: the same bytes in another order, or the original order again.
//! Postcondition: no byte is lost or added; an incomplete element stays at the end.
//!
//! The values of a field differ little from one to the next, but their bytes hardly ever repeat in a row:
//! exponents that are all alike alternate with low bits that look random. Separated from each other, they
//! compress.

/// Writes the bytes of `piece`, grouped, to `grouped`, which has the same length. `width` is the element size
/// in bytes.
pub fn shuffle(piece: &[u8], width: usize, grouped: &mut [u8]) {
    match width {
        2 => shuffle_by::<2>(piece, grouped),
        4 => shuffle_by::<4>(piece, grouped),
        8 => shuffle_by::<8>(piece, grouped),
        16 => shuffle_by::<16>(piece, grouped),
        _ => shuffle_from(0, piece, width, grouped),
    }
}

/// The inverse of `group`.
pub fn unshuffle(grouped: &[u8], width: usize, piece: &mut [u8]) {
    match width {
        2 => unshuffle_by::<2>(grouped, piece),
        4 => unshuffle_by::<4>(grouped, piece),
        8 => unshuffle_by::<8>(grouped, piece),
        16 => unshuffle_by::<16>(grouped, piece),
        _ => unshuffle_from(0, grouped, width, piece),
    }
}

/// Elements that are moved together, so that the compiler can use vector instructions.
const TILE: usize = 32;

fn shuffle_by<const WIDTH: usize>(piece: &[u8], grouped: &mut [u8]) {
    let count = piece.len() / WIDTH;
    let mut at = 0;
    for tile in piece.chunks_exact(TILE * WIDTH) {
        for byte in 0..WIDTH {
            let row = &mut grouped[byte * count + at..][..TILE];
            for (element, place) in row.iter_mut().enumerate() {
                *place = tile[element * WIDTH + byte];
            }
        }
        at += TILE;
    }
    shuffle_from(at, piece, WIDTH, grouped);
}

fn unshuffle_by<const WIDTH: usize>(grouped: &[u8], piece: &mut [u8]) {
    let count = grouped.len() / WIDTH;
    let mut at = 0;
    for tile in piece.chunks_exact_mut(TILE * WIDTH) {
        for byte in 0..WIDTH {
            let row = &grouped[byte * count + at..][..TILE];
            for (element, found) in row.iter().enumerate() {
                tile[element * WIDTH + byte] = *found;
            }
        }
        at += TILE;
    }
    unshuffle_from(at, grouped, WIDTH, piece);
}

/// Groups the elements from `first` on, and copies the bytes after the last complete element.
fn shuffle_from(first: usize, piece: &[u8], width: usize, grouped: &mut [u8]) {
    let count = piece.len() / width.max(1);
    for at in first..count {
        for byte in 0..width {
            grouped[byte * count + at] = piece[at * width + byte];
        }
    }
    grouped[count * width..].copy_from_slice(&piece[count * width..]);
}

fn unshuffle_from(first: usize, grouped: &[u8], width: usize, piece: &mut [u8]) {
    let count = grouped.len() / width.max(1);
    for at in first..count {
        for byte in 0..width {
            piece[at * width + byte] = grouped[byte * count + at];
        }
    }
    piece[count * width..].copy_from_slice(&grouped[count * width..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_grouped() {
        let mut grouped = [0; 8];
        shuffle(b"a1b2c3d4", 2, &mut grouped);
        assert_eq!(&grouped, b"abcd1234");
        shuffle(b"abcABCxy", 3, &mut grouped);
        assert_eq!(&grouped, b"aAbBcCxy");
    }

    #[test]
    fn every_length_comes_back() {
        let piece: Vec<u8> = (0..3000u32).map(|at| (at * at / 7) as u8).collect();
        for width in [0, 1, 2, 3, 4, 7, 8, 12, 16, 24, 40, 255] {
            for length in (0..130).chain([1000, 2047, 2048, 2999]) {
                let (mut grouped, mut back) = (vec![0; length], vec![0xa5; length]);
                shuffle(&piece[..length], width, &mut grouped);
                unshuffle(&grouped, width, &mut back);
                assert_eq!(back, piece[..length], "{length} bytes by {width}");
            }
        }
    }
}

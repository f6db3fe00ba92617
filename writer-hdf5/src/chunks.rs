//! Compressed datasets, one chunk after the other.
//!
//! Input: the extents of an array, its content, a compression level.
//! Output: chunks that HDF5's deflate filter can read.
//! Postcondition: each chunk is contiguous in the array. A chunk that does not get smaller is stored
//! uncompressed, with the filter disabled for it. The library did not do the compression.
//!
//! One of the few files with `unsafe`: the library is C.

use crate::fault::Fault;
use crate::handle::{check, Handle};
use flate2::{Compress, Compression, FlushCompress, Status};
use hdf5::h5d::{H5Dget_chunk_info_by_coord, H5Dwrite_chunk};
use hdf5::h5p::H5P_DEFAULT;

/// The approximate size of a chunk.
const CHUNK_BYTES: u64 = 1 << 20;
/// The bit that disables the first filter.
const WITHOUT_DEFLATE: u32 = 1;

/// The extents of a chunk, such that it is contiguous in an array that has elements.
pub fn extents(dims: &[u64], element_bytes: u64) -> Vec<u64> {
    let mut chunk = dims.to_vec();
    let mut row_bytes = element_bytes.max(1);
    let mut is_full = false;
    for (extent, &all) in chunk.iter_mut().zip(dims).rev() {
        *extent = if is_full { 1 } else { (CHUNK_BYTES / row_bytes).clamp(1, all) };
        is_full |= *extent < all;
        row_bytes = row_bytes.saturating_mul(all);
    }
    chunk
}

/// Where a chunk is stored.
#[derive(Debug, Clone, Copy)]
pub struct Chunk {
    pub place: u64,
    /// Number of bytes of content in it.
    pub size: u64,
    /// Size of the deflated bytes; 0 if it is stored uncompressed.
    pub deflated: u64,
}

/// Writes all chunks. `content` has the size of all elements.
pub fn write(
    dataset: &Handle,
    dims: &[u64],
    chunk: &[u64],
    element_bytes: u64,
    level: u32,
    content: &[u8],
) -> Result<Vec<Chunk>, Fault> {
    let mut chunks = Vec::new();
    let chunk_bytes = (chunk.iter().product::<u64>() * element_bytes) as usize;
    let level = Compression::new(level.clamp(1, 9));
    let mut deflater = Compress::new(level, true);
    let mut packed = Vec::new();
    let mut place = vec![0; dims.len()];
    let mut rest = content;
    while !rest.is_empty() {
        // At the end of the divided dimension, a chunk extends beyond the array.
        let inside = bytes_inside(&place, dims, chunk, element_bytes).min(rest.len());
        let (here, behind) = rest.split_at(inside);
        rest = behind;
        let mut filled;
        let whole = if inside == chunk_bytes {
            here
        } else {
            filled = here.to_vec();
            filled.resize(chunk_bytes, 0);
            &filled[..]
        };
        let shrinks = pack(&mut deflater, whole, &mut packed);
        if !shrinks {
            // At level 1, zlib-rs 0.6 keeps a block open over a reset, and the next stream then lacks its
            // beginning.
            deflater = Compress::new(level, true);
        }
        let (bytes, filters) = if shrinks { (&packed[..], 0) } else { (whole, WITHOUT_DEFLATE) };
        // SAFETY: `place` has the rank of the dataset, and `bytes` has the length that is passed.
        let status = unsafe {
            H5Dwrite_chunk(
                dataset.id(),
                H5P_DEFAULT,
                filters,
                place.as_ptr(),
                bytes.len(),
                bytes.as_ptr().cast(),
            )
        };
        check(status, "write a chunk")?;
        let deflated = if shrinks { bytes.len() as u64 } else { 0 };
        chunks.push(Chunk { place: place_of(dataset, &place)?, size: inside as u64, deflated });
        advance(&mut place, dims, chunk);
    }
    Ok(chunks)
}

/// The file offset of the chunk at these elements.
fn place_of(dataset: &Handle, first: &[u64]) -> Result<u64, Fault> {
    let (mut filters, mut place, mut bytes) = (0, 0, 0);
    // SAFETY: `first` has the rank of the dataset, and the three numbers outlive the call.
    let status = unsafe {
        H5Dget_chunk_info_by_coord(
            dataset.id(),
            first.as_ptr(),
            &raw mut filters,
            &raw mut place,
            &raw mut bytes,
        )
    };
    check(status, "look for a chunk")?;
    Ok(place)
}

fn bytes_inside(place: &[u64], dims: &[u64], chunk: &[u64], element_bytes: u64) -> usize {
    let extents = place.iter().zip(dims).zip(chunk).map(|((at, all), extent)| (*extent).min(all - at));
    (extents.product::<u64>() * element_bytes) as usize
}

fn advance(place: &mut [u64], dims: &[u64], chunk: &[u64]) {
    for ((at, all), extent) in place.iter_mut().zip(dims).zip(chunk).rev() {
        *at += extent;
        if *at < *all {
            return;
        }
        *at = 0;
    }
}

fn pack(deflater: &mut Compress, chunk: &[u8], packed: &mut Vec<u8>) -> bool {
    packed.resize(chunk.len().saturating_sub(1), 0);
    deflater.reset();
    match deflater.compress(chunk, packed, FlushCompress::Finish) {
        Ok(Status::StreamEnd) => {
            packed.truncate(deflater.total_out() as usize);
            true
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_lie_in_one_piece() {
        assert_eq!(extents(&[10], 8), [10]);
        assert_eq!(extents(&[1 << 20], 8), [1 << 17]);
        assert_eq!(extents(&[100, 1000], 8), [100, 1000]);
        assert_eq!(extents(&[1000, 1000], 8), [131, 1000]);
        assert_eq!(extents(&[10, 1 << 20], 8), [1, 1 << 17]);
        assert_eq!(extents(&[3, 1000, 1000], 8), [1, 131, 1000]);
        assert_eq!(extents(&[5], 3 << 20), [1]);
    }

    #[test]
    fn places_follow_one_another() {
        let (dims, chunk) = ([2, 5], [1, 2]);
        let mut place = [0, 0];
        let mut seen = Vec::new();
        for _ in 0..6 {
            seen.push((place, bytes_inside(&place, &dims, &chunk, 1)));
            advance(&mut place, &dims, &chunk);
        }
        assert_eq!(seen, [([0, 0], 2), ([0, 2], 2), ([0, 4], 1), ([1, 0], 2), ([1, 2], 2), ([1, 4], 1)]);
    }
}

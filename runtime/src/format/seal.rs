//! What a writer that is a shared object must store and return: everything but the content.
//!
//! Input: a manifest, the machine and the content of its memory blocks.
//! Output: the bytes of a binary state file without the content, but with the checksum of each piece of it.
//! Postcondition: with the seal it can be verified whether content is what was written.

use super::index::Index;
use super::layout::{self, Codec, Header, Machine, StoredBytes, Tail, PIECE_BYTES, TAIL_BYTES};
use crate::codec::crc32::{crc32, crc32_seeded};
use crate::manifest::Manifest;

/// `blocks` has the content of each memory block of the manifest, in the representation of `machine`.
pub fn seal(manifest: &Manifest, machine: Machine, blocks: &[&[u8]]) -> Vec<u8> {
    let described = super::manifest::encode(manifest);
    let header = Header {
        version: layout::VERSION,
        machine,
        manifest_bytes: described.len() as u64,
        manifest_crc: crc32(&described),
        run: manifest.provenance.run,
        number: manifest.provenance.number,
        rank: manifest.provenance.rank,
        processes: manifest.provenance.processes,
        piece_bytes: PIECE_BYTES,
    };
    let (record, header_crc) = header.encode();
    let mut index = Index::default();
    for block in blocks {
        let mut offset = 0;
        for piece in block.chunks(PIECE_BYTES as usize) {
            index.push(
                Codec::Plain,
                None,
                offset,
                StoredBytes { bytes: piece.len() as u32, crc: crc32(piece) },
            );
            offset += piece.len() as u64;
        }
        index.end_range();
    }
    let (index, pieces) = index.close();
    let mut bytes = record.to_vec();
    bytes.extend(described);
    let index_offset = bytes.len() as u64;
    bytes.extend(&index);
    let tail = Tail {
        index_offset,
        pieces,
        file_bytes: (bytes.len() + TAIL_BYTES) as u64,
        index_crc: crc32_seeded(header_crc, &index),
    };
    bytes.extend(tail.encode(header_crc));
    bytes
}

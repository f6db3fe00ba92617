//! What a writer that is a shared object must keep and give back: everything but the content.
//!
//! In: a manifest, the machine and the content of its blocks. Out: the bytes of a binary state file
//! that lacks the content, with the checksum of each piece of it. Holds afterwards: whoever has the
//! seal can tell whether content is what was written.

use super::layout::{self, Coding, Encoder, Entry, Header, Machine, Tail, ENTRY_BYTES, PIECE_BYTES, TAIL_BYTES};
use crate::codec::crc32::{crc32, crc32_seeded};
use crate::manifest::Manifest;

/// `blocks` has the content of each block of the manifest, as `machine` has it.
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
    };
    let (record, header_crc) = header.encode();
    let mut index = Encoder::default();
    for piece in blocks.iter().flat_map(|bytes| bytes.chunks(PIECE_BYTES)) {
        let entry = Entry { stored_bytes: piece.len() as u32, coding: Coding::Plain, crc: crc32(piece) };
        entry.encode(&mut index);
    }
    let mut bytes = record.to_vec();
    bytes.extend(described);
    let index_offset = bytes.len() as u64;
    bytes.extend(&index.bytes);
    let tail = Tail {
        index_offset,
        pieces: (index.bytes.len() / ENTRY_BYTES) as u64,
        file_bytes: (bytes.len() + TAIL_BYTES) as u64,
        index_crc: crc32_seeded(header_crc, &index.bytes),
    };
    bytes.extend(tail.encode(header_crc));
    bytes
}

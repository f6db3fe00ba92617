//! CRC-32 (ISO 3309, as in zip and PNG). A seed ties a checksum to the header that the bytes belong to.

/// The checksum of the bytes.
pub fn crc32(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// The checksum of the bytes, started with `seed`: the same bytes have another checksum under another seed.
pub fn crc32_seeded(seed: u32, bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(seed);
    hasher.update(bytes);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_value_of_the_standard() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32_seeded(0, b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn another_seed_is_another_sum() {
        assert_ne!(crc32_seeded(1, b"index"), crc32_seeded(2, b"index"));
    }
}

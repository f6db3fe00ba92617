//! The pieces that the state files of this process already contain, so that they need not be written again.
//!
//! Input: the pieces of one dump after the other.
//! Output: where a piece with the same bytes is stored.
//! Postcondition: a result refers only to a file that was published durably, and to the file that itself
//! contains the bytes. A piece that is not in the newest file is forgotten, so the history is never larger
//! than one dump: up to 250 bytes for each piece, plus 64 bytes for each piece while a file is written, plus
//! up to 150 for each piece that the file stores.
//!
//! A piece is looked up first where it was in the newest file, and only then in the table of all pieces. So a
//! large dump with few changes reads and writes only a small part of that table. Random access to so much
//! memory would take longer than comparing the bytes of the pieces.
//!
//! Two pieces are treated as equal if their lengths and their 128-bit hashes are equal. A collision by
//! accident is too unlikely to matter: with 2^40 pieces, more than a machine writes in its lifetime, its
//! probability is 2^-49. A collision on purpose is impossible because the hash has a secret random seed. A
//! CRC would not be sufficient.

use super::digest::Digests;
use super::layout::{Codec, StoredBytes};
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher, RandomState};
use twox_hash::XxHash3_128;

/// What is known about the files that were written.
#[derive(Debug)]
pub struct History {
    seed: u64,
    full_every: u64,
    /// Dumps since the last full one, including it; 0 if there was none.
    dumps: u64,
    /// The pieces of the newest file by their numbers; `None` for pieces that no later file refers to.
    pieces: Vec<Option<KnownPiece>>,
    /// The same pieces by their content.
    locations: Table<SharedPiece>,
    /// For each line that contains a piece, the checksum in the header of its file.
    headers: BTreeMap<u64, u32>,
}

type Table<V> = HashMap<Key, V, BuildHasherDefault<LowBits>>;

/// A piece and where it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct KnownPiece {
    key: Key,
    location: PieceLocation,
}

/// Where all pieces with one content are stored.
#[derive(Debug)]
struct SharedPiece {
    location: PieceLocation,
    /// The number of these pieces, at least 1.
    pieces: usize,
}

/// What is known before the next file is written.
#[derive(Debug, Clone, Copy)]
pub struct Past<'a> {
    pub history: &'a History,
    /// What this history knows about the pieces in memory; empty if nothing is known.
    pub digests: &'a Digests,
}

/// A piece, identified by its length and hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    hash: u128,
    bytes: usize,
}

impl Key {
    /// The key of `bytes` bytes with this hash.
    pub fn new(hash: u128, bytes: usize) -> Key {
        Key { hash, bytes }
    }

    pub fn hash(&self) -> u128 {
        self.hash
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash as u64);
    }
}

/// Uses the low bits of a key as its hash: the key is a hash already.
#[derive(Debug, Default)]
struct LowBits(u64);

impl Hasher for LowBits {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0.rotate_left(8) ^ u64::from(byte));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

/// Where a piece is stored, and with which codec.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PieceLocation {
    pub line: u64,
    pub offset: u64,
    pub codec: Codec,
    pub stored: StoredBytes,
}

/// A piece that an earlier file contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BasePiece {
    pub location: PieceLocation,
    /// The checksum in the header of that file.
    pub header_crc: u32,
}

/// The pieces that a dump has written or referred to. The history takes them when the file is durable.
#[derive(Debug)]
pub struct Account {
    is_full: bool,
    pieces: Vec<Option<KnownPiece>>,
    headers: BTreeMap<u64, u32>,
    /// The lines whose files contain pieces of this one.
    bases: Vec<u64>,
}

impl Account {
    /// The base lines without which this file cannot be read, oldest first.
    pub fn bases(&self) -> &[u64] {
        &self.bases
    }
}

impl History {
    /// An empty history. Every `full_every`-th file will be a full one.
    pub fn new(full_every: u64) -> History {
        History {
            seed: RandomState::new().hash_one(full_every),
            full_every,
            dumps: 0,
            pieces: Vec::new(),
            locations: Table::default(),
            headers: BTreeMap::new(),
        }
    }

    /// The lines that the next file may refer to.
    pub fn lines(&self) -> impl Iterator<Item = u64> + '_ {
        self.headers.keys().copied()
    }

    /// Forgets these files, which are removed or will be.
    pub fn forget(&mut self, lines: &[u64]) {
        let gone = |line: &u64| lines.contains(line);
        if self.headers.keys().any(gone) {
            self.headers.retain(|line, _| !gone(line));
            self.locations.retain(|_, shared| !gone(&shared.location.line));
            for piece in &mut self.pieces {
                *piece = piece.filter(|kept| !gone(&kept.location.line));
            }
        }
    }

    pub fn hash(&self, piece: &[u8]) -> u128 {
        XxHash3_128::oneshot_with_seed(self.seed, piece)
    }

    /// Where an earlier file contains the bytes of piece `number`. `None` if the next file is to be a full
    /// one.
    pub fn find(&self, number: usize, key: &Key) -> Option<BasePiece> {
        if self.is_full_next() {
            return None;
        }
        let unmoved = self.pieces.get(number).copied().flatten().filter(|kept| kept.key == *key);
        let location = unmoved
            .map(|kept| kept.location)
            .or_else(|| self.locations.get(key).map(|shared| shared.location))?;
        let header_crc = *self.headers.get(&location.line)?;
        Some(BasePiece { location, header_crc })
    }

    fn is_full_next(&self) -> bool {
        self.dumps == 0 || self.dumps >= self.full_every
    }

    /// Begins the account of the next file.
    pub fn open_account(&self) -> AccountBuilder {
        AccountBuilder {
            is_full: self.is_full_next(),
            pieces: Vec::with_capacity(self.pieces.len()),
            written: Table::default(),
            bases: BTreeMap::new(),
        }
    }

    /// Takes over the account of a file that is durable, so that the next file may refer to it.
    pub fn accept(&mut self, account: Account) {
        self.dumps = if account.is_full { 1 } else { self.dumps + 1 };
        self.headers = account.headers;
        let before = std::mem::replace(&mut self.pieces, account.pieces);
        for number in 0..before.len().max(self.pieces.len()) {
            let at = |pieces: &[Option<KnownPiece>]| pieces.get(number).copied().flatten();
            let (old, new) = (at(&before), at(&self.pieces));
            if old == new {
                continue;
            }
            // The new piece is added first: if both have the same content, its entry is not removed and
            // inserted again.
            if let Some(new) = new {
                self.add(new);
            }
            if let Some(old) = old {
                self.release(&old.key);
            }
        }
    }

    fn add(&mut self, piece: KnownPiece) {
        let shared =
            self.locations.entry(piece.key).or_insert(SharedPiece { location: piece.location, pieces: 0 });
        shared.location = piece.location;
        shared.pieces += 1;
    }

    fn release(&mut self, key: &Key) {
        let Some(shared) = self.locations.get_mut(key) else { return };
        shared.pieces -= 1;
        if shared.pieces == 0 {
            self.locations.remove(key);
        }
    }
}

/// Collects the account of a file while it is written.
#[derive(Debug)]
pub struct AccountBuilder {
    is_full: bool,
    pieces: Vec<Option<KnownPiece>>,
    /// The pieces that this file itself stores.
    written: Table<PieceLocation>,
    bases: BTreeMap<u64, u32>,
}

impl AccountBuilder {
    /// Where this file already contains these bytes.
    pub fn find(&self, key: &Key) -> Option<PieceLocation> {
        self.written.get(key).copied()
    }

    /// Piece `number` was written at `location`.
    pub fn add_written(&mut self, number: usize, key: Key, location: PieceLocation) {
        self.written.insert(key, location);
        self.add(number, key, location);
    }

    /// Piece `number` is equal to one that this file already contains.
    pub fn add_repeated(&mut self, number: usize, key: Key, location: PieceLocation) {
        self.add(number, key, location);
    }

    /// Piece `number` is in an earlier file.
    pub fn add_from_base(&mut self, number: usize, key: Key, found: BasePiece) {
        self.bases.insert(found.location.line, found.header_crc);
        self.add(number, key, found.location);
    }

    fn add(&mut self, number: usize, key: Key, location: PieceLocation) {
        if self.pieces.len() <= number {
            self.pieces.resize(number + 1, None);
        }
        self.pieces[number] = Some(KnownPiece { key, location });
    }

    /// Returns the account of the complete file. `header_crc` is the checksum in its header.
    pub fn finish(self, line: u64, header_crc: u32) -> Account {
        let bases = self.bases.keys().copied().collect();
        let mut headers = self.bases;
        headers.insert(line, header_crc);
        Account { is_full: self.is_full, pieces: self.pieces, headers, bases }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_of_a_piece_is_small() {
        assert!(
            size_of::<Option<KnownPiece>>() <= 64
                && size_of::<(Key, SharedPiece)>() <= 80
                && size_of::<(Key, PieceLocation)>() <= 64
        );
    }

    fn location(line: u64, offset: u64) -> PieceLocation {
        PieceLocation { line, offset, codec: Codec::Plain, stored: StoredBytes { bytes: 10, crc: 1 } }
    }

    fn key(history: &History, piece: &[u8]) -> Key {
        Key::new(history.hash(piece), piece.len())
    }

    /// Writes a file with these pieces. Returns which of them it stores itself, and its base lines.
    fn dump(history: &mut History, line: u64, pieces: &[&[u8]]) -> (Vec<bool>, Vec<u64>) {
        let mut builder = history.open_account();
        let mut stored = Vec::new();
        for (at, piece) in pieces.iter().enumerate() {
            let key = key(history, piece);
            let found = history.find(at, &key);
            let repeated = builder.find(&key);
            stored.push(found.is_none() && repeated.is_none());
            match (found, repeated) {
                (Some(found), _) => builder.add_from_base(at, key, found),
                (None, Some(location)) => builder.add_repeated(at, key, location),
                (None, None) => builder.add_written(at, key, location(line, at as u64)),
            }
        }
        let account = builder.finish(line, line as u32);
        let bases = account.bases().to_vec();
        history.accept(account);
        (stored, bases)
    }

    #[test]
    fn every_third_file_is_full_and_the_others_point_to_where_pieces_are() {
        let mut history = History::new(3);
        let (a, b, c): (&[u8], &[u8], &[u8]) = (b"first", b"second", b"third");
        assert_eq!(dump(&mut history, 1, &[a, b, a]), (vec![true, true, false], vec![]));
        assert_eq!(dump(&mut history, 2, &[b, c, a]), (vec![false, true, false], vec![1]));
        assert_eq!(dump(&mut history, 3, &[a, c]), (vec![false, false], vec![1, 2]));
        assert_eq!(dump(&mut history, 5, &[c, a]), (vec![true, true], vec![]));
        assert_eq!(dump(&mut history, 6, &[a, b]), (vec![false, true], vec![5]));
        // `c` was not in the newest file.
        assert_eq!(dump(&mut history, 7, &[c, b, a]), (vec![true, false, false], vec![5, 6]));
    }

    /// Pieces are added, removed, moved and repeated, and files are removed. A lookup finds exactly the
    /// pieces of the newest file, independent of earlier lookups.
    #[test]
    fn the_table_of_all_pieces_is_that_of_the_newest_file() {
        let contents: Vec<[u8; 1]> = (0..12).map(|byte| [byte]).collect();
        let mut state = 1u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        let mut history = History::new(7);
        let mut pieces: Vec<&[u8]> = Vec::new();
        for line in 1..500 {
            for _ in 0..next(4) {
                let piece = &contents[next(12) as usize][..];
                let at = next(pieces.len().max(1) as u64) as usize;
                match (next(4), pieces.len()) {
                    (0, 1..) => drop(pieces.pop()),
                    (1, 1..) => pieces.swap(0, at),
                    (2, 1..) => pieces[at] = piece,
                    _ => pieces.push(piece),
                }
            }
            pieces.truncate(20);
            if next(9) == 0 {
                history.forget(&[line - 1 - next(line.min(4))]);
            }
            dump(&mut history, line, &pieces);
            let mut shared: HashMap<Key, (PieceLocation, usize)> = HashMap::new();
            for kept in history.pieces.iter().flatten() {
                let entry = shared.entry(kept.key).or_insert((kept.location, 0));
                assert_eq!(entry.0, kept.location);
                entry.1 += 1;
            }
            assert_eq!(history.pieces.iter().flatten().count(), pieces.len());
            assert_eq!(history.locations.len(), shared.len());
            assert!(history
                .locations
                .iter()
                .all(|(key, found)| shared[key] == (found.location, found.pieces)));
            assert!(history
                .pieces
                .iter()
                .flatten()
                .all(|kept| history.headers.contains_key(&kept.location.line)));
        }
    }

    #[test]
    fn what_is_gone_is_not_pointed_to() {
        let mut history = History::new(10);
        dump(&mut history, 1, &[b"first"]);
        dump(&mut history, 2, &[b"first", b"second"]);
        history.forget(&[1, 7]);
        assert_eq!(history.lines().collect::<Vec<_>>(), [2]);
        assert_eq!(dump(&mut history, 3, &[b"first", b"second"]), (vec![true, false], vec![2]));
    }

    #[test]
    fn length_counts_and_seeds_differ() {
        let (one, two) = (History::new(2), History::new(2));
        assert_ne!(key(&one, b"some bytes"), key(&one, b"some bytes\0"));
        assert_ne!(key(&one, b"some bytes"), key(&two, b"some bytes"));
    }
}

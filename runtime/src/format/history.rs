//! What the state files of this process hold already, so that it need not be written again.
//!
//! In: the pieces of one dump after the other. Out: where bytes like those of a piece are stored. Holds
//! afterwards: only files that were published durably are pointed into, each directly; a piece that was
//! not in the newest file is forgotten, so the account is never larger than one dump.
//!
//! Two pieces are taken for equal when their length and a hash of 128 bits are: pieces of a whole
//! machine's lifetime are far too few for an accident (2^40 of them: one in 2^49), and because the hash
//! is seeded with a number that nobody knows, none can be made on purpose. A CRC would not do.

use super::layout::{Coding, Stored};
use super::mark::Marks;
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher, RandomState};
use twox_hash::XxHash3_128;

/// What is known of the files that were written.
#[derive(Debug)]
pub struct History {
    seed: u64,
    full_every: u64,
    /// Dumps since the last full one, with it; 0 when there was none.
    dumps: u64,
    places: Places,
    /// For each line that a place is in, the checksum in its file's header.
    headers: BTreeMap<u64, u32>,
}

type Places = HashMap<Key, Place, BuildHasherDefault<Low>>;

/// What came before the file that is to be written.
#[derive(Debug, Clone, Copy)]
pub struct Past<'a> {
    pub history: &'a History,
    /// What this history has found out about the pieces before; nothing when there are none.
    pub marks: &'a Marks,
}

/// What stands for the bytes of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    hash: u128,
    bytes: usize,
}

impl Key {
    /// Of so many bytes with this hash.
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

/// A hash need not be hashed.
#[derive(Debug, Default)]
struct Low(u64);

impl Hasher for Low {
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

/// Where a piece is stored, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub line: u64,
    pub offset: u64,
    pub coding: Coding,
    pub stored: Stored,
}

/// What a dump has written and pointed to; of use once its file is durable.
#[derive(Debug)]
pub struct Account {
    is_full: bool,
    places: Places,
    headers: BTreeMap<u64, u32>,
    /// The lines whose files hold pieces of this one.
    bases: Vec<u64>,
}

impl Account {
    /// The lines without whose files this one cannot be read, oldest first.
    pub fn bases(&self) -> &[u64] {
        &self.bases
    }
}

impl History {
    /// Nothing is known; every `full_every`-th file will be a full one.
    pub fn new(full_every: u64) -> History {
        History {
            seed: RandomState::new().hash_one(full_every),
            full_every,
            dumps: 0,
            places: Places::default(),
            headers: BTreeMap::new(),
        }
    }

    /// The lines that the next file may point into.
    pub fn lines(&self) -> impl Iterator<Item = u64> + '_ {
        self.headers.keys().copied()
    }

    /// These files are gone, or will be.
    pub fn forget(&mut self, lines: &[u64]) {
        let gone = |line: &u64| lines.contains(line);
        if self.headers.keys().any(gone) {
            self.headers.retain(|line, _| !gone(line));
            self.places.retain(|_, place| !gone(&place.line));
        }
    }

    pub fn hash(&self, piece: &[u8]) -> u128 {
        XxHash3_128::oneshot_with_seed(self.seed, piece)
    }

    /// Where an earlier file has these bytes; none when the next file is to be a full one.
    pub fn find(&self, key: &Key) -> Option<&Place> {
        self.places.get(key).filter(|_| !self.is_full_next())
    }

    fn is_full_next(&self) -> bool {
        self.dumps == 0 || self.dumps >= self.full_every
    }

    /// Opens the account of the next file.
    pub fn draft(&self) -> Draft<'_> {
        Draft { history: self, places: Places::default(), bases: BTreeMap::new() }
    }

    /// The file is durable: the next one may point into it.
    pub fn accept(&mut self, account: Account) {
        self.dumps = if account.is_full { 1 } else { self.dumps + 1 };
        self.places = account.places;
        self.headers = account.headers;
    }
}

/// The account of a file that is being written.
#[derive(Debug)]
pub struct Draft<'a> {
    history: &'a History,
    places: Places,
    bases: BTreeMap<u64, u32>,
}

impl Draft<'_> {
    /// Where these bytes stand already, in this file or in the one that `known` says.
    pub fn find(&mut self, key: Key, known: Option<Place>) -> Option<Place> {
        if let Some(place) = self.places.get(&key) {
            return Some(*place);
        }
        let place = known?;
        let header = self.history.headers.get(&place.line)?;
        self.bases.insert(place.line, *header);
        self.places.insert(key, place);
        Some(place)
    }

    /// The bytes have been written.
    pub fn note(&mut self, key: Key, place: Place) {
        self.places.insert(key, place);
    }

    /// The checksum in the header of a file that is pointed into.
    pub fn header_of(&self, line: u64) -> Option<u32> {
        self.bases.get(&line).copied()
    }

    /// The file is written; `header_crc` is that of its header.
    pub fn close(self, line: u64, header_crc: u32) -> Account {
        let bases = self.bases.keys().copied().collect();
        let mut headers = self.bases;
        headers.insert(line, header_crc);
        Account { is_full: self.history.is_full_next(), places: self.places, headers, bases }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: u64, offset: u64) -> Place {
        Place { line, offset, coding: Coding::Plain, stored: Stored { bytes: 10, crc: 1 } }
    }

    fn key(history: &History, piece: &[u8]) -> Key {
        Key::new(history.hash(piece), piece.len())
    }

    /// Writes a file with these pieces; says which of them it stores itself.
    fn dump(history: &mut History, line: u64, pieces: &[&[u8]]) -> (Vec<bool>, Vec<u64>) {
        let mut draft = history.draft();
        let mut stored = Vec::new();
        for (at, piece) in pieces.iter().enumerate() {
            let key = key(history, piece);
            let known = draft.find(key, history.find(&key).copied());
            stored.push(known.is_none());
            if known.is_none() {
                draft.note(key, place(line, at as u64));
            }
        }
        let account = draft.close(line, line as u32);
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

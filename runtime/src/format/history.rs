//! What the state files of this process hold already, so that it need not be written again.
//!
//! In: the pieces of one dump after the other. Out: where bytes like those of a piece are stored. Holds
//! afterwards: only files that were published durably are pointed into, each directly; a piece that was
//! not in the newest file is forgotten, so the account is never larger than one dump: up to 250 bytes for
//! each piece; while a file is written 64 more, and up to 150 for each piece that it stores.
//!
//! A piece is looked for first where it was in the newest file, and only then among all. Of a large dump of
//! which little has changed the table of all is neither read nor written then, but for a small part: at random
//! places of so much memory that would take longer than to compare what the pieces are made of.
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
    /// The pieces of the newest file by their numbers; none for those that nobody leans on.
    pieces: Vec<Option<Kept>>,
    /// The same by what they are.
    places: Table<Shared>,
    /// For each line that a place is in, the checksum in its file's header.
    headers: BTreeMap<u64, u32>,
}

type Table<V> = HashMap<Key, V, BuildHasherDefault<Low>>;

/// A piece, and where it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Kept {
    key: Key,
    place: Place,
}

/// Where all pieces of one content are stored.
#[derive(Debug)]
struct Shared {
    place: Place,
    /// So many there are, at least one.
    pieces: usize,
}

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

/// Bytes that an earlier file has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    pub place: Place,
    /// The checksum in the header of that file.
    pub header_crc: u32,
}

/// What a dump has written and pointed to; of use once its file is durable.
#[derive(Debug)]
pub struct Account {
    is_full: bool,
    pieces: Vec<Option<Kept>>,
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
            pieces: Vec::new(),
            places: Table::default(),
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
            self.places.retain(|_, shared| !gone(&shared.place.line));
            for piece in &mut self.pieces {
                *piece = piece.filter(|kept| !gone(&kept.place.line));
            }
        }
    }

    pub fn hash(&self, piece: &[u8]) -> u128 {
        XxHash3_128::oneshot_with_seed(self.seed, piece)
    }

    /// Where an earlier file has these bytes, which are those of the piece of this number; none when the next
    /// file is to be a full one.
    pub fn find(&self, number: usize, key: &Key) -> Option<Found> {
        if self.is_full_next() {
            return None;
        }
        let unmoved = self.pieces.get(number).copied().flatten().filter(|kept| kept.key == *key);
        let place = unmoved.map(|kept| kept.place).or_else(|| self.places.get(key).map(|shared| shared.place))?;
        let header_crc = *self.headers.get(&place.line)?;
        Some(Found { place, header_crc })
    }

    fn is_full_next(&self) -> bool {
        self.dumps == 0 || self.dumps >= self.full_every
    }

    /// Opens the account of the next file.
    pub fn draft(&self) -> Draft {
        Draft {
            is_full: self.is_full_next(),
            pieces: Vec::with_capacity(self.pieces.len()),
            written: Table::default(),
            bases: BTreeMap::new(),
        }
    }

    /// The file is durable: the next one may point into it.
    pub fn accept(&mut self, account: Account) {
        self.dumps = if account.is_full { 1 } else { self.dumps + 1 };
        self.headers = account.headers;
        let before = std::mem::replace(&mut self.pieces, account.pieces);
        for number in 0..before.len().max(self.pieces.len()) {
            let at = |pieces: &[Option<Kept>]| pieces.get(number).copied().flatten();
            let (old, new) = (at(&before), at(&self.pieces));
            if old == new {
                continue;
            }
            // First the new one: where both have one content it need not be forgotten and learned again.
            if let Some(new) = new {
                self.hold(new);
            }
            if let Some(old) = old {
                self.release(&old.key);
            }
        }
    }

    fn hold(&mut self, piece: Kept) {
        let shared = self.places.entry(piece.key).or_insert(Shared { place: piece.place, pieces: 0 });
        shared.place = piece.place;
        shared.pieces += 1;
    }

    fn release(&mut self, key: &Key) {
        let Some(shared) = self.places.get_mut(key) else { return };
        shared.pieces -= 1;
        if shared.pieces == 0 {
            self.places.remove(key);
        }
    }
}

/// The account of a file that is being written.
#[derive(Debug)]
pub struct Draft {
    is_full: bool,
    pieces: Vec<Option<Kept>>,
    /// Where this file itself has what.
    written: Table<Place>,
    bases: BTreeMap<u64, u32>,
}

impl Draft {
    /// Where these bytes stand in this file already.
    pub fn find(&self, key: &Key) -> Option<Place> {
        self.written.get(key).copied()
    }

    /// The piece of this number was written there.
    pub fn wrote(&mut self, number: usize, key: Key, place: Place) {
        self.written.insert(key, place);
        self.keep(number, key, place);
    }

    /// The piece of this number is one that stands in this file already.
    pub fn repeated(&mut self, number: usize, key: Key, place: Place) {
        self.keep(number, key, place);
    }

    /// The piece of this number is one that an earlier file has.
    pub fn leans(&mut self, number: usize, key: Key, found: Found) {
        self.bases.insert(found.place.line, found.header_crc);
        self.keep(number, key, found.place);
    }

    fn keep(&mut self, number: usize, key: Key, place: Place) {
        if self.pieces.len() <= number {
            self.pieces.resize(number + 1, None);
        }
        self.pieces[number] = Some(Kept { key, place });
    }

    /// The file is written; `header_crc` is that of its header.
    pub fn close(self, line: u64, header_crc: u32) -> Account {
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
        assert!(size_of::<Option<Kept>>() <= 64 && size_of::<(Key, Shared)>() <= 80 && size_of::<(Key, Place)>() <= 64);
    }

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
            let found = history.find(at, &key);
            let repeated = draft.find(&key);
            stored.push(found.is_none() && repeated.is_none());
            match (found, repeated) {
                (Some(found), _) => draft.leans(at, key, found),
                (None, Some(place)) => draft.repeated(at, key, place),
                (None, None) => draft.wrote(at, key, place(line, at as u64)),
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

    /// Pieces come, go, change places and are there several times, and files go: what is found is what the
    /// newest file has, and where is the same whatever was asked for before.
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
            let mut shared: HashMap<Key, (Place, usize)> = HashMap::new();
            for kept in history.pieces.iter().flatten() {
                let entry = shared.entry(kept.key).or_insert((kept.place, 0));
                assert_eq!(entry.0, kept.place);
                entry.1 += 1;
            }
            assert_eq!(history.pieces.iter().flatten().count(), pieces.len());
            assert_eq!(history.places.len(), shared.len());
            assert!(history.places.iter().all(|(key, found)| shared[key] == (found.place, found.pieces)));
            assert!(history.pieces.iter().flatten().all(|kept| history.headers.contains_key(&kept.place.line)));
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

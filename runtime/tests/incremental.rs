//! Incremental state files: unchanged pieces are not written again, and a base file that is missing, another
//! file, or incomplete is not accepted.

mod fixture;

use cppc_runtime::agree::{agree, SingleProcess};
use cppc_runtime::codec::CompressionOptions;
use cppc_runtime::settings::{Compression, Restart};
use cppc_runtime::storage::{Directory, Posix, Simulated, Storage};
use cppc_runtime::verify::{self, Reason, StateFile, StoredShare, Verified, VerifyError};
use cppc_runtime::write::{Dumper, Options};
use fixture::{expectation, manifest, options, ranges, recorder, APPLICATION};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const PIECE: usize = 16 << 10;
/// The piece size with compression.
const PACKED_PIECE: usize = 64 << 10;

/// A run of one process that dumps the given content.
struct Run {
    directory: Directory,
    dumper: Dumper,
    number: u64,
}

impl Run {
    fn start(storage: Arc<dyn Storage>, root: &Path, options: Options) -> Run {
        let directory = Directory::new(storage, root, APPLICATION, 0);
        let dumper = Dumper::start(directory.clone(), options, 42, None, recorder().0);
        Run { directory, dumper, number: 0 }
    }

    fn on(disk: &Simulated, full_every: u64, keep: u64) -> Run {
        Run::start(Arc::new(disk.clone()), Path::new("/state"), Options { full_every, keep, ..options() })
    }

    /// Returns the size of the file.
    fn dump(&mut self, blocks: &[Vec<u8>]) -> u64 {
        self.number += 1;
        let mut described = manifest(42, self.number, 0, 1, blocks);
        described.relocations.clear();
        described.shapes.clear();
        // SAFETY: the blocks live until the call returns.
        unsafe { self.dumper.dump(&SingleProcess::new(), described, &ranges(blocks)) };
        self.dumper.wait();
        self.directory.storage().entry(&self.line(self.number)).map_or(0, |entry| entry.size_bytes)
    }

    fn line(&self, number: u64) -> PathBuf {
        self.directory.line(number)
    }

    fn open(&self, number: u64) -> Result<Verified<StateFile>, VerifyError> {
        verify::open(&**self.directory.storage(), &self.line(number), &expectation(0, 1))
    }

    fn assert_has(&self, number: u64, blocks: &[Vec<u8>]) {
        let state = self.open(number).unwrap_or_else(|error| panic!("{error}"));
        for (index, block) in blocks.iter().enumerate() {
            assert!(state.block(index) == Some(&block[..]), "block {index} of line {number}");
            let mut again = vec![1; block.len()];
            state.reread_block(index, &mut again).unwrap();
            assert!(again == *block && state.read_block(index).unwrap().as_slice() == block);
        }
        let description = verify::describe(&**self.directory.storage(), &self.line(number)).unwrap();
        assert!(verify::check_content(&description).is_empty());
        for (index, block) in blocks.iter().enumerate().filter(|(_, block)| block.len() > PIECE) {
            let part = verify::read_part(
                &description,
                index,
                PIECE as u64 - 9,
                block.len().min(PIECE + 20) - PIECE + 9,
            );
            assert_eq!(part.unwrap(), &block[PIECE - 9..block.len().min(PIECE + 20)]);
        }
    }

    fn bases(&self, number: u64) -> Vec<u64> {
        verify::bases(&**self.directory.storage(), &self.line(number)).unwrap()
    }

    fn overwrite(&self, number: u64, offset: u64, bytes: &[u8]) {
        self.directory
            .storage()
            .open_for_writing(&self.line(number))
            .unwrap()
            .write_at(offset, bytes)
            .unwrap();
    }
}

/// Bytes in which no two pieces are equal.
fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as u8
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn only_what_has_changed_is_written_again() {
    let mut run = Run::on(&Simulated::new(), 4, 10);
    let mut blocks = vec![noise(1, 20 * PIECE + 500), noise(2, 100), Vec::new(), noise(3, 3 * PIECE)];
    let full = run.dump(&blocks);
    assert!(full > 23 * PIECE as u64);
    blocks[0][7 * PIECE + 3] ^= 1;
    let second = run.dump(&blocks);
    assert!(second < PIECE as u64 + 4096 * 2, "{second}");
    blocks[0][20 * PIECE + 1] ^= 1;
    blocks[1][0] ^= 1;
    assert!(run.dump(&blocks) < 8192);
    assert_eq!([1, 2, 3].map(|line| run.bases(line)), [vec![], vec![1], vec![1, 2]]);
    run.assert_has(3, &blocks);
    let description = verify::describe(&**run.directory.storage(), &run.line(2)).unwrap();
    let size = blocks[0].len() as u64;
    let piece = PIECE as u64;
    assert_eq!(
        description.share(0, 0..size),
        StoredShare { in_file: piece, in_bases: size - piece, zero: 0 }
    );
    assert_eq!(
        description.share(0, 7 * piece + 5..9 * piece),
        StoredShare { in_file: piece - 5, in_bases: piece, zero: 0 }
    );
    assert_eq!(description.stored_bytes(0), Some(piece));
    assert_eq!(description.bases().iter().map(|base| base.path.clone()).collect::<Vec<_>>(), [run.line(1)]);
    // The fifth file is a full one again.
    run.dump(&blocks);
    assert_eq!(run.dump(&blocks), full);
    assert_eq!((run.bases(4), run.bases(5)), (vec![1, 2, 3], vec![]));
}

/// A reference to such a piece would not be smaller.
#[test]
fn a_few_bytes_need_no_other_file() {
    let mut run = Run::on(&Simulated::new(), 4, 10);
    let blocks = [noise(1, 8), noise(2, 255), Vec::new(), noise(3, 4)];
    run.dump(&blocks);
    run.dump(&blocks);
    assert_eq!(run.bases(2), []);
    run.assert_has(2, &blocks);
}

#[test]
fn bytes_are_found_wherever_they_were() {
    let mut run = Run::on(&Simulated::new(), 4, 10);
    let (a, b) = (noise(1, 5 * PIECE), noise(2, 5 * PIECE));
    let one = |byte: u8| vec![byte; 9 * PIECE];
    let full = run.dump(&[a.clone(), b.clone(), one(7), one(0)]);
    // A file contains equal pieces once, and zeros not at all.
    assert!(full < 11 * PIECE as u64 + 8192, "{full}");
    run.assert_has(1, &[a.clone(), b.clone(), one(7), one(0)]);
    let swapped = [b.clone(), a.clone(), one(0), one(7)];
    assert!(run.dump(&swapped) < 4096);
    run.assert_has(2, &swapped);
    let moved = [[&a[PIECE..], &b[..PIECE]].concat(), b[2 * PIECE..].to_vec(), one(0), one(0)];
    assert!(run.dump(&moved) < 4096);
    run.assert_has(3, &moved);
}

#[test]
fn packed_pieces_are_pointed_to_alike() {
    let mut with = options();
    (with.full_every, with.keep) = (3, 5);
    with.compression.compress = Compression::Deflate(1);
    for threads in [1, 3] {
        with.compression.threads = threads;
        let disk = Simulated::new();
        let mut run = Run::start(Arc::new(disk), Path::new("/state"), with.clone());
        let text = |seed: usize| -> Vec<u8> {
            (0..40 * PACKED_PIECE).map(|at| ((at / 50) * seed % 251) as u8).collect()
        };
        let mut blocks = vec![text(3), noise(5, 3 * PACKED_PIECE), text(5), Vec::new()];
        run.dump(&blocks);
        blocks[0][30 * PACKED_PIECE] ^= 1;
        blocks[1][0] ^= 1;
        let second = run.dump(&blocks);
        assert!(second < 2 * PACKED_PIECE as u64, "{second}");
        run.assert_has(1, &[text(3), noise(5, 3 * PACKED_PIECE), text(5), Vec::new()]);
        run.assert_has(2, &blocks);
    }
}

#[test]
fn zeros_cost_nothing() {
    for full_every in [1, 2] {
        let mut run = Run::on(&Simulated::new(), full_every, 5);
        let blocks = [vec![0; 200 << 20], vec![0; 5], Vec::new(), noise(1, 10)];
        assert!(run.dump(&blocks) < 4096);
        run.assert_has(1, &blocks);
    }
}

/// Every process keeps at least `keep` lines, and those before the newest can be read too.
#[test]
fn what_lines_need_stays_with_them() {
    for (full_every, keep) in [(2, 1), (3, 1), (3, 2), (5, 3), (100, 1)] {
        let mut run = Run::on(&Simulated::new(), full_every, keep);
        let mut blocks = vec![noise(1, 32 * PIECE), noise(2, 100), Vec::new(), noise(3, 3 * PIECE)];
        for line in 1..=20u64 {
            blocks[0][(line as usize % 8) * PIECE] ^= 1;
            run.dump(&blocks);
            run.assert_has(line, &blocks);
            let there = run.directory.lines().unwrap();
            assert!(there.len() as u64 >= line.min(keep), "{there:?}");
            assert!(there.len() as u64 <= 2 * full_every + keep + 1, "{there:?}");
            there.iter().for_each(|&line| assert!(run.open(line).is_ok(), "line {line} of {there:?}"));
        }
    }
}

#[test]
fn a_file_that_somebody_took_away_is_not_leaned_on() {
    let mut run = Run::on(&Simulated::new(), 10, 5);
    let blocks = [noise(1, 32 * PIECE), noise(2, 100), Vec::new(), noise(3, 3 * PIECE)];
    run.dump(&blocks);
    run.directory.storage().remove(&run.line(1)).unwrap();
    assert!(run.dump(&blocks) > 35 * PIECE as u64);
    assert_eq!(run.bases(2), []);
    run.dump(&blocks);
    run.assert_has(3, &blocks);
}

#[test]
fn a_dump_that_failed_is_not_leaned_on() {
    for asynchronous in [true, false] {
        let disk = Simulated::new();
        let with = Options { full_every: 10, keep: 5, asynchronous, ..options() };
        let mut run = Run::start(Arc::new(disk.clone()), Path::new("/state"), with);
        let mut blocks = vec![noise(1, 32 * PIECE), noise(2, 100), Vec::new(), noise(3, 3 * PIECE)];
        run.dump(&blocks);
        let before = disk.operations();
        run.dump(&blocks);
        let operations = disk.operations() - before;
        let (mut line, mut failed) = (2, 0);
        for at in 0..operations + 2 {
            blocks[0][0] = at as u8;
            blocks[0][at as usize % 8 * PIECE + 1] ^= 1;
            disk.fail_at(disk.operations() + at, libc::ENOSPC, false);
            run.dump(&blocks);
            disk.heal();
            failed += u64::from(run.open(line + 1).is_err());
            run.dump(&blocks);
            line += 2;
            run.assert_has(line, &blocks);
        }
        assert!(failed > 3, "{failed} of {operations} operations");
    }
}

/// A digest of unchanged memory must not outlive a change, a move, or a dump that failed.
#[test]
fn whatever_becomes_of_the_memory_the_newest_file_has_it() {
    let packed =
        CompressionOptions { compress: Compression::Lz4, threads: 3, ..CompressionOptions::default() };
    for (compression, piece) in [(CompressionOptions::default(), PIECE), (packed, PACKED_PIECE)] {
        let disk = Simulated::new();
        let with = Options { full_every: 5, keep: 2, compression, ..options() };
        let mut run = Run::start(Arc::new(disk.clone()), Path::new("/state"), with);
        let mut chance = noise(9, 4000).into_iter().map(usize::from);
        let mut next = |below: usize| (chance.next().unwrap() << 8 | chance.next().unwrap()) % below;
        let mut blocks =
            vec![noise(1, 5 * piece + 300), noise(2, 100), vec![0; 3 * piece], vec![7; 3 * piece]];
        let mut written = 0;
        for _ in 0..100 {
            let at = next(blocks.len());
            let end = blocks[at].len();
            match next(9) {
                0 => blocks[at].resize(next(4 * piece), 5),
                1 => blocks.swap(0, at),
                2 => blocks[at].fill(0),
                3 if blocks.len() < 6 => blocks.insert(at, noise(next(99) as u64, piece + 9)),
                4 if blocks.len() > 3 => drop(blocks.remove(at)),
                5 => {}
                6 if end > 0 => blocks[at][end - 1] ^= 1,
                _ if end > 0 => blocks[at][next(end)] ^= 1,
                _ => {}
            }
            if next(4) == 0 {
                disk.fail_at(disk.operations() + next(12) as u64, libc::ENOSPC, false);
            }
            run.dump(&blocks);
            disk.heal();
            if run.open(run.number).is_ok() {
                run.assert_has(run.number, &blocks);
                written += 1;
            }
        }
        assert!((50..100).contains(&written), "{written}");
    }
}

/// Three lines; the third needs the others.
fn three(disk: &Simulated) -> (Run, Vec<Vec<u8>>) {
    let mut run = Run::on(disk, 10, 5);
    let mut blocks = vec![noise(1, 32 * PIECE), noise(2, 100), Vec::new(), noise(3, 3 * PIECE)];
    for turn in 0..3 {
        blocks[0][turn * PIECE] ^= 1;
        run.dump(&blocks);
    }
    (run, blocks)
}

fn base_reason(error: &VerifyError, base: &Path) -> String {
    match &error.reason {
        Reason::Base { path, reason } if path == base => reason.to_string(),
        other => panic!("{other}"),
    }
}

/// The number of the line from which a new start resumes, and the messages.
fn taken(run: &Run) -> (u64, Vec<String>) {
    let agreed = agree(&SingleProcess::new(), &run.directory, &expectation(0, 1), Restart::Auto, 43).unwrap();
    (agreed.resume.map_or(0, |state| state.manifest().provenance.number), agreed.notes)
}

#[test]
fn damage_in_a_base_is_said_by_its_name_and_the_name_of_what_needs_it() {
    let disk = Simulated::new();
    let (run, blocks) = three(&disk);
    run.assert_has(3, &blocks);
    let size = disk.entry(&run.line(2)).unwrap().size_bytes;
    // 3 needs the piece that 2 wrote; its offset is the first multiple of 4096 after the manifest.
    let file = disk.open_for_reading(&run.line(2)).unwrap();
    let mut content = vec![0; size as usize];
    file.read_at(0, &mut content).unwrap();
    let wanted = &blocks[0][PIECE..2 * PIECE];
    let place = content.windows(64).position(|bytes| bytes == &wanted[..64]).unwrap();
    assert_eq!(place % 4096, 0);
    for at in [place, place + PIECE - 1] {
        run.overwrite(2, at as u64, &[content[at] ^ 1]);
        let error = run.open(3).unwrap_err();
        let said = error.to_string();
        assert!(said.starts_with("state file `/state/heat/rank-0000/line-000003.cppc` needs `/state/heat/rank-0000/line-000002.cppc`, which is damaged"), "{said}");
        assert!(
            said.contains(&format!("memory block 0 is wrong at byte {place} (register `name0`)")),
            "{said}"
        );
        let description = verify::describe(&disk, &run.line(3)).unwrap();
        let wrong = verify::check_content(&description);
        assert_eq!((wrong.len(), wrong[0].to_string()), (1, said));
        run.overwrite(2, at as u64, &[content[at]]);
    }
    run.assert_has(3, &blocks);
    // Line 1 needs neither.
    run.overwrite(2, place as u64, &[content[place] ^ 1]);
    let (line, notes) = taken(&run);
    assert_eq!(line, 1);
    assert!(
        notes[0].contains("line-000003")
            && notes[0].contains("line-000002")
            && notes[0].ends_with("it is ignored")
    );
}

#[test]
fn every_byte_of_a_base_that_matters_is_looked_at() {
    let disk = Simulated::new();
    let mut run = Run::on(&disk, 10, 5);
    let blocks = [noise(1, 900), noise(2, 300), Vec::new(), noise(3, 2000)];
    run.dump(&blocks);
    run.dump(&blocks);
    let size = disk.entry(&run.line(1)).unwrap().size_bytes;
    let file = disk.open_for_reading(&run.line(1)).unwrap();
    let mut content = vec![0; size as usize];
    file.read_at(0, &mut content).unwrap();
    for at in 0..size {
        run.overwrite(1, at, &[content[at as usize] ^ 0x10]);
        // The manifest and the index of a base file matter only when that file itself is read.
        assert_eq!(
            run.open(2).is_ok(),
            run.open(1).is_err() && !is_needed(at, size, &content),
            "byte {at} of {size}"
        );
        run.overwrite(1, at, &[content[at as usize]]);
    }
    for cut in [0, 10, 64, size / 2, size - 1] {
        disk.open_for_writing(&run.line(1)).unwrap().truncate(cut).unwrap();
        let said = base_reason(&run.open(2).unwrap_err(), &run.line(1));
        assert!(said.contains("cut off") || said.contains("not a state file"), "{said}");
        run.overwrite(1, 0, &content);
    }
}

fn is_needed(at: u64, size: u64, content: &[u8]) -> bool {
    let number = |at: usize| u64::from_le_bytes(content[at..at + 8].try_into().unwrap());
    let (manifest, index) = (64 + number(16), number(size as usize - 32));
    at < 64 || (manifest..index).contains(&at) || at >= size - 40
}

#[test]
fn a_base_that_is_not_the_one_is_refused() {
    let disk = Simulated::new();
    let (run, _) = three(&disk);
    let second = run.line(2);
    // Another file of the same number: the program has taken another branch.
    let other = Simulated::new();
    let (changed, _) = three(&other);
    let size = other.entry(&changed.line(2)).unwrap().size_bytes;
    let mut content = vec![0; size as usize];
    other.open_for_reading(&changed.line(2)).unwrap().read_at(0, &mut content).unwrap();
    content[40] ^= 1;
    disk.remove(&second).unwrap();
    assert!(base_reason(&run.open(3).unwrap_err(), &second).contains("cannot be read"));
    disk.open_for_writing(&second).unwrap().write_at(0, &content).unwrap();
    let said = base_reason(&run.open(3).unwrap_err(), &second);
    assert!(said.contains("its header at byte 0"), "{said}");
    disk.rename(&run.line(1), &second).unwrap();
    let said = base_reason(&run.open(3).unwrap_err(), &run.line(1));
    assert!(said.contains("cannot be read"), "{said}");
    assert_eq!(taken(&run).0, 0);
}

#[test]
fn links_are_not_followed_to_a_base_and_many_bases_do_not_need_many_descriptors() {
    let root = std::env::temp_dir().join(format!("cppc-test-{}-bases", std::process::id()));
    let with = Options { full_every: 1000, keep: 1, ..options() };
    let mut run = Run::start(Arc::new(Posix), &root, with);
    let mut blocks = vec![noise(1, 100 * PIECE), noise(2, 100), Vec::new(), noise(3, 10)];
    for line in 0..100 {
        blocks[0][line * PIECE] ^= 1;
        run.dump(&blocks);
    }
    run.assert_has(100, &blocks);
    assert_eq!(run.bases(100).len(), 99);
    let state = run.open(100).unwrap();
    let open = std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
    assert!(open < 60, "{open} descriptors are open");
    drop(state);
    let elsewhere = root.join("elsewhere");
    std::fs::rename(run.line(50), &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, run.line(50)).unwrap();
    assert_eq!(base_reason(&run.open(100).unwrap_err(), &run.line(50)), "is not a regular file");
    std::fs::remove_dir_all(root).unwrap();
}

#[test]
fn what_was_set_aside_finds_what_it_left_behind() {
    let disk = Simulated::new();
    let (run, blocks) = three(&disk);
    run.directory.make_aside().unwrap();
    for line in [2, 3] {
        disk.rename(&run.line(line), &run.directory.aside_line(line)).unwrap();
    }
    let state = verify::open(&disk, &run.directory.aside_line(3), &expectation(0, 1)).unwrap();
    assert!(state.block(0) == Some(&blocks[0][..]));
    assert_eq!(state.bases(), [1, 2]);
    // But never the other way round.
    disk.rename(&run.directory.aside_line(3), &run.line(3)).unwrap();
    assert!(base_reason(&run.open(3).unwrap_err(), &run.line(2)).contains("cannot be read"));
}

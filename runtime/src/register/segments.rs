//! The segment of an address: the stack, the data of a loaded object, or the heap.
//!
//! Input: addresses.
//! Output: their segments, at the time of `Segments::now`.

use super::memory;
use crate::loaded_objects::{loaded_objects, LoadedObject};
use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Segment {
    Stack,
    /// Data of the program or of a library, including the thread-local data of this thread.
    Object,
    Heap,
}

/// The segments of the process at one time.
#[derive(Debug, Default)]
pub struct Segments {
    stack: Range<usize>,
    objects: Vec<Range<usize>>,
    /// The readable ranges, sorted; none if they were not requested, or the system does not provide them.
    readable: Option<Vec<Range<usize>>>,
    /// The ranges that are shared with other processes or a file, sorted.
    shared: Vec<Range<usize>>,
}

impl Segments {
    /// Reads the present segments. `here` is the address of a local of the innermost call, `base` the upper
    /// end of the stack.
    pub fn now(here: usize, base: usize) -> Segments {
        let mut objects = object_ranges();
        objects.sort_by_key(|object| object.start);
        Segments { stack: here..base, objects, readable: None, shared: Vec::new() }
    }

    /// The same, including the readable ranges.
    pub fn with_readable(here: usize, base: usize) -> Segments {
        let (all, shared) = readable();
        Segments {
            readable: Some(all).filter(|found| !found.is_empty()),
            shared,
            ..Segments::now(here, base)
        }
    }

    /// Whether the address is in memory that is shared with other processes or a file, as far as is known.
    pub fn is_shared(&self, address: usize) -> bool {
        let after = self.shared.partition_point(|part| part.start <= address);
        after > 0 && address < self.shared[after - 1].end
    }

    /// Whether the whole range can be read, as far as is known.
    pub fn is_readable(&self, range: memory::Range) -> bool {
        let Some(readable) = self.readable.as_ref().filter(|_| range.size_bytes > 0) else { return true };
        let after = readable.partition_point(|part| part.start <= range.address);
        let part = after.checked_sub(1).and_then(|before| readable.get(before));
        let end = range.address.checked_add(range.size_bytes);
        part.is_some_and(|part| end.is_some_and(|end| end <= part.end))
    }

    /// The readable range that contains the address, as far as is known.
    pub fn readable_part(&self, address: usize) -> Option<Range<usize>> {
        let Some(readable) = &self.readable else { return Some(0..usize::MAX) };
        let after = readable.partition_point(|part| part.start <= address);
        readable.get(after.checked_sub(1)?).filter(|part| part.contains(&address)).cloned()
    }

    pub fn of(&self, address: usize) -> Segment {
        if self.stack.contains(&address) {
            return Segment::Stack;
        }
        let after = self.objects.partition_point(|object| object.start <= address);
        if after > 0 && self.objects[after - 1].contains(&address) {
            return Segment::Object;
        }
        Segment::Heap
    }
}

/// Memory that the process can write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    pub range: memory::Range,
    pub segment: Segment,
    /// Whether it is the stack of the first thread. Most of that memory is unused.
    pub is_stack: bool,
}

/// The private memory that the process can write now; empty if the system does not provide it.
pub fn mappings() -> Vec<Mapping> {
    let text = std::fs::read("/proc/self/maps").unwrap_or_default();
    String::from_utf8_lossy(&text).lines().filter_map(mapping).collect()
}

/// The readable ranges, and the shared ones among them. Both are sorted, and ranges that touch are merged.
fn readable() -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let text = std::fs::read("/proc/self/maps").unwrap_or_default();
    let (mut all, mut shared) = (Vec::new(), Vec::new());
    for line in String::from_utf8_lossy(&text).lines() {
        let mut words = line.split_ascii_whitespace();
        let Some((start, end)) = words.next().and_then(|range| range.split_once('-')) else { continue };
        let (Ok(start), Ok(end)) = (usize::from_str_radix(start, 16), usize::from_str_radix(end, 16)) else {
            continue;
        };
        let rights = words.next().unwrap_or_default();
        if rights.starts_with('r') {
            add(&mut all, start..end);
        }
        if rights.ends_with('s') {
            add(&mut shared, start..end);
        }
    }
    (all, shared)
}

fn add(ranges: &mut Vec<Range<usize>>, range: Range<usize>) {
    match ranges.last_mut() {
        Some(last) if last.end == range.start => last.end = range.end,
        _ => ranges.push(range),
    }
}

/// A line such as `7ffd0000-7ffd2000 rw-p 00000000 00:00 0  [stack]`.
fn mapping(line: &str) -> Option<Mapping> {
    let mut words = line.split_ascii_whitespace();
    let (start, end) = words.next()?.split_once('-')?;
    let (start, end) = (usize::from_str_radix(start, 16).ok()?, usize::from_str_radix(end, 16).ok()?);
    let is_meant = words.next()?.starts_with("rw") && line.split_ascii_whitespace().nth(1)?.ends_with('p');
    let name = words.nth(3);
    let segment = match name {
        None | Some("[heap]") => Segment::Heap,
        Some(_) => Segment::Object,
    };
    let range = memory::Range { address: start, size_bytes: end.checked_sub(start)? };
    is_meant.then_some(Mapping { range, segment, is_stack: name == Some("[stack]") })
}

/// The upper end of the calling thread's stack. This is slow, so the result must be kept.
#[cfg(target_os = "linux")]
pub fn stack_base(here: usize) -> usize {
    let mut attributes = std::mem::MaybeUninit::<libc::pthread_attr_t>::uninit();
    let mut lowest = std::ptr::null_mut();
    let mut size_bytes = 0;
    // SAFETY: the first call initialises `attributes` before the others read it, and it is destroyed once.
    unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) != 0 {
            return here;
        }
        let failed = libc::pthread_attr_getstack(attributes.as_ptr(), &mut lowest, &mut size_bytes) != 0;
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        if failed {
            return here;
        }
    }
    (lowest as usize).saturating_add(size_bytes)
}

#[cfg(not(target_os = "linux"))]
pub fn stack_base(here: usize) -> usize {
    here
}

fn object_ranges() -> Vec<Range<usize>> {
    let ranges = |object: LoadedObject| {
        let parts = object.with(libc::PT_LOAD).map(|segment| segment.range.clone()).collect::<Vec<_>>();
        parts.into_iter().chain(object.thread_local)
    };
    loaded_objects().into_iter().flat_map(ranges).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    static DATA: [u8; 4] = [1, 2, 3, 4];

    #[test]
    fn mappings_are_read_line_by_line() {
        let of = |line| {
            mapping(line)
                .map(|found| (found.range.address, found.range.size_bytes, found.segment, found.is_stack))
        };
        assert_eq!(
            of("1000-3000 rw-p 00000000 00:00 0                          [stack]"),
            Some((0x1000, 0x2000, Segment::Object, true))
        );
        assert_eq!(of("1000-3000 rw-p 00000000 00:00 0 "), Some((0x1000, 0x2000, Segment::Heap, false)));
        assert_eq!(
            of("1000-3000 rw-p 00000000 fe:01 123    /a b/libc.so"),
            Some((0x1000, 0x2000, Segment::Object, false))
        );
        assert_eq!(of("1000-3000 r--p 00000000 fe:01 123    /a/libc.so"), None);
        assert_eq!(of("1000-3000 rw-s 00000000 fe:01 123    /dev/shm/x"), None);
        assert_eq!(of("3000-1000 rw-p 00000000 00:00 0 "), None);
        assert!(!cfg!(target_os = "linux") || mappings().iter().any(|found| found.is_stack));
    }

    #[test]
    fn stack_data_and_heap_are_told_apart() {
        let marker = 0u8;
        let here = &raw const marker as usize;
        let local = [0u8; 64];
        let heap = vec![0u8; 1 << 20];
        thread_local!(static OWN: std::cell::Cell<u64> = const { std::cell::Cell::new(3) });
        let segments = Segments::now(here.min(local.as_ptr() as usize), stack_base(here));
        // Thread-local data. For a thread that is not the first, it is next to the stack.
        OWN.with(|own| assert_ne!(segments.of(own.as_ptr() as usize), Segment::Heap));
        assert_eq!(segments.of(local.as_ptr() as usize), Segment::Stack);
        assert_eq!(segments.of(DATA.as_ptr() as usize), Segment::Object);
        assert_eq!(segments.of(heap.as_ptr() as usize), Segment::Heap);
        let range = |address: usize, size_bytes| memory::Range { address, size_bytes };
        assert!(segments.is_readable(range(16, 8)), "nobody has asked");
        let segments = Segments::with_readable(here, stack_base(here));
        let start = heap.as_ptr() as usize;
        assert!(
            segments.is_readable(range(start, 1 << 20))
                && segments.is_readable(range(here, 1))
                && segments.is_readable(range(16, 0))
        );
        if cfg!(target_os = "linux") {
            assert!(!segments.is_readable(range(16, 8)) && !segments.is_readable(range(start, 1 << 46)));
            assert!(!segments.is_readable(range(start, usize::MAX)));
        }
    }
}

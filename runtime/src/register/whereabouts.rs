//! Where an address lives: on the stack, in the data of a loaded object, or on the heap.
//!
//! In: addresses. Out: their segment. Holds afterwards: the answer is as of `Segments::now`.

use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Segment {
    Stack,
    /// Data of the program or of a library, that of this thread among it.
    Object,
    Heap,
}

/// The segments of the process at one moment.
#[derive(Debug, Default)]
pub struct Segments {
    stack: Range<usize>,
    objects: Vec<Range<usize>>,
}

impl Segments {
    /// Asks the system. `here` is the address of a local of the innermost call, `base` the upper end
    /// of the stack.
    pub fn now(here: usize, base: usize) -> Segments {
        let mut objects = objects();
        objects.sort_by_key(|object| object.start);
        Segments { stack: here..base, objects }
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

/// The upper end of the calling thread's stack. Slow: ask once.
#[cfg(target_os = "linux")]
pub fn stack_base(here: usize) -> usize {
    let mut attributes = std::mem::MaybeUninit::<libc::pthread_attr_t>::uninit();
    let mut lowest = std::ptr::null_mut();
    let mut size_bytes = 0;
    // SAFETY: `attributes` is initialised by the first call before the others read it, and
    // destroyed once.
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

#[cfg(target_os = "linux")]
fn objects() -> Vec<Range<usize>> {
    unsafe extern "C" fn visit(object: *mut libc::dl_phdr_info, _size: usize, found: *mut libc::c_void) -> libc::c_int {
        // SAFETY: the loader hands over a valid description, and `found` is the vector below.
        let (object, found) = unsafe { (&*object, &mut *found.cast::<Vec<Range<usize>>>()) };
        if object.dlpi_phdr.is_null() {
            return 0;
        }
        // SAFETY: the loader says how many headers there are.
        let headers = unsafe { std::slice::from_raw_parts(object.dlpi_phdr, usize::from(object.dlpi_phnum)) };
        for header in headers.iter().filter(|header| header.p_type == libc::PT_LOAD) {
            let start = (object.dlpi_addr as usize).wrapping_add(header.p_vaddr as usize);
            found.push(start..start.wrapping_add(header.p_memsz as usize));
        }
        let own = headers.iter().find(|header| header.p_type == libc::PT_TLS);
        if let (Some(own), false) = (own, object.dlpi_tls_data.is_null()) {
            let start = object.dlpi_tls_data as usize;
            found.push(start..start.wrapping_add(own.p_memsz as usize));
        }
        0
    }
    let mut found: Vec<Range<usize>> = Vec::new();
    // SAFETY: `visit` fits, does not unwind, and `found` lives through the call.
    unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut found).cast()) };
    found
}

#[cfg(not(target_os = "linux"))]
fn objects() -> Vec<Range<usize>> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    static DATA: [u8; 4] = [1, 2, 3, 4];

    #[test]
    fn stack_data_and_heap_are_told_apart() {
        let marker = 0u8;
        let here = &raw const marker as usize;
        let local = [0u8; 64];
        let heap = vec![0u8; 1 << 20];
        thread_local!(static OWN: std::cell::Cell<u64> = const { std::cell::Cell::new(3) });
        let segments = Segments::now(here.min(local.as_ptr() as usize), stack_base(here));
        // Beside the stack of a thread that is not the first.
        OWN.with(|own| assert_ne!(segments.of(own.as_ptr() as usize), Segment::Heap));
        assert_eq!(segments.of(local.as_ptr() as usize), Segment::Stack);
        assert_eq!(segments.of(DATA.as_ptr() as usize), Segment::Object);
        assert_eq!(segments.of(heap.as_ptr() as usize), Segment::Heap);
    }
}

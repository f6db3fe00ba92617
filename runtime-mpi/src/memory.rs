//! Memory that the program gets from MPI.
//!
//! Input: calls of C, which the linker redirects (`--wrap`).
//! Output: the results of MPI. In a restart, allocated memory takes the place of that of `MPI_Alloc_mem`, so `MPI_Free_mem`
//! accepts it.
//! Postcondition: memory of `MPI_Alloc_mem` is known as an allocation. That of a window is known as memory for which a
//! restart could allocate no other.

use cppc_runtime::allocations::{of_mpi, windows};
use mpi::ffi::{self, MPI_Aint, MPI_Comm, MPI_Info, MPI_Win};
use std::ffi::{c_int, c_void};

/// A function of any type.
type Any = unsafe extern "C" fn();
type Memory = *mut c_void;
type AllocateMemory = unsafe extern "C" fn(MPI_Aint, MPI_Info, Memory) -> c_int;
type FreeMemory = unsafe extern "C" fn(Memory) -> c_int;
type FreeWindow = unsafe extern "C" fn(*mut MPI_Win) -> c_int;
type AllocateWindow =
    unsafe extern "C" fn(MPI_Aint, c_int, MPI_Info, MPI_Comm, Memory, *mut MPI_Win) -> c_int;

// The names of the functions of MPI in a program that is linked with `--wrap`. In others, they do not exist.
#[cfg(target_os = "linux")]
std::arch::global_asm!(
    ".weak __real_MPI_Alloc_mem",
    ".weak __real_MPI_Free_mem",
    ".weak __real_MPI_Win_allocate",
    ".weak __real_MPI_Win_allocate_shared",
    ".weak __real_MPI_Win_free",
    ".pushsection .data.rel.ro.cppc_real_mpi,\"aw\",%progbits",
    ".balign 8",
    ".globl cppc_real_mpi",
    ".hidden cppc_real_mpi",
    "cppc_real_mpi:",
    ".dc.a __real_MPI_Alloc_mem",
    ".dc.a __real_MPI_Free_mem",
    ".dc.a __real_MPI_Win_allocate",
    ".dc.a __real_MPI_Win_allocate_shared",
    ".dc.a __real_MPI_Win_free",
    ".popsection",
);

#[cfg(target_os = "linux")]
fn linked(place: usize) -> Option<Any> {
    unsafe extern "C" {
        static cppc_real_mpi: [Option<Any>; 5];
    }
    // SAFETY: the section above has as many addresses, and nothing writes to them.
    unsafe { cppc_real_mpi[place] }
}

#[cfg(not(target_os = "linux"))]
fn linked(_place: usize) -> Option<Any> {
    None
}

/// The pointer that a function of MPI has set, if it succeeded.
///
/// # Safety
/// `out` points to a pointer if the status is one of success.
unsafe fn made(status: c_int, out: Memory) -> Option<usize> {
    // SAFETY: the caller guarantees it.
    (status == ffi::MPI_SUCCESS as c_int).then(|| unsafe { out.cast::<usize>().read_unaligned() })
}

/// `MPI_Alloc_mem` of the program.
///
/// # Safety
/// The requirements of the function of MPI hold.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_MPI_Alloc_mem(size: MPI_Aint, info: MPI_Info, out: Memory) -> c_int {
    // SAFETY: the linker has set this place to the function of this name, and the caller guarantees the requirements.
    let status = unsafe {
        match linked(0) {
            Some(found) => std::mem::transmute::<Any, AllocateMemory>(found)(size, info, out),
            None => ffi::MPI_Alloc_mem(size, info, out),
        }
    };
    // SAFETY: MPI has set the pointer if it succeeded.
    if let (Some(address), Ok(size_bytes)) = (unsafe { made(status, out) }, usize::try_from(size)) {
        of_mpi::record(address, size_bytes);
    }
    status
}

/// `MPI_Free_mem` of the program.
///
/// # Safety
/// The requirements of the function of MPI hold.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_MPI_Free_mem(memory: Memory) -> c_int {
    // SAFETY: the program gives the memory up.
    if unsafe { of_mpi::forget(memory) } {
        return ffi::MPI_SUCCESS as c_int;
    }
    // SAFETY: as above.
    unsafe {
        match linked(1) {
            Some(found) => std::mem::transmute::<Any, FreeMemory>(found)(memory),
            None => ffi::MPI_Free_mem(memory),
        }
    }
}

/// `MPI_Win_allocate` of the program.
///
/// # Safety
/// The requirements of the function of MPI hold.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_MPI_Win_allocate(
    size: MPI_Aint,
    unit: c_int,
    info: MPI_Info,
    communicator: MPI_Comm,
    out: Memory,
    window: *mut MPI_Win,
) -> c_int {
    // SAFETY: as above.
    unsafe { allocate_window(2, ffi::MPI_Win_allocate, (size, unit, info, communicator, out, window)) }
}

/// `MPI_Win_allocate_shared` of the program.
///
/// # Safety
/// The requirements of the function of MPI hold.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_MPI_Win_allocate_shared(
    size: MPI_Aint,
    unit: c_int,
    info: MPI_Info,
    communicator: MPI_Comm,
    out: Memory,
    window: *mut MPI_Win,
) -> c_int {
    // SAFETY: as above.
    unsafe { allocate_window(3, ffi::MPI_Win_allocate_shared, (size, unit, info, communicator, out, window)) }
}

/// Calls the linked function at this place, or the other one, and records the window.
///
/// # Safety
/// The place is that of a function with these arguments, and their requirements hold.
unsafe fn allocate_window(
    place: usize,
    other: AllocateWindow,
    (size, unit, info, communicator, out, window): (
        MPI_Aint,
        c_int,
        MPI_Info,
        MPI_Comm,
        Memory,
        *mut MPI_Win,
    ),
) -> c_int {
    // SAFETY: the caller guarantees the type and the requirements.
    let status = unsafe {
        let function = linked(place).map_or(other, |found| std::mem::transmute::<Any, AllocateWindow>(found));
        function(size, unit, info, communicator, out, window)
    };
    // SAFETY: MPI has set the pointer and the window if it succeeded.
    unsafe { note_window(status, size, (out, window)) };
    status
}

/// `MPI_Win_free` of the program.
///
/// # Safety
/// The requirements of the function of MPI hold.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_MPI_Win_free(window: *mut MPI_Win) -> c_int {
    if !window.is_null() {
        // SAFETY: the pointer is one to a handle.
        windows::forget(number(unsafe { window.read_unaligned() }));
    }
    // SAFETY: as above.
    unsafe {
        match linked(4) {
            Some(found) => std::mem::transmute::<Any, FreeWindow>(found)(window),
            None => ffi::MPI_Win_free(window),
        }
    }
}

/// # Safety
/// The requirements of [`made`] hold, and for a status of success also those for the window.
unsafe fn note_window(status: c_int, size: MPI_Aint, (out, window): (Memory, *mut MPI_Win)) {
    // SAFETY: the caller guarantees it.
    if let (Some(address), Ok(size_bytes)) = (unsafe { made(status, out) }, usize::try_from(size)) {
        // SAFETY: as above.
        windows::record(number(unsafe { window.read_unaligned() }), address, size_bytes);
    }
}

/// A handle as a number. It is a pointer or an integer, depending on the MPI.
fn number(window: MPI_Win) -> u64 {
    let mut bytes = [0; 8];
    let size_bytes = size_of::<MPI_Win>().min(bytes.len());
    // SAFETY: a handle has this many bytes, without padding.
    let of_handle = unsafe { std::slice::from_raw_parts((&raw const window).cast::<u8>(), size_bytes) };
    bytes[..size_bytes].copy_from_slice(of_handle);
    u64::from_ne_bytes(bytes)
}

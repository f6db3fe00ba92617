//! The thread procedures that gfortran's library needs.
//!
//! Input: nothing.
//! Output: references.
//! Postcondition: a statically linked program contains the procedures that are referred to here. gfortran's
//! library has weak references to them. If one of them exists, and the runtime brings it in, the library
//! assumes that all exist. Without the others it would jump to address zero when it closes its files.

/// Prevents the linker from leaving them out.
pub fn keep() {
    let needed: [*const (); 16] = [
        libc::pthread_cond_broadcast as *const (),
        libc::pthread_cond_destroy as *const (),
        libc::pthread_cond_init as *const (),
        libc::pthread_cond_wait as *const (),
        libc::pthread_create as *const (),
        libc::pthread_getspecific as *const (),
        libc::pthread_join as *const (),
        libc::pthread_key_create as *const (),
        libc::pthread_key_delete as *const (),
        libc::pthread_mutex_destroy as *const (),
        libc::pthread_mutex_init as *const (),
        libc::pthread_mutex_lock as *const (),
        libc::pthread_mutex_trylock as *const (),
        libc::pthread_mutex_unlock as *const (),
        libc::pthread_self as *const (),
        libc::pthread_setspecific as *const (),
    ];
    std::hint::black_box(needed);
}

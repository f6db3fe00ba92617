//! The procedures for threads that gfortran's library has to find.
//!
//! In: nothing. Out: references. Holds afterwards: in a program that is linked statically, what is referred to here is
//! there. gfortran's library asks for it weakly, and takes one of the procedures, which the runtime brings along, as the
//! sign that all are there; without the others it would jump to address zero when it closes its files.

/// Keeps the linker from leaving them out.
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

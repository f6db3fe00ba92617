//! `CPPC_ARGUMENTS`: the command line of a Fortran program.
//!
//! Input: the command line of the process.
//! Output: the command line that the Fortran library gives to the program.
//! Postcondition: the settings of the runtime are kept for `CPPC_INIT`. A library that accepts a new command
//! line (gfortran's) has one without them; any other library keeps the old one.

use cppc_runtime_ffi::boundary::pass;
use cppc_runtime_ffi::own_command_line;
use std::ffi::{c_char, c_int, CString, OsString};
use std::os::unix::ffi::OsStrExt;

/// Takes the settings out of the command line.
pub fn set_aside() {
    let words = own_command_line();
    pass("CPPC_ARGUMENTS", (), |controller| {
        let mut left = words.clone();
        controller.set_aside(&mut left);
        if left.len() < words.len() {
            hand_on(&left);
        }
        Ok(())
    });
}

/// Gives gfortran's library another command line, if the program has that library.
fn hand_on(words: &[OsString]) {
    // SAFETY: the name is a text; there is no other requirement.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"_gfortran_set_args".as_ptr()) };
    if found.is_null() {
        return;
    }
    // SAFETY: the library documents this procedure with these arguments.
    let set_args =
        unsafe { std::mem::transmute::<*mut libc::c_void, extern "C" fn(c_int, *mut *mut c_char)>(found) };
    let texts = words.iter().filter_map(|word| CString::new(word.as_bytes()).ok());
    let mut pointers: Vec<*mut c_char> = texts.map(CString::into_raw).collect();
    let count = pointers.len() as c_int;
    pointers.push(std::ptr::null_mut());
    // The library keeps the pointers until the program ends.
    set_args(count, pointers.leak().as_mut_ptr());
}

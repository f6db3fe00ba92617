//! Whether a file may control this program.
//!
//! Input: an open file, or the path of a shared object.
//! Output: why it is not trusted, or none.
//! Postcondition: only the user and the superuser can have written a trusted file.
//!
//! This file contains `unsafe`, because it asks the system for the rights of the program.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;

const WRITABLE_BY_GROUP: u32 = 0o020;
const WRITABLE_BY_ALL: u32 = 0o002;

/// Whether the program has rights that its caller does not have (setuid, setgid, capabilities). If so, the
/// caller's settings, state files and directories must not control it.
pub fn is_privileged() -> bool {
    #[cfg(target_os = "linux")]
    // SAFETY: the call only queries the system.
    return unsafe { libc::getauxval(libc::AT_SECURE) } != 0;
    #[cfg(not(target_os = "linux"))]
    return {
        use rustix::process::{getegid, geteuid, getgid, getuid};
        getuid() != geteuid() || getgid() != getegid()
    };
}

/// Why another user may have written the file: its owner, or its permissions.
pub fn doubt(metadata: &Metadata) -> Option<&'static str> {
    doubt_of(metadata.uid(), metadata.mode(), rustix::process::geteuid().as_raw())
}

fn doubt_of(owner: u32, mode: u32, user: u32) -> Option<&'static str> {
    if owner != user && owner != 0 {
        Some("belongs to another user")
    } else if mode & WRITABLE_BY_ALL != 0 {
        Some("can be written by everybody")
    } else {
        None
    }
}

/// The same for a file that contains code for this program, or names it: its group must not be able to write
/// it either.
pub fn doubt_of_code(metadata: &Metadata) -> Option<&'static str> {
    let by_group = metadata.mode() & WRITABLE_BY_GROUP != 0;
    doubt(metadata).or(by_group.then_some("can be written by its group"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_user_and_the_superuser_are_believed() {
        assert_eq!(doubt_of(1000, 0o100664, 1000), None);
        assert_eq!(doubt_of(0, 0o100644, 1000), None);
        assert_eq!(doubt_of(1001, 0o100644, 1000), Some("belongs to another user"));
        assert_eq!(doubt_of(1000, 0o100644, 0), Some("belongs to another user"));
        assert_eq!(doubt_of(1000, 0o100666, 1000), Some("can be written by everybody"));
    }
}

//! `CPPC_Identify`.
//!
//! Input: the fingerprint of the program's instrumented procedures.
//! Output: nothing.
//! Postcondition: state files with another fingerprint are refused.

use crate::boundary::pass;
use crate::text::Text;

pub fn identify(fingerprint: Text) {
    let fingerprint = fingerprint.unwrap_or_default();
    pass("CPPC_Identify", (), |controller| {
        controller.identify(&fingerprint);
        Ok(())
    });
}

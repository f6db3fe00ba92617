//! `CPPC_Identify`.
//!
//! In: the fingerprint of the program's instrumented procedures. Out: nothing. Holds afterwards: state
//! files of a program with another one are refused.

use crate::boundary::pass;
use crate::text::Text;

pub fn identify(fingerprint: Text) {
    let fingerprint = fingerprint.unwrap_or_default();
    pass("CPPC_Identify", (), |controller| {
        controller.identify(&fingerprint);
        Ok(())
    });
}

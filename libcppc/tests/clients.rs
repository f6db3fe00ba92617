//! C programs that use the library, killed and resumed.
//!
//! In: the sources in `clients/`, a C compiler. Out: what the programs print. Holds afterwards: wherever
//! a program was killed, the run that resumed ends with the same bytes as one that was never stopped.

mod harness;

use harness::Client;

#[test]
fn frames() {
    Client::build("frames").survives_every_kill();
}

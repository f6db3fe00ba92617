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

#[test]
fn recursion() {
    Client::build("recursion").survives_every_kill();
}

#[test]
fn places() {
    Client::build("places").survives_every_kill();
}

#[test]
fn memory() {
    Client::build("memory").survives_every_kill();
}

#[test]
fn live() {
    Client::build("live").survives_every_kill();
}

#[test]
fn dying() {
    Client::build("dying").survives_every_kill();
}

#[test]
fn types() {
    Client::build("types").survives_every_kill();
}

#[test]
fn foreign() {
    let client = Client::build("foreign");
    client.survives_every_kill();
    let run = client.run("said", &[]);
    assert_eq!(run.err.matches("`compare` was entered from a caller that CPPC does not know of").count(), 1, "{run:?}");
}

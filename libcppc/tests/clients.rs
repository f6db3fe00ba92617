//! C programs that use the library, killed and resumed.
//!
//! Input: the sources in `clients/`, a C compiler.
//! Output: the output of the programs.
//! Postcondition: wherever a program was killed, the resumed run ends with the same bytes as an uninterrupted
//! run.

mod harness;
mod interface;

use harness::Client;
use std::path::Path;

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
    assert_eq!(
        run.err.matches("`compare` was entered from a caller that CPPC does not know").count(),
        1,
        "{run:?}"
    );
}

/// The example of the literature on CPPC, with calls written by hand: killed from outside, at any moment.
#[test]
fn by_hand() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/c/by-hand/diagonalize.c");
    let client = Client::build_with("diagonalize", &source, &[]);
    let unbroken = client.run("unbroken", &[("CPPC_EVERY", "0")]);
    assert!(unbroken.is_success(), "{unbroken:?}");
    for wait_ms in [30, 90, 150, 210, 270, 330] {
        let state = format!("after-{wait_ms}");
        client.kill_after(&state, wait_ms, &[("CPPC_ASYNC", "false"), ("PAUSE_MS", "30")]);
        let resumed = client.run(&state, &[]);
        assert_eq!(resumed.out, unbroken.out, "killed after {wait_ms} ms: {resumed:?}");
    }
    // The state of the second checkpoint has fewer registers than that of the first.
    let whole = client.run("last", &[("CPPC_EVERY", "9"), ("CPPC_DELETE", "false")]);
    assert!(whole.is_success(), "{whole:?}");
    client.forget_that_it_finished("last/diagonalize/rank-0000");
    let resumed = client.run("last", &[]);
    assert_eq!(resumed.out, unbroken.out);
    assert!(resumed.err.contains("resuming from recovery line 1 (1 process, written "), "{resumed:?}");
    assert!(!resumed.err.contains("sweep"), "{resumed:?}");
}

/// Mistakes of a program are reported with names. The program continues if that is safe.
#[test]
fn misuse() {
    let client = Client::build("misuse");
    let said = |what: &str, wanted: &str| {
        let run = client.run_with(&format!("misuse-{what}"), &[], &[what]);
        assert!(run.is_success(), "{what}: {run:?}");
        assert!(run.err.contains(wanted), "{what}: {}", run.err);
        run
    };
    said("early", "cppc: `x` is registered before `CPPC_Init`: it will not be saved");
    let skipped = "cppc: nothing is written at checkpoint 1: `x` was registered before `CPPC_Init`, which has no effect: register it after `CPPC_Init`";
    for what in ["early", "early-other"] {
        said(what, skipped);
    }
    for what in ["early-again", "early-ended", "early-unregistered"] {
        let run = said(what, "cppc: `x` is registered before `CPPC_Init`");
        assert!(!run.err.contains("nothing is written"), "{run:?}");
    }
    said("twice", "cppc: `CPPC_Init` was called again");
    said("after", "cppc: `CPPC_Init` was called after `CPPC_Shutdown`");
    said("thread", "cppc: `CPPC_Do_checkpoint` was called from another thread");
    said("thread-register", "cppc: `CPPC_Register` was called for `mine` from another thread");
    said("signal", "cppc: `CPPC_Jump_next` was called from within another call");
    said("type", "cppc: `x` cannot be registered: the type code 55 is not known");
    said(
        "type",
        "cppc: nothing is written at checkpoint 1: `x` cannot be registered: the type code 55 is not known",
    );
    said("storage", "cppc: `x` cannot be registered: the storage 3 is not known");
    said("dangling", "nothing is written at checkpoint 1: `x` contains a pointer (element 1) that points to no registered memory: register the variable there");
    said("stack", "nothing is written at checkpoint 1: `x` points to memory of the program that a restart could not find");
    for what in ["own", "lost", "partly"] {
        said(what, "nothing is written at checkpoint 1: `x` points to memory of the program that a restart could not find");
    }
    said("empty", "nothing is written at checkpoint 1: `x` is registered without elements, and points neither into registered memory nor to its end");
    said("way", "nothing is written at checkpoint 1: `*x` was registered through a pointer that has changed");
    said("huge", "nothing is written at checkpoint 1: `x` is registered with 21474836480 bytes at 0x");
    said("unmapped", "nothing is written at checkpoint 1: `x` is registered with 1048576 bytes at 0x");
    said("shared", "nothing is written at checkpoint 1: `x` points to memory that is shared with other processes or with a file");
    said("wild", "nothing is written at checkpoint 1: `x` is registered with 4 bytes at 0x123456, and not all of them can be read");
    said("capture", "cppc: `x` cannot be captured: not all of its 18446744073709551612 bytes can be read");
    said("leave", "cppc: `CPPC_Leave` was called without a `CPPC_Enter` before it");
    said("return", "cppc: `CPPC_Return(3)` in `main` has no `CPPC_Call(3)` before it");
    said(
        "return",
        "nothing is written at checkpoint 1 in `main`: `main` ran blocks that a restart could not replay",
    );
    said("structure", "cppc: the structure `s` cannot be described: the field `f` of the structure `s` does not lie within its 4 bytes");
    said("null", "cppc: `` cannot be registered: it has no name");
    let arguments = client.run_with(
        "arguments",
        &[],
        &["arguments", "--cppc-every=3", "-CPPC,CPPC/Controller/Frequency=2", "last"],
    );
    assert_eq!(arguments.out, "3 arguments last null\n", "{arguments:?}");
    let unknown = client.run_with("unknown", &[], &["arguments", "--cppc-evry=3"]);
    assert_eq!(unknown.code, Some(2), "{unknown:?}");
    assert!(unknown.err.contains("did you mean `every`"), "{unknown:?}");
}

/// Pointers that were set before a late `CPPC_Init` and are not set again are reported, with the name of
/// their target.
#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn pointers_that_a_restart_leaves_behind_are_reported() {
    let client = Client::build("late");
    let unbroken = client.run_with("late-unbroken", &[("CPPC_EVERY", "0")], &["all"]);
    assert!(unbroken.is_success(), "{unbroken:?}");
    for (how, is_right) in [("all", true), ("set", true), ("most", false), ("none", false), ("table", false)]
    {
        let state = format!("late-{how}");
        let killed = client.run_with(&state, &[("KILL_AT", "3"), ("CPPC_ASYNC", "false")], &[how]);
        assert_eq!(killed.signal, Some(9), "{killed:?}");
        let resumed = client.run_with(&state, &[], &[how]);
        assert!(resumed.is_success(), "{how}: {resumed:?}");
        assert_eq!(resumed.out == unbroken.out, is_right, "{how}: {resumed:?}");
        let warned =
            resumed.err.contains("to the memory that `rows[0]` had before this restart gave it new memory");
        // A stale copy of the address may be found too.
        assert!(warned || is_right, "{how}: {}", resumed.err);
    }
}

/// The memory of the runtime contains no addresses that look like pointers of the program. Padding may contain what the stack
/// contained, by chance (in 1 of 40 runs), so one of several restarts must be without a warning.
#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn a_registered_pointer_that_was_set_before_init_gives_no_warning() {
    let client = Client::build("single");
    let mut warnings = Vec::new();
    for attempt in 0..3 {
        let state = format!("single-{attempt}");
        let killed = client.run_with(&state, &[("KILL_AT", "3"), ("CPPC_ASYNC", "false")], &[]);
        assert_eq!(killed.signal, Some(9), "{killed:?}");
        let resumed = client.run_with(&state, &[], &[]);
        assert!(resumed.is_success(), "{resumed:?}");
        assert_eq!(resumed.out, "2.997e+06\n");
        if !resumed.err.contains("there are pointers") {
            return;
        }
        warnings.push(resumed.err);
    }
    panic!("{warnings:#?}");
}

/// A signal handler may have interrupted `malloc`.
#[test]
fn a_call_in_a_signal_handler_allocates_nothing() {
    let run = Client::build("handler").run("in-handler", &[]);
    assert_eq!(run.out, "allocated: 0\n", "{run:?}");
    assert!(run.err.contains("cppc: `CPPC_Jump_next` was called from within another call"), "{run:?}");
}

/// The interface called in any order, with valid and invalid arguments: no program ends by a signal, and its
/// state can be read or is refused.
#[test]
fn calls_in_random_order() {
    let client = Client::build("random");
    for seed in 1..=40 {
        let (state, seed) = (format!("random-{seed}"), seed.to_string());
        for (every, delete) in [("1", "false"), ("1", "false"), ("3", "true")] {
            let settings = [("CPPC_EVERY", every), ("CPPC_DELETE", delete), ("CPPC_LOG", "quiet")];
            let run = client.run_with(&state, &settings, &[&seed, "600"]);
            assert!(matches!(run.code, Some(0 | 1)), "seed {seed}: {run:?}");
            assert!(!run.err.contains("internal failure"), "seed {seed}: {run:?}");
            let files = format!("{state}/random/rank-0000");
            if client.state(&files).exists() {
                client.forget_that_it_finished(&files);
            }
        }
    }
}

/// State that does not fit the resuming program is refused, and the message names the reason.
#[test]
fn refusals() {
    let client = Client::build("changed");
    let refused = |how: &str, wanted: &str| {
        let state = format!("refused-{how}");
        let killed = client.run_with(&state, &[("KILL_AT", "1"), ("CPPC_ASYNC", "false")], &[]);
        assert_eq!(killed.signal, Some(9), "{killed:?}");
        // The argument selects what is wrong; it must not change anything else.
        let run = client.run_with(&state, &[("CPPC_IDENTITY", "none")], &[how]);
        assert_eq!(run.code, Some(1), "{how}: {run:?}");
        assert!(run.err.contains(&format!("cppc: cannot resume: {wanted}")), "{how}: {}", run.err);
        let run = client.run_with(&state, &[], &[]);
        assert_eq!(run.out, "7 49\n", "{how}: the state is still there: {run:?}");
    };
    refused("small", "`data` has 10 elements in the state file, but only 5 in the program");
    refused("type", "`data` has the type float in the program and int in the state file");
    refused("missing", "the state file has `x`, which the program did not register in the restart");
    refused("block", "`main` reached register block 9 where the state file has register block 2");
    refused("procedure", "`other` was entered where the state file has call 3 of `work`");
    refused("early", "the program reached `CPPC_Shutdown` before the checkpoint of the state file");
    refused(
        "init",
        "`CPPC_Init` was called through no procedure, but through `main` when the state file was written",
    );
}

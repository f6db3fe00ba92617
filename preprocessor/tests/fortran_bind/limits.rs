//! Artificial sources that could take very long. Translating them ends soon.

use std::time::{Duration, Instant};

use crate::program_of_text;

/// If it takes longer, the time grows faster than the size of the source.
const LONGEST: Duration = Duration::from_secs(60);

fn ends(name: &str, text: &str) -> usize {
    let begun = Instant::now();
    let case = program_of_text(name, text).expect("a source without faults");
    assert!(begun.elapsed() < LONGEST, "{name} took {:?}", begun.elapsed());
    case.diagnostics.len()
}

#[test]
fn constants_that_double() {
    let chain: String =
        (1..120).map(|i| format!("integer, parameter :: p{i} = p{0} + p{0}\n", i - 1)).collect();
    let text = format!(
        "subroutine s\ninteger, parameter :: p0 = 1\n{chain}real :: a(p119), b(p20)\n!$cppc register(a, b)\nend\n"
    );
    assert_eq!(ends("double.f90", &text), 0);
}

#[test]
fn constants_that_go_round() {
    let text = "subroutine s\ninteger, parameter :: p = q + q, q = p + p\nreal :: a(p)\n!$cppc register(a(1))\nend\n";
    assert_eq!(ends("round.f90", text), 0);
}

#[test]
fn types_that_hold_themselves() {
    let chain: String = (1..60).map(|i| format!("type t{i}\ntype(t{}) :: a, b\nend type\n", i - 1)).collect();
    let text = format!(
        "module m\ntype t0\ninteger :: c\nend type\n{chain}type r\ntype(r) :: z\nend type\ntype(t59) :: x, y(3)\n\
         contains\nsubroutine s\ntype(r) :: w\n!$cppc register(x)\n!$cppc register(y)\n!$cppc register(w)\nend subroutine\nend module\n"
    );
    assert_eq!(ends("types.f90", &text), 3);
}

#[test]
fn statement_functions_that_call_themselves() {
    let chain: String = (1..60).map(|i| format!("f{i}(x) = f{0}(x) + f{0}(x)\n", i - 1)).collect();
    let text = format!("program p\nf0(x) = f59(x) + g(x)\n{chain}!$cppc checkpoint\ny = f59(1.0)\nend\n");
    assert_eq!(ends("functions.f90", &text), 0);
}

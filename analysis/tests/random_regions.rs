//! Random programs are executed step by step, and every read that sees a value from before must be exposed.
//!
//! Input: programs with arrays, loop nests, branches, sections and calls, made from fixed seeds.
//! Postcondition: what the analysis of array regions calls covered was written before in every execution.

mod generator;
mod interpreter;

use cppc_analysis::effects::NoEffects;
use cppc_analysis::region::{Escapes, Regions};
use cppc_prng::Random;

#[test]
fn a_covered_read_never_sees_a_value_from_before() {
    let programs: u64 =
        std::env::var("CPPC_REGION_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(150);
    let first: u64 = std::env::var("CPPC_REGION_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let mut failures = Vec::new();
    let mut counts = interpreter::Counts::default();
    for seed in first..first + programs {
        let mut random = Random::new(seed);
        let program = generator::program(&mut random);
        let effects = Escapes::new(&program, &NoEffects);
        let regions = Regions::new(&program, &effects);
        for _ in 0..6 {
            if let Err(report) = interpreter::run(&program, &regions, &mut random, &mut counts) {
                failures.push(format!("seed {seed}: {report}\n{}", program.dump()));
                break;
            }
        }
    }
    // The shortest program shows most.
    if let Some(shortest) = failures.iter().min_by_key(|failure| failure.len()) {
        panic!("{} of {programs} programs; {shortest}", failures.len());
    }
    println!("{counts:?}");
    // The test shows something only if reads are called covered, and if reads are exposed.
    assert!(counts.covered > 10 * programs, "{counts:?}");
    assert!(counts.exposed > 20 * programs, "{counts:?}");
}

//! Directives of OpenMP and OpenACC to which a statement or a block belongs, as both languages have them.

const OMP: [&str; 17] = [
    "parallel",
    "sections",
    "single",
    "task",
    "taskloop",
    "taskgroup",
    "critical",
    "master",
    "masked",
    "atomic",
    "ordered",
    "simd",
    "teams",
    "distribute",
    "loop",
    "scope",
    "target",
];

const ACC: [&str; 7] = ["parallel", "kernels", "serial", "loop", "data", "host_data", "atomic"];

/// The words of a family, `omp` or `acc`; `own` are those of OpenMP that one language alone has.
pub(super) fn words<'a>(family: &str, own: &'a [&'a str]) -> impl Iterator<Item = &'a str> + Clone {
    let (common, own): (&[&str], &[&str]) = match family {
        "omp" => (&OMP, own),
        "acc" => (&ACC, &[]),
        _ => (&[], &[]),
    };
    common.iter().chain(own).copied()
}

/// Whether nothing belongs to it after all: `target update`, `target enter data`, `ordered depend(…)`.
pub(super) fn stands_alone(word: &str, next: &str) -> bool {
    matches!((word, next), ("target", "update" | "enter" | "exit") | ("ordered", "depend" | "doacross"))
}

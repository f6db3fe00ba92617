//! Real sources from the folder in `CPPC_CORPUS`. Without it the test does nothing.
//!
//! Prints how many sources have a complete tree. Each of the others has a diagnostic with a position.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::source::{below, source};

#[test]
fn corpus() {
    let Some(folder) = std::env::var_os("CPPC_CORPUS").map(PathBuf::from) else { return };
    let (mut complete, mut lines) = (0, 0);
    let mut spent = Duration::ZERO;
    let mut others = Vec::new();
    let paths = below(&folder);
    for path in &paths {
        let text = std::fs::read(path).expect("a file that can be read");
        let begun = Instant::now();
        let source = source(path, &text, &[]);
        spent += begun.elapsed();
        lines += text.iter().filter(|&&byte| byte == b'\n').count();
        let parsed = &source.parsed;
        if parsed.diagnostics.is_empty() && parsed.tree.unparsed.is_empty() {
            complete += 1;
            continue;
        }
        let placed = parsed.diagnostics.iter().all(|diagnostic| !diagnostic.labels.is_empty());
        assert!(placed && !parsed.diagnostics.is_empty(), "{}", path.display());
        let shown = source.shown();
        let first = shown.split("\n\n").next().unwrap_or_default();
        others.push(format!("{} ({} in all)\n{first}", path.display(), parsed.diagnostics.len()));
    }
    for other in &others {
        println!("{other}\n");
    }
    let share = 100.0 * complete as f64 / paths.len().max(1) as f64;
    println!("{complete} of {} files have a complete tree: {share:.2} %", paths.len());
    println!("{lines} lines in {spent:.1?}");
    assert!(share > 99.0);
}

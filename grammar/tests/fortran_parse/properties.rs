//! Properties for every text: no panic, no endless loop, every line in the tree, every position within its
//! line.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cppc_grammar::fortran::tree::{ConstructEnd, Expr, Interface, Statement, StatementKind, Unit};

use crate::source::{below, source, Source};

fn fixtures() -> Vec<PathBuf> {
    below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"))
}

/// Collects the lines of the tree and checks the positions.
#[derive(Default)]
struct Seen {
    lines: BTreeSet<u32>,
}

impl Seen {
    fn unit(&mut self, unit: &Unit) {
        self.lines.extend([unit.header, unit.contains, unit.end].iter().flatten().map(|line| line.0));
        for statement in unit.specification.iter().chain(&unit.execution) {
            self.statement(statement);
        }
        unit.contained.iter().for_each(|unit| self.unit(unit));
    }

    fn statement(&mut self, statement: &Statement) {
        statement.walk(&mut |statement| {
            self.lines.insert(statement.line.0);
            match &statement.kind {
                StatementKind::Construct(construct) => {
                    self.lines.extend(construct.parts.iter().map(|part| part.header.0));
                    if let ConstructEnd::Statement { line, .. } = construct.end {
                        self.lines.insert(line.0);
                    }
                }
                StatementKind::DerivedType(derived) => {
                    self.lines.extend(derived.end.map(|line| line.0));
                }
                StatementKind::Interface(Interface { bodies, .. }) => {
                    bodies.iter().for_each(|unit| self.unit(unit));
                }
                _ => {}
            }
        });
    }
}

/// Checks the properties of the tree of a source.
pub fn check(source: &Source) {
    let tree = &source.parsed.tree;
    let mut seen = Seen::default();
    tree.units.iter().for_each(|unit| seen.unit(unit));
    tree.outside.iter().for_each(|statement| seen.statement(statement));
    // Ends and dividers of interfaces, types and enumerations are not in the tree. A line in `unparsed` counts
    // as found.
    for (number, line) in source.lines.lines.iter().enumerate() {
        let word = String::from_utf8_lossy(&line.text).to_lowercase().replace([' ', '\t'], "");
        let structural = ["end", "contains", "moduleprocedure", "procedure", "enum"];
        let traceless = word.is_empty() || structural.iter().any(|start| word.starts_with(start));
        let number = number as u32;
        let known = seen.lines.contains(&number) || tree.unparsed.iter().any(|line| line.0 == number);
        assert!(known || traceless, "line {number} is not in the tree: {word}");
    }
    let mut places = |expr: &Expr| {
        let line = &source.lines.lines[expr.at.line.0 as usize];
        assert!(expr.at.start <= expr.at.end && expr.at.end as usize <= line.text.len());
    };
    for unit in &tree.units {
        unit.walk(&mut |unit| {
            unit.walk_statements(&mut |statement| {
                for expr in statement.expressions() {
                    expr.walk(&mut places);
                }
            });
        });
    }
    assert_eq!(
        tree.unparsed.is_empty(),
        !source
            .parsed
            .diagnostics
            .iter()
            .any(|d| d.code != "C0217" && d.code != "C0221" && d.code != "C0222" && d.code != "C0223"),
        "{}",
        source.shown()
    );
}

#[test]
fn fixtures_keep_every_line() {
    for path in fixtures() {
        check(&source(&path, &std::fs::read(&path).expect("the fixture"), &[]));
    }
}

/// A generator that gives the same numbers in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

#[test]
fn no_mutation_makes_it_fall_over() {
    let texts: Vec<(PathBuf, Vec<u8>)> =
        fixtures().into_iter().map(|path| (path.clone(), std::fs::read(path).expect("a fixture"))).collect();
    let pieces: [&[u8]; 16] = [
        b"(",
        b")",
        b"(/",
        b"/)",
        b"'",
        b"\"",
        b"=",
        b"\n",
        b"&",
        b"end\n",
        b"      end\n",
        b"::",
        b"!",
        b"5h",
        b".",
        b"\xc3\xa9",
    ];
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    for round in 0..3000 {
        let (path, text) = &texts[round % texts.len()];
        let mut text = text.clone();
        for _ in 0..=numbers.below(6) {
            let at = numbers.below(text.len());
            match numbers.below(4) {
                0 => drop(text.drain(at..(at + numbers.below(40)).min(text.len()))),
                1 => drop(text.splice(at..at, pieces[numbers.below(pieces.len())].iter().copied())),
                2 if !text.is_empty() => text[at] = numbers.below(256) as u8,
                _ => {
                    // A line is moved to another position.
                    let mut lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
                    if lines.is_empty() {
                        continue;
                    }
                    let line = lines.remove(numbers.below(lines.len()));
                    lines.insert(numbers.below(lines.len() + 1), line);
                    text = lines.concat();
                }
            }
        }
        let source = source(path, &text, &[]);
        for diagnostic in &source.parsed.diagnostics {
            assert!(!diagnostic.labels.is_empty());
        }
        let _ = cppc_grammar::fortran::dump::tree(&source.parsed.tree, &source.lines);
        drop(source.shown());
        check(&source);
    }
}

#[test]
fn deep_nesting_is_a_fault_and_not_the_end() {
    let deep = |open: &str, close: &str, count: usize| {
        format!("x = {}1{}\nend\n", open.repeat(count), close.repeat(count))
    };
    let path = Path::new("deep.f90");
    for (text, code) in [
        (deep("(", ")", 200), None),
        (deep("(", ")", 100_000), Some("C0214")),
        (deep("f(", ")", 100_000), Some("C0214")),
        (deep("[", "]", 100_000), Some("C0214")),
        (deep("(", "", 100_000), Some("C0214")),
        (deep("", ")", 100_000), Some("C0213")),
        (deep("a+", "", 1990), None),
        (deep("a(1)**", "", 600), None),
        (deep("a+", "", 100_000), Some("C0215")),
        (deep("-", "", 100_000), Some("C0215")),
        (deep("a**", "", 100_000), Some("C0215")),
        (deep("a%", "", 100_000), Some("C0215")),
        (deep("a", "(1)", 100_000), Some("C0215")),
        (format!("{}end\n", "if (x) then\n".repeat(100)), Some("C0217")),
        (format!("{}end\n", "if (x) then\n".repeat(10_000)), Some("C0220")),
        (format!("{}{}end\n", "do i = 1, 2\n".repeat(10_000), "end do\n".repeat(10_000)), Some("C0220")),
        (format!("{}10 continue\nend\n", "do 10 i = 1, 2\n".repeat(10_000)), Some("C0220")),
        (format!("{}end\n", "type a\n".repeat(10_000)), Some("C0217")),
        (format!("{}end\n", "interface\nsubroutine s\n".repeat(10_000)), Some("C0217")),
        (format!("{}end\n", "subroutine s\ncontains\n".repeat(10_000)), Some("C0217")),
    ] {
        let source = source(path, text.as_bytes(), &["-ffree-line-length-none"]);
        let codes: Vec<&str> = source.parsed.diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
        match code {
            Some(code) => assert!(codes.contains(&code), "{codes:?} for {:.60}", text),
            None => assert!(codes.is_empty(), "{}", source.shown()),
        }
        let _ = cppc_grammar::fortran::dump::tree(&source.parsed.tree, &source.lines);
    }
}

#[test]
fn time_grows_with_the_text() {
    let body = "      do 10 i = 1, n\n      a(i) = b(i)*c(i) + sin(x)**2 - f(i, j)\n 10   continue\n      call s(a, b, n)\n";
    let spent = |count: usize| {
        let text = format!("      subroutine s\n{}      end\n", body.repeat(count));
        let begun = Instant::now();
        let source = source(Path::new("long.f"), text.as_bytes(), &[]);
        assert!(source.parsed.diagnostics.is_empty());
        begun.elapsed()
    };
    let _ = spent(500);
    // The machine may be busy during a measurement, but not during all of them.
    let mut found = Vec::new();
    let grows = (0..5).any(|_| {
        let (short, long) = (spent(1000), spent(10_000));
        found.push((short, long));
        long < 40 * short.max(Duration::from_millis(2))
    });
    assert!(grows, "{found:?}");
}

//! Malicious sources: reading them ends, with a diagnostic if a limit is exceeded.

use std::path::Path;
use std::time::{Duration, Instant};

use cppc_grammar::fortran::lines::{read, Options};
use cppc_source::Files;

fn codes(path: &Path, text: &str) -> Vec<&'static str> {
    let start = Instant::now();
    let mut files = Files::new();
    let main = files.add(path, text.as_bytes());
    let diagnostics = read(&mut files, main, &Options::of(path, &[])).diagnostics;
    assert!(start.elapsed() < Duration::from_secs(60), "{} took too long", &text[..40.min(text.len())]);
    let mut codes: Vec<&'static str> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
    codes.dedup();
    codes
}

fn preprocessed(text: &str) -> Vec<&'static str> {
    codes(Path::new("main.F90"), text)
}

#[test]
fn macros_that_double_are_stopped() {
    let mut objects = String::from("#define A0 x x\n");
    let mut functions = String::from("#define F0(x) x x\n");
    for level in 1..100 {
        objects += &format!("#define A{level} A{0} A{0}\n", level - 1);
        functions += &format!("#define F{level}(x) F{0}(x x) F{0}(x)\n", level - 1);
    }
    assert_eq!(preprocessed(&(objects + "A99\nx = 1\n")), ["C0603"]);
    assert_eq!(preprocessed(&(functions + "F99(y)\nx = 1\n")), ["C0603"]);
    assert_eq!(preprocessed("#define F(x) F(x) F(x)\nF(1)\n"), ["C0603"]);
}

#[test]
fn nesting_is_bounded() {
    let nested = |count: usize| format!("#define F(x) x\n{}1{}\n", "F(".repeat(count), ")".repeat(count));
    assert!(preprocessed(&nested(15)).is_empty());
    preprocessed(&nested(100_000));
    let chain: String = (0..50_000).map(|n| format!("#define A{n} A{}\n", n + 1)).collect();
    assert_eq!(preprocessed(&(chain + "A0\n")), ["C0603"]);
    let circle = "#define A B (1)\n#define B(x) A\nA (1)(1)(1)\n";
    preprocessed(circle);
    assert_eq!(preprocessed(&"#if 0\n".repeat(100_000)), ["C0102"]);
    assert_eq!(
        preprocessed(&format!("#if {}1{}\n#endif\n", "(".repeat(100_000), ")".repeat(100_000))),
        ["C0107"]
    );
    preprocessed(&format!("#define F(x) x\nF({}", "(\n".repeat(100_000)));
    preprocessed(&"#define F(x) x\nF(\n".repeat(20_000));
}

#[test]
fn long_lines_end() {
    for path in ["long.f", "long.f90"] {
        let path = Path::new(path);
        codes(path, &";".repeat(1 << 20));
        codes(path, &format!("      x = {}", "1 + ".repeat(1 << 18)));
        codes(path, &format!("      x = '{}", "''".repeat(1 << 18)));
        codes(path, &format!("      {}", "5h".repeat(1 << 18)));
        codes(path, &"      x = 1 + &\n".repeat(100_000));
        codes(path, &"     &  1 + 2h\n".repeat(100_000));
        codes(path, &"!$cppc register(a,\n".repeat(20_000));
        codes(path, &"!$cppc& a, &\n".repeat(20_000));
    }
    codes(Path::new("long.f"), &"      data x /1h\n     &\n".repeat(100_000));
    preprocessed(&format!("x = 1 /* {}", "/* ".repeat(1 << 18)));
    preprocessed(&"x = 1 \\\n".repeat(100_000));
}

#[test]
fn digits_before_a_hollerith_are_looked_at_once() {
    let digits = "1".repeat(1 << 18);
    codes(Path::new("digits.f90"), &format!("x = {}", format!("{digits}h").repeat(4)));
    codes(
        Path::new("blanks.f"),
        &format!("      x = 1\n{}", format!("     &{}h\n", " ".repeat(60)).repeat(20_000)),
    );
}

#[test]
fn files_that_include_each_other_are_stopped() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().join("main.F90");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write("a.h", "#include \"b.h\"\n#include \"b.h\"\n");
    write("b.h", "#include \"a.h\"\nx = 1\n#include \"a.h\"\n");
    assert_eq!(codes(&path, "#include \"a.h\"\n"), ["C0602"]);
    write("a.inc", "include 'b.inc'\ninclude 'b.inc'\n");
    write("b.inc", "include 'a.inc'\n");
    assert_eq!(codes(&path, "include 'a.inc'\n"), ["C0602"]);
    for level in 0..40 {
        let next = level + 1;
        write(&format!("d{level}.inc"), &format!("include 'd{next}.inc'\ninclude 'd{next}.inc'\n"));
    }
    write("d40.inc", "x = 1\n");
    assert_eq!(codes(&path, "include 'd0.inc'\n"), ["C0603"]);
    assert_eq!(codes(&path, "include '.'\n"), ["C0601"]);
    assert_eq!(codes(&path, "include '/dev/zero'\n"), ["C0601"]);
}

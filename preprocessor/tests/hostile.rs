//! Malicious sources: `cppc-pp` translates or rejects them within 2.5 GiB of address space, and never
//! crashes.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// The address space that may be mapped: the stack of the translating thread (1 GiB, only reserved) and the
/// memory that the source needs.
const ADDRESS_SPACE_KIB: u32 = 2_621_440;

fn translate(path: &Path, output: &Path) -> Output {
    let script = format!("ulimit -v {ADDRESS_SPACE_KIB}; exec \"$0\" \"$1\" -o \"$2\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_cppc-pp")]).arg(path).arg(output);
    command.output().unwrap()
}

/// Translates the file. The exit code must be that of a translation or of a rejection.
fn survives(path: &Path) -> String {
    let scratch = tempfile::tempdir().unwrap();
    let output = translate(path, &scratch.path().join("out"));
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    let start: String = messages.chars().take(500).collect();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}: {}: {start}", path.display(), output.status);
    assert!(
        output.status.success() || messages.contains("error["),
        "{}: refused without a diagnostic",
        path.display()
    );
    messages
}

fn survives_text(name: &str, text: &str) -> String {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join(name);
    fs::write(&path, text).unwrap();
    survives(&path)
}

/// Each file in the folder is a case.
#[test]
fn the_files_of_the_folder_are_survived() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        survives(&file);
    }
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
    for name in ["byte_order_mark.c", "byte_order_mark.f90"] {
        let scratch = tempfile::tempdir().unwrap();
        let to = scratch.path().join("out");
        let output = translate(&folder.join(name), &to);
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let text = fs::read(&to).unwrap();
        assert!(text.starts_with(b"\xef\xbb\xbf"), "{name}: the mark is part of the text");
    }
}

/// A C program that registers `item`, after `declarations`.
fn registering(declarations: &str, item: &str) -> String {
    format!(
        "{declarations}\nint main(void)\n{{\n#pragma cppc init\n#pragma cppc register({item})\n#pragma cppc checkpoint\n\
         #pragma cppc shutdown\nreturn 0;\n}}\n"
    )
}

/// A C program with these statements in `main`, and a procedure `g` that has a checkpoint.
fn calling(statements: &str) -> String {
    format!(
        "int g(int a)\n{{\n#pragma cppc register(a)\n#pragma cppc checkpoint\nreturn a;\n}}\nint main(void)\n{{\nint s = 0;\n\
         #pragma cppc init\n#pragma cppc register(s)\n{statements}\n#pragma cppc shutdown\nreturn s;\n}}\n"
    )
}

fn nested(open: &str, inner: &str, close: &str, levels: usize) -> String {
    open.repeat(levels) + inner + &close.repeat(levels)
}

fn numbered(count: usize, text: impl Fn(usize) -> String) -> String {
    (0..count).map(text).collect()
}

#[test]
fn types_without_end_are_survived() {
    let stars = "*".repeat(100_000);
    let messages = survives_text("stars.c", &registering(&format!("int {stars}p;"), "*p"));
    assert!(messages.contains("error["), "{messages}");
    survives_text("stars_local.c", &calling(&format!("int {stars}p = 0; g(p != 0);")));
    survives_text(
        "stars_result.c",
        &format!("int {stars}f(int x) {{\n#pragma cppc checkpoint\nreturn 0; }}\n{}", calling("f(1);")),
    );
    survives_text("arrays.c", &registering(&format!("int a{};", "[1]".repeat(100_000)), "a"));
    survives_text(
        "parameters.c",
        &format!("void f({}int{});\n{}", "void (*)(".repeat(20_000), ")".repeat(20_000), calling("")),
    );
    let chain = |count| numbered(count, |n| format!("struct s{} {{ struct s{n} a, b; }};\n", n + 1));
    survives_text(
        "doubled.c",
        &registering(&format!("struct s0 {{ int x; }};\n{}struct s60 x;", chain(60)), "x"),
    );
    survives_text(
        "doubled_empty.c",
        &registering(&format!("struct s0 {{ }};\n{}struct s60 x;", chain(60)), "x"),
    );
    let line = numbered(20_000, |n| format!("struct s{} {{ struct s{n} a; }};\n", n + 1));
    survives_text(
        "structures.c",
        &registering(&format!("struct s0 {{ int x; }};\n{line}struct s20000 x;"), "x"),
    );
    let names = numbered(20_000, |n| format!("typedef t{n} *t{};\n", n + 1));
    survives_text("names.c", &registering(&format!("typedef int t0;\n{names}t20000 x;"), "x"));
}

#[test]
fn nesting_without_end_is_survived() {
    let depth = 50_000;
    for (name, text) in [
        ("parentheses", calling(&format!("s = {};", nested("(", "g(1)", ")", depth)))),
        ("braces", calling(&nested("{", "g(1);", "}", depth))),
        ("ifs", calling(&(nested("if (s) ", "g(1);", "", depth)))),
        ("elses", calling(&(nested("if (s) ; else ", "g(1);", "", depth)))),
        ("loops", calling(&(nested("while (s) ", "g(1);", "", depth)))),
        ("calls", calling(&format!("s = {};", nested("g(", "1", ")", depth)))),
        ("calls_within_bounds", calling(&format!("s = {};", nested("g(", "1", ")", 250)))),
        ("sum", calling(&format!("s = g(1){};", " + g(1)".repeat(5_000)))),
        ("casts", calling(&format!("s = {}g(1);", "(int)".repeat(depth)))),
        ("conditions", calling(&format!("s = {}g(1);", "s ? 1 : ".repeat(depth)))),
        ("statement_expressions", calling(&format!("s = {};", nested("({", "g(1);", "})", 5_000)))),
        ("subscripts", registering("int a[9];", &format!("a[{}]", nested("a[", "1", "]", depth)))),
        ("fields", registering("struct s { struct s *n; } *p;", &format!("*p{}", "->n".repeat(depth)))),
    ] {
        survives_text(&format!("{name}.c"), &text);
    }
    let program = |statements: &str| {
        format!("program p\ninteger :: s\n!$cppc init\n!$cppc register(s)\n{statements}\n!$cppc shutdown\nend program p\n")
    };
    for (name, text) in [
        ("parentheses", program(&format!("s = {}", nested("(", "1", ")", depth)))),
        ("ifs", program(&nested("if (s > 0) then\n", "!$cppc checkpoint\n", "end if\n", depth))),
        ("loops", program(&nested("do\n", "!$cppc checkpoint\n", "end do\n", depth))),
        ("blocks", program(&nested("block\ninteger :: x\n", "!$cppc checkpoint\n", "end block\n", depth))),
        ("components", program(&format!("s = a{}", "%b".repeat(depth)))),
        ("powers", program(&format!("s = 2{}", "**2".repeat(depth)))),
        ("lines", program(&format!("s = 1{}", " &\n + 1".repeat(depth)))),
    ] {
        survives_text(&format!("{name}.f90"), &text);
    }
}

#[test]
fn twenty_thousand_misplaced_directives_are_survived() {
    let count = 20_000;
    let messages = survives_text("outside.c", &("#pragma cppc checkpoint\n".repeat(count) + &calling("")));
    assert_eq!(messages.matches("error[C0403]").count(), count);
    let messages = survives_text(
        "ends.f90",
        &format!("program p\n{}end program p\n", "!$cppc end execute\n".repeat(count)),
    );
    assert_eq!(messages.matches("error[C0410]").count(), count);
}

#[test]
fn bytes_that_are_no_text_are_survived() {
    let program = calling("g(1);");
    for (name, text) in [
        ("zeros", format!("int x;\0\0\n{program}")),
        ("carriage_returns", program.replace('\n', "\r")),
        ("unterminated_comment", program.clone() + "/* "),
        ("unterminated_string", program.clone() + "char *s = \"abc"),
        ("cut_directive", program.clone() + "#pragma cppc register("),
        ("only_a_mark", "\u{feff}".to_owned()),
        ("mark_within", format!("int x; \u{feff}\n{program}")),
    ] {
        survives_text(&format!("{name}.c"), &text);
    }
    let mut long = String::from("/*");
    let _ = write!(long, "{}*/ {program}", "x".repeat(10_000_000));
    survives_text("long_line.c", &long);
}

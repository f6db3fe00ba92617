//! The directives that are added to programs with nothing but `checkpoint`. Next to each source in `annotate/` is the
//! patch.

use std::path::{Path, PathBuf};

use cppc_preprocessor::driver::{translate, Added, Automatic, Check, Outcome, Request};
use cppc_preprocessor::front::Source;
use cppc_preprocessor::patch;

fn annotated(path: &Path) -> Outcome {
    // With an option for OpenMP only where threads have copies of their own: it changes what Fortran makes static.
    let is_parallel = path.file_name().is_some_and(|name| name == "thread_copies.c");
    let flags = is_parallel.then(|| "-fopenmp".into()).into_iter().collect();
    let source = Source { path: path.to_owned(), flags };
    let request = Request { automatic: Automatic::Add(Added::Others), ..Request::of(source) };
    translate(&request).expect("a source that can be read")
}

fn sources() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/annotate");
    cppc_fixtures::below(&folder, &["c", "f", "f90"])
}

fn text(outcome: &Outcome) -> Vec<u8> {
    outcome.files.get(outcome.stages.front.units[0].file()).bytes.to_vec()
}

#[test]
fn each_source_gets_the_directives_of_its_patch() {
    let mut wrong = Vec::new();
    for path in sources() {
        let outcome = annotated(&path);
        assert!(!outcome.has_errors(), "{}: {:?}", path.display(), outcome.diagnostics);
        let name = path.file_name().expect("a name").to_owned();
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("patch");
        patch::write(&outcome, &file, &|_| PathBuf::from(&name)).expect("a patch");
        let found = std::fs::read_to_string(file).expect("a patch");
        wrong.extend(cppc_fixtures::compare(&cppc_fixtures::next_to(&path, "patch"), &found));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_source_with_its_directives_gets_no_more() {
    for path in sources() {
        let first = text(&annotated(&path));
        let directory = tempfile::tempdir().expect("a directory");
        let again = directory.path().join(path.file_name().expect("a name"));
        std::fs::write(&again, &first).expect("the source is written");
        let second = text(&annotated(&again));
        assert_eq!(String::from_utf8_lossy(&second), String::from_utf8_lossy(&first), "{}", path.display());
    }
}

#[test]
fn places_have_the_lines_of_the_source() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("pointer.c");
    let source = "#include <stdlib.h>\nstatic int *make(int n) { return calloc(n, 4); }\nint main(void)\n{\n\
                  int n = 3, *p = make(n);\nfor (; n > 0; n--) {\n#pragma cppc checkpoint\np[1]++;\n}\n\
                  return p[1];\n}\n";
    std::fs::write(&path, source).expect("the source is written");
    let outcome = annotated(&path);
    assert!(text(&outcome).len() > source.len());
    let translated = String::from_utf8_lossy(&outcome.outputs[0].text);
    assert!(translated.contains("\"pointer.c:7\""), "{translated}");
}

#[test]
fn a_patch_changes_the_sources_that_a_source_includes() {
    let directory = tempfile::tempdir().expect("a directory");
    let at = |name: &str| directory.path().join(name);
    let write = |name: &str, text: &str| std::fs::write(at(name), text).expect("the source is written");
    std::fs::create_dir(at("parts")).expect("a directory");
    write("parts/limits.h", "#define LIMIT 8\n");
    write(
        "parts/step.c",
        "#include \"limits.h\"\nstatic double step(int i)\n{\n    static int calls;\n    calls++;\n    return i % LIMIT + 0.5 * calls;\n}\n",
    );
    write(
        "main.c",
        "#include <stdio.h>\n#include \"parts/step.c\"\nint main(void)\n{\n    double sum = 0;\n    \
         for (int i = 1; i <= 8; i++) {\n#pragma cppc checkpoint\n        sum += step(i);\n    }\n    \
         printf(\"%g\\n\", sum);\n    return 0;\n}\n",
    );
    let outcome = annotated(&at("main.c"));
    assert!(!outcome.has_errors(), "{:?}", outcome.diagnostics);
    let shown = |path: &Path| path.strip_prefix(directory.path()).map(Path::to_owned).unwrap_or_default();
    patch::write(&outcome, &at("new.patch"), &shown).expect("a patch");
    let applied = std::process::Command::new("patch")
        .args(["-p1", "-i", "new.patch"])
        .current_dir(directory.path())
        .output()
        .expect("`patch` starts");
    assert!(applied.status.success(), "{applied:?}");
    let read = |name: &str| std::fs::read_to_string(at(name)).expect("a source");
    let part = "#include \"limits.h\"\nstatic double step(int i)\n{\n    static int calls;\n#pragma cppc register(calls)\n    calls++;\n    return i % LIMIT + 0.5 * calls;\n}\n";
    assert_eq!(read("parts/step.c"), part);
    let main = read("main.c");
    assert!(main.contains("#include \"parts/step.c\"\n"), "{main}");
    assert!(main.contains("#pragma cppc register(i)\n#pragma cppc checkpoint\n"), "{main}");
    assert_eq!(text(&annotated(&at("main.c"))), text(&outcome));
}

#[test]
fn an_array_without_a_size_is_registered_in_the_source_that_has_the_size() {
    let directory = tempfile::tempdir().expect("a directory");
    let source = |name: &str, text: &str| {
        let path = directory.path().join(name);
        std::fs::write(&path, text).expect("the source is written");
        Source { path, flags: Vec::new() }
    };
    let main = source(
        "main.c",
        "extern int a[];\nint main(void)\n{\n    for (int i = 1; i <= 8; i++) {\n#pragma cppc checkpoint\n        \
         a[i % 5] += i;\n    }\n    return a[0];\n}\n",
    );
    let data = source("data.c", "int a[5];\n");
    let automatic = Automatic::Add(Added::Others);
    let request = Request { automatic, sources: vec![main.clone(), data], ..Request::of(main) };
    let outcome = translate(&request).expect("sources that can be read");
    assert!(outcome.diagnostics.is_empty(), "{:?}", outcome.diagnostics);
    let texts: Vec<String> = outcome
        .stages
        .front
        .units
        .iter()
        .map(|unit| String::from_utf8_lossy(&outcome.files.get(unit.file()).bytes).into_owned())
        .collect();
    assert!(texts[0].contains("cppc_register_1_();"), "{}", texts[0]);
    assert!(
        texts[1].contains("void cppc_register_1_(void)\n{\n#pragma cppc register(a)\n}\n"),
        "{}",
        texts[1]
    );
}

/// Annotates a program. Each source has a name and a text.
fn annotated_texts(sources: &[(&str, &str)]) -> Outcome {
    let directory = tempfile::tempdir().expect("a directory");
    let written = sources.iter().map(|(name, text)| {
        let path = directory.path().join(name);
        std::fs::write(&path, text).expect("the source is written");
        Source { path, flags: Vec::new() }
    });
    let sources: Vec<Source> = written.collect();
    let request = Request::of(sources[0].clone());
    let request = Request { automatic: Automatic::Add(Added::Others), sources, whole: true, ..request };
    translate(&request).expect("sources that can be read")
}

fn codes(outcome: &Outcome) -> Vec<&str> {
    outcome.diagnostics.iter().map(|one| one.code).collect()
}

#[test]
fn a_source_with_a_new_procedure_and_no_directive_is_changed() {
    let outcome = annotated_texts(&[
        (
            "operations.f90",
            "module operations\nuse iso_c_binding\nimplicit none\ntype(c_ptr) :: current = c_null_ptr\ncontains\n\
             subroutine go(x, t)\nreal, intent(inout), target :: x\ninteger, intent(in) :: t\n\
             if (t == 2) current = c_loc(x)\nif (c_associated(current)) x = x + 1\nend subroutine\nend module\n",
        ),
        (
            "main.f90",
            "program main\nuse operations, only: go\nimplicit none\nreal :: x = 1\ninteger :: t\ndo t = 1, 8\n\
             !$cppc checkpoint\ncall go(x, t)\nend do\nprint *, x\nend program\n",
        ),
    ]);
    assert_eq!(codes(&outcome), ["C0701"], "{:?}", outcome.diagnostics);
    let calls = String::from_utf8_lossy(&outcome.outputs[1].text).contains("call cppc_register_1");
    assert!(calls && outcome.outputs[0].changed, "{calls}");
}

#[test]
fn an_error_adds_no_report_about_init() {
    let outcome = annotated_texts(&[(
        "unnamed.c",
        "#include <stdlib.h>\nstruct grid { double *u; struct { int *index; } part; };\nint main(void)\n{\n\
         struct grid *g = calloc(1, sizeof *g);\n#pragma cppc register(deep(g))\n\
         for (int t = 0; t < 8; t++) {\n#pragma cppc checkpoint\ng->u += t;\n}\nreturn 0;\n}\n",
    )]);
    assert_eq!(codes(&outcome), ["C0437"], "{:?}", outcome.diagnostics);
}

#[test]
fn a_variable_that_a_call_sets_after_its_checkpoint_needs_no_register() {
    let directory = tempfile::tempdir().expect("a directory");
    let reported = |statements: &str, automatic: Automatic| {
        let path = directory.path().join("sets.c");
        let by_hand = |directive: &str| match automatic {
            Automatic::Never => format!("#pragma cppc {directive}\n"),
            Automatic::AsWritten | Automatic::Add(_) => String::new(),
        };
        let text = format!(
            "#include <stdio.h>\n#include <stdlib.h>\nstatic void term(void)\n{{\n#pragma cppc checkpoint\n}}\n\
             static void parse(double *v)\n{{\n    {statements}\n}}\nint main(int argc, char **argv)\n{{\n\
             int n = argc > 1 ? atoi(argv[1]) : 16, t;\ndouble v = 0, sum = 0;\n{}{}\
             for (t = 0; t < n; t++) {{\nparse(&v);\nsum += v;\n}}\nprintf(\"%d\", sum > 3);\n{}return 0;\n}}\n",
            by_hand("init"),
            by_hand("register(n, sum, t)"),
            by_hand("shutdown"),
        );
        std::fs::write(&path, text).expect("the source is written");
        let request = Request::of(Source { path, flags: Vec::new() });
        let request = Request { automatic, check: Check::Live, ..request };
        codes(&translate(&request).expect("a source that can be read")).join(" ")
    };
    let added = Automatic::Add(Added::Others);
    assert_eq!(reported("term(); *v = 3;", added), "");
    assert_eq!(reported("term(); *v = 3;", Automatic::Never), "");
    // The value before the checkpoint is read.
    assert_eq!(reported("*v += 3; term();", Automatic::Never), "C0701");
}

#[test]
fn no_register_is_advised_in_a_procedure_with_entries() {
    let outcome = annotated_texts(&[(
        "entries.f",
        "      program main\n      integer t\n      do 10 t = 1, 8\n!$cppc checkpoint\n      call add(t)\n\
         \x20  10 call show\n      end\n      subroutine add(k)\n      save j\n      data j /1/\n      j = j + k\n\
         \x20     return\n      entry show\n      print *, j\n      end\n",
    )]);
    assert_eq!(codes(&outcome), ["C0701"], "{:?}", outcome.diagnostics);
    let help = format!("{:?}", outcome.diagnostics);
    assert!(help.contains("a module or a COMMON block"), "{help}");
}

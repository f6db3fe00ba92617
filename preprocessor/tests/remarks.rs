//! Tests `auto(register)`, `allow(…)`, and the options for what the analyses do not know.

use std::path::PathBuf;

use cppc_preprocessor::driver::{
    translate, Added, Automatic, Check, Outcome, Request, TranslateError, Unknown, Warnings,
};
use cppc_preprocessor::front::Source;

const LOOP: &str =
    "int main(void)\n{\n    int i, sum = 0;\n    for (i = 0; i < 3; i++) {\n#pragma cppc checkpoint\n\
                    \x20       sum += i;\n    }\n    return sum != 3;\n}\n";

struct Case {
    directory: tempfile::TempDir,
    request: Request,
}

fn case(name: &str, text: &str) -> Case {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join(name);
    std::fs::write(&path, text).expect("the source is written");
    Case { directory, request: Request::of(Source { path, flags: Vec::new() }) }
}

impl Case {
    fn outcome(&self) -> Outcome {
        translate(&self.request).expect("a source that can be read")
    }

    fn codes(&self) -> Vec<&'static str> {
        self.outcome().diagnostics.iter().map(|one| one.code).collect()
    }

    fn text(&self) -> String {
        let outcome = self.outcome();
        assert!(!outcome.has_errors(), "{:?}", outcome.diagnostics);
        String::from_utf8_lossy(&outcome.outputs[0].text).into_owned()
    }
}

#[test]
fn auto_in_any_line_of_c_adds_what_the_option_adds() {
    let option = |text: &str| {
        let mut case = case("a.c", text);
        case.request.automatic = Automatic::Add(Added::Others);
        case.text()
    };
    for (directive, text) in [
        ("first line", format!("#pragma cppc auto(register)\n{LOOP}")),
        ("in a procedure", LOOP.replace("    for", "#pragma cppc auto(register)\n    for")),
        ("last line", format!("{LOOP}#pragma cccp auto ( register )\n")),
    ] {
        let written = case("a.c", &text).text();
        assert!(
            written.contains("CPPC_Init") && written.contains("CPPC_Register_value"),
            "{directive}: {written}"
        );
        assert_eq!(written, option(&text), "{directive}");
        assert!(!written.lines().any(|line| line.starts_with("#pragma")), "{directive}: {written}");
    }
}

#[test]
fn auto_in_any_line_of_fortran_adds_what_the_option_adds() {
    let program = "program p\n  integer :: i, total\n  total = 0\n  do i = 1, 3\n!$cppc checkpoint\n    total = total + i\n\
                   \x20 end do\n  print *, total\nend program\n";
    for text in [
        format!("!$cppc auto(register)\n{program}"),
        program.replace("  integer", "!$CPPC Auto(Register)\n  integer"),
        program.replace("  do i", "!$cppc auto(register)\n  do i"),
        program.replace("end program", "!$cppc auto(register)\nend program"),
    ] {
        let written = case("a.f90", &text).text();
        assert!(written.contains("cppc_init") && written.contains("'total'"), "{written}");
        let mut option = case("a.f90", &text);
        option.request.automatic = Automatic::Add(Added::Others);
        assert_eq!(written, option.text());
    }
}

#[test]
fn nothing_is_added_against_the_option() {
    let mut case = case("a.c", &format!("#pragma cppc auto(register)\n{LOOP}"));
    case.request.automatic = Automatic::Never;
    assert!(case.codes().contains(&"C0507"), "there is no `init`");
}

#[test]
fn a_macro_and_an_included_file_cannot_ask_for_directives() {
    let text = format!("#define AUTO _Pragma(\"cppc auto(register)\")\nAUTO\n{LOOP}");
    assert!(case("a.c", &text).codes().contains(&"C0401"));
    let including = case("a.c", &format!("#include \"b.h\"\n{LOOP}"));
    std::fs::write(including.directory.path().join("b.h"), "#pragma cppc auto(register)\n")
        .expect("a header");
    assert!(including.codes().contains(&"C0402"));
}

/// A program in which `sum` and `all` are not registered.
fn forgotten(before: &str) -> Case {
    let text = format!(
        "#include <stdio.h>\nint main(void)\n{{\n    int i;\n    double sum = 0, all = 1;\n#pragma cppc init\n\
         #pragma cppc register(i)\n    for (i = 0; i < 3; i++) {{\n{before}#pragma cppc checkpoint\n        sum += i;\n\
         \x20       all *= 2;\n    }}\n    printf(\"%g %g\\n\", sum, all);\n#pragma cppc shutdown\n    return 0;\n}}\n"
    );
    let mut case = case("a.c", &text);
    case.request.check = Check::Live;
    case
}

#[test]
fn an_allowed_warning_is_not_reported_for_the_next_line() {
    assert_eq!(forgotten("").codes(), ["C0701", "C0701"]);
    assert_eq!(forgotten("#pragma cppc allow(C0701)\n").codes(), [""; 0]);
    assert_eq!(forgotten("#pragma cppc allow(C0701, sum)\n").codes(), ["C0701"]);
    assert_eq!(
        forgotten("#pragma cppc allow(c0701, sum)\n\n#pragma cppc allow(C0701, all)\n\n").codes(),
        [""; 0]
    );
    assert_eq!(forgotten("#pragma cppc allow(C0701, all, sum)\n").codes(), [""; 0]);
    // Another code, another name, another line.
    assert_eq!(forgotten("#pragma cppc allow(C0702)\n").codes(), ["C0701", "C0701"]);
    assert_eq!(forgotten("#pragma cppc allow(C0701, i)\n").codes(), ["C0701", "C0701"]);
    assert_eq!(forgotten("#pragma cppc allow(C0701)\n;\n").codes(), ["C0701", "C0701"]);
    assert!(forgotten("#pragma cppc allow(C0799)\n").codes().contains(&"C0312"));
}

/// The help for a block that reads a pointer must not lead to a program that writes no state.
#[test]
fn a_block_that_reads_a_pointer_gets_no_advice_to_capture_it() {
    let help = |declared: &str, read: &str| {
        let text = format!(
            "#include <stdlib.h>\nint main(int argc, char **argv)\n{{\n    int i, sum = 0, own = 0;\n    {declared};\n\
             #pragma cppc init\n    value = argc ? {read} : 0;\n#pragma cppc execute\n    own = value != 0;\n\
             #pragma cppc end execute\n#pragma cppc register(i, sum)\n    for (i = 0; i < 3; i++) {{\n\
             #pragma cppc checkpoint\n        sum += own;\n    }}\n#pragma cppc shutdown\n    return sum != 3;\n}}\n"
        );
        let mut case = case("a.c", &text);
        case.request.check = Check::Live;
        let found = case.outcome().diagnostics;
        let reads = found.into_iter().find(|one| one.code == "C0702").expect("the block reads `value`");
        reads.help.expect("a help")
    };
    assert!(help("int value", "atoi(argv[0])").contains("execute capture(value)"));
    let of_pointer = help("char *value", "malloc(3)");
    assert!(
        of_pointer.contains("cannot be captured") && !of_pointer.contains("execute capture"),
        "{of_pointer}"
    );
}

/// Other sources may contain the registers.
#[test]
fn sources_without_the_main_program_are_not_checked() {
    let part = forgotten("");
    let path = &part.request.sources[0].path;
    let text = std::fs::read_to_string(path).expect("the source").replace("int main(", "int run(");
    std::fs::write(path, text).expect("the source is written");
    assert!(!part.codes().contains(&"C0701"), "{:?}", part.codes());
    let mut library = forgotten("");
    library.request.whole = false;
    assert!(!library.codes().contains(&"C0701"), "{:?}", library.codes());
}

#[test]
fn an_error_is_never_allowed() {
    let text =
        "int main(void)\n{\n#pragma cppc init\n#pragma cppc allow(C0413)\n#pragma cppc register(nothing)\n\
                #pragma cppc checkpoint\n#pragma cppc shutdown\n    return 0;\n}\n";
    assert!(case("a.c", text).outcome().has_errors());
}

const UNKNOWN_CALL: &str = "void deliver(double *values, int count);\nint main(void)\n{\n    int i;\n    double v[2] = { 1, 2 };\n\
                            #pragma cppc init\n#pragma cppc register(i, v)\n    for (i = 0; i < 3; i++) {\n\
                            #pragma cppc checkpoint\n        deliver(v, 2);\n        __asm__(\"nop\");\n    }\n\
                            #pragma cppc shutdown\n    return 0;\n}\n";

fn unknown_call(unknown: Unknown, warnings: Warnings, catalogue: Option<&str>) -> Case {
    let mut case = case("a.c", UNKNOWN_CALL);
    if let Some(text) = catalogue {
        let path = case.directory.path().join("catalogue.txt");
        std::fs::write(&path, text).expect("a catalogue");
        case.request.catalogues = vec![path];
    }
    case.request = Request { check: Check::Live, unknown, warnings, ..case.request };
    case
}

#[test]
fn unknown_effects_are_a_warning_or_an_error_as_the_options_say() {
    let codes = |unknown, warnings| unknown_call(unknown, warnings, None).codes();
    assert_eq!(codes(Unknown::Live, Warnings::Usual), [""; 0]);
    assert_eq!(codes(Unknown::Live, Warnings::All), ["C0705", "C0706"]);
    assert!(!unknown_call(Unknown::Live, Warnings::All, None).outcome().has_errors());
    assert_eq!(codes(Unknown::Stop, Warnings::Usual), ["C0705", "C0706"]);
    assert!(unknown_call(Unknown::Stop, Warnings::Usual, None).outcome().outputs.is_empty());
    let entry = "deliver(values: in(8*count), count)\n";
    assert_eq!(unknown_call(Unknown::Live, Warnings::All, Some(entry)).codes(), ["C0706"]);
    assert_eq!(unknown_call(Unknown::Live, Warnings::Usual, Some(entry)).codes(), [""; 0]);
}

/// The entry in the message is one that the catalogue accepts.
#[test]
fn the_entry_to_fill_in_can_be_used() {
    let outcome = unknown_call(Unknown::Live, Warnings::All, None).outcome();
    let help = outcome.diagnostics[0].help.clone().expect("a help");
    let entry = help.lines().skip(1).collect::<Vec<_>>().join("\n");
    assert!(entry.starts_with("deliver("), "{entry}");
    assert_eq!(unknown_call(Unknown::Live, Warnings::All, Some(&entry)).codes(), ["C0706"]);
}

#[test]
fn a_mistake_in_a_catalogue_stops_the_translation() {
    let wrong = unknown_call(Unknown::Live, Warnings::Usual, Some("deliver(values: inn)\n"));
    let error = translate(&wrong.request).expect_err("a mistake");
    assert!(matches!(error, TranslateError::Catalogue(_)));
    assert!(
        error.to_string().contains("catalogue.txt:1: ") && error.to_string().contains("`inn`"),
        "{error}"
    );
    let mut missing = unknown_call(Unknown::Live, Warnings::Usual, None);
    missing.request.catalogues = vec![PathBuf::from("nowhere/catalogue.txt")];
    let error = translate(&missing.request).expect_err("no file");
    assert!(error.to_string().contains("nowhere/catalogue.txt"), "{error}");
}

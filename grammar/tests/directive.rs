//! Tests the directive grammar with the files in `directive/`. Each case is a directive and the result of
//! parsing it. An error is marked with `~~~~` under its position, followed by `code message` and the help.

use std::path::Path;

use cppc_grammar::directive::{parse, Kind, Language};

#[test]
fn faults_are_found_at_their_places() {
    let mut seen = 0;
    for (name, text) in fixtures("fault") {
        for case in text.split("\n\n").filter(|case| !case.trim().is_empty()) {
            let input = case.lines().next().unwrap_or_default();
            let fault = parse(input, Language::C).expect_err(input);
            let mark = format!(
                "{}{}",
                " ".repeat(chars(input, fault.span.start)),
                "~".repeat(input[fault.span.clone()].chars().count())
            );
            let mut found = format!("{input}\n{mark}\n{} {}", fault.code, fault.message);
            if let Some(help) = &fault.help {
                found.push_str(&format!("\nhelp: {help}"));
            }
            assert_eq!(found, case.trim_end(), "in {name}");
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen} cases");
}

#[test]
fn directives_are_read() {
    for (name, text) in fixtures("tree") {
        for line in text.lines().filter(|line| !line.is_empty()) {
            let (input, expected) = line.split_once(" => ").expect(line);
            for language in [Language::C, Language::Fortran] {
                let directive =
                    parse(input, language).unwrap_or_else(|fault| panic!("{name}: {input}: {fault:?}"));
                let word = directive.kind.word();
                let found = match directive.kind.map(|item| input[item.span].to_owned()) {
                    Kind::Register(items) | Kind::Unregister(items) => {
                        format!("{word} {}", items.join(" | "))
                    }
                    Kind::Execute { on_restart, captures, files } => {
                        let when = if on_restart { "restart" } else { "always" };
                        let opened = files.iter().map(|file| format!(" [{} <- {}]", file.handle, file.name));
                        let opened: String = opened.collect();
                        format!("{word} {when} {}{opened}", captures.join(" | "))
                    }
                    _ => word.to_owned(),
                };
                assert_eq!(found.trim_end(), expected, "{input}");
            }
        }
    }
}

#[test]
fn fortran_does_not_mind_case_nor_some_blanks() {
    for text in ["END EXECUTE", "EndExecute", "endexecute"] {
        assert_eq!(parse(text, Language::Fortran).map(|found| found.kind), Ok(Kind::EndExecute));
    }
    assert!(parse("REGISTER(A(1:N), B)", Language::Fortran).is_ok());
    assert!(parse("REGISTER(a)", Language::C).is_err());
}

fn chars(text: &str, bytes: usize) -> usize {
    text[..bytes].chars().count()
}

fn fixtures(extension: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/directive");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder of fixtures").flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|found| found == extension) {
            found.push((path.display().to_string(), std::fs::read_to_string(&path).expect("a fixture")));
        }
    }
    assert!(!found.is_empty());
    found
}

//! Tests `cppc-fc` with a real compiler and a simplified translation. It replaces `ORIGINAL` by `TRANSLATED`
//! in a source with a directive, in a source that calls `solve` if it is translated together with a source
//! that has a directive, and in a source that uses a module `grid` whose source is known.

use std::path::Path;
use std::process::Command;

use cppc_preprocessor::compile::{Failure, Request, Translated, Translation, CPPC_FC};

#[path = "compile/test_directory.rs"]
mod test_directory;

use test_directory::TestDirectory;

/// The other tests run this test as a separate process. In that process it is `cppc-fc`.
#[test]
fn act_as_wrapper() {
    test_directory::act_as_wrapper(&CPPC_FC, &translate);
}

fn translate(request: &Request) -> Result<Translation, Failure> {
    let mut texts = Vec::new();
    for unit in request.units.iter().chain(&request.context) {
        let text = std::fs::read_to_string(unit.path());
        texts.push(text.map_err(|error| Failure::CannotRun(error.to_string()))?);
    }
    let has = |what: &str| texts.iter().any(|text| text.to_lowercase().contains(what));
    let any = has("$cppc") || has("pragma cppc");
    if has("use grid") && !has("module grid") {
        eprintln!("error[C9999]: the module is not known");
        return Err(Failure::Diagnosed);
    }
    let translated = texts.iter().zip(&request.units).map(|(text, unit)| {
        let lower = text.to_lowercase();
        let changed =
            lower.contains("$cppc") || lower.contains("pragma cppc") || any && lower.contains("call solve");
        let by = if unit.source.extension().is_some_and(|extension| extension == "c") {
            "IN C"
        } else {
            "TRANSLATED"
        };
        let line = format!("# 1 \"{}\"\n{}", unit.source.display(), text.replace("ORIGINAL", by));
        Translated {
            text: if changed { line.into_bytes() } else { text.clone().into_bytes() },
            changed,
            needs_allocations: false,
            parts: Vec::new(),
        }
    });
    Ok(Translation { texts: translated.collect(), reported: Vec::new() })
}

const MAIN: &str = "      program main
      include 'name.inc'
C$CPPC INIT
      print '(a)', 'main: ORIGINAL', name
      end
";
const INCLUDED: &str = "      character*(6) name
      parameter (name = 'beside')
";
const SOLVE: &str = "subroutine solve
  !$cppc checkpoint
  print '(a)', 'solve: ORIGINAL'
end subroutine solve
";
const CALLER: &str = "program caller
  print '(a)', 'main: ORIGINAL'
  call solve
end program caller
";
const GRID: &str = "module grid
  character(8) :: what = 'ORIGINAL'
end module grid
";
const USER: &str = "program user
  use grid
  !$cppc init
  print '(a)', what, 'user: ORIGINAL'
  call solve
end program user
";
const TRANSLATED: &str = "main: TRANSLATED\nsolve: TRANSLATED\n";

#[test]
fn one_source_becomes_a_program_and_finds_what_is_beside_it() {
    let directory = TestDirectory::new(&[("src/a.f", MAIN), ("src/name.inc", INCLUDED)]);
    directory.write("inc/name.inc", &INCLUDED.replace("beside", "astray"));
    directory.compile("-g -O2 -Iinc -o app src/a.f");
    assert_eq!(directory.prints("app"), "main: TRANSLATED\nbeside\n");
    let names = directory.run("readelf", "--debug-dump=info app");
    assert!(names.contains("src/a.f") && !names.contains("/cppc-"), "{names}");
}

#[test]
fn calls_between_sources_of_one_command_are_translated() {
    let directory = TestDirectory::new(&[("main.f90", CALLER), ("solve.F90", SOLVE)]);
    directory.compile("main.f90 solve.F90 -o app");
    assert_eq!(directory.prints("app"), TRANSLATED);
}

#[test]
fn calls_between_objects_are_translated_when_they_are_linked() {
    let directory = TestDirectory::new(&[("main.f90", CALLER), ("sub/solve.f90", SOLVE)]);
    directory.compile("-c main.f90 -o obj.o");
    assert!(directory.start("sub", "-c solve.f90").status.success());
    directory.run("ar", "qcs libsolve.a sub/solve.o");
    for line in ["obj.o sub/solve.o", "main.f90 sub/solve.o", "obj.o -L. -lsolve"] {
        directory.compile(&format!("{line} -o app"));
        assert_eq!(directory.prints("app"), TRANSLATED, "{line}");
    }
    directory.run("gfortran", "obj.o sub/solve.o -o plain");
    assert_eq!(directory.prints("plain"), "main: ORIGINAL\nsolve: TRANSLATED\n");
}

/// A source that is not translated may define a module that a translated one uses.
#[test]
fn modules_of_one_command_are_compiled_in_their_order() {
    let directory = TestDirectory::new(&[("a.f90", GRID), ("b.f90", USER), ("c.f90", SOLVE)]);
    directory.compile("a.f90 c.f90 b.f90 -o app");
    assert_eq!(directory.prints("app"), "ORIGINAL\nuser: TRANSLATED\nsolve: TRANSLATED\n");
    assert!(directory.path("grid.mod").exists() && !directory.path("a.o").exists());
}

#[test]
fn the_source_of_a_module_is_found_where_its_file_is() {
    for (first, then) in [
        ("-c src/a.f90", "-c src/b.f90 src/c.f90"),
        ("-J mods -c src/a.f90", "-Imods -c src/b.f90 src/c.f90"),
        ("-Jmods -c src/a.f90 -o a.o", "-Jmods -c src/b.f90 src/c.f90"),
    ] {
        let directory = TestDirectory::new(&[("src/a.f90", GRID), ("src/b.f90", USER), ("src/c.f90", SOLVE)]);
        std::fs::create_dir(directory.path("mods")).unwrap();
        directory.compile(first);
        directory.compile(then);
        directory.compile("a.o b.o c.o -o app");
        assert_eq!(directory.prints("app"), "ORIGINAL\nuser: TRANSLATED\nsolve: TRANSLATED\n", "{first}");
    }
    let directory = TestDirectory::new(&[("a.f90", GRID), ("b.f90", USER)]);
    directory.run("gfortran", "-c a.f90");
    assert!(directory.fails(1, "-c b.f90").contains("C9999"));
}

/// Autoconf finds out the extension of module files in this way.
#[test]
fn only_the_module_file_has_the_name_of_the_module() {
    let directory = TestDirectory::new(&[("a.f90", GRID)]);
    directory.compile("-c a.f90");
    let names = std::fs::read_dir(directory.path("")).unwrap().map(|entry| entry.unwrap().file_name());
    let of_module: Vec<_> = names.filter(|name| name.to_string_lossy().starts_with("grid.")).collect();
    assert_eq!(of_module, ["grid.mod"]);
}

/// Other processes may be reading them.
#[test]
fn files_of_modules_are_left_alone_at_the_link() {
    let module = "module grid\ncontains\nsubroutine work\n  print '(a)', 'work: ORIGINAL'\n  call solve\n\
                  end subroutine work\nend module grid\n";
    let main = "program main\n  use grid\n  call work\nend program main\n";
    let directory = TestDirectory::new(&[("a.f90", module), ("b.f90", main), ("c.f90", SOLVE)]);
    std::fs::create_dir(directory.path("mods")).unwrap();
    directory.compile("-J mods -c a.f90 b.f90 c.f90");
    let before = std::fs::metadata(directory.path("mods/grid.mod")).unwrap().modified().unwrap();
    directory.compile("a.o b.o c.o -o app");
    assert_eq!(directory.prints("app"), "work: TRANSLATED\nsolve: TRANSLATED\n");
    let after = std::fs::metadata(directory.path("mods/grid.mod")).unwrap().modified().unwrap();
    assert!(before == after && !directory.path("grid.mod").exists());
}

#[test]
fn c_and_fortran_meet_at_the_link() {
    let main = "#include <stdio.h>\nvoid solve_(void);\nvoid step(void);\nint main(void)\n{\n\
                    puts(\"main: ORIGINAL\"); fflush(stdout); step(); solve_();\n    return 0;\n}\n";
    let step = "#include <stdio.h>\nvoid step(void)\n{\n#pragma cppc checkpoint\n    puts(\"step: ORIGINAL\"); fflush(stdout);\n}\n";
    let directory = TestDirectory::new(&[("main.c", main), ("step.c", step), ("solve.f90", SOLVE)]);
    directory.compile("main.c step.c solve.f90 -o app");
    let expected = "main: ORIGINAL\nstep: IN C\nsolve: TRANSLATED\n";
    assert_eq!(directory.prints("app"), expected);
    let cc = |line: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_cppc-cc"))
            .args(line.split_whitespace())
            .env("CPPC_PREFIX", directory.path("prefix"))
            .env_remove("CPPC_CC")
            .current_dir(directory.root.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{line}: {output:?}");
    };
    cc("-c main.c");
    directory.compile("-c step.c solve.f90");
    directory.compile("main.o step.o solve.o -o app");
    assert_eq!(directory.prints("app"), expected);
}

#[test]
fn forms_and_languages_are_the_compilers() {
    let directory = TestDirectory::new(&[("a.txt", CALLER), ("s.inc", SOLVE), ("w.f", "")]);
    directory.compile("-ffree-form -x f95 a.txt s.inc -x none -o app");
    assert_eq!(directory.prints("app"), TRANSLATED);
    let wide = format!(
        "      program wide{}\nc$cppc init\n      print '(a)',{}'ORIGINAL'\n      end\n",
        "",
        " ".repeat(70)
    );
    directory.write("w.f", &wide);
    directory.compile("-ffixed-line-length-none w.f -o wide");
    assert_eq!(directory.prints("wide"), "TRANSLATED\n");
    directory.write("w.f", CALLER);
    directory.write("line", "-ffree-form\nw.f s.f\n-o 'free form'");
    directory.write("s.f", SOLVE);
    directory.compile("@line");
    assert_eq!(directory.prints("free form"), TRANSLATED);
}

#[test]
fn dependency_files_name_the_source() {
    let directory = TestDirectory::new(&[("src/a.F", MAIN), ("src/name.inc", INCLUDED)]);
    directory.compile("-cpp -MD -c src/a.F");
    let rule = directory.read("a.d");
    assert!(rule.starts_with("a.o") && rule.contains("a.o: src/a.F") && !rule.contains("/cppc-"), "{rule}");
}

#[test]
fn diagnostics_of_the_compiler_name_the_source() {
    let directory = TestDirectory::new(&[("src/a.f90", "program a\n!$cppc init\n  call b(1\nend\n")]);
    let said = directory.fails(1, "-c src/a.f90");
    assert!(said.contains("src/a.f90:3") && !said.contains("/cppc-"), "{said}");
}

#[test]
fn the_compilers_own_answers_pass_through() {
    let directory = TestDirectory::new(&[("a.F90", CALLER)]);
    for line in ["--version", "-dumpversion", "-print-file-name=libgfortran.a", "-E a.F90", "-cpp -M a.F90"] {
        let output = directory.start("", line);
        let mut plain = Command::new("gfortran");
        plain.args(line.split_whitespace()).current_dir(directory.root.path());
        let expected = plain.output().unwrap();
        assert!(output.status.success() && output.stdout.ends_with(&expected.stdout), "{line}: {output:?}");
    }
    let output = directory.start("", "--cppc-help");
    assert!(String::from_utf8_lossy(&output.stdout).contains("CPPC_FC"));
    directory.fails(1, "-c nowhere.f90");
}

#[test]
fn what_carries_no_directive_is_compiled_from_its_own_path() {
    let directory = TestDirectory::new(&[("a.f90", CALLER), ("solve.f90", "subroutine solve\nend\n")]);
    let output = directory.start("", "--cppc-verbose a.f90 solve.f90 -o app");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !said.contains("translated"), "{said}");
    assert_eq!(directory.prints("app"), "main: ORIGINAL\n");
}

#[test]
fn flang_is_understood_where_it_is() {
    const FLANG: &str = "flang-new-19";
    if !Command::new(FLANG).arg("--version").output().is_ok_and(|output| output.status.success()) {
        return;
    }
    let directory = TestDirectory::new(&[("src/a.f90", GRID), ("src/b.f90", USER), ("src/c.f", "")]);
    directory.write(
        "src/c.f",
        "      subroutine solve\nc$cppc checkpoint\n      print '(a)', 'solve: ORIGINAL'\n      end\n",
    );
    std::fs::create_dir(directory.path("mods")).unwrap();
    let compile = |line: &str| {
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "act_as_wrapper", "--nocapture"])
            .env(test_directory::ARGUMENTS, line.split_whitespace().collect::<Vec<_>>().join("\n"))
            .env("CPPC_PREFIX", directory.path("prefix"))
            .env("CPPC_FC", FLANG)
            .current_dir(directory.root.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{line}: {output:?}");
    };
    compile("-module-dir mods -O1 -c src/a.f90");
    compile("-Imods -O1 -c src/b.f90");
    compile("-ffixed-line-length=132 -c src/c.f");
    compile("a.o b.o c.o -o app");
    assert_eq!(directory.prints("app"), "ORIGINAL\nuser: TRANSLATED\nsolve: TRANSLATED\n");
    assert!(!Path::new(&directory.path("grid.mod")).exists());
}

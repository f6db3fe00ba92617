//! `cppc-cc` with a real compiler and a translation that can be seen: `ORIGINAL` becomes
//! `TRANSLATED` in a source with a directive, and in one that calls `solve` when a source with a
//! directive is looked at together with it.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use cppc_preprocessor::compile::{Failure, Request, Translated, Translation, CPPC_CC};

#[path = "compile/place.rs"]
mod place;

use place::{Place, ARGUMENTS};

/// This test is `cppc-cc` when the others run it as a process of its own.
#[test]
fn stand_in() {
    place::stand_in(&CPPC_CC, &translate);
}

fn translate(request: &Request) -> Result<Translation, Failure> {
    let mut texts = Vec::new();
    for unit in &request.units {
        let path = unit.directory.join(&unit.source);
        let text = std::fs::read_to_string(&path).map_err(|error| Failure::CannotRun(error.to_string()))?;
        if text.contains("#pragma cppc mistake") {
            eprintln!("error[C0001]: unknown directive");
            return Err(Failure::Diagnosed);
        }
        texts.push(text);
    }
    let any = texts.iter().any(|text| text.contains("#pragma cppc"));
    let translated = texts.into_iter().zip(&request.units).map(|(text, unit)| {
        let changed = text.contains("#pragma cppc") || any && text.contains("solve(");
        if changed {
            let text = format!("# 1 \"{}\"\n{}", unit.source.display(), text.replace("ORIGINAL", "TRANSLATED"));
            Translated { text: text.into_bytes(), changed }
        } else {
            Translated { text: text.into_bytes(), changed }
        }
    });
    Ok(Translation { texts: translated.collect(), said: Vec::new() })
}

const MAIN: &str = "#include <stdio.h>
#include \"name.h\"
int main(void)
{
#pragma cppc init
    printf(\"%s %s %s %d\\n\", \"ORIGINAL\", NAME, __FILE__, __LINE__);
    return 0;
}
";
const PLAIN: &str = "const char *plain(void) { return \"ORIGINAL \" __FILE__; }\n";
const SOLVE: &str = "#include <stdio.h>
void solve(void)
{
#pragma cppc checkpoint
    puts(\"solve: ORIGINAL\");
}
";
const CALLER: &str = "#include <stdio.h>
void solve(void);
int main(void)
{
    puts(\"main: ORIGINAL\");
    solve();
    return 0;
}
";
const TRANSLATED: &str = "main: TRANSLATED\nsolve: TRANSLATED\n";

#[test]
fn one_source_becomes_a_program_and_still_names_itself() {
    let place = Place::new(&[("src/a.c", MAIN), ("src/name.h", "#define NAME \"beside\"\n")]);
    place.write("inc/name.h", "#define NAME \"elsewhere\"\n");
    place.compile("-g -O2 -Iinc -o app src/a.c -lm");
    assert_eq!(place.prints("app"), "TRANSLATED beside src/a.c 6\n");
    let names = place.run("readelf", "--debug-dump=info app");
    assert!(!names.contains("/cppc-"), "{names}");
    assert!(names.contains("src/a.c"), "{names}");
}

#[test]
fn sources_of_several_directories_keep_their_own_headers() {
    let other = "#include \"name.h\"\n#include <stdio.h>\nvoid other(void)\n{\n#pragma cppc checkpoint\n    puts(NAME);\n}\n";
    let main = "#include \"name.h\"\n#include <stdio.h>\nvoid other(void);\nint main(void)\n{\n#pragma cppc init\n    puts(NAME); other(); return 0;\n}\n";
    let place = Place::new(&[
        ("one/a.c", main),
        ("one/name.h", "#define NAME \"one\"\n"),
        ("two/a.c", other),
        ("two/name.h", "#define NAME \"two\"\n"),
    ]);
    place.compile("one/a.c two/a.c -o app");
    assert_eq!(place.prints("app"), "one\ntwo\n");
    assert!(!place.path("a.o").exists());
}

#[test]
fn objects_are_named_as_the_compiler_names_them() {
    let place = Place::new(&[("src/a.c", MAIN), ("src/name.h", "#define NAME \"n\"\n"), ("p.c", PLAIN)]);
    place.compile("-c src/a.c p.c");
    place.compile("-c -o other.o src/a.c");
    place.compile("-S src/a.c");
    assert!(place.path("a.o").exists() && place.path("p.o").exists() && place.path("other.o").exists());
    assert!(place.read("a.s").contains("TRANSLATED"));
    place.compile("a.o p.o");
    assert_eq!(place.prints("a.out"), "TRANSLATED n src/a.c 6\n");
}

#[test]
fn dependency_files_name_the_source() {
    let place = Place::new(&[("src/a.c", MAIN), ("src/name.h", "#define NAME \"n\"\n")]);
    let made = "a.o: src/a.c";
    for (line, file) in [
        ("-MD -c src/a.c", "a.d"),
        ("-MMD -MP -MF deps -c src/a.c", "deps"),
        ("-MD -MT a.o -MFdeps2 -c src/a.c -o dir.o", "deps2"),
        ("-Wp,-MD,deps3 -c src/a.c", "deps3"),
    ] {
        place.compile(line);
        let rule = place.read(file);
        assert!(rule.starts_with(made), "{line}: {rule}");
        assert!(rule.contains("src/name.h") && !rule.contains("/cppc-"), "{line}: {rule}");
    }
    place.compile("-MD -MF /dev/null -c src/a.c -o /dev/null");
    assert!(!place.path("/dev/null").is_file(), "the device is still one");
    place.compile("-MD src/a.c -o app");
    assert!(place.read("app.d").contains("src/a.c"));
    let output = place.start("", "-MM src/a.c");
    assert!(String::from_utf8_lossy(&output.stdout).contains("a.o: src/a.c src/name.h"));
}

#[test]
fn what_carries_no_directive_is_compiled_from_its_own_path() {
    let place = Place::new(&[("p.c", PLAIN), ("m.c", "#include <stdio.h>\nconst char *plain(void); int main(void) { puts(plain()); }\n")]);
    place.compile("-g p.c m.c -o app");
    assert_eq!(place.prints("app"), "ORIGINAL p.c\n");
    let output = place.start("", "--cppc-verbose -c p.c");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("-iquote"));
}

#[test]
fn diagnostics_of_the_compiler_name_the_source() {
    let place = Place::new(&[("src/a.c", "int main(void)\n{\n#pragma cppc init\n    return unknown;\n}\n")]);
    let said = place.fails(1, "-c src/a.c");
    assert!(said.contains("src/a.c:4"), "{said}");
    assert!(!said.contains("/cppc-"), "{said}");
    assert!(!place.path("a.o").exists());
}

#[test]
fn a_mistake_in_a_directive_leaves_no_output() {
    let place = Place::new(&[("a.c", "#pragma cppc mistake\nint main(void) { return 0; }\n")]);
    for line in ["-c a.c", "a.c -o app"] {
        assert!(place.fails(1, line).contains("C0001"));
    }
    assert!(!place.path("a.o").exists() && !place.path("app").exists());
}

#[test]
fn the_compilers_own_answers_pass_through() {
    let place = Place::new(&[("a.c", MAIN), ("name.h", "#define NAME \"n\"\n")]);
    let output = place.start("", "--version");
    let expected = Command::new("cc").arg("--version").output().unwrap();
    assert!(output.stdout.ends_with(&expected.stdout), "{output:?}");
    let output = place.start("", "-E a.c");
    assert!(String::from_utf8_lossy(&output.stdout).contains("#pragma cppc init"));
    place.fails(1, "-c nowhere.c");
    place.fails(2, "--cppc-nonsense a.c");
    let output = place.start("", "--cppc-help");
    assert!(String::from_utf8_lossy(&output.stdout).contains("CPPC_PREFIX"));
}

#[test]
fn response_files_and_languages_are_understood() {
    let place = Place::new(&[("a.txt", MAIN), ("name.h", "#define NAME \"n\"\n"), ("p.c", PLAIN)]);
    place.write("line", "-O2\n-x c a.txt -x none 'p.c'\n-o app");
    place.compile("@line");
    assert_eq!(place.prints("app"), "TRANSLATED n a.txt 6\n");
}

#[test]
fn calls_between_sources_of_one_command_are_translated() {
    let place = Place::new(&[("main.c", CALLER), ("solve.c", SOLVE)]);
    place.compile("main.c solve.c -o app");
    assert_eq!(place.prints("app"), TRANSLATED);
}

#[test]
fn calls_between_objects_are_translated_when_they_are_linked() {
    let place = Place::new(&[("main.c", CALLER), ("sub/solve.c", SOLVE)]);
    place.compile("-c main.c -o obj.o");
    assert!(place.start("sub", "-c solve.c").status.success());
    place.compile("obj.o sub/solve.o -o app");
    assert_eq!(place.prints("app"), TRANSLATED);
    // The object itself has not been touched.
    place.run("cc", "obj.o sub/solve.o -o plain");
    assert_eq!(place.prints("plain"), "main: ORIGINAL\nsolve: TRANSLATED\n");
    place.compile("main.c sub/solve.o -o mixed");
    assert_eq!(place.prints("mixed"), TRANSLATED);
}

#[test]
fn objects_in_archives_are_seen() {
    let place = Place::new(&[("main.c", CALLER), ("solve.c", SOLVE), ("p.c", PLAIN)]);
    place.compile("-c main.c solve.c p.c");
    place.run("ar", "qcs libmain.a p.o main.o");
    place.run("ar", "qcsT thin.a main.o p.o");
    for line in ["solve.o libmain.a -o app", "solve.o -L. -lmain -o app", "solve.o thin.a -o app"] {
        place.compile(line);
        assert_eq!(place.prints("app"), TRANSLATED, "{line}");
    }
}

#[test]
fn a_source_that_changed_or_went_away_is_spoken_of() {
    let place = Place::new(&[("main.c", CALLER), ("solve.c", SOLVE)]);
    place.compile("-c main.c solve.c");
    place.write("main.c", &CALLER.replace("main:", "changed:"));
    let said = String::from_utf8(place.start("", "main.o solve.o -o app").stderr).unwrap();
    assert!(said.contains("`main.c` has changed since `main.o`"), "{said}");
    std::fs::remove_file(place.path("solve.c")).unwrap();
    let said = String::from_utf8(place.start("", "main.o solve.o -o app").stderr).unwrap();
    assert!(said.contains("is gone"), "{said}");
}

#[test]
fn a_program_needs_an_installed_runtime_only_when_it_has_directives() {
    let place = Place::new(&[("a.c", MAIN), ("name.h", "#define NAME \"n\"\n")]);
    place.write("plain.c", "int main(void) { return 0; }\n");
    std::fs::remove_file(place.path("prefix/lib/libcppc.a")).unwrap();
    place.compile("plain.c -o plain");
    let said = place.fails(2, "a.c -o app");
    assert!(said.contains("libcppc.a"), "{said}");
}

#[test]
fn the_runtime_for_mpi_is_linked_where_mpi_is() {
    let place = Place::new(&[("main.c", CALLER), ("solve.c", SOLVE), ("p.c", PLAIN)]);
    place.compile("-c main.c solve.c p.c");
    place.run("ar", "qcs libmpi_of_ours.a p.o");
    place.run("cp", "prefix/lib/libcppc.a prefix/lib/libcppc_mpi.a");
    for (line, library) in [
        ("main.o solve.o", "libcppc.a"),
        ("main.o solve.o ./libmpi_of_ours.a", "libcppc_mpi.a"),
        ("main.o solve.o -L. -lmpi_of_ours", "libcppc_mpi.a"),
        ("main.o solve.o --cppc-mpi=yes", "libcppc_mpi.a"),
        ("main.o solve.o ./libmpi_of_ours.a --cppc-mpi=no", "libcppc.a"),
    ] {
        let output = place.start("", &format!("--cppc-verbose {line} -o app"));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && said.contains(library), "{line}: {said}");
    }
}

#[test]
fn translated_files_are_kept_on_request() {
    let place = Place::new(&[("src/a.c", MAIN), ("src/name.h", "#define NAME \"n\"\n")]);
    place.compile("--cppc-keep=kept -c src/a.c");
    assert!(place.read("kept/src/a.c").contains("TRANSLATED"));
}

#[test]
fn objects_that_were_put_together_are_seen_as_far_as_that_goes() {
    let place = Place::new(&[("main.c", CALLER), ("solve.c", SOLVE), ("p.c", PLAIN)]);
    place.compile("-c main.c solve.c p.c");
    place.compile("-r -o both.o solve.o p.o");
    place.compile("main.o both.o -o app");
    assert_eq!(place.prints("app"), TRANSLATED);
    place.run("ld", "-r -o all.o main.o solve.o");
    let said = place.fails(2, "all.o -o app");
    assert!(said.contains("`main.c`") && said.contains("link the objects themselves"), "{said}");
}

/// The runtime is the program's: a library that had its own would keep another set of registers.
#[test]
fn a_shared_library_leaves_the_runtime_to_the_program() {
    let place = Place::new(&[
        ("solve.c", "#include <cppc.h>\nint solve(void)\n{\n#pragma cppc checkpoint\n    return CPPC_Shutdown();\n}\n"),
        ("main.c", "int solve(void);\nint main(void) { return solve(); }\n"),
    ]);
    place.compile("-shared -fPIC solve.c -o libsolve.so");
    assert!(place.run("nm", "-D libsolve.so").contains("U CPPC_Shutdown"));
    place.compile("main.c -L. -lsolve -Wl,-rpath,$ORIGIN -o app");
    place.prints("app");
}

#[test]
fn a_program_leaves_out_the_records() {
    let place = Place::new(&[("main.c", CALLER), ("solve.c", SOLVE)]);
    place.compile("-c main.c solve.c");
    assert!(place.run("readelf", "-SW main.o").contains(" .cppc "));
    place.compile("main.o solve.o -o app");
    place.run("cc", "main.o solve.o -o plain");
    for program in ["app", "plain"] {
        assert!(!place.run("readelf", &format!("-SW {program}")).contains(" .cppc "), "{program}");
    }
}

#[test]
fn make_builds_with_it() {
    let makefile = "CFLAGS = -O2 -MMD -MP\nOBJECTS = main.o sub/solve.o\napp: $(OBJECTS)\n\t$(CC) -o $@ $(OBJECTS)\n-include main.d sub/solve.d\n";
    let place = Place::new(&[("Makefile", makefile), ("main.c", CALLER), ("sub/solve.c", SOLVE)]);
    place.write("tool", "#!/bin/sh\nTEST_ARGUMENTS=\"$(printf '%s\\n' \"$@\")\" exec \"$TEST_PROGRAM\" --exact stand_in --nocapture\n");
    place.run("chmod", "+x tool");
    let make = || {
        let output = Command::new("make")
            .arg("CC=./tool")
            .env("TEST_PROGRAM", std::env::current_exe().unwrap())
            .env("CPPC_PREFIX", place.path("prefix"))
            .env_remove("MAKEFLAGS")
            .current_dir(place.directory.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    make();
    assert_eq!(place.prints("app"), TRANSLATED);
    assert!(make().contains("up to date"));
}

#[test]
fn an_interrupt_leaves_nothing_behind() {
    let place = Place::new(&[("a.c", SOLVE)]);
    place.write("slow", "#!/bin/sh\ncase \" $* \" in *\" -E \"*) exit 0;; esac\ntouch started\nexec sleep 60\n");
    place.run("chmod", "+x slow");
    place.write("tmp/.keep", "");
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "stand_in", "--nocapture"])
        .env(ARGUMENTS, "-c\na.c")
        .env("CPPC_CC", place.path("slow"))
        .env("TMPDIR", place.path("tmp"))
        .current_dir(place.directory.path())
        .process_group(0)
        .spawn()
        .unwrap();
    while !place.path("started").exists() {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    // The shell's own: a bare machine has no other.
    let kill = Command::new("sh").arg("-c").arg(format!("kill -INT -{}", child.id())).status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(128 + 2));
    assert_eq!(std::fs::read_dir(place.path("tmp")).unwrap().count(), 1);
}

#[test]
fn standard_input_is_passed_on() {
    let place = Place::new(&[]);
    let mut child = Command::new(std::env::current_exe().unwrap());
    place.write("in.c", "#include <cppc.h>\nint main(void) { return CPPC_Shutdown() + 7; }\n");
    let file = std::fs::File::open(place.path("in.c")).unwrap();
    child.args(["--exact", "stand_in", "--nocapture"]);
    child.env(ARGUMENTS, "-x\nc\n-\n-o\napp").env("CPPC_PREFIX", place.path("prefix")).stdin(file);
    let output = child.current_dir(place.directory.path()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let status = Command::new(place.path("app")).status().unwrap();
    assert_eq!(status.code(), Some(7));
}

/// Compilers are named by the environment, with options if need be; one that leads back is found out.
#[test]
fn the_compiler_comes_from_the_environment() {
    let place = Place::new(&[("a.c", "int value = VALUE;\n")]);
    let run = |compiler: &str| {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "stand_in", "--nocapture"])
            .env(ARGUMENTS, "-c\na.c")
            .env("CPPC_CC", compiler)
            .current_dir(place.directory.path())
            .output()
            .unwrap()
    };
    assert!(run("gcc -DVALUE=3").status.success());
    let missing = run("no-such-compiler");
    assert_eq!(missing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("`no-such-compiler`"));
    assert!(Path::new(&place.path("a.o")).exists());
}

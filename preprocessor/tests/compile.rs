//! Tests `cppc-cc` with a real compiler and a simplified translation. It replaces `ORIGINAL` by `TRANSLATED`
//! in a source with a directive, and in a source that calls `solve` if it is translated together with a
//! source that has a directive.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use cppc_preprocessor::compile::{Failure, Request, Translated, Translation, CPPC_CC};

#[path = "compile/test_directory.rs"]
mod test_directory;

use test_directory::{TestDirectory, ARGUMENTS};

/// The other tests run this test as a separate process. In that process it is `cppc-cc`.
#[test]
fn act_as_wrapper() {
    test_directory::act_as_wrapper(&CPPC_CC, &translate);
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
            let text =
                format!("# 1 \"{}\"\n{}", unit.source.display(), text.replace("ORIGINAL", "TRANSLATED"));
            Translated { text: text.into_bytes(), changed, needs_allocations: false, parts: Vec::new() }
        } else {
            Translated { text: text.into_bytes(), changed, needs_allocations: false, parts: Vec::new() }
        }
    });
    Ok(Translation { texts: translated.collect(), reported: Vec::new() })
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
    let directory = TestDirectory::new(&[("src/a.c", MAIN), ("src/name.h", "#define NAME \"beside\"\n")]);
    directory.write("inc/name.h", "#define NAME \"elsewhere\"\n");
    directory.compile("-g -O2 -Iinc -o app src/a.c -lm");
    assert_eq!(directory.prints("app"), "TRANSLATED beside src/a.c 6\n");
    let names = directory.run("readelf", "--debug-dump=info app");
    assert!(!names.contains("/cppc-"), "{names}");
    assert!(names.contains("src/a.c"), "{names}");
}

#[test]
fn sources_of_several_directories_keep_their_own_headers() {
    let other = "#include \"name.h\"\n#include <stdio.h>\nvoid other(void)\n{\n#pragma cppc checkpoint\n    puts(NAME);\n}\n";
    let main = "#include \"name.h\"\n#include <stdio.h>\nvoid other(void);\nint main(void)\n{\n#pragma cppc init\n    puts(NAME); other(); return 0;\n}\n";
    let directory = TestDirectory::new(&[
        ("one/a.c", main),
        ("one/name.h", "#define NAME \"one\"\n"),
        ("two/a.c", other),
        ("two/name.h", "#define NAME \"two\"\n"),
    ]);
    directory.compile("one/a.c two/a.c -o app");
    assert_eq!(directory.prints("app"), "one\ntwo\n");
    assert!(!directory.path("a.o").exists());
}

#[test]
fn objects_are_named_as_the_compiler_names_them() {
    let directory =
        TestDirectory::new(&[("src/a.c", MAIN), ("src/name.h", "#define NAME \"n\"\n"), ("p.c", PLAIN)]);
    directory.compile("-c src/a.c p.c");
    directory.compile("-c -o other.o src/a.c");
    directory.compile("-S src/a.c");
    assert!(
        directory.path("a.o").exists()
            && directory.path("p.o").exists()
            && directory.path("other.o").exists()
    );
    assert!(directory.read("a.s").contains("TRANSLATED"));
    directory.compile("a.o p.o");
    assert_eq!(directory.prints("a.out"), "TRANSLATED n src/a.c 6\n");
}

#[test]
fn dependency_files_name_the_source() {
    let directory = TestDirectory::new(&[("src/a.c", MAIN), ("src/name.h", "#define NAME \"n\"\n")]);
    let made = "a.o: src/a.c";
    for (line, file) in [
        ("-MD -c src/a.c", "a.d"),
        ("-MMD -MP -MF deps -c src/a.c", "deps"),
        ("-MD -MT a.o -MFdeps2 -c src/a.c -o dir.o", "deps2"),
        ("-Wp,-MD,deps3 -c src/a.c", "deps3"),
    ] {
        directory.compile(line);
        let rule = directory.read(file);
        assert!(rule.starts_with(made), "{line}: {rule}");
        assert!(rule.contains("src/name.h") && !rule.contains("/cppc-"), "{line}: {rule}");
    }
    directory.compile("-MD -MF /dev/null -c src/a.c -o /dev/null");
    assert!(!directory.path("/dev/null").is_file(), "the device is still one");
    directory.compile("-MD src/a.c -o app");
    assert!(directory.read("app.d").contains("src/a.c"));
    let output = directory.start("", "-MM src/a.c");
    assert!(String::from_utf8_lossy(&output.stdout).contains("a.o: src/a.c src/name.h"));
}

#[test]
fn what_carries_no_directive_is_compiled_from_its_own_path() {
    let directory = TestDirectory::new(&[
        ("p.c", PLAIN),
        ("m.c", "#include <stdio.h>\nconst char *plain(void); int main(void) { puts(plain()); }\n"),
    ]);
    directory.compile("-g p.c m.c -o app");
    assert_eq!(directory.prints("app"), "ORIGINAL p.c\n");
    let output = directory.start("", "--cppc-verbose -c p.c");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("-iquote"));
}

#[test]
fn diagnostics_of_the_compiler_name_the_source() {
    let directory =
        TestDirectory::new(&[("src/a.c", "int main(void)\n{\n#pragma cppc init\n    return unknown;\n}\n")]);
    let messages = directory.fails(1, "-c src/a.c");
    assert!(messages.contains("src/a.c:4"), "{messages}");
    assert!(!messages.contains("/cppc-"), "{messages}");
    assert!(!directory.path("a.o").exists());
}

#[test]
fn a_mistake_in_a_directive_leaves_no_output() {
    let directory = TestDirectory::new(&[("a.c", "#pragma cppc mistake\nint main(void) { return 0; }\n")]);
    for line in ["-c a.c", "a.c -o app"] {
        assert!(directory.fails(1, line).contains("C0001"));
    }
    assert!(!directory.path("a.o").exists() && !directory.path("app").exists());
}

#[test]
fn the_compilers_own_answers_pass_through() {
    let directory = TestDirectory::new(&[("a.c", MAIN), ("name.h", "#define NAME \"n\"\n")]);
    let output = directory.start("", "--version");
    let expected = Command::new("cc").arg("--version").output().unwrap();
    assert!(output.stdout.ends_with(&expected.stdout), "{output:?}");
    let output = directory.start("", "-E a.c");
    assert!(String::from_utf8_lossy(&output.stdout).contains("#pragma cppc init"));
    directory.fails(1, "-c nowhere.c");
    directory.fails(2, "--cppc-nonsense a.c");
    let output = directory.start("", "--cppc-help");
    assert!(String::from_utf8_lossy(&output.stdout).contains("CPPC_PREFIX"));
    let output = directory.start("", "--help");
    let expected = Command::new("cc").arg("--help").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("--cppc-auto") && output.stdout.ends_with(&expected.stdout), "{text}");
}

#[test]
fn response_files_and_languages_are_understood() {
    let directory =
        TestDirectory::new(&[("a.txt", MAIN), ("name.h", "#define NAME \"n\"\n"), ("p.c", PLAIN)]);
    directory.write("line", "-O2\n-x c a.txt -x none 'p.c'\n-o app");
    directory.compile("@line");
    assert_eq!(directory.prints("app"), "TRANSLATED n a.txt 6\n");
}

#[test]
fn calls_between_sources_of_one_command_are_translated() {
    let directory = TestDirectory::new(&[("main.c", CALLER), ("solve.c", SOLVE)]);
    directory.compile("main.c solve.c -o app");
    assert_eq!(directory.prints("app"), TRANSLATED);
}

#[test]
fn calls_between_objects_are_translated_when_they_are_linked() {
    let directory = TestDirectory::new(&[("main.c", CALLER), ("sub/solve.c", SOLVE)]);
    directory.compile("-c main.c -o obj.o");
    assert!(directory.start("sub", "-c solve.c").status.success());
    directory.compile("obj.o sub/solve.o -o app");
    assert_eq!(directory.prints("app"), TRANSLATED);
    // The object itself has not been changed.
    directory.run("cc", "obj.o sub/solve.o -o plain");
    assert_eq!(directory.prints("plain"), "main: ORIGINAL\nsolve: TRANSLATED\n");
    directory.compile("main.c sub/solve.o -o mixed");
    assert_eq!(directory.prints("mixed"), TRANSLATED);
}

#[test]
fn objects_in_archives_are_seen() {
    let directory = TestDirectory::new(&[("main.c", CALLER), ("solve.c", SOLVE), ("p.c", PLAIN)]);
    directory.compile("-c main.c solve.c p.c");
    directory.run("ar", "qcs libmain.a p.o main.o");
    directory.run("ar", "qcsT thin.a main.o p.o");
    for line in ["solve.o libmain.a -o app", "solve.o -L. -lmain -o app", "solve.o thin.a -o app"] {
        directory.compile(line);
        assert_eq!(directory.prints("app"), TRANSLATED, "{line}");
    }
}

#[test]
fn a_source_that_changed_or_went_away_is_spoken_of() {
    let directory = TestDirectory::new(&[("main.c", CALLER), ("solve.c", SOLVE)]);
    directory.compile("-c main.c solve.c");
    directory.write("main.c", &CALLER.replace("main:", "changed:"));
    let messages = String::from_utf8(directory.start("", "main.o solve.o -o app").stderr).unwrap();
    assert!(messages.contains("`main.c` has changed since `main.o`"), "{messages}");
    std::fs::remove_file(directory.path("solve.c")).unwrap();
    let messages = String::from_utf8(directory.start("", "main.o solve.o -o app").stderr).unwrap();
    assert!(messages.contains("does not exist any more"), "{messages}");
}

#[test]
fn a_program_needs_an_installed_runtime_only_when_it_has_directives() {
    let directory = TestDirectory::new(&[("a.c", MAIN), ("name.h", "#define NAME \"n\"\n")]);
    directory.write("plain.c", "int main(void) { return 0; }\n");
    std::fs::remove_file(directory.path("prefix/lib/libcppc.a")).unwrap();
    directory.compile("plain.c -o plain");
    let messages = directory.fails(2, "a.c -o app");
    assert!(messages.contains("libcppc.a"), "{messages}");
}

/// Otherwise a test of `configure` would find functions in the libraries that only the runtime needs.
#[test]
fn the_runtime_is_linked_only_where_it_may_be_called() {
    let directory = TestDirectory::new(&[("plain.c", "int main(void) { return 0; }\n")]);
    directory.write("hand.c", "#include <cppc.h>\nint main(void) { return CPPC_Shutdown(); }\n");
    directory.write("other.c", "int other;\n");
    directory.compile("-c plain.c hand.c other.c");
    directory.run("ar", "qcs libhand.a hand.o");
    for (line, is_linked) in [
        ("plain.c", false),
        ("plain.o", false),
        ("hand.c", true),
        ("hand.o", true),
        ("./libhand.a", true),
        ("other.o -L. -lhand", true),
    ] {
        let output = directory.start("", &format!("--cppc-verbose {line} -o app"));
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{line}: {messages}");
        assert_eq!(messages.contains("libcppc.a"), is_linked, "{line}: {messages}");
    }
}

#[test]
fn the_runtime_for_mpi_is_linked_where_mpi_is() {
    let directory = TestDirectory::new(&[("main.c", CALLER), ("solve.c", SOLVE), ("p.c", PLAIN)]);
    directory.compile("-c main.c solve.c p.c");
    directory.run("ar", "qcs libmpi_of_ours.a p.o");
    directory.run("cp", "prefix/lib/libcppc.a prefix/lib/libcppc_mpi.a");
    for (line, library) in [
        ("main.o solve.o", "libcppc.a"),
        ("main.o solve.o ./libmpi_of_ours.a", "libcppc_mpi.a"),
        ("main.o solve.o -L. -lmpi_of_ours", "libcppc_mpi.a"),
        ("main.o solve.o --cppc-mpi=yes", "libcppc_mpi.a"),
        ("main.o solve.o ./libmpi_of_ours.a --cppc-mpi=no", "libcppc.a"),
    ] {
        let output = directory.start("", &format!("--cppc-verbose {line} -o app"));
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && messages.contains(library), "{line}: {messages}");
        // The runtime calls MPI.
        let (runtime, mpi) = (messages.find("libcppc_mpi.a"), messages.find("mpi_of_ours"));
        assert!(runtime.zip(mpi).is_none_or(|(runtime, mpi)| runtime < mpi), "{line}: {messages}");
    }
}

#[test]
fn translated_files_are_kept_on_request() {
    let directory = TestDirectory::new(&[("src/a.c", MAIN), ("src/name.h", "#define NAME \"n\"\n")]);
    directory.compile("--cppc-keep=kept -c src/a.c");
    assert!(directory.read("kept/src/a.c").contains("TRANSLATED"));
}

#[test]
fn objects_that_were_put_together_are_seen_as_far_as_that_goes() {
    let directory = TestDirectory::new(&[("main.c", CALLER), ("solve.c", SOLVE), ("p.c", PLAIN)]);
    directory.compile("-c main.c solve.c p.c");
    directory.compile("-r -o both.o solve.o p.o");
    directory.compile("main.o both.o -o app");
    assert_eq!(directory.prints("app"), TRANSLATED);
    directory.run("ld", "-r -o all.o main.o solve.o");
    let messages = directory.fails(2, "all.o -o app");
    assert!(messages.contains("`main.c`") && messages.contains("link the objects themselves"), "{messages}");
}

/// The runtime belongs to the program: a library with its own runtime would have a second set of registers.
#[test]
fn a_shared_library_leaves_the_runtime_to_the_program() {
    let directory = TestDirectory::new(&[
        ("solve.c", "#include <cppc.h>\nint solve(void)\n{\n#pragma cppc checkpoint\n    return CPPC_Shutdown();\n}\n"),
        ("main.c", "int solve(void);\nint main(void) { return solve(); }\n"),
    ]);
    directory.compile("-shared -fPIC solve.c -o libsolve.so");
    assert!(directory.run("nm", "-D libsolve.so").contains("U CPPC_Shutdown"));
    directory.compile("main.c -L. -lsolve -Wl,-rpath,$ORIGIN -o app");
    directory.prints("app");
}

/// A program is translated together with its shared libraries. They cannot be changed any more.
#[test]
fn a_shared_library_has_records_and_must_fit_the_program() {
    let directory = TestDirectory::new(&[("main.c", CALLER), ("solve.c", SOLVE)]);
    directory.compile("-c -fPIC solve.c");
    directory.compile("-shared solve.o -o libobject.so");
    directory.compile("-shared -fPIC solve.c -o libsource.so");
    for library in ["./libobject.so", "-L. -lsource", "-L. -lobject"] {
        directory.compile(&format!("main.c {library} -Wl,-rpath,$ORIGIN -o app"));
        assert_eq!(directory.prints("app"), TRANSLATED, "{library}");
    }
    directory.write("solve.c", &SOLVE.replace("solve:", "changed:"));
    let messages = directory.fails(2, "main.c ./libsource.so -o app");
    assert!(messages.contains("`./libsource.so`") && messages.contains("`solve.c`"), "{messages}");
}

#[test]
fn directives_that_would_be_skipped_are_refused() {
    let source = "int main(void)\n{\n#pragma cppc init\n    return 0;\n}\n";
    let directory = TestDirectory::new(&[("a.cpp", source), ("a.c", source), ("b.cc", "#include \"a.c\"\n")]);
    directory.compile("-E a.c -o a.i");
    for (line, place) in
        [("-c a.cpp", "a.cpp:3"), ("b.cc -o app", "a.c:3"), ("-x c++ -c a.c", "a.c:3"), ("-c a.i", "a.i")]
    {
        let messages = directory.fails(1, line);
        assert!(messages.contains(place) && messages.contains("is not translated"), "{line}: {messages}");
    }
    directory.write("plain.cpp", "int main() { return 0; }\n");
    directory.compile("plain.cpp -o plain");
}

#[test]
fn a_program_leaves_out_the_records() {
    let directory = TestDirectory::new(&[("main.c", CALLER), ("solve.c", SOLVE)]);
    directory.compile("-c main.c solve.c");
    assert!(directory.run("readelf", "-SW main.o").contains(" .cppc "));
    directory.compile("main.o solve.o -o app");
    directory.run("cc", "main.o solve.o -o plain");
    for program in ["app", "plain"] {
        assert!(!directory.run("readelf", &format!("-SW {program}")).contains(" .cppc "), "{program}");
    }
}

#[test]
fn make_builds_with_it() {
    let makefile = "CFLAGS = -O2 -MMD -MP\nOBJECTS = main.o sub/solve.o\napp: $(OBJECTS)\n\t$(CC) -o $@ $(OBJECTS)\n-include main.d sub/solve.d\n";
    let directory = TestDirectory::new(&[("Makefile", makefile), ("main.c", CALLER), ("sub/solve.c", SOLVE)]);
    directory.write("tool", "#!/bin/sh\nTEST_ARGUMENTS=\"$(printf '%s\\n' \"$@\")\" exec \"$TEST_PROGRAM\" --exact act_as_wrapper --nocapture\n");
    directory.run("chmod", "+x tool");
    let make = || {
        let output = Command::new("make")
            .arg("CC=./tool")
            .env("TEST_PROGRAM", std::env::current_exe().unwrap())
            .env("CPPC_PREFIX", directory.path("prefix"))
            .env_remove("MAKEFLAGS")
            .current_dir(directory.root.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    make();
    assert_eq!(directory.prints("app"), TRANSLATED);
    assert!(make().contains("up to date"));
}

#[test]
fn an_interrupt_leaves_nothing_behind() {
    let directory = TestDirectory::new(&[("a.c", SOLVE)]);
    directory.write(
        "slow",
        "#!/bin/sh\ncase \" $* \" in *\" -E \"*) exit 0;; esac\ntouch started\nexec sleep 60\n",
    );
    directory.run("chmod", "+x slow");
    directory.write("tmp/.keep", "");
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "act_as_wrapper", "--nocapture"])
        .env(ARGUMENTS, "-c\na.c")
        .env("CPPC_CC", directory.path("slow"))
        .env("TMPDIR", directory.path("tmp"))
        .current_dir(directory.root.path())
        .process_group(0)
        .spawn()
        .unwrap();
    while !directory.path("started").exists() {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    // The `kill` of the shell, because a minimal system has no other.
    let kill = Command::new("sh").arg("-c").arg(format!("kill -INT -{}", child.id())).status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(128 + 2));
    assert_eq!(std::fs::read_dir(directory.path("tmp")).unwrap().count(), 1);
}

#[test]
fn standard_input_is_passed_on() {
    let directory = TestDirectory::new(&[]);
    let mut child = Command::new(std::env::current_exe().unwrap());
    directory.write("in.c", "#include <cppc.h>\nint main(void) { return CPPC_Shutdown() + 7; }\n");
    let file = std::fs::File::open(directory.path("in.c")).unwrap();
    child.args(["--exact", "act_as_wrapper", "--nocapture"]);
    child.env(ARGUMENTS, "-x\nc\n-\n-o\napp").env("CPPC_PREFIX", directory.path("prefix")).stdin(file);
    let output = child.current_dir(directory.root.path()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let status = Command::new(directory.path("app")).status().unwrap();
    assert_eq!(status.code(), Some(7));
}

/// Environment variables name the compilers, with options if necessary. A value that runs the wrapper again
/// is detected.
#[test]
fn the_compiler_comes_from_the_environment() {
    let directory = TestDirectory::new(&[("a.c", "int value = VALUE;\n")]);
    let run = |compiler: &str| {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "act_as_wrapper", "--nocapture"])
            .env(ARGUMENTS, "-c\na.c")
            .env("CPPC_CC", compiler)
            .current_dir(directory.root.path())
            .output()
            .unwrap()
    };
    assert!(run("gcc -DVALUE=3").status.success());
    let missing = run("no-such-compiler");
    assert_eq!(missing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("`no-such-compiler`"));
    assert!(Path::new(&directory.path("a.o")).exists());
}

#[test]
fn an_option_names_the_compiler() {
    let directory = TestDirectory::new(&[("a.c", "int value = 1;\n")]);
    let messages = directory.fails(2, "--cppc-cc=no-such-compiler -c a.c");
    assert!(messages.contains("`no-such-compiler`"), "{messages}");
    directory.compile("--cppc-cc=gcc -c a.c");
}

/// A user exports them for `make`, and then starts the program in the same shell.
#[test]
fn a_run_ignores_the_environment_variables_of_the_precompiler() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut count = 0;
    for path in
        ["src", "../grammar/src"].iter().flat_map(|folder| cppc_fixtures::below(&root.join(folder), &["rs"]))
    {
        let text = std::fs::read_to_string(&path).expect("a source");
        let reads = ["env = \"", "env(\"", "var_os(\"", "var(\"", "variable(\"", "variable: \""];
        for line in text.lines().filter(|line| reads.iter().any(|read| line.contains(read))) {
            let words = line.split('"').skip(1).step_by(2).filter(|word| word.starts_with("CPPC_"));
            for word in words {
                count += 1;
                // A run has this setting too, and accepts the values of the precompiler.
                let is_setting = word == "CPPC_CHECK";
                assert!(is_setting || cppc_abi::environment::is_ignored(word), "{}: {word}", path.display());
            }
        }
    }
    assert!(count >= 8, "{count} variables were found");
}

//! Small projects that are built by usual build systems from an installed product, killed and resumed; and packages of the
//! product. A build system that is not installed has no case.

use std::ffi::OsStr;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{ensure, Context, Result};
use cppc_tests::build::succeed;
use cppc_tests::cases::{case, run};
use cppc_tests::product::{here, workspace, Product};
use cppc_tests::run::without_settings;

type Check = fn(&Path) -> Result<()>;

/// The name of a case, the programs that it needs, and its function.
const CASES: [(&str, &[&str], Check); 7] = [
    ("cmake", &["cmake", "ninja"], cmake),
    ("cmake_with_link_time_optimisation", &["cmake", "ninja"], cmake_ipo),
    ("autotools", &["autoconf", "automake", "make"], autotools),
    ("meson", &["meson", "ninja"], meson),
    ("pkg_config_and_a_prefix_with_blanks", &["pkg-config", "cp"], prefix_with_blanks),
    ("debian_package", &["dpkg-deb", "dpkg-query", "ldd"], debian_package),
    ("completions", &["bash"], completions),
];

fn main() -> ExitCode {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages");
    let installed =
        CASES.iter().filter(|(_, programs, _)| programs.iter().all(|program| is_installed(program)));
    let trials = installed.map(|&(name, _, check)| case(&scratch, name.to_owned(), check));
    run(Ok(trials.collect()))
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|directory| directory.join(program).is_file())
}

/// A command in a directory, without settings of CPPC.
fn command(program: impl AsRef<OsStr>, arguments: &[&str], directory: &Path) -> Command {
    let mut command = Command::new(program);
    without_settings(&mut command);
    command.args(arguments).current_dir(directory);
    command
}

fn prefix() -> Result<String> {
    let prefix = Product::get()?.prefix().canonicalize()?;
    Ok(prefix.to_str().context("the prefix is not UTF-8")?.to_owned())
}

/// Copies the sources of a project, with those that all projects share.
fn project(name: &str, directory: &Path) -> Result<PathBuf> {
    let root = directory.join("project");
    let own = root.join(name);
    std::fs::create_dir_all(&own)?;
    for (from, to) in
        [(here("projects"), &root), (here("projects"), &own), (here("projects").join(name), &own)]
    {
        for entry in std::fs::read_dir(from)? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                std::fs::copy(entry.path(), to.join(entry.file_name()))?;
            }
        }
    }
    Ok(own)
}

/// Runs a program, kills it, resumes it, and compares the output.
fn resumes(program: &Path) -> Result<()> {
    let directory = tempfile::tempdir()?;
    let start = |kill: Option<&str>| {
        let mut run = command(program, &[], directory.path());
        run.env("CPPC_EVERY", "1").envs(kill.map(|kill| ("CPPC_KILL_AFTER", kill))).output()
    };
    let unbroken = start(None)?;
    ensure!(unbroken.status.success() && !unbroken.stdout.is_empty(), "the unbroken run: {unbroken:?}");
    let killed = start(Some("3"))?;
    ensure!(killed.status.signal() == Some(9), "not killed: {killed:?}");
    let resumed = start(None)?;
    let said = String::from_utf8_lossy(&resumed.stderr);
    ensure!(resumed.status.success() && said.contains("resuming from recovery line 3 "), "{resumed:?}");
    ensure!(resumed.stdout == unbroken.stdout, "{resumed:?} instead of {unbroken:?}");
    Ok(())
}

fn cmake(directory: &Path) -> Result<()> {
    let source = project("cmake", directory)?;
    let build = directory.join("build");
    let mut configure = command("cmake", &["-G", "Ninja", "-S"], directory);
    configure.arg(&source).arg("-B").arg(&build).arg(format!("-DCMAKE_PREFIX_PATH={}", prefix()?));
    succeed(&mut configure)?;
    succeed(&mut command("cmake", &["--build", "."], &build))?;
    resumes(&build.join("app"))?;
    resumes(&build.join("app_unity"))?;
    let original = std::fs::read(build.join("original"))?;
    ensure!(
        !original.windows(9).any(|word| word == b"CPPC_Init"),
        "the original program contains the runtime"
    );
    // A change of an included source rebuilds the unity source.
    let solver = source.join("../solver.c");
    let text = std::fs::read_to_string(&solver)?;
    std::fs::write(&solver, text.replace("0.25", "0.125"))?;
    let before = std::fs::read(build.join("app_unity"))?;
    succeed(&mut command("cmake", &["--build", "."], &build))?;
    ensure!(std::fs::read(build.join("app_unity"))? != before, "not built again");
    resumes(&build.join("app_unity"))
}

/// CMake looks for `gcc-ar` by the name of the compiler, and reports whether it may optimise at the link.
fn cmake_ipo(directory: &Path) -> Result<()> {
    let source = project("cmake_ipo", directory)?;
    let build = directory.join("build");
    let mut configure = command("cmake", &["-G", "Ninja", "-S"], directory);
    configure.arg(&source).arg("-B").arg(&build);
    succeed(configure.arg(format!("-DCMAKE_C_COMPILER={}/bin/cppc-cc", prefix()?)))?;
    succeed(&mut command("cmake", &["--build", "."], &build))?;
    resumes(&build.join("app"))
}

fn autotools(directory: &Path) -> Result<()> {
    let source = project("autotools", directory)?;
    let macros = format!("{}/share/aclocal", prefix()?);
    succeed(&mut command("aclocal", &["-I", &macros], &source))?;
    succeed(&mut command("automake", &["--add-missing", "--copy"], &source))?;
    succeed(&mut command("autoconf", &[], &source))?;
    let build = directory.join("build");
    std::fs::create_dir_all(&build)?;
    let option = format!("--with-cppc={}", prefix()?);
    succeed(&mut command(source.join("configure"), &[&option], &build))?;
    succeed(&mut command("make", &[], &build))?;
    resumes(&build.join("app"))?;
    succeed(&mut command("make", &["clean"], &build))?;
    succeed(&mut command(source.join("configure"), &["--without-cppc"], &build))?;
    succeed(&mut command("make", &[], &build))?;
    let original = std::fs::read(build.join("app"))?;
    ensure!(!original.windows(9).any(|word| word == b"CPPC_Init"), "--without-cppc links the runtime");
    let missing = command(source.join("configure"), &["--with-cppc=/nowhere"], &build).output()?;
    let said = String::from_utf8_lossy(&missing.stderr);
    ensure!(!missing.status.success() && said.contains("CPPC is not found"), "{missing:?}");
    let flags = format!("DISTCHECK_CONFIGURE_FLAGS={option}");
    let out = directory.join("release");
    std::fs::create_dir_all(&out)?;
    succeed(&mut command(source.join("configure"), &[&option], &out))?;
    succeed(&mut command("make", &["distcheck", &flags], &out)).map(drop)
}

fn meson(directory: &Path) -> Result<()> {
    let source = project("meson", directory)?;
    let build = directory.join("build");
    let mut configure = command("meson", &["setup"], &source);
    configure.arg(&build).env("CC", format!("{}/bin/cppc-cc", prefix()?));
    succeed(&mut configure)?;
    succeed(&mut command("ninja", &[], &build))?;
    resumes(&build.join("app"))
}

/// The installation is moved, and then builds programs by the wrapper, and by `pkg-config`.
fn prefix_with_blanks(directory: &Path) -> Result<()> {
    let source = project("meson", directory)?;
    let moved = directory.join("with two blanks");
    // Links instead of copies, because the libraries are large.
    succeed(command("cp", &["-al", &prefix()?], directory).arg(&moved))?;
    let mut compile =
        command(moved.join("bin/cppc-cc"), &["-O2", "main.c", "solver.c", "-o", "app"], &source);
    succeed(&mut compile)?;
    resumes(&source.join("app"))?;
    std::fs::write(
        source.join("call.c"),
        "#include <cppc.h>\nint main(void) { CPPC_Shutdown(); return 0; }\n",
    )?;
    let line = "eval cc -c call.c $(pkg-config --cflags cppc)";
    let mut compile = command("sh", &["-c", line], &source);
    succeed(compile.env("PKG_CONFIG_PATH", moved.join("lib/pkgconfig"))).map(drop)
}

fn debian_package(directory: &Path) -> Result<()> {
    let source = project("meson", directory)?;
    let mut make =
        command(env!("CARGO"), &["run", "--quiet", "--package", "xtask", "--", "deb"], workspace());
    make.args(["--from", &prefix()?, "--into"]).arg(directory);
    succeed(&mut make)?;
    let packages = std::fs::read_dir(directory)?.flatten().map(|entry| entry.path());
    let package =
        packages.filter(|path| path.extension() == Some("deb".as_ref())).last().context("no package")?;
    let about = command("dpkg-deb", &["--field"], directory).arg(&package).arg("Depends").output()?;
    ensure!(String::from_utf8_lossy(&about.stdout).contains("libc6"), "{about:?}");
    let root = directory.join("root");
    succeed(command("dpkg-deb", &["--extract"], directory).arg(&package).arg(&root))?;
    let wrapper = root.join("usr/bin/cppc-cc");
    succeed(&mut command(wrapper, &["-O2", "main.c", "solver.c", "-o", "app"], &source))?;
    resumes(&source.join("app"))
}

/// The shell reads the completions, and completes a command.
fn completions(directory: &Path) -> Result<()> {
    let share = format!("{}/share", prefix()?);
    for program in ["cppc", "cppc-cc", "cppc-fc", "cppc-pp"] {
        let function = program.replace('-', "__");
        for path in
            [format!("zsh/site-functions/_{program}"), format!("fish/vendor_completions.d/{program}.fish")]
        {
            ensure!(Path::new(&share).join(&path).is_file(), "`{path}` is not installed");
        }
        let line = format!(
            ". '{share}/bash-completion/completions/{program}'; complete -p {program}; COMP_WORDS=({program} --); \
             COMP_CWORD=1; _{function} {program} -- {program} 2>/dev/null; echo \"${{COMPREPLY[@]}}\""
        );
        let shown = command("bash", &["-c", &line], directory).output()?;
        let text = String::from_utf8_lossy(&shown.stdout).into_owned();
        ensure!(shown.status.success() && text.contains(&format!("-F _{function} {program}")), "{shown:?}");
        ensure!(text.contains("help"), "{text}");
    }
    Ok(())
}

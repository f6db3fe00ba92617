//! `install`: builds the product and installs it under a prefix.
//!
//! Input: the workspace, a prefix.
//! Output: `bin`, `lib`, `include` and `share` under the prefix, and a list of these files (`share/cppc/manifest`).
//! Postcondition: the installation contains no path of the source tree or of the prefix, so that it can be
//! moved. Files are replaced as a whole, so that a running program keeps the file that it has open. Files of an earlier
//! installation that are not part of this one are removed.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{bail, Context, Result};
use cppc_abi::mpi::Mpi;

use crate::archive;
use crate::messages;
use crate::page_links;
use crate::workspace::{output, run as run_command, Workspace, EVERYTHING};

const PROGRAMS: [(&str, &str); 4] = [
    ("cppc-preprocessor", "cppc-pp"),
    ("cppc-preprocessor", "cppc-cc"),
    ("cppc-preprocessor", "cppc-fc"),
    ("cppc-tools", "cppc"),
];

/// Names by which the wrappers run the MPI compilers, and the programs for archives with link-time optimisation.
const LINKS: [(&str, &str); 8] = [
    ("cppc-mpicc", "cppc-cc"),
    ("cppc-mpifort", "cppc-fc"),
    ("cppc-gcc-ar", "cppc-cc"),
    ("cppc-gcc-nm", "cppc-cc"),
    ("cppc-gcc-ranlib", "cppc-cc"),
    ("cppc-llvm-ar", "cppc-cc"),
    ("cppc-llvm-nm", "cppc-cc"),
    ("cppc-llvm-ranlib", "cppc-cc"),
];

/// A runtime library, as a crate and as a file.
struct Library {
    package: &'static str,
    name: &'static str,
    description: &'static str,
}

const SEQUENTIAL: Library =
    Library { package: "libcppc", name: "cppc", description: "Checkpointing of C and Fortran programs" };
/// The crate of the layer that counts messages, and the name of its library.
const MESSAGES: (&str, &str) = ("cppc-message-check", "cppc_messages");

const MPI: Library = Library {
    package: "libcppc_mpi",
    name: "cppc_mpi",
    description: "Checkpointing of C and Fortran programs that use MPI",
};

/// The HDF5 version that the writer hdf5 needs.
const OLDEST_HDF5: &str = "hdf5 >= 1.10.7";

/// The cargo profiles to build with.
#[derive(Debug, Clone, Copy)]
pub struct Profiles<'p> {
    pub programs: &'p str,
    pub libraries: &'p str,
}

pub fn run(workspace: &Workspace, prefix: &Path, profiles: Profiles) -> Result<()> {
    let here = std::env::current_dir().context("cannot determine the working directory")?;
    let paths = InstallPaths::new(here.join(prefix), workspace.target(), profiles);
    let compiler = std::env::var("MPICC").unwrap_or_else(|_| "mpicc".to_owned());
    let has_mpi = mpi_macros(&compiler).is_some();
    if has_mpi {
        paths.forget_other_mpi(workspace, &compiler)?;
    }
    paths.build_programs(workspace)?;
    paths.build_libraries(workspace, has_mpi.then_some(&*compiler))?;
    for (_, program) in PROGRAMS {
        paths.file(&paths.built_with(profiles.programs, program), &format!("bin/{program}"))?;
    }
    for (link, program) in LINKS {
        paths.link(&format!("bin/{link}"), program)?;
    }
    library(&paths, &SEQUENTIAL)?;
    match has_mpi {
        true => {
            mpi_library(workspace, &paths, &compiler)?;
            println!("libcppc_mpi is for {}", name_of_mpi(&compiler));
        }
        false => println!("no MPI compiler (`MPICC`, or `mpicc` on the path): libcppc_mpi is not installed"),
    }
    writers(workspace, &paths)?;
    texts(workspace, &paths)?;
    paths.finish()?;
    println!("installed in {}", prefix.display());
    Ok(())
}

/// Removes an installation. Files that others have put under the prefix stay.
pub fn uninstall(prefix: &Path) -> Result<()> {
    for name in installed(prefix)? {
        remove(prefix, &name)?;
    }
    println!("removed from {}", prefix.display());
    Ok(())
}

/// Installs only the libraries and writers, for another MPI, after `run` with the same profiles. Programs find them with
/// `CPPC_PREFIX`.
pub fn libraries(workspace: &Workspace, prefix: &Path, compiler: &str, profiles: Profiles) -> Result<()> {
    // A separate directory, so that builds for two MPIs do not replace each other.
    let target = workspace.target().join(compiler);
    // Most of the build does not depend on MPI, so it starts from the build for the first one.
    if target.exists() {
        std::fs::remove_dir_all(&target)?;
    }
    std::fs::create_dir_all(&target)?;
    let directory = directory_of(profiles.libraries);
    let (built, copy) = (workspace.target().join(directory), target.join(directory));
    run_command(Command::new("cp").args(["-a", "--reflink=auto"]).args([&built, &copy]))?;
    let paths = InstallPaths::new(prefix.to_owned(), target, profiles);
    paths.forget_other_mpi(workspace, compiler)?;
    paths.build_libraries(workspace, Some(compiler))?;
    library(&paths, &SEQUENTIAL)?;
    mpi_library(workspace, &paths, compiler)?;
    // A writer does not depend on MPI.
    let paths = InstallPaths { target: workspace.target(), ..paths };
    writers(workspace, &paths)?;
    texts(workspace, &paths)?;
    paths.finish()
}

/// The files of an installation, relative to its prefix.
pub fn installed(prefix: &Path) -> Result<Vec<String>> {
    let manifest = prefix.join(MANIFEST);
    let list = std::fs::read_to_string(&manifest)
        .with_context(|| format!("CPPC is not installed there: cannot read `{}`", manifest.display()))?;
    Ok(list.lines().map(str::to_owned).collect())
}

/// The installed files, one in a line, relative to the prefix.
pub const MANIFEST: &str = "share/cppc/manifest";

/// Removes a file, and the directories that are empty then.
fn remove(prefix: &Path, name: &str) -> Result<()> {
    let path = prefix.join(name);
    if path.symlink_metadata().is_ok() {
        std::fs::remove_file(&path).with_context(|| format!("cannot remove `{}`", path.display()))?;
    }
    let directories = path.ancestors().skip(1).take_while(|directory| *directory != prefix);
    for directory in directories {
        if std::fs::remove_dir(directory).is_err() {
            break;
        }
    }
    Ok(())
}

/// The prefix, and the directory and profiles of the build.
struct InstallPaths<'p> {
    prefix: PathBuf,
    target: PathBuf,
    profiles: Profiles<'p>,
    /// The files that were installed, relative to the prefix.
    installed: RefCell<BTreeSet<String>>,
}

impl<'p> InstallPaths<'p> {
    fn new(prefix: PathBuf, target: PathBuf, profiles: Profiles<'p>) -> InstallPaths<'p> {
        InstallPaths { prefix, target, profiles, installed: RefCell::default() }
    }

    /// Writes the list of files, and removes those of an earlier installation.
    fn finish(&self) -> Result<()> {
        let earlier = std::fs::read_to_string(self.prefix.join(MANIFEST)).unwrap_or_default();
        self.installed.borrow_mut().insert(MANIFEST.to_owned());
        let names: Vec<String> = self.installed.borrow().iter().cloned().collect();
        for name in earlier.lines().filter(|name| !names.iter().any(|installed| installed == name)) {
            remove(&self.prefix, name)?;
        }
        self.text(&(names.join("\n") + "\n"), MANIFEST)
    }

    fn build(&self, workspace: &Workspace, profile: &str) -> Command {
        let mut build = workspace.cargo(&["build", "--profile", profile]);
        build.env("CARGO_TARGET_DIR", &self.target);
        build
    }

    /// Builds the programs, unless they are built together with the libraries. Cargo chooses features by all packages
    /// that it is given, so these are the packages of the tests: then the tests use what is compiled here.
    fn build_programs(&self, workspace: &Workspace) -> Result<()> {
        if self.profiles.programs == self.profiles.libraries {
            return Ok(());
        }
        let mut build = self.build(workspace, self.profiles.programs);
        build.args(EVERYTHING);
        for (_, program) in PROGRAMS {
            build.args(["--bin", program]);
        }
        run_command(&mut build)
    }

    /// Builds the libraries, and the programs if they have the same profile. Always the same packages, because cargo
    /// chooses the features of the others by them.
    fn build_libraries(&self, workspace: &Workspace, mpi_compiler: Option<&str>) -> Result<()> {
        let mut build = self.build(workspace, self.profiles.libraries);
        if self.profiles.programs == self.profiles.libraries {
            for (package, program) in PROGRAMS {
                build.args(["--package", package, "--bin", program]);
            }
        }
        build.args(["--package", SEQUENTIAL.package, "--lib"]);
        if let Some(compiler) = mpi_compiler {
            build.args(["--package", MPI.package, "--package", MESSAGES.0]).env("MPICC", compiler);
        }
        run_command(&mut build)
    }

    /// Makes cargo build the MPI binding again if it was built for another MPI or another version of it.
    /// Cargo does not know this dependency.
    fn forget_other_mpi(&self, workspace: &Workspace, compiler: &str) -> Result<()> {
        let shown = output(Command::new(compiler).arg("-show").stdin(Stdio::null())).unwrap_or_default();
        let macros = mpi_macros(compiler).unwrap_or_default();
        let versions = macros.lines().filter(|line| line.contains("VERSION")).collect::<Vec<_>>().join("\n");
        let (mpi, note) = (format!("{shown}\n{versions}\n"), self.target.join("mpi-of-build"));
        if std::fs::read_to_string(&note).is_ok_and(|found| found == mpi) {
            return Ok(());
        }
        let mut clean = workspace.cargo(&[
            "clean",
            "--quiet",
            "--package",
            "mpi-sys",
            "--profile",
            self.profiles.libraries,
        ]);
        run_command(clean.env("CARGO_TARGET_DIR", &self.target))?;
        std::fs::create_dir_all(&self.target)?;
        std::fs::write(&note, mpi).with_context(|| format!("cannot write `{}`", note.display()))
    }

    fn built(&self, name: &str) -> PathBuf {
        self.built_with(self.profiles.libraries, name)
    }

    fn built_with(&self, profile: &str, name: &str) -> PathBuf {
        self.target.join(directory_of(profile)).join(name)
    }

    fn file(&self, from: &Path, to: &str) -> Result<()> {
        let content = std::fs::read(from).with_context(|| format!("cannot read `{}`", from.display()))?;
        let mode = std::fs::metadata(from)?.permissions();
        let written = self.write(&content, to)?;
        std::fs::set_permissions(&written, mode)?;
        Ok(())
    }

    fn text(&self, text: &str, to: &str) -> Result<()> {
        self.write(text.as_bytes(), to).map(|_| ())
    }

    /// Writes to a new file and renames it. A file with the same content keeps its date, so that builds which
    /// depend on it are not repeated.
    fn write(&self, content: &[u8], to: &str) -> Result<PathBuf> {
        self.installed.borrow_mut().insert(to.to_owned());
        let path = self.prefix.join(to);
        if std::fs::read(&path).is_ok_and(|found| found == content) {
            return Ok(path);
        }
        let directory = path.parent().context("a file of the product needs a directory")?;
        std::fs::create_dir_all(directory)
            .with_context(|| format!("cannot create `{}`", directory.display()))?;
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".new");
        let beside = directory.join(name);
        std::fs::write(&beside, content).with_context(|| format!("cannot write `{}`", beside.display()))?;
        std::fs::rename(&beside, &path).with_context(|| format!("cannot rename `{}`", beside.display()))?;
        Ok(path)
    }

    fn link(&self, to: &str, target: &str) -> Result<()> {
        self.installed.borrow_mut().insert(to.to_owned());
        let path = self.prefix.join(to);
        if std::fs::read_link(&path).is_ok_and(|found| found == Path::new(target)) {
            return Ok(());
        }
        if path.symlink_metadata().is_ok() {
            std::fs::remove_file(&path)?;
        }
        std::os::unix::fs::symlink(target, &path).with_context(|| format!("cannot link `{}`", path.display()))
    }
}

/// The directory of the profile `dev` is named `debug`.
fn directory_of(profile: &str) -> &str {
    match profile {
        "dev" => "debug",
        other => other,
    }
}

fn library(paths: &InstallPaths, library: &Library) -> Result<()> {
    let Library { name, description, .. } = library;
    let soname = format!("lib{name}.so.{}", env!("CARGO_PKG_VERSION_MAJOR"));
    let built = paths.built(&format!("lib{name}.a"));
    let finished = paths.target.join(format!("lib{name}.a"));
    archive::for_programs(&built, &finished, |tool| Command::new(tool))?;
    paths.file(&finished, &format!("lib/lib{name}.a"))?;
    paths.file(&paths.built(&format!("lib{name}.so")), &format!("lib/{soname}"))?;
    paths.link(&format!("lib/lib{name}.so"), &soname)?;
    paths.text(&package_file(name, description), &format!("lib/pkgconfig/{name}.pc"))
}

/// The library for the MPI of this compiler, and a file with the name of this MPI.
fn mpi_library(workspace: &Workspace, paths: &InstallPaths, compiler: &str) -> Result<()> {
    library(paths, &MPI)?;
    message_check(workspace, paths, compiler)?;
    paths.text(&format!("{}\n", name_of_mpi(compiler)), &format!("lib/{}", cppc_abi::mpi::FILE))
}

/// The layer that counts messages, for the MPI of this compiler.
fn message_check(workspace: &Workspace, paths: &InstallPaths, compiler: &str) -> Result<()> {
    let name = MESSAGES.1;
    let soname = format!("lib{name}.so.{}", env!("CARGO_PKG_VERSION_MAJOR"));
    let (work, places) =
        (paths.target.join(name), paths.built(&format!("lib{}.a", MESSAGES.0.replace('-', "_"))));
    let built = work.join(&soname);
    messages::build(workspace, compiler, &places, &work, &built)?;
    paths.file(&built, &format!("lib/{soname}"))?;
    paths.link(&format!("lib/lib{name}.so"), &soname)
}

/// The writers that are shared objects, if their libraries are installed.
fn writers(workspace: &Workspace, paths: &InstallPaths) -> Result<()> {
    let there = Command::new("pkg-config").args(["--exists", OLDEST_HDF5]).stderr(Stdio::null()).status();
    if !there.is_ok_and(|status| status.success()) && std::env::var_os("HDF5_DIR").is_none() {
        println!("no `{OLDEST_HDF5}` (by pkg-config, or `HDF5_DIR`): the writer hdf5 is not installed");
        return Ok(());
    }
    // A separate build, so that an error with HDF5 does not affect the other files.
    let mut build = paths.build(workspace, paths.profiles.libraries);
    let built = run_command(build.args(["--package", "cppc-writer-hdf5", "--lib"]));
    if let Err(error) = built {
        println!("the writer hdf5 is not installed: {error:#}");
        return Ok(());
    }
    let name = "libcppc_writer_hdf5.so";
    paths.file(&paths.built(name), &format!("lib/cppc/writers/{name}"))
}

/// The file for pkg-config. It determines the prefix from its own path.
fn package_file(name: &str, description: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let private = cppc_abi::STATIC_LIBRARY_NEEDS.join(" ");
    format!(
        "prefix=${{pcfiledir}}/../..\n\
         libdir=${{prefix}}/lib\n\
         includedir=${{prefix}}/include\n\
         \n\
         Name: {name}\n\
         Description: {description}\n\
         Version: {version}\n\
         Cflags: -I${{includedir}}\n\
         Libs: -L${{libdir}} -Wl,-rpath,${{libdir}} -Wl,-rpath,${{libdir}}/cppc/writers -l{name}\n\
         Libs.private: {private}\n"
    )
}

/// The MPI of a compiler, according to its header. `None` if the compiler does not work, or if its MPI is not known.
pub fn mpi(compiler: &str) -> Option<Mpi> {
    Mpi::of_macros(&mpi_macros(compiler)?)
}

fn name_of_mpi(compiler: &str) -> String {
    mpi(compiler).map_or("another MPI".to_owned(), |mpi| mpi.to_string())
}

fn mpi_macros(compiler: &str) -> Option<String> {
    let mut ask = Command::new(compiler);
    ask.args(["-E", "-dM", "-include", "mpi.h", "-x", "c", "/dev/null"]);
    output(ask.stdin(Stdio::null())).ok()
}

/// The headers, the Fortran module, the manual pages, the manual, the examples, the files for build systems and shells, and
/// the licences. The module is installed as
/// source, because its compiled form depends on the compiler.
fn texts(workspace: &Workspace, paths: &InstallPaths) -> Result<()> {
    for path in workspace.files()? {
        let from = workspace.root.join(&path);
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        let extension = path.extension().and_then(|extension| extension.to_str());
        let is_header =
            path.starts_with("runtime-ffi/include") || path.starts_with("fortran-bindings/include");
        if is_header && extension == Some("h") {
            paths.file(&from, &format!("include/{name}"))?;
        } else if path.starts_with("fortran-bindings/module") && extension == Some("f90") {
            paths.file(&from, &format!("share/cppc/fortran/{name}"))?;
        } else if path.starts_with("docs/man") && extension == Some("1") {
            paths.file(&from, &format!("share/man/man1/{name}"))?;
        } else if let Ok(shell) = path.strip_prefix("docs/completions") {
            paths.file(&from, &completion(shell)?)?;
        } else if is_page(&path) {
            let text = std::fs::read_to_string(&from)?;
            paths.text(&with_installed_links(&workspace.root, &path, &text), &page_place(&path))?;
        } else if path.starts_with("examples") || is_licence(&path) {
            paths.file(&from, &page_place(&path))?;
        } else if path.starts_with("packaging") {
            if let Some(to) = for_build_systems(&path) {
                paths.text(&with_version(&std::fs::read_to_string(&from)?), &to)?;
            }
        }
    }
    for made in ["include/cppc.h", "include/cppcf.h"] {
        if !paths.prefix.join(made).exists() {
            bail!("`{made}` is missing: run `cargo xtask headers`");
        }
    }
    Ok(())
}

/// Where a file of `packaging` is installed. `None` for those that only build packages.
fn for_build_systems(path: &Path) -> Option<String> {
    Some(match path.to_str()? {
        "packaging/cmake/CPPCConfig.cmake" => "lib/cmake/CPPC/CPPCConfig.cmake".to_owned(),
        "packaging/cmake/CPPCConfigVersion.cmake.in" => "lib/cmake/CPPC/CPPCConfigVersion.cmake".to_owned(),
        "packaging/autoconf/cppc.m4" => "share/aclocal/cppc.m4".to_owned(),
        "packaging/modulefiles/cppc.in" => format!("share/modulefiles/cppc/{}", env!("CARGO_PKG_VERSION")),
        _ => return None,
    })
}

fn with_version(text: &str) -> String {
    text.replace("@VERSION@", env!("CARGO_PKG_VERSION")).replace("@MAJOR@", env!("CARGO_PKG_VERSION_MAJOR"))
}

/// Where the completions of a program are installed: `bash/NAME`, `zsh/_NAME`, `fish/NAME.fish`.
fn completion(path: &Path) -> Result<String> {
    let shown = path.display();
    Ok(match path.parent().and_then(Path::to_str) {
        Some("bash") => format!("share/bash-completion/completions/{}", file_name(path)),
        Some("zsh") => format!("share/zsh/site-functions/{}", file_name(path)),
        Some("fish") => format!("share/fish/vendor_completions.d/{}", file_name(path)),
        _ => bail!("`docs/completions/{shown}` is for an unknown shell"),
    })
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Whether a file is a page of the manual.
fn is_page(path: &Path) -> bool {
    let is_at_root = path == Path::new("README.md") || path == Path::new("CHANGELOG.md");
    let is_text = path.extension().is_some_and(|extension| extension == "md");
    is_at_root || (is_text && (path.starts_with("docs") || path.starts_with("examples")))
}

fn is_licence(path: &Path) -> bool {
    path.to_string_lossy().starts_with("LICENSE")
}

fn page_place(path: &Path) -> String {
    format!("share/doc/cppc/{}", path.display())
}

/// The text of a page. Links to files that are not installed have become text.
fn with_installed_links(root: &Path, page: &Path, text: &str) -> String {
    page_links::rewrite(page, text, |path| {
        let is_installed =
            is_page(path) || is_licence(path) || path.starts_with("examples") || path == Path::new("docs");
        (is_installed && root.join(path).exists()).then(|| page_links::link_from(page, path))
    })
}

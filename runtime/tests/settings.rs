//! Settings from all four sources, and the messages for wrong ones.

use cppc_runtime::settings::table::{help, markdown, TABLE};
use cppc_runtime::settings::{
    Busy, Compression, Interval, Log, OnSignal, Restart, Settings, SettingsError, Writer,
};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The settings, and the rest of the command line.
fn gather(
    arguments: &[&str],
    environment: &[(&str, &str)],
    directory: &Path,
) -> (Result<Settings, SettingsError>, Vec<String>) {
    let mut arguments: Vec<OsString> =
        std::iter::once("/usr/bin/heat").chain(arguments.iter().copied()).map(OsString::from).collect();
    let environment = environment.iter().map(|(name, value)| (name.into(), value.into()));
    let settings = Settings::gather(&mut arguments, environment, directory);
    let left = arguments.into_iter().skip(1).map(|each| each.into_string().unwrap()).collect();
    (settings, left)
}

fn nowhere() -> &'static Path {
    Path::new("/nonexistent/directory")
}

fn from_arguments(arguments: &[&str]) -> Settings {
    gather(arguments, &[], nowhere()).0.unwrap()
}

fn error(arguments: &[&str], environment: &[(&str, &str)]) -> String {
    let (settings, left) = gather(arguments, environment, nowhere());
    assert_eq!(left, arguments, "a command line with an error is left as it was");
    settings.unwrap_err().to_string()
}

fn scratch(name: &str, content: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("cppc-settings-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&path).unwrap();
    std::fs::write(path.join("cppc.toml"), content).unwrap();
    path
}

#[test]
fn what_nobody_sets_has_its_default() {
    let settings = from_arguments(&[]);
    assert_eq!(settings.dir, nowhere().join("cppc-state"));
    assert_eq!(settings.app, "heat");
    assert_eq!((settings.every, settings.keep, settings.full_every), (0, 2, 1));
    assert_eq!((settings.first_touch, settings.delete, settings.asynchronous), (false, true, true));
    assert_eq!((settings.restart, settings.busy), (Restart::Auto, Busy::Wait));
    assert_eq!((settings.compress, settings.log), (Compression::None, Log::Restart));
}

#[test]
fn each_task_of_a_job_array_has_its_own_directory() {
    let dir = |arguments: &[&str], task: &str| {
        gather(arguments, &[("SLURM_ARRAY_TASK_ID", task)], nowhere()).0.unwrap().dir
    };
    assert_eq!(dir(&[], "3"), nowhere().join("cppc-state/task-3"));
    assert_eq!(dir(&["--cppc-dir=/runs/a"], "12"), Path::new("/runs/a/task-12"));
    // Not a task.
    assert_eq!(dir(&[], ""), nowhere().join("cppc-state"));
}

#[test]
fn the_interval_is_off_if_only_every_is_set() {
    let interval = |arguments: &[&str]| from_arguments(arguments).interval;
    assert_eq!(interval(&[]), Interval::Unset);
    assert_eq!(interval(&["--cppc-every=5"]), Interval::None);
    assert_eq!(interval(&["--cppc-interval=auto"]), Interval::Auto);
    let both = from_arguments(&["--cppc-every=5", "--cppc-interval", "15min", "--cppc-mtbf=24h"]);
    assert_eq!((both.every, both.interval), (5, Interval::Fixed(Duration::from_secs(900))));
    assert_eq!(both.mtbf, Some(Duration::from_secs(86_400)));
    assert!(from_arguments(&["--cppc-every=0"]).never_dumps());
    assert!(!from_arguments(&["--cppc-every=0", "--cppc-interval=1s"]).never_dumps());
    let signals = from_arguments(&["--cppc-on-sigterm=end", "--cppc-on-sigusr1=default"]);
    assert_eq!((signals.on_sigterm, signals.on_sigusr1), (OnSignal::End, OnSignal::Default));
    for wrong in ["--cppc-interval=0", "--cppc-interval=soon", "--cppc-mtbf=-1h", "--cppc-on-sigterm=stop"] {
        assert!(error(&[wrong], &[]).contains("is not a valid value of"), "{wrong}");
    }
}

#[test]
fn the_program_does_not_see_what_is_ours() {
    let (settings, left) = gather(
        &[
            "-n",
            "5",
            "--cppc-every=3",
            "--cppc-dir",
            "/tmp/x",
            "in.dat",
            "-CPPC,CPPC/Controller/Restart=true",
            "--",
            "--cppc-keep=9",
        ],
        &[],
        nowhere(),
    );
    let settings = settings.unwrap();
    assert_eq!(left, ["-n", "5", "in.dat", "--", "--cppc-keep=9"]);
    assert_eq!(settings.every, 3);
    assert_eq!(settings.dir, Path::new("/tmp/x"));
    assert_eq!(settings.restart, Restart::Always);
    assert_eq!(settings.keep, 2);
}

#[test]
fn the_stronger_source_wins() {
    let directory = scratch("strength", "every = 2\nkeep = 4\nlog = \"info\"\nasync = false\n");
    let (settings, _) = gather(
        &["--cppc-every=7"],
        &[("CPPC_EVERY", "5"), ("CPPC_KEEP", "6"), ("HOME", "/root")],
        &directory,
    );
    let settings = settings.unwrap();
    assert_eq!((settings.every, settings.keep, settings.log), (7, 6, Log::Info));
    assert!(!settings.asynchronous);
    let other = directory.join("other.toml");
    std::fs::write(&other, "keep = 8").unwrap();
    for (arguments, environment) in
        [(vec!["--cppc-config", "other.toml"], vec![]), (vec![], vec![("CPPC_CONFIG", "other.toml")])]
    {
        let (settings, left) = gather(&arguments, &environment, &directory);
        assert_eq!(settings.unwrap().keep, 8);
        assert!(left.is_empty());
    }
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn the_original_names_are_understood() {
    let settings = from_arguments(&[
        "-CPPC,CPPC/Controller/RootDir=/scratch,CPPC/Controller/ApplicationName=cg,CPPC/Controller/Frequency=10",
        "-CPPC,CPPC/Controller/CheckpointOnFirstTouch=true,CPPC/Controller/Restart=false",
        "-CPPC,CPPC/Controller/StoredRecoverySets=3,CPPC/Controller/DeleteCheckpoints=false,CPPC/Controller/FullFrequency=1",
        "-CPPC,CPPC/Writer/HDF-5/Compression=ZLib,CPPC/Writer/HDF-5/CompressionLevel=4,CPPC/Writer/HDF-5/MinimumSize=77",
    ]);
    assert_eq!(settings.dir, Path::new("/scratch"));
    assert_eq!((settings.app.as_str(), settings.every, settings.keep), ("cg", 10, 3));
    assert_eq!((settings.first_touch, settings.delete), (true, false));
    assert_eq!((settings.restart, settings.compress), (Restart::Never, Compression::Deflate(4)));
    assert_eq!(settings.compress_min, 77);
}

#[test]
fn a_writer_that_has_no_lz4_is_not_asked_for_it() {
    let settings = from_arguments(&["--cppc-compress=lz4", "--cppc-compress-threads", "4"]);
    assert_eq!((settings.compress, settings.compress_threads), (Compression::Lz4, 4));
    assert_eq!((settings.compress_min, settings.writer), (1024, Writer::Binary));
    assert_eq!(
        error(&["--cppc-compress=lz4"], &[("CPPC_WRITER", "hdf5")]),
        "`compress` is `lz4`, which the writer `hdf5` does not have: set `compress` to `deflate` or `none`, or \
         `writer` to `binary`"
    );
    assert!(error(&["--cppc-compress=lz4", "--cppc-writer=./toy.so"], &[]).contains("`./toy.so`"));
    let settings = from_arguments(&["--cppc-compress=deflate", "--cppc-writer=hdf5"]);
    assert_eq!(settings.compress, Compression::Deflate(1));
}

#[test]
fn a_writer_of_full_files_is_not_asked_for_others() {
    assert_eq!(from_arguments(&["--cppc-full-every=3"]).full_every, 3);
    assert_eq!(from_arguments(&["--cppc-full-every=1", "--cppc-writer=hdf5"]).full_every, 1);
    assert_eq!(
        error(&["--cppc-full-every=3"], &[("CPPC_WRITER", "hdf5")]),
        "`full-every` is 3, and the writer `hdf5` writes full state files only: set `full-every` to 1, or `writer` to \
         `binary`"
    );
}

#[test]
fn an_unknown_setting_gets_a_suggestion() {
    assert_eq!(
        error(&["--cppc-evry=3"], &[]),
        "unknown setting `evry` on the command line: did you mean `every`?"
    );
    assert_eq!(
        error(&[], &[("CPPC_COMPRES", "none")]),
        "unknown setting `CPPC_COMPRES` in the environment: did you mean `CPPC_COMPRESS`?"
    );
    let message = error(&["-CPPC,CPPC/Controller/Frequenzy=3"], &[]);
    assert!(message.ends_with("did you mean `CPPC/Controller/Frequency`?"), "{message}");
    assert_eq!(error(&["--cppc-qqqq=3"], &[]), "unknown setting `qqqq` on the command line");
    let directory = scratch("unknown", "evry = 2");
    let message = gather(&[], &[], &directory).0.unwrap_err().to_string();
    assert!(message.contains("unknown setting `evry` in `") && message.contains("cppc.toml"), "{message}");
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn the_wrappers_variables_are_not_settings() {
    let environment = [("CPPC_CC", "mpicc"), ("CPPC_FC", "mpif90"), ("CPPC_PP_FLAGS", "-v")];
    assert!(gather(&[], &environment, nowhere()).0.is_ok());
}

#[test]
fn a_wrong_value_is_named_with_what_is_wanted() {
    for (argument, wanted) in [
        ("--cppc-every=-1", "expected a number, 0 or more"),
        ("--cppc-every=+1", "expected a number, 0 or more"),
        ("--cppc-every=1e3", "expected a number, 0 or more"),
        ("--cppc-every=99999999999999999999", "expected a number, 0 or more"),
        ("--cppc-keep=0", "expected a number, 1 or more"),
        ("--cppc-restart=maybe", "expected `auto`, `always`"),
        ("--cppc-compress=deflate:10", "expected `none`, `lz4`, `deflate`"),
        ("--cppc-compress=deflate:", "expected `none`, `lz4`, `deflate`"),
        ("--cppc-compress=lz4:1", "expected `none`, `lz4`, `deflate`"),
        ("--cppc-compress=zip", "expected `none`, `lz4`, `deflate`"),
        ("--cppc-compress-threads=-1", "expected a number, 0 or more"),
        ("--cppc-app=a/b", "expected a name without `/`"),
        ("--cppc-app=..", "expected a name without `/`"),
        ("--cppc-dir=", "expected a directory"),
        ("--cppc-delete=yes", "expected `true` or `false`"),
        ("--cppc-busy=no", "expected `wait` or `skip`"),
        ("--cppc-writer=net cdf", "expected `binary`"),
        ("--cppc-full-every=0", "expected a number, 1 or more"),
    ] {
        let message = error(&[argument], &[]);
        assert!(message.contains(wanted) && message.contains("on the command line"), "{argument}: {message}");
    }
    assert!(error(&["--cppc-every"], &[]).contains("`--cppc-every` on the command line has no value"));
    assert!(error(&["-CPPC,CPPC/Controller/Restart"], &[]).contains("has no value"));
    // Also if a source of higher priority has a valid value.
    assert!(error(&["--cppc-every=1"], &[("CPPC_EVERY", "x")]).contains("in the environment"));
}

#[test]
fn a_value_that_is_no_text_is_refused() {
    let mut arguments = vec!["heat".into(), OsString::from_vec(b"--cppc-dir=\xff".to_vec())];
    let error = Settings::gather(&mut arguments, [], nowhere()).unwrap_err();
    assert_eq!(error.to_string(), "the value of `dir` on the command line is not UTF-8 text");
    // The program's own arguments may be anything.
    let mut arguments = vec!["heat".into(), OsString::from_vec(b"\xff\xfe".to_vec())];
    Settings::gather(&mut arguments, [], nowhere()).unwrap();
    assert_eq!(arguments.len(), 2);
}

#[test]
fn a_file_that_is_wrong_is_named() {
    let directory = scratch("wrong", "every = [1]");
    let message = gather(&[], &[], &directory).0.unwrap_err().to_string();
    assert!(message.contains("`[1]` is not a valid value of `every` in `"), "{message}");
    std::fs::write(directory.join("cppc.toml"), "every = ").unwrap();
    let message = gather(&[], &[], &directory).0.unwrap_err().to_string();
    assert!(message.contains("cppc.toml` is not TOML"), "{message}");
    let message = gather(&["--cppc-config=none.toml"], &[], &directory).0.unwrap_err().to_string();
    assert!(message.contains("none.toml` cannot be read"), "{message}");
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn every_row_is_in_the_help_and_the_manual() {
    for row in TABLE {
        assert!(help().contains(&format!("--cppc-{} ", row.name)));
        assert!(markdown().contains(&format!("| `{}` | `{}` |", row.name, row.variable())));
    }
}

#[test]
fn settings_can_be_set_aside_before_they_are_read() {
    let words = [
        "app",
        "--cppc-every",
        "5",
        "x",
        "--cppc-keep=3",
        "-CPPC,CPPC/Controller/Restart=true",
        "--",
        "--cppc-dir=d",
    ];
    let mut arguments: Vec<OsString> = words.map(OsString::from).to_vec();
    let taken = Settings::set_aside(&mut arguments);
    assert_eq!(taken, ["app", "--cppc-every", "5", "--cppc-keep=3", "-CPPC,CPPC/Controller/Restart=true"]);
    assert_eq!(arguments, ["app", "x", "--", "--cppc-dir=d"]);
}

#[test]
fn writers_are_names_or_paths() {
    let writer = |value: &str| from_arguments(&["--cppc-writer", value]).writer;
    assert_eq!(writer("binary"), Writer::Binary);
    assert_eq!(writer("hdf5"), Writer::Plugin("hdf5".to_owned()));
    assert_eq!(writer("/opt/toy.so"), Writer::Plugin("/opt/toy.so".to_owned()));
    // Relative to the working directory, which the program may change.
    assert_eq!(writer("./toy.so"), Writer::Plugin(nowhere().join("./toy.so").display().to_string()));
    let original = from_arguments(&["-CPPC,CPPC/Writer/Type=HDF-5"]);
    assert_eq!(original.writer, Writer::Plugin("hdf5".to_owned()));
    assert!(error(&["--cppc-writer="], &[]).contains("expected `binary`"));
}

#[test]
fn a_settings_file_that_is_no_file_or_too_long_is_refused_at_once() {
    let directory = scratch("no-file", "");
    let path = directory.join("cppc.toml");
    let refused = |wanted: &str| {
        for named in [&[][..], &["--cppc-config=cppc.toml"]] {
            let message = gather(named, &[], &directory).0.unwrap_err().to_string();
            assert!(message.contains("cppc.toml` ") && message.contains(wanted), "{message}");
        }
        std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir(&path)).unwrap();
    };
    std::fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    refused("has 1099511627776 bytes: expected at most 1048576");
    std::fs::create_dir(&path).unwrap();
    refused("is a directory: expected a regular file");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    refused("is a pipe, a socket or a device: expected a regular file");
    std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
    refused("is a pipe, a socket or a device: expected a regular file");
    std::os::unix::fs::symlink("cppc.toml", &path).unwrap();
    refused("cannot be read");
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn a_settings_file_that_anybody_may_write_is_refused_unless_it_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let directory = scratch("anybody", "every = 3");
    let path = directory.join("cppc.toml");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o666)).unwrap();
    let message = gather(&[], &[], &directory).0.unwrap_err().to_string();
    assert!(message.contains("can be written by everybody: make it your own"), "{message}");
    let named = gather(&[], &[("CPPC_CONFIG", "cppc.toml")], &directory).0.unwrap();
    assert_eq!(named.every, 3);
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn code_that_others_may_write_is_not_loaded_on_the_word_of_a_file() {
    use std::os::unix::fs::PermissionsExt;
    let directory = scratch("code", "writer = \"./toy.so\"");
    let (path, writer) = (directory.join("cppc.toml"), directory.join("toy.so"));
    let mode =
        |path: &Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    let found = |environment: &[(&str, &str)]| {
        gather(&[], environment, &directory).0.map_err(|error| error.to_string())
    };
    std::fs::write(&writer, "").unwrap();
    mode(&path, 0o644);
    mode(&writer, 0o755);
    assert!(found(&[]).is_ok());
    mode(&writer, 0o775);
    let message = found(&[]).unwrap_err();
    assert!(message.contains("but that can be written by its group"), "{message}");
    mode(&path, 0o664);
    mode(&writer, 0o755);
    let message = found(&[]).unwrap_err();
    assert!(message.contains("but the settings file can be written by its group"), "{message}");
    assert!(found(&[("CPPC_WRITER", "./toy.so")]).is_ok(), "the user names it");
    assert!(found(&[("CPPC_CONFIG", "cppc.toml")]).is_ok(), "the user names the file");
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn state_has_no_place_when_the_working_directory_is_gone() {
    let message = gather(&[], &[], Path::new("")).0.unwrap_err().to_string();
    assert!(message.contains("set `dir` to an absolute path"), "{message}");
    assert!(gather(&["--cppc-dir=/tmp/x"], &[], Path::new("")).0.is_ok());
}

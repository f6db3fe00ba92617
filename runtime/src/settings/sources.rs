//! The sources of settings: command line, environment, file.
//!
//! Input: the raw sources.
//! Output: the settings, or the first error, with source, name and value.
//! Postcondition: the source with the highest priority determines each setting. The other sources were
//! checked too.

use super::table::{self, Row, TABLE};
use super::{trust, Compression, Interval, Settings, Writer};
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::OpenOptions;
use std::io::Read;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Why the settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    #[error("unknown setting `{name}` {source_text}{}", suggestion(.nearest))]
    Unknown { name: String, source_text: Source, nearest: Option<String> },
    #[error("`{value}` is not a valid value of `{name}` {source_text}: expected {expected}")]
    Invalid { name: String, value: String, source_text: Source, expected: String },
    #[error("`{name}` {source_text} has no value: expected {expected}")]
    Missing { name: String, source_text: Source, expected: String },
    #[error("the value of `{name}` {source_text} is not UTF-8 text")]
    NotText { name: String, source_text: Source },
    #[error("the settings file `{}` cannot be read: {source}", .path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("the settings file `{}` is {what}: expected a regular file", .path.display())]
    NoFile { path: PathBuf, what: &'static str },
    #[error("the settings file `{}` has {found} bytes: expected at most {MOST_BYTES}", .path.display())]
    TooLong { path: PathBuf, found: u64 },
    #[error(
        "the settings file `{}` {doubt}: make it your own (`cp`, `chown`, `chmod go-w`), remove it, or name it \
         with `--cppc-config` or `CPPC_CONFIG` if you trust it", .path.display()
    )]
    Untrusted { path: PathBuf, doubt: &'static str },
    #[error(
        "the settings file `{}` names the writer `{}`, which would run in this program, but {} {doubt}: \
         change that with `chmod go-w` or `chown`, or name the writer with `CPPC_WRITER` if you trust it",
        .path.display(), .writer.display(), if *.is_writer { "that" } else { "the settings file" }
    )]
    UntrustedWriter { path: PathBuf, writer: PathBuf, is_writer: bool, doubt: &'static str },
    #[error("the working directory cannot be found, from which `dir` (`{}`) counts: set `dir` to an absolute path", .dir.display())]
    NoWorkingDirectory { dir: PathBuf },
    #[error("`mirror` and `dir` are the same directory `{}`: set `mirror` to a directory on another disk", .dir.display())]
    MirrorOfItself { dir: PathBuf },
    #[error("the settings file `{}` is not TOML: {message}", .path.display())]
    NotToml { path: PathBuf, message: String },
    #[error("the program has no name to use for its state files: set `app`")]
    Nameless,
    #[error(
        "`compress` is `lz4`, which the writer `{writer}` does not have: set `compress` to `deflate` or `none`, \
         or `writer` to `binary`"
    )]
    NoSuchCodec { writer: String },
    #[error(
        "`full-every` is {full_every}, and the writer `{writer}` writes full state files only: set `full-every` to 1, \
         or `writer` to `binary`"
    )]
    FullOnly { full_every: u64, writer: String },
}

fn suggestion(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or(String::new(), |name| format!(": did you mean `{name}`?"))
}

/// The index of a task in a job array of Slurm.
const ARRAY_TASK: &str = "SLURM_ARRAY_TASK_ID";

/// The source of a setting, for messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    CommandLine,
    Environment,
    File(PathBuf),
}

impl fmt::Display for Source {
    fn fmt(&self, text: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Source::CommandLine => text.write_str("on the command line"),
            Source::Environment => text.write_str("in the environment"),
            Source::File(path) => write!(text, "in `{}`", path.display()),
        }
    }
}

/// Longer settings files are refused.
const MOST_BYTES: u64 = 1 << 20;

/// The option that names the settings file. It is not a setting itself.
const CONFIG: &str = "config";
const WRITER: &str = "writer";
const EVERY: &str = "every";
const INTERVAL: &str = "interval";

/// The value of one setting in one source.
struct SourceValue {
    row: &'static Row,
    value: String,
    source: Source,
}

pub(super) fn gather(
    arguments: &mut Vec<OsString>,
    environment: impl IntoIterator<Item = (OsString, OsString)>,
    directory: &Path,
) -> Result<Settings, SettingsError> {
    let mut config = None;
    let mut task = None;
    let environment = environment.into_iter().inspect(|(variable, value)| {
        if variable == ARRAY_TASK {
            task = Some(value.clone());
        }
    });
    let from_variables = from_environment(environment, &mut config)?;
    let (from_arguments, rest) = from_command_line(arguments, &mut config)?;
    let (from_file, file) = from_file(config, directory)?;

    let mut settings = table::defaults();
    if let Some(program) = arguments.first() {
        settings.app = program_name(program);
    }
    for setting in from_file.iter().chain(&from_variables).chain(&from_arguments) {
        apply(&mut settings, setting)?;
    }
    let is_named = |name: &str| {
        from_file.iter().chain(&from_variables).chain(&from_arguments).any(|setting| setting.row.name == name)
    };
    // A user who sets only `every` expects no dumps at other calls.
    if is_named(EVERY) && !is_named(INTERVAL) {
        settings.interval = Interval::None;
    }
    if !table::is_component(&settings.app) {
        return Err(SettingsError::Nameless);
    }
    settings.dir = directory.join(&settings.dir);
    if settings.dir.is_relative() {
        return Err(SettingsError::NoWorkingDirectory { dir: settings.dir });
    }
    if let Some(mirror) = &mut settings.mirror {
        *mirror = directory.join(&*mirror);
        if mirror.is_relative() {
            return Err(SettingsError::NoWorkingDirectory { dir: mirror.clone() });
        }
        if *mirror == settings.dir {
            return Err(SettingsError::MirrorOfItself { dir: mirror.clone() });
        }
    }
    // The tasks of an array have the same arguments, so one task could resume the run of another one.
    if let Some(task) = task.as_deref().and_then(OsStr::to_str).and_then(|task| task.parse::<u64>().ok()) {
        settings.dir.push(format!("task-{task}"));
        if let Some(mirror) = &mut settings.mirror {
            mirror.push(format!("task-{task}"));
        }
        settings.is_task_of_array = true;
    }
    if let Writer::Plugin(wanted) = &mut settings.writer {
        if settings.compress == Compression::Lz4 {
            // The interface of shared objects supports only deflate.
            return Err(SettingsError::NoSuchCodec { writer: wanted.clone() });
        }
        if settings.full_every > 1 {
            // Each file of such a writer must be a full state file.
            return Err(SettingsError::FullOnly { full_every: settings.full_every, writer: wanted.clone() });
        }
        if wanted.contains('/') {
            *wanted = directory.join(&*wanted).to_string_lossy().into_owned();
            let is_named_elsewhere =
                |values: &[SourceValue]| values.iter().any(|setting| setting.row.name == WRITER);
            if let (false, false, Some((path, doubt))) =
                (is_named_elsewhere(&from_variables), is_named_elsewhere(&from_arguments), &file)
            {
                check_writer(path, *doubt, Path::new(wanted))?;
            }
        }
    }
    *arguments = rest;
    Ok(settings)
}

fn program_name(program: &OsStr) -> String {
    let name = Path::new(program).file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn apply(settings: &mut Settings, setting: &SourceValue) -> Result<(), SettingsError> {
    if (setting.row.set)(settings, &setting.value) {
        return Ok(());
    }
    Err(SettingsError::Invalid {
        name: setting.row.name.to_owned(),
        value: setting.value.clone(),
        source_text: setting.source.clone(),
        expected: setting.row.form.to_owned(),
    })
}

type Config = Option<(PathBuf, Source)>;

/// The settings on the command line, and the remaining arguments for the program.
fn from_command_line(
    arguments: &[OsString],
    config: &mut Config,
) -> Result<(Vec<SourceValue>, Vec<OsString>), SettingsError> {
    let mut values = Vec::new();
    let mut rest = Vec::new();
    let mut left = arguments.iter();
    rest.extend(left.next().cloned());
    while let Some(argument) = left.next() {
        let bytes = argument.as_bytes();
        if bytes == b"--" {
            rest.push(argument.clone());
            rest.extend(left.by_ref().cloned());
        } else if let Some(list) = bytes.strip_prefix(b"-CPPC,") {
            from_original(list, &mut values)?;
        } else if let Some(option) = bytes.strip_prefix(b"--cppc-") {
            let (name, value) = match option.iter().position(|&byte| byte == b'=') {
                Some(at) => (text(&option[..at]), Some(option[at + 1..].to_vec())),
                None => (text(option), None),
            };
            let row = if name == CONFIG { None } else { Some(by_name(&name, &Source::CommandLine)?) };
            let value = match value.or_else(|| left.next().map(|next| next.as_bytes().to_vec())) {
                Some(value) => value,
                None => return Err(missing(&name, row)),
            };
            match row {
                None => *config = Some((PathBuf::from(OsString::from_vec(value)), Source::CommandLine)),
                Some(row) => values.push(source_value(row, value, Source::CommandLine)?),
            }
        } else {
            rest.push(argument.clone());
        }
    }
    Ok((values, rest))
}

/// See `Settings::set_aside`. Errors in the arguments are reported when they are read.
pub(super) fn set_aside(arguments: &mut Vec<OsString>) -> Vec<OsString> {
    let mut words = std::mem::take(arguments).into_iter();
    let program = words.next();
    let mut taken: Vec<OsString> = program.iter().cloned().collect();
    arguments.extend(program);
    while let Some(word) = words.next() {
        let bytes = word.as_bytes();
        if bytes == b"--" {
            arguments.push(word);
            arguments.extend(words.by_ref());
        } else if bytes.starts_with(b"-CPPC,") {
            taken.push(word);
        } else if bytes.starts_with(b"--cppc-") {
            let is_whole = bytes.contains(&b'=');
            taken.push(word);
            taken.extend(if is_whole { None } else { words.next() });
        } else {
            arguments.push(word);
        }
    }
    taken
}

fn source_value(row: &'static Row, value: Vec<u8>, source: Source) -> Result<SourceValue, SettingsError> {
    match String::from_utf8(value) {
        Ok(value) => Ok(SourceValue { row, value, source }),
        Err(_) => Err(SettingsError::NotText { name: row.name.to_owned(), source_text: source }),
    }
}

fn missing(name: &str, row: Option<&Row>) -> SettingsError {
    SettingsError::Missing {
        name: format!("--cppc-{name}"),
        source_text: Source::CommandLine,
        expected: row.map_or("a file", |row| row.form).to_owned(),
    }
}

/// The form of the original CPPC: `-CPPC,CPPC/Controller/Restart=true,…`.
fn from_original(list: &[u8], values: &mut Vec<SourceValue>) -> Result<(), SettingsError> {
    let list = text(list);
    let mut zlib = false;
    let mut level = None;
    for item in list.split(',').filter(|item| !item.is_empty()) {
        let (name, value) = item.split_once('=').ok_or_else(|| SettingsError::Missing {
            name: item.to_owned(),
            source_text: Source::CommandLine,
            expected: "`NAME=VALUE`".to_owned(),
        })?;
        let short = name.strip_prefix("CPPC/").unwrap_or(name);
        let value = value.to_owned();
        match (short, value.as_str()) {
            // The original CPPC has separate settings for the method and the level.
            ("Writer/HDF-5/CompressionLevel", _) => level = Some(value),
            ("Writer/HDF-5/Compression", "ZLib") => zlib = true,
            _ => {
                let value = if value == "None" { "none".to_owned() } else { value };
                let row = by_original(short, name)?;
                values.push(SourceValue { row, value, source: Source::CommandLine });
            }
        }
    }
    // A level without a method has no effect.
    if zlib {
        let level = level.unwrap_or_else(|| "1".to_owned());
        let value = if level == "0" { "none".to_owned() } else { format!("deflate:{level}") };
        values.push(SourceValue {
            row: by_name("compress", &Source::CommandLine)?,
            value,
            source: Source::CommandLine,
        });
    }
    Ok(())
}

fn from_environment(
    environment: impl IntoIterator<Item = (OsString, OsString)>,
    config: &mut Config,
) -> Result<Vec<SourceValue>, SettingsError> {
    let mut values = Vec::new();
    for (variable, value) in environment {
        let Some(name) = variable.as_bytes().strip_prefix(b"CPPC_") else { continue };
        let name = text(name);
        if cppc_abi::environment::is_ignored(&format!("CPPC_{name}")) {
            continue;
        }
        if name == "CONFIG" {
            *config = Some((PathBuf::from(value), Source::Environment));
            continue;
        }
        let row =
            TABLE.iter().find(|row| row.variable()[5..] == name).ok_or_else(|| SettingsError::Unknown {
                nearest: nearest(&name, TABLE.iter().map(|row| row.variable()[5..].to_owned()))
                    .map(|near| format!("CPPC_{near}")),
                name: format!("CPPC_{name}"),
                source_text: Source::Environment,
            })?;
        values.push(source_value(row, value.into_vec(), Source::Environment)?);
    }
    Ok(values)
}

/// A settings file that the user did not name, and why it must not name a writer.
type DefaultFile = Option<(PathBuf, Option<&'static str>)>;

/// Checks a shared object that a settings file names: no other user may have written either of the two.
fn check_writer(path: &Path, doubt: Option<&'static str>, writer: &Path) -> Result<(), SettingsError> {
    let refused = |doubt, is_writer| {
        Err(SettingsError::UntrustedWriter {
            path: path.to_owned(),
            writer: writer.to_owned(),
            is_writer,
            doubt,
        })
    };
    if let Some(doubt) = doubt {
        return refused(doubt, false);
    }
    // If the file does not exist, that is reported when it is loaded.
    match std::fs::metadata(writer).ok().and_then(|found| trust::doubt_of_code(&found)) {
        Some(doubt) => refused(doubt, true),
        None => Ok(()),
    }
}

/// The settings of the file. A file that the user named must exist, and is trusted. The default file need not
/// exist, and must belong to the user.
fn from_file(config: Config, directory: &Path) -> Result<(Vec<SourceValue>, DefaultFile), SettingsError> {
    let (path, named) = match config {
        Some((path, _)) => (directory.join(path), true),
        None => (directory.join("cppc.toml"), false),
    };
    let unreadable = |source| SettingsError::Unreadable { path: path.clone(), source };
    // Opening a pipe must not block.
    let opened = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(&path);
    let file = match opened {
        Ok(file) => file,
        Err(error) if !named && error.kind() == std::io::ErrorKind::NotFound => {
            return Ok((Vec::new(), None))
        }
        Err(source) => return Err(unreadable(source)),
    };
    let metadata = file.metadata().map_err(unreadable)?;
    if !metadata.is_file() {
        let what = if metadata.is_dir() { "a directory" } else { "a pipe, a socket or a device" };
        return Err(SettingsError::NoFile { path, what });
    }
    if metadata.len() > MOST_BYTES {
        return Err(SettingsError::TooLong { path, found: metadata.len() });
    }
    if let Some(doubt) = trust::doubt(&metadata).filter(|_| !named) {
        return Err(SettingsError::Untrusted { path, doubt });
    }
    let mut content = String::new();
    file.take(MOST_BYTES).read_to_string(&mut content).map_err(unreadable)?;
    let content: toml::Table = content.parse().map_err(|error: toml::de::Error| SettingsError::NotToml {
        path: path.clone(),
        message: error.message().to_owned(),
    })?;
    let source = Source::File(path);
    let mut values = Vec::new();
    for (name, value) in content {
        let row = by_name(&name, &source)?;
        let value = match value {
            toml::Value::String(value) => value,
            toml::Value::Integer(value) => value.to_string(),
            toml::Value::Boolean(value) => value.to_string(),
            other => {
                return Err(SettingsError::Invalid {
                    name,
                    value: other.to_string(),
                    source_text: source,
                    expected: row.form.to_owned(),
                })
            }
        };
        values.push(SourceValue { row, value, source: source.clone() });
    }
    let found = match source {
        Source::File(path) if !named => Some((path, trust::doubt_of_code(&metadata))),
        _ => None,
    };
    Ok((values, found))
}

fn by_name(name: &str, source: &Source) -> Result<&'static Row, SettingsError> {
    TABLE.iter().find(|row| row.name == name).ok_or_else(|| SettingsError::Unknown {
        nearest: nearest(name, TABLE.iter().map(|row| row.name.to_owned())),
        name: name.to_owned(),
        source_text: source.clone(),
    })
}

fn by_original(short: &str, full: &str) -> Result<&'static Row, SettingsError> {
    TABLE.iter().find(|row| row.original == Some(short)).ok_or_else(|| SettingsError::Unknown {
        nearest: nearest(short, TABLE.iter().filter_map(|row| row.original).map(str::to_owned))
            .map(|near| format!("CPPC/{near}")),
        name: full.to_owned(),
        source_text: Source::CommandLine,
    })
}

fn nearest(name: &str, known: impl Iterator<Item = String>) -> Option<String> {
    known
        .map(|candidate| (strsim::jaro_winkler(name, &candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

//! The table of settings, from which the parser, the help text and the manual are made.
//!
//! Input: the name of a setting, and a value as text.
//! Output: the field of `Settings`.
//! Postcondition: the table contains each setting once.

use super::duration;
use super::{Busy, Check, Compression, Identity, Interval, Log, OnSignal, Restart, Settings, Writer};
use std::path::PathBuf;
use std::time::Duration;

/// One setting.
pub struct Row {
    /// `--cppc-NAME`, `CPPC_NAME` in capitals with underscores, `NAME` in the file.
    pub name: &'static str,
    /// The name in the original CPPC, without the leading `CPPC/`.
    pub original: Option<&'static str>,
    /// The form of a value.
    pub form: &'static str,
    pub default: &'static str,
    pub meaning: &'static str,
    /// The value as text, if all processes must have the same.
    pub common: Option<fn(&Settings) -> String>,
    /// Stores the value. Returns false if it is invalid.
    pub(super) set: fn(&mut Settings, &str) -> bool,
}

impl Row {
    pub fn variable(&self) -> String {
        format!("CPPC_{}", self.name.replace('-', "_").to_ascii_uppercase())
    }
}

pub const TABLE: &[Row] = &[
    Row {
        name: "dir",
        original: Some("Controller/RootDir"),
        form: "a directory",
        default: "cppc-state",
        meaning: "directory of the state files, relative to the working directory",
        common: None,
        set: |settings, value| {
            settings.dir = PathBuf::from(value);
            !value.is_empty() && !value.contains('\0')
        },
    },
    Row {
        name: "mirror",
        original: None,
        form: "a directory, or `none`",
        default: "none",
        meaning: "second directory, to which complete recovery lines are copied in the background; \
                a start reads from it what is missing or damaged in `dir`",
        common: Some(|settings| if settings.mirror.is_some() { "a directory" } else { "none" }.to_owned()),
        set: |settings, value| {
            settings.mirror = (value != "none").then(|| PathBuf::from(value));
            !value.is_empty() && !value.contains('\0')
        },
    },
    Row {
        name: "app",
        original: Some("Controller/ApplicationName"),
        form: "a name without `/`",
        default: "the program's file name",
        meaning: "name of the application, and of its subdirectory in `dir`",
        common: Some(|settings| settings.app.clone()),
        set: |settings, value| {
            settings.app = value.to_owned();
            is_component(value)
        },
    },
    Row {
        name: "every",
        original: Some("Controller/Frequency"),
        form: "a number, 0 or more",
        default: "0",
        meaning: "state is written at every N-th checkpoint call; 0: not by number; without `interval`: never",
        common: Some(|settings| settings.every.to_string()),
        set: |settings, value| number(value, 0, &mut settings.every),
    },
    Row {
        name: "interval",
        original: None,
        form: "a time such as `90s`, `15min` or `2h`, `auto`, or `none`",
        default: "`auto`, or `none` if `every` is set",
        meaning: "state is written after this time; `auto`: after a time that depends on the cost and on `mtbf`",
        common: Some(|settings| format!("{:?}", settings.interval).to_lowercase()),
        set: |settings, value| {
            settings.interval = match (value, positive_time(value)) {
                ("auto", _) => Interval::Auto,
                ("none", _) => Interval::None,
                (_, Some(time)) => Interval::Fixed(time),
                (_, None) => return false,
            };
            true
        },
    },
    Row {
        name: "mtbf",
        original: None,
        form: "a time such as `24h`, or `none`",
        default: "none",
        meaning: "mean time between two failures of the run; it determines `interval = auto`",
        common: Some(|settings| format!("{:?}", settings.mtbf).to_lowercase()),
        set: |settings, value| {
            settings.mtbf = positive_time(value);
            settings.mtbf.is_some() || value == "none"
        },
    },
    Row {
        name: "on-sigusr1",
        original: None,
        form: "`checkpoint`, `end` or `default`",
        default: "checkpoint",
        meaning: "after SIGUSR1: write state; write state and end; or as without CPPC",
        common: None,
        set: |settings, value| on_signal(value, &mut settings.on_sigusr1),
    },
    Row {
        name: "on-sigterm",
        original: None,
        form: "`checkpoint`, `end` or `default`",
        default: "default",
        meaning: "the same for SIGTERM; a second SIGTERM ends the process at once",
        common: None,
        set: |settings, value| on_signal(value, &mut settings.on_sigterm),
    },
    Row {
        name: "first-touch",
        original: Some("Controller/CheckpointOnFirstTouch"),
        form: "`true` or `false`",
        default: "false",
        meaning: "also write state when a checkpoint is reached for the first time",
        common: Some(|settings| settings.first_touch.to_string()),
        set: |settings, value| truth(value, &mut settings.first_touch),
    },
    Row {
        name: "restart",
        original: Some("Controller/Restart"),
        form: "`auto`, `always` (or `true`) or `never` (or `false`)",
        default: "auto",
        meaning: "`auto`: resume an unfinished run if there is one; `always`: resume the newest state, even if finished; stop without state; `never`: start from the beginning",
        common: Some(|settings| format!("{:?}", settings.restart).to_lowercase()),
        set: |settings, value| {
            let choice = match value {
                "auto" => Restart::Auto,
                "always" | "true" => Restart::Always,
                "never" | "false" => Restart::Never,
                _ => return false,
            };
            settings.restart = choice;
            true
        },
    },
    Row {
        name: "keep",
        original: Some("Controller/StoredRecoverySets"),
        form: "a number, 1 or more",
        default: "2",
        meaning: "number of complete recovery lines that are kept",
        common: Some(|settings| settings.keep.to_string()),
        set: |settings, value| number(value, 1, &mut settings.keep),
    },
    Row {
        name: "delete",
        original: Some("Controller/DeleteCheckpoints"),
        form: "`true` or `false`",
        default: "true",
        meaning: "remove the state files after a successful shutdown",
        common: Some(|settings| settings.delete.to_string()),
        set: |settings, value| truth(value, &mut settings.delete),
    },
    Row {
        name: "full-every",
        original: Some("Controller/FullFrequency"),
        form: "a number, 1 or more",
        default: "1",
        meaning: "every N-th state file is full; the others contain only what has changed; 1: all are full",
        common: None,
        set: |settings, value| number(value, 1, &mut settings.full_every),
    },
    Row {
        name: "writer",
        original: Some("Writer/Type"),
        form: "`binary`, `hdf5`, the name of another writer, or the path of one with a `/`",
        default: "binary",
        meaning: "format of new state files; a run can resume from every format",
        common: None,
        set: |settings, value| match writer(value) {
            Some(choice) => {
                settings.writer = choice;
                true
            }
            None => false,
        },
    },
    Row {
        name: "compress",
        original: Some("Writer/HDF-5/Compression"),
        form: "`none`, `lz4`, `deflate` or `deflate:LEVEL` with a level from 1 to 9",
        default: "none",
        meaning: "compression of the content of state files; `lz4` is faster, and works only with the writer `binary`",
        common: None,
        set: |settings, value| match compression(value) {
            Some(choice) => {
                settings.compress = choice;
                true
            }
            None => false,
        },
    },
    Row {
        name: "compress-min",
        original: Some("Writer/HDF-5/MinimumSize"),
        form: "a number, 0 or more",
        default: "1024",
        meaning: "memory with fewer elements is not compressed",
        common: None,
        set: |settings, value| number(value, 0, &mut settings.compress_min),
    },
    Row {
        name: "compress-threads",
        original: None,
        form: "a number, 0 or more",
        default: "1",
        meaning: "number of threads that compress, with the writer `binary`; 0: one for each processor that the process may use",
        common: None,
        set: |settings, value| number(value, 0, &mut settings.compress_threads),
    },
    Row {
        name: "async",
        original: None,
        form: "`true` or `false`",
        default: "true",
        meaning: "copy memory at the checkpoint and write the copy in the background; this needs the same amount of memory again",
        common: None,
        set: |settings, value| truth(value, &mut settings.asynchronous),
    },
    Row {
        name: "busy",
        original: None,
        form: "`wait` or `skip`",
        default: "wait",
        meaning: "if the previous state file is still being written: wait, or skip the next one. \
                `skip` makes all processes communicate before each state file",
        common: Some(|settings| format!("{:?}", settings.busy).to_lowercase()),
        set: |settings, value| {
            let choice = match value {
                "wait" => Busy::Wait,
                "skip" => Busy::Skip,
                _ => return false,
            };
            settings.busy = choice;
            true
        },
    },
    Row {
        name: "patience",
        original: None,
        form: "a time such as `90s` or `15min`, or `none`",
        default: "10min",
        meaning: "a process that has waited so long for others at a checkpoint continues, and no more state is written in this \
                attempt; `none`: no limit",
        common: Some(|settings| format!("{:?}", settings.patience).to_lowercase()),
        set: |settings, value| {
            settings.patience = positive_time(value);
            settings.patience.is_some() || value == "none"
        },
    },
    Row {
        name: "identity",
        original: None,
        form: "`arguments`, `strict` or `none`",
        default: "arguments",
        meaning: "what must be unchanged to resume a run: the arguments and the `inputs`; these and the executable; or nothing. \
                Other differences are reported",
        common: Some(|settings| format!("{:?}", settings.identity).to_lowercase()),
        set: |settings, value| {
            let choice = match value {
                "arguments" => Identity::Arguments,
                "strict" => Identity::Strict,
                "none" => Identity::None,
                _ => return false,
            };
            settings.identity = choice;
            true
        },
    },
    Row {
        name: "inputs",
        original: None,
        form: "names of files, with `:` between them",
        default: "no files",
        meaning: "files whose content must be unchanged to resume a run; rank 0 reads them at each start",
        common: Some(|settings| settings.inputs.join(":")),
        set: |settings, value| {
            settings.inputs = value.split(':').map(str::to_owned).collect();
            !value.contains('\0') && !settings.inputs.iter().any(String::is_empty)
        },
    },
    Row {
        name: "lock",
        original: None,
        form: "`true` or `false`",
        default: "true",
        meaning: "refuse a second start in the directory of a live run; use `false` only where locks cannot work",
        common: Some(|settings| settings.lock.to_string()),
        set: |settings, value| truth(value, &mut settings.lock),
    },
    Row {
        name: "lock-lease",
        original: None,
        form: "a number, 1 or more",
        default: "60",
        meaning: "seconds without a heartbeat after which the lock of a process on another host is taken over",
        common: None,
        set: |settings, value| number(value, 1, &mut settings.lock_lease),
    },
    Row {
        name: "check",
        original: None,
        form: "`messages`, `none` or `live`",
        default: "`messages` if the program is linked with `--cppc-check=messages`, otherwise `none`",
        meaning: "`messages`: checkpoints report messages in transit and are skipped then; other values are for `cppc-cc`",
        common: Some(|settings| format!("{:?}", settings.check).to_lowercase()),
        set: |settings, value| {
            // The variable may have other values for `cppc-cc`.
            settings.check = match value {
                "messages" | "live,messages" | "messages,live" | "none,messages" | "messages,none" => Check::Messages,
                "none" => Check::None,
                "live" => Check::Unset,
                _ => return false,
            };
            true
        },
    },
    Row {
        name: "kill-after",
        original: None,
        form: "a number, 0 or more",
        default: "0",
        meaning: "for `cppc rehearse`: all processes kill themselves when this recovery line is complete; 0: never",
        common: Some(|settings| settings.kill_after.to_string()),
        set: |settings, value| number(value, 0, &mut settings.kill_after),
    },
    Row {
        name: "log",
        original: None,
        form: "`quiet`, `restart`, `info` or `debug`",
        default: "restart",
        meaning: "what is reported on standard error; failures and refusals are always reported",
        common: None,
        set: |settings, value| {
            let choice = match value {
                "quiet" => Log::Quiet,
                "restart" => Log::Restart,
                "info" => Log::Info,
                "debug" => Log::Debug,
                _ => return false,
            };
            settings.log = choice;
            true
        },
    },
];

/// The defaults of all settings.
pub(super) fn defaults() -> Settings {
    Settings {
        dir: PathBuf::from("cppc-state"),
        mirror: None,
        is_task_of_array: false,
        app: String::new(),
        every: 0,
        interval: Interval::Unset,
        mtbf: None,
        on_sigusr1: OnSignal::Checkpoint,
        on_sigterm: OnSignal::Default,
        first_touch: false,
        restart: Restart::Auto,
        keep: 2,
        delete: true,
        full_every: 1,
        writer: Writer::Binary,
        compress: Compression::None,
        compress_min: 1024,
        compress_threads: 1,
        asynchronous: true,
        busy: Busy::Wait,
        patience: Some(Duration::from_secs(600)),
        identity: Identity::Arguments,
        inputs: Vec::new(),
        lock: true,
        lock_lease: 60,
        check: Check::Unset,
        kill_after: 0,
        log: Log::Restart,
    }
}

/// The settings as help text, one paragraph each.
pub fn help() -> String {
    let mut text = String::new();
    for row in TABLE {
        text.push_str(&format!("  --cppc-{} VALUE\n", row.name));
        text.push_str(&format!("      {}\n", row.meaning));
        text.push_str(&format!("      {}; default: {}\n", row.form, row.default));
    }
    text
}

/// The settings as a table in Markdown, for the manual.
pub fn markdown() -> String {
    let mut text = String::from(
        "| setting | variable | the original's name | value | default | same on all processes | meaning |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for row in TABLE {
        text.push_str(&format!(
            "| `{}` | `{}` | {} | {} | {} | {} | {} |\n",
            row.name,
            row.variable(),
            row.original.unwrap_or(""),
            row.form,
            row.default,
            if row.common.is_some() { "yes" } else { "" },
            row.meaning
        ));
    }
    text
}

/// Whether the name can be that of one file or directory.
pub(crate) fn is_component(name: &str) -> bool {
    !name.is_empty() && name != "." && name != ".." && name.len() <= 200 && !name.contains(['/', '\0'])
}

fn number(value: &str, least: u64, place: &mut u64) -> bool {
    // `parse` would accept a sign.
    let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    match value.parse() {
        Ok(number) if digits && number >= least => {
            *place = number;
            true
        }
        _ => false,
    }
}

fn positive_time(value: &str) -> Option<Duration> {
    duration::parse(value).ok().filter(|time| !time.is_zero())
}

fn on_signal(value: &str, place: &mut OnSignal) -> bool {
    *place = match value {
        "checkpoint" => OnSignal::Checkpoint,
        "end" => OnSignal::End,
        "default" => OnSignal::Default,
        _ => return false,
    };
    true
}

fn truth(value: &str, place: &mut bool) -> bool {
    *place = match value {
        "true" => true,
        "false" => false,
        _ => return false,
    };
    true
}

fn writer(value: &str) -> Option<Writer> {
    let is_path = value.contains('/') && !value.ends_with('/') && !value.contains('\0');
    let is_name = !value.is_empty()
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
    match value {
        "binary" => Some(Writer::Binary),
        // The name in the original CPPC.
        "HDF-5" => Some(Writer::Plugin("hdf5".to_owned())),
        _ => (is_path || is_name).then(|| Writer::Plugin(value.to_owned())),
    }
}

/// The value of the setting `compress`; none if it is invalid.
pub fn compression(value: &str) -> Option<Compression> {
    match value.split_once(':') {
        None if value == "none" => Some(Compression::None),
        None if value == "lz4" => Some(Compression::Lz4),
        None if value == "deflate" => Some(Compression::Deflate(1)),
        Some(("deflate", level)) => {
            let mut chosen = 0;
            (number(level, 1, &mut chosen) && chosen <= 9).then_some(Compression::Deflate(chosen as u32))
        }
        _ => None,
    }
}

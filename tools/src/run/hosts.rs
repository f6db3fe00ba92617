//! The hosts of a launcher, and commands without those that have failed.
//!
//! Input: the command of `cppc run`, and the answers of the hosts.
//! Output: the command of the next attempt.
//! Postcondition: only options of the launcher are changed. If no host answers, all hosts are used.

use super::slurm;
use anyhow::{bail, Context, Result};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tempfile::NamedTempFile;

pub use super::host_check::Check;

/// Where a command names its hosts.
#[derive(Debug)]
pub struct Hosts {
    options: Vec<HostOption>,
    check: Check,
    /// Those that the next attempt does not use.
    excluded: BTreeSet<String>,
    /// The files without excluded hosts, while a launcher may read them.
    files: Vec<NamedTempFile>,
}

/// The position is that of a word of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HostOption {
    /// A list of hosts, separated by commas.
    List(usize),
    /// The name of a file with a host in each line.
    File(usize),
    /// `srun`: an option is added after this word.
    Slurm(usize),
}

const LAUNCHERS: [&str; 12] = [
    "mpirun",
    "mpiexec",
    "orterun",
    "prterun",
    "mpirun.openmpi",
    "mpiexec.openmpi",
    "mpirun.mpich",
    "mpiexec.mpich",
    "mpiexec.hydra",
    "mpirun.hydra",
    "mpiexec.gforker",
    "srun",
];
const LIST_OPTIONS: [&str; 5] = ["--host", "-host", "-H", "-hosts", "--hosts"];
const FILE_OPTIONS: [&str; 7] = [
    "--hostfile",
    "-hostfile",
    "--machinefile",
    "-machinefile",
    "--default-hostfile",
    "-default-hostfile",
    "-f",
];

impl Hosts {
    /// Finds the hosts of a command.
    ///
    /// # Errors
    /// The user wants the hosts to be checked, and the command names none.
    pub fn find(command: &[OsString], check: Option<&str>, is_in_job: bool) -> Result<Hosts> {
        let words: Vec<String> = command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let mut options = find_options(&words, is_executable);
        options.retain(|option| is_in_job || !matches!(option, HostOption::Slurm(_)));
        if options.is_empty() && check.is_some() {
            bail!(
                "`--host-check` has no effect: hosts are found in `srun` of a Slurm job, and in the options of \
                 `mpirun` such as `--host` and `--hostfile`, which must come before the program"
            );
        }
        let is_slurm = matches!(options.first(), Some(HostOption::Slurm(_)));
        let check = match check {
            Some(line) => Check::Shell(line.to_owned()),
            None if is_slurm => Check::Slurm,
            None => Check::Login,
        };
        Ok(Hosts { options, check, excluded: BTreeSet::new(), files: Vec::new() })
    }

    /// Asks all hosts. Returns those that are excluded from the next attempt, if they are others than before.
    ///
    /// # Errors
    /// The hosts are not known.
    pub fn look(&mut self, command: &[OsString]) -> Result<Option<&BTreeSet<String>>> {
        if self.options.is_empty() {
            return Ok(None);
        }
        let hosts = self.names(command)?;
        let mut failed = self.check.failed(&hosts)?;
        if failed.len() == hosts.len() {
            // The cause is probably this machine or the network.
            failed.clear();
        }
        let is_new = failed != self.excluded;
        self.excluded = failed;
        Ok(is_new.then_some(&self.excluded))
    }

    /// The command without the excluded hosts.
    ///
    /// # Errors
    /// A list of hosts cannot be read or written.
    pub fn command(&mut self, command: &[OsString]) -> Result<Vec<OsString>> {
        let mut words = command.to_vec();
        self.files.clear();
        if self.excluded.is_empty() {
            return Ok(words);
        }
        // From the end, because words are added.
        for option in self.options.iter().rev() {
            match *option {
                HostOption::List(index) => {
                    let list = words[index].to_string_lossy().into_owned();
                    words[index] = without(&list, &self.excluded).into();
                }
                HostOption::File(index) => {
                    let file = shortened(Path::new(&words[index]), &self.excluded)?;
                    words[index] = file.path().into();
                    self.files.push(file);
                }
                HostOption::Slurm(index) => {
                    let all: Vec<&str> = self.excluded.iter().map(String::as_str).collect();
                    let has_count = has_node_count(&words[index + 1..], is_executable);
                    words.insert(index + 1, format!("--exclude={}", all.join(",")).into());
                    if !has_count {
                        let nodes = slurm::nodes()?;
                        let left = nodes.iter().filter(|node| !self.excluded.contains(*node)).count();
                        words.insert(index + 1, format!("--nodes={left}").into());
                    }
                }
            }
        }
        Ok(words)
    }

    fn names(&self, command: &[OsString]) -> Result<BTreeSet<String>> {
        let mut names = BTreeSet::new();
        for option in &self.options {
            match *option {
                HostOption::List(index) => {
                    let list = command[index].to_string_lossy();
                    names.extend(list.split(',').map(|item| host_of(item).to_owned()));
                }
                HostOption::File(index) => {
                    let text = read(Path::new(&command[index]))?;
                    names.extend(text.lines().filter_map(host_of_line).map(str::to_owned));
                }
                HostOption::Slurm(_) => names.extend(slurm::nodes()?),
            }
        }
        names.remove("");
        Ok(names)
    }
}

/// The options of the launcher: they are before the program, which is the first word that can be executed.
fn find_options(words: &[String], is_executable: impl Fn(&str) -> bool) -> Vec<HostOption> {
    let name = |word: &String| Path::new(word).file_name().map(|name| name.to_string_lossy().into_owned());
    let is_launcher = |word: &String| name(word).is_some_and(|name| LAUNCHERS.contains(&name.as_str()));
    let Some(launcher) = words.iter().position(is_launcher) else { return Vec::new() };
    if name(&words[launcher]).is_some_and(|name| name == "srun") {
        return vec![HostOption::Slurm(launcher)];
    }
    let mut options = Vec::new();
    let mut in_options = true;
    let mut index = launcher + 1;
    while let Some(word) = words.get(index) {
        let has_value = index + 1 < words.len();
        if word == ":" {
            in_options = true;
        } else if in_options && has_value && LIST_OPTIONS.contains(&word.as_str()) {
            index += 1;
            options.push(HostOption::List(index));
        } else if in_options && has_value && FILE_OPTIONS.contains(&word.as_str()) {
            index += 1;
            options.push(HostOption::File(index));
        } else if !word.starts_with('-') && is_executable(word) {
            in_options = false;
        }
        index += 1;
    }
    options
}

fn is_executable(word: &str) -> bool {
    let is_program = |path: &Path| {
        path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    };
    if word.contains('/') {
        return is_program(Path::new(word));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    is_program(Path::new(word)) || std::env::split_paths(&path).any(|part| is_program(&part.join(word)))
}

/// `srun` takes the number of nodes of the job, if its options do not name one. They are before the program.
fn has_node_count(words: &[OsString], is_executable: impl Fn(&str) -> bool) -> bool {
    let words = words.iter().map(|word| word.to_string_lossy());
    let mut options = words.take_while(|word| word.starts_with('-') || !is_executable(word));
    options.any(|word| word.starts_with("-N") || word == "--nodes" || word.starts_with("--nodes="))
}

/// The name in `name:slots`.
fn host_of(item: &str) -> &str {
    item.trim().split(':').next().unwrap_or_default()
}

/// The name in a line of a file. Lines that exclude hosts or name them by their position have none.
fn host_of_line(line: &str) -> Option<&str> {
    let line = line.split('#').next().unwrap_or_default();
    line.split_whitespace().next().map(host_of).filter(|name| !name.starts_with(['^', '+']))
}

fn without(list: &str, excluded: &BTreeSet<String>) -> String {
    let left: Vec<&str> = list.split(',').filter(|item| !excluded.contains(host_of(item))).collect();
    left.join(",")
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read the hosts in `{}`", path.display()))
}

/// A copy of a file without the lines of excluded hosts.
fn shortened(path: &Path, excluded: &BTreeSet<String>) -> Result<NamedTempFile> {
    let text = read(path)?;
    let is_left = |line: &&str| host_of_line(line).is_none_or(|host| !excluded.contains(host));
    let mut file = tempfile::Builder::new().prefix("cppc-hosts-").tempfile()?;
    for line in text.lines().filter(is_left) {
        writeln!(file, "{line}")?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(line: &str) -> Vec<HostOption> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        find_options(&words, |word| word == "./heat")
    }

    #[test]
    fn options_of_the_launcher_are_found_and_those_of_the_program_are_not() {
        use HostOption::{File, List, Slurm};
        assert_eq!(options("mpirun -n 4 --host a,b:2 ./heat -H 9"), [List(4)]);
        assert_eq!(options("env A=b /opt/bin/mpiexec -hosts a,b ./heat -f file"), [List(4)]);
        assert_eq!(options("mpirun -H a ./heat : -H b ./heat"), [List(2), List(6)]);
        assert_eq!(options("mpiexec.hydra -f hosts -n 4 ./heat"), [File(2)]);
        assert_eq!(options("srun -n 4 ./heat"), [Slurm(0)]);
        assert_eq!(options("./heat -H 9 --host a"), []);
        assert_eq!(options("mpirun -H"), []);
    }

    #[test]
    fn the_number_of_nodes_is_an_option_of_srun_and_not_of_the_program() {
        for (line, expected) in [
            ("-N 2 ./heat", true),
            ("-n 4 -N2 ./heat", true),
            ("--nodes=2 ./heat", true),
            ("--nodelist=a ./heat", false),
            ("-n 4 ./heat -N 100", false),
            ("./heat --nodes=3", false),
        ] {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            assert_eq!(has_node_count(&words, |word| word == "./heat"), expected, "{line}");
        }
    }

    #[test]
    fn lists_and_files_lose_the_excluded_hosts() {
        let excluded = BTreeSet::from(["b".to_owned()]);
        assert_eq!(without("a:2,b:2,bb,b,c", &excluded), "a:2,bb,c");
        let mut file = NamedTempFile::new().unwrap();
        write!(file, "# all\na slots=2\nb slots=2 # spare\nb:4\n^b\nbb\n").unwrap();
        let left = shortened(file.path(), &excluded).unwrap();
        assert_eq!(std::fs::read_to_string(left.path()).unwrap(), "# all\na slots=2\n^b\nbb\n");
    }
}

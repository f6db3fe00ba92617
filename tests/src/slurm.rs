//! A Slurm of one node, for one test.
//!
//! Input: the programs of Slurm and MUNGE, without a configuration.
//! Output: daemons on the loopback device, with their own ports, key and directories, and jobs in them.
//! Postcondition: when the value is dropped, no daemon and no process of a job is left. Also the daemons of a test that was
//! killed end.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{bail, ensure, Context, Result};
use tempfile::TempDir;

use crate::matrix::in_memory;
use crate::process;
use crate::program::Mpi;

/// The daemons, and where they store their files.
pub struct Slurm {
    directory: TempDir,
    munged: Option<Child>,
    controller: Option<Child>,
    node: Option<Child>,
}

const NODE: &str = "localhost";
const PATIENCE: Duration = Duration::from_secs(180);
const NAP: Duration = Duration::from_millis(50);
/// A job that still runs has many others, such as `SIGNALING` while it gets a signal.
const FINAL: [&str; 9] = [
    "BOOT_FAIL",
    "CANCELLED",
    "COMPLETED",
    "DEADLINE",
    "FAILED",
    "NODE_FAIL",
    "OUT_OF_MEMORY",
    "PREEMPTED",
    "TIMEOUT",
];
/// Daemons are usually not in the path of users.
const DAEMONS: &str = "/usr/sbin:/sbin:/usr/local/sbin";

impl Slurm {
    /// Whether all programs are installed.
    pub fn is_installed() -> bool {
        let path = path();
        let exists = |name: &str| path.split(':').any(|directory| Path::new(directory).join(name).exists());
        ["munged", "slurmctld", "slurmd", "sbatch", "setpriv"].into_iter().all(exists)
    }

    pub fn start(scratch: &Path) -> Result<Slurm> {
        let directory = in_memory(scratch)?;
        let mut slurm = Slurm { directory, munged: None, controller: None, node: None };
        slurm.configure()?;
        let munge = |name: &str| slurm.path(&format!("munge-{name}")).display().to_string();
        let socket = slurm.path("munge-socket");
        let munged = slurm.daemon(
            "munged",
            &[
                "--foreground".to_owned(),
                // The directory is in one that everybody may write to.
                "--force".to_owned(),
                format!("--key-file={}", munge("key")),
                format!("--socket={}", munge("socket")),
                format!("--pid-file={}", munge("pid")),
                format!("--log-file={}", munge("log")),
                format!("--seed-file={}", munge("seed")),
            ],
        )?;
        slurm.munged = Some(munged);
        slurm.wait_for("MUNGE does not start", || Ok(socket.exists()))?;
        slurm.controller = Some(slurm.daemon("slurmctld", &["-D".to_owned(), "-c".to_owned()])?);
        slurm.start_node()?;
        Ok(slurm)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn configure(&self) -> Result<()> {
        for name in ["controller", "spool"] {
            fs::create_dir(self.path(name))?;
        }
        let mut key = [0u8; 128];
        std::io::Read::read_exact(&mut fs::File::open("/dev/urandom")?, &mut key)?;
        let path = self.path("munge-key");
        fs::write(&path, key)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
        // No part of Slurm needs control groups then. The autodetection fails on machines with both versions.
        fs::write(self.path("cgroup.conf"), "CgroupPlugin=cgroup/v1\n")?;
        // By default, the daemons of all tests would use the same directories.
        fs::write(self.path("mpi.conf"), format!("PMIxCliTmpDirBase={}\n", self.directory.path().display()))?;
        let user = output(Command::new("id").arg("-un"))?;
        let ports = [free_port()?, free_port()?];
        fs::write(self.path("slurm.conf"), configuration(self.directory.path(), user.trim(), ports))?;
        Ok(())
    }

    /// A daemon that ends when the test ends.
    fn daemon(&self, program: &str, arguments: &[String]) -> Result<Child> {
        let mut command = self.command("setpriv");
        command.args(["--pdeathsig", "KILL", program]).args(arguments);
        let said = fs::File::create(self.path(&format!("{program}-said")))?;
        command.stdin(Stdio::null()).stdout(said.try_clone()?).stderr(said);
        command.spawn().with_context(|| format!("cannot start `{program}`"))
    }

    /// A command that uses this Slurm.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("SLURM_CONF", self.path("slurm.conf")).env("PATH", path());
        command
    }

    /// Starts the node, and waits until it accepts jobs.
    pub fn start_node(&mut self) -> Result<()> {
        self.node = Some(self.daemon("slurmd", &["-D".to_owned(), "-N".to_owned(), NODE.to_owned()])?);
        let is_idle = || {
            let states = self.command("sinfo").args(["--noheader", "--format=%T"]).output()?.stdout;
            let states = String::from_utf8_lossy(&states).into_owned();
            if states.trim().starts_with("down") {
                // A node that was taken down comes back when it is asked to.
                let _ = self.update_node("resume");
            }
            Ok(["idle", "mixed", "allocated"].contains(&states.trim()))
        };
        self.wait_for("the node does not start", is_idle)
    }

    /// Kills everything on the node at once, and takes it down.
    pub fn lose_node(&mut self) -> Result<()> {
        self.end_daemon_of_node()?;
        self.update_node("down")
    }

    fn update_node(&self, state: &str) -> Result<()> {
        let mut command = self.command("scontrol");
        let node = format!("NodeName={NODE}");
        output(command.args(["update", &node, &format!("State={state}"), "Reason=test"])).map(drop)
    }

    fn end_daemon_of_node(&mut self) -> Result<()> {
        if let Some(mut node) = self.node.take() {
            node.kill()?;
            node.wait()?;
        }
        for process in self.processes() {
            process::signal(process, libc::SIGKILL)?;
        }
        Ok(())
    }

    /// The processes of jobs, and the daemons that have started them.
    fn processes(&self) -> Vec<u32> {
        let wanted = format!("SLURM_CONF={}", self.path("slurm.conf").display());
        let own: Vec<u32> = [&self.munged, &self.controller, &self.node]
            .into_iter()
            .flatten()
            .map(std::process::Child::id)
            .collect();
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let Some(process) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
                continue;
            };
            let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
            let is_ours = environment.split(|&byte| byte == 0).any(|variable| variable == wanted.as_bytes());
            let name = fs::read_to_string(entry.path().join("comm")).unwrap_or_default();
            if is_ours
                && !own.contains(&process)
                && !name.starts_with("slurmctld")
                && !name.starts_with("slurmscriptd")
            {
                found.push(process);
            }
        }
        found
    }

    /// Submits a script. Returns the number of the job.
    pub fn submit(&self, directory: &Path, script: &Path, environment: &[(&str, &str)]) -> Result<String> {
        let mut command = self.command("sbatch");
        crate::run::without_settings(&mut command);
        crate::run::several_processes_on_few_cores(&mut command, Mpi::Default)?;
        command.envs(environment.iter().copied());
        let number = output(command.arg("--parsable").arg(script).current_dir(directory))?;
        Ok(number.trim().to_owned())
    }

    /// A field of a job, such as `JobState`.
    pub fn field(&self, job: &str, name: &str) -> Result<String> {
        let text = output(self.command("scontrol").args(["--oneliner", "show", "job", job]))?;
        let key = format!("{name}=");
        let found = text.split_whitespace().find_map(|word| word.strip_prefix(&key));
        Ok(found.with_context(|| format!("job {job} has no {name}: {text}"))?.to_owned())
    }

    pub fn cancel(&self, job: &str) -> Result<()> {
        output(self.command("scancel").arg(job)).map(drop)
    }

    /// Waits for a state of a job that is final (squeue(1), "Job state codes").
    pub fn end_of(&self, job: &str) -> Result<String> {
        let is_final = |state: &str| FINAL.contains(&state);
        self.wait_for("the job does not end", || Ok(is_final(&self.field(job, "JobState")?)))?;
        self.field(job, "JobState")
    }

    pub fn wait_for(&self, failure: &str, condition: impl Fn() -> Result<bool>) -> Result<()> {
        let start = Instant::now();
        while !condition()? {
            if start.elapsed() > PATIENCE {
                bail!("{failure}\n{}", self.said());
            }
            std::thread::sleep(NAP);
        }
        Ok(())
    }

    /// The messages of the daemons.
    fn said(&self) -> String {
        ["munged", "slurmctld", "slurmd"]
            .map(|name| fs::read_to_string(self.path(&format!("{name}-said"))).unwrap_or_default())
            .concat()
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        let _ = self.end_daemon_of_node();
        for daemon in [&mut self.controller, &mut self.munged].into_iter().flatten() {
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

fn path() -> String {
    format!("{}:{DAEMONS}", std::env::var("PATH").unwrap_or_default())
}

fn free_port() -> Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}

fn output(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("{command:?}"))?;
    ensure!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?)
}

/// Everything is on the loopback device, and fast: a job that is queued again starts after some seconds. The job numbers
/// differ from those of other tests, because Open MPI chooses the names of shared memory by them.
fn configuration(directory: &Path, user: &str, ports: [u16; 2]) -> String {
    let directory = directory.display();
    let [controller, node] = ports;
    format!(
        "ClusterName=test
SlurmctldHost={NODE}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={node}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={directory}/munge-socket,cred_expire=5
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation={directory}/controller
SlurmdSpoolDir={directory}/spool
SlurmctldPidFile={directory}/slurmctld-pid
SlurmdPidFile={directory}/slurmd-pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
SlurmdParameters=config_overrides
MpiDefault=none
ReturnToService=2
KillWait=5
FirstJobId={controller}
NodeName={NODE} NodeAddr=127.0.0.1 CPUs=8
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"
    )
}

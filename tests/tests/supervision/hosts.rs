//! Hosts that have failed: the next attempt of `cppc run` does not use them.

use std::fs::{self, File};

use anyhow::{ensure, Result};
use cppc_tests::process::{self, Victim};
use cppc_tests::program::Mpi;
use serde_json::Value;

use super::{count, executable, results, shell, Setup, Supervised};

/// Three names are hosts for both launchers, because a script starts their daemons. One of them then stops to answer.
pub fn lost_host(setup: &Setup, mpi: Mpi) -> Result<()> {
    let login = "while :; do case $1 in -o) shift 2;; -*) shift;; *) break;; esac; done\n\
                 host=$1; shift; echo $host >>logins; test -e down-$host && exit 255; exec sh -c \"$*\"\n";
    executable(&setup.directory.join("ssh"), login)?;
    let path = format!("{}:{}", setup.directory.display(), std::env::var("PATH")?);
    let expected = setup.expected(&["1500", "0"])?;
    let in_file = "node1 slots=2\nnode2 slots=2\nnode3 slots=2\n";
    fs::write(
        setup.directory.join("hosts"),
        if mpi == Mpi::Default { in_file } else { "node1\nnode2\nnode3\n" },
    )?;
    let (launcher, list, file) = match mpi {
        Mpi::Default => ("mpirun", ["--host", "node1,node2,node3"], ["--hostfile", "hosts"]),
        Mpi::Mpich => ("mpirun.mpich", ["-hosts", "node1,node2,node3"], ["-f", "hosts"]),
    };
    for hosts in [list, file] {
        let command = [&[launcher, "-n", "2"], &hosts[..], &["./supervised", "1500", "1000"]].concat();
        let variables = [("PATH", path.as_str())];
        let mut supervised = setup.start(&["--stall", "20s"], &command, &variables)?;
        let state = setup.memory.path().join("state");
        let has_lines =
            |_: &Supervised| cppc_tests::state::lines_of(&state, 0).is_ok_and(|lines| lines.len() > 1);
        ensure!(supervised.wait_until(has_lines)?, "it has ended");
        let lost = setup.directory.join("down-node1");
        File::create(&lost)?;
        process::strike(supervised.child.id(), &setup.executable(), Victim::All, libc::SIGKILL)?;
        let ended = supervised.end()?;
        ensure!(ended.status.success(), "{}\n{}", ended.status, ended.said);
        ensure!(results(&ended.printed) == expected, "{}\n{}", ended.printed, ended.said);
        let excluded: Vec<&Value> = ended.events.iter().filter(|event| event["event"] == "exclude").collect();
        ensure!(excluded.len() == 1 && excluded[0]["hosts"] == serde_json::json!(["node1"]), "{excluded:?}");
        ensure!(ended.said.contains("excluded from the next attempt"), "{}", ended.said);
        // The launcher of Open MPI crashes now and then while it starts daemons. Then there are more attempts.
        let (starts, failures) = (count(&ended.events, "start"), count(&ended.events, "failure"));
        ensure!(starts >= 2 && starts == failures + 1, "{:?}", ended.events);
        let logins = fs::read_to_string(setup.directory.join("logins"))?;
        ensure!(logins.lines().any(|host| host == "node2"), "the launcher has used no other host: {logins}");
        fs::remove_file(lost)?;
        fs::remove_file(setup.directory.join("logins"))?;
    }
    Ok(())
}

/// A host is used again when it answers. The launcher is a script, because `srun` needs a job.
pub fn excluded_node(setup: &Setup) -> Result<()> {
    executable(&setup.directory.join("srun"), "printf '%s\\n' \"$*\" >>calls; test $(wc -l <calls) -gt 2\n")?;
    executable(&setup.directory.join("scontrol"), "printf 'n1\\nn2\\nn3\\n'\n")?;
    executable(
        &setup.directory.join("sinfo"),
        "test -e asked && echo 'n2 idle' || { touch asked; echo 'n2 down*'; }\n",
    )?;
    let path = format!("{}:{}", setup.directory.display(), std::env::var("PATH")?);
    let job = [("PATH", path.as_str()), ("SLURM_JOB_ID", "9"), ("SLURM_JOB_NODELIST", "n[1-3]")];
    let options = ["--time-left", "echo UNLIMITED"];
    let ended = setup.start(&options, &["srun", "-n", "2", "program"], &job)?.end()?;
    ensure!(ended.status.success(), "{}\n{}", ended.status, ended.said);
    let calls = fs::read_to_string(setup.directory.join("calls"))?;
    let wanted = "-n 2 program\n--nodes=2 --exclude=n2 -n 2 program\n-n 2 program\n";
    ensure!(calls == wanted, "{calls}\n{}", ended.said);
    Ok(())
}

pub fn not_named(setup: &Setup) -> Result<()> {
    let ended = setup.run(&["--host-check", "true"], &shell("echo started"))?;
    ensure!(ended.status.code() == Some(2) && ended.printed.is_empty(), "{}", ended.said);
    Ok(())
}

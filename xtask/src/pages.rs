//! `pages`: makes the manual pages from the command line definitions.
//!
//! In: the definitions that the programs parse with. Out: `docs/man/*.1`. Holds afterwards: a page
//! says what the program does. The programs are only part of this one with the feature `pages`, so
//! that the other tasks need not wait for them; without it the task runs itself again.

use anyhow::Result;

use crate::workspace::Workspace;

#[cfg(not(feature = "pages"))]
pub fn run(workspace: &Workspace, check: bool) -> Result<()> {
    let mut again = workspace.cargo(&["run", "--quiet", "--package", "xtask"]);
    again.args(["--features", "pages", "--", "pages"]);
    if check {
        again.arg("--check");
    }
    crate::workspace::run(&mut again)
}

#[cfg(feature = "pages")]
pub fn run(workspace: &Workspace, check: bool) -> Result<()> {
    use crate::workspace::write_or_check;

    let directory = workspace.root.join("docs/man");
    std::fs::create_dir_all(&directory)?;
    let commands = [cppc_preprocessor::compile::command()];
    for command in commands {
        let name = format!("{}.1", command.get_name());
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        let page = String::from_utf8(page)?;
        if write_or_check(&directory.join(&name), &page, check)? {
            println!("wrote docs/man/{name}");
        }
    }
    Ok(())
}

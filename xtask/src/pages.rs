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
    made::manual_pages(workspace, check)?;
    made::settings(workspace, check)
}

#[cfg(feature = "pages")]
mod made {
    use anyhow::{Context, Result};
    use clap::CommandFactory as _;

    use crate::workspace::{write_or_check, Workspace};

    const OPENING: &str = "<!-- settings: made by `cargo xtask pages` -->\n";
    const CLOSING: &str = "<!-- end of settings -->\n";

    pub fn manual_pages(workspace: &Workspace, check: bool) -> Result<()> {
        let directory = workspace.root.join("docs/man");
        std::fs::create_dir_all(&directory)?;
        let commands = [
            cppc_preprocessor::compile::command(&cppc_preprocessor::compile::CPPC_CC),
            cppc_preprocessor::compile::command(&cppc_preprocessor::compile::CPPC_FC),
            cppc_preprocessor::precompile::arguments::Arguments::command(),
            cppc_tools::command::command(),
        ];
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

    /// The table of settings in the README.
    pub fn settings(workspace: &Workspace, check: bool) -> Result<()> {
        let path = workspace.root.join("README.md");
        let text = std::fs::read_to_string(&path).context("cannot read `README.md`")?;
        let parts = text.split_once(OPENING).and_then(|(before, rest)| {
            rest.split_once(CLOSING).map(|(_, after)| (before, after))
        });
        let (before, after) = parts.context("`README.md` has no place for the settings")?;
        let table = cppc_runtime::settings::table::markdown();
        let text = format!("{before}{OPENING}\n{table}\n{CLOSING}{after}");
        if write_or_check(&path, &text, check)? {
            println!("wrote the settings in README.md");
        }
        Ok(())
    }
}

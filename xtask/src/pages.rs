//! `pages`: generates the manual pages and other documents from the definitions in the programs.
//!
//! Input: the definitions that the programs parse with.
//! Output: `docs/man/*.1`, `docs/completions`, the tables of `docs/settings.md`, the exit statuses in
//! `docs/cppc.md`, `docs/diagnostics.md`.
//! Postcondition: a page agrees with the program. The programs are linked only with the feature `pages`, so
//! that the other tasks do not have to build them. Without the feature the task runs itself again with it. A
//! test, which is built with all programs, does the same as `--check`.

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
    made::completions(workspace, check)?;
    made::settings(workspace, check)?;
    made::environment(workspace, check)?;
    made::exit_statuses(workspace, check)?;
    made::diagnostics(workspace, check)
}

#[cfg(feature = "pages")]
mod made {
    use anyhow::{Context, Result};
    use clap::CommandFactory as _;

    use crate::workspace::{write_or_check, Workspace};

    pub fn manual_pages(workspace: &Workspace, check: bool) -> Result<()> {
        let directory = workspace.root.join("docs/man");
        std::fs::create_dir_all(&directory)?;
        for mut command in commands() {
            // Gives subcommands names such as `cppc-show`.
            command.build();
            let source = format!("{} {}", command.get_name(), command.get_version().unwrap_or_default());
            let verbs: Vec<clap::Command> =
                command.get_subcommands().filter(|verb| verb.get_name() != "help").cloned().collect();
            for command in std::iter::once(command).chain(verbs) {
                let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
                let mut page = Vec::new();
                clap_mangen::Man::new(command).title(&name).source(&source).render(&mut page)?;
                let page = String::from_utf8(page)?;
                if write_or_check(&directory.join(format!("{name}.1")), &page, check)? {
                    println!("wrote docs/man/{name}.1");
                }
            }
        }
        Ok(())
    }

    fn commands() -> [clap::Command; 4] {
        [
            cppc_preprocessor::compile::command(&cppc_preprocessor::compile::CPPC_CC),
            cppc_preprocessor::compile::command(&cppc_preprocessor::compile::CPPC_FC),
            cppc_preprocessor::precompile::arguments::Arguments::command(),
            cppc_tools::command::command(),
        ]
    }

    /// The files with which shells complete command lines.
    pub fn completions(workspace: &Workspace, check: bool) -> Result<()> {
        use clap_complete::Shell;
        for (shell, directory) in [(Shell::Bash, "bash"), (Shell::Zsh, "zsh"), (Shell::Fish, "fish")] {
            let directory = workspace.root.join("docs/completions").join(directory);
            std::fs::create_dir_all(&directory)?;
            for mut command in commands() {
                let name = command.get_name().to_owned();
                let mut text = Vec::new();
                clap_complete::generate(shell, &mut command, &name, &mut text);
                let file = match shell {
                    Shell::Zsh => format!("_{name}"),
                    Shell::Fish => format!("{name}.fish"),
                    _ => name,
                };
                if write_or_check(&directory.join(&file), &String::from_utf8(text)?, check)? {
                    println!("wrote {}", directory.join(file).display());
                }
            }
        }
        Ok(())
    }

    /// The table of settings.
    pub fn settings(workspace: &Workspace, check: bool) -> Result<()> {
        section(workspace, "docs/settings.md", "settings", &cppc_runtime::settings::table::markdown(), check)
    }

    /// The table of environment variables that are not settings.
    pub fn environment(workspace: &Workspace, check: bool) -> Result<()> {
        section(
            workspace,
            "docs/settings.md",
            "environment variables",
            &cppc_abi::environment::markdown(),
            check,
        )
    }

    /// The table of exit statuses, and that of the commands of `cppc`.
    pub fn exit_statuses(workspace: &Workspace, check: bool) -> Result<()> {
        section(workspace, "docs/settings.md", "exit statuses", &cppc_abi::exit_statuses::markdown(), check)?;
        section(workspace, "docs/cppc.md", "exit statuses", &cppc_tools::exit_status::markdown(), check)
    }

    /// The part of a document between two comments.
    fn section(workspace: &Workspace, name: &str, title: &str, text: &str, check: bool) -> Result<()> {
        let opening = format!("<!-- {title}: made by `cargo xtask pages` -->\n");
        let closing = format!("<!-- end of {title} -->\n");
        let path = workspace.root.join(name);
        let old = std::fs::read_to_string(&path).with_context(|| format!("cannot read `{name}`"))?;
        let parts = old
            .split_once(&opening)
            .and_then(|(before, rest)| rest.split_once(&closing).map(|(_, after)| (before, after)));
        let (before, after) = parts.with_context(|| format!("`{name}` has no section for the {title}"))?;
        let new = format!("{before}{opening}\n{text}\n{closing}{after}");
        if write_or_check(&path, &new, check)? {
            println!("wrote the {title} in {name}");
        }
        Ok(())
    }

    /// The pages of all diagnostics.
    pub fn diagnostics(workspace: &Workspace, check: bool) -> Result<()> {
        let path = workspace.root.join("docs/diagnostics.md");
        if write_or_check(&path, &cppc_preprocessor::explain::document(), check)? {
            println!("wrote docs/diagnostics.md");
        }
        Ok(())
    }

    #[cfg(test)]
    #[test]
    fn committed_pages_are_up_to_date() {
        super::run(&Workspace::find().unwrap(), true).unwrap();
    }
}

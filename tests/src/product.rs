//! The installed product that the tests use, as a user would.
//!
//! Input: `CPPC_STAGE` or nothing, and `CPPC_STAGE_MPICH`.
//! Output: a prefix with `bin`, `lib` and `include`.
//! Postcondition: the prefix is complete. It was installed at most once, by the first test that needs it.

use std::fs::File;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use anyhow::{bail, ensure, Context, Result};

/// The installed product.
pub struct Product {
    prefix: PathBuf,
}

impl Product {
    /// The product of this test run. It is installed if no variable names it.
    pub fn get() -> Result<&'static Product> {
        static PRODUCT: OnceLock<std::result::Result<Product, String>> = OnceLock::new();
        PRODUCT
            .get_or_init(|| Product::find().map_err(|error| format!("{error:#}")))
            .as_ref()
            .map_err(|error| anyhow::anyhow!("there is no product to test: {error}"))
    }

    fn find() -> Result<Product> {
        let product = match std::env::var_os("CPPC_STAGE") {
            Some(prefix) => Product { prefix: prefix.into() },
            None => install(&workspace().join("target/stage"))?,
        };
        for part in ["bin/cppc-pp", "bin/cppc-cc", "bin/cppc-fc", "lib", "include/cppc.h"] {
            let path = product.prefix.join(part);
            ensure!(path.exists(), "`{}` is missing", path.display());
        }
        Ok(product)
    }

    /// The libraries for MPICH, if they are staged in addition to those for another MPI.
    pub fn for_mpich() -> Option<&'static Product> {
        static PRODUCT: OnceLock<Option<Product>> = OnceLock::new();
        let find = || std::env::var_os("CPPC_STAGE_MPICH").map(|prefix| Product { prefix: prefix.into() });
        PRODUCT.get_or_init(find).as_ref()
    }

    pub fn prefix(&self) -> &Path {
        &self.prefix
    }

    /// A command of the product, `cppc-pp` or another.
    pub fn command(&self, program: &str) -> Command {
        Command::new(self.prefix.join("bin").join(program))
    }

    pub fn include(&self) -> PathBuf {
        self.prefix.join("include")
    }

    pub fn library(&self) -> PathBuf {
        self.prefix.join("lib")
    }
}

fn install(prefix: &Path) -> Result<Product> {
    let lock_path = prefix.with_extension("lock");
    std::fs::create_dir_all(prefix)?;
    let lock = File::create(&lock_path).with_context(|| format!("cannot make `{}`", lock_path.display()))?;
    // SAFETY: the descriptor is open as long as `lock` exists. Closing it releases the lock.
    let locked = unsafe { libc::flock(lock.as_raw_fd(), libc::LOCK_EX) };
    ensure!(locked == 0, "cannot lock `{}`", lock_path.display());
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["xtask", "install", "--prefix"])
        .arg(prefix)
        .current_dir(workspace())
        .status()
        .context("cannot run `cargo xtask install`")?;
    if !status.success() {
        bail!("`cargo xtask install` failed: {status}");
    }
    Ok(Product { prefix: prefix.to_owned() })
}

/// The root of the source tree.
pub fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the workspace")
}

/// A directory of this crate: `programs`, `support`, and others.
pub fn here(part: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(part)
}

//! Where this workspace and what is built from it are.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process;

/// The folders every step needs.
pub(crate) struct Place {
    /// The workspace.
    pub(crate) root: PathBuf,
    /// Cargo's target folder; `CARGO_TARGET_DIR` and Cargo's configuration are honoured.
    pub(crate) target: PathBuf,
    /// The finished dashboard files, which a release server embeds. `.cargo/config.toml` decides, for
    /// Cargo's other commands have to see the same folder.
    pub(crate) site: PathBuf,
}

impl Place {
    /// Asks Cargo.
    pub(crate) fn find() -> Result<Self> {
        let mut command = Command::new("cargo");
        command.args(["metadata", "--format-version=1", "--no-deps", "--locked"]);
        let metadata: serde_json::Value = serde_json::from_str(&process::read(&mut command)?)?;
        let folder = |name: &str| -> Result<PathBuf> {
            let text = metadata[name].as_str();
            Ok(text
                .with_context(|| format!("cargo metadata has no {name}"))?
                .into())
        };
        let root = folder("workspace_root")?;
        let site = process::variable("LEPTOS_SITE_ROOT").unwrap_or_else(|| "target/site".into());
        Ok(Self {
            site: root.join(site),
            target: folder("target_directory")?,
            root,
        })
    }

    /// A command that runs in the workspace.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        command
    }

    /// Cargo, without the variables that `cargo run` set for this program: build scripts watch some of
    /// them, and would run anew after each change between `cargo xtask` and plain `cargo`.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = self.command("cargo");
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            let own = [
                "CARGO",
                "CARGO_MANIFEST_DIR",
                "CARGO_MANIFEST_PATH",
                "CARGO_CRATE_NAME",
                "CARGO_BIN_NAME",
            ];
            if text.starts_with("CARGO_PKG_") || own.contains(&&*text) {
                command.env_remove(&name);
            }
        }
        command.args(arguments);
        command
    }

    /// A folder for what these tools keep between runs.
    pub(crate) fn kept(&self) -> PathBuf {
        self.target.join("xtask")
    }

    /// The server's binary.
    pub(crate) fn server(&self, profile: &str) -> PathBuf {
        self.target
            .join(profile)
            .join(format!("conveyor{}", std::env::consts::EXE_SUFFIX))
    }

    /// A path as it is shown: relative to the workspace where possible.
    pub(crate) fn shown<'a>(&self, path: &'a Path) -> std::path::Display<'a> {
        path.strip_prefix(&self.root).unwrap_or(path).display()
    }
}

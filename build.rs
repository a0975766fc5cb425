//! Tells the server's sources where the built dashboard is, so that a release can embed it.
//!
//! `LEPTOS_SITE_ROOT` names the folder; `.cargo/config.toml` sets it for builds inside this repository. Without
//! it, as when Conveyor is a dependency of another program, or before the dashboard was ever built, the folder
//! is empty: the server compiles, and its pages come without style and scripts.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs, io};

#[expect(
    clippy::disallowed_methods,
    reason = "Cargo speaks to a build script this way"
)]
fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=LEPTOS_SITE_ROOT");
    let variable = |name| env::var_os(name).map(PathBuf::from).unwrap_or_default();
    let site = match env::var_os("LEPTOS_SITE_ROOT") {
        Some(folder) => variable("CARGO_MANIFEST_DIR").join(folder),
        None => variable("OUT_DIR").join("site"),
    };
    fs::create_dir_all(&site)?;
    // Not called CONVEYOR_…: Cargo hands it to the programs it runs too, and the server refuses names of that
    // form that it does not know.
    println!("cargo::rustc-env=DASHBOARD_SITE={}", site.display());
    println!(
        "cargo::rustc-env=BUILD_COMMIT={}",
        commit().unwrap_or_else(|| "unknown".to_owned())
    );
    // A debug build reads the files when they are asked for, so it need not be made anew with them.
    if variable("PROFILE").as_os_str() == "release" {
        println!("cargo::rerun-if-changed={}", site.display());
    }
    Ok(())
}

/// The commit that a release is built from; none for any other build, nor outside this repository.
fn commit() -> Option<String> {
    #[expect(
        clippy::disallowed_methods,
        reason = "Cargo speaks to a build script this way"
    )]
    let variable = |name| env::var_os(name);
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    if variable("PROFILE")? != "release" || !root.join(".git").exists() {
        return None;
    }
    // Not there in a worktree, where a build then keeps the commit it was first made from.
    if root.join(".git/logs/HEAD").exists() {
        println!("cargo::rerun-if-changed=.git/logs/HEAD");
    }
    let told = Command::new("git")
        .args(["rev-parse", "--short=12", "HEAD"])
        .current_dir(root)
        .output()
        .ok()
        .filter(|told| told.status.success())?;
    let commit = String::from_utf8(told.stdout).ok()?;
    Some(commit.trim().to_owned())
}

//! The dashboard for the browser: compiled to WebAssembly, with the JavaScript that loads it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

use crate::digest::Mark;
use crate::place::Place;
use crate::setup::WasmStd;
use crate::{order, process, say, unreached};

/// The browser's target.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// How the browser's side is compiled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    /// Small: what users get.
    Release,
    /// Quick to build again.
    Dev,
}

impl Profile {
    fn name(self) -> &'static str {
        match self {
            Self::Release => "wasm-release",
            Self::Dev => "dev",
        }
    }

    fn folder(self) -> &'static str {
        match self {
            Self::Release => "wasm-release",
            Self::Dev => "debug",
        }
    }
}

/// Cargo on the browser's side of the dashboard; with `std` from source where setup found no other way.
pub(crate) fn cargo(place: &Place, subcommand: &str, std: WasmStd) -> Command {
    let mut command = place.cargo(&[subcommand, "--package", "conveyor-app", "--lib"]);
    command.args([
        "--no-default-features",
        "--features",
        "hydrate",
        "--target",
        TARGET,
    ]);
    if std == WasmStd::FromSource {
        command
            .arg("-Zbuild-std=std,panic_abort")
            .env("RUSTC_BOOTSTRAP", "1");
    }
    command
}

/// Builds `conveyor.js` and `conveyor.wasm` and returns the folder they are in.
pub(crate) fn build(place: &Place, profile: Profile, std: WasmStd) -> Result<PathBuf> {
    let compiled = compile(place, profile, std)?;
    let folder = place.kept().join("pkg");
    let input =
        fs::read(&compiled).with_context(|| format!("cannot read {}", compiled.display()))?;
    let mark = Mark::of(place.kept().join("pkg.mark"), &[&input])?;
    if mark.is_kept() && folder.is_dir() {
        return Ok(folder);
    }
    say::timed("Making the JavaScript that loads it", || {
        bind(&compiled, &folder, profile)
    })?;
    mark.keep()?;
    Ok(folder)
}

fn compile(place: &Place, profile: Profile, std: WasmStd) -> Result<PathBuf> {
    let mut command = cargo(place, "rustc", std);
    command.args([
        "--locked",
        "--crate-type",
        "cdylib",
        "--profile",
        profile.name(),
    ]);
    say::timed(
        "Compiling the dashboard to WebAssembly (the first time takes some minutes)",
        || process::run(&mut command),
    )?;
    Ok(place
        .target
        .join(TARGET)
        .join(profile.folder())
        .join("conveyor_app.wasm"))
}

/// Leptos asks for `conveyor.wasm` when `LEPTOS_OUTPUT_NAME` is set at compile time, which
/// `.cargo/config.toml` sees to; wasm-bindgen writes `conveyor_bg.wasm`.
fn bind(compiled: &Path, folder: &Path, profile: Profile) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    let release = profile == Profile::Release;
    let mut app = fs::read(compiled)?;
    if release {
        app = unreached::cut(&app)?;
    }
    Bindgen::new()
        .input_bytes("conveyor", app)
        .web(true)?
        .typescript(false)
        .remove_producers_section(release)
        .keep_debug(false)
        .generate(folder)?;
    let (bound, named) = (
        folder.join("conveyor_bg.wasm"),
        folder.join("conveyor.wasm"),
    );
    fs::rename(bound, &named)?;
    if release {
        fs::write(&named, order::sort(&fs::read(&named)?)?)?;
    }
    Ok(())
}

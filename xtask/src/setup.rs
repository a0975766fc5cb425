//! What a build needs from the machine: looked at first, installed where that is safe, else named exactly.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};

use crate::place::Place;
use crate::wasm::TARGET;
use crate::{process, say};

/// Where the standard library for WebAssembly comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum WasmStd {
    /// The toolchain has it.
    Installed,
    /// It is compiled with the dashboard, from the toolchain's `rust-src`.
    FromSource,
}

/// Sees to everything that building needs.
pub(crate) fn for_build(place: &Place) -> Result<WasmStd> {
    c_compiler()?;
    wasm_std(place)
}

/// SQLite and the TLS library have C inside.
fn c_compiler() -> Result<()> {
    let compiler = process::variable("CC").unwrap_or_else(|| "cc".into());
    if process::succeeds(std::process::Command::new(&compiler).arg("--version")) {
        return Ok(());
    }
    bail!(
        "no C compiler ({compiler}): install one and try again. \
         Debian, Ubuntu: apt-get install build-essential. Fedora: dnf install gcc. macOS: xcode-select --install"
    );
}

/// Finds the WebAssembly standard library, or has rustup fetch it.
pub(crate) fn wasm_std(place: &Place) -> Result<WasmStd> {
    let mut rustc = place.command("rustc");
    let libraries = process::read(rustc.args(["--print", "target-libdir", "--target", TARGET]))?;
    if has_std(Path::new(libraries.trim())) {
        return Ok(WasmStd::Installed);
    }
    say::note(&format!(
        "the toolchain lacks the WebAssembly target: rustup target add {TARGET} (about 20 MB)"
    ));
    let mut rustup = place.command("rustup");
    if process::run(rustup.args(["target", "add", TARGET])).is_ok() {
        return Ok(WasmStd::Installed);
    }
    let sysroot = process::read(place.command("rustc").args(["--print", "sysroot"]))?;
    let source = Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library");
    if source.join("std/Cargo.toml").is_file() {
        say::note(
            "rustup could not add it; it is compiled from the toolchain's own source instead (half a minute)",
        );
        return Ok(WasmStd::FromSource);
    }
    bail!(
        "no standard library for {TARGET}, and rustup could not fetch it. Any one of these helps:\n\
         - with a network that reaches rustup's server: rustup target add {TARGET}\n\
         - or the library's source: rustup component add rust-src\n\
         - or the library's source of the same version from Debian: apt-get download rust-src, unpack it with \
         dpkg -x, and copy its library folder to {}",
        source.display()
    );
}

fn has_std(libraries: &Path) -> bool {
    fs::read_dir(libraries).is_ok_and(|entries| {
        entries
            .flatten()
            .any(|entry| entry.file_name().to_string_lossy().starts_with("libstd-"))
    })
}

/// The oldest Node.js that the browser tests' packages accept.
const NODE: u32 = 20;

/// Node.js runs the browser tests; the build does without it.
pub(crate) fn node() -> Result<()> {
    const HELP: &str = "Debian 13, Ubuntu 25.04 or later: apt-get install nodejs npm. Fedora: dnf install \
        nodejs. macOS: brew install node. Elsewhere: nodejs.org";
    for program in ["node", "npm"] {
        if process::on_path(program).is_none() {
            bail!("the browser tests need {program}, version {NODE} of Node.js or later. {HELP}");
        }
    }
    let version = process::read(std::process::Command::new("node").arg("--version"))?;
    let major = version
        .trim()
        .trim_start_matches('v')
        .split('.')
        .next()
        .and_then(|text| text.parse::<u32>().ok());
    match major {
        Some(major) if major >= NODE => Ok(()),
        _ => bail!(
            "the browser tests need Node.js {NODE} or later; this is {}. {HELP}",
            version.trim()
        ),
    }
}

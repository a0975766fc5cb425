//! A Chromium for the browser tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::place::Place;
use crate::{process, say};

/// Names under which systems install it.
const NAMES: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

/// The browser to use, installed if need be; `None` stands for the one that Playwright keeps itself.
pub(crate) fn find(place: &Place) -> Result<Option<PathBuf>> {
    if let Some(named) = process::variable("CHROMIUM") {
        let file = PathBuf::from(&named);
        if !file.is_file() {
            bail!("CHROMIUM names no file: {named}");
        }
        return Ok(Some(file));
    }
    if let Some(file) = installed() {
        return Ok(Some(file));
    }
    if is_debian_root() {
        say::note("no Chromium found: installing Debian's with apt-get (about 100 MB to fetch)");
        if let Err(error) = apt() {
            say::note(&format!("that failed: {error:#}"));
        }
        if let Some(file) = installed() {
            return Ok(Some(file));
        }
    }
    say::note("no Chromium found: asking Playwright to download its own (about 150 MB)");
    let mut npx = place.command("npx");
    npx.current_dir(place.root.join("end2end"))
        .args(["playwright", "install"]);
    if is_root() {
        npx.arg("--with-deps");
    }
    if let Err(error) = process::run(npx.arg("chromium")) {
        bail!(
            "no browser for the tests ({error:#}). Debian: apt-get install chromium. \
             Elsewhere: install Chromium or Chrome, and set CHROMIUM to its path if it is not on PATH"
        );
    }
    Ok(None)
}

fn installed() -> Option<PathBuf> {
    NAMES.iter().find_map(|name| process::on_path(name))
}

fn is_root() -> bool {
    process::read(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

/// Ubuntu's package of that name is only a pointer to a snap, so Debian itself it must be.
fn is_debian_root() -> bool {
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    release.lines().any(|line| line == "ID=debian")
        && Path::new("/usr/bin/apt-get").exists()
        && is_root()
}

fn apt() -> Result<()> {
    let apt_get = |arguments: &[&str]| {
        process::run(
            Command::new("apt-get")
                .env("DEBIAN_FRONTEND", "noninteractive")
                .args(arguments),
        )
    };
    apt_get(&["update"])?;
    apt_get(&[
        "install",
        "--yes",
        "--no-install-recommends",
        "chromium",
        "fonts-dejavu-core",
    ])
}

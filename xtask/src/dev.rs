//! A debug server that follows the source.
//!
//! Watching is by modification times: no dependency, and quick enough for a tree of this size. What has to be
//! done after a change is left to Cargo and to the steps of `site`, which skip what did not change.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};

use crate::place::Place;
use crate::wasm::Profile;
use crate::{digest, process, say, site};

/// How often the source is looked at.
const PERIOD: Duration = Duration::from_millis(400);

/// What makes the server or its dashboard.
const WATCHED: [&str; 8] = [
    "src",
    "app/src",
    "model/src",
    "style",
    "public",
    "Cargo.toml",
    "app/Cargo.toml",
    "model/Cargo.toml",
];

/// Builds, starts, and does both again after each change, until the terminal ends it.
pub(crate) fn run(place: &Place, arguments: &[OsString]) -> Result<()> {
    let mut running: Option<Server> = None;
    loop {
        let seen = newest(place)?;
        match build(place) {
            Ok(made) => {
                let current = running.as_ref().is_some_and(|server| server.made == made);
                if !current {
                    if let Some(server) = running.take() {
                        server.stop()?;
                    }
                    running = Some(Server::start(place, arguments, made)?);
                }
            }
            Err(error) => say::note(&format!("{error:#}; waiting for the next change")),
        }
        while newest(place)? == seen {
            sleep(PERIOD);
        }
    }
}

/// Brings site and server up to date; returns when the binary was made. A debug server reads the site
/// from the disk, so a new style alone needs no restart.
fn build(place: &Place) -> Result<SystemTime> {
    site::build(place, Profile::Dev)?;
    process::run(&mut place.cargo(&["build", "--package", "conveyor", "--bin", "conveyor"]))?;
    Ok(fs::metadata(place.server("debug"))?.modified()?)
}

struct Server {
    child: Child,
    made: SystemTime,
}

impl Server {
    fn start(place: &Place, arguments: &[OsString], made: SystemTime) -> Result<Self> {
        say::note("starting the server");
        let mut command = Command::new(place.server("debug"));
        let child = command
            .arg("serve")
            .args(arguments)
            .spawn()
            .context("cannot start the server")?;
        Ok(Self { child, made })
    }

    /// Asks it to end as an init system would, so that running jobs go back to the queue.
    fn stop(mut self) -> Result<()> {
        say::note("stopping the server");
        let asked =
            process::succeeds(Command::new("kill").args(["-TERM", &self.child.id().to_string()]));
        if !asked {
            self.child.kill()?;
        }
        self.child.wait()?;
        Ok(())
    }
}

/// The latest modification under everything watched, and how many files there are: the second shows a
/// file that went away.
fn newest(place: &Place) -> Result<(Option<SystemTime>, usize)> {
    let mut times = Vec::new();
    for name in WATCHED {
        let path = place.root.join(name);
        if path.is_dir() {
            for file in digest::files(&path)? {
                times.extend(modified(&path.join(file)));
            }
        } else {
            times.extend(modified(&path));
        }
    }
    Ok((times.iter().max().copied(), times.len()))
}

/// A file may vanish while the tree is read: editors replace files.
fn modified(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|data| data.modified()).ok()
}

//! Where measurements are made: folders on a real disk that are empty at first and gone at the end,
//! and what a sync costs there.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context as _, ensure};

use super::number::{float, percentile};

/// One write of a page, as a small commit does.
const PAGE: [u8; 4096] = [7; 4096];

/// A folder that is deleted when it is dropped.
pub(super) struct Folder(PathBuf);

impl Folder {
    /// An empty folder in `parent`, which must be on a disk.
    pub(super) fn new(parent: &Path) -> anyhow::Result<Folder> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(format!("bench-{}-{count}", std::process::id()));
        fs::create_dir_all(&path).with_context(|| format!("cannot make {}", path.display()))?;
        let folder = Folder(path);
        let path = &folder.0;
        ensure!(
            !is_memory(path)?,
            "{} is in memory: what is synced there proves nothing; give --dir a folder on a disk",
            parent.display()
        );
        Ok(folder)
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// The address of a database in it.
    pub(super) fn database(&self) -> String {
        format!("sqlite:{}", self.file().display())
    }

    /// The file of that database.
    pub(super) fn file(&self) -> PathBuf {
        self.0.join("conveyor.db")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            tracing::warn!(folder = %self.0.display(), %error, "a folder of no more use stays");
        }
    }
}

/// Whether a folder is on a file system that has no disk under it.
#[cfg(target_os = "linux")]
fn is_memory(folder: &Path) -> anyhow::Result<bool> {
    /// tmpfs and ramfs.
    const MEMORY: [i128; 2] = [0x0102_1994, 0x8584_58f6];
    Ok(MEMORY.contains(&i128::from(rustix::fs::statfs(folder)?.f_type)))
}

#[cfg(not(target_os = "linux"))]
fn is_memory(_: &Path) -> anyhow::Result<bool> {
    Ok(false)
}

/// The usual time of a sync of one more page of a growing file, in microseconds.
pub(super) fn fsync(folder: &Path, times: usize) -> anyhow::Result<f64> {
    let path = folder.join("synced");
    let mut file = File::create(&path)?;
    let mut took = Vec::with_capacity(times);
    for _ in 0..times {
        let began = Instant::now();
        file.write_all(&PAGE)?;
        file.sync_all()?;
        took.push(began.elapsed().as_secs_f64() * 1e6);
    }
    fs::remove_file(path)?;
    Ok(percentile(&took, 0.5))
}

/// The size of a file in bytes.
pub(super) fn size(file: &Path) -> anyhow::Result<f64> {
    let bytes = fs::metadata(file)?.len();
    Ok(float(usize::try_from(bytes)?))
}

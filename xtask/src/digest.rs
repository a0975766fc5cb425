//! Remembers what a step was made from, so that it is not made again.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The mark of one step's inputs, compared with the mark kept from its last success.
pub(crate) struct Mark {
    file: PathBuf,
    text: String,
}

impl Mark {
    /// The mark of `inputs` for the step that keeps its mark in `file`. These tools are an input too:
    /// another build of them may make something else of the same source.
    pub(crate) fn of(file: PathBuf, inputs: &[&[u8]]) -> Result<Self> {
        let mut hasher = DefaultHasher::new();
        let tool = std::env::current_exe()?.metadata()?;
        hasher.write_u128(
            tool.modified()?
                .duration_since(std::time::UNIX_EPOCH)?
                .as_nanos(),
        );
        for input in inputs {
            hasher.write_usize(input.len());
            hasher.write(input);
        }
        Ok(Self {
            file,
            text: format!("{:016x}", hasher.finish()),
        })
    }

    /// Whether the last success had the same inputs.
    pub(crate) fn is_kept(&self) -> bool {
        fs::read_to_string(&self.file).is_ok_and(|kept| kept == self.text)
    }

    /// Records a success.
    pub(crate) fn keep(&self) -> Result<()> {
        write(&self.file, self.text.as_bytes()).map(drop)
    }
}

/// Writes a file only if that changes it, since others rebuild by its time. Says whether it did.
pub(crate) fn write(file: &Path, content: &[u8]) -> Result<bool> {
    if fs::read(file).is_ok_and(|present| present == content) {
        return Ok(false);
    }
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, content).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(true)
}

/// All files under `folder`, as paths below it, in a fixed order.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(next) = waiting.pop() {
        let entries =
            fs::read_dir(&next).with_context(|| format!("cannot list {}", next.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                found.push(path.strip_prefix(folder)?.to_path_buf());
            }
        }
    }
    found.sort();
    Ok(found)
}

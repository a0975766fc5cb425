//! A folder that names from payloads cannot leave, and in which a file is either whole or not there.
//!
//! Names are checked as text first. Then the kernel is told to resolve them beneath the folder and to
//! follow no symbolic link, so that a link someone left inside leads nowhere. A file is written under
//! a passing name, synced, and renamed.

use std::fs::{DirBuilder, File};
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::failure::HandlerError;

const LONGEST_NAME: usize = 255;
/// Do not follow a link, and do not wait for the other end of a pipe.
const CAREFUL: OFlags = OFlags::CLOEXEC
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK);

/// A folder.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

/// Why a file of the folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileFault {
    /// The name is not allowed.
    #[error("{0}")]
    Name(&'static str),
    /// The name leads nowhere, or through something that is no folder.
    #[error("there is no such file")]
    Missing,
    /// It is a link, a folder, a device, a pipe.
    #[error("it is not a regular file")]
    NotRegular,
    /// The disk failed or is full.
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl FileFault {
    /// The error of an attempt that needs the file which the payload's `field` names.
    pub fn of(self, field: &str) -> HandlerError {
        let message = format!("{field}: {self}");
        match self {
            FileFault::Name(_) => HandlerError::invalid(message),
            FileFault::Missing => HandlerError::dead("NotFound", message),
            FileFault::NotRegular => HandlerError::dead("NotAFile", message),
            FileFault::Io(_) => HandlerError::retry("Io", message),
        }
    }
}

impl From<Errno> for FileFault {
    fn from(errno: Errno) -> Self {
        match errno {
            Errno::NOENT | Errno::NOTDIR => FileFault::Missing,
            // A link, a way out, or a socket.
            Errno::LOOP | Errno::XDEV | Errno::NXIO => FileFault::NotRegular,
            other => FileFault::Io(other.into()),
        }
    }
}

impl Folder {
    /// The folder at `path`, which need not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Folder(path.into())
    }

    /// Makes the folder, for this user alone, unless it is there.
    pub fn make(&self) -> io::Result<()> {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.0)
    }

    /// Opens the regular file `name`, which may lie in folders within: `a/b.png`.
    pub fn open(&self, name: &str) -> Result<File, FileFault> {
        check_name(name)?;
        let file = open_beneath(&self.root()?, name)?;
        match FileType::from_raw_mode(rustix::fs::fstat(&file)?.st_mode) {
            FileType::RegularFile => Ok(File::from(file)),
            _ => Err(FileFault::NotRegular),
        }
    }

    /// Writes the file `name` with `bytes`, replacing what was there. Returns when it is synced.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FileFault> {
        check_name(name)?;
        self.make()?;
        let mut folder = self.root()?;
        let (inner, last) = name.rsplit_once('/').unwrap_or(("", name));
        for part in inner.split('/').filter(|part| !part.is_empty()) {
            folder = make_folder(&folder, part)?;
        }
        let passing = format!(".tmp-{:016x}", rand::random::<u64>());
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | CAREFUL;
        let file = rustix::fs::openat(&folder, &passing, flags, Mode::RUSR | Mode::WUSR)?;
        let written = fill(File::from(file), bytes)
            .and_then(|()| Ok(rustix::fs::renameat(&folder, &passing, &folder, last)?))
            .and_then(|()| Ok(rustix::fs::fsync(&folder)?));
        if let Err(error) = written {
            // Also fails where the file has its name already; then there is nothing to remove.
            let _ = rustix::fs::unlinkat(&folder, &passing, AtFlags::empty());
            return Err(error.into());
        }
        Ok(())
    }

    fn root(&self) -> Result<OwnedFd, FileFault> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(rustix::fs::openat(CWD, &self.0, flags, Mode::empty())?)
    }
}

fn fill(mut file: File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    file.sync_all()
}

/// Opens the folder `name` in `folder`, making it if it is not there.
fn make_folder(folder: &OwnedFd, name: &str) -> Result<OwnedFd, FileFault> {
    match rustix::fs::mkdirat(folder, name, Mode::RWXU) {
        Ok(()) | Err(Errno::EXIST) => {}
        Err(error) => return Err(error.into()),
    }
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | CAREFUL;
    Ok(rustix::fs::openat(folder, name, flags, Mode::empty())?)
}

#[cfg(target_os = "linux")]
fn open_beneath(root: &OwnedFd, name: &str) -> Result<OwnedFd, Errno> {
    use rustix::fs::ResolveFlags;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    let flags = OFlags::RDONLY | CAREFUL;
    match rustix::fs::openat2(root, name, flags, Mode::empty(), resolve) {
        // An old kernel, or a sandbox that does not know the call.
        Err(Errno::NOSYS | Errno::PERM) => open_step_by_step(root.as_fd(), name),
        done => done,
    }
}

#[cfg(not(target_os = "linux"))]
fn open_beneath(root: &OwnedFd, name: &str) -> Result<OwnedFd, Errno> {
    open_step_by_step(root.as_fd(), name)
}

/// Opens one part of the name after the other, none of which may be a link. `name` holds no `..`.
fn open_step_by_step(root: impl AsFd, name: &str) -> Result<OwnedFd, Errno> {
    let (folders, last) = name.rsplit_once('/').unwrap_or(("", name));
    let mut folder: Option<OwnedFd> = None;
    for part in folders.split('/').filter(|part| !part.is_empty()) {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | CAREFUL;
        folder = Some(match &folder {
            Some(folder) => rustix::fs::openat(folder, part, flags, Mode::empty())?,
            None => rustix::fs::openat(&root, part, flags, Mode::empty())?,
        });
    }
    let flags = OFlags::RDONLY | CAREFUL;
    match &folder {
        Some(folder) => rustix::fs::openat(folder, last, flags, Mode::empty()),
        None => rustix::fs::openat(&root, last, flags, Mode::empty()),
    }
}

/// Whether `name` is a plain relative name.
fn check_name(name: &str) -> Result<(), FileFault> {
    if name.is_empty() || name.len() > LONGEST_NAME {
        return Err(FileFault::Name("must have 1 to 255 bytes"));
    }
    if name.chars().any(|c| c.is_control() || c == '\\') {
        return Err(FileFault::Name(
            "holds no backslash and no control characters",
        ));
    }
    if name.as_bytes().get(1) == Some(&b':') {
        return Err(FileFault::Name("must not begin with a drive letter"));
    }
    let plain = |part: &str| !matches!(part, "" | "." | "..") && !part.starts_with('-');
    if !name.split('/').all(plain) {
        return Err(FileFault::Name(
            "must be a name relative to the files folder, without .., empty parts or a leading -",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::os::unix::fs::symlink;

    use super::*;

    fn folder() -> (tempfile::TempDir, Folder) {
        let temp = tempfile::tempdir().unwrap();
        let folder = Folder::new(temp.path().join("files"));
        (temp, folder)
    }

    fn text(mut file: File) -> String {
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn a_file_is_written_whole_and_replaced() {
        let (temp, folder) = folder();
        folder.write("a/b/c.txt", b"one").unwrap();
        folder.write("a/b/c.txt", b"two").unwrap();
        assert_eq!(text(folder.open("a/b/c.txt").unwrap()), "two");
        let inside = std::fs::read_dir(temp.path().join("files/a/b")).unwrap();
        assert_eq!(inside.count(), 1);
    }

    #[test]
    fn a_name_that_is_not_plain_is_refused() {
        let (_temp, folder) = folder();
        folder.write("a.txt", b"x").unwrap();
        for name in [
            "",
            "/etc/passwd",
            "..",
            "../a.txt",
            "a/../a.txt",
            "./a.txt",
            "a//b",
            "a/",
            "..\\a.txt",
            "C:a.txt",
            "-rf",
            "a/-rf",
            "a\0b",
            "a\nb",
            &"x".repeat(256),
        ] {
            assert!(
                matches!(folder.open(name), Err(FileFault::Name(_))),
                "{name:?}"
            );
            assert!(
                matches!(folder.write(name, b""), Err(FileFault::Name(_))),
                "{name:?}"
            );
        }
    }

    #[test]
    fn links_folders_and_pipes_are_no_files() {
        let (temp, folder) = folder();
        folder.write("real/a.txt", b"x").unwrap();
        let at = |name: &str| temp.path().join("files").join(name);
        std::fs::write(temp.path().join("secret"), "s").unwrap();
        symlink("../secret", at("link")).unwrap();
        symlink("real/a.txt", at("inner-link")).unwrap();
        symlink("..", at("up")).unwrap();
        symlink("real", at("to-real")).unwrap();
        rustix::fs::mknodat(CWD, at("pipe"), FileType::Fifo, Mode::RWXU, 0).unwrap();
        for name in [
            "link",
            "inner-link",
            "up/secret",
            "to-real/a.txt",
            "real",
            "pipe",
        ] {
            let root = folder.root().unwrap();
            assert!(folder.open(name).is_err(), "{name}");
            let step = open_step_by_step(&root, name)
                .map(|file| FileType::from_raw_mode(rustix::fs::fstat(&file).unwrap().st_mode));
            assert!(!matches!(step, Ok(FileType::RegularFile)), "{name}");
        }
        assert!(matches!(folder.open("none"), Err(FileFault::Missing)));
        assert!(folder.open("real/a.txt").is_ok());
        let root = folder.root().unwrap();
        assert!(open_step_by_step(&root, "real/a.txt").is_ok());
    }

    #[test]
    fn nothing_is_written_through_a_link() {
        let (temp, folder) = folder();
        let outside = temp.path().join("outside");
        std::fs::create_dir(&outside).unwrap();
        folder.write("a", b"x").unwrap();
        symlink(&outside, temp.path().join("files/out")).unwrap();
        assert!(folder.write("out/evil", b"x").is_err());
        assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0);

        std::fs::write(outside.join("kept"), "old").unwrap();
        symlink(outside.join("kept"), temp.path().join("files/file")).unwrap();
        folder.write("file", b"new").unwrap();
        assert_eq!(
            std::fs::read_to_string(outside.join("kept")).unwrap(),
            "old"
        );
    }
}

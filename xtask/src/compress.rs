//! Brotli and gzip forms beside a file, made once so that the server never compresses what does not change.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use flate2::{Compression, GzBuilder};

use crate::digest::{self, Mark};

/// Endings of the files that get smaller.
const TEXT: [&str; 8] = [
    "css",
    "html",
    "js",
    "json",
    "svg",
    "txt",
    "wasm",
    "webmanifest",
];

/// Whether a file of this name gets compressed forms.
pub(crate) fn is_worth_it(file: &Path) -> bool {
    file.extension()
        .and_then(|ending| ending.to_str())
        .is_some_and(|ending| TEXT.contains(&ending))
}

/// The names of the compressed forms of `file`.
pub(crate) fn forms(file: &Path) -> [PathBuf; 2] {
    ["br", "gz"].map(|ending| {
        let mut name = file.as_os_str().to_owned();
        name.push(".");
        name.push(ending);
        name.into()
    })
}

/// Writes both forms of `content` beside `file`, unless `mark` says they are there.
pub(crate) fn write(file: &Path, content: &[u8], mark: &Mark) -> Result<()> {
    let [br, gz] = forms(file);
    if mark.is_kept() && br.is_file() && gz.is_file() {
        return Ok(());
    }
    digest::write(&br, &brotli(content)?)?;
    digest::write(&gz, &gzip(content)?)?;
    mark.keep()
}

/// The strongest setting: it is paid for once, at build time.
fn brotli(content: &[u8]) -> Result<Vec<u8>> {
    let mut writer = brotli::CompressorWriter::new(Vec::new(), 1 << 16, 11, 22);
    writer.write_all(content)?;
    Ok(writer.into_inner())
}

/// Without a time stamp, so that the same input gives the same bytes.
fn gzip(content: &[u8]) -> Result<Vec<u8>> {
    let mut writer = GzBuilder::new()
        .mtime(0)
        .write(Vec::new(), Compression::best());
    writer.write_all(content)?;
    Ok(writer.finish()?)
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::path::Path;

    use super::{brotli, forms, gzip, is_worth_it};

    #[test]
    fn both_forms_give_back_what_went_in() {
        let content = "durable ".repeat(5_000).into_bytes();
        let (mut from_br, mut from_gz) = (Vec::new(), Vec::new());
        let br = brotli(&content).unwrap();
        let gz = gzip(&content).unwrap();
        brotli::Decompressor::new(&*br, 4096)
            .read_to_end(&mut from_br)
            .unwrap();
        flate2::read::GzDecoder::new(&*gz)
            .read_to_end(&mut from_gz)
            .unwrap();
        assert_eq!(from_br, content);
        assert_eq!(from_gz, content);
        assert!(br.len() < 200 && gz.len() < 400);
    }

    #[test]
    fn pictures_are_left_alone() {
        assert!(!is_worth_it(Path::new("a/b.png")));
        assert!(is_worth_it(Path::new("pkg/conveyor.wasm")));
        assert_eq!(forms(Path::new("a/b.css"))[0], Path::new("a/b.css.br"));
    }
}

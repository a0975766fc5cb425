//! `image.resize`: makes a picture of another size or format.
//!
//! A picture is hostile input: a small file can claim a huge size. Its format is told from its bytes,
//! its size from its header, and both are judged before anything is decoded. The work itself is one
//! plain function from bytes to bytes (`work`), so that it can be moved into a process of its own.

use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;
use url::Url;

use super::egress::{Ask, Egress};
use super::failure::HandlerError;
use super::files::Folder;
use super::run::Run;

mod decode;
mod encode;
mod size;
mod work;

/// The largest source in bytes: 25 MiB.
const MOST_BYTES: usize = 25 << 20;
/// How long a source may take to come.
const FETCH: Duration = Duration::from_mins(1);
/// Megapixels that are worked on at once, which bounds the memory of all attempts together.
const MOST_MEGAPIXELS: u32 = 64;

/// What `image.resize` needs.
pub struct ImageResize {
    /// Sources by name, and the folder of the results.
    pub files: Folder,
    /// The way to sources by URL.
    pub egress: Arc<Egress>,
    room: Arc<Semaphore>,
}

/// The payload of `image.resize`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with source and a size")]
pub struct Resize {
    /// A file under the files folder, or an `http:` or `https:` URL.
    source: String,
    #[serde(default)]
    width: Option<u32>,
    #[serde(default)]
    height: Option<u32>,
    #[serde(default)]
    fit: Fit,
    /// The source's own unless said otherwise.
    #[serde(default)]
    format: Option<Format>,
    /// Of a JPEG, 1 to 100; 85 unless said otherwise.
    #[serde(default)]
    quality: Option<u8>,
}

/// How a picture is brought to a size of another shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Fit {
    /// All of it is shown; one side may be shorter than asked.
    #[default]
    Contain,
    /// The size is filled; what sticks out at two sides is cut off.
    Cover,
    /// It is stretched.
    Fill,
}

/// A format that can be read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Format {
    #[serde(alias = "jpg")]
    Jpeg,
    Png,
    Webp,
}

/// The result of `image.resize`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ResizeResult {
    /// The new file, relative to the files folder.
    path: String,
    width: u32,
    height: u32,
    /// Its size.
    bytes: usize,
    format: Format,
}

impl ImageResize {
    /// Reads sources from `files` and `egress`, writes results into `files`.
    pub fn new(files: Folder, egress: Arc<Egress>) -> Self {
        let room = usize::try_from(MOST_MEGAPIXELS).unwrap_or(1);
        ImageResize {
            files,
            egress,
            room: Arc::new(Semaphore::new(room)),
        }
    }

    /// Makes the picture.
    pub async fn resize(&self, resize: Resize, run: Run<'_>) -> Result<ResizeResult, HandlerError> {
        size::check(&resize)?;
        run.progress(5.0, "reading the source");
        let bytes = self.source(&resize.source, &run).await?;
        let (bytes, plan) = run.blocking(move || work::plan(bytes, &resize)).await??;
        let (from, to) = (plan.source_size, plan.size);
        run.info(&format!(
            "{} × {} becomes {} × {}",
            from.0, from.1, to.0, to.1
        ));

        run.progress(30.0, "waiting for room");
        // The semaphore is never closed.
        let room = self
            .room
            .acquire_many(plan.megapixels(MOST_MEGAPIXELS))
            .await
            .ok();
        run.check_cancelled()?;
        run.progress(40.0, "resizing");
        let (format, path) = (
            plan.format,
            format!("resized/{}.{}", run.id, plan.extension()),
        );
        let made = run.blocking(move || work::make(&bytes, &plan)).await??;
        drop(room);
        run.check_cancelled()?;

        run.progress(90.0, "writing the result");
        let (files, name, size) = (self.files.clone(), path.clone(), made.len());
        run.blocking(move || files.write(&name, &made))
            .await?
            .map_err(|fault| fault.of("result"))?;
        run.progress(100.0, "done");
        Ok(ResizeResult {
            path,
            width: to.0,
            height: to.1,
            bytes: size,
            format,
        })
    }

    async fn source(&self, source: &str, run: &Run<'_>) -> Result<Vec<u8>, HandlerError> {
        let scheme = source.split_once("://").map(|(scheme, _)| scheme);
        if scheme.is_some() {
            let url = Url::parse(source)
                .map_err(|error| HandlerError::invalid(format!("source: {error}")))?;
            return self.fetch(url, run).await;
        }
        let (files, name) = (self.files.clone(), source.to_owned());
        run.blocking(move || read_file(&files, &name)).await?
    }

    async fn fetch(&self, url: Url, run: &Run<'_>) -> Result<Vec<u8>, HandlerError> {
        let ask = Ask {
            method: reqwest::Method::GET,
            url,
            headers: reqwest::header::HeaderMap::new(),
            own_headers: reqwest::header::HeaderMap::new(),
            body: None,
            total: FETCH,
            most: MOST_BYTES,
        };
        let answer = self.egress.send(ask, run.cancel).await?;
        answer.check_status(run.now)?;
        if answer.truncated {
            return Err(too_large());
        }
        Ok(answer.body)
    }
}

fn read_file(files: &Folder, name: &str) -> Result<Vec<u8>, HandlerError> {
    let file = files.open(name).map_err(|fault| fault.of("source"))?;
    let most = u64::try_from(MOST_BYTES).unwrap_or(u64::MAX);
    let mut bytes = Vec::new();
    file.take(most + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| HandlerError::local("source", &error))?;
    if bytes.len() > MOST_BYTES {
        return Err(too_large());
    }
    Ok(bytes)
}

fn too_large() -> HandlerError {
    HandlerError::dead("TooLarge", "source: has more than 25 MiB")
}

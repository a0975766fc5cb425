//! From bytes to pixels, with every size judged before memory is taken.

use std::io::Cursor;

use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

use super::Format;
use super::size::{LONGEST_SIDE, MOST_PIXELS, Size, is_allowed};
use crate::worker::handlers::failure::HandlerError;

/// The most bytes of pixels, and of memory that a decoder takes for them.
const MOST_MEMORY: u64 = 256 << 20;
/// The longest colour profile that is kept.
const LONGEST_PROFILE: usize = 1 << 20;

/// What the head of a picture says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub(super) format: Format,
    /// As it is stored, before it is turned.
    pub(super) size: Size,
    pub(super) orientation: Orientation,
}

/// Pixels and what belongs to them.
pub(super) struct Picture {
    pub(super) pixels: DynamicImage,
    pub(super) profile: Option<Vec<u8>>,
}

/// Reads the head and judges it.
pub(super) fn head(bytes: &[u8]) -> Result<Head, HandlerError> {
    let format = sniff(bytes)?;
    let mut decoder = decoder(bytes, format)?;
    Ok(Head {
        format,
        size: decoder.dimensions(),
        // A picture whose notes are damaged is shown as it is stored.
        orientation: decoder.orientation().unwrap_or(Orientation::NoTransforms),
    })
}

/// Reads the pixels.
pub(super) fn picture(bytes: &[u8], format: Format) -> Result<Picture, HandlerError> {
    let mut decoder = decoder(bytes, format)?;
    let profile = decoder
        .icc_profile()
        .ok()
        .flatten()
        .filter(|profile| profile.len() <= LONGEST_PROFILE);
    let pixels = DynamicImage::from_decoder(decoder).map_err(|error| damaged(&error))?;
    Ok(Picture { pixels, profile })
}

/// The format, by the first bytes and nothing else.
fn sniff(bytes: &[u8]) -> Result<Format, HandlerError> {
    match image::guess_format(bytes) {
        Ok(ImageFormat::Jpeg) => Ok(Format::Jpeg),
        Ok(ImageFormat::Png) => Ok(Format::Png),
        Ok(ImageFormat::WebP) => Ok(Format::Webp),
        Ok(_) | Err(_) => Err(HandlerError::dead(
            "UnsupportedFormat",
            "source: is not a JPEG, PNG or WebP picture",
        )),
    }
}

fn decoder(bytes: &[u8], format: Format) -> Result<impl ImageDecoder + '_, HandlerError> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format.into());
    reader.limits(limits());
    let mut decoder = reader.into_decoder().map_err(|error| damaged(&error))?;
    let (width, height) = decoder.dimensions();
    if !is_allowed((width, height)) {
        return Err(HandlerError::dead(
            "TooLarge",
            format!(
                "source: has {width} × {height} pixels; at most {LONGEST_SIDE} a side and {} \
                 million in all are allowed",
                MOST_PIXELS / 1_000_000
            ),
        ));
    }
    // Checked here too, since not every decoder keeps to its limits.
    if decoder.total_bytes() > MOST_MEMORY {
        return Err(HandlerError::dead(
            "TooLarge",
            "source: needs more than 256 MiB of memory",
        ));
    }
    decoder
        .set_limits(limits())
        .map_err(|error| damaged(&error))?;
    Ok(decoder)
}

fn limits() -> Limits {
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MOST_MEMORY);
    limits
}

fn damaged(error: &ImageError) -> HandlerError {
    let class = match error {
        ImageError::Limits(_) => "TooLarge",
        _ => "BadImage",
    };
    HandlerError::dead(class, "source: the picture cannot be read").with_detail(&error.to_string())
}

impl From<Format> for ImageFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::Jpeg => ImageFormat::Jpeg,
            Format::Png => ImageFormat::Png,
            Format::Webp => ImageFormat::WebP,
        }
    }
}

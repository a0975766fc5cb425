//! The work itself, from bytes to bytes, without files, network or clock.

use fast_image_resize::{ResizeOptions, Resizer};
use image::DynamicImage;
use image::metadata::Orientation;

use super::decode::{self, Picture};
use super::size::{self, Size, is_allowed, pixels};
use super::{Fit, Format, Resize, encode};
use crate::worker::handlers::failure::HandlerError;

const USUAL_QUALITY: u8 = 85;

/// What is to be made of a source.
pub(super) struct Plan {
    source_format: Format,
    orientation: Orientation,
    fit: Fit,
    quality: u8,
    /// The source as people see it, after it is turned.
    pub(super) source_size: Size,
    /// The result.
    pub(super) size: Size,
    pub(super) format: Format,
}

/// Decides by the head of a source what is to be made of it. Gives the source back.
pub(super) fn plan(bytes: Vec<u8>, resize: &Resize) -> Result<(Vec<u8>, Plan), HandlerError> {
    let head = decode::head(&bytes)?;
    let source_size = turned(head.size, head.orientation);
    let size = size::result(source_size, resize);
    if !is_allowed(size) {
        return Err(HandlerError::invalid(format!(
            "width: the result would have {} × {} pixels; at most 12000 a side and 50 million in \
             all are allowed",
            size.0, size.1
        )));
    }
    let plan = Plan {
        source_format: head.format,
        orientation: head.orientation,
        fit: resize.fit,
        quality: resize.quality.unwrap_or(USUAL_QUALITY),
        source_size,
        size,
        format: resize.format.unwrap_or(head.format),
    };
    Ok((bytes, plan))
}

/// Makes the result.
pub(super) fn make(bytes: &[u8], plan: &Plan) -> Result<Vec<u8>, HandlerError> {
    let source = decode::picture(bytes, plan.source_format)?;
    // Turned last: the result is smaller than the source most of the time.
    let size = turned(plan.size, plan.orientation);
    let mut pixels = scale(source.pixels, size, plan.fit)?;
    pixels.apply_orientation(plan.orientation);
    let result = Picture {
        pixels,
        profile: source.profile,
    };
    encode::encode(result, plan.format, plan.quality)
}

fn scale(source: DynamicImage, size: Size, fit: Fit) -> Result<DynamicImage, HandlerError> {
    if (source.width(), source.height()) == size {
        return Ok(source);
    }
    let mut scaled = DynamicImage::new(size.0, size.1, source.color());
    let options = match fit {
        Fit::Contain | Fit::Fill => ResizeOptions::new(),
        Fit::Cover => ResizeOptions::new().fit_into_destination(Some((0.5, 0.5))),
    };
    Resizer::new()
        .resize(&source, &mut scaled, &options)
        .map_err(|error| HandlerError::dead("BadImage", format!("source: {error}")))?;
    Ok(scaled)
}

/// A size with its sides exchanged where the orientation lays the picture on its side.
fn turned((width, height): Size, orientation: Orientation) -> Size {
    match orientation {
        Orientation::Rotate90
        | Orientation::Rotate270
        | Orientation::Rotate90FlipH
        | Orientation::Rotate270FlipH => (height, width),
        Orientation::NoTransforms
        | Orientation::Rotate180
        | Orientation::FlipHorizontal
        | Orientation::FlipVertical => (width, height),
    }
}

impl Plan {
    /// The larger of source and result in megapixels, at least 1 and at most `most`.
    pub(super) fn megapixels(&self, most: u32) -> u32 {
        let larger = pixels(self.source_size).max(pixels(self.size));
        u32::try_from(larger.div_ceil(1_000_000)).map_or(most, |n| n.clamp(1, most))
    }

    /// How the result's file name ends.
    pub(super) fn extension(&self) -> &'static str {
        match self.format {
            Format::Jpeg => "jpg",
            Format::Png => "png",
            Format::Webp => "webp",
        }
    }
}

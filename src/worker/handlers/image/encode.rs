//! From pixels to bytes. Notes such as place and camera are left behind; the colour profile is kept,
//! since without it colours would change.

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::codecs::webp::WebPEncoder;
use image::{DynamicImage, ImageEncoder, ImageResult, Rgb, RgbImage};

use super::Format;
use super::decode::Picture;
use crate::worker::handlers::failure::HandlerError;

/// Writes a picture.
pub(super) fn encode(
    picture: Picture,
    format: Format,
    quality: u8,
) -> Result<Vec<u8>, HandlerError> {
    let pixels = plain(picture.pixels, format);
    let profile = picture.profile.filter(|profile| fits(profile, &pixels));
    let mut bytes = Vec::new();
    let written = match format {
        Format::Jpeg => {
            let encoder = JpegEncoder::new_with_quality(&mut bytes, quality);
            write(&pixels, encoder, profile)
        }
        Format::Png => write(&pixels, PngEncoder::new(&mut bytes), profile),
        Format::Webp => write(&pixels, WebPEncoder::new_lossless(&mut bytes), profile),
    };
    written.map_err(|error| HandlerError::dead("BadImage", format!("result: {error}")))?;
    Ok(bytes)
}

fn write(
    pixels: &DynamicImage,
    mut encoder: impl ImageEncoder,
    profile: Option<Vec<u8>>,
) -> ImageResult<()> {
    if let Some(profile) = profile {
        // A format that has no place for it goes without.
        let _ = encoder.set_icc_profile(profile);
    }
    pixels.write_with_encoder(encoder)
}

/// Eight bits a channel, which every format can hold; without alpha where the format has none.
fn plain(pixels: DynamicImage, format: Format) -> DynamicImage {
    let color = pixels.color();
    match (color.has_color(), color.has_alpha()) {
        (false, false) => DynamicImage::ImageLuma8(pixels.into_luma8()),
        (true, false) => DynamicImage::ImageRgb8(pixels.into_rgb8()),
        (_, true) if format == Format::Jpeg => DynamicImage::ImageRgb8(on_white(&pixels)),
        (false, true) => DynamicImage::ImageLumaA8(pixels.into_luma_alpha8()),
        (true, true) => DynamicImage::ImageRgba8(pixels.into_rgba8()),
    }
}

fn on_white(pixels: &DynamicImage) -> RgbImage {
    let pixels = pixels.to_rgba8();
    RgbImage::from_fn(pixels.width(), pixels.height(), |x, y| {
        let [r, g, b, alpha] = pixels.get_pixel(x, y).0;
        let alpha = u32::from(alpha);
        Rgb([r, g, b].map(|c| {
            let mixed = (u32::from(c) * alpha + 255 * (255 - alpha) + 127) / 255;
            u8::try_from(mixed).unwrap_or(u8::MAX)
        }))
    })
}

/// Whether a profile speaks of the channels that the picture has: its head says so in four letters.
fn fits(profile: &[u8], pixels: &DynamicImage) -> bool {
    let channels: &[u8] = if pixels.color().has_color() {
        b"RGB "
    } else {
        b"GRAY"
    };
    profile.get(16..20) == Some(channels)
}

//! Pictures for the demo, drawn at the first start, so that the binary need not carry any.

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::codecs::webp::WebPEncoder;
use image::{DynamicImage, ImageResult, Rgb, RgbImage, Rgba, RgbaImage};

use crate::worker::handlers::files::{FileFault, Folder};

/// Their names in the files folder.
pub(super) const NAMES: [&str; 3] = ["demo/harbour.jpg", "demo/badge.png", "demo/tiles.webp"];

/// Draws those that are not there.
pub(super) fn draw(files: &Folder) -> Result<(), FileFault> {
    let painters: [fn() -> ImageResult<Vec<u8>>; 3] = [harbour, badge, tiles];
    for (name, paint) in NAMES.into_iter().zip(painters) {
        if files.open(name).is_err() {
            let bytes = paint().map_err(std::io::Error::other)?;
            files.write(name, &bytes)?;
        }
    }
    Ok(())
}

/// A low sun over water.
fn harbour() -> ImageResult<Vec<u8>> {
    let picture = RgbImage::from_fn(1200, 800, |x, y| {
        let (dx, dy) = (x.abs_diff(820), y.abs_diff(430));
        let far = dx * dx + dy * dy;
        if y < 500 && far < 90 * 90 {
            return Rgb([255, 236, 190]);
        }
        let glow = 120_u32.saturating_sub(far / 900);
        if y < 500 {
            return Rgb([
                byte(90 + y / 4 + glow),
                byte(110 + y / 5 + glow / 2),
                byte(190 - y / 8),
            ]);
        }
        let wave = (x / 3 + y * y / 700) % 23;
        let shine = if dx < 40 + (y - 500) / 2 { 60 } else { 0 };
        Rgb([
            byte(40 + wave + shine),
            byte(70 + wave + shine),
            byte(120 + wave),
        ])
    });
    let mut bytes = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut bytes, 88);
    DynamicImage::ImageRgb8(picture).write_with_encoder(encoder)?;
    Ok(bytes)
}

/// Rings with nothing around them.
fn badge() -> ImageResult<Vec<u8>> {
    let picture = RgbaImage::from_fn(640, 640, |x, y| {
        let (dx, dy) = (x.abs_diff(320), y.abs_diff(320));
        match (dx * dx + dy * dy).isqrt() {
            r @ 0..=300 if r % 100 < 60 => Rgba([byte(40 + r / 2), 110, byte(230 - r / 2), 255]),
            0..=300 => Rgba([245, 245, 250, 255]),
            _ => Rgba([0, 0, 0, 0]),
        }
    });
    let mut bytes = Vec::new();
    DynamicImage::ImageRgba8(picture).write_with_encoder(PngEncoder::new(&mut bytes))?;
    Ok(bytes)
}

/// Tiles of many colours.
fn tiles() -> ImageResult<Vec<u8>> {
    let picture = RgbImage::from_fn(900, 600, |x, y| {
        if x % 60 < 3 || y % 60 < 3 {
            return Rgb([250, 250, 250]);
        }
        let (column, row) = (x / 60, y / 60);
        let tone = (column * 37 + row * 91) % 160;
        Rgb([byte(60 + tone), byte(200 - tone / 2), byte(90 + row * 12)])
    });
    let mut bytes = Vec::new();
    DynamicImage::ImageRgb8(picture).write_with_encoder(WebPEncoder::new_lossless(&mut bytes))?;
    Ok(bytes)
}

fn byte(n: u32) -> u8 {
    u8::try_from(n).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_drawn_once() {
        let temp = tempfile::tempdir().unwrap();
        let files = Folder::new(temp.path());
        draw(&files).unwrap();
        files.write(NAMES[1], b"kept").unwrap();
        draw(&files).unwrap();
        for (name, size) in [(NAMES[0], (1200, 800)), (NAMES[2], (900, 600))] {
            let bytes = std::fs::read(temp.path().join(name)).unwrap();
            let picture = image::load_from_memory(&bytes).unwrap();
            assert_eq!((picture.width(), picture.height()), size);
        }
        assert_eq!(std::fs::read(temp.path().join(NAMES[1])).unwrap(), b"kept");
    }
}

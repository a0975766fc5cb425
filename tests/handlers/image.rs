//! `image.resize`: sizes, fits, formats, turned pictures, and pictures made to do harm.

use std::io::Cursor;
use std::path::PathBuf;

use conveyor::worker::handlers::failure::{HandlerError, Then};
use conveyor::worker::handlers::files::Folder;
use conveyor::worker::handlers::image::{ImageResize, ResizeResult};
use conveyor::worker::handlers::run;
use conveyor_model::json::JsonText;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::support::{Told, attempt, open_egress, serve};

const RED: Rgb<u8> = Rgb([220, 20, 20]);
const GREEN: Rgb<u8> = Rgb([20, 220, 20]);
const BLUE: Rgb<u8> = Rgb([20, 20, 220]);
const WHITE: Rgb<u8> = Rgb([255, 255, 255]);

struct Studio {
    temp: TempDir,
    handler: ImageResize,
}

impl Studio {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let files = Folder::new(temp.path().join("files"));
        let handler = ImageResize::new(files, open_egress(Vec::new()));
        Studio { temp, handler }
    }

    fn with(name: &str, bytes: &[u8]) -> Self {
        let studio = Studio::new();
        studio.handler.files.write(name, bytes).unwrap();
        studio
    }

    fn path(&self, name: &str) -> PathBuf {
        self.temp.path().join("files").join(name)
    }

    async fn resize(&self, payload: Value) -> Result<ResizeResult, HandlerError> {
        let (cancel, told) = (CancellationToken::new(), Told::default());
        let resize = run::read(&JsonText::of(&payload).unwrap())?;
        self.handler
            .resize(resize, attempt(9, &cancel, &told))
            .await
    }

    /// Resizes, checks that the result tells the truth, and opens it.
    async fn picture(&self, payload: Value) -> DynamicImage {
        let result = serde_json::to_value(self.resize(payload).await.unwrap()).unwrap();
        let bytes = std::fs::read(self.path(result["path"].as_str().unwrap())).unwrap();
        let picture = image::load_from_memory(&bytes).unwrap();
        assert_eq!(result["width"], picture.width());
        assert_eq!(result["height"], picture.height());
        assert_eq!(result["bytes"], bytes.len());
        picture
    }
}

/// 64 × 32: red and green above blue and white.
fn quarters() -> DynamicImage {
    DynamicImage::ImageRgb8(RgbImage::from_fn(64, 32, |x, y| match (x < 32, y < 16) {
        (true, true) => RED,
        (false, true) => GREEN,
        (true, false) => BLUE,
        (false, false) => WHITE,
    }))
}

fn encoded(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// The quarters of a picture in reading order, by one letter each.
fn letters(picture: &DynamicImage) -> String {
    let rgb = picture.to_rgb8();
    let (w, h) = rgb.dimensions();
    [
        (w / 4, h / 4),
        (3 * w / 4, h / 4),
        (w / 4, 3 * h / 4),
        (3 * w / 4, 3 * h / 4),
    ]
    .map(|(x, y)| match rgb.get_pixel(x, y).0.map(|c| c > 128) {
        [true, false, false] => 'R',
        [false, true, false] => 'G',
        [false, false, true] => 'B',
        [true, true, true] => 'W',
        _ => '?',
    })
    .iter()
    .collect()
}

#[tokio::test]
async fn each_fit_shapes_the_picture_its_own_way() {
    let studio = Studio::with("q.png", &encoded(&quarters(), ImageFormat::Png));
    let fit = |fit| json!({"source": "q.png", "width": 32, "height": 32, "fit": fit});
    let contain = studio.picture(fit("contain")).await;
    assert_eq!((contain.width(), contain.height()), (32, 16));
    assert_eq!(letters(&contain), "RGBW");

    let cover = studio.picture(fit("cover")).await.to_rgb8();
    assert_eq!(cover.dimensions(), (32, 32));
    // The middle 32 × 32 of the source at its own scale: the border is in the middle.
    assert_eq!(
        (*cover.get_pixel(14, 0), *cover.get_pixel(17, 0)),
        (RED, GREEN)
    );
    assert_eq!(
        (*cover.get_pixel(14, 31), *cover.get_pixel(17, 31)),
        (BLUE, WHITE)
    );

    let fill = studio.picture(fit("fill")).await;
    assert_eq!((fill.width(), fill.height()), (32, 32));
    assert_eq!(letters(&fill), "RGBW");
}

#[tokio::test]
async fn one_side_or_none_keeps_the_shape() {
    let studio = Studio::with("a/q.png", &encoded(&quarters(), ImageFormat::Png));
    let narrow = studio
        .picture(json!({"source": "a/q.png", "width": 16}))
        .await;
    assert_eq!((narrow.width(), narrow.height()), (16, 8));
    let same = studio.picture(json!({"source": "a/q.png"})).await;
    assert_eq!(same, quarters());
}

#[tokio::test]
async fn every_format_is_read_and_written() {
    for (from, name) in [
        (ImageFormat::Jpeg, "a.dat"),
        (ImageFormat::Png, "b"),
        (ImageFormat::WebP, "c.png"),
    ] {
        let studio = Studio::with(name, &encoded(&quarters(), from));
        for (to, extension) in [("jpeg", "jpg"), ("png", "png"), ("webp", "webp")] {
            let payload = json!({"source": name, "width": 32, "format": to, "quality": 90});
            let picture = studio.picture(payload).await;
            assert_eq!(letters(&picture), "RGBW", "{from:?} to {to}");
            let bytes = std::fs::read(studio.path(&format!("resized/9.{extension}"))).unwrap();
            let told = image::guess_format(&bytes).unwrap();
            assert!(told.extensions_str().contains(&extension), "{told:?}");
        }
    }
}

#[tokio::test]
async fn a_lower_quality_makes_a_smaller_file() {
    let noise = RgbImage::from_fn(128, 128, |x, y| {
        Rgb([(x * 7) ^ (y * 13), (x * 31) ^ (y * 3), x * y].map(|n| u8::try_from(n % 256).unwrap()))
    });
    let studio = Studio::with("n.png", &encoded(&noise.into(), ImageFormat::Png));
    let mut sizes = Vec::new();
    for quality in [10, 60, 95] {
        let payload = json!({"source": "n.png", "format": "jpg", "quality": quality});
        let result = studio.resize(payload).await.unwrap();
        sizes.push(
            serde_json::to_value(result).unwrap()["bytes"]
                .as_u64()
                .unwrap(),
        );
    }
    assert!(sizes.is_sorted_by(|a, b| a < b), "{sizes:?}");
}

#[tokio::test]
async fn what_is_seen_through_becomes_white_where_the_format_has_no_alpha() {
    let clear = RgbaImage::from_pixel(8, 8, Rgba([200, 0, 0, 0]));
    let studio = Studio::with("c.png", &encoded(&clear.into(), ImageFormat::Png));
    let jpeg = studio
        .picture(json!({"source": "c.png", "format": "jpeg"}))
        .await;
    assert!(
        jpeg.to_rgb8()
            .pixels()
            .all(|p| p.0.iter().all(|c| *c > 250))
    );
    let png = studio.picture(json!({"source": "c.png", "width": 4})).await;
    assert!(png.color().has_alpha());
}

/// A JPEG with an EXIF note that says how it is turned.
fn turned(orientation: u8) -> Vec<u8> {
    let jpeg = encoded(&quarters(), ImageFormat::Jpeg);
    let mut note = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0".to_vec();
    note.extend([orientation, 0, 0, 0, 0, 0, 0]);
    let length = u16::try_from(note.len() + 2).unwrap().to_be_bytes();
    [&jpeg[..2], &[0xff, 0xe1], &length, &note, &jpeg[2..]].concat()
}

#[tokio::test]
async fn a_turned_picture_is_set_upright() {
    for (orientation, expected) in [
        (1, "RGBW"),
        (2, "GRWB"),
        (3, "WBGR"),
        (4, "BWRG"),
        (5, "RBGW"),
        (6, "BRWG"),
        (7, "WGBR"),
        (8, "GWRB"),
    ] {
        let studio = Studio::with("t.jpg", &turned(orientation));
        let picture = studio
            .picture(json!({"source": "t.jpg", "height": 40}))
            .await;
        assert_eq!(letters(&picture), expected, "orientation {orientation}");
        let lies = orientation >= 5;
        assert_eq!(picture.width(), if lies { 20 } else { 80 }, "{orientation}");
    }
}

async fn refused(bytes: &[u8], payload: Value) -> HandlerError {
    let studio = Studio::with("x", bytes);
    let error = studio.resize(payload).await.unwrap_err();
    assert_eq!(error.then, Then::Die, "{error:?}");
    assert!(!studio.path("resized").exists());
    error
}

/// A PNG whose head claims a size that its few bytes do not hold.
fn claiming(width: u32, height: u32, depth: u8) -> Vec<u8> {
    let small = RgbaImage::new(1, 1);
    let mut bytes = encoded(&small.into(), ImageFormat::Png);
    bytes[16..20].copy_from_slice(&width.to_be_bytes());
    bytes[20..24].copy_from_slice(&height.to_be_bytes());
    bytes[24] = depth;
    let crc = crc32(&bytes[12..29]).to_be_bytes();
    bytes[29..33].copy_from_slice(&crc);
    bytes
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 * (crc & 1))
        })
    })
}

#[tokio::test]
async fn a_small_file_that_claims_a_huge_size_is_refused() {
    let source = json!({"source": "x", "width": 10});
    for (width, height, depth) in [(50_000, 50_000, 8), (12_001, 1, 8), (8_000, 8_000, 8)] {
        let error = refused(&claiming(width, height, depth), source.clone()).await;
        assert_eq!(error.failure.class, "TooLarge", "{error:?}");
    }
    // Few enough pixels, but eight bytes each.
    let error = refused(&claiming(7_000, 7_000, 16), source.clone()).await;
    assert_eq!(error.failure.class, "TooLarge", "{error:?}");
    assert!(error.failure.message.contains("256 MiB"), "{error:?}");

    let mut jpeg = encoded(&quarters(), ImageFormat::Jpeg);
    let frame = jpeg.windows(2).position(|w| w == [0xff, 0xc0]).unwrap();
    jpeg[frame + 5..frame + 9].copy_from_slice(&[0xff; 4]);
    assert_eq!(
        refused(&jpeg, source.clone()).await.failure.class,
        "TooLarge"
    );

    let mut webp = encoded(&quarters(), ImageFormat::WebP);
    // The lossless stream begins behind its 20 bytes of head and one of signature: 14 bits a side.
    let frame = webp.windows(4).position(|w| w == b"VP8L").unwrap() + 9;
    webp[frame..frame + 4].copy_from_slice(&[0xff, 0xff, 0xff, 0x0f]);
    assert_eq!(refused(&webp, source).await.failure.class, "TooLarge");
}

#[tokio::test]
async fn a_result_cannot_be_huge_either() {
    let tall = RgbImage::new(10, 1_000);
    let png = encoded(&tall.into(), ImageFormat::Png);
    for ask in [
        json!({"source": "x", "width": 12_001}),
        json!({"source": "x", "width": 500}),
        json!({"source": "x", "width": 12_000, "height": 12_000, "fit": "fill"}),
    ] {
        let error = refused(&png, ask.clone()).await;
        assert_eq!(error.failure.class, "InvalidPayload", "{ask}");
    }
}

#[tokio::test]
async fn what_is_no_picture_dies_at_once() {
    let source = json!({"source": "x", "width": 10});
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'/>";
    for bytes in [
        svg.as_slice(),
        b"",
        b"GIF89a\x01\0\x01\0\0\0\0;",
        b"BM",
        b"#!/bin/sh",
    ] {
        let error = refused(bytes, source.clone()).await;
        assert_eq!(error.failure.class, "UnsupportedFormat", "{bytes:?}");
    }
    for format in [ImageFormat::Png, ImageFormat::WebP] {
        let whole = encoded(&quarters(), format);
        let half = &whole[..whole.len() / 2];
        let error = refused(half, source.clone()).await;
        assert_eq!(error.failure.class, "BadImage", "{format:?}");
    }
    let large = vec![0; (25 << 20) + 1];
    assert_eq!(refused(&large, source).await.failure.class, "TooLarge");
}

#[tokio::test]
async fn a_source_outside_its_folder_is_not_found() {
    let studio = Studio::with("q.png", &encoded(&quarters(), ImageFormat::Png));
    std::fs::write(studio.temp.path().join("outside.png"), "x").unwrap();
    std::os::unix::fs::symlink("../outside.png", studio.path("link.png")).unwrap();
    for (source, class) in [
        ("../outside.png", "InvalidPayload"),
        ("/etc/passwd", "InvalidPayload"),
        ("a/../../outside.png", "InvalidPayload"),
        ("..\\outside.png", "InvalidPayload"),
        ("-x.png", "InvalidPayload"),
        ("", "InvalidPayload"),
        ("link.png", "NotAFile"),
        ("resized", "NotFound"),
        ("%2e%2e/outside.png", "NotFound"),
        ("file:/etc/passwd", "NotFound"),
        ("file:///etc/passwd", "Blocked"),
    ] {
        let error = studio.resize(json!({"source": source})).await.unwrap_err();
        assert_eq!(error.failure.class, class, "{source}: {error:?}");
        assert_eq!(error.then, Then::Die);
    }
    for payload in [
        json!({}),
        json!({"source": "q.png", "fit": "x"}),
        json!({"source": 1}),
    ] {
        let error = studio.resize(payload).await.unwrap_err();
        assert_eq!(error.failure.class, "InvalidPayload");
    }
}

#[tokio::test]
async fn a_source_can_be_fetched() {
    use axum::http::StatusCode;
    use axum::routing::get;
    let png = encoded(&quarters(), ImageFormat::Png);
    let router = axum::Router::new()
        .route("/q", get(|| async { png }))
        .route("/large", get(|| async { vec![0u8; (25 << 20) + 1] }))
        .route("/busy", get(|| async { StatusCode::SERVICE_UNAVAILABLE }));
    let base = format!("http://{}", serve(router).await);
    let studio = Studio::new();
    let picture = studio
        .picture(json!({"source": format!("{base}/q"), "width": 32}))
        .await;
    assert_eq!(letters(&picture), "RGBW");
    for (path, class, then) in [
        ("large", "TooLarge", Then::Die),
        ("gone", "Status404", Then::Die),
        ("busy", "Status503", Then::Retry),
    ] {
        let payload = json!({"source": format!("{base}/{path}")});
        let error = studio.resize(payload).await.unwrap_err();
        assert_eq!((error.failure.class.as_str(), error.then), (class, then));
    }
}

#[tokio::test]
async fn a_private_source_is_blocked() {
    use conveyor::worker::handlers::egress::{Egress, Rules};
    let temp = tempfile::tempdir().unwrap();
    let egress = Egress::new(Rules::default()).unwrap().into();
    let handler = ImageResize::new(Folder::new(temp.path()), egress);
    let (cancel, told) = (CancellationToken::new(), Told::default());
    let resize = serde_json::from_value(json!({"source": "http://127.0.0.1/a.png"})).unwrap();
    let error = handler
        .resize(resize, attempt(1, &cancel, &told))
        .await
        .unwrap_err();
    assert_eq!(error.failure.class, "Blocked");
}

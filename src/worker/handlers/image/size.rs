//! Sizes: which are allowed, and which one follows from what was asked.

use super::{Fit, Resize};
use crate::worker::handlers::failure::HandlerError;

/// The longest side, of sources and results.
pub(super) const LONGEST_SIDE: u32 = 12_000;
/// The most pixels, of sources and results.
pub(super) const MOST_PIXELS: u64 = 50_000_000;

/// Width and height.
pub(super) type Size = (u32, u32);

/// Whether the numbers of a payload can be used at all.
pub(super) fn check(resize: &Resize) -> Result<(), HandlerError> {
    for (field, side) in [("width", resize.width), ("height", resize.height)] {
        if side.is_some_and(|side| !(1..=LONGEST_SIDE).contains(&side)) {
            return Err(HandlerError::invalid(format!(
                "{field}: must be a whole number from 1 to {LONGEST_SIDE}"
            )));
        }
    }
    if resize
        .quality
        .is_some_and(|quality| !(1..=100).contains(&quality))
    {
        return Err(HandlerError::invalid(
            "quality: must be a whole number from 1 to 100",
        ));
    }
    Ok(())
}

/// Whether a picture of this size is small enough.
pub(super) fn is_allowed((width, height): Size) -> bool {
    let sides = 1..=LONGEST_SIDE;
    sides.contains(&width) && sides.contains(&height) && pixels((width, height)) <= MOST_PIXELS
}

/// How many pixels that is.
pub(super) fn pixels((width, height): Size) -> u64 {
    u64::from(width) * u64::from(height)
}

/// The size of the result of a source of size `from`. With one side given the other follows from the
/// source's shape; with none the size stays.
pub(super) fn result(from: Size, resize: &Resize) -> Size {
    match (resize.width, resize.height) {
        (None, None) => from,
        (Some(width), None) => (width, scaled(from.1, width, from.0)),
        (None, Some(height)) => (scaled(from.0, height, from.1), height),
        (Some(width), Some(height)) => match resize.fit {
            Fit::Cover | Fit::Fill => (width, height),
            Fit::Contain => {
                let by_width = scaled(from.1, width, from.0);
                if by_width <= height {
                    (width, by_width)
                } else {
                    (scaled(from.0, height, from.1), height)
                }
            }
        },
    }
}

/// `side × to ÷ from`, rounded, at least 1.
fn scaled(side: u32, to: u32, from: u32) -> u32 {
    let (side, to, from) = (u64::from(side), u64::from(to), u64::from(from.max(1)));
    let scaled = (side * to + from / 2) / from;
    u32::try_from(scaled).unwrap_or(u32::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(text: &str) -> Resize {
        let text = format!(r#"{{"source":"a.png"{text}}}"#);
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn the_size_follows_from_what_was_asked() {
        for (text, size) in [
            ("", (400, 300)),
            (r#","width":200"#, (200, 150)),
            (r#","height":30"#, (40, 30)),
            (r#","width":200,"height":200"#, (200, 150)),
            (r#","width":800,"height":300"#, (400, 300)),
            (r#","width":50,"height":1000,"fit":"contain""#, (50, 38)),
            (r#","width":200,"height":200,"fit":"cover""#, (200, 200)),
            (r#","width":10,"height":90,"fit":"fill""#, (10, 90)),
            (r#","width":80,"fit":"cover""#, (80, 60)),
        ] {
            assert_eq!(result((400, 300), &asked(text)), size, "{text}");
        }
        assert_eq!(result((12_000, 1), &asked(r#","width":10"#)), (10, 1));
    }

    #[test]
    fn sizes_end_where_memory_does() {
        assert!(is_allowed((12_000, 4_166)));
        assert!(!is_allowed((12_000, 4_167)));
        assert!(!is_allowed((12_001, 1)));
        assert!(!is_allowed((0, 1)));
        for bad in [
            r#","width":0"#,
            r#","height":12001"#,
            r#","quality":0"#,
            r#","quality":101"#,
        ] {
            assert!(check(&asked(bad)).is_err(), "{bad}");
        }
        assert!(check(&asked(r#","width":12000,"height":1,"quality":100"#)).is_ok());
    }
}

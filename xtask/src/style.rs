//! The style sheet: read strictly, so that a mistake stops the build, then made small.

use std::fs;

use anyhow::{Context, Result, anyhow};
use lightningcss::stylesheet::{MinifyOptions, ParserOptions, PrinterOptions, StyleSheet};

use crate::place::Place;

/// The minified text of `style/main.css`. Syntax is left as it is written: `light-dark()`, nesting and
/// layers are understood by every browser that runs the dashboard.
pub(crate) fn build(place: &Place) -> Result<String> {
    let file = place.root.join("style/main.css");
    let text =
        fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    minify(&text)
}

fn minify(text: &str) -> Result<String> {
    let options = ParserOptions {
        filename: "style/main.css".into(),
        ..ParserOptions::default()
    };
    let mut sheet = StyleSheet::parse(text, options).map_err(|error| anyhow!("{error}"))?;
    sheet
        .minify(MinifyOptions::default())
        .map_err(|error| anyhow!("{error}"))?;
    let printer = PrinterOptions {
        minify: true,
        ..PrinterOptions::default()
    };
    Ok(sheet
        .to_css(printer)
        .map_err(|error| anyhow!("{error}"))?
        .code)
}

#[cfg(test)]
mod tests {
    use super::minify;

    #[test]
    fn modern_syntax_stays_as_it_is_written() {
        let css = ":root { color-scheme: light dark; --ink: light-dark(#111, #eee) } .a { &:hover { top: 0 } }";
        let small = minify(css).unwrap();
        assert!(
            small.contains("light-dark(") && small.contains("&:hover"),
            "{small}"
        );
        assert!(small.len() < css.len());
    }

    #[test]
    fn a_mistake_is_an_error_with_its_line() {
        let error = minify(".a {\n  color: red;\n}\n}\n")
            .unwrap_err()
            .to_string();
        assert!(error.contains("style/main.css:4"), "{error}");
    }
}

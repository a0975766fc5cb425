//! Text in the elements whose content Leptos writes as it is: `<title>` and `<textarea>`.

/// Text for a title. The server writes it escaped; a browser is given it as it is.
pub(crate) fn in_title(text: &str) -> String {
    if cfg!(feature = "ssr") {
        text.replace('&', "&amp;").replace('<', "&lt;")
    } else {
        text.to_owned()
    }
}

/// Text for a field of several lines. A browser drops a line end right behind the tag, so the server
/// writes it twice.
pub(crate) fn in_area(text: &str) -> String {
    let first = if cfg!(feature = "ssr") && text.starts_with('\n') {
        "\n"
    } else {
        ""
    };
    format!("{first}{}", in_title(text))
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_the_element_it_stands_in() {
        assert_eq!(in_title("a</title>&lt;"), "a&lt;/title>&amp;lt;");
        assert_eq!(in_area("</textarea>"), "&lt;/textarea>");
        assert_eq!(in_area("\n{}"), "\n\n{}");
    }
}

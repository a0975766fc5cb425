//! What the README says of the settings is what the program knows.

use conveyor::config;

#[test]
fn the_readme_lists_every_setting() {
    let readme = include_str!("../README.md");
    let shown = readme
        .split_once("<!-- config:begin -->\n")
        .and_then(|(_, rest)| rest.split_once("<!-- config:end -->"))
        .map(|(table, _)| table.trim())
        .unwrap();
    assert_eq!(shown, config::table().trim());
}

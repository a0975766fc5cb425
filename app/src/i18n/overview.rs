//! The texts of the overview.

texts! {
    title: "Overview", "Обзор";
}

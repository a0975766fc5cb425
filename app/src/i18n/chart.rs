//! The texts around a chart.

texts! {
    as_table: "Show as table", "Показать таблицей";
    time: "Time", "Время";
    nothing_yet: "Nothing in this range yet", "Пока ничего за это время";
    summary(latest, most): "Latest: {latest}. Highest: {most}.", "Последнее: {latest}. Наибольшее: {most}.";
}

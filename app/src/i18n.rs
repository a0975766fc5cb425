//! Every text of the dashboard, English and Russian side by side, so that a missing translation does
//! not compile.
//!
//! ```text
//! texts! {
//!     jobs: "Jobs", "Задачи";                                       // jobs(lang)
//!     paused_by(who): "paused by {who}", "на паузе ({who})";        // paused_by(lang, &who)
//!     waiting[n]: ("{n} job waits", "{n} jobs wait"),
//!                 ("{n} задача ждёт", "{n} задачи ждут", "{n} задач ждут");   // waiting(lang, count)
//! }
//! ```
//!
//! Kinds, names of queues and what a job says of its error are data, not text: they stay as they are.
//! What the queue refuses comes in English and is translated in [`refusal`].

/// Makes one function a text; the three forms are shown in the documentation of the module.
macro_rules! texts {
    () => {};
    ($name:ident : $en:literal, $ru:literal; $($rest:tt)*) => {
        pub(crate) const fn $name(lang: conveyor_model::lang::Lang) -> &'static str {
            match lang {
                conveyor_model::lang::Lang::En => $en,
                conveyor_model::lang::Lang::Ru => $ru,
            }
        }
        texts! { $($rest)* }
    };
    ($name:ident ( $($arg:ident),+ ) : $en:literal, $ru:literal; $($rest:tt)*) => {
        pub(crate) fn $name(
            lang: conveyor_model::lang::Lang,
            $($arg: &dyn std::fmt::Display),+
        ) -> String {
            match lang {
                conveyor_model::lang::Lang::En => format!($en),
                conveyor_model::lang::Lang::Ru => format!($ru),
            }
        }
        texts! { $($rest)* }
    };
    ($name:ident [ $n:ident ] :
        ($one:literal, $other:literal), ($ru_one:literal, $ru_few:literal, $ru_many:literal);
        $($rest:tt)*
    ) => {
        pub(crate) fn $name(lang: conveyor_model::lang::Lang, $n: u64) -> String {
            use conveyor_model::lang::{Lang, Plural};
            let form = lang.plural($n);
            let $n = $crate::i18n::number::whole($n);
            match (lang, form) {
                (Lang::En, Plural::One) => format!($one),
                (Lang::En, Plural::Few | Plural::Many) => format!($other),
                (Lang::Ru, Plural::One) => format!($ru_one),
                (Lang::Ru, Plural::Few) => format!($ru_few),
                (Lang::Ru, Plural::Many) => format!($ru_many),
            }
        }
        texts! { $($rest)* }
    };
}

pub(crate) mod chart;
pub(crate) mod dead;
pub(crate) mod enqueue;
pub(crate) mod form;
pub(crate) mod frame;
pub(crate) mod help;
pub(crate) mod job;
pub(crate) mod jobs;
pub(crate) mod length;
pub(crate) mod number;
pub(crate) mod outcome;
pub(crate) mod overview;
pub(crate) mod queues;
pub(crate) mod refusal;
pub(crate) mod schedule_form;
pub(crate) mod schedules;
pub(crate) mod word;
pub(crate) mod workers;

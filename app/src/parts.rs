//! What pages are made of.

pub(crate) mod act_sheet;
pub(crate) mod action;
pub(crate) mod brand;
pub(crate) mod chart;
pub(crate) mod copy;
pub(crate) mod dock;
pub(crate) mod empty;
pub(crate) mod follow;
pub(crate) mod form_field;
pub(crate) mod icon;
pub(crate) mod job_fields;
pub(crate) mod layout;
pub(crate) mod live_mark;
pub(crate) mod load;
pub(crate) mod nav;
pub(crate) mod notice;
pub(crate) mod page_head;
pub(crate) mod panel;
pub(crate) mod pretty;
pub(crate) mod raw_text;
pub(crate) mod reload;
pub(crate) mod same_row;
pub(crate) mod side_bar;
pub(crate) mod spark;
pub(crate) mod spoken;
pub(crate) mod state_mark;
pub(crate) mod switch;
pub(crate) mod tile;
pub(crate) mod top_bar;
pub(crate) mod when;

pub(crate) use empty::Empty;
pub(crate) use icon::{Icon, Sign};
pub(crate) use page_head::PageHead;
pub(crate) use panel::Panel;
pub(crate) use state_mark::StateMark;
pub(crate) use when::{Elapsed, Moment, When};

//! The dashboard as a browser without scripts meets it.

mod browser;
mod drawn;
mod finding;
mod forms;
mod hostile;
mod html;
mod links;
mod russian;
mod scene;
mod settings;
mod standing;

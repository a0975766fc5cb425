//! The binary: reads its arguments and does what they say.

use std::process::ExitCode;

fn main() -> ExitCode {
    conveyor::cli::run(std::env::args_os())
}

//! `command.run`: runs a program that the operator has listed. There is no shell: arguments reach the
//! program as they stand in the payload.

use async_trait::async_trait;
use serde::Deserialize;

use super::failure::HandlerError;
use super::run::read;
use crate::worker::command::Command;
use crate::worker::{Handler, JobContext, Outcome};

const MOST_ARGS: usize = 256;

/// The programs that may run.
pub(super) struct CommandRun {
    allowed: Vec<String>,
}

/// The payload of `command.run`; the program also gets it on its standard input.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object with program")]
struct Payload {
    /// Exactly as in the list.
    program: String,
    #[serde(default)]
    args: Vec<String>,
}

impl CommandRun {
    pub(super) fn new(allowed: Vec<String>) -> Self {
        CommandRun { allowed }
    }

    fn command(&self, job: &JobContext) -> Result<Command, HandlerError> {
        let payload: Payload = read(job.payload())?;
        if !self.allowed.contains(&payload.program) {
            return Err(HandlerError::dead(
                "NotAllowed",
                "program: is not in the list ALLOW_COMMANDS",
            ));
        }
        if payload.args.len() > MOST_ARGS || payload.args.iter().any(|arg| arg.contains('\0')) {
            return Err(HandlerError::invalid(
                "args: at most 256 are allowed, without NUL characters",
            ));
        }
        Ok(Command::new(payload.program, payload.args))
    }
}

#[async_trait]
impl Handler for CommandRun {
    async fn run(&self, job: JobContext) -> Outcome {
        match self.command(&job) {
            Ok(command) => command.run(job).await,
            Err(error) => super::bind::outcome(error),
        }
    }
}

//! What the writer is asked, and in what order it hears it.

use tokio::sync::mpsc;

use super::claim::Claims;
use super::finish::Finishes;
use super::insert::Inserts;
use super::renew::Renewals;
use super::work::{AnySingle, Asked};

/// How much one batch weighs at most, unless one work alone weighs more.
const BATCH: usize = 4096;
/// How many commands wait for the writer, of either sort, before their callers have to.
const WAITING: usize = 4096;

/// One thing the writer is asked.
pub(super) enum Command {
    Insert(Asked<Inserts>),
    Claim(Asked<Claims>),
    Finish(Asked<Finishes>),
    Renew(Asked<Renewals>),
    Other(Box<dyn AnySingle>),
}

impl Command {
    /// See [`super::work::Work::weight`].
    pub(super) fn weight(&self) -> usize {
        match self {
            Command::Insert(asked) => asked.weight(),
            Command::Claim(asked) => asked.weight(),
            Command::Finish(asked) => asked.weight(),
            Command::Renew(asked) => asked.weight(),
            Command::Other(asked) => asked.weight(),
        }
    }
}

/// Where the writer is asked.
#[derive(Clone, Debug)]
pub(super) struct Commands {
    urgent: mpsc::Sender<Command>,
    usual: mpsc::Sender<Command>,
}

impl Commands {
    /// Asks; waits while too many are waiting. False: the writer has ended.
    pub(super) async fn send(&self, command: Command) -> bool {
        self.of(&command).send(command).await.is_ok()
    }

    /// The same, but the writer may end.
    pub(super) fn downgrade(&self) -> WeakCommands {
        WeakCommands {
            urgent: self.urgent.downgrade(),
            usual: self.usual.downgrade(),
        }
    }

    /// Asks if nobody has to wait for it.
    pub(super) fn try_send(&self, command: Command) -> bool {
        self.of(&command).try_send(command).is_ok()
    }

    fn of(&self, command: &Command) -> &mpsc::Sender<Command> {
        match command {
            Command::Finish(_) | Command::Renew(_) => &self.urgent,
            Command::Insert(_) | Command::Claim(_) | Command::Other(_) => &self.usual,
        }
    }
}

/// [`Commands`] that do not keep the writer from ending.
pub(super) struct WeakCommands {
    urgent: mpsc::WeakSender<Command>,
    usual: mpsc::WeakSender<Command>,
}

impl WeakCommands {
    /// The real ones, unless the writer ends.
    pub(super) fn upgrade(&self) -> Option<Commands> {
        Some(Commands {
            urgent: self.urgent.upgrade()?,
            usual: self.usual.upgrade()?,
        })
    }
}

/// The writer's end of [`Commands`].
pub(super) struct Inbox {
    urgent: mpsc::Receiver<Command>,
    usual: mpsc::Receiver<Command>,
    /// Taken already, and too heavy for the batch at hand.
    held: Option<Command>,
}

/// Where to ask, and where it is heard.
pub(super) fn commands() -> (Commands, Inbox) {
    let (urgent, urgent_heard) = mpsc::channel(WAITING);
    let (usual, usual_heard) = mpsc::channel(WAITING);
    let inbox = Inbox {
        urgent: urgent_heard,
        usual: usual_heard,
        held: None,
    };
    (Commands { urgent, usual }, inbox)
}

impl Inbox {
    /// The next command; none when every sender is gone and nothing is left.
    pub(super) async fn next(&mut self) -> Option<Command> {
        if let Some(held) = self.held.take() {
            return Some(held);
        }
        tokio::select! {
            biased;
            Some(command) = self.urgent.recv() => Some(command),
            Some(command) = self.usual.recv() => Some(command),
            else => None,
        }
    }

    /// Another command for a batch that weighs `weight`, without waiting.
    pub(super) fn more(&mut self, weight: usize) -> Option<Command> {
        if weight >= BATCH {
            return None;
        }
        if let Ok(command) = self.urgent.try_recv() {
            return Some(command);
        }
        let command = match self.held.take() {
            Some(held) => held,
            None => self.usual.try_recv().ok()?,
        };
        if weight + command.weight() > BATCH {
            // It opens the next batch, so nothing that is urgent now waits for it.
            self.held = Some(command);
            return None;
        }
        Some(command)
    }
}

//! One process of a season: started, struck, paused, and started again until its work is done.
//!
//! It is back when it answers: the manager `get_league_state`, an agent `ping`. An agent that
//! comes back only to hear that the league is over, and ends well, was back too.

use std::fs::OpenOptions;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_node::Role;
use agon_node::failpoint::{self, Point};
use agon_proto::tool::{LeagueState, Tool};
use agon_sim::{Finding, Rng};
use anyhow::{Context, bail, ensure};
use rustix::process::{Pid, Signal, kill_process};
use tokio::process::Child;
use tokio::sync::{mpsc, watch};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::books::{close, open};
use super::lab::{Lab, Part};
use crate::processes::this_program;

/// Between two looks whether a process answers.
const LOOK: Duration = Duration::from_millis(5);
/// The longest pause before a process is started again.
const PAUSE_MAX: Duration = Duration::from_millis(80);
/// One start in so many has a failpoint.
const ARMED: u64 = 3;
/// A failpoint lets a process pass up to so many times.
const PASSES_MAX: u64 = 48;
/// So often a process may give up by itself (say, because nobody answered it) before that counts
/// as a failure.
const GIVES_UP_MAX: u32 = 10;

/// A test-only switch that spoils the manager, so that a test can see it found out.
const SABOTAGE: &str = "AGON_SABOTAGE";

const SIGKILL: i32 = Signal::KILL.as_raw();
const SIGABRT: i32 = Signal::ABORT.as_raw();

/// What the season wants of a process.
#[derive(Debug, Clone, Copy)]
pub(super) enum Order {
    Kill,
    /// SIGSTOP, and SIGCONT after that time.
    Stop(Duration),
    /// SIGTERM: its work is done.
    End,
}

/// What a season hears.
#[derive(Debug)]
pub(super) enum News {
    /// It answers, so long after it was felled; at its first start nothing felled it.
    Back(usize, Option<Duration>),
    /// One of its lives is over.
    Ended(usize, Fate),
    /// It cannot go on.
    Broke(usize, String),
    /// Something came to light after a death.
    Found(Vec<Finding>),
    /// The manager said where the league stands.
    League(Box<LeagueState>),
}

/// How one life ended.
#[derive(Debug, Clone, Copy)]
pub(super) enum Fate {
    Felled(Blow, Instant),
    /// It ended by itself, and well.
    Done,
    /// It ended by itself with an error, and is started again.
    GaveUp(ExitStatus),
}

/// What felled a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Blow {
    Signal,
    Failpoint(Point),
}

pub(super) struct Member {
    /// Its place in the cast.
    pub(super) number: usize,
    pub(super) lab: Arc<Lab>,
    pub(super) dir: PathBuf,
    pub(super) chance: Rng,
    pub(super) orders: mpsc::UnboundedReceiver<Order>,
    /// No failpoints any more.
    pub(super) calm: watch::Receiver<bool>,
    pub(super) news: mpsc::UnboundedSender<News>,
    /// Its work is done: a life that a failpoint ends now is followed by a last short one.
    pub(super) ending: bool,
}

impl Member {
    /// Lives until its work is done.
    pub(super) async fn live(mut self) {
        if let Err(error) = self.lives().await {
            self.tell(News::Broke(self.number, format!("{error:#}")));
        }
    }

    fn part(&self) -> &Part {
        &self.lab.cast[self.number]
    }

    fn tell(&self, news: News) {
        // A season that is over does not listen any more.
        let _ = self.news.send(news);
    }

    async fn lives(&mut self) -> anyhow::Result<()> {
        let (mut felled, mut gives_up) = (None, 0);
        loop {
            let failpoint = self.failpoint();
            let mut child = self.start(failpoint)?;
            let fate = self.watch(&mut child, failpoint, felled).await?;
            self.tell(News::Ended(self.number, fate));
            match fate {
                Fate::Done => return Ok(()),
                Fate::Felled(_, at) => felled = Some(at),
                Fate::GaveUp(status) => {
                    gives_up += 1;
                    let may = gives_up <= GIVES_UP_MAX;
                    ensure!(may, "it gives up again and again, last with {status}");
                }
            }
            self.rest().await;
        }
    }

    /// The point at which the next life ends, if it is to end at one.
    fn failpoint(&mut self) -> Option<(Point, u64)> {
        if *self.calm.borrow() || self.chance.below(ARMED) > 0 {
            return None;
        }
        // Small numbers are as likely as large ones, so that starting is struck as well.
        let most = 1 + self.chance.below(PASSES_MAX);
        let count = 1 + self.chance.below(most);
        self.chance.pick(Point::LOOP).map(|point| (*point, count))
    }

    fn start(&self, failpoint: Option<(Point, u64)>) -> anyhow::Result<Child> {
        let mut command = this_program(&self.part().args)?;
        command.current_dir(&self.dir);
        for (name, _) in std::env::vars_os() {
            if name.as_encoded_bytes().starts_with(b"AGON_") {
                command.env_remove(name); // The season's own terms count.
            }
        }
        if let Some((point, count)) = failpoint {
            command.env(failpoint::VARIABLE, format!("{}:{count}", point.name()));
        }
        if let (Role::Manager, Some(sabotage)) = (self.part().role, std::env::var_os(SABOTAGE)) {
            command.env(SABOTAGE, sabotage);
        }
        let log = log_of(&self.dir, &self.part().name);
        let log = OpenOptions::new().create(true).append(true).open(log);
        let log = log.context("could not write the log of a process")?;
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        command.spawn().context("could not start a process")
    }

    /// One life, from its start to its end.
    async fn watch(
        &mut self,
        child: &mut Child,
        failpoint: Option<(Point, u64)>,
        felled: Option<Instant>,
    ) -> anyhow::Result<Fate> {
        let (lab, number) = (self.lab.clone(), self.number);
        let mut answer = std::pin::pin!(answers(&lab, &lab.cast[number]));
        let (mut back, mut struck) = (false, None);
        loop {
            tokio::select! {
                biased;
                status = child.wait() => {
                    let status = status.context("could not wait for a process")?;
                    let at = struck.unwrap_or_else(Instant::now);
                    let fate = fate(status, failpoint.map(|(point, _)| point), at)?;
                    if let (Fate::Done, false, Some(felled)) = (&fate, back, felled) {
                        self.tell(News::Back(number, Some(felled.elapsed())));
                    }
                    return Ok(fate);
                }
                () = &mut answer, if !back => {
                    back = true;
                    if self.ending {
                        signal(child, Signal::TERM)?;
                    }
                    self.tell(News::Back(number, felled.map(|felled| felled.elapsed())));
                }
                Some(order) = self.orders.recv() => match order {
                    Order::Kill => {
                        struck = Some(Instant::now());
                        child.start_kill().context("could not kill a process")?;
                    }
                    Order::Stop(time) => {
                        signal(child, Signal::STOP)?;
                        sleep(time).await;
                        signal(child, Signal::CONT)?;
                    }
                    Order::End => {
                        self.ending = true;
                        signal(child, Signal::TERM)?;
                    }
                },
            }
        }
    }

    /// The pause between two lives. While the manager is dead it cannot acknowledge anything, so
    /// whatever anybody was told must be in its journal: the books are looked at meanwhile. A
    /// process that died young has left none.
    async fn rest(&mut self) {
        let pause = self.chance.time(Duration::ZERO, PAUSE_MAX);
        let (dir, lab) = (self.dir.clone(), self.lab.clone());
        let is_manager = self.part().role == Role::Manager;
        let inquest =
            is_manager.then(|| spawn_blocking(move || close(open(&dir, &lab.cast).0, None)));
        sleep(pause).await;
        if let Some(inquest) = inquest
            && let Ok(found) = inquest.await
            && !found.is_empty()
        {
            self.tell(News::Found(found));
        }
    }
}

/// What an exit means.
fn fate(status: ExitStatus, armed: Option<Point>, at: Instant) -> anyhow::Result<Fate> {
    match (status.code(), status.signal(), armed) {
        (Some(0), ..) => Ok(Fate::Done),
        // Refused or not able to: whoever looks after it starts it again.
        (Some(1 | 2), ..) => Ok(Fate::GaveUp(status)),
        (_, Some(SIGKILL), _) => Ok(Fate::Felled(Blow::Signal, at)),
        (_, Some(SIGABRT), Some(point)) => Ok(Fate::Felled(Blow::Failpoint(point), at)),
        _ => bail!("it ended with {status}, and nobody had struck it"),
    }
}

/// Waits until that process is of use again.
async fn answers(lab: &Lab, part: &Part) {
    let tool = match part.role {
        Role::Manager => Tool::GetLeagueState,
        Role::Referee | Role::Player => Tool::Ping,
    };
    while lab.ask(part, tool).await.is_none() {
        sleep(LOOK).await;
    }
}

/// Nothing happens to a process that has just ended: it keeps its number until we have heard so.
fn signal(child: &Child, signal: Signal) -> anyhow::Result<()> {
    let id = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    match id {
        Some(id) => kill_process(id, signal).context("could not signal a process"),
        None => Ok(()),
    }
}

/// Where the log of a process is.
pub(super) fn log_of(dir: &Path, name: &str) -> PathBuf {
    dir.join(format!("{name}.log"))
}

//! One season: everybody is started, struck again and again, left in peace, and then checked.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_core::Outcome;
use agon_proto::message::StandingsRow;
use agon_proto::tool::{LeaguePhase, LeagueState, Tool, ToolAnswer};
use agon_sim::{Finding, FindingKind, Rng};
use anyhow::bail;
use tokio::sync::{mpsc, watch};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{sleep, sleep_until};

use super::CrashFigures;
use super::books;
use super::lab::Lab;
use super::member::{Fate, Member, News, Order};
use super::strikes::{Enough, NextBlow, blow};

/// Between two looks at the league.
const LOOK: Duration = Duration::from_millis(40);
/// A season in which nothing was achieved for so long is stuck.
const PATIENCE: Duration = Duration::from_secs(60);

/// A season under way.
pub(super) struct CrashSeason<'a> {
    lab: Arc<Lab>,
    dir: PathBuf,
    orders: Vec<mpsc::UnboundedSender<Order>>,
    /// One for each of the cast.
    lives: Vec<AbortHandle>,
    news: mpsc::UnboundedReceiver<News>,
    calm: watch::Sender<bool>,
    chance: Rng,
    enough: Enough,
    tally: &'a mut CrashFigures,
    down: BTreeSet<usize>,
    done: BTreeSet<usize>,
    found: Vec<Finding>,
    timeline: Vec<String>,
    began: Instant,
    /// When something was last achieved.
    achieved: Instant,
    league: Option<LeagueState>,
    /// Its processes, and who watches the league. They end with it.
    tasks: JoinSet<()>,
}

impl<'a> CrashSeason<'a> {
    pub(super) fn open(
        lab: &Arc<Lab>,
        dir: &Path,
        chance: Rng,
        enough: Enough,
        tally: &'a mut CrashFigures,
    ) -> anyhow::Result<Self> {
        lab.furnish(dir)?;
        let (tell, news) = mpsc::unbounded_channel();
        let (calm, calmed) = watch::channel(false);
        let mut tasks = JoinSet::new();
        let (mut orders, mut lives) = (Vec::new(), Vec::new());
        for number in 0..lab.cast.len() {
            let (order, received) = mpsc::unbounded_channel();
            orders.push(order);
            let member = Member {
                number,
                lab: lab.clone(),
                dir: dir.to_owned(),
                chance: chance.branch(1 + number as u64),
                orders: received,
                calm: calmed.clone(),
                news: tell.clone(),
                ending: false,
            };
            lives.push(tasks.spawn(member.live()));
        }
        tasks.spawn(watch_league(lab.clone(), tell));
        Ok(Self {
            lab: lab.clone(),
            dir: dir.to_owned(),
            down: (0..lab.cast.len()).collect(),
            done: BTreeSet::new(),
            orders,
            lives,
            news,
            calm,
            chance: chance.branch(0),
            enough,
            tally,
            found: Vec::new(),
            timeline: Vec::new(),
            began: Instant::now(),
            achieved: Instant::now(),
            league: None,
            tasks,
        })
    }

    /// Plays it to its end, and returns what is wrong with it.
    pub(super) async fn play(mut self) -> Vec<Finding> {
        let table = self.play_to_the_end().await;
        // Whoever still lives is of no use any more, and must not write while the books are read.
        self.tasks.shutdown().await;
        self.tally.seasons += 1;
        self.tally.completed += u64::from(table.is_ok());
        if let Err(error) = &table {
            let state = format!("{error:#}; the league: {:?}", self.league);
            self.found.push(Finding::general(FindingKind::Unfinished, state));
        }
        let (audit, unreadable) = books::open(&self.dir, &self.lab.cast);
        let season = audit.league().season();
        let results = season.ids().filter_map(|id| season.result(id));
        let cancelled = results.filter(|it| it.verdict.outcome == Outcome::Cancelled).count();
        self.tally.matches += season.completed;
        self.tally.cancelled += cancelled as u64;
        self.found.extend(unreadable);
        self.found.extend(books::close(audit, table.as_deref().ok()));
        if !self.found.is_empty() {
            // It helps whoever looks for the cause; the verdict stands without it.
            let timeline = self.timeline.join("\n") + "\n";
            let _ = std::fs::write(self.dir.join("timeline.txt"), timeline);
        }
        self.found
    }

    async fn play_to_the_end(&mut self) -> anyhow::Result<Vec<StandingsRow>> {
        self.strike().await?;
        // After the end of the league every agent ends by itself.
        while self.done.len() + 1 < self.lab.cast.len() {
            self.wait_for_news().await?;
        }
        let table = self.table().await?;
        self.order(0, Order::End);
        while !self.done.contains(&0) {
            self.wait_for_news().await?;
        }
        Ok(table)
    }

    /// Strikes until the league is complete, or leaves it in peace when that was enough.
    async fn strike(&mut self) -> anyhow::Result<()> {
        let mut next = NextBlow::draw(&mut self.chance);
        let mut due = None;
        while !self.is_complete() {
            if self.enough.is_reached(self.tally.kills) {
                self.calm.send_replace(true);
                self.wait_for_news().await?;
                continue;
            }
            if due.is_none() && (!next.is_patient || self.down.is_empty()) {
                due = Some(Instant::now() + next.after);
            }
            let never = self.achieved + PATIENCE;
            tokio::select! {
                () = sleep_until(due.unwrap_or(never).into()), if due.is_some() => {
                    self.strike_once();
                    (next, due) = (NextBlow::draw(&mut self.chance), None);
                }
                heard = self.wait_for_news() => heard?,
            }
        }
        self.calm.send_replace(true);
        Ok(())
    }

    fn strike_once(&mut self) {
        let at_work =
            self.lab.cast.iter().enumerate().filter(|(number, _)| !self.done.contains(number));
        let at_work: Vec<_> = at_work.map(|(number, part)| (number, part.role)).collect();
        for (number, order) in blow(&mut self.chance, &at_work) {
            if let Order::Stop(_) = order {
                self.tally.of(self.lab.cast[number].role).stops += 1;
            }
            self.note(number, &format!("{order:?}"));
            self.order(number, order);
        }
    }

    /// The last word of the manager.
    async fn table(&mut self) -> anyhow::Result<Vec<StandingsRow>> {
        loop {
            let answer = self.lab.ask(&self.lab.cast[0], Tool::GetStandings).await;
            if let Some(ToolAnswer::Standings(answer)) = answer {
                return Ok(answer.standings);
            }
            self.wait_for_news().await?;
        }
    }

    fn is_complete(&self) -> bool {
        self.league.as_ref().is_some_and(|league| league.phase == LeaguePhase::Completed)
    }

    fn order(&self, number: usize, order: Order) {
        // Whoever has ended by itself meanwhile needs no order.
        let _ = self.orders[number].send(order);
    }

    fn note(&mut self, number: usize, what: &str) {
        let (at, name) = (self.began.elapsed(), &self.lab.cast[number].name);
        self.timeline.push(format!("{:9.3} {name} {what}", at.as_secs_f64()));
    }

    async fn wait_for_news(&mut self) -> anyhow::Result<()> {
        let news = tokio::time::timeout_at((self.achieved + PATIENCE).into(), self.news.recv());
        match news.await {
            Ok(Some(news)) => self.hear(news),
            Ok(None) => bail!("nobody is left"),
            Err(_) => {
                let open = (0..self.lab.cast.len()).filter(|number| !self.done.contains(number));
                let open: Vec<&str> =
                    open.map(|number| self.lab.cast[number].name.as_str()).collect();
                bail!("nothing was achieved for {PATIENCE:?}; not done: {}", open.join(", "))
            }
        }
    }

    fn hear(&mut self, news: News) -> anyhow::Result<()> {
        match news {
            News::Ended(number, Fate::Felled(blow, _)) => {
                self.note(number, &format!("felled by {blow:?}"));
                self.tally.felled(self.lab.cast[number].role, blow);
                self.down.insert(number);
            }
            News::Back(number, after) => {
                self.note(number, &format!("back after {after:?}"));
                self.down.remove(&number);
                self.tally.of(self.lab.cast[number].role).times.extend(after);
            }
            News::Ended(number, Fate::Done) => {
                self.note(number, "done");
                self.achieved = Instant::now();
                self.down.remove(&number);
                self.done.insert(number);
            }
            News::Ended(number, Fate::GaveUp(_)) => {
                self.note(number, "gave up");
                self.tally.gave_up += 1;
                self.down.insert(number);
                // Whoever was struck until the league was over never got in, and never will.
                if self.is_complete() && books::is_stranger(&self.dir, &self.lab.cast[number]) {
                    self.lives[number].abort();
                    self.down.remove(&number);
                    self.done.insert(number);
                }
            }
            News::Broke(number, why) => bail!("{} broke: {why}", self.lab.cast[number].name),
            News::Found(found) => {
                self.found.extend(found);
                bail!("the manager forgot something; there is no use in going on");
            }
            News::League(state) => {
                let before = self.league.as_ref().map(|league| league.matches_completed);
                if before != Some(state.matches_completed) {
                    self.achieved = Instant::now();
                }
                self.league = Some(*state);
            }
        }
        Ok(())
    }
}

/// Asks the manager again and again where the league stands. A manager that is dead says nothing.
async fn watch_league(lab: Arc<Lab>, tell: mpsc::UnboundedSender<News>) {
    loop {
        let answer = lab.ask(&lab.cast[0], Tool::GetLeagueState).await;
        if let Some(ToolAnswer::League(state)) = answer
            && tell.send(News::League(state)).is_err()
        {
            return;
        }
        sleep(LOOK).await;
    }
}

//! The stage: virtual time, mail that wanders, processes that die, and the league on top of it.

use std::collections::BTreeSet;
use std::time::Duration;

use agon_core::post::{Parcel, ParcelId};
use agon_core::{Effect, Event, Proof, Question, RequestId};
use agon_proto::Payload;
use agon_proto::dialect::q21;

use super::advisor;
use super::cast::Season;
use super::node::{Mail, Mind, Node};
use super::{LettersSabotage, cast, checks};
use crate::agenda::Agenda;
use crate::audit::{Audit, Sight};
use crate::digest::{Digesting, Digests};
use crate::report::Report;
use crate::rng::Rng;

/// A season that takes longer than this in virtual time hangs.
const SEASON_MAX: Duration = Duration::from_secs(7 * 24 * 3600);
/// So many things may happen in a season.
const HAPPENINGS_MAX: u64 = 400_000;
/// Longest way of a mail. Shorter than every time limit: nobody is late by the mail's fault.
const WAY_MAX_MS: u64 = 15_000;
/// Longest time that a process is down.
const DOWN_MAX_MS: u64 = 20_000;
/// Longest thought of a program.
const THOUGHT_MAX_MS: u64 = 10_000;

/// What a program is thinking about.
struct Thought {
    asked: Box<Question>,
    /// What it knows besides.
    context: Payload,
    fails: bool,
}

/// Something that will happen.
enum Happening {
    /// A mail arrives in a box.
    Arrives(usize, Box<Mail>),
    /// The server has taken a parcel.
    Taken(usize, u32, ParcelId),
    /// A program has answered.
    Thinks(usize, u32, Thought),
    /// A process comes up.
    Starts(usize),
    /// A process looks at the clock.
    Wakes(usize, u32),
}

pub(super) struct Stage<'a> {
    cast: Season,
    nodes: Vec<Node>,
    rng: Rng,
    agenda: Agenda<Happening>,
    sabotage: LettersSabotage,
    audit: Audit,
    /// Questions at which a program has failed: twice would be its author's loss.
    failed: BTreeSet<(usize, String)>,
    report: Report,
    /// Digests of the season, if somebody wants them.
    digesting: Option<Digesting>,
    listener: Option<&'a mut dyn FnMut(&str)>,
}

impl<'a> Stage<'a> {
    pub(super) fn new(
        seed: u64,
        sabotage: LettersSabotage,
        listener: Option<&'a mut dyn FnMut(&str)>,
    ) -> Self {
        let mut rng = Rng::new(seed);
        let cast = Season::new(&mut rng);
        let nodes = cast.nodes();
        let report = Report { seed, ..Report::default() };
        Self {
            audit: checks::audit(cast.matches()),
            failed: BTreeSet::new(),
            cast,
            nodes,
            rng,
            agenda: Agenda::new(cast::START),
            sabotage,
            report,
            digesting: None,
            listener,
        }
    }

    pub(super) fn play(mut self) -> Report {
        self.perform();
        self.report
    }

    /// Plays the season for its digests.
    pub(super) fn digest(mut self) -> Digests {
        self.digesting = Some(Digesting::default());
        self.perform();
        self.digesting.unwrap_or_default().finish()
    }

    fn perform(&mut self) {
        for node in 0..self.nodes.len() {
            self.soon(2_000, Happening::Starts(node));
        }
        while let Some(happening) = self.agenda.next() {
            self.happen(happening);
            if self.is_over() {
                break;
            }
            let lasts = self.agenda.now.since(cast::START);
            if self.agenda.planned > HAPPENINGS_MAX || lasts > SEASON_MAX {
                self.audit.object("completion", "the season does not come to an end");
                break;
            }
        }
        if self.audit.broken().is_none() && !self.is_complete() {
            self.audit.object("completion", "nothing happens any more");
        }
        if let Mind::Manager(cast) = &self.nodes[0].mind
            && self.nodes[0].up
        {
            self.audit.see(&Sight::Rests(&cast.machine));
        }
        self.audit.close();
        self.report.broken = self.audit.broken().cloned();
        if let Some(broken) = self.report.broken.clone() {
            self.tell(|| format!("BROKEN {broken}"));
        }
        self.report.virtual_seconds = self.agenda.now.since(cast::START).as_secs();
        self.report.matches = self.audit.books().season.count();
    }

    fn is_complete(&self) -> bool {
        cast::is_complete(&self.nodes[0])
    }

    /// The league is complete and everybody has gone home.
    fn is_over(&self) -> bool {
        self.audit.broken().is_some()
            || self.is_complete() && self.nodes.iter().skip(1).all(|node| node.finished)
    }

    fn tell(&mut self, line: impl FnOnce() -> String) {
        if let Some(listener) = &mut self.listener {
            listener(&format!("{:?} {}", self.agenda.now, line()));
        }
    }

    fn later(&mut self, wait_ms: u64, happening: Happening) {
        self.agenda.after(Duration::from_millis(wait_ms), happening);
    }

    fn soon(&mut self, within_ms: u64, happening: Happening) {
        let wait_ms = self.rng.between(1, within_ms);
        self.later(wait_ms, happening);
    }

    fn happen(&mut self, happening: Happening) {
        match happening {
            Happening::Arrives(node, mail) => {
                let name = mail.letter.act.kind().name();
                self.tell(|| format!("{name} from {} arrives at {node}", mail.from));
                self.nodes[node].deliver(*mail);
                self.read_mail(node);
            }
            Happening::Taken(node, life, parcel) => {
                if self.lives(node, life) {
                    self.event(node, Event::Dispatched(parcel));
                }
            }
            Happening::Thinks(node, life, Thought { asked, context, fails }) => {
                if self.lives(node, life) {
                    let said = || advisor::advise(&asked, &context);
                    let answer = if fails { Err(advisor::mishap()) } else { Ok(said()) };
                    self.event(node, Event::Thought { number: asked.number, answer });
                }
            }
            Happening::Starts(node) => self.start(node),
            Happening::Wakes(node, life) => {
                if self.lives(node, life) {
                    self.nodes[node].mind.tick(self.agenda.now);
                    self.carry_out(node);
                }
            }
        }
    }

    fn lives(&self, node: usize, life: u32) -> bool {
        let node = &self.nodes[node];
        node.up && node.life == life
    }

    fn start(&mut self, place: usize) {
        let node = &mut self.nodes[place];
        if node.up || node.finished {
            return;
        }
        node.up = true;
        node.life += 1;
        node.open.clear();
        self.cast.revive(node, place, self.sabotage, self.agenda.now);
        self.tell(|| format!("node {place} starts"));
        self.carry_out(place);
        self.read_mail(place);
    }

    fn crash(&mut self, place: usize) {
        self.report.crashes += 1;
        self.tell(|| format!("node {place} dies"));
        self.audit.see(&Sight::Died { node: place, keeps_journal: true });
        let node = &mut self.nodes[place];
        node.up = false;
        node.life += 1;
        node.mind.drop_batch();
        self.soon(DOWN_MAX_MS, Happening::Starts(place));
    }

    fn read_mail(&mut self, place: usize) {
        while self.nodes[place].up {
            let Some((request, mail)) = self.nodes[place].next_unseen() else { break };
            if self.sabotage == LettersSabotage::ReadBeforeDurable {
                self.mark_read(place, request);
            }
            self.audit.see(&Sight::Opened { node: place, request, question: None });
            let (proof, letter) = (Proof::Mail(mail.from), Box::new(mail.letter));
            self.event(place, Event::Posted { request, proof, caller: None, at: mail.at, letter });
        }
    }

    fn mark_read(&mut self, place: usize, request: RequestId) {
        let node = &mut self.nodes[place];
        if let Some(uid) = node.open.get(&request) {
            node.unread.remove(uid);
        }
    }

    fn event(&mut self, place: usize, event: Event) {
        self.nodes[place].mind.handle(event, self.agenda.now);
        self.carry_out(place);
    }

    /// Facts first, then effects; the process may die at any point between.
    fn carry_out(&mut self, place: usize) {
        let hurts = self.report.crashes < self.cast.crashes_max;
        if hurts && self.rng.happens(self.cast.crash_per_mille) {
            return self.crash(place);
        }
        let node = &mut self.nodes[place];
        for parcel in node.queued() {
            self.audit.see(&Sight::Queued(place, parcel));
        }
        if let Mind::Manager(cast) = &node.mind {
            cast.out.facts.iter().for_each(|fact| self.audit.see(&Sight::LeagueWrote(fact)));
        }
        let before = node.mind.journalled();
        node.commit();
        if let Some(digesting) = &mut self.digesting {
            node.mind.digest_since(before, place, digesting);
        }
        let effects = node.mind.effects();
        for effect in effects {
            if hurts && self.rng.happens(self.cast.crash_per_mille / 2) {
                return self.crash(place);
            }
            self.release(place, effect);
        }
        let node = &self.nodes[place];
        if let Some(deadline) = node.mind.deadline() {
            let wait = deadline.since(self.agenda.now).as_millis();
            let (life, wait_ms) = (node.life, u64::try_from(wait).unwrap_or(u64::MAX) + 1);
            self.later(wait_ms, Happening::Wakes(place, life));
        }
    }

    fn release(&mut self, place: usize, mut effect: Effect) {
        if let (LettersSabotage::TellSecret, Effect::Post(parcel)) = (self.sabotage, &mut effect) {
            parcel.letter.recipient = advisor::SECRET.into();
        }
        self.audit.see(&Sight::Leaves { node: place, effect: &effect });
        match effect {
            Effect::Post(parcel) => self.post(place, parcel),
            Effect::Think(asked) => {
                let life = self.nodes[place].life;
                let fails = self.rng.happens(self.cast.mishap_per_mille)
                    && self.failed.insert((place, checks::name(&asked)));
                if fails {
                    self.audit.see(&Sight::Failed { node: place, question: &asked });
                }
                let context = self.nodes[place].mind.context(&asked);
                let thought = Thought { asked, context, fails };
                self.soon(THOUGHT_MAX_MS, Happening::Thinks(place, life, thought));
            }
            Effect::Reply { request, .. } => {
                self.mark_read(place, request);
            }
            Effect::Refuse { request, refusal } => {
                self.tell(|| format!("node {place} refuses: {refusal}"));
                self.mark_read(place, request);
            }
            Effect::Finish(ending) => {
                self.tell(|| format!("node {place} is done: {ending:?}"));
                let node = &mut self.nodes[place];
                node.finished = true;
            }
            Effect::Alert(_) | Effect::Archive { .. } | Effect::Heard(_) => {}
            Effect::Send(_) | Effect::Broadcast(_) | Effect::Fetch { .. } | Effect::Draw { .. } => {
                self.audit.object("letters-only", format!("node {place} wants {effect:?}"));
            }
        }
    }

    /// The server takes a parcel, and says so if it lives to; each address gets it, maybe twice.
    fn post(&mut self, place: usize, parcel: Parcel) {
        let (life, from) = (self.nodes[place].life, self.nodes[place].address.clone());
        for address in &parcel.to {
            let Some(to) = self.nodes.iter().position(|node| node.address == *address) else {
                self.audit.object("addresses", format!("a letter to nobody: {address}"));
                return;
            };
            if let Some(digesting) = &mut self.digesting {
                digesting.say(place, to, &q21::write(&parcel.letter));
            }
            let copies = 1 + u32::from(self.rng.happens(self.cast.double_per_mille));
            for copy in 0..copies {
                self.report.duplicated += u64::from(copy);
                let way_ms = self.rng.between(1, WAY_MAX_MS);
                let at = self.agenda.now + Duration::from_millis(way_ms);
                let mail = Mail { from: from.clone(), letter: (*parcel.letter).clone(), at };
                self.later(way_ms, Happening::Arrives(to, Box::new(mail)));
            }
        }
        self.soon(500, Happening::Taken(place, life, parcel.id));
    }
}

//! The stage: who is on it, what can happen, and the loop that lets it happen.

mod carry;
mod intruder;
mod links;
mod operator;
mod spoil;
mod street;
mod tally;
mod work;

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use agon_core::{Drew, Event, ManagerOptions, Mishap, Settings};
use agon_link::{CallFault, LinkSettings, Time};
use agon_proto::{Answer, Envelope, Payload, Timestamp};

use crate::agenda::Agenda;
use crate::audit::Audit;
use crate::cast::Mind;
use crate::digest::{Digesting, Digests};
use crate::plan::{Faults, Plan, START, Temper};
use crate::report::{Report, Sabotage};
use crate::rng::Rng;
use crate::{invariant, league};
use links::Wire;
use street::{OpenCall, OpenRequest, Partition};

/// How long the stage stays open after the league is complete and everything has healed: late
/// letters arrive, what must be delivered is, and the longest thoughts end.
const AFTERWARDS: Duration = Duration::from_secs(90);

/// More happenings than any season needs: whoever gets there runs in circles.
const HAPPENINGS_MAX: u64 = 1_000_000;

/// One process: a mind, and what dies with it.
struct Node {
    mind: Mind,
    temper: Temper,
    keeps_journal: bool,
    /// Counts up at every death, so that nothing of an earlier life is taken for this one's.
    life: u32,
    presence: Presence,
    inbox: Vec<(Event, Timestamp)>,
    is_working: bool,
    wakes_at: Option<Timestamp>,
    /// One to each peer.
    links: Vec<Wire>,
    /// Requests it has taken and not answered.
    open: Vec<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Presence {
    Up,
    Down,
    /// The league is over for it.
    Gone,
}

/// Something that is going to happen.
enum Happening {
    /// A node looks into its inbox.
    Works(usize, u32),
    /// A deadline of a node is due.
    Wakes(usize, u32, Timestamp),
    /// A request reaches its callee.
    Arrives {
        to: usize,
        call: Option<usize>,
        letter: Rc<Envelope>,
        /// Whether this is the copy whose connection the caller holds.
        first: bool,
    },
    /// The outcome of a call reaches its caller.
    Returns(usize, Result<Box<Answer>, CallFault>),
    /// A deadline of a link is due.
    Due(usize, u32, (usize, Time)),
    Falls(usize, u32, Drew),
    Thinks(usize, u32, (u64, Result<Payload, Mishap>)),
    Dies(usize),
    Begins(usize),
    Parts(Partition, Duration),
    Heals,
    /// A spectator looks at a match.
    Looks,
    Intrudes,
    /// The operator takes a hand.
    Orders,
    Ends,
}

/// Hears the story of a season, line by line.
pub(crate) type Listener<'a> = Option<&'a mut dyn FnMut(&str)>;

pub(crate) struct Stage<'a> {
    plan: Plan,
    sabotage: Sabotage,
    rng: Rng,
    /// The operator's own chance.
    whim: Rng,
    agenda: Agenda<Happening>,
    settings: Settings,
    options: ManagerOptions,
    link: Arc<LinkSettings>,
    faults: Faults,
    nodes: Vec<Node>,
    /// How many letters were given to links.
    submitted: u64,
    calls: Vec<Option<OpenCall>>,
    requests: Vec<OpenRequest>,
    partitions: Vec<(Partition, Timestamp)>,
    /// Letters that somebody read on the way.
    captured: Vec<(usize, Rc<Envelope>)>,
    audit: Audit,
    tally: Report,
    has_ended: bool,
    /// Digests of the season, if somebody wants them: they cost more than the season itself.
    digesting: Option<Digesting>,
    listener: Listener<'a>,
}

impl<'a> Stage<'a> {
    pub(crate) fn new(plan: Plan, sabotage: Sabotage, listener: Listener<'a>) -> Self {
        let mut settings = league::planned(&plan);
        spoil::settings(sabotage, &mut settings);
        let options = league::options(plan.players.len());
        let mut minds = vec![(Mind::manager(&settings, &options), Temper::Sound, true)];
        for crew in &plan.referees {
            let mind = Mind::referee(&plan, minds.len(), crew.capacity);
            minds.push((mind, Temper::Sound, crew.keeps_journal));
        }
        for guest in &plan.players {
            let mind = Mind::player(&plan, minds.len());
            minds.push((mind, guest.temper, guest.keeps_journal));
        }
        let mut link = league::link(&plan);
        spoil::link(sabotage, &mut link);
        let link = Arc::new(link);
        let peers = minds.len();
        let nodes = minds.into_iter().map(|(mind, temper, keeps_journal)| Node {
            mind,
            temper,
            keeps_journal,
            life: 0,
            presence: Presence::Down,
            inbox: Vec::new(),
            is_working: false,
            wakes_at: None,
            links: Wire::to_all(peers, &link),
            open: Vec::new(),
        });
        Self {
            sabotage,
            rng: Rng::new(plan.seed),
            whim: Rng::new(!plan.seed),
            agenda: Agenda::new(START),
            settings,
            options,
            faults: plan.faults,
            nodes: nodes.collect(),
            link,
            submitted: 0,
            calls: Vec::with_capacity(1024),
            requests: Vec::with_capacity(1024),
            partitions: Vec::new(),
            captured: Vec::new(),
            audit: Audit::watching(league::POINTS, invariant::promises()),
            tally: Report { seed: plan.seed, ..Report::default() },
            has_ended: false,
            digesting: None,
            listener,
            plan,
        }
    }

    /// Plays the season to its end, or to the first broken promise.
    pub(crate) fn play(mut self) -> Report {
        self.perform();
        self.sum_up()
    }

    /// Plays the season for its digests.
    pub(crate) fn digest(mut self) -> Digests {
        self.digesting = Some(Digesting::default());
        self.perform();
        self.digesting.unwrap_or_default().finish()
    }

    fn perform(&mut self) {
        self.set();
        while !self.has_ended
            && self.audit.broken().is_none()
            && self.agenda.planned < HAPPENINGS_MAX
            && let Some(happening) = self.agenda.next()
        {
            self.happen(happening);
        }
        if self.audit.broken().is_none() {
            self.close();
        }
    }

    /// What has arrived is still handled; then the curtain falls.
    fn close(&mut self) {
        self.faults = Faults::default();
        for node in 0..self.nodes.len() {
            if self.nodes[node].presence == Presence::Up {
                self.work(node);
            }
        }
        self.compare();
        self.audit.close();
    }

    /// Everything that is fixed beforehand.
    fn set(&mut self) {
        for node in 0..self.nodes.len() {
            let wait = self.rng.between(0, 300);
            self.after(Duration::from_millis(wait), Happening::Begins(node));
        }
        let trouble = self.plan.trouble.as_millis() as u64;
        for _ in 0..self.plan.crashes {
            let wait = Duration::from_millis(self.rng.between(0, trouble));
            let node = self.rng.place(self.nodes.len());
            self.after(wait, Happening::Dies(node));
        }
        for _ in 0..self.plan.partitions {
            let wait = Duration::from_millis(self.rng.between(0, trouble));
            let partition = Partition::draw(self.nodes.len(), &mut self.rng);
            let length = Duration::from_millis(self.rng.between(500, 30_000));
            self.after(wait, Happening::Parts(partition, length));
        }
        self.after(self.plan.trouble, Happening::Heals);
        self.after(Duration::from_millis(700), Happening::Looks);
        if self.plan.rogue {
            self.after(Duration::from_millis(900), Happening::Intrudes);
        }
        self.plan_orders();
        let limit = self.plan.completes_by().since(self.agenda.now);
        self.after(limit, Happening::Ends);
    }

    fn after(&mut self, wait: Duration, happening: Happening) {
        self.agenda.after(wait, happening);
    }

    /// After a moment of at most that many microseconds.
    fn soon(&mut self, micros_max: u64, happening: Happening) {
        let wait = Duration::from_micros(self.rng.between(1, micros_max));
        self.after(wait, happening);
    }

    fn lives(&self, node: usize, life: u32) -> bool {
        self.nodes[node].life == life && self.nodes[node].presence == Presence::Up
    }

    fn happen(&mut self, happening: Happening) {
        match happening {
            Happening::Works(node, life) if self.lives(node, life) => self.work(node),
            Happening::Wakes(node, life, at) if self.lives(node, life) => self.wake(node, at),
            Happening::Arrives { to, call, letter, first } => self.arrive(to, call, &letter, first),
            Happening::Returns(call, outcome) => self.conclude(call, outcome.map(|boxed| *boxed)),
            Happening::Due(node, life, which) if self.lives(node, life) => self.due(node, which),
            Happening::Falls(node, life, drew) if self.lives(node, life) => {
                self.deliver(node, Event::Drawn(drew));
            }
            Happening::Thinks(node, life, (number, answer)) if self.lives(node, life) => {
                self.deliver(node, Event::Thought { number, answer });
            }
            // What a dead process had before it died with it.
            Happening::Works(..)
            | Happening::Wakes(..)
            | Happening::Due(..)
            | Happening::Falls(..)
            | Happening::Thinks(..) => {}
            Happening::Dies(node) => self.crash(node),
            Happening::Begins(node) => self.begin(node),
            Happening::Parts(partition, length) => self.part(partition, length),
            Happening::Heals => self.heal(),
            Happening::Looks => self.look(),
            Happening::Intrudes => self.intrude(),
            Happening::Orders => self.order(),
            Happening::Ends => self.has_ended = true,
        }
    }

    /// Phase two: nothing goes wrong any more, and everybody is up.
    fn heal(&mut self) {
        self.tell(|| "everything heals".into());
        self.faults = Faults::default();
        self.partitions.clear();
        for node in 0..self.nodes.len() {
            if self.nodes[node].presence == Presence::Down {
                self.soon(500_000, Happening::Begins(node));
            }
        }
    }

    /// Tells the listener, if there is one; otherwise the line is not even written.
    fn tell(&mut self, line: impl FnOnce() -> String) {
        if let Some(listener) = &mut self.listener {
            let elapsed = self.agenda.now.since(START);
            listener(&format!("{:10.3}  {}", elapsed.as_secs_f64(), line()));
        }
    }
}

//! Seasons without a wire: every role of a league in one thread, letters handed over as they are.
//!
//! The gate, the machines and `apply` of all roles run on typed messages; facts go into memory.
//! There are no sockets and no JSON, and time is a counter. One independent league plays on each
//! core.
//!
//! Spec: docs/bench.md

use std::time::{Duration, Instant};

use agon_core::{
    AdmissionRules, Caller, Effect, Effects, Event, LeagueFact, Machine, Manager, ManagerOptions,
    Moment, Noticed, Origin, Player, PlayerTimes, Profile, Referee, RequestId, Secrets, Settings,
    Tag, TokenHash,
};
use agon_node::config::Config;
use agon_node::{player_times, profile, settings};
use agon_proto::message::Transcript;
use agon_proto::{
    Answer, AuthToken, Call, Contact, DisplayName, Endpoint, Envelope, Fault, LeagueId, Timestamp,
};
use agon_sim::Rng;
use anyhow::{Context, ensure};

/// Players of one season: the most that are told everything.
pub(crate) const PLAYERS: u32 = 64;
/// The one referee takes a whole round at once.
const CAPACITY: u32 = PLAYERS / 2;
/// Facts that a journal in memory holds before it is dropped and begun anew.
const JOURNAL_MAX: usize = 64;
const MANAGER: usize = 0;
const REFEREE: usize = 1;
const FIRST_PLAYER: usize = 2;

/// Plays seasons on so many cores for that long, and says how many matches a second all had.
pub(crate) fn measure(config: &Config, cores: usize, length: Duration) -> anyhow::Result<f64> {
    std::thread::scope(|scope| {
        let begin = |_| scope.spawn(|| play_for(config, length));
        let leagues: Vec<_> = (0..cores).map(begin).collect();
        leagues.into_iter().map(|league| league.join().ok().context("a league broke down")?).sum()
    })
}

/// Matches a second of one thread.
fn play_for(config: &Config, length: Duration) -> anyhow::Result<f64> {
    let terms = Terms::of(config);
    let began = Instant::now();
    let mut matches = 0;
    while began.elapsed() < length {
        matches += LocalLeague::play(&terms, PLAYERS)?.manager.machine.league().season().completed;
    }
    Ok(matches as f64 / began.elapsed().as_secs_f64())
}

/// The shortest season as its manager wrote it down, and what the referee kept of its match.
pub(super) fn sample(config: &Config) -> anyhow::Result<(Vec<LeagueFact>, Transcript)> {
    let LocalLeague { manager, post, .. } = LocalLeague::play(&Terms::of(config), 2)?;
    Ok((manager.journal, post.archived.context("no transcript was kept")?))
}

/// A time to begin at.
pub(super) const AT: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

/// Nobody asks such a manager for anything, so its secrets are of no importance.
pub(super) fn options() -> anyhow::Result<ManagerOptions> {
    Ok(ManagerOptions {
        secrets: Secrets::new([1; 32]),
        operator: token(0)?,
        start_when: None,
        admission: AdmissionRules::local(),
    })
}

/// The hash of some token; another number gives another.
pub(super) fn token(number: u32) -> anyhow::Result<TokenHash> {
    let mut secret = [7; 32];
    secret[..4].copy_from_slice(&number.to_le_bytes());
    TokenHash::of(&AuthToken::derived(secret)).context("a token of ours has a hash")
}

/// What everybody of one league plays by, apart from its place.
struct Terms {
    settings: Settings,
    anybody: Profile,
    times: PlayerTimes,
}

impl Terms {
    fn of(config: &Config) -> Self {
        let (nowhere, manager) = (endpoint(MANAGER), endpoint(MANAGER));
        let mut settings = settings(config);
        // An independent league: a name that two threads count references to is none.
        settings.league_id = LeagueId::new(settings.league_id.as_str());
        let anybody = profile(config, "", nowhere, manager, None, 0);
        Self { settings, anybody, times: player_times(config) }
    }

    /// An address is its node's place, so that finding the addressee costs next to nothing.
    fn profile(&self, place: usize, capacity: Option<u32>) -> Profile {
        Profile {
            name: DisplayName::new(&format!("Node {place}")),
            contact: Contact::Call(endpoint(place)),
            capacity,
            nonce: place as u64,
            ..self.anybody.clone()
        }
    }
}

/// One machine with its memory journal.
struct Seat<M: Machine> {
    machine: M,
    out: Effects<M::Fact>,
    journal: Vec<M::Fact>,
}

/// A whole league.
struct LocalLeague {
    manager: Seat<Manager>,
    referee: Seat<Referee>,
    players: Vec<Seat<Player>>,
    post: Post,
}

/// What is on its way, and to whom its answers go.
#[derive(Default)]
struct Post {
    inboxes: Vec<Vec<Event>>,
    /// Who asked, and what for; a request's id is its place.
    open: Vec<(usize, Tag)>,
    free: Vec<u64>,
    now: Timestamp,
    chance: Rng,
    /// The transcript of the last match. The others are dropped, as facts are.
    archived: Option<Transcript>,
}

impl LocalLeague {
    /// Plays one season to its end.
    fn play(terms: &Terms, players: u32) -> anyhow::Result<Self> {
        let mut league = Self::set(terms, players)?;
        while league.post.inboxes.iter().any(|inbox| !inbox.is_empty()) {
            league.manager.visit(MANAGER, &mut league.post);
            league.referee.visit(REFEREE, &mut league.post);
            for (place, player) in (FIRST_PLAYER..).zip(&mut league.players) {
                player.visit(place, &mut league.post);
            }
        }
        let season = league.manager.machine.league().season();
        let whole = season.matches() == season.completed && season.champion.is_some();
        ensure!(whole, "a season stopped before its end");
        Ok(league)
    }

    fn set(terms: &Terms, players: u32) -> anyhow::Result<Self> {
        let options = ManagerOptions { start_when: Some(players), ..options()? };
        let mut league = Self {
            manager: Seat::new(Manager::new(terms.settings.clone(), options)),
            referee: Seat::new(Referee::new(terms.profile(REFEREE, Some(CAPACITY)))),
            players: Vec::with_capacity(players as usize),
            post: Post { now: AT, ..Post::default() },
        };
        let places = FIRST_PLAYER..FIRST_PLAYER + players as usize;
        for place in places.clone() {
            let player = Player::new(terms.profile(place, None), terms.times);
            league.players.push(Seat::new(player));
        }
        league.post.inboxes.resize_with(places.end, Vec::new);
        league.manager.resume(MANAGER, &mut league.post);
        league.referee.resume(REFEREE, &mut league.post);
        for (place, player) in places.zip(&mut league.players) {
            player.resume(place, &mut league.post);
        }
        Ok(league)
    }
}

/// Two digits: an address in small letters and in capitals is the same.
fn endpoint(place: usize) -> Endpoint {
    Endpoint::new(&format!("{place:02}"))
}

fn place(endpoint: &Endpoint) -> usize {
    let digit = |at: usize| usize::from(endpoint.as_str().as_bytes()[at] - b'0');
    10 * digit(0) + digit(1)
}

impl<M: Machine> Seat<M> {
    fn new(machine: M) -> Self {
        Self { machine, out: Effects::default(), journal: Vec::with_capacity(JOURNAL_MAX) }
    }

    fn resume(&mut self, place: usize, post: &mut Post) {
        self.machine.resume(post.now, &mut self.out);
        self.carry_out(place, post);
    }

    /// One turn of the loop: everything that waits, what is due, then the effects.
    fn visit(&mut self, place: usize, post: &mut Post) {
        if post.inboxes[place].is_empty() {
            return;
        }
        let mut batch = std::mem::take(&mut post.inboxes[place]);
        for event in batch.drain(..) {
            post.now = post.now + Duration::from_micros(1);
            self.hand_over(event, post);
        }
        post.inboxes[place] = batch;
        if self.machine.deadline().is_some_and(|due| due <= post.now) {
            self.machine.tick(Moment::at(post.now), &mut self.out);
        }
        self.carry_out(place, post);
    }

    /// Dice and thoughts come back at once, as in a node.
    #[inline(always)]
    fn hand_over(&mut self, event: Event, post: &mut Post) {
        let mut looked_at = self.out.effects.len();
        self.machine.handle(event, post.now, &mut self.out);
        while let Some(effect) = self.out.effects.get(looked_at) {
            looked_at += 1;
            if let Some(event) = post.inner(effect) {
                self.machine.handle(event, post.now, &mut self.out);
            }
        }
    }

    fn carry_out(&mut self, from: usize, post: &mut Post) {
        self.journal.append(&mut self.out.facts);
        if self.journal.len() >= JOURNAL_MAX {
            self.journal.clear();
        }
        for effect in self.out.effects.drain(..) {
            post.release(from, effect);
        }
    }
}

impl Post {
    #[inline(always)]
    fn inner(&mut self, effect: &Effect) -> Option<Event> {
        if let Effect::Draw { match_id, attempt, min, max } = *effect {
            let number = self.chance.between(min.into(), max.into()) as u32;
            return Some(Event::Drawn { match_id, attempt, number });
        }
        let Effect::Think(question) = effect else { return None };
        let options = question.options();
        let answer = Ok(self.chance.pick(options).cloned().unwrap_or_default());
        Some(Event::Thought { number: question.number, answer })
    }

    #[inline(always)]
    fn release(&mut self, from: usize, effect: Effect) {
        match effect {
            Effect::Send(outgoing) => {
                self.call(from, place(&outgoing.to), outgoing.tag, outgoing.letter);
            }
            Effect::Broadcast(news) => {
                for recipient in &news.recipients {
                    let letter = Box::new(news.envelope(recipient));
                    self.call(from, place(&recipient.to), recipient.tag, letter);
                }
            }
            Effect::Reply { request, answer } => self.answer(request, answer),
            Effect::Refuse { request, refusal } => {
                let fault = Fault::new(refusal.code(), refusal.to_string().into());
                self.answer(request, Answer::Fault(fault));
            }
            Effect::Archive { transcript, .. } => self.archived = Some(transcript),
            // A season ends by itself.
            Effect::Fetch { .. } | Effect::Heard(_) | Effect::Alert(_) | Effect::Finish(_) => {}
            Effect::Draw { .. } | Effect::Think(_) | Effect::SendLetter(_) => {}
            Effect::BoundCalls { .. } => {}
            Effect::ListAgents { .. } | Effect::Probe { .. } | Effect::Keep { .. } => {}
        }
    }

    #[inline(always)]
    fn call(&mut self, from: usize, to: usize, tag: Tag, letter: Box<Envelope>) {
        let request = self.free.pop().unwrap_or(self.open.len() as u64);
        match self.open.get_mut(request as usize) {
            Some(open) => *open = (from, tag),
            None => self.open.push((from, tag)),
        }
        let event = Event::Called {
            request: RequestId(request),
            caller: Caller::at_home(Origin::Endpoint),
            call: Call::Message(letter),
        };
        self.inboxes[to].push(event);
    }

    /// Takes an answer back to who asked. Nobody waits for the outcome of news.
    #[inline(always)]
    fn answer(&mut self, request: RequestId, answer: Answer) {
        self.free.push(request.0);
        let (to, tag) = self.open[request.0 as usize];
        if !tag.is_news() || matches!(tag, Tag::RoundOver { .. }) {
            self.inboxes[to].push(Event::Answered { tag, answer });
        } else if tag != Tag::Notice {
            self.inboxes[to].push(Event::Noticed { tag, how: Noticed::Taken });
        }
    }
}

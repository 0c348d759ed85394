//! What the tests of several machines share: times, names, settings, and a bench to put a role on.

mod effects;

use std::time::Duration;

use agon_proto::Letter;
use agon_proto::act::Act;
use agon_proto::message::{Blame, Cause, StepLimits};
use agon_proto::tool::{Tool, ToolParams};
use agon_proto::{
    Address, AgentId, AuthToken, Call, Contact, ConversationId, Dialogue, DisplayName, Endpoint,
    Envelope, GameType, GroupId, LeagueId, MatchId, PlayerId, RefereeId, Sender, Timestamp,
};

pub(crate) use effects::{answer, check, lines, news, refusal, sent};

use crate::season::{DetailsId, MatchRecord};
use crate::verdict::{Outcome, Verdict};
use crate::{
    Alert, Caller, Effect, Effects, Event, FailedAsk, Joins, Machine, ManagerOptions, Moment,
    Noticed, Origin, OutcomePoints, Profile, Proof, Provenance, Registration, RequestId, Secrets,
    Settings, TieBreaker, TokenHash,
};

/// The course's numbers.
pub(crate) const LIMITS: StepLimits = StepLimits {
    join_ms: 5_000,
    choice_ms: 30_000,
    backoff_ms: [2_000, 4_000, 8_000],
    draw_min: 1,
    draw_max: 10,
    no_show_cancels: false,
};

pub(crate) const SCORING: OutcomePoints = OutcomePoints::COURSE;

pub(crate) const TIE_BREAKERS: [TieBreaker; 4] = [
    TieBreaker::Points,
    TieBreaker::Wins,
    TieBreaker::HeadToHead,
    TieBreaker::FewerTechnicalLosses,
];

pub(crate) fn settings() -> Settings {
    Settings {
        referees_max: 8,
        capacity_max: 1_000,
        withdraw_after: 3,
        call_ms: 5_000,
        ..Settings::course(league())
    }
}

pub(crate) fn profile(name: &str, capacity: Option<u32>) -> Profile {
    Profile {
        name: agon_proto::DisplayName::new(name),
        games: vec![settings().game_type()],
        contact: Contact::Call(Endpoint::new(name)),
        vouched: None,
        manager: Contact::Call(Endpoint::new("manager")),
        group: GroupId::new(name),
        joins: Joins::AtOnce,
        capacity,
        nonce: 7,
        keeps_token: false,
        invitation_code: None,
        timeout: Duration::from_secs(10),
        tries: 3,
        wait: Duration::from_secs(300),
        backoff: Duration::from_secs(2),
        lateness_max: Duration::from_secs(1),
    }
}

/// Of somebody who speaks by letters, and of its manager.
pub(crate) fn letter_profile(address: &str, manager: &str, capacity: Option<u32>) -> Profile {
    let contact = |text: &str| Contact::of(&Address::new(text));
    Profile {
        contact: contact(address),
        manager: contact(manager),
        joins: Joins::WhenInvited,
        games: vec![judged_game()],
        ..profile(address, capacity)
    }
}

/// A game that asks for a referee's own judgement, and so is played by letters.
fn judged_game() -> GameType {
    let judged = agon_games::games().iter().find(|game| game.is_judged());
    GameType::trusted(judged.expect("there is one").name)
}

pub(crate) fn league() -> LeagueId {
    LeagueId::new("league_2026")
}

pub(crate) fn player(number: u32) -> PlayerId {
    PlayerId::new(number)
}

pub(crate) fn referee(number: u32) -> RefereeId {
    RefereeId::new(number)
}

pub(crate) fn in_match(round: u32, number: u32) -> MatchId {
    MatchId::new(round, number)
}

/// A token that nobody was given.
pub(crate) fn stolen() -> AuthToken {
    AuthToken::derived([99; 32])
}

/// So many milliseconds after the test began, which was at a whole second.
pub(crate) fn at_ms(milliseconds: u64) -> Timestamp {
    Timestamp::from_micros(1_768_471_800_000_000) + Duration::from_millis(milliseconds)
}

/// Somebody who is let in there, with that token.
pub(crate) fn registration(agent: AgentId, endpoint: &str, token: TokenHash) -> Registration {
    Registration {
        agent,
        name: DisplayName::new("somebody"),
        contact: Endpoint::new(endpoint).into(),
        also: None,
        group: None,
        token: Some(token),
        provenance: Provenance::default(),
        capacity: 1,
        says_told: false,
        invitation: None,
        waits: false,
        expected_with: 0,
        unproved: false,
        public_only: false,
        said_at: at(0),
        at: at(0),
    }
}

/// So many seconds after the test began.
pub(crate) fn at(seconds: u64) -> Timestamp {
    at_ms(seconds * 1_000)
}

pub(crate) fn letter(
    sender: Sender,
    token: Option<AuthToken>,
    conversation: ConversationId,
    act: impl Into<Act>,
) -> Envelope {
    let head = Dialogue { sender, timestamp: at(0), conversation_id: conversation };
    Envelope { head, auth_token: token, act: act.into() }
}

/// A role on the bench: it is told things at given times; its facts are kept as a journal would.
pub(crate) struct Bench<M: Machine> {
    pub(crate) role: M,
    /// Whether its peers take news at once. Otherwise the test says who has heard.
    pub(crate) prompt: bool,
    pub(crate) facts: Vec<M::Fact>,
    pub(crate) now: Timestamp,
    /// The asks that came to nothing, as the operator is told. Nothing follows from them.
    pub(crate) failed: Vec<FailedAsk>,
    requests: u64,
}

impl<M: Machine> Bench<M> {
    /// Replays the facts; nothing has happened yet.
    pub(crate) fn new(mut role: M, facts: Vec<M::Fact>) -> Self {
        for fact in &facts {
            role.apply(fact);
        }
        Self { role, prompt: true, facts, now: at(0), failed: Vec::new(), requests: 0 }
    }

    /// Lets the time go on to that second. Nothing falls due by itself; see `tick`.
    pub(crate) fn at(&mut self, second: u64) -> &mut Self {
        self.now = at(second);
        self
    }

    fn collect(
        &mut self,
        act: impl FnOnce(&mut M, Timestamp, &mut Effects<M::Fact>),
    ) -> Vec<Effect> {
        let mut out = Effects::default();
        act(&mut self.role, self.now, &mut out);
        let mut looked_at = 0;
        while let Some(effect) = out.effects.get(looked_at).filter(|_| self.prompt) {
            looked_at += 1;
            for tag in news(effect) {
                let taken = Event::Noticed { tag, how: Noticed::Taken };
                self.role.handle(taken, self.now, &mut out);
            }
        }
        self.facts.append(&mut out.facts);
        let mut effects = Vec::new();
        for effect in out.effects {
            if let Effect::Alert(Alert::AskFailed(failed)) = effect {
                self.failed.push(*failed);
            } else {
                effects.push(effect);
            }
        }
        effects
    }

    pub(crate) fn tell(&mut self, event: Event) -> Vec<Effect> {
        self.collect(|role, now, out| role.handle(event, now, out))
    }

    pub(crate) fn tick(&mut self) -> Vec<Effect> {
        self.collect(|role, now, out| role.tick(Moment::at(now), out))
    }

    /// What is due by then, although it is later: what came since was not read yet.
    pub(crate) fn tick_having_heard(&mut self, heard: Timestamp) -> Vec<Effect> {
        self.collect(|role, now, out| role.tick(Moment { now, heard }, out))
    }

    pub(crate) fn resume(&mut self) -> Vec<Effect> {
        self.collect(|role, now, out| role.resume(now, out))
    }

    pub(crate) fn call(&mut self, letter: Envelope) -> Vec<Effect> {
        self.call_from(Origin::Endpoint, letter)
    }

    pub(crate) fn call_from(&mut self, origin: Origin, letter: Envelope) -> Vec<Effect> {
        self.call_by(Caller::at_home(origin), letter)
    }

    pub(crate) fn call_by(&mut self, caller: Caller, letter: Envelope) -> Vec<Effect> {
        self.called(caller, Call::Message(Box::new(letter)))
    }

    pub(crate) fn tool(&mut self, tool: Tool, params: ToolParams) -> Vec<Effect> {
        self.called(Caller::at_home(Origin::Elsewhere), Call::Tool(tool, params.into()))
    }

    /// A letter comes.
    pub(crate) fn post(&mut self, proof: Proof, letter: Letter) -> Vec<Effect> {
        self.requests += 1;
        let (request, letter) = (RequestId(self.requests), Box::new(letter));
        let at = self.now;
        let caller = (proof == Proof::Token).then(|| Caller::at_home(Origin::Endpoint));
        self.tell(Event::Posted { request, proof, caller, at, letter })
    }

    fn called(&mut self, caller: Caller, call: Call) -> Vec<Effect> {
        self.requests += 1;
        let request = RequestId(self.requests);
        self.tell(Event::Called { request, caller, call })
    }
}

/// What proves the operator of a manager under test.
pub(crate) fn operator() -> AuthToken {
    AuthToken::derived([42; 32])
}

/// What a manager under test is told at every start.
pub(crate) fn options(start_when: Option<u32>) -> ManagerOptions {
    ManagerOptions {
        secrets: Secrets::new([7; 32]),
        operator: TokenHash::of(&operator()).expect("a derived token is one of ours"),
        start_when,
        admission: crate::AdmissionRules::local(),
    }
}

/// A match of the first referee's, played at once.
pub(crate) fn record(outcome: Outcome) -> MatchRecord {
    let verdict = verdict(outcome, Cause::Played, None);
    let details = DetailsId::default();
    MatchRecord { verdict, referee: referee(1), attempt: 1, unverified: false, details, at: at(0) }
}

/// A verdict with the points of the course. Nobody knows what it was worth in the game.
pub(crate) const fn verdict(outcome: Outcome, cause: Cause, blame: Option<Blame>) -> Verdict {
    Verdict { outcome, cause, blame, gains: None, points: SCORING.of(outcome) }
}

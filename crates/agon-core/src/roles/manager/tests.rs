//! The manager under test: a league of agents with short names, and one way to say each thing.

mod admission;
mod assignments;
mod clocks;
mod corrections;
mod formats;
mod games;
mod hearing;
mod identity;
mod keeping;
mod large;
mod leases;
mod moves;
mod probes;
mod queries;
mod recovery;
mod registration;
mod reports;
mod rerun;
mod reset;
mod rounds;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use agon_proto::act::Applying;
use agon_proto::message::{
    MatchAssignment, MatchResultReport, ReportDetails, ReportedResult, Transcript,
};
use agon_proto::tool::{Command, Tool, ToolAnswer, ToolParams};
use agon_proto::{
    AgentId, Answer, AuthToken, ConversationId, DisplayName, Endpoint, GameType, InvitationCode,
    MatchId, PerPlayer, PlayerId, Receipt, ReceiptStatus, RefereeId, Role, Sender,
};

use super::*;
use crate::effect::Effect;
use crate::format::FormatKind;
use crate::testing::{Bench, answer, at, league, letter, operator, options, settings};
use crate::{Origin, Setback};

/// One call to a referee, and the match that it gives.
type Given = Arc<MatchAssignment>;

/// Somebody who wants in. Its name is its endpoint.
#[derive(Clone)]
struct Entry {
    name: String,
    endpoint: String,
    conversation: String,
    token: Option<AuthToken>,
    game: GameType,
    version: Option<&'static str>,
    /// For a referee.
    capacity: Option<u32>,
    says_told: bool,
    keeps_token: bool,
    code: Option<InvitationCode>,
}

fn entry(name: &str, capacity: Option<u32>) -> Entry {
    Entry {
        name: name.to_owned(),
        endpoint: name.to_owned(),
        conversation: format!("conv-{name}-reg-1"),
        token: None,
        game: GameType::new("even_odd"),
        version: None,
        capacity,
        says_told: false,
        keeps_token: false,
        code: None,
    }
}

impl Entry {
    fn request(&self) -> Envelope {
        let name = DisplayName::new(&self.name);
        let (role, sender) = match self.capacity {
            Some(_) => (Role::Referee, Sender::NewReferee(Box::new(name.clone()))),
            None => (Role::Player, Sender::NewPlayer(Box::new(name.clone()))),
        };
        let request = Applying {
            role: Some(role),
            name: Some(name),
            version: Some(DisplayName::new("1.0.0")),
            games: Some(vec![self.game.clone()]),
            contact: Some(Endpoint::new(&self.endpoint).into()),
            protocol: self.version.map(DisplayName::new),
            capacity: self.capacity,
            says_told: self.says_told,
            keeps_token: self.keeps_token,
            code: self.code.clone(),
            ..Applying::default()
        };
        let conversation = ConversationId::new(&self.conversation);
        letter(sender, self.token.clone(), conversation, Act::Apply(Box::new(request)))
    }
}

/// Reads the answer to a registration: the id and the token, or the reason.
#[track_caller]
fn admission(effects: &[Effect]) -> Result<(AgentId, AuthToken), String> {
    let Answer::Message(letter) = answer(effects) else {
        panic!("a registration is answered with a letter");
    };
    let Act::Decide(said) = &letter.act else {
        panic!("{letter:?} is no answer to a registration");
    };
    match said.denial {
        None => Ok((said.agent.unwrap(), said.token.clone().unwrap())),
        Some(_) => Err(format!("{}: {}", said.code.unwrap(), said.text.as_ref().unwrap())),
    }
}

/// A manager, and the tokens of everybody that it let in.
struct League {
    bench: Bench<Manager>,
    tokens: BTreeMap<AgentId, AuthToken>,
}

impl League {
    fn open() -> Self {
        Self::open_with(settings(), options(None))
    }

    fn open_with(settings: Settings, options: ManagerOptions) -> Self {
        let mut bench = Bench::new(Manager::new(settings, options), Vec::new());
        assert!(bench.resume().is_empty());
        Self { bench, tokens: BTreeMap::new() }
    }

    /// Players p1, p2, … and referees ref1, ref2, … of these capacities; not started.
    fn with(settings: Settings, players: u32, capacities: &[u32]) -> Self {
        let mut league = Self::open_with(settings, options(None));
        league.register_all(players, capacities);
        league
    }

    fn register_all(&mut self, players: u32, capacities: &[u32]) {
        for number in 1..=players {
            self.register(&entry(&format!("p{number}"), None));
        }
        for (number, capacity) in (1..).zip(capacities) {
            self.register(&entry(&format!("ref{number}"), Some(*capacity)));
        }
    }

    /// A season that was started by the operator, and what was said then.
    fn started(players: u32, capacities: &[u32]) -> (Self, Vec<Effect>) {
        Self::started_as(FormatKind::RoundRobin, players, capacities)
    }

    fn started_as(format: FormatKind, players: u32, capacities: &[u32]) -> (Self, Vec<Effect>) {
        let mut league = Self::with(Settings { format, ..settings() }, players, capacities);
        let effects = league.command(Command::StartLeague);
        (league, effects)
    }

    #[track_caller]
    fn register(&mut self, entry: &Entry) -> Vec<Effect> {
        let effects = self.bench.call(entry.request());
        let (id, token) = admission(&effects).unwrap();
        self.tokens.insert(id, token);
        effects
    }

    fn token(&self, agent: AgentId) -> Option<AuthToken> {
        self.tokens.get(&agent).cloned()
    }

    fn command(&mut self, command: Command) -> Vec<Effect> {
        self.order(command, ToolParams::default())
    }

    fn report(&mut self, referee: u32, report: MatchResultReport) -> Vec<Effect> {
        let id = RefereeId::new(referee);
        let token = self.token(AgentId::Referee(id));
        let conversation = ConversationId::Report(report.match_id);
        self.bench.call(letter(Sender::Referee(id), token, conversation, report))
    }

    fn answer_assignment(&mut self, given: &MatchAssignment, status: ReceiptStatus) -> Vec<Effect> {
        let match_id = Some(given.match_id);
        let answer = Answer::Receipt(Receipt { status, match_id, played: None });
        self.bench.tell(Event::Answered { tag: tag(given), answer })
    }

    fn lose_assignment(&mut self, given: &MatchAssignment) -> Vec<Effect> {
        let why = Setback::Unreachable;
        self.bench.tell(Event::Undelivered { tag: tag(given), why, objection: None })
    }

    /// Lets the time go on to the next thing that is due.
    fn wait(&mut self) -> Vec<Effect> {
        let due = self.bench.role.deadline().expect("something is due");
        self.bench.now = self.bench.now.max(due);
        self.bench.tick()
    }

    /// The match is taken, played and reported.
    fn play(&mut self, given: &MatchAssignment) -> Vec<Effect> {
        let mut effects = self.answer_assignment(given, ReceiptStatus::Accepted);
        effects.extend(self.report(given.referee_id.number(), played(given)));
        effects
    }

    /// Carries on, match by match, until nothing is left to do.
    fn play_on(&mut self, effects: &[Effect], fate: impl Fn(MatchId, u32, u32) -> Fate) {
        let mut queue: VecDeque<Given> = assignments(effects).into();
        let mut calls: BTreeMap<(MatchId, u32), u32> = BTreeMap::new();
        while self.bench.role.league().season().phase == LeaguePhase::Running {
            let Some(given) = queue.pop_front() else {
                queue.extend(assignments(&self.wait()));
                continue;
            };
            let key = (given.match_id, given.attempt);
            let call = calls.entry(key).or_default();
            *call += 1;
            let effects = match fate(given.match_id, given.attempt, *call) {
                Fate::Played => self.play(&given),
                Fate::Aborted => self.report(given.referee_id.number(), aborted(&given)),
                Fate::Undelivered => self.lose_assignment(&given),
                Fate::Refused => self.answer_assignment(&given, ReceiptStatus::Refused),
                Fate::Lost => self.answer_assignment(&given, ReceiptStatus::Accepted),
            };
            queue.extend(assignments(&effects));
        }
    }

    fn reassignments(&self) -> Vec<(MatchId, u32, u32)> {
        let found = self.bench.facts.iter().filter_map(|fact| {
            if let LeagueFact::MatchReassigned { match_id, attempt, referee, .. } = fact {
                Some((*match_id, *attempt, referee.number()))
            } else {
                None
            }
        });
        found.collect()
    }
}

/// What becomes of one call to a referee.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Played,
    Aborted,
    Undelivered,
    Refused,
    /// Taken, and never heard of again.
    Lost,
}

fn tag(given: &MatchAssignment) -> Tag {
    Tag::Assign { match_id: given.match_id, attempt: given.attempt }
}

/// The matches that are given out among these effects.
fn assignments(effects: &[Effect]) -> Vec<Given> {
    let given = effects.iter().filter_map(|effect| {
        if let Effect::Send(sent) = effect
            && let Act::MatchAssignment(given) = &sent.letter.act
        {
            assert_eq!(sent.tag, tag(given));
            Some(given.clone())
        } else {
            None
        }
    });
    given.collect()
}

/// `R1M1 to REF01`, for each match that is given out.
fn given_to(effects: &[Effect]) -> Vec<String> {
    let given = assignments(effects);
    given.iter().map(|given| format!("{} to {}", given.match_id, given.referee_id)).collect()
}

/// A report in the course's own words: no more than who won.
fn result(given: &MatchAssignment, winner: Option<PlayerId>) -> MatchResultReport {
    MatchResultReport {
        league_id: league(),
        round_id: given.round_id,
        match_id: given.match_id,
        game_type: GameType::new("even_odd"),
        result: ReportedResult {
            winner,
            score: PerPlayer::empty(),
            details: ReportDetails::default(),
            status: None,
            reason: None,
            blame: None,
            attempt: Some(given.attempt),
        },
        transcript: Transcript::default(),
        told: Vec::new(),
        charged_ms: PerPlayer::empty(),
    }
}

/// A played match. Who wins is different from match to match and always the same for each.
fn played(given: &MatchAssignment) -> MatchResultReport {
    let winner = match (given.match_id.round + given.match_id.number) % 3 {
        0 => Some(given.player_a_id),
        1 => Some(given.player_b_id),
        _ => None,
    };
    result(given, winner)
}

fn aborted(given: &MatchAssignment) -> MatchResultReport {
    let mut report = result(given, None);
    report.result.status = Some(agon_proto::message::ResultStatus::Aborted);
    report
}

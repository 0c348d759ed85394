//! A small league in the middle of its second round, as a journal.

use std::path::Path;

use agon_core::format::Fixtures;
use agon_core::{
    LeagueFact, Lineup, Outcome, OutcomePoints, Provenance, Registration, Seat, TokenHash, Verdict,
};
use agon_node::config::Config;
use agon_proto::message::{
    Blame, Cause, EntryKind, NotedMove, Parity, Party, ReportDetails, Transcript, TranscriptEntry,
};
use agon_proto::{
    AgentId, AuthToken, DisplayName, Endpoint, LeagueId, MatchId, Payload, PerPlayer, PlayerId,
    RefereeId, Timestamp,
};
use agon_store::{Batch, Exhibit, Journal};

pub(super) const LEAGUE: &str = "spring_2026";
/// Part of an endpoint, and nobody else's business.
pub(super) const SECRET: &str = "hunter2";

const NAMES: [&str; 4] = ["=cmd()", "Blaise, the \"second\"", "P03", "P04"];
const FIRST: RefereeId = RefereeId::new(1);

pub(super) fn token() -> AuthToken {
    AuthToken::derived([0x5a; 32])
}

pub(super) fn hash() -> TokenHash {
    TokenHash::of(&token()).unwrap()
}

/// So many milliseconds after ten o'clock.
fn at(milliseconds: i64) -> Timestamp {
    let ten: Timestamp = "2026-01-15T10:00:00Z".parse().unwrap();
    Timestamp::from_micros(ten.micros() + milliseconds * 1000)
}

fn endpoint(port: u32) -> Endpoint {
    Endpoint::new(&format!("http://me:{SECRET}@127.0.0.1:{port}/mcp?key={SECRET}"))
}

/// Everything that happened.
pub(super) fn facts() -> Vec<LeagueFact> {
    let config = Config::load(None, std::iter::empty(), toml::Table::new()).unwrap();
    let mut settings = agon_node::settings(&config);
    settings.league_id = LeagueId::new(LEAGUE);
    let mut facts = vec![
        LeagueFact::Opened { settings: Box::new(settings), at: at(0) },
        registered(AgentId::Referee(FIRST), "Referee", (8001, 2), at(1000)),
    ];
    for (number, name) in (1..).zip(NAMES) {
        let agent = AgentId::Player(PlayerId::new(number));
        facts.push(registered(agent, name, (8100 + number, 0), at(2000)));
    }
    let lineup = Lineup::All { players: 4, referees: 1 };
    facts.push(LeagueFact::SeasonStarted { lineup, order: None, at: at(9000) });
    facts.extend(first_round());
    facts.push(announced(2, 31_000));
    let draw = verdict(Outcome::Drawn, Some(3), [Some(Parity::Even); 2]);
    facts.push(accepted(MatchId::new(2, 1), 1, draw, 40_000));
    facts
}

/// The same with a fifth player; the first one takes no part.
pub(super) fn facts_with_a_gap() -> Vec<LeagueFact> {
    let mut facts = facts();
    let fifth = registered(AgentId::Player(PlayerId::new(5)), "P05", (8105, 0), at(3000));
    let begins = facts.iter().position(|fact| matches!(fact, LeagueFact::SeasonStarted { .. }));
    let begins = begins.unwrap();
    let players = (2..=5).map(PlayerId::new).collect();
    let lineup = Lineup::Listed { players, referees: vec![FIRST], referees_later: false };
    facts[begins] = LeagueFact::SeasonStarted { lineup, order: None, at: at(9000) };
    facts.insert(begins, fifth);
    facts
}

fn registered(
    agent: AgentId,
    name: &str,
    (port, capacity): (u32, u32),
    at: Timestamp,
) -> LeagueFact {
    LeagueFact::Registered(Box::new(Registration {
        agent,
        name: DisplayName::new(name),
        contact: endpoint(port).into(),
        also: None,
        group: None,
        token: Some(hash()),
        provenance: Provenance::default(),
        capacity,
        says_told: false,
        invitation: None,
        waits: false,
        expected_with: 0,
        unproved: false,
        public_only: false,
        said_at: at,
        at,
    }))
}

fn first_round() -> Vec<LeagueFact> {
    let won = verdict(Outcome::Won(Seat::A), Some(8), [Some(Parity::Even), Some(Parity::Odd)]);
    let outcome = Outcome::Forfeited(Seat::B);
    let late = Verdict {
        outcome,
        cause: Cause::TimedOut,
        blame: Some(Blame::PlayerB),
        gains: None,
        points: OutcomePoints::COURSE.of(outcome),
    };
    let late = (late, details(None, [Some(Parity::Odd), None]));
    vec![
        announced(1, 10_000),
        accepted(MatchId::new(1, 1), 1, won.clone(), 20_000),
        LeagueFact::MatchReassigned {
            match_id: MatchId::new(1, 2),
            attempt: 2,
            referee: FIRST,
            cause: Cause::RefereeLost,
            blame: Blame::Referee,
            at: at(21_000),
        },
        accepted(MatchId::new(1, 2), 2, late, 25_000),
        LeagueFact::ResultDisputed {
            match_id: MatchId::new(1, 2),
            attempt: None,
            referee: FIRST,
            verdict: Some(won.0),
            details: won.1,
            contradiction: None,
            at: at(26_000),
        },
        LeagueFact::RoundCompleted { round: 1, at: at(30_000) },
    ]
}

fn announced(round: u32, when: i64) -> LeagueFact {
    let (fixtures, referees) = (Fixtures::OnPaper, vec![Some(FIRST); 2]);
    LeagueFact::RoundAnnounced { round, fixtures, referees, at: at(when) }
}

type Ended = (Verdict, Payload);

fn accepted(match_id: MatchId, attempt: u32, (verdict, details): Ended, when: i64) -> LeagueFact {
    LeagueFact::ResultAccepted {
        match_id,
        attempt,
        referee: FIRST,
        verdict,
        details,
        moves: None,
        unverified: false,
        charged_ms: [0; 2],
        at: at(when),
    }
}

fn verdict(outcome: Outcome, drawn: Option<u32>, choices: [Option<Parity>; 2]) -> Ended {
    let points = OutcomePoints::COURSE.of(outcome);
    let verdict = Verdict { outcome, cause: Cause::Played, blame: None, gains: None, points };
    (verdict, details(drawn, choices))
}

/// What was played, as its game shows it.
fn details(drawn_number: Option<u32>, [a, b]: [Option<Parity>; 2]) -> Payload {
    let players = [PlayerId::new(1), PlayerId::new(2)];
    let choices = [a.map(|it| (players[0], it)), b.map(|it| (players[1], it))];
    ReportDetails { drawn_number, choices: PerPlayer::of(choices), played: None }.view(players)
}

/// What went on in R1M1, a millisecond a line.
fn transcript() -> Transcript {
    use Party::{PlayerA, PlayerB, Referee};
    let lines = [
        (EntryKind::GameInvitation, Referee, PlayerA),
        (EntryKind::GameJoinAck, PlayerA, Referee),
        (EntryKind::ChooseParityCall, Referee, PlayerA),
        (EntryKind::ChooseParityCall, Referee, PlayerB),
        (EntryKind::ChooseParityResponse, PlayerA, Referee),
        (EntryKind::ChooseParityResponse, PlayerB, Referee),
        (EntryKind::NumberDrawn, Referee, Referee),
        (EntryKind::Verdict, Referee, Referee),
    ];
    let entry = |(place, (kind, from, to)): (i64, _)| TranscriptEntry {
        choice: (place == 5).then_some(NotedMove::Parity(Parity::Odd)),
        ..TranscriptEntry::new(at(11_000 + place), kind, from, to)
    };
    Transcript((0..).zip(lines).map(entry).collect::<Vec<_>>().into())
}

/// Writes a journal as a manager would.
pub(super) fn write(dir: &Path, facts: Vec<LeagueFact>) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let played = facts.iter().any(|it| matches!(it, LeagueFact::ResultAccepted { .. }));
    let exhibit =
        Exhibit { key: "R1M1".to_owned(), body: serde_json::to_vec(&transcript()).unwrap() };
    let exhibits = played.then_some(exhibit).into_iter().collect();
    let mut journal = Journal::open(dir).unwrap();
    runtime.block_on(journal.append(0, Batch { facts, exhibits })).unwrap();
}

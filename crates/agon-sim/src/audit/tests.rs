//! Every fault is found, in books that are made up for it; sound books raise no finding.

use std::collections::BTreeSet;

use agon_core::format::Fixtures;
use agon_core::{
    AgentFact, Credentials, Lineup, Outcome, PlayerFact, Provenance, RefereeFact, Registration,
    Seat, TokenHash, Verdict,
};
use agon_proto::message::{Blame, Cause, Parity, StandingsRow, Transcript};
use agon_proto::tool::{PlayedMatch, PlayedResult};
use agon_proto::{
    AgentId, AsPayload, DisplayName, MatchId, Payload, PlayerId, RefereeId, Timestamp,
};

use super::*;
use crate::league;

const ID: MatchId = MatchId::new(1, 1);
const AT: Timestamp = Timestamp::from_micros(0);
const REFEREES: [RefereeId; 2] = [RefereeId::new(1), RefereeId::new(2)];

/// What a season left behind.
struct Left {
    facts: Vec<LeagueFact>,
    referees: Vec<Vec<RefereeFact>>,
    players: Vec<Vec<PlayerFact>>,
    told: Vec<Told>,
    /// Only of a season that is over.
    table: Option<Vec<StandingsRow>>,
}

fn registered(agent: AgentId, port: usize) -> LeagueFact {
    LeagueFact::Registered(Box::new(Registration {
        agent,
        name: DisplayName::new("somebody"),
        contact: league::endpoint(port).into(),
        also: None,
        group: None,
        token: TokenHash::of(&league::operator()),
        provenance: Provenance::default(),
        capacity: 1,
        says_told: false,
        invitation: None,
        waits: false,
        expected_with: 0,
        unproved: false,
        public_only: false,
        said_at: AT,
        at: AT,
    }))
}

fn admitted(agent: AgentId) -> AgentFact {
    let (agent, league) = (Some(agent), league::settings().league_id);
    let (token, signed_calls) = (league::operator(), false);
    let given = Some(Credentials { agent, league, token, signed_calls, heartbeat_ms: None });
    AgentFact::Admitted { season: None, league: None, given }
}

/// A played even number.
fn verdict() -> Verdict {
    let (outcome, gains) = (Outcome::Won(Seat::A), Some([1, -1]));
    let points = OutcomePoints::COURSE.of(outcome);
    Verdict { outcome, cause: Cause::Played, blame: None, gains, points }
}

fn accepted(attempt: u32, referee: RefereeId, verdict: Verdict) -> LeagueFact {
    let details = Payload::new("{\"drawn_number\":8,\"choices\":[\"even\",\"odd\"]}");
    let details = details.expect("that is JSON");
    LeagueFact::ResultAccepted {
        match_id: ID,
        attempt,
        referee,
        verdict,
        details,
        moves: None,
        unverified: false,
        charged_ms: [0; 2],
        at: AT,
    }
}

fn referee_book(referee: RefereeId, attempt: u32) -> Vec<RefereeFact> {
    let (match_id, details, transcript) = (ID, Payload::default(), Transcript::default());
    vec![
        RefereeFact::Agent(admitted(AgentId::Referee(referee))),
        RefereeFact::Judged {
            match_id,
            attempt,
            verdict: verdict(),
            details,
            acts: Payload::default(),
            transcript,
            charged_ms: [0; 2],
        },
        RefereeFact::Recorded { match_id, attempt },
        RefereeFact::Settled { match_id, attempt },
    ]
}

/// What a player heard.
fn heard(player: u32, attempt: u32) -> PlayedMatch {
    let won = player == 1;
    PlayedMatch {
        match_id: ID,
        opponent_id: PlayerId::new(3 - player),
        result: if won { PlayedResult::Win } else { PlayedResult::Loss },
        my_choice: Some(if won { Parity::Even } else { Parity::Odd }),
        opponent_choice: Some(if won { Parity::Odd } else { Parity::Even }),
        drawn_number: Some(8),
        timestamp: AT,
        attempt,
    }
}

fn chosen(choice: Parity, attempt: u32) -> PlayerFact {
    let (choice, instead_of) = (choice.payload(), None);
    PlayerFact::Chosen { match_id: ID, attempt, step: 1, choice, instead_of, at: AT }
}

fn player_book(player: u32, attempt: u32) -> Vec<PlayerFact> {
    let choice = if player == 1 { Parity::Even } else { Parity::Odd };
    vec![
        PlayerFact::Agent(admitted(AgentId::Player(PlayerId::new(player)))),
        chosen(choice, attempt),
        PlayerFact::Over(heard(player, attempt)),
    ]
}

fn row(player: u32, wins: u32) -> StandingsRow {
    StandingsRow {
        rank: player,
        player_id: PlayerId::new(player),
        display_name: DisplayName::new("somebody"),
        played: 1,
        wins,
        draws: 0,
        losses: 1 - wins,
        points: 3 * wins,
        clock_ms: None,
        unverified: None,
        unproved: false,
    }
}

/// A season of two players and one match, in which everything is as it must be.
fn sound() -> Left {
    let [referee, second] = REFEREES;
    let lineup = Lineup::All { players: 2, referees: 2 };
    let (fixtures, referees) = (Fixtures::OnPaper, vec![Some(referee)]);
    let facts = vec![
        LeagueFact::Opened { settings: Box::new(league::settings()), at: AT },
        registered(AgentId::Referee(referee), 1),
        registered(AgentId::Referee(second), 2),
        registered(AgentId::Player(PlayerId::new(1)), 3),
        registered(AgentId::Player(PlayerId::new(2)), 4),
        LeagueFact::SeasonStarted { lineup, order: None, at: AT },
        LeagueFact::RoundAnnounced { round: 1, fixtures, referees, at: AT },
        accepted(1, referee, verdict()),
        LeagueFact::RoundCompleted { round: 1, at: AT },
        LeagueFact::LeagueCompleted { champion: PlayerId::new(1), at: AT },
    ];
    let [status, cause] = ["WIN", "PLAYED"].map(str::to_owned);
    Left {
        facts,
        referees: vec![referee_book(referee, 1)],
        players: vec![player_book(1, 1), player_book(2, 1)],
        told: vec![Told { match_id: ID, attempt: 1, referee, status, cause }],
        table: Some(vec![row(1, 1), row(2, 0)]),
    }
}

/// Shows something to the auditor, and says which promise that breaks.
fn hear(audit: &mut Audit, sight: &Sight<'_>) -> Result<(), Broken> {
    let before = audit.found.len();
    audit.see(sight);
    audit.found.get(before).cloned().map_or(Ok(()), Err)
}

/// Where the result stands in the sound journal.
const RESULT: usize = 7;

impl Left {
    /// It was interrupted before its match had a result.
    fn interrupt(&mut self) {
        self.facts.truncate(RESULT);
        self.table = None;
    }

    fn findings(&self) -> Vec<Broken> {
        let (mut audit, mut broken) = (Audit::default(), 0);
        // What is wrong at once is among what is found in the end.
        let mut count = |said: Result<(), Broken>| broken += usize::from(said.is_err());
        self.facts.iter().for_each(|fact| count(hear(&mut audit, &Sight::LeagueWrote(fact))));
        for (node, book) in self.referees.iter().enumerate() {
            book.iter().for_each(|fact| count(hear(&mut audit, &Sight::RefereeWrote(node, fact))));
        }
        for (node, book) in (10..).zip(&self.players) {
            book.iter().for_each(|fact| count(hear(&mut audit, &Sight::PlayerWrote(node, fact))));
        }
        self.told.iter().for_each(|told| count(hear(&mut audit, &Sight::Told(told))));
        self.table.iter().for_each(|rows| count(hear(&mut audit, &Sight::Table(rows))));
        let found = if self.table.is_some() { audit.findings() } else { audit.interrupted() };
        assert!(found.len() >= broken, "{found:?}");
        found
    }
}

/// Spoils a sound season, and compares the faults that are found.
#[track_caller]
fn finds(expected: &[FindingKind], spoil: impl FnOnce(&mut Left)) {
    let mut left = sound();
    spoil(&mut left);
    let found = left.findings();
    let faults: BTreeSet<FindingKind> = found.iter().map(|broken| broken.finding.kind).collect();
    assert_eq!(faults, expected.iter().copied().collect(), "{found:#?}");
}

/// Spoils the journal of a sound season; nobody has anything else. Names the promise that it
/// breaks, and what the fact says that does.
#[track_caller]
fn breaks(promise: &str, words: &str, spoil: impl FnOnce(&mut Vec<LeagueFact>)) {
    let mut facts = sound().facts;
    spoil(&mut facts);
    let mut audit = Audit::default();
    let mut said = facts.iter().map(|fact| hear(&mut audit, &Sight::LeagueWrote(fact)));
    let told = said.find_map(Result::err).or(audit.end().err());
    let told = told.expect("a broken promise");
    assert_eq!(told.promise, promise, "{told:?}");
    assert!(told.finding.what.contains(words), "{told:?}");
}

#[test]
fn sound_books_raise_no_finding() {
    finds(&[], |_| {});
    let mut audit = Audit::paying(OutcomePoints::COURSE);
    for fact in sound().facts {
        assert_eq!(hear(&mut audit, &Sight::LeagueWrote(&fact)), Ok(()));
    }
    let league = audit.end().expect("the season is sound");
    assert_eq!(league.season().champion, Some(PlayerId::new(1)));
}

#[test]
fn a_result_that_its_referee_was_told_is_recorded_must_be_there() {
    finds(&[FindingKind::Lost], |left| {
        left.interrupt();
        (left.told, left.players) = (vec![], vec![]);
    });
}

#[test]
fn a_report_that_came_too_late_is_no_loss() {
    finds(&[], |left| {
        let (match_id, attempt, [_, referee]) = (ID, 2, REFEREES);
        let (cause, blame) = (Cause::RefereeLost, Blame::Referee);
        let lost = LeagueFact::MatchReassigned { match_id, attempt, referee, cause, blame, at: AT };
        left.facts[RESULT] = accepted(2, referee, verdict());
        left.facts.insert(RESULT, lost);
        left.referees.push(referee_book(referee, 2));
        left.players = vec![player_book(1, 2), player_book(2, 2)];
        left.told.clear();
    });
}

#[test]
fn a_report_that_was_refused_after_the_last_attempt_is_no_loss() {
    let spoil = |left: &mut Left| {
        let (cause, blame) = (Cause::RefereeLost, Some(Blame::Referee));
        let outcome = Outcome::Cancelled;
        let lost = Verdict { outcome, cause, blame, gains: None, points: [0, 0] };
        left.facts[RESULT] = accepted(1, REFEREES[0], lost);
        (left.players, left.told, left.table) = (vec![], vec![], None);
    };
    finds(&[FindingKind::Lost], spoil);
    finds(&[], |left| {
        spoil(left);
        left.referees[0].retain(|fact| !matches!(fact, RefereeFact::Recorded { .. }));
    });
}

#[test]
fn a_result_that_the_log_has_told_must_be_there() {
    finds(&[FindingKind::Lost], |left| {
        left.interrupt();
        (left.referees, left.players) = (vec![], vec![]);
    });
    finds(&[FindingKind::Lost], |left| left.told[0].cause = "NO_SHOW".to_owned());
}

#[test]
fn a_result_that_a_player_has_heard_must_be_there() {
    finds(&[FindingKind::Lost], |left| {
        left.interrupt();
        (left.referees, left.told) = (vec![], vec![]);
    });
    finds(&[FindingKind::Lost], |left| {
        for (player, book) in (1..).zip(&mut left.players) {
            let result = [PlayedResult::Loss, PlayedResult::Win][player as usize - 1];
            let drawn_number = Some(7);
            book[2] = PlayerFact::Over(PlayedMatch { result, drawn_number, ..heard(player, 1) });
        }
    });
}

#[test]
fn two_players_of_a_match_hear_the_same() {
    finds(&[FindingKind::Duplicated], |left| {
        let other = PlayedMatch { drawn_number: Some(2), ..heard(1, 1) };
        left.players[0][2] = PlayerFact::Over(other);
    });
}

#[test]
fn a_player_hears_of_a_match_once() {
    finds(&[FindingKind::Duplicated], |left| left.players[0].push(PlayerFact::Over(heard(1, 1))));
}

#[test]
fn a_second_result_of_a_match_is_found() {
    finds(&[FindingKind::Duplicated], |left| left.facts.insert(RESULT, left.facts[RESULT].clone()));
}

#[test]
fn a_match_that_two_lives_have_accepted_is_found() {
    finds(&[FindingKind::Duplicated], |left| left.told.push(left.told[0].clone()));
}

#[test]
fn a_match_that_counts_twice_or_not_at_all_is_found() {
    let with =
        |row: StandingsRow| move |left: &mut Left| left.table = Some(vec![row, self::row(2, 0)]);
    finds(
        &[FindingKind::Duplicated],
        with(StandingsRow { played: 2, wins: 2, points: 6, ..row(1, 1) }),
    );
    finds(&[FindingKind::Lost], with(StandingsRow { played: 0, wins: 0, points: 0, ..row(1, 1) }));
    finds(&[FindingKind::Wrong], with(StandingsRow { points: 2, ..row(1, 1) }));
    finds(&[FindingKind::Wrong], |left| left.table = Some(vec![row(2, 0), row(1, 1)]));
    finds(&[FindingKind::Wrong], |left| left.table = Some(vec![row(1, 1)]));
}

#[test]
fn a_durable_result_is_acknowledged_in_the_end() {
    finds(&[FindingKind::Unacknowledged], |left| left.referees[0].truncate(2));
    finds(&[FindingKind::Wrong], |left| left.referees[0].truncate(1));
}

#[test]
fn a_choice_that_its_player_did_not_make_is_found() {
    finds(&[FindingKind::Wrong], |left| left.players[0][1] = chosen(Parity::Odd, 1));
    finds(&[FindingKind::Wrong], |left| drop(left.players[0].remove(1)));
    finds(&[FindingKind::Wrong], |left| left.players[0].push(chosen(Parity::Odd, 1)));
}

#[test]
fn an_admission_that_was_forgotten_is_found() {
    finds(&[FindingKind::Wrong], |left| {
        left.interrupt();
        left.facts.truncate(4);
        (left.referees, left.told) = (vec![], vec![]);
        left.players.iter_mut().for_each(|book| book.truncate(1));
    });
}

#[test]
fn a_season_that_does_not_end_is_found() {
    finds(&[FindingKind::Unfinished], |left| drop(left.facts.pop()));
}

#[test]
fn a_journal_alone_breaks_promises() {
    let late = |facts: &mut Vec<LeagueFact>| drop(facts.remove(RESULT));
    breaks("rounds-in-order", "while R1M1 is open", late);
    let twice = |facts: &mut Vec<LeagueFact>| facts.push(facts[facts.len() - 1].clone());
    breaks("rounds-in-order", "not for the first time", twice);
    let again = |facts: &mut Vec<LeagueFact>| facts.insert(RESULT + 1, facts[RESULT - 2].clone());
    breaks("rounds-in-order", "once more", again);
    let completed = |facts: &mut Vec<LeagueFact>| facts.insert(9, facts[8].clone());
    breaks("rounds-in-order", "1 are announced and 1 complete", completed);
    let foreign = |facts: &mut Vec<LeagueFact>| facts[RESULT] = accepted(1, REFEREES[1], verdict());
    breaks("attempts", "REF01 holds attempt 1", foreign);
    let unfair = Verdict { blame: Some(Blame::PlayerA), ..verdict() };
    let blamed = |facts: &mut Vec<LeagueFact>| facts[RESULT] = accepted(1, REFEREES[0], unfair);
    breaks("only-the-blamed-lose", "R1M1 ended with", blamed);
    let poor = Verdict { points: [2, 0], ..verdict() };
    let paid = |facts: &mut Vec<LeagueFact>| facts[RESULT] = accepted(1, REFEREES[0], poor);
    breaks("standings-are-a-fold", "P01 has [1, 1, 0, 0, 2]", paid);
}

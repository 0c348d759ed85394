//! Every fault is found, in books that are made up for it; sound books raise no finding.

use agon_core::format::{Fixtures, Paper, RoundRobin};
use agon_core::{LeagueFact, OutcomePoints, Seat, Verdict};
use agon_proto::message::{Cause, Parity, StandingsRow};
use agon_proto::tool::{PlayedMatch, PlayedResult};
use agon_proto::{DisplayName, Payload, PlayerId, RefereeId, Timestamp};

use super::*;
use crate::history::{Accepted, PlayerBook};

const ID: MatchId = MatchId::new(1, 1);
const AT: Timestamp = Timestamp::from_micros(0);

fn verdict(drawn: u32) -> Verdict {
    let outcome =
        if drawn.is_multiple_of(2) { Outcome::Won(Seat::A) } else { Outcome::Won(Seat::B) };
    let points = OutcomePoints::COURSE.of(outcome);
    Verdict { outcome, cause: Cause::Played, blame: None, gains: None, points }
}

/// That number was drawn after A chose even and B odd.
fn played(drawn: u32) -> Payload {
    let text = format!("{{\"drawn_number\":{drawn},\"choices\":[\"even\",\"odd\"]}}");
    Payload::new(&text).unwrap()
}

fn book(player: u32) -> PlayerBook {
    let (own, other) =
        if player == 1 { (Parity::Even, Parity::Odd) } else { (Parity::Odd, Parity::Even) };
    PlayerBook {
        id: Some(PlayerId::new(player)),
        chosen: vec![(ID, 1, own)],
        heard: vec![PlayedMatch {
            match_id: ID,
            opponent_id: PlayerId::new(3 - player),
            result: if player == 1 { PlayedResult::Win } else { PlayedResult::Loss },
            my_choice: Some(own),
            opponent_choice: Some(other),
            drawn_number: Some(8),
            timestamp: AT,
            attempt: 1,
        }],
    }
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
    }
}

/// A season of two players and one match, in which everything is as it must be.
fn sound() -> History {
    let referee = RefereeId::new(1);
    let mut league = League::default();
    league.paper = Paper::RoundRobin(RoundRobin::new(2));
    league.scoring = Some(OutcomePoints::COURSE);
    league.members = [1, 2].map(|number| AgentId::Player(PlayerId::new(number))).into();
    league.members.insert(AgentId::Referee(referee));
    let (fixtures, referees) = (Fixtures::OnPaper, vec![Some(referee)]);
    league.take(LeagueFact::RoundAnnounced { round: 1, fixtures, referees, at: AT });
    let (match_id, attempt, verdict) = (ID, 1, verdict(8));
    league.take(LeagueFact::ResultAccepted {
        match_id,
        attempt,
        referee,
        verdict,
        details: played(8),
        unverified: false,
        at: AT,
    });
    league.take(LeagueFact::RoundCompleted { round: 1, at: AT });
    league.take(LeagueFact::LeagueCompleted { champion: PlayerId::new(1), at: AT });
    let said = r#"{"message":"result accepted","match_id":"R1M1","attempt":1,"referee":"REF01",
        "status":"WIN","cause":"PLAYED"}"#;
    let judged = RefereeBook {
        id: Some(referee),
        judged: [((ID, 1), verdict)].into(),
        settled: [(ID, 1)].into(),
    };
    History {
        league,
        referees: vec![judged],
        players: vec![book(1), book(2)],
        said: vec![serde_json::from_str(said).unwrap()],
        table: Some(vec![row(1, 1), row(2, 0)]),
    }
}

/// Spoils a sound season, and compares the faults that are found.
#[track_caller]
fn finds(expected: &[Fault], spoil: impl FnOnce(&mut History)) {
    let mut history = sound();
    spoil(&mut history);
    let found = check(&history);
    let faults: BTreeSet<Fault> = found.iter().map(|finding| finding.fault).collect();
    assert_eq!(faults, expected.iter().copied().collect(), "{found:#?}");
}

#[test]
fn sound_books_raise_no_finding() {
    finds(&[], |_| {});
}

#[test]
fn a_result_that_its_referee_was_told_is_recorded_must_be_there() {
    finds(&[Fault::Lost], |history| {
        (history.table, history.said, history.players) = (None, vec![], vec![]);
        history.league.results.clear();
    });
}

#[test]
fn a_report_that_came_too_late_is_no_loss() {
    finds(&[], |history| {
        let (later, verdict) = (RefereeId::new(2), verdict(8));
        let accepted = Accepted { attempt: 2, referee: later, verdict, details: played(8) };
        history.league.results.insert(ID, vec![accepted]);
        history.league.attempts.insert((ID, 2), later);
        history.league.members.insert(AgentId::Referee(later));
        let judged = [((ID, 2), verdict)].into();
        let settled = [(ID, 2)].into();
        history.referees.push(RefereeBook { id: Some(later), judged, settled });
        history.said.clear();
        for book in &mut history.players {
            let again: Vec<_> =
                book.chosen.iter().map(|(id, _, choice)| (*id, 2, *choice)).collect();
            book.chosen.extend(again);
        }
    });
}

#[test]
fn a_result_that_the_log_has_told_must_be_there() {
    finds(&[Fault::Lost], |history| {
        (history.table, history.referees, history.players) = (None, vec![], vec![]);
        history.league.results.clear();
    });
}

#[test]
fn a_result_that_a_player_has_heard_must_be_there() {
    finds(&[Fault::Lost], |history| {
        for (book, result) in
            history.players.iter_mut().zip([PlayedResult::Loss, PlayedResult::Win])
        {
            (book.heard[0].drawn_number, book.heard[0].result) = (Some(7), result);
        }
    });
}

#[test]
fn two_players_of_a_match_hear_the_same() {
    finds(&[Fault::Duplicated], |history| history.players[0].heard[0].drawn_number = Some(2));
}

#[test]
fn a_player_hears_of_a_match_once() {
    finds(&[Fault::Duplicated], |history| {
        let again = history.players[0].heard[0];
        history.players[0].heard.push(again);
    });
}

#[test]
fn a_second_result_of_a_match_is_found() {
    finds(&[Fault::Duplicated], |history| {
        let again = history.league.results[&ID][0].clone();
        history.league.results.get_mut(&ID).unwrap().push(again);
    });
}

#[test]
fn a_match_that_two_lives_have_accepted_is_found() {
    finds(&[Fault::Duplicated], |history| history.said.push(history.said[0].clone()));
}

#[test]
fn a_match_that_counts_twice_or_not_at_all_is_found() {
    let with =
        |row: StandingsRow| move |history: &mut History| history.table.as_mut().unwrap()[0] = row;
    finds(&[Fault::Duplicated], with(StandingsRow { played: 2, wins: 2, points: 6, ..row(1, 1) }));
    finds(&[Fault::Lost], with(StandingsRow { played: 0, wins: 0, points: 0, ..row(1, 1) }));
    finds(&[Fault::Wrong], with(StandingsRow { points: 2, ..row(1, 1) }));
}

#[test]
fn a_durable_result_is_acknowledged_in_the_end() {
    finds(&[Fault::Unacknowledged], |history| history.referees[0].settled.clear());
}

#[test]
fn a_choice_that_its_player_did_not_make_is_found() {
    finds(&[Fault::Wrong], |history| history.players[0].chosen[0].2 = Parity::Odd);
    finds(&[Fault::Wrong], |history| history.players[0].chosen.clear());
}

#[test]
fn an_admission_that_was_forgotten_is_found() {
    finds(&[Fault::Wrong], |history| {
        history.league.members.remove(&AgentId::Player(PlayerId::new(2)));
    });
}

#[test]
fn a_season_that_ends_twice_is_found() {
    finds(&[Fault::Wrong], |history| history.league.ends = 2);
}

#[test]
fn a_fault_is_counted_once_for_each_match() {
    let mut history = sound();
    history.league.results.clear();
    history.table = None;
    // The log, the referee and both players miss the same result.
    assert_eq!(count(&check(&history), Fault::Lost), 1);
}

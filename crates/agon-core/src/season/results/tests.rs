//! What is taken back is as if it had never been.

use agon_proto::{DisplayName, RefereeId};

use super::*;
use crate::format::{Fixtures, Lineup, Paper};
use crate::testing::{TIE_BREAKERS, at, in_match, player, verdict};
use crate::verdict::{Seat, blamed};

/// Four players, three rounds, one referee, everything announced.
fn season() -> Season {
    let mut season = Season::default();
    let lineup = Lineup::All { players: 4, referees: 1 };
    season.start(Some(Paper::round_robin(4, 1)), lineup, &TIE_BREAKERS);
    for round in 0..3 {
        season.announce(&Fixtures::OnPaper, &[Some(RefereeId::new(1)); 2], at(round));
    }
    season
}

/// P01 does not come to its match of that round.
fn absent(season: &mut Season, round: u32) -> MatchId {
    let id = season.match_of(player(1), round).unwrap();
    let seat = if season.fixture(id).unwrap().a == player(1) { Seat::A } else { Seat::B };
    let verdict = verdict(Outcome::Forfeited(seat), Cause::NoShow, Some(blamed(seat)));
    accept(season, id, verdict, 10 * u64::from(round));
    id
}

fn accept(season: &mut Season, id: MatchId, verdict: Verdict, second: u64) {
    let Attempt { number, referee } = season.attempt(id).unwrap();
    season.accept(
        id,
        MatchRecord {
            verdict,
            referee,
            attempt: number,
            unverified: false,
            details: DetailsId::default(),
            at: at(second),
        },
    );
}

fn order(second: u64) -> GivenOrder {
    let (by, reason) = (DisplayName::new("alice"), DisplayName::new("why not"));
    GivenOrder { by, reason, timestamp: at(second) }
}

fn again(season: &mut Season, id: MatchId) {
    let Attempt { number, referee } = season.attempt(id).unwrap();
    season.rerun(id, Attempt { number: number + 1, referee }, order(50));
}

#[test]
fn a_no_show_that_is_voided_is_no_absence() {
    let mut season = season();
    let ids = [absent(&mut season, 1), absent(&mut season, 2)];
    assert_eq!(season.absences(player(1)), 2);
    season.void(ids[0], order(50));
    assert_eq!(season.absences(player(1)), 1);
    season.void(ids[1], order(51));
    assert_eq!(season.absences(player(1)), 0);
    assert_eq!(season.completed, 2);
}

#[test]
fn a_no_show_that_is_played_again_counts_as_it_ends_then() {
    let mut season = season();
    let ids = [1, 2, 3].map(|round| absent(&mut season, round));
    again(&mut season, ids[1]);
    assert_eq!((season.absences(player(1)), season.completed), (2, 2));
    assert_eq!((season.open(), season.again().collect::<Vec<_>>()), (2, vec![ids[1]]));
    let drawn = verdict(Outcome::Drawn, Cause::Played, None);
    accept(&mut season, ids[1], drawn, 60);
    // Only the one after it is left in a row.
    assert_eq!((season.absences(player(1)), season.completed), (1, 3));
    assert_eq!((season.open(), season.again().count()), (1, 0));
    assert_eq!(season.standings.row(player(1)).points, 1);
}

#[test]
fn attempts_are_counted_from_where_a_match_began_again() {
    let mut season = season();
    let id = absent(&mut season, 1);
    let referee = RefereeId::new(1);
    for number in [2, 3] {
        season.reassign(id, Attempt { number, referee });
    }
    assert_eq!(season.tries(id), 3);
    again(&mut season, id);
    assert_eq!((season.tries(id), season.attempt(id).unwrap().number), (1, 4));
    // Some numbers may be passed over.
    season.reassign(id, Attempt { number: 7, referee });
    assert_eq!((season.tries(id), season.tries(in_match(9, 9))), (2, 0));
}

#[test]
fn who_is_readmitted_has_never_been_absent() {
    let mut season = season();
    let first = absent(&mut season, 1);
    absent(&mut season, 2);
    season.readmit(player(1), at(25));
    assert_eq!(season.absences(player(1)), 2, "it was not withdrawn");
    season.withdraw(player(1));
    season.readmit(player(1), at(25));
    assert_eq!((season.absences(player(1)), season.is_withdrawn(player(1))), (0, false));
    season.void(first, order(31));
    assert_eq!(season.absences(player(1)), 0);
    absent(&mut season, 3);
    again(&mut season, first);
    assert_eq!(season.absences(player(1)), 1, "what comes afterwards counts");
    assert_eq!(season.orders(first).map(|order| order.is_some()), [false, true]);
}

//! How we stand.

use agon_proto::act::Act;
use agon_proto::{GroupId, Score};

use super::super::tests::by_letter::{ME, NEXT, ONE, TWO, address, game, profile, score};
use super::*;

fn add(standings: &mut Standings, id: &str, round: u32) {
    let Act::Worth(said) = score(id) else { panic!("a score") };
    let said = Worth { league_points: 2, private_score: Score::from_points(40.0), ..said };
    standings.add(&game(id), round, &said);
}

fn row(participant: &str, rank: u32) -> StandingRow {
    StandingRow {
        rank,
        participant: GroupId::new(participant),
        address: None,
        name: None,
        points: 5,
        played: 3,
        won: 2,
        drawn: 0,
        lost: 1,
        average: None,
    }
}

#[test]
fn own_scores_count_at_once_and_once() {
    let mut standings = Standings::default();
    add(&mut standings, ONE, 1);
    add(&mut standings, ONE, 1);
    add(&mut standings, TWO, 1);
    let shown = standings.shown(None, 1);
    assert_eq!((shown.games_played, shown.league_points, shown.rank), (2, 4, 0));
    assert_eq!(shown.total_hundredths, 8_000);
}

#[test]
fn the_table_counts_for_its_rounds_and_own_scores_since() {
    let mut standings = Standings::default();
    add(&mut standings, ONE, 1);
    standings.rank(Some(1), Some(&row("adateam1", 2)));
    add(&mut standings, NEXT, 2);
    let shown = standings.shown(None, 2);
    assert_eq!((shown.rank, shown.league_points, shown.games_played), (2, 7, 4));
    // An older table comes too late.
    standings.rank(Some(0), Some(&row("adateam1", 9)));
    assert_eq!(standings.shown(None, 2).rank, 2);
    // The last one has no round.
    standings.rank(None, Some(&row("adateam1", 1)));
    let shown = standings.shown(None, 2);
    assert_eq!((shown.rank, shown.league_points), (1, 5));
    // A table in which we are not says nothing.
    standings.rank(None, None);
    assert_eq!(standings.shown(None, 2).rank, 1);
}

#[test]
fn wins_are_known_when_they_are_told() {
    let mut standings = Standings::default();
    for id in [ONE, TWO, NEXT] {
        add(&mut standings, id, 1);
    }
    let winner =
        |id, name: Option<&str>| RoundWinner { game: game(id), winner: name.map(GroupId::new) };
    let told = [winner(ONE, Some("AdaTeam1")), winner(TWO, None), winner("0109009", Some(ME))];
    standings.win(&Agent::new(profile()), &told);
    let shown = standings.shown(None, 1);
    let won: Vec<_> = shown.history.iter().map(|played| played.won).collect();
    assert_eq!(won, [Some(true), Some(false), None]);
    assert_eq!(shown.games_won, 1);
}

#[test]
fn our_row_is_found_by_address_or_by_either_name() {
    let me = Agent::new(profile());
    let by_address = StandingRow { address: Some(address("ADA@league.test")), ..row("x", 3) };
    for mine in [by_address, row("ada@LEAGUE.test", 3), row("ADATEAM1", 3)] {
        let rows = [row("bobteam1", 1), mine];
        assert_eq!(row_of(&me, &rows).map(|row| row.rank), Some(3));
    }
    assert_eq!(row_of(&me, &[row("bobteam1", 1)]), None);
}

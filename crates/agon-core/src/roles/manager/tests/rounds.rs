//! Announcements, the end of a round, the end of the season, and the pause.

use agon_proto::message::{AnnouncedMatch, LeagueCompleted, LeagueStandingsUpdate, RoundCompleted};

use super::*;
use crate::effect::Topic;
use crate::secret::SigningKey;
use crate::testing::{check, player};

/// The news of that kind among the effects.
fn news(effects: &[Effect]) -> impl Iterator<Item = (&Act, Topic)> {
    effects.iter().filter_map(|effect| {
        if let Effect::Broadcast(news) = effect { Some((&news.act, news.topic)) } else { None }
    })
}

fn announced(effects: &[Effect]) -> Vec<AnnouncedMatch> {
    let matches = news(effects).find_map(|(message, _)| {
        if let Act::RoundAnnouncement(said) = message { Some(said.matches.to_vec()) } else { None }
    });
    matches.unwrap_or_default()
}

fn as_row(row: &AnnouncedMatch) -> String {
    let AnnouncedMatch { match_id, player_a_id, player_b_id, referee_endpoint, .. } = row;
    format!("{match_id} {player_a_id}-{player_b_id} at {referee_endpoint}")
}

/// Plays every match of the round under way; returns what the last report led to.
fn play_round(league: &mut League, effects: &[Effect]) -> Vec<Effect> {
    let mut last = Vec::new();
    for given in assignments(effects) {
        last = league.report(given.referee_id.number(), played(&given));
    }
    last
}

#[test]
fn the_first_round_is_announced_to_everybody_and_given_out() {
    let (_, effects) = League::started(4, &[1, 1]);
    check(
        &effects,
        &[
            "ROUND_ANNOUNCEMENT to p1 p2 p3 p4 ref1 ref2",
            "reply 7: a tool's answer",
            "MATCH_ASSIGNMENT to ref1",
            "MATCH_ASSIGNMENT to ref2",
        ],
    );
    let rows: Vec<_> = announced(&effects).iter().map(as_row).collect();
    assert_eq!(rows, ["R1M1 P01-P02 at ref1", "R1M2 P03-P04 at ref2"]);
}

#[test]
fn every_recipient_of_news_gets_its_own_token() {
    let (league, effects) = League::started(2, &[1]);
    let Some(Effect::Broadcast(news)) = effects.first() else {
        panic!("the announcement comes first");
    };
    assert_eq!(news.head.sender, Sender::LeagueManager);
    assert_eq!(news.head.conversation_id, ConversationId::RoundAnnounce(1));
    for (recipient, token) in news.recipients.iter().zip(league.tokens.values()) {
        let expected = SigningKey::of(token).unwrap().manager_token(&super::league());
        assert_eq!(recipient.auth_token, expected);
    }
}

#[test]
fn four_players_meet_as_in_the_courses_table() {
    let (mut league, mut effects) = League::started(4, &[2]);
    let mut rows = Vec::new();
    for _ in 1..=3 {
        rows.extend(announced(&effects).iter().map(as_row));
        effects = play_round(&mut league, &effects);
    }
    let expected = [
        "R1M1 P01-P02 at ref1",
        "R1M2 P03-P04 at ref1",
        "R2M1 P03-P01 at ref1",
        "R2M2 P04-P02 at ref1",
        "R3M1 P04-P01 at ref1",
        "R3M2 P03-P02 at ref1",
    ];
    assert_eq!(rows, expected);
}

#[test]
fn the_last_result_of_a_round_ends_it_and_begins_the_next() {
    let (mut league, effects) = League::started(4, &[2]);
    let last = play_round(&mut league, &effects);
    check(
        &last,
        &[
            "reply 8: Recorded",
            "LEAGUE_STANDINGS_UPDATE to p1 p2 p3 p4 ref1",
            "ROUND_COMPLETED to p1 p2 p3 p4 ref1",
            "ROUND_ANNOUNCEMENT to p1 p2 p3 p4 ref1",
            "MATCH_ASSIGNMENT to ref1",
            "MATCH_ASSIGNMENT to ref1",
        ],
    );
    let said: Vec<_> = news(&last).collect();
    let [
        (Act::LeagueStandingsUpdate(LeagueStandingsUpdate { round_id, standings, .. }), topic),
        (Act::RoundCompleted(completed), _),
        _,
    ] = &said[..]
    else {
        panic!("{said:?}");
    };
    assert_eq!((*round_id, standings.len(), *topic), (1, 4, Topic::Standings));
    // R1M1 is a draw, R1M2 is won by P03.
    let points: Vec<_> = standings.iter().map(|row| (row.rank, row.points)).collect();
    assert_eq!(points, [(1, 3), (2, 1), (2, 1), (4, 0)]);
    assert_eq!(standings[0].player_id, player(3));
    let RoundCompleted { round_id, matches_played, next_round_id, summary, .. } = completed;
    assert_eq!((*round_id, *matches_played, *next_round_id), (1, 2, Some(2)));
    assert_eq!((summary.wins, summary.draws, summary.technical_losses), (1, 1, 0));
}

#[test]
fn the_last_round_ends_the_league() {
    let (mut league, mut effects) = League::started(4, &[2]);
    for _ in 1..=3 {
        effects = play_round(&mut league, &effects);
    }
    check(
        &effects[1..],
        &[
            "LEAGUE_STANDINGS_UPDATE to p1 p2 p3 p4 ref1",
            "ROUND_COMPLETED to p1 p2 p3 p4 ref1",
            "LEAGUE_COMPLETED to p1 p2 p3 p4 ref1",
        ],
    );
    let Some((Act::LeagueCompleted(said), _)) = news(&effects).last() else {
        panic!("the end");
    };
    let LeagueCompleted { total_rounds, total_matches, champion, final_standings, .. } = said;
    assert_eq!((*total_rounds, *total_matches), (3, 6));
    let table = league.bench.role.league().table(usize::MAX);
    assert_eq!(champion.player_id, table[0].player_id);
    assert_eq!(champion.points, table[0].points);
    let rows = final_standings.iter().map(|row| (row.rank, row.player_id, row.points));
    assert!(rows.eq(table.iter().map(|row| (row.rank, row.player_id, row.points))));
    let state = league.bench.role.state();
    assert_eq!(state.phase, LeaguePhase::Completed);
    assert_eq!(state.champion, Some(champion.player_id));
    assert_eq!((state.matches_completed, state.matches), (6, 6));
    assert_eq!(league.bench.role.deadline(), None);
}

#[test]
fn an_odd_number_of_players_gives_byes() {
    let (mut league, effects) = League::started(5, &[2]);
    assert_eq!(announced(&effects).len(), 2);
    league.play_on(&effects, |_, _, _| Fate::Played);
    assert_eq!(league.bench.role.state().matches_completed, 10);
}

#[test]
fn a_pause_gives_out_nothing_new_and_loses_nothing() {
    let (mut league, effects) = League::started(4, &[1]);
    assert_eq!(given_to(&effects), ["R1M1 to REF01"]);
    check(&league.command(Command::PauseLeague), &["reply 7: a tool's answer"]);
    assert!(league.bench.role.state().paused);
    // What is out may end; its result counts.
    let last = play_round(&mut league, &effects);
    check(&last, &["reply 8: Recorded"]);
    // Saying it again is no error, and no new fact.
    let facts = league.bench.facts.len();
    league.command(Command::PauseLeague);
    assert_eq!(league.bench.facts.len(), facts);
    let resumed = league.command(Command::ResumeLeague);
    assert_eq!(given_to(&resumed), ["R1M2 to REF01"]);
    league.play_on(&resumed, |_, _, _| Fate::Played);
    assert_eq!(league.bench.role.state().phase, LeaguePhase::Completed);
    assert!(league.command(Command::ResumeLeague).len() == 1);
}

#[test]
fn starting_twice_is_no_error_and_changes_nothing() {
    let (mut league, _) = League::started(2, &[1]);
    let facts = league.bench.facts.len();
    check(&league.command(Command::StartLeague), &["reply 5: a tool's answer"]);
    assert_eq!(league.bench.facts.len(), facts);
}

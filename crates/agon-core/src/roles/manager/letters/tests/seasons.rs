//! Whole seasons: six teams by mail, a season of dedicated referees.

use std::collections::BTreeMap;

use super::*;
use crate::testing::check;

#[test]
fn a_season_of_six_teams_takes_six_rounds() {
    let mut league = League::open(terms(6));
    league.enrol_all(6);
    league.take_sent();
    league.command(Command::StartLeague);
    assert_eq!(league.take_names(), ["BROADCAST_ASSIGNMENT_TABLE", "BROADCAST_NEW_LEAGUE_ROUND"]);
    league.play_on();
    let state = league.role().state();
    assert_eq!((state.rounds, state.matches, state.matches_completed), (6, 12, 12));
    assert_eq!(state.phase, LeaguePhase::Completed);
    let mut expected =
        ["BROADCAST_END_LEAGUE_ROUND", "BROADCAST_ROUND_RESULTS", "BROADCAST_NEW_LEAGUE_ROUND"]
            .repeat(6);
    *expected.last_mut().unwrap() = "LEAGUE_COMPLETED";
    assert_eq!(league.take_names(), expected);
}

#[test]
fn the_table_gives_every_team_each_role_twice() {
    let mut league = League::started(terms(6));
    let sent = league.take_sent();
    let tables: Vec<_> = sent
        .iter()
        .filter_map(|(to, letter)| {
            if let Act::AssignmentTable(table) = &letter.act { Some((to, table)) } else { None }
        })
        .collect();
    let [(to, table)] = tables[..] else { panic!("one mail, to everybody") };
    assert_eq!((to.len(), table.rows.len()), (12, 36));
    let mut turns = BTreeMap::<(String, Part), u32>::new();
    for row in &table.rows {
        *turns.entry((row.group.to_string(), row.part)).or_default() += 1;
        let box_of = row.address.as_ref().unwrap().as_str();
        assert_eq!(box_of.starts_with('r'), row.part == Part::Referee, "{row:?}");
        assert_eq!(row.auth_token, None);
    }
    assert_eq!(turns.len(), 18);
    assert!(turns.values().all(|times| *times == 2));
    assert_eq!(table.rows[0].game, GameId::new("0101001"));
}

#[test]
fn every_letter_has_an_id_that_says_what_it_is_about() {
    let mut league = League::started(terms(3));
    league.play_on();
    let sent = league.take_sent();
    let ids: Vec<_> = sent.iter().map(|(_, letter)| letter.head.id.to_string()).collect();
    let about = |id: &str| ids.iter().filter(|known| *known == id).count();
    for id in [
        "bc-startseason-S01",
        "bc-assign-S01",
        "bc-newround-S01-R1",
        "bc-endround-S01-R3",
        "bc-results-S01-R2",
        "bc-completed-S01",
    ] {
        assert_eq!(about(id), 1, "{id} in {ids:?}");
    }
    for (_, letter) in &sent {
        assert_eq!(letter.head.from.role, Some(Role::Manager));
        assert_eq!(letter.head.context.season, Some(SeasonId::new("S01")));
        assert_eq!(letter.auth_token, None, "by mail nothing is shown");
    }
    let round = sent.iter().find(|(_, letter)| letter.head.id.as_str() == "bc-newround-S01-R2");
    assert_eq!(round.unwrap().1.head.context.round.as_deref(), Some("S01_R2"));
}

#[test]
fn players_find_themselves_in_the_final_table_by_address() {
    let mut league = League::started(terms(3));
    league.play_on();
    let sent = league.take_sent();
    let Act::SeasonCompleted(end) = &sent.last().unwrap().1.act else {
        panic!("the end comes last");
    };
    let addresses: Vec<_> = end.standings.iter().filter_map(|row| row.address.clone()).collect();
    assert_eq!(addresses.len(), 3);
    for team in 1..=3 {
        assert!(addresses.contains(&player(team)));
    }
    let ranks: Vec<_> = end.standings.iter().map(|row| row.rank).collect();
    assert!(ranks.is_sorted());
    assert!(end.standings.iter().all(|row| row.played == 2 && row.average.is_some()));
    let points: u32 = end.standings.iter().map(|row| row.points).sum();
    assert_eq!(points, league.points().values().sum::<u32>());
}

#[test]
fn seven_teams_leave_one_idle_in_every_round() {
    let mut league = League::started(terms(7));
    league.play_on();
    let state = league.role().state();
    assert_eq!((state.rounds, state.matches_completed), (7, 14));
    assert!(league.role().league().table(9).iter().all(|row| row.played == 4));
}

#[test]
fn dedicated_referees_come_apart_from_players() {
    let mut seasons = terms(4);
    for entry in &mut seasons.roster[2..] {
        entry.referee = None;
    }
    let rules = Settings { format: FormatKind::Refereed, ..rules(seasons) };
    let mut league = League::read(rules, options(None), Vec::new());
    for team in 1..=4 {
        league.enrol(&player(team));
    }
    check(&league.command(Command::StartLeague), &["refuse 5: OUT_OF_TURN"]);
    league.enrol(&referee(1));
    league.enrol(&referee(2));
    league.command(Command::StartLeague);
    league.play_on();
    let state = league.role().state();
    assert_eq!((state.players, state.referees), (4, 2));
    assert_eq!((state.rounds, state.matches_completed), (3, 6));
}

#[test]
fn a_season_may_have_fewer_rounds_or_more() {
    for rounds in [1, 2, 7] {
        let mut league = League::started(SeasonSettings { rounds: Some(rounds), ..terms(3) });
        league.play_on();
        assert_eq!(league.role().state().matches_completed, u64::from(rounds));
    }
}

#[test]
fn the_tools_see_the_season_as_any_other() {
    let mut league = League::started(terms(3));
    let id = MatchId::new(1, 1);
    let state = league.role().match_state(id).unwrap();
    assert!(state.result.is_none() && state.referee_id.is_some());
    league.report(id, [86, 71]);
    let state = league.role().match_state(id).unwrap();
    let result = state.result.unwrap();
    let points: Vec<_> = result.score.iter().map(|(_, points)| points).collect();
    let scores: Vec<_> = result.private_score.iter().map(|(_, score)| score).collect();
    assert_eq!((points, scores), (vec![3, 2], vec![86.0, 71.0]));
    assert_eq!(result.winner, Some(state.player_a_id));
    assert!(state.evidence.is_empty());
}

#[test]
fn nothing_but_questions_is_taken_by_call_of_the_other_protocol() {
    use agon_proto::message::{Heartbeat, LeagueQuery, QueryParams, QueryType};
    use agon_proto::{ConversationId, Sender};
    let (mut league, tokens) = super::calls::started();
    let token = |id: MatchId, part| tokens.get(&league.party(id, part)).cloned();
    let first = MatchId::new(1, 1);
    let [by_referee, by_player] = [Part::Referee, Part::Player1].map(|part| token(first, part));
    let registry = &league.role().league().registry;
    let holder = |token: &Option<AuthToken>| {
        registry.holder(&TokenHash::of(token.as_ref().unwrap()).unwrap()).unwrap()
    };
    let (AgentId::Referee(referee), AgentId::Player(player)) =
        (holder(&by_referee), holder(&by_player))
    else {
        panic!("a referee and a player")
    };
    let conversation = ConversationId::new("conv-1");
    let beat = Heartbeat { league_id: crate::testing::league(), matches_held: 0, told: Vec::new() };
    let sender = Sender::Referee(referee);
    let beat = crate::testing::letter(sender, by_referee, conversation.clone(), beat);
    assert!(matches!(refused(&league.bench.call(beat)), Refusal::Unsupported(_)));
    let query = LeagueQuery {
        league_id: crate::testing::league(),
        query_type: QueryType::GetSchedule,
        query_params: QueryParams::default(),
    };
    let sender = Sender::Player(player);
    let query = crate::testing::letter(sender, by_player, conversation, query);
    assert_eq!(lines(&league.bench.call(query)).len(), 1);
}

//! Questions and tools: everybody may look, and nobody but the operator may command.

use agon_proto::message::{LeagueQuery, LeagueQueryResponse, MatchPhase, QueryParams, QueryType};
use agon_proto::tool::RoundPhase;

use super::*;
use crate::testing::{check, in_match, player, referee, refusal, stolen};

const NOTHING: QueryParams = QueryParams { player_id: None, round_id: None };

fn ask(
    league: &mut League,
    agent: AgentId,
    query_type: QueryType,
    query_params: QueryParams,
) -> LeagueQueryResponse {
    let sender = match agent {
        AgentId::Player(id) => Sender::Player(id),
        AgentId::Referee(id) => Sender::Referee(id),
    };
    let query = LeagueQuery { league_id: super::league(), query_type, query_params };
    let token = league.token(agent);
    let conversation = ConversationId::new("conv-question-7");
    let effects = league.bench.call(letter(sender, token, conversation.clone(), query));
    let Answer::Message(letter) = answer(&effects) else {
        panic!("a letter");
    };
    assert_eq!(letter.head.conversation_id, conversation);
    let Act::LeagueQueryResponse(said) = &letter.act else {
        panic!("a response");
    };
    assert_eq!((said.query_type, said.success), (query_type, said.data.is_some()));
    assert_ne!(said.data.is_some(), said.error.is_some());
    LeagueQueryResponse::clone(said)
}

const P1: AgentId = AgentId::Player(PlayerId::new(1));
const REF1: AgentId = AgentId::Referee(RefereeId::new(1));

/// Four players; P01 and P02 drew, P03 beat P04; round 2 has begun.
fn after_one_round() -> League {
    let (mut league, effects) = League::started(4, &[2]);
    for given in assignments(&effects) {
        league.play(&given);
    }
    league
}

#[test]
fn the_table_can_be_asked_for() {
    let mut league = after_one_round();
    let said = ask(&mut league, P1, QueryType::GetStandings, NOTHING);
    let rows = said.data.unwrap().standings.unwrap();
    let ranks: Vec<_> = rows.iter().map(|row| (row.rank, row.player_id.number())).collect();
    assert_eq!(ranks, [(1, 3), (2, 1), (2, 2), (4, 4)]);
}

#[test]
fn the_schedule_can_be_asked_for_whole_or_by_round() {
    let mut league = after_one_round();
    let said = ask(&mut league, REF1, QueryType::GetSchedule, NOTHING);
    let rounds = said.data.unwrap().schedule.unwrap();
    let endpoints: Vec<_> = rounds
        .iter()
        .map(|round| (round.round_id, round.matches[0].referee_endpoint.as_str()))
        .collect();
    assert_eq!(endpoints, [(1, "ref1"), (2, "ref1"), (3, "")]);
    let one = QueryParams { round_id: Some(3), ..NOTHING };
    let rounds = ask(&mut league, P1, QueryType::GetSchedule, one).data.unwrap().schedule.unwrap();
    assert_eq!((rounds.len(), rounds[0].matches.len()), (1, 2));
    let none = QueryParams { round_id: Some(4), ..NOTHING };
    let said = ask(&mut league, P1, QueryType::GetSchedule, none);
    assert_eq!(said.error.as_deref(), Some("there is no such round"));
}

#[test]
fn the_next_match_can_be_asked_for() {
    let mut league = after_one_round();
    let next = ask(&mut league, P1, QueryType::GetNextMatch, NOTHING).data.unwrap().next_match;
    let next = next.unwrap();
    assert_eq!((next.match_id, next.opponent_id), (in_match(2, 1), player(3)));
    assert_eq!(next.referee_endpoint.as_str(), "ref1");
    let other = QueryParams { player_id: Some(player(2)), ..NOTHING };
    let next = ask(&mut league, P1, QueryType::GetNextMatch, other).data.unwrap().next_match;
    assert_eq!(next.unwrap().match_id, in_match(2, 2));
    // A referee has no match of its own.
    let said = ask(&mut league, REF1, QueryType::GetNextMatch, NOTHING);
    assert_eq!(said.error.as_deref(), Some("player_id is missing"));
}

#[test]
fn after_the_last_match_there_is_no_next_one() {
    let (mut league, effects) = League::started(2, &[1]);
    league.play_on(&effects, |_, _, _| Fate::Played);
    let said = ask(&mut league, P1, QueryType::GetNextMatch, NOTHING);
    assert_eq!(said.data.unwrap().next_match, None);
}

#[test]
fn a_players_row_can_be_asked_for() {
    let mut league = after_one_round();
    let row = ask(&mut league, P1, QueryType::GetPlayerStats, NOTHING).data.unwrap();
    let row = row.player_stats.unwrap();
    assert_eq!((row.rank, row.player_id, row.points, row.draws), (2, player(1), 1, 1));
    let nobody = QueryParams { player_id: Some(player(9)), ..NOTHING };
    let said = ask(&mut league, P1, QueryType::GetPlayerStats, nobody);
    assert_eq!(said.error.as_deref(), Some("there is no such player"));
}

#[test]
fn a_question_to_another_league_is_refused() {
    let mut league = after_one_round();
    let query = LeagueQuery {
        league_id: agon_proto::LeagueId::new("another"),
        query_type: QueryType::GetStandings,
        query_params: NOTHING,
    };
    let (token, conversation) = (league.token(P1), ConversationId::new("conv-1"));
    let effects = league.bench.call(letter(Sender::Player(player(1)), token, conversation, query));
    assert_eq!(*refusal(&effects), Refusal::WrongLeague(super::league()));
}

#[test]
fn asking_changes_nothing() {
    let mut league = after_one_round();
    let (facts, deadline) = (league.bench.facts.len(), league.bench.role.deadline());
    for tool in [Tool::Ping, Tool::GetStandings, Tool::GetLeagueState] {
        assert_eq!(league.bench.tool(tool, ToolParams::default()).len(), 1);
    }
    ask(&mut league, P1, QueryType::GetSchedule, NOTHING);
    assert_eq!((league.bench.facts.len(), league.bench.role.deadline()), (facts, deadline));
}

#[test]
fn tools_tell_the_table_and_the_state_of_the_league() {
    let mut league = after_one_round();
    let effects = league.bench.tool(Tool::GetStandings, ToolParams::default());
    let Answer::Tool(ToolAnswer::Standings(said)) = answer(&effects) else {
        panic!("the table");
    };
    assert_eq!((said.rounds_completed, said.standings.len()), (1, 4));
    let effects = league.bench.tool(Tool::GetLeagueState, ToolParams::default());
    let Answer::Tool(ToolAnswer::League(state)) = answer(&effects) else {
        panic!("the state");
    };
    assert_eq!((state.phase, state.paused), (LeaguePhase::Running, false));
    assert_eq!((state.players, state.referees), (4, 1));
    // Its matches are out, and none of them has a result yet.
    assert_eq!((state.round, state.round_phase), (2, RoundPhase::InProgress));
    assert_eq!((state.rounds, state.matches_completed, state.matches), (3, 2, 6));
    let effects = league.bench.tool(Tool::GetPlayerState, ToolParams::default());
    let elsewhere = Refusal::Unsupported("get_player_state: ask the player");
    assert_eq!(*refusal(&effects), elsewhere);
}

fn show(league: &mut League, round: u32, number: u32) -> Vec<Effect> {
    let match_id = Some(in_match(round, number));
    let auth_token = None;
    league
        .bench
        .tool(Tool::GetMatchState, ToolParams { auth_token, match_id, ..ToolParams::default() })
}

#[track_caller]
fn check_phase(league: &mut League, round: u32, number: u32, phase: MatchPhase) {
    let effects = show(league, round, number);
    let [Effect::Fetch { state, .. }] = &effects[..] else {
        panic!("a match and its transcript are fetched");
    };
    assert_eq!(state.state, phase);
    assert_eq!(state.result.is_some(), phase == MatchPhase::Finished);
}

#[test]
fn a_match_can_be_looked_at() {
    let (mut league, effects) = League::started(4, &[1]);
    check_phase(&mut league, 1, 1, MatchPhase::WaitingForPlayers);
    check_phase(&mut league, 1, 2, MatchPhase::Created);
    check_phase(&mut league, 2, 1, MatchPhase::Created);
    league.play(&assignments(&effects)[0]);
    check_phase(&mut league, 1, 1, MatchPhase::Finished);
    check_phase(&mut league, 1, 2, MatchPhase::WaitingForPlayers);
    let state = league.bench.role.match_state(in_match(1, 1)).unwrap();
    assert_eq!((state.attempt, state.referee_id), (1, Some(referee(1))));
    let result = state.result.unwrap();
    assert_eq!(result.score.get(player(1)), Some(1));
    assert_eq!(*refusal(&show(&mut league, 1, 3)), Refusal::NoSuchMatch);
    assert_eq!(*refusal(&show(&mut league, 4, 1)), Refusal::NoSuchMatch);
    let nothing = league.bench.tool(Tool::GetMatchState, ToolParams::default());
    assert_eq!(*refusal(&nothing), Refusal::NoSuchMatch);
}

#[test]
fn only_the_operator_commands() {
    let mut league = League::with(settings(), 2, &[1]);
    let p1 = league.token(P1).unwrap();
    let commands = [Command::StartLeague, Command::PauseLeague, Command::ResumeLeague];
    for tool in commands.map(Tool::Command) {
        let effects = league.bench.tool(tool, ToolParams::default());
        assert_eq!(*refusal(&effects), Refusal::TokenMissing);
        for wrong in [stolen(), p1.clone(), AuthToken::from("please")] {
            let params = ToolParams { auth_token: Some(wrong.clone()), ..ToolParams::default() };
            let effects = league.bench.tool(tool, params);
            assert_eq!(*refusal(&effects), Refusal::TokenInvalid(wrong));
        }
    }
    assert_eq!(league.bench.role.state().phase, LeaguePhase::AcceptingRegistrations);
    check(&league.command(Command::PauseLeague), &["reply 16: a tool's answer"]);
}

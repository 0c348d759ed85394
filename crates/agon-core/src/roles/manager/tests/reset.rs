//! A fresh token: the old one dies, the agent comes back from anywhere, and nobody else does.

use agon_proto::message::{Heartbeat, LeagueQuery, QueryParams, QueryType};
use agon_proto::tool::FreshToken;

use super::corrections::because;
use super::*;
use crate::testing::{in_match, player, referee, refusal};

impl League {
    fn reset(&mut self, agent: AgentId) -> Vec<Effect> {
        let (player_id, referee_id) = match agent {
            AgentId::Player(id) => (Some(id), None),
            AgentId::Referee(id) => (None, Some(id)),
        };
        let params = ToolParams { player_id, referee_id, ..because("the token is lost") };
        self.order(Command::ResetAgent, params)
    }

    /// P`number` asks something with that token.
    fn query(&mut self, number: u32, token: AuthToken) -> Vec<Effect> {
        let (query_type, query_params) = (QueryType::GetStandings, QueryParams::default());
        let query = LeagueQuery { league_id: league(), query_type, query_params };
        let conversation = ConversationId::new("conv-query-1");
        self.bench.call(letter(Sender::Player(player(number)), Some(token), conversation, query))
    }
}

#[track_caller]
fn fresh(effects: &[Effect]) -> FreshToken {
    let Answer::Tool(ToolAnswer::Fresh(fresh)) = answer(effects) else {
        panic!("a reset is answered with a fresh token");
    };
    (**fresh).clone()
}

fn elsewhere(name: &str, token: Option<AuthToken>, capacity: Option<u32>) -> Entry {
    let (endpoint, conversation) = (format!("new-{name}"), format!("conv-{name}-reg-9"));
    Entry { endpoint, conversation, token, ..entry(name, capacity) }
}

const P1: AgentId = AgentId::Player(PlayerId::new(1));
const REF1: AgentId = AgentId::Referee(RefereeId::new(1));

#[test]
fn the_old_token_dies_and_the_fresh_one_brings_the_player_back_from_another_address() {
    let (mut league, _) = League::started(4, &[1]);
    let old = league.token(P1).unwrap();
    assert!(matches!(answer(&league.query(1, old.clone())), Answer::Message(_)));
    let fresh = fresh(&league.reset(P1));
    assert_eq!((fresh.player_id, fresh.readmitted), (Some(player(1)), false));
    assert_eq!(refusal(&league.query(1, old.clone())).code().name(), "AUTH_TOKEN_INVALID");
    let journal = format!("{:?}", league.bench.facts);
    assert!(!journal.contains(&*fresh.auth_token.reveal()));
    // A season is under way, so whoever is not known does not get in.
    for token in [None, Some(old)] {
        let entry = elsewhere("p1", token, None);
        let refused = league.bench.call_from(Origin::Elsewhere, entry.request());
        assert!(admission(&refused).unwrap_err().starts_with("E019"));
    }
    let back = elsewhere("p1", Some(fresh.auth_token.clone()), None);
    let (id, token) =
        admission(&league.bench.call_from(Origin::Elsewhere, back.request())).unwrap();
    assert_eq!(id, P1);
    assert_ne!(token, fresh.auth_token, "registering gives a token of its own, as always");
    assert!(matches!(answer(&league.query(1, token)), Answer::Message(_)));
    assert_eq!(league.bench.role.league().player(player(1)).unwrap().1, "new-p1");
}

#[test]
fn whoever_sits_at_the_old_address_does_not_get_in_without_the_token() {
    let (mut league, _) = League::started(4, &[1]);
    let fresh = fresh(&league.reset(P1));
    let stays = Entry { conversation: "conv-p1-reg-2".into(), ..entry("p1", None) };
    let refused = admission(&league.bench.call(stays.request())).unwrap_err();
    assert!(refused.contains("the operator has reset this agent"), "{refused}");
    let back = Entry { token: Some(fresh.auth_token), ..stays.clone() };
    assert_eq!(admission(&league.bench.call(back.request())).unwrap().0, P1);
    // From then on its address is its own again.
    let again = Entry { conversation: "conv-p1-reg-3".into(), ..stays };
    assert_eq!(admission(&league.bench.call(again.request())).unwrap().0, P1);
}

#[test]
fn the_clock_of_the_new_machine_may_be_behind() {
    let (mut league, _) = League::started(4, &[1]);
    let fresh = fresh(&league.reset(P1));
    let mut request = elsewhere("p1", Some(fresh.auth_token), None).request();
    request.head.timestamp = Timestamp::from_micros(at(0).micros() - 3_600_000_000);
    assert!(admission(&league.bench.call(request)).is_ok());
}

#[test]
fn only_the_last_of_several_fresh_tokens_counts() {
    let mut league = League::with(settings(), 2, &[1]);
    let first = fresh(&league.reset(P1));
    league.bench.at(1);
    let last = fresh(&league.reset(P1));
    assert_ne!(first.auth_token, last.auth_token);
    let early = elsewhere("p1", Some(first.auth_token), None);
    assert_ne!(admission(&league.bench.call(early.request())).unwrap().0, P1, "a newcomer");
    let late = Entry { endpoint: "there".into(), ..elsewhere("p1", Some(last.auth_token), None) };
    assert_eq!(admission(&league.bench.call(late.request())).unwrap().0, P1);
}

#[test]
fn a_referee_that_is_reset_loses_its_matches_and_comes_back() {
    let (mut league, effects) = League::started(4, &[2, 2]);
    let held = assignments(&effects).into_iter().find(|given| given.referee_id == referee(1));
    let held = held.unwrap();
    let old = league.token(REF1).unwrap();
    let effects = league.reset(REF1);
    let fresh = fresh(&effects);
    assert_eq!(fresh.referee_id, Some(referee(1)));
    assert_eq!(given_to(&effects), [format!("{} to REF02", held.match_id)]);
    let heartbeat = Heartbeat {
        league_id: league.bench.role.league().settings().league_id.clone(),
        matches_held: 1,
        told: Vec::new(),
    };
    let conversation = ConversationId::new("conv-heartbeat");
    let beat = letter(Sender::Referee(referee(1)), Some(old), conversation, heartbeat);
    assert_eq!(refusal(&league.bench.call(beat)).code().name(), "AUTH_TOKEN_INVALID");
    refusal(&league.report(1, played(&held)));
    let back = elsewhere("ref1", Some(fresh.auth_token), Some(2));
    let (id, _) = admission(&league.bench.call_from(Origin::Elsewhere, back.request())).unwrap();
    assert_eq!(id, REF1);
}

#[test]
fn a_lone_referee_that_is_reset_keeps_its_matches_until_it_is_back() {
    let (mut league, effects) = League::started(2, &[1]);
    let held = assignments(&effects).remove(0);
    let effects = league.reset(REF1);
    assert_eq!(given_to(&effects), [""; 0]);
    let back = elsewhere("ref1", Some(fresh(&effects).auth_token), Some(1));
    let effects = league.bench.call_from(Origin::Elsewhere, back.request());
    let again = assignments(&effects).remove(0);
    assert_eq!((again.match_id, again.attempt), (held.match_id, 2));
}

#[test]
fn a_player_that_was_withdrawn_in_error_plays_what_is_still_open() {
    let (mut league, effects) = League::started(4, &[9]);
    let given = assignments(&effects);
    league.withdraw(4);
    let again = Entry { conversation: "conv-p4-reg-2".into(), ..entry("p4", None) };
    assert!(admission(&league.bench.call(again.request())).is_err());
    let p4 = AgentId::Player(player(4));
    let fresh = fresh(&league.reset(p4));
    assert!(fresh.readmitted);
    let back = Entry { token: Some(fresh.auth_token), ..again };
    assert_eq!(admission(&league.bench.call(back.request())).unwrap().0, p4);
    let mut effects = Vec::new();
    for given in &given {
        effects.extend(league.play(given));
    }
    league.play_on(&effects, |_, _, _| Fate::Played);
    assert_eq!(league.points(4).1, 3);
    let season = league.bench.role.league().season();
    let outcomes = (2..=3).map(|round| season.match_of(player(4), round).unwrap());
    for id in outcomes {
        assert_eq!(season.result(id).unwrap().verdict.cause, agon_proto::message::Cause::Played);
    }
    assert!(season.result(in_match(1, 2)).is_some());
}

#[test]
fn an_order_to_reset_names_one_agent_that_is_there() {
    let mut league = League::with(settings(), 2, &[1]);
    let facts = league.bench.facts.len();
    for (agent, code) in [
        (AgentId::Player(player(9)), "PLAYER_NOT_REGISTERED"),
        (AgentId::Referee(referee(9)), "REFEREE_NOT_REGISTERED"),
    ] {
        assert_eq!(refusal(&league.reset(agent)).code().name(), code);
    }
    let both =
        ToolParams { player_id: Some(player(1)), referee_id: Some(referee(1)), ..because("x") };
    refusal(&league.order(Command::ResetAgent, both));
    refusal(&league.order(Command::ResetAgent, because("x")));
    let unsaid = ToolParams { player_id: Some(player(1)), ..ToolParams::default() };
    refusal(&league.order(Command::ResetAgent, unsaid));
    assert_eq!(league.bench.facts.len(), facts);
}

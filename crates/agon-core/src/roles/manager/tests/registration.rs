//! Who gets in, as whom, with which token; and why everybody else does not.

use agon_proto::message::{LeagueQuery, QueryParams, QueryType};

use super::*;
use crate::testing::{check, player, referee, refusal, stolen};

#[track_caller]
fn check_rejected(league: &mut League, origin: Origin, entry: &Entry, code: &str) {
    let before = league.bench.facts.len();
    let effects = league.bench.call_from(origin, entry.request());
    let reason = admission(&effects).unwrap_err();
    assert!(reason.starts_with(code), "{reason}");
    assert_eq!(league.bench.facts.len(), before, "nothing is written down");
}

/// Whether that token is good for that player.
fn opens(league: &mut League, number: u32, token: &AuthToken) -> bool {
    let query = LeagueQuery {
        league_id: super::league(),
        query_type: QueryType::GetStandings,
        query_params: QueryParams::default(),
    };
    let sender = Sender::Player(player(number));
    let conversation = ConversationId::new("conv-query");
    let effects = league.bench.call(letter(sender, Some(token.clone()), conversation, query));
    matches!(effects[..], [Effect::Reply { .. }])
}

#[test]
fn ids_are_given_in_the_order_of_arrival() {
    let mut league = League::open();
    let names = [("a", None), ("r", Some(2)), ("b", None), ("s", Some(1)), ("c", None)];
    let ids = names.map(|(name, capacity)| {
        admission(&league.bench.call(entry(name, capacity).request())).unwrap().0.to_string()
    });
    assert_eq!(ids, ["P01", "REF01", "P02", "REF02", "P03"]);
    assert_eq!(league.bench.role.league().player(player(2)), Some(("b", "b")));
    assert_eq!(league.bench.role.league().referee(referee(1)), Some(("r", "r")));
}

#[test]
fn what_proves_us_to_an_agent_is_not_kept_before_it_is_called() {
    let mut league = League::open();
    let effects = league.bench.call(entry("p1", None).request());
    let (id, token) = admission(&effects).unwrap();
    let hash = TokenHash::of(&token).unwrap();
    let signing = &league.bench.role.records.signing;
    assert!(!signing.knows(id, &token, &hash));
    league.bench.role.records.signer(id).unwrap();
    assert!(league.bench.role.records.signing.knows(id, &token, &hash));
}

#[test]
fn what_stands_in_the_response_is_all_an_agent_needs() {
    let mut league = League::open();
    let effects = league.bench.call(entry("p1", None).request());
    check(&effects, &["reply 1: LEAGUE_REGISTER_RESPONSE"]);
    let Answer::Message(letter) = answer(&effects) else {
        panic!("a letter");
    };
    assert_eq!(letter.head.sender, Sender::LeagueManager);
    assert_eq!(letter.head.conversation_id, ConversationId::new("conv-p1-reg-1"));
    assert_eq!(letter.auth_token, None);
    let Act::Decide(said) = &letter.act else {
        panic!("a response");
    };
    assert_eq!(said.league, Some(super::league()));
    assert!(said.signed_calls);
}

#[test]
fn after_the_start_only_referees_may_still_come() {
    let (mut league, effects) = League::started(2, &[1]);
    check_rejected(&mut league, Origin::Endpoint, &entry("p3", None), "E019");
    league.register(&entry("ref2", Some(1)));
    league.play_on(&effects, |_, _, _| Fate::Played);
    check_rejected(&mut league, Origin::Endpoint, &entry("ref3", Some(1)), "E019");
}

#[test]
fn who_comes_back_after_the_end_hears_of_it() {
    let (mut league, effects) = League::started(2, &[1]);
    league.play_on(&effects, |_, _, _| Fate::Played);
    for (name, capacity) in [("p1", None), ("ref1", Some(1))] {
        let again = Entry { conversation: "conv-again".into(), ..entry(name, capacity) };
        let effects = league.bench.call(again.request());
        let [Effect::Alert(_), Effect::Reply { .. }, Effect::Broadcast(end)] = &effects[..] else {
            panic!("an answer and the end: {effects:?}");
        };
        assert!(matches!(end.act, Act::LeagueCompleted(_)));
        assert!(end.recipients.iter().map(|one| one.to.as_str()).eq([name]));
    }
}

#[test]
fn a_full_league_takes_nobody_more() {
    let settings = Settings { players_max: 2, referees_max: 1, ..settings() };
    let mut league = League::with(settings, 2, &[1]);
    check_rejected(&mut league, Origin::Endpoint, &entry("p3", None), "E020");
    check_rejected(&mut league, Origin::Endpoint, &entry("ref2", Some(1)), "E020");
    // Who is in may come again.
    league.register(&entry("p2", None));
}

#[test]
fn the_game_and_the_version_must_fit() {
    let mut league = League::open();
    let chess = GameType::new("chess");
    let wrong = Entry { game: chess, ..entry("p1", None) };
    check_rejected(&mut league, Origin::Endpoint, &wrong, "E002");
    for version in ["1.9.9", "league.v1", "two"] {
        let old = Entry { version: Some(version), ..entry("p1", None) };
        check_rejected(&mut league, Origin::Endpoint, &old, "E018");
    }
    check_rejected(&mut league, Origin::Endpoint, &entry("ref1", Some(0)), "E002");
    for (number, version) in (1..).zip(["2.0.0", "2.1.0", "3.0", "league.v2", ""]) {
        let fits = Entry { version: Some(version), ..entry(&format!("p{number}"), None) };
        league.register(&fits);
    }
}

#[test]
fn an_endpoint_that_must_not_be_called_is_not_let_in() {
    let mut league = League::open();
    check_rejected(&mut league, Origin::Forbidden, &entry("p1", None), "E014");
    check_rejected(&mut league, Origin::Forbidden, &entry("ref1", Some(1)), "E014");
    // A proxy's address is not the endpoint's own, and that is no crime.
    let effects = league.bench.call_from(Origin::Elsewhere, entry("p1", None).request());
    assert!(admission(&effects).is_ok());
}

#[test]
fn nobody_takes_an_endpoint_from_elsewhere() {
    let mut league = League::with(settings(), 2, &[1]);
    let thief = Entry { conversation: "conv-thief".into(), ..entry("p1", None) };
    check_rejected(&mut league, Origin::Elsewhere, &thief, "E017");
    let with_bad_token = Entry { token: Some(stolen()), ..thief };
    check_rejected(&mut league, Origin::Elsewhere, &with_bad_token, "E017");
    // Another agent's token is no key to this endpoint either.
    let token = league.token(AgentId::Player(player(2)));
    let other = Entry { token, ..entry("p1", None) };
    check_rejected(&mut league, Origin::Endpoint, &other, "E017");
}

#[test]
fn a_player_is_no_referee_and_the_other_way_round() {
    let mut league = League::with(settings(), 1, &[1]);
    check_rejected(&mut league, Origin::Endpoint, &entry("p1", Some(1)), "E017");
    check_rejected(&mut league, Origin::Endpoint, &entry("ref1", None), "E017");
}

#[test]
fn the_old_token_brings_an_agent_to_a_new_endpoint() {
    let mut league = League::with(settings(), 2, &[]);
    let old = league.token(AgentId::Player(player(2))).unwrap();
    let moved =
        Entry { endpoint: "elsewhere".into(), token: Some(old.clone()), ..entry("p2", None) };
    let effects = league.bench.call_from(Origin::Elsewhere, moved.request());
    let (id, new) = admission(&effects).unwrap();
    assert_eq!(id, AgentId::Player(player(2)));
    assert_ne!(new, old);
    assert!(opens(&mut league, 2, &new) && !opens(&mut league, 2, &old));
    assert_eq!(league.bench.role.league().player(player(2)), Some(("p2", "elsewhere")));
    // The place it left is free.
    let (id, _) = admission(&league.bench.call(entry("p2", None).request())).unwrap();
    assert_eq!(id, AgentId::Player(player(3)));
}

#[test]
fn its_own_address_is_proof_enough_to_come_again() {
    let mut league = League::with(settings(), 2, &[]);
    let old = league.token(AgentId::Player(player(1))).unwrap();
    let again = Entry { conversation: "conv-p1-reg-2".into(), ..entry("p1", None) };
    let (id, new) = admission(&league.bench.call(again.request())).unwrap();
    assert_eq!(id, AgentId::Player(player(1)));
    assert!(opens(&mut league, 1, &new) && !opens(&mut league, 1, &old));
    assert_eq!(league.bench.role.state().players, 2);
}

#[test]
fn the_same_request_repeated_gets_the_same_token() {
    let mut league = League::open();
    let first = admission(&league.bench.call(entry("p1", None).request())).unwrap();
    let second = admission(&league.bench.call(entry("p1", None).request())).unwrap();
    assert_eq!(first, second);
    assert!(opens(&mut league, 1, &first.1));
}

#[test]
fn a_season_may_begin_by_itself() {
    let mut league = League::open_with(settings(), options(Some(2)));
    check(&league.register(&entry("p1", None)), &["reply 1: LEAGUE_REGISTER_RESPONSE"]);
    check(&league.register(&entry("p2", None)), &["reply 2: LEAGUE_REGISTER_RESPONSE"]);
    check(
        &league.register(&entry("ref1", Some(1))),
        &[
            "reply 3: REFEREE_REGISTER_RESPONSE",
            "ROUND_ANNOUNCEMENT to p1 p2 ref1",
            "MATCH_ASSIGNMENT to ref1",
        ],
    );
    assert_eq!(league.bench.role.state().phase, LeaguePhase::Running);
}

#[test]
fn a_season_needs_two_players_and_a_referee() {
    let mut league = League::open();
    let refused = Refusal::OutOfTurn("a season needs two players");
    assert_eq!(*refusal(&league.command(Command::StartLeague)), refused);
    league.register_all(1, &[1]);
    assert_eq!(*refusal(&league.command(Command::StartLeague)), refused);
    let mut league = League::with(settings(), 2, &[]);
    let refused = Refusal::OutOfTurn("a season needs a referee");
    assert_eq!(*refusal(&league.command(Command::StartLeague)), refused);
    assert_eq!(league.bench.role.state().phase, LeaguePhase::AcceptingRegistrations);
}

#[test]
fn what_is_only_ever_an_answer_is_not_taken() {
    let mut league = League::with(settings(), 1, &[]);
    let message = agon_proto::message::LeagueQueryResponse {
        query_type: QueryType::GetStandings,
        success: false,
        data: None,
        standings: None,
        reachable: None,
        completed: None,
        error: None,
    };
    let token = league.token(AgentId::Player(player(1)));
    let conversation = ConversationId::new("conv-1");
    let said = letter(Sender::Player(player(1)), token, conversation, message);
    let refused = Refusal::Unsupported("LEAGUE_QUERY_RESPONSE");
    assert_eq!(*refusal(&league.bench.call(said)), refused);
}

#[test]
fn a_late_letter_of_a_dead_process_does_not_lock_out_the_living() {
    let mut league = League::open();
    let request = |reg: &str, second| {
        let mut request = entry("p1", None).request();
        request.head.conversation_id = ConversationId::new(reg);
        request.head.timestamp = crate::testing::at(second);
        request
    };
    // What is written in the future counts as written now, so now is later.
    league.bench.at(6);
    let living = admission(&league.bench.call(request("conv-second", 5))).unwrap().1;
    let late = admission(&league.bench.call(request("conv-first", 3))).unwrap_err();
    assert!(late.starts_with("E007"), "{late}");
    // Its own repeat is no older than itself.
    assert_eq!(admission(&league.bench.call(request("conv-second", 5))).unwrap().1, living);
    assert!(opens(&mut league, 1, &living));
}

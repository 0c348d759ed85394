//! Who passes which gate, and with which refusal everybody else is sent away.

use agon_proto::act::{Act, Applying};
use agon_proto::message::{
    GameInvitation, GameOver, GameResult, LeagueQuery, QueryParams, QueryType, ResultStatus,
    RoleInMatch,
};
use agon_proto::{
    AgentId, AuthToken, ConversationId, DisplayName, Endpoint, GameType, PerPlayer, Sender,
};

use super::*;
use crate::agent::{Agent, AgentFact};
use crate::league::registry::Registry;
use crate::secret::{Signer, Signing, SigningKey};
use crate::testing::{in_match, league, letter, player, profile, referee, registration, stolen};
use crate::{Credentials, TokenHash};

fn token(number: u8) -> AuthToken {
    AuthToken::derived([number; 32])
}

fn hash(number: u8) -> TokenHash {
    TokenHash::of(&token(number)).unwrap()
}

fn key(number: u8) -> SigningKey {
    SigningKey::of(&token(number)).unwrap()
}

/// P01 has token 1, REF01 has token 2.
fn registry() -> Registry {
    let mut registry = Registry::default();
    registry.admit(&registration(AgentId::Player(player(1)), "p1", hash(1)));
    registry.admit(&registration(AgentId::Referee(referee(1)), "ref1", hash(2)));
    registry
}

fn query() -> Act {
    Act::LeagueQuery(LeagueQuery {
        league_id: league(),
        query_type: QueryType::GetStandings,
        query_params: QueryParams::default(),
    })
}

fn request() -> Act {
    Act::Apply(Box::new(Applying {
        name: Some(DisplayName::new("new")),
        contact: Some(Endpoint::new("p9").into()),
        ..Applying::default()
    }))
}

#[track_caller]
fn check_manager(
    sender: Sender,
    token: Option<AuthToken>,
    message: Act,
    expected: Result<Speaker, Refusal>,
) {
    let said = letter(sender, token, ConversationId::new("conv-1"), message);
    let admitted = at_manager((&registry(), &Signing::default()), Box::new(said))
        .map(|admitted| admitted.open().0);
    assert_eq!(admitted, expected);
}

#[test]
fn a_token_proves_its_own_sender_and_no_other() {
    let (p1, ref1) = (Sender::Player(player(1)), Sender::Referee(referee(1)));
    let passes = Ok(Speaker::Player(Proved(player(1))));
    check_manager(p1.clone(), Some(token(1)), query(), passes);
    check_manager(ref1.clone(), Some(token(2)), query(), Ok(Speaker::Referee(Proved(referee(1)))));
    let wrong = Err(Refusal::TokenInvalid(token(2)));
    check_manager(p1.clone(), Some(token(2)), query(), wrong);
    let wrong = Err(Refusal::TokenInvalid(token(1)));
    check_manager(ref1, Some(token(1)), query(), wrong);
    check_manager(p1.clone(), None, query(), Err(Refusal::TokenMissing));
    let foreign = AuthToken::from("secret");
    check_manager(p1, Some(foreign.clone()), query(), Err(Refusal::TokenInvalid(foreign)));
}

/// The manager knows the tokens that its key leads to. That spares it a hash, and proves no more
/// than a hash would: not the token of somebody else, nor one that was good once.
#[test]
fn a_token_that_is_known_proves_what_its_hash_would() {
    let p1 = AgentId::Player(player(1));
    let knows = |number| {
        let mut signing = Signing::default();
        signing.renew(p1);
        signing.signer(p1, || Signer::of(token(number), &league()));
        signing
    };
    let check = |signing: &Signing, shown: u8, passes: bool| {
        let (sender, token) = (Sender::Player(player(1)), Some(token(shown)));
        let said = letter(sender, token, ConversationId::new("conv-1"), query());
        let admitted = at_manager((&registry(), signing), Box::new(said));
        assert_eq!(admitted.is_ok(), passes, "{shown}");
    };
    assert!(knows(1).knows(p1, &token(1), &hash(1)));
    check(&knows(1), 1, true);
    check(&knows(1), 2, false);
    // Known, but no longer the one that counts.
    check(&knows(7), 7, false);
    check(&knows(7), 1, true);
}

#[test]
fn strangers_may_only_register() {
    let name = || DisplayName::new("new");
    let new = || Sender::NewPlayer(Box::new(name()));
    check_manager(new(), None, request(), Ok(Speaker::Newcomer));
    check_manager(new(), None, query(), Err(Refusal::NotRegistered));
    let new_referee = Sender::NewReferee(Box::new(name()));
    check_manager(new_referee, None, query(), Err(Refusal::NotRegistered));
    let (nobody, no_referee) = (player(2), referee(2));
    let unknown = Err(Refusal::Unknown(AgentId::Player(nobody)));
    check_manager(Sender::Player(nobody), Some(token(1)), query(), unknown);
    let unknown = Err(Refusal::Unknown(AgentId::Referee(no_referee)));
    check_manager(Sender::Referee(no_referee), Some(token(2)), query(), unknown);
    let impostor = Err(Refusal::NotPermitted("there is one manager"));
    check_manager(Sender::LeagueManager, Some(token(1)), query(), impostor);
}

fn member(signed_calls: bool) -> Agent {
    let mut me = Agent::new(profile("p1", None));
    let given = Credentials {
        agent: Some(AgentId::Player(player(1))),
        league: league(),
        token: token(1),
        signed_calls,
        heartbeat_ms: None,
    };
    me.apply(&AgentFact::Admitted { season: None, league: None, given: Some(given) });
    me
}

fn invitation() -> Act {
    Act::GameInvitation(GameInvitation {
        league_id: league(),
        round_id: 1,
        match_id: in_match(1, 1),
        game_type: GameType::new("even_odd"),
        role_in_match: RoleInMatch::PlayerA,
        opponent_id: player(2),
        game_settings: None,
    })
}

fn over(number: u32) -> Act {
    Act::GameOver(GameOver {
        match_id: in_match(1, number),
        game_type: GameType::new("even_odd"),
        game_result: GameResult {
            status: ResultStatus::Draw,
            winner_player_id: None,
            drawn_number: None,
            number_parity: None,
            choices: PerPlayer::empty(),
            details: None,
            reason: "".into(),
        },
    })
}

/// What a referee shows in that attempt at R1M1.
fn shown(attempt: u32, by: u32) -> AuthToken {
    key(1).match_token(&league(), in_match(1, 1), attempt, referee(by))
}

#[track_caller]
fn check_agent(
    me: &mut Agent,
    (sender, token, conversation): (Sender, Option<AuthToken>, &str),
    message: Act,
    expected: Result<Speaker, Refusal>,
) {
    let said = letter(sender, token, ConversationId::new(conversation), message);
    let admitted = at_agent(me, Box::new(said)).map(|admitted| admitted.open().0);
    assert_eq!(admitted.map_err(|(refusal, _)| refusal), expected);
}

#[test]
fn a_referee_shows_the_token_of_this_very_attempt() {
    let mut me = member(true);
    let ref1 = || Sender::Referee(referee(1));
    let passes = || Ok(Speaker::Referee(Proved(referee(1))));
    check_agent(&mut me, (ref1(), Some(shown(1, 1)), "conv-r1m1-001"), invitation(), passes());
    check_agent(&mut me, (ref1(), Some(shown(2, 1)), "conv-r1m1-002"), invitation(), passes());
    // A foreign conversation is about the first attempt.
    check_agent(&mut me, (ref1(), Some(shown(1, 1)), "chat-17"), invitation(), passes());
    for wrong in [shown(2, 1), shown(1, 2), key(1).manager_token(&league()), stolen()] {
        let invalid = Err(Refusal::TokenInvalid(wrong.clone()));
        check_agent(&mut me, (ref1(), Some(wrong), "conv-r1m1-001"), invitation(), invalid);
    }
    let missing = Err(Refusal::TokenMissing);
    check_agent(&mut me, (ref1(), None, "conv-r1m1-001"), invitation(), missing);
    let other = Err(Refusal::BadValue("conversation_id names another match"));
    check_agent(&mut me, (ref1(), Some(shown(1, 1)), "conv-r1m2-001"), invitation(), other.clone());
    check_agent(&mut me, (ref1(), Some(shown(1, 1)), "conv-r1m1-001"), over(2), other);
}

#[test]
fn the_manager_shows_its_own_token() {
    let mut me = member(true);
    let ours = key(1).manager_token(&league());
    let call = |token| (Sender::LeagueManager, token, "conv-1");
    check_agent(&mut me, call(Some(ours)), query(), Ok(Speaker::Manager(Proved(TheManager))));
    check_agent(&mut me, call(None), query(), Err(Refusal::TokenMissing));
    let wrong = Err(Refusal::TokenInvalid(shown(1, 1)));
    check_agent(&mut me, call(Some(shown(1, 1))), query(), wrong);
}

#[test]
fn where_nobody_promised_tokens_none_is_asked_for() {
    let mut me = member(false);
    let conversation = "conv-r1m1-001";
    let call = (Sender::LeagueManager, None, conversation);
    check_agent(&mut me, call, query(), Ok(Speaker::Manager(Proved(TheManager))));
    let call = (Sender::Referee(referee(1)), None, conversation);
    check_agent(&mut me, call, invitation(), Ok(Speaker::Referee(Proved(referee(1)))));
}

#[test]
fn a_referee_says_only_what_referees_say() {
    let call = (Sender::Referee(referee(1)), Some(shown(1, 1)), "conv-r1m1-001");
    let not_for_us = Err(Refusal::Unsupported("LEAGUE_QUERY"));
    check_agent(&mut member(true), call, query(), not_for_us);
}

#[test]
fn players_and_strangers_do_not_call_agents() {
    let mut me = member(true);
    let name = || DisplayName::new("new");
    let no = || Err(Refusal::NotPermitted("players do not call each other"));
    let conversation = "conv-r1m1-001";
    let call = |sender| (sender, Some(shown(1, 1)), conversation);
    check_agent(&mut me, call(Sender::Player(player(2))), invitation(), no());
    check_agent(&mut me, call(Sender::NewPlayer(Box::new(name()))), invitation(), no());
    let unregistered = Err(Refusal::NotRegistered);
    check_agent(&mut me, call(Sender::NewReferee(Box::new(name()))), invitation(), unregistered);
}

//! The same player where letters travel by call: tokens prove who speaks.

use agon_proto::AuthToken;

use super::*;
use crate::secret::SigningKey;

const URL: &str = "http://127.0.0.1:8101/mcp";
const MANAGER_URL: &str = "http://127.0.0.1:8000/mcp";
const REFEREE_URL: &str = "http://127.0.0.1:8001/mcp";

fn token() -> AuthToken {
    AuthToken::derived([7; 32])
}

fn key() -> SigningKey {
    SigningKey::of(&token()).unwrap()
}

fn newcomer() -> Stage {
    let reached = letter_profile(URL, MANAGER_URL, None);
    let (contact, manager) = (reached.contact, reached.manager);
    Stage::with(Player::new(Profile { contact, manager, nonce: 0xfeed, ..profile() }, times()))
}

fn answer(id: &str, status: Approval, token: Option<AuthToken>) -> Letter {
    let mut act = registration(status, None);
    if let Act::Decide(said) = &mut act {
        said.token = token;
    }
    let mut letter = letter("answer", MANAGER_URL, Role::Manager, act);
    letter.head.answers = Some(MessageId::new(id));
    letter.head.context.league = Some(league());
    letter
}

const REQUEST: &str = "sreg-http://127.0.0.1:8101/mcp-open-000000000000feed";

fn admitted() -> Stage {
    let mut stage = newcomer();
    stage.resume();
    stage.post(Proof::Token, answer(REQUEST, Approval::Accepted, Some(token())));
    stage
}

fn from_manager(id: &str, act: Act) -> Letter {
    let mut letter = letter(id, MANAGER_URL, Role::Manager, act);
    letter.auth_token = Some(key().manager_token(&league()));
    letter
}

fn from_referee(id: &str, act: Act) -> Letter {
    let mut letter = letter(id, REFEREE_URL, Role::Referee, act);
    let shown = key().game_token(&league(), &game(ONE), &address(REFEREE_URL));
    letter.auth_token = Some(shown);
    letter
}

fn table() -> Act {
    table_of(rows(ONE, REFEREE_URL, [URL, "http://127.0.0.1:8102/mcp"]))
}

#[test]
fn it_registers_by_itself() {
    let mut stage = newcomer();
    check(&stage.resume(), &["SEASON_REGISTRATION_REQUEST to http://127.0.0.1:8000/mcp"]);
    assert_eq!(stage.posted[0].letter.head.id.as_str(), REQUEST);
    // An invitation beside that needs no second request.
    let answered = answer(REQUEST, Approval::Accepted, Some(token()));
    check(&stage.post(Proof::Token, answered), &["reply 1: Acknowledged"]);
    let invited = from_manager("open", start_season("S1"));
    check(&stage.post(Proof::Token, invited), &["reply 1: Acknowledged"]);
    assert_eq!(stage.player().season_state(), SeasonState::AwaitingAssignment);
    // After a restart it still knows what it was given.
    let mut stage = stage.restarted();
    stage.dispatch_all();
    check(&stage.resume(), &[]);
}

#[test]
fn only_the_answer_to_its_own_request_is_believed() {
    let mut stage = newcomer();
    stage.resume();
    for id in ["", "sreg-http://127.0.0.1:8101/mcp-open-0000000000000000"] {
        let forged = answer(id, Approval::Accepted, Some(AuthToken::derived([9; 32])));
        let effects = stage.post(Proof::Token, forged);
        assert_eq!(why(&effects), "auth_token is missing; send the one you were given");
    }
    assert_eq!(stage.player().me.credentials(), None);
}

#[test]
fn a_rejection_ends_its_life_with_the_reason() {
    let mut stage = newcomer();
    stage.resume();
    let mut said = answer(REQUEST, Approval::Rejected, None);
    if let Act::Decide(act) = &mut said.act {
        act.denial = Some(Denial::Other("not_on_the_roster".into()));
    }
    check(
        &stage.post(Proof::Token, said),
        &[r#"finish: NotAdmitted("not_on_the_roster")"#, "reply 1: Acknowledged"],
    );
    let mut stage = newcomer();
    stage.resume();
    let without_token = answer(REQUEST, Approval::Accepted, None);
    check(
        &stage.post(Proof::Token, without_token),
        &[r#"finish: NotAdmitted("admitted, but without a token")"#, "reply 1: Acknowledged"],
    );
    // Whoever is started again asks again.
    stage.dispatch_all();
    let mut stage = stage.restarted();
    check(&stage.resume(), &["SEASON_REGISTRATION_REQUEST to http://127.0.0.1:8000/mcp"]);
    assert_ne!(stage.posted.last().unwrap().letter.head.id.as_str(), REQUEST, "another start");
}

#[test]
fn an_answer_to_the_request_of_an_earlier_start_is_believed() {
    let mut stage = newcomer();
    stage.resume();
    let mut stage = stage.restarted();
    // It still waits, so it goes out again, as it was.
    check(&stage.resume(), &["SEASON_REGISTRATION_REQUEST to http://127.0.0.1:8000/mcp"]);
    assert_eq!(stage.posted.last().unwrap().letter.head.id.as_str(), REQUEST);
    stage.post(Proof::Token, answer(REQUEST, Approval::Accepted, Some(token())));
    assert_eq!(stage.player().season_state(), SeasonState::AwaitingAssignment);
}

#[test]
fn it_plays_with_tokens_and_shows_its_own_to_the_manager_only() {
    let mut stage = admitted();
    stage.post(Proof::Token, from_manager("table", table()));
    stage.post(Proof::Token, from_manager("round-1", new_round(1)));
    for (id, act) in whole_game(ONE) {
        stage.post(Proof::Token, from_referee(id, act));
        stage.advise_all();
    }
    assert_eq!(stage.phase(ONE), Some(Progress::Completed));
    let shown = Some(key().game_token(&league(), &game(ONE), &address(REFEREE_URL)));
    for parcel in &stage.posted[1..] {
        let expected = match parcel.to[0].as_str() {
            MANAGER_URL => Some(token()),
            _ => shown.clone(),
        };
        assert_eq!(parcel.letter.read().unwrap().auth_token, expected, "{}", parcel.letter.head.id);
    }
    assert_eq!(stage.posted.len(), 6);
}

#[test]
fn a_wrong_token_opens_nothing() {
    let mut stage = admitted();
    stage.post(Proof::Token, from_manager("table", table()));
    stage.post(Proof::Token, from_manager("round-1", new_round(1)));
    let as_manager = key().manager_token(&league());
    let of_other_game = key().game_token(&league(), &game(TWO), &address(REFEREE_URL));
    for wrong in [crate::testing::stolen(), token(), as_manager, of_other_game] {
        let mut said = from_referee("w", warmup(ONE));
        said.auth_token = Some(wrong);
        let effects = stage.post(Proof::Token, said);
        assert_eq!(why(&effects), "auth_token is not the one that was given to this sender");
    }
    let mut said = from_manager("round-2", new_round(2));
    said.auth_token = None;
    let effects = stage.post(Proof::Token, said);
    assert_eq!(why(&effects), "auth_token is missing; send the one you were given");
    assert_eq!((stage.player().rounds().current_round(), &stage.asked[..]), (1, &[][..]));
}

#[test]
fn what_comes_before_the_token_that_proves_it_is_kept() {
    let mut stage = newcomer();
    stage.resume();
    for said in [
        from_referee("w", warmup(ONE)),
        from_manager("round-1", new_round(1)),
        from_manager("table", table()),
    ] {
        check(&stage.post(Proof::Token, said), &["reply 1: Acknowledged"]);
    }
    // So is a lie; it counts for nothing, and takes nobody's place.
    let mut lie = from_manager("round-1", new_round(2));
    lie.auth_token = Some(crate::testing::stolen());
    check(&stage.post(Proof::Token, lie), &["reply 1: Acknowledged"]);
    stage.post(Proof::Token, answer(REQUEST, Approval::Accepted, Some(token())));
    assert_eq!(stage.player().rounds().current_round(), 1);
    assert_eq!(callback(&stage.asked[0]), Callback::Warmup);
    assert_eq!(stage.player().me.kept, []);
}

fn halt() -> Act {
    Act::Reset(agon_proto::act::Halt { reason: "wrong texts".into() })
}

#[test]
fn a_reset_by_call_is_answered_with_another_request() {
    let mut stage = admitted();
    stage.post(Proof::Token, from_manager("table", table()));
    stage.post(Proof::Token, from_manager("round-1", new_round(1)));
    stage.dispatch_all();
    let mut reset = from_manager("bc-reset-S1", halt());
    reset.head.context.season = Some(SeasonId::new("S1"));
    check(
        &stage.post(Proof::Token, reset.clone()),
        &[
            "CRITICAL_RESET_RESPONSE to http://127.0.0.1:8000/mcp",
            "SEASON_REGISTRATION_REQUEST to http://127.0.0.1:8000/mcp",
            "reply 1: Acknowledged",
        ],
    );
    let [.., answered, request] = &stage.posted[..] else { panic!("two letters") };
    let [answered, request] = [answered, request].map(|it| it.letter.read().unwrap());
    assert_eq!(answered.auth_token, Some(token()), "it still proves us here");
    assert_eq!(request.auth_token, None);
    let id = request.head.id.clone();
    assert_ne!(id.as_str(), REQUEST, "the manager would take it for the old one");
    assert!(id.as_str().ends_with("000000000000feed"), "{id}: nobody can guess it");
    let Act::Apply(said) = &request.act else { panic!("a request") };
    assert_eq!((&said.season, &request.head.context.season), (&None, &None));
    assert_eq!(stage.player().me.credentials(), None);
    // What proved the manager before does so no more, and a restart changes nothing of it.
    let mut stage = stage.restarted();
    stage.resume();
    check(&stage.post(Proof::Token, reset), &["reply 1: Acknowledged"]);
    assert_eq!(stage.player().rounds().current_round(), 0);
    let fresh = AuthToken::derived([8; 32]);
    let mut said = answer(id.as_str(), Approval::Accepted, Some(fresh.clone()));
    said.head.id = MessageId::new("answer-2");
    if let Act::Decide(act) = &mut said.act {
        act.season = Some(SeasonId::new("S1-2"));
    }
    check(&stage.post(Proof::Token, said), &["reply 1: Acknowledged"]);
    assert_eq!(stage.player().me.token(), Some(fresh));
    assert_eq!(stage.player().season_state(), SeasonState::AwaitingAssignment);
    let old = from_manager("round-2", new_round(2));
    assert!(why(&stage.post(Proof::Token, old)).starts_with("auth_token"));
}

/// The other half of its team did not come, and the season has begun without both.
#[test]
fn whose_team_is_incomplete_leaves_with_the_reason() {
    let left_out = || from_manager("no", registration(Approval::Rejected, Some("incomplete_team")));
    let mut stage = admitted();
    check(
        &stage.post(Proof::Token, left_out()),
        &[r#"finish: NotAdmitted("incomplete_team")"#, "reply 1: Acknowledged"],
    );
    assert_eq!(stage.player().season_state(), SeasonState::SeasonRejected);
    // Somebody has started it again: then it asks again.
    stage.dispatch_all();
    let mut stage = stage.restarted();
    check(&stage.resume(), &["SEASON_REGISTRATION_REQUEST to http://127.0.0.1:8000/mcp"]);
    // Whoever has games in the season is not left out, whatever comes late.
    let mut stage = admitted();
    stage.post(Proof::Token, from_manager("table", table()));
    check(&stage.post(Proof::Token, left_out()), &["reply 1: Acknowledged"]);
    assert_eq!(stage.player().season_state(), SeasonState::AssignmentsReceived);
    // Nor does any other late rejection move anybody.
    let mut stage = admitted();
    let closed = registration(Approval::Rejected, Some("registration_closed"));
    check(&stage.post(Proof::Token, from_manager("no", closed)), &["reply 1: Acknowledged"]);
    assert_eq!(stage.player().season_state(), SeasonState::AwaitingAssignment);
}

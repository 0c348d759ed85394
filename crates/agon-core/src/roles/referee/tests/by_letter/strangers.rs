//! Who may say what: by mail the address decides, by call the token.

use agon_proto::{AuthToken, Role};

use super::*;
use crate::effect::Ending;
use crate::secret::SigningKey;

const URL: &str = "http://127.0.0.1:8001/mcp";
const MANAGER_URL: &str = "http://127.0.0.1:8000/mcp";

fn token(number: u8) -> AuthToken {
    AuthToken::derived([number; 32])
}

#[test]
fn a_strangers_mail_never_hurts_a_game() {
    let mut world = World::in_game();
    let facts = world.bench.facts.len();
    let eve = "eve@league.test";
    let not_a_player = "no: not permitted: only the two players of a game may answer in it";
    assert_eq!(world.mail(eve, questions()), [not_a_player]);
    assert_eq!(world.mail(MANAGER, guess("100")), [not_a_player]);
    let not_the_manager = "no: not permitted: only the league manager says that to a referee";
    for act in [new_round(2), completed(), Act::Reset(halt()), start_season(), keep_alive()] {
        assert_eq!(world.mail(eve, act.clone()), [not_the_manager]);
        assert_eq!(world.mail(ADA, act), [not_the_manager]);
    }
    let Act::Move(mut batch) = questions() else { panic!() };
    batch.game = GameId::new("0109009");
    assert_eq!(world.player(ADA, Act::Move(batch)), ["no: there is no such match"]);
    let ours = world.last("warmup-0101001-alpha").act.clone();
    assert_eq!(
        world.player(ADA, ours),
        ["no: not permitted: only a referee says that, and to players"]
    );
    assert_eq!(world.bench.facts.len(), facts);
    assert_eq!(world.player(ADA, questions()), ["ask answers for alpha", "ok"]);
}

#[test]
fn what_a_letter_says_of_its_sender_is_worth_nothing() {
    let mut world = World::in_game();
    let mut letter = world.letter(questions());
    letter.head.from.address = Some(Address::new(ADA));
    letter.head.from.role = Some(Role::Player);
    let eve = Proof::Vouched(Address::new("eve@league.test"));
    assert!(world.post(eve, letter.clone())[0].starts_with("no:"));
    // Real managers leave their own address out; players may write nonsense there.
    letter.head.from.address = None;
    letter.head.id = MessageId::new("another");
    let ada = Proof::Vouched(Address::new(ADA));
    assert_eq!(world.post(ada, letter), ["ask answers for alpha", "ok"]);
}

#[test]
fn a_token_that_is_shown_must_be_right() {
    let mut world = World::in_game();
    let Act::Ask(start) = &world.last("round-start-0101001-alpha").act else { panic!() };
    let ours = start.token.clone();
    let shows = |token: Option<&str>| {
        let Act::Move(batch) = questions() else { panic!() };
        Act::Move(Moved { token: token.map(Into::into), ..batch })
    };
    assert!(world.player(ADA, shows(Some("tok_00000000")))[0].contains("auth_token"));
    assert!(world.player(BOB, shows(ours.as_deref()))[0].contains("auth_token"));
    assert_eq!(world.player(BOB, shows(Some("")))[1], "ok");
    assert_eq!(world.player(ADA, shows(ours.as_deref()))[1], "ok");
}

#[test]
fn a_letter_without_an_id_is_dealt_with_every_time_and_does_no_harm() {
    let mut world = World::in_game();
    let mut letter = world.letter(questions());
    letter.head.id = MessageId::new("");
    let ada = || Proof::Vouched(Address::new(ADA));
    assert_eq!(world.post(ada(), letter.clone()), ["ask answers for alpha", "ok"]);
    assert_eq!(world.post(ada(), letter), ["ok"]);
}

const ADA_URL: &str = "http://127.0.0.1:8101/mcp";
const BOB_URL: &str = "http://127.0.0.1:8102/mcp";

/// A referee that is called, and admitted.
fn admitted_by_call() -> World {
    let us = reached(URL, MANAGER_URL);
    let mut world = World::with(us, settings(), Vec::new());
    let lines = {
        let effects = world.bench.resume();
        world.see(effects)
    };
    assert_eq!(lines, [format!("sreg-000000000000002a-{URL} to http://127.0.0.1:8000/mcp")]);
    let mut answer = world.letter(admitted());
    answer.head.context.league = Some(LeagueId::new("q21"));
    answer.head.answers = Some(world.sent[0].head.id.clone());
    let Act::Decide(said) = &mut answer.act else { panic!() };
    said.token = Some(token(9));
    let mut forged = answer.clone();
    forged.head.answers = Some(MessageId::new("sreg-guessed"));
    assert!(world.post(Proof::Token, forged)[0].contains("auth_token"));
    assert_eq!(world.post(Proof::Token, answer), ["ok"]);
    world.take_all();
    world
}

/// The same, with one game under way.
fn called() -> World {
    let mut world = admitted_by_call();
    let mut said = table();
    for row in &mut said.rows {
        if row.address == Some(Address::new(US)) {
            row.address = Some(Address::new(URL));
        }
        (row.address, row.auth_token) = match row.part {
            Part::Player1 => (Some(Address::new(ADA_URL)), Some(token(1))),
            Part::Player2 => (Some(Address::new(BOB_URL)), Some(token(2))),
            Part::Referee => (row.address.clone(), None),
        };
    }
    by_manager(&mut world, Act::AssignmentTable(said));
    by_manager(&mut world, new_round(1));
    world.advise();
    world
}

fn by_manager(world: &mut World, act: Act) -> Vec<String> {
    let mut letter = world.letter(act);
    let key = SigningKey::of(&token(9)).unwrap();
    letter.auth_token = Some(key.manager_token(&LeagueId::new("q21")));
    world.post(Proof::Token, letter)
}

fn by_player(world: &mut World, shown: Option<AuthToken>, act: Act) -> Vec<String> {
    let mut letter = world.letter(act);
    letter.auth_token = shown;
    world.post(Proof::Token, letter)
}

#[test]
fn by_call_tokens_prove_everybody() {
    let mut world = called();
    let call = world.last("warmup-0101001-beta");
    assert_eq!(call.auth_token, Some(token(2)));
    let Act::Ask(said) = &call.act else { panic!() };
    assert_eq!(said.token.as_deref(), Some(&*token(2).reveal()));
    assert!(by_player(&mut world, None, warm_up())[0].contains("auth_token is missing"));
    assert!(by_player(&mut world, Some(token(3)), warm_up())[0].contains("auth_token"));
    let mut stolen = world.letter(new_round(2));
    stolen.auth_token = Some(token(1));
    assert!(world.post(Proof::Token, stolen)[0].contains("auth_token"));
    assert_eq!(by_player(&mut world, Some(token(1)), warm_up()), ["ok"]);
    assert_eq!(by_player(&mut world, Some(token(2)), warm_up()), ["ask book", "ok"]);
    by_manager(&mut world, new_round(2));
    assert_eq!(world.last("result-0101001").auth_token, Some(token(9)));
}

#[test]
fn one_player_cannot_use_up_the_letters_of_the_other() {
    let mut world = called();
    let mut letter = world.letter(warm_up());
    letter.head.from.address = Some(Address::new(BOB_URL));
    letter.auth_token = Some(token(1));
    assert_eq!(world.post(Proof::Token, letter.clone()), ["ok"]);
    letter.auth_token = Some(token(2));
    assert_eq!(world.post(Proof::Token, letter), ["ask book", "ok"]);
}

#[test]
fn after_a_restart_players_that_are_called_get_their_time_anew() {
    let mut world = called();
    world.take_all();
    by_player(&mut world, Some(token(1)), warm_up());
    let lines = world.at(1_000).restart();
    assert_eq!(lines, [format!("warmup-0101001-beta to {BOB_URL}")]);
    let Act::Ask(call) = &world.last("warmup-0101001-beta").act else { panic!() };
    assert_eq!(call.deadline, Some(at(1_120)));
    assert_eq!(world.bench.role.deadline(), Some(at(1_120)));
    assert_eq!(by_player(&mut world, Some(token(2)), warm_up()), ["ask book", "ok"]);
}

#[test]
fn who_is_not_admitted_by_call_ends() {
    let mut world = World::with(reached(URL, MANAGER), settings(), Vec::new());
    let effects = world.bench.resume();
    world.see(effects);
    let mut answer = world.letter(registration(Yes::Rejected, Some("full")));
    answer.head.answers = Some(world.sent[0].head.id.clone());
    let ending = Ending::NotAdmitted("full".into());
    assert_eq!(world.post(Proof::Token, answer)[0], format!("finish: {ending:?}"));
}

/// A referee with an endpoint and a mailbox, for a player of each kind.
fn of_both_ways() -> World {
    let us = Profile { vouched: Some(Address::new(US)), ..reached(URL, MANAGER_URL) };
    let mut world = World::with(us, settings(), Vec::new());
    let effects = world.bench.resume();
    world.see(effects);
    let Act::Apply(asked) = &world.sent[0].act else { panic!() };
    assert_eq!(asked.also, Some(agon_proto::Contact::of(&Address::new(US))));
    let mut answer = world.letter(admitted());
    answer.head.context.league = Some(LeagueId::new("q21"));
    answer.head.answers = Some(world.sent[0].head.id.clone());
    let Act::Decide(said) = &mut answer.act else { panic!() };
    said.token = Some(token(9));
    assert_eq!(world.post(Proof::Token, answer), ["ok"]);
    let mut said = table();
    for row in &mut said.rows {
        (row.address, row.auth_token) = match row.part {
            Part::Player1 => (Some(Address::new(ADA_URL)), Some(token(1))),
            Part::Player2 => (Some(Address::new(BOB)), None),
            Part::Referee => (Some(Address::new(URL)), None),
        };
    }
    by_manager(&mut world, Act::AssignmentTable(said));
    by_manager(&mut world, new_round(1));
    world.advise();
    world
}

#[test]
fn a_player_by_call_and_one_by_mail_play_one_game() {
    let mut world = of_both_ways();
    let (called, written) = (world.last("warmup-0101001-alpha"), world.last("warmup-0101001-beta"));
    assert_eq!(called.auth_token, Some(token(1)));
    assert_eq!(called.head.from.address, Some(Address::new(URL)));
    assert_eq!(written.auth_token, None, "no token that proves us travels by mail");
    assert_eq!(written.head.from.address, Some(Address::new(US)), "as the mail itself says");
    // What stands in a mail lets nobody call in its reader's place.
    let Act::Ask(said) = &written.act else { panic!() };
    let copied = said.token.as_deref().map(AuthToken::from);
    assert!(by_player(&mut world, copied, warm_up())[0].contains("auth_token"));
    assert_eq!(by_player(&mut world, Some(token(1)), warm_up()), ["ok"]);
    assert_eq!(world.player(BOB, warm_up()), ["ask book", "ok"]);
}

/// The other half of its team did not come, and the season has begun without both.
#[test]
fn whose_team_is_incomplete_leaves_with_the_reason() {
    let rejected = |reason| registration(Yes::Rejected, Some(reason));
    // Whoever has games in the season is not left out, whatever comes late.
    let mut world = called();
    assert_eq!(by_manager(&mut world, rejected("incomplete_team")), ["ok"]);
    assert_eq!(world.bench.role.records.state().name(), "IN_GAME");
    // Nor does any other late rejection move anybody.
    let mut world = World::new();
    world.manager(start_season());
    world.manager(admitted());
    assert_eq!(world.manager(rejected("registration_closed")), ["ok"]);
    assert_eq!(world.bench.role.records.state().name(), "WAITING_FOR_ASSIGNMENT");
    // By mail there will be another season; by call there is nothing to wait for.
    assert_eq!(world.manager(rejected("incomplete_team")), ["ok"]);
    assert_eq!(world.bench.role.records.state().name(), "INIT_START_STATE");
    let mut world = admitted_by_call();
    let ending = Ending::NotAdmitted("incomplete_team".into());
    let lines = by_manager(&mut world, rejected("incomplete_team"));
    assert_eq!(lines, [format!("finish: {ending:?}"), "ok".to_owned()]);
}

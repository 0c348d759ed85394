//! The same league by call: the address is an endpoint, and a token proves it.

use agon_proto::Answer;
use agon_proto::tool::ToolAnswer;

use super::*;
use crate::letterbox::Parcel;
use crate::secret::SigningKey;
use crate::testing::stolen;

pub(super) fn url(name: &str) -> Address {
    address(&format!("http://127.0.0.1:9000/{name}"))
}

pub(super) fn by_call() -> SeasonSettings {
    SeasonSettings { open_registration: true, ..terms(0) }
}

pub(super) fn application(from: &Address, group: &str, role: Role) -> Letter {
    let body = Act::Apply(Box::new(Applying {
        group: Some(GroupId::new(group)),
        role: Some(role),
        ..Applying::default()
    }));
    let mut letter = letter(&format!("sreg-{from}-7"), body);
    letter.head.from.address = Some(from.clone());
    letter
}

/// Teams a, b and c, and everybody's token.
pub(super) fn league(seasons: SeasonSettings) -> (League, BTreeMap<Address, AuthToken>) {
    let mut league = League::open(seasons);
    let mut tokens = BTreeMap::new();
    for group in ["a", "b", "c"] {
        for (role, letter) in [(Role::Player, "p"), (Role::Referee, "r")] {
            let from = url(&format!("{letter}{group}"));
            league.post(Proof::Token, application(&from, group, role));
            tokens.insert(from.clone(), token_in(&league.take_sent(), &from));
        }
    }
    (league, tokens)
}

#[track_caller]
pub(super) fn token_in(sent: &[(Vec<Address>, Letter)], to: &Address) -> AuthToken {
    let [(recipients, letter)] = sent else { panic!("one answer") };
    assert_eq!(recipients.first(), Some(to));
    let Act::Decide(answer) = &letter.act else { panic!("an answer") };
    answer.token.clone().expect("a token")
}

pub(super) fn started() -> (League, BTreeMap<Address, AuthToken>) {
    let (mut league, tokens) = league(by_call());
    league.command(Command::StartLeague);
    (league, tokens)
}

pub(super) fn report(league: &mut League, tokens: &BTreeMap<Address, AuthToken>, id: MatchId) {
    let from = league.party(id, Part::Referee);
    let body = Act::ResultReport(league.result(id, scores(id)).into());
    let mut letter = league.letter(body);
    letter.auth_token = tokens.get(&from).cloned();
    league.post(Proof::Token, letter);
}

#[test]
fn a_season_by_call_comes_to_its_end() {
    let (mut league, tokens) = started();
    while league.season().phase == LeaguePhase::Running {
        for id in league.open_games() {
            report(&mut league, &tokens, id);
        }
        league.tick();
    }
    assert_eq!(league.role().state().matches_completed, 3);
    let sent = league.take_sent();
    let ends = sent.iter().filter(|(_, letter)| matches!(letter.act, Act::SeasonCompleted(_)));
    assert_eq!(ends.count(), 6, "a call goes to one");
    assert!(sent.iter().all(|(to, _)| to.len() == 1));
}

#[test]
fn everybody_can_tell_that_the_manager_calls() {
    let (mut league, tokens) = started();
    for (to, letter) in league.take_sent() {
        let expected = SigningKey::of(&tokens[&to[0]]).unwrap();
        let expected = expected.manager_token(&crate::testing::league());
        assert_eq!(letter.auth_token, Some(expected));
    }
}

#[test]
fn a_referee_sees_what_proves_it_to_its_own_players_and_no_more() {
    let (mut league, tokens) = started();
    let mut shown = 0;
    for (to, letter) in league.take_sent() {
        let Act::AssignmentTable(table) = letter.act else { continue };
        let mine = |game: &GameId| {
            table.rows.iter().any(|row| {
                row.part == Part::Referee
                    && row.game == *game
                    && row.address.as_ref() == Some(&to[0])
            })
        };
        for row in &table.rows {
            let expected = (row.part != Part::Referee && mine(&row.game)).then(|| {
                let key = SigningKey::of(&tokens[row.address.as_ref().unwrap()]).unwrap();
                key.game_token(&crate::testing::league(), &row.game, &to[0])
            });
            assert_eq!(row.auth_token, expected);
            shown += usize::from(expected.is_some());
        }
    }
    assert_eq!(shown, 6, "three games, two players each");
}

#[test]
fn the_journal_keeps_no_token() {
    let (league, tokens) = started();
    let journal = serde_json::to_string(&league.bench.facts).unwrap();
    for token in tokens.values() {
        assert!(!journal.contains(&token.reveal()));
        let shown = SigningKey::of(token).unwrap().manager_token(&crate::testing::league());
        assert!(!journal.contains(&shown.reveal()));
    }
}

#[test]
fn what_was_not_taken_goes_out_again_with_its_tokens() {
    let (league, _) = league(by_call());
    let mut bench =
        Bench::new(Manager::new(rules(by_call()), options(None)), league.bench.facts.clone());
    let params = ToolParams { auth_token: Some(operator()), ..ToolParams::default() };
    let letters = |effects: &[Effect]| {
        let letters = effects.iter().filter_map(|effect| {
            if let Effect::SendLetter(parcel) = effect { Some(parcel.clone()) } else { None }
        });
        letters.collect::<Vec<_>>()
    };
    let sent = letters(&bench.tool(Tool::Command(Command::StartLeague), params));
    assert_eq!(sent.len(), 12);
    let mut again = Bench::new(Manager::new(rules(by_call()), options(None)), bench.facts.clone());
    assert_eq!(letters(&again.resume()), sent);
}

/// The journal as a version would have kept it that spelled every letter so.
fn spelled(facts: &[LeagueFact], how: impl Fn(&str) -> String) -> Vec<LeagueFact> {
    let mut facts = facts.to_vec();
    for fact in &mut facts {
        if let LeagueFact::Letterbox(LetterboxFact::Queued(parcel)) = fact {
            parcel.letter.text = how(&parcel.letter.text).into();
        }
    }
    let journal = serde_json::to_string(&facts).unwrap();
    serde_json::from_str(&journal).unwrap()
}

/// What leaves after a restart, of a season that has begun and of which nothing was taken.
fn owed(
    terms: SeasonSettings,
    enrolled: &[LeagueFact],
    how: impl Fn(&str) -> String,
) -> Vec<Parcel> {
    let manager = || Manager::new(rules(terms.clone()), options(None));
    let mut bench = Bench::new(manager(), enrolled.to_vec());
    let params = ToolParams { auth_token: Some(operator()), ..ToolParams::default() };
    bench.tool(Tool::Command(Command::StartLeague), params);
    let effects = Bench::new(manager(), spelled(&bench.facts, how)).resume();
    let parcels = effects.into_iter().filter_map(|effect| {
        if let Effect::SendLetter(parcel) = effect { Some(parcel) } else { None }
    });
    parcels.collect()
}

fn owed_by_mail(how: impl Fn(&str) -> String) -> Vec<Parcel> {
    let mut league = League::open(terms(3));
    league.enrol_all(3);
    owed(terms(3), &league.bench.facts, how)
}

fn owed_by_call(how: impl Fn(&str) -> String) -> Vec<Parcel> {
    owed(by_call(), &league(by_call()).0.bench.facts, how)
}

#[test]
fn a_letter_that_waits_leaves_in_the_words_that_were_decided() {
    let older = |text: &str| text.replace("message_type", "messageType");
    let sent = owed_by_mail(older);
    assert!(!sent.is_empty());
    for Parcel { letter, .. } in sent {
        assert!(letter.text.contains("\"messageType\":"), "{}", letter.text);
        assert!(letter.read().is_some());
    }
    // By call it is read, and leaves with its tokens.
    let sent = owed_by_call(older);
    assert_eq!(sent.len(), 12);
    for Parcel { letter, .. } in sent {
        assert!(letter.read().unwrap().auth_token.is_some(), "{}", letter.text);
    }
}

#[test]
fn words_that_nobody_can_read_leave_unless_they_need_a_token() {
    let unreadable = |_: &str| "[]".to_owned();
    let sent = owed_by_mail(unreadable);
    assert!(!sent.is_empty());
    assert!(sent.iter().all(|parcel| &*parcel.letter.text == "[]"));
    assert_eq!(owed_by_call(unreadable), []);
}

#[test]
fn a_token_proves_its_holder_and_nobody_else() {
    let (mut league, tokens) = started();
    let id = MatchId::new(1, 1);
    let referee = league.party(id, Part::Referee);
    let body = Act::ResultReport(league.result(id, [90, 10]).into());
    let mut letter = letter("result", body);
    assert!(matches!(refused(&league.post(Proof::Token, letter.clone())), Refusal::TokenMissing));
    letter.auth_token = Some(stolen());
    assert!(matches!(
        refused(&league.post(Proof::Token, letter.clone())),
        Refusal::TokenInvalid(_)
    ));
    let player = league.party(id, Part::Player1);
    letter.auth_token = tokens.get(&player).cloned();
    assert!(matches!(
        refused(&league.post(Proof::Token, letter.clone())),
        Refusal::NotPermitted(_)
    ));
    // A player that says it is the referee is not.
    letter.head.id = MessageId::new("result-2");
    letter.head.from.address = Some(referee.clone());
    assert!(matches!(
        refused(&league.post(Proof::Token, letter.clone())),
        Refusal::NotPermitted(_)
    ));
    letter.auth_token = tokens.get(&referee).cloned();
    league.post(Proof::Token, letter);
    assert!(league.season().result(id).is_some());
}

#[test]
fn who_registers_again_is_given_the_same_token_and_told_everything() {
    let (mut league, tokens) = started();
    league.take_sent();
    let from = url("pa");
    let mut again = application(&from, "a", Role::Player);
    again.head.id = MessageId::new("sreg-after-restart");
    league.post(Proof::Token, again);
    let sent = league.take_sent();
    let names: Vec<_> = sent.iter().map(|(_, letter)| letter.act.kind().name()).collect();
    let expected = [
        "SEASON_REGISTRATION_RESPONSE",
        "BROADCAST_ASSIGNMENT_TABLE",
        "BROADCAST_NEW_LEAGUE_ROUND",
    ];
    assert_eq!(names, expected);
    assert!(sent.iter().all(|(to, _)| *to == [from.clone()]));
    assert_eq!(answered(&sent[..1]), (Said::Rejected, Some("already_registered".into())));
    assert_eq!(token_in(&sent[..1], &from), tokens[&from]);
}

#[test]
fn an_agent_that_was_reset_needs_its_fresh_token() {
    let (mut league, tokens) = started();
    let id = MatchId::new(1, 1);
    let from = league.party(id, Part::Referee);
    let Some(agon_proto::AgentId::Referee(referee)) = league.role().league().agent_at(&from) else {
        panic!("a referee");
    };
    let params = ToolParams { referee_id: Some(referee), ..ToolParams::default() };
    let effects = league.order(Command::ResetAgent, params);
    let fresh = effects.iter().find_map(|effect| {
        let Effect::Reply { answer: Answer::Tool(ToolAnswer::Fresh(fresh)), .. } = effect else {
            return None;
        };
        Some(fresh.auth_token.clone())
    });
    let body = Act::ResultReport(league.result(id, [90, 10]).into());
    let mut letter = letter("result", body);
    letter.auth_token = tokens.get(&from).cloned();
    assert!(matches!(
        refused(&league.post(Proof::Token, letter.clone())),
        Refusal::TokenInvalid(_)
    ));
    league.take_sent();
    let mut again = application(&from, "x", Role::Referee);
    again.head.id = MessageId::new("sreg-again");
    league.post(Proof::Token, again);
    let sent = league.take_sent();
    let Act::Decide(answer) = &sent[0].1.act else { panic!("an answer") };
    assert_eq!(answer.token, None, "only the operator shows the fresh one");
    letter.auth_token = fresh;
    league.post(Proof::Token, letter);
    assert!(league.season().result(id).is_some());
}

#[test]
fn an_application_must_name_an_endpoint() {
    let mut league = League::open(by_call());
    for claim in [None, Some(player(1))] {
        let mut letter = application(&url("pa"), "a", Role::Player);
        letter.head.from.address = claim;
        assert!(matches!(refused(&league.post(Proof::Token, letter)), Refusal::BadValue(_)));
    }
}

/// Two players by call, one by mail, and a referee; by both ways, or not.
fn mixed(mailbox: Option<&str>) -> League {
    let rules = Settings { format: FormatKind::Refereed, ..rules(by_call()) };
    let mut league = League::read(rules, options(None), Vec::new());
    for (place, group) in [("pa", "a"), ("pb", "b")] {
        league.post(Proof::Token, application(&url(place), group, Role::Player));
    }
    league.mail(&player(3), Act::Apply(Box::default()));
    let mut letter = application(&url("rd"), "d", Role::Referee);
    let Act::Apply(said) = &mut letter.act else { panic!() };
    said.also = mailbox.map(|mailbox| Contact::of(&Address::new(mailbox)));
    league.post(Proof::Token, letter);
    league
}

#[test]
fn what_others_would_call_is_no_second_address() {
    let mut league = League::open(by_call());
    let mut letter = application(&url("ra"), "a", Role::Referee);
    let Act::Apply(said) = &mut letter.act else { panic!() };
    said.also = Some(Contact::of(&address("http://10.0.0.5:6379/mcp")));
    league.post(Proof::Token, letter);
    let sent = league.take_sent();
    let Act::Decide(answer) = &sent[0].1.act else { panic!("an answer") };
    assert!(answer.denial.is_some(), "{answer:?}");
    assert!(answer.text.as_ref().unwrap().contains("must be an address to write to"), "{answer:?}");
    assert_eq!(league.role().league().registry.referee_count(), 0);
}

#[test]
fn everybody_is_met_by_the_way_it_came() {
    let mut league = mixed(Some("rd@league.test"));
    league.take_sent();
    league.command(Command::StartLeague);
    let mut readers = Vec::new();
    for (to, letter) in league.take_sent() {
        let Act::AssignmentTable(table) = letter.act else { continue };
        let referee = table.rows.iter().find(|row| row.part == Part::Referee).unwrap();
        let by_mail = !to[0].is_endpoint();
        let expected = if by_mail { address("rd@league.test") } else { url("rd") };
        assert_eq!(referee.address.as_ref(), Some(&expected), "{to:?}");
        assert_eq!(letter.auth_token.is_some(), !by_mail, "{to:?}");
        // The referee is shown what proves it to those it calls, and to nobody else.
        let shown = table.rows.iter().filter(|row| row.auth_token.is_some()).count();
        assert_eq!(shown, if to[0] == url("rd") { 4 } else { 0 }, "{to:?}");
        readers.extend(to);
    }
    readers.sort_unstable();
    assert_eq!(readers, [url("pa"), url("pb"), url("rd"), player(3)]);
}

#[test]
fn a_season_does_not_begin_whose_referee_cannot_reach_its_players() {
    let mut league = mixed(None);
    let effects = league.command(Command::StartLeague);
    let Refusal::OutOfTurn(why) = refused(&effects) else { panic!("out of turn") };
    assert!(why.contains("an endpoint and an address for letters"), "{why}");
    assert_eq!(league.role().state().phase, LeaguePhase::AcceptingRegistrations);
}

#[test]
fn a_table_that_would_not_fit_a_call_holds_the_readers_own_games_only() {
    for (teams, own) in [(7, false), (9, true)] {
        let rules = rules(SeasonSettings { rounds: Some(99), ..by_call() });
        let rules = Settings { referees_max: teams, ..rules };
        let mut league = League::read(rules, options(None), Vec::new());
        for team in 0..teams {
            for (role, place) in [(Role::Player, "player"), (Role::Referee, "referee")] {
                let group = format!("a-team-with-quite-a-long-name-{team}");
                let host = format!("{place}.{group}.league.test");
                let from = address(&format!("https://{host}:65535/{group}/mcp"));
                league.post(Proof::Token, application(&from, &group, role));
            }
        }
        league.command(Command::StartLeague);
        let games = league.season().matches();
        for (_, letter) in league.take_sent() {
            let Act::AssignmentTable(table) = &letter.act else { continue };
            assert_eq!(table.rows.len() as u64 != games * 3, own, "{teams} teams");
            assert!(agon_proto::dialect::q21::write(&letter).len() < 256 * 1024, "{teams} teams");
        }
    }
}

#[test]
fn in_a_large_league_everybody_gets_its_own_games_only() {
    let (mut league, _) = league(by_call());
    league.bench.role.records.league.settings.broadcast_full_max = 2;
    league.command(Command::StartLeague);
    let tables: Vec<_> = league
        .take_sent()
        .into_iter()
        .filter_map(|(to, letter)| {
            let Act::AssignmentTable(table) = letter.act else { return None };
            Some((to, table.rows.len()))
        })
        .collect();
    assert_eq!(tables.len(), 6);
    for (to, rows) in tables {
        // Each team plays twice and referees once.
        let expected = if to[0].as_str().contains("/p") { 6 } else { 3 };
        assert_eq!(rows, expected, "{to:?}");
    }
}

//! A season that is reset: forgotten wherever it stood, and another one begins.

use agon_proto::act::{Halt, StateAnswer};

use super::calls::{application, by_call, started, token_in, url};
use super::recovery::durable;
use super::*;
use crate::secret::SigningKey;
use crate::testing::check;

fn open() -> League {
    let mut league = League::open(terms(3));
    league.enrol_all(2);
    league
}

fn mid_round() -> League {
    let mut league = League::started(terms(3));
    league.report(MatchId::new(1, 1), [90, 10]);
    league.tick();
    assert_eq!((league.season().round(), league.season().completed), (2, 1));
    league
}

fn complete() -> League {
    let mut league = League::started(terms(3));
    league.play_on();
    league
}

fn paused() -> League {
    let mut league = mid_round();
    league.command(Command::PauseLeague);
    league
}

/// The same league, read from its journal.
#[track_caller]
fn check_replay(league: &mut League) {
    let facts = league.bench.facts.clone();
    let again = Bench::new(Manager::new(rules(SeasonSettings::default()), options(None)), facts);
    assert_eq!(durable(&again.role), durable(&league.bench.role));
}

fn done() -> Act {
    let state = "INIT_START_STATE".into();
    let answer = StateAnswer { status: "COMPLETED".into(), state, game: None, text: "".into() };
    Act::State(Task::Reset, answer)
}

#[test]
fn wherever_it_stands_the_season_is_forgotten_and_everybody_is_told() {
    for mut league in [open(), mid_round(), paused(), complete()] {
        league.take_sent();
        let before = league.bench.facts.len();
        league.command(Command::ResetSeason);
        let sent = league.take_sent();
        let [(told, reset), (invited, opened)] = &sent[..] else { panic!("two letters: {sent:?}") };
        assert_eq!((told.len(), told), (6, invited), "all on the roster");
        assert_eq!(reset.head.id.as_str(), "bc-reset-S01");
        assert_eq!(reset.head.context.season, Some(SeasonId::new("S01")));
        assert_eq!(reset.act, Act::Reset(Halt { reason: "because".into() }));
        assert_eq!(opened.head.id.as_str(), "bc-startseason-S01-2");
        let Act::StartSeason(said) = &opened.act else { panic!("an invitation") };
        assert_eq!(said.season, SeasonId::new("S01-2"));
        let state = league.role().state();
        assert_eq!(state.season_id, Some(SeasonId::new("S01-2")));
        assert_eq!((state.phase, state.paused), (LeaguePhase::AcceptingRegistrations, false));
        assert_eq!((state.players, state.referees, state.round), (0, 0, 0));
        assert_eq!((state.matches, state.matches_completed, state.champion), (0, 0, None));
        assert!(league.points().is_empty());
        let orders: Vec<_> = league.bench.facts[before..]
            .iter()
            .filter_map(|fact| {
                let LeagueFact::Season(SeasonFact::SeasonReset { number, order, .. }) = fact else {
                    return None;
                };
                Some((*number, order.by.as_str(), order.reason.as_str()))
            })
            .collect();
        assert_eq!(orders, [(2, "operator", "because")]);
        check_replay(&mut league);
    }
}

#[test]
fn another_season_is_played_to_its_end() {
    for mut league in [open(), mid_round(), paused(), complete()] {
        league.command(Command::ResetSeason);
        league.take_sent();
        league.enrol_all(3);
        league.command(Command::StartLeague);
        league.play_on();
        let state = league.role().state();
        assert_eq!((state.phase, state.matches_completed), (LeaguePhase::Completed, 3));
        for (_, letter) in league.take_sent() {
            assert_eq!(
                letter.head.context.season,
                Some(SeasonId::new("S01-2")),
                "{}",
                letter.head.id
            );
            let Act::AssignmentTable(table) = letter.act else { continue };
            assert!(table.rows.iter().all(|row| row.game.as_str().starts_with("02")));
        }
        check_replay(&mut league);
    }
}

#[test]
fn no_id_of_a_letter_comes_twice() {
    let mut league = complete();
    for _ in 0..2 {
        league.command(Command::ResetSeason);
        league.enrol_all(3);
        league.command(Command::StartLeague);
        league.play_on();
    }
    assert_eq!(league.role().state().season_id, Some(SeasonId::new("S01-3")));
    let mut ids: Vec<_> =
        league.take_sent().into_iter().map(|(_, letter)| letter.head.id).collect();
    let all = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), all);
}

#[test]
fn only_an_ending_of_ours_is_counted_on() {
    let seasons =
        SeasonSettings { season: SeasonId::new("NIGHT-2"), season_number: 99, ..terms(3) };
    let mut league = League::open(seasons);
    for (season, number) in [("NIGHT-2-2", 1), ("NIGHT-2-3", 2)] {
        league.enrol(&player(1));
        league.command(Command::ResetSeason);
        let terms = &league.role().league().settings.seasons;
        assert_eq!((terms.season.as_str(), terms.season_number), (season, number));
        assert_eq!(terms.name.as_str(), "the season");
    }
}

#[test]
fn a_season_that_goes_by_its_id_goes_by_the_new_one() {
    let mut league = League::open(SeasonSettings { name: DisplayName::new("S01"), ..terms(3) });
    league.enrol(&player(1));
    league.command(Command::ResetSeason);
    assert_eq!(league.role().league().settings.seasons.name.as_str(), "S01-2");
}

#[test]
fn while_nobody_has_enrolled_there_is_nothing_to_forget() {
    let mut league = open();
    league.command(Command::ResetSeason);
    league.take_sent();
    let facts = league.bench.facts.len();
    league.command(Command::ResetSeason);
    assert_eq!((league.bench.facts.len(), league.take_sent()), (facts, Vec::new()));
    let mut league = League::open(terms(3));
    league.command(Command::PauseLeague);
    league.command(Command::ResetSeason);
    assert!(!league.season().paused, "a pause is something to forget");
}

#[test]
fn who_knows_of_no_seasons_cannot_forget_one() {
    let mut bench = Bench::new(Manager::new(settings(), options(None)), Vec::new());
    bench.resume();
    let facts = bench.facts.len();
    let params = ToolParams { auth_token: Some(operator()), ..ToolParams::default() };
    let effects = bench.tool(Tool::Command(Command::ResetSeason), params);
    let Refusal::Unsupported(why) = refused(&effects) else { panic!("not supported") };
    assert!(why.contains("know of no seasons"), "{why}");
    assert_eq!(bench.facts.len(), facts);
}

#[test]
fn letters_of_the_old_season_are_sent_no_more() {
    let mut bench = mid_round().bench;
    let params = || ToolParams { auth_token: Some(operator()), ..ToolParams::default() };
    bench.tool(Tool::Command(Command::PauseLeague), params());
    bench.tool(Tool::Command(Command::ResetSeason), params());
    let waiting = |manager: &Manager| {
        let ids =
            manager.records.letterbox.waiting().map(|parcel| parcel.letter.head.id.to_string());
        ids.collect::<Vec<_>>()
    };
    assert_eq!(waiting(&bench.role), ["bc-reset-S01", "bc-startseason-S01-2"]);
    // Who is reset before it was told of the last time is told of both.
    bench.post(Proof::Vouched(player(1)), letter("sreg-2", Act::Apply(Box::default())));
    bench.tool(Tool::Command(Command::ResetSeason), params());
    let expected = ["bc-reset-S01", "bc-reset-S01-2", "bc-startseason-S01-3"];
    assert_eq!(waiting(&bench.role), expected);
    let again = Bench::new(Manager::new(rules(terms(3)), options(None)), bench.facts.clone());
    assert_eq!(waiting(&again.role), expected);
}

#[test]
fn what_is_said_of_the_old_season_changes_nothing_in_the_new_one() {
    let mut league = mid_round();
    let id = MatchId::new(2, 1);
    let (late, from) = (league.result(id, [90, 10]), league.party(id, Part::Referee));
    let once = letter("once", Act::Apply(Box::default()));
    league.post(Proof::Vouched(player(1)), once.clone());
    league.command(Command::ResetSeason);
    let facts = league.bench.facts.len();
    check(&league.post(Proof::Vouched(player(1)), once), &["reply 11: Acknowledged"]);
    assert_eq!(league.bench.facts.len(), facts, "it was dealt with before");
    let effects = league.mail(&from, Act::ResultReport(late.clone().into()));
    assert!(matches!(refused(&effects), Refusal::NotPermitted(_)), "not enrolled yet");
    league.enrol_all(3);
    league.command(Command::StartLeague);
    let effects = league.mail(&from, Act::ResultReport(late.into()));
    assert!(matches!(refused(&effects), Refusal::NoSuchMatch));
    assert_eq!(league.season().completed, 0);
}

#[test]
fn whoever_was_in_may_say_that_it_has_forgotten() {
    let mut league = mid_round();
    league.command(Command::ResetSeason);
    let effects = league.mail(&player(1), done());
    assert!(matches!(effects[..], [Effect::Reply { .. }]), "{:?}", lines(&effects));
    let effects = league.mail(&address("eve@league.test"), done());
    assert!(matches!(refused(&effects), Refusal::NotPermitted(_)));
}

#[test]
fn a_team_that_is_on_no_roster_is_invited_again() {
    let mut league = League::open(SeasonSettings { open_registration: true, ..terms(2) });
    let guests = ["g.player@league.test", "g.referee@league.test"].map(address);
    for (guest, role) in guests.iter().zip([Role::Player, Role::Referee]) {
        let role = Some(role);
        league.mail(guest, Act::Apply(Box::new(Applying { role, ..Applying::default() })));
    }
    league.take_sent();
    league.command(Command::ResetSeason);
    for (to, letter) in league.take_sent() {
        assert_eq!(to.len(), 6, "{}", letter.head.id);
        assert!(guests.iter().all(|guest| to.contains(guest)), "{}", letter.head.id);
    }
}

#[test]
fn the_season_begins_by_itself_again_once_enough_are_in() {
    let mut league = League::read(rules(terms(3)), options(Some(3)), Vec::new());
    for season in ["S01", "S01-2"] {
        league.enrol_all(2);
        league.tick();
        assert_eq!(league.season().phase, LeaguePhase::AcceptingRegistrations);
        league.enrol_all(3);
        league.tick();
        assert_eq!(league.season().phase, LeaguePhase::Running);
        league.play_on();
        assert_eq!(league.role().state().season_id, Some(SeasonId::new(season)));
        league.command(Command::ResetSeason);
    }
}

#[test]
fn registration_has_its_whole_time_again() {
    let mut league = League::open(SeasonSettings { registration_ms: Some(60_000), ..terms(3) });
    league.enrol_all(3);
    league.at(59).command(Command::ResetSeason);
    league.enrol_all(3);
    league.at(118);
    assert_eq!(league.season().phase, LeaguePhase::AcceptingRegistrations);
    league.at(119);
    assert_eq!(league.season().phase, LeaguePhase::Running);
}

#[test]
fn from_any_point_of_its_journal_the_second_season_comes_to_its_end() {
    let mut whole = mid_round();
    let first = whole.bench.facts.len();
    whole.command(Command::ResetSeason);
    whole.enrol_all(3);
    whole.command(Command::StartLeague);
    whole.play_on();
    // A reset is one commit: everything up to the invitation, or nothing.
    let is_reset =
        |fact: &LeagueFact| matches!(fact, LeagueFact::Season(SeasonFact::SeasonReset { .. }));
    let reset = whole.bench.facts.iter().position(is_reset).unwrap();
    assert!(reset > first);
    for length in reset + 1..=whole.bench.facts.len() {
        let facts = whole.bench.facts[..length].to_vec();
        let mut league = League::read(rules(terms(3)), options(None), facts);
        league.letters = 10_000;
        league.enrol_all(3);
        league.command(Command::StartLeague);
        league.play_on();
        let state = league.role().state();
        assert_eq!((state.phase, state.matches_completed), (LeaguePhase::Completed, 3));
        assert_eq!(state.season_id, Some(SeasonId::new("S01-2")));
        assert_eq!(league.role().records.letterbox.waiting().count(), 0);
    }
}

/// Everybody of the first season registers again, as agents do when they are reset.
fn register_again(league: &mut League) -> BTreeMap<Address, AuthToken> {
    let mut tokens = BTreeMap::new();
    for group in ["a", "b", "c"] {
        for (role, letter) in [(Role::Player, "p"), (Role::Referee, "r")] {
            let from = url(&format!("{letter}{group}"));
            let mut application = application(&from, group, role);
            application.head.id = MessageId::new(&format!("sreg-{from}-after-reset"));
            league.take_sent();
            league.post(Proof::Token, application);
            tokens.insert(from.clone(), token_in(&league.take_sent(), &from));
        }
    }
    tokens
}

#[test]
fn by_call_everybody_can_tell_that_it_is_the_manager_and_registers_anew() {
    let (mut league, before) = started();
    league.take_sent();
    league.command(Command::ResetSeason);
    let sent = league.take_sent();
    assert_eq!(sent.len(), 6, "nobody is invited by call");
    for (to, letter) in &sent {
        assert!(matches!(letter.act, Act::Reset(_)));
        let key = SigningKey::of(&before[&to[0]]).unwrap();
        assert_eq!(letter.auth_token, Some(key.manager_token(&crate::testing::league())));
    }
    let after = register_again(&mut league);
    assert!(before.iter().all(|(address, token)| after[address] != *token));
    league.command(Command::StartLeague);
    // The old token proves nobody any more.
    let id = MatchId::new(1, 1);
    let body = Act::ResultReport(league.result(id, [90, 10]).into());
    let mut report = letter("old-token", body);
    report.auth_token = before.get(&league.party(id, Part::Referee)).cloned();
    assert!(matches!(refused(&league.post(Proof::Token, report)), Refusal::TokenInvalid(_)));
    while league.season().phase == LeaguePhase::Running {
        for id in league.open_games() {
            super::calls::report(&mut league, &after, id);
        }
        league.tick();
    }
    assert_eq!(league.role().state().matches_completed, 3);
    check_replay(&mut league);
}

#[test]
fn by_call_an_agent_may_answer_the_reset_with_its_old_token_and_nothing_else() {
    let (mut league, tokens) = started();
    league.command(Command::ResetSeason);
    let mut answer = letter("done", done());
    answer.auth_token = tokens.get(&url("pa")).cloned();
    let effects = league.post(Proof::Token, answer.clone());
    assert!(matches!(effects[..], [Effect::Reply { .. }]), "{:?}", lines(&effects));
    answer.act = Act::TableRequest(agon_proto::act::TableRequest { season: None, group: None });
    let effects = league.post(Proof::Token, answer);
    assert!(matches!(refused(&effects), Refusal::TokenInvalid(_)));
}

#[test]
fn by_call_a_token_and_the_reset_arrive_after_a_crash_too() {
    let mut bench = Bench::new(Manager::new(rules(by_call()), options(None)), Vec::new());
    bench.resume();
    bench.post(Proof::Token, application(&url("pa"), "a", Role::Player));
    let params = ToolParams { auth_token: Some(operator()), ..ToolParams::default() };
    bench.tool(Tool::Command(Command::ResetSeason), params);
    let manager = Manager::new(rules(by_call()), options(None));
    let mut again = Bench::new(manager, bench.facts.clone());
    let effects = again.resume();
    let parcels = effects.iter().filter_map(|effect| {
        if let Effect::SendLetter(parcel) = effect { parcel.letter.read() } else { None }
    });
    let [answer, reset] = &parcels.collect::<Vec<_>>()[..] else { panic!("two letters") };
    let Act::Decide(said) = &answer.act else { panic!("the answer first") };
    let key = said.token.as_ref().and_then(SigningKey::of).unwrap();
    assert!(matches!(reset.act, Act::Reset(_)));
    assert_eq!(reset.auth_token, Some(key.manager_token(&crate::testing::league())));
}

//! A manager that died at any point of its journal goes on; a letter that comes twice counts once.

use std::collections::BTreeSet;

use agon_proto::act::{
    AssignmentAck, Connectivity, Extension, ForceMajeure, FreeText, LastActor, Progress, Reporter,
    StateAnswer, StatusReport, StopReason, TableRequest,
};
use proptest::prelude::*;

use super::*;

fn all_on() -> SeasonSettings {
    SeasonSettings { keep_alive_ms: 30_000, ..terms(4) }
}

/// A whole season, with a pause, a dispute, a lost referee, a stranger and a contradiction in it.
fn season() -> League {
    let mut league = League::open(all_on());
    league.enrol(&address("eve@league.test"));
    league.enrol(&player(1));
    league.enrol_all(4);
    league.command(Command::StartLeague);
    league.at(30).command(Command::PauseLeague);
    league.at(60).command(Command::ResumeLeague);
    let first = MatchId::new(1, 1);
    let from = league.party(first, Part::Player1);
    league.mail(&from, Act::StatusReport(broken_off(first).into()));
    league.report(first, [90, 10]);
    league.report(first, [10, 90]);
    league.tick();
    league.at(120);
    league.at(720); // Nobody reports the second round.
    league.play_on();
    league
}

fn broken_off(id: MatchId) -> StatusReport {
    StatusReport {
        game: GameId::of(1, id),
        round: id.round,
        season: None,
        phase: Progress::Terminated,
        last_actor: LastActor::Referee,
        last_sent: None,
        last_received: None,
        at: None,
        reason: StopReason::NewRoundStarted,
        reporter: Reporter { address: None, role: "PLAYER_A".into() },
        points: None,
        view: None,
    }
}

/// Everything that is durable, as text.
pub(super) fn durable(manager: &Manager) -> String {
    format!("{:?} {:?}", manager.league(), manager.records.letterbox)
}

fn restart(facts: &[LeagueFact], second: u64) -> League {
    let bench = Bench::new(Manager::new(rules(all_on()), options(None)), facts.to_vec());
    let mut league = League { bench, sent: Vec::new(), letters: 10_000 };
    league.bench.at(second);
    let effects = league.bench.resume();
    league.note(&effects);
    league
}

#[test]
fn a_journal_read_again_gives_the_same_league() {
    let whole = season();
    assert_eq!(whole.role().state().phase, LeaguePhase::Completed);
    let facts = whole.bench.facts.clone();
    let again = Bench::new(Manager::new(rules(all_on()), options(None)), facts);
    assert_eq!(durable(&again.role), durable(&whole.bench.role));
}

#[test]
fn facts_survive_the_journal() {
    for fact in season().bench.facts {
        let text = serde_json::to_string(&fact).unwrap();
        assert_eq!(serde_json::from_str::<LeagueFact>(&text).unwrap(), fact, "{text}");
    }
}

#[test]
fn settings_come_back_as_they_were_and_speak_of_their_own_game_only() {
    let text = serde_json::to_string(&settings()).unwrap();
    assert!(!text.contains("q21"), "{text}");
    assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), settings());
}

#[test]
fn from_any_point_the_season_comes_to_its_end() {
    let whole = season();
    for length in 0..=whole.bench.facts.len() {
        let mut league = restart(&whole.bench.facts[..length], 10_000);
        league.enrol_all(4);
        league.command(Command::ResumeLeague);
        league.command(Command::StartLeague);
        league.play_on();
        let state = league.role().state();
        assert_eq!((state.phase, state.matches_completed), (LeaguePhase::Completed, 4));
        let accepted: Vec<_> = league
            .bench
            .facts
            .iter()
            .filter_map(|fact| {
                if let LeagueFact::ResultAccepted { match_id, .. } = fact {
                    Some(*match_id)
                } else {
                    None
                }
            })
            .collect();
        assert_eq!(accepted.len(), 4, "after {length} facts");
        assert_eq!(accepted.iter().collect::<BTreeSet<_>>().len(), 4);
        assert_eq!(league.role().records.letterbox.waiting().count(), 0);
    }
}

#[test]
fn no_letter_is_lost_by_a_restart() {
    let whole = season();
    for length in 0..=whole.bench.facts.len() {
        let facts = &whole.bench.facts[..length];
        let mut owed: Vec<ParcelId> = Vec::new();
        for fact in facts {
            if let LeagueFact::Letterbox(LetterboxFact::Queued(parcel)) = fact {
                owed.push(parcel.id);
            } else if let LeagueFact::Letterbox(LetterboxFact::Settled(taken)) = fact {
                owed.retain(|id| id != taken);
            }
        }
        let manager = Manager::new(rules(all_on()), options(None));
        let mut bench = Bench::new(manager, facts.to_vec());
        let effects = bench.at(0).resume();
        let sent: Vec<_> = effects
            .iter()
            .filter_map(|effect| {
                if let Effect::SendLetter(parcel) = effect { Some(parcel.id) } else { None }
            })
            .collect();
        assert!(sent.starts_with(&owed), "after {length} facts: {owed:?}, {sent:?}");
    }
}

/// One of everything that an agent may write.
fn everything(league: &League) -> Vec<(Address, Act)> {
    let text = || FreeText { text: "hello".into() };
    let ack = AssignmentAck { season: None, group: None, received: 4 };
    let first = MatchId::new(1, 1);
    let state = StateAnswer { status: "".into(), state: "".into(), game: None, text: "".into() };
    let [one, two, judge] =
        [Part::Player1, Part::Player2, Part::Referee].map(|part| league.party(first, part));
    vec![
        (one.clone(), Act::Apply(Box::default())),
        (one.clone(), Act::PlayerAck(ack.clone())),
        (judge.clone(), Act::RefereeAck(ack)),
        (two.clone(), Act::TableRequest(TableRequest { season: None, group: None })),
        (two.clone(), Act::StatusReport(broken_off(first).into())),
        (judge.clone(), Act::ResultReport(league.result(first, [90, 10]).into())),
        (one.clone(), Act::State(Task::Pause, state)),
        (one.clone(), Act::FreeTextAnswer(text())),
        (one.clone(), Act::StillHere(text())),
        (
            two.clone(),
            Act::ConnectivityCall(Connectivity { ping: "1".into(), echo_from: None, at: None }),
        ),
        (two.clone(), Act::Extension(Extension { reason: "slow".into(), seconds: 9 })),
        (two, Act::ForceMajeure(ForceMajeure { game: None, reason: "flood".into() })),
        (one.clone(), Act::Other("NEWS_FROM_MARS".into())),
        (judge, Act::Pause(agon_proto::act::Halt { reason: "I am the manager".into() })),
    ]
}

#[test]
fn a_letter_that_comes_twice_changes_nothing() {
    let mut league = League::started(terms(3));
    for (number, (from, body)) in everything(&league).into_iter().enumerate() {
        let once = letter(&format!("twice-{number}"), body);
        league.post(Proof::Vouched(from.clone()), once.clone());
        let facts = league.bench.facts.len();
        let effects = league.post(Proof::Vouched(from.clone()), once.clone());
        assert_eq!(lines(&effects).len(), 1, "{:?}", once.act.kind());
        assert_eq!(league.bench.facts.len(), facts, "{:?}", once.act.kind());
        let facts = league.bench.facts.clone();
        let mut again = League::read(rules(terms(3)), options(None), facts);
        let before = again.bench.facts.len();
        again.post(Proof::Vouched(from), once);
        assert_eq!(again.bench.facts.len(), before, "nor after a restart");
    }
}

#[test]
fn what_only_a_manager_says_is_refused() {
    let mut league = League::started(terms(3));
    let said = everything(&league).into_iter().rev().take(2);
    for (from, body) in said.collect::<Vec<_>>() {
        assert!(matches!(refused(&league.mail(&from, body)), Refusal::Unsupported(_)));
    }
    assert!(!league.season().paused);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Any letters of any people in any order: each is answered once, the points add up, and the
    /// journal gives the same league.
    #[test]
    fn whatever_comes_the_journal_agrees(
        script in prop::collection::vec((any::<u8>(), any::<u8>(), 0u64..700, any::<bool>()), 60),
    ) {
        let mut league = League::started(all_on());
        let mut second = 0;
        for (what, who, pause, again) in script {
            let from = match who % 9 {
                team @ 0..=3 => player(u32::from(team) + 1),
                team @ 4..=7 => referee(u32::from(team) - 3),
                _ => address("eve@league.test"),
            };
            let letters = everything(&league);
            let (owner, body) = letters[usize::from(what) % letters.len()].clone();
            // Half of them come from whom they should.
            let from = if what % 2 == 0 { owner } else { from };
            let round = league.season().round().clamp(1, 4);
            let body = if matches!(body, Act::ResultReport(_)) {
                let winner = u32::from(who) % 2 * 80;
                let scores = [winner, 80 - winner];
                Act::ResultReport(league.result(MatchId::new(round, 1), scores).into())
            } else {
                body
            };
            let letter = league.letter(body);
            league.post(Proof::Vouched(from.clone()), letter.clone());
            if again {
                league.post(Proof::Vouched(from), letter);
            }
            second += pause;
            league.at(second);
        }
        let points = league.points().values().sum::<u32>();
        let results = (1..=league.season().rounds())
            .filter_map(|round| league.season().result(MatchId::new(round, 1)));
        let awarded: u32 =
            results.map(|record| record.verdict.points.iter().sum::<u32>()).sum();
        prop_assert_eq!(points, awarded);
        let facts = league.bench.facts.clone();
        let again = Bench::new(Manager::new(rules(all_on()), options(None)), facts);
        prop_assert_eq!(durable(&again.role), durable(&league.bench.role));
    }
}

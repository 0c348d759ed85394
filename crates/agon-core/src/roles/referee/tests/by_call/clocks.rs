//! What a referee makes of a clock that is empty, what it says of who was asked again, and what an
//! answer says wrongly of whose it is.

use agon_proto::message::{GameError, MatchResultReport};
use agon_proto::{PerPlayer, ShortText};

use super::*;
use crate::effect::{Alert, WrongClaim};

/// The clock of P02 is empty.
fn empty() -> MatchAssignment {
    MatchAssignment { asked_once: vec![PlayerId::new(2)], ..assignment(1, 1, 1) }
}

/// Both have joined, and P01 has chosen.
fn begun(given: &MatchAssignment) -> Bench<Referee> {
    let mut bench = enrolled(1);
    assign(&mut bench, given.clone());
    for seat in Seat::BOTH {
        join(&mut bench, given, seat);
    }
    choose(&mut bench, given, Seat::A, "even");
    bench
}

fn reports(effects: &[Effect]) -> Vec<MatchResultReport> {
    let said = sent(effects).filter_map(|(_, letter)| {
        if let Act::MatchResultReport(report) = &letter.act {
            Some((**report).clone())
        } else {
            None
        }
    });
    said.collect()
}

fn errors(effects: &[Effect]) -> Vec<GameError> {
    let said = sent(effects).filter_map(|(_, letter)| {
        if let Act::GameError(error) = &letter.act { Some((**error).clone()) } else { None }
    });
    said.collect()
}

#[test]
fn whose_clock_is_empty_loses_with_its_first_silence_and_is_told_why() {
    let given = empty();
    let mut bench = begun(&given);
    let effects = bench.at(30).tick();
    assert_eq!(errors(&effects), []);
    assert_eq!(reports(&effects)[0].charged_ms, PerPlayer::empty());
    let effects = recorded(&mut bench, &given);
    let (_, over) = sent(&effects).next().unwrap();
    let Act::GameOver(over) = &over.act else { panic!("the end") };
    assert_eq!(
        &*over.game_result.reason,
        "technical loss of P02: TIMED_OUT; P02: no answer within 30 s; asked once, because its \
         clock is empty"
    );
}

#[test]
fn a_move_that_cannot_be_made_is_never_asked_again_whatever_the_clock_says() {
    let given = empty();
    let mut bench = begun(&given);
    choose(&mut bench, &given, Seat::B, "maybe");
    let effects = recorded(&mut bench, &given);
    let (_, over) = sent(&effects).next().unwrap();
    let Act::GameOver(over) = &over.act else { panic!("the end") };
    assert!(!over.game_result.reason.contains("clock"), "{}", over.game_result.reason);
}

#[test]
fn who_was_asked_again_is_in_the_report_and_after_a_restart_as_well() {
    let given = assignment(1, 1, 1);
    let mut bench = begun(&given);
    let warned = errors(&bench.at(30).tick());
    assert_eq!((warned[0].retry_count, warned[0].max_retries), (1, 3));
    bench.at(32).tick();
    let message = ChooseParityResponse {
        match_id: given.match_id,
        player_id: Some(PlayerId::new(2)),
        parity_choice: "odd".into(),
    };
    bench.at(40);
    let answer = said(Sender::Player(PlayerId::new(2)), message);
    answered(&mut bench, ask(&given, Seat::B, CHOICE, 2), answer);
    let report = reports(&draw(&mut bench, &given, 8)).remove(0);
    assert_eq!(report.charged_ms.iter().collect::<Vec<_>>(), [(PlayerId::new(2), 10_000)]);

    let mut bench = restarted(bench.facts);
    bench.resume();
    assert_eq!(reports(&admit(&mut bench))[0].charged_ms, report.charged_ms);
}

/// P02 joins, and says this of itself. Returns what whoever runs the referee hears of it.
#[track_caller]
fn claims(sender: Sender, token: Option<AuthToken>, player_id: Option<u32>) -> Option<WrongClaim> {
    let given = assignment(1, 1, 1);
    let mut bench = enrolled(1);
    assign(&mut bench, given.clone());
    join(&mut bench, &given, Seat::A);
    let ack = GameJoinAck {
        match_id: given.match_id,
        player_id: player_id.map(PlayerId::new),
        arrival_timestamp: at(0),
        accept: true,
    };
    let answer = letter(sender, token, ConversationId::new("conv-any"), ack);
    let tag = ask(&given, Seat::B, JOIN, 1);
    let effects = answered(&mut bench, tag, Answer::Message(Box::new(answer)));
    // It counts all the same: both are asked for their choice.
    let asked = sent(&effects).filter(|(_, letter)| matches!(letter.act, Act::MoveCall(_)));
    assert_eq!(asked.count(), 2);
    effects.into_iter().find_map(|effect| {
        if let Effect::Alert(Alert::WrongClaim(claim)) = effect { Some(*claim) } else { None }
    })
}

#[test]
fn what_an_answer_says_wrongly_of_whose_it_is_is_told_and_counts_for_nothing() {
    let own = || Sender::Player(PlayerId::new(2));
    let token = || Some(assignment(1, 1, 1).player_b_token);
    let said = |claim: Option<WrongClaim>| claim.map(|claim| claim.said);
    assert_eq!(claims(own(), token(), Some(2)), None);
    assert_eq!(claims(own(), None, None), None);
    // A name that is no id claims nothing.
    let name = Sender::NewPlayer(Box::new(DisplayName::new("two")));
    assert_eq!(claims(name, None, None), None);

    let claim = claims(own(), token(), Some(1)).unwrap();
    assert_eq!(
        (claim.player, claim.match_id, claim.attempt),
        (PlayerId::new(2), in_match(1, 1), 1)
    );
    assert_eq!(claim.said, ShortText::new("player_id is P01"));
    let wrong = said(claims(own(), Some(stolen()), None)).unwrap();
    assert_eq!(wrong, ShortText::new("auth_token is not that of the question"));
    let all = said(claims(Sender::LeagueManager, Some(stolen()), Some(1))).unwrap();
    let expected = "sender is league_manager; player_id is P01; \
                    auth_token is not that of the question";
    assert_eq!(all, ShortText::new(expected));
}

//! A player says what it played: where the result shows something else, that is a dispute.

use agon_proto::message::Parity;
use agon_proto::{AsPayload, Played};

use super::recovery::restart;
use super::*;
use crate::moves_made::MovesMade;
use crate::testing::{in_match, player};
use crate::verdict::Seat;

/// R1M1 as it was reported: P01 said even, P02 odd, and 8 was drawn.
fn reported() -> (League, Vec<Effect>) {
    let (mut league, effects) = League::started(2, &[1]);
    let given = assignments(&effects).remove(0);
    let mut report = result(&given, Some(player(1)));
    report.result.details = ReportDetails {
        drawn_number: Some(8),
        choices: PerPlayer::both((player(1), Parity::Even), (player(2), Parity::Odd)),
        played: None,
    };
    let effects = league.report(1, report);
    (league, effects)
}

/// What a player says that said that in R1M1.
fn says(parity: Parity, attempt: u32) -> Played {
    let made = MovesMade::new(&[parity.payload().as_str()]);
    made.of(&league(), (in_match(1, 1), attempt))
}

/// P02 answers ROUND_COMPLETED. So many disputes follow.
#[track_caller]
fn check_disputes(league: &mut League, said: Option<Played>, expected: usize) {
    let tag = Tag::RoundOver { match_id: in_match(1, 1), seat: Seat::B };
    let (status, match_id) = (ReceiptStatus::Acknowledged, None);
    let answer = Answer::Receipt(Receipt { status, match_id, played: said });
    let before = league.bench.facts.len();
    assert!(league.bench.tell(Event::Answered { tag, answer }).is_empty(), "nobody is told");
    assert_eq!(league.bench.facts.len() - before, expected);
}

#[test]
fn who_played_is_told_with_its_seat_that_the_round_is_over() {
    let (_, effects) = reported();
    let mut tags = Vec::new();
    for effect in &effects {
        if let Effect::Broadcast(news) = effect
            && matches!(news.act, Act::RoundCompleted(_))
        {
            tags.extend(news.recipients.iter().map(|it| it.tag));
        }
    }
    let of = |seat| Tag::RoundOver { match_id: in_match(1, 1), seat };
    assert!(tags.contains(&of(Seat::A)) && tags.contains(&of(Seat::B)), "{tags:?}");
}

#[test]
fn other_moves_are_a_dispute_once_and_the_result_stays() {
    let (mut league, _) = reported();
    let before = *league.bench.role.league().season().result(in_match(1, 1)).unwrap();
    check_disputes(&mut league, Some(says(Parity::Odd, 1)), 0);
    check_disputes(&mut league, None, 0);
    check_disputes(&mut league, Some(says(Parity::Even, 1)), 1);
    check_disputes(&mut league, Some(says(Parity::Even, 1)), 0);
    let mut again = restart(&league.bench.facts, &league);
    check_disputes(&mut again, Some(says(Parity::Even, 1)), 0);
    for league in [&league, &again] {
        let role = &league.bench.role;
        assert_eq!(*role.league().season().result(in_match(1, 1)).unwrap(), before);
        assert_eq!(role.league().state().disputed, [in_match(1, 1)]);
        let evidence = role.match_state(in_match(1, 1)).unwrap().evidence;
        let said: Vec<_> = evidence.iter().map(|it| (it.player_id, it.moves)).collect();
        assert_eq!(said, [(player(2), Some(says(Parity::Even, 1).moves))]);
    }
}

#[test]
fn what_nobody_could_check_and_other_attempts_are_not_compared() {
    let (mut league, effects) = League::started(2, &[1]);
    let given = assignments(&effects).remove(0);
    league.report(1, result(&given, Some(player(1))));
    check_disputes(&mut league, Some(says(Parity::Even, 1)), 0);

    let (mut league, _) = reported();
    check_disputes(&mut league, Some(says(Parity::Even, 2)), 0);
    check_disputes(&mut league, Some(says(Parity::Even, 1)), 1);
    league.void(in_match(1, 1));
    check_disputes(&mut league, Some(says(Parity::Even, 1)), 0);
}

#[test]
fn of_many_rounds_every_move_is_compared() {
    let (mut league, given) = games::started();
    let acts = r#"[["paper","rock"],["rock","rock"]]"#;
    league.report(1, games::told(&given, Some(player(1)), games::WON_BY_A, [1, -1], acts));
    let says =
        |moves: &[&str]| MovesMade::new(moves).of(&crate::testing::league(), (in_match(1, 1), 1));
    check_disputes(&mut league, Some(says(&["\"rock\"", "\"rock\""])), 0);
    let mut again = restart(&league.bench.facts, &league);
    check_disputes(&mut again, Some(says(&["\"rock\"", "\"rock\""])), 0);
    // Its last move is the same, and there are as many of them.
    check_disputes(&mut league, Some(says(&["\"paper\"", "\"rock\""])), 1);
}

#[test]
fn of_many_rounds_nothing_is_compared_without_the_acts() {
    let (mut league, given) = games::started();
    league.report(1, games::shown(&given, Some(player(1)), games::WON_BY_A, [1, -1]));
    let said = MovesMade::new(&["\"paper\""]).of(&crate::testing::league(), (in_match(1, 1), 1));
    check_disputes(&mut league, Some(said), 0);
}

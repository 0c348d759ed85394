//! A view is what `details` says, in both directions.

use super::*;

const PLAYERS: [PlayerId; 2] = [PlayerId::new(1), PlayerId::new(2)];

#[test]
fn details_and_views_say_the_same() {
    let choices = [None, Some(Parity::Even), Some(Parity::Odd)];
    for drawn_number in [None, Some(0), Some(10), Some(u32::MAX)] {
        for a in choices {
            for b in choices {
                let entry = |place: usize, choice: Option<Parity>| {
                    choice.map(|choice| (PLAYERS[place], choice))
                };
                let choices = PerPlayer::of([entry(0, a), entry(1, b)]);
                let details = ReportDetails { drawn_number, choices, played: None };
                let view = details.view(PLAYERS);
                assert_eq!(Payload::new(view.as_str()).as_ref(), Some(&view));
                assert_eq!(ReportDetails::of(&view, PLAYERS), details);
            }
        }
    }
}

#[test]
fn a_view_is_written_as_the_game_writes_it() {
    let choices = PerPlayer::both((PLAYERS[0], Parity::Even), (PLAYERS[1], Parity::Odd));
    let view = ReportDetails { drawn_number: Some(8), choices, played: None }.view(PLAYERS);
    assert_eq!(view.as_str(), r#"{"drawn_number":8,"choices":["even","odd"]}"#);
    assert_eq!(Parity::Even.payload().as_str(), "\"even\"");
    assert_eq!(Parity::of_move(&Parity::Odd.payload()), Some(Parity::Odd));
}

#[test]
fn what_is_no_view_of_even_odd_says_nothing() {
    for text in ["{}", "null", r#"{"drawn_number":8}"#, r#"{"drawn_number":x,"choices":[1,2]}"#] {
        let shown = Payload::trusted(text);
        assert_eq!(ReportDetails::of(&shown, PLAYERS), ReportDetails::default());
    }
}

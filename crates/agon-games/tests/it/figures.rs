//! Figures that are known from elsewhere.

use agon_games::{Position, Rules, Seat, Seats};

const DEFECT: &str = "\"defect\"";
const COOPERATE: &str = "\"cooperate\"";

/// Plays both strategies against each other; each is told what the other did last.
fn dilemma(a: fn(Option<&str>) -> &str, b: fn(Option<&str>) -> &str) -> [Option<i32>; 2] {
    let rules = Rules::new("prisoners-dilemma", "{}").unwrap();
    let mut position = rules.open();
    let mut last: [Option<&str>; 2] = [None, None];
    for _ in 0..200 {
        assert_eq!(position.gains(), [None, None]);
        last = [a(last[1]), b(last[0])].map(Some);
        for seat in Seat::BOTH {
            position.seal(seat, last[seat.index()].unwrap().as_bytes()).unwrap();
        }
        position.reveal(Seats::BOTH);
    }
    position.gains()
}

#[test]
fn the_prisoners_dilemma_pays_what_it_always_did() {
    let defects = |_: Option<&str>| DEFECT;
    let cooperates = |_: Option<&str>| COOPERATE;
    let tit_for_tat = |theirs: Option<&str>| match theirs {
        Some(DEFECT) => DEFECT,
        Some(_) | None => COOPERATE,
    };
    assert_eq!(dilemma(defects, cooperates), [Some(1_000), Some(0)]);
    assert_eq!(dilemma(tit_for_tat, defects), [Some(199), Some(204)]);
    assert_eq!(dilemma(tit_for_tat, cooperates), [Some(600), Some(600)]);
}

fn even_odd(rules: &Rules, choices: [&str; 2], number: u32) -> Position {
    let mut position = rules.open();
    for seat in Seat::BOTH {
        position.seal(seat, choices[seat.index()].as_bytes()).unwrap();
    }
    position.reveal(Seats::BOTH);
    position.draw(number).unwrap();
    position
}

#[test]
fn uniform_players_of_even_odd_get_a_point_and_a_quarter() {
    let rules = Rules::new("even_odd", "{}").unwrap();
    let mut points = [0, 0];
    let mut matches = 0;
    for a in ["\"even\"", "\"odd\""] {
        for b in ["\"even\"", "\"odd\""] {
            for number in 0..10 {
                let gains = even_odd(&rules, [a, b], number).gains().map(Option::unwrap);
                matches += 1;
                for seat in Seat::BOTH {
                    let gained = gains[seat.index()].cmp(&gains[seat.other().index()]);
                    points[seat.index()] += match gained {
                        std::cmp::Ordering::Greater => 3,
                        std::cmp::Ordering::Equal => 1,
                        std::cmp::Ordering::Less => 0,
                    };
                }
            }
        }
    }
    assert_eq!(points.map(|points| f64::from(points) / f64::from(matches)), [1.25, 1.25]);
}

#[test]
fn whoever_named_the_parity_alone_wins() {
    let rules = Rules::new("even_odd", "{}").unwrap();
    for drawn in 1..=10 {
        for a in ["even", "odd"] {
            for b in ["even", "odd"] {
                let texts = [a, b].map(|name| format!("\"{name}\""));
                let end = even_odd(&rules, [&texts[0], &texts[1]], drawn - 1);
                let right = [a, b].map(|choice| (choice == "even") == (drawn % 2 == 0));
                let (gains, told) = match right {
                    [true, false] => ([1, -1], format!("P01 chose {a}")),
                    [false, true] => ([-1, 1], format!("P02 chose {b}")),
                    [true, true] | [false, false] => ([0, 0], "both chose the same".to_owned()),
                };
                assert_eq!(end.gains(), gains.map(Some), "{a} {b} {drawn}");
                let parity = if drawn % 2 == 0 { "even" } else { "odd" };
                let sentence = format!("{told}, number was {drawn} ({parity})");
                assert_eq!(end.tell([&"P01", &"P02"]), sentence);
                let shown = end.view(None).unwrap();
                let view = format!(r#"{{"drawn_number":{drawn},"choices":["{a}","{b}"]}}"#);
                assert_eq!(shown, view);
            }
        }
    }
}

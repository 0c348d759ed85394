//! Which games there are, what may be set, and what is said when it may not.

use agon_games::{Retraced, Rules, Seat, Seats, Turn, games};

#[track_caller]
fn refused(name: &str, settings: &str, why: &str) {
    let error = Rules::new(name, settings).unwrap_err().to_string();
    assert!(error.contains(why), "{error}");
}

#[test]
fn names_are_those_of_the_list_with_either_line() {
    let names: Vec<&str> = games().iter().map(|info| info.name).collect();
    assert_eq!(names, ["even_odd", "q21", "rock_paper_scissors", "prisoners_dilemma"]);
    for name in names {
        let info = Rules::new(&name.replace('_', "-"), "{}").unwrap().info();
        assert_eq!(info.name, name);
        assert!(info.seats == 2 && !info.rules.is_empty() && !info.asks.is_empty());
    }
    refused("poker", "{}", "there is no game poker; there are even_odd, q21, rock_paper_scissors");
    refused("poker", "7", "there is no game poker");
    refused("even odd", "{}", "there is no game even odd");
}

#[test]
fn settings_are_known_bounded_and_fit_together() {
    refused("even_odd", "7", "even_odd: ");
    refused(
        "even_odd",
        r#"{"rounds":3}"#,
        "even_odd has no setting rounds; it has draw_min, draw_max",
    );
    refused("even_odd", r#"{"draw_max":-1}"#, "draw_max is -1; it must be 0 to 4294967295");
    refused("even_odd", r#"{"draw_max":"ten"}"#, "draw_max is \"ten\"; it must be 0 to");
    refused("even_odd", r#"{"draw_max":1.5}"#, "draw_max is 1.5");
    refused("even_odd", r#"{"draw_min":11}"#, "draw_max is less than draw_min");
    refused("even_odd", r#"{"draw_min":0,"draw_max":4294967295}"#, "too wide");
    refused("rock-paper-scissors", r#"{"rounds":0}"#, "rounds is 0; it must be 1 to 1000");
    refused("rock-paper-scissors", r#"{"rounds":[3]}"#, "could not be read");
    refused("rock_paper_scissors", r#"{"payoffs":[[0]]}"#, "3 rows of 3 numbers");
    let unequal = r#"{"payoffs":[[0,1,1],[1,0,-1],[-1,1,0]]}"#;
    refused("rock_paper_scissors", unequal, "what one gains the other loses");
    refused("prisoners_dilemma", r#"{"payoffs":[[3,0],[5,1001]]}"#, "payoffs is 1001");
    refused("q21", r#"{"questions":0}"#, "questions is 0");
}

#[test]
fn rules_are_written_down_and_read_again() {
    for (name, settings, written) in [
        ("even-odd", "{}", r#"{"game":"even_odd","settings":{"draw_min":1,"draw_max":10}}"#),
        ("q21", r#"{"questions":7}"#, r#"{"game":"q21","settings":{"questions":7}}"#),
        (
            "prisoners_dilemma",
            r#"{"rounds":9}"#,
            r#"{"game":"prisoners_dilemma","settings":{"rounds":9,"payoffs":[[3,0],[5,1]]}}"#,
        ),
    ] {
        let rules = Rules::new(name, settings).unwrap();
        assert_eq!(serde_json::to_string(&rules).unwrap(), written);
        assert_eq!(serde_json::from_str::<Rules>(written).unwrap(), rules);
    }
    assert!(serde_json::from_str::<Rules>(r#"{"game":"poker","settings":{}}"#).is_err());
}

/// What a public view of Even/Odd leads back to: who is still asked, and whether there are gaps.
#[track_caller]
fn check_shown(shown: &str, turn: Turn, with_gaps: bool) -> bool {
    let rules = Rules::new("even_odd", "{}").unwrap();
    let Retraced { shown, gaps } = rules.retrace(shown.as_bytes()).unwrap().unwrap();
    assert_eq!((shown.turn(), gaps), (turn, with_gaps));
    let a_wins = &mut |gains| gains == [Some(1), Some(-1)];
    shown.may_end(a_wins)
}

#[test]
fn an_incomplete_view_may_end_in_whatever_fits() {
    let both = Turn::Together(Seats::BOTH);
    let b = Turn::Together(Seats::only(Seat::B));
    assert!(check_shown(r#"{"drawn_number":null,"choices":[null,null]}"#, both, false));
    assert!(check_shown(r#"{"drawn_number":8,"choices":["even",null]}"#, b, true));
    assert!(!check_shown(r#"{"drawn_number":8,"choices":["odd",null]}"#, b, true));
    let drawing = Turn::Chance(10);
    assert!(check_shown(r#"{"drawn_number":null,"choices":["even","odd"]}"#, drawing, false));
    assert!(!check_shown(r#"{"drawn_number":null,"choices":["even","even"]}"#, drawing, false));
    assert!(!check_shown(r#"{"drawn_number":7,"choices":["even","odd"]}"#, Turn::Over, false));
    let rules = Rules::new("even_odd", "{}").unwrap();
    let beyond = rules.retrace(br#"{"drawn_number":11,"choices":["even","odd"]}"#).unwrap_err();
    let why = "`drawn_number` 11 contradicts the league's range 1 to 10";
    assert_eq!(beyond.to_string(), why);
}

//! What is logged of letters, and what is made of those that leave something out or come too late.

use serde_json::{Value, json};

use super::teams::{ByMail, Teams};

#[test]
fn s10_what_is_sent_is_said_before_its_answer_and_callbacks_have_their_authors_names() {
    let mut teams = Teams::open();
    let agents = (1..=3).flat_map(|team| ["player", "referee"].map(|role| (role, team)));
    let agents: Vec<_> = agents.map(|(role, team)| teams.agent(role, team, &[])).collect();
    teams.results();
    for (agent, callbacks) in agents.into_iter().zip(
        [
            ["get_warmup_answer", "get_questions", "get_guess", "on_score_received"],
            ["get_warmup_question", "get_round_start_info", "get_answers", "get_score_feedback"],
        ]
        .iter()
        .cycle(),
    ) {
        let shown = agent.succeed().out;
        for callback in callbacks {
            assert!(shown.contains(&format!("CALLBACK: {callback} ")), "{callback}: {shown}");
        }
        // Each question stands before what came of it, as often as there is one.
        for (asked, answered) in [
            ("SEASON-SIGNUP", "SIGNUP-RESPONSE"),
            ("PING-CALL", "PING-RESPONSE"),
            ("START-GAME", "ASK-20-QUESTIONS"),
            ("ASK-20-QUESTIONS", "QUESTION-ANSWERS"),
            ("QUESTION-ANSWERS", "MY-GUESS"),
            ("MY-GUESS", "ROUND-SCORE-REPORT"),
        ] {
            in_order(&shown, asked, answered);
        }
    }
}

/// In each game what is asked stands before what is answered.
#[track_caller]
fn in_order(shown: &str, asked: &str, answered: &str) {
    let place = |name: &str, game: &str| {
        shown.lines().position(|line| {
            let said = line.split(" | ").nth(1).map(str::trim);
            line.split_whitespace().nth(1) == Some(game) && said == Some(name)
        })
    };
    for game in ["0199999", "0101001", "0102001", "0103001"] {
        let Some(second) = place(answered, game) else { continue };
        let first = place(asked, game);
        assert!(first.is_some_and(|first| first < second), "{game} {asked} {answered}:\n{shown}");
    }
}

#[test]
fn s10_a_round_without_a_number_is_the_first_and_stale_letters_are_warned_of() {
    let mut it = ByMail::admitted("player", "p1@league.test");
    it.tables();
    it.agent.logs("the table is here");
    it.says("BROADCAST_NEW_LEAGUE_ROUND", "4", json!({ "season_id": "S01" }));
    assert_eq!(it.agent.logs("round started")["round"], 1);
    let warm_up = |it: &ByMail, game: &str, id: &str| {
        let payload = json!({ "match_id": game, "warmup_question": "What is 2 + 2?" });
        it.deliver("r2@league.test", "REFEREE", "Q21WARMUPCALL", id, payload);
    };
    warm_up(&it, "0109009", "5");
    let refused = it.agent.logs("letter refused");
    assert_eq!((&refused["level"], &refused["game"]), (&json!("WARN"), &json!("0109009")));
    // The next round stops the game, and its score counts for nothing then (Q5).
    let round = json!({ "season_id": "S01", "round_number": 2 });
    it.says("BROADCAST_NEW_LEAGUE_ROUND", "6", round);
    assert_eq!(it.agent.logs("round started")["round"], 2);
    warm_up(&it, "0101001", "7");
    let refused = it.agent.logs("letter refused");
    assert_eq!((&refused["level"], &refused["game"]), (&json!("WARN"), &json!("0101001")));
    let score = json!({ "match_id": "0101001", "league_points": 3, "private_score": 91.5 });
    it.deliver("r2@league.test", "REFEREE", "Q21SCOREFEEDBACK", "8", score);
    assert_eq!(it.agent.logs("letter refused")["game"], "0101001");
    it.says("LEAGUE_COMPLETED", "9", json!({ "season_id": "S01", "final_standings": [] }));
    let own = it.office.path().join("own/history.json");
    it.agent.succeed();
    let history: Value = serde_json::from_slice(&std::fs::read(own).unwrap()).unwrap();
    assert_eq!(
        (&history["state"], &history["lifecycle"]),
        (&json!("WAITING_FOR_ROUND"), &json!("SHUTDOWN"))
    );
    let standings = &history["standings"];
    assert_eq!((&standings["league_points"], &standings["games_played"]), (&json!(0), &json!(0)));
    // Each game says how it ended, and why it did not come to its end.
    for (game, reason) in [(0, "NEW_ROUND_STARTED"), (1, "LEAGUE_COMPLETED")] {
        let game = &standings["history"][game];
        assert_eq!(
            (&game["status"], &game["error"]),
            (&json!("FAILED"), &json!(reason)),
            "{history}"
        );
    }
}

#[test]
fn s10_the_history_of_a_player_that_is_done_does_not_say_that_it_waits_for_the_beginning() {
    let mut league = crate::league::League::open(&["--start-when", "2"]);
    let referee = league.member("referee", &[]);
    let players = ["one", "two"].map(|name| league.member("player", &["--data", name]));
    for agent in players.into_iter().chain([referee]) {
        agent.succeed();
    }
    let history = std::fs::read(league.path().join("one/history.json")).unwrap();
    let history: Value = serde_json::from_slice(&history).unwrap();
    assert_eq!(
        (&history["state"], &history["lifecycle"]),
        (&json!("WAITING_FOR_ROUND"), &json!("SHUTDOWN"))
    );
    league.close();
}

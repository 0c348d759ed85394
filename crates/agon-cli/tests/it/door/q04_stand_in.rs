//! What is said in the place of a team's program that failed lets the game go on, and beats nobody.

use super::teams::Teams;

/// Guesses, and guesses wrong.
const HONEST: &str = "from q21_player import PlayerAI

OPTIONS = {\"A\": \"Yes\", \"B\": \"No\", \"C\": \"Partly\", \"D\": \"Unknown\"}


class Mine(PlayerAI):
    def get_warmup_answer(self, ctx):
        return {\"answer\": \"4\"}

    def get_questions(self, ctx):
        text = \"Is it about a colour?\"
        return {\"questions\": [
            {\"question_number\": n, \"question_text\": text, \"options\": OPTIONS}
            for n in range(1, 21)]}

    def get_guess(self, ctx):
        return {\"opening_sentence\": \"Nobody knows.\", \"sentence_justification\": \"A guess.\",
                \"associative_word\": \"zebra\", \"word_justification\": \"A guess.\",
                \"confidence\": 0.1}

    def on_score_received(self, ctx):
        pass
";

#[test]
fn q04_a_program_that_failed_beats_nobody_who_guessed() {
    let mut teams = Teams::open();
    teams.write("honest.py", HONEST);
    let failing = HONEST.replace(
        "        return {\"opening_sentence\"",
        "        {\"nothing\"}[0]\n        return {\"opening_sentence\"",
    );
    teams.write("failing.py", &failing);
    let talk = ["--json", "--log-format", "json"];
    let program = |file: &'static str| [&["--ai", file][..], &talk].concat();
    let honest = teams.agent("player", 1, &program("honest.py"));
    let mut failing = teams.agent("player", 2, &program("failing.py"));
    let mut others = vec![honest, teams.agent("player", 3, &[])];
    others.extend((1..=3).map(|team| teams.agent("referee", team, &[])));
    let results = teams.results();
    let spoiled = results.iter().filter(|it| it["cause"] == "INVALID_MOVE").collect::<Vec<_>>();
    assert_eq!(spoiled.len(), 2, "the failing player has two games: {results:?}");
    // Its author hears it twice: that something stands in, and what that brings.
    let stood_in = failing.logs("the program failed; something was sent in its place");
    assert!(stood_in["reason"].as_str().unwrap().starts_with("guess raised"), "{stood_in}");
    let told = failing.logs("a letter of ours was rejected");
    assert!(told["said"].as_str().unwrap().contains("nobody has guessed"), "{told}");
    assert!(told["said"].as_str().unwrap().contains("0 points"), "{told}");
    let name = |shown: &serde_json::Value, key: &str| {
        let rows = teams.ask(&["standings", "--json"]).succeed().json();
        let rows = rows["standings"].as_array().unwrap().clone();
        let row = rows.into_iter().find(|row| row["player_id"] == shown[key]);
        row.unwrap()["display_name"].as_str().unwrap().to_owned()
    };
    let mut met = false;
    for result in spoiled {
        let shown = teams.shown(result["match_id"].as_str().unwrap());
        let (a, b) = (name(&shown, "player_A_id"), name(&shown, "player_B_id"));
        let (key, seat) =
            if a == "team2" { ("player_B_id", "PLAYER_A") } else { ("player_A_id", "PLAYER_B") };
        assert_eq!(shown["result"]["blame"], seat, "{shown}");
        // Whoever only guessed wrong has won.
        assert_eq!(shown["result"]["winner"], shown[key], "{shown}");
        met |= [a, b].contains(&"team1".to_owned());
    }
    assert!(met, "the two programs meet");
    teams.ask(&["standings"]).succeed();
    let exported = ["export", "--data", "league", "--to", "out"];
    crate::process::agon(teams.path(), &exported);
    let table = std::fs::read_to_string(teams.path().join("out/results.csv")).unwrap();
    assert_eq!(table.matches("INVALID_MOVE").count(), 2, "{table}");
    failing.succeed();
    for other in others {
        other.succeed();
    }
}

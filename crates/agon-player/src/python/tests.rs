//! Real classes in real processes: good ones, bad ones, and what their authors hear.
//!
//! A callback that should be slow waits for something that never happens, so nothing here sleeps.
//! Limits are real time: short where they must run out, long where they must not.

mod consultations;

use std::fs;
use std::path::{Path, PathBuf};

use agon_core::MishapKind;
use agon_games::q21::{Q21Answer, Q21Choice, Q21Guess, Q21Move as Told, Q21Word};
use agon_proto::AsPayload;
use agon_proto::Payload;
use tempfile::TempDir;

use super::callback::tests::{Consultation, PlayerQuery, RefereeQuery, called, put};
use super::*;
use crate::tests::{Lifeline, cut};
use consultations::{all_of_a_player, all_of_a_referee, book, contestant, player, referee};

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(200);

fn patient() -> ChildTerms {
    ChildTerms::default()
}

/// What a program says when it has that much time.
fn advise_within(
    program: &mut PythonProgram,
    consultation: &Consultation,
    time: Duration,
) -> impl Future<Output = Thought> + Send + 'static {
    let (question, context) = put(consultation, time);
    match program.think(&question, &Known { context, ..Known::default() }) {
        Thinking::Later(thought) => thought,
        Thinking::Now(_) => panic!("a child is never that quick"),
    }
}

/// What a program says when it has much time.
fn advise(
    program: &mut PythonProgram,
    consultation: &Consultation,
) -> impl Future<Output = Thought> + Send + 'static {
    advise_within(program, consultation, LONG)
}

fn warmed(text: &str) -> Thought {
    Ok(Told::Warmup(text.into()).payload())
}

/// A folder with one file in it.
struct Author(TempDir, Role);

impl Author {
    fn of(side: Role, text: &str) -> Self {
        let author = Self(tempfile::tempdir().unwrap(), side);
        fs::write(author.path(), text).unwrap();
        author
    }

    /// A player whose four methods do the same.
    fn player(body: &str) -> Self {
        Self::of(Role::Player, &class("q21_player", "PlayerAI", &all_of_a_player(), body))
    }

    fn referee(body: &str) -> Self {
        Self::of(Role::Referee, &class("q21_referee", "RefereeAI", &all_of_a_referee(), body))
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("my_ai.py")
    }

    fn hire(&self, terms: ChildTerms) -> PythonProgram {
        self.hire_as(":MyAI", terms)
    }

    fn hire_as(&self, class: &str, terms: ChildTerms) -> PythonProgram {
        let spec = format!("{}{class}", self.path().display());
        PythonProgram::new(self.1, &spec, "python3", &terms).unwrap()
    }
}

fn class(module: &str, base: &str, asked: &[Consultation], body: &str) -> String {
    let body = body.replace('\n', "\n        ");
    let mut text = format!(
        "import os, sys, threading, subprocess\nfrom {module} import {base}\n\n\
         class MyAI({base}):\n    count = 0\n"
    );
    for consultation in asked {
        let method = consultation.method();
        text.push_str(&format!("    def {method}(self, ctx):\n        {body}\n"));
    }
    text
}

/// Both roles with the same bodies, and all that they are asked.
fn both(body: &str) -> [(Author, [Consultation; 4]); 2] {
    [(Author::player(body), all_of_a_player()), (Author::referee(body), all_of_a_referee())]
}

#[track_caller]
fn assert_mishap(said: Thought, kind: MishapKind, words: &[&str]) {
    let mishap = said.unwrap_err();
    assert_eq!(mishap.kind, kind, "{}", mishap.text);
    for word in words {
        assert!(mishap.text.contains(word), "`{word}` is not in: {}", mishap.text);
    }
}

#[tokio::test]
async fn an_exception_in_each_callback_is_told_with_its_place() {
    for (author, asked) in both("return think()") {
        let text = fs::read_to_string(author.path()).unwrap();
        let helper = "def think():\n    raise ValueError('no idea')\n";
        fs::write(author.path(), text + helper).unwrap();
        let mut advisor = author.hire(patient());
        for consultation in asked {
            let method = consultation.method();
            let words = [
                &format!("{method} raised ValueError: no idea (my_ai.py line "),
                " in think, called from my_ai.py line ",
                &format!(" in {method})"),
            ];
            assert_mishap(advise(&mut advisor, &consultation).await, MishapKind::Raised, &words);
        }
    }
}

#[tokio::test]
async fn a_callback_that_hangs_is_ended_in_each_case() {
    for (author, asked) in both("threading.Event().wait()") {
        for consultation in asked {
            let mut advisor = author.hire(patient());
            advisor.check().await.unwrap();
            let method = consultation.method();
            let words =
                [&*format!("{method} did not come to an end within 0.2 s"), "remembered is gone"];
            let said = advise_within(&mut advisor, &consultation, SHORT).await;
            assert_mishap(said, MishapKind::TimedOut, &words);
        }
    }
}

#[tokio::test]
async fn a_wrong_return_value_of_each_callback_is_named() {
    for (author, asked) in both("return 42") {
        let mut advisor = author.hire(patient());
        for consultation in asked {
            let method = consultation.method();
            let said = advise(&mut advisor, &consultation).await;
            if method == "on_score_received" {
                assert_eq!(said, Ok(Payload::default()));
                continue;
            }
            let words = format!("what {method} returned must be a dict, but it is a number: 42");
            assert_mishap(said, MishapKind::WrongValue, &[&words]);
        }
    }
}

#[tokio::test]
async fn a_value_that_cannot_be_written_down_is_named_in_each_callback() {
    for (author, asked) in both("return {'answer': object()}") {
        let mut advisor = author.hire(patient());
        for consultation in asked {
            let method = consultation.method();
            let said = advise(&mut advisor, &consultation).await;
            if method == "on_score_received" {
                assert_eq!(said, Ok(Payload::default()));
                continue;
            }
            let words = [&*format!("what {method} returned cannot be sent"), "a object is no str"];
            assert_mishap(said, MishapKind::WrongValue, &words);
        }
    }
}

#[tokio::test]
async fn a_process_that_ends_in_a_callback_is_told_with_its_last_words() {
    for (author, asked) in both("print('oops', file=sys.stderr, flush=True)\nos._exit(3)") {
        for consultation in asked {
            let mut advisor = author.hire(patient());
            let method = consultation.method();
            let ended = format!("the process ended (exit status: 3) in {method}");
            let words = [&*ended, "remembered is gone", "it last wrote to stderr: oops"];
            assert_mishap(advise(&mut advisor, &consultation).await, MishapKind::Gone, &words);
        }
    }
}

#[tokio::test]
async fn leaving_the_program_is_an_exception_like_any_other() {
    let author = Author::player("sys.exit(1)");
    let said = advise(&mut author.hire(patient()), &all_of_a_player()[0]).await;
    assert_mishap(said, MishapKind::Raised, &["get_warmup_answer raised SystemExit: 1"]);
}

#[tokio::test]
async fn prints_do_not_disturb_the_talk() {
    let body = "print('{\"id\": 7, \"value\": 1}')\n\
                os.write(1, b'raw\\n')\n\
                subprocess.run(['echo', 'from a child'])\n\
                try:\n    input()\nexcept EOFError:\n    return {'answer': 'still here'}";
    let author = Author::player(body);
    let mut advisor = author.hire(patient());
    for _ in 0..2 {
        let said = advise(&mut advisor, &all_of_a_player()[0]).await;
        assert_eq!(said, warmed("still here"));
    }
}

#[tokio::test]
async fn an_object_remembers_until_its_process_ends() {
    let body = "self.count += 1\n\
                if ctx['dynamic'].get('warmup_question') is None:\n    threading.Event().wait()\n\
                return {'answer': self.count}";
    let author = Author::player(body);
    let mut advisor = author.hire(patient());
    let [warmup, questions, ..] = all_of_a_player();
    for expected in ["1", "2"] {
        assert_eq!(advise(&mut advisor, &warmup).await, warmed(expected));
    }
    let said = advise_within(&mut advisor, &questions, SHORT).await;
    assert_mishap(said, MishapKind::TimedOut, &[]);
    assert_eq!(advise(&mut advisor, &warmup).await, warmed("1"));
}

#[tokio::test]
async fn callbacks_come_one_at_a_time() {
    let author = Author::player("self.count += 1\nreturn {'answer': self.count}");
    let mut advisor = author.hire(patient());
    let warmup = &all_of_a_player()[0];
    let thoughts: Vec<_> = (0..4).map(|_| tokio::spawn(advise(&mut advisor, warmup))).collect();
    for (thought, expected) in thoughts.into_iter().zip(1..) {
        assert_eq!(thought.await.unwrap(), warmed(&expected.to_string()));
    }
}

#[tokio::test]
async fn a_file_that_cannot_be_imported_says_why() {
    let cases = [
        ("import no_such_module_anywhere", ["ModuleNotFoundError", "my_ai.py line 1 in <module>"]),
        ("class MyAI(:\n    pass\n", ["SyntaxError", "line 1"]),
        ("raise SystemExit(5)", ["SystemExit: 5", "could not be imported"]),
    ];
    for (text, words) in cases {
        let author = Author::of(Role::Player, text);
        let said = advise(&mut author.hire(patient()), &all_of_a_player()[0]).await;
        assert_mishap(said, MishapKind::Gone, &words);
    }
}

#[tokio::test]
async fn a_file_that_was_mended_is_loaded_again() {
    let author = Author::of(Role::Player, "nonsense");
    let mut advisor = author.hire(patient());
    let said = advisor.check().await.unwrap_err();
    assert!(said.text.contains("NameError: name 'nonsense' is not defined"), "{}", said.text);
    let good = Author::player("return {'answer': 'mended'}");
    fs::copy(good.path(), author.path()).unwrap();
    let said = advise(&mut advisor, &all_of_a_player()[0]).await;
    assert_eq!(said, warmed("mended"));
}

#[tokio::test]
async fn a_class_that_is_not_there_is_named_with_those_that_are() {
    let author = Author::player("return {}");
    let said = author.hire_as(":Wrong", patient()).check().await.unwrap_err();
    assert_eq!(said.kind, MishapKind::Gone);
    assert!(said.text.ends_with("has no class Wrong; it has: MyAI"), "{}", said.text);
}

#[tokio::test]
async fn the_class_need_not_be_named_if_there_is_one() {
    let author = Author::player("return {'answer': 'me'}");
    let said = advise(&mut author.hire_as("", patient()), &all_of_a_player()[0]).await;
    assert_eq!(said, warmed("me"));
    let author = Author::of(Role::Player, "x = 1\n");
    let said = author.hire_as("", patient()).check().await.unwrap_err();
    assert!(said.text.contains("has 0 classes that are a PlayerAI: say which one"));
}

#[tokio::test]
async fn a_method_that_is_missing_is_named() {
    let abstract_one = "from q21_player import PlayerAI\nclass MyAI(PlayerAI):\n    pass\n";
    let free_one = "class MyAI:\n    def get_guess(self, ctx):\n        pass\n";
    for text in [abstract_one, free_one] {
        let author = Author::of(Role::Player, text);
        let said = author.hire(patient()).check().await.unwrap_err();
        assert_eq!(said.kind, MishapKind::Gone);
        assert!(said.text.contains("get_warmup_answer"), "{}", said.text);
    }
}

#[tokio::test]
async fn a_constructor_that_fails_says_why() {
    let text = "class MyAI:\n    def __init__(self):\n        raise KeyError('API_KEY')\n";
    let author = Author::of(Role::Referee, text);
    let said = author.hire(patient()).check().await.unwrap_err();
    let expected = "MyAI() could not be made: KeyError: 'API_KEY' (my_ai.py line 3 in __init__)";
    assert_eq!(&*said.text, expected);
}

#[tokio::test]
async fn a_file_that_is_not_there_and_a_module_are_told_apart() {
    let nowhere =
        PythonProgram::new(Role::Player, "nowhere.py:MyAI", "python3", &patient()).unwrap();
    let said = nowhere.check().await.unwrap_err();
    assert!(said.text.starts_with("there is no file nowhere.py in "), "{}", said.text);
    let module =
        PythonProgram::new(Role::Player, "json:JSONDecoder", "python3", &patient()).unwrap();
    let said = module.check().await.unwrap_err();
    assert!(said.text.starts_with("JSONDecoder has no method get_warmup_answer"));
}

#[tokio::test]
async fn without_python_there_is_a_clear_word() {
    let author = Author::player("return {}");
    let spec = author.path().display().to_string();
    let program = PythonProgram::new(Role::Player, &spec, "/no/such/python3", &patient());
    let said = advise(&mut program.unwrap(), &all_of_a_player()[0]).await;
    let words = ["/no/such/python3 could not be started", "install Python 3"];
    assert_mishap(said, MishapKind::Gone, &words);
}

#[tokio::test]
async fn after_too_many_failures_there_is_a_pause() {
    let author = Author::player("os._exit(1)");
    let terms = ChildTerms { restarts: 1, pause: LONG * 2, pause_max: LONG * 2, ..patient() };
    let mut advisor = author.hire(terms);
    let [warmup, _, guess, _] = all_of_a_player();
    for _ in 0..2 {
        assert_mishap(advise(&mut advisor, &warmup).await, MishapKind::Gone, &["exit status: 1"]);
    }
    let words = ["failed too often in a row"];
    let said = advise_within(&mut advisor, &guess, SHORT).await;
    assert_mishap(said, MishapKind::Gone, &words);
}

#[tokio::test]
async fn the_environment_is_clean() {
    // Cargo sets this one for us.
    let name = "CARGO_MANIFEST_DIR";
    let author = Author::player(&format!("return {{'answer': str('{name}' in os.environ)}}"));
    let said = advise(&mut author.hire(patient()), &all_of_a_player()[0]).await;
    assert_eq!(said, warmed("False"));
    let handed_down = ChildTerms { env: vec![name.into()], ..patient() };
    let said = advise(&mut author.hire(handed_down), &all_of_a_player()[0]).await;
    assert_eq!(said, warmed("True"));
}

#[tokio::test]
async fn files_beside_the_class_can_be_imported() {
    let author = Author::of(Role::Player, "from helper import MyAI\n");
    let good = Author::player("return {'answer': 'helped'}");
    fs::copy(good.path(), author.path().with_file_name("helper.py")).unwrap();
    let said = advise(&mut author.hire(patient()), &all_of_a_player()[0]).await;
    assert_eq!(said, warmed("helped"));
}

#[tokio::test]
async fn the_process_dies_with_the_advisor_even_while_it_thinks() {
    let lifeline_folder = tempfile::tempdir().unwrap();
    let lifeline = Lifeline::new(lifeline_folder.path());
    let body = format!(
        "line = open('{}', 'w')\nline.write('up\\n')\nline.flush()\nthreading.Event().wait()",
        lifeline.path().display()
    );
    let author = Author::player(&body);
    let mut advisor = author.hire(patient());
    let thought = tokio::spawn(advise(&mut advisor, &all_of_a_player()[0]));
    let line = lifeline.up().await;
    drop(advisor);
    let said = thought.await.unwrap();
    assert_mishap(said, MishapKind::Gone, &["nobody waits for the answer any more"]);
    cut(line).await;
}

#[tokio::test]
async fn odd_values_are_understood_or_named() {
    let cases = [
        ("{'answer': {3, 1}}", "[1,3]"),
        ("{'answer': (1, 2)}", "[1,2]"),
        ("{'answer': '\\ud800x'}", "?x"),
        ("{'answer': 'ä→'}", "ä→"),
    ];
    for (value, expected) in cases {
        let author = Author::player(&format!("return {value}"));
        let said = advise(&mut author.hire(patient()), &all_of_a_player()[0]).await;
        assert_eq!(said, warmed(expected));
    }
    let author = Author::player("return {'confidence': float('nan')}");
    let said = advise(&mut author.hire(patient()), &all_of_a_player()[2]).await;
    assert_mishap(said, MishapKind::WrongValue, &["get_guess returned cannot be sent"]);
    let author = Author::player("return {'answer': 'x' * 300_000}");
    let said = advise(&mut author.hire(patient()), &all_of_a_player()[0]).await;
    assert_mishap(said, MishapKind::WrongValue, &["more than 262144 bytes"]);
}

fn example(side: Role, spec: &str) -> PythonProgram {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/q21");
    let spec = root.join(spec);
    PythonProgram::new(side, spec.to_str().unwrap(), "python3", &patient()).unwrap()
}

#[tokio::test]
async fn the_examples_play_a_whole_game_with_each_other() {
    let mut team = example(Role::Player, "my_player.py:MyPlayerAI");
    let mut house = example(Role::Referee, "my_referee.py:MyRefereeAI");
    let players = || [contestant("alphateam"), contestant("betateam")];
    let mut ask = async |query| {
        let word = advise(&mut house, &referee("0101001", query)).await.unwrap();
        Q21Word::of(&word).unwrap()
    };
    let mut tell = async |query| {
        let said = advise(&mut team, &player("0101001", query)).await.unwrap();
        Told::of(&said).ok()
    };

    let Q21Word::WarmupQuestion(question) =
        ask(RefereeQuery::WarmupQuestion { players: players() }).await
    else {
        panic!("a question was asked for");
    };
    assert_eq!(tell(PlayerQuery::Warmup { question }).await, Some(Told::Warmup("4".into())));
    let Q21Word::Book(book) = ask(RefereeQuery::RoundStart { players: players() }).await else {
        panic!("a book was asked for");
    };
    let public = book.public.clone();
    let Some(Told::Questions(questions)) =
        tell(PlayerQuery::Questions { book: public.clone() }).await
    else {
        panic!("questions were asked for");
    };
    let asked = RefereeQuery::Answers {
        player: contestant("alphateam"),
        book: book.clone(),
        questions: questions.clone(),
    };
    let Q21Word::Answers(answers) = ask(asked).await else { panic!("answers were asked for") };
    // The fifteenth question is whether it is about a journey, the first whether about the sea.
    assert!(answers.contains(&Q21Answer { number: 15, choice: Q21Choice::A }));
    assert!(answers.contains(&Q21Answer { number: 1, choice: Q21Choice::B }));
    let Some(Told::Guess(guess)) =
        tell(PlayerQuery::Guess { book: public, answers, questions }).await
    else {
        panic!("a guess was asked for");
    };
    assert!(guess.opening_sentence.contains("a journey"), "{guess:?}");
    let asked = RefereeQuery::Score { player: contestant("alphateam"), book, guess: *guess };
    let Q21Word::Score(score) = ask(asked).await else { panic!("a score was asked for") };
    assert!((2000..9000).contains(&score.private_score), "{score:?}");
    let told = PlayerQuery::Score {
        league_points: 1,
        private_score: score.private_score,
        breakdown: score.breakdown,
        feedback: Some(score.feedback),
    };
    assert_eq!(tell(told).await, None, "it takes note of it");
}

/// The remarks about what a program returns.
async fn remarks(program: &PythonProgram, consultation: &Consultation) -> Vec<String> {
    let callback = called(consultation, LONG);
    let Callback { number, method, context, .. } = &callback;
    let answer = program.ask(*number, Some(method.name), context, Time::For(LONG));
    callback.read(answer.await.unwrap().as_bytes()).unwrap().remarks
}

#[tokio::test]
async fn the_examples_need_no_remark() {
    let team = example(Role::Player, "my_player.py");
    for consultation in all_of_a_player() {
        assert_eq!(remarks(&team, &consultation).await, [""; 0]);
    }
    let house = example(Role::Referee, "my_referee.py");
    let right = Q21Guess { opening_sentence: "It was late.".into(), ..Q21Guess::default() };
    let guess = RefereeQuery::Score { player: contestant("a"), book: book(), guess: right };
    let [warmup, start, answers, _] = all_of_a_referee();
    for consultation in [warmup, start, answers, referee("0101001", guess)] {
        assert_eq!(remarks(&house, &consultation).await, [""; 0]);
    }
}

#[tokio::test]
async fn a_question_of_the_other_role_is_for_somebody_else() {
    let (question, _) = put(&all_of_a_player()[0], LONG);
    let (_, context) = put(&all_of_a_referee()[0], LONG);
    let mut team = example(Role::Player, "my_player.py");
    let Thinking::Now(Err(mishap)) = team.think(&question, &Known { context, ..Known::default() })
    else {
        panic!("nobody can answer that");
    };
    assert_eq!(mishap.kind, MishapKind::WrongValue);
}

//! Scripts by letter: letters in, and everything that the referee wants done, in lines.

mod deadlines;
mod games;
mod league;
mod property;
mod restart;
mod strangers;

use std::time::Duration;

use agon_games::q21::{
    Q21Answer as Answered, Q21Assessment as Assessment, Q21Book as Book, Q21Breakdown as Breakdown,
    Q21Brief as Brief, Q21Choice as Choice, Q21Feedback as Feedback, Q21Guess as Guess,
    Q21Move as Said, Q21PublicBook as PublicBook, Q21Question as QuestionRow, Q21View as Seen,
    Q21Word as Word,
};
use agon_proto::act::{
    Act, Approval as Yes, AssignmentRow, AssignmentTable, Decided, Denial, EndRound, Halt,
    KeepAlive, Moved, NewRound, ResultReport, SeasonCompleted, StartSeason,
};
use agon_proto::{
    Address, Answer, DisplayName, GroupId, Heading, LeagueId, MessageId, Part, Payload, Score,
    SeasonId,
};
use agon_proto::{AsPayload, Claimed, Context, GameId, Letter};

use super::super::*;
use crate::RequestId;
use crate::agent::AgentFact;
use crate::effect::{Alert, Proof};
use crate::letterbox::{LetterboxFact, Parcel, ParcelId};
use crate::testing::{Bench, at, letter_profile};
use crate::thinking::{Mishap, MishapKind, What};
use crate::verdict::Seat;

const MANAGER: &str = "manager@league.test";
const US: &str = "referee@league.test";
const ADA: &str = "ada@league.test";
const BOB: &str = "bob@league.test";
const GAME: &str = "0101001";
const SENTENCE: &str = "A secret stands here.";
const WORD: &str = "lantern";

/// A referee under test, and what came of it so far.
struct World {
    bench: Bench<Referee>,
    requests: u64,
    letters: u64,
    /// Letters that nobody has taken.
    parcels: Vec<Parcel>,
    /// Every letter that was let go.
    sent: Vec<Letter>,
    /// What our program has not answered.
    asked: Vec<Question>,
}

fn profile() -> Profile {
    let (group, name) = (GroupId::new("omega"), DisplayName::new("Rita"));
    Profile { group, name, nonce: 42, ..letter_profile(US, MANAGER, Some(1)) }
}

/// The same referee, reached there, with a manager that is reached there.
fn reached(us: &str, manager: &str) -> Profile {
    let Profile { contact, manager, .. } = letter_profile(us, manager, Some(1));
    Profile { contact, manager, ..profile() }
}

fn settings() -> RefereeSettings {
    let callbacks = [30, 60, 120, 180].map(Duration::from_secs).into();
    let played = PlayedOnce::course(agon_games::Rules::new("q21", "{}").unwrap());
    RefereeSettings { played, callbacks }
}

impl World {
    fn new() -> Self {
        Self::with(profile(), settings(), Vec::new())
    }

    fn with(profile: Profile, settings: RefereeSettings, facts: Vec<RefereeFact>) -> Self {
        let bench = Bench::new(Referee::by_letter(profile, settings), facts);
        let (parcels, sent, asked) = (Vec::new(), Vec::new(), Vec::new());
        Self { bench, requests: 0, letters: 0, parcels, sent, asked }
    }

    /// Admitted, with the table of two rounds, and the first round begun.
    fn in_round() -> Self {
        let mut world = Self::new();
        world.manager(start_season());
        world.manager(admitted());
        world.manager(Act::AssignmentTable(table()));
        world.take_all();
        world.manager(new_round(1));
        world
    }

    /// Both have warmed up, and know what is to be found out.
    fn in_game() -> Self {
        let mut world = Self::in_round();
        world.advise();
        world.player(ADA, warm_up());
        world.player(BOB, warm_up());
        world.advise();
        world.take_all();
        world
    }

    fn at(&mut self, second: u64) -> &mut Self {
        self.bench.at(second);
        self
    }

    /// Keeps what was let go and asked for, and shows all of it.
    fn see(&mut self, effects: Vec<Effect>) -> Vec<String> {
        let lines = effects.iter().map(line).collect();
        for effect in effects {
            if let Effect::SendLetter(parcel) = effect {
                self.sent.push(parcel.letter.read().unwrap());
                self.parcels.push(parcel);
            } else if let Effect::Think(asked) = effect {
                self.asked.push(*asked);
            }
        }
        lines
    }

    fn post(&mut self, proof: Proof, letter: Letter) -> Vec<String> {
        self.post_read_late(self.bench.now, proof, letter)
    }

    /// A letter that arrived at `at` is read now.
    fn post_read_late(&mut self, at: Timestamp, proof: Proof, letter: Letter) -> Vec<String> {
        self.requests += 1;
        let request = RequestId(self.requests);
        let event = Event::Posted { request, proof, caller: None, at, letter: Box::new(letter) };
        let effects = self.bench.tell(event);
        let answers = |effect: &&Effect| {
            matches!(effect, Effect::Reply { request: answered, .. }
                | Effect::Refuse { request: answered, .. } if *answered == request)
        };
        assert_eq!(effects.iter().filter(answers).count(), 1, "answered exactly once");
        self.see(effects)
    }

    fn mail(&mut self, from: &str, act: Act) -> Vec<String> {
        let letter = self.letter(act);
        self.post(Proof::Vouched(Address::new(from)), letter)
    }

    /// A letter that nobody has written before. By mail its word for its sender is worth nothing.
    fn letter(&mut self, act: Act) -> Letter {
        self.letters += 1;
        Letter {
            head: Heading {
                id: MessageId::new(&format!("letter-{}", self.letters)),
                sent_at: self.bench.now,
                from: Claimed { address: None, role: None, logical_id: None },
                recipient: "anybody".into(),
                answers: None,
                context: Context { season: Some(SeasonId::new("S1")), ..Context::default() },
            },
            auth_token: None,
            act,
        }
    }

    fn manager(&mut self, act: Act) -> Vec<String> {
        self.mail(MANAGER, act)
    }

    fn player(&mut self, from: &str, act: Act) -> Vec<String> {
        self.mail(from, act)
    }

    /// Our program answers everything that it was asked, sensibly.
    fn advise(&mut self) -> Vec<String> {
        let asked = std::mem::take(&mut self.asked);
        asked.into_iter().flat_map(|asked| self.advise_one(&asked, Ok(advice(&asked)))).collect()
    }

    fn advise_one(&mut self, asked: &Question, said: Result<Word, Mishap>) -> Vec<String> {
        self.answer(asked, said.map(|word| word.payload()))
    }

    fn answer(&mut self, asked: &Question, answer: Result<Payload, Mishap>) -> Vec<String> {
        let effects = self.bench.tell(Event::Thought { number: asked.number, answer });
        self.see(effects)
    }

    /// Our program fails in everything that it was asked.
    fn fail(&mut self) -> Vec<String> {
        let asked = std::mem::take(&mut self.asked);
        let mishap = Mishap { kind: MishapKind::Raised, text: "no".into() };
        asked.into_iter().flat_map(|asked| self.advise_one(&asked, Err(mishap.clone()))).collect()
    }

    /// The post takes everything.
    fn take_all(&mut self) -> Vec<String> {
        let parcels = std::mem::take(&mut self.parcels);
        parcels.into_iter().flat_map(|parcel| self.take(parcel.id)).collect()
    }

    fn take(&mut self, parcel: ParcelId) -> Vec<String> {
        let effects = self.bench.tell(Event::Taken(parcel));
        self.see(effects)
    }

    /// Does what is due, as the driver would.
    fn tick(&mut self) -> Vec<String> {
        let effects = self.bench.tick();
        assert!(self.bench.role.deadline().is_none_or(|due| due > self.bench.now));
        self.see(effects)
    }

    /// The process dies, and another one reads its journal.
    fn restart(&mut self) -> Vec<String> {
        let text = serde_json::to_string(&self.bench.facts).unwrap();
        let facts: Vec<RefereeFact> = serde_json::from_str(&text).unwrap();
        let (profile, mut settings) = (profile_of(&self.bench.role), settings());
        settings.played = self.bench.role.played.clone().unwrap();
        let now = self.bench.now;
        let old = durable(&self.bench.role);
        self.bench = Bench::new(Referee::by_letter(profile, settings), facts);
        self.bench.now = now;
        assert_eq!(durable(&self.bench.role), old);
        self.parcels.clear();
        self.asked.clear();
        let effects = self.bench.resume();
        self.see(effects)
    }

    /// The reports that were sent, as often as they were.
    fn reports(&self) -> Vec<&ResultReport> {
        let sent = self.sent.iter();
        sent.filter_map(|letter| {
            if let Act::ResultReport(report) = &letter.act { Some(&**report) } else { None }
        })
        .collect()
    }

    #[track_caller]
    fn report(&self) -> &ResultReport {
        match self.reports()[..] {
            [report] => report,
            ref other => panic!("{} reports", other.len()),
        }
    }

    fn last(&self, id: &str) -> &Letter {
        let found = self.sent.iter().rev().find(|letter| letter.head.id.as_str() == id);
        found.unwrap_or_else(|| panic!("no letter {id}"))
    }
}

/// A new process has another nonce.
fn profile_of(referee: &Referee) -> Profile {
    let profile = referee.records.me.profile.clone();
    Profile { nonce: profile.nonce + 1, ..profile }
}

/// Everything that must be the same after a restart.
fn durable(referee: &Referee) -> String {
    let Records { me, matches, schedule, .. } = &referee.records;
    let agent = (me.credentials(), &me.season, &me.kept, &me.letterbox);
    let games: Vec<_> = matches.ids().into_iter().map(|id| &matches.held[&id]).collect();
    format!("{agent:?} {schedule:?} {games:?} {:?}", (matches.live, &matches.timers))
}

fn line(effect: &Effect) -> String {
    #[expect(clippy::wildcard_enum_match_arm, reason = "a referee of Q21 wants five things done")]
    match effect {
        Effect::Reply { answer: Answer::Receipt(_), .. } => "ok".to_owned(),
        Effect::Refuse { refusal, .. } => format!("no: {refusal}"),
        Effect::SendLetter(parcel) => format!("{} to {}", parcel.letter.head.id, parcel.to[0]),
        Effect::Think(asked) => match (&*asked.kind, about(asked)) {
            ("warmup_question", None) => "ask warm-up".to_owned(),
            ("answers", Some(player)) => format!("ask answers for {player}"),
            ("score", Some(player)) => format!("ask score of {player}"),
            (kind, player) => format!("ask {kind}{}", player.unwrap_or_default()),
        },
        Effect::Finish(ending) => format!("finish: {ending:?}"),
        Effect::Alert(Alert::NoWord { kind, problem, .. }) => format!("no {kind}: {problem}"),
        other => format!("{other:?}"),
    }
}

/// What a player is told that has failed: why, and what its game has brought.
fn rejected(group: &str, player: &str) -> [String; 2] {
    ["rej", "score"].map(|tag| format!("{tag}-0101001-{group} to {player}@league.test"))
}

/// Everything that our program is told.
fn brief(asked: &Question) -> Brief {
    match &asked.what {
        What::Oracle { prompt, .. } => Brief::of(prompt).unwrap(),
        What::Move { .. } | What::Heard { .. } => panic!("a player's question"),
    }
}

/// The group of the player that this is about.
fn about(asked: &Question) -> Option<&'static str> {
    match asked.what {
        What::Oracle { about: Some(Seat::A), .. } => Some("alpha"),
        What::Oracle { about: Some(Seat::B), .. } => Some("beta"),
        What::Oracle { about: None, .. } | What::Move { .. } | What::Heard { .. } => None,
    }
}

fn advice(asked: &Question) -> Word {
    let told = brief(asked);
    match &*asked.kind {
        "warmup_question" => Word::WarmupQuestion("Are you there?".into()),
        "book" => Word::Book(Book {
            public: PublicBook {
                name: "A book".into(),
                hint: "What shines in the dark".into(),
                association_word: "light".into(),
            },
            opening_sentence: Some(SENTENCE.into()),
            associative_word: Some(WORD.into()),
        }),
        "answers" => {
            let answer =
                |question: QuestionRow| Answered { number: question.number, choice: Choice::B };
            Word::Answers(told.questions.unwrap().into_iter().map(answer).collect())
        }
        // What a test's guess is worth stands in it.
        _ => Word::Score(worth(
            told.guess.unwrap().associative_word.parse().unwrap_or(0.0),
            "Close.",
        )),
    }
}

fn worth(points: f64, feedback: &str) -> Assessment {
    let private_score = (points * 100.0).round() as i32;
    Assessment {
        private_score,
        breakdown: Breakdown { opening_sentence: private_score, ..Breakdown::default() },
        feedback: Feedback { opening_sentence: feedback.into(), associative_word: feedback.into() },
    }
}

fn start_season() -> Act {
    Act::StartSeason(StartSeason {
        season: SeasonId::new("S1"),
        name: DisplayName::new("Spring"),
        total_rounds: 0,
        registration_deadline: None,
        registered_players: None,
        registered_referees: None,
        text: "".into(),
    })
}

fn registration(status: Yes, reason: Option<&str>) -> Act {
    let denied = status == Yes::Rejected;
    let denial = denied.then(|| Denial::of(reason.unwrap_or_default()));
    let season = Some(SeasonId::new("S1"));
    Act::Decide(Box::new(Decided { denial, season, ..Decided::default() }))
}

fn admitted() -> Act {
    registration(Yes::Accepted, None)
}

fn row(game: &str, part: Part, address: &str, group: &str) -> AssignmentRow {
    AssignmentRow {
        game: GameId::new(game),
        part,
        address: Some(Address::new(address)),
        group: GroupId::new(group),
        auth_token: None,
    }
}

/// Two rounds; in the first this referee has one game, in the second two.
fn table() -> AssignmentTable {
    let mut rows = Vec::new();
    for (game, referee) in
        [(GAME, US), ("0101002", "x@league.test"), ("0102001", US), ("0102002", US)]
    {
        rows.push(row(game, Part::Player1, ADA, "alpha"));
        rows.push(row(game, Part::Player2, BOB, "beta"));
        rows.push(row(game, Part::Referee, referee, "omega"));
    }
    AssignmentTable { season: Some(SeasonId::new("S1")), rows, text: "".into() }
}

fn new_round(number: u32) -> Act {
    round_with(number, None)
}

fn round_with(number: u32, present: Option<&[&str]>) -> Act {
    Act::NewRound(NewRound {
        number,
        total_rounds: None,
        ends_at: None,
        present: present.map(|list| list.iter().map(|one| Address::new(one)).collect()),
        text: "".into(),
    })
}

fn end_round(number: u32) -> Act {
    Act::EndRound(EndRound { number, matches_completed: 0, matches_total: 1 })
}

fn completed() -> Act {
    let season = Some(SeasonId::new("S1"));
    Act::SeasonCompleted(SeasonCompleted { season, standings: Vec::new(), text: "".into() })
}

fn keep_alive() -> Act {
    Act::KeepAlive(KeepAlive { text: "".into() })
}

fn halt() -> Halt {
    Halt { reason: "".into() }
}

fn warm_up() -> Act {
    warm_up_in(GAME)
}

fn warm_up_in(game: &str) -> Act {
    moved(game, 0, &Said::Warmup("yes".into()))
}

fn questions() -> Act {
    ask_so_many(20)
}

fn ask_so_many(count: u32) -> Act {
    let question = |number| QuestionRow {
        number,
        text: "Is it dark?".into(),
        options: ["yes", "no", "partly", "who knows"].map(Into::into),
    };
    let questions = (1..=count).map(question).collect();
    moved(GAME, 1, &Said::Questions(questions))
}

/// A guess that is worth so much.
fn guess(points: &str) -> Act {
    let guess = Guess { associative_word: points.into(), ..Guess::default() };
    moved(GAME, 2, &Said::Guess(Box::new(guess)))
}

fn moved(game: &str, number: u16, said: &Said) -> Act {
    Act::Move(Moved { game: GameId::new(game), number, said: said.payload(), token: None })
}

/// What a letter shows.
fn seen(view: &Payload) -> Seen {
    Seen::of(view).unwrap()
}

//! A player on the stage: letters in, effects out. Every letter must be answered exactly once.

mod by_call;
mod callbacks;
mod defects;
mod errands;
mod gatekeeper;
mod property;
mod restart;
mod rounds;
mod season;

use std::time::Duration;

use agon_games::q21::{
    Q21Answer as Answered, Q21Assessment as Assessment, Q21Choice as Choice, Q21Guess as Guess,
    Q21Move as Said, Q21PublicBook as PublicBook, Q21Question as QuestionRow, Q21View as Seen,
};
use agon_proto::act::{
    Act, ActKind, Approval, Asked, AssignmentRow, AssignmentTable, Decided, Denial, NewRound,
    Progress, SeasonCompleted, SeasonState, StartSeason,
};
use agon_proto::dialect::q21::QUESTIONS;
use agon_proto::known::PlayerStandings;
use agon_proto::{
    Address, DisplayName, GroupId, Heading, LeagueId, MessageId, Part, Payload, Role, Score,
    SeasonId,
};
use agon_proto::{AsPayload, Claimed, Context};

use super::super::*;
use crate::agent::AgentFact;
use crate::letterbox::LetterboxFact;
use crate::testing::{Bench, at, letter_profile, lines};
use crate::thinking::{Mishap, MishapKind};
use crate::{Proof, RequestId};
use agon_proto::Letter;

pub(crate) use crate::testing::check;

pub(crate) const ME: &str = "ada@league.test";
pub(crate) const OPPONENT: &str = "bob@league.test";
pub(crate) const MANAGER: &str = "manager@league.test";
pub(crate) const REFEREE: &str = "ref@league.test";
pub(crate) const STRANGER: &str = "eve@league.test";

/// Two games of ours in the first round, one in the second.
pub(crate) const ONE: &str = "0101001";
pub(crate) const TWO: &str = "0101002";
pub(crate) const NEXT: &str = "0102001";

pub(crate) fn address(text: &str) -> Address {
    Address::new(text)
}

pub(crate) fn game(text: &str) -> GameId {
    GameId::new(text)
}

pub(crate) fn profile() -> Profile {
    let (group, name) = (GroupId::new("adateam1"), DisplayName::new("Ada"));
    Profile { group, name, nonce: 0, ..letter_profile(ME, MANAGER, None) }
}

pub(crate) fn times() -> PlayerTimes {
    let margin = Duration::from_secs(60);
    let thinking = ThinkingTime { usual: Duration::from_secs(30), margin: margin / 60 };
    let letters = LetterTimes {
        grace: Duration::from_secs(60),
        leaving_max: Duration::from_secs(30),
        callbacks: [60, 240, 240, 60].map(Duration::from_secs),
        margin,
    };
    PlayerTimes { match_max: Duration::from_secs(240), thinking, letters }
}

pub(crate) fn letter(id: &str, from: &str, role: Role, act: Act) -> Letter {
    Letter {
        head: Heading {
            id: MessageId::new(id),
            sent_at: at(0),
            from: Claimed { address: Some(address(from)), role: Some(role), logical_id: None },
            recipient: "BROADCAST".into(),
            answers: None,
            context: Context::default(),
        },
        auth_token: None,
        act,
    }
}

pub(crate) fn start_season(season: &str) -> Act {
    Act::StartSeason(StartSeason {
        season: SeasonId::new(season),
        name: DisplayName::new(season),
        total_rounds: 0,
        registration_deadline: None,
        registered_players: None,
        registered_referees: None,
        text: "".into(),
    })
}

pub(crate) fn registration(status: Approval, reason: Option<&str>) -> Act {
    let denied = status == Approval::Rejected;
    let denial = denied.then(|| Denial::of(reason.unwrap_or_default()));
    let season = Some(SeasonId::new("S1"));
    Act::Decide(Box::new(Decided { denial, season, ..Decided::default() }))
}

/// The three rows of a game.
pub(crate) fn rows(id: &str, referee: &str, [one, two]: [&str; 2]) -> Vec<AssignmentRow> {
    let row = |part, at: &str| AssignmentRow {
        game: game(id),
        part,
        address: Some(address(at)),
        group: GroupId::new(at),
        auth_token: None,
    };
    vec![row(Part::Player1, one), row(Part::Player2, two), row(Part::Referee, referee)]
}

pub(crate) fn table_of(rows: Vec<AssignmentRow>) -> Act {
    Act::AssignmentTable(AssignmentTable {
        season: Some(SeasonId::new("S1")),
        rows,
        text: "".into(),
    })
}

pub(crate) fn table() -> Act {
    let mut all = rows(ONE, REFEREE, [ME, OPPONENT]);
    all.extend(rows(TWO, REFEREE, [OPPONENT, ME]));
    all.extend(rows(NEXT, REFEREE, [ME, OPPONENT]));
    all.extend(rows("0102002", OPPONENT, [STRANGER, REFEREE]));
    table_of(all)
}

pub(crate) fn new_round(number: u32) -> Act {
    Act::NewRound(NewRound {
        number,
        total_rounds: Some(2),
        ends_at: None,
        present: None,
        text: "".into(),
    })
}

pub(crate) fn completed() -> Act {
    Act::SeasonCompleted(SeasonCompleted {
        season: Some(SeasonId::new("S1")),
        standings: Vec::new(),
        text: "".into(),
    })
}

pub(crate) fn warmup(id: &str) -> Act {
    let question = Some("What is 2 + 2?".into());
    let seen = Seen { warmup_question: question, ..Seen::default() };
    Act::Ask(
        Asked { token: Some("tok_1bcc4969".into()), ..asked(id, 0, &seen, Some(at(120))) }.into(),
    )
}

pub(crate) fn round_start(id: &str) -> Act {
    let book = PublicBook {
        name: "00016".into(),
        hint: "about lighthouses".into(),
        association_word: "colour".into(),
    };
    Act::Ask(asked(id, 1, &Seen { book: Some(book), ..Seen::default() }, Some(at(300))).into())
}

pub(crate) fn answers(id: &str) -> Act {
    let answers = Some(vec![Answered { number: 1, choice: Choice::B }]);
    Act::Ask(asked(id, 2, &Seen { answers, ..Seen::default() }, None).into())
}

fn asked(id: &str, number: u16, seen: &Seen, deadline: Option<Timestamp>) -> Asked {
    Asked { game: game(id), number, view: seen.payload(), deadline, token: None }
}

pub(crate) fn score(id: &str) -> Act {
    let private_score = Score::from_points(72.5);
    let score = Some(Assessment { private_score: 7_250, ..Assessment::default() });
    let view = Seen { score, ..Seen::default() }.payload();
    Act::Worth(Worth { game: game(id), league_points: 2, private_score, view, token: None })
}

/// A whole game, in the referee's order.
pub(crate) fn whole_game(id: &str) -> [(&'static str, Act); 4] {
    [
        ("warmup", warmup(id)),
        ("start", round_start(id)),
        ("answers", answers(id)),
        ("score", score(id)),
    ]
}

pub(crate) fn questions() -> Vec<QuestionRow> {
    let numbers = 1..=u32::try_from(QUESTIONS).unwrap();
    let one = |number| QuestionRow {
        number,
        text: format!("Is it thing {number}?").into(),
        options: ["yes", "no", "partly", "unknown"].map(Into::into),
    };
    numbers.map(one).collect()
}

pub(crate) fn a_guess() -> Guess {
    Guess { opening_sentence: "The lamp was lit at dusk.".into(), ..Guess::default() }
}

/// What a player's program can be asked, by the number of the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Callback {
    Warmup = 1,
    Questions = 2,
    Guess = 3,
    Score = 4,
}

impl Callback {
    pub(crate) const ALL: [Self; 4] = [Self::Warmup, Self::Questions, Self::Guess, Self::Score];

    pub(crate) const fn kind(self) -> &'static str {
        match self {
            Self::Warmup => "warmup",
            Self::Questions => "questions",
            Self::Guess => "guess",
            Self::Score => "score",
        }
    }
}

/// What a good program says; nothing to a score.
pub(crate) fn advice(callback: Callback) -> Option<Said> {
    match callback {
        Callback::Warmup => Some(Said::Warmup("4".into())),
        Callback::Questions => Some(Said::Questions(questions())),
        Callback::Guess => Some(Said::Guess(Box::new(a_guess()))),
        Callback::Score => None,
    }
}

pub(crate) fn mishap() -> Mishap {
    Mishap { kind: MishapKind::Raised, text: "KeyError: 'book_hint'".into() }
}

pub(crate) fn callback(asked: &Question) -> Callback {
    let found = Callback::ALL.into_iter().find(|callback| callback.kind() == asked.kind);
    found.expect("a player's question")
}

/// A player, its open questions to its program, and everything that it ever sent.
pub(crate) struct Stage {
    pub(crate) bench: Bench<Player>,
    requests: u64,
    pub(crate) asked: Vec<Question>,
    pub(crate) posted: Vec<crate::letterbox::Parcel>,
}

impl Stage {
    pub(crate) fn with(player: Player) -> Self {
        let bench = Bench::new(player, Vec::new());
        Self { bench, requests: 0, asked: Vec::new(), posted: Vec::new() }
    }

    /// What its letter of that place says.
    pub(crate) fn said(&self, place: usize) -> Act {
        self.posted[place].letter.read().unwrap().act
    }

    /// The move that was sent last.
    pub(crate) fn said_last(&self) -> Said {
        let Act::Move(moved) = self.said(self.posted.len() - 1) else { panic!("a move") };
        Said::of(&moved.said).unwrap()
    }

    /// Nothing has happened yet.
    pub(crate) fn new() -> Self {
        Self::with(Player::new(profile(), times()))
    }

    /// Registered, with the table.
    pub(crate) fn enrolled() -> Self {
        let mut stage = Self::new();
        stage.manager("open", start_season("S1"));
        stage.manager("answer", registration(Approval::Accepted, None));
        stage.manager("table", table());
        stage
    }

    /// In its first round, in which it has two games.
    pub(crate) fn playing() -> Self {
        let mut stage = Self::enrolled();
        stage.manager("round-1", new_round(1));
        stage
    }

    /// So far in the first game: after so many of the referee's letters, each of them answered.
    pub(crate) fn advanced(steps: usize) -> Self {
        let mut stage = Self::playing();
        for (id, act) in whole_game(ONE).into_iter().take(steps) {
            stage.referee(id, act);
            stage.advise_all();
        }
        stage
    }

    fn note(&mut self, effects: Vec<Effect>) -> Vec<Effect> {
        for effect in &effects {
            if let Effect::Think(asked) = effect {
                self.asked.push((**asked).clone());
            }
            if let Effect::SendLetter(parcel) = effect {
                self.posted.push(parcel.clone());
            }
        }
        effects
    }

    pub(crate) fn tell(&mut self, event: Event) -> Vec<Effect> {
        let effects = self.bench.tell(event);
        self.note(effects)
    }

    pub(crate) fn resume(&mut self) -> Vec<Effect> {
        let effects = self.bench.resume();
        self.note(effects)
    }

    pub(crate) fn tick(&mut self, second: u64) -> Vec<Effect> {
        let effects = self.bench.at(second).tick();
        self.note(effects)
    }

    /// A letter comes, and is answered exactly once.
    #[track_caller]
    pub(crate) fn post(&mut self, proof: Proof, letter: Letter) -> Vec<Effect> {
        self.requests += 1;
        let request = RequestId(self.requests);
        let (at, letter) = (self.bench.now, Box::new(letter));
        let effects = self.tell(Event::Posted { request, proof, caller: None, at, letter });
        let answers = effects.iter().filter(|effect| {
            matches!(effect, Effect::Reply { request: to, .. } | Effect::Refuse { request: to, .. }
                if *to == request)
        });
        assert_eq!(answers.count(), 1, "{:?}", lines(&effects));
        // The numbers of requests are of no interest to a script.
        self.requests = 0;
        effects
    }

    #[track_caller]
    pub(crate) fn mail(&mut self, from: &str, role: Role, id: &str, act: Act) -> Vec<Effect> {
        self.post(Proof::Vouched(address(from)), letter(id, from, role, act))
    }

    #[track_caller]
    pub(crate) fn manager(&mut self, id: &str, act: Act) -> Vec<Effect> {
        self.mail(MANAGER, Role::Manager, id, act)
    }

    #[track_caller]
    pub(crate) fn referee(&mut self, id: &str, act: Act) -> Vec<Effect> {
        self.mail(REFEREE, Role::Referee, id, act)
    }

    /// The program answers its oldest open question.
    #[track_caller]
    pub(crate) fn advise(&mut self, said: Result<Said, Mishap>) -> Vec<Effect> {
        let answer = said.map(|said| said.payload());
        self.answer(answer)
    }

    #[track_caller]
    fn answer(&mut self, answer: Result<Payload, Mishap>) -> Vec<Effect> {
        let Question { number, .. } = self.asked.remove(0);
        self.tell(Event::Thought { number, answer })
    }

    /// The program answers its oldest open question, well.
    #[track_caller]
    pub(crate) fn advise_well(&mut self) -> Vec<Effect> {
        let answer = advice(callback(&self.asked[0]));
        self.answer(Ok(answer.as_ref().map(AsPayload::payload).unwrap_or_default()))
    }

    /// The program answers whatever it is asked, well.
    pub(crate) fn advise_all(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        while !self.asked.is_empty() {
            effects.extend(self.advise_well());
        }
        effects
    }

    /// Everything that waits is taken.
    pub(crate) fn dispatch_all(&mut self) -> Vec<Effect> {
        let waiting: Vec<_> =
            self.player().me.letterbox.waiting().map(|parcel| parcel.id).collect();
        waiting.into_iter().flat_map(|id| self.tell(Event::Taken(id))).collect()
    }

    pub(crate) fn player(&self) -> &Player {
        &self.bench.role
    }

    pub(crate) fn phase(&self, id: &str) -> Option<Progress> {
        self.player().rounds().game(&game(id)).map(Controller::phase)
    }

    pub(crate) fn controller(&self, id: &str) -> &Controller {
        self.player().rounds().game(&game(id)).expect("a game of this round")
    }

    /// The process is gone; another one reads the journal, as it was written.
    pub(crate) fn restarted(self) -> Self {
        let Player { me, times, .. } = &self.bench.role;
        let profile = Profile { nonce: me.profile.nonce + 1, ..me.profile.clone() };
        let read = self.bench.facts.iter().map(|fact| {
            let written = serde_json::to_string(fact).unwrap();
            serde_json::from_str(&written).unwrap()
        });
        let mut bench = Bench::new(Player::new(profile, *times), read.collect());
        assert_eq!(durable(&bench.role), durable(&self.bench.role));
        bench.now = self.bench.now;
        Self { bench, requests: 0, asked: Vec::new(), posted: self.posted }
    }

    /// The kinds of everything that was posted, in order.
    pub(crate) fn kinds(&self) -> Vec<ActKind> {
        self.posted.iter().map(|parcel| parcel.letter.kind).collect()
    }
}

/// All that a player remembers.
pub(crate) fn durable(player: &Player) -> String {
    let Player { me, rounds, standings, unheard, .. } = player;
    let agent = (me.credentials(), &me.season, &me.kept, &me.letterbox);
    format!("{:?}", (agent, rounds, standings, unheard))
}

/// Why the only letter was refused.
#[track_caller]
pub(crate) fn why(effects: &[Effect]) -> String {
    crate::testing::refusal(effects).to_string()
}

pub(crate) fn standings(stage: &Stage) -> PlayerStandings {
    stage.player().player_standings()
}

/// What the program is told of the league.
pub(crate) fn context(stage: &Stage) -> PlayerContext {
    PlayerContext::of(&stage.player().known(&stage.asked[0]).context).unwrap()
}

pub(crate) fn league() -> LeagueId {
    LeagueId::new("Q21G")
}

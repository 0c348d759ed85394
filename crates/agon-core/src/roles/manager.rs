//! The league manager: lets agents in, gives out matches, takes results, keeps the table.
//!
//! Its state is a fold of its facts. A report counts once; a round ends when every match has its
//! result; nothing is announced before it is written down.
//!
//! Spec: docs/protocol/season.md

mod agenda;
mod book;
mod conduct;
mod corrections;
mod hearing;
mod in_play;
mod leases;
mod letters;
mod news;
mod registration;
mod reports;
mod rounds;
mod schedule;
mod settling;
mod tools;

use agon_proto::act::{Act, Decided};
use agon_proto::tool::{LeaguePhase, LeagueState, RoundPhase};
use agon_proto::{
    Answer, Call, ConversationId, Dialogue, Envelope, Receipt, ReceiptStatus, Role, Sender,
    Timestamp,
};

use crate::effect::{Caller, Effects, Event, RequestId, Setback, Tag};
use crate::fact::LeagueFact;
use crate::gate::{self, Speaker};
use crate::league::League;
use crate::letterbox::Letterbox;
use crate::secret::Signing;
use crate::{CodeHash, Machine, Moment, Refusal, Secrets, Settings, TokenHash, first_of};
use agenda::Agenda;
use book::{Book, Records};
use conduct::Conduct;
use hearing::Heard;
use in_play::InPlay;
use letters::Letters;
use registration::{Application, Applications, Shown};
use reports::Results;
use rounds::Rounds;

type Out = Effects<LeagueFact>;

/// What a manager is told at every start. Not part of the league's rules.
#[derive(Debug, Clone)]
pub struct ManagerOptions {
    /// The source of tokens.
    pub secrets: Secrets,
    /// What proves the operator.
    pub operator: TokenHash,
    /// Begin by itself once so many players and a referee are in.
    pub start_when: Option<u32>,
    /// What referees from other machines show; without it none of them may come.
    pub referee_code: Option<CodeHash>,
}

/// The league manager.
///
/// Its parts borrow of it what they need while one event is handled.
#[derive(Debug)]
pub struct Manager {
    records: Records,
    heard: Heard,
    in_play: InPlay,
    shown: Shown,
    /// Nobody who writes is late before that, because we could not hear.
    deaf_until: Option<Timestamp>,
}

impl Manager {
    /// Of a league in which nothing has happened yet.
    pub fn new(settings: Settings, options: ManagerOptions) -> Self {
        Self::reader(League::new(settings), options)
    }

    /// Of a league that stands. It knows of no letters that wait and can sign nothing, so it is
    /// good for questions only.
    pub fn reader(league: League, options: ManagerOptions) -> Self {
        let (signing, letterbox) = (Signing::default(), Letterbox::default());
        Self {
            records: Records { options, league, signing, letterbox },
            heard: Heard::default(),
            in_play: InPlay::default(),
            shown: Shown::default(),
            deaf_until: None,
        }
    }

    /// All that is durable of it.
    pub fn league(&self) -> &League {
        &self.records.league
    }

    pub fn state(&self) -> LeagueState {
        let league = self.league();
        let mut state = league.state();
        // A round is played from its first match on, and not only from its first result.
        let out = self.in_play.assignments.is_any_out() || !league.settings.says().assigns;
        if state.round_phase == RoundPhase::Announced && out {
            state.round_phase = RoundPhase::InProgress;
        }
        LeagueState { waiting_for_referee: self.in_play.is_alone(league), ..state }
    }

    fn conduct<'a>(&'a mut self, now: Timestamp, out: &'a mut Out) -> Conduct<'a> {
        let book = Book::open(&mut self.records, &mut self.heard, now, out);
        Conduct { book, in_play: &mut self.in_play }
    }

    fn rounds<'a>(&'a mut self, now: Timestamp, out: &'a mut Out) -> Rounds<'a> {
        let book = Book::open(&mut self.records, &mut self.heard, now, out);
        Rounds { book, in_play: &mut self.in_play, deaf_until: &mut self.deaf_until }
    }

    fn applications<'a>(&'a mut self, now: Timestamp, out: &'a mut Out) -> Applications<'a> {
        let book = Book::open(&mut self.records, &mut self.heard, now, out);
        Applications { book, in_play: &mut self.in_play, shown: &mut self.shown }
    }

    /// The whole routing table.
    fn route(
        &mut self,
        (request, caller): (RequestId, Caller),
        letter: Box<Envelope>,
        now: Timestamp,
        out: &mut Out,
    ) {
        let Records { league, signing, .. } = &self.records;
        let admitted = match gate::at_manager((&league.registry, signing), letter) {
            Ok(admitted) => admitted,
            Err(refusal) => return out.refuse(request, refusal),
        };
        let (speaker, letter) = admitted.open();
        let foreign = league.settings.is_by_letters();
        self.applications(now, out).note_use(speaker);
        if let Speaker::Referee(referee) = speaker {
            self.conduct(now, out).hear(*referee.get());
        }
        let conversation = letter.head.conversation_id;
        let (token, said_at) = (letter.auth_token, letter.head.timestamp);
        if foreign && !matches!(letter.act, Act::LeagueQuery(_)) {
            return out.refuse(request, Refusal::Unsupported("this league is played by letters"));
        }
        #[expect(clippy::wildcard_enum_match_arm, reason = "four acts are for us by call")]
        match letter.act {
            Act::Apply(said) => {
                let role = said.role;
                let application = said.contact.clone().map(|contact| Application {
                    said: *said,
                    contact,
                    caller: Some(caller),
                    conversation: Some(conversation.clone()),
                    token,
                    said_at,
                });
                self.register((request, conversation), role, application, now, out);
            }
            Act::MatchResultReport(said) => match speaker {
                Speaker::Referee(referee) => {
                    Results(self.conduct(now, out)).take_report(referee, said, request);
                }
                Speaker::Player(_) | Speaker::Manager(_) | Speaker::Newcomer => {
                    out.refuse(request, Refusal::NotPermitted("results come from referees"));
                }
            },
            Act::Heartbeat(said) => {
                if let Speaker::Referee(referee) = speaker {
                    let mut conduct = self.conduct(now, out);
                    conduct.players_told(*referee.get(), &said.told);
                    conduct.beat(*referee.get());
                    out.acknowledge(request);
                } else {
                    out.refuse(request, Refusal::NotPermitted("heartbeats come from referees"));
                }
            }
            Act::LeagueQuery(said) => {
                let asker = match speaker {
                    Speaker::Player(id) => Some(*id.get()),
                    Speaker::Referee(_) | Speaker::Manager(_) | Speaker::Newcomer => None,
                };
                match self.league().answer(&said, asker) {
                    Ok(answer) => {
                        out.reply(request, Self::letter(conversation, answer.into(), now))
                    }
                    Err(refusal) => out.refuse(request, refusal),
                }
            }
            other => out.refuse(request, gate::not_for_us(&other)),
        }
    }

    /// Somebody calls who wants to be let in, and is told at once what becomes of it.
    fn register(
        &mut self,
        (request, conversation): (RequestId, ConversationId),
        role: Option<Role>,
        application: Option<Application>,
        now: Timestamp,
        out: &mut Out,
    ) {
        let mut applications = self.applications(now, out);
        let admitted = match &application {
            Some(application) => applications.admit(application),
            None => Err(Refusal::BadValue("contact: where are you reached?")),
        };
        let decided = Box::new(Decided { role, ..applications.decision(&admitted) });
        let answer = Self::letter(conversation, Act::Decide(decided), now);
        applications.book.out.reply(request, answer);
        if let Ok(admitted) = admitted {
            applications.welcome(&admitted);
        }
    }

    fn letter(conversation_id: ConversationId, act: Act, now: Timestamp) -> Answer {
        let head = Dialogue { sender: Sender::LeagueManager, timestamp: now, conversation_id };
        Answer::Message(Box::new(Envelope { head, auth_token: None, act }))
    }
}

impl Machine for Manager {
    type Fact = LeagueFact;

    fn handle(&mut self, event: Event, now: Timestamp, out: &mut Out) {
        let before = out.facts.len();
        match event {
            Event::Called { request, caller, call: Call::Message(letter) } => {
                self.route((request, caller), letter, now, out);
            }
            Event::Called { request, call: Call::Tool(tool, params), .. } => {
                self.use_tool(request, tool, &params, now, out);
            }
            Event::Answered { tag: Tag::Assign { match_id, attempt }, answer } => {
                let mut conduct = self.conduct(now, out);
                match answer {
                    Answer::Receipt(Receipt { status, .. }) => {
                        let refused = status == ReceiptStatus::Refused;
                        conduct.assignment_answered(match_id, attempt, refused);
                    }
                    // An error is no answer: the match is not in anybody's hands.
                    Answer::Message(_) | Answer::Tool(_) | Answer::Fault(_) => {
                        conduct.assignment_failed(match_id, attempt);
                    }
                }
            }
            Event::Undelivered { tag: Tag::Assign { match_id, attempt }, why, .. } => {
                let mut conduct = self.conduct(now, out);
                if why == Setback::NotSent {
                    conduct.assignment_not_sent(match_id, attempt);
                } else {
                    conduct.assignment_failed(match_id, attempt);
                }
            }
            Event::Noticed { tag, .. } => self.conduct(now, out).noticed(tag),
            // The rest is not ours.
            Event::Answered { .. } | Event::Undelivered { .. } => {}
            Event::Posted { request, proof, caller, letter, .. }
                if self.league().settings.is_by_letters() =>
            {
                let mut letters = Letters(self.applications(now, out));
                letters.posted(request, (&proof, caller.as_ref()), &letter);
            }
            Event::Posted { request, .. }
            | Event::Garbled { request, .. }
            | Event::Called { request, call: Call::Letter(_), .. } => {
                out.refuse(request, gate::NO_LETTERS);
            }
            Event::Taken(parcel) => self.conduct(now, out).book.taken(parcel),
            Event::Drawn(_) | Event::Thought { .. } => {}
        }
        // Only what became true moves a season on. What is read late does not: that is for the
        // clock, once everything is read.
        let is_new = out.facts.len() > before;
        if is_new && !self.league().registry.is_any_vouched() {
            self.rounds(now, out).turn(now);
        }
        let mut conduct = self.conduct(now, out);
        conduct.pass_on_disbelieved();
        conduct.look_for_referees();
    }

    fn tick(&mut self, Moment { now, heard }: Moment, out: &mut Out) {
        let mut conduct = self.conduct(now, out);
        conduct.wake();
        conduct.wait_no_longer();
        self.rounds(now, out).turn(heard);
        self.conduct(now, out).look_for_referees();
    }

    fn deadline(&self) -> Option<Timestamp> {
        let Records { league, options, letterbox, .. } = &self.records;
        let (start_when, deaf_until) = (options.start_when, self.deaf_until);
        let next = Agenda { league, start_when, deaf_until }.next();
        let due = [
            self.in_play.assignments.deadline(),
            self.in_play.waits_until(&self.heard),
            next.map(|(_, due)| due),
            letterbox.deadline(),
        ];
        first_of(due)
    }

    fn resume(&mut self, now: Timestamp, out: &mut Out) {
        let mut rounds = self.rounds(now, out);
        let league = rounds.book.league();
        if league.season.phase() == LeaguePhase::Startup {
            let settings = Box::new(league.settings.clone());
            rounds.book.record(LeagueFact::Opened { settings, at: now });
        }
        rounds.book.look_for_estranged();
        if rounds.book.league().settings.is_by_letters() {
            rounds.send_again();
        } else {
            rounds.tell_again();
        }
        rounds.open_season();
        rounds.turn(now);
    }

    fn apply(&mut self, fact: &LeagueFact) {
        self.records.apply(fact);
    }
}

#[cfg(test)]
mod tests;

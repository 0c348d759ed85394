//! The league manager: lets agents in, gives out matches, takes results, keeps the table.
//!
//! Its state is a fold of its facts. A report counts once; a round ends when every match has its
//! result; nothing is announced before it is written down.
//!
//! Spec: docs/protocol/season.md

mod admissions;
mod book;
mod clocks;
mod conduct;
mod hearing;
mod in_play;
mod keeping;
mod letters;
mod news;
mod probes;
mod registration;
mod reports;
mod rounds;
mod tools;

use agon_proto::act::Act;
use agon_proto::tool::{LeaguePhase, LeagueState, RoundPhase};
use agon_proto::{Answer, Call, Envelope, Receipt, Timestamp};

use crate::effect::{Caller, Effects, Event, GOT_IT, Noticed, RequestId, Tag};
use crate::fact::LeagueFact;
use crate::gate::{self, Posted, Speaker};
use crate::league::League;
use crate::letterbox::Letterbox;
use crate::secret::Signing;
use crate::{AdmissionRules, Machine, Moment, Refusal, Secrets, Settings, TokenHash, first_of};
use admissions::Admissions;
use book::{Book, Records};
use conduct::Conduct;
use hearing::Heard;
use in_play::InPlay;
use letters::Letters;
use probes::Probing;
use registration::Applications;
use reports::{Report, Results};
use rounds::{Agenda, Rounds};

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
    /// Who may come, and on what terms.
    pub admission: AdmissionRules,
}

/// The league manager.
///
/// Its parts borrow of it what they need while one event is handled.
#[derive(Debug)]
pub struct Manager {
    records: Records,
    heard: Heard,
    in_play: InPlay,
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
        let assignments = &self.in_play.assignments;
        let matches_under_way = assignments.under_way();
        let out = matches_under_way > 0 || !league.settings.says().assigns;
        if state.round_phase == RoundPhase::Announced && out {
            state.round_phase = RoundPhase::InProgress;
        }
        LeagueState {
            waiting_for_referee: self.in_play.is_alone(league),
            matches_under_way,
            referees_silent: assignments.silent_count(),
            ..state
        }
    }

    fn conduct<'a>(&'a mut self, now: Timestamp, out: &'a mut Out) -> Conduct<'a> {
        let book = Book::open(&mut self.records, &mut self.heard, now, out);
        Conduct { book, in_play: &mut self.in_play }
    }

    /// The whole routing table.
    fn route(
        &mut self,
        (request, caller): (RequestId, Caller),
        letter: Box<Envelope>,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        let Records { league, signing, .. } = &self.records;
        let admitted = gate::at_manager((&league.registry, signing), letter)?;
        let (speaker, _, letter) = admitted.open();
        let foreign = league.settings.is_by_letters();
        self.conduct(now, out).hear_from(speaker);
        let Envelope { head, auth_token, act } = *letter;
        if foreign && !matches!(act, Act::LeagueQuery(_)) {
            return Err(Refusal::Unsupported("this league is played by letters"));
        }
        #[expect(clippy::wildcard_enum_match_arm, reason = "four acts are for us by call")]
        match act {
            Act::Apply(said) => {
                let mut applications = Applications(self.conduct(now, out));
                applications.register((request, caller), (head, auth_token), *said);
            }
            Act::MatchResultReport(said) => {
                let mut results = Results(self.conduct(now, out));
                results.take_report(speaker, said.match_id, Report::Shown(said, request))?;
            }
            Act::Heartbeat(said) => {
                let referee = match speaker {
                    Speaker::Referee(referee) => referee,
                    // It waits for the operator's word: it is heard, and that is all.
                    Speaker::Newcomer => {
                        out.acknowledge(request);
                        return Ok(());
                    }
                    Speaker::Manager(_) | Speaker::Player(_) => {
                        return Err(Refusal::NotPermitted("heartbeats come from referees"));
                    }
                };
                let mut conduct = self.conduct(now, out);
                conduct.players_told(*referee.get(), &said.told);
                conduct.beat(*referee.get());
                out.acknowledge(request);
            }
            Act::LeagueQuery(said) => {
                let asker = if let Speaker::Player(id) = speaker { Some(*id.get()) } else { None };
                let mut answer = self.league().answer(&said, asker)?;
                let found = speaker.agent().and_then(|id| self.in_play.probes.found(id));
                answer.reachable = found.map(Result::is_ok);
                self.conduct(now, out).book.answer(request, head.conversation_id, answer.into());
            }
            other => return Err(gate::not_for_us(&other)),
        }
        Ok(())
    }
}

impl Machine for Manager {
    type Fact = LeagueFact;

    fn handle(&mut self, event: Event, now: Timestamp, out: &mut Out) {
        let before = out.facts.len();
        match event {
            Event::Called { request, caller, call: Call::Message(letter) } => {
                if let Err(refusal) = self.route((request, caller), letter, now, out) {
                    out.refuse(request, refusal);
                }
            }
            Event::Called { request, call: Call::Tool(tool, params), .. } => {
                self.use_tool(request, tool, &params, now, out);
            }
            Event::Answered { tag: Tag::Assign { match_id, attempt }, answer } => {
                self.conduct(now, out).assigned((match_id, attempt), Ok(answer));
            }
            Event::Undelivered { tag: Tag::Assign { match_id, attempt }, why, .. } => {
                self.conduct(now, out).assigned((match_id, attempt), Err(why));
            }
            Event::Answered { tag: Tag::RoundOver { match_id, seat }, answer } => {
                if let Answer::Receipt(Receipt { played: Some(said), .. }) = answer {
                    self.conduct(now, out).compare_moves((match_id, seat), said);
                }
            }
            Event::Noticed { tag, how } => {
                if how == Noticed::Taken {
                    Probing(self.conduct(now, out)).heard(tag);
                }
                self.conduct(now, out).noticed(tag);
            }
            // The rest is not ours.
            Event::Answered { .. } | Event::Undelivered { .. } => {}
            Event::Posted { request, proof, caller, letter, .. }
                if self.league().settings.is_by_letters() =>
            {
                let posted = Posted::at_manager(self.league(), (&proof, caller), &letter);
                let taken = posted.and_then(|it| Letters(self.conduct(now, out)).take(&it));
                out.settle(request, taken.map(|()| GOT_IT));
            }
            Event::Posted { request, .. }
            | Event::Garbled { request, .. }
            | Event::Called { request, call: Call::Letter(_), .. } => {
                out.refuse(request, gate::NO_LETTERS);
            }
            Event::Probed { agent, endpoint, found } => {
                Probing(self.conduct(now, out)).probed(agent, &endpoint, found);
            }
            Event::Taken(parcel) => self.conduct(now, out).book.taken(parcel),
            Event::Drawn { .. } | Event::Thought { .. } => {}
        }
        // Only what became true moves a season on. What is read late does not: that is for the
        // clock, once everything is read.
        let is_new = out.facts.len() > before;
        if is_new && self.league().registry.vouched == 0 {
            Rounds(self.conduct(now, out)).turn(now);
        }
        let mut conduct = self.conduct(now, out);
        conduct.pass_on_disbelieved();
        conduct.look_for_referees();
    }

    fn tick(&mut self, Moment { now, heard }: Moment, out: &mut Out) {
        let mut conduct = self.conduct(now, out);
        conduct.wake();
        conduct.wait_no_longer();
        Admissions(conduct).expire();
        Probing(self.conduct(now, out)).send();
        Rounds(self.conduct(now, out)).turn(heard);
        self.conduct(now, out).look_for_referees();
    }

    fn deadline(&self) -> Option<Timestamp> {
        first_of([
            self.in_play.assignments.deadline(),
            self.in_play.waits_until(&self.heard),
            Agenda::of(&self.records, &self.in_play).next().map(|(_, due)| due),
            self.records.letterbox.deadline(),
            admissions::waits_until(&self.records).map(|(due, _)| due),
            self.in_play.probes.deadline(),
        ])
    }

    fn resume(&mut self, now: Timestamp, out: &mut Out) {
        let mut rounds = Rounds(self.conduct(now, out));
        let league = rounds.0.book.league();
        if league.season.phase == LeaguePhase::Startup {
            let settings = Box::new(league.settings.clone());
            rounds.0.book.record(LeagueFact::Opened { settings, at: now });
        }
        rounds.0.book.look_for_estranged();
        // Before anybody is called.
        let everybody = rounds.0.book.league().registry.everybody().map(|agent| agent.id);
        everybody.collect::<Vec<_>>().into_iter().for_each(|id| rounds.0.bound_calls_to(id));
        if rounds.0.book.league().settings.is_by_letters() {
            rounds.send_again();
        } else {
            rounds.tell_again();
        }
        rounds.open_season();
        Probing(rounds.0.lend()).plan_all();
        rounds.turn(now);
    }

    fn apply(&mut self, fact: &LeagueFact) {
        self.records.apply(fact);
    }
}

#[cfg(test)]
mod tests;

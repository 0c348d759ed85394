//! What the league manager says, and what a referee does about it: registration, the table, rounds,
//! pause and reset. What nobody here knows is taken and changes nothing.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::dialect::q21::{
    AssignmentAck, AssignmentTable, Body, Connectivity, Letter, NewRound, RegistrationAnswer,
    RegistrationRequest, Role, StateAnswer, Task, Verdict,
};
use agon_proto::{AuthToken, MessageId, SeasonId, Timestamp};

use super::fact::{AbortReason, Fact, Fixture, Round, Start};
use super::letters::{Said, short_hash};
use super::{League, Membership, Out, Referee, table};
use crate::effect::{Effect, Ending};
use crate::post::{ParcelId, PostFact};
use crate::roles::q21::passport::Visa;

impl Referee {
    /// The whole routing table of the manager's letters.
    pub(super) fn manager_said(&mut self, letter: Letter, now: Timestamp, out: &mut Out) {
        // Mails overtake each other, and some are still about a season that is forgotten.
        let opens = matches!(letter.body, Body::StartSeason(_));
        if !opens && season_of(&letter).is_some_and(|season| self.league.past.contains(season)) {
            return;
        }
        #[expect(clippy::wildcard_enum_match_arm, reason = "a dozen of forty are for a referee")]
        match &letter.body {
            Body::StartSeason(said) => self.start_season(&said.season, &letter, now, out),
            Body::RegistrationAnswer(said) => self.registered(said, &letter, out),
            Body::AssignmentTable(said) | Body::TableAnswer(said) => {
                self.assigned(said, &letter, now, out);
            }
            Body::NewRound(said) => self.new_round(said, &letter, now, out),
            Body::EndRound(said) => self.end_round(said.number, now, out),
            Body::LeagueCompleted(_) => {
                self.abort_all(AbortReason::LeagueCompleted, now, out);
                self.record(Fact::Completed, out);
            }
            Body::KeepAlive(_) => self.answer_state(Task::KeepAlive, &letter, now, out),
            Body::Pause(_) => {
                self.answer_state(Task::Pause, &letter, now, out);
                if self.league.paused_at.is_none() {
                    self.record(Fact::Paused { at: now }, out);
                }
            }
            Body::Continue(_) => {
                if self.league.paused_at.is_some() {
                    self.record(Fact::Continued { at: now }, out);
                }
                self.answer_state(Task::Continue, &letter, now, out);
            }
            Body::Reset(_) => self.reset(&letter, now, out),
            Body::ConnectivityCall(said) => {
                let echo = Connectivity {
                    ping: said.ping.clone(),
                    echo_from: Some(self.passport.address.clone()),
                    at: said.at,
                };
                let id = MessageId::new(&format!("echo-{}", short_hash(&[&letter.id])));
                self.tell_manager(
                    Said { id, answers: &letter },
                    Body::ConnectivityEcho(echo),
                    now,
                    out,
                );
            }
            // News for people, tables of results, and what nobody here knows.
            _ => {}
        }
    }

    /// The season is forgotten, and nobody wants our letters about it.
    fn reset(&mut self, letter: &Letter, now: Timestamp, out: &mut Out) {
        let waiting: Vec<ParcelId> = self.post.waiting().map(|parcel| parcel.id).collect();
        for parcel in waiting {
            self.record(Fact::Post(PostFact::Settled(parcel)), out);
        }
        self.record(Fact::Reset, out);
        self.thoughts.clear();
        self.answer_state(Task::Reset, letter, now, out);
        // Nobody invites whom it calls: we ask again by ourselves.
        if self.passport.is_called() {
            self.record(Fact::VisaExpired, out);
            self.apply_for_membership(Some(letter), now, out);
        }
    }

    fn start_season(&mut self, season: &SeasonId, letter: &Letter, now: Timestamp, out: &mut Out) {
        let same = self.league.season.as_ref() == Some(season);
        if same && self.league.membership == Membership::In {
            return;
        }
        if !same {
            self.open_season(season, letter, now, out);
        }
        self.apply_for_membership(Some(letter), now, out);
    }

    fn open_season(&mut self, season: &SeasonId, letter: &Letter, now: Timestamp, out: &mut Out) {
        if self.league.season.is_some() {
            self.abort_all(AbortReason::NewSeason, now, out);
        }
        let league = letter.context.league.clone();
        self.record(Fact::SeasonOpened { season: season.clone(), league }, out);
    }

    /// Asks to be told of seasons: a manager that does not expect us has not invited us.
    pub(super) fn introduce(&mut self, now: Timestamp, out: &mut Out) {
        let body = Body::LeagueRegistration(self.passport.introduction(Role::Referee));
        let id = MessageId::new(&format!("lreg-{}", self.passport.address));
        let letter = self.to_manager(id, body, now);
        self.queue(self.passport.manager.clone(), letter, None, out);
    }

    /// Asks to be admitted to the season that was opened, or by call to whichever is open.
    pub(super) fn apply_for_membership(
        &mut self,
        opened: Option<&Letter>,
        now: Timestamp,
        out: &mut Out,
    ) {
        let address = self.passport.address.as_str();
        // By call the id proves the answer, so nobody may guess it.
        let (nonce, by_call) = (self.passport.nonce, self.passport.is_called());
        let id = MessageId::new(&match opened.map(|letter| short_hash(&[&letter.id])) {
            Some(opened) if by_call => format!("sreg-{nonce:016x}-{opened}-{address}"),
            Some(opened) => format!("sreg-{opened}-{address}"),
            None => format!("sreg-{nonce:016x}-{address}"),
        });
        let request = RegistrationRequest {
            season: self.league.season.clone(),
            group: Some(self.passport.group.clone()),
            participant: Some(self.passport.name.clone()),
            name: Some(self.passport.name.clone()),
            role: Some(Role::Referee),
            also: self.passport.mailbox.clone(),
        };
        let mut letter = self.to_manager(id.clone(), Body::RegistrationRequest(request), now);
        if let Some(opened) = opened {
            letter.answers = Some(opened.id.clone());
            letter.context.broadcast = opened.context.broadcast.clone();
        }
        self.record(Fact::Applied { request: id }, out);
        self.queue(self.passport.manager.clone(), letter, None, out);
    }

    /// Whoever is in already is in.
    fn registered(&mut self, said: &RegistrationAnswer, letter: &Letter, out: &mut Out) {
        let already = said.reason.as_deref() == Some("already_registered");
        let visa = said.auth_token.clone().filter(|_| self.passport.token().is_none()).and_then(
            |token: AuthToken| {
                let league = letter.context.league.clone().or_else(|| self.league.id.clone())?;
                Some(Visa { league, token })
            },
        );
        if said.status == Verdict::Accepted || already {
            let season = said.season.clone().or_else(|| letter.context.season.clone());
            self.record(Fact::Admitted { season, visa }, out);
            return;
        }
        let reason: Box<str> = said.reason.clone().or(said.text.clone()).unwrap_or_default();
        self.record(Fact::Rejected { reason: reason.clone() }, out);
        // By mail another season may open; by call there is nothing to wait for.
        if self.passport.is_called() {
            out.push(Effect::Finish(Ending::NotAdmitted(reason)));
        }
    }

    fn assigned(&mut self, said: &AssignmentTable, letter: &Letter, now: Timestamp, out: &mut Out) {
        let season = said.season.clone().or_else(|| letter.context.season.clone());
        if let (Some(old), Some(new)) = (&self.league.season, &season)
            && old != new
        {
            self.open_season(new, letter, now, out);
        }
        let fixtures = table::fixtures(&said.rows, &self.passport.address);
        let ack = AssignmentAck {
            season: season.clone().or_else(|| self.league.season.clone()),
            group: Some(self.passport.group.clone()),
            received: u32::try_from(fixtures.len()).unwrap_or(u32::MAX),
        };
        let league = letter.context.league.clone();
        self.record(Fact::Assigned { season, league, fixtures }, out);
        let id = MessageId::new(&format!("assign-ack-{}", short_hash(&[&letter.id])));
        self.tell_manager(Said { id, answers: letter }, Body::RefereeAck(ack), now, out);
        // Letters overtake each other: the round may have begun before the table came.
        self.start_games(now, out);
    }

    /// A newer round ends whatever is still played of the older ones.
    fn new_round(&mut self, said: &NewRound, letter: &Letter, now: Timestamp, out: &mut Out) {
        let current = self.league.round.as_ref().map_or(0, |round| round.number);
        if said.number <= current || self.league.completed {
            return;
        }
        self.abort_all(AbortReason::NewRound, now, out);
        let name = letter.context.round.clone();
        let round = Round {
            number: said.number,
            name: name.unwrap_or_else(|| said.number.to_string().into()),
            present: said.present.clone(),
        };
        self.record(Fact::RoundBegan(round), out);
        self.start_games(now, out);
    }

    fn end_round(&mut self, number: u32, now: Timestamp, out: &mut Out) {
        let current = self.league.round.as_ref().map(|round| round.number);
        if current == Some(number) && !self.league.round_ended {
            self.abort_all(AbortReason::RoundEnded, now, out);
            self.record(Fact::RoundEnded { number }, out);
        }
    }

    /// Begins every game of the current round that has not begun.
    fn start_games(&mut self, now: Timestamp, out: &mut Out) {
        let Some(round) = self.league.round.clone().filter(|_| !self.league.round_ended) else {
            return;
        };
        let fresh = |fixture: &&Fixture| {
            fixture.round == round.number && !self.games.contains_key(&fixture.game)
        };
        let fixtures: Vec<Fixture> = self.league.fixtures.iter().filter(fresh).cloned().collect();
        for fixture in fixtures {
            let absent = fixture.players.each_ref().map(|player| {
                round.present.as_ref().is_some_and(|present| !present.contains(&player.address))
            });
            let game = fixture.game.clone();
            let tokens = fixture.players.each_ref().map(|player| self.game_token(&game, player));
            let (name, played) = (round.name.clone(), self.terms.played.clone());
            let at = self.clock(now);
            let start = Start { fixture, round: name, played, absent, tokens, at };
            self.play(&game, Fact::Started(Box::new(start)), now, out);
        }
    }

    /// Says where we stand, in answer to a keep-alive, a pause, a continue or a reset.
    fn answer_state(&mut self, task: Task, letter: &Letter, now: Timestamp, out: &mut Out) {
        let (status, name) = match task {
            Task::KeepAlive => ("alive", "alive"),
            Task::Pause => ("PAUSED", "paused"),
            Task::Continue => ("RESUMED", "resumed"),
            Task::Reset => ("COMPLETED", "reset"),
        };
        let playing = self.games.iter().find(|(_, held)| held.live().is_some());
        let answer = StateAnswer {
            status: status.into(),
            state: self.state().into(),
            game: playing.map(|(game, _)| game.clone()),
            text: Box::default(),
        };
        let id = MessageId::new(&format!("{name}-{}", short_hash(&[&letter.id])));
        self.tell_manager(Said { id, answers: letter }, Body::State(task, answer), now, out);
    }

    /// Learns what is not about one game that is being played.
    pub(super) fn learn(&mut self, fact: &Fact) {
        let league = &mut self.league;
        match fact {
            Fact::Post(fact) => {
                self.post.apply(fact);
                self.introduced |= fact.queued().is_some_and(|parcel| {
                    matches!(parcel.letter.body, Body::LeagueRegistration(_))
                });
            }
            Fact::SeasonOpened { season, league: id } => {
                league.forget();
                league.past.remove(season);
                league.id = id.clone().or(league.id.take());
                league.season = Some(season.clone());
                self.games.clear();
            }
            Fact::Applied { request } => league.membership = Membership::Applied(request.clone()),
            Fact::Admitted { season, visa } => {
                league.membership = Membership::In;
                league.season = league.season.take().or_else(|| season.clone());
                if let Some(visa) = visa {
                    league.id = Some(visa.league.clone());
                    self.passport.visa = Some(visa.clone());
                }
            }
            Fact::Rejected { .. } => league.membership = Membership::Rejected,
            Fact::Assigned { season, league: id, fixtures } => {
                league.season = season.clone().or(league.season.take());
                league.id = id.clone().or(league.id.take());
                league.fixtures.clone_from(fixtures);
                league.has_table = true;
            }
            Fact::RoundBegan(round) => {
                league.round = Some(round.clone());
                league.round_ended = false;
            }
            Fact::RoundEnded { .. } => league.round_ended = true,
            Fact::Paused { at } => league.paused_at = Some(*at),
            Fact::Continued { at } => self.go_on(*at),
            Fact::Reset => {
                league.forget();
                self.games.clear();
            }
            Fact::VisaExpired => self.passport.visa = None,
            Fact::Completed => league.completed = true,
            // About a game that is over, or that begins or ends: see `take_in`.
            Fact::Started(_) | Fact::Judged { .. } | Fact::Told { .. } | Fact::Lost { .. } => {}
            Fact::Answered { .. } | Fact::Garbled { .. } | Fact::TimedOut { .. } => {}
            Fact::Extended { .. } | Fact::Aborted { .. } => {}
        }
    }
}

impl League {
    /// Everything of the season.
    fn forget(&mut self) {
        let (id, mut past) = (self.id.take(), std::mem::take(&mut self.past));
        past.extend(self.season.take());
        *self = Self { id, past, ..Self::default() };
    }
}

/// The season that a letter is about, if it says so.
#[expect(clippy::wildcard_enum_match_arm, reason = "four of 40 letters name it in what they say")]
fn season_of(letter: &Letter) -> Option<&SeasonId> {
    let said = match &letter.body {
        Body::RegistrationAnswer(said) => said.season.as_ref(),
        Body::AssignmentTable(said) | Body::TableAnswer(said) => said.season.as_ref(),
        Body::LeagueCompleted(said) => said.season.as_ref(),
        _ => None,
    };
    said.or(letter.context.season.as_ref()).filter(|season| !season.is_empty())
}

//! What the league manager says, and what a referee does about it beside what every agent does:
//! the table and the rounds. What nobody here knows is taken and changes nothing.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::Letter;
use agon_proto::Timestamp;
use agon_proto::act::{Act, AssignmentAck, AssignmentTable, NewRound};

use super::fact::{AbortReason, Fact, Fixture, Round, Start};
use super::{League, Out, Referee, table};
use crate::agent::{self, AgentFact, Correspondent, Heed, Member};
use crate::gate::{Proved, TheManager};

impl Referee {
    /// The whole routing table of the manager's letters.
    pub(super) fn manager_said(
        &mut self,
        by: &Proved<TheManager>,
        letter: &Letter,
        now: Timestamp,
        out: &mut Out,
    ) {
        // Mails overtake each other, and some are still about a season that is forgotten.
        let opens = matches!(letter.act, Act::StartSeason(_));
        if !opens && self.me.season.is_past(letter) {
            return;
        }
        if let Heed::Nothing = agent::hear(self, by, letter, now, out) {
            return;
        }
        #[expect(clippy::wildcard_enum_match_arm, reason = "five of forty are for a referee")]
        match &letter.act {
            Act::AssignmentTable(said) | Act::TableAnswer(said) => {
                self.assigned(said, letter, now, out);
            }
            Act::NewRound(said) => self.new_round(said, letter, now, out),
            Act::EndRound(said) => self.end_round(said.number, now, out),
            Act::SeasonCompleted(_) => {
                self.abort_all(AbortReason::LeagueCompleted, now, out);
                self.note(AgentFact::Completed { at: now }, out);
            }
            // News for people, tables of results, and what nobody here knows.
            _ => {}
        }
    }

    fn assigned(&mut self, said: &AssignmentTable, letter: &Letter, now: Timestamp, out: &mut Out) {
        let season = said.season.clone().or_else(|| letter.context.season.clone());
        if let Some(season) = season.clone().filter(|new| self.me.season.is_another(new)) {
            self.stop(now, out);
            let league = letter.context.league.clone();
            self.note(AgentFact::SeasonOpened { season, league }, out);
        }
        let fixtures = table::fixtures(&said.rows, &self.me.address);
        let ack = AssignmentAck {
            season: season.clone().or_else(|| self.me.season.id.clone()),
            group: Some(self.me.profile.group.clone()),
            received: u32::try_from(fixtures.len()).unwrap_or(u32::MAX),
        };
        let league = letter.context.league.clone();
        self.record(Fact::Assigned { season, league, fixtures }, out);
        agent::answer_manager(self, "assign-ack", Act::RefereeAck(ack), letter, now, out);
        // Letters overtake each other: the round may have begun before the table came.
        self.start_games(now, out);
    }

    /// A newer round ends whatever is still played of the older ones.
    fn new_round(&mut self, said: &NewRound, letter: &Letter, now: Timestamp, out: &mut Out) {
        let current = self.league.round.as_ref().map_or(0, |round| round.number);
        if said.number <= current || self.me.season.completed.is_some() {
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

    /// Learns what is not about one game that is being played.
    pub(super) fn learn(&mut self, fact: &Fact) {
        let (league, told) = (&mut self.league, &mut self.me.season);
        match fact {
            Fact::Agent(fact) => self.learn_as_agent(fact),
            Fact::Assigned { season, league: id, fixtures } => {
                told.name(season.as_ref());
                told.learn(id.as_ref());
                league.fixtures.clone_from(fixtures);
                league.has_table = true;
            }
            Fact::RoundBegan(round) => {
                league.round = Some(round.clone());
                league.round_ended = false;
            }
            Fact::RoundEnded { .. } => league.round_ended = true,
            // About a game that is over, or that begins or ends: see `take_in`.
            Fact::Started(_) | Fact::Judged { .. } | Fact::Told { .. } | Fact::Lost { .. } => {}
            Fact::Answered { .. } | Fact::Garbled { .. } | Fact::TimedOut { .. } => {}
            Fact::Extended { .. } | Fact::Aborted { .. } => {}
        }
    }

    /// What every agent learns, and what a referee makes of it.
    fn learn_as_agent(&mut self, fact: &AgentFact) {
        #[expect(clippy::wildcard_enum_match_arm, reason = "the others concern the agent alone")]
        match fact {
            AgentFact::SeasonOpened { season, .. } if self.me.season.is_another(season) => {
                self.forget();
            }
            AgentFact::Reset => self.forget(),
            AgentFact::Continued { at } => self.go_on(*at),
            _ => {}
        }
        self.me.apply(fact);
    }

    /// Everything of the season.
    fn forget(&mut self) {
        self.league = League::default();
        self.games.clear();
        self.thoughts.clear();
    }
}

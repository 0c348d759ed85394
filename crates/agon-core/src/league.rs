//! A league: everything of it that must never be forgotten, and nothing else.
//!
//! It changes only in `apply`, so whoever reads a journal of facts has the same league: its
//! manager, an export, an auditor. It knows no secret, no timer and no request.
//!
//! Spec: docs/protocol/season.md

mod calendar;
mod invitations;
mod lookup;
mod messages;
mod next;
pub(crate) mod registry;
mod schedule;
mod views;

use std::collections::BTreeMap;

use agon_proto::tool::{LeaguePhase, LeagueState};
use agon_proto::{AgentId, Contact, MatchId, PlayerId, RefereeId, RoundId, SeasonId};

use crate::fact::{LeagueFact, Registration, SeasonFact};
use crate::format::{Fixtures, Lineup};
use crate::season::{Attempt, Season};
use crate::{Settings, TokenHash};
pub(crate) use calendar::{Calendar, Correspondence};
pub use invitations::Invitation;
pub(crate) use invitations::{Invitations, Issued};
use messages::HandedIn;
pub use messages::KeptPieces;
pub use next::next_season;
use registry::{RegisteredAgent, Registry};
pub use schedule::schedule_page;

/// Why a season cannot begin whose players come by ways that a referee does not know.
const UNREACHED: &str = "a referee cannot reach every player: where some are written to and some \
                         are called, each referee needs an endpoint and an address for letters";

/// So many disputed matches are named.
const DISPUTED_MAX: usize = 10;

/// A league, as its facts have made it.
#[derive(Debug)]
pub struct League {
    pub(crate) settings: Settings,
    pub(crate) registry: Registry,
    pub(crate) invitations: Invitations,
    pub(crate) season: Season,
    pub(crate) correspondence: Correspondence,
    pub(crate) calendar: Calendar,
    pub(crate) handed_in: HandedIn,
    /// Who was in a season that was reset, as it was then.
    pub(crate) former: BTreeMap<Contact, RegisteredAgent>,
    /// How often the season was reset.
    pub(crate) resets: u32,
}

impl League {
    /// One in which nothing has happened yet.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            registry: Registry::default(),
            invitations: Invitations::default(),
            season: Season::default(),
            correspondence: Correspondence::default(),
            calendar: Calendar::default(),
            handed_in: HandedIn::default(),
            former: BTreeMap::new(),
            resets: 0,
        }
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub fn season(&self) -> &Season {
        &self.season
    }

    /// Name and contact of a player.
    pub fn player(&self, id: PlayerId) -> Option<(&str, &str)> {
        self.registry.player(id).map(|agent| (agent.name.as_str(), agent.contact.as_str()))
    }

    /// Name and contact of a referee.
    pub fn referee(&self, id: RefereeId) -> Option<(&str, &str)> {
        self.registry.referee(id).map(|agent| (agent.name.as_str(), agent.contact.as_str()))
    }

    /// Where it stands. Who waits for whom is not known here.
    pub fn state(&self) -> LeagueState {
        // Of a season that has begun, those who take part.
        let (begun, lineup) = (self.season.has_begun(), &self.season.lineup);
        let players = if begun { lineup.players() } else { self.registry.player_count() };
        let settled = begun && !lineup.takes_referees();
        let referees = if settled { lineup.referees() } else { self.registry.referee_count() };
        LeagueState {
            league_id: self.settings.league_id.clone(),
            season_id: self.settings.told_season(),
            phase: self.season.phase,
            paused: self.season.paused,
            paused_by: self.season.paused_by().cloned(),
            players,
            referees,
            round: self.season.round(),
            round_phase: self.season.round_phase(),
            rounds: self.season.rounds(),
            matches_completed: self.season.completed,
            matches: self.season.matches(),
            champion: self.season.champion,
            waiting_for_referee: false,
            needs: self.needs().map(Box::from),
            matches_under_way: 0,
            referees_silent: 0,
            agents_waiting: u32::try_from(self.registry.waiting().0).unwrap_or(u32::MAX),
            agents_expected: self.registry.expected(),
            disputed: self.disputed(),
            ended_at: self.season.ended,
            changed: None,
        }
    }

    /// Who is in it; of a season that has begun, who takes part. Players first.
    pub(crate) fn everybody(&self) -> impl Iterator<Item = &RegisteredAgent> {
        let (begun, lineup) = (self.season.has_begun(), &self.season.lineup);
        self.registry.everybody().filter(move |agent| !begun || lineup.holds(agent.id))
    }

    /// The players among them, and those who were taken out since it began.
    pub fn player_ids(&self) -> Vec<PlayerId> {
        if self.season.has_begun() {
            return self.season.lineup.player_ids().collect();
        }
        let players = self.registry.everybody().filter_map(|agent| match agent.id {
            AgentId::Player(player) => Some(player),
            AgentId::Referee(_) => None,
        });
        players.collect()
    }

    /// Whom that token proved before the season was reset.
    pub(crate) fn former_holder(&self, token: &TokenHash) -> Option<&Contact> {
        let holder = self.former.values().find(|known| known.token == Some(*token));
        holder.map(|known| &known.contact)
    }

    /// Who takes part if the season begins now, or what it still needs.
    pub(crate) fn lineup(&self) -> Result<Lineup, &'static str> {
        let lineup = self.settings.format.lineup(&self.registry)?;
        let reached = self.registry.is_everybody_reached(&lineup);
        if reached { Ok(lineup) } else { Err(UNREACHED) }
    }

    /// The first matches of which a report did not count, or somebody says otherwise.
    fn disputed(&self) -> Vec<MatchId> {
        let said = self.correspondence.contradicted.iter();
        let other_moves = said.filter(|(_, played)| played.is_some()).map(|((id, _), _)| *id);
        let reports = self.season.disputed.keys().map(|(id, _)| *id);
        let mut disputed: Vec<_> = reports.chain(other_moves).collect();
        disputed.sort_unstable();
        disputed.dedup();
        disputed.truncate(DISPUTED_MAX);
        disputed
    }

    /// What a season that is open still needs before it can begin.
    fn needs(&self) -> Option<&'static str> {
        let open = self.season.phase == LeaguePhase::AcceptingRegistrations;
        self.lineup().err().filter(|_| open)
    }

    /// The next round of the season, whose last one is complete; `None`: it is over.
    pub(crate) fn next(&self) -> Option<Fixtures> {
        self.settings.format.next(&self.season)
    }

    /// Whether there is a round after that one, which is complete.
    pub fn goes_on_after(&self, round: RoundId) -> bool {
        round < self.season.round() || self.next().is_some()
    }
}

/// The transitions.
impl League {
    /// Something became true.
    pub fn apply(&mut self, fact: &LeagueFact) {
        self.calendar.apply(fact);
        match fact {
            LeagueFact::Opened { settings, .. } => {
                self.settings = Settings::clone(settings);
                self.season.open_registration();
            }
            LeagueFact::Registered(registration) => self.admit(registration),
            LeagueFact::Invited { invitation, at, .. } => self.invitations.add(invitation, *at),
            LeagueFact::InvitationRevoked { number, .. } => self.invitations.revoke(*number),
            LeagueFact::Approved { agent, .. } => self.registry.take_in(*agent),
            LeagueFact::Removed { agent, .. } => self.registry.let_go(*agent),
            LeagueFact::SeasonStarted { lineup, .. } => {
                let paper = self.settings.paper(lineup);
                self.season.start(paper, lineup.clone(), &self.settings.tie_breakers);
            }
            LeagueFact::RoundAnnounced { round, fixtures, referees, at } => {
                assert_eq!(*round, self.season.round() + 1, "rounds come one after the other");
                self.season.announce(fixtures, referees, *at);
                for referee in referees.iter().flatten() {
                    self.burden(*referee);
                }
            }
            LeagueFact::MatchReassigned { match_id, attempt, referee, .. } => {
                let (number, referee) = (*attempt, *referee);
                self.season.reassign(*match_id, Attempt { number, referee });
                self.burden(referee);
            }
            LeagueFact::ResultAccepted { referee, .. }
            | LeagueFact::ResultDisputed { referee, .. } => {
                let counts = matches!(fact, LeagueFact::ResultAccepted { .. });
                self.registry.note_report(*referee, counts);
                self.season.note_report(fact);
            }
            LeagueFact::MessagesKept { .. } => self.handed_in.apply(fact),
            LeagueFact::RoundCompleted { at, .. } => self.season.complete_round(*at),
            LeagueFact::LeagueCompleted { champion, at } => self.season.complete(*champion, *at),
            LeagueFact::PlayerWithdrawn { player, .. } => self.season.withdraw(*player),
            LeagueFact::MatchVoided { match_id, order, at } => {
                self.season.void(*match_id, order.given(*at));
            }
            LeagueFact::MatchRerun { match_id, attempt, referee, order, at } => {
                let attempt = Attempt { number: *attempt, referee: *referee };
                self.season.rerun(*match_id, attempt, order.given(*at));
                self.burden(*referee);
            }
            LeagueFact::PlayerReset { player, token, at, .. } => {
                self.reset(AgentId::Player(*player), *token);
                self.season.readmit(*player, *at);
            }
            LeagueFact::RefereeReset { referee, token, .. } => {
                self.reset(AgentId::Referee(*referee), *token);
                self.season.distrusted.remove(referee);
            }
            LeagueFact::Paused { order, at } => {
                self.season.pause(order.as_ref().map(|order| order.given(*at)));
            }
            LeagueFact::Resumed { .. } => self.season.resume(),
            LeagueFact::Season(SeasonFact::SeasonReset { season, number, .. }) => {
                self.begin_anew(season, *number);
            }
            LeagueFact::Season(fact) => self.correspondence.apply(fact),
            LeagueFact::Letterbox(_) => {}
        }
    }

    /// Somebody is in, or in again; perhaps by an invitation, which counts once for each.
    fn admit(&mut self, registration: &Registration) {
        let before = self.registry.agent(registration.agent).and_then(|it| it.invitation);
        if let Some(number) = registration.invitation.filter(|it| before != Some(*it)) {
            self.invitations.use_up(number, registration.agent);
        }
        self.registry.admit(registration);
    }

    fn reset(&mut self, agent: AgentId, token: TokenHash) {
        if let Some(number) = self.registry.agent(agent).and_then(|known| known.invitation) {
            self.invitations.disown(number, agent);
        }
        self.registry.reset(agent, token);
    }

    fn burden(&mut self, referee: RefereeId) {
        self.registry.burden(referee, self.season.size(self.season.round()));
    }

    /// The season is forgotten, and another one is open.
    fn begin_anew(&mut self, season: &SeasonId, number: u32) {
        let mut settings = self.settings.clone();
        settings.seasons = settings.seasons.called(season.clone(), number);
        let mut former = std::mem::take(&mut self.former);
        let agents = self.registry.everybody();
        former.extend(agents.map(|agent| (agent.contact.clone(), agent.clone())));
        let invitations = std::mem::take(&mut self.invitations).unused();
        *self = Self { former, invitations, resets: self.resets + 1, ..Self::new(settings) };
        self.season.open_registration();
    }
}

//! Opening the season, and beginning it: who is complete is in, and everybody gets the table.
//!
//! Spec: docs/protocol/q21.md

use std::time::Duration;

use agon_proto::q21::{Address, Body, RegistrationAnswer, Role, StartSeason, Verdict};
use agon_proto::tool::LeaguePhase;
use agon_proto::{DisplayName, Endpoint, PlayerId, RefereeId, Timestamp};

use super::super::{Manager, Out};
use super::outbox::News;
use crate::fact::{LeagueFact, Order, Q21Fact};
use crate::league::Member;
use crate::{Provenance, Refusal, TokenHash};

/// More teams would have games that a game id cannot name.
pub(super) const TEAMS_MAX: u32 = 300;

impl Manager {
    /// Tells everybody who is expected of the season, once.
    pub(super) fn open_season(&mut self, now: Timestamp, out: &mut Out) {
        if self.league.calendar.announced
            || self.league.season.phase() != LeaguePhase::AcceptingRegistrations
        {
            return;
        }
        let terms = &self.league.settings.q21;
        let season = terms.season.clone();
        let until = terms.registration_ms.map(|length| now + Duration::from_millis(length));
        let expected = self.expected();
        self.record(LeagueFact::Q21(Q21Fact::SeasonAnnounced { season, until, at: now }), out);
        self.tell_season(expected, now, out);
    }

    /// START_SEASON. Who is called has no proof of us before it has come to us by itself.
    pub(super) fn tell_season(&mut self, to: Vec<Address>, now: Timestamp, out: &mut Out) {
        if self.league.settings.q21.by_call {
            return;
        }
        let terms = &self.league.settings.q21;
        let count = |role| u32::try_from(self.league.roll.with_role(role).count()).ok();
        let news = StartSeason {
            season: terms.season.clone(),
            name: terms.name.clone(),
            total_rounds: terms.rounds.unwrap_or(0),
            registration_deadline: self.league.calendar.until,
            registered_players: count(Role::Player),
            registered_referees: count(Role::Referee),
            text: format!("{} opens: register now", terms.name).into(),
        };
        self.tell(to, News::once("startseason", Body::StartSeason(news)), now, out);
    }

    /// Who would be in if the season began now: players and referees. In a season of teams the
    /// n-th player and the n-th referee are one team.
    pub(super) fn lineup(&self) -> [Vec<&Member>; 2] {
        let roll = &self.league.roll;
        if self.league.settings.q21.dedicated_referees {
            return [Role::Player, Role::Referee].map(|role| roll.with_role(role).collect());
        }
        let (players, referees) = roll.teams().map(|[player, referee]| (player, referee)).unzip();
        [players, referees]
    }

    /// Why the season cannot begin yet, if it cannot.
    pub(super) fn lacks(&self) -> Option<&'static str> {
        let [players, referees] = self.lineup();
        if self.league.settings.q21.dedicated_referees {
            let enough = players.len() >= 2 && !referees.is_empty();
            return (!enough).then_some("a season needs two players and a referee");
        }
        (players.len() < 3).then_some("a season needs three teams, each with player and referee")
    }

    /// The season begins, by an order or by itself.
    pub(in crate::roles::manager) fn begin_season(
        &mut self,
        order: Option<Order>,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        if let Some(lack) = self.lacks() {
            return Err(Refusal::OutOfTurn(lack));
        }
        let [players, referees] =
            self.lineup().map(|members| members.into_iter().cloned().collect::<Vec<_>>());
        for (number, member) in (1..).zip(&players) {
            let (name, endpoint, token) = self.papers(member);
            let player = PlayerId::new(number);
            let (provenance, said_at, at) = (Provenance::default(), now, now);
            self.record(
                LeagueFact::PlayerRegistered {
                    player,
                    name,
                    endpoint,
                    token,
                    provenance,
                    said_at,
                    at,
                },
                out,
            );
        }
        let capacity = TEAMS_MAX;
        for (number, member) in (1..).zip(&referees) {
            let (name, endpoint, token) = self.papers(member);
            let referee = RefereeId::new(number);
            self.record(
                LeagueFact::RefereeRegistered {
                    says_told: false,
                    referee,
                    name,
                    endpoint,
                    token,
                    provenance: Provenance::default(),
                    capacity,
                    said_at: now,
                    at: now,
                },
                out,
            );
        }
        let players = self.league.registry.player_count();
        self.record(LeagueFact::SeasonStarted { players, order, at: now }, out);
        self.tell_incomplete(now, out);
        self.tell_table(now, out);
        Ok(())
    }

    /// By mail nobody is shown a token, but an agent without one cannot be written down.
    fn papers(&self, member: &Member) -> (DisplayName, Endpoint, TokenHash) {
        let minted =
            || self.options.secrets.mint_for(&self.league.settings.q21.season, &member.address);
        let token = member.token.or_else(|| TokenHash::of(&minted()));
        let token = token.expect("a minted token is one of ours");
        (member.name.clone(), Endpoint::new(member.address.as_str()), token)
    }

    /// Who has enrolled and is not in, because the other half of its team did not come.
    fn tell_incomplete(&mut self, now: Timestamp, out: &mut Out) {
        let season = self.league.settings.q21.season.clone();
        let left_out = self.league.roll.members().iter().filter(|member| {
            self.league.registry.at(&Endpoint::new(member.address.as_str())).is_none()
        });
        let left_out: Vec<Member> = left_out.cloned().collect();
        for Member { address, role, group, .. } in left_out {
            let missing = match role {
                Role::Referee => Role::Player,
                Role::Player | Role::Manager => Role::Referee,
            };
            let text = format!(
                "The team {group} is not in {season}: its {} did not register",
                missing.name()
            );
            let answer = RegistrationAnswer {
                status: Verdict::Rejected,
                season: Some(season.clone()),
                reason: Some("incomplete_team".into()),
                text: Some(text.into()),
                registration: None,
                auth_token: None,
            };
            let id = format!("incomplete-{season}-{address}");
            let body = Body::RegistrationAnswer(answer);
            let letter = self.compose(&id, address.as_str(), body, now);
            self.post(vec![address], letter, None, out);
        }
    }
}

//! The book of a league, open while one event is handled: the only way to change the league, and
//! the only way to say something.
//!
//! What is recorded is true at once for whoever asks next, and stands in the buffer, to be made
//! durable before anybody hears of it.
//!
//! Spec: docs/protocol/season.md

mod outbox;

use agon_proto::act::Act;
use agon_proto::{
    AgentId, Answer, AuthToken, ConversationId, Dialogue, Envelope, Sender, Timestamp,
};

use super::hearing::Heard;
use super::news::{News, Telling};
use super::{ManagerOptions, Out};
use crate::effect::{Alert, Effect, Recipient, RequestId};
use crate::fact::{LeagueFact, SeasonFact};
use crate::league::League;
use crate::league::registry::Agent;
use crate::letterbox::Letterbox;
use crate::secret::{Signer, Signing};
use crate::{RequestDigest, TokenHash};

/// All that a manager has from its facts: the league, what proves us to each agent, and the
/// letters. Read again, the same facts make the same of it.
#[derive(Debug)]
pub(super) struct Records {
    pub(super) options: ManagerOptions,
    pub(super) league: League,
    pub(super) signing: Signing,
    pub(super) letterbox: Letterbox,
}

impl Records {
    /// Something became true.
    pub(super) fn apply(&mut self, fact: &LeagueFact) {
        self.league.apply(fact);
        #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is the league's")]
        match fact {
            LeagueFact::Letterbox(fact) => self.letterbox.apply(fact),
            LeagueFact::Registered(registration) => self.signing.renew(registration.agent),
            LeagueFact::PlayerReset { player, .. } => self.signing.renew(AgentId::Player(*player)),
            LeagueFact::RefereeReset { referee, .. } => {
                self.signing.renew(AgentId::Referee(*referee));
            }
            LeagueFact::Season(SeasonFact::SeasonReset { .. }) => self.signing = Signing::default(),
            _ => {}
        }
    }

    /// What proves us to that agent, if it is called.
    pub(super) fn signer(&self, id: AgentId) -> Option<&Signer> {
        self.signing.signer(id, || {
            let agent = self.league.registry.agent(id).filter(|agent| agent.token.is_some())?;
            Signer::of(self.token_of(agent), &self.league.settings.league_id)
        })
    }

    /// Whether our key made that agent's token; with another one it believes nothing that we show.
    pub(super) fn is_ours(&self, agent: &Agent) -> bool {
        TokenHash::of(&self.token_of(agent)) == agent.token
    }

    /// The token that this agent was given last, made again.
    fn token_of(&self, agent: &Agent) -> AuthToken {
        self.options.secrets.mint((agent.id(), agent.number), agent.provenance.request)
    }

    /// The how manieth token of that agent, for that request, and what is written down of it.
    pub(super) fn mint(
        &self,
        agent: (AgentId, u32),
        request: Option<RequestDigest>,
    ) -> (AuthToken, TokenHash) {
        let token = self.options.secrets.mint(agent, request);
        let hash = TokenHash::of(&token).expect("a minted token is one of ours");
        (token, hash)
    }
}

/// The book of a league, open for one event.
pub(super) struct Book<'a> {
    records: &'a mut Records,
    pub(super) heard: &'a mut Heard,
    pub(super) out: &'a mut Out,
    pub(super) now: Timestamp,
}

impl<'a> Book<'a> {
    pub(super) fn open(
        records: &'a mut Records,
        heard: &'a mut Heard,
        now: Timestamp,
        out: &'a mut Out,
    ) -> Self {
        Self { records, heard, out, now }
    }

    /// The same one, for somebody who needs it for a moment.
    pub(super) fn lend(&mut self) -> Book<'_> {
        Book { records: self.records, heard: self.heard, out: self.out, now: self.now }
    }

    pub(super) fn league(&self) -> &League {
        &self.records.league
    }

    pub(super) fn records(&self) -> &Records {
        self.records
    }

    /// That is true from now on.
    pub(super) fn record(&mut self, fact: LeagueFact) {
        self.records.apply(&fact);
        self.out.facts.push(fact);
    }

    pub(super) fn record_season(&mut self, fact: SeasonFact) {
        self.record(LeagueFact::Season(fact));
    }

    /// Answers a call, in its conversation.
    pub(super) fn answer(&mut self, request: RequestId, conversation_id: ConversationId, act: Act) {
        let head = Dialogue { sender: Sender::LeagueManager, timestamp: self.now, conversation_id };
        let answer = Envelope { head, auth_token: None, act };
        self.out.reply(request, Answer::Message(Box::new(answer)));
    }

    /// News for everybody whom they concern.
    pub(super) fn tell(&mut self) -> Telling<'_> {
        Telling { book: self.lend() }
    }

    /// From now on everybody is waited for, for as long as a notice may take.
    pub(super) fn wait_for_everybody(&mut self) {
        self.heard.until = Some(self.now + self.records.league.settings.notice());
    }

    /// Says how many agents have tokens that another key made.
    pub(super) fn look_for_estranged(&mut self) {
        let estranged = |agent: &&Agent| agent.token.is_some() && !self.records.is_ours(agent);
        let agents = self.league().registry.everybody().filter(estranged).count();
        if agents > 0 {
            self.out.push(Effect::Alert(Alert::KeyLost { agents }));
        }
    }
}

impl Book<'_> {
    /// Everybody who is in the league; of a season that has begun, who takes part.
    pub(in crate::roles::manager) fn members(&self) -> Vec<AgentId> {
        // An iterator over them cannot tell how many they are.
        let registry = &self.league().registry;
        let count = registry.player_count() + registry.referee_count();
        let mut members = Vec::with_capacity(count as usize);
        members.extend(self.league().everybody().map(Agent::id));
        members
    }

    /// Tells it to those who may hear it now, and to the others when they may.
    pub(in crate::roles::manager) fn say(&mut self, news: News, to: &[AgentId]) {
        if self.league().settings.is_by_letters() {
            let agents = to.iter().filter_map(|who| self.league().registry.agent(*who));
            let contacts = agents.map(|agent| agent.contact.clone()).collect();
            self.publish(news, contacts);
        } else {
            self.announce(news, to);
        }
    }

    fn announce(&mut self, news: News, to: &[AgentId]) {
        let mut recipients = Vec::with_capacity(to.len());
        recipients.extend(to.iter().filter_map(|who| self.recipient(*who, &news)));
        let league = &self.records.league;
        let mut told = news.in_messages(league, self.now).into_iter();
        while let Some(mut news) = told.next() {
            let last = told.len() == 0;
            news.recipients =
                if last { std::mem::take(&mut recipients) } else { recipients.clone() };
            self.heard.hold(&mut news, self.now + league.settings.notice());
            if !news.recipients.is_empty() {
                self.out.push(Effect::Broadcast(Box::new(news)));
            }
        }
    }

    /// Where one who is let in is called, and with what.
    fn recipient(&self, who: AgentId, news: &News) -> Option<Recipient> {
        let league = &self.records.league;
        let to = league.registry.agent(who)?.endpoint();
        let auth_token = self.records.signer(who)?.manager_token.clone();
        Some(Recipient { who, tag: news.tag(league, who), to, auth_token })
    }
}

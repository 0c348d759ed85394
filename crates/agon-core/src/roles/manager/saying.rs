//! Saying something to many: written once, addressed to each, and kept back from those who must
//! hear something else first.
//!
//! Spec: docs/protocol/season.md

use agon_proto::announcement::Announcement;
use agon_proto::dialect::{Dialect, league_v2};
use agon_proto::{AgentId, Contact, Sender, Timestamp};

use super::{Manager, Out};
use crate::effect::{Broadcast, Effect, Recipient, Tag, Topic};

/// One to whom something is told.
#[derive(Debug, Clone)]
pub(super) struct Reader {
    /// Nobody yet, if it is only expected.
    pub(super) who: Option<AgentId>,
    pub(super) contact: Contact,
    /// What becomes of it is known by that.
    pub(super) tag: Tag,
}

impl Reader {
    /// Somebody whose answer nobody waits for.
    pub(super) fn at(contact: Contact) -> Self {
        Self { who: None, contact, tag: Tag::Notice }
    }
}

impl Manager {
    /// Everybody who is in the league; of a season that has begun, who takes part.
    pub(super) fn readers(&self) -> Vec<Reader> {
        let reader = |(who, agent): (_, &crate::league::registry::Agent)| Reader {
            who: Some(who),
            ..Reader::at(agent.contact.clone())
        };
        // An iterator over them cannot tell how many they are.
        let registry = &self.league.registry;
        let count = registry.player_count() + registry.referee_count();
        let mut readers = Vec::with_capacity(count as usize);
        readers.extend(self.league.everybody().map(reader));
        readers
    }

    /// That agent, if it is one.
    pub(super) fn reader_of(&self, who: AgentId) -> Option<Reader> {
        let agent = self.league.registry.agent(who)?;
        Some(Reader { who: Some(who), ..Reader::at(agent.contact.clone()) })
    }

    /// Tells it to those who may hear it now, and to the others when they may.
    pub(super) fn say(
        &mut self,
        news: Announcement,
        to: Vec<Reader>,
        now: Timestamp,
        out: &mut Out,
    ) {
        match self.league.settings.dialect() {
            Dialect::LeagueV2 => self.announce(news, &to, now, out),
            Dialect::Q21 => self.publish(news, to, now, out),
        }
    }

    fn announce(&mut self, news: Announcement, to: &[Reader], now: Timestamp, out: &mut Out) {
        let mut recipients = Vec::with_capacity(to.len());
        recipients.extend(to.iter().filter_map(|reader| self.recipient(reader)));
        let mut spelled = league_v2::spell(news, &self.league.settings.league_id).into_iter();
        while let Some(league_v2::Spelled { message, conversation, replaces }) = spelled.next() {
            let last = spelled.len() == 0;
            let to = if last { std::mem::take(&mut recipients) } else { recipients.clone() };
            let mut news = Broadcast {
                sender: Sender::LeagueManager,
                timestamp: now,
                conversation_id: conversation,
                topic: if replaces { Topic::Standings } else { Topic::News },
                message,
                recipients: to,
            };
            self.heard.hold(&mut news, now + self.league.settings.notice());
            if !news.recipients.is_empty() {
                out.push(Effect::Broadcast(Box::new(news)));
            }
        }
    }

    /// Where one who is let in is called, and with what.
    fn recipient(&self, Reader { who, contact, tag }: &Reader) -> Option<Recipient> {
        let who = (*who)?;
        let auth_token = self.signing.manager_token(who)?.clone();
        Some(Recipient { who, tag: *tag, to: contact.endpoint(), auth_token })
    }
}
